/* Manual pages: roff made of the tables that help is printed from. */

#include "cli.h"
#include "cli_internal.h"
#include "exit_code.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "build_info.h"
#include "markup_text.h"
#include "text.h"

/* === Environment and files ==================================================================== */

typedef struct Term {
    const char *name, *meaning;
} Term;

static const Term environment[] = {
    {"BENCH_RUNS",
     "folder of runs for which no --out is given, and of the link latest. Default: bench-runs in "
     "the current folder; reports/runs for a program that is started where it was built"},
    {"XDG_CACHE_HOME",
     "its folder bench keeps ceilings, noise floors, the times of earlier runs, downloaded data "
     "and compiled modules. Default: $HOME/.cache"},
    {"DATASETS_CACHE", "folder of the data of studies, which datasets/fetch fills"},
    {"BENCH_PLOT_DIR", "folder of chart scripts, instead of those of the program"},
    {"BENCH_STUDY_DIR", "folder of studies, instead of those of the program"},
    {"BENCH_RESULTS_DIR", "folder of the stored run that the demo shows"},
    {"BENCH_WEIGHTS_DIR", "folder of trained weights of descriptors"},
    {"BENCH_PATH",
     "modules that are loaded, with colons between: files, and folders of which every *.so is"},
    {"CC, CXX, NVCC or CUDACXX",
     "compilers of algorithms in one file, of C, C++ and CUDA. Default: cc, c++, nvcc"},
    {"CFLAGS, CXXFLAGS, CUDAFLAGS, LDFLAGS, LDLIBS", "what these compilers are given besides"},
    {"PATH", "folders of the compilers, and of other programs that are started"},
    {"BENCH_INCLUDE", "folder of bench.h, instead of the program's"},
    {"BENCH_PYTHON", "Python of algorithms in it, without --python. Default: python3"},
    {"BENCH_SUPERVISE",
     "no: variants run in the process that was started, for debuggers and profilers"},
    {"BENCH_NEW_ALGORITHM",
     "folder of the examples that new-algorithm copies, instead of the program's"},
    {"BENCH_HOST_NAME", "name of this machine in results, instead of its own"},
    {"BENCH_LOCK_FOLDER",
     "folder of the locks by which shares on one host take turns. Default: /tmp"},
    {"BENCH_OPENBLAS_LIBRARY", "OpenBLAS to load. Default: libopenblas.so.0"},
    {"BENCH_NVML_LIBRARY", "NVML to load. Default: libnvidia-ml.so.1"},
    {"BENCH_NCCL_LIBRARY", "NCCL to load. Default: libnccl.so.2"},
    {"BENCH_SYSTEM_ROOT",
     "folder in front of /proc and /sys where facts of the machine are read, for tests"},
    {"CUDA_VISIBLE_DEVICES", "the GPU: the first that it names"},
    {"CUDA_LAUNCH_BLOCKING",
     "changes the times of a GPU: a run on a GPU warns of it and stores its value. So do "
     "CUDA_INJECTION64_PATH, NSYS_PROFILING_SESSION_ID, NV_NSIGHT_INJECTION_TRANSPORT_TYPE, "
     "CUDA_FORCE_PTX_JIT, CUDA_DEVICE_MAX_CONNECTIONS, CUDA_SCALE_LAUNCH_QUEUES, "
     "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT and "
     "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"},
    {"CUDA_MPS_PIPE_DIRECTORY, LD_PRELOAD",
     "a run warns where MPS has its pipe in this folder, and of libraries that are preloaded"},
    {"OMP_NUM_THREADS",
     "number of OpenMP threads that count as all, 1 to 1024; of a list the first. Default: the "
     "number of processors"},
    {"OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS",
     "cells that ask for more threads than these allow are skipped"},
    {"OMP_DYNAMIC", "has no effect: a cell gets the threads that it asks for, or is skipped"},
    {"OMP_STACKSIZE", "stack of an OpenMP thread: 128k or more. Default: that of ulimit -s"},
    {"OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY",
     "places of OpenMP threads; without any of them threads are pinned to cores, neighbours first"},
    {"OMP_WAIT_POLICY",
     "active: threads that wait keep their processors, and no cell waits for them to sleep"},
    {"SLURM_ARRAY_TASK_ID, SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK",
     "with the variable of each that says how many there are: the share of --shard auto"},
    {"TMPDIR",
     "folder in which ci and bisect build. Default: /tmp. The one of answers that memory has "
     "no room for. Default: that of the run"},
    {"GITHUB_STEP_SUMMARY", "file that ci appends its table to"},
    {"GITHUB_ACTIONS", "true: ci prints annotations"},
    {"NO_COLOR", "if set: no colours, unless --color asks for them"},
    {"TERM", "dumb: no colours, and progress in lines"},
};

