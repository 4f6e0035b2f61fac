/* Characters of texts: the examples of the Unicode standard, and bytes that are no UTF-8. */
#include "test.h"
#include "utf8.h"

typedef struct Example {
    const char *text;
    size_t length;
    uint32_t code;
} Example;

TEST(characters_have_their_numbers) {
    static const Example examples[] = {
        {"A", 1, 'A'},
        {"\x7F", 1, 0x7F},
        {"\xC2\x80", 2, 0x80},
        {"\xD7\x97", 2, 0x5D7},
        {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800},
        {"\xE2\x82\xAC", 3, 0x20AC},
        {"\xEF\xBF\xBF", 3, 0xFFFF},
        {"\xF0\x90\x8D\x88", 4, 0x10348},
        {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        uint32_t code = 0;
        assert_int_equal(utf8_decode(examples[i].text, &code), examples[i].length);
        assert_int_equal(code, examples[i].code);
        assert_true(utf8_is_character(code));
    }
}

TEST(other_bytes_have_none) {
    static const char *const wrong[] = {
        "\x80",             /* continues nothing */
        "\xBF",             /* likewise */
        "\xC0\xAF",         /* a slash in too many bytes */
        "\xC1\xBF",         /* likewise */
        "\xE0\x9F\xBF",     /* likewise */
        "\xF0\x8F\xBF\xBF", /* likewise */
        "\xF8\x88\x80\x80", /* begins nothing */
        "\xFE",             /* likewise */
        "\xFF",             /* likewise */
        "\xC3",             /* ends too early */
        "\xE2\x82",         /* likewise */
        "\xF0\x9F\x98",     /* likewise */
        "\xE2\x28\xA1",     /* goes on with a bracket */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t code = 42;
        assert_int_equal(utf8_decode(wrong[i], &code), 0);
        assert_int_equal(code, 42);
    }
}

/* Well formed but for what they stand for: replaced as a whole. */
TEST(some_numbers_are_no_characters) {
    static const Example examples[] = {
        {"\xED\xA0\x80", 3, 0xD800},
        {"\xED\xBF\xBF", 3, 0xDFFF},
        {"\xF4\x90\x80\x80", 4, 0x110000},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        uint32_t code = 0;
        assert_int_equal(utf8_decode(examples[i].text, &code), examples[i].length);
        assert_int_equal(code, examples[i].code);
        assert_false(utf8_is_character(code));
    }
    assert_true(utf8_is_character(0xD7FF));
    assert_true(utf8_is_character(0xE000));
}

TEST(width_is_counted_in_characters) {
    static const char text[] = "2832×2128 µs";
    assert_int_equal(utf8_width(text, strlen(text)), 12);
    assert_int_equal(utf8_width(text, 4), 4);
    assert_int_equal(utf8_width("", 0), 0);
    assert_true(utf8_continues('\x97'));
    assert_false(utf8_continues('\xC3'));
    assert_false(utf8_continues('x'));
}
