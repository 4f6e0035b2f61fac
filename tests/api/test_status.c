/* status: codes, texts, and the early return of STATUS_TRY. */
#include "status.h"
#include "status_checks.h"
#include "test.h"

TEST(ok_has_no_reason) {
    const Status status = status_ok();
    assert_ok(status);
    assert_ok(status);
    assert_string_equal(status.why, "");
}

TEST(reasons_are_formatted) {
    const Status skip = status_skip("needs %d GiB, %.1f free", 12, 3.14);
    assert_false(status_is_ok(&skip));
    assert_int_equal(skip.code, STATUS_SKIP);
    assert_string_equal(skip.why, "needs 12 GiB, 3.1 free");
    assert_status_is(status_fail("wrong at %d", 7), STATUS_FAIL, "wrong at 7");
    assert_status_is(status_make(STATUS_USAGE, "unknown %s", "flag"), STATUS_USAGE, "unknown flag");
    assert_status_is(status_no_memory("for %d rows", 3), STATUS_SKIP, "no memory left for 3 rows");
}

TEST(long_reasons_are_cut) {
    char text[2 * STATUS_WHY_SIZE];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const Status status = status_fail("%s", text);
    assert_int_equal(strlen(status.why), STATUS_WHY_SIZE - 1);
}

static int steps;

static Status two_steps(Status first) {
    steps = 1;
    STATUS_TRY(first);
    steps = 2;
    return status_ok();
}

TEST(try_returns_early) {
    assert_ok(two_steps(status_ok()));
    assert_int_equal(steps, 2);
    const Status status = two_steps(status_make(STATUS_FILE, "no such file"));
    assert_int_equal(steps, 1);
    assert_int_equal(status.code, STATUS_FILE);
    assert_string_equal(status.why, "no such file");
}
