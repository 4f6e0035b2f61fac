/* The roof of a row against numbers worked out by hand. */
#include "bench/fakes.h"
#include "results.h"
#include "results_internal.h"
#include "test.h"

/* A processor of 4 threads, and a device. Caches on the CPU are measured on half of them: 32 kB,
 * 1 MB and 16 MB for one thread. The device's is measured on a quarter: 40 MB. */
static Ceilings sample_ceilings(void) {
    Ceilings ceilings = {.count = 0};
    ceilings_add(&ceilings, "copy_l1", CEILING_BANDWIDTH, 1, 200e9, 16e3);
    ceilings_add(&ceilings, "copy_l2", CEILING_BANDWIDTH, 1, 100e9, 500e3);
    ceilings_add(&ceilings, "copy_llc", CEILING_BANDWIDTH, 1, 50e9, 8e6);
    ceilings_add(&ceilings, "copy_dram", CEILING_BANDWIDTH, 1, 20e9, 128e6);
    ceilings_add(&ceilings, "int32", CEILING_OPERATIONS, 1, 100e9, 0);
    ceilings_add(&ceilings, "fp32", CEILING_OPERATIONS, 1, 50e9, 0);
    ceilings_add(&ceilings, "copy_l1", CEILING_BANDWIDTH, 4, 800e9, 64e3);
    ceilings_add(&ceilings, "copy_l2", CEILING_BANDWIDTH, 4, 400e9, 2e6);
    ceilings_add(&ceilings, "copy_llc", CEILING_BANDWIDTH, 4, 180e9, 8e6);
    ceilings_add(&ceilings, "copy_dram", CEILING_BANDWIDTH, 4, 45e9, 128e6);
    ceilings_add(&ceilings, "int32", CEILING_OPERATIONS, 4, 400e9, 0);
    ceilings_add(&ceilings, "copy_l2", CEILING_BANDWIDTH, 0, 8e12, 10e6);
    ceilings_add(&ceilings, "copy_dram", CEILING_BANDWIDTH, 0, 4e12, 2e9);
    ceilings_add(&ceilings, "int32", CEILING_OPERATIONS, 0, 16e12, 0);
    ceilings_add(&ceilings, "empty_kernel", CEILING_TIME, 0, 4e-6, 0);
    ceilings_add(&ceilings, "launch", CEILING_TIME, 0, 1.5e-6, 0);
    return ceilings;
}

static Row make_row(const char *variant, int threads, double bytes, double operations,
                    double seconds) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant(variant);
    row.threads = threads;
    row.batch = 1;
    row.cost = (Cost){.bytes = bytes, .operations = operations, .items = 1};
    row.kernel_summary.count = 9;
    row.kernel_summary.median = seconds;
    return row;
}

static void derive(Row *row) {
    const Ceilings ceilings = sample_ceilings();
    row_roof_clear(row);
    row_roof_derive(&ceilings, NULL, row);
}

static const Axis gpus_axis = {
    .name = "gpus", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 16};

static Row on_gpus(Row row, int gpus) {
    row.tuning.axes[0] = &gpus_axis;
    row.tuning.values[0].number = gpus;
    row.tuning.count = 1;
    return row;
}

static void check_bound(Row row, const char *bound, double bandwidth, double seconds) {
    derive(&row);
    assert_string_equal(row.bound, bound);
    assert_near(row.ceiling_bandwidth, bandwidth, 1e-9);
    assert_near(row.roof_seconds, seconds, 1e-9);
}

TEST(a_hot_row_is_held_against_the_level_that_holds_it) {
    check_bound(make_row("seq", 1, 32e3, 0, 1), "l1", 200e9, 32e3 / 200e9);
    check_bound(make_row("seq", 1, 33e3, 0, 1), "l2", 100e9, 33e3 / 100e9);
    check_bound(make_row("seq", 1, 1.1e6, 0, 1), "llc", 50e9, 1.1e6 / 50e9);
    check_bound(make_row("seq", 1, 16e6, 0, 1), "llc", 50e9, 16e6 / 50e9);
    check_bound(make_row("seq", 1, 17e6, 0, 1), "dram", 20e9, 17e6 / 20e9);
}

TEST(a_cold_row_is_held_against_memory) {
    Row row = make_row("seq", 1, 32e3, 0, 1);
    row.cold = true;
    check_bound(row, "dram", 20e9, 32e3 / 20e9);
}

/* Of the first level each thread has its own: together they hold more. Of the last they share one:
 * two threads have 2 × 50 of the 180 GB/s, and 3 × 20 of memory's 45 are not to be had. */
TEST(threads_have_their_share) {
    check_bound(make_row("omp", 4, 128e3, 0, 1), "l1", 800e9, 128e3 / 800e9);
    check_bound(make_row("omp", 2, 128e3, 0, 1), "l2", 200e9, 128e3 / 200e9);
    check_bound(make_row("omp", 2, 16e6, 0, 1), "llc", 100e9, 16e6 / 100e9);
    check_bound(make_row("omp", 3, 17e6, 0, 1), "dram", 45e9, 17e6 / 45e9);
    check_bound(make_row("omp", 8, 17e6, 0, 1), "dram", 45e9, 17e6 / 45e9);
}

