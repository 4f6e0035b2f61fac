/* bad on all processors: what simd does, bands of rows and keypoints handed out to threads. */
#include "bad_work.h"

VARIANT_FUNCTIONS(bad_omp);

Status bad_omp_open(const Request *request, void **state) {
    return bad_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
