/* fast9 on all processors: what simd does, bands of rows handed out to threads. */
#include "fast9_work.h"

VARIANT_FUNCTIONS(fast9_omp);

Status fast9_omp_open(const Request *request, void **state) {
    return fast9_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
