/* Profiling: Nsight Compute, started on one cell after the other. */

#include "backend_runner.h"
#include "calls.h"
#include "devices.h"
#include "list.h"
#include "paths.h"
#include "plan.h"
#include "run.h"
#include "sweep.h"
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { UNCOUNTED_RUNS = 2, OUTPUT_MOST = 1 << 26, PROGRAM_SIZE = 4096 };

static const char range_name[] = "bench";

/* === In the profiler ========================================================================== */

static Status run_in_range(const PlanCell *cell, void *state) {
    const Backend *backend = cell->variant->backend;
    for (int i = 0; i < UNCOUNTED_RUNS; i++) {
        STATUS_TRY(run_once(cell->variant, state));
    }
    if (backend->runner->range != NULL) {
        backend->runner->range(range_name);
    }
    Status status = variant_run(cell->variant, state);
    STATUS_THEN(status, variant_wait(cell->variant, state));
    if (backend->runner->range != NULL) {
        backend->runner->range(NULL);
    }
    return status;
}

static Status run_cell(const PlanCell *cell, const Workload *workload) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    Output output;
    void *state = NULL;
    STATUS_TRY(algorithm_layout(cell->algorithm, workload, &cell->answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &output));
    const Request request = {.struct_bytes = sizeof(Request),
                             .workload = workload,
                             .answer = &cell->answer,
                             .tuning = &cell->tuning,
                             .output = &output};
    Status status = variant_open(cell->variant, &request, &state);
    if (status_is_ok(&status)) {
        status = run_in_range(cell, state);
        variant_close(cell->variant, state);
    }
    answer_release_guarded(&output);
    return status;
}

static Status load_and_run(const RunOptions *options, const Plan *plan) {
    const size_t index = (size_t)options->inside - 1;
    if (index >= plan->cell_count) {
        return status_make(STATUS_USAGE, "--inside: there are %zu cells", plan->cell_count);
    }
    const PlanCell *cell = &plan->cells[index];
    const PlanWorkload *planned = &plan->workloads[cell->workload];
    Workload workload;
    STATUS_TRY(cell->ready);
    STATUS_TRY(workload_load(planned->input, &planned->size, options->seed, &workload));
    const Status status = run_cell(cell, &workload);
    workload_release(&workload);
    return status;
}

/* Calls `work` with the plan of the request. */
static Status with_plan(const RunOptions *options, FILE *notes,
                        Status (*work)(const RunOptions *options, const Plan *plan, void *context),
                        void *context) {
    InputList inputs;
    Plan plan;
    STATUS_TRY(inputs_open(options, notes, &inputs));
    Status status = plan_make(options, &inputs, &plan);
    if (status_is_ok(&status)) {
        status = work(options, &plan, context);
        plan_release(&plan);
    }
    inputs_release(&inputs);
    return status;
}

static Status work_inside(const RunOptions *options, const Plan *plan, void *context) {
    (void)context;
    return load_and_run(options, plan);
}

Status profile_inside(const RunOptions *options) {
    return with_plan(options, NULL, work_inside, NULL);
}

/* === Starting the profiler ==================================================================== */

/* What the profiler wrote to both of its outputs. */
typedef struct Said {
    char *text;
    size_t size, capacity;
    bool failed; /* there was no memory */
} Said;

static void take_text(void *context, const char *bytes, size_t count) {
    Said *said = context;
    const Status room = list_room(NULL, &said->text, said->size + count + 1, &said->capacity, 1,
                                  "what the profiler says");
    if (!status_is_ok(&room) || said->size + count > OUTPUT_MOST) {
        said->failed = true;
        return;
    }
    memcpy(said->text + said->size, bytes, count);
    said->size += count;
    said->text[said->size] = '\0';
}

/* The first line that begins with the profiler's mark of an error; "" without one. */
static void find_error(const Said *said, char *text, size_t size) {
    static const char mark[] = "==ERROR== ";
    const char *error = said->text != NULL ? strstr(said->text, mark) : NULL;
    const char *from = error != NULL ? error + sizeof mark - 1 : "";
    snprintf(text, size, "%.*s", (int)strcspn(from, "\r\n"), from);
}

static Status judge_end(const ChildEnd *end, const Said *said, bool *hopeless) {
    char error[160];
    if (end->error != 0) {
        *hopeless = true;
        return status_skip("Nsight Compute cannot be started (ncu: %s); it comes with the CUDA "
                           "toolkit and has to be in PATH",
                           strerror(end->error));
    }
    find_error(said, error, sizeof error);
    if (strstr(error, "ERR_NVGPUCTRPERM") != NULL) {
        *hopeless = true;
        return status_skip("the driver shows its counters to the superuser alone: ask for "
                           "NVreg_RestrictProfilingToAdminUsers=0, or in a container for "
                           "--cap-add=SYS_ADMIN");
    }
    if (error[0] != '\0') {
        return status_fail("the profiler says: %s", error);
    }
    if (said->failed) {
        return status_no_memory("for what the profiler says");
    }
    return end->code == 0 ? status_ok() : status_fail("the profiler ended with %d", end->code);
}

