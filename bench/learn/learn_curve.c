#include "learn_curve.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "atomic_file.h"
#include "chart_files.h"
#include "chart_table.h"
#include "gnuplot.h"
#include "visible.h"

Status learn_curve_create(size_t room, LearnCurve *curve) {
    *curve = (LearnCurve){.points = malloc((room + 1) * sizeof *curve->points), .room = room};
    return curve->points != NULL ? status_ok()
                                 : status_skip("no memory left for a curve of %zu points", room);
}

void learn_curve_release(LearnCurve *curve) {
    free(curve->points);
    *curve = (LearnCurve){0};
}

void learn_curve_add(LearnCurve *curve, LearnCurvePoint point) {
    curve->points[curve->count++] = point;
}

static Status write_table(const char *path, const LearnCurve *curve) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("step,loss,share\n", file.stream);
    for (size_t i = 0; i < curve->count; i++) {
        const LearnCurvePoint *point = &curve->points[i];
        fprintf(file.stream, "%" PRIu64 ",%.9g,%.9g\n", point->step, point->loss, point->share);
    }
    return atomic_file_commit(&file);
}

/* What went to a pipe or a terminal cannot be read again: gnuplot would wait for itself. */
static bool is_drawable(const char *path, const LearnCurve *curve) {
    struct stat facts;
    return curve->count >= 2 && stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* "charts/loss.csv" is drawn as loss.svg and loss.png in charts. */
static Status draw(const char *path, const char *title, const LearnCurve *curve) {
    char folder[ATOMIC_FILE_PATH_SIZE], scripts[GNUPLOT_PATH_SIZE], field[CHART_NAME_SIZE];
    char table[ATOMIC_FILE_PATH_SIZE];
    if (!is_drawable(path, curve)) {
        return status_ok();
    }
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    char stem[CHART_NAME_SIZE];
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(name - path) : 1,
             slash != NULL ? path : ".");
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    chart_table_field(title, field, sizeof field);
    /* gnuplot runs names that begin with '<' as commands. */
    if (snprintf(table, sizeof table, "%s%s", path[0] == '/' ? "" : "./", path) >=
        (int)sizeof table) {
        return status_make(STATUS_FILE, "the path %.100s… is too long", path);
    }
    const ChartDrawing drawing = {.script = "learning.gp", .table = table, .algorithm = field};
    return chart_files_draw(&drawing, scripts, folder, stem);
}

Status learn_curve_write(const char *path, const char *title, const LearnCurve *curve) {
    STATUS_TRY(write_table(path, curve));
    const Status status = draw(path, title, curve);
    if (!status_is_ok(&status)) { /* hours of training are not thrown away for a chart */
        visible_line(stderr, "no chart of the curve: %s", status.why);
    }
    return status_ok();
}
