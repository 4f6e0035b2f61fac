/* Rows of a run in groups of one algorithm, input and answer; their words and tables. */

#include "report_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "machine.h"
#include "registry.h"
#include "resources.h"
#include "status.h"
#include "utf8.h"
#include "variant.h"
#include "workload.h"

/* === Run groups =============================================================================== */

static bool of_group(const RunGroup *group, const Row *row) {
    const Row *first = group->rows[0];
    return first->algorithm == row->algorithm && strcmp(first->input, row->input) == 0 &&
           point_equal(&first->answer, &row->answer);
}

/* Rows of a group mostly follow each other: search from the last group. */
static RunGroup *find_group(const RunGroups *groups, const Row *row) {
    for (size_t i = groups->count; i > 0; i--) {
        if (of_group(&groups->groups[i - 1], row)) {
            return &groups->groups[i - 1];
        }
    }
    return NULL;
}

static bool slug_is_taken(const RunGroups *groups, const char *slug) {
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->groups[i].slug, slug) == 0) {
            return true;
        }
    }
    return false;
}

/* Titles may differ in what a slug has no letters for, or beyond its length. */
static void name_slug(const RunGroups *groups, RunGroup *group) {
    enum { NUMBER_ROOM = 24 };
    char slug[sizeof group->slug - NUMBER_ROOM];
    document_slug(group->title, slug, sizeof slug);
    snprintf(group->slug, sizeof group->slug, "%s", slug);
    for (size_t number = 2; slug_is_taken(groups, group->slug); number++) {
        snprintf(group->slug, sizeof group->slug, "%s-%zu", slug, number);
    }
}

/* What a title has room for of an input's name. */
enum { INPUT_TITLE_SIZE = 81 };

static void name_group(const RunGroups *groups, const Row *row, RunGroup *group) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    for (char *comma = strchr(answer, ','); comma != NULL; comma = strchr(comma, ',')) {
        *comma = ' ';
    }
    snprintf(group->title, sizeof group->title, "%.40s, %.*s%s%.120s", row->algorithm->name,
             (int)utf8_cut(row->input, INPUT_TITLE_SIZE), row->input, answer[0] != '\0' ? ", " : "",
             answer);
    name_slug(groups, group);
}

/* NULL without memory. */
static RunGroup *add_group(Document *document, RunGroups *groups, const Row *row) {
    if (!DOCUMENT_ROOM(document, groups->groups, groups->count, groups->capacity)) {
        return NULL;
    }
    RunGroup *group = &groups->groups[groups->count];
    *group = (RunGroup){.rows = NULL};
    name_group(groups, row, group);
    groups->count++;
    return group;
}

RunGroups run_groups_make(const Results *results, Document *document) {
    RunGroups groups = {.groups = NULL};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        RunGroup *group = find_group(&groups, row);
        group = group != NULL ? group : add_group(document, &groups, row);
        if (group == NULL || !DOCUMENT_ROOM(document, group->rows, group->count, group->capacity)) {
            return (RunGroups){.groups = NULL};
        }
        group->rows[group->count++] = row;
    }
    return groups;
}

size_t run_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]) {
    const Algorithm *algorithm = group->count > 0 ? group->rows[0]->algorithm : NULL;
    const size_t known = algorithm != NULL ? registry_variant_count(algorithm) : 0;
    size_t count = 0;
    for (size_t i = 0; i < known && count < VARIANTS_MAX; i++) {
        const Variant *variant = registry_variant(algorithm, i);
        for (size_t row = 0; row < group->count; row++) {
            if (group->rows[row]->variant == variant) {
                variants[count++] = variant;
                break;
            }
        }
    }
    return count;
}

size_t device_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]) {
    const size_t count = run_variants(group, variants);
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        if (!variant_is_on_cpu(variants[i])) {
            variants[devices++] = variants[i];
        }
    }
    return devices;
}

/* === Lines of rows ============================================================================ */

const RowAxis along_size = {.name = NULL};

bool row_is_on_cpu(const Row *row) {
    return variant_is_on_cpu(row->variant);
}

static const AxisValue *value_of(const RowAxis *axis, const Row *row) {
    return point_value(axis->tuning ? &row->tuning : &row->answer, axis->name);
}

/* The index of the value among those of the axis; their number where it is a new one. */
static size_t index_of(const RowAxis *axis, const AxisValue *value) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->values[i].name, value->text) != 0) {
        i++;
    }
    return i;
}

static double size_place(const RowAxis *axis, const Row *row) {
    const double image = (double)row->width * row->height;
    const double size = axis->pixels ? image * (row->images > 0 ? row->images : 1) : row_size(row);
    return size > 0.0 ? size : (double)NAN;
}

