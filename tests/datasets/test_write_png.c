#include "fixtures.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "needs.h"

EACH_TEST(fixture_setup, fixture_teardown);

/* Files in the temporary folder. */
static int file_count(const Fixture *fixture) {
    DIR *folder = opendir(fixture->folder);
    assert_non_null(folder);
    int count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

TEST(what_is_written_is_read_back) {
    const char *path = fixture_path(test_state, "codes.png");
    Image image;
    assert_ok(synthetic_image("noise", 61, 33, 5, &image));
    assert_ok(image_write_png(path, &image));
    Image again;
    assert_ok(image_read(path, &again));
    assert_int_equal(again.width, 61);
    assert_int_equal(again.height, 33);
    assert_true(image_hash(&again) == image_hash(&image));
    image_free(&again);

    /* A padded image, over the one that is there. */
    uint8_t rows[] = {1, 2, 99, 3, 4, 99};
    const Image padded = {.width = 2, .height = 2, .stride = 3, .pixels = rows};
    assert_ok(image_write_png(path, &padded));
    assert_ok(image_read(path, &again));
    assert_pixels(&again, 2, 2, (const uint8_t[]){1, 2, 3, 4});
    image_free(&again);
    image_free(&image);
    assert_int_equal(file_count(test_state), 1);
}

/* Red, green, blue and white are 76, 150, 29 and 255 as grey:
 * (9798R + 19235G + 3735B + 16384) / 32768. */
TEST(colours_are_written_in_order) {
    const char *path = fixture_path(test_state, "map.png");
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 1, 1, 1, 0, 0, 0};
    assert_ok(image_write_png_rgb(path, 3, 2, rgb));
    uint8_t header[26];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    fclose(file);
    assert_int_equal(header[24], 8); /* bits of a sample */
    assert_int_equal(header[25], 2); /* colour without a palette */
    Image image;
    assert_ok(image_read(path, &image));
    assert_pixels(&image, 3, 2, (const uint8_t[]){76, 150, 29, 255, 1, 0});
    image_free(&image);
    assert_int_equal(file_count(test_state), 1);
    assert_refused(image_write_png_rgb("/dev/null", 3, 2, rgb), STATUS_FILE, "/dev/null",
                   "not a regular file");
}

static uint8_t some_pixels[] = {1, 2, 3, 4};
static const Image small = {.width = 2, .height = 2, .stride = 2, .pixels = some_pixels};

TEST(no_such_folder) {
    const char *path = fixture_path(test_state, "none/codes.png");
    assert_refused(image_write_png(path, &small), STATUS_FILE, path, "No such file");
    assert_int_equal(file_count(test_state), 0);
}

TEST(a_read_only_folder) {
    const Fixture *fixture = test_state;
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    const char *path = fixture_path(test_state, "codes.png");
    assert_int_equal(chmod(fixture->folder, 0500), 0);
    assert_refused(image_write_png(path, &small), STATUS_FILE, path, "Permission denied");
    assert_int_equal(chmod(fixture->folder, 0700), 0);
    assert_int_equal(file_count(test_state), 0);
}

TEST(a_folder_of_that_name) {
    const char *path = fixture_path(test_state, "codes.png");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_refused(image_write_png(path, &small), STATUS_FILE, path, "not a regular file");
    assert_int_equal(file_count(test_state), 1);
}

TEST(a_device_is_not_replaced) {
    assert_refused(image_write_png("/dev/null", &small), STATUS_FILE, "/dev/null",
                   "not a regular file");
    struct stat facts;
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

/* A file-size limit stands for a full disk: writing fails part of the way. */
TEST(a_full_disk_leaves_what_was_there) {
    const char *path = fixture_path(test_state, "codes.png");
    assert_ok(image_write_png(path, &small));
    Image image;
    assert_ok(synthetic_image("noise", 300, 300, 5, &image));

    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tight = {.rlim_cur = 20000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const Status status = image_write_png(path, &image);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);

    assert_refused(status, STATUS_FILE, path, strerror(EFBIG));
    image_free(&image);
    assert_int_equal(file_count(test_state), 1);
    assert_ok(image_read(path, &image));
    assert_pixels(&image, 2, 2, some_pixels);
    image_free(&image);
}
