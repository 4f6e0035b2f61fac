/* A comparison as table, Markdown, JSON, JUnit and annotations. */

#include "compare_internal.h"
#include "files.h"
#include "json.h"
#include "markup_text.h"
#include "number.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "two_runs.h"
#include "words.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* === Phrases that several formats share ======================================================= */

enum { WORDS_SIZE = COMPARISON_WORDS_SIZE, TIME_DIGITS = 4 };

/* "1.097 to 1.108 (95.0%)"; empty when there are too few launches for an interval. */
static void words_interval(const CellJudgement *judgement, char text[WORDS_SIZE]) {
    text[0] = '\0';
    if (isfinite(judgement->difference.ratio.low)) {
        snprintf(text, WORDS_SIZE, "%.3f to %.3f (%.1f%%)", judgement->difference.ratio.low,
                 judgement->difference.ratio.high, 100 * judgement->difference.level);
    }
}

static bool is_failed(const ComparedCell *cell) {
    return cell->judgement.change == CHANGE_FAILED;
}

/* "8", or "8 / 6" when the new run has another number of launches than the old one. */
static void words_launches(const ComparedCell *cell, char text[WORDS_SIZE]) {
    snprintf(text, WORDS_SIZE, "%zu", cell->before->launch_count);
    if (cell->now->launch_count != cell->before->launch_count) {
        text_append(text, WORDS_SIZE, " / %zu", cell->now->launch_count);
    }
}

/* "in the old run alone", "skipped in the new run: no device". */
static void words_unpaired(const UnpairedCell *cell, char text[WORDS_SIZE]) {
    snprintf(text, WORDS_SIZE, "%s%s%s", cell->where, cell->why[0] != '\0' ? ": " : "", cell->why);
}

/* Cells that are judged, and those that failed. */
static size_t count_cells(const Comparison *comparison) {
    return comparison_judged(comparison) + comparison->changes[CHANGE_FAILED];
}

/* "9 cells: 1 slower, 0 faster, 7 same, 1 undecided; 2 missing, 0 new", with those that failed
 * first. */
static void words_counts(const Comparison *comparison, char text[WORDS_SIZE]) {
    const size_t *changes = comparison->changes;
    const size_t cells = count_cells(comparison);
    snprintf(text, WORDS_SIZE, "%zu cell%s: ", cells, cells == 1 ? "" : "s");
    if (changes[CHANGE_FAILED] > 0) {
        text_append(text, WORDS_SIZE, "%zu failed, ", changes[CHANGE_FAILED]);
    }
    text_append(text, WORDS_SIZE,
                "%zu slower, %zu faster, %zu same, %zu undecided; %zu missing, %zu new",
                changes[CHANGE_SLOWER], changes[CHANGE_FASTER], changes[CHANGE_SAME],
                changes[CHANGE_UNDECIDED], comparison->missing_count, comparison->added_count);
    if (changes[CHANGE_ACCEPTED] > 0) {
        text_append(text, WORDS_SIZE, "; %zu slower and accepted", changes[CHANGE_ACCEPTED]);
    }
    if (changes[CHANGE_ROOF] > 0) {
        text_append(text, WORDS_SIZE, "; %zu roof%s, not judged", changes[CHANGE_ROOF],
                    changes[CHANGE_ROOF] == 1 ? "" : "s");
    }
}

/* "Σ new / Σ old = 12.1 ms / 11.9 ms = 1.017". */
static void words_total(const Comparison *comparison, char text[WORDS_SIZE]) {
    char before[WORDS_SIZE], now[WORDS_SIZE];
    seconds_text_ascii(comparison->old_total, TIME_DIGITS, before);
    seconds_text_ascii(comparison->new_total, TIME_DIGITS, now);
    snprintf(text, WORDS_SIZE, "Σ new / Σ old = %.64s / %.64s = %.3f", now, before,
             comparison_total_ratio(comparison));
}

