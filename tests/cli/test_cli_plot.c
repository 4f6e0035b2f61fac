/* `bench plot`: charts of stored runs, without measuring. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "needs.h"
#include "program.h"

static bool gnuplot_is_there(void) {
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

static void refusals(void **state) {
    (void)state;
    check_refused(bench("plot"), 2, "name the folders of the runs");
    check_refused(bench("plot --colour"), 2, "plot: unknown option '--colour'");
    check_refused(bench("plot nowhere"), 5, "nowhere");
}

static void a_stored_run_is_drawn_beside_its_results(void **state) {
    (void)state;
    if (!gnuplot_is_there()) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
    Outcome run = bench("--algo lbp --sizes 64x48,128x96 --reps 6 --variants seq,simd --no-plot "
                        "--no-roof --quiet --out stored");
    check_code(&run, 0);
    outcome_release(&run);
    assert_int_equal(count_files(".svg"), 0);
    static const char *const names[] = {"stored", "stored/results.csv"};
    for (size_t i = 0; i < 2; i++) {
        Outcome drawn = bench("plot %s", names[i]);
        check_code(&drawn, 0);
        assert_string_equal(drawn.out, "");
        outcome_release(&drawn);
        assert_true(file_exists("stored/lbp-texture-speedup.svg"));
        assert_true(file_exists("stored/lbp-texture-time.png"));
        assert_int_equal(count_files(".part"), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refusals, folder_enter, folder_leave),
        cmocka_unit_test_setup_teardown(a_stored_run_is_drawn_beside_its_results, folder_enter,
                                        folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
