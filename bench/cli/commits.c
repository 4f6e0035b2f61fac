/* The commands `bench bisect` and `bench ci`: commits that are built and measured in turns. */

#include "cli_internal.h"
#include "modules.h"
#include "run.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history.h"
#include "markup_text.h"
#include "source_file.h"
#include "text.h"

/* === Options ================================================================================== */

enum { SCOPE_BISECT = 1, SCOPE_CI = 2, LAUNCHES_LEAST = 6, CMAKE_MOST = 40 };

typedef struct CommitOptions {
    const char *good, *bad;           /* of bisect */
    const char *base, *head, *junit;  /* of ci */
    const char *out;                  /* NULL: reports/runs/<time>-ci */
    const char *repository, *program; /* in the build folder */
    const char *module, *command;     /* of the commit, and what builds it; NULL: none */
    OptionTexts cmake, cells;
    int32_t launches, jobs;
    double budget; /* of ci: seconds of measuring; 0: none */
    double alpha, threshold;
    bool strict, quiet;
} CommitOptions;

#define MEMBER(name) .member = offsetof(CommitOptions, name)

static const Option option_rows[] = {
    {NULL, "GOOD", NULL, .kind = OPTION_TEXT, MEMBER(good), .scope = SCOPE_BISECT},
    {NULL, "BAD", NULL, .kind = OPTION_TEXT, MEMBER(bad), .scope = SCOPE_BISECT},
    {NULL, "CELL", NULL, .kind = OPTION_REST, MEMBER(cells), .most = 400},
    {"base", "COMMIT",
     "what the head is compared with: the commit where the head's history leaves this one's",
     .kind = OPTION_TEXT, MEMBER(base), .scope = SCOPE_CI},
    {"head", "COMMIT", "Default: HEAD", .kind = OPTION_TEXT, MEMBER(head), .scope = SCOPE_CI},
    {"out", "DIR",
     "folder of the launches, of comparison.md and junit.xml. Default: reports/runs/<time>-ci",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(out), .scope = SCOPE_CI},
    {"junit", "FILE", "write the test report to FILE. Default: junit.xml in the folder",
     .kind = OPTION_OUTPUT, MEMBER(junit), .scope = SCOPE_CI},
    {"strict", NULL, "end with exit code 7 when a cell is undecided and none is slower",
     .kind = OPTION_SET, MEMBER(strict), .scope = SCOPE_CI},
    {"launches", "N", "launches of each side, at least 6. Default: 8", .kind = OPTION_INT,
     MEMBER(launches), .least = LAUNCHES_LEAST, .most = LAUNCHES_MAX},
    {"budget", "TIME",
     "time for measuring, without the builds: as many pairs of launches as it has room for by the "
     "time of the second pair, and no fewer than can decide a cell of so many. Their number is "
     "fixed then, before the sides are compared",
     .kind = OPTION_DURATION, MEMBER(budget), .scope = SCOPE_CI},
    {"alpha", "RATIO", "as of bench compare. Default: 0.01", .kind = OPTION_RATIO, MEMBER(alpha)},
    {"threshold", "RATIO", "as of bench compare. Default: 5%", .kind = OPTION_RATIO,
     MEMBER(threshold)},
    {"cmake", "ARGUMENT",
     "argument of cmake for every commit, as -DWITH_CUDA=ON; may be repeated. Default: kernels for "
     "the one device that is here, without a device none",
     .kind = OPTION_TEXTS, MEMBER(cmake), .most = CMAKE_MOST},
    {"module", "FILE",
     "measure an algorithm of the repository instead, with this program: a file of C, C++, CUDA or "
     "Python, or the .so that --build makes, as its path from the current folder",
     .takes = TAKES_FILE, .kind = OPTION_TEXT, MEMBER(module)},
    {"build", "COMMAND",
     "with --module: given to sh in the current folder of each commit before the module is taken",
     .kind = OPTION_TEXT, MEMBER(command)},
    {"program", "PATH", "the program in the build folder. Default: bin/bench", .takes = TAKES_FILE,
     .kind = OPTION_TEXT, MEMBER(program)},
    {"jobs", "N", "commands of the build at a time. Default: as many as there are processors",
     .kind = OPTION_INT, MEMBER(jobs), .least = 1, .most = 1024},
    {"repo", "DIR", "the git repository, which is only read. Default: the current folder",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(repository)},
    {"quiet", NULL, "no progress", .kind = OPTION_SET, MEMBER(quiet)},
    OPTIONS_END};

