/*
 * cuda_graph: cuda_fast's upload, run and download as one graph launch (graph_pass.h), for images
 * so small that calls take longer than the work. What improves is end_to_end.
 *
 * No node is a copy or a fill: the first kernel brings the image from the host's memory and clears
 * map and tally (copies.h), and the last one writes counts and keypoints to the host's memory, so
 * that nobody has to know their number before.
 *
 * End to end on an H100 with page-locked memory, six launches, us:
 *
 *   360p   480p   720p  1080p
 *  125.2  124.7  162.8  234.6  the calls of cuda_fast
 *  197.5  205.2  256.8  307.7  these up to the download as a graph, copies among its nodes
 *  173.3  169.0  229.5  305.0  13 kernels
 *   94.3  102.9  134.6  204.6  captured again in the pass that made a list longer, not in the next
 *                              (predicted for 360p: 80 to 95)
 *
 * The kernels themselves take 71.2 us at 360p: seven levels of the pyramid, one after the other,
 * 3.5 us each, corners 18, suppression 9 and 3.
 *
 * By Harris score, or if more keypoints are wanted than bins can choose, the choice of the
 * strongest and the download follow as calls: the choice begins with the host's wait for the number
 * of corners, which decides how many are sorted.
 */
#include "fast9_device.cuh"
#include "graph_pass.h"

VARIANT_FUNCTIONS(fast9_cuda);
VARIANT_FUNCTIONS(fast9_cuda_fast);
VARIANT_FUNCTIONS(fast9_cuda_graph);

namespace {

Status queue_pass(void *state) {
    Fast9Device *device = (Fast9Device *)state;
    STATUS_TRY(fast9_cuda_queue_survivors(device));
    return fast9_select_waits(device) ? status_ok() : fast9_cuda_queue_answer(device);
}

Status finish(void *state) {
    Fast9Device *device = (Fast9Device *)state;
    if (fast9_select_waits(device)) {
        STATUS_TRY(fast9_cuda_select(state));
        return fast9_cuda_download(state);
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return fast9_cuda_finish_answer(device);
}

/* A list that was too short lies elsewhere once it has been made longer. */
unsigned int capacity(const void *state) {
    return ((const Fast9Device *)state)->capacity;
}

} // namespace

Status fast9_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = fast9_cuda_fast_open,
                                       .upload = cuda_state_upload,
                                       .run = fast9_cuda_run,
                                       .queue_download = fast9_cuda_download,
                                       .queue_pass = queue_pass,
                                       .prepare = NULL,
                                       .finish = finish,
                                       .memory_version = capacity};
    return graph_pass_open_with(request, &method, state);
}
