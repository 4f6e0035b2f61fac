#include "console_reasons.h"

#include <string.h>

#include "visible.h"

static bool same_reason(const Row *a, const Row *b) {
    return a->status == b->status && strcmp(a->why, b->why) == 0;
}

static bool same_variant(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && a->variant == b->variant;
}

/* Whether an earlier row is of the same reason and, when asked, of the same variant. */
static bool repeats(const Results *results, size_t index, bool by_variant) {
    const Row *row = &results->rows[index];
    for (size_t i = 0; i < index; i++) {
        if (same_reason(&results->rows[i], row) &&
            (!by_variant || same_variant(&results->rows[i], row))) {
            return true;
        }
    }
    return false;
}

static size_t count_reason(const Results *results, const Row *row, bool by_variant) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += same_reason(&results->rows[i], row) &&
                 (!by_variant || same_variant(&results->rows[i], row));
    }
    return count;
}

/* "lbp/cuda_naive (7), lbp/cuda_tiled (28)" */
static void print_variants(FILE *stream, const Results *results, size_t first) {
    bool any = false;
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!same_reason(row, &results->rows[first]) || repeats(results, i, true)) {
            continue;
        }
        fprintf(stream, "%s%s/%s (%zu)", any ? ", " : "      ", row->algorithm->name,
                row->variant->name, count_reason(results, row, true));
        any = true;
    }
    fputc('\n', stream);
}

static void print_reason(FILE *stream, const Results *results, size_t first) {
    const Row *row = &results->rows[first];
    const char *why = row->why[0] != '\0' ? row->why : "no reason was given";
    const size_t count = count_reason(results, row, false);
    if (count == 1) {
        char name[512];
        row_name(row, name, sizeof name);
        visible_line(stream, "  %s: %s", name, why);
        return;
    }
    visible_line(stream, "  %zu cells: %s", count, why);
    print_variants(stream, results, first);
}

void console_reasons_print(FILE *stream, const Results *results, CellStatus status,
                           const char *title) {
    bool any = false;
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].status != status || repeats(results, i, false)) {
            continue;
        }
        if (!any) {
            fprintf(stream, "\n%s:\n", title);
        }
        any = true;
        print_reason(stream, results, i);
    }
}
