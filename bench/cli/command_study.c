#include "commands.h"
#include "exit_codes.h"

int command_study(const Invocation *given) {
    (void)given;
    return EXIT_OK;
}

void command_study_help(FILE *stream) {
    (void)stream;
}
