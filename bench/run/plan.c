/* The plan: every cell of a sweep, and its print for --dry-run. */

#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "budget.h"
#include "calls.h"
#include "inputs.h"
#include "list.h"
#include "oracle.h"
#include "plan.h"
#include "progress.h"
#include "registry.h"
#include "resources.h"
#include "results.h"
#include "scaling.h"
#include "text.h"
#include "verify.h"

/* === Points =================================================================================== */

Status default_point(const Axis *const *axes, const Workload *workload, Point *point) {
    *point = STRUCT_OF(Point, .count = 0);
    AxisValues *values = malloc(sizeof *values);
    STATUS_MEMORY(values, "for axis values");
    Status status = status_ok();
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        values->count = 0;
        status = axis_read(axes[i], axes[i]->defaults, workload, values);
        if (!status_is_ok(&status) || values->count == 0) {
            break;
        }
        point->axes[point->count] = axes[i];
        point->values[point->count++] = values->values[values->count - 1];
    }
    free(values);
    return status;
}

Status point_set(const char *name, const char *text, const Workload *workload, Point *point) {
    size_t at = 0;
    while (at < point->count && strcmp(point->axes[at]->name, name) != 0) {
        at++;
    }
    if (at == point->count) {
        return status_fail("there is no axis --%s to set to %s", name, text);
    }
    AxisValues *values = calloc(1, sizeof *values);
    STATUS_MEMORY(values, "for axis values");
    const Status status = axis_read(point->axes[at], text, workload, values);
    const size_t count = values->count;
    if (status_is_ok(&status)) {
        point->values[at] = values->values[0];
    }
    free(values);
    if (status_is_ok(&status) && count > 1) {
        return status_make(STATUS_USAGE, "--%s: '%.60s' are several values; give one", name, text);
    }
    return status;
}

/* === Expanding a request ====================================================================== */

/* A request for more is taken for a mistake, such as --threads 1..1024 on several axes. */
enum { PLAN_CELLS_MAX = 100000 };

static Status too_many(void) {
    return status_make(STATUS_USAGE, "the request has more than %d cells; give fewer values",
                       PLAN_CELLS_MAX);
}

/* --- Axes ------------------------------------------------------------------------------------- */

static const char *axis_list(const AxisRequest *requests, size_t request_count, const Axis *axis) {
    const char *list = axis->defaults;
    for (size_t i = 0; i < request_count; i++) {
        if (strcmp(requests[i].name, axis->name) == 0) {
            list = requests[i].list;
        }
    }
    return list;
}

const char *options_axis_list(const RunOptions *options, const Axis *axis) {
    return axis_list(options->axes, options->axis_count, axis);
}

/* Combines every point so far with every value of one more axis; the last axis varies fastest. */
static Status multiply(PointList *list, const Axis *axis, const AxisValues *values) {
    const size_t count = list->count * values->count;
    if (count > PLAN_CELLS_MAX) {
        return too_many();
    }
    Point *points = malloc((count > 0 ? count : 1) * sizeof *points);
    STATUS_MEMORY(points, "for the plan");
    for (size_t i = 0; i < count; i++) {
        points[i] = list->points[i / values->count];
        points[i].axes[points[i].count] = axis;
        points[i].values[points[i].count++] = values->values[i % values->count];
    }
    free(list->points);
    *list = (PointList){points, count};
    return status_ok();
}

static Status expand_axes(const AxisRequest *requests, size_t request_count,
                          const Axis *const *axes, const Workload *shape, AxisValues *values,
                          PointList *list) {
    list->points[0] = STRUCT_OF(Point, .count = 0);
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        if (i == POINT_AXES_MAX) {
            return status_fail("a list has more than %d axes", POINT_AXES_MAX);
        }
        values->count = 0;
        STATUS_TRY(axis_read(axes[i], axis_list(requests, request_count, axes[i]), shape, values));
        STATUS_TRY(multiply(list, axes[i], values));
    }
    return status_ok();
}

