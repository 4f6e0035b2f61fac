/* Pictures with keypoints, and sets of descriptors, as inputs: listed, described and loaded. */
#include "bench/scratch_folder.h"
#include "descriptor_weights.h"
#include "inputs.h"
#include "registry.h"
#include "run.h"
#include "run_options.h"
#include "status_checks.h"
#include "test.h"

static const SizeSpec native = {.name = "native"};
static const SizeSpec small = {.name = "60x50", .width = 60, .height = 50};

typedef struct Files {
    ScratchFolder folder;
    char picture[512], list[512];
} Files;

/* Of 4×2 pixels, with two keypoints. */
static Files make_files(void) {
    Files files = {.folder = scratch_make()};
    scratch_path(&files.folder, "p.pgm", files.picture);
    scratch_path(&files.folder, "k.csv", files.list);
    scratch_write(&files.folder, "p.pgm", "P2 4 2 255 1 2 3 4 5 6 7 8\n");
    scratch_write(&files.folder, "k.csv",
                  "# detector: sift\nx,y,size,angle\n1.5,0.5,4,-1\n-20,3,0,90\n");
    return files;
}

static RunOptions options_for(const char *first, const char *second) {
    RunOptions options = {.weights = "random", .seed = 1};
    options.algorithms[options.algorithm_count++] = registry_find_algorithm(first);
    if (second != NULL) {
        options.algorithms[options.algorithm_count++] = registry_find_algorithm(second);
    }
    return options;
}

static InputList open_inputs(const RunOptions *options) {
    InputList list;
    assert_ok(inputs_open(options, stderr, &list));
    return list;
}

/* The picture with its list. */
static InputList open_listed(const Files *files, const char *algorithm) {
    RunOptions options = options_for(algorithm, NULL);
    options.input = files->picture;
    options.keypoints_file = files->list;
    return open_inputs(&options);
}

static Workload load(const Input *input, const SizeSpec *size, uint64_t seed) {
    Workload workload;
    assert_ok(workload_load(input, size, seed, &workload));
    return workload;
}

/* --- Keypoints that are found ----------------------------------------------------------------- */

TEST(without_a_file_they_are_found_and_drawn) {
    RunOptions options = options_for("hashsift", NULL);
    options.synthetic = "texture";
    RELEASED_BY(inputs_release) InputList list = open_inputs(&options);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.inputs[0].kind, WORKLOAD_KEYPOINTS);
    Workload shape;
    assert_ok(workload_describe(&list.inputs[0], &small, &shape));
    assert_int_equal(shape.kind, WORKLOAD_KEYPOINTS);
    assert_int_equal(shape.image.width, 60);
    assert_int_equal(shape.keypoints.count, 60 * shape.image.height); /* no more than pixels */
    assert_int_equal(shape.keypoints.wanted, 10000);
    assert_true(shape.keypoints.scale == 1);
    assert_null(shape.keypoints.keypoints);
    assert_int_equal(shape.weights.count, 6);
    assert_int_equal(shape.weights.list[0].columns, WEIGHTS_HASHSIFT_COLUMNS);
    assert_null(shape.weights.list[0].values);

    Workload workload = load(&list.inputs[0], &small, 1);
    assert_int_equal(workload.keypoints.count, shape.keypoints.count);
    assert_int_equal(workload.keypoints.wanted, 10000);
    KeypointList found;
    assert_ok(keypoints_detect(&workload.image, NULL, 1000, &found));
    assert_true(found.count > 0 && found.count < 1000);
    assert_memory_equal(workload.keypoints.keypoints, found.keypoints,
                        (size_t)found.count * sizeof(Keypoint));
    assert_non_null(weights_find(&workload.weights, WEIGHTS_BAD, 512)->values);
    free(found.keypoints);
    workload_release(&workload);
    assert_null(workload.image.pixels);
    assert_null(workload.keypoints.keypoints);
    assert_int_equal(workload.weights.count, 0);
}

TEST(the_hash_covers_keypoints_and_weights) {
    Files files = make_files();
    InputList list = open_listed(&files, "bad");
    Workload workload = load(&list.inputs[0], &native, 1);
    const uint64_t hash = workload.hash;
    workload_release(&workload);
    workload = load(&list.inputs[0], &native, 1);
    assert_true(workload.hash == hash);
    workload_release(&workload);
    workload = load(&list.inputs[0], &native, 2); /* other weights */
    assert_true(workload.hash != hash);
    workload_release(&workload);
    scratch_write(&files.folder, "k.csv",
                  "# detector: sift\nx,y,size,angle\n1.5,0.5,4,-1\n-20,3,0,91\n");
    workload = load(&list.inputs[0], &native, 1);
    assert_true(workload.hash != hash);
    workload_release(&workload);
    inputs_release(&list);
    scratch_remove_tree(files.folder.path);
}

/* --- Keypoints of a file ---------------------------------------------------------------------- */

TEST(a_list_says_how_many_and_of_which_scale) {
    Files files = make_files();
    InputList list = open_listed(&files, "hashsift");
    Workload shape;
    assert_ok(workload_describe(&list.inputs[0], &native, &shape));
    assert_int_equal(shape.keypoints.count, 2);
    assert_int_equal(shape.keypoints.wanted, 2);
    assert_true(shape.keypoints.scale == 6.75F);
    assert_null(shape.keypoints.keypoints);
    Workload workload = load(&list.inputs[0], &native, 1);
    const Keypoint want[] = {{1.5F, 0.5F, 4, -1}, {-20, 3, 0, 90}};
    assert_int_equal(workload.keypoints.count, 2);
    assert_memory_equal(workload.keypoints.keypoints, want, sizeof want);
    workload_release(&workload);
    inputs_release(&list);
    scratch_remove_tree(files.folder.path);
}

