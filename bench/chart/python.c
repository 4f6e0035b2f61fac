/* A chart as a Python script for matplotlib. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "number.h"
#include "status.h"

typedef struct Python {
    FILE *stream;
    const FigureLayout *layout;
} Python;

/* === Texts and numbers ======================================================================== */

/* A string of Python. */
static void write_text(FILE *stream, const char *text) {
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\') {
            fprintf(stream, "\\%c", byte);
        } else if (byte < 0x20 || byte == 0x7F) {
            fprintf(stream, "\\x%02x", byte);
        } else {
            fputc(byte, stream);
        }
    }
    fputc('"', stream);
}

static void write_shown(FILE *stream, const char *text) {
    char shown[CHART_TEXT_SIZE];
    chart_text(text != NULL ? text : "", shown, sizeof shown);
    write_text(stream, shown);
}

/* "3.5, 2": lengths of dashes in widths of the line. */
static void write_line_style(FILE *stream, const SeriesLook *look) {
    if (look->dash[0] == '\0') {
        fputs("\"-\"", stream);
    } else {
        fprintf(stream, "(0, [d / 2 for d in (%s)])", look->dash);
    }
}

static const char *marker_name(const SeriesLook *look) {
    static const char *const names[] = {"o", "s", "^", "D", "v", "p", "x"};
    return look->marker == SERIES_NO_MARK ? "" : names[look->marker];
}

/* A text at a place in points from the lower left corner. `more` begins with where the place is. */
static void write_placed(const Python *python, const char *text, double x, double y,
                         const char *more) {
    const FigureLayout *layout = python->layout;
    fprintf(python->stream, "fig.text(%.5f, %.5f, ", x / layout->width, y / layout->height);
    write_shown(python->stream, text);
    fprintf(python->stream, ", va=\"%s)\n", more);
}

static void write_label(const Python *python, const char *text, double x, double y,
                        const char *more) {
    char all[192];
    snprintf(all, sizeof all, "center_baseline\"%s", more);
    write_placed(python, text, x, y, all);
}

static void write_text_around(const void *writer, const FigureText *text) {
    const Python *python = writer;
    char size[32] = "", more[128];
    if (text->size > 0) {
        snprintf(size, sizeof size, ", fontsize=%g", text->size * python->layout->font);
    }
    snprintf(more, sizeof more, "%s\", ha=\"center\"%s%s",
             text->upright ? "center" : "center_baseline", text->upright ? ", rotation=90" : "",
             size);
    write_placed(python, text->text, text->x, text->y, more);
}

/* === Parts ==================================================================================== */

