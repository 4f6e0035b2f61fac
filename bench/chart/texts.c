/* The texts of a figure that stand around its plots, for every writer: what, where, how large. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "layout.h"

static void write_lines(const FigureLayout *layout, const FigureLines *lines, double y, bool faint,
                        FigureTextWriter *write, const void *writer) {
    const double pitch = figure_line_high(layout, lines);
    for (size_t i = 0; i < lines->count; i++) {
        write(writer, &(FigureText){.text = lines->lines[i],
                                    .x = layout->width / 2,
                                    .y = y + pitch * ((double)(lines->count - i) - 0.5),
                                    .size = lines->size,
                                    .coloured = true,
                                    .faint = faint});
    }
}

void figure_lines_write(const FigureLayout *layout, FigureTextWriter *write, const void *writer) {
    const double title_high =
        figure_line_high(layout, &layout->title) * (double)layout->title.count;
    write_lines(layout, &layout->title, layout->height - 0.3 * layout->font - title_high, false,
                write, writer);
    write_lines(layout, &layout->note, layout->note_y, false, write, writer);
    write_lines(layout, &layout->made, layout->made_y, true, write, writer);
}

void figure_title_write(const FigureLayout *layout, const FigureText *title, double room,
                        FigureTextWriter *write, const void *writer) {
    FigureText fitted = *title;
    fitted.text = title->text != NULL ? title->text : "";
    const double wide = figure_letters(layout, fitted.text);
    fitted.size = wide > room ? fmax(0.75, room / wide) : 0;
    write(writer, &fitted);
}

void figure_panel_titles_write(const FigureLayout *layout, size_t index, FigureTextWriter *write,
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
                                  .upright = true};
        figure_title_write(layout, &title, top - bottom + 2 * layout->font, write, writer);
    }
    if (chart->panel_count > 0 && chart->panels[index].title != NULL) {
        const FigureText title = {.text = chart->panels[index].title,
                                  .x = panel->left + panel->wide / 2,
                                  .y = top + 0.8 * layout->font};
        figure_title_write(layout, &title, panel->wide + layout->font, write, writer);
    }
}

void figure_x_title_write(const FigureLayout *layout, FigureTextWriter *write, const void *writer) {
    const DocChart *chart = layout->chart;
    const FigureText title = {.text = chart->kind == CHART_BARS ? chart->y.title : chart->x.title,
                              .x =
                                  layout->left + (layout->width - layout->left - layout->right) / 2,
                              .y = layout->x_title_y};
    figure_title_write(layout, &title, layout->width, write, writer);
}
