/* Texts as LaTeX. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "markup_text.h"
#include "text.h"
#include "utf8.h"

/* === Latex text =============================================================================== */

typedef struct Symbol {
    uint32_t code;
    const char *command;
} Symbol;

/* Brackets and stars are in braces: \\ before them would take them for its arguments. */
static const Symbol symbols[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'_', "\\_"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'%', "\\%"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'[', "{[}"},
    {'*', "{*}"},
    {'`', "{}`{}"},
    {'"', "''{}"},
    {0xA0, "~"},
    {0xA7, "\\S{}"},
    {0xA9, "\\copyright{}"},
    {0xAB, "$\\ll$"},
    {0xAD, "\\-"},
    {0xAE, "\\textregistered{}"},
    {0xB0, "$^{\\circ}$"},
    {0xB1, "$\\pm$"},
    {0xB5, "$\\mu$"},
    {0xB6, "\\P{}"},
    {0xB7, "$\\cdot$"},
    {0xBB, "$\\gg$"},
    {0xBC, "$\\frac{1}{4}$"},
    {0xBD, "$\\frac{1}{2}$"},
    {0xBE, "$\\frac{3}{4}$"},
    {0xD7, "$\\times$"},
    {0xF7, "$\\div$"},
    {0x393, "$\\Gamma$"},
    {0x394, "$\\Delta$"},
    {0x398, "$\\Theta$"},
    {0x39B, "$\\Lambda$"},
    {0x3A0, "$\\Pi$"},
    {0x3A3, "$\\Sigma$"},
    {0x3A6, "$\\Phi$"},
    {0x3A9, "$\\Omega$"},
    {0x3B1, "$\\alpha$"},
    {0x3B2, "$\\beta$"},
    {0x3B3, "$\\gamma$"},
    {0x3B4, "$\\delta$"},
    {0x3B5, "$\\varepsilon$"},
    {0x3B8, "$\\theta$"},
    {0x3BA, "$\\kappa$"},
    {0x3BB, "$\\lambda$"},
    {0x3BC, "$\\mu$"},
    {0x3C0, "$\\pi$"},
    {0x3C1, "$\\rho$"},
    {0x3C3, "$\\sigma$"},
    {0x3C4, "$\\tau$"},
    {0x3C6, "$\\varphi$"},
    {0x3C7, "$\\chi$"},
    {0x3C9, "$\\omega$"},
    {0x2009, "\\,"},
    {0x200B, ""},
    {0x2010, "-{}"},
    {0x2011, "-{}"},
    {0x2012, "--{}"},
    {0x2013, "--{}"},
    {0x2014, "---{}"},
    {0x2018, "{}`{}"},
    {0x2019, "'{}"},
    {0x201A, ",{}"},
    {0x201C, "{}``{}"},
    {0x201D, "''{}"},
    {0x201E, ",{},{}"},
    {0x2020, "\\dag{}"},
    {0x2021, "\\ddag{}"},
    {0x2022, "\\textbullet{}"},
    {0x2026, "\\ldots{}"},
    {0x202F, "\\,"},
    {0x2032, "$'$"},
    {0x20AC, "EUR"},
    {0x2122, "\\texttrademark{}"},
    {0x2190, "$\\leftarrow$"},
    {0x2191, "$\\uparrow$"},
    {0x2192, "$\\rightarrow$"},
    {0x2193, "$\\downarrow$"},
    {0x2194, "$\\leftrightarrow$"},
    {0x2206, "$\\Delta$"},
    {0x2208, "$\\in$"},
    {0x2211, "$\\sum$"},
    {0x2212, "$-$"},
    {0x2218, "$\\circ$"},
    {0x221A, "$\\surd$"},
    {0x221E, "$\\infty$"},
    {0x2248, "$\\approx$"},
    {0x2260, "$\\neq$"},
    {0x2261, "$\\equiv$"},
    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"},
    {0x226A, "$\\ll$"},
    {0x226B, "$\\gg$"},
    {0x22C5, "$\\cdot$"},
    {0x2713, "$\\surd$"},
    {0x2714, "$\\surd$"},
    {0x2717, "$\\times$"},
    {0x2718, "$\\times$"},
};

