/* Variants that end their process, from outside: each has a row that says what happened, the others
 * go on. The module is tests/conformance/deadly.c. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

#define MODULE "--plugin " DEADLY_MODULE " --algo deadly "
#define QUIET MODULE "--no-plot --no-roof --quiet --out run --force "
#define RUN QUIET "--reps 3 "
#define EVERY                                                                                      \
    "--variants seq,right,in_open,in_upload,in_run,in_later_run,in_download,in_close,last "
#define SHAPES "--shapes 3x2,16x16 --contents noise,ramp "

/* The variant, and the step in which it ends its process. */
static const struct {
    const char *variant, *step;
} steps[] = {{"in_open", "open"},     {"in_upload", "upload"},     {"in_run", "run"},
             {"in_later_run", "run"}, {"in_download", "download"}, {"in_close", "close"}};

enum { STEPS = sizeof steps / sizeof steps[0] };

/* How a process ends, and the words for that; NULL: a sanitizer has others. */
static const struct {
    const char *how, *words;
} ways[] = {{"exit", "ended its process with exit code 0 in run"},
            {"uexit", "ended its process with exit code 3 in run"},
            {"kill", "ended its process by SIGKILL (Killed) in run"},
            {"abort", "crashed: SIGABRT (Aborted) in run"},
            {"int", "ended its process by SIGINT (Interrupt) in run"},
            {"segv", NULL},
            {"fpe", NULL}};

enum { WAYS = sizeof ways / sizeof ways[0] };

static void enter(void) {
    unsetenv("DEADLY_IN");
    unsetenv("DEADLY_WIDTH");
    setenv("DEADLY", "uexit", 1);
    folder_enter();
}

EACH_TEST(enter, folder_leave);

static void die_in(const char *where) {
    assert_int_equal(setenv("DEADLY_IN", where, 1), 0);
}

static void die_by(const char *how) {
    assert_int_equal(setenv("DEADLY", how, 1), 0);
}

/* The line of the CSV that begins with "deadly,VARIANT,cpu,texture,SIZE,". */
static char *row_of(const char *path, const char *variant, const char *size) {
    char start[96];
    char *csv = read_text(path);
    snprintf(start, sizeof start, "\ndeadly,%s,cpu,texture,%s,", variant, size);
    const char *line = strstr(csv, start);
    if (line == NULL) {
        fail_msg("%s has no row of %s at %s", path, variant, size);
        return NULL;
    }
    char *row = strndup(line + 1, strcspn(line + 1, "\n"));
    return test_keep(row);
}

static void check_row(const char *path, const char *variant, const char *size,
                      const char *fragment) {
    char *row = row_of(path, variant, size);
    check_contains(row, fragment);
}

static void check_ok(const char *path, const char *variant, const char *size) {
    check_row(path, variant, size, ",ok,");
}

/* Whether no process of the program is left that was started in this folder. */
static void check_nobody_is_left(void) {
    for (int i = 0; i < 500; i++) {
        if (system("for p in /proc/[0-9]*; do [ \"$(readlink $p/cwd)\" = \"$PWD\" ] && "
                   "[ \"$(readlink $p/exe)\" = " BENCH_PROGRAM " ] && exit 1; done; exit 0") == 0) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
    fail_msg("a process is left");
}

/* === bench run ================================================================================ */

TEST(every_step_has_its_row) {
    check_says(bench(RUN EVERY "--sizes 16x16,40x24"), 4,
               "bench: 12 of 18 cells failed; the first is deadly/in_open/texture/16x16: "
               "ended its process with exit code 3 in open\n");
    static const char *const sizes[] = {"16x16", "40x24"};
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < STEPS; i++) {
            char why[96];
            snprintf(why, sizeof why, ",fail,ended its process with exit code 3 in %s,",
                     steps[i].step);
            check_row("run/results.csv", steps[i].variant, sizes[s], why);
        }
        check_ok("run/results.csv", "seq", sizes[s]);
        check_ok("run/results.csv", "right", sizes[s]);
        check_ok("run/results.csv", "last", sizes[s]);
    }
    assert_int_equal(count_files(".part") + count_files(".journal"), 0);
}

