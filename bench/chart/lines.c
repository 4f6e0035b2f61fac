/* Lines of charts: which rows, how they are called and look, and what the axes say. */

#include "algorithm.h"
#include "builder.h"
#include "document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "axis.h"
#include "look.h"
#include "number.h"
#include "ratio.h"
#include "registry.h"
#include "samples.h"
#include "text.h"
#include "utf8.h"
#include "variant.h"
#include "workload.h"

enum { POINT_TEXT_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

const RowChoice every_row = {.variant = NULL};

/* === Which rows =============================================================================== */

RowLine builder_line(const Builder *builder, RowChoice choice) {
    return row_line(builder->document, &builder->runs[0], &builder->axis, choice);
}

bool builder_wants(const Builder *builder, const Variant *variant) {
    return list_has(builder->variants, variant->name);
}

RunGroup builder_rows(const Builder *builder, size_t run, const char *axis) {
    const RunGroup *all = &builder->runs[run];
    RunGroup rows = {.rows = NULL};
    for (size_t i = 0; i < all->count; i++) {
        const Row *row = all->rows[i];
        if (builder_wants(builder, row->variant) &&
            (axis == NULL || point_value(&row->tuning, axis) != NULL)) {
            group_add(builder->document, &rows, row);
        }
    }
    return rows;
}

RunGroup builder_all_rows(const Builder *builder) {
    RunGroup all = {.rows = NULL};
    for (size_t run = 0; run < builder->run_count; run++) {
        group_add_all(builder->document, &all, &builder->runs[run]);
    }
    return all;
}

static bool has_devices(const RunGroup *group) {
    bool any = false;
    for (size_t i = 0; i < group->count; i++) {
        any |= !row_is_on_cpu(group->rows[i]);
    }
    return any;
}

bool builder_has_devices(const Builder *builder) {
    bool any = false;
    for (size_t run = 0; run < builder->run_count; run++) {
        any |= has_devices(&builder->runs[run]);
    }
    return any;
}

const Variant *builder_base(const Builder *builder, const char **words) {
    for (size_t i = 0; i < builder->runs[0].count; i++) {
        const Row *row = builder->runs[0].rows[i];
        if (row->base[0] != '\0') {
            *words = row->base;
            return registry_variant(row->algorithm, 0);
        }
    }
    *words = NULL;
    return NULL;
}

void builder_best_cpus(const Builder *builder, char *text, size_t size) {
    text[0] = '\0';
    for (size_t run = 0; run < builder->run_count; run++) {
        for (size_t i = 0; i < builder->runs[run].count; i++) {
            const Variant *best = builder->runs[run].rows[i]->best_cpu_variant;
            if (best != NULL) {
                name_list_add(text, size, best->name);
            }
        }
    }
}

const Row *builder_largest(const Builder *builder, const RunGroup *rows) {
    const RowLine sizes = row_line(builder->document, rows, &builder->axis, every_row);
    return sizes.count > 0 ? sizes.rows[sizes.count - 1] : NULL;
}

/* --- Variants --------------------------------------------------------------------------------- */

static bool is_best_somewhere(const Builder *builder, const Variant *variant) {
    bool is = false;
    for (size_t i = 0; i < builder->runs[0].count; i++) {
        is |= builder->runs[0].rows[i]->best_cpu_variant == variant;
    }
    return is;
}

/* Whether a line of the variant is drawn. A baseline is the line at 1. Over the best CPU variant
 * the others of the CPU would squeeze the GPU's into the top. */
static bool is_shown(const Builder *builder, const Variant *variant) {
    const ChartMeasure measure = builder->type->measure;
    if (!builder_wants(builder, variant) || variant == builder->base) {
        return false;
    }
    if (builder->place != PLACE_PAPER) {
        return measure != CHART_OVER_BEST_CPU || !variant_is_on_cpu(variant) ||
               !builder_has_devices(builder) ||
               (builder->run_count == 1 && is_best_somewhere(builder, variant));
    }
    return builder->variants != NULL        ? true
           : measure == CHART_OVER_BEST_CPU ? !variant_is_on_cpu(variant)
           : measure == CHART_OVER_SEQ ? registry_variant(builder->head->algorithm, 0) != variant
                                       : true;
}

/* Place in the list of --variants; all the same without one. */
static size_t list_place(const char *list, const char *word) {
    size_t place = 0;
    for (; list != NULL && strchr(list, ',') != NULL; list = strchr(list, ',') + 1, place++) {
        const size_t end = strcspn(list, ",");
        if (end == strlen(word) && strncasecmp(list, word, end) == 0) {
            break;
        }
    }
    return place;
}

size_t builder_variants(const Builder *builder, const RunGroup *rows,
                        const Variant *variants[VARIANTS_MAX]) {
    const char *list = builder->variants;
    const size_t all = run_variants(rows, variants);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const Variant *variant = variants[i];
        if (!is_shown(builder, variant)) {
            continue;
        }
        size_t at = count++;
        while (at > 0 &&
               list_place(list, variants[at - 1]->name) > list_place(list, variant->name)) {
            variants[at] = variants[at - 1];
            at--;
        }
        variants[at] = variant;
    }
    return count;
}

