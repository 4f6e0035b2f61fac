/* Texts judged by others' rules: the C library's decoder of UTF-8, and the productions of XML 1.0.
 */
#ifndef TESTS_BENCH_STRICT_TEXT_H
#define TESTS_BENCH_STRICT_TEXT_H

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The characters of a text, ended by 0; NULL when it is no UTF-8. Free it. */
static inline uint32_t *strict_decode(const char *text) {
    static iconv_t decoder;
    decoder = decoder == NULL ? iconv_open("UTF-32LE", "UTF-8") : decoder;
    size_t from = strlen(text);
    size_t to = (from + 1) * sizeof(uint32_t);
    uint32_t *codes = calloc(from + 1, sizeof *codes);
    char *in = (char *)text;
    char *out = (char *)codes;
    const size_t done = iconv(decoder, &in, &from, &out, &to);
    iconv(decoder, NULL, NULL, NULL, NULL);
    if (done == (size_t)-1) {
        free(codes);
        return NULL;
    }
    return codes;
}

/* What a terminal or a reader obeys without showing it: controls of ASCII but those in `kept`, C1,
 * ends of lines and paragraphs, and what turns the direction of the text. */
static inline bool is_obeyed(uint32_t code, const char *kept) {
    return (code < 0x20 && strchr(kept, (int)code) == NULL) || (code >= 0x7F && code <= 0x9F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* What is wrong with the text: NULL for UTF-8 in which nothing is obeyed. */
static inline const char *fault_of_text(const char *text, const char *kept) {
    uint32_t *codes = strict_decode(text);
    const char *fault = codes == NULL ? "is no UTF-8" : NULL;
    for (size_t i = 0; codes != NULL && codes[i] != 0; i++) {
        fault = is_obeyed(codes[i], kept) ? "holds a control" : fault;
    }
    free(codes);
    return fault;
}

/* --- XML -------------------------------------------------------------------------------------- */

/* Production 2: the characters of a document. */
static inline bool xml_has_character(uint32_t code) {
    return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
           (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

/* Production 67, with the five entities that need no declaration: the end, NULL for none. */
static inline const char *xml_reference(const char *at) {
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(at, names[i], strlen(names[i])) == 0) {
            return at + strlen(names[i]);
        }
    }
    const bool hexadecimal = strncmp(at, "&#x", 3) == 0;
    const char *digits = at + (hexadecimal ? 3 : 2);
    const size_t count = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    const bool whole = strncmp(at, "&#", 2) == 0 && count > 0 && digits[count] == ';';
    const unsigned long code = whole ? strtoul(digits, NULL, hexadecimal ? 16 : 10) : 0;
    return xml_has_character((uint32_t)code) ? digits + count + 1 : NULL;
}

static inline const char *xml_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Production 5, of ASCII: its length. */
static inline size_t xml_name(const char *at) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:";
    return strspn(at, first) > 0 ? strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "_:-.0123456789")
                                 : 0;
}

/* Production 41 after its name: the end of `="value"`, NULL for none. */
static inline const char *xml_attribute(const char *at) {
    at = xml_space(at);
    at = *at == '=' ? xml_space(at + 1) : "";
    const char quote = *at;
    if (quote != '"' && quote != '\'') {
        return NULL;
    }
    for (at++; at != NULL && *at != quote;) {
        if (*at == '\0' || *at == '<') {
            return NULL;
        }
        at = *at == '&' ? xml_reference(at) : at + 1;
    }
    return at != NULL ? at + 1 : NULL;
}

/* Productions 40 and 44 after the name: the end, NULL for none. */
static inline const char *xml_tag(const char *at, bool *empty) {
    for (;;) {
        const char *name = xml_space(at);
        *empty = *name == '/';
        if (*name == '>' || *name == '/') {
            name += *empty;
            return *name == '>' ? name + 1 : NULL;
        }
        if (name == at || xml_name(name) == 0) {
            return NULL;
        }
        at = xml_attribute(name + xml_name(name));
        if (at == NULL) {
            return NULL;
        }
    }
}

/* Comments, instructions and declarations: the end, `at` itself for something else, NULL for one
 * that does not end. */
static inline const char *xml_aside(const char *at) {
    static const char *const marks[][2] = {
        {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (strncmp(at, marks[i][0], strlen(marks[i][0])) == 0) {
            const char *end = strstr(at + strlen(marks[i][0]), marks[i][1]);
            return end != NULL ? end + strlen(marks[i][1]) : NULL;
        }
    }
    return at;
}

typedef struct XmlOpen {
    const char *names[64];
    size_t count;
} XmlOpen;

/* The end of a tag that begins here, with the elements that are open then; NULL when it is wrong.
 */
static inline const char *xml_element(const char *at, XmlOpen *open) {
    const bool closing = at[1] == '/';
    const char *name = at + 1 + closing;
    const size_t length = xml_name(name);
    bool empty = false;
    if (length == 0) {
        return NULL;
    }
    if (closing) {
        const char *end = xml_space(name + length);
        const bool right = open->count > 0 && xml_name(open->names[open->count - 1]) == length &&
                           strncmp(open->names[open->count - 1], name, length) == 0;
        open->count -= right;
        return right && *end == '>' ? end + 1 : NULL;
    }
    const char *end = xml_tag(name + length, &empty);
    if (!empty && open->count < sizeof open->names / sizeof *open->names) {
        open->names[open->count++] = name;
    }
    return end;
}

/* Where the document stops being well-formed; NULL when it is. */
static inline const char *fault_of_xml(const char *text) {
    uint32_t *codes = strict_decode(text);
    bool allowed = codes != NULL;
    for (size_t i = 0; allowed && codes[i] != 0; i++) {
        allowed = xml_has_character(codes[i]);
    }
    free(codes);
    if (!allowed) {
        return "(characters)";
    }
    XmlOpen open = {.count = 0};
    for (const char *at = text; *at != '\0';) {
        const char *from = at;
        if (*at == '<') {
            at = xml_aside(at);
            at = at == from ? xml_element(at, &open) : at;
        } else if (*at == '&') {
            at = xml_reference(at);
        } else {
            at = strncmp(at, "]]>", 3) == 0 ? NULL : at + 1;
        }
        if (at == NULL) {
            return from;
        }
    }
    return open.count == 0 ? NULL : "(elements stay open)";
}

#endif
