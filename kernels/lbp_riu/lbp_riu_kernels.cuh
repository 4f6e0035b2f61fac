/* Kernels with the number of points as a template parameter: the one for a pattern. */
#ifndef KERNELS_LBP_RIU_LBP_RIU_KERNELS_CUH
#define KERNELS_LBP_RIU_LBP_RIU_KERNELS_CUH

#include <cstddef>
#include <utility>

#include "lbp_riu.h"

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
