/* Sets of pictures as inputs: files, folders and synthetic ones, whole or their beginning. */
#include "bench/fake_set.h"
#include "bench/idx_file.h"
#include "datasets.h"
#include "image_sets.h"
#include "inputs.h"
#include "run.h"
#include "status_checks.h"
#include "test.h"

static const SizeSpec all = {.name = "all"};

static RunOptions request_of(const char *path) {
    RunOptions options = fake_set_options();
    options.synthetic = path == NULL ? "digits" : NULL;
    options.input = path;
    options.set_sizes[0] = all;
    return options;
}

static void open_good(const RunOptions *options, InputList *list) {
    assert_ok(inputs_open(options, stderr, list));
    assert_int_equal(list->count, 1);
    assert_int_equal(list->inputs[0].kind, WORKLOAD_IMAGE_SET);
}

TEST(a_synthetic_set_is_drawn) {
    const RunOptions options = request_of(NULL);
    const SizeSpec size = {.name = "12", .width = 9, .height = 8, .images = 12};
    RELEASED_BY(inputs_release) InputList list;
    Workload shape, workload, other;
    open_good(&options, &list);
    assert_string_equal(list.inputs[0].name, "digits");
    assert_ok(workload_describe(&list.inputs[0], &size, &shape));
    assert_null(shape.image.pixels);
    assert_null(shape.set.labels);
    assert_int_equal(shape.set.count, 12);
    assert_int_equal(shape.image.height, 96);
    assert_ok(workload_load(&list.inputs[0], &size, 5, &workload));
    assert_int_equal(workload.kind, WORKLOAD_IMAGE_SET);
    assert_int_equal(workload.set.count, 12);
    assert_int_equal(workload.set.width, 9);
    assert_int_equal(workload.set.height, 8);
    assert_int_equal(workload.image.width, 9);
    assert_int_equal(workload.image.height, 96);
    assert_non_null(workload.set.labels);
    assert_true(workload.seed == 5);
    assert_string_equal(workload.size_name, "12");
    assert_true(workload.hash == image_set_hash(&workload.image, &workload.set));
    assert_ok(workload_load(&list.inputs[0], &size, 6, &other));
    assert_true(workload.hash != other.hash); /* the seed matters */
    workload_release(&workload);
    workload_release(&other);
    assert_null(workload.set.labels);
    assert_status(workload_describe(&list.inputs[0], &all, &shape), STATUS_USAGE,
                  "give --images a number");
}

TEST(a_file_is_taken_whole_or_its_beginning) {
    idx_write_pictures("my-images-idx3-ubyte", 4, 3, 2);
    idx_write_labels("my-labels-idx1-ubyte", 4);
    const RunOptions options = request_of(test_path("my-images-idx3-ubyte"));
    const SizeSpec two = {.name = "2", .images = 2};
    RELEASED_BY(inputs_release) InputList list;
    Workload workload;
    open_good(&options, &list);
    assert_string_equal(list.inputs[0].name, "my-images-idx3-ubyte");
    assert_int_equal(list.inputs[0].images, 4);
    assert_ok(workload_load(&list.inputs[0], &all, 1, &workload));
    assert_string_equal(workload.size_name, "4"); /* what "all" stands for */
    assert_int_equal(workload.set.width, 3);
    assert_int_equal(workload.set.height, 2);
    assert_memory_equal(workload_image(&workload, 3), "\x30\x31\x32\x33\x34\x35", 6);
    assert_memory_equal(workload.set.labels, "\x09\x08\x07\x06", 4); /* the file beside it */
    workload_release(&workload);
    assert_ok(workload_load(&list.inputs[0], &two, 1, &workload));
    assert_string_equal(workload.size_name, "2");
    assert_int_equal(workload.set.count, 2);
    assert_int_equal(workload.image.height, 4);
    assert_memory_equal(workload.set.labels, "\x09\x08", 2);
    workload_release(&workload);
}

TEST(pictures_are_rescaled_each_on_its_own) {
    idx_write_pictures("set.idx", 2, 2, 2);
    const RunOptions options = request_of(test_path("set.idx"));
    const SizeSpec dots = {.name = "allx1x1", .width = 1, .height = 1};
    RELEASED_BY(inputs_release) InputList list;
    RELEASED_BY(workload_release) Workload workload;
    open_good(&options, &list);
    assert_ok(workload_load(&list.inputs[0], &dots, 1, &workload));
    assert_string_equal(workload.size_name, "2x1x1");
    assert_int_equal(workload.image.height, 2);
    /* Means of 0, 1, 2, 3 and of 16, 17, 18, 19: 1.5 and 17.5, rounded up. */
    assert_int_equal(workload_image(&workload, 0)[0], 2);
    assert_int_equal(workload_image(&workload, 1)[0], 18);
    assert_null(workload.set.labels);
}

