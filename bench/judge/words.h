/* Words for what the judge finds. */

#ifndef BENCH_JUDGE_WORDS_H
#define BENCH_JUDGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "ink.h"
#include "ratio.h"
#include "text_sizes.h"

typedef struct Crossover Crossover;         /* crossover.h */
typedef struct RunDifference RunDifference; /* two_runs.h */
typedef struct Series Series;               /* crossover.h */

/*
 * The one table of words for what the judge finds. A ratio is always that of speeds:
 *
 *   faster, slower   36.7× faster (36.2 to 37.1)   1.46× slower (range 1.41 to 1.56)
 *   same             as fast (within 5%)
 *   undecided        undecided (0.92 to 1.09)
 *
 * "range": of the launches, which are too few for an interval. An interval of one launch ends with
 * "in this run": (36.2 to 37.1 in this run). That of launches which followed each other, of which
 * the machine remembers no earlier runs, ends with their time: (36.2 to 37.1 in these 60 s).
 */

/* What is compared, by the words for it. */
typedef enum Compared { COMPARED_SPEED, COMPARED_COST, COMPARED_ENERGY, COMPARED_LEAD } Compared;

enum { RATIO_WORDS_SIZE = 64 };

/* "as fast", "faster", "slower", "undecided"; of costs "cheaper" and so on, of who leads "ahead".
 */
const char *side_word(SpeedSide side, Compared compared);

/* "36.7× faster", "1.70× slower", "as fast", "undecided" of a side that was decided already; "" for
 * a ratio that is not known. */
void side_words(SpeedSide side, const Ratio *ratio, Compared compared, char text[RATIO_WORDS_SIZE]);

/* Both in one: "36.7× faster (36.2 to 37.1)", "as fast (within 5%)". Returns the bytes of the words
 * before the brackets, as DocCell.first has them; 0 without brackets. */
size_t side_text(SpeedSide side, const Ratio *ratio, Compared compared,
                 char text[NUMBER_WORDS_SIZE]);

/* These three of a ratio within a run, by its own side. */
void factor_words(const Ratio *ratio, char text[RATIO_WORDS_SIZE]);
void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);
size_t faster_text(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]); /* as side_text */

/* Where there is no room for every interval: "36.7× faster", but "undecided (0.92 to 1.09)". */
void side_brief(SpeedSide side, const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);
void brief_words(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);

/* "than", "as" or "against", as the words of the side, or of the ratio, have it. */
const char *side_joint(SpeedSide side);
const char *ratio_joint(const Ratio *ratio);

/* In a colour only where the interval is on one side. */
Ink factor_ink(const Ratio *ratio);

/* A change in percent with two significant digits: "3.1%", "130%". */
void change_text(double change, char text[SIGNIFICANT_SIZE]);

/* How many times as fast the new one is. */
Ratio difference_speeds(const RunDifference *difference);

/* How the new times of a cell differ, as side_text: "1.10× slower (1.05 to 1.16)", "undecided
 * (0.305 to 0.311; too few launches)". */
size_t difference_words(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]);
/* "1.10× slower"; undecided in full. */
void difference_brief(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]);

/* Where a challenger is ahead: "at every size", "at no size", "at 4 of 5 sizes", "from 4K on", "up
 * to 720p", "back and forth, for good from 4K on", and the places without a side: "; as fast at
 * 720p; undecided at 8K". Where no place has a side these alone, or "undecided at every size". With
 * `range` "at every size (360p to 16K)"; of one place "at the one size measured". Returns the bytes
 * before these brackets, as DocCell.first has them; 0 without. */
size_t crossover_words(const Series *series, char *text, size_t size);

/* What stands there before the place of the last change: "from", "up to", "for good from", "last
 * at". */
const char *crossover_way(const Crossover *crossover);

#endif
