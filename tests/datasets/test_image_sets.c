#include "idx_fixtures.h"
#include "test.h"

#include "image_sets_internal.h"
#include "needs.h"

EACH_TEST(fixture_setup, fixture_teardown);

/* The path of a name in the temporary folder. */
static char *path_of(Fixture *fixture, const char *name) {
    return test_keep(strdup(fixture_path(fixture, name)));
}

static char *new_file(Fixture *fixture, const char *name, const void *bytes, size_t size) {
    char *path = path_of(fixture, name);
    write_file(path, bytes, size);
    return path;
}

static void assert_read_refused(const char *path, const char *labels, int32_t limit,
                                const char *word, const char *other) {
    Image image;
    ImageSet set;
    assert_refused(image_set_read(path, labels, limit, &image, &set), STATUS_FILE, word, other);
    assert_null(image.pixels);
    assert_null(set.labels);
    assert_int_equal(set.count, 0);
}

/* First: a file that it writes may get the inode of labels that a later test reads. */
TEST(sets_differ_from_images) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    char *path = new_file(test_state, "file", plain.at, plain.size);
    assert_true(image_set_is_at(path));
    write_file(path, gzip.at, gzip.size);
    assert_true(image_set_is_at(path));
    write_file(path, "P5 1 1 255 x", 12);
    assert_false(image_set_is_at(path));
    write_file(path, "", 0);
    assert_false(image_set_is_at(path));
    const Image image = {.width = 3, .height = 2, .stride = 3, .pixels = (uint8_t[6]){0}};
    assert_ok(image_write_png(path, &image));
    assert_false(image_set_is_at(path));
    assert_read_refused(path, NULL, 0, path, "not an IDX file: it begins with the bytes 0x89 0x50");
    assert_true(image_set_is_at(((Fixture *)test_state)->folder));
    assert_false(image_set_is_at("/no/such/set"));
    assert_false(image_set_is_at("/dev/null"));
}

TEST(a_file_without_labels_has_none) {
    char *path = new_file(test_state, "digits.idx", two_images, sizeof two_images);
    Image image;
    ImageSet set;
    assert_ok(image_set_read(path, NULL, 0, &image, &set));
    assert_is_two_images(&image, &set);
    assert_null(set.labels);
    image_set_free(&image, &set);
}

TEST(labels_beside_are_found_by_their_name) {
    /* The folder's name must not be changed with the file's. */
    char *folder = path_of(test_state, "images-idx3");
    char command[FIXTURE_PATH_SIZE];
    snprintf(command, sizeof command, "mkdir '%s'", folder);
    assert_int_equal(system(command), 0);
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    char *path = new_file(test_state, "images-idx3/t-images-idx3-ubyte.gz", gzip.at, gzip.size);
    const Bytes plain_labels = BYTES_OF(two_labels);
    const Bytes labels = packed(&plain_labels);
    char *beside =
        new_file(test_state, "images-idx3/t-labels-idx1-ubyte.gz", labels.at, labels.size);
    Image image;
    ImageSet set;
    assert_ok(image_set_read(path, NULL, 0, &image, &set));
    assert_is_two_images(&image, &set);
    assert_memory_equal(set.labels, ((const uint8_t[]){7, 255}), 2);
    image_set_free(&image, &set);
    assert_ok(image_set_read(path, NULL, 1, &image, &set));
    assert_int_equal(set.count, 1);
    assert_int_equal(set.labels[0], 7);
    image_set_free(&image, &set);
    write_file(beside, three_labels, sizeof three_labels);
    assert_read_refused(path, NULL, 0, beside, "holds 3 labels for 2 images");
    assert_read_refused(path, NULL, 1, beside, "holds 3 labels for 2 images");
}

TEST(labels_that_are_named_are_read) {
    char *path = new_file(test_state, "t-images-idx3", two_images, sizeof two_images);
    char *beside = new_file(test_state, "t-labels-idx1", "damaged", 7);
    char *labels = new_file(test_state, "other", two_labels, sizeof two_labels);
    Image image;
    ImageSet set;
    assert_ok(image_set_read(path, labels, 0, &image, &set));
    assert_memory_equal(set.labels, ((const uint8_t[]){7, 255}), 2);
    image_set_free(&image, &set);
    assert_read_refused(path, NULL, 0, beside, "not an IDX file");
    assert_read_refused(path, path, 0, path, "3 dimensions, as images have; labels have 1");
    assert_read_refused(labels, NULL, 0, labels, "1 dimension, as labels have; images have 3");
    assert_read_refused(path, "/no/such/labels", 0, "/no/such/labels", "No such file");
    assert_read_refused("/no/such/set", NULL, 0, "/no/such/set", "No such file");
}

