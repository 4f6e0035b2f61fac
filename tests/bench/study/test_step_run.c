/* Steps: their command lines, and running them. This program plays the child: it is started again
 * with the command of the step. */
#include <signal.h>
#include <time.h>

#include "algorithm.h"
#include "arguments.h"
#include "bench/scratch_folder.h"
#include "cli_internal.h"
#include "interrupt.h"
#include "run_options.h"
#include "status_checks.h"
#include "study_internal.h"
#include "test.h"
#include "text.h"

/* --- The child -------------------------------------------------------------------------------- */

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : "(unset)";
}

/* What `bench COMMAND …` does in the place of this program; never another test. */
static int play_child(int argc, char **argv) {
    if (strcmp(argv[1], "show") == 0) {
        for (int i = 0; i < argc; i++) {
            printf("%s|", argv[i]);
        }
        printf("\ndevices %s\npinned %s\nother %s\n", variable("CUDA_VISIBLE_DEVICES"),
               variable("BENCH_THREADS_PINNED"), variable("BENCH_TEST_OTHER"));
        return 0;
    }
    if (strcmp(argv[1], "wrong") == 0) {
        fputs("bench: first\nnote\nbench: the variant was wrong\nlast note\n", stderr);
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "silent") == 0) {
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "sleep") == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
        return 0;
    }
    if (strcmp(argv[1], "crash") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(argv[1], "interrupted") == 0) {
        return EXIT_INTERRUPTED;
    }
    if (strcmp(argv[1], "signal-parent") == 0) {
        /* The parent passes it on: its sender is a process. */
        kill(getppid(), SIGTERM);
        sleep(30);
    }
    return 0;
}

/* --- The command line ------------------------------------------------------------------------- */

/* What the steps ask for; options of a run are its own. */
typedef struct PlayOptions {
    OptionTexts words;
    const char *out, *files, *sizes, *reps, *max_time, *synthetic;
} PlayOptions;

#define PLAY_TEXT(name, of)                                                                        \
    { name, "TEXT", "", .kind = OPTION_TEXT, .member = offsetof(PlayOptions, of) }

static const Option play_rows[] = {
    {NULL, "WORD", NULL, .kind = OPTION_TEXTS, .member = offsetof(PlayOptions, words), .most = 9},
    PLAY_TEXT("out", out),
    PLAY_TEXT("files", files),
    PLAY_TEXT("sizes", sizes),
    PLAY_TEXT("reps", reps),
    PLAY_TEXT("max-time", max_time),
    PLAY_TEXT("synthetic", synthetic),
    OPTIONS_END};

static const Command *find_command(const char *name) {
    static const Command play = {
        .name = "play", .rows = play_rows, .size = sizeof(PlayOptions), .words = "words"};
    return strcmp(name, "run") == 0 ? &command_run : &play;
}

#define STUDY "study s\ntitle T\n"

typedef struct Fixture {
    char data[512], out[512];
    StudySettings settings;
    Study study;
} Fixture;

static void set_up(void) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    scratch_path(test_scratch(), "data", fixture->data);
    scratch_path(test_scratch(), "out", fixture->out);
    fixture->settings = (StudySettings){
        .quiet = true, .data = fixture->data, .out = fixture->out, .command = find_command};
    test_state = fixture;
    interrupt_watch(); /* as the program does */
    assert_int_equal(mkdir(fixture->data, 0700), 0);
}

static void tear_down(void) {
    Fixture *fixture = test_state;
    study_release(&fixture->study);
    free(fixture);
}

EACH_TEST(set_up, tear_down);

static const StudyStep *read_step(Fixture *fixture, const char *text) {
    study_release(&fixture->study);
    assert_ok(study_parse("s.txt", text, strlen(text), &fixture->study));
    return &fixture->study.steps[0];
}

