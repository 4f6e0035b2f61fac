/* launches: what six launches say of the next one, on simulated machines whose truth is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"
#include "random.h"

/* --- Machines ------------------------------------------------------------------------------------
 */

enum { TURNS = 8, TURN_SAMPLES = 5, SAMPLES = TURNS * TURN_SAMPLES };

static double normal(Random *random) {
    return sqrt(-2 * log(1 - random_unit(random))) * cos(6.283185307179586 * random_unit(random));
}

/* How a machine's times vary, on logarithms. */
typedef struct Machine {
    const char *name;
    double launch, turn, sample; /* standard deviations */
    double memory;               /* of one sample for the next: AR(1) */
    double walk, drift;          /* a step's deviation; rise over a launch */
    double launch_mode;          /* half of the launches are so much slower */
    double sample_mode;          /* three of ten samples are so much slower */
    int freedom;                 /* of Student's t for samples; 0: normal */
    double exponential;          /* scale of what is added to a sample, never less than 0 */
} SimulatedMachine;

static const SimulatedMachine machines[] = {
    {.name = "independent", .sample = 0.02},
    {.name = "memory 0.5", .sample = 0.02, .memory = 0.5},
    {.name = "memory 0.9", .sample = 0.02, .memory = 0.9},
    {.name = "turns", .turn = 0.03, .sample = 0.01},
    {.name = "random walk", .sample = 0.005, .walk = 0.01},
    {.name = "modes of samples", .sample = 0.01, .sample_mode = 0.1},
    {.name = "modes of launches", .sample = 0.01, .launch_mode = 0.12},
    {.name = "launches", .launch = 0.05, .sample = 0.01},
    {.name = "launches and turns", .launch = 0.05, .turn = 0.03, .sample = 0.01},
    {.name = "heavy tails", .sample = 0.02, .freedom = 2},
    {.name = "Cauchy", .sample = 0.02, .freedom = 1},
    {.name = "drift", .launch = 0.01, .sample = 0.01, .drift = 0.1},
    {.name = "skewed", .sample = 0.005, .exponential = 0.05},
};

enum { MACHINES = sizeof machines / sizeof machines[0] };

static double student(Random *random, int freedom) {
    double squares = 0;
    for (int i = 0; i < freedom; i++) {
        const double x = normal(random);
        squares += x * x;
    }
    return normal(random) / sqrt(squares / freedom);
}

/* Medians of two lanes in one launch: what slows launch and turn slows both. */
static void launch(const SimulatedMachine *machine, Random *random, double medians[2]) {
    double values[2][SAMPLES];
    const double level =
        machine->launch * normal(random) + (random_unit(random) < 0.5 ? machine->launch_mode : 0);
    double walk = 0;
    double before[2] = {normal(random), normal(random)};
    for (int i = 0, t = 0; t < TURNS; t++) {
        const double turn = machine->turn * normal(random);
        for (int s = 0; s < TURN_SAMPLES; s++, i++) {
            walk += machine->walk * normal(random);
            for (int lane = 0; lane < 2; lane++) {
                const double fresh =
                    machine->freedom > 0 ? student(random, machine->freedom) : normal(random);
                before[lane] = machine->memory * before[lane] +
                               sqrt(1 - machine->memory * machine->memory) * fresh;
                double value = level + turn + walk + machine->sample * before[lane] +
                               machine->drift * i / SAMPLES;
                value += random_unit(random) < 0.3 ? machine->sample_mode : 0;
                value -= machine->exponential * log(1 - random_unit(random));
                values[lane][i] = exp(value);
            }
        }
    }
    medians[0] = median_in_place(values[0], SAMPLES);
    medians[1] = 3 * median_in_place(values[1], SAMPLES);
}

enum { TRUTH_LAUNCHES = 4001, RUNS = 1500 };

typedef struct Truth {
    double median, ratio;
} Truth;

static Truth truth_of(const SimulatedMachine *machine, Random *random) {
    static double times[TRUTH_LAUNCHES], ratios[TRUTH_LAUNCHES];
    for (int i = 0; i < TRUTH_LAUNCHES; i++) {
        double medians[2];
        launch(machine, random, medians);
        times[i] = medians[0];
        ratios[i] = medians[1] / medians[0];
    }
    return (Truth){median_in_place(times, TRUTH_LAUNCHES), median_in_place(ratios, TRUTH_LAUNCHES)};
}

typedef struct Coverage {
    double time, ratio;
} Coverage;

