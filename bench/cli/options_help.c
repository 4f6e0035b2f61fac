#include <string.h>

#include "options_table.h"
#include "text_list.h"
#include "text_wrap.h"

enum { TERM_INDENT = 2, TEXT_COLUMN = 32 };

void options_print_help(FILE *stream, OptionScope scope) {
    const char *group = NULL;
    for (size_t i = 0; i < option_row_count; i++) {
        const Option *option = &option_rows[i];
        if ((option->scopes & (unsigned)scope) == 0) {
            continue;
        }
        if (group == NULL || strcmp(group, option->group) != 0) {
            group = option->group;
            fprintf(stream, "\n%s\n", group);
        }
        char term[LIST_WORD_SIZE];
        snprintf(term, sizeof term, "--%s%s%s", option->flag, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, option->help);
    }
}
