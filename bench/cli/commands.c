/* The table of commands, their list, and the command `bench help`. */

#include "cli.h"
#include "cli_internal.h"
#include "csv_columns.h"
#include "exit_code.h"
#include "run_options.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"
#include "datasets.h"
#include "files.h"
#include "registry.h"
#include "status.h"
#include "text.h"

/* === Table ==================================================================================== */

static const Command *const measuring[] = {&command_demo,     &command_run,     &command_verify,
                                           &command_study,    &command_ci,      &command_bisect,
                                           &command_history,  &command_machine, &command_roof,
                                           &command_selftest, &command_profile};

static const Command *const reading[] = {&command_runs,      &command_show,     &command_figure,
                                         &command_report,    &command_compare,  &command_merge,
                                         &command_reproduce, &command_artifact, &command_plot};

static const Command *const looking_up[] = {&command_list, &command_peers, &command_new_algorithm,
                                            &command_help};

#define GROUP(title, commands)                                                                     \
    { title, sizeof(commands) / sizeof(commands)[0], commands }

enum { GROUPS_BEFORE = 2, GROUPS_ADDED_MAX = 8 };

/* Those that are added come before the last one. */
static CommandGroup groups[GROUPS_BEFORE + GROUPS_ADDED_MAX + 1] = {
    GROUP("measure", measuring), GROUP("stored runs", reading), GROUP("look up", looking_up)};
static size_t group_count = GROUPS_BEFORE + 1;

void command_groups_add(const CommandGroup *more, size_t count) {
    const CommandGroup last = groups[group_count - 1];
    for (size_t i = 0; i < count && group_count < sizeof groups / sizeof groups[0]; i++) {
        groups[group_count - 1] = more[i];
        groups[group_count++] = last;
    }
}

const CommandGroup *command_groups(size_t *count) {
    *count = group_count;
    return groups;
}

const Command *command_at(size_t index) {
    for (size_t i = 0; i < group_count; i++) {
        if (index < groups[i].count) {
            return groups[i].commands[index];
        }
        index -= groups[i].count;
    }
    return NULL;
}

bool command_is_of(const Command *command, const char *family) {
    return family != NULL ? command->family != NULL && strcmp(command->family, family) == 0
                          : command->family == NULL;
}

const Command *command_of(const char *family, size_t index) {
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (command_is_of(command, family) && index-- == 0) {
            break;
        }
    }
    return command;
}

const Command *command_find(const char *name) {
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0) {
            break;
        }
    }
    return command;
}

const Command *command_named(int count, const char *const *words, int *used) {
    const Command *command = count > 0 ? command_find(words[0]) : NULL;
    if (count > 0 && words[0][0] == '-') {
        *used = 0;
        return &command_run;
    }
    const Command *member = command != NULL && count > 1 ? command_find(words[1]) : NULL;
    const bool both =
        member != NULL && command->family == NULL && command_is_of(member, command->name);
    *used = both ? 2 : command != NULL;
    return both ? member : command;
}

/* "app match", "run": as it is typed. */
static void command_words(const Command *command, char text[COMMAND_WORDS_SIZE]) {
    snprintf(text, COMMAND_WORDS_SIZE, "%s%s%s", command->family != NULL ? command->family : "",
             command->family != NULL ? " " : "", command->name);
}

static Suggestion suggest_of(const char *family, const char *name) {
    Suggestion known = suggest_start(name);
    const Command *command;
    for (size_t i = 0; (command = command_of(family, i)) != NULL; i++) {
        suggest_offer(&known, command->name);
    }
    return known;
}

/* Misspelt names of members are found too; the list of those that are known is that of the help. */
static Status unknown(const char *family, const char *name) {
    Suggestion near = suggest_start(name), known = suggest_of(family, name);
    char words[COMMAND_WORDS_SIZE];
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        suggest_offer(&near, command->name);
    }
    known.nearest = known.nearest != NULL ? known.nearest : near.nearest;
    if (known.nearest != NULL) {
        command_words(command_find(known.nearest), words);
        known.nearest = words;
    }
    return suggest_unknown(&known, "command");
}

Status command_unknown(const char *name) {
    return unknown(NULL, name);
}

/* === The program as a whole =================================================================== */

enum { TERM_INDENT = 2, COMMAND_COLUMN = 24, ALL_COLUMN = 27 };

