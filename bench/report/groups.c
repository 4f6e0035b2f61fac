/* Rows of a run in groups of one algorithm, input and answer; their words and tables. */

#include "document.h"
#include "paths.h"
#include "report.h"
#include "report_internal.h"
#include "run_record.h"
#include "stored_run.h"
#include "words.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "machine.h"
#include "registry.h"
#include "resources.h"
#include "status.h"
#include "variant.h"
#include "warnings.h"

/* === Reading ================================================================================== */

Status report_run_read(const char *run, StoredRun *stored) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    STATUS_TRY(stored_run_read(path, stored));
    if (stored->results.count > 0) {
        stored_run_derive(stored);
        return status_ok();
    }
    const size_t ignored = stored->ignored;
    stored_run_release(stored);
    return ignored > 0 ? status_skip("%.200s has no rows but %zu of algorithms, variants or axes "
                                     "that this version does not have",
                                     path, ignored)
                       : status_skip("%.200s has no rows: nothing was measured", path);
}

/* === Run warnings ============================================================================= */

void run_warnings(const StoredRun *stored, Warnings *warnings) {
    MachineUse use = {.threads = 0};
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        if (row->status == CELL_OK) {
            use.threads = row->threads > use.threads ? row->threads : use.threads;
            use.gpu |= !row_is_on_cpu(row);
        }
    }
    machine_warnings(&stored->machine, &use, warnings);
    results_warn_of_stops(&stored->results, warnings);
    if (stored->input_note[0] != '\0' && warnings->count < WARNINGS_MAX) {
        snprintf(warnings->text[warnings->count++], WARNING_SIZE, "input %s", stored->input_note);
    }
}

/* === Fact words =============================================================================== */

void fact_key_words(const char *key, char words[FACT_KEY_SIZE]) {
    snprintf(words, FACT_KEY_SIZE, "%s", key);
    for (char *letter = words; *letter != '\0'; letter++) {
        *letter = (char)(*letter == '_' ? ' ' : *letter);
    }
}

void fact_value_words(const Fact *fact, char *text, size_t size) {
    if (fact->kind == FACT_TEXT) {
        snprintf(text, size, "%s", fact->text);
    } else if (fact_is_of_bytes(fact)) {
        bytes_text((uint64_t)fact->number, text, size);
    } else {
        number_text(fact->number, text, size);
    }
}

/* === RunPage table =========================================================================== */

const char *range_words(Document *document, const LaunchRange *range) {
    char words[NUMBER_WORDS_SIZE];
    interval_words(range, words, sizeof words);
    return document_text(document, "%s", words);
}

void row_interval_text(const Row *row, char words[NUMBER_WORDS_SIZE]) {
    LaunchRange range = {.most = 0};
    launch_range_add_summary(&range, &row->kernel_summary);
    interval_words(&range, words, NUMBER_WORDS_SIZE);
}

static LaunchRange group_launches(const RunGroup *group) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->status == CELL_OK) {
            launch_range_add_summary(&range, &group->rows[i]->kernel_summary);
        }
    }
    return range;
}

const char *group_interval_words(Document *document, const RunGroup *group) {
    const LaunchRange range = group_launches(group);
    return range_words(document, &range);
}

LaunchRange best_launches(Document *document, const RunGroup *group) {
    LaunchRange range = {.most = 0};
    SizeBest *sizes;
    const size_t count = size_best_find(document, group, &sizes);
    for (size_t i = 0; i < count; i++) {
        best_launches_add(&range, &sizes[i]);
    }
    return range;
}

void best_launches_add(LaunchRange *range, const SizeBest *best) {
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            if (best->of[side][kind] != NULL) {
                launch_range_add_summary(range, &best->of[side][kind]->kernel_summary);
            }
        }
    }
}

LaunchRange run_launches(const RunPage *page) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        for (size_t j = 0; j < family->count; j++) {
            const LaunchRange of_group = group_launches(family->groups[j]);
            launch_range_join(&range, &of_group);
        }
    }
    return range;
}

const char *run_interval_words(const RunPage *page) {
    const LaunchRange range = run_launches(page);
    return range_words(page->document, &range);
}

const char *pair_range_words(Document *document, const LaunchRange of[2]) {
    const char *a = range_words(document, &of[0]);
    const char *b = range_words(document, &of[1]);
    return strcmp(a, b) == 0 ? a : document_text(document, "A: %s, B: %s", a, b);
}

const char *report_interval_words(const RunReport *report) {
    if (report->count == 1) {
        return run_interval_words(&report->of[0]);
    }
    const LaunchRange of[] = {run_launches(&report->of[0]), run_launches(&report->of[1])};
    return pair_range_words(report->document, of);
}

void missing_cell(Document *document, DocTable *table, const char *why) {
    table_cell(document, table, &(DocCell){.text = why, .number = NAN, .kind = CELL_MISSING});
}

void size_cell(Document *document, DocTable *table, const Row *row) {
    char text[REPORT_TEXT_SIZE], words[REPORT_TEXT_SIZE];
    size_short(row, text);
    size_words(row, words);
    table_cell(document, table, &(DocCell){.text = text, .number = row_size(row), .note = words});
}