/* A variant without a time is no variant that is not there. */
TEST(the_headline_names_what_failed) {
    check_prints(bench(RUN "--variants seq,in_run --sizes 16x16,40x24"), 4,
                 "\ndeadly at 40x24: seq alone has a time on the CPU, in_run FAILED\n",
                 "  2 cells: ended its process with exit code 3 in run\n"
                 "      deadly/in_run/texture/16x16\n"
                 "      deadly/in_run/texture/40x24\n");
    die_in("seq");
    check_prints(bench(RUN "--variants seq,right --sizes 16x16"), 4,
                 "\nno cell has a time: seq FAILED\n");
    check_prints(bench("runs . --json --plugin " DEADLY_MODULE), 0,
                 "no cell has a time: seq FAILED");
}

TEST(every_way_to_end_has_its_words) {
    for (size_t i = 0; i < WAYS; i++) {
        die_by(ways[i].how);
        Outcome outcome = bench(RUN "--variants in_run,right --sizes 16x16");
        check_code(&outcome, 4);
        check_contains(outcome.err, "deadly/in_run/texture/16x16: ");
        if (ways[i].words != NULL) {
            check_contains(outcome.err, ways[i].words);
        }
        check_ok("run/results.csv", "right", "16x16");
    }
}

/* The first process of the run keeps what it has measured. */
TEST(cells_before_it_are_kept) {
    assert_int_equal(setenv("DEADLY_WIDTH", "40", 1), 0);
    check_says(bench(RUN "--variants seq,in_run,last --sizes 16x16,40x24"), 4,
               "1 of 6 cells failed");
    check_ok("run/results.csv", "in_run", "16x16");
    check_row("run/results.csv", "in_run", "40x24", ",fail,ended its process");
    check_ok("run/results.csv", "last", "40x24");
    /* Without its fault the cell is measured when the run is resumed, and nothing else is. */
    char *before = row_of("run/results.csv", "last", "40x24");
    unsetenv("DEADLY");
    bench_ok("--resume run --quiet --plugin " DEADLY_MODULE);
    check_ok("run/results.csv", "in_run", "40x24");
    char *after = row_of("run/results.csv", "last", "40x24");
    assert_memory_equal(before, after, strcspn(before, "."));
}

TEST(a_call_that_does_not_come_back_is_ended) {
    die_by("loop");
    check_ends(bench(RUN "--variants seq,in_run,in_download,last --sizes 16x16 --max-cell 300ms"),
               4);
    check_row("run/results.csv", "in_run", "16x16", ",did not come back from run within 0.3 s,");
    check_row("run/results.csv", "in_download", "16x16",
              ",did not come back from download within 0.3 s,");
    check_ok("run/results.csv", "last", "16x16");
}

/* The limit of seq, half of the budget, is none of a call: slow code is not wrong. */
TEST(a_small_budget_ends_no_call) {
    die_by("sleep");
    check_ends(bench("--plugin " DEADLY_MODULE " --algo deadly --variants in_run "
                     "--sizes 16x16 --budget 1s --no-plot --no-roof --quiet --out run"),
               0);
    check_ok("run/results.csv", "in_run", "16x16");
    check_ends(bench("--plugin " DEADLY_MODULE " --algo deadly --variants seq,in_run "
                     "--sizes 16x16 --budget 1s --no-plot --no-roof --quiet --out beside"),
               0);
    check_row("beside/results.csv", "in_run", "16x16", ",skip,\"it is right, but ");
}

/* Whatever dies of the damage, nothing that is right fails. */
TEST(damaged_memory_is_not_the_fault_of_the_next) {
    die_by("heap");
    check_ends(bench(RUN "--variants seq,right,in_run,in_upload,no_memory,last "
                         "--sizes 16x16,40x24"),
               4);
    static const char *const innocent[] = {"seq", "right", "last"};
    for (size_t i = 0; i < 3; i++) {
        check_ok("run/results.csv", innocent[i], "16x16");
        check_ok("run/results.csv", innocent[i], "40x24");
    }
    check_row("run/results.csv", "no_memory", "16x16", ",skip,no memory left");
    check_row("run/results.csv", "no_memory", "40x24", ",skip,no memory left");
}

