/* A run of several launches, one launch alone, and runs merged as launches. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define SMALL "--algo lbp --sizes 16x16,32x32 --variants seq,simd --reps 5 --no-plot --no-roof "

TEST(six_launches_are_six_processes_and_one_run) {
    Outcome outcome = bench_ok(SMALL "--launches 6 --spread 0 --out run");
    check_contains(outcome.out, "95% of 6 launches");
    check_contains(outcome.out, "4 cells: 4 ok");
    check_contains(outcome.err, "[0/24] launch 1 of 6 (0:0");
    check_contains(outcome.err, "[24/24] done (0:");
    assert_true(file_exists("run/launch-1/results.json"));
    assert_true(file_exists("run/launch-6/results.json"));
    /* Four cells in six launches, of which Google Benchmark's tools see every one. */
    assert_int_equal(count_of(read_text("run/results.json"), "\"repetitions\":\t6"), 24);
    assert_int_equal(count_of(read_text("run/results.json"), "\"repetition_index\":\t5"), 4);
    assert_int_equal(count_of(read_text("run/results.json"), "\"kernel_samples_s\""), 4);
    assert_int_equal(count_of(read_text("run/results.json"), "\"launches\":\t6"), 4);
}

/* === A budget ================================================================================= */

#define ANY "--algo lbp --sizes 16x16,32x32 --variants seq,simd --no-plot --no-roof "

/* However little time there is, three launches are measured; with the time there is no interval. */
TEST(a_budget_that_is_too_small_has_three_launches) {
    check_prints(bench(ANY "--budget 1ms --out run"), 0, "least to greatest of 3 launches");
    assert_true(has_launch("run", 3));
    assert_false(has_launch("run", 4));
}

/* simd is surely faster than seq, so six launches may decide; on a busy machine it may be more. */
TEST(without_a_limit_launches_follow_until_all_is_decided) {
    bench_ok(ANY "--budget none --quiet --out run");
    assert_true(has_launch("run", 6));
    assert_false(has_launch("run", 13));
    check_prints(bench("show run --time"), 0, "kernel samples", "starting processes and devices");
}

/* A run that says nothing of launches or samples has the budget; whoever names a number has that.
 */
TEST(a_run_has_a_budget_unless_it_names_a_number) {
    bench_ok(ANY "--quiet --out run");
    assert_true(has_launch("run", 3));
    static const char *const exact[] = {"--reps 3", "--min-reps 3 --max-time 0.1",
                                        "--ci-width 10% --max-time 0.1"};
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, ANY "--quiet --force --out one %s", exact[i]);
        bench_ok("%s", line);
        assert_false(has_launch("one", 1));
    }
}

TEST(a_run_with_a_budget_goes_on_with_another) {
    bench_ok(ANY "--budget 1ms --quiet --out run");
    assert_false(has_launch("run", 4));
    bench_ok("--resume run --budget none --quiet");
    assert_true(has_launch("run", 6));
    assert_says(read_text("run/results.json"), "\"launches\":\t");
}

/* A study measures its steps in this way: launch by launch. */
TEST(a_run_with_a_budget_stops_after_a_launch_and_goes_on) {
    bench_ok(ANY "--budget none --stop-after 1 --quiet --out run");
    assert_true(has_launch("run", 1));
    assert_false(has_launch("run", 2));
    bench_ok("--resume run --stop-after 2 --quiet");
    assert_true(has_launch("run", 2));
    assert_false(has_launch("run", 3));
    bench_ok("--resume run --quiet"); /* how far the last call went is not kept */
    assert_true(has_launch("run", 6));
}

/* The number behind the key, at its first place. */
static int number_of(const char *json, const char *key) {
    char text[64];
    snprintf(text, sizeof text, "\"%s\":\t", key);
    const char *found = strstr(json, text);
    assert_non_null(found);
    return atoi(found + strlen(text));
}

