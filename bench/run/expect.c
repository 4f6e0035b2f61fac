/* How long a run is expected to take: for `--dry-run`, and for the time left of a run. */

#include <math.h>

#include "algorithm.h"
#include "budget.h"
#include "calls.h"
#include "cell.h"
#include "clock.h"
#include "inputs.h"
#include "measure.h"
#include "oracle.h"
#include "plan.h"
#include "python.h"
#include "resources.h"
#include "sweep.h"
#include "variant.h"

/* === Speeds on a small input ================================================================== */

/* The size of the small input that estimates come from, by kind. */
static const SizeSpec probe_sizes[] = {
    [WORKLOAD_IMAGE] = {.name = "512x512", .width = 512, .height = 512},
    [WORKLOAD_IMAGE_SET] = {.name = "64", .width = 28, .height = 28, .images = 64},
    [WORKLOAD_KEYPOINTS] = {.name = "512x512", .width = 512, .height = 512},
    [WORKLOAD_DESCRIPTORS] = {.name = "1024", .images = 1024},
};
/* Seconds that all probes of CPU variants may take together, in a launch of several, where the
 * others wait, less, and one run of a probe. */
static const double probes_seconds = 1, launch_probes_seconds = 0.1, probe_run_seconds = 0.3;
/* Seq takes at least so many times as long as another CPU variant, as far as is known. */
static const double least_gain = 4;

/* Whether the cell can run here, on inputs of the algorithm's. */
static bool is_probed(const PlanCell *cell, const Algorithm *algorithm) {
    return status_is_ok(&cell->ready) && inputs_are_shared(cell->algorithm, algorithm) &&
           !python_file_is_elsewhere(cell->algorithm->name);
}

/* What the time of the cell's variant is assumed to be proportional to. */
static double variant_work(const PlanCell *cell, const Cost *cost) {
    if (plan_cell_is_seq(cell)) {
        return cost_work(cost);
    }
    return cost->operations > 0 ? cost->operations : cost->bytes;
}

/* The speed of the cell itself, else of its variant at the same answer point, else at the one with
 * the nearest work. */
static const Speed *nearest_speed(const History *history, const Variant *variant,
                                  const PlanCell *cell) {
    const Speed *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < history->speed_count; i++) {
        const Speed *speed = &history->speeds[i];
        const bool same = point_equal(&speed->cell->answer, &cell->answer);
        const double distance = speed->cell == cell ? -2
                                : same              ? -1
                                       : fabs(log(variant_work(speed->cell, &cell->cost) /
                                                  variant_work(speed->cell, &speed->cell->cost)));
        if (speed->cell->variant == variant && (best == NULL || distance < least)) {
            best = speed;
            least = distance;
        }
    }
    return best;
}

/* Seconds of a run of this cost on one thread. */
static double single_seconds(const Speed *speed, const Cost *cost) {
    const int threads = plan_threads(speed->cell->variant, &speed->cell->tuning);
    return speed->seconds * sqrt(fmax(threads, 1)) * variant_work(speed->cell, cost) / speed->work;
}

/* What plain code would take for the work of a variant that has not been timed, where seq takes
 * `seq`. Seq may have a method of its own whose work grows faster. NAN: not known. */
static double plain_seconds(const History *history, const PlanCell *cell, const Cost *cost,
                            double seq) {
    return fmin(seq, history_estimate(history, cell->algorithm, variant_work(cell, cost)));
}

/* Of a run on the small input at most, before it has been timed. */
static double guess_seconds(const History *history, const PlanCell *cell, const Cost *cost) {
    const Speed *speed = nearest_speed(history, cell->variant, cell);
    if (speed != NULL) {
        return single_seconds(speed, cost);
    }
    const double seq = history_estimate(history, cell->algorithm, cost_work(cost));
    return plan_cell_is_seq(cell) ? seq : plain_seconds(history, cell, cost, seq) / least_gain;
}

