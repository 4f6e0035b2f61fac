/*
 * How often the rule of `bench compare` is wrong, on simulated launches with known truth.
 *
 *   test_compare_study            the limits that have to hold, as tests
 *   test_compare_study --table    the whole study as Markdown, which is reports/compare-study.md
 *
 * A time is median · (1 + slowdown) · exp(spread · z) · (1 + noise · z), z normal: exp(spread · z)
 * is the same for all times of a launch, as memory layout and neighbours make it. One time in ten
 * is interrupted and takes 2 · noise · (u^(-2/3) - 1) of the median longer, u uniform: a Pareto
 * tail without a variance.
 */
#include <math.h>
#include <string.h>

#include "base_internal.h"
#include "bench/compare_fixture.h"
#include "random.h"
#include "test.h"

enum { PAIRS = 2000, LAUNCHES_SIMULATED = 12, SAMPLES = 9, CELLS_MAX = 10 };

static const double noise = 0.02;

typedef struct Setting {
    double spread; /* from launch to launch, standard deviation of the logarithm */
    double
        slowdown; /* the truth of the first cell: new median / old median - 1; the others: none */
    size_t launches; /* a side */
    size_t cells;
} Setting;

static double relative_time(Random *random) {
    double time = 1 + noise * random_normal(random);
    if (random_unit(random) < 0.1) {
        time += 2 * noise * (pow(random_unit(random), -2.0 / 3) - 1);
    }
    return fmax(time, 0.05);
}

static MeasuredCell simulate(Random *random, const Setting *setting, double median,
                             double launches[LAUNCHES_SIMULATED]) {
    for (size_t i = 0; i < setting->launches; i++) {
        const double level = median * exp(setting->spread * random_normal(random));
        double times[SAMPLES];
        for (size_t sample = 0; sample < SAMPLES; sample++) {
            times[sample] = level * relative_time(random);
        }
        launches[i] = median_in_place(times, SAMPLES);
    }
    return (MeasuredCell){.launches = launches,
                          .launch_count = setting->launches,
                          .median = median_in_place(launches, setting->launches)};
}

static CellJudgement judge_simulated(const Setting *setting, double slowdown, uint64_t seed) {
    Random random;
    random_seed(&random, seed);
    double before[LAUNCHES_SIMULATED];
    double now[LAUNCHES_SIMULATED];
    const MeasuredCell old_cell = simulate(&random, setting, 1e-3, before);
    const MeasuredCell new_cell = simulate(&random, setting, 1e-3 * (1 + slowdown), now);
    CellJudgement judgement;
    const Status status =
        judge_cell(&old_cell, &new_cell, &usual_criteria, setting->cells, &judgement);
    judgement.change = status_is_ok(&status) ? judgement.change : CHANGE_COUNT;
    return judgement;
}

/* Shares of PAIRS comparisons. */
typedef struct Shares {
    double slower,
        ambiguous;  /* a cell is: of all cells when there is no slowdown, else the first */
    double covered; /* the interval of the first cell's ratio holds the truth */
} Shares;

/* The seed of a comparison is its number, so that the order in which they are made is no matter. */
static Shares study(const Setting *setting) {
    size_t slower = 0;
    size_t ambiguous = 0;
    size_t covered = 0;
    size_t broken = 0;
    const double truth = 1 + setting->slowdown;
    const size_t looked_at = setting->slowdown > 0 ? 1 : setting->cells;
#pragma omp parallel for reduction(+ : slower, ambiguous, covered, broken)
    for (int i = 0; i < PAIRS; i++) {
        bool changes[CHANGE_COUNT + 1] = {false};
        for (size_t cell = 0; cell < looked_at; cell++) {
            const CellJudgement judgement = judge_simulated(
                setting, setting->slowdown, 20260101 + (uint64_t)i * CELLS_MAX + cell);
            changes[judgement.change] = true;
            covered += cell == 0 && judgement.ratio.low <= truth && truth <= judgement.ratio.high;
        }
        slower += changes[CHANGE_SLOWER];
        ambiguous += changes[CHANGE_AMBIGUOUS];
        broken += changes[CHANGE_COUNT];
    }
    assert_int_equal(broken, 0);
    return (Shares){.slower = (double)slower / PAIRS,
                    .ambiguous = (double)ambiguous / PAIRS,
                    .covered = (double)covered / PAIRS};
}

static const double spreads[] = {0.01, 0.03, 0.05, 0.10};
static const size_t cell_counts[] = {1, 10};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Slower is half of alpha, since faster is the other; 2000 comparisons of a share of 0.5% give more
 * than 1% with a probability below 0.3%. */
