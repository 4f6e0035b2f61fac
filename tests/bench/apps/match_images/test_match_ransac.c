

#include "bench/least_squares.h"
#include "match_images_internal.h"
#include "random.h"
#include "test.h"

enum { PLACES = 500, RIGHT = 200, WIDTH = 800, HEIGHT = 640 };

/* A plane turned away, as between two photographs. */
static const Homography truth = {{0.76, -0.3, 225, 0.33, 1.01, -77, 3.5e-4, -1.4e-5, 1}};
static const RansacRequest request = {.inlier_px = 3, .seed = 1};

/* The first RIGHT agree with the truth to half a pixel; the others lie anywhere. */
static void make_places(uint64_t seed, Correspondence places[PLACES]) {
    Random random;
    random_seed(&random, seed);
    for (int i = 0; i < PLACES; i++) {
        double mapped[2];
        places[i].xa = WIDTH * random_unit(&random);
        places[i].ya = HEIGHT * random_unit(&random);
        assert_true(homography_map(&truth, places[i].xa, places[i].ya, mapped));
        const bool right = i < RIGHT;
        places[i].xb =
            right ? mapped[0] + random_unit(&random) - 0.5 : WIDTH * random_unit(&random);
        places[i].yb =
            right ? mapped[1] + random_unit(&random) - 0.5 : HEIGHT * random_unit(&random);
    }
}

TEST(six_of_ten_wrong_do_no_harm) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Correspondence places[PLACES];
        bool inlier[PLACES];
        RansacResult result;
        size_t marked = 0;
        make_places(seed, places);
        const RansacRequest seeded = {.inlier_px = 3, .seed = seed};
        assert_ok(ransac_homography(places, PLACES, &seeded, inlier, &result));
        assert_true(result.found);
        assert_true(homography_corner_error(&result.homography, &truth, WIDTH, HEIGHT) < 0.5);
        for (int i = 0; i < PLACES; i++) {
            assert_true(i >= RIGHT || inlier[i]);
            assert_true(!inlier[i] || homography_error(&truth, &places[i]) < 4);
            marked += inlier[i];
        }
        assert_int_equal(marked, result.inliers);
        /* The number that this share of right ones needs: log(0.001) / log(1 - 0.4^4) = 266; more
         * only as long as less was known. */
        assert_in_range(result.samples, 200, 400);
    }
}

TEST(the_same_seed_gives_the_same) {
    Correspondence places[PLACES];
    bool inlier[PLACES];
    RansacResult one;
    RansacResult other;
    make_places(3, places);
    ransac_homography(places, PLACES, &request, inlier, &one);
    ransac_homography(places, PLACES, &request, inlier, &other);
    assert_memory_equal(&one.homography, &other.homography, sizeof one.homography);
    assert_int_equal(one.samples, other.samples);
    /* What is found with a narrow margin depends on the sample. */
    RansacRequest narrow = {.kind = RANSAC_PLAIN, .inlier_px = 0.3, .seed = 1};
    ransac_homography(places, PLACES, &narrow, inlier, &one);
    narrow.seed = 2;
    ransac_homography(places, PLACES, &narrow, inlier, &other);
    assert_memory_not_equal(&one.homography, &other.homography, sizeof one.homography);
}

/* --- Local optimisation ----------------------------------------------------------------------- */

enum { LO_SEEDS = 50, LO_PLACES = 600, LO_RIGHT = 240 };

/* The first LO_RIGHT lie up to 3 pixels to each side of where the truth maps them; the others lie
 * anywhere. Samples of four of the first are bent. Returns how many of these the truth has within
 * the threshold. */
static int make_noisy_places(Correspondence places[LO_PLACES]) {
    Random random;
    int within = 0;
    random_seed(&random, 1);
    for (int i = 0; i < LO_PLACES; i++) {
        double mapped[2];
        places[i].xa = WIDTH * random_unit(&random);
        places[i].ya = HEIGHT * random_unit(&random);
        assert_true(homography_map(&truth, places[i].xa, places[i].ya, mapped));
        const bool right = i < LO_RIGHT;
        places[i].xb =
            right ? mapped[0] + 6 * random_unit(&random) - 3 : WIDTH * random_unit(&random);
        places[i].yb =
            right ? mapped[1] + 6 * random_unit(&random) - 3 : HEIGHT * random_unit(&random);
        within += right && homography_error(&truth, &places[i]) <= 3;
    }
    return within;
}

typedef struct Found {
    int least, most; /* right ones among the inliers, over the seeds */
    size_t samples;  /* of all seeds */
    double farthest; /* of the corners, pixels */
} Found;

static Found find_over_seeds(const Correspondence places[LO_PLACES], RansacKind kind) {
    Found found = {.least = LO_RIGHT};
    for (uint64_t seed = 1; seed <= LO_SEEDS; seed++) {
        bool inlier[LO_PLACES];
        RansacResult result;
        int right = 0;
        const RansacRequest seeded = {.kind = kind, .inlier_px = 3, .seed = seed};
        assert_ok(ransac_homography(places, LO_PLACES, &seeded, inlier, &result));
        for (int i = 0; i < LO_RIGHT; i++) {
            right += inlier[i];
        }
        found.least = right < found.least ? right : found.least;
        found.most = right > found.most ? right : found.most;
        found.samples += result.samples;
        found.farthest = fmax(found.farthest,
                              homography_corner_error(&result.homography, &truth, WIDTH, HEIGHT));
    }
    return found;
}

/* Every seed finds nearly as many right ones as the truth has, and the same ones; without local
 * optimisation none need. */
