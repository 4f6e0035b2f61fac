/* How long texts are that headers name: those that fill them are declared elsewhere. */

#ifndef BENCH_BASE_TEXT_SIZES_H
#define BENCH_BASE_TEXT_SIZES_H

enum {
    SIGNIFICANT_SIZE = 48,        /* a number for people: number.h */
    NUMBER_WORDS_SIZE = 128,      /* the same with words */
    CHART_NAME_SIZE = 200,        /* a file's name: gnuplot.h */
    ATOMIC_FILE_PATH_SIZE = 4096, /* a file's path: files.h */
};

#endif
