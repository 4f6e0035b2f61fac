/* The launches of a run with a budget. */

#include "bench/fake_set.h"
#include "budget.h"
#include "plan.h"
#include "random.h"
#include "results.h"
#include "run_options.h"
#include "status_checks.h"
#include "test.h"
#include "times.h"

static const Input texture = {.name = "texture", .stem = "texture"};
static const InputList inputs = {.inputs = (Input *)&texture, .count = 1};

/* Of each size the first cell is seq, three are tiled with tiles of 4, 8 and 16. */
typedef struct Sample {
    RunOptions options;
    Plan plan;
    Results whole;
} Sample;

static Sample *sample_of_sizes(size_t sizes) {
    Sample *sample = calloc(1, sizeof *sample);
    sample->options = fake_options(&fake_algorithm);
    fake_select(&sample->options, "seq");
    fake_select(&sample->options, "tiled");
    sample->options.axis_count = 1;
    sample->options.axes[0] = (AxisRequest){"threads", "2"};
    sample->options.size_count = sizes;
    for (size_t i = 1; i < sizes; i++) {
        SizeSpec *size = &sample->options.sizes[i];
        *size = (SizeSpec){.width = 32 * (uint32_t)i, .height = 8};
        snprintf(size->name, sizeof size->name, "%ux8", size->width);
    }
    assert_ok(plan_make(&sample->options, &inputs, &sample->plan));
    assert_int_equal(sample->plan.cell_count, 4 * sizes);
    return sample;
}

static Sample *sample_open(void) {
    return sample_of_sizes(1);
}

static void sample_close(Sample *sample) {
    results_release(&sample->whole);
    plan_release(&sample->plan);
    free(sample);
}

/* Adds a launch in which the cells of each size take so many seconds; NAN: it was left out. */
static void add_launch(Sample *sample, uint32_t launch, const double seconds[4]) {
    for (size_t i = 0; i < sample->plan.cell_count; i++) {
        const Row planned = plan_row(&sample->plan, &sample->plan.cells[i], false);
        Row *known = results_find(&sample->whole, &planned);
        if (isnan(seconds[i % 4])) {
            continue;
        }
        Row row = planned;
        row.status = CELL_OK;
        Row *to = known != NULL ? known : &row;
        to->kernel.origin = to->end_to_end.origin = (SampleOrigin){.launch = launch};
        assert_ok(samples_add(&to->kernel, seconds[i % 4]));
        assert_ok(samples_add(&to->end_to_end, seconds[i % 4]));
        if (known == NULL) {
            assert_ok(results_add(&sample->whole, &row));
        }
    }
}

/* After launches of which the latest took `last` seconds, with so many left for three. */
static void check_left_out_of(double last, double left, Sample *sample, int done,
                              const char *want) {
    const BudgetClock clock = {.budget = 100 + left, .spent = 100, .last = last};
    char *text;
    assert_ok(
        budget_leave_out(&clock, &sample->plan, &sample->options, &sample->whole, done, &text));
    if (want == NULL) {
        assert_null(text);
    } else {
        assert_string_equal(text, want);
    }
    free(text);
}

static void check_left_out(Sample *sample, int done, const char *want) {
    check_left_out_of(0, INFINITY, sample, done, want);
}

/* What the second launch measures for all takes nothing from the samples of the third, and what
 * only the first did leaves room for it. */
TEST(what_is_measured_once_is_not_expected_again) {
    BudgetClock clock = {.budget = 60, .spent = 15};
    budget_launch_ended(&clock, 1, 15, 7, 3);
    assert_float_equal(clock.last_beside, 8, 1e-12);
    assert_float_equal(budget_samples(&clock, 2), (60 - 15) / 5.0 - 8, 1e-12);
    clock.spent = 31;
    budget_launch_ended(&clock, 2, 16, 6, 8);
    assert_float_equal(clock.last, 8, 1e-12);
    assert_float_equal(clock.last_beside, 2, 1e-12);
    assert_float_equal(budget_samples(&clock, 3), (60 - 31) / 4.0 - 2, 1e-12);
    assert_int_equal(budget_launches(&clock, 2, 0), 2 + 3);
}

