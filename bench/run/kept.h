/* What the launches of a run keep for each other: inputs and answers of the oracle. */

#ifndef BENCH_RUN_KEPT_H
#define BENCH_RUN_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Oracle Oracle;             /* oracle.h */
typedef struct OutputLayout OutputLayout; /* output.h */
typedef struct Plan Plan;                 /* plan.h */
typedef struct Workload Workload;         /* workload.h */

/*
 * Every launch of a run has the same inputs. The first one that is measured leaves them, and the
 * oracles that later launches need, in a file in memory: the process of all launches makes it, and
 * launches inherit its descriptor. After that launch the file is sealed: nobody can change it.
 * Later launches read it into memory of the kind that an input has otherwise, so samples are of the
 * same memory, and a variant that writes where it should not spoils no other launch's input. Each
 * block is held against its digest. What is not in the file is loaded or computed as without it.
 */

/* --- In the process of all launches --- */

/* Makes the file. Where the system has none, launches load and compute everything. */
void kept_make(void);
/* Whether a program that is started from now on inherits the file. Only this program's launches may
 * have it: another version may store something else. */
void kept_offer(bool offered);
/* Nothing more is kept, and what there is cannot be changed. */
void kept_seal(void);
void kept_close(void);

/* --- In a launch; without a file nothing is found, and nothing is kept --- */

/* Takes over the descriptor, and the variable out of the environment. */
void kept_attach(void);

/* Whether an earlier launch of this run has read the whole input. */
bool kept_is_sealed(void);

/* The input of a workload of the plan. It is kept if it fits in half of the free memory beside what
 * a cell needs at most. Mapped images are not kept. */
void kept_add_workload(const Plan *plan, size_t index, const Workload *workload);
/* True: `workload` is filled, release it with workload_release. `shape` is the described one. */
bool kept_workload(size_t index, const Workload *shape, Workload *workload);

/* The same of the oracle of a group of the plan; one with its answer in memory. */
void kept_add_oracle(const Plan *plan, size_t group, const Oracle *oracle);
bool kept_oracle(size_t group, const OutputLayout *layout, Oracle *oracle);

#endif
