/* Sections of a report about one run. */

#include "report_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "base.h"
#include "machine.h"
#include "resources.h"
#include "results.h"
#include "status.h"
#include "variant.h"

/* === Overview parts =========================================================================== */

static void answer_words(const Family *family, const RunGroup *group, bool differing, char *text,
                         size_t size);

enum { FAMILY_SHOWN_MAX = 3 };

bool overview_check(const Overview *overview, Status status) {
    if (!status_is_ok(&status)) {
        overview->document->failed = true;
    }
    return status_is_ok(&status);
}

static Family *find_family(const Overview *overview, const Row *row) {
    for (size_t i = 0; i < overview->count; i++) {
        const Row *head = overview->families[i].head;
        if (head->algorithm == row->algorithm && strcmp(head->input, row->input) == 0) {
            return &overview->families[i];
        }
    }
    return NULL;
}

static Status add_family(Overview *overview, const Row *row, Family **family) {
    STATUS_TRY(LIST_ROOM(NULL, overview->families, overview->count, overview->capacity,
                         "algorithms and inputs of a run"));
    *family = &overview->families[overview->count++];
    **family = (Family){.head = row};
    return status_ok();
}

static Status add_to_family(Overview *overview, const RunGroup *group) {
    Family *family = find_family(overview, group->rows[0]);
    if (family == NULL) {
        STATUS_TRY(add_family(overview, group->rows[0], &family));
    }
    STATUS_TRY(LIST_ROOM(NULL, family->groups, family->count, family->capacity, "groups of a run"));
    family->groups[family->count++] = group;
    return status_ok();
}

static bool is_copy(const RunGroup *group) {
    return strcmp(group->rows[0]->algorithm->name, "copy") == 0;
}

/* The copy is measured with every algorithm, as its roof; it is told about when it is all there
 * is. */
static bool has_others(const RunGroups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        if (!is_copy(&groups->groups[i])) {
            return true;
        }
    }
    return false;
}

static void note_columns(Overview *overview) {
    for (size_t i = 0; i < overview->count; i++) {
        const Row *first = overview->families[0].head;
        const Row *head = overview->families[i].head;
        overview->many_algorithms |= head->algorithm != first->algorithm;
        overview->many_inputs |= strcmp(head->input, first->input) != 0;
        overview->many_answers |= overview->families[i].count > 1;
    }
}

/* Without memory the document has failed. */
static void overview_open(const OverviewRun *run, Document *document, Overview *overview) {
    *overview = (Overview){.run = run, .results = &run->stored->results, .document = document};
    if (!overview_check(overview, run_groups_make(overview->results, &overview->groups))) {
        return;
    }
    const bool others = has_others(&overview->groups);
    for (size_t i = 0; i < overview->groups.count; i++) {
        const RunGroup *group = &overview->groups.groups[i];
        if (!(others && is_copy(group)) &&
            !overview_check(overview, add_to_family(overview, group))) {
            return;
        }
    }
    note_columns(overview);
}

static void overview_close(Overview *overview) {
    for (size_t i = 0; i < overview->count; i++) {
        free(overview->families[i].groups);
    }
    free(overview->families);
    run_groups_release(&overview->groups);
    *overview = (Overview){.run = NULL};
}

bool family_shows(const Family *family, size_t index) {
    return family->count <= FAMILY_SHOWN_MAX || index == 0 || index == family->count / 2 ||
           index == family->count - 1;
}

void family_name(const Family *family, char *text, size_t size) {
    snprintf(text, size, "%s on %s", family->head->algorithm->name, family->head->input);
}

const char *group_title(const Overview *overview, const Family *family, const RunGroup *group) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    answer_words(family, group, true, answer, sizeof answer);
    return document_text(overview->document, "%s, %s%s%s", family->head->algorithm->name,
                         family->head->input, answer[0] != '\0' ? ", " : "", answer);
}

/* Groups of a family have the same axes. */
static bool axis_differs(const Family *family, size_t axis) {
    const Point *first = &family->groups[0]->rows[0]->answer;
    for (size_t i = 1; i < family->count; i++) {
        const Point *answer = &family->groups[i]->rows[0]->answer;
        if (axis < answer->count && axis < first->count &&
            strcmp(answer->values[axis].text, first->values[axis].text) != 0) {
            return true;
        }
    }
    return false;
}

static void answer_text(const Family *family, const RunGroup *group, bool differing, size_t without,
                        char *text, size_t size) {
    const Point *answer = &group->rows[0]->answer;
    text[0] = '\0';
    for (size_t i = 0; i < answer->count; i++) {
        if (i != without && axis_differs(family, i) == differing) {
            text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", answer->axes[i]->name,
                        answer->values[i].text);
        }
    }
}

/* "pr 8:1, interp bilinear": the axes of the answer that differ within the family, or those that do
 * not; "" when there are none. */
static void answer_words(const Family *family, const RunGroup *group, bool differing, char *text,
                         size_t size) {
    answer_text(family, group, differing, SIZE_MAX, text, size);
}

void answer_words_without(const Family *family, const RunGroup *group, size_t axis, char *text,
                          size_t size) {
    answer_text(family, group, true, axis, text, size);
}

