/* Which axes there are and whose they are, read from the registry. */
#ifndef BENCH_AXIS_CATALOG_H
#define BENCH_AXIS_CATALOG_H

#include "options.h"

enum { AXIS_CATALOG_MAX = 64 };

typedef struct AxisCatalog {
    size_t count;
    const Axis *axes[AXIS_CATALOG_MAX]; /* one per name, in registry order */
} AxisCatalog;

/* Every axis of every registered algorithm and variant, each name once. */
AxisCatalog axis_catalog(void);

/* The axis of this name in the catalogue; NULL when there is none. */
const Axis *axis_catalog_find(const AxisCatalog *catalog, const char *name);

/* Whether it is an answer axis of any algorithm. */
bool axis_is_answer(const char *name);

/* Whether `options` selects this variant (of whatever algorithm). */
bool options_select_variant(const RunOptions *options, const Variant *variant);

/* Whether the axis belongs to a selected algorithm or to a selected variant of one. */
bool options_use_axis(const RunOptions *options, const char *name);

/* Writes who has the axis: "lbp (omp, cuda_tiled), copy (omp)"; an answer axis belongs to the whole
 * algorithm: "lacunarity". */
void axis_owners(const char *name, char *text, size_t size);

#endif
