
#include "run.h"
#include "status_checks.h"
#include "test.h"

static void check_size(const SizeSpec *size, const char *name, int32_t images, int32_t width,
                       int32_t height) {
    assert_string_equal(size->name, name);
    assert_int_equal(size->images, images);
    assert_int_equal(size->width, width);
    assert_int_equal(size->height, height);
}

TEST(numbers_of_pictures) {
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    assert_ok(set_sizes_parse("1000,060000,All,1000", NULL, sizes, &count));
    assert_int_equal(count, 3);
    check_size(&sizes[0], "1000", 1000, 0, 0);
    check_size(&sizes[1], "60000", 60000, 0, 0);
    check_size(&sizes[2], "all", 0, 0, 0);
}

TEST(every_number_at_every_side) {
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    assert_ok(set_sizes_parse("7,all", "28,24X32,28x28", sizes, &count));
    assert_int_equal(count, 4);
    check_size(&sizes[0], "7x28x28", 7, 28, 28);
    check_size(&sizes[1], "7x24x32", 7, 24, 32);
    check_size(&sizes[2], "allx28x28", 0, 28, 28);
    check_size(&sizes[3], "allx24x32", 0, 24, 32);
}

/* The largest that a size can be is written out whole. */
TEST(names_have_room) {
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    assert_ok(set_sizes_parse("2147483647", "4096", sizes, &count));
    check_size(&sizes[0], "2147483647x4096x4096", INT32_MAX, 4096, 4096);
}

TEST(wrong_sizes) {
    static const struct {
        const char *images, *sides, *fragment;
    } cases[] = {
        {"0", NULL, "--images: '0' is no number of images; write whole numbers from 1 on"},
        {"-1", NULL, "--images: '-1' is no number of images"},
        {"2147483648", NULL, "--images: '2147483648' is no number"},
        {"99999999999999999999999", NULL, "is no number of images"},
        {"1e3", NULL, "--images: '1e3' is no number"},
        {"many", NULL, "such as 1000, or all"},
        {"10,", NULL, "--images: "},
        {"10", "0", "--side: '0' is no size of images in a set; write sides from 1 to 4096"},
        {"10", "4097", "--side: '4097'"},
        {"10", "28x", "--side: '28x'"},
        {"10", "x28", "--side: 'x28'"},
        {"10", "28x28x28", "--side: '28x28x28'"},
        {"10", "native", "such as 28 or 24x32"},
        {"10", ",28", "--side: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SizeSpec sizes[OPTIONS_SIZES_MAX];
        size_t count;
        const Status status = set_sizes_parse(cases[i].images, cases[i].sides, sizes, &count);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_says(status.why, cases[i].fragment);
    }
}

/* 8 numbers at 9 sides are 72. */
TEST(too_many_sizes) {
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    assert_status(set_sizes_parse("1,2,3,4,5,6,7,8", "1,2,3,4,5,6,7,8,9", sizes, &count),
                  STATUS_USAGE, "more than 64 sizes of sets");
    assert_ok(set_sizes_parse("1,2,3,4,5,6,7,8", "1,2,3,4,5,6,7,8", sizes, &count));
    assert_int_equal(count, 64);
}
