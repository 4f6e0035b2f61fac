/* The sections of a report about one run or two. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "registry.h"
#include "run_options.h"
#include "status.h"
#include "text.h"
#include "variant.h"
#include "verdict.h"

/* === Words ==================================================================================== */

/* The column "run" and its cells, where there are two. */
static void run_column(const RunReport *report, DocTable *table) {
    if (report->count > 1) {
        TABLE_COLUMNS(report->document, table, WORDS("run"));
    }
}

static void run_cell(const RunReport *report, DocTable *table, size_t run) {
    if (report->count > 1) {
        table_words(report->document, table, run_letters[run]);
    }
}

/* Warns of rows that this version of the program does not know. */
static void run_warn_ignored(const RunReport *report, size_t run) {
    enum { SENTENCE_SIZE = 160 };
    const size_t ignored = report->of[run].run->stored->ignored;
    char text[SENTENCE_SIZE];
    if (ignored > 0) {
        snprintf(text, sizeof text,
                 "%zu row%s of algorithms, variants or axes that this version of the program does "
                 "not have %s left out",
                 ignored, ignored == 1 ? "" : "s", ignored == 1 ? "is" : "are");
        run_warn(report, run, text);
    }
}

/* === Verdict ================================================================================== */

enum { WORDS_SIZE = 1024 };

/* "Measured 2026-11-22 on NVIDIA H200 (driver 580.159.04) and AMD EPYC 9654 (16 threads)." */
static const char *measured_on(const RunPage *page) {
    const StoredRun *stored = page->run->stored;
    const char *gpu = stored_run_gpus(stored);
    const char *driver = machine_text(&stored->machine, fact_gpu_driver);
    const char *cpu = machine_cpu(&stored->machine);
    const double threads = machine_processors(&stored->machine);
    char text[WORDS_SIZE] = "";
    text_append(text, sizeof text, "Measured %.10s", stored->started);
    if (gpu[0] != '\0') {
        text_append(text, sizeof text, " on %s%s%s%s and", gpu,
                    driver[0] != '\0' ? " (driver " : "", driver, driver[0] != '\0' ? ")" : "");
    } else {
        text_append(text, sizeof text, " without a GPU on");
    }
    text_append(text, sizeof text, " %s", cpu[0] != '\0' ? cpu : "a CPU not known");
    if (threads > 0) {
        text_append(text, sizeof text, " (%.0f threads)", threads);
    }
    text_append(text, sizeof text, ".");
    return document_text(page->document, "%s", text);
}

/* The answer before everything else. */
static void family_verdict(const RunPage *page, const Family *family) {
    Document *document = page->document;
    RunVerdict verdict;
    const Status status = verdict_of(page->results, family->groups[0]->rows[0], &verdict);
    if (!status_is_ok(&status)) {
        document_add(document, BLOCK_PARAGRAPH, "%s", status.why);
    }
    if (verdict.about[0] != '\0' && (page->count > 1 || family->count > 1)) {
        document_add(document, BLOCK_PARAGRAPH, "%s:", verdict.about);
    }
    for (size_t i = 0; i < verdict.count; i++) {
        document_add(document, BLOCK_ITEM, "%s", verdict.sentences[i].text);
    }
}

static void verdict_section(const RunPage *page) {
    document_heading(page->document, 2, "Verdict");
    for (size_t i = 0; i < page->count; i++) {
        family_verdict(page, &page->families[i]);
    }
    document_add(page->document, BLOCK_PARAGRAPH, "%s", measured_on(page));
}

/* === Summary ================================================================================== */

/* "seq, simd, omp": variants with a verified time in some group, those on the CPU or the others. */
static void variants_cell(const RunPage *page, DocTable *table, const Family *family, bool cpu) {
    const Algorithm *algorithm = family->head->algorithm;
    char text[WORDS_SIZE] = "";
    for (size_t i = 0; i < registry_variant_count(algorithm); i++) {
        const Variant *variant = registry_variant(algorithm, i);
        bool timed = false;
        for (size_t j = 0;
             j < family->count && variant->peer == NULL && variant_is_on_cpu(variant) == cpu; j++) {
            timed |= group_has_time(family->groups[j], variant);
        }
        if (timed) {
            name_list_add(text, sizeof text, variant->name);
        }
    }
    if (text[0] == '\0') {
        missing_cell(page->document, table, "none with a time");
    } else {
        table_words(page->document, table, text);
    }
}

