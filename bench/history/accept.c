/* Regressions that the messages of commits accept. */

#include "history.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { RANGE_SIZE = 2 * COMMIT_SIZE + 4 };

/* "CELL REASON", which is cut into its two parts. */
static void accept_line(char *line, FILE *notes, Comparison *comparison) {
    char *cell = line + strspn(line, " \t");
    char *reason = cell + strcspn(cell, " \t");
    if (cell[0] == '\0') {
        return;
    }
    if (*reason != '\0') {
        *reason++ = '\0';
        reason += strspn(reason, " \t");
    }
    if (*reason == '\0') {
        visible_line(notes,
                     "bench: note: Bench-Accept: %s has no reason and accepts nothing; write "
                     "Bench-Accept: CELL REASON",
                     cell);
        return;
    }
    comparison_accept(comparison, cell, reason);
}

Status accept_by_trailers(const char *repository, const char *base, const char *head, FILE *notes,
                          Comparison *comparison) {
    char range[RANGE_SIZE];
    char *text = NULL;
    snprintf(range, sizeof range, "%.70s..%.70s", base, head);
    const char *const arguments[] = {
        "log", "--format=%(trailers:key=Bench-Accept,valueonly,unfold)", range, "--", NULL};
    STATUS_TRY(git_read(repository, arguments, &text));
    for (char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        accept_line(line, notes, comparison);
        line += length + !last;
    }
    free(text);
    return status_ok();
}