/* "3 old and 1 new times were disturbed, …"; empty where none is. */
static void words_disturbed(const Comparison *comparison, char text[WORDS_SIZE]) {
    size_t before = 0, now = 0;
    Disturber first = DISTURBER_NONE;
    for (size_t i = 0; i < comparison->count; i++) {
        const RunDifference *difference = &comparison->cells[i].judgement.difference;
        if (comparison->cells[i].judgement.change == CHANGE_ROOF) {
            continue;
        }
        before += difference->disturbed_before != DISTURBER_NONE;
        now += difference->disturbed_now != DISTURBER_NONE;
        first = disturber_of_either(
            first, disturber_of_either(difference->disturbed_before, difference->disturbed_now));
    }
    text[0] = '\0';
    if (first != DISTURBER_NONE) {
        snprintf(text, WORDS_SIZE,
                 "%zu old and %zu new times were disturbed, as by %s: they may be too long, and a "
                 "change that this may have made is undecided",
                 before, now, disturber_name(first));
    }
}

/* The rule by which a cell is called slower or the same, with this comparison's numbers. */
static void words_rule(const Comparison *comparison, char text[WORDS_SIZE]) {
    const double threshold = comparison->criteria.threshold;
    snprintf(
        text, WORDS_SIZE,
        "slower: Mann–Whitney p of the launch medians small enough by Holm's method at %g for "
        "%zu cell%s, and new / old, the median over all pairs of launches, above %g; same: its "
        "interval within %.3f to %g",
        comparison->criteria.alpha, comparison_judged(comparison),
        comparison_judged(comparison) == 1 ? "" : "s", 1 + threshold, 1 / (1 + threshold),
        1 + threshold);
}

/* Of the cells that show no change. */
static Detectable detectable_of(const Comparison *comparison) {
    Detectable all = {.cells = 0};
    for (size_t i = 0; i < comparison->count; i++) {
        const CellJudgement *judgement = &comparison->cells[i].judgement;
        if (judgement->change == CHANGE_SAME || judgement->change == CHANGE_UNDECIDED) {
            detectable_add(&all, judgement->difference.detectable);
        }
    }
    return all;
}

static void words_detectable(const Comparison *comparison, char text[WORDS_SIZE]) {
    const Detectable all = detectable_of(comparison);
    detectable_words(&all, "change", "cell", text, WORDS_SIZE);
}

void comparison_conclusion(const Comparison *comparison, char text[COMPARISON_WORDS_SIZE]) {
    static const CellChange shown[] = {CHANGE_FAILED, CHANGE_SLOWER, CHANGE_FASTER,
                                       CHANGE_ACCEPTED};
    const Detectable others = detectable_of(comparison);
    size_t changed = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const size_t count = comparison->changes[shown[i]];
        if (count > 0) {
            text_append(text, WORDS_SIZE, "%s%zu%s %s", changed > 0 ? ", " : "", count,
                        changed > 0 ? "" : plural(count, " cell", " cells"), change_name(shown[i]));
        }
        changed += count;
    }
    text_append(text, WORDS_SIZE, "%s", changed > 0 ? "" : "no change seen");
    detectable_brief(&others, changed > 0, text, WORDS_SIZE);
}

bool comparison_warning(const Comparison *comparison, char text[COMPARISON_WORDS_SIZE]) {
    const Detectable others = detectable_of(comparison);
    const size_t judged = comparison_judged(comparison);
    if (others.few == 0) {
        return false;
    }
    const size_t needed = launches_needed(comparison->criteria.alpha / (double)judged);
    snprintf(text, WORDS_SIZE, "%zu of %zu %s could not have shown any change: too few launches",
             others.few, judged, plural(judged, "cell", "cells"));
    if (needed > 0) {
        text_append(text, WORDS_SIZE, "; for %zu %s, %zu a side can", judged,
                    plural(judged, "cell", "cells"), needed);
    }
    return true;
}

/* "1.10× slower (1.09 to 1.11), p 0.00016 of 8 launches, 1.234 ms before, 1.360 ms now", and why
 * when undecided; of a cell that failed why alone. */
