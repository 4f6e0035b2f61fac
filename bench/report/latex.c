/* Tables as LaTeX. */

#include "report_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "status.h"
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

/* === Latex ==================================================================================== */

/* ROWS_ON_PAGE: more are on several pages. WORDS_WIDE: a column of longer texts
 * has several lines a cell. COLUMNS_AT_EASE: more stand closer. */
enum { ROWS_ON_PAGE = 45, WORDS_WIDE = 48, COLUMNS_AT_EASE = 8 };

static size_t column_width(const DocTable *table, size_t column) {
    const char *title = table->columns[column].title;
    size_t width = title != NULL ? latex_text_width(title) : 0;
    for (size_t row = 0; row < table->row_count; row++) {
        const size_t cell = latex_text_width(table_text_at(table, row, column));
        width = cell > width ? cell : width;
    }
    return width;
}

static bool is_wordy(const DocTable *table, size_t column) {
    return !table->columns[column].numeric && column_width(table, column) > WORDS_WIDE;
}

/* "lrr": the outer columns without room at the side, as booktabs has it. */
static void write_alignment(FILE *stream, const DocTable *table) {
    fputs("{@{}", stream);
    for (size_t i = 0; i < table->column_count; i++) {
        fputs(is_wordy(table, i) ? "p{6cm}" : table->columns[i].numeric ? "r" : "l", stream);
    }
    fputs("@{}}\n", stream);
}

static void write_group_row(FILE *stream, const DocTable *table) {
    for (size_t i = 0, span; i < table->column_count; i += span) {
        span = table_group_span(table, i);
        fputs(i > 0 ? " & " : "", stream);
        if (table->columns[i].group != NULL) {
            fprintf(stream, "\\multicolumn{%zu}{c}{", span);
            latex_text(stream, table->columns[i].group);
            fputc('}', stream);
        }
    }
    fputs(" \\\\\n", stream);
    for (size_t i = 0, span; i < table->column_count; i += span) {
        span = table_group_span(table, i);
        if (table->columns[i].group != NULL) {
            fprintf(stream, "\\cmidrule(lr){%zu-%zu}", i + 1, i + span);
        }
    }
    fputc('\n', stream);
}

/* Titles are centred over numbers where they are wider than these would be: to the right as well.
 */
static void write_heading(FILE *stream, const DocTable *table) {
    fputs("\\toprule\n", stream);
    if (table_has_groups(table)) {
        write_group_row(stream, table);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        fputs(i > 0 ? " & " : "", stream);
        latex_text(stream, table->columns[i].title != NULL ? table->columns[i].title : "");
    }
    fputs(" \\\\\n\\midrule\n", stream);
}

static void write_cell(FILE *stream, const DocCell *cell) {
    static const struct {
        const char *before, *after;
    } looks[] = {
        [CELL_PLAIN] = {"", ""},
        [CELL_STRONG] = {"\\textbf{", "}"},
        [CELL_FAINT] = {"", ""},
        [CELL_MISSING] = {"\\emph{", "}"},
        [CELL_BAD] = {"\\textbf{\\emph{", "}}"},
    };
    if (cell == NULL || cell->text == NULL || cell->text[0] == '\0') {
        return;
    }
    fputs(looks[cell->kind].before, stream);
    latex_text(stream, cell->text);
    fputs(looks[cell->kind].after, stream);
}

static void write_rows(FILE *stream, const DocTable *table, size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            fputs(column > 0 ? " & " : "", stream);
            write_cell(stream, table_at(table, row, column));
        }
        fputs(" \\\\\n", stream);
    }
}

static void write_name(FILE *stream, const DocTable *table, bool continued) {
    fputs("\\caption{", stream);
    latex_text(stream, table->caption != NULL ? table->caption : "");
    if (continued) {
        fputs(" (continued)}", stream);
        return;
    }
    char name[128];
    document_slug(table->name != NULL ? table->name : "", name, sizeof name);
    fprintf(stream, "}\\label{tab:%s}", name);
}

static void write_note(FILE *stream, const DocTable *table) {
    if (table->note != NULL && table->note[0] != '\0') {
        fputs("\\par\\smallskip\\raggedright\\footnotesize ", stream);
        latex_text(stream, table->note);
        fputs("\\par\n", stream);
    }
}

