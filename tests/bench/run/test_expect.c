
#include "bench/fake_set.h"
#include "oracle.h"
#include "plan.h"
#include "results.h"
#include "test.h"

static const Input texture = {.name = "texture", .stem = "texture"};
static const InputList inputs = {.inputs = (Input *)&texture, .count = 1};

/* Two threads, one tile; a run of seq takes a second. */
static Plan plan_of(RunOptions *options, bool tiled, History *history) {
    Plan plan;
    *options = fake_options(&fake_algorithm);
    fake_select(options, "seq");
    if (tiled) {
        fake_select(options, "tiled");
        options->axis_count = 2;
        options->axes[0] = (AxisRequest){"threads", "2"};
        options->axes[1] = (AxisRequest){"tile", "4"};
    }
    options->warmup = 3;
    options->reps = 10;
    options->max_time = 10;
    options->max_cell = 120;
    options->launches = 1;
    assert_ok(plan_make(options, &inputs, &plan));
    *history = (History){.verified_count = 0};
    history_note_seq(history, &fake_algorithm, cost_work(&plan.cells[0].cost), 1, "16x8");
    return plan;
}

static void check_seconds(double got, double want) {
    if (fabs(got - want) > 0.002) {
        fail_msg("%g s, not %g s", got, want);
    }
}

/* Twice the oracle, 10 samples, 3 runs to warm up, 3 more, 2.5 s to allocate, 0.05 s. */
TEST(a_cell_of_seq) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, false, &history);
    check_seconds(expect_cell(&options, &plan, 0, &history), 2 + 10 + 3 + 3 + 2.5 + 0.05);
    options.reps = 0; /* until the limit: 3.5 s are usual, 15 samples the least */
    options.min_reps = 15;
    check_seconds(expect_cell(&options, &plan, 0, &history), 2 + 10 + 3 + 3 + 2.5 + 0.05);
    options.min_reps = 1;
    check_seconds(expect_cell(&options, &plan, 0, &history),
                  2 + 0.44 * pow(1000, 0.3) + 3 + 3 + 2.5 + 0.05);
    options.pass = 2; /* no oracle */
    check_seconds(expect_cell(&options, &plan, 0, &history),
                  0.44 * pow(1000, 0.3) + 3 + 3 + 2.5 + 0.05);
}

/* Of what is not run, the oracle is left: a stand-in within the limit. */
TEST(what_is_not_run_takes_no_time) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, false, &history);
    options.max_cell = 0.5;
    check_seconds(expect_cell(&options, &plan, 0, &history), 1);
    plan.cells[0].ready = status_skip("not here");
    check_seconds(expect_cell(&options, &plan, 0, &history), 0);
}

/* Seq takes a second at either size, of which the budget leaves time for one. */
TEST(long_runs_of_seq_have_a_limit_together) {
    RunOptions options;
    History history;
    Plan plan = plan_of(&options, false, &history);
    plan_release(&plan);
    options.size_count = 2;
    options.sizes[1] = options.sizes[0];
    snprintf(options.sizes[1].name, sizeof options.sizes[1].name, "again");
    options.sizes[1].width++; /* else it would be the same cell */
    assert_ok(plan_make(&options, &inputs, &plan));
    assert_int_equal(plan.cell_count, 2);
    plan.cells[1].cost = plan.cells[0].cost;
    const double both = expect_cell(&options, &plan, 0, &history);
    check_seconds(expect_cell(&options, &plan, 1, &history), both);
    options.max_long = 1.5;
    check_seconds(expect_cell(&options, &plan, 0, &history), both);
    check_seconds(expect_cell(&options, &plan, 1, &history), 0);
    plan_release(&plan);
}

/* A run takes 1 / (15 √2) s; 40 more in the turns. */
TEST(a_cell_beside_seq) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, true, &history);
    assert_int_equal(plan.cell_count, 2);
    check_seconds(expect_cell(&options, &plan, 1, &history),
                  (10 + 3 + 40 + 3 + 5) / (15 * sqrt(2)) + 0.05);
}

