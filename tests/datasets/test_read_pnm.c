#include "fixtures.h"
#include "test.h"

static Status decode(const char *text, size_t size, Image *image) {
    return image_decode("some.pnm", (const uint8_t *)text, size, image);
}

static void assert_decoded(const char *text, size_t size, int32_t width, int32_t height,
                           const uint8_t *want) {
    RELEASED_BY(image_free) Image image;
    assert_ok(decode(text, size, &image));
    assert_pixels(&image, width, height, want);
}

#define ASSERT_DECODED(text, width, height, ...)                                                   \
    assert_decoded(text, sizeof(text) - 1, width, height, (const uint8_t[]){__VA_ARGS__})

TEST(bitmaps) {
    ASSERT_DECODED("P1\n3 2\n0 1 0\n1 1 0\n", 3, 2, 255, 0, 255, 0, 0, 255);
    ASSERT_DECODED("P1 3 2 010110", 3, 2, 255, 0, 255, 0, 0, 255);
    ASSERT_DECODED("P4\n10 2\n\x40\x40\xc0\x00", 10, 2, 255, 0, 255, 255, 255, 255, 255, 255, 255,
                   0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255);
}

TEST(grey_maps) {
    ASSERT_DECODED("P2\n2 2\n255\n0 7\n254 255", 2, 2, 0, 7, 254, 255);
    ASSERT_DECODED("P5\n2 2\n255\n\x01\x02\x03\xff", 2, 2, 1, 2, 3, 255);
}

/* (9798·200 + 19235·100 + 3735·50 + 16384) / 32768 = 124.7. Of (0, 0, 250) it is 28.996, where
 * 0.114·250 is 28.5: OpenCV has 28 as well. */
TEST(colour_maps) {
    ASSERT_DECODED("P3 2 1 255 200 100 50 0 0 255", 2, 1, 124, 29);
    ASSERT_DECODED("P6 2 1 255 \xc8\x64\x32\xff\x00\x00", 2, 1, 124, 76);
    ASSERT_DECODED("P3 1 1 255 0 0 250", 1, 1, 28);
}

/* v·255/maxval to the nearest: 1/3 is 85, 500/1000 is 127.5, 0x0101 of 65535 is 1. */
TEST(other_maxima_are_scaled) {
    ASSERT_DECODED("P2 4 1 3 0 1 2 3", 4, 1, 0, 85, 170, 255);
    ASSERT_DECODED("P2 2 1 1000 500 499", 2, 1, 128, 127);
    ASSERT_DECODED("P5 3 1 65535 \x00\x00\x01\x01\xff\xff", 3, 1, 0, 1, 255);
    ASSERT_DECODED("P5 2 1 256 \x01\x00\x00\x80", 2, 1, 255, 128);
    ASSERT_DECODED("P6 1 1 1 \x01\x00\x01", 1, 1, 105);
}

TEST(comments_are_skipped) {
    ASSERT_DECODED("P2 # magic\n#sides\n2#w\n1 #h\n9\n# samples\n9 # one\n0\n", 2, 1, 255, 0);
    ASSERT_DECODED("P5\n# a 1 2 3\n2 1\n255# end\n\x05\x06", 2, 1, 5, 6);
    ASSERT_DECODED("P5#\n1 1 255\n#", 1, 1, '#');
}

/* What stands between header and samples shifts them all, and shows at the end alone. */
TEST(bytes_left_over_are_named) {
    static const struct {
        const char *text;
        uint8_t first;
        const char *said;
    } cases[] = {
        {"P5 2 1 255 \x07\x08P5 1 1 255 \x09", 7, "12 bytes follow the samples of the PNM\n"},
        {"P5\r\n2 1\r\n255\r\n\x07\x08", '\n',
         "1 byte follows the samples of the PNM, since the line end CR LF of its header has its LF "
         "among the samples\n"},
        {"P5\n2 1\n255\n# by hand\n\x07\x08", '#',
         "10 bytes follow the samples of the PNM, since the comment behind its header is among the "
         "samples\n"},
        {"P4\n9 1\n\x7f\x80\n", 255, "1 byte follows the samples of the PNM\n"},
        {"P2 2 1 255 7 8 garbage\n", 7, "7 bytes follow the samples of the PNM\n"},
        {"P1 2 1 1 0 1", 0, "1 byte follows the samples of the PNM\n"},
        {"P2 2 1 255 7 8 \r\n", 7, ""},
        {"P2\r\n2 1\r\n255\r\n7 8\r\n", 7, ""},
        {"P5\n2 1\n255# end\n\x07\x08", 7, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char want[200] = "";
        RELEASED_BY(image_free) Image image;
        if (cases[i].said[0] != '\0') {
            snprintf(want, sizeof want, "warning: some.pnm: %s", cases[i].said);
        }
        assert_warned("some.pnm", (const uint8_t *)cases[i].text, strlen(cases[i].text), &image,
                      want);
        assert_int_equal(image.pixels[0], cases[i].first);
    }
}

TEST(every_cut_is_refused) {
    static const struct {
        const char *text;
        size_t size;
    } whole[] = {{"P1 3 2 010110", 13},
                 {"P2 2 1 255 10 9", 15},
                 {"P3 1 1 255 20 10 5", 18},
                 {"P4 10 2 \x40\x40\xc0\x00", 12},
                 {"P5 2 2 255 \x01\x02\x03\xff", 15},
                 {"P6 1 1 65535 \x01\x02\x03\x04\x05\x06", 19}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        Image image;
        assert_ok(decode(whole[i].text, whole[i].size, &image));
        image_free(&image);
        for (size_t cut = 3; cut < whole[i].size; cut++) {
            assert_refused(decode(whole[i].text, cut, &image), STATUS_FILE, "some.pnm",
                           "truncated");
            assert_null(image.pixels);
        }
    }
}

static void assert_damaged(const char *text, const char *word) {
    Image image;
    assert_refused(decode(text, strlen(text), &image), STATUS_FILE, "some.pnm", word);
    assert_null(image.pixels);
}

TEST(wrong_headers_are_refused) {
    assert_damaged("P5 0 4 255 abcd", "0x4");
    assert_damaged("P2 4 0 255 1", "4x0");
    assert_damaged("P5 1048577 1 255 a", "1048577x1");
    assert_damaged("P5 1048576 1048576 255 a", "at most");
    assert_damaged("P5 99999999999 1 255 a", "larger than");
    assert_damaged("P5 -4 1 255 abcd", "something else");
    assert_damaged("P5 2 1 0 ab", "1 to 65535");
    assert_damaged("P5 2 1 65536 abcd", "1 to 65535");
    assert_damaged("P5 2 1 255xab", "white space");
    assert_damaged("P5 100000 100000 255 abc", "truncated");
    assert_damaged("P7\nWIDTH 1\n", "is a PAM image");
}

TEST(wrong_samples_are_refused) {
    assert_damaged("P2 2 1 100 7 101", "sample 101 is above its maximum 100");
    assert_damaged("P5 2 1 64 a ", "sample 97 is above its maximum 64");
    assert_damaged("P2 2 1 255 1 x2", "something else");
    assert_damaged("P1 2 1 1 2", "0 or 1");
}
