/* `bench study` from outside: a small study of one's own, its report again without measuring, its
 * steps in parts, an interrupt, and each bad command line. */
#include <signal.h>
#include <sys/stat.h>

#include "program.h"
#include "test.h"

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* Two steps; a table of both, one of a step whose data is not there; a figure. */
static const char study_text[] =
    "study small\n"
    "title \"A small study\"\n"
    "citation \"A. Author: Small. 2024\"\n"
    "about \"LBP in small.\"\n"
    "difference \"Another processor.\"\n"
    "convention \"mean of 3 runs\"\n"
    "step one run\n"
    "  --algo lbp\n  --variants seq\n  --sizes 64x48, 32x24\n  --reps 9\n  --no-roof\n"
    "  quick --reps 3\n"
    "step two run\n"
    "  --algo lbp\n  --variants omp\n  --sizes 64x48\n  --threads 1\n  --reps 3\n  --no-roof\n"
    "step absent match\n"
    "  argument {data}/a.png\n  argument {data}/b.png\n"
    "table table-1 \"Both\"\n"
    "  from one\n"
    "  row \"Sequential {size}\" variant=seq size=64x48,32x24\n"
    "  column Time ms kernel_ms_mean\n"
    "  column Threads ms kernel_ms_mean from two variant=omp\n"
    "table table-2 \"Matches\"\n"
    "  from absent\n  row R method=sift\n  column Inliers - inliers\n"
    "figure figure-1 \"Time against size\"\n"
    "  x size pixels log\n  y \"ms\"\n  line Seq table-1 Time\n";

static const char published_text[] = "table,row,column,value,unit,machine,source\n"
                                     "table-1,Sequential 64x48,Time,0.125,ms,A box,Table 1\n";

static void set_up(void) {
    folder_enter();
    setenv("BENCH_PYTHON", "/no/python", 1); /* whatever libraries are installed */
    assert_int_equal(mkdir("small", 0700), 0);
    write_text("small/study.txt", study_text);
    write_text("small/published.csv", published_text);
}

EACH_TEST(set_up, folder_leave);

static void run_study(void) {
    Outcome outcome = bench_ok("study small --quick --device cpu --data nowhere --out o");
    check_contains(outcome.err, "step 1/3 one: CUDA_VISIBLE_DEVICES= bench run --algo lbp "
                                "--variants seq --sizes 64x48,32x24 --no-roof --reps 3 "
                                "--out o/runs/one --no-plot --quiet\n");
    check_contains(outcome.err, "step 3/3 absent: left out: nowhere/a.png is not there; get it "
                                "with /");
    check_contains(outcome.err, "/datasets/fetch a.png, if that has it, or name the folder that "
                                "holds it with --data FOLDER");
    check_contains(outcome.out, "\ntable-1         3   4          1");
    check_contains(outcome.out, "\ntable-2         0   1          0  nowhere/a.png is not there");
    /* The verdict is the last that is said. */
    static const char end[] = "\no/report.html\nThe paper prints no numbers whose order or trend "
                              "could be tested\n";
    const size_t length = strlen(outcome.out);
    assert_true(length > sizeof end);
    assert_string_equal(outcome.out + length - (sizeof end - 1), end);
    /* And how long it will take the first. */
    assert_memory_equal(outcome.err, "3 steps: expected time: about 0:0", 33);
    check_contains(outcome.err,
                   "bench: note: the study has no other people's code, as Python cannot "
                   "be asked what is installed: Python is needed, but '/no/python' ");
}

