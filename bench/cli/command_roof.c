#include <stdio.h>
#include <string.h>

#include "ceilings_print.h"
#include "commands.h"
#include "exit_codes.h"
#include "machine.h"
#include "options_parse.h"
#include "roofs.h"

static Status print(const RunOptions *options, const Ceilings *ceilings) {
    if (ceilings->count == 0) {
        return status_skip("no ceiling could be measured");
    }
    if (options->format != NULL && strcmp(options->format, "json") == 0) {
        return ceilings_print_json(stdout, ceilings);
    }
    ceilings_print(stdout, ceilings);
    return status_ok();
}

int command_roof(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    Status status = options_parse(SCOPE_ROOF, given->argc - given->first,
                                  given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_roof_help(stdout);
        return EXIT_OK;
    }
    Machine machine;
    machine_read(&machine);
    Ceilings ceilings;
    roofs_read(&machine, options.fresh, options.quiet ? NULL : stderr, &ceilings);
    status = print(&options, &ceilings);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}