/* The arguments are `expected`, with blanks between and $ for the folder of the test. */
static void check_arguments(Fixture *fixture, const StudyStep *step, const char *expected,
                            bool expected_stand_in) {
    RELEASED_BY(argument_list_release) ArgumentList list;
    bool stand_in;
    const Status status = step_arguments(step, &fixture->settings, STEP_NAMED, &list, &stand_in);
    assert_string_equal(status.why, "");
    char line[4096] = "";
    for (int i = 0; i < list.argc; i++) {
        text_append(line, sizeof line, "%s%s", i > 0 ? " " : "", list.argv[i]);
    }
    const size_t length = strlen(test_folder);
    for (char *at = line; (at = strstr(at, test_folder)) != NULL;) {
        *at++ = '$';
        memmove(at, at + length - 1, strlen(at + length - 1) + 1);
    }
    assert_string_equal(line, expected);
    assert_int_equal(stand_in, expected_stand_in);
}

TEST(run_gets_its_usual_options) {
    Fixture *fixture = test_state;
    const StudyStep *step = read_step(fixture, STUDY "step a run\n--algo lbp\n--no-roof\n");
    check_arguments(fixture, step,
                    "bench run --algo lbp --no-roof --out $/out/runs/a --no-plot --quiet", false);
    step = read_step(fixture, STUDY "step a run\n--out {out}/b\n--quiet\n--algo lbp\n");
    check_arguments(fixture, step, "bench run --out $/out/runs/a/b --quiet --algo lbp --no-plot",
                    false);
    step = read_step(fixture, STUDY "step a curve\n--out x{out}{out\n");
    check_arguments(fixture, step, "bench curve --out x$/out/runs/a{out", false);
}

/* A step that names its launches keeps them; other commands get none, nor does a single launch that
 * takes a number of samples. Otherwise it would have a budget. */
TEST(run_gets_the_launches_of_the_study) {
    Fixture *fixture = test_state;
    fixture->settings.launches = 6;
    const StudyStep *step = read_step(fixture, STUDY "step a run\n--algo lbp\n");
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --launches 6",
                    false);
    fixture->settings.launches = 1;
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --launches 1",
                    false);
    step = read_step(fixture, STUDY "step a run\n--reps 3\n");
    check_arguments(fixture, step, "bench run --reps 3 --out $/out/runs/a --no-plot --quiet",
                    false);
    fixture->settings.launches = 6;
    step = read_step(fixture, STUDY "step a run\n--launches 3\n--out x\n--no-plot\n--quiet\n");
    check_arguments(fixture, step, "bench run --launches 3 --out x --no-plot --quiet", false);
    step = read_step(fixture, STUDY "step a curve\n--out x\n");
    check_arguments(fixture, step, "bench curve --out x", false);
}

static bool lbp_has_peers(const RunOptions *run) {
    return run->algorithm_count > 0 && strcmp(run->algorithms[0]->name, "lbp") == 0;
}

/* Of the algorithms that have some; never where the study says what it is for, or under a budget.
 */
TEST(other_peoples_code_is_measured_where_it_is_there) {
    Fixture *fixture = test_state;
    fixture->settings.has_peers = lbp_has_peers;
    const StudyStep *step = read_step(fixture, STUDY "step a run\n--algo lbp\n--variants seq\n");
    check_arguments(fixture, step,
                    "bench run --algo lbp --variants seq --out $/out/runs/a --peers --no-plot "
                    "--quiet",
                    false);
    fixture->settings.step_budget = 30;
    check_arguments(fixture, step,
                    "bench run --algo lbp --variants seq --out $/out/runs/a --no-plot --quiet "
                    "--budget 30s --every-tuning --max-cell 60s",
                    false);
    fixture->settings.step_budget = 0;
    static const char *const without[] = {"--algo copy", "--algo lbp --launches 1",
                                          "--algo lbp --save x", "--algo lbp --weak"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        char text[256], expected[256];
        snprintf(text, sizeof text, STUDY "step a run\n%s\n", without[i]);
        for (char *at = text; (at = strstr(at, " --")) != NULL;) {
            *at = '\n';
        }
        snprintf(expected, sizeof expected, "bench run %s --out $/out/runs/a --no-plot --quiet",
                 without[i]);
        check_arguments(fixture, read_step(fixture, text), expected, false);
    }
    step = read_step(fixture, STUDY "step a run\n--algo lbp\n--peers\n--out x\n");
    check_arguments(fixture, step, "bench run --algo lbp --peers --out x --no-plot --quiet", false);
}

