/* What the sides along a series say together. */

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

CourseKind course_kind(const Course *course) {
    const bool ahead = course->side == SIDE_FASTER;
    return course->sides == 0     ? COURSE_UNKNOWN
           : course->changes > 1  ? COURSE_MIXED
           : course->changes == 1 ? (ahead ? COURSE_FROM : COURSE_UP_TO)
           : ahead                ? COURSE_ALWAYS
                                  : COURSE_NEVER;
}
