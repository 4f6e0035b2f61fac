/* What telemetry found stands in the CSV, in the JSON and on the console, and is read back. */
#include "csv.h"
#include "files.h"
#include "sample_results.h"
#include "stored_run.h"
#include "test.h"
#include "warnings.h"

static RunRecord record;

/* The second row is a GPU's that was held down by its power cap; the third one's clock is known
 * and nothing was wrong with it. */
static Results telemetry_results(void) {
    Results results = {.rows = NULL};
    Row unknown = measured_row("seq", 0.001);
    Row throttled = measured_row("cuda_fast", 0.0001);
    throttled.clock_mhz_before = 1980;
    throttled.clock_mhz_after = 1200;
    throttled.clock_mhz_max = 1980;
    throttled.temperature_before = 61.5;
    throttled.temperature_after = 83;
    throttled.power_before = 310.25;
    throttled.power_after = 699.5;
    snprintf(throttled.throttle, sizeof throttled.throttle, "power cap, sync boost");
    throttled.throttled = true;
    throttled.joule = 0.25e-6;
    Row fine = measured_row("simd", 0.0005);
    fine.clock_mhz_after = fine.clock_mhz_max = 3000;
    const Row *const rows[] = {&unknown, &throttled, &fine};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_ok(results_add(&results, rows[i]));
    }
    record = *sample_record();
    record.warnings = (Warnings){.count = 2, .text = {"the machine was busy", "the GPU is shared"}};
    return results;
}

static const char *value(const CsvRecord *header, const CsvRecord *row, const char *column) {
    return csv_field(row, csv_field_index(header, column));
}

static void check_csv(const CsvRecord *header, char **cursor, const char *const *expected) {
    static const char *const names[] = {
        "clock_mhz_before", "clock_mhz_after", "temperature_c", "power_w",
        "throttle",         "throttled",       "joule",         "mpixel_per_joule"};
    CsvRecord row;
    assert_true(csv_next_record(cursor, &row));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_string_equal(value(header, &row, names[i]), expected[i]);
    }
}

/* 12 pixels for a quarter of a microjoule are 48 megapixels a joule. */
TEST(csv_has_state_and_energy) {
    Results results = telemetry_results();
    assert_ok(report_csv(test_path("a.csv"), &record, &results));
    results_release(&results);
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path("a.csv"), "a text", SIZE_MAX, &text, &length));
    assert_says(text, "# warning: the machine was busy\n# warning: the GPU is shared\n");
    char *cursor = text;
    CsvRecord header;
    assert_true(csv_next_record(&cursor, &header));
    static const char *const expected[][8] = {
        {"", "", "", "", "", "", "", ""},
        {"1980", "1200", "83", "699.5", "power cap, sync boost", "yes", "2.5e-07", "48"},
        {"", "3000", "", "", "", "no", "", ""},
    };
    for (size_t i = 0; i < 3; i++) {
        check_csv(&header, &cursor, expected[i]);
    }
    free(text);
}

TEST(json_is_read_back) {
    RELEASED_BY(results_release) Results results = telemetry_results();
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(report_json(test_path("a.json"), &record, &results));
    assert_ok(stored_run_read(test_path("a.json"), &stored));
    assert_int_equal(stored.results.count, 3);
    const Row *row = &stored.results.rows[1];
    assert_true(row->clock_mhz_before == 1980 && row->clock_mhz_after == 1200);
    assert_true(row->clock_mhz_max == 1980);
    assert_true(row->temperature_before == 61.5 && row->temperature_after == 83);
    assert_true(row->power_before == 310.25 && row->power_after == 699.5);
    assert_string_equal(row->throttle, "power cap, sync boost");
    assert_true(row->throttled && row->joule == 0.25e-6);
    assert_false(stored.results.rows[2].throttled);
    assert_true(isnan(stored.results.rows[0].clock_mhz_after));
}

TEST(json_lists_warnings) {
    Results results = telemetry_results();
    assert_ok(report_json(test_path("a.json"), &record, &results));
    results_release(&results);
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path("a.json"), "a text", SIZE_MAX, &text, &length));
    assert_says(text, "\"warnings\":\t[\"the machine was busy\", \"the GPU is shared\"]");
    free(text);
}

/* Before there was telemetry, there was no such key. */
TEST(files_of_earlier_versions_are_read) {
    Results results = telemetry_results();
    assert_ok(report_json(test_path("a.json"), &record, &results));
    results_release(&results);
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path("a.json"), "a text", SIZE_MAX, &text, &length));
    for (char *key = text; (key = strstr(key, "\"throttled\"")) != NULL;) {
        memcpy(key, "\"another_k\"", 11);
    }
    test_write("old.json", text);
    free(text);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("old.json"), &stored));
    assert_false(stored.results.rows[1].throttled);
}

static char *printed(const Results *results) {
    FILE *stream = test_stream();
    report_console(stream, &record, results);
    return test_text(stream);
}

TEST(console_marks_throttled_rows) {
    RELEASED_BY(results_release) Results results = telemetry_results();
    char *text = printed(&results);
    assert_says(text, " ! ");
    assert_says(text, "\n! throttled: ");
    assert_says(text, "\nheld back by: power cap, sync boost\n");
    results.rows[1].throttled = false;
    results.rows[1].throttle[0] = '\0';
    text = printed(&results);
    assert_null(strstr(text, "!"));
    assert_null(strstr(text, "clock held"));
}