/* What the study says of launches gives way to the budget; a run is asked for what it can read. */
TEST(a_budget_takes_the_place_of_launches) {
    Fixture *fixture = test_state;
    const double spread = 30;
    fixture->settings.launches = 6;
    fixture->settings.spread = &spread;
    const StudyStep *step = read_step(fixture, STUDY "step a run\n--algo lbp\n");
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --launches 6 "
                    "--spread 30s",
                    false);
    step = read_step(fixture, STUDY "step a run\n--launches 3\n--algo lbp\n--spread 9\n");
    fixture->settings.step_budget = 30.0 / 7;
    fixture->settings.step_launches = 1;
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --budget 4.286s "
                    "--every-tuning --max-cell 60s",
                    false);
    fixture->settings.step_budget = INFINITY;
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --budget none "
                    "--every-tuning --max-cell 60s",
                    false);
}

/* The request decides, whichever lines it is of. */
TEST(a_share_of_a_run_has_no_budget) {
    Fixture *fixture = test_state;
    const StudyStep *step = read_step(fixture, STUDY "step a run\n--algo lbp\nquick --shard 1/2\n");
    fixture->settings.step_budget = 30;
    assert_true(study_step_has_launches(step, &fixture->settings));
    check_arguments(fixture, step,
                    "bench run --algo lbp --out $/out/runs/a --no-plot --quiet --budget 30s "
                    "--every-tuning --max-cell 60s",
                    false);
    fixture->settings.quick = true;
    assert_false(study_step_has_launches(step, &fixture->settings));
    check_arguments(fixture, step,
                    "bench run --algo lbp --shard 1/2 --out $/out/runs/a --no-plot --quiet", false);
    static const char *const others[] = {"--shard 1/2", "--pass 2/6", "--baseline old"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, STUDY "step a run\n%s\nquick --algo lbp\n", others[i]);
        assert_false(study_step_has_launches(read_step(fixture, text), &fixture->settings));
    }
}

TEST(quick_options_take_the_place_of_others) {
    Fixture *fixture = test_state;
    const StudyStep *step =
        read_step(fixture, STUDY "step a match\n--reps 15\n--sizes 1\n--reps 16\n"
                                 "quick --reps 3\nquick --max-time 1\n");
    check_arguments(fixture, step, "bench match --reps 16 --sizes 1", false);
    fixture->settings.quick = true;
    check_arguments(fixture, step, "bench match --sizes 1 --reps 3 --max-time 1", false);
    step = read_step(fixture, STUDY "step a match\n--reps 15\n--reps 16\nquick --reps 3\n");
    check_arguments(fixture, step, "bench match --reps 3", false);
}

TEST(missing_files_are_stood_in_for) {
    Fixture *fixture = test_state;
    test_write("data/one", "");
    const StudyStep *step = read_step(
        fixture, STUDY "step a match\nargument {data}/one\n--files {data}/one,{data}/two\n"
                       "--sizes 1\n--reps 5\notherwise --synthetic texture\n"
                       "otherwise --sizes 2\notherwise --reps 9\nquick --reps 3\n");
    check_arguments(fixture, step, "bench match --synthetic texture --sizes 2 --reps 9", true);
    fixture->settings.quick = true;
    check_arguments(fixture, step, "bench match --reps 3 --synthetic texture --sizes 2", true);
    fixture->settings.quick = false;
    test_write("data/two", "");
    check_arguments(fixture, step,
                    "bench match $/data/one --files $/data/one,$/data/two --sizes 1 --reps 5",
                    false);
}

TEST(a_missing_file_leaves_the_step_out) {
    Fixture *fixture = test_state;
    const StudyStep *step =
        read_step(fixture, STUDY "step a match\nargument {data}/none.png\n--sizes 1\n");
    ArgumentList list;
    bool stand_in;
    const Status status = step_arguments(step, &fixture->settings, STEP_NAMED, &list, &stand_in);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_false(stand_in);
    char why[STATUS_WHY_SIZE];
    snprintf(why, sizeof why,
             "%s/none.png is not there; get it with %s/datasets/fetch none.png, if that has it, or "
             "name the folder that holds it with --data FOLDER",
             fixture->settings.data, BENCH_SOURCE_DIR);
    assert_string_equal(status.why, why);
    assert_null(list.argv);
    StepOutcome outcome, again;
    assert_ok(step_run(step, &fixture->settings, NULL, &outcome));
    assert_int_equal(outcome.state, STEP_LEFT_OUT);
    assert_false(outcome.stand_in);
    assert_string_equal(outcome.why, status.why);
    assert_ok(step_recall(step, &fixture->settings, &again));
    assert_int_equal(again.state, STEP_LEFT_OUT);
    assert_string_equal(again.why, status.why);
}

