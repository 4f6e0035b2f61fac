/* What a reader of a page sees first: where and when, the charts that tell the finding, and its
 * numbers in five columns. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"
#include "two_runs.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "machine.h"
#include "registry.h"
#include "status.h"
#include "variant.h"
#include "verdict.h"

enum { WORDS_SIZE = 512 };

/* === Chips ==================================================================================== */

static void machine_chips(const RunPage *page) {
    const StoredRun *stored = page->run->stored;
    Document *document = page->document;
    const char *gpu = stored_run_gpus(stored);
    const double processors = machine_processors(&stored->machine);
    char cpu[NUMBER_WORDS_SIZE];
    machine_short_name(machine_cpu(&stored->machine), cpu);
    document_add(document, BLOCK_CHIP, "%s", gpu[0] != '\0' ? gpu : "no GPU");
    if (processors > 0) {
        document_add(document, BLOCK_CHIP, "%s, %.0f processors", cpu[0] != '\0' ? cpu : "CPU",
                     processors);
    } else {
        document_add(document, BLOCK_CHIP, "%s", cpu[0] != '\0' ? cpu : "a CPU not known");
    }
}

/* What ratios are over: "over the best CPU variant, omp". */
static void baseline_chip(const RunPage *page, const RunGroup *group) {
    char names[WORDS_SIZE] = "";
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (!row_is_on_cpu(row) && row->best_cpu_variant != NULL) {
            name_list_add(names, sizeof names, row->best_cpu_variant->name);
        }
    }
    if (names[0] != '\0') {
        document_add(page->document, BLOCK_CHIP, "over the best CPU variant, %s", names);
    } else {
        document_add(page->document, BLOCK_CHIP, "over %s",
                     group->rows[0]->base[0] != '\0' ? group->rows[0]->base : "seq");
    }
}

/* "6 launches", "112 of 112 answers verified" */
static void trust_chips(const RunPage *page) {
    const LaunchRange launches = run_launches(page);
    size_t cells = 0, verified = 0;
    for (size_t i = 0; i < page->results->count; i++) {
        const Row *row = &page->results->rows[i];
        cells += row->status != CELL_SKIP;
        verified += row->status == CELL_OK && row->verified;
    }
    if (launches.most > 0) {
        document_add(page->document, BLOCK_CHIP, "%zu launch%s", launches.most,
                     launches.most == 1 ? "" : "es");
    }
    document_add(page->document, BLOCK_CHIP, "%zu of %zu answers verified", verified, cells);
}

/* === Table ==================================================================================== */

/* A row: a size, or an answer point at its largest size. */
typedef struct FirstRow {
    SizeBest best;
    const RunGroup *group;
} FirstRow;

typedef struct FirstRows {
    FirstRow *list;
    size_t count, capacity;
    TimeUnit unit;
    bool devices;
} FirstRows;

static void add_first_rows(Document *document, const RunGroup *group, bool largest,
                           FirstRows *rows) {
    SizeBest *sizes;
    const size_t count = size_best_find(document, group, &sizes);
    for (size_t i = largest && count > 0 ? count - 1 : 0; i < count; i++) {
        if (DOCUMENT_ROOM(document, rows->list, rows->count, rows->capacity)) {
            rows->list[rows->count++] = (FirstRow){.best = sizes[i], .group = group};
            rows->devices |= sizes[i].of[SIDE_DEVICE][TIME_KERNEL] != NULL;
        }
    }
}

/* One unit for both sides, as they are compared. */
static void choose_unit(FirstRows *rows) {
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < rows->count; i++) {
        for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
            const Row *row = rows->list[i].best.of[side][TIME_KERNEL];
            time_range_add(&range, row != NULL ? row_seconds(row, TIME_KERNEL) : (double)NAN);
        }
    }
    rows->unit = time_unit(&range);
}

/* The names that rows of a side have: "omp, simd". */
static void side_names(const FirstRows *rows, RowSide side, TimeKind kind, char names[WORDS_SIZE]) {
    names[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->list[i].best.of[side][kind];
        if (row != NULL) {
            name_list_add(names, WORDS_SIZE, row->variant->name);
        }
    }
}

