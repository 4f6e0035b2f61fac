/* Samples: turning by quarters moves pixels, interpolation is linear, cells share no pixel. */
#include "test.h"
#include "textures_internal.h"

static const double radians = 3.14159265358979323846 / 180;

/* Dense rows, all of one value. */
static Image make_image(int32_t width, int32_t height, int value) {
    const size_t bytes = (size_t)width * (size_t)height;
    uint8_t *pixels = malloc(bytes);
    assert_non_null(pixels);
    memset(pixels, value, bytes);
    return (Image){.width = width, .height = height, .stride = (size_t)width, .pixels = pixels};
}

TEST(quarters_move_pixels) {
    static const uint8_t turned[4][9] = {{6, 7, 8, 11, 12, 13, 16, 17, 18},
                                         {8, 13, 18, 7, 12, 17, 6, 11, 16},
                                         {18, 17, 16, 13, 12, 11, 8, 7, 6},
                                         {16, 11, 6, 17, 12, 7, 18, 13, 8}};
    Image image = make_image(5, 5, 0);
    for (uint8_t i = 0; i < 25; i++) {
        image.pixels[i] = i;
    }
    for (int quarter = -8; quarter <= 8; quarter++) {
        uint8_t values[9];
        turn_square(&image, 2, 2, 90.0 * quarter, 3, values);
        assert_memory_equal(values, turned[(quarter + 8) % 4], sizeof values);
    }
    free(image.pixels);
}

/* The centre of a square with an even side lies between pixels; the whole image is read. */
TEST(even_sides_turn_about_the_middle) {
    Image image = make_image(2, 2, 0);
    uint8_t values[4];
    memcpy(image.pixels, "\x0a\x14\x1e\x28", 4); /* 10 20 / 30 40 */
    turn_square(&image, 0.5, 0.5, 90, 2, values);
    assert_memory_equal(values, "\x14\x28\x0a\x1e", 4);
    turn_square(&image, 0.5, 0.5, 0, 2, values);
    assert_memory_equal(values, "\x0a\x14\x1e\x28", 4);
    free(image.pixels);
}

TEST(a_ramp_stays_a_ramp) {
    enum { SIDE = 31, IMAGE = 64 };
    Image image = make_image(IMAGE, IMAGE, 0);
    for (int y = 0; y < IMAGE; y++) {
        for (int x = 0; x < IMAGE; x++) {
            image.pixels[y * IMAGE + x] = (uint8_t)(x + 2 * y + 10);
        }
    }
    for (double degrees = -360; degrees <= 360; degrees += 3.7) {
        uint8_t values[SIDE * SIDE];
        turn_square(&image, 31.3, 30.8, degrees, SIDE, values);
        for (int i = 0; i < SIDE * SIDE; i++) {
            const int column = i % SIDE, row = i / SIDE;
            const double u = column - 15, v = row - 15;
            const double x = 31.3 + u * cos(degrees * radians) - v * sin(degrees * radians);
            const double y = 30.8 + u * sin(degrees * radians) + v * cos(degrees * radians);
            assert_true(fabs(values[i] - (x + 2 * y + 10)) <= 0.5 + 1e-6);
        }
    }
    free(image.pixels);
}

TEST(values_are_rounded_to_nearest) {
    Image image = make_image(2, 1, 0);
    uint8_t value;
    image.pixels[1] = 10;
    turn_square(&image, 0.25, 0, 0, 1, &value);
    assert_int_equal(value, 3); /* 2.5 */
    turn_square(&image, 0.24, 0, 0, 1, &value);
    assert_int_equal(value, 2);
    free(image.pixels);
}

/* Without angles a sample is a window of the image, on whole pixels. */
TEST(crops_are_windows) {
    Image image = make_image(10, 7, 0);
    const Sampling sampling = {.crop = 3};
    const CellGrid grid = sampling_cells(&sampling, 10, 7);
    assert_int_equal(grid.columns, 3);
    assert_int_equal(grid.rows, 2);
    assert_int_equal(sampling_per_cell(&sampling), 1);
    const Image sample = sampling_cut(&sampling, &grid, &image, 4, 0, NULL);
    assert_ptr_equal(sample.pixels, image.pixels + 3 * 10 + 3);
    assert_int_equal(sample.width, 3);
    assert_int_equal(sample.height, 3);
    assert_int_equal(sample.stride, 10);
    free(image.pixels);
}

