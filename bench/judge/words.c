/* Words for what the judge finds. They are made last: nothing decides by them. */

#include "judge_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* === Ratios =================================================================================== */

static const struct {
    const char *joint; /* to what it is compared with */
    const char *words[COMPARED_ENERGY + 1];
} side_table[] = {
    [SIDE_SAME] = {"as", {"as fast", "as cheap", "as much"}},
    [SIDE_FASTER] = {"than", {"faster", "cheaper", "less"}},
    [SIDE_SLOWER] = {"than", {"slower", "dearer", "more"}},
    [SIDE_UNDECIDED] = {"against", {"undecided", "undecided", "undecided"}},
};

static bool is_even(SpeedSide side) {
    return side == SIDE_SAME || side == SIDE_UNDECIDED;
}

const char *side_word(SpeedSide side, Compared compared) {
    return side_table[side].words[compared];
}

const char *ratio_joint(const Ratio *ratio) {
    return side_table[ratio_side(ratio)].joint;
}

/* The ends as the words have them: those of the slowdown where it is slower. */
static Ratio as_worded(SpeedSide side, const Ratio *ratio) {
    return side == SIDE_SLOWER
               ? (Ratio){.value = 1 / ratio->value, .low = 1 / ratio->high, .high = 1 / ratio->low}
               : *ratio;
}

void side_words(SpeedSide side, const Ratio *ratio, Compared compared,
                char text[RATIO_WORDS_SIZE]) {
    char times[SIGNIFICANT_SIZE];
    const char *word = side_table[side].words[compared];
    times_text(as_worded(side, ratio).value, times);
    if (times[0] == '\0') {
        text[0] = '\0';
    } else if (is_even(side)) {
        snprintf(text, RATIO_WORDS_SIZE, "%s", word);
    } else {
        snprintf(text, RATIO_WORDS_SIZE, "%s %s", times, word);
    }
}

/* An interval that is worth showing. */
static bool has_width(const Ratio *ratio) {
    static const double least = 1e-6;
    return ratio->high - ratio->low > least * ratio->value;
}

void side_interval(SpeedSide side, const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    const Ratio worded = as_worded(side, ratio);
    text[0] = '\0';
    if (has_width(ratio)) {
        interval_text(worded.low, worded.high, text);
    }
}

void within_words(double seconds, char text[WITHIN_WORDS_SIZE]) {
    if (seconds < 120) {
        snprintf(text, WITHIN_WORDS_SIZE, " in these %.0f s", ceil(seconds));
    } else {
        snprintf(text, WITHIN_WORDS_SIZE, " in these %.0f min", ceil(seconds / 60));
    }
}

/* What an interval does not reach beyond: " in this run", " in these 60 s"; "" otherwise. */
static void reach_words(const Ratio *ratio, char text[WITHIN_WORDS_SIZE]) {
    snprintf(text, WITHIN_WORDS_SIZE, "%s", ratio->in_run ? " in this run" : "");
    if (!ratio->in_run && ratio->within > 0) {
        within_words(ratio->within, text);
    }
}

void side_text(SpeedSide side, const Ratio *ratio, Compared compared,
               char text[NUMBER_WORDS_SIZE]) {
    char words[RATIO_WORDS_SIZE];
    char interval[NUMBER_WORDS_SIZE];
    char reach[WITHIN_WORDS_SIZE];
    side_words(side, ratio, compared, words);
    reach_words(ratio, reach);
    side_interval(side, ratio, interval);
    snprintf(text, NUMBER_WORDS_SIZE, "%s", words);
    if (words[0] == '\0') {
        return;
    }
    if (side == SIDE_SAME) {
        text_append(text, NUMBER_WORDS_SIZE, " (within %g%%)", 100 * judge_criteria.threshold);
    } else if (interval[0] != '\0') {
        text_append(text, NUMBER_WORDS_SIZE, " (%s%s%s)", ratio->extremes ? "range " : "", interval,
                    reach);
    }
}

void factor_words(const Ratio *ratio, char text[RATIO_WORDS_SIZE]) {
    side_words(ratio_side(ratio), ratio, COMPARED_SPEED, text);
}

void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    side_interval(ratio_side(ratio), ratio, text);
}

void faster_text(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    side_text(ratio_side(ratio), ratio, COMPARED_SPEED, text);
}

Ink factor_ink(const Ratio *ratio) {
    const SpeedSide side = ratio_side(ratio);
    return side == SIDE_FASTER ? INK_FASTER : side == SIDE_SLOWER ? INK_SLOWER : INK_PLAIN;
}

void change_text(double change, char text[SIGNIFICANT_SIZE]) {
    const double percent = 100 * change;
    if (percent < 99.5) {
        snprintf(text, SIGNIFICANT_SIZE, "%.2g%%", percent);
    } else {
        significant_text(percent, 2, text);
        text_append(text, SIGNIFICANT_SIZE, "%%");
    }
}

void difference_words(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]) {
    const Ratio *times = &difference->ratio;
    const Ratio speeds = {
        .value = 1 / times->value, .low = 1 / times->high, .high = 1 / times->low};
    side_text(difference->side, &speeds, COMPARED_SPEED, text);
}

/* === Courses ================================================================================== */