static const char *first_note(const RunPage *page, const FirstRows *rows) {
    char cpu[WORDS_SIZE], kernel[WORDS_SIZE], whole[WORDS_SIZE];
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < rows->count; i++) {
        best_launches_add(&range, &rows->list[i].best);
    }
    side_names(rows, SIDE_CPU, TIME_KERNEL, cpu);
    side_names(rows, SIDE_DEVICE, TIME_KERNEL, kernel);
    side_names(rows, SIDE_DEVICE, TIME_END_TO_END, whole);
    if (!rows->devices) {
        return document_text(page->document,
                             "Medians of the fastest CPU variant (%s). In parentheses: %s.", cpu,
                             range_words(page->document, &range));
    }
    return document_text(
        page->document,
        "Medians of the fastest CPU variant (%s) and the fastest GPU variant (kernel only: %s; "
        "with "
        "copies: %s). With copies is end to end: upload, kernel and download. In parentheses: %s.",
        cpu, kernel, whole, range_words(page->document, &range));
}

static void first_columns(const RunPage *page, DocTable *table, const FirstRows *rows,
                          const char *place) {
    Document *document = page->document;
    TABLE_COLUMNS(document, table, WORDS(place),
                  NUMBERS(document_text(document, rows->devices ? "CPU %s" : "best CPU %s",
                                        rows->unit.name)));
    if (rows->devices) {
        TABLE_COLUMNS(document, table, NUMBERS(document_text(document, "GPU %s", rows->unit.name)),
                      NUMBERS("kernel only"), NUMBERS("with copies"));
    } else {
        const Variant *base = registry_variant(rows->list[0].group->rows[0]->algorithm, 0);
        TABLE_COLUMNS(
            document, table,
            NUMBERS(document_text(document, "against %s", base != NULL ? base->name : "seq")));
    }
}

static void first_cells(const RunPage *page, const Family *family, DocTable *table,
                        const FirstRows *rows, const FirstRow *row) {
    Document *document = page->document;
    const Row *cpu = row->best.of[SIDE_CPU][TIME_KERNEL];
    const Row *fastest = row->best.of[SIDE_BOTH][TIME_KERNEL];
    if (page->count > 1) {
        table_words(document, table, family_name(document, family));
    } else if (family->count > 1) {
        table_words(document, table, answer_words(document, family, &fastest->answer, true));
    } else {
        size_cell(document, table, fastest);
    }
    time_cell(document, table, cpu, TIME_KERNEL, &rows->unit);
    if (rows->devices) {
        time_cell(document, table, row->best.of[SIDE_DEVICE][TIME_KERNEL], TIME_KERNEL,
                  &rows->unit);
        gpu_is_cell(document, table, row->best.of[SIDE_DEVICE][TIME_KERNEL], TIME_KERNEL);
        gpu_is_cell(document, table, row->best.of[SIDE_DEVICE][TIME_END_TO_END], TIME_END_TO_END);
    } else {
        against_seq_cell(document, table, cpu);
    }
}

static const Family *family_of(const RunPage *page, const RunGroup *group) {
    for (size_t i = 0; i < page->count; i++) {
        for (size_t j = 0; j < page->families[i].count; j++) {
            if (page->families[i].groups[j] == group) {
                return &page->families[i];
            }
        }
    }
    return &page->families[0];
}

/* Of one algorithm, input and answer the rows are its sizes. */
static bool is_of_sizes(const RunPage *page) {
    return page->count == 1 && page->families[0].count == 1;
}

/* "Each size", or what the rows are and their size: "Each answer at 4K". */
static const char *first_caption(const RunPage *page, const FirstRows *rows, const char *each) {
    char size[REPORT_TEXT_SIZE];
    const Row *row = rows->list[0].best.of[SIDE_BOTH][TIME_KERNEL];
    bool same = true;
    for (size_t i = 0; i < rows->count; i++) {
        same &= row_size(rows->list[i].best.of[SIDE_BOTH][TIME_KERNEL]) == row_size(row);
    }
    size_words(row, size);
    return is_of_sizes(page)
               ? rows->devices ? "The fastest of each side at each size"
                               : "The fastest CPU variant at each size"
               : document_text(page->document, "The fastest of each side for each %s, at %s", each,
                               same ? size : "its largest size");
}

