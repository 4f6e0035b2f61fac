/* Conformance: a variant against the oracle on awkward cases, at every answer and tuning point. */

#include "algorithm.h"
#include "calls.h"
#include "interrupt.h"
#include "list.h"
#include "measure.h"
#include "modules.h"
#include "proofs.h"
#include "registry.h"
#include "run.h"
#include "sealed.h"
#include "supervisor.h"
#include "text.h"
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNS_AGAIN = 3,
    RUNS_MORE = 30,
    RUNS_MORE_QUICK = 8,
    SHAPES_MAX = 64,
    CONTENTS_MAX = 16,
    TURN = 3
};

/* Ends of axes that are tried. The work is as the algorithm's cost has it, which may say nothing of
 * a number of repetitions: larger ones are not tried. */
enum { END_MAX = 4096, END_WORK_MAX = 10 * 1000 * 1000 };

/* Of an input of a size that is used: a second or two of an oracle's time. */
enum { USED_WORK_MAX = 2 * 1000 * 1000 * 1000 };

/* Oracle's answers that are kept from one variant to the next. */
#define KEPT_BYTES_MAX ((size_t)1 << 29)

static const size_t paddings[] = {0, 1, 29};

/* What is tried on whom. */
typedef struct Trial {
    const ConformanceRequest *request;
    const Algorithm *algorithm;
    const Variant *variant;
    bool is_oracle;
    bool only_defaults; /* of all points */
    size_t shape_count, content_count;
    CaseShape shapes[SHAPES_MAX];
    CaseContent contents[CONTENTS_MAX];
    ConformanceResult *result;
} Trial;

/* One case by its numbers: which of the shapes, contents, answer points. */
typedef struct CaseNumber {
    size_t shape, content, answer;
} CaseNumber;

/* === Points =================================================================================== */

/* The points that the axes of an algorithm or of a variant are tried at, numbered. */
typedef struct PointSet {
    const Axis *const *axes; /* NULL-terminated list, or NULL */
    size_t axis_count;
    size_t count;       /* points: all combinations, 1 without axes; then the others */
    AxisValues *values; /* axis_count: those that are combined */
    size_t combinations;
    Point *others; /* count - combinations */
    size_t capacity;
} PointSet;

static const char *list_of(const Axis *axis, const AxisRequest *axes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(axes[i].name, axis->name) == 0) {
            return axes[i].list;
        }
    }
    return NULL;
}

static void all_choices(const Axis *axis, AxisValues *values) {
    for (values->count = 0; axis->choices[values->count] != NULL; values->count++) {
        AxisValue *value = &values->values[values->count];
        value->number = (int64_t)values->count;
        snprintf(value->text, sizeof value->text, "%s", axis->choices[values->count]);
    }
}

/* Where a number has no upper bound, only its defaults are promised. */
static bool has_bounds(const Axis *axis) {
    return axis->kind == AXIS_INTEGER && axis->maximum < INT64_MAX;
}

/* What was asked for; otherwise all choices, or a spread of small numbers, or the defaults. */
static Status axis_points(const Axis *axis, const ConformanceRequest *request,
                          const Workload *workload, AxisValues *values) {
    const char *requested = list_of(axis, request->axes, request->axis_count);
    if (requested != NULL) {
        return axis_read(axis, requested, workload, values);
    }
    if (axis->kind == AXIS_CHOICE) {
        all_choices(axis, values);
        return status_ok();
    }
    if (has_bounds(axis)) {
        const Status status = axis_read(axis, "1,2,3,5", workload, values);
        if (status_is_ok(&status)) {
            return status;
        }
    }
    return axis_read(axis, axis->defaults, workload, values);
}

/* Values of which a point has one, whatever it is about. */
static Status axis_defaults(const Axis *axis, const ConformanceRequest *request,
                            const Workload *workload, AxisValues *values) {
    const char *fixed = list_of(axis, request->fixed, request->fixed_count);
    return axis_read(axis, fixed != NULL ? fixed : axis->defaults, workload, values);
}

typedef Status (*ReadValues)(const Axis *axis, const ConformanceRequest *request,
                             const Workload *workload, AxisValues *values);

