/* tuning_axes: what --threads takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <omp.h>

#include "cpu_variant.h"

static AxisValues values;

static void all_is_powers_of_two_and_the_number_of_processors(void **state) {
    (void)state;
    assert_int_equal(axis_parse(&threads_axis, "all", NULL, &values).code, STATUS_OK);
    assert_true(values.count >= 1);
    for (size_t i = 0; i + 1 < values.count; i++) {
        assert_int_equal(values.values[i].number, (int64_t)1 << i);
    }
    assert_int_equal(values.values[values.count - 1].number, omp_get_num_procs());
    assert_string_equal(threads_axis.defaults, "all");
}

static void max_is_the_number_of_processors(void **state) {
    (void)state;
    assert_int_equal(axis_parse(&threads_axis, "max", NULL, &values).code, STATUS_OK);
    assert_int_equal(values.count, 1);
    assert_int_equal(values.values[0].number, omp_get_num_procs());
    assert_int_equal(axis_parse(&threads_axis, "1024,max", NULL, &values).code, STATUS_OK);
    assert_int_equal(values.count, 2);
}

static void numbers(void **state) {
    (void)state;
    assert_int_equal(axis_parse(&threads_axis, "3,1..2,1024", NULL, &values).code, STATUS_OK);
    assert_int_equal(values.count, 4);
    assert_int_equal(values.values[0].number, 3);
    assert_int_equal(values.values[3].number, 1024);
}

static void wrong_numbers(void **state) {
    (void)state;
    const char *const wrong[] = {"0", "1025", "-1", "many", "All"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(axis_parse(&threads_axis, wrong[i], NULL, &values).code, STATUS_USAGE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_powers_of_two_and_the_number_of_processors),
        cmocka_unit_test(max_is_the_number_of_processors),
        cmocka_unit_test(numbers),
        cmocka_unit_test(wrong_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
