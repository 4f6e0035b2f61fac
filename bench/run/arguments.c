/* Requests out of others: which options a launch, a resumed run and another run take over. */

#include "command_line.h"
#include "options.h"
#include "run.h"
#include "run_options.h"
#include "stored_run.h"
#include "text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* === Roles ==================================================================================== */

/* Who takes the options of a role over. */
typedef struct Uses {
    bool same;    /* two runs of one request have the same */
    bool resume;  /* --resume DIR, out of the stored run */
    bool launch;  /* a launch, out of the request of this run */
    bool another; /* reproduce, out of the stored run */
} Uses;

static const Uses uses[ROLES] = {
    [ROLE_MEASURE] = {.same = true, .resume = true, .launch = true, .another = true},
    [ROLE_RUN] = {.same = true, .resume = true, .launch = true},
    [ROLE_PACE] = {.resume = true, .another = true},
    [ROLE_COMPARE] = {.resume = true},
    [ROLE_SHARE] = {.resume = true, .launch = true},
    [ROLE_FREE] = {.resume = true, .launch = true},
    [ROLE_MODULE] = {.launch = true},
};

bool option_is_of_another_run(const Option *option) {
    return uses[option->role].another;
}

static bool is_of_launch(const Option *option) {
    return uses[option->role].launch;
}

void request_keep_launch(OptionsGiven *given) {
    options_keep(given, is_of_launch);
}

/* === Out of a stored run ====================================================================== */

/* STATUS_USAGE where opening or reading it might never end, or mean something: a device, a pipe,
 * what the kernel makes as it is read. What is not there has its own error later. */
static Status check_ordinary(const Option *option, const char *path) {
    struct stat facts;
    const bool there = stat(path, &facts) == 0;
    if (!there || S_ISDIR(facts.st_mode) || (S_ISREG(facts.st_mode) && facts.st_size > 0)) {
        return status_ok();
    }
    return status_make(STATUS_USAGE,
                       "the stored run names %.150s, which is no ordinary file or folder, as its "
                       "--%s; name the option again to use it",
                       path, option->name);
}

/* Each file of a list, or the one file or folder. */
static Status check_paths(const Option *option, const RunOptions *options) {
    const bool list = option->kind == OPTION_INPUT_LIST;
    if (!list && option->kind != OPTION_INPUT && option->kind != OPTION_RUN) {
        return status_ok();
    }
    const char *rest = *(const char *const *)((const unsigned char *)options + option->member);
    while (rest != NULL && *rest != '\0') {
        char path[PATH_MAX];
        const size_t length = list ? strcspn(rest, ",") : strlen(rest);
        snprintf(path, sizeof path, "%.*s", (int)length, rest);
        STATUS_TRY(check_ordinary(option, path));
        rest += length;
        rest += *rest == ',';
    }
    return status_ok();
}

/* An option with its value, or a word. The word "run" before all options is none. */
typedef struct Item {
    const Option *option; /* NULL: a word, or no option of the command */
    char **words;
    int count;
} Item;

/* Takes the next one off the list. False at its end. */
static bool next_item(const Command *command, const ArgumentList *list, int *index, Item *item) {
    if (*index == 0 && list->argc > 0 && strcmp(list->argv[0], command->name) == 0) {
        ++*index;
    }
    if (*index >= list->argc) {
        return false;
    }
    item->words = list->argv + *index;
    item->count = command_argument(command, list->argc, list->argv, *index, &item->option);
    *index += item->count;
    return true;
}

static Status read_item(const Item *item, RunOptions *options) {
    if (item->option == NULL) {
        return status_make(STATUS_USAGE, "'%.80s' is no option of 'bench run'", item->words[0]);
    }
    STATUS_TRY(options_read(item->count, item->words, options, &options->given));
    return check_paths(item->option, options);
}

Status stored_request_read(const ArgumentList *stored,
                           bool (*takes)(void *context, const Option *option), void *context,
                           RunOptions *options) {
    Item item;
    for (int i = 0; next_item(options->given.command, stored, &i, &item);) {
        if (item.option == NULL || takes(context, item.option)) {
            STATUS_TRY(read_item(&item, options));
        }
    }
    return status_ok();
}

