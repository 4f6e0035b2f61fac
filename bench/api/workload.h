/*
 * Workload: one input at one size, shared by all variants of an algorithm, which only read it.
 *
 * The kind determines which members are filled. A new kind of input needs a member here, a value of
 * WorkloadKind and a loader; algorithms that do not use it stay as they are.
 */
#ifndef BENCH_API_WORKLOAD_H
#define BENCH_API_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "crossing.h"
#include "output.h"
#include "sizes.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Images ----------------------------------------------------------------------------------- */

/* A grey image in host memory, of 8 bits unless Workload.element says otherwise. Pixel (x, y) is
 * pixels[y * stride + x]; a pixel of several bytes is at image_row(image, y) + x * its bytes. */
typedef struct Image {
    int32_t width, height; /* pixels, both ≥ 1 */
    size_t stride;         /* bytes from one row to the next, at least those of a row */
    uint8_t *pixels;       /* owned by the creator of the image */
} Image;

FIXED_SIZE(Image, 24);

static inline const uint8_t *image_row(const Image *image, int32_t y) {
    return image->pixels + (size_t)y * image->stride;
}

static inline size_t image_pixel_count(const Image *image) {
    return (size_t)image->width * (size_t)image->height;
}

/* --- Keypoints -------------------------------------------------------------------------------- */

/* A point of an image with size and direction, for which descriptors are computed. */
typedef struct Keypoint {
    float x, y;  /* pixels; (0, 0) is the centre of the first pixel. Finite; may lie outside */
    float size;  /* pixels: diameter of the detected structure. Finite, at least 0 */
    float angle; /* degrees; negative: none */
} Keypoint;

FIXED_SIZE(Keypoint, 16);

typedef struct KeypointList {
    Keypoint *keypoints; /* the strongest first; owned by the creator of the list */
    int32_t count;
    /* Side of the patch that is described = scale × Keypoint.size. Depends on the detector: 1 for
     * FAST, 6.75 for SIFT. */
    float scale;
    int32_t wanted; /* keypoints to describe by default */
} KeypointList;

FIXED_SIZE(KeypointList, 24);

enum { KEYPOINTS_MAX = 1000000 };  /* in a list */
enum { DESCRIPTORS_MAX = 100000 }; /* of a point, in each of two sets */

/* --- Weights ---------------------------------------------------------------------------------- */

/* The trained parameters of a descriptor: a table with a row for each bit. */

enum {
    WEIGHTS_KIND_SIZE = 16,
    WEIGHTS_NAME_SIZE = 64,
    WEIGHTS_MAX = 16,
    WEIGHTS_KINDS_MAX = 8, /* each with 256 and with 512 bits */
    WEIGHTS_COLUMNS_MAX = 4096
};

struct Draw; /* random.h */

/* A kind of weights, which an algorithm on keypoints names: its Algorithm.weights. */
typedef struct WeightsKind {
    uint32_t struct_bytes;
    int32_t columns;  /* numbers of a row */
    const char *name; /* as files of weights have it: small letters, digits and underscores */

    /* Forms without a head, in which others publish weights: rows of little-endian float32, and
     * lines of numbers. Each is for one kind alone. */
    bool raw, lines;

    /* Of a row of finite numbers: STATUS_FILE with what is wrong, to stand behind "FILE: line N: ".
     * NULL: nothing can be. */
    Status (*check)(const float *row);
    /* Draws a row of untrained weights. NULL: numbers from -1 to 1. */
    void (*draw)(struct Draw *draw, float *row);

    /* In the hash of every input of keypoints, as version 1.0.0 had it, whose runs are compared
     * with new ones. Other kinds are in that of their own algorithm's cells. */
    bool in_every_hash;
} WeightsKind;

typedef struct Weights {
    char kind[WEIGHTS_KIND_SIZE]; /* WeightsKind.name */
    char name[WEIGHTS_NAME_SIZE]; /* file name without folders, or "random" */
    int32_t bits;                 /* rows: 256 or 512 */
    int32_t columns;
    float *values; /* bits × columns, row by row, all finite; owned by the creator */
    uint64_t hash; /* FNV-1a 64 of the values */
} Weights;

FIXED_SIZE(Weights, 104);

typedef struct WeightsList {
    int32_t count;
    Weights list[WEIGHTS_MAX]; /* at most one of each kind and number of bits */
} WeightsList;

FIXED_SIZE(WeightsList, 1672);

/* NULL when the list has none of this kind and number of bits. */
static inline const Weights *weights_find(const WeightsList *weights, const char *kind,
                                          int32_t bits) {
    for (int32_t i = 0; i < weights->count; i++) {
        if (weights->list[i].bits == bits && strcmp(weights->list[i].kind, kind) == 0) {
            return &weights->list[i];
        }
    }
    return NULL;
}

/* --- Workload --------------------------------------------------------------------------------- */

typedef enum WorkloadKind {
    WORKLOAD_IMAGE = 0,      /* one image */
    WORKLOAD_IMAGE_SET = 1,  /* images of one size, with or without labels */
    WORKLOAD_KEYPOINTS = 2,  /* one image, keypoints in it and weights of descriptors */
    WORKLOAD_DESCRIPTORS = 3 /* two sets of descriptors: rows of bytes */
} WorkloadKind;

/* An image set without its pixels, which are in Workload.image. */
typedef struct ImageSet {
    int32_t count;         /* images, at least 1; 0: the workload is not a set */
    int32_t width, height; /* of each image, pixels */
    uint8_t *labels;       /* `count` labels, owned like the pixels; NULL: unknown */
} ImageSet;

FIXED_SIZE(ImageSet, 24);

typedef struct Workload {
    uint32_t struct_bytes;
    WorkloadKind kind;
    char input[WORKLOAD_NAME_SIZE];          /* "meadow.jpg", "texture", "digits" */
    char size_name[WORKLOAD_SIZE_NAME_SIZE]; /* "1080p", "640x480", "native", "60000" */

    /* The image. For a set, all images below each other without padding: set.width wide,
     * set.height × set.count high; image i starts at row i × set.height. For descriptors, one row
     * each: the first `queries` rows are one set, the rest the other. */
    Image image;
    ImageSet set;
    KeypointList keypoints;
    WeightsList weights;
    int32_t queries;
    uint64_t seed; /* for random numbers of the algorithm */
    uint64_t hash; /* FNV-1a 64 of the pixels, row by row, no padding, and of labels, keypoints,
                      weights */

    /* The type of the pixels of `image` and `second`, as Algorithm.element asks for it; rows of
     * another type than OUTPUT_IMAGE_U8 are dense. */
    OutputKind element;
    Image second; /* where Algorithm.pair is set: the other image, of the same sides */
} Workload;

/* Image `index` of a set: set.height rows of set.width bytes. */
static inline const uint8_t *workload_image(const Workload *workload, int32_t index) {
    return image_row(&workload->image, index * workload->set.height);
}

#ifdef __cplusplus
}
#endif

#endif
