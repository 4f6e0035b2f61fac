/* Verification: poison, guards, comparison with the oracle. */

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithm.h"
#include "backend_runner.h"
#include "calls.h"
#include "chunks.h"
#include "clock.h"
#include "digest.h"
#include "harness.h"
#include "modules.h"
#include "resources.h"
#include "scaling.h"
#include "sealed.h"
#include "stops.h"
#include "text.h"
#include "verify.h"

Status answer_alloc_guarded(const OutputLayout *layout, Output *output) {
    void *memory = NULL;
    *output = (Output){.struct_bytes = sizeof(Output), .layout = *layout};
    STATUS_TRY(cpu_backend.alloc(layout->bytes, &memory));
    output->data = memory;
    return status_ok();
}

Status answer_alloc_in_file(const char *folder, const OutputLayout *layout, Output *output) {
    void *memory = NULL;
    *output = (Output){.struct_bytes = sizeof(Output), .layout = *layout};
    STATUS_TRY(cpu_alloc_in_file(folder, layout->bytes, &memory));
    output->data = memory;
    return status_ok();
}

void answer_release_guarded(Output *output) {
    cpu_backend.release(output->data);
    output->data = NULL;
}

Status answer_alloc_plain(const OutputLayout *layout, Output *output) {
    *output = (Output){.struct_bytes = sizeof(Output), .layout = *layout};
    const uint64_t available = available_memory();
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (layout->bytes <= available) { /* in pages of its own, which can be sealed */
        output->data = aligned_alloc(page, (layout->bytes + page - 1) / page * page);
    }
    if (output->data == NULL) {
        return memory_short(layout->bytes, available);
    }
    return status_ok();
}

void answer_seal(const Output *output) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (output->data != NULL) {
        seal(output->data, (output->layout.bytes + page - 1) / page * page,
             "it read the memory of the right answer, which the harness holds its own to");
    }
}

void answer_release_plain(Output *output) {
    seal_break(output->data);
    free(output->data);
    output->data = NULL;
}

Status tuning_check_threads(const Point *tuning) {
    const int gpus = (int)point_integer(tuning, scaling_gpus, 1); /* each is a thread's */
    return thread_team_check((int)point_integer(tuning, scaling_threads, gpus));
}

/* Where the gap behind a part ends. */
static size_t end_of_gap(const OutputLayout *layout, size_t part) {
    return part + 1 < layout->count ? layout->parts[part + 1].offset : layout->bytes;
}

static void zero_gaps(const Output *output) {
    const OutputLayout *layout = &output->layout;
    for (size_t i = 0; i < layout->count; i++) {
        const size_t end = layout->parts[i].offset + layout->parts[i].bytes;
        memset(output->data + end, 0, end_of_gap(layout, i) - end);
    }
}

typedef struct Poisoned {
    uint8_t *data;
    uint8_t pattern;
} Poisoned;

static void poison_chunk(void *context, size_t from, size_t to) {
    const Poisoned *poisoned = context;
    memset(poisoned->data + from, poisoned->pattern, to - from);
}

void answer_poison(const Output *output, uint8_t pattern) {
    Poisoned poisoned = {output->data, pattern};
    chunks_each(output->layout.bytes, poison_chunk, &poisoned);
    zero_gaps(output);
}

Status poison_everything(const Variant *variant, const Output *output, uint8_t pattern) {
    STATUS_TRY(cpu_backend.runner->poison(pattern));
    if (!variant_is_on_cpu(variant)) {
        STATUS_TRY(variant->backend->runner->poison(pattern));
    }
    zero_gaps(output);
    return status_ok();
}

uint64_t answer_digest(const Algorithm *algorithm, const Output *output) {
    if (!algorithm_is_exact(algorithm) && algorithm->digest == NULL) {
        return 0;
    }
    call_step(CALL_COMPARE);
    const uint64_t digest = algorithm->digest != NULL
                                ? algorithm->digest(output)
                                : digest_bytes(output->data, output->layout.bytes);
    call_step(CALL_NONE);
    return digest % ANSWER_DIGESTS + 1;
}

