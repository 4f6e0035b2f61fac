#include "figure_files.h"

#include <stdio.h>
#include <unistd.h>

#include "chart_files.h"
#include "figure_csv.h"
#include "figure_settings.h"
#include "gnuplot.h"

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
