#include "gnuplot.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "child_process.h"
#include "data_folder.h"

/* Seconds; the largest charts take a few. */
static const double time_limit = 120;

enum { MESSAGES_SIZE = 512 };

typedef struct Messages {
    char text[MESSAGES_SIZE];
    size_t used;
} Messages;

Status gnuplot_script_folder(char *folder, size_t size) {
    static const DataFolder scripts = {.variable = "BENCH_PLOT_DIR",
                                       .installed = "plot",
                                       .source = "plot",
                                       .holds = "style.gp",
                                       .what = "the chart scripts"};
    return data_folder_find(&scripts, folder, size);
}

/* Keeps the beginning, as one line for a person: gnuplot puts its messages on several. */
static void take_messages(void *context, const char *bytes, size_t count) {
    Messages *messages = context;
    for (size_t i = 0; i < count && messages->used + 1 < MESSAGES_SIZE; i++) {
        const bool blank = bytes[i] == '\n' || bytes[i] == '\t' || bytes[i] == ' ';
        if (!blank || (messages->used > 0 && messages->text[messages->used - 1] != ' ')) {
            messages->text[messages->used++] = blank ? ' ' : bytes[i];
        }
    }
}

static Status judge(const ChildEnd *end, const char *script, Messages *messages) {
    char *text = messages->text;
    const size_t used = messages->used;
    text[used > 0 && text[used - 1] == ' ' ? used - 1 : used] = '\0';
    if (end->error == ENOENT) {
        return status_skip("no charts: gnuplot is not installed");
    }
    if (end->error != 0) {
        return status_fail("cannot start gnuplot: %s", strerror(end->error));
    }
    if (end->late) {
        return status_fail("gnuplot did not end on %.100s within %g s", script, time_limit);
    }
    return end->code == 0 ? status_ok()
                          : status_make(STATUS_FILE, "gnuplot failed on %.100s: %.240s", script,
                                        text[0] != '\0' ? text : "it said nothing");
}

Status gnuplot_run(const char *script, const char *const *arguments, size_t count) {
    const char *argv[GNUPLOT_ARGUMENTS_MAX + 4] = {"gnuplot", "-c", script};
    for (size_t i = 0; i < count && i < GNUPLOT_ARGUMENTS_MAX; i++) {
        argv[3 + i] = arguments[i];
    }
    Messages messages = {.used = 0};
    const ChildProcess process = {.program = argv[0],
                                  .arguments = argv,
                                  .output = -1,
                                  .limit = time_limit,
                                  .take = take_messages,
                                  .context = &messages};
    ChildEnd end;
    const Status status = child_process_run(&process, &end);
    if (status.code == STATUS_INTERRUPTED) {
        return status_make(STATUS_INTERRUPTED, "interrupted while charts were drawn");
    }
    STATUS_TRY(status);
    return judge(&end, script, &messages);
}
