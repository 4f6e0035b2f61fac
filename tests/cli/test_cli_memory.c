/* Under limits of memory, and without a library that is loaded when it is needed: one line and the
 * documented exit code, never a death or a hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "program.h"

enum { WIDTH = 160, HEIGHT = 120, CELL = 6 };

/* A wall of square stones, each of a grey of its own. */
static void write_wall(const char *path, uint32_t seed) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5 %d %d 255\n", WIDTH, HEIGHT);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t mixed = (i % WIDTH / CELL + seed) * 2654435761U ^ i / WIDTH / CELL * 2246822519U;
        mixed ^= mixed >> 15;
        mixed *= 2246822519U;
        fputc((int)(mixed >> 24), file);
    }
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    const int code = folder_enter(state);
    mkdir("walls", 0777);
    write_wall("walls/a.pgm", 0);
    write_wall("walls/b.pgm", 100);
    return code;
}

/* --- OpenBLAS -------------------------------------------------------------------------------- */

#define HASHSIFT_RUN                                                                               \
    "--algo hashsift --variants seq,simd,omp --threads 2 --sizes 64x64 --keypoints 20 --reps 1 "   \
    "--warmup 1 --no-roof --no-plot --quiet --out run"

static void variants_without_openblas_are_skipped(void **state) {
    (void)state;
    setenv("BENCH_OPENBLAS_LIBRARY", "./nowhere.so", 1);
    Outcome outcome = bench(HASHSIFT_RUN);
    check_code(&outcome, 0);
    check_contains(outcome.out, "3 cells: 1 ok, 2 skipped, 0 failed");
    check_contains(outcome.out, "install libopenblas0");
    outcome_release(&outcome);
    /* The values themselves need no product. */
    outcome = bench(HASHSIFT_RUN " --bits 1024");
    check_code(&outcome, 0);
    check_contains(outcome.out, "3 cells: 3 ok, 0 skipped, 0 failed");
    outcome_release(&outcome);
    unsetenv("BENCH_OPENBLAS_LIBRARY");
}

static void trainings_without_openblas_say_so(void **state) {
    (void)state;
    setenv("BENCH_OPENBLAS_LIBRARY", "./nowhere.so", 1);
    check_refused(bench("train-hashsift walls --steps 2 --batch 8 --out h.csv"), 6,
                  "install libopenblas0");
    check_refused(bench("train-bad walls --candidates 512 --out b.csv"), 6, "install libopenblas0");
    unsetenv("BENCH_OPENBLAS_LIBRARY");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(variants_without_openblas_are_skipped, set_up,
                                        folder_leave),
        cmocka_unit_test_setup_teardown(trainings_without_openblas_say_so, set_up, folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
