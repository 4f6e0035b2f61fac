#include <string.h>

#include "compare_formats.h"
#include "compare_words.h"
#include "visible.h"

/* A percent sign begins an escape; in the title also a colon and a comma end something. Line ends,
 * which would begin another command, are visible. */
static void print_escaped(FILE *stream, const char *text, bool property) {
    const char *special = property ? "%:," : "%";
    for (size_t taken = 0; *text != '\0'; text += taken) {
        char escape[VISIBLE_ESCAPE_SIZE];
        taken = visible_character(text, "", escape);
        if (strchr(special, *text) != NULL) {
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*text);
        } else {
            fputs(escape, stream);
            fwrite(text, 1, escape[0] == '\0' ? taken : 0, stream);
        }
    }
}

static void annotate(FILE *stream, const char *level, const char *title, const char *name,
                     const char *text) {
    fprintf(stream, "::%s title=", level);
    print_escaped(stream, title, true);
    fputs("::", stream);
    print_escaped(stream, name, false);
    fputs(text[0] != '\0' && name[0] != '\0' ? ": " : "", stream);
    print_escaped(stream, text, false);
    fputc('\n', stream);
}

Status compare_print_github(FILE *stream, const Comparison *comparison, bool strict) {
    char text[COMPARE_WORDS_SIZE];
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        compare_words_cell(cell, text);
        if (cell->judgement.change == CHANGE_SLOWER) {
            annotate(stream, "error", "slower", cell->before->name, text);
        } else if (cell->judgement.change == CHANGE_AMBIGUOUS) {
            annotate(stream, strict ? "error" : "warning", "ambiguous", cell->before->name, text);
        }
    }
    for (size_t i = 0; i < comparison->missing_count; i++) {
        annotate(stream, "warning", "missing", comparison->missing[i], "in the old run alone");
    }
    if (comparison->difference[0] != '\0') {
        annotate(stream, "warning", "not comparable", "", comparison->difference);
    }
    compare_words_counts(comparison, text);
    annotate(stream, "notice", "comparison", "", text);
    return status_ok();
}
