/* What is shown around a median, and how it is called. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "judge.h"

void launch_range_add(LaunchRange *range, size_t launches) {
    launches = launches > 0 ? launches : 1;
    range->least = range->least == 0 || launches < range->least ? launches : range->least;
    range->most = launches > range->most ? launches : range->most;
}

void launch_range_join(LaunchRange *range, const LaunchRange *more) {
    if (more->most > 0) {
        launch_range_add(range, more->least);
        launch_range_add(range, more->most);
    }
}

void interval_words(const LaunchRange *range, char *text, size_t size) {
    char from[32] = "";
    if (range->most <= 1) {
        snprintf(text, size, "%s", range->most == 0 ? "" : "95% in this run");
        return;
    }
    if (range->least < range->most) {
        snprintf(from, sizeof from, "%zu to ", range->least);
    }
    const char *what = range->least >= MEDIAN_INTERVAL_MIN  ? "95%"
                       : range->most >= MEDIAN_INTERVAL_MIN ? "95% or least to greatest"
                                                            : "least to greatest";
    snprintf(text, size, "%s of %s%zu launches", what, from, range->most);
}

void summary_range(const Summary *summary, double *low, double *high) {
    const bool few = summary->launches > 1 && isnan(summary->ci_low);
    *low = few ? summary->launch_low : summary->ci_low;
    *high = few ? summary->launch_high : summary->ci_high;
}
