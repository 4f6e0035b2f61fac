/* Proofs against code that is not trusted: its input changes where it lies, and its answer is
 * damaged where it was written. Places are drawn from numbers of the system. */

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "backend_runner.h"
#include "calls.h"
#include "clock.h"
#include "harness.h"
#include "proofs.h"
#include "random.h"
#include "verify.h"

size_t proof_draw(size_t count) {
    static Draw draw;
    if (draw.count == 0 &&
        getrandom(&draw.seed, sizeof draw.seed, GRND_NONBLOCK) != (ssize_t)sizeof draw.seed) {
        draw.seed = (uint64_t)getpid() << 32 ^ (uint64_t)(clock_now() * 1e9);
    }
    const uint64_t number = draw_number(&draw);
    return count > 0 ? (size_t)(number % count) : (size_t)number;
}

/* === An input that changes ==================================================================== */

/* As square as the image allows. */
InputChange input_change_draw(const Workload *workload, size_t share) {
    const Image *image = &workload->image;
    const int64_t area = (int64_t)(image_pixel_count(image) / share);
    int32_t side = 1;
    while ((int64_t)(side + 1) * (side + 1) <= area) {
        side++;
    }
    InputChange change = {.workload = workload, .seed = proof_draw(0)};
    change.width = share == 1 || side > image->width ? image->width : side;
    const int64_t height = area / change.width;
    change.height = share == 1 || height > image->height ? image->height
                    : height > 0                         ? (int32_t)height
                                                         : 1;
    change.x = (int32_t)proof_draw((size_t)(image->width - change.width) + 1);
    change.y = (int32_t)proof_draw((size_t)(image->height - change.height) + 1);
    return change;
}

/* Bits of byte `at` of a pixel that may change: of floating point those of the mantissa, so that a
 * number stays one. */
static uint8_t changeable(OutputKind kind, size_t at) {
    const size_t size = output_element_size(kind);
    const bool real = output_element_type(kind) == 'f';
    const bool narrow = size == sizeof(float);
    const size_t highest = narrow ? 2 : 6; /* the lowest byte comes first */
    const uint8_t rest = narrow ? 0x7F : 0x0F;
    return !real || at < highest ? UINT8_MAX : at == highest ? rest : 0;
}

/* Whether a pixel is a real number from 1 up to 2, whose sign and exponent are those of 1. In an
 * image 1 is the greatest level: with another mantissa it would be none. */
static bool is_greatest(OutputKind kind, const uint8_t *pixel) {
    const size_t size = output_element_size(kind);
    const bool narrow = size == sizeof(float);
    const uint8_t exponent = narrow ? 0x80 : 0xF0;
    return output_element_type(kind) == 'f' && pixel[size - 1] == 0x3F &&
           (pixel[size - 2] & exponent) == exponent;
}

/* Each pixel has another level, and its own again when that is done twice. */
void input_change_swap(InputChange *change) {
    Workload *workload = (Workload *)change->workload;
    Draw draw = {.seed = change->seed};
    const size_t size = output_element_size(workload->element);
    for (int32_t y = change->y; y < change->y + change->height; y++) {
        uint8_t *row = workload->image.pixels + (size_t)y * workload->image.stride;
        for (int32_t x = change->x; x < change->x + change->width; x++) {
            uint8_t *pixel = row + (size_t)x * size;
            for (size_t b = 0; !is_greatest(workload->element, pixel) && b < size; b++) {
                pixel[b] ^=
                    (uint8_t)(1 + draw_below(&draw, UINT8_MAX)) & changeable(workload->element, b);
            }
        }
    }
    const uint64_t hash = workload->hash;
    workload->hash = change->hash;
    change->hash = hash;
}

