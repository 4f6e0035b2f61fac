/* Corners of a pyramid's levels in the image; all expected numbers are worked out by hand. */
#include "keypoints.h"
#include "test.h"

TEST(levels_are_smaller_by_a_fifth_part) {
    assert_int_equal(pyramid_side(100, 0), 100);
    assert_int_equal(pyramid_side(100, 1), 83); /* 83.33 */
    assert_int_equal(pyramid_side(100, 2), 69); /* 69.44 */
    assert_int_equal(pyramid_side(9, 1), 8);    /* 7.5, upwards */
    assert_int_equal(pyramid_side(1 << 20, 15), 68058);
}

TEST(corners_are_where_their_pixels_are) {
    PyramidCorner corner = {.level = 0, .x = 10, .y = 20};
    PyramidPlace place = pyramid_place(100, 60, &corner);
    assert_float_equal(place.x, 10, 1e-9);
    assert_float_equal(place.y, 20, 1e-9);
    assert_float_equal(place.size, 31, 1e-9);
    corner = (PyramidCorner){.level = 1, .x = 5, .y = 7}; /* of 83×50 pixels */
    place = pyramid_place(100, 60, &corner);
    assert_float_equal(place.x, 550.0 / 83 - 0.5, 1e-9);
    assert_float_equal(place.y, 8.5, 1e-9);
    assert_float_equal(place.size, 3100.0 / 83, 1e-9);
}

TEST(angles_go_from_x_to_y) {
    static const struct {
        int64_t m10, m01;
        double degrees;
    } cases[] = {{5, 0, 0},    {3, 3, 45},   {0, 1, 90}, {-7, 0, 180},
                 {0, -2, 270}, {4, -4, 315}, {0, 0, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const PyramidCorner corner = {.m10 = cases[i].m10, .m01 = cases[i].m01};
        assert_float_equal(pyramid_place(10, 10, &corner).angle, cases[i].degrees, 1e-9);
    }
}
