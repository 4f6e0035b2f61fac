/* Wilson's interval against the examples of R. Newcombe, "Two-sided confidence intervals for the
 * single proportion", Statistics in Medicine 17 (1998), table I, method 3. */
#include "recognise_internal.h"
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
        const Proportion got = proportion(cases[i].count, cases[i].total);
        assert_true(got.share == (double)cases[i].count / (double)cases[i].total);
        assert_true(fabs(got.low - cases[i].low) <= 0.00005);
        assert_true(fabs(got.high - cases[i].high) <= 0.00005);
    }
}

TEST(bounds_stay_between_none_and_all) {
    assert_true(proportion(0, 7).low == 0);
    assert_true(proportion(7, 7).high == 1);
    assert_true(fabs(proportion(7, 7).low - (1 - proportion(0, 7).high)) < 1e-15);
    assert_true(isnan(proportion(0, 0).share) && isnan(proportion(0, 0).low));
}
