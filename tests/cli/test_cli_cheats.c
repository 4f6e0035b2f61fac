/* Code that is not trusted, from outside: variants of tests/conformance/cheats.c, each of which is
 * named by `bench verify` and by `bench run`, and the honest ones beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define CHEATS "--plugin " CHEATS_MODULE " --algo cheats "
#define RUN CHEATS "--sizes 640x480 --no-plot --no-roof --quiet --out run "

static const char keeps[] = "it keeps answers: its input was changed, and the answer is still that "
                            "of the input before";
static const char left[] = "its answer was damaged after a run, and the next run left it so: wrong "
                           "answer: negative (";
static const char outside[] = "the answer part 'negative' of 307200 bytes (output_layout) was "
                              "written out of bounds, 1 bytes past its end";
#ifndef __SANITIZE_ADDRESS__
static const char reader[] = "it read the memory of the right answer, which the harness holds its "
                             "own to";
#endif
static const char threads[] = "1 of its threads still work 0.5 s after run() has returned: their "
                              "work is not timed, and disturbs other variants";
static const char later[] = "it was right at first, and is not after ";
#define CHANGED(what) "it changed " what ", which other variants are measured with"

/* What both say of a variant; `verify` NULL: the same as `run`. */
static const struct {
    const char *variant, *run, *verify;
} cheats[] = {
    {"opened", keeps, NULL},
    {"addressed", keeps, NULL},
    {"summed", keeps, NULL},
    {"left", left, NULL},
    {"later", later, "times: wrong answer: negative (0, 479) is 85, expected "},
    {"outside", outside, NULL},
#ifndef __SANITIZE_ADDRESS__ /* of whose memory it cannot read all */
    {"reader", reader, ""}, /* others have left answers in memory that was freed, also wrong ones */
#endif
    {"threads", threads, NULL},
    {"rounding", CHANGED("how numbers are rounded (fesetround)"), NULL},
    {"flushing", CHANGED("what becomes of the smallest numbers (FTZ, DAZ)"), NULL},
    {"variables", CHANGED("the variable OMP_NUM_THREADS of the environment"), NULL},
    {"team", CHANGED("the number of OpenMP's threads (omp_set_num_threads and the like)"), NULL},
    {"processors", CHANGED("the processors that the program may use (sched_setaffinity)"), NULL},
    {"signals", CHANGED("what Interrupt does"), NULL},
    {"limits", CHANGED("the limit of open files"), NULL},
    {"clock", CHANGED("the clock of the process"), NULL},
};
enum { CHEATS_COUNT = sizeof cheats / sizeof cheats[0] };

/* The line that begins so. */
static void check_line(const char *text, const char *begins, const char *fragment) {
    const char *line = strstr(text, begins);
    if (line == NULL) {
        fail_msg("there is no line '%s' in:\n%s", begins, text);
        return;
    }
    char *copy = strndup(line, strcspn(line, "\n"));
    check_contains(copy, fragment);
    free(copy);
}

TEST(verify_names_each) {
    char begins[64];
    Outcome outcome = bench("verify " CHEATS "--shapes 640x480 --contents noise");
    check_code(&outcome, 4);
    for (size_t i = 0; i < CHEATS_COUNT; i++) {
        snprintf(begins, sizeof begins, "bench: cheats/%s: ", cheats[i].variant);
        check_line(outcome.err, begins,
                   cheats[i].verify != NULL ? cheats[i].verify : cheats[i].run);
    }
    check_verdict(&outcome, "cheats", "honest", " right");
    check_verdict(&outcome, "cheats", "last", " right");
}

#ifndef __SANITIZE_ADDRESS__
TEST(verify_names_who_reads_the_right_answer) {
    check_says(bench("verify " CHEATS "--shapes 640x480 --contents noise --variants reader"), 4,
               reader);
}
#endif

/* A row each, and one line that names the first; the last variant, honest as well, has its time. */
static void check_run(const char *cheat, const char *words) {
    char name[64], row[64];
    snprintf(name, sizeof name, "cheats/%s/texture/640x480: ", cheat);
    snprintf(row, sizeof row, "cheats,%s,cpu,texture,640x480,640,480,,,1,fail,", cheat);
    Outcome outcome =
        bench(RUN "--force --reps 4 --launches 1 --variants seq,honest,%s,last", cheat);
    check_code(&outcome, 4);
    check_contains(outcome.err, "bench: 1 of 4 cells failed; the first is ");
    check_contains(outcome.err, name);
    check_line(outcome.out, name, words);
    check_file_has("run/results.csv", row);
    check_file_has("run/results.csv", "\ncheats,honest,cpu,texture,640x480,640,480,,,1,ok,");
    check_file_has("run/results.csv", "\ncheats,last,cpu,texture,640x480,640,480,,,1,ok,");
}

TEST(run_names_each) {
    for (size_t i = 0; i < CHEATS_COUNT; i++) {
        check_run(cheats[i].variant, cheats[i].run);
    }
}

/* Beside all the others, in one run. `reader` may find an answer in memory that one of them freed,
 * and count among those that keep one. */
TEST(honest_variants_go_on) {
    check_prints(bench(RUN "--reps 4 --launches 1 --all"), 4,
                 "\n20 cells: 4 ok, 0 skipped, 16 failed\n", " cells: it keeps answers: ");
}

/* Later launches do not compare with the oracle: one that is honest in the first alone is found.
 * Half of them look: of 25 not one in a run out of 16 million. */
TEST(later_launches_see_it_too) {
    check_prints(bench(RUN "--reps 8 --launches 25 --spread 0 --variants seq,launched,honest"), 4,
                 keeps);
    check_file_has("run/results.csv", "\ncheats,launched,cpu,texture,640x480,640,480,,,1,fail,");
    check_file_has("run/results.csv", "\ncheats,honest,cpu,texture,640x480,640,480,,,1,ok,");
}
