/* Tables, and their writers for terminals, Markdown and CSV. */

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "list.h"
#include "markup_text.h"
#include "number.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "utf8.h"

/* === Table ==================================================================================== */

/* A copy of the text, NULL for NULL. False without memory. */
static bool copy_text(void **memory, const char *text, const char **copy) {
    *copy = text != NULL ? owned_text(memory, text) : NULL;
    return text == NULL || *copy != NULL;
}

bool table_add_column(void **memory, DocTable *table, const DocColumn *column) {
    const Status room = LIST_ROOM(memory, table->columns, table->column_count,
                                  table->column_capacity, "columns of a table");
    DocColumn copy = {.numeric = column->numeric, .rank = column->rank};
    if (!status_is_ok(&room) || !copy_text(memory, column->title, &copy.title) ||
        !copy_text(memory, column->group, &copy.group)) {
        return false;
    }
    table->columns[table->column_count++] = copy;
    return true;
}

bool table_add_cell(void **memory, DocTable *table, const DocCell *cell) {
    if (table->column_count == 0) {
        return true;
    }
    const Status room = LIST_ROOM(memory, table->cells, table->cell_count, table->cell_capacity,
                                  "cells of a table");
    DocCell copy = {
        .first = cell->first, .number = cell->number, .kind = cell->kind, .ink = cell->ink};
    if (!status_is_ok(&room) || !copy_text(memory, cell->text, &copy.text) ||
        !copy_text(memory, cell->note, &copy.note)) {
        return false;
    }
    table->cells[table->cell_count++] = copy;
    table->row_count = (table->cell_count + table->column_count - 1) / table->column_count;
    return true;
}

const DocCell *table_at(const DocTable *table, size_t row, size_t column) {
    if (table == NULL || row >= table->row_count || column >= table->column_count) {
        return NULL;
    }
    const size_t place = row * table->column_count + column;
    return place < table->cell_count ? &table->cells[place] : NULL;
}

const char *table_text_at(const DocTable *table, size_t row, size_t column) {
    const DocCell *cell = table_at(table, row, column);
    return cell != NULL && cell->text != NULL ? cell->text : "";
}

bool table_has_groups(const DocTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].group != NULL) {
            return true;
        }
    }
    return false;
}

size_t table_group_span(const DocTable *table, size_t column) {
    const char *group = table->columns[column].group;
    size_t span = 1;
    while (group != NULL && column + span < table->column_count &&
           table->columns[column + span].group != NULL &&
           strcmp(table->columns[column + span].group, group) == 0) {
        span++;
    }
    return span;
}

void table_full_title(const DocColumn *column, char title[TABLE_TITLE_SIZE]) {
    const char *own = column->title != NULL ? column->title : "";
    const char *group = column->group != NULL ? column->group : "";
    const char *between = own[0] != '\0' && group[0] != '\0' ? ": " : "";
    snprintf(title, TABLE_TITLE_SIZE, "%s%s%s", group, between, own);
    utf8_trim(title, TABLE_TITLE_SIZE);
}

/* === Terminal ================================================================================= */

/* A byte of a cell has at most four visible ones. */
enum { CELL_SIZE = 1024, SHOWN_SIZE = 4 * CELL_SIZE };

/* A text of at most `size` bytes as it is printed. A writer may have cut it within a character. */
static void show(const char *text, size_t size, char shown[SHOWN_SIZE]) {
    char whole[CELL_SIZE];
    utf8_copy(whole, size, text);
    utf8_trim(whole, size);
    text_visible(whole, shown, SHOWN_SIZE);
}

static void show_cell(const DocTable *table, size_t row, size_t column, char shown[SHOWN_SIZE]) {
    show(table_text_at(table, row, column), CELL_SIZE, shown);
}

static void show_title(const DocTable *table, size_t column, char shown[SHOWN_SIZE]) {
    char title[TABLE_TITLE_SIZE];
    table_full_title(&table->columns[column], title);
    show(title, TABLE_TITLE_SIZE, shown);
}

static int display_width(const char *text) {
    return (int)utf8_width(text, strlen(text));
}

