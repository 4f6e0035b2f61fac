/* Reading results.json back: everything that was written, or one clear reason why not. */
#include <cjson/cJSON.h>
#include <sys/stat.h>
#include <zlib.h>

#include "files.h"
#include "json.h"
#include "paths.h"
#include "results_internal.h"
#include "sample_results.h"
#include "status_checks.h"
#include "stored_run.h"
#include "test.h"
#include "variant.h"

static void write_sample(void) {
    RELEASED_BY(results_release) Results results = sample_results();
    assert_ok(report_json(test_path("run.json"), sample_record(), &results));
}

static void write_text(const char *name, const char *text, size_t length) {
    FILE *file = fopen(test_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

/* The file run.json with the first `from` replaced by `to`, as edited.json. */
static void edit(const char *from, const char *to) {
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path("run.json"), "a text", SIZE_MAX, &text, &length));
    const char *found = strstr(text, from);
    assert_non_null(found);
    FILE *file = fopen(test_path("edited.json"), "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(found - text), file);
    fputs(to, file);
    fputs(found + strlen(from), file);
    fclose(file);
    free(text);
}

static void write_edited(const char *from, const char *to) {
    write_sample();
    edit(from, to);
}

static void same_number(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void same_samples(const Samples *a, const Samples *b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(a->seconds[i] == b->seconds[i]);
    }
}

static void same_row(const Row *a, const Row *b) {
    assert_ptr_equal(a->algorithm, b->algorithm);
    assert_ptr_equal(a->variant, b->variant);
    assert_string_equal(a->input, b->input);
    assert_string_equal(a->size_name, b->size_name);
    assert_string_equal(a->why, b->why);
    assert_string_equal(a->base, b->base);
    assert_string_equal(a->verified_by, b->verified_by);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->images, b->images);
    for (size_t i = 0; i < STAGES_MAX; i++) {
        same_number(a->stage_seconds[i], b->stage_seconds[i]);
    }
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->batch, b->batch);
    assert_int_equal(a->held, b->held);
    assert_true(a->input_hash == b->input_hash && a->host_peak == b->host_peak);
    assert_true(a->verified == b->verified && a->converged == b->converged &&
                a->best_tuning == b->best_tuning && a->cold == b->cold);
    assert_int_equal(a->tuning.count, b->tuning.count);
    for (size_t i = 0; i < a->tuning.count; i++) {
        assert_ptr_equal(a->tuning.axes[i], b->tuning.axes[i]);
        assert_int_equal(a->tuning.values[i].number, b->tuning.values[i].number);
        assert_string_equal(a->tuning.values[i].text, b->tuning.values[i].text);
    }
    same_samples(&a->kernel, &b->kernel);
    same_samples(&a->end_to_end, &b->end_to_end);
    same_number(a->kernel_summary.median, b->kernel_summary.median);
    same_number(a->kernel_summary.ci_low, b->kernel_summary.ci_low);
    same_number(a->end_to_end_summary.stddev, b->end_to_end_summary.stddev);
    same_number(a->cost.operations, b->cost.operations);
    same_number(a->cpu_seconds, b->cpu_seconds);
    same_number(a->agreement, b->agreement);
    same_number(a->speedup, b->speedup);
    same_number(a->joule, b->joule);
    same_samples(&a->energy_samples, &b->energy_samples);
    same_number(a->energy_summary.ci_low, b->energy_summary.ci_low);
    same_number(a->idle_watt, b->idle_watt);
    same_number(a->ceiling_bandwidth, b->ceiling_bandwidth);
    same_number(a->ceiling_operations, b->ceiling_operations);
    assert_string_equal(a->bound, b->bound);
    assert_true(a->over_roof == b->over_roof);
    assert_string_equal(a->cost.operation != NULL ? a->cost.operation : "",
                        b->cost.operation != NULL ? b->cost.operation : "");
}

TEST(rows_come_back_in_their_order) {
    write_sample();
    RELEASED_BY(results_release) Results want = sample_results();
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    assert_int_equal(stored.results.count, want.count);
    for (size_t i = 0; i < want.count; i++) {
        same_row(&stored.results.rows[i], &want.rows[i]);
    }
    assert_int_equal(stored.ignored, 0);
}

