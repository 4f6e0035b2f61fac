#include "fixtures.h"
#include "test.h"

TEST(rows_are_padded_and_aligned) {
    Image image;
    assert_ok(image_create(65, 3, 64, &image));
    assert_int_equal(image.stride, 128);
    assert_int_equal((uintptr_t)image.pixels % 64, 0);
    memset(image.pixels, 1, image.stride * 3);
    image_free(&image);
    assert_null(image.pixels);
    assert_ok(image_create(65, 3, 1, &image));
    assert_int_equal(image.stride, 65);
    image_free(&image);
    image_free(NULL);
}

TEST(impossible_sides_are_refused) {
    Image image;
    assert_refused(image_create(0, 5, 1, &image), STATUS_USAGE, "0x5", "1 to");
    assert_refused(image_create(5, -3, 1, &image), STATUS_USAGE, "5x-3", "1 to");
    assert_refused(image_create(IMAGE_SIDE_MAX + 1, 1, 1, &image), STATUS_USAGE, "x1", "1 to");
    assert_refused(image_create(IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, 1, &image), STATUS_USAGE, "x",
                   "at most");
    assert_null(image.pixels);
}

TEST(short_memory_is_a_skip) {
    Image image;
    assert_refused(image_create(1, IMAGE_SIDE_MAX, SIZE_MAX / 4, &image), STATUS_SKIP, "needs",
                   "free");
    assert_null(image.pixels);
}

/* FNV-1a 64 of "a", "foobar": test vectors published with the algorithm. */
TEST(hash_is_fnv1a_without_padding) {
    uint8_t letters[] = {'f', 'o', 'o', 9, 'b', 'a', 'r', 9};
    const Image image = {.width = 3, .height = 2, .stride = 4, .pixels = letters};
    assert_true(image_hash(&image) == UINT64_C(0x85944171f73967e8));
    uint8_t a[] = {'a'};
    const Image one = {.width = 1, .height = 1, .stride = 1, .pixels = a};
    assert_true(image_hash(&one) == UINT64_C(0xaf63dc4c8601ec8c));
}
