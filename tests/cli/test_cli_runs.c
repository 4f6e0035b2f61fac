/* `bench runs`, and how the commands that read a run find it. */
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define RECORDED COMPARE_DATA "/../"
#define QUICK                                                                                      \
    "run --algo lbp --sizes 32x32,64x64 --variants seq,simd --reps 5 --no-plot --no-roof --quiet "

/* The program is in a build folder; its runs are there. */
static void measure(const char *name) {
    bench_ok(QUICK "--out reports/runs/%s", name);
}

static size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

/* Characters of the longest line. */
static size_t widest_line(const char *text) {
    size_t widest = 0, width = 0;
    for (; *text != '\0'; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xC0) != 0x80);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* A copy of a run under a name of any bytes, with one text of its JSON replaced. */
static void copy_run(const char *from, const char *name, const char *old, const char *new_text) {
    char command[1024], path[512];
    assert_int_equal(mkdir(name, 0777), 0);
    snprintf(path, sizeof path, "%s/results.json", name);
    snprintf(command, sizeof command, "%s/results.json", from);
    char *text = read_text(command);
    char *at = strstr(text, old);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, new_text, at + strlen(old));
    fclose(file);
}

TEST(nothing_is_stored_yet) {
    check_prints(bench("runs"), 0, "reports/runs has no run yet; 'bench demo' measures one");
    Outcome outcome = bench_ok("runs --json");
    assert_string_equal(outcome.out, "[]\n");
    check_refused(bench("runs nowhere"), 5, "nowhere");
    measure("one");
    outcome = bench("runs reports"); /* none itself, but its folder 'runs' has */
    check_code(&outcome, 0);
    assert_string_equal(outcome.out,
                        "reports has no run itself; further down: bench runs reports/runs\n");
}

TEST(runs_have_a_line_each_the_newest_first) {
    measure("one");
    copy_run("reports/runs/one", "reports/runs/older", "\"date\":\t\"20", "\"date\":\t\"19");
    assert_int_equal(mkdir("reports/runs/other", 0777), 0); /* holds no run */
    assert_int_equal(mkdir("reports/runs/study", 0777), 0);
    assert_int_equal(mkdir("reports/runs/study/runs", 0777), 0);
    write_file("reports/runs/study/study.json", "{}", 2);
    assert_int_equal(mkdir("reports/runs/broken", 0777), 0);
    write_file("reports/runs/broken/results.json", "{", 1);
    Outcome outcome = bench_ok("runs");
    assert_string_equal(outcome.err, "");
    assert_true(widest_line(outcome.out) <= 80);
    const char *one = strstr(outcome.out, "\none ");
    const char *older = strstr(outcome.out, "\nolder ");
    assert_true(one != NULL && older != NULL && one < older);
    check_contains(outcome.out, ", lbp ");
    check_contains(outcome.out, "study: 0 runs in runs/");
    check_contains(outcome.out, "cannot be read: ");
    assert_null(strstr(outcome.out, "\nother"));
    assert_null(strstr(outcome.out, "\nlatest"));
    assert_int_equal(count_lines(outcome.out), 2 + 4 + 3);
}

TEST(texts_of_files_are_shown_escaped) {
    measure("one");
    copy_run("reports/runs/one", "reports/runs/\x1b[31m\nx", "\"date\":\t\"20",
             "\"date\":\t\"\\u001b");
    copy_run("reports/runs/one", "reports/runs/<b>", "\"cpu_model\":\t\"",
             "\"cpu_model\":\t\"\\u001b]0;");
    Outcome outcome = bench_ok("runs");
    assert_null(strchr(outcome.out, 0x1B));
    check_contains(outcome.out, "\n\\x1b[31m\\x0ax ");
    assert_true(widest_line(outcome.out) <= 80);
    outcome = bench_ok("runs --json");
    assert_null(strchr(outcome.out, 0x1B));
    cJSON *root = cJSON_Parse(outcome.out);
    assert_int_equal(cJSON_GetArraySize(root), 3);
    cJSON_Delete(root);
}

TEST(many_runs_are_cut_to_the_newest) {
    measure("one");
    for (int i = 0; i < 22; i++) {
        char name[64];
        snprintf(name, sizeof name, "reports/runs/%02d", i);
        copy_run("reports/runs/one", name, "\"date\"", "\"date\"");
    }
    Outcome outcome = bench("runs");
    check_contains(outcome.out, "3 earlier: bench runs --all");
    assert_int_equal(count_lines(outcome.out), 2 + 20 + 4);
    outcome = bench("runs --all");
    assert_int_equal(count_lines(outcome.out), 2 + 23 + 3);
}

TEST(other_folders_are_listed_too) {
    Outcome outcome = bench_ok("runs " RECORDED "h200 --json");
    cJSON *root = cJSON_Parse(outcome.out);
    const cJSON *entry;
    bool found = false;
    cJSON_ArrayForEach(entry, root) {
        if (strcmp(cJSON_GetObjectItem(entry, "name")->valuestring, "lbp") == 0) {
            found = true;
            assert_string_equal(cJSON_GetObjectItem(entry, "machine")->valuestring, "H200");
            assert_string_equal(cJSON_GetObjectItem(entry, "headline")->valuestring,
                                "GPU 37.9× faster, lbp 16K");
            assert_int_equal(cJSON_GetObjectItem(entry, "launches")->valueint, 6);
        }
    }
    assert_true(found);
    cJSON_Delete(root);
}

