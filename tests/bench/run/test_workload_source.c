

#include "algorithm.h"
#include "bench/scratch_folder.h"
#include "datasets.h"
#include "inputs.h"
#include "run.h"
#include "run_options.h"
#include "test.h"

static const SizeSpec native = {.name = "native"};

static void write_picture(const char *name, uint8_t first) {
    uint8_t pixels[6] = {first, 20, 30, 40, 50, 60};
    const Image image = {3, 2, 3, pixels};
    char path[512];
    scratch_path(test_scratch(), name, path);
    assert_ok(image_write_png(path, &image));
}

TEST(a_synthetic_kind_is_one_input) {
    const RunOptions options = {.synthetic = "noise", .seed = 5};
    RELEASED_BY(inputs_release) InputList list;
    assert_ok(inputs_open(&options, stderr, &list));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.inputs[0].name, "noise");
    assert_null(list.inputs[0].path);
    Workload workload;
    const SizeSpec size = {.name = "40x30", .width = 40, .height = 30};
    assert_ok(workload_load(&list.inputs[0], &size, 5, &workload));
    assert_int_equal(workload.image.width, 40);
    assert_int_equal(workload.image.height, 30);
    assert_string_equal(workload.size_name, "40x30");
    assert_string_equal(workload.input, "noise");
    assert_true(workload.hash == image_hash(&workload.image));
    const uint64_t hash = workload.hash;
    workload_release(&workload);
    workload_load(&list.inputs[0], &size, 6, &workload);
    assert_true(workload.hash != hash); /* the seed matters */
    workload_release(&workload);
    assert_int_equal(workload_load(&list.inputs[0], &native, 5, &workload).code, STATUS_USAGE);
}

TEST(a_density_belongs_to_the_input) {
    const RunOptions options = {.synthetic = "random", .seed = 5, .density = 1};
    RELEASED_BY(inputs_release) InputList list;
    assert_ok(inputs_open(&options, stderr, &list));
    RELEASED_BY(workload_release) Workload workload;
    const SizeSpec size = {.name = "4x1", .width = 4, .height = 1};
    assert_ok(workload_load(&list.inputs[0], &size, 5, &workload));
    assert_memory_equal(workload.image.pixels, "\xff\xff\xff\xff", 4);
}

TEST(a_file_has_its_own_size_or_another) {
    write_picture("my.photo.png", 10);
    const RunOptions options = {.input = test_path("my.photo.png")};
    RELEASED_BY(inputs_release) InputList list;
    assert_ok(inputs_open(&options, stderr, &list));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.inputs[0].name, "my.photo.png");
    assert_string_equal(list.inputs[0].stem, "my.photo");
    Workload workload;
    assert_ok(workload_describe(&list.inputs[0], &native, &workload));
    assert_int_equal(workload.image.width, 3);
    assert_int_equal(workload.image.height, 2);
    assert_ok(workload_load(&list.inputs[0], &native, 1, &workload));
    assert_memory_equal(image_row(&workload.image, 1), "\x28\x32\x3c", 3); /* 40, 50, 60 */
    workload_release(&workload);
    const SizeSpec larger = {.name = "12x8", .width = 12, .height = 8};
    assert_ok(workload_load(&list.inputs[0], &larger, 1, &workload));
    assert_int_equal(workload.image.width, 12);
    assert_int_equal(workload.image.height, 8);
    workload_release(&workload);
}

static bool is_pressed(const Input *input, int32_t width, int32_t height, char text[300]) {
    const Workload workload = {.image = {.width = width, .height = height}};
    text[0] = '\0';
    const bool pressed = workload_is_distorted(input, &workload, text, 300);
    assert_true(pressed == (text[0] != '\0'));
    return pressed;
}

/* Rounding to whole pixels is no change: 1000x667 is 3:2 as well as 300x200 is. */
TEST(another_aspect_ratio_is_told) {
    char path[] = "meadow.jpg";
    char text[300];
    Input input = {
        .path = path, .name = "meadow.jpg", .width = 5312, .height = 2988, .kind = WORKLOAD_IMAGE};
    assert_true(is_pressed(&input, 2832, 2128, text));
    assert_string_equal(text, "meadow.jpg: 5312x2988 scaled to 2832x2128, aspect ratio changed "
                              "from 1.78 to 1.33");
    assert_false(is_pressed(&input, 5312, 2988, text));
    assert_false(is_pressed(&input, 3840, 2160, text));
    assert_false(is_pressed(&input, 854, 480, text));
    assert_false(is_pressed(&input, 4, 2, text));
    assert_true(is_pressed(&input, 480, 360, text));
    assert_true(is_pressed(&input, 1000, 1000, text));
    assert_true(is_pressed(&input, 3840, 2100, text));
    input.width = 1000;
    input.height = 667;
    assert_false(is_pressed(&input, 300, 200, text));
    input.path = NULL; /* a synthetic kind has no size of its own */
    assert_false(is_pressed(&input, 480, 360, text));
}