/* What is said again now is not taken over: a run that is resumed again and again keeps its
 * arguments as they are. */
static bool is_resumed(void *context, const Option *option) {
    const OptionsGiven *now = context;
    return uses[option->role].resume && !options_was_given(now, option->name);
}

static Status add_stored(const StoredRun *stored, const OptionsGiven *now, RunOptions *options) {
    if (stored->arguments_cut) {
        return status_make(STATUS_USAGE, "--resume: the stored command line was too long to be "
                                         "kept whole; give its arguments again");
    }
    const Status status = stored_request_read(&stored->arguments, is_resumed, (void *)now, options);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "--resume: %.350s", status.why);
}

Status resume_request(const char *folder, const OptionsGiven *now, int argc, char **argv,
                      ArgumentList *arguments, RunOptions *options) {
    char path[PATH_MAX];
    *arguments = (ArgumentList){.argc = 0};
    options_start(now->command, options, &options->given);
    STATUS_TRY(stored_run_in(folder, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    STATUS_MEMORY(stored, "to read %.200s", path);
    Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        status = machine_modules_check(&stored->machine, folder, NULL, NULL);
        STATUS_THEN(status, add_stored(stored, now, options));
        *arguments = stored->arguments;
        stored->arguments = (ArgumentList){.argc = 0};
        stored_run_release(stored);
    }
    free(stored);
    STATUS_TRY(status);
    return options_read(argc, argv, options, &options->given);
}

/* === The same request ========================================================================= */

static bool is_same(void *context, const Option *option) {
    (void)context;
    return uses[option->role].same;
}

/* "nothing" where the request does not have the option. */
static Status setting_text(const Option *row, const RunOptions *options, char *text, size_t size) {
    ArgumentList list = {.argc = 0};
    const Status status = option_print(row, options, &options->given, &list);
    if (status_is_ok(&status) && list.argc > 0) {
        text[0] = '\0';
        for (int i = 0; i < list.argc; i++) {
            text_append(text, size, "%s%s", i > 0 ? " " : "", list.argv[i]);
        }
    } else {
        snprintf(text, size, "nothing");
    }
    argument_list_release(&list);
    return status;
}

static Status compare_row(const Option *row, const RunOptions *before, const RunOptions *now,
                          const ArgumentList *stored) {
    char was[COMMAND_LINE_SIZE], is[COMMAND_LINE_SIZE], line[COMMAND_LINE_SIZE];
    STATUS_TRY(setting_text(row, before, was, sizeof was));
    STATUS_TRY(setting_text(row, now, is, sizeof is));
    if (strcmp(was, is) == 0) {
        return status_ok();
    }
    command_line_text(stored, line, sizeof line);
    return status_make(STATUS_USAGE,
                       "the stored run was made with other arguments: there %.100s, here %.100s; "
                       "give those of the run: %.120s",
                       was, is, line);
}

Status arguments_same(const ArgumentList *stored, const RunOptions *now) {
    const Command *command = now->given.command;
    const Option *row;
    RunOptions before;
    options_start(command, &before, &before.given);
    STATUS_TRY(stored_request_read(stored, is_same, NULL, &before));
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (uses[row->role].same) {
            STATUS_TRY(compare_row(row, &before, now, stored));
        }
    }
    return status_ok();
}

Status arguments_both_same(const Command *command, const ArgumentList *before,
                           const ArgumentList *after) {
    RunOptions options;
    options_start(command, &options, &options.given);
    STATUS_TRY(stored_request_read(after, is_same, NULL, &options));
    return arguments_same(before, &options);
}

/* === As written =============================================================================== */

Status arguments_of_plan(const Command *command, const ArgumentList *given, ArgumentList *list) {
    Item item;
    *list = (ArgumentList){.argc = 0};
    for (int i = 0; next_item(command, given, &i, &item);) {
        if (item.option != NULL && item.option->role == ROLE_SHARE) {
            continue;
        }
        for (int word = 0; word < item.count; word++) {
            STATUS_TRY(argument_list_add(list, item.words[word]));
        }
    }
    return status_ok();
}
