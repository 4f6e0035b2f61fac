/* The command `bench artifact`. */

#include "cli_internal.h"
#include "command_line.h"
#include "document.h"
#include "paths.h"
#include "report.h"
#include "stored_run.h"
#include "study.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history.h"
#include "json.h"
#include "list.h"
#include "run.h"
#include "text.h"

/* === Options ================================================================================== */

enum { AUTHORS_MAX = 64, NAME_SIZE = 128 };

typedef struct ArtifactOptions {
    OptionTexts of; /* runs, or one study */
    const char *out, *repository;
    const char *title, *paper; /* NULL: made of the runs; none, or that of the study */
    OptionTexts authors;
    bool force;
} ArtifactOptions;

#define MEMBER(name) .member = offsetof(ArtifactOptions, name)

static const Option option_rows[] = {
    {NULL, "RUN|STUDY", NULL, .takes = TAKES_RUN, .kind = OPTION_TEXTS, MEMBER(of),
     .most = REPORT_RUNS_MAX},
    {"out", "FILE", "the archive. Default: <name>-artifact.tar.gz in the current folder",
     .kind = OPTION_OUTPUT, MEMBER(out)},
    {"repo", "DIR",
     "the git repository that has the commit the program was built from; it is only read. "
     "Default: the current folder",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(repository)},
    {"title", "TEXT", "title of the artifact. Default: made of the names", .kind = OPTION_TEXT,
     MEMBER(title)},
    {"paper", "TEXT", "the paper that the numbers are for. Default: that of the study, or none",
     .kind = OPTION_TEXT, MEMBER(paper)},
    {"author", "NAME", "an author, for the metadata; may be repeated", .kind = OPTION_TEXTS,
     MEMBER(authors), .most = AUTHORS_MAX},
    {"force", NULL, "replace the archive if it is there", .kind = OPTION_SET, MEMBER(force)},
    OPTIONS_END};

static const ArtifactOptions defaults = {.repository = "."};

/* === What is packed =========================================================================== */

enum { COMMITS_MAX = 8, INPUTS_MAX = 64 };

/* An input that a run reads. */
typedef struct InputFile {
    char name[ATOMIC_FILE_PATH_SIZE]; /* of the file */
    DataSet set;                      /* set.name "": datasets/fetch does not have it */
    char why[STATUS_WHY_SIZE];        /* it is not packed either; "": it is, or need not be */
} InputFile;

/* Too large for a stack. */
typedef struct Packing {
    const ArtifactOptions *options;
    OptionTexts paths; /* of the runs */
    PathList found;    /* owns those of a study */
    ReportRuns runs;
    char (*places)[ATOMIC_FILE_PATH_SIZE]; /* of the runs within the archive */
    const char *study;                     /* its folder; NULL: runs alone */
    StudyRecord record;
    Study definition; /* its name is NULL where its file is not here */
    char name[NAME_SIZE];
    const char *title, *paper; /* paper NULL: none is named */
    char out[ATOMIC_FILE_PATH_SIZE], commits[COMMITS_MAX][COMMIT_SIZE];
    size_t commit_count;
    bool container, licence; /* the first commit has them */
    bool has_trial;          /* the first commit's program knows what the trial asks for */
    bool own_appendix;       /* the study's folder has one */
    InputFile inputs[INPUTS_MAX];
    size_t input_count;
    Pack pack;
    Document texts; /* owns what is made here, and becomes README.md */
} Packing;

/* === Runs ===================================================================================== */

static bool is_study(const char *path) {
    char file[ATOMIC_FILE_PATH_SIZE];
    const Status status = path_in(path, STUDY_FILE, file, sizeof file);
    return status_is_ok(&status) && access(file, F_OK) == 0;
}

static Status add_run(Packing *packing, const char *path) {
    OptionTexts *paths = &packing->paths;
    LIST_ADD(NULL, paths->texts, paths->count, paths->capacity, "runs", path);
    return status_ok();
}

/* Whether it is a run that can be read; a step may have left a table of another program. */
static bool has_rows(const char *folder) {
    char file[ATOMIC_FILE_PATH_SIZE];
    const Status found = stored_run_path(folder, file, sizeof file);
    return status_is_ok(&found) && access(file, R_OK) == 0;
}

