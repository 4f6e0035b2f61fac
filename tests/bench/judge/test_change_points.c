/* Change points: against tests/history/e_divisive.py, which follows the definition, and on planted
 * steps and noise. */
#include "change_points.h"
#include "harness.h"
#include "judge_internal.h"
#include "random.h"
#include "test.h"

enum { VALUES = 30, LAUNCHES = 8 };

static size_t find_samples(const ChangeSample *samples, size_t count, double alpha,
                           ChangePoint *points) {
    size_t found = SIZE_MAX;
    assert_ok(change_points_find(samples, count, alpha, points, &found));
    return found;
}

/* Of commits of one launch each. */
static size_t find(const double *values, size_t count, double alpha, ChangePoint *points) {
    ChangeSample samples[VALUES];
    for (size_t i = 0; i < count; i++) {
        samples[i] = (ChangeSample){&values[i], 1};
    }
    return find_samples(samples, count, alpha, points);
}

/* What tests/history/e_divisive.py prints; p is over all orders there, over 999 here. The first by
 * hand: 2·2/4 · (2 · (√4 + √9 + √3 + √8) / 4 − √1 − √5) = 1.544. */
TEST(anchors_of_the_definition) {
    static const struct {
        double values[7][3]; /* ascending, 0: none */
        size_t count, at;
        double q, p, alpha;
    } anchors[] = {
        {{{1}, {2}, {5}, {10}}, 4, 2, 1.54417098866, 0.333333, 0.5},
        {{{1, 1.2}, {0.9, 1.1}, {1, 1.3}, {3, 3.3}, {2.9, 3.1}, {3.2, 3.4}},
         6,
         3,
         3.04889822902,
         0.1,
         0.3},
        {{{3}, {1}, {4}, {1.5}, {5}, {9}, {2}}, 7, 4, 1.14382332886, 0.507143, 0.8},
        {{{4.9, 5, 5.1}, {5.2}, {4.8, 5}, {2, 2.1}, {2.2, 2.3, 2.6}, {1.9}, {2.4}},
         7,
         3,
         4.10099291583,
         0.0571429,
         0.2},
        {{{1}, {1.1}, {9}, {9.5}, {9.2}, {1.2}, {0.9}}, 7, 2, 5.80470406419, 0.169048, 0.4},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        ChangePoint points[7];
        ChangeSample samples[7];
        for (size_t j = 0; j < anchors[i].count; j++) {
            const double *values = anchors[i].values[j];
            samples[j] = (ChangeSample){values, 1 + (values[1] > 0) + (values[2] > 0)};
        }
        const size_t found = find_samples(samples, anchors[i].count, anchors[i].alpha, points);
        size_t place = 0;
        while (place < found && points[place].at != anchors[i].at) {
            place++;
        }
        assert_true(place < found);
        assert_true(fabs(points[place].q - anchors[i].q) < 1e-9);
        const double spread = sqrt(anchors[i].p * (1 - anchors[i].p) / CHANGE_PERMUTATIONS);
        assert_true(fabs(points[place].p - anchors[i].p) < 4 * spread + 0.001);
    }
}

/* Levels 0, 25 and 16, whose roots of distances are 5, 3 and 4, of 9, 9 and 2 commits. No other of
 * the 999 orders has as large a split of either kind, so both are equally rare: the whole one
 * counts, 9 · 11 / 20 · (2 · (81 · 5 + 18 · 4) / 99 − 18 · 3 / 55), and not that of the first 18,
 * 9 · 9 / 18 · 2 · 5 = 45. */
TEST(of_two_equally_rare_splits_the_whole_one_counts) {
    double values[20];
    ChangePoint points[20];
    for (size_t i = 0; i < 20; i++) {
        values[i] = i < 9 ? 0 : i < 18 ? 25 : 16;
    }
    const size_t found = find(values, 20, 0.01, points);
    assert_true(found > 0);
    assert_int_equal(points[0].at, 9);
    assert_true(points[0].p == 0.001);
    assert_true(fabs(points[0].q - 99.0 / 20 * (2 * 477.0 / 99 - 54.0 / 55)) < 1e-9);
}

