/* Tables of an HTML page. */
#include <math.h>
#include <string.h>

#include "html_parts.h"
#include "number_text.h"
#include "table_parts.h"

static void write_column_groups(FILE *stream, const DocTable *table) {
    for (size_t i = 0; i < table->column_count; i += table_group_span(table, i)) {
        fprintf(stream, "<colgroup span=\"%zu\"></colgroup>", table_group_span(table, i));
    }
}

static void write_title(FILE *stream, const DocColumn *column, bool two_rows) {
    fprintf(stream, "<th scope=\"col\"%s%s>", column->numeric ? " class=\"n\"" : "",
            two_rows ? " rowspan=\"2\"" : "");
    html_escape(stream, column->title);
    fputs("</th>", stream);
}

/* The first of two rows: groups, and the columns without one. */
static void write_groups(FILE *stream, const DocTable *table) {
    fputs("<tr>", stream);
    for (size_t i = 0; i < table->column_count;) {
        const DocColumn *column = &table->columns[i];
        const size_t span = table_group_span(table, i);
        if (column->group == NULL) {
            write_title(stream, column, true);
        } else {
            fprintf(stream, "<th scope=\"colgroup\" colspan=\"%zu\">", span);
            html_escape(stream, column->group);
            fputs("</th>", stream);
        }
        i += span;
    }
    fputs("</tr>\n", stream);
}

static void write_head(FILE *stream, const DocTable *table) {
    const bool groups = table_has_groups(table);
    if (groups) {
        write_column_groups(stream, table);
    }
    fputs("<thead>\n", stream);
    if (groups) {
        write_groups(stream, table);
    }
    fputs("<tr>", stream);
    for (size_t i = 0; i < table->column_count; i++) {
        if (!groups || table->columns[i].group != NULL) {
            write_title(stream, &table->columns[i], false);
        }
    }
    fputs("</tr>\n</thead>\n", stream);
}

/* The sum of a row's numbers, for the share of each. */
static double row_sum(const DocTable *table, size_t row) {
    double sum = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const DocCell *cell = table_at(table, row, i);
        if (table->columns[i].numeric && isfinite(cell->number) && cell->number > 0) {
            sum += cell->number;
        }
    }
    return sum;
}

/* What the style sheet makes of a cell. A sentence needs room, a few words do not. */
static void write_classes(FILE *stream, const DocColumn *column, const DocCell *cell) {
    enum { SENTENCE = 25 };
    static const char *const kinds[] = {[CELL_PLAIN] = NULL,
                                        [CELL_STRONG] = "strong",
                                        [CELL_FAINT] = "faint",
                                        [CELL_MISSING] = "missing",
                                        [CELL_BAD] = "bad"};
    const bool is_long = !column->numeric && cell->text != NULL && strlen(cell->text) >= SENTENCE;
    const char *const classes[] = {column->numeric ? "n" : NULL, is_long ? "long" : NULL,
                                   kinds[cell->kind]};
    const char *separator = " class=\"";
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (classes[i] != NULL) {
            fprintf(stream, "%s%s", separator, classes[i]);
            separator = " ";
        }
    }
    fputs(separator[1] == '\0' ? "\"" : "", stream);
}

static void write_cell(FILE *stream, const DocColumn *column, const DocCell *cell, bool heading,
                       double sum) {
    fputs(heading ? "<th scope=\"row\"" : "<td", stream);
    write_classes(stream, column, cell);
    if (isfinite(cell->number)) {
        char number[32];
        number_text(cell->number, number, sizeof number);
        html_attribute(stream, "data-value", number);
    }
    if (cell->note != NULL) {
        fputs(" tabindex=\"0\"", stream);
        html_attribute(stream, "title", cell->note);
    }
    if (column->numeric && sum > 0 && cell->number > 0 && isfinite(cell->number)) {
        const long thousandths = lround(1000 * cell->number / sum);
        fprintf(stream, " style=\"--share:%ld.%03ld\"", thousandths / 1000, thousandths % 1000);
    }
    const bool strong = cell->kind == CELL_STRONG;
    fputs(strong ? "><strong>" : ">", stream);
    html_escape(stream, cell->text);
    fputs(strong ? "</strong>" : "", stream);
    fputs(heading ? "</th>" : "</td>", stream);
}

static void write_body(FILE *stream, const DocTable *table) {
    fputs("<tbody>\n", stream);
    for (size_t row = 0; row < table->row_count; row++) {
        const double sum = table->shaded ? row_sum(table, row) : 0;
        fputs("<tr>", stream);
        for (size_t i = 0; i < table->column_count; i++) {
            const DocColumn *column = &table->columns[i];
            write_cell(stream, column, table_at(table, row, i), i == 0 && !column->numeric, sum);
        }
        fputs("</tr>\n", stream);
    }
    if (table->row_count == 0) {
        fprintf(stream, "<tr><td colspan=\"%zu\" class=\"missing\">nothing to show</td></tr>\n",
                table->column_count);
    }
    fputs("</tbody>\n", stream);
}

static void write_table(FILE *stream, const DocTable *table) {
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\"", stream);
    html_attribute(stream, "aria-label", table->caption);
    fprintf(stream, ">\n<table class=\"%s%s\">\n<caption><span>",
            table->sortable ? "sortable" : "fixed", table->shaded ? " shaded" : "");
    html_escape(stream, table->caption);
    fputs("</span></caption>\n", stream);
    write_head(stream, table);
    write_body(stream, table);
    fputs("</table>\n</div>\n", stream);
}

void html_table_write(FILE *stream, const DocTable *table) {
    if (table->column_count == 0) {
        return;
    }
    fputs("<figure class=\"table\">\n", stream);
    if (table->collapsed) {
        fputs("<details><summary>", stream);
        html_escape(stream, table->caption);
        fputs("</summary>\n", stream);
    }
    write_table(stream, table);
    if (table->note != NULL) {
        fputs("<p class=\"note\">", stream);
        html_escape(stream, table->note);
        fputs("</p>\n", stream);
    }
    fputs(table->collapsed ? "</details>\n</figure>\n" : "</figure>\n", stream);
}
