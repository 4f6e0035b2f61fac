

#include "markup_text.h"
#include "test.h"

static void check(void (*write)(FILE *stream, const char *text), const char *text,
                  const char *wanted) {
    FILE *stream = test_stream();
    write(stream, text);
    char *got = test_text(stream);
    assert_string_equal(got, wanted);
}

TEST(characters_of_roff_are_escaped) {
    check(roff_text, "", "");
    check(roff_text, "a.b", "a.b");
    check(roff_text, ".TH", "\\&.TH");
    check(roff_text, "'br", "\\(aqbr");
    check(roff_text, "--ci-width", "\\-\\-ci\\-width");
    check(roff_text, "\\input \"x\" `y`", "\\einput \\(dqx\\(dq \\(gay\\(ga");
    check(roff_text, "~/2^L", "\\(ti/2\\(haL");
    check(roff_text,
          "3\xc3\x97"
          "3 \xe2\x80\xa6 \xf0\x9f\x98\x80",
          "3\\[u00D7]3 \\[u2026] \\[u1F600]");
    check(roff_text, "\x1b[1m\xff\n", "\\ex1b[1m\\exff\\ex0a");
}

TEST(words_are_wrapped_in_whole) {
    check(roff_paragraph, "one  two\n three ", "one two three\n");
    /* 77 letters and a blank leave no room for two more; a dot never begins a line unguarded. */
    const char *seventy_seven = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
                                "ffffffffffgggggggggghhhhhhh";
    char text[256], wanted[256];
    snprintf(text, sizeof text, "%s .b c", seventy_seven);
    snprintf(wanted, sizeof wanted, "%s\n\\&.b c\n", seventy_seven);
    check(roff_paragraph, text, wanted);
    /* A sentence that ends a line is no wider apart from the next one than within a line. */
    snprintf(text, sizeof text, "%s. Then", seventy_seven);
    snprintf(wanted, sizeof wanted, "%s.\\&\nThen\n", seventy_seven);
    check(roff_paragraph, text, wanted);
    snprintf(text, sizeof text, "%s b", seventy_seven + 1);
    snprintf(wanted, sizeof wanted, "%s b\n", seventy_seven + 1);
    check(roff_paragraph, text, wanted);
}
