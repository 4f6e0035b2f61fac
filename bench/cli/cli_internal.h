/* What files of this room and tests share. */

#ifndef BENCH_CLI_CLI_INTERNAL_H
#define BENCH_CLI_CLI_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include "commands.h"
#include "options.h"

typedef struct Algorithm Algorithm;       /* algorithm.h */
typedef struct Machine Machine;           /* machine.h */
typedef struct OptionsGiven OptionsGiven; /* commands.h */
typedef struct Row Row;                   /* row.h */
typedef struct RunOptions RunOptions;     /* run_options.h */
typedef struct StoredRun StoredRun;       /* stored_run.h */
typedef struct StudyResult StudyResult;   /* study.h */

/* --- Run options ------------------------------------------------------------------------------ */

/* The commands that share the table of run options, or that of axes; a row's scope is the commands
 * that have it. */
typedef enum OptionScope {
    SCOPE_RUN = 1,
    SCOPE_LIST = 2,
    SCOPE_ROOF = 4,
    SCOPE_SELFTEST = 8,
    SCOPE_PROFILE = 16,
    SCOPE_VERIFY = 32
} OptionScope;

extern const Option run_option_rows[];

/* The `handle` of a member of type Prices. */
Status option_prices(const Option *option, const char *value, void *options);

/* The `handle` and `print` of --algo: a comma list of algorithms, or all, of RunOptions. */
Status run_option_algorithms(const Option *option, const char *value, void *options);
void run_print_algorithms(const Option *option, const void *options, FILE *stream);
/* The same of --variants. */
Status run_option_variants(const Option *option, const char *value, void *options);
void run_print_variants(const Option *option, const void *options, FILE *stream);

/* Adds one that is not there yet. STATUS_USAGE for too many. */
Status run_add_algorithm(const Algorithm *algorithm, RunOptions *options);
/* `name` outlives the options. */
Status run_add_variant(const char *name, RunOptions *options);

/* The row of --force, of commands that write a run to a folder. */
#define FORCE_OPTION(...)                                                                          \
    {                                                                                              \
        .name = "force", .help = "replace the run that the folder of --out holds",                 \
        .kind = OPTION_SET, __VA_ARGS__                                                            \
    }

/* Words that stand for a value. */
extern const char *const all_word[];
extern const char *const none_word[];

/* The `handle` and `print` of a member of type DeviceChoice. */
Status run_option_devices(const Option *option, const char *value, void *options);
void run_print_devices(const Option *option, const void *options, FILE *stream);

/* The row of --device, with the members that differ from command to command. */
#define DEVICE_OPTION(...)                                                                         \
    {                                                                                              \
        .name = "device", .argument = "LIST|all", .takes = TAKES_LIST, .words = all_word,          \
        .help = "CUDA devices, by number: variants of one device take the first, cuda_multi all "  \
                "of them. A number may stand several times: then the device stands for several. "  \
                "Default: all",                                                                    \
        .kind = OPTION_HANDLED, .handle = run_option_devices, .print = run_print_devices,          \
        __VA_ARGS__                                                                                \
    }

/* Chooses the devices of --device. STATUS_USAGE with the option's name. */
Status run_choose_devices(const RunOptions *options);

/* An option for each axis of the registry. */
const Option *run_axis_rows(void);

/* Whether an option of a run is for the kind of input that some selected algorithm takes. */
bool run_option_suits(const Option *option, const RunOptions *options);

/* Handles --budget of any command: a time in seconds, or "none" for INFINITY, into the member.
 * STATUS_USAGE. */
Status budget_read(const Option *option, const char *value, void *options);

/* Checks options against each other and sets defaults that depend on others. STATUS_USAGE names the
 * option and what would be right; STATUS_NO_MATCH when known names select nothing together. */
Status run_options_check(void *options, const OptionsGiven *given);

/* --- Set sizes -------------------------------------------------------------------------------- */

/* Defaults of a synthetic set. */
enum { SET_SIDE_DEFAULT = 28 };

extern const char set_images_default[]; /* "1000" */

/* --- List text -------------------------------------------------------------------------------- */

/* The selected algorithms (all when none is) with axes, variants and why one is not available;
 * devices, sizes and synthetic kinds of images and of sets. At most 100 columns. */
void list_print(FILE *stream, const RunOptions *options);

/* The same of selected algorithms; a line for each algorithm when none is. STATUS_SKIP without
 * memory. */
Status list_show(FILE *stream, const RunOptions *options);

