/* A document as one HTML page. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "svg.h"
#include "table.h"

#include <math.h>
#include <string.h>

#include "files.h"
#include "layout.h"
#include "markup_text.h"
#include "status.h"

/* === Html table =============================================================================== */

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

/* "36.7× faster (36.2 to 37.1)" breaks before its interval, and nowhere else. */
static void write_cell_text(FILE *stream, const DocColumn *column, const DocCell *cell) {
    char number[CHART_TEXT_SIZE];
    if (!column->numeric || cell->first == 0 || cell->first >= sizeof number) {
        html_escape(stream, cell->text);
        return;
    }
    snprintf(number, sizeof number, "%.*s", (int)cell->first, cell->text);
    fputs("<span class=\"nb\">", stream);
    html_escape(stream, number);
    fputs("</span> <span class=\"nb\">", stream);
    html_escape(stream, cell->text + cell->first + 1);
    fputs("</span>", stream);
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
    write_cell_text(stream, column, cell);
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
        fprintf(stream, " (%zu row%s)</summary>\n", table->row_count,
                table->row_count == 1 ? "" : "s");
    }
    write_table(stream, table);
    if (table->note != NULL) {
        fputs("<p class=\"note\">", stream);
        html_escape(stream, table->note);
        fputs("</p>\n", stream);
    }
    fputs(table->collapsed ? "</details>\n</figure>\n" : "</figure>\n", stream);
}

/* === Html chart =============================================================================== */

/* The script makes the entries switches. Ceilings are named in the drawing. */
static void write_legend(FILE *stream, const DocChart *chart) {
    bool any = false;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style == SERIES_CEILING || series->style == SERIES_WORDS ||
            (chart->panel_count > 0 && !figure_in_key(chart, i))) {
            continue;
        }
        fputs(any ? "" : "<ul class=\"legend\">\n", stream);
        any = true;
        fprintf(stream, "<li data-series=\"%zu\">", i);
        svg_swatch(stream, series);
        html_escape(stream, series->name);
        if (series->same_as > 0 && series->same_as <= chart->count) {
            fputs(" = ", stream);
            html_escape(stream, chart->series[series->same_as - 1].name);
        }
        fputs("</li>\n", stream);
    }
    fputs(any ? "</ul>\n" : "", stream);
}

static Status write_data(FILE *stream, const DocChart *chart) {
    fputs("<details class=\"data\"><summary>Data</summary>\n", stream);
    if (chart->description != NULL) {
        fputs("<p>", stream);
        html_escape(stream, chart->description);
        fputs("</p>\n", stream);
    }
    const Status status = chart_table_write(stream, chart, html_table_write);
    fputs("</details>\n", stream);
    return status;
}

Status html_chart_write(FILE *stream, const DocChart *chart) {
    fputs("<figure class=\"chart\">\n<figcaption>", stream);
    html_escape(stream, chart->title);
    fputs("</figcaption>\n", stream);
    if (chart->panel_count > 0) {
        fputs("<div class=\"panels\">\n", stream);
    }
    for (size_t i = 0; i < chart->panel_count; i++) {
        fputs("<div>\n<p>", stream);
        html_escape(stream, chart->panels[i].title);
        fputs("</p>\n", stream);
        STATUS_TRY(svg_panel_write(stream, chart, i));
        fputs("</div>\n", stream);
    }
    if (chart->panel_count > 0) {
        fputs("</div>\n", stream);
    } else {
        STATUS_TRY(svg_chart_write(stream, chart));
    }
    write_legend(stream, chart);
    if (chart->note != NULL) {
        fputs("<p class=\"note\">", stream);
        html_escape(stream, chart->note);
        fputs("</p>\n", stream);
    }
    STATUS_TRY(write_data(stream, chart));
    fputs("</figure>\n", stream);
    return status_ok();
}

/* === Html ===================================================================================== */

/* The policy lets nothing be loaded, from wherever. Ids of the page itself have capital letters,
 * which those of headings never have. */
static void write_start(FILE *stream, const Document *document) {
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    html_escape(stream, document->title);
    fprintf(stream, "</title>\n<style>\n%s", page_style);
    svg_looks_write(stream);
    fputs("</style>\n</head>\n<body>\n", stream);
    fputs("<a class=\"skip\" href=\"#Main\">Skip to the content</a>\n<header>\n<h1>", stream);
    html_escape(stream, document->title);
    fputs("</h1>\n</header>\n", stream);
}

static bool is_section(const Block *block) {
    return block->kind == BLOCK_HEADING && block->level <= 2;
}

