/* Crossovers: what sides along a series say together, checked against random series. */
#include "crossover.h"
#include "judge_internal.h"
#include "random.h"
#include "test.h"
#include "words.h"

enum { PLACES_MAX = 12, SERIES = 4000 };

typedef struct Sides {
    SpeedSide sides[PLACES_MAX];
    size_t count;
} Sides;

/* A number from 0 to most. */
static size_t pick_number(Random *random, size_t most) {
    return (size_t)(random_unit(random) * (double)(most + 1));
}

static Sides draw(Random *random) {
    Sides series = {.count = pick_number(random, PLACES_MAX)};
    for (size_t i = 0; i < series.count; i++) {
        series.sides[i] = (SpeedSide)pick_number(random, SIDE_UNDECIDED);
    }
    return series;
}

static Crossover walk(const Sides *series) {
    return crossover_of(series->sides, series->count);
}

static void check_same(const Crossover *a, const Crossover *b) {
    assert_int_equal(crossover_kind(a), crossover_kind(b));
    assert_int_equal(a->sides, b->sides);
    assert_int_equal(a->changes, b->changes);
}

#define CROSSOVER(...)                                                                             \
    crossover_of((const SpeedSide[]){__VA_ARGS__},                                                 \
                 sizeof((const SpeedSide[]){__VA_ARGS__}) / sizeof(SpeedSide))
#define UP SIDE_FASTER
#define DOWN SIDE_SLOWER
#define OPEN SIDE_UNDECIDED
#define SAME SIDE_SAME

TEST(a_crossover_goes_by_the_places_that_have_a_side) {
    static const SpeedSide none[] = {OPEN};
    Crossover crossover = crossover_of(none, 0);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_UNKNOWN);
    crossover = CROSSOVER(OPEN, SAME);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_UNKNOWN);
    assert_int_equal(crossover.places, 2);
    crossover = CROSSOVER(UP);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_ALWAYS);
    crossover = CROSSOVER(DOWN, SAME, DOWN);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_NEVER);
    crossover = CROSSOVER(DOWN, UP, DOWN, UP);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_MIXED);
    crossover = CROSSOVER(UP, OPEN, DOWN);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_UP_TO);
}

TEST(a_change_lies_between_the_places_around_it) {
    const Crossover crossover = CROSSOVER(OPEN, DOWN, DOWN, OPEN, SAME, UP, UP, OPEN);
    assert_int_equal(crossover_kind(&crossover), CROSSOVER_FROM);
    assert_int_equal(crossover.places, 8);
    assert_int_equal(crossover.sides, 4);
    assert_int_equal(crossover.first, 1);
    assert_int_equal(crossover.last, 6);
    assert_int_equal(crossover.before, 2);
    assert_int_equal(crossover.after, 5);
}

/* The same series gives the same crossover, whether it is walked at once or place by place. */
TEST(the_same_series_has_the_same_crossover) {
    Random random;
    random_seed(&random, 1);
    for (int i = 0; i < SERIES; i++) {
        const Sides series = draw(&random);
        const Crossover once = walk(&series);
        Crossover again = {.places = 0};
        for (size_t at = 0; at < series.count; at++) {
            crossover_add(&again, series.sides[at]);
        }
        check_same(&once, &again);
        assert_int_equal(once.before, again.before);
        assert_int_equal(once.after, again.after);
    }
}

static CrossoverKind swapped(CrossoverKind kind) {
    switch (kind) {
    case CROSSOVER_FROM: return CROSSOVER_UP_TO;
    case CROSSOVER_UP_TO: return CROSSOVER_FROM;
    case CROSSOVER_ALWAYS: return CROSSOVER_NEVER;
    case CROSSOVER_NEVER: return CROSSOVER_ALWAYS;
    case CROSSOVER_MIXED:
    case CROSSOVER_UNKNOWN: break;
    }
    return kind;
}

/* B against A has the inverse crossover of A against B. */
TEST(the_other_way_round_a_crossover_is_the_inverse) {
    Random random;
    random_seed(&random, 2);
    for (int i = 0; i < SERIES; i++) {
        Sides series = draw(&random);
        const Crossover crossover = walk(&series);
        for (size_t at = 0; at < series.count; at++) {
            series.sides[at] = side_inverse(series.sides[at]);
        }
        const Crossover inverse = walk(&series);
        assert_int_equal(crossover_kind(&inverse), swapped(crossover_kind(&crossover)));
        assert_int_equal(inverse.sides, crossover.sides);
        assert_int_equal(inverse.changes, crossover.changes);
    }
}

