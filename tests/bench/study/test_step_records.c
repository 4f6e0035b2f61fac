/* The records that a step left: its facts, and what they have by columns and axes. */
#include "bench/sample_results.h"
#include "list.h"
#include "scratch_folder.h"
#include "status_checks.h"
#include "stored_run.h"
#include "study_internal.h"
#include "test.h"

static Status read_text(const char *text, StepRecords *records) {
    static void *memory;
    owned_release(&memory);
    test_write("results.csv", text);
    return step_records_read(&memory, test_path("results.csv"), records);
}

static void assert_value(const StepRecords *records, size_t record, const char *key,
                         const char *expected) {
    char value[CSV_VALUE_SIZE];
    step_key_text(records, &records->list[record], key, value);
    assert_string_equal(value, expected);
}

static const char sample[] = "# cpu_model: Model: of 8 cores\r\n"
                             "# warning: the first\n"
                             "# warning: the second\n"
                             "#no key\n"
                             "#\n"
                             "\n"
                             "variant,size,answer,tuning,threads,status\n"
                             "omp,4K,\"pr:8:1,box:4+8\",\"tile:8,threads:4\",2,ok\n"
                             "# commit: 1234567\n"
                             "cuda,360p,pr:16:2,,0,skip\r\n";

TEST(comments_are_facts) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text(sample, &records));
    assert_int_equal(records.table.fact_count, 4);
    assert_string_equal(csv_frame_fact(&records.table, "cpu_model"), "Model: of 8 cores");
    assert_string_equal(csv_frame_fact(&records.table, "warning"), "the first");
    assert_string_equal(records.table.facts[2].value, "the second");
    assert_string_equal(csv_frame_fact(&records.table, "commit"), "1234567");
    assert_string_equal(csv_frame_fact(&records.table, "gpu_model"), "");
}

TEST(columns_and_axes_have_values) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text(sample, &records));
    assert_int_equal(records.count, 2);
    assert_int_equal(records.table.header.count, 6);
    assert_value(&records, 0, "variant", "omp");
    assert_value(&records, 0, "pr", "8:1");
    assert_value(&records, 0, "box", "4+8");
    assert_value(&records, 0, "tile", "8");
    /* The column stands before the axis of its name, and is left whole. */
    assert_value(&records, 0, "threads", "2");
    assert_value(&records, 0, "tuning", "tile:8,threads:4");
    assert_value(&records, 0, "bits", "");
    assert_value(&records, 1, "pr", "16:2");
    assert_value(&records, 1, "status", "skip");
    assert_value(&records, 1, "tile", "");
}

static bool matches(const StepRecords *records, size_t record, const char *key, const char *value) {
    Condition items[] = {{"variant", "omp", KEY_VARIANT}, {key, value, key_kind(key)}};
    const ConditionList conditions = {.items = items, .count = 2};
    return step_record_matches(records, &records->list[record], &conditions);
}

TEST(conditions_must_all_hold) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text(sample, &records));
    assert_true(matches(&records, 0, "pr", "8:1"));
    assert_false(matches(&records, 0, "pr", "8"));
    assert_true(matches(&records, 0, "size", "4k"));
    assert_false(matches(&records, 0, "status", "OK"));
    assert_false(matches(&records, 0, "bits", "256"));
    assert_false(matches(&records, 1, "size", "360p"));
    const ConditionList none = {0};
    assert_true(step_record_matches(&records, &records.list[1], &none));
}

/* "The best on the CPU" is this program's, unless the condition names the library's variant. */
TEST(peers_match_where_they_are_asked_for) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text("variant,backend,library\nomp,cpu,\nopencv,cpu,OpenCV 5.0.0\n", &records));
    static const struct {
        const char *key, *value;
        bool own, peer;
    } cases[] = {{"backend", "cpu", true, false},
                 {"variant", "opencv", false, true},
                 {"peer", "yes", false, true},
                 {"peer", "no", true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Condition item = {cases[i].key, cases[i].value, key_kind(cases[i].key)};
        const ConditionList conditions = {.items = &item, .count = 1};
        assert_int_equal(step_record_matches(&records, &records.list[0], &conditions),
                         cases[i].own);
        assert_int_equal(step_record_matches(&records, &records.list[1], &conditions),
                         cases[i].peer);
    }
}

TEST(other_files_have_no_axes) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text("method,inliers\nhashsift,430", &records));
    assert_int_equal(records.count, 1);
    assert_value(&records, 0, "inliers", "430");
    assert_value(&records, 0, "bits", "");
}

TEST(broken_pairs_hide_no_others) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text("answer\n\":1,none,,box:8\"\n", &records));
    assert_value(&records, 0, "box", "8");
    assert_value(&records, 0, "none", "");
}

