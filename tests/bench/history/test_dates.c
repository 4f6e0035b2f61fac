/* Dates of runs and commits. */
#include "history.h"
#include "test.h"

TEST(dates_have_zones) {
    assert_true(date_seconds("1970-01-02T00:00:01Z") == 86401);
    assert_true(date_seconds("1970-01-02T00:00:01") == 86401);
    assert_true(date_seconds("1970-01-02T01:30:01+01:30") == 86401);
    assert_true(date_seconds("1970-01-01T23:00:01-01:00") == 86401);
    assert_true(isnan(date_seconds("")));
    assert_true(isnan(date_seconds("1970-01-02")));
    assert_true(isnan(date_seconds("1970-01-02T00:00:01 yesterday")));
}
