/* The table of commands. */

#include "cli_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "apps.h"
#include "base.h"
#include "status.h"

const Command *const commands[] = {
    &command_run,       &command_list,  &command_roof,           &command_plot,
    &command_report,    &command_study, &command_compare,        &command_classify,
    &command_curve,     &command_train, &command_train_hashsift, &command_train_bad,
    &command_recognise, &command_match, &command_selftest,       &command_help,
};

const size_t command_count = sizeof commands / sizeof commands[0];

const Command *command_find(const char *name) {
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

Status command_unknown(const char *name) {
    char known[STATUS_WHY_SIZE / 2] = "";
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < command_count; i++) {
        suggest_offer(&suggestion, commands[i]->name);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", commands[i]->name);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no command%s (commands: %s)", name,
                       suggest_text(&suggestion, nearest), known);
}
