/* bad on one thread (simd) and on all processors (omp): the same stages with teams of 1 and of
 * --threads. */
#include <stdlib.h>
#include <string.h>

#include "bad_internal.h"
#include "descriptor_weights.h"

/* === Tests ==================================================================================== */

enum { KEYPOINTS_AT_ONCE = 32, LAST_OF_BYTE = 7 };

/* How far from a keypoint its boxes reach, in pixels of the patch; and the columns. */
static float take_columns(const BadWork *work) {
    const BadTest *rows = (const BadTest *)work->weights->values;
    BadColumns *columns = work->columns;
    float reach = 0;
    for (int32_t i = 0; i < work->weights->bits; i++) {
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

/* Whether no box of a keypoint can leave the image. Rounding the centre and the radius takes a
 * pixel, the half-open end one, and inexact coordinates less than one. */
static bool stays_inside(const Image *image, Keypoint keypoint, float reach) {
    enum { ROUNDING = 3 };
    const float margin = reach + ROUNDING;
    return keypoint.x - margin >= 0 && keypoint.x + margin <= (float)image->width &&
           keypoint.y - margin >= 0 && keypoint.y + margin <= (float)image->height;
}

enum { CELLS_ALONG = 64, CELLS = CELLS_ALONG * CELLS_ALONG }; /* of the image */

static int32_t cell_along(float position, int32_t side) {
    const float cell = position * (float)CELLS_ALONG / (float)side;
    return (int32_t)fminf(fmaxf(cell, 0), CELLS_ALONG - 1);
}

static int32_t cell_of(const BadWork *work, Keypoint keypoint) {
    return cell_along(keypoint.y, work->image->height) * CELLS_ALONG +
           cell_along(keypoint.x, work->image->width);
}

/* Counts the keypoints of each cell, then puts each behind those of the cells before. */
static void order_keypoints(const BadWork *work) {
    int32_t ends[CELLS] = {0};
    for (int32_t k = 0; k < work->count; k++) {
        ends[cell_of(work, work->keypoints[k])]++;
    }
    int32_t before = 0;
    for (int32_t c = 0; c < CELLS; c++) {
        const int32_t count = ends[c];
        ends[c] = before;
        before += count;
    }
    for (int32_t k = 0; k < work->count; k++) {
        work->order[ends[cell_of(work, work->keypoints[k])]++] = k;
    }
}

Status bad_work_tests(void *state) {
    const BadWork *work = state;
    const float reach = take_columns(work);
    order_keypoints(work);
    const BadTests tests = {.columns = work->columns,
                            .rows = (const BadTest *)work->weights->values,
                            .bits = work->weights->bits};
    const size_t bytes = (size_t)tests.bits / 8;
    uint8_t *descriptors = bad_descriptors(work->output);
#pragma omp parallel for num_threads(work->threads) schedule(dynamic, KEYPOINTS_AT_ONCE)
    for (int32_t i = 0; i < work->count; i++) {
        const int32_t k = work->order[i];
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

/* === Memory and the integral image ============================================================ */

enum { LINE_ENTRIES = 64 / sizeof(uint32_t) }; /* of a line of a cache */

/* Entry 1 of a row, where vectors begin, begins a line of the cache. An odd number of lines to a
 * row: whatever the width, the rows of a box are not in the same few sets of a cache. */
static Status open_integral(BadWork *work) {
    const size_t lines = ((size_t)work->image->width + LINE_ENTRIES) / LINE_ENTRIES | 1;
    work->integral = (BadIntegral){
        .stride = lines * LINE_ENTRIES, .width = work->image->width, .height = work->image->height};
    const size_t entries =
        work->integral.stride * ((size_t)work->image->height + 1) + LINE_ENTRIES - 1;
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(entries * sizeof *work->memory, &memory));
    work->memory = memory;
    work->integral.entries = work->memory + LINE_ENTRIES - 1;
    work->kernel = bad_kernel_best(entries);
    return status_ok();
}

static Status prepare(const Request *request, int threads, BadWork *work) {
    *work = (BadWork){
        .image = &request->workload->image,
        .keypoints = request->workload->keypoints.keypoints,
        .count = point_keypoints(request->answer),
        .scale = point_scale(request->answer),
        .output = request->output,
        .threads = threads,
    };
    STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_BAD, &work->weights));
    STATUS_TRY(open_integral(work));
    void *columns = NULL;
    STATUS_TRY(cpu_backend.alloc(sizeof *work->columns, &columns));
    work->columns = columns;
    void *order = NULL;
    STATUS_TRY(cpu_backend.alloc((size_t)work->count * sizeof *work->order, &order));
    work->order = order;
    const IntegralTable table = {.image = work->image,
                                 .entries = work->integral.entries,
                                 .pitch = work->integral.stride,
                                 .bits = 8 * sizeof *work->integral.entries};
    return integral_team_open(&table, threads, &work->team);
}

Status bad_work_open(const Request *request, int threads, void **state) {
    BadWork *work = malloc(sizeof *work);
    if (work == NULL) {
        return status_no_memory("for the state of bad");
    }
    const Status status = prepare(request, threads, work);
    if (!status_is_ok(&status)) {
        bad_work_close(work);
        return status;
    }
    *state = work;
    return status_ok();
}

void bad_work_close(void *state) {
    BadWork *work = state;
    if (work != NULL) {
        integral_team_close(&work->team);
        cpu_backend.release(work->order);
        cpu_backend.release(work->columns);
        cpu_backend.release(work->memory);
        free(work);
    }
}

Status bad_work_integral(void *state) {
    const BadWork *work = state;
    integral_team_run(&work->team);
    return status_ok();
}

Status bad_work_run(void *state) {
    STATUS_TRY(bad_work_integral(state));
    return bad_work_tests(state);
}

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(bad_simd);
VARIANT_FUNCTIONS(bad_omp);

Status bad_simd_open(const Request *request, void **state) {
    return bad_work_open(request, 1, state);
}

Status bad_omp_open(const Request *request, void **state) {
    return bad_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
