/* The cells of a history over its commits, as a table and as a page. */

#include "change_points.h"
#include "document.h"
#include "estimates.h"
#include "history.h"
#include "report.h"
#include "table.h"
#include "terminal.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "builder.h"
#include "list.h"
#include "text.h"

enum { NAME_SIZE = 1100, CHANGE_WORDS_SIZE = 160, HASH_SHOWN = 8, FINDING_SIZE = 4096 };

/* === Series =================================================================================== */

/* --- Grouping --------------------------------------------------------------------------------- */

/* A commit with the launches of all its runs, while they are collected. */
typedef struct Collected {
    double when;
    size_t first; /* entry */
    const char *commit;
    double *launches;
    size_t count, capacity;
    size_t times, disturbed; /* entries */
} Collected;

typedef struct Collection {
    Collected *commits;
    size_t count, capacity;
} Collection;

static bool same_text(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool same_series(const HistoryEntry *a, const HistoryEntry *b) {
    return same_text(a->cell, b->cell) && same_text(a->input_hash, b->input_hash) &&
           same_text(a->mode, b->mode) && a->held == b->held;
}

static bool is_first(const MachineHistory *history, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (same_series(&history->entries[i], &history->entries[index])) {
            return false;
        }
    }
    return true;
}

static Status collect(Collection *collection, const HistoryEntry *entry, size_t index) {
    size_t at = 0;
    while (at < collection->count && !same_text(collection->commits[at].commit, entry->commit)) {
        at++;
    }
    if (at == collection->count) {
        LIST_ADD(NULL, collection->commits, collection->count, collection->capacity, "commits",
                 (Collected){.when = entry->when, .first = index, .commit = entry->commit});
    }
    Collected *commit = &collection->commits[at];
    /* Disturbed launches count only while there are no others. */
    const bool all_disturbed = commit->disturbed == commit->times;
    commit->times++;
    commit->disturbed += entry->disturbed;
    if (entry->disturbed && !all_disturbed) {
        return status_ok();
    }
    if (!entry->disturbed && all_disturbed) {
        commit->count = 0;
    }
    for (size_t i = 0; i < entry->launch_count; i++) {
        LIST_ADD(NULL, commit->launches, commit->count, commit->capacity, "launches",
                 entry->launches[i]);
    }
    return status_ok();
}

static void collection_release(Collection *collection) {
    for (size_t i = 0; i < collection->count; i++) {
        free(collection->commits[i].launches);
    }
    free(collection->commits);
}

/* By time; commits of one second in the order in which they were added. */
static int compare_commits(const void *left, const void *right) {
    const Collected *a = left, *b = right;
    if (a->when != b->when) {
        return a->when < b->when ? -1 : 1;
    }
    return a->first < b->first ? -1 : a->first > b->first;
}

/* --- Changes ---------------------------------------------------------------------------------- */

static Status find_changes(HistoryView *view, HistorySeries *series) {
    size_t count = 0;
    size_t *places = owned_take(&view->memory, series->count * sizeof *places);
    double *medians = owned_take(&view->memory, series->count * sizeof *medians);
    ChangeSample *samples = owned_take(&view->memory, series->count * sizeof *samples);
    series->changes = owned_take(&view->memory, series->count * sizeof *series->changes);
    STATUS_MEMORY(places != NULL && medians != NULL && samples != NULL && series->changes != NULL,
                  "for the changes of a cell");
    for (size_t i = 0; i < series->count; i++) {
        if (!series->commits[i].disturbed) {
            medians[count] = series->commits[i].seconds.value;
            samples[count] = series->commits[i].logarithms;
            places[count++] = i;
        }
    }
    STATUS_TRY(level_changes_find(samples, medians, count, view->alpha, series->changes,
                                  &series->change_count, &series->detectable));
    for (size_t i = 0; i < series->change_count; i++) {
        series->changes[i].point.at = places[series->changes[i].point.at];
    }
    return status_ok();
}

/* --- One series ------------------------------------------------------------------------------- */

/* In what entries of one name and mode differ. */
typedef struct Differences {
    bool input, held;
} Differences;

static Differences find_differences(const MachineHistory *history, const HistoryEntry *entry) {
    Differences found = {.input = false};
    for (size_t i = 0; i < history->count; i++) {
        const HistoryEntry *other = &history->entries[i];
        if (same_text(other->cell, entry->cell) && same_text(other->mode, entry->mode)) {
            found.input |= !same_text(other->input_hash, entry->input_hash);
            found.held |= other->held != entry->held;
        }
    }
    return found;
}

