#include "haar_records.h"

#include <stdlib.h>
#include <string.h>

static int in_order(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* The fields of a record stand in this order, the first on top. */
uint64_t *haar_sorted_records(const uint64_t *records, size_t count) {
    uint64_t *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    if (sorted != NULL) {
        memcpy(sorted, records, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, in_order);
    }
    return sorted;
}
