/* study.txt: every field of the documented example, words, expansion of rows; finding it. */
#include "bench/scratch_folder.h"
#include "status_checks.h"
#include "study_internal.h"
#include "test.h"

/* The example of reports/studies/README.md. */
static char *read_example(void) {
    static const char start[] = "\nstudy example-2024\n";
    const ScratchFolder studies = {.path = BENCH_SOURCE_DIR "/reports/studies"};
    char *page = scratch_read(&studies, "README.md");
    const char *from = strstr(page, start);
    assert_non_null(from);
    const char *end = strstr(from, "```");
    assert_non_null(end);
    char *example = strndup(from + 1, (size_t)(end - from - 1));
    return example;
}

static Status parse(const char *text, Study *study) {
    return study_parse("s.txt", text, strlen(text), study);
}

/* Parses a text that must be right. */
static Study parsed(const char *text) {
    Study study;
    assert_ok(parse(text, &study));
    return study;
}

static void check_condition(const ConditionList *conditions, size_t index, const char *key,
                            const char *value) {
    assert_true(index < conditions->count);
    assert_string_equal(conditions->items[index].key, key);
    assert_string_equal(conditions->items[index].value, value);
}

static void check_argument(const StepArgumentList *list, size_t index, const char *option,
                           const char *value) {
    assert_true(index < list->count);
    const StepArgument *argument = &list->items[index];
    if (option == NULL) {
        assert_null(argument->option);
    } else {
        assert_string_equal(argument->option, option);
    }
    if (value == NULL) {
        assert_null(argument->value);
    } else {
        assert_string_equal(argument->value, value);
    }
}

TEST(the_example_is_read) {
    char *text = read_example();
    Study study = parsed(text);
    free(text);
    assert_null(study.folder);
    assert_string_equal(study.name, "example-2024");
    assert_string_equal(study.title, "LBP on two devices");
    assert_string_equal(study.citation,
                        "A. Author: LBP on two devices. Journal of Examples 1, 2024");
    assert_string_equal(study.convention, "mean of 15 runs");
    assert_int_equal(study.about.count, 0);
    assert_int_equal(study.differences.count, 0);
    study_release(&study);
    assert_null(study.memory);
}

TEST(the_steps_of_the_example) {
    char *text = read_example();
    RELEASED_BY(study_release) Study study = parsed(text);
    free(text);
    assert_int_equal(study.step_count, 1);
    const StudyStep *step = study_step(&study, "cpu");
    assert_ptr_equal(step, &study.steps[0]);
    assert_string_equal(step->command, "run");
    assert_string_equal(step->reads, "results.csv");
    assert_int_equal(step->line, 6);
    assert_int_equal(step->arguments.count, 6);
    check_argument(&step->arguments, 0, "--algo", "lbp");
    check_argument(&step->arguments, 1, "--variants", "seq,omp");
    check_argument(&step->arguments, 2, "--sizes", "360p,480p");
    check_argument(&step->arguments, 3, "--threads", "2,4");
    check_argument(&step->arguments, 4, "--synthetic", "texture");
    check_argument(&step->arguments, 5, "--reps", "15");
    assert_int_equal(step->quick.count, 1);
    check_argument(&step->quick, 0, "--reps", "5");
    assert_int_equal(step->otherwise.count, 0);
    assert_null(study_step(&study, "gpu"));
}

static void check_example_rows(const StudyTable *table) {
    static const char *const labels[] = {"Sequential", "2 threads", "4 threads"};
    assert_int_equal(table->row_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(table->rows[i].label, labels[i]);
        assert_int_equal(table->rows[i].line, i == 0 ? 18 : 19);
        assert_int_equal(table->rows[i].conditions.count, i == 0 ? 1 : 2);
        check_condition(&table->rows[i].conditions, 0, "variant", i == 0 ? "seq" : "omp");
    }
    check_condition(&table->rows[1].conditions, 1, "threads", "2");
    check_condition(&table->rows[2].conditions, 1, "threads", "4");
}

