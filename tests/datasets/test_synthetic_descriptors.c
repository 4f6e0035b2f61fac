
#include "datasets.h"
#include "status_checks.h"
#include "synthetic.h"
#include "test.h"

static Image pairs(int32_t count, uint64_t seed) {
    Image rows;
    assert_ok(synthetic_descriptors("pairs", count, seed, &rows));
    return rows;
}

/* From synthetic_descriptors_anchors.py. */
TEST(the_bytes_are_the_same_everywhere) {
    static const struct {
        int32_t count;
        uint64_t seed, hash;
    } anchors[] = {
        {1, 1, UINT64_C(0x1a7373540ff8ced5)},
        {7, 1, UINT64_C(0xa49fa1aea84ed923)},
        {300, 5, UINT64_C(0xec7483872b3a2057)},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        RELEASED_BY(image_free) Image rows = pairs(anchors[i].count, anchors[i].seed);
        assert_int_equal(rows.width, 128);
        assert_int_equal(rows.height, 2 * anchors[i].count);
        assert_int_equal(rows.stride, 128);
        assert_true(image_hash(&rows) == anchors[i].hash);
    }
}

static int distance(const uint8_t *a, const uint8_t *b) {
    int bits = 0;
    for (int i = 0; i < SYNTHETIC_DESCRIPTOR_BYTES; i++) {
        bits += __builtin_popcount((unsigned)(a[i] ^ b[i]));
    }
    return bits;
}

/* Of 1024 bits 128 are flipped, give or take 10.6; of random rows 512 differ, give or take 16. */
TEST(most_rows_have_one_that_is_near) {
    enum { COUNT = 1000, NEAR = 220, FAR = 400 };
    RELEASED_BY(image_free) Image rows = pairs(COUNT, 3);
    int matches = 0;
    int moved = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        int near = 0;
        for (int32_t j = 0; j < COUNT; j++) {
            const int bits = distance(image_row(&rows, i), image_row(&rows, COUNT + j));
            assert_true(bits < NEAR || bits > FAR);
            near += bits < NEAR;
            moved += bits < NEAR && i != j;
        }
        assert_true(near <= 1);
        matches += near;
    }
    assert_true(matches > 540 && matches < 660); /* 600, give or take 15.5 */
    assert_true(moved > matches - 20);
}

TEST(what_cannot_be_made_is_refused) {
    Image rows;
    assert_status(synthetic_descriptors("texture", 5, 1, &rows), STATUS_USAGE,
                  "'texture' is no synthetic kind of descriptors");
    assert_null(rows.pixels);
    Status status = synthetic_descriptors("pairs", 0, 1, &rows);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_status(synthetic_descriptors("pairs", SYNTHETIC_DESCRIPTORS_MAX + 1, 1, &rows),
                  STATUS_USAGE, "1 to 500000");
}
