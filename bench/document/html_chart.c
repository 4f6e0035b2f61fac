/* Charts of an HTML page: the drawing, its legend and the table of its data. */
#include "html_parts.h"
#include "svg_chart.h"
#include "svg_marks.h"

/* The script makes the entries switches. Ceilings are named in the drawing. */
static void write_legend(FILE *stream, const DocChart *chart) {
    bool any = false;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style == SERIES_CEILING) {
            continue;
        }
        fputs(any ? "" : "<ul class=\"legend\">\n", stream);
        any = true;
        fprintf(stream, "<li data-series=\"%zu\">", i);
        svg_swatch(stream, series);
        html_escape(stream, series->name);
        fputs("</li>\n", stream);
    }
    fputs(any ? "</ul>\n" : "", stream);
}

/* The table is made in a document of its own: the one that is written is not changed. */
static Status write_data(FILE *stream, const DocChart *chart) {
    Document scratch;
    document_open(&scratch, "");
    const DocTable *table = chart_table(&scratch, chart);
    const Status status = document_status(&scratch);
    if (status_is_ok(&status)) {
        fputs("<details class=\"data\"><summary>Data</summary>\n", stream);
        if (chart->description != NULL) {
            fputs("<p>", stream);
            html_escape(stream, chart->description);
            fputs("</p>\n", stream);
        }
        html_table_write(stream, table);
        fputs("</details>\n", stream);
    }
    document_release(&scratch);
    return status;
}

Status html_chart_write(FILE *stream, const DocChart *chart) {
    fputs("<figure class=\"chart\">\n<figcaption>", stream);
    html_escape(stream, chart->title);
    fputs("</figcaption>\n", stream);
    svg_chart_write(stream, chart);
    write_legend(stream, chart);
    STATUS_TRY(write_data(stream, chart));
    fputs("</figure>\n", stream);
    return status_ok();
}
