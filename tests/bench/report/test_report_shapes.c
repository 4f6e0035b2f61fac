/* Reports of runs of other shapes: answer points, sets, nothing on the CPU, nothing at all. */
#include "algorithm.h"
#include "command_line.h"
#include "document.h"
#include "registry.h"
#include "report.h"
#include "report_fixture.h"
#include "report_internal.h"
#include "results.h"
#include "table.h"
#include "test.h"

/* How the run was measured. */
static const char *method(const Report *report, const char *fact) {
    const DocTable *table = find_table(report, "method");
    assert_non_null(table);
    return cell(table, find_row(table, "fact", fact), NULL, "value")->text;
}

/* --- Recorded: other shapes ------------------------------------------------------------------- */

TEST(answer_points_have_a_column_and_charts_against_their_axis) {
    Report report = recorded("lbp_riu");
    const DocTable *table = table_of(&report, "fastest", 10);
    assert_string_equal(cell(table, 7, NULL, "size")->text, "2048×2048");
    assert_near(cell(table, 7, "kernel", "over seq")->number, 49000, 0.005);
    assert_string_equal(cell(table, 9, NULL, "answer")->text, "pr 24:3");
    assert_string_equal(cell(table, 9, NULL, "size")->text, "8192×8192");
    assert_near(cell(table, 9, "GPU is", "with copies")->number, 5.68, 0.005);
    const DocTable *measured = find_table(&report, "measured");
    assert_string_equal(cell(measured, 0, NULL, "fixed answer axes")->text,
                        "interp bilinear, store none");
    assert_string_equal(cell(measured, 0, NULL, "answer points")->text, "2");
    assert_memory_equal(cell(measured, 0, NULL, "sizes")->text, "5, ", 3);
    const DocTable *partial = find_table(&report, "agreement");
    assert_non_null(partial);
    assert_string_equal(cell(partial, 0, NULL, "variant")->text, "cuda_texture");
    assert_near(cell(partial, partial->row_count - 1, NULL, "equal elements (%)")->number, 99.91,
                0.0001);
    release(&report);
    report = recorded("../../../reports/results/h100/studies/lbp-riu-2018/runs/others");
    const DocChart *sweep = NULL;
    for (size_t i = 0; i < report.document.count; i++) {
        const Block *block = &report.document.blocks[i];
        if (block->kind == BLOCK_CHART && strstr(block->chart->name, "-pr-time") != NULL) {
            sweep = block->chart;
        }
    }
    assert_non_null(sweep);
    assert_int_equal(sweep->x.count, 3);
    assert_string_equal(sweep->x.ticks[2].label, "24:3");
    assert_true(sweep->x.ticks[2].value == 24);
    release(&report);
}

TEST(many_answers_at_one_size_are_drawn_against_their_axis_only) {
    RELEASED_BY(release) Report report = recorded("lacunarity-box-512");
    size_t sweeps = 0;
    for (size_t i = 0; i < report.document.count; i++) {
        const Block *block = &report.document.blocks[i];
        if (block->kind == BLOCK_CHART) {
            assert_null(strstr(block->chart->title, "against size"));
            sweeps += strstr(block->chart->title, "against box") != NULL;
        }
    }
    assert_int_equal(sweeps, 3); /* time twice, and speedup over the best CPU variant */
    const DocTable *ahead = find_table(&report, "crossover-lacunarity-on-texture");
    assert_non_null(ahead);
    const size_t fast = find_row(ahead, "variant", "cuda_fast");
    assert_string_equal(cell(ahead, fast, NULL, "by kernel time")->text,
                        "ahead at 2 of 9, undecided at 4");
    assert_string_equal(cell(ahead, fast, NULL, "with copies")->text, "ahead at 0 of 9");
    assert_int_equal(cell(ahead, fast, NULL, "with copies")->kind, CELL_PLAIN);
}

