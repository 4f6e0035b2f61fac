/* Finding rows: by their cell, and those of one workload. */

#include "results.h"
#include "results_internal.h"

#include <string.h>

#include "fnv.h"

/* === A cell =================================================================================== */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return fnv_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_shape(uint64_t hash, const Row *row) {
    const int32_t shape[] = {row->width, row->height, row->images, row->cold};
    return fnv_bytes(hash, shape, sizeof shape);
}

/* Equal for rows that row_same_cell takes for one cell. */
static uint64_t cell_hash(const Row *row) {
    char name[CELL_NAME_SIZE];
    if (row->algorithm == NULL) { /* moved out of its results */
        return 0;
    }
    row_name(row, name, sizeof name);
    return hash_shape(hash_text(FNV_START, name), row);
}

static Row *first_from(Results *results, size_t from, const Row *wanted) {
    for (size_t i = from; i < results->count; i++) {
        if (row_same_cell(&results->rows[i], wanted)) {
            return &results->rows[i];
        }
    }
    return NULL;
}

Row *results_find(Results *results, const Row *wanted) {
    HashIndex *cells = &results->cells;
    Status status = status_ok();
    while (cells->count < results->count && status_is_ok(&status)) {
        status = hash_index_add(cells, cell_hash(&results->rows[cells->count]));
    }
    for (size_t i = hash_index_first(cells, cell_hash(wanted)); i != HASH_INDEX_END;
         i = hash_index_next(cells, i)) {
        if (row_same_cell(&results->rows[i], wanted)) {
            return &results->rows[i];
        }
    }
    return first_from(results, cells->count, wanted); /* what memory did not suffice for */
}

/* === A workload =============================================================================== */

bool row_same_workload(const Row *a, const Row *b) {
    return strcmp(a->input, b->input) == 0 && strcmp(a->size_name, b->size_name) == 0 &&
           a->width == b->width && a->height == b->height && a->images == b->images &&
           a->cold == b->cold;
}

static uint64_t workload_hash(const Row *row) {
    return hash_shape(hash_text(hash_text(FNV_START, row->input), row->size_name), row);
}

void results_index_workloads(Results *results) {
    HashIndex *workloads = &results->workloads;
    Status status = status_ok();
    hash_index_release(workloads);
    for (size_t i = 0; i < results->count && status_is_ok(&status); i++) {
        status = hash_index_add(workloads, workload_hash(&results->rows[i]));
    }
}

static bool is_indexed(const Results *results) {
    return results->workloads.count == results->count;
}

/* The first row from `place` on, in the order of the index, that is measured and of the workload.
 */
static const Row *seek(const Results *results, size_t place, const Row *row) {
    const bool indexed = is_indexed(results);
    while (place < results->count) {
        const Row *other = &results->rows[place];
        if (row_is_measured(other) && row_same_workload(other, row)) {
            return other;
        }
        place = indexed ? hash_index_next(&results->workloads, place) : place + 1;
    }
    return NULL;
}

const Row *workload_first(const Results *results, const Row *row) {
    return seek(results,
                is_indexed(results) ? hash_index_first(&results->workloads, workload_hash(row)) : 0,
                row);
}

const Row *workload_next(const Results *results, const Row *before) {
    const size_t place = (size_t)(before - results->rows);
    return seek(results,
                is_indexed(results) ? hash_index_next(&results->workloads, place) : place + 1,
                before);
}

/* === A question =============================================================================== */

static const Row *seek_question(const Results *results, const Row *other, const Row *row) {
    while (other != NULL && !row_same_question(other, row)) {
        other = workload_next(results, other);
    }
    return other;
}

const Row *question_first(const Results *results, const Row *row) {
    return seek_question(results, workload_first(results, row), row);
}

const Row *question_next(const Results *results, const Row *before) {
    return seek_question(results, workload_next(results, before), before);
}