static const CommitOptions defaults = {.head = "HEAD",
                                       .repository = ".",
                                       .program = "bin/bench",
                                       .launches = 8,
                                       .alpha = JUDGE_ALPHA,
                                       .threshold = JUDGE_THRESHOLD};

static Status check_cells(const CommitOptions *options, const char *command) {
    return options->cells.count > 0 || options->module != NULL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "%s: name what is measured behind --, as options of bench run: -- "
                             "--algo lbp --variants omp --sizes 1080p; or an algorithm of the "
                             "repository with --module",
                             command);
}

/* --- Module ----------------------------------------------------------------------------------- */

static Status check_without_module(const CommitOptions *options) {
    return options->command == NULL
               ? status_ok()
               : status_make(STATUS_USAGE, "--build is with --module; commits of bench are built "
                                           "by cmake: --cmake has its arguments");
}

static Status check_module_path(const char *module) {
    if (module[0] == '/') {
        return status_make(STATUS_USAGE,
                           "--module is a path from the current folder, which every commit has; "
                           "%.200s is one of this machine",
                           module);
    }
    return source_file_is_named(module) || text_ends(module, ".so")
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--module: %.200s is neither a file of C, C++, CUDA or Python nor a "
                             "shared object .so",
                             module);
}

static Status check_module(const CommitOptions *options, const OptionsGiven *given) {
    static const char *const others[] = {"cmake", "program", "jobs", NULL};
    if (options->module == NULL) {
        return check_without_module(options);
    }
    const char *other = options_first_given(given, others);
    if (other != NULL) {
        return status_make(STATUS_USAGE,
                           "--%s is for commits of bench; a module is built as its file says, "
                           "or by --build",
                           other);
    }
    STATUS_TRY(check_module_path(options->module));
    return source_file_is_named(options->module) || options->command != NULL
               ? status_ok()
               : status_make(
                     STATUS_USAGE,
                     "--build COMMAND says how a commit's %.200s is made, as --build 'cmake "
                     "-B build && cmake --build build'",
                     options->module);
}

static Status check_bisect(void *of, const OptionsGiven *given) {
    const CommitOptions *options = of;
    if (options->bad == NULL) {
        return status_make(STATUS_USAGE, "bisect: name two commits, the good one and the bad one");
    }
    STATUS_TRY(check_module(options, given));
    return check_cells(options, "bisect");
}

static Status check_ci(void *of, const OptionsGiven *given) {
    const CommitOptions *options = of;
    if (options->base == NULL) {
        return status_make(STATUS_USAGE, "ci: --base names the commit to compare with");
    }
    if (options_was_given(given, "budget") && options_was_given(given, "launches")) {
        return status_make(STATUS_USAGE, "--budget and --launches cannot be combined: the number "
                                         "of launches follows from the budget; write one");
    }
    STATUS_TRY(check_module(options, given));
    return check_cells(options, "ci");
}

/* --- What is measured ------------------------------------------------------------------------- */

/* Where results go, and in how many launches, is not for the cells to say. */
static Status check_free(const OptionsGiven *given) {
    static const char *const ours[] = {"out",  "resume", "baseline", "launches", "budget",
                                       "pass", "shard",  "list",     "dry-run",  NULL};
    return options_first_given(given, ours) == NULL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "behind -- stand options that say what is measured and how: not "
                             "--out, --resume, --baseline, --launches, --budget, --pass, --shard, "
                             "--list or --dry-run");
}

