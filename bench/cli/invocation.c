#include "invocation.h"

#include <stdio.h>

#include "exit_codes.h"
#include "visible.h"

int command_error(const Status *status) {
    visible_line(stderr, "bench: %s", status->why);
    return exit_code_of(status->code);
}