const Row *group_largest(const RunGroup *group) {
    const Row *largest = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (isfinite(row_seconds(row, TIME_KERNEL)) &&
            (largest == NULL || row_size(row) > row_size(largest))) {
            largest = row;
        }
    }
    return largest;
}

int variant_colour(const Row *row) {
    const size_t count = registry_variant_count(row->algorithm);
    for (size_t i = 0; i < count; i++) {
        if (registry_variant(row->algorithm, i) == row->variant) {
            return (int)i;
        }
    }
    return 0;
}

Overview overview_of_rows(const Overview *overview) {
    Overview all = *overview;
    for (size_t i = 1; i < overview->groups.count; i++) {
        const Row *first = overview->groups.groups[0].rows[0];
        const Row *row = overview->groups.groups[i].rows[0];
        all.many_algorithms |= row->algorithm != first->algorithm;
        all.many_inputs |= strcmp(row->input, first->input) != 0;
    }
    return all;
}

void group_columns(const Overview *overview, DocTable *table) {
    if (overview->many_algorithms) {
        table_column(overview->document, table, &(DocColumn){.title = "algorithm"});
    }
    if (overview->many_inputs) {
        table_column(overview->document, table, &(DocColumn){.title = "input"});
    }
    if (overview->many_answers) {
        table_column(overview->document, table, &(DocColumn){.title = "answer"});
    }
}

/* Sorted by the number that the point begins with, where it has one: "box 16" after "box 4". */
static void answer_cell(const Overview *overview, DocTable *table, const Row *row) {
    char text[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE] = "";
    const Family *family = find_family(overview, row);
    double number = NAN;
    if (family != NULL) {
        const RunGroup group = {.rows = &row, .count = 1};
        answer_words(family, &group, true, text, sizeof text);
        const char *value = strchr(text, ' ');
        if (value != NULL && strchr(text, ',') == NULL && value[1] >= '0' && value[1] <= '9') {
            number = strtod(value + 1, NULL);
        }
    }
    table_cell(overview->document, table, &(DocCell){.text = text, .number = number});
}

void group_cells(const Overview *overview, DocTable *table, const Row *row) {
    if (overview->many_algorithms) {
        table_words(overview->document, table, row->algorithm->name);
    }
    if (overview->many_inputs) {
        table_words(overview->document, table, row->input);
    }
    if (overview->many_answers) {
        answer_cell(overview, table, row);
    }
}

/* === Overview verification ==================================================================== */

enum { ORACLES_MAX = 16, WORDS_SIZE = 768 };

typedef struct Oracles {
    const char *names[ORACLES_MAX];
    size_t cells[ORACLES_MAX];
    size_t count;
} Oracles;

static void count_oracle(Oracles *oracles, const char *name) {
    size_t i = 0;
    while (i < oracles->count && strcmp(oracles->names[i], name) != 0) {
        i++;
    }
    if (i == ORACLES_MAX) {
        return;
    }
    if (i == oracles->count) {
        oracles->names[oracles->count++] = name;
    }
    oracles->cells[i]++;
}

typedef struct VerificationCounts {
    size_t verified, unverified, failed, partial;
    Oracles oracles;
} VerificationCounts;

static bool is_partial(const Row *row) {
    return row->status == CELL_OK && row->verified && row->agreement < 1.0;
}

static VerificationCounts count_all(const Results *results) {
    VerificationCounts counts = {.verified = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        counts.failed += row->status == CELL_FAIL;
        counts.partial += is_partial(row);
        if (row->status == CELL_OK) {
            counts.verified += row->verified;
            counts.unverified += !row->verified;
        }
        if (row->status == CELL_OK && row->verified) {
            count_oracle(&counts.oracles,
                         row->verified_by[0] != '\0' ? row->verified_by : "an oracle not named");
        }
    }
    return counts;
}

static void add_words(Document *document, const VerificationCounts *counts) {
    char text[WORDS_SIZE] = "";
    for (size_t i = 0; i < counts->oracles.count; i++) {
        const char *name = counts->oracles.names[i];
        text_append(text, sizeof text, "%s%zu against the answer of %s%s", i > 0 ? ", " : "",
                    counts->oracles.cells[i], name,
                    strcmp(name, "seq") == 0 ? "" : ", which stood in for seq");
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "No number without a proof: of %zu cells with a time %zu were verified before and "
                 "after timing%s%s.",
                 counts->verified + counts->unverified, counts->verified,
                 text[0] != '\0' ? ": " : "", text);
    if (counts->unverified > 0) {
        document_add(document, BLOCK_WARNING, "%zu cell%s a time without a proof.",
                     counts->unverified, counts->unverified == 1 ? " has" : "s have");
    }
    if (counts->verified > 0) {
        document_add(
            document, BLOCK_PARAGRAPH,
            counts->partial == 0
                ? "Every one of these answers agrees with the oracle's in all its elements."
                : "The cells below are accepted by the algorithm's own rule although some "
                  "elements differ from the oracle's.");
    }
}

static void row_cells(const Overview *overview, DocTable *table, const Row *row) {
    group_cells(overview, table, row);
    label_cell(overview->document, table, row);
    size_cell(overview->document, table, row);
}

