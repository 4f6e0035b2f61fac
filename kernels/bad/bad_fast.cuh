/* What the parts of cuda_fast share. */
#ifndef KERNELS_BAD_BAD_FAST_CUH
#define KERNELS_BAD_BAD_FAST_CUH

#include "bad_device.cuh"

enum { BAD_FAST_BAND = 8 }; /* rows of the image */

static inline int bad_fast_bands(int height) {
    return (height + BAD_FAST_BAND - 1) / BAD_FAST_BAND;
}

/* In device memory; a row of `stride` elements for each band. */
typedef struct BadFastBands {
    uint16_t *sums;  /* of the band's pixels in each column */
    uint32_t *above; /* of the pixels above the band in each column */
} BadFastBands;

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

/* A keypoint made ready: three vectors of 16 bytes. */
typedef struct __align__(16) BadFastPlace {
    PatchMap map;
    int near_border;
    int inside; /* none of its boxes leaves the image, and sums are compared */
    int keypoint;
    int left, top, right, bottom; /* its window: what entries its boxes read, ends included */
}
BadFastPlace;

/*
 * Keypoints by the sides of their windows: those of the first two classes are described from tiles
 * of an integral image in shared memory, the others from the integral image of the whole image.
 * For neighbours to be found, the image is cut into cells, along each side as many as the class
 * says: smaller ones for smaller windows.
 */
enum { BAD_FAST_SMALL, BAD_FAST_MIDDLE, BAD_FAST_LARGE, BAD_FAST_CLASSES };

enum {
    BAD_FAST_SMALL_CELLS = 48,
    BAD_FAST_MIDDLE_CELLS = 24,
    BAD_FAST_LARGE_CELLS = 32,
    BAD_FAST_KEYS = 4096 /* no less than the cells of all classes; times KEYPOINTS_MAX below 2^32 */
};

/* Entries along a side of a window of the class, at most; the last class has no limit. */
typedef struct BadFastSides {
    int most[BAD_FAST_LARGE];
} BadFastSides;

/* Ordered places that a block takes at once, all of one cell; or those of the last class. */
typedef struct BadFastUnit {
    uint32_t first, count;
} BadFastUnit;

enum { BAD_FAST_UNIT = 32 };

/* In device memory. */
typedef struct BadFastWork {
    BadFastBox *boxes;     /* 2·bits, those that are near each other together */
    uint32_t *cells;       /* BAD_FAST_KEYS: keypoints of each cell of each class */
    uint32_t *ranks;       /* of each keypoint: its cell, and how many of it came before */
    BadFastPlace *places;  /* of each keypoint */
    BadFastPlace *ordered; /* the same, class by class and cell by cell */
    BadFastUnit *units[BAD_FAST_LARGE];
    uint32_t *unit_counts; /* BAD_FAST_LARGE */
    BadFastUnit *large;    /* the places of the last class */
    BadFastSides sides;
} BadFastWork;

/* Units of a class, at most. */
int bad_fast_units(const BadDevice *device, int which);

/* What tiles this device has room for. */
Status bad_fast_sides(BadFastSides *sides);

/* The steps, queued on cuda_stream(): ordered places, and column sums if `large`; descriptors of
 * the first two classes; the integral image, with that pitch, and descriptors of the last class.
 * `whole`: no test's box leaves the patch; `large`: there may be keypoints of the last class. */
Status bad_fast_prepare(const BadDevice *device, const BadFastBands *bands, const BadFastWork *work,
                        bool whole, bool large);
Status bad_fast_tiles(const BadDevice *device, const BadFastWork *work);
Status bad_fast_integral(const BadDevice *device, const BadFastBands *bands);
Status bad_fast_tests(const BadDevice *device, const BadFastWork *work);

/* Fills 2·bits boxes in host memory, groups of 32 that are near each other in the patch. */
void bad_fast_group_boxes(const Weights *weights, BadFastBox *boxes);

#endif