TEST(sets_are_counted_in_images) {
    RELEASED_BY(release) Report report = recorded("haar");
    const DocTable *table = table_of(&report, "fastest", 5);
    assert_string_equal(cell(table, 4, NULL, "images")->text, "10000");
    assert_string_equal(cell(table, 4, "with copies", "fastest")->text, "cuda_streamed");
    assert_string_equal(cell(table, 4, "kernel", "over seq")->text, "no seq");
    assert_int_equal(cell(table, 4, "kernel", "over seq")->kind, CELL_MISSING);
    /* Four estimates for seq, one reason. */
    const DocTable *reasons = table_of(&report, "without-time", 1);
    assert_string_equal(cell(reasons, 0, NULL, "cells")->text, "4");
    /* The chart ends where seq does. */
    for (size_t i = 0; i < report.document.count; i++) {
        const Block *block = &report.document.blocks[i];
        if (block->kind == BLOCK_CHART && strstr(block->chart->name, "speedup-seq") != NULL) {
            for (size_t j = 0; j < block->chart->count; j++) {
                const ChartSeries *series = &block->chart->series[j];
                assert_string_equal(series->points[series->count - 1].label, "500");
            }
            assert_says(block->chart->description, " at 500");
        }
    }
}

TEST(one_size_crosses_over_along_numbers_of_the_answer) {
    RELEASED_BY(release) Report report = recorded("hashsift");
    const DocTable *table = table_of(&report, "crossover-hashsift-on-meadow.jpg-keypoints", 4);
    const char *group = "ahead, by keypoints";
    assert_string_equal(cell(table, 0, NULL, "variant")->text, "cuda_naive");
    assert_string_equal(cell(table, 0, group, "with copies")->text, "at no value (1000 to 40000)");
    assert_int_equal(cell(table, 0, group, "with copies")->kind, CELL_PLAIN);
    assert_string_equal(cell(table, 3, NULL, "variant")->text, "cuda_fast");
    assert_string_equal(cell(table, 3, group, "kernel time")->text,
                        "at every value (1000 to 40000)");
    assert_string_equal(cell(table, 3, group, "with copies")->text,
                        "at 2 of 3 values (1000 to 40000); undecided at 1000");
    assert_null(find_table(&report, "crossover-hashsift-on-meadow.jpg-bits"));
    /* Answers that agree in part never seem to agree in all. */
    const DocTable *partial = find_table(&report, "agreement");
    assert_non_null(partial);
    for (size_t i = 0; i < partial->row_count; i++) {
        assert_int_equal(strncmp(cell(partial, i, NULL, "equal elements (%)")->text, "99.9", 4), 0);
    }
}

/* What a page begins with is the answer of its headline, the last one. */
TEST(the_first_chart_names_the_other_axes) {
    RELEASED_BY(release)
    Report report = recorded("../../../reports/results/h100/studies/lbp-riu-2018/runs/agreement");
    const DocChart *first = find_chart(&report, "first-time");
    assert_non_null(first);
    assert_says(first->title, "Time against pr at 1024×1024, interp bilinear");
}

/* With --weak it was measured on GPUs alone, and over the best CPU variant there is nothing. */
TEST(no_chart_of_a_page_is_empty) {
    RELEASED_BY(release) Report report = recorded("../../../reports/results/h200x4/weak-matching");
    size_t charts = 0;
    for (size_t i = 0; i < report.document.count; i++) {
        const Block *block = &report.document.blocks[i];
        if (block->kind == BLOCK_CHART) {
            assert_true(block->chart->count > 0);
            charts++;
        }
    }
    assert_int_equal(charts, 3);
}

