/* The table of what charts are about, and how each kind is built. */

#include "algorithm.h"
#include "builder.h"
#include "document.h"
#include "scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "look.h"
#include "number.h"
#include "variant.h"
#include "words.h"

enum { POINT_TEXT_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

/* === Against sizes, or an axis of the answer ================================================== */

static void title_lines(const Builder *builder) {
    const Row *row = builder->head;
    const Point rest = point_without(&row->answer, builder->file_axis);
    builder->chart->title = builder->file_axis != NULL
                                ? builder_title_at(builder, row, &rest)
                                : builder_title(builder, "", &row->answer, ALL_AXES);
}

/* "seq was not run beyond 720p": where rows have times and no base. */
static const char *base_end_words(const Builder *builder) {
    const Variant *base = builder->base;
    const RowLine sizes = builder_line(builder, every_row);
    const RowLine based = builder_line(builder, (RowChoice){.variant = base});
    if (base == NULL || based.count == 0 || sizes.count == 0 ||
        row_place(&builder->axis, based.rows[based.count - 1]) ==
            row_place(&builder->axis, sizes.rows[sizes.count - 1])) {
        return "";
    }
    char place[REPORT_TEXT_SIZE];
    builder_place_name(builder, based.rows[based.count - 1], place);
    return document_text(builder->document, "%s was not run beyond %s", base->name, place);
}

/* What the ratios are over; NULL: there is nothing. */
static const char *ratio_words(const Builder *builder) {
    char names[RESULT_LABEL_SIZE];
    const char *over;
    builder_base(builder, &over);
    if (builder->type->measure == CHART_OVER_BEST_CPU) {
        builder_best_cpus(builder, names, sizeof names);
        over = names[0] != '\0'
                   ? document_text(builder->document, "the best CPU variant (%s)", names)
                   : NULL;
    }
    return over != NULL ? document_text(builder->document, "speedup over %s", over) : NULL;
}

/* A panel for each kind of time; on processors alone both are the same. */
static void add_speedup_panels(Builder *builder) {
    const bool copies = builder_has_devices(builder);
    const char *const titles[] = {[TIME_KERNEL] = copies ? "speedup, kernel" : "speedup",
                                  [TIME_END_TO_END] = "speedup, with copies"};
    const char *over;
    builder->base = builder->type->measure == CHART_OVER_SEQ ? builder_base(builder, &over) : NULL;
    builder_note(builder, ratio_words(builder));
    builder_note(builder, base_end_words(builder));
    builder_note(builder, builder_tuning_words(builder));
    const TimeKind last = copies ? TIME_END_TO_END : TIME_KERNEL;
    for (TimeKind kind = TIME_KERNEL; kind <= last; kind++) {
        ChartPanel *panel = chart_panel(builder->document, builder->chart, NULL);
        if (panel != NULL) {
            panel->y = (ChartAxis){.title = titles[kind], .log = true};
            panel->reference = 1.0;
        }
        builder->kinds = 1U << kind;
        builder_add_variants(builder, NULL);
    }
}

/* --- Bars of one size ------------------------------------------------------------------------- */

/* A bar. */
typedef struct Bar {
    const Row *row;
    TimeKind kind;
    double value;
} Bar;

static int compare_bars(const void *a, const void *b) {
    const Bar *left = a, *right = b;
    return left->value > right->value ? -1 : left->value < right->value;
}

static size_t find_bars(const Builder *builder, Bar bars[2 * VARIANTS_MAX]) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = builder_variants(builder, &builder->runs[0], variants);
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const RowLine line =
                builder_line(builder, (RowChoice){.variant = variants[i], .kind = kind});
            const double value =
                line.count > 0 ? builder_point(builder, line.rows[0], kind).y : (double)NAN;
            const bool twice = kind == TIME_END_TO_END && variant_is_on_cpu(variants[i]);
            if (isfinite(value) && !twice) {
                bars[shown++] = (Bar){line.rows[0], kind, value};
            }
        }
    }
    qsort(bars, shown, sizeof *bars, compare_bars);
    return shown;
}

