#include <zlib.h>

#include "fixtures.h"
#include "test.h"

/* The images of tests/data/images/make.py. */
enum { WIDTH = 7, HEIGHT = 5 };

typedef unsigned Pixel(unsigned x, unsigned y);

static unsigned luma(unsigned red, unsigned green, unsigned blue) {
    return (9798 * red + 19235 * green + 3735 * blue + 16384) / 32768;
}

static unsigned colour(unsigned x, unsigned y) {
    return luma(40 * x, 60 * y, 20 * x + 10 * y);
}

static unsigned grey(unsigned x, unsigned y) {
    return 30 * x + 12 * y;
}

static unsigned one_bit(unsigned x, unsigned y) {
    return (x + y) % 2 * 255;
}

static unsigned two_bits(unsigned x, unsigned y) {
    return (x + y) % 4 * 85;
}

static unsigned four_bits(unsigned x, unsigned y) {
    return (x + 2 * y) * 17;
}

/* Red, green, blue and (90, 90, 90): luma by hand 76, 150, 29, 90. */
static unsigned palette(unsigned x, unsigned y) {
    static const unsigned greys[] = {76, 150, 29, 90};
    return greys[(x + y) % 4];
}

static const struct {
    const char *name;
    Pixel *pixel;
} images[] = {
    {"rgb8.png", colour},
    {"rgb8_interlaced.png", colour},
    {"rgba8.png", colour},
    {"rgba8_interlaced.png", colour},
    {"rgb16.png", colour},
    {"grey8.png", grey},
    {"grey8_interlaced.png", grey},
    {"grey8_transparent.png", grey},
    {"grey_alpha8.png", grey},
    {"text_chunk.png", grey},
    {"grey1.png", one_bit},
    {"grey2_interlaced.png", two_bits},
    {"grey4.png", four_bits},
    {"palette2.png", palette},
    {"palette8_interlaced.png", palette},
    {"palette2_transparent.png", palette},
};

enum { IMAGES = sizeof images / sizeof images[0] };

TEST(all_colour_types_are_read) {
    for (size_t i = 0; i < IMAGES; i++) {
        size_t size = 0;
        uint8_t *bytes = committed_file(images[i].name, &size);
        Image image;
        assert_ok(image_decode(images[i].name, bytes, size, &image));
        assert_int_equal(image.width, WIDTH);
        assert_int_equal(image.height, HEIGHT);
        for (unsigned y = 0; y < HEIGHT; y++) {
            for (unsigned x = 0; x < WIDTH; x++) {
                if (image_row(&image, (int32_t)y)[x] != images[i].pixel(x, y)) {
                    fail_msg("%s at (%u, %u): %u, not %u", images[i].name, x, y,
                             image_row(&image, (int32_t)y)[x], images[i].pixel(x, y));
                }
            }
        }
        image_free(&image);
        free(bytes);
    }
}

/* v·255/65535 to the nearest: 0x80 is 0.498, 0x81 is 0.502, 0xfeff is 253.996. */
TEST(sixteen_bits_are_rounded) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey16.png", &size);
    Image image;
    assert_ok(image_decode("grey16.png", bytes, size, &image));
    assert_pixels(&image, 7, 1, (const uint8_t[]){0, 0, 1, 1, 127, 254, 255});
    image_free(&image);
    free(bytes);
}

TEST(an_interlaced_pixel_is_read) {
    size_t size = 0;
    uint8_t *bytes = committed_file("one_interlaced.png", &size);
    Image image;
    assert_ok(image_decode("one_interlaced.png", bytes, size, &image));
    assert_pixels(&image, 1, 1, (const uint8_t[]){77});
    image_free(&image);
    free(bytes);
}

/* What follows the last checksum of the pixels. */
enum { END_SIZE = 12 };

static void assert_same_image(const Image *image, const Image *whole) {
    assert_int_equal(image->width, whole->width);
    assert_int_equal(image->height, whole->height);
    assert_int_equal(image_hash(image), image_hash(whole));
}

/* Without its end a file has all its pixels, which viewers show; of any other not all. */
TEST(every_cut_but_that_of_the_end_is_refused) {
    for (size_t i = 0; i < IMAGES; i++) {
        size_t size = 0;
        uint8_t *bytes = committed_file(images[i].name, &size);
        Image whole;
        Image image;
        assert_ok(image_decode("whole.png", bytes, size, &whole));
        for (size_t cut = 4; cut < size - END_SIZE; cut++) {
            assert_refused(image_decode("cut.png", bytes, cut, &image), STATUS_FILE, "cut.png",
                           "truncated");
            assert_null(image.pixels);
        }
        for (size_t cut = size - END_SIZE; cut < size; cut++) {
            assert_warned("cut.png", bytes, cut, &image,
                          "warning: cut.png: the PNG has all its pixels, but its end is damaged: "
                          "the file is truncated\n");
            assert_same_image(&image, &whole);
            image_free(&image);
        }
        image_free(&whole);
        free(bytes);
    }
}

/* Every bit flipped alone is found by a checksum or by the format's own rules, or changes no
 * pixel. */
TEST(every_flipped_bit_is_found) {
    size_t size = 0;
    uint8_t *bytes = committed_file("rgb8_interlaced.png", &size);
    Image whole;
    assert_ok(image_decode("whole.png", bytes, size, &whole));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        Image image;
        notes_begin();
        const Status status = image_decode("flipped.png", bytes, size, &image);
        notes_end();
        if (bit / 8 < size - END_SIZE) {
            assert_true(status.code == STATUS_FILE || status.code == STATUS_SKIP);
            assert_null(image.pixels);
        } else {
            assert_ok(status);
            assert_says(notes_said, "its end is damaged");
            assert_same_image(&image, &whole);
            image_free(&image);
        }
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    image_free(&whole);
    free(bytes);
}

