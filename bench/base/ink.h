/* What a text on a terminal looks like, where it has colour. */

#ifndef BENCH_BASE_INK_H
#define BENCH_BASE_INK_H

typedef enum Ink { INK_PLAIN, INK_FASTER, INK_SLOWER, INK_STRONG, INK_FAINT } Ink;

#endif
