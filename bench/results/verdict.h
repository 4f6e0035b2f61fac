/* The headline of a run: how much faster the GPU is. */

#ifndef BENCH_RESULTS_VERDICT_H
#define BENCH_RESULTS_VERDICT_H

#include <stddef.h>
#include <stdio.h>

#include "ink.h"
#include "status.h"

typedef struct Results Results; /* results.h */
typedef struct Row Row;         /* row.h */

enum {
    VERDICT_SENTENCES = 4,
    VERDICT_TEXT_SIZE = 800,
    VERDICT_ABOUT_SIZE = 400,
    VERDICT_FINDING_SIZE = 600,
    VERDICT_FAILED_SIZE = 256
};

/* With a full stop. A part of it, the ratio, has a colour on a terminal. */
typedef struct Sentence {
    char text[VERDICT_TEXT_SIZE];
    size_t from, to; /* bytes of that part */
    Ink ink;
} Sentence;

/*
 * What a run says about one algorithm and input over its sizes or, where there is one size, over
 * the axis of the answer with the most values. Compared are the fastest GPU cell and the fastest
 * CPU cell of each; ratios are those at the largest. Of several answers the last one is shown.
 *
 *   "Kernel only, the GPU (cuda_fast) is 36.7× faster (36.2 to 37.1) than the best CPU
 *   (omp/threads:16) at 16K; it is ahead at every size."
 *   "With copies, the GPU (…) is 1.72× slower (…) …"
 *   "At 16K cuda_fast reaches 84% of its roof (bound by dram), omp/threads:16 43% (dram)."
 *   "On 2 GPUs cuda_multi is 1.87× faster (1.85 to 1.89) than on one (93% of ideal), end to
 * end 1.02× (51%), at 16K."
 *
 * Without a GPU the first is "The best CPU (…) is 44.9× faster (…) than seq (1 thread) at 16K.",
 * and there is no second.
 */
typedef struct RunVerdict {
    char about[VERDICT_ABOUT_SIZE]; /* "lbp on meadow.jpg"; "" without a time */
    /* "lbp at 16K: the GPU is 36.7× faster than 16 CPU threads (kernel only); with copies 1.7×
     * slower"; "" without a time */
    char finding[VERDICT_FINDING_SIZE];
    char failed[VERDICT_FAILED_SIZE]; /* "omp FAILED in 3 of 4 cells", to stand behind it; "" */
    const Row *head;                  /* of the answer point that is shown; NULL without a time */
    Sentence sentences[VERDICT_SENTENCES];
    size_t count;
} RunVerdict;

/* About the algorithm and input of the row `of`. After results_derive. STATUS_FAIL without memory.
 */
Status verdict_of(const Results *results, const Row *of, RunVerdict *verdict);

/*
 * Sets `chosen`, one a row, for the rows whose claims decide most: of each algorithm and input, of
 * the answer that a summary shows, the fastest of both sides at the smallest and the largest size,
 * and at the two between which another side is ahead, by kernel time or with copies. Sizes that
 * take longest are left out until three launches take so many seconds. After results_derive.
 * STATUS_SKIP without memory.
 */
Status decisive_rows(const Results *results, double seconds, bool *chosen);

/* The answer of a run, the ratio first: "GPU 37.9× faster, lbp 16K", "omp 33.6× faster, lbp 1080p",
 * "simd 17× faster, omp FAILED, lbp 1080p and 2 more". After results_derive. STATUS_SKIP without
 * memory. */
enum { HEADLINE_SIZE = 384 };
Status results_headline(const Results *results, char text[HEADLINE_SIZE]);

/* In lines of at most so many columns. */
void sentence_print(FILE *stream, size_t columns, const Sentence *sentence);

#endif
