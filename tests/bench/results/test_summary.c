/* The numbers of the summary against numbers worked out by hand. */
#include "algorithm.h"
#include "registry.h"
#include "results.h"
#include "row.h"
#include "run_options.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"
#include "words.h"

/* A row of nine equal samples a launch, in milliseconds. On the CPU launch i takes 1 + 0.01·i of
 * the time; on the GPU all take the same, and end to end `copies` more. */
static void add_timed(Results *results, const char *variant, const char *size, int side,
                      double kernel, double copies, uint32_t launches) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = true;
    row.width = row.height = side;
    snprintf(row.size_name, sizeof row.size_name, "%s", size);
    if (variant[0] == 'c') {
        row.threads = 0;
    }
    for (uint32_t i = 0; i < launches; i++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = i;
        const double factor = variant[0] == 'c' ? 1 : 1 + 0.01 * i;
        for (int j = 0; j < 9; j++) {
            assert_ok(samples_add(&row.kernel, kernel * factor * 1e-3));
            assert_ok(samples_add(&row.end_to_end, (kernel + copies) * factor * 1e-3));
        }
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    assert_ok(results_add(results, &row));
}

static double elapsed = 243;    /* seconds of the run */
static const char *only = NULL; /* an algorithm */

static char *summary_of(Results *results, int argc, char **argv) {
    Machine machine = {.cpu_count = 4};
    RunOptions options = {.arguments = {.argc = argc, .argv = argv}};
    RunRecord record = {.options = &options,
                        .machine = &machine,
                        .elapsed = elapsed,
                        .complete = true,
                        .only = only};
    snprintf(record.started, sizeof record.started, "2026-11-20T10:00:00Z");
    results_derive(results, 1);
    FILE *stream = test_stream();
    report_summary(stream, &record, results, "runs/x");
    return test_text(stream);
}

/*
 * Of six launches the median factor of the CPU is 1.025. At 1000×1000 the GPU takes 5 ms and simd
 * 20.5: 4.10× (4.00 to 4.20); end to end 21 to 20.5: 0.976× (0.952 to 1.00), as fast. At 100×100 it
 * is 4 to 2.05 ms, 1.95× slower, and 8 to 2.05 ms, 3.90× slower.
 *
 * In launch i, with f = 1 + 0.01·i, the lines meet on logarithmic axes at 10 kpixel × 100^s with
 * s = ln(2/f) / ln 8: 46.4, 45.4, 44.4, 43.5, 42.6 and 41.7 kpixel, in the middle 43.9.
 */
static Results two_sizes(uint32_t launches) {
    Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, launches);
    add_timed(&results, "simd", "small", 100, 2, 0, launches);
    add_timed(&results, "cuda_fast", "small", 100, 4, 4, launches);
    add_timed(&results, "seq", "large", 1000, 400, 0, launches);
    add_timed(&results, "simd", "large", 1000, 20, 0, launches);
    add_timed(&results, "cuda_naive", "large", 1000, 50, 16, launches);
    add_timed(&results, "cuda_fast", "large", 1000, 5, 16, launches);
    return results;
}

/* The headline is of the largest place that nothing disturbed, and says what disturbed the largest;
 * where every one was, it is of that and undecided. */