/* Of several machines in a paper each has a line of its best variant, unless variants are named. */
static bool shows_best(const Builder *builder) {
    return builder->best ||
           (builder->place == PLACE_PAPER && builder->run_count > 1 && builder->variants == NULL);
}

const Variant *builder_common(const Builder *builder, const char *axis) {
    const Variant *common = NULL;
    if (builder->place != PLACE_PAPER || builder->run_count < 2) {
        return NULL;
    }
    for (size_t run = 0; run < builder->run_count; run++) {
        const Variant *variants[VARIANTS_MAX];
        const RunGroup rows = builder_rows(builder, run, axis);
        const size_t count = builder_variants(builder, &rows, variants);
        for (size_t i = 0; i < count; i++) {
            if (common != NULL && variants[i] != common) {
                return NULL;
            }
            common = variants[i];
        }
    }
    return common;
}

/* === Measures ================================================================================= */

TimeUnit builder_unit(const Builder *builder) {
    TimeRange range = {.count = 0};
    for (size_t run = 0; run < builder->run_count; run++) {
        for (size_t i = 0; i < builder->runs[run].count; i++) {
            const Row *row = builder->runs[run].rows[i];
            if (builder_wants(builder, row->variant)) {
                time_range_add(&range, row_seconds(row, TIME_KERNEL));
            }
        }
    }
    return time_unit(&range);
}

static ChartPoint time_point(const Summary *summary, double seconds, double unit) {
    double low, high;
    summary_range(summary, &low, &high);
    return (ChartPoint){.y = seconds / unit, .low = low / unit, .high = high / unit};
}

/* In percent. */
static ChartPoint share_point(const Row *row) {
    const Ratio share =
        summary_rate(&row->kernel_summary, 100 * row->roof_fraction * row->kernel_summary.median);
    return (ChartPoint){.y = share.value, .low = share.low, .high = share.high};
}

static ChartPoint measured_point(const Builder *builder, const Row *row, TimeKind kind) {
    const ChartType *type = builder->type;
    const double unit = builder->unit.seconds;
    const bool with_alloc = type->with_alloc && !row_is_on_cpu(row);
    const Summary *summary = with_alloc ? &row->with_alloc_summary : row_summary(row, kind);
    const double seconds = with_alloc ? summary->median : row_seconds(row, kind);
    if (type->measure == CHART_TIME) {
        return time_point(summary, seconds, unit);
    }
    if (type->measure == CHART_ROOF_SHARE) {
        return share_point(row);
    }
    if (with_alloc) {
        return (ChartPoint){.y = row->base_seconds / seconds, .low = NAN, .high = NAN};
    }
    const SpeedupOver over = type->measure == CHART_OVER_SEQ ? OVER_SEQ : OVER_BEST_CPU;
    const Ratio ratio =
        shows_best(builder) ? row_won_ratio(row, over, kind) : row_ratio(row, over, kind);
    return (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high};
}

/* A paper has bars of six launches or more: what fewer spread says nothing about the next. */
ChartPoint builder_point(const Builder *builder, const Row *row, TimeKind kind) {
    ChartPoint point = measured_point(builder, row, kind);
    if (builder->place == PLACE_PAPER && row_summary(row, kind)->launches < MEDIAN_INTERVAL_MIN) {
        point.low = point.high = NAN;
    }
    return point;
}

const char *measure_words(const ChartType *type) {
    switch (type->measure) {
    case CHART_OVER_BEST_CPU: return "speedup over the best CPU variant";
    case CHART_OVER_SEQ: return "speedup over seq";
    case CHART_B_OVER_A: return "median of B / median of A, kernel";
    case CHART_ROOF_SHARE: return "share of the roof (%)";
    case CHART_TIME: break;
    }
    return type->with_alloc ? "time with allocation" : "kernel time";
}