/* "7, 360p (480×360) to 16K (15360×8640)": how many sizes, the least and the largest. */
static void sizes_cell(const RunPage *page, DocTable *table, const Family *family) {
    const Row *least = NULL, *most = NULL;
    size_t number = 0;
    for (size_t i = 0; i < family->count; i++) {
        const RowLine sizes =
            row_line(page->document, family->groups[i], &along_size, (RowChoice){.variant = NULL});
        if (sizes.count == 0) {
            continue;
        }
        const Row *first = sizes.rows[0];
        const Row *last = sizes.rows[sizes.count - 1];
        least = least == NULL || row_size(first) < row_size(least) ? first : least;
        most = most == NULL || row_size(last) > row_size(most) ? last : most;
        number = sizes.count > number ? sizes.count : number;
    }
    char from[REPORT_TEXT_SIZE], to[REPORT_TEXT_SIZE];
    if (most == NULL) {
        missing_cell(page->document, table, "none with a time");
        return;
    }
    size_words(most, to);
    if (row_is_image(least)) {
        size_words(least, from);
    } else {
        size_short(least, from); /* the unit once */
    }
    const bool single = number == 1 && row_size(least) == row_size(most);
    table_value(page->document, table,
                single ? to : document_text(page->document, "%zu, %s to %s", number, from, to),
                (double)number);
}

static void measured_row(const RunReport *report, DocTable *table, size_t run,
                         const Family *family) {
    const RunPage *page = &report->of[run];
    Document *document = report->document;
    if (report->count > 1) {
        table_words(document, table,
                    document_text(document, "%s: %s", run_letters[run], page->run->name));
    }
    table_words(document, table, family->head->algorithm->name);
    table_words(document, table, family->head->input);
    table_words(document, table, answer_words(document, family, &family->head->answer, false));
    table_count(document, table, family->count);
    sizes_cell(page, table, family);
    variants_cell(page, table, family, true);
    variants_cell(page, table, family, false);
}

static const char *processors(const RunReport *report) {
    const char *text = "";
    for (size_t run = 0; run < report->count; run++) {
        const StoredRun *stored = report->of[run].run->stored;
        const Fact *cpu = machine_fact(&stored->machine, fact_cpu_model);
        const char *gpu = stored_run_gpus(stored);
        text =
            document_text(report->document, "%s%s%s%sCPU: %s. GPU: %s.", text, run > 0 ? " " : "",
                          report->count > 1 ? run_letters[run] : "", report->count > 1 ? " – " : "",
                          cpu != NULL ? cpu->text : "not known", gpu[0] != '\0' ? gpu : "none");
    }
    return text;
}

static void measured_table(const RunReport *report) {
    DocTable *table = document_table(report->document, "measured", "What was measured");
    run_column(report, table);
    TABLE_COLUMNS(report->document, table, WORDS("algorithm"), WORDS("input"),
                  WORDS("fixed answer axes"), NUMBERS("answer points"), WORDS("sizes"),
                  WORDS("variants", .group = "CPU"), WORDS("variants", .group = "GPU"));
    for (size_t run = 0; run < report->count; run++) {
        for (size_t i = 0; i < report->of[run].count; i++) {
            measured_row(report, table, run, &report->of[run].families[i]);
        }
    }
    table->note = processors(report);
}

static void warn_of_nothing(const RunReport *report, size_t run) {
    const RunPage *page = &report->of[run];
    if (page->count == 0) {
        run_warn(report, run, "this run has no cells");
    }
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        bool timed = false;
        for (size_t j = 0; j < family->count; j++) {
            timed |= group_largest(family->groups[j]) != NULL;
        }
        if (!timed) {
            document_add(report->document, BLOCK_WARNING, "%s%s%s: no cell has a verified time.",
                         report->count > 1 ? run_letters[run] : "", report->count > 1 ? ", " : "",
                         family_name(report->document, family));
        }
    }
}

/* --- The fastest of each size ----------------------------------------------------------------- */