static const char *name_series(const MachineHistory *history, const HistoryEntry *entry,
                               HistoryView *view) {
    const Differences differences = find_differences(history, entry);
    char *name = owned_take(&view->memory, NAME_SIZE);
    if (name != NULL) {
        snprintf(name, NAME_SIZE, "%.1000s%s", entry->cell,
                 same_text(entry->mode, "cold") ? ", cold" : "");
        if (differences.input) {
            text_append(name, NAME_SIZE, ", input %.*s", HASH_SHOWN, entry->input_hash);
        }
        if (differences.held) {
            text_append(name, NAME_SIZE, ", %s waiting for the host to launch kernels",
                        entry->held ? "without" : "with");
        }
    }
    return name;
}

static Status summarize_commit(Collected *from, HistoryView *view, CommitTime *to) {
    double *logarithms = owned_take(&view->memory, from->count * sizeof *logarithms);
    STATUS_MEMORY(logarithms, "for the launches of a commit");
    view->times += from->times;
    view->disturbed += from->disturbed;
    *to = (CommitTime){.commit = from->commit,
                       .when = from->when,
                       .disturbed = from->disturbed == from->times,
                       .seconds = estimate_of_values(from->launches, from->count),
                       .logarithms = {logarithms, from->count}};
    for (size_t i = 0; i < from->count; i++) {
        logarithms[i] = log(from->launches[i]);
    }
    return status_ok();
}

static Status make_series(const MachineHistory *history, size_t first, size_t most,
                          Collection *collection, HistoryView *view) {
    const HistoryEntry *head = &history->entries[first];
    for (size_t i = first; i < history->count; i++) {
        if (same_series(head, &history->entries[i])) {
            STATUS_TRY(collect(collection, &history->entries[i], i));
        }
    }
    qsort(collection->commits, collection->count, sizeof *collection->commits, compare_commits);
    const size_t skipped = collection->count > most ? collection->count - most : 0;
    HistorySeries series = {.name = name_series(history, head, view),
                            .roof = head->roof,
                            .count = collection->count - skipped};
    series.commits = owned_take(&view->memory, series.count * sizeof *series.commits);
    STATUS_TRY(LIST_ROOM(NULL, view->series, view->count, view->capacity, "cells of a history"));
    STATUS_MEMORY(series.name != NULL && series.commits != NULL, "for the commits of a cell");
    for (size_t i = 0; i < series.count; i++) {
        STATUS_TRY(summarize_commit(&collection->commits[skipped + i], view, &series.commits[i]));
    }
    STATUS_TRY(find_changes(view, &series));
    view->series[view->count++] = series;
    return status_ok();
}

/* --- Findings --------------------------------------------------------------------------------- */

static Status find_finding(HistoryView *view, const CommitTime *of, HistoryFinding **finding) {
    size_t at = 0;
    while (at < view->finding_count && !same_text(view->findings[at].commit, of->commit)) {
        at++;
    }
    if (at == view->finding_count) {
        LIST_ADD(&view->memory, view->findings, view->finding_count, view->finding_capacity,
                 "findings", (HistoryFinding){.commit = of->commit, .when = of->when});
    }
    *finding = &view->findings[at];
    return status_ok();
}

static Status add_change(HistoryView *view, const HistorySeries *series,
                         const LevelChange *change) {
    HistoryFinding *finding;
    STATUS_TRY(find_finding(view, &series->commits[change->point.at], &finding));
    const size_t named = finding->slower.count + finding->faster.count;
    ChangedCells *cells = change->side == SIDE_SLOWER ? &finding->slower : &finding->faster;
    if (named < FINDING_CELLS) {
        finding->cells[named] = series->name;
    }
    if (cells->count++ == 0 || fabs(log(change->ratio)) > fabs(log(cells->ratio))) {
        cells->ratio = change->ratio;
    }
    return status_ok();
}

static int compare_findings(const void *left, const void *right) {
    const HistoryFinding *a = left, *b = right;
    return (a->when > b->when) - (a->when < b->when);
}

static Status find_findings(HistoryView *view) {
    for (size_t i = 0; i < view->count; i++) {
        const HistorySeries *series = &view->series[i];
        for (size_t j = 0; j < series->change_count && !series->roof; j++) {
            STATUS_TRY(add_change(view, series, &series->changes[j]));
        }
    }
    if (view->finding_count > 0) {
        qsort(view->findings, view->finding_count, sizeof *view->findings, compare_findings);
    }
    return status_ok();
}

