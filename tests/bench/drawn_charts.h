/* Drawing the charts of a results file in a scratch folder, and looking at what was drawn. */
#ifndef TESTS_DRAWN_CHARTS_H
#define TESTS_DRAWN_CHARTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "needs.h"
#include "results.h"
#include "scratch_folder.h"

/* Skips the test where gnuplot is not installed. */
static inline void draw(const char *csv, const char *folder) {
    const Status status = report_charts(csv, folder);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    if (status.code != STATUS_OK) {
        fail_msg("%s", status.why);
    }
}

static inline int make_folder(void **state) {
    static ScratchFolder folder;
    folder = scratch_make();
    *state = &folder;
    return 0;
}

static inline int remove_folder(void **state) {
    const ScratchFolder *folder = *state;
    scratch_remove_tree(folder->path);
    return 0;
}

/* The SVG of a chart, with its PNG checked; free it. */
static inline char *chart(const ScratchFolder *folder, const char *name) {
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/%s.png", folder->path, name);
    assert_int_equal(file_text_read(path, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
    assert_true(length > 1000);
    assert_memory_equal(text, "\x89PNG", 4);
    free(text);
    snprintf(path, sizeof path, "%s/%s.svg", folder->path, name);
    assert_int_equal(file_text_read(path, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
    assert_non_null(strstr(text, "</svg>"));
    return text;
}

static inline void expect_words(const ScratchFolder *folder, const char *name,
                                const char *const *words) {
    char *svg = chart(folder, name);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strstr(svg, words[i]) == NULL) {
            fail_msg("%s does not say \"%s\"", name, words[i]);
        }
    }
    free(svg);
}

#endif
