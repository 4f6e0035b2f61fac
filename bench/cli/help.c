/* The command `bench help`. */

#include "cli_internal.h"

#include <string.h>

#include "axis.h"
#include "base.h"
#include "build_info.h"
#include "results.h"
#include "status.h"

/* === Command help ============================================================================= */

int command_help(const Invocation *given) {
    if (given->first >= given->argc) {
        command_overview(stdout);
        return EXIT_OK;
    }
    const char *topic = given->argv[given->first];
    if (given->first + 1 < given->argc) {
        const Status status = status_make(STATUS_USAGE,
                                          "unexpected argument '%.60s'; write bench "
                                          "help COMMAND",
                                          given->argv[given->first + 1]);
        return command_error(&status);
    }
    if (strcmp(topic, "columns") == 0) {
        csv_columns_print(stdout);
        return EXIT_OK;
    }
    if (strcmp(topic, "--help") == 0 || strcmp(topic, "-h") == 0) {
        topic = "help";
    }
    const Command *command = command_find(topic);
    if (command == NULL) {
        const Status status = command_unknown(topic);
        return command_error(&status);
    }
    command->help(stdout);
    return EXIT_OK;
}

/* === Help text ================================================================================ */

enum { TERM_INDENT = 2, TEXT_COLUMN = 32, COMMAND_COLUMN = 24, LINE_SIZE = 1024 };

void command_overview(FILE *stream) {
    fputs("bench measures how much faster a GPU computes an image algorithm than a CPU does.\n\n"
          "Usage\n"
          "  bench [run] --algo NAME [--sizes LIST] [--input FILE] [options]\n"
          "  bench COMMAND [options]\n"
          "  bench --version\n\n"
          "Commands\n",
          stream);
    for (size_t i = 0; i < command_count; i++) {
        text_entry(stream, TERM_INDENT, commands[i].name, COMMAND_COLUMN, commands[i].summary);
    }
    text_entry(stream, TERM_INDENT, "help columns", COMMAND_COLUMN, "the columns of results.csv");
    fputs("\nExamples\n"
          "  bench --algo lbp --sizes all\n"
          "  bench --algo lbp --input photo.jpg --variants seq,simd,omp\n"
          "  bench list --algo lbp\n\n"
          "'bench help run' explains every option.\n\n"
          "Exit codes\n",
          stream);
    for (size_t i = 0; i < exit_code_row_count; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", (int)exit_code_rows[i].code);
        text_entry(stream, TERM_INDENT, code, 8, exit_code_rows[i].meaning);
    }
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
}

static void print_axis_options(FILE *stream) {
    const AxisCatalog catalog = axis_catalog();
    fputs("\nAxes: a list sweeps, as 4,8,16 or 1..8 or 0..255:16\n", stream);
    for (size_t i = 0; i < catalog.count; i++) {
        const Axis *axis = catalog.axes[i];
        char term[LIST_WORD_SIZE];
        char owners[LINE_SIZE / 2];
        char text[LINE_SIZE];
        axis_owners(axis->name, owners, sizeof owners);
        snprintf(term, sizeof term, "--%s LIST", axis->name);
        snprintf(text, sizeof text, "%s. Default: %s. Of: %s", axis->help, axis->defaults, owners);
        text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, text);
    }
}

void command_run_help(FILE *stream) {
    fputs("bench [run] --algo NAME[,NAME...]|all [options]\n\n"
          "Plans the sweep, verifies every variant against the sequential one, measures those that "
          "are\n"
          "right, prints a table, and writes results.csv, results.json and charts into a folder.\n"
          "'--option value' and '--option=value' are the same; of a repeated option the last "
          "counts.\n\n"
          "Examples\n"
          "  bench --algo lbp --sizes all\n"
          "  bench --algo lbp --sizes 1080p,4K --variants seq,simd,omp --threads 1,2,4\n"
          "  bench --algo lbp --input photo.jpg --save answers --out runs/photo\n"
          "  bench --algo lbp --sizes 640x480 --synthetic noise --reps 20 --no-plot\n"
          "  bench --algo haar --images 1000,10000 --side 28\n"
          "  bench --algo haar --input train-images-idx3-ubyte.gz --images all\n"
          "  bench --algo lbp --sizes all --dry-run\n"
          "  bench --resume runs/photo\n",
          stream);
    options_print_help(stream, SCOPE_RUN);
    print_axis_options(stream);
    fputs("\nThreads are pinned: without OMP_PROC_BIND or OMP_PLACES in the environment, "
          "OMP_PROC_BIND=close\nand OMP_PLACES=cores are used. Set either to choose "
          "otherwise.\n",
          stream);
}

void command_list_help(FILE *stream) {
    fputs("bench list [--algo NAME[,NAME...]]\n\n"
          "Algorithms with their axes and variants, and why a variant is not available on this "
          "machine;\n"
          "devices; sizes; synthetic images and sets of them.\n\n"
          "Examples\n"
          "  bench list\n"
          "  bench list --algo lbp\n",
          stream);
    options_print_help(stream, SCOPE_LIST);
}

void command_roof_help(FILE *stream) {
    fputs("bench roof [options]\n\n"
          "What this machine does at best, measured: copies of what each cache and memory hold, on "
          "one\n"
          "CPU thread and on all, and on the GPU; transfers to the GPU; arithmetic. No variant can "
          "be "
          "\n"
          "faster. Ceilings are stored, and measured again after a week or with --fresh.\n\n"
          "Examples\n"
          "  bench roof\n"
          "  bench roof --fresh --format json\n",
          stream);
    options_print_help(stream, SCOPE_ROOF);
}

void command_help_help(FILE *stream) {
    fputs("bench help [COMMAND|columns]\n\n"
          "Without a command: the list of commands and the exit codes.\n",
          stream);
}
