/* orb: the definition by hand, piece by piece; then every variant and kernel gives what seq gives.
 */
#include "cpu/keypoint_cases.h"
#include "descriptor_weights.h"
#include "orb_internal.h"
#include "test.h"

extern const Algorithm orb_algorithm;

enum { SIDE = 64, MIDDLE = SIDE / 2, BITS = 256, KEYPOINTS = 400 };

/* --- Blur ------------------------------------------------------------------------------------- */

/* The image as a kernel smooths it, without padding; free. */
static uint8_t *smoothed(const OrbKernel *kernel, const Image *image) {
    Keypoint none = {.size = 1};
    float numbers[BITS * WEIGHTS_ORB_COLUMNS] = {0};
    const Workload workload = {
        .kind = WORKLOAD_KEYPOINTS,
        .image = *image,
        .keypoints = {.keypoints = &none, .count = 1},
        .weights = {.count = 1,
                    .list = {{.kind = WEIGHTS_ORB, .bits = BITS, .columns = 4, .values = numbers}}},
    };
    const Point answer = keypoint_case_point(&orb_algorithm, BITS, 0, 1);
    const Request request = {.workload = &workload, .answer = &answer};
    void *opened = NULL;
    assert_string_equal(orb_work_open(&request, 3, &opened).why, "");
    OrbWork *work = opened;
    work->kernel = kernel;
    assert_ok(orb_work_blur(work));
    const size_t width = (size_t)image->width;
    uint8_t *pixels = malloc(image_pixel_count(image));
    assert_non_null(pixels);
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(pixels + (size_t)y * width, work->blurred.pixels + (size_t)y * work->blurred.stride,
               width);
    }
    orb_work_close(work);
    return pixels;
}

/* 255 times the Gaussian exp(-(i² + j²) / 8) / 21.41, by pocket calculator. */
TEST(an_impulse_becomes_the_gaussian) {
    static const uint8_t want[4][4] = {{12, 11, 7, 4}, {11, 9, 6, 3}, {7, 6, 4, 2}, {4, 3, 2, 1}};
    Image image = test_image(40, 21, 3, FILL_NOISE, 1);
    for (int32_t y = 0; y < image.height; y++) {
        memset(image.pixels + (size_t)y * image.stride, 0, (size_t)image.width);
    }
    image.pixels[10 * image.stride + 17] = 255;
    for (const OrbKernel *const *kernel = orb_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported()) {
            continue;
        }
        uint8_t *pixels = smoothed(*kernel, &image);
        for (int32_t i = 0; i < 40 * 21; i++) {
            const int dx = abs(i % 40 - 17);
            const int dy = abs(i / 40 - 10);
            assert_int_equal(pixels[i], dx < 4 && dy < 4 ? want[dy][dx] : 0);
        }
        free(pixels);
    }
    test_image_free(&image);
}

/* Of a row of four pixels, the first of which is 255: 255 times 0.2161, 0.1907, 0.1311, 0.0702; the
 * last sees the first on both sides, since the row goes on with pixels 2, 1, 0 behind pixel 3. */
TEST(edges_are_mirrored) {
    static const uint8_t want[4] = {55, 49, 33, 36};
    uint8_t row[4] = {255, 0, 0, 0};
    const Image across = {.width = 4, .height = 1, .stride = 4, .pixels = row};
    const Image down = {.width = 1, .height = 4, .stride = 1, .pixels = row};
    for (const OrbKernel *const *kernel = orb_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            uint8_t *of_row = smoothed(*kernel, &across);
            uint8_t *of_column = smoothed(*kernel, &down);
            assert_memory_equal(of_row, want, 4);
            assert_memory_equal(of_column, want, 4);
            free(of_row);
            free(of_column);
        }
    }
    assert_int_equal(orb_mirrored(-1, 5), 1);
    assert_int_equal(orb_mirrored(5, 5), 3);
    assert_int_equal(orb_mirrored(-3, 2), 1);
    assert_int_equal(orb_mirrored(7, 1), 0);
}