enum { SIZE_TEXT = 32, COURSE_WORDS = 128 };

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
    const CourseAxis *axis;
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
    phrase->axis->place(before ? crossover->from : crossover->low, low, sizeof low);
    phrase->axis->place(beyond ? crossover->to : crossover->high, high, sizeof high);
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
    if (!phrase->axis->range) {
        return;
    }
    phrase->axis->place(phrase->crossover->from, from, sizeof from);
    phrase->axis->place(phrase->crossover->to, to, sizeof to);
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
    phrase->axis->place(phrase->crossover->x, x, sizeof x);
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
        phrase->axis->place(end, place, sizeof place);
        text_append(phrase->text, phrase->size, "; %s %s on given the intervals", possibly, place);
    }
    if (phrase->crossover->unsure && phrase->crossover->launches > 0) {
        text_append(phrase->text, phrase->size, "; not in every launch");
    } else if (phrase->crossover->unsure) {
        text_append(phrase->text, phrase->size, "; undecided at %zu of %zu",
                    phrase->crossover->open, phrase->crossover->points);
    }
}

/* "at every size", "at the one size measured" */
static void append_all(const Phrase *phrase, const char *every, const char *one, double end,
                       const char *possibly) {
    char words[COURSE_WORDS];
    if (phrase->crossover->points == 1) {
        snprintf(words, sizeof words, "%s the one %s measured", one, phrase->axis->noun);
    } else {
        snprintf(words, sizeof words, "%s %s", every, phrase->axis->noun);
    }
    append_unchanged(phrase, words, end, possibly);
}

void course_words(const Crossover *crossover, const CourseAxis *axis, char *text, size_t size) {
    const Phrase phrase = {crossover, axis, text, size};
    text[0] = '\0';
    if (crossover_is_even(crossover)) {
        Crossover even = *crossover;
        even.unsure = false;
        append_all(&(Phrase){&even, axis, text, size}, "undecided at every", "undecided at", NAN,
                   "");
        return;
    }
    switch (crossover->kind) {
    case CROSSOVER_AT: append_place(&phrase, "from ", " on"); break;
    case CROSSOVER_UNTIL: append_place(&phrase, "up to ", ""); break;
    case CROSSOVER_ALWAYS:
        append_all(&phrase, "at every", "at", crossover->high, "surely only from");
        break;
    case CROSSOVER_NEVER:
        append_all(&phrase, "at no", "not at", crossover->low, "possibly from");
        break;
    case CROSSOVER_MIXED:
        if (isnan(crossover->x)) {
            append_unchanged(&phrase, "back and forth, not at the end of this range", NAN, "");
        } else {
            append_place(&phrase, "back and forth, for good from ", " on");
        }
        break;
    case CROSSOVER_UNKNOWN: text_append(text, size, "not known: no size has both"); break;
    }
}

void crossover_words(const Crossover *crossover, SizeText *size_text, char *text, size_t size) {
    course_words(crossover, &(CourseAxis){size_text, "size", true}, text, size);
}

/* === Of the sides alone ======================================================================= */

/* "; undecided at 720p, 4K" */
static void list_places(const SpeedSide *sides, size_t count, SpeedSide side, const char *word,
                        PlaceName *name, const void *series, char *text, size_t size) {
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (sides[i] == side) {
            text_append(text, size, "%s%s%s%s", first ? "; " : ", ", first ? word : "",
                        first ? " at " : "", name(series, i));
            first = false;
        }
    }
}

void sides_words(const SpeedSide *sides, size_t count, const char *noun, PlaceName *name,
                 const void *series, char *text, size_t size) {
    const Course course = course_of(sides, count);
    switch (course_kind(&course)) {
    case CROSSOVER_AT: snprintf(text, size, "from %s on", name(series, course.after)); break;
    case CROSSOVER_UNTIL: snprintf(text, size, "up to %s", name(series, course.before)); break;
    case CROSSOVER_ALWAYS: snprintf(text, size, "at every %s", noun); break;
    case CROSSOVER_NEVER: snprintf(text, size, "at no %s", noun); break;
    case CROSSOVER_MIXED: snprintf(text, size, "back and forth"); break;
    case CROSSOVER_UNKNOWN: snprintf(text, size, "undecided at every %s", noun); return;
    }
    list_places(sides, count, SIDE_SAME, "as fast", name, series, text, size);
    list_places(sides, count, SIDE_UNDECIDED, "undecided", name, series, text, size);
}

/* === Of a ratio of times ====================================================================== */

void times_ratio_words(const TimesRatio *ratio, char text[NUMBER_WORDS_SIZE]) {
    char words[RATIO_WORDS_SIZE], interval[NUMBER_WORDS_SIZE], reach[WITHIN_WORDS_SIZE];
    const Ratio *of = &ratio->ratio;
    reach_words(of, reach);
    factor_words(of, words);
    factor_interval(of, interval);
    text[0] = '\0';
    if (ratio->count == 0) {
        return;
    }
    if (isnan(of->low)) {
        char times[SIGNIFICANT_SIZE];
        times_text(of->value, times);
        snprintf(text, NUMBER_WORDS_SIZE, "%s, undecided", times);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "%s", words);
    }
    if (of->extremes) {
        text_append(text, NUMBER_WORDS_SIZE, " (%s%s%zu launches%s)", interval,
                    interval[0] != '\0' ? ", " : "", ratio->count, reach);
    } else if (ratio->count == 1) {
        text_append(text, NUMBER_WORDS_SIZE, " (%s%s)", interval,
                    interval[0] != '\0' ? " in this run" : "1 launch");
    } else if (interval[0] != '\0') {
        text_append(text, NUMBER_WORDS_SIZE, " (%s%s)", interval, reach);
    }
}
