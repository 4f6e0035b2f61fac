#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "atomic_file.h"
#include "chart_files.h"
#include "chart_table.h"
#include "curve_set.h"
#include "gnuplot.h"

static void write_curve(FILE *stream, const CurveSet *set, size_t index) {
    const Curve *curve = &set->curves[index];
    for (size_t i = 0; i < curve->count; i++) {
        const LacunarityPoint *point = &curve->points[i];
        fprintf(stream, "%zu\t", index + 1);
        chart_table_put(stream, curve->label);
        fprintf(stream, "\t%.17g\t%.17g\t", point->box, point->lambda);
        if (!isnan(point->normalised)) {
            fprintf(stream, "%.17g", log10(point->normalised));
        }
        fputc('\n', stream);
    }
}

static Status write_table(const char *path, const CurveSet *set) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("curve\tlabel\tbox\tlambda\tlog_normalised\n", file.stream);
    for (size_t i = 0; i < set->count; i++) {
        write_curve(file.stream, set, i);
    }
    return atomic_file_commit(&file);
}

Status curve_set_draw(const CurveSet *set, const char *folder, const char *name) {
    char scripts[GNUPLOT_PATH_SIZE], table[ATOMIC_FILE_PATH_SIZE], title[CURVE_TITLE_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(chart_path(folder, name, "curves.tsv", table));
    STATUS_TRY(write_table(table, set));
    chart_table_field(set->title, title, sizeof title);
    const ChartDrawing drawing = {.script = "curve.gp", .table = table, .algorithm = title};
    const Status status = chart_files_draw(&drawing, scripts, folder, name);
    unlink(table);
    return status;
}
