/* The table of commands, the overview of them, and the command `bench help`. */

#include "cli_internal.h"

#include <cjson/cJSON.h>
#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "apps.h"
#include "base.h"
#include "build_info.h"
#include "datasets.h"
#include "files.h"
#include "status.h"

const Command *const commands[] = {
    &command_run,
    &command_verify,
    &command_profile,
    &command_demo,
    &command_list,
    &command_roof,
    &command_show,
    &command_plot,
    &command_figure,
    &command_merge,
    &command_report,
    &command_study,
    &command_compare,
    &command_reproduce,
    &command_history,
    &command_bisect,
    &command_ci,
    &command_classify,
    &command_curve,
    &command_train,
    &command_train_hashsift,
    &command_train_bad,
    &command_recognise,
    &command_match,
    &command_selftest,
    &command_new_algorithm,
    &command_help,
};

const size_t command_count = sizeof commands / sizeof commands[0];

const Command *command_find(const char *name) {
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

Status command_unknown(const char *name) {
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < command_count; i++) {
        suggest_offer(&suggestion, commands[i]->name);
    }
    return suggest_unknown(&suggestion, "command");
}

/* === Overview ================================================================================= */

enum { TERM_INDENT = 2, COMMAND_COLUMN = 24 };

static void print_purpose(FILE *stream) {
    text_entry(stream, 0, "bench", 6,
               "measures how much faster an image algorithm runs on a GPU than on a CPU.");
}

void command_overview(FILE *stream) {
    print_purpose(stream);
    fputs("\nUsage\n", stream);
    text_entry(stream, TERM_INDENT, "bench", TERM_INDENT + 6,
               "[run] --algo NAME [--sizes LIST] [--input FILE] [options]");
    fputs("  bench COMMAND [options]\n"
          "  bench --version\n\n"
          "Commands\n",
          stream);
    for (size_t i = 0; i < command_count; i++) {
        text_entry(stream, TERM_INDENT, commands[i]->name, COMMAND_COLUMN, commands[i]->summary);
    }
    text_entry(stream, TERM_INDENT, "help columns", COMMAND_COLUMN, "the columns of results.csv");
    text_entry(stream, TERM_INDENT, "help schema", COMMAND_COLUMN,
               "the JSON Schema of results.json");
    fputs("\nExamples\n"
          "  bench --algo lbp --sizes all\n"
          "  bench --algo lbp --input photo.jpg --variants seq,simd,omp\n"
          "  bench list lbp\n\n"
          "'bench help run' explains every option.\n\n"
          "Exit codes\n",
          stream);
    for (size_t i = 0; i < exit_code_row_count; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", (int)exit_code_rows[i].code);
        text_entry(stream, TERM_INDENT, code, 8, exit_code_rows[i].meaning);
    }
}

/* --- Without a command ------------------------------------------------------------------------ */

/* Groups of commands. A command that no group names is of the first one that names none. */
static const struct {
    const char *title;
    const char *names; /* in spaces; NULL: all others */
} groups[] = {
    {"measure", " demo run verify profile roof selftest study ci bisect "},
    {"stored runs", NULL},
    {"applications", " classify curve train recognise match train-hashsift train-bad "},
    {"look up", " list new-algorithm help "},
};

enum {
    GROUPS = sizeof groups / sizeof groups[0],
    GROUP_COLUMN = 16,
    FIRST_COLUMN = 32,
    GROUP_TEXT_SIZE = 512
};

static size_t group_of(const char *name) {
    size_t others = 0;
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < GROUPS; i++) {
        if (groups[i].names == NULL) {
            others = i;
        } else if (strstr(groups[i].names, word) != NULL) {
            return i;
        }
    }
    return others;
}

static void print_group(FILE *stream, size_t group) {
    char names[GROUP_TEXT_SIZE] = "";
    for (size_t i = 0; i < command_count; i++) {
        if (group_of(commands[i]->name) == group) {
            text_append(names, sizeof names, "%s%s", names[0] != '\0' ? " " : "",
                        commands[i]->name);
        }
    }
    text_entry(stream, TERM_INDENT, groups[group].title, GROUP_COLUMN, names);
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
        {"bench report RUN", "a page of a run; RUN is its folder"},
        {"bench compare OLD NEW", "what became faster or slower, and whether surely"},
        {"bench study --list", "the published studies that can be measured again"},
    };
    print_purpose(stream);
    fputs("\nTo begin with\n", stream);
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        text_entry(stream, TERM_INDENT, first[i].line, FIRST_COLUMN, first[i].what);
    }
    fputs("\nCommands\n", stream);
    for (size_t i = 0; i < GROUPS; i++) {
        print_group(stream, i);
    }
    fputs("\nHelp\n", stream);
    text_entry(stream, TERM_INDENT, "bench COMMAND --help", FIRST_COLUMN, "one command");
    text_entry(stream, TERM_INDENT, "bench --help", FIRST_COLUMN,
               "all commands in a line each, and the exit codes");
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

typedef struct HelpOptions {
    const char *topic; /* a command, "columns" or "schema"; NULL: the overview */
} HelpOptions;

static Status help(Invocation *given, void *of) {
    const HelpOptions *options = of;
    (void)given;
    if (options->topic == NULL) {
        command_overview(stdout);
        return status_ok();
    }
    if (strcmp(options->topic, "columns") == 0) {
        csv_columns_print(stdout);
        return status_ok();
    }
    if (strcmp(options->topic, "schema") == 0) {
        results_schema_print(stdout);
        return status_ok();
    }
    const Command *command = command_find(options->topic);
    if (command == NULL) {
        return command_unknown(options->topic);
    }
    command_print_help(stdout, command);
    return status_ok();
}

static const Option option_rows[] = {
    {NULL, "COMMAND", NULL, .kind = OPTION_TEXT, .member = offsetof(HelpOptions, topic)},
    OPTIONS_END};

const Command command_help = {
    .name = "help",
    .summary = "this text, or the help of one command",
    .usage = "bench help [COMMAND|columns|schema]",
    .about = "Without a command: the list of commands and the exit codes.",
    .words = "one command, columns, or schema",
    .rows = option_rows,
    .size = sizeof(HelpOptions),
    .run = help,
};
