#include <float.h>

#include "bench/fakes.h"
#include "harness.h"
#include "status_checks.h"
#include "test.h"
#include "verify.h"

static const Point no_point = {0};
static const Workload workload = {.image = {.width = 5, .height = 3, .stride = 5}};

typedef struct Pair {
    OutputLayout layout;
    Output got, want;
} Pair;

/* Two equal answers: pixels 0…14, counts 3, 4, 5, 6. */
static Pair make_pair(void) {
    Pair pair = {.layout = {0}};
    fake_layout(&workload, NULL, &pair.layout);
    assert_ok(answer_alloc_guarded(&pair.layout, &pair.got));
    assert_ok(answer_alloc_plain(&pair.layout, &pair.want));
    Output *const outputs[] = {&pair.got, &pair.want};
    for (size_t i = 0; i < 2; i++) {
        answer_poison(outputs[i], POISON_CANDIDATE);
        for (uint8_t p = 0; p < 15; p++) {
            ((uint8_t *)output_part(outputs[i], 0))[p] = p;
        }
        const uint64_t counts[] = {3, 4, 5, 6};
        memcpy(output_part(outputs[i], 1), counts, sizeof counts);
    }
    return pair;
}

static void release_pair(Pair *pair) {
    answer_release_guarded(&pair->got);
    answer_release_plain(&pair->want);
}

TEST(equal_answers_are_accepted) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    Verdict verdict;
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &pair.got, &pair.want,
                   &verdict);
    assert_true(verdict.accepted);
    assert_true(verdict.agreement == 1);
    assert_string_equal(verdict.why, "");
}

TEST(the_first_difference_is_named) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    Verdict verdict;
    ((uint8_t *)output_part(&pair.got, 0))[7] = 99;
    ((uint64_t *)output_part(&pair.got, 1))[3] = UINT64_C(1) << 40;
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &pair.got, &pair.want,
                   &verdict);
    assert_false(verdict.accepted);
    assert_true(fabs(verdict.agreement - 17.0 / 19) < 1e-12); /* 15 pixels and 4 counts */
    assert_string_equal(verdict.why, "inverse (2, 1) is 99, expected 7; 2 of 19 elements differ");
    ((uint8_t *)output_part(&pair.got, 0))[7] = 7;
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &pair.got, &pair.want,
                   &verdict);
    assert_string_equal(verdict.why, "counts [3] is 1099511627776, expected 6; 1 of 19 elements "
                                     "differ");
}

/* Columns first, as for pictures: the number at (1, 2) is the second of the third row. */
TEST(tables_are_compared_number_by_number) {
    OutputLayout layout = {0};
    Output outputs[2];
    Verdict verdict;
    output_layout_add(&layout, "curve", OUTPUT_TABLE_U64, 2, 3);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(answer_alloc_plain(&layout, &outputs[i]));
        answer_poison(&outputs[i], POISON_CANDIDATE);
        const uint64_t numbers[] = {1, 2, 3, 4, 5, 6};
        memcpy(output_part(&outputs[i], 0), numbers, sizeof numbers);
    }
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &outputs[0], &outputs[1],
                   &verdict);
    assert_true(verdict.accepted);
    ((uint64_t *)output_part(&outputs[0], 0))[5] = UINT64_C(6) + (UINT64_C(1) << 63);
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &outputs[0], &outputs[1],
                   &verdict);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.why, "curve (1, 2) is 9223372036854775814, expected 6; 1 of 6 "
                                     "elements differ");
    answer_release_plain(&outputs[0]);
    answer_release_plain(&outputs[1]);
}

/* The upper half of a number of 32 bits is the next number. */
TEST(arrays_are_compared_by_the_size_of_their_elements) {
    OutputLayout layout = {0};
    Output outputs[2];
    Verdict verdict;
    output_layout_add(&layout, "table", OUTPUT_ARRAY_U32, 3, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(answer_alloc_plain(&layout, &outputs[i]));
        const uint32_t numbers[] = {1, 2, 3, 4, 5, 6};
        memcpy(output_part(&outputs[i], 0), numbers, sizeof numbers);
    }
    ((uint32_t *)output_part(&outputs[0], 0))[4] = UINT32_MAX;
    answer_compare(&fake_algorithm, fake_variant("seq"), &no_point, &outputs[0], &outputs[1],
                   &verdict);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.why, "table (1, 1) is 4294967295, expected 5; 1 of 6 elements "
                                     "differ");
    answer_release_plain(&outputs[0]);
    answer_release_plain(&outputs[1]);
}

