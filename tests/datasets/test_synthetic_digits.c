#include "fixtures.h"
#include "test.h"

#include "image_sets.h"

typedef struct Set {
    Image image;
    ImageSet set;
} Set;

static Set made(const char *kind, int32_t count, int32_t width, int32_t height, uint64_t seed) {
    Set result;
    assert_ok(image_set_synthetic(kind, count, width, height, seed, &result.image, &result.set));
    assert_int_equal(result.set.count, count);
    assert_int_equal(result.set.width, width);
    assert_int_equal(result.set.height, height);
    assert_int_equal(result.image.width, width);
    assert_int_equal(result.image.height, height * count);
    assert_int_equal(result.image.stride, width);
    return result;
}

static void release(Set *set) {
    image_set_free(&set->image, &set->set);
}

TEST(an_unknown_kind_is_refused) {
    Image image;
    ImageSet set;
    const Status status = image_set_synthetic("digit", 1, 28, 28, 0, &image, &set);
    for (size_t i = 0; synthetic_set_kinds[i] != NULL; i++) {
        assert_refused(status, STATUS_USAGE, "'digit'", synthetic_set_kinds[i]);
    }
    assert_null(image.pixels);
    assert_refused(image_set_synthetic("digits", 0, 28, 28, 0, &image, &set), STATUS_USAGE,
                   "no images", "at least one");
    assert_refused(image_set_synthetic("digits", -5, 28, 28, 0, &image, &set), STATUS_USAGE,
                   "no images", "at least one");
    assert_refused(image_set_synthetic("noise", 1, 28, -28, 0, &image, &set), STATUS_USAGE, "28x0",
                   "1 to 4096");
    assert_refused(image_set_synthetic("noise", INT32_MAX, 28, 28, 0, &image, &set), STATUS_USAGE,
                   "28 rows", "at most");
    assert_null(image.pixels);
    assert_null(set.labels);
}

/* From synthetic_digits_anchors.py. */
TEST(bytes_never_change) {
    static const struct {
        const char *kind;
        int32_t count, width, height;
        uint64_t seed, hash;
    } anchors[] = {
        {"digits", 30, 28, 28, 42, UINT64_C(0x8574ba8b0f0249a6)},
        {"digits", 12, 41, 23, 7, UINT64_C(0x6e55ace3a7552a48)},
        {"digits", 12, 4, 4, 7, UINT64_C(0x7cd3e4a4b3438b63)},
        {"noise", 30, 28, 28, 42, UINT64_C(0xdf6ed5bc2dde5457)},
        {"noise", 5, 7, 3, 1, UINT64_C(0xc9c5ea7d0fd22741)},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        RELEASED_BY(release)
        Set set = made(anchors[i].kind, anchors[i].count, anchors[i].width, anchors[i].height,
                       anchors[i].seed);
        assert_true(image_set_hash(&set.image, &set.set) == anchors[i].hash);
    }
}

TEST(a_larger_set_begins_with_a_smaller_one) {
    for (size_t i = 0; synthetic_set_kinds[i] != NULL; i++) {
        RELEASED_BY(release) Set small = made(synthetic_set_kinds[i], 10, 28, 20, 3);
        Set large = made(synthetic_set_kinds[i], 300, 28, 20, 3);
        assert_memory_equal(small.image.pixels, large.image.pixels, 10 * 28 * 20);
        assert_memory_equal(small.set.labels, large.set.labels, 10);
        release(&large);
        RELEASED_BY(release) Set other = made(synthetic_set_kinds[i], 10, 28, 20, 4);
        assert_memory_not_equal(small.image.pixels, other.image.pixels, 10 * 28 * 20);
        assert_memory_not_equal(small.set.labels, other.set.labels, 10);
    }
}

/* Of 5,000 labels each has 500, with a binomial deviation of 21. */
TEST(labels_are_uniform) {
    for (size_t i = 0; synthetic_set_kinds[i] != NULL; i++) {
        RELEASED_BY(release) Set set = made(synthetic_set_kinds[i], 5000, 4, 4, 11);
        int counts[10] = {0};
        for (int32_t k = 0; k < 5000; k++) {
            assert_true(set.set.labels[k] < 10);
            counts[set.set.labels[k]]++;
        }
        for (size_t label = 0; label < 10; label++) {
            assert_in_range(counts[label], 500 - 105, 500 + 105);
        }
    }
}

/* Of MNIST's 60,000 training images the mean grey is 33.3, and 19.1% of the pixels are not black.
 */