/* A run of 0.1 s or more is sampled once, whatever the time is shared out. */
TEST(samples_of_long_runs_are_no_ones_to_save) {
    Results results = {.count = 0};
    static const double medians[] = {2, 0.1, 0.09};
    for (size_t i = 0; i < 3; i++) {
        Row row = {.status = CELL_OK, .kernel_summary = {.count = 2, .median = medians[i]}};
        assert_ok(samples_add(&row.kernel, medians[i]));
        assert_ok(samples_add(&row.kernel, medians[i]));
        assert_ok(results_add(&results, &row));
    }
    results.rows[1].status = CELL_SKIP;
    assert_float_equal(budget_long_runs(&results), 2 * 2, 1e-12);
    results_release(&results);
}

/* One launch has to say that a tuning takes more than 1.5 times as long, two 1.25 times. */
TEST(a_tuning_that_is_clearly_slower_is_left_out) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1.45, 1, 1.55});
    check_left_out(sample, 1, "3");
    add_launch(sample, 1, (double[]){9, 1.3, 1, NAN});
    check_left_out(sample, 2, "1,3");
    sample->options.every_tuning = true;
    check_left_out(sample, 2, NULL);
    sample_close(sample);
}

/* Only what disturbed it may have made it slower. */
TEST(a_tuning_that_was_disturbed_stays) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1.6, 1, 1.6});
    Row *disturbed = &sample->whole.rows[1];
    disturbed->kernel.disturber = DISTURBER_GUESTS;
    check_left_out(sample, 1, "3");
    sample_close(sample);
}

/* Once the slower one was faster, nothing is certain. */
TEST(a_tuning_that_was_faster_once_stays) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1.6, 1, 1.6});
    add_launch(sample, 1, (double[]){9, 0.9, 1, 1.6});
    check_left_out(sample, 2, "3");
    sample_close(sample);
}

/* By kernel time tile 16 is slow, end to end it is the fastest. */
TEST(a_tuning_that_is_slower_by_one_time_alone_stays) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1, 5});
    const Row planned = plan_row(&sample->plan, &sample->plan.cells[3], false);
    results_find(&sample->whole, &planned)->end_to_end.seconds[0] = 0.5;
    check_left_out(sample, 1, NULL);
    sample_close(sample);
}

/* Of 20 s the first launch has taken 3 to verify. Without seq three launches fit. */
TEST(long_runs_that_decide_nothing_are_left_out_where_three_launches_do_not_fit) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1, 1});
    check_left_out_of(20, 2 * 17 + 0.01, sample, 1, NULL);
    check_left_out_of(20, 2 * 17 - 0.01, sample, 1, "0");
    check_left_out_of(20, -30, sample, 1, "0"); /* the others may be the fastest */
    add_launch(sample, 1, (double[]){9, 1, 1, 1});
    check_left_out_of(20, 20.01, sample, 2, NULL);
    check_left_out_of(20, 19.99, sample, 2, "0");
    add_launch(sample, 2, (double[]){9, 1, 1, 1});
    check_left_out_of(20, -30, sample, 3, NULL);
    sample_close(sample);
}

static bool decided(Sample *sample, int done) {
    return budget_undecided(&sample->plan, &sample->options, &sample->whole, done) == 0;
}

/* seq stays, however slow; and of a decided question nothing more is measured after six. */
TEST(a_decided_question_is_left_out_after_six_launches) {
    Sample *sample = sample_open();
    for (uint32_t i = 0; i < 6; i++) {
        add_launch(sample, i, (double[]){9, 1, 1, 1});
    }
    check_left_out(sample, 5, NULL);
    assert_true(decided(sample, 6));
    check_left_out(sample, 6, NULL); /* nothing would be left of the run */
    sample_close(sample);
}

