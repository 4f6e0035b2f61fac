

#include "bench/scratch_folder.h"
#include "match_images_internal.h"
#include "test.h"

static const Homography identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void check_mapped(const Homography *homography, double x, double y, double u, double v) {
    double mapped[2];
    assert_true(homography_map(homography, x, y, mapped));
    assert_true(fabs(mapped[0] - u) < 1e-9 && fabs(mapped[1] - v) < 1e-9);
}

/* w = x / 1000 + 1 */
TEST(places_are_mapped_in_perspective) {
    const Homography homography = {{1, 0, 0, 0, 1, 0, 0.001, 0, 1}};
    double mapped[2];
    check_mapped(&homography, 1000, 600, 500, 300);
    assert_false(homography_map(&homography, -1000, 1, mapped));
    const Correspondence near = {.xa = 1000, .ya = 600, .xb = 503, .yb = 296};
    assert_true(fabs(homography_error(&homography, &near) - 5) < 1e-9);
    const Correspondence beyond = {.xa = -1000, .ya = 1, .xb = 0, .yb = 0};
    assert_true(isinf(homography_error(&homography, &beyond)));
}

/* The corners of a square of 1000 pixels, of which the right ones come to 1000 / 2. */
TEST(four_correspondences_are_met_exactly) {
    const Correspondence places[] = {
        {0, 0, 0, 0}, {1000, 0, 500, 0}, {0, 1000, 0, 1000}, {1000, 1000, 500, 500}};
    Homography homography;
    assert_true(homography_fit(places, 4, &homography));
    check_mapped(&homography, 1000, 600, 500, 300);
    check_mapped(&homography, 500, 250, 500 / 1.5, 250 / 1.5);
}

/* Far from the origin, where matrices that are not scaled lose their digits. */
TEST(places_far_away_are_met_as_well) {
    const double far = 1e6;
    const Correspondence places[] = {{far, far, 3, 4},
                                     {far + 10, far, 23, 4},
                                     {far, far + 10, 3, 24},
                                     {far + 10, far + 10, 23, 24}};
    Homography homography;
    double mapped[2];
    assert_true(homography_fit(places, 4, &homography));
    assert_true(homography_map(&homography, far + 5, far + 2, mapped));
    assert_true(fabs(mapped[0] - 13) < 1e-3 && fabs(mapped[1] - 8) < 1e-3);
}

/* Each corner of a square twice, moved by 1 pixel to the left and to the right. */
TEST(errors_are_evened_out) {
    Correspondence places[8];
    for (int i = 0; i < 8; i++) {
        const double x = (i & 1) * 100.0;
        const double y = (i >> 1 & 1) * 100.0;
        places[i] = (Correspondence){x, y, x + 50 + (i < 4 ? 1 : -1), y + 20};
    }
    Homography homography;
    const Homography moved = {{1, 0, 50, 0, 1, 20, 0, 0, 1}};
    assert_true(homography_fit(places, 8, &homography));
    assert_true(homography_corner_error(&homography, &moved, 101, 101) < 0.05);
}

/* Twelve places up to 28 pixels from any plane. Where their least-squares homography maps the
 * corners of an image is scipy's (optimize.least_squares on the distances in B); the linear
 * solution is 0.03 to 2.4 pixels off. */
TEST(the_squares_of_the_distances_are_least) {
    static const Correspondence places[] = {
        {10, 20, 232.5, -52},   {790, 15, 590, 144.5},  {400, 30, 434, 66},
        {25, 610, 49, 527},     {780, 620, 468.5, 641}, {410, 600, 262.5, 588},
        {200, 300, 242, 255.5}, {600, 310, 414.5, 349}, {150, 100, 288.5, 62},
        {650, 500, 425, 523},   {300, 450, 240, 424.5}, {500, 200, 418, 228}};
    static const double corners[4][4] = {{0, 0, 229.0609, -69.7540},
                                         {799, 0, 597.0515, 132.2939},
                                         {0, 639, 15.6799, 556.5235},
                                         {799, 639, 449.9319, 668.5837}};
    enum { COUNT = sizeof places / sizeof places[0] };
    Homography homography;
    assert_true(homography_fit(places, COUNT, &homography));
    assert_true(homography_refine(places, COUNT, &homography));
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        const double distance = homography_error(&homography, &places[i]);
        sum += distance * distance;
    }
    assert_true(fabs(sum - 2203.298189) < 1e-5);
    for (int i = 0; i < 4; i++) {
        double mapped[2];
        assert_true(homography_map(&homography, corners[i][0], corners[i][1], mapped));
        assert_true(hypot(mapped[0] - corners[i][2], mapped[1] - corners[i][3]) < 1e-3);
    }
}