/* --- Running ---------------------------------------------------------------------------------- */

static StepOutcome run_ok(Fixture *fixture, const StudyStep *step) {
    StepOutcome outcome;
    const Status status = step_run(step, &fixture->settings, NULL, &outcome);
    assert_string_equal(status.why, "");
    return outcome;
}

static void check_log(const char *text) {
    assert_string_equal(test_read("out/runs/a/log.txt"), text);
}

TEST(the_child_is_this_program) {
    Fixture *fixture = test_state;
    setenv("BENCH_THREADS_PINNED", "1", 1);
    setenv("BENCH_TEST_OTHER", "kept", 1);
    setenv("CUDA_VISIBLE_DEVICES", "3", 1);
    const StudyStep *step = read_step(fixture, STUDY "step a show\nargument \"it's x\"\n");
    StepOutcome outcome = run_ok(fixture, step);
    assert_int_equal(outcome.state, STEP_DONE);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.why, "");
    assert_string_equal(outcome.command, "bench show 'it'\\''s x'");
    assert_string_equal(outcome.csv + strlen(outcome.csv) - 23, "/out/runs/a/results.csv");
    check_log("bench|show|it's x|\ndevices 3\npinned (unset)\nother kept\n");
    fixture->settings.device.kind = DEVICES_NONE;
    outcome = run_ok(fixture, step);
    assert_string_equal(outcome.command, "CUDA_VISIBLE_DEVICES= bench show 'it'\\''s x'");
    check_log("bench|show|it's x|\ndevices \npinned (unset)\nother kept\n");
    unsetenv("CUDA_VISIBLE_DEVICES");
    fixture->settings.device = (DeviceChoice){DEVICES_LISTED, 1, {1}};
    outcome = run_ok(fixture, step);
    assert_string_equal(outcome.command, "CUDA_VISIBLE_DEVICES=1 bench show 'it'\\''s x'");
    check_log("bench|show|it's x|\ndevices 1\npinned (unset)\nother kept\n");
    unsetenv("BENCH_THREADS_PINNED");
    unsetenv("BENCH_TEST_OTHER");
}

/* What an earlier run left is not taken for this one's. */
TEST(a_failure_is_the_outcome) {
    Fixture *fixture = test_state;
    const StudyStep *step = read_step(fixture, STUDY "step a show\n");
    run_ok(fixture, step);
    test_write("out/runs/a/results.csv", "old");
    step = read_step(fixture, STUDY "step a wrong\n");
    StepOutcome outcome = run_ok(fixture, step);
    assert_int_equal(outcome.state, STEP_FAILED);
    assert_int_equal(outcome.code, 4);
    assert_string_equal(outcome.why, "the variant was wrong (exit code 4)");
    check_log("bench: first\nnote\nbench: the variant was wrong\nlast note\n");
    char *csv = test_read("out/runs/a/results.csv");
    assert_string_equal(csv, "");
    StepOutcome again;
    assert_ok(step_recall(step, &fixture->settings, &again));
    assert_int_equal(again.state, STEP_FAILED);
    assert_int_equal(again.code, 4);
    assert_string_equal(again.why, outcome.why);
    assert_string_equal(again.command, "bench wrong");
    assert_string_equal(again.csv, outcome.csv);
}

/* Lines that are no options of the command: nothing is started. */
TEST(a_step_that_cannot_be_read_has_failed) {
    Fixture *fixture = test_state;
    const StepOutcome outcome =
        run_ok(fixture, read_step(fixture, STUDY "step a show\n--sizez 4\n"));
    assert_int_equal(outcome.state, STEP_FAILED);
    assert_int_equal(outcome.code, EXIT_USAGE);
    assert_string_equal(outcome.why,
                        "unknown option '--sizez'; did you mean '--sizes'? (exit code 2)");
    check_log("bench: unknown option '--sizez'; did you mean '--sizes'?\n");
}

