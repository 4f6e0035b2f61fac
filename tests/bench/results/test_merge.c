/* Launches that become one run: samples with their launch, failures, and JSON that keeps both. */
#include <cjson/cJSON.h>

#include "json.h"
#include "merge.h"
#include "results_internal.h"
#include "sample_results.h"
#include "stored_run.h"
#include "test.h"

/* One row of 5, 6 … ms. */
static Results launch_of(double milliseconds, size_t samples) {
    Results results = {.rows = NULL};
    Row row = sample_row("simd");
    row.status = CELL_OK;
    row.verified = true;
    row.agreement = 1;
    row.cpu_seconds = milliseconds * 1e-3;
    for (size_t i = 0; i < samples; i++) {
        row.kernel.origin.turn = (uint32_t)i / 2;
        assert_ok(samples_add(&row.kernel, milliseconds * 1e-3));
    }
    assert_ok(samples_copy(&row.kernel, &row.end_to_end));
    assert_ok(results_add(&results, &row));
    return results;
}

static void merge_launch(Results *whole, double milliseconds, size_t samples, uint32_t launch) {
    RELEASED_BY(results_release) Results more = launch_of(milliseconds, samples);
    assert_ok(results_merge(whole, &more, launch));
}

/* Launches of 5, 9 and 6 ms; the second has most samples, but counts as one. */
static Results three_launches(void) {
    Results whole = {.rows = NULL};
    merge_launch(&whole, 5, 4, 0);
    merge_launch(&whole, 9, 40, 1);
    merge_launch(&whole, 6, 4, 2);
    results_derive(&whole, 1);
    return whole;
}

static void check_three(const Results *whole) {
    assert_int_equal(whole->count, 1);
    const Row *row = &whole->rows[0];
    assert_int_equal(row->kernel.count, 48);
    assert_int_equal(samples_launches(&row->kernel), 3);
    assert_int_equal(row->kernel.origins[4].launch, 1);
    assert_int_equal(row->kernel.origins[4].turn, 0);
    assert_int_equal(row->kernel.origins[43].turn, 19);
    assert_int_equal(row->kernel.origins[47].launch, 2);
    const Summary *summary = &row->kernel_summary;
    assert_int_equal(summary->launches, 3);
    assert_true(fabs(summary->median - 0.006) < 1e-12);
    assert_true(fabs(summary->launch_low - 0.005) < 1e-12);
    assert_true(fabs(summary->launch_high - 0.009) < 1e-12);
    assert_true(isnan(summary->ci_low) && isnan(summary->ci_high));
}

/* A folder that was damaged or changed by hand: what is not known is no difference. */
TEST(other_work_is_no_launch_of_the_cell) {
    static const struct {
        uint64_t hash, digest;
        const char *why;
    } cases[] = {{7, 0, NULL},
                 {0, 9, NULL},
                 {7, 9, NULL},
                 {8, 9, "launch 2: it was measured on another input than in the launch before"},
                 {7, 8, "launch 2: it has another answer than in the launch before"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Results whole = {.rows = NULL}, launches[] = {launch_of(5, 4), launch_of(6, 4)};
        launches[0].rows[0].input_hash = 7;
        launches[0].rows[0].answer_digest = 9;
        launches[1].rows[0].input_hash = cases[i].hash;
        launches[1].rows[0].answer_digest = cases[i].digest;
        assert_ok(results_join(&whole, launches, 2, SIZE_MAX));
        assert_int_equal(whole.rows[0].status, cases[i].why != NULL ? CELL_FAIL : CELL_OK);
        assert_string_equal(whole.rows[0].why, cases[i].why != NULL ? cases[i].why : "");
        assert_int_equal(samples_launches(&whole.rows[0].kernel), cases[i].why != NULL ? 0 : 2);
        results_release(&whole);
        results_release(&launches[0]);
        results_release(&launches[1]);
    }
}

TEST(a_launch_counts_once_however_many_samples_it_has) {
    RELEASED_BY(results_release) Results whole = three_launches();
    check_three(&whole);
}

/* Joins launches of so many milliseconds; of those that are 1 in `stolen` other guests had the
 * processor for half of the time. */
static Results join(const double *milliseconds, const int *stolen, size_t count, size_t least) {
    Results launches[4], whole = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        launches[i] = launch_of(milliseconds[i], 4);
        launches[i].rows[0].stolen_share = stolen[i] ? 0.5 : 0;
    }
    assert_ok(results_join(&whole, launches, count, least));
    for (size_t i = 0; i < count; i++) {
        results_release(&launches[i]);
    }
    results_derive(&whole, 1);
    return whole;
}