/* Twice as wide, three times as high: the middle stays the middle. */
TEST(a_list_is_scaled_with_its_picture) {
    Files files = make_files();
    InputList list = open_listed(&files, "hashsift");
    const SizeSpec size = {.name = "8x6", .width = 8, .height = 6};
    Workload workload = load(&list.inputs[0], &size, 1);
    const Keypoint *keypoints = workload.keypoints.keypoints;
    assert_true(keypoints[0].x == 3.5F && keypoints[0].y == 2.5F);
    assert_true(keypoints[0].size == 10 && keypoints[0].angle == -1); /* 2.5 times as large */
    assert_true(keypoints[1].x == -39.5F && keypoints[1].y == 10);
    workload_release(&workload);
    scratch_write(&files.folder, "k.csv", "x,y,size,angle\n3e38,-3e38,3e38,0\n");
    workload = load(&list.inputs[0], &size, 1);
    keypoints = workload.keypoints.keypoints;
    assert_true(isfinite(keypoints[0].x) && isfinite(keypoints[0].y));
    assert_true(isfinite(keypoints[0].size));
    workload_release(&workload);
    inputs_release(&list);
    scratch_remove_tree(files.folder.path);
}

/* A synthetic picture has no size that a list could belong to. */
TEST(a_list_for_a_synthetic_picture_stays_as_it_is) {
    Files files = make_files();
    RunOptions options = options_for("hashsift", NULL);
    options.synthetic = "noise";
    options.keypoints_file = files.list;
    InputList list = open_inputs(&options);
    Workload workload = load(&list.inputs[0], &small, 1);
    assert_true(workload.keypoints.keypoints[0].x == 1.5F);
    workload_release(&workload);
    inputs_release(&list);
    scratch_remove_tree(files.folder.path);
}

TEST(what_is_not_good_is_found_at_once) {
    Files files = make_files();
    RunOptions options = options_for("hashsift", NULL);
    options.input = files.picture;
    options.keypoints_file = "no such list";
    InputList list;
    assert_status(inputs_open(&options, stderr, &list), STATUS_FILE, "no such list");
    assert_int_equal(list.count, 0);
    options.keypoints_file = files.picture;
    assert_int_equal(inputs_open(&options, stderr, &list).code, STATUS_FILE);
    options.keypoints_file = NULL;
    options.weights = files.list;
    assert_int_equal(inputs_open(&options, stderr, &list).code, STATUS_FILE);
    options.weights = ",";
    assert_int_equal(inputs_open(&options, stderr, &list).code, STATUS_USAGE);
    scratch_remove_tree(files.folder.path);
}

/* --- Beside other inputs ---------------------------------------------------------------------- */

TEST(a_picture_may_be_there_with_and_without_keypoints) {
    Files files = make_files();
    RunOptions options = options_for("hashsift", "lbp");
    options.input = files.folder.path;
    FILE *notes = tmpfile();
    scratch_write(&files.folder, "q.pgm", "P2 1 1 255 1\n");
    InputList list;
    assert_ok(inputs_open(&options, notes, &list));
    assert_int_equal(list.count, 4);
    static const WorkloadKind kinds[] = {WORKLOAD_IMAGE, WORKLOAD_IMAGE, WORKLOAD_KEYPOINTS,
                                         WORKLOAD_KEYPOINTS};
    static const char *const stems[] = {"p", "q", "p", "q"};
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.inputs[i].kind, kinds[i]);
        assert_string_equal(list.inputs[i].stem, stems[i]);
    }
    assert_string_equal(list.inputs[0].path, list.inputs[2].path);
    assert_int_equal(list.inputs[2].width, 4);
    assert_int_equal(list.inputs[0].weights.count, 0);
    assert_int_equal(list.inputs[2].weights.count, 6);
    inputs_release(&list);
    fclose(notes);
    scratch_remove_tree(files.folder.path);
}

TEST(descriptors_are_synthetic) {
    Files files = make_files();
    RunOptions options = options_for("matching", "lbp");
    options.input = files.picture; /* of lbp alone */
    InputList list = open_inputs(&options);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.inputs[1].kind, WORKLOAD_DESCRIPTORS);
    assert_string_equal(list.inputs[1].name, "pairs");
    const SizeSpec size = {.name = "30", .images = 30};
    Workload workload = load(&list.inputs[1], &size, 1);
    assert_int_equal(workload.kind, WORKLOAD_DESCRIPTORS);
    assert_int_equal(workload.queries, 30);
    assert_int_equal(workload.image.height, 60);
    assert_int_equal(workload.image.width, 128);
    assert_int_equal(workload.keypoints.wanted, 10000);
    assert_string_equal(workload.size_name, "30");
    const uint64_t hash = workload.hash;
    workload_release(&workload);
    assert_null(workload.image.pixels);
    workload = load(&list.inputs[1], &size, 2);
    assert_true(workload.hash != hash);
    workload_release(&workload);
    inputs_release(&list);
    scratch_remove_tree(files.folder.path);
}

/* A name that only one kind of input has leaves the others their own. */
TEST(a_synthetic_name_is_for_whom_it_fits) {
    RunOptions options = options_for("matching", "hashsift");
    options.synthetic = "noise";
    InputList list = open_inputs(&options);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.inputs[0].name, "noise");
    assert_string_equal(list.inputs[1].name, "pairs");
    inputs_release(&list);
    options.synthetic = "pairs";
    list = open_inputs(&options);
    assert_string_equal(list.inputs[0].name, "texture");
    assert_string_equal(list.inputs[1].name, "pairs");
    inputs_release(&list);
}
