/* integral on one thread (simd) and on all processors (omp): bands of rows by the best kernel
 * (integral_rows.h). */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cpu_memory.h"
#include "integral.h"
#include "integral_rows.h"

/* Whether image and table together exceed half of the last-level cache, as for copy. On one thread
 * of a busy Zen 5 server with 32 MiB of it, through the cache and past it: 4K 1.03 and 0.79 ms, 8K
 * 4.7 and 3.4 ms. */
static bool should_stream(const Image *image, int bits) {
    const size_t entries = ((size_t)image->width + 1) * ((size_t)image->height + 1);
    const size_t bytes = image_pixel_count(image) + entries * (size_t)bits / 8;
    return bytes > cpu_last_level_cache_bytes() / 2;
}

static void clear_first_row(const Image *image, int bits, void *table) {
    memset(table, 0, ((size_t)image->width + 1) * (size_t)bits / 8);
}

/* === simd ===================================================================================== */

VARIANT_FUNCTIONS(integral_simd);

typedef struct SimdState {
    const IntegralWork *work;
    int bits; /* of an entry */
    IntegralBand band;
} SimdState;

Status integral_simd_open(const Request *request, void **state) {
    SimdState *simd = malloc(sizeof *simd);
    if (simd == NULL) {
        return status_no_memory("for the state of integral/simd");
    }
    const Image *image = &request->workload->image;
    const int bits = integral_bits(request->answer);
    *simd = (SimdState){
        .work = integral_work(integral_kernel_best(), bits),
        .bits = bits,
        .band = {.image = image,
                 .first = 0,
                 .last = image->height,
                 .table = integral_table(request->output),
                 .stream = should_stream(image, bits)},
    };
    const Status status =
        cpu_backend.alloc((size_t)image->width * (size_t)bits / 8, &simd->band.above);
    if (!status_is_ok(&status)) {
        free(simd);
        return status;
    }
    *state = simd;
    return status_ok();
}

Status integral_simd_run(void *state) {
    const SimdState *simd = state;
    const Image *image = simd->band.image;
    clear_first_row(image, simd->bits, simd->band.table);
    memset(simd->band.above, 0, (size_t)image->width * (size_t)simd->bits / 8);
    simd->work->fill(&simd->band);
    return status_ok();
}

void integral_simd_close(void *state) {
    SimdState *simd = state;
    if (simd != NULL) {
        cpu_backend.release(simd->band.above);
        free(simd);
    }
}

/* === omp ====================================================================================== */

/*
 * The image is cut into sheets, a sheet into a band of rows for each thread. A band needs the table
 * row above it: the sums of its columns over all rows above, added up along the row. So for each
 * sheet
 *
 *   (1) each thread adds up the columns of its band;
 *   (2) each thread takes a share of the columns and replaces the sums of each band by those of all
 *       rows above the band;
 *   (3) each thread adds these up along the row, and fills its band.
 *
 * The rows of a band stay in the thread's own cache from (1) to (3), so that memory sees every
 * pixel and every entry once. A sheet costs what (2) moves between the caches, an entry of a row
 * for each thread, and two barriers.
 */

VARIANT_FUNCTIONS(integral_omp);

/* Pixels of a band: half of the cache of a core that has 512 KiB. */
enum { BAND_BYTES = 256 << 10, BAND_ROWS_MIN = 4, SHARE = 64 };

typedef struct OmpState {
    const Image *image;
    const IntegralWork *work;
    void *table;
    int bits; /* of an entry */
    bool stream;
    int threads;
    int32_t rows;       /* of a band */
    void *columns;      /* sums of the columns of the sheets so far */
    ThreadMemory bands; /* of each band: its columns, then the table row above */
} OmpState;

/* Rows of a band: all that a thread has to do, or what stays in its cache. One thread alone does
 * not read its rows twice. */
static int32_t band_rows(const Image *image, int threads) {
    if (threads == 1) {
        return image->height;
    }
    const int32_t all = (int32_t)(((int64_t)image->height + threads - 1) / threads);
    const int32_t fit = BAND_BYTES / image->width / BAND_ROWS_MIN * BAND_ROWS_MIN;
    const int32_t rows = fit > BAND_ROWS_MIN ? fit : BAND_ROWS_MIN;
    return rows < all ? rows : all;
}

