/* The table of options, for the parser and for help. Not for other modules. */
#ifndef BENCH_OPTIONS_TABLE_H
#define BENCH_OPTIONS_TABLE_H

#include "options_parse.h"

typedef enum OptionKind {
    OPTION_SET,      /* no value: member (bool) becomes true */
    OPTION_CLEAR,    /* no value: member (bool) becomes false */
    OPTION_TEXT,     /* member (const char *) points at the value, which is not empty */
    OPTION_COUNT,    /* member (int), from minimum to OPTION_COUNT_MAX */
    OPTION_SEED,     /* member (uint64_t) */
    OPTION_DURATION, /* member (double), seconds */
    OPTION_RATIO,    /* member (double), 0…1 exclusive, as 1% or 0.01 */
    OPTION_HANDLED,  /* `handle` does it */
    OPTION_ACTION    /* no value: `action` is what to do instead */
} OptionKind;

enum { OPTION_COUNT_MAX = 1000000 };

typedef struct Option {
    const char *flag;     /* without the dashes */
    const char *argument; /* as shown in help; NULL: takes no value */
    const char *help;
    const char *group; /* heading in help */
    unsigned scopes;   /* OptionScope bits */
    OptionKind kind;
    size_t member; /* offset in RunOptions */
    int minimum;   /* OPTION_COUNT */
    OptionsAction action;
    Status (*handle)(const char *value, RunOptions *options);
} Option;

/* What OPTION_HANDLED rows do with a value. */
Status option_take_algorithms(const char *value, RunOptions *options);
Status option_take_sizes(const char *value, RunOptions *options);
Status option_take_variants(const char *value, RunOptions *options);
Status option_take_synthetic(const char *value, RunOptions *options);
Status option_take_density(const char *value, RunOptions *options);
Status option_take_format(const char *value, RunOptions *options);

enum { OPTION_ROWS_MAX = 64 };
extern const Option option_rows[];
extern const size_t option_row_count;

/* NULL when there is no such option in the scope. */
const Option *option_find(const char *flag, OptionScope scope);

/* Stores a value (NULL for options without one) where the row says. STATUS_USAGE without the
 * option's name, which the caller puts in front. */
Status option_store(const Option *option, const char *value, RunOptions *options);

/* Which rows of option_rows were given. */
typedef struct OptionsGiven {
    bool row[OPTION_ROWS_MAX];
} OptionsGiven;

bool options_was_given(const OptionsGiven *given, const char *flag);

/* Of options_check: whether inputs, sizes and algorithms suit each other, and their defaults. */
Status options_check_inputs(const OptionsGiven *given, RunOptions *options);

/* After all arguments are read: conflicts, what has to be given, defaults that depend on others,
 * and whether variants and axes belong to the selected algorithms. */
Status options_check(OptionScope scope, const OptionsGiven *given, RunOptions *options);

#endif