TEST(the_table_of_the_example) {
    char *text = read_example();
    RELEASED_BY(study_release) Study study = parsed(text);
    free(text);
    assert_int_equal(study.table_count, 1);
    const StudyTable *table = study_table(&study, "table-1");
    assert_ptr_equal(table, &study.tables[0]);
    assert_string_equal(table->caption, "480×360");
    assert_string_equal(table->step, "cpu");
    assert_null(table->convention);
    assert_string_equal(table->published, "table-1");
    assert_false(table->extra || table->shaded);
    assert_int_equal(table->line, 15);
    assert_int_equal(table->conditions.count, 1);
    check_condition(&table->conditions, 0, "size", "360p");
    check_example_rows(table);
    assert_int_equal(table->column_count, 2);
    const StudyColumn *time = &table->columns[0];
    assert_string_equal(time->title, "Time");
    assert_string_equal(time->unit.name, "ms");
    assert_int_equal(time->source, COLUMN_CSV);
    assert_string_equal(time->csv, "kernel_ms_mean");
    assert_null(time->part);
    assert_null(time->step);
    assert_int_equal(time->conditions.count, 0);
    const StudyColumn *speedup = &table->columns[1];
    assert_int_equal(speedup->source, COLUMN_BASE);
    assert_string_equal(speedup->unit.name, "x");
    assert_string_equal(speedup->base, "Sequential");
    assert_string_equal(speedup->over, "Time");
    assert_int_equal(speedup->line, 21);
}

TEST(the_figure_of_the_example) {
    char *text = read_example();
    RELEASED_BY(study_release) Study study = parsed(text);
    free(text);
    assert_int_equal(study.figure_count, 1);
    const StudyFigure *figure = &study.figures[0];
    assert_string_equal(figure->name, "figure-1");
    assert_string_equal(figure->title, "Speedup against threads");
    assert_string_equal(figure->x_key, "threads");
    assert_string_equal(figure->x_title, "threads");
    assert_string_equal(figure->y_title, "speedup over sequential");
    assert_false(figure->x_log || figure->y_log);
    assert_int_equal(figure->line, 23);
    assert_int_equal(figure->line_count, 1);
    assert_string_equal(figure->lines[0].name, "360p");
    assert_string_equal(figure->lines[0].table, "table-1");
    assert_string_equal(figure->lines[0].column, "Speedup");
    assert_int_equal(figure->lines[0].line, 26);
}

#define HEAD "study s\ntitle T\n"
#define STEP HEAD "step a run\n --algo lbp\n" /* lines 3, 4 */

/* Words, quotes, comments, ends of lines. */
TEST(words_are_split) {
    RELEASED_BY(study_release)
    Study study = parsed("\xef\xbb\xbf# a comment\r\n\r\n"
                         "  study s # its name\r\n"
                         "\ttitle \"say \\\"hi\\\" # no comment, C:\\\\x \\n\"\n"
                         "about C#\n"
                         "about \"two words\"#glued\n"
                         "difference one\n"
                         "step a run\n"
                         "  --flag\n"
                         "  --name=value # c\n"
                         "  --list 1, 2 ,3 4\n"
                         "  argument \"a b\"\n"
                         "  otherwise argument other\n"
                         "  otherwise --synthetic texture\n"
                         "  reads match.csv");
    assert_string_equal(study.title, "say \"hi\" # no comment, C:\\x \\n");
    assert_int_equal(study.about.count, 2);
    assert_string_equal(study.about.items[0], "C#");
    assert_string_equal(study.about.items[1], "two words#glued");
    assert_string_equal(study.differences.items[0], "one");
    const StudyStep *step = &study.steps[0];
    assert_int_equal(step->arguments.count, 4);
    check_argument(&step->arguments, 0, "--flag", NULL);
    check_argument(&step->arguments, 1, "--name", "value");
    check_argument(&step->arguments, 2, "--list", "1,2,3,4");
    check_argument(&step->arguments, 3, NULL, "a b");
    assert_int_equal(step->otherwise.count, 2);
    check_argument(&step->otherwise, 0, NULL, "other");
    check_argument(&step->otherwise, 1, "--synthetic", "texture");
    assert_string_equal(step->reads, "match.csv");
}