static Status prepare(const Request *request, OmpState *omp) {
    const Image *image = &request->workload->image;
    const int threads = (int)point_integer(request->tuning, "threads", 1);
    const int bits = integral_bits(request->answer);
    *omp = (OmpState){
        .image = image,
        .work = integral_work(integral_kernel_best(), bits),
        .table = integral_table(request->output),
        .bits = bits,
        .stream = should_stream(image, bits),
        .threads = threads,
        .rows = band_rows(image, threads),
    };
    const size_t row = (size_t)image->width * (size_t)bits / 8;
    STATUS_TRY(thread_memory_open(threads, row, &omp->bands));
    return cpu_backend.alloc(row, &omp->columns);
}

Status integral_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the state of integral/omp");
    }
    const Status status = prepare(request, omp);
    if (!status_is_ok(&status)) {
        integral_omp_close(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

static IntegralBand band_of(const OmpState *omp, int32_t sheet, int index) {
    const int64_t height = omp->image->height;
    const int64_t first = sheet + (int64_t)index * omp->rows;
    const int64_t last = first + omp->rows;
    return (IntegralBand){
        .image = omp->image,
        .first = (int32_t)(first < height ? first : height),
        .last = (int32_t)(last < height ? last : height),
        .table = omp->table,
        .above = thread_memory_part(&omp->bands, index),
        .stream = omp->stream,
    };
}

/* (1) Nobody needs the columns of the last band. */
static void add_up_columns(const OmpState *omp, const IntegralBand *band) {
    memset(band->above, 0, (size_t)omp->image->width * (size_t)omp->bits / 8);
    if (band->last < omp->image->height) {
        omp->work->add_columns(band);
    }
}

/* (2) for columns first ≤ x < last. */
static void sum_above_32(const OmpState *omp, int32_t first, int32_t last) {
    uint32_t *columns = omp->columns;
    for (int band = 0; band < omp->threads; band++) {
        uint32_t *of_band = thread_memory_part(&omp->bands, band);
        for (int32_t x = first; x < last; x++) {
            const uint32_t own = of_band[x];
            of_band[x] = columns[x];
            columns[x] += own;
        }
    }
}

static void sum_above_64(const OmpState *omp, int32_t first, int32_t last) {
    uint64_t *columns = omp->columns;
    for (int band = 0; band < omp->threads; band++) {
        uint64_t *of_band = thread_memory_part(&omp->bands, band);
        for (int32_t x = first; x < last; x++) {
            const uint64_t own = of_band[x];
            of_band[x] = columns[x];
            columns[x] += own;
        }
    }
}

/* `share` of the columns, in whole lines of the cache. */
static void sum_above(const OmpState *omp, int share) {
    const int64_t shares = ((int64_t)omp->image->width + SHARE - 1) / SHARE;
    const int64_t first = shares * share / omp->threads * SHARE;
    const int64_t last = shares * (share + 1) / omp->threads * SHARE;
    const int64_t width = omp->image->width;
    const int32_t begin = (int32_t)(first < width ? first : width);
    const int32_t end = (int32_t)(last < width ? last : width);
    if (omp->bits == 64) {
        sum_above_64(omp, begin, end);
    } else {
        sum_above_32(omp, begin, end);
    }
}

/* (3) */
static void fill(const OmpState *omp, const IntegralBand *band) {
    if (band->first < band->last) {
        omp->work->add_along(band->above, omp->image->width);
        omp->work->fill(band);
    }
}

Status integral_omp_run(void *state) {
    const OmpState *omp = state;
    const int threads = omp->threads;
    const int64_t height = omp->image->height;
    clear_first_row(omp->image, omp->bits, omp->table);
    memset(omp->columns, 0, (size_t)omp->image->width * (size_t)omp->bits / 8);
    /* Loops of equal length and static schedule give a thread the same band each time: nothing
     * waits between (3) and (1) of the next sheet. */
#pragma omp parallel num_threads(threads)
    for (int64_t sheet = 0; sheet < height; sheet += (int64_t)omp->rows * threads) {
#pragma omp for schedule(static)
        for (int band = 0; band < threads; band++) {
            const IntegralBand part = band_of(omp, (int32_t)sheet, band);
            add_up_columns(omp, &part);
        }
#pragma omp for schedule(static)
        for (int share = 0; share < threads; share++) {
            sum_above(omp, share);
        }
#pragma omp for schedule(static) nowait
        for (int band = 0; band < threads; band++) {
            const IntegralBand part = band_of(omp, (int32_t)sheet, band);
            fill(omp, &part);
        }
    }
    return status_ok();
}

void integral_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        thread_memory_close(&omp->bands);
        cpu_backend.release(omp->columns);
        free(omp);
    }
}
