/* Courses: what sides along a series say together, checked against random series. */
#include "judge.h"
#include "test.h"

enum { SERIES_MAX = 12, SERIES = 4000 };

typedef struct Series {
    SpeedSide sides[SERIES_MAX];
    size_t count;
} Series;

/* A number from 0 to most. */
static size_t pick_number(Random *random, size_t most) {
    return (size_t)(random_unit(random) * (double)(most + 1));
}

static Series draw(Random *random) {
    Series series = {.count = pick_number(random, SERIES_MAX)};
    for (size_t i = 0; i < series.count; i++) {
        series.sides[i] = (SpeedSide)pick_number(random, SIDE_UNDECIDED);
    }
    return series;
}

static Course walk(const Series *series) {
    return course_of(series->sides, series->count);
}

static void check_same(const Course *a, const Course *b) {
    assert_int_equal(course_kind(a), course_kind(b));
    assert_int_equal(a->sides, b->sides);
    assert_int_equal(a->changes, b->changes);
}

#define COURSE(...)                                                                                \
    course_of((const SpeedSide[]){__VA_ARGS__},                                                    \
              sizeof((const SpeedSide[]){__VA_ARGS__}) / sizeof(SpeedSide))
#define UP SIDE_FASTER
#define DOWN SIDE_SLOWER
#define OPEN SIDE_UNDECIDED
#define SAME SIDE_SAME

TEST(a_course_goes_by_the_places_that_have_a_side) {
    static const SpeedSide none[] = {OPEN};
    Course course = course_of(none, 0);
    assert_int_equal(course_kind(&course), CROSSOVER_UNKNOWN);
    course = COURSE(OPEN, SAME);
    assert_int_equal(course_kind(&course), CROSSOVER_UNKNOWN);
    assert_int_equal(course.places, 2);
    course = COURSE(UP);
    assert_int_equal(course_kind(&course), CROSSOVER_ALWAYS);
    course = COURSE(DOWN, SAME, DOWN);
    assert_int_equal(course_kind(&course), CROSSOVER_NEVER);
    course = COURSE(DOWN, UP, DOWN, UP);
    assert_int_equal(course_kind(&course), CROSSOVER_MIXED);
    course = COURSE(UP, OPEN, DOWN);
    assert_int_equal(course_kind(&course), CROSSOVER_UNTIL);
}

TEST(a_change_lies_between_the_places_around_it) {
    const Course course = COURSE(OPEN, DOWN, DOWN, OPEN, SAME, UP, UP, OPEN);
    assert_int_equal(course_kind(&course), CROSSOVER_AT);
    assert_int_equal(course.places, 8);
    assert_int_equal(course.sides, 4);
    assert_int_equal(course.first, 1);
    assert_int_equal(course.last, 6);
    assert_int_equal(course.before, 2);
    assert_int_equal(course.after, 5);
}

/* The same series gives the same course, whether it is walked at once or place by place. */
TEST(the_same_series_has_the_same_course) {
    Random random;
    random_seed(&random, 1);
    for (int i = 0; i < SERIES; i++) {
        const Series series = draw(&random);
        const Course once = walk(&series);
        Course again = {.places = 0};
        for (size_t at = 0; at < series.count; at++) {
            course_add(&again, series.sides[at]);
        }
        check_same(&once, &again);
        assert_int_equal(once.before, again.before);
        assert_int_equal(once.after, again.after);
    }
}

static CrossoverKind swapped(CrossoverKind kind) {
    switch (kind) {
    case CROSSOVER_AT: return CROSSOVER_UNTIL;
    case CROSSOVER_UNTIL: return CROSSOVER_AT;
    case CROSSOVER_ALWAYS: return CROSSOVER_NEVER;
    case CROSSOVER_NEVER: return CROSSOVER_ALWAYS;
    case CROSSOVER_MIXED:
    case CROSSOVER_UNKNOWN: break;
    }
    return kind;
}

/* B against A has the inverse course of A against B. */
TEST(the_other_way_round_a_course_is_the_inverse) {
    Random random;
    random_seed(&random, 2);
    for (int i = 0; i < SERIES; i++) {
        Series series = draw(&random);
        const Course course = walk(&series);
        for (size_t at = 0; at < series.count; at++) {
            series.sides[at] = side_inverse(series.sides[at]);
        }
        const Course inverse = walk(&series);
        assert_int_equal(course_kind(&inverse), swapped(course_kind(&course)));
        assert_int_equal(inverse.sides, course.sides);
        assert_int_equal(inverse.changes, course.changes);
    }
}

/* Wherever a place without a side is added, the kind stays, and the place is counted. */
TEST(a_place_without_a_side_changes_no_course) {
    Random random;
    random_seed(&random, 3);
    for (int i = 0; i < SERIES; i++) {
        const Series series = draw(&random);
        const Course course = walk(&series);
        const size_t at = pick_number(&random, series.count);
        Course with = {.places = 0};
        for (size_t j = 0; j <= series.count; j++) {
            if (j == at) {
                course_add(&with, pick_number(&random, 1) == 0 ? SIDE_SAME : SIDE_UNDECIDED);
            }
            if (j < series.count) {
                course_add(&with, series.sides[j]);
            }
        }
        check_same(&course, &with);
        assert_int_equal(with.places, course.places + 1);
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

static const char *name_of(const void *series, size_t place) {
    return ((const char *const *)series)[place];
}

#define CHECK_WORDS(expected, ...)                                                                 \
    check_words((const SpeedSide[]){__VA_ARGS__},                                                  \
                sizeof((const SpeedSide[]){__VA_ARGS__}) / sizeof(SpeedSide), expected)

static void check_words(const SpeedSide *sides, size_t count, const char *expected) {
    static const char *const sizes[] = {"360p", "720p", "4K", "8K", "16K"};
    char text[200];
    sides_words(sides, count, "size", name_of, sizes, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(words_name_every_place_without_a_side) {
    CHECK_WORDS("at every size", UP, UP);
    CHECK_WORDS("at no size", DOWN);
    CHECK_WORDS("from 4K on", DOWN, DOWN, UP, UP);
    CHECK_WORDS("up to 720p", UP, UP, DOWN);
    CHECK_WORDS("from 4K on; undecided at 720p, 16K", DOWN, OPEN, UP, UP, OPEN);
    CHECK_WORDS("at every size; as fast at 360p; undecided at 720p", SAME, OPEN, UP, UP);
    CHECK_WORDS("back and forth; undecided at 16K", UP, DOWN, UP, DOWN, OPEN);
    CHECK_WORDS("undecided at every size", OPEN, SAME);
}
