#include "status.h"

#include <stdarg.h>
#include <stdio.h>

#include "utf8.h"

static Status format_status(StatusCode code, const char *before, const char *format,
                            va_list arguments) {
    Status status = {.code = code};
    const int used = snprintf(status.why, sizeof status.why, "%s", before);
    vsnprintf(status.why + used, sizeof status.why - (size_t)used, format, arguments);
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
    const Status status = format_status(code, "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_skip(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(STATUS_SKIP, "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(STATUS_FAIL, "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_no_memory(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Status status = format_status(STATUS_SKIP, "no memory left ", format, arguments);
    va_end(arguments);
    return status;
}
