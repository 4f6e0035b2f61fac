/* Images in pixels of another type than 8 bits: levels, numbers, and what is refused. */
#include <math.h>
#include <zlib.h>

#include "element_names.h"
#include "elements.h"
#include "fixtures.h"
#include "test.h"

/* An array in memory; the text of a literal has its NUL besides. */
#define READ(text, element, image)                                                                 \
    image_decode_elements("some.file", (const uint8_t *)(text), sizeof(text) - 1, element, 0, 0,   \
                          image)

static Status decode(const void *bytes, size_t size, OutputKind element, Image *image) {
    return image_decode_elements("some.file", bytes, size, element, 0, 0, image);
}

/* Compares the pixels with those at `want`, of the element's type. */
static void assert_elements(Image *image, int32_t width, int32_t height, OutputKind element,
                            const void *want) {
    const size_t size = output_element_size(element);
    assert_int_equal(image->width, width);
    assert_int_equal(image->height, height);
    assert_int_equal(image->stride, (size_t)width * size);
    assert_memory_equal(image->pixels, want, (size_t)width * (size_t)height * size);
    image_free(image);
}

#define U16(...) ((const uint16_t[]){__VA_ARGS__})
#define I32(...) ((const int32_t[]){__VA_ARGS__})
#define F32(...) ((const float[]){__VA_ARGS__})
#define F64(...) ((const double[]){__VA_ARGS__})

/* === Levels =================================================================================== */

static const char grey16[] = "P5\n3 1\n65535\n\x12\x34\x00\x01\xff\xff";

