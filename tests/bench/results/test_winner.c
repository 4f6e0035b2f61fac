/* Winners whose time is free of the luck of winning: by hand, and simulated. */
#include "bench/fakes.h"
#include "random.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "test.h"

enum { TURNS = 8, TURN_SAMPLES = 2, SAMPLES = TURNS * TURN_SAMPLES };

static Row row_of(const char *variant, int threads) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant(variant);
    strcpy(row.input, "texture");
    strcpy(row.size_name, "1080p");
    row.width = 1920;
    row.height = 1080;
    row.threads = threads;
    if (row.variant->tuning != NULL) {
        row.tuning = (Point){.count = 1, .axes = {&fake_threads_axis}};
        row.tuning.values[0].number = threads;
        snprintf(row.tuning.values[0].text, AXIS_TEXT_SIZE, "%d", threads);
    }
    row.status = CELL_OK;
    row.verified = true;
    return row;
}

static void add_sample(Row *row, uint32_t launch, uint32_t turn, double seconds) {
    row->kernel.origin = row->end_to_end.origin = (SampleOrigin){launch, turn};
    assert_ok(samples_add(&row->kernel, seconds));
    assert_ok(samples_add(&row->end_to_end, seconds));
}

/* A row that takes `even` seconds in even turns and `odd` in odd ones. */
static void add_halves(Results *results, const char *variant, int threads, double even,
                       double odd) {
    Row row = row_of(variant, threads);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint32_t turn = i / TURN_SAMPLES;
        add_sample(&row, 0, turn, turn % 2 == ODD_TURNS ? odd : even);
    }
    assert_ok(results_add(results, &row));
}

TEST(odd_turns_choose_and_even_ones_report) {
    RELEASED_BY(results_release) Results results = {0};
    add_halves(&results, "seq", 1, 16, 16);
    add_halves(&results, "omp", 2, 4, 2.5);
    add_halves(&results, "omp", 4, 3, 3);
    add_halves(&results, "omp", 8, 2, 5);
    add_halves(&results, "dev_good", 0, 1, 0.5);
    results_derive(&results, 1);
    const Winner winner = results_best_cpu(&results, &results.rows[4]);
    assert_ptr_equal(winner.row, &results.rows[1]);
    assert_true(winner.choice.seconds == 4);
    const Row *device = &results.rows[4];
    assert_string_equal(device->best_cpu, "omp/threads:2");
    assert_ptr_equal(device->best_cpu_variant, winner.row->variant);
    assert_true(device->speedup_vs_best_cpu == 4); /* even turns of both: 4 / 1 */
    assert_true(device->speedup_vs_best_cpu_ci_low == 4);
    assert_true(device->speedup_end_to_end_vs_best_cpu == 4);
    assert_true(results.rows[1].speedup_vs_best_cpu == 1); /* over itself */
    assert_true(fabs(device->speedup - 16 / 0.75) < 1e-9); /* nothing was chosen */
    assert_true(results.rows[1].best_tuning && !results.rows[3].best_tuning);
    assert_true(results_best_tuning(&results, &results.rows[3]).choice.seconds == 4);
}

/* The fastest of all on both sides, which nothing is held against but what is not a peer itself. */
TEST(a_peer_is_never_the_best_of_a_side) {
    RELEASED_BY(results_release) Results results = {0};
    add_halves(&results, "seq", 1, 16, 16);
    add_halves(&results, "omp", 2, 4, 4);
    add_halves(&results, "omp", 4, 2, 2);
    add_halves(&results, "dev_good", 0, 1, 1);
    add_halves(&results, "omp", 8, 8, 8);
    results.rows[2].peer = results.rows[4].peer = true;
    results_derive(&results, 1);
    const Row *device = &results.rows[3];
    assert_ptr_equal(results_best_cpu(&results, device).row, &results.rows[1]);
    assert_ptr_equal(results_best(&results, device, SIDE_BOTH, TIME_KERNEL).row, device);
    assert_ptr_equal(results_best(&results, device, SIDE_PEER_CPU, TIME_KERNEL).row,
                     &results.rows[2]);
    assert_null(results_best(&results, device, SIDE_PEER_DEVICE, TIME_KERNEL).row);
    assert_true(device->speedup_vs_best_cpu == 4);
}

TEST(a_row_is_held_against_the_fastest_peer_of_its_backend) {
    RELEASED_BY(results_release) Results results = {0};
    add_halves(&results, "seq", 1, 16, 16);
    add_halves(&results, "omp", 2, 4, 4);
    add_halves(&results, "omp", 4, 2, 2);
    add_halves(&results, "dev_good", 0, 1, 1);
    results.rows[2].peer = true;
    results_derive(&results, 1);
    assert_string_equal(results.rows[1].best_peer, "omp/threads:4");
    assert_true(results.rows[1].speedup_vs_best_peer == 0.5);
    assert_true(row_won_ratio(&results.rows[1], OVER_PEER, TIME_KERNEL).value == 0.5);
    assert_true(results.rows[0].speedup_vs_best_peer == 0.125);
    /* It is none of the device's, and a peer is held against no peer. */
    assert_string_equal(results.rows[3].best_peer, "");
    assert_true(isnan(results.rows[3].speedup_vs_best_peer));
    assert_string_equal(results.rows[2].best_peer, "");
}

