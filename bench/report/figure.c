/* A document's charts and tables as files. */

#include "report_internal.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "status.h"
#include "utf8.h"

/* === Figure settings ========================================================================== */

enum { FIGURE_TEXT_SIZE = CHART_TEXT_SIZE };

typedef struct Range {
    double least, most;
} Range;

static const Range no_range = {INFINITY, -INFINITY};

static size_t panels_of(const DocChart *chart) {
    return chart->panel_count > 0 ? chart->panel_count : 1;
}

/* Whether the panels have the chart's y axis in common. */
static bool share_axis(const DocChart *chart) {
    return chart->panel_count == 0 || chart->panels[0].y.title == NULL;
}

static const ChartAxis *axis_of(const DocChart *chart, size_t panel) {
    return share_axis(chart) ? &chart->y : &chart->panels[panel].y;
}

static double reference_of(const DocChart *chart, size_t panel) {
    return share_axis(chart) ? chart->reference : chart->panels[panel].reference;
}

static bool can_be_drawn(const ChartAxis *axis, double value) {
    return isfinite(value) && (!axis->log || value > 0);
}

static void widen(Range *range, const ChartAxis *axis, double value) {
    if (can_be_drawn(axis, value)) {
        range->least = value < range->least ? value : range->least;
        range->most = value > range->most ? value : range->most;
    }
}

static bool is_range(const Range *range) {
    return range->least <= range->most;
}

/* The points of all panels where these share the axis. */
static void find_ranges(const DocChart *chart, size_t panel, Range *x, Range *y) {
    const ChartAxis *axis = axis_of(chart, panel);
    *y = no_range;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if ((share_axis(chart) || series->panel == panel) &&
                can_be_drawn(&chart->x, point->x) && can_be_drawn(axis, point->y)) {
                widen(x, &chart->x, point->x);
                widen(y, axis, point->y);
                widen(y, axis, point->low);
                widen(y, axis, point->high);
            }
        }
    }
    if (isfinite(y->least)) {
        widen(y, axis, reference_of(chart, panel));
    }
}

static void write_text(FILE *stream, const char *text) {
    gnuplot_text_write(stream, text != NULL ? text : "");
    fputc('\n', stream);
}

static void write_number(FILE *stream, const char *name, double value) {
    char number[32];
    number_text_exact(value, number, sizeof number);
    /* gnuplot reads a number without a point as an integer and rounds its halves down. */
    fprintf(stream, "%s = %s%s\n", name, number[0] != '\0' ? number : "NaN",
            number[0] != '\0' ? " * 1.0" : "");
}

/* gnuplot has no arrays of length 0. */
static void write_array(FILE *stream, const char *name, size_t count) {
    fprintf(stream, "array %s[%zu]\n", name, count > 0 ? count : 1);
}

/* "x_tick[3] = 7" */
static void write_element(FILE *stream, const char *array, size_t place, double value) {
    char variable[48];
    snprintf(variable, sizeof variable, "%s[%zu]", array, place);
    write_number(stream, variable, value);
}

static void write_word(FILE *stream, const char *array, size_t place, const char *text) {
    fprintf(stream, "%s[%zu] = ", array, place);
    write_text(stream, text);
}

/* The first line of a text, and what follows it. */
static void split_lines(const char *text, char first[FIGURE_TEXT_SIZE],
                        char rest[FIGURE_TEXT_SIZE]) {
    const char *given = text != NULL ? text : "";
    const size_t length = strcspn(given, "\n");
    snprintf(first, FIGURE_TEXT_SIZE, "%.*s", (int)length, given);
    utf8_copy(rest, FIGURE_TEXT_SIZE, given[length] == '\n' ? given + length + 1 : "");
}

static void write_two_lines(FILE *stream, const char *name, const char *rest_name,
                            const char *text) {
    char first[FIGURE_TEXT_SIZE], rest[FIGURE_TEXT_SIZE];
    split_lines(text, first, rest);
    fprintf(stream, "%s = ", name);
    write_text(stream, first);
    fprintf(stream, "%s = ", rest_name);
    write_text(stream, rest);
}

