/*
 * cuda_tiled: the study's way: a block of 32×4 threads per keypoint, the product by cuBLAS.
 * cuda_tiled_32x32, cuda_tiled_32x1: the two that the study weighs against it, with a thread for
 * each pixel of the patch and with one warp.
 *
 * Against cuda_naive a keypoint has 128 threads in place of one, its patch and its votes are in
 * shared memory, and neighbouring lanes sample neighbouring pixels, so that there is work enough
 * for every multiprocessor and a vote costs a few dozen clocks rather than a way to the L2 cache.
 * The product reads each value and factor from shared memory for many responses at once.
 *
 * What bounds it: 7,200 atomic additions of floats for each keypoint. Shared memory has no such
 * instruction, only compare-and-swap: each addition is a loop of a read, an addition and a swap,
 * and lanes that want the same bin go through it one after the other. Besides, three of the four
 * warps wait while one takes the norms, and a patch's bytes are written and read one at a time. The
 * responses cross the memory twice on their way to the signs.
 *
 * Of 32×32 threads 31 warps wait at the norms, and at every barrier 32 warps wait for the last; two
 * blocks fill a multiprocessor, so that little else runs meanwhile. One warp never waits for
 * another and has 32 pixels a thread to go through, one after the other. Which of the three is
 * fastest is for the study hashsift-2024 to measure.
 */
#include "hashsift_block.cuh"
#include "hashsift_product.cuh"

VARIANT_FUNCTIONS(hashsift_cuda_tiled);
VARIANT_FUNCTIONS(hashsift_cuda_tiled_32x32);
VARIANT_FUNCTIONS(hashsift_cuda_tiled_32x1);

namespace {

template <int WARPS> Status sift(HashsiftDevice *device) {
    const HashsiftMemoryTexels texels = {device->image, device->image_stride, device->width,
                                         device->height};
    return hashsift_queue_block_sift<WARPS>(device, texels);
}

template <int WARPS> Status open(HashsiftDevice *device) {
    static const HashsiftMethods methods = {sift<WARPS>, hashsift_product_queue};
    STATUS_TRY(
        hashsift_device_open(&methods, 1, HASHSIFT_WITH_VALUES | HASHSIFT_WITH_PRODUCT, device));
    return hashsift_product_open(device);
}

} // namespace

Status hashsift_cuda_tiled_open(const Request *request, void **state) {
    return cuda_open_state<HashsiftDevice>(request, state, open<HASHSIFT_STUDY_WARPS>);
}

Status hashsift_cuda_tiled_32x32_open(const Request *request, void **state) {
    return cuda_open_state<HashsiftDevice>(request, state, open<PATCH_SIDE>);
}

Status hashsift_cuda_tiled_32x1_open(const Request *request, void **state) {
    return cuda_open_state<HashsiftDevice>(request, state, open<1>);
}