/* Whether answers of the changed input have the memory that `scratch` has. */
static bool has_layout(const OtherRequest *request) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    const Status status =
        algorithm_layout(request->algorithm, request->workload, request->answer, &layout);
    const OutputLayout *known = &request->scratch->layout;
    bool same =
        status_is_ok(&status) && layout.count == known->count && layout.bytes == known->bytes;
    for (size_t i = 0; i < layout.count && same; i++) {
        same = layout.parts[i].offset == known->parts[i].offset &&
               layout.parts[i].bytes == known->parts[i].bytes;
    }
    return same;
}

static bool is_another_answer(const OtherRequest *request) {
    const Output *scratch = request->scratch;
    return request->first != NULL
               ? memcmp(scratch->data, request->first->data, scratch->layout.bytes) != 0
               : answer_digest(request->algorithm, scratch) != request->digest;
}

/* `*found` says whether the answer is another one, which is in `scratch`. */
static Status try_change(const OtherRequest *request, InputChange *change, bool *found) {
    Status status = status_ok();
    input_change_swap(change);
    *found = has_layout(request);
    if (*found) {
        status = request->compute(request->context);
        *found = status_is_ok(&status) && is_another_answer(request);
    }
    input_change_swap(change);
    return status;
}

Status other_input_make(const OtherRequest *request, OtherInput *other) {
    static const size_t shares[] = {1024, 32, 1};
    const Image *image = &request->workload->image;
    bool found = false;
    *other = (OtherInput){.answer = {.data = NULL}};
    if (request->workload->kind == WORKLOAD_IMAGE_SET) {
        return status_ok();
    }
    for (size_t i = 0; i < sizeof shares / sizeof shares[0] && !found; i++) {
        const bool is_none = image_pixel_count(image) < shares[i];
        if (!is_none) {
            other->change = input_change_draw(request->workload, shares[i]);
            STATUS_TRY(try_change(request, &other->change, &found));
        }
    }
    if (found) {
        const Status room = answer_alloc_plain(&request->scratch->layout, &other->answer);
        if (status_is_ok(&room)) {
            memcpy(other->answer.data, request->scratch->data, request->scratch->layout.bytes);
        }
    }
    return status_ok();
}

void other_input_release(OtherInput *other) {
    answer_release_plain(&other->answer);
}

/* === Trying a variant on it =================================================================== */

static Status verify_here(const ProofSubject *subject, const Output *want) {
    double agreement = 0;
    return verify_answer(subject->algorithm, subject->variant, subject->answer, subject->scratch,
                         want, &agreement);
}

/* Of a wrong answer to the changed input. */
static Status explain_stale(const ProofSubject *subject, const Status *status) {
    if (status->code != STATUS_FAIL) {
        return *status;
    }
    const uint64_t digest = answer_digest(subject->algorithm, subject->scratch);
    return digest != 0 && digest == subject->digest
               ? status_fail(
                     "it keeps answers: its input was changed, and the answer is still that "
                     "of the input before")
               : status_fail("its input was changed, and the answer is not that of the new input, "
                             "as where old results are kept: %.300s",
                             status->why);
}

static Status verify_changed(const ProofSubject *subject, const OtherInput *other) {
    answer_poison(subject->scratch, POISON_CANDIDATE);
    STATUS_TRY(run_once(subject->variant, subject->state));
    Status status = verify_here(subject, &other->answer);
    if (status_is_ok(&status) && subject->variant->stream != NULL) {
        answer_poison(subject->scratch, POISON_CANDIDATE);
        STATUS_TRY(variant_stream(subject->variant, subject->state));
        STATUS_TRY(variant_wait(subject->variant, subject->state));
        status = verify_here(subject, &other->answer);
    }
    return explain_stale(subject, &status);
}

Status other_input_verify(const ProofSubject *subject, OtherInput *other) {
    if (other == NULL || other->answer.data == NULL) {
        return status_ok();
    }
    input_change_swap(&other->change);
    const Status status = verify_changed(subject, other);
    input_change_swap(&other->change);
    STATUS_TRY(status);
    STATUS_TRY(variant_upload(subject->variant, subject->state));
    return variant_wait(subject->variant, subject->state);
}