/* The steps of the study that left a run. */
static Status find_steps(Packing *packing) {
    char folder[ATOMIC_FILE_PATH_SIZE], definition[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(study_record_read(packing->study, &packing->record));
    STATUS_TRY(path_in(packing->study, "runs", folder, sizeof folder));
    STATUS_TRY(path_list_add_folder(&packing->found, folder, NULL));
    for (size_t i = 0; i < packing->found.count; i++) {
        if (has_rows(packing->found.paths[i])) {
            STATUS_TRY(add_run(packing, packing->found.paths[i]));
        }
    }
    const Status known = study_find(packing->record.study, definition, sizeof definition);
    if (status_is_ok(&known)) {
        STATUS_TRY(study_file_read(definition, &packing->definition));
    }
    return packing->paths.count > 0
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s: no step of this study has left a run",
                             packing->study);
}

static Status find_runs(Packing *packing) {
    static const char *const last[] = {LAST_RUN};
    const OptionTexts *of = &packing->options->of;
    const size_t count = of->count > 0 ? of->count : 1;
    for (size_t i = 0; i < count; i++) {
        const char *path = of->count > 0 ? of->texts[i] : last[0];
        if (of->count > 0 && is_study(path)) {
            if (count > 1) {
                return status_make(STATUS_USAGE,
                                   "%.200s is a study: an artifact is of one study, or of runs",
                                   path);
            }
            packing->study = path;
            return find_steps(packing);
        }
        STATUS_TRY(run_find(path, &path));
        STATUS_TRY(run_check(path));
        STATUS_TRY(add_run(packing, path));
    }
    return status_ok();
}

/* A name for files: letters, digits, '.', '_' and '-'. */
static void file_name(const char *text, char name[NAME_SIZE]) {
    size_t length = 0;
    for (; *text != '\0' && length + 1 < NAME_SIZE; text++) {
        const bool plain = strchr("._-", *text) != NULL || (*text >= '0' && *text <= '9') ||
                           (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        name[length++] = plain ? *text : '-';
    }
    name[length] = '\0';
    if (name[0] == '.' || name[0] == '-' || name[0] == '\0') {
        snprintf(name, NAME_SIZE, "run");
    }
}

/* --- Copying ---------------------------------------------------------------------------------- */

/* A run that is a folder is copied whole, one that is a file alone. */
static Status copy_run(const Packing *packing, size_t index) {
    char file[ATOMIC_FILE_PATH_SIZE], folder[ATOMIC_FILE_PATH_SIZE];
    const char *given = packing->paths.texts[index];
    if (folder_exists(given)) {
        return pack_copy(&packing->pack, given, packing->places[index]);
    }
    STATUS_TRY(stored_run_path(given, file, sizeof file));
    STATUS_TRY(path_make(folder, sizeof folder, "%.3800s/results.json%s", packing->places[index],
                         text_ends(file, ".gz") ? ".gz" : ""));
    return pack_copy(&packing->pack, file, folder);
}

static Status place_run(Packing *packing, size_t index, const char *name) {
    char *place = packing->places[index];
    if (packing->study != NULL) {
        return path_make(place, ATOMIC_FILE_PATH_SIZE, "study/runs/%s",
                         path_name(packing->paths.texts[index]));
    }
    return packing->runs.count > 1
               ? path_make(place, ATOMIC_FILE_PATH_SIZE, "runs/%zu-%s", index + 1, name)
               : path_make(place, ATOMIC_FILE_PATH_SIZE, "runs/%s", name);
}

static Status place_runs(Packing *packing) {
    packing->places = calloc(packing->runs.count, sizeof *packing->places);
    STATUS_MEMORY(packing->places, "for the runs");
    for (size_t i = 0; i < packing->runs.count; i++) {
        char name[NAME_SIZE];
        file_name(path_name(packing->runs.names[i]), name);
        STATUS_TRY(place_run(packing, i, name));
    }
    return status_ok();
}

static Status copy_runs(Packing *packing) {
    STATUS_TRY(place_runs(packing));
    if (packing->study != NULL) {
        char appendix[ATOMIC_FILE_PATH_SIZE];
        STATUS_TRY(path_in(packing->study, "artifact.md", appendix, sizeof appendix));
        packing->own_appendix = access(appendix, F_OK) == 0;
        return pack_copy(&packing->pack, packing->study, "study");
    }
    for (size_t i = 0; i < packing->runs.count; i++) {
        STATUS_TRY(copy_run(packing, i));
    }
    return status_ok();
}

/* === Source =================================================================================== */

static const Machine *machine_of(const Packing *packing, size_t run) {
    return &packing->runs.stored[run].machine;
}

static bool has_commit(const Packing *packing, const char *commit) {
    for (size_t i = 0; i < packing->commit_count; i++) {
        if (strcmp(packing->commits[i], commit) == 0) {
            return true;
        }
    }
    return false;
}

static Status add_commit(Packing *packing, size_t run) {
    const char *repository = packing->options->repository;
    const char *stored = machine_commit(machine_of(packing, run));
    char commit[COMMIT_SIZE];
    if (stored[0] == '\0') {
        return status_make(STATUS_USAGE,
                           "%.150s does not say of which commit its program was; measure again "
                           "with a program that was built in a git repository",
                           packing->runs.names[run]);
    }
    const Status known = git_commit(repository, stored, commit);
    if (known.code != STATUS_USAGE) {
        STATUS_TRY(known);
    } else {
        return status_make(known.code,
                           "%.100s was measured by commit %.40s, which %.150s does not have: "
                           "--repo DIR names a clone that has it",
                           packing->runs.names[run], stored, repository);
    }
    if (has_commit(packing, commit)) {
        return status_ok();
    }
    if (packing->commit_count == COMMITS_MAX) {
        return status_make(STATUS_USAGE, "the runs are of more than %d commits; pack fewer",
                           COMMITS_MAX);
    }
    snprintf(packing->commits[packing->commit_count++], COMMIT_SIZE, "%s", commit);
    return status_ok();
}

/* Whether the program of the first commit can `reproduce --kick-tires`: many stored runs are older.
 * Git lists the file where it is without the option. */
static Status find_trial(Packing *packing) {
    char *files = NULL;
    const char *const grep[] = {"grep",
                                "-L",
                                "-F",
                                "-e",
                                "\"kick-tires\"",
                                packing->commits[0],
                                "--",
                                "bench/cli/reproduce.c",
                                NULL};
    const Status status = git_read(packing->options->repository, grep, &files);
    packing->has_trial = !status_is_ok(&status) || files[0] == '\0';
    free(files);
    return status.code == STATUS_FILE ? status_ok() : status;
}

static void source_name(const char *commit, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "source-%.*s.tar.gz", COMMIT_SHORT, commit);
}

