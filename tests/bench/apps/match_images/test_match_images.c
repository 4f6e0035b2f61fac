/* Matching real images, against the numbers of an independent program with its weights. */
#include <unistd.h>

#include "graf_pair.h"
#include "least_squares.h"
#include "status_checks.h"
#include "test.h"

#define WEIGHTS                                                                                    \
    BENCH_SHARED_DATA "/descriptors/weights256.f32," BENCH_SHARED_DATA                             \
                      "/descriptors/weights512.f32," BENCH_SHARED_DATA                             \
                      "/descriptors/bad256.csv," BENCH_SHARED_DATA "/descriptors/bad512.csv"
static void check_method(const MethodResult *method, size_t mutual, size_t correct) {
    assert_ok(method->status);
    assert_int_equal(method->count, mutual);
    assert_int_equal(method->correct, correct);
    /* RANSAC finds what the truth would or, the wall not being quite plane, a homography that more
     * agree with, whose corners, which lie outside of the matches, are a few pixels off. */
    assert_in_range(method->ransac.inliers, correct * 9 / 10, correct * 5 / 4);
    assert_true(method->corner_error < 10);
    assert_true(method->match_seconds > 0 && method->describe_seconds[1] > 0);
}

TEST(binary_descriptors_match_as_those_of_the_reference) {
    static const struct {
        const char *bits;
        size_t hashsift[2], bad[2];
    } cases[] = {{"256", {857, 416}, {764, 329}}, {"512", {847, 422}, {788, 372}}};
    need_graf();
    for (size_t i = 0; i < 2; i++) {
        const MatchRequest request = graf_request(cases[i].bits, WEIGHTS);
        RELEASED_BY(image_match_release) ImageMatch match;
        assert_ok(image_match_run(&request, &match));
        assert_int_equal(match.count, 2);
        check_method(&match.methods[0], cases[i].hashsift[0], cases[i].hashsift[1]);
        check_method(&match.methods[1], cases[i].bad[0], cases[i].bad[1]);
        assert_null(match.detector);
        assert_true(isnan(match.inputs[0].detect_seconds));
    }
}

/* The numbers are those of brute force in NumPy on the same 128 values. */
TEST(sift_matches_in_euclidean_distance) {
    MatchRequest request = graf_request("512", WEIGHTS);
    RELEASED_BY(image_match_release) ImageMatch match;
    need_graf();
    request.methods = 1 << METHOD_SIFT;
    assert_ok(image_match_run(&request, &match));
    assert_int_equal(match.count, 1);
    assert_int_equal(match.methods[0].bits, 1024);
    check_method(&match.methods[0], 790, 390);
}

TEST(the_homography_of_graf_is_fitted_to_its_inliers) {
    const MatchRequest request = graf_request("256", WEIGHTS);
    RELEASED_BY(image_match_release) ImageMatch match;
    need_graf();
    assert_ok(image_match_run(&request, &match));
    for (size_t i = 0; i < match.count; i++) {
        const MethodResult *method = &match.methods[i];
        check_fitted(&method->ransac, method->places, method->inlier, method->count, 3);
    }
}

/* Far fewer than the reference detector's, which finds places between pixels, but the plane. */
TEST(keypoints_are_detected) {
    MatchRequest request = graf_request("512", WEIGHTS);
    RELEASED_BY(image_match_release) ImageMatch match;
    need_graf();
    request.keypoint_files[0] = request.keypoint_files[1] = NULL;
    request.keypoints = 2000;
    request.methods = 1 << METHOD_HASHSIFT;
    assert_ok(image_match_run(&request, &match));
    assert_non_null(match.detector);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(match.inputs[i].keypoints.count, 2000);
        assert_true(match.inputs[i].detect_seconds > 0);
    }
    assert_true(match.methods[0].correct > 100);
    assert_true(match.methods[0].corner_error < 20);
    const MethodResult *method = &match.methods[0];
    const double sum = match.inputs[0].detect_seconds + match.inputs[1].detect_seconds +
                       method->describe_seconds[0] + method->describe_seconds[1] +
                       method->match_seconds;
    assert_true(fabs(method_seconds(&match, method) - sum) < 1e-12);
}

/* Before an image is looked for. */
TEST(a_wrong_scale_is_found_first) {
    const MatchRequest request = {.paths = {"none.png", "none.png"},
                                  .keypoints = MATCH_KEYPOINTS_AUTO,
                                  .bits = "256",
                                  .scale = "-1",
                                  .methods = 1 << METHOD_BAD,
                                  .ransac = {.inlier_px = 3}};
    RELEASED_BY(image_match_release) ImageMatch match;
    assert_status(image_match_run(&request, &match), STATUS_USAGE, "scale");
}

TEST(keypoints_are_as_many_as_asked_for) {
    ImageMatch match;
    need_graf();
    for (int32_t count = 0; count <= 3; count += 3) {
        MatchRequest request = graf_request("256", WEIGHTS);
        request.keypoints = count;
        assert_ok(image_match_run(&request, &match));
        assert_int_equal(match.inputs[1].keypoints.count, count);
        assert_in_range(match.methods[0].count, 0, count);
        assert_int_equal(match.methods[0].ransac.inliers, 0);
        assert_false(match.methods[0].ransac.found);
        image_match_release(&match);
    }
}

/* The median is a seed's own result: its inliers are marked, and as many as it says. */
TEST(of_several_seeds_that_of_the_median_is_kept) {
    enum { SEEDS = 4 };
    MatchRequest request = graf_request("512", WEIGHTS);
    ImageMatch match;
    size_t inliers[SEEDS];
    need_graf();
    request.methods = 1 << METHOD_HASHSIFT;
    request.ransac.kind = RANSAC_PLAIN; /* so that they differ */
    for (int i = 0; i < SEEDS; i++) {
        request.ransac.seed = 3 + (uint64_t)i;
        assert_ok(image_match_run(&request, &match));
        inliers[i] = match.methods[0].ransac.inliers;
        assert_int_equal(match.methods[0].inliers_low, inliers[i]);
        assert_int_equal(match.methods[0].inliers_high, inliers[i]);
        image_match_release(&match);
    }
    request.ransac.seed = 3;
    request.seeds = SEEDS;
    assert_ok(image_match_run(&request, &match));
    const MethodResult *method = &match.methods[0];
    size_t below = 0, above = 0, marked = 0, least = SIZE_MAX, most = 0;
    for (int i = 0; i < SEEDS; i++) {
        below += inliers[i] < method->ransac.inliers;
        above += inliers[i] > method->ransac.inliers;
        least = inliers[i] < least ? inliers[i] : least;
        most = inliers[i] > most ? inliers[i] : most;
    }
    for (size_t i = 0; i < method->count; i++) {
        marked += method->inlier[i];
    }
    assert_true(below <= (SEEDS - 1) / 2 && above <= SEEDS / 2);
    assert_int_equal(marked, method->ransac.inliers);
    assert_int_equal(inliers[method->seed - 3], method->ransac.inliers);
    assert_true(least < most);
    assert_int_equal(method->inliers_low, least);
    assert_int_equal(method->inliers_high, most);
    image_match_release(&match);
}