/* However little time is left: its rows are those of all launches that it has. */
TEST(a_budget_that_is_spent_loses_no_launch) {
    bench_ok(ANY "--budget none --stop-after 5 --quiet --out run");
    bench_ok("--resume run --budget 1ms --quiet");
    assert_false(has_launch("run", 6));
    char *whole = read_text("run/results.json"); /* a disturbed launch may be set aside */
    assert_int_equal(number_of(whole, "launches") + number_of(whole, "launches_set_aside"), 5);
}

TEST(a_budget_and_what_it_excludes) {
    static const char *const lines[][2] = {
        {"--budget 10 --spread 60", "--budget and --spread cannot be combined"},
        {"--budget 10 --shard 1/2", "--budget and --shard cannot be combined"},
        {"--launches 6 --stop-after 2", "--stop-after needs launches that follow a budget"},
        {"--budget 0", "is not a time above 0"},
        {"--budget soon", "'soon' is not a time above 0"},
        {"--pass 2/6 --leave-out 9", "'9' is no list of cells"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_says(bench(ANY "%s", lines[i][0]), 2, lines[i][1]);
    }
}

/* === Launches ================================================================================= */

/* The OpenMP runtime pins this process's first thread to one processor, which a child would
 * inherit.
 */
TEST(launches_use_every_processor) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char name[64];
    snprintf(name, sizeof name, "32x32/threads:%ld\"", processors);
    bench_ok("--algo lbp --sizes 32x32 --variants omp --reps 5 --no-plot --no-roof --out one");
    bench_ok("--algo lbp --sizes 32x32 --variants omp --reps 5 --no-plot --no-roof --launches 2 "
             "--out two");
    assert_int_equal(count_of(read_text("one/results.json"), name) > 0,
                     count_of(read_text("two/results.json"), name) > 0);
}

/* Later launches take the answers of the first as the right ones: an oracle is not run again. */
TEST(later_launches_are_verified_by_the_answers_of_the_first) {
    bench_ok(SMALL "--pass 1/2 --out first --quiet");
    bench_ok(SMALL "--pass 2/2 --first first --out second --quiet");
    char *text = read_text("first/results.json");
    char *digest = strstr(text, "\"answer_digest\":\t");
    assert_non_null(digest);
    digest += strlen("\"answer_digest\":\t");
    *digest = *digest == '1' ? '2' : '1';
    write_file("first/results.json", text, strlen(text));
    check_says(bench(SMALL "--pass 2/2 --first first --out third --quiet"), 4,
               "not the one of the first launch");
}

/* Whose records may come in any order. */
TEST(answers_in_any_order_need_no_oracle_either) {
    static const char haar[] = "--algo haar --synthetic digits --images 30 --variants simd,omp "
                               "--reps 5 --no-plot --no-roof";
    check_says(bench("%s --pass 1/2 --out first", haar), 0, "oracle of haar");
    assert_true(count_of(read_text("first/results.json"), "\"answer_digest\"") > 1);
    Outcome outcome = bench_ok("%s --pass 2/2 --first first --out second", haar);
    assert_null(strstr(outcome.err, "oracle of haar"));
}

/* An answer within a tolerance may be another one in each launch, and right. */
TEST(answers_within_a_tolerance_are_compared_in_every_launch) {
    static const char hashsift[] = "--algo hashsift --synthetic texture --sizes 64x64 "
                                   "--keypoints 20 --bits 256 --variants simd,omp --reps 5 "
                                   "--no-plot --no-roof";
    bench_ok("%s --pass 1/2 --out first", hashsift);
    assert_int_equal(count_of(read_text("first/results.json"), "\"answer_digest\""), 0);
    check_says(bench("%s --pass 2/2 --first first --out second", hashsift), 0,
               "oracle of hashsift");
}

/* Where an oracle is needed again: a launch that finds seq slower leaves out no cell of the first.
 */
