/* Inputs that memory has no room for: mapped, with answers in memory or in files, verified by their
 * digest. The memory of this process is limited to what it has and a little more. */
#include "bench/runner_fixture.h"
#include "test.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets.h"
#include "exit_code.h"
#include "needs.h"
#include "process_memory.h"

EACH_TEST(reset);

enum { WIDTH = 8192, HEIGHT = 4096, HEADER = 17 };

static const uint64_t image_mebibytes = 32;

/* Zeros but for the last pixel, which is 7. */
static void write_image(const char *path, off_t less) {
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, "P5 8192 4096 255\n", HEADER), HEADER);
    assert_int_equal(pwrite(file, "\7", 1, HEADER + WIDTH * HEIGHT - 1 - less), 1);
    assert_int_equal(close(file), 0);
}

/* What an address sanitizer frees stays in use for a while. */
static void skip_where_memory_is_kept(void) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
}

/* Runs all variants on the image with so much memory left, in the folder of the outcome. */
static void run_within(uint64_t mebibytes, Outcome *outcome) {
    static char path[512], saved[512];
    struct rlimit before;
    RunOptions options = request("seq", "one_wrong", "past_end");
    fake_select(&options, "unwritten");
    outcome->folder = scratch_make();
    scratch_path(&outcome->folder, "image.pgm", path);
    scratch_path(&outcome->folder, "saved", saved);
    write_image(path, 0);
    assert_int_equal(mkdir(saved, 0700), 0);
    options.input = path;
    options.save = saved;
    options.sizes[0] = (SizeSpec){.name = "native"};
    options.reps = 2;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    const struct rlimit limit = {process_memory(MEMORY_DATA) + (mebibytes << 20), before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
    run_in(&options, outcome);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
}

static void check_rows(const Outcome *outcome, const char *mapped) {
    assert_int_equal(outcome->results.count, 4);
    const Row *rows = outcome->results.rows;
    check_ok(&rows[0], "seq");
    assert_string_equal(rows[0].mapped, mapped);
    assert_true(rows[0].peak_memory > 0);
    check_failed(&rows[1], "wrong answer: its digest is not that of seq");
    check_failed(&rows[2], "written out of bounds");
    check_failed(&rows[3], "wrong answer: its digest is not that of seq");
}

static void check_saved(const Outcome *outcome) {
    char name[512];
    RELEASED_BY(image_free) Image inverse;
    char *counts = scratch_read(&outcome->folder, "saved/fake-image-native-counts.csv");
    assert_string_equal(counts, "bin,count\n0,33554431\n1,0\n2,0\n3,1\n");
    scratch_path(&outcome->folder, "saved/fake-image-native-inverse.png", name);
    assert_ok(image_read(name, &inverse));
    assert_int_equal(inverse.width, WIDTH);
    assert_int_equal(image_row(&inverse, HEIGHT - 1)[WIDTH - 1], 248);
    assert_int_equal(image_row(&inverse, HEIGHT - 1)[WIDTH - 2], 255);
}

/* Memory for the answer alone: the oracle's is a digest. */
TEST_BOTH(an_answer_in_memory) {
    RELEASED_BY(finish) Outcome outcome;
    skip_where_memory_is_kept();
    run_within(3 * image_mebibytes / 2, &outcome);
    check_rows(&outcome, "input");
    check_saved(&outcome);
    assert_in_range(outcome.results.rows[0].host_peak, WIDTH * HEIGHT, WIDTH * HEIGHT + (1 << 20));
}

TEST_BOTH(an_answer_in_a_file) {
    RELEASED_BY(finish) Outcome outcome;
    run_within(image_mebibytes / 2, &outcome);
    check_rows(&outcome, "input+answer");
    check_saved(&outcome);
    assert_true(outcome.results.rows[0].host_peak < 1 << 20);
}

TEST(with_memory_for_all_nothing_is_mapped) {
    RELEASED_BY(finish) Outcome outcome;
    skip_where_memory_is_kept();
    run_within(4 * image_mebibytes, &outcome);
    check_ok(&outcome.results.rows[0], "seq");
    assert_string_equal(outcome.results.rows[0].mapped, "");
    check_failed(&outcome.results.rows[1], "expected 248; 1 of 33554436 elements differ");
    check_saved(&outcome);
}

/* Without its last pixel the file is refused before anything is measured. */
TEST(a_truncated_file_is_exit_code_5) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    char path[512];
    RunOptions options = request("seq", NULL, NULL);
    scratch_path(&outcome.folder, "image.pgm", path);
    write_image(path, 1);
    options.input = path;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_says(outcome.status.why, "truncated");
    assert_int_equal(fake_device.runs, 0);
}
