/* Fuzzes chart_list_read: which charts a results CSV has data for. */
#include <string.h>

#include "fuzz_input.h"
#include "results_internal.h"

/* Reads the texts, which lie within the list's or are constants. */
static void check_chart(const Chart *chart) {
    const char *const texts[] = {chart->algorithm, chart->input, chart->answer, chart->variant,
                                 chart->size,      chart->word,  chart->axis,   chart->rest};
    size_t letters = strlen(chart->script);
    require(letters > 0);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        letters += strlen(texts[i]);
    }
    require(letters < SIZE_MAX / 2);
    require(memchr(chart->axis, '\0', sizeof chart->axis) != NULL);
    require(memchr(chart->rest, '\0', sizeof chart->rest) != NULL);
    require(chart->value_count == 0 || chart->value_count == CHART_SWEEP_MIN);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ChartList list;
    const Status status = chart_list_read(fuzz_input_file(bytes, size), &list);
    if (status_is_ok(&status)) {
        require(list.count <= list.capacity);
        for (size_t i = 0; i < list.count; i++) {
            check_chart(&list.charts[i]);
        }
        chart_list_release(&list);
    } else {
        require(status.code == STATUS_FILE);
        require_reason(&status);
    }
    return 0;
}