/* A paper's title says which time, and whose where all lines are of one variant. */
static const char *paper_words(const Builder *builder) {
    const unsigned kinds = builder->kinds;
    const bool kernel = kinds == KERNEL_ALONE, both = kinds == BOTH_KINDS;
    const Variant *variant = builder->only != NULL ? builder->only : builder->common;
    const char *of = variant != NULL ? " of " : "";
    const char *whose = variant != NULL ? builder_renamed(builder, variant->name) : "";
    switch (builder->type->measure) {
    case CHART_OVER_BEST_CPU:
    case CHART_OVER_SEQ:
        return document_text(builder->document, "speedup%s%s over %s%s", of, whose,
                             builder->type->measure == CHART_OVER_SEQ ? "seq" : "best CPU",
                             kernel || both ? "" : ", with copies");
    case CHART_TIME:
        return document_text(builder->document, "%s%s%s",
                             kernel ? "kernel time"
                             : both ? "time"
                                    : "time, with copies",
                             of, whose);
    case CHART_ROOF_SHARE:
        return document_text(builder->document, "share of the roof%s%s (%%)",
                             variant != NULL ? ", " : "", whose);
    default: return measure_words(builder->type);
    }
}

void builder_name_measure(Builder *builder) {
    const ChartMeasure measure = builder->type->measure;
    const char *words = builder->place == PLACE_PAPER || builder->best
                            ? paper_words(builder)
                            : measure_words(builder->type);
    builder->chart->y.log = measure != CHART_ROOF_SHARE;
    builder->chart->y.title = measure == CHART_TIME ? document_text(builder->document, "%s (%s)",
                                                                    words, builder->unit.name)
                                                    : words;
    builder->chart->y.unit = measure == CHART_TIME         ? builder->unit.name
                             : measure == CHART_ROOF_SHARE ? "%"
                                                           : NULL;
    builder->chart->reference =
        measure == CHART_TIME || measure == CHART_ROOF_SHARE ? (double)NAN : 1.0;
}

/* === Places =================================================================================== */

const char *builder_size_title(const Builder *builder) {
    const Row *row = builder->head;
    if (builder->place == PLACE_PAGE) {
        return document_text(builder->document, "size (%s)",
                             row_is_image(row) ? "by number of pixels"
                                               : size_unit_words(row_size_unit(row)));
    }
    const bool rows = row->algorithm->input == WORKLOAD_DESCRIPTORS, image = row_is_image(row);
    const char *more = builder->place == PLACE_PAPER ? ""
                       : image && !rows              ? " (pixels, logarithmic)"
                                                     : ", logarithmic";
    return document_text(builder->document, "%s%s",
                         rows                   ? "rows of each set"
                         : image                ? "image size"
                         : builder->axis.pixels ? "pixels of all images"
                                                : "number of images",
                         more);
}

void builder_place_name(const Builder *builder, const Row *row, char text[REPORT_TEXT_SIZE]) {
    const RowAxis *axis = &builder->axis;
    if (axis->name != NULL) {
        snprintf(text, REPORT_TEXT_SIZE, "%s",
                 point_value(axis->tuning ? &row->tuning : &row->answer, axis->name)->text);
    } else if (axis->pixels) {
        snprintf(text, REPORT_TEXT_SIZE, "%s", row->size_name);
    } else {
        size_short(row, text);
    }
}

/* The sizes of all runs. */
static bool name_sizes(Builder *builder) {
    ChartAxis *x = &builder->chart->x;
    for (size_t run = 0; run < builder->run_count; run++) {
        const RowLine line =
            row_line(builder->document, &builder->runs[run], &builder->axis, every_row);
        for (size_t i = 0; i < line.count; i++) {
            char name[REPORT_TEXT_SIZE];
            builder_place_name(builder, line.rows[i], name);
            chart_mark(builder->document, x, row_place(&builder->axis, line.rows[i]), name);
        }
    }
    if (x->count < 2) {
        x->count = 0;
        return false;
    }
    x->log = true;
    x->title = builder_size_title(builder);
    return true;
}

/* "box side (pixels)"; of one variant's tuning in a file "cuda_tiled: block" */
static const char *axis_title(const Builder *builder, bool log) {
    const RowAxis *axis = &builder->axis;
    const bool file = builder->place == PLACE_FILE;
    const bool whose = file && axis->tuning;
    const char *known = builder->place == PLACE_PAGE ? NULL : axis->title;
    return document_text(builder->document, "%s%s%s%s",
                         whose && known == NULL ? builder->head->variant->name : "",
                         whose && known == NULL ? ": " : "", known != NULL ? known : axis->name,
                         log && file ? ", logarithmic" : "");
}

