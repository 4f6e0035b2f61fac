#include "fixtures.h"
#include "process_memory.h"
#include "test.h"

#include <sys/resource.h>

#include <jpeglib.h>

enum { SIDE = 8 };

/* rgb.jpg and rgb_progressive.jpg, by netpbm: two flat blocks, which netpbm's own decoder gives as
 * (200, 100, 50) and (11, 60, 250); luma by hand 124 and 67. grey.jpg: 124 and 66. */
static void assert_two_blocks(const char *name, uint8_t left, uint8_t right) {
    size_t size = 0;
    uint8_t *bytes = committed_file(name, &size);
    Image image;
    assert_ok(image_decode(name, bytes, size, &image));
    uint8_t want[2 * SIDE * SIDE];
    for (size_t i = 0; i < sizeof want; i++) {
        want[i] = i % (2 * SIDE) < SIDE ? left : right;
    }
    assert_pixels(&image, 2 * SIDE, SIDE, want);
    image_free(&image);
    free(bytes);
}

TEST(colour_and_grey_are_read) {
    assert_two_blocks("rgb.jpg", 124, 67);
    assert_two_blocks("rgb_progressive.jpg", 124, 67);
    assert_two_blocks("grey.jpg", 124, 66);
}

/* A flat 8×8 image in a colour space, stored as it is. */
typedef struct FlatJpeg {
    J_COLOR_SPACE space;
    int components;
    const uint8_t *colour;
    int adobe_marker;
    const jpeg_scan_info *scans; /* two; NULL: one of all components */
    bool arithmetic;
} FlatJpeg;

/* The caller frees the bytes. */
static uint8_t *flat_jpeg_as(FlatJpeg flat, unsigned long *size) {
    const J_COLOR_SPACE space = flat.space;
    const int components = flat.components;
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    uint8_t *bytes = NULL;
    *size = 0;
    jpeg_mem_dest(&jpeg, &bytes, size);
    jpeg.image_width = SIDE;
    jpeg.image_height = SIDE;
    jpeg.input_components = components;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, space);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg.write_Adobe_marker = flat.adobe_marker;
    jpeg.arith_code = flat.arithmetic;
    jpeg.scan_info = flat.scans;
    jpeg.num_scans = flat.scans != NULL ? 2 : 0;
    jpeg_start_compress(&jpeg, TRUE);
    uint8_t row[4 * SIDE];
    for (size_t i = 0; i < (size_t)components * SIDE; i++) {
        row[i] = flat.colour[i % (size_t)components];
    }
    while (jpeg.next_scanline < SIDE) {
        JSAMPROW rows[] = {row};
        jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return bytes;
}

static uint8_t *flat_jpeg(J_COLOR_SPACE space, int components, const uint8_t *colour,
                          int adobe_marker, unsigned long *size) {
    return flat_jpeg_as((FlatJpeg){.space = space,
                                   .components = components,
                                   .colour = colour,
                                   .adobe_marker = adobe_marker},
                        size);
}

static uint8_t grey_of_flat(J_COLOR_SPACE space, int components, const uint8_t *colour,
                            int adobe_marker) {
    unsigned long size = 0;
    uint8_t *bytes = flat_jpeg(space, components, colour, adobe_marker, &size);
    Image image;
    assert_ok(image_decode("flat.jpg", bytes, size, &image));
    const uint8_t grey = image.pixels[0];
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(image.pixels[i], grey);
    }
    image_free(&image);
    free(bytes);
    return grey;
}

/* Y = 255, Cb = 128, Cr = 255 decodes to R = 255 (cut), G = 255 − 0.71414·127 = 164, B = 255:
 * grey (9798·255 + 19235·164 + 3735·255 + 16384) / 32768 = 202, where the file's own luma says 255.
 */
TEST(grey_is_of_the_decoded_colours) {
    assert_int_equal(grey_of_flat(JCS_YCbCr, 3, (const uint8_t[]){255, 128, 255}, 0), 202);
}

/* Inks of 0, 128, 255, 0 of 255: R = 255, G = 127, B = 0, grey 151; with black 128 the colours are
 * 255·127/255 = 127, 127·127/255 = 63, 0: grey 75. Adobe's files hold 255 − ink. */
TEST(inks_are_turned_to_grey) {
    assert_int_equal(grey_of_flat(JCS_CMYK, 4, (const uint8_t[]){0, 128, 255, 0}, 0), 151);
    assert_int_equal(grey_of_flat(JCS_CMYK, 4, (const uint8_t[]){255, 127, 0, 255}, 1), 151);
    assert_int_equal(grey_of_flat(JCS_CMYK, 4, (const uint8_t[]){0, 128, 255, 128}, 0), 75);
    assert_int_equal(grey_of_flat(JCS_CMYK, 4, (const uint8_t[]){255, 127, 0, 127}, 1), 75);
}