TEST(a_disturbed_headline_is_undecided) {
    Results results = two_sizes(6);
    results.rows[4].stolen_share = 0.38; /* simd at the largest size */
    char *text = summary_of(&results, 0, NULL);
    assert_says(
        text, "\nlbp at small: the GPU is 1.95× slower than one CPU thread (simd) (kernel only);\n"
              "  with copies 3.90× slower; at large undecided: other guests had the processors\n");
    results.rows[1].stolen_share = 0.38; /* and at the other one */
    text = summary_of(&results, 0, NULL);
    assert_says(
        text, "\nlbp at large: the GPU is undecided against one CPU thread (simd) (kernel only);\n"
              "  with copies undecided: other guests had the processors\n");
    results.rows[4].stolen_share = NAN;
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at large: the GPU is 4.10× faster than one CPU thread");
    assert_null(strstr(text, "disturbed"));
    results_release(&results);

    /* A place without a ratio is no better one. */
    results = (Results){.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 6);
    add_timed(&results, "seq", "large", 1000, 400, 0, 6);
    add_timed(&results, "cuda_fast", "large", 1000, 5, 16, 6);
    results.rows[1].stolen_share = 0.38;
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at large: the GPU is undecided against");
    results_release(&results);

    /* Nor is one where a disturbed cell may be faster than seq, which is the best. */
    results = (Results){.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 6);
    add_timed(&results, "simd", "small", 100, 2, 0, 6);
    add_timed(&results, "seq", "large", 1000, 400, 0, 6);
    add_timed(&results, "simd", "large", 1000, 900, 0, 6);
    results.rows[3].stolen_share = 0.8;
    results.rows[3].kernel_summary.min = 0.1;
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at small: simd is 5.00× faster than seq (plain code, one thread); at "
                      "large\n  undecided: other guests had the processors\n");
    assert_says(text, "\nBest CPU: simd.\n");
    results_release(&results);

    results = (Results){.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 1);
    add_timed(&results, "simd", "small", 100, 2, 0, 1);
    results.rows[0].cpu_seconds = 4e-3;
    text = summary_of(&results, 0, NULL);
    assert_says(text,
                "\nlbp at small: simd is undecided against seq (plain code, one thread): other\n"
                "  programs had the processors\n");
    /* Where no number stands there is nothing to doubt. */
    results.rows[0].kernel_summary = summary_none();
    results.rows[0].status = CELL_FAIL;
    text = summary_of(&results, 0, NULL);
    assert_null(strstr(text, "disturbed"));
    results_release(&results);
}

/* Without plain code the variants stand beside the best, of several sizes the next in line does. */
TEST(without_plain_code_the_best_is_the_measure) {
    RELEASED_BY(results_release) Results results = {0};
    add_timed(&results, "omp", "small", 100, 2, 0, 6);
    add_timed(&results, "simd", "small", 100, 5, 0, 6);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "at small    ms  against best CPU\n");
    assert_says(text, "omp       2.05          best CPU\n");
    assert_says(text, "simd      5.12      2.50× slower\n");
    add_timed(&results, "simd", "large", 200, 8, 0, 6);
    add_timed(&results, "omp", "large", 200, 4, 0, 6);
    text = summary_of(&results, 0, NULL);
    assert_says(text, "size   simd ms  best CPU ms  against simd");
    assert_says(text, "small     5.12         2.05  2.50× faster");
    add_timed(&results, "seq", "large", 200, 40, 0, 6);
    text = summary_of(&results, 0, NULL);
    assert_says(text, "against seq");
}

/* One short run on a machine that others used: omp took 8.99 ms where it takes 0.11, and the GPU
 * seemed 546 times as fast. */
TEST(what_other_guests_had_makes_no_headline) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 40, 0, 1);
    add_timed(&results, "omp", "small", 100, 8.99, 0, 1);
    add_timed(&results, "cuda_fast", "small", 100, 0.01646, 1, 1);
    results.rows[1].threads = 16;
    results.rows[1].cpu_seconds = 16 * 1e-3;
    char *text = summary_of(&results, 0, NULL);
    assert_says(text,
                "\nlbp at small: the GPU is undecided against 16 CPU threads (kernel only); with\n"
                "  copies undecided: other programs had the processors\n");
    assert_null(strstr(text, "546×"));
    results.rows[1].stolen_share = 0.9;
    text = summary_of(&results, 0, NULL);
    assert_says(text,
                "\nlbp at small: the GPU is undecided against 16 CPU threads (kernel only); with\n"
                "  copies undecided: other guests had the processors\n");
    assert_null(strstr(text, "546×"));
    assert_null(strstr(text, "546 to"));
    results.rows[1].stolen_share = 0;
    results.rows[1].cpu_seconds = 16 * 8.99e-3;
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at small: the GPU is 546× faster than 16 CPU threads");
}