/* Each value has its name where they are few; logarithmic over a wide range. */
static bool name_values(Builder *builder) {
    enum { NAMES_MAX = 20 };
    static const double log_from = 8;
    const RowAxis *axis = &builder->axis;
    ChartAxis *x = &builder->chart->x;
    if (axis->count < 2) {
        return false;
    }
    const double least = axis->values[0].place, most = axis->values[axis->count - 1].place;
    x->log = least > 0 && most >= log_from * least;
    x->title = axis_title(builder, x->log);
    for (size_t i = 0; axis->count <= NAMES_MAX && i < axis->count; i++) {
        chart_tick(builder->document, x, axis->values[i].place, axis->values[i].name);
    }
    return true;
}

bool builder_name_places(Builder *builder) {
    const ChartRows rows = builder->type->rows;
    const bool sizes = rows == ROWS_OF_ANSWER || rows == ROWS_OF_INPUT;
    return builder->chart != NULL && (sizes ? name_sizes(builder) : name_values(builder));
}

/* === Titles of files ========================================================================== */

/* "lbp on meadow.jpg" with `of` before " on", and a line of the axes of the answer in `axes`. */
const char *builder_title(const Builder *builder, const char *of, const Point *answer,
                          unsigned axes) {
    enum { INPUT_SIZE = 81 };
    char words[POINT_TEXT_SIZE];
    const Row *row = builder->head;
    point_words(answer, axes, words, sizeof words);
    return document_text(builder->document, "%s%s on %.*s%s%s", row->algorithm->name, of,
                         (int)utf8_cut(row->input, INPUT_SIZE), row->input,
                         words[0] != '\0' ? "\n" : "", words);
}

/* "4K", "60000 images": a size by itself. */
void size_name(const Row *row, char text[REPORT_TEXT_SIZE]) {
    size_short(row, text);
    if (!row_is_image(row)) {
        const bool counted =
            row->images > 0 && strspn(row->size_name, "0123456789") == strlen(row->size_name);
        snprintf(text, REPORT_TEXT_SIZE, "%s%s", row->size_name, counted ? " images" : "");
    }
}

/* The same for a chart of one size. */
const char *builder_title_at(const Builder *builder, const Row *size, const Point *answer) {
    char text[REPORT_TEXT_SIZE];
    size_name(size, text);
    return builder_title(builder, document_text(builder->document, " at %s", text), answer,
                         ALL_AXES);
}

/* === Names ==================================================================================== */

const char *builder_renamed(const Builder *builder, const char *name) {
    Renames *renames = builder->renames;
    const char *text = name;
    if (renames == NULL) {
        return name;
    }
    bool known = false;
    for (size_t i = 0; i < renames->name_count; i++) {
        known |= strcmp(renames->names[i], name) == 0;
    }
    if (!known && renames->name_count < RENAMES_MAX) {
        renames->names[renames->name_count++] = name;
    }
    for (size_t i = 0; i < renames->count && i < RENAMES_MAX; i++) {
        const size_t length = strlen(name);
        if (strncmp(renames->texts[i], name, length) == 0 && renames->texts[i][length] == '=') {
            renames->used[i] = true;
            text = renames->texts[i] + length + 1;
        }
    }
    return text;
}

bool builder_is_beside_kernel(const Builder *builder, TimeKind kind) {
    return builder->kinds == BOTH_KINDS && kind == TIME_END_TO_END;
}

const char *builder_series_name(const Builder *builder, const char *name, const char *detail,
                                TimeKind kind, size_t run) {
    const bool several = builder->run_count > 1;
    name = builder->common != NULL ? NULL : name;
    detail = builder->common_size != NULL ? NULL : detail;
    return document_text(builder->document, "%s%s%s%s%s%s",
                         name != NULL ? builder_renamed(builder, name) : "",
                         name != NULL && detail != NULL ? ", " : "", detail != NULL ? detail : "",
                         several && (name != NULL || detail != NULL) ? ", " : "",
                         several ? builder_renamed(builder, builder->run_names[run]) : "",
                         builder_is_beside_kernel(builder, kind) ? ", with copies" : "");
}

void builder_name_common_size(const Builder *builder) {
    if (builder->common_size != NULL) {
        builder->chart->x.title = document_text(builder->document, "%s, at %s",
                                                builder->chart->x.title, builder->common_size);
    }
}

