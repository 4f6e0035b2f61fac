/* Ctrl-C and a kill keep what was measured; Ctrl-C is heard soon whatever is going on; --resume
 * goes on from there. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "search_path.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

/* Cells that sample until a time limit, because no interval is ever that narrow: the interrupt
 * comes while the second one is on, however fast the machine. */
#define SLOW                                                                                       \
    "--algo lbp --sizes 256x256,200x200,128x128 --variants seq --ci-width 0.000000001 "            \
    "--max-time 700ms --no-plot --no-roof "

static void interrupt_in_the_second_cell(int signal_number) {
    const pid_t process = bench_start(SLOW "--out folder");
    const bool running = wait_for_text(process, "folder/results.csv", ",ok,", 120);
    if (running) {
        assert_int_equal(kill(process, signal_number), 0);
    }
    Outcome outcome = bench_wait(process);
    if (!running) {
        fail_msg("the second cell never began:\n%s", outcome.err);
    }
    check_code(&outcome, 130);
}

TEST(an_interrupt_keeps_what_was_measured) {
    interrupt_in_the_second_cell(SIGINT);
    assert_true(count_of(read_text("folder/results.csv"), ",ok,") >= 1);
    assert_true(count_of(read_text("folder/results.csv"), ",ok,") < 3);
    assert_true(file_exists("folder/results.json"));
    assert_int_equal(count_files(".part"), 0);
}

/* As when the connection to the machine is lost. */
TEST(a_terminal_that_closes_keeps_what_was_measured) {
    interrupt_in_the_second_cell(SIGHUP);
    assert_true(count_of(read_text("folder/results.csv"), ",ok,") >= 1);
    assert_true(file_exists("folder/results.json"));
    assert_int_equal(count_files(".part"), 0);
}

/* nohup and a script's background have it ignored; SIGTERM still ends the run. */
TEST(an_interrupt_that_is_ignored_ends_nothing) {
    ignore_interrupts(true);
    const pid_t process = bench_start("--algo lbp --sizes 64x64,32x32 --variants seq --ci-width "
                                      "0.000000001 --max-time 300ms --no-plot --no-roof --out "
                                      "folder");
    ignore_interrupts(false);
    const bool running = wait_for_text(process, "folder/results.csv", ",ok,", 120);
    assert_int_equal(kill(process, SIGINT), 0);
    Outcome outcome = bench_wait(process);
    assert_true(running);
    check_code(&outcome, 0);
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
}

/* As far as the kernel times: what is derived from all rows changes when there are more of them. */
static size_t times_length(const char *row) {
    enum { KERNEL_TIMES_END = 23 };
    size_t length = 0;
    for (int column = 0; column < KERNEL_TIMES_END; column++) {
        length += strcspn(row + length, ",") + 1;
    }
    return length;
}

TEST(resume_completes_the_run) {
    interrupt_in_the_second_cell(SIGINT);
    char *before = read_text("folder/results.csv");
    bench_ok("--resume folder");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 3);
    /* The first cell was not measured again: it has the same time. */
    const char *row = strstr(before, "\nlbp,seq,");
    assert_non_null(row);
    char *first = strndup(row, times_length(row));
    char *after = read_text("folder/results.csv");
    const char *kept = strstr(after, first);
    free(first);
    assert_non_null(kept);
}

TEST(resume_refuses_other_arguments) {
    bench_ok("--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof "
             "--out folder --quiet");
    char *before = read_text("folder/results.csv");
    check_refused(bench("--resume folder --reps 4"), 2, "reps");
    check_refused(bench("--algo lbp --sizes 32x32 --reps 3 --variants seq --no-roof "
                        "--resume folder"),
                  2, "sizes");
    char *after = read_text("folder/results.csv");
    assert_string_equal(before, after);
}

TEST(a_name_with_quotes_is_resumed) {
    write_file("it's.pgm", "P2 2 2 255 1 2 3 4\n", 19);
    bench_ok("--algo lbp --input it's.pgm --sizes 16x16 --reps 3 --variants seq "
             "--no-plot --no-roof --out folder --quiet");
    bench_ok("--resume folder");
    bench_ok("--algo lbp --input it's.pgm --sizes 16x16 --reps 3 --variants seq --no-plot "
             "--no-roof --quiet --resume folder");
    check_refused(bench("--resume folder --input its.pgm --quiet"), 5, "its.pgm");
}

