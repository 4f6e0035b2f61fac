/*
 * Fuzzes the readers of IDX files, images and labels, plain and gzip. The harness checks what the
 * interface promises of every file; the sanitizers find the rest.
 */
#include <string.h>

#define ZLIB_CONST /* it does not write to its input */
#include <zlib.h>

#include "datasets.h"
#include "fuzz_input.h"
#include "image_sets.h"
#include "image_sets_internal.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max);

enum { UNPACKED_ROOM = 16384, HEADER_SIZE = 16, GZIP_WINDOW_BITS = 15 + 16 };

static void check_refusal(const Status *status, const Image *image, const ImageSet *set) {
    require(status->code == STATUS_FILE || status->code == STATUS_SKIP);
    require_reason(status);
    require(image->pixels == NULL && set->labels == NULL && set->count == 0);
}

/* The first image alone is the first of all. */
static void check_limit(const uint8_t *bytes, size_t size, const Image *all, const ImageSet *set) {
    Image image;
    ImageSet first;
    const Status status = image_set_decode("fuzzed", bytes, size, 1, &image, &first);
    require(status_is_ok(&status) && first.count == 1);
    require(first.width == set->width && first.height == set->height);
    require(memcmp(image.pixels, all->pixels, image_pixel_count(&image)) == 0);
    image_set_free(&image, &first);
}

static void check_size(const uint8_t *bytes, size_t size, const ImageSet *set) {
    const char *path = fuzz_input_file(bytes, size);
    ImageSet sizes;
    const Status status = image_set_read_size(path, &sizes);
    require(status_is_ok(&status) && image_set_is_at(path));
    require(sizes.count == set->count && sizes.width == set->width && sizes.height == set->height);
}

static void read_images(const uint8_t *bytes, size_t size) {
    Image image;
    ImageSet set;
    const Status status = image_set_decode("fuzzed", bytes, size, 0, &image, &set);
    if (!status_is_ok(&status)) {
        check_refusal(&status, &image, &set);
        return;
    }
    require(set.count >= 1 && set.width >= 1 && set.height >= 1 && set.labels == NULL);
    require(image.width == set.width && image.height == set.count * set.height);
    require(byte_stream_is_gzip(bytes, size) || size == HEADER_SIZE + image_pixel_count(&image));
    (void)image_set_hash(&image, &set); /* reads every pixel */
    check_limit(bytes, size, &image, &set);
    check_size(bytes, size, &set);
    image_set_free(&image, &set);
}

static void read_labels(const uint8_t *bytes, size_t size) {
    const ByteSource source = {.name = "fuzzed", .bytes = bytes, .size = size, .file_size = size};
    IdxReader reader;
    const Status status = idx_open(&source, IDX_LABELS, &reader);
    if (!status_is_ok(&status)) {
        require_reason(&status);
        return;
    }
    uint8_t label = 0;
    const Status read = idx_read(&reader, &label, 1);
    if (!status_is_ok(&read)) {
        require_reason(&read);
    }
    idx_close(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    read_images(bytes, size);
    read_labels(bytes, size);
    return 0;
}

/* As much as has room of what the bytes unpack to; damage ends it. */
static size_t unpack(const uint8_t *bytes, size_t size, uint8_t *plain) {
    z_stream stream = {.next_in = bytes, .avail_in = (uInt)size};
    require(inflateInit2(&stream, GZIP_WINDOW_BITS) == Z_OK);
    stream.next_out = plain;
    stream.avail_out = UNPACKED_ROOM;
    (void)inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return UNPACKED_ROOM - stream.avail_out;
}

/* 0 when there is not enough room. */
static size_t pack(const uint8_t *plain, size_t size, uint8_t *bytes, size_t size_max) {
    z_stream stream = {.next_in = plain, .avail_in = (uInt)size};
    require(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 8,
                         Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_out = bytes;
    stream.avail_out = (uInt)size_max;
    const int code = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return code == Z_STREAM_END ? size_max - stream.avail_out : 0;
}

/* A changed byte would nearly always stop at gzip's checksum, so most packed files are changed
 * before they are packed, and some plain files are packed. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed) {
    static uint8_t plain[UNPACKED_ROOM];
    const bool gzip = byte_stream_is_gzip(bytes, size);
    if (gzip ? seed % 4 == 0 : seed % 16 != 0) {
        return LLVMFuzzerMutate(bytes, size, size_max);
    }
    size_t count = size < UNPACKED_ROOM ? size : UNPACKED_ROOM;
    if (gzip) {
        count = unpack(bytes, size, plain);
    } else {
        memcpy(plain, bytes, count);
    }
    count = LLVMFuzzerMutate(plain, count, UNPACKED_ROOM);
    const size_t result = pack(plain, count, bytes, size_max);
    return result > 0 ? result : LLVMFuzzerMutate(bytes, size, size_max);
}