static void write_head(const Python *python, const char *name) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    fputs(
        "#!/usr/bin/env python3\n"
        "\"\"\"A chart of bench, from the CSV of the same name: python3 NAME.py [PICTURE]\n\n"
        "Run in this folder. Needs matplotlib 3.6 or later; SciencePlots gives its style where it\n"
        "is installed. Places of texts are shares of the whole picture.\n\"\"\"\n"
        "import csv\nimport itertools\nimport sys\n\nimport matplotlib\n\n"
        "matplotlib.use(\"Agg\")\nimport matplotlib.pyplot as plt\n\n"
        "try:\n    import scienceplots  # noqa: F401\n    plt.style.use([\"science\", "
        "\"no-latex\"])\nexcept ImportError:\n    pass\n\nNAME = ",
        stream);
    write_text(stream, name);
    fputs("\nPICTURE = sys.argv[1] if len(sys.argv) > 1 else NAME + \"-matplotlib.pdf\"\n"
          "plt.rcParams.update({\"font.family\": \"sans-serif\", \"font.sans-serif\": [",
          stream);
    write_text(stream, layout->style->font != NULL ? layout->style->font : "Arial");
    fprintf(stream,
            ", \"Liberation Sans\", \"DejaVu Sans\"], \"font.size\": %g, \"text.parse_math\": "
            "False,\n    \"axes.linewidth\": 0.6, \"pdf.fonttype\": 42, \"svg.fonttype\": "
            "\"none\"})\n\n",
            layout->font);
    fputs(
        "# x, y, low and high of each point; the head of the CSV is comments.\n"
        "with open(NAME + \".csv\", encoding=\"utf-8\", newline=\"\") as file:\n"
        "    table = csv.DictReader(itertools.dropwhile(lambda line: line.startswith(\"#\"), "
        "file))\n"
        "    POINTS = [[float(row[key] or \"nan\") for key in (\"x\", \"y\", \"low\", \"high\")]\n"
        "              for row in table]\n\n\n"
        "def plot(ax, first, last, colour, marker, hollow, style, width):\n"
        "    \"\"\"A line of the points from first to last, with their intervals.\"\"\"\n"
        "    points = POINTS[first:last]\n"
        "    bottom, top = ax.get_ylim()\n"
        "    for x, y, low, high in points:\n"
        "        if low == low and high == high:\n"
        "            ax.vlines(x, max(low, bottom), min(high, top), color=colour, linewidth=0.75)\n"
        "            for end, beyond in ((low, low < bottom), (high, high > top)):\n"
        "                mark = \"_\" if not beyond else \"^\" if end == high else \"v\"\n"
        "                ax.plot([x], [min(max(end, bottom), top)], mark, color=colour, "
        "markersize=4,\n                        markeredgewidth=0.75, clip_on=False)\n"
        "    ax.plot([p[0] for p in points], [p[1] for p in points], color=colour, "
        "marker=marker or None,\n            linestyle=style, linewidth=width, markersize=3.5, "
        "markeredgewidth=0.9,\n            markerfacecolor=\"white\" if hollow else colour)\n\n\n",
        stream);
    fprintf(stream, "fig = plt.figure(figsize=(%.4f, %.4f))\n", layout->width / 72,
            layout->height / 72);
}

static void write_scale(const Python *python, char axis, const FigureScale *scale, bool named,
                        bool turned) {
    FILE *stream = python->stream;
    if (scale->log) {
        fprintf(stream, "ax.set_%cscale(\"log\")\n", axis);
    }
    fprintf(stream, "ax.set_%clim(%.9g, %.9g)\nax.set_%cticks([", axis, scale->least, scale->most,
            axis);
    for (size_t i = 0; i < scale->count; i++) {
        if (!scale->marks[i].minor) {
            fprintf(stream, "%.9g, ", scale->marks[i].value);
        }
    }
    fputs("], [", stream);
    for (size_t i = 0; i < scale->count; i++) {
        const FigureMark *mark = &scale->marks[i];
        char power[FIGURE_MARK_SIZE];
        figure_power_text(mark->power, power);
        if (!mark->minor) {
            write_shown(stream, !named ? "" : mark->is_power ? power : mark->name);
            fputs(", ", stream);
        }
    }
    fprintf(stream, "]%s)\nax.set_%cticks([",
            turned ? ", rotation=45, ha=\"right\", rotation_mode=\"anchor\"" : "", axis);
    for (size_t i = 0; i < scale->count; i++) {
        if (scale->marks[i].minor) {
            fprintf(stream, "%.9g, ", scale->marks[i].value);
        }
    }
    fputs("], minor=True)\n", stream);
}