Status points_expand(const AxisRequest *requests, size_t request_count, const Axis *const *axes,
                     const Workload *shape, PointList *list) {
    AxisValues *values = malloc(sizeof *values);
    *list = (PointList){malloc(sizeof *list->points), 1};
    Status status = values != NULL && list->points != NULL
                        ? expand_axes(requests, request_count, axes, shape, values, list)
                        : status_no_memory("for the plan");
    free(values);
    if (!status_is_ok(&status)) {
        free(list->points);
        *list = (PointList){0};
    }
    return status;
}

/* --- Cells ------------------------------------------------------------------------------------ */

int plan_threads(const Variant *variant, const Point *tuning) {
    return variant_is_on_cpu(variant) ? (int)point_integer(tuning, scaling_threads, 1) : 0;
}

int plan_gpus(const Point *tuning) {
    return (int)point_integer(tuning, scaling_gpus, 1);
}

static Status add_cell(Plan *plan, const PlanCell *cell) {
    if (plan->cell_count == PLAN_CELLS_MAX) {
        return too_many();
    }
    LIST_ADD(NULL, plan->cells, plan->cell_count, plan->cell_capacity, "cells of the plan", *cell);
    return status_ok();
}

/* With --weak a variant for several GPUs runs on those that the question has grown for. */
static bool is_for(const PlanCell *cell, const Point *tuning) {
    const int64_t gpus = point_integer(tuning, scaling_gpus, 0);
    return cell->gpus == 0 || gpus == 0 || (cell->gpus >> gpus & 1) != 0;
}

static Status add_variant(const RunOptions *options, Plan *plan, PlanCell cell) {
    if (status_is_ok(&cell.ready)) {
        cell.ready = registry_variant_available(cell.variant);
    }
    PointList tunings;
    STATUS_TRY(points_expand(options->axes, options->axis_count, cell.variant->tuning,
                             &plan->workloads[cell.workload].shape, &tunings));
    Status status = status_ok();
    for (size_t i = 0; i < tunings.count && status_is_ok(&status); i++) {
        cell.tuning = tunings.points[i];
        if (is_for(&cell, &cell.tuning)) {
            status = add_cell(plan, &cell);
        }
    }
    free(tunings.points);
    return status;
}

uint64_t plan_pixel_bytes(const PlanWorkload *workload) {
    const Input *input = workload->input;
    const Image *image = &workload->shape.image;
    const bool mapped =
        input->mapped && image->width == input->width && image->height == input->height;
    const Image *second = &workload->shape.second;
    return (mapped ? 0 : (uint64_t)image->stride * (uint64_t)image->height) +
           (uint64_t)second->stride * (uint64_t)second->height;
}

int plan_answers_in_memory(const Algorithm *algorithm, bool mapped, uint64_t bytes) {
    const uint64_t available = available_memory();
    if (!mapped || !algorithm_is_exact(algorithm) || 2 * bytes <= available) {
        return 2;
    }
    return bytes <= available ? 1 : 0;
}

static uint64_t input_bytes(const PlanWorkload *workload) {
    const Workload *shape = &workload->shape;
    uint64_t bytes = plan_pixel_bytes(workload) +
                     (uint64_t)shape->keypoints.count * sizeof *shape->keypoints.keypoints;
    for (int32_t i = 0; i < shape->weights.count; i++) {
        const Weights *weights = &shape->weights.list[i];
        bytes += (uint64_t)weights->bits * (uint64_t)weights->columns * sizeof *weights->values;
    }
    return bytes;
}

/* A variant for several devices would repeat another on one: there it has to be asked for. */
static bool is_offered(const RunOptions *options, const Variant *variant) {
    if (variant->peer != NULL) {
        return options_select_variant(options, variant);
    }
    const bool several = variant->backend == &cuda_multi_backend;
    bool asked = options_name_variant(options, variant) || (!several && !variant->on_request) ||
                 (several && cuda_devices_count() > 1);
    for (size_t i = 0; i < options->axis_count; i++) {
        asked = asked || (several && strcmp(options->axes[i].name, scaling_gpus) == 0);
    }
    return asked && options_select_variant(options, variant);
}

