/*
 * Device side of an lbp cell: the image, the code image and the histogram in device memory.
 */
#ifndef KERNELS_LBP_LBP_DEVICE_H
#define KERNELS_LBP_LBP_DEVICE_H

#include <cuda_runtime_api.h>

#include "lbp.h"
#include "variant.h"

/* Device histograms are atomically added to, which CUDA offers for this type. */
typedef unsigned long long LbpCount;

/* Histograms in LbpDevice.histograms: `fast` fills one while it clears the other for the next run.
 */
enum { LBP_HISTOGRAM_SETS = 2 };

typedef struct LbpDevice {
    const Request *request;
    int width, height;   /* pixels */
    int rows;            /* that image and codes have memory for */
    size_t image_stride; /* bytes; pixels between width and image_stride are 0 */
    size_t codes_stride; /* bytes */
    uint8_t *image;
    uint8_t *codes;
    LbpCount *histograms; /* LBP_HISTOGRAM_SETS × LBP_BINS, all 0 after upload */
    int answer_set;       /* the histogram that the last run filled */
} LbpDevice;

/* Allocates the three buffers, for all rows of the image or for `rows`; rows start at multiples of
 * `row_alignment` bytes. On anything but STATUS_OK nothing is left behind. */
Status lbp_device_open(const Request *request, size_t row_alignment, LbpDevice *device);
Status lbp_device_open_rows(const Request *request, size_t row_alignment, int rows,
                            LbpDevice *device);
void lbp_device_close(LbpDevice *device);

/* Image to the device, padding and histograms to 0. Queued on cuda_stream(). */
Status lbp_device_upload(LbpDevice *device);
/* Only the padding of the image's rows to 0. Queued on cuda_stream(). */
Status lbp_device_clear_padding(const LbpDevice *device);
/* Codes and the answer's histogram to request->output; returns when they are there. */
Status lbp_device_download(const LbpDevice *device);
/* The same without waiting, queued on cuda_stream(). */
Status lbp_device_queue_download(const LbpDevice *device);

/* The two pieces of download, for variants that overlap them; queued on `stream`. Host counts are
 * complete once the stream is. */
Status lbp_device_download_histogram(const LbpDevice *device, cudaStream_t stream);

static inline LbpCount *lbp_device_histogram(const LbpDevice *device, int set) {
    return device->histograms + (size_t)set * LBP_BINS;
}

/* Opens a state that is an LbpDevice and nothing more. */
Status lbp_device_open_state(const Request *request, size_t row_alignment, void **state);

/* Upload, download and close of every variant whose state begins with an LbpDevice. */
VARIANT_FUNCTIONS(lbp_cuda);

/* The fast lbp kernel on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */

/* Row alignment the kernel needs, in bytes: it reads and writes 16 pixels at a time. */
enum { LBP_FAST_ROW_ALIGNMENT = 16 };

/*
 * Queues codes of rows [row_begin, row_end) and adds their counts to `add`. Rows row_begin − 1 and
 * row_end must be on the device where the image has them. `clear`, when not NULL, is set to 0 by
 * the same kernel: it must not be `add`.
 */
Status lbp_fast_launch(const LbpDevice *device, int row_begin, int row_end, LbpCount *add,
                       LbpCount *clear, cudaStream_t stream);

#endif
