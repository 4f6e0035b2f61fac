/* matching: small sets by hand, sets of noise by an independent program, layout, cost and what is
 * written; all CPU variants. */
#include "cpu/matching_cases.h"
#include "test.h"

static void assert_matches(const Workload *workload, Point answer, const Match *want,
                           size_t count) {
    for (size_t v = 0; v < matching_algorithm.cpu.count; v++) {
        const Variant *variant = &matching_algorithm.cpu.rows[v];
        RELEASED_BY(output_free)
        Output output = variant_answer_of(&matching_algorithm, variant, workload, &answer, 2);
        assert_int_equal(output.layout.parts[0].height, count);
        const Match *got = matching_matches(&output);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(got[i].nearest, want[i].nearest);
            assert_int_equal(got[i].distance, want[i].distance);
            assert_int_equal(got[i].mutual, want[i].mutual);
        }
    }
}

/* Rows of B: all ones, 3 ones, 2 ones; of A: none, all but one, 2 ones of which one is B's. */
TEST(distances_by_hand) {
    Workload workload = matching_flat(3, 3, 32, 0, 0);
    memset(matching_row_of_b(&workload, 0), 0xFF, 32);
    matching_row_of_b(&workload, 1)[31] = 0x83;
    matching_row_of_b(&workload, 2)[8] = 0x11;
    memset(matching_row_of_a(&workload, 1), 0xFF, 32);
    matching_row_of_a(&workload, 1)[17] = 0xFE;
    matching_row_of_a(&workload, 2)[8] = 0x30;
    /* To row 2 of B both A 0 and A 2 have 2 different bits: the first is its nearest. */
    static const Match bits[] = {{2, 2, 1}, {0, 1, 1}, {2, 2, 0}};
    assert_matches(&workload, matching_point(256, 3, MATCHING_HAMMING), bits, 3);
    /* Row 0 is 17² from row 2 of B, row 2 (48 - 17)². */
    static const Match squares[] = {{2, 289, 1}, {0, 1, 1}, {2, 961, 0}};
    assert_matches(&workload, matching_point(256, 3, MATCHING_L2), squares, 3);
    test_image_free(&workload.image);
}

TEST(of_equal_ones_the_first) {
    static const int32_t counts[] = {1, 3, 40, 600};
    for (size_t i = 0; i < COUNT_OF(counts) * 2; i++) {
        const int32_t count = counts[i / 2];
        Workload workload = matching_flat(count, count + 1, 32, 0, 0x3C);
        matching_row_of_b(&workload, 0)[5] = 0;
        Match *want = calloc((size_t)count, sizeof *want);
        assert_non_null(want);
        for (int32_t a = 0; a < count; a++) {
            want[a] = (Match){1, 0, a == 0};
        }
        assert_matches(&workload, matching_point(256, 1000, (MatchingDistance)(i % 2)), want,
                       (size_t)count);
        free(want);
        test_image_free(&workload.image);
    }
}

TEST(empty_sets) {
    static const Match none[] = {{0, MATCHING_NONE, 0}, {0, MATCHING_NONE, 0}};
    for (int distance = MATCHING_HAMMING; distance <= MATCHING_L2; distance++) {
        const Point answer = matching_point(256, 10, (MatchingDistance)distance);
        Workload without_b = matching_flat(2, 0, 32, 0, 9);
        assert_matches(&without_b, answer, none, 2);
        test_image_free(&without_b.image);
        Workload without_a = matching_flat(0, 2, 32, 0, 9);
        assert_matches(&without_a, answer, NULL, 0);
        test_image_free(&without_a.image);
        Workload without_any = matching_flat(0, 0, 32, 0, 9);
        assert_matches(&without_any, answer, NULL, 0);
        test_image_free(&without_any.image);
    }
}

/* Rows may be longer than what counts of them, and lie apart: neither is looked at. */
TEST(only_the_first_bytes_count) {
    Workload workload = matching_flat(2, 2, 128, 37, 0);
    for (int32_t i = 0; i < 2; i++) {
        memset(matching_row_of_a(&workload, i) + 64, 0xF0 + i, 64);
    }
    matching_row_of_a(&workload, 0)[63] = 1;
    matching_row_of_b(&workload, 1)[63] = 1;
    static const Match half[] = {{1, 0, 1}, {0, 0, 1}};
    assert_matches(&workload, matching_point(512, 2, MATCHING_HAMMING), half, 2);
    assert_matches(&workload, matching_point(512, 2, MATCHING_L2), half, 2);
    static const Match quarter[] = {{0, 0, 1}, {0, 0, 0}};
    assert_matches(&workload, matching_point(256, 2, MATCHING_HAMMING), quarter, 2);
    static const Match whole[] = {{1, 256, 1}, {0, 320, 0}};
    assert_matches(&workload, matching_point(1024, 2, MATCHING_HAMMING), whole, 2);
    test_image_free(&workload.image);
}