TEST(what_the_first_launch_measured_the_others_do_too) {
    bench_ok(SMALL "--pass 1/2 --out first --quiet");
    char *text = read_text("first/results.json");
    for (char *digest = text; (digest = strstr(digest, "\"answer_digest\"")) != NULL;) {
        digest[1] = '_';
    }
    write_file("first/results.json", text, strlen(text));
    bench_ok(SMALL "--pass 2/2 --first first --max-cell 0.000001ms --out second --quiet");
    assert_int_equal(count_of(read_text("second/results.json"), "\"variant\":\t\"seq\""), 2);
    assert_int_equal(count_of(read_text("second/results.json"), "more than --max-cell"), 0);
    check_says(bench(SMALL "--pass 1/2 --max-cell 0.000001ms --out third --quiet"), 6,
               "more than --max-cell");
}

TEST(every_other_launch_goes_backwards) {
    check_says(bench(SMALL "--pass 1/2 --out first"), 0, "[0/4] oracle of lbp on texture 16x16 (");
    check_says(bench(SMALL "--pass 2/2 --first first --out second"), 0,
               "[0/4] lbp/simd/texture/32x32 (");
}

/* Of two tunings whichever was best. */
TEST(with_a_budget_the_best_tunings_alone_are_measured_once) {
#define TUNED                                                                                      \
    "--algo lbp --sizes 64x64 --variants seq,omp --threads 1,2 --no-roof --no-plot --quiet "
    bench_ok(TUNED "--budget 5s --pass 1/6 --out first");
    bench_ok(TUNED "--budget 5s --pass 2/6 --first first --out second");
    assert_int_equal(count_of(read_text("first/results.json"), "\"with_alloc_s\":"), 0);
    assert_int_equal(count_of(read_text("second/results.json"), "\"with_alloc_s\":"), 2);
    bench_ok(TUNED "--launches 1 --out whole");
    assert_int_equal(count_of(read_text("whole/results.json"), "\"with_alloc_s\":"), 3);
#undef TUNED
}

TEST(a_pass_is_k_of_n) {
    static const char *const wrong[] = {"0/6", "7/6", "3", "1/65", "1/6x", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refused(bench(SMALL "--pass %s --out run", wrong[i]), 2, "write K/N");
    }
    check_refused(bench(SMALL "--launches 0 --out run"), 2, "--launches");
}

/* Cells that sample until a time limit: the interrupt comes in the second launch. */
TEST(an_interrupted_run_is_resumed_in_its_launch) {
    Outcome outcome =
        bench_interrupted("--algo lbp --sizes 64x64,96x96 --variants seq --ci-width "
                          "0.000000001 --max-time 1s --no-plot --no-roof --launches 3 "
                          "--out run",
                          "run/launch-2/results.json", ",");
    check_contains(outcome.err, "2 of 2 cells are in run, some with fewer launches; go on with "
                                "--resume run");
    check_contains(outcome.out,
                   "2 cells: 2 ok, 0 skipped, 0 failed; incomplete, launches are missing");
    assert_int_equal(count_files(".part"), 0);
    char *before = read_text("run/launch-1/results.json");
    bench_ok("--resume run");
    char *after = read_text("run/launch-1/results.json");
    assert_string_equal(before, after);
    assert_int_equal(count_of(read_text("run/results.json"), "\"launches\":\t3"), 2);
    assert_true(file_exists("run/launch-3/results.json"));
}

/* What seq may take is half of the budget, and the launch is told: another budget is no other
 * request. */
TEST(an_interrupted_launch_goes_on_with_another_budget) {
    (void)bench_interrupted("--algo lbp --sizes 64x64,96x96,16K --variants seq --budget "
                            "40s --no-plot --no-roof --out run",
                            "run/launch-1/results.json", ",");
    assert_says(read_text("run/launch-1/results.json"), "--max-long 20s");
    bench_ok("--resume run --budget 3s --quiet");
    assert_true(file_exists("run/launch-3/results.json"));
}

/* Seconds between the times at which two launches say that they started. */
static double started_apart(const char *earlier, const char *later) {
    double seconds[2];
    const char *paths[] = {earlier, later};
    for (int i = 0; i < 2; i++) {
        char *text = read_text(paths[i]);
        const char *at = strstr(text, "\"date\":\t\"");
        struct tm utc = {0};
        assert_non_null(at);
        assert_non_null(strptime(at + strlen("\"date\":\t\""), "%Y-%m-%dT%H:%M:%S", &utc));
        seconds[i] = (double)timegm(&utc);
    }
    return seconds[1] - seconds[0];
}

