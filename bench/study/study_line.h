/* A line of study.txt as words. */
#ifndef BENCH_STUDY_LINE_H
#define BENCH_STUDY_LINE_H

#include <stddef.h>

#include "status.h"

enum { STUDY_WORDS_MAX = 256 };

typedef struct StudyLineWords {
    const char *path; /* for messages */
    int line;
    size_t count;
    const char *words[STUDY_WORDS_MAX]; /* within the line that was given */
} StudyLineWords;

/* Takes a line, without its end, apart in place: words between blanks, double quotes around or in
 * a word that has blanks, `\"` and `\\` within them, a comment from '#' on. No words where there is
 * nothing else. STATUS_FILE naming line and word for a quote that does not end, and too many words.
 */
Status study_line_split(char *text, StudyLineWords *words);

#endif
