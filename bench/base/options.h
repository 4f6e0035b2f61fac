/* Tables of options: read, printed, documented. */

#ifndef BENCH_BASE_OPTIONS_H
#define BENCH_BASE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

typedef enum OptionKind {
    OPTION_SET,        /* no value: the member (bool) becomes true */
    OPTION_CLEAR,      /* no value: the member (bool) becomes false */
    OPTION_TEXT,       /* const char *: points at the value, which is not empty */
    OPTION_RUN,        /* the same, a stored run, as run_find finds it */
    OPTION_INPUT,      /* the same, a file or folder that is read */
    OPTION_INPUT_LIST, /* the same, files that are read, with commas between */
    OPTION_OUTPUT,     /* the same, a file that is written */
    OPTION_FOLDER,     /* the same, a folder that is made where it is missing, and written to */
    OPTION_TEXTS,      /* OptionTexts: gets one more text each time, at most `most` */
    OPTION_RUNS,       /* the same of stored runs */
    OPTION_REST,       /* OptionTexts: all arguments behind "--", whatever they begin with */
    OPTION_INT,        /* int32_t, from `least` to `most` */
    OPTION_WHOLE,      /* uint64_t, from `least` to `most` */
    OPTION_REAL,       /* double, above `least`, up to `most` */
    OPTION_DURATION,   /* double, seconds, above 0, up to 10^6: "10", "500ms", "2min" */
    OPTION_PAUSE,      /* the same, or 0 */
    OPTION_RATIO,      /* double, above 0, below 1: "1%" or "0.01" */
    OPTION_SHARE,      /* double, above 0, up to 1: "10%" or "0.1" */
    OPTION_WORD,       /* const char *: one of `words` */
    OPTION_CHOICE,     /* int, or an enumeration: which of `words`, from 1; 0: none was given */
    OPTION_WORDS,      /* unsigned: a list of `words`, bit i stands for word i */
    OPTION_HANDLED     /* `handle` reads the value */
} OptionKind;

/* What a value is beyond its kind, for whoever completes it. */
typedef enum OptionTakes {
    TAKES_KIND,  /* what its kind says, or a word */
    TAKES_FILE,  /* or a folder where help says so */
    TAKES_FILES, /* with commas between */
    TAKES_FOLDER,
    TAKES_RUN, /* a stored run */
    TAKES_LIST /* of words, with commas between */
} OptionTakes;

/* Reads a time as OPTION_DURATION has it, with `pause` as OPTION_PAUSE. STATUS_USAGE. */
Status duration_read(const char *text, bool pause, double *seconds);

/* The shortest text that duration_read reads as the same. */
void duration_print(double seconds, FILE *stream);

/*
 * What an option of `bench run` is to another command that takes stored arguments over: --resume,
 * reproduce, merge, launches, bisect, ci. A stored run may come from anybody, so it loads nothing,
 * starts nothing and names no file to write. A test holds every option of a run to a decision.
 */
typedef enum OptionRole {
    ROLE_UNDECIDED,
    ROLE_MEASURE, /* what is measured and how */
    ROLE_RUN,     /* how, in one run on one machine: devices, launches, ceilings */
    ROLE_PACE,    /* when launches begin */
    ROLE_ONCE,    /* how far this call goes */
    ROLE_COMPARE, /* the comparison that follows all launches */
    ROLE_SHARE,   /* which part of the plan */
    ROLE_FREE,    /* changes no number: what is printed, drawn, and verified by */
    ROLE_WRITE,   /* a file or folder to write to, and what more is written there */
    ROLE_MODULE,  /* a file whose code is loaded */
    ROLE_PROGRAM, /* a program that is started */
    ROLE_ACT,     /* does something else than measure */
    ROLES
} OptionRole;

/* Every text of an option that may be repeated, or of all arguments that are no options. */
typedef struct OptionTexts {
    size_t count, capacity;
    const char **texts; /* owned; what they point at is not */
} OptionTexts;

typedef struct Option {
    const char *name;     /* without the dashes; NULL: the next argument that is no option */
    const char *argument; /* as help shows the value; NULL: takes none */
    const char *help;     /* NULL: not listed */
    const char *brief;    /* the same for `bench NAME -h`, in 48 columns; NULL: not among its few */
    OptionKind kind;
    size_t member; /* its offset in the command's struct */
    uint64_t least, most;
    const char *const *words; /* of other kinds those that may stand for the value: "all"; NULL
                                 behind the last */
    OptionTakes takes;
    const char *noun; /* of a word or real number, in "'x' is no NOUN" */
    /* STATUS_USAGE without the option's name, which the parser puts in front. */
    Status (*handle)(const struct Option *option, const char *value, void *options);
    /* Writes the value that `handle` reads into the same, or nothing where the option says nothing.
     * NULL: the option is in no member that somebody changes, and is written as it was given. */
    void (*print)(const struct Option *option, const void *options, FILE *stream);
    const char *otherwise; /* the value where none is given, of a word that is a run too; NULL: one
                              has to be */
    const char *group;     /* heading in help; NULL: "Options" */
    unsigned scope;        /* of a table that commands share: those that have the row; 0: all */
    OptionRole role;       /* of every row that `bench run` has */
} Option;

/* Behind the last row. */
#define OPTIONS_END                                                                                \
    { .name = NULL }

#endif