/* The next character; U+FFFD for bytes that are none. */
static uint32_t next_character(const char **text) {
    uint32_t code = 0xFFFD;
    const size_t length = utf8_decode(*text, &code);
    *text += length > 0 ? length : 1;
    return code;
}

/* Raised and lowered digits and signs as the characters that they show; '\0' for others. */
static char raised(uint32_t code) {
    switch (code) {
    case 0xB9: return '1';
    case 0xB2: return '2';
    case 0xB3: return '3';
    case 0x207A: return '+';
    case 0x207B: return '-';
    case 0x207F: return 'n';
    default:
        return (char)(code == 0x2070 || (code >= 0x2074 && code <= 0x2079)
                          ? '0' + (int)(code - 0x2070)
                          : '\0');
    }
}

static char lowered(uint32_t code) {
    return (char)(code >= 0x2080 && code <= 0x2089 ? '0' + (int)(code - 0x2080) : '\0');
}

/* A run of raised or of lowered characters is one: 10⁻¹² is 10$^{-12}$. */
static bool write_run(FILE *stream, const char **text, char (*shown)(uint32_t), char sign) {
    const char *next = *text;
    char character = shown(next_character(&next));
    if (character == '\0') {
        return false;
    }
    fprintf(stream, "$%c{", sign);
    while (character != '\0') {
        fputc(character, stream);
        *text = next;
        character = *next != '\0' ? shown(next_character(&next)) : '\0';
    }
    fputs("}$", stream);
    return true;
}

static const char *command_of(uint32_t code) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (symbols[i].code == code) {
            return symbols[i].command;
        }
    }
    return NULL;
}

static bool is_one_of(uint32_t code, const uint32_t *codes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == code) {
            return true;
        }
    }
    return false;
}

/* The letters that LaTeX's UTF-8 has. */
static bool is_known_letter(uint32_t code) {
    static const uint32_t unknown[] = {0x126, 0x127, 0x138, 0x13F, 0x140,
                                       0x149, 0x166, 0x167, 0x17F};
    return code >= 0xC0 && code <= 0x17F &&
           !is_one_of(code, unknown, sizeof unknown / sizeof unknown[0]);
}

/* Ogoneks and letters with strokes are in the font encoding T1 alone, which LaTeX always has. */
static bool needs_t1(uint32_t code) {
    static const uint32_t letters[] = {0xD0,  0xDE,  0xF0,  0xFE,  0x104, 0x105, 0x110, 0x111,
                                       0x118, 0x119, 0x12E, 0x12F, 0x14A, 0x14B, 0x172, 0x173};
    return is_one_of(code, letters, sizeof letters / sizeof letters[0]);
}

/* LaTeX makes one character of two of these: "--quick" would begin with a dash. */
static bool makes_ligature(char character, char next) {
    return character == next && strchr("-,'", character) != NULL;
}

static void write_character(FILE *stream, uint32_t code, const char *from, const char *to) {
    const char *command = command_of(code);
    if (command != NULL) {
        fputs(command, stream);
    } else if (code < 0x20) {
        fputc(' ', stream);
    } else if (needs_t1(code)) {
        fprintf(stream, "{\\fontencoding{T1}\\selectfont %.*s}", (int)(to - from), from);
    } else if (code < 0x7F || is_known_letter(code)) {
        fwrite(from, 1, (size_t)(to - from), stream);
        fputs(makes_ligature(*from, *to) ? "{}" : "", stream);
    } else {
        fprintf(stream, "{[}U+%04X]", (unsigned)code);
    }
}

void latex_text(FILE *stream, const char *text) {
    while (*text != '\0') {
        if (write_run(stream, &text, raised, '^') || write_run(stream, &text, lowered, '_')) {
            continue;
        }
        char escape[VISIBLE_ESCAPE_SIZE];
        const char *from = text;
        const size_t taken = visible_character(text, "\n\r\t", escape);
        if (escape[0] != '\0') {
            fprintf(stream, "\\textbackslash{}%s", escape + 1);
            text += taken;
        } else {
            const uint32_t code = next_character(&text);
            write_character(stream, code, from, text);
        }
    }
}

size_t latex_text_width(const char *text) {
    return utf8_width(text, strlen(text));
}
