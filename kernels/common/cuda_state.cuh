/* Opening the state of a variant, the same for all that hold device memory. */
#ifndef KERNELS_COMMON_CUDA_STATE_CUH
#define KERNELS_COMMON_CUDA_STATE_CUH

#include <cstdlib>

#include "status.h"

/*
 * Allocates a State of zero bytes and calls open(State *) on it. When that fails, `close`, which
 * must cope with a state that is opened in part, frees it, and *state stays as it was.
 */
template <typename State, typename Open>
Status cuda_open_state(void **state, const Open &open, void (*close)(void *)) {
    State *opened = (State *)calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    const Status status = open(opened);
    if (!status_is_ok(&status)) {
        close(opened);
        return status;
    }
    *state = opened;
    return status;
}

#endif
