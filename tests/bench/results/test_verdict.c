/* The three sentences of a run, against times whose ratios and crossovers are worked out by hand.
 */
#include "results.h"
#include "row.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"
#include "verdict.h"
#include "words.h"

/* Adds a square cell; nine samples within 0.4% of these times in milliseconds. */
static Row *add_cell(Results *results, const char *variant, int side, double kernel, double whole) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    row.width = row.height = side;
    row.threads = variant_is_on_cpu(row.variant) ? 1 : 0;
    snprintf(row.size_name, sizeof row.size_name, "%d", side);
    for (int i = -4; i <= 4; i++) {
        assert_ok(samples_add(&row.kernel, kernel * 1e-3 * (1 + i * 1e-3)));
        assert_ok(samples_add(&row.end_to_end, whole * 1e-3 * (1 + i * 1e-3)));
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    assert_ok(results_add(results, &row));
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

static RunVerdict verdict(const Results *results) {
    RunVerdict found;
    assert_ok(verdict_of(results, &results->rows[0], &found));
    return found;
}

TEST(the_gpu_beside_the_best_cpu) {
    RELEASED_BY(results_release) Results results = both_sides();
    const RunVerdict found = verdict(&results);
    assert_int_equal(found.count, 3);
    starts(found.about, "lbp on ");
    const Sentence *kernel = &found.sentences[0];
    starts(kernel->text, "Kernel only, the GPU (cuda_fast) is 4.00× faster (");
    assert_says(kernel->text, ") than the best CPU (seq) at 400; it is ahead from 400 on.");
    /* The ratio has the colour. */
    assert_int_equal(kernel->ink, INK_FASTER);
    assert_memory_equal(kernel->text + kernel->from, " 4.00× faster (", kernel->to - kernel->from);
    assert_int_equal(kernel->to - kernel->from, strlen(" 4.00× faster"));
    const Sentence *whole = &found.sentences[1];
    starts(whole->text, "With copies, the GPU (cuda_naive) is 2.00× slower (");
    assert_says(whole->text, " than the best CPU (seq) at 400; it is ahead at no size.");
    assert_int_equal(whole->ink, INK_SLOWER);
}

TEST(roofs_of_both_sides) {
    RELEASED_BY(results_release) Results results = both_sides();
    assert_string_equal(verdict(&results).sentences[2].text,
                        "The roof is not known: it was not measured, or there is no cost model.");
    results.rows[4].roof_fraction = 0.788;
    snprintf(results.rows[4].bound, sizeof results.rows[4].bound, "dram");
    results.rows[3].roof_fraction = 0.004;
    snprintf(results.rows[3].bound, sizeof results.rows[3].bound, "int32");
    assert_string_equal(
        verdict(&results).sentences[2].text,
        "At 400 cuda_fast reaches 79% of its roof (bound by dram), seq 0.4% (int32).");
}

TEST(one_side_alone) {
    Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 6, 6);
    set_threads(add_cell(&results, "omp", 100, 2, 2), 4);
    results_derive(&results, 1);
    RunVerdict found = verdict(&results);
    assert_int_equal(found.count, 2);
    starts(found.sentences[0].text, "The best CPU (omp/threads:4) is 3.00× faster (");
    assert_says(found.sentences[0].text, ") than seq (1 thread) at 100.");
    results_release(&results);

    results = (Results){.rows = NULL};
    add_cell(&results, "cuda_fast", 100, 2, 3);
    results_derive(&results, 1);
    found = verdict(&results);
    assert_string_equal(found.sentences[0].text,
                        "Kernel only, there is no speedup at 100: no CPU variant has a time.");
    results.rows[0].status = CELL_FAIL;
    found = verdict(&results);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.sentences[0].text, "No cell has a verified time.");
    results_release(&results);
}

/* Without a device and without plain code the next variant is what the best is compared with: one
 * of this program's own if there is one. */