static Coverage cover(const SimulatedMachine *machine, size_t launches) {
    Random random;
    random_seed(&random, 7);
    const Truth truth = truth_of(machine, &random);
    int times = 0;
    int ratios = 0;
    for (int run = 0; run < RUNS; run++) {
        double bottom[LAUNCHES_MAX];
        double top[LAUNCHES_MAX];
        for (size_t l = 0; l < launches; l++) {
            double medians[2];
            launch(machine, &random, medians);
            bottom[l] = medians[0];
            top[l] = medians[1];
        }
        const LaunchSummary time = launches_summarize(bottom, launches);
        const LaunchSummary ratio = launches_ratio(top, bottom, launches);
        times += time.low <= truth.median && truth.median <= time.high;
        ratios += ratio.low <= truth.ratio && truth.ratio <= ratio.high;
    }
    return (Coverage){(double)times / RUNS, (double)ratios / RUNS};
}

static void check_coverage(size_t launches, double least, double most) {
    for (size_t i = 0; i < MACHINES; i++) {
        const Coverage coverage = cover(&machines[i], launches);
        print_message("%zu launches, %s: time %.3f, ratio %.3f\n", launches, machines[i].name,
                      coverage.time, coverage.ratio);
        assert_true(coverage.time >= least && coverage.time <= most);
        assert_true(coverage.ratio >= least && coverage.ratio <= most);
    }
}

static void six_launches_cover_95_percent(void **state) {
    (void)state;
    check_coverage(6, 0.93, 0.985);
}

static void five_launches_cover_less(void **state) {
    (void)state;
    check_coverage(5, 0.92, 0.97);
}

/* --- Summaries -----------------------------------------------------------------------------------
 */

static void a_summary_is_of_order_statistics(void **state) {
    (void)state;
    const double values[] = {5, 1, 9, 3, 7, 11, 2, 8, 6};
    const LaunchSummary nine = launches_summarize(values, 9); /* second to eighth */
    assert_true(nine.is_interval);
    assert_true(nine.median == 6 && nine.low == 2 && nine.high == 9);
    const LaunchSummary six = launches_summarize(values, 6);
    assert_true(six.is_interval && six.low == 1 && six.high == 11 && six.median == 6);
    const LaunchSummary five = launches_summarize(values, 5);
    assert_true(!five.is_interval && five.low == 1 && five.high == 9 && five.median == 5);
    const LaunchSummary one = launches_summarize(values, 1);
    assert_true(one.launches == 1 && isnan(one.spread));
    assert_true(isnan(launches_summarize(values, 0).median));
    const double two[] = {1, exp(0.2)};
    assert_true(fabs(launches_summarize(two, 2).spread - 0.2 / sqrt(2)) < 1e-12);
}

/* Each launch halves or doubles both times: the ratio does not notice. */
static void a_ratio_is_formed_within_each_launch(void **state) {
    (void)state;
    const double bottom[] = {1, 2, 4, 1, 2, 4};
    const double top[] = {3, 6, 12, 3, 6, 12};
    const LaunchSummary ratio = launches_ratio(top, bottom, 6);
    assert_true(ratio.low == 3 && ratio.high == 3 && ratio.spread == 0);
}

static void the_winner_is_chosen_by_the_other_launches(void **state) {
    (void)state;
    const double a[] = {1, 5, 5};
    const double b[] = {4, 4, 4};
    const double none[] = {NAN, NAN, NAN};
    const double *const lanes[] = {none, a, b};
    double median = 0;
    assert_int_equal(launches_winner(lanes, 3, 3, 3, &median), 2);
    assert_true(median == 4);
    assert_int_equal(launches_winner(lanes, 3, 3, 0, NULL), 2); /* a's luck does not count */
    assert_int_equal(launches_winner(lanes, 3, 3, 1, &median), 1);
    assert_true(median == 3);
    assert_int_equal(launches_winner(lanes, 1, 3, 3, NULL), 1);
}

/* --- Within a launch -----------------------------------------------------------------------------
 */

enum { LONG = 40000 };

static double values[LONG];
static SampleOrigin turns[LONG];

/* AR(1) with factor f: 1 + 2·(f + f² + …) = (1 + f) / (1 - f). */
static void correlation_time_of_a_known_process(void **state) {
    (void)state;
    Random random;
    random_seed(&random, 3);
    double before = 0;
    for (size_t i = 0; i < LONG; i++) {
        values[i] = normal(&random);
    }
    assert_true(correlation_time(values, LONG) < 1.1);
    for (size_t i = 0; i < LONG; i++) {
        values[i] = before = 0.5 * before + normal(&random);
    }
    assert_true(fabs(correlation_time(values, LONG) / 3 - 1) < 0.1);
    for (size_t i = 0; i < LONG; i++) {
        values[i] = i % 2 == 0 ? 1 : -1; /* neighbours differ: no less than independent */
    }
    assert_true(correlation_time(values, LONG) == 1);
    assert_true(correlation_time(values, 1) == 1);
}

