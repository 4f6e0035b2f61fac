/* On which side of 1 a ratio of speeds is, and the words for it. */

#include "judge_internal.h"

#include <math.h>
#include <stdio.h>

const CompareCriteria judge_criteria = {.alpha = JUDGE_ALPHA, .threshold = JUDGE_THRESHOLD};

SpeedSide ratio_side(const Ratio *ratio) {
    static const double rounding = 0.005; /* "1.00×" */
    const bool known = !isnan(ratio->low) && !isnan(ratio->high);
    if (isnan(ratio->value)) {
        return SIDE_UNDECIDED;
    }
    if (known ? ratio->low > 1 || ratio->high < 1 : !(fabs(ratio->value - 1) < rounding)) {
        return ratio->value < 1 ? SIDE_SLOWER : SIDE_FASTER;
    }
    const double limit = 1 + judge_criteria.threshold;
    const bool wide = ratio->low * limit < 1 || ratio->high > limit;
    return wide ? SIDE_UNDECIDED : SIDE_SAME;
}

bool ratio_is_even(const Ratio *ratio) {
    const SpeedSide side = ratio_side(ratio);
    return side == SIDE_SAME || side == SIDE_UNDECIDED;
}

const char *ratio_joint(const Ratio *ratio) {
    const SpeedSide side = ratio_side(ratio);
    return side == SIDE_SAME ? "as" : side == SIDE_UNDECIDED ? "against" : "than";
}

/* The ends of a ratio as its words have it: those of the slowdown where it is slower. */
static Ratio as_worded(const Ratio *ratio) {
    return ratio_side(ratio) == SIDE_SLOWER
               ? (Ratio){.value = 1 / ratio->value, .low = 1 / ratio->high, .high = 1 / ratio->low}
               : *ratio;
}

void factor_words_of(const Ratio *ratio, const char *better, const char *worse, const char *same,
                     char text[RATIO_WORDS_SIZE]) {
    char times[SIGNIFICANT_SIZE];
    const SpeedSide side = ratio_side(ratio);
    times_text(as_worded(ratio).value, times);
    if (times[0] == '\0') {
        text[0] = '\0';
    } else if (ratio_is_even(ratio)) {
        snprintf(text, RATIO_WORDS_SIZE, "%s", side == SIDE_SAME ? same : "undecided");
    } else {
        snprintf(text, RATIO_WORDS_SIZE, "%s %s", times, side == SIDE_SLOWER ? worse : better);
    }
}

void factor_words(const Ratio *ratio, char text[RATIO_WORDS_SIZE]) {
    factor_words_of(ratio, "faster", "slower", "as fast", text);
}

Ink factor_ink(const Ratio *ratio) {
    const SpeedSide side = ratio_side(ratio);
    return side == SIDE_FASTER ? INK_FASTER : side == SIDE_SLOWER ? INK_SLOWER : INK_PLAIN;
}

/* An interval that is worth showing. */
static bool has_width(const Ratio *ratio) {
    static const double least = 1e-6;
    return ratio->high - ratio->low > least * ratio->value;
}

void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    const Ratio worded = as_worded(ratio);
    text[0] = '\0';
    if (has_width(ratio)) {
        interval_text(worded.low, worded.high, text);
    }
}

void faster_text(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    char words[RATIO_WORDS_SIZE];
    char ends[NUMBER_WORDS_SIZE] = "";
    const Ratio worded = as_worded(ratio);
    factor_words(ratio, words);
    if (has_width(ratio)) {
        ends_text(worded.low, worded.high, "–", ends);
    }
    const bool known = words[0] != '\0' && ends[0] != '\0';
    snprintf(text, NUMBER_WORDS_SIZE, "%s%s%.60s%s", words, known ? " (" : "", known ? ends : "",
             known ? ")" : "");
}
