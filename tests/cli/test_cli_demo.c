/* `bench demo` from outside: what it prints and writes. The page with the H200's run is looked at
 * by tests/document. */
#include <sys/stat.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

/* A stored run that cannot be read costs a line, not the demo. Everything is in one folder. */
TEST(the_demo_works_without_the_stored_run) {
    assert_int_equal(mkdir("broken", 0777), 0);
    assert_int_equal(mkdir("broken/lbp", 0777), 0);
    write_file("broken/lbp/results.json.gz", "no run", 6);
    assert_int_equal(setenv("BENCH_RESULTS_DIR", "broken", 1), 0);
    assert_int_equal(setenv("BENCH_PYTHON", "./no-python", 1), 0);
    Outcome outcome = bench("demo --out demo");
    assert_int_equal(unsetenv("BENCH_PYTHON"), 0);
    assert_int_equal(unsetenv("BENCH_RESULTS_DIR"), 0);
    check_code(&outcome, 0);
    check_contains(outcome.err, "1 of 3: measure local binary patterns");
    check_contains(outcome.err, "  bench run --algo lbp --sizes 360p,1080p,4K ");
    check_contains(outcome.err, "; the run has no other people's code\n");
    check_contains(outcome.err, "launch 1");
    /* One after the other: less than a minute. */
    assert_null(strstr(outcome.err, "begins in"));
    check_contains(outcome.err, "2 of 3: read the run");
    check_contains(outcome.err, "bench: note: broken/lbp/results.json.gz");
    check_contains(outcome.err, "3 of 3: write the page of this run");
    check_contains(outcome.out, "\nlbp at "); /* the largest size that nothing disturbed */
    assert_null(strstr(outcome.out, "H200"));
    check_contains(outcome.out, "\ndemo/report.html\n\nNext\n  bench run --algo lbp ");
    assert_true(file_exists("demo/results.csv"));
    assert_true(file_exists("demo/results.json"));
    char *page = read_text("demo/report.html");
    check_contains(page, "lbp on this machine");
    assert_null(strstr(page, "H200"));
}

/* As `bench run` does, whose code it ends with. */
TEST(a_folder_that_cannot_be_written_is_an_error) {
    write_file("file", "text", 4);
    Outcome outcome = bench("demo --quiet --out file/demo");
    check_refused(outcome, 5, "file");
}
