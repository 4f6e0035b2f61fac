/*
 * The ceilings of this processor: what copying at each level and arithmetic reach at best, on one
 * thread and on all. Where a level can be copied in several ways, the ceiling is the fastest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <omp.h>

#include "ceilings.h"
#include "cpu_memory.h"
#include "resources.h"
#include "roof_internal.h"
#include "stops.h"

enum {
    SAMPLES = 5,
    MEMORY_SLICES = 4, /* a round copies one of them: the last time it was touched is long ago */
    HUGE_PAGE = 2 << 20,
    COPY_WAYS = 2 /* of which the fastest counts */
};
static const double sample_seconds = 0.008;

typedef void (*CopyLines)(uint8_t *to, const uint8_t *from, size_t bytes);

/* What every thread does over and over. */
typedef struct Work {
    void (*run)(const struct Work *work, int thread, size_t rounds);
    int threads;

    const RoofKernels *kernels;
    CopyLines copy;
    uint8_t *memory; /* of thread t: half_bytes to read at t·part_bytes, half_bytes to write */
    size_t part_bytes, half_bytes, slices, first_slice;

    double processor_seconds, wall_seconds; /* of all threads, each until it is done */
} Work;

static void run_fp32(const Work *work, int thread, size_t rounds) {
    (void)thread;
    volatile float result = work->kernels->fp32(rounds);
    (void)result;
}

static void run_int32(const Work *work, int thread, size_t rounds) {
    (void)thread;
    volatile uint32_t result = work->kernels->int32(rounds);
    (void)result;
}

static void run_copy(const Work *work, int thread, size_t rounds) {
    const uint8_t *from = work->memory + (size_t)thread * work->part_bytes;
    uint8_t *to = work->memory + (size_t)thread * work->part_bytes + work->half_bytes;
    const size_t slice_bytes = work->half_bytes / work->slices;
    for (size_t round = 0; round < rounds; round++) {
        const size_t slice = (work->first_slice + round) % work->slices;
        work->copy(to + slice * slice_bytes, from + slice * slice_bytes, slice_bytes);
    }
}

static void copy_with_library(uint8_t *to, const uint8_t *from, size_t bytes) {
    memcpy(to, from, bytes);
}

static void copy_past_cache(uint8_t *to, const uint8_t *from, size_t bytes) {
    stream_copy(to, from, bytes);
    stream_copy_finish();
}

static double thread_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds that the slowest thread takes, from a common start. Adds the processor's time to `work`.
 */
static double run_once(Work *work, size_t rounds) {
    double start = 0.0, end = 0.0, used = 0.0, wall = 0.0;
#pragma omp parallel num_threads(work->threads) shared(start, end) reduction(+ : used, wall)
    {
        const int thread = omp_get_thread_num();
#pragma omp barrier
#pragma omp master
        start = omp_get_wtime();
#pragma omp barrier
        const double own_start = thread_seconds();
        const double own_wall = omp_get_wtime();
        work->run(work, thread, rounds);
        used += thread_seconds() - own_start;
        wall += omp_get_wtime() - own_wall;
#pragma omp barrier
#pragma omp master
        end = omp_get_wtime();
    }
    work->processor_seconds += used;
    work->wall_seconds += wall;
    work->first_slice = work->slices > 0 ? (work->first_slice + rounds) % work->slices : 0;
    return end - start;
}

static int compare_seconds(const void *a, const void *b) {
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The same without a stop. Where every try was stopped, the share of the processor's time is small:
 * such a ceiling is not trusted. */
static double run_unstopped(Work *work, size_t rounds) {
    const Work before = *work;
    StopTries tries = {.count = 0};
    double seconds;
    do {
        work->processor_seconds = before.processor_seconds;
        work->wall_seconds = before.wall_seconds;
        stop_tries_begin(&tries);
        seconds = run_once(work, rounds);
    } while (stop_tries_again(&tries));
    return seconds;
}

/* Median seconds of one round, in samples of at least sample_seconds. The runs that find out how
 * many rounds that takes are the warm-up. `work` has the processor's time of the samples alone. */
static double seconds_per_round(Work *work) {
    size_t rounds = 1;
    double seconds = run_unstopped(work, rounds);
    while (seconds < sample_seconds) {
        const double wanted = sample_seconds * 1.2 / (seconds > 1e-7 ? seconds : 1e-7);
        rounds *= wanted < 2.0 ? 2 : (size_t)(wanted < 100.0 ? wanted : 100.0);
        seconds = run_unstopped(work, rounds);
    }
    double samples[SAMPLES];
    work->processor_seconds = work->wall_seconds = 0;
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = run_unstopped(work, rounds) / (double)rounds;
    }
    qsort(samples, SAMPLES, sizeof samples[0], compare_seconds);
    return samples[SAMPLES / 2];
}

/* The share of the processors' time that the threads had in the samples. */
static double share_of(const Work *work) {
    return work->wall_seconds > 0 ? fmin(work->processor_seconds / work->wall_seconds, 1) : 1;
}