/* Columns that only some runs need; the order is that of the table. */
enum SummaryColumn {
    SUMMARY_SIZE,
    SUMMARY_OVER_CPU, /* the answer: a wide table shall not have it out of sight */
    SUMMARY_WHOLE_OVER_CPU,
    SUMMARY_FASTEST,
    SUMMARY_TIME,
    SUMMARY_OVER_SEQ,
    SUMMARY_BEST_CPU,
    SUMMARY_WHOLE_DEVICE,
    SUMMARY_WHOLE_FASTEST,
    SUMMARY_WHOLE_TIME,
    SUMMARY_COLUMNS
};

typedef struct SizeRow {
    SizeBest best;
    const RunGroup *group;
    size_t run;
} SizeRow;

/* The fastest of each size of every family's groups. */
typedef struct SizeRows {
    SizeRow *list;
    size_t count, capacity;
    TimeUnit unit;
    bool shown[SUMMARY_COLUMNS];
    bool devices;                     /* some size has a time on a device */
    char best_cpu[RESULT_LABEL_SIZE]; /* of the first row: of all where it is not shown */
    char size[REPORT_TEXT_SIZE];      /* the same */
} SizeRows;

static void add_sizes(Document *document, const RunGroup *group, size_t run, SizeRows *rows) {
    SizeBest *sizes;
    const size_t count = size_best_find(document, group, &sizes);
    for (size_t i = 0; i < count; i++) {
        if (DOCUMENT_ROOM(document, rows->list, rows->count, rows->capacity)) {
            rows->list[rows->count++] = (SizeRow){.best = sizes[i], .group = group, .run = run};
        }
    }
}

static bool same_size(const Row *a, const Row *b) {
    return row_is_image(a) == row_is_image(b) && row_size(a) == row_size(b) &&
           (row_is_image(a) ? a->width == b->width && strcmp(a->size_name, b->size_name) == 0
                            : row_size_unit(a) == row_size_unit(b));
}

static void choose_columns(SizeRows *rows) {
    TimeRange range = {.count = 0};
    bool *shown = rows->shown;
    shown[SUMMARY_FASTEST] = shown[SUMMARY_TIME] = true;
    for (size_t i = 0; i < rows->count; i++) {
        const SizeBest *best = &rows->list[i].best;
        const Row *device = best->of[SIDE_DEVICE][TIME_KERNEL];
        const Row *cpu = best->of[SIDE_CPU][TIME_KERNEL];
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const Row *fastest = best->of[SIDE_BOTH][kind];
            if (fastest != NULL) {
                time_range_add(&range, row_seconds(fastest, kind));
                shown[SUMMARY_OVER_SEQ] |= isfinite(fastest->speedup);
            }
            rows->devices |= best->of[SIDE_DEVICE][kind] != NULL;
        }
        shown[SUMMARY_OVER_CPU] |= device != NULL && isfinite(device->speedup_vs_best_cpu);
        const SizeBest *first = &rows->list[0].best;
        shown[SUMMARY_BEST_CPU] |= !row_same_way(first->of[SIDE_CPU][TIME_KERNEL], cpu);
        shown[SUMMARY_SIZE] |=
            !same_size(first->of[SIDE_BOTH][TIME_KERNEL], best->of[SIDE_BOTH][TIME_KERNEL]);
    }
    if (rows->count > 0) {
        const Row *cpu = rows->list[0].best.of[SIDE_CPU][TIME_KERNEL];
        snprintf(rows->best_cpu, sizeof rows->best_cpu, "none");
        if (cpu != NULL) {
            variant_label(cpu->variant, &cpu->tuning, rows->best_cpu, sizeof rows->best_cpu);
        }
        size_words(rows->list[0].best.of[SIDE_BOTH][TIME_KERNEL], rows->size);
    }
    shown[SUMMARY_WHOLE_OVER_CPU] = shown[SUMMARY_WHOLE_DEVICE] = shown[SUMMARY_OVER_CPU];
    shown[SUMMARY_WHOLE_FASTEST] = shown[SUMMARY_WHOLE_TIME] = rows->devices;
    rows->unit = time_unit(&range);
}

/* What sizes are counted in, where that is the same for all and not seen from their names. */
static const char *size_title(const SizeRows *rows) {
    const SizeUnit unit = row_size_unit(rows->list[0].best.of[SIDE_BOTH][TIME_KERNEL]);
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->list[i].best.of[SIDE_BOTH][TIME_KERNEL];
        if (row_is_image(row) || row_size_unit(row) != unit) {
            return "size";
        }
    }
    return size_unit_words(unit);
}