TEST(two_numbers_are_a_range_where_there_is_nothing_else) {
    RELEASED_BY(release) Report report = recorded("matching");
    const DocTable *table = table_of(&report, "crossover-matching-on-pairs-keypoints", 3);
    assert_true(find_column(table, NULL, "answer") == SIZE_MAX); /* it has no other axis */
    size_t charts = 0;
    for (size_t i = 0; i < report.document.count; i++) {
        const Block *block = &report.document.blocks[i];
        if (block->kind == BLOCK_CHART && strstr(block->chart->title, "against keypoints")) {
            assert_int_equal(block->chart->x.count, 2);
            assert_true(block->chart->x.ticks[0].value == 1000);
            assert_true(block->chart->x.ticks[1].value == 10000);
            charts++;
        }
    }
    assert_int_equal(charts, 3); /* time twice, and speedup over the best CPU variant */
    assert_string_equal(find_chart(&report, "first-time")->series[0].name, "best CPU");
    assert_string_equal(find_chart(&report, "first-time")->series[1].name, "best GPU");
    /* It counts no operations: none a second would be a wrong number. */
    const DocTable *roof =
        find_table(&report, "matching-pairs-bits-256-keypoints-1000-distance-hamming-roof");
    assert_non_null(roof);
    assert_true(find_column(roof, NULL, "Gop/s") == SIZE_MAX);
    assert_true(find_column(roof, NULL, "GB/s") != SIZE_MAX);
}

TEST(stages_tell_where_the_time_goes) {
    Report report = recorded("hashsift");
    const DocTable *table = find_table(&report, "stages-hashsift-on-meadow.jpg");
    assert_non_null(table);
    assert_true(table->shaded);
    const char *group = "time (ms)";
    /* 1000 keypoints: seq is first, cuda_fast last, which has no stage of its own for
     * the signs. Numbers are those of the file. */
    const size_t fast = find_row(table, "variant", "cuda_fast");
    assert_int_equal(fast, 6);
    assert_near(cell(table, fast, group, "upload")->number, 518.08e-6, 1e-5);
    assert_near(cell(table, fast, group, "sift")->number, 15.776e-6, 1e-5);
    assert_near(cell(table, fast, group, "product")->number, 18.048e-6, 1e-5);
    assert_string_equal(cell(table, fast, group, "sign")->text, "");
    assert_string_equal(cell(table, fast, group, "upload")->note, "91% of all parts");
    assert_string_equal(cell(table, 0, group, "upload")->text, "");
    assert_string_equal(cell(table, 0, group, "sift")->text, "47.5");
    assert_string_equal(cell(table, 0, group, "sift")->note, "64% of all parts");
    assert_true(find_column(table, group, "kernel, undivided") == SIZE_MAX);
    assert_says(table->note, "The stages are those of the first launch.");
    for (size_t i = 0; i < report.stored.results.count; i++) {
        report.stored.results.rows[i].kernel_summary.launches = 1;
    }
    document_release(&report.document);
    build(&report);
    table = find_table(&report, "stages-hashsift-on-meadow.jpg");
    assert_null(strstr(table->note, "launch"));
    release(&report);
    report = recorded("haar"); /* of 10000 images only cuda_texture has parts */
    table = find_table(&report, "stages-haar-on-train-images-idx3-ubyte.gz");
    assert_non_null(table);
    assert_says(table->caption, "at 10000 images");
    const size_t omp = find_row(table, "variant", "omp");
    assert_string_equal(cell(table, omp, group, "kernel, undivided")->text, "6.19");
    assert_string_equal(cell(table, omp, group, "integral")->text, "");
    const size_t texture = find_row(table, "variant", "cuda_texture");
    assert_string_equal(cell(table, texture, group, "kernel, undivided")->text, "");
    assert_string_equal(cell(table, texture, group, "features")->text, "12.7");
    release(&report);
    report = recorded("lbp");
    assert_false(says(&report, "Where the time goes"));
    release(&report);
}

TEST(without_charts_there_are_no_words_on_reading_them) {
    Report report = recorded("adaboost-10000");
    assert_true(says(&report, "There is nothing to draw a line through"));
    assert_false(says(&report, "Bars that are not seen"));
    release(&report);
    report = recorded("lbp");
    assert_true(says(&report, "Bars that are not seen"));
    release(&report);
}