/* A narrow window has names and results, and no line is wrapped by the terminal. */
TEST(the_list_fits_the_window) {
    static const int windows[] = {60, 72, 80, 160};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        Outcome outcome = bench_on_terminal(windows[i], "runs " RECORDED "h200");
        check_code(&outcome, 0);
        char *last = strstr(outcome.out, "bench show RUN"); /* behind it is a long path */
        assert_non_null(last);
        *last = '\0';
        assert_true(widest_line(outcome.out) <= (size_t)windows[i] + 1); /* with its return */
        check_contains(outcome.out, "lacunarity-box-512  ");
        assert_true((strstr(outcome.out, "2026-11-23") != NULL) == (windows[i] >= 72));
    }
}

/* Times with copies from other memory are no other times of the same claim. */
TEST(claims_are_not_tested_by_a_run_with_other_memory) {
    check_refused(
        bench("runs reproduce " RECORDED "h200/lbp --from " RECORDED "h200/lbp-pinned-noise"), 2,
        "was measured with --pinned, and ");
}

/* Reasons, which stand below the table too, are left out before texts have many short lines. */
TEST(claims_have_few_lines_in_a_window) {
    Outcome outcome =
        bench_on_terminal(100, "runs reproduce " RECORDED "h200/lbp --from " RECORDED "h200/lbp");
    check_contains(outcome.out,
                   "360p   cuda_fast over the best CPU, kernel   6.10× faster (5.78 to ");
    assert_null(strstr(outcome.out, "  why"));
}

/* === Finding a run ============================================================================ */

/* Commands that read a run: without one it is the last; by its name in the folder of runs. */
TEST(a_run_is_found_by_its_name_or_is_the_last) {
    static const char *const commands[] = {
        "show",        "report", "figure --kind time --format svg",
        "compare one", "plot",   "reproduce --dry-run"};
    measure("one");
    measure("two");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        Outcome none = bench("%s", commands[i]);
        Outcome last = bench("%s latest", commands[i]);
        Outcome named = bench("%s two", commands[i]);
        check_code(&none, 0);
        check_code(&last, 0);
        check_code(&named, 0);
        assert_int_equal(strcspn(none.out, "\n"), strcspn(last.out, "\n"));
        assert_memory_equal(none.out, last.out, strcspn(none.out, "\n"));
    }
    check_prints(bench("ci history --folder h --commit "
                       "0123456789012345678901234567890123456789 add"),
                 0, "/reports/runs/two: commit ");
    check_refused(bench("compare"), 2, "compare: name the old run, and the new one unless");
    check_refused(bench("two"), 2, "'two' is a stored run; write: bench show two");
}

/* As when the folder of a study, or that of many runs, is named. */
TEST(a_run_is_no_folder_of_runs) {
    measure("one");
    check_refused(bench("runs one"), 2, "'one' is a stored run; write: bench show one");
    check_refused(bench("runs latest"), 2, "'latest' is a stored run; write: bench show latest");
    check_refused(bench("runs nowhere-at-all"), 5, "nowhere-at-all: the folder cannot be read");
}

/* Escaped, and cut where it is long. */
TEST(a_run_is_found_by_the_name_that_is_shown) {
    measure("one");
    copy_run("reports/runs/one", "reports/runs/\x1b[31m\nx", "", "");
    copy_run("reports/runs/one", "reports/runs/a-name-that-is-longer-than-a-column-has-room-for",
             "", "");
    Outcome outcome = bench("runs");
    check_contains(outcome.out, "\n\\x1b[31m\\x0ax ");
    check_contains(outcome.out, "\na-name-that-is-longer-than-a-column… ");
    static const char *const shown[] = {"\\x1b[31m\\x0ax", "reports/runs/\\x1b[31m\\x0ax",
                                        "a-name-that-is-longer-than-a-column…"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        bench_ok("show %s", shown[i]);
    }
    copy_run("reports/runs/one", "reports/runs/a-name-that-is-longer-than-a-column-is", "", "");
    check_refused(bench("show a-name-that-is-longer-than-a-column…"), 2,
                  "is shown for 2 folders in reports/runs; write more of the name");
    check_refused(bench("show \\x1b"), 5, "\\x1b: No such file or directory");
}

TEST(a_folder_of_runs_names_them) {
    static const char *const commands[] = {
        "show", "report", "figure", "plot", "reproduce", "compare x.json", "reproduce one --from"};
    assert_int_equal(mkdir("many", 0777) + mkdir("study", 0777) + mkdir("study/runs", 0777), 0);
    measure("one");
    copy_run("reports/runs/one", "many/a", "date", "date");
    copy_run("reports/runs/one", "study/runs/step", "date", "date");
    write_file("study/study.json", "{}", 2);
    write_file("x.json", "{}", 2);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        check_refused(bench("%s many", commands[i]), 5,
                      "many holds no run; name a run in it: many/a");
        check_refused(bench("%s study", commands[i]), 5,
                      "study is the folder of a study; name a run in it: study/runs/step");
        check_refused(bench("%s nowhere", commands[i]), 5,
                      "nowhere: No such file or directory; 'bench runs' lists stored runs");
    }
    check_refused(bench("many"), 5, "many holds no run; name a run in it: many/a");
    check_refused(bench("artifact many"), 5, "many holds no run; name a run in it: many/a");
    check_refused(bench("artifact nowhere"), 5,
                  "nowhere: No such file or directory; 'bench runs' lists stored runs");
    /* A folder of the name goes before a run of the name. */
    assert_int_equal(mkdir("one", 0777), 0);
    check_refused(bench("show one"), 5, "one holds no run: it has no results.json");
}