/* Of two sizes, with the seconds of seq, of the device and of three cells of tiled. */
static void add_device_launch(Sample *sample, uint32_t launch, const double seconds[2][5]) {
    for (size_t i = 0; i < sample->plan.cell_count; i++) {
        Row row = plan_row(&sample->plan, &sample->plan.cells[i], false);
        Row *known = results_find(&sample->whole, &row);
        Row *to = known != NULL ? known : &row;
        const double took = seconds[i / 5][i % 5];
        row.status = CELL_OK;
        to->kernel.origin = to->end_to_end.origin = (SampleOrigin){.launch = launch};
        assert_ok(samples_add(&to->kernel, took));
        assert_ok(samples_add(&to->end_to_end, took));
        if (known == NULL) {
            assert_ok(results_add(&sample->whole, &row));
        }
    }
}

/* Launches that decide the question of the first size alone. */
static Sample *sample_with_device(uint32_t launches) {
    static const double seconds[2][5] = {{9, 0.1, 1, 1.2, 1.3}, {9, 1.02, 1, 1, 1}};
    static const double other[2][5] = {{9, 0.1, 1, 1.2, 1.3}, {9, 0.9, 1, 1, 1}};
    Sample *sample = calloc(1, sizeof *sample);
    sample->options = fake_options(&fake_algorithm);
    fake_select(&sample->options, "seq");
    fake_select(&sample->options, "tiled");
    fake_select(&sample->options, "dev_good");
    sample->options.axis_count = 1;
    sample->options.axes[0] = (AxisRequest){"threads", "2"};
    sample->options.size_count = 2;
    sample->options.sizes[1] = (SizeSpec){.name = "32x8", .width = 32, .height = 8};
    assert_ok(plan_make(&sample->options, &inputs, &sample->plan));
    assert_int_equal(sample->plan.cell_count, 10);
    assert_string_equal(sample->plan.cells[1].variant->name, "dev_good");
    for (uint32_t i = 0; i < launches; i++) {
        add_device_launch(sample, i, i < launches - 1 ? seconds : other);
    }
    return sample;
}

/* Of two sizes: seq, the device's and three of tiled, which seq outruns at the second. */
TEST(seq_is_left_out_last_and_what_may_be_the_fastest_never) {
    Sample *sample = sample_with_device(0);
    static const double seconds[2][5] = {{9, 0.1, 1, 1.1, 1.2}, {0.5, 0.1, 1.3, 1.1, 1.2}};
    add_device_launch(sample, 0, seconds);
    const double last = 20 + 6.9; /* 6.9 of the runs that verify */
    check_left_out_of(last, 2 * 19.9, sample, 1, "7");
    check_left_out_of(last, 2 * 18.6, sample, 1, "7,9");
    check_left_out_of(last, 2 * 17, sample, 1, "7-9");
    check_left_out_of(last, 2 * 16, sample, 1, "0,7-9");
    check_left_out_of(last, 0, sample, 1, "0,7-9");
    sample_close(sample);
    sample = sample_with_device(0); /* however slow, the device's is the fastest of its side */
    static const double slow[2][5] = {{9, 5, 1, 1, 1}, {9, 5, 1, 1, 1}};
    add_device_launch(sample, 0, slow);
    check_left_out_of(last, 0, sample, 1, "0,5");
    sample_close(sample);
}

/* A tuning of 2 s that is slower than the best of its variant has gone before. */
TEST(what_is_left_out_already_leaves_room) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1.1, 2});
    check_left_out_of(20 + 4.1, 2 * 18 + 0.01, sample, 1, "3");
    check_left_out_of(20 + 4.1, 2 * 18 - 0.01, sample, 1, "0,3");
    sample_close(sample);
}

/* Of two sizes: a tuning of 2.2 s is left out anyway, and seq is asked for without a device alone.
 */
TEST(after_three_launches_six_are_to_fit) {
    static const double seconds[2][5] = {{9, 0.01, 1, 1.05, 1.05}, {5, 0.01, 1, 2.2, 1.05}};
    Sample *sample = sample_with_device(0);
    for (uint32_t i = 0; i < 3; i++) {
        add_device_launch(sample, i, seconds);
    }
    const double last = 22; /* with what is no sample */
    check_left_out_of(last, 3 * last + 0.01, sample, 3, "8");
    check_left_out_of(last, 3 * (last - 2.2) - 0.01, sample, 3, "0,8");
    check_left_out_of(last, 3 * (last - 2.2 - 9) - 0.01, sample, 3, "0,5,8");
    sample->options.every_tuning = true;
    check_left_out_of(last, 0, sample, 3, NULL);
    sample_close(sample);
    sample = sample_open();
    for (uint32_t i = 0; i < 3; i++) {
        add_launch(sample, i, (double[]){9, 1, 1, 1});
    }
    check_left_out_of(20, 0, sample, 3, NULL);
    sample->whole.rows[3].peer = true; /* of another library, which is not what is asked for */
    check_left_out_of(20, 0, sample, 3, NULL);
    sample_close(sample);
}

