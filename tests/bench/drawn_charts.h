/* The charts of a results file: their models, and drawing them in a scratch folder. */
#ifndef TESTS_DRAWN_CHARTS_H
#define TESTS_DRAWN_CHARTS_H

#include "document.h"
#include "files.h"
#include "needs.h"
#include "report.h"
#include "report_internal.h"
#include "run_record.h"
#include "scratch_folder.h"
#include "stored_run.h"
#include "test.h"

static inline Status draw_csv(const char *csv, const char *folder) {
    RELEASED_BY(results_release) Results results;
    size_t ignored;
    STATUS_TRY(results_csv_read(csv, &results, &ignored));
    RunCharts charts;
    const Status status = run_charts_draw(&results, folder, &charts);
    return status;
}

/* Into the test's folder. Skips the test where gnuplot is not installed. */
static inline void draw(const char *csv) {
    const Status status = draw_csv(csv, test_folder);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
}

/* Every chart that a file has data for. */
typedef struct Charts {
    Results results;
    RunChartList list;
    Document document;
} Charts;

static inline Charts open_charts(const char *csv) {
    Charts charts;
    size_t ignored;
    assert_ok(results_csv_read(csv, &charts.results, &ignored));
    assert_ok(run_charts_list(&charts.results, &charts.list));
    document_open(&charts.document, "");
    return charts;
}

static inline void close_charts(Charts *charts) {
    document_release(&charts->document);
    run_charts_release(&charts->list);
    results_release(&charts->results);
}

/* The chart of this name; NULL: the file has none. */
static inline const RunChart *listed_chart(const Charts *charts, const char *name) {
    for (size_t i = 0; i < charts->list.count; i++) {
        if (strcmp(charts->list.charts[i].name, name) == 0) {
            return &charts->list.charts[i];
        }
    }
    return NULL;
}

static inline const DocChart *built_chart(Charts *charts, const char *name) {
    const RunChart *listed = listed_chart(charts, name);
    if (listed == NULL) {
        fail_msg("there is no chart %s", name);
    }
    const DocChart *chart = run_chart_build(&charts->results, listed, &charts->document);
    assert_non_null(chart);
    return chart;
}

static inline size_t count_subject(const Charts *charts, ChartSubject subject) {
    size_t count = 0;
    for (size_t i = 0; i < charts->list.count; i++) {
        count += charts->list.charts[i].subject == subject;
    }
    return count;
}

/* The series of this name in a panel; NULL: there is none. */
static inline const ChartSeries *find_series(const DocChart *chart, size_t panel,
                                             const char *name) {
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].panel == panel && strcmp(chart->series[i].name, name) == 0) {
            return &chart->series[i];
        }
    }
    return NULL;
}

static inline bool is_about(double value, double wanted) {
    return fabs(value - wanted) <= 1e-6 * fabs(wanted);
}

/* So many points x, y. */
static inline void expect_points(const DocChart *chart, size_t panel, const char *name,
                                 size_t count, const double (*points)[2]) {
    const ChartSeries *series = find_series(chart, panel, name);
    assert_non_null(series);
    assert_int_equal(series->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(is_about(series->points[i].x, points[i][0]));
        assert_true(is_about(series->points[i].y, points[i][1]));
    }
}

/* The SVG of a chart, with its PNG checked. */
static inline char *chart(const char *name) {
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/%s.png", test_folder, name);
    assert_ok(file_text_read(path, "a text", SIZE_MAX, &text, &length));
    assert_true(length > 1000);
    assert_memory_equal(text, "\x89PNG", 4);
    free(text);
    snprintf(path, sizeof path, "%s/%s.svg", test_folder, name);
    assert_ok(file_text_read(path, "a text", SIZE_MAX, &text, &length));
    assert_says(text, "</svg>");
    return test_keep(text);
}

static inline void expect_words(const char *name, const char *const *words) {
    char *svg = chart(name);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strstr(svg, words[i]) == NULL) {
            fail_msg("%s does not say \"%s\"", name, words[i]);
        }
    }
}

#endif