static DocTable *open_table(const Overview *overview, const char *name, const char *caption,
                            const DocColumn *last) {
    DocTable *table = document_table(overview->document, name, caption);
    group_columns(overview, table);
    table_column(overview->document, table, &(DocColumn){.title = "variant"});
    table_column(overview->document, table, &(DocColumn){.title = "size"});
    table_column(overview->document, table, last);
    if (table != NULL) {
        table->sortable = true;
    }
    return table;
}

/* With as many digits as it takes to be seen from 100. */
static void agreement_cell(Document *document, DocTable *table, double share) {
    enum { DIGITS = 6, DIGITS_MAX = 12 };
    char text[SIGNIFICANT_SIZE];
    int digits = DIGITS;
    do {
        significant_text(100.0 * share, digits, text);
    } while (strncmp(text, "100", 3) == 0 && digits++ < DIGITS_MAX);
    table_cell(document, table, &(DocCell){.text = text, .number = 100.0 * share});
}

static void add_partial(const Overview *overview) {
    DocTable *table = open_table(overview, "agreement", "Answers that agree in part",
                                 &(DocColumn){.title = "equal elements (%)", .numeric = true});
    for (size_t i = 0; i < overview->results->count; i++) {
        const Row *row = &overview->results->rows[i];
        if (is_partial(row)) {
            row_cells(overview, table, row);
            agreement_cell(overview->document, table, row->agreement);
        }
    }
}

static void add_failures(const Overview *overview) {
    DocTable *table = open_table(overview, "failures", "Failures: cells without a time",
                                 &(DocColumn){.title = "what went wrong"});
    for (size_t i = 0; i < overview->results->count; i++) {
        const Row *row = &overview->results->rows[i];
        if (row->status == CELL_FAIL) {
            row_cells(overview, table, row);
            table_cell(overview->document, table,
                       &(DocCell){.text = row->why[0] != '\0' ? row->why : "no reason was given",
                                  .number = NAN,
                                  .kind = CELL_BAD});
        }
    }
}

static void overview_verification(const Overview *overview) {
    const VerificationCounts counts = count_all(overview->results);
    const Overview all = overview_of_rows(overview);
    document_heading(overview->document, 2, "Verification");
    add_words(overview->document, &counts);
    if (counts.partial > 0) {
        add_partial(&all);
    }
    if (counts.failed > 0) {
        add_failures(&all);
    }
}

/* === Overview reasons ========================================================================= */

enum { VARIANTS_SIZE = 512 };

typedef struct Reason {
    const Row *first;
    size_t count;
    bool numbers_differ;          /* from those of the first */
    char variants[VARIANTS_SIZE]; /* each once, "seq, simd" */
} Reason;

static bool is_named(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *found = strstr(list, name); found != NULL; found = strstr(found + 1, name)) {
        const bool begins = found == list || found[-1] == ' ';
        if (begins && (found[length] == '\0' || found[length] == ',')) {
            return true;
        }
    }
    return false;
}

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

static void take_row(Reason *reasons, size_t *count, const Row *row) {
    size_t i = 0;
    while (i < *count && !same_reason(reasons[i].first, row)) {
        i++;
    }
    if (i == *count) {
        reasons[(*count)++] = (Reason){.first = row};
    }
    Reason *reason = &reasons[i];
    reason->count++;
    reason->numbers_differ |= strcmp(reason->first->why, row->why) != 0;
    if (!is_named(reason->variants, row->variant->name)) {
        text_append(reason->variants, sizeof reason->variants, "%s%s",
                    reason->variants[0] != '\0' ? ", " : "", row->variant->name);
    }
}

static void add_table(Document *document, const Reason *reasons, size_t count) {
    DocTable *table = document_table(document, "without-time", "Cells without a time, by reason");
    table_column(document, table, &(DocColumn){.title = "cells", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "status"});
    table_column(document, table, &(DocColumn){.title = "algorithm"});
    table_column(document, table, &(DocColumn){.title = "variants"});
    table_column(document, table, &(DocColumn){.title = "reason"});
    for (size_t i = 0; i < count; i++) {
        const Row *row = reasons[i].first;
        const bool failed = row->status == CELL_FAIL;
        char number[32];
        snprintf(number, sizeof number, "%zu", reasons[i].count);
        table_cell(document, table, &(DocCell){.text = number, .number = (double)reasons[i].count});
        table_cell(document, table,
                   &(DocCell){.text = failed ? "failed" : "skipped",
                              .number = NAN,
                              .kind = failed ? CELL_BAD : CELL_PLAIN});
        table_words(document, table, row->algorithm->name);
        table_words(document, table, reasons[i].variants);
        table_words(document, table,
                    row->why[0] == '\0' ? "no reason was given"
                    : reasons[i].numbers_differ
                        ? document_text(document, "%s; of the others with other numbers", row->why)
                        : row->why);
    }
    if (table != NULL) {
        table->sortable = true;
    }
}

static void overview_reasons(const Overview *overview) {
    const Results *results = overview->results;
    Reason *reasons = calloc(results->count + 1, sizeof *reasons);
    size_t count = 0;
    document_heading(overview->document, 2, "Skipped and failed cells");
    if (reasons == NULL) {
        overview_check(overview, status_skip("no memory left for the reasons of skipped cells"));
        return;
    }
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].status != CELL_OK) {
            take_row(reasons, &count, &results->rows[i]);
        }
    }
    if (count > 0) {
        add_table(overview->document, reasons, count);
    } else {
        document_add(overview->document, BLOCK_PARAGRAPH, "None: every cell has a time.");
    }
    const size_t ignored = overview->run->stored->ignored;
    if (ignored > 0) {
        document_add(overview->document, BLOCK_WARNING,
                     "%zu row%s of algorithms, variants or axes that this version of the program "
                     "does not have %s left out.",
                     ignored, ignored == 1 ? "" : "s", ignored == 1 ? "is" : "are");
    }
    free(reasons);
}

