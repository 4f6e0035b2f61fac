/* Calls of what an algorithm and its variants bring with them. The process says before each what it
 * calls, so that its supervisor knows what ended it, and what comes back is checked here: the rest
 * of the harness can rely on it. */

#include "calls.h"
#include "algorithm.h"
#include "backend_runner.h"
#include "list.h"
#include "modules.h"
#include "plan.h"
#include "registry.h"
#include "run.h"
#include "text.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* === Subjects ================================================================================= */

/* Seconds of a call of a module's; the program's own may take as long as they like. */
static double module_limit = CALL_SECONDS;

void calls_limit(double seconds) {
    module_limit = seconds;
}

/* "an estimate of ": the same calls for another purpose are other subjects. */
static const char *purpose = "";

void calls_purpose(const char *words) {
    purpose = words;
}

static void add_point(const Point *point, char text[CALL_SUBJECT_SIZE]) {
    char values[CALL_SUBJECT_SIZE / 2];
    point_format(point, values, sizeof values);
    if (values[0] != '\0') {
        text_append(text, CALL_SUBJECT_SIZE, " [%s]", values);
    }
}

void variant_subject(const Algorithm *algorithm, const Variant *variant,
                     char text[CALL_SUBJECT_SIZE]) {
    snprintf(text, CALL_SUBJECT_SIZE, "%s%s/%s, ", purpose,
             algorithm != NULL ? algorithm->name : "", variant->name);
}

/* The beginning of what the calls of a request are about, for a supervisor. */
static void call_subject(const Variant *variant, const Workload *workload, const Point *answer,
                         const Point *tuning, char text[CALL_SUBJECT_SIZE]) {
    variant_subject(registry_algorithm_of(variant), variant, text);
    text_append(text, CALL_SUBJECT_SIZE, "%s %s", workload->input, workload->size_name);
    add_point(answer, text);
    add_point(tuning, text);
}

static void request_subject(const Variant *variant, const Request *request,
                            char text[CALL_SUBJECT_SIZE]) {
    call_subject(variant, request->workload, request->answer, request->tuning, text);
    text_append(text, CALL_SUBJECT_SIZE, ", stride %zu", request->workload->image.stride);
}

/* STATUS_FAIL if this request has ended a process before. */
static Status about_request(const Variant *variant, const Request *request) {
    char text[CALL_SUBJECT_SIZE];
    if (!supervisor_is_attached()) {
        return status_ok();
    }
    request_subject(variant, request, text);
    return call_about(text, variant, module_has_variant(variant) ? module_limit : 0);
}

Status variant_ended(const Variant *variant, const Request *request) {
    return about_request(variant, request);
}

bool variant_is_due(const Algorithm *algorithm, const Variant *variant) {
    char text[CALL_SUBJECT_SIZE];
    variant_subject(algorithm, variant, text);
    return call_trial() == NULL || text_after(call_trial(), text) != NULL;
}

static void cell_subject(const Plan *plan, const PlanCell *cell, char text[CALL_SUBJECT_SIZE]) {
    call_subject(cell->variant, &plan->workloads[cell->workload].shape, &cell->answer,
                 &cell->tuning, text);
}

/* The subject of a request of the cell goes on with its stride. */
bool cell_is_due(const Plan *plan, const PlanCell *cell) {
    char text[CALL_SUBJECT_SIZE];
    const char *trial = call_trial();
    if (trial == NULL) {
        return true;
    }
    cell_subject(plan, cell, text);
    const char *rest = text_after(trial, text);
    return rest != NULL && (rest[0] == '\0' || rest[0] == ',');
}

void call_for_cell(const Plan *plan, const PlanCell *cell) {
    char text[CALL_SUBJECT_SIZE] = "";
    if (supervisor_is_attached() && cell != NULL) {
        cell_subject(plan, cell, text);
    }
    call_on_behalf(text);
}

Status cell_ended(const Plan *plan, const PlanCell *cell) {
    char text[CALL_SUBJECT_SIZE];
    if (!supervisor_is_attached()) {
        return status_ok();
    }
    cell_subject(plan, cell, text);
    return call_refused(text);
}

/* === Open states ============================================================================== */

/* What the calls of each open state are about, kept where there is a supervisor. */
typedef struct OpenState {
    const void *state;
    char *subject; /* owned */
} OpenState;

static struct {
    OpenState *list;
    size_t count, capacity;
} opened;

