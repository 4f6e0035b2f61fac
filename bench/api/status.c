#include "status.h"

#include <stdarg.h>
#include <stdio.h>

#include "utf8.h"

static Status format_status(StatusCode code, const char *format, va_list arguments) {
    Status status = {.code = code};
    vsnprintf(status.why, sizeof status.why, format, arguments);
    utf8_trim(status.why, sizeof status.why);
    return status;
}

Status status_ok(void) {
    const Status status = {.code = STATUS_OK};
    return status;
}

Status status_make(StatusCode code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(code, format, arguments);
    va_end(arguments);
    return status;
}

Status status_skip(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(STATUS_SKIP, format, arguments);
    va_end(arguments);
    return status;
}

Status status_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(STATUS_FAIL, format, arguments);
    va_end(arguments);
    return status;
}
