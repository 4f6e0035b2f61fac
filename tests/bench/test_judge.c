/* The rule of a single cell, one missing proof at a time. */
#include "base.h"
#include "bench/compare_fixture.h"

enum { SAMPLES = 15 };

/* Evenly spread around the median, `spread` of it from end to end. */
static Samples even(double *seconds, size_t count, double median, double spread) {
    for (size_t i = 0; i < count; i++) {
        const double place = count > 1 ? (double)i / (double)(count - 1) - 0.5 : 0;
        seconds[i] = median * (1 + spread * place);
    }
    return (Samples){.seconds = seconds, .count = count};
}

typedef struct Case {
    double ratio, spread, noise_floor;
    size_t count, cells;
} Case;

static CellJudgement judge(const Case *given) {
    double before[SAMPLES];
    double now[SAMPLES];
    const Samples old_samples = even(before, given->count, 1e-3, given->spread);
    const Samples new_samples = even(now, given->count, 1e-3 * given->ratio, given->spread);
    CellJudgement judgement;
    const Status status = judge_cell(&old_samples, &new_samples, &usual_criteria, given->cells,
                                     given->noise_floor, &judgement);
    assert_int_equal(status.code, STATUS_OK);
    return judgement;
}

static void check(const Case *given, CellChange change, const char *fragment) {
    const CellJudgement judgement = judge(given);
    if (judgement.change != change) {
        fail_msg("%s: %s", change_name(judgement.change), judgement.why);
    }
    check_has(judgement.why, fragment);
}

static void a_clear_change_is_proved(void **state) {
    (void)state;
    check(&(Case){1.10, 0.01, 0, SAMPLES, 1}, CHANGE_SLOWER, "");
    check(&(Case){1 / 1.10, 0.01, 0, SAMPLES, 1}, CHANGE_FASTER, "");
    check(&(Case){1.06, 0.001, 0, SAMPLES, 100}, CHANGE_SLOWER, "");
}

static void a_change_within_the_threshold_is_none(void **state) {
    (void)state;
    check(&(Case){1.04, 0.001, 0, SAMPLES, 1}, CHANGE_SAME, "");
    check(&(Case){1 / 1.04, 0.001, 0, SAMPLES, 1}, CHANGE_SAME, "");
    check(&(Case){1, 0.5, 0, SAMPLES, 1}, CHANGE_SAME, "");
}

static void the_interval_has_to_clear_the_threshold(void **state) {
    (void)state;
    check(&(Case){1.06, 0.05, 0, SAMPLES, 1}, CHANGE_AMBIGUOUS,
          "reaches below the threshold of 5%");
    check(&(Case){1 / 1.06, 0.05, 0, SAMPLES, 1}, CHANGE_AMBIGUOUS, "reaches below the threshold");
}

static void p_has_to_be_small(void **state) {
    (void)state;
    check(&(Case){1.10, 0.5, 0, SAMPLES, 1}, CHANGE_AMBIGUOUS, "p is ");
}

/* 8 against 8 samples: the least p is 2 / C(16, 8) = 2 / 12870 = 0.000155. */
static void alpha_is_shared_by_all_cells(void **state) {
    (void)state;
    check(&(Case){1.10, 0.01, 0, 8, 64}, CHANGE_SLOWER, "");
    check(&(Case){1.10, 0.01, 0, 8, 65}, CHANGE_AMBIGUOUS,
          "8 old and 8 new samples cannot give a p below 0.00016, 0.00015 is needed");
}

static void the_noise_floor_has_to_be_exceeded(void **state) {
    (void)state;
    check(&(Case){1.10, 0.01, 0.09, SAMPLES, 1}, CHANGE_SLOWER, "");
    check(&(Case){1.10, 0.01, 0.11, SAMPLES, 1}, CHANGE_AMBIGUOUS, "noise floor of this machine");
    check(&(Case){1 / 1.10, 0.01, 0.09, SAMPLES, 1}, CHANGE_FASTER, "");
    check(&(Case){1 / 1.10, 0.01, 0.11, SAMPLES, 1}, CHANGE_AMBIGUOUS, "noise floor");
    /* By the ratio: its interval, here from 1.07 or so on, may reach below the floor. */
    const Case wide = {1.10, 0.06, 0.095, SAMPLES, 1};
    assert_true(judge(&wide).ratio.low < 1.095);
    check(&wide, CHANGE_SLOWER, "");
}

static void few_samples_prove_nothing(void **state) {
    (void)state;
    check(&(Case){1.5, 0.01, 0, 6, 1}, CHANGE_SLOWER, "");
    check(&(Case){1.5, 0.01, 0, 5, 1}, CHANGE_AMBIGUOUS, "5 old and 5 new samples; 6 on each side");
    check(&(Case){1, 0.01, 0, 1, 1}, CHANGE_AMBIGUOUS, "1 old and 1 new samples");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_change_is_proved),
        cmocka_unit_test(a_change_within_the_threshold_is_none),
        cmocka_unit_test(the_interval_has_to_clear_the_threshold),
        cmocka_unit_test(p_has_to_be_small),
        cmocka_unit_test(alpha_is_shared_by_all_cells),
        cmocka_unit_test(the_noise_floor_has_to_be_exceeded),
        cmocka_unit_test(few_samples_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
