/*
 * How often an interval over launches contains the truth, on simulated times of thirteen kinds.
 *
 *   test_launch_coverage            the limits that have to hold, as tests
 *   test_launch_coverage --table    the whole study as Markdown, for reports/coverage-study.md
 *
 * The logarithm of a time is an effect of its launch, one of its turn and one of its own. The truth
 * is the median of what launches say: the value that half of all further launches exceed. For any
 * of these processes least and greatest of n launches hold it with a probability of 1 - 2·(1/2)^n:
 * 96.9% for six, 93.8% for five.
 */
#include "machine_internal.h"
#include "number.h"
#include "random.h"
#include "sample_results.h"
#include "samples.h"
#include "spread_files.h"
#include "test.h"

enum { TURNS = 8, TURN_SAMPLES = 2, TRUTH_LAUNCHES = 10000, TABLE_RUNS = 10000 };

/* Simulated for each number. */
static int runs = 2000;

/* What an effect that is not normal belongs to. */
typedef enum Level { OF_NONE, OF_SAMPLES, OF_TURNS, OF_LAUNCHES } Level;

/* Standard deviations and heights of logarithms. */
typedef struct Process {
    const char *name;
    double sample, turn, launch;
    double ar;    /* correlation of neighbouring sample effects */
    double walk;  /* steps of a random walk that each launch starts anew */
    Level modes;  /* a tenth slower in one of three … */
    Level tails;  /* divided by √-ln u, u uniform: no variance */
    double drift; /* from the first to the last sample of each launch */
    double trend; /* from the first to the last launch */
} Process;

static const Process processes[] = {
    {.name = "independent, 2%", .sample = 0.02},
    {.name = "independent, 20%", .sample = 0.20},
    {.name = "AR(1) 0.5", .sample = 0.02, .ar = 0.5},
    {.name = "AR(1) 0.9", .sample = 0.02, .ar = 0.9},
    {.name = "turns differ by 5%", .sample = 0.01, .turn = 0.05},
    {.name = "random walk", .sample = 0.005, .walk = 0.01},
    {.name = "two modes of samples", .sample = 0.01, .modes = OF_SAMPLES},
    {.name = "two modes of turns", .sample = 0.01, .modes = OF_TURNS},
    {.name = "two modes of launches", .sample = 0.01, .modes = OF_LAUNCHES},
    {.name = "launches differ by 5%", .sample = 0.01, .launch = 0.05},
    {.name = "heavy tails of samples", .sample = 0.05, .tails = OF_SAMPLES},
    {.name = "heavy tails of launches", .sample = 0.01, .launch = 0.02, .tails = OF_LAUNCHES},
    {.name = "drift in launches and over the run",
     .sample = 0.01,
     .launch = 0.02,
     .drift = 0.10,
     .trend = 0.02},
};
enum { PROCESSES = sizeof processes / sizeof *processes };

/* === Simulation =============================================================================== */

static double effect(Random *random, const Process *process, Level level, double deviation) {
    double value = deviation * random_normal(random);
    if (process->tails == level) {
        value /= sqrt(-log(1 - random_unit(random)));
    }
    if (process->modes == level && random_unit(random) < 1.0 / 3) {
        value += log(1.1);
    }
    return value;
}

/* The effects that two cells of a launch share, since they take turns. */
typedef struct Shared {
    double launch, turns[TURNS];
} Shared;

static Shared draw_shared(Random *random, const Process *process) {
    Shared shared;
    shared.launch = effect(random, process, OF_LAUNCHES, process->launch);
    for (size_t turn = 0; turn < TURNS; turn++) {
        shared.turns[turn] = effect(random, process, OF_TURNS, process->turn);
    }
    return shared;
}

/* Appends one launch of one cell. What is shared is half of its variation. `trend` is the shift of
 * this launch. */
