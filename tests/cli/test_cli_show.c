/* What a run prints in windows of several widths, `bench show`, and the name `latest`. */
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define RECORDED COMPARE_DATA "/../h200/"
#define SMALL "run --algo lbp --sizes 64x64,96x96 --variants seq,simd --reps 7 --no-plot --quiet "

/* A stored run of the H200 by a short name. */
static void link_recorded(const char *name) {
    char path[PROGRAM_PATH_SIZE];
    snprintf(path, sizeof path, "%s%s", RECORDED, name);
    assert_int_equal(symlink(path, name), 0);
}

/* The columns of the widest line: colours take none, and a character of UTF-8 one. */
static int widest(const char *text) {
    int most = 0;
    int line = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\033') {
            at = strchr(at, 'm');
            assert_non_null(at);
        } else if (*at == '\n') {
            line = 0;
        } else {
            line += ((unsigned char)*at & 0xC0) != 0x80;
            most = line > most ? line : most;
        }
    }
    return most;
}

static void check_lacks(const char *text, const char *fragment) {
    if (strstr(text, fragment) != NULL) {
        fail_msg("'%s' is in:\n%s", fragment, text);
    }
}

static const int windows[] = {60, 80, 100, 160};
enum { WINDOWS = sizeof windows / sizeof windows[0] };

TEST(a_stored_run_fits_every_window) {
    static const char *const runs[] = {"hashsift", "haar", "lbp_riu", "matching"};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        link_recorded(runs[i]);
        for (size_t j = 0; j < WINDOWS; j += SWEEP_STEP) {
            Outcome outcome = bench_on_terminal(windows[j], "show %s", runs[i]);
            check_code(&outcome, 0);
            if (widest(outcome.out) > windows[j]) {
                fail_msg("%d columns in %d:\n%s", widest(outcome.out), windows[j], outcome.out);
            }
            check_contains(outcome.out, "kernel only");
        }
    }
}

/* Lines to be copied, commands and paths, are left to the terminal. */
static void check_fits(const char *text, int window) {
    char line[1024];
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (strstr(line, ": bench run ") == NULL && line[0] != '/' && widest(line) > window) {
            fail_msg("%d columns in %d: %s\n%s", widest(line), window, line, text);
        }
        at += length + (at[length] == '\n');
    }
}

TEST(what_commands_print_fits_every_window) {
    static const struct {
        const char *line;
        int code;
    } commands[] = {
        {"compare data/base.json data/slower10.json", 1},
        {"reproduce results/h200/lacunarity --from results/h200-again/lacunarity", 1},
        {"study lbp-2020 --render --check --out study --quiet", 1},
        {"selftest --algo lbp --sizes 64x64 --variants simd --pairs 2 --quiet", 0},
        {"curve --synthetic random,even --sizes 64x64 --box 1+2+4 --out curves/c --quiet", 0},
        {"list", 0},
        {"help columns", 0},
        {"show fast --noise", 0},
    };
    link_recorded("fast");
    assert_int_equal(symlink(COMPARE_DATA "/../../../reports/results", "results"), 0);
    assert_int_equal(symlink(COMPARE_DATA, "data"), 0);
    assert_int_equal(system("cp -r results/h100/studies/lbp-2020 study"), 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        for (int j = 0; j < WINDOWS; j += SWEEP_STEP) {
            Outcome outcome = bench_on_terminal(windows[j], "%s", commands[i].line);
            check_code(&outcome, commands[i].code);
            check_fits(outcome.out, windows[j]);
        }
    }
}

TEST(a_narrow_window_wraps_names_and_loses_none) {
    static const char line[] = "compare " COMPARE_DATA "/base.json " COMPARE_DATA "/slower10.json";
    Outcome narrow = bench_on_terminal(60, "%s --color=never", line);
    check_contains(narrow.out, "  lbp/omp/texture/1080p/\n");
    check_contains(narrow.out, "      threads:2\n");
    check_lacks(narrow.out, "launches  cell");
    Outcome piped = bench("%s", line);
    check_contains(piped.out, "  lbp/omp/texture/1080p/threads:2\n");
    check_contains(piped.out, "launches  cell");
    Outcome red = bench("%s --color=always", line);
    check_contains(red.out, "\033[31mslower\033[0m");
}

/* The table of --all is as wide as it is; what stands below it is not. */
TEST(other_peoples_code_is_wrapped_and_named) {
    link_recorded("peers-images");
    Outcome narrow = bench_on_terminal(80, "show peers-images --all --algo lbp");
    const char *at = strstr(narrow.out, "other people's code: ");
    assert_non_null(at);
    for (int i = 0; i < 4; i++) {
        assert_true(strcspn(at, "\n") <= 81); /* with its return */
        at += strcspn(at, "\n") + 1;
    }
    check_contains(bench("show peers-images --all --algo lbp").out,
                   "another definition (neighbours on a circle, codes turned until least); ");
}