/* Wherever a place without a side is added, the kind stays, and the place is counted. */
TEST(a_place_without_a_side_changes_no_crossover) {
    Random random;
    random_seed(&random, 3);
    for (int i = 0; i < SERIES; i++) {
        const Sides series = draw(&random);
        const Crossover crossover = walk(&series);
        const size_t at = pick_number(&random, series.count);
        Crossover with = {.places = 0};
        for (size_t j = 0; j <= series.count; j++) {
            if (j == at) {
                crossover_add(&with, pick_number(&random, 1) == 0 ? SIDE_SAME : SIDE_UNDECIDED);
            }
            if (j < series.count) {
                crossover_add(&with, series.sides[j]);
            }
        }
        check_same(&crossover, &with);
        assert_int_equal(with.places, crossover.places + 1);
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

static void name_of(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    snprintf(text, NUMBER_WORDS_SIZE, "%s", ((const char *const *)places)[place]);
}

static const char *const sizes[] = {"360p", "720p", "4K", "8K", "16K"};

static void check_words(const SpeedSide *sides, size_t count, const char *noun, const char *nouns,
                        bool range, const char *expected) {
    char text[200];
    const Series series = {.sides = sides,
                           .count = count,
                           .name = name_of,
                           .places = sizes,
                           .noun = noun,
                           .nouns = nouns,
                           .range = range};
    const size_t first = crossover_words(&series, text, sizeof text);
    const char *bracket = strstr(expected, " (");
    assert_int_equal(first, bracket != NULL ? bracket - expected : 0);
    assert_string_equal(text, expected);
}

#define CHECK_WORDS(expected, ...)                                                                 \
    check_words((const SpeedSide[]){__VA_ARGS__},                                                  \
                sizeof((const SpeedSide[]){__VA_ARGS__}) / sizeof(SpeedSide), "size", "sizes",     \
                false, expected)
#define CHECK_ALONG(noun, nouns, expected, ...)                                                    \
    check_words((const SpeedSide[]){__VA_ARGS__},                                                  \
                sizeof((const SpeedSide[]){__VA_ARGS__}) / sizeof(SpeedSide), noun, nouns, true,   \
                expected)

TEST(words_name_every_place_without_a_side) {
    CHECK_WORDS("at every size", UP, UP);
    CHECK_WORDS("at no size", DOWN, DOWN);
    CHECK_WORDS("from 4K on", DOWN, DOWN, UP, UP);
    CHECK_WORDS("up to 720p", UP, UP, DOWN);
    CHECK_WORDS("from 4K on; undecided at 720p, 16K", DOWN, OPEN, UP, UP, OPEN);
    CHECK_WORDS("at 2 of 4 sizes; as fast at 360p; undecided at 720p", SAME, OPEN, UP, UP);
    CHECK_WORDS("at none of 3 sizes; undecided at 720p, 4K", DOWN, OPEN, OPEN);
    CHECK_WORDS("back and forth, for good from 8K on", UP, DOWN, DOWN, UP);
    CHECK_WORDS("back and forth, last at 4K; undecided at 16K", DOWN, UP, UP, DOWN, OPEN);
    CHECK_WORDS("undecided at every size", OPEN, OPEN);
    CHECK_WORDS("as fast at every size", SAME, SAME);
    CHECK_WORDS("as fast at 720p; undecided at 360p", OPEN, SAME);
}

TEST(words_name_the_range_that_was_measured) {
    CHECK_ALONG("size", "sizes", "at every size (360p to 4K)", UP, UP, UP);
    CHECK_ALONG("value of box", "values of box",
                "at 2 of 3 values of box (360p to 4K); undecided at 720p", UP, OPEN, UP);
    CHECK_ALONG("size", "sizes", "not at the one size measured (360p)", DOWN);
    CHECK_ALONG("size", "sizes", "as fast at the one size measured (360p)", SAME);
    check_words(NULL, 0, "size", "sizes", true, "not known: no size has both");
}

/* Both forms of a noun are data. */
TEST(words_have_a_noun_in_both_forms) {
    CHECK_ALONG("capacity", "capacities", "at 2 of 3 capacities (360p to 4K); undecided at 720p",
                UP, OPEN, UP);
    CHECK_ALONG("capacity", "capacities", "at every capacity (360p to 4K)", UP, UP, UP);
}

/* Short of room they end early. */
TEST(words_stay_within_their_room) {
    static const SpeedSide sides[] = {DOWN, UP, OPEN};
    const Series series = {.sides = sides,
                           .count = 3,
                           .name = name_of,
                           .places = sizes,
                           .noun = "size",
                           .nouns = "sizes"};
    char text[16];
    crossover_words(&series, text, sizeof text);
    assert_string_equal(text, "from 720p on; u");
}