static void add_columns(const RunReport *report, DocTable *table, const SizeRows *rows) {
    Document *document = report->document;
    const char *kernel = rows->devices ? "kernel" : NULL;
    const char *time = document_text(document, "time (%s)", rows->unit.name);
    const DocColumn columns[SUMMARY_COLUMNS] = {
        {.title = size_title(rows)},
        {.title = "kernel", .group = "GPU is", .numeric = true},
        {.title = "with copies", .group = "GPU is", .numeric = true},
        {.title = "fastest", .group = kernel},
        {.title = time, .group = kernel, .numeric = true},
        {.title = "over seq", .group = kernel, .numeric = true},
        {.title = "best CPU", .group = kernel},
        {.title = "best GPU", .group = "with copies"},
        {.title = "fastest", .group = "with copies"},
        {.title = time, .group = "with copies", .numeric = true}};
    run_column(report, table);
    group_columns(&report->of[0], table);
    for (size_t i = 0; i < SUMMARY_COLUMNS; i++) {
        if (rows->shown[i]) {
            table_column(document, table, &columns[i]);
        }
    }
}

/* True where it names variants of which the fastest is undecided. */
static bool summary_cell(Document *document, DocTable *table, const SizeRow *row,
                         enum SummaryColumn column, const TimeUnit *unit) {
    static const struct {
        bool wanted;
        RowSide side;
        TimeKind kind;
    } fastest_of[SUMMARY_COLUMNS] = {
        [SUMMARY_FASTEST] = {true, SIDE_BOTH, TIME_KERNEL},
        [SUMMARY_BEST_CPU] = {true, SIDE_CPU, TIME_KERNEL},
        [SUMMARY_WHOLE_DEVICE] = {true, SIDE_DEVICE, TIME_END_TO_END},
        [SUMMARY_WHOLE_FASTEST] = {true, SIDE_BOTH, TIME_END_TO_END},
    };
    const SizeBest *best = &row->best;
    const Row *fastest = best->of[SIDE_BOTH][TIME_KERNEL];
    const Row *whole = best->of[SIDE_BOTH][TIME_END_TO_END];
    const Row *device = best->of[SIDE_DEVICE][TIME_KERNEL];
    const Row *whole_device = best->of[SIDE_DEVICE][TIME_END_TO_END];
    const RowSide side = fastest_of[column].side;
    const TimeKind kind = fastest_of[column].kind;
    if (fastest_of[column].wanted) {
        return fastest_cell(document, table, row->group, best->of[side][kind], side, kind);
    }
    switch (column) {
    case SUMMARY_SIZE: size_cell(document, table, fastest); break;
    case SUMMARY_TIME: time_cell(document, table, fastest, TIME_KERNEL, unit); break;
    case SUMMARY_OVER_SEQ: against_seq_cell(document, table, fastest); break;
    case SUMMARY_OVER_CPU: gpu_is_cell(document, table, device, TIME_KERNEL); break;
    case SUMMARY_WHOLE_OVER_CPU: gpu_is_cell(document, table, whole_device, TIME_END_TO_END); break;
    case SUMMARY_WHOLE_TIME: time_cell(document, table, whole, TIME_END_TO_END, unit); break;
    default: break;
    }
    return false;
}

static const char *summary_note(const RunReport *report, const SizeRows *rows, bool tied) {
    Document *document = report->document;
    RunOptions request;
    request_recall(&report->of[0].run->stored->arguments, &request);
    const bool always = !rows->shown[SUMMARY_BEST_CPU];
    const char *memory = report->count > 1 ? ""
                         : request.pinned  ? ", from and to page-locked memory"
                                           : ", from and to ordinary memory";
    const char *ratio = "";
    if (rows->shown[SUMMARY_OVER_CPU]) {
        ratio =
            document_text(document,
                          " \"GPU is\" compares the fastest GPU variant with the fastest cell of "
                          "all CPU variants and thread counts of that size%s%s.",
                          always ? ", which is always " : "", always ? rows->best_cpu : "");
    }
    return document_text(
        document, "Medians of the fastest tunings; in parentheses %s.%s%s%s%s%s%s",
        report_interval_words(report), tied ? or_note : "",
        rows->shown[SUMMARY_OVER_SEQ] ? " Over seq counts against one plain thread." : "", ratio,
        rows->devices ? " With copies: upload, kernel and download" : "",
        rows->devices ? memory : "", rows->devices ? "; on the CPU it is the kernel." : "");
}

