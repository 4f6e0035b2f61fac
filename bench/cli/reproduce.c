/* The command `bench reproduce`. */

#include "algorithm.h"
#include "claim.h"
#include "claims.h"
#include "cli_internal.h"
#include "command_line.h"
#include "paths.h"
#include "run_options.h"
#include "scaling.h"
#include "stored_run.h"
#include "terminal.h"
#include "variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock.h"
#include "json.h"
#include "list.h"
#include "registry.h"
#include "run.h"
#include "text.h"
#include "verdict.h"

/* === Options ================================================================================== */

typedef enum ClaimsFormat { CLAIMS_TABLE = 1, CLAIMS_MARKDOWN, CLAIMS_JSON } ClaimsFormat;

typedef struct ReproduceOptions {
    const char *run;                     /* file or folder */
    const char *from;                    /* a run that was measured already; NULL: measure */
    const char *algo, *sizes, *variants; /* lists; NULL: all of the run */
    const char *input;                   /* where its input is here; NULL: where it was */
    int launches;                        /* 0: as many as the run has, at least 6 */
    double budget;                       /* seconds; INFINITY: until all is decided; 0: none */
    const char *out;                     /* NULL: <time>-reproduce in the folder of runs */
    ClaimsFormat format;
    bool kick_tires, force, dry_run, quiet;
} ReproduceOptions;

enum { LAUNCHES_LEAST = MEDIAN_INTERVAL_MIN };

/* Seconds of --kick-tires unless it says otherwise: with the build half an hour is enough. */
static const double kick_seconds = 25 * 60;

static const char *const formats[] = {"table", "markdown", "json", NULL};

static Status check(void *of, const OptionsGiven *given) {
    const ReproduceOptions *options = of;
    static const char *const measuring[] = {"launches", "budget",     "out", "input",
                                            "dry-run",  "kick-tires", NULL};
    const char *other = options->from != NULL ? options_first_given(given, measuring) : NULL;
    if (other != NULL) {
        return status_make(STATUS_USAGE,
                           "--from and --%s cannot be combined: with --from nothing is measured; "
                           "write one",
                           other);
    }
    if (options->budget > 0 && options->launches > 0) {
        return status_make(STATUS_USAGE, "--budget and --launches cannot be combined: launches of "
                                         "a budget follow each other while there is time; write "
                                         "one");
    }
    if (options->kick_tires && options->launches > 0) {
        return status_make(STATUS_USAGE, "--kick-tires and --launches cannot be combined: it has a "
                                         "budget; --budget TIME sets another");
    }
    return status_ok();
}

/* Seconds of its budget; 0: it has none. */
static double budget_of(const ReproduceOptions *options) {
    return options->budget > 0 ? options->budget : options->kick_tires ? kick_seconds : 0;
}

/* === Session ================================================================================== */

/* An input at a size that is not here, or not the same. */
typedef struct MissingInput {
    const Row *row;
    char why[STATUS_WHY_SIZE];
} MissingInput;

enum { NAMES_SIZE = 4096 };

/* Too large for a stack. */
typedef struct Session {
    const ReproduceOptions *options;
    StoredRun claimed;
    StoredRun from; /* --from */
    bool *decisive; /* of each row of `claimed`: --kick-tires tests what it claims; NULL: all */
    double began;   /* monotonic seconds: the step under way */
    int step;
    Machine machine;
    Status same; /* why this machine or build is another one */
    RunOptions request;
    char images[NAMES_SIZE]; /* its list of --images */
    char out[ATOMIC_FILE_PATH_SIZE];
    MissingInput *missing;
    size_t missing_count, missing_capacity;
    char all_missing[STATUS_WHY_SIZE]; /* why no input could be read; empty: they could */
    Status available;                  /* of the variant that was asked about last */
    Results here;
    int code; /* of the run */
} Session;

/* --- Steps ------------------------------------------------------------------------------------ */

/* With --kick-tires each step says what it takes. */
STATUS_PRINTF(2, 3)
static void step_begins(Session *session, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    session->began = clock_now();
    session->step++;
    if (session->options->kick_tires && !session->options->quiet) {
        visible_line(stderr, "step %d of 3: %s", session->step, text);
    }
}

