/* results.csv: the order of its columns, what stands in them, and how it is read back. */
#include "algorithm.h"
#include "command_line.h"
#include "csv.h"
#include "files.h"
#include "needs.h"
#include "number.h"
#include "results.h"
#include "results_internal.h"
#include "sample_results.h"
#include "status_checks.h"
#include "test.h"

/* The design's list, word by word: readers of old files rely on it. */
static const char *const fixed_columns[] = {
    "algorithm",
    "variant",
    "backend",
    "input",
    "size",
    "width",
    "height",
    "answer",
    "tuning",
    "threads",
    "status",
    "why",
    "verified",
    "agreement",
    "samples",
    "converged",
    "kernel_ms_min",
    "kernel_ms_p25",
    "kernel_ms_median",
    "kernel_ms_p75",
    "kernel_ms_p99",
    "kernel_ms_ci_low",
    "kernel_ms_ci_high",
    "upload_ms",
    "download_ms",
    "end_to_end_ms",
    "with_alloc_ms",
    "mpixel_s",
    "gb_s",
    "roof",
    "roof_pct",
    "base",
    "base_ms",
    "speedup",
    "speedup_ci_low",
    "speedup_ci_high",
    "speedup_end_to_end",
    "best_cpu",
    "speedup_vs_best_cpu",
    "joule",
    "mode",
    "device",
};

TEST(first_columns_are_the_fixed_ones) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    const size_t fixed = sizeof fixed_columns / sizeof fixed_columns[0];
    assert_true(count >= fixed);
    for (size_t i = 0; i < fixed; i++) {
        assert_string_equal(columns[i].name, fixed_columns[i]);
    }
}

TEST(every_column_is_explained_once) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(columns[i].place, i + 1); /* row.def gives each place once */
        assert_true(strlen(columns[i].meaning) > 0);
        assert_non_null(columns[i].unit);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(columns[i].name, columns[j].name);
        }
    }
}

typedef struct File {
    char *text, *cursor;
    CsvRecord header, record;
} File;

static File write_sample(void) {
    Results results = sample_results();
    assert_ok(report_csv(test_path("results.csv"), sample_record(), &results));
    results_release(&results);
    File file;
    size_t length;
    assert_ok(file_text_read(test_path("results.csv"), "a text", SIZE_MAX, &file.text, &length));
    return file;
}

static void next(File *file) {
    assert_true(csv_next_record(&file->cursor, &file->record));
    assert_int_equal(file->record.count, file->header.count);
}

static const char *value(const File *file, const char *column) {
    return csv_field(&file->record, csv_field_index(&file->header, column));
}

/* Every column of an interval is that of another column, which knows it. */
TEST(columns_of_intervals_are_known) {
    size_t count, named = 0, known = 0;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        const SeriesColumn of = csv_column_series(&columns[i]);
        named += strstr(columns[i].name, "_ci_low") != NULL;
        if (of.number == SERIES_NONE && of.low != NULL) {
            char low[64], high[64];
            snprintf(low, sizeof low, "%s_ci_low", columns[i].name);
            snprintf(high, sizeof high, "%s_ci_high", columns[i].name);
            assert_string_equal(of.low->name, low);
            assert_string_equal(of.high->name, high);
        }
        known += of.number == SERIES_NONE || of.number == SERIES_MEDIAN ? of.low != NULL : 0;
    }
    assert_int_equal(known, named);
}

/* What studies read besides a time: the same column for every number of its samples. */
TEST(columns_of_times_are_of_samples) {
    static const struct {
        const char *name, *median;
        SeriesNumber number;
        size_t samples; /* offset within Row */
    } known[] = {{"kernel_ms_median", "kernel_ms_median", SERIES_MEDIAN, offsetof(Row, kernel)},
                 {"kernel_ms_mean", "kernel_ms_median", SERIES_MEAN, offsetof(Row, kernel)},
                 {"kernel_ms_min", "kernel_ms_median", SERIES_LEAST, offsetof(Row, kernel)},
                 {"end_to_end_ms", "end_to_end_ms", SERIES_MEDIAN, offsetof(Row, end_to_end)},
                 {"resident_ms_min", "end_to_end_ms", SERIES_LEAST, offsetof(Row, end_to_end)},
                 {"with_alloc_ms", "with_alloc_ms", SERIES_MEDIAN, offsetof(Row, with_alloc)},
                 {"with_alloc_ms_mean", "with_alloc_ms", SERIES_MEAN, offsetof(Row, with_alloc)}};
    double seconds = 1;
    const Samples one = {.seconds = &seconds, .count = 1};
    const Row row = {.kernel = one, .end_to_end = one, .with_alloc = one};
    size_t count, times = 0;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        times += csv_column_series(&columns[i]).number != SERIES_NONE;
    }
    assert_int_equal(times, sizeof known / sizeof known[0]);
    for (size_t i = 0; i < times; i++) {
        char name[64];
        const SeriesColumn column = csv_column_series(csv_column_find(known[i].name));
        assert_int_equal(column.number, known[i].number);
        assert_string_equal(column.median->name, known[i].median);
        snprintf(name, sizeof name, "%.*s_ci_high",
                 (int)(strstr(known[i].median, "_ms") + 3 - known[i].median), known[i].median);
        assert_string_equal(column.high->name, name);
        assert_ptr_equal(series_column_samples(&column, &row),
                         (const char *)&row + known[i].samples);
        assert_null(series_column_samples(&column, &(Row){.width = 1}));
    }
    assert_int_equal(csv_column_series(NULL).number, SERIES_NONE);
    assert_string_equal(csv_column_at(offsetof(Row, why))->name, "why");
    assert_null(csv_column_series(csv_column_find("why")).low);
    assert_null(csv_column_at(offsetof(Row, kernel)));
}