/* --- Notes ------------------------------------------------------------------------------------ */

void builder_note(const Builder *builder, const char *words) {
    DocChart *chart = builder->chart;
    if (words != NULL && words[0] != '\0') {
        chart->note = chart->note != NULL && chart->note[0] != '\0'
                          ? document_text(builder->document, "%s; %s", chart->note, words)
                          : words;
    }
}

/* Whether rows of the variant differ in their tuning; `first` is one of them. */
static bool has_tunings(const RunGroup *rows, const Variant *variant, const Row **first) {
    *first = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->rows[i];
        if (row->variant == variant) {
            *first = *first != NULL ? *first : row;
            if (!point_equal(&(*first)->tuning, &row->tuning)) {
                return true;
            }
        }
    }
    return false;
}

const char *builder_tuning_words(const Builder *builder) {
    const Variant *variants[VARIANTS_MAX];
    const RunGroup *rows = &builder->runs[0];
    const size_t count = run_variants(rows, variants);
    char text[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        const Row *first;
        if (has_tunings(rows, variants[i], &first)) {
            for (size_t j = 0; j < first->tuning.count; j++) {
                text_append(text, sizeof text, "%s%s of %s", text[0] == '\0' ? "fastest " : ", ",
                            first->tuning.axes[j]->name, variants[i]->name);
            }
        }
    }
    return document_text(builder->document, "%s", text);
}

/* === Lines ==================================================================================== */

bool builder_has_kind(const Builder *builder, TimeKind kind) {
    return (builder->kinds >> kind & 1) != 0;
}

int variant_colour(const Variant *variant) {
    return variant_look_number(variant->name, !variant_is_on_cpu(variant));
}

LineLook builder_look(const Builder *builder, const void *of, const char *name, const char *detail,
                      TimeKind kind, int colour, size_t run) {
    const bool whole = builder_is_beside_kernel(builder, kind);
    return (LineLook){.name = builder_series_name(builder, name, detail, kind, run),
                      .style = whole ? SERIES_SECONDARY : SERIES_MEASURED,
                      .colour = colour,
                      .run = run,
                      .of = of};
}

void builder_add_at(const Builder *builder, ChartPoint point, LineLook look, ChartSeries **series) {
    if (!isfinite(point.y)) {
        return;
    }
    if (*series == NULL) {
        *series =
            chart_series(builder->document, builder->chart, look.name, look.style, look.colour);
        if (*series != NULL) {
            (*series)->run = look.run;
            (*series)->of = look.of;
        }
    }
    chart_point(builder->document, *series, &point);
}

void builder_add_point(const Builder *builder, const Row *row, ChartPoint point, LineLook look,
                       ChartSeries **series) {
    char label[REPORT_TEXT_SIZE];
    builder_place_name(builder, row, label);
    point.x = row_place(&builder->axis, row);
    point.label = label;
    builder_add_at(builder, point, look, series);
}

void builder_add_line(const Builder *builder, const RowLine *line, TimeKind kind, LineLook look) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < line->count; i++) {
        builder_add_point(builder, line->rows[i], builder_point(builder, line->rows[i], kind), look,
                          &series);
    }
}

/* With the exponent of its size, "cuda_fast, n^0.98", where the name stays short enough for half
 * the width of the key. */
static const char *line_name(const Builder *builder, const Variant *variant) {
    enum { SHORT_NAME = 21 };
    const RunGroup *rows = &builder->runs[0];
    for (size_t i = rows->count; builder->exponents && i > 0; i--) {
        const Row *row = rows->rows[i - 1];
        if (row->variant == variant && isfinite(row->exponent)) {
            const char *name =
                document_text(builder->document, "%s, n^%.2f", variant->name, row->exponent);
            return strlen(name) <= SHORT_NAME ? name : variant->name;
        }
    }
    return variant->name;
}

/* Each line has the fastest tunings by its own kind of time; in a file, which has a panel for each
 * kind, by kernel time. */
static void add_variant(const Builder *builder, const Variant *variant, size_t run,
                        const Point *answer) {
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const bool repeats =
            builder->kinds == BOTH_KINDS && kind == TIME_END_TO_END && variant_is_on_cpu(variant);
        if (!builder_has_kind(builder, kind) || repeats) {
            continue;
        }
        const RowChoice choice = {.variant = variant,
                                  .answer = answer,
                                  .kind = builder->place == PLACE_FILE ? TIME_KERNEL : kind};
        const RowLine line =
            row_line(builder->document, &builder->runs[run], &builder->axis, choice);
        builder_add_line(builder, &line, kind,
                         builder_look(builder, variant, line_name(builder, variant), NULL, kind,
                                      variant_colour(variant), run));
    }
}

