/* hashsift on all processors: what simd does, keypoints handed out to threads. */
#include "hashsift_work.h"

VARIANT_FUNCTIONS(hashsift_omp);

Status hashsift_omp_open(const Request *request, void **state) {
    return hashsift_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
