#include "compare_words.h"

#include <math.h>

void compare_words_time(double seconds, char text[COMPARE_WORDS_SIZE]) {
    static const struct {
        double seconds;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    const size_t last = sizeof units / sizeof units[0] - 1;
    size_t unit = 0;
    while (unit < last && seconds < units[unit].seconds) {
        unit++;
    }
    snprintf(text, COMPARE_WORDS_SIZE, "%#.4g %s", seconds / units[unit].seconds, units[unit].unit);
}

void compare_words_interval(const CellJudgement *judgement, char text[COMPARE_WORDS_SIZE]) {
    text[0] = '\0';
    if (isfinite(judgement->ratio.low)) {
        snprintf(text, COMPARE_WORDS_SIZE, "%.3f to %.3f", judgement->ratio.low,
                 judgement->ratio.high);
    }
}

void compare_words_counts(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]) {
    const size_t *changes = comparison->changes;
    snprintf(text, COMPARE_WORDS_SIZE,
             "%zu cell%s: %zu slower, %zu faster, %zu same, %zu ambiguous; %zu missing, %zu new",
             comparison->count, comparison->count == 1 ? "" : "s", changes[CHANGE_SLOWER],
             changes[CHANGE_FASTER], changes[CHANGE_SAME], changes[CHANGE_AMBIGUOUS],
             comparison->missing_count, comparison->added_count);
}

void compare_words_total(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]) {
    char before[COMPARE_WORDS_SIZE];
    char now[COMPARE_WORDS_SIZE];
    compare_words_time(comparison->old_total, before);
    compare_words_time(comparison->new_total, now);
    snprintf(text, COMPARE_WORDS_SIZE, "Σ new / Σ old = %.64s / %.64s = %.3f", now, before,
             comparison_total_ratio(comparison));
}

void compare_words_rule(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]) {
    snprintf(text, COMPARE_WORDS_SIZE,
             "slower: p below %g / %zu, the whole 95%% interval of new / old above %g, the change "
             "above the noise floor of %.3g%%",
             comparison->criteria.alpha, comparison->count, 1 + comparison->criteria.threshold,
             100 * comparison->noise_floor);
}

void compare_words_cell(const ComparedCell *cell, char text[COMPARE_WORDS_SIZE]) {
    char before[COMPARE_WORDS_SIZE];
    char now[COMPARE_WORDS_SIZE];
    char interval[COMPARE_WORDS_SIZE];
    const CellJudgement *judgement = &cell->judgement;
    compare_words_time(cell->before->median, before);
    compare_words_time(cell->now->median, now);
    compare_words_interval(judgement, interval);
    const bool known = interval[0] != '\0';
    const bool explained = judgement->why[0] != '\0';
    snprintf(text, COMPARE_WORDS_SIZE, "%.3f%s%.64s%s, p %.2g, %.64s before, %.64s now%s%s",
             judgement->ratio.value, known ? " (" : "", interval, known ? ")" : "", judgement->p,
             before, now, explained ? "; " : "", judgement->why);
}
