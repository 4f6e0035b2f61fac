/* Shares of a plan: which cells they have, how a scheduler names them, and runs merged from them.
 */
#include <signal.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

/* Two algorithms at three sizes: six groups of three cells. */
#define PLAN                                                                                       \
    "--algo lbp,lacunarity --sizes 16x16,32x32,48x40 --variants seq,simd,omp --threads 1 --box 4 " \
    "--reps 3 --no-plot --quiet "

static cJSON *read_json(const char *path) {
    char *text = read_text(path);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    return root;
}

/* The names of the entries with samples of their own, each in a line. */
static char *names_of(const char *path) {
    cJSON *root = read_json(path);
    FILE *stream = test_stream();
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(root, "benchmarks")) {
        if (cJSON_HasObjectItem(entry, "kernel_samples_s")) {
            fprintf(stream, "%s\n", cJSON_GetObjectItem(entry, "name")->valuestring);
        }
    }
    cJSON_Delete(root);
    return test_text(stream);
}

/* results.csv without what no two runs have in common: comments, and columns from the first time
 * on. */
static char *rows_of(const char *path) {
    enum { COLUMNS_SAME = 13 };
    char *text = read_text(path);
    FILE *stream = test_stream();
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *end = line;
        for (int i = 0; i < COLUMNS_SAME && end != NULL; i++) {
            end = strchr(end + (i > 0), ',');
        }
        if (line[0] != '#' && end != NULL) {
            fprintf(stream, "%.*s\n", (int)(end - line), line);
        }
    }
    return test_text(stream);
}

static void measure_shares(void) {
    bench_ok(PLAN "--shard 1/3 --out one");
    bench_ok(PLAN "--shard 2/3 --out two");
    bench_ok(PLAN "--shard 3/3 --out three");
}

TEST(merged_shares_are_the_run_without_shares) {
    bench_ok(PLAN "--out whole");
    measure_shares();
    bench_ok("merge three one two --out merged");
    char *whole = names_of("whole/results.json");
    char *merged = names_of("merged/results.json");
    check_contains(whole, "lacunarity/omp/texture/48x40");
    assert_string_equal(merged, whole);
    whole = rows_of("whole/results.csv");
    merged = rows_of("merged/results.csv");
    assert_string_equal(merged, whole);
    cJSON *root = read_json("merged/results.json");
    const cJSON *context = cJSON_GetObjectItem(root, "context");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(context, "complete")));
    assert_false(cJSON_HasObjectItem(context, "shard"));
    assert_int_equal(cJSON_GetObjectItem(context, "planned_cells")->valueint, 18);
    assert_null(strstr(cJSON_GetObjectItem(context, "arguments")->valuestring, "--shard"));
    cJSON_Delete(root);
    check_prints(bench("show merged"), 0, "18 cells: 18 ok");
}

/* The names of the cells of a dry run, each in a line, in the order of the plan. */
static char *planned(const char *arguments) {
    Outcome outcome = bench_ok("%s --dry-run --all", arguments);
    char *rest = strstr(outcome.out, "\ncell "); /* the titles */
    assert_non_null(rest);
    FILE *stream = test_stream();
    strtok_r(rest + 1, "\n", &rest);
    for (char *line = strtok_r(NULL, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        fprintf(stream, "%.*s\n", (int)strcspn(line, " "), line);
    }
    return test_text(stream);
}

static bool has_group(const char *plan, const char *algorithm, const char *size, int *cells) {
    static const char *const variants[] = {"seq", "simd", "omp"};
    *cells = 0;
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s/texture/%s", algorithm, variants[i], size);
        *cells += strstr(plan, name) != NULL;
    }
    return *cells > 0;
}

/* Whole groups, each in one share. */
TEST(cells_that_are_compared_stay_together) {
    static const char *const algorithms[] = {"lbp", "lacunarity"};
    enum { GROUPS = 6 };
    static const char *const sizes[] = {"16x16", "32x32", "48x40"};
    enum { SHARES = 4 };
    char *shares[SHARES];
    for (int s = 0; s < SHARES; s++) {
        char line[512];
        snprintf(line, sizeof line, PLAN "--shard %d/%d", s + 1, SHARES);
        shares[s] = planned(line);
        char *again = planned(line);
        int cells;
        for (size_t i = 0; i < GROUPS; i++) { /* the same split each time */
            assert_int_equal(has_group(shares[s], algorithms[i / 3], sizes[i % 3], &cells),
                             has_group(again, algorithms[i / 3], sizes[i % 3], &cells));
        }
    }
    for (size_t i = 0; i < GROUPS; i++) {
        int owners = 0, cells;
        for (int s = 0; s < SHARES; s++) {
            if (has_group(shares[s], algorithms[i / 3], sizes[i % 3], &cells)) {
                owners++;
                assert_int_equal(cells, 3);
            }
        }
        assert_int_equal(owners, 1);
    }
    for (int s = 0; s < SHARES; s++) {
        assert_true(shares[s][0] != '\0');
    }
}

