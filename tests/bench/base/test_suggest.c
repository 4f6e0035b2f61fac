/* Edit distances counted by hand. */
#include "base_internal.h"
#include "test.h"
#include "text.h"

TEST(distances) {
    static const struct {
        const char *left, *right;
        size_t distance;
    } cases[] = {
        {"", "", 0},         {"", "abc", 3},       {"abc", "", 3},           {"omp", "omp", 0},
        {"OMP", "omp", 0},   {"list", "lits", 1},  {"lpb", "lbp", 1},        {"seqq", "seq", 1},
        {"sq", "seq", 1},    {"simd", "simt", 1},  {"kitten", "sitting", 3}, {"ab", "ba", 1},
        {"abcd", "badc", 2}, {"reps", "sizes", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(edit_distance(cases[i].left, cases[i].right), cases[i].distance);
        assert_int_equal(edit_distance(cases[i].right, cases[i].left), cases[i].distance);
    }
}

static const char *nearest(const char *given, const char *const *names) {
    Suggestion suggestion = suggest_start(given);
    for (; *names != NULL; names++) {
        suggest_offer(&suggestion, *names);
    }
    return suggestion.nearest;
}

TEST(close_names_are_suggested) {
    static const char *const names[] = {"seq", "simd", "omp", "cuda_naive", "cuda_tiled", NULL};
    assert_string_equal(nearest("cuda_tield", names), "cuda_tiled");
    assert_string_equal(nearest("cuda-tiled", names), "cuda_tiled");
    assert_string_equal(nearest("SEQ", names), "seq");
    assert_string_equal(nearest("opm", names), "omp");
    /* Two letters of four are out of place, but they are the same letters. */
    static const char *const options[] = {"all", "gain", "algo", NULL};
    assert_string_equal(nearest("agol", options), "algo");
}

TEST(far_names_are_not) {
    static const char *const names[] = {"seq", "simd", "omp", "cuda_naive", NULL};
    assert_null(nearest("opencl", names));
    assert_null(nearest("x", names));
    assert_null(nearest("", names));
    static const char *const one_letter[] = {"a", NULL};
    assert_null(nearest("b", one_letter));
}

TEST(endless_names_are_safe) {
    char text[500];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    static const char *const names[] = {"aaaa", NULL};
    assert_null(nearest(text, names));
    assert_int_equal(edit_distance(text, ""), SUGGEST_NAME_MAX);
}

TEST(text_of_a_suggestion) {
    char text[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start("lpb");
    assert_string_equal(suggest_text(&suggestion, text), "");
    suggest_offer(&suggestion, "lbp");
    assert_string_equal(suggest_text(&suggestion, text), "; did you mean 'lbp'?");
}
