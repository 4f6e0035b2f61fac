/* What the tests of image sets share: files of bytes put together by hand, and gzip around them. */
#ifndef TESTS_DATASETS_IDX_FIXTURES_H
#define TESTS_DATASETS_IDX_FIXTURES_H

#include "fixtures.h"
#include "test.h"

#include <zlib.h>

#include "image_sets.h"

enum { FILE_ROOM = 4096 };

typedef struct Bytes {
    uint8_t at[FILE_ROOM];
    size_t size;
} Bytes;

/* Two images, 3 wide and 2 high, written by hand after the description of the format. */
static const uint8_t two_images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0,  0,  0,  2,  0,  0,
                                     0, 3, 1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 255};
static const uint8_t two_labels[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 255};
static const uint8_t three_labels[] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 255, 1};

static inline Bytes bytes_of(const void *bytes, size_t size) {
    Bytes result = {.size = size};
    assert_true(size <= FILE_ROOM);
    memcpy(result.at, bytes, size);
    return result;
}

#define BYTES_OF(array) bytes_of(array, sizeof(array))

/* One gzip member. */
static inline Bytes packed(const Bytes *plain) {
    Bytes result = {0};
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    Bytes copy = *plain;
    stream.next_in = copy.at;
    stream.avail_in = (uInt)copy.size;
    stream.next_out = result.at;
    stream.avail_out = FILE_ROOM;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    result.size = stream.total_out;
    deflateEnd(&stream);
    return result;
}

static inline Bytes joined(const Bytes *first, const Bytes *second) {
    Bytes result = *first;
    assert_true(first->size + second->size <= FILE_ROOM);
    memcpy(result.at + first->size, second->at, second->size);
    result.size += second->size;
    return result;
}

/* Decodes a copy of exactly as many bytes, so that a sanitizer sees one read too many. */
static inline Status decode(const Bytes *file, int32_t limit, Image *image, ImageSet *set) {
    uint8_t *copy = malloc(file->size > 0 ? file->size : 1);
    memcpy(copy, file->at, file->size);
    const Status status = image_set_decode("file", copy, file->size, limit, image, set);
    free(copy);
    return status;
}

static inline void assert_decode_refused(const Bytes *file, const char *word, const char *other) {
    Image image;
    ImageSet set;
    assert_refused(decode(file, 0, &image, &set), STATUS_FILE, word, other);
    assert_null(image.pixels);
    assert_int_equal(set.count, 0);
}

static inline void assert_is_two_images(const Image *image, const ImageSet *set) {
    assert_int_equal(set->count, 2);
    assert_int_equal(set->width, 3);
    assert_int_equal(set->height, 2);
    assert_int_equal(image->stride, 3);
    assert_pixels(image, 3, 4, (const uint8_t[]){1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 255});
}

#endif