static void write_key(const Python *python) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    const double sample = figure_key_sample(layout);
    if (layout->legend != FIGURE_LEGEND_BELOW && layout->legend != FIGURE_LEGEND_INSIDE) {
        return;
    }
    fputs("\n# The key.\nfrom matplotlib.lines import Line2D\n", stream);
    for (size_t i = 0; i < layout->entries; i++) {
        const FigureKeyEntry *entry = &layout->key[i];
        const ChartSeries *series = &layout->chart->series[entry->series];
        const SeriesLook look = figure_look(layout->chart, entry->series);
        const bool bars = layout->chart->kind == CHART_BARS;
        const double from = entry->x / layout->width;
        const double to = (entry->x + sample - 0.6 * layout->font) / layout->width;
        char name[CHART_TEXT_SIZE];
        fprintf(stream,
                "fig.add_artist(Line2D([%.5f, %.5f, %.5f], [%.5f] * 3, color=\"%s\", "
                "linewidth=%.3g, solid_capstyle=\"butt\", linestyle=",
                from, (from + to) / 2, to, entry->y / layout->height,
                figure_colour(layout->chart, series),
                bars ? 0.8 * layout->font : 0.75 * look.width);
        if (bars) {
            fputs("\"-\"))\n", stream);
        } else {
            if (figure_key_has_line(layout, entry->series)) {
                write_line_style(stream, &look);
            } else {
                fputs("\"none\"", stream);
            }
            fprintf(stream,
                    ", marker=\"%s\",\n    markevery=[1], markersize=3.5, markeredgewidth=0.9, "
                    "markerfacecolor=\"%s\"))\n",
                    marker_name(&look), look.hollow ? "white" : look.colour);
        }
        figure_series_name(layout, series, name);
        write_label(python, name, entry->x + sample, entry->y, "");
    }
}

/* === Lines ==================================================================================== */

static void write_names(const Python *python, const FigurePanel *panel) {
    for (size_t i = 0; i < panel->name_count; i++) {
        const FigureName *name = &panel->names[i];
        char text[CHART_TEXT_SIZE], more[160];
        figure_name_text(python->layout, name, text);
        snprintf(more, sizeof more,
                 ", ha=\"%s\", color=\"%s\", fontsize=%g, rotation=%.1f, rotation_mode=\"anchor\"",
                 name->right ? "right" : "left",
                 name->kind == NAME_OF_LINE ? figure_colour(python->layout->chart, name->series)
                                            : FIGURE_GUIDE,
                 name->size * python->layout->font, name->angle * 180 / acos(-1));
        write_label(python, text, name->x, name->y, more);
    }
}

static void write_series(const Python *python, size_t panel) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    size_t first = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        const SeriesLook look = figure_look(layout->chart, i);
        const bool here = layout->panel_count == 1 || series->panel == panel;
        if (here && series->count > 0 && series->style == SERIES_WORDS) {
            fprintf(stream,
                    "ax.plot([p[0] for p in POINTS[%zu:%zu]], [p[1] for p in POINTS[%zu:%zu]], "
                    "\"o\", markersize=9, markerfacecolor=\"none\", markeredgecolor=\"%s\")\n",
                    first, first + series->count, first, first + series->count, FIGURE_GUIDE);
        } else if (here && series->count > 0) {
            fputs("# ", stream);
            write_shown(stream, series->name);
            fprintf(stream, "\nplot(ax, %zu, %zu, \"%s\", \"%s\", %s, ", first,
                    first + series->count, look.colour,
                    figure_has_many(series) ? "" : marker_name(&look),
                    look.hollow ? "True" : "False");
            write_line_style(stream, &look);
            fprintf(stream, ", %.3g)\n", 0.75 * look.width);
        }
        first += series->count;
    }
}

static void write_sides(const Python *python, const FigurePanel *panel) {
    const DocChart *chart = python->layout->chart;
    if (chart->above != NULL && isfinite(panel->reference)) {
        fprintf(python->stream,
                "ax.axhspan(%.9g, %.9g, color=\"" FIGURE_SLOWER_SIDE "\", linewidth=0, zorder=0)\n"
                "ax.axhspan(%.9g, %.9g, color=\"" FIGURE_FASTER_SIDE "\", linewidth=0, zorder=0)\n",
                panel->y.least, panel->reference, panel->reference, panel->y.most);
    }
}

