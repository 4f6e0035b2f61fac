/* The exit codes are a contract with scripts: the numbers are written down here once more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"

static void numbers(void **state) {
    (void)state;
    static const int expected[] = {0, 1, 2, 3, 4, 5, 6, 7, 130};
    assert_int_equal(exit_code_row_count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < exit_code_row_count; i++) {
        assert_int_equal(exit_code_rows[i].code, expected[i]);
    }
}

static void codes_of_statuses(void **state) {
    (void)state;
    assert_int_equal(exit_code_of(STATUS_OK), 0);
    assert_int_equal(exit_code_of(STATUS_USAGE), 2);
    assert_int_equal(exit_code_of(STATUS_NO_MATCH), 3);
    assert_int_equal(exit_code_of(STATUS_FAIL), 4);
    assert_int_equal(exit_code_of(STATUS_FILE), 5);
    assert_int_equal(exit_code_of(STATUS_SKIP), 6);
    assert_int_equal(exit_code_of(STATUS_DEVICE_LOST), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(codes_of_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