/* The values of each axis; release with free. */
static Status read_values(const Axis *const *axes, size_t count, ReadValues read,
                          const ConformanceRequest *request, const Workload *workload,
                          AxisValues **values) {
    *values = calloc(count + 1, sizeof **values);
    STATUS_MEMORY(*values, "for the points of a variant");
    for (size_t i = 0; i < count; i++) {
        STATUS_TRY(read(axes[i], request, workload, &(*values)[i]));
    }
    return status_ok();
}

/* Point `index` of count; the first axis varies fastest. */
static Point point_set_at(const PointSet *set, size_t index) {
    if (index >= set->combinations) {
        return set->others[index - set->combinations];
    }
    Point point = STRUCT_OF(Point, .count = set->axis_count);
    for (size_t i = 0; i < set->axis_count; i++) {
        point.axes[i] = set->axes[i];
        point.values[i] = set->values[i].values[index % set->values[i].count];
        index /= set->values[i].count;
    }
    return point;
}

/* Adds a point that is not among them. */
static Status add_point(const Point *point, PointSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        const Point other = point_set_at(set, i);
        if (point_equal(&other, point)) {
            return status_ok();
        }
    }
    const size_t others = set->count - set->combinations;
    STATUS_TRY(LIST_ROOM(NULL, set->others, others, set->capacity, "points"));
    set->others[others] = *point;
    set->count++;
    return status_ok();
}

/* The point that has default number `turn` of each axis, from the first again behind its last. */
static Point default_number(const PointSet *set, const AxisValues *defaults, size_t turn) {
    Point point = STRUCT_OF(Point, .count = set->axis_count);
    for (size_t i = 0; i < set->axis_count; i++) {
        point.axes[i] = set->axes[i];
        const size_t count = defaults[i].count; /* an axis has a default */
        point.values[i] = defaults[i].values[count > 0 ? turn % count : 0];
    }
    return point;
}

static Status add_defaults(const AxisValues *defaults, PointSet *set) {
    size_t most = 1;
    for (size_t i = 0; i < set->axis_count; i++) {
        most = defaults[i].count > most ? defaults[i].count : most;
    }
    for (size_t turn = 0; turn < most; turn++) {
        const Point point = default_number(set, defaults, turn);
        STATUS_TRY(add_point(&point, set));
    }
    return status_ok();
}

/* Whether a run has an answer, and takes no more bytes and operations than that. False where its
 * cost is not known. */
static bool takes_at_most(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                          double most) {
    OutputLayout layout;
    const Status status = algorithm_layout(algorithm, workload, answer, &layout);
    if (!status_is_ok(&status)) {
        return false;
    }
    const Cost cost = algorithm_cost(algorithm, workload, answer);
    return cost.bytes <= most && cost.operations <= most && cost.oracle_work <= most;
}

static Status add_end(const Algorithm *algorithm, const Workload *workload, Point point,
                      size_t axis, int64_t end, PointSet *set) {
    AxisValue *value = &point.values[axis];
    value->number = end;
    snprintf(value->text, sizeof value->text, "%" PRId64, end);
    const bool tried = end >= -END_MAX && end <= END_MAX &&
                       takes_at_most(algorithm, workload, &point, END_WORK_MAX);
    return tried ? add_point(&point, set) : status_ok();
}

/* Of whole numbers that the user has not chosen, where that is little work. */
static Status add_ends(const Trial *trial, const Workload *workload, const AxisValues *defaults,
                       PointSet *set) {
    const ConformanceRequest *request = trial->request;
    const Point point = default_number(set, defaults, 0);
    for (size_t i = 0; i < set->axis_count; i++) {
        const Axis *axis = set->axes[i];
        if (has_bounds(axis) && list_of(axis, request->fixed, request->fixed_count) == NULL) {
            STATUS_TRY(add_end(trial->algorithm, workload, point, i, axis->minimum, set));
            STATUS_TRY(add_end(trial->algorithm, workload, point, i, axis->maximum, set));
        }
    }
    return status_ok();
}

static Status add_others(const Axis *const *axes, const Trial *trial, const Workload *workload,
                         PointSet *set) {
    AxisValues *defaults = NULL;
    if (trial->request->quick && set->count > 0) {
        return status_ok();
    }
    Status status =
        read_values(axes, set->axis_count, axis_defaults, trial->request, workload, &defaults);
    STATUS_THEN(status, add_defaults(defaults, set));
    if (status_is_ok(&status) && axes == trial->algorithm->answer && !trial->only_defaults) {
        status = add_ends(trial, workload, defaults, set);
    }
    free(defaults);
    return status;
}