TEST(the_size_is_read_alone) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    char *path = new_file(test_state, "plain", plain.at, plain.size);
    char *packed_path = new_file(test_state, "packed", gzip.at, gzip.size);
    const char *const paths[] = {path, packed_path};
    for (size_t i = 0; i < 2; i++) {
        ImageSet set;
        assert_ok(image_set_read_size(paths[i], &set));
        assert_int_equal(set.count, 2);
        assert_int_equal(set.width, 3);
        assert_int_equal(set.height, 2);
        assert_null(set.labels);
    }
    write_file(path, plain.at, plain.size - 1);
    ImageSet set;
    assert_refused(image_set_read_size(path, &set), STATUS_FILE, "truncated", "there are 11");
    write_file(path, plain.at, 5);
    assert_refused(image_set_read_size(path, &set), STATUS_FILE, "truncated", "header");
    assert_int_equal(set.count, 0);
}

/* RFC 1952: flag 16 says that a comment, ended by a zero, stands before the data. */
TEST(a_long_gzip_header_is_passed_over) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    enum { COMMENT = 200000 };
    uint8_t *file = malloc(gzip.size + COMMENT);
    memcpy(file, gzip.at, 10);
    file[3] = 16;
    memset(file + 10, 'c', COMMENT - 1);
    file[10 + COMMENT - 1] = 0;
    memcpy(file + 10 + COMMENT, gzip.at + 10, gzip.size - 10);
    char *path = new_file(test_state, "commented.gz", file, gzip.size + COMMENT);
    ImageSet set;
    assert_ok(image_set_read_size(path, &set));
    assert_int_equal(set.count, 2);
    assert_true(image_set_is_at(path));
    free(file);
}

TEST(every_image_is_rescaled_alone, NULL) {
    static const int32_t sides[][2] = {{28, 28}, {14, 14}, {16, 31}, {40, 9}, {1, 1}, {56, 56}};
    Image image;
    ImageSet set;
    assert_ok(image_set_synthetic("digits", 7, 28, 28, 5, &image, &set));
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        Image scaled;
        ImageSet scaled_set;
        assert_ok(image_set_rescale(&image, &set, sides[i][0], sides[i][1], &scaled, &scaled_set));
        assert_int_equal(scaled_set.count, 7);
        assert_int_equal(scaled.height, 7 * sides[i][1]);
        assert_memory_equal(scaled_set.labels, set.labels, 7);
        for (int32_t p = 0; p < 7; p++) {
            const Image one = {.width = 28,
                               .height = 28,
                               .stride = 28,
                               .pixels = image_set_pixels(&image, &set, p)};
            RELEASED_BY(image_free) Image want;
            assert_ok(image_rescale(&one, sides[i][0], sides[i][1], &want));
            assert_memory_equal(image_set_pixels(&scaled, &scaled_set, p), want.pixels,
                                image_pixel_count(&want));
        }
        image_set_free(&scaled, &scaled_set);
    }
    Image scaled;
    ImageSet scaled_set;
    assert_refused(image_set_rescale(&image, &set, 0, 5, &scaled, &scaled_set), STATUS_USAGE, "0x5",
                   "1 to 4096");
    assert_refused(image_set_rescale(&image, &set, 5, 4097, &scaled, &scaled_set), STATUS_USAGE,
                   "5x4097", "1 to 4096");
    assert_null(scaled.pixels);
    image_set_free(&image, &set);
}

/* FNV-1a 64 of "foobar", a published test vector, and of the same with and without labels. */
TEST(hash_is_of_pixels_then_labels, NULL) {
    uint8_t letters[] = {'f', 'o', 'o', 'b'};
    uint8_t labels[] = {'a', 'r'};
    const Image image = {.width = 2, .height = 2, .stride = 2, .pixels = letters};
    ImageSet set = {.count = 2, .width = 2, .height = 1, .labels = labels};
    assert_true(image_set_hash(&image, &set) == UINT64_C(0x85944171f73967e8));
    set.labels = NULL;
    assert_true(image_set_hash(&image, &set) == image_hash(&image));
}