/* Six launches unless --quick or --launches asks for another number. */
TEST(steps_have_launches) {
    static const char *const lines[][2] = {
        {"", "--out o/runs/one --no-plot --quiet --launches 6\n"},
        {"--launches 2", "--out o/runs/one --no-plot --quiet --launches 2\n"},
        {"--launches 1", "--out o/runs/one --no-plot --quiet\n"},
        {"--quick --launches 3", "--out o/runs/one --no-plot --quiet --launches 3\n"},
        {"--spread 90", "--out o/runs/one --no-plot --quiet --launches 6 --spread 90s\n"},
        {"--launches 1 --spread 90", "--out o/runs/one --no-plot --quiet\n"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_prints(bench("study small --dry-run --data nowhere --out o %s", lines[i][0]), 0,
                     lines[i][1]);
    }
    check_refused(bench("study small --render --out o --launches 2"), 2, "leave out --launches");
}

TEST(a_study_is_measured_and_told) {
    run_study();
    static const char *const files[] = {"o/report.html",          "o/report.md",
                                        "o/study.json",           "o/tables/table-1.csv",
                                        "o/tables/table-1.md",    "o/tables/table-1.tex",
                                        "o/tables/all.tex",       "o/figures/figure-1.csv",
                                        "o/figures/figure-1.svg", "o/runs/one/log.txt",
                                        "o/runs/one/results.csv", "o/runs/one/outcome.json",
                                        "o/runs/two/results.csv", "o/runs/absent/outcome.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!file_exists(files[i])) {
            fail_msg("%s is not there", files[i]);
        }
    }
    assert_int_equal(count_files(".part"), 0);
    check_file_has("o/runs/one/outcome.json", "\"done\"");
    check_file_has("o/runs/one/outcome.json", "bench run --algo lbp");
    check_file_has("o/runs/one/log.txt", "lbp at 64x48: ");
    check_file_has("o/report.md", "A small study");
    check_file_has("o/report.md", "0.125");
}

static void check_same(const char *path, const char *before) {
    assert_string_equal(read_text(path), before);
}

/* === A budget ================================================================================= */

static void run_budget(const char *options, const char *said) {
    Outcome outcome = bench_ok("study small %s --out o", options);
    if (said != NULL) {
        check_contains(outcome.err, said);
    } else {
        assert_null(strstr(outcome.err, "so far"));
    }
}

/* The first launch of every step comes first. Where no time is left after it, that is the report;
 * with more the others follow launch by launch, until a run with a budget would end. */
TEST(a_budget_that_is_spent_has_the_first_launches) {
    run_budget("--quick --budget 1ms --device cpu --data nowhere", NULL);
    assert_true(has_launch("o/runs/one", 1) && has_launch("o/runs/two", 1));
    assert_false(has_launch("o/runs/one", 2) || has_launch("o/runs/two", 2));
    check_file_has("o/report.md", "one launch");
    run_budget("--resume", NULL);
    assert_false(has_launch("o/runs/one", 2) || has_launch("o/runs/two", 2));
    run_budget("--resume --budget none", "\nso far: o/report.html\n");
    assert_true(has_launch("o/runs/one", 6) && has_launch("o/runs/two", 6));
    assert_false(has_launch("o/runs/one", 13) || has_launch("o/runs/two", 13));
    check_file_has("o/report.md", "--budget none");
    char *report = read_text("o/report.md");
    assert_null(strstr(report, "So far"));
    check_file_has("o/runs/one/outcome.json", "--budget none --every-tuning --max-cell 60s\"");
    check_file_has("o/runs/absent/outcome.json", "left-out");
    check_file_has("o/runs/one/results.json", "--quiet");
    /* The first launch was not measured again, and nothing is by rendering. */
    char *first = read_text("o/runs/one/launch-1/results.json");
    run_budget("--render", NULL);
    check_same("o/runs/one/launch-1/results.json", first);
    check_refused(bench("study small --render --budget 9 --out o"), 2, "leave out --budget");
    /* With twelve launches a run has ended. */
    assert_int_equal(system("cd o/runs/one && for n in 7 8 9 10 11 12; do "
                            "[ -d launch-$n ] || cp -r launch-6 launch-$n; done"),
                     0);
    bench_ok("study small --resume --budget none --out o");
    check_file_has("o/runs/one/outcome.json", "\"done\"");
    /* All again. */
    run_budget("--force --quick --budget 1ms --device cpu --data nowhere", NULL);
    assert_false(has_launch("o/runs/one", 2) || has_launch("o/runs/two", 2));
}

TEST(a_budget_and_what_it_excludes) {
    check_refused(bench("study small --budget 5min --launches 3 --out o"), 2,
                  "--budget and --launches cannot be combined");
    check_refused(bench("study small --budget 5min --spread 3 --out o"), 2,
                  "--budget and --spread cannot be combined");
    check_refused(bench("study small --budget soon --out o"), 2, "'soon' is not a time above 0");
    check_prints(bench("study small --budget 60s --dry-run --data nowhere --out o"), 0,
                 "--out o/runs/two --no-plot --quiet --budget 30s --every-tuning --max-cell 60s\n",
                 "\nbudget: 1:00\n");
    run_study();
    check_refused(bench("study small --resume --budget 9 --out o"), 2, "begun without --budget");
}

/* === Again ==================================================================================== */