TEST(few_values_have_none) {
    static const double values[] = {1, 9, 1};
    ChangePoint points[4];
    assert_int_equal(find(values, 0, 0.9, points), 0);
    assert_int_equal(find(values, 3, 0.9, points), 0);
    static const double equal[] = {2, 2, 2, 2, 2, 2};
    assert_int_equal(find(equal, 6, 0.9, points), 0);
}

/* Noise of 2% around levels; with `tails` one value in ten is up to half as much again. */
static void fill(double *values, uint64_t seed, const double *levels, bool tails) {
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = log(levels[i]) + 0.02 * random_normal(&random);
        if (tails && random_unit(&random) < 0.1) {
            values[i] += 0.4 * random_unit(&random);
        }
    }
}

static bool has(const ChangePoint *points, size_t found, size_t at) {
    for (size_t i = 0; i < found; i++) {
        if (points[i].at + 1 >= at && points[i].at <= at + 1) {
            return true;
        }
    }
    return false;
}

/* Of +10% and of +10% and back, five standard deviations each. */
TEST(planted_steps_are_found) {
    double one[VALUES];
    double two[VALUES];
    size_t of_one = 0;
    size_t of_two = 0;
    for (size_t i = 0; i < VALUES; i++) {
        one[i] = i < 20 ? 1 : 1.1;
        two[i] = i < 10 || i >= 20 ? 1 : 1.1;
    }
    for (uint64_t seed = 0; seed < 100; seed++) {
        double values[VALUES];
        ChangePoint points[VALUES];
        fill(values, seed, one, false);
        of_one += has(points, find(values, VALUES, 0.05, points), 20);
        fill(values, seed, two, false);
        const size_t found = find(values, VALUES, 0.05, points);
        of_two += has(points, found, 10) && has(points, found, 20);
        for (size_t i = 1; i < found; i++) {
            assert_true(points[i - 1].at < points[i].at);
        }
    }
    assert_true(of_one >= 98);
    assert_true(of_two >= 95);
}

/* No order of n commits has p below 2·t!·(n − t)!/n! for a step after t: it must be well below 5%,
 * since 999 orders estimate it. */
TEST(a_clear_step_needs_so_many_commits) {
    static const struct {
        size_t before, after;
        bool enough;
    } rows[] = {{4, 4, true},  {5, 3, true},  {3, 5, true},  {9, 2, true},  {2, 9, true},
                {4, 3, false}, {3, 4, false}, {6, 2, false}, {2, 6, false}, {7, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t found = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            double levels[VALUES];
            double values[VALUES];
            ChangePoint points[VALUES];
            for (size_t j = 0; j < VALUES; j++) {
                levels[j] = j < rows[i].before ? 1 : 1.3;
            }
            fill(values, seed, levels, false);
            found += find(values, rows[i].before + rows[i].after, 0.05, points) > 0;
        }
        assert_true(rows[i].enough ? found >= 19 : found <= 7);
    }
}

TEST(the_same_values_give_the_same_points) {
    double levels[VALUES];
    double values[VALUES];
    ChangePoint first[VALUES];
    ChangePoint second[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        levels[i] = i < 12 ? 1 : 1.05;
    }
    fill(values, 7, levels, true);
    const size_t found = find(values, VALUES, 0.3, first);
    assert_true(found > 0);
    assert_int_equal(find(values, VALUES, 0.3, second), found);
    for (size_t i = 0; i < found; i++) {
        assert_int_equal(first[i].at, second[i].at);
        assert_true(first[i].p == second[i].p && first[i].q == second[i].q);
    }
}

/* === Histories as they are measured =========================================================== */

/* Standard deviations of logarithms, of the commits and of the launches of one. With `tails` both
 * have Student's t with two degrees of freedom, whose variance is infinite. One commit in six was
 * measured in a slow phase that moves all its launches by up to `slow`. */
typedef struct Noise {
    const char *name;
    double commit, launch, slow;
    bool tails;
} Noise;

static const Noise noises[] = {
    {"independent launches", .launch = 0.02},
    {"each commit has its day", .commit = 0.015, .launch = 0.015},
    {"heavy tails", .commit = 0.005, .launch = 0.015, .tails = true},
    {"slow phases up to 10%", .commit = 0.005, .launch = 0.015, .slow = 0.1},
    {"slow phases up to 30%", .commit = 0.005, .launch = 0.015, .slow = 0.3},
};