bool builder_add_fastest(const Builder *builder, size_t run, RowSide side, TimeKind kind,
                         const Point *answer, const char *name, int colour) {
    const RowLine line = row_line(builder->document, &builder->runs[run], &builder->axis,
                                  (RowChoice){.side = side, .answer = answer, .kind = kind});
    builder_add_line(builder, &line, kind,
                     builder_look(builder, &builder->runs[run], name, NULL, kind, colour, run));
    return line.count > 0;
}

static void add_best(const Builder *builder, size_t run, const Point *answer) {
    const RowSide side = has_devices(&builder->runs[run]) ? SIDE_DEVICE : SIDE_CPU;
    const int colour = machine_look_number(run, false);
    const char *name = !builder->best ? NULL : side == SIDE_CPU ? "best CPU" : "best GPU";
    if (builder->best && side == SIDE_DEVICE && builder->type->measure == CHART_TIME) {
        builder_add_fastest(builder, run, SIDE_CPU, TIME_KERNEL, answer, "best CPU",
                            machine_look_number(run, true));
    }
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const bool repeats =
            builder->kinds == BOTH_KINDS && kind == TIME_END_TO_END && side == SIDE_CPU;
        if (builder_has_kind(builder, kind) && !repeats) {
            builder_add_fastest(builder, run, side, kind, answer, name, colour);
        }
    }
}

/* --- Two runs --------------------------------------------------------------------------------- */

/* The ratio of the times of both runs at the sizes that both have. */
static void add_ratios(const Builder *builder, const RowLine lines[2], LineLook look) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < lines[0].count; i++) {
        const Row *a = lines[0].rows[i];
        for (size_t j = 0; j < lines[1].count; j++) {
            const Row *b = lines[1].rows[j];
            if (row_size(a) == row_size(b)) {
                const Ratio ratio = rows_difference(a, b, TIME_KERNEL, builder->document).ratio;
                builder_add_point(
                    builder, a,
                    (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high}, look,
                    &series);
            }
        }
    }
}

static void add_pair(const Builder *builder, const Variant *variant) {
    const int colour = variant_colour(variant);
    const bool ratio = builder->type->measure == CHART_B_OVER_A;
    RowLine lines[2];
    for (size_t run = 0; run < 2; run++) {
        lines[run] = row_line(builder->document, &builder->runs[run], &builder->axis,
                              (RowChoice){.variant = variant});
        if (!ratio) {
            builder_add_line(builder, &lines[run], TIME_KERNEL,
                             (LineLook){.name = builder_series_name(builder, variant->name, NULL,
                                                                    TIME_KERNEL, run),
                                        .style = run == 0 ? SERIES_MEASURED : SERIES_SECONDARY,
                                        .colour = colour});
        }
    }
    if (ratio) {
        add_ratios(builder, lines, (LineLook){.name = variant->name, .colour = colour});
    }
}

static void add_pairs(const Builder *builder) {
    const Variant *variants[VARIANTS_MAX];
    const RunGroup rows = builder_all_rows(builder);
    const size_t count = builder_variants(builder, &rows, variants);
    for (size_t i = 0; i < count; i++) {
        add_pair(builder, variants[i]);
    }
}

/* --- All variants ----------------------------------------------------------------------------- */

void builder_add_variants(const Builder *builder, const Point *answer) {
    const ChartMeasure measure = builder->type->measure;
    if (builder->place == PLACE_PAGE && builder->run_count == 2 && !builder->best) {
        add_pairs(builder);
        return;
    }
    if (builder->place != PLACE_PAPER && measure == CHART_OVER_BEST_CPU &&
        builder_has_devices(builder)) {
        builder->chart->above = "GPU faster";
        builder->chart->below = "GPU slower";
    }
    for (size_t run = 0; run < builder->run_count; run++) {
        const Variant *variants[VARIANTS_MAX];
        const size_t count = builder_variants(builder, &builder->runs[run], variants);
        if (shows_best(builder)) {
            add_best(builder, run, answer);
        }
        for (size_t i = 0; i < count && !shows_best(builder); i++) {
            add_variant(builder, variants[i], run, answer);
        }
    }
}
