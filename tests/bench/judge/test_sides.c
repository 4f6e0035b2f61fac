/* Properties that sides and winners have for any times: they are checked on random ones. */
#include "number.h"
#include "random.h"
#include "ratio.h"
#include "samples.h"
#include "test.h"
#include "times.h"
#include "two_runs.h"
#include "winners.h"
#include "words.h"

enum { REPEATS = 300, LAUNCHES = 9, CELLS = 4 };

/* Log-normal around `level`, now far apart, now close. */
static void draw(Random *random, double level, double *times) {
    const double spread = exp(-1.5 + 2 * random_normal(random)) * 0.1;
    for (size_t i = 0; i < LAUNCHES; i++) {
        times[i] = level * exp(spread * random_normal(random));
    }
}

static void shuffle(Random *random, double *times) {
    for (size_t i = LAUNCHES - 1; i > 0; i--) {
        const size_t j = random_bits(random) % (i + 1);
        const double time = times[i];
        times[i] = times[j];
        times[j] = time;
    }
}

static double median_of(const double *times) {
    double sorted[LAUNCHES];
    memcpy(sorted, times, sizeof sorted);
    return median_in_place(sorted, LAUNCHES);
}

static SpeedSide opposite(SpeedSide side) {
    return side == SIDE_FASTER ? SIDE_SLOWER : side == SIDE_SLOWER ? SIDE_FASTER : side;
}

/* How good a side is: what is not shown is neither. */
static int rank_of(SpeedSide side) {
    return side == SIDE_FASTER ? 1 : side == SIDE_SLOWER ? -1 : 0;
}

/* --- Within a run, and between two ------------------------------------------------------------ */

/* How B's times stand against A's, launch by launch. */
static SpeedSide side_within(const double *a, const double *b) {
    Times slow = times_none(), fast = times_none();
    slow.count = fast.count = LAUNCHES;
    memcpy(slow.launches, a, LAUNCHES * sizeof *a);
    memcpy(fast.launches, b, LAUNCHES * sizeof *b);
    return times_ratio(&slow, &fast).side;
}

static SpeedSide side_between(const double *a, const double *b) {
    const RunTimes before = {.launches = a, .count = LAUNCHES, .median = median_of(a)};
    const RunTimes now = {.launches = b, .count = LAUNCHES, .median = median_of(b)};
    RunDifference difference;
    RunDifference *one = &difference;
    assert_ok(difference_measure(&before, &now, &difference));
    assert_ok(differences_decide(&one, 1, &judge_criteria));
    return difference.side;
}

typedef SpeedSide SideOf(const double *a, const double *b);

static void check_properties(SideOf *side_of, bool paired) {
    size_t seen[SIDE_UNDECIDED + 1] = {0};
    Random random;
    random_seed(&random, 5);
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        double a[LAUNCHES], b[LAUNCHES], scaled_a[LAUNCHES], scaled_b[LAUNCHES], slower[LAUNCHES];
        draw(&random, 1, a);
        draw(&random, exp(0.1 * random_normal(&random)), b);
        const SpeedSide side = side_of(a, b);
        seen[side]++;
        assert_int_equal(side_of(b, a), opposite(side));
        for (size_t i = 0; i < LAUNCHES; i++) {
            scaled_a[i] = ldexp(a[i], -20);
            scaled_b[i] = ldexp(b[i], -20);
            slower[i] = b[i] * exp(0.05 * fabs(random_normal(&random)));
        }
        assert_int_equal(side_of(scaled_a, scaled_b), side);
        assert_true(rank_of(side_of(a, slower)) <= rank_of(side));
        if (paired) { /* the launches of both in another order */
            for (size_t i = 0; i < LAUNCHES; i++) {
                scaled_a[i] = a[(i + repeat) % LAUNCHES];
                scaled_b[i] = b[(i + repeat) % LAUNCHES];
            }
        } else {
            memcpy(scaled_a, a, sizeof a);
            memcpy(scaled_b, b, sizeof b);
            shuffle(&random, scaled_a);
            shuffle(&random, scaled_b);
        }
        assert_int_equal(side_of(scaled_a, scaled_b), side);
    }
    for (SpeedSide side = SIDE_SAME; side <= SIDE_UNDECIDED; side++) {
        assert_true(seen[side] > REPEATS / 50);
    }
}

TEST(sides_within_a_run_have_their_properties) {
    check_properties(side_within, true);
}

