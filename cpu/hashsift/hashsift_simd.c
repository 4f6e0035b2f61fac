/* hashsift on one thread: the kernels of this processor (hashsift_kernel.h). */
#include "hashsift_work.h"

VARIANT_FUNCTIONS(hashsift_simd);

Status hashsift_simd_open(const Request *request, void **state) {
    return hashsift_work_open(request, 1, state);
}
