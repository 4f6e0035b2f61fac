/*
 * PFM: "Pf", the sides and a scale as text, then float32 from the bottom row to the top one. The
 * scale's sign says in which order the bytes stand; its size is not used, as other readers do not.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image_format.h"
#include "output.h"

enum { WORD_SIZE = 32, WORDS = 3 };

typedef struct PfmHeader {
    uint64_t width, height;
    size_t start; /* of the numbers */
    bool lowest_first;
} PfmHeader;

static bool pfm_matches(const EncodedImage *file) {
    return file->size >= 3 && file->bytes[0] == 'P' &&
           (file->bytes[1] == 'f' || file->bytes[1] == 'F') && isspace(file->bytes[2]) != 0;
}

static Status damaged(const EncodedImage *file, const char *what) {
    return status_make(STATUS_FILE, "%s: damaged PFM: %s", file->name, what);
}

/* The next word, behind white space; one space alone stands behind it. */
static bool next_word(const EncodedImage *file, size_t *at, char word[WORD_SIZE]) {
    size_t length = 0;
    while (*at < file->size && isspace(file->bytes[*at]) != 0) {
        ++*at;
    }
    while (*at < file->size && isspace(file->bytes[*at]) == 0 && length + 1 < WORD_SIZE) {
        word[length++] = (char)file->bytes[(*at)++];
    }
    word[length] = '\0';
    return length > 0 && *at < file->size && isspace(file->bytes[(*at)++]) != 0;
}

static bool read_side(const char *word, uint64_t *side) {
    enum { DIGITS_MAX = 10 };
    *side = strtoull(word, NULL, 10);
    return strspn(word, "0123456789") == strlen(word) && strlen(word) <= DIGITS_MAX;
}

static Status read_header(const EncodedImage *file, PfmHeader *header) {
    char words[WORDS][WORD_SIZE];
    char *end = NULL;
    header->start = 2;
    if (file->bytes[1] == 'F') {
        return status_make(STATUS_FILE,
                           "%s: is a PFM of three colours; one of grey (Pf) would be right",
                           file->name);
    }
    for (size_t i = 0; i < WORDS; i++) {
        if (!next_word(file, &header->start, words[i])) {
            return damaged(file, "its header is cut short");
        }
    }
    if (!read_side(words[0], &header->width) || !read_side(words[1], &header->height)) {
        return damaged(file, "there is something else where its sides should be");
    }
    const double scale = strtod(words[2], &end);
    if (*end != '\0' || !isfinite(scale) || scale == 0) {
        return damaged(file, "its scale must be a number other than 0");
    }
    header->lowest_first = scale < 0;
    return image_format_check_size(file, header->width, header->height);
}

static Status pfm_read_deep(const EncodedImage *file, FilePixels *samples) {
    PfmHeader header;
    STATUS_TRY(read_header(file, &header));
    const uint64_t bytes = header.width * header.height * sizeof(float);
    if (file->size - header.start < bytes) {
        return damaged(file, "the file is truncated");
    }
    image_format_warn_of_rest(file, "PFM", file->size - header.start - bytes, "");
    STATUS_TRY(image_format_create_pixels(file, (int32_t)header.width, (int32_t)header.height,
                                          OUTPUT_ARRAY_F32, 0, samples));
    image_format_copy_numbers(file->bytes + header.start, header.lowest_first, true, samples);
    return status_ok();
}

static Status pfm_read(const EncodedImage *file, bool header_only, Image *image) {
    PfmHeader header;
    FilePixels samples;
    STATUS_TRY(read_header(file, &header));
    if (header_only) {
        *image = (Image){.width = (int32_t)header.width, .height = (int32_t)header.height};
        return status_ok();
    }
    STATUS_TRY(pfm_read_deep(file, &samples));
    return image_format_convert(file->name, &samples, OUTPUT_IMAGE_U8, image);
}

const ImageFormat pfm_format = {.name = "PFM",
                                .matches = pfm_matches,
                                .read = pfm_read,
                                .is_deep = pfm_matches,
                                .read_deep = pfm_read_deep,
                                .numbers = true};
