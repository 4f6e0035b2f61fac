/* Verdicts on recorded runs, and what is refused. */
#include "bench/compare_fixture.h"
#include "status_checks.h"
#include "test.h"

static void check_change(const char *before, const char *now, CellChange change,
                         const char *fragment) {
    RecordedPair *pair = compare_recorded(before, now, false);
    const CellJudgement *judgement = judgement_of(pair, SIMD);
    if (judgement->change != change) {
        fail_msg("%s to %s is %s: %s", before, now, change_name(judgement->change), judgement->why);
    }
    assert_says(judgement->why, fragment);
    const ExitCode code = change == CHANGE_SLOWER ? EXIT_REGRESSION : EXIT_OK;
    assert_int_equal(comparison_exit_code(&pair->comparison, false), code);
    pair_release(pair);
}

TEST(verdicts_on_recorded_runs) {
    check_change("base", "base", CHANGE_SAME, "");
    check_change("base", "again", CHANGE_SAME, "");
    check_change("base", "slower10", CHANGE_SLOWER, "");
    check_change("slower10", "base", CHANGE_FASTER, "");
    check_change("base", "faster10", CHANGE_FASTER, "");
    check_change("base", "slower3", CHANGE_SAME, "");
    check_change("base", "noisy", CHANGE_UNDECIDED, "p is ");
    check_change("base", "few", CHANGE_UNDECIDED, "8 old and 3 new launches cannot give a p below");
    check_change("one_old", "one_new", CHANGE_UNDECIDED, "6 launches a side can");
}

TEST(a_noise_floor_that_is_missing_is_not_known) {
    RecordedPair *pair = compare_recorded("one_new", "base", false);
    assert_true(pair->comparison.noise_floor == 0.15);
    pair_release(pair);
    pair = compare_recorded("base", "one_new", false);
    assert_true(pair->comparison.noise_floor == 0.15);
    pair_release(pair);
    pair = compare_recorded("base", "again", false);
    assert_true(isnan(pair->comparison.noise_floor));
    pair_release(pair);
}

/* The copy became half as long again. */
TEST(roofs_are_listed_and_decide_nothing) {
    RecordedPair *pair = compare_recorded("roof_old", "roof_new", false);
    const Comparison *comparison = &pair->comparison;
    assert_int_equal(comparison->count, 4);
    assert_int_equal(comparison_judged(comparison), 3);
    assert_int_equal(comparison->changes[CHANGE_ROOF], 1);
    assert_int_equal(comparison->changes[CHANGE_SAME], 3);
    assert_int_equal(comparison_exit_code(comparison, true), EXIT_OK);
    assert_true(judgement_of(pair, COPY)->difference.ratio.value > 1.4);
    assert_int_equal(judgement_of(pair, COPY)->change, CHANGE_ROOF);
    assert_true(fabs(comparison_total_ratio(comparison) - 1) < 0.05);
    assert_true(comparison->old_total < 1e-2); /* seq, simd and omp: 8.62 ms */
    pair_release(pair);
}

static void add_seconds(MeasuredRun *run, const char *name, double seconds) {
    MeasuredCell *cell;
    assert_ok(measured_run_add(run, name, &cell));
    assert_ok(measured_cell_add(cell, seconds));
    assert_ok(measured_run_finish(run));
}

TEST(roofs_alone_are_no_comparison) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    add_seconds(&pair->before, COPY, 1);
    add_seconds(&pair->now, COPY, 2);
    pair->before.cells[0].roof = pair->now.cells[0].roof = true;
    assert_status(
        comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison),
        STATUS_NO_MATCH, "no cell in common but roofs, which decide nothing");
    pair_release(pair);
}

/* Older runs measured them unless --no-roof said otherwise. */
TEST(a_roof_that_one_run_lacks_is_not_missing) {
    RecordedPair *pair = compare_recorded("roof_old", "base", false);
    assert_int_equal(pair->comparison.missing_count, 0);
    pair_release(pair);
    pair = compare_recorded("base", "roof_old", false);
    assert_int_equal(pair->comparison.added_count, 0);
    pair_release(pair);
}

TEST(a_run_is_the_same_as_itself) {
    RecordedPair *pair = compare_recorded("base", "base", false);
    assert_int_equal(pair->comparison.changes[CHANGE_SAME], 3);
    assert_true(judgement_of(pair, SEQ)->difference.ratio.value == 1);
    assert_true(judgement_of(pair, SEQ)->difference.p == 1);
    assert_true(comparison_total_ratio(&pair->comparison) == 1);
    pair_release(pair);
}

TEST(undecided_counts_only_when_strict) {
    RecordedPair *pair = compare_recorded("base", "noisy", false);
    assert_int_equal(comparison_exit_code(&pair->comparison, true), EXIT_AMBIGUOUS);
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_OK);
    pair_release(pair);
}

TEST(cells_of_one_run_alone_are_listed) {
    RecordedPair *pair = compare_recorded("base", "missing", false);
    assert_int_equal(pair->comparison.count, 2);
    assert_int_equal(pair->comparison.missing_count, 1);
    assert_string_equal(pair->comparison.missing[0].name, OMP);
    assert_int_equal(pair->comparison.added_count, 1);
    assert_string_equal(pair->comparison.added[0].name, "lbp/omp/texture/1080p/threads:4");
    pair_release(pair);
}

