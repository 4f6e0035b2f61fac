/* The texts of a figure for every writer: what, where, how large. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"

/* Words that are less than those of the axes. */
#define FAINT "#606060"

void figure_title_write(const FigureLayout *layout, const FigureText *title, double room,
                        FigureTextWriter *write, const void *writer) {
    FigureText fitted = *title;
    fitted.text = title->text != NULL ? title->text : "";
    const double wide = figure_letters(layout, fitted.text);
    fitted.size = wide > room ? fmax(0.75, room / wide) : 0;
    write(writer, &fitted);
}

/* === Around the plots ========================================================================= */

static void write_lines(const FigureLayout *layout, const FigureLines *lines, double y,
                        const char *colour, FigureTextWriter *write, const void *writer) {
    const double pitch = figure_line_high(layout, lines);
    for (size_t i = 0; i < lines->count; i++) {
        write(writer, &(FigureText){.text = lines->lines[i],
                                    .x = layout->width / 2,
                                    .y = y + pitch * ((double)(lines->count - i) - 0.5),
                                    .size = lines->size,
                                    .colour = colour});
    }
}

void figure_outer_texts_write(const FigureLayout *layout, FigureTextWriter *write,
                              const void *writer) {
    const DocChart *chart = layout->chart;
    const double title_high =
        figure_line_high(layout, &layout->title) * (double)layout->title.count;
    write_lines(layout, &layout->title, layout->height - 0.3 * layout->font - title_high,
                FIGURE_GUIDE, write, writer);
    write_lines(layout, &layout->note, layout->note_y, FIGURE_GUIDE, write, writer);
    write_lines(layout, &layout->made, layout->made_y, FAINT, write, writer);
    const FigureText x = {.text = chart->kind == CHART_BARS ? chart->y.title : chart->x.title,
                          .x = layout->left + (layout->width - layout->left - layout->right) / 2,
                          .y = layout->x_title_y};
    figure_title_write(layout, &x, layout->width, write, writer);
}

/* === Of a panel of lines ====================================================================== */

static void write_panel_titles(const FigureLayout *layout, size_t index, FigureTextWriter *write,
                               const void *writer) {
    const DocChart *chart = layout->chart;
    const FigurePanel *panel = &layout->panels[index];
    const double top = panel->bottom + panel->high;
    if (!layout->beside || index == 0) {
        const FigurePanel *last = &layout->panels[layout->panel_count - 1];
        const double bottom = layout->beside ? last->bottom : panel->bottom;
        const FigureText title = {.text = panel->axis->title,
                                  .x = 0.75 * layout->font,
                                  .y = (top + bottom) / 2,
                                  .angle = 90};
        figure_title_write(layout, &title, top - bottom + 2 * layout->font, write, writer);
    }
    if (chart->panel_count > 0 && chart->panels[index].title != NULL) {
        const FigureText title = {.text = chart->panels[index].title,
                                  .x = panel->left + panel->wide / 2,
                                  .y = top + 0.8 * layout->font};
        figure_title_write(layout, &title, panel->wide + layout->font, write, writer);
    }
}

void figure_panel_texts_write(const FigureLayout *layout, size_t index, FigureTextWriter *write,
                              const void *writer) {
    const FigurePanel *panel = &layout->panels[index];
    write_panel_titles(layout, index, write, writer);
    for (size_t i = 0; i < panel->name_count; i++) {
        const FigureName *name = &panel->names[i];
        char text[CHART_TEXT_SIZE];
        figure_name_text(layout, name, text);
        write(writer, &(FigureText){.text = text,
                                    .x = name->x,
                                    .y = name->y,
                                    .align = name->right ? TEXT_RIGHT : TEXT_LEFT,
                                    .size = name->size,
                                    .angle = name->angle * 180 / acos(-1),
                                    .colour = name->kind == NAME_OF_LINE
                                                  ? figure_colour(layout->chart, name->series)
                                                  : FIGURE_GUIDE});
    }
}

/* === Of bars ================================================================================== */

/* The middle of a bar; the first one is on top. */
static double bar_middle(const FigureLayout *layout, double bar) {
    const FigurePanel *panel = &layout->panels[0];
    const double pitch = panel->high / (double)layout->chart->x.count;
    return panel->bottom + panel->high - (bar + 0.5) * pitch;
}

static void write_bar_name(const FigureLayout *layout, const ChartTick *tick,
                           FigureTextWriter *write, const void *writer) {
    const double y = bar_middle(layout, tick->value);
    FigureText text = {.text = tick->label,
                       .x = layout->left - 0.7 * layout->font,
                       .y = y + (tick->note != NULL ? 0.55 * layout->font : 0),
                       .align = TEXT_RIGHT};
    text.size = fmin(1, layout->left / (figure_letters(layout, tick->label) + layout->font));
    write(writer, &text);
    if (tick->note != NULL) {
        text.text = tick->note;
        text.y = y - 0.55 * layout->font;
        text.size = fmin(0.8, layout->left / (figure_letters(layout, tick->note) + layout->font));
        text.colour = FAINT;
        write(writer, &text);
    }
}

/* A total behind its bar, or the share of a part that has room for it. */
static void write_bar_word(const FigureLayout *layout, const ChartSeries *series,
                           const ChartPoint *point, FigureTextWriter *write, const void *writer) {
    const FigurePanel *panel = &layout->panels[0];
    const bool total = series->style == SERIES_WORDS;
    const double from = figure_place(&panel->y, total ? point->y : point->low);
    const double to = figure_place(&panel->y, total ? point->y : point->high);
    const bool dark = series->style != SERIES_SECONDARY || series->colour == 1;
    FigureText text = {.text = point->label, .y = bar_middle(layout, point->x)};
    if (total) {
        text.x = panel->left + to * panel->wide + 0.4 * layout->font;
        text.align = TEXT_LEFT;
        write(writer, &text);
    } else if ((to - from) * panel->wide >
               figure_letters(layout, point->label) + 0.6 * layout->font) {
        text.x = panel->left + (from + to) / 2 * panel->wide;
        text.colour = dark ? "#FFFFFF" : FIGURE_GUIDE;
        write(writer, &text);
    }
}

void figure_bar_texts_write(const FigureLayout *layout, FigureTextWriter *write,
                            const void *writer) {
    const FigurePanel *panel = &layout->panels[0];
    const DocChart *chart = layout->chart;
    for (size_t i = 0; i < chart->x.count; i++) {
        write_bar_name(layout, &chart->x.ticks[i], write, writer);
    }
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            if (series->points[j].label != NULL) {
                write_bar_word(layout, series, &series->points[j], write, writer);
            }
        }
        if (series->style == SERIES_WORDS && layout->heading_high > 0 && series->name != NULL) {
            write(writer, &(FigureText){.text = series->name,
                                        .x = panel->left + panel->wide + 0.4 * layout->font,
                                        .y = panel->bottom + panel->high + 0.6 * layout->font,
                                        .align = TEXT_LEFT,
                                        .size = 0.85,
                                        .colour = FAINT});
        }
    }
}
