/* Log-likelihood against sums worked out by hand. */
#include "test.h"
#include "textures_internal.h"

TEST(counts_times_logarithms_of_shares) {
    const uint64_t sample[] = {2, 1};
    const uint64_t model[] = {3, 1};
    /* 2·ln 0.75 + ln 0.25 = −0.575364145 − 1.386294361 */
    assert_true(fabs(log_likelihood(sample, model, 2) + 1.961658506) < 1e-9);
}

TEST(an_empty_bin_counts_as_one_pixel) {
    const uint64_t sample[] = {1, 3};
    const uint64_t model[] = {4, 0};
    /* ln 1 + 3·ln 0.25: the sum of the model stays 4. */
    assert_true(fabs(log_likelihood(sample, model, 2) + 4.158883083) < 1e-9);
    const uint64_t nothing[] = {5, 0};
    assert_true(log_likelihood(nothing, model, 2) == 0);
}

TEST(the_size_of_the_model_does_not_matter) {
    const uint64_t sample[] = {7, 2, 5};
    const uint64_t small[] = {1, 2, 3};
    const uint64_t large[] = {UINT64_C(1) << 40, UINT64_C(2) << 40, UINT64_C(3) << 40};
    assert_true(fabs(log_likelihood(sample, small, 3) - log_likelihood(sample, large, 3)) < 1e-9);
}

TEST(the_first_of_equals_is_taken) {
    const double values[] = {-3, -1, -2, -1};
    assert_int_equal(most_likely(values, 4), 1);
    assert_int_equal(most_likely(values, 1), 0);
}
