/*
 * cuda_multi: the keypoints divided, the image on each device, by cuda_fast's kernels. Descriptors
 * come down to their places in the answer. The floor is that of cuda_fast's tests divided by the
 * devices: each smooths the whole image.
 */
#include "multi_shares.h"
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_fast);
VARIANT_FUNCTIONS(orb_cuda_multi);

static Status open_share(MultiShare *share) {
    return multi_share_keypoints(share) ? orb_cuda_fast_open(&share->request, &share->state)
                                        : status_ok();
}

static const MultiMethod method = {sizeof(MultiShares),
                                   open_share,
                                   orb_cuda_upload,
                                   orb_cuda_run,
                                   orb_cuda_download,
                                   orb_cuda_close,
                                   NULL,
                                   NULL};

Status orb_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, state);
}