/* By hand: turns {1, 3} and {5, 7}: between 16, within (2 + 2) / 2 = 2, so (16 - 2) / (16 + 2). */
static void turn_correlation_by_hand(void **state) {
    (void)state;
    const double few[] = {1, 3, 5, 7};
    const SampleOrigin pairs[] = {{0, 0}, {0, 0}, {0, 1}, {0, 1}};
    const SampleOrigin one[] = {{0, 4}, {0, 4}, {0, 4}, {0, 4}};
    const SampleOrigin four[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
    double size = 0;
    assert_true(fabs(turn_correlation(few, pairs, 4, &size) - 7.0 / 9) < 1e-12);
    assert_true(size == 2);
    assert_true(turn_correlation(few, one, 4, &size) == 0 && size == 4);
    assert_true(turn_correlation(few, four, 4, &size) == 0 && size == 1);
}

/* Turns of 10 samples with half of the variance between them: 1 + 9·0.5. */
static void samples_of_a_turn_count_for_few(void **state) {
    (void)state;
    Random random;
    random_seed(&random, 5);
    double level = 0;
    for (size_t i = 0; i < LONG; i++) {
        level = i % 10 == 0 ? normal(&random) : level;
        values[i] = level + normal(&random);
        turns[i].turn = (uint32_t)(i / 10);
    }
    double size = 0;
    assert_true(fabs(turn_correlation(values, turns, LONG, &size) - 0.5) < 0.03);
    const double tau = samples_tau(values, turns, LONG);
    assert_true(fabs(tau / 5.5 - 1) < 0.15);
}

static void ranks_widen_with_tau(void **state) {
    (void)state;
    size_t low = 0;
    size_t high = 0;
    assert_true(run_interval_ranks(100, 1, &low, &high)); /* (100 - 19.6) / 2 = 40.2 */
    assert_true(low == 40 && high == 61);
    assert_true(run_interval_ranks(100, 4, &low, &high)); /* (100 - 39.2) / 2 = 30.4 */
    assert_true(low == 30 && high == 71);
    assert_false(run_interval_ranks(15, 4, &low, &high));
}

/* Launches of two runs: 2^0, 2^10 … over 2^0, 2^1 …, so that the ratios in their order are 2^-(m-1)
 * … 2^0, 2^(10-(m-1)) … 2^10 and so on. Of 6 and 6 launches printed tables of the two-sided
 * Mann-Whitney test at 5% reject up to U = 5, of 8 and 8 up to 13, of 6 and 8 up to 8. */
static void launches_of_two_runs_have_the_interval_of_the_rank_test(void **state) {
    (void)state;
    const struct {
        size_t n, m;
        double low, high; /* powers of 2 */
        bool extremes;
    } cases[] = {{6, 6, 0, 45, false},
                 {8, 8, 8, 55, false},
                 {6, 8, 3, 40, false},
                 {5, 6, -5, 40, true},
                 {1, 2, -1, 0, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double above[9], below[9];
        for (size_t i = 0; i < cases[c].n; i++) {
            above[i] = ldexp(1, 10 * (int)((i * 7) % cases[c].n));
        }
        for (size_t i = 0; i < cases[c].m; i++) {
            below[i] = ldexp(1, (int)i);
        }
        above[cases[c].n] = NAN; /* a launch that did not measure it */
        Ratio ratio;
        double level = 0;
        const Status status =
            launches_ratio_between(above, cases[c].n + 1, below, cases[c].m, &ratio, &level);
        assert_int_equal(status.code, STATUS_OK);
        assert_int_equal(ratio.extremes, cases[c].extremes);
        assert_int_equal(isnan(level), cases[c].extremes);
        assert_true(ratio.low == ldexp(1, (int)cases[c].low));
        assert_true(ratio.high == ldexp(1, (int)cases[c].high));
        assert_true(ratio.low <= ratio.value && ratio.value <= ratio.high);
    }
    Ratio none;
    const double nothing = NAN;
    double level = 0;
    const Status status = launches_ratio_between(&nothing, 1, &nothing, 1, &none, &level);
    assert_int_equal(status.code, STATUS_OK);
    assert_true(isnan(none.value) && isnan(none.low));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_of_order_statistics),
        cmocka_unit_test(a_ratio_is_formed_within_each_launch),
        cmocka_unit_test(launches_of_two_runs_have_the_interval_of_the_rank_test),
        cmocka_unit_test(the_winner_is_chosen_by_the_other_launches),
        cmocka_unit_test(correlation_time_of_a_known_process),
        cmocka_unit_test(turn_correlation_by_hand),
        cmocka_unit_test(samples_of_a_turn_count_for_few),
        cmocka_unit_test(ranks_widen_with_tau),
        cmocka_unit_test(six_launches_cover_95_percent),
        cmocka_unit_test(five_launches_cover_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
