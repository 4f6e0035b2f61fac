#include "workload_crop.h"

#include <inttypes.h>
#include <stdio.h>

#include "workload_hash.h"

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

static void crop_keypoints(Workload *crop, int32_t count) {
    crop->keypoints.count = smaller(crop->keypoints.count, count);
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32 " keypoints",
             crop->keypoints.count);
}

/* Where the sets meet, so that both are in one piece. */
static void crop_descriptors(Workload *crop, int32_t rows) {
    const int32_t queries = smaller(crop->queries, rows);
    const int32_t others = smaller(crop->image.height - crop->queries, rows);
    crop->image.pixels += (size_t)(crop->queries - queries) * crop->image.stride;
    crop->image.height = queries + others;
    crop->queries = queries;
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32, queries);
}

Workload workload_crop(const Workload *workload, int32_t side) {
    Workload crop = *workload;
    switch (crop.kind) {
    case WORKLOAD_IMAGE: crop_picture(&crop, side); break;
    case WORKLOAD_IMAGE_SET: crop_set(&crop, side); break;
    case WORKLOAD_KEYPOINTS: crop_keypoints(&crop, side); break;
    case WORKLOAD_DESCRIPTORS: crop_descriptors(&crop, side); break;
    }
    /* What an algorithm remembers of an input by its hash is not true of a part of it. */
    if (!workload_crop_is_whole(&crop, workload)) {
        crop.hash = workload_hash(&crop);
    }
    return crop;
}

bool workload_crop_is_whole(const Workload *crop, const Workload *workload) {
    return crop->image.width == workload->image.width &&
           crop->image.height == workload->image.height &&
           crop->keypoints.count == workload->keypoints.count;
}