static void print_spaces(FILE *stream, int count) {
    fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

/* Spaces are written before a word, never after the last one: lines have no trailing blanks. */
static void print_cell(FILE *stream, Ink ink, const char *text, int width, bool left,
                       int *pending) {
    const int padding = width - display_width(text);
    if (text[0] == '\0') {
        *pending += width;
    } else {
        print_spaces(stream, *pending + (left ? 0 : padding));
        terminal_write(stream, ink, text);
        *pending = left ? padding : 0;
    }
    *pending += 2;
}

/* Widest text of a column, 0 when no row has one. */
static int column_width(const DocTable *table, size_t column) {
    char shown[SHOWN_SIZE];
    int width = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        show_cell(table, i, column, shown);
        const int cell = display_width(shown);
        width = cell > width ? cell : width;
    }
    show_title(table, column, shown);
    const int title = display_width(shown);
    return width > 0 && title > width ? title : width;
}

/* A column without a title, of marks, has none. */
static void print_rule(FILE *stream, const DocTable *table, const int *widths,
                       size_t column_count) {
    int pending = 0;
    for (size_t i = 0; i < column_count; i++) {
        char title[TABLE_TITLE_SIZE];
        table_full_title(&table->columns[i], title);
        if (widths[i] == 0 || title[0] == '\0') {
            pending += widths[i] > 0 ? widths[i] + 2 : 0;
            continue;
        }
        print_spaces(stream, pending);
        for (int dash = 0; dash < widths[i]; dash++) {
            fputc('-', stream);
        }
        pending = 2;
    }
    fputc('\n', stream);
}

/* === Fitting ================================================================================== */

/* Texts are not wrapped to fewer columns than these, nor than their title has. */
enum { WRAP_LEAST = 10 };

typedef struct Layout {
    int widths[TEXT_TABLE_COLUMNS_MAX]; /* 0: left out */
    size_t count;
} Layout;

static int whole_width(const Layout *layout) {
    int whole = -2;
    for (size_t i = 0; i < layout->count; i++) {
        whole += layout->widths[i] > 0 ? layout->widths[i] + 2 : 0;
    }
    return whole;
}

static int least_width(const DocTable *table, size_t column) {
    char title[SHOWN_SIZE];
    show_title(table, column, title);
    const int least = display_width(title);
    return least > WRAP_LEAST ? least : WRAP_LEAST;
}

/* The highest rank of the columns that are left. */
static int highest_rank(const DocTable *table, const Layout *layout) {
    int highest = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const int rank = table->columns[i].rank;
        highest = layout->widths[i] > 0 && rank > highest ? rank : highest;
    }
    return highest;
}

/* Of its texts, between places where a line may end. */
static int widest_word(const DocTable *table, size_t column) {
    int widest = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        char shown[SHOWN_SIZE];
        show_cell(table, i, column, shown);
        for (const char *word = shown; *word != '\0';) {
            const size_t bytes = strcspn(word, " /,");
            const size_t end = bytes + (word[bytes] == '/' || word[bytes] == ',');
            const int width = (int)utf8_width(word, end);
            widest = width > widest ? width : widest;
            word += end + (word[end] == ' ');
        }
    }
    return widest;
}

/* Narrows the columns of text, the widest first, until all fit. Where they cannot, none is. As long
 * as a column can be left out instead, texts keep two thirds of their width: two lines or three. */
static bool wrap_texts(const DocTable *table, Layout *layout, int window, bool whole_words) {
    Layout narrow = *layout;
    int least[TEXT_TABLE_COLUMNS_MAX];
    const bool ranked = highest_rank(table, layout) > 0;
    for (size_t i = 0; i < layout->count; i++) {
        const int most = narrow.widths[i] * 2 / 3;
        least[i] = table->columns[i].numeric ? narrow.widths[i] : least_width(table, i);
        least[i] = ranked && most > least[i] ? most : least[i];
        if (whole_words && !table->columns[i].numeric) {
            const int word = widest_word(table, i);
            least[i] = word > least[i] ? word : least[i];
        }
    }
    for (int over = whole_width(layout) - window; over > 0; over--) {
        size_t widest = layout->count;
        for (size_t i = 0; i < layout->count; i++) {
            if (narrow.widths[i] > least[i] &&
                (widest == layout->count || narrow.widths[i] > narrow.widths[widest])) {
                widest = i;
            }
        }
        if (widest == layout->count) {
            return false;
        }
        narrow.widths[widest]--;
    }
    *layout = narrow;
    return true;
}

