/* Words for what the judge finds. They are made last: nothing decides by them. */

#include "judge_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* === Ratios =================================================================================== */

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

/* === Courses ================================================================================== */

enum { SIZE_TEXT = 32 };

/* The unit of a size with the blank before it: " Mpixel"; the empty end of a text without one. */
static const char *unit_of(const char *text) {
    const char *unit = strrchr(text, ' ');
    return unit != NULL ? unit : text + strlen(text);
}

/* Removes the unit from both ends of an interval if the value has the same. */
static void drop_shared_unit(const char *x, char *low, char *high) {
    if (strcmp(unit_of(x), unit_of(low)) == 0 && strcmp(unit_of(x), unit_of(high)) == 0) {
        low[unit_of(low) - low] = '\0';
        high[unit_of(high) - high] = '\0';
    }
}

/* A crossover that is written to `text`. */
typedef struct Phrase {
    const Crossover *crossover;
    SizeText *size_text;
    char *text;
    size_t size;
} Phrase;

/* Appends " (0.9 to 1.5)", or nothing if both ends are written like the place itself. */
static void append_interval(const Phrase *phrase, const char *x) {
    char low[SIZE_TEXT];
    char high[SIZE_TEXT];
    const Crossover *crossover = phrase->crossover;
    const bool before = isnan(crossover->low);
    const bool beyond = isnan(crossover->high);
    phrase->size_text(before ? crossover->from : crossover->low, low, sizeof low);
    phrase->size_text(beyond ? crossover->to : crossover->high, high, sizeof high);
    if (!before && !beyond && strcmp(low, x) == 0 && strcmp(high, x) == 0) {
        return;
    }
    drop_shared_unit(x, low, high);
    text_append(phrase->text, phrase->size, " (%s%s to %s%s)", before ? "before " : "", low,
                beyond ? "beyond " : "", high);
}

/* " (173 kpixel to 133 Mpixel)", " (500 to 20000 images)" */
static void append_range(const Phrase *phrase) {
    char from[SIZE_TEXT];
    char to[SIZE_TEXT];
    phrase->size_text(phrase->crossover->from, from, sizeof from);
    phrase->size_text(phrase->crossover->to, to, sizeof to);
    if (phrase->crossover->points == 1) {
        text_append(phrase->text, phrase->size, " (%s)", from);
        return;
    }
    if (strcmp(unit_of(from), unit_of(to)) == 0) {
        from[unit_of(from) - from] = '\0';
    }
    text_append(phrase->text, phrase->size, " (%s to %s)", from, to);
}

/* "<before>1.2 Mpixel<after> (0.9 to 1.5)" */
static void append_place(const Phrase *phrase, const char *before, const char *after) {
    char x[SIZE_TEXT];
    phrase->size_text(phrase->crossover->x, x, sizeof x);
    text_append(phrase->text, phrase->size, "%s%s%s", before, x, after);
    append_interval(phrase, x);
}

/* For a crossover outside the range; `end` is where the intervals allow one inside, or NAN. */
static void append_unchanged(const Phrase *phrase, const char *words, double end,
                             const char *possibly) {
    text_append(phrase->text, phrase->size, "%s", words);
    append_range(phrase);
    if (!isnan(end)) {
        char place[SIZE_TEXT];
        phrase->size_text(end, place, sizeof place);
        text_append(phrase->text, phrase->size, "; %s %s on given the intervals", possibly, place);
    }
    if (phrase->crossover->unsure && phrase->crossover->launches > 0) {
        text_append(phrase->text, phrase->size, "; not in every launch");
    } else if (phrase->crossover->unsure) {
        text_append(phrase->text, phrase->size, "; undecided at %zu of %zu",
                    phrase->crossover->open, phrase->crossover->points);
    }
}

/* "undecided in this range (173 kpixel to 133 Mpixel)" */
static void append_even(const Phrase *phrase) {
    text_append(phrase->text, phrase->size, "undecided %s",
                phrase->crossover->points == 1 ? "at the one size measured" : "in this range");
    append_range(phrase);
}

void crossover_words(const Crossover *crossover, SizeText *size_text, char *text, size_t size) {
    const Phrase phrase = {crossover, size_text, text, size};
    const bool one = crossover->points == 1;
    text[0] = '\0';
    if (crossover_is_even(crossover)) {
        append_even(&phrase);
        return;
    }
    switch (crossover->kind) {
    case CROSSOVER_AT: append_place(&phrase, "from ", " on"); break;
    case CROSSOVER_UNTIL: append_place(&phrase, "until ", ""); break;
    case CROSSOVER_ALWAYS:
        append_unchanged(&phrase, one ? "at the one size measured" : "always in this range",
                         crossover->high, "surely only from");
        break;
    case CROSSOVER_NEVER:
        append_unchanged(&phrase, one ? "not at the one size measured" : "never in this range",
                         crossover->low, "possibly from");
        break;
    case CROSSOVER_MIXED:
        if (isnan(crossover->x)) {
            append_unchanged(&phrase, "now and then, not at the end of this range", NAN, "");
        } else {
            append_place(&phrase, "now and then, for good from ", " on");
        }
        break;
    case CROSSOVER_UNKNOWN: text_append(text, size, "not known: no size has both"); break;
    }
}
