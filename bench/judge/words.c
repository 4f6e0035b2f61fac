/* Words for what the judge finds. They are made last: nothing decides by them. */

#include "words.h"
#include "crossover.h"
#include "judge_internal.h"
#include "number.h"
#include "two_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* === Disturbers =============================================================================== */

static const struct {
    const char *name, *clause;
} disturber_table[DISTURBERS] = {
    [DISTURBER_NONE] = {"", ""},
    [DISTURBER_GUESTS] = {"other guests of the host", "other guests had the processors"},
    [DISTURBER_PROGRAMS] = {"other programs", "other programs had the processors"},
    [DISTURBER_THROTTLING] = {"throttling", "the processor was throttled"},
    [DISTURBER_SLOW_PHASE] = {"a slow phase", "the machine was in a slow phase"},
};

const char *disturber_name(Disturber disturber) {
    return disturber_table[disturber].name;
}

const char *disturber_clause(Disturber disturber) {
    return disturber_table[disturber].clause;
}

Disturber disturber_named(const char *name) {
    for (int i = DISTURBER_NONE; i < DISTURBERS; i++) {
        if (strcmp(name, disturber_table[i].name) == 0) {
            return (Disturber)i;
        }
    }
    return DISTURBER_PROGRAMS;
}

/* === Ratios =================================================================================== */

static const struct {
    const char *joint; /* to what it is compared with */
    const char *words[COMPARED_LEAD + 1];
} side_table[] = {
    [SIDE_SAME] = {"as", {"as fast", "as cheap", "as much", "as fast"}},
    [SIDE_FASTER] = {"than", {"faster", "cheaper", "less", "ahead"}},
    [SIDE_SLOWER] = {"than", {"slower", "dearer", "more", "behind"}},
    [SIDE_UNDECIDED] = {"against", {"undecided", "undecided", "undecided", "undecided"}},
};

const char *side_word(SpeedSide side, Compared compared) {
    return side_table[side].words[compared];
}

const char *side_joint(SpeedSide side) {
    return side_table[side].joint;
}

const char *ratio_joint(const Ratio *ratio) {
    return side_joint(ratio_side(ratio));
}

/* The ends as the words have them: those of the slowdown where it is slower. */
static Ratio as_worded(SpeedSide side, const Ratio *ratio) {
    return side == SIDE_SLOWER ? ratio_inverse(*ratio) : *ratio;
}

