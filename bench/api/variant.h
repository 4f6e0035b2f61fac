/*
 * Variant: one implementation of an algorithm on one backend; one row of a table.
 *
 * Life of a state:  open → [poison] → upload → run → download → … → run → run → … → close
 *
 * The answer must be in request->output after download (after run, when download is NULL, as on
 * the CPU). run() may be called any number of times after one upload() and must compute the same
 * answer each time, whatever has become of the one before. The pixels of the input may be others at
 * each upload(), or at each run() where upload is NULL; those of a set stay as they were at open().
 * All work is queued on the backend's stream; nothing needs to wait for it except download() and
 * stream(), which return when the answer is in host memory, and run() where it is the whole pass.
 */
#ifndef BENCH_API_VARIANT_H
#define BENCH_API_VARIANT_H

#include <stddef.h>

#include <stdbool.h>

#include "axis.h"
#include "backend.h"
#include "output.h"
#include "sizes.h"
#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Long runs in steps: when an answer consists of results that follow from each other, like the
 * rounds of a training, a run can continue an earlier one and report after each step. Optional for
 * algorithms; sweeps do not use it.
 */
typedef struct Steps {
    uint32_t struct_bytes;
    size_t done; /* steps whose results are already in the output */
    /* Called with the results of steps 0 … done - 1 in the output. Any other status than STATUS_OK
     * ends the run, which returns it. */
    Status (*finished)(void *context, size_t done);
    void *context;
} Steps;

/* What a cell asks of a variant. The request outlives the state made from it. */
typedef struct Request {
    uint32_t struct_bytes;
    const Workload *workload;
    const Point *answer;  /* one value per answer axis of the algorithm */
    const Point *tuning;  /* one value per tuning axis of the variant */
    const Output *output; /* memory for the answer, owned by the runner */
    const Steps *steps;   /* NULL: the whole run at once */
} Request;

/* A part of run() that is also timed separately. */
typedef struct Stage {
    const char *name; /* "integral", "features"; NULL ends a list */
    Status (*run)(void *state);
} Stage;

FIXED_SIZE(Stage, 16);

/* Whose code a variant calls that is there to be compared with: a library that people would take
 * instead. It is never the best CPU or the best GPU. On the CPU its download() is not timed: it
 * brings an answer that the library has in a form of its own into request->output. */
typedef struct Peer {
    uint32_t struct_bytes;
    const char *library; /* "OpenCV" */
    const char *install; /* what brings it where it is absent: "opencv-python-headless" */

    /* In what it computes something else than the algorithm defines: its answer is compared element
     * by element, and the share of equal ones is printed. NULL: in nothing, and its answer is
     * verified like any other. */
    const char *difference;
    double agreement; /* with a difference: the least share that counts as right */

    /* The version that an open state computes with: "5.0.0". The text is there as long as the
     * state. */
    const char *(*version)(const void *state);
} Peer;

typedef struct Variant {
    uint32_t struct_bytes; /* sizeof(Variant), by CPU_VARIANT and CUDA_VARIANT */
    const char *name;
    const char *summary;     /* one line for `bench list` */
    const char *improves_on; /* the variant one rung down the ladder; NULL at the bottom */
    const Backend *backend;
    const Axis *const *tuning; /* NULL-terminated list; NULL: no tuning axis */
    bool on_request; /* swept only where --variants names it, such as a paper's way of doing it */

    /* STATUS_SKIP when this processor cannot run the variant. NULL: whenever the backend can. */
    Status (*available)(void);

    /* Allocates. STATUS_SKIP when the workload does not fit (memory, texture limits …). `state` is
     * set only on STATUS_OK. */
    Status (*open)(const Request *request, void **state);
    Status (*upload)(void *state);   /* NULL: the input is used in host memory */
    Status (*run)(void *state);      /* the timed work */
    const Stage *stages;             /* the parts of run() in order; NULL: none */
    Status (*download)(void *state); /* NULL: run leaves the answer in request->output */
    /* May be NULL: upload, run and download overlapped, without a call of upload() before; measured
     * as end-to-end time instead of the three. */
    Status (*stream)(void *state);
    bool streamed;              /* has stream(), compiled in or not */
    void (*close)(void *state); /* frees; NULL is ignored */

    /* How its devices exchange results, for the row: "NCCL 2.28.9". NULL: they do not. The text is
     * there as long as the state. The function may be NULL. */
    const char *(*exchanges_by)(const void *state);

    /* The way that run() takes on this device, of a variant that has several, for the row: "wgmma".
     * NULL: there is one. The text is there as long as the state. The function may be NULL. */
    const char *(*path)(const void *state);

    /* Whether run() is the whole pass, from host memory to request->output, because the device has
     * no room for the data: then upload and download do nothing. NULL: never. */
    bool (*is_whole_pass)(const void *state);

    /* Replaces Algorithm.compare for a variant whose hardware cannot give the exact answer; NULL
     * otherwise. `answer` is the requested point. */
    void (*compare)(const Point *answer, const Output *got, const Output *want, Verdict *verdict);

    const Peer *peer; /* it is other people's code; NULL: it is not */

    bool vectorized; /* it is vector code, and so is what improves on it */
} Variant;

/*
 * Declares the operations of a variant, PREFIX_open to PREFIX_close. Both the file that implements
 * a variant and the table row that uses it write VARIANT_FUNCTIONS(lbp_simd); instead of a header.
 * Operations that the row does not use need not be defined.
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

FIXED_SIZE(VariantTable, 16);

/* Whether it computes on the host. */
static inline bool variant_is_on_cpu(const Variant *variant) {
    return variant->backend == &cpu_backend;
}

#ifdef __cplusplus
}
#endif

#endif
