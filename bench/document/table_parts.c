#include "table_parts.h"

#include <string.h>

#include "utf8.h"

bool table_has_groups(const DocTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].group != NULL) {
            return true;
        }
    }
    return false;
}

size_t table_group_span(const DocTable *table, size_t column) {
    const char *group = table->columns[column].group;
    size_t span = 1;
    while (group != NULL && column + span < table->column_count &&
           table->columns[column + span].group != NULL &&
           strcmp(table->columns[column + span].group, group) == 0) {
        span++;
    }
    return span;
}

void table_full_title(const DocColumn *column, char title[TABLE_TITLE_SIZE]) {
    const char *own = column->title != NULL ? column->title : "";
    const char *group = column->group != NULL ? column->group : "";
    const char *between = own[0] != '\0' && group[0] != '\0' ? ": " : "";
    snprintf(title, TABLE_TITLE_SIZE, "%s%s%s", group, between, own);
    utf8_trim(title, TABLE_TITLE_SIZE);
}

const char *table_text_at(const DocTable *table, size_t row, size_t column) {
    const DocCell *cell = table_at(table, row, column);
    return cell != NULL && cell->text != NULL ? cell->text : "";
}