static void add_bar(const Builder *builder, const Bar *bar, double place) {
    enum { GREY = 2 };
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const bool whole = bar->kind == TIME_END_TO_END;
    char tuning[POINT_TEXT_SIZE];
    point_format(&bar->row->tuning, tuning, sizeof tuning);
    chart_tick_noted(document, &chart->x, place, bar->row->variant->name,
                     whole ? "with copies" : tuning);
    ChartSeries *series =
        chart_series(document, chart, NULL, whole ? SERIES_SECONDARY : SERIES_MEASURED,
                     whole ? GREY : variant_colour(bar->row->variant));
    chart_point(document, series,
                &(ChartPoint){.x = place, .y = bar->value, .low = 0, .high = bar->value});
}

/* At one size there is no line: a bar for each variant, the fastest on top, and a grey one for the
 * ratio end to end of those on a GPU. */
static void build_ratio_bars(Builder *builder) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    Bar bars[2 * VARIANTS_MAX];
    const size_t shown = find_bars(builder, bars);
    if (shown < 2) {
        return;
    }
    chart->kind = CHART_BARS;
    chart->title = builder_title_at(builder, bars[0].row, &builder->head->answer);
    chart->y.title = ratio_words(builder);
    chart->reference = 1;
    for (size_t i = 0; i < shown; i++) {
        add_bar(builder, &bars[i], (double)i);
    }
    ChartSeries *totals = chart_series(document, chart, NULL, SERIES_WORDS, 0);
    for (size_t i = 0; i < shown; i++) {
        char times[SIGNIFICANT_SIZE];
        times_text(bars[i].value, times);
        chart_dot(document, totals, (double)i, bars[i].value, times);
    }
}

/* --- What a file says besides ----------------------------------------------------------------- */

/* "roof: copy, omp", "roof: copy_dram", "roof: copy_dram, 2 GPUs" */
static const char *roof_words(Document *document, const RoofParts *parts) {
    return parts->copy ? document_text(document, "roof: copy, %s", parts->name)
           : parts->devices > 1
               ? document_text(document, "roof: %s, %d GPUs", parts->name, parts->devices)
               : document_text(document, "roof: %s", parts->name);
}

/* The rows of the least time that a measured ceiling allows at each size, on one side. */
static RowLine roofs_of(const Builder *builder, RowSide side) {
    const RowLine sizes = builder_line(builder, every_row);
    RowLine roofs = {
        .rows = document_allocate(builder->document, (sizes.count + 1) * sizeof(const Row *))};
    for (size_t i = 0; roofs.rows != NULL && i < sizes.count; i++) {
        const double place = row_place(&builder->axis, sizes.rows[i]);
        const Row *best = NULL;
        for (size_t j = 0; j < builder->runs[0].count; j++) {
            const Row *row = builder->runs[0].rows[j];
            if (row_is_of_side(row, side) && isfinite(row->roof_seconds) &&
                row_place(&builder->axis, row) == place &&
                (best == NULL || row->roof_seconds < best->roof_seconds)) {
                best = row;
            }
        }
        if (best != NULL) {
            roofs.rows[roofs.count++] = best;
        }
    }
    return roofs;
}

/* One roof for each side, named after the ceiling at the largest size. */
static void add_roofs(const Builder *builder) {
    Document *document = builder->document;
    const char *first = NULL;
    for (RowSide side = SIDE_CPU; builder->chart->count > 0 && side <= SIDE_DEVICE; side++) {
        const RowLine roofs = roofs_of(builder, side);
        if (roofs.count == 0) {
            continue;
        }
        const char *name = roof_words(document, &roofs.rows[roofs.count - 1]->roof_parts);
        if (first != NULL && name != NULL && strcmp(first, name) == 0) {
            /* Two roofs of one name differ by whose they are. */
            builder->chart->series[builder->chart->count - 1].name =
                document_text(document, "%s, CPU", name);
            name = document_text(document, "%s, GPU", name);
        }
        first = name;
        ChartSeries *series = NULL;
        for (size_t i = 0; i < roofs.count; i++) {
            builder_add_point(builder, roofs.rows[i],
                              (ChartPoint){.y = roofs.rows[i]->roof_seconds / builder->unit.seconds,
                                           .low = NAN,
                                           .high = NAN},
                              (LineLook){.name = name, .style = SERIES_CEILING}, &series);
        }
    }
}

/* --- The chart -------------------------------------------------------------------------------- */

/* A line for each variant, of time or ratios. A file has a panel for each kind of ratio, bars of a
 * single size, and with times the roofs. */