TEST(the_run_comes_back) {
    write_sample();
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    assert_true(stored.complete);
    assert_int_equal(stored.arguments.argc, 4);
    assert_string_equal(stored.arguments.argv[3], "my photo.png");
    assert_false(stored.arguments_cut);
    assert_string_equal(stored.started, "2026-01-02T03:04:05Z");
    assert_true(stored.elapsed == 1.5);
    assert_ok(machine_same(&stored.machine, sample_record()->machine));
    assert_true(machine_fact(&stored.machine, "cpu_model")->identity);
    assert_true(machine_fact(&stored.machine, "memory_bytes")->number == 8589934592.0);
    assert_int_equal(stored.machine.cpu_count, 4);
    assert_int_equal(stored.machine.caches[0].size, 32768);
    assert_int_equal(stored.results.ceilings.count, 2);
    const Ceiling *memory = ceilings_find(&stored.results.ceilings, "copy_dram", 1);
    assert_true(memory->value == 20.5e9 && memory->working_set == 128e6);
    assert_int_equal(memory->kind, CEILING_BANDWIDTH);
    assert_true(ceilings_find(&stored.results.ceilings, "empty_kernel", 0)->value == 4.25e-6);
}

/* Where and when it was measured, as the ends of tables and charts say. */
TEST(a_stored_run_names_its_devices) {
    Machine machine = *sample_record()->machine;
    RunRecord record = *sample_record();
    Results results = sample_results();
    machine_add_text(&machine, "gpu_model", "Test GPU", true);
    record.machine = &machine;
    assert_ok(report_json(test_path("gpu.json"), &record, &results));
    results_release(&results);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("gpu.json"), &stored));
    assert_string_equal(stored.results.measured, "Test GPU; Test CPU, 4 threads; 2026-01-02");
}

/* NULL where no variant of this program has stages. */
static const Variant *find_staged(const Algorithm **algorithm) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        *algorithm = registry_algorithm(i);
        for (size_t j = 0; j < registry_variant_count(*algorithm); j++) {
            const Variant *variant = registry_variant(*algorithm, j);
            if (variant_stage_count(variant) > 1) {
                return variant;
            }
        }
    }
    return NULL;
}

/* Stages are distinguished by name: one that an earlier version had is passed over. */
TEST(sets_and_stages_come_back) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    StoredRun stored;
    Row row = measured_row("seq", 0.001);
    row.images = 60000;
    row.variant = find_staged(&row.algorithm);
    assert_non_null(row.variant);
    row.stage_seconds[0] = 0.1;
    row.stage_seconds[1] = 0.7;
    assert_ok(results_add(&results, &row));
    assert_ok(report_json(test_path("run.json"), sample_record(), &results));
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    same_row(&stored.results.rows[0], &row);
    stored_run_release(&stored);
    char key[64], edited[64];
    snprintf(key, sizeof key, "\"%s\":\t0.1", row.variant->stages[0].name);
    edit(key, "\"gone\":\t0.1");
    assert_ok(stored_run_read(test_path("edited.json"), &stored));
    assert_true(isnan(stored.results.rows[0].stage_seconds[0]));
    assert_true(stored.results.rows[0].stage_seconds[1] == 0.7);
    stored_run_release(&stored);
    snprintf(edited, sizeof edited, "\"%s\":\t\"0.1\"", row.variant->stages[0].name);
    edit(key, edited);
    assert_int_equal(stored_run_read(test_path("edited.json"), &stored).code, STATUS_FILE);
}

/* --- gzip ------------------------------------------------------------------------------------- */

/* One gzip member with these bytes, in memory; free it. */
static char *packed(const char *text, size_t length, size_t *size) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)length};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const uLong room = deflateBound(&stream, (uLong)length);
    char *bytes = malloc(room);
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *size = stream.total_out;
    deflateEnd(&stream);
    return bytes;
}

/* The sample, packed. */
static char *packed_sample(size_t *size) {
    char *text;
    size_t length;
    write_sample();
    assert_ok(file_text_read(test_path("run.json"), "a text", SIZE_MAX, &text, &length));
    char *bytes = packed(text, length, size);
    free(text);
    return bytes;
}

static void expect_refusal(const char *name, const char *because) {
    StoredRun stored;
    const Status status = stored_run_read(test_path(name), &stored);
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, name);
    assert_says(status.why, because);
    assert_null(strchr(status.why, '\n'));
    assert_int_equal(stored.results.count, 0);
}

