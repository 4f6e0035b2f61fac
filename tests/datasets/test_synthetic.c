#include "fixtures.h"
#include "test.h"

typedef struct Statistics {
    double mean, variance;
    double correlation; /* of horizontal neighbours */
    double share;       /* of pixels that are 255 */
} Statistics;

static Image image_of(const char *kind, int32_t width, int32_t height, uint64_t seed) {
    Image image;
    assert_ok(synthetic_image(kind, width, height, seed, &image));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    return image;
}

static Statistics statistics_of(const Image *image) {
    Statistics result = {0};
    double squares = 0.0;
    double products = 0.0;
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        for (int32_t x = 0; x < image->width; x++) {
            result.mean += row[x];
            squares += (double)row[x] * row[x];
            products += x > 0 ? (double)row[x] * row[x - 1] : 0.0;
            result.share += row[x] == 255;
        }
    }
    const double count = (double)image_pixel_count(image);
    result.mean /= count;
    result.share /= count;
    result.variance = squares / count - result.mean * result.mean;
    result.correlation =
        (products / (count - image->height) - result.mean * result.mean) / result.variance;
    return result;
}

static Statistics statistics_of_kind(const char *kind, int32_t width, int32_t height,
                                     uint64_t seed) {
    RELEASED_BY(image_free) Image image = image_of(kind, width, height, seed);
    const Statistics result = statistics_of(&image);
    return result;
}

TEST(an_unknown_kind_is_refused) {
    Image image;
    assert_refused(synthetic_image("textur", 4, 4, 0, &image), STATUS_USAGE, "textur", "texture");
    assert_refused(synthetic_image("noise", 0, 4, 0, &image), STATUS_USAGE, "0x4", "1 to");
    assert_null(image.pixels);
}

TEST(every_kind_is_listed_in_the_refusal) {
    Image image;
    const Status status = synthetic_image("", 4, 4, 0, &image);
    for (size_t i = 0; synthetic_kinds[i] != NULL; i++) {
        assert_says(status.why, synthetic_kinds[i]);
    }
}

TEST(kind_size_and_seed_decide_everything) {
    for (size_t i = 0; synthetic_kinds[i] != NULL; i++) {
        Image one = image_of(synthetic_kinds[i], 301, 203, 7);
        Image two = image_of(synthetic_kinds[i], 301, 203, 7);
        assert_true(image_hash(&one) == image_hash(&two));
        image_free(&one);
        image_free(&two);
        one = image_of(synthetic_kinds[i], 1, 1, 7);
        image_free(&one);
    }
    static const char *const seeded[] = {"texture", "noise",     "random",
                                         "even",    "clustered", "cantor"};
    for (size_t i = 0; i < sizeof seeded / sizeof seeded[0]; i++) {
        RELEASED_BY(image_free) Image one = image_of(seeded[i], 301, 203, 7);
        RELEASED_BY(image_free) Image two = image_of(seeded[i], 301, 203, 8);
        assert_true(image_hash(&one) != image_hash(&two));
    }
}

/* Stored results name these inputs, so their bytes must never change. The hashes come from
 * synthetic_anchors.py, which computes the kinds from their definitions. */
TEST(bytes_never_change) {
    static const struct {
        const char *kind;
        uint64_t hash;
    } anchors[] = {
        {"texture", UINT64_C(0x35698f553d92483c)},   {"noise", UINT64_C(0xbf5ebcb6ddf321e0)},
        {"random", UINT64_C(0x6b592d5107f2cd7a)},    {"even", UINT64_C(0xe8fad67bdddd184d)},
        {"clustered", UINT64_C(0x2560b2e09f9205a6)}, {"cantor", UINT64_C(0x7f8ae513ea6e3b50)},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        RELEASED_BY(image_free) Image image = image_of(anchors[i].kind, 1301, 67, 42);
        if (image_hash(&image) != anchors[i].hash) {
            fail_msg("%s: 0x%016llx", anchors[i].kind, (unsigned long long)image_hash(&image));
        }
    }
}

TEST(bytes_of_a_density_never_change) {
    static const struct {
        const char *kind;
        double density;
        uint64_t hash;
    } anchors[] = {
        {"random", 0.3, UINT64_C(0xd0d74447b7185160)},
        {"even", 0.3, UINT64_C(0xcd8e5b590e1522af)},
        {"clustered", 0.3, UINT64_C(0x02ee4b6bd587f913)},
        {"cantor", 0.3, UINT64_C(0x14db3c26d9a247c7)},
        {"random", 0.1, UINT64_C(0x98d4b876de49b7d8)},
        {"even", 0.1, UINT64_C(0xb6ffa28190db3c8f)},
        {"clustered", 0.1, UINT64_C(0x7bc57217c200c38c)},
        {"cantor", 0.1, UINT64_C(0xc67d8621bdadb83f)},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        RELEASED_BY(image_free) Image image;
        assert_ok(
            synthetic_image_of_density(anchors[i].kind, 1301, 67, 42, anchors[i].density, &image));
        if (image_hash(&image) != anchors[i].hash) {
            fail_msg("%s of %g: 0x%016llx", anchors[i].kind, anchors[i].density,
                     (unsigned long long)image_hash(&image));
        }
    }
}