TEST(without_the_plain_code_the_next_variant_is_the_measure) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    set_threads(add_cell(&results, "omp", 100, 2, 2), 4);
    results_derive(&results, 1);
    assert_string_equal(verdict(&results).finding,
                        "lbp at 100: omp/threads:4 takes 2.00 ms, with no "
                        "other variant beside it");
    Row *library = add_cell(&results, "opencv", 100, 5, 5);
    library->peer = true;
    snprintf(library->library, sizeof library->library, "Other 1.0");
    results_derive(&results, 1);
    RunVerdict found = verdict(&results);
    assert_string_equal(found.finding,
                        "lbp at 100: omp/threads:4 is 2.50× faster than opencv (Other 1.0)");
    add_cell(&results, "simd", 100, 6, 6);
    results_derive(&results, 1);
    found = verdict(&results);
    assert_string_equal(found.finding, "lbp at 100: omp/threads:4 is 3.00× faster than simd");
    starts(found.sentences[0].text, "The best CPU (omp/threads:4) is 3.00× faster (");
    assert_says(found.sentences[0].text, ") than simd at 100.");
    add_cell(&results, "seq", 100, 9, 9);
    results_derive(&results, 1);
    assert_string_equal(
        verdict(&results).finding,
        "lbp at 100: omp/threads:4 is 4.50× faster than seq (plain code, one thread)");
}

/* Where seq takes too long, as at the larger of two sizes, it has no time. */
TEST(the_headline_is_of_the_largest_size_with_an_answer) {
    Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 6, 6);
    set_threads(add_cell(&results, "omp", 100, 2, 2), 4);
    set_threads(add_cell(&results, "omp", 400, 8, 8), 4);
    results_derive(&results, 1);
    assert_string_equal(verdict(&results).finding,
                        "lbp at 100: omp/threads:4 is 3.00× faster than seq (plain code, one "
                        "thread); at 400 seq has no time");
    add_cell(&results, "cuda_fast", 100, 1, 3);
    results_derive(&results, 1);
    assert_string_equal(verdict(&results).finding,
                        "lbp at 100: the GPU is 2.00× faster than 4 CPU threads (kernel only); "
                        "with copies 1.50× slower; at 400 no GPU variant has a time");
    results_release(&results);
}

/* As in a file of a run that was cut off. */
TEST(a_cpu_without_a_time_end_to_end) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    Row *seq = add_cell(&results, "seq", 100, 6, 6);
    seq->end_to_end.count = 0;
    seq->end_to_end_summary = summary_none();
    add_cell(&results, "cuda_fast", 100, 2, 3);
    results_derive(&results, 1);
    const RunVerdict found = verdict(&results);
    starts(found.sentences[0].text, "Kernel only, the GPU (cuda_fast) is 3.00× faster (");
    assert_string_equal(found.sentences[1].text, "With copies, there is no speedup at 100: no CPU "
                                                 "variant has a time.");
}

/* Other inputs do not mix. */
TEST(other_questions_do_not_count) {
    RELEASED_BY(results_release) Results results = both_sides();
    for (size_t i = 3; i < results.count; i++) {
        snprintf(results.rows[i].input, sizeof results.rows[i].input, "other");
    }
    const RunVerdict found = verdict(&results);
    starts(found.sentences[0].text, "Kernel only, the GPU (cuda_fast) is 2.00× slower (");
    assert_says(found.sentences[0].text, ") than the best CPU (seq) at 100.");
}

/* Equal within the interval is neither faster nor slower. */
TEST(equal_times_are_called_equal) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 1, 1);
    add_cell(&results, "cuda_fast", 100, 1.0001, 1.0001);
    results_derive(&results, 1);
    const RunVerdict found = verdict(&results);
    starts(found.sentences[0].text, "Kernel only, the GPU (cuda_fast) is as fast (");
    assert_says(found.sentences[0].text, " (within 5%) as the best CPU (seq) at 100.");
    assert_int_equal(found.sentences[0].ink, INK_PLAIN);
}

/* Where seq is the best of the CPU, the others may be no slower within its interval; or there are
 * none. */
