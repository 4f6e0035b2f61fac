#include "hashsift_shares.h"

#include <math.h>

/* 0 in the first and the last row or column, which have no gradients. */
static double weight(int32_t pixel) {
    const double distance = pixel - PATCH_HALF;
    const bool inner = pixel >= 1 && pixel < PATCH_SIDE - 1;
    return inner ? exp((double)HASHSIFT_DISTANCE_SCALE * distance * distance) : 0;
}

/* Of the cell whose middle, in cells, is at `cell`. */
static float share(int32_t pixel, int32_t cell) {
    const double position = (double)(pixel - PATCH_HALF) / HASHSIFT_CELL_SIDE;
    const double distance = fabs(position + (HASHSIFT_CELLS - 1) * 0.5 - cell);
    return (float)(distance < 1 ? weight(pixel) * (1 - distance) : 0);
}

void hashsift_shares(HashsiftShares *shares) {
    for (int32_t j = 0; j < PATCH_SIDE; ++j) {
        const int32_t cell_below = (j + HASHSIFT_CELL_SIDE / 2) / HASHSIFT_CELL_SIDE;
        shares->above[j] = share(j, cell_below - 1);
        shares->below[j] = share(j, cell_below);
    }
    for (int32_t cell = 0; cell < HASHSIFT_CELLS; ++cell) {
        const int32_t first = cell * HASHSIFT_CELL_SIDE - HASHSIFT_CELL_SIDE / 2;
        for (int32_t k = 0; k < HASHSIFT_CELL_COLUMNS; ++k) {
            shares->columns[cell][k] = share(first + k, cell);
        }
    }
}
