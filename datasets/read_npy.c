/*
 * NPY, as numpy.save writes it: a head of text with the type and the shape, then the numbers in
 * rows. An array of one dimension is one row.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image_format.h"
#include "output.h"

enum { MAGIC_SIZE = 6, VERSION_AT = 6, LENGTH_AT = 8, TEXT_SIZE = 4096, TYPE_SIZE = 16 };

static const uint8_t magic[MAGIC_SIZE] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

typedef struct NpyHeader {
    char text[TEXT_SIZE]; /* of the head */
    OutputKind kind;
    bool lowest_first;
    uint64_t width, height;
    uint64_t start; /* of the numbers */
} NpyHeader;

static bool npy_matches(const EncodedImage *file) {
    return file->size >= MAGIC_SIZE && memcmp(file->bytes, magic, MAGIC_SIZE) == 0;
}

static Status damaged(const EncodedImage *file, const char *what) {
    return status_make(STATUS_FILE, "%s: damaged NPY: %s", file->name, what);
}

static Status truncated(const EncodedImage *file) {
    return damaged(file, "the file is truncated");
}

/* --- Head ------------------------------------------------------------------------------------- */

/* Version 1 has the length of its text in two bytes, later ones in four. */
static Status read_text(const EncodedImage *file, NpyHeader *header) {
    const uint8_t *bytes = file->bytes;
    const size_t length_size = file->size > VERSION_AT && bytes[VERSION_AT] > 1 ? 4 : 2;
    const size_t begin = LENGTH_AT + length_size;
    uint32_t length = 0;
    if (file->size < begin) {
        return truncated(file);
    }
    if (bytes[VERSION_AT] < 1 || bytes[VERSION_AT] > 3) {
        return damaged(file, "its version must be 1, 2 or 3");
    }
    for (size_t i = 0; i < length_size; i++) {
        length |= (uint32_t)bytes[LENGTH_AT + i] << (8 * i);
    }
    if (length >= TEXT_SIZE) {
        return damaged(file, "its head is longer than that of an array can be");
    }
    if (file->size - begin < length) {
        return truncated(file);
    }
    memcpy(header->text, bytes + begin, length);
    header->text[length] = '\0';
    header->start = begin + length;
    return status_ok();
}

/* What stands behind 'key': in the text; NULL: it has no such key. */
static const char *value_of(const NpyHeader *header, const char *key) {
    const char *at = strstr(header->text, key);
    at = at != NULL ? at + strlen(key) : NULL;
    if (at == NULL || *at != ':') {
        return NULL;
    }
    at++;
    return at + strspn(at, " ");
}

static Status unknown_type(const EncodedImage *file, const char *type) {
    return status_make(STATUS_FILE,
                       "%s: its numbers are of the type '%s'; uint8, uint16, uint32, uint64, "
                       "int32, int64, float32 and float64 can be read",
                       file->name, type);
}

/* '<f4': the order of bytes, a letter, and the bytes of a number. */
static Status read_type(const EncodedImage *file, NpyHeader *header) {
    const char *value = value_of(header, "'descr'");
    char type[TYPE_SIZE] = "";
    if (value == NULL) {
        return damaged(file, "its head has no 'descr'");
    }
    for (size_t i = 0; *value == '\'' && i + 1 < TYPE_SIZE &&
                       (isalnum((unsigned char)value[i + 1]) != 0 ||
                        (i == 0 && value[1] != '\0' && strchr("<>|=", value[1]) != NULL));
         i++) {
        type[i] = value[i + 1];
    }
    if (strlen(type) != 3 || value[4] != '\'') {
        return unknown_type(file, type[0] != '\0' ? type : "?");
    }
    header->lowest_first = type[0] != '>';
    for (int kind = OUTPUT_ARRAY_U32; kind < OUTPUT_KINDS; kind++) {
        if (output_element_type((OutputKind)kind) == type[1] &&
            output_element_size((OutputKind)kind) == (size_t)(type[2] - '0')) {
            header->kind = (OutputKind)kind;
            return status_ok();
        }
    }
    return unknown_type(file, type);
}

