/*
 * cuda_multi: the keypoints divided, the image on each device, by cuda_fast's kernels. Descriptors
 * come down to their places in the answer. The floor is that of cuda_fast divided by the devices.
 */
#include "hashsift_device.h"
#include "multi_shares.h"

VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_FUNCTIONS(hashsift_cuda_multi);

static Status open_share(MultiShare *share) {
    return multi_share_keypoints(share) ? hashsift_cuda_fast_open(&share->request, &share->state)
                                        : status_ok();
}

static const MultiMethod method = {sizeof(MultiShares),
                                   open_share,
                                   hashsift_cuda_upload,
                                   hashsift_cuda_fast_run,
                                   hashsift_cuda_download,
                                   hashsift_cuda_close,
                                   NULL,
                                   NULL};

Status hashsift_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, state);
}
