/* Looks of variants: by name alone, CPU and GPU apart. */
#include "look.h"
#include "test.h"

static bool same(Look a, Look b) {
    return strcmp(a.colour, b.colour) == 0 && a.marker == b.marker && strcmp(a.dash, b.dash) == 0;
}

static bool on_device(const char *name) {
    return strncmp(name, "cuda", 4) == 0;
}

static Look variant_look(const char *name) {
    return look_numbered(variant_look_number(name, on_device(name)));
}

TEST(test_known_names_have_looks_of_their_own) {
    static const char *const names[] = {"cuda_fast", "cuda_naive",    "cuda_tiled",  "cuda_texture",
                                        "cuda_sat",  "cuda_streamed", "seq",         "simd",
                                        "omp",       "cuda_pipeline", "seq_pipeline"};
    enum { COUNT = sizeof names / sizeof names[0] };
    for (size_t i = 0; i < COUNT; i++) {
        const Look look = variant_look(names[i]);
        assert_int_equal(look.hollow, !on_device(names[i]));
        assert_int_equal(variant_look_number(names[i], true), variant_look_known(names[i]));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(look.colour, variant_look(names[j]).colour);
            assert_false(look.hollow == variant_look(names[j]).hollow &&
                         same(look, variant_look(names[j])));
        }
    }
    assert_string_equal(variant_look("cuda_fast").colour, "#0072B2");
}

/* FNV-1a of "cuda_mine" is 0x350aa3ab71ccf368, of three in reserve the one of its remainder. */
TEST(test_other_names_have_the_same_reserve_everywhere) {
    assert_int_equal(variant_look_known("cuda_mine"), -1);
    assert_int_equal(variant_look_known("mine"), -1);
    assert_string_equal(variant_look("cuda_mine").colour, "#5D672F");
    assert_string_equal(look_numbered(variant_look_number("gpu_mine", true)).colour, "#3154FF");
    assert_string_equal(variant_look("mine").colour, "#B38E7A");
    assert_false(variant_look("cuda_mine").hollow);
    assert_true(variant_look("mine").hollow);
    assert_false(look_numbered(variant_look_number("mine", true)).hollow);
}

TEST(test_numbers_begin_again) {
    const int count = (int)look_count();
    assert_true(same(look_numbered(count + 2), look_numbered(2)));
    assert_string_equal(look_numbered(count + variant_look_number("omp", false)).colour,
                        variant_look("omp").colour);
}
