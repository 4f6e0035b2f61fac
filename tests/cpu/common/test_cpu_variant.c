/* tuning_axes: what --threads takes. */
#include <omp.h>

#include "cpu_variant.h"
#include "test.h"

static AxisValues values;

TEST(all_is_powers_of_two_and_the_number_of_processors) {
    assert_ok(axis_parse(&threads_axis, "all", NULL, &values));
    assert_true(values.count >= 1);
    for (size_t i = 0; i + 1 < values.count; i++) {
        assert_int_equal(values.values[i].number, (int64_t)1 << i);
    }
    assert_int_equal(values.values[values.count - 1].number, omp_get_max_threads());
}

TEST(the_default_is_all_processors_and_one_less) {
    const int before = omp_get_max_threads();
    assert_string_equal(threads_axis.defaults, "most");
    omp_set_num_threads(32);
    const Status status = axis_parse(&threads_axis, "most", NULL, &values);
    omp_set_num_threads(before);
    assert_ok(status);
    assert_int_equal(values.count, 2);
    assert_int_equal(values.values[0].number, 31);
    assert_int_equal(values.values[1].number, 32);
}

TEST(one_processor_has_no_fewer) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const Status status = axis_parse(&threads_axis, "most", NULL, &values);
    omp_set_num_threads(before);
    assert_ok(status);
    assert_int_equal(values.count, 1);
    assert_int_equal(values.values[0].number, 1);
}

/* OpenMP reads it when it starts; set like this it is the same. */
TEST(all_ends_at_the_number_of_openmp) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(6);
    const Status status = axis_parse(&threads_axis, "all", NULL, &values);
    omp_set_num_threads(before);
    assert_ok(status);
    assert_int_equal(values.count, 4);
    assert_int_equal(values.values[2].number, 4);
    assert_int_equal(values.values[3].number, 6);
}

TEST(max_is_the_number_of_processors) {
    assert_ok(axis_parse(&threads_axis, "max", NULL, &values));
    assert_int_equal(values.count, 1);
    assert_int_equal(values.values[0].number, omp_get_max_threads());
    assert_ok(axis_parse(&threads_axis, "1024,max", NULL, &values));
    assert_int_equal(values.count, 2);
}

TEST(numbers) {
    assert_ok(axis_parse(&threads_axis, "3,1..2,1024", NULL, &values));
    assert_int_equal(values.count, 4);
    assert_int_equal(values.values[0].number, 3);
    assert_int_equal(values.values[3].number, 1024);
}

TEST(wrong_numbers) {
    const char *const wrong[] = {"0", "1025", "-1", "many", "All"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(axis_parse(&threads_axis, wrong[i], NULL, &values).code, STATUS_USAGE);
    }
}