TEST(ycck_is_read) {
    /* No colour, so Y is inverted ink: light 100 of 255 with no black. */
    assert_int_equal(grey_of_flat(JCS_YCCK, 4, (const uint8_t[]){155, 128, 128, 255}, 1), 100);
}

static void assert_refused_as_truncated(const uint8_t *bytes, size_t cut) {
    Image image;
    /* Libraries differ in what they call a file that ends before its first scan. */
    assert_refused(image_decode("cut.jpg", bytes, cut, &image), STATUS_FILE, "cut.jpg", "JPEG");
    assert_null(image.pixels);
}

/* Without the two bytes of its end marker a file has all its pixels; any other has not. */
static void assert_only_the_end_may_be_cut(const uint8_t *bytes, size_t size) {
    enum { END_SIZE = 2 };
    RELEASED_BY(image_free) Image whole;
    Image image;
    assert_ok(image_decode("whole.jpg", bytes, size, &whole));
    for (size_t cut = 3; cut < size - END_SIZE; cut++) {
        assert_refused_as_truncated(bytes, cut);
    }
    for (size_t cut = size - END_SIZE; cut < size; cut++) {
        assert_warned("cut.jpg", bytes, cut, &image,
                      "warning: cut.jpg: the JPEG has all its pixels, but no end (EOI)\n");
        assert_int_equal(image_hash(&image), image_hash(&whole));
        image_free(&image);
    }
}

TEST(every_cut_but_that_of_the_end_is_refused) {
    static const char *const names[] = {"rgb.jpg", "rgb_progressive.jpg", "grey.jpg"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size = 0;
        uint8_t *bytes = committed_file(names[i], &size);
        assert_only_the_end_may_be_cut(bytes, size);
        free(bytes);
    }
}

/* Components one after the other: a file that ends behind the first has a whole scan. So has one
 * with arithmetic coding that ends anywhere, as far as libjpeg can see. */
TEST(scans_that_are_missing_are_seen) {
    static const jpeg_scan_info scans[] = {
        {.comps_in_scan = 1, .component_index = {0}, .Se = DCTSIZE2 - 1},
        {.comps_in_scan = 2, .component_index = {1, 2}, .Se = DCTSIZE2 - 1}};
    static const uint8_t colour[] = {200, 90, 30};
    unsigned long size = 0;
    uint8_t *bytes = flat_jpeg_as(
        (FlatJpeg){.space = JCS_YCbCr, .components = 3, .colour = colour, .scans = scans}, &size);
    assert_only_the_end_may_be_cut(bytes, size);
    free(bytes);
    bytes = flat_jpeg_as(
        (FlatJpeg){.space = JCS_YCbCr, .components = 3, .colour = colour, .arithmetic = true},
        &size);
    for (size_t cut = 3; cut < size; cut++) {
        assert_refused_as_truncated(bytes, cut);
    }
    free(bytes);
}

/* Where the frame's header is: baseline 0xc0, progressive 0xc2. */
static size_t frame_header(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i + 9 < size; i++) {
        if (bytes[i] == 0xff && (bytes[i + 1] == 0xc0 || bytes[i + 1] == 0xc2)) {
            return i;
        }
    }
    fail_msg("no frame header");
    return 0;
}

/* With as many bytes as the sides are plausible for. */
static Status decode_forged(const char *name, unsigned width, unsigned height, size_t padding,
                            Image *image) {
    size_t size = 0;
    uint8_t *bytes = committed_file(name, &size);
    const size_t header = frame_header(bytes, size);
    bytes[header + 5] = (uint8_t)(height >> 8);
    bytes[header + 6] = (uint8_t)height;
    bytes[header + 7] = (uint8_t)(width >> 8);
    bytes[header + 8] = (uint8_t)width;
    memset(bytes + size, 0, padding);
    const Status status = image_decode("forged.jpg", bytes, size + padding, image);
    free(bytes);
    return status;
}

static Status decode_with_sides(unsigned width, unsigned height, Image *image) {
    return decode_forged("rgb.jpg", width, height, 0, image);
}

/* 4000×4000 pixels are 16 MB; the coefficients of three components in several scans are 96 MB more,
 * 91.6 MiB, and 50 MB are free. One scan needs none of them, and here too few bytes are behind it.
 */
