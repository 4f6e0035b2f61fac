/* Crossovers: from what size on a variant on a device is ahead of the fastest one on the CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group_crossover.h"
#include "overview_parts.h"
#include "overview_table.h"
#include "text_list.h"

enum { PHRASE_SIZE = 320 };

static void phrase_cell(const Overview *overview, DocTable *table, const RunGroup *group,
                        const Variant *variant, TimeKind kind) {
    char text[PHRASE_SIZE];
    size_t points;
    crossover_phrase(overview, group, variant, kind, text, sizeof text, &points);
    crossover_cell(overview->document, table, text);
}

static void group_rows(const Overview *overview, DocTable *table, const RunGroup *group) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(group, variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (variant_is_on_cpu(variants[i])) {
            continue;
        }
        group_cells(overview, table, group->rows[0]);
        table_words(overview->document, table, variants[i]->name);
        phrase_cell(overview, table, group, variants[i], TIME_KERNEL);
        phrase_cell(overview, table, group, variants[i], TIME_END_TO_END);
    }
}

/* --- Families by what they have -----------------------------------------------------------------
 */

typedef struct Extent {
    bool devices, cpus; /* have times */
    size_t sizes;       /* most of a group that both have */
} Extent;

static Extent extent_of(const Overview *overview, const Family *family) {
    Extent extent = {.sizes = 0};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            const bool timed = isfinite(row_seconds(group->rows[j], TIME_KERNEL));
            const bool cpu = row_is_on_cpu(group->rows[j]);
            extent.devices |= timed && !cpu;
            extent.cpus |= timed && cpu;
        }
        const size_t sizes = group_crossover(overview, group, NULL, TIME_KERNEL).points;
        extent.sizes = sizes > extent.sizes ? sizes : extent.sizes;
    }
    return extent;
}

static DocTable *open_table(const Overview *overview) {
    Document *document = overview->document;
    DocTable *table =
        document_table(document, "crossover",
                       "From what size on each GPU variant is faster than the fastest "
                       "CPU variant of that size");
    group_columns(overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "by kernel time"});
    table_column(document, table, &(DocColumn){.title = "end to end"});
    if (table != NULL) {
        table->note = document_text(
            document, "Each variant at its fastest tuning. Places between two sizes are "
                      "interpolated on logarithmic axes; in parentheses, where the 95%% intervals "
                      "of the times put them. Outside the sizes measured nothing is claimed.");
        table->sortable = true;
    }
    return table;
}

static void say_why_not(const Overview *overview, const Family *family, const Extent *extent) {
    char name[256];
    family_name(family, name, sizeof name);
    document_add(overview->document, BLOCK_PARAGRAPH,
                 "%s: no %s variant has a verified time, so there is nothing to overtake%s.", name,
                 extent->devices ? "CPU" : "GPU", extent->devices ? "" : " with");
}

void overview_crossovers(const Overview *overview) {
    enum { OPEN_ROWS_MAX = 60 };
    DocTable *table = NULL;
    document_heading(overview->document, 2, "Crossover");
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        const Extent extent = extent_of(overview, family);
        if (!extent.devices || !extent.cpus) {
            say_why_not(overview, family, &extent);
        } else if (extent.sizes < 2) {
            one_size_table(overview, family);
            answer_crossovers(overview, family);
        } else {
            table = table != NULL ? table : open_table(overview);
            for (size_t j = 0; j < family->count; j++) {
                group_rows(overview, table, family->groups[j]);
            }
        }
    }
    if (table != NULL) {
        table->collapsed = table->row_count > OPEN_ROWS_MAX;
    }
}
