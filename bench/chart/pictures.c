/* The files of a chart: its points, a script, and what gnuplot draws. */

#include "layout.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "files.h"
#include "number.h"
#include "paths.h"
#include "status.h"
#include "text.h"

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

static void write_point(FILE *stream, const DocChart *chart, const ChartSeries *series,
                        const ChartPoint *point) {
    char name[FIGURE_CSV_NAME_SIZE];
    figure_csv_name(chart, series, name);
    write_csv_number(stream, point->x);
    write_csv_number(stream, point->y);
    write_csv_number(stream, point->low);
    write_csv_number(stream, point->high);
    fprintf(stream, "%d,%s,", series->colour, series_style_name(series->style));
    csv_write_field(stream, name);
    fputc(',', stream);
    csv_write_field(stream, point->label != NULL ? point->label : "");
    fputc('\n', stream);
}

Status chart_csv_write(const DocChart *chart, const char *path) {
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
            write_point(file.stream, chart, &chart->series[i], &chart->series[i].points[j]);
        }
    }
    return atomic_file_commit(&file);
}

/* === Pictures ================================================================================= */

typedef char Path[ATOMIC_FILE_PATH_SIZE];

static Status path_of(const char *folder, const char *name, const char *ending, Path path) {
    Path file;
    STATUS_TRY(path_make(file, sizeof file, "%s%s", name, ending));
    return path_in(folder, file, path, ATOMIC_FILE_PATH_SIZE);
}

/* gnuplot's strings do not hold every byte of a file name. */
static Status check_name(const char *name) {
    char shown[CHART_TEXT_SIZE];
    chart_text(name, shown, sizeof shown);
    return strcmp(shown, name) == 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--out: '%.80s' cannot be the name of a figure; leave "
                             "control characters out",
                             shown);
}

/* What each format writes: `apply` to every file. */
static Status each_picture(const FigureStyle *style, const char *name,
                           Status (*apply)(const char *file, void *context), void *context) {
    for (size_t i = 0; i < FIGURE_FORMATS; i++) {
        const FigureTerminal *format = &figure_terminals[i];
        const char *endings[] = {format->ending, format->second};
        for (size_t j = 0; (style->formats & format->bit) != 0 && j < 2; j++) {
            if (endings[j] != NULL) {
                Path file;
                STATUS_TRY(path_make(file, sizeof file, "%s%s%s", name, figure_infix(style, format),
                                     endings[j]));
                STATUS_TRY(apply(file, context));
            }
        }
    }
    return status_ok();
}

/* A drawn file goes from the folder where it was drawn, under the name it has there, to its place.
 */
typedef struct Move {
    const char *from, *to;       /* folders; without the first the targets are only looked at */
    const char *drawn_as, *name; /* of the files, without what follows */
    FILE *listing;               /* their paths are printed; NULL: nowhere */
} Move;

static Status move_picture(const char *file, void *context) {
    const Move *move = context;
    Path from, to, name;
    STATUS_TRY(path_make(name, sizeof name, "%s%s", move->name, file + strlen(move->drawn_as)));
    STATUS_TRY(path_in(move->to, name, to, sizeof to));
    if (move->from == NULL) {
        return input_guard_check(to);
    }
    STATUS_TRY(path_in(move->from, file, from, sizeof from));
    STATUS_TRY(chart_file_keep(from, to));
    if (move->listing != NULL) {
        visible_line(move->listing, "%s", to);
    }
    return status_ok();
}

static Status remove_picture(const char *file, void *context) {
    Path path;
    STATUS_TRY(path_in(context, file, path, sizeof path));
    unlink(path);
    return status_ok();
}

/* Runs the script in a folder. */
static Status draw_in(const char *folder, const char *script, const FigureStyle *style) {
    Path scripts, runner, relative;
    char terminals[LIST_WORD_SIZE * 2] = "";
    for (size_t i = 0; i < FIGURE_FORMATS; i++) {
        if ((style->formats & figure_terminals[i].bit) != 0) {
            text_append(terminals, sizeof terminals, "%s ", figure_terminals[i].terminal);
        }
    }
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(path_in(scripts, "in_folder.gp", runner, sizeof runner));
    STATUS_TRY(path_make(relative, sizeof relative, "./%s", script));
    const char *const arguments[] = {folder, relative, terminals};
    return gnuplot_run(runner, arguments, sizeof arguments / sizeof arguments[0]);
}

/* Where pictures are drawn; on the heap, since much is called meanwhile. */
typedef struct Workplace {
    Path folder, script, csv;
} Workplace;

static Status draw_at(const Workplace *place, const FigureLayout *layout, const char *folder,
                      const Move *asked) {
    const FigureStyle *style = layout->style;
    const char *name = asked->drawn_as;
    Move move = *asked;
    STATUS_TRY(figure_script_write(layout, place->script, name));
    STATUS_TRY(chart_csv_write(layout->chart, place->csv));
    const Status drawn = draw_in(place->folder, path_name(place->script), style);
    STATUS_TRY(chart_file_trouble(&drawn, place->script, folder));
    move.from = place->folder;
    move.to = folder;
    return each_picture(style, name, move_picture, &move);
}