static void add_launch(Random *random, const Process *process, const Shared *shared, double trend,
                       uint32_t launch, Samples *samples) {
    const Shared own = draw_shared(random, process);
    const double half = shared != NULL ? sqrt(0.5) : 1;
    const double fresh = sqrt(1 - process->ar * process->ar);
    double noise = effect(random, process, OF_SAMPLES, process->sample);
    double walk = 0;
    for (uint32_t i = 0; i < TURNS * TURN_SAMPLES; i++) {
        const uint32_t turn = i / TURN_SAMPLES;
        double level = trend + half * (own.launch + own.turns[turn]);
        if (shared != NULL) {
            level += half * (shared->launch + shared->turns[turn]);
        }
        level += process->drift * ((double)i / (TURNS * TURN_SAMPLES - 1) - 0.5);
        samples->origin = (SampleOrigin){.launch = launch, .turn = turn};
        samples_add(samples, exp(level + walk + noise));
        noise = process->ar * noise + fresh * effect(random, process, OF_SAMPLES, process->sample);
        walk += process->walk * random_normal(random);
    }
}

static double shift_of(const Process *process, size_t launch, size_t launches) {
    return launches < 2 ? 0 : process->trend * ((double)launch / (double)(launches - 1) - 0.5);
}

/* The logarithm that half of many launches exceed. */
static double truth_of(const Process *process) {
    static double medians[TRUTH_LAUNCHES];
    Random random;
    random_seed(&random, 7);
    for (size_t i = 0; i < TRUTH_LAUNCHES; i++) {
        RELEASED_BY(samples_release) Samples samples = {0};
        double median[LAUNCHES_MAX];
        add_launch(&random, process, NULL, 0, 0, &samples);
        samples_launch_medians(&samples, median);
        medians[i] = log(median[0]);
    }
    return median_in_place(medians, TRUTH_LAUNCHES);
}

static bool holds(double low, double high, double truth) {
    return low <= truth && truth <= high;
}

/* Whether the interval of one run's median contains the truth. */
static bool run_holds(const Process *process, size_t launches, double truth, uint64_t seed) {
    Random random;
    Samples samples = {0};
    Summary summary;
    random_seed(&random, seed);
    for (uint32_t l = 0; l < launches; l++) {
        add_launch(&random, process, NULL, shift_of(process, l, launches), l, &samples);
    }
    summarize(&samples, &summary);
    samples_release(&samples);
    const bool five = launches < MEDIAN_INTERVAL_MIN && launches > 1;
    return five ? holds(summary.launch_low, summary.launch_high, exp(truth))
                : holds(summary.ci_low, summary.ci_high, exp(truth));
}

/* The same of the speedup of a cell that is three times as fast as another of the same launches. */
static bool ratio_holds(const Process *process, size_t launches, uint64_t seed) {
    Random random;
    Samples cells[2] = {{0}, {0}};
    double medians[2][LAUNCHES_MAX];
    random_seed(&random, seed);
    for (uint32_t l = 0; l < launches; l++) {
        const Shared shared = draw_shared(&random, process);
        for (size_t cell = 0; cell < 2; cell++) {
            add_launch(&random, process, &shared,
                       shift_of(process, l, launches) + (cell == 0 ? log(3) : 0), l, &cells[cell]);
        }
    }
    for (size_t cell = 0; cell < 2; cell++) {
        samples_launch_medians(&cells[cell], medians[cell]);
        samples_release(&cells[cell]);
    }
    const LaunchSummary ratio = launches_ratio(medians[0], medians[1], launches);
    return holds(ratio.low, ratio.high, 3);
}

static double coverage(const Process *process, size_t launches, bool of_ratio) {
    const double truth = of_ratio ? 0 : truth_of(process);
    int held = 0;
#pragma omp parallel for reduction(+ : held)
    for (int i = 0; i < runs; i++) {
        const uint64_t seed = 20261123 + (uint64_t)i;
        held += of_ratio ? ratio_holds(process, launches, seed)
                         : run_holds(process, launches, truth, seed);
    }
    return (double)held / runs;
}

/* === Limits =================================================================================== */

static void check(size_t launches, bool of_ratio, double least, double most) {
    for (size_t i = 0; i < PROCESSES; i++) {
        const double share = coverage(&processes[i], launches, of_ratio);
        if (share < least || share > most) {
            fail_msg("%s: %zu launches hold the truth %s in %.1f%%", processes[i].name, launches,
                     of_ratio ? "of the ratio" : "of the time", 100 * share);
        }
    }
}

TEST(six_launches_hold_a_time) {
    check(6, false, 0.93, 0.985);
}

