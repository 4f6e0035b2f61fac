/* Inputs and oracles that the launches of a run keep for each other. */
#include "bench/runner_fixture.h"
#include "plan.h"

#include <fcntl.h>
#include <unistd.h>

#include "datasets.h"
#include "exit_code.h"
#include "fnv.h"
#include "inputs.h"
#include "kept.h"
#include "test.h"

static const char variable[] = "BENCH_KEPT_FILE";

static void begin(void) {
    reset();
    kept_make();
}

static void end(void) {
    kept_offer(false);
    kept_close();
}

EACH_TEST(begin, end);

static const Plan no_cells = {.cell_count = 0};

static int descriptor(void) {
    kept_offer(true);
    return atoi(getenv(variable));
}

static Workload load_for(Algorithm algorithm, SizeSpec size) {
    Input input = input_default(&algorithm);
    Workload workload;
    assert_ok(workload_load(&input, &size, 1, &workload));
    return workload;
}

static Workload load(WorkloadKind kind, SizeSpec size) {
    return load_for((Algorithm){.input = kind}, size);
}

static Workload load_keypoints(void) {
    return load(WORKLOAD_KEYPOINTS, (SizeSpec){.name = "64x48", .width = 64, .height = 48});
}

static void check_same(const Workload *a, const Workload *b) {
    assert_true(a->hash == b->hash && a->hash != 0);
    assert_ptr_not_equal(a->image.pixels, b->image.pixels);
    assert_true(image_hash(&a->image) == image_hash(&b->image));
    assert_int_equal(a->set.labels != NULL, b->set.labels != NULL);
    if (a->set.labels != NULL) {
        assert_memory_equal(a->set.labels, b->set.labels, (size_t)a->set.count);
    }
    assert_int_equal(a->keypoints.count, b->keypoints.count);
    assert_memory_equal(a->keypoints.keypoints, b->keypoints.keypoints,
                        (size_t)a->keypoints.count * sizeof(Keypoint));
    assert_int_equal(a->weights.count, b->weights.count);
    assert_true(weights_list_hash(FNV_START, &a->weights, NULL) ==
                weights_list_hash(FNV_START, &b->weights, NULL));
}

TEST(an_input_of_each_kind_comes_back_whole) {
    const SizeSpec sizes[] = {
        [WORKLOAD_IMAGE] = {.name = "33x20", .width = 33, .height = 20},
        [WORKLOAD_IMAGE_SET] = {.name = "9", .width = 6, .height = 5, .images = 9},
        [WORKLOAD_KEYPOINTS] = {.name = "64x48", .width = 64, .height = 48},
        [WORKLOAD_DESCRIPTORS] = {.name = "10", .images = 10}};
    Workload loaded[4];
    for (size_t i = 0; i < 4; i++) {
        loaded[i] = load((WorkloadKind)i, sizes[i]);
        kept_add_workload(&no_cells, i, &loaded[i]);
    }
    kept_seal();
    for (size_t i = 0; i < 4; i++) {
        Workload kept;
        assert_true(kept_workload(i, &loaded[i], &kept));
        check_same(&loaded[i], &kept);
        workload_release(&kept);
        assert_false(kept_workload(i, &loaded[(i + 1) % 4], &kept)); /* another shape */
        workload_release(&loaded[i]);
    }
}

TEST(two_images_of_another_type_come_back_whole) {
    const SizeSpec size = {.name = "33x20", .width = 33, .height = 20};
    RELEASED_BY(workload_release)
    Workload loaded = load_for((Algorithm){.element = OUTPUT_ARRAY_F32, .pair = true}, size);
    RELEASED_BY(workload_release)
    Workload other = load_for((Algorithm){.element = OUTPUT_ARRAY_I32, .pair = true}, size);
    RELEASED_BY(workload_release)
    Workload one = load_for((Algorithm){.element = OUTPUT_ARRAY_F32}, size);
    Workload kept;
    kept_add_workload(&no_cells, 0, &loaded);
    kept_seal();
    assert_true(kept_workload(0, &loaded, &kept));
    assert_true(kept.hash == loaded.hash);
    assert_memory_equal(kept.image.pixels, loaded.image.pixels, sizeof(float[33 * 20]));
    assert_memory_equal(kept.second.pixels, loaded.second.pixels, sizeof(float[33 * 20]));
    assert_ptr_not_equal(kept.second.pixels, loaded.second.pixels);
    workload_release(&kept);
    assert_false(kept_workload(0, &other, &kept));
    assert_false(kept_workload(0, &one, &kept));
}

