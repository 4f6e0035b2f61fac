/* The command `bench verify`: every variant held to the oracle on awkward cases. */

#include "algorithm.h"
#include "cli_internal.h"
#include "exit_code.h"
#include "paths.h"
#include "progress.h"
#include "registry.h"
#include "run.h"
#include "run_options.h"
#include "table.h"
#include "text.h"
#include "variant.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRESET_SIZE = 1024, PRESET_WORDS_MAX = 64, PATH_SIZE = 4096, SKIPS_MAX = 8 };

typedef enum VerifyBackend { BACKEND_BOTH, BACKEND_CPU, BACKEND_CUDA } VerifyBackend;

typedef enum Sanitizer { SANITIZER_NONE, SANITIZER_MEMCHECK } Sanitizer; /* and the others */

static const char *const sanitizers[] = {"memcheck", "racecheck", "initcheck", "synccheck", NULL};

typedef struct VerifyOptions {
    RunOptions run; /* first: --algo, --variants and axes are its options */
    const char *except;
    VerifyBackend backend;
    Sanitizer sanitizer;
    ConformanceRequest request;
} VerifyOptions;

/* Why variants cannot run here, and how many of each. */
typedef struct Skips {
    size_t count;
    size_t variants[SKIPS_MAX];
    char why[SKIPS_MAX][STATUS_WHY_SIZE];
} Skips;

/* What all variants came to. */
typedef struct Tally {
    size_t right, wrong;
    Skips skips, partly; /* all requests; some of them */
    bool lost;           /* the device cannot be used any more */
} Tally;

/* === What is asked for ======================================================================== */

