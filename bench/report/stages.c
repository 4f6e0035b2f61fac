/* The section of the parts of kernels: where the time goes. */

#include "report_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "results.h"
#include "variant.h"

enum { NAMES_MAX = 24 };

/* Names of the stages that some variant has times of, each once. */
typedef struct StageNames {
    const char *names[NAMES_MAX];
    size_t count;
    bool undivided; /* some variant has none */
    bool streamed;  /* some variant does its parts at the same time */
} StageNames;

static bool has_stages(const Row *row) {
    return variant_stage_count(row->variant) > 0 && isfinite(row->stage_seconds[0]) &&
           isfinite(row_seconds(row, TIME_KERNEL));
}

/* The largest size of which a stage has a time; NAN when there is none. */
static double size_with_stages(const RunGroup *group) {
    double size = NAN;
    for (size_t i = 0; i < group->count; i++) {
        if (has_stages(group->rows[i])) {
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

/* Calls `use` for the fastest row of each variant at that size. */
static void each_row(const RunGroup *group, void (*use)(const Row *row, void *context),
                     void *context) {
    const Variant *variants[VARIANTS_MAX];
    const double size = size_with_stages(group);
    const size_t count = run_variants(group, variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        const Row *row = fastest_of(group, variants[i], size);
        if (row != NULL) {
            use(row, context);
        }
    }
}

/* The time of the stage of this name; NAN where the variant has none. */
static double stage_of(const Row *row, const char *name) {
    const size_t count = has_stages(row) ? variant_stage_count(row->variant) : 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(row->variant->stages[i].name, name) == 0) {
            return row->stage_seconds[i];
        }
    }
    return NAN;
}

static void note_names(const Row *row, void *context) {
    StageNames *names = context;
    const size_t count = has_stages(row) ? variant_stage_count(row->variant) : 0;
    names->undivided |= count == 0;
    names->streamed |= row->variant->streamed;
    for (size_t i = 0; i < count && names->count < NAMES_MAX; i++) {
        const char *name = row->variant->stages[i].name;
        size_t place = 0;
        while (place < names->count && strcmp(names->names[place], name) != 0) {
            place++;
        }
        names->names[place] = name;
        names->count += place == names->count;
    }
}

static double transfer(const Row *row, double seconds) {
    return row_is_on_cpu(row) ? (double)NAN : seconds;
}

static double undivided(const Row *row) {
    return has_stages(row) ? (double)NAN : row_seconds(row, TIME_KERNEL);
}

static double or_nothing(double seconds) {
    return isfinite(seconds) ? seconds : 0.0;
}

/* All parts of a row together. */
static double sum_of(const Row *row, const StageNames *names) {
    double sum = or_nothing(transfer(row, row->upload)) + or_nothing(undivided(row)) +
                 or_nothing(transfer(row, row->download));
    for (size_t i = 0; i < names->count; i++) {
        sum += or_nothing(stage_of(row, names->names[i]));
    }
    return sum;
}

/* --- The table ----------------------------------------------------------------------------------
 */

typedef struct StageTable {
    const Overview *overview;
    DocTable *table;
    StageNames names;
    TimeRange range;
    TimeUnit unit;
} StageTable;

static void note_time(const Row *row, void *context) {
    StageTable *stages = context;
    time_range_add(&stages->range, sum_of(row, &stages->names));
}

static void part_cell(const StageTable *stages, double seconds, double sum) {
    Document *document = stages->overview->document;
    if (!isfinite(seconds)) {
        table_words(document, stages->table, "");
        return;
    }
    char number[SIGNIFICANT_SIZE];
    char share[SIGNIFICANT_SIZE];
    significant_text(seconds / stages->unit.seconds, OVERVIEW_DIGITS, number);
    significant_text(100.0 * seconds / sum, 2, share);
    table_cell(document, stages->table,
               &(DocCell){.text = number,
                          .number = seconds,
                          .note = document_text(document, "%s%% of all parts", share)});
}

static void add_stage_row(const Row *row, void *context) {
    const StageTable *stages = context;
    const double sum = sum_of(row, &stages->names);
    group_cells(stages->overview, stages->table, row);
    variant_cell(stages->overview->document, stages->table, row);
    part_cell(stages, transfer(row, row->upload), sum);
    for (size_t i = 0; i < stages->names.count; i++) {
        part_cell(stages, stage_of(row, stages->names.names[i]), sum);
    }
    if (stages->names.undivided) {
        part_cell(stages, undivided(row), sum);
    }
    part_cell(stages, transfer(row, row->download), sum);
}

static void open_columns(const StageTable *stages) {
    Document *document = stages->overview->document;
    const char *group = document_text(document, "time (%s)", stages->unit.name);
    DocTable *table = stages->table;
    group_columns(stages->overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "upload", .group = group, .numeric = true});
    for (size_t i = 0; i < stages->names.count; i++) {
        table_column(
            document, table,
            &(DocColumn){.title = stages->names.names[i], .group = group, .numeric = true});
    }
    if (stages->names.undivided) {
        table_column(document, table,
                     &(DocColumn){.title = "kernel, undivided", .group = group, .numeric = true});
    }
    table_column(document, table,
                 &(DocColumn){.title = "download", .group = group, .numeric = true});
}

/* "60000 pictures": of the first group that has stages. */
static void stage_size(const Family *family, char text[OVERVIEW_TEXT_SIZE]) {
    text[0] = '\0';
    for (size_t i = 0; i < family->count && text[0] == '\0'; i++) {
        const double size = size_with_stages(family->groups[i]);
        for (size_t j = 0; isfinite(size) && j < family->groups[i]->count; j++) {
            const Row *row = family->groups[i]->rows[j];
            if (row_size(row) == size) {
                size_words(row, text);
            }
        }
    }
}

static void family_table(const Overview *overview, const Family *family) {
    Document *document = overview->document;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE];
    StageTable stages = {.overview = overview};
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    stage_size(family, size);
    for (size_t i = 0; i < family->count; i++) {
        each_row(family->groups[i], note_names, &stages.names);
    }
    for (size_t i = 0; i < family->count; i++) {
        each_row(family->groups[i], note_time, &stages);
    }
    stages.unit = time_unit(&stages.range);
    stages.table =
        document_table(document, document_text(document, "stages-%s", slug),
                       document_text(document, "%s at %s: where the time goes", name, size));
    open_columns(&stages);
    for (size_t i = 0; i < family->count; i++) {
        each_row(family->groups[i], add_stage_row, &stages);
    }
    if (stages.table != NULL) {
        stages.table->sortable = true;
        stages.table->shaded = true;
        stages.table->note = document_text(
            document,
            "Medians of each variant's fastest tuning; the darker, the larger its share of the "
            "row. Parts are timed one by one, each until it has ended: together they may take "
            "longer than all in one go%s.",
            stages.names.streamed ? ", above all where a variant streams, which does them at the "
                                    "same time"
                                  : "");
    }
}

static bool family_has_stages(const Family *family) {
    for (size_t i = 0; i < family->count; i++) {
        if (isfinite(size_with_stages(family->groups[i]))) {
            return true;
        }
    }
    return false;
}

void overview_stages(const Overview *overview) {
    bool headed = false;
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        if (family_has_stages(family)) {
            if (!headed) {
                document_heading(overview->document, 2, "Where the time goes");
            }
            headed = true;
            family_table(overview, family);
        }
    }
}