TEST(sides_between_runs_have_their_properties) {
    check_properties(side_between, false);
}

/* To be as fast is shown by an interval, and never assumed. */
TEST(without_an_interval_nothing_is_as_fast) {
    const Ratio one = {.value = 1, .low = NAN, .high = NAN};
    assert_int_equal(ratio_side(&one), SIDE_UNDECIDED);
    const Ratio itself = {.value = 1, .low = 1, .high = 1};
    assert_int_equal(ratio_side(&itself), SIDE_SAME);
}

/* --- Winners ---------------------------------------------------------------------------------- */

typedef struct Field {
    Samples samples[CELLS];
    Summary summaries[CELLS];
    Rival rivals[CELLS];
} Field;

/* One sample a launch. */
static void make_field(double times[CELLS][LAUNCHES], double scale, size_t shift, Field *field) {
    memset(field, 0, sizeof *field);
    for (size_t cell = 0; cell < CELLS; cell++) {
        for (uint32_t launch = 0; launch < LAUNCHES; launch++) {
            field->samples[cell].origin.launch = launch;
            const double seconds = scale * times[cell][(launch + shift) % LAUNCHES];
            assert_ok(samples_add(&field->samples[cell], seconds));
        }
        assert_ok(summarize(&field->samples[cell], &field->summaries[cell]));
        field->rivals[cell] = (Rival){.summary = &field->summaries[cell],
                                      .samples = &field->samples[cell],
                                      .odd_median = NAN,
                                      .even_median = NAN};
    }
}

static WinnerChoice choose(double times[CELLS][LAUNCHES], double scale, size_t shift) {
    Field field;
    make_field(times, scale, shift, &field);
    const WinnerChoice choice = winner_choose(field.rivals, CELLS);
    for (size_t cell = 0; cell < CELLS; cell++) {
        samples_release(&field.samples[cell]);
    }
    return choice;
}

TEST(winners_have_their_properties) {
    Random random;
    random_seed(&random, 11);
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        double times[CELLS][LAUNCHES];
        for (size_t cell = 0; cell < CELLS; cell++) {
            draw(&random, exp(0.02 * random_normal(&random)), times[cell]);
        }
        const WinnerChoice choice = choose(times, 1, 0);
        assert_true(choice.low <= choice.seconds && choice.seconds <= choice.high);
        const WinnerChoice scaled = choose(times, ldexp(1, 10), 0);
        assert_int_equal(scaled.best, choice.best);
        assert_true(scaled.seconds == ldexp(choice.seconds, 10));
        assert_int_equal(scaled.tied_count, choice.tied_count);
        const WinnerChoice turned = choose(times, 1, repeat % LAUNCHES);
        assert_int_equal(turned.best, choice.best);
        assert_true(turned.seconds == choice.seconds);
        /* A loser that gets slower does not win, nor does a winner that gets faster lose. */
        const size_t loser = (choice.best + 1) % CELLS;
        for (size_t i = 0; i < LAUNCHES; i++) {
            times[loser][i] *= 1.5;
            times[choice.best][i] *= 0.99;
        }
        assert_int_equal(choose(times, 1, 0).best, choice.best);
    }
}

/* Four cells of one speed: the least median is too small, and the winner's time is not. */
TEST(a_winner_owes_nothing_to_luck) {
    enum { MANY = 3000 };
    Random random;
    double least = 0, fair = 0;
    random_seed(&random, 23);
    for (size_t repeat = 0; repeat < MANY; repeat++) {
        double times[CELLS][LAUNCHES];
        double best = INFINITY;
        for (size_t cell = 0; cell < CELLS; cell++) {
            for (size_t i = 0; i < LAUNCHES; i++) {
                times[cell][i] = exp(0.05 * random_normal(&random));
            }
            best = fmin(best, median_of(times[cell]));
        }
        least += log(best) / MANY;
        fair += log(choose(times, 1, 0).seconds) / MANY;
    }
    assert_true(least < -0.015);
    assert_true(fabs(fair) < 0.004);
}