/* Whether `got` is right beside `want`, each an element of that kind. */
static bool is_near(OutputKind kind, const void *got, const void *want, Tolerance tolerance) {
    OutputLayout layout = {0};
    Algorithm algorithm = fake_algorithm;
    const void *const elements[] = {got, want};
    Output outputs[2];
    Verdict verdict;
    tolerance.struct_bytes = sizeof tolerance;
    algorithm.tolerance = &tolerance;
    output_layout_add(&layout, "number", kind, 1, 1);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(answer_alloc_plain(&layout, &outputs[i]));
        memcpy(output_part(&outputs[i], 0), elements[i], output_element_size(kind));
    }
    answer_compare(&algorithm, fake_variant("seq"), &no_point, &outputs[0], &outputs[1], &verdict);
    assert_int_equal(answer_digest(&algorithm, &outputs[0]), 0);
    answer_release_plain(&outputs[0]);
    answer_release_plain(&outputs[1]);
    return verdict.accepted;
}

static bool floats_are_near(float got, float want, Tolerance tolerance) {
    return is_near(OUTPUT_ARRAY_F32, &got, &want, tolerance);
}

static bool doubles_are_near(double got, double want, Tolerance tolerance) {
    return is_near(OUTPUT_ARRAY_F64, &got, &want, tolerance);
}

TEST(numbers_within_a_tolerance_are_right) {
    const Tolerance absolute = {.absolute = 0.5}, relative = {.relative = 0.01},
                    places = {.ulp = 2};
    assert_true(floats_are_near(1.5F, 1, absolute));
    assert_false(floats_are_near(1.51F, 1, absolute));
    assert_true(floats_are_near(-100, -101, relative));
    assert_false(floats_are_near(-100, -102, relative));
    assert_true(doubles_are_near(1e300, 1.001e300, relative));
    assert_true(doubles_are_near(nextafter(nextafter(1, 2), 2), 1, places));
    assert_false(doubles_are_near(1 + 4 * DBL_EPSILON, 1, places));
    /* The numbers on both sides of 0 are neighbours of it, and so are 0 and -0. */
    assert_true(floats_are_near(nextafterf(0, 1), nextafterf(0, -1), places));
    assert_true(floats_are_near(-0.0F, 0, places));
    assert_true(floats_are_near(NAN, NAN, places));
    assert_true(floats_are_near(INFINITY, INFINITY, places));
    assert_false(floats_are_near(NAN, 1, (Tolerance){.absolute = INFINITY}));
    assert_false(floats_are_near(INFINITY, FLT_MAX, places));
    assert_false(floats_are_near(INFINITY, -INFINITY, (Tolerance){.ulp = UINT64_MAX}));
}

TEST(whole_numbers_have_tolerances_too) {
    const Tolerance one = {.ulp = 1};
    const int64_t below = -1, zero = 0, least = INT64_MIN, most = INT64_MAX;
    assert_true(is_near(OUTPUT_ARRAY_I64, &below, &zero, one));
    assert_false(is_near(OUTPUT_ARRAY_I64, &least, &most, one));
    const uint8_t black = 0, white = 255;
    assert_false(is_near(OUTPUT_IMAGE_U8, &black, &white, one));
    assert_true(is_near(OUTPUT_IMAGE_U8, &black, &white, (Tolerance){.absolute = 255}));
    const int32_t minus_two = -2, minus_one = -1;
    assert_true(is_near(OUTPUT_ARRAY_I32, &minus_two, &minus_one, (Tolerance){.relative = 1}));
}

