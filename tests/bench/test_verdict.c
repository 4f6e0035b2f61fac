/* The three sentences of a run, against times whose ratios and crossovers are worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_results.h"

enum { TEXT_SIZE = 512 };

/* Adds a square cell; nine samples within 0.4% of these times in milliseconds. */
static Row *add_cell(Results *results, const char *variant, int side, double kernel, double whole) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    row.width = row.height = side;
    row.threads = variant_is_on_cpu(row.variant) ? 1 : 0;
    snprintf(row.size_name, sizeof row.size_name, "%d", side);
    for (int i = -4; i <= 4; i++) {
        assert_int_equal(samples_add(&row.kernel, kernel * 1e-3 * (1 + i * 1e-3)).code, STATUS_OK);
        assert_int_equal(samples_add(&row.end_to_end, whole * 1e-3 * (1 + i * 1e-3)).code,
                         STATUS_OK);
    }
    assert_int_equal(summarize(&row.kernel, &row.kernel_summary).code, STATUS_OK);
    assert_int_equal(summarize(&row.end_to_end, &row.end_to_end_summary).code, STATUS_OK);
    assert_int_equal(results_add(results, &row).code, STATUS_OK);
    return &results->rows[results->count - 1];
}

/* On 10 kpixel the GPU takes 2 times as long as the CPU, on 160 kpixel a quarter of it. On the line
 * of logarithms they meet after a third of the way: 10 kpixel × 16^(1/3) = 25.2 kpixel. End to end
 * it is 20 and 2 times as slow. */
static Results both_sides(void) {
    Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 0.5, 0.5);
    add_cell(&results, "cuda_fast", 100, 1, 10);
    add_cell(&results, "cuda_naive", 100, 1.5, 11);
    add_cell(&results, "seq", 400, 8, 8);
    add_cell(&results, "cuda_fast", 400, 2, 17);
    add_cell(&results, "cuda_naive", 400, 3, 16);
    results_derive(&results, 1);
    return results;
}

static void starts(const char *text, const char *start) {
    if (strncmp(text, start, strlen(start)) != 0) {
        fail_msg("\"%s\" does not start with \"%s\"", text, start);
    }
}

static void has(const char *text, const char *words) {
    if (strstr(text, words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", text, words);
    }
}

static void the_gpu_beside_the_best_cpu(void **state) {
    (void)state;
    Results results = both_sides();
    char text[TEXT_SIZE];
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    starts(text, "Kernel: the GPU is 4.00× faster (");
    has(text, ") than the best CPU at 400×400 (cuda_fast against seq), and ahead from 25.2 kpixel "
              "on");
    verdict_end_to_end(&results, &results.rows[0], text, sizeof text);
    starts(text, "End to end, copies included, the GPU is 2.00× slower (");
    has(text, " than the best CPU at 400×400 (cuda_naive against seq), and behind at both sizes.");
    results_release(&results);
}

static void roofs_of_both_sides(void **state) {
    (void)state;
    Results results = both_sides();
    char text[TEXT_SIZE];
    verdict_roof(&results, &results.rows[0], text, sizeof text);
    assert_string_equal(text, "");
    results.rows[4].roof_fraction = 0.788;
    snprintf(results.rows[4].bound, sizeof results.rows[4].bound, "dram");
    results.rows[3].roof_fraction = 0.004;
    snprintf(results.rows[3].bound, sizeof results.rows[3].bound, "int32");
    verdict_roof(&results, &results.rows[0], text, sizeof text);
    assert_string_equal(text, "Roof: at 400×400 the GPU (cuda_fast) reaches 79% of what memory "
                              "bandwidth allows, the best CPU (seq) less than 1% of what int32 "
                              "arithmetic allows.");
    results_release(&results);
}

static void one_side_alone(void **state) {
    (void)state;
    char text[TEXT_SIZE];
    Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 6, 6);
    set_threads(add_cell(&results, "omp", 100, 2, 2), 4);
    results_derive(&results, 1);
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    starts(text, "Kernel: no GPU was measured; the best CPU (omp/threads:4) is 3.00× faster (");
    has(text, " than seq at 100×100.");
    verdict_end_to_end(&results, &results.rows[0], text, sizeof text);
    assert_string_equal(text, "");
    results_release(&results);

    results = (Results){.rows = NULL};
    add_cell(&results, "cuda_fast", 100, 2, 3);
    results_derive(&results, 1);
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    assert_string_equal(text, "Kernel: no CPU was measured; cuda_fast takes 2.00 ms at 100×100.");
    results.rows[0].status = CELL_FAIL;
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    assert_string_equal(text, "No cell has a verified time.");
    results_release(&results);
}

/* Other answers, inputs and algorithms do not mix. */
static void other_questions_do_not_count(void **state) {
    (void)state;
    Results results = both_sides();
    char text[TEXT_SIZE];
    for (size_t i = 3; i < results.count; i++) {
        snprintf(results.rows[i].input, sizeof results.rows[i].input, "other");
    }
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    starts(text, "Kernel: the GPU is 2.00× slower (");
    has(text, "at 100×100 (cuda_fast against seq).");
    results_release(&results);
}

/* Equal within the interval is neither faster nor slower. */
static void equal_times_are_called_equal(void **state) {
    (void)state;
    Results results = {.rows = NULL};
    char text[TEXT_SIZE];
    add_cell(&results, "seq", 100, 1, 1);
    add_cell(&results, "cuda_fast", 100, 1.0001, 1.0001);
    results_derive(&results, 1);
    verdict_kernel(&results, &results.rows[0], text, sizeof text);
    starts(text, "Kernel: the GPU is as fast (");
    has(text, ") as the best CPU at 100×100");
    results_release(&results);
}

static void ratios_in_words(void **state) {
    (void)state;
    char text[NUMBER_WORDS_SIZE];
    faster_text(&(Ratio){.value = 36.71, .low = NAN, .high = NAN}, text);
    assert_string_equal(text, "36.7× faster");
    /* 1 / 0.5, 1 / 0.625 and 1 / 0.4 */
    faster_text(&(Ratio){.value = 0.5, .low = 0.4, .high = 0.625}, text);
    assert_string_equal(text, "2.00× slower (1.60–2.50)");
    faster_text(&(Ratio){.value = NAN, .low = NAN, .high = NAN}, text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_beside_the_best_cpu),
        cmocka_unit_test(roofs_of_both_sides),
        cmocka_unit_test(one_side_alone),
        cmocka_unit_test(other_questions_do_not_count),
        cmocka_unit_test(equal_times_are_called_equal),
        cmocka_unit_test(ratios_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