static void fill_fastest(const RunReport *report, const SizeRows *rows) {
    enum { OPEN_ROWS_MAX = 60 };
    Document *document = report->document;
    const char *caption = rows->shown[SUMMARY_SIZE]
                              ? "The fastest variants of each size"
                              : document_text(document, "The fastest variants at %s", rows->size);
    DocTable *table = document_table(document, "fastest", caption);
    bool tied = false;
    add_columns(report, table, rows);
    for (size_t i = 0; i < rows->count; i++) {
        const SizeRow *row = &rows->list[i];
        run_cell(report, table, row->run);
        group_cells(&report->of[row->run], table, row->best.of[SIDE_BOTH][TIME_KERNEL]);
        for (enum SummaryColumn column = 0; column < SUMMARY_COLUMNS; column++) {
            if (rows->shown[column]) {
                tied |= summary_cell(document, table, row, column, &rows->unit);
            }
        }
    }
    table->sortable = true;
    table->collapsed = table->row_count > OPEN_ROWS_MAX;
    table->note = summary_note(report, rows, tied);
}

static void fastest_table(const RunReport *report) {
    SizeRows rows = {.count = 0};
    for (size_t run = 0; run < report->count; run++) {
        const RunPage *page = &report->of[run];
        for (size_t i = 0; i < page->count; i++) {
            for (size_t j = 0; j < page->families[i].count; j++) {
                add_sizes(report->document, page->families[i].groups[j], run, &rows);
            }
        }
    }
    if (rows.count > 0) {
        choose_columns(&rows);
        fill_fastest(report, &rows);
    }
}

static void summary_section(const RunReport *report) {
    document_heading(report->document, 2, "Summary");
    for (size_t run = 0; run < report->count; run++) {
        warn_of_nothing(report, run);
    }
    measured_table(report);
    if (report->count > 1) {
        diff_summary(report);
    }
    fastest_table(report);
}

/* === Verification ============================================================================= */

enum { ORACLES_MAX = 16 };

/* Cells that were verified against one oracle. */
typedef struct Oracle {
    const char *name;
    size_t cells, equal; /* equal: in all elements */
} Oracle;

typedef struct VerificationCounts {
    size_t unverified, failed, partial;
    Oracle oracles[ORACLES_MAX];
    size_t count;
} VerificationCounts;

static bool is_partial(const Row *row) {
    return row->status == CELL_OK && row->verified && row->agreement < 1.0;
}

static void count_oracle(VerificationCounts *counts, const Row *row) {
    const char *name = row->verified_by[0] != '\0' ? row->verified_by : "an oracle not named";
    size_t i = 0;
    while (i < counts->count && strcmp(counts->oracles[i].name, name) != 0) {
        i++;
    }
    if (i == ORACLES_MAX) {
        return;
    }
    if (i == counts->count) {
        counts->oracles[counts->count++] = (Oracle){.name = name};
    }
    counts->oracles[i].cells++;
    counts->oracles[i].equal += !is_partial(row);
}

static VerificationCounts count_verified(const Results *results) {
    VerificationCounts counts = {.count = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        counts.failed += row->status == CELL_FAIL;
        counts.partial += is_partial(row);
        counts.unverified += row->status == CELL_OK && !row->verified;
        if (row->status == CELL_OK && row->verified) {
            count_oracle(&counts, row);
        }
    }
    return counts;
}

static void oracle_rows(const RunReport *report, DocTable *table, size_t run,
                        const VerificationCounts *counts) {
    Document *document = report->document;
    for (size_t i = 0; i < counts->count; i++) {
        run_cell(report, table, run);
        table_words(document, table, counts->oracles[i].name);
        table_count(document, table, counts->oracles[i].cells);
        table_count(document, table, counts->oracles[i].equal);
    }
    if (counts->unverified > 0) {
        run_cell(report, table, run);
        table_cell(document, table,
                   &(DocCell){.text = "not verified", .number = NAN, .kind = CELL_BAD});
        table_count(document, table, counts->unverified);
        missing_cell(document, table, "not known");
    }
}

