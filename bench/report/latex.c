/* Documents and tables as LaTeX. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "markup_text.h"
#include "status.h"
#include "utf8.h"

/* === Latex ==================================================================================== */

/* ROWS_ON_PAGE: more are on several pages. WORDS_WIDE: a column of longer texts
 * has several lines a cell. COLUMNS_AT_EASE: more stand closer. */
enum { ROWS_ON_PAGE = 45, WORDS_WIDE = 48, COLUMNS_AT_EASE = 8 };

/* Of the column's title and cells, which have a text. */
static size_t width_by(const DocTable *table, size_t column, size_t (*wide)(const DocCell *cell)) {
    const DocCell title = {.text = table->columns[column].title};
    size_t width = title.text != NULL ? wide(&title) : 0;
    for (size_t row = 0; row < table->row_count; row++) {
        const DocCell *at = table_at(table, row, column);
        const size_t cell = at != NULL && at->text != NULL ? wide(at) : 0;
        width = cell > width ? cell : width;
    }
    return width;
}

static size_t cell_width(const DocCell *cell) {
    return latex_text_width(cell->text);
}

static size_t column_width(const DocTable *table, size_t column) {
    return width_by(table, column, cell_width);
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

/* Lines of a row: those of its longest text in a column of several lines a cell. */
static size_t row_lines(const DocTable *table, size_t row) {
    enum { CHARACTERS_A_LINE = 36 };
    size_t most = 1;
    for (size_t column = 0; column < table->column_count; column++) {
        const size_t width = latex_text_width(table_text_at(table, row, column));
        const size_t lines = (width + CHARACTERS_A_LINE - 1) / CHARACTERS_A_LINE;
        most = is_wordy(table, column) && lines > most ? lines : most;
    }
    return most;
}

/* Too many rows for a page, in letters too small for a longtable: a float for each page. */
static void write_pages(FILE *stream, const DocTable *table) {
    size_t from = 0;
    do {
        size_t to = from, lines = 0;
        do {
            lines += to < table->row_count ? row_lines(table, to++) : ROWS_ON_PAGE;
        } while (to < table->row_count && lines + row_lines(table, to) <= ROWS_ON_PAGE);
        write_float(stream, table, from, to);
        from = to;
    } while (from < table->row_count);
}

static void write_table(FILE *stream, const DocTable *table) {
    const char *size = table->row_count > ROWS_ON_PAGE ? size_for(table) : NULL;
    if (size != NULL) {
        write_long(stream, table, size);
    } else if (table->column_count > 0) {
        write_pages(stream, table);
    }
}

Status latex_table_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("% Needs \\usepackage{booktabs,graphicx,longtable}.\n", file.stream);
    write_table(file.stream, table);
    return atomic_file_commit(&file);
}

/* === For a column of a paper ================================================================== */

enum { COLUMNS_OF_PAPER = 5 };

/* Points: between columns, and of a column of several lines a cell at least. */
static const double column_gap = 6, wordy_least = 70;

/* Tenths of a point of letters of 8 points, in the widest of the usual fonts, Computer Modern. */
static const struct {
    uint8_t tenths;
    const char *letters;
} letters[] = {{24, "il.,:;'!|"},
               {29, " -fj"},
               {34, "rstI()[]"},
               {39, "cez"},
               {43, "0123456789agoJ/_*?"},
               {64, "wABCRT"},
               {58, "LPEFZ"},
               {68, "DGHKNOQUVXY+=<>~&@"},
               {72, "m%"},
               {79, "M"},
               {88, "W"}};

static size_t letter_tenths(char letter) {
    enum { OTHER = 48, NOT_ASCII = 68 };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letter != '\0' && strchr(letters[i].letters, letter) != NULL) {
            return letters[i].tenths;
        }
    }
    return (unsigned char)letter < 0x80 ? OTHER : NOT_ASCII;
}

static size_t text_tenths(const char *text) {
    size_t tenths = 0;
    for (; *text != '\0'; text++) {
        tenths += utf8_continues(*text) ? 0 : letter_tenths(*text);
    }
    return tenths;
}

/* Of the longest piece of a text that stays on one line. */
static size_t piece_tenths(const DocCell *cell) {
    const char *text = cell->text;
    size_t longest = 0;
    while (*text != '\0') {
        char piece[CHART_TEXT_SIZE];
        const size_t length = strcspn(text, " _") + (text[strcspn(text, " _")] != '\0');
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        const size_t tenths = text_tenths(piece);
        longest = tenths > longest ? tenths : longest;
        text += length;
    }
    return longest;
}

/* The interval of a cell, which stands below its number; NULL: it has none. */
static const char *interval_of(const DocCell *cell) {
    return cell != NULL && cell->first > 0 && cell->first < CHART_TEXT_SIZE
               ? cell->text + cell->first + 1
               : NULL;
}

/* What stands above it. */
static void number_of(const DocCell *cell, char number[CHART_TEXT_SIZE]) {
    snprintf(number, CHART_TEXT_SIZE, "%.*s", (int)cell->first, cell->text);
}