/* From another one on, and without a place to spare. */
TEST(four_places_are_met_from_afar) {
    const Correspondence places[] = {
        {0, 0, 0, 0}, {1000, 0, 500, 0}, {0, 1000, 0, 1000}, {1000, 1000, 500, 500}};
    Homography homography = {{0.9, 0.05, 3, -0.02, 1.1, 5, 0.0008, 0.0001, 1}};
    assert_true(homography_refine(places, 4, &homography));
    for (int i = 0; i < 4; i++) {
        assert_true(homography_error(&homography, &places[i]) < 1e-6);
    }
    assert_false(homography_refine(places, 3, &homography));
}

TEST(what_determines_nothing_is_refused) {
    static const struct {
        Correspondence places[4];
        size_t count;
    } cases[] = {
        /* Too few. */
        {{{0, 0, 0, 0}, {9, 0, 9, 0}, {0, 9, 0, 9}}, 3},
        /* All on a line, of A and then of B. */
        {{{0, 0, 0, 0}, {1, 1, 9, 0}, {2, 2, 0, 9}, {3, 3, 9, 9}}, 4},
        {{{0, 0, 0, 0}, {9, 0, 1, 1}, {0, 9, 2, 2}, {9, 9, 3, 3}}, 4},
        /* Three on a line. */
        {{{0, 0, 0, 0}, {1, 0, 1, 0}, {2, 0, 2, 0}, {0, 9, 0, 9}}, 4},
        /* One place four times, and one correspondence twice. */
        {{{5, 5, 1, 1}, {5, 5, 2, 1}, {5, 5, 1, 2}, {5, 5, 2, 2}}, 4},
        {{{0, 0, 0, 0}, {9, 0, 9, 0}, {0, 9, 0, 9}, {0, 9, 0, 9}}, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Homography homography;
        assert_false(homography_fit(cases[i].places, cases[i].count, &homography));
    }
}

TEST(corners_tell_how_far_off_it_is) {
    const Homography moved = {{1, 0, 3, 0, 1, 4, 0, 0, 1}};
    /* Twice as large: 3 + 4 + 5 pixels, and the first corner stays; the same with another factor of
     * the matrix. */
    const Homography larger = {{2, 0, 0, 0, 2, 0, 0, 0, 1}};
    const Homography other_factor = {{-2, 0, 0, 0, -2, 0, 0, 0, -1}};
    assert_true(fabs(homography_corner_error(&moved, &identity, 640, 480) - 5) < 1e-9);
    assert_true(fabs(homography_corner_error(&larger, &identity, 4, 5) - 3) < 1e-9);
    assert_true(fabs(homography_corner_error(&other_factor, &identity, 4, 5) - 3) < 1e-9);
}

/* --- Files ------------------------------------------------------------------------------------ */

static Status read_text(const char *text, Homography *homography) {
    const ScratchFolder folder = scratch_make();
    char path[512];
    scratch_path(&folder, "h.txt", path);
    scratch_write(&folder, "h.txt", text);
    const Status status = homography_read(path, homography);
    scratch_remove_tree(folder.path);
    return status;
}

TEST(a_file_is_read) {
    static const char *const texts[] = {"1 2 3\n4 5 6\n7 8 10\n",
                                        "# of A to B\n\n1, 2,3\r\n"
                                        "  4\t5 6\n7 8 1e1",
                                        "<?xml version=\"1.0\"?>\n<opencv_storage>\n<H13 "
                                        "type_id=\"opencv-matrix\">\n  <rows>3</rows>\n  "
                                        "<data>\n\t1. 2. 3.\n\t4. 5. 6.\n\t7. 8. 10. "
                                        "</data></H13>\n</opencv_storage>\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Homography homography;
        assert_ok(read_text(texts[i], &homography));
        const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
        assert_memory_equal(homography.h, numbers, sizeof numbers);
    }
}

TEST(bad_files_are_named_with_their_line) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"1 2 3\n4 5\n7 8 10\n", "h.txt: line 2: too few numbers; a homography is three lines"},
        {"1 2 3\n\n4 five 6\n7 8 10\n", "line 3: no finite number"},
        {"1 2 3\n4 5 6x\n7 8 10\n", "line 2: no finite number"},
        {"1 2 3\n4 5 nan\n7 8 10\n", "line 2: no finite number"},
        {"1 2 3 4\n4 5 6\n7 8 10\n", "line 1: too many numbers"},
        {"1 2 3\n4 5 6\n7 8 10\n1 1 1\n", "line 4: a fourth line"},
        {"1 2 3\n4 5 6\n", "it ends too early"},
        {"", "it ends too early"},
        {"<data>1 2 3</data>", "it ends too early"},
        {"1 2 3\n2 4 6\n7 8 10\n", "the matrix is singular"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Homography homography;
        const Status status = read_text(cases[i].text, &homography);
        assert_int_equal(status.code, STATUS_FILE);
        assert_says(status.why, cases[i].why);
    }
    Homography homography;
    assert_int_equal(homography_read("/nowhere/h.txt", &homography).code, STATUS_FILE);
}