/* --- All series ------------------------------------------------------------------------------- */

static Status add_series(const MachineHistory *history, bool roofs, size_t most,
                         HistoryView *view) {
    for (size_t i = 0; i < history->count; i++) {
        if (history->entries[i].roof == roofs && is_first(history, i)) {
            Collection collection = {.count = 0};
            const Status status = make_series(history, i, most, &collection, view);
            collection_release(&collection);
            STATUS_TRY(status);
        }
    }
    return status_ok();
}

Status history_view(const MachineHistory *history, double alpha, size_t most, HistoryView *view) {
    *view = (HistoryView){.machine = history->machine, .build = history->build, .alpha = alpha};
    Status status = add_series(history, false, most, view);
    if (status_is_ok(&status)) {
        status = add_series(history, true, most, view); /* last: nobody looks for them */
    }
    STATUS_THEN(status, find_findings(view));
    if (!status_is_ok(&status)) {
        history_view_release(view);
    }
    return status;
}

void history_view_release(HistoryView *view) {
    free(view->series);
    view->series = NULL;
    view->count = view->capacity = 0;
    owned_release(&view->memory);
}

/* === Table ==================================================================================== */

static void ratio_words(SpeedSide side, double ratio, char text[RATIO_WORDS_SIZE]) {
    const Ratio speeds = {.value = 1 / ratio, .low = NAN, .high = NAN};
    side_words(side, &speeds, COMPARED_SPEED, text);
}

/* "3f2a1b0c 1.10× slower, p 0.001" */
static void change_words(const HistorySeries *series, const LevelChange *change,
                         char text[CHANGE_WORDS_SIZE]) {
    char ratio[RATIO_WORDS_SIZE];
    ratio_words(change->side, change->ratio, ratio);
    snprintf(text, CHANGE_WORDS_SIZE, "%.*s %.64s, p %.3f", COMMIT_SHORT,
             series->commits[change->point.at].commit, ratio, change->point.p);
}

static const char *disturbed_words(const CommitTime *commit) {
    return commit->disturbed ? ", disturbed" : "";
}

static bool is_all_disturbed(const HistorySeries *series) {
    bool all = true;
    for (size_t i = 0; i < series->count; i++) {
        all &= series->commits[i].disturbed;
    }
    return all;
}

/* "none; 3.1% would have been seen" */
static void no_change_words(const HistorySeries *series, char text[NUMBER_WORDS_SIZE]) {
    char change[SIGNIFICANT_SIZE];
    if (isfinite(series->detectable)) {
        change_text(series->detectable, change);
        snprintf(text, NUMBER_WORDS_SIZE, "none; %s would have been seen", change);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "none; %s",
                 is_all_disturbed(series) ? "all times were disturbed"
                                          : "too few commits to see any");
    }
}

static void put_change(TextTable *table, const HistorySeries *series, const LevelChange *change) {
    char text[CHANGE_WORDS_SIZE];
    change_words(series, change, text);
    text_table_put_ink(table,
                       series->roof                  ? INK_FAINT
                       : change->side == SIDE_SLOWER ? INK_SLOWER
                                                     : INK_FASTER,
                       text);
}

/* A line for the cell, and one more for each further change. */
static void put_series(TextTable *table, const HistorySeries *series) {
    char text[NUMBER_WORDS_SIZE];
    const CommitTime *last = &series->commits[series->count - 1];
    seconds_text_ascii(last->seconds.value, NUMBER_DIGITS, text);
    text_table_put(table, "%zu", series->count);
    text_table_put(table, "%s%s", text, disturbed_words(last));
    if (series->change_count > 0) {
        put_change(table, series, &series->changes[0]);
    } else {
        no_change_words(series, text);
        text_table_put(table, "%s", text);
    }
    text_table_put_kind(table, series->roof ? CELL_FAINT : CELL_PLAIN, series->name);
    for (size_t i = 1; i < series->change_count; i++) {
        text_table_skip(table);
        text_table_skip(table);
        put_change(table, series, &series->changes[i]);
        text_table_skip(table);
    }
}

static const char change_method[] =
    "Changes: from that commit on the launches differ more from those before than in nearly all "
    "random orders of the commits (E-divisive, Matteson and James 2014). Would have been seen: a "
    "step half way, in 80% of such histories";