static void step_ends(const Session *session) {
    char took[DURATION_SIZE];
    if (session->options->kick_tires && !session->options->quiet) {
        duration_text(clock_now() - session->began, took);
        visible_line(stderr, "step %d of 3 took %s", session->step, took);
    }
}

/* === What is asked for ======================================================================== */

/* NULL names everything, as "all" does. */
static bool list_names(const char *list, const char *name) {
    return list_has(list, name) || list_has(list, "all");
}

static bool is_measured(const Row *row) {
    return row->status == CELL_OK && !row_is_roof(row);
}

/* Of the algorithms and sizes; a row of `claimed`. */
static bool is_asked(const Session *session, const Row *row) {
    const ReproduceOptions *options = session->options;
    return is_measured(row) && list_names(options->algo, row->algorithm->name) &&
           list_names(options->sizes, row->size_name) &&
           (session->decisive == NULL || session->decisive[row - session->claimed.results.rows]);
}

static bool is_wanted(void *context, const Row *row) {
    const Session *session = context;
    const char *list = session->options->variants;
    return is_asked(session, row) &&
           (list_has(list, "all") || variant_is_in_list(row->variant, list));
}

static const char *algorithm_of(const Row *row) {
    return row->algorithm->name;
}

static const char *size_of(const Row *row) {
    return row->size_name;
}

static const char *variant_of(const Row *row) {
    return row->variant->name;
}

static bool has_word(const Row *row, const char *(*name_of)(const Row *row), const char *word) {
    return name_of == variant_of ? variant_is_named(row->variant, word)
                                 : strcasecmp(name_of(row), word) == 0;
}

/* Whether no measured row before this one has its name. */
static bool is_named_first(const Results *claimed, size_t index,
                           const char *(*name_of)(const Row *row)) {
    for (size_t i = 0; i < index; i++) {
        const Row *row = &claimed->rows[i];
        if (is_measured(row) && strcmp(name_of(row), name_of(&claimed->rows[index])) == 0) {
            return false;
        }
    }
    return true;
}

/* Each word of a list has to be the name of something in the run. */
static Status check_words(const Results *claimed, const char *option, const char *list,
                          const char *(*name_of)(const Row *row)) {
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        const Status read = list_next(&list, word);
        if (!status_is_ok(&read)) {
            return status_make(STATUS_USAGE, "--%s: %.300s", option, read.why);
        }
        Suggestion known = suggest_start(word);
        bool found = strcmp(word, "all") == 0;
        for (size_t i = 0; i < claimed->count && !found; i++) {
            const Row *row = &claimed->rows[i];
            if (is_measured(row)) {
                found = has_word(row, name_of, word);
                if (is_named_first(claimed, i, name_of)) {
                    suggest_offer(&known, name_of(row));
                }
            }
        }
        if (!found) {
            return status_make(STATUS_NO_MATCH, "--%s: the run has no '%s' (it has %s)", option,
                               word, known.known);
        }
    }
    return status_ok();
}

static Status check_lists(const Session *session) {
    const ReproduceOptions *options = session->options;
    const Results *claimed = &session->claimed.results;
    STATUS_TRY(check_words(claimed, "algo", options->algo, algorithm_of));
    STATUS_TRY(check_words(claimed, "sizes", options->sizes, size_of));
    return check_words(claimed, "variants", options->variants, variant_of);
}

/* === Request ================================================================================== */

/* Of the stored command line those options are taken over that say what is measured and how
 * (Option.role), but for those that this command sets itself. The request has its algorithms and
 * variants already. */
static bool is_taken(void *context, const Option *option) {
    const Session *session = context;
    const RunOptions *request = &session->request;
    const AxisCatalog axes = axis_catalog();
    if (axis_catalog_find(&axes, option->name) != NULL) {
        return options_use_axis(request, option->name);
    }
    switch (option->member) {
    case offsetof(RunOptions, algorithms):
    case offsetof(RunOptions, variants):
    case offsetof(RunOptions, budget): return false;
    case offsetof(RunOptions, spread): return budget_of(session->options) <= 0;
    case offsetof(RunOptions, weak):
        return options_use_axis(request, scaling_gpus); /* else its sizes are as any others */
    default:
        return (option->member != offsetof(RunOptions, input) || session->options->input == NULL) &&
               option_is_of_another_run(option) && run_option_suits(option, request);
    }
}