TEST(wider_windows_show_more) {
    link_recorded("lbp");
    Outcome narrow = bench_on_terminal(60, "show lbp --color never");
    Outcome usual = bench_on_terminal(80, "show lbp --color never");
    Outcome wide = bench_on_terminal(160, "show lbp --color never");
    check_contains(narrow.out, "\nlbp    CPU ms   GPU ms  + copies   kernel only   with copies\n");
    check_contains(usual.out, "  kernel only  interval       with copies\n");
    check_contains(usual.out, "35.8 to 39.6");
    check_contains(wide.out, "with copies  interval\n");
    check_contains(wide.out, "1.41 to 1.56");
}

/* In the run's list of arguments. */
static void change_seed(const char *path, char seed) {
    char *text = read_text(path);
    char *value = strstr(text, "\"--seed\", \"");
    assert_non_null(value);
    value[strlen("\"--seed\", \"")] = seed;
    write_file(path, text, strlen(text));
}

/* A file does not store every interval; those that are found again are those of the run. */
TEST(intervals_follow_from_the_runs_own_seed) {
    static const char *const lines[] = {"show run", "merge run --force --out merged"};
    bench_ok(SMALL "--reps 40 --no-roof --seed 7 --out run");
    plant_rough_times("run/results.json");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        change_seed("run/results.json", '7');
        Outcome seven = bench("%s", lines[i]);
        change_seed("run/results.json", '8');
        Outcome eight = bench("%s", lines[i]);
        check_code(&seven, 0);
        check_code(&eight, 0);
        assert_string_not_equal(seven.out, eight.out);
    }
}

TEST(variants_of_a_side_are_shown) {
    link_recorded("matching");
    Outcome cpu = bench("show matching --variant cpu");
    Outcome more = bench("show matching --variant gpu,simd");
    check_contains(cpu.out, "\nsimd ");
    check_contains(cpu.out, "\nomp ");
    check_lacks(cpu.out, "\ncuda_");
    check_contains(more.out, "\nsimd ");
    check_contains(more.out, "\ncuda_fast ");
    check_lacks(more.out, "\nomp ");
    check_contains((more = bench("reproduce matching --from matching --variants cpu")).out,
                   "omp faster");
    check_lacks(more.out, "cuda_fast faster");
    check_lacks(more.out, "cuda_fast over");
}

TEST(the_answer_comes_first) {
    assert_int_equal(
        system("cp -r " RECORDED "lbp lbp && touch lbp/lbp-meadow.jpg-speedup-best-cpu.svg"), 0);
    link_recorded("hashsift");
    Outcome outcome = bench_ok("show lbp");
    static const char first[] =
        "\nlbp at 16K: the GPU is 37.9× faster than 16 CPU threads (kernel only); with\n"
        "  copies 1.46× slower\n"
        "copy at 16K: the GPU is 20.8× faster than 16 CPU threads (kernel only); with\n"
        "  copies 16.6× slower\n"
        "NVIDIA H200 against Intel Xeon, 16 processors";
    assert_int_equal(strncmp(outcome.out, first, strlen(first)), 0);
    check_contains(outcome.out, "\nchart       lbp/lbp-meadow.jpg-speedup-best-cpu.svg\n");
    check_contains(outcome.out, "\nnoise       bench show lbp --noise\n");
    check_contains(outcome.out, "\neverything  bench show lbp --all\n");
    check_lacks(outcome.out, "roof");
    check_lacks(outcome.out, "starved");
    for (size_t i = 0; i < 3; i++) {
        static const char *const shown[] = {"hashsift", "lbp", "lbp --algo copy"};
        size_t lines = 0;
        outcome = bench("show %s", shown[i]);
        for (const char *at = outcome.out; *at != '\0'; at++) {
            lines += *at == '\n';
        }
        assert_in_range(lines, 10, 30);
    }
    assert_int_equal(system("cp -rL lbp stored && cd stored && "
                            "cp lbp-meadow.jpg-speedup-best-cpu.svg "
                            "copy-meadow.jpg-speedup-best-cpu.svg"),
                     0);
    outcome = bench("show stored --algo lbp");
    check_contains(outcome.out, "\nchart       stored/lbp-meadow.jpg-speedup-best-cpu.svg\n");
    outcome = bench("show stored --algo copy"); /* of which the run has drawn none */
    check_contains(outcome.out, "\nchart       stored/lbp-meadow.jpg-speedup-best-cpu.svg\n");
    outcome = bench("show lbp --all --algo copy");
    check_contains(outcome.out, "\ncuda_driver ");
    check_lacks(outcome.out, "cuda_streamed");
    outcome = bench("show lbp --algo lpb");
    check_code(&outcome, 2);
    check_contains(outcome.err, "--algo: the run has no algorithm 'lpb'; did you mean 'lbp'?");
    check_prints(bench("show lbp --noise"), 0, "47 of 175 cells are noisy.\n", "\nwarning: ");
}