TEST(six_launches_hold_a_ratio) {
    check(6, true, 0.93, 0.985);
}

TEST(five_launches_hold_a_time) {
    check(5, false, 0.92, 0.97);
}

TEST(five_launches_hold_a_ratio) {
    check(5, true, 0.92, 0.97);
}

/* === Runs of launches that follow each other ================================================== */

/*
 * What a launch says has an effect of its launch, of its run, which lasts for minutes, and of its
 * session, which lasts for hours; half of each is that of the machine and half that of the cell. A
 * session is two runs. The truth is the median over sessions. The machine remembers by the real
 * code, in a real file.
 */

enum { REMEMBERED_MOST = 12, RUN_CELLS = 12, NEW_RUNS = 10 };

/* Simulated machines for each number. */
static int machines = 40;

typedef struct Weather {
    const char *name;
    double launch, run, session; /* standard deviations of logarithms */
    bool tails;                  /* of runs: divided by √-ln u */
    bool modes;                  /* half of the runs are 20% slower */
} Weather;

static const Weather weathers[] = {
    {.name = "launches alone differ, by 5%", .launch = 0.05},
    {.name = "quiet: launches 0.3%, runs 1%", .launch = 0.003, .run = 0.01},
    {.name = "launches 2%, runs 10%", .launch = 0.02, .run = 0.10},
    {.name = "launches 2%, sessions 10%", .launch = 0.02, .session = 0.10},
    {.name = "launches 2%, runs 5%, sessions 10%", .launch = 0.02, .run = 0.05, .session = 0.10},
    {.name = "busy: launches 20%, runs 50%", .launch = 0.20, .run = 0.50},
    {.name = "heavy tails of runs", .launch = 0.02, .run = 0.05, .tails = true},
    {.name = "two modes of runs", .launch = 0.02, .modes = true},
};
enum { WEATHERS = sizeof weathers / sizeof *weathers };

/* The effects of a machine, and of each of its cells. */
typedef struct Effects {
    double machine, cells[RUN_CELLS];
} Effects;

static void draw_effects(Random *random, double deviation, Effects *effects) {
    effects->machine = deviation * random_normal(random) * sqrt(0.5);
    for (size_t cell = 0; cell < RUN_CELLS; cell++) {
        effects->cells[cell] = deviation * random_normal(random) * sqrt(0.5);
    }
}

/* The summaries of the cells in one run, whose true time is 5 ms. */
static void draw_run(Random *random, const Weather *weather, const Effects *session,
                     size_t launches, Summary summaries[RUN_CELLS]) {
    Effects run;
    draw_effects(random, weather->run, &run);
    const double tail = weather->tails ? 1 / sqrt(-log(1 - random_unit(random))) : 1;
    const double mode = weather->modes ? log(1.2) * (random_unit(random) < 0.5 ? 0.5 : -0.5) : 0;
    for (size_t cell = 0; cell < RUN_CELLS; cell++) {
        RELEASED_BY(samples_release) Samples samples = {0};
        for (uint32_t launch = 0; launch < launches; launch++) {
            samples.origin.launch = launch;
            samples_add(&samples, 5e-3 * exp(session->machine + session->cells[cell] + mode +
                                             tail * (run.machine + run.cells[cell]) +
                                             weather->launch * random_normal(random)));
        }
        summarize(&samples, &summaries[cell]);
    }
}

static void remember(const char *file, size_t run, const Summary summaries[RUN_CELLS]) {
    RunTime times[RUN_CELLS];
    for (size_t cell = 0; cell < RUN_CELLS; cell++) {
        times[cell] = (RunTime){.cell = cell + 1,
                                .kind = SPREAD_THREADS,
                                .seconds = 5e-3,
                                .value = summaries[cell].median};
    }
    const double when = 1e9 + 7200 * (double)(run / 2) + 120 * (double)(run % 2);
    assert_ok(run_times_add(file, when, times, RUN_CELLS));
}

/* Counts intervals of new runs, and those that hold the truth; and the sum of their widths. */
typedef struct Held {
    size_t intervals, hold;
    double width;
} Held;