/* Of joules there is one value a cell: without samples the least of them is taken as it is. */
TEST(a_winner_of_single_values) {
    Summary values[3];
    Rival rivals[3];
    static const double medians[] = {3, 2, 2.1};
    for (size_t i = 0; i < 3; i++) {
        values[i] = summary_none();
        values[i].median = medians[i];
        values[i].ci_low = medians[i] / 1.1;
        values[i].ci_high = medians[i] * 1.1;
        rivals[i] = (Rival){.summary = &values[i], .odd_median = NAN, .even_median = NAN};
    }
    const WinnerChoice choice = winner_choose(rivals, 3);
    assert_int_equal(choice.best, 1);
    assert_true(choice.seconds == 2 && choice.high == 2.2);
    assert_int_equal(choice.tied_count, 1);
    assert_int_equal(choice.tied[0], 2);
    assert_int_equal(winner_choose(rivals, 0).best, WINNER_NONE);
}

/* --- Words ------------------------------------------------------------------------------------ */

TEST(a_side_has_one_wording) {
    static const struct {
        SpeedSide side;
        Ratio ratio;
        const char *speed, *cost, *energy;
    } cases[] = {
        {SIDE_FASTER,
         {.value = 36.71, .low = 36.2, .high = 37.1},
         "36.7× faster (36.2 to 37.1)",
         "36.7× cheaper (36.2 to 37.1)",
         "36.7× less (36.2 to 37.1)"},
        {SIDE_SLOWER,
         {.value = 0.5, .low = 0.4, .high = 0.8},
         "2.00× slower (1.25 to 2.50)",
         "2.00× dearer (1.25 to 2.50)",
         "2.00× more (1.25 to 2.50)"},
        {SIDE_SAME,
         {.value = 1.01, .low = 0.98, .high = 1.03},
         "as fast (within 5%)",
         "as cheap (within 5%)",
         "as much (within 5%)"},
        {SIDE_UNDECIDED,
         {.value = 1, .low = 0.92, .high = 1.09},
         "undecided (0.920 to 1.09)",
         "undecided (0.920 to 1.09)",
         "undecided (0.920 to 1.09)"},
        {SIDE_UNDECIDED,
         {.value = 1, .low = NAN, .high = NAN},
         "undecided",
         "undecided",
         "undecided"},
        {SIDE_FASTER,
         {.value = 2, .low = 1.9, .high = 2.1, .in_run = true},
         "2.00× faster (1.90 to 2.10 in this run)",
         "2.00× cheaper (1.90 to 2.10 in this run)",
         "2.00× less (1.90 to 2.10 in this run)"},
        {SIDE_FASTER,
         {.value = 2, .low = 1.9, .high = 2.1, .extremes = true},
         "2.00× faster (range 1.90 to 2.10)",
         "2.00× cheaper (range 1.90 to 2.10)",
         "2.00× less (range 1.90 to 2.10)"},
        {SIDE_FASTER,
         {.value = 2, .low = 1.9, .high = 2.1, .within = 59.2},
         "2.00× faster (1.90 to 2.10 in these 60 s)",
         "2.00× cheaper (1.90 to 2.10 in these 60 s)",
         "2.00× less (1.90 to 2.10 in these 60 s)"},
        {SIDE_FASTER,
         {.value = 2, .low = 1.9, .high = 2.1, .extremes = true, .within = 150},
         "2.00× faster (range 1.90 to 2.10 in these 3 min)",
         "2.00× cheaper (range 1.90 to 2.10 in these 3 min)",
         "2.00× less (range 1.90 to 2.10 in these 3 min)"},
        {SIDE_UNDECIDED, {.value = NAN, .low = NAN, .high = NAN}, "", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        const size_t first = side_text(cases[i].side, &cases[i].ratio, COMPARED_SPEED, text);
        const char *bracket = strstr(cases[i].speed, " (");
        assert_string_equal(text, cases[i].speed);
        assert_int_equal(first, bracket != NULL ? bracket - cases[i].speed : 0);
        side_text(cases[i].side, &cases[i].ratio, COMPARED_COST, text);
        assert_string_equal(text, cases[i].cost);
        side_text(cases[i].side, &cases[i].ratio, COMPARED_ENERGY, text);
        assert_string_equal(text, cases[i].energy);
    }
}

/* New times over old ones are given, speeds are said; the side is the one that was decided. */
TEST(a_difference_has_the_words_of_its_side) {
    RunDifference difference = {.side = SIDE_SLOWER,
                                .ratio = {.value = 1.102, .low = 1.0916, .high = 1.1111},
                                .before = 8,
                                .now = 8,
                                .limit = 0.001};
    char text[NUMBER_WORDS_SIZE];
    difference_words(&difference, text);
    assert_string_equal(text, "1.10× slower (1.09 to 1.11)");
    difference.side = SIDE_UNDECIDED;
    difference_words(&difference, text);
    assert_string_equal(text, "undecided (0.900 to 0.916)");
    difference_brief(&difference, text);
    assert_string_equal(text, "undecided (0.900 to 0.916)");
    /* The least p of six launches against six is 0.0022. */
    difference.before = difference.now = 6;
    difference_brief(&difference, text);
    assert_string_equal(text, "undecided (0.900 to 0.916; too few launches)");
    assert_int_equal(difference_words(&difference, text), strlen("undecided"));
    assert_string_equal(text, "undecided (0.900 to 0.916; too few launches)");
    difference.ratio.low = 0.99;
    difference_words(&difference, text);
    assert_string_equal(text, "undecided (0.900 to 1.01)");
    difference.side = SIDE_SLOWER;
    difference_brief(&difference, text);
    assert_string_equal(text, "1.10× slower");
}

TEST(changes_have_no_exponent) {
    static const struct {
        double change;
        const char *words;
    } cases[] = {{0.031, "3.1%"}, {0.05, "5%"}, {0.994, "99%"}, {0.996, "100%"}, {1.318, "130%"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIGNIFICANT_SIZE];
        change_text(cases[i].change, text);
        assert_string_equal(text, cases[i].words);
    }
}

static void check_interval_words(size_t least, size_t most, const char *expected) {
    LaunchRange range = {.most = 0};
    char text[96];
    launch_range_add(&range, most);
    launch_range_add(&range, least);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(intervals_are_called_by_their_launches) {
    char text[96];
    check_interval_words(6, 6, "95% of 6 launches");
    check_interval_words(6, 9, "95% of 6 to 9 launches");
    check_interval_words(5, 5, "least to greatest of 5 launches");
    check_interval_words(2, 3, "least to greatest of 2 to 3 launches");
    check_interval_words(3, 6, "95% or least to greatest of 3 to 6 launches");
    check_interval_words(1, 1, "95% in this run");
    check_interval_words(0, 0, "95% in this run");
    interval_words(&(LaunchRange){.most = 0}, text, sizeof text);
    assert_string_equal(text, "");
}

/* A cell of which no earlier run is known speaks for all. */
TEST(intervals_of_launches_that_followed_each_other_say_so) {
    const Summary fresh = {.launches = 3, .within = 41.3};
    const Summary known = {.launches = 3, .remembered = true};
    LaunchRange range = {.most = 0};
    LaunchRange both = {.most = 0};
    char text[96];
    launch_range_add_summary(&range, &known);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, "least to greatest of 3 launches and earlier runs");
    launch_range_add_summary(&range, &fresh);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, "least to greatest of 3 launches in these 42 s");
    launch_range_add(&both, 6);
    launch_range_join(&both, &range);
    interval_words(&both, text, sizeof text);
    assert_string_equal(text, "95% or least to greatest of 3 to 6 launches in these 42 s");
}

