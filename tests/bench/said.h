/* What a child process of a test said. */
#ifndef TESTS_BENCH_SAID_H
#define TESTS_BENCH_SAID_H

#include "test.h"

typedef struct Said {
    char text[2048];
    size_t used;
} Said;

/* For ChildProcess.take, with a Said as its context. */
static inline void said_take(void *context, const char *bytes, size_t count) {
    Said *said = context;
    assert_true(said->used + count < sizeof said->text);
    memcpy(said->text + said->used, bytes, count);
    said->used += count;
    said->text[said->used] = '\0';
}

#endif