static void build_lines(Builder *builder) {
    const bool file = builder->place == PLACE_FILE;
    const bool ratio = builder->type->measure != CHART_TIME;
    if (file && ratio && ratio_words(builder) == NULL) {
        return;
    }
    if (!builder_name_places(builder)) {
        if (file && ratio && builder->alone) { /* others are compared along their axis */
            build_ratio_bars(builder);
        }
        return;
    }
    if (file) {
        title_lines(builder);
    }
    if (file && ratio) {
        add_speedup_panels(builder);
        return;
    }
    builder->unit = builder_unit(builder);
    builder->common = builder->variants != NULL ? builder_common(builder, NULL) : NULL;
    builder_name_measure(builder);
    builder->exponents = file && builder->axis.name == NULL;
    builder_add_variants(builder, NULL);
    if (file) {
        builder_note(builder, builder_tuning_words(builder));
    }
    if (builder->exponents) {
        add_roofs(builder);
    }
}

/* === Several answer points ==================================================================== */

typedef struct Answers {
    const Point *points[TOGETHER_MAX]; /* in the order of the run */
    size_t count, shown;
    unsigned shared; /* axes with the same value in all that are shown */
} Answers;

static size_t answer_index(const Answers *answers, const Point *point) {
    size_t i = 0;
    while (i < answers->count && !point_equal(answers->points[i], point)) {
        i++;
    }
    return i;
}

static unsigned shared_axes(const Answers *answers) {
    unsigned shared = 0;
    const Point *first = answers->points[0];
    for (size_t axis = 0; axis < first->count; axis++) {
        bool same = true;
        for (size_t i = 1; i < answers->shown; i++) {
            const AxisValue *value = point_value(answers->points[i], first->axes[axis]->name);
            same &= value != NULL && strcmp(value->text, first->values[axis].text) == 0;
        }
        shared |= (unsigned)same << axis;
    }
    return shared;
}

/* The first answer points are shown; the rows of the others are removed. */
static Answers answers_of(Builder *builder) {
    enum { PANELS_MAX = 6 };
    Answers answers = {.count = 0};
    RunGroup *rows = &builder->runs[0];
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->rows[i];
        const size_t index = answer_index(&answers, &row->answer);
        if (index == answers.count && index < TOGETHER_MAX) {
            answers.points[answers.count++] = &row->answer;
        }
        if (index < PANELS_MAX) {
            rows->rows[kept++] = row;
        }
    }
    rows->count = kept;
    answers.shown = answers.count < PANELS_MAX ? answers.count : PANELS_MAX;
    answers.shared = answers.count > 0 ? shared_axes(&answers) : 0;
    return answers;
}

static const char *answer_name(const Builder *builder, const Answers *answers, size_t index) {
    char words[POINT_TEXT_SIZE];
    point_words(answers->points[index], ~answers->shared, words, sizeof words);
    return document_text(builder->document, "%s", words);
}

/* "1 more answer point not shown" */
static void note_answers(const Builder *builder, const Answers *answers) {
    const size_t left_out = answers->count - answers->shown;
    if (left_out > 0) {
        builder_note(builder, document_text(builder->document, "%zu more answer point%s not shown",
                                            left_out, left_out > 1 ? "s" : ""));
    }
}

static bool has_alloc(const Builder *builder) {
    for (size_t i = 0; i < builder->runs[0].count; i++) {
        const Row *row = builder->runs[0].rows[i];
        if (!row_is_on_cpu(row) && isfinite(row->with_alloc_summary.median)) {
            return true;
        }
    }
    return false;
}

/* Times with allocation are those of allocation, upload, kernel and download on a GPU, of the run
 * alone on the CPU. */
static void build_answers(Builder *builder) {
    Document *document = builder->document;
    const ChartType *type = builder->type;
    const bool times = type->measure == CHART_TIME;
    const Answers answers = answers_of(builder);
    const char *over = NULL;
    builder->unit = builder_unit(builder);
    builder->base = times ? NULL : builder_base(builder, &over);
    if ((!times && over == NULL) || (type->with_alloc && !has_alloc(builder)) ||
        !builder_name_places(builder)) {
        return;
    }
    builder->chart->title = builder_title(builder, "", answers.points[0], answers.shared);
    builder_name_measure(builder);
    if (!times) {
        builder->chart->y.title = type->with_alloc ? "speedup, with allocation" : "speedup, kernel";
        builder_note(builder, document_text(document, "speedup over %s", over));
    }
    builder_note(builder, type->with_alloc ? "CUDA: allocation, upload, kernel, download" : NULL);
    note_answers(builder, &answers);
    for (size_t i = 0; i < answers.shown; i++) {
        chart_panel(document, builder->chart, answer_name(builder, &answers, i));
        builder_add_variants(builder, answers.points[i]);
    }
}