TEST(a_run_without_cpu_variants_has_no_ratios) {
    RELEASED_BY(release) Report report = recorded("lbp-pinned-noise");
    const DocTable *table = find_table(&report, "fastest");
    assert_non_null(table);
    assert_true(find_column(table, "GPU is", "kernel") == SIZE_MAX);
    assert_near(cell(table, 6, "with copies", "time (µs)")->number, 2.86e-3, 0.005);
    const DocTable *measured = find_table(&report, "measured");
    assert_string_equal(cell(measured, 0, "CPU", "variants")->text, "none with a time");
    assert_string_equal(method(&report, "host memory of copies"), "page-locked");
    assert_null(find_table(&report, "crossover"));
}

/* --- Made by hand ----------------------------------------------------------------------------- */

static Report of_results(Results results) {
    Report report = {.stored = {.results = results, .elapsed = NAN, .complete = true}};
    return report;
}

/* Values are read as the options are, and what a budget rules is not told as if it had not. */
TEST(how_sampling_ended_is_told_by_the_options) {
    static const struct {
        const char *line, *fact, *text;
        size_t launches;
    } cases[] = {
        {"", "95% interval of the median asked for", "±1%", 1},
        {"--ci-width 2% --max-time 500ms", "95% interval of the median asked for", "±2%", 1},
        {"--ci-width 2% --max-time 500ms", "sampling ends after", "0.5 s", 1},
        {"--launches 6", "sampling ends after", "10 s", 6},
        {"", "samples asked for", "as many as the time allows", 6},
        {"", "time for all launches", "60 s", 6},
        {"--budget 2min", "time for all launches", "120 s", 1},
        {"--budget none", "samples asked for", "at least 15 a cell", 6},
        {"--max-cell 2min", "seq skipped above", "120 s a run, estimated", 1},
        {"", "seq skipped above", "60 s a run, estimated, or what the budget has for long runs", 6},
        {"--budget none", "seq skipped above", "60 s a run, estimated", 6},
        {"--budget 9s --max-cell 60", "seq skipped above", "60 s a run, estimated", 6},
        {"--no-such-option 5 --reps 7", "samples asked for", "exactly 7 a cell", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(release) Report report = of_results(sample_results());
        bool open;
        command_line_split(cases[i].line, &report.stored.arguments, &open);
        for (size_t j = 0; j < report.stored.results.count; j++) {
            report.stored.results.rows[j].kernel_summary.launches = cases[i].launches;
        }
        build(&report);
        assert_string_equal(method(&report, cases[i].fact), cases[i].text);
    }
}

TEST(failures_skips_and_facts_are_told) {
    RELEASED_BY(release) Report report = of_results(sample_results());
    report.stored.machine = *sample_record()->machine;
    bool open;
    command_line_split("--algo lbp --input 'my --pinned photo.png' --reps 9 --cold --no-interleave",
                       &report.stored.arguments, &open);
    report.stored.ignored = 2;
    build(&report);
    const DocTable *failures = table_of(&report, "failures", 1);
    assert_string_equal(cell(failures, 0, NULL, "what went wrong")->text, "codes differ at (1, 2)");
    assert_int_equal(cell(failures, 0, NULL, "what went wrong")->kind, CELL_BAD);
    const DocTable *reasons = table_of(&report, "without-time", 2);
    assert_string_equal(cell(reasons, 0, NULL, "variants")->text, "cuda_naive");
    const DocTable *cells = table_of(&report, "cells", 4);
    assert_string_equal(cell(cells, 1, NULL, "status")->text, "skipped");
    assert_true(find_column(cells, "with copies", "upload (ms)") == SIZE_MAX);
    const DocTable *machine = find_table(&report, "machine");
    assert_non_null(machine);
    assert_string_equal(cell(machine, 0, NULL, "value")->text, "Test CPU");
    assert_int_equal(cell(machine, 0, NULL, "value")->kind, CELL_STRONG);
    assert_int_equal(find_table(&report, "ceilings")->row_count, 2);
    assert_int_equal(find_table(&report, "caches")->row_count, 1);
    const DocTable *verified = find_table(&report, "verification");
    assert_string_equal(cell(verified, 0, NULL, "cells with a time")->text, "2");
    assert_string_equal(method(&report, "samples asked for"), "exactly 9 a cell");
    assert_string_equal(method(&report, "order of samples"), "cell after cell");
    assert_string_equal(method(&report, "warm-up runs"), "at most 3");
    assert_true(says(&report, "2 rows of algorithms, variants or axes"));
    assert_true(says(&report, "no GPU variant has a verified time"));
    assert_true(says(&report, "without a GPU on Test CPU"));
    const DocTable *first = find_table(&report, "summary");
    assert_string_equal(cell(first, 0, NULL, "against seq")->text, "2.50× faster");
    /* Within quotes it is no argument. */
    assert_null(strstr(find_table(&report, "fastest")->note, "page-locked"));
}

/* A GPU's cells without a time are over nothing. */
TEST(without_a_time_on_a_gpu_nothing_is_over_the_best_cpu) {
    Results results = {.rows = NULL};
    const Row rows[] = {measured_row("seq", 2), measured_row("simd", 1), sample_row("cuda_fast")};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_ok(results_add(&results, &rows[i]));
    }
    results_derive(&results, 1);
    RELEASED_BY(release) Report report = of_results(results);
    build(&report);
    assert_true(says(&report, "over seq (1 thread)"));
    assert_false(says(&report, "over the best CPU variant,"));
}

