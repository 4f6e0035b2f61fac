/* Fuzzes study_parse: a study that is accepted has all that its users take for granted. */
#include <string.h>

#include "fuzz_input.h"
#include "study_internal.h"

static void check_conditions(const ConditionList *conditions) {
    for (size_t i = 0; i < conditions->count; i++) {
        require(conditions->items[i].key[0] != '\0' && conditions->items[i].value[0] != '\0');
    }
}

static void check_steps(const Study *study) {
    for (size_t i = 0; i < study->step_count; i++) {
        const StudyStep *step = &study->steps[i];
        require(study_step(study, step->name) == step);
        require(step->command[0] != '\0' && step->reads[0] != '\0');
        const StepArgumentList *const lists[] = {&step->arguments, &step->quick, &step->otherwise};
        for (size_t j = 0; j < 3; j++) {
            for (size_t k = 0; k < lists[j]->count; k++) {
                const StepArgument *argument = &lists[j]->items[k];
                require(argument->option != NULL || argument->value != NULL);
                require(argument->option == NULL || strncmp(argument->option, "--", 2) == 0);
            }
        }
    }
}

/* The column is there, before `end`. */
static void check_title(const StudyTable *table, size_t end, const char *title) {
    size_t i = 0;
    while (i < end && strcmp(table->columns[i].title, title) != 0) {
        i++;
    }
    require(i < end);
}

static void check_column(const Study *study, const StudyTable *table, size_t index) {
    const StudyColumn *column = &table->columns[index];
    require(column->unit.name[0] != '\0');
    check_conditions(&column->conditions);
    require(column->step == NULL || study_step(study, column->step) != NULL);
    require((column->source == COLUMN_CSV) == (column->csv != NULL));
    require((column->source == COLUMN_BASE) == (column->base != NULL));
    require((column->source == COLUMN_RATIO) == (column->under != NULL));
    if (column->source != COLUMN_CSV) {
        check_title(table, index, column->over);
    }
    if (column->under != NULL) {
        check_title(table, index, column->under);
    }
}

static void check_tables(const Study *study) {
    for (size_t i = 0; i < study->table_count; i++) {
        const StudyTable *table = &study->tables[i];
        require(study_table(study, table->name) == table);
        require(study_step(study, table->step) != NULL && table->published != NULL);
        require(table->row_count > 0 && table->column_count > 0);
        check_conditions(&table->conditions);
        for (size_t j = 0; j < table->row_count; j++) {
            require(strlen(table->rows[j].label) < SIZE_MAX / 2);
            check_conditions(&table->rows[j].conditions);
        }
        for (size_t j = 0; j < table->column_count; j++) {
            check_column(study, table, j);
        }
    }
}

static void check_figures(const Study *study) {
    for (size_t i = 0; i < study->figure_count; i++) {
        const StudyFigure *figure = &study->figures[i];
        require(figure->x_key != NULL && figure->x_title != NULL && figure->y_title != NULL);
        require(figure->line_count > 0);
        for (size_t j = 0; j < figure->line_count; j++) {
            const StudyTable *table = study_table(study, figure->lines[j].table);
            require(table != NULL);
            check_title(table, table->column_count, figure->lines[j].column);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static char text[1 << 16];
    if (size >= sizeof text) {
        return 0;
    }
    memcpy(text, bytes, size);
    text[size] = '\0';
    Study study;
    const Status status = study_parse("study.txt", text, size, &study);
    if (status_is_ok(&status)) {
        require(study.name != NULL && study.title != NULL && study.step_count > 0);
        check_steps(&study);
        check_tables(&study);
        check_figures(&study);
        study_release(&study);
    } else {
        require(status.code == STATUS_FILE);
        require_reason(&status);
    }
    require(study.memory == NULL);
    return 0;
}