TEST(the_report_is_made_again_without_measuring) {
    run_study();
    char *page = read_text("o/report.html");
    char *report = read_text("o/report.md");
    char *results = read_text("o/runs/one/results.csv");
    assert_int_equal(remove("o/report.html"), 0);
    Outcome outcome = bench_ok("study small --render --out o");
    assert_string_equal(outcome.err, "");
    check_same("o/report.html", page);
    check_same("o/report.md", report);
    check_same("o/runs/one/results.csv", results);
}

TEST(a_study_is_run_in_parts) {
    check_prints(bench("study small --steps one --quick --data nowhere --out o"), 0,
                 "\ntable-1         2   4");
    char *results = read_text("o/runs/one/results.csv");
    assert_false(file_exists("o/runs/two/results.csv"));
    Outcome outcome =
        bench("study small --steps two,absent --quick --data nowhere --out o --quiet");
    check_code(&outcome, 0);
    assert_string_equal(outcome.err, "");
    check_contains(outcome.out, "\ntable-1         3   4");
    check_same("o/runs/one/results.csv", results);
    check_refused(bench("study small --steps one --out o"), 2,
                  "--steps: the other steps in o were run with --quick; do the same");
}

/* A step on request is told, and run only where it is named. */
TEST(a_step_on_request_waits) {
    char text[4096];
    const char *at = strstr(study_text, "  --algo lbp\n  --variants omp");
    snprintf(text, sizeof text, "%.*s  on-request\n%s", (int)(at - study_text), study_text, at);
    write_text("small/study.txt", text);
    check_prints(bench("study small --dry-run --data nowhere --out o"), 0,
                 "step 2/3 two: ", "  # on request: named with --steps\n");
    Outcome outcome = bench_ok("study small --quick --data nowhere --out o");
    check_contains(outcome.out, "\ntable-1         2   4");
    assert_null(strstr(outcome.out, "Step two"));
    assert_false(file_exists("o/runs/two/results.csv"));
    check_file_has("o/report.md", "| two | *on request* |");
    assert_true(file_exists("o/artifact.md") && file_exists("o/artifact.tex"));
    bench_ok("study small --resume --out o --quiet");
    assert_false(file_exists("o/runs/two/results.csv"));
    check_prints(bench("study small --steps two --quick --data nowhere --out o --quiet"), 0,
                 "\ntable-1         3   4");
}

/* Nsight Compute may not be there, and what it does not take is not there either. */
TEST(what_cannot_be_profiled_is_left_out) {
    static const char study[] =
        "study counters\ntitle \"Counters\"\n"
        "step profile profile\n  --algo lbp\n  --sizes 64x64\n  --variants seq\n"
        "  --csv {out}/profile.csv\n  reads profile.csv\n"
        "table counters \"Counters\"\n  extra\n  from profile\n  where part=cell\n"
        "  row Sequential variant=seq\n  column Registers - registers\n";
    assert_int_equal(mkdir("counters", 0700), 0);
    write_file("counters/study.txt", study, sizeof study - 1);
    check_prints(bench("study counters --out c"), 0,
                 "warning: Step profile was left out: ", "name variants of cuda");
    check_file_has("c/report.md", "| profile | *left out* |");
}

/* Only runs say which machine it was. */
TEST(numbers_of_a_file_alone_have_no_machine) {
    static const char study[] = "study counted\ntitle \"Counted\"\n"
                                "step counts file\n  argument counts.csv\n"
                                "table counts \"Counts\"\n  extra\n  from counts\n"
                                "  row Grass actual=grass\n  column Count - count\n";
    static const char counts[] = "actual,count\ngrass,40\n";
    assert_int_equal(mkdir("counted", 0700), 0);
    write_file("counted/study.txt", study, sizeof study - 1);
    write_file("counts.csv", counts, sizeof counts - 1);
    bench_ok("study counted --out c --quiet");
    check_file_has("c/report.md", "| Grass | 40 |");
    check_file_has("c/report.md", "Measured: on a machine that no run of the study names.");
}

TEST(a_quiet_study_says_which_step_failed) {
    static const char study[] = "study bad\ntitle \"Bad\"\nstep wrong run\n  --algo nonsense\n";
    assert_int_equal(mkdir("bad", 0700), 0);
    write_file("bad/study.txt", study, sizeof study - 1);
    write_file("bad/published.csv", "", 0);
    Outcome outcome = bench("study bad --quick --out b --quiet");
    check_code(&outcome, 2);
    check_contains(outcome.err, "bench: step wrong: ");
    check_contains(outcome.err, "nonsense");
    assert_ptr_equal(strchr(outcome.err, '\n'), outcome.err + strlen(outcome.err) - 1);
}

