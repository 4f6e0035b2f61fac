/* Proofs against code that is not trusted: inputs that change, answers that are damaged. */

#ifndef BENCH_RUN_PROOFS_H
#define BENCH_RUN_PROOFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"
#include "status.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Point Point;         /* axis.h */
typedef struct Variant Variant;     /* variant.h */
typedef struct Workload Workload;   /* workload.h */

/* A number that nobody can foresee, below `count`. */
size_t proof_draw(size_t count);

/* === An input that changes ==================================================================== */

/* A block of an input's pixels that is other noise than before. */
typedef struct InputChange {
    const Workload *workload;
    int32_t x, y, width, height;
    uint64_t seed;
    uint64_t hash; /* Workload.hash of the other one of both */
} InputChange;

/* Draws a block of one `share`-th of the pixels, at least one pixel. */
InputChange input_change_draw(const Workload *workload, size_t share);

/* Changes the input where it lies, or changes it back. While it is changed its hash is 0. */
void input_change_swap(InputChange *change);

/* A changed input and its right answer. Starts zeroed. */
typedef struct OtherInput {
    InputChange change;
    Output answer; /* plain memory; without data: there is no such input */
} OtherInput;

/*
 * Looks for a small change that changes the answer: of a 1024th of the pixels, a 32nd, then all.
 * `compute` writes the answer of the input as it is then to `scratch`. `first` is the answer of the
 * input itself, or NULL where `digest` stands for it. Without one, or without memory, `other` has
 * no data; nor of a set, of which open() may draw a sample, as adaboost's candidates are. Errors
 * are those of `compute`.
 */
typedef struct OtherRequest {
    const Algorithm *algorithm;
    const Workload *workload;
    const Point *answer;
    const Output *scratch;
    const Output *first;
    uint64_t digest;
    Status (*compute)(void *context);
    void *context;
} OtherRequest;
Status other_input_make(const OtherRequest *request, OtherInput *other);
void other_input_release(OtherInput *other);

/* Whom a proof is about: the open state of a variant, the memory of its answers, and the digest of
 * the right answer to the unchanged input (0: not known). */
typedef struct ProofSubject {
    const Algorithm *algorithm;
    const Variant *variant;
    const Point *answer;
    const Output *scratch;
    void *state;
    uint64_t digest;
} ProofSubject;

/* Runs the variant on the changed input, from upload to download and through stream(), on poisoned
 * answers, and uploads the unchanged one again. STATUS_FAIL if an answer is wrong: the words tell
 * whether it is that of the input before. */
Status other_input_verify(const ProofSubject *subject, OtherInput *other);

/* === Answers that are damaged ================================================================= */

/* Changes a few bytes of each part, at places that nobody can foresee. */
void answer_damage(const Output *answer);

/* Places of a device's memory where a piece of the answer may lie, and what lies there. */
enum { DAMAGE_BYTES = 64, DAMAGE_PLACES = 128, DAMAGE_PIECES = 3 * OUTPUT_PARTS_MAX };

typedef struct DamagePlace {
    size_t part, offset;   /* of the piece in the answer */
    size_t allocation, at; /* of the place in the device's memory */
    size_t bytes;
    uint8_t before[DAMAGE_BYTES], now[DAMAGE_BYTES]; /* without the answer; damaged */
} DamagePlace;

typedef struct Damage {
    DamagePlace pieces[DAMAGE_PIECES]; /* of the answer alone */
    size_t piece_count;
    DamagePlace places[DAMAGE_PLACES];
    size_t count;
} Damage;

/*
 * With the right answer in `answer`: draws pieces of each part that nothing but the answer is
 * likely to hold. Before a run, with nothing queued: looks at the places where they may lie. After
 * it, with the right answer in `answer` again: changes a piece wherever the run has written it, and
 * forgets the other places. Nothing where the answer lies in host memory.
 */
void damage_draw(const Variant *variant, const Output *answer, Damage *damage);
Status damage_look(const Variant *variant, const Output *answer, Damage *damage);
Status damage_do(const Variant *variant, const Output *answer, Damage *damage);

/* Runs the variant twice after one upload, its answer damaged in between. STATUS_FAIL if it is not
 * right then and, with `held`, if it works on the device while the stream is held back that it is
 * given. The right answer is in the memory of its answers; all memory is poisoned first. */
Status damage_verify(const ProofSubject *subject, const Output *want, bool held);

#endif
