/* The size of a row's input, its times and its ratios by the kind of time. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "algorithm.h"
#include "results_internal.h"
#include "run_options.h"
#include "scaling.h"
#include "stored_run.h"
#include "text.h"
#include "workload.h"

/* === Sizes ==================================================================================== */

bool row_is_roof(const Row *row) {
    return row->algorithm->roof;
}

bool roof_rows_are_wanted(const ArgumentList *list, const Results *results) {
    bool others = false;
    for (size_t i = 0; i < results->count; i++) {
        others |= !row_is_roof(&results->rows[i]);
    }
    RunOptions request;
    request_recall(list, &request);
    bool wanted = !others;
    for (size_t i = 0; i < request.algorithm_count; i++) {
        wanted |= request.algorithms[i]->roof;
    }
    return wanted;
}

bool row_is_wanted(const StoredRun *stored, const Row *row) {
    return !row_is_roof(row) || roof_rows_are_wanted(&stored->arguments, &stored->results);
}

bool row_is_image(const Row *row) {
    const WorkloadKind kind = row->algorithm->input;
    return kind != WORKLOAD_DESCRIPTORS && kind != WORKLOAD_IMAGE_SET && row->images == 0;
}

/* The two sets of descriptors have as many rows and lie one below the other. A copy has the input
 * of the algorithm that it is the roof of, so that a set may be its input. */
double row_size(const Row *row) {
    if (row->algorithm->input == WORKLOAD_DESCRIPTORS) {
        return row->height / 2.0;
    }
    return row_is_image(row) ? (double)row->width * row->height : row->images;
}

SizeUnit row_size_unit(const Row *row) {
    if (row->algorithm->input == WORKLOAD_DESCRIPTORS) {
        return SIZE_ROWS;
    }
    return row_is_image(row) ? SIZE_PIXELS : SIZE_IMAGES;
}

const char *size_unit_words(SizeUnit unit) {
    static const char *const words[] = {"pixels", "images", "rows"};
    return words[unit];
}

/* Whether the name is nothing but the sides: "480x360", "512". */
static bool is_named_by_sides(const Row *row) {
    char sides[32];
    snprintf(sides, sizeof sides, "%dx%d", row->width, row->height);
    const bool square = row->width == row->height;
    return strcmp(row->size_name, sides) == 0 ||
           (square && strspn(row->size_name, "0123456789") == strlen(row->size_name));
}

void size_short(const Row *row, char text[NUMBER_WORDS_SIZE]) {
    if (!row_is_image(row)) {
        snprintf(text, NUMBER_WORDS_SIZE, "%.0f", row_size(row));
    } else if (is_named_by_sides(row)) {
        snprintf(text, NUMBER_WORDS_SIZE, "%d×%d", row->width, row->height);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "%s", row->size_name);
    }
}

void size_words(const Row *row, char text[NUMBER_WORDS_SIZE]) {
    if (!row_is_image(row)) {
        snprintf(text, NUMBER_WORDS_SIZE, "%.0f %s", row_size(row),
                 size_unit_words(row_size_unit(row)));
    } else if (is_named_by_sides(row)) {
        size_short(row, text);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "%s (%d×%d)", row->size_name, row->width, row->height);
    }
}

/* === Times ==================================================================================== */

const Summary *row_summary(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel_summary : &row->end_to_end_summary;
}

const Samples *row_samples(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel : &row->end_to_end;
}

double row_seconds(const Row *row, TimeKind kind) {
    const double seconds = row_summary(row, kind)->median;
    return row->status == CELL_OK && seconds > 0.0 ? seconds : (double)NAN;
}

bool row_is_timed(const Row *row) {
    return isfinite(row_seconds(row, TIME_KERNEL));
}

Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind) {
    if (over == OVER_SEQ) {
        return kind == TIME_KERNEL ? ROW_RATIO(row, speedup) : ROW_RATIO(row, speedup_end_to_end);
    }
    if (over == OVER_PEER) {
        return kind == TIME_KERNEL ? ROW_RATIO(row, speedup_vs_best_peer)
                                   : ROW_RATIO(row, speedup_end_to_end_vs_best_peer);
    }
    return kind == TIME_KERNEL ? ROW_RATIO(row, speedup_vs_best_cpu)
                               : ROW_RATIO(row, speedup_end_to_end_vs_best_cpu);
}

/* === Where and when =========================================================================== */

static void add_part(char *text, const char *part) {
    if (part[0] != '\0') {
        text_append(text, MEASURED_TEXT_SIZE, "%s%s", text[0] != '\0' ? "; " : "", part);
    }
}

const char *results_gpus(const Results *results, const char *model) {
    const Row *most = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (row->status == CELL_OK && row_gpus(row) > 1 && row->device[0] != '\0' &&
            (most == NULL || row_gpus(row) > row_gpus(most))) {
            most = row;
        }
    }
    return most != NULL ? most->device : model;
}

const char *stored_run_gpus(const StoredRun *stored) {
    return results_gpus(&stored->results, machine_gpu(&stored->machine));
}

void results_measured(Results *results, const char *gpu, const char *cpu, int threads,
                      const char *started) {
    char processor[MEASURED_TEXT_SIZE] = "", day[11] = "";
    if (cpu[0] != '\0') {
        snprintf(processor, sizeof processor, "%.100s", cpu);
        if (threads > 0) {
            text_append(processor, sizeof processor, ", %d thread%s", threads,
                        threads == 1 ? "" : "s");
        }
    }
    snprintf(day, sizeof day, "%.10s", started);
    results->measured[0] = '\0';
    add_part(results->measured, results_gpus(results, gpu));
    add_part(results->measured, processor);
    add_part(results->measured, day);
}
