/* Commands: `bench NAME …`. Adding one is a row in commands.c and a function. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "invocation.h"
#include "status.h"

typedef struct Command {
    const char *name;
    const char *summary;                 /* one line for `bench help` */
    bool measures;                       /* wants pinned threads */
    int (*run)(const Invocation *given); /* returns the exit code, having said what went wrong */
    void (*help)(FILE *stream);          /* the text of `bench help NAME` */
} Command;

extern const Command commands[];
extern const size_t command_count;

/* NULL when there is no such command. */
const Command *command_find(const char *name);

/* "'NAME' is no command; did you mean …? There are run, list …" */
Status command_unknown(const char *name);

int command_run(const Invocation *given);
int command_list(const Invocation *given);
int command_roof(const Invocation *given);
int command_plot(const Invocation *given);
int command_compare(const Invocation *given);
int command_classify(const Invocation *given);
int command_curve(const Invocation *given);
int command_train(const Invocation *given);
int command_train_hashsift(const Invocation *given);
int command_train_bad(const Invocation *given);
int command_recognise(const Invocation *given);
int command_match(const Invocation *given);
int command_study(const Invocation *given);
int command_report(const Invocation *given);
int command_selftest(const Invocation *given);
int command_help(const Invocation *given);

void command_run_help(FILE *stream);
void command_list_help(FILE *stream);
void command_roof_help(FILE *stream);
void command_plot_help(FILE *stream);
void command_compare_help(FILE *stream);
void command_classify_help(FILE *stream);
void command_curve_help(FILE *stream);
void command_train_help(FILE *stream);
void command_train_hashsift_help(FILE *stream);
void command_train_bad_help(FILE *stream);
void command_recognise_help(FILE *stream);
void command_match_help(FILE *stream);
void command_study_help(FILE *stream);
void command_report_help(FILE *stream);
void command_selftest_help(FILE *stream);
void command_help_help(FILE *stream);

/* `bench --help`: what there is; `bench --version`: what this binary was built from. */
void command_overview(FILE *stream);
void command_version(FILE *stream);

#endif
