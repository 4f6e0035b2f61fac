#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets.h"
#include "fnv.h"
#include "resources.h"

enum { PIXEL_ALIGNMENT = 64 };

static Status check_sides(int32_t width, int32_t height) {
    if (width < 1 || height < 1 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX ||
        (uint64_t)width * (uint64_t)height > IMAGE_PIXELS_MAX) {
        return status_make(STATUS_USAGE,
                           "an image of %" PRId32 "x%" PRId32
                           " pixels is not possible; sides are 1 to %" PRId32
                           " and their product at most %" PRIu64,
                           width, height, IMAGE_SIDE_MAX, IMAGE_PIXELS_MAX);
    }
    return status_ok();
}

Status image_create(int32_t width, int32_t height, size_t stride_multiple, Image *image) {
    *image = (Image){0};
    STATUS_TRY(check_sides(width, height));
    char what[64];
    snprintf(what, sizeof what, "an image of %" PRId32 "x%" PRId32 " pixels", width, height);

    const size_t multiple = stride_multiple == 0 ? 1 : stride_multiple;
    size_t stride = 0;
    size_t bytes = 0;
    if (__builtin_mul_overflow(((size_t)width - 1) / multiple + 1, multiple, &stride) ||
        __builtin_mul_overflow(stride, (size_t)height, &bytes)) {
        return free_memory_short(what, UINT64_MAX);
    }
    STATUS_TRY(free_memory_check(what, bytes));
    void *pixels = NULL;
    if (posix_memalign(&pixels, PIXEL_ALIGNMENT, bytes) != 0) {
        return free_memory_short(what, bytes);
    }
    *image = (Image){.width = width, .height = height, .stride = stride, .pixels = pixels};
    return status_ok();
}

void image_free(Image *image) {
    if (image != NULL) {
        free(image->pixels);
        *image = (Image){0};
    }
}

uint64_t image_hash(const Image *image) {
    uint64_t hash = FNV_START;
    for (int32_t y = 0; y < image->height; ++y) {
        hash = fnv_bytes(hash, image_row(image, y), (size_t)image->width);
    }
    return hash;
}