static void write_contents(FILE *stream, const Document *document) {
    bool any = false;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (!is_section(block)) {
            continue;
        }
        fputs(any ? ""
                  : "<nav aria-labelledby=\"Contents\">\n<p id=\"Contents\">Contents</p>\n<ol>\n",
              stream);
        any = true;
        fprintf(stream, "<li><a href=\"#%s\">", block->id);
        html_escape(stream, block->text);
        fputs("</a></li>\n", stream);
    }
    fputs(any ? "</ol>\n</nav>\n" : "", stream);
}

/* The link is for the pointer alone: with the keyboard there are the contents. */
static void write_heading(FILE *stream, const Block *block) {
    const int level = block->level < 2 ? 2 : block->level > 6 ? 6 : block->level;
    fprintf(stream, "<h%d id=\"%s\">", level, block->id);
    html_escape(stream, block->text);
    fprintf(stream,
            "<a class=\"anchor\" href=\"#%s\" tabindex=\"-1\" aria-hidden=\"true\">#</a></h%d>\n",
            block->id, level);
}

static void write_text_block(FILE *stream, const char *start, const char *text, const char *end) {
    fputs(start, stream);
    html_escape(stream, text);
    fputs(end, stream);
}

static Status write_block(FILE *stream, const Block *block) {
    switch (block->kind) {
    case BLOCK_HEADING: write_heading(stream, block); break;
    case BLOCK_PARAGRAPH: write_text_block(stream, "<p>", block->text, "</p>\n"); break;
    case BLOCK_ITEM: write_text_block(stream, "<li>", block->text, "</li>\n"); break;
    case BLOCK_CODE:
        write_text_block(stream, "<pre tabindex=\"0\"><code>", block->text, "</code></pre>\n");
        break;
    case BLOCK_WARNING:
        write_text_block(stream, "<p class=\"warning\" role=\"note\"><strong>Note:</strong> ",
                         block->text, "</p>\n");
        break;
    case BLOCK_LEAD: write_text_block(stream, "<p class=\"lead\">", block->text, "</p>\n"); break;
    case BLOCK_CHIP: write_text_block(stream, "<li>", block->text, "</li>\n"); break;
    case BLOCK_TABLE: html_table_write(stream, block->table); break;
    case BLOCK_CHART: return html_chart_write(stream, block->chart);
    }
    return status_ok();
}

/* What neighbouring blocks of a kind are put into; NULL: nothing. */
static const char *wrapper_of(const Block *block, bool start) {
    switch (block->kind) {
    case BLOCK_ITEM: return start ? "<ul>\n" : "</ul>\n";
    case BLOCK_CHIP: return start ? "<ul class=\"chips\">\n" : "</ul>\n";
    case BLOCK_CHART: return start ? "<div class=\"charts\">\n" : "</div>\n";
    default: return NULL;
    }
}

/* A folded section opens by its heading. */
static void start_section(FILE *stream, const Block *block, bool folded) {
    fprintf(stream, "<section aria-labelledby=\"%s\">\n", block->id);
    if (folded) {
        fputs("<details class=\"section\"><summary>", stream);
        write_heading(stream, block);
        fputs("</summary>\n", stream);
    } else {
        write_heading(stream, block);
    }
}

static void end_section(FILE *stream, bool folded) {
    fputs(folded ? "</details>\n</section>\n" : "</section>\n", stream);
}

static Status write_blocks(FILE *stream, const Document *document) {
    bool in_section = false, folded = false;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        const bool first = i == 0 || block[-1].kind != block->kind;
        const bool last = i + 1 == document->count || block[1].kind != block->kind;
        if (i == 0 && document->folded > 0) {
            fputs("<div class=\"first\">\n", stream);
        }
        if (i == document->folded && i > 0) {
            fputs("</div>\n", stream);
        }
        if (is_section(block)) {
            if (in_section) {
                end_section(stream, folded);
            }
            folded = document->folded > 0 && i >= document->folded;
            start_section(stream, block, folded);
            in_section = true;
            continue;
        }
        if (first && wrapper_of(block, true) != NULL) {
            fputs(wrapper_of(block, true), stream);
        }
        STATUS_TRY(write_block(stream, block));
        if (last && wrapper_of(block, false) != NULL) {
            fputs(wrapper_of(block, false), stream);
        }
    }
    if (in_section) {
        end_section(stream, folded);
    }
    return status_ok();
}

static Status write_page(FILE *stream, const Document *document) {
    write_start(stream, document);
    write_contents(stream, document);
    fputs("<main id=\"Main\">\n", stream);
    STATUS_TRY(write_blocks(stream, document));
    fprintf(stream, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
    return status_ok();
}

Status html_write(const Document *document, const char *path) {
    STATUS_TRY(document_status(document));
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    return atomic_file_end(&file, write_page(file.stream, document));
}