TEST(parts_are_found_by_whole_keys) {
    RELEASED_BY(step_records_release) StepRecords records;
    assert_ok(read_text("stages,n\n\"integral:0.512,features:8.13,f:1,g\",f\n", &records));
    const StepRecord *record = &records.list[0];
    const StepColumn stages = step_column(&records, "stages"), n = step_column(&records, "n");
    assert_true(step_part(record, &stages, "features") == 8.13);
    assert_true(step_part(record, &stages, "f") == 1);
    assert_true(isnan(step_part(record, &stages, "feature")));
    assert_true(isnan(step_part(record, &stages, "g")));
    assert_true(isnan(step_part(record, &n, "f")));
}

TEST(what_is_no_table_is_an_error) {
    StepRecords records;
    void *memory = NULL;
    assert_status(step_records_read(&memory, "/nowhere/results.csv", &records), STATUS_FILE,
                  "/nowhere/results.csv");
    step_records_release(&records);
    assert_int_equal(read_text("# only: comments\n", &records).code, STATUS_FILE);
    assert_int_equal(records.count, 0);
    assert_ok(read_text("a,b\n", &records));
    assert_int_equal(records.count, 0);
    step_records_release(&records);
}

TEST(many_records_are_kept) {
    enum { COUNT = 1000 };
    char *text = calloc(COUNT + 1, 32);
    size_t used = (size_t)sprintf(text, "size,answer\n");
    for (int i = 0; i < COUNT; i++) {
        used += (size_t)sprintf(text + used, "%d,box:%d\n", i, 2 * i);
    }
    StepRecords records;
    assert_ok(read_text(text, &records));
    assert_int_equal(records.count, COUNT);
    assert_value(&records, 999, "box", "1998");
    step_records_release(&records);
    free(text);
}

/* --- Rows of a run ---------------------------------------------------------------------------- */

/* The results.csv beside it is not read. */
static void read_rows(const RunRecord *record, const Results *results, StepRecords *records) {
    assert_ok(report_json(test_path("results.json"), record, results));
    assert_ok(read_text("no table", records));
    assert_true(records->rows);
}

static Row *add_row(Results *results, const char *algorithm, const char *variant, double unit) {
    Row row = measured_row(variant, unit);
    row.algorithm = registry_find_algorithm(algorithm);
    row.variant = registry_find_variant(row.algorithm, variant);
    assert_ok(results_add(results, &row));
    return &results->rows[results->count - 1];
}

static double number_of(const StepRecords *records, const char *name) {
    const StepColumn column = step_column(records, name);
    return step_number(&records->list[0], &column);
}

TEST(rows_have_numbers_words_and_nothing) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    set_threads(add_row(&results, "lbp", "omp", 1.23456789012e-5), 4);
    read_rows(sample_record(), &results, &records);
    assert_int_equal(records.count, 1);
    assert_true(number_of(&records, "threads") == 4);
    assert_true(number_of(&records, "samples") == 9);
    /* As many digits as results.csv has. */
    assert_true(number_of(&records, "kernel_ms_median") == 0.0617283945);
    static const char *const none[] = {"variant", "status", "verified",  "tuning",
                                       "images",  "joule",  "no_column", "kernel_samples_s"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(isnan(number_of(&records, none[i])));
    }
    assert_value(&records, 0, "variant", "omp");
    assert_value(&records, 0, "verified", "yes");
    assert_value(&records, 0, "tuning", "threads:4");
    assert_value(&records, 0, "images", "");
    assert_value(&records, 0, "no_column", "");
    const StepColumn absent = step_column(&records, "no_column");
    assert_false(step_has_column(&absent));
    assert_int_equal(step_record_status(&records, &records.list[0]), CELL_OK);
}

static bool row_has(const StepRecords *records, const char *key, const char *value) {
    Condition item = {key, value, key_kind(key)};
    return step_record_matches(records, &records->list[0], &(ConditionList){&item, 1, 1});
}

TEST(conditions_on_rows_are_numbers_words_and_axes) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    Row *row = add_row(&results, "haar", "omp", 1e-3);
    set_threads(row, 4);
    row->threads = 8;
    read_rows(sample_record(), &results, &records);
    assert_true(row_has(&records, "threads", "8")); /* the column, not the axis */
    assert_true(row_has(&records, "threads", "8.0"));
    assert_false(row_has(&records, "threads", "4"));
    assert_false(row_has(&records, "threads", "all"));
    assert_true(row_has(&records, "size", "TINY"));
    assert_false(row_has(&records, "input", "TEXTURE"));
    assert_false(row_has(&records, "joule", "0"));
    assert_false(row_has(&records, "tile", "8"));
}

TEST(rows_have_parts) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    add_row(&results, "haar", "seq", 1e-3)->stage_seconds[0] = 2.5e-3;
    set_threads(add_row(&results, "lbp", "omp", 1e-3), 4);
    const char *stage = results.rows[0].variant->stages[0].name;
    read_rows(sample_record(), &results, &records);
    const StepColumn stages = step_column(&records, "stages_ms");
    const StepColumn tuning = step_column(&records, "tuning");
    assert_true(step_part(&records.list[0], &stages, stage) == 2.5);
    assert_true(isnan(step_part(&records.list[0], &stages, "no stage")));
    assert_true(isnan(step_part(&records.list[1], &stages, stage)));
    assert_true(step_part(&records.list[1], &tuning, "threads") == 4);
    assert_true(isnan(step_part(&records.list[1], &tuning, "tile")));
}

