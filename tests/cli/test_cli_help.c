/* Answers to completion scripts, and manual pages: what shells and man do with them is tested in
 * tests/completion and tests/manual. */
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

/* The answer to a command line whose words are apart by spaces: its words, "," behind each, with
 * what the answer is in front: "words:--all,". What words are is left out. */
static char *answer(const char *line) {
    char question[512];
    snprintf(question, sizeof question, "help --complete=bench\n%s", line);
    for (char *at = strchr(question, '='); *at != '\0'; at++) {
        *at = (char)(*at == ' ' ? '\n' : *at);
    }
    Outcome outcome = bench_ok("%s", question);
    assert_string_equal(outcome.err, "");
    FILE *stream = test_stream();
    const char *separator = ":";
    for (char *at = strtok(outcome.out, "\n"); at != NULL; at = strtok(NULL, "\n")) {
        fprintf(stream, "%.*s%s", (int)strcspn(at, "\t"), at, separator);
        separator = ",";
    }
    return test_text(stream);
}

static void check_answer(const char *line, const char *wanted) {
    char *got = answer(line);
    if (strcmp(got, wanted) != 0) {
        fail_msg("'%s': %s, expected %s", line, got, wanted);
    }
}

TEST(commands_and_options_are_completed) {
    check_answer("rep", "words:report,");
    check_answer("ru", "words:run,runs,");
    check_answer("run --al", "words:--algo,--alpha,--all,");
    check_answer("--al", "words:--algo,--alpha,--all,");
    check_answer("--vers", "words:--version,");
    check_answer("show --vers", "words:"); /* --variant is none */
    check_answer("list --js", "words:--json,");
    check_answer("app ma", "words:match,");
    check_answer("app match --see", "words:--seed,--seeds,");
    check_answer("match --see", "words:--seed,--seeds,"); /* as earlier versions had it */
    check_answer("ci bi", "words:bisect,");
    check_answer("ci --stri", "words:--strict,");
    check_answer("runs merge --fo", "words:--force,");
    check_answer("help app rec", "words:recognise,");
    check_answer("help comm", "words:commands,");
    check_answer("list lbp --js", "words:--json,");
    check_answer("help --comp", "words:--completion,"); /* the question itself is hidden */
    check_answer("frobnicate --al", "");
    check_answer("-x", "words:");
    char *every = answer("run ");
    check_contains(every, "words:--algo,");
    check_contains(every, ",--tile,");
    check_contains(every, ",--help,");
    every = answer("");
    check_contains(every, "words:demo,run,verify,");
    assert_null(strstr(every, "match"));
    assert_null(strstr(every, "--"));
    assert_null(strstr(every, "columns"));
}

/* As many as there are, whether behind a blank or an =, the last of a list. */
TEST(values_are_completed) {
    check_answer("--algo lac", "list:lacunarity,");
    check_answer("--algo=lac", "list:--algo=lacunarity,");
    check_answer("--algo=copy,lac", "list:--algo=copy,lacunarity,");
    check_answer("--algo copy --algo lac", "list:lacunarity,");
    check_answer("--algo al", "list:all,");
    check_answer("list lac", "list:lacunarity,");
    check_answer("--sizes 7", "list:720p,");
    check_answer("--synthetic di", "words:digits,");
    check_answer("curve --synthetic n", "list:noise,");
    check_answer("curve --synthetic di", "list:"); /* takes images, not sets */
    check_answer("--interp ", "list:nearest,bilinear,");
    check_answer("--tile 8,", "list:8,1,8,2,8,4,8,8,8,16,8,32,");
    check_answer("classify --interp b", "words:bilinear,");
    check_answer("compare --format j", "words:junit,json,");
    check_answer("figure --format svg,p", "list:svg,pdf,svg,png,svg,pgf,");
    check_answer("--color n", "words:never,");
    check_answer("--shard a", "words:auto,");
    check_answer("history a", "words:add,");
    check_answer("classify --model f", "files:first,");
    check_answer("study lbp-2", "words:lbp-2020,");
    check_answer("help env", "words:environment,");
    check_answer("--seed ", "words:");
    check_answer("--all=", "words:"); /* takes no value */
    check_answer("--frob=", "words:");
}

TEST(variants_are_of_the_algorithms) {
    check_answer("--algo copy --variants s", "list:seq,simd,");
    check_answer("--variants=cuda_cub", "list:"); /* of none */
    char *of_lbp = answer("--algo lbp --variants seq,");
    char *of_all = answer("--algo all --variants seq,");
    char *of_any = answer("--variants seq,");
    char *of_typo = answer("--algo lbq --variants seq,");
    check_contains(of_lbp, ",seq,cuda_fast,");
    assert_true(strlen(of_lbp) < strlen(of_any));
    assert_string_equal(of_all, of_any);
    assert_string_equal(of_typo, of_any);
    /* match only in name with another command's option */
    check_answer("--algo=adaboost --variants=cuda_streamed", "list:");
}

TEST(options_with_an_optional_value) {
    check_answer("selftest --launches --alg", "words:--algo,");
    check_answer("selftest --launches 6 --alg", "words:--algo,");
    check_answer("--algo --alph", "words:--alpha,");
}

TEST(paths_are_left_to_the_shell) {
    assert_int_equal(mkdir("reports", 0777) + mkdir("reports/runs", 0777), 0);
    assert_int_equal(mkdir("reports/runs/one", 0777) + mkdir("reports/runs/a\tb", 0777), 0);
    check_answer("--input x", "files:");
    check_answer("--out x", "folders:");
    check_answer("--weights r", "files:random,");
    check_answer("match a", "files:");
    check_answer("match --keypoints-file x,", "files:");
    check_answer("ci --module x", "files:");
    check_answer("ci --program x", "files:");
    check_answer("show ", "files:latest,reports/runs/one,");
    check_answer("compare old rep", "files:reports/runs/one,");
    check_answer("compare old new ",
                 "words:--alpha,--threshold,--strict,--force,--format,--out,--plugin,"
                 "--python,--color,--help,");
    check_answer("figure l", "files:latest,");
    check_answer("--first=l", "files:--first=latest,");
    assert_int_equal(setenv("BENCH_RUNS", "reports", 1), 0);
    check_answer("report one rep", "files:reports/runs,");
    assert_int_equal(unsetenv("BENCH_RUNS"), 0);
}

/* The hidden question is no option that help names or a typo leads to. */
TEST(bad_questions) {
    check_refused(bench("help --completion tcsh"), 2, "'tcsh' is no shell");
    check_refused(bench("help run --completion zsh"), 2, "leave run out");
    check_refused(bench("help --man --completion zsh"), 2, "leave --man out");
    check_refused(bench("help --man frobnicate"), 2, "'frobnicate' is no command");
    check_refused(bench("help --man columns"), 2, "'columns' is no command");
    Outcome outcome = bench("help help");
    assert_null(strstr(outcome.out, "--complete "));
}

/* Each variable stands in bench(1) and in `bench help environment`. */
TEST(the_environment_is_explained) {
    Outcome text = bench("help environment");
    Outcome page = bench("help --man");
    check_contains(text.out, "BENCH_RUNS ");
    check_contains(page.out, "\\fBBENCH_RUNS\\fR\n");
    check_contains(page.out, "\\fB130\\fR\ninterrupted; what was measured is saved\n");
    check_contains(page.out, ".BR bench\\-app\\-train\\-bad (1)");
}
