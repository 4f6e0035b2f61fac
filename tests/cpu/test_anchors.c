/*
 * Every algorithm, by every CPU variant, against answers that other programs gave for images made
 * from a formula: scikit-image, OpenCV and NumPy (anchors.py, which writes tests/data/anchors).
 * matching has its own in test_matching_answer.c.
 */
#include "adaboost_runs.h"
#include "descriptor_weights.h"
#include "test.h"

#include "bad.h"
#include "fast9_points.h"
#include "haar_sets.h"
#include "hashsift_internal.h"
#include "integral.h"
#include "keypoint_cases.h"
#include "lacunarity_points.h"
#include "lbp.h"
#include "lbp_riu_points.h"
#include "orb.h"

enum { WIDTH = 160, HEIGHT = 120, SIDE = 12, IMAGES = 90, LABELS = 3, THREADS = 3 };

extern const Algorithm lbp_algorithm;
extern const Algorithm bad_algorithm;
extern const Algorithm hashsift_algorithm;
extern const Algorithm orb_algorithm;

static Workload image(void) {
    Workload workload = {.kind = WORKLOAD_IMAGE,
                         .image = test_image(WIDTH, HEIGHT, 3, FILL_NOISE, 1)};
    for (int32_t y = 0; y < HEIGHT; y++) {
        uint8_t *row = workload.image.pixels + (size_t)y * workload.image.stride;
        for (int32_t x = 0; x < WIDTH; x++) {
            row[x] = (uint8_t)(70 * ((x / 11 + 2 * (y / 13)) % 3) + x * y / 64 % 64 + row[x] / 8);
        }
    }
    return workload;
}

/* Noise with a darker block whose place depends on the label. free_set. */
static Workload images(void) {
    Workload workload = empty_set(IMAGES, SIDE, SIDE);
    Image noise = test_image(SIDE, SIDE * IMAGES, 0, FILL_NOISE, 7);
    memcpy(workload.image.pixels, noise.pixels, image_pixel_count(&noise));
    test_image_free(&noise);
    for (int32_t i = 0; i < IMAGES; i++) {
        const int32_t label = i % LABELS;
        workload.set.labels[i] = (uint8_t)label;
        for (int32_t y = 2 * label; y < 2 * label + 5; y++) {
            for (int32_t x = 3; x < 5 + 2 * label; x++) {
                workload.image.pixels[(i * SIDE + y) * SIDE + x] /= 3;
            }
        }
    }
    return workload;
}

/* A file of tests/data/anchors, behind its first line, which names the columns. */
static FILE *open_anchors(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/anchors/%s.csv", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("%s cannot be read", path);
    }
    int c = 0;
    while ((c = fgetc(file)) != '\n') {
        assert_true(c != EOF);
    }
    return file;
}

/* The next row's `count` numbers; false at the end. */
static bool next_row(FILE *file, int64_t *numbers, int count) {
    for (int i = 0; i < count; i++) {
        long long number = 0;
        const int found = fscanf(file, i + 1 < count ? "%lld," : "%lld\n", &number);
        if (found == EOF && i == 0) {
            fclose(file);
            return false;
        }
        assert_int_equal(found, 1);
        numbers[i] = number;
    }
    return true;
}

/* The answers of an algorithm's CPU variants to one request, one after the other. */
typedef struct Answers {
    const Algorithm *algorithm;
    const Workload *workload;
    const Point *point;
    size_t next;
    Output output;
} Answers;

static bool next_answer(Answers *answers) {
    const VariantTable *table = &answers->algorithm->cpu;
    output_free(&answers->output);
    while (answers->next < table->count) {
        const Variant *variant = &table->rows[answers->next++];
        const Status available = variant->available != NULL ? variant->available() : status_ok();
        if (status_is_ok(&available)) {
            answers->output = variant_answer_of(answers->algorithm, variant, answers->workload,
                                                answers->point, THREADS);
            return true;
        }
    }
    return false;
}

TEST(lbp_by_numpy) {
    Workload workload = image();
    const Point point = {.count = 0};
    Answers answers = {.algorithm = &lbp_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        FILE *file = open_anchors("lbp");
        uint64_t places = 0;
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
            places += lbp_codes(&answers.output)[i] * (i + 1);
        }
        int64_t row[2];
        for (int64_t code = 0; code < LBP_BINS; code++) {
            assert_true(next_row(file, row, 2));
            assert_int_equal(row[0], code);
            assert_int_equal(lbp_histogram(&answers.output)[code], row[1]);
        }
        unsigned long long want = 0;
        assert_int_equal(fscanf(file, "places,%llu", &want), 1);
        assert_int_equal(places, want);
        fclose(file);
    }
    test_image_free(&workload.image);
}

