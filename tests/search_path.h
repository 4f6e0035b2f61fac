/* Where programs are found, while a test hides or replaces one. */
#ifndef TESTS_SEARCH_PATH_H
#define TESTS_SEARCH_PATH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs are found in `folder` alone, or there before anywhere else. Returns what PATH was, for
 * search_path_restore. */
static inline char *search_path_set(const char *folder, bool alone) {
    const char *path = getenv("PATH");
    char *before = strdup(path != NULL ? path : "");
    const size_t size = strlen(folder) + strlen(before) + 2;
    char *after = malloc(size);
    if (after == NULL) {
        abort();
    }
    snprintf(after, size, alone ? "%s" : "%s:%s", folder, before);
    setenv("PATH", after, 1);
    free(after);
    return before;
}

static inline void search_path_restore(char *before) {
    setenv("PATH", before, 1);
    free(before);
}

#endif
