/* A chart as a Python script for matplotlib. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
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

/* Of a FigureText. */
static void write_label(const void *writer, const FigureText *text) {
    static const char *const aligns[] = {"center", "left", "right"};
    const Python *python = writer;
    const FigureLayout *layout = python->layout;
    FILE *stream = python->stream;
    fprintf(stream, "fig.text(%.5f, %.5f, ", text->x / layout->width, text->y / layout->height);
    write_shown(stream, text->text);
    fprintf(stream, ", va=\"%s\", ha=\"%s\"", text->angle == 90 ? "center" : "center_baseline",
            aligns[text->align]);
    if (text->angle != 0) {
        fprintf(stream, ", rotation=%.4g, rotation_mode=\"%s\"", text->angle,
                text->angle == 90 ? "default" : "anchor");
    }
    if (text->colour != NULL) {
        fprintf(stream, ", color=\"%s\"", text->colour);
    }
    if (text->size > 0) {
        fprintf(stream, ", fontsize=%g", text->size * layout->font);
    }
    fputs(")\n", stream);
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
        "matplotlib.use(\"Agg\")\nimport matplotlib.pyplot as plt\nfrom matplotlib import "
        "font_manager\nfrom matplotlib.lines import Line2D\n\n"
        "try:\n    import scienceplots  # noqa: F401\n    plt.style.use([\"science\", "
        "\"no-latex\"])\nexcept ImportError:\n    pass\n\nNAME = ",
        stream);
    write_text(stream, name);
    fputs("\nPICTURE = sys.argv[1] if len(sys.argv) > 1 else NAME + \"-matplotlib.pdf\"\n"
          "# A letter that one font lacks is taken from the next.\nFONTS = [",
          stream);
    write_text(stream, layout->style->font != NULL ? layout->style->font : "Arial");
    fprintf(stream,
            ", \"Liberation Sans\", \"DejaVu Sans\"]\n"
            "known = {font.name for font in font_manager.fontManager.ttflist}\n"
            "plt.rcParams.update({\"font.family\": [font for font in FONTS if font in known], "
            "\"font.size\": %g,\n    \"text.parse_math\": False, \"axes.linewidth\": 0.6, "
            "\"pdf.fonttype\": 42, \"svg.fonttype\": \"none\"})\n\n",
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

static void write_sample(const void *writer, const FigureSample *sample) {
    const Python *python = writer;
    const FigureLayout *layout = python->layout;
    FILE *stream = python->stream;
    const SeriesLook *look = &sample->look;
    fprintf(stream,
            "fig.add_artist(Line2D([%.5f, %.5f, %.5f], [%.5f] * 3, color=\"%s\", "
            "linewidth=%.3g, solid_capstyle=\"butt\", linestyle=",
            sample->from / layout->width, (sample->from + sample->to) / 2 / layout->width,
            sample->to / layout->width, sample->y / layout->height, look->colour,
            sample->box ? 0.8 * layout->font : 0.75 * look->width);
    if (sample->box) {
        fputs("\"-\"))\n", stream);
        return;
    }
    if (sample->line) {
        write_line_style(stream, look);
    } else {
        fputs("\"none\"", stream);
    }
    fprintf(stream,
            ", marker=\"%s\",\n    markevery=[1], markersize=3.5, markeredgewidth=0.9, "
            "markerfacecolor=\"%s\"))\n",
            marker_name(look), look->hollow ? "white" : look->colour);
}

/* === Lines ==================================================================================== */

static void write_series(const Python *python, size_t panel) {
    FILE *stream = python->stream;
    for (FigureShown shown = {0}; figure_next(python->layout, panel, &shown);) {
        const size_t first = shown.first, end = shown.first + shown.series->count;
        if (shown.series->style == SERIES_WORDS) {
            fprintf(stream,
                    "ax.plot([p[0] for p in POINTS[%zu:%zu]], [p[1] for p in POINTS[%zu:%zu]], "
                    "\"o\", markersize=9, markerfacecolor=\"none\", markeredgecolor=\"%s\")\n",
                    first, end, first, end, FIGURE_GUIDE);
            continue;
        }
        fputs("# ", stream);
        write_shown(stream, shown.series->name);
        fprintf(stream, "\nplot(ax, %zu, %zu, \"%s\", \"%s\", %s, ", first, end, shown.look.colour,
                figure_has_many(shown.series) ? "" : marker_name(&shown.look),
                shown.look.hollow ? "True" : "False");
        write_line_style(stream, &shown.look);
        fprintf(stream, ", %.3g)\n", 0.75 * shown.look.width);
    }
}

static void write_axes(const Python *python, const FigurePanel *panel) {
    const FigureLayout *layout = python->layout;
    fprintf(python->stream,
            "\nax = fig.add_axes([%.5f, %.5f, %.5f, %.5f])\n"
            "ax.spines[[\"top\", \"right\"]].set_visible(False)\n",
            panel->left / layout->width, panel->bottom / layout->height,
            panel->wide / layout->width, panel->high / layout->height);
}

static void write_panel(const Python *python, size_t index) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    const FigurePanel *panel = &layout->panels[index];
    write_axes(python, panel);
    fputs("ax.grid(color=\"#E4E4E4\", linewidth=0.4)\nax.set_axisbelow(True)\n"
          "ax.tick_params(direction=\"out\", top=False, right=False, which=\"both\", width=0.5)\n",
          stream);
    write_scale(python, 'x', &layout->x, panel->names_shown, layout->turned);
    write_scale(python, 'y', &panel->y, panel->values_named, false);
    if (isfinite(panel->reference)) {
        fprintf(stream, "ax.axhline(%.9g, color=\"%s\", linewidth=0.6, linestyle=\"--\")\n",
                panel->reference, FIGURE_GUIDE);
    }
    write_series(python, index);
    figure_panel_texts_write(layout, index, write_label, python);
}

/* === Bars ===================================================================================== */

/* Parts lie from low to high of the CSV. */
static void write_bars(const Python *python) {
    FILE *stream = python->stream;
    const FigureLayout *layout = python->layout;
    const FigurePanel *panel = &layout->panels[0];
    const size_t bars = layout->chart->x.count;
    write_axes(python, panel);
    fputs("ax.tick_params(left=False, top=False, right=False, which=\"both\")\n", stream);
    write_scale(python, 'x', &panel->y, true, false);
    fprintf(stream, "ax.set_ylim(%zu.5, -0.5)\nax.set_yticks([])\n", bars > 0 ? bars - 1 : 0);
    for (FigureShown shown = {0}; figure_next(layout, 0, &shown);) {
        if (shown.series->style != SERIES_WORDS) {
            fprintf(stream,
                    "for x, y, low, high in POINTS[%zu:%zu]:\n"
                    "    ax.barh(x, high - low, 0.68, left=low, color=\"%s\", edgecolor=\"white\", "
                    "linewidth=0.4)\n",
                    shown.first, shown.first + shown.series->count, shown.look.colour);
        }
    }
    figure_bar_texts_write(layout, write_label, python);
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
    fputs("\n# Texts at places of their own, and the key.\n", file.stream);
    figure_outer_texts_write(layout, write_label, &python);
    figure_key_write(layout, write_sample, write_label, &python);
    fputs("fig.savefig(PICTURE, dpi=300)\n", file.stream);
    return atomic_file_commit(&file);
}
