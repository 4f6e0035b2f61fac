/* fast on all processors: what simd does, bands of rows handed out to threads. */
#include "fast9_work.h"

VARIANT_FUNCTIONS(fast_omp);

Status fast_omp_open(const Request *request, void **state) {
    return fast_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