/* Of one side the variant with the most answer points at the largest size, and of several the one
 * of the least time over all. NULL: none. */
static const Variant *fastest_variant(const Builder *builder, const Answers *answers, RowSide side,
                                      const Row *largest) {
    const Variant *variants[VARIANTS_MAX];
    Summary *sums = document_allocate(builder->document, VARIANTS_MAX * sizeof *sums);
    Rival rivals[VARIANTS_MAX];
    size_t cells[VARIANTS_MAX] = {0}, most = 1;
    const size_t count = sums != NULL ? run_variants(&builder->runs[0], variants) : 0;
    for (size_t i = 0; i < count; i++) {
        sums[i] = summary_none();
        sums[i].median = 0;
        rivals[i] = (Rival){.summary = &sums[i], .odd_median = NAN, .even_median = NAN};
        for (size_t j = 0; j < answers->shown; j++) {
            const RowLine line = builder_line(builder, (RowChoice){.side = side,
                                                                   .variant = variants[i],
                                                                   .answer = answers->points[j],
                                                                   .size = largest});
            sums[i].median += line.count > 0 ? row_seconds(line.rows[0], TIME_KERNEL) : 0;
            cells[i] += line.count;
        }
        most = cells[i] > most ? cells[i] : most;
    }
    for (size_t i = 0; i < count; i++) {
        sums[i].median = cells[i] == most ? sums[i].median : (double)NAN;
    }
    const size_t best = winner_least(rivals, count);
    return best != WINNER_NONE ? variants[best] : NULL;
}

/* How time grows with the answer point: a panel for the fastest CPU variant, one for the fastest
 * CUDA variant, a line for each answer point. */
static void build_fastest(Builder *builder) {
    const Answers answers = answers_of(builder);
    builder->unit = builder_unit(builder);
    if (!builder_name_places(builder)) {
        return;
    }
    const RowLine sizes = builder_line(builder, every_row);
    builder->chart->title = builder_title(builder, "", answers.points[0], answers.shared);
    builder->chart->ordered = true;
    builder_name_measure(builder);
    note_answers(builder, &answers);
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        const Variant *variant =
            fastest_variant(builder, &answers, side, sizes.rows[sizes.count - 1]);
        if (variant == NULL) {
            continue;
        }
        chart_panel(builder->document, builder->chart, variant->name);
        for (size_t i = 0; i < answers.shown; i++) {
            const RowLine line =
                builder_line(builder, (RowChoice){.variant = variant, .answer = answers.points[i]});
            builder_add_line(
                builder, &line, TIME_KERNEL,
                (LineLook){.name = answer_name(builder, &answers, i), .colour = (int)i});
        }
    }
}

/* === Against an axis of the tuning ============================================================ */

/* The size alone where the axis's title says whose it is. */
static const char *tuning_name(const Builder *builder, const Variant *variant, const RowLine *sizes,
                               size_t index, size_t run) {
    char size[REPORT_TEXT_SIZE];
    const bool file = builder->place == PLACE_FILE, several = sizes->count > 1;
    if (file) {
        size_name(sizes->rows[index], size);
    } else {
        size_short(sizes->rows[index], size);
    }
    if (file || (builder->only != NULL && several)) {
        builder_renamed(builder, variant->name);
        return document_text(builder->document, "%s", size);
    }
    const bool sized = builder->run_count > 1 || (builder->sizes != NULL && several);
    return builder_series_name(builder, variant->name, sized ? size : NULL, TIME_KERNEL, run);
}

/* A line for each variant of a run with the axis at its largest size, which its name has where
 * there are several runs, or for each size. */