/* Times a cell's variant at its answer point, unless that is known or would take too long. */
static void probe_cell(const PlanCell *cell, const Workload *workload, History *history) {
    const Speed *known = nearest_speed(history, cell->variant, cell);
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    if (!variant_is_on_cpu(cell->variant) || history->speed_count == HISTORY_SPEEDS_MAX ||
        (known != NULL && point_equal(&known->cell->answer, &cell->answer))) {
        return;
    }
    Status status = algorithm_layout(cell->algorithm, workload, &cell->answer, &layout);
    if (!status_is_ok(&status)) {
        return;
    }
    const Cost cost = algorithm_cost(cell->algorithm, workload, &cell->answer);
    if (guess_seconds(history, cell, &cost) > probe_run_seconds) {
        return;
    }
    Speed speed = {.cell = cell, .work = variant_work(cell, &cost)};
    status = oracle_time(cell->algorithm, cell->variant, workload, &cell->answer, &cell->tuning,
                         &speed.seconds);
    if (status_is_ok(&status) && speed.work > 0) {
        history->speeds[history->speed_count++] = speed;
    }
}

/* The plan's first input that the algorithm takes, made small: times depend on what is in it. In a
 * later launch, where only shares of the time are wanted, a synthetic one, which needs no file; and
 * in place of one that is mapped, all of which would be read to scale it down, and of numbers,
 * which are not scaled. */
static Status load_small(const RunOptions *options, const Plan *plan, const Algorithm *algorithm,
                         Workload *workload) {
    Input input = input_default(algorithm);
    SizeSpec size = probe_sizes[algorithm->input];
    for (size_t i = 0; i < plan->cell_count && options->pass <= 1; i++) {
        if (is_probed(&plan->cells[i], algorithm)) {
            const Input *first = plan->workloads[plan->cells[i].workload].input;
            input = first->mapped || first->numbers ? input : *first;
            break;
        }
    }
    if (input.images > 0 && input.images < size.images) {
        size.images = input.images;
    }
    return workload_load(&input, &size, options->seed, workload);
}

/* Where a probe fails there is no estimate, or one from less. */
static void probe_input(const RunOptions *options, const Plan *plan, const Algorithm *algorithm,
                        double until, History *history) {
    Workload workload;
    const Status status = load_small(options, plan, algorithm, &workload);
    if (!status_is_ok(&status)) {
        return;
    }
    for (size_t i = 0; i < plan->cell_count; i++) {
        const PlanCell *cell = &plan->cells[i];
        if (is_probed(cell, algorithm)) {
            oracle_probe(history, cell->algorithm, &workload, &cell->answer);
        }
    }
    for (size_t i = 0; i < plan->cell_count && clock_now() < until; i++) {
        const PlanCell *cell = &plan->cells[i];
        if (is_probed(cell, algorithm)) {
            probe_cell(cell, &workload, history);
        }
    }
    workload_release(&workload);
}

void expect_probe(const RunOptions *options, const Plan *plan, History *history) {
    const double until = clock_now() + (options->pass > 0 ? launch_probes_seconds : probes_seconds);
    calls_purpose("an estimate of ");
    for (size_t i = 0; i < plan->cell_count; i++) {
        const Algorithm *algorithm = plan->cells[i].algorithm;
        bool first = status_is_ok(&plan->cells[i].ready);
        for (size_t j = 0; j < i && first; j++) {
            first = !is_probed(&plan->cells[j], algorithm);
        }
        if (first) {
            probe_input(options, plan, algorithm, until, history);
        }
    }
    calls_purpose("");
}

void expect_known(const Plan *plan, bool cold, Results *rows, History *history) {
    for (size_t i = 0; i < plan->cell_count && history->speed_count < HISTORY_SPEEDS_MAX; i++) {
        const PlanCell *cell = &plan->cells[i];
        const Row *row = plan_find(plan, cell, cold, rows);
        const double work = variant_work(cell, &cell->cost);
        if (row == NULL || row->status != CELL_OK || !(row->kernel_summary.median > 0) ||
            !(work > 0)) {
            continue;
        }
        const double seconds = row->kernel_summary.median;
        history->speeds[history->speed_count++] =
            (Speed){.cell = cell, .work = work, .seconds = seconds};
        if (plan_cell_is_seq(cell)) {
            history_note_seq(history, cell->algorithm, work, seconds, row->size_name);
        }
    }
}

/* === Seconds of a cell ======================================================================== */

/*
 * The numbers below were fitted to the runs in reports/results/h200, by program: the time that a
 * cell was sampled for against the time of one run of it, the rest of the time of these runs
 * against their cells, and the times of variants against that of seq. Their sums are 0.5 to 3 times
 * the time that those runs took.
 */