/* A mistake is found before anything is built. */
static Status read_own_cells(const CommitOptions *options, RunOptions *run) {
    STATUS_TRY(
        options_parse(&command_run, (int)options->cells.count, (char **)options->cells.texts, run));
    request_keep_launch(&run->given);
    return status_ok();
}

/* Options of a module are its own, which no module here has: each launch reads them. */
static Status read_module_cells(const CommitOptions *options, bool named, PairRequest *request) {
    char name[MODULE_NAME_MAX + 1];
    source_file_name(options->module, name);
    const char *const chosen[] = {"--algo", name, NULL};
    ArgumentList *words = &request->words;
    options_start(&command_run, &request->run, &request->run.given);
    for (size_t i = 0; i < options->cells.count; i++) {
        STATUS_TRY(argument_list_add(words, options->cells.texts[i]));
    }
    return named ? status_ok() : argument_list_add_all(words, chosen);
}

/* The request of a launch; release it, whatever is returned. */
static Status read_cells(const CommitOptions *options, PairRequest *request) {
    const ArgumentList cells = {.argc = (int)options->cells.count,
                                .argv = (char **)options->cells.texts};
    RunOptions asked;
    *request = (PairRequest){.words = {.argc = 0}};
    request_recall(&cells, &asked);
    STATUS_TRY(check_free(&asked.given));
    return options->module != NULL
               ? read_module_cells(options, options_was_given(&asked.given, "algo"), request)
               : read_own_cells(options, &request->run);
}

static void request_release(PairRequest *request) {
    options_release(&command_run, &request->run);
    argument_list_release(&request->words);
}

static CommitBuilds commit_builds_of(const CommitOptions *options) {
    return (CommitBuilds){.repository = options->repository,
                          .cmake = &options->cmake,
                          .program = options->program,
                          .jobs = options->jobs,
                          .module = options->module,
                          .command = options->command,
                          .notes = stderr,
                          .quiet = options->quiet};
}

static FILE *notes_of(const CommitOptions *options) {
    return options->quiet ? NULL : stderr;
}

/* === Command bisect =========================================================================== */

static Status bisect(Invocation *given, void *of) {
    static const ExitCode codes[] = {[BISECT_FOUND] = EXIT_OK,
                                     [BISECT_SEVERAL] = EXIT_AMBIGUOUS,
                                     [BISECT_GRADUAL] = EXIT_AMBIGUOUS,
                                     [BISECT_NO_CHANGE] = EXIT_NO_MATCH};
    const CommitOptions *options = of;
    static PairRequest cells; /* too large for the stack */
    CommitBuilds builds = commit_builds_of(options);
    BisectEnd end = BISECT_NO_CHANGE;
    Status status = read_cells(options, &cells);
    if (status_is_ok(&status)) {
        const BisectRequest request = {
            .good = options->good,
            .bad = options->bad,
            .criteria = {.alpha = options->alpha, .threshold = options->threshold},
            .request = &cells,
            .launches = options->launches,
            .notes = notes_of(options)};
        status = bisect_run(&request, &builds, &end);
    }
    request_release(&cells);
    given->code = (int)codes[end];
    return status;
}

const Command command_bisect = {
    .name = "bisect",
    .family = "ci",
    .summary = "find the commit between two that changed a time",
    .usage = "bench ci bisect GOOD BAD [options] -- CELL",
    .about =
        "Builds and measures commits between two until the one that changed a cell is found. CELL "
        "is options of bench run that say what is measured. GOOD and BAD are measured first, in "
        "turns, and judged as bench compare does; if they do not differ, the search ends. Then a "
        "commit in the middle is measured in turns with GOOD and belongs to the end that its time "
        "is nearer to, and so on along the first parents. A commit that cannot be built is "
        "skipped. The one that is found is measured once more against the one before it. Builds "
        "are in $TMPDIR and removed at the end, also when it is interrupted; the repository is "
        "only read. Exit code 0: found; 3: GOOD and BAD do not differ; 7: not one commit, but "
        "several that were skipped, or a change in steps.",
    .examples =
        "bench ci bisect v1.0 HEAD -- --algo lbp --variants omp --sizes 1080p\n"
        "bench ci bisect HEAD~20 HEAD --cmake -DWITH_CUDA=OFF -- --algo haar --images 1000\n",
    .words = "two commits, the good one and the bad one",
    .rows = option_rows,
    .scope = SCOPE_BISECT,
    .size = sizeof(CommitOptions),
    .defaults = &defaults,
    .check = check_bisect,
    .run = bisect,
    .delegates = true,
};