TEST(a_disturbed_launch_is_set_aside_where_enough_others_are_not) {
    static const double times[] = {5, 50, 6, 7};
    static const int second[] = {0, 1, 0, 0};
    RELEASED_BY(results_release) Results whole = join(times, second, 4, 3);
    assert_int_equal(whole.count, 1);
    const Row *row = &whole.rows[0];
    assert_int_equal(row->kernel.count, 12);
    assert_int_equal(row->kernel_summary.launches, 3);
    assert_float_equal(row->kernel_summary.median, 0.006, 1e-12);
    assert_float_equal(row->set_aside, 1, 0);
}

TEST(a_disturbed_launch_counts_where_too_few_others_are_not) {
    static const double times[] = {5, 50, 6};
    static const int second[] = {0, 1, 0};
    Results whole = join(times, second, 3, 3);
    assert_int_equal(whole.rows[0].kernel.count, 12);
    assert_float_equal(whole.rows[0].set_aside, 0, 0);
    results_release(&whole);
    whole = join(times, second, 3, SIZE_MAX);
    assert_int_equal(whole.rows[0].kernel.count, 12);
    assert_true(isnan(whole.rows[0].set_aside));
    results_release(&whole);
}

/* As many as leave enough, the first first, whatever their times. */
TEST(no_more_launches_are_set_aside_than_leave_enough) {
    static const double times[] = {50, 5, 6, 70};
    static const int stolen[] = {1, 0, 1, 1};
    for (size_t least = 1; least < 5; least++) {
        static const uint32_t first[] = {1, 1, 1, 0};
        static const size_t used[] = {1, 2, 3, 4};
        RELEASED_BY(results_release) Results whole = join(times, stolen, 4, least);
        assert_int_equal(whole.rows[0].kernel_summary.launches, used[least - 1]);
        assert_int_equal(whole.rows[0].kernel.origins[0].launch, first[least - 1]);
        assert_float_equal(whole.rows[0].set_aside, (double)(4 - used[least - 1]), 0);
    }
}

/* Half of the launches that count, or more: then their median is that of a disturbed one. */
TEST(a_row_whose_launches_were_mostly_disturbed_is_disturbed) {
    static const double times[] = {5, 50, 6, 55};
    static const struct {
        int stolen[4];
        size_t count, least;
        double disturbed;
        Disturber by;
    } cases[] = {
        {{0, 0, 0, 0}, 4, 3, 0, DISTURBER_NONE},
        {{1}, 1, 3, 1, DISTURBER_GUESTS},
        {{0, 1}, 2, 3, 1, DISTURBER_GUESTS},
        {{0, 1, 0}, 3, 3, 1, DISTURBER_NONE},
        {{1, 1, 0}, 3, 3, 2, DISTURBER_GUESTS},
        {{0, 1, 0, 0}, 4, 3, 0, DISTURBER_NONE}, /* it is set aside */
        {{0, 1, 0, 1}, 4, 3, 1, DISTURBER_NONE}, /* one of the two is */
        {{0, 1, 0, 1}, 4, 4, 2, DISTURBER_GUESTS},
        {{0, 1, 0, 0}, 4, SIZE_MAX, 1, DISTURBER_NONE},
        {{1, 1, 0, 1}, 4, SIZE_MAX, 3, DISTURBER_GUESTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(results_release)
        Results whole = join(times, cases[i].stolen, cases[i].count, cases[i].least);
        const Row *row = &whole.rows[0];
        assert_float_equal(row->disturbed, cases[i].disturbed, 0);
        assert_float_equal(row->disturbed_end_to_end, cases[i].disturbed, 0);
        assert_string_equal(row->disturbed_by,
                            cases[i].disturbed > 0 ? "other guests of the host" : "");
        assert_int_equal(row->kernel.disturber, cases[i].by);
        assert_int_equal(row->end_to_end.disturber, cases[i].by);
        assert_int_equal(row->cpu.disturber, DISTURBER_NONE);
        const LaunchDisturbance found = results_disturbance(&whole);
        assert_int_equal(found.disturbed, cases[i].by != DISTURBER_NONE);
        assert_int_equal(found.by[DISTURBER_GUESTS], found.disturbed);
    }
}

/* The count is stored, and says so to who reads the file. */
TEST(a_stored_row_knows_its_disturbed_launches) {
    static const double times[] = {5, 50, 55};
    static const int stolen[] = {0, 1, 1};
    char why[DISTURBANCE_SIZE];
    RELEASED_BY(results_release) Results whole = join(times, stolen, 3, 3);
    const char *list;
    cJSON *entry = row_json_entry(&whole.rows[0], &list);
    assert_string_equal(cJSON_GetObjectItem(entry, "launches_disturbed")->valuestring, "2");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(entry, "disturbed_by")),
                        "other guests of the host");
    cJSON_Delete(entry);
    row_disturbance(&whole.rows[0], TIME_KERNEL, why);
    assert_string_equal(why, "other guests had its processor in 2 of 3 launches");
    /* A file of an earlier version has the means alone. */
    whole.rows[0].disturbed = whole.rows[0].disturbed_end_to_end = NAN;
    row_disturbance(&whole.rows[0], TIME_KERNEL, why);
    assert_string_equal(why, "other guests had its processor for 33% of the time, and its fastest "
                             "sample took 5.00 ms, the median 50.0 ms");
}