TEST(seq_as_the_best_cpu) {
    static const struct {
        double simd; /* milliseconds; 0: none */
        const char *words;
    } cases[] = {{0, "At 100 seq alone has a time on the CPU."},
                 {1.001, "At 100 whether a CPU variant is faster than seq is undecided."},
                 {2, "At 100 no CPU variant is faster than seq."}};
    for (size_t i = 0; i < 3; i++) {
        RELEASED_BY(results_release) Results results = {.rows = NULL};
        add_cell(&results, "seq", 100, 1, 1);
        if (cases[i].simd > 0) {
            add_cell(&results, "simd", 100, cases[i].simd, cases[i].simd);
        }
        results_derive(&results, 1);
        results.rows[0].kernel_summary.ci_high = 1.002e-3;
        assert_string_equal(verdict(&results).sentences[0].text, cases[i].words);
    }
}

/* Twice as fast by the medians at both sizes; the intervals of the ratios decide. */
TEST(sizes_that_intervals_do_not_tell_apart) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 1, 1);
    add_cell(&results, "seq", 400, 16, 16);
    add_cell(&results, "cuda_fast", 100, 0.5, 2);
    add_cell(&results, "cuda_fast", 400, 8, 32);
    results_derive(&results, 1);
    assert_says(verdict(&results).sentences[0].text, "; it is ahead at every size.");
    for (size_t i = 2; i < 4; i++) {
        results.rows[i].won_kernel.low = 0.5;
    }
    assert_says(verdict(&results).sentences[0].text, "; it is undecided at every size.");
    results.rows[3].won_kernel.low = 1.9;
    assert_says(verdict(&results).sentences[0].text,
                "; it is ahead at 1 of 2 sizes; undecided at 100.");
}

/* === Disturbances ============================================================================= */

/* The end of a sentence from ", since" on; "." where it rests on nothing that was disturbed. Then
 * it has a ratio, and else none. */
static void check_end(Results *results, size_t sentence, const char *end) {
    results_derive(results, 1);
    const RunVerdict found = verdict(results);
    const char *text = found.sentences[sentence].text;
    const char *since = strstr(text, ", since");
    assert_string_equal(since != NULL ? since : text + strlen(text) - 1, end);
    assert_int_equal(strstr(text, "undecided") != NULL, since != NULL);
    assert_true(since == NULL || (strstr(text, "faster (") == NULL && strstr(text, "×") == NULL));
}

/* Of omp, whose run takes `milliseconds`, and seq, which takes ten times as long. */
TEST(a_sentence_says_what_it_rests_on) {
    static const struct {
        double milliseconds;
        int threads;
        double stolen, cpu_share, least_share; /* of the median; 0: as it is */
        const char *end;
    } cases[] = {
        {2, 4, NAN, NAN, 0, "."},
        {2, 4, 0.15, NAN, 0, "."}, /* 0.85^4 is above a half */
        {2, 4, 0.38, NAN, 0,
         ", since omp/threads:4's time is disturbed: other guests had its processors for 38% of "
         "the "
         "time."},
        /* CPU time of several threads is known of longer runs alone. */
        {2, 4, NAN, 0.1, 0, "."},
        {6, 4, NAN, 0.81, 0, "."},
        {6, 4, NAN, 0.6, 0,
         ", since omp/threads:4's time is disturbed: other programs had its processors for 40% of "
         "the time."},
        {2, 1, NAN, 0.81, 0, "."},
        {2, 1, NAN, 0.6, 0,
         ", since omp/threads:1's time is disturbed: other programs had its processor for 40% of "
         "the "
         "time."},
        {2, 1, 0.3, 0.6, 0,
         ", since omp/threads:1's time is disturbed: other guests had its processor for 30% of the "
         "time."},
        /* Whatever it was, threads that waited for each other show it best. */
        {9, 2, 0.02, 0.85, 0.4, "."},
        {9, 2, 0.02, 0.85, 0.0125,
         ", since omp/threads:2's time is disturbed: its fastest sample took 113 µs, the median "
         "9.00 "
         "ms."},
        {9, 2, 0.38, 0.85, 0.0125,
         ", since omp/threads:2's time is disturbed: other guests had its processors for 38% of "
         "the "
         "time, and its fastest sample took 113 µs, the median 9.00 ms."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(results_release) Results results = {.rows = NULL};
        const double time = cases[i].milliseconds;
        add_cell(&results, "seq", 100, 10 * time, 10 * time);
        set_threads(add_cell(&results, "omp", 100, time, time), cases[i].threads);
        results_derive(&results, 1);
        Row *omp = &results.rows[1];
        omp->stolen_share = cases[i].stolen;
        omp->cpu_seconds = cases[i].cpu_share * cases[i].threads * time * 1e-3;
        if (cases[i].least_share > 0) {
            omp->kernel_summary.min = cases[i].least_share * omp->kernel_summary.median;
        }
        check_end(&results, 0, cases[i].end);
    }
}

/* A held device works without the host; its copies do not. */
TEST(a_gpu_is_disturbed_end_to_end) {
    static const char end[] = ", since cuda_fast's time with copies is disturbed: other guests had "
                              "the host's processors for 50% of the time.";
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 8, 8);
    add_cell(&results, "cuda_fast", 100, 2, 4);
    results_derive(&results, 1);
    results.rows[1].stolen_share = 0.5;
    results.rows[1].held = true;
    check_end(&results, 0, ".");
    check_end(&results, 1, end);
    results.rows[1].held = false;
    check_end(&results, 0,
              ", since cuda_fast's time is disturbed: other guests had the host's "
              "processors for 50% of the time.");
    /* Both sides. */
    results.rows[1].held = true;
    results.rows[0].stolen_share = 0.25;
    check_end(&results, 0,
              ", since seq's time is disturbed: other guests had its processor for 25% "
              "of the time.");
    check_end(&results, 1,
              ", since cuda_fast's time with copies is disturbed: other guests had the host's "
              "processors for 50% of the time; and seq's time is disturbed: other guests had its "
              "processor for 25% of the time.");
}

