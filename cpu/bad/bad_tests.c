/* The tests of all keypoints, by all threads. */
#include "bad_work.h"

enum { KEYPOINTS_AT_ONCE = 32, LAST_OF_BYTE = 7 };

/* How far from a keypoint its boxes reach, in pixels of the patch; and the columns. */
static float take_columns(const BadWork *work) {
    const BadTest *rows = (const BadTest *)work->weights->values;
    BadColumns *columns = work->columns;
    float reach = 0;
    for (int32_t i = 0; i < work->weights->bits; ++i) {
        const BadTest *test = &rows[i];
        const int32_t lane = i ^ LAST_OF_BYTE;
        columns->x1[lane] = test->x1;
        columns->y1[lane] = test->y1;
        columns->x2[lane] = test->x2;
        columns->y2[lane] = test->y2;
        columns->radius[lane] = test->radius;
        columns->threshold[lane] = test->threshold;
        const float reach1 = hypotf(test->x1 - PATCH_HALF, test->y1 - PATCH_HALF);
        const float reach2 = hypotf(test->x2 - PATCH_HALF, test->y2 - PATCH_HALF);
        reach = fmaxf(reach, fmaxf(reach1, reach2) + test->radius);
    }
    return reach;
}

/* Whether no box of a keypoint can leave the picture. Rounding the centre and the radius takes a
 * pixel, the half-open end one, and inexact coordinates less than one. */
static bool stays_inside(const Image *image, Keypoint keypoint, float reach) {
    enum { ROUNDING = 3 };
    const float margin = reach + ROUNDING;
    return keypoint.x - margin >= 0 && keypoint.x + margin <= (float)image->width &&
           keypoint.y - margin >= 0 && keypoint.y + margin <= (float)image->height;
}

Status bad_work_tests(void *state) {
    const BadWork *work = state;
    const float reach = take_columns(work);
    const BadTests tests = {.columns = work->columns,
                            .rows = (const BadTest *)work->weights->values,
                            .bits = work->weights->bits};
    const size_t bytes = (size_t)tests.bits / 8;
    uint8_t *descriptors = bad_descriptors(work->output);
#pragma omp parallel for num_threads(work->threads) schedule(dynamic, KEYPOINTS_AT_ONCE)
    for (int32_t k = 0; k < work->count; ++k) {
        const Keypoint keypoint = work->keypoints[k];
        const BadPlace place = {
            .map = bad_map(keypoint, work->scale),
            .near_border =
                bad_near_border(keypoint, work->scale, work->image->width, work->image->height)};
        const bool inside = stays_inside(work->image, keypoint, place.map.s * reach);
        work->kernel->describe(&work->integral, &tests, &place, inside,
                               descriptors + (size_t)k * bytes);
    }
    return status_ok();
}