static void add_tunings(const Builder *builder, size_t run, bool by_size) {
    const size_t least = builder->place == PLACE_PAPER ? 2 : 1; /* points of a line */
    const RunGroup rows = builder_rows(builder, run, builder->axis.name);
    const RowLine sizes = row_line(builder->document, &rows, &along_size, every_row);
    const Variant *variants[VARIANTS_MAX];
    const size_t count = builder_variants(builder, &rows, variants);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = by_size || sizes.count == 0 ? 0 : sizes.count - 1; j < sizes.count; j++) {
            const RowLine line =
                row_line(builder->document, &rows, &builder->axis,
                         (RowChoice){.variant = variants[i], .size = sizes.rows[j]});
            if (line.count >= least) {
                builder_add_line(
                    builder, &line, TIME_KERNEL,
                    (LineLook){.name = tuning_name(builder, variants[i], &sizes, j, run),
                               .colour =
                                   builder->only != NULL ? (int)j : variant_colour(variants[i]),
                               .run = run});
            }
        }
    }
}

static bool is_of_scaling(const Row *row, const char *axis) {
    const char *own = row_scaling_axis(row);
    return own != NULL && strcmp(own, axis) == 0;
}

/* The largest size of several runs in a paper; NULL: it differs. */
static const char *common_tuning_size(const Builder *builder) {
    char common[REPORT_TEXT_SIZE] = "";
    for (size_t run = 0; builder->run_count > 1 && run < builder->run_count; run++) {
        char size[REPORT_TEXT_SIZE];
        const RunGroup rows = builder_rows(builder, run, builder->axis.name);
        const RowLine sizes = row_line(builder->document, &rows, &along_size, every_row);
        if (sizes.count == 0) {
            continue;
        }
        size_short(sizes.rows[sizes.count - 1], size);
        if (common[0] != '\0' && strcmp(common, size) != 0) {
            return NULL;
        }
        snprintf(common, sizeof common, "%s", size);
    }
    return common[0] != '\0' ? document_text(builder->document, "%s", common) : NULL;
}

/* Kernel time, a line for each variant at the largest size or for each size of the only one. A file
 * is of one variant, and over GPUs or threads it shows how this scales. */
static void build_tuning(Builder *builder) {
    const Row *row = builder->head;
    const bool file = builder->place == PLACE_FILE;
    size_t shown = 0;
    if (builder->axis.count < 2) {
        return;
    }
    if (file) {
        builder->chart->title =
            builder_title(builder, document_text(builder->document, ", %s", row->variant->name),
                          &row->answer, ALL_AXES);
    }
    if (file && is_of_scaling(row, builder->axis.name)) {
        builder->kinds = BOTH_KINDS;
        build_scaling(builder);
        return;
    }
    const Variant *only = NULL;
    for (size_t run = 0; run < builder->run_count; run++) {
        const Variant *variants[VARIANTS_MAX];
        const RunGroup rows = builder_rows(builder, run, builder->axis.name);
        const size_t count = builder_variants(builder, &rows, variants);
        shown = count > shown ? count : shown;
        only = count > 0 ? variants[0] : only;
    }
    const bool single = builder->place != PLACE_PAGE && shown == 1;
    builder->unit = builder_unit(builder);
    builder->only = single && builder->run_count == 1 ? only : NULL;
    builder->common = builder_common(builder, builder->axis.name);
    builder->common_size = builder->sizes == NULL ? common_tuning_size(builder) : NULL;
    builder->chart->ordered = builder->only != NULL;
    for (size_t run = 0; run < builder->run_count; run++) {
        add_tunings(builder, run, builder->only != NULL || builder->sizes != NULL);
    }
    if (builder->chart->count > 0) {
        builder_name_places(builder);
        builder_name_measure(builder);
        builder_name_common_size(builder);
    }
}

/* === Crossover ================================================================================ */

/* The mark of a crossover at x among the series behind `cpu`; NULL: none. */
static ChartSeries *crossover_at(const Builder *builder, size_t cpu, double x) {
    for (size_t i = cpu + 1; i < builder->chart->count; i++) {
        ChartSeries *series = &builder->chart->series[i];
        if (series->style == SERIES_WORDS && series->count > 0 && series->points[0].x == x) {
            return series;
        }
    }
    return NULL;
}

static void add_crossover(const Builder *builder, size_t run, size_t cpu, TimeKind kind, double x,
                          const char *label) {
    ChartSeries *mark =
        chart_series(builder->document, builder->chart,
                     builder_series_name(builder, "crossover", NULL, kind, run), SERIES_WORDS, 0);
    const ChartSeries *line = &builder->chart->series[cpu];
    for (size_t i = 0; i < line->count; i++) {
        if (line->points[i].x == x) {
            chart_dot(builder->document, mark, x, line->points[i].y, label);
        }
    }
}

