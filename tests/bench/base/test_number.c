/* Numbers as people read them: digits, units, ratios, percents. */
#include "number.h"
#include "test.h"

TEST(units_are_found_by_their_words) {
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

TEST(a_time_has_the_unit_that_fits) {
    assert_ptr_equal(time_unit_of(0.9996e-3, 3), &time_units[TIME_MS]); /* 1.00 ms */
    assert_ptr_equal(time_unit_of(0.9994e-3, 3), &time_units[TIME_US]); /* 999 µs */
    assert_ptr_equal(time_unit_of(0.9996e-3, 0), &time_units[TIME_US]);
    assert_ptr_equal(time_unit_of(1e-3, 0), &time_units[TIME_MS]);
    assert_ptr_equal(time_unit_of(1e-12, 3), &time_units[TIME_NS]);
    assert_ptr_equal(time_unit_of(7200, 3), &time_units[TIME_S]); /* never minutes */
}

TEST(times_in_ascii_have_four_digits) {
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{1, "1.000 s"},       {0.9994, "999.4 ms"}, {0.99997, "1.000 s"},
                 {1e-3, "1.000 ms"},   {9.5e-4, "950.0 us"}, {1e-6, "1.000 us"},
                 {2e-10, "0.2000 ns"}, {12834.4, "12834 s"}, {1.5e-8, "15.00 ns"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        seconds_text_ascii(cases[i].seconds, 4, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(measured_numbers_keep_their_whole_digits) {
    static const struct {
        double number;
        int digits;
        const char *text;
    } cases[] = {{12834.4, 4, "12834"},  {999.96, 4, "1000"},           {9999.6, 4, "10000"},
                 {10000, 4, "10000"},    {1.36049, 4, "1.360"},         {9.9996, 4, "10.00"},
                 {-12834, 3, "-12834"},  {0.000123456, 4, "0.0001235"}, {0, 4, "0"},
                 {1e300, 4, "1.000e300"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIGNIFICANT_SIZE];
        measured_text(cases[i].number, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(significant_digits_need_no_exponent) {
    static const struct {
        double number;
        const char *text;
    } cases[] = {{12834, "12800"},     {0.09252, "0.0925"}, {2.5, "2.50"},
                 {999.6, "1000"},      {-0.5, "-0.500"},    {1e-5, "0.0000100"},
                 {1.2e-7, "1.20e-7"},  {NAN, "—"},          {INFINITY, "∞"},
                 {-INFINITY, "-∞"},    {-0.0, "0"},         {-1.234e-300, "-1.23e-300"},
                 {1.234e15, "1.23e15"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIGNIFICANT_SIZE];
        significant_text(cases[i].number, 3, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(percents_below_one_hundred_are_never_written_as_one_hundred) {
    static const struct {
        double share;
        int decimals;
        const char *text;
    } cases[] = {{0.5, 1, "50.0%"},    {1, 2, "100.00%"},  {0.999996, 2, "99.9996%"},
                 {0.9994, 1, "99.9%"}, {1.5, 1, "150.0%"}, {0, 2, "0.00%"},
                 {0.995, 0, "99.5%"},  {NAN, 1, ""},       {INFINITY, 1, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIGNIFICANT_SIZE];
        percent_text(cases[i].share, cases[i].decimals, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(amounts_have_the_prefix_that_fits) {
    static const struct {
        double amount;
        const char *unit, *text;
    } cases[] = {{172800, "pixel", "173 kpixel"},
                 {999.6, "B/s", "1.00 kB/s"},
                 {512, "pixel", "512 pixel"},
                 {0.25, "pixel", "0.250 pixel"},
                 {231, "", "231"},
                 {2.312e12, "", "2.31 T"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        amount_text(cases[i].amount, cases[i].unit, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(times_and_ratios_have_three_digits) {
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
    interval_text(NAN, 2, text);
    assert_string_equal(text, "");
}

TEST(a_time_left_is_as_rough_as_it_is_known) {
    static const struct {
        double low, high;
        const char *text;
    } rows[] = {{0, 0, "a few seconds"},   {3, 4.9, "a few seconds"},  {3, 5, "3–5 s"},
                {0.2, 5, "1–5 s"},         {14.4, 14.6, "14–15 s"},    {14.6, 15.4, "about 15 s"},
                {18, 23, "20–25 s"},       {1, 40, "5–40 s"},          {40, 90, "40–90 s"},
                {80, 125, "1–2 min"},      {600, 700, "10–12 min"},    {5000, 7300, "1–2 h"},
                {7300, 8000, "about 2 h"}, {NAN, NAN, "a few seconds"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[NUMBER_WORDS_SIZE];
        time_range_text(rows[i].low, rows[i].high, text);
        assert_string_equal(text, rows[i].text);
    }
}

TEST(numbers_are_read_out_of_texts) {
    const char *rest;
    assert_true(leading_number("24:3", &rest) == 24);
    assert_string_equal(rest, ":3");
    assert_true(leading_number("-1.5e3x", NULL) == -1500);
    assert_true(isnan(leading_number("otsu", &rest)));
    assert_string_equal(rest, "otsu");
    assert_true(whole_number("0.25") == 0.25);
    assert_true(number_written(1e3 * 1.1315e-5) == 0.011315);
    assert_true(number_written(123456789012) == 123456789012);
    assert_true(number_written(0.12345678949) == 0.123456789);
    assert_true(isnan(number_written(INFINITY)));
    static const char *const none[] = {"", "24:3", "x", "inf", "nan"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(isnan(whole_number(none[i])));
    }
}