TEST(a_dry_run_measures_nothing) {
    Outcome outcome = bench_ok("study small --dry-run --out o");
    check_contains(outcome.out, "step 1/3 one: bench run --algo lbp --variants seq --sizes "
                                "64x48,32x24 --reps 9 --no-roof --out o/runs/one ");
    assert_false(file_exists("o"));
}

/* Without --data it is the folder that datasets/fetch fills. */
TEST(the_data_of_fetch_are_used) {
    static const char *const folders[] = {"elsewhere", "datasets/cache"};
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(mkdir("datasets", 0700), 0);
    assert_int_equal(mkdir("datasets/cache", 0700), 0);
    for (size_t i = 0; i < 2; i++) {
        char path[64], command[128];
        for (char name = 'a'; name <= 'b'; name++) {
            snprintf(path, sizeof path, "%s/%c.png", folders[i], name);
            write_text(path, "");
        }
        if (i == 0) {
            setenv("DATASETS_CACHE", folders[i], 1);
        } else {
            unsetenv("DATASETS_CACHE");
        }
        snprintf(command, sizeof command, "step 3/3 absent: bench match %s/a.png %s/b.png\n",
                 folders[i], folders[i]);
        check_prints(bench("study small --dry-run --out o"), 0, command);
    }
}

/* What is left out by an error of one step does not take the others away. */
TEST(a_step_that_fails_is_told) {
    write_text("small/study.txt", "study small\ntitle T\n"
                                  "step bad run\n  --algo lbp\n  --variants nosuch\n"
                                  "step good run\n  --algo lbp\n  --variants seq\n  --sizes 8x8\n"
                                  "  --reps 3\n  --no-roof\n"
                                  "table table-1 C\n  from good\n  row S variant=seq\n"
                                  "  column Time ms kernel_ms_mean\n");
    assert_int_equal(remove("small/published.csv"), 0);
    check_prints(bench("study small --dry-run --out o"), 0,
                 "step 1/2 bad: cannot be run: --variants: 'nosuch' is no variant");
    Outcome outcome = bench("study small --spread 0 --out o");
    check_code(&outcome, 2);
    check_contains(outcome.err, "step bad: ");
    check_contains(outcome.err, "nosuch");
    check_contains(outcome.out, "\ntable-1         1   1");
    check_file_has("o/runs/bad/log.txt", "nosuch");
}

/* A CSV of another program is copied and read as a step's own; one that is not there is left out, a
 * folder fails the step. */
TEST(a_file_of_another_program_is_taken) {
    write_text("small/study.txt", "study small\ntitle T\n"
                                  "step others file\n  argument {data}/others.csv\n"
                                  "table table-1 C\n  from others\n  row S variant=theirs\n"
                                  "  column Time us kernel_ms_median\n");
    assert_int_equal(remove("small/published.csv"), 0);
    Outcome outcome = bench_ok("study small --spread 0 --data nowhere --out o");
    check_contains(outcome.err, "step 1/1 others: left out: nowhere/others.csv is not there; "
                                "another program writes it, which the study names\n");
    check_contains(outcome.out, "\ntable-1         0   1");

    assert_int_equal(mkdir("data", 0700), 0);
    write_text("data/others.csv", "variant,status,kernel_ms_median\ntheirs,ok,0.0625\n");
    outcome = bench_ok("study small --spread 0 --data data --out o --device cpu --force");
    check_contains(outcome.err, "step 1/1 others: cp data/others.csv o/runs/others/results.csv\n");
    check_contains(outcome.out, "\ntable-1         1   1");
    check_file_has("o/tables/table-1.csv", "62.5");

    /* The report is of the copy. */
    assert_int_equal(remove("data/others.csv"), 0);
    check_prints(bench("study small --render --out o"), 0, "\ntable-1         1   1");

    assert_int_equal(mkdir("data/others.csv", 0700), 0);
    outcome = bench("study small --spread 0 --data data --out o --force");
    check_code(&outcome, 5);
    check_contains(outcome.err, "step others: data/others.csv");
    check_contains(outcome.out, "\ntable-1         0   1");
}