/* scikit-image computes in floating point, where a tie may fall the other way: 2 pixels may. */
static void check_riu_bins(const Output *answer, int64_t points) {
    FILE *file = open_anchors("lbp_riu");
    int64_t row[4];
    int64_t bins = 0;
    int64_t differing = 0;
    while (next_row(file, row, 4)) {
        if (row[0] == points) {
            differing += llabs((int64_t)lbp_riu_histogram(answer)[row[2]] - row[3]);
            bins++;
        }
    }
    assert_int_equal(bins, points + 2);
    assert_in_range(differing, 0, points == 8 ? 0 : 4);
}

TEST(lbp_riu_by_scikit_image) {
    Workload workload = image();
    static const char *const patterns[] = {"8:1", "16:2", "24:3"};
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        const Point point = make_answer(patterns[i], "bilinear", "none");
        Answers answers = {.algorithm = &lbp_riu_algorithm, .workload = &workload, .point = &point};
        while (next_answer(&answers)) {
            check_riu_bins(&answers.output, 8 * ((int64_t)i + 1));
        }
    }
    test_image_free(&workload.image);
}

TEST(lacunarity_by_numpy) {
    Workload workload = image();
    const Point point = lacunarity_point("1+2+7+16+33+120", "1+100+180");
    Answers answers = {.algorithm = &lacunarity_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        FILE *file = open_anchors("lacunarity");
        const LacunarityRow *got = lacunarity_rows(&answers.output);
        const LacunarityRow *end = got + 18;
        int64_t row[5];
        for (; next_row(file, row, 5); got++) {
            assert_true(got < end);
            assert_int_equal(got->threshold, row[0]);
            assert_int_equal(got->box, row[1]);
            assert_int_equal(got->positions, row[2]);
            assert_int_equal(got->sum_s, row[3]);
            assert_int_equal(got->sum_s2_low, row[4]);
            assert_int_equal(got->sum_s2_high, 0);
        }
        assert_true(got == end);
    }
    test_image_free(&workload.image);
}

TEST(integral_by_opencv) {
    Workload workload = image();
    const Point point = {.count = 0};
    Answers answers = {.algorithm = &integral_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        FILE *file = open_anchors("integral");
        const uint32_t *entries = integral_table(&answers.output);
        int64_t row[2];
        int64_t y = 0;
        for (; next_row(file, row, 2); y++) {
            int64_t sum = 0;
            for (int64_t x = 0; x <= WIDTH; x++) {
                sum += (x + 1) * *entries++;
            }
            assert_int_equal(row[0], y);
            assert_int_equal(row[1], sum);
        }
        assert_int_equal(y, HEIGHT + 1);
    }
    test_image_free(&workload.image);
}

enum { HAAR_SUMS = 9 };

/* In the order of the columns of haar.csv. */
static void add_record(HaarRecord record, int64_t *sums) {
    const HaarFeature f = record.feature;
    const int64_t parts[HAAR_SUMS] = {1,
                                      record.value,
                                      record.value < 0 ? -record.value : record.value,
                                      record.image,
                                      f.type,
                                      f.x,
                                      f.y,
                                      f.w,
                                      f.h};
    for (size_t i = 0; i < HAAR_SUMS; i++) {
        sums[i] += parts[i];
    }
}

TEST(haar_by_numpy) {
    RELEASED_BY(free_set) Workload workload = images();
    HaarPacking packing;
    assert_ok(haar_packing(&workload.set, &packing));
    FILE *file = open_anchors("haar");
    int64_t row[2 + HAAR_SUMS];
    while (next_row(file, row, 2 + HAAR_SUMS)) {
        const Point point = haar_answer_point((int32_t)row[0], (int32_t)row[1]);
        Answers answers = {.algorithm = &haar_algorithm, .workload = &workload, .point = &point};
        while (next_answer(&answers)) {
            int64_t sums[HAAR_SUMS] = {0};
            for (uint64_t i = 0; i < *haar_count(&answers.output); i++) {
                add_record(haar_unpack(&packing, haar_records(&answers.output)[i]), sums);
            }
            for (size_t i = 0; i < HAAR_SUMS; i++) {
                assert_int_equal(sums[i], row[2 + i]);
            }
        }
    }
}