TEST(false_alarms_are_rarer_than_alpha) {
    for (size_t i = 0; i < COUNT(spreads); i++) {
        for (size_t c = 0; c < COUNT(cell_counts); c++) {
            const Shares shares =
                study(&(Setting){.spread = spreads[i], .launches = 8, .cells = cell_counts[c]});
            if (shares.slower > 0.01) {
                fail_msg("%g of A/A comparisons end with exit code 1, spread %g, %zu cells",
                         shares.slower, spreads[i], cell_counts[c]);
            }
        }
    }
}

/* An independent simulation of the launches alone, without samples, has 99.2% and 89.0%; the noise
 * within launches takes the rest. */
TEST(a_tenth_slower_is_found) {
    Setting setting = {.spread = 0.03, .slowdown = 0.10, .launches = 8, .cells = 1};
    const Shares one = study(&setting);
    setting.cells = 10;
    const Shares ten = study(&setting);
    if (one.slower < 0.98 || ten.slower < 0.85) {
        fail_msg("only %g and %g of the slowdowns are found", one.slower, ten.slower);
    }
}

/* The true level with eight launches is 95.01%; 2000 comparisons have a standard error of 0.5%. */
TEST(the_interval_covers_the_truth) {
    for (size_t i = 0; i < COUNT(spreads); i++) {
        const Shares shares =
            study(&(Setting){.spread = spreads[i], .slowdown = 0.10, .launches = 8, .cells = 1});
        if (shares.covered < 0.935 || shares.covered > 0.965) {
            fail_msg("%g of the intervals hold the truth, spread %g", shares.covered, spreads[i]);
        }
    }
}

/* --- The tables ------------------------------------------------------------------------------ */

static const double slowdowns[] = {0.05, 0.07, 0.10, 0.20};
static const size_t launch_counts[] = {1, 3, 6, 8, 12};

static void print_cell(const Shares *shares) {
    printf(" %.1f%% (%.1f%%) |", 100 * shares->slower, 100 * shares->ambiguous);
    fflush(stdout);
}

static void print_rule(size_t columns) {
    printf("\n|---:|");
    for (size_t i = 0; i < columns; i++) {
        printf("---:|");
    }
}

static void print_launches(double slowdown, size_t cells) {
    printf("| spread |");
    for (size_t i = 0; i < COUNT(launch_counts); i++) {
        printf(" %zu launch%s |", launch_counts[i], launch_counts[i] == 1 ? "" : "es");
    }
    print_rule(COUNT(launch_counts));
    for (size_t s = 0; s < COUNT(spreads); s++) {
        printf("\n| %g%% |", 100 * spreads[s]);
        for (size_t i = 0; i < COUNT(launch_counts); i++) {
            const Shares shares = study(&(Setting){.spread = spreads[s],
                                                   .slowdown = slowdown,
                                                   .launches = launch_counts[i],
                                                   .cells = cells});
            print_cell(&shares);
        }
    }
    printf("\n\n");
}

static void print_slowdowns(size_t cells) {
    printf("| spread |");
    for (size_t i = 0; i < COUNT(slowdowns); i++) {
        printf(" %g%% slower |", 100 * slowdowns[i]);
    }
    print_rule(COUNT(slowdowns));
    for (size_t s = 0; s < COUNT(spreads); s++) {
        printf("\n| %g%% |", 100 * spreads[s]);
        for (size_t i = 0; i < COUNT(slowdowns); i++) {
            const Shares shares = study(&(Setting){
                .spread = spreads[s], .slowdown = slowdowns[i], .launches = 8, .cells = cells});
            print_cell(&shares);
        }
    }
    printf("\n\n");
}

static void print_study(void) {
    printf(
        "# How often `bench compare` is wrong\n\n"
        "Printed by `build/tests/tests_bench test_compare_study --table`: simulated launches with "
        "known truth,\nseeded. Each number is the share of %d comparisons that call a cell "
        "slower, which is exit code 1, and in\nbrackets the share that call one ambiguous; alpha "
        "0.01, threshold 5%%. Spread is the standard deviation\nof the launches' logarithms. A "
        "launch has %d samples with a noise of %g%%, of which one in ten is\ndisturbed and "
        "longer, with a Pareto tail (exponent 1.5).\n\n",
        PAIRS, SAMPLES, 100 * noise);
    printf("## False alarms: nothing has changed\n\nOne cell:\n\n");
    print_launches(0, 1);
    printf("Ten cells, any of them:\n\n");
    print_launches(0, 10);
    printf("## Power: the new program is slower\n\nBy 10%%, one cell compared:\n\n");
    print_launches(0.10, 1);
    printf("By 10%%, ten cells compared; six launches a side cannot reach a tenth of alpha:\n\n");
    print_launches(0.10, 10);
    printf("Eight launches a side, one cell compared:\n\n");
    print_slowdowns(1);
    printf("Eight launches a side, ten cells compared:\n\n");
    print_slowdowns(10);
}

ARGUMENTS(argc, argv) {
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_study();
        return 0;
    }
    return RUN_TESTS;
}
