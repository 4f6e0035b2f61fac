/*
 * Workload: one input at one size, as every variant of an algorithm sees it. Variants only read it.
 *
 * The kind says which members are filled. A new kind of input is a member here, a word
 * in WorkloadKind and a loader; algorithms that do not use it are not touched.
 */
#ifndef BENCH_API_WORKLOAD_H
#define BENCH_API_WORKLOAD_H

#include <stdint.h>

#include "image.h"
#include "keypoint.h"
#include "weights.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum WorkloadKind {
    WORKLOAD_IMAGE,      /* one picture */
    WORKLOAD_IMAGE_SET,  /* many pictures of one size, perhaps labelled */
    WORKLOAD_KEYPOINTS,  /* one picture and keypoints in it, with weights to describe them by */
    WORKLOAD_DESCRIPTORS /* two sets of descriptors: rows of bytes */
} WorkloadKind;

enum { WORKLOAD_NAME_SIZE = 128, WORKLOAD_SIZE_NAME_SIZE = 32 };

/* What there is to know about a set besides its pixels, which are in Workload.image. */
typedef struct ImageSet {
    int32_t count;         /* pictures, at least 1; 0 where the workload is no set */
    int32_t width, height; /* of each, pixels */
    uint8_t *labels;       /* one for each picture; NULL: not known. Owned as the pixels are */
} ImageSet;

typedef struct Workload {
    WorkloadKind kind;
    char input[WORKLOAD_NAME_SIZE];          /* "meadow.jpg", "texture", "digits" */
    char size_name[WORKLOAD_SIZE_NAME_SIZE]; /* "1080p", "640x480", "native", "60000" */

    /* The picture. Of a set all pictures one below the other, without padding: set.width wide,
     * set.height × set.count high, the rows of picture i from i × set.height on.
     * Of descriptors a row each: the first `queries` are one set, those after them the other. */
    Image image;
    ImageSet set;
    KeypointList keypoints;
    WeightsList weights;
    int32_t queries;
    uint64_t seed; /* of what an algorithm draws at random */
    uint64_t hash; /* FNV-1a 64 of the pixels, row by row, no padding, and of labels, keypoints,
                      weights */
} Workload;

/* Picture `index` of a set: set.height rows of set.width bytes. */
static inline const uint8_t *workload_picture(const Workload *workload, int32_t index) {
    return image_row(&workload->image, index * workload->set.height);
}

#ifdef __cplusplus
}
#endif

#endif
