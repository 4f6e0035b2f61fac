/* Shares of a plan. */

#ifndef BENCH_RESULTS_SHARE_H
#define BENCH_RESULTS_SHARE_H

#include <stdbool.h>

/* Share `index` of `count` of a plan, from 1; count 0: all of it. */
typedef struct Share {
    int index, count;
} Share;

enum { SHARES_MAX = 10000, SHARE_TEXT_SIZE = 24 };

/* "2/4"; of at most `most`. False if the text is none. */
bool share_parse(const char *text, int most, Share *share);
void share_text(const Share *share, char text[SHARE_TEXT_SIZE]);

#endif