static void words_cell(const ComparedCell *cell, char text[WORDS_SIZE]) {
    if (is_failed(cell)) {
        snprintf(text, WORDS_SIZE, "%s", cell->judgement.why);
        return;
    }
    char before[WORDS_SIZE], now[WORDS_SIZE], words[NUMBER_WORDS_SIZE], launches[WORDS_SIZE];
    const CellJudgement *judgement = &cell->judgement;
    seconds_text_ascii(cell->before->median, TIME_DIGITS, before);
    seconds_text_ascii(cell->now->median, TIME_DIGITS, now);
    difference_words(&judgement->difference, words);
    words_launches(cell, launches);
    const bool explained = judgement->why[0] != '\0';
    const bool one = cell->before->launch_count == 1 && cell->now->launch_count == 1;
    snprintf(text, WORDS_SIZE, "%s, p %.2g of %.32s launch%s, %.64s before, %.64s now%s%s", words,
             judgement->difference.p, launches, one ? "" : "es", before, now, explained ? "; " : "",
             judgement->why);
}

/* === Tables of cells ========================================================================== */

#define NUMBER_COLUMNS                                                                             \
    NUMBERS("old"), NUMBERS("new"), NUMBERS("new/old"), NUMBERS("interval", .rank = 1),            \
        NUMBERS("p", .rank = 2), NUMBERS("launches", .rank = 3)

enum { NUMBER_COUNT = 6 };

/* The cells of NUMBER_COLUMNS; of a cell that failed only the old time, where there is one. */
static void add_numbers(TextTable *cells, const ComparedCell *cell) {
    char text[WORDS_SIZE] = "";
    if (cell->before != NULL) {
        seconds_text_ascii(cell->before->median, TIME_DIGITS, text);
    }
    text_table_put(cells, "%s", text);
    for (int i = 1; is_failed(cell) && i < NUMBER_COUNT; i++) {
        text_table_skip(cells);
    }
    if (is_failed(cell)) {
        return;
    }
    seconds_text_ascii(cell->now->median, TIME_DIGITS, text);
    text_table_put(cells, "%s", text);
    text_table_put(cells, "%.3f", cell->judgement.difference.ratio.value);
    words_interval(&cell->judgement, text);
    text_table_put(cells, "%s", text);
    text_table_put(cells, "%.2g", cell->judgement.difference.p);
    words_launches(cell, text);
    text_table_put(cells, "%s", text);
}

/* === Format table ============================================================================= */

static void print_run(FILE *stream, const char *word, const MeasuredRun *run) {
    const bool own = run->commit[0] == '\0';
    const char *commit = own ? machine_commit(&run->machine) : run->commit;
    const char *path = run->path[0] != '\0' ? run->path : "this run";
    if (commit[0] != '\0') {
        const bool changed = own && machine_is_dirty(&run->machine);
        flow_line(stream, 5, "%s  %s  (commit %s%s)", word, path, commit,
                  changed ? " with changes" : "");
    } else {
        visible_line(stream, "%s  %s", word, path);
    }
}

/* The name is the last column, since it may have any length. */
static Status print_cells(FILE *stream, const Comparison *comparison) {
    TextTable cells = TEXT_TABLE(WORDS("change"), NUMBER_COLUMNS, WORDS("cell"));
    cells.table.wraps = true;
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        const CellChange change = cell->judgement.change;
        text_table_put_ink(&cells,
                           change == CHANGE_SLOWER || change == CHANGE_FAILED ? INK_SLOWER
                           : change == CHANGE_FASTER                          ? INK_FASTER
                                                                              : INK_PLAIN,
                           change_name(change));
        add_numbers(&cells, cell);
        text_table_put_kind(&cells, CELL_PLAIN, cell->name);
    }
    return text_table_end(&cells, stream, table_print);
}

/* How many of the cells from `first` to the one before `end` share the reason of `cell`. */
static size_t count_alike(const Comparison *comparison, const ComparedCell *cell, size_t first,
                          size_t end) {
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        const CellJudgement *other = &comparison->cells[i].judgement;
        count +=
            other->change == cell->judgement.change && strcmp(other->why, cell->judgement.why) == 0;
    }
    return count;
}