/* Nothing is compared that could be undecided. */
TEST(seq_alone_is_no_disturbed_answer) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 6);
    add_timed(&results, "seq", "large", 1000, 400, 0, 6);
    results.rows[1].stolen_share = 0.38;
    const char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at large: seq alone has a time on the CPU\n");
}

TEST(the_answer_has_the_numbers) {
    RELEASED_BY(results_release) Results results = two_sizes(6);
    char *text = summary_of(&results, 0, NULL);
    assert_says(
        text, "\nlbp at large: the GPU is 4.10× faster than one CPU thread (simd) (kernel only);\n"
              "  with copies as fast (within 5%)\n");
    assert_says(text, " against a CPU, 4 processors · texture · 6 launches in 4:03, 2026-11-20 ·\n"
                      "  all 7 answers verified\n");
    assert_says(text,
                "\nsmall    2.05    4.00      8.00  1.95× slower  1.90 to 2.00  3.90× slower\n");
    assert_says(text,
                "\nlarge    20.5    5.00      21.0  4.10× faster  4.00 to 4.20       as fast\n");
    assert_says(text,
                "\nBest CPU: simd. Best GPU: cuda_fast.\n"
                "GPU ahead: kernel only from large on; with copies at none of 2 sizes; as fast\n"
                "at large.\n"
                "Intervals: 95% of 6 launches.\n");
    assert_null(strstr(text, "Noise"));
}

/* Of one size the variants are the table, the fastest first. */
TEST(one_size_shows_its_variants) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "large", 1000, 400, 0, 6);
    add_timed(&results, "simd", "large", 1000, 20, 0, 6);
    add_timed(&results, "cuda_naive", "large", 1000, 50, 16, 6);
    add_timed(&results, "cuda_fast", "large", 1000, 5, 16, 6);
    char *text = summary_of(&results, 0, NULL);
    const char *fast =
        strstr(text, "\ncuda_fast   5.00      21.0  4.10× faster  4.00 to 4.20       as fast\n");
    const char *simd = strstr(text, "\nsimd        20.5                best CPU\n");
    const char *naive = strstr(text, "\ncuda_naive  50.0      66.0  2.44× slower");
    const char *seq = strstr(text, "\nseq          410            20.0× slower\n");
    assert_true(fast != NULL && fast < simd && simd < naive && naive < seq);
    assert_null(strstr(text, "GPU ahead"));
    assert_null(strstr(text, "roof"));
}

static void add_launches(Results *results, const char *variant, const double milliseconds[4]) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    for (uint32_t i = 0; i < 4; i++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = i;
        assert_ok(samples_add(&row.kernel, milliseconds[i] * 1e-3));
        assert_ok(samples_add(&row.end_to_end, milliseconds[i] * 1e-3));
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    assert_ok(results_add(results, &row));
}

/* By hand: the other launches choose cells that take 4, 3, 3 and 9 ms, of 36 ms 9, 12, 12 and 4
 * times as fast. The winner's own times would give 36, 12, 12 and 12. */
static void check_winner(bool device) {
    static const double base[] = {36, 36, 36, 36};
    static const double own[2][4] = {{1, 3, 3, 3}, {4, 2, 2, 9}};
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_launches(&results, "seq", base);
    add_launches(&results, device ? "cuda_fast" : "simd", own[0]);
    add_launches(&results, device ? "cuda_naive" : "omp", own[1]);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, device ? "the GPU is 10.5× faster than" : "simd is 10.5× faster than seq");
    const char *line = strstr(text, device ? "\ncuda_fast " : "\nsimd ");
    assert_non_null(line);
    char row[256];
    snprintf(row, sizeof row, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
    assert_says(row, device ? "10.5× faster  4.00 to 12.0  10.5× faster" /* with copies */
                            : "10.5× faster  4.00 to 12.0");
}

TEST(the_winner_has_one_factor) {
    check_winner(true);
    check_winner(false);
}

