#include "figure_csv.h"

#include <math.h>

#include "atomic_file.h"
#include "csv_records.h"
#include "number_text.h"

const char *series_style_name(SeriesStyle style) {
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

static void write_axis(FILE *stream, char name, const ChartAxis *axis) {
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

static void write_number(FILE *stream, double value) {
    char number[32];
    number_text(value, number, sizeof number);
    fprintf(stream, "%s,", number);
}

static void write_point(FILE *stream, const ChartSeries *series, const ChartPoint *point) {
    write_number(stream, point->x);
    write_number(stream, point->y);
    write_number(stream, point->low);
    write_number(stream, point->high);
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
    write_axis(file.stream, 'x', &chart->x);
    write_axis(file.stream, 'y', &chart->y);
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
