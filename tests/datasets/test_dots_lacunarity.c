/* Gliding-box lacunarity of the four arrangements, by an integral image: the Cantor dust follows
 * the power law of its dimension, and the others differ as Fig. 2 of the lacunarity study shows. */
#include "fixtures.h"
#include "test.h"

enum { LEVELS = 9, SIDE = 1 << LEVELS, SEEDS = 6 };

/* Number of ones above and to the left, with an empty row and column before the first. */
typedef uint32_t Sums[SIDE + 1][SIDE + 1];

static void sum_up(const Image *image, Sums sums) {
    memset(sums, 0, sizeof(Sums));
    for (int32_t y = 0; y < SIDE; y++) {
        for (int32_t x = 0; x < SIDE; x++) {
            sums[y + 1][x + 1] =
                (image_row(image, y)[x] == 255) + sums[y][x + 1] + sums[y + 1][x] - sums[y][x];
        }
    }
}

/* positions · Σs² / (Σs)² over all positions of the box. */
static double lacunarity(Sums sums, int32_t box) {
    double first = 0;
    double second = 0;
    for (int32_t y = 0; y + box <= SIDE; y++) {
        for (int32_t x = 0; x + box <= SIDE; x++) {
            const double mass =
                (double)(sums[y + box][x + box] - sums[y][x + box] - sums[y + box][x] + sums[y][x]);
            first += mass;
            second += mass * mass;
        }
    }
    const double positions = (double)(SIDE - box + 1) * (SIDE - box + 1);
    return positions * second / (first * first);
}

/* The mean of log10 Λ over the seeds, for boxes of side 2^0, 2^1, … */
static void mean_curve(const char *kind, size_t boxes, double *logarithms) {
    static Sums sums;
    for (size_t i = 0; i < boxes; i++) {
        logarithms[i] = 0;
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        RELEASED_BY(image_free) Image image;
        assert_ok(synthetic_image(kind, SIDE, SIDE, seed, &image));
        sum_up(&image, sums);
        for (size_t i = 0; i < boxes; i++) {
            logarithms[i] += log10(lacunarity(sums, 1 << i)) / SEEDS;
        }
    }
}

typedef struct Line {
    double slope, correlation;
} Line;

static Line fit(const double *x, const double *y, size_t count) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    return (Line){.slope = xy / xx, .correlation = xy / sqrt(xx * yy)};
}

/*
 * Theory. A dust that keeps m of b² squares at each of L cuts has m^(L−k) squares of side b^k that
 * are not empty, each with m^k ones. For boxes that lie on these squares Λ is therefore
 * (m^2k·p) / (m^k·p)² = 1/p with p = (m/b²)^(L−k), and log Λ against log r a line of slope
 * −log(b²/m) / log b = −(2 − D), D = log m / log b being the dimension. Here b = 2, m = 3.
 */
static const double dimension_slope = -0.4150374992788438; /* log 3 / log 2 − 2 */

TEST(the_dust_on_its_own_grid_is_exact) {
    static Sums sums;
    Image image;
    assert_ok(synthetic_image("cantor", SIDE, SIDE, 5, &image));
    sum_up(&image, sums);
    image_free(&image);
    for (int k = 0; k < LEVELS; k++) {
        const int32_t box = 1 << k;
        double first = 0;
        double second = 0;
        for (int32_t y = 0; y < SIDE; y += box) {
            for (int32_t x = 0; x < SIDE; x += box) {
                const double mass = (double)(sums[y + box][x + box] - sums[y][x + box] -
                                             sums[y + box][x] + sums[y][x]);
                first += mass;
                second += mass * mass;
            }
        }
        const double squares = (double)(SIDE / box) * (SIDE / box);
        assert_true(fabs(squares * second / (first * first) - pow(4.0 / 3, LEVELS - k)) < 1e-9);
    }
}

/* Boxes at every position see the same law with another factor, on average over dusts, where they
 * are neither of few pixels (Λ(1) is the share of ones, whatever the arrangement) nor near the
 * whole image, which cuts their number down: from 4 to 64 pixels of 512. There the fit gives
 * −0.412. */
TEST(the_dust_follows_its_dimension) {
    enum { FIRST = 2, COUNT = 5 };
    double x[COUNT];
    double y[FIRST + COUNT];
    mean_curve("cantor", FIRST + COUNT, y);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (FIRST + i) * log10(2);
    }
    const Line line = fit(x, y + FIRST, COUNT);
    assert_true(fabs(line.slope - dimension_slope) < 0.02);
    assert_true(line.correlation < -0.999);
}

/* The same share of ones, hence the same Λ(1); for boxes of 16 and 32 pixels the more even, the
 * smaller. The law of the dust is no line of the others: theirs bend. */
TEST(arrangements_differ_as_in_the_study) {
    static const char *const kinds[] = {"even", "random", "cantor", "clustered"};
    enum { COUNT = 6 };
    double curves[4][COUNT];
    for (size_t i = 0; i < 4; i++) {
        mean_curve(kinds[i], COUNT, curves[i]);
        assert_true(fabs(curves[i][0] - LEVELS * log10(4.0 / 3)) < 0.01);
    }
    for (size_t i = 1; i < 4; i++) {
        assert_true(curves[i][4] > 1.03 * curves[i - 1][4]);
        assert_true(curves[i][5] > 1.03 * curves[i - 1][5]);
    }
}

/* Masses of a random arrangement are binomial: Λ = 1 + (1 − p) / (p·r²) for share p. */
TEST(random_ones_have_the_lacunarity_of_the_binomial) {
    enum { COUNT = 6 };
    double curve[COUNT];
    const double share = pow(0.75, LEVELS);
    mean_curve("random", COUNT, curve);
    for (int i = 0; i < COUNT; i++) {
        const double expected = 1 + (1 - share) / (share * pow(4, i));
        assert_true(fabs(pow(10, curve[i]) - expected) < 0.02 * expected);
    }
}
