/*
 * cuda_graph: cuda_fast's upload, kernels and download as one launch (graph_pass.h), for images so
 * small and keypoints so few that calls take longer than the work. What improves is end_to_end. The
 * weights go up in each launch, as they do in each upload.
 *
 * Five kernels: one brings image, keypoints and weights from the host's memory (copies.h), the next
 * makes an array of the image, and the last one takes the descriptors back.
 */
#include "graph_pass.h"
#include "hashsift_device.h"

VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_FUNCTIONS(hashsift_cuda_graph);

Status hashsift_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = hashsift_cuda_fast_open,
                                       .upload = hashsift_cuda_upload,
                                       .run = hashsift_cuda_fast_run,
                                       .queue_download = hashsift_cuda_queue_download,
                                       .close = hashsift_cuda_close,
                                       .queue_pass = NULL,
                                       .prepare = NULL,
                                       .finish = NULL,
                                       .memory_version = NULL};
    return graph_pass_open_with(request, &method, state);
}
