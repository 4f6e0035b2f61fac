/*
 * The ceilings of this processor: what copying at each level and arithmetic reach at best, on one
 * thread and on all. Where a level can be copied in several ways, the ceiling is the fastest.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <omp.h>

#include "ceilings.h"
#include "cpu_memory.h"
#include "resources.h"
#include "roof_internal.h"

enum {
    SAMPLES = 5,
    MEMORY_SLICES = 4, /* a round copies one of them: the last time it was touched is long ago */
    HUGE_PAGE = 2 << 20
};
static const double sample_seconds = 0.008;

typedef void (*CopyLines)(uint8_t *to, const uint8_t *from, size_t bytes);

/* What every thread does over and over. */
typedef struct Work {
    void (*run)(const struct Work *work, int thread, size_t rounds);
    int threads;

    const RoofKernels *kernels;
    CopyLines copy;
    uint8_t *memory; /* of thread t: half_bytes to read at 2·t·half_bytes, half_bytes to write */
    size_t half_bytes, slices, first_slice;
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
    const uint8_t *from = work->memory + 2 * (size_t)thread * work->half_bytes;
    uint8_t *to = work->memory + (2 * (size_t)thread + 1) * work->half_bytes;
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

/* Seconds that the slowest thread takes, from a common start. */
static double run_once(Work *work, size_t rounds) {
    double start = 0.0, end = 0.0;
#pragma omp parallel num_threads(work->threads) shared(start, end)
    {
        const int thread = omp_get_thread_num();
#pragma omp barrier
#pragma omp master
        start = omp_get_wtime();
#pragma omp barrier
        work->run(work, thread, rounds);
#pragma omp barrier
#pragma omp master
        end = omp_get_wtime();
    }
    work->first_slice = work->slices > 0 ? (work->first_slice + rounds) % work->slices : 0;
    return end - start;
}

static int compare_seconds(const void *a, const void *b) {
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Median seconds of one round, in samples of at least sample_seconds. The runs that find out how
 * many rounds that takes are the warm-up. */
static double seconds_per_round(Work *work) {
    size_t rounds = 1;
    double seconds = run_once(work, rounds);
    while (seconds < sample_seconds) {
        const double wanted = sample_seconds * 1.2 / (seconds > 1e-7 ? seconds : 1e-7);
        rounds *= wanted < 2.0 ? 2 : (size_t)(wanted < 100.0 ? wanted : 100.0);
        seconds = run_once(work, rounds);
    }
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = run_once(work, rounds) / (double)rounds;
    }
    qsort(samples, SAMPLES, sizeof samples[0], compare_seconds);
    return samples[SAMPLES / 2];
}

/* Every thread touches its own part first: on machines with several memories it is then near. */
static void touch(const Work *work) {
    const size_t part = 2 * work->half_bytes;
#pragma omp parallel num_threads(work->threads)
    memset(work->memory + (size_t)omp_get_thread_num() * part, 1, part);
}

/* False when there was no memory for it. */
static bool measure_copy(Ceilings *ceilings, const char *key, int threads, size_t set,
                         const CopyLines *ways, size_t way_count) {
    /* Whole lines in every slice. */
    const size_t step = (size_t)MEMORY_SLICES * ROOF_LINE;
    const bool memory = strcmp(key, "copy_dram") == 0;
    Work work = {.run = run_copy,
                 .threads = threads,
                 .half_bytes = set / 2 / step * step,
                 .slices = memory ? MEMORY_SLICES : 1};
    const size_t used = 2 * work.half_bytes * (size_t)threads;
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
    double least = 0.0;
    for (size_t i = 0; i < way_count; i++) {
        work.copy = ways[i];
        const double seconds = seconds_per_round(&work);
        least = i == 0 || seconds < least ? seconds : least;
    }
    free(block);
    const double bytes = (double)used / (double)work.slices;
    ceilings_add(ceilings, key, CEILING_BANDWIDTH, threads, bytes / least, (double)used);
    return true;
}

static void measure_operations(Ceilings *ceilings, const RoofKernels *kernels, int threads) {
    Work work = {.run = run_fp32, .threads = threads, .kernels = kernels};
    ceilings_add(ceilings, "fp32", CEILING_OPERATIONS, threads,
                 threads * kernels->operations_fp32 / seconds_per_round(&work), 0.0);
    work.run = run_int32;
    ceilings_add(ceilings, "int32", CEILING_OPERATIONS, threads,
                 threads * kernels->operations_int32 / seconds_per_round(&work), 0.0);
}

/* False when there was not memory for all of it. */
static bool measure_threads(Ceilings *ceilings, const CpuLevels *levels, int threads) {
    const RoofKernels *kernels = roof_kernels_best();
    const CopyLines cached[] = {kernels->copy, copy_with_library};
    const CopyLines uncached[] = {copy_past_cache, copy_with_library};
    const struct {
        const char *key;
        const CpuLevel *level;
    } caches[] = {{"copy_l1", &levels->l1}, {"copy_l2", &levels->l2}, {"copy_llc", &levels->llc}};
    bool whole = true;
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        if (caches[i].level->bytes > 0) {
            whole &= measure_copy(ceilings, caches[i].key, threads,
                                  cpu_level_set(levels, caches[i].level, threads), cached, 2);
        }
    }
    whole &= measure_copy(ceilings, "copy_dram", threads,
                          cpu_memory_set(levels, threads, (double)available_memory()), uncached, 2);
    measure_operations(ceilings, kernels, threads);
    return whole;
}

Status cpu_ceilings_measure(Ceilings *ceilings) {
    const CpuLevels levels = cpu_levels_read();
    const int limit = omp_get_thread_limit();
    const int processors = omp_get_num_procs();
    const int wanted = processors < limit ? processors : limit;
    const int threads = thread_team_most(wanted);
    bool whole = measure_threads(ceilings, &levels, 1);
    if (threads > 1) {
        whole &= measure_threads(ceilings, &levels, threads);
    }
    if (threads < wanted) {
        return status_skip("only %d of %d threads could be started", threads, wanted);
    }
    return whole ? status_ok() : status_no_memory("left for some copies");
}
