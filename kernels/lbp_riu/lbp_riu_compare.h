/* How answers of the variant that interpolates in texture hardware are compared. */
#ifndef KERNELS_LBP_RIU_LBP_RIU_COMPARE_H
#define KERNELS_LBP_RIU_LBP_RIU_COMPARE_H

#include "axis.h"
#include "output.h"

/*
 * The agreement is the share of pixels with equal bins; without a bin image, the share that the two
 * histograms have in common. Accepted at 98 % of a real texture; as an image is a sample, so is
 * what comes within four standard deviations of it. Interpolation `nearest` must agree wholly.
 */
void lbp_riu_compare_filtered(const Point *answer, const Output *got, const Output *want,
                              Verdict *verdict);

#endif
