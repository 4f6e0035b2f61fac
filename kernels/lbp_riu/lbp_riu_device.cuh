/*
 * Device side of an lbp_riu cell: the image with a margin of zeros, the bins and the histogram in
 * device memory.
 */
#ifndef KERNELS_LBP_RIU_LBP_RIU_DEVICE_CUH
#define KERNELS_LBP_RIU_LBP_RIU_DEVICE_CUH

#include <cstddef>
#include <utility>

#include "coded_device.cuh"
#include "lbp_riu.h"

/* === The device side ========================================================================== */

typedef CodedCount LbpRiuCount;

/* What a variant wants of the image's place in memory. */
typedef struct LbpRiuPlace {
    size_t row_alignment; /* bytes: every row of the image starts at a multiple of it */
    int margin;           /* pixels of 0 on all four sides; 0: none */
} LbpRiuPlace;

/* Its codes are the bins. */
struct LbpRiuDevice : CodedDevice {
    LbpRiuPattern pattern;
};

/* The whole image. */
CodedPlan lbp_riu_plan(const Request *request, const LbpRiuPattern *pattern, LbpRiuPlace place);
Status lbp_riu_device_open(LbpRiuPlace place, LbpRiuDevice *device);

/* Opens a state that is an LbpRiuDevice and nothing more. */
Status lbp_riu_device_open_state(const Request *request, LbpRiuPlace place, void **state);

/* === cuda_fast ================================================================================ */

/* The fast lbp_riu kernels on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */

/* Where the kernels need the image of this request to lie. */
LbpRiuPlace lbp_riu_fast_place(const LbpRiuPattern *pattern);

/* Queued on cuda_stream(). */
Status lbp_riu_fast_launch(const LbpRiuDevice *device, const CodedBand *band);

/* The kernel that takes any pattern; lbp_riu_fast_launch uses it where it has none of its own. */
Status lbp_riu_generic_launch(const LbpRiuDevice *device, const CodedBand *band);

/* === Bins ===================================================================================== */

/* What the kernels of lbp_riu do with the bits of a pixel. */

/* The bin of a code: bit p is point p's, bits from `points` on are 0. */
static __device__ inline unsigned int lbp_riu_bin(uint32_t code, int points) {
    const uint32_t mask = 0xFFFFFFFFU >> (LBP_RIU_POINTS_MAX - points);
    const uint32_t turned = (code >> 1 | code << (points - 1)) & mask;
    return (unsigned int)(__popc(code ^ turned) <= 2 ? __popc(code) : points + 1);
}

/* The bin image, where it is part of the answer. */
struct LbpRiuBins {
    uint8_t *bins; /* NULL: bins are not stored */
    size_t stride; /* bytes */
};

static inline LbpRiuBins lbp_riu_bins_of(const LbpRiuDevice *device) {
    return LbpRiuBins{device->codes, device->codes_stride};
}

/* Stores the bin of pixel (x, y) and counts it: in the block's histogram, or in the image's. */
template <typename Count>
static __device__ inline void lbp_riu_answer(const LbpRiuBins &target, int x, int y,
                                             unsigned int bin, Count *counts) {
    if (target.bins != NULL) {
        target.bins[(size_t)y * target.stride + x] = (uint8_t)bin;
    }
    atomicAdd(&counts[bin], (Count)1);
}

/* === Kernels ================================================================================== */

/* Kernels with the number of points as a template parameter: the one for a pattern. */

/* `Family` has a type Kernel and, for every number of points P, a function kernel<P>() that returns
 * the kernel for it. */
template <typename Family, std::size_t... INDEX>
static typename Family::Kernel lbp_riu_kernel_at(int points, std::index_sequence<INDEX...>) {
    static const typename Family::Kernel kernels[] = {Family::template kernel<(int)INDEX + 1>()...};
    return kernels[points - 1];
}

/* The kernel of a family for 1 to LBP_RIU_POINTS_MAX points. */
template <typename Family> static typename Family::Kernel lbp_riu_kernel(int points) {
    return lbp_riu_kernel_at<Family>(points, std::make_index_sequence<LBP_RIU_POINTS_MAX>());
}

#endif