/* Without memory its calls are about whatever the latest ones were. */
static void remember(const void *state, const Variant *variant, const Request *request) {
    char text[CALL_SUBJECT_SIZE];
    const Status room = supervisor_is_attached()
                            ? LIST_ROOM(NULL, opened.list, opened.count, opened.capacity, "states")
                            : status_skip("nobody asks");
    if (!status_is_ok(&room)) {
        return;
    }
    request_subject(variant, request, text);
    opened.list[opened.count++] = (OpenState){.state = state, .subject = strdup(text)};
}

static OpenState *find_state(const void *state) {
    for (size_t i = 0; i < opened.count; i++) {
        if (opened.list[i].state == state) {
            return &opened.list[i];
        }
    }
    return NULL;
}

static void forget(const void *state) {
    OpenState *found = find_state(state);
    if (found != NULL) {
        free(found->subject);
        *found = opened.list[--opened.count];
    }
}

/* A state that is opened on the clock is not remembered: what was said before it is true of it. */
static void about_state(const Variant *variant, const void *state) {
    const OpenState *found = find_state(state);
    if (found != NULL && found->subject != NULL) {
        (void)call_about(found->subject, variant, module_has_variant(variant) ? module_limit : 0);
    }
}

void variant_enter(const Variant *variant, const void *state, CallStep step) {
    static const void *latest;
    static unsigned subjects;
    if (state != latest || subjects != call_subjects()) {
        about_state(variant, state);
        latest = state;
        subjects = call_subjects();
    }
    call_step(step);
}

static void variant_leave(void) {
    call_step(CALL_NONE);
}

/* === Calls of a variant ======================================================================= */

Status variant_returned(const Variant *variant, Status status) {
    variant_leave();
    return module_has_variant(variant) ? module_status(variant, &status) : status;
}

/* STATUS_SKIP also if its threads cannot be started. */
static Status open_checked(const Variant *variant, const Request *request, void **state) {
    *state = NULL;
    STATUS_TRY(about_request(variant, request));
    if (module_has_variant(variant)) {
        process_settings_keep();
    }
    call_step(CALL_OPEN);
    const Status status = variant_returned(variant, variant->open(request, state));
    STATUS_TRY(status);
    if (*state == NULL) {
        return status_fail("it opened no state");
    }
    remember(*state, variant, request);
    return status_ok();
}

Status variant_open(const Variant *variant, const Request *request, void **state) {
    STATUS_TRY(open_checked(variant, request, state));
    const Status status = tuning_check_threads(request->tuning);
    if (!status_is_ok(&status)) {
        variant_close(variant, *state);
        *state = NULL;
    }
    return status;
}

void variant_close(const Variant *variant, void *state) {
    variant_enter(variant, state, CALL_CLOSE);
    variant->close(state);
    variant_leave();
    forget(state);
}

Status variant_upload(const Variant *variant, void *state) {
    if (variant->upload == NULL) {
        return status_ok();
    }
    variant_enter(variant, state, CALL_UPLOAD);
    return variant_returned(variant, variant->upload(state));
}

Status variant_run(const Variant *variant, void *state) {
    variant_enter(variant, state, CALL_RUN);
    return variant_returned(variant, variant->run(state));
}

Status variant_download(const Variant *variant, void *state) {
    if (variant->download == NULL) {
        return status_ok();
    }
    variant_enter(variant, state, CALL_DOWNLOAD);
    return variant_returned(variant, variant->download(state));
}

Status variant_stream(const Variant *variant, void *state) {
    variant_enter(variant, state, CALL_STREAM);
    return variant_returned(variant, variant->stream(state));
}

Status variant_wait(const Variant *variant, const void *state) {
    if (variant_is_on_cpu(variant)) {
        return variant->backend->runner->synchronize();
    }
    variant_enter(variant, state, CALL_WAIT);
    return variant_returned(variant, variant->backend->runner->synchronize());
}

bool is_whole_pass(const Variant *variant, const void *state) {
    if (variant->is_whole_pass == NULL) {
        return false;
    }
    variant_enter(variant, state, CALL_ASK);
    const bool whole = variant->is_whole_pass(state);
    variant_leave();
    return whole;
}

/* "" where there is no such function, or it has no words. */
static const char *words_about(const Variant *variant, const void *state,
                               const char *(*ask)(const void *state)) {
    if (ask == NULL) {
        return "";
    }
    variant_enter(variant, state, CALL_ASK);
    const char *words = ask(state);
    variant_leave();
    return words != NULL ? words : "";
}

