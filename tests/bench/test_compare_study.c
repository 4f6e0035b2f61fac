/*
 * How often the rule of `bench compare` is wrong, on simulated times with known truth.
 *
 *   test_compare_study            the two limits that have to hold, as tests
 *   test_compare_study --table    the whole study as Markdown, which is reports/compare-study.md
 *
 * A time is median · (1 + shift) · (1 + noise · z), z normal; one in ten is interrupted and takes
 * 2 · noise · (u^(-2/3) - 1) of the median longer, u uniform: a Pareto tail without a variance. The
 * shift is the same for all times of a run and normal too, as memory layout and neighbours make it.
 */
#include <math.h>
#include <string.h>

#include "base_internal.h"
#include "bench/compare_fixture.h"
#include "random.h"

enum { RUNS = 1000, SAMPLES_MAX = 30 };

static const double pi = 3.14159265358979323846;

typedef struct Setting {
    double noise;       /* relative standard deviation without interruptions */
    double shift;       /* of runs, relative standard deviation */
    double slowdown;    /* the truth: new median / old median - 1 */
    double noise_floor; /* as stored */
    size_t samples;     /* of each side */
} Setting;

static double normal(Random *random) {
    const double radius = sqrt(-2 * log(random_unit(random)));
    return radius * cos(2 * pi * random_unit(random));
}

static double relative_time(Random *random, double noise) {
    double time = 1 + noise * normal(random);
    if (random_unit(random) < 0.1) {
        time += 2 * noise * (pow(random_unit(random), -2.0 / 3) - 1);
    }
    return fmax(time, 0.05);
}

static Samples simulate(Random *random, const Setting *setting, double median, double *seconds) {
    const double shifted = median * (1 + setting->shift * normal(random));
    for (size_t i = 0; i < setting->samples; i++) {
        seconds[i] = shifted * relative_time(random, setting->noise);
    }
    return (Samples){.seconds = seconds, .count = setting->samples};
}

/* Shares of RUNS comparisons, each of a single cell: with more cells each is held to less. */
typedef struct Shares {
    double slower, ambiguous;
} Shares;

/* One comparison; its seed is its number, so that the order in which they are made is no matter. */
static CellChange compare_once(const Setting *setting, uint64_t number) {
    Random random;
    random_seed(&random, 20260101 + number);
    double before[SAMPLES_MAX];
    double now[SAMPLES_MAX];
    const Samples old_samples = simulate(&random, setting, 1e-3, before);
    const Samples new_samples = simulate(&random, setting, 1e-3 * (1 + setting->slowdown), now);
    CellJudgement judgement;
    const Status status = judge_cell(&old_samples, &new_samples, &usual_criteria, 1,
                                     setting->noise_floor, &judgement);
    return status_is_ok(&status) ? judgement.change : CHANGE_COUNT;
}

static Shares study(const Setting *setting) {
    size_t slower = 0;
    size_t ambiguous = 0;
    size_t broken = 0;
#pragma omp parallel for reduction(+ : slower, ambiguous, broken)
    for (int i = 0; i < RUNS; i++) {
        const CellChange change = compare_once(setting, (uint64_t)i);
        slower += change == CHANGE_SLOWER;
        ambiguous += change == CHANGE_AMBIGUOUS;
        broken += change == CHANGE_COUNT;
    }
    assert_int_equal(broken, 0);
    return (Shares){.slower = (double)slower / RUNS, .ambiguous = (double)ambiguous / RUNS};
}

static void false_alarms_are_rare(void **state) {
    (void)state;
    const Shares shares = study(&(Setting){.noise = 0.05, .samples = 15});
    if (shares.slower > 0.01) {
        fail_msg("%g of A/A comparisons are called slower", shares.slower);
    }
}

static void a_tenth_slower_is_found(void **state) {
    (void)state;
    const Shares shares = study(&(Setting){.noise = 0.02, .slowdown = 0.10, .samples = 15});
    if (shares.slower < 0.95) {
        fail_msg("only %g of the slowdowns are found", shares.slower);
    }
}