void label_cell(Document *document, DocTable *table, const Row *row) {
    char label[RESULT_LABEL_SIZE];
    if (row == NULL) {
        missing_cell(document, table, "none");
        return;
    }
    variant_label(row->variant, &row->tuning, label, sizeof label);
    table_words(document, table, label);
}

/* Whether the row is of another variant and tied with the best of its size. */
static bool is_tied(const Row *row, const Row *best, RowSide side, TimeKind kind) {
    const RowChoice choice = {.kind = kind, .side = side, .size = best};
    const Rival winner = row_rival(best, kind), other = row_rival(row, kind);
    return row->variant != best->variant && row_is_chosen(row, &along_size, &choice) &&
           winner_is_tied(&winner, &other);
}

bool variant_is_tied(const RunGroup *group, const Variant *variant, const Row *best, RowSide side,
                     TimeKind kind) {
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->variant == variant && is_tied(group->rows[i], best, side, kind)) {
            return true;
        }
    }
    return false;
}

/* "simd, omp": the other variants that are tied with the fastest row; "" when there are none. Never
 * NULL. */
static const char *tied_variants(Document *document, const RunGroup *group, const Row *best,
                                 RowSide side, TimeKind kind) {
    enum { NAMES_SIZE = 512 };
    char names[NAMES_SIZE] = "";
    for (size_t i = 0; i < group->count; i++) {
        if (is_tied(group->rows[i], best, side, kind)) {
            name_list_add(names, sizeof names, group->rows[i]->variant->name);
        }
    }
    return document_text(document, "%s", names);
}

static void named_cell(Document *document, DocTable *table, const Row *row, const char *name) {
    char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->tuning, tuning, sizeof tuning);
    table_cell(document, table,
               &(DocCell){.text = name, .number = NAN, .note = tuning[0] != '\0' ? tuning : NULL});
}

void variant_cell(Document *document, DocTable *table, const Row *row) {
    named_cell(document, table, row, row->variant->name);
}

const char or_note[] =
    " \"Or\": within the interval of the fastest, so which of them is faster is undecided.";

bool fastest_cell(Document *document, DocTable *table, const RunGroup *group, const Row *row,
                  RowSide side, TimeKind kind) {
    if (row == NULL) {
        missing_cell(document, table, "none");
        return false;
    }
    const char *tied = tied_variants(document, group, row, side, kind);
    named_cell(document, table, row,
               tied[0] == '\0' ? row->variant->name
                               : document_text(document, "%s (or %s)", row->variant->name, tied));
    return tied[0] != '\0';
}

void time_cell(Document *document, DocTable *table, const Row *row, TimeKind kind,
               const TimeUnit *unit) {
    const double seconds = row != NULL ? row_seconds(row, kind) : (double)NAN;
    if (!isfinite(seconds)) {
        missing_cell(document, table, "none");
        return;
    }
    const Summary *summary = row_summary(row, kind);
    char number[SIGNIFICANT_SIZE], ends[REPORT_TEXT_SIZE];
    double low, high;
    significant_text(seconds / unit->seconds, REPORT_DIGITS, number);
    summary_range(summary, &low, &high);
    interval_text(low / unit->seconds, high / unit->seconds, ends);
    const char *note = NULL;
    if (ends[0] != '\0') {
        char words[NUMBER_WORDS_SIZE];
        row_interval_text(row, words);
        note = document_text(document, "%s: %s %s", words, ends, unit->name);
    }
    table_cell(document, table, &(DocCell){.text = number, .number = seconds, .note = note});
}

/* "cuda_fast/block:256 over omp/threads:16, 95% of 6 launches: 36.2 to 37.1" */
static const char *ratio_note(Document *document, const Row *row, SpeedupOver over,
                              const Ratio *ratio) {
    char label[RESULT_LABEL_SIZE], ends[REPORT_TEXT_SIZE];
    variant_label(row->variant, &row->tuning, label, sizeof label);
    interval_text(ratio->low, ratio->high, ends);
    const char *reference = over == OVER_SEQ ? row->base : row->best_cpu;
    char words[NUMBER_WORDS_SIZE];
    row_interval_text(row, words);
    return ends[0] == '\0'
               ? document_text(document, "%s over %s", label, reference)
               : document_text(document, "%s over %s, %s: %s", label, reference, words, ends);
}

static void faster_cell(Document *document, DocTable *table, const Row *row, SpeedupOver over,
                        TimeKind kind) {
    const Ratio ratio = row != NULL ? row_won_ratio(row, over, kind) : (Ratio){.value = NAN};
    char text[REPORT_TEXT_SIZE];
    if (!isfinite(ratio.value)) {
        missing_cell(document, table, over == OVER_SEQ ? "no seq" : "none");
        return;
    }
    Ratio shown = ratio; /* whose launches the intervals are of is said once, below the table */
    shown.within = 0;
    shown.in_run = false;
    const size_t first = faster_text(&shown, text);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .first = first,
                          .number = ratio.value,
                          .note = ratio_note(document, row, over, &ratio)});
}

void against_seq_cell(Document *document, DocTable *table, const Row *row) {
    if (row != NULL && row->variant == registry_variant(row->algorithm, 0)) {
        table_words(document, table, row->variant->name);
    } else {
        faster_cell(document, table, row, OVER_SEQ, TIME_KERNEL);
    }
}

void gpu_is_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    faster_cell(document, table, row, OVER_BEST_CPU, kind);
}