const char *variant_exchanges_by(const Variant *variant, const void *state) {
    return words_about(variant, state, variant->exchanges_by);
}

const char *variant_path(const Variant *variant, const void *state) {
    return words_about(variant, state, variant->path);
}

const char *variant_peer_version(const Variant *variant, const void *state) {
    return words_about(variant, state, variant->peer != NULL ? variant->peer->version : NULL);
}

/* === What comes back ========================================================================== */

Status struct_filled(uint32_t struct_bytes, size_t bytes, const char *type) {
    return struct_bytes == bytes
               ? status_ok()
               : status_fail("it assigned %s as a whole; fill it member by member", type);
}

/* === Calls of an algorithm ==================================================================== */

/* The question has no variant: it is nobody's fault but the module's. */
static Status about_answer(const Algorithm *algorithm, const Workload *workload,
                           const Point *answer, const char *what) {
    char text[CALL_SUBJECT_SIZE];
    if (!supervisor_is_attached() || module_of(algorithm) == NULL) {
        return status_ok();
    }
    snprintf(text, sizeof text, "%s %s, %s %s", algorithm->name, what, workload->input,
             workload->size_name);
    add_point(answer, text);
    return call_about(text, NULL, module_limit);
}

Status algorithm_returned(const Algorithm *algorithm, Status status) {
    variant_leave();
    return module_of(algorithm) != NULL ? module_status(NULL, &status) : status;
}

static const char writing[] = "writing of an answer";

Status algorithm_writes(const Algorithm *algorithm, const Workload *workload, const Point *answer) {
    return about_answer(algorithm, workload, answer, writing);
}

/* The cells whose answer it was have their rows, and are not called again. */
Status algorithm_has_written(const Algorithm *algorithm) {
    char text[CALL_SUBJECT_SIZE];
    snprintf(text, sizeof text, "%s %s,", algorithm->name, writing);
    const Status status = call_refused_like(text);
    return status_is_ok(&status) ? status : status_fail("%s %s", algorithm->name, status.why);
}

