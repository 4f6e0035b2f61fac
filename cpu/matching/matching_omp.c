/* matching on all processors: what simd does, parts of A handed out to threads. */
#include "matching_work.h"

VARIANT_FUNCTIONS(matching_omp);

Status matching_omp_open(const Request *request, void **state) {
    return matching_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
