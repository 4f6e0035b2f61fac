/* The rule of a single cell, one missing proof at a time. */
#include "bench/compare_fixture.h"
#include "test.h"
#include "two_runs.h"

enum { MOST = 64 };

/* Launches evenly spread around the median, `spread` of it from end to end. */
static MeasuredCell even(double *launches, size_t count, double median, double spread) {
    for (size_t i = 0; i < count; i++) {
        const double place = count > 1 ? (double)i / (double)(count - 1) - 0.5 : 0;
        launches[i] = median * (1 + spread * place);
    }
    return (MeasuredCell){.launches = launches, .launch_count = count, .median = median};
}

typedef struct Case {
    double ratio, spread;
    size_t before, now; /* launches */
    size_t cells;
} Case;

static CellJudgement judge(const Case *given) {
    double before[MOST];
    double now[MOST];
    const MeasuredCell old_cell = even(before, given->before, 1e-3, given->spread);
    const MeasuredCell new_cell = even(now, given->now, 1e-3 * given->ratio, given->spread);
    return judge_among(&old_cell, &new_cell, &usual_criteria, given->cells);
}

static void check(const Case *given, CellChange change, const char *fragment) {
    const CellJudgement judgement = judge(given);
    if (judgement.change != change) {
        fail_msg("%s: %s", change_name(judgement.change), judgement.why);
    }
    assert_says(judgement.why, fragment);
}

TEST(a_clear_change_is_proved) {
    check(&(Case){1.10, 0.01, 8, 8, 1}, CHANGE_SLOWER, "");
    check(&(Case){1 / 1.10, 0.01, 8, 8, 1}, CHANGE_FASTER, "");
    check(&(Case){1.06, 0.001, 8, 8, 64}, CHANGE_SLOWER, "");
}

TEST(an_interval_within_the_threshold_is_the_same) {
    check(&(Case){1.04, 0.001, 8, 8, 1}, CHANGE_SAME, "");
    check(&(Case){1 / 1.04, 0.001, 8, 8, 1}, CHANGE_SAME, "");
}

/* Equality is shown, never assumed. */
TEST(an_interval_beyond_the_threshold_decides_nothing) {
    check(&(Case){1, 0.5, 8, 8, 1}, CHANGE_UNDECIDED, "% is not excluded; a change of ");
    check(&(Case){1.04, 0.05, 8, 8, 1}, CHANGE_UNDECIDED, "a change of 6.2% is not excluded");
    check(&(Case){1.04, 0.01, 1, 1, 1}, CHANGE_UNDECIDED, "there is no interval; 6 launches");
}

TEST(p_has_to_be_small) {
    check(&(Case){1.10, 0.5, 8, 8, 1}, CHANGE_UNDECIDED, "p is ");
    check(&(Case){1 / 1.10, 0.5, 8, 8, 1}, CHANGE_UNDECIDED, ", below 0.01 is needed");
}

/* What others do to a time makes it longer: it may hide that one is slower, never feign that it is
 * faster. */