TEST(a_live_run_fits_every_window) {
    for (size_t i = 0; i < WINDOWS; i++) {
        Outcome outcome = bench_on_terminal(windows[i], SMALL "--out run --force");
        check_code(&outcome, 0);
        if (widest(outcome.out) > windows[i]) {
            fail_msg("%d columns in %d:\n%s", widest(outcome.out), windows[i], outcome.out);
        }
    }
}

/* Without a GPU the best CPU is compared with seq, and the head says why; `copy` is measured only
 * where it was asked for. */
TEST(a_run_without_gpu) {
    Outcome outcome = bench_ok(SMALL "--out run");
    check_contains(outcome.out, "no GPU (no GPU variant was");
    check_contains(outcome.out, "all 4 answers");
    check_contains(outcome.out, "\n96x96 ");
    check_lacks(outcome.out, "copy");
    assert_null(strchr(outcome.out, '\033'));
    assert_string_equal(strstr(outcome.out, "failed\n"), "failed\nrun\n");
    plant_times("run/results.json");
    outcome = bench("show run");
    check_contains(outcome.out, " faster than seq (plain code, one thread)\n");
    outcome = bench("run --algo lbp,copy --sizes 64x64 --variants seq,simd --reps 7 --no-plot "
                    "--quiet --out both");
    check_contains(outcome.out, "\ncopy at 64x64: ");
}

TEST(all_rows_are_there_when_asked_for) {
    Outcome run = bench_ok(SMALL "--all --out run");
    check_contains(run.out, "\nlbp on texture, hot caches\nvariant  size ");
    check_contains(run.out, " of its roof");
    check_contains(run.out, "\nat "); /* the largest size that nothing disturbed */
    check_lacks(run.out, "no GPU (");
    Outcome shown = bench_ok("show run --all");
    const size_t length = strlen(shown.out); /* without the folder */
    assert_int_equal(strncmp(run.out, shown.out, length), 0);
    assert_string_equal(run.out + length, "run\n");
}

TEST(rows_are_chosen_and_sorted) {
    link_recorded("lbp");
    Outcome outcome = bench_ok("show lbp --variant seq,cuda_fast --sort kernel");
    check_contains(outcome.out, "\ncuda_fast  480p");
    check_lacks(outcome.out, "\nsimd");
    /* The rows are stored by size; cuda_fast takes 0.0888 ms at 16K, seq 1.18 at 360p. */
    const char *lbp = strstr(outcome.out, "\nlbp on");
    assert_non_null(lbp);
    const char *fast = strstr(lbp, "\ncuda_fast  16K");
    const char *next = strstr(lbp, "\nseq        360p");
    const char *last = strstr(lbp, "\nseq        16K");
    assert_true(fast != NULL && fast < next && next < last);
    outcome = bench("show lbp --sort speedup");
    /* The greatest is the 37.9 of cuda_fast at 16K. */
    const char *greatest = strstr(outcome.out, "\ncuda_fast      16K");
    const char *base = strstr(outcome.out, "\nseq ");
    assert_true(greatest != NULL && greatest < base);
    check_refused(bench("show lbp --variant cuda_fst"), 2, "did you mean 'cuda_fast'");
    check_refused(bench("show lbp --sort speed"), 2, "is no order; did you mean 'speedup'");
}

/* With copies cuda_fast takes 4.24 ms at 8K and 21.7 at 16K, seq 7.24 at 720p and 14.6 at 1080p;
 * seq has 1.7% of its roof at 16K and 0.4% at 360p. */
TEST(each_order_has_its_rows_in_it) {
    static const struct {
        const char *order, *rows[4]; /* each behind the one before */
    } orders[] = {
        {"kernel", {"cuda_fast  360p", "cuda_fast  16K", "seq        360p", "seq        16K"}},
        {"end-to-end", {"cuda_fast  8K", "seq        720p", "seq        1080p", "cuda_fast  16K"}},
        {"speedup", {"cuda_fast  16K", "cuda_fast  360p", "seq        360p", "seq        8K"}},
        {"roof", {"cuda_fast  16K", "cuda_fast  360p", "seq        16K", "seq        360p"}},
        {"size", {"seq        360p", "cuda_fast  480p", "cuda_fast  8K", "seq        16K"}},
        {"variant", {"cuda_fast  360p", "cuda_fast  16K", "seq        360p", "seq        16K"}}};
    link_recorded("lbp");
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        Outcome outcome = bench("show lbp --variant seq,cuda_fast --sort %s", orders[i].order);
        const char *at = strstr(outcome.out, "\nlbp on");
        char *copy = strstr(outcome.out, "\ncopy on");
        assert_true(at != NULL && copy != NULL);
        if (copy > at) {
            *copy = '\0';
        }
        for (size_t j = 0; j < 4 && at != NULL; j++) {
            at = strstr(at, orders[i].rows[j]);
        }
        if (at == NULL) {
            fail_msg("--sort %s: %s", orders[i].order, outcome.out);
        }
    }
}