/* --- The tables ------------------------------------------------------------------------------ */

static const double noises[] = {0.01, 0.02, 0.05, 0.10};
static const double slowdowns[] = {0.05, 0.07, 0.10, 0.20};
static const size_t sample_counts[] = {6, 15, 30};
#define COUNT(array) (sizeof(array) / sizeof *(array))

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

static void print_false_alarms(void) {
    printf("## False alarms: nothing has changed\n\n| noise |");
    for (size_t i = 0; i < COUNT(sample_counts); i++) {
        printf(" %zu samples |", sample_counts[i]);
    }
    print_rule(COUNT(sample_counts));
    for (size_t n = 0; n < COUNT(noises); n++) {
        printf("\n| %g%% |", 100 * noises[n]);
        for (size_t i = 0; i < COUNT(sample_counts); i++) {
            const Shares shares =
                study(&(Setting){.noise = noises[n], .samples = sample_counts[i]});
            print_cell(&shares);
        }
    }
}

static void print_shifted(void) {
    printf("\n\n## False alarms when whole runs are shifted\n\n"
           "15 samples, noise of 2%%. No test on the samples of two runs can know of a shift "
           "between\nthe runs; the noise floor does. Here it is 2.83 standard deviations of the "
           "shift, that is 2 of\nthe difference of two runs.\n\n"
           "| shift | no noise floor stored | noise floor stored |\n|---:|---:|---:|");
    for (size_t i = 0; i < COUNT(noises); i++) {
        Setting setting = {.noise = 0.02, .shift = noises[i], .samples = 15};
        printf("\n| %g%% |", 100 * noises[i]);
        Shares shares = study(&setting);
        print_cell(&shares);
        setting.noise_floor = 2 * sqrt(2) * noises[i];
        shares = study(&setting);
        print_cell(&shares);
    }
}

static void print_slowdown_heading(const char *first) {
    printf("| %s |", first);
    for (size_t i = 0; i < COUNT(slowdowns); i++) {
        printf(" %g%% slower |", 100 * slowdowns[i]);
    }
    print_rule(COUNT(slowdowns));
}

static void print_slowdowns(Setting setting) {
    for (size_t i = 0; i < COUNT(slowdowns); i++) {
        setting.slowdown = slowdowns[i];
        const Shares shares = study(&setting);
        print_cell(&shares);
    }
}

static void print_power(void) {
    printf("\n\n## Power: the new run is slower\n\n15 samples on each side:\n\n");
    print_slowdown_heading("noise");
    for (size_t i = 0; i < COUNT(noises); i++) {
        printf("\n| %g%% |", 100 * noises[i]);
        print_slowdowns((Setting){.noise = noises[i], .samples = 15});
    }
    printf("\n\nNoise of 2%%:\n\n");
    print_slowdown_heading("samples");
    for (size_t i = 0; i < COUNT(sample_counts); i++) {
        printf("\n| %zu |", sample_counts[i]);
        print_slowdowns((Setting){.noise = 0.02, .samples = sample_counts[i]});
    }
    printf("\n");
}

static void print_study(void) {
    printf("# How often `bench compare` is wrong\n\n"
           "Printed by `build/tests/test_compare_study --table`: simulated times with known truth, "
           "seeded.\nEach number is the share of %d comparisons that call the cell slower, and in "
           "brackets the share\nthat call it ambiguous; alpha 0.01 with one cell compared, "
           "threshold 5%%. Noise is the relative\nstandard deviation of the undisturbed times; one "
           "time in ten is disturbed and longer, with a\nPareto tail (exponent 1.5).\n\n",
           RUNS);
    print_false_alarms();
    print_shifted();
    print_power();
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_study();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_are_rare),
        cmocka_unit_test(a_tenth_slower_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