TEST(the_slower_of_bytes_and_operations_binds) {
    /* 17 MB take 850 µs from memory; 85 M operations take 850 µs. */
    Row row = make_row("seq", 1, 17e6, 84e6, 1e-3);
    derive(&row);
    assert_string_equal(row.bound, "dram");
    assert_string_equal(row.roof, "copy_dram/threads:1");
    assert_near(row.roof_seconds, 850e-6, 1e-9);
    assert_near(row.roof_fraction, 0.85, 1e-9);
    row.cost.operations = 86e6;
    derive(&row);
    assert_string_equal(row.bound, "int32");
    assert_string_equal(row.roof, "int32/threads:1");
    assert_near(row.roof_seconds, 860e-6, 1e-9);
    assert_near(row.ceiling_operations, 100e9, 1e-9);
    row.cost.operation = "fp32";
    derive(&row);
    assert_string_equal(row.bound, "fp32");
    assert_near(row.roof_seconds, 1720e-6, 1e-9);
    assert_true(row.over_roof);
}

/* 40 MB fit the device's cache: 5 µs after 4 µs of launching. 80 MB do not: 20 µs and 4. */
TEST(a_device_launches_first) {
    check_bound(make_row("dev_good", 0, 40e6, 0, 1), "l2", 8e12, 9e-6);
    check_bound(make_row("dev_good", 0, 80e6, 0, 1), "dram", 4e12, 24e-6);
    check_bound(make_row("dev_good", 0, 40e3, 0, 1), "launch", 8e12, 4.005e-6);
    check_bound(make_row("dev_good", 0, 40e6, 160e6, 1), "int32", 8e12, 14e-6);
    Row batched = make_row("dev_good", 0, 40e6, 0, 1);
    batched.batch = 10; /* one launch in ten is waited for */
    check_bound(batched, "l2", 8e12, 5.4e-6);
}

/* 8 MB take 1 µs and 16 MB 2 µs, whatever the batch; a kernel starts every 1.5 µs. */
TEST(a_held_device_has_launched_before) {
    Row row = make_row("dev_good", 0, 8e6, 0, 2e-6);
    row.held = true;
    derive(&row);
    assert_string_equal(row.bound, "launch");
    assert_string_equal(row.roof, "launch");
    assert_near(row.roof_seconds, 1.5e-6, 1e-9);
    assert_near(row.roof_fraction, 0.75, 1e-9);
    assert_near(row.ceiling_bandwidth, 8e12, 1e-9);
    row.cost.bytes = 16e6;
    check_bound(row, "l2", 8e12, 2e-6);
    row.cost.operations = 64e6;
    check_bound(row, "int32", 8e12, 4e-6);
    row.batch = 10;
    check_bound(row, "int32", 8e12, 4e-6);
}

/* Two devices have 7 of 2 · 4 TB/s of memory, 30 of 2 · 16 T operations, caches of 80 MB together
 * and launch in 5 and 1.6 µs: what was measured, not twice that of one. */
TEST(several_devices_have_what_they_reach_together) {
    Ceilings ceilings = sample_ceilings();
    ceilings_add_on(&ceilings, 2, "copy_l2", CEILING_BANDWIDTH, 0, 15e12, 20e6);
    ceilings_add_on(&ceilings, 2, "copy_dram", CEILING_BANDWIDTH, 0, 7e12, 4e9);
    ceilings_add_on(&ceilings, 2, "int32", CEILING_OPERATIONS, 0, 30e12, 0);
    ceilings_add_on(&ceilings, 2, "empty_kernel", CEILING_TIME, 0, 5e-6, 0);
    ceilings_add_on(&ceilings, 2, "launch", CEILING_TIME, 0, 1.6e-6, 0);
    Row row = on_gpus(make_row("dev_good", 0, 140e6, 0, 50e-6), 2);
    row.held = true;
    row_roof_derive(&ceilings, NULL, &row); /* 140 MB by 7 TB/s: 20 µs of 50 */
    assert_string_equal(row.roof, "copy_dram/gpus:2");
    assert_string_equal(row.roof_parts.name, "copy_dram");
    assert_int_equal(row.roof_parts.devices, 2);
    assert_string_equal(row.bound, "dram");
    assert_near(row.roof_fraction, 0.4, 1e-9);
    assert_near(row.ceiling_bandwidth, 7e12, 1e-9);
    assert_near(row.ceiling_operations, 30e12, 1e-9);
    row.cost.operations = 900e6; /* 30 µs */
    row_roof_derive(&ceilings, NULL, &row);
    assert_string_equal(row.roof, "int32/gpus:2");
    assert_near(row.roof_fraction, 0.6, 1e-9);
    row.cost = (Cost){.bytes = 75e6, .operations = 0, .items = 1}; /* fits both caches */
    row_roof_derive(&ceilings, NULL, &row);
    assert_string_equal(row.roof, "copy_l2/gpus:2");
    assert_near(row.roof_seconds, 5e-6, 1e-9);
    row.cost.bytes = 1500;
    row_roof_derive(&ceilings, NULL, &row);
    assert_string_equal(row.roof, "launch/gpus:2");
    assert_near(row.roof_seconds, 1.6e-6, 1e-9);
    row.held = false;
    row_roof_derive(&ceilings, NULL, &row);
    assert_near(row.roof_seconds, 5e-6 + 1500 / 15e12, 1e-9);
}

