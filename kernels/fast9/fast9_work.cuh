/*
 * What the shared part of fast9 on the device keeps besides Fast9Device, and what its files call of
 * each other. Of the variants' searches, cuda_naive's is the one that others fall back on.
 */
#ifndef KERNELS_FAST9_FAST9_WORK_CUH
#define KERNELS_FAST9_FAST9_WORK_CUH

#include "fast9_device.h"

/* Two counts in a row, as Fast9Device.cursor begins them. */
struct Fast9Counts {
    unsigned int corners;   /* found, also those without room */
    unsigned int survivors; /* of those in the list, after suppression */
};

struct Fast9Work {
    Fast9Counts *counts;      /* device memory; cursor is its first member */
    Fast9Counts *counts_copy; /* in page-locked host memory, as of the last select */
    int64_t *scores;          /* of the corners, as they stand in the list */
    uint32_t *survivors;      /* their places in the list, in any order */
    void *keys[2];            /* what is sorted: as many as the list has room for */
    void *sorting;            /* CUB's temporary memory */
    size_t sorting_bytes;
    Fast9Keypoint *answer; /* room for `rows` */
    unsigned int rows;     /* the most keypoints that the answer takes */
    unsigned int blocks;   /* of a launch whose blocks share out as many items as there are */
};

/* The default of Fast9Search.pyramid and .corners. */
Status fast9_cuda_pyramid_levels(Fast9Device *device);
Status fast9_cuda_naive_corners(Fast9Device *device);

/* Fills work->scores and Fast9Device.places from the list. */
Status fast9_cuda_score(const Fast9Device *device);

/* Allocates what sorting up to `capacity` corners needs, and frees it. */
Status fast9_cuda_select_open(Fast9Device *device);
void fast9_cuda_select_close(Fast9Device *device);

#endif