/* Of the answer, or of a variant's tuning. Release in any case. */
static Status point_set_create(const Axis *const *axes, const Trial *trial,
                               const Workload *workload, PointSet *set) {
    *set = (PointSet){.axes = axes};
    while (axes != NULL && axes[set->axis_count] != NULL) {
        set->axis_count++;
    }
    STATUS_TRY(
        read_values(axes, set->axis_count, axis_points, trial->request, workload, &set->values));
    set->combinations = trial->only_defaults ? 0 : 1;
    for (size_t i = 0; i < set->axis_count; i++) {
        set->combinations *= set->values[i].count;
    }
    set->count = set->combinations;
    return add_others(axes, trial, workload, set);
}

static void point_set_release(PointSet *set) {
    free(set->values);
    free(set->others);
    *set = (PointSet){.count = 0};
}

/* === Who takes turns ========================================================================== */

/* With `quick` one content is tried on every shape, and every TURN-th of the others, in turn. */
static bool takes_turns(const Trial *trial) {
    const WorkloadKind kind = trial->algorithm->input;
    return trial->request->quick && !trial->request->wide && trial->request->contents == NULL &&
           (kind == WORKLOAD_IMAGE || kind == WORKLOAD_KEYPOINTS);
}

static bool is_for_every_shape(CaseContent content) {
    return content == CASE_NOISE || content == CASE_TEXTURE;
}

/*
 * The oracle is only held to itself, for which no large case is needed. A variant with a
 * comparison of its own promises something about images only: it gets the textured content, and
 * the others, whose answers are exact, all but that. Contents that were named are for all.
 */
static bool tries_case(const Trial *trial, size_t shape, size_t number) {
    const WorkloadKind kind = trial->algorithm->input;
    const CaseContent content = trial->contents[number];
    if (trial->is_oracle && case_is_large(kind, trial->shapes[shape])) {
        return false;
    }
    const bool image = kind == WORKLOAD_IMAGE || kind == WORKLOAD_KEYPOINTS;
    const bool exact = !variant_may_differ(trial->variant);
    if (image && trial->request->contents == NULL && exact != (content != CASE_TEXTURE)) {
        return false;
    }
    return !takes_turns(trial) || is_for_every_shape(content) || (shape + number) % TURN == 0;
}

static bool takes_one_answer(const Trial *trial, const CaseNumber *at) {
    const WorkloadKind kind = trial->algorithm->input;
    return trial->request->quick ||
           (kind != WORKLOAD_DESCRIPTORS && case_is_large(kind, trial->shapes[at->shape]));
}

/*
 * Whether an answer point is tried. Ordinarily every case is, at every answer point; of a large
 * image, and with `quick` of every case, one answer point, in turn. With `wide` every shape is
 * tried at every answer point with one content, in turn; with `quick` too, every answer point at
 * one shape.
 */
static bool tries_answer(const Trial *trial, const CaseNumber *at, size_t answers) {
    if (trial->only_defaults) {
        return true;
    }
    if (trial->request->wide) {
        return (at->answer + at->shape) % trial->content_count == at->content &&
               (!trial->request->quick || at->answer % trial->shape_count == at->shape);
    }
    /* Different steps, so that neither a shape nor a content always meets the same points. */
    return !takes_one_answer(trial, at) || (at->shape + 5 * at->content) % answers == at->answer;
}

/* Where there are several answer points, each takes one tuning point, in turn; those of a case that
 * takes only one, all, but for contents that take turns. */
static bool tries_tuning(const Trial *trial, const CaseNumber *at, size_t answers, size_t tuning,
                         size_t tunings) {
    if (takes_turns(trial) && !is_for_every_shape(trial->contents[at->content])) {
        return (at->shape + at->content) / TURN % tunings == tuning;
    }
    if (answers == 1 || trial->only_defaults ||
        (!trial->request->wide && takes_one_answer(trial, at))) {
        return true;
    }
    return (at->answer / trial->content_count + at->answer + at->shape + at->content) % tunings ==
           tuning;
}

/* === The oracle's answers ===================================================================== */

/* The answer to a case, which is the same for every variant of an algorithm. */
typedef struct Answered {
    CaseNumber at;
    bool has_answer;
    Output want;
    uint64_t digest;
    OtherInput other; /* the same of the changed input, of cases in which there is one */
} Answered;