TEST(a_silent_failure_is_told_by_its_code) {
    Fixture *fixture = test_state;
    const StepOutcome outcome = run_ok(fixture, read_step(fixture, STUDY "step a silent\n"));
    assert_string_equal(outcome.why, "exit code 4: a variant failed or gave a wrong answer");
}

TEST(a_signal_is_named) {
    Fixture *fixture = test_state;
    const StepOutcome outcome = run_ok(fixture, read_step(fixture, STUDY "step a crash\n"));
    assert_int_equal(outcome.state, STEP_FAILED);
    assert_int_equal(outcome.code, 128 + SIGSEGV);
    assert_string_equal(outcome.why, "ended by SIGSEGV (Segmentation fault)");
}

TEST(an_interrupt_ends_the_steps) {
    Fixture *fixture = test_state;
    static const char *const commands[] = {"interrupted", "signal-parent"};
    for (size_t i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text, STUDY "step a %s\nstep b show\nstep c show\n", commands[i]);
        read_step(fixture, text);
        StepOutcome outcomes[3];
        const bool chosen[3] = {true, true, false};
        bool interrupted;
        assert_ok(
            study_steps_run(&fixture->study, &fixture->settings, chosen, outcomes, &interrupted));
        assert_true(interrupted);
        assert_int_equal(outcomes[0].state, STEP_FAILED);
        assert_int_equal(outcomes[0].code, EXIT_INTERRUPTED);
        assert_string_equal(outcomes[0].why, "interrupted; what was measured is kept");
        assert_int_equal(outcomes[1].state, STEP_NOT_RUN);
        assert_string_equal(outcomes[1].why, "interrupted before this step was reached");
        assert_int_equal(outcomes[2].state, STEP_NOT_RUN);
        assert_string_equal(outcomes[2].why, "no run of it is in the study's folder");
    }
}

TEST(time_taken_is_kept) {
    Fixture *fixture = test_state;
    const StudyStep *step = read_step(fixture, STUDY "step a sleep\n");
    const StepOutcome outcome = run_ok(fixture, step);
    assert_true(outcome.elapsed_s >= 0.05 && outcome.elapsed_s < 30);
    StepOutcome again;
    assert_ok(step_recall(step, &fixture->settings, &again));
    assert_float_equal(again.elapsed_s, outcome.elapsed_s, 1e-9);
    test_write("out/runs/a/outcome.json",
               "{\"state\":\"done\",\"code\":0,\"command\":\"bench\",\"why\":\"\"}");
    assert_ok(step_recall(step, &fixture->settings, &again));
    assert_float_equal(again.elapsed_s, 0, 0);
}

#define STORED_OUTCOME(code)                                                                       \
    "{\"state\":\"done\",\"code\":" code ",\"command\":\"bench\",\"why\":\"\"}"

TEST(a_broken_outcome_is_an_error) {
    Fixture *fixture = test_state;
    const StudyStep *step = read_step(fixture, STUDY "step a show\n");
    run_ok(fixture, step);
    StepOutcome outcome;
    static const char *const texts[] = {"{",
                                        "{\"state\":\"gone\"}",
                                        "{\"state\":\"done\",\"code\":0,\"why\":\"\"}",
                                        STORED_OUTCOME("-1"),
                                        STORED_OUTCOME("256"),
                                        STORED_OUTCOME("1e300")};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        test_write("out/runs/a/outcome.json", texts[i]);
        assert_status(step_recall(step, &fixture->settings, &outcome), STATUS_FILE,
                      "/runs/a/outcome.json");
    }
}

TEST(a_folder_that_cannot_be_made_is_an_error) {
    Fixture *fixture = test_state;
    test_write("out", "a file");
    StepOutcome outcome;
    const Status status =
        step_run(read_step(fixture, STUDY "step a show\n"), &fixture->settings, NULL, &outcome);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(outcome.state, STEP_NOT_RUN);
}

ARGUMENTS(argc, argv) {
    return argc > 1 ? play_child(argc, argv) : RUN_TESTS;
}
