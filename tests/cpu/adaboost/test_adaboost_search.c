/* adaboost: seq takes the stumps that trying everything takes, and every variant takes those. */
#include "adaboost_runs.h"
#include "test.h"

#include "adaboost.h"

enum { THREADS = 3 };

/* The weighted error of a stump, from its definition. */
static uint64_t stump_error(const AdaboostWeights *weights, const int32_t *values,
                            int32_t threshold, int polarity) {
    uint64_t error = 0;
    for (int32_t i = 0; i < weights->count; i++) {
        const bool taken = (values[i] >= threshold) == (polarity == 1);
        const int64_t share = weights->shares[i];
        error += taken == (weights->labels[i] == weights->digit)
                     ? 0
                     : (uint64_t)(share < 0 ? -share : share);
    }
    return error;
}

/* The best stump of a candidate: every value as a threshold, by error, threshold, polarity 1. */
static AdaboostStump best_of(const AdaboostWeights *weights, const int32_t *values) {
    AdaboostStump best = {.error = UINT64_MAX};
    for (int32_t i = 0; i < weights->count; i++) {
        for (int polarity = 1; polarity >= 0; --polarity) {
            const uint64_t error = stump_error(weights, values, values[i], polarity);
            const bool is_lower = error == best.error && values[i] < best.threshold;
            if (error < best.error || is_lower) {
                best = (AdaboostStump){
                    .threshold = values[i], .polarity = (uint64_t)polarity, .error = error};
            }
        }
    }
    return best;
}

typedef struct BruteForce {
    const Workload *workload;
    AdaboostCandidates candidates;
    AdaboostWeights weights;
    int32_t *values; /* candidates × images */
} BruteForce;

static void open_brute_force(BruteForce *brute, const Workload *workload, AdaboostPoint point) {
    const ImageSet *set = &workload->set;
    brute->workload = workload;
    assert_ok(adaboost_candidates_draw(workload, &point, &brute->candidates));
    assert_ok(adaboost_weights_open(set, point.digit, &brute->weights));
    brute->values = malloc((size_t)point.candidates * (size_t)set->count * sizeof *brute->values);
    int32_t *integral =
        malloc((size_t)(set->width + 1) * (size_t)(set->height + 1) * sizeof *integral);
    for (int32_t i = 0; i < set->count; i++) {
        haar_integral(workload_image(workload, i), set->width, set->height, integral);
        for (int32_t c = 0; c < point.candidates; c++) {
            brute->values[c * set->count + i] =
                haar_value(integral, set->width + 1, brute->candidates.features[c]);
        }
    }
    free(integral);
}

static void close_brute_force(BruteForce *brute) {
    free(brute->values);
    adaboost_weights_close(&brute->weights);
    adaboost_candidates_release(&brute->candidates);
}

static void check_round(BruteForce *brute, const AdaboostStump *got, size_t round) {
    AdaboostStump best = {.error = UINT64_MAX};
    for (int32_t c = 0; c < brute->candidates.count; c++) {
        AdaboostStump stump =
            best_of(&brute->weights, brute->values + c * brute->workload->set.count);
        stump.candidate = (uint64_t)c;
        best = stump.error < best.error ? stump : best;
    }
    const HaarFeature feature = brute->candidates.features[best.candidate];
    best.type = feature.type;
    best.x = feature.x;
    best.y = feature.y;
    best.w = feature.w;
    best.h = feature.h;
    adaboost_weights_apply(&brute->weights,
                           brute->values + (int32_t)best.candidate * brute->workload->set.count,
                           &best);
    if (memcmp(&best, got, sizeof best) != 0) {
        fail_msg("%d images, round %zu: candidate %llu at %lld, polarity %llu, error %llu; "
                 "expected %llu at %lld, %llu, %llu",
                 brute->workload->set.count, round, (unsigned long long)got->candidate,
                 (long long)got->threshold, (unsigned long long)got->polarity,
                 (unsigned long long)got->error, (unsigned long long)best.candidate,
                 (long long)best.threshold, (unsigned long long)best.polarity,
                 (unsigned long long)best.error);
    }
}

static void check_against_brute_force(const Workload *workload, AdaboostPoint point) {
    RELEASED_BY(free_output) Output output = train_seq(workload, point);
    RELEASED_BY(close_brute_force) BruteForce brute;
    open_brute_force(&brute, workload, point);
    adaboost_weights_start(&brute.weights);
    for (size_t round = 0; round < *adaboost_count(&output); round++) {
        check_round(&brute, &adaboost_stumps(&output)[round], round);
    }
}