static void release_answered(Answered *answered) {
    answer_release_plain(&answered->want);
    other_input_release(&answered->other);
}

/* Those of one algorithm and request. */
static struct {
    const Algorithm *algorithm;
    const ConformanceRequest *request;
    Answered *list;
    size_t count, capacity, bytes;
    size_t next; /* where the case after the last one found is: variants meet cases in one order */
} kept;

void conformance_forget(void) {
    for (size_t i = 0; i < kept.count; i++) {
        release_answered(&kept.list[i]);
    }
    free(kept.list);
    kept.list = NULL;
    kept.count = kept.capacity = kept.bytes = kept.next = 0;
}

static Answered *find_answered(const CaseNumber *at) {
    for (size_t i = 0; i < kept.count; i++) {
        const size_t index = (kept.next + i) % kept.count;
        Answered *entry = &kept.list[index];
        if (entry->at.shape == at->shape && entry->at.content == at->content &&
            entry->at.answer == at->answer) {
            kept.next = index + 1;
            return entry;
        }
    }
    return NULL;
}

/* False where there is no room: the caller keeps what it computed. */
static bool keep_answered(const Answered *entry) {
    if (kept.bytes + entry->want.layout.bytes > KEPT_BYTES_MAX) {
        return false;
    }
    const Status room = LIST_ROOM(NULL, kept.list, kept.count, kept.capacity, "answers");
    if (!status_is_ok(&room)) {
        return false;
    }
    kept.list[kept.count++] = *entry;
    kept.bytes += (entry->other.answer.data != NULL ? 2 : 1) * entry->want.layout.bytes;
    return true;
}

/* === One request ============================================================================== */

/* A skip stays one: what a variant says that it cannot do is no error of it. `step` begins with a
 * comma, or is empty. */
static Status at_step(const Request *request, const char *step, const Status *status) {
    char answer[128], tuning[128];
    if (status_is_ok(status) || status->code == STATUS_INTERRUPTED || status->code == STATUS_SKIP) {
        return *status;
    }
    point_format(request->answer, answer, sizeof answer);
    point_format(request->tuning, tuning, sizeof tuning);
    const StatusCode code = status->code == STATUS_DEVICE_LOST ? STATUS_DEVICE_LOST : STATUS_FAIL;
    return status_make(code, "%s %s%s%s%s%s%s%s, stride %zu%s: %s", request->workload->input,
                       request->workload->size_name, answer[0] != '\0' ? " [" : "", answer,
                       answer[0] != '\0' ? "]" : "", tuning[0] != '\0' ? " [" : "", tuning,
                       tuning[0] != '\0' ? "]" : "", request->workload->image.stride, step,
                       status->why);
}

/* The overlapped path, on poisoned memory. */
static Status verify_stream(const Trial *trial, const Request *request, void *state,
                            const Output *want) {
    double agreement = 0.0;
    STATUS_TRY(poison_everything(trial->variant, request->output, POISON_CANDIDATE));
    STATUS_TRY(variant_stream(trial->variant, state));
    return verify_answer(trial->algorithm, trial->variant, request->answer, request->output, want,
                         &agreement);
}

/* Another upload, and several runs after it. */
static Status verify_again(const Trial *trial, const Request *request, void *state,
                           const Output *want, int runs) {
    double agreement = 0.0;
    STATUS_TRY(run_until_answer(trial->variant, state, runs));
    STATUS_TRY(variant_wait(trial->variant, state));
    return verify_answer(trial->algorithm, trial->variant, request->answer, request->output, want,
                         &agreement);
}

/* What only code that is not honest fails, or that relies on what it has found once: an answer that
 * is damaged, a number of runs that it cannot foresee, an input that changes where it lies. */
static Status prove_state(const Trial *trial, const Request *request, void *state,
                          Answered *oracle) {
    const ProofSubject subject = {.algorithm = trial->algorithm,
                                  .variant = trial->variant,
                                  .answer = request->answer,
                                  .scratch = request->output,
                                  .state = state,
                                  .digest = oracle->digest};
    const int runs =
        RUNS_AGAIN + (int)proof_draw(trial->request->quick ? RUNS_MORE_QUICK : RUNS_MORE);
    char step[32];
    Status status = damage_verify(&subject, &oracle->want, oracle->other.answer.data != NULL);
    STATUS_TRY(at_step(request, ", damaged", &status));
    if (oracle->other.answer.data == NULL) {
        return status_ok();
    }
    status = verify_again(trial, request, state, &oracle->want, runs);
    snprintf(step, sizeof step, ", run %d times", runs);
    STATUS_TRY(at_step(request, step, &status));
    status = other_input_verify(&subject, &oracle->other);
    return at_step(request, ", input changed", &status);
}