/* Appends a number to a comma list that does not have it. False where it does not fit. */
static bool number_add(char numbers[NAMES_SIZE], int32_t number) {
    char text[16];
    snprintf(text, sizeof text, "%" PRId32, number);
    if (list_has(numbers, text)) {
        return true;
    }
    const bool fits = strlen(numbers) + strlen(text) + 2 <= NAMES_SIZE;
    text_append(numbers, NAMES_SIZE, "%s%s", numbers[0] != '\0' ? "," : "", text);
    return fits;
}

/* The best CPU is looked for among all CPU variants of the run. */
static bool is_to_measure(const Session *session, const Row *row) {
    return is_wanted((void *)session, row) || (is_asked(session, row) && row_is_on_cpu(row));
}

bool rows_same_input(const Row *a, const Row *b) {
    return a->algorithm->input == b->algorithm->input && strcmp(a->input, b->input) == 0 &&
           strcmp(a->size_name, b->size_name) == 0;
}

/* NULL: nothing is known to be wrong with the row's input. */
static const char *missing_input(const Session *session, const Row *row) {
    for (size_t i = 0; i < session->missing_count; i++) {
        if (rows_same_input(session->missing[i].row, row)) {
            return session->missing[i].why;
        }
    }
    return NULL;
}

static bool is_needed(const Session *session, const Row *row) {
    return is_to_measure(session, row) && missing_input(session, row) == NULL;
}

/* Whether a row is to be measured whose question has grown with its number of GPUs. */
static bool has_grown(const Session *session) {
    const Results *claimed = &session->claimed.results;
    for (size_t i = 0; i < claimed->count; i++) {
        if (claimed->rows[i].weak && is_to_measure(session, &claimed->rows[i])) {
            return true;
        }
    }
    return false;
}

/* The algorithms and variants that the claims need. */
static Status set_variants(Session *session) {
    const Results *claimed = &session->claimed.results;
    RunOptions *request = &session->request;
    for (size_t i = 0; i < claimed->count; i++) {
        const Row *row = &claimed->rows[i];
        if (is_needed(session, row)) {
            STATUS_TRY(run_add_algorithm(row->algorithm, request));
            STATUS_TRY(run_add_variant(row->variant->name, request));
        }
    }
    options_give(&request->given, "algo");
    options_give(&request->given, "variants");
    return request->algorithm_count > 0
               ? status_ok()
               : status_make(STATUS_NO_MATCH, "%.200s has no verified time that is asked for",
                             session->options->run);
}

/* The sizes that the claims need. With --weak those of the stored command line grow again. */
static Status set_sizes(Session *session) {
    const Results *claimed = &session->claimed.results;
    RunOptions *request = &session->request;
    const bool weak = has_grown(session);
    bool sized = false, whole = true;
    session->images[0] = '\0';
    for (size_t i = 0; i < claimed->count && !weak; i++) {
        const Row *row = &claimed->rows[i];
        const WorkloadKind kind = row->algorithm->input;
        if (kind == WORKLOAD_DESCRIPTORS || !is_needed(session, row)) {
            continue;
        }
        if (kind == WORKLOAD_IMAGE_SET) {
            whole &= number_add(session->images, row->images);
        } else {
            request->size_count = sized ? request->size_count : 0; /* not those of the run */
            STATUS_TRY(sizes_add_named(row->size_name, request->sizes, &request->size_count));
            sized = true;
        }
    }
    if (!whole) {
        return status_make(STATUS_USAGE, "%.200s has too many numbers of images",
                           session->options->run);
    }
    if (session->images[0] != '\0') {
        request->images = session->images;
        options_give(&request->given, "images");
    }
    if (sized) {
        options_give(&request->given, "sizes");
    }
    return status_ok();
}

/* === Judging ================================================================================== */

/* Why a cell of the run cannot be measured here, as far as that is known before. */
static const char *missing_here(void *context, const Row *row) {
    Session *session = context;
    if (session->options->from != NULL) {
        return NULL;
    }
    if (session->all_missing[0] != '\0') {
        return session->all_missing;
    }
    const char *missing = missing_input(session, row);
    if (missing != NULL) {
        return missing;
    }
    session->available = registry_variant_available(row->variant);
    return status_is_ok(&session->available) ? NULL : session->available.why;
}

