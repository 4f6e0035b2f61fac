#include "fnv.h"
#include "test.h"
#include "weights_fixtures.h"

#include <locale.h>

#include "needs.h"

EACH_TEST(fixture_setup, fixture_teardown);

/* Numbers that need all nine digits, the smallest and the largest among them. */
TEST(what_is_written_is_read_back) {
    const char *path = fixture_path(test_state, "round.csv");
    Weights weights, again;
    assert_ok(weights_random(&hashsift_weights, FEW, 1, &weights));
    weights.values[0] = 16777217.0F / 3;
    weights.values[1] = 1.40129846e-45F;
    weights.values[2] = -3.40282347e38F;
    weights.hash = fnv_bytes(FNV_START, weights.values, RAW_FEW);
    assert_ok(weights_write(path, &weights, "two\nlines\x01of \xc3\xa9 comment"));
    assert_ok(weights_read(path, test_kinds, &again));
    assert_string_equal(again.name, "round.csv");
    assert_same(&again, &weights);
    weights_free(&again);
    weights_free(&weights);
}

TEST(the_form_is_as_described) {
    const char *path = fixture_path(test_state, "form.csv");
    static const char want[] = "# first\n# second\n" BAD_HEADER "1,2,30,29,1,0.5\n1,2,30,";
    char *text = repeated("", BOXES, FEW, "");
    Weights weights;
    assert_ok(decode(text, &weights));
    assert_ok(weights_write(path, &weights, "first\nsecond\n"));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char got[sizeof want] = {0};
    assert_int_equal(fread(got, 1, sizeof want - 1, file), sizeof want - 1);
    fclose(file);
    assert_string_equal(got, want);
    assert_ok(weights_write(path, &weights, NULL));
    Weights again;
    assert_ok(weights_read(path, test_kinds, &again));
    assert_same(&again, &weights);
    weights_free(&again);
    assert_refused(weights_write(fixture_path(test_state, "none/w.csv"), &weights, NULL),
                   STATUS_FILE, "none/w.csv", "No such file");
    weights_free(&weights);
    free(text);
}

/* Where a comma separates decimals, files still have points. */
TEST(the_locale_does_not_matter) {
    const char *path = fixture_path(test_state, "locale.csv");
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip_needing("the locale de_DE.UTF-8", NULL);
    }
    Weights weights, again, third;
    assert_ok(weights_random(&hashsift_weights, FEW, 3, &weights));
    assert_ok(weights_write(path, &weights, NULL));
    assert_ok(weights_read(path, test_kinds, &again));
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
    assert_ok(weights_read(path, test_kinds, &third));
    assert_same(&again, &weights);
    assert_same(&third, &weights);
    weights_free(&third);
    weights_free(&again);
    weights_free(&weights);
}
