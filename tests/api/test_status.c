/* status: codes, texts, and the early return of STATUS_TRY. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "status.h"

static void ok_has_no_reason(void **state) {
    (void)state;
    const Status status = status_ok();
    assert_true(status_is_ok(&status));
    assert_int_equal(status.code, STATUS_OK);
    assert_string_equal(status.why, "");
}

static void reasons_are_formatted(void **state) {
    (void)state;
    const Status skip = status_skip("needs %d GiB, %.1f free", 12, 3.14);
    assert_false(status_is_ok(&skip));
    assert_int_equal(skip.code, STATUS_SKIP);
    assert_string_equal(skip.why, "needs 12 GiB, 3.1 free");
    const Status fail = status_fail("wrong at %d", 7);
    assert_int_equal(fail.code, STATUS_FAIL);
    assert_string_equal(fail.why, "wrong at 7");
    const Status usage = status_make(STATUS_USAGE, "unknown %s", "flag");
    assert_int_equal(usage.code, STATUS_USAGE);
    assert_string_equal(usage.why, "unknown flag");
    const Status memory = status_no_memory("for %d rows", 3);
    assert_int_equal(memory.code, STATUS_SKIP);
    assert_string_equal(memory.why, "no memory left for 3 rows");
}

static void long_reasons_are_cut(void **state) {
    (void)state;
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

static void try_returns_early(void **state) {
    (void)state;
    assert_int_equal(two_steps(status_ok()).code, STATUS_OK);
    assert_int_equal(steps, 2);
    const Status status = two_steps(status_make(STATUS_FILE, "no such file"));
    assert_int_equal(steps, 1);
    assert_int_equal(status.code, STATUS_FILE);
    assert_string_equal(status.why, "no such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ok_has_no_reason),
        cmocka_unit_test(reasons_are_formatted),
        cmocka_unit_test(long_reasons_are_cut),
        cmocka_unit_test(try_returns_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
