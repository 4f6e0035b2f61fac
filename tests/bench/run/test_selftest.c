/* The self-test on the fakes: what it counts, what it leaves out, what it refuses. */
#include "test.h"
#include "bench/runner_fixture.h"
#include "noise_floor.h"
#include "run.h"
#include "status_checks.h"
#include "sweep.h"

EACH_TEST(reset);

static SelftestResult result;
static char *noted;

static Status test(RunOptions options) {
    FILE *notes = tmpfile();
    assert_non_null(notes);
    options.pairs = options.pairs > 0 ? options.pairs : 4;
    const Status status = selftest_run(&options, notes, &result);
    noted = take_text(notes);
    return status;
}

static void forget(void) {
    selftest_release(&result);
    free(noted);
    assert_int_equal(fake_device.in_use, 0);
    assert_int_equal(fake_device.opened, fake_device.closed);
    assert_int_equal(cpu_backend.in_use(), 0);
}

/* By hand: two intervals do not contain 1, one of them is beyond 5%; |ratio - 1| sorted is 0, 0.01,
 * 0.02, 0.04, 0.1. */
TEST(pairs_are_counted) {
    const Ratio ratios[] = {{.value = 1.01, .low = 0.99, .high = 1.03},
                            {.value = 1.04, .low = 1.01, .high = 1.07},
                            {.value = 0.9, .low = 0.88, .high = 0.94},
                            {.value = 1.0, .low = NAN, .high = NAN},
                            {.value = 0.98, .low = 0.96, .high = 1.0}};
    NoiseCell cell;
    selftest_summarize(ratios, 5, &cell);
    assert_int_equal(cell.pairs, 5);
    assert_int_equal(cell.excluding_one, 2);
    assert_int_equal(cell.beyond_threshold, 1);
    assert_true(fabs(cell.typical - 0.02) < 1e-12);
    assert_true(fabs(cell.floor - (0.04 + 0.8 * 0.06)) < 1e-12);
}

TEST(every_cell_is_measured_in_pairs) {
    RunOptions options = request("simd", "dev_good", NULL);
    assert_ok(test(options));
    assert_int_equal(result.count, 2);
    assert_int_equal(result.skipped, 0);
    assert_string_equal(result.cells[0].name, "fake/simd/texture/16x8");
    assert_string_equal(result.cells[1].name, "fake/dev_good/texture/16x8");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(result.cells[i].pairs, 4);
        assert_true(result.cells[i].excluding_one <= 4);
        assert_true(result.cells[i].floor >= result.cells[i].typical);
        assert_true(isfinite(result.cells[i].floor));
    }
    forget();
}

TEST(what_cannot_run_is_left_out_and_said) {
    assert_ok(test(request("never", "simd", "open_skips")));
    assert_int_equal(result.count, 1);
    assert_int_equal(result.skipped, 2);
    assert_says(noted, "warning: fake/never/texture/16x8: left out: this processor has no");
    assert_says(noted, "wants a larger picture");
    forget();
    assert_int_equal(test(request("never", NULL, NULL)).code, STATUS_SKIP);
    forget();
}

TEST(a_wrong_variant_ends_it) {
    assert_status(test(request("simd", "one_wrong", NULL)), STATUS_FAIL,
                  "fake/one_wrong/texture/16x8");
    forget();
}
