/* What disturbed the times of rows: stops. */

#include "results_internal.h"

#include <stdio.h>

void results_warn_of_stops(const Results *results, Warnings *warnings) {
    double repeated = 0;
    for (size_t i = 0; i < results->count; i++) {
        repeated += results->rows[i].repeated > 0 ? results->rows[i].repeated : 0;
    }
    if (repeated > 0 && warnings->count < WARNINGS_MAX) {
        snprintf(warnings->text[warnings->count++], WARNING_SIZE,
                 "the process was stopped while it measured (SIGSTOP, Ctrl-Z or suspend): %.0f "
                 "timing%s taken again",
                 repeated, repeated == 1 ? " was" : "s were");
    }
}
