/* The report of a study as files, and its report.md as a whole. */
#include "bench/study_fixture.h"
#include "document.h"
#include "report.h"
#include "status_checks.h"
#include "test.h"

#include "bench/scratch_folder.h"
#include "study_internal.h"

static void assert_file_has(const char *name, const char *part) {
    char *text = test_read(name);
    if (strstr(text, part) == NULL) {
        fail_msg("%s has no '%s'", name, part);
    }
}

TEST(test_the_files) {
    RELEASED_BY(study_fixture_release) StudyFixture fixture;
    study_fixture_make(&fixture, study_fixture_open(&fixture, test_folder));
    const Status status = study_report_write(&fixture.result);
    if (status.code != STATUS_SKIP) {
        assert_string_equal(status.why, "");
        assert_file_has("figures/figure-1.svg", "<svg");
        assert_file_has("report.md", "figures/figure-1.svg");
    }
    assert_file_has("report.html", "Patterns on two devices: measured again");
    assert_file_has("report.md", "# Patterns on two devices: measured again");
    assert_file_has("tables/table-1.csv", "Time (ms): measured");
    assert_file_has("tables/table-1.md", "2.442");
    assert_file_has("tables/table-2.tex", "\\toprule");
    assert_file_has("tables/threads-hd.csv", "Time (ms)");
    assert_file_has("tables/all.tex", "table-2");
    assert_file_has("tables/verdicts.csv", "Table 1,\"the paper's order by Time\",all 3 pairs");
    assert_file_has("tables/verdicts.tex", "2.442 $\\rightarrow$ 2.417");
    /* A table may stand alone: it tells all that differs. */
    assert_file_has("tables/table-1.md", "The hardware differs. The paper's pictures are "
                                         "photographs, ours are drawn. Its threads are "
                                         "Java's.");
    assert_file_has("figures/figure-1.csv", "360p, published");
    char *all = test_read("tables/all.tex");
    assert_null(strstr(all, "machines"));
}

TEST(test_a_folder_that_cannot_be_made) {
    RELEASED_BY(study_fixture_release) StudyFixture fixture;
    test_write("taken", "a file");
    const char *out = test_path("taken");
    study_fixture_make(&fixture, study_fixture_open(&fixture, out));
    assert_status(study_report_write(&fixture.result), STATUS_FILE, "taken");
}

/*
 * tests/data/study-example/report.md was read and compared with the numbers in results.csv and
 * published.csv by hand. After a change that is meant, write it again and read the difference:
 *
 *   BENCH_GOLDEN=write build/tests/test_study_report_files && git diff tests/data/study-example
 */
TEST(test_the_golden_report) {
    RELEASED_BY(study_fixture_release) StudyFixture fixture;
    RELEASED_BY(document_release) Document document;
    study_fixture_make(&fixture, study_fixture_open(&fixture, "unused"));
    study_report_build(&fixture.result, &(StudyRuns){.count = 0}, &document);
    const char *path = test_path("report.md");
    Status status = markdown_write(&document, path, NULL);
    assert_string_equal(status.why, "");
    char *written = test_read("report.md");
    ScratchFolder example;
    snprintf(example.path, sizeof example.path, "%s", example_folder);
    const char *asked = getenv("BENCH_GOLDEN");
    if (asked != NULL && strcmp(asked, "write") == 0) {
        scratch_write(&example, "report.md", written);
    }
    char *golden = scratch_read(&example, "report.md");
    assert_string_equal(written, golden);
}
