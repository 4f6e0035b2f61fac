/*
 * Variant: one implementation of an algorithm on one backend; one row of a table.
 *
 * Life of a state:  open → [poison] → upload → run → download → … → run → run → … → close
 *
 * The answer must be in request->output after download (after run, when download is NULL, as on
 * the CPU). run() may be called any number of times after one upload() and must leave the same
 * answer each time. All work is queued on the backend's stream; nothing needs to wait for it except
 * download() and stream(), which return when the answer is in host memory.
 */
#ifndef BENCH_API_VARIANT_H
#define BENCH_API_VARIANT_H

#include <stddef.h>

#include <stdbool.h>

#include "axis.h"
#include "backend.h"
#include "output.h"
#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Long runs in steps: where an answer is made of results that follow from each other, as the rounds
 * of a training, a run can go on from what an earlier one left, and tell after each step how far it
 * is. Only algorithms that say so look at it; sweeps do not use it.
 */
typedef struct Steps {
    size_t done; /* steps whose results stand in the output already and are not computed again */
    /* Called with the results of steps 0 … done - 1 in the output. Anything but STATUS_OK ends the
     * run, which returns it. */
    Status (*finished)(void *context, size_t done);
    void *context;
} Steps;

/* What a cell asks of a variant. The request outlives the state made from it. */
typedef struct Request {
    const Workload *workload;
    const Point *answer;  /* one value per answer axis of the algorithm */
    const Point *tuning;  /* one value per tuning axis of the variant */
    const Output *output; /* where the answer goes; memory owned by the runner */
    const Steps *steps;   /* NULL: from the beginning to the end without a word */
} Request;

/* A part of run() that can be timed apart. */
typedef struct Stage {
    const char *name; /* "integral", "features"; NULL ends a list */
    Status (*run)(void *state);
} Stage;

enum { STAGES_MAX = 6 };

typedef struct Variant {
    const char *name;
    const char *summary;     /* one line for `bench list` */
    const char *improves_on; /* the variant one rung down the ladder; NULL at the bottom */
    const Backend *backend;
    const Axis *const *tuning; /* NULL-terminated list; NULL: no tuning axis */

    /* STATUS_SKIP when this processor cannot run the variant. NULL: whenever the backend can. */
    Status (*available)(void);

    /* Allocates. STATUS_SKIP when the workload cannot be had (memory, texture limits …). On
     * anything but STATUS_OK no state is left behind. */
    Status (*open)(const Request *request, void **state);
    Status (*upload)(void *state);   /* NULL: the input is used where it is */
    Status (*run)(void *state);      /* the timed work */
    const Stage *stages;             /* run() is these in this order; NULL: it has no parts */
    Status (*download)(void *state); /* NULL: run leaves the answer in request->output */
    /* Optional: upload + run + download overlapped, with no upload() before it; measured as
     * end_to_end in their place. */
    Status (*stream)(void *state);
    bool streamed;              /* has stream(), compiled in or not */
    void (*close)(void *state); /* frees; NULL is ignored */

    /* Judges this variant's answers instead of Algorithm.compare, where its hardware cannot give
     * the exact one; NULL otherwise. `answer` is the point that was asked for. */
    void (*compare)(const Point *answer, const Output *got, const Output *want, Verdict *verdict);
} Variant;

/*
 * Declares the operations of a variant by name, PREFIX_open to PREFIX_close. The file that
 * implements a variant and the row that names it both write VARIANT_FUNCTIONS(lbp_simd); and need
 * no header between them. Operations that a variant does not have need not exist.
 */
#define VARIANT_FUNCTIONS(prefix)                                                                  \
    VARIANT_EXTERN Status prefix##_open(const Request *request, void **state);                     \
    VARIANT_EXTERN Status prefix##_upload(void *state);                                            \
    VARIANT_EXTERN Status prefix##_run(void *state);                                               \
    VARIANT_EXTERN Status prefix##_download(void *state);                                          \
    VARIANT_EXTERN Status prefix##_stream(void *state);                                            \
    VARIANT_EXTERN void prefix##_close(void *state)

#ifdef __cplusplus
#define VARIANT_EXTERN extern "C"
#else
#define VARIANT_EXTERN extern
#endif

typedef struct VariantTable {
    const Variant *rows;
    size_t count;
} VariantTable;

/* Whether it computes on the host. */
static inline bool variant_is_on_cpu(const Variant *variant) {
    return variant->backend == &cpu_backend;
}

#ifdef __cplusplus
}
#endif

#endif
