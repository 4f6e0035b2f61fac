/* The command line of a step under given settings. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "step_paths.h"
#include "step_run.h"

static const char data_mark[] = "{data}";
static const char out_mark[] = "{out}";

/* An argument of the step and what gave it. */
typedef struct Chosen {
    StepArgument argument;
    bool quick;
} Chosen;

typedef struct ChosenList {
    Chosen *items; /* room for all that there can be */
    size_t count;
} ChosenList;

/* The first argument that is this option; NULL when there is none. */
static Chosen *find_option(const ChosenList *list, const char *option) {
    for (size_t i = 0; option != NULL && i < list->count; i++) {
        const char *known = list->items[i].argument.option;
        if (known != NULL && strcmp(known, option) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

static void remove_at(ChosenList *list, size_t index) {
    list->count--;
    memmove(&list->items[index], &list->items[index + 1],
            (list->count - index) * sizeof *list->items);
}

/* In place of the options of its name, at the place of the first; behind all others where there is
 * none. */
static void take_place(ChosenList *list, const StepArgument *argument, bool quick) {
    Chosen *known = find_option(list, argument->option);
    if (known == NULL) {
        known = &list->items[list->count++];
    }
    *known = (Chosen){.argument = *argument, .quick = quick};
    for (size_t i = list->count - 1; &list->items[i] > known && argument->option != NULL; i--) {
        const char *other = list->items[i].argument.option;
        if (other != NULL && strcmp(other, argument->option) == 0) {
            remove_at(list, i);
        }
    }
}

/* `text` with the marks replaced, allocated; NULL without memory. */
static char *replace_marks(const char *text, const char *data, const char *out) {
    const char *const marks[] = {data_mark, out_mark};
    const char *const values[] = {data, out};
    const size_t longest = strlen(data) > strlen(out) ? strlen(data) : strlen(out);
    const size_t marks_most = strlen(text) / strlen(out_mark);
    char *replaced = malloc(strlen(text) + marks_most * longest + 1);
    char *to = replaced;
    while (replaced != NULL && *text != '\0') {
        size_t i = 0;
        while (i < 2 && strncmp(text, marks[i], strlen(marks[i])) != 0) {
            i++;
        }
        if (i < 2) {
            to = stpcpy(to, values[i]);
            text += strlen(marks[i]);
        } else {
            *to++ = *text++;
        }
    }
    if (replaced != NULL) {
        *to = '\0';
    }
    return replaced;
}

/* Whether each file that the value names in {data} is there; else `missing` is the first that is
 * not, as it is named. A name ends at a comma. */
static bool files_are_there(const char *value, const char *data, char *missing, size_t size) {
    for (const char *at = value; (at = strstr(at, data_mark)) != NULL;) {
        char path[ATOMIC_FILE_PATH_SIZE];
        const int length = (int)strcspn(at, ",");
        const char *rest = at + strlen(data_mark);
        snprintf(missing, size, "%.*s", length, at);
        snprintf(path, sizeof path, "%s%.*s", data, length - (int)strlen(data_mark), rest);
        if (access(path, F_OK) != 0) {
            return false;
        }
        at += length;
    }
    return true;
}

static bool names_data(const StepArgument *argument) {
    return argument->value != NULL && strstr(argument->value, data_mark) != NULL;
}

/* Where a file is missing: without what names {data}, with what stands in for it. A quick option
 * stays. */
static Status stand_in(const StudyStep *step, const char *missing, ChosenList *list) {
    if (step->otherwise.count == 0) {
        return status_skip("%.200s is not there; --data names the folder of the data, which "
                           "datasets/fetch fills with what can be fetched",
                           missing);
    }
    for (size_t i = list->count; i-- > 0;) {
        if (names_data(&list->items[i].argument)) {
            remove_at(list, i);
        }
    }
    for (size_t i = 0; i < step->otherwise.count; i++) {
        const StepArgument *argument = &step->otherwise.items[i];
        const Chosen *known = find_option(list, argument->option);
        if (known == NULL || !known->quick) {
            take_place(list, argument, false);
        }
    }
    return status_ok();
}

/* Fills the list, which has room for all of the step's arguments and those of `run`. */
static Status choose(const StudyStep *step, const StudySettings *settings, ChosenList *list,
                     bool *stands_in) {
    for (size_t i = 0; i < step->arguments.count; i++) {
        list->items[list->count++] = (Chosen){.argument = step->arguments.items[i]};
    }
    for (size_t i = 0; settings->quick && i < step->quick.count; i++) {
        take_place(list, &step->quick.items[i], true);
    }
    char missing[256];
    bool complete = true;
    for (size_t i = 0; complete && i < list->count; i++) {
        const StepArgument *argument = &list->items[i].argument;
        complete = !names_data(argument) ||
                   files_are_there(argument->value, settings->data, missing, sizeof missing);
    }
    *stands_in = false;
    if (!complete) {
        STATUS_TRY(stand_in(step, missing, list));
        *stands_in = true;
    }
    if (strcmp(step->command, "run") == 0) {
        static const StepArgument usual[] = {
            {.option = "--out", .value = out_mark}, {.option = "--no-plot"}, {.option = "--quiet"}};
        for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
            if (find_option(list, usual[i].option) == NULL) {
                take_place(list, &usual[i], false);
            }
        }
    }
    return status_ok();
}

/* Appends a copy of the text. */
static bool append(char **arguments, const char *text, const char *data, const char *out) {
    size_t count = 0;
    while (arguments[count] != NULL) {
        count++;
    }
    arguments[count] = replace_marks(text, data, out);
    return arguments[count] != NULL;
}

static Status write_arguments(const StudyStep *step, const StudySettings *settings,
                              const ChosenList *list, char **arguments) {
    char out[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(step_path(step, settings, NULL, out, sizeof out));
    bool written = append(arguments, "bench", "", "") && append(arguments, step->command, "", "");
    for (size_t i = 0; written && i < list->count; i++) {
        const StepArgument *argument = &list->items[i].argument;
        written =
            (argument->option == NULL || append(arguments, argument->option, "", "")) &&
            (argument->value == NULL || append(arguments, argument->value, settings->data, out));
    }
    return written ? status_ok() : status_skip("no memory left for a step's command line");
}

Status step_arguments(const StudyStep *step, const StudySettings *settings, char ***arguments,
                      bool *stand_in_used) {
    enum { USUAL = 3 };
    const size_t most = step->arguments.count + step->quick.count + step->otherwise.count + USUAL;
    ChosenList list = {.items = calloc(most, sizeof *list.items)};
    *arguments = calloc(2 * most + 3, sizeof **arguments);
    Status status = list.items != NULL && *arguments != NULL
                        ? choose(step, settings, &list, stand_in_used)
                        : status_skip("no memory left for a step's command line");
    if (status_is_ok(&status)) {
        status = write_arguments(step, settings, &list, *arguments);
    }
    free(list.items);
    if (!status_is_ok(&status)) {
        step_arguments_release(*arguments);
        *arguments = NULL;
    }
    return status;
}

void step_arguments_release(char **arguments) {
    for (size_t i = 0; arguments != NULL && arguments[i] != NULL; i++) {
        free(arguments[i]);
    }
    free(arguments);
}