static Status check_state(const Trial *trial, const Request *request, void *state,
                          Answered *oracle) {
    const Output *want = &oracle->want;
    double agreement = 0.0;
    Status status = verify_state(trial->algorithm, trial->variant, request->answer, state,
                                 request->output, want, &agreement);
    STATUS_TRY(at_step(request, ", first run", &status));
    if (trial->variant->stream != NULL) {
        status = verify_stream(trial, request, state, want);
        STATUS_TRY(at_step(request, ", streamed", &status));
    }
    status = verify_again(trial, request, state, want, RUNS_AGAIN);
    STATUS_TRY(at_step(request, ", run again", &status));
    return prove_state(trial, request, state, oracle);
}

static Status check_opened(const Trial *trial, const Request *request, void *state,
                           Answered *oracle) {
    if (!oracle->has_answer) {
        const Status status = status_fail("the oracle has no answer, and this opens");
        return at_step(request, ", open", &status);
    }
    const Status status = check_state(trial, request, state, oracle);
    trial->result->ran += status.code != STATUS_SKIP;
    return status;
}

/* Where the oracle has no answer nobody may claim one. STATUS_SKIP: the variant says that it
 * cannot, in whichever step, which is an answer. */
static Status ask_variant(const Trial *trial, const Request *request, Answered *oracle) {
    void *state = NULL;
    Status status = variant_ended(trial->variant, request);
    STATUS_TRY(at_step(request, "", &status));
    status = variant_open(trial->variant, request, &state);
    STATUS_TRY(at_step(request, ", open", &status));
    status = check_opened(trial, request, state, oracle);
    variant_close(trial->variant, state);
    return status;
}

/* Keeps the first reason of a skip, which is no error. */
static Status skipped(const Trial *trial, const Status *status) {
    ConformanceResult *result = trial->result;
    if (status->code != STATUS_SKIP) {
        return *status;
    }
    if (result->why[0] == '\0') {
        memcpy(result->why, status->why, sizeof result->why);
    }
    return status_ok();
}

/* Meanwhile the right answers cannot be read. */
static Status check_request(const Trial *trial, const Request *request, Answered *oracle) {
    trial->result->asked += oracle->has_answer;
    answer_seal(&oracle->want);
    answer_seal(&oracle->other.answer);
    const Status status = ask_variant(trial, request, oracle);
    seal_break(oracle->want.data);
    seal_break(oracle->other.answer.data);
    return skipped(trial, &status);
}

/* An oracle that does not open has no answer, which it may find out only now. STATUS_SKIP: it has
 * one and cannot compute it, so that nobody can be held to it. */
static Status run_oracle(const Trial *trial, const Request *request, bool *has_answer) {
    const Variant *oracle = &trial->algorithm->cpu.rows[0];
    void *state = NULL;
    answer_poison(request->output, POISON_ORACLE);
    Status status = variant_ended(oracle, request);
    STATUS_TRY(at_step(request, ", oracle", &status));
    status = variant_open(oracle, request, &state);
    *has_answer = status.code != STATUS_SKIP;
    if (!*has_answer) {
        return status_ok();
    }
    STATUS_TRY(at_step(request, ", oracle, open", &status));
    status = run_once(oracle, state);
    STATUS_THEN(status, check_all_guards(oracle, request->output));
    variant_close(oracle, state);
    return at_step(request, ", oracle, run", &status);
}

typedef struct OtherCase {
    const Trial *trial;
    const Request *request;
} OtherCase;

static Status compute_other(void *context) {
    const OtherCase *other = context;
    bool has_answer = false;
    STATUS_TRY(run_oracle(other->trial, other->request, &has_answer));
    return has_answer ? status_ok() : status_skip("no answer");
}

/* Of one content of each shape, in turn, and of the inputs of sizes that are used. `wide` has one
 * content for each answer point: with `quick` every TURN-th has a changed one. */