static Status add_answer(const RunOptions *options, Plan *plan, PlanCell cell) {
    const Workload *shape = &plan->workloads[cell.workload].shape;
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    if (status_is_ok(&cell.ready)) {
        cell.ready = algorithm_layout(cell.algorithm, shape, &cell.answer, &layout);
    }
    cell.cost = algorithm_cost(cell.algorithm, shape, &cell.answer);
    const PlanWorkload *workload = &plan->workloads[cell.workload];
    const bool mapped = plan_pixel_bytes(workload) == 0;
    cell.host_bytes =
        input_bytes(workload) +
        (uint64_t)plan_answers_in_memory(cell.algorithm, mapped, layout.bytes) * layout.bytes;
    cell.group = plan->group_count;
    const size_t before = plan->cell_count;
    for (size_t i = 0; (cell.variant = registry_any(cell.algorithm, i)) != NULL; i++) {
        if (is_offered(options, cell.variant)) {
            STATUS_TRY(add_variant(options, plan, cell));
        }
    }
    plan->group_count += plan->cell_count > before;
    return status_ok();
}

/* `like` is the cell without its answer. */
static Status add_answers(const RunOptions *options, Plan *plan, const PointList *answers,
                          PlanCell like) {
    for (size_t i = 0; i < answers->count; i++) {
        like.answer = answers->points[i];
        STATUS_TRY(add_answer(options, plan, like));
    }
    return status_ok();
}

static Status add_grown_answers(const RunOptions *options, Plan *plan, const PointList *answers,
                                PlanCell like) {
    WeakPoints grown;
    STATUS_TRY(weak_points(like.algorithm, &plan->weak, answers, &grown));
    Status status = status_ok();
    for (size_t i = 0; i < grown.count && status_is_ok(&status); i++) {
        like.answer = grown.points[i];
        like.gpus = grown.gpus[i];
        status = add_answer(options, plan, like);
    }
    weak_points_release(&grown);
    return status;
}

static Status add_algorithm(const RunOptions *options, Plan *plan, size_t workload,
                            const Algorithm *algorithm) {
    const PlanWorkload *of = &plan->workloads[workload];
    const bool weak = plan->weak.count > 0;
    const WeakGrowth growth = weak ? weak_growth(algorithm) : GROWS_NOT;
    PlanCell cell = {.algorithm = algorithm, .workload = workload};
    if (weak && !(growth == GROWS_INPUT ? of->gpus != 0 : of->given)) {
        return status_ok();
    }
    if (growth == GROWS_INPUT) {
        cell.gpus = of->gpus;
    } else if (weak && growth == GROWS_NOT) {
        cell.ready = weak_reason(algorithm);
    }
    PointList answers; /* an input that has grown has those of the one that was given */
    STATUS_TRY(points_expand(options->axes, options->axis_count, algorithm->answer,
                             &plan->workloads[of->base].shape, &answers));
    const Status status = growth == GROWS_ANSWER ? add_grown_answers(options, plan, &answers, cell)
                                                 : add_answers(options, plan, &answers, cell);
    free(answers.points);
    return status;
}

static Status add_cells(const RunOptions *options, Plan *plan) {
    for (size_t w = 0; w < plan->workload_count; w++) {
        for (size_t a = 0; a < options->algorithm_count; a++) {
            if (input_suits(plan->workloads[w].input, options->algorithms[a])) {
                STATUS_TRY(add_algorithm(options, plan, w, options->algorithms[a]));
            }
        }
    }
    if (plan->cell_count == 0) {
        return status_make(STATUS_NO_MATCH, "no variant of the selected algorithms is selected; "
                                            "see 'bench list'");
    }
    return status_ok();
}