/* A second line of a tick is its note. */
static void write_ticks(FILE *stream, char name, const ChartAxis *axis) {
    char places[16], names[16], notes[16];
    snprintf(places, sizeof places, "%c_tick", name);
    snprintf(names, sizeof names, "%c_tick_name", name);
    snprintf(notes, sizeof notes, "%c_tick_note", name);
    fprintf(stream, "%c_tick_count = %zu\n", name, axis->count);
    write_array(stream, places, axis->count);
    write_array(stream, names, axis->count);
    write_array(stream, notes, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        char label[FIGURE_TEXT_SIZE], note[FIGURE_TEXT_SIZE];
        split_lines(axis->ticks[i].label, label, note);
        write_element(stream, places, i + 1, axis->ticks[i].value);
        write_word(stream, names, i + 1, label);
        write_word(stream, notes, i + 1, note);
    }
}

/* False when no panel has a point that can be drawn. */
static bool write_panels(FILE *stream, const DocChart *chart) {
    const size_t count = panels_of(chart);
    Range x = no_range;
    bool any = false;
    static const char *const arrays[] = {"panel_title", "panel_y_title", "panel_y_log",
                                         "panel_least", "panel_most",    "panel_reference"};
    fprintf(stream, "panel_count = %zu\npanels_share = %d\n", count, share_axis(chart));
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        write_array(stream, arrays[i], count);
    }
    for (size_t i = 0; i < count; i++) {
        Range y;
        const ChartAxis *axis = axis_of(chart, i);
        find_ranges(chart, i, &x, &y);
        any |= is_range(&y);
        write_word(stream, "panel_title", i + 1,
                   chart->panel_count > 0 ? chart->panels[i].title : "");
        write_word(stream, "panel_y_title", i + 1, axis->title);
        fprintf(stream, "panel_y_log[%zu] = %d\n", i + 1, axis->log);
        write_element(stream, "panel_least", i + 1, y.least);
        write_element(stream, "panel_most", i + 1, y.most);
        write_element(stream, "panel_reference", i + 1, reference_of(chart, i));
    }
    write_number(stream, "x_least", x.least);
    write_number(stream, "x_most", x.most);
    return any && is_range(&x);
}

/* Series of one name in several panels have one entry in the key. */
static bool is_in_key(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    for (size_t i = 0; i < index; i++) {
        const ChartSeries *other = &chart->series[i];
        if (other->panel != series->panel && other->count > 0 && other->style == series->style &&
            other->colour == series->colour && other->name != NULL && series->name != NULL &&
            strcmp(other->name, series->name) == 0) {
            return false;
        }
    }
    return true;
}

static bool has_intervals(const ChartSeries *series) {
    for (size_t i = 0; i < series->count; i++) {
        if (isfinite(series->points[i].low) || isfinite(series->points[i].high)) {
            return true;
        }
    }
    return false;
}

static double sum_of(const ChartSeries *series) {
    double sum = 0;
    for (size_t i = 0; i < series->count; i++) {
        sum += isfinite(series->points[i].y) ? series->points[i].y : 0;
    }
    return sum;
}

/* gnuplot multiplies dashes by four widths of a line. */
static void write_look(FILE *stream, size_t place, Look look) {
    char dash[64] = "solid";
    if (look.dash[0] != '\0') {
        snprintf(dash, sizeof dash, "(%s)", look.dash);
    }
    fprintf(stream, "series_shape[%zu] = %d\nseries_hollow[%zu] = %d\n", place,
            (int)look.marker + 1, place, look.hollow);
    write_word(stream, "series_rgb", place, look.colour);
    write_word(stream, "series_dash", place, dash);
}

