/* A document's charts and tables as files. */

#include "report_internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "status.h"

/* === Figure settings ========================================================================== */

enum { FIGURE_TEXT_SIZE = 1024 };

typedef struct Range {
    double least, most;
} Range;

typedef struct Ranges {
    Range x, y;
} Ranges;

static bool can_be_drawn(const ChartAxis *axis, double value) {
    return isfinite(value) && (!axis->log || value > 0);
}

static void widen(Range *range, const ChartAxis *axis, double value) {
    if (can_be_drawn(axis, value)) {
        range->least = value < range->least ? value : range->least;
        range->most = value > range->most ? value : range->most;
    }
}

static Ranges ranges_of(const DocChart *chart) {
    Ranges ranges = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            const ChartPoint *point = &chart->series[i].points[j];
            if (can_be_drawn(&chart->x, point->x) && can_be_drawn(&chart->y, point->y)) {
                widen(&ranges.x, &chart->x, point->x);
                widen(&ranges.y, &chart->y, point->y);
                widen(&ranges.y, &chart->y, point->low);
                widen(&ranges.y, &chart->y, point->high);
            }
        }
    }
    if (isfinite(ranges.y.least)) {
        widen(&ranges.y, &chart->y, chart->reference);
    }
    return ranges;
}

/* In single quotes gnuplot runs no commands and knows no escapes, and it stumbles over doubled
 * quotes at the beginning: each quote is a text of its own. What is longer is cut in the figure
 * too. */
static void write_text(FILE *stream, const char *text) {
    char shown[FIGURE_TEXT_SIZE];
    chart_text(text != NULL ? text : "", shown, sizeof shown);
    fputc('\'', stream);
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'.\"'\".'", stream);
        } else {
            fputc(*c, stream);
        }
    }
    fputs("'\n", stream);
}

static void write_number(FILE *stream, const char *name, double value) {
    char number[32];
    number_text_exact(value, number, sizeof number);
    /* Without a point gnuplot takes a number for an integer, and halves of it with it. */
    fprintf(stream, "%s = %s%s\n", name, number[0] != '\0' ? number : "NaN",
            number[0] != '\0' ? " * 1.0" : "");
}

/* gnuplot has no arrays of length 0. */
static void write_array(FILE *stream, const char *name, size_t count) {
    fprintf(stream, "array %s[%zu]\n", name, count > 0 ? count : 1);
}

static void write_axis(FILE *stream, char name, const ChartAxis *axis, const Range *range) {
    char variable[48];
    fprintf(stream, "%c_title = ", name);
    write_text(stream, axis->title);
    fprintf(stream, "%c_log = %d\n%c_tick_count = %zu\n", name, axis->log, name, axis->count);
    snprintf(variable, sizeof variable, "%c_least", name);
    write_number(stream, variable, range->least);
    snprintf(variable, sizeof variable, "%c_most", name);
    write_number(stream, variable, range->most);
    snprintf(variable, sizeof variable, "%c_tick", name);
    write_array(stream, variable, axis->count);
    snprintf(variable, sizeof variable, "%c_tick_name", name);
    write_array(stream, variable, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        snprintf(variable, sizeof variable, "%c_tick[%zu]", name, i + 1);
        write_number(stream, variable, axis->ticks[i].value);
        fprintf(stream, "%c_tick_name[%zu] = ", name, i + 1);
        write_text(stream, axis->ticks[i].label);
    }
}

/* Rows are those of the CSV file; that of its header is 0. */
static void write_series(FILE *stream, const DocChart *chart) {
    size_t row = 1;
    static const char *const arrays[] = {"series_name", "series_style", "series_colour",
                                         "series_first", "series_last"};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        write_array(stream, arrays[i], chart->count);
    }
    size_t shown = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->count > 0) {
            shown++;
            fprintf(stream, "series_style[%zu] = %d\nseries_colour[%zu] = %d\n", shown,
                    (int)series->style, shown, series->colour);
            fprintf(stream, "series_first[%zu] = %zu\nseries_last[%zu] = %zu\n", shown, row, shown,
                    row + series->count - 1);
            fprintf(stream, "series_name[%zu] = ", shown);
            write_text(stream, series->name);
            row += series->count;
        }
    }
    fprintf(stream, "series_count = %zu\n", shown);
}