static bool changes_input(const Trial *trial, const Answered *answered) {
    const CaseNumber *at = &answered->at;
    if (!answered->has_answer || trial->only_defaults) {
        return answered->has_answer;
    }
    if (takes_turns(trial)) {
        return is_for_every_shape(trial->contents[at->content]);
    }
    const bool in_turn = (at->answer + at->shape) % trial->content_count == at->content;
    const bool few = trial->request->quick && trial->request->wide;
    return in_turn && (!few || (at->answer + at->answer / TURN) % TURN == 0);
}

static Status compute_changed(const Trial *trial, const Request *request, Answered *answered) {
    OtherCase context = {.trial = trial, .request = request};
    const OtherRequest other = {.algorithm = trial->algorithm,
                                .workload = request->workload,
                                .answer = request->answer,
                                .scratch = request->output,
                                .first = &answered->want,
                                .compute = compute_other,
                                .context = &context};
    if (!changes_input(trial, answered)) {
        return status_ok();
    }
    const Status status = other_input_make(&other, &answered->other);
    return status.code == STATUS_SKIP ? status_ok() : status;
}

/* In guarded memory, as any other variant. */
static Status compute_oracle(const Trial *trial, const Workload *workload, const Point *answer,
                             const Output *guarded, Answered *answered) {
    PointSet tunings;
    Status status =
        point_set_create(trial->algorithm->cpu.rows[0].tuning, trial, workload, &tunings);
    if (status_is_ok(&status)) {
        const Point tuning = point_set_at(&tunings, 0);
        const Request request = {.struct_bytes = sizeof(Request),
                                 .workload = workload,
                                 .answer = answer,
                                 .tuning = &tuning,
                                 .output = guarded};
        status = run_oracle(trial, &request, &answered->has_answer);
        memcpy(answered->want.data, guarded->data, guarded->layout.bytes);
        answered->digest = answer_digest(trial->algorithm, guarded);
        STATUS_THEN(status, compute_changed(trial, &request, answered));
    }
    point_set_release(&tunings);
    return status;
}

/* === Cases ==================================================================================== */

static Status check_tunings(const Trial *trial, const Workload *workload, const Point *answer,
                            const CaseNumber *at, size_t answers, Answered *oracle,
                            const Output *got) {
    PointSet tunings;
    Status status = point_set_create(trial->variant->tuning, trial, workload, &tunings);
    for (size_t i = 0; status_is_ok(&status) && i < tunings.count; i++) {
        if (!tries_tuning(trial, at, answers, i, tunings.count)) {
            continue;
        }
        const Point tuning = point_set_at(&tunings, i);
        const Request request = {.struct_bytes = sizeof(Request),
                                 .workload = workload,
                                 .answer = answer,
                                 .tuning = &tuning,
                                 .output = got};
        status = interrupt_requested() ? status_make(STATUS_INTERRUPTED, "interrupted")
                                       : check_request(trial, &request, oracle);
    }
    point_set_release(&tunings);
    return status;
}

/* The kept answer of the oracle, or a new one, which is in `own` if `is_own`. */
static Status oracle_answer(const Trial *trial, const Workload *workload, const Point *answer,
                            const Output *guarded, Answered *own, Answered **oracle, bool *is_own) {
    *oracle = find_answered(&own->at);
    if (*oracle != NULL) {
        return status_ok();
    }
    STATUS_TRY(answer_alloc_plain(&guarded->layout, &own->want));
    const Status status = compute_oracle(trial, workload, answer, guarded, own);
    *is_own = !status_is_ok(&status) || !keep_answered(own);
    *oracle = own;
    return status;
}

static Status check_answer(const Trial *trial, const Workload *workload, const Point *answer,
                           const CaseNumber *at, size_t answers) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    Status status = algorithm_layout(trial->algorithm, workload, answer, &layout);
    if (!status_is_ok(&status)) {
        return status.code == STATUS_SKIP ? status_ok() : status;
    }
    Output got = {.data = NULL};
    Answered own = {.at = *at};
    Answered *oracle = NULL;
    bool is_own = false;
    status = answer_alloc_guarded(&layout, &got);
    if (!status_is_ok(&status)) {
        return skipped(trial, &status);
    }
    status = oracle_answer(trial, workload, answer, &got, &own, &oracle, &is_own);
    STATUS_THEN(status, check_tunings(trial, workload, answer, at, answers, oracle, &got));
    answer_release_guarded(&got);
    if (is_own) {
        release_answered(&own);
    }
    return skipped(trial, &status);
}

