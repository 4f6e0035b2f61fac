#include "idx_fixtures.h"
#include "test.h"

#include <sys/stat.h>

EACH_TEST(fixture_setup, fixture_teardown);

static void new_folder(Fixture *fixture, const char *name) {
    assert_int_equal(mkdir(fixture_path(fixture, name), 0700), 0);
}

/* A PGM of one row whose pixels are all `value`. */
static void new_image(Fixture *fixture, const char *name, int width, uint8_t value) {
    char text[64];
    const int head = snprintf(text, sizeof text, "P5\n%d 1\n255\n", width);
    memset(text + head, value, (size_t)width);
    write_file(fixture_path(fixture, name), text, (size_t)(head + width));
}

static void assert_folder_refused(const Fixture *fixture, const char *word, const char *other) {
    Image image;
    ImageSet set;
    assert_refused(image_set_read(fixture->folder, NULL, 0, &image, &set), STATUS_FILE, word,
                   other);
    assert_null(image.pixels);
    assert_int_equal(set.count, 0);
    assert_refused(image_set_read_size(fixture->folder, &set), STATUS_FILE, word, other);
}

TEST(images_come_in_the_order_of_their_names) {
    Fixture *fixture = test_state;
    new_image(fixture, "b.pgm", 2, 1);
    new_image(fixture, "a.pgm", 2, 2);
    new_image(fixture, "B.pgm", 2, 3);
    new_image(fixture, "10.pgm", 2, 4);
    new_image(fixture, "9.pgm", 2, 5);
    new_image(fixture, ".hidden", 3, 6);
    Image image;
    ImageSet set;
    assert_ok(image_set_read(fixture->folder, NULL, 0, &image, &set));
    assert_int_equal(set.count, 5);
    assert_int_equal(set.width, 2);
    assert_int_equal(set.height, 1);
    assert_null(set.labels);
    assert_pixels(&image, 2, 5, (const uint8_t[]){4, 4, 5, 5, 3, 3, 2, 2, 1, 1});
    image_set_free(&image, &set);
    assert_ok(image_set_read(fixture->folder, NULL, 2, &image, &set));
    assert_pixels(&image, 2, 2, (const uint8_t[]){4, 4, 5, 5});
    image_set_free(&image, &set);
    assert_refused(image_set_read(fixture->folder, NULL, 6, &image, &set), STATUS_FILE,
                   "holds 5 images", "6 are asked for");
    assert_ok(image_set_read_size(fixture->folder, &set));
    assert_int_equal(set.count, 5);
    assert_int_equal(set.width, 2);
}

TEST(a_folder_may_have_a_file_of_labels) {
    Fixture *fixture = test_state;
    new_folder(fixture, "images");
    new_image(fixture, "images/a.pgm", 2, 1);
    new_image(fixture, "images/b.pgm", 2, 2);
    char *labels = strdup(fixture_path(fixture, "labels"));
    write_file(labels, two_labels, sizeof two_labels);
    const char *images = fixture_path(fixture, "images");
    Image image;
    ImageSet set;
    assert_ok(image_set_read(images, labels, 0, &image, &set));
    assert_memory_equal(set.labels, ((const uint8_t[]){7, 255}), 2);
    image_set_free(&image, &set);
    write_file(labels, three_labels, sizeof three_labels);
    assert_refused(image_set_read(images, labels, 0, &image, &set), STATUS_FILE, labels,
                   "3 labels for 2 images");
    assert_null(image.pixels);
    assert_null(set.labels);
    free(labels);
}

TEST(folders_named_by_numbers_are_labels_in_turns) {
    Fixture *fixture = test_state;
    new_folder(fixture, "10");
    new_folder(fixture, "2");
    new_folder(fixture, "007");
    new_image(fixture, "10/a.pgm", 1, 100);
    new_image(fixture, "10/b.pgm", 1, 101);
    new_image(fixture, "10/c.pgm", 1, 102);
    new_image(fixture, "2/x.pgm", 1, 20);
    new_image(fixture, "007/m.pgm", 1, 70);
    new_image(fixture, "007/n.pgm", 1, 71);
    Image image;
    ImageSet set;
    assert_ok(image_set_read(fixture->folder, NULL, 0, &image, &set));
    assert_pixels(&image, 1, 6, (const uint8_t[]){20, 70, 100, 71, 101, 102});
    assert_memory_equal(set.labels, ((const uint8_t[]){2, 7, 10, 7, 10, 10}), 6);
    image_set_free(&image, &set);
    assert_ok(image_set_read(fixture->folder, NULL, 3, &image, &set));
    assert_memory_equal(set.labels, ((const uint8_t[]){2, 7, 10}), 3);
    image_set_free(&image, &set);
    assert_refused(image_set_read(fixture->folder, "labels", 0, &image, &set), STATUS_FILE,
                   "labels: ", "names of their folders");
    assert_null(image.pixels);
}