/* Names a workplace in `folder` and makes its folder. */
static Status open_workplace(const char *folder, const char *name, Workplace *place) {
    STATUS_TRY(path_make(place->folder, sizeof place->folder, "%s%s/.figure-XXXXXX",
                         folder[0] == '/' ? "" : "./", folder));
    if (mkdtemp(place->folder) == NULL) {
        return status_make(STATUS_FILE, "cannot make a folder in %s: %s", folder, strerror(errno));
    }
    Status status = path_of(place->folder, name, ".gp", place->script);
    STATUS_THEN(status, path_of(place->folder, name, ".csv", place->csv));
    if (!status_is_ok(&status)) {
        rmdir(place->folder);
    }
    return status;
}

/* The pictures are drawn in a folder of their own, from files of their own, and then moved. */
static Status draw(const FigureLayout *layout, const char *folder, const Move *asked) {
    const char *name = asked->drawn_as;
    Workplace *place = malloc(sizeof *place);
    Status status =
        place != NULL ? open_workplace(folder, name, place) : status_no_memory("for a chart");
    if (status_is_ok(&status)) {
        status = draw_at(place, layout, folder, asked);
        unlink(place->script);
        unlink(place->csv);
        const Status removed = each_picture(layout->style, name, remove_picture, place->folder);
        (void)removed;
        rmdir(place->folder);
    }
    free(place);
    return status;
}

/* --- Of a paper ------------------------------------------------------------------------------- */

/* The picture of pgfplots, which must not be one that gnuplot draws for LaTeX. */
static const char *pgfplots_ending(const FigureStyle *style) {
    const bool taken =
        (style->formats & FIGURE_CAIROLATEX) != 0 && (style->formats & FIGURE_PDF) == 0;
    return taken ? "-pgfplots.tex" : ".tex";
}

/* The scripts that draw the chart from its CSV, for three programs. */
static Status write_scripts(const FigureLayout *layout, const char *folder, const char *name,
                            FILE *listing) {
    const struct {
        const char *ending;
        Status (*write)(const FigureLayout *layout, const char *path, const char *name);
    } scripts[] = {{".gp", figure_script_write},
                   {".py", figure_python_write},
                   {pgfplots_ending(layout->style), figure_pgfplots_write}};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        Path path;
        STATUS_TRY(path_of(folder, name, scripts[i].ending, path));
        STATUS_TRY(input_guard_check(path));
        STATUS_TRY(scripts[i].write(layout, path, name));
        visible_line(listing, "%s", path);
    }
    return status_ok();
}

Status chart_publish(const FigureStyle *style, const DocChart *chart, const char *folder,
                     const char *name, FILE *listing) {
    FigureLayout *layout = calloc(1, sizeof *layout); /* large, as much is called meanwhile */
    Path csv;
    Move look = {.to = folder, .drawn_as = name, .name = name};
    STATUS_MEMORY(layout, "for a chart");
    Status status = check_name(name);
    STATUS_THEN(status, figure_lay_out(style, chart, layout));
    STATUS_THEN(status, chart_folder_check(folder));
    STATUS_THEN(status, each_picture(style, name, move_picture, &look));
    STATUS_THEN(status, path_of(folder, name, ".csv", csv));
    STATUS_THEN(status, chart_csv_write(chart, csv));
    if (status_is_ok(&status)) {
        visible_line(listing, "%s", csv);
        status = write_scripts(layout, folder, name, listing);
    }
    if (status_is_ok(&status)) {
        const Move move = {.drawn_as = name, .name = name, .listing = listing};
        status = draw(layout, folder, &move);
    }
    figure_layout_release(layout);
    free(layout);
    return status;
}

/* --- Of a run or a report --------------------------------------------------------------------- */

/* 9 cm: a column of a paper. */
static Status draw_usual(const DocChart *chart, const char *folder, unsigned formats) {
    const FigureStyle style = {.legend = FIGURE_LEGEND_USUAL,
                               .width = 90,
                               .font_size = 8,
                               .formats = formats,
                               .x_range = {NAN, NAN},
                               .y_range = {NAN, NAN}};
    FigureLayout *layout = calloc(1, sizeof *layout);
    const Move move = {.drawn_as = "chart", .name = chart->name};
    STATUS_MEMORY(layout, "for a chart");
    Status status = figure_lay_out(&style, chart, layout);
    STATUS_THEN(status, draw(layout, folder, &move));
    figure_layout_release(layout);
    free(layout);
    return status;
}

Status chart_write(const DocChart *chart, const char *folder) {
    Path csv;
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(chart_path(folder, chart->name, "csv", csv));
    STATUS_TRY(chart_csv_write(chart, csv));
    return chart_is_drawable(chart)
               ? draw_usual(chart, folder, FIGURE_PDF | FIGURE_SVG | FIGURE_PNG)
               : status_skip("chart %.100s has no point that could be drawn", chart->name);
}

Status chart_draw(const DocChart *chart, const char *folder) {
    STATUS_TRY(chart_folder_check(folder));
    return chart_is_drawable(chart) ? draw_usual(chart, folder, FIGURE_SVG | FIGURE_PNG)
                                    : status_ok();
}
