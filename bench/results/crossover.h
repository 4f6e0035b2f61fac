/* Crossover: the size from which on one curve of times is below another. */
#ifndef BENCH_CROSSOVER_H
#define BENCH_CROSSOVER_H

#include <stddef.h>

typedef struct CurvePoint {
    double x;         /* size: above 0 */
    double value;     /* time: above 0; NAN: not measured */
    double low, high; /* its 95% interval; NAN: none, then the value counts as exact */
} CurvePoint;

typedef enum CrossoverKind {
    CROSSOVER_AT,     /* behind at the smallest sizes, ahead from `x` on */
    CROSSOVER_ALWAYS, /* ahead at every size measured */
    CROSSOVER_NEVER,  /* ahead at none */
    CROSSOVER_UNTIL,  /* ahead at the smallest sizes, behind from `x` on */
    CROSSOVER_MIXED,  /* changes more than once; `x` is where it gets ahead for good, NAN when it
                         ends behind */
    CROSSOVER_UNKNOWN /* fewer than one size has both */
} CrossoverKind;

typedef struct Crossover {
    CrossoverKind kind;
    double x;         /* by interpolation on logarithmic axes; NAN where there is none */
    double low, high; /* where the challenger could first and last get ahead (CROSSOVER_UNTIL: fall
                         behind), given the intervals; NAN: beyond the sizes measured on that side,
                         or not at all */
    double from, to;  /* least and greatest size that both have */
    size_t points;    /* sizes that both have */
} Crossover;

/* `challenger` and `champion` are sorted by x, ascending; sizes only one has are passed over. Equal
 * times count as behind. */
Crossover crossover_find(const CurvePoint *challenger, size_t challenger_count,
                         const CurvePoint *champion, size_t champion_count);

/* One phrase, "from 1.2 Mpixel on (0.9 to 1.5)", "never in this range (173 kpixel to 133 Mpixel)";
 * sizes as `size_text` writes them, which gets 32 bytes. */
void crossover_words(const Crossover *crossover,
                     void (*size_text)(double x, char *text, size_t size), char *text, size_t size);

#endif