/* A reason is told once, with the first of its cells: the table has them all. */
static void print_reasons(FILE *stream, const Comparison *comparison, CellChange change,
                          const char *title) {
    if (comparison->changes[change] == 0) {
        return;
    }
    fprintf(stream, "\n%s\n", title);
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        if (cell->judgement.change != change || count_alike(comparison, cell, 0, i) > 0) {
            continue;
        }
        const size_t more = count_alike(comparison, cell, i + 1, comparison->count);
        char others[48] = "";
        if (more > 0) {
            snprintf(others, sizeof others, " and %zu more", more);
        }
        flow_line(stream, 4, "  %s%s: %s", cell->name, others, cell->judgement.why);
    }
}

static void print_list(FILE *stream, const char *title, const UnpairedCell *cells, size_t count) {
    if (count > 0) {
        fprintf(stream, "\n%s\n", title);
    }
    for (size_t i = 0; i < count; i++) {
        if (cells[i].why[0] != '\0') {
            char text[WORDS_SIZE];
            words_unpaired(&cells[i], text);
            flow_line(stream, 4, "  %s: %s", cells[i].name, text);
        } else {
            visible_line(stream, "  %s", cells[i].name);
        }
    }
}

Status compare_print_table(FILE *stream, const Comparison *comparison) {
    char text[WORDS_SIZE];
    print_run(stream, "old", comparison->before);
    print_run(stream, "new", comparison->now);
    if (comparison->difference[0] != '\0') {
        flow_line(stream, 2, "compared all the same: %s", comparison->difference);
    }
    fputc('\n', stream);
    STATUS_TRY(print_cells(stream, comparison));
    print_reasons(stream, comparison, CHANGE_FAILED, "Failed in the new run");
    print_reasons(stream, comparison, CHANGE_UNDECIDED, "Undecided, because");
    print_reasons(stream, comparison, CHANGE_ACCEPTED, "Slower and accepted, because");
    print_list(stream, "Missing: in the old run alone", comparison->missing,
               comparison->missing_count);
    print_list(stream, "New: in the new run alone", comparison->added, comparison->added_count);
    words_counts(comparison, text);
    fputc('\n', stream);
    flow_line(stream, 2, "%s", text);
    if (comparison_judged(comparison) > 0) {
        words_total(comparison, text);
        flow_line(stream, 2, "%s", text);
        words_disturbed(comparison, text);
        if (text[0] != '\0') {
            flow_line(stream, 2, "%s", text);
        }
        words_detectable(comparison, text);
        if (text[0] != '\0') {
            flow_line(stream, 2, "%s", text);
        }
        words_rule(comparison, text);
        flow_line(stream, 2, "%s", text);
    }
    return status_ok();
}

/* === Format markdown ========================================================================== */

/* What a reader should look at: it has changed, or seems to. */
static bool is_striking(const Comparison *comparison, const ComparedCell *cell) {
    const CellJudgement *judgement = &cell->judgement;
    return judgement->change == CHANGE_UNDECIDED
               ? ratio_is_beyond(&judgement->difference.ratio, comparison->criteria.threshold)
               : judgement->change != CHANGE_SAME && judgement->change != CHANGE_ROOF;
}

static size_t count_striking(const Comparison *comparison) {
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        count += is_striking(comparison, &comparison->cells[i]);
    }
    return count;
}

/* The striking cells, or the others. */
static Status print_markdown_cells(FILE *stream, const Comparison *comparison, bool striking) {
    TextTable cells = TEXT_TABLE(WORDS("cell"), NUMBER_COLUMNS, WORDS("change"));
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        const CellJudgement *judgement = &cell->judgement;
        if (is_striking(comparison, cell) != striking) {
            continue;
        }
        char text[WORDS_SIZE];
        snprintf(text, sizeof text, "%s%s%s", change_name(judgement->change),
                 judgement->why[0] != '\0' ? ": " : "", judgement->why);
        text_table_put_kind(&cells, CELL_PLAIN, cell->name);
        add_numbers(&cells, cell);
        const bool strong =
            judgement->change == CHANGE_SLOWER || judgement->change == CHANGE_FAILED;
        text_table_put_kind(&cells, strong ? CELL_STRONG : CELL_PLAIN, text);
    }
    STATUS_TRY(text_table_end(&cells, stream, table_print_markdown));
    fputc('\n', stream);
    return status_ok();
}

