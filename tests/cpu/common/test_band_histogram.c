/* Histograms by bands of rows: every row is counted once, whatever the team. */
#include "band_histogram.h"
#include "test.h"

enum { BINS = 11, ROWS_MAX = 100, SCRATCH = 100, LINE = 64 };

/* Row y counts into bin y mod BINS. */
static void count_rows(const void *context, const HistogramBand *band) {
    const int *step = context;
    assert_int_equal((uintptr_t)band->scratch % LINE, 0);
    for (int32_t y = band->first; y < band->last; y++) {
        band->histogram[y % BINS] += (uint64_t)*step;
        ((uint8_t *)band->scratch)[y % SCRATCH] = 1;
    }
}

static void check_run(int threads, int worthwhile, int32_t rows) {
    const int step = 3;
    uint64_t histogram[BINS];
    RELEASED_BY(band_histogram_close)
    BandHistogram bands = {.threads = threads,
                           .bands = band_histogram_bands((size_t)worthwhile, threads),
                           .rows = rows,
                           .bins = BINS,
                           .histogram = histogram};
    assert_ok(band_histogram_open(&bands, SCRATCH));
    /* The second run begins anew. */
    for (int run = 0; run < 2; run++) {
        band_histogram_run(&bands, count_rows, &step);
        for (int bin = 0; bin < BINS; bin++) {
            const int32_t of_bin = rows > bin ? (rows - bin - 1) / BINS + 1 : 0;
            assert_int_equal(histogram[bin], step * of_bin);
        }
    }
}

TEST(counts_every_row_once) {
    static const int teams[] = {1, 2, 3, 8};
    for (size_t i = 0; i < sizeof teams / sizeof teams[0]; i++) {
        for (int32_t rows = 1; rows <= ROWS_MAX; rows += 9) {
            check_run(teams[i], 1, rows);
            check_run(teams[i], ROWS_MAX, rows);
        }
    }
}

TEST(cuts_as_many_bands_as_are_worthwhile) {
    assert_int_equal(band_histogram_bands(0, 4), 4); /* one for each thread */
    assert_int_equal(band_histogram_bands(13, 4), 13);
    assert_int_equal(band_histogram_bands(1000, 4), 32); /* eight for each thread */
}