static Status check_workload(const Trial *trial, const Workload *workload, CaseNumber at) {
    PointSet answers;
    Status status = point_set_create(trial->algorithm->answer, trial, workload, &answers);
    for (at.answer = 0; status_is_ok(&status) && at.answer < answers.count; at.answer++) {
        if (tries_answer(trial, &at, answers.count)) {
            const Point answer = point_set_at(&answers, at.answer);
            status = check_answer(trial, workload, &answer, &at, answers.count);
        }
    }
    point_set_release(&answers);
    return status;
}

static Status check_cases(const Trial *trial) {
    for (size_t i = 0; i < trial->shape_count; i++) {
        for (size_t j = 0; j < trial->content_count; j++) {
            if (!tries_case(trial, i, j)) {
                continue;
            }
            Workload workload;
            STATUS_TRY(case_create(trial->algorithm, trial->shapes[i], trial->contents[j],
                                   paddings[(i + j) % 3], &workload));
            const Status status =
                check_workload(trial, &workload, (CaseNumber){.shape = i, .content = j});
            case_release(&workload);
            STATUS_TRY(status);
        }
    }
    return status_ok();
}

/* Whether the oracle's work at the first default point is affordable. */
static bool is_affordable(const Trial *trial, const Workload *workload) {
    PointSet answers;
    const Status status = point_set_create(trial->algorithm->answer, trial, workload, &answers);
    bool affordable = false;
    if (status_is_ok(&status)) {
        const Point answer = point_set_at(&answers, 0);
        affordable = takes_at_most(trial->algorithm, workload, &answer, USED_WORK_MAX);
    }
    point_set_release(&answers);
    return affordable;
}

/* The defaults on the largest of the shapes that are used, of those that are affordable. */
static Status check_used(const Trial *trial) {
    const WorkloadKind kind = trial->algorithm->input;
    const CaseShape *shapes = NULL;
    CaseContent content = CASE_TEXTURE;
    Trial used = *trial;
    bool found = trial->is_oracle || trial->request->quick || trial->request->fixed_inputs;
    const size_t count = case_used_shapes(kind, &shapes, &content);
    used.only_defaults = true;
    for (size_t i = 0; i < count && !found; i++) {
        Workload workload;
        STATUS_TRY(case_create(trial->algorithm, shapes[i], content, 0, &workload));
        found = is_affordable(&used, &workload);
        const Status status =
            found ? check_workload(&used, &workload, (CaseNumber){.shape = SHAPES_MAX + i})
                  : status_ok();
        case_release(&workload);
        STATUS_TRY(status);
    }
    return status_ok();
}

/* === What was asked for ======================================================================= */

/* WxH is of images, NxWxH of sets, N+NxBYTES of descriptors. False: none of these. */
static bool read_shape(const char *word, WorkloadKind *kind, CaseShape *shape) {
    int a = 0, b = 0, c = 0, end = 0;
    if (sscanf(word, "%d+%dx%d%n", &a, &b, &c, &end) == 3 && word[end] == '\0') {
        *kind = WORKLOAD_DESCRIPTORS;
        *shape = (CaseShape){.count = a, .width = c, .height = b};
        return a >= 0 && b >= 0 && a + b > 0 && c > 0;
    }
    if (sscanf(word, "%dx%dx%d%n", &a, &b, &c, &end) == 3 && word[end] == '\0') {
        *kind = WORKLOAD_IMAGE_SET;
        *shape = (CaseShape){.count = a, .width = b, .height = c};
        return a > 0 && b > 0 && c > 0;
    }
    const bool image = sscanf(word, "%dx%d%n", &a, &b, &end) == 2 && word[end] == '\0';
    *kind = WORKLOAD_IMAGE;
    *shape = (CaseShape){.width = a, .height = b};
    return image && a > 0 && b > 0;
}