/* No other cell is within 3 to 4: all samples of both count, 3.5 / 0.75. */
TEST(a_clear_winner_reports_all_its_turns) {
    RELEASED_BY(results_release) Results results = {0};
    add_halves(&results, "seq", 1, 16, 16);
    add_halves(&results, "omp", 2, 4, 3);
    add_halves(&results, "dev_good", 0, 1, 0.5);
    results_derive(&results, 1);
    const Winner winner = results_best_cpu(&results, &results.rows[2]);
    assert_int_equal(winner.choice.tied_count, 0);
    assert_true(winner.choice.seconds == 3.5);
    assert_true(results.rows[2].speedup_vs_best_cpu == 3.5 / 0.75);
}

/* Five samples in even turns have no interval: all samples choose and report. */
TEST(few_samples_are_not_halved) {
    RELEASED_BY(results_release) Results results = {0};
    for (int cell = 0; cell < 2; cell++) {
        Row row = row_of("omp", cell + 1);
        for (uint32_t turn = 0; turn < 10; turn++) {
            add_sample(&row, 0, turn, turn % 2 == ODD_TURNS ? 1 : 2 + cell);
        }
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    const Winner winner = results_best_cpu(&results, &results.rows[0]);
    assert_false(winner.choice.halved);
    assert_ptr_equal(winner.row, &results.rows[0]);
    assert_true(winner.choice.seconds == 1.5);
    assert_true(results.rows[1].speedup_vs_best_cpu == 1.5 / 2);
}

/* By hand: without the first launch b is best, 4 there; without any other a, 3, 3 and 3. */
TEST(each_launch_reports_the_winner_of_the_others) {
    static const double seconds[2][4] = {{1, 3, 3, 3}, {4, 2, 2, 9}};
    RELEASED_BY(results_release) Results results = {0};
    for (int cell = 0; cell < 2; cell++) {
        Row row = row_of("omp", cell + 1);
        for (uint32_t launch = 0; launch < 4; launch++) {
            add_sample(&row, launch, 0, seconds[cell][launch]);
        }
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    const Winner winner = results_best_tuning(&results, &results.rows[1]);
    /* Over all launches both have a median of 3: the first is named. Without launch 0: 3 and 2;
     * without 1 or 2: 3 and 4; without 3: 3 and 2. So the times are 4, 3, 3, 9. */
    assert_ptr_equal(winner.row, &results.rows[0]);
    assert_true(winner.choice.seconds == 3.5);
    assert_int_equal(winner.choice.tied_count, 1);
}

/* The second cell's median lies between the first one's launches, but it takes 8% longer in
 * each of them; the third one only 4% in one launch. */
TEST(what_every_launch_finds_slower_is_not_tied) {
    static const double seconds[3][6] = {{10, 10.4, 10.8, 11.2, 11.6, 12},
                                         {10.8, 11.232, 11.664, 12.096, 12.528, 12.96},
                                         {10.4, 11.232, 11.664, 12.096, 12.528, 12.96}};
    RELEASED_BY(results_release) Results results = {0};
    for (int cell = 0; cell < 3; cell++) {
        Row row = row_of("omp", cell + 1);
        for (uint32_t launch = 0; launch < 6; launch++) {
            add_sample(&row, launch, 0, seconds[cell][launch]);
        }
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    const Winner winner = results_best_tuning(&results, &results.rows[1]);
    assert_ptr_equal(winner.row, &results.rows[0]);
    assert_int_equal(winner.choice.tied_count, 1);
    assert_ptr_equal(winner.tied[0], &results.rows[2]);
}

/* Measured: 32 threads of 32 processors take 0.14 ms in three launches of six and 3 ms in the
 * others, 16 threads 0.23 ms always. Their five other launches would choose 32 threads in just
 * those launches in which they are slow. */
TEST(a_cell_of_two_modes_wins_no_launch) {
    static const double seconds[2][6] = {{0.221, 0.225, 0.234, 0.227, 0.226, 0.236},
                                         {3.995, 0.140, 0.197, 3.069, 3.157, 0.155}};
    RELEASED_BY(results_release) Results results = {0};
    for (int cell = 0; cell < 3; cell++) {
        Row row = row_of(cell < 2 ? "omp" : "dev_good", cell < 2 ? 16 * (cell + 1) : 0);
        for (uint32_t launch = 0; launch < 6; launch++) {
            add_sample(&row, launch, 0, cell < 2 ? seconds[cell][launch] : 0.01);
        }
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    assert_string_equal(results.rows[2].best_cpu, "omp/threads:16");
    assert_true(fabs(results.rows[2].speedup_vs_best_cpu - 22.65) < 1e-9);
    assert_true(fabs(results.rows[2].speedup_vs_best_cpu_ci_high - 23.6) < 1e-9);
}

/* --- The best on a device --------------------------------------------------------------------- */

static void add_launches(Results *results, const char *variant, const double *seconds,
                         size_t launches) {
    Row row = row_of(variant, 1);
    for (uint32_t launch = 0; launch < launches; launch++) {
        add_sample(&row, launch, 0, seconds[launch]);
    }
    assert_ok(results_add(results, &row));
}

/* By hand, as above: the devices' times are 4, 3, 3 and 9 where the least median is 3. The CPU
 * takes 36: 9, 12, 12 and 4 times as long, where 36 over 1, 3, 3 and 3 would be 12. */
TEST(the_best_on_a_device_is_chosen_as_the_best_cpu_is) {
    static const double cpu[] = {36, 36, 36, 36};
    static const double seconds[2][4] = {{1, 3, 3, 3}, {4, 2, 2, 9}};
    RELEASED_BY(results_release) Results results = {0};
    add_launches(&results, "seq", cpu, 4);
    add_launches(&results, "dev_good", seconds[0], 4);
    add_launches(&results, "dev_stream", seconds[1], 4);
    results_derive(&results, 1);
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Winner winner = results_best(&results, &results.rows[0], SIDE_DEVICE, kind);
        assert_ptr_equal(winner.row, &results.rows[1]);
        assert_true(winner.choice.seconds == 3.5);
        assert_ptr_equal(winner.of_launch[0], &results.rows[2]);
        const Ratio won = row_won_ratio(winner.row, OVER_BEST_CPU, kind);
        assert_true(won.value == 10.5 && won.low == 4 && won.high == 12);
        assert_true(row_ratio(winner.row, OVER_BEST_CPU, kind).value == 12);
        /* Of the one that has not won the ratio is its own. */
        const Row *other = &results.rows[2];
        assert_true(row_won_ratio(other, OVER_BEST_CPU, kind).value ==
                    row_ratio(other, OVER_BEST_CPU, kind).value);
    }
}

/* Over seq too: the best CPU takes 4, 3, 3 and 9 where its own times are 1, 3, 3 and 3. */
TEST(the_best_cpu_over_seq_owes_nothing_to_luck) {
    static const double seq[] = {36, 36, 36, 36};
    static const double seconds[2][4] = {{1, 3, 3, 3}, {4, 2, 2, 9}};
    RELEASED_BY(results_release) Results results = {0};
    add_launches(&results, "seq", seq, 4);
    add_launches(&results, "simd", seconds[0], 4);
    add_launches(&results, "omp", seconds[1], 4);
    results_derive(&results, 1);
    const Row *best = &results.rows[1];
    assert_string_equal(best->best_cpu, "simd");
    assert_true(row_won_ratio(best, OVER_SEQ, TIME_KERNEL).value == 10.5);
    assert_true(row_ratio(best, OVER_SEQ, TIME_KERNEL).value == 12);
    assert_true(row_won_ratio(&results.rows[2], OVER_SEQ, TIME_KERNEL).value ==
                row_ratio(&results.rows[2], OVER_SEQ, TIME_KERNEL).value);
}

/* In one launch odd turns choose the device, and even ones time it where another is tied. */
TEST(odd_turns_choose_a_device_too) {
    RELEASED_BY(results_release) Results results = {0};
    add_halves(&results, "seq", 1, 16, 16);
    add_halves(&results, "dev_good", 0, 4, 2.5);
    add_halves(&results, "dev_stream", 0, 3, 3);
    results_derive(&results, 1);
    const Winner winner = results_best(&results, &results.rows[0], SIDE_DEVICE, TIME_KERNEL);
    assert_ptr_equal(winner.row, &results.rows[1]);
    assert_true(winner.choice.halved && winner.choice.seconds == 4);
    const Ratio won = row_won_ratio(winner.row, OVER_BEST_CPU, TIME_KERNEL);
    assert_true(won.value == 4 && won.in_run); /* 16 / 4 */
    assert_true(fabs(winner.row->speedup_vs_best_cpu - 16 / 3.25) < 1e-9);
    results_derive(&results, 1); /* derived again it is the same */
    assert_true(row_won_ratio(winner.row, OVER_BEST_CPU, TIME_KERNEL).low == won.low);
}

TEST(ties_are_named) {
    RELEASED_BY(results_release) Results results = {0};
    static const double seconds[] = {9, 2, 2.02, 2.5, 2.04, 2.01, 2.03};
    static const char *const variants[] = {"seq", "omp", "omp", "omp", "omp", "simd", "omp"};
    for (int cell = 0; cell < 7; cell++) {
        Row row = row_of(variants[cell], cell);
        for (uint32_t i = 0; i < SAMPLES; i++) { /* the interval is 0.95 to 1.05 */
            add_sample(&row, 0, i / TURN_SAMPLES, seconds[cell] * (0.95 + 0.1 * ((i + i / 2) % 2)));
        }
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    Winner winner = results_best_cpu(&results, &results.rows[0]);
    char text[128];
    assert_string_equal(results.rows[0].best_cpu, "omp/threads:1");
    winner_ties_text(&winner, text, sizeof text);
    assert_string_equal(text, " (tied with 2, 4, simd and 1 more)");
    char label[128];
    winner_label(&winner, label, sizeof label);
    assert_string_equal(label, "omp/threads:1, tied with simd");
    winner_ties_text(&winner, text, 12);
    assert_int_equal(strlen(text), 11);
    winner.choice.tied_count = 0;
    winner_ties_text(&winner, text, sizeof text);
    assert_string_equal(text, "");
}

/* --- Five tuning points of the same speed ----------------------------------------------------- */

enum { TIED = 5, REPEATS = 4000 };

/* True times of 1: log-normal samples of 5%, and turns of 3% that differ from cell to cell. */
static void simulate(Results *results, Random *random, uint32_t launches) {
    for (int cell = 0; cell < TIED; cell++) {
        Row row = row_of("omp", cell + 1);
        for (uint32_t launch = 0; launch < launches; launch++) {
            const double level = launches > 1 ? 0.03 * random_normal(random) : 0;
            double turn = 0;
            for (uint32_t i = 0; i < SAMPLES; i++) {
                turn = i % TURN_SAMPLES == 0 ? 0.03 * random_normal(random) : turn;
                add_sample(&row, launch, i / TURN_SAMPLES,
                           exp(level + turn + 0.05 * random_normal(random)));
            }
        }
        (void)summarize(&row.kernel, &row.kernel_summary);
        winner_complete_halves(&row);
        assert_ok(results_add(results, &row));
    }
}

static void check_bias(uint32_t launches, size_t repeats) {
    Random random;
    double least = 0;
    double fair = 0;
    random_seed(&random, 17);
    for (size_t repeat = 0; repeat < repeats; repeat++) {
        RELEASED_BY(results_release) Results results = {0};
        simulate(&results, &random, launches);
        double best = INFINITY;
        for (size_t i = 0; i < results.count; i++) {
            best = fmin(best, results.rows[i].kernel_summary.median);
        }
        least += log(best) / (double)repeats;
        fair += log(results_best_cpu(&results, &results.rows[0]).choice.seconds) / (double)repeats;
    }
    print_message("five tied points, %u launches: least median %+.2f%%, winner %+.2f%%\n",
                  (unsigned)launches, 100 * least, 100 * fair);
    assert_true(least < -0.01);
    assert_true(fabs(fair) < 0.005);
}

TEST(a_tie_of_five_is_not_biased) {
    check_bias(1, REPEATS);
    check_bias(6, REPEATS / 8);
}

/* Three device variants as fast as the CPU: the plain least of their medians would be ahead. */
TEST(devices_as_fast_as_the_cpu_are_not_ahead) {
    enum { LAUNCHES = 9, TIMES = 600 };
    static const char *const variants[] = {"seq", "dev_good", "dev_stream", "dev_later"};
    Random random;
    double plain = 0, fair = 0;
    random_seed(&random, 31);
    for (size_t repeat = 0; repeat < TIMES; repeat++) {
        RELEASED_BY(results_release) Results results = {0};
        double best = INFINITY;
        for (size_t cell = 0; cell < 4; cell++) {
            double seconds[LAUNCHES];
            for (size_t i = 0; i < LAUNCHES; i++) {
                seconds[i] = exp(0.05 * random_normal(&random));
            }
            add_launches(&results, variants[cell], seconds, LAUNCHES);
        }
        results_derive(&results, 1);
        const Row *rows = results.rows;
        for (size_t cell = 1; cell < 4; cell++) {
            best = fmin(best, rows[cell].kernel_summary.median);
        }
        const Row *gpu = results_best(&results, &rows[0], SIDE_DEVICE, TIME_KERNEL).row;
        plain += log(rows[0].kernel_summary.median / best) / TIMES;
        fair += log(row_won_ratio(gpu, OVER_BEST_CPU, TIME_KERNEL).value) / TIMES;
    }
    assert_true(plain > 0.01);
    assert_true(fabs(fair) < 0.005);
}
