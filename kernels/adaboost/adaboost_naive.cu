/*
 * cuda_naive: one thread per candidate goes through its sorted images.
 *
 * The sequential search as it stands, ten thousand candidates at once in place of one: that is all
 * that makes it faster. A thread adds up the shares of its images in order and tries a threshold
 * wherever a new value begins. There are only as many threads as candidates, and each waits for an
 * entry of the order and then for the share that it names; the threads of a warp read entries a row
 * apart, a sector of 32 bytes each, of which the L1 cache keeps what the next seven steps read.
 *
 * The image of the best threshold is looked up behind the search. Kept within, it made the compiler
 * branch: 1430 ms for 10,000 candidates and 60,000 images on an H200, without 999.
 *
 * What bounds it is that chain of waits: images × the time from an entry to its share, however
 * few the candidates are.
 */
#include "adaboost_device.cuh"

VARIANT_FUNCTIONS(adaboost_cuda_naive);

namespace {

constexpr int THREADS = 64; /* few, so that few candidates still reach all multiprocessors */

__global__ void __launch_bounds__(THREADS)
    adaboost_naive(const uint32_t *__restrict__ order, const int64_t *__restrict__ shares,
                   AdaboostPlan plan, const AdaboostSums *__restrict__ sums,
                   AdaboostBest *results) {
    const unsigned int candidate = blockIdx.x * THREADS + threadIdx.x;
    if (candidate >= (unsigned int)plan.candidates || sums->over) {
        return;
    }
    const uint32_t *entries = order + candidate * plan.pitch;
    const int64_t others = (int64_t)sums->others;
    AdaboostBest best = adaboost_none();
    int64_t sum = 0;
    for (unsigned int k = 0; k < (unsigned int)plan.images; k++) {
        const uint32_t entry = entries[k];
        if ((entry & ADABOOST_NEW_VALUE) != 0) {
            adaboost_try(best, candidate, k, sum, others);
        }
        sum += shares[entry & ~ADABOOST_NEW_VALUE];
    }
    adaboost_set_image(best, entries);
    results[candidate] = best;
}

Status search(AdaboostDevice *device) {
    adaboost_naive<<<adaboost_blocks(device->plan.candidates, THREADS), THREADS, 0,
                     cuda_stream()>>>(device->order, device->shares, device->plan, device->sums,
                                      device->best);
    return CUDA_LAUNCHED();
}

} // namespace

Status adaboost_cuda_naive_open(const Request *request, void **state) {
    static const AdaboostSearch naive = {NULL, adaboost_cuda_best_open, adaboost_cuda_arrange_order,
                                         search};
    return adaboost_cuda_open_with(request, &naive, state);
}