/* Rows are those of the CSV file; that of its header is 0. */
static void write_series(FILE *stream, const DocChart *chart) {
    size_t row = 1;
    static const char *const arrays[] = {
        "series_x",         "series_y",      "series_end_x", "series_end_y", "series_name",
        "series_style",     "series_colour", "series_rgb",   "series_shape", "series_hollow",
        "series_dash",      "series_first",  "series_last",  "series_panel", "series_in_key",
        "series_intervals", "series_sum"};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        write_array(stream, arrays[i], chart->count);
    }
    size_t shown = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->count > 0 && series->style != SERIES_WORDS) {
            shown++;
            fprintf(stream, "series_style[%zu] = %d\nseries_colour[%zu] = %d\n", shown,
                    (int)series->style, shown, series->colour);
            fprintf(stream, "series_first[%zu] = %zu\nseries_last[%zu] = %zu\n", shown, row, shown,
                    row + series->count - 1);
            fprintf(stream, "series_panel[%zu] = %zu\nseries_in_key[%zu] = %d\n", shown,
                    series->panel + 1, shown, is_in_key(chart, i));
            fprintf(stream, "series_intervals[%zu] = %d\n", shown, has_intervals(series));
            write_element(stream, "series_sum", shown, sum_of(series));
            write_element(stream, "series_x", shown, series->points[0].x);
            write_element(stream, "series_y", shown, series->points[0].y);
            write_element(stream, "series_end_x", shown, series->points[series->count - 1].x);
            write_element(stream, "series_end_y", shown, series->points[series->count - 1].y);
            write_word(stream, "series_name", shown, series->name);
            write_look(stream, shown, look_numbered(series->colour));
        }
        row += series->count;
    }
    fprintf(stream, "series_count = %zu\n", shown);
}

/* What stands on parts of bars, and at their ends: series 0. */
static void write_labels(FILE *stream, const DocChart *chart) {
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < chart->count; i++) {
        count += chart->series[i].count;
    }
    static const char *const arrays[] = {"label_text", "label_bar", "label_from", "label_to",
                                         "label_series"};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        write_array(stream, arrays[i], count);
    }
    fputs("label_heading = ''\n", stream);
    count = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const bool words = series->style == SERIES_WORDS;
        shown += series->count > 0 && !words;
        if (words) {
            fputs("label_heading = ", stream);
            write_text(stream, series->name);
        }
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (point->label != NULL) {
                count++;
                write_word(stream, "label_text", count, point->label);
                write_element(stream, "label_bar", count, point->x);
                write_element(stream, "label_from", count, words ? point->y : point->low);
                write_element(stream, "label_to", count, words ? point->y : point->high);
                fprintf(stream, "label_series[%zu] = %zu\n", count, words ? 0 : shown);
            }
        }
    }
    fprintf(stream, "label_count = %zu\n", count);
}

Status figure_settings_write(const DocChart *chart, const char *path, bool *drawable) {
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    write_two_lines(stream, "figure_title", "figure_subtitle", chart->title);
    fputs("figure_note = ", stream);
    write_text(stream, chart->note);
    fprintf(stream, "figure_kind = %d\nordered = %d\nceilings_named = %d\nx_log = %d\nx_title = ",
            (int)chart->kind, chart->ordered, chart->ceilings_named, chart->x.log);
    write_text(stream, chart->x.title);
    fputs("y_title = ", stream);
    write_text(stream, chart->y.title);
    write_ticks(stream, 'x', &chart->x);
    write_ticks(stream, 'y', &chart->y);
    fputs("side_above = ", stream);
    write_text(stream, chart->above);
    fputs("side_below = ", stream);
    write_text(stream, chart->below);
    *drawable = write_panels(stream, chart);
    write_series(stream, chart);
    if (chart->kind == CHART_BARS) {
        write_labels(stream, chart);
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    return status_ok();
}

/* === Figure csv =============================================================================== */

/* How a style is called in the file: "measured", "secondary", "published", "ceiling". */
static const char *series_style_name(SeriesStyle style) {
    switch (style) {
    case SERIES_MEASURED: return "measured";
    case SERIES_SECONDARY: return "secondary";
    case SERIES_PUBLISHED: return "published";
    case SERIES_WORDS: return "words";
    case SERIES_EXTRAPOLATED: return "extrapolated";
    case SERIES_CEILING: break;
    }
    return "ceiling";
}

static void write_comment(FILE *stream, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') {
        csv_write_comment(stream, key, text);
    }
}

static void write_csv_axis(FILE *stream, char name, const ChartAxis *axis) {
    const char key[] = {name, '\0'};
    write_comment(stream, key, axis->title);
    if (axis->log) {
        fprintf(stream, "# %c is logarithmic\n", name);
    }
    for (size_t i = 0; i < axis->count; i++) {
        char number[32], mark[48];
        number_text(axis->ticks[i].value, number, sizeof number);
        snprintf(mark, sizeof mark, "%c = %s", name, number);
        write_comment(stream, mark, axis->ticks[i].label);
    }
}