/* Names become parts of file names. */
static bool is_part_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t length = name != NULL ? strnlen(name, PART_NAME_MAX + 1) : 0;
    if (length == 0 || length > PART_NAME_MAX || strchr(letters, name[0]) == NULL) {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (strchr(letters, name[i]) == NULL && strchr(".+-_", name[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether the part is as output_layout_add makes it, behind `begin`. */
static bool is_part_whole(const OutputPart *part, size_t begin, size_t end) {
    size_t bytes = 0;
    return !__builtin_mul_overflow(part->width, part->height, &bytes) &&
           !__builtin_mul_overflow(bytes, output_element_size(part->kind), &bytes) &&
           bytes == part->bytes && part->offset % OUTPUT_ALIGNMENT == 0 && part->offset >= begin &&
           part->offset <= end && part->bytes <= end - part->offset;
}

static Status check_layout(const OutputLayout *layout) {
    size_t begin = 0;
    STATUS_TRY(struct_filled(layout->struct_bytes, sizeof *layout, "OutputLayout"));
    if (layout->count < 1 || layout->count > OUTPUT_PARTS_MAX) {
        return status_fail("its output layout has %zu parts; 1 to %d would be right", layout->count,
                           OUTPUT_PARTS_MAX);
    }
    for (size_t i = 0; i < layout->count; i++) {
        const OutputPart *part = &layout->parts[i];
        if (!is_part_name(part->name)) {
            return status_fail("part %zu of its output layout has no name of at most %d letters "
                               "and digits",
                               i + 1, PART_NAME_MAX);
        }
        if ((unsigned)part->kind >= OUTPUT_KINDS) {
            return status_fail(
                "part '%s' of its output layout is of kind %u, which this bench does "
                "not know",
                part->name, (unsigned)part->kind);
        }
        if (!is_part_whole(part, begin, layout->bytes)) {
            return status_fail("part '%s' of its output layout has other bytes than its elements "
                               "take, or none of its own; output_layout_add makes it right",
                               part->name);
        }
        begin = part->offset + part->bytes;
    }
    return layout->bytes % OUTPUT_ALIGNMENT == 0
               ? status_ok()
               : status_fail("its output layout of %zu bytes is no multiple of %d", layout->bytes,
                             OUTPUT_ALIGNMENT);
}

static void weights_subject(const WeightsKind *kind, char text[CALL_SUBJECT_SIZE]) {
    snprintf(text, CALL_SUBJECT_SIZE, "weights of %s", kind->name);
}

Status weights_enter(const WeightsKind *kind, CallStep step) {
    char text[CALL_SUBJECT_SIZE];
    weights_subject(kind, text);
    STATUS_TRY(call_about(text, NULL, module_limit));
    call_step(step);
    return status_ok();
}

void weights_leave(void) {
    call_step(CALL_NONE);
}

/* Whether the algorithm's own weights have ended a process, which are missing since. */
static Status weights_ended(const WeightsKind *kind) {
    char text[CALL_SUBJECT_SIZE];
    if (kind == NULL || !supervisor_is_attached()) {
        return status_ok();
    }
    weights_subject(kind, text);
    return call_refused(text);
}

Status algorithm_layout(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                        OutputLayout *layout) {
    *layout = STRUCT_OF(OutputLayout, .count = 0);
    STATUS_TRY(weights_ended(algorithm->weights));
    STATUS_TRY(about_answer(algorithm, workload, answer, "output_layout"));
    call_step(CALL_LAYOUT);
    const Status status =
        algorithm_returned(algorithm, algorithm->output_layout(workload, answer, layout));
    return status_is_ok(&status) ? check_layout(layout) : status;
}

/* What is no amount is not known. */
static double amount(double number) {
    return isfinite(number) && number >= 0 ? number : NAN;
}

Cost algorithm_cost(const Algorithm *algorithm, const Workload *workload, const Point *answer) {
    const Status ended = about_answer(algorithm, workload, answer, "cost");
    if (!status_is_ok(&ended)) {
        return (Cost){.bytes = NAN, .operations = NAN, .items = NAN, .oracle_work = NAN};
    }
    call_step(CALL_COST);
    const Cost cost = module_cost(algorithm, workload, answer);
    call_step(CALL_NONE);
    return (Cost){.bytes = amount(cost.bytes),
                  .operations = amount(cost.operations),
                  .items = amount(cost.items),
                  .operation = cost.operation,
                  .oracle_work = amount(cost.oracle_work)};
}

/* === Axes ===================================================================================== */

static int64_t choice_count(const Axis *axis) {
    int64_t count = 0;
    while (axis->choices != NULL && axis->choices[count] != NULL) {
        count++;
    }
    return count;
}

static bool is_value(const Axis *axis, const AxisValue *value) {
    const size_t length = strnlen(value->text, AXIS_TEXT_SIZE);
    const bool integer = axis->kind == AXIS_INTEGER, choice = axis->kind == AXIS_CHOICE;
    return length > 0 && length < AXIS_TEXT_SIZE &&
           (!integer || (value->number >= axis->minimum && value->number <= axis->maximum)) &&
           (!choice || (value->number >= 0 && value->number < choice_count(axis)));
}

static Status check_values(const Axis *axis, const AxisValues *values) {
    STATUS_TRY(struct_filled(values->struct_bytes, sizeof *values, "AxisValues"));
    if (values->count < 1 || values->count > AXIS_VALUES_MAX) {
        return status_fail("--%s: the axis gives %zu values; 1 to %d would be right", axis->name,
                           values->count, AXIS_VALUES_MAX);
    }
    for (size_t i = 0; i < values->count; i++) {
        if (!is_value(axis, &values->values[i])) {
            return status_fail("--%s: value %zu that the axis gives is not one of its own",
                               axis->name, i + 1);
        }
    }
    return status_ok();
}

/* STATUS_NO_MATCH is the axis's own business. */
static Status status_of_axis(const Status *status) {
    const bool plain = status->code == STATUS_OK || status->code == STATUS_USAGE;
    Status ended = *status;
    ended.why[STATUS_WHY_SIZE - 1] = '\0';
    return plain ? ended : module_status(NULL, &ended);
}

Status axis_read(const Axis *axis, const char *list, const Workload *workload, AxisValues *values) {
    char text[CALL_SUBJECT_SIZE];
    values->struct_bytes = sizeof *values;
    if (axis->check == NULL && axis->expand == NULL) {
        return axis_parse(axis, list, workload, values);
    }
    snprintf(text, sizeof text, "--%s %s", axis->name, list);
    const Status before = call_about(text, NULL, module_limit);
    if (!status_is_ok(&before)) {
        return status_fail("--%s: %.340s", axis->name, before.why);
    }
    call_step(CALL_AXIS);
    Status status = axis_parse(axis, list, workload, values);
    call_step(CALL_NONE);
    status = status_of_axis(&status);
    return status_is_ok(&status) ? check_values(axis, values) : status;
}
