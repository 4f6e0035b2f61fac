/* Verification of answers, and the cases of the conformance test. */

#ifndef BENCH_RUN_VERIFY_H
#define BENCH_RUN_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "variant.h"
#include "workload.h"

typedef struct Algorithm Algorithm; /* algorithm.h */

/* --- Verification: verify.c ------------------------------------------------------------------- */

/* Allocates answer memory without guards, which no variant writes to. STATUS_SKIP "needs X, Y
 * free". Release with answer_release_plain. */
Status answer_alloc_plain(const OutputLayout *layout, Output *output);

void answer_release_plain(Output *output);

/* Whatever reads such memory from now on ends the process, but answer_compare; until it is
 * released, or seal_break (sealed.h). */
void answer_seal(const Output *output);

/* answer_alloc_guarded in a mapped file in `folder`: for an answer that memory has no room for.
 * STATUS_SKIP "needs X in FOLDER, Y free". Release with answer_release_guarded. */
Status answer_alloc_in_file(const char *folder, const OutputLayout *layout, Output *output);

/* cpu_backend.alloc in such a file, which its release, poison and guards know: backend_cpu.c. */
Status cpu_alloc_in_file(const char *folder, size_t bytes, void **memory);

/* STATUS_SKIP if the threads of a tuning point do not run together now: those of its threads axis,
 * or one for each of its GPUs. */
Status tuning_check_threads(const Point *tuning);

/* upload, so many times run, download (each if there is one) of an open state. Returns when the
 * answer is in host memory: the device may not have reported its end yet. */
Status run_until_answer(const Variant *variant, void *state, int runs);
/* The same with one run, then waits for the backend. */
Status run_once(const Variant *variant, void *state);
/* Poisons everything and runs once, again after a stop; the seconds of the run. Where every try was
 * stopped they are too few: the answer does not depend on them. */
Status run_on_poison(const Variant *variant, void *state, const Output *output, uint8_t pattern,
                     double *seconds);

/* Poisons all memory of a variant's backend and of cpu_backend, the answer included. */
Status poison_everything(const Variant *variant, const Output *output, uint8_t pattern);

/* STATUS_FAIL if a guard band of the variant's backend or of cpu_backend was written, which around
 * the answer names its part, or if a module's variant has changed the process. */
Status check_all_guards(const Variant *variant, const Output *answer);

/* Whether a guard band of this memory of cpu_backend was written, and how far before its start or
 * past its end; 0: not there. backend_cpu.c */
bool cpu_damage_of(const void *memory, size_t *before, size_t *after);
/* Whether the far end of some guard was written. */
bool cpu_guard_is_overrun(void);

/* BackendRunner.check_settings of the variant's backend. */
Status device_check_settings(const Variant *variant);

/* Compares two answers for the same answer point by the variant's own comparison, else by the
 * algorithm's, else byte by byte. */
void answer_compare(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    const Output *got, const Output *want, Verdict *verdict);

/* Whether its answer may differ from the oracle's where those of other variants may not. */
static inline bool variant_may_differ(const Variant *variant) {
    return variant->compare != NULL || (variant->peer != NULL && variant->peer->difference != NULL);
}

/* Whether it is the plain variant, the oracle of all others. */
bool variant_is_seq(const Algorithm *algorithm, const Variant *variant);

/* Checks the guards, then compares. `agreement` is set if the answers were compared. STATUS_FAIL
 * "wrong answer: …", or of `seq` "its calls give different answers, …". */
Status verify_answer(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                     const Output *got, const Output *want, double *agreement);

/* The algorithm's digest of an answer, or a hash of all its bytes: 1 … ANSWER_DIGESTS, which a JSON
 * number holds exactly. 0: right answers of the algorithm have no digest in common. */
#define ANSWER_DIGESTS ((uint64_t)1 << 52)
uint64_t answer_digest(const Algorithm *algorithm, const Output *output);

/* Poisons, uploads, runs, downloads and verifies an open state. */
Status verify_state(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    void *state, const Output *got, const Output *want, double *agreement);

/* --- Cases: cases.c --------------------------------------------------------------------------- */

typedef enum CaseContent {
    CASE_ZERO,
    CASE_SEVEN,
    CASE_FULL,
    CASE_RAMP,
    CASE_NOISE,
    CASE_EXTREME,
    CASE_TEXTURE, /* looks like an image: the synthetic texture */
    CASE_HALVES,
    CASE_DIGITS,
    CASE_RANDOM,
    CASE_TIES,
    CASE_NEAR,
    CASE_CONTENTS
} CaseContent;

extern const char *const case_content_names[];

/* Images: count 0. Images with keypoints: `count` of these; 0: a few. Sets: `count` images.
 * Descriptors: `count` rows of `width` bytes in the first set, `height` in the second. */
typedef struct CaseShape {
    int32_t count, width, height;
} CaseShape;

/* The usual shapes of a kind; `quick` leaves out large images. */
size_t case_shapes(WorkloadKind kind, bool quick, const CaseShape **shapes);

/* Shapes as those that are measured, the largest first, and the content that they have. */
size_t case_used_shapes(WorkloadKind kind, const CaseShape **shapes, CaseContent *content);

/* The contents of a kind, CASE_CONTENTS behind the last. */
const CaseContent *case_contents(WorkloadKind kind);

/* No set is large. */
bool case_is_large(WorkloadKind kind, CaseShape shape);

/* A workload of its own memory, as the algorithm takes it: `padding` bytes after each row hold
 * values that must not be read; sets and images of other types have none. Keypoint workloads have
 * random weights of every kind. STATUS_SKIP without memory. Release with case_release. */
Status case_create(const Algorithm *algorithm, CaseShape shape, CaseContent content, size_t padding,
                   Workload *workload);
void case_release(Workload *workload);

#endif
