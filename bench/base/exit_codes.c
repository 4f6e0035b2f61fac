/* Exit codes and what they mean. */

#include "base_internal.h"

#include <stddef.h>

const ExitCodeRow exit_code_rows[] = {
    {EXIT_OK, "everything that could be measured was measured and was right"},
    {EXIT_REGRESSION, "a comparison of two runs found a regression"},
    {EXIT_USAGE, "the command line asks for something that does not exist"},
    {EXIT_NO_MATCH, "the command line is well formed and selects nothing"},
    {EXIT_WRONG, "a variant failed or gave a wrong answer"},
    {EXIT_FILE, "an input could not be read or an output could not be written"},
    {EXIT_NO_SAMPLE, "nothing could be measured: every cell was skipped"},
    {EXIT_AMBIGUOUS, "a comparison was ambiguous (only where that is asked to count)"},
    {EXIT_INTERRUPTED, "interrupted; what was measured is saved"},
};

const size_t exit_code_row_count = sizeof exit_code_rows / sizeof exit_code_rows[0];

int exit_code_of(StatusCode code) {
    switch (code) {
    case STATUS_OK: return EXIT_OK;
    case STATUS_USAGE: return EXIT_USAGE;
    case STATUS_NO_MATCH: return EXIT_NO_MATCH;
    case STATUS_FILE: return EXIT_FILE;
    case STATUS_INTERRUPTED: return EXIT_INTERRUPTED;
    case STATUS_SKIP:
    case STATUS_DEVICE_LOST: return EXIT_NO_SAMPLE;
    case STATUS_FAIL: break;
    }
    return EXIT_WRONG;
}
