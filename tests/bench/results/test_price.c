/* Costs and joules of results, by hand. */
#include "price.h"
#include "results.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"

TEST(prices_are_of_both_sides) {
    static const char *const wrong[] = {"",
                                        "gpu=3",
                                        "3.2,0.8",
                                        "gpu=3.2,cpu=0",
                                        "gpu=-1,cpu=1",
                                        "gpu=nan,cpu=1",
                                        "gpu=inf,cpu=1",
                                        "gpu=3,cpu=1x",
                                        "gpu=3,gpu=2,cpu=1",
                                        "gpu=3,cpu=1,tpu=2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Prices prices = {.gpu = 0};
        const Status status = prices_parse(wrong[i], &prices);
        if (status.code != STATUS_USAGE || prices_given(&prices)) {
            fail_msg("'%s' was taken", wrong[i]);
        }
    }
    Prices prices;
    assert_ok(prices_parse("cpu=0.8,gpu=3.2", &prices));
    assert_true(prices.gpu == 3.2 && prices.cpu == 0.8);
}

static void set_times(Samples *samples, Summary *summary, double seconds) {
    samples->count = 0;
    for (int i = 0; i < 9; i++) {
        assert_ok(samples_add(samples, seconds));
    }
    assert_ok(summarize(samples, summary));
}

/* Adds a cell of a square image; `whole` is its time end to end. */
static void add_cell(Results *results, const char *variant, int side, double seconds, double whole,
                     double joule) {
    Row row = measured_row(variant, seconds);
    row.width = row.height = side;
    snprintf(row.size_name, sizeof row.size_name, "%d", side);
    row.joule = joule;
    set_times(&row.kernel, &row.kernel_summary, seconds);
    set_times(&row.end_to_end, &row.end_to_end_summary, whole);
    assert_ok(results_add(results, &row));
}

/* At 100 the CPU takes 1 ms and the GPU 0.5; at 400 the CPU 16 ms and the GPU 1. An hour costs 0.36
 * and 3.6, so ten times as much: a million runs cost 0.1 and 0.5, and then 1.6 and 1. */
static Results two_sizes(void) {
    Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 1e-3, 1e-3, 0.004);
    add_cell(&results, "cuda_fast", 100, 0.5e-3, 2e-3, 0.002);
    add_cell(&results, "seq", 400, 16e-3, 16e-3, 0.064);
    add_cell(&results, "cuda_naive", 400, 2e-3, 9e-3, 0.001);
    add_cell(&results, "cuda_fast", 400, 1e-3, 8e-3, 0.016);
    results_derive(&results, 1);
    return results;
}

static const Prices prices = {.gpu = 3.6, .cpu = 0.36};

static bool is_about(double value, double wanted) {
    return fabs(value - wanted) < 1e-9 * fabs(wanted);
}

TEST(costs_are_times_at_prices) {
    RELEASED_BY(results_release) Results results = two_sizes();
    const Costs small = costs_of(&results, &results.rows[0], &prices);
    assert_true(is_about(small.cpu_cost, 1e-7));
    assert_true(is_about(small.gpu_cost[TIME_KERNEL], 5e-7));
    assert_true(is_about(small.cheaper[TIME_KERNEL].value, 0.2));
    assert_true(is_about(small.saves.value, 2));
    const Costs large = costs_of(&results, &results.rows[2], &prices);
    assert_true(is_about(large.cpu_cost, 1.6e-6));
    assert_true(is_about(large.gpu_cost[TIME_KERNEL], 1e-6));
    assert_true(is_about(large.cheaper[TIME_KERNEL].value, 1.6));
    assert_true(is_about(large.gpu_cost[TIME_END_TO_END], 8e-6));
    assert_true(is_about(large.cheaper[TIME_END_TO_END].value, 0.2));
    /* The thriftiest is not the fastest. */
    assert_string_equal(large.thrifty_gpu->variant->name, "cuda_naive");
    assert_string_equal(large.gpu[TIME_KERNEL]->variant->name, "cuda_fast");
    assert_true(is_about(large.saves.value, 64));
}

