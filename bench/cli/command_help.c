#include <string.h>

#include "commands.h"
#include "csv_columns.h"
#include "exit_codes.h"

int command_help(const Invocation *given) {
    if (given->first >= given->argc) {
        command_overview(stdout);
        return EXIT_OK;
    }
    const char *topic = given->argv[given->first];
    if (given->first + 1 < given->argc) {
        const Status status = status_make(STATUS_USAGE,
                                          "unexpected argument '%.60s'; write bench "
                                          "help COMMAND",
                                          given->argv[given->first + 1]);
        return command_error(&status);
    }
    if (strcmp(topic, "columns") == 0) {
        csv_columns_print(stdout);
        return EXIT_OK;
    }
    if (strcmp(topic, "--help") == 0 || strcmp(topic, "-h") == 0) {
        topic = "help";
    }
    const Command *command = command_find(topic);
    if (command == NULL) {
        const Status status = command_unknown(topic);
        return command_error(&status);
    }
    command->help(stdout);
    return EXIT_OK;
}
