#include <math.h>

#include "available_memory.h"
#include "input_kinds.h"
#include "oracle.h"
#include "plan.h"
#include "visible.h"

enum { NAME_SIZE = 512 };

/* Of what estimates are learned from, by the kind of an algorithm's input. */
static const SizeSpec probe_sizes[] = {
    [WORKLOAD_IMAGE] = {.name = "512x512", .width = 512, .height = 512},
    [WORKLOAD_IMAGE_SET] = {.name = "64", .width = 28, .height = 28, .images = 64},
    [WORKLOAD_KEYPOINTS] = {.name = "512x512", .width = 512, .height = 512},
    [WORKLOAD_DESCRIPTORS] = {.name = "1024", .images = 1024},
};

static bool is_probed(const PlanCell *cell, WorkloadKind kind) {
    return status_is_ok(&cell->ready) && cell->algorithm->input == kind;
}

/* Learns how fast each algorithm's oracle is. What cannot be learned has no estimate. */
static void probe_kind(const RunOptions *options, const Plan *plan, WorkloadKind kind,
                       History *history) {
    const Input input = input_default(kind);
    Workload workload;
    const Status status = workload_load(&input, &probe_sizes[kind], options->seed, &workload);
    if (!status_is_ok(&status)) {
        return;
    }
    for (size_t i = 0; i < plan->cell_count; i++) {
        const PlanCell *cell = &plan->cells[i];
        if (is_probed(cell, kind)) {
            oracle_probe(history, cell->algorithm, &workload, &cell->answer);
        }
    }
    workload_release(&workload);
}

static void probe_all(const RunOptions *options, const Plan *plan, History *history) {
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        bool used = false;
        for (size_t i = 0; i < plan->cell_count; i++) {
            used = used || is_probed(&plan->cells[i], (WorkloadKind)kind);
        }
        if (used) {
            probe_kind(options, plan, (WorkloadKind)kind, history);
        }
    }
}

static bool is_seq(const PlanCell *cell) {
    return cell->variant == &cell->algorithm->cpu.rows[0];
}

static void format_estimate(const RunOptions *options, const PlanCell *cell, double seq_seconds,
                            char *text, size_t size) {
    if (is_seq(cell) && isfinite(seq_seconds)) {
        snprintf(text, size, "about %.3g s a run", seq_seconds);
    } else if (options->reps > 0) {
        snprintf(text, size, "%d samples", options->reps);
    } else {
        snprintf(text, size, "up to %g s", options->max_time);
    }
}

static void format_note(const RunOptions *options, const PlanCell *cell, double seq_seconds,
                        char *text, size_t size) {
    text[0] = '\0';
    const uint64_t available = available_memory();
    if (!status_is_ok(&cell->ready)) {
        snprintf(text, size, "skipped: %s", cell->ready.why);
    } else if (cell->host_bytes > available) {
        char needed[32];
        char free_now[32];
        format_bytes(cell->host_bytes, needed, sizeof needed);
        format_bytes(available, free_now, sizeof free_now);
        snprintf(text, size, "skipped: needs %s, %s free", needed, free_now);
    } else if (is_seq(cell) && seq_seconds > options->max_cell) {
        snprintf(text, size, "skipped: one run takes longer than --max-cell %g s",
                 options->max_cell);
    } else if (cell->roof) {
        snprintf(text, size, "roof");
    }
}

void plan_print(FILE *stream, const RunOptions *options, const Plan *plan) {
    History history = {.verified_count = 0};
    probe_all(options, plan, &history);
    fprintf(stream, "%-52s %-22s %-10s %s\n", "cell", "time", "memory", "note");
    for (size_t i = 0; i < plan->cell_count; i++) {
        const PlanCell *cell = &plan->cells[i];
        const Row row = plan_row(plan, cell, options->cold);
        const double seq_seconds =
            history_estimate(&history, cell->algorithm, cost_work(&cell->cost));
        char name[NAME_SIZE];
        char estimate[64];
        char memory[32];
        char note[2 * STATUS_WHY_SIZE];
        row_name(&row, name, sizeof name);
        format_estimate(options, cell, seq_seconds, estimate, sizeof estimate);
        format_bytes(cell->host_bytes, memory, sizeof memory);
        format_note(options, cell, seq_seconds, note, sizeof note);
        visible_line(stream, "%-52s %-22s %-10s %s", name, estimate, memory, note);
    }
    fprintf(stream, "%zu cells\n", plan->cell_count);
}