/* The facts of a run are those of the head of its results.csv. */
TEST(a_run_has_the_facts_of_its_table) {
    RELEASED_BY(results_release) Results results = sample_results();
    RunRecord record = *sample_record();
    StepRecords rows, lines;
    record.warnings.count = 1;
    snprintf(record.warnings.text[0], WARNING_SIZE, "busy");
    snprintf(record.input_note, sizeof record.input_note, "a note");
    read_rows(&record, &results, &rows);
    void *memory = NULL;
    const char *path = test_path("facts.csv");
    assert_ok(report_csv(path, &record, &results));
    assert_ok(step_records_read(&memory, path, &lines));
    assert_false(lines.rows);
    static const char *const own[] = {"arguments", "interleaved"};
    size_t count = 0;
    for (size_t i = 0; i < lines.table.fact_count; i++) {
        const CsvFact *fact = &lines.table.facts[i];
        if (!text_is_one_of(fact->key, own, 2)) {
            assert_string_equal(rows.table.facts[count].key, fact->key);
            assert_string_equal(rows.table.facts[count++].value, fact->value);
        }
    }
    assert_int_equal(count, rows.table.fact_count);
    step_records_release(&lines);
    owned_release(&memory);
    step_records_release(&rows);
}

/* A variant that this version does not have is a row too, with its samples and stages; so are those
 * beside it. */
TEST(a_run_with_rows_of_other_variants_is_read_whole) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    const Variant *seq = registry_find_variant(registry_find_algorithm("haar"), "seq");
    Variant other = *seq;
    other.name = "of_a_module";
    add_row(&results, "haar", "seq", 2e-3);
    Row *row = add_row(&results, "haar", "seq", 1e-3);
    row->variant = &other;
    row->stage_seconds[0] = 2.5e-3;
    row->stage_seconds[1] = 1.5e-3;
    row->stolen_share = 0.5;
    results_derive(&results, 1);
    assert_ok(report_csv(test_path("results.csv"), sample_record(), &results));
    assert_ok(report_json(test_path("results.json"), sample_record(), &results));
    static void *memory;
    owned_release(&memory);
    assert_ok(step_records_read(&memory, test_path("results.csv"), &records));
    assert_int_equal(records.count, 2);
    assert_true(records.list[0].row != NULL && records.list[1].row != NULL);
    assert_value(&records, 1, "variant", "of_a_module");
    assert_int_equal(records.list[1].row->kernel.count, row->kernel.count);
    assert_int_equal(records.list[1].row->kernel.disturber, DISTURBER_GUESTS);
    const StepColumn stages = step_column(&records, "stages_ms");
    const StepColumn speedup = step_column(&records, "speedup");
    assert_true(step_part(&records.list[1], &stages, seq->stages[0].name) == 2.5);
    assert_true(step_part(&records.list[1], &stages, seq->stages[1].name) == 1.5);
    assert_true(step_number(&records.list[1], &speedup) == 2);
    assert_int_equal(records.run->ignored, 1);
}

/* What this version cannot derive of an algorithm that it does not have, the table has. */
TEST(rows_of_other_algorithms_are_lines) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    Algorithm other = *registry_find_algorithm("lbp");
    other.name = "of_a_module";
    add_row(&results, "lbp", "seq", 1e-3);
    add_row(&results, "lbp", "simd", 1e-3)->algorithm = &other;
    results_derive(&results, 1);
    assert_ok(report_json(test_path("results.json"), sample_record(), &results));
    assert_ok(read_text("algorithm,variant,speedup\nlbp,seq,1\nof_a_module,simd,3.5\n", &records));
    assert_int_equal(records.count, 2);
    assert_value(&records, 0, "algorithm", "lbp");
    assert_true(records.list[0].row != NULL);
    assert_value(&records, 1, "algorithm", "of_a_module");
    assert_true(records.list[1].row == NULL);
    const StepColumn speedup = step_column(&records, "speedup");
    assert_true(step_number(&records.list[1], &speedup) == 3.5);
}

/* The roof of a run, the algorithm `copy`, is faster and has a variant `seq` too. */
static void check_roof(const char *algorithms, size_t count) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(step_records_release) StepRecords records;
    RunRecord record = *sample_record();
    char *argv[] = {"--algo", (char *)algorithms, NULL};
    const RunOptions options = {.arguments = {.argc = 2, .argv = argv}};
    record.options = &options;
    add_row(&results, "copy", "seq", 1e-6);
    add_row(&results, "lbp", "seq", 1e-3);
    read_rows(&record, &results, &records);
    assert_int_equal(records.count, count);
    assert_value(&records, count - 1, "algorithm", "lbp");
}

TEST(the_roof_of_a_run_is_a_record_where_it_was_asked_for) {
    check_roof("lbp", 1);
    check_roof("lbp,copy", 2);
    check_roof("all", 2);
}