TEST(white_stays_white) {
    RELEASED_BY(test_image_free) Image image = test_image(77, 13, 0, FILL_NOISE, 1);
    memset(image.pixels, 255, image_pixel_count(&image));
    for (const OrbKernel *const *kernel = orb_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            uint8_t *pixels = smoothed(*kernel, &image);
            assert_memory_equal(pixels, image.pixels, image_pixel_count(&image));
            free(pixels);
        }
    }
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static void assert_turned(Keypoint keypoint, float scale, float px, float py, int x, int y) {
    const OrbPlace place = orb_place(keypoint, scale);
    assert_int_equal(orb_turned_x(&place, px, py), x);
    assert_int_equal(orb_turned_y(&place, px, py), y);
}

/* From the x axis towards the y axis, which goes down. */
TEST(positions_turn_with_the_keypoint) {
    assert_turned((Keypoint){0, 0, 31, -1}, 1, 7, -3, 7, -3);
    assert_turned((Keypoint){0, 0, 31, 0}, 1, 7, -3, 7, -3);
    assert_turned((Keypoint){0, 0, 31, 90}, 1, 7, -3, 3, 7);
    assert_turned((Keypoint){0, 0, 31, 180}, 1, 7, -3, -7, 3);
    assert_turned((Keypoint){0, 0, 31, 270}, 1, 7, -3, -3, -7);
    assert_turned((Keypoint){0, 0, 31, 30}, 1, 10, 0, 9, 5); /* 8.66, 5 */
}

TEST(positions_stretch_with_the_size) {
    assert_turned((Keypoint){0, 0, 62, -1}, 1, 7, -3, 14, -6);
    assert_turned((Keypoint){0, 0, 31, 90}, 2, 7, -3, 6, 14);
    assert_turned((Keypoint){0, 0, 0, 0}, 1, 15, 15, 0, 0);
    assert_turned((Keypoint){0, 0, 1e30F, -1}, 1, 15, -15, ORB_POSITION_MAX, -ORB_POSITION_MAX);
}