TEST(nothing_changes_once_it_is_sealed) {
    const Workload first = load_keypoints();
    Workload kept;
    kept_add_workload(&no_cells, 0, &first);
    assert_false(kept_is_sealed());
    kept_seal();
    assert_true(kept_is_sealed());
    assert_int_equal(pwrite(descriptor(), "x", 1, 100), -1);
    kept_add_workload(&no_cells, 1, &first);
    assert_false(kept_workload(1, &first, &kept));
    assert_true(kept_workload(0, &first, &kept));
    workload_release(&kept);
    workload_release((Workload *)&first);
}

/* In the head, the image, or the last of the weights. */
TEST(an_input_that_was_spoilt_is_not_used) {
    RELEASED_BY(workload_release) Workload workload = load_keypoints();
    kept_add_workload(&no_cells, 0, &workload);
    const int file = descriptor();
    const off_t size = lseek(file, 0, SEEK_END);
    const off_t places[] = {60, (off_t)sizeof workload + 100, size - 1};
    for (size_t i = 0; i < 3; i++) {
        char byte = 0;
        RELEASED_BY(workload_release) Workload kept;
        assert_int_equal(pread(file, &byte, 1, places[i]), 1);
        byte ^= 1;
        assert_int_equal(pwrite(file, &byte, 1, places[i]), 1);
        assert_false(kept_workload(0, &workload, &kept));
        byte ^= 1;
        assert_int_equal(pwrite(file, &byte, 1, places[i]), 1);
        assert_true(kept_workload(0, &workload, &kept));
    }
}

/* An entry that a launch was killed in has no head. */
TEST(an_entry_without_a_head_is_written_anew) {
    RELEASED_BY(workload_release) Workload workload = load_keypoints();
    RELEASED_BY(workload_release) Workload kept;
    assert_int_equal(pwrite(descriptor(), "half", 4, 500), 4);
    assert_false(kept_workload(0, &workload, &kept));
    kept_add_workload(&no_cells, 0, &workload);
    assert_true(kept_workload(0, &workload, &kept));
}

/* Cells find the memory that they need. */
TEST(what_does_not_fit_beside_the_cells_is_not_kept) {
    PlanCell cell = {.host_bytes = UINT64_MAX / 4};
    const Plan plan = {.cells = &cell, .cell_count = 1};
    RELEASED_BY(workload_release) Workload workload = load_keypoints();
    Workload kept;
    kept_add_workload(&plan, 0, &workload);
    assert_false(kept_workload(0, &workload, &kept));
}

TEST(a_variable_of_somebody_else_names_no_file) {
    const int other = open("/dev/null", O_RDONLY);
    const char *const texts[] = {"", "x", "-1", "0", "1", "99999", "99999999999999999999", NULL};
    char number[16];
    kept_close();
    snprintf(number, sizeof number, "%d", other);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        setenv(variable, texts[i] != NULL ? texts[i] : number, 1);
        kept_attach();
        assert_null(getenv(variable));
        assert_false(kept_is_sealed());
    }
    assert_int_equal(fcntl(other, F_GETFD), 0); /* not taken over */
    close(other);
}

/* --- Launches --------------------------------------------------------------------------------- */

static void always_right(const Output *got, const Output *want, Verdict *verdict) {
    (void)got;
    (void)want;
    verdict->accepted = true;
    verdict->agreement = 1;
}

static Algorithm tolerant;

static RunOptions request_of(int pass, char *out, const char *first) {
    RunOptions options = request("seq", "simd", NULL);
    tolerant = fake_algorithm;
    tolerant.name = "tolerant";
    tolerant.compare = always_right; /* and no digest: every launch needs the oracle */
    if (registry_find_algorithm(tolerant.name) == NULL) {
        assert_ok(registry_add(&tolerant, NULL));
    }
    options.algorithms[0] = &tolerant;
    options.launches = 2;
    options.pass = pass;
    options.first = first;
    options.out = out;
    return options;
}

/* How often a variant was opened in launch 2, after a first one with or without a file. */
static int opened_later(bool kept) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    char paths[2][512];
    int before = 0;
    if (kept) {
        kept_offer(true);
    } else {
        end();
    }
    for (int pass = 1; pass <= 2; pass++) {
        scratch_path(&outcome.folder, pass == 1 ? "one" : "two", paths[pass - 1]);
        RunOptions options = request_of(pass, paths[pass - 1], pass == 1 ? NULL : paths[0]);
        before = fake_device.opened;
        run_in(&options, &outcome);
        kept_seal();
        assert_int_equal(outcome.exit_code, EXIT_OK);
        check_ok(&outcome.results.rows[1], "simd");
        assert_string_equal(outcome.results.rows[1].verified_by, "seq");
        if (pass == 1) {
            forget_results(&outcome);
        }
    }
    const int opened = fake_device.opened - before;
    return opened;
}

/* A probe of seq is two runs, the oracle one. */
TEST(a_later_launch_does_not_compute_an_oracle_again) {
    const int alone = opened_later(false);
    begin();
    assert_int_equal(opened_later(true), alone - 3);
}