TEST(an_interrupt_leaves_a_report) {
    write_text(
        "small/study.txt",
        "study small\ntitle T\n"
        "step slow run\n  --algo lbp\n  --variants seq\n  --sizes 256x256, 200x200, 128x128\n"
        "  --ci-width 0.000000001\n  --max-time 700ms\n  --no-roof\n"
        "step later run\n  --algo lbp\n  --sizes 8x8\n  --reps 3\n"
        "table table-1 C\n  from slow\n  row S variant=seq size=256x256\n"
        "  column Time ms kernel_ms_mean\n");
    assert_int_equal(remove("small/published.csv"), 0);
    const pid_t process = bench_start("study small --out o");
    const bool running = wait_for_text(process, "stderr.txt", "step 1/2 slow", 60) &&
                         wait_for_text(process, "o/runs/slow/results.csv", ",ok,", 120);
    if (running) {
        assert_int_equal(kill(process, SIGINT), 0);
    }
    Outcome outcome = bench_wait(process);
    if (!running) {
        fail_msg("the first cell was never done:\n%s", outcome.err);
    }
    check_code(&outcome, 130);
    check_contains(outcome.err, "step slow: interrupted; what was measured is kept");
    check_contains(outcome.err,
                   "bench: interrupted; go on with bench study small --resume --out o\n");
    check_contains(outcome.out, "warning: Step slow ended early: interrupted; what was measured is "
                                "kept.\n");
    assert_null(strstr(outcome.err, "step 2/2"));
    assert_true(file_exists("o/report.html"));
    check_file_has("o/report.md", "| slow | *interrupted* | 130 |");
    assert_true(file_exists("o/runs/slow/results.csv"));
    assert_false(file_exists("o/runs/later/outcome.json"));
}

/* The second launch of the first step is interrupted: it goes on there, then comes the second. */
TEST(a_study_goes_on_where_it_was_cut_off) {
    write_text("small/study.txt",
               "study small\ntitle T\n"
               "step slow run\n  --algo lbp\n  --variants seq\n  --sizes 64x64, 96x96\n"
               "  --ci-width 0.000000001\n  --max-time 700ms\n  --no-roof\n"
               "step later run\n  --algo lbp\n  --variants seq\n  --sizes 8x8\n  --reps 3\n"
               "  --no-roof\n"
               "table table-1 C\n  from slow\n  row S variant=seq size=64x64\n"
               "  column Time ms kernel_ms_mean\n");
    assert_int_equal(remove("small/published.csv"), 0);
    Outcome outcome = bench_interrupted("study small --launches 3 --out o",
                                        "o/runs/slow/launch-2/results.json", ",");
    char *first = read_text("o/runs/slow/launch-1/results.json");
    check_prints(bench("study small --resume --dry-run --out o"), 0,
                 "--launches 3  # goes on where it was cut off\n");
    check_says(bench("study small --resume --out o"), 0, "step 2/2");
    check_same("o/runs/slow/launch-1/results.json", first);
    check_file_has("o/runs/slow/results.json", "\"launches\":\t3");
    check_file_has("o/runs/slow/results.json", "\"complete\":\ttrue");
    char *later = read_text("o/runs/later/results.json");
    outcome = bench_ok("study small --resume --out o");
    assert_null(strstr(outcome.err, "step 1/2"));
    assert_null(strstr(outcome.err, "step 2/2"));
    check_same("o/runs/later/results.json", later);
    check_refused(bench("study small --resume"), 2, "--resume: name the folder");
    check_refused(bench("study small --resume --steps slow --out o"), 2, "leave out --steps");
    check_refused(bench("study small --resume --render --out o"), 2, "leave out --resume");
    check_refused(bench("study small --resume --out nosuch"), 5, "nosuch/study.json");
}

TEST(a_line_that_no_system_takes_is_named) {
    enum { SIZES = 40000 };
    static const char start[] = "study small\ntitle T\nstep a run\n  --algo lbp\n  --sizes ";
    char *text = malloc(sizeof start + 4 * SIZES + 1);
    assert_non_null(text);
    char *end = stpcpy(text, start);
    for (int i = 0; i < SIZES; i++) {
        end = stpcpy(end, i > 0 ? ",8x8" : "8x8");
    }
    stpcpy(end, "\n");
    write_text("small/study.txt", text);
    free(text);
    assert_int_equal(remove("small/published.csv"), 0);
    check_refused(bench("study small --out o"), 5,
                  "small/study.txt:5: '--sizes' has a value of 159999 bytes");
    assert_false(file_exists("o"));
}

