/* The pairs of two runs: cells of both and how their times differ. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "results.h"
#include "stored_run.h"

#include <math.h>
#include <string.h>

#include "number.h"
#include "ratio.h"
#include "samples.h"
#include "status.h"
#include "two_runs.h"

/* === Pairs ==================================================================================== */

static bool same_size(const Row *a, const Row *b) {
    return a->width == b->width && a->height == b->height && a->images == b->images;
}

const Row *row_like(const RunGroup *group, const Row *row) {
    const Row *found = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *other = group->rows[i];
        if (!row_same_way(other, row) || !same_size(other, row)) {
            continue;
        }
        if (strcmp(other->size_name, row->size_name) == 0) {
            return other;
        }
        found = found != NULL ? found : other; /* the same size by another name */
    }
    return found;
}

const RunGroup *group_like(const RunGroups *groups, const RunGroup *group) {
    for (size_t i = 0; i < groups->count; i++) {
        if (row_same_answer(groups->groups[i].rows[0], group->rows[0])) {
            return &groups->groups[i];
        }
    }
    return NULL;
}

/* A hash of 0 is one that is not known. */
static bool inputs_differ(const RunGroup *a, const RunGroup *b) {
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            const uint64_t left = a->rows[i]->input_hash;
            const uint64_t right = b->rows[j]->input_hash;
            if (same_size(a->rows[i], b->rows[j]) && left != 0 && right != 0 && left != right) {
                return true;
            }
        }
    }
    return false;
}

static void fill_pair(RunPair *pair, Document *document) {
    const RunGroup *a = pair->of[0];
    const RunGroup *b = pair->of[1];
    pair->other_input = inputs_differ(a, b);
    pair->cells = document_allocate(document, a->count * sizeof *pair->cells);
    if (pair->cells == NULL) {
        return;
    }
    group_add_all(document, &pair->rows, a);
    group_add_all(document, &pair->rows, b);
    for (size_t i = 0; i < a->count && !pair->other_input; i++) {
        CellPair cell = {.of = {a->rows[i], row_like(b, a->rows[i])}};
        if (cell.of[1] != NULL) {
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
                cell.difference[kind] = rows_difference(cell.of[0], cell.of[1], kind, document);
            }
            pair->cells[pair->count++] = cell;
        }
    }
}

/* The cells that are judged by one kind of time. */
typedef struct Judged {
    TimeKind kind;
    RunDifference **differences;
    size_t count;
} Judged;

static void add_judged(const RunPair *pair, Judged *judged) {
    for (size_t i = 0; i < pair->count; i++) {
        CellPair *cell = &pair->cells[i];
        RunDifference *difference = &cell->difference[judged->kind];
        if (!isnan(difference->ratio.value) && !row_is_roof(cell->of[0])) {
            judged->differences[judged->count++] = difference;
        }
    }
}

static void judge_pairs(RunReport *report) {
    size_t cells = 0;
    for (size_t i = 0; i < report->pair_count; i++) {
        cells += report->pairs[i].count;
    }
    Judged judged = {.differences = document_allocate(report->document,
                                                      (cells + 1) * sizeof *judged.differences)};
    for (TimeKind kind = TIME_KERNEL; judged.differences != NULL && kind < TIME_KINDS; kind++) {
        judged.kind = kind;
        judged.count = 0;
        for (size_t i = 0; i < report->pair_count; i++) {
            add_judged(&report->pairs[i], &judged);
        }
        Status status = differences_decide(judged.differences, judged.count, &judge_criteria);
        STATUS_THEN(status,
                    differences_detectable(judged.differences, judged.count, &judge_criteria));
        report->document->failed = report->document->failed || !status_is_ok(&status);
    }
}

/* A hash of 0 is one that is not known. */
static bool is_side_by_side(const Row *a, const Row *b) {
    return row_is_timed(a) && row_is_timed(b) && !row_is_roof(a) && row_same_question(a, b) &&
           (a->input_hash == b->input_hash || a->input_hash == 0 || b->input_hash == 0);
}

bool report_has_pairs(const ReportRun *a, const ReportRun *b) {
    const Results *of[] = {&a->stored->results, &b->stored->results};
    for (size_t i = 0; i < of[0]->count; i++) {
        for (size_t j = 0; j < of[1]->count; j++) {
            if (is_side_by_side(&of[0]->rows[i], &of[1]->rows[j])) {
                return true;
            }
        }
    }
    return false;
}

void run_pairs_find(RunReport *report) {
    const RunGroups *groups = &report->of[0].groups;
    report->pairs =
        document_allocate(report->document, (groups->count + 1) * sizeof *report->pairs);
    for (size_t i = 0; report->pairs != NULL && i < groups->count; i++) {
        const RunGroup *a = &groups->groups[i];
        const RunGroup *b = group_like(&report->of[1].groups, a);
        if (b != NULL) {
            report->pairs[report->pair_count] = (RunPair){.of = {a, b}};
            fill_pair(&report->pairs[report->pair_count++], report->document);
        }
    }
    judge_pairs(report);
}

void pair_launches(const RunPair *pair, LaunchRange launches[2]) {
    for (size_t i = 0; i < pair->count; i++) {
        for (size_t run = 0; run < 2 && !isnan(pair->cells[i].difference[TIME_KERNEL].ratio.value);
             run++) {
            launch_range_add_summary(&launches[run], &pair->cells[i].of[run]->kernel_summary);
        }
    }
}

const char *ratio_interval_words(const RunPair *pair, Document *document) {
    LaunchRange launches[2] = {{.most = 0}, {.most = 0}};
    char words[2][NUMBER_WORDS_SIZE];
    pair_launches(pair, launches);
    interval_words(&launches[0], words[0], sizeof words[0]);
    interval_words(&launches[1], words[1], sizeof words[1]);
    if (launches[0].most <= 1 && launches[1].most <= 1) {
        return "one launch each";
    }
    return document_text(document, "A: %s, B: %s", words[0], words[1]);
}