double row_place(const RowAxis *axis, const Row *row) {
    if (axis->name == NULL) {
        return size_place(axis, row);
    }
    const AxisValue *value = value_of(axis, row);
    const size_t index = value != NULL ? index_of(axis, value) : axis->count;
    return index < axis->count ? axis->values[index].place : (double)NAN;
}

/* What the text begins with; NAN where that is no number. `all`: whether it is nothing else. */
static double leading_number(const char *text, bool *all) {
    char *end;
    const double number = strtod(text, &end);
    *all = end != text && *end == '\0';
    return end != text ? number : (double)NAN;
}

static int compare_places(const void *a, const void *b) {
    const double first = ((const PlacedValue *)a)->place;
    const double second = ((const PlacedValue *)b)->place;
    return (first > second) - (first < second);
}

/* Values stand at the numbers that they begin with ("8" of "8:1"), or one after the other where
 * these do not tell them apart. */
static void place_values(RowAxis *axis) {
    bool apart = true;
    axis->numbers = true;
    for (size_t i = 0; i < axis->count; i++) {
        bool all;
        axis->values[i].place = leading_number(axis->values[i].name, &all);
        axis->numbers &= all;
        apart &= isfinite(axis->values[i].place);
        for (size_t j = 0; apart && j < i; j++) {
            apart &= axis->values[i].place != axis->values[j].place;
        }
    }
    axis->numbers &= apart;
    for (size_t i = 0; !apart && i < axis->count; i++) {
        axis->values[i].place = (double)i + 1;
    }
    qsort(axis->values, axis->count, sizeof *axis->values, compare_places);
}

RowAxis row_axis(Document *document, const RunGroup *group, bool tuning, const char *name) {
    RowAxis axis = {.name = name, .tuning = tuning};
    axis.values = document_allocate(document, (group->count + 1) * sizeof *axis.values);
    for (size_t i = 0; axis.values != NULL && i < group->count; i++) {
        const AxisValue *value = value_of(&axis, group->rows[i]);
        if (value != NULL && isfinite(row_seconds(group->rows[i], TIME_KERNEL)) &&
            index_of(&axis, value) == axis.count) {
            axis.values[axis.count++] = (PlacedValue){.name = value->text};
        }
    }
    place_values(&axis);
    return axis;
}

/* Sets of as many images have a size each where their images are not equal. */
static bool of_size(const Row *row, const Row *size) {
    return row_size(row) == row_size(size) &&
           (row->images == 0 ||
            (double)row->width * row->height == (double)size->width * size->height);
}

static bool is_chosen(const Row *row, const RowAxis *axis, const RowChoice *choice) {
    return (choice->variant == NULL || row->variant == choice->variant) &&
           (choice->side == SIDE_BOTH || row_is_on_cpu(row) == (choice->side == SIDE_CPU)) &&
           (choice->answer == NULL || point_equal(&row->answer, choice->answer)) &&
           (choice->size == NULL || of_size(row, choice->size)) &&
           isfinite(row_seconds(row, choice->kind)) && isfinite(row_place(axis, row));
}

/* Rows of one place stay in their order. */
static void insert_row(const Row **rows, size_t count, const Row *row, const RowAxis *axis) {
    const double place = row_place(axis, row);
    size_t at = count;
    while (at > 0 && row_place(axis, rows[at - 1]) > place) {
        rows[at] = rows[at - 1];
        at--;
    }
    rows[at] = row;
}

static size_t choose_rows(const RunGroup *group, const RowAxis *axis, const RowChoice *choice,
                          const Row **rows) {
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (is_chosen(group->rows[i], axis, choice)) {
            insert_row(rows, count++, group->rows[i], axis);
        }
    }
    return count;
}

/* Keeps of each place the winner, and how it was chosen where the line has room for that. */
static void keep_winners(RowLine *line, const RowAxis *axis, TimeKind kind, Rival *rivals) {
    size_t kept = 0;
    for (size_t from = 0, to = 0; from < line->count; from = to) {
        const double place = row_place(axis, line->rows[from]);
        for (to = from; to < line->count && row_place(axis, line->rows[to]) == place; to++) {
            rivals[to - from] = row_rival(line->rows[to], kind);
        }
        if (line->winners != NULL) {
            line->winners[kept] = winner_choose(rivals, to - from);
        }
        line->rows[kept++] = line->rows[from + winner_least(rivals, to - from)];
    }
    line->count = kept;
}

RowLine row_line(Document *document, const RunGroup *group, const RowAxis *axis, RowChoice choice) {
    RowLine line = {.rows = document_allocate(document, (group->count + 1) * sizeof(const Row *))};
    line.count = line.rows != NULL ? choose_rows(group, axis, &choice, line.rows) : 0;
    if (choice.winners) {
        line.winners = document_allocate(document, (line.count + 1) * sizeof *line.winners);
    }
    Rival *rivals = malloc((line.count + 1) * sizeof *rivals);
    if (rivals == NULL) {
        document->failed = true;
        line.count = 0;
    }
    keep_winners(&line, axis, choice.kind, rivals);
    free(rivals);
    return line;
}