/* Rows of adaboost.csv are a digit and the columns of a stump. */
TEST(adaboost_by_python) {
    RELEASED_BY(free_set) Workload workload = images();
    static const int32_t digits[] = {0, 2};
    for (size_t d = 0; d < COUNT_OF(digits); d++) {
        const Point point = training_point((AdaboostPoint){
            .digit = digits[d], .rounds = 6, .candidates = 40, .min_side = 4, .threshold = 300});
        Answers answers = {
            .algorithm = &adaboost_algorithm, .workload = &workload, .point = &point};
        while (next_answer(&answers)) {
            FILE *file = open_anchors("adaboost");
            const int64_t *got = (const int64_t *)adaboost_stumps(&answers.output);
            assert_int_equal(*adaboost_count(&answers.output), 6);
            int64_t row[1 + ADABOOST_COLUMNS];
            size_t stumps = 0;
            while (next_row(file, row, 1 + ADABOOST_COLUMNS)) {
                if (row[0] == digits[d]) {
                    assert_true(stumps < 6);
                    assert_memory_equal(got + stumps++ * ADABOOST_COLUMNS, row + 1,
                                        ADABOOST_COLUMNS * sizeof *got);
                }
            }
            assert_int_equal(stumps, 6);
        }
    }
}

TEST(fast9_by_opencv) {
    Workload workload = image();
    const Point point = fast9_answer_point((Fast9Point){60, 1, 20, 2, FAST9_SCORE_FAST});
    Answers answers = {.algorithm = &fast9_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        FILE *file = open_anchors("fast");
        int64_t row[5];
        uint64_t count = 0;
        for (; next_row(file, row, 5); count++) {
            assert_true(count < *fast9_count(&answers.output));
            const Fast9Keypoint *got = &fast9_keypoints(&answers.output)[count];
            assert_int_equal(got->level, 0);
            assert_int_equal(got->x, row[0]);
            assert_int_equal(got->y, row[1]);
            assert_int_equal(got->score, row[2]);
            assert_int_equal(got->m10, row[3]);
            assert_int_equal(got->m01, row[4]);
        }
        assert_int_equal(count, *fast9_count(&answers.output));
        assert_true(count >= 30);
    }
    test_image_free(&workload.image);
}

/* --- Descriptors ------------------------------------------------------------------------------ */

enum { BITS = 256, PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE };

static Keypoint keypoints[] = {{60, 50, 32, -1},
                               {80, 60, 20, 0},
                               {75.5F, 61.25F, 40, 90},
                               {90.25F, 45.5F, 28.5F, 33},
                               {70.75F, 66.5F, 12, 200.5F},
                               {81, 58, 60, 359.5F},
                               {52.125F, 70.875F, 7, 123},
                               {100, 64, 1.5F, 45},
                               {5, 60, 32, -1},
                               {150.5F, 110.25F, 24, 77},
                               {80, 2, 48, 270},
                               {159, 0, 16, 10},
                               {-4, 40, 30, 300},
                               {40, 118.5F, 90, 181}};

/* The image with these keypoints and weights of `columns` columns for 256 bits. */
static Workload described(const char *kind, int32_t columns, float *values) {
    Workload workload = image();
    workload.kind = WORKLOAD_KEYPOINTS;
    workload.keypoints = (KeypointList){.keypoints = keypoints,
                                        .count = COUNT_OF(keypoints),
                                        .scale = 1,
                                        .wanted = COUNT_OF(keypoints)};
    workload.weights.count = 1;
    workload.weights.list[0] = (Weights){.bits = BITS, .columns = columns, .values = values};
    snprintf(workload.weights.list[0].kind, WEIGHTS_KIND_SIZE, "%s", kind);
    return workload;
}

