/* matching on one thread: the kernels of this processor (matching_kernel.h). */
#include "matching_work.h"

VARIANT_FUNCTIONS(matching_simd);

Status matching_simd_open(const Request *request, void **state) {
    return matching_work_open(request, 1, state);
}
