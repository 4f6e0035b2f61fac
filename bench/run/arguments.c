/* Stored arguments: which of them another command takes over. An option's role decides. */

#include "run_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* === Roles ==================================================================================== */

/* Who takes the options of a role over. */
typedef struct Uses {
    bool same;    /* two runs of one request have the same */
    bool resume;  /* --resume DIR, out of the stored run */
    bool launch;  /* a launch, out of the command line of this run */
    bool plan;    /* the whole that shares are merged into */
    bool another; /* reproduce, out of the stored run */
} Uses;

static const Uses uses[ROLES] = {
    [ROLE_MEASURE] = {.same = true, .resume = true, .launch = true, .plan = true, .another = true},
    [ROLE_RUN] = {.same = true, .resume = true, .launch = true, .plan = true},
    [ROLE_PACE] = {.resume = true, .plan = true, .another = true},
    [ROLE_COMPARE] = {.resume = true, .plan = true},
    [ROLE_SHARE] = {.resume = true, .launch = true},
    [ROLE_FREE] = {.resume = true, .launch = true, .plan = true},
    [ROLE_WRITE] = {.plan = true},
    [ROLE_MODULE] = {.launch = true, .plan = true},
    [ROLE_PROGRAM] = {.plan = true},
    [ROLE_ACT] = {.plan = true},
};

bool option_is_of_another_run(const Option *option) {
    return uses[option->role].another;
}

/* An option or a word of a list. */
typedef struct Item {
    const Option *option; /* NULL: a word, or no option of the command */
    char *const *words;
    int count;
} Item;

/* Whether an option that the command lacks has a value behind it, as that of another version, or
 * the axis of a module that is not loaded. */
static bool value_of_unknown_follows(const ArgumentList *list, int index) {
    const char *word = list->argv[index];
    return strncmp(word, "--", 2) == 0 && strchr(word, '=') == NULL && index + 1 < list->argc &&
           strncmp(list->argv[index + 1], "--", 2) != 0;
}

/* Takes the next one off the list. False at its end. The word "run" before all options is none. */
static bool next_item(const Command *command, const ArgumentList *list, int *index, Item *item) {
    if (*index == 0 && list->argc > 0 && strcmp(list->argv[0], command->name) == 0) {
        ++*index;
    }
    if (*index >= list->argc) {
        return false;
    }
    item->words = list->argv + *index;
    item->count = command_argument(command, list->argc, list->argv, *index, &item->option);
    if (item->option == NULL && value_of_unknown_follows(list, *index)) {
        item->count = 2;
    }
    *index += item->count;
    return true;
}

static Status add_item(const Item *item, ArgumentList *list) {
    for (int i = 0; i < item->count; i++) {
        STATUS_TRY(argument_list_add(list, item->words[i]));
    }
    return status_ok();
}

/* NULL where the option has none. */
static const char *value_of(const Item *item) {
    const char *equals = strchr(item->words[0], '=');
    return item->count > 1 ? item->words[1] : equals != NULL ? equals + 1 : NULL;
}

/* === The same request ========================================================================= */

/* An option with its value: "--reps 5". */
typedef struct Setting {
    const Option *option; /* NULL: the command has none of that name */
    char *text;           /* owned */
} Setting;

typedef struct Settings {
    Setting *items;
    size_t count, capacity;
} Settings;

static void settings_release(Settings *settings) {
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->items[i].text);
    }
    free(settings->items);
}

static char *setting_text(const Item *item) {
    const char *value = value_of(item);
    const size_t name = strcspn(item->words[0], "=");
    const size_t size = name + 1 + (value != NULL ? strlen(value) : 0) + 1;
    char *text = malloc(size);
    if (text != NULL) {
        snprintf(text, size, "%.*s%s%s", (int)name, item->words[0], value != NULL ? " " : "",
                 value != NULL ? value : "");
    }
    return text;
}

/* Of a repeated option the last one counts. */
static Status add_setting(Settings *settings, const Item *item) {
    Setting setting = {.option = item->option, .text = setting_text(item)};
    size_t i = 0;
    while (i < settings->count &&
           (item->option == NULL || settings->items[i].option != item->option)) {
        i++;
    }
    if (setting.text == NULL) {
        return status_no_memory("for the arguments of a run");
    }
    if (i == settings->count) {
        const Status room = LIST_ROOM(NULL, settings->items, settings->count, settings->capacity,
                                      "arguments of a run");
        if (!status_is_ok(&room)) {
            free(setting.text);
            return room;
        }
        settings->count++;
    } else {
        free(settings->items[i].text);
    }
    settings->items[i] = setting;
    return status_ok();
}

static int compare_settings(const void *left, const void *right) {
    return strcmp(((const Setting *)left)->text, ((const Setting *)right)->text);
}

/* Those that decide numbers, sorted. An option that the command lacks decides as well: it is one of
 * another version, or the axis of a module. Release in any case. */
static Status read_settings(const Command *command, const ArgumentList *list, Settings *settings) {
    Item item;
    *settings = (Settings){.items = NULL};
    for (int i = 0; next_item(command, list, &i, &item);) {
        if (item.option == NULL || uses[item.option->role].same) {
            STATUS_TRY(add_setting(settings, &item));
        }
    }
    if (settings->count > 0) {
        qsort(settings->items, settings->count, sizeof *settings->items, compare_settings);
    }
    return status_ok();
}

static bool same_option(const char *a, const char *b) {
    const size_t length = strcspn(a, " ");
    return length == strcspn(b, " ") && strncmp(a, b, length) == 0;
}

