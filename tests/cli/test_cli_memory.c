/* Under limits of memory, and without a library that is loaded when it is needed: one line and the
 * documented exit code, never a death or a hang. */
#include <sys/stat.h>

#include "needs.h"
#include "program.h"
#include "test.h"

enum { WIDTH = 96, HEIGHT = 72 };

static void set_up(void) {
    folder_enter();
    mkdir("walls", 0777);
    write_wall("walls/a.pgm", WIDTH, HEIGHT, 0, 0);
    write_wall("walls/b.pgm", WIDTH, HEIGHT, 100 * STONE, 0);
}

EACH_TEST(set_up, folder_leave);

#define QUICK " --reps 1 --warmup 1 --max-time 0.01 --no-roof --no-plot --quiet --out run --force"

/* --- OpenBLAS -------------------------------------------------------------------------------- */

#define HASHSIFT_RUN                                                                               \
    "--algo hashsift --variants seq,simd,omp --threads 2 --sizes 64x64 --keypoints 20 --reps 1 "   \
    "--warmup 1 --no-roof --no-plot --quiet --out run"

TEST(variants_without_openblas_are_skipped) {
    setenv("BENCH_OPENBLAS_LIBRARY", "./nowhere.so", 1);
    check_prints(bench(HASHSIFT_RUN), 0, "3 cells: 1 ok, 2 skipped, 0 failed",
                 "install libopenblas0");
    /* The values themselves need no product. */
    check_prints(bench(HASHSIFT_RUN " --force --bits 1024"), 0,
                 "3 cells: 3 ok, 0 skipped, 0 failed");
    unsetenv("BENCH_OPENBLAS_LIBRARY");
}

TEST(trainings_without_openblas_say_so) {
    setenv("BENCH_OPENBLAS_LIBRARY", "./nowhere.so", 1);
    check_refused(bench("train-hashsift walls --steps 2 --batch 8 --out h.csv"), 6,
                  "install libopenblas0");
    check_refused(bench("train-bad walls --candidates 512 --out b.csv"), 6, "install libopenblas0");
    unsetenv("BENCH_OPENBLAS_LIBRARY");
}

/* --- Python ---------------------------------------------------------------------------------- */

/* Python may try for ever to start within too little memory, so it is not started there. */
TEST(python_is_not_started_within_little_memory) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    limit_addresses((size_t)200 << 20);
    check_prints(bench("--algo integral --variants seq,numpy --sizes 16x16" QUICK), 0,
                 "numpy (1): NumPy is called in Python: Python needs 256.0 MiB");
    limit_addresses(0);
}

/* --- Limits of address space ----------------------------------------------------------------- */

#define SMALL_DIGITS                                                                               \
    "--synthetic digits --images 40 --digits 3,8 --rounds 2 --candidates 50 --quiet"

/* What the commands need: a run, a folder of classes, a model. Made without limits. */
static void set_up_inputs(void) {
    set_up();
    mkdir("classes", 0777);
    for (uint32_t i = 0; i < 6; i++) {
        char path[64];
        snprintf(path, sizeof path, "classes/%c", i % 2 == 0 ? 'x' : 'y');
        mkdir(path, 0777);
        snprintf(path, sizeof path, "classes/%c/%u.pgm", i % 2 == 0 ? 'x' : 'y', (unsigned)i);
        write_wall(path, WIDTH, HEIGHT, 10 * i * STONE, 0);
    }
    bench_ok("--algo lbp --variants seq,simd --sizes 16x16 --reps 3 --no-roof "
             "--no-plot --quiet --out before");
    bench_ok("train --model before.json " SMALL_DIGITS);
}

static bool is_documented(int code) {
    return code == 0 || code == 2 || code == 3 || code == 5 || code == 6;
}

/* What ends a command is the last line, and it is the program's own. */
static void check_limited(const char *line, size_t mebibytes) {
    limit_addresses(mebibytes << 20);
    Outcome outcome = bench("%s", line);
    limit_addresses(0);
    const char *last = outcome.err;
    for (const char *at = outcome.err; *at != '\0'; at++) {
        last = *at == '\n' && at[1] != '\0' ? at + 1 : last;
    }
    if (!is_documented(outcome.code) || strstr(outcome.err, "libgomp") != NULL ||
        (outcome.code != 0 && strncmp(last, "bench: ", strlen("bench: ")) != 0)) {
        fail_msg("%s, within %zu MiB: exit code %d, %s", line, mebibytes, outcome.code,
                 outcome.err);
    }
}

/* MiB in which the system's loader can start the program at all. */
static size_t least_limit(void) {
    for (size_t limit = 8; limit < 256; limit += 4) {
        limit_addresses(limit << 20);
        Outcome outcome = bench("--version");
        limit_addresses(0);
        const int code = outcome.code;
        if (code == 0) {
            return limit;
        }
    }
    fail_msg("the program does not start within 256 MiB");
    return 0;
}

static const char *const limited_lines[] = {
    "list",
    "help run",
    "roof",
    "--algo copy,lbp,lacunarity,haar,fast,bad --sizes 64x64 --images 20 --keypoints 20" QUICK,
    "--algo hashsift --sizes 64x64 --keypoints 20" QUICK,
    "--algo lbp --variants omp --threads 16,2 --sizes 64x64" QUICK,
    "compare before before",
    "report before --out page.html",
    "report before --format md --out text",
    "plot before",
    "curve --input walls/a.pgm --box 1..8 --out chart",
    "classify classes --quiet",
    "train --model after.json " SMALL_DIGITS,
    "recognise before.json --synthetic digits --images 20",
    "match walls/a.pgm walls/b.pgm",
    "train-hashsift walls --steps 2 --batch 8 --out h.csv",
    "train-bad walls --candidates 512 --bits 256 --out b.csv",
    "train-orb walls --out o.csv",
    "study lbp-2020 --dry-run",
    "selftest --pairs 1 --reps 2 --variants simd --sizes 64x64",
};

enum { LIMITED_LINES = sizeof limited_lines / sizeof limited_lines[0] };

TEST(commands_end_well_within_little_memory, set_up_inputs, folder_leave) {
#ifdef SANITIZED_ADDRESSES
    /* They take terabytes of addresses. */
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    const size_t least = least_limit();
    for (size_t i = 0; i < LIMITED_LINES; i++) {
        check_limited(limited_lines[i], least);
        check_limited(limited_lines[i], least + 16); /* room for some things and not for others */
    }
}

/* --- Limits of the stack ---------------------------------------------------------------------- */

/* ulimit -s 128, which the stacks of threads have too. */
TEST(commands_run_within_a_small_stack, set_up_inputs, folder_leave) {
#if defined(SANITIZED_ADDRESSES) || !defined(__OPTIMIZE__)
    skip_needing("an optimised build without address or thread sanitizer", NULL); /* large frames */
#endif
    for (size_t i = 0; i < LIMITED_LINES; i++) {
        limit_stack((size_t)128 << 10);
        Outcome outcome = bench("%s", limited_lines[i]);
        limit_stack(0);
        if (!is_documented(outcome.code)) {
            fail_msg("%s, within a stack of 128 KiB: exit code %d, %s", limited_lines[i],
                     outcome.code, outcome.err);
        }
    }
}
