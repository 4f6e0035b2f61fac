/* The exit codes are a contract with scripts: the numbers are written down here once more. */
#include "exit_code.h"
#include "test.h"

TEST(numbers) {
    static const int expected[] = {0, 1, 2, 3, 4, 5, 6, 7, 130};
    assert_int_equal(exit_code_row_count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < exit_code_row_count; i++) {
        assert_int_equal(exit_code_rows[i].code, expected[i]);
    }
}

TEST(codes_of_statuses) {
    assert_int_equal(exit_code_of(STATUS_OK), 0);
    assert_int_equal(exit_code_of(STATUS_USAGE), 2);
    assert_int_equal(exit_code_of(STATUS_NO_MATCH), 3);
    assert_int_equal(exit_code_of(STATUS_FAIL), 4);
    assert_int_equal(exit_code_of(STATUS_FILE), 5);
    assert_int_equal(exit_code_of(STATUS_SKIP), 6);
    assert_int_equal(exit_code_of(STATUS_DEVICE_LOST), 6);
}
