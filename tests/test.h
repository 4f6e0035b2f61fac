/* What every test in C includes: cmocka, the headers of C that most need, and the macros below. A
 * test registers itself, so that a file of tests is nothing but its tests:
 *
 *     TEST(prices_are_of_both_sides) {
 *         assert_true(…);
 *     }
 *
 * test.c has the main function. A file's tests run in the order of the source. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* cmocka's compares floats, to which NAN is any number. */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon)                                                          \
    do {                                                                                           \
        const double is_ = (a), wanted_ = (b);                                                     \
        if (!(fabs(is_ - wanted_) <= (epsilon))) {                                                 \
            fail_msg("%.17g is not %.17g", is_, wanted_);                                          \
        }                                                                                          \
    } while (0)

/* They differ by that part of the wanted one at most. */
#define assert_near(got, wanted, part)                                                             \
    do {                                                                                           \
        const double got_ = (got), near_ = (wanted);                                               \
        assert_float_equal(got_, near_, (part)*fabs(near_));                                       \
    } while (0)

/* A Status: it went well, or why not. */
#define assert_ok(...)                                                                             \
    do {                                                                                           \
        const Status status_ = (__VA_ARGS__);                                                      \
        if (status_.code != STATUS_OK) {                                                           \
            fail_msg("%s", status_.why);                                                           \
        }                                                                                          \
    } while (0)

/* A text has the words in it. */
#define assert_says(text, words)                                                                   \
    do {                                                                                           \
        const char *const text_ = (text), *const words_ = (words);                                 \
        if (strstr(text_, words_) == NULL) {                                                       \
            fail_msg("'%s' is not in: %s", words_, text_);                                         \
        }                                                                                          \
    } while (0)

typedef void (*TestFunction)(void);

typedef struct TestCase {
    const char *name;
    int line;
    TestFunction run;
    bool own;                /* `fixture` counts, not that of EACH_TEST */
    TestFunction fixture[2]; /* before it and behind it, each or NULL */
    bool alone;              /* it runs only where it is named */
    struct TestCase *next;
} TestCase;

/* The tests of one source file. */
typedef struct TestFile {
    const char *path;
    char name[64];                  /* without folder and suffix */
    const TestFunction *all, *each; /* fixtures, or NULL */
    int (*arguments)(int argc, char **argv);
    TestCase *tests;
    size_t count;
    struct TestFile *next;
} TestFile;

/* Adds a test to its file, and the file to the program. */
void test_register(TestFile *file, TestCase *test);

static TestFile test_file __attribute__((unused)) = {.path = __BASE_FILE__};

/* The text, which is released with free behind the test. */
char *test_keep(char *text);

/* A stream into memory, one at a time, and the text in it, which is closed with it and kept. */
FILE *test_stream(void);
char *test_text(FILE *stream);

/* How often the words are in the text. */
size_t count_of(const char *text, const char *words);

/* Before a variable: the function gets its address at the end of the block. */
#define RELEASED_BY(function) __attribute__((cleanup(function)))

/* What a fixture leaves for its tests; NULL before it. */
extern void *test_state;

#define TEST_CONSTRUCTOR(name) __attribute__((constructor)) static void name(void)

#define TEST_REGISTER(id, ...)                                                                     \
    TEST_CONSTRUCTOR(register_##id) {                                                              \
        static TestCase test = {.line = __LINE__, __VA_ARGS__};                                    \
        test_register(&test_file, &test);                                                          \
    }

/* TEST(name), or TEST(name, set_up, tear_down), which has its own fixture: TEST(name, NULL) has
 * none in a file with EACH_TEST. */
#define TEST(function, ...)                                                                        \
    static void function(void);                                                                    \
    TEST_REGISTER(function, .name = #function, .run = function,                                    \
                  .own = sizeof((TestFunction[]){__VA_ARGS__}) > 0, .fixture = {__VA_ARGS__})      \
    static void function(void)

/* A test that needs a process of its own: it runs only where it is named (PROGRAM name). */
#define TEST_ALONE(function)                                                                       \
    static void function(void);                                                                    \
    TEST_REGISTER(function, .name = #function, .run = function, .alone = true)                     \
    static void function(void)

/* EACH_TEST(set_up, tear_down): around each test of this file. ALL_TESTS: once, around all. */
#define EACH_TEST(...) TEST_FIXTURE(each, __VA_ARGS__)
#define ALL_TESTS(...) TEST_FIXTURE(all, __VA_ARGS__)
#define TEST_FIXTURE(member, ...)                                                                  \
    static const TestFunction member##_fixture[2] = {__VA_ARGS__};                                 \
    TEST_SETTING(member, member##_fixture)

/* ARGUMENTS(argc, argv) { … } is called before the tests with the program's name and the arguments
 * that are the file's. What it returns is the exit code; after RUN_TESTS the tests run. */
#define RUN_TESTS (-1)
#define ARGUMENTS(argc, argv)                                                                      \
    static int test_arguments(int argc, char **argv);                                              \
    TEST_SETTING(arguments, test_arguments);                                                       \
    static int test_arguments(int argc, char **argv)

/* The step of a loop over random or swept cases. A sanitizer sees each line in a tenth of them;
 * whether all answers are right is tested without one. */
#ifdef __SANITIZE_ADDRESS__
#define SWEEP_STEP 10
#else
#define SWEEP_STEP 1
#endif

#define TEST_SETTING(member, ...)                                                                  \
    TEST_CONSTRUCTOR(set_##member) {                                                               \
        test_file.member = __VA_ARGS__;                                                            \
    }                                                                                              \
    TEST_CONSTRUCTOR(set_##member)

#endif