Status run_until_answer(const Variant *variant, void *state, int runs) {
    STATUS_TRY(variant_upload(variant, state));
    for (int i = 0; i < runs; i++) {
        STATUS_TRY(variant_run(variant, state));
    }
    return variant->download != NULL ? variant_download(variant, state)
                                     : variant_wait(variant, state);
}

Status run_once(const Variant *variant, void *state) {
    STATUS_TRY(run_until_answer(variant, state, 1));
    return variant_wait(variant, state);
}

Status run_on_poison(const Variant *variant, void *state, const Output *output, uint8_t pattern,
                     double *seconds) {
    StopTries tries = {.count = 0};
    do {
        STATUS_TRY(poison_everything(variant, output, pattern));
        stop_tries_begin(&tries);
        const double started = clock_now();
        STATUS_TRY(run_once(variant, state));
        *seconds = clock_now() - started;
    } while (stop_tries_again(&tries));
    return status_ok();
}

/* The bytes behind a part's end up to the last one of its gap that was written; 0: none. */
static size_t written_behind(const Output *answer, size_t part) {
    const OutputLayout *layout = &answer->layout;
    const size_t end = layout->parts[part].offset + layout->parts[part].bytes;
    size_t at = end_of_gap(layout, part);
    while (at > end && answer->data[at - 1] == 0) {
        at--;
    }
    return at - end;
}

static Status wrote_out_of(const OutputPart *part, size_t distance, const char *where) {
    return status_fail("the answer part '%s' of %zu bytes (output_layout) was written out of "
                       "bounds, %zu bytes %s",
                       part->name, part->bytes, distance, where);
}

/* Names the part whose place was too small for what was written, or that was written before its
 * place: the gaps, which were zeros, and the guards. */
static Status check_answer_guards(const Output *answer) {
    const OutputLayout *layout = &answer->layout;
    size_t before = 0, after = 0;
    if (layout->count == 0) {
        return status_ok();
    }
    const OutputPart *last = &layout->parts[layout->count - 1];
    if (cpu_damage_of(answer->data, &before, &after)) {
        return before != 0 ? wrote_out_of(&layout->parts[0], before, "before its start")
                           : wrote_out_of(last, layout->bytes - last->offset - last->bytes + after,
                                          "past its end");
    }
    for (size_t i = 0; i < layout->count; i++) {
        const size_t behind = written_behind(answer, i);
        if (behind > 0) {
            return wrote_out_of(&layout->parts[i], behind, "past its end");
        }
    }
    return status_ok();
}

/* What lies behind a guard that is written from end to end may be the allocator's own: the process
 * would end at some later call, which nobody could name. */
static Status check_host_guards(const Output *answer) {
    Status status = check_answer_guards(answer);
    STATUS_THEN(status, cpu_backend.runner->check_guards());
    if (!status_is_ok(&status) && supervisor_is_attached() && cpu_guard_is_overrun()) {
        supervisor_abandon(status.why);
    }
    return status;
}

Status check_all_guards(const Variant *variant, const Output *answer) {
    if (module_has_variant(variant)) {
        STATUS_TRY(process_state_check());
    }
    STATUS_TRY(check_host_guards(answer));
    return variant_is_on_cpu(variant) ? status_ok() : variant->backend->runner->check_guards();
}

Status device_check_settings(const Variant *variant) {
    Status (*const check)(void) = variant->backend->runner->check_settings;
    return check != NULL ? check() : status_ok();
}

/* --- Comparing element by element ------------------------------------------------------------- */

/* An element of an answer; which member it is says the letter of its type. */
typedef struct Number {
    char type; /* as output_element_type has it */
    uint64_t whole;
    double real;
    int64_t place; /* of a real number among all numbers of its type */
} Number;

/* Numbers of floating point lie in the order of their bits, those below 0 the other way round. */
static int64_t place_of(int64_t bits, int64_t least) {
    return bits < 0 ? least - bits : bits;
}

