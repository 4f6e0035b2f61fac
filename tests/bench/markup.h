/* What is and what is not in a text. */
#ifndef TESTS_BENCH_MARKUP_H
#define TESTS_BENCH_MARKUP_H

#include "test.h"

#define assert_has(text, part)                                                                     \
    do {                                                                                           \
        if (strstr(text, part) == NULL) {                                                          \
            fail_msg("no '%s' in:\n%s", part, text);                                               \
        }                                                                                          \
    } while (0)

#define assert_lacks(text, part)                                                                   \
    do {                                                                                           \
        if (strstr(text, part) != NULL) {                                                          \
            fail_msg("'%s' in:\n%s", part, text);                                                  \
        }                                                                                          \
    } while (0)

#endif