TEST(the_studies_are_listed) {
    Outcome outcome = bench_ok("study --list");
    static const char *const names[] = {"haar-2015 ", "hashsift-2024 ", "lacunarity-2012 ",
                                        "lbp-2020 ", "lbp-riu-2018 "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check_contains(outcome.out, names[i]);
    }
    assert_null(strstr(outcome.out, "study.txt:"));
    outcome = bench_on_terminal(80, "study --list");
    check_contains(outcome.out, "shared memory and\n                     texture memory\n");
}

/* All files of the studies that come with the program are right. */
TEST(every_study_can_be_planned) {
    static const char *const names[] = {"haar-2015", "hashsift-2024", "lacunarity-2012", "lbp-2020",
                                        "lbp-riu-2018"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check_prints(bench("study %s --dry-run --quick --data nowhere --out o", names[i]), 0,
                     "step 1/");
    }
}

TEST(bad_command_lines_are_refused) {
    static const struct {
        const char *arguments, *why;
    } cases[] = {
        {"", "study: name a study; bench study --list"},
        {"lbp-2002", "'lbp-2002' is no study"},
        {"lbp-2002", "did you mean 'lbp-2020'?"},
        {"small other", "unexpected argument 'other'; name one study"},
        {"small --device gpu", "--device: 'gpu' is no device; write all, cpu, or the number"},
        {"small --render", "--render: name the folder"},
        {"small --render --out o --steps one", "--render: nothing is measured; leave out --steps"},
        {"small --render --out o --quick", "leave out --quick"},
        {"small --steps oen", "--steps: 'oen' is no step of small; did you mean 'one'?"},
        {"small --qiuck", "unknown option '--qiuck'; did you mean '--quick'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("study %s", cases[i].arguments), 2, cases[i].why);
    }
}

TEST(bad_files_are_named) {
    check_refused(bench("study small --render --out nowhere"), 5, "nowhere/study.json");
    write_text("file", "");
    check_refused(bench("study small --out file"), 5, "file");
    write_text("small/published.csv", "table,row,column,value,unit,machine,source\nq,R,C,1,,,\n");
    check_refused(bench("study small --out o"), 5, "small/published.csv:2: 'q' is no table");
    write_text("small/study.txt", "study small\ntitle T\nstep a rnu\n");
    check_refused(bench("study small --out o"), 5,
                  "small/study.txt:3: 'rnu' is no command of a step; did you mean 'run'?");
    write_text("small/study.txt", "study small\ntitle T\n\nstep a study\n");
    check_refused(bench("study small --out o"), 5,
                  "small/study.txt:4: 'study' is no command of a step");
    write_text("small/study.txt", "study small\ntilte T\n");
    check_refused(bench("study small --out o"), 5,
                  "small/study.txt:2: 'tilte' is no statement of the head; did you mean 'title'?");
    assert_false(file_exists("o"));
}

/* A study is a text from anybody, as a stored command line is. */
TEST(a_study_names_no_code) {
    static const char *const lines[] = {"--plugin x.so", "--plugin=x.so", "argument --plugin=x.so",
                                        "--algo lbp\nquick --baseline-program x",
                                        "--algo lbp\notherwise --plugin x.so"};
    write_text("small/published.csv", "table,row,column,value,unit,machine,source\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "study small\ntitle T\nstep a run\n%s\n", lines[i]);
        write_text("small/study.txt", text);
        check_refused(bench("study small --out o"), 5, "names code to run, which a study may not");
    }
    write_text("small/study.txt", "study small\ntitle T\nstep a bisect\nargument HEAD\n");
    check_refused(bench("study small --out o"), 5, "'bisect' is no command of a step");
    assert_false(file_exists("o"));
}

TEST(another_study_in_the_folder_is_refused) {
    assert_int_equal(mkdir("o", 0700), 0);
    write_text("o/study.json", "{\"study\":\"big\",\"quick\":false,\"device\":\"all\","
                               "\"data\":\"d\"}");
    check_refused(bench("study small --render --out o"), 2, "--out: o holds the study 'big'");
    write_text("o/study.json", "{\"study\":\"small\",\"quick\":false,\"device\":\"gpu\","
                               "\"data\":\"d\"}");
    check_refused(bench("study small --render --out o"), 5, "o/study.json: is not what a study");
    write_text("o/study.json", "{\"study\":7}");
    check_refused(bench("study small --render --out o"), 5, "o/study.json: is not what a study");
}

TEST(help_explains) {
    check_prints(bench("study --help"), 0, "bench study NAME [options]\n", "--device all|cpu|N");
}