/* By its bytes, whatever it is called. */
TEST(packed_runs_come_back) {
    static const char *const names[] = {"run.json.gz", "packed.json"};
    size_t size;
    char *bytes = packed_sample(&size);
    Results want = sample_results();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_text(names[i], bytes, size);
        RELEASED_BY(stored_run_release) StoredRun stored;
        assert_ok(stored_run_read(test_path(names[i]), &stored));
        assert_int_equal(stored.results.count, want.count);
        for (size_t r = 0; r < want.count; r++) {
            same_row(&stored.results.rows[r], &want.rows[r]);
        }
    }
    results_release(&want);
    free(bytes);
}

TEST(damaged_gzip_is_refused) {
    size_t size;
    char *bytes = packed_sample(&size);
    for (size_t cut = 2; cut < size; cut += 61) {
        write_text("cut.json.gz", bytes, cut);
        expect_refusal("cut.json.gz", "truncated: its gzip data end too early");
    }
    char *longer = malloc(size + 4);
    memcpy(longer, bytes, size);
    memcpy(longer + size, "more", 4);
    write_text("tail.json.gz", longer, size + 4);
    expect_refusal("tail.json.gz", "4 bytes that are not gzip follow");
    free(longer);
    bytes[size - 6] ^= 1; /* of the checksum */
    write_text("sum.json.gz", bytes, size);
    expect_refusal("sum.json.gz", "damaged gzip data");
    write_text("not.json.gz", "\x1f\x8bwords that zlib cannot read", 29);
    expect_refusal("not.json.gz", "damaged gzip data");
    free(bytes);
    bytes = packed("", 0, &size);
    write_text("empty.json.gz", bytes, size);
    expect_refusal("empty.json.gz", "is empty");
    free(bytes);
}

/* A megabyte of blanks and a number are a kilobyte of gzip. */
TEST(the_limit_is_of_the_unpacked_bytes) {
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH);
    memset(text, ' ', LENGTH);
    text[LENGTH - 1] = '7';
    size_t size;
    char *bytes = packed(text, LENGTH, &size);
    assert_true(size < 2048);
    write_text("bomb.json", bytes, size);
    cJSON *root;
    assert_ok(json_file_read(test_path("bomb.json"), "a text", LENGTH, &root));
    assert_true(cJSON_IsNumber(root) && root->valuedouble == 7);
    cJSON_Delete(root);
    const uint64_t limits[] = {LENGTH - 1, LENGTH / 2, 4096};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char want[64];
        snprintf(want, sizeof want, "unpacks to more than %d bytes; a text of", (int)limits[i]);
        assert_status(json_file_read(test_path("bomb.json"), "a text", limits[i], &root),
                      STATUS_FILE, want);
        assert_null(root);
    }
    free(bytes);
    free(text);
}

/* results.csv and what else is read as text: by the name that it has without .gz. */
TEST(packed_text_is_read_by_its_plain_name) {
    size_t size, length;
    char *bytes = packed("a,b\n", 4, &size);
    char *text;
    write_text("table.csv.gz", bytes, size);
    assert_ok(file_text_read(test_path("table.csv"), "a table", SIZE_MAX, &text, &length));
    assert_int_equal(length, 4);
    assert_string_equal(text, "a,b\n");
    free(text);
    write_text("table.csv", "c\n", 2);
    assert_ok(file_text_read(test_path("table.csv"), "a table", SIZE_MAX, &text, &length));
    assert_string_equal(text, "c\n");
    free(text);
    free(bytes);
}

static void expect_path(const char *run, const char *want) {
    char path[512];
    assert_ok(stored_run_path(run, path, sizeof path));
    assert_string_equal(path, want);
}

/* results.json before results.json.gz, which may have been left by who packed it; where there is
 * neither, the name to say is results.json. */
TEST(a_folder_has_its_plain_or_its_packed_file) {
    char folder[300], plain[320], gzip[324], path[512];
    snprintf(folder, sizeof folder, "%s/run", test_folder);
    snprintf(plain, sizeof plain, "%s/results.json", folder);
    snprintf(gzip, sizeof gzip, "%s.gz", plain);
    assert_int_equal(mkdir(folder, 0700), 0);
    expect_path(folder, plain);
    write_text("run/results.json.gz", "", 0);
    expect_path(folder, gzip);
    expect_path(gzip, gzip);
    expect_path(plain, plain);
    write_text("run/results.json", "", 0);
    expect_path(folder, plain);
    assert_int_equal(stored_run_path(folder, path, strlen(plain) + 3).code, STATUS_FILE);
    assert_int_equal(stored_run_path(plain, path, strlen(plain)).code, STATUS_FILE);
}

