/* Image set memory: the one tall picture that holds a set, and its labels. */
#ifndef DATASETS_IMAGE_SET_MEMORY_H
#define DATASETS_IMAGE_SET_MEMORY_H

#include <stdbool.h>

#include "image_sets.h"

/* STATUS_OK when a set may have this many pictures of this size; otherwise a status of this code
 * that begins with the name: sides are 1 to IMAGE_SET_SIDE_MAX, there is at least one picture, and
 * the rows of all pictures fit 32 bits. */
Status image_set_check(StatusCode code, const char *name, uint64_t count, uint64_t width,
                       uint64_t height);

/* A checked set: pixels aligned to 64 bytes without padding, not initialised, and as many labels
 * where `labelled`. STATUS_SKIP "needs X, Y free" when memory is short. Errors leave both zero.
 * Higher than image_create allows: a set is a strip. */
Status image_set_create(const char *name, int32_t count, int32_t width, int32_t height,
                        bool labelled, Image *image, ImageSet *set);

/* The pixels of picture `index`, to be filled. */
static inline uint8_t *image_set_pixels(const Image *image, const ImageSet *set, int32_t index) {
    return image->pixels + (size_t)index * (size_t)set->height * image->stride;
}

#endif