/* Every thread touches its own part first: on machines with several memories it is then near. */
static void touch(const Work *work) {
#pragma omp parallel num_threads(work->threads)
    memset(work->memory + (size_t)omp_get_thread_num() * work->part_bytes, 1, work->part_bytes);
}

static void add(Ceilings *ceilings, const char *key, CeilingKind kind, const Work *work,
                double share, double value, double working_set) {
    const size_t count = ceilings->count;
    ceilings_add(ceilings, key, kind, work->threads, value, working_set);
    if (ceilings->count > count) {
        ceilings->list[count].processor_share = share;
    }
}

/* Bytes per second of the fastest way. `share` becomes the least of all. */
static double fastest_copy(Work *work, const CopyLines ways[COPY_WAYS], double *share) {
    const double bytes =
        2.0 * (double)work->half_bytes * work->threads / (double)work->slices; /* of a round */
    double most = 0.0;
    for (size_t i = 0; i < COPY_WAYS; i++) {
        work->copy = ways[i];
        most = fmax(most, bytes / seconds_per_round(work));
        *share = fmin(*share, share_of(work));
    }
    return most;
}

/* Half of a set, in whole lines in every slice. */
static size_t half_of(size_t set) {
    const size_t step = (size_t)MEMORY_SLICES * ROOF_LINE;
    return set / 2 / step * step;
}

/* The largest of the sets is the first. False when there was no memory for it. */
static bool measure_copy(Ceilings *ceilings, const char *key, int threads, const size_t *sets,
                         size_t set_count, const CopyLines ways[COPY_WAYS]) {
    const bool memory = strcmp(key, "copy_dram") == 0;
    Work work = {.run = run_copy, .threads = threads, .slices = memory ? MEMORY_SLICES : 1};
    work.part_bytes = 2 * half_of(sets[0]);
    const size_t used = work.part_bytes * (size_t)threads;
    void *block = NULL;
    if (used == 0 || posix_memalign(&block, HUGE_PAGE, used) != 0) {
        return false;
    }
#ifdef MADV_HUGEPAGE
    /* A ceiling is not to be held down by the translation of addresses; it is only advice. */
    (void)madvise(block, used, MADV_HUGEPAGE);
#endif
    work.memory = block;
    touch(&work);
    double most = 0.0, share = 1.0;
    for (size_t i = 0; i < set_count; i++) {
        work.half_bytes = half_of(sets[i]);
        most = fmax(most, fastest_copy(&work, ways, &share));
    }
    free(block);
    add(ceilings, key, CEILING_BANDWIDTH, &work, share, most, (double)used);
    return true;
}

static void measure_operations(Ceilings *ceilings, const RoofKernels *kernels, int threads) {
    Work work = {.run = run_fp32, .threads = threads, .kernels = kernels};
    double seconds = seconds_per_round(&work);
    add(ceilings, "fp32", CEILING_OPERATIONS, &work, share_of(&work),
        threads * kernels->operations_fp32 / seconds, 0.0);
    work.run = run_int32;
    seconds = seconds_per_round(&work);
    add(ceilings, "int32", CEILING_OPERATIONS, &work, share_of(&work),
        threads * kernels->operations_int32 / seconds, 0.0);
}

/* False when there was not memory for all of it. */
static bool measure_threads(Ceilings *ceilings, const CpuLevels *levels, int threads) {
    const RoofKernels *kernels = roof_kernels_best();
    const CopyLines cached[COPY_WAYS] = {kernels->copy, copy_with_library};
    const CopyLines uncached[COPY_WAYS] = {copy_past_cache, copy_with_library};
    const struct {
        const char *key;
        const CpuLevel *level;
    } caches[] = {{"copy_l1", &levels->l1}, {"copy_l2", &levels->l2}, {"copy_llc", &levels->llc}};
    bool whole = true;
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        if (caches[i].level->bytes > 0) {
            size_t sets[CPU_LEVEL_SETS];
            const size_t count = cpu_level_sets(levels, caches[i].level, threads, sets);
            whole &= measure_copy(ceilings, caches[i].key, threads, sets, count, cached);
        }
    }
    const size_t memory = cpu_memory_set(levels, threads, (double)available_memory());
    whole &= measure_copy(ceilings, "copy_dram", threads, &memory, 1, uncached);
    measure_operations(ceilings, kernels, threads);
    return whole;
}

double cpu_processor_share(void) {
    Work work = {.run = run_fp32,
                 .threads = thread_team_most(omp_get_num_procs()),
                 .kernels = roof_kernels_best()};
    seconds_per_round(&work);
    return share_of(&work);
}

Status cpu_ceilings_measure(Ceilings *ceilings) {
    const CpuLevels levels = cpu_levels_read();
    const int wanted = omp_get_num_procs();
    const int threads = thread_team_most(wanted);
    bool whole = measure_threads(ceilings, &levels, 1);
    if (threads > 1) {
        whole &= measure_threads(ceilings, &levels, threads);
    }
    if (threads < wanted) {
        return status_skip("only %d of %d threads run together", threads, wanted);
    }
    return whole ? status_ok() : status_no_memory("left for some copies");
}
