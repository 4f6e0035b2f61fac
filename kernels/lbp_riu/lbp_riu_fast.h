/* The fast lbp_riu kernels on a band of rows, for cuda_fast (one band) and cuda_streamed (many). */
#ifndef KERNELS_LBP_RIU_LBP_RIU_FAST_H
#define KERNELS_LBP_RIU_LBP_RIU_FAST_H

#include "lbp_riu_device.h"

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

#endif