/* === Overview words =========================================================================== */

enum { CLAIM_SIZE = 1024 };

/* ", 36.8 times as fast as omp/threads:16 (95% interval 36.2 to 37.1)"; nothing for what is not
 * known and for a row over itself. */
static void append_ratio(const Row *row, SpeedupOver over, TimeKind kind, const char *before,
                         const char *of, char *text) {
    const Ratio ratio = row_ratio(row, over, kind);
    char number[SIGNIFICANT_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    if (!isfinite(ratio.value) || (ratio.value == 1.0 && ratio.low == ratio.high)) {
        return;
    }
    significant_text(ratio.value, OVERVIEW_DIGITS, number);
    interval_text(ratio.low, ratio.high, ends);
    text_append(text, CLAIM_SIZE, "%s%s times as fast as %s%s", before, number, of,
                over == OVER_SEQ ? "seq on one thread" : row->best_cpu);
    if (ends[0] != '\0') {
        text_append(text, CLAIM_SIZE, " (95%% interval %s)", ends);
    }
}

static void append_label(const Row *row, char *text) {
    char label[RESULT_LABEL_SIZE];
    variant_label(row->variant, &row->tuning, label, sizeof label);
    text_append(text, CLAIM_SIZE, "%s", label);
}

static void append_time(const Row *row, TimeKind kind, char *text) {
    char time[OVERVIEW_TEXT_SIZE];
    seconds_text(row_seconds(row, kind), time);
    text_append(text, CLAIM_SIZE, "%s", time);
}

/* "; the best GPU variant, cuda_streamed, takes 5.85 ms and is 0.58 times as fast …" */
static void append_loser(const Row *device, TimeKind kind, char *text) {
    if (device == NULL) {
        return;
    }
    text_append(text, CLAIM_SIZE, "; the best GPU variant, ");
    append_label(device, text);
    text_append(text, CLAIM_SIZE, ", takes ");
    append_time(device, kind, text);
    append_ratio(device, OVER_BEST_CPU, kind, " and is ", "", text);
    text_append(text, CLAIM_SIZE, ": the GPU does not win here");
}

static void append_kernel(const SizeBest *best, char *text) {
    const Row *fastest = best->fastest[TIME_KERNEL];
    append_label(fastest, text);
    text_append(text, CLAIM_SIZE, " has the fastest kernel with ");
    append_time(fastest, TIME_KERNEL, text);
    append_ratio(fastest, OVER_SEQ, TIME_KERNEL, ", ", "", text);
    if (row_is_on_cpu(fastest)) {
        append_loser(best->device[TIME_KERNEL], TIME_KERNEL, text);
    } else {
        append_ratio(fastest, OVER_BEST_CPU, TIME_KERNEL,
                     isfinite(fastest->speedup) ? " and " : ", ", "the best CPU variant, ", text);
    }
    if (best->cpu[TIME_KERNEL] == NULL) {
        text_append(text, CLAIM_SIZE, "; no CPU variant has a time to compare with");
    } else if (!isfinite(fastest->speedup)) {
        text_append(text, CLAIM_SIZE, "; seq has no time here");
    }
    text_append(text, CLAIM_SIZE, ".");
}

static void append_whole(const Overview *overview, const SizeBest *best, char *text) {
    const Row *fastest = best->fastest[TIME_END_TO_END];
    char value[8];
    if (fastest == NULL || best->device[TIME_END_TO_END] == NULL) {
        return;
    }
    text_append(text, CLAIM_SIZE, " End to end, %s memory and back, ",
                run_argument(overview->run, "--pinned", value, sizeof value) ? "from page-locked"
                                                                             : "from ordinary");
    append_label(fastest, text);
    text_append(text, CLAIM_SIZE, " is fastest with ");
    append_time(fastest, TIME_END_TO_END, text);
    if (row_is_on_cpu(fastest)) {
        append_loser(best->device[TIME_END_TO_END], TIME_END_TO_END, text);
    } else {
        append_ratio(fastest, OVER_BEST_CPU, TIME_END_TO_END, ", ", "the best CPU variant, ", text);
    }
    text_append(text, CLAIM_SIZE, ".");
}

static void append_crossover(const Overview *overview, const RunGroup *group, char *text) {
    char kernel[OVERVIEW_TEXT_SIZE * 3];
    char whole[OVERVIEW_TEXT_SIZE * 3];
    size_t kernel_sizes;
    size_t whole_sizes;
    crossover_phrase(overview, group, NULL, TIME_KERNEL, kernel, sizeof kernel, &kernel_sizes);
    crossover_phrase(overview, group, NULL, TIME_END_TO_END, whole, sizeof whole, &whole_sizes);
    if (kernel_sizes < 2 || whole_sizes < 2) {
        return; /* one size has been told about */
    }
    text_append(text, CLAIM_SIZE,
                " The fastest GPU variant is ahead of the fastest CPU variant by kernel time: %s; "
                "end to end: %s.",
                kernel, whole);
}

static void add_group(const Overview *overview, const Family *family, const RunGroup *group) {
    SizeBest *sizes;
    size_t count;
    if (!overview_check(overview, size_best_find(group, &sizes, &count)) || count == 0) {
        return;
    }
    char text[CLAIM_SIZE];
    char words[OVERVIEW_TEXT_SIZE];
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    const SizeBest *largest = &sizes[count - 1];
    size_words(largest->fastest[TIME_KERNEL], words);
    answer_words(family, group, true, answer, sizeof answer);
    snprintf(text, sizeof text, "At %s%s%.300s, ", words, answer[0] != '\0' ? " with " : "",
             answer);
    append_kernel(largest, text);
    append_whole(overview, largest, text);
    append_crossover(overview, group, text);
    document_add(overview->document, BLOCK_PARAGRAPH, "%s", text);
    free(sizes);
}

/* --- What was measured --------------------------------------------------------------------------
 */

/* "seq, simd and omp on the CPU": variants with a verified time in some group, those on the CPU or
 * the others. */
static void append_variants(const Family *family, bool cpu, const char *processor, char *text) {
    const Variant *named[VARIANTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < family->count; i++) {
        for (size_t j = 0; j < family->groups[i]->count; j++) {
            const Row *row = family->groups[i]->rows[j];
            size_t place = 0;
            while (place < count && named[place] != row->variant) {
                place++;
            }
            if (place == count && count < VARIANTS_MAX && row_is_on_cpu(row) == cpu &&
                isfinite(row_seconds(row, TIME_KERNEL))) {
                named[count++] = row->variant;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        text_append(text, CLAIM_SIZE, "%s%s",
                    i == 0           ? ""
                    : i + 1 == count ? " and "
                                     : ", ",
                    named[i]->name);
    }
    if (count > 0) {
        text_append(text, CLAIM_SIZE, " on the %s", processor);
    } else {
        text_append(text, CLAIM_SIZE, "no %s variant has a time", cpu ? "CPU" : "GPU");
    }
}

/* Smallest and largest of the family, and how many there are. */
static void append_sizes(const Overview *overview, const Family *family, char *text) {
    const Row *least = NULL;
    const Row *most = NULL;
    size_t number = 0;
    for (size_t i = 0; i < family->count; i++) {
        SizeBest *sizes;
        size_t count;
        if (!overview_check(overview, size_best_find(family->groups[i], &sizes, &count)) ||
            count == 0) {
            continue;
        }
        const Row *first = sizes[0].fastest[TIME_KERNEL];
        const Row *last = sizes[count - 1].fastest[TIME_KERNEL];
        least = least == NULL || row_size(first) < row_size(least) ? first : least;
        most = most == NULL || row_size(last) > row_size(most) ? last : most;
        number = count > number ? count : number;
        free(sizes);
    }
    char from[OVERVIEW_TEXT_SIZE];
    char to[OVERVIEW_TEXT_SIZE];
    if (most == NULL) {
        return;
    }
    size_words(most, to);
    if (row_is_picture(least)) {
        size_words(least, from);
    } else {
        size_short(least, from); /* the unit is said once */
    }
    if (number == 1 && row_size(least) == row_size(most)) {
        text_append(text, CLAIM_SIZE, " at one size, %s", to);
    } else {
        text_append(text, CLAIM_SIZE, " at %zu sizes, %s to %s", number, from, to);
    }
}

static const char *device_name(const Overview *overview) {
    const Fact *fact = machine_fact(&overview->run->stored->machine, "gpu_model");
    return fact != NULL ? fact->text : "GPU";
}

static const char *processor_name(const Overview *overview) {
    const Fact *fact = machine_fact(&overview->run->stored->machine, "cpu_model");
    return fact != NULL ? fact->text : "CPU";
}

static void add_measured(const Overview *overview, const Family *family) {
    char text[CLAIM_SIZE] = "";
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    family_name(family, text, sizeof text);
    answer_words(family, family->groups[0], false, answer, sizeof answer);
    if (answer[0] != '\0') {
        text_append(text, CLAIM_SIZE, ", %.300s,", answer);
    }
    append_sizes(overview, family, text);
    if (family->count > 1) {
        text_append(text, CLAIM_SIZE, ", and %zu answer points", family->count);
    }
    text_append(text, CLAIM_SIZE, ": ");
    append_variants(family, true, processor_name(overview), text);
    text_append(text, CLAIM_SIZE, "; ");
    append_variants(family, false, device_name(overview), text);
    text_append(text, CLAIM_SIZE, ".");
    document_add(overview->document, BLOCK_PARAGRAPH, "%s", text);
}

static bool has_times(const Family *family) {
    for (size_t i = 0; i < family->count; i++) {
        if (group_largest(family->groups[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void overview_words(const Overview *overview) {
    if (overview->count == 0) {
        document_add(overview->document, BLOCK_WARNING, "This run has no cells.");
    }
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        char name[256];
        family_name(family, name, sizeof name);
        if (!has_times(family)) {
            document_add(overview->document, BLOCK_WARNING,
                         "%s: no cell has a verified time; the reasons are below.", name);
            continue;
        }
        add_measured(overview, family);
        for (size_t j = 0; j < family->count; j++) {
            if (family_shows(family, j)) {
                add_group(overview, family, family->groups[j]);
            }
        }
    }
}

/* === Overview summary ========================================================================= */

/* What the table needs for the rows it has. */
typedef struct Layout {
    TimeUnit unit;
    bool devices; /* some size has a time on a device */
    bool bases;   /* some row has a speedup over its base */
    bool ratios;  /* some device has a speedup over a CPU variant */
    bool measured;
    /* Of all rows, where that is one and the same; otherwise each has its own. */
    char best_cpu[RESULT_LABEL_SIZE];
    bool many_best_cpus;
    char size[OVERVIEW_TEXT_SIZE]; /* likewise */
    bool many_sizes;
} Layout;

static void look_at(const Row *row, TimeKind kind, Layout *layout, TimeRange *range) {
    if (row != NULL) {
        time_range_add(range, row_seconds(row, kind));
        layout->measured = true;
        layout->devices |= !row_is_on_cpu(row);
        layout->bases |= isfinite(row->speedup);
    }
}

static void look_at_best_cpu(const SizeBest *best, Layout *layout) {
    const Row *device = best->device[TIME_KERNEL];
    const Row *cpu = best->cpu[TIME_KERNEL];
    char label[RESULT_LABEL_SIZE] = "none";
    if (cpu != NULL) {
        variant_label(cpu->variant, &cpu->tuning, label, sizeof label);
    }
    layout->devices |= device != NULL;
    layout->ratios |= device != NULL && isfinite(device->speedup_vs_best_cpu);
    layout->many_best_cpus |= layout->best_cpu[0] != '\0' && strcmp(layout->best_cpu, label) != 0;
    snprintf(layout->best_cpu, sizeof layout->best_cpu, "%s", label);
}

static void look_at_size(const Row *row, Layout *layout) {
    char size[OVERVIEW_TEXT_SIZE];
    size_words(row, size);
    layout->many_sizes |= layout->size[0] != '\0' && strcmp(layout->size, size) != 0;
    snprintf(layout->size, sizeof layout->size, "%s", size);
}

static void look_at_group(const Overview *overview, const RunGroup *group, Layout *layout,
                          TimeRange *range) {
    SizeBest *sizes;
    size_t count;
    if (!overview_check(overview, size_best_find(group, &sizes, &count))) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        look_at(sizes[i].fastest[TIME_KERNEL], TIME_KERNEL, layout, range);
        look_at(sizes[i].fastest[TIME_END_TO_END], TIME_END_TO_END, layout, range);
        look_at_best_cpu(&sizes[i], layout);
        look_at_size(sizes[i].fastest[TIME_KERNEL], layout);
    }
    free(sizes);
}

static Layout layout_of(const Overview *overview) {
    Layout layout = {.devices = false};
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < overview->count; i++) {
        for (size_t j = 0; j < overview->families[i].count; j++) {
            look_at_group(overview, overview->families[i].groups[j], &layout, &range);
        }
    }
    layout.unit = time_unit(&range);
    return layout;
}

static void add_column(Document *document, DocTable *table, const char *group, const char *title,
                       bool numeric) {
    table_column(document, table, &(DocColumn){.title = title, .group = group, .numeric = numeric});
}

/* What sizes are counted in, where that is the same for all and not seen from their names. */
static const char *size_title(const Overview *overview) {
    const char *unit = row_size_unit(overview->families[0].head);
    for (size_t i = 0; i < overview->count; i++) {
        const Row *head = overview->families[i].head;
        if (row_is_picture(head) || strcmp(row_size_unit(head), unit) != 0) {
            return "size";
        }
    }
    return unit;
}

static void add_columns(const Overview *overview, DocTable *table, const Layout *layout) {
    Document *document = overview->document;
    const char *kernel = layout->devices ? "kernel" : NULL;
    const char *whole = "end to end";
    char time[32];
    snprintf(time, sizeof time, "time (%s)", layout->unit.name);
    group_columns(overview, table);
    if (layout->many_sizes) {
        add_column(document, table, NULL, size_title(overview), false);
    }
    add_column(document, table, kernel, "fastest", false);
    add_column(document, table, kernel, time, true);
    if (layout->bases) {
        add_column(document, table, kernel, "over seq", true);
    }
    if (layout->many_best_cpus) {
        add_column(document, table, kernel, "best CPU", false);
    }
    if (layout->ratios) {
        add_column(document, table, kernel, "GPU over CPU", true);
    }
    /* Where the table is too wide for the page, this one shall not be out of sight. */
    if (layout->ratios) {
        add_column(document, table, whole, "GPU over CPU", true);
        add_column(document, table, whole, "best GPU", false);
    }
    if (layout->devices) {
        add_column(document, table, whole, "fastest", false);
        add_column(document, table, whole, time, true);
    }
}

static void add_row(const Overview *overview, DocTable *table, const SizeBest *best,
                    const Layout *layout) {
    Document *document = overview->document;
    const Row *fastest = best->fastest[TIME_KERNEL];
    const Row *whole = best->fastest[TIME_END_TO_END];
    group_cells(overview, table, fastest);
    if (layout->many_sizes) {
        size_cell(document, table, fastest);
    }
    variant_cell(document, table, fastest);
    time_cell(document, table, fastest, TIME_KERNEL, &layout->unit);
    if (layout->bases) {
        ratio_cell(document, table, fastest, OVER_SEQ, TIME_KERNEL, false);
    }
    if (layout->many_best_cpus) {
        variant_cell(document, table, best->cpu[TIME_KERNEL]);
    }
    if (layout->ratios) {
        ratio_cell(document, table, best->device[TIME_KERNEL], OVER_BEST_CPU, TIME_KERNEL, true);
    }
    if (layout->ratios) {
        ratio_cell(document, table, best->device[TIME_END_TO_END], OVER_BEST_CPU, TIME_END_TO_END,
                   true);
        variant_cell(document, table, best->device[TIME_END_TO_END]);
    }
    if (layout->devices) {
        variant_cell(document, table, whole);
        time_cell(document, table, whole, TIME_END_TO_END, &layout->unit);
    }
}

static void add_summary_group(const Overview *overview, DocTable *table, const RunGroup *group,
                              const Layout *layout) {
    SizeBest *sizes;
    size_t count;
    if (overview_check(overview, size_best_find(group, &sizes, &count))) {
        for (size_t i = 0; i < count; i++) {
            add_row(overview, table, &sizes[i], layout);
        }
        free(sizes);
    }
}

static const char *note_of(const Overview *overview, const Layout *layout) {
    Document *document = overview->document;
    char value[8];
    const char *memory =
        run_argument(overview->run, "--pinned", value, sizeof value) ? "page-locked" : "ordinary";
    const char *seq = layout->bases ? " Over seq counts against one plain thread." : "";
    const char *whole = "";
    const char *ratio = "";
    if (layout->devices) {
        whole = document_text(document,
                              " End to end is upload, kernel and download, from and to %s memory; "
                              "on the CPU it is the kernel.",
                              memory);
    }
    if (layout->ratios) {
        ratio = document_text(document,
                              " GPU over CPU is the fastest GPU variant over the fastest cell of "
                              "all CPU variants and thread counts of that size%s%s; below 1 it is "
                              "a loss.",
                              layout->many_best_cpus ? "" : ", which is always ",
                              layout->many_best_cpus ? "" : layout->best_cpu);
    }
    return document_text(document,
                         "Medians of the fastest tunings; in parentheses 95%% intervals.%s%s%s",
                         seq, ratio != NULL ? ratio : "", whole != NULL ? whole : "");
}

static void overview_summary(const Overview *overview) {
    enum { OPEN_ROWS_MAX = 60 };
    Document *document = overview->document;
    document_heading(document, 2, "Summary");
    overview_words(overview);
    const Layout layout = layout_of(overview);
    if (!layout.measured) {
        return;
    }
    const char *caption = layout.many_sizes
                              ? "The fastest variants of each size"
                              : document_text(document, "The fastest variants at %s", layout.size);
    DocTable *table = document_table(document, "summary", caption);
    add_columns(overview, table, &layout);
    for (size_t i = 0; i < overview->count; i++) {
        for (size_t j = 0; j < overview->families[i].count; j++) {
            add_summary_group(overview, table, overview->families[i].groups[j], &layout);
        }
    }
    if (table != NULL) {
        table->sortable = true;
        table->collapsed = table->row_count > OPEN_ROWS_MAX;
        table->note = note_of(overview, &layout);
    }
}

/* === Overview one size ======================================================================== */

enum { POINTS_SIZE = 1024 };

/* Answer points that have both times, those at which the device is ahead, and their names. */
typedef struct Ahead {
    size_t points, ahead;
    char names[POINTS_SIZE];
} Ahead;

static Ahead count_ahead(const Overview *overview, const Family *family, const Variant *variant,
                         TimeKind kind) {
    Ahead count = {.points = 0};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const Crossover crossover = group_crossover(overview, group, variant, kind);
        count.points += crossover.points > 0;
        if (crossover.kind == CROSSOVER_ALWAYS) {
            char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
            answer_words(family, group, true, answer, sizeof answer);
            count.ahead++;
            text_append(count.names, sizeof count.names, "%s%s", count.names[0] != '\0' ? "; " : "",
                        answer);
        }
    }
    return count;
}

static void ahead_cell(const Overview *overview, DocTable *table, const Family *family,
                       const Variant *variant, TimeKind kind) {
    const Ahead count = count_ahead(overview, family, variant, kind);
    const bool several = family->count > 1;
    char text[OVERVIEW_TEXT_SIZE];
    if (count.points == 0) {
        snprintf(text, sizeof text, "no time");
    } else if (!several) {
        snprintf(text, sizeof text, "%s", count.ahead > 0 ? "ahead" : "behind");
    } else {
        snprintf(text, sizeof text, "ahead at %zu of %zu", count.ahead, count.points);
    }
    table_cell(overview->document, table,
               &(DocCell){.text = text,
                          .number = count.points > 0 ? (double)count.ahead : (double)NAN,
                          .note = count.names[0] != '\0' ? count.names : NULL,
                          .kind = count.points == 0  ? CELL_MISSING
                                  : count.ahead == 0 ? CELL_BAD
                                                     : CELL_PLAIN});
}

static void add_variants(const Overview *overview, DocTable *table, const Family *family) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(family->groups[0], variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!variant_is_on_cpu(variants[i])) {
            table_words(overview->document, table, variants[i]->name);
            ahead_cell(overview, table, family, variants[i], TIME_KERNEL);
            ahead_cell(overview, table, family, variants[i], TIME_END_TO_END);
        }
    }
}

/* Where one size was measured: at how many answer points each variant on a device is ahead. */
static void one_size_table(const Overview *overview, const Family *family) {
    Document *document = overview->document;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE] = "one size";
    for (size_t i = 0; i < family->count; i++) {
        const Row *row = group_largest(family->groups[i]);
        if (row != NULL) {
            size_words(row, size);
        }
    }
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    document_add(document, BLOCK_PARAGRAPH,
                 "%s: only %s was measured on both sides, so no crossover over sizes can be given.",
                 name, size);
    DocTable *table = document_table(
        document, document_text(document, "crossover-%s", slug),
        document_text(document, "%s at %s: who is ahead of the fastest CPU variant%s", name, size,
                      family->count > 1 ? ", in answer points" : ""));
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "by kernel time"});
    table_column(document, table, &(DocColumn){.title = "end to end"});
    add_variants(overview, table, family);
    if (table != NULL) {
        table->sortable = true;
        table->note = "Each variant at its fastest tuning.";
    }
}

