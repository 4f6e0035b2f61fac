/*
 * cuda_graph: cuda_fast's upload and run as one launch (graph_pass.h), for images so small that
 * calls take longer than the work: some twenty copies, fills and kernels are queued by one call.
 * What improves is end_to_end.
 *
 * The download follows as calls of its own: how many keypoints it copies the host learns from the
 * launch. By Harris score, or if more keypoints are wanted than bins can choose, the choice of the
 * strongest follows as well: it begins with the host's wait for the number of corners, which
 * decides how many are sorted.
 */
#include "fast9_device.cuh"
#include "graph_pass.h"

VARIANT_FUNCTIONS(fast9_cuda);
VARIANT_FUNCTIONS(fast9_cuda_fast);
VARIANT_FUNCTIONS(fast9_cuda_graph);

namespace {

Status queue_pass(void *state) {
    STATUS_TRY(fast9_cuda_upload(state));
    STATUS_TRY(fast9_cuda_pyramid(state));
    STATUS_TRY(fast9_cuda_corners(state));
    STATUS_TRY(fast9_cuda_suppress(state));
    return fast9_select_waits((const Fast9Device *)state) ? status_ok() : fast9_cuda_select(state);
}

Status finish(void *state) {
    if (fast9_select_waits((const Fast9Device *)state)) {
        STATUS_TRY(fast9_cuda_select(state));
    }
    return fast9_cuda_download(state);
}

/* A list that was too short lies elsewhere once it has been made longer. */
unsigned int capacity(const void *state) {
    return ((const Fast9Device *)state)->capacity;
}

} // namespace

Status fast9_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = fast9_cuda_fast_open,
                                       .upload = fast9_cuda_upload,
                                       .run = fast9_cuda_run,
                                       .queue_download = fast9_cuda_download,
                                       .close = fast9_cuda_close,
                                       .queue_pass = queue_pass,
                                       .prepare = NULL,
                                       .finish = finish,
                                       .memory_version = capacity};
    return graph_pass_open_with(request, &method, state);
}