static size_t stacked_tenths(const DocCell *cell) {
    char number[CHART_TEXT_SIZE];
    const char *interval = interval_of(cell);
    if (interval == NULL) {
        return text_tenths(cell->text);
    }
    number_of(cell, number);
    const size_t first = text_tenths(number), second = text_tenths(interval);
    return first > second ? first : second;
}

/* Of a column whose intervals stand below the numbers, in points. */
static double stacked_column(const DocTable *table, size_t column) {
    return (double)width_by(table, column, stacked_tenths) / 10;
}

/* The column of the longest words, which may have several lines a cell. */
static size_t longest_words(const DocTable *table) {
    size_t longest = SIZE_MAX;
    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].numeric &&
            (longest == SIZE_MAX || stacked_column(table, i) > stacked_column(table, longest))) {
            longest = i;
        }
    }
    return longest;
}

/* What is left for the column of the longest words; more than it needs: no cell is broken. */
static double room_for_words(const DocTable *table, double points) {
    const size_t wordy = longest_words(table);
    double room = points - column_gap * (double)(table->column_count - 1);
    for (size_t i = 0; i < table->column_count; i++) {
        room -= i != wordy ? stacked_column(table, i) : 0;
    }
    return room;
}

bool latex_table_fits(const DocTable *table, double points) {
    if (table->column_count == 0 || table->column_count > COLUMNS_OF_PAPER ||
        table->row_count > ROWS_ON_PAGE) {
        return false;
    }
    const size_t wordy = longest_words(table);
    const double room = room_for_words(table, points);
    return wordy == SIZE_MAX ? room >= 0
                             : room >= stacked_column(table, wordy) ||
                                   (room >= wordy_least &&
                                    room >= (double)width_by(table, wordy, piece_tenths) / 10);
}

/* Whether a column has several lines a cell. */
static bool is_broken(const DocTable *table, size_t column, double points) {
    return column == longest_words(table) &&
           room_for_words(table, points) < stacked_column(table, column);
}

static void write_column_alignment(FILE *stream, const DocTable *table, double points) {
    fputs("{@{}", stream);
    for (size_t i = 0; i < table->column_count; i++) {
        if (is_broken(table, i, points)) {
            fprintf(stream, "p{%.1fpt}", room_for_words(table, points));
        } else {
            fputc(table->columns[i].numeric ? 'r' : 'l', stream);
        }
    }
    fputs("@{}}\n", stream);
}

/* The row without the intervals of its cells, or these alone. True where there are some. */
static bool write_half_row(FILE *stream, const DocTable *table, size_t row, bool intervals,
                           double points) {
    bool any = false;
    for (size_t i = 0; i < table->column_count; i++) {
        const DocCell *cell = table_at(table, row, i);
        const char *interval = interval_of(cell);
        any |= interval != NULL;
        if (stream == NULL) {
            continue;
        }
        fputs(i > 0 ? " & " : "", stream);
        fputs(is_broken(table, i, points) ? "\\raggedright " : "", stream);
        if (intervals) {
            latex_text(stream, interval != NULL ? interval : "");
        } else if (interval != NULL) {
            char number[CHART_TEXT_SIZE];
            DocCell half = *cell;
            number_of(cell, number);
            half.text = number;
            write_cell(stream, &half);
        } else {
            write_cell(stream, cell);
        }
    }
    return any;
}

static void write_stacked_rows(FILE *stream, const DocTable *table, double points) {
    for (size_t row = 0; row < table->row_count; row++) {
        write_half_row(stream, table, row, false, points);
        if (write_half_row(NULL, table, row, false, points)) {
            fputs(" \\tabularnewline\n", stream);
            write_half_row(stream, table, row, true, points);
            fputs(row + 1 < table->row_count ? " \\tabularnewline[2pt]\n" : " \\tabularnewline\n",
                  stream);
        } else {
            fputs(" \\tabularnewline\n", stream);
        }
    }
}

/* Names may be broken behind an underscore where a column has several lines a cell. */
static void write_column_float(FILE *stream, const DocTable *table, double points) {
    const size_t wordy = longest_words(table);
    const bool breaks = wordy != SIZE_MAX && is_broken(table, wordy, points);
    fputs("\\begin{table}[htbp]\n\\centering\n", stream);
    write_name(stream, table, false);
    fprintf(stream,
            "\\par\\smallskip\n\\fontsize{8}{9.6}\\selectfont\\setlength{\\tabcolsep}{%gpt}"
            "\n%s\\begin{tabular}",
            column_gap / 2, breaks ? "\\let\\joined\\_\\def\\_{\\joined\\allowbreak}\n" : "");
    write_column_alignment(stream, table, points);
    write_heading(stream, table);
    write_stacked_rows(stream, table, points);
    fputs("\\bottomrule\n\\end{tabular}\n", stream);
    write_note(stream, table);
    fputs("\\end{table}\n", stream);
}

Status latex_column_table_write(const DocTable *table, const char *path, double points) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("% Needs \\usepackage{booktabs}. Fits a column of a paper as it is.\n", file.stream);
    write_column_float(file.stream, table, points);
    return atomic_file_commit(&file);
}

