#include "image_set_memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "datasets.h"
#include "fnv.h"
#include "resources.h"

enum { PIXEL_ALIGNMENT = 64 };

Status image_set_check(StatusCode code, const char *name, uint64_t count, uint64_t width,
                       uint64_t height) {
    if (count == 0) {
        return status_make(code, "%s: has no pictures; a set has at least one", name);
    }
    if (width == 0 || height == 0 || width > IMAGE_SET_SIDE_MAX || height > IMAGE_SET_SIDE_MAX) {
        return status_make(code,
                           "%s: has pictures of %" PRIu64 "x%" PRIu64
                           " pixels; the sides of a set's pictures are 1 to %d",
                           name, width, height, IMAGE_SET_SIDE_MAX);
    }
    if (count > INT32_MAX || count * height > INT32_MAX) {
        return status_make(code,
                           "%s: has %" PRIu64 " pictures of %" PRIu64
                           " rows; a set has at most %" PRId32 " rows in all",
                           name, count, height, INT32_MAX);
    }
    return status_ok();
}

Status image_set_create(const char *name, int32_t count, int32_t width, int32_t height,
                        bool labelled, Image *image, ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    const uint64_t bytes = (uint64_t)count * (uint64_t)height * (uint64_t)width;
    const uint64_t label_bytes = labelled ? (uint64_t)count : 0;
    if (bytes + label_bytes > SIZE_MAX) {
        return free_memory_short(name, bytes + label_bytes);
    }
    STATUS_TRY(free_memory_check(name, bytes + label_bytes));
    void *pixels = NULL;
    uint8_t *labels = labelled ? malloc((size_t)label_bytes) : NULL;
    if ((labelled && labels == NULL) ||
        posix_memalign(&pixels, PIXEL_ALIGNMENT, (size_t)bytes) != 0) {
        free(labels);
        return free_memory_short(name, bytes + label_bytes);
    }
    *image = (Image){
        .width = width, .height = count * height, .stride = (size_t)width, .pixels = pixels};
    *set = (ImageSet){.count = count, .width = width, .height = height, .labels = labels};
    return status_ok();
}

uint64_t image_set_hash(const Image *image, const ImageSet *set) {
    const uint64_t hash = image_hash(image);
    return set->labels == NULL ? hash : fnv_bytes(hash, set->labels, (size_t)set->count);
}

void image_set_free(Image *image, ImageSet *set) {
    image_free(image);
    if (set != NULL) {
        free(set->labels);
        *set = (ImageSet){0};
    }
}