static void verification_table(const RunReport *report, const VerificationCounts counts[]) {
    DocTable *table = document_table(report->document, "verification", "Verified cells");
    run_column(report, table);
    TABLE_COLUMNS(report->document, table, WORDS("verified against the answer of"),
                  NUMBERS("cells with a time"), NUMBERS("equal in all elements"));
    for (size_t run = 0; run < report->count; run++) {
        oracle_rows(report, table, run, &counts[run]);
    }
    table->note = "Verified before and after timing. Where seq is skipped the fastest verified "
                  "CPU variant is the oracle, and speedups over seq are empty. Answers that "
                  "are not equal in all elements are accepted by the algorithm's own rule.";
}

static void row_cells(const RunReport *report, DocTable *table, size_t run, const Row *row) {
    const RunPage all = page_of_rows(&report->of[run]);
    run_cell(report, table, run);
    group_cells(&all, table, row);
    label_cell(report->document, table, row);
    size_cell(report->document, table, row);
}

/* With as many digits as make it differ from 100. */
static void agreement_cell(Document *document, DocTable *table, const Row *row) {
    enum { DIGITS = 6, DIGITS_MAX = 12 };
    char text[SIGNIFICANT_SIZE];
    int digits = DIGITS;
    do {
        significant_text(100.0 * row->agreement, digits, text);
    } while (strncmp(text, "100", 3) == 0 && digits++ < DIGITS_MAX);
    table_value(document, table, text, 100.0 * row->agreement);
}

static bool is_failed(const Row *row) {
    return row->status == CELL_FAIL;
}

static void why_cell(Document *document, DocTable *table, const Row *row) {
    table_cell(document, table,
               &(DocCell){.text = row->why[0] != '\0' ? row->why : "no reason was given",
                          .number = NAN,
                          .kind = CELL_BAD});
}

/* The rows of all runs that are wanted, with `fill` for the last column. */
static void rows_table(const RunReport *report, const char *name, const char *caption,
                       const DocColumn *last, bool (*wanted)(const Row *row),
                       void (*fill)(Document *document, DocTable *table, const Row *row)) {
    const RunPage all = page_of_rows(&report->of[0]);
    DocTable *table = document_table(report->document, name, caption);
    run_column(report, table);
    group_columns(&all, table);
    TABLE_COLUMNS(report->document, table, WORDS("variant"), WORDS("size"));
    table_column(report->document, table, last);
    for (size_t run = 0; run < report->count; run++) {
        const Results *results = report->of[run].results;
        for (size_t i = 0; i < results->count; i++) {
            if (wanted(&results->rows[i])) {
                row_cells(report, table, run, &results->rows[i]);
                fill(report->document, table, &results->rows[i]);
            }
        }
    }
    table->sortable = true;
}

static void verification_section(const RunReport *report) {
    VerificationCounts counts[2];
    VerificationCounts all = {.count = 0};
    document_heading(report->document, 2, "Verification");
    for (size_t run = 0; run < report->count; run++) {
        counts[run] = count_verified(report->of[run].results);
        all.count += counts[run].count;
        all.unverified += counts[run].unverified;
        all.partial += counts[run].partial;
        all.failed += counts[run].failed;
    }
    if (all.count > 0 || all.unverified > 0) {
        verification_table(report, counts);
    }
    if (all.partial > 0) {
        rows_table(report, "agreement", "Answers that agree in part",
                   &(DocColumn){.title = "equal elements (%)", .numeric = true}, is_partial,
                   agreement_cell);
    }
    if (all.failed > 0) {
        rows_table(report, "failures", "Failures: cells without a time",
                   &(DocColumn){.title = "what went wrong"}, is_failed, why_cell);
    }
}

/* === Skipped and failed cells ================================================================= */

enum { VARIANTS_SIZE = 512 };

typedef struct Reason {
    const Row *first;
    size_t count;
    bool numbers_differ;          /* from those of the first */
    char variants[VARIANTS_SIZE]; /* each once, "seq, simd" */
} Reason;

/* Estimates differ from cell to cell; the reason is the same. */
static bool same_but_for_numbers(const char *a, const char *b) {
    static const char number[] = "0123456789.e+";
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, number);
            b += strspn(b, number);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool same_reason(const Row *a, const Row *b) {
    return a->status == b->status && a->algorithm == b->algorithm &&
           same_but_for_numbers(a->why, b->why);
}