/* Adds a workload, or what is new of one that is planned already: `all` may be a number that was
 * given as well, and so may a number that has grown. Returns its place. */
static size_t add_workload(Plan *plan, const PlanWorkload *workload) {
    for (size_t i = 0; i < plan->workload_count; i++) {
        PlanWorkload *other = &plan->workloads[i];
        if (other->input == workload->input &&
            strcmp(other->shape.size_name, workload->shape.size_name) == 0) {
            other->given |= workload->given;
            other->gpus |= workload->gpus;
            return i;
        }
    }
    plan->workloads[plan->workload_count] = *workload;
    return plan->workload_count++;
}

/* Whether --weak has the input grow. */
static bool input_grows(const RunOptions *options, const Plan *plan, const Input *input) {
    for (size_t i = 0; plan->weak.count > 0 && i < options->algorithm_count; i++) {
        if (input_suits(input, options->algorithms[i]) &&
            weak_growth(options->algorithms[i]) == GROWS_INPUT) {
            return true;
        }
    }
    return false;
}

static Status add_grown(const Input *input, const SizeSpec *given, size_t base, Plan *plan) {
    for (size_t i = 0; i < plan->weak.count; i++) {
        const int gpus = plan->weak.list[i];
        PlanWorkload grown = {.input = input, .gpus = UINT32_C(1) << gpus, .base = base};
        STATUS_TRY(weak_size(input, given, gpus, &grown.size));
        STATUS_TRY(workload_describe(input, &grown.size, &grown.shape));
        add_workload(plan, &grown);
    }
    return status_ok();
}

static Status add_input(const RunOptions *options, const Input *input, Plan *plan) {
    size_t count;
    const SizeSpec *sizes = kind_sizes(options, input->kind, &count);
    const bool grows = input_grows(options, plan, input);
    for (size_t i = 0; i < count; i++) {
        PlanWorkload workload = {
            .input = input, .size = sizes[i], .given = true, .base = plan->workload_count};
        STATUS_TRY(workload_describe(input, &sizes[i], &workload.shape));
        const size_t place = add_workload(plan, &workload);
        if (grows) {
            STATUS_TRY(add_grown(input, &sizes[i], place, plan));
        }
    }
    return status_ok();
}

static Status add_workloads(const RunOptions *options, const InputList *inputs, Plan *plan) {
    size_t room = 1;
    for (size_t i = 0; i < inputs->count; i++) {
        size_t count;
        kind_sizes(options, inputs->inputs[i].kind, &count);
        room += count * (1 + plan->weak.count);
    }
    plan->workloads = calloc(room, sizeof *plan->workloads);
    STATUS_MEMORY(plan->workloads, "for the plan");
    for (size_t i = 0; i < inputs->count; i++) {
        STATUS_TRY(add_input(options, &inputs->inputs[i], plan));
    }
    return status_ok();
}

static Status check_axes(const RunOptions *options, const Plan *plan) {
    for (size_t i = 0; i < options->axis_count; i++) {
        const char *name = options->axes[i].name;
        bool used = false;
        for (size_t c = 0; c < plan->cell_count && !used; c++) {
            const PlanCell *cell = &plan->cells[c];
            used = point_text(&cell->tuning, name)[0] != '\0' ||
                   point_text(&cell->answer, name)[0] != '\0';
        }
        if (!used) {
            return status_make(STATUS_NO_MATCH,
                               "no selected variant has the axis --%s; see 'bench list'", name);
        }
    }
    return status_ok();
}

Status plan_make(const RunOptions *options, const InputList *inputs, Plan *plan) {
    *plan = (Plan){0};
    Status status = weak_numbers(options, &plan->weak);
    STATUS_THEN(status, add_workloads(options, inputs, plan));
    STATUS_THEN(status, add_cells(options, plan));
    STATUS_THEN(status, check_axes(options, plan));
    STATUS_THEN(status, plan_take_share(options, plan));
    STATUS_THEN(status, plan_leave_out(options, plan));
    if (!status_is_ok(&status)) {
        plan_release(plan);
    }
    return status;
}

