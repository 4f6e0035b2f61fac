/* How many pairs of launches a budget has room for. */
#include "history.h"
#include "samples.h"
#include "test.h"
#include "two_runs.h"

TEST(a_budget_has_room_for_so_many_pairs) {
    assert_int_equal(pairs_of_budget(100, 5, 5, 1, 0.01), 20);
    assert_int_equal(pairs_of_budget(104.9, 5, 5, 1, 0.01), 20);
    assert_int_equal(pairs_of_budget(100, 60, 2, 1, 0.01), 21);
    assert_int_equal(pairs_of_budget(1e6, 1e-9, 1e-9, 1, 0.01), LAUNCHES_MAX);
}

/* However little time there is: with fewer no cell could be found slower. */
TEST(no_fewer_pairs_than_can_decide) {
    static const size_t cells[] = {0, 1, 4, 5, 64, 65, 1000};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        const size_t pairs = (size_t)pairs_of_budget(1e-3, 5, 5, cells[i], 0.01);
        const double alpha = 0.01 / (double)(cells[i] > 0 ? cells[i] : 1);
        assert_true(pairs >= MEDIAN_INTERVAL_MIN);
        assert_true(mann_whitney_least_p(pairs, pairs) < alpha);
        assert_true(pairs == MEDIAN_INTERVAL_MIN ||
                    mann_whitney_least_p(pairs - 1, pairs - 1) >= alpha);
    }
    assert_int_equal(pairs_of_budget(1e-3, 5, 5, 64, 0.01), 8);
}