TEST(halves_are_rounded_to_even) {
    assert_turned((Keypoint){0, 0, 15.5F, -1}, 1, 1, 3, 0, 2); /* 0.5, 1.5 */
    assert_turned((Keypoint){0, 0, 15.5F, -1}, 1, -1, -5, 0, -2);
    assert_int_equal(orb_place((Keypoint){10.5F, 11.5F, 31, -1}, 1).x, 10);
    assert_int_equal(orb_place((Keypoint){10.5F, 11.5F, 31, -1}, 1).y, 12);
    assert_int_equal(orb_round((float)NAN), -ORB_POSITION_MAX);
    assert_int_equal(orb_round((float)INFINITY), ORB_POSITION_MAX);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* Black but for a white block, three pixels around a place; one keypoint in the middle. */
typedef struct Case {
    Workload workload;
    Keypoint keypoint;
    OrbTest tests[BITS];
} Case;

static void make_case(Case *made, int32_t x, int32_t y, float angle) {
    *made = (Case){.keypoint = {MIDDLE, MIDDLE, 31, angle}};
    made->workload = (Workload){
        .kind = WORKLOAD_KEYPOINTS,
        .image = test_image(SIDE, SIDE, 5, FILL_NOISE, 1),
        .keypoints = {.keypoints = &made->keypoint, .count = 1},
        .weights = {.count = 1,
                    .list = {{.kind = WEIGHTS_ORB,
                              .bits = BITS,
                              .columns = WEIGHTS_ORB_COLUMNS,
                              .values = (float *)made->tests}}},
    };
    for (int32_t row = 0; row < SIDE; row++) {
        for (int32_t column = 0; column < SIDE; column++) {
            const bool white = abs(row - y) <= 3 && abs(column - x) <= 3;
            made->workload.image
                .pixels[(size_t)row * made->workload.image.stride + (size_t)column] =
                white ? 255 : 0;
        }
    }
}

/* By every variant. */
static void assert_descriptor(Case *made, const uint8_t *want) {
    const Point answer = keypoint_case_point(&orb_algorithm, BITS, 1, 1);
    for (size_t v = 0; v < orb_algorithm.cpu.count; v++) {
        RELEASED_BY(output_free)
        Output got = variant_answer_of(&orb_algorithm, &orb_algorithm.cpu.rows[v], &made->workload,
                                       &answer, 2);
        assert_memory_equal(orb_descriptors(&got), want, BITS / 8);
    }
}

/* The first test is the least significant bit of the first byte, and 1 where the second place is
 * the brighter one. */
TEST(bits_stand_as_those_of_opencv) {
    Case made;
    make_case(&made, MIDDLE + 10, MIDDLE, -1);
    made.tests[0] = (OrbTest){-10, 0, 10, 0};
    made.tests[1] = (OrbTest){10, 0, -10, 0};
    made.tests[11] = (OrbTest){0, -10, 10, 1};
    made.tests[255] = (OrbTest){0, 0, 11, -1};
    const uint8_t want[BITS / 8] = {[0] = 0x01, [1] = 0x08, [31] = 0x80};
    assert_descriptor(&made, want);
    test_image_free(&made.workload.image);
}

/* A block below the keypoint is where a block to its right was before it turned by 90 degrees. */
TEST(a_turned_keypoint_has_the_bits_of_the_turned_image) {
    const uint8_t none[BITS / 8] = {0};
    const uint8_t want[BITS / 8] = {[0] = 0x01};
    Case made;
    make_case(&made, MIDDLE, MIDDLE + 10, 90);
    made.tests[0] = (OrbTest){-10, 0, 10, 0};
    assert_descriptor(&made, want);
    made.keypoint.angle = 0;
    assert_descriptor(&made, none);
    test_image_free(&made.workload.image);
}

/* Places beyond the image are the nearest pixels in it: both of the test, so that neither is the
 * brighter one. */
TEST(places_stay_in_the_image) {
    const uint8_t want[BITS / 8] = {[0] = 0x02};
    Case made;
    make_case(&made, SIDE - 1, MIDDLE, -1);
    made.keypoint.x = SIDE + 100;
    made.tests[0] = (OrbTest){-15, 0, 15, 0};
    made.tests[1] = (OrbTest){0, -15, 0, 0};
    assert_descriptor(&made, want);
    test_image_free(&made.workload.image);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static const int32_t sides[][2] = {{1, 1},  {2, 3},   {15, 40},  {16, 16}, {17, 90},
                                   {31, 5}, {33, 70}, {130, 97}, {400, 3}, {351, 260}};

/* Every second keypoint is of an ordinary size and in the image. */
static Workload random_case(int32_t width, int32_t height) {
    Workload workload = keypoint_case_random(WEIGHTS_ORB, width, height, 7, FILL_NOISE, KEYPOINTS);
    for (int32_t k = 0; k < KEYPOINTS; k += 2) {
        Keypoint *keypoint = &workload.keypoints.keypoints[k];
        keypoint->size = 2 + (float)(k % 37);
        keypoint->x = (keypoint->x + 20) / (float)(width + 40) * (float)width;
        keypoint->y = (keypoint->y + 20) / (float)(height + 40) * (float)height;
    }
    return workload;
}

DEFINE_CHECK_KERNELS(OrbKernel, orb_kernels, OrbWork, orb_work, orb_algorithm)

TEST(kernels_agree) {
    for (size_t s = 0; s < COUNT_OF(sides); s++) {
        RELEASED_BY(keypoint_case_random_free)
        Workload workload = random_case(sides[s][0], sides[s][1]);
        const Point answer =
            keypoint_case_point(&orb_algorithm, s % 2 == 0 ? 256 : 512, KEYPOINTS, 1.25);
        check_kernels(&workload, &answer);
    }
}

TEST_BEST_KERNEL(OrbKernel, orb_kernels, orb_kernel_best(INT32_MAX), orb_kernel_plain)

TEST(images_beyond_32_bits_take_the_plain_kernel) {
    assert_ptr_equal(orb_kernel_best((size_t)INT32_MAX + 1), &orb_kernel_plain);
}

/* run is the stages one after the other. */
TEST(stages_make_up_the_run) {
    static const char *const names[] = {"blur", "tests", NULL};
    RELEASED_BY(keypoint_case_random_free)
    Workload workload = keypoint_case_random(WEIGHTS_ORB, 150, 120, 3, FILL_NOISE, KEYPOINTS);
    const Point answer = keypoint_case_point(&orb_algorithm, BITS, KEYPOINTS, 1);
    check_stages(&orb_algorithm, &workload, &answer, names);
}