/* The first launch was disturbed: the row begins with the second. */
TEST(a_disturbed_first_launch_is_set_aside) {
    static const double times[] = {50, 5, 6, 7};
    static const int first[] = {1, 0, 0, 0};
    RELEASED_BY(results_release) Results whole = join(times, first, 4, 3);
    assert_int_equal(whole.rows[0].kernel.origins[0].launch, 1);
    assert_float_equal(whole.rows[0].kernel_summary.median, 0.006, 1e-12);
    assert_float_equal(whole.rows[0].set_aside, 1, 0);
}

/* Guests do not disturb a kernel on a device that is held, but the copies from and to it. */
TEST(a_launch_whose_transfers_were_disturbed_is_set_aside) {
    static const Backend device = {.name = "device"};
    static const Variant on_device = {.name = "cuda_fast", .backend = &device};
    Results launches[4], whole = {.count = 0};
    for (size_t i = 0; i < 4; i++) {
        launches[i] = launch_of(5, 4);
        Row *row = &launches[i].rows[0];
        row->variant = &on_device;
        row->threads = 0;
        row->held = true;
        row->stolen_share = i == 2 ? 0.5 : 0;
    }
    assert_ok(results_join(&whole, launches, 4, 3));
    assert_float_equal(whole.rows[0].set_aside, 1, 0);
    for (size_t i = 0; i < 4; i++) {
        results_release(&launches[i]);
    }
    results_release(&whole);
}

static void check_joules(const Row *row) {
    assert_int_equal(row->energy_samples.count, 5);
    assert_float_equal(row->joule, 3, 1e-12);
    assert_true(isnan(row->energy_summary.ci_low));
    assert_float_equal(row->energy_summary.launch_low, 2, 1e-12);
    assert_float_equal(row->energy_summary.launch_high, 5, 1e-12);
    assert_float_equal(row->idle_watt, 70, 1e-9); /* 110 counts once, 60 four times */
}

/* Joules of a run of two windows in each of three launches: 2, 5 and 3; the second
 * launch has one window. */
TEST(joules_are_the_median_over_launches) {
    static const double windows[3][2] = {{1.9, 2.1}, {5, 0}, {3, 3}};
    RELEASED_BY(results_release) Results whole = {.count = 0};
    Results launches[3];
    for (size_t i = 0; i < 3; i++) {
        launches[i] = launch_of(5, 4);
        Row *row = &launches[i].rows[0];
        for (size_t window = 0; window < 2 && windows[i][window] > 0; window++) {
            assert_ok(samples_add(&row->energy_samples, windows[i][window]));
        }
        row->idle_watt = i == 1 ? 110 : 60;
    }
    assert_ok(results_join(&whole, launches, 3, SIZE_MAX));
    results_derive(&whole, 1);
    check_joules(&whole.rows[0]);
    assert_ok(report_json(test_path("joule.json"), sample_record(), &whole));
    StoredRun stored;
    assert_ok(stored_run_read(test_path("joule.json"), &stored));
    check_joules(&stored.results.rows[0]);
    stored_run_release(&stored);
    for (size_t i = 0; i < 3; i++) {
        results_release(&launches[i]);
    }
}