static Status judge(Session *session, const Results *here, ClaimList *list) {
    const RunClaims claims = {.claimed = &session->claimed.results,
                              .here = here,
                              .same_machine = status_is_ok(&session->same),
                              .wanted = is_wanted,
                              .missing = missing_here,
                              .context = session};
    return run_claims_judge(&claims, list);
}

/* Whether no claim is undecided by the launches so far. Without memory the budget alone ends the
 * run. */
static bool all_are_decided(void *context, const Results *whole) {
    ClaimList list = {.items = NULL};
    const Status status = judge(context, whole, &list);
    const bool decided = status_is_ok(&status) && list.undecided == 0;
    claims_release(&list);
    return decided;
}

/* === Pace ===================================================================================== */

static int launches_of(const Results *results) {
    size_t most = LAUNCHES_LEAST;
    for (size_t i = 0; i < results->count; i++) {
        const size_t launches = results->rows[i].kernel_summary.launches;
        most = launches > most ? launches : most;
    }
    return (int)(most < LAUNCHES_MAX ? most : LAUNCHES_MAX);
}

static void set_own(Session *session) {
    static const char *const own[] = {"no-roof", "no-plot", "quiet", "force", "out"};
    const ReproduceOptions *options = session->options;
    RunOptions *request = &session->request;
    if (budget_of(options) > 0) {
        request->budget = budget_of(options);
        request->may_end = all_are_decided;
        request->may_end_context = session;
        options_give(&request->given, "budget");
    } else {
        request->launches =
            options->launches > 0 ? options->launches : launches_of(&session->claimed.results);
        options_give(&request->given, "launches");
    }
    request->roof = request->plot = false;
    request->quiet = options->quiet;
    request->force = options->force;
    request->out = session->out;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        options_give(&request->given, own[i]);
    }
    if (options->input != NULL) {
        request->input = options->input;
        options_give(&request->given, "input");
    }
}

/* What of a stored command line is wrong here. */
static Status read_stored(Session *session) {
    STATUS_TRY(
        stored_request_read(&session->claimed.arguments, is_taken, session, &session->request));
    STATUS_TRY(set_sizes(session));
    set_own(session);
    return options_complete(&session->request, &session->request.given);
}

/* Again once it is known which inputs are missing. */
static Status make_request(Session *session) {
    RunOptions *request = &session->request;
    argument_list_release(&request->arguments);
    options_start(&command_run, request, &request->given);
    STATUS_TRY(set_variants(session));
    const Status status = read_stored(session);
    if (!status_is_ok(&status)) {
        return status_make(STATUS_USAGE, "%.150s: its command line cannot be run here: %.230s",
                           session->options->run, status.why);
    }
    return options_print(request, &request->given, &request->arguments);
}

/* === Inputs =================================================================================== */

static bool reads_files(const RunOptions *request) {
    return request->input != NULL || request->labels != NULL || request->keypoints_file != NULL ||
           request->weights != NULL;
}

static Status add_missing(Session *session, const Row *row, const char *why) {
    STATUS_TRY(LIST_ROOM(NULL, session->missing, session->missing_count, session->missing_capacity,
                         "inputs"));
    MissingInput *missing = &session->missing[session->missing_count++];
    missing->row = row;
    snprintf(missing->why, sizeof missing->why, "%s", why);
    return status_ok();
}

static Status check_input(Session *session, const InputList *inputs, size_t index) {
    const Row *row = &session->claimed.results.rows[index];
    bool first = is_to_measure(session, row);
    for (size_t i = 0; i < index && first; i++) {
        const Row *other = &session->claimed.results.rows[i];
        first = !is_to_measure(session, other) || !rows_same_input(row, other);
    }
    if (!first) {
        return status_ok();
    }
    const Status status = stored_input_check(&session->request, inputs, row);
    return status_is_ok(&status) || status.code == STATUS_INTERRUPTED
               ? status
               : add_missing(session, row, status.why);
}