/* The columns of the highest rank lose their width until the others fit the window. */
static void fit_window(const DocTable *table, Layout *layout, int window) {
    while (whole_width(layout) > window &&
           !(table->wraps && (wrap_texts(table, layout, window, true) ||
                              wrap_texts(table, layout, window, false)))) {
        const int highest = highest_rank(table, layout);
        if (highest == 0) {
            return;
        }
        for (size_t i = 0; i < layout->count; i++) {
            layout->widths[i] = table->columns[i].rank == highest ? 0 : layout->widths[i];
        }
    }
}

/* Bytes of a text's next line: up to a blank, behind a '/' or ',', or else what fits. */
static size_t line_bytes(const char *text, int width) {
    size_t fits = 0;
    size_t whole = 0; /* up to a place where a line may end */
    while (text[fits] != '\0') {
        uint32_t code;
        const size_t next = fits + utf8_decode(text + fits, &code);
        if ((int)utf8_width(text, next) > width) {
            return code == ' ' ? fits : whole > 0 ? whole : fits > 0 ? fits : next;
        }
        whole = code == '/' || code == ',' ? next : code == ' ' ? fits : whole;
        fits = next;
    }
    return fits;
}

/* === Printing ================================================================================= */

static void print_titles(FILE *stream, const DocTable *table, const Layout *layout) {
    int pending = 0;
    char shown[SHOWN_SIZE];
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->widths[i] > 0) {
            show_title(table, i, shown);
            print_cell(stream, INK_PLAIN, shown, layout->widths[i], !table->columns[i].numeric,
                       &pending);
        }
    }
    fputc('\n', stream);
    print_rule(stream, table, layout->widths, layout->count);
}

/* A line of a row: what is left of each cell, as far as it fits. Returns whether more is left. */
static bool print_line(FILE *stream, const DocTable *table, const Layout *layout, size_t row,
                       const char *left[]) {
    int pending = 0;
    bool more = false;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->widths[i] > 0) {
            char line[SHOWN_SIZE];
            const DocCell *cell = table_at(table, row, i);
            const size_t bytes = line_bytes(left[i], layout->widths[i]);
            memcpy(line, left[i], bytes);
            line[bytes] = '\0';
            left[i] += bytes + strspn(left[i] + bytes, " ");
            print_cell(stream, cell != NULL ? cell->ink : INK_PLAIN, line, layout->widths[i],
                       !table->columns[i].numeric, &pending);
            more |= left[i][0] != '\0';
        }
    }
    fputc('\n', stream);
    return more;
}

void table_print(FILE *stream, const DocTable *table) {
    static char shown[TEXT_TABLE_COLUMNS_MAX][SHOWN_SIZE];
    Layout layout = {.count = table->column_count < TEXT_TABLE_COLUMNS_MAX
                                  ? table->column_count
                                  : TEXT_TABLE_COLUMNS_MAX};
    for (size_t i = 0; i < layout.count; i++) {
        layout.widths[i] = column_width(table, i);
    }
    if (!table->wraps || stream_is_terminal(stream)) {
        fit_window(table, &layout, terminal_columns(stream));
    }
    print_titles(stream, table, &layout);
    for (size_t row = 0; row < table->row_count; row++) {
        const char *left[TEXT_TABLE_COLUMNS_MAX];
        for (size_t i = 0; i < layout.count; i++) {
            show_cell(table, row, i, shown[i]);
            left[i] = shown[i];
        }
        while (print_line(stream, table, &layout, row, left)) {
        }
    }
}

/* === A command's table ======================================================================== */

TextTable text_table_start(const DocColumn *columns, size_t count) {
    TextTable table = {.table = {.wraps = true}};
    for (size_t i = 0; i < count; i++) {
        table.table.wraps &= columns[i].rank == 0;
        table.failed |= !table_add_column(&table.memory, &table.table, &columns[i]);
    }
    return table;
}

