/* The gnuplot script of a chart: all of it, with nothing to include but the points. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "markup_text.h"
#include "number.h"
#include "status.h"
#include "text.h"
#include "utf8.h"

typedef struct Script {
    FILE *stream;
    const FigureLayout *layout;
    const char *name; /* of the files, without suffix */
    bool latex;       /* texts are LaTeX's */
} Script;

/* === Looks ==================================================================================== */

/* gnuplot's point type; 0: none. */
static int point_type(const SeriesLook *look) {
    static const int full[] = {7, 5, 9, 13, 11, 15}, hollow[] = {6, 4, 8, 12, 10, 14};
    return look->marker == SERIES_NO_MARK ? 0
           : look->marker == SERIES_CROSS ? 2
           : look->hollow                 ? hollow[look->marker]
                                          : full[look->marker];
}

/* === Texts ==================================================================================== */

/* False where LaTeX's commands for the text are too long. */
static bool latex_of(const char *plain, char shown[CHART_TEXT_SIZE]) {
    char *latex = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&latex, &size);
    if (memory != NULL) {
        latex_text(memory, plain);
        fclose(memory);
    }
    const bool fits = size < CHART_TEXT_SIZE / 2; /* percent signs may be doubled */
    utf8_copy(shown, CHART_TEXT_SIZE, latex != NULL && fits ? latex : "");
    free(latex);
    return fits;
}

/* A text as the format shows it. For LaTeX a long one is cut before it is escaped, since half a
 * command would be an error. */
static void text_of_format(const Script *script, const char *text, char shown[CHART_TEXT_SIZE]) {
    utf8_copy(shown, CHART_TEXT_SIZE, text);
    if (script->latex) {
        char plain[CHART_TEXT_SIZE];
        chart_text(text, plain, sizeof plain);
        size_t room = CHART_TEXT_SIZE / 2;
        do {
            char part[CHART_TEXT_SIZE];
            utf8_copy(part, room, plain);
            room /= 2;
            if (latex_of(part, shown)) {
                break;
            }
        } while (room > 1);
    }
}

static void write_text(const Script *script, const char *text) {
    char shown[CHART_TEXT_SIZE];
    text_of_format(script, text, shown);
    gnuplot_text_write(script->stream, shown);
}

/* Of a mark: gnuplot takes its name for a format, in which two percent signs are one. */
static void write_mark_name(const Script *script, const char *text) {
    char shown[CHART_TEXT_SIZE], doubled[2 * CHART_TEXT_SIZE];
    size_t used = 0;
    text_of_format(script, text, shown);
    for (const char *c = shown; *c != '\0'; c++) {
        doubled[used++] = *c;
        if (*c == '%') {
            doubled[used++] = '%';
        }
    }
    doubled[used] = '\0';
    gnuplot_text_write(script->stream, doubled);
}

static void write_power(const Script *script, int power) {
    char text[FIGURE_MARK_SIZE];
    if (script->latex) {
        fprintf(script->stream, "'$10^{%d}$'", power);
        return;
    }
    figure_power_text(power, text);
    gnuplot_text_write(script->stream, text);
}

