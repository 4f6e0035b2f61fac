/* orb on one thread (simd) and on all processors (omp): the same stages with teams of 1 and of
 * --threads. */
#include <stdlib.h>
#include <string.h>

#include "descriptor_weights.h"
#include "orb_internal.h"

/* === Blur ===================================================================================== */

enum { LINE = 64 /* bytes of a line of a cache */ };

static size_t whole_lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

/* A band's memory: a row of pixels with its mirrored ends, and then ORB_ROWS smoothed rows. */
static size_t pixels_bytes(const Image *image) {
    return whole_lines((size_t)image->width + 2 * ORB_REACH);
}

static size_t row_bytes(const Image *image) {
    return whole_lines((size_t)image->width * sizeof(uint16_t));
}

static uint16_t *row_of(const Image *image, uint8_t *memory, int32_t y) {
    return (uint16_t *)(void *)(memory + pixels_bytes(image) +
                                (size_t)(y % ORB_ROWS) * row_bytes(image));
}

static void smooth_row(const OrbWork *work, uint8_t *memory, int32_t y) {
    const int32_t width = work->image->width;
    const uint8_t *pixels = image_row(work->image, y);
    memcpy(memory + ORB_REACH, pixels, (size_t)width);
    for (int32_t i = 0; i < ORB_REACH; i++) {
        memory[i] = pixels[orb_mirrored(i - ORB_REACH, width)];
        memory[ORB_REACH + width + i] = pixels[orb_mirrored(width + i, width)];
    }
    work->kernel->smooth_row(memory, width, row_of(work->image, memory, y));
}

static void smooth_band(const OrbWork *work, int32_t first, int32_t end, uint8_t *memory) {
    const int32_t height = work->image->height;
    int32_t next = first > ORB_REACH ? first - ORB_REACH : 0;
    for (int32_t y = first; y < end; y++) {
        const uint16_t *rows[ORB_ROWS];
        for (; next < height && next <= y + ORB_REACH; next++) {
            smooth_row(work, memory, next);
        }
        for (int32_t j = 0; j < ORB_ROWS; j++) {
            rows[j] = row_of(work->image, memory, orb_mirrored(y + j - ORB_REACH, height));
        }
        work->kernel->smooth_columns(rows, work->image->width,
                                     work->blurred.pixels + (size_t)y * work->blurred.stride);
    }
}

static int32_t first_row(const OrbWork *work, int band) {
    return (int32_t)((int64_t)work->image->height * band / work->threads);
}

Status orb_work_blur(void *state) {
    const OrbWork *work = state;
#pragma omp parallel for num_threads(work->threads) schedule(static)
    for (int band = 0; band < work->threads; band++) {
        smooth_band(work, first_row(work, band), first_row(work, band + 1),
                    thread_memory_part(&work->bands, band));
    }
    return status_ok();
}

/* === Tests ==================================================================================== */

enum { KEYPOINTS_AT_ONCE = 32 };

/* How far from a keypoint its positions reach, not stretched; and the columns. */
static float take_columns(const OrbWork *work) {
    const OrbTest *rows = (const OrbTest *)work->weights->values;
    OrbColumns *columns = work->columns;
    float reach = 0;
    for (int32_t i = 0; i < work->weights->bits; i++) {
        columns->x1[i] = rows[i].x1;
        columns->y1[i] = rows[i].y1;
        columns->x2[i] = rows[i].x2;
        columns->y2[i] = rows[i].y2;
        reach = fmaxf(reach, fmaxf(hypotf(rows[i].x1, rows[i].y1), hypotf(rows[i].x2, rows[i].y2)));
    }
    return reach;
}

/* Whether no pixel of a keypoint can leave the image. Rounding the keypoint and the position takes
 * a pixel, inexact coordinates less than one. */
static bool stays_inside(const Image *image, Keypoint keypoint, float reach) {
    enum { ROUNDING = 2 };
    const float margin = reach + ROUNDING;
    return keypoint.x - margin >= 0 && keypoint.x + margin < (float)image->width &&
           keypoint.y - margin >= 0 && keypoint.y + margin < (float)image->height;
}

Status orb_work_tests(void *state) {
    const OrbWork *work = state;
    const float reach = take_columns(work);
    const OrbTests tests = {.columns = work->columns,
                            .rows = (const OrbTest *)work->weights->values,
                            .bits = work->weights->bits};
    const size_t bytes = (size_t)tests.bits / 8;
    uint8_t *descriptors = orb_descriptors(work->output);
#pragma omp parallel for num_threads(work->threads) schedule(dynamic, KEYPOINTS_AT_ONCE)
    for (int32_t k = 0; k < work->count; k++) {
        const Keypoint keypoint = work->keypoints[k];
        const OrbPlace place = orb_place(keypoint, work->scale);
        const float s = work->scale * keypoint.size / ORB_SIDE;
        work->kernel->describe(&work->blurred, &tests, &place,
                               stays_inside(work->image, keypoint, s * reach),
                               descriptors + (size_t)k * bytes);
    }
    return status_ok();
}

Status orb_work_run(void *state) {
    STATUS_TRY(orb_work_blur(state));
    return orb_work_tests(state);
}

/* === Memory =================================================================================== */

/* An odd number of lines to a row: whatever the width, the rows of a patch are not in the same few
 * sets of a cache. */
static Status open_blurred(OrbWork *work) {
    const size_t lines = whole_lines((size_t)work->image->width) / LINE | 1;
    work->blurred = (OrbBlurred){
        .stride = lines * LINE, .width = work->image->width, .height = work->image->height};
    const size_t bytes = work->blurred.stride * (size_t)work->image->height + ORB_BLURRED_SPARE;
    void *pixels = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &pixels));
    work->blurred.pixels = pixels;
    work->kernel = orb_kernel_best(bytes);
    return status_ok();
}

static Status prepare(const Request *request, int threads, OrbWork *work) {
    *work = (OrbWork){
        .image = &request->workload->image,
        .keypoints = request->workload->keypoints.keypoints,
        .count = point_keypoints(request->answer),
        .scale = point_scale(request->answer),
        .output = request->output,
        .threads = threads,
    };
    STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_ORB, &work->weights));
    STATUS_TRY(open_blurred(work));
    void *columns = NULL;
    STATUS_TRY(cpu_backend.alloc(sizeof *work->columns, &columns));
    work->columns = columns;
    return thread_memory_open(
        threads, pixels_bytes(work->image) + ORB_ROWS * row_bytes(work->image), &work->bands);
}

Status orb_work_open(const Request *request, int threads, void **state) {
    OrbWork *work = malloc(sizeof *work);
    if (work == NULL) {
        return status_no_memory("for the state of orb");
    }
    const Status status = prepare(request, threads, work);
    if (!status_is_ok(&status)) {
        orb_work_close(work);
        return status;
    }
    *state = work;
    return status;
}

void orb_work_close(void *state) {
    OrbWork *work = state;
    if (work != NULL) {
        thread_memory_close(&work->bands);
        cpu_backend.release(work->columns);
        cpu_backend.release(work->blurred.pixels);
        free(work);
    }
}

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(orb_simd);
VARIANT_FUNCTIONS(orb_omp);

Status orb_simd_open(const Request *request, void **state) {
    return orb_work_open(request, 1, state);
}

Status orb_omp_open(const Request *request, void **state) {
    return orb_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