/* A file of the first commit that may be missing there. */
static Status pack_one(const Packing *packing, const char *file, const char *name, bool *packed) {
    const Status status = pack_source_file(&packing->pack, packing->options->repository,
                                           packing->commits[0], file, name);
    *packed = status_is_ok(&status);
    return status.code == STATUS_SKIP ? status_ok() : status;
}

/* The container's recipe and the licence are those of the commit. */
static Status pack_sources(Packing *packing) {
    for (size_t i = 0; i < packing->commit_count; i++) {
        char name[NAME_SIZE];
        source_name(packing->commits[i], name);
        STATUS_TRY(
            pack_source(&packing->pack, packing->options->repository, packing->commits[i], name));
    }
    STATUS_TRY(pack_one(packing, "LICENSE", "LICENSE", &packing->licence));
    return pack_one(packing, ".ci/Containerfile", "Containerfile", &packing->container);
}

/* The file that an algorithm of the run was compiled from; the commit does not have it. */
static Status pack_modules(const Packing *packing, size_t run) {
    static const char key[] = "module_source_";
    const Machine *machine = machine_of(packing, run);
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        char name[ATOMIC_FILE_PATH_SIZE];
        if (text_after(fact->key, key) == NULL) {
            continue;
        }
        STATUS_TRY(path_make(name, sizeof name, "modules/%.200s", path_name(fact->text)));
        if (access(fact->text, R_OK) != 0) {
            return status_make(STATUS_FILE, "%.200s, of which an algorithm is, is not here",
                               fact->text);
        }
        STATUS_TRY(pack_copy(&packing->pack, fact->text, name));
    }
    return status_ok();
}

/* === Inputs =================================================================================== */

/* Options of a stored run that name files to read. */
static bool is_input(void *context, const Option *option) {
    (void)context;
    return option->kind == OPTION_INPUT || option->kind == OPTION_INPUT_LIST ||
           option_is_of_another_run(option);
}

static bool is_first_of_input(const StoredRun *stored, size_t index) {
    const Row *rows = stored->results.rows;
    for (size_t i = 0; i < index; i++) {
        if (rows[i].status == CELL_OK && !row_is_roof(&rows[i]) &&
            rows_same_input(&rows[i], &rows[index])) {
            return false;
        }
    }
    return true;
}

static Status read_request(const StoredRun *stored, RunOptions *request) {
    options_start(&command_run, request, &request->given);
    for (size_t i = 0; i < stored->results.count; i++) {
        STATUS_TRY(run_add_algorithm(stored->results.rows[i].algorithm, request));
    }
    options_give(&request->given, "algo");
    STATUS_TRY(stored_request_read(&stored->arguments, is_input, NULL, request));
    return options_complete(request, &request->given);
}

