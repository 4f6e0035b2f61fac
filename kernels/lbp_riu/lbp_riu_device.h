/*
 * Device side of an lbp_riu cell: the image with a margin of zeros, the bins and the histogram in
 * device memory.
 */
#ifndef KERNELS_LBP_RIU_LBP_RIU_DEVICE_H
#define KERNELS_LBP_RIU_LBP_RIU_DEVICE_H

#include <cuda_runtime_api.h>

#include "lbp_riu.h"
#include "variant.h"

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
    int margin;              /* at least as wanted on every side */
    size_t image_stride;     /* bytes; what lies between rows is 0 */
    size_t bins_stride;      /* bytes */
    uint8_t *memory;         /* image and margin */
    uint8_t *image;          /* pixel (0, 0), within memory */
    uint8_t *bins;           /* NULL when they are not part of the answer */
    LbpRiuCount *histograms; /* LBP_RIU_HISTOGRAM_SETS × LBP_RIU_BINS_MAX, all 0 after upload */
    int answer_set;          /* the histogram that the last run filled */
} LbpRiuDevice;

/* Allocates the buffers. On anything but STATUS_OK nothing is left behind. */
Status lbp_riu_device_open(const Request *request, LbpRiuPlace place, LbpRiuDevice *device);
void lbp_riu_device_close(LbpRiuDevice *device);

/* Everything round the image that upload sets besides the image: margin and histograms to 0.
 * Queued on cuda_stream(). */
Status lbp_riu_device_clear(LbpRiuDevice *device);
/* Image to the device, the rest to 0. Queued on cuda_stream(). */
Status lbp_riu_device_upload(LbpRiuDevice *device);
/* Bins and the answer's histogram to request->output; returns when they are there. */
Status lbp_riu_device_download(const LbpRiuDevice *device);
/* The histogram alone, queued on `stream`; complete once the stream is. */
Status lbp_riu_device_download_histogram(const LbpRiuDevice *device, cudaStream_t stream);

static inline LbpRiuCount *lbp_riu_device_histogram(const LbpRiuDevice *device, int set) {
    return device->histograms + (size_t)set * LBP_RIU_BINS_MAX;
}

/* Opens a state that is an LbpRiuDevice and nothing more. */
Status lbp_riu_device_open_state(const Request *request, LbpRiuPlace place, void **state);

/* Upload, download and close of every variant whose state begins with an LbpRiuDevice. */
VARIANT_FUNCTIONS(lbp_riu_cuda);

#endif