/* Of one algorithm, input and answer all sizes, else each of them at its largest size. */
static void first_table(const RunPage *page) {
    enum { OPEN_ROWS_MAX = 8 };
    Document *document = page->document;
    FirstRows rows = {.count = 0};
    const char *each = page->count > 1               ? "algorithm and input"
                       : page->families[0].count > 1 ? "answer"
                                                     : "size";
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        const size_t shown = page->count > 1 ? 1 : family->count;
        for (size_t j = 0; j < shown; j++) {
            add_first_rows(document, family->groups[j], !is_of_sizes(page), &rows);
        }
    }
    if (rows.count == 0) {
        return;
    }
    choose_unit(&rows);
    DocTable *table = document_table(document, "summary", first_caption(page, &rows, each));
    first_columns(page, table, &rows, each);
    for (size_t i = 0; i < rows.count; i++) {
        first_cells(page, family_of(page, rows.list[i].group), table, &rows, &rows.list[i]);
    }
    table->collapsed = table->row_count > OPEN_ROWS_MAX;
    table->note = first_note(page, &rows);
}

/* === One run ================================================================================ */

/* The group that the finding is about. */
static const RunGroup *group_of_finding(const RunPage *page, const RunVerdict *verdict) {
    const Family *family = &page->families[0];
    for (size_t i = 0; verdict->head != NULL && i < family->count; i++) {
        if (point_equal(&family->groups[i]->rows[0]->answer, &verdict->head->answer)) {
            return family->groups[i];
        }
    }
    return family->groups[0];
}

static Status find_verdict(const RunPage *page, RunVerdict *verdict) {
    return verdict_of(page->results, page->families[0].groups[0]->rows[0], verdict);
}

void first_screen(const RunPage *page) {
    RunVerdict verdict;
    if (page->count == 0) {
        return;
    }
    const Status status = find_verdict(page, &verdict);
    if (!status_is_ok(&status)) {
        document_add(page->document, BLOCK_PARAGRAPH, "%s", status.why);
    }
    const RunGroup *group = group_of_finding(page, &verdict);
    machine_chips(page);
    baseline_chip(page, group);
    document_add(page->document, BLOCK_CHIP, "%.10s", page->run->stored->started);
    trust_chips(page);
    page_first_charts(page, &page->families[0], group);
    first_table(page);
}

/* === Two runs ================================================================================= */

/* The fastest of both runs at a size that both have. */
typedef struct SizePair {
    const Row *of[2][TIME_KINDS];
    RunDifference difference[TIME_KINDS]; /* of the second run, decided */
} SizePair;

typedef struct SizePairs {
    const RunPair *pair;
    RowSide side; /* of what is compared: GPUs where both runs have one */
    SizePair *list;
    size_t count, capacity;
    TimeUnit unit;
} SizePairs;

/* The first pair whose times are compared; NULL: none. */
static const RunPair *first_pair(const RunReport *report) {
    for (size_t i = 0; i < report->pair_count; i++) {
        const RunPair *pair = &report->pairs[i];
        if (!pair->other_input && !row_is_roof(pair->of[0]->rows[0])) {
            return pair;
        }
    }
    return NULL;
}

static bool has_devices(const RunGroup *group) {
    const Variant *variants[VARIANTS_MAX];
    return device_variants(group, variants) > 0;
}

/* The cell of both runs that these rows are; NULL: they are not the same cell. */
static const CellPair *pair_cell(const RunPair *pair, const Row *const rows[2]) {
    for (size_t i = 0; i < pair->count; i++) {
        if (pair->cells[i].of[0] == rows[0] && pair->cells[i].of[1] == rows[1]) {
            return &pair->cells[i];
        }
    }
    return NULL;
}

/* Decides the sizes together, as one comparison for each kind of time. Where both are one cell the
 * difference is that of the cell, which has one side wherever it is shown. */