TEST(an_empty_run_has_a_page) {
    RELEASED_BY(release) Report report = of_results((Results){.rows = NULL});
    build(&report);
    assert_true(says(&report, "This run has no cells."));
    assert_null(find_table(&report, "fastest"));
    assert_true(count_blocks(&report, BLOCK_HEADING) >= 9);
}

TEST(a_run_without_times_says_so) {
    Results results = {.rows = NULL};
    Row row = sample_row("seq");
    snprintf(row.why, sizeof row.why, "needs more memory");
    assert_ok(results_add(&results, &row));
    RELEASED_BY(release) Report report = of_results(results);
    build(&report);
    assert_true(says(&report, "lbp on texture: no cell has a verified time"));
    assert_null(find_table(&report, "fastest"));
    assert_int_equal(count_blocks(&report, BLOCK_CHART), 0);
    assert_non_null(find_table(&report, "without-time"));
}

TEST(many_answer_points_have_few_charts) {
    const Algorithm *algorithm = registry_find_algorithm("lacunarity");
    Results results = {.rows = NULL};
    for (int box = 1; box <= 256; box++) {
        for (int side = 1; side <= 2; side++) {
            Row row = measured_row("seq", 0.001 * box);
            row.algorithm = algorithm;
            row.variant = registry_find_variant(algorithm, "seq");
            row.width = row.height = 512 * side;
            snprintf(row.size_name, sizeof row.size_name, "%d", 512 * side);
            row.answer.count = 1;
            row.answer.axes[0] = algorithm->answer[0];
            snprintf(row.answer.values[0].text, AXIS_TEXT_SIZE, "%d", box);
            row.answer.values[0].number = box;
            assert_ok(results_add(&results, &row));
        }
    }
    RELEASED_BY(release) Report report = of_results(results);
    build(&report);
    assert_int_equal(find_table(&report, "fastest")->row_count, 512);
    const size_t charts = count_blocks(&report, BLOCK_CHART);
    assert_true(charts >= 1 && charts <= 24 + 3); /* and rooflines of the first, middle and last */
}