/* A file is read only if the run has the hash of what was in it. */
static Status check_inputs(Session *session, FILE *notes) {
    const Results *claimed = &session->claimed.results;
    bool hashes = true;
    for (size_t i = 0; i < claimed->count; i++) {
        hashes = hashes &&
                 (!is_to_measure(session, &claimed->rows[i]) || claimed->rows[i].input_hash != 0);
    }
    if (reads_files(&session->request) && !hashes) {
        snprintf(session->all_missing, sizeof session->all_missing,
                 "the run has no hash of its input, so nothing tells whether a file is the same");
        return status_ok();
    }
    InputList inputs;
    Status status = inputs_open(&session->request, notes, &inputs);
    if (!status_is_ok(&status)) {
        snprintf(session->all_missing, sizeof session->all_missing,
                 reads_files(&session->request) && session->options->input == NULL
                     ? "%.320s; --input names its place here, datasets/fetch gets open data"
                     : "%.380s",
                 status.why);
        return status.code == STATUS_INTERRUPTED ? status : status_ok();
    }
    for (size_t i = 0; i < claimed->count && status_is_ok(&status); i++) {
        status = check_input(session, &inputs, i);
    }
    inputs_release(&inputs);
    return status;
}

/* === Measuring ================================================================================ */

/* The table of the run is in its folder's files; standard output is for the claims. */
static Status measure(Session *session) {
    if (session->missing_count > 0) {
        STATUS_TRY(make_request(session));
    }
    for (size_t i = 0; i < session->request.algorithm_count; i++) {
        machine_add_module(&session->machine, session->request.algorithms[i]);
    }
    STATUS_TRY(output_targets_check(&session->request));
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL) {
        return status_make(STATUS_FILE, "/dev/null cannot be opened");
    }
    const Status status = runner_run_on(&session->request, &session->machine, nowhere, stderr,
                                        &session->here, &session->code);
    fclose(nowhere);
    const bool measured =
        session->code == EXIT_OK || session->code == EXIT_WRONG || session->code == EXIT_NO_SAMPLE;
    if (!status_is_ok(&status) && measured) {
        command_error(&status);
    }
    return measured ? status_ok() : status;
}

/* === Printing ================================================================================= */

static const char *device_of(const Machine *machine) {
    const char *gpu = machine_gpus(machine);
    return gpu[0] != '\0' ? gpu : "no GPU";
}

/* The machine and, where it is known already, when and how it measured. */
static void print_machine(FILE *stream, const char *what, const Machine *machine,
                          const char *started, const ArgumentList *arguments) {
    char line[COMMAND_LINE_SIZE];
    flow_line(stream, 2, "%s: %s, %g CPUs, %s%s%s", what, machine_cpu(machine),
              machine_processors(machine), device_of(machine), started[0] != '\0' ? ", " : "",
              started);
    command_line_text(arguments, line, sizeof line);
    if (line[0] != '\0') {
        visible_line(stream, "%s: bench %s", what, line);
    }
}

static void print_rule(FILE *stream, const Session *session) {
    if (status_is_ok(&session->same)) {
        flow_line(stream, 0,
                  "The same kind of machine and build: a speedup holds unless it is proved to "
                  "differ by more than %.0f%%.",
                  100 * JUDGE_THRESHOLD);
    } else {
        flow_line(stream, 0,
                  "Another machine or build (%s): a claim holds if the same side is "
                  "ahead; by how much is shown, not judged.",
                  session->same.why);
    }
}

static void print_head(FILE *stream, const Session *session) {
    const StoredRun *claimed = &session->claimed;
    visible_line(stream, "%s", session->options->run);
    print_machine(stream, "claimed", &claimed->machine, claimed->started, &claimed->arguments);
    print_machine(stream, "here", &session->machine, session->from.started,
                  session->options->from != NULL ? &session->from.arguments
                                                 : &session->request.arguments);
    print_rule(stream, session);
    if (claimed->ignored > 0) {
        char what[ROWS_IGNORED_SIZE];
        rows_ignored_text(claimed->ignored, what);
        flow_line(stream, 0, "%s; their claims are not listed.", what);
    }
    fputc('\n', stream);
}

static Status print_json(const Session *session, const ClaimList *list) {
    cJSON *root = cJSON_CreateObject();
    const bool complete =
        json_add_text(root, "run", session->options->run) &&
        json_add_text(root, "date", session->claimed.started) &&
        cJSON_AddBoolToObject(root, "same_machine", status_is_ok(&session->same)) != NULL &&
        json_add_text(root, "difference", session->same.why) &&
        json_add_text(root, "measured", session->here.count > 0 ? session->out : "") &&
        claims_json_add(root, list);
    return json_print(stdout, json_whole(root, complete), "the claims");
}