static void print_markdown_list(FILE *stream, const char *title, const UnpairedCell *cells,
                                size_t count) {
    if (count == 0) {
        return;
    }
    fprintf(stream, "%s\n\n", title);
    for (size_t i = 0; i < count; i++) {
        char text[WORDS_SIZE];
        words_unpaired(&cells[i], text);
        fputs("- ", stream);
        markdown_text(stream, cells[i].name);
        fputs(cells[i].why[0] != '\0' ? ": " : "", stream);
        markdown_text(stream, cells[i].why[0] != '\0' ? text : "");
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

static const char *heading(const Comparison *comparison) {
    if (comparison->changes[CHANGE_FAILED] > 0) {
        return comparison->changes[CHANGE_SLOWER] > 0 ? "Failed cells, and a performance regression"
                                                      : "Failed cells";
    }
    if (comparison->changes[CHANGE_SLOWER] > 0) {
        return "Performance regression";
    }
    if (comparison->changes[CHANGE_ACCEPTED] > 0) {
        return "No performance regression but accepted ones";
    }
    return comparison->changes[CHANGE_UNDECIDED] > 0 ? "No regression proved, some cells undecided"
                                                     : "No performance regression";
}

/* Unchanged cells are folded: a comment is read for the others. */
static Status compare_print_markdown(FILE *stream, const Comparison *comparison) {
    char text[WORDS_SIZE];
    fprintf(stream, "### %s\n\n", heading(comparison));
    const bool judged = comparison_judged(comparison) > 0;
    words_counts(comparison, text);
    fprintf(stream, "%s.%s", text, judged ? " " : "\n\n");
    if (judged) {
        words_total(comparison, text);
        fprintf(stream, "%s.\n\n", text);
    }
    if (comparison->difference[0] != '\0') {
        fputs("Compared all the same: ", stream);
        markdown_text(stream, comparison->difference);
        fputs("\n\n", stream);
    }
    const size_t striking = count_striking(comparison);
    if (striking > 0) {
        STATUS_TRY(print_markdown_cells(stream, comparison, true));
    }
    print_markdown_list(stream, "Missing, in the old run alone:", comparison->missing,
                        comparison->missing_count);
    print_markdown_list(stream, "New, in the new run alone:", comparison->added,
                        comparison->added_count);
    if (striking < comparison->count) {
        fprintf(stream, "<details><summary>%zu others</summary>\n\n", comparison->count - striking);
        STATUS_TRY(print_markdown_cells(stream, comparison, false));
        fputs("</details>\n\n", stream);
    }
    if (judged) {
        words_disturbed(comparison, text);
        fprintf(stream, "%s%s", text, text[0] != '\0' ? "; " : "");
        words_detectable(comparison, text);
        fprintf(stream, "%s%s", text, text[0] != '\0' ? "; " : "");
        words_rule(comparison, text);
        fprintf(stream, "%s\n", text);
    }
    return status_ok();
}

/* === Format json ============================================================================== */

/* Files keep the word that they have always had. */
static const char *change_key(CellChange change) {
    return change == CHANGE_UNDECIDED ? "ambiguous" : change_name(change);
}

static bool add_cell(cJSON *list, const ComparedCell *cell) {
    const CellJudgement *judgement = &cell->judgement;
    cJSON *object = json_add_object(list);
    if (!json_add_text(object, "name", cell->name) ||
        !json_add_text(object, "change", change_key(judgement->change)) ||
        !json_add_text(object, "why", judgement->why)) {
        return false;
    }
    if (is_failed(cell)) {
        return cell->before == NULL ||
               json_add_number(object, "old_median_s", cell->before->median);
    }
    return json_add_number(object, "old_median_s", cell->before->median) &&
           json_add_number(object, "new_median_s", cell->now->median) &&
           json_add_number(object, "old_samples", (double)cell->before->sample_count) &&
           json_add_number(object, "new_samples", (double)cell->now->sample_count) &&
           json_add_number(object, "old_launches", (double)cell->before->launch_count) &&
           json_add_number(object, "new_launches", (double)cell->now->launch_count) &&
           json_add_number(object, "ratio", judgement->difference.ratio.value) &&
           json_add_number(object, "ratio_ci_low", judgement->difference.ratio.low) &&
           json_add_number(object, "ratio_ci_high", judgement->difference.ratio.high) &&
           json_add_number(object, "ratio_ci_level", judgement->difference.level) &&
           json_add_number(object, "p", judgement->difference.p) &&
           json_add_number(object, "detectable", judgement->difference.detectable) &&
           cJSON_AddBoolToObject(object, "p_exact", judgement->difference.exact) != NULL;
}

static bool add_names(cJSON *root, const char *key, const UnpairedCell *cells, size_t count) {
    cJSON *list = cJSON_AddArrayToObject(root, key);
    bool complete = list != NULL;
    for (size_t i = 0; i < count && complete; i++) {
        complete = cJSON_AddItemToArray(list, cJSON_CreateString(cells[i].name));
    }
    return complete;
}

static bool add_summary(cJSON *root, const Comparison *comparison) {
    bool complete = json_add_text(root, "old", comparison->before->path) &&
                    json_add_text(root, "new", comparison->now->path) &&
                    json_add_text(root, "difference", comparison->difference) &&
                    json_add_number(root, "alpha", comparison->criteria.alpha) &&
                    json_add_number(root, "threshold", comparison->criteria.threshold) &&
                    json_add_number(root, "noise_floor", comparison->noise_floor) &&
                    json_add_number(root, "old_total_s", comparison->old_total) &&
                    json_add_number(root, "new_total_s", comparison->new_total) &&
                    json_add_number(root, "total_ratio", comparison_total_ratio(comparison));
    for (CellChange change = CHANGE_SAME; change < CHANGE_COUNT && complete; change++) {
        complete = json_add_number(root, change_key(change), (double)comparison->changes[change]);
    }
    return complete;
}

static bool fill(cJSON *root, const Comparison *comparison) {
    cJSON *cells = add_summary(root, comparison) ? cJSON_AddArrayToObject(root, "cells") : NULL;
    bool complete = cells != NULL;
    for (size_t i = 0; i < comparison->count && complete; i++) {
        complete = add_cell(cells, &comparison->cells[i]);
    }
    return complete &&
           add_names(root, "missing_cells", comparison->missing, comparison->missing_count) &&
           add_names(root, "new_cells", comparison->added, comparison->added_count);
}

static Status compare_print_json(FILE *stream, const Comparison *comparison) {
    cJSON *root = cJSON_CreateObject();
    const bool complete = fill(root, comparison);
    return json_print(stream, json_whole(root, complete), "the comparison as JSON");
}

/* === Format junit ============================================================================= */

static void open_case(FILE *stream, const char *name, double seconds) {
    fputs("    <testcase classname=\"bench.compare\" name=\"", stream);
    html_escape(stream, name);
    fprintf(stream, "\" time=\"%.9f\"", seconds);
}

static void add_outcome(FILE *stream, const char *element, const char *type, const char *text) {
    fprintf(stream, ">\n      <%s%s%s%s message=\"", element, type[0] != '\0' ? " type=\"" : "",
            type, type[0] != '\0' ? "\"" : "");
    html_escape(stream, text);
    fputs("\"/>\n    </testcase>\n", stream);
}

static void print_case(FILE *stream, const ComparedCell *cell, bool strict) {
    char text[WORDS_SIZE];
    const CellChange change = cell->judgement.change;
    words_cell(cell, text);
    open_case(stream, cell->name, cell->now != NULL ? cell->now->median : 0);
    if (change == CHANGE_SLOWER || change == CHANGE_FAILED ||
        (change == CHANGE_UNDECIDED && strict)) {
        add_outcome(stream, "failure", change_name(change), text);
    } else if (change == CHANGE_UNDECIDED || change == CHANGE_ACCEPTED) {
        add_outcome(stream, "skipped", "", text);
    } else {
        fputs("/>\n", stream);
    }
}

static Status compare_print_junit(FILE *stream, const Comparison *comparison, bool strict) {
    const size_t undecided = comparison->changes[CHANGE_UNDECIDED];
    const size_t tests = count_cells(comparison) + comparison->missing_count;
    const size_t failures = comparison->changes[CHANGE_SLOWER] +
                            comparison->changes[CHANGE_FAILED] + (strict ? undecided : 0);
    const size_t skipped =
        comparison->missing_count + comparison->changes[CHANGE_ACCEPTED] + (strict ? 0 : undecided);
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"%.9f\">\n"
            "  <testsuite name=\"bench compare\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "skipped=\"%zu\" time=\"%.9f\">\n",
            tests, failures, comparison->new_total, tests, failures, skipped,
            comparison->new_total);
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->cells[i].judgement.change != CHANGE_ROOF) {
            print_case(stream, &comparison->cells[i], strict);
        }
    }
    for (size_t i = 0; i < comparison->missing_count; i++) {
        char text[WORDS_SIZE];
        words_unpaired(&comparison->missing[i], text);
        open_case(stream, comparison->missing[i].name, 0);
        add_outcome(stream, "skipped", "", text);
    }
    fputs("  </testsuite>\n</testsuites>\n", stream);
    return status_ok();
}

