#include "curve_compute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "answer_proof.h"
#include "one_answer.h"
#include "save.h"
#include "text_list.h"
#include "verify.h"
#include "visible.h"
#include "workload_source.h"

/* What the curves of one request share. */
typedef struct Computation {
    const CurveRequest *request;
    const Variant *variant;
    const char *folder;
    PathList *paths;
} Computation;

/* --- One curve -------------------------------------------------------------------------------- */

static bool is_listed(const PathList *paths, const char *path) {
    for (size_t i = 0; i < paths->count; i++) {
        if (strcmp(paths->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* Names of the tables that were written. */
static Status list_tables(const Computation *of, const char *stem, const Workload *workload,
                          const Point *answer, const OutputLayout *layout) {
    for (size_t part = 0; part < layout->count; part++) {
        char path[SAVE_PATH_SIZE];
        if (layout->parts[part].kind != OUTPUT_TABLE_U64) {
            continue;
        }
        STATUS_TRY(save_path(of->folder, of->request->algorithm, stem, workload, answer,
                             layout->parts[part].name, "csv", path));
        if (is_listed(of->paths, path)) {
            return status_make(STATUS_USAGE,
                               "two inputs would be saved as %.250s; compute them in two calls",
                               path);
        }
        STATUS_TRY(path_list_add(of->paths, path));
    }
    return status_ok();
}

static Status compute_curve(const Computation *of, const char *stem, const Workload *workload,
                            const Point *answer) {
    const Algorithm *algorithm = of->request->algorithm;
    Output output;
    STATUS_TRY(one_answer_prove(algorithm, of->variant, answer));
    STATUS_TRY(one_answer_compute(algorithm, of->variant, workload, answer, &output));
    Status status = list_tables(of, stem, workload, answer, &output.layout);
    if (status_is_ok(&status)) {
        status = save_answer(of->folder, algorithm, stem, workload, answer, &output);
    }
    answer_release_guarded(&output);
    return status;
}

/* --- Answer points ---------------------------------------------------------------------------- */

static const char *list_of(const CurveRequest *request, const Axis *axis) {
    for (size_t i = 0; i < request->axis_count; i++) {
        if (strcmp(request->axes[i].name, axis->name) == 0) {
            return request->axes[i].list;
        }
    }
    return axis->defaults;
}

/* Goes through all values of the axes from number `point->count` on. */
static Status compute_points(const Computation *of, const char *stem, const Workload *workload,
                             Point *point) {
    const Axis *const *axes = of->request->algorithm->answer;
    const size_t index = point->count;
    const Axis *axis = axes != NULL ? axes[index] : NULL;
    if (axis == NULL) {
        return compute_curve(of, stem, workload, point);
    }
    AxisValues *values = malloc(sizeof *values);
    if (values == NULL) {
        return status_skip("no memory left for the values of --%s", axis->name);
    }
    Status status = axis_parse(axis, list_of(of->request, axis), workload, values);
    for (size_t i = 0; status_is_ok(&status) && i < values->count; i++) {
        point->count = index + 1;
        point->axes[index] = axis;
        point->values[index] = values->values[i];
        status = compute_points(of, stem, workload, point);
    }
    point->count = index;
    free(values);
    return status;
}

/* --- Inputs and sizes ------------------------------------------------------------------------- */

static Status compute_input(const Computation *of, const Input *input) {
    const CurveRequest *request = of->request;
    for (size_t i = 0; i < request->size_count; i++) {
        Workload workload;
        char pressed[WORKLOAD_NAME_SIZE + 128];
        Point point = {.count = 0};
        if (request->progress != NULL) {
            visible_line(request->progress, "%s of %s, %s", request->algorithm->name, input->name,
                         request->sizes[i].name);
        }
        STATUS_TRY(workload_load(input, &request->sizes[i], request->seed, &workload));
        if (workload_is_pressed(input, &workload, pressed, sizeof pressed)) {
            char visible[sizeof pressed];
            text_visible(pressed, visible, sizeof visible);
            fprintf(request->notes, "note: %s\n", visible);
        }
        const Status status = compute_points(of, input->stem, &workload, &point);
        workload_release(&workload);
        STATUS_TRY(status);
    }
    return status_ok();
}

static Status compute_inputs(const Computation *of, const char *file, const char *kind) {
    const RunOptions options = {
        .input = file, .synthetic = kind, .density = kind != NULL ? of->request->density : 0};
    InputList list;
    STATUS_TRY(inputs_open(&options, of->request->notes, &list));
    Status status = status_ok();
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        status = compute_input(of, &list.inputs[i]);
    }
    inputs_release(&list);
    return status;
}

Status curves_compute(const CurveRequest *request, const char *folder, PathList *paths) {
    Computation of = {.request = request, .folder = folder, .paths = paths};
    STATUS_TRY(one_answer_variant(request->algorithm, request->variant, &of.variant));
    for (size_t i = 0; i < request->synthetic_count; i++) {
        STATUS_TRY(compute_inputs(&of, NULL, request->synthetic[i]));
    }
    for (size_t i = 0; i < request->input_count; i++) {
        STATUS_TRY(compute_inputs(&of, request->inputs[i], NULL));
    }
    return status_ok();
}
