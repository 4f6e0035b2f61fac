/* Exit codes. */

#ifndef BENCH_BASE_EXIT_CODE_H
#define BENCH_BASE_EXIT_CODE_H

#include <stddef.h>

#include "interrupt.h"
#include "status.h"

typedef enum ExitCode {
    EXIT_OK = 0,
    EXIT_REGRESSION = 1,
    EXIT_USAGE = 2,
    EXIT_NO_MATCH = 3,
    EXIT_WRONG = 4,
    EXIT_FILE = 5,
    EXIT_NO_SAMPLE = 6,
    EXIT_AMBIGUOUS = 7,
    EXIT_INTERRUPTED = INTERRUPT_EXIT_CODE
} ExitCode;

typedef struct ExitCodeRow {
    ExitCode code;
    const char *meaning;
} ExitCodeRow;

extern const ExitCodeRow exit_code_rows[];
extern const size_t exit_code_row_count;

/* The exit code that a status stands for when nothing else is known. */
int exit_code_of(StatusCode code);

#endif
