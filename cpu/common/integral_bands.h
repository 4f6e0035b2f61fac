/*
 * Summed-area tables by a team of threads: what simd and omp of integral and of bad are made of.
 *
 * The image is cut into sheets, a sheet into a band of rows for each thread. A band needs the table
 * row above it: the sums of its columns over all rows above, added up along the row. So for each
 * sheet
 *
 *   (1) each thread adds up the columns of its band;
 *   (2) each thread takes a share of the columns and replaces the sums of each band by those of all
 *       rows above the band;
 *   (3) each thread adds these up along the row, and fills its band.
 *
 * The rows of a band stay in the thread's own cache from (1) to (3), so that memory sees every
 * pixel and every entry once. A sheet costs what (2) moves between the caches, an entry of a row
 * for each thread, and two barriers. One thread alone fills the whole table as one band.
 */
#ifndef CPU_COMMON_INTEGRAL_BANDS_H
#define CPU_COMMON_INTEGRAL_BANDS_H

#include "cpu_memory.h"
#include "integral_rows.h"

/* (width + 1) × (height + 1) entries: entry (x, y), at y · pitch + x, is the sum of the pixels left
 * of column x and above row y, modulo 2^bits. The caller owns image and entries. */
typedef struct IntegralTable {
    const Image *image;
    void *entries;
    size_t pitch; /* entries from one row to the next, more than the width */
    int bits;     /* of an entry: 32 or 64 */
} IntegralTable;

typedef struct IntegralTeam {
    IntegralTable table;
    const IntegralWork *work;
    bool stream; /* stores bypass the cache */
    int threads;
    int32_t rows;       /* of a band */
    void *columns;      /* sums of the columns of the sheets so far */
    ThreadMemory bands; /* of each band: its columns, then the table row above */
} IntegralTeam;

/* STATUS_SKIP when there is no memory; what was taken is freed by close. */
Status integral_team_open(const IntegralTable *table, int threads, IntegralTeam *team);

/* Writes all entries of the table, and nothing between its rows. */
void integral_team_run(const IntegralTeam *team);

void integral_team_close(IntegralTeam *team); /* one of zeros is ignored */

#endif
