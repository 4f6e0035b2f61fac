/* The command `bench show`. */

#include "algorithm.h"
#include "cli_internal.h"
#include "files.h"
#include "paths.h"
#include "report.h"
#include "run_options.h"
#include "run_record.h"
#include "stored_run.h"
#include "text.h"
#include "variant.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wall_time.h"

typedef enum RowOrder {
    AS_MEASURED,
    BY_KERNEL,
    BY_END_TO_END,
    BY_SPEEDUP,
    BY_ROOF,
    BY_SIZE,
    BY_VARIANT
} RowOrder;

typedef struct ShowOptions {
    const char *run;
    const char *algorithm; /* NULL: all */
    const char *variants;  /* comma list; NULL: all */
    RowOrder sort;
    Prices prices; /* of an hour; 0: those of the run */
    bool all, time, noise;
} ShowOptions;

/* === Order of rows ============================================================================ */

/* In the order of RowOrder. */
static const char *const sort_words[] = {"kernel", "end-to-end", "speedup", "roof",
                                         "size",   "variant",    NULL};

/* A row with what it is sorted by. */
typedef struct Keyed {
    double key; /* NAN last */
    const char *text;
    size_t place; /* in the run */
    const Row *row;
} Keyed;

static int compare_keys(const void *left, const void *right) {
    const Keyed *a = left, *b = right;
    int order = isnan(a->key) - isnan(b->key);
    order = order != 0 ? order : (a->key > b->key) - (a->key < b->key);
    order = order != 0 ? order : strcmp(a->text, b->text);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* What is greater the better comes first. */
static void set_key(RowOrder order, Keyed *keyed) {
    const Row *row = keyed->row;
    const double pixels = (double)row->width * row->height * (row->images > 0 ? row->images : 1);
    const bool ok = row->status == CELL_OK;
    const double keys[] = {[BY_KERNEL] = row->kernel_summary.median,
                           [BY_END_TO_END] = row->end_to_end_summary.median,
                           [BY_SPEEDUP] = -row->speedup_vs_best_cpu,
                           [BY_ROOF] = -row->roof_fraction,
                           [BY_SIZE] = pixels,
                           [BY_VARIANT] = 0};
    keyed->text = order == BY_VARIANT ? row->variant->name : "";
    keyed->key = ok || order == BY_VARIANT ? keys[order] : (double)NAN;
}

/* === Choice of rows =========================================================================== */

static bool is_chosen(const ShowOptions *options, const Row *row) {
    const char *list = options->variants;
    return (options->algorithm == NULL || strcmp(options->algorithm, row->algorithm->name) == 0) &&
           (list == NULL || variant_is_in_list(row->variant, list));
}

/* Each name is one of a variant in the run. */
static Status check_variants(const ShowOptions *options, const Results *results) {
    const char *list = options->variants;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        bool known = false;
        STATUS_TRY(list_next(&list, word));
        Suggestion suggestion = suggest_start(word);
        for (size_t i = 0; i < results->count && !known; i++) {
            known = variant_is_named(results->rows[i].variant, word);
            suggest_offer(&suggestion, results->rows[i].variant->name);
        }
        if (!known) {
            char nearest[SUGGEST_TEXT_SIZE];
            return status_make(STATUS_USAGE, "--variant: the run has no variant '%s'%s", word,
                               suggest_text(&suggestion, nearest));
        }
    }
    return status_ok();
}

static Status check_algorithm(const char *name, const Results *results) {
    Suggestion suggestion = suggest_start(name != NULL ? name : "");
    char nearest[SUGGEST_TEXT_SIZE];
    bool known = name == NULL;
    for (size_t i = 0; i < results->count && !known; i++) {
        known = strcmp(results->rows[i].algorithm->name, name) == 0;
        suggest_offer(&suggestion, results->rows[i].algorithm->name);
    }
    return known ? status_ok()
                 : status_make(STATUS_USAGE, "--algo: the run has no algorithm '%.80s'%s", name,
                               suggest_text(&suggestion, nearest));
}

static Status show_rows(const ShowOptions *options, const RunRecord *record,
                        const Results *results) {
    STATUS_TRY(check_variants(options, results));
    Keyed *keyed = calloc(results->count + 1, sizeof *keyed);
    RowList rows = {.rows = calloc(results->count + 1, sizeof *rows.rows)};
    if (keyed == NULL || rows.rows == NULL) {
        free(keyed);
        free(rows.rows);
        return status_no_memory("for the rows");
    }
    for (size_t i = 0; i < results->count; i++) {
        if (is_chosen(options, &results->rows[i])) {
            keyed[rows.count] = (Keyed){.text = "", .place = i, .row = &results->rows[i]};
            if (options->sort != AS_MEASURED) {
                set_key(options->sort, &keyed[rows.count]);
            }
            rows.count++;
        }
    }
    qsort(keyed, rows.count, sizeof *keyed, compare_keys);
    for (size_t i = 0; i < rows.count; i++) {
        rows.rows[i] = keyed[i].row;
    }
    report_rows(stdout, record, results, &rows);
    free(keyed);
    free(rows.rows);
    return status_ok();
}

/* === Wall time ================================================================================ */

typedef struct Part {
    WallPart part;
    double seconds;
} Part;