/* Without the distance the two launches begin within a second. */
TEST(launches_begin_evenly_over_a_time) {
    bench_ok(SMALL "--launches 2 --spread 8s --out run");
    assert_true(started_apart("run/launch-1/results.json", "run/launch-2/results.json") >= 3);
    check_refused(bench(SMALL "--pass 1/2 --spread 8s --out one"), 2, "--pass and --spread");
    check_refused(bench(SMALL "--spread 8s --out one"), 2, "--spread needs launches");
    /* Six may follow each other only where that is asked for; of fewer no interval is said. */
    static const struct {
        const char *options;
        bool apart;
    } plans[] = {{"--launches 6", true},
                 {"--launches 9", true},
                 {"--launches 6 --spread 0", false},
                 {"--launches 5", false}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        Outcome one = bench_ok(SMALL "%s --dry-run", plans[i].options);
        assert_int_equal(strstr(one.out, " each, one every 0:30\n") != NULL, plans[i].apart);
        assert_int_equal(strstr(one.out, "one every") != NULL, plans[i].apart);
    }
    check_refused(bench(SMALL "--launches 6 --spread -1 --out one"), 2, "not a time of at least 0");
    Outcome plan = bench_ok(SMALL "--launches 6 --spread 10min --dry-run");
    /* The last begins after five of six parts. What one takes is estimated by running it: "0:01",
     * or "120 ms", of which less than a second counts. */
    static const char begin[] = "expected time: about %d:%d, 6 launches of about %d:%d each";
    int minutes, seconds, each_minutes = 0, each_seconds = 0;
    const int read = sscanf(plan.out, begin, &minutes, &seconds, &each_minutes, &each_seconds);
    assert_in_range(read, 2, 4);
    const int each = read == 4 ? 60 * each_minutes + each_seconds : 0;
    assert_in_range(60 * minutes + seconds - (500 + each) + 1, 0, 2);
    check_contains(plan.out, " each, one every 1:40\n");
}

/* The folder holds a run of other arguments. */
TEST(a_run_into_an_old_folder_measures_anew) {
    bench_ok(SMALL "--launches 2 --out run");
    bench_ok("--algo lbp --sizes 24x24 --variants seq --reps 5 --no-plot --no-roof --launches 2 "
             "--out run --force");
    assert_true(count_of(read_text("run/results.json"), "24x24\"") > 0);
    assert_int_equal(count_of(read_text("run/launch-1/results.json"), "16x16"), 0);
    assert_int_equal(count_of(read_text("run/launch-2/results.json"), "16x16"), 0);
}

TEST(stored_runs_become_launches) {
    bench_ok(SMALL "--out monday --quiet");
    bench_ok(SMALL "--out tuesday --quiet");
    check_prints(bench("merge monday tuesday/results.json --out week"), 0, "2 launches",
                 "\nweek\n");
    assert_int_equal(count_of(read_text("week/results.json"), "\"launches\":\t2"), 4);
    /* A merged run is a run: its launches come before those of the next. */
    bench_ok(SMALL "--out wednesday --quiet");
    bench_ok("merge week wednesday --out more");
    assert_int_equal(count_of(read_text("more/results.json"), "\"launches\":\t3"), 4);
    bench_ok("report more --format md --out more.md");
    bench_ok("compare week more --threshold 50%%");
}