enum { NOISES = sizeof noises / sizeof noises[0], STEPS = 2 };

typedef struct Simulated {
    double launches[VALUES][LAUNCHES];
    ChangeSample samples[VALUES];
} Simulated;

static double draw_normal(const Noise *noise, Random *random) {
    const double normal = random_normal(random);
    return noise->tails ? normal / sqrt(-log(random_unit(random))) : normal;
}

/* Commits from `from` up to `to` are slower by this ratio. */
typedef struct Planted {
    size_t count, from, to;
    double ratio;
} Planted;

static void simulate(Simulated *history, const Noise *noise, const Planted *planted,
                     Random *random) {
    for (size_t i = 0; i < planted->count; i++) {
        double level = noise->commit * draw_normal(noise, random);
        if (random_unit(random) < 1.0 / 6) {
            level += noise->slow * random_unit(random);
        }
        if (i >= planted->from && i < planted->to) {
            level += log(planted->ratio);
        }
        for (size_t j = 0; j < LAUNCHES; j++) {
            history->launches[i][j] = level + noise->launch * draw_normal(noise, random);
        }
        qsort(history->launches[i], LAUNCHES, sizeof(double), compare_doubles);
        history->samples[i] = (ChangeSample){history->launches[i], LAUNCHES};
    }
}

/* In how many histories any change point is found. */
static size_t count_found(const Noise *noise, const Planted *planted, size_t histories) {
    Random random;
    size_t found = 0;
    random_seed(&random, 20 + planted->count);
    for (size_t i = 0; i < histories; i++) {
        Simulated history;
        ChangePoint points[VALUES];
        simulate(&history, noise, planted, &random);
        found += find_samples(history.samples, planted->count, 0.05, points) > 0;
    }
    return found;
}

/* So many as 5% and three standard deviations more. */
static size_t most_alarms(size_t histories) {
    const double of = (double)histories;
    return (size_t)(0.05 * of + 3 * sqrt(0.05 * 0.95 * of));
}

/* BENCH_HISTORIES multiplies how many histories are simulated. */
static size_t scaled(size_t histories) {
    const char *times = getenv("BENCH_HISTORIES");
    return times != NULL ? histories * strtoul(times, NULL, 10) : histories;
}

TEST(noise_of_any_kind_is_no_change) {
    static const Planted none[] = {{.count = 12}, {.count = 30}};
    size_t all = 0;
    size_t all_alarms = 0;
    for (size_t i = 0; i < NOISES; i++) {
        for (size_t j = 0; j < sizeof none / sizeof none[0]; j++) {
            const size_t histories = scaled(none[j].count == 12 ? 1000 : 200);
            const size_t alarms = count_found(&noises[i], &none[j], histories);
            print_message("%zu commits, %s: %.1f%% of %zu are false alarms\n", none[j].count,
                          noises[i].name, 100 * (double)alarms / (double)histories, histories);
            assert_true(alarms <= most_alarms(histories));
            all += histories;
            all_alarms += alarms;
        }
    }
    /* No more than promised, nor so few that power was given away. */
    assert_true(all_alarms <= most_alarms(all) && all_alarms > all / 30);
}

/* So many of this share, but for three standard deviations. */
static double least_found(double share, size_t histories) {
    return share - 3 * sqrt(share * (1 - share) / (double)histories);
}

