/*
 * hashsift_shares: how much of a gradient goes to which cells, by its row and by its column. The
 * Gaussian weight of a pixel is a product of one of its row and one of its column, and so are the
 * shares of cells: what depends on the place is the same for all keypoints.
 */
#ifndef CPU_HASHSIFT_SHARES_H
#define CPU_HASHSIFT_SHARES_H

#include "hashsift.h"
#include "patch_map.h"

/* Columns that a cell has votes of, from 8·cell − 4 on; those outside the patch have share 0. */
enum { HASHSIFT_CELL_COLUMNS = 2 * HASHSIFT_CELL_SIDE };

typedef struct HashsiftShares {
    /* Of the two cells that a row votes for, the one above and the one below, in which it may not
     * be. */
    float above[PATCH_SIDE], below[PATCH_SIDE];
    float columns[HASHSIFT_CELLS][HASHSIFT_CELL_COLUMNS];
} HashsiftShares;

void hashsift_shares(HashsiftShares *shares);

#endif
