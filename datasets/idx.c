#include "image_sets_internal.h"

#include <inttypes.h>

enum {
    ZEROS = 2, /* zero bytes at the beginning */
    MAGIC_SIZE = 4,
    TYPE_AT = 2,
    DIMENSIONS_AT = 3,
    SIZE_BYTES = 4,
    UNSIGNED_BYTES = 0x08,
    SKIPPED_AT_ONCE = 16384
};

typedef struct TypeCode {
    uint8_t code;
    const char *name;
} TypeCode;

static const TypeCode type_codes[] = {
    {.code = 0x08, .name = "unsigned bytes"},      {.code = 0x09, .name = "signed bytes"},
    {.code = 0x0b, .name = "16-bit integers"},     {.code = 0x0c, .name = "32-bit integers"},
    {.code = 0x0d, .name = "32-bit real numbers"}, {.code = 0x0e, .name = "64-bit real numbers"},
};

bool idx_begins(const uint8_t *bytes, size_t size) {
    return byte_stream_is_gzip(bytes, size) || (size >= ZEROS && bytes[0] == 0 && bytes[1] == 0);
}

static const char *name_of_type(uint8_t code) {
    for (size_t i = 0; i < sizeof type_codes / sizeof type_codes[0]; i++) {
        if (type_codes[i].code == code) {
            return type_codes[i].name;
        }
    }
    return "no type of IDX";
}

static Status check_type(const char *name, uint8_t code) {
    if (code == UNSIGNED_BYTES) {
        return status_ok();
    }
    return status_make(STATUS_FILE,
                       "%s: its IDX type code is 0x%02x, %s; unsigned bytes, 0x08, are needed",
                       name, code, name_of_type(code));
}

static Status check_dimensions(const char *name, IdxKind kind, unsigned dimensions) {
    if (dimensions == (unsigned)kind) {
        return status_ok();
    }
    if (kind == IDX_IMAGES) {
        return status_make(STATUS_FILE,
                           "%s: has %u dimension%s%s; images have 3: number, rows and columns",
                           name, dimensions, dimensions == 1 ? "" : "s",
                           dimensions == IDX_LABELS ? ", as labels have" : "");
    }
    return status_make(STATUS_FILE, "%s: has %u dimensions%s; labels have 1, their number", name,
                       dimensions, dimensions == IDX_IMAGES ? ", as images have" : "");
}

static Status check_magic(const char *name, IdxKind kind, const uint8_t magic[MAGIC_SIZE]) {
    if (magic[0] != 0 || magic[1] != 0) {
        return status_make(STATUS_FILE,
                           "%s: not an IDX file: it begins with the bytes 0x%02x 0x%02x, where IDX "
                           "has two zeros",
                           name, magic[0], magic[1]);
    }
    STATUS_TRY(check_type(name, magic[TYPE_AT]));
    return check_dimensions(name, kind, magic[DIMENSIONS_AT]);
}

static Status read_header_bytes(IdxReader *reader, uint8_t *bytes, size_t wanted) {
    size_t got = 0;
    STATUS_TRY(byte_stream_read(&reader->stream, bytes, wanted, &got));
    if (got < wanted) {
        return status_make(STATUS_FILE, "%s: truncated: it ends within its IDX header",
                           reader->stream.source->name);
    }
    return status_ok();
}

static Status too_much(const char *name) {
    return status_make(STATUS_FILE,
                       "%s: truncated or forged: its header asks for more than 2^64 bytes", name);
}