static void words_changes(const HistoryView *view, char *text, size_t size) {
    size_t cells = 0, changed = 0;
    for (size_t i = 0; i < view->count; i++) {
        cells += !view->series[i].roof;
        changed += !view->series[i].roof && view->series[i].change_count > 0;
    }
    snprintf(
        text, size,
        "Cells with a change point: %zu of %zu, at p up to %g; by chance about %.2g would have "
        "one. Roofs are not counted",
        changed, cells, view->alpha, view->alpha * (double)cells);
}

/* "2 cells up to 1.25× slower" */
static void put_cells(const ChangedCells *cells, SpeedSide side, const char *before, char *text) {
    char ratio[RATIO_WORDS_SIZE];
    if (cells->count > 0) {
        ratio_words(side, cells->ratio, ratio);
        text_append(text, FINDING_SIZE, "%s%zu %s %s", before, cells->count,
                    plural(cells->count, "cell", "cells up to"), ratio);
    }
}

/* "3f2a1b0c: 4 cells up to 1.25× slower, 1 cell 1.10× faster: lbp/…, lbp/…, lbp/… and 2 more" */
static void finding_words(const HistoryFinding *finding, char text[FINDING_SIZE]) {
    const size_t count = finding->slower.count + finding->faster.count;
    snprintf(text, FINDING_SIZE, "%.*s: ", COMMIT_SHORT, finding->commit);
    put_cells(&finding->slower, SIDE_SLOWER, "", text);
    put_cells(&finding->faster, SIDE_FASTER, finding->slower.count > 0 ? ", " : "", text);
    for (size_t i = 0; i < count && i < FINDING_CELLS; i++) {
        text_append(text, FINDING_SIZE, "%s%s", i > 0 ? ", " : ": ", finding->cells[i]);
    }
    if (count > FINDING_CELLS) {
        text_append(text, FINDING_SIZE, " and %zu more", count - FINDING_CELLS);
    }
}

/* False where none was. */
static bool words_disturbed(const HistoryView *view, char *text, size_t size) {
    snprintf(text, size,
             "%zu of %zu times %s disturbed and not looked at. A change may belong to such a "
             "commit just before it",
             view->disturbed, view->times, plural(view->disturbed, "was", "were"));
    return view->disturbed > 0;
}

Status history_print(FILE *stream, const HistoryView *view) {
    /* The name is the last column, since it may have any length. */
    char text[FINDING_SIZE];
    TextTable table =
        TEXT_TABLE(NUMBERS("commits"), NUMBERS("last"), WORDS("changes"), WORDS("cell"));
    flow_line(stream, 2, "%s", view->machine);
    flow_line(stream, 2, "%s", view->build);
    fputc('\n', stream);
    for (size_t i = 0; i < view->count; i++) {
        put_series(&table, &view->series[i]);
    }
    STATUS_TRY(text_table_end(&table, stream, table_print));
    fputc('\n', stream);
    for (size_t i = 0; i < view->finding_count; i++) {
        finding_words(&view->findings[i], text);
        flow_line(stream, 2, "%s", text);
    }
    words_changes(view, text, sizeof text);
    flow_line(stream, 2, "%s", text);
    if (words_disturbed(view, text, sizeof text)) {
        flow_line(stream, 2, "%s", text);
    }
    flow_line(stream, 2, "%s", change_method);
    return status_ok();
}

/* === Page ===================================================================================== */

enum { DATE_TEXT_SIZE = 16 };

static void date_text(double when, char text[DATE_TEXT_SIZE]) {
    struct tm utc;
    const time_t seconds = (time_t)when;
    gmtime_r(&seconds, &utc);
    strftime(text, DATE_TEXT_SIZE, "%Y-%m-%d", &utc);
}

static const char *commit_label(Document *document, const CommitTime *commit) {
    char date[DATE_TEXT_SIZE];
    date_text(commit->when, date);
    return document_text(document, "%.*s, %s%s", COMMIT_SHORT, commit->commit, date,
                         disturbed_words(commit));
}

static ChartPoint point_of(Document *document, const HistorySeries *series, size_t at,
                           bool interval) {
    const CommitTime *commit = &series->commits[at];
    const bool several = interval && commit->logarithms.count > 1;
    return (ChartPoint){.x = (double)at,
                        .y = commit->seconds.value,
                        .low = several ? commit->seconds.low : (double)NAN,
                        .high = several ? commit->seconds.high : (double)NAN,
                        .label = commit_label(document, commit)};
}

