/*
 * Workload: one input at one size, as every variant of an algorithm sees it. Variants only read it.
 *
 * The kind says which members are filled. A new kind of input is a member here, a word
 * in WorkloadKind and a loader; algorithms that do not use it are not touched.
 */
#ifndef BENCH_API_WORKLOAD_H
#define BENCH_API_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Images ----------------------------------------------------------------------------------- */

/* An 8-bit grey image in host memory. Pixel (x, y) is pixels[y * stride + x]. */
typedef struct Image {
    int32_t width, height; /* pixels, both ≥ 1 */
    size_t stride;         /* bytes from one row to the next, ≥ width */
    uint8_t *pixels;       /* owned by whoever created the image */
} Image;

static inline const uint8_t *image_row(const Image *image, int32_t y) {
    return image->pixels + (size_t)y * image->stride;
}

static inline size_t image_pixel_count(const Image *image) {
    return (size_t)image->width * (size_t)image->height;
}

/* --- Keypoints -------------------------------------------------------------------------------- */

/* A place in an image with a size and a direction, to be described. */
typedef struct Keypoint {
    float x, y;  /* pixels; (0, 0) is the centre of the first pixel. Finite, perhaps outside */
    float size;  /* pixels: the diameter of what was found there. Finite, at least 0 */
    float angle; /* degrees; negative: none */
} Keypoint;

typedef struct KeypointList {
    Keypoint *keypoints; /* the strongest first; owned by whoever made the list */
    int32_t count;
    /* What a keypoint's size is multiplied by to get the side of the patch that describes it, for
     * keypoints of this detector: 1 for FAST's, 6.75 for SIFT's. */
    float scale;
    int32_t wanted; /* keypoints to describe where nobody says how many */
} KeypointList;

enum { KEYPOINTS_MAX = 1000000 };  /* in a list */
enum { DESCRIPTORS_MAX = 100000 }; /* of a point, in each of two sets */

/* --- Weights ---------------------------------------------------------------------------------- */

/* What a descriptor was trained to: a table of numbers with a row for each bit. */

enum { WEIGHTS_KIND_SIZE = 16, WEIGHTS_NAME_SIZE = 64, WEIGHTS_MAX = 8 };

/* Kinds and their columns. */
#define WEIGHTS_HASHSIFT "hashsift" /* 129: bias, then a factor for each of the 128 values */
#define WEIGHTS_BAD "bad"           /* 6: x1, y1, x2, y2, radius (whole numbers), threshold */
enum { WEIGHTS_HASHSIFT_COLUMNS = 129, WEIGHTS_BAD_COLUMNS = 6, WEIGHTS_BAD_SIDE = 32 };

typedef struct Weights {
    char kind[WEIGHTS_KIND_SIZE]; /* the algorithm they are for */
    char name[WEIGHTS_NAME_SIZE]; /* file without folders, or "random" */
    int32_t bits;                 /* rows: 256 or 512 */
    int32_t columns;
    float *values; /* bits × columns, row by row, all finite; owned by whoever made them */
    uint64_t hash; /* FNV-1a 64 of the values */
} Weights;

typedef struct WeightsList {
    int32_t count;
    Weights list[WEIGHTS_MAX]; /* at most one of each kind and number of bits */
} WeightsList;

/* NULL when there are none of this kind and number of bits. */
const Weights *weights_find(const WeightsList *weights, const char *kind, int32_t bits);

/* --- Workload --------------------------------------------------------------------------------- */

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