void plan_release(Plan *plan) {
    free(plan->workloads);
    free(plan->cells);
    free(plan->numbers);
    *plan = (Plan){0};
}

bool plan_cell_is_runnable(const PlanCell *cell) {
    return status_is_ok(&cell->ready) &&
           (variant_is_on_cpu(cell->variant) || cuda_devices_count() > 0);
}

size_t plan_runnable(const Plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        count += plan_cell_is_runnable(&plan->cells[i]);
    }
    return count;
}

bool plan_cell_is_seq(const PlanCell *cell) {
    return variant_is_seq(cell->algorithm, cell->variant);
}

Row plan_row(const Plan *plan, const PlanCell *cell, bool cold) {
    const Workload *shape = &plan->workloads[cell->workload].shape;
    Row row = row_empty();
    row.algorithm = cell->algorithm;
    row.variant = cell->variant;
    memcpy(row.input, shape->input, sizeof row.input);
    memcpy(row.size_name, shape->size_name, sizeof row.size_name);
    const bool set = shape->kind == WORKLOAD_IMAGE_SET;
    row.width = set ? shape->set.width : shape->image.width;
    row.height = set ? shape->set.height : shape->image.height;
    row.images = set ? shape->set.count : 0;
    row.answer = cell->answer;
    row.tuning = cell->tuning;
    row.threads = plan_threads(cell->variant, &cell->tuning);
    row.cold = cold;
    if (cell->variant->peer != NULL) {
        const Peer *peer = cell->variant->peer;
        row.peer = true;
        snprintf(row.library, sizeof row.library, "%s", peer->library);
        snprintf(row.another_definition, sizeof row.another_definition, "%s",
                 peer->difference != NULL ? peer->difference : "");
    }
    row.weak = cell->gpus != 0 && row_gpus(&row) > 0;
    row.cost = cell->cost;
    return row;
}

Row *plan_find(const Plan *plan, const PlanCell *cell, bool cold, Results *results) {
    const Row planned = plan_row(plan, cell, cold);
    return results_find(results, &planned);
}

/* === Printing ================================================================================= */

/* A budget says how much is sampled, unless the number of samples is given. */
static bool budget_decides(const RunOptions *options) {
    return options->budget > 0 && options->reps <= 0;
}

/* How much is sampled, where a budget does not say, and how long one run takes, if that is known.
 */
static void format_estimate(const RunOptions *options, double seconds, char *text, size_t size) {
    text[0] = '\0';
    if (options->reps > 0) {
        text_append(text, size, "%d samples", options->reps);
    } else if (!budget_decides(options)) {
        text_append(text, size, "%g s", options->max_time);
    }
    if (seconds > 0) {
        char run[NUMBER_WORDS_SIZE];
        seconds_text_ascii(seconds, 2, run);
        text_append(text, size, "%sabout %s", text[0] != '\0' ? " of " : "", run);
    }
}

static void format_note(const RunOptions *options, const PlanCell *cell, double seconds, char *text,
                        size_t size) {
    text[0] = '\0';
    const uint64_t available = available_memory();
    if (!status_is_ok(&cell->ready)) {
        snprintf(text, size, "skipped: %s", cell->ready.why);
    } else if (cell->host_bytes > available) {
        snprintf(text, size, "skipped: %s", memory_short(cell->host_bytes, available).why);
    } else if (plan_cell_is_seq(cell) && seconds > oracle_limit(options)) {
        char limit[ORACLE_LIMIT_SIZE];
        oracle_limit_text(options, limit);
        snprintf(text, size, "skipped: one run takes longer than %s", limit);
    }
}

/* A study asks for the plans of its steps. */
static void tell_parent(const Plan *plan, double seconds) {
    Progress progress;
    progress_start(&progress, stderr, plan->cell_count, plan->cell_count, true);
    progress_expect(&progress, seconds);
    progress_show(&progress, "planned", NULL);
    progress_end(&progress);
}

