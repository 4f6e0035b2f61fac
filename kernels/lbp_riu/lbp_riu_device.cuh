/*
 * Device side of an lbp_riu cell: the image with a margin of zeros, the bins and the histogram in
 * device memory.
 */
#ifndef KERNELS_LBP_RIU_LBP_RIU_DEVICE_CUH
#define KERNELS_LBP_RIU_LBP_RIU_DEVICE_CUH

#include <cstddef>
#include <cuda_runtime_api.h>
#include <utility>

#include "lbp_riu.h"
#include "variant.h"

/* === The device side ========================================================================== */

/* Device histograms are atomically added to, which CUDA offers for this type. */
typedef unsigned long long LbpRiuCount;

/* Histograms in LbpRiuDevice.histograms: `fast` fills one while it clears the other for the next
 * run. */
enum { LBP_RIU_HISTOGRAM_SETS = 2 };

/* What a variant wants of the image's place in memory. */
typedef struct LbpRiuPlace {
    size_t row_alignment; /* bytes: every row of the image starts at a multiple of it */
    int margin;           /* pixels of 0 on all four sides; 0: none */
} LbpRiuPlace;

typedef struct LbpRiuDevice {
    const Request *request;
    LbpRiuPattern pattern;
    int width, height;       /* pixels, without the margin */
    int rows;                /* that image and bins have memory for, without the margin */
    int margin;              /* at least as wanted on every side */
    size_t image_stride;     /* bytes; what lies between rows is 0 */
    size_t bins_stride;      /* bytes */
    uint8_t *memory;         /* image and margin */
    uint8_t *image;          /* pixel (0, 0), within memory */
    uint8_t *bins;           /* NULL when they are not part of the answer */
    LbpRiuCount *histograms; /* LBP_RIU_HISTOGRAM_SETS × LBP_RIU_BINS_MAX, all 0 after upload */
    int answer_set;          /* the histogram that the last run filled */
} LbpRiuDevice;

/* Allocates the buffers, for all rows of the image or for `rows`. On anything but STATUS_OK nothing
 * is left behind. */
Status lbp_riu_device_open(const Request *request, LbpRiuPlace place, LbpRiuDevice *device);
Status lbp_riu_device_open_rows(const Request *request, LbpRiuPlace place, int rows,
                                LbpRiuDevice *device);
void lbp_riu_device_close(LbpRiuDevice *device);

/* Everything round the image that upload sets besides the image: margin and histograms to 0.
 * Queued on cuda_stream(). */
Status lbp_riu_device_clear(LbpRiuDevice *device);
/* Image to the device, the rest to 0. Queued on cuda_stream(). */
Status lbp_riu_device_upload(LbpRiuDevice *device);
/* Bins and the answer's histogram to request->output; returns when they are there. */
Status lbp_riu_device_download(const LbpRiuDevice *device);
/* The same without waiting, queued on cuda_stream(). */
Status lbp_riu_device_queue_download(const LbpRiuDevice *device);
/* The histogram alone. */
Status lbp_riu_device_queue_histogram(const LbpRiuDevice *device);

static inline LbpRiuCount *lbp_riu_device_histogram(const LbpRiuDevice *device, int set) {
    return device->histograms + (size_t)set * LBP_RIU_BINS_MAX;
}

/* Opens a state that is an LbpRiuDevice and nothing more. */
Status lbp_riu_device_open_state(const Request *request, LbpRiuPlace place, void **state);

/* Upload, download and close of every variant whose state begins with an LbpRiuDevice. */
VARIANT_FUNCTIONS(lbp_riu_cuda);

/* === cuda_fast ================================================================================ */

/* The fast lbp_riu kernels on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */

/* Where the kernels need the image of this request to lie. */
LbpRiuPlace lbp_riu_fast_place(const LbpRiuPattern *pattern);

/*
 * Queues the bins of rows [row_begin, row_end) and adds their counts to `add`. The rows within
 * device->pattern.reach of them must be on the device where the image has them. `clear`, when not
 * NULL, is set to 0 by the same kernel: it must not be `add`.
 */
Status lbp_riu_fast_launch(const LbpRiuDevice *device, int row_begin, int row_end, LbpRiuCount *add,
                           LbpRiuCount *clear, cudaStream_t stream);

/* The kernel that takes any pattern; lbp_riu_fast_launch uses it where it has none of its own. */
Status lbp_riu_generic_launch(const LbpRiuDevice *device, int row_begin, int row_end,
                              LbpRiuCount *add, LbpRiuCount *clear, cudaStream_t stream);

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
    return LbpRiuBins{device->bins, device->bins_stride};
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
