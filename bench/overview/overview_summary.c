/* Summary: what was fastest at each size, and by how much, kernel and end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overview_parts.h"
#include "overview_table.h"
#include "size_best.h"

/* What the table needs for the rows it has. */
typedef struct Layout {
    TimeUnit unit;
    bool devices; /* some size has a time on a device */
    bool bases;   /* some row has a speedup over its base */
    bool ratios;  /* some device has a speedup over a CPU variant */
    bool measured;
    /* Of all rows, where that is one and the same; otherwise each has its own. */
    char best_cpu[RESULT_LABEL_SIZE];
    bool many_best_cpus;
    char size[OVERVIEW_TEXT_SIZE]; /* likewise */
    bool many_sizes;
} Layout;

static void look_at(const Row *row, TimeKind kind, Layout *layout, TimeRange *range) {
    if (row != NULL) {
        time_range_add(range, row_seconds(row, kind));
        layout->measured = true;
        layout->devices |= !row_is_on_cpu(row);
        layout->bases |= isfinite(row->speedup);
    }
}

static void look_at_best_cpu(const SizeBest *best, Layout *layout) {
    const Row *device = best->device[TIME_KERNEL];
    const Row *cpu = best->cpu[TIME_KERNEL];
    char label[RESULT_LABEL_SIZE] = "none";
    if (cpu != NULL) {
        variant_label(cpu->variant, &cpu->tuning, label, sizeof label);
    }
    layout->devices |= device != NULL;
    layout->ratios |= device != NULL && isfinite(device->speedup_vs_best_cpu);
    layout->many_best_cpus |= layout->best_cpu[0] != '\0' && strcmp(layout->best_cpu, label) != 0;
    snprintf(layout->best_cpu, sizeof layout->best_cpu, "%s", label);
}

static void look_at_size(const Row *row, Layout *layout) {
    char size[OVERVIEW_TEXT_SIZE];
    size_words(row, size);
    layout->many_sizes |= layout->size[0] != '\0' && strcmp(layout->size, size) != 0;
    snprintf(layout->size, sizeof layout->size, "%s", size);
}

static void look_at_group(const Overview *overview, const RunGroup *group, Layout *layout,
                          TimeRange *range) {
    SizeBest *sizes;
    size_t count;
    if (!overview_check(overview, size_best_find(group, &sizes, &count))) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        look_at(sizes[i].fastest[TIME_KERNEL], TIME_KERNEL, layout, range);
        look_at(sizes[i].fastest[TIME_END_TO_END], TIME_END_TO_END, layout, range);
        look_at_best_cpu(&sizes[i], layout);
        look_at_size(sizes[i].fastest[TIME_KERNEL], layout);
    }
    free(sizes);
}

static Layout layout_of(const Overview *overview) {
    Layout layout = {.devices = false};
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < overview->count; i++) {
        for (size_t j = 0; j < overview->families[i].count; j++) {
            look_at_group(overview, overview->families[i].groups[j], &layout, &range);
        }
    }
    layout.unit = time_unit(&range);
    return layout;
}

static void add_column(Document *document, DocTable *table, const char *group, const char *title,
                       bool numeric) {
    table_column(document, table, &(DocColumn){.title = title, .group = group, .numeric = numeric});
}

/* What sizes are counted in, where that is the same for all and not seen from their names. */
static const char *size_title(const Overview *overview) {
    const char *unit = row_size_unit(overview->families[0].head);
    for (size_t i = 0; i < overview->count; i++) {
        const Row *head = overview->families[i].head;
        if (row_is_picture(head) || strcmp(row_size_unit(head), unit) != 0) {
            return "size";
        }
    }
    return unit;
}

static void add_columns(const Overview *overview, DocTable *table, const Layout *layout) {
    Document *document = overview->document;
    const char *kernel = layout->devices ? "kernel" : NULL;
    const char *whole = "end to end";
    char time[32];
    snprintf(time, sizeof time, "time (%s)", layout->unit.name);
    group_columns(overview, table);
    if (layout->many_sizes) {
        add_column(document, table, NULL, size_title(overview), false);
    }
    add_column(document, table, kernel, "fastest", false);
    add_column(document, table, kernel, time, true);
    if (layout->bases) {
        add_column(document, table, kernel, "over seq", true);
    }
    if (layout->many_best_cpus) {
        add_column(document, table, kernel, "best CPU", false);
    }
    if (layout->ratios) {
        add_column(document, table, kernel, "GPU over CPU", true);
    }
    /* Where the table is too wide for the page, this one shall not be out of sight. */
    if (layout->ratios) {
        add_column(document, table, whole, "GPU over CPU", true);
        add_column(document, table, whole, "best GPU", false);
    }
    if (layout->devices) {
        add_column(document, table, whole, "fastest", false);
        add_column(document, table, whole, time, true);
    }
}

