/* The main function of every program of tests:
 *
 *     PROGRAM [FILE] [TEST]
 *
 * FILE is the test file without .c, where the program has several; without it they are listed. With
 * TEST only that one runs. */
#include "test.h"

#include <signal.h>

#include "bench/scratch_folder.h"

enum { SET_UP, TEAR_DOWN };

static TestFile *files;
static const TestFile *running;
static void *state_of_all; /* what the fixture around all tests has left */
static bool all_torn_down; /* cmocka does not count a failure there */

void *test_state;

static ScratchFolder scratch; /* without a path until a test asks for it */
static bool scratch_of_all;

ScratchFolder *test_scratch(void) {
    if (scratch.path[0] == '\0') {
        scratch = scratch_make();
    }
    return &scratch;
}

/* The texts of the test, and how many of them are of the fixture around all. */
static char **kept;
static size_t kept_count, kept_of_all;

char *test_keep(char *text) {
    kept = realloc(kept, (kept_count + 1) * sizeof *kept);
    if (kept == NULL) {
        abort();
    }
    kept[kept_count++] = text;
    return text;
}

static char *streamed;
static size_t streamed_size;
static FILE *stream_open; /* NULL when none is */

FILE *test_stream(void) {
    assert_null(stream_open);
    stream_open = open_memstream(&streamed, &streamed_size);
    assert_non_null(stream_open);
    return stream_open;
}

char *test_text(FILE *stream) {
    assert_ptr_equal(stream, stream_open);
    stream_open = NULL;
    assert_int_equal(fclose(stream), 0);
    return test_keep(streamed);
}

/* A test that failed has left it open. */
static void close_stream(void) {
    if (stream_open != NULL) {
        (void)test_text(stream_open);
    }
}

static void release_kept(size_t left) {
    while (kept_count > left) {
        free(kept[--kept_count]);
    }
    if (left == 0) {
        free(kept);
        kept = NULL;
    }
}

static void remove_scratch(void) {
    if (scratch.path[0] != '\0') {
        scratch_remove_tree(scratch.path);
        scratch.path[0] = '\0';
    }
}

size_t count_of(const char *text, const char *words) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) {
        count++;
    }
    return count;
}

/* In the order of the source; two of one macro by their names. */
static bool comes_before(const TestCase *a, const TestCase *b) {
    return a->line != b->line ? a->line < b->line : strcmp(a->name, b->name) < 0;
}

void test_register(TestFile *file, TestCase *test) {
    if (file->tests == NULL) {
        const char *slash = strrchr(file->path, '/');
        const char *name = slash != NULL ? slash + 1 : file->path;
        snprintf(file->name, sizeof file->name, "%.*s", (int)strcspn(name, "."), name);
        TestFile **end = &files;
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = file;
    }
    TestCase **place = &file->tests;
    while (*place != NULL && comes_before(*place, test)) {
        place = &(*place)->next;
    }
    test->next = *place;
    *place = test;
    file->count++;
}

/* Of a fixture that may be NULL, the set-up or tear-down that may be NULL. */
static void call(const TestFunction *fixture, int which) {
    if (fixture != NULL && fixture[which] != NULL) {
        fixture[which]();
    }
}

static int set_up_all(void **unused) {
    (void)unused;
    call(running->all, SET_UP);
    state_of_all = test_state;
    scratch_of_all = scratch.path[0] != '\0';
    kept_of_all = kept_count;
    return 0;
}

static int tear_down_all(void **unused) {
    (void)unused;
    test_state = state_of_all;
    call(running->all, TEAR_DOWN);
    remove_scratch();
    release_kept(0);
    all_torn_down = true;
    return 0;
}

static const TestFunction *fixture_of(const TestCase *test) {
    return test->own ? test->fixture : running->each;
}

static int set_up(void **test) {
    test_state = state_of_all;
    call(fixture_of(*test), SET_UP);
    return 0;
}

static int tear_down(void **test) {
    call(fixture_of(*test), TEAR_DOWN);
    if (!scratch_of_all) {
        remove_scratch();
    }
    close_stream();
    release_kept(kept_of_all);
    return 0;
}

static void run(void **test) {
    ((const TestCase *)*test)->run();
}

/* Runs the tests of `running`, or only the one named, and returns how many failed. They raise
 * signals that whoever started them may ignore, as a script's background does. */
static int run_file(const char *only) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    struct CMUnitTest *tests = calloc(running->count, sizeof *tests);
    size_t count = 0;
    for (TestCase *test = running->tests; test != NULL; test = test->next) {
        if (only != NULL ? strcmp(only, test->name) != 0 : test->alone) {
            continue;
        }
        tests[count++] = (struct CMUnitTest){test->name, run, set_up, tear_down, test};
    }
    int failed = 0;
    if (count == 0) {
        fprintf(stderr, "%s has no test %s\n", running->name, only != NULL ? only : "to run");
    } else {
        failed = _cmocka_run_group_tests(running->name, tests, count, set_up_all, tear_down_all);
    }
    free(tests);
    return failed == 0 && !all_torn_down ? 2 : failed;
}

static const TestFile *find_file(const char *wanted) {
    for (const TestFile *file = files; file != NULL; file = file->next) {
        if (wanted == NULL) {
            printf("%s\n", file->name);
        } else if (strcmp(wanted, file->name) == 0) {
            return file;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    running = files;
    if (files == NULL || files->next != NULL) {
        running = find_file(argc > 1 ? argv[1] : NULL);
        if (running == NULL) {
            return 2;
        }
        argc--;
        argv++;
    }
    if (running->arguments != NULL) {
        const int code = running->arguments(argc, argv);
        return code != RUN_TESTS ? code : run_file(NULL);
    }
    return run_file(argc > 1 ? argv[1] : NULL);
}
