/*
 * Passes as one graph launch: upload, kernels and download of another variant are captured once, as
 * a CUDA graph, and launched by one call. Its memory on the host is page-locked: the caller's own
 * where that is, otherwise a stage, into which the input is copied before each graph launch and
 * from which the answer is copied after it. Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_GRAPH_PASS_H
#define KERNELS_COMMON_GRAPH_PASS_H

#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an algorithm does in its own way; functions of the variant whose passes are captured can
 * stand here as they are. `state` is that of `open`, and begins with a CudaState. */
typedef struct GraphMethod {
    /* The request's image, keypoints and answer lie in page-locked memory. Rows of an image in the
     * stage start at multiples of GRAPH_ROW_ALIGNMENT bytes, the caller's anywhere. */
    Status (*open)(const Request *request, void **state);
    Status (*upload)(void *state);
    Status (*run)(void *state);
    /* As download, without waiting; with a queue_pass and a finish it may wait. */
    Status (*queue_download)(void *state);

    /* Queues on cuda_stream() what is captured, without waiting or allocating. NULL: upload, run
     * and queue_download. */
    Status (*queue_pass)(void *state);
    /* Before each graph launch, on the host: what run and upload change in the state as they are
     * called, which a graph launch does not. NULL: nothing. */
    void (*prepare)(void *state);
    /* After each graph launch: returns when the answer is in the request's output. NULL: waits for
     * cuda_stream(). */
    Status (*finish)(void *state);
    /* A number that changes with the memory that was captured, so that the next graph launch is
     * captured anew. NULL: that stays the same. */
    unsigned int (*memory_version)(const void *state);
} GraphMethod;

enum {
    GRAPH_ROW_ALIGNMENT = 16,
    /* Of an image or a copy, up to which a captured kernel reads or writes the host's memory
     * itself: more the copy engines copy faster (measured in lbp_graph.cu, between 720p and 1080p).
     */
    GRAPH_MAPPED_BYTES_MAX = 1500000
};

/* Opens a state for the functions below, which serve every cuda_graph; *state is set only on
 * STATUS_OK. upload, run and download are those of the method, one after the other; stream is the
 * graph. */
Status graph_pass_open_with(const Request *request, const GraphMethod *method, void **state);
VARIANT_FUNCTIONS(graph_pass);

#ifdef __cplusplus
}
#endif

#endif
