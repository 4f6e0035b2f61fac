/* What a device keeps of a training: places of the packed order, keys of sorting, memory. */
#include "adaboost_plan.h"
#include "test.h"

TEST(runs_have_room_for_all_images) {
    assert_int_equal(adaboost_groups(1), 1);
    assert_int_equal(adaboost_groups(4096), 1);
    assert_int_equal(adaboost_groups(4097), 2);
    assert_int_equal(adaboost_groups(60000), 15); /* 14 × 4096 = 57,344 */
    assert_int_equal(adaboost_groups(ADABOOST_PACKED_IMAGES_MAX), 16);
}

/* By hand: with two groups a run has 64 entries, so entry 100 is the 36th of lane 1 of part 0: the
 * second group's chunk 0, index 4. */
TEST(place_of_an_entry) {
    const AdaboostSlot slot = adaboost_slot(2, 0, 100);
    assert_int_equal(slot.chunk, 4 * 32 + 1);
    assert_int_equal(slot.half, 4);
    assert_int_equal(slot.word, 32 + 1);
    assert_int_equal(slot.bit, 4);
    /* 3 candidates of 4 parts of 2 groups before it; lane 127 - 96 of part 3, its last entry. */
    const AdaboostSlot last = adaboost_slot(2, 3, 8191);
    const size_t row = (3 * 4 + 3) * 2 + 1;
    assert_int_equal(last.chunk, (row * 4 + 3) * 32 + 31);
    assert_int_equal(last.half, 7);
    assert_int_equal(last.word, row * 32 + 31);
    assert_int_equal(last.bit, 31);
}

/* Of two neighbouring candidates, whose places fill their rows without a gap. */
TEST(every_entry_has_a_place_of_its_own) {
    enum { GROUPS = 3, ENTRIES = GROUPS * 4096, CANDIDATES = 2 };
    uint8_t *halves = calloc((size_t)CANDIDATES * ENTRIES, 1);
    uint8_t *bits = calloc((size_t)CANDIDATES * ENTRIES, 1);
    assert_non_null(halves);
    assert_non_null(bits);
    for (size_t candidate = 0; candidate < CANDIDATES; candidate++) {
        for (uint32_t place = 0; place < ENTRIES; place++) {
            const AdaboostSlot slot = adaboost_slot(GROUPS, candidate, place);
            const size_t half = slot.chunk * 8 + (size_t)slot.half;
            const size_t bit = slot.word * 32 + (size_t)slot.bit;
            assert_true(half >= candidate * ENTRIES && half < (candidate + 1) * ENTRIES);
            assert_true(bit >= candidate * ENTRIES && bit < (candidate + 1) * ENTRIES);
            assert_int_equal(halves[half]++, 0);
            assert_int_equal(bits[bit]++, 0);
        }
    }
    free(halves);
    free(bits);
}

/* A candidate's packed order, which begins where its values do, must not reach the next one's. */
TEST(packed_order_ends_before_later_values) {
    const int images[] = {1, 31, 2047, 2048, 2049, 4096, 4097, 8192, 8193, 60000, 65534};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        const AdaboostPlan plan = adaboost_plan(10, images[i], 4, 4, true);
        const size_t packed = (size_t)adaboost_groups(images[i]) * 4096 * 2; /* bytes */
        assert_int_equal(plan.groups, adaboost_groups(images[i]));
        assert_true(plan.pitch * 4 >= packed);
        assert_true(plan.pitch >= (size_t)images[i]);
        assert_int_equal(plan.pitch % 4, 0); /* chunks are aligned to 16 bytes */
        assert_true(plan.pitch * 4 == packed || plan.pitch < (size_t)images[i] + 4);
        assert_int_equal(plan.portion, 0);
    }
    const AdaboostPlan plain = adaboost_plan(10, 31, 4, 4, false);
    assert_int_equal(plain.pitch, 31);
    assert_int_equal(plain.groups, 0);
}

/* By hand, as in the head of adaboost_multi.cu: for each candidate 60,000 × 4 bytes, 15 × 128 words
 * of bits, 236 × 128 bytes of bins, 33 + 30 + 64 words of their starts, sums and walks, a bound of
 * 8, 16 slices of 32 and a word, and a feature of 5; for each image 784 + 1 + 29² × 4 + 24. */
TEST(memory_of_all_features_of_mnist) {
    const size_t each = 240000 + 7680 + 30208 + 508 + 8 + 516 + 5;
    const size_t one = 450000ULL * each + 60000ULL * 4173;
    const size_t half = 225000ULL * each + 60000ULL * 4173;
    assert_int_equal(adaboost_plan(450000, 60000, 28, 28, true).bytes, one);
    assert_int_equal(adaboost_plan(225000, 60000, 28, 28, true).bytes, half);
    /* Two of 139 GiB have room, and a margin of more than half. */
    assert_true(half < (size_t)139 << 29);
    /* One of 78 GiB does not. */
    assert_true(one > (size_t)78 << 30);
}

/* Fewer bytes than 4.7 for each candidate and image, but for what images alone take. */
TEST(bytes_of_a_candidate) {
    const size_t more = adaboost_plan(20000, 60000, 28, 28, true).bytes -
                        adaboost_plan(10000, 60000, 28, 28, true).bytes;
    assert_true((double)more / 10000 / 60000 < 4.7);
}

/* Few candidates take the packed order however few the images are. */
TEST(few_entries_are_not_packed) {
    assert_false(adaboost_packing_pays(2000, 1000));
    assert_false(adaboost_packing_pays(256, 23437)); /* 5,999,872 entries */
    assert_true(adaboost_packing_pays(256, 23438));
    assert_true(adaboost_packing_pays(255, 1000));
    assert_true(adaboost_packing_pays(10000, 60000));
    assert_true(adaboost_packing_pays(450000, 60000)); /* more than 2^31 */
}

TEST(portions_are_of_33_million_entries) {
    assert_int_equal(adaboost_plan(10000, 60000, 28, 28, false).portion, 559); /* 2^25 / 60,000 */
    assert_int_equal(adaboost_plan(300, 60000, 28, 28, false).portion, 300);
    assert_int_equal(adaboost_plan(300, 1 << 26, 28, 28, false).portion, 1);
}

/* Values from -reach to reach, and the candidates of a portion above them, in 32 bits. */
TEST(keys_have_room_for_values_and_candidates) {
    const AdaboostPlan plan = adaboost_plan(10000, 60000, 28, 28, false);
    const AdaboostSortPlan sort = adaboost_sort_plan(&plan, 100000); /* 200,001 values */
    assert_int_equal(sort.value_bits, 18);
    assert_int_equal(sort.portion, 559);
    assert_int_equal(sort.key_bits, 18 + 10);
    /* 25 bits of values leave 7: 128 candidates. */
    const AdaboostSortPlan wide = adaboost_sort_plan(&plan, 16581375);
    assert_int_equal(wide.value_bits, 25);
    assert_int_equal(wide.portion, 128);
    assert_int_equal(wide.key_bits, 32);
    /* One candidate needs no bit of its own, nor do values that are all 0 need none. */
    const AdaboostPlan alone = adaboost_plan(1, 10, 4, 4, false);
    const AdaboostSortPlan flat = adaboost_sort_plan(&alone, 0);
    assert_int_equal(flat.key_bits, 1);
}