/* 4K takes about a hundred times as long as 320x240: alone it is one share, the rest the other. */
TEST(shares_are_expected_to_take_equally_long) {
    for (int s = 1; s <= 2; s++) {
        char line[512];
        snprintf(line, sizeof line,
                 "--algo lbp --sizes 320x240,4K,300x200,256x256 --variants seq --reps 50 --no-roof "
                 "--shard %d/2",
                 s);
        char *share = planned(line);
        assert_int_equal(strstr(share, "4K") != NULL, s == 1);
        assert_int_equal(strstr(share, "320x240") != NULL, s == 2);
        assert_int_equal(strstr(share, "256x256") != NULL, s == 2);
    }
}

TEST(a_scheduler_names_the_share) {
    static const struct {
        const char *variables[4][2];
        const char *same;
    } cases[] = {
        {{{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "3"}}, "1/3"},
        {{{"SLURM_ARRAY_TASK_ID", "5"},
          {"SLURM_ARRAY_TASK_COUNT", "3"},
          {"SLURM_ARRAY_TASK_MIN", "1"},
          {"SLURM_ARRAY_TASK_STEP", "2"}},
         "3/3"},
        {{{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}}, "2/2"},
        {{{"SLURM_ARRAY_TASK_ID", "0"},
          {"SLURM_ARRAY_TASK_COUNT", "1"},
          {"SLURM_PROCID", "2"},
          {"SLURM_NTASKS", "3"}},
         "3/3"},
        {{{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}}, "2/4"},
        {{{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}, "4/4"},
    };
    static const char plan[] =
        "--algo lbp --sizes 16x16,32x32,48x48,64x64 --variants seq --no-roof --reps 3 --shard";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        for (size_t j = 0; j < 4 && cases[i].variables[j][0] != NULL; j++) {
            setenv(cases[i].variables[j][0], cases[i].variables[j][1], 1);
        }
        snprintf(line, sizeof line, "%s auto", plan);
        char *named = planned(line);
        for (size_t j = 0; j < 4 && cases[i].variables[j][0] != NULL; j++) {
            unsetenv(cases[i].variables[j][0]);
        }
        snprintf(line, sizeof line, "%s %s", plan, cases[i].same);
        char *given = planned(line);
        assert_string_equal(named, given);
    }
    check_refused(bench("%s auto", plan), 2, "no scheduler has told this process its share");
    setenv("PMI_RANK", "4", 1);
    setenv("PMI_SIZE", "4", 1);
    check_refused(bench("%s auto", plan), 2, "PMI_RANK is 4 and PMI_SIZE 4");
    setenv("PMI_RANK", "two", 1);
    check_refused(bench("%s auto", plan), 2, "PMI_RANK is 'two', which is no number");
    unsetenv("PMI_RANK");
    unsetenv("PMI_SIZE");
}

/* Where no scheduler tells any more, the run says which share it is. */
TEST(a_share_of_a_scheduler_goes_on_by_hand) {
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "3", 1);
    bench_ok(PLAN "--shard auto --out two");
    unsetenv("PMI_RANK");
    unsetenv("PMI_SIZE");
    cJSON *root = read_json("two/results.json");
    const cJSON *context = cJSON_GetObjectItem(root, "context");
    check_contains(cJSON_GetObjectItem(context, "arguments")->valuestring, "--shard 2/3");
    cJSON_Delete(root);
    char *names = names_of("two/results.json");
    bench_ok("--resume two --quiet");
    char *again = names_of("two/results.json");
    assert_string_equal(again, names);
    bench_ok("show two");
    bench_ok(PLAN "--shard 1/3 --out one");
    bench_ok(PLAN "--shard 3/3 --out three");
    bench_ok("merge one two three --out m");
}

TEST(bad_shares_are_refused) {
    static const char *const wrong[] = {"0/3", "4/3", "2", "1/3x", "x", "1/99999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refused(bench(PLAN "--shard %s", wrong[i]), 2, "write I/N, share I of N");
    }
    check_refused(bench(PLAN "--shard 1/7"), 2,
                  "the plan has 6 groups of cells that are compared with each other; write at most "
                  "6 shares");
    check_refused(bench(PLAN "--shard 1/2 --baseline x"), 2, "compare the merged run");
}

