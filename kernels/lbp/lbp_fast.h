/* The fast lbp kernel on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */
#ifndef KERNELS_LBP_LBP_FAST_H
#define KERNELS_LBP_LBP_FAST_H

#include "lbp_device.h"

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