Status figure_settings_write(const DocChart *chart, const char *path, bool *drawable) {
    const Ranges ranges = ranges_of(chart);
    *drawable = ranges.x.least <= ranges.x.most && ranges.y.least <= ranges.y.most;
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    fputs("figure_title = ", stream);
    write_text(stream, chart->title);
    write_number(stream, "reference", chart->reference);
    write_axis(stream, 'x', &chart->x, &ranges.x);
    write_axis(stream, 'y', &chart->y, &ranges.y);
    write_series(stream, chart);
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

enum { PICTURES = 3 };

typedef struct Figure {
    char csv[ATOMIC_FILE_PATH_SIZE];
    char settings[ATOMIC_FILE_PATH_SIZE]; /* a part file that is only read, then removed */
    char picture[PICTURES][ATOMIC_FILE_PATH_SIZE];
    char part[PICTURES][ATOMIC_FILE_PATH_SIZE]; /* drawn here, then renamed */
} Figure;

static Status name_files(Figure *figure, const char *folder, const char *name) {
    static const char *const suffixes[PICTURES] = {"svg", "pdf", "png"};
    char settings[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_path(folder, name, "csv", figure->csv));
    STATUS_TRY(chart_path(folder, name, "gp", settings));
    STATUS_TRY(atomic_file_part_make(settings, figure->settings));
    for (int i = 0; i < PICTURES; i++) {
        STATUS_TRY(chart_path(folder, name, suffixes[i], figure->picture[i]));
        STATUS_TRY(atomic_file_part_make(figure->picture[i], figure->part[i]));
    }
    return status_ok();
}

static void remove_parts(const Figure *figure) {
    unlink(figure->settings);
    for (int i = 0; i < PICTURES; i++) {
        unlink(figure->part[i]);
    }
}

static Status draw(const Figure *figure) {
    char folder[GNUPLOT_PATH_SIZE], script[GNUPLOT_PATH_SIZE + 16];
    STATUS_TRY(gnuplot_script_folder(folder, sizeof folder));
    snprintf(script, sizeof script, "%s/figure.gp", folder);
    const char *const arguments[] = {figure->settings, figure->csv, figure->part[0],
                                     figure->part[1], figure->part[2]};
    const Status drawn = gnuplot_run(script, arguments, sizeof arguments / sizeof arguments[0]);
    return chart_file_trouble(&drawn, figure->part[0], figure->picture[0]);
}

static Status keep_pictures(const Figure *figure) {
    for (int i = 0; i < PICTURES; i++) {
        STATUS_TRY(chart_file_keep(figure->part[i], figure->picture[i]));
    }
    return status_ok();
}

static Status draw_and_keep(const Figure *figure, const DocChart *chart) {
    bool drawable;
    STATUS_TRY(figure_csv_write(chart, figure->csv));
    STATUS_TRY(figure_settings_write(chart, figure->settings, &drawable));
    if (!drawable) {
        return status_skip("chart %.100s has no point that could be drawn", chart->name);
    }
    STATUS_TRY(draw(figure));
    return keep_pictures(figure);
}

Status figure_write(const DocChart *chart, const char *folder) {
    Figure figure = {.csv = ""};
    STATUS_TRY(chart_folder_check(folder));
    Status status = name_files(&figure, folder, chart->name);
    if (status_is_ok(&status)) {
        status = draw_and_keep(&figure, chart);
    }
    remove_parts(&figure);
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
        if (!document_only_lacks_pictures(&status)) {
            return status;
        }
        lacking = status_is_ok(&lacking) ? status : lacking;
    }
    return lacking;
}

bool document_only_lacks_pictures(const Status *status) {
    return status_is_ok(status) || status->code == STATUS_SKIP ||
           status->code == STATUS_INTERRUPTED;
}
