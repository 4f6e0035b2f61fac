/* Verify: proof that a variant's answer is right, before and after it is timed. */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "algorithm.h"

/* Poison of the answers under test, and of the oracle while it is computed. They differ, so that
 * bytes which both leave unwritten cannot look equal. */
enum { POISON_CANDIDATE = 0xA5, POISON_ORACLE = 0x5A };

/* Answer memory that variants write to: guarded, from cpu_backend. STATUS_SKIP "needs X, Y free".
 */
Status answer_alloc_guarded(const OutputLayout *layout, Output *output);
void answer_release_guarded(Output *output);

/* Answer memory that nobody but the runner writes to. STATUS_SKIP "needs X, Y free". */
Status answer_alloc_plain(const OutputLayout *layout, Output *output);
void answer_release_plain(Output *output);

/* Fills every part with `pattern` and the gaps between the parts with zeros. */
void answer_poison(const Output *output, uint8_t pattern);

/* Opens a state that is going to be run at once. STATUS_SKIP also where its threads cannot be
 * started. */
Status variant_open(const Variant *variant, const Request *request, void **state);

/* STATUS_SKIP where the threads of a tuning point cannot be started now. */
Status tuning_check_threads(const Point *tuning);

/* Poisons all memory of a variant's backend and of cpu_backend, the answer included. */
Status poison_everything(const Variant *variant, const Output *output, uint8_t pattern);

/* upload, run, download (each when there is one) of an open state, then waits for the backend. */
Status run_once(const Variant *variant, void *state);

/* STATUS_FAIL when a guard band of the variant's backend or of cpu_backend was written. */
Status check_all_guards(const Variant *variant);

/* Judges by the variant's own comparison, else by the algorithm's, else byte by byte. `answer` is
 * the point that both were computed for. */
void answer_compare(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    const Output *got, const Output *want, Verdict *verdict);

/* Guards, then the answer. `agreement` is set when the answers were compared. STATUS_FAIL "wrong
 * answer: …" when it is not accepted. */
Status verify_answer(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                     const Output *got, const Output *want, double *agreement);

/* poison, upload, run, download, guards, compare of an open state. */
Status verify_state(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    void *state, const Output *got, const Output *want, double *agreement);

#endif