/* === Answers that are damaged ================================================================= */

enum { PIECES = DAMAGE_PIECES / OUTPUT_PARTS_MAX }; /* of a part */

static size_t piece_bytes(const OutputPart *part) {
    return part->bytes < DAMAGE_BYTES ? part->bytes : DAMAGE_BYTES;
}

static void invert(uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= UINT8_MAX;
    }
}

void answer_damage(const Output *answer) {
    for (size_t i = 0; i < answer->layout.count * PIECES; i++) {
        const OutputPart *part = &answer->layout.parts[i / PIECES];
        const size_t bytes = piece_bytes(part);
        invert(answer->data + part->offset + proof_draw(part->bytes - bytes + 1), bytes);
    }
}

/* Parts may lie in memory of their own, or as in the answer. `*there`: it is not behind the last
 * allocation. */
static Status look_at_allocation(const Variant *variant, const OutputPart *part,
                                 const DamagePlace *piece, Damage *damage, bool *there) {
    const size_t starts[] = {0, part->offset};
    *there = false;
    for (size_t i = 0; i < (part->offset > 0 ? 2 : 1) && damage->count < DAMAGE_PLACES; i++) {
        DamagePlace *place = &damage->places[damage->count];
        bool fits = false;
        *place = *piece;
        place->at = starts[i] + piece->offset;
        STATUS_TRY(variant->backend->runner->peek(place->allocation, place->at, place->before,
                                                  place->bytes, there, &fits));
        damage->count += fits;
    }
    return status_ok();
}

static bool lies_on_device(const Variant *variant) {
    return variant->download != NULL && variant->backend->runner->peek != NULL;
}

/* Zeros, or the same number again and again, may also lie where a run counts anew each time. */
static bool is_telling(const uint8_t *bytes, size_t size) {
    enum { LEVELS_LEAST = 8 };
    bool seen[UINT8_MAX + 1] = {false};
    int levels = 0;
    for (size_t i = 0; i < size; i++) {
        levels += !seen[bytes[i]];
        seen[bytes[i]] = true;
    }
    return levels >= LEVELS_LEAST;
}

/* False where several tries find none. */
static bool draw_piece(const Output *answer, DamagePlace *piece) {
    enum { TRIES = 8 };
    const OutputPart *part = &answer->layout.parts[piece->part];
    bool found = false;
    piece->bytes = piece_bytes(part);
    for (int i = 0; i < TRIES && !found; i++) {
        piece->offset = proof_draw(part->bytes - piece->bytes + 1);
        found = is_telling(answer->data + part->offset + piece->offset, piece->bytes);
    }
    return found;
}

void damage_draw(const Variant *variant, const Output *answer, Damage *damage) {
    damage->piece_count = damage->count = 0;
    for (size_t i = 0; lies_on_device(variant) && i < answer->layout.count * PIECES; i++) {
        DamagePlace *piece = &damage->pieces[damage->piece_count];
        *piece = (DamagePlace){.part = i / PIECES};
        damage->piece_count += draw_piece(answer, piece);
    }
}

Status damage_look(const Variant *variant, const Output *answer, Damage *damage) {
    for (size_t i = 0; i < damage->piece_count; i++) {
        DamagePlace piece = damage->pieces[i];
        bool there = true;
        for (; there; piece.allocation++) {
            STATUS_TRY(look_at_allocation(variant, &answer->layout.parts[piece.part], &piece,
                                          damage, &there));
        }
    }
    return status_ok();
}

