#include "byte_stream.h"

#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST /* it does not write to its input */
#include <zlib.h>

/* The most that deflate can expand its input (zlib's technical notes). */
enum { DEFLATE_RATIO_MAX = 1032 };

/* zlib's window bits: the largest window, gzip headers only. */
enum { GZIP_WINDOW_BITS = 15 + 16 };

/* zlib counts bytes in unsigned int: larger buffers are passed in parts. */
enum { PART_BYTES = 1 << 30 };

bool byte_stream_is_gzip(const uint8_t *bytes, size_t size) {
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static Status no_memory(const char *name) {
    return status_no_memory("to unpack %.200s", name);
}

Status byte_stream_open(const ByteSource *source, ByteStream *stream) {
    *stream =
        (ByteStream){.source = source, .gzip = byte_stream_is_gzip(source->bytes, source->size)};
    if (!stream->gzip) {
        return status_ok();
    }
    stream->unpacking = calloc(1, sizeof *stream->unpacking);
    if (stream->unpacking == NULL || inflateInit2(stream->unpacking, GZIP_WINDOW_BITS) != Z_OK) {
        free(stream->unpacking);
        return no_memory(source->name);
    }
    return status_ok();
}

void byte_stream_close(ByteStream *stream) {
    if (stream->gzip) {
        inflateEnd(stream->unpacking);
        free(stream->unpacking);
    }
}

uint64_t byte_stream_most(const ByteStream *stream) {
    const uint64_t size = stream->source->file_size;
    if (!stream->gzip) {
        return size;
    }
    return size > UINT64_MAX / DEFLATE_RATIO_MAX ? UINT64_MAX : size * DEFLATE_RATIO_MAX;
}

static size_t read_plain(ByteStream *stream, uint8_t *bytes, size_t wanted) {
    const size_t left = stream->source->size - stream->position;
    const size_t count = wanted < left ? wanted : left;
    memcpy(bytes, stream->source->bytes + stream->position, count);
    stream->position += count;
    return count;
}

static Status damaged(const ByteStream *stream, int code) {
    const char *name = stream->source->name;
    if (code == Z_MEM_ERROR) {
        return no_memory(name);
    }
    if (code == Z_BUF_ERROR) {
        return status_make(STATUS_FILE, "%s: truncated: its gzip data end too early", name);
    }
    const char *what = stream->unpacking->msg;
    return status_make(STATUS_FILE, "%s: damaged gzip data: %s", name,
                       what != NULL ? what : "it cannot be unpacked");
}

/* Another gzip member may follow; its data continue those of the first. */
static Status end_member(ByteStream *stream) {
    const ByteSource *source = stream->source;
    const size_t left = source->size - stream->position;
    if (left == 0) {
        stream->ended = true;
        return status_ok();
    }
    if (!byte_stream_is_gzip(source->bytes + stream->position, left)) {
        return status_make(STATUS_FILE,
                           "%s: %zu bytes that are not gzip follow the end of its gzip data",
                           source->name, left);
    }
    inflateReset(stream->unpacking);
    return status_ok();
}

static Status unpack_part(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got) {
    z_stream *unpacking = stream->unpacking;
    const size_t left = stream->source->size - stream->position;
    const uInt offered = left < PART_BYTES ? (uInt)left : (uInt)PART_BYTES;
    const uInt room = wanted < PART_BYTES ? (uInt)wanted : (uInt)PART_BYTES;
    unpacking->next_in = stream->source->bytes + stream->position;
    unpacking->avail_in = offered;
    unpacking->next_out = bytes;
    unpacking->avail_out = room;
    const int code = inflate(unpacking, Z_NO_FLUSH);
    stream->position += offered - unpacking->avail_in;
    *got += room - unpacking->avail_out;
    if (code == Z_STREAM_END) {
        return end_member(stream);
    }
    return code == Z_OK ? status_ok() : damaged(stream, code);
}

Status byte_stream_read(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got) {
    *got = 0;
    if (!stream->gzip) {
        *got = read_plain(stream, bytes, wanted);
        return status_ok();
    }
    while (*got < wanted && !stream->ended) {
        STATUS_TRY(unpack_part(stream, bytes + *got, wanted - *got, got));
    }
    return status_ok();
}
