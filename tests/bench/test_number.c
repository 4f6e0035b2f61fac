/* Units of time are found by their words, and times are written in the unit that fits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"

static void units_are_found_by_their_words(void **state) {
    (void)state;
    assert_ptr_equal(time_unit_find("us", TIME_US, TIME_MIN), &time_units[TIME_US]);
    assert_string_equal(time_units[TIME_US].name, "µs");
    assert_ptr_equal(time_unit_find("min", TIME_US, TIME_MIN), &time_units[TIME_MIN]);
    assert_null(time_unit_find("ns", TIME_US, TIME_MIN)); /* no duration on a command line */
    assert_null(time_unit_find("min", TIME_NS, TIME_S));
    assert_null(time_unit_find("µs", TIME_NS, TIME_MIN));
    assert_null(time_unit_find("", TIME_NS, TIME_MIN));
    for (int i = 0; i < TIME_UNITS; i++) {
        assert_ptr_equal(time_unit_find(time_units[i].word, TIME_NS, TIME_MIN), &time_units[i]);
    }
}

static void a_time_has_the_unit_that_fits(void **state) {
    (void)state;
    assert_ptr_equal(time_unit_of(0.9996e-3, 3), &time_units[TIME_MS]); /* 1.00 ms */
    assert_ptr_equal(time_unit_of(0.9994e-3, 3), &time_units[TIME_US]); /* 999 µs */
    assert_ptr_equal(time_unit_of(0.9996e-3, 0), &time_units[TIME_US]);
    assert_ptr_equal(time_unit_of(1e-3, 0), &time_units[TIME_MS]);
    assert_ptr_equal(time_unit_of(1e-12, 3), &time_units[TIME_NS]);
    assert_ptr_equal(time_unit_of(7200, 3), &time_units[TIME_S]); /* never minutes */
}

static void times_and_ratios_have_three_digits(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{92.46e-6, "92.5 µs"}, {0.9998, "1.00 s"}, {3.4e-3, "3.40 ms"}};
    char text[NUMBER_WORDS_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        seconds_text(cases[i].seconds, text);
        assert_string_equal(text, cases[i].text);
    }
    interval_text(36.21, 37.18, text);
    assert_string_equal(text, "36.2 to 37.2");
    interval_text(1.00011, 1.00024, text); /* as many as it takes to tell them apart */
    assert_string_equal(text, "1.0001 to 1.0002");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_found_by_their_words),
        cmocka_unit_test(a_time_has_the_unit_that_fits),
        cmocka_unit_test(times_and_ratios_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
