/*
 * Raw files: the pixels and nothing else, a byte each, row by row. The sides are in the file's
 * name: NAME.WIDTHxHEIGHT.raw.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "image_format.h"
#include "status.h"

static const char suffix[] = ".raw";

/* Whether the name ends in ".raw"; contents may be any. */
static bool raw_matches(const EncodedImage *file) {
    const size_t length = strlen(file->name);
    return length >= sizeof suffix &&
           strcasecmp(file->name + length + 1 - sizeof suffix, suffix) == 0;
}

/* The number that ends before `end` and has at most nine digits, and where it begins; false: there
 * is none. */
static bool number_before(const char *start, const char *end, uint64_t *number,
                          const char **begin) {
    enum { DIGITS_MAX = 9 };
    const char *at = end;
    while (at > start && end - at < DIGITS_MAX && isdigit((unsigned char)at[-1]) != 0) {
        at--;
    }
    *begin = at;
    *number = strtoull(at, NULL, 10);
    return at < end;
}

/* Reads "….WIDTHxHEIGHT.raw". */
static bool sides_of_name(const char *name, uint64_t *width, uint64_t *height) {
    const char *at = NULL;
    if (!number_before(name, name + strlen(name) + 1 - sizeof suffix, height, &at) || at == name ||
        (at[-1] != 'x' && at[-1] != 'X') || !number_before(name, at - 1, width, &at)) {
        return false;
    }
    return at > name && at[-1] == '.';
}

static Status raw_locate(const EncodedImage *file, Image *image, uint64_t *offset) {
    uint64_t width = 0;
    uint64_t height = 0;
    if (!sides_of_name(file->name, &width, &height)) {
        return status_make(STATUS_FILE,
                           "%s: a raw file has its sides in its name: NAME.WIDTHxHEIGHT.raw",
                           file->name);
    }
    STATUS_TRY(image_format_check_size(file, width, height));
    if (file->file_size != width * height) {
        return status_make(STATUS_FILE,
                           "%s: has %" PRIu64 " bytes; %" PRIu64 "x%" PRIu64
                           " pixels of a byte each are %" PRIu64,
                           file->name, file->file_size, width, height, width * height);
    }
    image->width = (int32_t)width;
    image->height = (int32_t)height;
    *offset = 0;
    return status_ok();
}

static Status raw_read(const EncodedImage *file, bool header_only, Image *image) {
    uint64_t offset = 0;
    Image found = {0};
    STATUS_TRY(raw_locate(file, &found, &offset));
    if (header_only) {
        *image = found;
        return status_ok();
    }
    STATUS_TRY(image_format_create(file, found.width, found.height, image));
    memcpy(image->pixels, file->bytes, file->size);
    return status_ok();
}

const ImageFormat raw_format = {
    .name = "raw", .matches = raw_matches, .read = raw_read, .locate = raw_locate};