TEST(columns_of_times_are_in_milliseconds) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(columns[i].time, strcmp(columns[i].unit, "ms") == 0);
        assert_int_equal(columns[i].time, strstr(columns[i].name, "_ms") != NULL);
    }
}

TEST(values_are_in_the_units_of_the_table) {
    File file = write_sample();
    file.cursor = file.text;
    assert_true(csv_next_record(&file.cursor, &file.header));
    next(&file);
    assert_string_equal(value(&file, "variant"), "seq");
    assert_string_equal(value(&file, "status"), "ok");
    assert_string_equal(value(&file, "samples"), "9");
    assert_string_equal(value(&file, "kernel_ms_min"), "1");
    assert_string_equal(value(&file, "kernel_ms_median"), "5");
    assert_string_equal(value(&file, "end_to_end_ms"), "10");
    assert_string_equal(value(&file, "host_mib"), "3");
    assert_string_equal(value(&file, "input_hash"), "fedcba9876543210");
    assert_string_equal(value(&file, "mode"), "hot");
    assert_string_equal(value(&file, "bound"), "dram");
    assert_string_equal(value(&file, "ceiling_gb_s"), "20");
    assert_string_equal(value(&file, "ceiling_gop_s"), "50");
    assert_string_equal(value(&file, "operations"), "96");
    assert_string_equal(value(&file, "bytes"), "24");
    assert_string_equal(value(&file, "over_roof"), "");        /* there is no roof */
    assert_string_equal(value(&file, "resident_ms_min"), "1"); /* nothing is fetched */
    free(file.text);
}

static void expect_column(const Row *row, const char *column, const char *want) {
    char text[CSV_VALUE_SIZE] = "no such column";
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, column) == 0) {
            csv_column_value(&columns[i], row, text, sizeof text);
        }
    }
    assert_string_equal(text, want);
}

TEST(what_is_fetched_counts_where_the_input_stays) {
    RELEASED_BY(row_release) Row row = measured_row("cuda_fast", 1e-3);
    row.download = 0.25e-3;
    expect_column(&row, "resident_ms_min", "1.25");
    row.with_alloc_summary.mean = 2e-3;
    expect_column(&row, "with_alloc_ms_mean", "2");
}

TEST(sets_have_a_number_of_images) {
    Row row = sample_row("seq");
    expect_column(&row, "images", "");
    row.images = 60000;
    expect_column(&row, "images", "60000");
}

/* The times of stages that were not measured are left out, and so are their names. */
TEST(stages_are_named_with_their_times) {
    static const Stage stages[] = {
        {"integral", NULL}, {"features", NULL}, {"append", NULL}, {NULL, NULL}};
    Row row = sample_row("seq");
    Variant staged = *row.variant;
    staged.stages = stages;
    row.stage_seconds[0] = 0.512e-3;
    row.stage_seconds[1] = 8.13e-3;
    expect_column(&row, "stages_ms", "");
    row.variant = &staged;
    expect_column(&row, "stages_ms", "integral:0.512,features:8.13");
    row.stage_seconds[2] = 2;
    expect_column(&row, "stages_ms", "integral:0.512,features:8.13,append:2000");
}

/* What an accelerator reaches in features a second, with every digit of a whole number. */
TEST(rates_of_other_items_are_no_pixels) {
    RELEASED_BY(row_release) Row row = measured_row("seq", 1e-3);
    Algorithm features = *row.algorithm;
    features.item = "feature";
    row.algorithm = &features;
    row.items_per_second = 2.25e12;
    row.joule = 2;
    expect_column(&row, "item", "feature");
    expect_column(&row, "items_per_second", "2250000000000");
    expect_column(&row, "mpixel_s", "");
    expect_column(&row, "mpixel_per_joule", "");
}

TEST(what_was_not_measured_is_empty) {
    File file = write_sample();
    file.cursor = file.text;
    assert_true(csv_next_record(&file.cursor, &file.header));
    next(&file);
    static const char *const empty[] = {"upload_ms", "joule", "roof", "roof_pct", "device_mib"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        assert_string_equal(value(&file, empty[i]), "");
    }
    next(&file);
    assert_string_equal(value(&file, "kernel_ms_median"), "");
    assert_string_equal(value(&file, "converged"), "");
    assert_string_equal(value(&file, "agreement"), "");
    free(file.text);
}