/* === Overview crossovers ====================================================================== */

enum { PHRASE_SIZE = 320 };

static void phrase_cell(const Overview *overview, DocTable *table, const RunGroup *group,
                        const Variant *variant, TimeKind kind) {
    char text[PHRASE_SIZE];
    size_t points;
    crossover_phrase(overview, group, variant, kind, text, sizeof text, &points);
    crossover_cell(overview->document, table, text);
}

static void group_rows(const Overview *overview, DocTable *table, const RunGroup *group) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(group, variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (variant_is_on_cpu(variants[i])) {
            continue;
        }
        group_cells(overview, table, group->rows[0]);
        table_words(overview->document, table, variants[i]->name);
        phrase_cell(overview, table, group, variants[i], TIME_KERNEL);
        phrase_cell(overview, table, group, variants[i], TIME_END_TO_END);
    }
}

/* --- Families by what they have -----------------------------------------------------------------
 */

typedef struct Extent {
    bool devices, cpus; /* have times */
    size_t sizes;       /* most of a group that both have */
} Extent;

static Extent extent_of(const Overview *overview, const Family *family) {
    Extent extent = {.sizes = 0};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            const bool timed = isfinite(row_seconds(group->rows[j], TIME_KERNEL));
            const bool cpu = row_is_on_cpu(group->rows[j]);
            extent.devices |= timed && !cpu;
            extent.cpus |= timed && cpu;
        }
        const size_t sizes = group_crossover(overview, group, NULL, TIME_KERNEL).points;
        extent.sizes = sizes > extent.sizes ? sizes : extent.sizes;
    }
    return extent;
}

