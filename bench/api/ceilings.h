/*
 * Ceilings: the highest rates that a machine reaches, as this program measured them on it.
 *
 * A backend fills a list; the harness stores it, compares every row with it and prints it. It knows
 * only the keys.
 */
#ifndef BENCH_API_CEILINGS_H
#define BENCH_API_CEILINGS_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CEILING_KEY_SIZE = 48, CEILINGS_MAX = 192 };

typedef enum CeilingKind {
    CEILING_BANDWIDTH,  /* bytes per second, read + written */
    CEILING_OPERATIONS, /* operations per second */
    CEILING_TIME        /* seconds */
} CeilingKind;

/*
 * Keys. CPU: copy_l1, copy_l2, copy_llc, copy_dram (one thread: threads 1; all: threads N), fp32,
 * int32 (multiply-adds and additions count as their operations). CUDA: copy_l2, copy_dram,
 * pcie_up_pinned, pcie_down_pinned, pcie_both_pinned, pcie_up_pageable, pcie_down_pageable, fp32,
 * int32, shared_atomics, empty_kernel (launched while the clock runs), launch (from one queued
 * empty kernel to the next).
 *
 * Of several devices at once, with `devices` above 1: the keys above but those of pageable memory,
 * summed over the devices and by the time of the slowest; peer_one_way and peer_both_ways (copies
 * within the pairs 0-1, 2-3 … at the same time); allreduce_2kb, allreduce_1mb and allreduce_256mb
 * (times of a sum over all devices), each with _algbw and _busbw as ceilings_add_all_reduce has
 * them.
 */
typedef struct Ceiling {
    char key[CEILING_KEY_SIZE];
    CeilingKind kind;
    int threads; /* CPU threads; 0 on a device */
    int devices; /* that worked at the same time; 1 on the CPU */
    double value;
    /* Bytes that a bandwidth was measured on, summed over all threads and devices; 0: not a
     * bandwidth. For a cache, half of its size on the CPU and a quarter on a device. */
    double working_set;
    /* CPU time over wall time and threads while it was measured; below 1 other programs had the
     * processors. 0: not known, as on a device and in a file. */
    double processor_share;
} Ceiling;

typedef struct Ceilings {
    size_t count;
    Ceiling list[CEILINGS_MAX];
    char note[STATUS_WHY_SIZE]; /* why some are not there; empty: nothing to say. Not stored */
} Ceilings;

/* Appends a ceiling of several devices at once; drops it when the list is full. */
static inline void ceilings_add_on(Ceilings *ceilings, int devices, const char *key,
                                   CeilingKind kind, int threads, double value,
                                   double working_set) {
    if (ceilings->count < CEILINGS_MAX) {
        Ceiling *ceiling = &ceilings->list[ceilings->count++];
        snprintf(ceiling->key, sizeof ceiling->key, "%s", key);
        ceiling->kind = kind;
        ceiling->threads = threads;
        ceiling->devices = devices;
        ceiling->value = value;
        ceiling->working_set = working_set;
        ceiling->processor_share = 0;
    }
}

/* The same of the CPU or one device. */
static inline void ceilings_add(Ceilings *ceilings, const char *key, CeilingKind kind, int threads,
                                double value, double working_set) {
    ceilings_add_on(ceilings, 1, key, kind, threads, value, working_set);
}

/* Adds the time of an all-reduce of `bytes` on each device, and both bandwidths as nccl-tests
 * defines them: KEY_algbw is bytes / time; KEY_busbw = algbw · 2(N - 1) / N for N devices, what
 * each link carries in a ring, and so comparable between numbers of devices. */
static inline void ceilings_add_all_reduce(Ceilings *ceilings, int devices, const char *key,
                                           double bytes, double seconds) {
    char name[CEILING_KEY_SIZE];
    const double algorithm = bytes / seconds;
    ceilings_add_on(ceilings, devices, key, CEILING_TIME, 0, seconds, bytes);
    snprintf(name, sizeof name, "%.*s_algbw", CEILING_KEY_SIZE - 8, key);
    ceilings_add_on(ceilings, devices, name, CEILING_BANDWIDTH, 0, algorithm, bytes);
    snprintf(name, sizeof name, "%.*s_busbw", CEILING_KEY_SIZE - 8, key);
    ceilings_add_on(ceilings, devices, name, CEILING_BANDWIDTH, 0,
                    algorithm * 2 * (devices - 1) / devices, bytes);
}

/* NULL when there is none of this key, number of threads and number of devices. */
static inline const Ceiling *ceilings_find_on(const Ceilings *ceilings, int devices,
                                              const char *key, int threads) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (ceiling->threads == threads && ceiling->devices == devices &&
            strcmp(ceiling->key, key) == 0) {
            return ceiling;
        }
    }
    return NULL;
}

/* The same of the CPU or one device. */
static inline const Ceiling *ceilings_find(const Ceilings *ceilings, const char *key, int threads) {
    return ceilings_find_on(ceilings, 1, key, threads);
}

/* Measures the ceilings of the processor (cpu/roof) and of the device (kernels/roof), a few seconds
 * each. STATUS_SKIP when there is no device, or not enough memory or threads for all of them. */
Status cpu_ceilings_measure(Ceilings *ceilings);
Status cuda_ceilings_measure(Ceilings *ceilings);

/* The share of the processors' time that as many threads have, in five samples of 8 ms. */
double cpu_processor_share(void);

#ifdef __cplusplus
}
#endif

#endif