/* Whether what lies at the stored paths is what was measured. */
static Status check_inputs(const StoredRun *stored, RunOptions *request) {
    InputList inputs;
    STATUS_TRY(read_request(stored, request));
    STATUS_TRY(inputs_open(request, stderr, &inputs));
    Status status = status_ok();
    for (size_t i = 0; i < stored->results.count && status_is_ok(&status); i++) {
        const Row *row = &stored->results.rows[i];
        if (row->status == CELL_OK && !row_is_roof(row) && is_first_of_input(stored, i)) {
            status = stored_input_check(request, &inputs, row);
        }
    }
    inputs_release(&inputs);
    return status;
}

static bool has_input(const Packing *packing, const char *name) {
    for (size_t i = 0; i < packing->input_count; i++) {
        if (strcmp(packing->inputs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static Status pack_input(Packing *packing, const StoredRun *stored, const char *path) {
    char place[ATOMIC_FILE_PATH_SIZE];
    if (has_input(packing, path_name(path))) {
        return status_ok();
    }
    if (packing->input_count == INPUTS_MAX) {
        return status_make(STATUS_USAGE, "the runs read more than %d files; pack fewer runs",
                           INPUTS_MAX);
    }
    InputFile *input = &packing->inputs[packing->input_count++];
    STATUS_TRY(path_make(input->name, sizeof input->name, "%s", path_name(path)));
    if (data_set_find(input->name, &input->set)) {
        return status_ok();
    }
    input->set.name[0] = '\0';
    RunOptions *request = calloc(1, sizeof *request); /* too large for a stack */
    const Status same =
        request != NULL ? check_inputs(stored, request) : status_no_memory("for the inputs");
    free(request);
    if (!status_is_ok(&same)) {
        snprintf(input->why, sizeof input->why, "%s", same.why);
        return same.code == STATUS_INTERRUPTED ? same : status_ok();
    }
    if (access(path, F_OK) != 0) { /* a word, as --weights random: it is right, and no file */
        packing->input_count--;
        return status_ok();
    }
    STATUS_TRY(path_make(place, sizeof place, "inputs/%s", input->name));
    return pack_copy(&packing->pack, path, place);
}

/* The files of a list with commas. */
static Status pack_list(Packing *packing, const StoredRun *stored, const char *list) {
    while (list != NULL) {
        char path[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, path));
        STATUS_TRY(pack_input(packing, stored, path));
    }
    return status_ok();
}

static Status pack_inputs(Packing *packing, size_t run) {
    const StoredRun *stored = &packing->runs.stored[run];
    const Option *option;
    RunOptions request;
    request_recall(&stored->arguments, &request);
    for (size_t i = 0; (option = command_row(&command_run, i)) != NULL; i++) {
        const bool list = option->kind == OPTION_INPUT_LIST;
        if (option->name == NULL || !(list || option->kind == OPTION_INPUT)) {
            continue;
        }
        const void *member = (const unsigned char *)&request + option->member;
        const char *path = *(const char *const *)member;
        if (path != NULL) {
            STATUS_TRY(list ? pack_list(packing, stored, path) : pack_input(packing, stored, path));
        }
    }
    return status_ok();
}

/* === Texts ==================================================================================== */

/* --- README ----------------------------------------------------------------------------------- */

static void add_contents(Packing *packing) {
    Document *document = &packing->texts;
    document_heading(document, 2, "What is here");
    for (size_t i = 0; i < packing->commit_count; i++) {
        document_add(document, BLOCK_ITEM, "source-%.*s.tar.gz: the program, by git archive of %s",
                     COMMIT_SHORT, packing->commits[i], packing->commits[i]);
    }
    if (packing->container) {
        document_add(document, BLOCK_ITEM, "Containerfile: how to build and run it in a container");
    }
    for (size_t i = 0; i < packing->runs.count; i++) {
        const StoredRun *stored = &packing->runs.stored[i];
        const char *gpu = machine_gpu(&stored->machine);
        document_add(document, BLOCK_ITEM, "%s: measured %s on %s and %s", packing->places[i],
                     stored->started, machine_cpu(&stored->machine),
                     gpu[0] != '\0' ? gpu : "no GPU");
    }
    document_add(document, BLOCK_ITEM,
                 "%sartifact.md, artifact.tex: the appendix for reviewers, whose claims these runs "
                 "support",
                 packing->own_appendix ? "study/" : "");
    document_add(document, BLOCK_ITEM,
                 ".zenodo.json, ro-crate-metadata.json: metadata for a repository that gives a "
                 "DOI");
    document_add(document, BLOCK_ITEM, "SHA256SUMS: tested by 'sha256sum -c SHA256SUMS'");
}

static void add_build(Packing *packing) {
    Document *document = &packing->texts;
    const char *commit = packing->commits[0];
    document_heading(document, 2, "Build");
    document_add(document, BLOCK_PARAGRAPH,
                 "bench.sh says what it needs and builds the program; it ends with what it can "
                 "measure here. Run it in this folder.");
    document_add(document, BLOCK_CODE, "tar xzf source-%.*s.tar.gz\nsource-%.*s/bench.sh list",
                 COMMIT_SHORT, commit, COMMIT_SHORT, commit);
    if (packing->container) {
        document_add(document, BLOCK_PARAGRAPH, "Or in a container (docker takes the same words):");
        document_add(document, BLOCK_CODE,
                     "podman build -f Containerfile -t bench --build-arg BENCH_COMMIT=%s "
                     "source-%.*s",
                     commit, COMMIT_SHORT, commit);
    }
}

static void add_inputs(Packing *packing) {
    Document *document = &packing->texts;
    document_heading(document, 2, "Inputs");
    if (packing->input_count == 0) {
        document_add(document, BLOCK_PARAGRAPH, "The program makes all inputs itself.");
    }
    for (size_t i = 0; i < packing->input_count; i++) {
        const InputFile *input = &packing->inputs[i];
        if (input->set.name[0] != '\0') {
            document_add(document, BLOCK_ITEM,
                         "%s: 'source-%.*s/datasets/fetch %s' gets it (%s bytes, SHA-256 %s, %s)",
                         input->name, COMMIT_SHORT, packing->commits[0], input->set.name,
                         input->set.bytes, input->set.hash, input->set.licence);
        } else if (input->why[0] != '\0') {
            document_add(document, BLOCK_ITEM, "%s is missing: %s", input->name, input->why);
        } else {
            document_add(document, BLOCK_ITEM, "%s: inputs/%s; its hash is that of the run",
                         input->name, input->name);
        }
    }
}

/* Where the run's input lies once it is fetched or unpacked; NULL: nobody knows, or it has none. */
static const char *input_place(Packing *packing, size_t run) {
    RunOptions request;
    request_recall(&packing->runs.stored[run].arguments, &request);
    for (size_t i = 0; request.input != NULL && i < packing->input_count; i++) {
        const InputFile *input = &packing->inputs[i];
        if (strcmp(input->name, path_name(request.input)) == 0 && input->why[0] == '\0') {
            return input->set.name[0] != '\0'
                       ? document_text(&packing->texts, "source-%.*s/datasets/cache/%s",
                                       COMMIT_SHORT, packing->commits[0], input->set.name)
                       : document_text(&packing->texts, "inputs/%s", input->name);
        }
    }
    return NULL;
}

#define EXIT_CODES "exit code 0 if every claim that was tested holds, with 1 if one does not."

enum { KICK_MINUTES = 30, KICK_MINUTES_OTHER = 5 };

/* The command that measures a run again, as it can be pasted into a shell; `budget` NULL: all. */
static Status add_command(Packing *packing, size_t run, const char *budget) {
    char line[COMMAND_LINE_SIZE];
    const char *input = input_place(packing, run);
    const char *words[] = {"reproduce", packing->places[run], NULL, NULL, NULL, NULL, NULL, NULL};
    size_t count = 2;
    if (input != NULL) {
        words[count++] = "--input";
        words[count++] = input;
    }
    if (budget != NULL) {
        words[count++] = "--kick-tires";
        words[count++] = "--budget";
        words[count++] = budget;
    }
    ArgumentList list = {.argc = 0};
    const Status status = argument_list_add_all(&list, words);
    if (status_is_ok(&status)) {
        command_line_text(&list, line, sizeof line);
        document_add(&packing->texts, BLOCK_CODE, "source-%.*s/bench.sh %s", COMMIT_SHORT,
                     packing->commits[0], line);
    }
    argument_list_release(&list);
    return status;
}

static Status add_commands(Packing *packing, const char *budget) {
    for (size_t i = 0; i < packing->runs.count; i++) {
        STATUS_TRY(add_command(packing, i, budget));
    }
    return status_ok();
}

static Status add_trial(Packing *packing) {
    Document *document = &packing->texts;
    const int minutes = (KICK_MINUTES - KICK_MINUTES_OTHER) / (int)packing->runs.count;
    document_heading(document, 2, "Try it: half an hour");
    document_add(document, BLOCK_PARAGRAPH,
                 "The claims that decide most are measured again. Each command says what its steps "
                 "take, and ends with " EXIT_CODES);
    return add_commands(packing, document_text(document, "%dmin", minutes > 1 ? minutes : 1));
}

/* The time of all is that of each times their number. */
static Status add_steps(Packing *packing) {
    Document *document = &packing->texts;
    char took[DURATION_SIZE];
    double seconds = 0;
    if (packing->has_trial) {
        STATUS_TRY(add_trial(packing));
    }
    document_heading(document, 2, "All of it");
    for (size_t i = 0; i < packing->runs.count; i++) {
        const double elapsed = packing->runs.stored[i].elapsed;
        seconds += isfinite(elapsed) ? elapsed : 0;
    }
    duration_text(seconds, took);
    document_add(document, BLOCK_PARAGRAPH,
                 "Every claim is measured again, with as many launches as the runs have. On the "
                 "machine named above the runs took %s.%s",
                 took,
                 packing->has_trial ? ""
                                    : " The program of that commit has no shorter trial. Each "
                                      "command ends with " EXIT_CODES);
    return add_commands(packing, NULL);
}

static Status write_readme(Packing *packing) {
    Document *document = &packing->texts;
    char path[ATOMIC_FILE_PATH_SIZE];
    document->title = packing->title;
    if (packing->paper != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "The paper: %s", packing->paper);
    }
    add_contents(packing);
    add_build(packing);
    add_inputs(packing);
    STATUS_TRY(add_steps(packing));
    document_heading(document, 2, "Licence");
    document_add(
        document, BLOCK_PARAGRAPH,
        "That of the program is the file LICENSE%s; those of fetched inputs are named with "
        "them.",
        packing->licence ? " here and in its source" : " in its source");
    STATUS_TRY(pack_path(&packing->pack, "README.md", path));
    return markdown_write(document, path, NULL);
}

/* --- Appendix --------------------------------------------------------------------------------- */

/* A study has its own, where its folder was written by a program that writes one. */
static Status write_appendix(Packing *packing) {
    ReportRun runs[REPORT_RUNS_MAX];
    Document document;
    if (packing->own_appendix) {
        return status_ok();
    }
    report_runs_list(&packing->runs, runs);
    document_open(&document, packing->title);
    artifact_build(&(Artifact){.runs = runs, .count = packing->runs.count}, &document);
    const Status status = artifact_write(&document, packing->pack.folder, NULL);
    document_release(&document);
    return status;
}

/* --- Metadata --------------------------------------------------------------------------------- */

#define LICENCE "MIT"

static const char *description(Packing *packing) {
    return document_text(&packing->texts,
                         "Source, stored measurements and inputs of a CPU-vs-GPU study%s%s: every "
                         "answer was verified, every claim can be measured again by one command.",
                         packing->paper != NULL ? " for " : "",
                         packing->paper != NULL ? packing->paper : "");
}

static Status write_json(const Packing *packing, const char *name, cJSON *root, bool complete) {
    char path[ATOMIC_FILE_PATH_SIZE];
    root = json_whole(root, complete);
    const Status status = pack_path(&packing->pack, name, path);
    if (!status_is_ok(&status)) {
        cJSON_Delete(root);
        return status;
    }
    return json_file_write(path, root);
}

/* Keys as the deposit metadata of Zenodo has them. */
static Status write_zenodo(Packing *packing) {
    const OptionTexts *authors = &packing->options->authors;
    cJSON *root = cJSON_CreateObject();
    cJSON *creators = cJSON_AddArrayToObject(root, "creators");
    bool complete = json_add_text(root, "title", packing->title) &&
                    json_add_text(root, "upload_type", "software") &&
                    json_add_text(root, "license", LICENCE) &&
                    json_add_text(root, "description", description(packing));
    for (size_t i = 0; i < authors->count; i++) {
        complete = complete && json_add_text(json_add_object(creators), "name", authors->texts[i]);
    }
    return write_json(packing, ".zenodo.json", root, complete && creators != NULL);
}

/* An entity of the crate: a JSON object with an identifier and a type. */
static cJSON *add_entity(cJSON *graph, const char *id, const char *type) {
    cJSON *entity = json_add_object(graph);
    return json_add_text(entity, "@id", id) && json_add_text(entity, "@type", type) ? entity : NULL;
}

static bool refer(cJSON *object, const char *key, const char *id) {
    cJSON *reference = cJSON_AddObjectToObject(object, key);
    return reference != NULL && json_add_text(reference, "@id", id);
}

static bool refer_in(cJSON *list, const char *id) {
    cJSON *reference = json_add_object(list);
    return reference != NULL && json_add_text(reference, "@id", id);
}

/* The run as what the program did. */
static bool add_run_action(Packing *packing, size_t run, cJSON *graph, cJSON *parts) {
    const char *folder = document_text(&packing->texts, "%s/", packing->places[run]);
    const char *id = document_text(&packing->texts, "#measured-%zu", run + 1);
    cJSON *data = add_entity(graph, folder, "Dataset");
    cJSON *action = add_entity(graph, id, "CreateAction");
    return refer_in(parts, folder) && json_add_text(data, "name", packing->runs.names[run]) &&
           json_add_text(data, "description", "every sample, fact and digest of a run") &&
           json_add_text(action, "name", "bench run") &&
           json_add_text(action, "startTime", packing->runs.stored[run].started) &&
           refer(action, "instrument", "#bench") && refer(action, "result", folder);
}

static bool add_authors(const Packing *packing, cJSON *graph, cJSON *root) {
    const OptionTexts *authors = &packing->options->authors;
    cJSON *list = authors->count > 0 ? cJSON_AddArrayToObject(root, "author") : NULL;
    for (size_t i = 0; i < authors->count; i++) {
        char id[32];
        snprintf(id, sizeof id, "#author-%zu", i + 1);
        cJSON *person = add_entity(graph, id, "Person");
        if (!refer_in(list, id) || !json_add_text(person, "name", authors->texts[i])) {
            return false;
        }
    }
    return true;
}

static bool add_program(const Packing *packing, cJSON *graph, cJSON *parts) {
    cJSON *program = add_entity(graph, "#bench", "SoftwareApplication");
    bool complete =
        json_add_text(program, "name", "bench") &&
        json_add_text(program, "softwareVersion", machine_commit(machine_of(packing, 0)));
    for (size_t i = 0; i < packing->commit_count; i++) {
        char name[NAME_SIZE];
        source_name(packing->commits[i], name);
        cJSON *file = add_entity(graph, name, "File");
        complete = complete && refer_in(parts, name) &&
                   json_add_text(file, "encodingFormat", "application/gzip") &&
                   json_add_text(file, "name", packing->commits[i]);
    }
    return complete;
}

/* RO-Crate 1.1. */
static Status write_crate(Packing *packing) {
    cJSON *crate = cJSON_CreateObject();
    bool complete = json_add_text(crate, "@context", "https://w3id.org/ro/crate/1.1/context");
    cJSON *graph = cJSON_AddArrayToObject(crate, "@graph");
    cJSON *about = add_entity(graph, "ro-crate-metadata.json", "CreativeWork");
    cJSON *root = add_entity(graph, "./", "Dataset");
    cJSON *licence = add_entity(graph, "https://spdx.org/licenses/" LICENCE, "CreativeWork");
    cJSON *parts = cJSON_AddArrayToObject(root, "hasPart");
    complete = complete && refer(about, "conformsTo", "https://w3id.org/ro/crate/1.1") &&
               refer(about, "about", "./") && json_add_text(root, "name", packing->title) &&
               json_add_text(root, "description", description(packing)) &&
               json_add_text(root, "datePublished", packing->runs.stored[0].started) &&
               refer(root, "license", "https://spdx.org/licenses/" LICENCE) &&
               json_add_text(licence, "name", LICENCE) && add_authors(packing, graph, root) &&
               add_program(packing, graph, parts);
    for (size_t i = 0; i < packing->runs.count; i++) {
        complete = complete && add_run_action(packing, i, graph, parts);
    }
    return write_json(packing, "ro-crate-metadata.json", crate, complete);
}

/* === Command artifact ========================================================================= */

static void set_names(Packing *packing) {
    const ArtifactOptions *options = packing->options;
    const bool is_known = packing->definition.name != NULL;
    const char *of = packing->study != NULL ? packing->record.study : packing->runs.names[0];
    char name[NAME_SIZE];
    file_name(packing->runs.count > 1 && packing->study == NULL ? "runs" : path_name(of), name);
    snprintf(packing->name, sizeof packing->name, "%.100s-artifact", name);
    packing->title = options->title != NULL ? options->title
                     : is_known
                         ? document_text(&packing->texts, "Artifact: %s", packing->definition.title)
                         : document_text(&packing->texts, "Artifact: %s", name);
    packing->paper = options->paper != NULL ? options->paper
                     : is_known             ? packing->definition.citation
                                            : NULL;
}

static Status set_out(Packing *packing) {
    const ArtifactOptions *options = packing->options;
    STATUS_TRY(options->out != NULL
                   ? path_make(packing->out, sizeof packing->out, "%s", options->out)
                   : path_make(packing->out, sizeof packing->out, "%s.tar.gz", packing->name));
    if (!options->force && access(packing->out, F_OK) == 0) {
        return status_make(STATUS_USAGE,
                           "%.300s is there already; --force replaces it, --out names another",
                           packing->out);
    }
    return atomic_file_check(packing->out);
}

static Status fill(Packing *packing) {
    STATUS_TRY(copy_runs(packing));
    STATUS_TRY(pack_sources(packing));
    for (size_t i = 0; i < packing->runs.count; i++) {
        STATUS_TRY(pack_modules(packing, i));
        STATUS_TRY(pack_inputs(packing, i));
    }
    STATUS_TRY(write_appendix(packing));
    STATUS_TRY(write_zenodo(packing));
    STATUS_TRY(write_crate(packing));
    return write_readme(packing);
}

/* What whoever uploads the archive has to know. */
static void print_notes(const Packing *packing) {
    for (size_t i = 0; i < packing->runs.count; i++) {
        if (machine_is_dirty(machine_of(packing, i))) {
            visible_line(stderr,
                         "bench: note: %s was measured with changes that its commit does not have, "
                         "so the archive does not have them",
                         packing->runs.names[i]);
        }
    }
    for (size_t i = 0; i < packing->input_count; i++) {
        if (packing->inputs[i].why[0] != '\0') {
            visible_line(stderr, "bench: note: the input %s is not in the archive: %s",
                         packing->inputs[i].name, packing->inputs[i].why);
        }
    }
    if (packing->options->authors.count == 0) {
        visible_line(stderr, "bench: note: no author is named, which Zenodo asks for; --author "
                             "NAME adds one");
    }
}

static Status pack(Packing *packing) {
    STATUS_TRY(find_runs(packing));
    STATUS_TRY(report_runs_read(&packing->paths, &packing->runs));
    set_names(packing);
    STATUS_TRY(set_out(packing));
    for (size_t i = 0; i < packing->runs.count; i++) {
        STATUS_TRY(add_commit(packing, i));
    }
    STATUS_TRY(find_trial(packing));
    STATUS_TRY(pack_open(&packing->pack, packing->name));
    Status status = fill(packing);
    if (status_is_ok(&status)) {
        const double when = date_seconds(packing->runs.stored[0].started);
        status = pack_write(&packing->pack, packing->out, isfinite(when) ? when : 0);
    }
    pack_close(&packing->pack);
    if (status_is_ok(&status)) {
        print_notes(packing);
        visible_line(stdout, "%s", packing->out);
    }
    return status;
}

static Status artifact(Invocation *given, void *of) {
    Packing *packing = calloc(1, sizeof *packing);
    (void)given;
    STATUS_MEMORY(packing, "for an artifact");
    packing->options = of;
    document_open(&packing->texts, NULL);
    const Status status = pack(packing);
    document_release(&packing->texts);
    report_runs_release(&packing->runs);
    study_release(&packing->definition);
    path_list_release(&packing->found);
    free(packing->paths.texts);
    free(packing->places);
    free(packing);
    return status;
}

const Command command_artifact = {
    .name = "artifact",
    .family = "runs",
    .summary = "pack runs or a study, their source and inputs into one archive for reviewers",
    .usage = "bench runs artifact [RUN...|STUDY] [options]",
    .about =
        "Packs what a reviewer needs into one archive that is ready for a DOI: the source of the "
        "commit that measured, by git archive; the runs, or the folder of a study; inputs that "
        "datasets/fetch does not have, and for the others its command and checksum; the recipe of "
        "a container; a README with the commands of a trial and of everything; the artifact "
        "appendix; metadata for Zenodo and as RO-Crate 1.1; checksums of all. Without RUN it is "
        "the last run. Exit code 2 if the repository does not have the commit.",
    .examples =
        "bench runs artifact reports/runs/lbp --author 'Ada Byron' --paper 'A Study, 2026'\n"
        "bench runs artifact reports/results/h100/studies/lbp-2020 --out lbp-2020.tar.gz\n",
    .words = "stored runs, or the folder of a study",
    .rows = option_rows,
    .size = sizeof(ArtifactOptions),
    .defaults = &defaults,
    .run = artifact,
};
