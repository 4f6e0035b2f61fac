/* adaboost's candidates: distinct, kept by haar in the sample, the same for the same seed. */
#include "adaboost_runs.h"
#include "status_checks.h"
#include "test.h"

#include "adaboost.h"

static AdaboostPoint point_of(int32_t candidates, int32_t min_side, int32_t threshold) {
    return (AdaboostPoint){.digit = 0,
                           .rounds = 1,
                           .candidates = candidates,
                           .min_side = min_side,
                           .threshold = threshold};
}

static AdaboostCandidates draw(const Workload *workload, AdaboostPoint point) {
    AdaboostCandidates candidates;
    const Status status = adaboost_candidates_draw(workload, &point, &candidates);
    assert_string_equal(status.why, "");
    assert_int_equal(candidates.count, point.candidates);
    return candidates;
}

static bool same_features(const AdaboostCandidates *a, const AdaboostCandidates *b) {
    return a->count == b->count &&
           memcmp(a->features, b->features, (size_t)a->count * sizeof *a->features) == 0;
}

static bool is_kept(const Workload *workload, HaarFeature feature, int32_t threshold) {
    const ImageSet *set = &workload->set;
    int32_t integral[65 * 65];
    bool kept = false;
    for (int32_t i = 0; i < set->count && i < 1000 && !kept; i++) {
        haar_integral(workload_image(workload, i), set->width, set->height, integral);
        kept = abs(haar_value(integral, set->width + 1, feature)) > threshold;
    }
    return kept;
}

static void check_features(const Workload *workload, AdaboostPoint point,
                           const AdaboostCandidates *candidates) {
    for (int32_t i = 0; i < candidates->count; i++) {
        const HaarFeature f = candidates->features[i];
        assert_true(f.type < HAAR_TYPES);
        assert_true(f.w >= point.min_side && f.h >= point.min_side);
        assert_true(f.x + f.w <= workload->set.width && f.y + f.h <= workload->set.height);
        assert_true(is_kept(workload, f, point.threshold));
        for (int32_t j = 0; j < i; j++) {
            assert_memory_not_equal(&f, &candidates->features[j], sizeof f);
        }
    }
}

TEST(features_are_distinct_and_kept) {
    RELEASED_BY(free_set) Workload workload = random_set(20, 14, 10, 256, 2, 9);
    static const int32_t thresholds[] = {0, 500, 1500};
    for (int i = 0; i < 3; i++) {
        const AdaboostPoint point = point_of(200, 3, thresholds[i]);
        RELEASED_BY(adaboost_candidates_release)
        AdaboostCandidates candidates = draw(&workload, point);
        check_features(&workload, point, &candidates);
    }
}

/* The features that haar keeps, counted one by one. */
static int32_t count_kept(const Workload *workload, int32_t min_side, int32_t threshold) {
    int32_t kept = 0;
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        for (int32_t w = min_side; w <= workload->set.width; w++) {
            for (int32_t h = min_side; h <= workload->set.height; h++) {
                for (int32_t x = 0; x + w <= workload->set.width; x++) {
                    for (int32_t y = 0; y + h <= workload->set.height; y++) {
                        const HaarFeature f = {.type = (uint8_t)type,
                                               .x = (uint8_t)x,
                                               .y = (uint8_t)y,
                                               .w = (uint8_t)w,
                                               .h = (uint8_t)h};
                        kept += is_kept(workload, f, threshold);
                    }
                }
            }
        }
    }
    return kept;
}

/* All features that haar keeps can be had, and not one more. */
TEST(all_kept_features_can_be_had) {
    RELEASED_BY(free_set) Workload workload = random_set(6, 8, 7, 256, 2, 4);
    static const int32_t thresholds[] = {0, 300, 700};
    for (int i = 0; i < 3; i++) {
        const int32_t kept = count_kept(&workload, 3, thresholds[i]);
        assert_true(kept > 1);
        AdaboostPoint point = point_of(kept, 3, thresholds[i]);
        AdaboostCandidates candidates = draw(&workload, point);
        check_features(&workload, point, &candidates);
        adaboost_candidates_release(&candidates);
        point.candidates++;
        const Status status = adaboost_candidates_draw(&workload, &point, &candidates);
        assert_int_equal(status.code, STATUS_SKIP);
        assert_null(candidates.features);
        char counts[64];
        snprintf(counts, sizeof counts, "keeps only %d features", kept);
        assert_says(status.why, counts);
        assert_says(status.why, "--candidates");
        assert_says(status.why, "--threshold");
    }
}

TEST(no_feature_is_no_candidate) {
    RELEASED_BY(free_set) Workload workload = random_set(3, 8, 8, 256, 2, 4);
    const AdaboostPoint points[] = {point_of(1, 3, 16777215), point_of(1, 9, 0)};
    for (int i = 0; i < 2; i++) {
        AdaboostCandidates candidates;
        assert_status(adaboost_candidates_draw(&workload, &points[i], &candidates), STATUS_SKIP,
                      "keeps only 0 features");
    }
}

TEST(the_seed_decides) {
    RELEASED_BY(free_set) Workload workload = random_set(20, 14, 10, 256, 2, 9);
    RELEASED_BY(adaboost_candidates_release)
    AdaboostCandidates first = draw(&workload, point_of(100, 3, 300));
    RELEASED_BY(adaboost_candidates_release)
    AdaboostCandidates again = draw(&workload, point_of(100, 3, 300));
    assert_true(same_features(&first, &again));
    workload.seed = 2;
    RELEASED_BY(adaboost_candidates_release)
    AdaboostCandidates other = draw(&workload, point_of(100, 3, 300));
    assert_false(same_features(&first, &other));
}

/* Fewer candidates are the first of more, whatever the windows that keys were looked at in. */
TEST(fewer_are_the_first_of_more) {
    RELEASED_BY(free_set) Workload workload = random_set(20, 20, 20, 256, 2, 9);
    RELEASED_BY(adaboost_candidates_release)
    AdaboostCandidates many = draw(&workload, point_of(5000, 3, 900));
    for (int32_t count = 1; count < 5000; count *= 6) {
        RELEASED_BY(adaboost_candidates_release)
        AdaboostCandidates few = draw(&workload, point_of(count, 3, 900));
        assert_memory_equal(few.features, many.features, (size_t)count * sizeof *few.features);
    }
}

/* An image behind the first 1000 has no say. */
TEST(only_the_sample_counts) {
    RELEASED_BY(free_set) Workload workload = empty_set(1001, 6, 6);
    for (int i = 0; i < 36; i++) {
        workload.image.pixels[1000 * 36 + i] = (uint8_t)(i % 6 < 3 ? 255 : 0);
    }
    RELEASED_BY(adaboost_candidates_release) AdaboostCandidates candidates;
    AdaboostPoint point = point_of(1, 3, 100);
    assert_int_equal(adaboost_candidates_draw(&workload, &point, &candidates).code, STATUS_SKIP);
    memcpy(workload.image.pixels + 999 * 36, workload.image.pixels + 1000 * 36, 36);
    candidates = draw(&workload, point);
}