TEST(coefficients_that_memory_has_no_room_for_are_a_skip) {
    enum { SIDES = 4000, PADDING = SIDES * SIDES / 1024 };
    struct rlimit before;
    Image image;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    const struct rlimit limit = {process_memory(MEMORY_DATA) + 50000000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
    const Status several = decode_forged("rgb_progressive.jpg", SIDES, SIDES, PADDING, &image);
    const Status one = decode_forged("rgb.jpg", SIDES, SIDES, PADDING, &image);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    assert_refused(several, STATUS_SKIP, "forged.jpg needs 91.6 MiB of memory, ", " MiB free");
    assert_refused(one, STATUS_FILE, "forged.jpg", "damaged JPEG");
}

TEST(forged_sides_are_refused) {
    Image image;
    assert_refused(decode_with_sides(0, 8, &image), STATUS_FILE, "forged.jpg", "JPEG");
    assert_refused(decode_with_sides(16, 0, &image), STATUS_FILE, "forged.jpg", "JPEG");
    assert_refused(decode_with_sides(65000, 65000, &image), STATUS_FILE, "forged.jpg", "more than");
    assert_refused(decode_with_sides(160, 80, &image), STATUS_FILE, "forged.jpg", "JPEG");
}

/* What no damage is: kinds of JPEG that the library does not know. */
TEST(kinds_that_are_not_read_are_named) {
    static const struct {
        uint8_t frame, precision;
        const char *name;
    } cases[] = {
#if !defined LIBJPEG_TURBO_VERSION_NUMBER || LIBJPEG_TURBO_VERSION_NUMBER < 3000000
        {0xc3, 8, "is a lossless JPEG"},
#endif
        {0xc5, 8, "is a hierarchical JPEG"},
        {0xc7, 8, "is a hierarchical lossless JPEG"},
        {0xcb, 8, "is a lossless JPEG with arithmetic coding"},
        {0xcf, 8, "is a hierarchical lossless JPEG with arithmetic coding"},
        {0xde, 8, "is a hierarchical JPEG"},
        {0xf7, 8, "is a JPEG-LS image"},
        {0xc1, 12, "is a JPEG with 12 bits a sample"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 0;
        uint8_t *bytes = committed_file("rgb.jpg", &size);
        const size_t header = frame_header(bytes, size);
        bytes[header + 1] = cases[i].frame;
        bytes[header + 4] = cases[i].precision;
        Image image;
        assert_refused(image_decode("other.jpg", bytes, size, &image), STATUS_FILE, "other.jpg: is",
                       cases[i].name);
        free(bytes);
    }
}

/* A scan names its tables by numbers below 4. */
TEST(forged_table_numbers_are_refused) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey.jpg", &size);
    size_t scan = 0;
    while (scan + 6 < size && (bytes[scan] != 0xff || bytes[scan + 1] != 0xda)) {
        scan++;
    }
    assert_true(scan + 6 < size);
    bytes[scan + 6] = 0xbb;
    Image image;
    assert_refused(image_decode("forged.jpg", bytes, size, &image), STATUS_FILE, "forged.jpg",
                   "JPEG");
    free(bytes);
}

TEST(trailing_bytes_are_ignored) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey.jpg", &size);
    memset(bytes + size, 'x', 100);
    Image image;
    assert_ok(image_decode("long.jpg", bytes, size + 100, &image));
    image_free(&image);
    free(bytes);
}

typedef struct PlainErrors {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
} PlainErrors;

static _Noreturn void leave(j_common_ptr jpeg) {
    longjmp(((PlainErrors *)jpeg->err)->escape, 1);
}

/* Whether libjpeg by itself decodes this: older ones do not know the standard's Huffman tables. */
static bool library_decodes(const uint8_t *bytes, unsigned long size) {
    struct jpeg_decompress_struct jpeg;
    PlainErrors errors;
    volatile bool decodes = false;
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    jpeg_create_decompress(&jpeg);
    if (setjmp(errors.escape) == 0) {
        jpeg_mem_src(&jpeg, (unsigned char *)bytes, size);
        jpeg_read_header(&jpeg, TRUE);
        jpeg_start_decompress(&jpeg);
        decodes = true;
    }
    jpeg_destroy_decompress(&jpeg);
    return decodes;
}

/* As in frames of Motion JPEG, which viewers show with the standard's tables. */
TEST(missing_tables_are_named) {
    static const uint8_t colour[] = {90};
    unsigned long size = 0;
    uint8_t *bytes = flat_jpeg(JCS_GRAYSCALE, 1, colour, 0, &size);
    Image image;
    for (size_t i = 0; i + 1 < size; i++) {
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc4) {
            bytes[i + 1] = 0xfe; /* a comment */
        }
    }
    if (library_decodes(bytes, size)) {
        assert_warned("bare.jpg", bytes, size, &image,
                      "warning: bare.jpg: the JPEG has no Huffman tables; the standard's examples "
                      "are taken, as in frames of Motion JPEG\n");
        uint8_t want[SIDE * SIDE];
        memset(want, 90, sizeof want);
        assert_pixels(&image, SIDE, SIDE, want);
        image_free(&image);
    } else {
        assert_refused(image_decode("bare.jpg", bytes, size, &image), STATUS_FILE, "bare.jpg",
                       "Huffman table");
    }
    free(bytes);
}