static bool never_ends(void *context, const Results *whole) {
    (void)context;
    (void)whole;
    return false;
}

/* A step of a study that stops after its second launch has all the time for that one; and claims
 * of reproduce are about seq too. */
TEST(long_runs_stay_where_fewer_launches_or_other_questions_are_asked_for) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1, 1});
    sample->options.stop_after = 2;
    check_left_out_of(20, 17.01, sample, 1, NULL);
    check_left_out_of(20, 16.99, sample, 1, "0");
    sample->options.stop_after = 4;
    check_left_out_of(20, 17.01, sample, 1, "0");
    sample->options.may_end = never_ends;
    check_left_out_of(20, 0, sample, 1, NULL);
    sample_close(sample);
}

/* seq is far from the fastest only by both of its times; and a peer is not what it is compared
 * with. */
TEST(long_runs_are_compared_by_both_times_and_not_with_peers) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 5, 5});
    Row *rows = sample->whole.rows;
    rows[0].end_to_end.seconds[0] = 1.9;
    check_left_out_of(60, 0, sample, 1, "2-3");
    rows[0].end_to_end.seconds[0] = 9;
    check_left_out_of(60, 0, sample, 1, "0,2-3");
    rows[1].peer = true;
    check_left_out_of(60, 0, sample, 1, "2-3");
    sample_close(sample);
}

/* At least 1.9 s of the 9 are its own, or 2. */
TEST(a_disturbed_run_that_may_be_the_fastest_stays) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1, 1});
    Samples *seq = &sample->whole.rows[0].kernel;
    seq->disturber = DISTURBER_PROGRAMS;
    seq->undisturbed = 1.9;
    check_left_out_of(20, 0, sample, 1, NULL);
    seq->undisturbed = 2;
    check_left_out_of(20, 0, sample, 1, "0");
    sample_close(sample);
}

/* The second launch took 8 s without seq, or 20 without a tuning of 2 s that goes on to be left
 * out. */
TEST(what_the_last_launch_left_out_is_not_in_its_time) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1, 1});
    add_launch(sample, 1, (double[]){NAN, 1, 1, 1});
    check_left_out_of(8, 17.01, sample, 2, NULL);
    check_left_out_of(8, 16.99, sample, 2, "0");
    sample_close(sample);
    sample = sample_open();
    add_launch(sample, 0, (double[]){9, 1, 1.1, 2});
    add_launch(sample, 1, (double[]){9, 1, 1.1, NAN});
    check_left_out_of(20, 20.01, sample, 2, "3");
    check_left_out_of(20, 19.99, sample, 2, "0,3");
    sample_close(sample);
}

/* Runs of less than a tenth of a second are not what a launch takes long for. */
TEST(short_runs_are_not_left_out_for_time) {
    Sample *sample = sample_open();
    add_launch(sample, 0, (double[]){0.09, 0.01, 0.01, 0.01});
    check_left_out_of(20, 0, sample, 1, NULL);
    sample_close(sample);
}

/* Rows of a cell at sizes of a quarter and a half of its work, with seconds of a run. */
static void add_smaller(Results *rows, const Sample *sample, size_t cell, double quarter,
                        double half) {
    for (int i = 0; i < 2; i++) {
        Row row = plan_row(&sample->plan, &sample->plan.cells[cell], false);
        const double share = i == 0 ? 0.25 : 0.5;
        row.status = CELL_OK;
        row.cost.operations *= share;
        row.cost.bytes *= share;
        row.cost.oracle_work *= share;
        row.kernel_summary.median = i == 0 ? quarter : half;
        snprintf(row.size_name, sizeof row.size_name, "%g", share);
        assert_ok(samples_add(&row.kernel, row.kernel_summary.median));
        assert_ok(results_add(rows, &row));
    }
}