static const Option bench_rows[] = {
    {"version", NULL, "version, commit, compiler and CUDA of this build", .kind = OPTION_SET},
    OPTIONS_END};

const Command command_bench = {
    .name = "bench",
    .summary = "measures how much faster an image algorithm runs on a GPU than on a CPU.",
    .usage = "bench [run] --algo NAME [--sizes LIST] [--input FILE] [options]\n"
             "bench COMMAND [options]\n"
             "bench --version\n",
    .about = "A command line without a command is of bench-run(1): it verifies every variant of an "
             "algorithm against a plain sequential one, measures the correct ones, and writes "
             "results and charts into a folder. Other commands read such folders. Results go to "
             "standard output, progress and notes to standard error.",
    .rows = bench_rows,
    .examples = "bench --algo lbp --sizes all\n"
                "bench --algo lbp --input photo.jpg --variants seq,simd,omp\n"
                "bench list lbp\n",
    .notes =
        "'bench COMMAND -h' shows what is used most, 'bench help COMMAND' every option, 'bench "
        "help commands' the commands of ci, machine, runs and app too.",
};

/* A line for each command of a family. */
static void print_members(FILE *stream, const char *family) {
    const Command *command;
    for (size_t i = 0; (command = command_of(family, i)) != NULL; i++) {
        char words[COMMAND_WORDS_SIZE];
        command_words(command, words);
        text_entry(stream, TERM_INDENT, words, COMMAND_COLUMN, command->summary);
    }
}

/* `bench help commands`: each with those of its family below. */
static void print_all(FILE *stream) {
    const Command *command;
    for (size_t i = 0; (command = command_of(NULL, i)) != NULL; i++) {
        text_entry(stream, 0, command->name, ALL_COLUMN, command->summary);
        const Command *member;
        for (size_t j = 0; (member = command_of(command->name, j)) != NULL; j++) {
            char words[COMMAND_WORDS_SIZE];
            command_words(member, words);
            text_entry(stream, 0, words, ALL_COLUMN, member->summary);
        }
    }
}

static void print_purpose(FILE *stream) {
    text_entry(stream, 0, command_bench.name, 6, command_bench.summary);
}

void commands_print(FILE *stream) {
    print_purpose(stream);
    fputs("\nUsage\n", stream);
    command_print_lines(stream, TERM_INDENT, command_bench.usage);
    fputs("\nCommands\n", stream);
    print_members(stream, NULL);
    for (size_t i = 0; i < help_topic_count; i++) {
        char term[64];
        snprintf(term, sizeof term, "help %s", help_topics[i].name);
        text_entry(stream, TERM_INDENT, term, COMMAND_COLUMN, help_topics[i].summary);
    }
    fputs("\nExamples\n", stream);
    command_print_lines(stream, TERM_INDENT, command_bench.examples);
    text_entry(stream, 0, "", 0, command_bench.notes);
    fputs("\nExit codes\n", stream);
    for (size_t i = 0; i < exit_code_row_count; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", (int)exit_code_rows[i].code);
        text_entry(stream, TERM_INDENT, code, 8, exit_code_rows[i].meaning);
    }
}

/* --- Without a command ------------------------------------------------------------------------ */

enum { GROUP_COLUMN = 16, FIRST_COLUMN = 32, GROUP_TEXT_SIZE = 512 };

static void print_group(FILE *stream, const CommandGroup *group) {
    char names[GROUP_TEXT_SIZE] = "";
    for (size_t i = 0; i < group->count; i++) {
        if (group->commands[i]->family == NULL) {
            text_append(names, sizeof names, "%s%s", names[0] != '\0' ? " " : "",
                        group->commands[i]->name);
        }
    }
    const size_t window = (size_t)terminal_columns(stream);
    Flow flow = {.stream = stream,
                 .indent = GROUP_COLUMN,
                 .columns = window < TERMINAL_USUAL ? window : TERMINAL_USUAL,
                 .at = GROUP_COLUMN};
    fprintf(stream, "%*s%-*s", TERM_INDENT, "", GROUP_COLUMN - TERM_INDENT, group->title);
    flow_words(&flow, INK_PLAIN, names);
    flow_end(&flow);
}