/* === Command ci =============================================================================== */

typedef struct Job {
    const CommitOptions *options;
    char base[COMMIT_SIZE], head[COMMIT_SIZE];
    char folder[ATOMIC_FILE_PATH_SIZE];
    PairRequest request;
    CommitBuilds builds;
    CommitBuild built[SIDES];
    MeasuredRun runs[SIDES];
    bool alone; /* the base has no such module */
} Job;

/* The commit where the histories of both part: what the base has gained since is not the head's. */
static Status find_commits(Job *job) {
    const CommitOptions *options = job->options;
    char *text = NULL;
    char base[COMMIT_SIZE];
    STATUS_TRY(git_commit(options->repository, options->base, base));
    STATUS_TRY(git_commit(options->repository, options->head, job->head));
    const char *const arguments[] = {"merge-base", base, job->head, NULL};
    const Status status = git_read(options->repository, arguments, &text);
    if (status.code == STATUS_FILE) {
        return status_make(STATUS_USAGE,
                           "%.80s and %.80s have no commit in common; a shallow clone lacks it: "
                           "fetch the whole history",
                           options->base, options->head);
    }
    STATUS_TRY(status);
    text[strcspn(text, "\n")] = '\0';
    snprintf(job->base, sizeof job->base, "%.70s", text);
    free(text);
    return status_ok();
}

static Status choose_folder(Job *job) {
    if (job->options->out != NULL) {
        STATUS_TRY(path_make(job->folder, sizeof job->folder, "%s", job->options->out));
    } else {
        run_folder_choose("-ci", job->folder, sizeof job->folder);
    }
    return folder_make(job->folder);
}

/* Steps of a job append to this file, which is not ours to replace. */
static Status append_summary(const char *text, size_t size) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (path == NULL || path[0] == '\0') {
        return status_ok();
    }
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    const ssize_t written = file >= 0 ? write(file, text, size) : -1;
    if (file >= 0) {
        close(file);
    }
    return written == (ssize_t)size
               ? status_ok()
               : status_make(STATUS_FILE, "$GITHUB_STEP_SUMMARY, %.250s, cannot be written", path);
}

/* One line, in the summary of the job too. */
static Status say(const char *text) {
    char line[512];
    visible_line(stdout, "%s", text);
    snprintf(line, sizeof line, "%.500s\n", text);
    return append_summary(line, strlen(line));
}

static Status build_head(Job *job) {
    const Status status = commit_builds_build(&job->builds, job->head, &job->built[SIDE_NEW]);
    return status.code == STATUS_NO_MATCH
               ? status_make(STATUS_USAGE,
                             "--module: %.300s; commits are measured, so commit it, and name it as "
                             "seen from the current folder",
                             status.why)
               : status;
}

/* There is nothing to compare a new algorithm with: it has to be right, and its times are shown. */
static Status measure_new(const Job *job, const ProgramPair *pair, int *code) {
    char text[512];
    snprintf(text, sizeof text,
             "%.*s has no %.200s: a new algorithm, which is verified and timed alone.",
             COMMIT_SHORT, job->base, job->options->module);
    STATUS_TRY(say(text));
    return program_pair_run_new(pair, code);
}