/* 3 s and 1 s become 6 s and 0.5 s: 6.5 / 4, not the mean of 2 and 0.5. The cell that is in one run
 * alone does not count. */
TEST(totals_are_ratios_of_sums) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    add_seconds(&pair->before, "a", 3);
    add_seconds(&pair->before, "b", 1);
    add_seconds(&pair->before, "gone", 100);
    add_seconds(&pair->now, "b", 0.5);
    add_seconds(&pair->now, "a", 6);
    assert_ok(
        comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison));
    assert_true(comparison_total_ratio(&pair->comparison) == 6.5 / 4);
    pair_release(pair);
}

static void check_refused(const char *now, StatusCode code, const char *fragment) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    assert_status(compare_status("base", now, false, pair), code, fragment);
    pair_release(pair);
}

TEST(other_machines_builds_and_inputs_are_refused) {
    check_refused("other_machine", STATUS_USAGE, "cpu_model differs: old Example CPU, new Another");
    check_refused("other_flags", STATUS_USAGE, "c_flags differs: old -O3, new -O2");
    check_refused("other_input", STATUS_USAGE, SEQ " was measured on another input");
    check_refused("cold", STATUS_USAGE, "with hot caches, now with cold ones");
    check_refused("google_old", STATUS_USAGE, "cpu_model differs: old Example CPU, new not known");
    check_refused("other_cells", STATUS_NO_MATCH, "no cell in common");
}

/* As in files of earlier versions, on either side; another cell's is known. */
TEST(an_unknown_input_or_mode_is_no_other_one) {
    for (unsigned i = 0; i < 8; i++) {
        RecordedPair *pair = calloc(1, sizeof *pair);
        read_recorded("base", &pair->before);
        read_recorded("again", &pair->now);
        MeasuredCell *cell =
            measured_run_find((i & 1) != 0 ? &pair->before : &pair->now, i < 4 ? SEQ : OMP);
        assert_true(cell->hash[0] != '\0' && cell->mode[0] != '\0');
        ((i & 2) != 0 ? cell->hash : cell->mode)[0] = '\0';
        const Status status =
            comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison);
        assert_string_equal(status.why, "");
        assert_int_equal(pair->comparison.count, 3);
        pair_release(pair);
    }
}

TEST(force_compares_them_and_says_what_differs) {
    RecordedPair *pair = compare_recorded("base", "other_machine", true);
    assert_int_equal(pair->comparison.count, 3);
    assert_says(pair->comparison.difference, "cpu_model differs");
    pair_release(pair);
    pair = compare_recorded("base", "other_input", true);
    assert_says(pair->comparison.difference, "another input");
    pair_release(pair);
}

TEST(runs_of_google_benchmark_are_compared) {
    RecordedPair *pair = compare_recorded("google_old", "google_new", false);
    assert_int_equal(pair->comparison.count, 2);
    assert_int_equal(judgement_of(pair, "BM_copy/64")->change, CHANGE_SAME);
    assert_int_equal(judgement_of(pair, "BM_sort/1024")->change, CHANGE_SLOWER);
    pair_release(pair);
}

static const CellJudgement *failure_of(const RecordedPair *pair, const char *name) {
    const CellJudgement *judgement = judgement_of(pair, name);
    assert_int_equal(judgement->change, CHANGE_FAILED);
    assert_true(isnan(judgement->difference.ratio.value) && isnan(judgement->difference.p));
    return judgement;
}

/* Of the cells that are left, each is tested at alpha / 2. */
TEST(a_cell_that_failed_in_the_new_run_is_a_failure) {
    RecordedPair *pair = compare_recorded("base", "failed", false);
    assert_string_equal(failure_of(pair, SIMD)->why, "its answer differs from seq");
    assert_int_equal(pair->comparison.missing_count, 0);
    assert_int_equal(comparison_judged(&pair->comparison), 2);
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_WRONG);
    pair_release(pair);
    pair = compare_recorded("google_old", "google_failed", false);
    assert_string_equal(failure_of(pair, "BM_copy/64")->why, "wrong answer");
    assert_string_equal(failure_of(pair, "BM_broken")->why, "no such file");
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_WRONG);
    pair_release(pair);
}

/* OMP failed, SIMD became slower. */
TEST(a_failure_goes_before_a_regression) {
    RecordedPair *pair = compare_recorded("base", "failed_slower", false);
    assert_int_equal(pair->comparison.changes[CHANGE_SLOWER], 1);
    assert_int_equal(comparison_exit_code(&pair->comparison, true), EXIT_WRONG);
    assert_int_equal(comparison_accept(&pair->comparison, "*", "both"), 1);
    assert_int_equal(comparison_exit_code(&pair->comparison, true), EXIT_WRONG);
    pair_release(pair);
}