/* The first numbers of SplitMix64 from state 1234567, published with its reference code:
 * 6457827717110365317, 3203168211198807973. The first row's second number is at position 8, so only
 * the first is seen here, lowest byte first: 0x599ed017fb08fc85. */
TEST(noise_is_splitmix64) {
    RELEASED_BY(image_free) Image image = image_of("noise", 8, 1, 1234567);
    assert_pixels(&image, 8, 1, (const uint8_t[]){0x85, 0xfc, 0x08, 0xfb, 0x17, 0xd0, 0x9e, 0x59});
}

/* Uniform bytes: mean 127.5, variance (256² − 1) / 12 = 5461.25, every value about equally often.
 * With 2^20 pixels the mean's deviation is 0.07 and a bin's 64 of 4096. */
TEST(noise_is_uniform) {
    RELEASED_BY(image_free) Image image = image_of("noise", 1024, 1024, 9);
    const Statistics noise = statistics_of(&image);
    assert_true(fabs(noise.mean - 127.5) < 0.4);
    assert_true(fabs(noise.variance - 5461.25) < 30.0);
    assert_true(fabs(noise.correlation) < 0.006);
    int counts[256] = {0};
    for (size_t i = 0; i < image_pixel_count(&image); i++) {
        counts[image.pixels[i]]++;
    }
    for (int i = 0; i < 256; i++) {
        assert_true(abs(counts[i] - 4096) < 6 * 64);
    }
}

/* Natural images: wide spread, neighbours alike, few pixels at the ends of the scale, both weak
 * gradients and edges. */
TEST(texture_is_like_a_photograph) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        RELEASED_BY(image_free) Image image = image_of("texture", 1024, 1024, seed);
        const Statistics texture = statistics_of(&image);
        assert_true(texture.mean > 90.0 && texture.mean < 165.0);
        assert_true(texture.variance > 900.0 && texture.variance < 4000.0);
        assert_true(texture.correlation > 0.85 && texture.correlation < 0.99);
        assert_true(texture.share < 0.02);
        int equal = 0;
        int edges = 0;
        for (int32_t y = 0; y < image.height; y++) {
            for (int32_t x = 1; x < image.width; x++) {
                const int step = abs(image_row(&image, y)[x] - image_row(&image, y)[x - 1]);
                equal += step == 0;
                edges += step > 40;
            }
        }
        assert_true(equal < 1 << 17); /* an eighth */
        assert_true(edges > 1 << 13); /* one in 128 */
    }
}

TEST(texture_grows_by_showing_more) {
    RELEASED_BY(image_free) Image small = image_of("texture", 50, 40, 3);
    RELEASED_BY(image_free) Image large = image_of("texture", 1100, 80, 3);
    for (int32_t y = 0; y < small.height; y++) {
        assert_memory_equal(image_row(&small, y), image_row(&large, y), 50);
    }
}

TEST(plain_kinds_are_as_described) {
    Image image = image_of("flat", 3, 2, 0);
    assert_pixels(&image, 3, 2, (const uint8_t[]){128, 128, 128, 128, 128, 128});
    image_free(&image);
    image = image_of("ramp", 4, 2, 0);
    assert_pixels(&image, 4, 2, (const uint8_t[]){0, 85, 170, 255, 0, 85, 170, 255});
    image_free(&image);
    image = image_of("checker", 17, 9, 0);
    assert_int_equal(image_row(&image, 0)[7], 0);
    assert_int_equal(image_row(&image, 0)[8], 255);
    assert_int_equal(image_row(&image, 0)[16], 0);
    assert_int_equal(image_row(&image, 8)[7], 255);
    assert_int_equal(image_row(&image, 8)[8], 0);
    image_free(&image);
}

TEST(dots_are_binary_and_have_the_documented_share) {
    static const char *const kinds[] = {"random", "even", "clustered", "cantor"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        double share = 0.0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            const Statistics dots = statistics_of_kind(kinds[i], 512, 512, seed);
            assert_true(fabs(dots.mean - 255.0 * dots.share) < 1e-9); /* only 0 and 255 */
            share += dots.share / 8;
        }
        assert_true(fabs(share - 0.0750847) < 0.002); /* (3/4)^9 */
    }
}