RowLine variants_at(Document *document, const RunGroup *group, const Row *size) {
    const Variant *variants[VARIANTS_MAX];
    RowLine rows = {.rows = document_allocate(document, sizeof variants)};
    const size_t count = size != NULL ? run_variants(group, variants) : 0;
    for (size_t i = 0; rows.rows != NULL && i < count; i++) {
        const RowLine line = row_line(document, group, &along_size,
                                      (RowChoice){.variant = variants[i], .size = size});
        if (line.count > 0) {
            rows.rows[rows.count++] = line.rows[0];
        }
    }
    return rows;
}

/* === Size best ================================================================================ */

size_t size_best_find(Document *document, const RunGroup *group, SizeBest **list) {
    const RowLine sizes = row_line(document, group, &along_size, (RowChoice){.variant = NULL});
    *list = document_allocate(document, (sizes.count + 1) * sizeof **list);
    for (RowSide side = SIDE_BOTH; *list != NULL && side <= SIDE_DEVICE; side++) {
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const RowLine line =
                row_line(document, group, &along_size, (RowChoice){.side = side, .kind = kind});
            for (size_t i = 0, j = 0; i < sizes.count; i++) {
                const double size = row_size(sizes.rows[i]);
                while (j < line.count && row_size(line.rows[j]) < size) {
                    j++;
                }
                if (j < line.count && row_size(line.rows[j]) == size) {
                    (*list)[i].of[side][kind] = line.rows[j];
                }
            }
        }
    }
    return *list != NULL ? sizes.count : 0;
}

/* === Run argument ============================================================================= */

/* The end of the word at `text`; blanks within single quotes are part of it. */
bool run_argument(const OverviewRun *run, const char *flag, char *value, size_t size) {
    const ArgumentList *list = &run->stored->arguments;
    const size_t length = strlen(flag);
    bool given = false;
    value[0] = '\0';
    /* Given twice, the last counts. */
    for (int i = 0; i < list->argc; i++) {
        const char *word = list->argv[i];
        const char *next = i + 1 < list->argc ? list->argv[i + 1] : "";
        if (strcmp(word, flag) == 0) {
            snprintf(value, size, "%s", strncmp(next, "--", 2) != 0 ? next : "");
            given = true;
        } else if (strncmp(word, flag, length) == 0 && word[length] == '=') {
            snprintf(value, size, "%s", word + length + 1);
            given = true;
        }
    }
    return given;
}

/* === Reading ================================================================================== */

/* The seed that the run resampled with. */
static uint64_t seed_of(const StoredRun *stored) {
    enum { DEFAULT_SEED = 1, NUMBER_SIZE = 32 };
    const OverviewRun run = {.stored = stored};
    char value[NUMBER_SIZE];
    return run_argument(&run, "--seed", value, sizeof value) ? strtoull(value, NULL, 10)
                                                             : DEFAULT_SEED;
}

/* Files do not store the behaviour of samples: it is derived again. */
Status report_run_read(const char *run, StoredRun *stored) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    STATUS_TRY(stored_run_read(path, stored));
    if (stored->results.count > 0) {
        results_derive(&stored->results, seed_of(stored));
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

static bool counts_bytes(const char *key) {
    static const char ending[] = "_bytes";
    const size_t length = strlen(key);
    const size_t tail = sizeof ending - 1;
    return length >= tail && strcmp(key + length - tail, ending) == 0;
}

void fact_value_words(const Fact *fact, char *text, size_t size) {
    if (fact->kind == FACT_TEXT) {
        snprintf(text, size, "%s", fact->text);
    } else if (counts_bytes(fact->key) && fact->number >= 0) {
        bytes_text((uint64_t)fact->number, text, size);
    } else {
        number_text(fact->number, text, size);
    }
}

/* === Overview text ============================================================================ */

void time_range_add(TimeRange *range, double seconds) {
    if (seconds > 0.0 && isfinite(seconds)) {
        range->logarithms += log(seconds);
        range->count++;
    }
}

TimeUnit time_unit(const TimeRange *range) {
    return range->count > 0 ? *time_unit_of(exp(range->logarithms / (double)range->count), 3)
                            : time_units[TIME_MS];
}

/* === Overview table =========================================================================== */

static const char *range_words(Document *document, const LaunchRange *range) {
    char words[NUMBER_WORDS_SIZE];
    interval_words(range, words, sizeof words);
    const char *text = document_text(document, "%s", words);
    return text != NULL ? text : "";
}

void row_interval_text(const Row *row, char words[NUMBER_WORDS_SIZE]) {
    LaunchRange range = {.most = 0};
    launch_range_add(&range, row->kernel_summary.launches);
    interval_words(&range, words, NUMBER_WORDS_SIZE);
}

LaunchRange group_launches(const RunGroup *group) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->status == CELL_OK) {
            launch_range_add(&range, group->rows[i]->kernel_summary.launches);
        }
    }
    return range;
}

