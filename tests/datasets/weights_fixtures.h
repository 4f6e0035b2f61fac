/* What the tests of weights share: texts of many lines, and comparing tables. */
#ifndef TESTS_DATASETS_WEIGHTS_FIXTURES_H
#define TESTS_DATASETS_WEIGHTS_FIXTURES_H

#include "fixtures.h"
#include "fnv.h"
#include "test.h"
#include "weights_files.h"
#include "weights_kinds.h"

enum { FEW = 256, MANY = 512, TEXT_ROOM = 1 << 20, RAW_FEW = FEW * WEIGHTS_HASHSIFT_COLUMNS * 4 };

#define BAD_HEADER "bench weights 1\nkind,bad\nbits,256\ncolumns,6\n"
#define BOXES "1,2,30,29,1,0.5\n"

static inline Status decode(const char *text, Weights *weights) {
    return weights_decode("some.csv", test_kinds, text, strlen(text), weights);
}

/* A text of `before`, then a line so many times, then `after`. The caller frees it. */
static inline char *repeated(const char *before, const char *line, size_t times,
                             const char *after) {
    char *text = malloc(TEXT_ROOM);
    assert_non_null(text);
    assert_true(strlen(before) + times * strlen(line) + strlen(after) < TEXT_ROOM);
    size_t size = (size_t)snprintf(text, TEXT_ROOM, "%s", before);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + size, line, strlen(line) + 1);
        size += strlen(line);
    }
    strcpy(text + size, after);
    return text;
}

static inline void assert_same(const Weights *got, const Weights *want) {
    assert_string_equal(got->kind, want->kind);
    assert_int_equal(got->bits, want->bits);
    assert_int_equal(got->columns, want->columns);
    assert_true(got->hash == want->hash);
    assert_memory_equal(got->values, want->values,
                        (size_t)want->bits * (size_t)want->columns * sizeof *want->values);
}

#endif