/* Two numbers of one line may be of different variants. */
TEST(who_was_best_is_named) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 1);
    add_timed(&results, "cuda_naive", "small", 100, 1, 1, 1);
    add_timed(&results, "cuda_fast", "small", 100, 2, 9, 1);
    add_timed(&results, "seq", "large", 1000, 100, 0, 1);
    add_timed(&results, "cuda_naive", "large", 1000, 20, 10, 1);
    add_timed(&results, "cuda_fast", "large", 1000, 10, 90, 1);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text,
                "\nBest CPU: seq. Best GPU: cuda_naive, from large on cuda_fast; with copies\n"
                "cuda_naive.\n");
    add_timed(&results, "seq", "huge", 2000, 1000, 0, 1);
    add_timed(&results, "cuda_naive", "huge", 2000, 20, 10, 1);
    text = summary_of(&results, 0, NULL);
    assert_says(text, " Best GPU: cuda_naive or cuda_fast, by size;");
}

/* Of two that are tied at every size both are named; a third is tied at one of them only. */
TEST(who_is_always_tied_is_named_too) {
    RELEASED_BY(results_release) Results results = two_sizes(6);
    add_timed(&results, "cuda_graph", "small", 100, 4, 5, 6);
    add_timed(&results, "cuda_graph", "large", 1000, 5, 18, 6);
    add_timed(&results, "cuda_tiled", "small", 100, 4, 6, 6);
    add_timed(&results, "cuda_tiled", "large", 1000, 15, 20, 6);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, " Best GPU: cuda_fast (or cuda_graph); with copies cuda_fast.\n");
}

/* The least time of tied cells makes no other one the best. */
TEST(a_tied_cell_is_not_another_best) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 6);
    add_timed(&results, "simd", "small", 100, 1, 0, 6);
    add_timed(&results, "omp", "small", 100, 2, 0, 6);
    add_timed(&results, "seq", "large", 1000, 100, 0, 6);
    add_timed(&results, "simd", "large", 1000, 10, 0, 6);
    add_timed(&results, "omp", "large", 1000, 9.95, 0, 6);
    assert_says(summary_of(&results, 0, NULL), "\nBest CPU: simd.\n");
}

/* One line instead of marks: rows that the tables do not show do not count. */
TEST(noise_is_one_line) {
    RELEASED_BY(results_release) Results results = two_sizes(6);
    results.rows[1].stolen_share = results.rows[4].stolen_share = 0.05;
    results.rows[4].throttled = true;
    results.rows[5].throttled = true; /* cuda_naive is nowhere the best */
    results.rows[6].set_aside = 2;
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, " · 8 launches in 4:03"); /* those of the run, not those that count */
    assert_says(text,
                "\nNoise: 2 of 4 times shown are noisy (throttling, other guests of the host); "
                "up\nto 2 launches of a time set aside.\n");
    assert_says(text, "\nnoise       bench show runs/x --noise\n");

    FILE *stream = test_stream();
    const RunRecord record = {.warnings = {.count = 1, .text = {"the clock is not fixed"}}};
    report_noise(stream, &record, &results);
    text = test_text(stream);
    assert_says(text, "4 of 7 cells are noisy.\n");
    assert_says(text, "\nlbp/simd/texture/large        throttled, stolen    5.0%\n");
    assert_says(text, "\nlbp/cuda_naive/texture/large  throttled\n");
    assert_says(text, "\nlbp/cuda_fast/texture/large                                      2\n");
    assert_says(text,
                "\nstolen: other guests of the host had the processors for over 1% of the time\n");
    assert_says(text, "\nwarning: the clock is not fixed\n");
}

/* Sentences with intervals, and roofs, come before all rows. */
TEST(details_have_sentences_and_roofs) {
    RELEASED_BY(results_release) Results results = two_sizes(6);
    RunOptions options = {.arguments = {.argc = 0}};
    const RunRecord record = {.options = &options};
    results_derive(&results, 1);
    FILE *stream = test_stream();
    report_details(stream, &record, &results);
    char *text = test_text(stream);
    assert_says(text, "\nKernel only, the GPU (cuda_fast) is 4.10× faster (4.00 to 4.20) than the "
                      "best\nCPU (simd) at large; it is ahead from large on.\n");
    assert_says(text, "\nms: kernel time; roof: share of what this machine allows;");
}