static DocTable *open_crossover_table(const Overview *overview) {
    Document *document = overview->document;
    DocTable *table =
        document_table(document, "crossover",
                       "From what size on each GPU variant is faster than the fastest "
                       "CPU variant of that size");
    group_columns(overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "by kernel time"});
    table_column(document, table, &(DocColumn){.title = "end to end"});
    if (table != NULL) {
        table->note = document_text(
            document, "Each variant at its fastest tuning. Places between two sizes are "
                      "interpolated on logarithmic axes; in parentheses, where the 95%% intervals "
                      "of the times put them. Outside the sizes measured nothing is claimed.");
        table->sortable = true;
    }
    return table;
}

static void say_why_not(const Overview *overview, const Family *family, const Extent *extent) {
    char name[256];
    family_name(family, name, sizeof name);
    document_add(overview->document, BLOCK_PARAGRAPH,
                 "%s: no %s variant has a verified time, so there is nothing to overtake%s.", name,
                 extent->devices ? "CPU" : "GPU", extent->devices ? "" : " with");
}

static void overview_crossovers(const Overview *overview) {
    enum { OPEN_ROWS_MAX = 60 };
    DocTable *table = NULL;
    document_heading(overview->document, 2, "Crossover");
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        const Extent extent = extent_of(overview, family);
        if (!extent.devices || !extent.cpus) {
            say_why_not(overview, family, &extent);
        } else if (extent.sizes < 2) {
            one_size_table(overview, family);
            answer_crossovers(overview, family);
        } else {
            table = table != NULL ? table : open_crossover_table(overview);
            for (size_t j = 0; j < family->count; j++) {
                group_rows(overview, table, family->groups[j]);
            }
        }
    }
    if (table != NULL) {
        table->collapsed = table->row_count > OPEN_ROWS_MAX;
    }
}

/* === Overview ================================================================================= */

void overview_build(const OverviewRun *run, Document *document) {
    Overview overview;
    overview_open(run, document, &overview);
    overview_summary(&overview);
    overview_crossovers(&overview);
    overview_charts(&overview);
    overview_stages(&overview);
    overview_rooflines(&overview);
    overview_verification(&overview);
    overview_cells(&overview);
    overview_reasons(&overview);
    overview_machine(&overview);
    overview_method(&overview);
    overview_close(&overview);
}
