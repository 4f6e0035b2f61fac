/* Images that lie in their files: which do, that their pixels are those that reading gives, and raw
 * files. */
#include "fixtures.h"
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>

ALL_TESTS(fixture_setup, fixture_teardown);

static void assert_mapped(const char *path, int32_t width, int32_t height, const char *pixels) {
    Image mapped;
    Image read;
    assert_ok(image_map(path, &mapped));
    assert_true(image_is_mapped(&mapped));
    assert_int_equal(mapped.width, width);
    assert_int_equal(mapped.height, height);
    assert_int_equal(mapped.stride, width);
    assert_memory_equal(mapped.pixels, pixels, (size_t)width * (size_t)height);
    assert_ok(image_read(path, &read));
    assert_false(image_is_mapped(&read));
    assert_memory_equal(read.pixels, pixels, (size_t)width * (size_t)height);
    assert_true(image_hash(&mapped) == image_hash(&read));
    image_free(&read);
    image_free(&mapped);
    assert_null(mapped.pixels);
}

TEST(a_pgm) {
    const char *path = fixture_path(test_state, "image.pgm");
    write_file(path, "P5 3 2 255\nabcdef", 17);
    assert_mapped(path, 3, 2, "abcdef");
    write_file(path, "P5\n# a comment 9 9\n3 2\n255\nabcdefand more", 41);
    assert_mapped(path, 3, 2, "abcdef");
}

TEST(what_needs_conversion) {
    static const char *const files[] = {"P5 3 2 254\nabcdef", "P2 1 1 255 7", "P4 8 1\na",
                                        "P6 1 1 255\nabc", "P5 1 1 65535\nab"};
    const char *path = fixture_path(test_state, "image.pgm");
    Image image;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_file(path, files[i], strlen(files[i]));
        assert_int_equal(image_map(path, &image).code, STATUS_SKIP);
        assert_null(image.pixels);
    }
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    write_file(path, bytes, size);
    free(bytes);
    assert_int_equal(image_map(path, &image).code, STATUS_SKIP);
}

TEST(a_truncated_pgm) {
    const char *path = fixture_path(test_state, "image.pgm");
    Image image;
    write_file(path, "P5 3 2 255\nabcde", 16);
    assert_refused(image_map(path, &image), STATUS_FILE, path, "truncated");
    assert_null(image.pixels);
}

TEST(a_raw_file) {
    const char *path = fixture_path(test_state, "scan.3x2.raw");
    write_file(path, "abcdef", 6);
    assert_mapped(path, 3, 2, "abcdef");
    int32_t width = 0;
    int32_t height = 0;
    assert_ok(image_read_size(path, &width, &height));
    assert_int_equal(width, 3);
    assert_int_equal(height, 2);
    /* Its contents are no other format, whatever they begin with. */
    path = fixture_path(test_state, "P5.12X1.RAW");
    write_file(path, "P5 1 1 255\nab", 13 - 1);
    assert_mapped(path, 12, 1, "P5 1 1 255\na");
}

static void assert_raw_refused(Fixture *fixture, const char *name, const char *words) {
    const char *path = fixture_path(fixture, name);
    Image image;
    write_file(path, "abcdef", 6);
    assert_refused(image_map(path, &image), STATUS_FILE, path, words);
    assert_refused(image_read(path, &image), STATUS_FILE, path, words);
}

TEST(raw_files_that_are_refused) {
    assert_raw_refused(test_state, "scan.raw", "NAME.WIDTHxHEIGHT.raw");
    assert_raw_refused(test_state, "scan.3x.raw", "NAME.WIDTHxHEIGHT.raw");
    assert_raw_refused(test_state, "scan.x2.raw", "NAME.WIDTHxHEIGHT.raw");
    assert_raw_refused(test_state, "scan3x2.raw", "NAME.WIDTHxHEIGHT.raw");
    assert_raw_refused(test_state, "scan.3x3.raw", "has 6 bytes; 3x3 pixels of a byte each are 9");
    assert_raw_refused(test_state, "scan.2x2.raw", "has 6 bytes; 2x2 pixels of a byte each are 4");
    assert_raw_refused(test_state, "scan.0x6.raw", "at least 1");
    assert_raw_refused(test_state, "scan.2000000x1.raw", "at most 1048576");
    assert_raw_refused(test_state, "scan.99999999999x1.raw", "NAME.WIDTHxHEIGHT.raw");
}

/* 2^16 bytes are what is read of a file at first. */
TEST(a_raw_file_longer_than_its_beginning) {
    const char *path = fixture_path(test_state, "scan.256x256.raw");
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    Image image;
    assert_int_equal(ftruncate(file, 65537), 0);
    close(file);
    assert_refused(image_map(path, &image), STATUS_FILE, path, "has 65537 bytes");
    int32_t width = 0;
    int32_t height = 0;
    assert_refused(image_read_size(path, &width, &height), STATUS_FILE, path, "has 65537 bytes");
}

TEST(more_than_memory_holds) {
    const char *path = fixture_path(test_state, "huge.1048576x40000.raw");
    const off_t bytes = (off_t)1048576 * 40000;
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    RELEASED_BY(image_free) Image image;
    assert_int_equal(ftruncate(file, bytes), 0);
    assert_int_equal(pwrite(file, "\7", 1, bytes - 2), 1);
    close(file);
    assert_ok(image_map(path, &image));
    assert_int_equal(image_row(&image, 39999)[1048574], 7);
    assert_int_equal(image_row(&image, 39999)[1048575], 0);
}
