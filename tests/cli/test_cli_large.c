/* Images that memory has no room for, through the program: what it says of them, that they are
 * never in memory whole, and files that are cut short or find no room. */
#include <fcntl.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "search_path.h"
#include "test.h"

enum { MEBIBYTE = 1 << 20 };

#define QUICK " --reps 1 --warmup 1 --no-roof --no-plot --out run"

/* A sparse PGM; of its pixels all are 0 but the last, which is 9. */
static void write_pgm(const char *path, int width, int height) {
    char header[64];
    const int length = snprintf(header, sizeof header, "P5 %d %d 255\n", width, height);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, header, (size_t)length), length);
    assert_int_equal(pwrite(file, "\t", 1, length + (off_t)width * height - 1), 1);
    assert_int_equal(close(file), 0);
}

/* A limit that leaves a little more than the program needs by itself. Sanitizers take terabytes. */
static void limit_memory(size_t mebibytes) {
#ifdef SANITIZED_ADDRESSES
    (void)mebibytes;
    skip_needing(NEEDS_ADDRESSES, NULL);
#else
    limit_data(mebibytes * MEBIBYTE);
#endif
}

static void leave(void) {
    limit_data(0);
    limit_addresses(0);
    limit_file_size(0);
    folder_leave();
}

EACH_TEST(folder_enter, leave);

/* The columns from `name` on of the first row whose variant is `variant`, in results.csv. */
static char *column_of(const char *variant, const char *name) {
    char *text = read_text("run/results.csv");
    char *head = strstr(text, "algorithm,variant,");
    assert_non_null(head);
    size_t place = 0;
    const char *found = strstr(head, name);
    assert_non_null(found);
    for (const char *at = head; at < found; at++) {
        place += *at == ',';
    }
    char *row = strstr(head, variant);
    assert_non_null(row);
    while (row > head && row[-1] != '\n') {
        row--;
    }
    for (bool quoted = false; place > 0; row++) {
        quoted ^= *row == '"';
        place -= *row == ',' && !quoted;
    }
    char *value = strndup(row, strcspn(row, ",\n"));
    return test_keep(value);
}

static void check_column(const char *variant, const char *name, const char *wanted) {
    char *value = column_of(variant, name);
    assert_string_equal(value, wanted);
}

/* By hand: where all is 0 every neighbour is at least as large, code 255. The last pixel's
 * neighbours are all smaller, code 0; its own three neighbours see nothing but equal or larger
 * ones. */
static void check_histogram(void) {
    char *text = read_text("saved/lbp-image-native-histogram.csv");
    check_contains(text, "\n0,1\n");
    check_contains(text, "\n255,67108863\n");
}

/* 64 MiB, of which memory has room for half. gnuplot, which the limit holds too, needs more. */
TEST(an_image_and_its_answer_that_memory_has_no_room_for) {
    write_pgm("image.pgm", 8192, 8192);
    limit_memory(32);
    char *path = search_path_set("/nowhere", true);
    Outcome outcome = bench("--algo lbp --variants simd,omp --threads 2 --input image.pgm "
                            "--max-cell 0.01 --save saved" QUICK);
    search_path_restore(path);
    check_code(&outcome, 0);
    check_contains(outcome.out, "2 cells: 2 ok, 0 skipped, 0 failed");
    check_column(",simd,", "mapped", "input+answer");
    check_column(",omp,", "verified,", "yes");
    char *peak = column_of(",omp,", "peak_memory_bytes");
    assert_true(strtod(peak, NULL) > 0);
    /* What was allocated, without pages that the system may take back. */
    char *held = column_of(",omp,", "host_mib");
    assert_true(strtod(held, NULL) < 16);
    check_histogram();
    assert_int_equal(count_files("bench-"), 0);
}

/* The same with histograms alone: nothing is written. */
TEST(an_answer_that_is_small) {
    write_pgm("image.pgm", 8192, 8192);
    limit_memory(32);
    check_prints(bench("--algo lbp_riu,lacunarity --pr 8:1 --store none --box 16 --threshold 1 "
                       "--variants simd --input image.pgm --max-cell 0.01" QUICK),
                 0, "2 cells: 2 ok, 0 skipped, 0 failed");
    check_column("lacunarity,simd,", "mapped", "input");
}

TEST(no_room_for_the_answer) {
    write_pgm("image.pgm", 8192, 8192);
    limit_memory(32);
    limit_file_size((size_t)50 * MEBIBYTE);
    check_says(bench("--algo lbp --variants simd --input image.pgm --quiet" QUICK), 6,
               "in memory; as a file: needs 64.0 MiB in run, 50.0 MiB free; TMPDIR "
               "names its folder");
}

/* 40 GB that are not there: the plan needs no look at them. */
TEST(what_a_plan_says) {
    write_pgm("huge.pgm", 200000, 200000);
    check_prints(bench("--algo lbp_riu --pr 8:1 --store none --variants simd "
                       "--input huge.pgm --no-roof --dry-run"),
                 0, " 256 B      \n");
}

/* Without addresses to map it the cells are skipped. */
TEST(no_addresses) {
    write_pgm("huge.pgm", 200000, 200000);
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    limit_addresses((size_t)1024 * MEBIBYTE);
    check_says(bench("--algo lbp --variants simd --input huge.pgm --quiet" QUICK), 6,
               "needs 37.3 GiB");
}

TEST(a_truncated_file) {
    write_pgm("huge.pgm", 200000, 200000);
    assert_int_equal(truncate("huge.pgm", (off_t)200000 * 200000), 0);
    check_refused(bench("--algo lbp --variants simd --input huge.pgm" QUICK), 5,
                  "huge.pgm: damaged PNM (P5): the file is truncated");
    assert_false(file_exists("run"));
    assert_int_equal(rename("huge.pgm", "huge.200000x200001.raw"), 0);
    check_refused(bench("--algo lbp --variants simd --input huge.200000x200001.raw" QUICK), 5,
                  "has 40000000000 bytes; 200000x200001 pixels of a byte each are 40000200000");
}

/* What was measured before is kept. lacunarity's seq takes minutes, in which the file shrinks. */
TEST(a_file_that_is_cut_short_under_the_run) {
    write_pgm("image.pgm", 8192, 4096);
    limit_memory(32);
    const pid_t process =
        bench_start("--algo lbp,lacunarity --variants seq --box 100 --max-cell 100000 "
                    "--input image.pgm --quiet" QUICK);
    const bool running = wait_for_text(process, "run/results.csv", "lbp,seq,", 240);
    assert_int_equal(truncate("image.pgm", 1 << 20), 0);
    Outcome outcome = bench_wait_at_most(process, 120);
    assert_true(running);
    check_code(&outcome, 5);
    check_contains(outcome.err, "bench: image.pgm: can no longer be read: the file was cut short "
                                "while it was used, or its disk fails\n");
    check_column("lbp,seq,", "status", "ok");
    assert_true(file_exists("run/results.json"));
    assert_int_equal(count_files(".part"), 0);
}
