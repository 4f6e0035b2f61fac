/* What the tests of datasets/ share: a temporary folder, files in it, and status assertions. */
#ifndef TESTS_DATASETS_FIXTURES_H
#define TESTS_DATASETS_FIXTURES_H

#include <unistd.h>

#include "datasets.h"
#include "test.h"

enum { FIXTURE_PATH_SIZE = 1024 };

typedef struct Fixture {
    char folder[256];
    char path[FIXTURE_PATH_SIZE];
} Fixture;

static inline void fixture_setup(void) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    const char *base = getenv("TMPDIR");
    snprintf(fixture->folder, sizeof fixture->folder, "%s/bench-test-XXXXXX",
             base == NULL ? "/tmp" : base);
    test_state = fixture;
    assert_non_null(mkdtemp(fixture->folder));
}

static inline void fixture_teardown(void) {
    Fixture *fixture = test_state;
    char command[FIXTURE_PATH_SIZE];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->folder);
    const int result = system(command);
    free(fixture);
    assert_int_equal(result, 0);
}

/* The path of a name in the temporary folder; valid until the next call. */
static inline const char *fixture_path(Fixture *fixture, const char *name) {
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixture->folder, name);
    return fixture->path;
}

static inline void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Contents of tests/data/images/<name>; the caller frees them. */
static inline uint8_t *committed_file(const char *name, size_t *size) {
    char path[FIXTURE_PATH_SIZE];
    snprintf(path, sizeof path, "%s/images/%s", TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 16);
    *size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

/* The status has this code and its sentence, of one line, contains both words. */
static inline void assert_refused(Status status, StatusCode code, const char *word,
                                  const char *other) {
    assert_int_equal(status.code, code);
    assert_null(strchr(status.why, '\n'));
    if (strstr(status.why, word) == NULL || strstr(status.why, other) == NULL) {
        fail_msg("\"%s\" lacks \"%s\" or \"%s\"", status.why, word, other);
    }
}

static char notes_said[2048];

static inline void keep_note(const char *line) {
    snprintf(notes_said + strlen(notes_said), sizeof notes_said - strlen(notes_said), "%s\n", line);
}

/* What is said from here on is kept in notes_said, until notes_end. */
static inline void notes_begin(void) {
    notes_said[0] = '\0';
    image_read_notes(keep_note);
}

static inline void notes_end(void) {
    image_read_notes(NULL);
}

/* What is said while an image that is odd and readable is read twice. */
static inline void assert_warned(const char *name, const uint8_t *bytes, size_t size, Image *image,
                                 const char *want) {
    notes_begin();
    assert_ok(image_decode(name, bytes, size, image));
    image_free(image);
    assert_ok(image_decode(name, bytes, size, image));
    notes_end();
    assert_string_equal(notes_said, want);
}

static inline void assert_pixels(const Image *image, int32_t width, int32_t height,
                                 const uint8_t *want) {
    assert_int_equal(image->width, width);
    assert_int_equal(image->height, height);
    for (int32_t y = 0; y < height; y++) {
        assert_memory_equal(image_row(image, y), want + (size_t)y * (size_t)width, (size_t)width);
    }
}

#endif