/* Where no CPU variant was timed: seq takes so many times as long as a run of another variant on
 * the CPU, on one thread, and of one on a device. Four threads halve the time. */
static const double cpu_gain = 15, device_gain = 300;
/* Where one was: it takes so many times as long, on one thread, as a run on a device. */
static const double device_over_cpu = 10;
/* Seconds of sampling: so many times that of a run up to a millisecond, then growing as this power
 * of it. */
static const double short_run = 1e-3, short_samples = 440, growth = 0.3;
/* A run as long warms the caches by itself. */
static const double long_run = 0.1;
/* Runs to warm up in all turns of a shorter one, samples that a cell takes while others go on. */
static const double turn_runs = 40;
/* Runs that verify the answer and time a call, and those that allocate anew. */
static const double other_runs = 3, alloc_runs = 5;
/* Seconds of a cell that do not depend on its run: opening, and a pass over its memory. */
static const double cpu_fixed = 0.05, device_fixed = 0.15, seconds_per_byte = 5e-9;
/* The same in a launch with little time, which opens a cell once or twice; and of a pixel of an
 * input that is generated or read. */
static const double brief_cpu_fixed = 0.07, brief_device_fixed = 0.05,
                    brief_seconds_per_byte = 4e-10, brief_seconds_per_pixel = 1e-8;

/* Seconds of the fastest of the CPU variants that were timed, on one thread; NAN: none was. */
static double fastest_single(const PlanCell *cell, const History *history) {
    double least = NAN;
    for (size_t i = 0; i < history->speed_count; i++) {
        const Speed *speed = &history->speeds[i];
        if (speed->cell->algorithm == cell->algorithm && !plan_cell_is_seq(speed->cell) &&
            variant_is_on_cpu(speed->cell->variant) &&
            speed == nearest_speed(history, speed->cell->variant, cell)) {
            least = fmin(least, single_seconds(speed, &cell->cost));
        }
    }
    return least;
}

/* Of one run of seq at the cell's size and answer; NAN: not known. */
static double seq_seconds(const PlanCell *cell, const History *history) {
    const Speed *speed = nearest_speed(history, &cell->algorithm->cpu.rows[0], cell);
    return speed != NULL ? single_seconds(speed, &cell->cost)
                         : history_estimate(history, cell->algorithm, cost_work(&cell->cost));
}

double expect_sample(const PlanCell *cell, const History *history) {
    const double seq = seq_seconds(cell, history);
    const double plain = plain_seconds(history, cell, &cell->cost, seq);
    const int threads = plan_threads(cell->variant, &cell->tuning);
    const Speed *speed = nearest_speed(history, cell->variant, cell);
    double seconds = seq;
    if (!plan_cell_is_seq(cell) && speed != NULL) {
        seconds = single_seconds(speed, &cell->cost) / sqrt(fmax(threads, 1));
    } else if (!variant_is_on_cpu(cell->variant)) {
        seconds = fmin(plain / device_gain, fastest_single(cell, history) / device_over_cpu);
    } else if (!plan_cell_is_seq(cell)) {
        seconds = plain / (cpu_gain * sqrt(fmax(threads, 1)));
    }
    return isfinite(seconds) ? seconds : 0;
}

static double sampling_seconds(const RunOptions *options, double run) {
    const double least = options->min_reps * run;
    const double usual = run > short_run ? short_samples * short_run * pow(run / short_run, growth)
                                         : short_samples * run;
    if (options->reps > 0) {
        return options->reps * run;
    }
    /* A launch of several takes its share of the samples and no more. */
    const double wanted = options->launches > 1 ? least : fmax(usual, least);
    return fmax(run, fmin(wanted, options->max_time));
}

/* What a run of seq may take, after those before it in the plan that have taken long. */
static double limit_of_seq(const RunOptions *options, const Plan *plan, size_t index,
                           const History *history) {
    double taken = 0;
    for (size_t i = 0; i < index && options->max_long > 0; i++) {
        const PlanCell *cell = &plan->cells[i];
        const double run =
            plan_cell_is_seq(cell) && status_is_ok(&cell->ready) ? expect_sample(cell, history) : 0;
        taken += run >= LONG_RUN_BRIEF && run <= long_runs_left(options, taken) ? run : 0;
    }
    return fmin(long_runs_left(options, taken), options->max_cell);
}