/* --- What is refused -------------------------------------------------------------------------- */

/* Wherever a file is cut off, the answer is one sentence and no results. */
TEST(truncated_files_are_refused) {
    write_sample();
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path("run.json"), "a text", SIZE_MAX, &text, &length));
    /* The last bytes are the brace and the newline; without the newline the file is whole. */
    for (size_t cut = 0; cut < length - 1; cut += 97) {
        write_text("cut.json", text, cut);
        StoredRun stored;
        assert_status(stored_run_read(test_path("cut.json"), &stored), STATUS_FILE, "cut.json");
        assert_int_equal(stored.results.count, 0);
    }
    free(text);
}

TEST(other_files_are_refused) {
    expect_refusal("none.json", "No such file");
    write_text("empty.json", "", 0);
    expect_refusal("empty.json", "empty");
    write_text("list.json", "[1, 2]", 6);
    expect_refusal("list.json", "context");
    const char google[] = "{\"context\":{\"json_schema_version\":1},"
                          "\"benchmarks\":[{\"name\":\"a\",\"real_time\":1}]}";
    write_text("google.json", google, strlen(google));
    expect_refusal("google.json", "failures");
    const char foreign[] = "{\"context\":{\"num_cpus\":2},\"benchmarks\":[]}";
    write_text("foreign.json", foreign, strlen(foreign));
    expect_refusal("foreign.json", "is of another program");
    write_text("results.csv", "algorithm,variant\n", 18);
    expect_refusal("results.csv", "a run is read from its results.json");
    write_edited("\"json_schema_version\":\t1", "\"json_schema_version\":\t2");
    expect_refusal("edited.json", "json_schema_version 2");
}

/* Its launches would count twice; of a measured cell that also failed nobody knows what holds. */
TEST(a_cell_that_is_there_twice_is_refused) {
    static const char *const lists[] = {"benchmarks", "failures"};
    write_sample();
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        cJSON *root = NULL;
        assert_ok(json_file_read(test_path("run.json"), "a run", SIZE_MAX, &root));
        const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, "benchmarks")->child;
        char want[256];
        snprintf(want, sizeof want, "\"%s\" is there twice; a cell has one entry",
                 json_text(entry, "name"));
        assert_true(cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(root, lists[i]),
                                         cJSON_Duplicate(entry, true)));
        char *text = cJSON_Print(root);
        write_text("twice.json", text, strlen(text));
        expect_refusal("twice.json", want);
        cJSON_free(text);
        cJSON_Delete(root);
    }
}

TEST(wrong_types_are_named) {
    write_edited("\"width\":\t4", "\"width\":\t-4");
    expect_refusal("edited.json", "\"width\"");
    write_edited("\"width\":\t4", "\"width\":\t4, \"images\":\t-1");
    expect_refusal("edited.json", "\"images\"");
    write_edited("\"width\":\t4", "\"width\":\t4, \"stages_s\":\t[1]");
    expect_refusal("edited.json", "\"stages_s\"");
    write_edited("\"verified\":\ttrue", "\"verified\":\t1");
    expect_refusal("edited.json", "\"verified\"");
    write_edited("\"kernel_samples_s\":\t[", "\"kernel_samples_s\":\t[\"x\", ");
    expect_refusal("edited.json", "\"kernel_samples_s\"");
    write_edited("\"speedup\":\t2.5", "\"speedup\":\t\"fast\"");
    expect_refusal("edited.json", "\"speedup\"");
}

/* edited.json is run.json with this value, as JSON has it, for a key of its first cell. */
static void write_value(const char *key, const char *value) {
    cJSON *root;
    write_sample();
    assert_ok(json_file_read(test_path("run.json"), "a run", SIZE_MAX, &root));
    cJSON *cell = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "benchmarks"), 0);
    cJSON_DeleteItemFromObject(cell, key);
    assert_true(cJSON_AddItemToObject(cell, key, cJSON_CreateRaw(value)));
    char *text = cJSON_Print(root);
    write_text("edited.json", text, strlen(text));
    cJSON_free(text);
    cJSON_Delete(root);
}