/* The power that bench/README.md states: percent of at least 1000 histories, rounded down. */
TEST(steps_of_5_and_10_percent_are_found) {
    static const double ratios[STEPS] = {1.05, 1.1};
    static const struct {
        size_t count, from, to;
        double percents[NOISES][STEPS];
    } rows[] = {
        {12, 6, 12, {{99.9, 99.9}, {94, 99.9}, {96, 99}, {77, 96}, {63, 77}}},
        {12, 9, 12, {{99, 99.9}, {79, 99.9}, {90, 98}, {56, 88}, {50, 59}}},
        {12, 4, 8, {{64, 93}, {32, 68}, {41, 72}, {37, 60}, {28, 43}}},
        {30, 15, 30, {{99.9, 99.9}, {99.9, 99.9}, {99, 99.9}, {99.9, 99.9}, {90, 99}}},
        {30, 26, 30, {{99.9, 99.9}, {98, 99.9}, {99, 99.9}, {87, 99}, {46, 85}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] * NOISES * STEPS; i++) {
        const size_t row = i / (NOISES * STEPS);
        const size_t noise = i / STEPS % NOISES;
        const Planted planted = {rows[row].count, rows[row].from, rows[row].to, ratios[i % STEPS]};
        const size_t histories = scaled(planted.count == 12 ? 60 : 20);
        const size_t found = count_found(&noises[noise], &planted, histories);
        const double share = (double)found / (double)histories;
        print_message("%zu commits, %s, %g from %zu to %zu: %.1f%%\n", planted.count,
                      noises[noise].name, planted.ratio, planted.from, planted.to, 100 * share);
        assert_true(share >= least_found(rows[row].percents[noise][i % STEPS] / 100, histories));
    }
}

/* What would have been seen in these commits, which at this alpha have no change. */
static double detectable_of(const Simulated *simulated, size_t count) {
    double medians[VALUES], detectable;
    LevelChange changes[VALUES];
    size_t found;
    for (size_t i = 0; i < count; i++) {
        double launches[LAUNCHES];
        for (size_t j = 0; j < LAUNCHES; j++) {
            launches[j] = exp(simulated->launches[i][j]);
        }
        medians[i] = estimate_of_values(launches, LAUNCHES).value;
    }
    assert_ok(
        level_changes_find(simulated->samples, medians, count, 0.05, changes, &found, &detectable));
    assert_true(found == 0 || isnan(detectable));
    return detectable;
}

/* By hand: the median is 1 before the step and 2 from there on. */
TEST(a_change_of_level_has_its_side) {
    static const double values[] = {0.99, 1, 1.01, 1, 0.99, 1.01, 2, 2.02, 1.98, 2, 2.01, 1.99};
    double medians[12], detectable;
    ChangeSample samples[12];
    LevelChange changes[12];
    size_t found;
    for (size_t back = 0; back < 2; back++) {
        for (size_t i = 0; i < 12; i++) {
            medians[i] = values[back ? 11 - i : i];
            samples[i] = (ChangeSample){&medians[i], 1};
        }
        assert_ok(level_changes_find(samples, medians, 12, 0.05, changes, &found, &detectable));
        assert_int_equal(found, 1);
        assert_int_equal(changes[0].point.at, 6);
        assert_int_equal(changes[0].side, back ? SIDE_FASTER : SIDE_SLOWER);
        assert_true(fabs(changes[0].ratio - (back ? 0.5 : 2)) < 1e-12);
        assert_true(isnan(detectable));
    }
}

/* A step of that size half way is found in about 80 of 100 histories. */
TEST(what_would_have_been_seen_is_seen) {
    enum { HISTORIES = 60, COMMITS = 12 };
    const Planted none = {COMMITS, 0, 0, 1};
    Random random;
    double least[HISTORIES];
    size_t known = 0;
    random_seed(&random, 9);
    for (size_t i = 0; i < HISTORIES; i++) {
        Simulated history;
        simulate(&history, &noises[1], &none, &random);
        least[known] = detectable_of(&history, COMMITS);
        known += !isnan(least[known]);
    }
    assert_true(known > HISTORIES * 3 / 4);
    const Planted step = {COMMITS, COMMITS / 2, COMMITS, 1 + median_in_place(least, known)};
    const size_t found = count_found(&noises[1], &step, 2 * HISTORIES);
    print_message("a step of %g is seen in %zu of %d\n", step.ratio, found, 2 * HISTORIES);
    assert_true(found > 2 * HISTORIES * 65 / 100 && found < 2 * HISTORIES * 95 / 100);
}

TEST(few_commits_would_have_shown_nothing) {
    const Planted none = {3, 0, 0, 1};
    Simulated history;
    Random random;
    random_seed(&random, 10);
    simulate(&history, &noises[0], &none, &random);
    assert_true(!isfinite(detectable_of(&history, 3)));
}
