#include "workload_crop.h"

#include <inttypes.h>
#include <stdio.h>

#include "datasets.h"
#include "image_sets.h"

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void crop_picture(Workload *crop, int32_t side) {
    crop->image.width = smaller(crop->image.width, side);
    crop->image.height = smaller(crop->image.height, side);
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32 "x%" PRId32, crop->image.width,
             crop->image.height);
}

static void crop_set(Workload *crop, int32_t pictures) {
    crop->set.count = smaller(crop->set.count, pictures);
    crop->image.height = crop->set.height * crop->set.count;
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32, crop->set.count);
}

Workload workload_crop(const Workload *workload, int32_t side) {
    Workload crop = *workload;
    if (crop.kind == WORKLOAD_IMAGE_SET) {
        crop_set(&crop, side);
    } else {
        crop_picture(&crop, side);
    }
    /* What an algorithm remembers of an input by its hash is not true of a part of it. */
    if (!workload_crop_is_whole(&crop, workload)) {
        crop.hash = crop.kind == WORKLOAD_IMAGE_SET ? image_set_hash(&crop.image, &crop.set)
                                                    : image_hash(&crop.image);
    }
    return crop;
}

bool workload_crop_is_whole(const Workload *crop, const Workload *workload) {
    return crop->image.width == workload->image.width &&
           crop->image.height == workload->image.height;
}
