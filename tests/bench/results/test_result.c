
#include "bench/fakes.h"
#include "results.h"
#include "row.h"
#include "test.h"

static Row named_row(void) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant("tiled");
    strcpy(row.input, "meadow.jpg");
    strcpy(row.size_name, "1080p");
    return row;
}

TEST(an_empty_row_knows_nothing) {
    const Row row = row_empty();
    const double numbers[] = {row.agreement,
                              row.cpu_seconds,
                              row.upload,
                              row.download,
                              row.with_alloc_summary.median,
                              row.kernel_summary.min,
                              row.kernel_summary.median,
                              row.kernel_summary.ci_high,
                              row.end_to_end_summary.p99,
                              row.cost.bytes,
                              row.items_per_second,
                              row.bytes_per_second,
                              row.roof_seconds,
                              row.roof_fraction,
                              row.base_seconds,
                              row.speedup,
                              row.speedup_ci_low,
                              row.speedup_ci_high,
                              row.speedup_end_to_end,
                              row.speedup_end_to_end_ci_low,
                              row.speedup_end_to_end_ci_high,
                              row.speedup_vs_best_cpu,
                              row.speedup_vs_best_cpu_ci_low,
                              row.speedup_vs_best_cpu_ci_high,
                              row.speedup_end_to_end_vs_best_cpu,
                              row.speedup_end_to_end_vs_best_cpu_ci_low,
                              row.speedup_end_to_end_vs_best_cpu_ci_high,
                              row.joule};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_true(isnan(numbers[i]));
    }
    assert_string_equal(row.why, "");
    assert_string_equal(row.base, "");
    assert_false(row.verified);
}

TEST(a_name_says_which_cell_it_is) {
    char name[256];
    Row row = named_row();
    row_name(&row, name, sizeof name);
    assert_string_equal(name, "fake/tiled/meadow.jpg/1080p");
    row.tuning = (Point){
        .count = 2, .axes = {&fake_threads_axis, &fake_tile_axis}, .values = {{4, "4"}, {8, "8"}}};
    row_name(&row, name, sizeof name);
    assert_string_equal(name, "fake/tiled/meadow.jpg/1080p/threads:4,tile:8");
    row.answer = (Point){.count = 1, .axes = {&fake_tile_axis}, .values = {{3, "3"}}};
    row_name(&row, name, sizeof name);
    assert_string_equal(name, "fake/tiled/meadow.jpg/1080p/tile:3/threads:4,tile:8");
    char label[64];
    variant_label(row.variant, &row.tuning, label, sizeof label);
    assert_string_equal(label, "tiled/threads:4,tile:8");
    row_name(&row, name, 8); /* cut, not overrun */
    assert_string_equal(name, "fake/ti");
}

TEST(cells_differ_in_any_part_of_their_names) {
    const Row row = named_row();
    Row other = row;
    assert_true(row_same_cell(&row, &other));
    other.cold = true;
    assert_false(row_same_cell(&row, &other));
    other = row;
    other.variant = fake_variant("naive");
    assert_false(row_same_cell(&row, &other));
    other = row;
    strcpy(other.input, "meadow.png");
    assert_false(row_same_cell(&row, &other));
    other = row;
    strcpy(other.size_name, "1080P");
    assert_false(row_same_cell(&row, &other));
    other = row;
    other.height = 1;
    assert_false(row_same_cell(&row, &other));
    other = row;
    other.tuning = (Point){.count = 1, .axes = {&fake_tile_axis}, .values = {{8, "8"}}};
    assert_false(row_same_cell(&row, &other));
    other = row;
    other.answer = (Point){.count = 1, .axes = {&fake_tile_axis}, .values = {{8, "8"}}};
    assert_false(row_same_cell(&row, &other));
    other.algorithm = NULL;
    assert_false(row_same_cell(&other, &other));
}

TEST(rows_are_kept_with_their_samples) {
    Results results = {0};
    for (int i = 0; i < 200; i++) {
        Row row = named_row();
        row.width = i;
        samples_add(&row.kernel, i);
        assert_ok(results_add(&results, &row));
    }
    assert_int_equal(results.count, 200);
    assert_int_equal(results.rows[137].width, 137);
    assert_true(results.rows[137].kernel.seconds[0] == 137);
    results_release(&results);
    assert_int_equal(results.count, 0);
    assert_null(results.rows);
}
