/*
 * Copies between host and device that are queued together. As nodes of a graph copies and fills
 * take longer than as calls; so while a graph is captured one kernel makes all those that are
 * small, which reads and writes the host's memory itself. Only for code that is compiled when CUDA
 * is there.
 */
#ifndef KERNELS_COMMON_COPIES_H
#define KERNELS_COMMON_COPIES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of bytes, which begin anywhere. */
typedef struct Copy {
    void *to;
    size_t to_stride; /* bytes */
    const void *from; /* NULL: `to`, which is device memory, is set to 0 */
    size_t from_stride;
    size_t width; /* bytes; 0: nothing is copied */
    size_t rows;
    /* Not 0: `to` is NULL, and rows go to those of this array of bytes. Only from host memory,
     * while the stream is captured, and no more than GRAPH_MAPPED_BYTES_MAX of graph_pass.h. */
    cudaSurfaceObject_t array;
} Copy;

enum { COPIES_MAX = 8 };

/* Queues up to COPIES_MAX copies of one direction on cuda_stream(), in any order: none writes what
 * another one reads or writes. While the stream is captured the host's memory is page-locked. */
Status copies_queue(const Copy *copies, int count, enum cudaMemcpyKind direction);

/* Whether cuda_stream() is captured. */
Status copies_are_captured(bool *captured);

static inline Copy copy_bytes(void *to, const void *from, size_t bytes) {
    const Copy copy = {to, bytes, from, bytes, bytes, 1, 0};
    return copy;
}

static inline Copy copy_clear(void *to, size_t bytes) {
    return copy_bytes(to, NULL, bytes);
}

#ifdef __cplusplus
}
#endif

#endif