/* What the second launch measures for all is the run's. */
TEST(what_one_launch_measured_is_kept) {
    RELEASED_BY(results_release) Results whole = {.count = 0};
    Results launches[3];
    for (size_t i = 0; i < 3; i++) {
        launches[i] = launch_of(5, 4);
        Row *row = &launches[i].rows[0];
        row->joule = i == 1 ? 0.25 : (double)NAN;
        row->upload = i == 1 ? 0.001 : (double)NAN;
        for (size_t stage = 0; stage < STAGES_MAX; stage++) {
            row->stage_seconds[stage] = i == 1 ? 0.125 : (double)NAN;
        }
        if (i == 1) {
            assert_ok(samples_add(&row->with_alloc, 0.007));
        }
    }
    assert_ok(results_join(&whole, launches, 3, SIZE_MAX));
    results_derive(&whole, 1);
    const Row *row = &whole.rows[0];
    assert_float_equal(row->joule, 0.25, 0);
    assert_float_equal(row->upload, 0.001, 1e-12);
    assert_float_equal(row->stage_seconds[STAGES_MAX - 1], 0.125, 0);
    assert_float_equal(row->with_alloc_summary.median, 0.007, 1e-12);
    for (size_t i = 0; i < 3; i++) {
        results_release(&launches[i]);
    }
}

/* What is one number of a launch counts by its samples: 1 of four and 7 of twelve are 5.5; of a
 * launch that does not know it the other's stands. */
TEST(numbers_of_launches_are_weighted_by_their_samples) {
    static const double launches[][2] = {{1, 7}, {NAN, 7}, {1, NAN}}, want[] = {5.5, 7, 1};
    static const size_t members[] = {offsetof(Row, upload),        offsetof(Row, download),
                                     offsetof(Row, call),          offsetof(Row, sentinel_chain),
                                     offsetof(Row, sentinel_copy), offsetof(Row, stolen_share),
                                     offsetof(Row, cpu_seconds)};
    enum { MEMBERS = sizeof members / sizeof members[0], CASES = sizeof want / sizeof want[0] };
    for (size_t i = 0; i < MEMBERS * CASES; i++) {
        RELEASED_BY(results_release) Results whole = {.rows = NULL};
        for (uint32_t launch = 0; launch < 2; launch++) {
            RELEASED_BY(results_release) Results more = launch_of(5, launch == 0 ? 4 : 12);
            memcpy((char *)&more.rows[0] + members[i % MEMBERS], &launches[i / MEMBERS][launch],
                   sizeof(double));
            assert_ok(results_merge(&whole, &more, launch));
        }
        double merged;
        memcpy(&merged, (const char *)&whole.rows[0] + members[i % MEMBERS], sizeof merged);
        assert_true(merged == want[i / MEMBERS]);
    }
}

/* The whole is verified, converged and held if every launch was, throttled if one was, and agrees
 * with the oracle as far as its worst launch. */
TEST(the_whole_is_no_better_than_its_worst_launch) {
    for (unsigned good = 0; good < 4; good++) {
        RELEASED_BY(results_release) Results whole = {.rows = NULL};
        for (uint32_t launch = 0; launch < 2; launch++) {
            const bool is_good = (good >> launch & 1) != 0;
            RELEASED_BY(results_release) Results more = launch_of(5, 4);
            Row *row = &more.rows[0];
            row->verified = row->converged = row->held = is_good;
            row->throttled = !is_good;
            row->agreement = is_good ? 1 : 0.75;
            assert_ok(results_merge(&whole, &more, launch));
        }
        const Row *row = &whole.rows[0];
        assert_int_equal(row->verified, good == 3);
        assert_int_equal(row->converged, good == 3);
        assert_int_equal(row->held, good == 3);
        assert_int_equal(row->throttled, good != 3);
        assert_true(row->agreement == (good == 3 ? 1 : 0.75));
    }
}

/* The greatest of each launch, whichever it was. */
TEST(peaks_are_those_of_the_launch_that_needs_most) {
    static const uint64_t launches[] = {5, 9, 6};
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t launch = 0; launch < 3; launch++) {
        RELEASED_BY(results_release) Results more = launch_of(5, 4);
        more.rows[0].host_peak = launches[launch];
        more.rows[0].peak_memory = 10 * launches[launch];
        more.rows[0].device_peak = 100 * launches[launch];
        assert_ok(results_merge(&whole, &more, launch));
    }
    assert_int_equal(whole.rows[0].host_peak, 9);
    assert_int_equal(whole.rows[0].peak_memory, 90);
    assert_int_equal(whole.rows[0].device_peak, 900);
}