static void add_reason(Reason *reasons, size_t *count, const Row *row) {
    size_t i = 0;
    while (i < *count && !same_reason(reasons[i].first, row)) {
        i++;
    }
    if (i == *count) {
        reasons[(*count)++] = (Reason){.first = row};
    }
    Reason *reason = &reasons[i];
    reason->count++;
    reason->numbers_differ |= !row_same_reason(reason->first, row);
    name_list_add(reason->variants, sizeof reason->variants, row->variant->name);
}

static void reason_row(const RunReport *report, DocTable *table, size_t run, const Reason *reason) {
    Document *document = report->document;
    const Row *row = reason->first;
    const bool failed = row->status == CELL_FAIL;
    run_cell(report, table, run);
    table_count(document, table, reason->count);
    table_cell(document, table,
               &(DocCell){.text = failed ? "failed" : "skipped",
                          .number = NAN,
                          .kind = failed ? CELL_BAD : CELL_PLAIN});
    table_words(document, table, row->algorithm->name);
    table_words(document, table, reason->variants);
    table_words(document, table,
                row->why[0] == '\0' ? "no reason was given"
                : reason->numbers_differ
                    ? document_text(document, "%s; of the others with other numbers", row->why)
                    : row->why);
}

static DocTable *open_reasons(const RunReport *report) {
    DocTable *table =
        document_table(report->document, "without-time", "Cells without a time, by reason");
    run_column(report, table);
    TABLE_COLUMNS(report->document, table, NUMBERS("cells"), WORDS("status"), WORDS("algorithm"),
                  WORDS("variants"), WORDS("reason"));
    table->sortable = true;
    return table;
}

static void add_reasons(const RunReport *report, size_t run, DocTable **table) {
    const Results *results = report->of[run].results;
    Reason *reasons = document_allocate(report->document, (results->count + 1) * sizeof *reasons);
    size_t count = 0;
    if (reasons == NULL) {
        return;
    }
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].status != CELL_OK) {
            add_reason(reasons, &count, &results->rows[i]);
        }
    }
    if (count > 0 && *table == NULL) {
        *table = open_reasons(report);
    }
    for (size_t i = 0; i < count; i++) {
        reason_row(report, *table, run, &reasons[i]);
    }
}

static void reasons_section(const RunReport *report) {
    DocTable *table = NULL;
    document_heading(report->document, 2, "Skipped and failed cells");
    for (size_t run = 0; run < report->count; run++) {
        add_reasons(report, run, &table);
    }
    if (table == NULL) {
        document_add(report->document, BLOCK_PARAGRAPH, "None: every cell has a time.");
    }
    for (size_t run = 0; run < report->count; run++) {
        run_warn_ignored(report, run);
    }
}

/* === Report =================================================================================== */

static void report_one(const RunReport *report) {
    first_screen(&report->of[0]);
    document_fold(report->document);
    verdict_section(&report->of[0]);
    summary_section(report);
    crossover_section(report);
    peer_section(&report->of[0]);
    cost_section(&report->of[0]);
    page_charts(&report->of[0]);
    page_scaling(&report->of[0]);
    page_stages(&report->of[0]);
    profile_section(&report->of[0]);
    page_rooflines(&report->of[0]);
    verification_section(report);
    page_cells(&report->of[0]);
    reasons_section(report);
    machine_section(report);
    method_section(report);
    document_heading(report->document, 2, "For reviewers");
    checklist_add(report->of[0].run, 1, report->document);
}

static void report_two(RunReport *report) {
    run_pairs_find(report);
    first_screen_of_two(report);
    document_fold(report->document);
    diff_answer(report);
    for (size_t run = 0; run < 2; run++) {
        document_add(report->document, BLOCK_PARAGRAPH, "%s: %s. %s", run_letters[run],
                     report->of[run].run->name, measured_on(&report->of[run]));
    }
    summary_section(report);
    machine_section(report);
    diff_groups(report);
    crossover_section(report);
    verification_section(report);
    reasons_section(report);
    diff_missing(report);
}

void report_build(const ReportRun *runs, size_t count, Document *document) {
    RunReport report = run_report_make(runs, count, document);
    if (count == 1) {
        report_one(&report);
    } else {
        report_two(&report);
    }
}