TEST(quotes_and_commas_survive) {
    File file = write_sample();
    assert_says(file.text, ",\"needs 2 GiB, \"\"1 GiB\"\" free\",");
    file.cursor = file.text;
    assert_true(csv_next_record(&file.cursor, &file.header));
    next(&file);
    next(&file);
    assert_string_equal(value(&file, "why"), "needs 2 GiB, \"1 GiB\" free");
    next(&file);
    next(&file);
    assert_string_equal(value(&file, "tuning"), "threads:2");
    assert_false(csv_next_record(&file.cursor, &file.record));
    free(file.text);
}

/* Some reader would cut each of these; tests/readers asks pandas and R. */
TEST(fields_that_are_cut_elsewhere_are_in_quotes) {
    static const char *const quoted[] = {"#1",   "a#1.pgm", "a,b",  "a;b",    "it's",
                                         "a\tb", "a\nb",    "a\rb", "a\n#b,c"};
    static const char *const plain[] = {"a.pgm", "=1+2", "+1", "-1", "@x", " a ", "a\\b"};
    for (size_t i = 0; i < sizeof quoted / sizeof quoted[0] + sizeof plain / sizeof plain[0]; i++) {
        const bool in_quotes = i < sizeof quoted / sizeof quoted[0];
        const char *value = in_quotes ? quoted[i] : plain[i - sizeof quoted / sizeof quoted[0]];
        char text[64] = {0}, want[64];
        FILE *stream = fmemopen(text, sizeof text, "w");
        csv_write_field(stream, value);
        fclose(stream);
        snprintf(want, sizeof want, in_quotes ? "\"%s\"" : "%s", value);
        assert_string_equal(text, want);
        char *cursor = text;
        CsvRecord record;
        assert_true(csv_next_record(&cursor, &record));
        assert_int_equal(record.count, 1);
        assert_string_equal(csv_field(&record, 0), value);
    }
}

TEST(comments_say_where_it_was_measured) {
    File file = write_sample();
    assert_says(file.text, "# cpu_model: Test CPU\n");
    assert_says(file.text, "# memory_bytes: 8589934592\n");
    assert_says(file.text, "# arguments: --algo lbp --input 'my photo.png'\n");
    assert_says(file.text, "\n# ceiling copy_dram/threads:1: 20.5 GB/s\n");
    assert_says(file.text, "\n# ceiling empty_kernel: 4.25 µs\n");
    assert_true(strstr(file.text, "\nalgorithm,variant,") > strstr(file.text, "# cpu_model"));
    free(file.text);
}

TEST(records_are_read_with_any_line_ending) {
    char text[] = "# note\r\n\r\na,\"b \"\"c\"\"\",\r\n\"x\ny\",,z";
    char *cursor = text;
    CsvRecord record;
    assert_true(csv_next_record(&cursor, &record));
    assert_int_equal(record.count, 3);
    assert_string_equal(record.fields[1], "b \"c\"");
    assert_string_equal(record.fields[2], "");
    assert_true(csv_next_record(&cursor, &record));
    assert_int_equal(record.count, 3);
    assert_string_equal(record.fields[0], "x\ny");
    assert_string_equal(record.fields[2], "z");
    assert_false(csv_next_record(&cursor, &record));
}

TEST(unwritable_target_leaves_nothing) {
    const Results none = {.rows = NULL};
    const char *path = test_path("missing/results.csv");
    assert_status(report_csv(path, sample_record(), &none), STATUS_FILE, path);
    const Status folder = report_csv(test_folder, sample_record(), &none);
    assert_int_equal(folder.code, STATUS_FILE);
}

TEST(full_device_is_an_error) {
    if (access("/dev/full", W_OK) != 0) {
        skip_needing("/dev/full", NULL);
    }
    RELEASED_BY(results_release) Results results = sample_results();
    const Status status = report_csv("/dev/full", sample_record(), &results);
    assert_int_equal(status.code, STATUS_FILE);
}

TEST(part_file_is_gone_after_writing) {
    File file = write_sample();
    free(file.text);
    assert_int_not_equal(access(test_path("results.csv.part"), F_OK), 0);
}

TEST(numbers_are_short_and_exact_enough) {
    char text[64];
    number_text(8589934593.0, text, sizeof text);
    assert_string_equal(text, "8589934593");
    number_text(0.1 + 0.2, text, sizeof text);
    assert_string_equal(text, "0.3");
    number_text((double)INFINITY, text, sizeof text);
    assert_string_equal(text, "");
}

TEST(command_line_can_be_pasted) {
    char *argv[] = {"--input", "it's.png", "", NULL};
    const ArgumentList list = {.argc = 3, .argv = argv};
    char text[COMMAND_LINE_SIZE];
    command_line_text(&list, text, sizeof text);
    assert_string_equal(text, "--input 'it'\\''s.png' ''");
}