/* From where on the GPU is faster, or up to where, on the line of the CPU, which is series `cpu`.
 * Nothing where that does not change. Of several machines the label begins with whose it is. */
static void mark_crossover(const Builder *builder, size_t run, size_t cpu, TimeKind kind) {
    const RowCrossover rows =
        group_crossover(builder->document, &builder->runs[run], &builder->axis, NULL, kind);
    const Crossover crossover = crossover_of(rows.sides, rows.count);
    if (crossover.changes == 0 || cpu >= builder->chart->count) {
        return;
    }
    const Row *at = rows.rows[crossover.side == SIDE_FASTER ? crossover.after : crossover.before];
    const double x = row_place(&builder->axis, at);
    const char *way = crossover_way(&crossover);
    const bool several = builder->run_count > 1;
    const char *whose = several ? builder_renamed(builder, builder->run_names[run]) : "";
    ChartSeries *before = crossover_at(builder, cpu, x);
    char place[NUMBER_WORDS_SIZE];
    size_short(at, place);
    if (before != NULL) {
        before->points[0].label = document_text(builder->document, "%s%sboth %s %s", whose,
                                                several ? " " : "", way, place);
        return;
    }
    const bool copies = builder->kinds == BOTH_KINDS && kind == TIME_END_TO_END;
    add_crossover(builder, run, cpu, kind, x,
                  document_text(builder->document, "%s%s%s%s %s", whose, several ? " " : "",
                                copies ? "with copies " : "", way, place));
}

/* The fastest of each side at each size, as lines: the CPU's grey, the GPU's in the colour of the
 * machine. False where a side has none. */
static bool add_sides(const Builder *builder, size_t run) {
    const size_t cpu = builder->chart->count;
    const char *name = builder->run_count > 1 ? NULL : "best GPU";
    bool both = builder_add_fastest(builder, run, SIDE_CPU, TIME_KERNEL, NULL, "best CPU",
                                    machine_look_number(run, true));
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        if (builder_has_kind(builder, kind)) {
            const bool drawn = builder_add_fastest(builder, run, SIDE_DEVICE, kind, NULL, name,
                                                   machine_look_number(run, false));
            both &= drawn;
            if (drawn) {
                mark_crossover(builder, run, cpu, kind);
            }
        }
    }
    return both;
}

static void add_sides_of_all(Builder *builder) {
    for (size_t run = 0; run < builder->run_count; run++) {
        if (!add_sides(builder, run) && builder->lacking == builder->run_count) {
            builder->lacking = run;
        }
    }
}

/* A panel for each kind of time, one below the other. */
static void add_kind_panels(Builder *builder) {
    const unsigned kinds = builder->kinds;
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        ChartPanel *panel = chart_panel(builder->document, builder->chart, NULL);
        builder->kinds = 1U << kind;
        builder_name_measure(builder);
        if (panel != NULL) {
            panel->y = builder->chart->y;
        }
        add_sides_of_all(builder);
    }
    builder->kinds = kinds;
}

static void build_crossover(Builder *builder) {
    enum { ONE_PANEL_RUNS = 2 }; /* of more there are nine lines and more */
    if (!builder_name_places(builder)) {
        return;
    }
    builder->unit = builder_unit(builder);
    builder->chart->labels_told = builder->run_count > 1;
    if (builder->run_count > ONE_PANEL_RUNS && builder->kinds == BOTH_KINDS) {
        add_kind_panels(builder);
        return;
    }
    builder_name_measure(builder);
    add_sides_of_all(builder);
}

/* === The table ================================================================================ */

static bool has_roofline(const Row *row) {
    return row->cost.operations > 0 && isfinite(row->ceiling_bandwidth) &&
           isfinite(row->ceiling_operations);
}

static bool has_roof_share(const Row *row) {
    return isfinite(row->roof_fraction);
}

static bool has_several_workers(const Row *row) {
    return row_workers(row) > 1;
}

static bool has_several_threads(const Row *row) {
    return has_several_workers(row) && point_value(&row->tuning, scaling_threads) != NULL;
}

static bool has_device_ratio(const Row *row) {
    return !row_is_on_cpu(row) && isfinite(row->speedup_vs_best_cpu);
}

#define NOTHING(word) "{run} has nothing for --kind " word " of {of}: "
#define NO_TIME "no variant that is shown has such a time"
#define NO_SPEEDUP "there is no such speedup along {axis}; without --over the times are drawn"