static Status measure(Job *job, int *code) {
    const CommitOptions *options = job->options;
    CommitBuilds *builds = &job->builds;
    const ProgramPair pair = {.builds = {&job->built[SIDE_OLD], &job->built[SIDE_NEW]},
                              .folder = job->folder,
                              .request = &job->request,
                              .launches = options->launches,
                              .budget = options->budget,
                              .alpha = options->alpha,
                              .notes = notes_of(options)};
    STATUS_TRY(build_head(job));
    const Status old = commit_builds_build(builds, job->base, &job->built[SIDE_OLD]);
    job->alone = old.code == STATUS_NO_MATCH;
    if (job->alone) {
        return measure_new(job, &pair, code);
    }
    STATUS_TRY(old);
    STATUS_TRY(program_pair_measure(&pair, job->runs));
    for (int side = 0; options->module != NULL && side < SIDES; side++) {
        snprintf(job->runs[side].commit, MEASURED_COMMIT_SIZE, "%s",
                 side == SIDE_OLD ? job->base : job->head);
    }
    return status_ok();
}

/* --- What is written -------------------------------------------------------------------------- */

static void write_side(const Job *job, FILE *stream, const char *word, const char *commit) {
    char subject[COMMIT_SUBJECT_SIZE];
    git_subject(job->options->repository, commit, subject);
    fprintf(stream, "- %s `%.*s` ", word, COMMIT_SHORT, commit);
    markdown_text(stream, subject);
    fputc('\n', stream);
}

static Status write_markdown(const Job *job, const Comparison *comparison, FILE *stream) {
    write_side(job, stream, "old", job->base);
    write_side(job, stream, "new", job->head);
    fputc('\n', stream);
    const Status status = compare_print(stream, COMPARE_MARKDOWN, comparison, job->options->strict);
    fputc('\n', stream);
    return status;
}

static Status write_file(const char *path, const char *text, size_t size) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fwrite(text, 1, size, file.stream);
    return atomic_file_commit(&file);
}

static Status write_summary(const Job *job, const Comparison *comparison) {
    char path[ATOMIC_FILE_PATH_SIZE];
    char *text = NULL;
    size_t size = 0;
    STATUS_TRY(path_in(job->folder, "comparison.md", path, sizeof path));
    FILE *stream = open_memstream(&text, &size);
    STATUS_MEMORY(stream, "for the summary");
    Status status = write_markdown(job, comparison, stream);
    if (fclose(stream) != 0 && status_is_ok(&status)) {
        status = status_no_memory("for the summary");
    }
    STATUS_THEN(status, append_summary(text, size));
    STATUS_THEN(status, write_file(path, text, size));
    free(text);
    return status;
}