TEST(local_optimisation_finds_the_same_with_every_seed) {
    static Correspondence places[LO_PLACES];
    const int within = make_noisy_places(places);
    const Found local = find_over_seeds(places, RANSAC_LOCAL);
    const Found plain = find_over_seeds(places, RANSAC_PLAIN);
    assert_in_range(within, LO_RIGHT * 7 / 10, LO_RIGHT * 9 / 10);
    assert_true(local.least >= within * 9 / 10);
    assert_true(local.most - local.least <= 3);
    assert_true(local.farthest < 1.5);
    assert_true(plain.least < within * 9 / 10);
    assert_true(plain.most - plain.least > 20);
    assert_true(plain.farthest > local.farthest);
    assert_true(local.samples < plain.samples / 2);
}

/* Errors as wide as the threshold: each fit has other inliers than the one before. */
TEST(the_homography_is_fitted_to_its_inliers) {
    static Correspondence places[LO_PLACES];
    make_noisy_places(places);
    for (uint64_t seed = 1; seed <= LO_SEEDS; seed++) {
        bool inlier[LO_PLACES];
        RansacResult result;
        const RansacRequest seeded = {.inlier_px = 1 + (double)seed / 10, .seed = seed};
        assert_ok(ransac_homography(places, LO_PLACES, &seeded, inlier, &result));
        check_fitted(&result, places, inlier, LO_PLACES, seeded.inlier_px);
    }
}

/* Of eight places round a circle that agree on nothing any four make a homography, and no fifth
 * agrees with it: of all these equal ones the first that is drawn stays. */
TEST(of_equal_samples_the_first_stays) {
    enum { COUNT = 8 };
    static const double turned[COUNT] = {0.1, -0.2, 0.25, 0, -0.25, 0.2, -0.1, 0.15};
    Correspondence places[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double angle = 0.7853981633974483 * i;
        places[i] = (Correspondence){200 * cos(angle), 200 * sin(angle),
                                     200 * cos(angle + turned[i]), 200 * sin(angle + turned[i])};
    }
    for (uint64_t seed = 1; seed <= 5; seed++) {
        bool inlier[COUNT];
        RansacResult result;
        Random random;
        bool first[COUNT] = {false};
        random_seed(&random, seed);
        for (int drawn = 0; drawn < HOMOGRAPHY_POINTS;) {
            bool *next = &first[random_bits(&random) % COUNT];
            drawn += *next ? 0 : 1;
            *next = true;
        }
        const RansacRequest exact = {.inlier_px = 1e-3, .seed = seed};
        ransac_homography(places, COUNT, &exact, inlier, &result);
        assert_int_equal(result.inliers, HOMOGRAPHY_POINTS);
        assert_true(result.samples > 10);
        assert_memory_equal(inlier, first, sizeof first);
    }
}

TEST(right_ones_alone_need_one_sample) {
    Correspondence places[PLACES];
    bool inlier[PLACES];
    RansacResult result;
    make_places(1, places);
    ransac_homography(places, RIGHT, &request, inlier, &result);
    assert_int_equal(result.inliers, RIGHT);
    assert_in_range(result.samples, 1, 20);
}

TEST(the_distance_is_that_of_the_request) {
    Correspondence places[PLACES];
    bool inlier[PLACES];
    RansacResult result;
    make_places(1, places);
    /* Half a pixel to each side: a circle of radius 0.1 has 3% of them. */
    const RansacRequest narrow = {.inlier_px = 0.1, .seed = 1};
    ransac_homography(places, RIGHT, &narrow, inlier, &result);
    assert_in_range(result.inliers, HOMOGRAPHY_POINTS, RIGHT / 4);
}

static void check_nothing_found(const Correspondence *places, size_t count) {
    bool inlier[PLACES];
    RansacResult result;
    memset(inlier, 1, sizeof inlier);
    assert_ok(ransac_homography(places, count, &request, inlier, &result));
    assert_false(result.found);
    assert_int_equal(result.inliers, 0);
    for (size_t i = 0; i < count; i++) {
        assert_false(inlier[i]);
    }
}

TEST(too_few_or_on_a_line_find_nothing) {
    Correspondence places[PLACES];
    make_places(1, places);
    check_nothing_found(places, 0);
    check_nothing_found(places, 3);
    /* Half a pixel off a line is what rounding does to places on it. */
    for (int i = 0; i < 20; i++) {
        places[i] = (Correspondence){10.0 * i, 20.0 * i + i % 2 * 0.5, 10.0 * i, 300.0 + i % 3};
    }
    check_nothing_found(places, 20);
    /* One keypoint, described again and again. */
    for (int i = 0; i < 20; i++) {
        places[i] = (Correspondence){50, 60, 70, 80};
    }
    check_nothing_found(places, 20);
}

/* A square that is folded over has no homography of one side, though equations can be solved. */
TEST(a_plane_is_seen_from_one_side) {
    const Correspondence folded[] = {
        {0, 0, 0, 0}, {100, 0, 100, 0}, {0, 100, 0, 100}, {100, 100, 20, 20}};
    const Correspondence mirrored[] = {
        {0, 0, 100, 0}, {100, 0, 0, 0}, {0, 100, 100, 100}, {100, 100, 0, 100}};
    Homography homography;
    bool inlier[4];
    RansacResult result;
    assert_true(homography_fit(folded, 4, &homography));
    const RansacRequest few = {.inlier_px = 3, .seed = 1};
    ransac_homography(folded, 4, &few, inlier, &result);
    assert_false(result.found);
    ransac_homography(mirrored, 4, &few, inlier, &result);
    assert_true(result.found);
    assert_int_equal(result.inliers, 4);
}