/* Of the list those of the algorithm's kind; the usual ones where it has none. */
static Status choose_shapes(Trial *trial) {
    const WorkloadKind input = trial->algorithm->input;
    const WorkloadKind wanted = input == WORKLOAD_KEYPOINTS ? WORKLOAD_IMAGE : input;
    const char *list = trial->request->shapes;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        CaseShape shape;
        WorkloadKind kind;
        STATUS_TRY(list_next(&list, word));
        if (!read_shape(word, &kind, &shape)) {
            return status_make(STATUS_USAGE,
                               "--shapes: '%s' is neither WxH, nor NxWxH of a set, nor N+NxBYTES "
                               "of descriptors",
                               word);
        }
        if (kind == wanted && trial->shape_count == SHAPES_MAX) {
            return status_make(STATUS_USAGE, "--shapes: more than %d", SHAPES_MAX);
        }
        if (kind == wanted) {
            trial->shapes[trial->shape_count++] = shape;
        }
    }
    if (trial->shape_count == 0) {
        const CaseShape *usual = NULL;
        trial->shape_count = case_shapes(input, trial->request->quick, &usual);
        memcpy(trial->shapes, usual, trial->shape_count * sizeof *usual);
    }
    return status_ok();
}

/* CASE_CONTENTS: the kind has none of that name. */
static CaseContent find_content(WorkloadKind kind, const char *name) {
    const CaseContent *content = case_contents(kind);
    while (*content != CASE_CONTENTS && strcmp(case_content_names[*content], name) != 0) {
        content++;
    }
    return *content;
}

static Status choose_contents(Trial *trial) {
    const WorkloadKind input = trial->algorithm->input;
    const char *list = trial->request->contents;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        if (find_content(WORKLOAD_IMAGE, word) == CASE_CONTENTS &&
            find_content(WORKLOAD_IMAGE_SET, word) == CASE_CONTENTS &&
            find_content(WORKLOAD_DESCRIPTORS, word) == CASE_CONTENTS) {
            return status_make(STATUS_USAGE,
                               "--contents: there is no '%s'; images have zero, seven, full, ramp, "
                               "noise, extreme, texture",
                               word);
        }
        const CaseContent content = find_content(input, word);
        if (content != CASE_CONTENTS && trial->content_count < CONTENTS_MAX) {
            trial->contents[trial->content_count++] = content;
        }
    }
    for (const CaseContent *content = case_contents(input);
         trial->request->contents == NULL && *content != CASE_CONTENTS; content++) {
        trial->contents[trial->content_count++] = *content;
    }
    return trial->content_count > 0
               ? status_ok()
               : status_make(STATUS_USAGE, "--contents: none of them is for '%s'",
                             trial->algorithm->name);
}

/* Threads are ended and looked at around all cases, not around each. */
static Status check_watched(const Trial *trial) {
    const bool watched = module_has_variant(trial->variant);
    ThreadWatch watch = {.before.list = NULL};
    if (watched) {
        process_processors_keep();
        thread_watch_begin(&watch);
    }
    Status status = check_cases(trial);
    STATUS_THEN(status, check_used(trial));
    if (status_is_ok(&status) && watched) {
        status = thread_watch_idle(&watch);
        process_processors_check();
    }
    STATUS_THEN(status, device_check_settings(trial->variant));
    thread_watch_end(&watch);
    return status;
}

Status conformance_check(const Algorithm *algorithm, const Variant *variant,
                         const ConformanceRequest *request, ConformanceResult *result) {
    Trial trial = {.request = request,
                   .algorithm = algorithm,
                   .variant = variant,
                   .is_oracle = variant == registry_variant(algorithm, 0),
                   .result = result};
    *result = (ConformanceResult){.asked = 0};
    STATUS_TRY(choose_shapes(&trial));
    STATUS_TRY(choose_contents(&trial));
    STATUS_TRY(registry_variant_available(variant));
    if (kept.algorithm != algorithm || kept.request != request) {
        conformance_forget();
        kept.algorithm = algorithm;
        kept.request = request;
    }
    Status status = check_watched(&trial);
    if (status_is_ok(&status) && trial.is_oracle && result->asked == 0) {
        return status_skip("%s/%s is not tried on images as large as these: its answers are what "
                           "the others are compared with",
                           algorithm->name, variant->name);
    }
    if (status_is_ok(&status) && result->ran == 0) {
        /* One that may skip this or that request passes; one that skips them all was not tested. */
        return status_skip("%s/%s ran none of %zu requests%s%.200s", algorithm->name, variant->name,
                           result->asked, result->why[0] != '\0' ? ": " : "", result->why);
    }
    return status;
}