static void write_csv_number(FILE *stream, double value) {
    char number[32];
    number_text(value, number, sizeof number);
    fprintf(stream, "%s,", number);
}

static void write_point(FILE *stream, const ChartSeries *series, const ChartPoint *point) {
    write_csv_number(stream, point->x);
    write_csv_number(stream, point->y);
    write_csv_number(stream, point->low);
    write_csv_number(stream, point->high);
    fprintf(stream, "%d,%s,", series->colour, series_style_name(series->style));
    csv_write_field(stream, series->name != NULL ? series->name : "");
    fputc(',', stream);
    csv_write_field(stream, point->label != NULL ? point->label : "");
    fputc('\n', stream);
}

Status figure_csv_write(const DocChart *chart, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    write_comment(file.stream, "title", chart->title);
    write_comment(file.stream, "description", chart->description);
    write_csv_axis(file.stream, 'x', &chart->x);
    write_csv_axis(file.stream, 'y', &chart->y);
    if (!isnan(chart->reference)) {
        char number[32];
        number_text(chart->reference, number, sizeof number);
        write_comment(file.stream, "reference", number);
    }
    fputs("x,y,low,high,colour,style,series,label\n", file.stream);
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            write_point(file.stream, &chart->series[i], &chart->series[i].points[j]);
        }
    }
    return atomic_file_commit(&file);
}

/* === Figure files ============================================================================= */

enum { IMAGES = 3, FIGURE_SVG = 0, FIGURE_PDF = 1, FIGURE_PNG = 2 };

typedef struct Figure {
    char csv[ATOMIC_FILE_PATH_SIZE];      /* a part file when only the images are wanted */
    char settings[ATOMIC_FILE_PATH_SIZE]; /* a part file that is only read, then removed */
    char image[IMAGES][ATOMIC_FILE_PATH_SIZE];
    char part[IMAGES][ATOMIC_FILE_PATH_SIZE]; /* drawn here, then renamed; empty: not drawn */
    bool whole;                               /* with CSV and PDF */
} Figure;

static Status name_files(Figure *figure, const char *folder, const char *name) {
    static const char *const suffixes[IMAGES] = {
        [FIGURE_SVG] = "svg", [FIGURE_PDF] = "pdf", [FIGURE_PNG] = "png"};
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_path(folder, name, "csv", path));
    if (figure->whole) {
        memcpy(figure->csv, path, sizeof path);
    } else {
        STATUS_TRY(atomic_file_part_make(path, figure->csv));
    }
    STATUS_TRY(chart_path(folder, name, "gp", path));
    STATUS_TRY(atomic_file_part_make(path, figure->settings));
    for (int i = 0; i < IMAGES; i++) {
        if (figure->whole || i != FIGURE_PDF) {
            STATUS_TRY(chart_path(folder, name, suffixes[i], figure->image[i]));
            STATUS_TRY(atomic_file_part_make(figure->image[i], figure->part[i]));
        }
    }
    return status_ok();
}

static void remove_file(const char *path) {
    if (path[0] != '\0') {
        unlink(path);
    }
}

static void remove_parts(const Figure *figure) {
    remove_file(figure->settings);
    remove_file(figure->whole ? "" : figure->csv);
    for (int i = 0; i < IMAGES; i++) {
        remove_file(figure->part[i]);
    }
}

static Status draw(const Figure *figure) {
    char folder[GNUPLOT_PATH_SIZE], script[GNUPLOT_PATH_SIZE + 16];
    STATUS_TRY(gnuplot_script_folder(folder, sizeof folder));
    snprintf(script, sizeof script, "%s/figure.gp", folder);
    const char *const arguments[] = {figure->settings, figure->csv, figure->part[FIGURE_SVG],
                                     figure->part[FIGURE_PDF], figure->part[FIGURE_PNG]};
    const Status drawn = gnuplot_run(script, arguments, sizeof arguments / sizeof arguments[0]);
    return chart_file_trouble(&drawn, figure->part[FIGURE_SVG], figure->image[FIGURE_SVG]);
}

