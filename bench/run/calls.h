/* Calls of a variant's functions, watched. */

#ifndef BENCH_RUN_CALLS_H
#define BENCH_RUN_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"
#include "status.h"
#include "supervisor.h"

typedef struct Algorithm Algorithm;       /* algorithm.h */
typedef struct Axis Axis;                 /* axis.h */
typedef struct AxisValues AxisValues;     /* axis.h */
typedef struct OutputLayout OutputLayout; /* output.h */
typedef struct Plan Plan;                 /* plan.h */
typedef struct PlanCell PlanCell;         /* plan.h */
typedef struct Point Point;               /* axis.h */
typedef struct Request Request;           /* variant.h */
typedef struct Variant Variant;           /* variant.h */
typedef struct WeightsKind WeightsKind;   /* workload.h */
typedef struct Workload Workload;         /* workload.h */

/*
 * Everything that an algorithm and its variants bring is called through these, so that a supervisor
 * (supervisor.h) knows what is called, and what comes back is right: a status that a variant may
 * return, a layout whose parts lie in it, values that are the axis's own. A call that has ended a
 * process before is not made: STATUS_FAIL with what happened.
 */

/* Seconds that a call of a module's may take before it counts as one that does not come back. */
enum { CALL_SECONDS = 60, PART_NAME_MAX = 31 };
void calls_limit(double seconds);
/* Words before the subjects of calls whose answers nobody sees, as those of an estimate; "": none.
 * They must last. */
void calls_purpose(const char *words);

/* Opens a state. STATUS_SKIP also if its threads cannot be started. */
Status variant_open(const Variant *variant, const Request *request, void **state);
/* STATUS_OK where the variant has no such function. */
Status variant_upload(const Variant *variant, void *state);
Status variant_download(const Variant *variant, void *state);
Status variant_run(const Variant *variant, void *state);
Status variant_stream(const Variant *variant, void *state);
/* Waits for the backend. */
Status variant_wait(const Variant *variant, const void *state);
void variant_close(const Variant *variant, void *state);

/* Around calls that are made on the clock, which the functions above would disturb: what is called,
 * and the status that came back. */
void variant_enter(const Variant *variant, const void *state, CallStep step);
Status variant_returned(const Variant *variant, Status status);
/* Before a state is opened on the clock. STATUS_FAIL if the request has ended a process. */
Status variant_ended(const Variant *variant, const Request *request);

/* Variant.is_whole_pass, exchanges_by, path and Peer.version of an open state; "" without one. */
bool is_whole_pass(const Variant *variant, const void *state);
const char *variant_exchanges_by(const Variant *variant, const void *state);
const char *variant_path(const Variant *variant, const void *state);
const char *variant_peer_version(const Variant *variant, const void *state);

/* STATUS_FAIL when what a module was given to fill has another number of bytes than before. */
Status struct_filled(uint32_t struct_bytes, size_t bytes, const char *type);

/* Errors of Algorithm.output_layout; STATUS_FAIL for a layout that is none. */
Status algorithm_layout(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                        OutputLayout *layout);
/* NAN for an amount that is none. */
Cost algorithm_cost(const Algorithm *algorithm, const Workload *workload, const Point *answer);
/* Before the functions of a kind of weights are called, and after. STATUS_FAIL with what happened
 * if they have ended a process; algorithm_layout then fails with the same. */
Status weights_enter(const WeightsKind *kind, CallStep step);
void weights_leave(void);
/* Before the algorithm writes an answer; around its write_part and write_table; and whether it has
 * ended a process there: STATUS_FAIL with what happened. */
Status algorithm_writes(const Algorithm *algorithm, const Workload *workload, const Point *answer);
Status algorithm_returned(const Algorithm *algorithm, Status status);
Status algorithm_has_written(const Algorithm *algorithm);
/* axis_parse; STATUS_FAIL for values that are not the axis's. */
Status axis_read(const Axis *axis, const char *list, const Workload *workload, AxisValues *values);

/* In a trial (call_trial): whether it is one of this cell. True without one. */
bool cell_is_due(const Plan *plan, const PlanCell *cell);
/* What is called from now on is called for this cell, as its oracle is; NULL: for itself. */
void call_for_cell(const Plan *plan, const PlanCell *cell);
/* STATUS_FAIL if something that was called for the cell has ended a process after it. */
Status cell_ended(const Plan *plan, const PlanCell *cell);

#endif
