#include "study_check.h"

#include <stdio.h>
#include <string.h>

#include "study_text.h"
#include "suggest.h"

/* The error of a name that nothing has. */
static Status unknown(const char *path, int line, const char *what, const Suggestion *suggestion) {
    char nearest[SUGGEST_TEXT_SIZE];
    return study_text_error(path, line, suggestion->given, "is no %s%s", what,
                            suggest_text(suggestion, nearest));
}

static Status check_step(const Study *study, const char *path, int line, const char *name) {
    if (study_step(study, name) != NULL) {
        return status_ok();
    }
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < study->step_count; i++) {
        suggest_offer(&suggestion, study->steps[i].name);
    }
    return unknown(path, line, "step", &suggestion);
}

/* The index of a column; the count when there is none. */
static size_t column_index(const StudyTable *table, const char *title) {
    size_t i = 0;
    while (i < table->column_count && strcmp(table->columns[i].title, title) != 0) {
        i++;
    }
    return i;
}

static Status check_title(const StudyTable *table, const char *path, int line, const char *title) {
    if (column_index(table, title) < table->column_count) {
        return status_ok();
    }
    char what[160];
    snprintf(what, sizeof what, "column of table '%.100s'", table->name);
    Suggestion suggestion = suggest_start(title);
    for (size_t i = 0; i < table->column_count; i++) {
        suggest_offer(&suggestion, table->columns[i].title);
    }
    return unknown(path, line, what, &suggestion);
}

static Status check_label(const StudyTable *table, const char *path, int line, const char *label) {
    Suggestion suggestion = suggest_start(label);
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(table->rows[i].label, label) == 0) {
            return status_ok();
        }
        suggest_offer(&suggestion, table->rows[i].label);
    }
    char what[160];
    snprintf(what, sizeof what, "row of table '%.100s'", table->name);
    return unknown(path, line, what, &suggestion);
}

static Status check_column(const Study *study, const StudyTable *table, const StudyColumn *column,
                           const char *path) {
    if (column->step != NULL) {
        STATUS_TRY(check_step(study, path, column->line, column->step));
    }
    if (column->over != NULL) {
        STATUS_TRY(check_title(table, path, column->line, column->over));
    }
    if (column->under != NULL) {
        STATUS_TRY(check_title(table, path, column->line, column->under));
    }
    return column->base == NULL ? status_ok()
                                : check_label(table, path, column->line, column->base);
}

/* A column computed of columns before it: so none is computed of itself, however indirectly. */
static Status check_order(const StudyTable *table, size_t index, const char *path) {
    const StudyColumn *column = &table->columns[index];
    const char *const titles[] = {column->over, column->under};
    for (size_t i = 0; i < 2; i++) {
        if (titles[i] != NULL && column_index(table, titles[i]) >= index) {
            return study_text_error(path, column->line, titles[i],
                                    "is no column before '%.60s', which is computed of it; write "
                                    "it first",
                                    column->title);
        }
    }
    return status_ok();
}

static Status check_table(const Study *study, const StudyTable *table, const char *path) {
    if (table->step == NULL) {
        return study_text_error(path, table->line, table->name, "has no step; write: from STEP");
    }
    STATUS_TRY(check_step(study, path, table->line, table->step));
    if (table->row_count == 0 || table->column_count == 0) {
        return study_text_error(path, table->line, table->name, "has no %s; write: %s",
                                table->row_count == 0 ? "rows" : "columns",
                                table->row_count == 0 ? "row LABEL key=value…"
                                                      : "column TITLE UNIT CSV-COLUMN");
    }
    for (size_t i = 0; i < table->column_count; i++) {
        STATUS_TRY(check_column(study, table, &table->columns[i], path));
        STATUS_TRY(check_order(table, i, path));
    }
    return status_ok();
}

static bool has_key(const StudyTable *table, const char *key) {
    for (size_t i = 0; i < table->row_count; i++) {
        const ConditionList *conditions = &table->rows[i].conditions;
        for (size_t j = 0; j < conditions->count; j++) {
            if (strcmp(conditions->items[j].key, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

static Status check_line(const Study *study, const StudyFigure *figure, const StudyLine *line,
                         const char *path) {
    const StudyTable *table = study_table(study, line->table);
    if (table == NULL) {
        Suggestion suggestion = suggest_start(line->table);
        for (size_t i = 0; i < study->table_count; i++) {
            suggest_offer(&suggestion, study->tables[i].name);
        }
        return unknown(path, line->line, "table", &suggestion);
    }
    STATUS_TRY(check_title(table, path, line->line, line->column));
    if (!has_key(table, figure->x_key)) {
        return study_text_error(path, line->line, figure->x_key,
                                "is a condition of no row of table '%.100s'; it is the figure's x",
                                table->name);
    }
    return status_ok();
}

static Status check_figure(const Study *study, const StudyFigure *figure, const char *path) {
    if (figure->x_key == NULL || figure->y_title == NULL || figure->line_count == 0) {
        const char *form = figure->y_title == NULL ? "y TITLE" : "line NAME TABLE COLUMN-TITLE";
        form = figure->x_key == NULL ? "x KEY TITLE" : form;
        return study_text_error(path, figure->line, figure->name, "has no '%.*s'; write: %s",
                                (int)strcspn(form, " "), form, form);
    }
    for (size_t i = 0; i < figure->line_count; i++) {
        STATUS_TRY(check_line(study, figure, &figure->lines[i], path));
    }
    return status_ok();
}

Status study_check(const Study *study, const char *path) {
    if (study->name == NULL) {
        return study_text_error(path, 1, NULL,
                                "the file has no statements; begin with: study NAME");
    }
    if (study->title == NULL || study->step_count == 0) {
        return study_text_error(path, 1, study->name, "has no %s; write: %s",
                                study->title == NULL ? "title" : "step",
                                study->title == NULL ? "title TEXT" : "step NAME COMMAND");
    }
    for (size_t i = 0; i < study->table_count; i++) {
        STATUS_TRY(check_table(study, &study->tables[i], path));
    }
    for (size_t i = 0; i < study->figure_count; i++) {
        STATUS_TRY(check_figure(study, &study->figures[i], path));
    }
    return status_ok();
}
