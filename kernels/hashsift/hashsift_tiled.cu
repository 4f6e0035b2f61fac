/*
 * cuda_tiled: the study's way: a block of 32×4 threads per keypoint, the product by cuBLAS.
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
 */
#include "cuda_device.h"
#include "hashsift_block.cuh"
#include "hashsift_product.h"

VARIANT_FUNCTIONS(hashsift_cuda_tiled);

namespace {

struct HashsiftTiled {
    HashsiftDevice device;
    cublasHandle_t cublas; /* NULL: there is no product */
};

Status sift(HashsiftDevice *device) {
    const HashsiftMemoryTexels texels = {device->image, device->image_stride, device->width,
                                         device->height};
    return hashsift_queue_block_sift(device, texels);
}

Status product(HashsiftDevice *device) {
    return hashsift_product_queue(((const HashsiftTiled *)device)->cublas, device);
}

void close(HashsiftDevice *device) {
    hashsift_product_close(((const HashsiftTiled *)device)->cublas);
}

Status open(const Request *request, HashsiftTiled *tiled) {
    static const HashsiftMethods methods = {NULL, sift, product, close};
    STATUS_TRY(hashsift_device_open(request, &methods, 1,
                                    HASHSIFT_WITH_VALUES | HASHSIFT_WITH_PRODUCT, &tiled->device));
    return tiled->device.weights != NULL ? hashsift_product_open(&tiled->cublas) : status_ok();
}

} // namespace

Status hashsift_cuda_tiled_open(const Request *request, void **state) {
    return cuda_open_state<HashsiftTiled>(
        state, [&](HashsiftTiled *tiled) { return open(request, tiled); }, hashsift_cuda_close);
}