static void count_held(Random *random, const Weather *weather, size_t launches, double least,
                       Held *held) {
    for (int run = 0; run < NEW_RUNS; run++) {
        Summary summaries[RUN_CELLS];
        Effects session;
        draw_effects(random, weather->session, &session);
        draw_run(random, weather, &session, launches, summaries);
        for (size_t cell = 0; cell < RUN_CELLS; cell++) {
            double low, high;
            summary_remember(&(LaunchMemory){.time = least}, &summaries[cell]);
            summary_range(&summaries[cell], &low, &high);
            held->intervals++;
            held->hold += holds(low, high, 5e-3);
            held->width += log(high / low) / 2;
        }
    }
}

/* held[k]: after k remembered runs. */
static void count_weather(const Weather *weather, size_t launches, Held held[REMEMBERED_MOST + 1]) {
    memset(held, 0, (REMEMBERED_MOST + 1) * sizeof *held);
    for (int machine = 0; machine < machines; machine++) {
        Random random;
        Effects session;
        char file[512];
        random_seed(&random, 20261127 + (uint64_t)machine);
        snprintf(file, sizeof file, "%s", test_path("spread.json"));
        remove(file);
        for (size_t run = 0; run <= REMEMBERED_MOST; run++) {
            LaunchSpread spread;
            Summary summaries[RUN_CELLS];
            launch_spread_read(file, &spread);
            count_held(&random, weather, launches, run_spread_width(&spread, SPREAD_THREADS, 5e-3),
                       &held[run]);
            if (run % 2 == 0) {
                draw_effects(&random, weather->session, &session);
            }
            draw_run(&random, weather, &session, launches, summaries);
            remember(file, run, summaries);
        }
    }
}

/* From the third session on, the fifth run. */
TEST(launches_and_earlier_runs_hold_a_time) {
    for (size_t i = 0; i < WEATHERS; i++) {
        Held held[REMEMBERED_MOST + 1];
        count_weather(&weathers[i], 3, held);
        for (size_t run = 6; run <= REMEMBERED_MOST; run += 2) {
            const double share = (double)held[run].hold / (double)held[run].intervals;
            if (share < 0.93) {
                fail_msg("%s: after %zu runs three launches hold the truth in %.1f%%",
                         weathers[i].name, run, 100 * share);
            }
        }
    }
}

/* === Table ==================================================================================== */

static void print_runs(void) {
    static const size_t known[] = {0, 3, 4, 5, 6, 8, 12};
    machines = 400;
    printf(
        "\n| three launches within a minute | without memory | 3 runs | 4 | 5 | 6 | 8 | 12 | half "
        "width without | with 12 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < WEATHERS; i++) {
        Held held[REMEMBERED_MOST + 1];
        count_weather(&weathers[i], 3, held);
        printf("| %s ", weathers[i].name);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            const Held *now = &held[known[k]];
            printf("| %.1f%% ", 100 * (double)now->hold / (double)now->intervals);
        }
        printf("| %.2g%% | %.2g%% |\n", 100 * held[0].width / (double)held[0].intervals,
               100 * held[REMEMBERED_MOST].width / (double)held[REMEMBERED_MOST].intervals);
        fflush(stdout);
    }
}

static int print_table(void) {
    runs = TABLE_RUNS;
    printf("# How often a printed interval contains the truth\n\n"
           "Printed by `build/tests/tests_bench test_launch_coverage --table`: simulated times of "
           "known truth, seeded,\n%d runs for each number. A launch is %d turns of %d samples. The "
           "truth is the median of what\nlaunches say; that of a speedup is the ratio of two cells "
           "which take turns. One launch prints an\ninterval \"in this run\", which does not claim "
           "to contain it.\n\n"
           "| times | one launch | five | six | speedup of five | of six |\n"
           "|---|---:|---:|---:|---:|---:|\n",
           runs, TURNS, TURN_SAMPLES);
    for (size_t i = 0; i < PROCESSES; i++) {
        const Process *process = &processes[i];
        printf("| %s | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% |\n", process->name,
               100 * coverage(process, 1, false), 100 * coverage(process, 5, false),
               100 * coverage(process, 6, false), 100 * coverage(process, 5, true),
               100 * coverage(process, 6, true));
    }
    print_runs();
    return 0;
}

ARGUMENTS(argc, argv) {
    return argc > 1 && strcmp(argv[1], "--table") == 0 ? print_table() : RUN_TESTS;
}
