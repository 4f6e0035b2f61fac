/* Fuzzes results_csv_read and what is made of it: which charts a results CSV has data for, and
 * their points. */
#include <string.h>

#include "document.h"
#include "fuzz_input.h"
#include "report_internal.h"
#include "stored_run.h"

static void check_chart(const Results *results, const RunChart *chart) {
    Document document;
    require(memchr(chart->name, '\0', sizeof chart->name) != NULL);
    require(chart->row >= results->rows && chart->row < results->rows + results->count);
    require(chart->value_count == 0 || chart->value_count == RUN_CHART_VALUES);
    document_open(&document, "");
    const DocChart *built = run_chart_build(results, chart, &document);
    for (size_t i = 0; built != NULL && i < built->count; i++) {
        require(built->series[i].panel <= built->panel_count);
    }
    document_release(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Results results;
    size_t ignored;
    const Status status = results_csv_read(fuzz_input_file(bytes, size), &results, &ignored);
    if (!status_is_ok(&status)) {
        require(status.code == STATUS_FILE);
        require_reason(&status);
        return 0;
    }
    RunChartList list;
    const Status listed = run_charts_list(&results, &list);
    require(status_is_ok(&listed));
    for (size_t i = 0; i < list.count; i++) {
        check_chart(&results, &list.charts[i]);
    }
    run_charts_release(&list);
    results_release(&results);
    return 0;
}
