/*
 * cuda_tiled: one block per candidate, tiles of its sorted images scanned in shared memory.
 *
 * Where cuda_naive has one thread walk a candidate's row, here a block reads it a tile at a time,
 * neighbouring threads neighbouring entries, and CUB's block scan turns the tile's shares into
 * running sums. All shares of a tile are under way together, so that the waits that bound
 * cuda_naive overlap, and few candidates still keep the device busy. Each thread keeps the best of
 * the places it saw; the block's reduction takes the best of those, equal ones by the lower key.
 *
 * Its floors: four bytes of order for each image and candidate from memory, and a sector of 32
 * bytes from the L2 cache for each share of 8, since images come in the order of the candidate's
 * values: that is eight times as much, and what bounds it.
 */
#include "adaboost_block_search.cuh"
#include "adaboost_device.cuh"

VARIANT_FUNCTIONS(adaboost_cuda_tiled);

namespace {

__global__ void __launch_bounds__(adaboost_block::THREADS)
    adaboost_tiled(const uint32_t *__restrict__ order, const int64_t *__restrict__ shares,
                   AdaboostPlan plan, const AdaboostSums *__restrict__ sums,
                   AdaboostBest *results) {
    __shared__ adaboost_block::Storage storage;
    if (sums->over) {
        return;
    }
    const AdaboostBest best =
        adaboost_block::search(order, shares, plan, (int64_t)sums->others, blockIdx.x, storage);
    if (threadIdx.x == 0) {
        results[blockIdx.x] = best;
    }
}

Status search(AdaboostDevice *device) {
    adaboost_tiled<<<(unsigned int)device->plan.candidates, adaboost_block::THREADS, 0,
                     cuda_stream()>>>(device->order, device->shares, device->plan, device->sums,
                                      device->best);
    return CUDA_LAUNCHED();
}

} // namespace

Status adaboost_cuda_tiled_open(const Request *request, void **state) {
    static const AdaboostSearch tiled = {NULL, adaboost_cuda_best_open, adaboost_cuda_arrange_order,
                                         search};
    return adaboost_cuda_open_with(request, &tiled, state);
}
