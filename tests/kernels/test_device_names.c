/* What several devices are called together. */
#include "device_names.h"
#include "test.h"

static void check(const DeviceName *names, size_t count, const char *expected) {
    char text[160];
    device_names_text(names, count, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(devices_are_counted_by_model) {
    const DeviceName names[] = {{3, "NVIDIA H200"}, {0, "NVIDIA L4"}, {1, "NVIDIA H200"}};
    check(names, 0, "");
    check(names, 1, "NVIDIA H200");
    check(names, 2, "NVIDIA H200, NVIDIA L4");
    check(names, 3, "2 × NVIDIA H200, NVIDIA L4");
}

/* One H200 is not called three. */
TEST(a_device_that_stands_for_several_is_one) {
    const DeviceName names[] = {
        {0, "NVIDIA H200"}, {0, "NVIDIA H200"}, {0, "NVIDIA H200"}, {1, "NVIDIA H200"}};
    check(names, 3, "NVIDIA H200 as 3 devices");
    check(names, 4, "2 × NVIDIA H200 as 4 devices");
}

TEST(a_long_list_is_cut) {
    DeviceName names[4] = {{0, ""}, {1, ""}, {2, ""}, {3, ""}};
    char text[300];
    for (int i = 0; i < 4; i++) {
        memset(names[i].model, 'A' + i, sizeof names[i].model - 1);
    }
    device_names_text(names, 4, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
}
