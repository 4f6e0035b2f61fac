/* From where on a challenger is ahead. */

#ifndef BENCH_JUDGE_CROSSOVER_H
#define BENCH_JUDGE_CROSSOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "ratio.h"
#include "text_sizes.h"

/* The sides along a sorted series (sizes, keypoints, boxes, images, GPUs), and nothing else. */

/* Of those places that have a side. */
typedef enum CrossoverKind {
    CROSSOVER_FROM,   /* slower at the first, faster from some place on */
    CROSSOVER_ALWAYS, /* faster at every one */
    CROSSOVER_NEVER,  /* slower at every one */
    CROSSOVER_UP_TO,  /* faster at the first, slower from some place on */
    CROSSOVER_MIXED,  /* changes more than once */
    CROSSOVER_UNKNOWN /* no place has a side */
} CrossoverKind;

/* Starts zeroed. Places count from 0. */
typedef struct Crossover {
    size_t places, sides; /* all, and those with a side: faster or slower */
    size_t first, last;   /* the outermost of these */
    size_t changes;
    size_t before, after; /* around the last change; between them no place has a side */
    SpeedSide side;       /* at `last` */
} Crossover;

Crossover crossover_of(const SpeedSide *sides, size_t count);
CrossoverKind crossover_kind(const Crossover *crossover);

/* Writes the name of a place of a series: "4K". */
typedef void PlaceName(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]);

/* The sides of a challenger at places that both have a time of, ascending. */
typedef struct Series {
    const SpeedSide *sides;
    size_t count;
    PlaceName *name;
    const void *places;       /* that `name` gets */
    const char *noun, *nouns; /* what a place is, and several are: "size", "sizes" */
    bool range;               /* its words name the outermost places */
} Series;

#endif