TEST(the_base_may_be_disturbed) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 8, 8);
    add_cell(&results, "simd", 100, 2, 2);
    results_derive(&results, 1);
    results.rows[0].stolen_share = 0.25;
    check_end(&results, 0,
              ", since seq's time is disturbed: other guests had its processor for 25% "
              "of the time.");
    /* Once, though without that it might be the best as well. */
    results.rows[0].stolen_share = NAN;
    results.rows[0].kernel_summary.min = 1e-3;
    check_end(&results, 0,
              ", since seq's time is disturbed: its fastest sample took 1.00 ms, the median 8.00 "
              "ms.");
}

/* simd takes 8 ms; omp 9, of which it had the processors so little that it may be the faster one.
 */
TEST(a_disturbed_cell_may_be_the_best) {
    static const char end[] = ", since omp/threads:2's time is disturbed: its fastest sample took "
                              "100 µs, the median 9.00 ms.";
    for (int gpu = 0; gpu < 2; gpu++) {
        RELEASED_BY(results_release) Results results = {.rows = NULL};
        add_cell(&results, "seq", 100, 80, 80);
        add_cell(&results, "simd", 100, 8, 8);
        set_threads(add_cell(&results, "omp", 100, 9, 9), 2);
        if (gpu == 1) {
            add_cell(&results, "cuda_fast", 100, 2, 4);
        }
        results_derive(&results, 1);
        check_end(&results, 0, ".");
        results.rows[2].kernel_summary.min = 0.1e-3;
        check_end(&results, 0, end);
        results.rows[1].kernel_summary.median = 0.09e-3; /* it is the best anyway */
        check_end(&results, 0, ".");
    }
    /* Slower than seq, as it seems. */
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_cell(&results, "seq", 100, 8, 8);
    set_threads(add_cell(&results, "omp", 100, 9, 9), 2);
    results_derive(&results, 1);
    assert_string_equal(verdict(&results).sentences[0].text,
                        "At 100 no CPU variant is faster than seq.");
    results.rows[1].kernel_summary.min = 0.1e-3;
    check_end(&results, 0, end);
}

TEST(ratios_in_words) {
    char text[NUMBER_WORDS_SIZE];
    faster_text(&(Ratio){.value = 36.71, .low = NAN, .high = NAN}, text);
    assert_string_equal(text, "36.7× faster");
    /* 1 / 0.5, 1 / 0.625 and 1 / 0.4 */
    faster_text(&(Ratio){.value = 0.5, .low = 0.4, .high = 0.625}, text);
    assert_string_equal(text, "2.00× slower (1.60 to 2.50)");
    faster_text(&(Ratio){.value = NAN, .low = NAN, .high = NAN}, text);
    assert_string_equal(text, "");
}