static void decide_size_pairs(const RunReport *report, SizePairs *pairs) {
    Document *document = report->document;
    RunDifference **known = document_allocate(document, (pairs->count + 1) * sizeof *known);
    for (TimeKind kind = TIME_KERNEL; known != NULL && kind < TIME_KINDS; kind++) {
        size_t count = 0;
        for (size_t i = 0; i < pairs->count; i++) {
            SizePair *pair = &pairs->list[i];
            RunDifference *difference = &pair->difference[kind];
            difference->ratio.value = NAN;
            if (pair->of[0][kind] != NULL && pair->of[1][kind] != NULL) {
                *difference = rows_difference(pair->of[0][kind], pair->of[1][kind], kind, document);
            }
            if (!isnan(difference->ratio.value)) {
                known[count++] = difference;
            }
        }
        const Status status = differences_decide(known, count, &judge_criteria);
        document->failed = document->failed || !status_is_ok(&status);
        for (size_t i = 0; i < pairs->count; i++) {
            SizePair *size = &pairs->list[i];
            const Row *const rows[2] = {size->of[0][kind], size->of[1][kind]};
            const CellPair *cell = pair_cell(pairs->pair, rows);
            size->difference[kind] = cell != NULL ? cell->difference[kind] : size->difference[kind];
        }
    }
}

static void find_size_pairs(const RunReport *report, const RunPair *pair, SizePairs *pairs) {
    SizeBest *sizes[2];
    size_t counts[2];
    TimeRange range = {.count = 0};
    *pairs = (SizePairs){.pair = pair,
                         .side = has_devices(pair->of[0]) && has_devices(pair->of[1]) ? SIDE_DEVICE
                                                                                      : SIDE_CPU};
    for (size_t run = 0; run < 2; run++) {
        counts[run] = size_best_find(report->document, pair->of[run], &sizes[run]);
    }
    for (size_t i = 0; i < counts[0]; i++) {
        for (size_t j = 0; j < counts[1]; j++) {
            const Row *const *a = sizes[0][i].of[pairs->side];
            const Row *const *b = sizes[1][j].of[pairs->side];
            if (a[TIME_KERNEL] == NULL || b[TIME_KERNEL] == NULL ||
                row_size(a[TIME_KERNEL]) != row_size(b[TIME_KERNEL]) ||
                !DOCUMENT_ROOM(report->document, pairs->list, pairs->count, pairs->capacity)) {
                continue;
            }
            SizePair *found = &pairs->list[pairs->count++];
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
                found->of[0][kind] = a[kind];
                found->of[1][kind] = b[kind];
            }
            time_range_add(&range, row_seconds(a[TIME_KERNEL], TIME_KERNEL));
            time_range_add(&range, row_seconds(b[TIME_KERNEL], TIME_KERNEL));
        }
    }
    pairs->unit = time_unit(&range);
    decide_size_pairs(report, pairs);
}

static void pair_first_table(const RunReport *report, const SizePairs *pairs,
                             const char *const names[2]) {
    enum { OPEN_ROWS_MAX = 10 };
    Document *document = report->document;
    DocTable *table =
        document_table(document, "diff-first",
                       document_text(document, "%s: the fastest %s, %s compared with %s",
                                     pairs->pair->of[0]->title,
                                     pairs->side == SIDE_DEVICE ? "GPU variants" : "CPU variants",
                                     names[1], names[0]));
    TABLE_COLUMNS(document, table, WORDS("size"));
    for (size_t run = 0; run < 2; run++) {
        TABLE_COLUMNS(document, table,
                      NUMBERS(document_text(document, "%s %s", names[run], pairs->unit.name)));
    }
    TABLE_COLUMNS(document, table, NUMBERS("kernel only"));
    if (pairs->side == SIDE_DEVICE) {
        TABLE_COLUMNS(document, table, NUMBERS("with copies"));
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const SizePair *pair = &pairs->list[i];
        size_cell(document, table, pair->of[0][TIME_KERNEL]);
        for (size_t run = 0; run < 2; run++) {
            time_cell(document, table, pair->of[run][TIME_KERNEL], TIME_KERNEL, &pairs->unit);
        }
        for (TimeKind kind = TIME_KERNEL;
             kind <= (pairs->side == SIDE_DEVICE ? TIME_END_TO_END : TIME_KERNEL); kind++) {
            const RunDifference *difference = &pair->difference[kind];
            char text[NUMBER_WORDS_SIZE];
            difference_words(difference, text);
            table_value(document, table, isnan(difference->ratio.value) ? "no time" : text,
                        1 / difference->ratio.value);
        }
    }
    table->collapsed = table->row_count > OPEN_ROWS_MAX;
    table->note = document_text(
        document,
        "Each size by itself, best against best. Where both are the same variant the side is "
        "that of the cell below; the other sizes are decided as one comparison. In "
        "parentheses: the interval of the ratio by the exact Mann-Whitney test on the "
        "launches, where both sides have %d or more.",
        MEDIAN_INTERVAL_MIN);
}