static Number real_number(const uint8_t *at, size_t size) {
    Number number = {.type = 'f'};
    if (size == sizeof(float)) {
        float value = 0;
        int32_t bits = 0;
        memcpy(&value, at, sizeof value);
        memcpy(&bits, at, sizeof bits);
        number.real = (double)value;
        number.place = place_of(bits, INT32_MIN);
    } else {
        memcpy(&number.real, at, sizeof number.real);
        memcpy(&number.place, at, sizeof number.place);
        number.place = place_of(number.place, INT64_MIN);
    }
    return number;
}

static Number number_at(OutputKind kind, const uint8_t *at) {
    Number number = {.type = output_element_type(kind)};
    const size_t size = output_element_size(kind);
    if (number.type == 'f') {
        return real_number(at, size);
    }
    memcpy(&number.whole, at, size); /* the lowest byte comes first */
    if (number.type == 'i' && size == sizeof(int32_t)) {
        number.whole = (uint64_t)(int64_t)(int32_t)number.whole;
    }
    return number;
}

static void write_number(const Number *number, size_t size, char text[32]) {
    switch (number->type) {
    case 'f': snprintf(text, 32, size == sizeof(float) ? "%.9g" : "%.17g", number->real); break;
    case 'i': snprintf(text, 32, "%" PRId64, (int64_t)number->whole); break;
    default: snprintf(text, 32, "%" PRIu64, number->whole);
    }
}

/* How far apart they are, in the last place too: `*places`. */
static double distance_of(const Number *a, const Number *b, uint64_t *places) {
    if (a->type == 'f') {
        *places = a->place > b->place ? (uint64_t)a->place - (uint64_t)b->place
                                      : (uint64_t)b->place - (uint64_t)a->place;
        return fabs(a->real - b->real);
    }
    const bool above = a->type == 'i' ? (int64_t)a->whole > (int64_t)b->whole : a->whole > b->whole;
    *places = above ? a->whole - b->whole : b->whole - a->whole;
    return (double)*places;
}

static bool is_near(const Tolerance *tolerance, const Number *got, const Number *want) {
    uint64_t places = 0;
    if (got->type == 'f' && (!isfinite(got->real) || !isfinite(want->real))) {
        return got->real == want->real || (isnan(got->real) && isnan(want->real));
    }
    const double size = want->type == 'f'   ? fabs(want->real)
                        : want->type == 'i' ? fabs((double)(int64_t)want->whole)
                                            : (double)want->whole;
    const double distance = distance_of(got, want, &places);
    return distance <= tolerance->absolute || distance <= tolerance->relative * size ||
           places <= tolerance->ulp;
}

typedef struct Difference {
    const Tolerance *tolerance; /* NULL: none */
    size_t equal, right, total; /* elements; right: equal or near */
    size_t part, index;         /* of the first one that is wrong */
    bool found;
} Difference;

typedef struct Pair {
    const uint8_t *a, *b;
    atomic_bool differs;
} Pair;

static void compare_chunk(void *context, size_t from, size_t to) {
    Pair *pair = context;
    if (memcmp(pair->a + from, pair->b + from, to - from) != 0) {
        pair->differs = true;
    }
}

static bool are_equal(const uint8_t *a, const uint8_t *b, size_t bytes) {
    Pair pair = {.a = a, .b = b};
    chunks_each(bytes, compare_chunk, &pair);
    return !pair.differs;
}

static void compare_part(const Output *got, const Output *want, size_t part, Difference *result) {
    const OutputPart *layout = &want->layout.parts[part];
    const size_t size = output_element_size(layout->kind);
    const size_t count = layout->bytes / size;
    const uint8_t *a = output_part(got, part);
    const uint8_t *b = output_part(want, part);
    result->total += count;
    if (are_equal(a, b, layout->bytes)) {
        result->equal += count;
        result->right += count;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (memcmp(a + i * size, b + i * size, size) == 0) {
            result->equal++;
            result->right++;
            continue;
        }
        const Number is = number_at(layout->kind, a + i * size);
        const Number right = number_at(layout->kind, b + i * size);
        if (result->tolerance != NULL && is_near(result->tolerance, &is, &right)) {
            result->right++;
        } else if (!result->found) {
            result->found = true;
            result->part = part;
            result->index = i;
        }
    }
}

