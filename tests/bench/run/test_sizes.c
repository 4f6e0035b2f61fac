/* Names and numbers of DESIGN's list of sizes, written down here once more by hand. */
#include "size_spec.h"
#include "test.h"

TEST(names) {
    static const struct {
        const char *given, *name;
        int32_t width, height;
    } cases[] = {
        {"360p", "360p", 480, 360},
        {"480p", "480p", 640, 480},
        {"720p", "720p", 1280, 720},
        {"1080p", "1080p", 1920, 1080},
        {"4K", "4K", 3840, 2160},
        {"8K", "8K", 7680, 4320},
        {"16K", "16K", 15360, 8640},
        {"32K", "32K", 30720, 17280},
        {"512", "512", 512, 512},
        {"1024", "1024", 1024, 1024},
        {"2048", "2048", 2048, 2048},
        {"4096", "4096", 4096, 4096},
        {"8192", "8192", 8192, 8192},
        {"native", "native", 0, 0},
        {"4k", "4K", 3840, 2160},
        {"1080P", "1080p", 1920, 1080},
        {"Native", "native", 0, 0},
        {"1x1", "1x1", 1, 1},
        {"640X480", "640x480", 640, 480},
        {"0640x0480", "640x480", 640, 480},
        {"1048576x131072", "1048576x131072", 1048576, 131072},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SizeSpec size;
        assert_ok(size_parse(cases[i].given, &size));
        assert_string_equal(size.name, cases[i].name);
        assert_int_equal(size.width, cases[i].width);
        assert_int_equal(size.height, cases[i].height);
    }
}

TEST(wrong_sizes) {
    static const struct {
        const char *given, *fragment;
    } cases[] = {
        {"0x0", "has no pixels"},
        {"0x5", "has no pixels"},
        {"5x0", "has no pixels"},
        {"-3x5", "is no size"},
        {"3x-5", "is no size"},
        {"1e9x1e9", "is no size"},
        {"1000000000x1000000000", "at most 1048576"},
        {"99999999999999999999999999x1", "at most 1048576"},
        {"18446744073709551617x1", "at most 1048576"},
        {"1048577x1", "at most 1048576"},
        {"1048576x1048576", "at most 137438953472 pixels"},
        {"640x", "is no size"},
        {"x480", "is no size"},
        {"640x480x2", "is no size"},
        {"640 x480", "is no size"},
        {"640x480 ", "is no size"},
        {"640*480", "is no size"},
        {"1.5x2", "is no size"},
        {"big", "write a name such as 1080p"},
        {"1081p", "did you mean '1080p'?"},
        {"natve", "did you mean 'native'?"},
        {"640", "is no size"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SizeSpec size;
        const Status status = size_parse(cases[i].given, &size);
        assert_int_equal(status.code, STATUS_USAGE);
        if (strstr(status.why, cases[i].fragment) == NULL) {
            fail_msg("%s: '%s' does not say '%s'", cases[i].given, status.why, cases[i].fragment);
        }
        assert_null(strchr(status.why, '\n'));
    }
}

TEST(all_is_360p_to_16k) {
    static const char *const expected[] = {"360p", "480p", "720p", "1080p", "4K", "8K", "16K"};
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    assert_ok(sizes_parse("all", sizes, &count));
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(sizes[i].name, expected[i]);
    }
}

TEST(lists) {
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    Status status = sizes_parse("32K,all,1080p,64x48", sizes, &count);
    assert_ok(status);
    assert_int_equal(count, 9);
    assert_string_equal(sizes[0].name, "32K");
    assert_string_equal(sizes[8].name, "64x48");

    status = sizes_parse("640x480,480p", sizes, &count);
    assert_ok(status);
    assert_int_equal(count, 1);
    assert_string_equal(sizes[0].name, "640x480");

    static const char *const wrong[] = {"", ",", "1080p,", ",1080p", "1080p,,4K"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        status = sizes_parse(wrong[i], sizes, &count);
        assert_int_equal(status.code, STATUS_USAGE);
    }
}

TEST(too_many_sizes) {
    char list[OPTIONS_SIZES_MAX * 8 + 16] = "";
    for (int i = 1; i <= OPTIONS_SIZES_MAX + 1; i++) {
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%dx1", i == 1 ? "" : ",", i);
    }
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t count;
    Status status = sizes_parse(list, sizes, &count);
    assert_int_equal(status.code, STATUS_USAGE);
    *strrchr(list, ',') = '\0';
    status = sizes_parse(list, sizes, &count);
    assert_ok(status);
    assert_int_equal(count, OPTIONS_SIZES_MAX);
}
