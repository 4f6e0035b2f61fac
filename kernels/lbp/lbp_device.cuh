/* Device side of an lbp cell. */
#ifndef KERNELS_LBP_LBP_DEVICE_CUH
#define KERNELS_LBP_LBP_DEVICE_CUH

#include "coded_device.cuh"
#include "lbp.h"

typedef CodedDevice LbpDevice;
typedef CodedCount LbpCount;

/* The whole image; rows start at multiples of `row_alignment` bytes. */
CodedPlan lbp_plan(const Request *request, size_t row_alignment);
Status lbp_device_open(size_t row_alignment, LbpDevice *device);

/* Opens a state that is an LbpDevice and nothing more. */
Status lbp_device_open_state(const Request *request, size_t row_alignment, void **state);

/* The fast lbp kernel on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */

/* Row alignment the kernel needs, in bytes: it reads and writes 16 pixels at a time. */
enum { LBP_FAST_ROW_ALIGNMENT = 16 };

/* Queued on cuda_stream(). */
Status lbp_fast_launch(const LbpDevice *device, const CodedBand *band);

#endif