/* They see one moment of a machine that others use. */
TEST(launches_close_together_are_said_to_be) {
    static char *arguments[] = {"--algo", "lbp", "--launches=6"};
    RELEASED_BY(results_release) Results results = two_sizes(6);
    elapsed = 49;
    char *text = summary_of(&results, 3, arguments);
    assert_says(text, "\nIntervals: 95% of 6 launches, 8.2 s apart.\n");
    /* Of shares that were merged, one after the other, each has all launches of its cells. */
    for (size_t i = 0; i < results.count; i++) {
        results.rows[i].kernel.memory.within = 12;
    }
    assert_says(summary_of(&results, 3, arguments),
                "\nIntervals: 95% of 6 launches in these 12 s, 2 s apart.\n");
    for (size_t i = 0; i < results.count; i++) {
        results.rows[i].kernel.memory.within = 0;
    }
    /* Runs that were merged may be of other days. */
    text = summary_of(&results, 2, arguments);
    assert_says(text, "\nIntervals: 95% of 6 launches.\n");
    elapsed = 151;
    text = summary_of(&results, 3, arguments);
    assert_says(text, "\nIntervals: 95% of 6 launches.\n");
    elapsed = 243;
}

TEST(an_interval_with_one_in_it_has_no_winner) {
    static const struct {
        Ratio ratio;
        const char *words, *joint;
    } cases[] = {
        {{.value = 1.1, .low = 1.05, .high = 1.2}, "1.10× faster (1.05 to 1.20)", "than"},
        {{.value = 0.5, .low = 0.4, .high = 0.8}, "2.00× slower (1.25 to 2.50)", "than"},
        {{.value = 1.1, .low = 0.9, .high = 1.2}, "undecided (0.900 to 1.20)", "against"},
        {{.value = 1.01, .low = 0.97, .high = 1.04}, "as fast (within 5%)", "as"},
        {{.value = 1, .low = 1 / 1.05, .high = 1.05}, "as fast (within 5%)", "as"},
        {{.value = 2.3, .low = 0.03, .high = 2.6}, "undecided (0.0300 to 2.60)", "against"},
        {{.value = 1.1, .low = 1.05, .high = 1.2, .in_run = true},
         "1.10× faster (1.05 to 1.20 in this run)",
         "than"},
        {{.value = 0.5, .low = 0.4, .high = 0.8, .extremes = true},
         "2.00× slower (range 1.25 to 2.50)",
         "than"},
        {{.value = 1.001, .low = NAN, .high = NAN}, "undecided", "against"},
        {{.value = 1.2, .low = NAN, .high = NAN}, "1.20× faster", "than"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        faster_text(&cases[i].ratio, text);
        assert_string_equal(text, cases[i].words);
        assert_string_equal(ratio_joint(&cases[i].ratio), cases[i].joint);
    }
}

/* Where both sides are slower by the same factor in a launch, their ratios have sides, though the
 * intervals of the times overlap. */
TEST(a_crossover_is_that_of_the_ratios) {
    RELEASED_BY(results_release) Results results = two_sizes(6);
    for (size_t i = 0; i < results.count; i++) {
        Row *row = &results.rows[i];
        for (size_t j = 0; row->variant->name[0] == 'c' && j < row->kernel.count; j++) {
            row->kernel.seconds[j] *= 1 + 0.01 * row->kernel.origins[j].launch;
        }
        assert_ok(summarize(&row->kernel, &row->kernel_summary));
    }
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "GPU ahead: kernel only from large on");
}

