/* Picture set: the pictures that a training or a recognition is about, as a workload. */
#ifndef BENCH_PICTURE_SET_H
#define BENCH_PICTURE_SET_H

#include "status.h"
#include "workload.h"

typedef struct PictureSetRequest {
    const char *path;      /* IDX file or folder; NULL: synthetic */
    const char *synthetic; /* kind */
    const char *labels;    /* IDX file; NULL: those that belong to the set, when there are any */
    int32_t images;        /* from the beginning; 0: all, or PICTURE_SET_SYNTHETIC synthetic ones */
    uint64_t seed;         /* of synthetic pictures, and of what is drawn at random */
} PictureSetRequest;

enum { PICTURE_SET_SYNTHETIC = 1000, PICTURE_SET_SIDE = 28 };

/* Errors as datasets/image_sets.h has them. Release with picture_set_release. */
Status picture_set_load(const PictureSetRequest *request, Workload *workload);
void picture_set_release(Workload *workload);

#endif
