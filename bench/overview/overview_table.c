#include "overview_table.h"

#include <math.h>
#include <string.h>

#include "significant.h"

const Summary *row_summary(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel_summary : &row->end_to_end_summary;
}

Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind) {
    if (over == OVER_SEQ) {
        return kind == TIME_KERNEL
                   ? (Ratio){row->speedup, row->speedup_ci_low, row->speedup_ci_high}
                   : (Ratio){row->speedup_end_to_end, row->speedup_end_to_end_ci_low,
                             row->speedup_end_to_end_ci_high};
    }
    return kind == TIME_KERNEL ? (Ratio){row->speedup_vs_best_cpu, row->speedup_vs_best_cpu_ci_low,
                                         row->speedup_vs_best_cpu_ci_high}
                               : (Ratio){row->speedup_end_to_end_vs_best_cpu,
                                         row->speedup_end_to_end_vs_best_cpu_ci_low,
                                         row->speedup_end_to_end_vs_best_cpu_ci_high};
}

void missing_cell(Document *document, DocTable *table, const char *why) {
    table_cell(document, table, &(DocCell){.text = why, .number = NAN, .kind = CELL_MISSING});
}

void crossover_cell(Document *document, DocTable *table, const char *phrase) {
    const bool known = phrase[0] != '\0';
    const bool never = strncmp(phrase, "never", 5) == 0;
    table_cell(document, table,
               &(DocCell){.text = known ? phrase : "no time",
                          .number = NAN,
                          .kind = !known  ? CELL_MISSING
                                  : never ? CELL_BAD
                                          : CELL_PLAIN});
}

void size_cell(Document *document, DocTable *table, const Row *row) {
    char text[OVERVIEW_TEXT_SIZE];
    char words[OVERVIEW_TEXT_SIZE];
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

void variant_cell(Document *document, DocTable *table, const Row *row) {
    char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    if (row == NULL) {
        missing_cell(document, table, "none");
        return;
    }
    point_format(&row->tuning, tuning, sizeof tuning);
    table_cell(document, table,
               &(DocCell){.text = row->variant->name,
                          .number = NAN,
                          .note = tuning[0] != '\0' ? tuning : NULL});
}

void time_cell(Document *document, DocTable *table, const Row *row, TimeKind kind,
               const TimeUnit *unit) {
    const double seconds = row != NULL ? row_seconds(row, kind) : (double)NAN;
    if (!isfinite(seconds)) {
        missing_cell(document, table, "none");
        return;
    }
    const Summary *summary = row_summary(row, kind);
    char number[SIGNIFICANT_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    significant_text(seconds / unit->seconds, OVERVIEW_DIGITS, number);
    interval_text(summary->ci_low / unit->seconds, summary->ci_high / unit->seconds, ends);
    const char *note = NULL;
    if (ends[0] != '\0') {
        note = document_text(document, "95%% interval of the median: %s %s", ends, unit->name);
    }
    table_cell(document, table, &(DocCell){.text = number, .number = seconds, .note = note});
}

/* "cuda_fast/block:256 over omp/threads:16, 95% interval 36.2 to 37.1" */
static const char *ratio_note(Document *document, const Row *row, SpeedupOver over,
                              const Ratio *ratio) {
    char label[RESULT_LABEL_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    variant_label(row->variant, &row->tuning, label, sizeof label);
    interval_text(ratio->low, ratio->high, ends);
    return document_text(document, "%s over %s%s%s", label,
                         over == OVER_SEQ ? row->base : row->best_cpu,
                         ends[0] != '\0' ? ", 95% interval " : "", ends);
}

void ratio_cell(Document *document, DocTable *table, const Row *row, SpeedupOver over,
                TimeKind kind, bool interval) {
    const Ratio ratio = row != NULL ? row_ratio(row, over, kind) : (Ratio){NAN, NAN, NAN};
    if (!isfinite(ratio.value)) {
        missing_cell(document, table, over == OVER_SEQ ? "no seq" : "none");
        return;
    }
    char text[OVERVIEW_TEXT_SIZE];
    ratio_text(ratio.value, interval ? ratio.low : (double)NAN, ratio.high, text);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = ratio.value,
                          .note = ratio_note(document, row, over, &ratio),
                          .kind = ratio.value < 1.0 ? CELL_BAD : CELL_PLAIN});
}