/* Of the first launch that has any; a later one has others. */
TEST(ceilings_are_those_of_the_first_launch) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t launch = 0; launch < 3; launch++) {
        Results more = launch_of(5, 4);
        if (launch > 0) {
            ceilings_add(&more.ceilings, "copy_dram", CEILING_BANDWIDTH, 1, 10e9 * launch, 128e6);
        }
        assert_ok(results_merge(&whole, &more, launch));
        results_release(&more);
        assert_int_equal(whole.ceilings.count, launch > 0);
    }
    assert_true(whole.ceilings.list[0].value == 10e9);
}

/* Of two launches there is no interval: what is shown around the median are both. */
TEST(two_launches_have_their_range) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    double low, high;
    merge_launch(&whole, 9, 4, 0);
    merge_launch(&whole, 5, 40, 1);
    results_derive(&whole, 1);
    summary_range(&whole.rows[0].kernel_summary, &low, &high);
    assert_true(isnan(whole.rows[0].kernel_summary.ci_low));
    assert_true(fabs(low - 0.005) < 1e-12 && fabs(high - 0.009) < 1e-12);
    assert_true(fabs(whole.rows[0].kernel_summary.median - 0.007) < 1e-12);
}

/* Files of versions that did not look have no number. */
TEST(timings_taken_again_are_counted) {
    static const double repeated[] = {NAN, 2, 0, NAN, 3};
    static const double so_far[] = {NAN, 2, 2, 2, 5};
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t i = 0; i < 5; i++) {
        Results more = launch_of(5, 4);
        more.rows[0].repeated = repeated[i];
        assert_ok(results_merge(&whole, &more, i));
        results_release(&more);
        assert_true(isnan(so_far[i]) ? isnan(whole.rows[0].repeated)
                                     : whole.rows[0].repeated == so_far[i]);
    }
}

TEST(six_launches_have_an_interval) {
    const double milliseconds[] = {5, 8, 6, 7, 10, 9};
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t i = 0; i < 6; i++) {
        merge_launch(&whole, milliseconds[i], 5, i);
    }
    results_derive(&whole, 1);
    const Summary *summary = &whole.rows[0].kernel_summary;
    assert_true(fabs(summary->median - 0.0075) < 1e-12);
    assert_true(fabs(summary->ci_low - 0.005) < 1e-12);
    assert_true(fabs(summary->ci_high - 0.010) < 1e-12);
}

static void check_with_alloc(const Results *results) {
    const Row *row = &results->rows[0];
    assert_int_equal(row->with_alloc.count, 6);
    assert_true(fabs(row->with_alloc_summary.median - 0.0225) < 1e-12);
    assert_true(fabs(row->with_alloc_summary.ci_low - 0.015) < 1e-12);
    assert_true(fabs(row->with_alloc_summary.ci_high - 0.030) < 1e-12);
}

/* A sample of each launch, 15 … 30 ms; a file keeps them. */
TEST(allocation_has_an_interval_over_launches) {
    const double milliseconds[] = {15, 24, 18, 21, 30, 27};
    Results whole = {.rows = NULL};
    for (uint32_t i = 0; i < 6; i++) {
        RELEASED_BY(results_release) Results more = launch_of(5, 5);
        assert_ok(samples_add(&more.rows[0].with_alloc, milliseconds[i] * 1e-3));
        assert_ok(results_merge(&whole, &more, i));
    }
    results_derive(&whole, 1);
    check_with_alloc(&whole);
    assert_ok(report_json(test_path("alloc.json"), sample_record(), &whole));
    results_release(&whole);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("alloc.json"), &stored));
    check_with_alloc(&stored.results);
}

/* Files of earlier versions have the median alone. */
TEST(allocation_without_samples_is_kept) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t i = 0; i < 2; i++) {
        RELEASED_BY(results_release) Results more = launch_of(5, 5);
        more.rows[0].with_alloc_summary.median = i == 0 ? 0.02 : (double)NAN;
        assert_ok(results_merge(&whole, &more, i));
    }
    results_derive(&whole, 1);
    assert_true(fabs(whole.rows[0].with_alloc_summary.median - 0.02) < 1e-12);
}