/* Ceilings of one and of two say nothing of four, which may share more. */
TEST(without_ceilings_of_as_many_devices_there_is_no_roof) {
    Ceilings ceilings = sample_ceilings();
    ceilings_add_on(&ceilings, 2, "copy_dram", CEILING_BANDWIDTH, 0, 7e12, 4e9);
    Row row = on_gpus(make_row("dev_good", 0, 140e6, 5e6, 50e-6), 4);
    for (int held = 0; held < 2; held++) {
        row.held = held;
        row_roof_clear(&row);
        row_roof_derive(&ceilings, NULL, &row);
        assert_string_equal(row.roof, "");
        assert_string_equal(row.bound, "");
        assert_true(isnan(row.roof_seconds) && isnan(row.roof_fraction));
        assert_true(isnan(row.ceiling_bandwidth) && isnan(row.ceiling_operations));
    }
    row = on_gpus(row, 1); /* of cuda_multi too */
    row_roof_derive(&ceilings, NULL, &row);
    assert_string_equal(row.roof, "copy_dram");
    assert_near(row.roof_seconds, 140e6 / 4e12, 1e-9);
}

/* Of ceiling and copy, the one that allows less time; operations bind in either case. */
TEST(the_faster_of_ceiling_and_copy_counts) {
    const Ceilings ceilings = sample_ceilings();
    static const Algorithm copy_algorithm = {.name = "copy"};
    Row copy = make_row("simd", 1, 34e6, 0, 1.6e-3);
    copy.algorithm = &copy_algorithm;
    Row row = make_row("seq", 1, 17e6, 1e6, 1e-3);
    row_roof_derive(&ceilings, &copy, &row); /* half of 1.6 ms, and 850 µs */
    assert_string_equal(row.roof, "copy/simd");
    assert_string_equal(row.roof_parts.name, "simd");
    assert_true(row.roof_parts.copy);
    assert_string_equal(row.bound, "copy");
    assert_near(row.roof_seconds, 800e-6, 1e-9);
    assert_near(row.ceiling_bandwidth, 17e6 / 800e-6, 1e-9);
    row.cost.operations = 90e6;
    row_roof_derive(&ceilings, &copy, &row);
    assert_string_equal(row.bound, "int32");
    assert_near(row.roof_seconds, 900e-6, 1e-9);
    row.cost.operations = 1e6;
    copy.kernel_summary.median = 1.8e-3;
    row_roof_derive(&ceilings, &copy, &row);
    assert_string_equal(row.bound, "dram");
    assert_false(row.roof_parts.copy);
    assert_near(row.roof_seconds, 850e-6, 1e-9);
}

TEST(a_row_over_its_roof_is_marked) {
    Row row = make_row("seq", 1, 20e6, 0, 1e-3); /* the roof is 1 ms */
    derive(&row);
    assert_near(row.roof_fraction, 1, 1e-9);
    assert_false(row.over_roof);
    row.kernel_summary.median = 1e-3 / 1.019;
    derive(&row);
    assert_false(row.over_roof);
    row.kernel_summary.median = 1e-3 / 1.021;
    derive(&row);
    assert_true(row.over_roof);
}

TEST(without_ceilings_there_is_no_roof) {
    const Ceilings none = {.count = 0};
    Row row = make_row("seq", 1, 20e6, 5e6, 1e-3);
    row_roof_derive(&none, NULL, &row);
    assert_string_equal(row.roof, "");
    assert_string_equal(row.bound, "");
    assert_true(isnan(row.roof_seconds) && isnan(row.roof_fraction));
    assert_true(isnan(row.ceiling_bandwidth) && isnan(row.ceiling_operations));
    assert_false(row.over_roof);
}

TEST(derived_rows_take_the_ceilings_of_their_results) {
    RELEASED_BY(results_release) Results results = {.ceilings = sample_ceilings()};
    Row row = make_row("seq", 1, 17e6, 0, 1e-3);
    row.status = CELL_OK;
    assert_ok(results_add(&results, &row));
    results_derive(&results, 1);
    assert_string_equal(results.rows[0].bound, "dram");
    assert_near(results.rows[0].roof_fraction, 0.85, 1e-9);
    results.ceilings.count = 0;
    results_derive(&results, 1);
    assert_string_equal(results.rows[0].roof, "");
    assert_true(isnan(results.rows[0].ceiling_bandwidth));
}
