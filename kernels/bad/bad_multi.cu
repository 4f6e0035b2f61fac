/*
 * cuda_multi: the keypoints divided, the image on each device, by cuda_fast's kernels. Descriptors
 * come down to their places in the answer. The floor is that of cuda_fast's tests divided by the
 * devices: each makes the whole integral image.
 */
#include "bad_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(bad_cuda_fast);
VARIANT_FUNCTIONS(bad_cuda_multi);

static Status open_share(MultiShare *share) {
    return multi_share_keypoints(share) ? bad_cuda_fast_open(&share->request, &share->state)
                                        : status_ok();
}

static const MultiMethod method = {sizeof(MultiShares),
                                   open_share,
                                   bad_cuda_upload,
                                   bad_cuda_run,
                                   bad_cuda_download,
                                   bad_cuda_close,
                                   NULL,
                                   NULL};

Status bad_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, state);
}