TEST(without_an_oracle_nothing_is_verified) {
    die_in("seq");
    check_ends(bench(RUN "--variants seq,right,last --sizes 16x16,40x24"), 4);
    static const char *const sizes[] = {"16x16", "40x24"};
    for (size_t i = 0; i < 2; i++) {
        check_row("run/results.csv", "seq", sizes[i],
                  ",fail,ended its process with exit code 3 in");
        check_row(
            "run/results.csv", "last", sizes[i],
            ",skip,\"no oracle, because it failed: ended its process with exit code 3 in run");
    }
}

TEST(what_a_process_needs_is_looked_after) {
    die_by("close");
    check_says(bench(RUN "--variants seq,in_run,last --sizes 16x16"), 4,
               "deadly/in_run/texture/16x16: it closed or replaced files of the "
               "process");
    check_ok("run/results.csv", "last", "16x16");
}

/* === The program's own variants =============================================================== */

#define OWN "--algo hashsift --sizes 64x64 --keypoints 8 --launches 1 --reps 3 --no-plot --no-roof "

/* In a run of one process, without a module: what calls OpenBLAS does not come back. */
TEST(a_variant_of_the_program_itself_may_crash) {
    assert_int_equal(setenv("BENCH_OPENBLAS_LIBRARY", DEADLY_MODULE, 1), 0);
    die_by("abort");
    check_says(bench(OWN "--variants seq,simd --quiet --out run"), 4,
               "1 of 2 cells failed; the first is hashsift/simd/texture/64x64",
               "crashed: SIGABRT (Aborted) in run\n");
    check_file_has("run/results.csv", "\nhashsift,seq,cpu,texture,64x64,");
    check_file_has("run/results.csv", ",ok,");
    Outcome outcome =
        bench("verify --algo hashsift --variants seq,simd --shapes 64x64 --contents noise "
              "--bits 256");
    check_code(&outcome, 4);
    check_contains(outcome.err, "bench: hashsift/simd: noise 64x64 [");
    check_contains(outcome.err, "crashed: SIGABRT (Aborted) in run\n");
    check_verdict(&outcome, "hashsift", "simd", " crashed: SIGABRT");
#ifndef __SANITIZE_ADDRESS__ /* which has to be loaded first itself */
    /* A tool that is preloaded may see this process alone. */
    assert_int_equal(setenv("LD_PRELOAD", DEADLY_MODULE, 1), 0);
    check_ends(bench(OWN "--variants seq,simd --quiet --out run --force"), 128 + SIGABRT);
    unsetenv("LD_PRELOAD");
#endif
    unsetenv("BENCH_OPENBLAS_LIBRARY");
}

/* === Launches ================================================================================= */

TEST(a_launch_that_ends_is_a_failed_cell) {
    check_says(
        bench(RUN "--variants seq,in_run,in_later_run,last --sizes 16x16 --launches 2 --spread 0"),
        4,
        "2 of 4 cells failed; the first is deadly/in_run/texture/16x16: "
        "ended its process with exit code 3 in run\n");
    static const char *const files[] = {"run/results.csv", "run/launch-1/results.csv",
                                        "run/launch-2/results.csv"};
    for (size_t i = 0; i < 3; i++) {
        check_ok(files[i], "seq", "16x16");
        check_ok(files[i], "last", "16x16");
        check_row(files[i], "in_run", "16x16", "ended its process with exit code 3 in run");
    }
}

/* The first child of a process; 0: it has none. */
static pid_t child_of(pid_t parent) {
    char command[160];
    int child = 0;
    snprintf(command, sizeof command,
             "for s in /proc/[0-9]*/stat; do read -r id name state of rest <$s && [ \"$of\" = %d ] "
             "&& echo $id && exit; done 2>/dev/null",
             (int)parent);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    const bool any = fscanf(stream, "%d", &child) == 1;
    pclose(stream);
    return any ? child : 0;
}

/* The process that was started has a child that carries the command out, which has the launch. */
static bool kill_launch_of(pid_t started) {
    const pid_t run = child_of(started);
    const pid_t launch = run > 0 ? child_of(run) : 0;
    return launch > 0 && kill(launch, SIGKILL) == 0;
}

