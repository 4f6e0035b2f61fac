/* Courses: what the sides along a series say together. */

#include "judge_internal.h"

#include <stdio.h>

#include "text.h"

bool side_is_decided(SpeedSide side) {
    return side == SIDE_FASTER || side == SIDE_SLOWER;
}

SpeedSide side_inverse(SpeedSide side) {
    return side == SIDE_FASTER ? SIDE_SLOWER : side == SIDE_SLOWER ? SIDE_FASTER : side;
}

void course_add(Course *course, SpeedSide side) {
    const size_t place = course->places++;
    if (!side_is_decided(side)) {
        return;
    }
    if (course->sides++ == 0) {
        course->first = place;
    } else if (side != course->side) {
        course->changes++;
        course->before = course->last;
        course->after = place;
    }
    course->last = place;
    course->side = side;
}

Course course_of(const SpeedSide *sides, size_t count) {
    Course course = {.places = 0};
    for (size_t i = 0; i < count; i++) {
        course_add(&course, sides[i]);
    }
    return course;
}

CrossoverKind course_kind(const Course *course) {
    const bool ahead = course->side == SIDE_FASTER;
    return course->sides == 0     ? CROSSOVER_UNKNOWN
           : course->changes > 1  ? CROSSOVER_MIXED
           : course->changes == 1 ? (ahead ? CROSSOVER_AT : CROSSOVER_UNTIL)
           : ahead                ? CROSSOVER_ALWAYS
                                  : CROSSOVER_NEVER;
}

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

void course_words(const SpeedSide *sides, size_t count, const char *noun, PlaceName *name,
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
