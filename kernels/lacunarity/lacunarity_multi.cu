/*
 * cuda_multi: of every box a band of its positions on each device, by cuda_fast's kernels.
 *
 * The rows that a band's boxes reach into go up with it, so that nothing is exchanged: the host
 * adds the sums when they have come down. Bands are of whole steps of LACUNARITY_STEP rows, which
 * is where counts of columns begin. The floor is that of cuda_fast divided by the devices, and the
 * columns of the rows that overlap.
 */
#include "lacunarity_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(lacunarity_cuda_fast);
VARIANT_FUNCTIONS(lacunarity_cuda_multi);

namespace {

Status open_share(MultiShare *share) {
    return lacunarity_fast_open_share(&share->request, share->index, share->count, &share->state);
}

const MultiMethod method = {sizeof(MultiShares),
                            open_share,
                            cuda_state_upload,
                            lacunarity_cuda_fast_run,
                            cuda_state_download,
                            NULL,
                            NULL};

/* Adds the sums of a share to those of the first. */
void add_sums(const LacunarityDevice *first, const LacunarityDevice *other) {
    const size_t rows = first->plan.threshold_count * first->plan.box_count;
    for (size_t i = 0; i < rows; i++) {
        first->fetched[i].sum_s += other->fetched[i].sum_s;
        first->fetched[i].low += other->fetched[i].low;
        first->fetched[i].high += other->fetched[i].high;
    }
}

} // namespace

Status lacunarity_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

Status lacunarity_cuda_multi_download(void *state) {
    const MultiShares *shares = (const MultiShares *)state;
    const LacunarityDevice *first = (const LacunarityDevice *)shares->shares[0].state;
    STATUS_TRY(multi_shares_download(state));
    for (int i = 1; i < shares->count; i++) {
        if (shares->shares[i].state != NULL) {
            add_sums(first, (const LacunarityDevice *)shares->shares[i].state);
        }
    }
    lacunarity_device_answer(first);
    return status_ok();
}