TEST(what_is_out_of_tolerance_is_named_as_a_number) {
    OutputLayout layout = {0};
    const Tolerance tolerance = {.struct_bytes = sizeof tolerance, .relative = 1e-3};
    Algorithm algorithm = fake_algorithm;
    Output outputs[2];
    Verdict verdict;
    algorithm.tolerance = &tolerance;
    output_layout_add(&layout, "curve", OUTPUT_ARRAY_F32, 3, 1);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(answer_alloc_plain(&layout, &outputs[i]));
        const float numbers[] = {1, -2.5F, 3};
        memcpy(output_part(&outputs[i], 0), numbers, sizeof numbers);
    }
    ((float *)output_part(&outputs[0], 0))[0] = 1.0001F;
    ((float *)output_part(&outputs[0], 0))[1] = -2.75F;
    answer_compare(&algorithm, fake_variant("seq"), &no_point, &outputs[0], &outputs[1], &verdict);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.why,
                        "curve [1] is -2.75, expected -2.5; 1 of 3 elements are out of "
                        "tolerance");
    assert_true(verdict.agreement > 0.3 && verdict.agreement < 0.4);
    answer_release_plain(&outputs[0]);
    answer_release_plain(&outputs[1]);
}

static void accept_half(const Output *got, const Output *want, Verdict *verdict) {
    (void)got;
    (void)want;
    verdict->accepted = true;
    verdict->agreement = 0.5;
}

TEST(an_algorithm_may_judge_for_itself) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    Algorithm algorithm = fake_algorithm;
    algorithm.compare = accept_half;
    pair.got.data[0] ^= 1;
    double agreement = NAN;
    assert_ok(verify_answer(&algorithm, fake_variant("seq"), &no_point, &pair.got, &pair.want,
                            &agreement));
    assert_true(agreement == 0.5);
}

static void accept_a_quarter(const Point *answer, const Output *got, const Output *want,
                             Verdict *verdict) {
    (void)got;
    (void)want;
    verdict->accepted = true;
    verdict->agreement = answer == &no_point ? 0.25 : 0;
}

TEST(a_variant_may_judge_before_its_algorithm) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    Algorithm algorithm = fake_algorithm;
    algorithm.compare = accept_half;
    Variant variant = *fake_variant("seq");
    variant.compare = accept_a_quarter;
    double agreement = NAN;
    assert_ok(verify_answer(&algorithm, &variant, &no_point, &pair.got, &pair.want, &agreement));
    assert_true(agreement == 0.25);
}

TEST(poison_fills_parts_and_clears_gaps) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    memset(pair.want.data, 1, pair.layout.bytes);
    answer_poison(&pair.want, 0x77);
    for (size_t i = 0; i < 15; i++) {
        assert_int_equal(pair.want.data[i], 0x77);
    }
    for (size_t i = 15; i < pair.layout.parts[1].offset; i++) {
        assert_int_equal(pair.want.data[i], 0);
    }
    assert_int_equal(pair.want.data[pair.layout.parts[1].offset + 31], 0x77);
    assert_int_equal(pair.want.data[pair.layout.bytes - 1], 0);
}

TEST(a_write_out_of_bounds_is_reported_before_the_answer) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    double agreement = NAN;
    pair.got.data[pair.layout.bytes] ^= 0xFF;
    assert_status(verify_answer(&fake_algorithm, fake_variant("seq"), &no_point, &pair.got,
                                &pair.want, &agreement),
                  STATUS_FAIL, "out of bounds");
    assert_true(isnan(agreement));
}

TEST(poisoning_everything_reaches_the_device) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    void *memory = NULL;
    fake_alloc(4, &memory);
    poison_everything(fake_variant("dev_good"), &pair.got, 0x3C);
    assert_int_equal(((uint8_t *)memory)[3], 0x3C);
    assert_int_equal(pair.got.data[14], 0x3C);
    assert_int_equal(pair.got.data[15], 0);
    poison_everything(fake_variant("seq"), &pair.got, 0x11);
    assert_int_equal(((uint8_t *)memory)[3], 0x3C); /* a CPU cell has nothing there */
    fake_release(memory);
}

static Status write_nothing(void *state) {
    (void)state;
    return status_ok();
}

/* The memory holds the right answer already: only poison shows that nobody wrote it. */
TEST(an_answer_that_was_there_before_does_not_count) {
    RELEASED_BY(release_pair) Pair pair = make_pair();
    const Variant idle = FAKE_CPU("idle", write_nothing);
    double agreement = NAN;
    const Status status =
        verify_state(&fake_algorithm, &idle, &no_point, NULL, &pair.got, &pair.want, &agreement);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_true(agreement < 0.1);
}
