#include "commands.h"
#include "exit_codes.h"

int command_report(const Invocation *given) {
    (void)given;
    return EXIT_OK;
}

void command_report_help(FILE *stream) {
    (void)stream;
}