TEST(only_the_first_rows_count) {
    Workload workload = matching_flat(5, 3, 32, 0, 0);
    matching_row_of_b(&workload, 0)[0] = 0xFF;
    matching_row_of_b(&workload, 1)[0] = 0x0F;
    static const Match two[] = {{1, 4, 1}, {1, 4, 0}};
    assert_matches(&workload, matching_point(256, 2, MATCHING_HAMMING), two, 2);
    static const Match four[] = {{2, 0, 1}, {2, 0, 0}, {2, 0, 0}, {2, 0, 0}};
    assert_matches(&workload, matching_point(256, 4, MATCHING_HAMMING), four, 4);
    test_image_free(&workload.image);
}

/* All bits of 1024 differ, and all bytes of 128 by 255: 128 · 65025. */
TEST(largest_distances) {
    Workload workload = matching_flat(2, 700, 128, 0, 0);
    memset(matching_row_of_b(&workload, 0), 0xFF, (size_t)700 * 128);
    static const Match bits[] = {{0, 1024, 1}, {0, 1024, 0}};
    static const Match squares[] = {{0, 8323200, 1}, {0, 8323200, 0}};
    assert_matches(&workload, matching_point(1024, 1000, MATCHING_HAMMING), bits, 2);
    assert_matches(&workload, matching_point(1024, 1000, MATCHING_L2), squares, 2);
    /* The other way round. */
    memset(matching_row_of_a(&workload, 0), 0xFF, (size_t)2 * 128);
    memset(matching_row_of_b(&workload, 0), 0, (size_t)700 * 128);
    assert_matches(&workload, matching_point(1024, 1000, MATCHING_L2), squares, 2);
    test_image_free(&workload.image);
}

/*
 * FILL_NOISE of 128 × 300 with seed 12345, 130 rows of which are A, by NumPy: with x the bytes as
 * integers, d = unpackbits(a[:, None] ^ b[None], axis=2).sum(2) or ((a[:, None] - b[None])**2)
 * .sum(2), nearest = d.argmin(1), mutual = d.argmin(0)[nearest] == arange(130); sums of nearest,
 * distance, mutual, and of nearest · place, where the first has place 1.
 */
TEST(noise) {
    static const struct {
        int32_t bits;
        MatchingDistance distance;
        uint64_t sums[4];
    } anchors[] = {
        {256, MATCHING_HAMMING, {10809, 13867, 73, 715566}},
        {512, MATCHING_HAMMING, {10385, 29301, 77, 662387}},
        {1024, MATCHING_HAMMING, {10153, 60953, 75, 671134}},
        {256, MATCHING_L2, {10909, 23174454, 54, 679052}},
        {1024, MATCHING_L2, {9450, 136256438, 57, 626708}},
    };
    Workload workload = {.kind = WORKLOAD_DESCRIPTORS,
                         .image = test_image(128, 300, 0, FILL_NOISE, 12345),
                         .queries = 130};
    for (size_t i = 0; i < COUNT_OF(anchors) * matching_algorithm.cpu.count; i++) {
        const size_t n = i % COUNT_OF(anchors);
        const Variant *variant = &matching_algorithm.cpu.rows[i / COUNT_OF(anchors)];
        const Point answer = matching_point(anchors[n].bits, 1000, anchors[n].distance);
        RELEASED_BY(output_free)
        Output output = variant_answer_of(&matching_algorithm, variant, &workload, &answer, 3);
        const Match *matches = matching_matches(&output);
        uint64_t sums[4] = {0};
        for (uint64_t a = 0; a < 130; a++) {
            sums[0] += matches[a].nearest;
            sums[1] += matches[a].distance;
            sums[2] += matches[a].mutual;
            sums[3] += matches[a].nearest * (a + 1);
        }
        assert_memory_equal(sums, anchors[n].sums, sizeof sums);
    }
    test_image_free(&workload.image);
}

TEST(layout_cost_and_text) {
    Workload workload = matching_flat(2, 3, 64, 0, 0);
    matching_row_of_b(&workload, 0)[1] = 7;
    const Point answer = matching_point(512, 1000, MATCHING_HAMMING);
    OutputLayout layout = {0};
    assert_ok(matching_algorithm.output_layout(&workload, &answer, &layout));
    assert_int_equal(layout.count, 1);
    assert_string_equal(layout.parts[0].name, "matches");
    assert_int_equal(layout.parts[0].kind, OUTPUT_TABLE_U64);
    assert_int_equal(layout.parts[0].width, 3);
    assert_int_equal(layout.parts[0].height, 2);
    const Cost cost = matching_algorithm.cost(&workload, &answer);
    assert_true(cost.items == 6);
    assert_true(cost.bytes == 5 * 64 + 2 * 24);
    assert_true(cost.operations == 0); /* matrix units need none of those that ceilings count */
    const Point longer = matching_point(1024, 1000, MATCHING_HAMMING);
    assert_int_equal(matching_algorithm.output_layout(&workload, &longer, &layout).code,
                     STATUS_SKIP);
    Output output = variant_answer_of(&matching_algorithm, cpu_variant(&matching_algorithm, "seq"),
                                      &workload, &answer, 1);
    FILE *stream = test_stream();
    const Status status = matching_algorithm.write_part(stream, &workload, &answer, &output, 0);
    char *text = test_text(stream);
    assert_ok(status);
    assert_string_equal(text, "query,nearest,distance,mutual\n0,1,0,1\n1,1,0,0\n");
    output_free(&output);
    test_image_free(&workload.image);
}