/* === Format github ============================================================================ */

/* A percent sign begins an escape; in the title also a colon and a comma end something. Line ends,
 * which would begin another command, are visible. */
static void print_github_escaped(FILE *stream, const char *text, bool property) {
    const char *special = property ? "%:," : "%";
    while (*text != '\0') {
        if (strchr(special, *text) != NULL) {
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*text++);
        } else {
            text += visible_put(stream, text, "");
        }
    }
}

static void annotate(FILE *stream, const char *level, const char *title, const char *name,
                     const char *text) {
    fprintf(stream, "::%s title=", level);
    print_github_escaped(stream, title, true);
    fputs("::", stream);
    print_github_escaped(stream, name, false);
    fputs(text[0] != '\0' && name[0] != '\0' ? ": " : "", stream);
    print_github_escaped(stream, text, false);
    fputc('\n', stream);
}

static Status compare_print_github(FILE *stream, const Comparison *comparison, bool strict) {
    char text[WORDS_SIZE];
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        words_cell(cell, text);
        if (is_failed(cell)) {
            annotate(stream, "error", "failed", cell->name, text);
        } else if (cell->judgement.change == CHANGE_SLOWER) {
            annotate(stream, "error", "slower", cell->name, text);
        } else if (cell->judgement.change == CHANGE_ACCEPTED) {
            annotate(stream, "warning", "slower and accepted", cell->name, text);
        } else if (cell->judgement.change == CHANGE_UNDECIDED &&
                   (strict || is_striking(comparison, cell))) {
            annotate(stream, strict ? "error" : "warning", "undecided", cell->name, text);
        }
    }
    for (size_t i = 0; i < comparison->missing_count; i++) {
        words_unpaired(&comparison->missing[i], text);
        annotate(stream, "warning", "missing", comparison->missing[i].name, text);
    }
    if (comparison->difference[0] != '\0') {
        annotate(stream, "warning", "not comparable", "", comparison->difference);
    }
    if (comparison_warning(comparison, text)) {
        annotate(stream, "warning", "too few launches", "", text);
    }
    words_counts(comparison, text);
    annotate(stream, "notice", "comparison", "", text);
    return status_ok();
}

/* === Compare formats ========================================================================== */

Status compare_print(FILE *stream, CompareFormat format, const Comparison *comparison,
                     bool strict) {
    switch (format) {
    case COMPARE_MARKDOWN: return compare_print_markdown(stream, comparison);
    case COMPARE_GITHUB: return compare_print_github(stream, comparison, strict);
    case COMPARE_JUNIT: return compare_print_junit(stream, comparison, strict);
    case COMPARE_JSON: return compare_print_json(stream, comparison);
    default: return compare_print_table(stream, comparison);
    }
}

Status compare_write(const char *path, CompareFormat format, const Comparison *comparison,
                     bool strict) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    return atomic_file_end(&file, compare_print(file.stream, format, comparison, strict));
}
