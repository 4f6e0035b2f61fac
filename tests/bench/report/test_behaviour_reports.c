/* How samples behave and how time grows, in the table, the CSV, the JSON and the chart. */
#include <cjson/cJSON.h>

#include "csv.h"
#include "drawn_charts.h"
#include "files.h"
#include "results_internal.h"
#include "sample_results.h"
#include "test.h"

static Results marked_results(void) {
    Results results = {.rows = NULL};
    Row plain = measured_row("seq", 0.001);
    Row odd = measured_row("simd", 0.0001);
    plain.autocorrelation = -0.1;
    plain.exponent = odd.exponent = (double)NAN;
    odd.autocorrelation = 0.625;
    odd.autocorrelated = odd.multimodal = true;
    odd.starved = odd.stolen = true;
    odd.outliers_mild = 2;
    odd.outliers_severe = 1;
    odd.exponent = 1.02;
    odd.exponent_low = 0.996;
    odd.exponent_high = 1.044;
    assert_ok(results_add(&results, &plain));
    assert_ok(results_add(&results, &odd));
    return results;
}

static char *printed(const Results *results) {
    FILE *stream = test_stream();
    report_console(stream, sample_record(), results);
    return test_text(stream);
}

TEST(marks_stand_with_the_interval, NULL) {
    RELEASED_BY(results_release) Results results = marked_results();
    char *text = printed(&results);
    assert_says(text, " %$^ ");
    assert_says(text, "\n% starved: ");
    assert_says(text, "\n$ stolen: ");
    assert_says(text, "\n^ multimodal: ");
    assert_says(text, "\noutliers: 2 mild, 1 severe of 18 samples; ");
    assert_says(text, "\nsimd: time ~ pixels^1.02 [1.00, 1.04], 95% of the fit\n");
    assert_null(strstr(text, "seq: time ~"));
}

TEST(without_marks_there_is_no_legend, NULL) {
    RELEASED_BY(results_release) Results results = sample_results();
    char *text = printed(&results);
    assert_null(strstr(text, "starved"));
    assert_null(strchr(text, '^'));
    assert_null(strstr(text, "outliers"));
}

static const char *value_of(const char *name, const Row *row) {
    static char value[CSV_VALUE_SIZE];
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            csv_column_value(&columns[i], row, value, sizeof value);
            return value;
        }
    }
    fail_msg("there is no column %s", name);
    return "";
}

TEST(columns_hold_what_is_known, NULL) {
    RELEASED_BY(results_release) Results results = marked_results();
    Row *row = &results.rows[1];
    assert_string_equal(value_of("outliers_mild", row), "2");
    assert_string_equal(value_of("outliers_severe", row), "1");
    assert_string_equal(value_of("autocorrelation", row), "0.625");
    assert_string_equal(value_of("autocorrelated", row), "yes");
    assert_string_equal(value_of("multimodal", row), ""); /* 9 samples are too few */
    for (size_t i = 0; i < 3; i++) {
        assert_ok(samples_add(&row->kernel, 0.0005));
    }
    assert_string_equal(value_of("multimodal", row), "yes");
    assert_string_equal(value_of("exponent", row), "1.02");
    assert_string_equal(value_of("exponent_low", row), "0.996");
    assert_string_equal(value_of("exponent_high", row), "1.044");
    assert_string_equal(value_of("exponent", &results.rows[0]), "");
    assert_string_equal(value_of("autocorrelated", &results.rows[0]), "no");
    Row skipped = sample_row("simd");
    assert_string_equal(value_of("outliers_mild", &skipped), "");
    assert_string_equal(value_of("autocorrelated", &skipped), "");
}

static double number_at(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

TEST(json_has_keys_and_a_list_of_exponents) {
    RELEASED_BY(results_release) Results results = marked_results();
    assert_ok(report_json(test_path("results.json"), sample_record(), &results));
    char *text = test_read("results.json");
    cJSON *root = cJSON_Parse(text);
    const cJSON *entry =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(root, "benchmarks"), 1);
    assert_true(number_at(entry, "outliers_mild") == 2);
    assert_true(number_at(entry, "outliers_severe") == 1);
    assert_true(number_at(entry, "autocorrelation") == 0.625);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "autocorrelated")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "multimodal")));
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "complexity");
    assert_int_equal(cJSON_GetArraySize(list), 1);
    const cJSON *line = cJSON_GetArrayItem(list, 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "variant")),
                        "simd");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "item")),
                        "pixel");
    assert_true(number_at(line, "exponent") == 1.02);
    assert_true(number_at(line, "exponent_low") == 0.996);
    cJSON_Delete(root);
}

/* What a file says of its samples is not believed: it is looked at again. */
TEST(files_are_looked_at_again) {
    RELEASED_BY(results_release) Results results = marked_results();
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(report_json(test_path("results.json"), sample_record(), &results));
    assert_ok(stored_run_read(test_path("results.json"), &stored));
    results_derive(&stored.results, 1);
    const Row *row = &stored.results.rows[1];
    assert_int_equal(row->outliers_mild + row->outliers_severe, 0);
    assert_true(row->autocorrelation > 0.6); /* 9, 8, … 1 */
    assert_true(row->autocorrelated);
    assert_false(row->multimodal);
}

/* The sample file with an exponent of 0.98 in every row. */
static void write_with_exponents(const char *path) {
    char *text;
    size_t length;
    assert_ok(file_text_read(TEST_DATA "/results/sample-cpu-cuda.csv", "a text", SIZE_MAX, &text,
                             &length));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const bool heading = strncmp(line, "algorithm,", 10) == 0;
        const char *more = heading ? ",exponent,exponent_low,exponent_high" : ",0.98,0.9,1.1";
        fprintf(file, "%s%s\n", line, line[0] == '#' ? "" : more);
    }
    assert_int_equal(fclose(file), 0);
    free(text);
}

TEST(the_time_chart_names_exponents) {
    write_with_exponents(test_path("results.csv"));
    RELEASED_BY(close_charts) Charts charts = open_charts(test_path("results.csv"));
    const DocChart *time = built_chart(&charts, "lbp-meadow.jpg-time");
    assert_non_null(find_series(time, 0, "cuda_fast, n^0.98"));
    assert_non_null(find_series(time, 0, "cuda_tiled, n^0.98"));
    const DocChart *speedup = built_chart(&charts, "lbp-meadow.jpg-speedup");
    assert_non_null(find_series(speedup, 0, "cuda_fast"));
}
