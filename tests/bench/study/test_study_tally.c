/* Distinct texts, counted. */
#include "document.h"
#include "study_internal.h"
#include "test.h"

TEST(test_keys_are_counted_in_their_order) {
    RELEASED_BY(document_release) Document document;
    Tally tally = {0};
    document_open(&document, "test");
    for (int i = 0; i < 40; i++) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i % 20);
        tally_add(&tally, &document, key, NULL);
    }
    tally_add(&tally, &document, "key 3", NULL);
    assert_int_equal(tally.count, 20);
    assert_string_equal(tally.items[3].key, "key 3");
    assert_int_equal(tally.items[3].count, 3);
    assert_int_equal(tally.items[19].count, 2);
}

TEST(test_companions_are_listed_once) {
    RELEASED_BY(document_release) Document document;
    Tally tally = {0};
    document_open(&document, "test");
    static const char *const with[] = {"Table 10", "Table 1", "Table 10", "Table 1", "", "able"};
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        tally_add(&tally, &document, "machine", with[i]);
    }
    assert_string_equal(tally.items[0].with, "Table 10, Table 1, able");
    tally_add(&tally, &document, "other", "Table 2");
    assert_string_equal(tally_text(&tally, &document),
                        "machine (Table 10, Table 1, able); other (Table 2)");
}

TEST(test_no_key_is_none) {
    RELEASED_BY(document_release) Document document;
    Tally tally = {0};
    document_open(&document, "test");
    tally_add(&tally, &document, NULL, "with");
    assert_int_equal(tally.count, 0);
    assert_string_equal(tally_keys(&tally, &document, "; "), "");
    tally_add(&tally, &document, "a", NULL);
    tally_add(&tally, &document, "b", NULL);
    assert_string_equal(tally_keys(&tally, &document, "; "), "a; b");
}

TEST(test_texts_of_lists) {
    RELEASED_BY(document_release) Document document;
    document_open(&document, "test");
    assert_string_equal(text_joined(&document, NULL, ", ", "a"), "a");
    assert_string_equal(text_joined(&document, "", ", ", "a"), "a");
    assert_string_equal(text_joined(&document, "a", ", ", "b"), "a, b");
    assert_string_equal(text_listed(&document, "2 threads"), "2 threads");
    assert_string_equal(text_listed(&document, "CPU, pipeline"), "“CPU, pipeline”");
}