TEST(colours_are_as_asked_for) {
    link_recorded("lbp");
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    Outcome terminal = bench_on_terminal(100, "show lbp");
    Outcome never = bench_on_terminal(100, "show lbp --color never");
    Outcome piped = bench("show lbp");
    Outcome always = bench("show lbp --color always");
    check_contains(terminal.out, "\033[32m37.9× faster\033[0m");
    check_contains(terminal.out, "\033[31m1.46× slower\033[0m");
    assert_null(strchr(never.out, '\033'));
    assert_null(strchr(piped.out, '\033'));
    check_contains(always.out, "\033[32m37.9× faster\033[0m");
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    terminal = bench_on_terminal(100, "show lbp");
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_null(strchr(terminal.out, '\033'));
    check_refused(bench("show lbp --color red"), 2, "none of auto, always and never");
}

/* === The last run ============================================================================= */

TEST(the_last_run_is_found) {
    check_refused(bench("show"), 5, "no run has ended in this folder yet");
    check_refused(bench("report latest"), 5, "no run has ended in this folder yet");
    bench_ok(SMALL "--no-roof --out first");
    bench_ok(SMALL "--no-roof");
    check_prints(bench("show"), 0, "/reports/runs/2");
    bench_ok(SMALL "--no-roof --out second");
    static const char *const commands[] = {"show latest", "show", "report latest", "plot latest",
                                           "compare latest second"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        bench_ok("%s", commands[i]);
    }
    /* Whether claims can be decided is up to the times. */
    Outcome outcome = bench("reproduce latest --from latest");
    assert_true(outcome.code == 0 || outcome.code == 6);
    check_contains(outcome.out, "/second\n");
    assert_true(file_exists("second/report.html"));
    check_prints(bench("merge first latest --out merged"), 0,
                 "Intervals: least to greatest of 2 launches");
    outcome = bench("show");
    check_contains(outcome.out, "/merged\n");
    outcome = bench(SMALL "--no-roof --launches 2 --baseline latest --strict --out third");
    assert_true(outcome.code == 0 || outcome.code == 1 || outcome.code == 7);
    check_contains(outcome.out, "The old side was not measured again");
}

/* A file that was written by hand. */
TEST(a_machine_that_is_a_list_is_not_known) {
    bench_ok(SMALL "--no-roof --out run");
    assert_int_equal(
        system("sed -i 's/\"machine\":[[:space:]]*{/\"machine\": [\"x\"], \"other\": {/' "
               "run/results.json"),
        0);
    check_file_has("run/results.json", "\"machine\": [\"x\"]");
    check_prints(bench("show run"), 0, "\na CPU, ");
}

/* A folder of the name is meant; a folder that is gone is said. */
TEST(the_name_may_be_taken_or_gone) {
    bench_ok(SMALL "--no-roof --out other");
    assert_int_equal(mkdir("latest", 0777), 0);
    check_refused(bench("show"), 5, "latest");
    assert_int_equal(rmdir("latest"), 0);
    assert_int_equal(rename("other", "moved"), 0);
    check_refused(bench("show latest"), 5, "the folder of the last run is gone: ");
    assert_int_equal(rename("moved", "latest"), 0);
    check_prints(bench("show"), 0, "failed\nlatest\n");
}

/* Neither a plan nor a launch is a run. */
TEST(only_whole_runs_are_last) {
    bench_ok(SMALL "--no-roof --dry-run");
    bench_ok(SMALL "--no-roof --pass 1/2 --out pass");
    check_refused(bench("show"), 5, "no run has ended");
}

/* The price that a run was given is known to what reads the run, and may be another one there. */
TEST(a_price_is_kept_with_the_run) {
    check_prints(bench(SMALL "--out priced --price gpu=3.6,cpu=0.36"), 0,
                 "Cost: of a million runs");
    Outcome outcome = bench("show priced");
    check_contains(outcome.out, "Cost: of a million runs");
    bench_ok("report priced");
    check_file_has("priced/report.html", "An hour with the GPU costs 3.6, one without 0.36.");
    outcome = bench("report priced --price gpu=2,cpu=1");
    check_file_has("priced/report.html", "An hour with the GPU costs 2, one without 1.");
    check_refused(bench("show priced --price gpu=2"), 2, "--price: 'gpu=2': write what an hour");
    outcome = bench(SMALL "--out free");
    check_lacks(outcome.out, "Cost");
}
