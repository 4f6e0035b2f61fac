/* The table on the console: aligned, and saying what was not measured and why. */
#include "algorithm.h"
#include "list.h"
#include "markup.h"
#include "results.h"
#include "sample_results.h"
#include "spread_files.h"
#include "table.h"
#include "test.h"

/* What report_console prints. */
static char *printed(const RunRecord *record, const Results *results) {
    FILE *stream = test_stream();
    report_console(stream, record, results);
    return test_text(stream);
}

static char *printed_sample(void) {
    RELEASED_BY(results_release) Results results = sample_results();
    char *text = printed(sample_record(), &results);
    return text;
}

TEST(rows_show_times_and_ratios) {
    char *text = printed_sample();
    assert_says(text, "lbp on texture, hot caches");
    assert_says(text, "5.000");
    assert_says(text, "0.5000");
    assert_says(text, "threads:2");
    assert_says(text, "2.50×");
    assert_says(text, "yes");
}

TEST(base_is_named) {
    char *text = printed_sample();
    assert_says(text, "base: seq (1 thread)\n");
}

TEST(reasons_and_totals_are_listed) {
    char *text = printed_sample();
    assert_says(text, "Failed:\n  lbp/simd/texture/tiny: codes differ at (1, 2)\n");
    assert_says(text, "Skipped:\n  lbp/cuda_naive/texture/tiny: needs 2 GiB, \"1 GiB\" free\n");
    assert_says(text, "4 cells: 2 ok, 1 skipped, 1 failed\n");
}

TEST(same_reasons_are_told_once) {
    static const char *const variants[] = {"cuda_naive", "cuda_tiled", "cuda_tiled"};
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    for (size_t i = 0; i < 3; i++) {
        Row row = sample_row(variants[i]);
        snprintf(row.why, sizeof row.why, "no device");
        assert_ok(results_add(&results, &row));
    }
    char *text = printed(sample_record(), &results);
    assert_int_equal(count_of(text, "no device"), 1);
    assert_says(text, "3 cells: no device\n      lbp/cuda_naive (1), lbp/cuda_tiled (2)\n");
}

/* The first row has these samples, each of a launch of its own or all of one. */
static char *printed_with(const double *milliseconds, uint32_t count, bool of_launches) {
    RELEASED_BY(results_release) Results results = sample_results();
    Row *row = &results.rows[0];
    samples_release(&row->kernel);
    for (uint32_t i = 0; i < count; i++) {
        row->kernel.origin.launch = of_launches ? i : 0;
        assert_ok(samples_add(&row->kernel, milliseconds[i] * 1e-3));
    }
    assert_ok(summarize(&row->kernel, &row->kernel_summary));
    for (size_t i = 1; i < results.count; i++) {
        results.rows[i].kernel_summary.launches = row->kernel_summary.launches;
    }
    char *text = printed(sample_record(), &results);
    return text;
}

/* The first row takes 5 ms on one thread, the second 0.5 ms on two. */
static char *printed_on_machine(const LaunchSpread *spread, bool of_launches) {
    static Machine machine;
    RunRecord record = *sample_record();
    RELEASED_BY(results_release) Results results = sample_results();
    for (size_t i = 0; i < results.count && of_launches; i++) {
        Samples *samples = &results.rows[i].kernel;
        for (uint32_t sample = 0; sample < samples->count; sample++) {
            samples->origins[sample].launch = sample;
        }
        assert_ok(summarize(samples, &results.rows[i].kernel_summary));
    }
    machine = *record.machine;
    machine.spread = *spread;
    record.machine = &machine;
    char *text = printed(&record, &results);
    return text;
}

#define OF_MACHINE                                                                                 \
    "run to run: of launches of cells like these on this machine ('bench machine selftest "        \
    "--launches', "                                                                                \
    "2026-01-02); not in the interval\n"
#define UNKNOWN "run to run ?: not known; 'bench machine selftest --launches' measures it\n"

TEST(one_launch_has_the_spread_of_the_machine) {
    LaunchSpread spread = {.of = {{{0}}}};
    char *text = printed_on_machine(&spread, false);
    assert_int_equal(count_of(text, "  ?  "), 2);
    assert_null(strstr(text, "run to run: "));
    assert_says(text, UNKNOWN);
    launch_spread_add(&spread, 1, 5e-4, 0.77, 6); /* of another duration */
    launch_spread_add(&spread, 2, 5e-4, 0.123, 6);
    for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
        snprintf(spread.of[SPREAD_THREADS][decade].measured, SPREAD_DATE_SIZE,
                 "2026-01-02T03:04:05Z");
    }
    text = printed_on_machine(&spread, false);
    assert_int_equal(count_of(text, "  ?  "), 1);
    assert_int_equal(count_of(text, " 12% "), 1);
    assert_null(strstr(text, "77%"));
    assert_says(text, OF_MACHINE UNKNOWN);
    launch_spread_add(&spread, 1, 5e-3, 0.014, 6);
    snprintf(spread.of[SPREAD_ONE_THREAD][3].measured, SPREAD_DATE_SIZE, "2026-03-02T03:04:05Z");
    text = printed_on_machine(&spread, false);
    assert_int_equal(count_of(text, " 1.4% "), 1);
    assert_says(text, OF_MACHINE); /* the earlier of two days */
    assert_null(strstr(text, UNKNOWN));
    text = printed_on_machine(&spread, true); /* has a spread of its own, that of 1 … 9 */
    assert_int_equal(count_of(text, " 72% "), 2);
    assert_null(strstr(text, OF_MACHINE));
}