/* A verified cell of lacunarity. */
static void add_box(Results *results, const char *box, int side) {
    const Algorithm *algorithm = registry_find_algorithm("lacunarity");
    Row row = measured_row("seq", 0.01);
    row.algorithm = algorithm;
    row.variant = registry_variant(algorithm, 0);
    row.width = row.height = side;
    snprintf(row.size_name, sizeof row.size_name, "%d", side);
    row.answer.axes[0] = axis_in_list(algorithm->answer, "box");
    row.answer.count = 1;
    snprintf(row.answer.values[0].text, sizeof row.answer.values[0].text, "%s", box);
    assert_ok(results_add(results, &row));
}

/* Of several answers at several sizes the last one is shown, by its numbers and not by its place.
 */
TEST(the_last_answer_is_shown) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_box(&results, "128", 100);
    add_box(&results, "128", 200);
    add_box(&results, "64", 100);
    add_box(&results, "64", 200);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlacunarity, box:128, at 200: ");
    assert_says(text, "\nShown: box:128; 1 more answer in all rows.\n");
}

/* As an interrupted run leaves it: the last answer was measured at one size only, so that the
 * answers at that size are the lines, and none at another size is. */
TEST(an_answer_at_one_size_only) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_box(&results, "64", 100);
    add_box(&results, "64", 200);
    add_box(&results, "128", 200);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nbox  seq ms");
    assert_says(text, "\n64  ");
    assert_says(text, "\n128 ");
    assert_null(strstr(strstr(text, "\n64  ") + 1, "\n64  "));
    assert_null(strstr(text, "in all rows"));
}

TEST(few_launches_are_said) {
    Results results = two_sizes(3);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nIntervals: least to greatest of 3 launches, too few for 95%.\n");
    results_release(&results);
    results = two_sizes(1);
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nIntervals: 95% in this run.\n");
    results_release(&results);
}

/* As a budget leaves out a long run after the first launch. */
TEST(what_was_measured_in_one_launch_is_named) {
    Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 1);
    add_timed(&results, "simd", "small", 100, 2, 0, 3);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nIntervals: least to greatest of 1 to 3 launches, too few for 95%. In one "
                      "launch\nonly: seq; its ratios are of that launch.\n");
    add_timed(&results, "seq", "large", 1000, 100, 0, 1);
    add_timed(&results, "simd", "large", 1000, 20, 0, 3);
    text = summary_of(&results, 0, NULL);
    assert_says(text, "only: seq at small, seq at large; their ratios are of that launch.\n");
    results_release(&results);
}

/* The rows of a table along an axis have one size. */
TEST(what_was_measured_in_one_launch_is_named_by_its_axis) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    for (int i = 0; i < 2; i++) {
        add_box(&results, i == 0 ? "64" : "128", 100);
        Row *row = &results.rows[results.count - 1];
        row->kernel_summary.launches = i == 0 ? 1 : 3;
    }
    assert_says(summary_of(&results, 0, NULL), "only: seq at box 64;");
}

/* The table has all values of its axis. */
TEST(the_axis_of_the_table_is_no_part_of_what_is_shown) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    const Axis *threshold =
        axis_in_list(registry_find_algorithm("lacunarity")->answer, "threshold");
    for (int i = 0; i < 6; i++) {
        static const char *const boxes[] = {"1", "2", "4"};
        add_box(&results, boxes[i / 2], 100);
        Point *answer = &results.rows[i].answer;
        answer->axes[1] = threshold;
        answer->count = 2;
        snprintf(answer->values[1].text, sizeof answer->values[1].text, i % 2 ? "9" : "8");
    }
    assert_says(summary_of(&results, 0, NULL), "\nShown: threshold:9; 3 more answers in all rows.");
}

TEST(of_several_algorithms_it_is_said_whose_variant_was_skipped) {
    RELEASED_BY(results_release) Results results = two_sizes(1);
    add_box(&results, "64", 100);
    Row skipped = sample_row("cuda_tiled");
    skipped.status = CELL_SKIP;
    assert_ok(results_add(&results, &skipped));
    assert_says(summary_of(&results, 0, NULL), "Skipped: lbp/cuda_tiled (1): ");
}