/* "0:03", "120 ms" */
static void launch_text(double seconds, char text[DURATION_SIZE + NUMBER_WORDS_SIZE]) {
    if (seconds < 1) {
        seconds_text_ascii(seconds, 2, text);
    } else {
        duration_text(seconds, text);
    }
}

/* What the estimate rests on is said with it: it is no measurement. */
static void print_expected(FILE *stream, const RunOptions *options, const Plan *plan,
                           const History *history) {
    const double seconds = expect_run(options, plan, history);
    char text[DURATION_SIZE], one[DURATION_SIZE + NUMBER_WORDS_SIZE];
    char launches[2 * sizeof one + 64] = "";
    duration_text(seconds, text);
    if (options->budget > 0 && seconds > options->budget) {
        snprintf(launches, sizeof launches, ", as %d launches take more than the budget",
                 BUDGET_LAUNCHES_MIN);
    } else if (options->budget > 0) {
        launch_text(expect_launch(options, plan, history, 3), one);
        snprintf(launches, sizeof launches, ", up to %d launches of about %s each",
                 options->launches, one);
    } else if (options->launches > 1) {
        RunOptions close = *options;
        close.spread = 0;
        launch_text(expect_run(&close, plan, history) / options->launches, one);
        snprintf(launches, sizeof launches, ", %d launches of about %s each", options->launches,
                 one);
    }
    if (options->spread > 0) {
        char distance[DURATION_SIZE];
        duration_text(options->spread / options->launches, distance);
        text_append(launches, sizeof launches, ", one every %s", distance);
    }
    fprintf(stream, "expected time: about %s%s\n", text, launches);
    tell_parent(plan, seconds);
    text_entry(stream, 0, "", 0,
               "The estimate rests on the CPU variants, run now on a small part of the input, on "
               "how much faster "
               "a GPU was in stored runs, how many samples cells of that length needed there, and "
               "on --max-time, --reps and --max-cell. Expect half to twice as much. Ceilings and "
               "charts come on top: five seconds and more where ceilings are not stored yet.");
}

static void print_cell(FILE *stream, const RunOptions *options, const Plan *plan,
                       const PlanCell *cell, const History *history) {
    const Row row = plan_row(plan, cell, options->cold);
    const double seconds = expect_sample(cell, history);
    char name[CELL_NAME_SIZE], estimate[64], memory[32], note[2 * STATUS_WHY_SIZE];
    row_name(&row, name, sizeof name);
    format_estimate(options, seconds, estimate, sizeof estimate);
    bytes_text(cell->host_bytes, memory, sizeof memory);
    format_note(options, cell, seconds, note, sizeof note);
    visible_line(stream, "%-52s %-22s %-10s %s", name, estimate, memory, note);
}

enum { CELLS_SHOWN = 20 };

/* The time first, which is what is asked for; it would scroll away before many cells. */
Status plan_print(FILE *stream, const RunOptions *options, const Plan *plan) {
    const size_t runnable = plan_runnable(plan);
    History *history = calloc(1, sizeof *history); /* too large for a stack */
    STATUS_MEMORY(history, "for the plan");
    expect_probe(options, plan, history);
    print_expected(stream, options, plan, history);
    fprintf(stream, "\n%zu %s", plan->cell_count, plural(plan->cell_count, "cell", "cells"));
    if (runnable < plan->cell_count) {
        fprintf(stream, ", of which %zu can run here", runnable);
    }
    if (!options->all && plan->cell_count > CELLS_SHOWN) {
        fputs("; --dry-run --all lists them\n", stream);
    } else {
        fprintf(stream, "\n%-52s %-22s %-10s %s\n", "cell",
                budget_decides(options) ? "one run" : "time", "memory", "note");
        for (size_t i = 0; i < plan->cell_count; i++) {
            print_cell(stream, options, plan, &plan->cells[i], history);
        }
    }
    free(history);
    return status_ok();
}