/* The deviation of a random share in 512×512 pixels is at most 0.001; clustered ones differ more,
 * since the last squares of an image need not hold their part. */
TEST(the_density_is_the_share_of_ones) {
    static const double densities[] = {0.01, 0.1, 0.25, 0.5, 0.9, 1.0};
    static const char *const kinds[] = {"random", "even", "clustered"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (size_t d = 0; d < sizeof densities / sizeof densities[0]; d++) {
            RELEASED_BY(image_free) Image image;
            assert_ok(synthetic_image_of_density(kinds[i], 512, 512, 3, densities[d], &image));
            assert_true(fabs(statistics_of(&image).share - densities[d]) < 0.004);
        }
    }
    /* (3/4)^8 = 0.1001 is nearer to 0.1 than (3/4)^7 = 0.1335: eight cuts, squares of 2×2. */
    RELEASED_BY(image_free) Image dust;
    assert_ok(synthetic_image_of_density("cantor", 512, 512, 3, 0.1, &dust));
    assert_true(fabs(statistics_of(&dust).share - 6561.0 / 65536) < 1e-9);
    for (int32_t y = 0; y < 512; y++) {
        for (int32_t x = 0; x < 512; x++) {
            assert_int_equal(image_row(&dust, y)[x], image_row(&dust, y / 2 * 2)[x / 2 * 2]);
        }
    }
}

TEST(a_density_that_means_nothing_is_refused) {
    Image image;
    assert_refused(synthetic_image_of_density("noise", 4, 4, 0, 0.5, &image), STATUS_USAGE, "noise",
                   "cantor");
    assert_refused(synthetic_image_of_density("even", 4, 4, 0, 1.5, &image), STATUS_USAGE, "1.5",
                   "up to 1");
    assert_refused(synthetic_image_of_density("even", 4, 4, 0, -0.5, &image), STATUS_USAGE, "-0.5",
                   "up to 1");
    assert_refused(synthetic_image_of_density("even", 4, 4, 0, NAN, &image), STATUS_USAGE, "nan",
                   "up to 1");
    assert_null(image.pixels);
    assert_true(synthetic_has_density("cantor"));
    assert_false(synthetic_has_density("texture"));
}

static int ones_in(const Image *image, int32_t left, int32_t top, int32_t side) {
    int ones = 0;
    for (int32_t y = top; y < top + side; y++) {
        for (int32_t x = left; x < left + side; x++) {
            ones += image_row(image, y)[x] == 255;
        }
    }
    return ones;
}

/* Smallest and largest number of ones in the squares of a grid. */
static void square_range(const char *kind, int32_t side, int *least, int *most) {
    RELEASED_BY(image_free) Image image = image_of(kind, 512, 512, 2);
    *least = side * side;
    *most = 0;
    for (int32_t y = 0; y < 512; y += side) {
        for (int32_t x = 0; x < 512; x += side) {
            const int ones = ones_in(&image, x, y, side);
            *least = ones < *least ? ones : *least;
            *most = ones > *most ? ones : *most;
        }
    }
}

/* In squares of 64×64, 307.5 ones on average: the even kind hardly varies, the random one by its
 * binomial deviation of 17, the clustered one between none and four times the average. */
TEST(dots_are_arranged_as_named) {
    int least = 0;
    int most = 0;
    square_range("even", 64, &least, &most);
    assert_true(least > 300 && most < 315);
    square_range("random", 64, &least, &most);
    assert_true(least > 307 - 85 && least < 300 && most < 307 + 85 && most > 315);
    square_range("clustered", 64, &least, &most);
    assert_true(least == 0 && most > 1100 && most < 1400);
}

/* In a dust of side 2^9 exactly one quarter is empty at every level: 3^9 ones. */
TEST(cantor_dust_loses_a_quarter_at_every_level) {
    Image image = image_of("cantor", 512, 512, 4);
    assert_int_equal(ones_in(&image, 0, 0, 512), 19683);
    for (int32_t side = 512; side > 1; side /= 2) {
        for (int32_t y = 0; y < 512; y += side) {
            for (int32_t x = 0; x < 512; x += side) {
                if (ones_in(&image, x, y, side) == 0) {
                    continue;
                }
                int empty = 0;
                for (int32_t q = 0; q < 4; q++) {
                    empty +=
                        ones_in(&image, x + q % 2 * side / 2, y + q / 2 * side / 2, side / 2) == 0;
                }
                assert_int_equal(empty, 1);
            }
        }
    }
    image_free(&image);
}