static void write_panel(const Python *python, size_t index) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    const FigurePanel *panel = &layout->panels[index];
    fprintf(stream, "\nax = fig.add_axes([%.5f, %.5f, %.5f, %.5f])\n", panel->left / layout->width,
            panel->bottom / layout->height, panel->wide / layout->width,
            panel->high / layout->height);
    fputs("ax.spines[[\"top\", \"right\"]].set_visible(False)\n"
          "ax.grid(color=\"#E4E4E4\", linewidth=0.4)\nax.set_axisbelow(True)\n"
          "ax.tick_params(direction=\"out\", top=False, right=False, which=\"both\", width=0.5)\n",
          stream);
    write_scale(python, 'x', &layout->x, panel->names_shown, layout->turned);
    write_scale(python, 'y', &panel->y, panel->values_named, false);
    write_sides(python, panel);
    if (isfinite(panel->reference)) {
        fprintf(stream, "ax.axhline(%.9g, color=\"%s\", linewidth=0.6, linestyle=\"--\")\n",
                panel->reference, FIGURE_GUIDE);
    }
    write_series(python, index);
    figure_panel_titles_write(layout, index, write_text_around, python);
    write_names(python, panel);
}

/* === Bars ===================================================================================== */

/* Parts lie from low to high of the CSV; totals are the words at their ends. */
static void write_bars(const Python *python) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    const DocChart *chart = layout->chart;
    const FigurePanel *panel = &layout->panels[0];
    size_t first = 0;
    fprintf(stream, "\nax = fig.add_axes([%.5f, %.5f, %.5f, %.5f])\n", panel->left / layout->width,
            panel->bottom / layout->height, panel->wide / layout->width,
            panel->high / layout->height);
    fputs("ax.spines[[\"top\", \"right\"]].set_visible(False)\n"
          "ax.tick_params(left=False, top=False, right=False, which=\"both\")\n",
          stream);
    write_scale(python, 'x', &panel->y, true, false);
    fprintf(stream, "ax.set_ylim(%zu.5, -0.5)\nax.set_yticks(range(%zu), [",
            chart->x.count > 0 ? chart->x.count - 1 : 0, chart->x.count);
    for (size_t i = 0; i < chart->x.count; i++) {
        char name[CHART_TEXT_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(chart->x.ticks[i].label, "\n"),
                 chart->x.ticks[i].label);
        write_shown(stream, name);
        fputs(", ", stream);
    }
    fputs("])\n", stream);
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style != SERIES_WORDS && series->count > 0) {
            fprintf(stream,
                    "for x, y, low, high in POINTS[%zu:%zu]:\n"
                    "    ax.barh(x, high - low, 0.68, left=low, color=\"%s\", edgecolor=\"white\", "
                    "linewidth=0.4)\n",
                    first, first + series->count, figure_colour(chart, series));
        }
        for (size_t j = 0; series->style == SERIES_WORDS && j < series->count; j++) {
            fprintf(stream, "ax.text(%.9g, %g, \" \" + ", series->points[j].y, series->points[j].x);
            write_shown(stream, series->points[j].label);
            fputs(", va=\"center\")\n", stream);
        }
        first += series->count;
    }
}

/* === The script =============================================================================== */

Status figure_python_write(const FigureLayout *layout, const char *path, const char *name) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const Python python = {.stream = file.stream, .layout = layout};
    write_head(&python, name);
    if (layout->chart->kind == CHART_BARS) {
        write_bars(&python);
    }
    for (size_t i = 0; layout->chart->kind == CHART_LINES && i < layout->panel_count; i++) {
        if (!layout->panels[i].empty) {
            write_panel(&python, i);
        }
    }
    fputs("\n# Texts at places of their own.\n", file.stream);
    figure_lines_write(layout, write_text_around, &python);
    figure_x_title_write(layout, write_text_around, &python);
    write_key(&python);
    fputs("fig.savefig(PICTURE, dpi=300)\n", file.stream);
    return atomic_file_commit(&file);
}