Status latex_column_tables_write(const Document *document, const char *path, double points) {
    AtomicFile file;
    STATUS_TRY(document_status(document));
    STATUS_TRY(atomic_file_open(&file, path));
    fprintf(file.stream,
            "\\documentclass{article}\n"
            "\\usepackage[utf8]{inputenc}\n"
            "\\usepackage[papersize={%gpt,11in},margin=12pt]{geometry}\n"
            "\\usepackage{booktabs}\n"
            "\\begin{document}\n",
            points + 24);
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind == BLOCK_TABLE && latex_table_fits(block->table, points)) {
            fprintf(file.stream, "\\input{%s.tex}\n\\clearpage\n", block->table->name);
        }
    }
    fputs("\\end{document}\n", file.stream);
    return atomic_file_commit(&file);
}

/* === Document ================================================================================= */

/* A section of any article: in two columns there is no longtable, so every table is a float. */

/* A command, an environment or a word around a text. */
static void write_around(FILE *stream, const char *before, const char *text, const char *after) {
    fputs(before, stream);
    latex_text(stream, text != NULL ? text : "");
    fputs(after, stream);
}

/* Typewriter letters in lines that may be broken at blanks and behind commas, slashes and
 * underscores; a pair of hyphens is no dash. */
static void write_code(FILE *stream, const char *text) {
    static const char breaks[] = ",/_";
    fputs("\\begin{quote}\\ttfamily\\footnotesize\\raggedright\n", stream);
    for (const char *c = text; *c != '\0';) {
        const size_t length = strcspn(c, "-\n,/_");
        char piece[256];
        const size_t taken = length < sizeof piece ? length : utf8_cut(c, sizeof piece - 1);
        snprintf(piece, sizeof piece, "%.*s", (int)taken, c);
        latex_text(stream, piece);
        c += taken;
        if (taken == length && *c != '\0' && strchr(breaks, *c) != NULL) {
            fprintf(stream, "%s%c\\allowbreak{}", *c == '_' ? "\\" : "", *c);
            c++;
        } else if (taken == length && *c != '\0') {
            fputs(*c == '-' ? "-{}" : c[1] != '\0' ? "\\par\n" : "", stream);
            c++;
        }
    }
    fputs("\\par\n\\end{quote}\n", stream);
}

/* A list of words without blanks, as that of an option, may be broken behind its commas: else it
 * leaves the column. */
static void write_item(FILE *stream, const char *text) {
    char piece[256];
    fputs("\\item ", stream);
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        const bool comma = text[length] == ',' && length + 1 < sizeof piece;
        const size_t taken = comma                   ? length + 1
                             : length < sizeof piece ? length
                                                     : utf8_cut(text, sizeof piece - 1);
        snprintf(piece, sizeof piece, "%.*s", (int)taken, text);
        latex_text(stream, piece);
        text += taken;
        if (comma && *text > ' ') {
            fputs("\\allowbreak{}", stream);
        }
    }
    fputc('\n', stream);
}

static Status write_block(FILE *stream, const Block *block) {
    static const char *const headings[] = {"\\subsection{", "\\subsubsection{", "\\paragraph{"};
    switch (block->kind) {
    case BLOCK_HEADING: write_around(stream, headings[block->level - 2], block->text, "}\n"); break;
    case BLOCK_PARAGRAPH: write_around(stream, "", block->text, "\n"); break;
    case BLOCK_ITEM: write_item(stream, block->text != NULL ? block->text : ""); break;
    case BLOCK_LEAD:
    case BLOCK_CHIP: write_around(stream, "", block->text, "\\par\n"); break;
    case BLOCK_WARNING: write_around(stream, "\\textbf{Warning:} ", block->text, "\n"); break;
    case BLOCK_CODE: write_code(stream, block->text != NULL ? block->text : ""); break;
    case BLOCK_TABLE: write_pages(stream, block->table); break;
    case BLOCK_CHART: return chart_table_write(stream, block->chart, write_pages);
    }
    return status_ok();
}

static bool is_item(const Document *document, size_t index) {
    return index < document->count && document->blocks[index].kind == BLOCK_ITEM;
}

static Status write_document(FILE *stream, const Document *document) {
    fputs("% Needs \\usepackage{booktabs,graphicx}.\n", stream);
    write_around(stream, "\\section{", document->title, "}\n");
    for (size_t i = 0; i < document->count; i++) {
        const bool item = is_item(document, i);
        const bool begins = item && (i == 0 || !is_item(document, i - 1));
        fputs(!item || begins ? "\n" : "", stream);
        fputs(begins ? "\\begin{itemize}\n" : "", stream);
        STATUS_TRY(write_block(stream, &document->blocks[i]));
        fputs(item && !is_item(document, i + 1) ? "\\end{itemize}\n" : "", stream);
    }
    return status_ok();
}

Status latex_write(const Document *document, const char *path) {
    AtomicFile file;
    STATUS_TRY(document_status(document));
    STATUS_TRY(atomic_file_open(&file, path));
    return atomic_file_end(&file, write_document(file.stream, document));
}

/* === All tables =============================================================================== */

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
