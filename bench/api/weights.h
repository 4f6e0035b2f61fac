/* Weights: what a descriptor was trained to, as a table of numbers with a row for each bit. */
#ifndef BENCH_API_WEIGHTS_H
#define BENCH_API_WEIGHTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
