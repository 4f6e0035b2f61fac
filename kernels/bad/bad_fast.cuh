/* What the parts of cuda_fast share. */
#ifndef KERNELS_BAD_BAD_FAST_CUH
#define KERNELS_BAD_BAD_FAST_CUH

#include "bad_device.cuh"
#include "summed_tiles.cuh"

/*
 * Entries from the start of a row of the integral image to the next: not a multiple of 32, so that
 * entries above each other lie in different banks of the L1 cache, but 12 more, so that those of
 * eight rows and four columns lie in all of them.
 */
enum { BAD_FAST_BANKS = 32, BAD_FAST_SHIFT = 12 };

static inline int bad_fast_pitch(int width) {
    const int spare = (BAD_FAST_SHIFT - (width + 1) % BAD_FAST_BANKS + BAD_FAST_BANKS);
    return width + 1 + spare % BAD_FAST_BANKS;
}

/* A box of a test, by itself. */
typedef struct BadFastBox {
    float x, y, radius;
    int32_t number; /* of its sum: the first boxes of all tests, then the second ones */
} BadFastBox;

/* A keypoint made ready: two vectors of 16 bytes. */
typedef struct __align__(16) BadFastPlace {
    PatchMap map;
    int near_border;
    int inside; /* none of its boxes leaves the image, and sums are compared */
    int keypoint;
}
BadFastPlace;

/* The image is cut into this many cells along each side, for neighbours to be found. */
enum { BAD_FAST_SIDE = 32, BAD_FAST_CELLS = BAD_FAST_SIDE * BAD_FAST_SIDE };

/* In device memory. */
typedef struct BadFastWork {
    BadFastBox *boxes;     /* 2·bits, those that are near each other together */
    uint32_t *cells;       /* BAD_FAST_CELLS: keypoints of each; 0 between runs */
    uint32_t *ranks;       /* of each keypoint: its cell, and how many of it came before */
    BadFastPlace *places;  /* of each keypoint */
    BadFastPlace *ordered; /* the same, cell by cell */
} BadFastWork;

/* The two steps, queued on cuda_stream(): the integral image, with that pitch, and ordered places;
 * descriptors. `whole`: no test's box leaves the patch. */
Status bad_fast_prepare(const BadDevice *device, const BadFastWork *work,
                        const summed_tiles::Sums *sums, bool whole);
Status bad_fast_tests(const BadDevice *device, const BadFastWork *work);

/* Fills 2·bits boxes in host memory, groups of 32 that are near each other in the patch. */
void bad_fast_group_boxes(const Weights *weights, BadFastBox *boxes);

#endif