TEST(a_wrong_answer_in_one_launch_is_a_wrong_answer) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    merge_launch(&whole, 5, 4, 0);
    RELEASED_BY(results_release) Results more = launch_of(5, 4);
    more.rows[0].status = CELL_FAIL;
    snprintf(more.rows[0].why, sizeof more.rows[0].why, "wrong answer");
    assert_ok(results_merge(&whole, &more, 1));
    assert_int_equal(whole.rows[0].status, CELL_FAIL);
    assert_string_equal(whole.rows[0].why, "launch 2: wrong answer");
    assert_int_equal(whole.rows[0].kernel.count, 0);
}

TEST(a_cell_that_was_skipped_once_has_the_other_launches) {
    RELEASED_BY(results_release) Results whole = launch_of(5, 4);
    whole.rows[0].status = CELL_SKIP;
    row_release(&whole.rows[0]);
    merge_launch(&whole, 7, 4, 1);
    results_derive(&whole, 1);
    assert_int_equal(whole.rows[0].status, CELL_OK);
    assert_int_equal(whole.rows[0].kernel.count, 4);
    assert_true(fabs(whole.rows[0].kernel_summary.median - 0.007) < 1e-12);
}

TEST(more_launches_than_there_is_room_for_are_refused) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    RELEASED_BY(results_release) Results more = launch_of(5, 1);
    assert_int_equal(results_merge(&whole, &more, LAUNCHES_MAX).code, STATUS_USAGE);
}

/* Two CPU cells of the same speed: 5 and 6 ms, 6 and 5 ms. Whichever is called the best, it was not
 * chosen by the launch that it is compared in, where it is as often slower as faster; choosing the
 * faster of each launch would call both slower than the best. */
TEST(the_best_cpu_cell_of_a_launch_is_chosen_by_the_others) {
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t launch = 0; launch < 2; launch++) {
        RELEASED_BY(results_release) Results more = launch_of(5 + launch, 5);
        RELEASED_BY(results_release) Results other = launch_of(6 - (double)launch, 5);
        other.rows[0].variant = registry_find_variant(other.rows[0].algorithm, "seq");
        assert_ok(results_merge(&whole, &more, launch));
        assert_ok(results_merge(&whole, &other, launch));
    }
    results_derive(&whole, 1);
    /* simd is best in the first launch, so it is compared in the second: 6 / 6 and, for seq, 6 / 5;
     * seq is best in the second, so it is compared in the first: 6 / 5 and 6 / 6. */
    assert_true(fabs(whole.rows[0].speedup_vs_best_cpu - (1.2 + 1) / 2) < 1e-12);
    assert_true(fabs(whole.rows[1].speedup_vs_best_cpu - (1 + 1.2) / 2) < 1e-12);
}

/* 10 / 5, 30 / 5 and 20 / 2: 2, 6 and 10. The medians' ratio would be 20 / 5. */
TEST(each_launch_has_a_speedup_of_its_own) {
    static const double slow[] = {10, 30, 20}, fast[] = {5, 5, 2};
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t launch = 0; launch < 3; launch++) {
        Results more = launch_of(slow[launch], 5);
        more.rows[0].variant = registry_find_variant(more.rows[0].algorithm, "seq");
        assert_ok(results_merge(&whole, &more, launch));
        results_release(&more);
        merge_launch(&whole, fast[launch], 5, launch);
    }
    results_derive(&whole, 1);
    const Row *row = &whole.rows[1];
    assert_string_equal(row->variant->name, "simd");
    assert_true(fabs(row->speedup - 6) < 1e-12);
    assert_true(fabs(row->speedup_launch_low - 2) < 1e-12);
    assert_true(fabs(row->speedup_launch_high - 10) < 1e-12);
    assert_true(fabs(row->speedup_end_to_end - 6) < 1e-12);
}

static void check_cpu(const Row *row, const double *milliseconds, size_t launches) {
    double medians[LAUNCHES_MAX];
    assert_int_equal(samples_launch_medians(&row->cpu, medians), launches);
    for (size_t i = 0; i < launches; i++) {
        const double want = milliseconds[i] * 1e-3;
        assert_true(isnan(want) ? isnan(medians[i]) : fabs(medians[i] - want) < 1e-12);
    }
}

