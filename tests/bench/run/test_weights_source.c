

#include "bench/scratch_folder.h"
#include "fnv.h"
#include "harness.h"
#include "inputs.h"
#include "test.h"
#include "weights_files.h"
#include "weights_kinds.h"

#define VARIABLE "BENCH_WEIGHTS_DIR"

static void make_folder(void) {
    assert_int_equal(setenv(VARIABLE, test_folder, 1), 0);
}

static void remove_folder(void) {
    assert_int_equal(unsetenv(VARIABLE), 0);
}

EACH_TEST(make_folder, remove_folder);

/* A file in the folder, which differs from others by its seed. */
static void write_weights(const char *name, const char *kind, int32_t bits, uint64_t seed) {
    RELEASED_BY(weights_free) Weights weights;
    const char *path = test_path(name);
    assert_ok(weights_random(test_kind(kind), bits, seed, &weights));
    assert_ok(weights_write(path, &weights, NULL));
}

static WeightsList load(const char *files) {
    WeightsList list;
    assert_ok(weights_load(files, 9, &list));
    return list;
}

static void check_refused(const char *files, StatusCode code, const char *why) {
    WeightsList list;
    const Status status = weights_load(files, 9, &list);
    assert_int_equal(status.code, code);
    assert_says(status.why, why);
    assert_int_equal(list.count, 0);
}

TEST(random_ones_are_of_every_kind) {
    WeightsList list = load("random");
    WeightsList other;
    assert_int_equal(list.count, 6);
    for (int bits = 256; bits <= 512; bits += 256) {
        assert_int_equal(weights_find(&list, WEIGHTS_HASHSIFT, bits)->columns, 129);
        assert_int_equal(weights_find(&list, WEIGHTS_BAD, bits)->columns, 6);
        assert_int_equal(weights_find(&list, WEIGHTS_ORB, bits)->columns, 4);
    }
    assert_ok(weights_load("random", 10, &other));
    assert_true(weights_list_hash(FNV_START, &list, false) !=
                weights_list_hash(FNV_START, &other, false));
    weights_release(&other);
    weights_release(&list);
    assert_int_equal(list.count, 0);
}

TEST(trained_ones_are_taken_as_far_as_there_are_any) {
    RELEASED_BY(weights_release) WeightsList list = load(NULL);
    assert_int_equal(list.count, 0);
    write_weights("bad-512.csv", WEIGHTS_BAD, 512, 1);
    write_weights("hashsift-256.csv", WEIGHTS_HASHSIFT, 256, 1);
    list = load(NULL);
    assert_int_equal(list.count, 2);
    assert_string_equal(weights_find(&list, WEIGHTS_BAD, 512)->name, "bad-512.csv");
    assert_non_null(weights_find(&list, WEIGHTS_HASHSIFT, 256));
}

TEST(named_ones_come_before_trained_ones) {
    char files[1100];
    write_weights("bad-256.csv", WEIGHTS_BAD, 256, 1);
    write_weights("hashsift-512.csv", WEIGHTS_HASHSIFT, 512, 1);
    write_weights("mine.csv", WEIGHTS_BAD, 256, 2);
    write_weights("more.csv", WEIGHTS_BAD, 512, 2);
    snprintf(files, sizeof files, "%s/mine.csv,%s/more.csv", test_folder, test_folder);
    RELEASED_BY(weights_release) WeightsList list = load(files);
    assert_int_equal(list.count, 3);
    assert_string_equal(weights_find(&list, WEIGHTS_BAD, 256)->name, "mine.csv");
    assert_string_equal(weights_find(&list, WEIGHTS_BAD, 512)->name, "more.csv");
    assert_string_equal(weights_find(&list, WEIGHTS_HASHSIFT, 512)->name, "hashsift-512.csv");
}

TEST(what_is_not_good_is_refused) {
    char files[1100];
    check_refused("", STATUS_USAGE, "--weights: a name is empty");
    check_refused("no such file", STATUS_FILE, "no such file");
    write_weights("one.csv", WEIGHTS_BAD, 256, 1);
    write_weights("two.csv", WEIGHTS_BAD, 256, 2);
    snprintf(files, sizeof files, "%s/one.csv,%s/two.csv", test_folder, test_folder);
    check_refused(files, STATUS_USAGE,
                  "one.csv and two.csv are both for bad with 256 bits; write one of them");
    snprintf(files, sizeof files, "%s/one.csv,", test_folder);
    check_refused(files, STATUS_USAGE, "--weights: a name is empty");
    test_write("hashsift-256.csv", "nonsense\n");
    check_refused(NULL, STATUS_FILE, "hashsift-256.csv");
}

/* Weights of hashsift and bad stand in the hash of every input, those of later kinds of descriptors
 * only in that of their own rows. */
TEST(the_hash_is_of_all_values, NULL) {
    float values[2] = {1, 2};
    WeightsList list = {
        .count = 2,
        .list = {{.kind = WEIGHTS_HASHSIFT, .bits = 1, .columns = 1, .values = &values[0]},
                 {.kind = WEIGHTS_BAD, .bits = 1, .columns = 1, .values = &values[1]}}};
    assert_true(weights_list_hash(5, &list, NULL) == fnv_bytes(5, values, sizeof values));
    values[1] = 3;
    assert_true(weights_list_hash(5, &list, NULL) == fnv_bytes(5, values, sizeof values));
    assert_true(weights_list_hash(5, &list, WEIGHTS_BAD) == 5);
    snprintf(list.list[1].kind, sizeof list.list[1].kind, WEIGHTS_ORB);
    assert_true(weights_list_hash(5, &list, NULL) == fnv_bytes(5, &values[0], sizeof values[0]));
    assert_true(weights_list_hash(5, &list, WEIGHTS_ORB) ==
                fnv_bytes(5, &values[1], sizeof values[1]));
    assert_true(weights_list_hash(5, &list, WEIGHTS_HASHSIFT) == 5);
    list.count = 0;
    assert_true(weights_list_hash(5, &list, NULL) == 5);
}