/* Not of a module: a defect of the program's own, or the system that needs its memory. */
TEST(a_launch_of_the_program_itself_is_watched) {
    /* The rows of one size are stored while the other one is measured. */
    const pid_t process = bench_start("--algo lbp --variants seq,simd --sizes 64x64,96x96 "
                                      "--launches 2 --spread 0 --reps 3000 --no-plot --no-roof "
                                      "--quiet --out run --force");
    const bool begun = wait_for_text(process, "run/launch-1/results.csv", ",ok,", 120);
    const bool killed = begun && kill_launch_of(process);
    Outcome outcome = bench_wait_at_most(process, 300);
    if (!killed) {
        fail_msg("no launch began:\n%s", outcome.err);
    }
    /* It is not the process that was to be blamed: tried once more alone, the cell is measured. */
    check_code(&outcome, 0);
    check_file_has("run/results.csv", "lbp,seq,cpu,texture,64x64,");
    check_file_has("run/results.csv", "lbp,simd,cpu,texture,96x96,");
}

/* === bench verify ============================================================================= */

TEST(verify_goes_on_behind_each) {
    Outcome outcome = bench("verify " MODULE EVERY SHAPES);
    check_code(&outcome, 4);
    for (size_t i = 0; i < STEPS; i++) {
        char line[128];
        snprintf(
            line, sizeof line,
            "bench: deadly/%s: noise 3x2, stride 3: ended its process with exit code 3 in %s\n",
            steps[i].variant, steps[i].step);
        check_contains(outcome.err, line);
        check_verdict(&outcome, "deadly", steps[i].variant, " ended: exit code 3");
    }
    check_verdict(&outcome, "deadly", "seq", "4 of 4    right");
    check_verdict(&outcome, "deadly", "right", "4 of 4    right");
    check_verdict(&outcome, "deadly", "last", "4 of 4    right");
    check_contains(outcome.out, "\n3 of 9 variants right\n");
}

TEST(verify_blames_the_variant_whose_oracle_dies) {
    die_by("heap");
    Outcome outcome =
        bench("verify " MODULE "--variants seq,right,in_run,in_later_run,in_close,last " SHAPES);
    check_code(&outcome, 4);
    check_verdict(&outcome, "deadly", "seq", " right");
    check_verdict(&outcome, "deadly", "right", " right");
    check_verdict(&outcome, "deadly", "last", " right");
}

/* One that says that it cannot is right or wrong in neither. */
TEST(a_refusal_is_one_in_a_run_and_in_verify) {
    check_prints(bench("verify " MODULE "--variants right,no_memory " SHAPES), 0,
                 "1 of 1 variants right\n",
                 "1 cannot run here: deadly/no_memory ran none of 4 requests: no "
                 "memory left for what it pretends to do\n");
    bench_ok(RUN "--variants right,no_memory --sizes 16x16");
    check_row("run/results.csv", "no_memory", "16x16", ",skip,no memory left");
    check_ends(bench("verify " MODULE "--variants no_memory " SHAPES), 6);
    setenv("DEADLY_WIDTH", "16", 1); /* of one shape alone: it is right, and the others are told */
    check_prints(bench("verify " MODULE "--variants no_memory " SHAPES), 0, "2 of 4",
                 "\n1 variant skipped requests: no memory left for what it pretends to do\n");
}

/* === What a module claims ===================================================================== */

static void check_both(const char *words) {
    check_says(bench("verify " MODULE "--variants right " SHAPES), 4,
               "bench: deadly/right: ", words);
    check_says(bench(RUN "--variants right --sizes 16x16"), 4, words);
}

TEST(a_layout_that_is_none_is_refused) {
    unsetenv("DEADLY");
    die_in("parts");
    check_both("its output layout has 1000 parts; 1 to 8 would be right");
    die_in("name");
    check_both("part 1 of its output layout has no name of at most 31 letters and digits");
    die_in("bytes");
    check_both("part 'copy' of its output layout has other bytes than its elements take");
    die_in("small");
    check_both("the answer part 'copy' of ");
}

