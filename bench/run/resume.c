/* Resuming a stored run: whether it is the same request, and which of its rows are kept. */

#include "inputs.h"
#include "measure.h"
#include "plan.h"
#include "run.h"
#include "sweep.h"

#include <string.h>

/* === The same request ========================================================================= */

Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored) {
    char path[4096];
    *stored = (StoredRun){.complete = false};
    STATUS_TRY(stored_run_in(folder, path, sizeof path));
    STATUS_TRY(stored_run_read(path, stored));
    Status status = machine_same(&stored->machine, machine);
    STATUS_THEN(status, arguments_same(&stored->arguments, options));
    if (!status_is_ok(&status)) {
        stored_run_release(stored);
        return status_make(STATUS_USAGE, "%.64s cannot be resumed: %.280s", folder, status.why);
    }
    return status;
}

/* === Rows of the earlier run ================================================================== */

/* A row without an algorithm was moved out already, and is of no cell. */
bool resume_extract(StoredRun *stored, const Row *planned, Row *row) {
    Row *found = results_find(&stored->results, planned);
    if (found == NULL) {
        return false;
    }
    *row = *found;
    *found = row_empty();
    return true;
}

bool resume_is_sampled(const Row *row) {
    return row->status == CELL_OK && row->kernel.count > 0 &&
           (row->end_to_end.count > 0 || !measure_has_transfers(row->variant));
}

bool resume_is_finished(const Row *row) {
    return resume_is_sampled(row) && row->end_to_end.count > 0 && !row->unfinished;
}

/* === The same inputs ========================================================================== */

static bool same_shape(const Row *row, const Workload *shape) {
    if (shape->kind == WORKLOAD_IMAGE_SET) {
        return row->images == shape->set.count && row->width == shape->set.width &&
               row->height == shape->set.height;
    }
    return row->images == 0 && row->width == shape->image.width &&
           row->height == shape->image.height;
}

static const Row *find_workload(const StoredRun *stored, const Input *input,
                                const Workload *shape) {
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        if (row->status == CELL_OK && input_suits(input, row->algorithm) &&
            strcmp(row->input, shape->input) == 0 &&
            strcmp(row->size_name, shape->size_name) == 0 && same_shape(row, shape)) {
            return row;
        }
    }
    return NULL;
}

/* A synthetic input follows from seed and build, which are the same; but weights and keypoints are
 * read from files. */
static bool may_differ(const Input *input) {
    return input->path != NULL || input->kind == WORKLOAD_KEYPOINTS;
}

static Status other_input(const Input *input) {
    const char *name = input->path != NULL ? input->path : input->name;
    if (input->kind == WORKLOAD_KEYPOINTS) {
        return status_make(STATUS_USAGE,
                           "%.200s, its keypoints or the weights are not those that the stored run "
                           "was measured on; resume with those, or start a new run",
                           name);
    }
    const char *what = input->kind == WORKLOAD_IMAGE_SET ? "set" : "image";
    return status_make(STATUS_USAGE,
                       "%s is not the %s that the stored run was measured on; resume with that %s, "
                       "or start a new run",
                       name, what, what);
}

Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed) {
    for (size_t i = 0; i < plan->workload_count; i++) {
        const PlanWorkload *planned = &plan->workloads[i];
        const Row *row = find_workload(stored, planned->input, &planned->shape);
        if (row == NULL || !may_differ(planned->input)) {
            continue;
        }
        Workload workload;
        const Status status = workload_load(planned->input, &planned->size, seed, &workload);
        if (status.code == STATUS_SKIP) {
            continue; /* no memory for it now: nothing will be measured on it either */
        }
        STATUS_TRY(status);
        const bool same = workload_hash_of(&workload, row->algorithm) == row->input_hash;
        workload_release(&workload);
        if (!same) {
            return other_input(planned->input);
        }
    }
    return status_ok();
}

/* NULL: there is none. */
static const Input *find_input(const InputList *inputs, const Row *row) {
    for (size_t i = 0; i < inputs->count; i++) {
        const Input *input = &inputs->inputs[i];
        if (input_suits(input, row->algorithm) && strcmp(input->name, row->input) == 0) {
            return input;
        }
    }
    return NULL;
}

/* Whether the request has the size of the row, or with --weak one that grows to it. */
static bool find_size(const RunOptions *options, const Input *input, const Row *row,
                      SizeSpec *size) {
    size_t count;
    const SizeSpec *sizes = kind_sizes(options, input->kind, &count);
    WeakNumbers weak;
    const Status read = weak_numbers(options, &weak);
    for (size_t i = 0; i < count; i++) {
        *size = sizes[i];
        if (strcmp(size->name, row->size_name) == 0) {
            return true;
        }
        for (size_t j = 0; status_is_ok(&read) && j < weak.count; j++) {
            const Status grown = weak_size(input, &sizes[i], weak.list[j], size);
            if (status_is_ok(&grown) && strcmp(size->name, row->size_name) == 0) {
                return true;
            }
        }
    }
    return false;
}

Status stored_input_check(const RunOptions *options, const InputList *inputs, const Row *row) {
    const Input *input = find_input(inputs, row);
    SizeSpec size;
    if (input == NULL || !find_size(options, input, row, &size)) {
        return status_make(STATUS_USAGE, "the input %.200s at %s is not here", row->input,
                           row->size_name);
    }
    Workload workload;
    STATUS_TRY(workload_load(input, &size, options->seed, &workload));
    const bool same = workload_hash_of(&workload, row->algorithm) == row->input_hash;
    workload_release(&workload);
    return same ? status_ok()
                : status_make(STATUS_USAGE,
                              "the input %.200s is another here: its hash at %s is not the stored "
                              "one",
                              input->path != NULL ? input->path : input->name, row->size_name);
}
