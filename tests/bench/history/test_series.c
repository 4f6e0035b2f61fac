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

TEST(times_with_and_without_the_host_are_two_series) {
    HistoryEntry entries[COMMITS];
    make_step("lbp/cuda_fast", entries);
    for (size_t i = COMMITS / 2; i < COMMITS; i++) {
        entries[i].held = true;
    }
    HistoryView view = view_of(entries, COMMITS);
    assert_int_equal(view.count, 2);
    assert_int_equal(view.series[0].change_count + view.series[1].change_count, 0);
    assert_string_equal(view.series[0].name, "lbp/cuda_fast, with waiting for the host to launch");
    assert_string_equal(view.series[1].name,
                        "lbp/cuda_fast, without waiting for the host to launch");
    history_view_release(&view);
}
