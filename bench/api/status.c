#include "status.h"

#include <stdarg.h>
#include <stdio.h>

#include "utf8.h"

Status status_ok(void) {
    return (Status){.code = STATUS_OK};
}

Status status_make(StatusCode code, const char *format, ...) {
    Status status = {.code = code};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.why, sizeof status.why, format, arguments);
    va_end(arguments);
    utf8_trim(status.why, sizeof status.why);
    return status;
}