TEST(without_crop_the_image_is_the_sample) {
    Image image = make_image(10, 7, 0);
    const Sampling sampling = {.crop = 0};
    const CellGrid grid = sampling_cells(&sampling, 10, 7);
    assert_int_equal(grid.columns, 1);
    assert_int_equal(grid.rows, 1);
    const Image sample = sampling_cut(&sampling, &grid, &image, 0, 0, NULL);
    assert_ptr_equal(sample.pixels, image.pixels);
    assert_int_equal(sample.width, 10);
    assert_int_equal(sample.height, 7);
    free(image.pixels);
}

/* 128·√2 and what bilinear reads: centre 27 + 63.5 + 0.211, furthest value at 180.51, next pixel
 * 181. At 0° alone one pixel more than the crop is read. */
TEST(cells_are_the_smallest_that_hold_their_samples) {
    const Sampling turned = {.crop = 128, .angle_count = 7, .angles = {0, 15, 30, 45, 60, 75, 90}};
    const Sampling straight = {.crop = 128, .angle_count = 2, .angles = {0, 270}};
    assert_int_equal(sampling_cells(&turned, 1024, 1024).width, 182);
    assert_int_equal(sampling_cells(&turned, 1024, 512).columns, 5);
    assert_int_equal(sampling_cells(&turned, 1024, 512).rows, 2);
    assert_int_equal(sampling_cells(&turned, 181, 500).columns, 0);
    assert_int_equal(sampling_cells(&straight, 1024, 1024).width, 129);
}

/* The phase loses as much noise as the mean over all phases does: ∫ f² + (1−f)² = 2/3, squared for
 * two directions. */
TEST(straight_crops_are_off_the_whole_pixels) {
    const double f = SAMPLING_PHASE;
    assert_true(fabs(f * f + (1 - f) * (1 - f) - 2.0 / 3) < 1e-12);
    Image image = make_image(4, 4, 0);
    for (int i = 0; i < 16; i++) {
        image.pixels[i] = (uint8_t)(100 * (i % 4 > 1));
    }
    const Sampling sampling = {.crop = 3, .angle_count = 2, .angles = {0, 180}};
    const CellGrid grid = sampling_cells(&sampling, 4, 4);
    assert_int_equal(grid.columns, 1);
    uint8_t values[9];
    const Image straight = sampling_cut(&sampling, &grid, &image, 0, 0, values);
    assert_memory_equal(straight.pixels, "\x00\x15\x64\x00\x15\x64\x00\x15\x64", 9); /* 21.13 */
    const Image turned = sampling_cut(&sampling, &grid, &image, 0, 1, values);
    assert_memory_equal(turned.pixels, "\x64\x15\x00\x64\x15\x00\x64\x15\x00", 9);
    free(image.pixels);
}

/* The middle one of nine cells is white, all others are black: one pixel of theirs would show. */
static void check_isolation(const Sampling *sampling) {
    const CellGrid one = sampling_cells(sampling, 1 << 12, 1 << 12);
    const int32_t side = one.width;
    Image image = make_image(3 * side, 3 * side, 0);
    for (int32_t y = side; y < 2 * side; y++) {
        memset(image.pixels + (size_t)y * image.stride + side, 255, (size_t)side);
    }
    const CellGrid grid = sampling_cells(sampling, image.width, image.height);
    assert_int_equal(grid.columns, 3);
    assert_int_equal(grid.rows, 3);
    const size_t count = (size_t)sampling->crop * (size_t)sampling->crop;
    uint8_t *values = malloc(count);
    assert_non_null(values);
    for (size_t cell = 0; cell < 9; cell++) {
        for (size_t angle = 0; angle < sampling->angle_count; angle++) {
            sampling_cut(sampling, &grid, &image, cell, angle, values);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(values[i], cell == 4 ? 255 : 0);
            }
        }
    }
    free(values);
    free(image.pixels);
}

TEST(no_sample_reads_outside_its_cell) {
    static const int32_t crops[] = {1, 2, 5, 16, 33};
    for (size_t i = 0; i < sizeof crops / sizeof crops[0]; i++) {
        for (double degrees = -90; degrees <= 360; degrees += 2.5) {
            const Sampling one = {.crop = crops[i], .angle_count = 1, .angles = {degrees}};
            check_isolation(&one);
        }
        const Sampling several = {
            .crop = crops[i], .angle_count = 5, .angles = {0, 15, 45, 100.25, -200}};
        check_isolation(&several);
    }
}