TEST(lists_of_a_row_make_all_combinations) {
    RELEASED_BY(study_release)
    Study study = parsed(STEP "table t C\n from a\n"
                              " row \"{size} {note} x {tile}\" size=S,M note=n tile=4,8,16\n"
                              " row plain\n"
                              " column T ms k\n");
    static const char *const labels[] = {"S n x 4", "S n x 8",  "S n x 16", "M n x 4",
                                         "M n x 8", "M n x 16", "plain"};
    static const char *const tiles[] = {"4", "8", "16"};
    const StudyTable *table = &study.tables[0];
    assert_int_equal(table->row_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(table->rows[i].label, labels[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        const ConditionList *conditions = &table->rows[i].conditions;
        assert_int_equal(conditions->count, 3);
        check_condition(conditions, 0, "size", i < 3 ? "S" : "M");
        check_condition(conditions, 1, "note", "n");
        check_condition(conditions, 2, "tile", tiles[i % 3]);
    }
    assert_int_equal(table->rows[6].conditions.count, 0);
}

TEST(columns_of_all_kinds) {
    RELEASED_BY(study_release)
    Study study = parsed(STEP "step b run\n"
                              "table t C\n from a\n convention \"mean of 3\"\n published other\n"
                              " extra\n shaded\n row R\n"
                              " column One us stages_ms:sort from b bits=256 pr=8:1\n"
                              " column Two - k\n"
                              " column Three x ratio One Two\n");
    const StudyTable *table = &study.tables[0];
    assert_string_equal(table->convention, "mean of 3");
    assert_string_equal(table->published, "other");
    assert_true(table->extra && table->shaded);
    const StudyColumn *one = &table->columns[0];
    assert_string_equal(one->csv, "stages_ms");
    assert_string_equal(one->part, "sort");
    assert_string_equal(one->step, "b");
    assert_int_equal(one->conditions.count, 2);
    check_condition(&one->conditions, 0, "bits", "256");
    check_condition(&one->conditions, 1, "pr", "8:1");
    assert_string_equal(table->columns[1].unit.name, "-");
    assert_int_equal(table->columns[2].source, COLUMN_RATIO);
    assert_string_equal(table->columns[2].over, "One");
    assert_string_equal(table->columns[2].under, "Two");
}

/* What is added to the copy is not added to the model. */
TEST(same_as_takes_rows_and_columns_over) {
    RELEASED_BY(study_release)
    Study study = parsed(STEP "table t C\n from a\n where size=1\n row R variant=seq\n"
                              " column T ms k\n"
                              "table u D\n same-as t\n where size=2\n row S\n column U ms k\n"
                              "table v E\n same-as t\n");
    const StudyTable *t = &study.tables[0], *u = &study.tables[1], *v = &study.tables[2];
    assert_int_equal(t->row_count, 1);
    assert_int_equal(t->column_count, 1);
    assert_string_equal(u->step, "a");
    assert_int_equal(u->row_count, 2);
    assert_int_equal(u->column_count, 2);
    assert_string_equal(u->rows[0].label, "R");
    assert_string_equal(u->rows[1].label, "S");
    check_condition(&u->rows[0].conditions, 0, "variant", "seq");
    check_condition(&u->conditions, 0, "size", "2");
    assert_int_equal(u->conditions.count, 1);
    assert_string_equal(u->columns[1].title, "U");
    assert_string_equal(u->published, "u");
    assert_int_equal(v->row_count, 1);
    assert_int_equal(v->conditions.count, 0);
}

TEST(axes_may_be_logarithmic) {
    RELEASED_BY(study_release)
    Study study = parsed(STEP "table t C\n from a\n row {size} size=1,2\n column T ms k\n"
                              "figure f F\n x size pixels log\n y ms log\n line L t T\n");
    assert_true(study.figures[0].x_log && study.figures[0].y_log);
}

TEST(a_folder_is_read) {
    Study study;
    assert_status(study_file_read(test_folder, &study), STATUS_FILE, "study.txt");
    test_write("study.txt", STEP);
    Status status = study_file_read(test_folder, &study);
    assert_ok(status);
    assert_string_equal(study.folder, test_folder);
    study_release(&study);
    test_write("study.txt", "study s\nno\n");
    status = study_file_read(test_folder, &study);
    assert_says(status.why, "/study.txt:2: 'no' is no statement of the head");
    char *large = malloc((1 << 20) + 2);
    memset(large, '\n', (1 << 20) + 1);
    large[(1 << 20) + 1] = '\0';
    test_write("study.txt", large);
    status = study_file_read(test_folder, &study);
    assert_says(status.why, "has 1048577 bytes; a file of a study of at most 1048576 is read");
    free(large);
}

TEST(a_study_is_found_by_path_and_by_name) {
    char found[512], path[512];
    scratch_path(test_scratch(), "mine", path);
    assert_int_equal(mkdir(path, 0700), 0);
    test_write("mine/study.txt", STEP);
    assert_ok(study_find(path, found, sizeof found));
    assert_string_equal(found, path);
    setenv("BENCH_STUDY_DIR", test_folder, 1);
    assert_ok(study_find("mine", found, sizeof found));
    assert_string_equal(found, path);
    assert_status_is(study_find("mien", found, sizeof found), STATUS_USAGE,
                     "'mien' is no study, and no folder with a study.txt (bench "
                     "study --list names the studies); did you mean 'mine'?");
    unsetenv("BENCH_STUDY_DIR");
}
