/* haar: records as numbers, and what does not fit one. */
#include "cpu/haar_sets.h"
#include "test.h"

static void assert_round_trip(const HaarPacking *packing, uint32_t image, HaarFeature f,
                              int32_t value) {
    const HaarRecord got = haar_unpack(packing, haar_pack(packing, image, f, value));
    assert_int_equal(got.image, image);
    assert_int_equal(got.feature.type, f.type);
    assert_int_equal(got.feature.x, f.x);
    assert_int_equal(got.feature.y, f.y);
    assert_int_equal(got.feature.w, f.w);
    assert_int_equal(got.feature.h, f.h);
    assert_int_equal(got.value, value);
}

/* The last image, the largest coordinates and both ends of the values. */
TEST(records_hold_what_there_can_be) {
    static const struct {
        int32_t count, width, height, reach;
    } sets[] = {
        {1 << 23, 28, 28, 255 * 2 * 9 * 28},
        {16, 255, 255, 255 * 2 * 85 * 255},
        {1, 1, 1, 0},
        {60000, 16, 24, 255 * 2 * 16 * 8},
        {1000, 255, 2, 255 * 2 * 85 * 2},
        {1000, 2, 255, 255 * 2 * 2 * 85},
    };
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        const ImageSet set = {
            .count = sets[i].count, .width = sets[i].width, .height = sets[i].height};
        HaarPacking packing;
        assert_string_equal(haar_packing(&set, &packing).why, "");
        for (int type = 0; type < HAAR_TYPES; type++) {
            const HaarFeature at_end = {.type = (uint8_t)type,
                                        .x = (uint8_t)(set.width - 1),
                                        .y = (uint8_t)(set.height - 1),
                                        .w = 1,
                                        .h = 1};
            const HaarFeature whole = {
                .type = (uint8_t)type, .w = (uint8_t)set.width, .h = (uint8_t)set.height};
            assert_true(haar_reach(type, set.width, set.height) <= sets[i].reach);
            assert_round_trip(&packing, (uint32_t)set.count - 1, at_end, sets[i].reach);
            assert_round_trip(&packing, (uint32_t)set.count - 1, whole, -sets[i].reach);
            assert_round_trip(&packing, 0, whole, 0);
        }
    }
}

TEST(a_format_says_how_to_read) {
    const ImageSet set = {.count = 9, .width = 30, .height = 7};
    const HaarFeature f = {.type = HAAR_CHECKER, .x = 20, .y = 3, .w = 10, .h = 4};
    HaarPacking packing;
    assert_ok(haar_packing(&set, &packing));
    const HaarPacking same = haar_packing_of_format(haar_packing_format(&packing));
    assert_round_trip(&same, 8, f, -1234);
    assert_int_equal(haar_pack(&same, 8, f, -1234), haar_pack(&packing, 8, f, -1234));
}

static void assert_no_packing(int32_t count, int32_t width, int32_t height, const char *why) {
    const Workload workload = {
        .kind = WORKLOAD_IMAGE_SET,
        .image = {.width = width, .height = height},
        .set = {.count = count, .width = width, .height = height},
    };
    const Point answer = haar_answer_point(4, 18400);
    OutputLayout layout = {.count = 0};
    HaarPacking packing;
    const Status status = haar_packing(&workload.set, &packing);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, why);
    assert_string_equal(haar_algorithm.output_layout(&workload, &answer, &layout).why, why);
    assert_true(haar_algorithm.cost(&workload, &answer).items > 0);
}

TEST(what_does_not_fit_is_refused) {
    assert_no_packing((1 << 23) + 1, 28, 28,
                      "records of 8388609 images of 28×28 do not fit 64 bits: haar takes up to "
                      "8388608 images of this size");
    assert_no_packing(17, 255, 255,
                      "records of 17 images of 255×255 do not fit 64 bits: haar takes up to 16 "
                      "images of this size");
    assert_no_packing(1, 256, 20, "images of 256×20 are too large: haar takes sides up to 255");
    assert_no_packing(1, 20, 4096, "images of 20×4096 are too large: haar takes sides up to 255");
}
