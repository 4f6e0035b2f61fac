/* `bench report` from outside: what is written where, what is refused, and that a page needs
 * nothing but itself. */
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define RECORDED COMPARE_DATA "/../../../reports/results/h200/"
#define RUN                                                                                        \
    "run --algo lbp --sizes 64x64,96x96 --variants seq,simd --reps 7 --no-plot --no-roof --quiet "

static void make_run(const char *folder) {
    bench_ok(RUN "--out %s", folder);
}

/* Runs `bench report`, which must print `listing` and nothing else. */
static void check_report(const char *arguments, const char *listing) {
    Outcome outcome = bench_ok("report %s", arguments);
    assert_string_equal(outcome.out, listing);
    assert_string_equal(outcome.err, "");
}

/* An address in an attribute or in CSS is something that a browser could go and get; a heading's
 * text or the name space of SVG is not. */
static void check_loads_nothing(const char *path) {
    static const char *const loads[] = {"src=",          "<link rel=\"stylesheet\"",
                                        "@import",       "url(http",
                                        "href=\"http",   "href=\"//",
                                        "fetch(\"ht",    "<iframe",
                                        "XMLHttpRequest"};
    char *text = read_text(path);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        if (strstr(text, loads[i]) != NULL) {
            fail_msg("%s has '%s' in it", path, loads[i]);
        }
    }
    check_contains(text, "default-src 'none'");
}

/* --- Where it goes ---------------------------------------------------------------------------- */

TEST(a_fresh_run_gets_its_page_beside_it) {
    make_run("fresh");
    check_report("fresh", "fresh/report.html\n");
    check_file_has("fresh/report.html", "<title>lbp at ");
    check_file_has("fresh/report.html", "96×96");
    check_loads_nothing("fresh/report.html");
    check_report("fresh/", "fresh/report.html\n");
    check_report("fresh/results.json", "fresh/report.html\n");
    assert_int_equal(chdir("fresh"), 0);
    check_report(". --title Mine", "report.html\n");
    check_file_has("report.html", "<title>Mine</title>");
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(count_files(".part"), 0);
}

/* Whoever packs a stored run with gzip can use it as before. */
TEST(a_packed_run_is_as_good_as_a_plain_one) {
    make_run("fresh");
    check_report("fresh --out plain.html", "plain.html\n");
    assert_int_equal(system("gzip -9n fresh/results.json"), 0);
    check_report("fresh --out packed.html", "packed.html\n");
    char *page = read_text("packed.html");
    check_file_has("plain.html", page);
    check_report("fresh/results.json.gz --format md,csv --out all", "all/tables\nall/report.md\n");
    check_file_has("all/report.md", "# lbp at ");
    check_prints(bench("compare fresh fresh/results.json.gz"), 0, "4 undecided", " = 1.000\n");
    check_refused(bench(RUN "--baseline fresh --json fresh/results.json.gz"), 2,
                  "fresh/results.json.gz");
    Outcome outcome = bench(RUN "--baseline fresh --baseline-threshold 0.99 --out second");
    check_contains(outcome.out, "0 missing, 0 new"); /* how fast does not matter here */
    assert_true(file_exists("second/results.json"));
}

/* The packed file stays as it is; from then on the plain one beside it is read. */
TEST(a_packed_run_is_resumed_as_a_plain_one) {
    make_run("fresh");
    char *before = read_text("fresh/results.csv");
    assert_int_equal(system("gzip -9n fresh/results.json && cp fresh/results.json.gz kept"), 0);
    bench_ok("--resume fresh");
    check_file_has("fresh/results.json", "\"run_name\":\t\"lbp/simd");
    assert_int_equal(system("cmp fresh/results.json.gz kept"), 0);
    char *after = read_text("fresh/results.csv");
    assert_string_equal(strstr(before, "\nlbp,"), strstr(after, "\nlbp,")); /* measured once */
    assert_int_equal(system("gzip -9nf fresh/results.json"), 0);
    check_refused(bench("--resume fresh --reps 4"), 2, "reps");
    assert_int_equal(system("head -c 500 kept >fresh/results.json.gz"), 0);
    check_refused(bench("--resume fresh"), 5, "fresh/results.json.gz: truncated");
}

TEST(out_names_a_file_or_a_folder) {
    make_run("fresh");
    check_report("fresh --out page.html", "page.html\n");
    check_file_has("page.html", "<html");
    check_report("fresh --out deep/folder", "deep/folder/report.html\n");
    check_report("fresh --out deep/folder/", "deep/folder/report.html\n");
    check_file_has("deep/folder/report.html", "<html");
    check_report("fresh --out=page.html --format html", "page.html\n");
    assert_false(file_exists("fresh/report.html"));
}