static bool is_run(const RunOptions *options, const Plan *plan, size_t index,
                   const History *history) {
    const PlanCell *cell = &plan->cells[index];
    return status_is_ok(&cell->ready) && cell->host_bytes <= available_memory() &&
           !(plan_cell_is_seq(cell) &&
             expect_sample(cell, history) > limit_of_seq(options, plan, index, history));
}

/* The oracle is computed before the first cell of a group that can run, but in a later launch. */
static double oracle_seconds(const RunOptions *options, const Plan *plan, size_t index,
                             const History *history) {
    const PlanCell *cell = &plan->cells[index];
    const double seq = seq_seconds(cell, history);
    for (size_t i = index; i-- > 0 && plan->cells[i].group == cell->group;) {
        if (status_is_ok(&plan->cells[i].ready)) {
            return 0;
        }
    }
    if (options->pass > 1 || !isfinite(seq)) {
        return 0;
    }
    const double limit = limit_of_seq(options, plan, index, history);
    if (options->max_long > 0 && seq > limit) {
        return 0; /* what stands in for seq is as fast as the others */
    }
    return (options->budget > 0 ? 1 : 2) * fmin(seq, limit);
}

/* Of a launch with little time the input counts, before its first cell that can run. */
static double input_seconds(const RunOptions *options, const Plan *plan, size_t index) {
    const PlanCell *cell = &plan->cells[index];
    const Image *image = &plan->workloads[cell->workload].shape.image;
    static const double later_share = 0.1; /* read from what the first launch has left */
    for (size_t i = index; i-- > 0 && plan->cells[i].workload == cell->workload;) {
        if (status_is_ok(&plan->cells[i].ready)) {
            return 0;
        }
    }
    return options->budget > 0 ? brief_seconds_per_pixel * (double)image_pixel_count(image) *
                                     (options->pass > 1 ? later_share : 1)
                               : 0;
}

/* The same of a launch with little time (measure.c). Its samples are few, and so many uncounted
 * runs come before each of them; the first launch verifies each cell before, and allocates anew. */
static double brief_seconds(const RunOptions *options, const PlanCell *cell, double run) {
    static const double middle_run = 0.005, alloc_most = 0.02;
    const bool later = options->pass > 1, once = launch_measures_once(options);
    const double memory = brief_seconds_per_byte * (double)cell->host_bytes;
    const double fixed = variant_is_on_cpu(cell->variant) ? brief_cpu_fixed : brief_device_fixed;
    double runs;
    if (run >= LONG_RUN_BRIEF) { /* on poison; the oracle is seq's first */
        runs = plan_cell_is_seq(cell) ? later : later ? 1 : 2;
    } else {
        const bool middle = run >= middle_run;
        const double each = middle ? 1.5 : 4; /* runs for a sample */
        const double least = middle ? 3 : 5;
        const double time = plan_cell_is_seq(cell) ? options->max_time / 4 : options->max_time;
        const double fit = fmin(fmax(time / (each * run), least), options->min_reps);
        const double verified = later ? 2 : middle ? 4 : 10; /* and warmed up */
        runs = each * fit + verified + (once ? fmin(alloc_runs, fmax(alloc_most / run, 1)) : 0);
    }
    return runs * run + fixed + memory + (once ? fixed + memory : 0);
}

/* Of a cell that is run, without the oracle. */
static double measuring_seconds(const RunOptions *options, const PlanCell *cell,
                                const History *history) {
    const double run = expect_sample(cell, history);
    if (options->budget > 0) {
        return brief_seconds(options, cell, run);
    }
    const double warm_up =
        run > 0 ? run * fmin(measure_warmups(options, run), fmax(1, options->max_time / run)) : 0;
    const double turns = run < long_run ? turn_runs * run : 0;
    const double fixed = variant_is_on_cpu(cell->variant) ? cpu_fixed : device_fixed;
    return sampling_seconds(options, run) + warm_up + turns + other_runs * run +
           fmin(alloc_runs * run, options->max_time / 4) + fixed +
           seconds_per_byte * (double)cell->host_bytes;
}

