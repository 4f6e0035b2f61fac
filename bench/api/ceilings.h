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

enum { CEILING_KEY_SIZE = 48, CEILINGS_MAX = 64 };

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
 */
typedef struct Ceiling {
    char key[CEILING_KEY_SIZE];
    CeilingKind kind;
    int threads; /* CPU threads; 0 on a device */
    double value;
    /* Bytes that a bandwidth was measured on, summed over all threads; 0: not a bandwidth. For a
     * cache, half of its size on the CPU and a quarter on a device. */
    double working_set;
    /* CPU time over wall time and threads while it was measured; below 1 other programs had the
     * processors. 0: not known, as on a device and in a file. */
    double processor_share;
} Ceiling;

typedef struct Ceilings {
    size_t count;
    Ceiling list[CEILINGS_MAX];
} Ceilings;

/* Appends a ceiling; drops it when the list is full. */
static inline void ceilings_add(Ceilings *ceilings, const char *key, CeilingKind kind, int threads,
                                double value, double working_set) {
    if (ceilings->count < CEILINGS_MAX) {
        Ceiling *ceiling = &ceilings->list[ceilings->count++];
        snprintf(ceiling->key, sizeof ceiling->key, "%s", key);
        ceiling->kind = kind;
        ceiling->threads = threads;
        ceiling->value = value;
        ceiling->working_set = working_set;
        ceiling->processor_share = 0;
    }
}

/* NULL when there is none of this key and number of threads. */
static inline const Ceiling *ceilings_find(const Ceilings *ceilings, const char *key, int threads) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (ceiling->threads == threads && strcmp(ceiling->key, key) == 0) {
            return ceiling;
        }
    }
    return NULL;
}

/* Measures the ceilings of the processor (cpu/roof) and of the device (kernels/roof), a few seconds
 * each. STATUS_SKIP when there is no device, or not enough memory or threads for all of them. */
Status cpu_ceilings_measure(Ceilings *ceilings);
Status cuda_ceilings_measure(Ceilings *ceilings);

#ifdef __cplusplus
}
#endif

#endif