static Status keep_images(const Figure *figure) {
    for (int i = 0; i < IMAGES; i++) {
        if (figure->part[i][0] != '\0') {
            STATUS_TRY(chart_file_keep(figure->part[i], figure->image[i]));
        }
    }
    return status_ok();
}

static Status draw_and_keep(const Figure *figure, const DocChart *chart) {
    bool drawable;
    STATUS_TRY(figure_csv_write(chart, figure->csv));
    STATUS_TRY(figure_settings_write(chart, figure->settings, &drawable));
    if (!drawable) {
        return figure->whole
                   ? status_skip("chart %.100s has no point that could be drawn", chart->name)
                   : status_ok();
    }
    STATUS_TRY(draw(figure));
    return keep_images(figure);
}

static Status write_files(const DocChart *chart, const char *folder, bool whole) {
    Figure figure = {.whole = whole};
    STATUS_TRY(chart_folder_check(folder));
    Status status = name_files(&figure, folder, chart->name);
    if (status_is_ok(&status)) {
        status = draw_and_keep(&figure, chart);
    }
    remove_parts(&figure);
    return status;
}

Status figure_write(const DocChart *chart, const char *folder) {
    return write_files(chart, folder, true);
}

Status chart_draw(const DocChart *chart, const char *folder) {
    return write_files(chart, folder, false);
}

Status chart_draw_alone(const char *folder, const char *name, const char *title, ChartFill *fill,
                        const void *content) {
    Document document;
    document_open(&document, "");
    DocChart *chart = document_chart(&document, name, title);
    if (chart != NULL) {
        chart->name = name;
        fill(&document, chart, content);
    }
    Status status = document_status(&document);
    if (status_is_ok(&status)) {
        status = chart_draw(chart, folder);
    }
    document_release(&document);
    return status;
}

/* === Table csv ================================================================================ */

Status table_csv_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    table_print_csv(file.stream, table);
    return atomic_file_commit(&file);
}

/* === Document files =========================================================================== */

/* <folder>/<name><suffix>, with its folder made. */
static Status file_path(const char *folder, const char *name, const char *suffix,
                        char path[ATOMIC_FILE_PATH_SIZE]) {
    STATUS_TRY(path_make(path, ATOMIC_FILE_PATH_SIZE, "%s/%s%s", folder, name, suffix));
    return folder_make_for(path);
}

typedef struct TableWriter {
    TableFormat format;
    const char *suffix;
    Status (*write)(const DocTable *table, const char *path);
} TableWriter;

static Status write_table(const DocTable *table, const char *folder, unsigned formats) {
    static const TableWriter writers[] = {{TABLE_CSV, ".csv", table_csv_write},
                                          {TABLE_MARKDOWN, ".md", markdown_table_write},
                                          {TABLE_LATEX, ".tex", latex_table_write}};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if ((formats & writers[i].format) != 0) {
            char path[ATOMIC_FILE_PATH_SIZE];
            STATUS_TRY(file_path(folder, table->name, writers[i].suffix, path));
            STATUS_TRY(writers[i].write(table, path));
        }
    }
    return status_ok();
}

Status document_tables_write(const Document *document, const char *folder, unsigned formats) {
    STATUS_TRY(document_status(document));
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].kind == BLOCK_TABLE) {
            STATUS_TRY(write_table(document->blocks[i].table, folder, formats));
        }
    }
    if ((formats & TABLE_LATEX) == 0) {
        return status_ok();
    }
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(file_path(folder, "all", ".tex", path));
    return latex_tables_write(document, path);
}

Status document_figures_write(const Document *document, const char *folder) {
    STATUS_TRY(document_status(document));
    Status lacking = status_ok();
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].kind != BLOCK_CHART) {
            continue;
        }
        char path[ATOMIC_FILE_PATH_SIZE];
        STATUS_TRY(file_path(folder, document->blocks[i].chart->name, ".csv", path));
        const Status status = figure_write(document->blocks[i].chart, folder);
        if (!document_only_lacks_images(&status)) {
            return status;
        }
        lacking = status_is_ok(&lacking) ? status : lacking;
    }
    return lacking;
}

bool document_only_lacks_images(const Status *status) {
    return status_is_ok(status) || status->code == STATUS_SKIP ||
           status->code == STATUS_INTERRUPTED;
}