const char *group_interval_words(Document *document, const RunGroup *group) {
    const LaunchRange range = group_launches(group);
    return range_words(document, &range);
}

LaunchRange run_launches(const Overview *overview) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        for (size_t j = 0; j < family->count; j++) {
            const LaunchRange of_group = group_launches(family->groups[j]);
            launch_range_join(&range, &of_group);
        }
    }
    return range;
}

const char *run_interval_words(const Overview *overview) {
    const LaunchRange range = run_launches(overview);
    return range_words(overview->document, &range);
}

LaunchRange report_launches(const RunReport *report) {
    LaunchRange range = run_launches(&report->of[0]);
    if (report->count > 1) {
        const LaunchRange other = run_launches(&report->of[1]);
        launch_range_join(&range, &other);
    }
    return range;
}

static bool same_launches(const LaunchRange *a, const LaunchRange *b) {
    return a->least == b->least && a->most == b->most;
}

const char *report_interval_words(const RunReport *report) {
    const LaunchRange both = report_launches(report);
    for (size_t i = 0; i < report->count; i++) {
        const LaunchRange own = run_launches(&report->of[i]);
        if (!same_launches(&own, &both)) {
            const char *words =
                document_text(report->document, "A: %s, B: %s", run_interval_words(&report->of[0]),
                              run_interval_words(&report->of[1]));
            return words != NULL ? words : "";
        }
    }
    return range_words(report->document, &both);
}

void missing_cell(Document *document, DocTable *table, const char *why) {
    table_cell(document, table, &(DocCell){.text = why, .number = NAN, .kind = CELL_MISSING});
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

/* Whether the row is of another variant and tied with the best of its size. */
static bool is_tied(const Row *row, const Row *best, RowSide side, TimeKind kind) {
    const RowChoice choice = {.kind = kind, .side = side, .size = best};
    return row->variant != best->variant && is_chosen(row, &along_size, &choice) &&
           winner_is_tied(row_summary(best, kind), row_summary(row, kind));
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

const char *tied_variants(Document *document, const RunGroup *group, const Row *best, RowSide side,
                          TimeKind kind) {
    enum { NAMES_SIZE = 512 };
    char names[NAMES_SIZE] = "";
    for (size_t i = 0; i < group->count; i++) {
        if (is_tied(group->rows[i], best, side, kind)) {
            name_list_add(names, sizeof names, group->rows[i]->variant->name);
        }
    }
    const char *text = document_text(document, "%s", names);
    return text != NULL ? text : "";
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
    char number[SIGNIFICANT_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    double low, high;
    significant_text(seconds / unit->seconds, OVERVIEW_DIGITS, number);
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
    char label[RESULT_LABEL_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    variant_label(row->variant, &row->tuning, label, sizeof label);
    interval_text(ratio->low, ratio->high, ends);
    const char *reference = over == OVER_SEQ ? row->base : row->best_cpu;
    char words[NUMBER_WORDS_SIZE];
    row_interval_text(row, words);
    return ends[0] == '\0'
               ? document_text(document, "%s over %s", label, reference)
               : document_text(document, "%s over %s, %s: %s", label, reference, words, ends);
}

static void ratio_cell(Document *document, DocTable *table, const Row *row, SpeedupOver over,
                       const Ratio *ratio, const char *text) {
    table_cell(
        document, table,
        &(DocCell){.text = text,
                   .number = ratio->value,
                   .note = ratio_note(document, row, over, ratio),
                   .kind = ratio->value < 1.0 && !ratio_is_even(ratio) ? CELL_BAD : CELL_PLAIN});
}

void over_seq_cell(Document *document, DocTable *table, const Row *row) {
    const Ratio ratio =
        row != NULL ? row_won_ratio(row, OVER_SEQ, TIME_KERNEL) : (Ratio){.value = NAN};
    char text[OVERVIEW_TEXT_SIZE];
    if (!isfinite(ratio.value)) {
        missing_cell(document, table, "no seq");
        return;
    }
    ratio_text(ratio.value, NAN, NAN, text);
    ratio_cell(document, table, row, OVER_SEQ, &ratio, text);
}

void gpu_is_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    const Ratio ratio =
        row != NULL ? row_won_ratio(row, OVER_BEST_CPU, kind) : (Ratio){.value = NAN};
    char text[OVERVIEW_TEXT_SIZE];
    if (!isfinite(ratio.value)) {
        missing_cell(document, table, "none");
        return;
    }
    faster_text(&ratio, text);
    ratio_cell(document, table, row, OVER_BEST_CPU, &ratio, text);
}