/* What was derived from the samples is derived again, and all else stays. */
TEST(one_run_is_written_again) {
    static const char wrong[] = "\"speedup_vs_best_cpu\":\t99";
    bench_ok(SMALL "--launches 2 --out run --quiet");
    assert_int_equal(
        system("sed -i 's/\\(\"speedup_vs_best_cpu\":\t\\)[0-9.e+-]*/\\199/' run/results.json"), 0);
    assert_int_equal(count_of(read_text("run/results.json"), wrong), 4);
    bench_ok("merge run --out anew");
    assert_int_equal(count_of(read_text("anew/results.json"), wrong), 0);
    char *before = read_text("run/results.csv");
    char *after = read_text("anew/results.csv");
    assert_string_equal(strstr(after, "\nalgorithm,"), strstr(before, "\nalgorithm,"));
    /* Nothing is lost on the way. */
    assert_int_equal(
        system(
            "sed 's/\"variant\":\t\"simd\"/\"variant\":\t\"gone\"/' run/results.json >gone.json"),
        0);
    check_refused(bench("merge gone.json --out less"), 2, "gone.json: 2 rows are of algorithms");
    assert_false(file_exists("less/results.json"));
}

/* What the first run was asked for is what the merged one was. */
TEST(a_merged_run_says_what_was_asked_for) {
    bench_ok(SMALL "--no-interleave --seed 7 --price gpu=3,cpu=1 --out run --quiet");
    check_prints(bench("merge run --out merged"), 0, "Cost");
    check_file_has("merged/results.csv", "\n# interleaved: no\n");
    check_file_has("merged/results.json", "\"interleaved\":\tfalse");
    check_file_has("merged/results.json", "\"seed\":\t7,");
}

TEST(what_does_not_belong_together_is_not_merged) {
    bench_ok(SMALL "--out one --quiet");
    bench_ok(SMALL "--seed 2 --out other --quiet");
    check_refused(bench("merge one other --out both"), 2, "another input");
    assert_false(file_exists("both/results.json"));
    check_refused(bench("merge one --out one"), 2, "would be overwritten");
    assert_int_equal(system("cp -r one changed && sed -i "
                            "'s/\"answer_digest\":\t[0-9]*/\"answer_digest\":\t5/' "
                            "changed/results.json"),
                     0);
    check_refused(bench("merge one changed --out both"), 2,
                  "changed: lbp/seq/texture/16x16 has another answer than in the runs before it");
    check_refused(bench("merge one nowhere --out both"), 5, "nowhere");
    bench_ok(SMALL "--out again --quiet");
    bench_ok("merge one again --out two");
    static const char *const twice[] = {"one one", "two again", "again two"};
    for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++) {
        check_refused(bench("merge %s --out both", twice[i]), 2,
                      "has the samples of a run before it, which would count twice");
    }
    bench_ok(SMALL "--pinned --out pinned --quiet");
    check_refused(bench("merge one pinned --out both"), 2,
                  "pinned was measured with --pinned, and the runs before it without");
    check_refused(bench("merge pinned one --out both"), 2,
                  "one was measured without --pinned, and the runs before it with it");
    bench_ok(SMALL "--cold --out cold --quiet");
    check_refused(bench("merge one cold --out both"), 2,
                  "cold was measured with --cold, and the runs before it without");
    check_refused(bench("runs reproduce one --from cold"), 2,
                  "cold was measured with --cold, and one without");
}

/* As soon as the first launch has a row, the image cannot be decoded any more. */
static void spoil_image(void) {
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < 20000 && access("run/launch-1/results.json", F_OK) != 0; i++) {
        nanosleep(&pause, NULL);
    }
    _exit(truncate("image.png", 60) != 0);
}

/* Launches are of the same input, whatever becomes of its file. */
TEST(later_launches_have_the_input_of_the_first) {
    bench_ok(
        "--algo lbp --synthetic noise --sizes 64x64 --variants seq --reps 1 --no-plot --no-roof "
        "--save made --out once --quiet");
    assert_int_equal(rename("made/lbp-noise-64x64-codes.png", "image.png"), 0);
    const pid_t other = fork();
    if (other == 0) {
        spoil_image();
    }
    bench_ok("--algo lbp --input image.png --variants seq,simd --launches 3 --spread 0 --no-plot "
             "--no-roof --out run --quiet");
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(count_of(read_text("run/results.json"), "\"launches\":\t3"), 2);
}
