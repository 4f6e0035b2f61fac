/* What a request and a stored run both have: prices, a share of a plan, how launches follow each
 * other. */

#ifndef BENCH_RESULTS_RUN_PARTS_H
#define BENCH_RESULTS_RUN_PARTS_H

#include <stdbool.h>

#include "judge.h"
#include "status.h"

/* --- Prices ----------------------------------------------------------------------------------- */

/* Of an hour of the machine with the GPU, and of the one without, in any currency; 0: not given. */
typedef struct Prices {
    double gpu, cpu;
} Prices;

/* Reads "gpu=3.2,cpu=0.8". STATUS_USAGE with what would be right. */
Status prices_parse(const char *text, Prices *prices);
bool prices_given(const Prices *prices);

/* --- Shares and launches ---------------------------------------------------------------------- */

/* Share `index` of `count` of a plan, from 1; count 0: all of it. */
typedef struct Share {
    int index, count;
} Share;

enum { SHARES_MAX = 10000, SHARE_TEXT_SIZE = 24 };

/* "2/4"; of at most `most`. False if the text is none. */
bool share_parse(const char *text, int most, Share *share);
void share_text(const Share *share, char text[SHARE_TEXT_SIZE]);

/* The launches of a run with a budget: at least, those that are wanted, and at most. */
enum { BUDGET_LAUNCHES_MIN = 3, BUDGET_LAUNCHES = MEDIAN_INTERVAL_MIN, BUDGET_LAUNCHES_MAX = 12 };

/* Seconds from the beginning of one launch to the next. Closer together they see one moment of a
 * machine that others use: of launches 15 s apart 85% of the intervals contained the next run, of
 * these 95% (reports/coverage-study.md). */
#define LAUNCHES_APART 30

#endif