TEST(a_folder_is_one_set) {
    uint8_t pixels[6] = {1, 2, 3, 4, 5, 6};
    const Image image = {3, 2, 3, pixels};
    char path[512];
    for (const char *const *name = (const char *const[]){"b.png", "a.png", NULL}; *name != NULL;
         name++) {
        scratch_path(test_scratch(), *name, path);
        pixels[0] = (uint8_t)(*name)[0];
        assert_ok(image_write_png(path, &image));
    } /* the slash is no part of the name */
    const RunOptions options = request_of(test_path(""));
    RELEASED_BY(inputs_release) InputList list;
    RELEASED_BY(workload_release) Workload workload;
    open_good(&options, &list);
    assert_string_equal(list.inputs[0].name, strrchr(test_folder, '/') + 1);
    assert_ok(workload_load(&list.inputs[0], &all, 1, &workload));
    assert_int_equal(workload.set.count, 2);
    assert_int_equal(workload_image(&workload, 0)[0], 'a');
    assert_int_equal(workload_image(&workload, 1)[0], 'b');
}

static void check_refused(const RunOptions *options, StatusCode code, const char *fragment) {
    InputList list;
    const Status status = inputs_open(options, stderr, &list);
    assert_int_equal(status.code, code);
    assert_says(status.why, fragment);
    assert_int_equal(list.count, 0);
    assert_null(list.inputs);
}

TEST(inputs_of_the_other_kind_are_refused) {
    uint8_t pixels[6] = {1, 2, 3, 4, 5, 6};
    const Image image = {3, 2, 3, pixels};
    char set[512];
    const char *picture = test_path("one.png");
    image_write_png(picture, &image);
    idx_write_pictures("set.idx", 2, 2, 2);
    scratch_path(test_scratch(), "set.idx", set);
    const RunOptions wants_set = request_of(picture);
    check_refused(&wants_set, STATUS_USAGE, "one.png is one image; fake_set needs a set of them");
    RunOptions wants_picture = fake_options(&fake_algorithm);
    wants_picture.input = set;
    check_refused(&wants_picture, STATUS_USAGE, "set.idx is a set of images; fake needs");
}

TEST(bad_sets_are_found_before_anything_is_measured) {
    char labels[512];
    idx_write_pictures("set.idx", 4, 3, 2);
    idx_write_labels("three", 3);
    const char *path = test_path("set.idx");
    scratch_path(test_scratch(), "three", labels);
    RunOptions options = request_of(path);
    options.labels = labels;
    check_refused(&options, STATUS_FILE, "three: holds 3 labels for 4 images");
    options.labels = NULL;
    InputList list;
    Workload shape;
    const SizeSpec five = {.name = "5", .images = 5};
    open_good(&options, &list);
    assert_status(workload_describe(&list.inputs[0], &five, &shape), STATUS_USAGE,
                  "set.idx has 4 images, not 5; write at most that, or all");
    inputs_release(&list);
    assert_int_equal(truncate(path, 30), 0);
    check_refused(&options, STATUS_FILE, "set.idx");
    options.input = "/no such set";
    check_refused(&options, STATUS_FILE, "/no such set");
}

/* 2^31 rows of pixels in all are one too many. */
TEST(sets_have_an_end) {
    const Input input = {.kind = WORKLOAD_IMAGE_SET, .name = "digits"};
    Workload shape;
    SizeSpec size = {.name = "65536", .width = 1, .height = 32768, .images = 65536};
    assert_status(workload_describe(&input, &size, &shape), STATUS_USAGE, "write at most 65535");
    size.images = 65535;
    assert_ok(workload_describe(&input, &size, &shape));
}

TEST(a_request_may_be_of_both_kinds) {
    static const struct {
        const char *given, *picture, *set;
    } cases[] = {{"texture", "texture", "digits"},
                 {"checker", "checker", "digits"},
                 {"noise", "noise", "noise"},
                 {"digits", "texture", "digits"},
                 {NULL, "texture", "digits"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RunOptions options = fake_set_options();
        options.algorithms[options.algorithm_count++] = &fake_algorithm;
        options.synthetic = cases[i].given;
        RELEASED_BY(inputs_release) InputList list;
        assert_ok(inputs_open(&options, stderr, &list));
        assert_int_equal(list.count, 2);
        assert_int_equal(list.inputs[0].kind, WORKLOAD_IMAGE);
        assert_string_equal(list.inputs[0].name, cases[i].picture);
        assert_int_equal(list.inputs[1].kind, WORKLOAD_IMAGE_SET);
        assert_string_equal(list.inputs[1].name, cases[i].set);
    }
}