/* In at most 80 columns in a pipe too. */
void command_start_here(FILE *stream) {
    static const struct {
        const char *line, *what;
    } first[] = {
        {"bench demo", "all of it in a minute, beside a run on an H200"},
        {"bench list", "the algorithms, and how many variants run here"},
        {"bench --algo lbp --sizes all", "measure one: table, charts, CSV and JSON"},
        {"bench --algo lbp --input FILE", "the same on an image of your own"},
        {"bench report", "a page of the last run"},
        {"bench runs", "the stored runs, a line each"},
        {"bench study --list", "the published studies that can be measured again"},
    };
    print_purpose(stream);
    fputs("\nTo begin with\n", stream);
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        text_entry(stream, TERM_INDENT, first[i].line, FIRST_COLUMN, first[i].what);
    }
    fputs("\nCommands\n", stream);
    for (size_t i = 0; i < group_count; i++) {
        print_group(stream, &groups[i]);
    }
    fputs("\nHelp\n", stream);
    text_entry(stream, TERM_INDENT, "bench COMMAND -h", FIRST_COLUMN, "one command, in short");
    text_entry(stream, TERM_INDENT, "bench help COMMAND", FIRST_COLUMN, "all of its options");
    text_entry(stream, TERM_INDENT, "bench --help", FIRST_COLUMN,
               "the commands in a line each, and the exit codes");
}

/* "zlib 1.2.13", and what it was built with where another one is in use. */
static void add_library(char *text, size_t size, LibraryVersion library) {
    const char *used = library.used != NULL ? library.used : library.built;
    text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", library.name, used);
    if (strcmp(used, library.built) != 0) {
        text_append(text, size, " (built with %s)", library.built);
    }
}

static void hwloc_text(unsigned version, char text[32]) {
    snprintf(text, 32, "%u.%u.%u", version >> 16, version >> 8 & 0xFF, version & 0xFF);
}

static void print_libraries(FILE *stream) {
    char text[512] = "", cjson[32], hwloc[2][32];
    snprintf(cjson, sizeof cjson, "%d.%d.%d", CJSON_VERSION_MAJOR, CJSON_VERSION_MINOR,
             CJSON_VERSION_PATCH);
    hwloc_text(hwloc_get_api_version(), hwloc[0]);
    hwloc_text(HWLOC_API_VERSION, hwloc[1]);
    add_library(text, sizeof text, png_library());
    add_library(text, sizeof text, jpeg_library());
    add_library(text, sizeof text, byte_stream_library());
    add_library(text, sizeof text, (LibraryVersion){"cJSON", cJSON_Version(), cjson});
    add_library(text, sizeof text, (LibraryVersion){"hwloc", hwloc[0], hwloc[1]});
    fprintf(stream, "libraries %s\n", text);
}

void command_version(FILE *stream) {
    const bool dirty = strcmp(BUILD_DIRTY, "yes") == 0;
    fprintf(stream, "bench %s\n", BUILD_VERSION);
    fprintf(stream, "commit    %s%s\n", BUILD_COMMIT, dirty ? " with changes" : "");
    fprintf(stream, "build     %s, %s, %s\n", BUILD_TYPE, BUILD_C_COMPILER, BUILD_C_FLAGS);
    if (strcmp(BUILD_CUDA_COMPILER, "") == 0) {
        fprintf(stream, "CUDA      not compiled in\n");
    } else {
        fprintf(stream, "CUDA      %s, for %s\n", BUILD_CUDA_COMPILER, BUILD_CUDA_ARCHITECTURES);
    }
    print_libraries(stream);
}

/* === Command help ============================================================================= */

/* Neither a command nor an option. */
const HelpTopic help_topics[] = {
    {"commands", "all commands, also those of ci, machine, runs, app", print_all},
    {"columns", "the columns of results.csv", csv_columns_print},
    {"schema", "the JSON Schema of results.json", results_schema_print},
    {"environment", "the variables that the program reads", environment_print},
};

const size_t help_topic_count = sizeof help_topics / sizeof help_topics[0];

static const char command_help_words[] = "one command, columns, schema or environment";

typedef struct HelpOptions {
    OptionTexts
        topic; /* a command, by one word or two, or one of help_topics; none: that of the program */
    bool manual;
    int shell;            /* of completion_shells, whose script is printed; 0: none */
    const char *complete; /* the command line that a completion script asks about; NULL: none */
} HelpOptions;

