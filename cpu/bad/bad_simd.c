/* bad on one thread: the kernels of this processor (bad_kernel.h). */
#include "bad_work.h"

VARIANT_FUNCTIONS(bad_simd);

Status bad_simd_open(const Request *request, void **state) {
    return bad_work_open(request, 1, state);
}
