/* A chart as a picture of pgfplots, for LaTeX. */

#include "layout.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "markup_text.h"
#include "status.h"

typedef struct Pgf {
    FILE *stream;
    const FigureLayout *layout;
    const char *csv; /* its name; NULL: the numbers stand in the picture, since LaTeX would take
                        letters of the names in the CSV for commands */
} Pgf;

/* === Texts and points ========================================================================= */

static void write_text(FILE *stream, const char *text) {
    char shown[CHART_TEXT_SIZE];
    chart_text(text != NULL ? text : "", shown, sizeof shown);
    latex_text(stream, shown);
}

static bool is_plain(const char *text) {
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < 0x80 && !isalnum(byte) && strchr(" .,:;+-/()_=*", byte) == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether LaTeX reads nothing but texts and numbers in the CSV, and its name is one of a file. */
static bool csv_is_plain(const DocChart *chart, const char *name) {
    bool plain = is_plain(name) && strpbrk(name, " ,;:/()=*+") == NULL;
    for (size_t i = 0; i < chart->count; i++) {
        char series[FIGURE_CSV_NAME_SIZE];
        figure_csv_name(chart, &chart->series[i], series);
        plain = plain && is_plain(series);
        for (size_t j = 0; j < chart->series[i].count; j++) {
            plain = plain && is_plain(chart->series[i].points[j].label);
        }
    }
    return plain;
}

static void write_number(FILE *stream, double value) {
    if (isfinite(value)) {
        fprintf(stream, "%.9g", value);
    } else {
        fputs("nan", stream);
    }
}

static void write_source(const Pgf *pgf, const FigureShown *shown) {
    FILE *stream = pgf->stream;
    const ChartSeries *series = shown->series;
    if (pgf->csv != NULL) {
        fprintf(stream,
                "table [col sep=comma, text indicator=\", x=x, y=y, "
                "restrict expr to domain={\\coordindex}{%zu:%zu}] {%s.csv};\n",
                shown->first, shown->first + series->count - 1, pgf->csv);
        return;
    }
    fputs("coordinates {", stream);
    for (size_t i = 0; i < series->count; i++) {
        fputs(i > 0 ? " (" : "(", stream);
        write_number(stream, series->points[i].x);
        fputc(',', stream);
        write_number(stream, series->points[i].y);
        fputc(')', stream);
    }
    fputs("};\n", stream);
}

static void write_colour(FILE *stream, const char *colour) {
    unsigned rgb[3] = {0};
    sscanf(colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
    fprintf(stream, "{rgb,255:red,%u;green,%u;blue,%u}", rgb[0], rgb[1], rgb[2]);
}

static void write_line_look(FILE *stream, const SeriesLook *look) {
    fputs("draw=", stream);
    write_colour(stream, look->colour);
    fprintf(stream, ", line width=%.3gpt", 0.75 * look->width);
    if (look->dash[0] != '\0') {
        double lengths[8];
        const int count = sscanf(look->dash, "%lf, %lf, %lf, %lf", &lengths[0], &lengths[1],
                                 &lengths[2], &lengths[3]);
        fputs(", dash pattern=", stream);
        for (int i = 0; i + 1 < count; i += 2) {
            fprintf(stream, "on %.3gpt off %.3gpt ", 0.55 * lengths[i], 0.55 * lengths[i + 1]);
        }
    }
}

static void write_mark_look(FILE *stream, const SeriesLook *look) {
    static const char *const marks[] = {"*",         "square*",   "triangle*", "diamond*",
                                        "triangle*", "pentagon*", "x"};
    if (look->marker == SERIES_NO_MARK) {
        fputs(", mark=none", stream);
        return;
    }
    fprintf(stream, ", mark=%s, mark size=1.5pt, mark options={solid, line width=0.7pt%s, draw=",
            marks[look->marker], look->marker == MARKER_TRIANGLE_DOWN ? ", rotate=180" : "");
    write_colour(stream, look->colour);
    fputs(", fill=", stream);
    write_colour(stream, look->hollow ? "#FFFFFF" : look->colour);
    fputs("}", stream);
}

/* Of a FigureText. */
static void write_label(const void *writer, const FigureText *text) {
    static const char *const anchors[] = {"center", "west", "east"};
    const Pgf *pgf = writer;
    const double size = (text->size > 0 ? text->size : 1) * pgf->layout->font;
    fprintf(pgf->stream, "\\node[anchor=%s, ", anchors[text->align]);
    if (text->angle != 0) {
        fprintf(pgf->stream, "rotate=%.4g, ", text->angle);
    }
    if (text->colour != NULL) {
        fputs("text=", pgf->stream);
        write_colour(pgf->stream, text->colour);
        fputs(", ", pgf->stream);
    }
    fprintf(pgf->stream, "inner sep=0pt, font=\\fontsize{%.3g}{%.3g}\\selectfont] at (%.2f,%.2f) {",
            size, 1.2 * size, text->x, text->y);
    write_text(pgf->stream, text->text);
    fputs("};\n", pgf->stream);
}

/* === Parts ==================================================================================== */

static void write_ticks(const Pgf *pgf, char axis, const FigureScale *scale, bool named) {
    FILE *stream = pgf->stream;
    fprintf(stream, "  %cmode=%s, %cmin=%.9g, %cmax=%.9g, %ctick={", axis,
            scale->log ? "log" : "linear", axis, scale->least, axis, scale->most, axis);
    bool any = false;
    for (size_t i = 0; i < scale->count; i++) {
        if (!scale->marks[i].minor) {
            fprintf(stream, "%s%.9g", any ? "," : "", scale->marks[i].value);
            any = true;
        }
    }
    fprintf(stream, "}, %cticklabels={", axis);
    any = false;
    for (size_t i = 0; i < scale->count; i++) {
        const FigureMark *mark = &scale->marks[i];
        if (mark->minor) {
            continue;
        }
        fputs(any ? ",{" : "{", stream);
        any = true;
        if (named && mark->is_power) {
            fprintf(stream, "$10^{%d}$", mark->power);
        } else if (named) {
            write_text(stream, mark->name);
        }
        fputc('}', stream);
    }
    fputs("},\n", stream);
}

static void write_axis(const Pgf *pgf, const FigurePanel *panel, const FigureScale *x,
                       const FigureScale *y, bool bars) {
    fprintf(pgf->stream,
            "\\begin{axis}[at={(%.2fbp,%.2fbp)}, anchor=south west, scale only axis, "
            "width=%.2fbp, height=%.2fbp,\n"
            "  axis lines=left, axis line style={-, line width=0.5pt}, tick align=outside, "
            "tick style={black!70, line width=0.4pt}, major tick length=3pt,\n"
            "  %s grid style={black!10, line width=0.4pt}, minor tick num=0, axis on top=false, "
            "clip marker paths=true, clip mode=individual,\n"
            "  ticklabel style={font=\\fontsize{%.3g}{%.3g}\\selectfont},%s\n",
            panel->left, panel->bottom, panel->wide, panel->high, bars ? "" : "grid=major,",
            pgf->layout->font, 1.2 * pgf->layout->font,
            pgf->layout->turned ? " xticklabel style={rotate=45, anchor=north east}," : "");
    write_ticks(pgf, 'x', x, panel->names_shown || bars);
    if (bars) {
        fprintf(pgf->stream, "  ymin=-0.5, ymax=%zu.5, y dir=reverse, ytick=\\empty]\n",
                pgf->layout->chart->x.count > 0 ? pgf->layout->chart->x.count - 1 : 0);
    } else {
        write_ticks(pgf, 'y', y, panel->values_named);
        fputs("]\n", pgf->stream);
    }
}

static double within(const FigureScale *scale, double value) {
    return value < scale->least ? scale->least : value > scale->most ? scale->most : value;
}

/* An interval is a line with a cap at each end, or an arrow where the panel cuts it. */
static void write_intervals(const Pgf *pgf, const ChartSeries *series, const FigurePanel *panel) {
    for (size_t i = 0; i < series->count && !figure_has_many(series); i++) {
        const ChartPoint *point = &series->points[i];
        if (!isfinite(point->low) || !isfinite(point->high)) {
            continue;
        }
        fputs("\\draw[line width=0.6pt, draw=", pgf->stream);
        write_colour(pgf->stream, figure_colour(pgf->layout->chart, series));
        fprintf(pgf->stream, ", %s-%s] (axis cs:%.9g,%.9g) -- (axis cs:%.9g,%.9g);\n",
                figure_end_beyond(&panel->y, point->low) != 0 ? "stealth" : "|",
                figure_end_beyond(&panel->y, point->high) != 0 ? "stealth" : "|", point->x,
                within(&panel->y, point->low), point->x, within(&panel->y, point->high));
    }
}

static void write_series(const Pgf *pgf, size_t index) {
    FILE *stream = pgf->stream;
    for (FigureShown shown = {0}; figure_next(pgf->layout, index, &shown);) {
        if (shown.series->style == SERIES_WORDS) {
            fputs("\\addplot[only marks, mark=o, mark size=4pt, mark options={black, line "
                  "width=0.7pt}] ",
                  stream);
        } else {
            SeriesLook look = shown.look;
            look.marker = figure_has_many(shown.series) ? SERIES_NO_MARK : look.marker;
            write_intervals(pgf, shown.series, &pgf->layout->panels[index]);
            fputs("\\addplot[", stream);
            write_line_look(stream, &look);
            write_mark_look(stream, &look);
            fputs("] ", stream);
        }
        write_source(pgf, &shown);
    }
}

static void write_panel(const Pgf *pgf, size_t index) {
    const FigureLayout *layout = pgf->layout;
    const FigurePanel *panel = &layout->panels[index];
    write_axis(pgf, panel, &layout->x, &panel->y, false);
    if (isfinite(panel->reference)) {
        fprintf(pgf->stream,
                "\\draw[black!80, dashed, line width=0.5pt] (axis cs:%.9g,%.9g) -- (axis "
                "cs:%.9g,%.9g);\n",
                layout->x.least, panel->reference, layout->x.most, panel->reference);
    }
    write_series(pgf, index);
    fputs("\\end{axis}\n", pgf->stream);
    figure_panel_texts_write(layout, index, write_label, pgf);
}

/* === Bars ===================================================================================== */

static void write_bars(const Pgf *pgf) {
    FILE *stream = pgf->stream;
    const FigureLayout *layout = pgf->layout;
    const FigurePanel *panel = &layout->panels[0];
    write_axis(pgf, panel, &panel->y, &panel->y, true);
    for (FigureShown shown = {0}; figure_next(layout, 0, &shown);) {
        const ChartSeries *series = shown.series;
        for (size_t j = 0; series->style != SERIES_WORDS && j < series->count; j++) {
            fputs("\\fill[fill=", stream);
            write_colour(stream, shown.look.colour);
            fprintf(stream, "] (axis cs:%.9g,%g) rectangle (axis cs:%.9g,%g);\n",
                    series->points[j].low, series->points[j].x - 0.34, series->points[j].high,
                    series->points[j].x + 0.34);
        }
    }
    fputs("\\end{axis}\n", stream);
    figure_bar_texts_write(layout, write_label, pgf);
}

/* === Key ====================================================================================== */

static void write_sample(const void *writer, const FigureSample *sample) {
    const Pgf *pgf = writer;
    const double half = 0.4 * pgf->layout->font;
    if (sample->box) {
        fputs("\\fill[fill=", pgf->stream);
        write_colour(pgf->stream, sample->look.colour);
        fprintf(pgf->stream, "] (%.2f,%.2f) rectangle (%.2f,%.2f);\n", sample->from,
                sample->y - half, sample->to, sample->y + half);
        return;
    }
    fputs("\\draw[", pgf->stream);
    write_line_look(pgf->stream, &sample->look);
    write_mark_look(pgf->stream, &sample->look);
    fprintf(pgf->stream,
            ", mark indices=2%s] plot coordinates {(%.2f,%.2f) (%.2f,%.2f) (%.2f,%.2f)};\n",
            sample->line ? "" : ", draw=none", sample->from, sample->y,
            (sample->from + sample->to) / 2, sample->y, sample->to, sample->y);
}

/* === The picture ============================================================================== */

Status figure_pgfplots_write(const FigureLayout *layout, const char *path, const char *name) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const Pgf pgf = {.stream = file.stream,
                     .layout = layout,
                     .csv = csv_is_plain(layout->chart, name) ? name : NULL};
    fprintf(file.stream,
            "%% A chart of bench, to be \\input. Needs \\usepackage{pgfplots} with "
            "\\pgfplotsset{compat=1.16} or later.\n"
            "%% Lengths are big points (1/72 inch); letters are those of the document.\n"
            "\\begin{tikzpicture}[x=1bp, y=1bp]\n"
            "\\useasboundingbox (0,0) rectangle (%.2f,%.2f);\n",
            layout->width, layout->height);
    if (layout->chart->kind == CHART_BARS) {
        write_bars(&pgf);
    }
    for (size_t i = 0; layout->chart->kind == CHART_LINES && i < layout->panel_count; i++) {
        if (!layout->panels[i].empty) {
            write_panel(&pgf, i);
        }
    }
    figure_outer_texts_write(layout, write_label, &pgf);
    figure_key_write(layout, write_sample, write_label, &pgf);
    fputs("\\end{tikzpicture}\n", file.stream);
    return atomic_file_commit(&file);
}
