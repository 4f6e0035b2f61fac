/*
 * cuda_graph: cuda_fast's upload, kernel and download as one graph launch (graph_pass.h), for
 * images so small that calls take longer than the work. What improves is end_to_end. Three kernels:
 * one brings the image from the host's memory and clears what is round it (copies.h), and one takes
 * the answer back.
 *
 * End to end on an H100 with page-locked memory, 8 points, six launches, us:
 *
 *   360p   480p   720p  1080p
 *   36.0   38.5   47.3   69.8  the calls of cuda_fast
 *   36.7   34.5   53.8   70.1  these as a graph, copies among its nodes; another H100
 *   17.2   21.2   33.5   58.5  three kernels (predicted for 360p: 20 to 23)
 *
 * Of the 17 us 7 are the graph launch and 4 the kernel that counts.
 */
#include "graph_pass.h"
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_fast);
VARIANT_FUNCTIONS(lbp_riu_cuda_graph);

Status lbp_riu_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = lbp_riu_cuda_fast_open,
                                       .upload = cuda_state_upload,
                                       .run = lbp_riu_cuda_fast_run,
                                       .queue_download = cuda_state_queue_download,
                                       .queue_pass = NULL,
                                       .prepare = coded_graph_prepare,
                                       .finish = NULL,
                                       .memory_version = NULL};
    return graph_pass_open_with(request, &method, state);
}