/* "lbp at 16K: H200 is 1.17× faster than H100 (kernel only); with copies 1.02× slower" */
static const char *pair_finding(const RunReport *report, const SizePairs *pairs,
                                const char *const names[2]) {
    const SizePair *largest = &pairs->list[pairs->count - 1];
    const RunDifference *kernel = &largest->difference[TIME_KERNEL];
    const RunDifference *whole = &largest->difference[TIME_END_TO_END];
    const Row *row = largest->of[0][TIME_KERNEL];
    char size[REPORT_TEXT_SIZE], words[NUMBER_WORDS_SIZE], more[NUMBER_WORDS_SIZE];
    size_short(row, size);
    difference_brief(kernel, words);
    difference_brief(whole, more);
    const bool devices = pairs->side == SIDE_DEVICE;
    return document_text(report->document, "%s at %s: %s is %s %s %s%s%s%s", row->algorithm->name,
                         size, names[1], words, side_joint(kernel->side), names[0],
                         devices ? " (kernel only)" : "", devices ? "; with copies " : "",
                         devices ? more : "");
}

/* The names of both runs by their machines. */
static void pair_names(const RunReport *report, const char *names[2]) {
    const ReportRun runs[] = {*report->of[0].run, *report->of[1].run};
    run_names_short(runs, 2, report->document, names);
}

void first_screen_of_two(const RunReport *report) {
    Document *document = report->document;
    const RunPair *pair = first_pair(report);
    const char *names[2];
    SizePairs pairs = {.count = 0};
    pair_names(report, names);
    for (size_t run = 0; run < 2; run++) {
        const RunPage *page = &report->of[run];
        const StoredRun *stored = page->run->stored;
        char cpu[NUMBER_WORDS_SIZE];
        machine_short_name(machine_cpu(&stored->machine), cpu);
        document_add(document, BLOCK_CHIP, "%s: %s, %s, %.10s, run %s", run_letters[run],
                     names[run], cpu, stored->started, page->run->name);
    }
    if (pair == NULL) {
        return;
    }
    find_size_pairs(report, pair, &pairs);
    pair_first_charts(report, pair, names);
    if (pairs.count > 0) {
        pair_first_table(report, &pairs, names);
    }
}

/* === Title ==================================================================================== */

const char *report_finding(const ReportRun *runs, size_t count, Document *document) {
    RunReport report = run_report_make(runs, count, document);
    if (count == 2) {
        const char *names[2];
        SizePairs pairs = {.count = 0};
        pair_names(&report, names);
        run_pairs_find(&report);
        const RunPair *pair = first_pair(&report);
        if (pair != NULL) {
            find_size_pairs(&report, pair, &pairs);
        }
        return pairs.count > 0
                   ? pair_finding(&report, &pairs, names)
                   : document_text(document, "%s and %s side by side", names[0], names[1]);
    }
    RunVerdict verdict = {.count = 0};
    if (report.of[0].count == 0) {
        return "";
    }
    const Status status = find_verdict(&report.of[0], &verdict);
    return status_is_ok(&status)
               ? document_text(document, "%s%s%s", verdict.finding,
                               verdict.failed[0] != '\0' ? ", " : "", verdict.failed)
               : "";
}