/* Whether the list has "algorithm" or "algorithm/variant". */
static bool list_names(const char *list, const Algorithm *algorithm, const Variant *variant) {
    char name[LIST_WORD_SIZE], word[LIST_WORD_SIZE];
    snprintf(name, sizeof name, "%s/%s", algorithm->name, variant->name);
    while (list != NULL) {
        const Status read = list_next(&list, word);
        if (!status_is_ok(&read)) {
            return false;
        }
        if (strcmp(word, algorithm->name) == 0 || strcmp(word, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_selected(const VerifyOptions *options, const Algorithm *algorithm,
                        const Variant *variant) {
    return options_select_variant(&options->run, variant) &&
           (options->backend == BACKEND_BOTH ||
            (options->backend == BACKEND_CPU) == variant_is_on_cpu(variant)) &&
           !list_names(options->except, algorithm, variant);
}

/* A name that is misspelt must not pass for a check that found nothing wrong. */
static Status check_except(const char *list) {
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        char *slash = strchr(word, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        const Algorithm *algorithm = registry_find_algorithm(word);
        if (algorithm == NULL ||
            (slash != NULL && registry_find_variant(algorithm, slash + 1) == NULL)) {
            return status_make(STATUS_USAGE, "--except: there is no '%s%s%s'", word,
                               slash != NULL ? "/" : "", slash != NULL ? slash + 1 : "");
        }
    }
    return status_ok();
}

/* Everything takes minutes, which nobody is to start by a bare word. */
static Status check_chosen(const OptionsGiven *given) {
    static const char *const choices[] = {"variants", "backend", "except", NULL};
    return options_first_given(given, choices) != NULL
               ? status_ok()
               : status_make(STATUS_USAGE, "verify: what is to be verified? Write --algo lbp; "
                                           "--algo all takes minutes, with --quick less");
}

static Status verify_check(void *of, const OptionsGiven *given) {
    VerifyOptions *options = of;
    options->run.given = *given;
    STATUS_TRY(run_choose_devices(&options->run));
    if (options->run.algorithm_count == 0) {
        STATUS_TRY(check_chosen(given));
        STATUS_TRY(run_option_algorithms(NULL, "all", &options->run));
    }
    for (size_t i = 0; i < options->run.axis_count; i++) {
        if (!options_use_axis(&options->run, options->run.axes[i].name)) {
            return status_make(STATUS_USAGE, "--%s: nothing that is verified has this axis",
                               options->run.axes[i].name);
        }
    }
    return check_except(options->except);
}

/* === One algorithm ============================================================================ */

static void put_row(TextTable *table, const Algorithm *algorithm, const Variant *variant,
                    const ConformanceResult *result, const Status *status) {
    const bool right = status_is_ok(status);
    char subject[CALL_SUBJECT_SIZE];
    variant_subject(algorithm, variant, subject);
    const char *ended = call_ended_word(subject);
    const char *wrong = ended != NULL ? ended : "WRONG";
    text_table_put(table, "%s", algorithm->name);
    text_table_put(table, "%s", variant->name);
    text_table_put(table, "%zu of %zu", result->ran, result->asked);
    text_table_put_ink(table, right ? INK_FASTER : INK_SLOWER, right ? "right" : wrong);
}

/* Past SKIPS_MAX reasons the last one stands for all others. */
static void count_skip(const char *why, Skips *skips) {
    size_t i = 0;
    while (i < skips->count && strcmp(skips->why[i], why) != 0) {
        i++;
    }
    if (i == SKIPS_MAX) {
        i--;
    } else if (i == skips->count) {
        skips->count++;
        snprintf(skips->why[i], sizeof skips->why[i], "%s", why);
    }
    skips->variants[i]++;
}

/* What a variant came to is kept for the processes after this one, which another variant may end.
 */
static void keep_result(const char *name, const Status *status, const ConformanceResult *result) {
    char text[STATUS_WHY_SIZE + 64];
    snprintf(text, sizeof text, "%d %zu %zu %s", (int)status->code, result->ran, result->asked,
             status_is_ok(status) ? result->why : status->why);
    supervisor_keep(name, text);
}

/* False: none has looked at it yet. */
static bool read_result(const char *name, Status *status, ConformanceResult *result) {
    const char *text = supervisor_kept(name);
    int code = 0, end = 0;
    if (text == NULL ||
        sscanf(text, "%d %zu %zu %n", &code, &result->ran, &result->asked, &end) != 3) {
        return false;
    }
    *status = status_ok();
    status->code = (StatusCode)code;
    snprintf(status_is_ok(status) ? result->why : status->why, STATUS_WHY_SIZE, "%s", text + end);
    return true;
}

static Status check_variant(const VerifyOptions *options, const Algorithm *algorithm,
                            const Variant *variant, Tally *tally, ConformanceResult *result) {
    const bool lost = tally->lost && !variant_is_on_cpu(variant);
    char name[LIST_WORD_SIZE];
    Status status;
    snprintf(name, sizeof name, "%s/%s", algorithm->name, variant->name);
    if (read_result(name, &status, result)) {
        return status;
    }
    char subject[CALL_SUBJECT_SIZE];
    variant_subject(algorithm, variant, subject);
    call_on_behalf(subject);
    status = call_refused(subject);
    STATUS_THEN(status, lost ? status_skip("the device was lost")
                             : conformance_check(algorithm, variant, &options->request, result));
    if (status.code == STATUS_INTERRUPTED || status.code == STATUS_USAGE) {
        return status;
    }
    if (!status_is_ok(&status) && status.code != STATUS_SKIP) {
        visible_line(stderr, "bench: %s: %s", name, status.why);
    }
    tally->lost |= status.code == STATUS_DEVICE_LOST;
    keep_result(name, &status, result);
    return status;
}

static Status verify_variant(const VerifyOptions *options, const Algorithm *algorithm,
                             const Variant *variant, TextTable *table, Tally *tally) {
    ConformanceResult result = {.asked = 0};
    const Status status = check_variant(options, algorithm, variant, tally, &result);
    if (status.code == STATUS_INTERRUPTED || status.code == STATUS_USAGE) {
        return status;
    }
    if (status.code == STATUS_SKIP) {
        count_skip(status.why, &tally->skips);
        return status_ok();
    }
    put_row(table, algorithm, variant, &result, &status);
    if (status_is_ok(&status) && result.ran < result.asked) {
        count_skip(result.why, &tally->partly);
    }
    tally->right += status_is_ok(&status);
    tally->wrong += !status_is_ok(&status);
    return status_ok();
}

static Status verify_algorithm(const VerifyOptions *options, const Algorithm *algorithm,
                               TextTable *table, Progress *progress, Tally *tally) {
    Status status = status_ok();
    const Variant *variant = NULL;
    for (size_t v = 0; status_is_ok(&status) && (variant = registry_any(algorithm, v)) != NULL;
         v++) {
        if (!is_selected(options, algorithm, variant) || !variant_is_due(algorithm, variant)) {
            continue;
        }
        char name[LIST_WORD_SIZE];
        snprintf(name, sizeof name, "%s/%s", algorithm->name, variant->name);
        progress_show(progress, name, NULL);
        status = verify_variant(options, algorithm, variant, table, tally);
        progress_done(progress, 1.0);
    }
    conformance_forget();
    return status;
}

/* Reads the arguments that suit the algorithm, whose texts are in `preset`, and on top of them
 * those of the command line. */
static Status read_request(const Invocation *given, char preset[PRESET_SIZE],
                           VerifyOptions *options) {
    OptionsGiven *is_given = &options->run.given;
    char *words[PRESET_WORDS_MAX];
    char *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(preset, " ", &rest); word != NULL && count < PRESET_WORDS_MAX;
         word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    options_start(&command_verify, options, is_given);
    STATUS_TRY(options_read(count, words, options, is_given));
    STATUS_TRY(
        options_read(given->argc - given->first, given->argv + given->first, options, is_given));
    return options_complete(options, is_given);
}

static Status verify_with_preset(const Invocation *given, const VerifyOptions *fixed,
                                 const Algorithm *algorithm, TextTable *table, Progress *progress,
                                 Tally *tally) {
    char preset[PRESET_SIZE];
    VerifyOptions options;
    snprintf(preset, sizeof preset, "%s", algorithm->verify != NULL ? algorithm->verify : "");
    const Status parsed = read_request(given, preset, &options);
    if (!status_is_ok(&parsed)) {
        return status_make(parsed.code, "%s: %s", algorithm->name, parsed.why);
    }
    options.request.axis_count = options.run.axis_count;
    options.request.axes = options.run.axes;
    options.request.fixed_count = fixed->run.axis_count;
    options.request.fixed = fixed->run.axes;
    options.request.fixed_inputs = fixed->request.shapes != NULL || fixed->request.contents != NULL;
    return verify_algorithm(&options, algorithm, table, progress, tally);
}

/* === All of them ============================================================================== */

static size_t count_selected(const VerifyOptions *options) {
    size_t selected = 0;
    for (size_t i = 0; i < options->run.algorithm_count; i++) {
        const Algorithm *algorithm = options->run.algorithms[i];
        const Variant *variant = NULL;
        for (size_t v = 0; (variant = registry_any(algorithm, v)) != NULL; v++) {
            selected += is_selected(options, algorithm, variant);
        }
    }
    return selected;
}

static void print_tally(const Tally *tally) {
    if (tally->right + tally->wrong > 0) {
        printf("\n%zu of %zu variants right\n", tally->right, tally->right + tally->wrong);
    }
    for (size_t i = 0; i < tally->skips.count; i++) {
        visible_line(stdout, "%zu cannot run here: %s", tally->skips.variants[i],
                     tally->skips.why[i]);
    }
    for (size_t i = 0; i < tally->partly.count; i++) {
        visible_line(stdout, "%zu %s skipped requests: %s", tally->partly.variants[i],
                     plural(tally->partly.variants[i], "variant", "variants"),
                     tally->partly.why[i]);
    }
}

static void print_nothing(FILE *stream, const DocTable *table) {
    (void)stream;
    (void)table;
}

static Status verify_here(Invocation *given, const VerifyOptions *options) {
    const size_t selected = count_selected(options);
    if (selected == 0) {
        return status_make(STATUS_NO_MATCH, "no variant is of this backend and of these names; "
                                            "'bench list' shows what there is");
    }
    Tally tally = {.right = 0};
    Progress progress;
    TextTable table =
        TEXT_TABLE(WORDS("algorithm"), WORDS("variant"), WORDS("requests"), WORDS("answers"));
    Status status = status_ok();
    table.table.wraps = true;
    call_offer_trials();
    progress_start(&progress, stderr, selected, selected, options->run.quiet);
    progress_be_patient(&progress);
    for (size_t i = 0; status_is_ok(&status) && i < options->run.algorithm_count; i++) {
        status = verify_with_preset(given, options, options->run.algorithms[i], &table, &progress,
                                    &tally);
    }
    progress_end(&progress);
    const bool any = tally.right + tally.wrong > 0 && call_trial() == NULL;
    const Status printed = text_table_end(&table, stdout, any ? table_print : print_nothing);
    if (call_trial() == NULL) {
        print_tally(&tally);
    }
    given->code = tally.wrong > 0 ? EXIT_WRONG : tally.right > 0 ? EXIT_OK : EXIT_NO_SAMPLE;
    return status_is_ok(&status) ? printed : status;
}

/* === Under compute-sanitizer ================================================================== */

static void relay(void *context, const char *bytes, size_t size) {
    (void)context;
    fwrite(bytes, 1, size, stderr);
}

/* The same request in the sanitizer, quick and without --sanitizer. */
static Status sanitizer_arguments(const VerifyOptions *options, ArgumentList *list) {
    char program[PATH_SIZE], code[8];
    VerifyOptions own = *options;
    program_path(program, sizeof program);
    snprintf(code, sizeof code, "%d", (int)EXIT_WRONG);
    const char *const tool[] = {
        "compute-sanitizer", "--tool", sanitizers[options->sanitizer - 1], "--error-exitcode", code,
        "--quiet",           NULL};
    /* NCCL asks for kernels that it has not, and expects the error. Ours are all looked at. */
    static const char *const memcheck[] = {"--report-api-errors", "no", NULL};
    const char *const command[] = {program, command_verify.name, NULL};
    own.sanitizer = SANITIZER_NONE;
    own.request.quick = true;
    options_give(&own.run.given, "quick");
    STATUS_TRY(argument_list_add_all(list, tool));
    if (options->sanitizer == SANITIZER_MEMCHECK) {
        STATUS_TRY(argument_list_add_all(list, memcheck));
    }
    STATUS_TRY(argument_list_add_all(list, command));
    return options_print(&own, &own.run.given, list);
}

static Status run_sanitizer(const ArgumentList *list, ChildEnd *end) {
    fflush(stdout);
    setenv("BENCH_SUPERVISE", "no", 1); /* the sanitizer follows one process */
    const ChildProcess child = {.program = list->argv[0],
                                .arguments = (const char *const *)list->argv,
                                .output = STDOUT_FILENO,
                                .take = relay};
    return child_process_run(&child, end);
}

static Status verify_sanitized(Invocation *given, const VerifyOptions *options) {
    ChildEnd end = {.error = 0};
    ArgumentList list = {.argc = 0};
    Status status = sanitizer_arguments(options, &list);
    STATUS_THEN(status, run_sanitizer(&list, &end));
    argument_list_release(&list);
    STATUS_TRY(status);
    if (end.error != 0) {
        return status_skip("compute-sanitizer cannot be started (%s); it comes with the CUDA "
                           "toolkit and has to be in PATH",
                           strerror(end.error));
    }
    given->code = end.code;
    return status_ok();
}

/* === Command verify =========================================================================== */

static Status verify(Invocation *given, void *of) {
    const VerifyOptions *options = of;
    return options->sanitizer != SANITIZER_NONE ? verify_sanitized(given, options)
                                                : verify_here(given, options);
}

static const char *const backends[] = {"cpu", "cuda", NULL};

#define MEMBER(name) .member = offsetof(VerifyOptions, name)

static const Option option_rows[] = {
    {"algo", "NAME[,NAME...]|all",
     "algorithms. Default: all where --variants, --backend or --except chooses among them",
     .takes = TAKES_LIST, .words = all_word, .kind = OPTION_HANDLED,
     .handle = run_option_algorithms, .print = run_print_algorithms},
    {"variants", "LIST|all", "variants; cpu and gpu: all of that side. Default: all that run here",
     .takes = TAKES_LIST, .words = all_word, .kind = OPTION_HANDLED, .handle = run_option_variants,
     .print = run_print_variants},
    {"except", "LIST", "leave out: algorithms, or ALGORITHM/VARIANT", .takes = TAKES_LIST,
     .kind = OPTION_TEXT, MEMBER(except)},
    {"backend", "cpu|cuda", "variants of one backend. Default: both", .kind = OPTION_CHOICE,
     .words = backends, .noun = "backend", MEMBER(backend)},
    DEVICE_OPTION(MEMBER(run.devices)),
    {"shapes", "LIST",
     "WxH of images, NxWxH of sets, N+NxBYTES of descriptors. Default: shapes around 1 and around "
     "the widths of vectors, tiles and blocks",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.shapes)},
    {"contents", "LIST",
     "zero, seven, full, ramp, noise, extreme, texture; of sets digits; of descriptors random, "
     "ties, near. Default: all that have exact answers",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.contents)},
    {"quick", NULL, "fewer and smaller cases", .kind = OPTION_SET, MEMBER(request.quick)},
    {"wide", NULL, "many answer points: each with one content, in turn", .kind = OPTION_SET,
     MEMBER(request.wide)},
    {"sanitizer", "TOOL",
     "run in compute-sanitizer with --quick: memcheck, racecheck, initcheck, synccheck. Without "
     "a value: memcheck",
     .kind = OPTION_CHOICE, .words = sanitizers, .noun = "tool", .otherwise = "memcheck",
     MEMBER(sanitizer)},
    {"quiet", NULL, "no progress", .kind = OPTION_SET, MEMBER(run.quiet)},
    OPTIONS_END};

const Command command_verify = {
    .name = "verify",
    .summary = "every variant against the oracle on awkward inputs",
    .usage = "bench verify --algo NAME|all [options]\n"
             "bench verify FILE.c|FILE.cpp|FILE.cu|FILE.py [options]",
    .about =
        "Runs every variant on awkward inputs and compares its answer with the oracle's: sizes "
        "from 1x1, extreme contents, rows with bytes behind them, poisoned memory, guard bands, "
        "repeated runs, every answer and tuning point in turn, among them the defaults and the "
        "ends of each axis, and the defaults on an input of a size that is used. Each algorithm "
        "names the cases that suit it; options replace them. The options of axes ('bench list "
        "NAME') give "
        "their values. Exit code 4 when an answer is wrong, or a variant fails or ends its "
        "process; what a variant refuses is no error, as in a run.",
    .examples = "bench verify --algo lbp\n"
                "bench verify blur.cu\n"
                "bench verify --plugin ./invert.so --algo invert\n"
                "bench verify --algo lbp --variants cuda_fast --sanitizer racecheck\n"
                "bench verify --algo lbp --variants cuda_multi --device 0,0,0\n",
    .rows = option_rows,
    .more_rows = run_axis_rows,
    .scope = SCOPE_VERIFY,
    .size = sizeof(VerifyOptions),
    .check = verify_check,
    .run = verify,
    .verifies = true,
    .meant = word_meant,
};