/* Each for its own reason, of which one is told. */
TEST(other_reasons_to_skip_are_counted) {
    RELEASED_BY(results_release) Results results = two_sizes(1);
    for (int i = 0; i < 3; i++) {
        Row skipped = sample_row("cuda_tiled");
        skipped.status = CELL_SKIP;
        snprintf(skipped.why, sizeof skipped.why, "reason %d", i / 2);
        assert_ok(results_add(&results, &skipped));
    }
    assert_says(summary_of(&results, 0, NULL),
                "Skipped: cuda_tiled (3): reason 0; 1 for other reasons.");
}

/* The head has said nothing of it. */
TEST(what_was_skipped_without_a_reason_is_named) {
    RELEASED_BY(results_release) Results results = two_sizes(1);
    Row skipped = sample_row("cuda_tiled");
    skipped.status = CELL_SKIP;
    assert_ok(results_add(&results, &skipped));
    assert_says(summary_of(&results, 0, NULL), "Skipped: cuda_tiled (1): no reason was given.");
}

TEST(without_gpu_seq_is_the_measure) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 10, 0, 6);
    add_timed(&results, "simd", "small", 100, 2, 0, 6);
    Row missing = sample_row("cuda_fast");
    missing.status = CELL_SKIP;
    snprintf(missing.why, sizeof missing.why, "no CUDA device");
    assert_ok(results_add(&results, &missing));
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nlbp at small: simd is 5.00× faster than seq (plain code, one thread)\n");
    assert_says(text, "4 processors, no GPU (no CUDA device) · ");
    assert_null(strstr(text, "Skipped: ")); /* the head has said it */
}

/* A list of algorithms that was written by hand, in a stored command line. */
TEST(a_damaged_command_line_ends_the_search_for_copy) {
    static const char *const lists[] = {"", ",", "lbp,", "lbp,,copy"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        RELEASED_BY(results_release) Results results = two_sizes(1);
        char *arguments[] = {(char *)"--algo", (char *)lists[i]};
        char *text = summary_of(&results, 2, arguments);
        assert_says(text, "\nlbp at large: ");
    }
}

/* Where plain code is the best that the CPU has it is its own measure. */
TEST(seq_is_not_as_fast_as_itself) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_timed(&results, "seq", "small", 100, 1, 0, 6);
    add_timed(&results, "simd", "small", 100, 2, 0, 6);
    add_timed(&results, "seq", "large", 1000, 10, 0, 6);
    add_timed(&results, "simd", "large", 1000, 2, 0, 6);
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nsmall    1.03         1.03           seq\n");
    assert_null(strstr(text, "as fast"));
}

TEST(an_answer_axis_is_a_size) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    const Algorithm *algorithm = registry_find_algorithm("hashsift");
    static const char *const values[] = {"10000", "1000"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            Row row = measured_row("seq", j == 0 ? 0.01 : 0.002);
            row.algorithm = algorithm;
            row.cpu_seconds = NAN; /* nothing is known to have disturbed it */
            row.kernel_summary.min = row.end_to_end_summary.min = row.kernel_summary.median;
            row.variant = registry_find_variant(algorithm, j == 0 ? "omp" : "cuda_fast");
            row.answer.axes[0] = axis_in_list(algorithm->answer, "keypoints");
            assert_non_null(row.answer.axes[0]);
            row.answer.count = 1;
            snprintf(row.answer.values[0].text, sizeof row.answer.values[0].text, "%s", values[i]);
            row.answer.values[0].number = i == 0 ? 10000 : 1000;
            assert_ok(results_add(&results, &row));
        }
    }
    char *text = summary_of(&results, 0, NULL);
    assert_says(text, "\nkeypoints  CPU ms");
    assert_says(text, "hashsift at keypoints 10000: the GPU is 5.00× faster");
    const char *small = strstr(text, "\n1000 ");
    const char *large = strstr(text, "\n10000 ");
    assert_true(small != NULL && small < large);
}

