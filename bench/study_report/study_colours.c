#include "study_colours.h"

#include <stdlib.h>
#include <string.h>

/* A line that has its colour. */
typedef struct Painted {
    const char *name;
    int colour;
} Painted;

static const Painted *painted_of(const Painted *painted, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(painted[i].name, name) == 0) {
            return &painted[i];
        }
    }
    return NULL;
}

/* Whether a colour is that of another line of the figure, be it one whose name has had its colour
 * since an earlier figure. */
static bool is_taken(const StudyFigure *figure, const Painted *painted, size_t count, int colour) {
    for (size_t i = 0; i < figure->line_count; i++) {
        const Painted *other = painted_of(painted, count, figure->lines[i].name);
        if (other != NULL && other->colour == colour) {
            return true;
        }
    }
    return false;
}

static int free_colour(const StudyFigure *figure, const Painted *painted, size_t count) {
    int colour = 0;
    while (is_taken(figure, painted, count, colour)) {
        colour++;
    }
    return colour;
}

int study_line_colour(const Study *study, const StudyFigure *figure, size_t line) {
    size_t lines = 0;
    for (size_t i = 0; i < study->figure_count; i++) {
        lines += study->figures[i].line_count;
    }
    Painted *painted = calloc(lines + 1, sizeof *painted);
    if (painted == NULL) {
        return 0;
    }
    size_t count = 0;
    for (size_t f = 0; f < study->figure_count; f++) {
        const StudyFigure *one = &study->figures[f];
        for (size_t i = 0; i < one->line_count; i++) {
            if (painted_of(painted, count, one->lines[i].name) == NULL) {
                const int colour = free_colour(one, painted, count);
                painted[count++] = (Painted){.name = one->lines[i].name, .colour = colour};
            }
        }
    }
    const Painted *found = painted_of(painted, count, figure->lines[line].name);
    const int colour = found != NULL ? found->colour : 0;
    free(painted);
    return colour;
}