/* `was` and `is` are the first difference of two sorted lists; an empty text is the end of one. */
static Status name_difference(const char *was, const char *is, const char *stored) {
    const bool both = same_option(was, is);
    const bool only_before = !both && was[0] != '\0' && (is[0] == '\0' || strcmp(was, is) < 0);
    return status_make(STATUS_USAGE,
                       "the stored run was made with other arguments: there %.100s, here %.100s; "
                       "give those of the run: %.120s",
                       both || only_before ? was : "nothing", only_before ? "nothing" : is, stored);
}

static Status compare(const Settings *before, const Settings *here, const ArgumentList *stored) {
    for (size_t i = 0; i < before->count || i < here->count; i++) {
        const char *was = i < before->count ? before->items[i].text : "";
        const char *is = i < here->count ? here->items[i].text : "";
        if (strcmp(was, is) != 0) {
            char line[COMMAND_LINE_SIZE];
            command_line_text(stored, line, sizeof line);
            return name_difference(was, is, line);
        }
    }
    return status_ok();
}

Status arguments_same(const Command *command, const ArgumentList *stored, const ArgumentList *now) {
    Settings before, here = {.items = NULL};
    Status status = read_settings(command, stored, &before);
    if (status_is_ok(&status)) {
        status = read_settings(command, now, &here);
    }
    if (status_is_ok(&status)) {
        status = compare(&before, &here, stored);
    }
    settings_release(&before);
    settings_release(&here);
    return status;
}

/* === Out of this run's command line =========================================================== */

Status arguments_of_launch(const Command *command, const ArgumentList *given, ArgumentList *list) {
    Item item;
    STATUS_TRY(argument_list_add(list, "bench"));
    for (int i = 0; next_item(command, given, &i, &item);) {
        if (item.option == NULL || uses[item.option->role].launch) {
            STATUS_TRY(add_item(&item, list));
        }
    }
    return status_ok();
}

Status arguments_of_plan(const Command *command, const ArgumentList *given, ArgumentList *list) {
    Item item;
    *list = (ArgumentList){.argc = 0};
    for (int i = 0; next_item(command, given, &i, &item);) {
        if (item.option == NULL || uses[item.option->role].plan) {
            STATUS_TRY(add_item(&item, list));
        }
    }
    return status_ok();
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
static Status check_paths(const Item *item) {
    const OptionKind kind = item->option->kind;
    const char *rest = value_of(item);
    const bool list = kind == OPTION_INPUT_LIST;
    while ((list || kind == OPTION_INPUT || kind == OPTION_RUN) && rest != NULL && *rest != '\0') {
        char path[PATH_MAX];
        const size_t length = list ? strcspn(rest, ",") : strlen(rest);
        snprintf(path, sizeof path, "%.*s", (int)length, rest);
        STATUS_TRY(check_ordinary(item->option, path));
        rest += length;
        rest += *rest == ',';
    }
    return status_ok();
}

Status stored_argument_check(const Command *command, char *const *words, int count) {
    const ArgumentList list = {.argc = count, .argv = (char **)words};
    Item item = {.option = NULL, .words = words, .count = count};
    command_argument(command, list.argc, list.argv, 0, &item.option);
    if (item.option == NULL) {
        return status_make(STATUS_USAGE, "'%.80s' is no option of 'bench run'", words[0]);
    }
    return check_paths(&item);
}

static bool is_given(const Command *command, const ArgumentList *now, const Option *option) {
    Item item;
    for (int i = 0; next_item(command, now, &i, &item);) {
        if (item.option == option) {
            return true;
        }
    }
    return false;
}

/* What is said again now is not taken over: a run that is resumed again and again keeps its
 * arguments as they are. */
static Status add_stored(const Command *command, const ArgumentList *stored,
                         const ArgumentList *now, ArgumentList *list) {
    Item item;
    STATUS_TRY(argument_list_add(list, "bench"));
    for (int i = 0; next_item(command, stored, &i, &item);) {
        if (item.option != NULL &&
            (!uses[item.option->role].resume || is_given(command, now, item.option))) {
            continue;
        }
        const Status status = stored_argument_check(command, item.words, item.count);
        if (!status_is_ok(&status)) {
            return status_make(status.code, "--resume: %.350s", status.why);
        }
        STATUS_TRY(add_item(&item, list));
    }
    return status_ok();
}

static Status add_all(const Command *command, const StoredRun *stored, int argc, char *const *argv,
                      ArgumentList *list) {
    const ArgumentList now = {.argc = argc, .argv = (char **)argv};
    if (stored->arguments_cut) {
        return status_make(STATUS_USAGE, "--resume: the stored command line was too long to be "
                                         "kept whole; give its arguments again");
    }
    STATUS_TRY(add_stored(command, &stored->arguments, &now, list));
    for (int i = 0; i < argc; i++) {
        STATUS_TRY(argument_list_add(list, argv[i]));
    }
    return status_ok();
}

Status resume_arguments(const Command *command, const char *folder, int argc, char *const *argv,
                        ArgumentList *list) {
    char path[PATH_MAX];
    *list = (ArgumentList){.argc = 0};
    STATUS_TRY(stored_run_in(folder, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    if (stored == NULL) {
        return status_no_memory("to read %.200s", path);
    }
    Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        status = machine_modules_check(&stored->machine, folder, NULL, NULL);
        if (status_is_ok(&status)) {
            status = add_all(command, stored, argc, argv, list);
        }
        stored_run_release(stored);
    }
    free(stored);
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}
