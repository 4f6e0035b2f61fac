/* A run in one line, and what it says of variants that failed. */
#include "results.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"
#include "verdict.h"

/* A square cell of nine equal samples, in milliseconds; 0: it failed. */
static void add(Results *results, const char *variant, int side, double kernel) {
    Row row = sample_row(variant);
    row.status = kernel > 0 ? CELL_OK : CELL_FAIL;
    row.verified = kernel > 0;
    row.width = row.height = side;
    row.threads = variant_is_on_cpu(row.variant) ? 1 : 0;
    snprintf(row.size_name, sizeof row.size_name, "%d", side);
    for (int i = 0; i < 9 && kernel > 0; i++) {
        assert_ok(samples_add(&row.kernel, kernel * 1e-3));
        assert_ok(samples_add(&row.end_to_end, 2 * kernel * 1e-3));
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    assert_ok(results_add(results, &row));
}

static void check_headline(Results *results, const char *wanted) {
    char text[HEADLINE_SIZE];
    results_derive(results, 1);
    assert_ok(results_headline(results, text));
    assert_string_equal(text, wanted);
    results_release(results);
}

TEST(the_ratio_comes_first) {
    Results gpu = {.rows = NULL}, cpu = {.rows = NULL}, alone = {.rows = NULL};
    add(&gpu, "seq", 100, 8);
    add(&gpu, "simd", 100, 4);
    add(&gpu, "cuda_fast", 100, 1);
    check_headline(&gpu, "GPU 4.00× faster, lbp 100");
    add(&cpu, "seq", 100, 8);
    add(&cpu, "simd", 100, 4);
    check_headline(&cpu, "simd 2.00× faster, lbp 100");
    add(&alone, "seq", 100, 8);
    check_headline(&alone, "seq alone, lbp 100");
}

TEST(a_variant_that_failed_is_named) {
    Results alone = {.rows = NULL}, some = {.rows = NULL}, all = {.rows = NULL};
    add(&alone, "seq", 100, 8);
    add(&alone, "omp", 100, 0);
    check_headline(&alone, "seq alone, omp FAILED, lbp 100");
    add(&some, "seq", 100, 8);
    add(&some, "simd", 100, 4);
    add(&some, "omp", 100, 0);
    add(&some, "cuda_fast", 100, 2);
    add(&some, "seq", 200, 32);
    add(&some, "simd", 200, 16);
    add(&some, "omp", 200, 0);
    add(&some, "cuda_fast", 200, 0);
    check_headline(&some, "GPU 2.00× faster, omp, cuda_fast FAILED in 3 of 4 cells, lbp 100");
    add(&all, "seq", 100, 0);
    check_headline(&all, "no cell has a time: seq FAILED");
}

TEST(the_sentence_names_it_too) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RunVerdict verdict;
    add(&results, "seq", 100, 8);
    add(&results, "omp", 100, 0);
    results_derive(&results, 1);
    assert_ok(verdict_of(&results, &results.rows[0], &verdict));
    assert_string_equal(verdict.sentences[0].text,
                        "At 100 seq alone has a time on the CPU; omp FAILED.");
}

TEST(machines_have_short_names) {
    static const char *const names[][2] = {
        {"NVIDIA H200", "H200"},
        {"8 × NVIDIA H100 80GB HBM3", "8 × H100 80GB HBM3"},
        {"Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz", "Intel Xeon Gold 6326"},
        {"AMD EPYC Processor", "AMD EPYC"},
        {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        machine_short_name(names[i][0], text);
        assert_string_equal(text, names[i][1]);
    }
}