/* A row's input is the image with its keypoints, and the weights that its algorithm reads. */
TEST(rows_of_keypoints_are_resumed) {
    enum { SIDE = 64, HEAD = 13 };
    char image[HEAD + SIDE * SIDE + 1];
    snprintf(image, sizeof image, "P5 64 64 255\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        image[HEAD + i] = (char)(i * 37 % 251);
    }
    write_file("image.pgm", image, HEAD + SIDE * SIDE);
    bench_ok("--algo orb,bad --input image.pgm --keypoints 20 --bits 256 --reps 3 "
             "--variants seq --no-plot --no-roof --out folder --quiet");
    bench_ok("--resume folder --quiet");
    image[HEAD] ^= 1;
    write_file("image.pgm", image, HEAD + SIDE * SIDE);
    check_refused(bench("--resume folder --quiet"), 2, "are not those that the stored run was");
}

/* The line of text that is stored is cut; the list of arguments is not. */
TEST(a_long_command_line_is_resumed) {
    char input[1200] = "";
    for (size_t used = 0; used + sizeof "./its.pgm" < sizeof input; used += 2) {
        memcpy(input + used, "./its.pgm", sizeof "./its.pgm");
    }
    assert_true(strlen(input) > 1024);
    write_file("its.pgm", "P2 2 2 255 1 2 3 4\n", 19);
    bench_ok("--algo lbp --input %s --sizes 16x16 --reps 3 --variants seq --no-plot "
             "--no-roof --out folder --quiet",
             input);
    bench_ok("--resume folder");
    check_refused(bench("--resume folder --reps 4"), 2, "reps");
}

static void check_text(const char *path, const char *want) {
    assert_string_equal(read_text(path), want);
}

/* The folder may be somebody else's: what it says about files is not followed. */
TEST(resume_writes_only_to_what_its_command_line_names) {
    bench_ok("--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof "
             "--out folder --quiet --csv named.csv --json=named.json --save saved");
    write_file("named.csv", "precious", 8);
    write_file("named.json", "precious", 8);
    bench_ok("--resume folder");
    check_text("named.csv", "precious");
    check_text("named.json", "precious");
    char *stored = read_text("folder/results.json");
    assert_null(strstr(stored, "--save"));
    bench_ok("--resume folder --csv named.csv");
    assert_int_equal(count_of(read_text("named.csv"), ",ok,"), 1);
    check_text("named.json", "precious");
}

/* --- Killed ----------------------------------------------------------------------------------- */

/* A turn has a hundred samples, or as many as fit into 20 ms: two of the others are done after
 * eight turns, when seq, whose sample takes a thousand times as long, has hundreds to go. */
#define UNEVEN                                                                                     \
    "--algo lacunarity --sizes 128x128 --box 64 --variants seq,simd,omp --threads 1 --reps 800 "   \
    "--no-plot --no-roof "
/* One after the other: two quick cells, then a slow one. */
#define GROWING                                                                                    \
    "--algo lbp --sizes 32x32,512x512 --variants seq,simd --no-interleave --ci-width "             \
    "0.000000001 --max-time 100s --max-cell 100s --no-plot --no-roof "

/* Kills the process that measures, as soon as both texts are in the file: one that is the child of
 * another has time to save. */
static void kill_at(const char *line, const char *path, const char *text, const char *other) {
    assert_int_equal(setenv("BENCH_SUPERVISE", "no", 1), 0);
    const pid_t process = bench_start(line);
    unsetenv("BENCH_SUPERVISE");
    const bool seen =
        wait_for_text(process, path, text, 120) && wait_for_text(process, path, other, 120);
    assert_int_equal(kill(process, SIGKILL), 0);
    Outcome outcome = bench_wait(process);
    if (!seen) {
        fail_msg("'%s' and '%s' were never in %s:\n%s", text, other, path, outcome.err);
    }
    assert_int_equal(outcome.code, 128 + SIGKILL);
}

/* Of the text of two files; each may be missing. */
static bool is_stored(const char *name) {
    char quoted[256];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *json = read_if_there("folder/results.json");
    const char *journal = read_if_there("folder/results.json.journal");
    return (json != NULL && strstr(json, quoted) != NULL) ||
           (journal != NULL && strstr(journal, quoted) != NULL);
}

TEST(sampled_cells_outlive_a_kill_beside_a_slow_one) {
    kill_at(UNEVEN "--out folder", "folder/results.json", "lacunarity/simd/", "lacunarity/omp/");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
    check_prints(bench("compare folder folder"), 0,
                 "2 cells: 0 slower, 0 faster, 0 same, 2 undecided");
    /* Their samples are not taken again: the slow one is alone. */
    (void)bench_interrupted("--resume folder", "stderr.txt", "oracle of lacunarity");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
}

TEST(a_resumed_run_that_is_killed_keeps_what_was_stored) {
    (void)bench_interrupted(GROWING "--out folder", "folder/results.json", "lbp/simd/");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
    kill_at("--resume folder", "stderr.txt", "oracle of lbp", "");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
    assert_true(is_stored("lbp/seq/texture/32x32"));
    assert_true(is_stored("lbp/simd/texture/32x32"));
}

