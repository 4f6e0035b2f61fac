/*
 * What the shared part of fast on the device keeps besides FastDevice, and what its files call of
 * each other. Of the variants' searches, cuda_naive's is the one that others fall back on.
 */
#ifndef KERNELS_FAST_FAST_WORK_CUH
#define KERNELS_FAST_FAST_WORK_CUH

#include "fast9_device.h"

/* Two counts in a row, as FastDevice.cursor begins them. */
struct FastCounts {
    unsigned int corners;   /* found, also those without room */
    unsigned int survivors; /* of those in the list, after suppression */
};

struct FastWork {
    FastCounts *counts;      /* device memory; cursor is its first member */
    FastCounts *counts_copy; /* in page-locked host memory, as of the last select */
    int64_t *scores;         /* of the corners, as they stand in the list */
    uint32_t *survivors;     /* their places in the list, in any order */
    void *keys[2];           /* what is sorted: as many as the list has room for */
    void *sorting;           /* CUB's temporary memory */
    size_t sorting_bytes;
    FastKeypoint *answer; /* room for `rows` */
    unsigned int rows;    /* the most keypoints that the answer takes */
    unsigned int blocks;  /* of a launch whose blocks share out as many items as there are */
};

/* The default of FastSearch.pyramid and .corners. */
Status fast_cuda_pyramid_levels(FastDevice *device);
Status fast_cuda_naive_corners(FastDevice *device);

/* Fills work->scores and FastDevice.places from the list. */
Status fast_cuda_score(const FastDevice *device);

/* Allocates what sorting up to `capacity` corners needs, and frees it. */
Status fast_cuda_select_open(FastDevice *device);
void fast_cuda_select_close(FastDevice *device);

#endif