static int compare_parts(const void *left, const void *right) {
    const Part *a = left, *b = right;
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

/* Where the wall time of the run went, the largest part first. */
static Status show_time(const StoredRun *stored) {
    const double sum = wall_sum(&stored->wall);
    Part parts[WALL_PARTS];
    if (!(sum > 0)) {
        return status_skip("the run does not say where its time went: it was measured by an "
                           "earlier version");
    }
    for (int i = 0; i < WALL_PARTS; i++) {
        parts[i] = (Part){.part = (WallPart)i, .seconds = stored->wall.seconds[i]};
    }
    qsort(parts, WALL_PARTS, sizeof parts[0], compare_parts);
    TextTable table = TEXT_TABLE(NUMBERS("seconds"), NUMBERS("share"), WORDS("of"));
    for (int i = 0; i < WALL_PARTS; i++) {
        text_table_put(&table, "%.2f", parts[i].seconds);
        text_table_put(&table, "%.1f%%", 100 * parts[i].seconds / sum);
        text_table_put(&table, "%s", wall_words(parts[i].part));
    }
    return text_table_end(&table, stdout, table_print);
}

/* === Command ================================================================================== */

static Status show_run(const ShowOptions *options, const char *run, StoredRun *stored) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    RunOptions request;
    if (options->time) {
        return show_time(stored);
    }
    STATUS_TRY(check_algorithm(options->algorithm, &stored->results));
    STATUS_TRY(folder_exists(run) ? path_make(folder, sizeof folder, "%s", run)
                                  : path_folder(run, folder, sizeof folder));
    request_recall(&stored->arguments, &request);
    request.arguments = stored->arguments;
    request.prices = run_prices(&(ReportRun){.stored = stored, .prices = options->prices});
    RunRecord record = {.options = &request,
                        .machine = &stored->machine,
                        .elapsed = stored->elapsed,
                        .wall = stored->wall,
                        .timer_overhead_cpu = NAN,
                        .timer_overhead_cuda = NAN,
                        .complete = stored->complete,
                        .only = options->algorithm,
                        .planned = stored->results.count};
    memcpy(record.started, stored->started, sizeof record.started);
    run_warnings(stored, &record.warnings);
    stored_run_derive(stored);
    if (options->noise) {
        report_noise(stdout, &record, &stored->results);
        return status_ok();
    }
    if (options->all && options->variants == NULL && options->sort == AS_MEASURED) {
        report_details(stdout, &record, &stored->results);
    }
    const bool rows = options->all || options->variants != NULL || options->sort != AS_MEASURED;
    if (rows) {
        return show_rows(options, &record, &stored->results);
    }
    run_charts_find(&stored->results, folder, options->algorithm, &record.charts);
    report_summary(stdout, &record, &stored->results, folder);
    return status_ok();
}

static Status show(Invocation *given, void *of) {
    const ShowOptions *options = of;
    const char *run = options->run;
    char path[ATOMIC_FILE_PATH_SIZE];
    (void)given;
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    STATUS_MEMORY(stored, "for the run");
    Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        if (stored->ignored > 0) {
            char what[ROWS_IGNORED_SIZE];
            rows_ignored_text(stored->ignored, what);
            visible_line(stderr, "bench: note: %s: %s; they are not shown", path, what);
        }
        status = show_run(options, run, stored);
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

#define MEMBER(name) .member = offsetof(ShowOptions, name)

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUN, MEMBER(run), .otherwise = LAST_RUN},
    {"all", NULL, "all rows, with every tuning, roofs and sentences, instead of the summary",
     .kind = OPTION_SET, MEMBER(all)},
    {"noise", NULL,
     "what disturbed the times, row by row, and all warnings, instead of the results",
     .kind = OPTION_SET, MEMBER(noise)},
    {"time", NULL, "where the wall time of the run went, instead of its results",
     .kind = OPTION_SET, MEMBER(time)},
    {"algo", "NAME",
     "this algorithm alone; of several the summary has a headline each and the table of the first",
     .kind = OPTION_TEXT, MEMBER(algorithm)},
    {"variant", "NAME[,NAME...]", "all rows of these variants; cpu and gpu: of that side",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(variants)},
    {"sort", "WORD",
     "all rows in the order of kernel, end-to-end (the fastest first), speedup over the best CPU, "
     "roof (the greatest first), size or variant",
     .kind = OPTION_CHOICE, MEMBER(sort), .words = sort_words, .noun = "order"},
    {"price", "LIST",
     "what an hour of the machine with the GPU costs, and one of the machine without: "
     "gpu=3.2,cpu=0.8. Default: as the run was given",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = option_prices, MEMBER(prices)},
    OPTIONS_END};

const Command command_show = {
    .name = "show",
    .summary = "print a stored run again: its summary, or all rows",
    .usage = "bench show [RUN] [options]",
    .about = "Prints what a run has found without measuring: how much faster the GPU is at each "
             "size, or all rows. RUN is the folder of a run or its results.json; without it, or "
             "as 'latest', the last run that ended in the current folder. The text is fitted to "
             "the window, between 60 and 200 columns, and to 80 in a file or a pipe.",
    .examples = "bench show\n"
                "bench show latest --all\n"
                "bench show latest --algo copy\n"
                "bench show latest --noise\n"
                "bench show latest --time\n"
                "bench show runs/lbp --variant simd,cuda_fast --sort kernel\n",
    .words = "one run",
    .rows = option_rows,
    .size = sizeof(ShowOptions),
    .run = show,
};
