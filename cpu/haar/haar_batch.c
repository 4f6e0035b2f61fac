#include "haar_batch.h"

const HaarKernel *const haar_kernels[] = {
    &haar_kernel_avx512,
    &haar_kernel_avx2,
    &haar_kernel_plain,
    NULL,
};

const HaarKernel *haar_kernel_best(void) {
    const HaarKernel *const *kernel = haar_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}

/* Integral images and two lines of numbers. Pixels are interleaved where the lines will be: a row
 * of them is shorter. */
size_t haar_scratch_bytes(const HaarKernel *kernel, const ImageSet *set) {
    const size_t across = (size_t)set->width + 1;
    const size_t down = (size_t)set->height + 1;
    const size_t line = across > down ? across : down;
    return (across * down + 2 * line) * (size_t)kernel->lanes * sizeof(int32_t);
}

int32_t haar_batch_count(const HaarKernel *kernel, const ImageSet *set) {
    return (set->count - 1) / kernel->lanes + 1;
}

HaarBatch haar_batch_at(const HaarKernel *kernel, const HaarBatch *all, int32_t index) {
    HaarBatch batch = *all;
    batch.first = index * kernel->lanes;
    const int32_t left = all->workload->set.count - batch.first;
    batch.count = left < kernel->lanes ? left : kernel->lanes;
    return batch;
}