TEST(impossible_sets_are_refused, NULL) {
    assert_refused(image_set_check(STATUS_FILE, "it", 0, 1, 1), STATUS_FILE, "it: has no images",
                   "at least one");
    assert_refused(image_set_check(STATUS_USAGE, "it", 1, 4097, 1), STATUS_USAGE, "4097x1",
                   "1 to 4096");
    assert_refused(image_set_check(STATUS_USAGE, "it", 1, 1, 0), STATUS_USAGE, "1x0", "1 to 4096");
    assert_refused(image_set_check(STATUS_FILE, "it", 524288, 1, 4096), STATUS_FILE,
                   "524288 images of 4096 rows", "at most 2147483647 rows");
    assert_refused(image_set_check(STATUS_FILE, "it", UINT64_MAX, 1, 2), STATUS_FILE, "images of",
                   "at most");
    assert_ok(image_set_check(STATUS_FILE, "it", INT32_MAX, 1, 1));
}

/* 8 TiB, and a strip higher than an image may be. */
TEST(memory_is_asked_for_first, NULL) {
    Image image;
    ImageSet set;
    assert_refused(image_set_create("it", INT32_MAX, 4096, 1, true, &image, &set), STATUS_SKIP,
                   "it needs", "free");
    assert_null(image.pixels);
    assert_null(set.labels);
    assert_ok(image_set_create("it", 400000, 1, 3, true, &image, &set));
    assert_int_equal(image.height, 1200000);
    assert_true(image.height > IMAGE_SIDE_MAX);
    assert_int_equal((uintptr_t)image.pixels % 64, 0);
    memset(image.pixels, 1, 1200000);
    memset(set.labels, 1, 400000);
    image_set_free(&image, &set);
    image_set_free(NULL, NULL);
}

typedef struct MnistPart {
    const char *name;
    int32_t count;
    uint64_t pixel_sum, hash_of_1000;
    int32_t classes[10];
} MnistPart;

/* The numbers of each digit are those that its authors give; sums and hashes were computed with
 * Python's gzip module and NumPy. */
static const MnistPart mnist[] = {
    {.name = "train-images-idx3-ubyte.gz",
     .count = 60000,
     .pixel_sum = 1567298545,
     .hash_of_1000 = UINT64_C(0x9da4b3d72d4a92fc),
     .classes = {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}},
    {.name = "t10k-images-idx3-ubyte.gz",
     .count = 10000,
     .pixel_sum = 264923200,
     .hash_of_1000 = UINT64_C(0x725de893107d77f4),
     .classes = {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}},
};

static void check_mnist_part(const char *path, const MnistPart *part) {
    Image image;
    ImageSet set;
    assert_ok(image_set_read(path, NULL, 0, &image, &set));
    assert_int_equal(set.count, part->count);
    assert_int_equal(set.width, 28);
    assert_int_equal(set.height, 28);
    assert_int_equal(image.height, part->count * 28);
    uint64_t sum = 0;
    for (size_t i = 0; i < image_pixel_count(&image); i++) {
        sum += image.pixels[i];
    }
    assert_true(sum == part->pixel_sum);
    int32_t classes[256] = {0};
    for (int32_t i = 0; i < set.count; i++) {
        classes[set.labels[i]]++;
    }
    assert_memory_equal(classes, part->classes, sizeof part->classes);
    image_set_free(&image, &set);
    assert_ok(image_set_read(path, NULL, 1000, &image, &set));
    assert_true(image_set_hash(&image, &set) == part->hash_of_1000);
    image_set_free(&image, &set);
    assert_ok(image_set_read_size(path, &set));
    assert_int_equal(set.count, part->count);
}

TEST(mnist_is_as_known, NULL) {
    if (access(BENCH_SHARED_DATA "/mnist", F_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, NULL);
    }
    for (size_t i = 0; i < sizeof mnist / sizeof mnist[0]; i++) {
        char path[FIXTURE_PATH_SIZE];
        snprintf(path, sizeof path, "%s/mnist/%s", BENCH_SHARED_DATA, mnist[i].name);
        check_mnist_part(path, &mnist[i]);
    }
    assert_read_refused(BENCH_SHARED_DATA "/mnist/t10k-images-idx3-ubyte.gz", NULL, 10001,
                        "holds 10000 images", "10001 are asked for");
}