TEST(a_disturbed_side_is_not_the_slower_one) {
    static const struct {
        double ratio;
        bool before, now; /* disturbed */
        CellChange change;
        const char *why;
    } cases[] = {
        {2, false, true, CHANGE_UNDECIDED, "the new time may be too long: other programs had"},
        {2, true, false, CHANGE_SLOWER, ""},
        {2, true, true, CHANGE_UNDECIDED, "the new time may be too long: other programs had"},
        {0.5, false, true, CHANGE_FASTER, ""},
        {0.5, true, false, CHANGE_UNDECIDED, "the old time may be too long: other programs had"},
        {0.5, true, true, CHANGE_UNDECIDED, "the old time may be too long: other programs had"},
        {1, false, true, CHANGE_UNDECIDED, "the new time may be too long: other programs had"},
        {1, true, false, CHANGE_UNDECIDED, "the old time may be too long: other programs had"},
        {1, false, false, CHANGE_SAME, ""},
        /* Beyond all that others may have had of it. */
        {2.2, false, true, CHANGE_SLOWER, ""},
        {1 / 2.2, true, false, CHANGE_FASTER, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double of_old[MOST], of_new[MOST];
        MeasuredCell before = even(of_old, 8, 1e-3, 0.001);
        MeasuredCell now = even(of_new, 8, 1e-3 * cases[i].ratio, 0.001);
        before.disturber = now.disturber = DISTURBER_PROGRAMS;
        before.undisturbed = 0.5e-3;
        now.undisturbed = 0.5e-3 * cases[i].ratio;
        before.disturbed = cases[i].before ? 4 : 3; /* half of its launches, or fewer */
        now.disturbed = cases[i].now ? 4 : 3;
        const CellJudgement judgement = judge_among(&before, &now, &usual_criteria, 1);
        assert_string_equal(change_name(judgement.change), change_name(cases[i].change));
        assert_says(judgement.why, cases[i].why);
    }
}

/* More launches may not help where the time is disturbed. */
TEST(too_few_launches_of_a_disturbed_time_are_two_reasons) {
    double of_old[MOST], of_new[MOST];
    MeasuredCell before = even(of_old, 3, 1e-3, 0.001);
    MeasuredCell now = even(of_new, 3, 2e-3, 0.001);
    before.disturber = now.disturber = DISTURBER_PROGRAMS;
    now.disturbed = 3;
    const CellJudgement judgement = judge_among(&before, &now, &usual_criteria, 1);
    assert_int_equal(judgement.change, CHANGE_UNDECIDED);
    assert_says(judgement.why, " launches a side can; and the new time may be too long: other "
                               "programs had the processors");
}

/* 8 against 8 launches: the least p is 2 / C(16, 8) = 2 / 12870 = 0.000155, and 9 against 9 reach
 * 2 / C(18, 9) = 2 / 48620. */
TEST(alpha_is_shared_by_all_cells) {
    check(&(Case){1.10, 0.01, 8, 8, 64}, CHANGE_SLOWER, "");
    check(&(Case){1.10, 0.01, 8, 8, 65}, CHANGE_UNDECIDED,
          "8 old and 8 new launches cannot give a p below 0.00016, below 0.00015 is needed; 9 "
          "launches a side can");
}

/* Holm: of 33 cells, 32 of which have p = 2 / C(16, 8) = 0.000155, the 33rd of p = 0.0030 is held
 * to 0.01 after them, not to 0.01 / 33. */
TEST(the_next_p_has_a_larger_limit) {
    enum { CELLS = 33 };
    double old_times[] = {100, 101, 102, 103, 104, 105, 106, 107};
    double new_times[] = {200, 201, 202, 203, 204, 205, 206, 207};
    /* Below four of the old ones: U = 4, of 12870 orders 12 have at most that. */
    double near_times[] = {106.5, 120, 121, 122, 123, 124, 125, 103.5};
    const MeasuredCell before = {.launches = old_times, .launch_count = 8, .median = 103.5};
    const MeasuredCell now = {.launches = new_times, .launch_count = 8, .median = 203.5};
    const MeasuredCell near = {.launches = near_times, .launch_count = 8, .median = 121.5};
    ComparedCell cells[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        cells[i] = (ComparedCell){.before = &before, .now = i > 0 ? &now : &near};
    }
    assert_ok(judge_cells(cells, CELLS, &usual_criteria));
    assert_int_equal(cells[0].judgement.change, CHANGE_SLOWER);
    assert_true(cells[0].judgement.difference.limit == 0.01);
    assert_true(cells[0].judgement.difference.p > 0.01 / CELLS);
    assert_int_equal(judge_among(&before, &near, &usual_criteria, CELLS).change, CHANGE_UNDECIDED);
}

/* In proportion: twice the spread, twice as much, until the threshold is what counts. */
TEST(more_is_found_with_less_spread) {
    const double wide = judge(&(Case){1, 0.4, 8, 8, 1}).difference.detectable;
    const double narrow = judge(&(Case){1, 0.2, 8, 8, 1}).difference.detectable;
    const double least = judge(&(Case){1, 1e-6, 8, 8, 1}).difference.detectable;
    assert_true(log(1 + wide) / log(1 + narrow) > 1.9 && log(1 + wide) / log(1 + narrow) < 2.1);
    assert_true(fabs(least - 0.05) < 1e-4);
    assert_true(isinf(judge(&(Case){1, 0.01, 4, 4, 1}).difference.detectable));
    assert_true(isnan(judge(&(Case){1, 0.01, 1, 1, 1}).difference.detectable));
}

/* Five against five reach 2 / C(10, 5) = 2 / 252 = 0.0079, four 2 / 70. */
TEST(few_launches_prove_nothing) {
    check(&(Case){1.5, 0.01, 5, 5, 1}, CHANGE_SLOWER, "");
    check(&(Case){1.5, 0.01, 4, 4, 1}, CHANGE_UNDECIDED, "; 5 launches a side can");
    check(&(Case){1.5, 0.01, 1, 64, 1}, CHANGE_UNDECIDED,
          "1 old and 64 new launches cannot give a p below 0.031");
    assert_int_equal(launches_needed(0.01), 5);
    assert_int_equal(launches_needed(0.01 / 64), 8);
    assert_int_equal(launches_needed(0), 0);
}

TEST(one_launch_a_side_is_undecided) {
    const CompareCriteria lax = {.alpha = 1, .threshold = 0};
    double times[] = {1, 100};
    const MeasuredCell before = {.launches = &times[0], .launch_count = 1, .median = 1};
    const MeasuredCell now = {.launches = &times[1], .launch_count = 1, .median = 100};
    const CellJudgement judgement = judge_among(&before, &now, &lax, 1);
    assert_int_equal(judgement.change, CHANGE_UNDECIDED);
    assert_true(judgement.difference.p == 1);
    check(&(Case){100, 0, 1, 1, 3}, CHANGE_UNDECIDED,
          "one launch a side does not show how far launches lie apart; 6 launches a side can");
}

/* 8 against 8 launches that lie apart, of which one side waited for its launches. */
TEST(times_with_and_without_launches_are_not_compared) {
    double old_times[] = {1, 1, 1, 1, 1, 1, 1, 1};
    double new_times[] = {2, 2, 2, 2, 2, 2, 2, 2};
    MeasuredCell before = {.launches = old_times, .launch_count = 8, .median = 1};
    const MeasuredCell now = {.launches = new_times, .launch_count = 8, .median = 2, .held = true};
    CellJudgement judgement = judge_among(&before, &now, &usual_criteria, 1);
    assert_int_equal(judgement.change, CHANGE_UNDECIDED);
    assert_string_equal(judgement.why,
                        "the old time includes waiting for the host to launch kernels, the "
                        "new one does not");
    before.held = true;
    judgement = judge_among(&before, &now, &usual_criteria, 1);
    assert_int_equal(judgement.change, CHANGE_SLOWER);
}

static void check_interval(const CellJudgement *judgement, double low, double high, double level) {
    if (fabs(judgement->difference.ratio.low - low) > 1e-12 ||
        fabs(judgement->difference.ratio.high - high) > 1e-12 ||
        fabs(judgement->difference.level - level) > 1e-12) {
        fail_msg("%.17g to %.17g at %.17g", judgement->difference.ratio.low,
                 judgement->difference.ratio.high, judgement->difference.level);
    }
}

/* The 36 ratios are 3·2^k, k = -5 … 5, each 6 - |k| times. Of 924 orders 19 have U of at most 5 and
 * 30 of at most 6, and 2.5% are 23.1: the sixth ratio from each end. */
TEST(the_interval_is_that_of_the_test) {
    double old_times[] = {1, 2, 4, 8, 16, 32};
    double new_times[] = {3, 6, 12, 24, 48, 96};
    const MeasuredCell before = {.launches = old_times, .launch_count = 6, .median = 6};
    const MeasuredCell now = {.launches = new_times, .launch_count = 6, .median = 18};
    const CellJudgement judgement = judge_among(&before, &now, &usual_criteria, 1);
    assert_true(fabs(judgement.difference.ratio.value - 3) < 1e-12);
    check_interval(&judgement, 3.0 / 8, 24, 1 - 38.0 / 924);
}

/* Old launches 1 … 8, new ones 1: the ratios are 1/8 … 1, each eight times. Of 12870 orders 321
 * have U of at most 13 and 418 of at most 14, and 2.5% are 321.75: the 14th ratio from each end. */
TEST(ranks_of_the_interval_with_eight_launches) {
    double old_times[] = {1, 2, 3, 4, 5, 6, 7, 8};
    double new_times[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const MeasuredCell before = {.launches = old_times, .launch_count = 8, .median = 4.5};
    const MeasuredCell now = {.launches = new_times, .launch_count = 8, .median = 1};
    const CellJudgement judgement = judge_among(&before, &now, &usual_criteria, 1);
    check_interval(&judgement, 1.0 / 7, 1.0 / 2, 1 - 642.0 / 12870);
}

TEST(five_launches_have_no_interval) {
    const CellJudgement judgement = judge(&(Case){1.10, 0.01, 5, 5, 1});
    assert_true(isnan(judgement.difference.ratio.low) && isnan(judgement.difference.ratio.high));
    assert_true(isnan(judgement.difference.level));
}