/* A side and the comma behind it; false: the tuple ends, or there is something else. */
static bool next_side(const char **at, uint64_t *side) {
    enum { DIGITS_MAX = 10 };
    const size_t digits = strspn(*at, "0123456789");
    *side = strtoull(*at, NULL, 10);
    if (digits < 1 || digits > DIGITS_MAX) {
        return false;
    }
    *at += digits;
    *at += strspn(*at, " ");
    *at += **at == ',';
    *at += strspn(*at, " ");
    return true;
}

/* "(3, 4)" is rows and columns, "(12,)" one row. */
static Status read_shape(const EncodedImage *file, NpyHeader *header) {
    const char *at = value_of(header, "'shape'");
    uint64_t sides[2] = {0};
    size_t count = 0;
    if (at == NULL || *at != '(') {
        return damaged(file, "its head has no 'shape'");
    }
    at++;
    while (count < 2 && next_side(&at, &sides[count])) {
        count++;
    }
    if (count == 0 || *at != ')') {
        return status_make(STATUS_FILE,
                           "%s: its array has no shape of one or two numbers, which would be right",
                           file->name);
    }
    header->height = count == 2 ? sides[0] : 1;
    header->width = sides[count - 1];
    return status_ok();
}

/* An array of one row may be of any length. */
static Status check_size(const EncodedImage *file, const NpyHeader *header) {
    if (header->height != 1 || header->width == 0) {
        return image_format_check_size(file, header->width, header->height);
    }
    return header->width <= INT32_MAX
               ? status_ok()
               : status_make(STATUS_FILE, "%s: has %" PRIu64 " numbers; %" PRId32 " are the most",
                             file->name, header->width, INT32_MAX);
}

static Status read_header(const EncodedImage *file, NpyHeader *header) {
    STATUS_TRY(read_text(file, header));
    STATUS_TRY(read_type(file, header));
    const char *order = value_of(header, "'fortran_order'");
    if (order == NULL) {
        return damaged(file, "its head has no 'fortran_order'");
    }
    if (strncmp(order, "False", 5) != 0) {
        return status_make(STATUS_FILE,
                           "%s: its array stands column by column; numpy.ascontiguousarray makes "
                           "rows of it",
                           file->name);
    }
    STATUS_TRY(read_shape(file, header));
    return check_size(file, header);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static Status npy_read_deep(const EncodedImage *file, FilePixels *samples) {
    NpyHeader header;
    STATUS_TRY(read_header(file, &header));
    const uint64_t bytes = header.width * header.height * output_element_size(header.kind);
    if (file->size - header.start < bytes) {
        return truncated(file);
    }
    image_format_warn_of_rest(file, "NPY", file->size - header.start - bytes, "");
    STATUS_TRY(image_format_create_pixels(file, (int32_t)header.width, (int32_t)header.height,
                                          header.kind, 0, samples));
    image_format_copy_numbers(file->bytes + header.start, header.lowest_first, false, samples);
    return status_ok();
}

static Status npy_read(const EncodedImage *file, bool header_only, Image *image) {
    NpyHeader header;
    FilePixels samples;
    STATUS_TRY(read_header(file, &header));
    if (header_only) {
        *image = (Image){.width = (int32_t)header.width, .height = (int32_t)header.height};
        return status_ok();
    }
    STATUS_TRY(image_format_check_size(file, header.width, header.height));
    STATUS_TRY(npy_read_deep(file, &samples));
    return image_format_convert(file->name, &samples, OUTPUT_IMAGE_U8, image);
}

const ImageFormat npy_format = {.name = "NPY",
                                .matches = npy_matches,
                                .read = npy_read,
                                .is_deep = npy_matches,
                                .read_deep = npy_read_deep,
                                .numbers = true};
