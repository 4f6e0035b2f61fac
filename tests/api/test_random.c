/* The random numbers are those of the published generators: models, weights, synthetic inputs and
 * stored intervals depend on each of them. */
#include "random.h"
#include "test.h"

/* From state 1234567, published with the reference code. */
TEST(places_are_those_of_splitmix64) {
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    Draw draw = {.seed = 1234567};
    for (uint64_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        assert_true(random_at(1234567, i) == published[i]);
        assert_true(draw_number(&draw) == published[i]);
    }
}

/* Worked out from the first two of those: the upper 32 bits are 1503580183 and 745795716. */
TEST(draws_are_shares_of_the_upper_bits) {
    Draw draw = {.seed = 1234567};
    assert_int_equal(draw_below(&draw, 1000), 350); /* 1503580183 · 1000 / 2^32 = 350.08 */
    assert_int_equal(draw_below(&draw, 1000), 173); /* 745795716 · 1000 / 2^32 = 173.64 */
    assert_true(draw_share(0) == 0);
    assert_true(draw_share(UINT64_C(1) << 63) == 0.5);
    assert_true(draw_share(UINT64_MAX) == 1 - 0x1p-53);
}

/* The first numbers from the state {1, 2, 3, 4}: rotl(2·5, 7)·9 = 11520 and then 0, since the
 * second word of the state is 2 ^ 3 ^ 1 = 0 (worked through by hand). */
TEST(long_sequences_are_those_of_xoshiro) {
    Random random = {{1, 2, 3, 4}};
    assert_int_equal(random_bits(&random), 11520);
    assert_int_equal(random_bits(&random), 0);
    assert_int_equal(random_bits(&random), 1509978240);
    Random seeded;
    random_seed(&seeded, 0);
    /* splitmix64 from 0, as published with it. */
    assert_true(seeded.state[0] == UINT64_C(0xE220A8397B1DCDAF));
    assert_true(seeded.state[1] == UINT64_C(0x6E789E6AA1B965F4));
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const double unit = random_unit(&seeded);
        assert_true(unit > 0 && unit < 1);
        sum += unit;
    }
    assert_true(sum > 49500 && sum < 50500); /* five standard errors */
}