static void write_number(FILE *stream, double value) {
    char number[32];
    number_text_exact(value, number, sizeof number);
    /* gnuplot divides whole numbers as C does. */
    fprintf(stream, "%s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
}

/* === Parts ==================================================================================== */

static void write_scale(const Script *script, char axis, const FigureScale *scale,
                        const char *rotation, bool named) {
    FILE *stream = script->stream;
    fprintf(stream, "%s logscale %c%s\n", scale->log ? "set" : "unset", axis,
            scale->log ? " 10" : "");
    fprintf(stream, "set %crange [", axis);
    write_number(stream, scale->least);
    fputc(':', stream);
    write_number(stream, scale->most);
    fprintf(stream, "]\nset %ctics %s(", axis, rotation);
    for (size_t i = 0; i < scale->count; i++) {
        const FigureMark *mark = &scale->marks[i];
        char number[32];
        fputs(i == 0 ? "" : i % 4 == 0 ? ", \\\n    " : ", ", stream);
        if (!named) {
            fputs("''", stream);
        } else if (mark->is_power) {
            write_power(script, mark->power);
        } else {
            write_mark_name(script, mark->name);
        }
        snprintf(number, sizeof number, "%.12g", mark->value);
        fprintf(stream, " %s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
        fputs(mark->minor ? " 1" : "", stream);
    }
    fputs(")\n", stream);
}

/* Letters of another size; those of LaTeX stay, which is told by nothing. */
static void font_of_size(const Script *script, double size, char text[48]) {
    text[0] = '\0';
    if (!script->latex) {
        snprintf(text, 48, " font ',%g'", size * script->layout->font);
    }
}

/* Of a FigureText. */
static void write_label(const void *writer, const FigureText *text) {
    static const char *const aligns[] = {"center", "left", "right"};
    const Script *script = writer;
    const FigureLayout *layout = script->layout;
    fputs("set label ", script->stream);
    write_text(script, text->text);
    fprintf(script->stream, " at screen %.4f, %.4f %s", text->x / layout->width,
            text->y / layout->height, aligns[text->align]);
    if (text->angle != 0) {
        fprintf(script->stream, " rotate by %.4g", text->angle);
    }
    if (text->colour != NULL) {
        fprintf(script->stream, " textcolor rgb '%s'", text->colour);
    }
    if (text->size > 0 && text->size != 1) {
        char font[48];
        font_of_size(script, text->size, font);
        fputs(font, script->stream);
    }
    fputs(" front\n", script->stream);
}

static void write_margins(const Script *script, double left, double bottom, double wide,
                          double high) {
    const FigureLayout *layout = script->layout;
    fprintf(script->stream, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
            left / layout->width, (left + wide) / layout->width);
    fprintf(script->stream, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            (bottom + high) / layout->height, bottom / layout->height);
}

/* === Key ====================================================================================== */

static void write_look(FILE *stream, const SeriesLook *look) {
    fprintf(stream, "linecolor rgb '%s' linewidth %g dashtype ", look->colour, look->width);
    fprintf(stream, look->dash[0] != '\0' ? "(%s)" : "solid", look->dash);
}

static void write_point_of(FILE *stream, double x, double y, const SeriesLook *look) {
    fprintf(stream,
            "set label ' ' at screen %.4f, %.4f point pointtype %d pointsize mark_size "
            "linecolor rgb '%s' linewidth %g front\n",
            x, y, point_type(look), look->colour, look->width);
}

/* A piece of a line from x to the other, in points. */
static void write_piece(const Script *script, const SeriesLook *look, double from, double to,
                        double y) {
    const FigureLayout *layout = script->layout;
    fprintf(script->stream, "set arrow from screen %.4f, %.4f to screen %.4f, %.4f nohead ",
            from / layout->width, y / layout->height, to / layout->width, y / layout->height);
    write_look(script->stream, look);
    fputs(" front\n", script->stream);
}

/* The line with its mark in the middle; it leaves a hollow one empty. */
static void write_sample(const void *writer, const FigureSample *sample) {
    const Script *script = writer;
    const FigureLayout *layout = script->layout;
    const SeriesLook *look = &sample->look;
    const double middle = (sample->from + sample->to) / 2;
    const double gap = look->hollow ? 0.35 * layout->font : 0, half = 0.4 * layout->font;
    if (sample->box) {
        fprintf(script->stream,
                "set object rectangle from screen %.4f, %.4f to screen %.4f, %.4f front fillcolor "
                "rgb '%s' fillstyle solid 1 noborder\n",
                sample->from / layout->width, (sample->y - half) / layout->height,
                sample->to / layout->width, (sample->y + half) / layout->height, look->colour);
        return;
    }
    if (sample->line) {
        write_piece(script, look, sample->from, middle - gap, sample->y);
        write_piece(script, look, middle + gap, sample->to, sample->y);
    }
    if (look->marker != SERIES_NO_MARK) {
        write_point_of(script->stream, middle / layout->width, sample->y / layout->height, look);
    }
}

/* === Lines ==================================================================================== */

static bool has_intervals(const ChartSeries *series) {
    for (size_t i = 0; i < series->count; i++) {
        if (isfinite(series->points[i].low) && isfinite(series->points[i].high)) {
            return true;
        }
    }
    return false;
}

static void write_mark(FILE *stream, const SeriesLook *look) {
    fprintf(stream, " pointtype %d pointsize mark_size%s", point_type(look),
            look->hollow ? " pointinterval -1" : "");
}

/* Which lines of the CSV are the series', counted from the header. */
static void write_source(const Script *script, const FigureShown *shown) {
    fprintf(script->stream, ", \\\n    csv every ::%zu::%zu using ", shown->first + 1,
            shown->first + shown->series->count);
}

static void write_interval(const Script *script, const FigureShown *shown) {
    const SeriesLook *look = &shown->look;
    write_source(script, shown);
    if (figure_has_many(shown->series)) {
        fprintf(script->stream,
                "1:3:4 with filledcurves fillcolor rgb '%s' fillstyle transparent solid 0.2 "
                "noborder notitle",
                look->colour);
    } else {
        fprintf(
            script->stream,
            "1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph "
            "0.012, 90 linecolor rgb '%s' linewidth 1 notitle",
            look->colour);
    }
}

static void write_series(const Script *script, const FigureShown *shown) {
    FILE *stream = script->stream;
    const ChartSeries *series = shown->series;
    const SeriesLook *look = &shown->look;
    const bool line = look->marker == SERIES_NO_MARK || figure_has_many(series);
    if (series->style == SERIES_WORDS) {
        write_source(script, shown);
        fprintf(stream,
                "1:2 with points linecolor rgb '%s' pointtype 6 pointsize 2.4 * mark_size "
                "linewidth 1.2 notitle",
                look->colour);
        return;
    }
    if (line && look->marker != SERIES_NO_MARK) { /* as many marks as tell the lines apart */
        fputs(", \\\n    last_mark = -1e300", stream);
        write_source(script, shown);
        fprintf(stream, "(mark_at($1)):2 with points linecolor rgb '%s'", look->colour);
        write_mark(stream, look);
        fputs(" notitle", stream);
    }
    write_source(script, shown);
    fprintf(stream, "1:2 with %s ", line ? "lines" : "linespoints");
    write_look(stream, look);
    if (!line) {
        write_mark(stream, look);
    }
    fputs(" notitle", stream);
}

/* Intervals first, so that lines and marks lie above them. */
static void write_plot(const Script *script, size_t panel) {
    FILE *stream = script->stream;
    const double reference = script->layout->panels[panel].reference;
    fputs("plot ", stream);
    if (isfinite(reference)) {
        write_number(stream, reference);
        fputs(" with lines linecolor rgb '" FIGURE_GUIDE "' linewidth 0.8 dashtype (6, 4) notitle",
              stream);
    } else {
        fputs("NaN notitle", stream);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (FigureShown shown = {0}; figure_next(script->layout, panel, &shown);) {
            if (pass == 1) {
                write_series(script, &shown);
            } else if (has_intervals(shown.series)) {
                write_interval(script, &shown);
            }
        }
    }
    fputc('\n', stream);
}

/* An arrow for each end of an interval that the panel cuts. */
static void write_cut_ends(const Script *script, size_t index) {
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[index];
    const double long_share = 1.1 * layout->font / panel->high;
    fputs("within(y) = y < ", script->stream);
    write_number(script->stream, panel->y.least);
    fputs(" ? ", script->stream);
    write_number(script->stream, panel->y.least);
    fputs(" : y > ", script->stream);
    write_number(script->stream, panel->y.most);
    fputs(" ? ", script->stream);
    write_number(script->stream, panel->y.most);
    fputs(" : y\n", script->stream);
    for (FigureShown shown = {0}; figure_next(layout, index, &shown);) {
        const ChartSeries *series = shown.series;
        for (size_t j = 0; !figure_has_many(series) && j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            const double ends[] = {point->low, point->high};
            for (int k = 0; k < 2; k++) {
                const int beyond = figure_end_beyond(&panel->y, ends[k]);
                if (beyond != 0 && figure_end_beyond(&panel->y, point->y) == 0) {
                    fputs("set arrow from first ", script->stream);
                    write_number(script->stream, point->x);
                    fprintf(script->stream, ", graph %.4f to first ",
                            beyond > 0 ? 1 - long_share : long_share);
                    write_number(script->stream, point->x);
                    fprintf(script->stream,
                            ", graph %d head filled size screen %.4f, 20 linecolor rgb '%s' "
                            "linewidth 1 front\n",
                            beyond > 0, 0.8 * layout->font / layout->width, shown.look.colour);
                }
            }
        }
    }
}

/* Who is ahead above and below the reference. */
static void write_sides(Script *script, const FigurePanel *panel) {
    static const struct {
        const char *colour, *ink;
    } looks[] = {{"#FBF3F0", "#8A3A28"}, {"#F1F8F3", "#2E6B40"}}; /* lighter than the grid */
    const FigureLayout *layout = script->layout;
    const double font = layout->font;
    const char *words[] = {layout->chart->below, layout->chart->above};
    fputs("unset object\n", script->stream);
    if (words[1] == NULL || !isfinite(panel->reference)) {
        return;
    }
    const double at = fmin(fmax(figure_place(&panel->y, panel->reference), 0), 1);
    for (int up = 0; up < 2; up++) {
        const double share = up ? 1 - at : at;
        fprintf(script->stream,
                "set object %d rectangle from graph 0, graph %.4f to graph 1, graph %.4f behind "
                "fillcolor rgb '%s' fillstyle solid 1 noborder\n",
                up + 1, up ? at : 0, up ? 1 : at, looks[up].colour);
        if (share * panel->high >= 1.3 * font && words[up] != NULL) {
            const double y = up ? panel->high - 0.7 * font : 0.7 * font;
            write_label(script, &(FigureText){.text = words[up],
                                              .x = panel->left + 0.4 * font,
                                              .y = panel->bottom + y,
                                              .align = TEXT_LEFT,
                                              .size = 0.85,
                                              .colour = looks[up].ink});
        }
    }
}

static size_t last_drawn(const FigureLayout *layout) {
    size_t last = 0;
    for (size_t i = 0; i < layout->panel_count; i++) {
        last = layout->panels[i].empty ? last : i;
    }
    return last;
}

static void write_panel(Script *script, size_t index) {
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[index];
    fputs("unset label\nunset arrow\nunset key\n", script->stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    if (index == 0) {
        figure_outer_texts_write(layout, write_label, script);
    }
    figure_panel_texts_write(layout, index, write_label, script);
    write_scale(script, 'x', &layout->x, layout->turned ? "rotate by 45 right " : "norotate ",
                panel->names_shown);
    write_scale(script, 'y', &panel->y, "", panel->values_named);
    write_sides(script, panel);
    write_cut_ends(script, index);
    if (index == last_drawn(layout)) {
        figure_key_write(layout, write_sample, write_label, script);
    }
    write_plot(script, index);
}

static bool thins_marks(const DocChart *chart) {
    for (size_t i = 0; i < chart->count; i++) {
        if (figure_has_many(&chart->series[i])) {
            return true;
        }
    }
    return false;
}

static void write_line_chart(Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    if (thins_marks(layout->chart)) {
        /* A tenth of the axis is between two marks. */
        const FigureScale *x = &layout->x;
        fprintf(stream, "mark_at(x) = %s - last_mark >= %.9g ? (last_mark = %s, x) : NaN\n",
                x->log ? "log10(x)" : "x",
                x->log ? log10(x->most / x->least) / 10 : (x->most - x->least) / 10,
                x->log ? "log10(x)" : "x");
    }
    if (layout->panel_count > 1) {
        fputs("set multiplot\n", stream);
    }
    for (size_t i = 0; i < layout->panel_count; i++) {
        if (!layout->panels[i].empty) {
            write_panel(script, i);
        }
    }
    if (layout->panel_count > 1) {
        fputs("unset multiplot\n", stream);
    }
}

/* === Bars ===================================================================================== */

static void write_bar_chart(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[0];
    const double half = 0.34;
    const size_t bars = layout->chart->x.count;
    fputs("unset label\nunset object\nunset key\n", stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    figure_outer_texts_write(layout, write_label, script);
    figure_key_write(layout, write_sample, write_label, script);
    write_scale(script, 'x', &panel->y, "norotate ", true);
    fprintf(stream, "unset logscale y\nset yrange [%zu.5:-0.5]\nunset ytics\n",
            bars > 0 ? bars - 1 : 0);
    figure_bar_texts_write(layout, write_label, script);
    fputs("plot NaN notitle", stream);
    for (FigureShown shown = {0}; figure_next(layout, 0, &shown);) {
        if (shown.series->style != SERIES_WORDS) {
            write_source(script, &shown);
            fprintf(stream,
                    "(($3 + $4) / 2):1:3:4:($1 - %g):($1 + %g) with boxxyerror fillstyle solid 1 "
                    "border linecolor rgb '#FFFFFF' fillcolor rgb '%s' linewidth 0.5",
                    half, half, shown.look.colour);
            fputs(" notitle", stream);
        }
    }
    fputc('\n', stream);
}

/* === Cells ==================================================================================== */

static double row_sum(const ChartSeries *series) {
    double sum = 0;
    for (size_t i = 0; i < series->count; i++) {
        sum += isfinite(series->points[i].y) ? series->points[i].y : 0;
    }
    return sum > 0 ? sum : 1;
}

/* Names of rows and columns, as marks of the axes. */
static void write_cell_names(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    fprintf(stream, "set xtics scale 0 %s (", layout->turned ? "rotate by 90 right" : "norotate");
    for (size_t i = 0; i < chart->x.count; i++) {
        char name[CHART_TEXT_SIZE];
        fputs(i > 0 ? ", " : "", stream);
        figure_cut(layout, chart->x.ticks[i].label, 14 * layout->font, name);
        write_mark_name(script, name);
        fprintf(stream, " %zu", i);
    }
    fputs(")\nset ytics scale 0 (", stream);
    for (size_t i = 0; i < chart->count; i++) {
        char name[CHART_TEXT_SIZE];
        fputs(i > 0 ? ", " : "", stream);
        figure_cut(layout, chart->series[i].name, 14 * layout->font, name);
        write_mark_name(script, name);
        fprintf(stream, " %zu", i);
    }
    fputs(")\n", stream);
}

static void write_cell_chart(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[0];
    const DocChart *chart = layout->chart;
    const double font = layout->font;
    char letters[48], bar[48];
    font_of_size(script, layout->cell_letters, letters);
    font_of_size(script, 0.85, bar);
    fputs("unset label\nunset key\nunset grid\nunset xtics\nunset ytics\nset border 15\n", stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    figure_outer_texts_write(layout, write_label, script);
    const FigureText title = {.text = chart->y.title,
                              .x = fmax(0.75 * font, panel->left - 16 * font),
                              .y = panel->bottom + panel->high / 2,
                              .angle = 90};
    figure_title_write(layout, &title, panel->high + 2 * font, write_label, script);
    fprintf(stream, "set xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n", chart->x.count - 1,
            chart->count - 1);
    if (layout->cells_named) {
        write_cell_names(script);
    }
    fputs("set palette defined (0 '#FFFFFF', 0.25 '#C6DBEF', 0.5 '#6BAED6', 0.75 '#2171B5', "
          "1 '#08306B')\nset cbrange [0:1]\n",
          stream);
    fprintf(stream,
            "set colorbox user origin screen %.4f, %.4f size screen %.4f, %.4f noborder\n"
            "set cbtics scale 0.3 offset -0.6, 0%s ('0' 0, '50%s%%%%' 0.5, '100%s%%%%' 1)\n",
            (panel->left + panel->wide + 0.6 * font) / layout->width,
            panel->bottom / layout->height, 0.7 * font / layout->width,
            panel->high / layout->height, bar, script->latex ? "\\" : "",
            script->latex ? "\\" : "");
    fputs("ink(share, count) = share > 0.55 ? 0xFFFFFF : count == 0 ? 0x9A9A9A : 0x101010\n"
          "plot NaN notitle",
          stream);
    for (int pass = 0; pass < (layout->cells_named ? 2 : 1); pass++) {
        for (FigureShown shown = {0}; figure_next(layout, 0, &shown);) {
            const size_t row = shown.index;
            write_source(script, &shown);
            if (pass == 0) {
                fprintf(stream,
                        "1:(%zu):($1 - 0.5):($1 + 0.5):(%zu - 0.5):(%zu + 0.5):($2 / %.17g.0) "
                        "with boxxyerror fillstyle solid 1 border linecolor rgb '#D0D0D0' "
                        "linewidth 0.5 linecolor palette notitle",
                        row, row, row, row_sum(shown.series));
            } else {
                fprintf(stream,
                        "1:(%zu):(sprintf('%%.0f', $2)):(ink($2 / %.17g.0, $2)) with labels "
                        "textcolor rgb variable%s notitle",
                        row, row_sum(shown.series), letters);
            }
        }
    }
    fputc('\n', stream);
}

/* === Formats ================================================================================== */

const FigureTerminal figure_terminals[FIGURE_FORMATS] = {
    {FIGURE_PDF, "pdfcairo", ".pdf", NULL, false},
    {FIGURE_SVG, "svg", ".svg", NULL, false},
    {FIGURE_PNG, "pngcairo", ".png", NULL, false},
    {FIGURE_PGF, "tikz", ".pgf", NULL, true},
    {FIGURE_CAIROLATEX, "cairolatex", ".tex", ".pdf", true},
};

const char *figure_infix(const FigureStyle *style, const FigureTerminal *format) {
    return format->bit == FIGURE_CAIROLATEX && (style->formats & FIGURE_PDF) != 0 ? "-latex" : "";
}

/* Names of script and CSV are in strings of gnuplot, which runs those that begin with '<' or '|'.
 */
static void write_file_name(const Script *script, const char *infix, const char *ending) {
    char name[CHART_TEXT_SIZE];
    const bool plain = (script->name[0] >= 'a' && script->name[0] <= 'z') ||
                       (script->name[0] >= 'A' && script->name[0] <= 'Z') ||
                       (script->name[0] >= '0' && script->name[0] <= '9');
    snprintf(name, sizeof name, "%s%s%s%s", plain ? "" : "./", script->name, infix, ending);
    gnuplot_text_write(script->stream, name);
}

/* gnuplot writes a font's name into SVG as it is. */
static void append_for_xml(char *text, size_t size, const char *name) {
    for (const char *c = name; *c != '\0'; c++) {
        const char *entity = *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : NULL;
        if (entity != NULL) {
            text_append(text, size, "%s", entity);
        } else {
            text_append(text, size, "%c", *c);
        }
    }
}

static void write_font(const Script *script, const FigureTerminal *format, double scale) {
    const FigureStyle *style = script->layout->style;
    const char *name = style->font != NULL ? style->font : "Arial";
    char font[LIST_WORD_SIZE * 8] = "";
    if (format->bit == FIGURE_SVG) {
        append_for_xml(font, sizeof font, name);
    } else {
        text_append(font, sizeof font, "%s", name);
    }
    text_append(font, sizeof font, ",%g", style->font_size);
    fputs(" noenhanced font ", script->stream);
    gnuplot_text_write(script->stream, font);
    fprintf(script->stream, " fontscale %.4g", scale);
}

/* Fonts are in points at the size of the print in every format: gnuplot's are of 96 an inch. */
static void write_terminal(const Script *script, const FigureTerminal *format) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const double dots = 300, px = 96.0 / 72;
    fprintf(stream, "set terminal %s", format->terminal);
    switch (format->bit) {
    case FIGURE_PDF:
        fprintf(stream, " size %.4fin,%.4fin", layout->width / 72, layout->height / 72);
        write_font(script, format, 0.75);
        fputs(" linewidth 1", stream);
        break;
    case FIGURE_SVG:
        fprintf(stream, " size %.0f,%.0f", layout->width * px, layout->height * px);
        write_font(script, format, px);
        fputs(" linewidth 1 background rgb 'white'", stream);
        break;
    case FIGURE_PNG:
        fprintf(stream, " size %.0f,%.0f", layout->width * dots / 72, layout->height * dots / 72);
        write_font(script, format, dots / 96);
        fprintf(stream, " linewidth %g pointscale %g background rgb 'white'", dots / 96, dots / 96);
        break;
    case FIGURE_PGF:
        fprintf(stream, " size %.4fin,%.4fin font '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    case FIGURE_CAIROLATEX:
        fprintf(stream,
                " pdf size %.4fin,%.4fin linewidth 2 header '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    }
    fprintf(stream, "\nmark_size = %g\nset output ", format->bit == FIGURE_PGF ? 1.2 : 0.5);
    write_file_name(script, figure_infix(layout->style, format), format->ending);
    fputc('\n', stream);
}

static void write_head(const Script *script) {
    FILE *stream = script->stream;
    fputs("# A chart of bench. Run in this folder, with gnuplot 5.4 or later:\n#\n"
          "#   gnuplot -d NAME.gp\n#\n"
          "# draws it from the CSV of this name again. Places of labels and margins are shares of\n"
          "# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its "
          "header.\n",
          stream);
    fputs("set encoding utf8\nset datafile separator comma\ncsv = ", stream);
    write_file_name(script, "", ".csv");
    /* Lines leave hollow marks empty. */
    fputs("\nset pointintervalbox 0.55\n"
          "set border 3 linewidth 0.75 linecolor rgb '#303030'\n",
          stream);
}

static bool is_asked(const Script *script, const FigureTerminal *format, bool latex) {
    return format->latex == latex && (script->layout->style->formats & format->bit) != 0;
}

/* One chart for all formats with the same texts. */
static void write_formats(Script *script, bool latex) {
    FILE *stream = script->stream;
    int count = 0;
    for (size_t i = 0; i < FIGURE_FORMATS; i++) {
        count += is_asked(script, &figure_terminals[i], latex);
    }
    if (count == 0) {
        return;
    }
    script->latex = latex;
    if (count > 1) {
        fprintf(stream, "\ndo for [format = 1:%d] {\n", count);
    }
    for (size_t i = 0, number = 0; i < FIGURE_FORMATS; i++) {
        if (is_asked(script, &figure_terminals[i], latex)) {
            if (count > 1) {
                fprintf(stream, "if (format == %zu) {\n", ++number);
            }
            write_terminal(script, &figure_terminals[i]);
            fputs(count > 1 ? "}\n" : "", stream);
        }
    }
    fputs("set border 3\nset tics nomirror out scale 0.5, 0.25\nset xtics border nomirror\n"
          "set ytics border nomirror\n"
          "set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5\n",
          stream);
    switch (script->layout->chart->kind) {
    case CHART_LINES: write_line_chart(script); break;
    case CHART_BARS: write_bar_chart(script); break;
    case CHART_HEAT: write_cell_chart(script); break;
    }
    fputs(count > 1 ? "unset output\n}\n" : "unset output\n", stream);
}

Status figure_script_write(const FigureLayout *layout, const char *path, const char *name) {
    AtomicFile file;
    Script *script = calloc(1, sizeof *script);
    STATUS_MEMORY(script, "for a figure");
    Status status = atomic_file_open(&file, path);
    if (status_is_ok(&status)) {
        *script = (Script){.stream = file.stream, .layout = layout, .name = name};
        write_head(script);
        write_formats(script, false);
        write_formats(script, true);
        status = atomic_file_commit(&file);
    }
    free(script);
    return status;
}