static Status check_help(void *of, const OptionsGiven *given) {
    const HelpOptions *options = of;
    (void)given;
    return options->shell > 0 && (options->topic.count > 0 || options->manual)
               ? status_make(STATUS_USAGE, "--completion prints a script alone; leave %s out",
                             options->manual ? "--man" : options->topic.texts[0])
               : status_ok();
}

void command_explain(FILE *stream, const Command *command, bool brief) {
    if (brief && command->brief) {
        command_print_brief(stream, command);
        fprintf(stream, "\n'bench help %s' has all options.\n", command->name);
        return;
    }
    command_print_start(stream, command);
    if (command->family == NULL && command_of(command->name, 0) != NULL) {
        fputs("\nCommands\n", stream);
        print_members(stream, command->name);
    }
    command_print_options(stream, command);
}

Status command_check_member(const Command *command, const char *word) {
    const bool is_family = command->family == NULL && command_of(command->name, 0) != NULL;
    if (!is_family || word == NULL || word[0] == '-' || access(word, F_OK) == 0) {
        return status_ok();
    }
    const bool misspelt = suggest_of(command->name, word).nearest != NULL;
    return misspelt || command->run == NULL ? unknown(command->name, word) : status_ok();
}

static Status print_command(const HelpOptions *options) {
    const OptionTexts *topic = &options->topic;
    int used = 0;
    const Command *command = command_named((int)topic->count, topic->texts, &used);
    if (used == 0) {
        return command_not_found((int)topic->count, (char **)topic->texts);
    }
    if ((size_t)used < topic->count) {
        return command->family == NULL && command_of(command->name, 0) != NULL
                   ? unknown(command->name, topic->texts[1])
                   : status_make(STATUS_USAGE, "help: unexpected argument '%.60s'; name %s",
                                 topic->texts[1], command_help_words);
    }
    if (options->manual) {
        manual_print(stdout, command);
    } else {
        command_explain(stdout, command, false);
    }
    return status_ok();
}

/* The variants and axes of an algorithm are what there is to explain of it. */
static Status print_topic(const HelpOptions *options) {
    const char *word = options->topic.texts[0];
    const bool alone = options->topic.count == 1 && !options->manual;
    for (size_t i = 0; i < help_topic_count && alone; i++) {
        if (strcmp(word, help_topics[i].name) == 0) {
            help_topics[i].print(stdout);
            return status_ok();
        }
    }
    static RunOptions of;
    of.algorithms[0] = registry_find_algorithm(word);
    of.algorithm_count = 1;
    return alone && of.algorithms[0] != NULL && command_find(word) == NULL ? list_show(stdout, &of)
                                                                           : print_command(options);
}

static Status help(Invocation *given, void *of) {
    const HelpOptions *options = of;
    (void)given;
    if (options->complete != NULL) {
        completion_answer(stdout, options->complete);
    } else if (options->shell > 0) {
        completion_script_print(stdout, options->shell);
    } else if (options->topic.count > 0) {
        return print_topic(options);
    } else if (options->manual) {
        manual_print(stdout, &command_bench);
    } else {
        commands_print(stdout);
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(HelpOptions, name)

static const Option option_rows[] = {
    {NULL, "COMMAND", NULL, .kind = OPTION_TEXTS, MEMBER(topic), .most = 2},
    {"man", NULL, "a manual page as roff: of the command, or bench(1)", .kind = OPTION_SET,
     MEMBER(manual)},
    {"completion", "bash|zsh|fish", "the script by which a shell completes command lines",
     .kind = OPTION_CHOICE, MEMBER(shell), .words = completion_shells, .noun = "shell"},
    {"complete", "LINE", NULL, .kind = OPTION_TEXT, MEMBER(complete)},
    OPTIONS_END};

const Command command_help = {
    .name = "help",
    .summary = "this text, or the help of one command",
    .usage = "bench help [COMMAND|commands|columns|schema|environment]\n"
             "bench help --man [COMMAND]\n"
             "bench help --completion bash|zsh|fish\n",
    .about =
        "Without a command: the list of commands and the exit codes. An algorithm is explained "
        "as by 'bench list'. Manual pages and "
        "completion scripts are installed with the program; this prints them for one that "
        "is not installed.",
    .examples = "bench help run\n"
                "bench help app match\n"
                "bench help --man compare | man -l -\n"
                ". <(bench help --completion bash)\n",
    .words = command_help_words,
    .rows = option_rows,
    .size = sizeof(HelpOptions),
    .check = check_help,
    .run = help,
};