/* Random images of few grey levels have many equal values and errors, of many levels few. */
TEST(seq_takes_what_trying_everything_takes) {
    static const int32_t counts[] = {2, 3, 5, 16, 17, 40, 75};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (uint32_t levels = 2; levels <= 256; levels *= 11) {
            RELEASED_BY(free_set)
            Workload workload = random_set(counts[i], 6, 5, levels, 3, (uint32_t)i * 7 + levels);
            check_against_brute_force(&workload,
                                      (AdaboostPoint){.digit = 1,
                                                      .rounds = 6,
                                                      .candidates = counts[i] < 5 ? 5 : 30,
                                                      .min_side = 2,
                                                      .threshold = 0});
        }
    }
}

/* Every variant, omp with each number of threads, run between guard bands and after poison. */
static void check_variants(const Workload *workload, AdaboostPoint wanted) {
    const Point point = training_point(wanted);
    RELEASED_BY(free_output) Output want = train_seq(workload, wanted);
    for (size_t row = 1; row < adaboost_algorithm.cpu.count; row++) {
        const Variant *variant = &adaboost_algorithm.cpu.rows[row];
        const int last = variant->tuning == NULL ? 1 : THREADS;
        for (int threads = 1; threads <= last; threads++) {
            RELEASED_BY(free_output) Output got = new_output(workload, &point);
            assert_ok(train(variant, threads, workload, &point, &got, NULL));
            assert_same_training(&got, &want, variant->name, threads);
        }
    }
}

/* Wide, high, and as large as sides can be. */
TEST(variants_agree_on_other_shapes) {
    static const int32_t shapes[][3] = {{40, 30, 4}, {40, 4, 30}, {70, 28, 28}, {3, 255, 255}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int32_t *shape = shapes[i];
        RELEASED_BY(free_set)
        Workload workload = random_set(shape[0], shape[1], shape[2], 256, 2, 5);
        check_variants(&workload, (AdaboostPoint){.digit = 1,
                                                  .rounds = 4,
                                                  .candidates = 40,
                                                  .min_side = shape[1] == 255 ? 240 : 3,
                                                  .threshold = 50});
    }
}

static AdaboostPoint small_point(void) {
    return (AdaboostPoint){
        .digit = 1, .rounds = 9, .candidates = 10, .min_side = 2, .threshold = 0};
}

/* Nothing is left to learn after a stump without error: all images on one side. */
TEST(one_class_takes_one_stump) {
    for (uint8_t label = 1; label <= 2; label++) {
        RELEASED_BY(free_set) Workload workload = random_set(50, 6, 6, 256, 1, 3);
        memset(workload.set.labels, label, 50);
        check_variants(&workload, small_point());
        RELEASED_BY(free_output) Output output = train_seq(&workload, small_point());
        const AdaboostStump *stumps = adaboost_stumps(&output);
        assert_int_equal(*adaboost_count(&output), 1);
        assert_int_equal(stumps[0].candidate, 0);
        assert_int_equal(stumps[0].error, 0);
        /* From the least value on: all of them, or none of the opposite. */
        assert_int_equal(stumps[0].polarity, label == 1 ? 1 : 0);
        assert_int_equal(stumps[0].misses + stumps[0].false_alarms, 0);
        static const AdaboostStump none = {0};
        for (int round = 1; round < 9; round++) {
            assert_memory_equal(&stumps[round], &none, sizeof none);
        }
    }
}

/* Equal images: with four of each, both sides weigh exactly half, and no stump is better. */
TEST(equal_images_take_no_stump) {
    RELEASED_BY(free_set) Workload workload = empty_set(8, 6, 6);
    for (size_t i = 0; i < image_pixel_count(&workload.image); i++) {
        workload.image.pixels[i] = (uint8_t)(i % 36 * 7);
    }
    for (int i = 0; i < 8; i++) {
        workload.set.labels[i] = i % 2;
    }
    check_variants(&workload, small_point());
    RELEASED_BY(free_output) Output output = train_seq(&workload, small_point());
    assert_int_equal(*adaboost_count(&output), 0);
}

/* Freund and Schapire: the error under the first weights is at most Π 2 √(e (1 − e)). */
TEST(training_error_is_below_the_bound) {
    RELEASED_BY(free_set) Workload workload = random_set(200, 8, 8, 256, 3, 77);
    AdaboostPoint point = small_point();
    point.candidates = 200;
    point.rounds = 40;
    RELEASED_BY(free_output) Output output = train_seq(&workload, point);
    double digits = 0;
    for (int i = 0; i < 200; i++) {
        digits += workload.set.labels[i] == 1;
    }
    double bound = 1;
    for (uint64_t i = 0; i < *adaboost_count(&output); i++) {
        const AdaboostStump *stump = &adaboost_stumps(&output)[i];
        const double e = (double)stump->error / 0x1p40;
        bound *= 2 * sqrt(e * (1 - e));
        const double error =
            (double)stump->misses / digits / 2 + (double)stump->false_alarms / (200 - digits) / 2;
        assert_true(error <= bound * (1 + 1e-9));
    }
    assert_true(bound < 0.5);
}