/* Seq takes 100 s by a method of its own, which says nothing of the others. */
TEST(a_variant_whose_work_is_less_than_that_of_seq) {
    RunOptions options;
    History history;
    Plan plan = plan_of(&options, true, &history);
    for (size_t i = 0; i < 2; i++) {
        plan.cells[i].cost.oracle_work = 100 * cost_work(&plan.cells[i].cost);
    }
    check_seconds(expect_sample(&plan.cells[0], &history), 100);
    check_seconds(expect_sample(&plan.cells[1], &history), 1 / (15 * sqrt(2)));
    plan_release(&plan);
}

/* It took 10 ms on two threads for half the work. Seq, timed for a quarter of it, takes 2 s and not
 * the second that its rate says. */
TEST(a_variant_that_was_timed) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, true, &history);
    const PlanCell *seq = &plan.cells[0];
    const PlanCell *tiled = &plan.cells[1];
    const Cost *cost = &tiled->cost;
    const double work = cost->operations > 0 ? cost->operations : cost->bytes;
    history.speeds[0] = (Speed){.cell = tiled, .work = work / 2, .seconds = 0.01};
    history.speeds[1] = (Speed){.cell = seq, .work = cost_work(&seq->cost) / 4, .seconds = 0.5};
    history.speed_count = 2;
    check_seconds(expect_sample(tiled, &history), 0.02);
    check_seconds(expect_sample(seq, &history), 2);
}

static void add_row(Results *rows, const Plan *plan, size_t cell, double seconds,
                    CellStatus status) {
    Row row = plan_row(plan, &plan->cells[cell], false);
    row.status = status;
    row.kernel_summary.median = seconds;
    assert_ok(results_add(rows, &row));
}

/* Two sizes and a device. A cell takes what it took, and one that the first launch does not know
 * what another size tells. */
TEST(a_later_launch_knows_the_times_of_the_first) {
    RunOptions options;
    History history;
    Plan plan = plan_of(&options, false, &history);
    plan_release(&plan);
    fake_select(&options, "dev_good");
    fake_select(&options, "simd");
    options.size_count = 2;
    options.sizes[1] = (SizeSpec){.name = "32x16", .width = 32, .height = 16};
    assert_ok(plan_make(&options, &inputs, &plan));
    assert_int_equal(plan.cell_count, 6);
    const double more = cost_work(&plan.cells[3].cost) / cost_work(&plan.cells[0].cost);
    Results rows = {.count = 0};
    add_row(&rows, &plan, 0, 3, CELL_OK);
    add_row(&rows, &plan, 1, 0.5, CELL_OK);
    add_row(&rows, &plan, 2, 0.25, CELL_OK);
    add_row(&rows, &plan, 3, 9, CELL_SKIP);
    add_row(&rows, &plan, 4, 0.75, CELL_OK);
    history = (History){.verified_count = 0};
    expect_known(&plan, false, &rows, &history);
    const double wanted[] = {3, 0.5, 0.25, 3 * more, 0.75, 0.25 * more};
    for (size_t i = 0; i < 6; i++) {
        check_seconds(expect_sample(&plan.cells[i], &history), wanted[i]);
    }
    results_release(&rows);
    plan_release(&plan);
}

/* What the estimates of a plan rest on: both variants, on a small input of the plan's kind. */
TEST(cpu_variants_are_timed) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, true, &history);
    history = (History){.verified_count = 0};
    expect_probe(&options, &plan, &history);
    assert_int_equal(history.speed_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_ptr_equal(history.speeds[i].cell, &plan.cells[i]);
        assert_true(history.speeds[i].seconds > 0 && history.speeds[i].work > 0);
        assert_true(expect_sample(&plan.cells[i], &history) > 0);
    }
}

/* Of 16 samples each of 4 launches takes 8, the least; the first computes the oracle. */
TEST(every_launch_counts) {
    RunOptions options;
    History history;
    RELEASED_BY(plan_release) Plan plan = plan_of(&options, false, &history);
    const double later = 8 + 3 + 3 + 2.5 + 0.05 + 0.15;
    options.reps = 0;
    options.min_reps = 16;
    options.max_time = 40;
    options.launches = 4;
    check_seconds(expect_launch(&options, &plan, &history, 1), later + 2);
    check_seconds(expect_launch(&options, &plan, &history, 3), later);
    check_seconds(expect_run(&options, &plan, &history), 4 * later + 2);
    options.baseline_program = "old";
    check_seconds(expect_run(&options, &plan, &history), 2 * (4 * later + 2));
}