/* The ratio of costs goes from 1/5 at 100² pixels to 8/5 at 400². */
TEST(sentences_say_from_what_size_on) {
    RELEASED_BY(results_release) Results results = two_sizes();
    char text[1024];
    cost_sentence(&results, &results.rows[0], &prices, COST_KERNEL, text, sizeof text);
    assert_string_equal(text, "Cost of the kernel: the GPU (cuda_fast) is 1.60× cheaper than the "
                              "CPU (seq) at 400×400; cheaper from 400×400 on.");
    cost_sentence(&results, &results.rows[0], &prices, COST_END_TO_END, text, sizeof text);
    assert_string_equal(text, "Cost with copies: the GPU (cuda_fast) is "
                              "5.00× dearer than the CPU (seq) at 400×400; cheaper at no size.");
    cost_sentence(&results, &results.rows[0], &prices, COST_JOULES, text, sizeof text);
    assert_string_equal(text, "Energy of the kernel: the GPU (cuda_naive) takes 64.0× less (58.2 "
                              "to 70.4) than the CPU (seq) at 400×400; less at every size.");
    const Prices none = {.gpu = 0};
    cost_sentence(&results, &results.rows[0], &none, COST_KERNEL, text, sizeof text);
    assert_string_equal(text, "");
}

/* Costs differ where their times do; joules, of one measurement each, beyond 10%. */
TEST(costs_that_intervals_do_not_tell_apart_have_no_order) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 1e-3, 1e-3, 0.004);
    add_cell(&results, "cuda_fast", 100, 0.9e-3, 2e-3, 0.0038);
    results_derive(&results, 1);
    Row *gpu = &results.rows[1];
    gpu->won_kernel.low = 0.7;
    gpu->won_kernel.high = 1.6;
    const Prices even = {.gpu = 1, .cpu = 1};
    char text[1024];
    cost_sentence(&results, &results.rows[0], &even, COST_KERNEL, text, sizeof text);
    assert_string_equal(text, "Cost of the kernel: the GPU (cuda_fast) is undecided (0.700 to "
                              "1.60 in this run) against the CPU (seq) at 100×100.");
    gpu->won_kernel.low = 0.97;
    gpu->won_kernel.high = 1.04;
    cost_sentence(&results, &results.rows[0], &even, COST_KERNEL, text, sizeof text);
    assert_string_equal(text, "Cost of the kernel: the GPU (cuda_fast) is as cheap (within 5%) "
                              "as the CPU (seq) at 100×100.");
    cost_sentence(&results, &results.rows[0], &even, COST_JOULES, text, sizeof text);
    assert_string_equal(text, "Energy of the kernel: the GPU (cuda_fast) is undecided (0.957 to "
                              "1.16) against the CPU (seq) at 100×100.");
    gpu->joule = 0.0036; /* 1.11 times less */
    cost_sentence(&results, &results.rows[0], &even, COST_JOULES, text, sizeof text);
    assert_string_equal(text, "Energy of the kernel: the GPU (cuda_fast) takes 1.11× less (1.01 "
                              "to 1.22) than the CPU (seq) at 100×100.");
}

static void check_energy(double ratio, const char *words) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    for (int side = 100; side <= 400; side *= 4) {
        add_cell(&results, "seq", side, 1e-3, 1e-3, 0.001 * ratio);
        add_cell(&results, "cuda_fast", side, 1e-3, 1e-3, 0.001);
    }
    results_derive(&results, 1);
    char text[1024];
    cost_sentence(&results, &results.rows[0], &prices, COST_JOULES, text, sizeof text);
    if (strstr(text, words) == NULL) {
        fail_msg("at %g: %s", ratio, text);
    }
}

/* Over sizes as at one: beyond 10%. */
TEST(joules_12_percent_apart_are_told_apart_over_sizes) {
    check_energy(1.12,
                 "1.12× less (1.02 to 1.23) than the CPU (seq) at 400×400; less at every size.");
    check_energy(1 / 1.12,
                 "1.12× more (1.02 to 1.23) than the CPU (seq) at 400×400; less at no size.");
    check_energy(
        1.08, "is undecided (0.982 to 1.19) against the CPU (seq) at 400×400; undecided at every "
              "size.");
    check_energy(1 / 1.08, "; undecided at every size.");
}