static void next_hex(FILE *file, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned byte = 0;
        assert_int_equal(fscanf(file, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
}

/* What hashsift.csv has for a keypoint. */
typedef struct HashsiftAnchor {
    uint64_t patch; /* the sum of place · pixel, where the first has place 1 */
    uint8_t values[HASHSIFT_VALUES];
    uint8_t bits[BITS / 8];
} HashsiftAnchor;

static void read_hashsift(HashsiftAnchor *anchors) {
    FILE *file = open_anchors("hashsift");
    for (size_t k = 0; k < COUNT_OF(keypoints); k++) {
        unsigned long long patch = 0;
        assert_int_equal(fscanf(file, "%llu,", &patch), 1);
        anchors[k].patch = patch;
        next_hex(file, anchors[k].values, sizeof anchors[k].values);
        assert_int_equal(fgetc(file), ',');
        next_hex(file, anchors[k].bits, sizeof anchors[k].bits);
    }
    assert_int_equal(fscanf(file, " %*c"), EOF);
    fclose(file);
}

static void check_patches(const Workload *workload, const HashsiftAnchor *anchors) {
    for (size_t k = 0; k < COUNT_OF(keypoints); k++) {
        uint8_t patch[PATCH_PIXELS];
        uint64_t sum = 0;
        hashsift_patch(&workload->image, keypoints[k], 1, patch);
        for (size_t i = 0; i < PATCH_PIXELS; i++) {
            sum += patch[i] * (i + 1);
        }
        assert_int_equal(sum, anchors[k].patch);
    }
}

TEST(hashsift_by_numpy) {
    static float weights[BITS * HASHSIFT_COLUMNS];
    HashsiftAnchor anchors[COUNT_OF(keypoints)];
    Image bytes = test_image(HASHSIFT_COLUMNS, BITS, 0, FILL_NOISE, 11);
    for (size_t i = 0; i < COUNT_OF(weights); i++) {
        const float weight = (float)(bytes.pixels[i] - 128) / 1024;
        weights[i] = i % HASHSIFT_COLUMNS == 0 ? 64 * weight : weight;
    }
    test_image_free(&bytes);
    Workload workload = described(WEIGHTS_HASHSIFT, HASHSIFT_COLUMNS, weights);
    read_hashsift(anchors);
    check_patches(&workload, anchors);
    for (int32_t bits = BITS; bits <= HASHSIFT_VALUE_BITS; bits += HASHSIFT_VALUE_BITS - BITS) {
        const Point point = keypoint_case_point(&hashsift_algorithm, bits, COUNT_OF(keypoints), 1);
        Answers answers = {
            .algorithm = &hashsift_algorithm, .workload = &workload, .point = &point};
        while (next_answer(&answers)) {
            const uint8_t *got = hashsift_descriptors(&answers.output);
            for (size_t k = 0; k < COUNT_OF(keypoints); k++, got += bits / 8) {
                assert_memory_equal(got, bits == BITS ? anchors[k].bits : anchors[k].values,
                                    (size_t)bits / 8);
            }
        }
    }
    test_image_free(&workload.image);
}

TEST(bad_by_numpy) {
    static float boxes[BITS][WEIGHTS_BAD_COLUMNS];
    Image bytes = test_image(WEIGHTS_BAD_COLUMNS, BITS, 0, FILL_NOISE, 13);
    for (size_t i = 0; i < BITS; i++) {
        const uint8_t *drawn = bytes.pixels + i * WEIGHTS_BAD_COLUMNS;
        for (size_t j = 0; j < 4; j++) {
            boxes[i][j] = (float)(8 + drawn[j] % 16);
        }
        boxes[i][4] = (float)(drawn[4] % 7);
        boxes[i][5] = (float)(drawn[5] - 128) / 8;
    }
    test_image_free(&bytes);
    Workload workload = described(WEIGHTS_BAD, WEIGHTS_BAD_COLUMNS, &boxes[0][0]);
    const Point point = keypoint_case_point(&bad_algorithm, BITS, COUNT_OF(keypoints), 1);
    uint8_t want[COUNT_OF(keypoints) * BITS / 8];
    FILE *file = open_anchors("bad");
    next_hex(file, want, sizeof want);
    assert_int_equal(fscanf(file, " %*c"), EOF);
    fclose(file);
    Answers answers = {.algorithm = &bad_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        assert_memory_equal(bad_descriptors(&answers.output), want, sizeof want);
    }
    test_image_free(&workload.image);
}

TEST(orb_by_numpy_and_opencv) {
    static float pairs[BITS * WEIGHTS_ORB_COLUMNS];
    Image bytes = test_image(WEIGHTS_ORB_COLUMNS, BITS, 0, FILL_NOISE, 17);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        pairs[i] = (float)(bytes.pixels[i] % 31 - 15);
    }
    test_image_free(&bytes);
    Workload workload = described(WEIGHTS_ORB, WEIGHTS_ORB_COLUMNS, pairs);
    const Point point = keypoint_case_point(&orb_algorithm, BITS, COUNT_OF(keypoints), 1);
    uint8_t want[COUNT_OF(keypoints) * BITS / 8];
    FILE *file = open_anchors("orb");
    next_hex(file, want, sizeof want);
    assert_int_equal(fscanf(file, " %*c"), EOF);
    fclose(file);
    Answers answers = {.algorithm = &orb_algorithm, .workload = &workload, .point = &point};
    while (next_answer(&answers)) {
        assert_memory_equal(orb_descriptors(&answers.output), want, sizeof want);
    }
    test_image_free(&workload.image);
}