static const Term files[] = {
    {"results.csv, results.json",
     "in the folder of a run: a row for each cell; the same with every "
     "sample and the machine"},
    {"bench-runs/latest", "link to the last run that ended well; BENCH_RUNS names another folder"},
    {"~/.cache/bench", "measured ceilings and noise floors of this machine; downloaded data; "
                       "compiled algorithms of one file, in modules: 256 MiB at most, "
                       "each until 30 days after its last use"},
    {"share/bench", "beside the program's bin: chart scripts, studies, weights, datasets/fetch"},
};

enum { TERM_INDENT = 2, TEXT_COLUMN = 32 };

void environment_print(FILE *stream) {
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        text_entry(stream, 0, environment[i].name, TEXT_COLUMN, environment[i].meaning);
    }
}

/* === Parts of a page ========================================================================== */

static void heading(FILE *stream, const char *macro, const char *text) {
    fprintf(stream, ".%s \"", macro);
    roff_text(stream, text);
    fputs("\"\n", stream);
}

static void entry(FILE *stream, const char *term, const char *text) {
    fputs(".TP\n\\fB", stream);
    roff_text(stream, term);
    fputs("\\fR\n", stream);
    roff_paragraph(stream, text);
}

static void terms(FILE *stream, const char *title, const Term *rows, size_t count) {
    heading(stream, "SH", title);
    for (size_t i = 0; i < count; i++) {
        entry(stream, rows[i].name, rows[i].meaning);
    }
}

/* "bench" for the program, "bench-run" and "bench-app-match" for commands. */
static void page_name(const Command *command, char name[LIST_WORD_SIZE]) {
    const char *family = command->family != NULL ? command->family : "";
    snprintf(name, LIST_WORD_SIZE, "%s%s%s%s", command == &command_bench ? "" : "bench-", family,
             family[0] != '\0' ? "-" : "", command->name);
}

static void reference(FILE *stream, const Command *command, const char *end) {
    char name[LIST_WORD_SIZE];
    page_name(command, name);
    fputs(".BR ", stream);
    roff_text(stream, name);
    fprintf(stream, " (1)%s\n", end);
}

/* Without hyphens at line ends, and with a ragged edge. */
static void title(FILE *stream, const Command *command) {
    char name[LIST_WORD_SIZE], upper[LIST_WORD_SIZE], line[4 * LIST_WORD_SIZE];
    page_name(command, name);
    for (size_t i = 0; i < sizeof upper; i++) {
        upper[i] = (char)toupper((unsigned char)name[i]);
    }
    snprintf(line, sizeof line, "%s - %s", name, command->summary);
    fputs(".\\\" Written by 'bench help --man'.\n.nr HY 0\n.TH ", stream);
    roff_text(stream, upper);
    fprintf(stream, " 1 %s \"bench %s\" \"bench manual\"\n.ad l\n.SH NAME\n", BUILD_DATE,
            BUILD_VERSION);
    roff_paragraph(stream, line);
}