/* Forgets the places where no piece of the right answer has been written. */
Status damage_do(const Variant *variant, const Output *answer, Damage *damage) {
    const BackendRunner *runner = variant->backend->runner;
    size_t count = 0;
    for (size_t i = 0; i < damage->count; i++) {
        DamagePlace *place = &damage->places[i];
        const OutputPart *part = &answer->layout.parts[place->part];
        const uint8_t *right = answer->data + part->offset + place->offset;
        bool there = false, fits = false;
        STATUS_TRY(
            runner->peek(place->allocation, place->at, place->now, place->bytes, &there, &fits));
        if (fits && memcmp(place->now, right, place->bytes) == 0 &&
            memcmp(place->before, right, place->bytes) != 0) {
            invert(place->now, place->bytes);
            STATUS_TRY(runner->poke(place->allocation, place->at, place->now, place->bytes));
            damage->places[count++] = *place;
        }
    }
    damage->count = count;
    return status_ok();
}

/* Whether something else than the damage lies at one of the places. */
static Status is_repaired(const Variant *variant, const Damage *damage, bool *repaired) {
    *repaired = false;
    for (size_t i = 0; i < damage->count && !*repaired; i++) {
        const DamagePlace *place = &damage->places[i];
        uint8_t now[DAMAGE_BYTES];
        bool there = false, fits = false;
        STATUS_TRY(variant->backend->runner->peek(place->allocation, place->at, now, place->bytes,
                                                  &there, &fits));
        *repaired = fits && memcmp(now, place->now, place->bytes) != 0;
    }
    return status_ok();
}

static Status run_held(const ProofSubject *subject, const Damage *damage, bool *repaired) {
    const BackendRunner *runner = subject->variant->backend->runner;
    enum { LOOKS = 8 };
    const struct timespec pause = {.tv_nsec = 250000};
    double seconds = 0;
    STATUS_TRY(runner->hold());
    STATUS_TRY(runner->clock_start());
    const Status status = variant_run(subject->variant, subject->state);
    for (int i = 0; status_is_ok(&status) && i < LOOKS && !*repaired; i++) {
        nanosleep(&pause, NULL);
        STATUS_TRY(is_repaired(subject->variant, damage, repaired));
    }
    STATUS_TRY(runner->clock_stop(&seconds));
    return status;
}

/* While the stream that it is given is held back, nothing of a run may happen on the device. Not
 * known of runs that wait for the device. */
static Status held_verify(const ProofSubject *subject, const Damage *damage) {
    const BackendRunner *runner = subject->variant->backend->runner;
    bool repaired = false;
    if (damage->count == 0 || runner->hold == NULL) {
        return status_ok();
    }
    STATUS_TRY(run_held(subject, damage, &repaired));
    STATUS_TRY(variant_wait(subject->variant, subject->state));
    return !repaired || !runner->was_held()
               ? status_ok()
               : status_fail("it works beside the stream that it is given, where no clock sees it: "
                             "its answer was there while that stream was held back");
}

static Status run_and_download(const ProofSubject *subject) {
    STATUS_TRY(variant_run(subject->variant, subject->state));
    STATUS_TRY(variant_download(subject->variant, subject->state));
    return variant_wait(subject->variant, subject->state);
}

Status damage_verify(const ProofSubject *subject, const Output *want, bool held) {
    const Variant *variant = subject->variant;
    const Output *scratch = subject->scratch;
    Damage damage;
    damage_draw(variant, scratch, &damage);
    STATUS_TRY(poison_everything(variant, scratch, POISON_CANDIDATE));
    STATUS_TRY(variant_upload(variant, subject->state));
    STATUS_TRY(variant_wait(variant, subject->state));
    STATUS_TRY(damage_look(variant, scratch, &damage));
    STATUS_TRY(run_and_download(subject));
    STATUS_TRY(damage_do(variant, scratch, &damage));
    STATUS_TRY(held ? held_verify(subject, &damage) : status_ok());
    answer_damage(scratch);
    STATUS_TRY(run_and_download(subject));
    const Status status = verify_here(subject, want);
    return status.code != STATUS_FAIL
               ? status
               : status_fail("its answer was damaged after a run, and the next run left it so: "
                             "%.300s",
                             status.why);
}