/* More of them than the files could be written anew for each. */
TEST(each_of_many_quick_cells_is_stored) {
    char sizes[1024] = "8x8";
    for (int i = 1; i < 50; i++) {
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), ",%dx8", 8 + i);
    }
    char line[1500];
    snprintf(line, sizeof line,
             "--algo lbp --variants seq,simd --no-interleave --reps 50 --no-plot --no-roof --out "
             "folder --sizes %s",
             sizes);
    kill_at(line, "stderr.txt", "[100/100]", "");
    for (int i = 0; i < 99; i++) {
        char name[64];
        snprintf(name, sizeof name, "lbp/%s/texture/%dx8", i % 2 == 0 ? "seq" : "simd", 8 + i / 2);
        if (!is_stored(name)) {
            fail_msg("%s was finished, and is lost", name);
        }
    }
    bench_ok("--resume folder --quiet");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 100);
    assert_false(file_exists("folder/results.json.journal"));
}

TEST(a_run_without_a_sample_keeps_an_earlier_one) {
    bench_ok("--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof "
             "--out folder --csv copy.csv --quiet");
    check_says(bench("--algo lbp --sizes 512x512 --max-cell 1us --variants seq --no-plot "
                     "--no-roof --out folder --force --csv copy.csv --json new.json --quiet"),
               6, "; the results of the earlier run are kept");
    assert_true(is_stored("lbp/seq/texture/16x16"));
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 1);
    assert_int_equal(count_of(read_text("copy.csv"), ",ok,"), 1);
    assert_int_equal(count_of(read_text("folder/results.csv"), ",skip"), 0);
    assert_true(file_exists("new.json")); /* there was none to keep */
}

/* A file with fewer cells would take the place of the stored one. */
TEST(a_run_of_fewer_cells_does_not_resume) {
    assert_int_equal(mkdir("in", 0700), 0);
    write_file("in/a.pgm", "P2 2 2 255 1 2 3 4\n", 19);
    write_file("in/b.pgm", "P2 2 2 255 1 2 3 5\n", 19);
    bench_ok("--algo lbp --input in --sizes 16x16 --reps 3 --variants seq --no-plot "
             "--no-roof --out folder --quiet");
    assert_int_equal(unlink("in/a.pgm"), 0);
    check_refused(bench("--resume folder"), 2, "such as lbp/seq/a.pgm/16x16");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 2);
}

static Outcome end_soon(pid_t process, int signal_number) {
    assert_int_equal(kill(process, signal_number), 0);
    return bench_wait_at_most(process, 20);
}

/* One run of the second cell takes minutes, in which nothing looks for an interrupt. */
TEST(a_run_of_minutes_is_abandoned) {
    const pid_t process =
        bench_start("--algo lbp,matching --sizes 64x64 --keypoints 100000 --variants seq --reps 3 "
                    "--max-cell 1000000 --no-plot --no-roof --out folder --csv copy.csv");
    assert_true(wait_for_text(process, "folder/results.csv", ",ok,", 120));
    sleep(1); /* the second one is under way */
    Outcome outcome = end_soon(process, SIGTERM);
    check_code(&outcome, 130);
    check_contains(outcome.err, "bench: interrupted: 1 of 2 cells are in folder");
    check_contains(outcome.out, "1 cell: 1 ok");
    assert_int_equal(count_of(read_text("folder/results.csv"), ",ok,"), 1);
    assert_int_equal(count_of(read_text("copy.csv"), ",ok,"), 1);
    assert_int_equal(count_files(".part"), 0);
}

/* Programs called gnuplot come first: this one never ends. */
/* Returns what search_path_restore wants. */
static char *hang_gnuplot(void) {
    static const char script[] = "#!/bin/sh\n: > started\nexec sleep 100\n";
    assert_int_equal(mkdir("bin", 0700), 0);
    write_file("bin/gnuplot", script, sizeof script - 1);
    assert_int_equal(chmod("bin/gnuplot", 0700), 0);
    return search_path_set("bin", false);
}

TEST(charts_are_not_waited_for) {
    bench_ok("--algo lbp --sizes 64x48,128x96 --reps 6 --variants seq,simd --no-plot "
             "--no-roof --quiet --out stored");
    char *before = hang_gnuplot();
    const pid_t process = bench_start("plot stored");
    const bool started = wait_for_text(process, "started", "", 120);
    Outcome outcome = end_soon(process, SIGINT);
    search_path_restore(before);
    assert_true(started);
    check_code(&outcome, 130);
    assert_string_equal(outcome.err, "bench: interrupted while charts were drawn\n");
}