/* The chosen GPUs, if there are several, and how they are linked, of the facts that are known. */
void list_print_links(FILE *stream, const Machine *machine);

/* --- Manual pages ----------------------------------------------------------------------------- */

/* The page of a command, or bench(1) of command_bench, as roff. */
void manual_print(FILE *stream, const Command *command);

/* The environment variables that the program reads. */
void environment_print(FILE *stream);

/* --- Completion ------------------------------------------------------------------------------- */

extern const char *const completion_shells[]; /* NULL behind the last */

/* completion.bash and so on */
extern const char completion_bash[], completion_zsh[], completion_fish[];

/* Of one of completion_shells, from 1. */
void completion_script_print(FILE *stream, int shell);

/*
 * What may stand in place of the last word of a command line, whose words have line ends between
 * them and the program's name first. The first line says what the answer is: "words"; "list", words
 * that a comma may follow; "files" or "folders", which the shell knows best, besides those named
 * here. Each line after it is a word that begins as the last one does, and behind a tab what it is.
 * Nothing where nothing is known. Measures nothing and asks no device.
 */
void completion_answer(FILE *stream, const char *line);

/* --- Commands --------------------------------------------------------------------------------- */

/* The program as a whole: for its help and its manual page; it has no options. */
extern const Command command_bench;

/* What `bench help` knows besides commands. */
typedef struct HelpTopic {
    const char *name, *summary;
    void (*print)(FILE *stream);
} HelpTopic;

extern const HelpTopic help_topics[];
extern const size_t help_topic_count;

/* The groups of commands in the order of the help. */
const CommandGroup *command_groups(size_t *count);

/* The commands of all groups in their order, from 0 on; NULL after the last one. */
const Command *command_at(size_t index);

/* Handles --width of any command: "85mm", "3.5in" or the name of a paper's column, in mm into the
 * member. STATUS_USAGE. */
Status width_read(const Option *option, const char *value, void *options);

/* Number `index` of a family, of NULL those of none; NULL after the last one. */
const Command *command_of(const char *family, size_t index);
bool command_is_of(const Command *command, const char *family);

enum { COMMAND_WORDS_SIZE = 64 };

/* The `meant` of commands whose algorithm is an option: "'lbp' is an algorithm; write bench run
 * --algo lbp". */
Status word_meant(const Command *command, const char *word, int argc, char **argv);

extern const Command command_list, command_peers, command_roof, command_selftest, command_machine;
extern const Command command_runs, command_show, command_plot, command_figure, command_merge,
    command_report, command_study, command_compare, command_history, command_bisect, command_ci;
extern const Command command_artifact, command_reproduce, command_demo, command_verify,
    command_profile, command_new_algorithm, command_help;

/* Whether other people's code is here that can measure what a run measures; and whether any is
 * installed for the processor, which needs no device. */
bool peers_are_there(const RunOptions *run);
bool peers_are_installed(void);

/* --- Runs to report --------------------------------------------------------------------------- */

enum { REPORT_RUNS_MAX = 64, REPORT_NAME_SIZE = 256 };

typedef struct ReportRuns {
    StoredRun *stored;
    char (*names)[REPORT_NAME_SIZE]; /* no two alike */
    size_t count;
} ReportRuns;

/* Reads at most REPORT_RUNS_MAX runs, which are named by folder or file. STATUS_FILE naming the
 * file and what is wrong with it, STATUS_SKIP when one has no rows; nothing is to be released then.
 */
Status report_runs_read(const OptionTexts *given, ReportRuns *runs);
void report_runs_release(ReportRuns *runs);

struct ReportRun; /* report.h */

/* The runs as a report takes them. */
void report_runs_list(const ReportRuns *runs, struct ReportRun *list);

/* A note on standard error for each run with rows that this version does not have. */
void report_runs_note_ignored(const ReportRuns *runs);

/* Whether two rows of a run were measured on the same input at the same size. */
bool rows_same_input(const Row *a, const Row *b);

/* --- Study summary ---------------------------------------------------------------------------- */

/* A line for each table: how many of its numbers were measured and published, and why some were
 * not. STATUS_SKIP without memory. */
Status study_summary_print(FILE *stream, const StudyResult *result);

/* The exit code of the study from those of its steps: EXIT_INTERRUPTED before EXIT_WRONG before any
 * other. Steps that had nothing to measure, as without a device, do not count. */
int study_exit_code(const StudyResult *result);

#endif