static Status write_all(const Job *job, const Comparison *comparison) {
    const CommitOptions *options = job->options;
    const char *actions = getenv("GITHUB_ACTIONS");
    char junit[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(options->junit != NULL ? path_make(junit, sizeof junit, "%s", options->junit)
                                      : path_in(job->folder, "junit.xml", junit, sizeof junit));
    STATUS_TRY(compare_print_table(stdout, comparison));
    if (actions != NULL && strcmp(actions, "true") == 0) {
        STATUS_TRY(compare_print(stdout, COMPARE_GITHUB, comparison, options->strict));
    }
    STATUS_TRY(write_summary(job, comparison));
    STATUS_TRY(compare_write(junit, COMPARE_JUNIT, comparison, options->strict));
    visible_line(stdout, "%s", job->folder);
    return status_ok();
}

/* A job that is green because it could not have been red is worth a warning. */
static void conclude(const Comparison *comparison) {
    char text[COMPARISON_WORDS_SIZE];
    fflush(stdout);
    if (comparison_warning(comparison, text)) {
        visible_line(stderr, "bench: warning: %s", text);
    }
    comparison_conclusion(comparison, text);
    visible_line(stdout, "%s", text);
}

static Status say_mended(const Job *job) {
    char text[256];
    snprintf(text, sizeof text,
             "%.*s failed in all that is measured, and %.*s is right: nothing to compare its times "
             "with.",
             COMMIT_SHORT, job->base, COMMIT_SHORT, job->head);
    return say(text);
}

/* Whatever differs besides the times is part of the change: both are of this machine. */
static Status compare_sides(Job *job, int *code) {
    const CommitOptions *options = job->options;
    const CompareCriteria criteria = {.alpha = options->alpha, .threshold = options->threshold};
    Comparison comparison;
    const MeasuredRun *old = &job->runs[SIDE_OLD], *now = &job->runs[SIDE_NEW];
    Status status = comparison_make(old, now, &criteria, true, &comparison);
    if (status.code == STATUS_NO_MATCH && measured_run_failure(old) != NULL && now->count > 0) {
        return say_mended(job);
    }
    STATUS_TRY(status);
    status = accept_by_trailers(options->repository, job->base, job->head, stderr, &comparison);
    STATUS_THEN(status, write_all(job, &comparison));
    if (status_is_ok(&status)) {
        conclude(&comparison);
    }
    STATUS_THEN(status, comparison_failure(&comparison));
    *code = comparison_exit_code(&comparison, options->strict);
    comparison_release(&comparison);
    return status;
}

static Status nothing_to_compare(const Job *job) {
    char text[256];
    snprintf(text, sizeof text, "%.*s is in the history of %.80s: nothing to compare.",
             COMMIT_SHORT, job->head, job->options->base);
    return say(text);
}

static Status run_job(Job *job, int *code) {
    job->builds = commit_builds_of(job->options);
    STATUS_TRY(read_cells(job->options, &job->request));
    STATUS_TRY(find_commits(job));
    if (strcmp(job->base, job->head) == 0) {
        return nothing_to_compare(job);
    }
    STATUS_TRY(choose_folder(job));
    STATUS_TRY(commit_builds_open(&job->builds));
    const Status measured = measure(job, code);
    commit_builds_close(&job->builds);
    STATUS_TRY(measured);
    return job->alone ? status_ok() : compare_sides(job, code);
}

static Status ci(Invocation *given, void *of) {
    Job *job = calloc(1, sizeof *job);
    STATUS_MEMORY(job, "for two runs");
    job->options = of;
    const Status status = run_job(job, &given->code);
    measured_run_release(&job->runs[SIDE_OLD]);
    measured_run_release(&job->runs[SIDE_NEW]);
    request_release(&job->request);
    free(job);
    return status;
}

const Command command_ci = {
    .name = "ci",
    .summary = "compare a commit with its base in one job; exit code 1 when a cell is slower",
    .usage = "bench ci --base COMMIT [options] -- CELL\n"
             "bench ci --base COMMIT --module FILE [--build COMMAND] [options] [-- CELL]",
    .about =
        "Builds the commit where the head left the base, and the head, in $TMPDIR, measures both "
        "in turns on this machine (old, new, new, old and so on) and judges them as bench compare "
        "does; copy and other roofs decide nothing. CELL is options of bench run that say what is "
        "measured. Prints the table; writes it as Markdown, appended to $GITHUB_STEP_SUMMARY where "
        "that is set, and as a test report; prints annotations where GITHUB_ACTIONS is true. Exit "
        "codes are those of bench compare. A line 'Bench-Accept: CELL REASON' among the last lines "
        "of a commit's message accepts that a cell becomes slower; CELL may have * in it. Commits "
        "are measured, not what is changed besides. With --module it is an algorithm of any "
        "repository that is measured, by this program; CELL may then be empty, and has no need of "
        "--algo. Where the base does not have it, the new one alone is verified and timed. The "
        "last "
        "line says what change would have been seen.",
    .examples =
        "bench ci --base origin/main -- --algo lbp --sizes 1080p,4K\n"
        "bench ci --base HEAD^ --cmake -DWITH_CUDA=OFF --out ci -- --algo all --sizes 720p\n"
        "bench ci --base main --module blur.cu --budget 5min -- --sizes 1080p,4K\n"
        "bench ci --base main --module build/blur.so --build 'cmake -B build && cmake --build "
        "build'\n",
    .words = "no words but behind --",
    .rows = option_rows,
    .scope = SCOPE_CI,
    .size = sizeof(CommitOptions),
    .defaults = &defaults,
    .check = check_ci,
    .run = ci,
    .delegates = true,
};