/* Some of the rows as a float; what is wider than the line is made smaller. Its number is that of
 * the table, also where it goes on. */
static void write_float(FILE *stream, const DocTable *table, size_t from, size_t to) {
    fprintf(stream, "\\begin{table}[htbp]\n%s\\centering%s\n",
            from > 0 ? "\\addtocounter{table}{-1}" : "",
            table->column_count > COLUMNS_AT_EASE ? "\\setlength{\\tabcolsep}{3pt}" : "");
    write_name(stream, table, from > 0);
    fputs("\\par\\smallskip\n"
          "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
          "\\begin{tabular}",
          stream);
    write_alignment(stream, table);
    write_heading(stream, table);
    write_rows(stream, table, from, to);
    fputs("\\bottomrule\n\\end{tabular}}\n", stream);
    if (to == table->row_count) {
        write_note(stream, table);
    }
    fputs("\\end{table}\n", stream);
}

/* Letters in which a table fits a line of 16 cm, by its characters. NULL: none is small enough. */
static const char *size_for(const DocTable *table) {
    static const struct {
        size_t most;
        const char *size;
    } sizes[] = {{80, "\\small"}, {95, "\\footnotesize"}, {110, "\\scriptsize"}};
    size_t width = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const size_t column = column_width(table, i);
        width += 2 + (column > WORDS_WIDE ? WORDS_WIDE : column);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (width <= sizes[i].most) {
            return sizes[i].size;
        }
    }
    return NULL;
}

/* Over several pages, the heading on each. It cannot be scaled, so its letters are smaller. */
static void write_long(FILE *stream, const DocTable *table, const char *size) {
    fprintf(stream, "\\begingroup%s\\setlength{\\tabcolsep}{3pt}\n\\begin{longtable}", size);
    write_alignment(stream, table);
    write_name(stream, table, false);
    fputs("\\\\\n", stream);
    write_heading(stream, table);
    fputs("\\endfirsthead\n", stream);
    write_heading(stream, table);
    fputs("\\endhead\n\\bottomrule\n\\endfoot\n", stream);
    write_rows(stream, table, 0, table->row_count);
    fputs("\\end{longtable}\n", stream);
    write_note(stream, table);
    fputs("\\endgroup\n", stream);
}

/* Too many rows for a page, in letters too small for a longtable: a float for each page. */
static void write_pages(FILE *stream, const DocTable *table) {
    size_t from = 0;
    do {
        const size_t left = table->row_count - from;
        const size_t to = from + (left < ROWS_ON_PAGE ? left : ROWS_ON_PAGE);
        write_float(stream, table, from, to);
        from = to;
    } while (from < table->row_count);
}

Status latex_table_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("% Needs \\usepackage{booktabs,graphicx,longtable}.\n", file.stream);
    const char *size = table->row_count > ROWS_ON_PAGE ? size_for(table) : NULL;
    if (size != NULL) {
        write_long(file.stream, table, size);
    } else if (table->column_count > 0) {
        write_pages(file.stream, table);
    }
    return atomic_file_commit(&file);
}

/* LaTeX holds back a limited number of floats that found no room yet. */
static void write_inputs(FILE *stream, const Document *document) {
    enum { TABLES_BETWEEN_CLEARS = 4 };
    int tables = 0;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind == BLOCK_TABLE) {
            fprintf(stream, "\\input{%s.tex}\n", block->table->name);
            tables++;
            fputs(tables % TABLES_BETWEEN_CLEARS == 0 ? "\\clearpage\n" : "", stream);
        }
    }
}

Status latex_tables_write(const Document *document, const char *path) {
    AtomicFile file;
    STATUS_TRY(document_status(document));
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("\\documentclass{article}\n"
          "\\usepackage[utf8]{inputenc}\n"
          "\\usepackage[a4paper,margin=2.5cm]{geometry}\n"
          "\\usepackage{booktabs,graphicx,longtable}\n"
          "\\begin{document}\n"
          "\\section*{",
          file.stream);
    latex_text(file.stream, document->title != NULL ? document->title : "");
    fputs("}\n", file.stream);
    write_inputs(file.stream, document);
    fputs("\\end{document}\n", file.stream);
    return atomic_file_commit(&file);
}