TEST(each_picture_of_a_set_has_its_ratio) {
    char path[] = "digits";
    char text[300] = "";
    const Input input = {
        .path = path, .name = "digits", .width = 28, .height = 28, .kind = WORKLOAD_IMAGE_SET};
    Workload workload = {.kind = WORKLOAD_IMAGE_SET,
                         .image = {.width = 14, .height = 1400},
                         .set = {.count = 100, .width = 14, .height = 14}};
    assert_false(workload_is_distorted(&input, &workload, text, sizeof text));
    workload.set.width = 24;
    workload.set.height = 32;
    assert_true(workload_is_distorted(&input, &workload, text, sizeof text));
    assert_string_equal(text, "digits: 28x28 scaled to 24x32, aspect ratio changed from 1 to 0.75");
}

static char said[1024];

static void keep_note(const char *line) {
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

TEST(a_folder_is_its_readable_pictures_by_name) {
    write_picture("b.png", 1);
    write_picture("a.png", 2);
    write_picture("a.pgm", 3); /* named by content: both are "a" */
    write_picture(".hidden.png", 4);
    test_write("notes.txt", "no picture");
    test_write("c.png", "no picture");
    const char *inner = test_path("inner");
    mkdir(inner, 0777);
    FILE *notes = tmpfile();
    const RunOptions options = {.input = test_folder};
    RELEASED_BY(inputs_release) InputList list;
    image_read_notes(keep_note);
    assert_ok(inputs_open(&options, notes, &list));
    image_read_notes(NULL);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.inputs[0].name, "a.pgm");
    assert_string_equal(list.inputs[1].name, "a.png");
    assert_string_equal(list.inputs[2].name, "b.png");
    assert_string_equal(list.inputs[0].stem, "a.pgm"); /* saved under different names */
    assert_string_equal(list.inputs[1].stem, "a.png");
    assert_string_equal(list.inputs[2].stem, "b");
    char text[1024] = "";
    rewind(notes);
    assert_true(fread(text, 1, sizeof text - 1, notes) > 0);
    assert_says(text, "c.png: not an image");
    assert_null(strchr(strchr(text, '\n') + 1, '\n')); /* one line: only that file */
    assert_says(said, "/notes.txt: no image by its contents or its name\n");
    assert_null(strchr(strchr(said, '\n') + 1, '\n'));
    fclose(notes);
}

static void check_unique(const InputList *list) {
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(list->inputs[i].name, list->inputs[j].name);
            assert_string_not_equal(list->inputs[i].stem, list->inputs[j].stem);
        }
    }
}

TEST(like_names_are_told_apart) {
    static const char *const endings[] = {"x.png", "y.png", "y.pgm"};
    for (int i = 0; i < 3; i++) {
        char name[256];
        memset(name, 'n', 200);
        snprintf(name + 200, sizeof name - 200, "%s", endings[i]);
        write_picture(name, 1);
    }
    write_picture("a.png", 1);
    write_picture("a.pgm", 1);
    write_picture("a.png.png", 1); /* its stem is what a.png is saved as */
    const RunOptions options = {.input = test_folder};
    RELEASED_BY(inputs_release) InputList list;
    assert_ok(inputs_open(&options, stderr, &list));
    assert_int_equal(list.count, 6);
    check_unique(&list);
    assert_string_equal(list.inputs[0].name, "a.pgm");
    assert_string_equal(list.inputs[0].stem, "a.pgm");
    assert_string_equal(list.inputs[1].name, "a.png");
    assert_int_equal(strlen(list.inputs[3].name), WORKLOAD_NAME_SIZE - 1);
}

static void check_refused(const char *path) {
    const RunOptions options = {.input = path};
    FILE *notes = tmpfile();
    InputList list;
    const Status status = inputs_open(&options, notes, &list);
    fclose(notes);
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, path);
    assert_int_equal(list.count, 0);
    assert_null(list.inputs);
}

