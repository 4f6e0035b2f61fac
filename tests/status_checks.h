/* What a function returned: its code, and the reason that it gives. */
#ifndef TESTS_STATUS_CHECKS_H
#define TESTS_STATUS_CHECKS_H

#include <string.h>

#include "status.h"
#include "test.h"

/* The words are the reason, or a part of it. */
static inline void assert_status(Status status, StatusCode code, const char *words) {
    if (status.code != code || strstr(status.why, words) == NULL) {
        fail_msg("code %d instead of %d, or without '%s': %s", (int)status.code, (int)code, words,
                 status.why);
    }
}

/* The words are the whole reason. */
static inline void assert_status_is(Status status, StatusCode code, const char *words) {
    assert_int_equal(status.code, code);
    assert_string_equal(status.why, words);
}

#endif
