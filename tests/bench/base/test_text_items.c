/* Words of comma lists, and items of texts for people. */
#include "paths.h"
#include "test.h"
#include "text.h"

TEST(a_comma_list_has_its_words_in_any_case) {
    assert_true(list_has("seq,simd", "seq"));
    assert_true(list_has("seq,simd", "SIMD"));
    assert_false(list_has("seq,simd_omp", "simd"));
    assert_false(list_has("simd_omp,seq", "simd"));
    assert_false(list_has("", "seq"));
    assert_true(list_has(NULL, "seq"));
}

TEST(a_text_has_whole_items) {
    assert_true(text_has_item("seq, simd", ", ", "simd"));
    assert_true(text_has_item("agrees in part, noisy", ", ", "agrees in part"));
    assert_false(text_has_item("agrees in part", ", ", "part"));
    assert_false(text_has_item("simd_omp, omp_simd", ", ", "simd"));
    assert_true(text_has_item("simd_omp, simd", ", ", "simd"));
    assert_false(text_has_item("A, B", "; ", "A"));
    assert_false(text_has_item("", ", ", "seq"));
}

TEST(an_item_is_added_once) {
    char text[32] = "";
    text_add_item(text, sizeof text, "; ", "GPU A");
    text_add_item(text, sizeof text, "; ", "GPU");
    text_add_item(text, sizeof text, "; ", "GPU A");
    assert_string_equal(text, "GPU A; GPU");
}

TEST(texts_begin_and_end) {
    const char text[] = "results.csv";
    assert_ptr_equal(text_after(text, "results"), text + 7);
    assert_ptr_equal(text_after(text, ""), text);
    assert_string_equal(text_after(text, text), "");
    assert_null(text_after(text, "results.csv.gz"));
    assert_null(text_after(text, "Results"));
    assert_true(text_ends(text, ".csv"));
    assert_false(text_ends(text, text));
    assert_false(text_ends(text, ".gz"));
}
