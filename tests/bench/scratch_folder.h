/* Folders for tests, and what is in them. */
#ifndef TESTS_BENCH_SCRATCH_FOLDER_H
#define TESTS_BENCH_SCRATCH_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

typedef struct ScratchFolder {
    char path[256];
} ScratchFolder;

static inline ScratchFolder scratch_make(void) {
    ScratchFolder folder;
    const char *root = getenv("TMPDIR");
    snprintf(folder.path, sizeof folder.path, "%.200s/bench-test-XXXXXX",
             root != NULL ? root : "/tmp");
    if (mkdtemp(folder.path) == NULL) {
        perror(folder.path);
        abort();
    }
    return folder;
}

static inline void scratch_path(const ScratchFolder *folder, const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", folder->path, name);
}

/* The text of a file, "" when there is none; released behind the test. */
static inline char *scratch_read(const ScratchFolder *folder, const char *name) {
    char path[512];
    scratch_path(folder, name, path);
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        const size_t length = fread(text, 1, (1 << 20) - 1, file);
        text[length] = '\0';
        fclose(file);
        text = realloc(text, length + 1);
    }
    return test_keep(text);
}

static inline void scratch_write(const ScratchFolder *folder, const char *name, const char *text) {
    char path[512];
    scratch_path(folder, name, path);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

/* The folder of the test that runs: made when it is first asked for, removed behind the test. One
 * that the fixture around all tests asked for is that of all. */
ScratchFolder *test_scratch(void);

#define test_folder (test_scratch()->path)

/* Valid until the eighth call after this. */
static inline const char *test_path(const char *name) {
    static char paths[8][512];
    static size_t calls;
    char *const path = paths[calls++ % 8];
    scratch_path(test_scratch(), name, path);
    return path;
}

static inline char *test_read(const char *name) {
    return scratch_read(test_scratch(), name);
}

static inline void test_write(const char *name, const char *text) {
    scratch_write(test_scratch(), name, text);
}

static inline int scratch_count(const char *path) {
    DIR *listing = opendir(path);
    int count = 0;
    while (listing != NULL && readdir(listing) != NULL) {
        count++;
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return count - 2; /* without . and .. */
}

static inline void scratch_remove_tree(const char *path) {
    DIR *listing = opendir(path);
    for (struct dirent *entry = NULL; listing != NULL && (entry = readdir(listing)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        char inner[1024];
        snprintf(inner, sizeof inner, "%.700s/%s", path, entry->d_name);
        struct stat information;
        if (lstat(inner, &information) == 0 && S_ISDIR(information.st_mode)) {
            scratch_remove_tree(inner);
        } else {
            unlink(inner);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    rmdir(path);
}

#endif
