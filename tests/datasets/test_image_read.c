#include "fixtures.h"
#include "test.h"

#include <sys/stat.h>

#include "needs.h"

ALL_TESTS(fixture_setup, fixture_teardown);

static void assert_not_read(const char *path, const char *word) {
    Image image;
    assert_refused(image_read(path, &image), STATUS_FILE, path, word);
    assert_null(image.pixels);
    int32_t width = 0;
    int32_t height = 0;
    assert_refused(image_read_size(path, &width, &height), STATUS_FILE, path, word);
}

TEST(a_missing_file) {
    assert_not_read(fixture_path(test_state, "none.png"), "No such file");
}

TEST(an_empty_file) {
    const char *path = fixture_path(test_state, "empty.png");
    write_file(path, "", 0);
    assert_not_read(path, "empty");
}

TEST(something_else) {
    const char *path = fixture_path(test_state, "text.png");
    write_file(path, "This is a letter.", 17);
    assert_not_read(path, "not an image");
    write_file(path, "P", 1);
    assert_not_read(path, "not an image");
}

/* By their first bytes, whatever they are called. */
TEST(other_formats_are_named) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *name;
    } cases[] = {
        {"GIF89a\1\0\1\0", 10, "is a GIF image"},
        {"BM\x1e\0\0\0\0\0\0\0\x1a", 11, "is a BMP image"},
        {"RIFF\x24\0\0\0WEBPVP8L", 16, "is a WebP image"},
        {"II*\0\x08\0\0\0", 8, "is a TIFF image"},
        {"MM\0*\0\0\0\x08", 8, "is a TIFF image"},
        {"\0\0\0\x0cjP  \r\n\x87\n", 12, "is a JPEG 2000 image"},
        {"\xff\x4f\xff\x51\0", 5, "is a JPEG 2000 codestream"},
        {"\0\0\0\x20"
         "ftypavif",
         12, "is an AVIF image"},
        {"\0\0\0\x18"
         "ftypheic",
         12, "is a HEIF image"},
        {"P7\nWIDTH 2\n", 11, "is a PAM image"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = fixture_path(test_state, "image.png");
        write_file(path, cases[i].bytes, cases[i].size);
        assert_not_read(path, cases[i].name);
    }
}

TEST(a_folder) {
    const Fixture *fixture = test_state;
    assert_not_read(fixture->folder, "folder");
}

TEST(a_device) {
    assert_not_read("/dev/zero", "device");
}

/* Without a writer, a plain open would wait for ever. */
TEST(a_pipe) {
    const char *path = fixture_path(test_state, "pipe.png");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_not_read(path, "pipe");
}

TEST(an_unreadable_file) {
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    const char *path = fixture_path(test_state, "secret.png");
    write_file(path, "P1 1 1 0", 8);
    assert_int_equal(chmod(path, 0), 0);
    assert_not_read(path, "Permission denied");
}

TEST(the_content_decides_and_not_the_name) {
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    const char *path = fixture_path(test_state, "image.jpg");
    write_file(path, bytes, size);
    free(bytes);
    Image image;
    assert_ok(image_read(path, &image));
    assert_int_equal(image.width, 7);
    assert_int_equal(image_row(&image, 1)[1], 42);
    image_free(&image);
    int32_t width = 0;
    int32_t height = 0;
    assert_ok(image_read_size(path, &width, &height));
    assert_int_equal(width, 7);
    assert_int_equal(height, 5);
}

/* A JPEG whose comments push its header beyond what is read at first. */
TEST(a_late_header_is_found) {
    enum { COMMENT = 60000, COMMENTS = 3 };
    size_t size = 0;
    uint8_t *bytes = committed_file("rgb.jpg", &size);
    const char *path = fixture_path(test_state, "late.jpg");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, 2, file);
    for (int i = 0; i < COMMENTS; i++) {
        const uint8_t marker[] = {0xff, 0xfe, (COMMENT + 2) >> 8, (COMMENT + 2) & 0xff};
        fwrite(marker, 1, sizeof marker, file);
        for (int j = 0; j < COMMENT; j++) {
            fputc('c', file);
        }
    }
    fwrite(bytes + 2, 1, size - 2, file);
    fclose(file);
    free(bytes);
    int32_t width = 0;
    int32_t height = 0;
    assert_ok(image_read_size(path, &width, &height));
    assert_int_equal(width, 16);
    assert_int_equal(height, 8);
}

static void assert_size_and_image(const char *name, int32_t want_width, int32_t want_height) {
    char path[FIXTURE_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", BENCH_SHARED_DATA, name);
    if (access(path, R_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, NULL);
    }
    int32_t width = 0;
    int32_t height = 0;
    assert_ok(image_read_size(path, &width, &height));
    assert_int_equal(width, want_width);
    assert_int_equal(height, want_height);
    RELEASED_BY(image_free) Image image;
    assert_ok(image_read(path, &image));
    assert_int_equal(image.width, want_width);
    assert_int_equal(image.height, want_height);
}

TEST(a_photograph) {
    assert_size_and_image("photo/meadow.jpg", 5312, 2988);
}

TEST(textures) {
    assert_size_and_image("textures/brick.png", 512, 512);
    assert_size_and_image("textures/grass.png", 512, 512);
    assert_size_and_image("textures/fabric.png", 512, 512);
}