TEST(formats_are_files_of_a_folder) {
    make_run("fresh");
    check_report("fresh --format latex,csv --out all", "all/tables\n");
    check_file_has("all/tables/all.tex", "\\begin{document}");
    assert_true(count_files(".tex") > 2);
    assert_int_equal(count_files(".html"), 0);
    Outcome outcome = bench("report fresh --format md --out note.md");
    check_code(&outcome, 0); /* without gnuplot a note is on standard error */
    assert_string_equal(outcome.out, "note.md\n");
    check_file_has("note.md", "# lbp at ");
    outcome = bench("report fresh --format html,md --out both");
    assert_string_equal(outcome.out, "both/report.html\nboth/report.md\n");
    assert_true(file_exists("both/report.html") && file_exists("both/report.md"));
}

/* --- Recorded runs ---------------------------------------------------------------------------- */

TEST(a_recorded_run_is_one_page_that_loads_nothing) {
    check_report(RECORDED "lbp --out lbp.html", "lbp.html\n");
    check_loads_nothing("lbp.html");
    check_file_has("lbp.html", "cuda_fast");
    check_file_has("lbp.html", "<svg");
}

/* A stored run has the samples but no verdict on them. */
TEST(marks_of_samples_are_derived_again) {
    check_report(RECORDED "lbp --format md --out lbp.md", "lbp.md\n");
    check_file_has("lbp.md", "multimodal");
    check_file_has("lbp.md", "multimodal");
}

TEST(several_runs_are_sections_of_one_page) {
    check_report(RECORDED "haar-60000 " RECORDED "fast", "report.html\n");
    char *page = read_text("report.html");
    check_contains(page, "<title>Benchmark report of 2 runs</title>");
    check_contains(page, "2 runs, one after the other:");
    assert_int_equal(count_of(page, "<h2"), 2);
    check_contains(page, "<h2 id=\"haar-60000\">");
    check_contains(page, "<h2 id=\"fast\">");
    check_loads_nothing("report.html");
    check_report(RECORDED "haar-60000 " RECORDED "fast --format csv", "tables\n");
    assert_true(count_files(".csv") > 4);
}

/* A page of several runs begins with a chart of all of them, whatever their inputs are: of a
 * machine without a GPU, as in the demo, the CPU beside those that have one. */
TEST(several_runs_share_the_first_chart) {
    make_run("here");
    check_report("here " RECORDED "lbp --out both.html", "both.html\n");
    check_file_has("both.html", "lbp: the fastest on each machine");
    check_file_has("both.html", ">H200, with copies<");
    check_file_has("both.html", ">best CPU, H200<");
    check_file_has("both.html", "inputs differ: ");
    char *page = read_text("both.html");
    assert_true(strstr(page, "lbp: the fastest on each machine") <
                strstr(page, "2 runs, one after"));
    check_report(RECORDED "haar " RECORDED "lbp --out none.html", "none.html\n");
    page = read_text("none.html");
    assert_null(strstr(page, "the fastest on each machine"));
}

TEST(runs_called_alike_are_told_apart) {
    assert_int_equal(mkdir("one", 0700), 0);
    assert_int_equal(mkdir("two", 0700), 0);
    make_run("one/same");
    make_run("two/same");
    check_report("--diff one/same two/same", "report.html\n");
    check_file_has("report.html", ">A: one/same<");
    check_file_has("report.html", ">B: two/same<");
    check_report("--diff one/same one/same", "report.html\n");
    check_file_has("report.html", ">B: one/same (2)<");
}

/* Alone it leaves the page out; of several runs there is one appendix. */
TEST(an_appendix_is_written_for_reviewers) {
    make_run("r");
    check_report("r --format ad", "r/artifact.md\nr/artifact.tex\n");
    check_file_has("r/artifact.md", "# Artifact appendix: r\n");
    check_file_has("r/artifact.md",
                   "\nbench run --algo lbp --sizes 64x64,96x96 --variants seq,simd "
                   "--reps 7 --no-roof\n");
    check_file_has("r/artifact.md", "synthetic, made by the program with seed 1");
    check_file_has("r/artifact.md", "\n- no: Is there a CPU side that is vectorised");
    check_file_has("r/artifact.md", "Are the inputs real?");
    check_file_has("r/artifact.tex", "\\section{Artifact appendix: r}");
    assert_int_not_equal(access("r/report.html", F_OK), 0);
    check_report("r r --format ad,html --out both",
                 "both/artifact.md\nboth/artifact.tex\nboth/report.html\n");
    check_file_has("both/artifact.md", "# Artifact appendix of 2 runs\n");
    check_refused(bench("report --diff r r --format ad"), 2,
                  "--format ad: an artifact appendix is of runs, not of their difference; leave "
                  "out --diff");
}

