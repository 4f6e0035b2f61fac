/*
 * cuda_graph: cuda_fast's upload, kernel and download as one launch (graph_pass.h), for images so
 * small that calls take longer than the work. What improves is end_to_end. Three kernels: one
 * brings the image from the host's memory and clears what is round it (copies.h), and one takes the
 * answer back.
 */
#include "graph_pass.h"
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_fast);
VARIANT_FUNCTIONS(lbp_riu_cuda_graph);

namespace {

Status queue_download(void *state) {
    return lbp_riu_device_queue_download((const LbpRiuDevice *)state);
}

/* cuda_fast's runs take turns with two histograms: the next one must find its own cleared, as it is
 * after a launch of the graph, which fills the one that was next when it was captured. */
void prepare(void *state) {
    ((LbpRiuDevice *)state)->answer_set = 1;
}

} // namespace

Status lbp_riu_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = lbp_riu_cuda_fast_open,
                                       .upload = lbp_riu_cuda_upload,
                                       .run = lbp_riu_cuda_fast_run,
                                       .queue_download = queue_download,
                                       .close = lbp_riu_cuda_close,
                                       .queue_pass = NULL,
                                       .prepare = prepare,
                                       .finish = NULL,
                                       .memory_version = NULL};
    return graph_pass_open_with(request, &method, state);
}
