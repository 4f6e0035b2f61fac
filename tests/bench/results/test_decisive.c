/* Which rows of a run --kick-tires tests. */
#include "report_diff_fixture.h"
#include "stored_run.h"
#include "test.h"
#include "variant.h"
#include "verdict.h"

/* seq takes 1 ms at side 10, and a hundred times as long at ten times the side. */
static void add_side(StoredRun *run, int side, double slow, double fast) {
    const double seq = side * side / 100.0;
    add(run, timed_row("seq", side, seq));
    add(run, timed_row("cuda_naive", side, slow));
    add(run, timed_row("cuda_fast", side, fast));
}

static void check_chosen(StoredRun *run, double seconds, const char *want) {
    bool chosen[32] = {false};
    char text[512] = "";
    results_derive(&run->results, 1);
    assert_ok(decisive_rows(&run->results, seconds, chosen));
    for (size_t i = 0; i < run->results.count; i++) {
        const Row *row = &run->results.rows[i];
        if (chosen[i]) {
            text_append(text, sizeof text, "%s%s/%s", text[0] != '\0' ? " " : "",
                        row->variant->name, row->size_name);
        }
    }
    assert_string_equal(text, want);
}

/* At sides 10 and 20 seq is ahead, from 40 on the GPU; cuda_naive is never the fastest. */
static StoredRun crossing_run(void) {
    StoredRun run = {.complete = true};
    add_side(&run, 80, 20, 2);
    add_side(&run, 10, 20, 10);
    add_side(&run, 40, 20, 5);
    add_side(&run, 20, 20, 10);
    add_side(&run, 60, 20, 5);
    return run;
}

TEST(ends_and_changes_of_side_are_tested) {
    RELEASED_BY(stored_run_release) StoredRun run = crossing_run();
    check_chosen(&run, 100,
                 "seq/80x80 cuda_fast/80x80 seq/10x10 cuda_fast/10x10 seq/40x40 cuda_fast/40x40 "
                 "seq/20x20 cuda_fast/20x20");
}

/* Runs of seq take 64, 16, 4 and 1 ms. Four of each, and the GPU's, fit three times. */
TEST(what_takes_longest_does_not_fit) {
    RELEASED_BY(stored_run_release) StoredRun run = crossing_run();
    check_chosen(&run, 3 * 4 * (0.016 + 0.004 + 0.001) + 0.3,
                 "seq/10x10 cuda_fast/10x10 seq/40x40 cuda_fast/40x40 seq/20x20 cuda_fast/20x20");
    check_chosen(&run, 0.001, "");
}

/* Without a GPU the best CPU is held against seq. */
TEST(a_run_without_a_device_has_claims_too) {
    RELEASED_BY(stored_run_release) StoredRun run = {.complete = true};
    for (int side = 10; side <= 30; side += 10) {
        add(&run, timed_row("seq", side, side));
        add(&run, timed_row("simd", side, side / 10.0));
        add(&run, timed_row("omp", side, side / 5.0));
    }
    check_chosen(&run, 100, "seq/10x10 simd/10x10 seq/30x30 simd/30x30");
}