/* Each line of `lines` as it is: its first word strong. */
static void command_lines(FILE *stream, const char *lines, const char *between) {
    for (const char *line = lines; *line != '\0'; line += *line == '\n') {
        const size_t length = strcspn(line, "\n"), word = strcspn(line, " \n");
        char text[LIST_WORD_SIZE * 8];
        fputs(line == lines ? "" : between, stream);
        snprintf(text, sizeof text, "%.*s", (int)word, line);
        fputs("\\fB", stream);
        roff_text(stream, text);
        snprintf(text, sizeof text, "%.*s", (int)(length - word), line + word);
        fputs("\\fR", stream);
        roff_text(stream, text);
        fputc('\n', stream);
        line += length;
    }
}

static void options(FILE *stream, const Command *command) {
    const char *group = "";
    const Option *row;
    heading(stream, "SH", "OPTIONS");
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        const char *wanted = row->group != NULL ? row->group : "Options";
        if (row->help == NULL) {
            continue;
        }
        if (strcmp(group, wanted) != 0) {
            group = wanted;
            heading(stream, "SS", group);
        }
        fputs(".TP\n\\fB\\-\\-", stream);
        roff_text(stream, row->name);
        fputs("\\fR", stream);
        if (row->argument != NULL) {
            fputs(" \\fI", stream);
            roff_text(stream, row->argument);
            fputs("\\fR", stream);
        }
        fputc('\n', stream);
        roff_paragraph(stream, row->help);
    }
}

static void command_list_print(FILE *stream) {
    heading(stream, "SH", "COMMANDS");
    size_t count;
    const CommandGroup *groups = command_groups(&count);
    for (size_t i = 0; i < count; i++) {
        heading(stream, "SS", groups[i].title);
        for (size_t j = 0; j < groups[i].count; j++) {
            fputs(".TP\n", stream);
            reference(stream, groups[i].commands[j], "");
            roff_paragraph(stream, groups[i].commands[j]->summary);
        }
    }
}

static void exit_status(FILE *stream) {
    heading(stream, "SH", "EXIT STATUS");
    for (size_t i = 0; i < exit_code_row_count; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", (int)exit_code_rows[i].code);
        entry(stream, code, exit_code_rows[i].meaning);
    }
}

/* The commands of a family. */
static void member_list_print(FILE *stream, const Command *family) {
    const Command *member = family->family == NULL ? command_of(family->name, 0) : NULL;
    if (member != NULL) {
        heading(stream, "SH", "COMMANDS");
    }
    for (size_t i = 0; member != NULL; member = command_of(family->name, ++i)) {
        fputs(".TP\n", stream);
        reference(stream, member, "");
        roff_paragraph(stream, member->summary);
    }
}

/* A command's page names bench(1) and its family's, that page all commands. */
static void see_also(FILE *stream, const Command *command) {
    heading(stream, "SH", "SEE ALSO");
    if (command != &command_bench) {
        const Command *family = command->family != NULL ? command_find(command->family) : NULL;
        reference(stream, &command_bench, family != NULL ? "," : "");
        if (family != NULL) {
            reference(stream, family, "");
        }
        return;
    }
    for (size_t i = 0; command_at(i) != NULL; i++) {
        reference(stream, command_at(i), command_at(i + 1) != NULL ? "," : "");
    }
}

void manual_print(FILE *stream, const Command *command) {
    title(stream, command);
    heading(stream, "SH", "SYNOPSIS");
    command_lines(stream, command->usage, ".br\n");
    heading(stream, "SH", "DESCRIPTION");
    roff_paragraph(stream, command->about);
    if (command == &command_bench) {
        command_list_print(stream);
    } else {
        member_list_print(stream, command);
    }
    options(stream, command);
    if (command->examples != NULL) {
        heading(stream, "SH", "EXAMPLES");
        fputs(".EX\n", stream);
        command_lines(stream, command->examples, "");
        fputs(".EE\n", stream);
    }
    if (command->notes != NULL) {
        heading(stream, "SH", "NOTES");
        roff_paragraph(stream, command->notes);
    }
    exit_status(stream);
    terms(stream, "ENVIRONMENT", environment, sizeof environment / sizeof environment[0]);
    terms(stream, "FILES", files, sizeof files / sizeof files[0]);
    see_also(stream, command);
}