static Status read_sizes(IdxReader *reader, IdxKind kind) {
    const char *name = reader->stream.source->name;
    uint8_t bytes[IDX_IMAGES * SIZE_BYTES];
    STATUS_TRY(read_header_bytes(reader, bytes, (size_t)kind * SIZE_BYTES));
    reader->bytes = 1;
    for (unsigned i = 0; i < IDX_IMAGES; i++) {
        const uint8_t *at = bytes + (size_t)i * SIZE_BYTES;
        reader->sizes[i] = i >= (unsigned)kind ? 1
                                               : (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
                                                     (uint32_t)at[2] << 8 | at[3];
        if (reader->sizes[i] == 0) {
            return status_make(STATUS_FILE,
                               "%s: the size of its dimension %u is 0; each must be at least 1",
                               name, i + 1);
        }
        if (__builtin_mul_overflow(reader->bytes, reader->sizes[i], &reader->bytes)) {
            return too_much(name);
        }
    }
    return status_ok();
}

static Status not_all_there(const IdxReader *reader, uint64_t there) {
    return status_make(STATUS_FILE,
                       "%s: truncated: its header asks for %" PRIu64
                       " bytes of data, and there are %" PRIu64,
                       reader->stream.source->name, reader->bytes, there);
}

static Status more_than_asked(const IdxReader *reader) {
    return status_make(STATUS_FILE,
                       "%s: bytes follow its data; its header asks for %" PRIu64 " bytes of data",
                       reader->stream.source->name, reader->bytes);
}

/* The size of a plain file must match exactly; a packed one cannot hold more than zlib can unpack.
 */
static Status check_plausible(const IdxReader *reader, IdxKind kind) {
    const uint64_t header = MAGIC_SIZE + (uint64_t)kind * SIZE_BYTES;
    const uint64_t most = byte_stream_most(&reader->stream);
    const uint64_t data_most = most > header ? most - header : 0;
    if (!reader->stream.gzip && data_most > reader->bytes) {
        return more_than_asked(reader);
    }
    if (data_most >= reader->bytes) {
        return status_ok();
    }
    if (!reader->stream.gzip) {
        return not_all_there(reader, data_most);
    }
    return status_make(STATUS_FILE,
                       "%s: truncated or forged: its header asks for %" PRIu64
                       " bytes of data, more than %" PRIu64 " packed bytes can hold",
                       reader->stream.source->name, reader->bytes,
                       reader->stream.source->file_size);
}

static Status read_header(IdxReader *reader, IdxKind kind) {
    uint8_t magic[MAGIC_SIZE];
    STATUS_TRY(read_header_bytes(reader, magic, sizeof magic));
    STATUS_TRY(check_magic(reader->stream.source->name, kind, magic));
    STATUS_TRY(read_sizes(reader, kind));
    return check_plausible(reader, kind);
}

Status idx_open(const ByteSource *source, IdxKind kind, IdxReader *reader) {
    *reader = (IdxReader){0};
    if (source->size == 0) {
        return status_make(STATUS_FILE, "%s: the file is empty", source->name);
    }
    STATUS_TRY(byte_stream_open(source, &reader->stream));
    const Status status = read_header(reader, kind);
    if (!status_is_ok(&status)) {
        idx_close(reader);
    }
    return status;
}

void idx_close(IdxReader *reader) {
    byte_stream_close(&reader->stream);
}

static Status read_wanted(IdxReader *reader, uint8_t *data, size_t wanted, uint64_t before) {
    size_t got = 0;
    STATUS_TRY(byte_stream_read(&reader->stream, data, wanted, &got));
    return got < wanted ? not_all_there(reader, before + got) : status_ok();
}

Status idx_read(IdxReader *reader, uint8_t *data, size_t wanted) {
    STATUS_TRY(read_wanted(reader, data, wanted, 0));
    uint8_t rest[SKIPPED_AT_ONCE];
    for (uint64_t done = wanted; done < reader->bytes;) {
        const uint64_t left = reader->bytes - done;
        const size_t count = left < sizeof rest ? (size_t)left : sizeof rest;
        STATUS_TRY(read_wanted(reader, rest, count, done));
        done += count;
    }
    size_t extra = 0;
    STATUS_TRY(byte_stream_read(&reader->stream, rest, 1, &extra));
    return extra == 0 ? status_ok() : more_than_asked(reader);
}