const ChartType chart_types[CHART_SUBJECTS] = {
    [SUBJECT_SPEEDUP] = {"speedup", build_lines, ROWS_OF_ANSWER, CHART_OVER_SEQ, .is_file = true,
                         .both = true, .page_word = "speedup-seq", .figure_word = "speedup",
                         .lack = NOTHING("speedup") "it needs rows of seq and of another variant"},
    [SUBJECT_SPEEDUP_BEST_CPU] = {"speedup-best-cpu", build_lines, ROWS_OF_ANSWER,
                                  CHART_OVER_BEST_CPU, .is_file = true, .both = true,
                                  .figure_word = "speedup",
                                  .lack = NOTHING("speedup") "over the best CPU it needs rows of a "
                                                             "GPU and of a CPU; --over seq does "
                                                             "without"},
    [SUBJECT_TIME] = {"time", build_lines, ROWS_OF_ANSWER, CHART_TIME, .is_file = true,
                      .both = true, .figure_word = "time", .caption = "time",
                      .lack = NOTHING("time") NO_TIME},
    [SUBJECT_ROOFLINE] = {"roofline", build_roofline, ROWS_OF_ANSWER, .is_file = true,
                          .needs = has_roofline, .figure_word = "roofline",
                          .caption = "operations a second against operations per byte, with "
                                     "ceilings",
                          .one_size = true,
                          .lack = "{run} has no roofline of {of}: its ceilings were not measured, "
                                  "or the algorithm counts no operations; of several sizes --kind "
                                  "efficiency needs none"},
    [SUBJECT_STAGES] = {"stages", build_stages, ROWS_OF_ANSWER, .is_file = true,
                        .needs = row_has_stages, .figure_word = "stages",
                        .caption = "where the time goes: transfers and the stages of the kernel",
                        .one_size = true, .one_run = true,
                        .lack = "no variant of {of} in {run} has stages that were timed; --kind "
                                "time has its times"},
    [SUBJECT_EFFICIENCY] = {"efficiency", build_lines, ROWS_OF_ANSWER, CHART_ROOF_SHARE,
                            .needs = has_roof_share, .figure_word = "efficiency",
                            .caption = "share of the roof, by kernel time,",
                            .lack = NOTHING("efficiency") "its ceilings were not measured "
                                                          "(--no-roof)"},
    [SUBJECT_CROSSOVER] = {"crossover", build_crossover, ROWS_OF_ANSWER, CHART_TIME, .both = true,
                           .figure_word = "crossover",
                           .caption = "time of the fastest CPU and the fastest GPU variant",
                           .sides = true,
                           .lack = "--kind crossover needs rows of a CPU and of a GPU, and not "
                                   "every run has both; --kind time shows one side"},
    [SUBJECT_SCALING] = {"scaling", build_scaling, ROWS_OF_ANSWER, .both = true,
                         .needs = has_several_workers, .figure_word = "scaling",
                         .caption = "speedup over one, and efficiency,", .scaling = SCALING_BOTH,
                         .needed = "a variant on 1 GPU or thread and on more",
                         .remedy = "a run with --gpus 1,2 or --threads 1,2,4 has them"},
    [SUBJECT_THREADS] = {"threads", build_scaling, ROWS_OF_ANSWER, .needs = has_several_threads,
                         .figure_word = "threads",
                         .caption = "speedup of kernel time over 1 thread",
                         .scaling = SCALING_SPEEDUP, .scale_of = scaling_threads,
                         .needed = "a variant with 1 thread and with more",
                         .remedy = "a run with --threads 1,2,4 has them"},
    [SUBJECT_RATIO] = {"ratio", build_lines, ROWS_OF_ANSWER, .measure = CHART_B_OVER_A},
    [SUBJECT_TUNING] = {"", build_tuning, ROWS_OF_VARIANT, CHART_TIME, .is_file = true,
                        .page_word = "time", .figure_word = "tuning", .caption = "kernel time",
                        .needed = "a tuning axis with two values",
                        .remedy = "a run with --tile 8,16 or its like has them"},
    [SUBJECT_ANSWERS_SPEEDUP] = {"answers-speedup", build_answers, ROWS_OF_INPUT, CHART_OVER_SEQ,
                                 .is_file = true},
    [SUBJECT_ANSWERS_SPEEDUP_ALLOC] = {"answers-speedup-with-alloc", build_answers, ROWS_OF_INPUT,
                                       CHART_OVER_SEQ, .with_alloc = true, .is_file = true},
    [SUBJECT_ANSWERS_TIME] = {"answers-time", build_answers, ROWS_OF_INPUT, CHART_TIME,
                              .is_file = true},
    [SUBJECT_ANSWERS_TIME_ALLOC] = {"answers-time-with-alloc", build_answers, ROWS_OF_INPUT,
                                    CHART_TIME, .with_alloc = true, .is_file = true},
    [SUBJECT_ANSWERS_FASTEST] = {"answers-fastest", build_fastest, ROWS_OF_INPUT, CHART_TIME,
                                 .is_file = true},
    [SUBJECT_SWEEP] = {"time", build_lines, ROWS_OF_SIZE, CHART_TIME, .is_file = true, .both = true,
                       .figure_word = "sweep", .caption = "time",
                       .needed = "an axis of the answer with two values",
                       .remedy = "a run with --box 4,8,16 or its like has them",
                       .lack = NOTHING("sweep") NO_TIME},
    [SUBJECT_SWEEP_SPEEDUP] = {"speedup-best-cpu", build_lines, ROWS_OF_SIZE, CHART_OVER_BEST_CPU,
                               .is_file = true, .both = true, .needs = has_device_ratio,
                               .figure_word = "sweep", .lack = NO_SPEEDUP},
    [SUBJECT_SWEEP_OVER_SEQ] = {"speedup", build_lines, ROWS_OF_SIZE, CHART_OVER_SEQ, .both = true,
                                .figure_word = "sweep", .lack = NO_SPEEDUP},
    [SUBJECT_COMMITS] = {.build = build_commits, .rows = ROWS_NONE},
    [SUBJECT_STUDY] = {.build = build_study, .rows = ROWS_NONE},
    [SUBJECT_CURVES] = {.build = build_curves, .rows = ROWS_NONE},
    [SUBJECT_COUNTS] = {.build = build_counts, .rows = ROWS_NONE},
    [SUBJECT_HISTOGRAM] = {.build = build_histogram, .rows = ROWS_NONE},
};