/* Doubled work takes it three times as long: 9 s, 18 with the run that verifies. The variant beside
 * it takes 4 s. */
TEST(a_first_launch_has_no_time_for_what_has_grown_too_slow) {
    Sample *sample = sample_open();
    Results rows = {.count = 0};
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 1, NAN, NAN));
    add_smaller(&rows, sample, 1, 1, 3);
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 1, NAN,
                              NAN)); /* none is faster, as far as is known */
    add_smaller(&rows, sample, 2, 1, 2);
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 18.01, NAN, NAN));
    const Status status = budget_has_time(&sample->plan, &rows, 1, 17.99, NAN, NAN);
    assert_status(status, STATUS_SKIP,
                  "would take about 18 s (one took 3 s at 0.5), more than the "
                  "18 s that the budget leaves for long runs");
    assert_ok(budget_has_time(&sample->plan, &rows, 2, 1, NAN, NAN)); /* the fastest */
    assert_ok(budget_has_time(&sample->plan, &rows, 0, 1, NAN, NAN)); /* seq is the oracle's */
    results_release(&rows);
    sample_close(sample);
}

/* Half as long again is near enough to be the fastest; and short runs take no time. */
TEST(what_may_be_the_fastest_has_time) {
    Sample *sample = sample_open();
    Results rows = {.count = 0};
    add_smaller(&rows, sample, 1, 1.9, 1.9 * 2);
    add_smaller(&rows, sample, 2, 1, 2);
    add_smaller(&rows, sample, 3, 0.2, 0.4);
    assert_status(budget_has_time(&sample->plan, &rows, 1, 0, NAN, NAN), STATUS_SKIP,
                  "15.2 s (one took 3.8");
    assert_ok(budget_has_time(&sample->plan, &rows, 3, 0, NAN, NAN));
    results_release(&rows);
    rows = (Results){.count = 0};
    add_smaller(&rows, sample, 1, 1.9, 1.9 * 2);
    add_smaller(&rows, sample, 2, 1, 2);
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 0, NAN, NAN));
    results_release(&rows);
    sample_close(sample);
}

/* Of 9 s, where the stand-in took 4 s, or 5. */
TEST(without_smaller_inputs_it_is_compared_with_the_stand_in) {
    Sample *sample = sample_open();
    Results rows = {.count = 0};
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 18.01, 9, 4));
    assert_status(budget_has_time(&sample->plan, &rows, 1, 17.99, 9, 4), STATUS_SKIP,
                  "would take about 18 s (from a small part of the input), more than the 18 s");
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 0, 9, 5));
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 0, 0.9, 0.1)); /* short */
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 0, 9, NAN));
    add_smaller(&rows, sample, 1, 0.01, 0.02); /* of which smaller inputs tell more */
    add_smaller(&rows, sample, 2, 0.01, 0.01);
    assert_ok(budget_has_time(&sample->plan, &rows, 1, 0, 9, 4));
    results_release(&rows);
    sample_close(sample);
}

TEST(a_run_that_verified_too_slowly_is_not_timed) {
    assert_ok(budget_has_time_again(9, 9, 1));
    assert_status(budget_has_time_again(9, 8.9, 1), STATUS_SKIP,
                  "it is right, but the run that verified it took 9 s, and one more, to time it, "
                  "does not fit into the 8.9 s");
    assert_ok(budget_has_time_again(9, 0, 5)); /* it may be the fastest */
    assert_ok(budget_has_time_again(9, INFINITY, 1));
    assert_ok(budget_has_time_again(0.9, 0, 0.1));
}

/* Of a GPU's decided question seq and the fastest of each side are measured further, while seq has
 * had less than a fifth of the budget and another question is open. */