TEST(inputs_that_cannot_be_are_errors) {
    char path[512];
    check_refused("/no such picture.png");
    check_refused(test_folder); /* an empty folder */
    test_write("text.png", "no picture");
    scratch_path(test_scratch(), "text.png", path);
    check_refused(path);
    check_refused(test_folder); /* a folder with nothing readable */
    write_picture("cut.png", 1);
    scratch_path(test_scratch(), "cut.png", path);
    assert_int_equal(truncate(path, 60), 0);
    check_refused(path); /* its header alone is fine */
}

/* === Images of other types, and pairs ========================================================= */

static const Algorithm takes_bytes = {.name = "bytes"};
static const Algorithm takes_floats = {.name = "floats", .element = OUTPUT_ARRAY_F32};
static const Algorithm takes_two = {.name = "two", .element = OUTPUT_ARRAY_U8, .pair = true};

/* The inputs of a request for these algorithms, up to NULL. */
static InputList open_for(const Algorithm *const *algorithms, RunOptions options) {
    InputList list;
    while (algorithms[options.algorithm_count] != NULL) {
        options.algorithms[options.algorithm_count] = algorithms[options.algorithm_count];
        options.algorithm_count++;
    }
    assert_ok(inputs_open(&options, stderr, &list));
    return list;
}

#define OPEN_FOR(list, ...) open_for((const Algorithm *const[]){__VA_ARGS__, NULL}, list)

TEST(each_way_to_take_an_image_is_an_input) {
    const RunOptions options = {.seed = 1};
    InputList list = OPEN_FOR(options, &takes_two, &takes_bytes, &takes_floats, &takes_floats);
    assert_int_equal(list.count, 3);
    assert_true(input_suits(&list.inputs[0], &takes_bytes));
    assert_true(input_suits(&list.inputs[1], &takes_two));
    assert_true(input_suits(&list.inputs[2], &takes_floats));
    assert_false(input_suits(&list.inputs[1], &takes_bytes));
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(list.inputs[i].name, "texture");
    }
    inputs_release(&list);
    list = OPEN_FOR(options, &takes_floats, &takes_two); /* nobody takes 8 bits */
    assert_int_equal(list.count, 2);
    assert_true(input_suits(&list.inputs[0], &takes_floats));
    inputs_release(&list);
}

TEST(the_other_image_is_the_first_one_turned) {
    const SizeSpec size = {.name = "7x3", .width = 7, .height = 3};
    RELEASED_BY(inputs_release) InputList list = OPEN_FOR(((RunOptions){.seed = 1}), &takes_two);
    RELEASED_BY(workload_release) Workload workload;
    assert_ok(workload_load(&list.inputs[0], &size, 1, &workload));
    for (size_t i = 0; i < 21; i++) {
        assert_int_equal(workload.second.pixels[i], workload.image.pixels[20 - i]);
    }
}

static void write_grey(const char *name, const char *text, char path[512]) {
    scratch_path(test_scratch(), name, path);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

TEST(the_other_image_may_be_a_file) {
    char first[512], second[512], third[512];
    write_grey("a.pgm", "P2 3 1 255 1 2 3", first);
    write_grey("b.pgm", "P2 3 1 255 7 8 9", second);
    write_grey("c.pgm", "P2 3 1 255 7 8 8", third);
    RunOptions options = {.input = first, .second = second};
    InputList list = OPEN_FOR(options, &takes_two, &takes_bytes);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.inputs[0].name, "a.pgm");
    assert_string_equal(list.inputs[1].name, "a.pgm+b.pgm");
    assert_string_equal(list.inputs[1].stem, "a.pgm+b");
    Workload workload;
    assert_ok(workload_load(&list.inputs[1], &native, 1, &workload));
    assert_memory_equal(workload.image.pixels, "\x01\x02\x03", 3);
    assert_memory_equal(workload.second.pixels, "\x07\x08\x09", 3);
    const uint64_t hash = workload.hash;
    workload_release(&workload);
    inputs_release(&list);
    options.second = third;
    list = OPEN_FOR(options, &takes_two);
    assert_ok(workload_load(&list.inputs[0], &native, 1, &workload));
    assert_true(workload.hash != hash);
    workload_release(&workload);
    inputs_release(&list);
}

/* The bits that 8 bits have not make another input. */
TEST(the_hash_is_of_all_bits) {
    char path[512];
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        Workload workload;
        write_grey("a.pgm", i == 0 ? "P2 1 1 65535 513" : "P2 1 1 65535 514", path);
        InputList list = OPEN_FOR(((RunOptions){.input = path}), &takes_floats);
        assert_ok(workload_load(&list.inputs[0], &native, 1, &workload));
        hashes[i] = workload.hash;
        workload_release(&workload);
        inputs_release(&list);
    }
    assert_true(hashes[0] != hashes[1]);
}
