
#include "test.h"
#include "text.h"

static void check_entry(size_t indent, const char *term, size_t column, const char *text,
                        const char *expected) {
    FILE *stream = test_stream();
    text_entry(stream, indent, term, column, text);
    char *written = test_text(stream);
    assert_string_equal(written, expected);
}

TEST(short_entries) {
    check_entry(2, "--a", 8, "text here", "  --a   text here\n");
    check_entry(2, "--a", 8, "", "  --a\n");
    check_entry(0, "", 4, "text", "    text\n");
}

TEST(long_terms_get_their_own_line) {
    check_entry(2, "--long", 8, "text", "  --long\n        text\n");
    check_entry(2, "--lon", 8, "text", "  --lon text\n");
}

/* Column 90 and 10 characters make 100, which fit; 11 do not. */
TEST(lines_end_before_100_columns) {
    char expected[256];
    snprintf(expected, sizeof expected, "%90sab 3456789\n", "");
    check_entry(0, "", 90, "ab 3456789", expected);
    snprintf(expected, sizeof expected, "%90sab\n%90s34567890\n", "", "");
    check_entry(0, "", 90, "ab 34567890", expected);
    /* A word that fits nowhere is not cut. */
    snprintf(expected, sizeof expected, "%95s1234567890\n", "");
    check_entry(0, "", 95, "1234567890", expected);
}

TEST(characters_count_not_bytes) {
    char expected[256];
    snprintf(expected, sizeof expected, "%90sé… ééééééé\n", "");
    check_entry(0, "", 90, "é… ééééééé", expected);
    check_entry(0, "×", 3, "text", "×  text\n");
}