TEST(the_ratio_to_seq_goes_on_after_its_question) {
    Sample *sample = sample_with_device(6);
    sample->options.budget = 5 * 126; /* seq has had 108 s, and 126 with another launch */
    check_left_out(sample, 6, "3-4");
    const double decided = 9 + 2 * 0.1 + 1 + 1.2 + 1.3, open = 9 + 2 * 1 + 1 + 1 + 1;
    assert_float_equal(budget_undecided(&sample->plan, &sample->options, &sample->whole, 6),
                       (open + 9 + 2 * 0.1 + 1 + 1.2) / (open + decided), 0.001);
    sample->options.budget = 5 * 126 - 1;
    check_left_out(sample, 6, "0-4");
    assert_float_equal(budget_undecided(&sample->plan, &sample->options, &sample->whole, 6),
                       open / (open + decided), 0.001);
    sample_close(sample);
}

/* Of three launches seq has had 54 s, and would have had 126 with the seventh. */
TEST(before_six_launches_it_is_a_guess_whether_seq_will_go_on) {
    Sample *sample = sample_with_device(3);
    double undecided[2];
    for (int less = 0; less < 2; less++) {
        sample->options.budget = 5 * 126 - less;
        undecided[less] = budget_undecided(&sample->plan, &sample->options, &sample->whole, 3);
    }
    assert_true(undecided[0] > undecided[1] && undecided[1] > 0);
    sample_close(sample);
}

/* What would become of the ratio has no time, as one run of it takes too long, or there is no GPU
 * of this program. */
static void check_nothing_goes_on(Sample *sample, size_t cell, bool peer) {
    const Row planned = plan_row(&sample->plan, &sample->plan.cells[cell], false);
    Row *row = results_find(&sample->whole, &planned);
    row->status = peer ? CELL_OK : CELL_SKIP;
    row->peer = peer;
    sample->options.budget = 5 * 126;
    check_left_out(sample, 6, "0-4");
    sample_close(sample);
}

TEST(without_seq_or_a_gpu_no_ratio_goes_on) {
    check_nothing_goes_on(sample_with_device(6), 0, false);
    check_nothing_goes_on(sample_with_device(6), 1, true);
}

TEST(a_question_is_open_while_the_interval_is_near_1) {
    Sample *sample = sample_open();
    for (uint32_t i = 0; i < 6; i++) {
        add_launch(sample, i, (double[]){i == 3 ? 1.04 : 1.2, 1, 1, 1});
    }
    assert_false(decided(sample, 6));
    sample_close(sample);
}

static void disturb(Sample *sample, size_t sizes) {
    for (size_t i = 0; i < 4 * sizes; i++) {
        const Row planned = plan_row(&sample->plan, &sample->plan.cells[i], false);
        results_find(&sample->whole, &planned)->kernel.disturber = DISTURBER_GUESTS;
    }
}

/* One of two launches is half of them: the six of a quiet machine will not be disturbed so. */
TEST(before_six_launches_few_disturbed_sizes_count_as_decided) {
    Sample *sample = sample_of_sizes(4);
    for (uint32_t i = 0; i < 2; i++) {
        add_launch(sample, i, (double[]){9, 1, 1, 1});
    }
    disturb(sample, 2);
    assert_true(decided(sample, 2));
    disturb(sample, 3);
    assert_false(decided(sample, 2));
    for (uint32_t i = 2; i < 6; i++) {
        add_launch(sample, i, (double[]){9, 1, 1, 1});
    }
    assert_false(decided(sample, 6));
    sample_close(sample);
    sample = sample_of_sizes(4);
    for (uint32_t i = 0; i < 6; i++) {
        add_launch(sample, i, (double[]){9, 1, 1, 1});
    }
    disturb(sample, 1);
    assert_false(decided(sample, 6));
    sample_close(sample);
}

/* Three at least, six if they fit and decide, twelve at most. */
TEST(launches_that_fit) {
    BudgetClock clock = {.budget = 60, .spent = 10, .last = 10};
    assert_int_equal(budget_launches(&clock, 1, 0), 6);
    assert_int_equal(budget_launches(&clock, 1, 1), 6);
    clock.last = 4;
    assert_int_equal(budget_launches(&clock, 1, 1), 12);
    clock = (BudgetClock){.budget = 60, .spent = 50, .last = 30};
    assert_int_equal(budget_launches(&clock, 1, 0), 3);
    assert_int_equal(budget_launches(&clock, 3, 0), 3);
    clock = (BudgetClock){.budget = 60, .spent = 55, .last = 9};
    assert_int_equal(budget_launches(&clock, 6, 1), 6);
    assert_int_equal(budget_launches(&clock, 6, 0.1), 6 + 2); /* 0.235 · 9 s each */
    clock = (BudgetClock){.budget = INFINITY, .spent = 1e4, .last = 100};
    assert_int_equal(budget_launches(&clock, 7, 1), 12);
    assert_int_equal(budget_launches(&clock, 7, 0), 7);
}

