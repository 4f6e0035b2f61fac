/* What tsan.sh runs under ThreadSanitizer: the OpenMP variants with every number of threads, twice
 * in a row, on images with fewer rows than threads and with many. */
#include "copy.h"
#include "cpu/adaboost_runs.h"
#include "cpu/fast9_points.h"
#include "cpu/haar_sets.h"
#include "cpu/keypoint_cases.h"
#include "cpu/lacunarity_points.h"
#include "cpu/lbp_riu_points.h"
#include "cpu/matching_cases.h"
#include "descriptor_weights.h"
#include "integral.h"
#include "lbp.h"
#include "test.h"
#include "variant_runs.h"

extern const Algorithm hashsift_algorithm;
extern const Algorithm bad_algorithm;
extern const Algorithm orb_algorithm;

static void check_threads(const Algorithm *algorithm) {
    check_variants(algorithm, 2600, 2, 0, FILL_NOISE);
    check_variants(algorithm, 130, 41, 3, FILL_NOISE);
    check_variants(algorithm, 640, 100, 0, FILL_RAMP);
    check_variants(algorithm, 1, 1, 0, FILL_NOISE);
}

TEST(lbp) {
    check_threads(&lbp_algorithm);
}

TEST(copy) {
    check_threads(&copy_algorithm);
}

/* One sheet, and several of each thread. */
TEST(integral) {
    check_threads(&integral_algorithm);
    check_variants(&integral_algorithm, 30000, 60, 0, FILL_NOISE);
}

TEST(lbp_riu) {
    const Point answer = make_answer("8:1", "bilinear", "bins");
    check_variants_at(&lbp_riu_algorithm, &answer, 2600, 2, 0, FILL_NOISE);
    check_variants_at(&lbp_riu_algorithm, &answer, 130, 41, 3, FILL_NOISE);
    check_variants_at(&lbp_riu_algorithm, &answer, 400, 160, 0, FILL_RAMP);
    check_variants_at(&lbp_riu_algorithm, &answer, 1, 1, 0, FILL_NOISE);
}

static void check_omp(const Algorithm *algorithm, const Workload *workload, const Point *answer) {
    const Variant *omp = cpu_variant(algorithm, "omp");
    for (int threads = 1; threads <= 5; threads++) {
        RELEASED_BY(output_free)
        Output output = variant_answer_of(algorithm, omp, workload, answer, threads);
    }
}

/* Boxes that bands count themselves and boxes that all threads count together. seq, which goes
 * through every box of an image, has no threads and takes its time here. */
TEST(lacunarity) {
    static const char *const boxes[] = {"2", "40", "1+3+64", "1..40"};
    Workload workload = {.kind = WORKLOAD_IMAGE, .image = test_image(700, 100, 0, FILL_NOISE, 1)};
    for (size_t i = 0; i < COUNT_OF(boxes); i++) {
        const Point answer = lacunarity_point(boxes[i], "128");
        check_omp(&lacunarity_algorithm, &workload, &answer);
    }
    test_image_free(&workload.image);
    const Point answer = lacunarity_point("1", "100+200");
    check_variants_at(&lacunarity_algorithm, &answer, 2600, 2, 0, FILL_NOISE);
    check_variants_at(&lacunarity_algorithm, &answer, 1, 1, 0, FILL_NOISE);
}

/* Fewer batches than threads, and many; the count is done by threads too. */
TEST(haar) {
    static const int32_t images[] = {3, 200};
    const Point answer = haar_answer_point(2, 300);
    for (size_t i = 0; i < COUNT_OF(images) * 5; i++) {
        Workload workload = haar_noise(images[i / 5], 8, 7, 1);
        const OutputLayout layout = haar_layout(&workload, &answer);
        Output output = haar_output(&layout);
        haar_run(cpu_variant(&haar_algorithm, "omp"), &workload, &answer, 1 + (int)i % 5, &output);
        assert_int_equal(*haar_count(&output), layout.parts[HAAR_PART_RECORDS].width);
        cpu_backend.release(output.data);
        free(workload.image.pixels);
    }
}

/* Fewer blocks of images and groups of candidates than threads, and more. */
TEST(adaboost) {
    static const int32_t images[] = {3, 500};
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        RELEASED_BY(free_set) Workload workload = random_set(images[i], 8, 7, 256, 3, 1);
        const Point answer = training_point((AdaboostPoint){
            .digit = 1, .rounds = 5, .candidates = 100, .min_side = 2, .threshold = 50});
        for (int threads = 1; threads <= 5; threads++) {
            RELEASED_BY(free_output) Output output = new_output(&workload, &answer);
            const Status status = train(cpu_variant(&adaboost_algorithm, "omp"), threads, &workload,
                                        &answer, &output, NULL);
            assert_string_equal(status.why, "");
        }
    }
}

/* No band, one, and several of each of some levels; rooms that are too small; both ways to
 * suppress. */
TEST(fast) {
    const Point answers[] = {fast9_answer_point((Fast9Point){100, 8, 1, 1, FAST9_SCORE_FAST}),
                             fast9_answer_point((Fast9Point){5000, 8, 20, 3, FAST9_SCORE_HARRIS})};
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        check_variants_at(&fast9_algorithm, &answers[i], 1, 1, 0, FILL_NOISE);
        check_variants_at(&fast9_algorithm, &answers[i], 130, 41, 3, FILL_NOISE);
        check_variants_at(&fast9_algorithm, &answers[i], 150, 140, 0, FILL_NOISE);
    }
}

/* Fewer keypoints than are handed out at once, and several such shares. */
static void check_keypoints(const Algorithm *algorithm, const char *kind) {
    static const int32_t counts[] = {3, 600};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        Workload workload =
            keypoint_case_random(kind, 150, 3 + 100 * (int32_t)i, 3, FILL_NOISE, counts[i]);
        const Point answer = keypoint_case_point(algorithm, 256, counts[i], 1);
        check_omp(algorithm, &workload, &answer);
        keypoint_case_random_free(&workload);
    }
}

TEST(hashsift) {
    check_keypoints(&hashsift_algorithm, WEIGHTS_HASHSIFT);
}

TEST(bad) {
    check_keypoints(&bad_algorithm, WEIGHTS_BAD);
}

TEST(orb) {
    check_keypoints(&orb_algorithm, WEIGHTS_ORB);
}

/* Fewer rows than threads, and several tiles. */
TEST(matching) {
    static const int32_t rows[] = {3, 1100};
    for (size_t i = 0; i < COUNT_OF(rows) * 2; i++) {
        Workload workload = matching_random(rows[i / 2], rows[i / 2] + 1, 32, 0);
        const Point answer = matching_point(256, 2000, (MatchingDistance)(i % 2));
        check_omp(&matching_algorithm, &workload, &answer);
        test_image_free(&workload.image);
    }
}
