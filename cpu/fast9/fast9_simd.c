/* fast9 on one thread: the kernels of this processor (fast9_kernel.h) on bands of rows. */
#include "fast9_work.h"

VARIANT_FUNCTIONS(fast9_simd);

Status fast9_simd_open(const Request *request, void **state) {
    return fast9_work_open(request, 1, state);
}
