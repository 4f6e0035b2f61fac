/* What the kernels of lbp_riu share once the bits of a pixel are known. */
#ifndef KERNELS_LBP_RIU_LBP_RIU_BIN_CUH
#define KERNELS_LBP_RIU_LBP_RIU_BIN_CUH

#include "lbp_riu_device.h"

/* The bin of a code: bit p is point p's, bits from `points` on are 0. */
static __device__ inline unsigned int lbp_riu_bin(uint32_t code, int points) {
    const uint32_t mask = 0xFFFFFFFFU >> (LBP_RIU_POINTS_MAX - points);
    const uint32_t turned = (code >> 1 | code << (points - 1)) & mask;
    return (unsigned int)(__popc(code ^ turned) <= 2 ? __popc(code) : points + 1);
}

/* The bin image, where it is part of the answer. */
struct LbpRiuBins {
    uint8_t *bins; /* NULL: not wanted */
    size_t stride; /* bytes */
};

static inline LbpRiuBins lbp_riu_bins_of(const LbpRiuDevice *device) {
    return LbpRiuBins{device->bins, device->bins_stride};
}

/* Stores the bin of pixel (x, y) and counts it in the block's histogram. */
static __device__ inline void lbp_riu_answer(const LbpRiuBins &target, int x, int y,
                                             unsigned int bin, unsigned int *counts) {
    if (target.bins != NULL) {
        target.bins[(size_t)y * target.stride + x] = (uint8_t)bin;
    }
    atomicAdd(&counts[bin], 1U);
}

#endif
