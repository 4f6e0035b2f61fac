/* Who is ahead where one size was measured: there is no crossover over sizes, only answer points.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "group_crossover.h"
#include "overview_parts.h"
#include "overview_text.h"
#include "text_list.h"

enum { POINTS_SIZE = 1024 };

/* Answer points that have both times, those at which the device is ahead, and their names. */
typedef struct Ahead {
    size_t points, ahead;
    char names[POINTS_SIZE];
} Ahead;

static Ahead count_ahead(const Overview *overview, const Family *family, const Variant *variant,
                         TimeKind kind) {
    Ahead count = {.points = 0};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const Crossover crossover = group_crossover(overview, group, variant, kind);
        count.points += crossover.points > 0;
        if (crossover.kind == CROSSOVER_ALWAYS) {
            char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
            answer_words(family, group, true, answer, sizeof answer);
            count.ahead++;
            text_append(count.names, sizeof count.names, "%s%s", count.names[0] != '\0' ? "; " : "",
                        answer);
        }
    }
    return count;
}

static void ahead_cell(const Overview *overview, DocTable *table, const Family *family,
                       const Variant *variant, TimeKind kind) {
    const Ahead count = count_ahead(overview, family, variant, kind);
    const bool several = family->count > 1;
    char text[OVERVIEW_TEXT_SIZE];
    if (count.points == 0) {
        snprintf(text, sizeof text, "no time");
    } else if (!several) {
        snprintf(text, sizeof text, "%s", count.ahead > 0 ? "ahead" : "behind");
    } else {
        snprintf(text, sizeof text, "ahead at %zu of %zu", count.ahead, count.points);
    }
    table_cell(overview->document, table,
               &(DocCell){.text = text,
                          .number = count.points > 0 ? (double)count.ahead : (double)NAN,
                          .note = count.names[0] != '\0' ? count.names : NULL,
                          .kind = count.points == 0  ? CELL_MISSING
                                  : count.ahead == 0 ? CELL_BAD
                                                     : CELL_PLAIN});
}

static void add_variants(const Overview *overview, DocTable *table, const Family *family) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(family->groups[0], variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!variant_is_on_cpu(variants[i])) {
            table_words(overview->document, table, variants[i]->name);
            ahead_cell(overview, table, family, variants[i], TIME_KERNEL);
            ahead_cell(overview, table, family, variants[i], TIME_END_TO_END);
        }
    }
}

void one_size_table(const Overview *overview, const Family *family) {
    Document *document = overview->document;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE] = "one size";
    for (size_t i = 0; i < family->count; i++) {
        const Row *row = group_largest(family->groups[i]);
        if (row != NULL) {
            size_words(row, size);
        }
    }
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    document_add(document, BLOCK_PARAGRAPH,
                 "%s: only %s was measured on both sides, so no crossover over sizes can be given.",
                 name, size);
    DocTable *table = document_table(
        document, document_text(document, "crossover-%s", slug),
        document_text(document, "%s at %s: who is ahead of the fastest CPU variant%s", name, size,
                      family->count > 1 ? ", in answer points" : ""));
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "by kernel time"});
    table_column(document, table, &(DocColumn){.title = "end to end"});
    add_variants(overview, table, family);
    if (table != NULL) {
        table->sortable = true;
        table->note = "Each variant at its fastest tuning.";
    }
}