/* `copy` is the roof unless it was asked for. */
TEST(copy_is_left_out) {
    RELEASED_BY(results_release) Results results = two_sizes(1);
    Row copy = results.rows[0];
    copy.algorithm = registry_find_algorithm("copy");
    copy.variant = registry_find_variant(copy.algorithm, "seq");
    copy.kernel = copy.end_to_end = (Samples){.seconds = NULL};
    for (int i = 0; i < 9; i++) {
        assert_ok(samples_add(&copy.kernel, 1e-3));
    }
    assert_ok(results_add(&results, &copy));
    char *text = summary_of(&results, 0, NULL);
    assert_null(strstr(text, "copy at "));
    assert_says(text, "all 7 answers verified");
    char *asked[] = {(char *)"--algo", (char *)"lbp,copy"};
    text = summary_of(&results, 2, asked);
    assert_says(text, "\ncopy at small: ");
    assert_says(text, "all 8 answers");
}

/* lbp_riu on the GPU is as far ahead as lbp; at the same sizes both are named at once. */
TEST(algorithms_share_a_crossover_of_the_same_sides) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    static const struct {
        const char *algorithm, *size;
        int side;
    } cells[] = {{"lbp", "small", 100},
                 {"lbp", "large", 1000},
                 {"lbp_riu", "small", 100},
                 {"lbp_riu", "large", 1000}};
    for (size_t i = 0; i < 2 * sizeof cells / sizeof cells[0]; i++) {
        const bool gpu = i % 2 != 0;
        add_timed(&results, gpu ? "cuda_fast" : "simd", cells[i / 2].size, cells[i / 2].side,
                  gpu ? 1 : 9, 1, 6);
        Row *row = &results.rows[results.count - 1];
        row->algorithm = registry_find_algorithm(cells[i / 2].algorithm);
        row->variant = registry_find_variant(row->algorithm, gpu ? "cuda_fast" : "simd");
    }
    char *text = summary_of(&results, 0, NULL);
    assert_says(text,
                "\nGPU ahead, lbp, lbp_riu: kernel only at every size; with copies at every size.");
    /* The words stay, and what they are about differs. */
    for (size_t i = 6; i < 8; i++) {
        snprintf(results.rows[i].size_name, sizeof results.rows[i].size_name, "huge");
        results.rows[i].width = results.rows[i].height = 2000;
    }
    text = summary_of(&results, 0, NULL);
    assert_says(text, "\nGPU ahead, lbp: kernel only at every size; with copies at every size.\n"
                      "GPU ahead, lbp_riu: kernel only at every size; with copies at every size.");
}

/* Several algorithms have a headline each, then the table of the first; with one asked for it is as
 * if there were no other. lbp_riu takes 3 ms on the CPU and 1 ms on the GPU. */
TEST(several_algorithms_have_a_headline_each) {
    const size_t lines_most = 30;
    RELEASED_BY(results_release) Results results = two_sizes(6);
    for (size_t i = 0; i < 2; i++) {
        add_timed(&results, i == 0 ? "simd" : "cuda_fast", "small", 100, i == 0 ? 3 : 1, 1, 6);
        Row *row = &results.rows[results.count - 1];
        row->algorithm = registry_find_algorithm("lbp_riu");
        row->variant = registry_find_variant(row->algorithm, i == 0 ? "simd" : "cuda_fast");
        assert_non_null(row->variant);
    }
    char *text = summary_of(&results, 0, NULL);
    assert_says(
        text, "\nlbp at large: the GPU is 4.10× faster than one CPU thread (simd) (kernel only);\n"
              "  with copies as fast (within 5%)\n"
              "lbp_riu at small: the GPU is 3.08× faster than one CPU thread (simd) (kernel\n");
    assert_says(text, "\nGPU ahead, lbp: kernel only from large on;");
    assert_says(text, "\nothers      bench show runs/x --algo lbp_riu\n");
    assert_null(strstr(text, "at small  "));
    size_t lines = 0;
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    assert_true(lines <= lines_most);
    only = "lbp_riu";
    text = summary_of(&results, 0, NULL);
    only = NULL;
    assert_null(strstr(text, "lbp at large"));
    assert_null(strstr(text, "others"));
    assert_says(text, "\nat small   ");
}
