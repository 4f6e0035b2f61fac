/* results.json: what Google Benchmark's tools read is there, and nothing that would mislead them.
 */
#include <cjson/cJSON.h>

#include "files.h"
#include "results.h"
#include "sample_results.h"
#include "test.h"

static cJSON *write_and_parse(const Results *results) {
    assert_ok(report_json(test_path("results.json"), sample_record(), results));
    char *text;
    size_t length;
    const Status read =
        file_text_read(test_path("results.json"), "a text", SIZE_MAX, &text, &length);
    assert_ok(read);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    free(text);
    return root;
}

static cJSON *sample_document(void) {
    RELEASED_BY(results_release) Results results = sample_results();
    cJSON *root = write_and_parse(&results);
    return root;
}

static const cJSON *get(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (item == NULL) {
        fail_msg("there is no key \"%s\"", key);
    }
    return item;
}

static double number(const cJSON *object, const char *key) {
    const cJSON *item = get(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *text(const cJSON *object, const char *key) {
    const cJSON *item = get(object, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

TEST(context_is_google_benchmarks) {
    cJSON *root = sample_document();
    const cJSON *context = get(root, "context");
    assert_string_equal(text(context, "date"), "2026-01-02T03:04:05Z");
    assert_string_equal(text(context, "host_name"), "tester");
    assert_string_equal(text(context, "executable"), "bench");
    assert_int_equal(number(context, "num_cpus"), 4);
    assert_int_equal(number(context, "mhz_per_cpu"), 3000);
    assert_true(cJSON_IsBool(get(context, "cpu_scaling_enabled")));
    assert_true(cJSON_IsBool(get(context, "aslr_enabled")));
    assert_true(cJSON_IsArray(get(context, "load_avg")));
    assert_true(strlen(text(context, "library_version")) > 0);
    assert_string_equal(text(context, "library_build_type")[0] == 'd' ? "debug" : "release",
                        text(context, "library_build_type"));
    assert_int_equal(number(context, "json_schema_version"), 1);
    const cJSON *cache = cJSON_GetArrayItem(get(context, "caches"), 0);
    assert_string_equal(text(cache, "type"), "Data");
    assert_int_equal(number(cache, "level"), 1);
    assert_int_equal(number(cache, "size"), 32768);
    assert_int_equal(number(cache, "num_sharing"), 2);
    cJSON_Delete(root);
}

TEST(our_facts_stand_in_the_context) {
    cJSON *root = sample_document();
    const cJSON *context = get(root, "context");
    assert_string_equal(text(get(context, "machine"), "cpu_model"), "Test CPU");
    assert_int_equal(cJSON_GetArraySize(get(context, "machine_identity")), 1);
    assert_string_equal(text(context, "arguments"), "--algo lbp --input 'my photo.png'");
    const cJSON *argv = cJSON_GetObjectItemCaseSensitive(context, "argv");
    assert_int_equal(cJSON_GetArraySize(argv), 4);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(argv, 3)), "my photo.png");
    assert_int_equal(number(context, "seed"), 7);
    assert_true(cJSON_GetNumberValue(get(context, "density")) == 0.25);
    assert_null(cJSON_GetObjectItemCaseSensitive(context, "timer_overhead_cuda_s"));
    cJSON_Delete(root);
}

/* compare.py: name, run_name, run_type, repetitions, real_time, cpu_time, time_unit;
 * github-action-benchmark (googlecpp): name, real_time, time_unit, iterations, cpu_time, threads;
 * Bencher (cpp_google): name, real_time, time_unit. */
TEST(entries_have_what_tools_read) {
    cJSON *root = sample_document();
    const cJSON *entry = cJSON_GetArrayItem(get(root, "benchmarks"), 0);
    assert_string_equal(text(entry, "name"), "lbp/seq/texture/tiny");
    assert_string_equal(text(entry, "run_name"), "lbp/seq/texture/tiny");
    assert_string_equal(text(entry, "run_type"), "iteration");
    assert_string_equal(text(entry, "time_unit"), "ns");
    assert_true(fabs(number(entry, "real_time") - 5.0e6) < 1e-6);
    assert_true(fabs(number(entry, "cpu_time") - 4.5e6) < 1e-6);
    assert_int_equal(number(entry, "iterations"), 18);
    assert_int_equal(number(entry, "repetitions"), 1);
    assert_int_equal(number(entry, "repetition_index"), 0);
    assert_int_equal(number(entry, "threads"), 1);
    assert_int_equal(number(entry, "family_index"), 0);
    assert_int_equal(number(entry, "per_family_instance_index"), 0);
    const cJSON *threaded = cJSON_GetArrayItem(get(root, "benchmarks"), 1);
    assert_string_equal(text(threaded, "name"), "lbp/omp/texture/tiny/threads:2");
    assert_int_equal(number(threaded, "threads"), 2);
    assert_int_equal(number(threaded, "family_index"), 1);
    cJSON_Delete(root);
}

TEST(samples_keep_their_order) {
    cJSON *root = sample_document();
    const cJSON *entry = cJSON_GetArrayItem(get(root, "benchmarks"), 0);
    const cJSON *samples = get(entry, "kernel_samples_s");
    assert_int_equal(cJSON_GetArraySize(samples), 9);
    assert_true(cJSON_GetArrayItem(samples, 0)->valuedouble == 9 * 0.001);
    assert_true(cJSON_GetArrayItem(get(entry, "end_to_end_samples_s"), 8)->valuedouble == 0.002);
    cJSON_Delete(root);
}

TEST(cells_without_a_time_are_no_entries) {
    Results results = sample_results();
    /* An ok cell that was not verified has no proof, one with a time of zero looks infinitely
     * fast: both belong to the failures. */
    Row unproven = measured_row("simd", 0.001);
    unproven.verified = false;
    Row zero = measured_row("simd", 0.0);
    assert_ok(results_add(&results, &unproven));
    assert_ok(results_add(&results, &zero));
    cJSON *root = write_and_parse(&results);
    results_release(&results);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, get(root, "benchmarks")) {
        assert_true(number(entry, "real_time") > 0.0);
        assert_null(strstr(text(entry, "name"), "simd"));
        assert_null(strstr(text(entry, "name"), "cuda"));
    }
    assert_int_equal(cJSON_GetArraySize(get(root, "benchmarks")), 2);
    assert_int_equal(cJSON_GetArraySize(get(root, "failures")), 3);
    const cJSON *failure = cJSON_GetArrayItem(get(root, "failures"), 0);
    assert_string_equal(text(failure, "error_message"), "codes differ at (1, 2)");
    assert_null(cJSON_GetObjectItemCaseSensitive(failure, "real_time"));
    const cJSON *skipped = cJSON_GetArrayItem(get(root, "skipped"), 0);
    assert_string_equal(text(skipped, "skip_message"), "needs 2 GiB, \"1 GiB\" free");
    cJSON_Delete(root);
}

TEST(what_was_not_measured_has_no_key) {
    cJSON *root = sample_document();
    const cJSON *entry = cJSON_GetArrayItem(get(root, "benchmarks"), 0);
    assert_null(cJSON_GetObjectItemCaseSensitive(entry, "joule"));
    assert_null(cJSON_GetObjectItemCaseSensitive(entry, "upload_s"));
    assert_true(number(entry, "speedup") == 2.5);
    cJSON_Delete(root);
}

TEST(sets_and_stages_have_keys) {
    static const Stage stages[] = {{"integral", NULL}, {"features", NULL}, {NULL, NULL}};
    Results results = sample_results();
    Variant staged = *results.rows[0].variant;
    staged.stages = stages;
    results.rows[0].variant = &staged;
    results.rows[0].images = 60000;
    results.rows[0].stage_seconds[0] = 0.125;
    results.rows[0].stage_seconds[1] = 0.25;
    cJSON *root = write_and_parse(&results);
    results_release(&results);
    const cJSON *entry = cJSON_GetArrayItem(get(root, "benchmarks"), 0);
    assert_int_equal(number(entry, "images"), 60000);
    assert_true(number(get(entry, "stages_s"), "integral") == 0.125);
    assert_true(number(get(entry, "stages_s"), "features") == 0.25);
    const cJSON *picture = cJSON_GetArrayItem(get(root, "benchmarks"), 1);
    assert_null(cJSON_GetObjectItemCaseSensitive(picture, "images"));
    assert_null(cJSON_GetObjectItemCaseSensitive(picture, "stages_s"));
    cJSON_Delete(root);
}

TEST(unwritable_target_is_a_file_error) {
    const Results none = {.rows = NULL};
    assert_int_equal(report_json(test_path("missing/results.json"), sample_record(), &none).code,
                     STATUS_FILE);
}