static void expect_impossible(const char *key, const char *value) {
    char want[128];
    snprintf(want, sizeof want, "\"lbp/seq/texture/tiny\" of \"benchmarks\" has no valid \"%s\"",
             key);
    write_value(key, value);
    expect_refusal("edited.json", want);
}

/* Of a cell with stages, which the sample has none of. */
static void expect_impossible_stage(const char *value) {
    Results results = {.rows = NULL};
    Row row = measured_row("seq", 0.001);
    char key[64], edited[64];
    row.variant = find_staged(&row.algorithm);
    row.stage_seconds[0] = 0.1;
    assert_ok(results_add(&results, &row));
    assert_ok(report_json(test_path("run.json"), sample_record(), &results));
    results_release(&results);
    snprintf(key, sizeof key, "\"%s\":\t0.1", row.variant->stages[0].name);
    snprintf(edited, sizeof edited, "\"%s\":\t%s", row.variant->stages[0].name, value);
    edit(key, edited);
    expect_refusal("edited.json", "has no valid \"stages_s\"");
}

/* Whoever reads a file goes by the ends of keys, the program by what row.def says. */
TEST(keys_end_in_their_unit) {
    for (size_t i = 0; i < row_field_count; i++) {
        const RowKey *key = &row_fields[i].json;
        const bool number = key->name != NULL && row_fields[i].kind != ROW_TEXT;
        assert_int_equal(key->quantity, !number                      ? QUANTITY_OTHER
                                        : text_ends(key->name, "_s") ? QUANTITY_SECONDS
                                        : text_ends(key->name, "_c") ? QUANTITY_CELSIUS
                                                                     : QUANTITY_OTHER);
    }
}

/* The cell has samples of 1 to 9 ms, in one turn of one launch. */
TEST(impossible_numbers_are_refused_by_name) {
    static const char *const times[] = {"-1",    "0",   "1e308",     "1e7",
                                        "1e999", "NaN", "-Infinity", "\"1\""};
    static const char *const keys[] = {"kernel_median_s", "kernel_min_s", "kernel_ci_high_s",
                                       "end_to_end_median_s", "with_alloc_s"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char list[64];
        snprintf(list, sizeof list, "[1, 2, 3, 4, 5, 6, 7, 8, %s]", times[i]);
        expect_impossible("kernel_samples_s", list);
        expect_impossible("end_to_end_samples_s", list);
        for (size_t j = 0; j < sizeof keys / sizeof keys[0]; j++) {
            expect_impossible(keys[j], times[i]);
        }
    }
    static const char *const numbers[] = {"upload_s",  "cpu_s",           "roof_s",
                                          "speedup",   "joule",           "cost_bytes",
                                          "agreement", "clock_mhz_after", "kernel_stddev_s"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        expect_impossible(numbers[i], "-1");
        expect_impossible(numbers[i], "1e31");
        expect_impossible(numbers[i], "1e999");
        expect_impossible(numbers[i], "NaN");
    }
    expect_impossible("upload_s", "1e7");
    static const char *const stages[] = {"-1", "1e7", "NaN", "\"1\""};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        expect_impossible_stage(stages[i]);
    }
    expect_impossible("batch", "-1");
    expect_impossible("batch", "0.5");
}

TEST(numbers_that_contradict_the_samples_are_refused) {
    expect_impossible("kernel_samples", "8");
    expect_impossible("end_to_end_samples", "10");
    expect_impossible("launches", "2");
    expect_impossible("kernel_median_s", "0.0091");
    expect_impossible("kernel_min_s", "0.0009");
    expect_impossible("kernel_launch_high_s", "0.01");
    expect_impossible("kernel_samples_s", "[]");
    expect_impossible("kernel_samples_s", "0.005");
    write_value("verified", "false");
    expect_refusal("edited.json", "has no valid \"verified\": a measured cell is verified");
    static const char *const turns[] = {"[[0, 0, 8]]",
                                        "[[0, 0, 10]]",
                                        "[[0, 0, 9], [0, 1, 1e8]]",
                                        "[[64, 0, 9]]",
                                        "[[1, 0, 4], [0, 1, 5]]",
                                        "[[-1, 0, 9]]",
                                        "[[0, 0, 8.5], [0, 1, 0.5]]",
                                        "[[0, 0]]",
                                        "[9]"};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        write_value("kernel_turns", turns[i]);
        expect_refusal("edited.json", "has no valid \"kernel_samples_s\": its turns are");
    }
    write_value("launch", "64"); /* the entry is one of a launch then */
    expect_refusal("edited.json", "has no valid \"launch\"");
    write_edited("\"elapsed_s\":\t1.5", "\"elapsed_s\":\t-1");
    expect_refusal("edited.json", "\"elapsed_s\"");
}