static void add_chart(Document *document, const HistorySeries *series, size_t number) {
    const size_t count = series->count, lines = 1 + series->change_count;
    ChartTick *ticks = document_allocate(document, count * sizeof *ticks);
    ChartPoint *points = document_allocate(document, (count + lines) * sizeof *points);
    ChartSeries *curve = document_allocate(document, lines * sizeof *curve);
    if (ticks == NULL || points == NULL || curve == NULL) {
        return;
    }
    curve[0] = (ChartSeries){.name = "median", .points = points, .count = count};
    for (size_t i = 0; i < count; i++) {
        ticks[i] = (ChartTick){
            .value = (double)i,
            .label = document_text(document, "%.*s", COMMIT_SHORT, series->commits[i].commit)};
        points[i] = point_of(document, series, i, true);
    }
    for (size_t i = 0; i < series->change_count; i++) {
        char words[CHANGE_WORDS_SIZE];
        change_words(series, &series->changes[i], words);
        points[count + i] = point_of(document, series, series->changes[i].point.at, false);
        curve[1 + i] = (ChartSeries){.name = document_text(document, "%s", words),
                                     .style = SERIES_PUBLISHED,
                                     .points = &points[count + i],
                                     .count = 1};
    }
    const Curves curves = {.x = {.ticks = ticks, .count = count}, .lines = curve, .count = lines};
    Builder builder = {.document = document,
                       .type = &chart_types[SUBJECT_COMMITS],
                       .place = PLACE_PAGE,
                       .curves = &curves};
    chart_build(&builder, document_text(document, "cell-%zu", number), series->name,
                "least to greatest launch");
}

static void add_row(Document *document, DocTable *table, const HistorySeries *series) {
    char text[NUMBER_WORDS_SIZE], changes[CHANGE_WORDS_SIZE * 4] = "";
    if (series->change_count == 0) {
        no_change_words(series, changes);
    }
    const CommitTime *last = &series->commits[series->count - 1];
    for (size_t i = 0; i < series->change_count; i++) {
        char words[CHANGE_WORDS_SIZE];
        change_words(series, &series->changes[i], words);
        text_append(changes, sizeof changes, "%s%s", i > 0 ? "; " : "", words);
    }
    table_words(document, table, series->name);
    table_count(document, table, series->count);
    seconds_text(last->seconds.value, text);
    table_value(document, table, document_text(document, "%s%s", text, disturbed_words(last)),
                last->seconds.value);
    table_cell(
        document, table,
        &(DocCell){.text = changes, .number = NAN, .kind = series->roof ? CELL_FAINT : CELL_PLAIN});
}

static void add_machine(Document *document, const HistoryView *view, size_t number,
                        size_t *charts) {
    char words[FINDING_SIZE];
    words_changes(view, words, sizeof words);
    document_heading(document, 2, view->machine[0] != '\0' ? view->machine : "a machine");
    document_add(document, BLOCK_PARAGRAPH, "%s", view->build);
    document_add(document, BLOCK_PARAGRAPH, "%s.", words);
    if (words_disturbed(view, words, sizeof words)) {
        document_add(document, BLOCK_PARAGRAPH, "%s.", words);
    }
    for (size_t i = 0; i < view->finding_count; i++) {
        finding_words(&view->findings[i], words);
        document_add(document, BLOCK_ITEM, "%s", words);
    }
    DocTable *table = document_table(document, document_text(document, "machine-%zu", number),
                                     "Cells over commits");
    TABLE_COLUMNS(document, table, WORDS("cell"), NUMBERS("commits"), NUMBERS("last"),
                  WORDS("changes"));
    table->sortable = true;
    table->note = document_text(document, "last: median of the launches of the newest commit. %s.",
                                change_method);
    for (size_t i = 0; i < view->count; i++) {
        add_row(document, table, &view->series[i]);
    }
    for (size_t i = 0; i < view->count; i++) {
        add_chart(document, &view->series[i], ++*charts);
    }
}

Status history_page_write(const HistoryView *views, size_t count, const char *path) {
    Document document;
    size_t charts = 0;
    document_open(&document, "Times over commits");
    for (size_t i = 0; i < count; i++) {
        add_machine(&document, &views[i], i + 1, &charts);
    }
    const Status status = html_write(&document, path);
    document_release(&document);
    return status;
}
