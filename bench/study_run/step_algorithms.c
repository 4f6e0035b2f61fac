#include "step_algorithms.h"

#include <stdint.h>
#include <string.h>

static bool list_has(const char *list, const char *name) {
    const size_t length = strlen(name);
    while (*list != '\0') {
        const size_t item = strcspn(list, ",");
        if (item == length && strncmp(list, name, length) == 0) {
            return true;
        }
        list += item + (list[item] == ',' ? 1 : 0);
    }
    return false;
}

/* What is known of a name when all options were looked at. */
typedef struct Search {
    const char *name;
    bool options; /* there are any --algo */
    bool found;
} Search;

static void search(const StepArgumentList *arguments, Search *search) {
    for (size_t i = 0; i < arguments->count; i++) {
        const StepArgument *argument = &arguments->items[i];
        if (argument->option != NULL && strcmp(argument->option, "--algo") == 0 &&
            argument->value != NULL) {
            search->options = true;
            search->found = search->found || list_has(argument->value, search->name) ||
                            list_has(argument->value, "all");
        }
    }
}

static bool is_asked_for(const StudyStep *step, const char *algorithm) {
    Search state = {.name = algorithm};
    search(&step->arguments, &state);
    search(&step->quick, &state);
    search(&step->otherwise, &state);
    return state.found || !state.options;
}

void step_algorithms_keep(const StudyStep *step, StepRecords *records) {
    const size_t column = csv_field_index(&records->header, "algorithm");
    size_t kept = 0;
    for (size_t i = 0; i < records->count; i++) {
        if (column == SIZE_MAX || is_asked_for(step, csv_field(&records->records[i], column))) {
            records->records[kept] = records->records[i];
            records->pairs[kept++] = records->pairs[i];
        }
    }
    records->count = kept;
}