/* Facts that nothing can be: they are as if they were not there. */
TEST(impossible_facts_are_none) {
    static const char *const values[] = {"1e300", "-1e300", "1e999"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"machine\": {\"cpu_model\": \"X\", \"cpu_count\": %s, \"memory_bytes\": 8},"
                 " \"launch_spread\": [{\"processor\": \"one thread\", \"from_s\": 0, "
                 "\"spread\": %s, \"cells\": 9, \"degrees_of_freedom\": 9}], "
                 "\"num_cpus\": %s}",
                 values[i], values[i], values[i]);
        cJSON *context = cJSON_Parse(text);
        assert_non_null(context);
        Machine machine = {.count = 0};
        machine_json_read(context, &machine);
        assert_int_equal(machine.count, 2);
        assert_string_equal(machine_text(&machine, "cpu_model"), "X");
        assert_null(machine_fact(&machine, "cpu_count"));
        assert_int_equal(machine.spread.of[SPREAD_ONE_THREAD][0].degrees, 0);
        assert_true(json_number_or(context, "num_cpus", 2) == 2);
        cJSON_Delete(context);
    }
}

/* Colder than ice, and longer than the samples' time: these are no contradictions. */
TEST(odd_numbers_are_possible) {
    static const char *const odd[][2] = {{"temperature_after_c", "-3"},
                                         {"upload_s", "0"},
                                         {"kernel_stddev_s", "0"},
                                         {"kernel_median_s", "0.0090000000001"},
                                         {"kernel_turns", "[[0, 0, 4], [0, 1, 5]]"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        RELEASED_BY(stored_run_release) StoredRun stored;
        write_value(odd[i][0], odd[i][1]);
        assert_ok(stored_run_read(test_path("edited.json"), &stored));
    }
}

/* --- Committed runs --------------------------------------------------------------------------- */

static size_t committed;

/* Both files of a run, whatever is wrong with others. */
static void read_committed(const char *folder) {
    char path[ATOMIC_FILE_PATH_SIZE];
    StoredRun stored;
    Results results;
    size_t ignored;
    Status status = stored_run_in(folder, path, sizeof path);
    if (!status_is_ok(&status) || access(path, F_OK) != 0) {
        return;
    }
    status = stored_run_read(path, &stored);
    assert_ok(status);
    assert_ok(path_in(folder, "results.csv", path, sizeof path));
    status = results_csv_read(path, &results, &ignored);
    assert_ok(status);
    assert_int_equal(results.count + ignored, stored.results.count + stored.ignored);
    results_release(&results);
    stored_run_release(&stored);
    committed++;
}

static void walk(const char *folder, int depth) {
    RELEASED_BY(folder_list_release) FolderList list = {.count = 0};
    const Status status = folder_list(folder, NULL, &list);
    read_committed(folder);
    for (size_t i = 0; depth > 0 && status_is_ok(&status) && i < list.count; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        const char *name = list.entries[i]->d_name;
        assert_ok(path_in(folder, name, path, sizeof path));
        if (name[0] != '.' && folder_exists(path)) {
            walk(path, depth - 1);
        }
    }
}

TEST(every_committed_run_is_read) {
    walk(BENCH_SOURCE_DIR "/reports/results", 8);
    assert_true(committed > 40);
}

TEST(what_no_longer_exists_is_counted) {
    static const char *const edits[][2] = {
        {"\"algorithm\":\t\"lbp\"", "\"algorithm\":\t\"gone\""},
        {"\"variant\":\t\"omp\"", "\"variant\":\t\"gone\""},
        {"\"threads\":\t2\n", "\"gone\":\t2\n"},
        {"\"threads\":\t2\n", "\"threads\":\t2, \"threads\":\t4\n"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        write_edited(edits[i][0], edits[i][1]);
        RELEASED_BY(stored_run_release) StoredRun stored;
        assert_ok(stored_run_read(test_path("edited.json"), &stored));
        assert_int_equal(stored.ignored, 1);
        assert_int_equal(stored.results.count, 3);
    }
}
