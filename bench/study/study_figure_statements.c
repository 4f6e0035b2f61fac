/* The statements of a figure. */
#include <string.h>
#include <strings.h>

#include "owned_memory.h"
#include "study_statements.h"

enum { FIGURES_MAX = 256, LINES_MAX = 64 };

Status study_read_figure(StudyReader *reader) {
    Study *study = reader->study;
    const char *name = reader->words.words[1];
    STATUS_TRY(reader_check_name(reader, name));
    for (size_t i = 0; i < study->figure_count; i++) {
        if (strcasecmp(study->figures[i].name, name) == 0) {
            return READER_ERROR(reader, name, "is the name of a figure already, of line %d",
                                study->figures[i].line);
        }
    }
    if (study->figure_count == FIGURES_MAX) {
        return READER_ERROR(reader, name, "is one figure too many; there may be %d", FIGURES_MAX);
    }
    StudyFigure *figure =
        OWNED_APPEND(&study->memory, study->figures, study->figure_count, study->figure_capacity);
    if (figure == NULL) {
        return study_no_memory();
    }
    *figure =
        (StudyFigure){.name = name, .title = reader->words.words[2], .line = reader->words.line};
    reader->scope = STUDY_FIGURE;
    return status_ok();
}

/* `log`, where the line has a word at `index`. */
static Status read_log(const StudyReader *reader, size_t index, bool *log) {
    *log = reader->words.count > index;
    if (*log && strcmp(reader->words.words[index], "log") != 0) {
        return READER_ERROR(reader, reader->words.words[index],
                            "is not expected here; 'log' is, or nothing (in double quotes what has "
                            "blanks)");
    }
    return status_ok();
}

Status study_read_x(StudyReader *reader) {
    StudyFigure *figure = reader_figure(reader);
    STATUS_TRY(reader_set_once(reader, &figure->x_key));
    figure->x_title = reader->words.words[2];
    return read_log(reader, 3, &figure->x_log);
}

Status study_read_y(StudyReader *reader) {
    StudyFigure *figure = reader_figure(reader);
    STATUS_TRY(reader_set_once(reader, &figure->y_title));
    return read_log(reader, 2, &figure->y_log);
}

Status study_read_line(StudyReader *reader) {
    StudyFigure *figure = reader_figure(reader);
    const char *const *words = reader->words.words;
    for (size_t i = 0; i < figure->line_count; i++) {
        if (strcmp(figure->lines[i].name, words[1]) == 0) {
            return READER_ERROR(reader, words[1], "is the name of a line already, of line %d",
                                figure->lines[i].line);
        }
    }
    if (figure->line_count == LINES_MAX) {
        return READER_ERROR(reader, words[1], "is one line too many; a figure may have %d",
                            LINES_MAX);
    }
    StudyLine *line = OWNED_APPEND(&reader->study->memory, figure->lines, figure->line_count,
                                   figure->line_capacity);
    if (line == NULL) {
        return study_no_memory();
    }
    *line = (StudyLine){
        .name = words[1], .table = words[2], .column = words[3], .line = reader->words.line};
    return status_ok();
}
