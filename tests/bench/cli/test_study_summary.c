/* What `bench study` prints in the end, and its exit code. */
#include <signal.h>

#include "cli_internal.h"
#include "study.h"
#include "test.h"

static int code_of(int one, int two, int three) {
    StepOutcome *outcomes = calloc(3, sizeof *outcomes);
    outcomes[0].code = one;
    outcomes[1].code = two;
    outcomes[2].code = three;
    const Study study = {.step_count = 3};
    const StudyResult result = {.study = &study, .outcomes = outcomes};
    const int code = study_exit_code(&result);
    free(outcomes);
    return code;
}

TEST(the_worst_step_counts) {
    assert_int_equal(code_of(0, 0, 0), 0);
    assert_int_equal(code_of(0, 6, 0), 0); /* nothing to measure here */
    assert_int_equal(code_of(0, 4, 0), 4);
    assert_int_equal(code_of(2, 4, 0), 4);
    assert_int_equal(code_of(4, 2, 0), 4);
    assert_int_equal(code_of(6, 5, 2), 5);
    assert_int_equal(code_of(0, 0, 3), 3);
    assert_int_equal(code_of(0, 128 + SIGSEGV, 2), 4);
    assert_int_equal(code_of(4, 0, 130), 130);
}

TEST(tables_are_counted) {
    const StudyTable tables[2] = {{.name = "table-1", .row_count = 2, .column_count = 2},
                                  {.name = "table-2", .row_count = 1, .column_count = 1}};
    StudyValue first[4] = {{.measured = 1, .published = NAN},
                           {.measured = NAN, .published = 2, .why = "no CUDA device"},
                           {.measured = NAN, .published = 3, .why = "another reason"},
                           {.measured = 0, .published = 4}};
    StudyValue second[1] = {{.measured = 5, .published = NAN}};
    TableResult results[2] = {{.table = &tables[0], .values = first},
                              {.table = &tables[1], .values = second}};
    const Study study = {.table_count = 2};
    const StudyResult result = {.study = &study, .tables = results};
    FILE *stream = test_stream();
    assert_string_equal(study_summary_print(stream, &result).why, "");
    char *text = test_text(stream);
    assert_string_equal(text, "table    measured  of  published  not measured\n"
                              "-------  --------  --  ---------  --------------\n"
                              "table-1         2   4          3  no CUDA device\n"
                              "table-2         1   1          0\n");
}