static Status print(const Session *session, const ClaimList *list) {
    const ClaimsFormat format = session->options->format;
    if (format == CLAIMS_JSON) {
        return print_json(session, list);
    }
    print_head(stdout, session);
    STATUS_TRY(
        claims_print(stdout, list, format == CLAIMS_MARKDOWN ? table_print_markdown : table_print));
    if (session->here.count > 0) {
        visible_line(stdout, "%s", session->out);
    }
    return status_ok();
}

/* === Command reproduce ======================================================================== */

static Status read_run(const char *run, StoredRun *stored) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(guard_run(run));
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    STATUS_TRY(stored_run_read(path, stored));
    stored_run_derive(stored);
    return status_ok();
}

static bool is_algorithm_asked(void *context, const char *algorithm) {
    const ReproduceOptions *options = ((const Session *)context)->options;
    return list_names(options->algo, algorithm);
}

static Status choose_decisive(Session *session) {
    const Results *claimed = &session->claimed.results;
    session->decisive = calloc(claimed->count + 1, sizeof *session->decisive);
    return session->decisive != NULL
               ? decisive_rows(claimed, budget_of(session->options), session->decisive)
               : status_no_memory("for the claims of a run");
}

static Status open_session(Session *session) {
    const ReproduceOptions *options = session->options;
    STATUS_TRY(read_run(options->run, &session->claimed));
    if (options->from == NULL) {
        STATUS_TRY(machine_modules_check(&session->claimed.machine, options->run,
                                         is_algorithm_asked, session));
    }
    STATUS_TRY(check_lists(session));
    STATUS_TRY(options->kick_tires ? choose_decisive(session) : status_ok());
    if (options->from != NULL) {
        STATUS_TRY(run_check(options->from));
        STATUS_TRY(read_run(options->from, &session->from));
        STATUS_TRY(request_check_memory(&session->from.arguments, options->from,
                                        &session->claimed.arguments, options->run));
        session->machine = session->from.machine;
    } else {
        machine_read(&session->machine);
    }
    session->same = machine_comparable(&session->claimed.machine, &session->machine);
    if (options->out != NULL) {
        return path_make(session->out, sizeof session->out, "%s", options->out);
    }
    run_folder_choose("-reproduce", session->out, sizeof session->out);
    return status_ok();
}

/* Whether any claim can be tested; otherwise `list` says why none can. */
static Status find_open(Session *session, ClaimList *list) {
    if (session->claimed.arguments_cut) {
        return status_make(STATUS_USAGE,
                           "%.200s: its command line was too long to be kept whole; measure it "
                           "again by hand and give that run with --from",
                           session->options->run);
    }
    STATUS_TRY(make_request(session));
    step_begins(session, "inputs, whose hashes have to be those of the run");
    STATUS_TRY(check_inputs(session, stderr));
    step_ends(session);
    return judge(session, NULL, list);
}

static Status measure_and_judge(Session *session, ClaimList *list) {
    char most[DURATION_SIZE];
    duration_text(budget_of(session->options), most);
    step_begins(session, "measuring what %zu claims rest on, %s at most",
                list->verdicts[CLAIM_OPEN], most);
    STATUS_TRY(measure(session));
    step_ends(session);
    step_begins(session, "judging");
    claims_release(list);
    STATUS_TRY(judge(session, &session->here, list));
    step_ends(session);
    return status_ok();
}

static Status judge_session(Session *session, ClaimList *list) {
    if (session->options->from != NULL) {
        return judge(session, &session->from.results, list);
    }
    STATUS_TRY(find_open(session, list));
    if (session->options->dry_run || list->verdicts[CLAIM_OPEN] == 0) {
        return status_ok();
    }
    return measure_and_judge(session, list);
}

static Status run_session(Session *session, int *code) {
    ClaimList list = {.items = NULL};
    STATUS_TRY(open_session(session));
    Status status = judge_session(session, &list);
    if (status_is_ok(&status) && list.count == 0) {
        status = status_make(STATUS_NO_MATCH, "%.200s claims nothing that is asked for",
                             session->options->run);
    }
    if (status_is_ok(&status)) {
        status = print(session, &list);
        *code = claims_exit_code(&list);
        if (*code == EXIT_OK && session->code == EXIT_WRONG) {
            *code = EXIT_WRONG;
        }
    }
    claims_release(&list);
    return status;
}