/* Of one tuning of each variant and answer: which one will be the fastest is not known yet. */
static double expect_energy(const RunOptions *options, const Plan *plan, size_t index) {
    const PlanCell *cell = &plan->cells[index], *before = index > 0 ? cell - 1 : NULL;
    const bool is_first =
        before == NULL || before->variant != cell->variant || before->group != cell->group;
    return options->energy && !options->cold && is_first ? energy_seconds(options, cell->variant)
                                                         : 0;
}

double expect_cell(const RunOptions *options, const Plan *plan, size_t index,
                   const History *history) {
    const PlanCell *cell = &plan->cells[index];
    if (!status_is_ok(&cell->ready)) {
        return 0;
    }
    const double oracle =
        input_seconds(options, plan, index) + oracle_seconds(options, plan, index, history);
    return is_run(options, plan, index, history)
               ? oracle + measuring_seconds(options, cell, history) +
                     expect_energy(options, plan, index)
               : oracle;
}

/* === Seconds of a share ======================================================================= */

/* Bytes or operations a second of seq that shares of a plan are balanced by. */
static const double assumed_rate = 1e9;

void expect_assumed(const Plan *plan, History *history) {
    for (size_t i = 0; i < plan->cell_count; i++) {
        if (history_rate(history, plan->cells[i].algorithm) == NULL) {
            history_note_seq(history, plan->cells[i].algorithm, assumed_rate, 1, "");
        }
    }
}

double expect_share(const RunOptions *options, const Plan *plan, size_t index,
                    const History *history) {
    const PlanCell *cell = &plan->cells[index];
    const bool first = index == 0 || plan->cells[index - 1].group != cell->group;
    const double seq = seq_seconds(cell, history);
    const double oracle = first ? 2 * fmin(seq, oracle_limit(options)) : 0;
    return plan_cell_is_seq(cell) && seq > oracle_limit(options)
               ? oracle
               : oracle + measuring_seconds(options, cell, history);
}

/* === Seconds of a run ========================================================================= */

/* Seconds in which a process starts and ends. */
static const double process_seconds = 0.15;

static double expect_process(const RunOptions *options, const Plan *plan, const History *history) {
    double sum = process_seconds;
    for (size_t i = 0; i < plan->cell_count; i++) {
        sum += expect_cell(options, plan, i, history);
    }
    return sum;
}

double expect_launch(const RunOptions *options, const Plan *plan, const History *history,
                     int launch) {
    RunOptions own = *options;
    own.pass = launch;
    own = launch_options(&own);
    if (options->budget > 0) {
        const BudgetClock clock = {.budget = options->budget};
        own.max_time = budget_cell_seconds(budget_samples(&clock, 1), plan_runnable(plan));
    }
    return expect_process(&own, plan, history);
}

/* Seconds from the beginning of the first launch to the end of the last, where the first takes
 * `first` seconds and each of the others `other`. */
static double expect_launches(const RunOptions *options, double first, double other) {
    const int sides = options->baseline_program != NULL ? 2 : 1;
    const double distance = options->spread / options->launches;
    double sum = 0;
    if (options->budget > 0) {
        /* Where later launches do not fit they leave out long runs, which take most of them. */
        static const double without_long = 0.25;
        const double fits = (options->budget - first) / (BUDGET_LAUNCHES_MIN - 1);
        const double brief = fmin(other, fmax(fits, without_long * other));
        const double wanted = first + (BUDGET_LAUNCHES - 1) * other;
        const double least = first + (BUDGET_LAUNCHES_MIN - 1) * brief;
        return fmax(fmin(wanted, options->budget), least);
    }
    for (int launch = 1; launch <= options->launches; launch++) {
        const double work = sides * (launch == 1 ? first : other);
        sum += launch < options->launches ? fmax(work, distance) : work;
    }
    return sum;
}

double expect_run(const RunOptions *options, const Plan *plan, const History *history) {
    if (options->launches <= 1 && options->baseline_program == NULL) {
        return expect_process(options, plan, history);
    }
    const double first = expect_launch(options, plan, history, 1);
    const double second = expect_launch(options, plan, history, 2);
    const double other = expect_launch(options, plan, history, 3);
    return expect_launches(options, first + second - other, other);
}