static void replace_in(const char *path, const char *was, const char *is) {
    char *text = read_text(path);
    char *at = strstr(text, was);
    assert_non_null(at);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
    fclose(file);
}

TEST(shares_that_do_not_make_a_whole_are_named) {
    measure_shares();
    check_refused(bench("merge one two --out m"), 2, "of 3 shares these are missing: 3");
    check_refused(bench("merge two --out m"), 2, "of 3 shares these are missing: 1, 3");
    check_refused(bench("merge one two two --out m"), 2, "two and two are both share 2 of 3");
    bench_ok(PLAN "--out whole");
    check_refused(bench("merge one whole --out m"), 2, "whole is a whole run");
    check_refused(bench("merge whole one --out m"), 2, "one is a share of a plan");
    bench_ok(PLAN "--shard 3/3 --seed 2 --out other");
    check_refused(bench("merge one two other --out m"), 2, "other is no share of the same run");
    bench_ok(PLAN "--shard 2/2 --out half");
    check_refused(bench("merge one two half --out m"), 2,
                  "half is share 2 of 2, and the others are of 3");
    replace_in("three/results.json", "\"cpu_model\":\t\"", "\"cpu_model\":\t\"Another ");
    check_refused(bench("merge one two three --out m"), 2, "three is no share of the same run");
    replace_in("two/results.json", "\"complete\":\ttrue", "\"complete\":\tfalse");
    check_refused(bench("merge one two three --out m"), 2,
                  "two is not complete (share 2 of 3); go on with bench --resume two");
    replace_in("one/results.json", "\"shard\":\t\"1/3\"", "\"shard\":\t\"5/3\"");
    check_refused(bench("merge one two three --out m"), 5, "\"shard\" is '5/3'");
    assert_false(file_exists("m"));
}

/* Killed in the middle, as a scheduler does, and started again by the same command with --resume.
 */
TEST(a_killed_share_goes_on) {
    static const char plan[] = "--algo lbp --sizes 64x64,80x80,96x96,128x128 --variants seq "
                               "--ci-width 0.000000001 --max-time 1s --no-roof --no-plot ";
    char line[512];
    snprintf(line, sizeof line, "%s--shard 2/2 --out two", plan);
    const pid_t process = bench_start(line);
    const bool running = wait_for_text(process, "two/results.json", "kernel_samples_s", 120);
    assert_int_equal(kill(process, SIGKILL), 0);
    (void)bench_wait(process);
    assert_true(running);
    bench_ok("%s--shard 1/2 --out one --quiet", plan);
    check_refused(bench("merge one two --out m"), 2, "two is not complete");
    char *before = names_of("two/results.json");
    bench_ok("--resume two --quiet");
    char *after = names_of("two/results.json");
    assert_memory_equal(after, before, strlen(before));
    assert_true(strlen(after) > strlen(before));
    bench_ok("merge one two --out m");
    char *merged = names_of("m/results.json");
    assert_string_equal(merged, "lbp/seq/texture/64x64\nlbp/seq/texture/80x80\n"
                                "lbp/seq/texture/96x96\nlbp/seq/texture/128x128\n");
}

TEST(shares_have_launches) {
    bench_ok(PLAN "--launches 2 --shard 1/2 --out one");
    bench_ok(PLAN "--launches 2 --shard 2/2 --out two");
    bench_ok("merge one two --out m");
    cJSON *root = read_json("m/results.json");
    const cJSON *entry;
    size_t count = 0;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(root, "benchmarks")) {
        if (cJSON_HasObjectItem(entry, "kernel_samples_s")) {
            assert_int_equal(cJSON_GetObjectItem(entry, "launches")->valueint, 2);
            count++;
        }
    }
    assert_int_equal(count, 18);
    cJSON_Delete(root);
}

/* Writes a run like those of older versions: it has `copy`, which its command line does not name.
 */
static void write_older(const char *folder) {
    static const char copy[] = ",copy";
    char path[64];
    bench_ok("--algo lbp,copy --sizes 64x64 --variants seq --reps 5 --no-plot --quiet "
             "--out %s",
             folder);
    snprintf(path, sizeof path, "%s/results.json", folder);
    char *text = read_text(path);
    for (char *at; (at = strstr(text, copy)) != NULL;) {
        memmove(at, at + strlen(copy), strlen(at + strlen(copy)) + 1);
    }
    write_file(path, text, strlen(text));
}

TEST(older_runs_with_copy_are_merged) {
    write_older("one");
    write_older("two");
    bench_ok("merge one two --out m");
    char *merged = names_of("m/results.json");
    assert_string_equal(merged, "lbp/seq/texture/64x64\ncopy/seq/texture/64x64\n");
    check_prints(bench("show m"), 0, "its answer verified");
}