static void add_row(const Overview *overview, DocTable *table, const SizeBest *best,
                    const Layout *layout) {
    Document *document = overview->document;
    const Row *fastest = best->fastest[TIME_KERNEL];
    const Row *whole = best->fastest[TIME_END_TO_END];
    group_cells(overview, table, fastest);
    if (layout->many_sizes) {
        size_cell(document, table, fastest);
    }
    variant_cell(document, table, fastest);
    time_cell(document, table, fastest, TIME_KERNEL, &layout->unit);
    if (layout->bases) {
        ratio_cell(document, table, fastest, OVER_SEQ, TIME_KERNEL, false);
    }
    if (layout->many_best_cpus) {
        variant_cell(document, table, best->cpu[TIME_KERNEL]);
    }
    if (layout->ratios) {
        ratio_cell(document, table, best->device[TIME_KERNEL], OVER_BEST_CPU, TIME_KERNEL, true);
    }
    if (layout->ratios) {
        ratio_cell(document, table, best->device[TIME_END_TO_END], OVER_BEST_CPU, TIME_END_TO_END,
                   true);
        variant_cell(document, table, best->device[TIME_END_TO_END]);
    }
    if (layout->devices) {
        variant_cell(document, table, whole);
        time_cell(document, table, whole, TIME_END_TO_END, &layout->unit);
    }
}

static void add_group(const Overview *overview, DocTable *table, const RunGroup *group,
                      const Layout *layout) {
    SizeBest *sizes;
    size_t count;
    if (overview_check(overview, size_best_find(group, &sizes, &count))) {
        for (size_t i = 0; i < count; i++) {
            add_row(overview, table, &sizes[i], layout);
        }
        free(sizes);
    }
}

static const char *note_of(const Overview *overview, const Layout *layout) {
    Document *document = overview->document;
    char value[8];
    const char *memory =
        run_argument(overview->run, "--pinned", value, sizeof value) ? "page-locked" : "ordinary";
    const char *seq = layout->bases ? " Over seq counts against one plain thread." : "";
    const char *whole = "";
    const char *ratio = "";
    if (layout->devices) {
        whole = document_text(document,
                              " End to end is upload, kernel and download, from and to %s memory; "
                              "on the CPU it is the kernel.",
                              memory);
    }
    if (layout->ratios) {
        ratio = document_text(document,
                              " GPU over CPU is the fastest GPU variant over the fastest cell of "
                              "all CPU variants and thread counts of that size%s%s; below 1 it is "
                              "a loss.",
                              layout->many_best_cpus ? "" : ", which is always ",
                              layout->many_best_cpus ? "" : layout->best_cpu);
    }
    return document_text(document,
                         "Medians of the fastest tunings; in parentheses 95%% intervals.%s%s%s",
                         seq, ratio != NULL ? ratio : "", whole != NULL ? whole : "");
}

void overview_summary(const Overview *overview) {
    enum { OPEN_ROWS_MAX = 60 };
    Document *document = overview->document;
    document_heading(document, 2, "Summary");
    overview_words(overview);
    const Layout layout = layout_of(overview);
    if (!layout.measured) {
        return;
    }
    const char *caption = layout.many_sizes
                              ? "The fastest variants of each size"
                              : document_text(document, "The fastest variants at %s", layout.size);
    DocTable *table = document_table(document, "summary", caption);
    add_columns(overview, table, &layout);
    for (size_t i = 0; i < overview->count; i++) {
        for (size_t j = 0; j < overview->families[i].count; j++) {
            add_group(overview, table, overview->families[i].groups[j], &layout);
        }
    }
    if (table != NULL) {
        table->sortable = true;
        table->collapsed = table->row_count > OPEN_ROWS_MAX;
        table->note = note_of(overview, &layout);
    }
}