TEST(an_interval_says_what_it_rests_on) {
    const double one[] = {5.1, 4.9, 5.2, 4.8, 5.0, 5.3, 4.7};
    char *text = printed_with(one, 7, false); /* of seven independent samples: all */
    assert_says(text, " 95% in this run ");
    assert_says(text, " 4.700 to 5.300 ");
    assert_says(text, " ? ");
    const double six[] = {5.3, 4.9, 5.2, 5.4, 5.0, 5.1};
    text = printed_with(six, 6, true);
    assert_says(text, " 95% of 6 launches ");
    assert_says(text, " 4.900 to 5.400 ");
    assert_says(text, " 3.6% "); /* standard deviation of the logarithms: 0.03635 */
    assert_says(text, "run to run: standard deviation of the launches' logarithms\n");
    text = printed_with(six, 3, true);
    assert_says(text, " 3 launches ");
    assert_says(text, " 4.900 to 5.300 ");
    assert_null(strstr(text, "95%"));
}

TEST(rows_over_their_roof_are_marked_and_explained) {
    RELEASED_BY(results_release) Results results = sample_results();
    results.rows[0].roof_fraction = 1.5;
    results.rows[0].over_roof = results.rows[0].slow_phase = true;
    char *text = printed(sample_record(), &results);
    assert_says(text, "150.0%");
    assert_says(text, " ~> ");
    assert_says(text, "\n~ slow phase: ");
    assert_says(text, "\n> over the roof: ");
    results.rows[0].over_roof = false;
    text = printed(sample_record(), &results);
    assert_null(strstr(text, "over the roof"));
}

/* Features a second are what a study of features counts; pixels are bytes, and those stand beside.
 */
TEST(rates_of_other_items_have_a_column) {
    static const struct {
        double rate;
        const char *want;
    } rates[] = {{2.312e12, " 2.31 T "},
                 {23.12e9, " 23.1 G "},
                 {999.6e6, " 1.00 G "},
                 {231.2, " 231 "},
                 {1e20, " 100000 P "}};
    RELEASED_BY(results_release) Results results = sample_results();
    char *text = printed(sample_record(), &results);
    assert_null(strstr(text, "pixels/s"));
    Algorithm features = *results.rows[0].algorithm;
    features.item = "feature";
    for (size_t i = 0; i < results.count; i++) {
        results.rows[i].algorithm = &features;
    }
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        results.rows[0].items_per_second = rates[i].rate;
        text = printed(sample_record(), &results);
        assert_says(text, " features/s ");
        assert_says(text, rates[i].want);
    }
}

TEST(cut_off_runs_say_so) {
    RELEASED_BY(results_release) Results results = sample_results();
    RunRecord record = *sample_record();
    record.complete = false;
    record.planned = 10;
    char *text = printed(&record, &results);
    assert_says(text, "; incomplete, 10 were planned\n");
}

TEST(lines_are_aligned_without_trailing_blanks) {
    static const DocColumn columns[] = {
        {.title = "name"}, {.title = "x", .numeric = true}, {.title = "empty", .numeric = true}};
    TextTable table = text_table_start(columns, 3);
    text_table_put(&table, "a");
    text_table_put(&table, "%d×", 1);
    text_table_skip(&table);
    text_table_put(&table, "longer");
    text_table_put(&table, "%d×", 10);
    text_table_skip(&table);
    FILE *stream = test_stream();
    assert_string_equal(text_table_end(&table, stream, table_print).why, "");
    char *text = test_text(stream);
    assert_string_equal(text, "name      x\n"
                              "------  ---\n"
                              "a        1×\n"
                              "longer  10×\n");
}

/* Cells of a table have no greatest length; columns without a cell are left out. */
TEST(a_table_is_aligned_with_long_cells) {
    static const char name[] = "a name of more characters than a cell of a row of fixed size has";
    static const DocColumn columns[] = {
        {.title = "A", .group = "time", .numeric = true}, {.title = "none"}, {.title = "cell"}};
    static const char *const cells[] = {"10.5", "", name, "7", NULL, "b"};
    DocTable table = {.caption = NULL};
    void *memory = NULL;
    for (size_t i = 0; i < 3; i++) {
        assert_true(table_add_column(&memory, &table, &columns[i]));
    }
    for (size_t i = 0; i < 6; i++) {
        assert_true(table_add_cell(&memory, &table, &(DocCell){.text = cells[i]}));
    }
    FILE *stream = test_stream();
    table_print(stream, &table);
    char *text = test_text(stream);
    char want[512];
    char rule[sizeof name];
    memset(rule, '-', sizeof rule);
    rule[sizeof rule - 1] = '\0';
    snprintf(want, sizeof want, "time: A  cell\n-------  %s\n   10.5  %s\n      7  b\n", rule,
             name);
    assert_string_equal(text, want);
    owned_release(&memory);
}
