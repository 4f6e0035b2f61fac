/* `bench demo` from outside: what it prints and writes. The page with the H200's run is looked at
 * by tests/document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "program.h"

/* A stored run that cannot be read costs a line, not the demo. Everything is in one folder. */
static void the_demo_works_without_the_stored_run(void **state) {
    (void)state;
    assert_int_equal(mkdir("broken", 0777), 0);
    assert_int_equal(mkdir("broken/lbp", 0777), 0);
    write_file("broken/lbp/results.json.gz", "no run", 6);
    assert_int_equal(setenv("BENCH_RESULTS_DIR", "broken", 1), 0);
    Outcome outcome = bench("demo --out demo");
    assert_int_equal(unsetenv("BENCH_RESULTS_DIR"), 0);
    check_code(&outcome, 0);
    check_contains(outcome.err, "1 of 3: measure local binary patterns");
    check_contains(outcome.err, "  bench run --algo lbp --sizes 360p,1080p,4K ");
    check_contains(outcome.err, "launch 1 of 6");
    /* One after the other: less than a minute. */
    assert_null(strstr(outcome.err, "begins in"));
    check_contains(outcome.out, "(see --spread)");
    check_contains(outcome.err, "2 of 3: read the run");
    check_contains(outcome.err, "bench: note: broken/lbp/results.json.gz");
    check_contains(outcome.err, "3 of 3: write the page of this run");
    check_contains(outcome.out, "lbp on texture");
    assert_null(strstr(outcome.out, "H200"));
    check_contains(outcome.out, "\ndemo/report.html\n\nNext\n  bench run --algo lbp ");
    assert_true(file_exists("demo/results.csv"));
    assert_true(file_exists("demo/results.json"));
    outcome_release(&outcome);
    char *page = read_text("demo/report.html");
    assert_non_null(page);
    check_contains(page, "lbp on this machine");
    assert_null(strstr(page, "H200"));
    free(page);
}

/* As `bench run` does, whose code it ends with. */
static void a_folder_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    write_file("file", "text", 4);
    Outcome outcome = bench("demo --quiet --out file/demo");
    check_refused(outcome, 5, "file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_demo_works_without_the_stored_run, folder_enter,
                                        folder_leave),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_written_is_an_error, folder_enter,
                                        folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
