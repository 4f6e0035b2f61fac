/*
 * The rectangles of a picture as pairs of spans: the columns that one covers and its rows. Spans of
 * a direction stand in a table, shortest first and from left to right (top to bottom) within a
 * length, so that threads beside each other take rectangles of the same size beside each other.
 * Rectangle d × across + a has the columns columns[a] and the rows rows[d]: no thread has to find
 * out what rectangle its number stands for.
 */
#ifndef KERNELS_HAAR_HAAR_RECTANGLES_H
#define KERNELS_HAAR_HAAR_RECTANGLES_H

#include <cuda_runtime_api.h>

#include "haar_device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HaarRectangles {
    uint32_t across, down;        /* spans of each direction; 0: no rectangle */
    const uchar2 *columns, *rows; /* in device memory: x is a span's beginning, y its length */
    uchar2 *table;                /* what both point into */
} HaarRectangles;

/* Allocates the tables for the pictures and the least side of an opened device. */
Status haar_rectangles_open(const HaarDevice *device, HaarRectangles *rectangles);
/* Fills them; queued on cuda_stream(). Part of every upload. */
Status haar_rectangles_upload(const HaarDevice *device, const HaarRectangles *rectangles);
void haar_rectangles_close(HaarRectangles *rectangles);

#ifdef __cplusplus
}
#endif

#endif
