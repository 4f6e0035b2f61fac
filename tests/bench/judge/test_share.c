/* Wilson's interval against the examples of R. Newcombe, "Two-sided confidence intervals for the
 * single proportion", Statistics in Medicine 17 (1998), table I, method 3. */
#include "harness.h"
#include "test.h"

TEST(published_intervals_are_met) {
    static const struct {
        uint64_t count, total;
        double low, high;
    } cases[] = {{81, 263, 0.2553, 0.3662},
                 {15, 148, 0.0624, 0.1605},
                 {0, 20, 0, 0.1611},
                 {1, 29, 0.0061, 0.1718}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Estimate got = estimate_of_share(cases[i].count, cases[i].total);
        assert_true(got.value == (double)cases[i].count / (double)cases[i].total);
        assert_true(fabs(got.low - cases[i].low) <= 0.00005);
        assert_true(fabs(got.high - cases[i].high) <= 0.00005);
    }
}

TEST(bounds_stay_between_none_and_all) {
    assert_true(estimate_of_share(0, 7).low == 0);
    assert_true(estimate_of_share(7, 7).high == 1);
    assert_true(fabs(estimate_of_share(7, 7).low - (1 - estimate_of_share(0, 7).high)) < 1e-15);
    assert_true(isnan(estimate_of_share(0, 0).value) && isnan(estimate_of_share(0, 0).low));
}