void text_table_put_cell(TextTable *table, const DocCell *cell) {
    table->failed = table->failed || !table_add_cell(&table->memory, &table->table, cell);
}

void text_table_put_kind(TextTable *table, CellKind kind, const char *text) {
    text_table_put_cell(table, &(DocCell){.text = text, .number = NAN, .kind = kind});
}

void text_table_put_ink(TextTable *table, Ink ink, const char *text) {
    text_table_put_cell(table, &(DocCell){.text = text, .number = NAN, .ink = ink});
}

void text_table_put(TextTable *table, const char *format, ...) {
    char text[CELL_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_table_put_kind(table, CELL_PLAIN, text);
}

void text_table_skip(TextTable *table) {
    text_table_put_kind(table, CELL_PLAIN, "");
}

Status text_table_end(TextTable *table, FILE *stream,
                      void (*write)(FILE *stream, const DocTable *table)) {
    if (!table->failed) {
        write(stream, &table->table);
    }
    owned_release(&table->memory);
    return table->failed ? status_no_memory("for a table") : status_ok();
}

void text_table_show(TextTable *table, FILE *stream) {
    const Status status = text_table_end(table, stream, table_print);
    if (!status_is_ok(&status)) {
        visible_line(stream, "%s", status.why);
    }
}

/* === Markdown ================================================================================= */

/* A failure has both marks, so that it does not look like a winner. */
static const char *mark_of(CellKind kind) {
    switch (kind) {
    case CELL_STRONG: return "**";
    case CELL_MISSING: return "*";
    case CELL_BAD: return "***";
    case CELL_PLAIN:
    case CELL_FAINT: break;
    }
    return "";
}

static void write_markdown_cell(FILE *stream, const DocCell *cell) {
    if (cell == NULL || cell->text == NULL || cell->text[0] == '\0') {
        return;
    }
    const char *mark = mark_of(cell->kind);
    fputs(mark, stream);
    markdown_cell_text(stream, cell->text);
    fputs(mark, stream);
}

static void write_markdown_titles(FILE *stream, const DocTable *table) {
    fputc('|', stream);
    for (size_t column = 0; column < table->column_count; column++) {
        char title[TABLE_TITLE_SIZE];
        table_full_title(&table->columns[column], title);
        fputc(' ', stream);
        markdown_cell_text(stream, title);
        fputs(" |", stream);
    }
    fputs("\n|", stream);
    for (size_t column = 0; column < table->column_count; column++) {
        fputs(table->columns[column].numeric ? " --: |" : " --- |", stream);
    }
    fputc('\n', stream);
}

void table_print_markdown(FILE *stream, const DocTable *table) {
    if (table->column_count > 0) {
        write_markdown_titles(stream, table);
    }
    for (size_t row = 0; row < table->row_count; row++) {
        fputc('|', stream);
        for (size_t column = 0; column < table->column_count; column++) {
            fputc(' ', stream);
            write_markdown_cell(stream, table_at(table, row, column));
            fputs(" |", stream);
        }
        fputc('\n', stream);
    }
}

/* === CSV ====================================================================================== */

static void write_csv_cell(FILE *stream, const DocTable *table, size_t row, size_t column) {
    const DocCell *cell = table_at(table, row, column);
    if (cell != NULL && table->columns[column].numeric && isfinite(cell->number)) {
        char number[32];
        number_text(cell->number, number, sizeof number);
        csv_write_field(stream, number);
    } else {
        csv_write_field(stream, table_text_at(table, row, column));
    }
}

void table_print_csv(FILE *stream, const DocTable *table) {
    for (size_t column = 0; column < table->column_count; column++) {
        char title[TABLE_TITLE_SIZE];
        table_full_title(&table->columns[column], title);
        fputs(column > 0 ? "," : "", stream);
        csv_write_field(stream, title);
    }
    fputc('\n', stream);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            fputs(column > 0 ? "," : "", stream);
            write_csv_cell(stream, table, row, column);
        }
        fputc('\n', stream);
    }
}