/* The profiler's arguments, then the program with its own. */
static const char *const profiler[] = {"ncu",
                                       "--csv",
                                       "--page",
                                       "raw",
                                       "--print-units",
                                       "base",
                                       "--clock-control",
                                       "none",
                                       "--nvtx",
                                       "--nvtx-include",
                                       "bench/",
                                       "--section",
                                       "SpeedOfLight",
                                       "--section",
                                       "ComputeWorkloadAnalysis",
                                       "--section",
                                       "Occupancy",
                                       "--section",
                                       "WarpStateStats",
                                       "--section",
                                       "LaunchStats",
                                       NULL};

/* The profiler's own, then the same request of cell number `cell`. */
static Status profiler_arguments(const RunOptions *options, size_t cell, ArgumentList *list) {
    char program[PROGRAM_SIZE];
    RunOptions own = *options;
    program_path(program, sizeof program);
    own.inside = (int)cell + 1;
    options_give(&own.given, "inside");
    const char *const command[] = {program, own.given.command->name, NULL};
    STATUS_TRY(argument_list_add_all(list, profiler));
    STATUS_TRY(argument_list_add_all(list, command));
    return options_print(&own, &own.given, list);
}

static Status start_profiler(const ArgumentList *list, Said *said, ChildEnd *end) {
    setenv("BENCH_SUPERVISE", "no", 1); /* the profiler follows one process */
    const ChildProcess child = {.program = list->argv[0],
                                .arguments = (const char *const *)list->argv,
                                .output = -1,
                                .take = take_text,
                                .context = said};
    return child_process_run(&child, end);
}

Status profiler_run(const RunOptions *options, size_t cell, const char *name, const char *device,
                    Profile *profile, bool *hopeless) {
    Said said = {.text = NULL};
    ChildEnd end = {.error = 0};
    ArgumentList list = {.argc = 0};
    Status status = profiler_arguments(options, cell, &list);
    STATUS_THEN(status, start_profiler(&list, &said, &end));
    argument_list_release(&list);
    STATUS_THEN(status, judge_end(&end, &said, hopeless));
    STATUS_THEN(status, said.text != NULL ? profile_add_ncu(profile, name, device, said.text)
                                          : status_fail("the profiler said nothing"));
    free(said.text);
    return status;
}

/* === All cells ================================================================================ */

typedef struct Profiling {
    const RunOptions *options;
    FILE *notes;
    Profile *profile;
    size_t profiled;
    bool hopeless; /* what stopped one cell stops all of them */
    Status last;   /* why the latest cell was not profiled */
} Profiling;

static Status profile_planned(Profiling *profiling, const Plan *plan, size_t index,
                              const char *name) {
    const PlanCell *cell = &plan->cells[index];
    if (variant_is_on_cpu(cell->variant)) {
        return status_skip("Nsight Compute profiles kernels of a GPU; name variants of cuda");
    }
    STATUS_TRY(cell->ready);
    char device[FACT_VALUE_SIZE];
    cuda_devices_name(plan_gpus(&cell->tuning), device, sizeof device);
    return profiler_run(profiling->options, index, name, device, profiling->profile,
                        &profiling->hopeless);
}

static Status work_outside(const RunOptions *options, const Plan *plan, void *context) {
    Profiling *profiling = context;
    Progress progress;
    Status status = status_ok();
    progress_start(&progress, profiling->notes, plan->cell_count, plan->cell_count, options->quiet);
    for (size_t i = 0; i < plan->cell_count && !profiling->hopeless; i++) {
        char name[CELL_NAME_SIZE];
        const Row row = plan_row(plan, &plan->cells[i], false);
        row_name(&row, name, sizeof name);
        progress_show(&progress, name, NULL);
        status = profile_planned(profiling, plan, i, name);
        if (status.code == STATUS_INTERRUPTED) {
            break;
        }
        if (status_is_ok(&status)) {
            profiling->profiled++;
        } else {
            profiling->last = status;
            if (!profiling->hopeless && plan->cell_count > 1) {
                progress_warning(&progress, name, status.why);
            }
        }
        progress_done(&progress, 1.0);
    }
    progress_end(&progress);
    if (status.code == STATUS_INTERRUPTED || profiling->hopeless) {
        return status;
    }
    return profiling->profiled > 0 ? status_ok() : profiling->last;
}

Status profile_cells(const RunOptions *options, FILE *notes, Profile *profile) {
    Profiling profiling = {.options = options,
                           .notes = notes,
                           .profile = profile,
                           .last = status_skip("there is no cell to profile")};
    return with_plan(options, notes, work_outside, &profiling);
}