enum { WINDOWS = 3 };

static void set_windows(Row *row, const double *joules) {
    for (uint32_t launch = 0; launch < WINDOWS; launch++) {
        row->energy_samples.origin = (SampleOrigin){.launch = launch};
        assert_ok(samples_add(&row->energy_samples, joules[launch]));
    }
}

/* A row of each side that take the same time, with the joules of three launches. */
static void add_sides(Results *results, const double *cpu, const double *gpu) {
    add_cell(results, "seq", 100, 1e-3, 1e-3, NAN);
    add_cell(results, "cuda_fast", 100, 1e-3, 1e-3, NAN);
    set_windows(&results->rows[0], cpu);
    set_windows(&results->rows[1], gpu);
    results_derive(results, 1);
}

/* Twice as much by the medians, but not in every launch: the ratios are 3, 0.9 and 2. */
TEST(joules_whose_launches_disagree_are_undecided) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_sides(&results, (const double[]){3, 1.8, 2}, (const double[]){1, 2, 1});
    assert_float_equal(results.rows[0].joule, 2, 1e-12);
    const Prices none = {.gpu = 0};
    const Costs costs = costs_of(&results, &results.rows[0], &none);
    assert_float_equal(costs.saves.value, 2, 1e-12);
    assert_float_equal(costs.saves.low, 0.9, 1e-12);
    assert_float_equal(costs.saves.high, 3, 1e-12);
    char text[1024];
    cost_sentence(&results, &results.rows[0], &prices, COST_JOULES, text, sizeof text);
    assert_says(text, "is undecided (0.900 to 3.00)");
}

/* Close launches do not make the counters right. */
TEST(joules_of_close_launches_are_not_closer_than_the_counters) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_sides(&results, (const double[]){1.08, 1.08, 1.081}, (const double[]){1, 1, 1.001});
    const Prices none = {.gpu = 0};
    const Costs costs = costs_of(&results, &results.rows[0], &none);
    assert_float_equal(costs.saves.low, 1.08 / 1.1, 1e-9);
    assert_float_equal(costs.saves.high, 1.08 * 1.1, 1e-9);
}

TEST(joules_have_a_unit_that_is_read) {
    char text[NUMBER_WORDS_SIZE];
    joules_text(0.000623, text);
    assert_string_equal(text, "623 µJ");
    joules_text(0.059, text);
    assert_string_equal(text, "59.0 mJ");
    joules_text(12.3, text);
    assert_string_equal(text, "12.3 J");
    joules_text(NAN, text);
    assert_string_equal(text, "");
}

static char *costs_text(const Results *results, const Prices *given, const char *only,
                        bool briefly) {
    FILE *stream = test_stream();
    costs_print(stream, results, given, only, briefly);
    return test_text(stream);
}

/* Nothing is printed where nothing is known, and within 80 columns otherwise. */
TEST(the_table_fits_the_window) {
    const Prices none = {.gpu = 0};
    RELEASED_BY(results_release) Results results = two_sizes();
    char *text = costs_text(&results, &prices, NULL, false);
    assert_says(text, "1.60× cheaper");
    assert_says(text, "64.0× less");
    assert_null(strstr(text, "algorithm"));
    size_t width = 0;
    for (const char *c = text; *c != '\0'; c++) {
        width = *c == '\n' ? 0 : width + (((unsigned char)*c & 0xC0) != 0x80);
        assert_true(width <= 80);
    }
    text = costs_text(&results, &prices, NULL, true); /* whose lines they are, no sentences */
    assert_says(text, "\nalgorithm  ");
    assert_null(strstr(text, "Cost of the kernel:"));
    text = costs_text(&results, &none, "copy", false);
    assert_null(strstr(text, "cuda_fast")); /* those of lbp */
    for (size_t i = 0; i < results.count; i++) {
        results.rows[i].joule = NAN;
    }
    text = costs_text(&results, &none, NULL, false);
    assert_string_equal(text, "");
}
