/* The CSV that a step left: its facts, and records asked by columns and axes. */
#include "scratch_folder.h"
#include "status_checks.h"
#include "study_internal.h"
#include "test.h"

static ScratchFolder folder;

static void make_folder(void) {
    folder = scratch_make();
}

static void remove_folder(void) {
    scratch_remove_tree(folder.path);
}

ALL_TESTS(make_folder, remove_folder);

static Status read_text(const char *text, CsvFrame *records) {
    char path[512];
    scratch_write(&folder, "results.csv", text);
    scratch_path(&folder, "results.csv", path);
    return csv_frame_read(path, records);
}

static void assert_value(const CsvFrame *records, size_t record, const char *key,
                         const char *expected) {
    size_t length = 0;
    const char *value = step_record_value(records, &records->records[record], key, &length);
    if (expected == NULL) {
        assert_null(value);
        return;
    }
    assert_non_null(value);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(value, expected, length);
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
    CsvFrame records;
    assert_int_equal(read_text(sample, &records).code, STATUS_OK);
    assert_int_equal(records.fact_count, 4);
    assert_string_equal(csv_frame_fact(&records, "cpu_model"), "Model: of 8 cores");
    assert_string_equal(csv_frame_fact(&records, "warning"), "the first");
    assert_string_equal(records.facts[2].value, "the second");
    assert_string_equal(csv_frame_fact(&records, "commit"), "1234567");
    assert_string_equal(csv_frame_fact(&records, "gpu_model"), "");
    csv_frame_release(&records);
}

TEST(columns_and_axes_have_values) {
    CsvFrame records;
    assert_int_equal(read_text(sample, &records).code, STATUS_OK);
    assert_int_equal(records.count, 2);
    assert_int_equal(records.header.count, 6);
    assert_value(&records, 0, "variant", "omp");
    assert_value(&records, 0, "pr", "8:1");
    assert_value(&records, 0, "box", "4+8");
    assert_value(&records, 0, "tile", "8");
    /* The column stands before the axis of its name, and is left whole. */
    assert_value(&records, 0, "threads", "2");
    assert_value(&records, 0, "tuning", "tile:8,threads:4");
    assert_value(&records, 0, "bits", NULL);
    assert_value(&records, 1, "pr", "16:2");
    assert_value(&records, 1, "status", "skip");
    assert_value(&records, 1, "tile", NULL);
    csv_frame_release(&records);
}

static bool matches(const CsvFrame *records, size_t record, const char *key, const char *value) {
    Condition items[] = {{"variant", "omp"}, {key, value}};
    const ConditionList conditions = {.items = items, .count = 2};
    return step_record_matches(records, &records->records[record], &conditions);
}

TEST(conditions_must_all_hold) {
    CsvFrame records;
    assert_int_equal(read_text(sample, &records).code, STATUS_OK);
    assert_true(matches(&records, 0, "pr", "8:1"));
    assert_false(matches(&records, 0, "pr", "8"));
    assert_true(matches(&records, 0, "size", "4k"));
    assert_false(matches(&records, 0, "status", "OK"));
    assert_false(matches(&records, 0, "bits", "256"));
    assert_false(matches(&records, 1, "size", "360p"));
    const ConditionList none = {0};
    assert_true(step_record_matches(&records, &records.records[1], &none));
    csv_frame_release(&records);
}

/* "The best on the CPU" is this program's, unless the condition names the library's variant. */
TEST(peers_match_where_they_are_asked_for) {
    CsvFrame records;
    assert_int_equal(
        read_text("variant,backend,library\nomp,cpu,\nopencv,cpu,OpenCV 5.0.0\n", &records).code,
        STATUS_OK);
    static const struct {
        const char *key, *value;
        bool own, peer;
    } cases[] = {{"backend", "cpu", true, false},
                 {"variant", "opencv", false, true},
                 {"peer", "yes", false, true},
                 {"peer", "no", true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Condition item = {cases[i].key, cases[i].value};
        const ConditionList conditions = {.items = &item, .count = 1};
        assert_int_equal(step_record_matches(&records, &records.records[0], &conditions),
                         cases[i].own);
        assert_int_equal(step_record_matches(&records, &records.records[1], &conditions),
                         cases[i].peer);
    }
    csv_frame_release(&records);
}

TEST(other_files_have_no_axes) {
    CsvFrame records;
    assert_int_equal(read_text("method,inliers\nhashsift,430", &records).code, STATUS_OK);
    assert_int_equal(records.count, 1);
    assert_value(&records, 0, "inliers", "430");
    assert_value(&records, 0, "bits", NULL);
    csv_frame_release(&records);
}

TEST(broken_pairs_hide_no_others) {
    CsvFrame records;
    assert_int_equal(read_text("answer\n\":1,none,,box:8\"\n", &records).code, STATUS_OK);
    assert_value(&records, 0, "box", "8");
    assert_value(&records, 0, "none", NULL);
    csv_frame_release(&records);
}

TEST(pairs_are_found_by_whole_keys) {
    const char *stages = "integral:0.512,features:8.13,f:1";
    size_t length;
    assert_memory_equal(step_pair(stages, "features", &length), "8.13", 4);
    assert_int_equal(length, 4);
    assert_memory_equal(step_pair(stages, "f", &length), "1", 1);
    assert_null(step_pair(stages, "feature", &length));
    assert_null(step_pair("", "f", &length));
    assert_null(step_pair("f", "f", &length));
}

TEST(what_is_no_table_is_an_error) {
    CsvFrame records;
    assert_status(csv_frame_read("/nowhere/results.csv", &records), STATUS_FILE,
                  "/nowhere/results.csv");
    csv_frame_release(&records);
    assert_int_equal(read_text("# only: comments\n", &records).code, STATUS_FILE);
    assert_int_equal(records.count, 0);
    assert_int_equal(read_text("a,b\n", &records).code, STATUS_OK);
    assert_int_equal(records.count, 0);
    csv_frame_release(&records);
}

TEST(many_records_are_kept) {
    enum { COUNT = 1000 };
    char *text = calloc(COUNT + 1, 32);
    size_t used = (size_t)sprintf(text, "size,answer\n");
    for (int i = 0; i < COUNT; i++) {
        used += (size_t)sprintf(text + used, "%d,box:%d\n", i, 2 * i);
    }
    CsvFrame records;
    assert_int_equal(read_text(text, &records).code, STATUS_OK);
    assert_int_equal(records.count, COUNT);
    assert_value(&records, 999, "box", "1998");
    csv_frame_release(&records);
    free(text);
}