/* Google Benchmark's entries of the file, with the CPU time of each launch in milliseconds. */
static void check_cpu_entries(const char *name, const double *milliseconds, int launches) {
    cJSON *root = NULL;
    assert_ok(json_file_read(test_path(name), "a run", SIZE_MAX, &root));
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "benchmarks");
    assert_int_equal(cJSON_GetArraySize(list), launches);
    for (int i = 0; i < launches; i++) {
        const double cpu = json_number_or(cJSON_GetArrayItem(list, i), "cpu_time", NAN);
        assert_true(fabs(cpu * 1e-6 - milliseconds[i]) < 1e-9);
    }
    cJSON_Delete(root);
}

static void write_run(const char *name, const Results *results) {
    assert_ok(report_json(test_path(name), sample_record(), results));
}

/* Written, read, merged with another run of launches and written again. */
TEST(cpu_time_is_that_of_each_launch) {
    static const double three[] = {5, 9, 6}, six[] = {5, 9, 6, 5, 9, 6};
    RELEASED_BY(results_release) Results whole = three_launches();
    check_cpu(&whole.rows[0], three, 3);
    write_run("three.json", &whole);
    check_cpu_entries("three.json", three, 3);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("three.json"), &stored));
    check_cpu(&stored.results.rows[0], three, 3);
    assert_ok(results_merge(&whole, &stored.results, 3));
    results_derive(&whole, 1);
    write_run("six.json", &whole);
    check_cpu_entries("six.json", six, 6);
}

/* Of files of earlier versions, which have one CPU time of all launches: then it is the wall
 * clock's, and those of other launches stay. */
TEST(cpu_time_of_a_launch_that_is_not_known_is_that_of_the_clock) {
    static const double cpu[] = {NAN, NAN, NAN, 7}, entries[] = {5, 9, 6, 7};
    RELEASED_BY(results_release) Results whole = three_launches();
    samples_release(&whole.rows[0].cpu);
    whole.rows[0].cpu_seconds = 1e-3;
    merge_launch(&whole, 7, 4, 3);
    results_derive(&whole, 1);
    check_cpu(&whole.rows[0], cpu, 4);
    write_run("old.json", &whole);
    check_cpu_entries("old.json", entries, 4);
}

/* Found by an index, in whatever order the launches have them; a cell that is there twice is one.
 */
TEST(cells_are_found_in_any_order) {
    enum { CELLS = 300 };
    RELEASED_BY(results_release) Results whole = {.rows = NULL};
    for (uint32_t launch = 0; launch < 2; launch++) {
        RELEASED_BY(results_release) Results more = {.rows = NULL};
        for (int i = 0; i <= CELLS; i++) {
            RELEASED_BY(results_release) Results one = launch_of(5, 1);
            one.rows[0].width = 1 + (launch == 0 ? i : CELLS - i) % CELLS;
            assert_ok(results_add(&more, &one.rows[0]));
            row_forget_samples(&one.rows[0]);
        }
        assert_ok(results_merge(&whole, &more, launch));
    }
    assert_int_equal(whole.count, CELLS);
    for (int i = 0; i < CELLS; i++) {
        assert_int_equal(whole.rows[i].width, 1 + i);
        assert_int_equal(whole.rows[i].kernel.count, i == 0 ? 4 : 2);
        assert_ptr_equal(results_find(&whole, &whole.rows[i]), &whole.rows[i]);
    }
    Row other = whole.rows[7];
    other.cold = true;
    assert_null(results_find(&whole, &other));
}

/* Google Benchmark's tools see three repetitions; this program reads one row with all samples. */
TEST(launches_are_repetitions_in_the_json) {
    Results whole = three_launches();
    assert_ok(report_json(test_path("merged.json"), sample_record(), &whole));
    results_release(&whole);
    cJSON *root = NULL;
    assert_ok(json_file_read(test_path("merged.json"), "a run", SIZE_MAX, &root));
    const double times[] = {5e6, 9e6, 6e6};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "benchmarks");
    assert_int_equal(cJSON_GetArraySize(list), 3);
    for (int i = 0; i < 3; i++) {
        const cJSON *entry = cJSON_GetArrayItem(list, i);
        assert_true(fabs(json_number_or(entry, "real_time", 0) - times[i]) < 1e-3);
        assert_true(json_number_or(entry, "repetitions", 0) == 3);
        assert_true(json_number_or(entry, "repetition_index", -1) == i);
        assert_string_equal(json_text(entry, "run_type"), "iteration");
    }
    cJSON_Delete(root);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(test_path("merged.json"), &stored));
    check_three(&stored.results);
}
