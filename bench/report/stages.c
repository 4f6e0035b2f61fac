/* The section of the parts of kernels: where the time goes. */

#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "results.h"
#include "status.h"
#include "variant.h"

enum { NAMES_MAX = 24 };

/* The parts of a family's rows: of each variant the fastest row at the largest size that has times
 * of parts. */
typedef struct StageTable {
    const Row **rows;
    size_t count, capacity;
    const char *names[NAMES_MAX]; /* of the parts, each once */
    size_t name_count;
    bool undivided; /* some variant has no parts */
    bool streamed;  /* some variant does its parts at the same time */
    TimeUnit unit;
} StageTable;

static size_t stage_count(const Row *row) {
    const bool timed = isfinite(row->stage_seconds[0]) && isfinite(row_seconds(row, TIME_KERNEL));
    return timed ? variant_stage_count(row->variant) : 0;
}

/* The largest size of which a part has a time; NAN when there is none. */
static double size_with_stages(const RunGroup *group) {
    double size = NAN;
    for (size_t i = 0; i < group->count; i++) {
        if (stage_count(group->rows[i]) > 0) {
            size = fmax(size, row_size(group->rows[i]));
        }
    }
    return size;
}

/* The fastest row of the variant at that size; NULL when there is none. */
static const Row *fastest_of(const RunGroup *group, const Variant *variant, double size) {
    const Row *best = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row->variant == variant && row_size(row) == size &&
            isfinite(row_seconds(row, TIME_KERNEL)) &&
            (best == NULL || row_seconds(row, TIME_KERNEL) < row_seconds(best, TIME_KERNEL))) {
            best = row;
        }
    }
    return best;
}

static void add_names(StageTable *stages, const Row *row) {
    const size_t count = stage_count(row);
    stages->undivided |= count == 0;
    stages->streamed |= row->variant->streamed;
    for (size_t i = 0; i < count && stages->name_count < NAMES_MAX; i++) {
        const char *name = row->variant->stages[i].name;
        size_t place = 0;
        while (place < stages->name_count && strcmp(stages->names[place], name) != 0) {
            place++;
        }
        stages->names[place] = name;
        stages->name_count += place == stages->name_count;
    }
}

static Status find_rows(const Family *family, StageTable *stages) {
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const Variant *variants[VARIANTS_MAX];
        const double size = size_with_stages(group);
        const size_t count = isfinite(size) ? run_variants(group, variants, VARIANTS_MAX) : 0;
        for (size_t j = 0; j < count; j++) {
            const Row *row = fastest_of(group, variants[j], size);
            if (row != NULL) {
                STATUS_TRY(LIST_ROOM(NULL, stages->rows, stages->count, stages->capacity,
                                     "rows with times of parts"));
                stages->rows[stages->count++] = row;
                add_names(stages, row);
            }
        }
    }
    return status_ok();
}

/* The seconds of a part of the row, upload first and download last; NAN where it has none. */
static double part_seconds(const StageTable *stages, const Row *row, size_t part) {
    const size_t count = stage_count(row);
    if (part == 0 || part == stages->name_count + 2) {
        return row_is_on_cpu(row) ? (double)NAN : part == 0 ? row->upload : row->download;
    }
    if (part == stages->name_count + 1) {
        return count > 0 ? (double)NAN : row_seconds(row, TIME_KERNEL);
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(row->variant->stages[i].name, stages->names[part - 1]) == 0) {
            return row->stage_seconds[i];
        }
    }
    return NAN;
}

/* All parts of a row together. */
static double sum_of(const StageTable *stages, const Row *row) {
    double sum = 0.0;
    for (size_t part = 0; part < stages->name_count + 3; part++) {
        const double seconds = part_seconds(stages, row, part);
        sum += isfinite(seconds) ? seconds : 0.0;
    }
    return sum;
}

static bool is_shown(const StageTable *stages, size_t part) {
    return part != stages->name_count + 1 || stages->undivided;
}

static const char *part_title(const StageTable *stages, size_t part) {
    return part == 0                        ? "upload"
           : part <= stages->name_count     ? stages->names[part - 1]
           : part == stages->name_count + 1 ? "kernel, undivided"
                                            : "download";
}

static void part_cell(Document *document, DocTable *table, double seconds, double sum,
                      const TimeUnit *unit) {
    if (!isfinite(seconds)) {
        table_words(document, table, "");
        return;
    }
    char number[SIGNIFICANT_SIZE];
    char share[SIGNIFICANT_SIZE];
    significant_text(seconds / unit->seconds, OVERVIEW_DIGITS, number);
    significant_text(100.0 * seconds / sum, 2, share);
    table_cell(document, table,
               &(DocCell){.text = number,
                          .number = seconds,
                          .note = document_text(document, "%s%% of all parts", share)});
}

static void fill_table(const Overview *overview, const StageTable *stages, DocTable *table) {
    Document *document = overview->document;
    const char *group = document_text(document, "time (%s)", stages->unit.name);
    const size_t parts = stages->name_count + 3;
    group_columns(overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    for (size_t part = 0; part < parts; part++) {
        if (is_shown(stages, part)) {
            table_column(
                document, table,
                &(DocColumn){.title = part_title(stages, part), .group = group, .numeric = true});
        }
    }
    for (size_t i = 0; i < stages->count; i++) {
        const Row *row = stages->rows[i];
        const double sum = sum_of(stages, row);
        group_cells(overview, table, row);
        variant_cell(document, table, row);
        for (size_t part = 0; part < parts; part++) {
            if (is_shown(stages, part)) {
                part_cell(document, table, part_seconds(stages, row, part), sum, &stages->unit);
            }
        }
    }
}

static void family_table(const Overview *overview, const Family *family, StageTable *stages) {
    Document *document = overview->document;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE];
    TimeRange range = {.count = 0};
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    size_words(stages->rows[0], size);
    for (size_t i = 0; i < stages->count; i++) {
        time_range_add(&range, sum_of(stages, stages->rows[i]));
    }
    stages->unit = time_unit(&range);
    DocTable *table =
        document_table(document, document_text(document, "stages-%s", slug),
                       document_text(document, "%s at %s: where the time goes", name, size));
    fill_table(overview, stages, table);
    if (table != NULL) {
        table->sortable = true;
        table->shaded = true;
        table->note = document_text(
            document,
            "Medians of each variant's fastest tuning; the darker, the larger its share of the "
            "row. Parts are timed one by one, each until it has ended: together they may take "
            "longer than all in one go%s.",
            stages->streamed ? ", above all where a variant streams, which does them at the same "
                               "time"
                             : "");
    }
}

void overview_stages(const Overview *overview) {
    bool headed = false;
    for (size_t i = 0; i < overview->count; i++) {
        StageTable stages = {.count = 0};
        if (overview_check(overview, find_rows(&overview->families[i], &stages)) &&
            stages.count > 0) {
            if (!headed) {
                document_heading(overview->document, 2, "Where the time goes");
            }
            headed = true;
            family_table(overview, &overview->families[i], &stages);
        }
        free(stages.rows);
    }
}