TEST(digits_are_as_bright_as_those_of_mnist) {
    RELEASED_BY(release) Set set = made("digits", 4000, 28, 28, 1);
    const size_t count = image_pixel_count(&set.image);
    double sum = 0;
    double inked = 0;
    uint8_t brightest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t value = set.image.pixels[i];
        sum += value;
        inked += value > 0;
        brightest = value > brightest ? value : brightest;
    }
    assert_true(sum / (double)count > 30 && sum / (double)count < 36);
    assert_true(inked / (double)count > 0.17 && inked / (double)count < 0.21);
    assert_true(brightest > 250);
    for (int32_t i = 0; i < 4000; i++) { /* corners are ground */
        const uint8_t *image = set.image.pixels + (size_t)i * 784;
        assert_int_equal(image[0] | image[27] | image[783 - 27] | image[783], 0);
    }
}

static void mean_images(const Set *set, double means[10][784]) {
    double counts[10] = {0};
    memset(means, 0, 10 * sizeof *means);
    for (int32_t i = 0; i < set->set.count; i++) {
        const uint8_t *image = set->image.pixels + (size_t)i * 784;
        const uint8_t label = set->set.labels[i];
        counts[label] += 1;
        for (size_t k = 0; k < 784; k++) {
            means[label][k] += image[k];
        }
    }
    for (size_t label = 0; label < 10; label++) {
        for (size_t k = 0; k < 784; k++) {
            means[label][k] /= counts[label];
        }
    }
}

static size_t nearest(double means[10][784], const uint8_t *image) {
    size_t best = 0;
    double least = 1e300;
    for (size_t label = 0; label < 10; label++) {
        double distance = 0;
        for (size_t k = 0; k < 784; k++) {
            distance += (image[k] - means[label][k]) * (image[k] - means[label][k]);
        }
        best = distance < least ? label : best;
        least = distance < least ? distance : least;
    }
    return best;
}

static int recognised(double means[10][784], const Set *set) {
    int right = 0;
    for (int32_t i = 0; i < set->set.count; i++) {
        right += nearest(means, set->image.pixels + (size_t)i * 784) == set->set.labels[i];
    }
    return right;
}

/* A plain recogniser, the nearest mean image, gets 82% of MNIST's test digits right (computed with
 * NumPy). It must tell most of these apart too, but not all. */
TEST(digits_can_be_told_apart_but_vary) {
    static double means[10][784];
    RELEASED_BY(release) Set training = made("digits", 3000, 28, 28, 1);
    RELEASED_BY(release) Set test = made("digits", 1000, 28, 28, 2);
    mean_images(&training, means);
    const int right = recognised(means, &test);
    print_message("nearest mean image: %d of 1000 right\n", right);
    assert_in_range(right, 820, 920);
}

TEST(any_sides_work) {
    for (int32_t side = 1; side <= 255; side += side < 40 ? 1 : 43) {
        RELEASED_BY(release) Set square = made("digits", 12, side, side, 9);
        RELEASED_BY(release) Set flat = made("digits", 12, 256 - side, side, 9);
        assert_memory_equal(square.set.labels, flat.set.labels, 12); /* the size decides no label */
        for (int32_t i = 0; i < 12 && side >= 4; i++) {
            const size_t area = (size_t)side * (size_t)side;
            const uint8_t *image = square.image.pixels + (size_t)i * area;
            size_t inked = 0;
            for (size_t k = 0; k < area; k++) {
                inked += image[k] > 0;
            }
            assert_true(inked > 0 && inked < area);
        }
    }
    Set largest = made("digits", 1, IMAGE_SET_SIDE_MAX, IMAGE_SET_SIDE_MAX, 9);
    release(&largest);
}

/* A pen of the same share of the image: the mean grey hardly depends on the side. */
TEST(digits_scale_with_their_sides) {
    static const int32_t sides[] = {20, 28, 56, 112, 255};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        RELEASED_BY(release) Set set = made("digits", 200, sides[i], sides[i], 1);
        double sum = 0;
        for (size_t k = 0; k < image_pixel_count(&set.image); k++) {
            sum += set.image.pixels[k];
        }
        const double mean = sum / (double)image_pixel_count(&set.image);
        assert_true(mean > 27 && mean < 39);
    }
}

/* The deviation of the mean of 78,400 uniform bytes is 0.26. */
TEST(noise_is_uniform) {
    RELEASED_BY(release) Set set = made("noise", 100, 28, 28, 1);
    double sum = 0;
    for (size_t i = 0; i < 78400; i++) {
        sum += set.image.pixels[i];
    }
    assert_true(sum / 78400 > 126.2 && sum / 78400 < 128.8);
}