/* --- Differences that are compared ------------------------------------------------------------ */

/* A cell that is 3 times as fast changed more than one that is half as fast, and one that is
 * undecided not at all. */
TEST(the_greatest_change_is_the_farthest_from_1) {
    const RunDifference faster = {.side = SIDE_FASTER, .ratio = {.value = 1.0 / 3}};
    const RunDifference slower = {.side = SIDE_SLOWER, .ratio = {.value = 2}};
    const RunDifference open = {.side = SIDE_UNDECIDED, .ratio = {.value = 4}};
    assert_true(difference_is_greater(&faster, &slower) &&
                !difference_is_greater(&slower, &faster));
    assert_true(difference_is_greater(&faster, NULL) && difference_is_greater(&faster, &open));
    assert_true(!difference_is_greater(&open, NULL) && !difference_is_greater(&open, &faster));
}

/* Half way from 1 to 4 is 2, and from 1 to 1/4 it is 1/2. */
TEST(a_difference_is_near_an_end) {
    for (int faster = 0; faster < 2; faster++) {
        const RunDifference end = {.ratio = {.value = faster ? 0.25 : 4}};
        const RunDifference near = {.ratio = {.value = faster ? 0.49 : 2.05}};
        const RunDifference far = {.ratio = {.value = faster ? 0.51 : 1.95}};
        const RunDifference other = {.ratio = {.value = faster ? 4 : 0.25}};
        assert_true(difference_is_near(&near, &end));
        assert_false(difference_is_near(&far, &end) || difference_is_near(&other, &end));
    }
}