TEST(samples_of_a_launch) {
    assert_float_equal(budget_samples(&(BudgetClock){.budget = 60}, 1), 6, 0);
    assert_float_equal(budget_samples(&(BudgetClock){.budget = 20}, 1), 2, 0);
    /* 50 s for five launches, of which 7 s are no samples. */
    const BudgetClock clock = {.budget = 60, .spent = 10, .last = 10, .last_beside = 7};
    assert_float_equal(budget_samples(&clock, 2), 3, 1e-9);
    assert_float_equal(budget_cell_seconds(6, 60), 0.1, 1e-9);
    assert_float_equal(budget_cell_seconds(6, 2), 1, 1e-9);
}

TEST(cells_are_left_out_of_a_plan) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "seq");
    fake_select(&options, "tiled");
    options.leave_out = "1-2,4";
    Plan plan;
    assert_ok(plan_make(&options, &inputs, &plan));
    assert_int_equal(plan.cell_count, 4);
    char name[256];
    const Row row = plan_row(&plan, &plan.cells[1], false);
    row_name(&row, name, sizeof name);
    assert_string_equal(name, "fake/tiled/texture/16x8/threads:1,tile:16");
    plan_release(&plan);
    static const char *const wrong[] = {"7", "2-1", "x", "1,", "1--2", "-1", "0 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.leave_out = wrong[i];
        assert_status(plan_make(&options, &inputs, &plan), STATUS_USAGE, "is no list of cells");
    }
}

/* The run looks at its launches three times and ends as soon as all is decided. Of equal times on
 * machines from quiet to busy fewer than 2% of runs decide that one is shorter. */
TEST(equal_times_are_seldom_taken_for_different) {
    enum { RUNS = 20000 };
    static const double spreads[] = {0.01, 0.03, 0.05, 0.1, 0.3};
    Random random;
    random_seed(&random, 7);
    for (size_t s = 0; s < sizeof spreads / sizeof spreads[0]; s++) {
        int false_sides = 0;
        for (int run = 0; run < RUNS; run++) {
            Times a = times_none(), b = times_none();
            bool decided = false;
            TimesRatio ratio = {.count = 0};
            while (a.count < BUDGET_LAUNCHES_MAX && !decided) {
                a.launches[a.count++] = exp(spreads[s] * random_normal(&random));
                b.launches[b.count++] = exp(spreads[s] * random_normal(&random));
                ratio = times_ratio(&a, &b);
                decided = budget_ratio_is_decided(&ratio, BUDGET_LAUNCHES);
            }
            false_sides += decided && (ratio.ratio.low > 1.05 || ratio.ratio.high < 1 / 1.05);
        }
        if (false_sides >= RUNS / 50) {
            fail_msg("spread %g: %d of %d", spreads[s], false_sides, RUNS);
        }
    }
}

/* It is measured again while there is time. */
TEST(a_disturbed_ratio_is_not_decided) {
    Times slow = times_none(), fast = times_none();
    for (size_t i = 0; i < BUDGET_LAUNCHES; i++) {
        slow.launches[slow.count++] = 2;
        fast.launches[fast.count++] = 1;
    }
    TimesRatio ratio = times_ratio(&slow, &fast);
    assert_true(budget_ratio_is_decided(&ratio, BUDGET_LAUNCHES));
    slow.disturber = DISTURBER_GUESTS;
    ratio = times_ratio(&slow, &fast);
    assert_int_equal(ratio.side, SIDE_UNDECIDED);
    assert_false(budget_ratio_is_decided(&ratio, BUDGET_LAUNCHES));
}