static void element_text(const Output *output, size_t part, size_t index, char text[32]) {
    const OutputKind kind = output->layout.parts[part].kind;
    const size_t size = output_element_size(kind);
    const Number number =
        number_at(kind, (const uint8_t *)output_part(output, part) + index * size);
    write_number(&number, size, text);
}

static void describe_difference(const Output *got, const Output *want, const Difference *first,
                                Verdict *verdict) {
    const OutputPart *part = &want->layout.parts[first->part];
    char where[64], is[32], right[32];
    if (part->height > 1 || part->kind == OUTPUT_TABLE_U64) {
        snprintf(where, sizeof where, "(%zu, %zu)", first->index % part->width,
                 first->index / part->width);
    } else {
        snprintf(where, sizeof where, "[%zu]", first->index);
    }
    element_text(got, first->part, first->index, is);
    element_text(want, first->part, first->index, right);
    text_append(verdict->why, sizeof verdict->why,
                "%s %s is %s, expected %s; %zu of %zu elements %s", part->name, where, is, right,
                first->total - first->right, first->total,
                first->tolerance != NULL ? "are out of tolerance" : "differ");
}

/* Byte by byte, and where there is a tolerance number by number. */
static void compare_elements(const Tolerance *tolerance, const Output *got, const Output *want,
                             Verdict *verdict) {
    Difference difference = {.tolerance = tolerance};
    for (size_t part = 0; part < want->layout.count; part++) {
        compare_part(got, want, part, &difference);
    }
    verdict->accepted = !difference.found;
    verdict->agreement =
        difference.total == 0 ? 1 : (double)difference.equal / (double)difference.total;
    if (difference.found) {
        describe_difference(got, want, &difference, verdict);
    }
}

void answer_compare(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    const Output *got, const Output *want, Verdict *verdict) {
    *verdict = (Verdict){.struct_bytes = sizeof(Verdict), .accepted = false, .agreement = NAN};
    seal_lift(want->data);
    call_step(CALL_COMPARE);
    if (variant->compare != NULL) {
        variant->compare(answer, got, want, verdict);
    } else if (algorithm->compare != NULL) {
        algorithm->compare(got, want, verdict);
    } else {
        compare_elements(algorithm->tolerance, got, want, verdict);
    }
    if (variant->peer != NULL && variant->peer->difference != NULL) {
        verdict->accepted = verdict->agreement >= variant->peer->agreement;
    }
    call_step(CALL_NONE);
    seal_lower(want->data);
    verdict->why[sizeof verdict->why - 1] = '\0';
    const Status filled = struct_filled(verdict->struct_bytes, sizeof *verdict, "Verdict");
    if (!status_is_ok(&filled)) {
        verdict->accepted = false;
        snprintf(verdict->why, sizeof verdict->why, "%.150s", filled.why);
    }
    if (!(verdict->agreement >= 0 && verdict->agreement <= 1)) {
        verdict->agreement = NAN;
    }
}

bool variant_is_seq(const Algorithm *algorithm, const Variant *variant) {
    return algorithm->cpu.count > 0 && variant == &algorithm->cpu.rows[0];
}

Status verify_answer(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                     const Output *got, const Output *want, double *agreement) {
    STATUS_TRY(check_all_guards(variant, got));
    Verdict verdict;
    answer_compare(algorithm, variant, answer, got, want, &verdict);
    *agreement = verdict.agreement;
    if (verdict.accepted) {
        return status_ok();
    }
    /* What seq is held to is an answer of its own. */
    return status_fail("%s: %s",
                       variant_is_seq(algorithm, variant)
                           ? "its calls give different answers, as where elements are left "
                             "unwritten"
                           : "wrong answer",
                       verdict.why);
}

Status verify_state(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    void *state, const Output *got, const Output *want, double *agreement) {
    STATUS_TRY(poison_everything(variant, got, POISON_CANDIDATE));
    STATUS_TRY(run_once(variant, state));
    return verify_answer(algorithm, variant, answer, got, want, agreement);
}