const char *const figure_words[] = {"speedup", "time",    "efficiency", "roofline",
                                    "threads", "tuning",  "stages",     "crossover",
                                    "sweep",   "scaling", NULL};

static bool has_figure_word(const ChartType *type, const char *word) {
    return type->figure_word != NULL && strcmp(type->figure_word, word) == 0;
}

const ChartType *figure_type(const char *word) {
    for (size_t i = 0; i < CHART_SUBJECTS; i++) {
        if (has_figure_word(&chart_types[i], word)) {
            return &chart_types[i];
        }
    }
    return NULL;
}

const ChartType *figure_type_with(const ChartType *usual, ChartMeasure measure) {
    for (size_t i = 0; i < CHART_SUBJECTS; i++) {
        if (chart_types[i].measure == measure &&
            has_figure_word(&chart_types[i], usual->figure_word)) {
            return &chart_types[i];
        }
    }
    return usual;
}

Builder page_builder(Document *document, ChartSubject subject, const RunGroup *rows,
                     const RowAxis *axis) {
    const ChartType *type = &chart_types[subject];
    return (Builder){.document = document,
                     .type = type,
                     .place = PLACE_PAGE,
                     .head = rows->count > 0 ? rows->rows[0] : NULL,
                     .runs = {*rows},
                     .run_count = 1,
                     .axis = *axis,
                     .kinds = type->measure == CHART_TIME ? KERNEL_ALONE : BOTH_KINDS};
}

DocChart *chart_build(Builder *builder, const char *name, const char *title,
                      const char *intervals) {
    Document *document = builder->document;
    DocChart *chart = builder->chart = document_chart(document, name, title);
    builder->lacking = builder->run_count;
    if (chart == NULL) {
        return NULL;
    }
    builder->type->build(builder);
    if (chart->count == 0 || document->failed) {
        document->count -= document->failed ? 0 : 1;
        return NULL;
    }
    if (builder->place != PLACE_PAPER) {
        chart_note_intervals(document, chart, intervals);
        if (builder->run_count < 2) { /* several are there to be compared */
            chart_mark_equal(chart);
        }
    }
    if (builder->place == PLACE_PAGE && chart->description == NULL) {
        chart_describe(document, chart);
    }
    return chart;
}