TEST(unequal_sizes_are_named) {
    Fixture *fixture = test_state;
    new_image(fixture, "a.pgm", 2, 1);
    new_image(fixture, "b.pgm", 2, 1);
    new_image(fixture, "c.pgm", 3, 1);
    assert_folder_refused(fixture, "c.pgm: is 3x1 pixels", "a.pgm is 2x1");
    Image image;
    ImageSet set;
    assert_ok(image_set_read(fixture->folder, NULL, 2, &image, &set));
    image_set_free(&image, &set);
}

TEST(empty_folders_are_refused) {
    Fixture *fixture = test_state;
    assert_folder_refused(fixture, fixture->folder, "holds no image; a set has at least one");
    new_folder(fixture, "3");
    assert_folder_refused(fixture, "/3: the folder holds no image", "at least one");
}

TEST(other_arrangements_are_refused) {
    Fixture *fixture = test_state;
    new_folder(fixture, "3");
    new_image(fixture, "3/a.pgm", 2, 1);
    new_image(fixture, "z.pgm", 2, 1);
    assert_folder_refused(fixture, "z.pgm: is a file among folders", "a set is");
    new_image(fixture, "0.pgm", 2, 1);
    assert_folder_refused(fixture, "/3: is a folder among files", "a set is");
    assert_int_equal(unlink(fixture_path(fixture, "z.pgm")), 0);
    assert_int_equal(unlink(fixture_path(fixture, "0.pgm")), 0);
    new_folder(fixture, "3/deeper");
    assert_folder_refused(fixture, "3/deeper: is a folder among files", "a set is");
    assert_int_equal(rmdir(fixture_path(fixture, "3/deeper")), 0);
    static const char *const others[] = {"256", "three", "3x", "-1", "4294967299"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        new_folder(fixture, others[i]);
        assert_folder_refused(fixture, others[i], "named by their label, 0 to 255");
        assert_int_equal(rmdir(fixture_path(fixture, others[i])), 0);
    }
}

/* As in a folder of images for `lbp`: what Windows and people leave beside them. */
TEST(what_is_no_image_is_left_out) {
    Fixture *fixture = test_state;
    new_folder(fixture, "0");
    new_folder(fixture, "1");
    new_image(fixture, "0/a.pgm", 2, 1);
    new_image(fixture, "1/image-without-a-suffix", 2, 2);
    write_file(fixture_path(fixture, "Thumbs.db"), "\xd0\xcf\x11\xe0", 4);
    write_file(fixture_path(fixture, "0/README"), "notes", 5);
    write_file(fixture_path(fixture, "1/desktop.ini"), "", 0);
    Image image;
    ImageSet set;
    notes_begin();
    assert_ok(image_set_read(fixture->folder, NULL, 0, &image, &set));
    assert_pixels(&image, 2, 2, (const uint8_t[]){1, 1, 2, 2});
    image_set_free(&image, &set);
    assert_ok(image_set_read_size(fixture->folder, &set));
    assert_int_equal(set.count, 2);
    notes_end();
    static const char *const names[] = {"0/README", "1/desktop.ini", "Thumbs.db"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[FIXTURE_PATH_SIZE + 100];
        snprintf(line, sizeof line, "left out: %s: no image by its contents or its name\n",
                 fixture_path(fixture, names[i]));
        const char *first = strstr(notes_said, line);
        assert_non_null(first);
        assert_null(strstr(first + 1, line));
    }
    assert_int_equal(unlink(fixture_path(fixture, "0/a.pgm")), 0);
    assert_folder_refused(fixture, "/0: the folder holds no image", "at least one");
}

/* A set without it would be another set: it is named as an image, or begins as one does. */
TEST(an_image_that_cannot_be_read_is_named) {
    Fixture *fixture = test_state;
    new_image(fixture, "a.pgm", 2, 1);
    write_file(fixture_path(fixture, "b.PNG"), "notes", 5);
    assert_folder_refused(fixture, "b.PNG", "not an image");
    assert_int_equal(unlink(fixture_path(fixture, "b.PNG")), 0);
    write_file(fixture_path(fixture, "c"), "GIF89a", 6);
    assert_folder_refused(fixture, "/c: is a GIF image", "convert it");
}

TEST(a_image_too_large_for_a_set_is_refused) {
    Fixture *fixture = test_state;
    uint8_t *row = calloc(1, 4097);
    const Image image = {.width = 4097, .height = 1, .stride = 4097, .pixels = row};
    assert_ok(image_write_png(fixture_path(fixture, "wide.png"), &image));
    assert_folder_refused(fixture, "4097x1", "1 to 4096");
    free(row);
}