static Status reproduce(Invocation *given, void *of) {
    Session *session = calloc(1, sizeof *session);
    STATUS_MEMORY(session, "to reproduce a run");
    session->options = of;
    const Status status = run_session(session, &given->code);
    stored_run_release(&session->claimed);
    stored_run_release(&session->from);
    argument_list_release(&session->request.arguments);
    results_release(&session->here);
    free(session->missing);
    free(session->decisive);
    free(session);
    return status;
}

#define MEMBER(name) .member = offsetof(ReproduceOptions, name)

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUN, MEMBER(run), .otherwise = LAST_RUN},
    {"launches", "N",
     "measure everything N times, each time in a new process. Default: as often as the run, at "
     "least 6",
     .kind = OPTION_INT, MEMBER(launches), .least = 1, .most = LAUNCHES_MAX},
    {"budget", "TIME|none",
     "time for the new run: launches follow each other while there is time, at least 3 and at most "
     "12. They end at 6 or 9 if no claim is undecided then; none: they end only then",
     .words = none_word, .kind = OPTION_HANDLED, .handle = budget_read, MEMBER(budget)},
    {"kick-tires", NULL,
     "only the claims that decide most: the fastest of each side at the smallest and the largest "
     "size and where the other side takes the lead, of one answer of each algorithm. Within "
     "--budget, which is 25min then",
     .kind = OPTION_SET, MEMBER(kick_tires)},
    {"algo", "NAME[,NAME...]", "only claims about these algorithms of the run", .takes = TAKES_LIST,
     .kind = OPTION_TEXT, MEMBER(algo)},
    {"sizes", "LIST", "only claims about these sizes of the run, as it names them",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(sizes)},
    {"variants", "NAME[,NAME...]",
     "only claims about these variants of the run (cpu, gpu: of that side); all its CPU variants "
     "are "
     "measured with them",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(variants)},
    {"input", "FILE|DIR",
     "where the run's input is here. Default: the path in its command line. Name and hash have to "
     "be the same",
     .kind = OPTION_INPUT, MEMBER(input)},
    {"from", "RUN", "measure nothing: test the claims by this stored run", .kind = OPTION_RUN,
     MEMBER(from)},
    {"out", "DIR",
     "folder of the new run. Default: <time>-reproduce in the folder of runs (BENCH_RUNS)",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(out)},
    FORCE_OPTION(MEMBER(force)),
    {"format", "table|markdown|json", "how the claims are printed. Default: table",
     .kind = OPTION_CHOICE, MEMBER(format), .words = formats, .noun = "format"},
    {"dry-run", NULL, "list the claims and which of them cannot be tested here; measure nothing",
     .kind = OPTION_SET, MEMBER(dry_run)},
    {"quiet", NULL, "no progress and no notes on standard error", .kind = OPTION_SET,
     MEMBER(quiet)},
    OPTIONS_END};

static const ReproduceOptions defaults = {.format = CLAIMS_TABLE};

const Command command_reproduce = {
    .name = "reproduce",
    .family = "runs",
    .summary = "measure a stored run again and say which of its claims hold",
    .usage = "bench runs reproduce [RUN] [options]",
    .about =
        "Reads the claims of a stored run (each speedup over the best CPU, each crossover, each "
        "order of variants), measures again with the run's own command line and inputs, and says "
        "claim by claim: holds, does not hold, cannot be tested here. RUN is the folder of a run "
        "or its results.json, without it the last run. On the same kind of machine and build a "
        "speedup holds unless it is "
        "proved to differ by more than 5%; on another one, if the same side is ahead. Of the "
        "stored command line only options that say what is measured and how are taken over, and "
        "an input is used only if its hash is the stored one. Exit code 1: a claim does not hold; "
        "6: none could be tested.",
    .examples = "bench runs reproduce reports/results/h200/lbp\n"
                "bench runs reproduce runs/lbp --sizes 1080p,4K --launches 12 --out runs/again\n"
                "bench runs reproduce runs/lbp --budget 60s\n"
                "bench runs reproduce runs/lbp --kick-tires\n"
                "bench runs reproduce runs/lbp --dry-run\n"
                "bench runs reproduce runs/lbp --from runs/tuesday --format markdown\n",
    .words = "one stored run",
    .rows = option_rows,
    .size = sizeof(ReproduceOptions),
    .defaults = &defaults,
    .check = check,
    .run = reproduce,
    .measures = true,
};
