#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "image_set_memory.h"
#include "rescale.h"

Status image_set_rescale(const Image *image, const ImageSet *set, int32_t width, int32_t height,
                         Image *scaled, ImageSet *scaled_set) {
    *scaled = (Image){0};
    *scaled_set = (ImageSet){0};
    char name[64];
    snprintf(name, sizeof name, "the set at %" PRId32 "x%" PRId32, width, height);
    STATUS_TRY(image_set_check(STATUS_USAGE, name, (uint64_t)set->count,
                               width < 0 ? 0 : (uint64_t)width, height < 0 ? 0 : (uint64_t)height));
    STATUS_TRY(
        image_set_create(name, set->count, width, height, set->labels != NULL, scaled, scaled_set));
    const Status status = rescale_pictures(image, set->count, scaled);
    if (!status_is_ok(&status)) {
        image_set_free(scaled, scaled_set);
    } else if (set->labels != NULL) {
        memcpy(scaled_set->labels, set->labels, (size_t)set->count);
    }
    return status;
}