void side_words(SpeedSide side, const Ratio *ratio, Compared compared,
                char text[RATIO_WORDS_SIZE]) {
    char times[SIGNIFICANT_SIZE];
    const char *word = side_table[side].words[compared];
    times_text(as_worded(side, ratio).value, times);
    if (times[0] == '\0') {
        text[0] = '\0';
    } else if (!side_is_decided(side)) {
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

/* "36.2 to 37.1", of a slowdown "1.69 to 1.71", where it is even "0.98 to 1.03"; "" without an
 * interval, or if it is that narrow. */
static void side_interval(SpeedSide side, const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    const Ratio worded = as_worded(side, ratio);
    text[0] = '\0';
    if (has_width(ratio) && ratio->disturber == DISTURBER_NONE) {
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

/* `note` follows the interval: "; too few launches". */
static size_t noted_text(SpeedSide side, const Ratio *ratio, Compared compared, const char *note,
                         char text[NUMBER_WORDS_SIZE]) {
    char words[RATIO_WORDS_SIZE];
    char interval[NUMBER_WORDS_SIZE];
    char reach[WITHIN_WORDS_SIZE];
    side_words(side, ratio, compared, words);
    reach_words(ratio, reach);
    side_interval(side, ratio, interval);
    snprintf(text, NUMBER_WORDS_SIZE, "%s", words);
    if (words[0] == '\0') {
        return 0;
    }
    if (side == SIDE_SAME) {
        text_append(text, NUMBER_WORDS_SIZE, " (within %g%%)", 100 * judge_criteria.threshold);
    } else if (ratio->disturber != DISTURBER_NONE) {
        text_append(text, NUMBER_WORDS_SIZE, ": %s", disturber_clause(ratio->disturber));
        return 0;
    } else if (interval[0] != '\0') {
        text_append(text, NUMBER_WORDS_SIZE, " (%s%s%s%s)", ratio->extremes ? "range " : "",
                    interval, reach, note);
    }
    return text[strlen(words)] != '\0' ? strlen(words) : 0;
}

size_t side_text(SpeedSide side, const Ratio *ratio, Compared compared,
                 char text[NUMBER_WORDS_SIZE]) {
    return noted_text(side, ratio, compared, "", text);
}

void factor_words(const Ratio *ratio, char text[RATIO_WORDS_SIZE]) {
    side_words(ratio_side(ratio), ratio, COMPARED_SPEED, text);
}

void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    side_interval(ratio_side(ratio), ratio, text);
}

size_t faster_text(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    return side_text(ratio_side(ratio), ratio, COMPARED_SPEED, text);
}

void side_brief(SpeedSide side, const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    if (!side_is_decided(side) && ratio->disturber == DISTURBER_NONE) {
        side_text(side, ratio, COMPARED_SPEED, text);
    } else {
        side_words(side, ratio, COMPARED_SPEED, text);
    }
}

void brief_words(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    side_brief(ratio_side(ratio), ratio, text);
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

Ratio difference_speeds(const RunDifference *difference) {
    return ratio_inverse(difference->ratio);
}

/* Whether the interval is wholly beyond 1 and decides nothing, since no launches of that number
 * could. */
static bool lacks_launches(const RunDifference *difference) {
    return difference->side == SIDE_UNDECIDED && difference->ratio.disturber == DISTURBER_NONE &&
           difference->held_before == difference->held_now &&
           (difference->ratio.low > 1 || difference->ratio.high < 1) &&
           mann_whitney_least_p(difference->now, difference->before) >= difference->limit;
}

size_t difference_words(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]) {
    const Ratio speeds = difference_speeds(difference);
    return noted_text(difference->side, &speeds, COMPARED_SPEED,
                      lacks_launches(difference) ? "; too few launches" : "", text);
}

void difference_brief(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]) {
    const Ratio speeds = difference_speeds(difference);
    if (side_is_decided(difference->side)) {
        side_brief(difference->side, &speeds, text);
    } else {
        difference_words(difference, text);
    }
}

void detectable_words(const Detectable *all, const char *change, const char *of, char *text,
                      size_t size) {
    text[0] = '\0';
    if (all->cells == 0) {
        return;
    }
    text_append(text, size, "where no %s is shown, ", change);
    if (all->few < all->cells) {
        char least[SIGNIFICANT_SIZE];
        change_text(all->most, least);
        text_append(text, size, "one of %s would have been found in 80%% of comparisons", least);
    }
    if (all->few > 0) {
        text_append(text, size, "%s%zu %s%s too few launches to find any",
                    all->few < all->cells ? "; " : "", all->few, of,
                    all->few == 1 ? " has" : "s have");
    }
}

void detectable_brief(const Detectable *all, bool seen, char *text, size_t size) {
    char least[SIGNIFICANT_SIZE];
    if (all->cells == 0) {
        return;
    }
    text_append(text, size, "; %s", seen ? "of the others a change " : "");
    if (all->few == all->cells) {
        text_append(text, size, "%s", seen ? "could not have been seen" : "none could have been");
        return;
    }
    change_text(all->most, least);
    text_append(text, size, "%s%s or more would have been%s", seen ? "of " : "", least,
                seen ? " seen" : "");
}

/* === Crossovers =============================================================================== */

/* "undecided at 720p, 4K" behind a semicolon where something stands before. */
static void list_places(const Series *series, SpeedSide side, char *text, size_t size) {
    bool first = true;
    for (size_t i = 0; i < series->count; i++) {
        char name[NUMBER_WORDS_SIZE];
        if (series->sides[i] != side) {
            continue;
        }
        series->name(series->places, i, name);
        if (first) {
            text_append(text, size, "%s%s at %s", text[0] != '\0' ? "; " : "",
                        side_word(side, COMPARED_SPEED), name);
        } else {
            text_append(text, size, ", %s", name);
        }
        first = false;
    }
}

/* " (360p to 16K)", " (4K)", where it is asked for. This and the next ones return how many bytes
 * stand before it; 0: it was not. */
static size_t append_range(const Series *series, char *text, size_t size) {
    const size_t before = strlen(text);
    char from[NUMBER_WORDS_SIZE], to[NUMBER_WORDS_SIZE];
    if (!series->range) {
        return 0;
    }
    series->name(series->places, 0, from);
    series->name(series->places, series->count - 1, to);
    text_append(text, size, series->count > 1 ? " (%s to %s)" : " (%s)", from, to);
    return before;
}

/* "at every size (360p to 16K)", "not at the one size measured" */
static size_t append_all(const Series *series, const char *every, const char *one, char *text,
                         size_t size) {
    const bool several = series->count > 1;
    text_append(text, size, several ? "%s %s" : "%s the one %s measured", several ? every : one,
                series->noun);
    return append_range(series, text, size);
}

/* "at 4 of 5 sizes (360p to 16K)", "at none of 5 numbers of images" */
static size_t append_some(const Series *series, size_t count, char *text, size_t size) {
    text_append(text, size, "at ");
    text_append(text, size, count > 0 ? "%zu" : "none", count);
    text_append(text, size, " of %zu %s", series->count, series->nouns);
    return append_range(series, text, size);
}

const char *crossover_way(const Crossover *crossover) {
    const bool ahead = crossover->side == SIDE_FASTER;
    return crossover->changes > 1 ? ahead ? "for good from" : "last at" : ahead ? "from" : "up to";
}

/* "from 4K on", "up to 720p", "back and forth, for good from 4K on" */
static void append_change(const Series *series, const Crossover *crossover, char *text,
                          size_t size) {
    const bool ahead = crossover->side == SIDE_FASTER;
    char name[NUMBER_WORDS_SIZE];
    series->name(series->places, ahead ? crossover->after : crossover->before, name);
    text_append(text, size, "%s%s %s%s", crossover->changes > 1 ? "back and forth, " : "",
                crossover_way(crossover), name, ahead ? " on" : "");
}

/* Of no place with a side. */
static size_t append_even(const Series *series, char *text, size_t size) {
    for (SpeedSide side = SIDE_SAME; side <= SIDE_UNDECIDED; side++) {
        size_t count = 0;
        for (size_t i = 0; i < series->count; i++) {
            count += series->sides[i] == side;
        }
        if (count == series->count) {
            char every[RATIO_WORDS_SIZE], one[RATIO_WORDS_SIZE];
            snprintf(every, sizeof every, "%s at every", side_word(side, COMPARED_SPEED));
            snprintf(one, sizeof one, "%s at", side_word(side, COMPARED_SPEED));
            return append_all(series, every, one, text, size);
        }
    }
    list_places(series, SIDE_SAME, text, size);
    list_places(series, SIDE_UNDECIDED, text, size);
    return 0;
}

size_t crossover_words(const Series *series, char *text, size_t size) {
    const Crossover crossover = crossover_of(series->sides, series->count);
    size_t first = 0;
    text[0] = '\0';
    switch (crossover_kind(&crossover)) {
    case CROSSOVER_FROM:
    case CROSSOVER_UP_TO:
    case CROSSOVER_MIXED: append_change(series, &crossover, text, size); break;
    case CROSSOVER_ALWAYS:
    case CROSSOVER_NEVER:
        if (crossover.sides < crossover.places) {
            first = append_some(series, crossover.side == SIDE_FASTER ? crossover.sides : 0, text,
                                size);
        } else if (crossover.side == SIDE_FASTER) {
            first = append_all(series, "at every", "at", text, size);
        } else {
            first = append_all(series, "at no", "not at", text, size);
        }
        break;
    case CROSSOVER_UNKNOWN:
        if (series->count == 0) {
            text_append(text, size, "not known: no %s has both", series->noun);
        } else {
            first = append_even(series, text, size);
        }
        return first;
    }
    list_places(series, SIDE_SAME, text, size);
    list_places(series, SIDE_UNDECIDED, text, size);
    return first;
}