TEST(levels_of_16_bits_are_whole) {
    Image image;
    assert_ok(READ(grey16, OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U16, U16(0x1234, 1, 65535));
    assert_ok(READ(grey16, OUTPUT_ARRAY_F32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F32, F32(4660 / 65535.0F, 1 / 65535.0F, 1));
    assert_ok(READ(grey16, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F64, F64(4660 / 65535.0, 1 / 65535.0, 1));
}

TEST(whole_numbers_of_more_bits_have_them_as_they_stand) {
    Image image;
    assert_ok(READ(grey16, OUTPUT_ARRAY_I32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_I32, I32(0x1234, 1, 65535));
    assert_ok(READ(grey16, OUTPUT_ARRAY_U32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U32, I32(0x1234, 1, 65535));
    assert_ok(READ(grey16, OUTPUT_ARRAY_I64, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_I64, ((const int64_t[]){0x1234, 1, 65535}));
    assert_ok(READ(grey16, OUTPUT_ARRAY_U64, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U64, ((const int64_t[]){0x1234, 1, 65535}));
}

/* As every algorithm of 8 bits has them: 0x1234·255/65535 = 18.1. */
TEST(of_8_bits_they_are_rounded) {
    Image image;
    assert_ok(READ(grey16, OUTPUT_ARRAY_U8, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U8, "\x12\x00\xff");
}

TEST(levels_of_8_bits_reach_white) {
    Image image;
    assert_ok(READ("P5\n3 1\n255\n\x01\x80\xff", OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U16, U16(257, 128 * 257, 65535));
    assert_ok(READ("P5\n3 1\n255\n\x01\x80\xff", OUTPUT_ARRAY_F32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F32, F32(1 / 255.0F, 128 / 255.0F, 1));
    assert_ok(READ("P1 2 1 01", OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_U16, U16(65535, 0));
}

/* A camera's 12 bits: 4095 is white, 1000·65535/4095 = 16003.7. */
TEST(other_maxima_are_white_as_well) {
    Image image;
    assert_ok(READ("P2 3 1 4095 0 1000 4095", OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U16, U16(0, 16004, 65535));
    assert_ok(READ("P2 3 1 4095 0 1000 4095", OUTPUT_ARRAY_F32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F32, F32(0, 1000 / 4095.0F, 1));
    assert_ok(READ("P2 2 1 100 50 100", OUTPUT_ARRAY_F32, &image)); /* not 128 / 255 */
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_F32, F32(0.5F, 1));
}

/* (9798·60000 + 19235·30000 + 3735·1000 + 16384) / 32768 = 35665.3. */
TEST(colours_of_16_bits_become_grey) {
    Image image;
    assert_ok(READ("P3 2 1 65535 60000 30000 1000 65535 65535 65535", OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_U16, U16(35665, 65535));
}

static void check_committed(const char *name, int32_t width, int32_t height, size_t count,
                            const uint16_t *first) {
    size_t size;
    Image image;
    uint8_t *bytes = committed_file(name, &size);
    assert_ok(decode(bytes, size, OUTPUT_ARRAY_U16, &image));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_memory_equal(image.pixels, first, count * sizeof *first);
    image_free(&image);
    free(bytes);
}

/* make.py has their samples; the second pixel of rgb16.png is (10280, 0, 5140), 3660.2 as grey. */
TEST(png_has_16_bits) {
    check_committed("grey16.png", 7, 1, 7, U16(0, 0x80, 0x81, 0xff, 0x7fff, 0xfeff, 0xffff));
    check_committed("rgb16.png", 7, 5, 3, U16(0, 3660, 7319));
    check_committed("alpha_flat.png", 7, 5, 2, U16(7, 7));
}

static void put_chunk(uint8_t **at, const char *name, const void *bytes, size_t size) {
    const uint8_t length[4] = {0, 0, 0, (uint8_t)size};
    uint8_t *begin = *at;
    memcpy(begin, length, 4);
    memcpy(begin + 4, name, 4);
    memcpy(begin + 8, bytes, size);
    const uLong sum = crc32(0, begin + 4, (uInt)(size + 4));
    for (int i = 0; i < 4; i++) {
        begin[8 + size + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
    }
    *at = begin + 12 + size;
}

/* Two rows of grey with alpha, to be turned by 90 degrees to the right. */
TEST(png_of_16_bits_is_turned_upright) {
    static const uint8_t header[] = {0, 0, 0, 2, 0, 0, 0, 2, 16, 4, 0, 0, 0};
    static const uint8_t exif[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3,
                                   0,   1,   0,  0, 0, 6, 0, 0, 0, 0, 0,    0, 0};
    static const uint8_t rows[] = {0, 0x01, 0x02, 9, 9, 0x03, 0x04, 9, 9,
                                   0, 0x05, 0x06, 9, 9, 0x07, 0x08, 9, 9};
    uint8_t packed[64], file[256] = "\x89PNG\r\n\x1a\n";
    uLongf size = sizeof packed;
    uint8_t *end = file + 8;
    Image image;
    assert_int_equal(compress(packed, &size, rows, sizeof rows), Z_OK);
    put_chunk(&end, "IHDR", header, sizeof header);
    put_chunk(&end, "eXIf", exif, sizeof exif);
    put_chunk(&end, "IDAT", packed, size);
    put_chunk(&end, "IEND", "", 0);
    assert_ok(decode(file, (size_t)(end - file), OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 2, 2, OUTPUT_ARRAY_U16, U16(0x506, 0x102, 0x708, 0x304));
    assert_refused(decode(file, (size_t)(end - file) - 40, OUTPUT_ARRAY_U16, &image), STATUS_FILE,
                   "some.file: damaged PNG", "truncated");
    assert_null(image.pixels);
}

/* === Levels at another size =================================================================== */

static void check_scaled(const char *text, size_t size, int32_t width, int32_t height,
                         const uint16_t *want) {
    Image image;
    assert_ok(image_decode_elements("some.pgm", (const uint8_t *)text, size, OUTPUT_ARRAY_U16,
                                    width, height, &image));
    assert_elements(&image, width, height, OUTPUT_ARRAY_U16, want);
}

#define CHECK_SCALED(text, width, height, ...)                                                     \
    check_scaled(text, sizeof(text) - 1, width, height, U16(__VA_ARGS__))

/* As with 8 bits: areas on average, the centres of two pixels weighed by 1/4 and 3/4. */
TEST(levels_of_16_bits_are_scaled_in_16_bits) {
    CHECK_SCALED("P2 2 2 65535 1000 2000 3000 4101", 1, 1, 2525); /* 2525.25 */
    CHECK_SCALED("P2 5 1 65535 0 1000 2000 3000 4000", 2, 1, 800, 3200);
    CHECK_SCALED("P2 2 1 65535 0 60000", 4, 1, 0, 15000, 45000, 60000);
    CHECK_SCALED("P2 1 2 65535 0 60000", 1, 4, 0, 15000, 45000, 60000);
    CHECK_SCALED("P2 2 2 65535 0 400 800 1200", 4, 1, 400, 500, 700, 800);
    /* 8 bits are scaled in 8 bits: 10, 20, 30 and 41 are 25 on average. */
    CHECK_SCALED("P2 2 2 255 10 20 30 41", 1, 1, 25 * 257);
}

/* === Numbers ================================================================================== */

enum { FILE_SIZE = 512 };

/* A file as numpy.save writes it; its bytes. */
static size_t make_npy(uint8_t file[FILE_SIZE], const char *type, const char *shape,
                       const void *numbers, size_t size) {
    char head[128];
    const int length = snprintf(
        head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", type, shape);
    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (uint8_t)length;
    file[9] = 0;
    memcpy(file + 10, head, (size_t)length);
    memcpy(file + 10 + length, numbers, size);
    return 10 + (size_t)length + size;
}

static Status read_npy(const char *type, const char *shape, const void *numbers, size_t size,
                       OutputKind element, Image *image) {
    uint8_t file[FILE_SIZE];
    return decode(file, make_npy(file, type, shape, numbers, size), element, image);
}

TEST(pfm_has_its_last_row_first) {
    static const char little[] = "Pf\n1 2\n-1.0\n\x00\x00\x00\x3f\x00\x00\xc0\xc0";
    static const char big[] = "Pf 1 2 2.5\n\x3f\x00\x00\x00\xc0\xc0\x00\x00";
    Image image;
    assert_ok(READ(little, OUTPUT_ARRAY_F32, &image));
    assert_elements(&image, 1, 2, OUTPUT_ARRAY_F32, F32(-6, 0.5F));
    assert_ok(READ(big, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 1, 2, OUTPUT_ARRAY_F64, F64(-6, 0.5));
}

TEST(npy_has_numbers_of_eight_types) {
    static const struct {
        const char *type;
        OutputKind kind;
    } types[] = {{"|u1", OUTPUT_ARRAY_U8},  {"<u2", OUTPUT_ARRAY_U16}, {"<u4", OUTPUT_ARRAY_U32},
                 {"<u8", OUTPUT_ARRAY_U64}, {"<i4", OUTPUT_ARRAY_I32}, {"<i8", OUTPUT_ARRAY_I64},
                 {"<f4", OUTPUT_ARRAY_F32}, {"<f8", OUTPUT_ARRAY_F64}};
    uint8_t numbers[6 * 8];
    for (size_t i = 0; i < sizeof numbers; i++) {
        numbers[i] = (uint8_t)(i * 5 + 1); /* no NaN */
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const size_t size = 6 * output_element_size(types[i].kind);
        Image image;
        assert_ok(read_npy(types[i].type, "(2, 3)", numbers, size, types[i].kind, &image));
        assert_elements(&image, 3, 2, types[i].kind, numbers);
    }
}

TEST(npy_may_have_the_highest_byte_first) {
    Image image;
    assert_ok(read_npy(">u2", "(1, 2)", "\x12\x34\x56\x78", 4, OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_U16, U16(0x1234, 0x5678));
    assert_ok(
        read_npy(">f8", "(1,)", "\x3f\xf8\x00\x00\x00\x00\x00\x00", 8, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 1, 1, OUTPUT_ARRAY_F64, F64(1.5));
}

/* More than a side of an image can be. */
TEST(an_array_of_one_dimension_is_a_row_of_any_length) {
    enum { COUNT = IMAGE_SIDE_MAX + 7 };
    uint8_t *file = calloc(COUNT + FILE_SIZE, 1);
    char shape[32];
    Image image;
    snprintf(shape, sizeof shape, "(%d,)", COUNT);
    const size_t size = make_npy(file, "|u1", shape, "", 0) + COUNT;
    file[size - 1] = 200;
    assert_ok(decode(file, size, OUTPUT_ARRAY_U8, &image));
    assert_int_equal(image.width, COUNT);
    assert_int_equal(image.height, 1);
    assert_int_equal(image.pixels[COUNT - 1], 200);
    image_free(&image);
    assert_refused(image_decode("some.npy", file, size, &image), STATUS_FILE, "some.npy",
                   "a side is at most 1048576");
    free(file);
}

/* Numbers stay what they are, in any type that has them. */
TEST(numbers_are_taken_where_the_type_has_them) {
    const float reals[] = {0, -2, 16777216};
    const int64_t wholes[] = {INT64_MIN, 0, INT64_C(1) << 53};
    Image image;
    assert_ok(read_npy("<f4", "(3,)", reals, sizeof reals, OUTPUT_ARRAY_I32, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_I32, I32(0, -2, 16777216));
    assert_ok(read_npy("<f4", "(3,)", reals, sizeof reals, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F64, F64(0, -2, 16777216));
    assert_ok(read_npy("<i8", "(3,)", wholes, sizeof wholes, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_F64, F64(-0x1p63, 0, 0x1p53));
    assert_ok(read_npy("<u2", "(2,)", "\x07\x00\xff\x00", 4, OUTPUT_ARRAY_U8, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_U8, "\x07\xff");
    assert_ok(read_npy("<u2", "(2,)", "\x07\x00\xff\x00", 4, OUTPUT_ARRAY_F32, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_F32, F32(7, 255)); /* no levels */
}

static void check_none(const char *type, const void *number, size_t size, OutputKind element,
                       const char *text) {
    uint8_t two[16] = {0};
    char said[128];
    Image image;
    memcpy(two + size, number, size);
    snprintf(said, sizeof said, "of which %s (column 1, row 0) is no %s", text,
             element_name(element));
    assert_refused(read_npy(type, "(2,)", two, 2 * size, element, &image), STATUS_FILE, said,
                   "numbers are taken as they are");
    assert_null(image.pixels);
}

#define CHECK_NONE(name, type, number, element, text)                                              \
    check_none(name, &(type){number}, sizeof(type), element, text)

TEST(a_number_that_the_type_has_not_is_refused) {
    CHECK_NONE("<u2", uint16_t, 256, OUTPUT_ARRAY_U8, "256");
    CHECK_NONE("<i4", int32_t, -1, OUTPUT_ARRAY_U8, "-1");
    CHECK_NONE("<i4", int32_t, 65536, OUTPUT_ARRAY_U16, "65536");
    CHECK_NONE("<i4", int32_t, 16777217, OUTPUT_ARRAY_F32, "16777217");
    CHECK_NONE("<i4", int32_t, -5, OUTPUT_ARRAY_U64, "-5");
    CHECK_NONE("<u4", uint32_t, 2147483648U, OUTPUT_ARRAY_I32, "2147483648");
    CHECK_NONE("<i8", int64_t, 4294967296, OUTPUT_ARRAY_U32, "4294967296");
    CHECK_NONE("<i8", int64_t, (INT64_C(1) << 53) + 1, OUTPUT_ARRAY_F64, "9007199254740993");
    CHECK_NONE("<u8", uint64_t, UINT64_C(1) << 63, OUTPUT_ARRAY_I64, "9223372036854775808");
    CHECK_NONE("<u8", uint64_t, UINT64_MAX, OUTPUT_ARRAY_F64, "18446744073709551615");
    CHECK_NONE("<f4", float, 0.5F, OUTPUT_ARRAY_U8, "0.5");
    CHECK_NONE("<f8", double, 0.1, OUTPUT_ARRAY_F32, "0.10000000000000001");
    CHECK_NONE("<f8", double, 1e300, OUTPUT_ARRAY_F32, "1.0000000000000001e+300");
    CHECK_NONE("<f8", double, 0x1p64, OUTPUT_ARRAY_U64, "1.8446744073709552e+19");
}

TEST(numbers_that_are_not_finite_are_refused) {
    const float nan[] = {1, 2, NAN, 4};
    const double infinite[] = {1, -INFINITY};
    Image image;
    assert_refused(read_npy("<f4", "(2, 2)", nan, sizeof nan, OUTPUT_ARRAY_F32, &image),
                   STATUS_FILE, "some.file: the number in column 0 of row 1 is NaN",
                   "have to be finite");
    assert_refused(read_npy("<f8", "(2,)", infinite, sizeof infinite, OUTPUT_ARRAY_F32, &image),
                   STATUS_FILE, "column 1 of row 0 is infinite", "finite");
    assert_refused(READ("Pf 1 1 -1\n\x00\x00\xc0\x7f", OUTPUT_ARRAY_F32, &image), STATUS_FILE,
                   "is NaN", "finite");
    assert_null(image.pixels);
}

TEST(numbers_are_not_scaled) {
    uint8_t file[FILE_SIZE];
    RELEASED_BY(image_free) Image image;
    const size_t size = make_npy(file, "|u1", "(1, 2)", "ab", 2);
    assert_refused(image_decode_elements("some.npy", file, size, OUTPUT_ARRAY_U8, 4, 4, &image),
                   STATUS_USAGE, "some.npy: has numbers, which are not scaled from 2x1",
                   "--sizes native would be right");
    assert_null(image.pixels);
    assert_ok(image_decode_elements("some.npy", file, size, OUTPUT_ARRAY_U8, 2, 1, &image));
}

/* 8-bit algorithms read these files as well. */
TEST(numbers_of_8_bits_are_an_image) {
    uint8_t file[FILE_SIZE];
    Image image;
    size_t size = make_npy(file, "|u1", "(2, 1)", "\x07\xc8", 2);
    assert_ok(image_decode("some.npy", file, size, &image));
    assert_pixels(&image, 1, 2, (const uint8_t[]){7, 200});
    image_free(&image);
    size = make_npy(file, "<f4", "(1,)", "\x00\x00\x00\x3f", 4);
    assert_refused(image_decode("some.npy", file, size, &image), STATUS_FILE,
                   "has float32 numbers, of which 0.5", "a file of uint8 would be right");
}

/* === Damaged files ============================================================================ */

TEST(damaged_pfm_is_refused) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"PF 1 1 -1\n000000000000", "is a PFM of three colours; one of grey (Pf) would be right"},
        {"Pf 1", "damaged PFM: its header is cut short"},
        {"Pf 1 1 -1", "damaged PFM: its header is cut short"},
        {"Pf 1 1 -1\n123", "damaged PFM: the file is truncated"},
        {"Pf 1 -1 -1\n1234", "damaged PFM: there is something else where its sides should be"},
        {"Pf 99999999999 1 -1\n1234", "there is something else where its sides should be"},
        {"Pf 1000000 1000000 -1\n1234", "its header gives 1000000x1000000 pixels"},
        {"Pf 0 1 -1\n1234", "its header gives 0x1 pixels"},
        {"Pf 1 1 0\n1234", "damaged PFM: its scale must be a number other than 0"},
        {"Pf 1 1 nan\n1234", "damaged PFM: its scale must be a number other than 0"},
        {"Pf 1 1 one\n1234", "damaged PFM: its scale must be a number other than 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image image;
        assert_refused(decode(cases[i].text, strlen(cases[i].text), OUTPUT_ARRAY_F32, &image),
                       STATUS_FILE, "some.file: ", cases[i].why);
        assert_null(image.pixels);
    }
}

static void check_npy(const char *type, const char *shape, const char *why) {
    Image image;
    assert_refused(read_npy(type, shape, "12345678", 8, OUTPUT_ARRAY_F32, &image), STATUS_FILE,
                   "some.file: ", why);
    assert_null(image.pixels);
}

TEST(npy_of_another_kind_is_refused) {
    check_npy("<f2", "(1,)", "its numbers are of the type '<f2'; uint8, uint16,");
    check_npy("<c8", "(1,)", "its numbers are of the type '<c8'");
    check_npy("|b1", "(1,)", "its numbers are of the type '|b1'");
    check_npy("<U12", "(1,)", "its numbers are of the type '<U12'");
    check_npy("\033[0m", "(1,)", "its numbers are of the type '?'");
    check_npy("", "(1,)", "its numbers are of the type '?'");
    check_npy("<f4", "()", "no shape of one or two numbers");
    check_npy("<f4", "(1, 1, 1)", "no shape of one or two numbers");
    check_npy("<f4", "(-1, 1)", "no shape of one or two numbers");
    check_npy("<f4", "[1, 1]", "damaged NPY: its head has no 'shape'");
    check_npy("<f4", "(0,)", "its header gives 0x1 pixels");
    check_npy("<f4", "(3,)", "damaged NPY: the file is truncated");
    check_npy("<f4", "(2147483647,)", "damaged NPY: the file is truncated");
    check_npy("<f4", "(2147483648,)", "has 2147483648 numbers; 2147483647 are the most");
    check_npy("<f4", "(99999999999,)", "no shape of one or two numbers");
    check_npy("<f4", "(1048576, 1048576)", "pixels; a side is at most");
}

TEST(damaged_npy_is_refused) {
    static const struct {
        const char *head; /* behind the magic bytes */
        size_t size;
        const char *why;
    } cases[] = {
        {"", 0, "damaged NPY: the file is truncated"},
        {"\x01\x00\xff", 3, "damaged NPY: the file is truncated"},
        {"\x01\x00\x20\x00{}", 6, "damaged NPY: the file is truncated"},
        {"\x09\x00\x02\x00\x00\x00{}", 8, "damaged NPY: its version must be 1, 2 or 3"},
        {"\x02\x00\xff\xff\xff\xff{}", 8, "its head is longer than that of an array can be"},
        {"\x02\x00\x02\x00\x00\x00{}", 8, "damaged NPY: its head has no 'descr'"},
        {"\x01\x00\x0e\x00{'descr':'<f4'", 18, "damaged NPY: its head has no 'fortran_order'"},
        {"\x01\x00\x23\x00{'descr':'<f4','fortran_order':True}", 39,
         "its array stands column by column; numpy.ascontiguousarray makes rows of it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t file[FILE_SIZE];
        Image image;
        memcpy(file, "\x93NUMPY", 6);
        memcpy(file + 6, cases[i].head, cases[i].size);
        assert_refused(decode(file, 6 + cases[i].size, OUTPUT_ARRAY_F32, &image), STATUS_FILE,
                       "some.file: ", cases[i].why);
        assert_null(image.pixels);
    }
}

TEST(bytes_behind_the_numbers_are_named) {
    Image image;
    notes_said[0] = '\0';
    image_read_notes(keep_note);
    assert_ok(read_npy("|u1", "(2,)", "abc", 3, OUTPUT_ARRAY_U8, &image));
    image_free(&image);
    assert_ok(READ("Pf 1 1 1\n0000..", OUTPUT_ARRAY_F32, &image));
    image_free(&image);
    image_read_notes(NULL);
    assert_says(notes_said, "1 byte follows the samples of the NPY");
    assert_says(notes_said, "2 bytes follow the samples of the PFM");
}

/* === Files ==================================================================================== */

TEST(files_are_told_by_their_contents) {
    char path[] = "/tmp/bench-elements-XXXXXX";
    uint8_t file[FILE_SIZE];
    Image image;
    int32_t width = 0, height = 0;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_file(path, file, make_npy(file, "<u2", "(1, 2)", "\x01\x02\x03\x04", 4));
    assert_true(image_has_numbers(path) && image_is_at(path));
    assert_ok(image_read_size(path, &width, &height));
    assert_true(width == 2 && height == 1);
    assert_ok(image_read_elements(path, OUTPUT_ARRAY_U16, 2, 1, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_U16, U16(0x201, 0x403));
    write_file(path, grey16, sizeof grey16 - 1);
    assert_false(image_has_numbers(path));
    assert_ok(image_read_elements(path, OUTPUT_ARRAY_U16, 0, 0, &image));
    assert_elements(&image, 3, 1, OUTPUT_ARRAY_U16, U16(0x1234, 1, 65535));
    assert_int_equal(unlink(path), 0);
    assert_false(image_has_numbers(path));
    assert_refused(image_read_elements(path, OUTPUT_ARRAY_U16, 0, 0, &image), STATUS_FILE, path,
                   "cannot open");
}

/* === Synthetic images ========================================================================= */

enum { SIDE = 128 };

/* How many of 256 values a byte has, that stands `shift` bits up in each of so many levels. */
static size_t values_of_byte(const uint32_t *levels, size_t count, unsigned shift) {
    bool has[256] = {false};
    size_t values = 0;
    for (size_t i = 0; i < count; i++) {
        bool *value = &has[levels[i] >> shift & 0xff];
        values += !*value;
        *value = true;
    }
    return values;
}

/* Their upper 8 bits are the image of 8 bits, of a ramp to a level; of `fine` kinds what is below
 * has all values that there is room for. */
static void check_synthetic(const char *kind, bool fine) {
    static uint32_t whole[SIDE * SIDE];
    Image plain, deep, real;
    float least = 1, most = 0;
    assert_ok(synthetic_image(kind, SIDE, SIDE, 3, &plain));
    assert_ok(synthetic_elements(kind, SIDE, SIDE, 3, 0, OUTPUT_ARRAY_U16, &deep));
    assert_ok(synthetic_elements(kind, SIDE, SIDE, 3, 0, OUTPUT_ARRAY_F32, &real));
    const uint16_t *levels = (const void *)deep.pixels;
    const float *reals = (const void *)real.pixels;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const int upper = levels[i] >> 8, is = plain.pixels[i];
        assert_true(upper == is || (strcmp(kind, "ramp") == 0 && abs(upper - is) <= 1));
        assert_true(fabsf(reals[i] - (float)levels[i] / 65535) < 2e-5F);
        assert_true(fine || levels[i] == is * 257);
        whole[i] = levels[i];
        least = fminf(least, reals[i]);
        most = fmaxf(most, reals[i]);
    }
    const size_t least_values = strcmp(kind, "ramp") == 0 ? SIDE / 2 : 256;
    assert_true(!fine || values_of_byte(whole, SIDE * SIDE, 0) >= least_values);
    assert_true(least >= 0 && most <= 1);
    image_free(&plain);
    image_free(&deep);
    image_free(&real);
}

TEST(synthetic_images_have_all_levels) {
    check_synthetic("texture", true);
    check_synthetic("noise", true);
    check_synthetic("ramp", true);
    check_synthetic("flat", false);
    check_synthetic("checker", false);
    check_synthetic("cantor", false);
}

/* All 24 of float32, and 32 of float64. */
TEST(floats_have_more_than_16_bits) {
    static uint32_t levels[SIDE * SIDE];
    Image real, wide;
    assert_ok(synthetic_elements("noise", SIDE, SIDE, 1, 0, OUTPUT_ARRAY_F32, &real));
    assert_ok(synthetic_elements("noise", SIDE, SIDE, 1, 0, OUTPUT_ARRAY_F64, &wide));
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const double level = ((const double *)(const void *)wide.pixels)[i];
        levels[i] = (uint32_t)(level * UINT32_MAX + 0.5);
        assert_true(((const float *)(const void *)real.pixels)[i] == (float)level);
    }
    assert_int_equal(values_of_byte(levels, SIDE * SIDE, 8), 256);
    assert_int_equal(values_of_byte(levels, SIDE * SIDE, 0), 256);
    image_free(&real);
    image_free(&wide);
}

TEST(ends_of_a_ramp_are_black_and_white) {
    Image image;
    assert_ok(synthetic_elements("ramp", 5, 1, 1, 0, OUTPUT_ARRAY_U16, &image));
    assert_elements(&image, 5, 1, OUTPUT_ARRAY_U16, U16(0, 0x4000, 0x8000, 0xbfff, 0xffff));
    assert_ok(synthetic_elements("ramp", 2, 1, 1, 0, OUTPUT_ARRAY_F64, &image));
    assert_elements(&image, 2, 1, OUTPUT_ARRAY_F64, F64(0, 1));
    assert_ok(synthetic_elements("checker", 9, 1, 1, 0, OUTPUT_ARRAY_I32, &image));
    assert_elements(&image, 9, 1, OUTPUT_ARRAY_I32, I32(0, 0, 0, 0, 0, 0, 0, 0, 255));
    assert_int_equal(synthetic_elements("none", 2, 1, 1, 0, OUTPUT_ARRAY_F64, &image).code,
                     STATUS_USAGE);
}
