/* What the series of a history are, and which of their times are looked at. */
#include "history.h"
#include "test.h"

enum { COMMITS = 10 };

static const double fast[] = {0.0100, 0.0101, 0.0102}, slow[] = {0.0200, 0.0201, 0.0202};

/* Ten commits of a cell; from the sixth on it takes twice as long. */
static void make_step(const char *cell, HistoryEntry entries[COMMITS]) {
    static const char *const commits[COMMITS] = {"a0", "a1", "a2", "a3", "a4",
                                                 "a5", "a6", "a7", "a8", "a9"};
    for (size_t i = 0; i < COMMITS; i++) {
        entries[i] = (HistoryEntry){.run = commits[i],
                                    .commit = commits[i],
                                    .cell = cell,
                                    .input_hash = "1",
                                    .mode = "hot",
                                    .when = (double)i,
                                    .launches = i < COMMITS / 2 ? fast : slow,
                                    .launch_count = sizeof fast / sizeof fast[0]};
    }
}

static HistoryView view_of(HistoryEntry *entries, size_t count) {
    const MachineHistory history = {
        .machine = "m", .build = "b", .entries = entries, .count = count};
    HistoryView view;
    assert_ok(history_view(&history, 0.05, 200, &view));
    return view;
}

static void disturb_from(HistoryEntry entries[COMMITS], size_t from) {
    for (size_t i = from; i < COMMITS; i++) {
        entries[i].disturbed = true;
    }
}

TEST(times_with_and_without_the_host_are_two_series) {
    HistoryEntry entries[COMMITS];
    make_step("lbp/cuda_fast", entries);
    for (size_t i = COMMITS / 2; i < COMMITS; i++) {
        entries[i].held = true;
    }
    RELEASED_BY(history_view_release) HistoryView view = view_of(entries, COMMITS);
    assert_int_equal(view.count, 2);
    assert_int_equal(view.series[0].change_count + view.series[1].change_count, 0);
    assert_string_equal(view.series[0].name,
                        "lbp/cuda_fast, with waiting for the host to launch kernels");
    assert_string_equal(view.series[1].name,
                        "lbp/cuda_fast, without waiting for the host to launch kernels");
}

static void check_change(const HistorySeries *series, const char *commit) {
    assert_int_equal(series->change_count, 1);
    assert_string_equal(series->commits[series->changes[0].point.at].commit, commit);
}

TEST(disturbed_times_are_no_level) {
    HistoryEntry entries[COMMITS];
    make_step("lbp/omp", entries);
    disturb_from(entries, COMMITS / 2);
    RELEASED_BY(history_view_release) HistoryView view = view_of(entries, COMMITS);
    assert_int_equal(view.series[0].change_count, 0);
    assert_int_equal(view.series[0].count, COMMITS);
    assert_true(view.series[0].commits[COMMITS - 1].disturbed);
    assert_int_equal(view.disturbed, COMMITS / 2);
    assert_int_equal(view.times, COMMITS);
}

TEST(a_change_behind_a_disturbed_commit_is_at_its_own) {
    HistoryEntry entries[COMMITS];
    make_step("lbp/omp", entries);
    entries[1].disturbed = true;
    RELEASED_BY(history_view_release) HistoryView view = view_of(entries, COMMITS);
    check_change(&view.series[0], "a5");
}

/* A run of the first commit is disturbed, the one before it or the one after it is not. */
TEST(a_commit_has_the_time_of_its_undisturbed_runs) {
    for (size_t disturbed = 0; disturbed < 2; disturbed++) {
        HistoryEntry entries[COMMITS];
        make_step("lbp/omp", entries);
        entries[1].commit = entries[0].commit;
        entries[disturbed].launches = slow;
        entries[disturbed].disturbed = true;
        RELEASED_BY(history_view_release) HistoryView view = view_of(entries, COMMITS);
        assert_int_equal(view.series[0].count, COMMITS - 1);
        assert_false(view.series[0].commits[0].disturbed);
        assert_float_equal(view.series[0].commits[0].seconds.value, fast[1], 0);
        assert_int_equal(view.disturbed, 1);
        assert_int_equal(view.times, COMMITS);
        check_change(&view.series[0], "a5");
    }
}

/* --- Findings --------------------------------------------------------------------------------- */

static char *printed(const HistoryView *view) {
    FILE *stream = test_stream();
    assert_ok(history_print(stream, view));
    return test_text(stream);
}

TEST(a_cell_whose_times_were_all_disturbed_says_so) {
    HistoryEntry entries[COMMITS];
    make_step("lbp/omp", entries);
    disturb_from(entries, 0);
    RELEASED_BY(history_view_release) HistoryView view = view_of(entries, COMMITS);
    char *text = printed(&view);
    assert_says(text, "none; all times were disturbed");
}

/* The cell takes `before` seconds up to a commit and `now` from there on. */
static void set_times(HistoryEntry entries[COMMITS], size_t from, const double *before,
                      const double *now) {
    for (size_t i = 0; i < COMMITS; i++) {
        entries[i].launches = i < from ? before : now;
    }
}

TEST(the_change_points_of_a_commit_are_one_finding) {
    static const double slowest[] = {0.0300, 0.0303, 0.0306};
    static const char *const cells[] = {"a", "b", "c", "d", "e", "f", "copy"};
    enum { CELLS = sizeof cells / sizeof cells[0] };
    HistoryEntry entries[CELLS][COMMITS];
    for (size_t i = 0; i < CELLS; i++) {
        make_step(cells[i], entries[i]);
    }
    set_times(entries[0], 6, slow, fast);
    set_times(entries[2], 5, fast, slowest);
    set_times(entries[3], 5, slow, fast);
    for (size_t i = 0; i < COMMITS; i++) {
        entries[CELLS - 1][i].roof = true;
    }
    RELEASED_BY(history_view_release) HistoryView view = view_of(entries[0], CELLS * COMMITS);
    char *text = printed(&view);
    assert_says(text, "\n\na5: 4 cells up to 3.00× slower, 1 cell 1.99× faster: b, c, d and 2 "
                      "more\na6: 1 cell 1.99× faster: a\nCells with");
}
