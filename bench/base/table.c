/* Tables of text on a terminal. */

#include "base_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

/* A byte of a cell has at most four visible ones. */
enum { SHOWN_SIZE = 4 * TEXT_TABLE_CELL_SIZE };

/* The cell as it is printed. A writer may have cut it within a character. */
static void show_cell(const char *cell, char shown[SHOWN_SIZE]) {
    char whole[TEXT_TABLE_CELL_SIZE];
    utf8_copy(whole, sizeof whole, cell);
    utf8_trim(whole, sizeof whole);
    text_visible(whole, shown, SHOWN_SIZE);
}

static int display_width(const char *text) {
    return (int)utf8_width(text, strlen(text));
}

static int cell_width(const char *cell) {
    char shown[SHOWN_SIZE];
    show_cell(cell, shown);
    return display_width(shown);
}

static void print_spaces(FILE *stream, int count) {
    fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

/* Spaces are written before a word, never after the last one: lines have no trailing blanks. */
static void print_cell(FILE *stream, const char *text, int width, bool left, int *pending) {
    const int padding = width - display_width(text);
    if (text[0] == '\0') {
        *pending += width;
    } else {
        print_spaces(stream, *pending + (left ? 0 : padding));
        fputs(text, stream);
        *pending = left ? padding : 0;
    }
    *pending += 2;
}

/* Widest text of a column, 0 when no row has one. */
static int column_width(const TextColumn *columns, size_t column, const TextRow *rows,
                        size_t row_count) {
    int width = 0;
    for (size_t i = 0; i < row_count; i++) {
        const int cell = cell_width(rows[i].cells[column]);
        width = cell > width ? cell : width;
    }
    const int title = display_width(columns[column].title);
    return width > 0 && title > width ? title : width;
}

static void print_rule(FILE *stream, const int *widths, size_t column_count) {
    int pending = 0;
    for (size_t i = 0; i < column_count; i++) {
        if (widths[i] == 0) {
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

void text_table_print(FILE *stream, const TextColumn *columns, size_t column_count,
                      const TextRow *rows, size_t row_count) {
    int widths[TEXT_TABLE_COLUMNS_MAX];
    int pending = 0;
    for (size_t i = 0; i < column_count; i++) {
        widths[i] = column_width(columns, i, rows, row_count);
        if (widths[i] > 0) {
            print_cell(stream, columns[i].title, widths[i], columns[i].left, &pending);
        }
    }
    fputc('\n', stream);
    print_rule(stream, widths, column_count);
    for (size_t row = 0; row < row_count; row++) {
        pending = 0;
        for (size_t i = 0; i < column_count; i++) {
            if (widths[i] > 0) {
                char shown[SHOWN_SIZE];
                show_cell(rows[row].cells[i], shown);
                print_cell(stream, shown, widths[i], columns[i].left, &pending);
            }
        }
        fputc('\n', stream);
    }
}
