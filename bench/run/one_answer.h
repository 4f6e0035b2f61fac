/* One answer: a variant run once, apart from any sweep, for commands that want what it computes and
 * perhaps about how long that takes. */
#ifndef BENCH_ONE_ANSWER_H
#define BENCH_ONE_ANSWER_H

#include "algorithm.h"

/* The variant of this name; NULL: the best one of the CPU, whose table goes from the plainest to
 * the best. STATUS_USAGE naming those there are; STATUS_SKIP when it cannot run here. */
Status one_answer_variant(const Algorithm *algorithm, const char *name, const Variant **variant);

/* The best one that can run here: the last of the GPU's table, else of the CPU's. */
Status one_answer_fastest(const Algorithm *algorithm, const Variant **variant);

/* Computes the answer on guarded, poisoned memory; of each tuning axis the last default is taken,
 * which of the number of threads is the greatest. STATUS_SKIP when there is no answer or no memory.
 * On STATUS_OK release with answer_release_guarded; else there is nothing to release. */
Status one_answer_compute(const Algorithm *algorithm, const Variant *variant,
                          const Workload *workload, const Point *answer, Output *output);

/* The same, and the seconds of a run by the backend's kernel clock: the median of the last of some
 * runs, the first of which warm the device, or a single one where it is so long that it warms
 * itself. */
Status one_answer_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                       const Point *answer, Output *output, double *seconds);

/* Opens the variant, runs it once into the request's output, which is guarded memory, and closes
 * it. STATUS_FAIL when it wrote outside of what is its own. */
Status one_answer_run(const Variant *variant, const Request *request);

/* Holds an answer of the variant against the oracle's. STATUS_FAIL "… gave a wrong answer: …". */
Status one_answer_check(const Algorithm *algorithm, const Variant *variant,
                        const Workload *workload, const Point *answer, const Output *got);

#endif