TEST(two_runs_are_held_side_by_side) {
    make_run("old");
    make_run("new");
    check_report("--diff old new --out diff.html", "diff.html\n");
    check_file_has("diff.html", "<title>lbp at 96×96: ");
    check_file_has("diff.html", "Cells with a verified time in both runs");
    check_loads_nothing("diff.html");
    check_report("--diff " RECORDED "lbp " RECORDED "lbp-pinned-noise", "report.html\n");
    check_file_has("report.html", "No cell was verified and timed in both runs");
    check_refused(bench("report --diff " RECORDED "lbp " RECORDED "lbp-pinned-noise --format latex "
                        "--width ieee --out none"),
                  3,
                  "have no time of the same algorithm, input and size: there is nothing to hold");
    assert_false(file_exists("none/tables"));
}

/* --- What is refused -------------------------------------------------------------------------- */

/* Copies a results file with one text in place of another, wherever it is. */
static void edit(const char *from, const char *to, const char *old_text, const char *new_text) {
    char *text = read_text(from);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    const char *at = text;
    for (const char *hit; (hit = strstr(at, old_text)) != NULL; at = hit + strlen(old_text)) {
        fwrite(at, 1, (size_t)(hit - at), file);
        fputs(new_text, file);
    }
    fputs(at, file);
    assert_int_equal(fclose(file), 0);
}

TEST(wrong_arguments_say_what_is_right) {
    check_refused(bench("report"), 5, "no run has ended in this folder yet");
    check_refused(bench("report --diff a"), 2, "--diff: name two runs, A and B; named is 1");
    check_refused(bench("report a b c --diff"), 2, "named are 3");
    check_refused(bench("report --diff"), 5, "no run has ended in this folder yet");
    check_refused(bench("report a --format htm"), 2, "did you mean 'html'");
    check_refused(bench("report a --format html,,md"), 2, "--format");
    check_refused(bench("report a --format pdf"), 2, "known: html, md, latex, csv");
    check_refused(bench("report a --titel x"), 2, "did you mean '--title'?");
    check_refused(bench("report a --out"), 2, "--out needs a value");
}

TEST(files_that_are_no_runs_are_named) {
    check_refused(bench("report nowhere"), 5, "nowhere");
    assert_int_equal(mkdir("empty", 0700), 0);
    check_refused(bench("report empty"), 5, "empty holds no run: it has no results.json");
    write_file("notes.json", "[1, 2]", 6);
    check_refused(bench("report notes.json"), 5, "notes.json");
    write_file("cut.json", "{\"benchmarks\": [", 16);
    check_refused(bench("report " RECORDED "fast cut.json"), 5, "cut.json");
    assert_false(file_exists("report.html"));
}

TEST(outputs_that_cannot_be_are_named) {
    check_refused(bench("report " RECORDED "fast --out nowhere/page.html"), 5, "nowhere/page.html");
    write_file("taken", "x", 1);
    check_refused(bench("report " RECORDED "fast --out taken"), 5, "taken is a file");
    check_refused(bench("report " RECORDED "fast --out page.html --format csv"), 2,
                  "name a folder");
    check_refused(bench("report " RECORDED "fast --out page.md --format md,html"), 2,
                  "name a folder");
}

/* Rows of what another version had are left out, and told of. */
TEST(rows_of_another_version_are_noted) {
    make_run("fresh");
    edit("fresh/results.json", "some.json", "\"variant\":\t\"simd\"", "\"variant\":\t\"gone\"");
    Outcome outcome = bench_ok("report some.json --out page.html");
    check_contains(outcome.err, "bench: note: some: 2 rows are of algorithms");
    assert_string_equal(outcome.out, "page.html\n");
    edit("fresh/results.json", "none.json", "\"algorithm\":\t\"lbp\"", "\"algorithm\":\t\"gone\"");
    check_refused(bench("report none.json"), 6, "none.json has no rows but 4 of");
}

TEST(help_explains_the_options) {
    Outcome asked = bench("report --help");
    Outcome helped = bench("help report");
    check_code(&asked, 0);
    assert_string_equal(asked.out, helped.out);
    check_contains(asked.out, "--format LIST");
    check_contains(asked.out, "bench report --diff");
}
