/*
 * Workload: one input at one size, as every variant of an algorithm sees it. Variants only read it.
 *
 * The kind says which members are filled. A new kind of input (keypoints, image sets) is a member
 * here, a word in WorkloadKind and a loader; algorithms that do not use it are not touched.
 */
#ifndef BENCH_API_WORKLOAD_H
#define BENCH_API_WORKLOAD_H

#include <stdint.h>

#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum WorkloadKind { WORKLOAD_IMAGE } WorkloadKind;

enum { WORKLOAD_NAME_SIZE = 128, WORKLOAD_SIZE_NAME_SIZE = 32 };

typedef struct Workload {
    WorkloadKind kind;
    char input[WORKLOAD_NAME_SIZE];          /* "meadow.jpg", "texture" */
    char size_name[WORKLOAD_SIZE_NAME_SIZE]; /* "1080p", "640x480", "native" */
    Image image;                             /* WORKLOAD_IMAGE */
    uint64_t hash;                           /* FNV-1a 64 of the pixels, row by row, no padding */
} Workload;

#ifdef __cplusplus
}
#endif

#endif