TEST(functions_of_an_algorithm_may_end_the_process_too) {
    die_in("layout");
    check_both("ended its process with exit code 3 in output_layout");
    die_in("axis");
    check_both("ended its process with exit code 3 in its axis");
    die_in("available");
    check_both("ended its process with exit code 3 in available");
    /* A cost that is not known: no roof, and no rates. */
    die_in("cost");
    bench_ok(RUN "--variants right --sizes 16x16");
    unsetenv("DEADLY");
    check_says(bench(RUN "--variants right --sizes 16x16 --word many"), 4,
               "--word: the axis gives 1025 values; 1 to 1024 would be right");
}

/* The cells have their times, and the run says what was not saved. */
TEST(an_answer_that_cannot_be_written_is_told) {
    die_in("write");
    check_says(bench(RUN "--variants seq,right --sizes 16x16 --save saved"), 4,
               "bench: deadly ended its process with exit code 3 in writing its "
               "answer\n");
    check_ok("run/results.csv", "seq", "16x16");
    check_ok("run/results.csv", "right", "16x16");
}

TEST(a_module_that_ends_the_process_is_not_loaded) {
    die_in("load");
    static const char *const commands[] = {"list", "verify --algo deadly", "--algo deadly"};
    for (size_t i = 0; i < 3; i++) {
        check_refused(bench("%s --plugin " DEADLY_MODULE, commands[i]), 5,
                      "ended its process with exit code 3 in loading");
    }
    /* What BENCH_PATH names is done without, and said once. */
    assert_int_equal(setenv("BENCH_PATH", DEADLY_MODULE ":" FAULTY_MODULE, 1), 0);
    Outcome outcome = bench_ok("list faulty");
    check_contains(outcome.out, "right");
    check_contains(outcome.err, "ended its process with exit code 3 in loading\n");
    assert_null(strstr(strchr(outcome.err, '\n') + 1, "bench:"));
    unsetenv("BENCH_PATH");
}

/* === Other commands =========================================================================== */

TEST(other_commands_work_as_before) {
    static const struct {
        const char *line;
        int code;
    } cases[] = {
        {"list deadly --plugin " DEADLY_MODULE, 0},
        {MODULE "--variants seq,in_run --sizes 16x16 --dry-run", 0},
        {"selftest " MODULE "--variants right --sizes 16x16 --pairs 2 --reps 3 --quiet", 0},
        {"selftest " MODULE "--variants in_run --sizes 16x16 --pairs 2 --quiet", 4},
        {MODULE "--variants seq,last --sizes 16x16 --no-such-option", 2},
        {"--help --plugin " DEADLY_MODULE, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_ends(bench("%s", cases[i].line), cases[i].code);
    }
    /* As a debugger wants it, in one process. */
    assert_int_equal(setenv("BENCH_SUPERVISE", "no", 1), 0);
    check_ends(bench(RUN "--variants seq,in_run --sizes 16x16"), 3);
    unsetenv("BENCH_SUPERVISE");
}

/* === Signals ================================================================================== */

/* To the process that was started: the one that measures ends, with what it has measured. */
static void signal_reaches_the_one_that_measures(int number, int code) {
    die_by("loop");
    const pid_t process =
        bench_start(QUIET "--variants right,in_run --sizes 16x16,40x24 "
                          "--no-interleave --ci-width 0.000000001 --max-time 300ms");
    const bool begun = wait_for_text(process, "run/results.csv", ",ok,", 120);
    if (begun) {
        assert_int_equal(kill(process, number), 0);
    }
    Outcome outcome = bench_wait_at_most(process, 60);
    if (!begun) {
        fail_msg("nothing was measured:\n%s", outcome.err);
    }
    check_code(&outcome, code);
    check_nobody_is_left();
    check_ok("run/results.csv", "right", "16x16");
    assert_int_equal(count_files(".part"), 0);
}

TEST(an_interrupt_keeps_what_was_measured) {
    signal_reaches_the_one_that_measures(SIGINT, 130);
}

TEST(so_does_the_end_of_a_job) {
    signal_reaches_the_one_that_measures(SIGTERM, 130);
}

TEST(nobody_outlives_the_one_that_was_started) {
    signal_reaches_the_one_that_measures(SIGKILL, 128 + SIGKILL);
}