TEST(a_bad_checksum_is_named) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    bytes[size - 12 - 1] ^= 1; /* the last byte before the 12 bytes of IEND: IDAT's checksum */
    Image image;
    assert_refused(image_decode("bad.png", bytes, size, &image), STATUS_FILE, "bad.png",
                   "CRC error");
    free(bytes);
}

/* libpng's own default. */
TEST(a_chunk_that_is_not_used_may_be_damaged) {
    size_t size = 0;
    uint8_t *bytes = committed_file("text_chunk.png", &size);
    Image image;
    Image whole;
    assert_ok(image_decode("whole.png", bytes, size, &whole));
    bytes[8 + 25 + 8] ^= 1; /* the first letter of the text, after signature, IHDR and its frame */
    assert_warned(
        "bad.png", bytes, size, &image,
        "warning: bad.png: a chunk of the PNG that is not needed has a wrong checksum and "
        "is left out: tEXt\n");
    assert_same_image(&image, &whole);
    image_free(&image);
    image_free(&whole);
    free(bytes);
}

/* Reserving what the chunk claims would take 2 GiB; the fuzzer's memory limit watches that. */
TEST(a_chunk_longer_than_the_file_is_refused) {
    size_t size = 0;
    uint8_t *bytes = committed_file("huge_chunk.png", &size);
    Image image;
    assert_refused(image_decode("huge.png", bytes, size, &image), STATUS_FILE, "huge.png",
                   "damaged PNG");
    free(bytes);
}

TEST(apples_variant_is_named) {
    static const uint8_t first[] = {0, 0, 0, 4, 'C', 'g', 'B', 'I'};
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    Image image;
    memcpy(bytes + 8, first, sizeof first);
    assert_refused(image_decode("phone.png", bytes, size, &image), STATUS_FILE, "phone.png",
                   "is a CgBI file, Apple's variant of PNG");
    free(bytes);
}

/* Letters in one colour on nothing; but not where all of it is as transparent. */
TEST(a_picture_in_the_alpha_channel_is_named) {
    static const struct {
        const char *name;
        bool warned;
    } cases[] = {{"alpha_only.png", true},
                 {"alpha_palette.png", true},
                 {"alpha_flat.png", false},
                 {"rgba8.png", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 0;
        uint8_t *bytes = committed_file(cases[i].name, &size);
        char want[200] = "";
        Image image;
        if (cases[i].warned) {
            snprintf(want, sizeof want,
                     "warning: %s: the PNG has one colour alone: its picture is in the alpha "
                     "channel, which is not used\n",
                     cases[i].name);
        }
        assert_warned(cases[i].name, bytes, size, &image, want);
        image_free(&image);
        free(bytes);
    }
}

TEST(trailing_bytes_are_ignored) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    memset(bytes + size, 'x', 100);
    Image image;
    assert_ok(image_decode("long.png", bytes, size + 100, &image));
    image_free(&image);
    free(bytes);
}

static void put_uint32(uint8_t *bytes, uint32_t number) {
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
    }
}

static Status decode_with_sides(uint32_t width, uint32_t height, Image *image) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    put_uint32(bytes + 16, width);
    put_uint32(bytes + 20, height);
    put_uint32(bytes + 29, (uint32_t)crc32(0, bytes + 12, 17));
    const Status status = image_decode("forged.png", bytes, size, image);
    free(bytes);
    return status;
}

TEST(forged_sides_are_refused) {
    Image image;
    assert_refused(decode_with_sides(0, 5, &image), STATUS_FILE, "forged.png", "0x5");
    assert_refused(decode_with_sides(7, 0, &image), STATUS_FILE, "forged.png", "7x0");
    assert_refused(decode_with_sides(0x80000000u, 5, &image), STATUS_FILE, "forged.png",
                   "2147483648x5");
    assert_refused(decode_with_sides(1u << 20, 1u << 20, &image), STATUS_FILE, "forged.png",
                   "at most");
    /* Possible sides, but 104 bytes of deflate cannot hold them. */
    assert_refused(decode_with_sides(1u << 18, 1u << 18, &image), STATUS_FILE, "forged.png",
                   "more than");
    assert_refused(decode_with_sides(7, 6, &image), STATUS_FILE, "forged.png", "PNG");
}

/* Rows beyond the header's height are no part of the image, which viewers show. */
TEST(rows_too_many_are_named) {
    enum { CHUNK_AT = 12, CHUNK = 17, LOW_BYTE_OF_HEIGHT = 23, CHECKSUM_AT = 29, LEFT = 3 };
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    Image image;
    bytes[LOW_BYTE_OF_HEIGHT] = LEFT;
    const unsigned long checksum = crc32(0, bytes + CHUNK_AT, CHUNK);
    for (int i = 0; i < 4; i++) {
        bytes[CHECKSUM_AT + i] = (uint8_t)(checksum >> (24 - 8 * i));
    }
    assert_warned("tall.png", bytes, size, &image,
                  "warning: tall.png: the PNG holds more rows than its header says; those are left "
                  "out\n");
    uint8_t want[WIDTH * LEFT];
    for (unsigned i = 0; i < sizeof want; i++) {
        want[i] = (uint8_t)grey(i % WIDTH, i / WIDTH);
    }
    assert_pixels(&image, WIDTH, LEFT, want);
    image_free(&image);
    free(bytes);
}