TEST(a_failure_in_both_runs_is_still_one) {
    RecordedPair *pair = compare_recorded("failed", "failed", false);
    assert_string_equal(failure_of(pair, SIMD)->why,
                        "in the old run too: its answer differs from seq");
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_WRONG);
    pair_release(pair);
}

TEST(what_failed_in_the_old_run_alone_is_new) {
    RecordedPair *pair = compare_recorded("failed", "base", false);
    assert_int_equal(pair->comparison.added_count, 1);
    assert_string_equal(pair->comparison.added[0].name, SIMD);
    assert_string_equal(pair->comparison.added[0].where, "failed in the old run");
    assert_string_equal(pair->comparison.added[0].why, "its answer differs from seq");
    assert_int_equal(comparison_exit_code(&pair->comparison, true), EXIT_OK);
    pair_release(pair);
}

TEST(what_was_skipped_is_no_failure) {
    RecordedPair *pair = compare_recorded("base", "skipped", false);
    assert_int_equal(pair->comparison.missing_count, 1);
    assert_string_equal(pair->comparison.missing[0].name, SIMD);
    assert_string_equal(pair->comparison.missing[0].where, "skipped in the new run");
    assert_string_equal(pair->comparison.missing[0].why, "no memory left");
    assert_int_equal(comparison_exit_code(&pair->comparison, true), EXIT_OK);
    pair_release(pair);
}

/* Nothing else is in the new run: there is nothing to judge, and the failure is said all the same.
 */
TEST(failures_alone_are_a_comparison) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    add_seconds(&pair->before, SEQ, 1);
    Status status = measured_run_add_untimed(&pair->now, SEQ, true, "wrong");
    assert_ok(status);
    status = measured_run_add_untimed(&pair->now, COPY, true, "wrong too"); /* in no old run */
    assert_ok(status);
    status = comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison);
    assert_ok(status);
    assert_int_equal(pair->comparison.count, 2);
    assert_string_equal(failure_of(pair, COPY)->why, "wrong too");
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_WRONG);
    pair_release(pair);
}

/* One value proves neither a change nor that there is none. */
TEST(aggregates_decide_nothing) {
    RecordedPair *pair = compare_recorded("google_old", "google_aggregates", false);
    assert_int_equal(judgement_of(pair, "BM_copy/64")->change, CHANGE_UNDECIDED);
    assert_int_equal(judgement_of(pair, "BM_sort/1024")->change, CHANGE_UNDECIDED);
    assert_says(judgement_of(pair, "BM_sort/1024")->why,
                "the new file has aggregates alone, without --benchmark_report_aggregates_only");
    pair_release(pair);
}

TEST(accepted_regressions_are_no_failure) {
    RecordedPair *pair = compare_recorded("base", "slower10", false);
    Comparison *comparison = &pair->comparison;
    assert_int_equal(comparison_accept(comparison, "lbp/omp/*", "another cell"), 0);
    assert_int_equal(comparison_accept(comparison, "lbp/seq/*", "a cell that is the same"), 0);
    assert_int_equal(comparison_exit_code(comparison, true), EXIT_REGRESSION);
    assert_int_equal(comparison_accept(comparison, "lbp/*1080p", "the reason"), 1);
    assert_int_equal(comparison->changes[CHANGE_SLOWER], 0);
    assert_int_equal(comparison->changes[CHANGE_ACCEPTED], 1);
    assert_int_equal(judgement_of(pair, SIMD)->change, CHANGE_ACCEPTED);
    assert_string_equal(judgement_of(pair, SIMD)->why, "the reason");
    assert_int_equal(comparison_exit_code(comparison, true), EXIT_OK);
    pair_release(pair);
}

/* Both runs have the same cells, of eight launches each. */
TEST(joined_runs_have_the_launches_of_both) {
    MeasuredRun *runs = calloc(3, sizeof *runs);
    read_recorded("base", &runs[0]);
    read_recorded("again", &runs[1]);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(measured_run_join(&runs[2], &runs[i]));
    }
    assert_int_equal(runs[2].count, runs[0].count);
    const Status same = machine_comparable(&runs[2].machine, &runs[0].machine);
    assert_true(status_is_ok(&same) && runs[2].machine.count > 0);
    const MeasuredCell *cells[] = {measured_run_find(&runs[0], SEQ),
                                   measured_run_find(&runs[1], SEQ),
                                   measured_run_find(&runs[2], SEQ)};
    assert_int_equal(cells[2]->launch_count, cells[0]->launch_count + cells[1]->launch_count);
    assert_int_equal(cells[2]->sample_count, cells[0]->sample_count + cells[1]->sample_count);
    assert_string_equal(cells[2]->hash, cells[0]->hash);
    for (size_t i = 1; i < cells[2]->launch_count; i++) {
        assert_true(cells[2]->launches[i - 1] <= cells[2]->launches[i]);
    }
    assert_true(cells[2]->median >= fmin(cells[0]->median, cells[1]->median));
    assert_true(cells[2]->median <= fmax(cells[0]->median, cells[1]->median));
    for (size_t i = 0; i < 3; i++) {
        measured_run_release(&runs[i]);
    }
    free(runs);
}
