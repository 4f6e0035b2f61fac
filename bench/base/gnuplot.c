/* gnuplot: running a script, and the files of a chart. */

#include "gnuplot.h"
#include "child_process.h"
#include "files.h"
#include "paths.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* === Running gnuplot ========================================================================== */

/* Seconds; the largest charts need a few. */
static const double time_limit = 120;

enum { MESSAGES_SIZE = 512 };

/* The exit code of a script of ours that says all of the reason itself. */
enum { SCRIPT_SAYS_WHY = 3 };

typedef struct Messages {
    char text[MESSAGES_SIZE];
    size_t used;
} Messages;

Status gnuplot_script_folder(char *folder, size_t size) {
    static const DataFolder scripts = {.variable = "BENCH_PLOT_DIR",
                                       .installed = "plot",
                                       .source = "plot",
                                       .holds = "in_folder.gp",
                                       .what = "the chart scripts"};
    return data_folder_find(&scripts, folder, size);
}

/* Keeps the start of the messages and joins their lines to one. */
static void keep_messages(void *context, const char *bytes, size_t count) {
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
    if (end->code == SCRIPT_SAYS_WHY && text[0] != '\0') {
        return status_make(STATUS_FILE, "%s", text);
    }
    return end->code == 0 ? status_ok()
                          : status_make(STATUS_FILE, "gnuplot failed on %.100s: %.240s", script,
                                        text[0] != '\0' ? text : "without a message");
}

Status gnuplot_run(const char *script, const char *const *arguments, size_t count) {
    /* Nothing of the user or the system that changes what is drawn: no gnuplotrc (-d), and none of
     * the variables for it. */
    static const char *const personal[] = {
        "GNUTERM", "GNUPLOT_LIB", "GNUPLOT_FONTPATH", "GNUPLOT_DEFAULT_GDFONT", "GDFONTPATH", NULL};
    const char *argv[GNUPLOT_ARGUMENTS_MAX + 5] = {"gnuplot", "-d", "-c", script};
    for (size_t i = 0; i < count && i < GNUPLOT_ARGUMENTS_MAX; i++) {
        argv[4 + i] = arguments[i];
    }
    char **environment = environment_without(personal, NULL);
    STATUS_MEMORY(environment, "to start gnuplot");
    Messages messages = {.used = 0};
    const ChildProcess process = {.program = argv[0],
                                  .arguments = argv,
                                  .environment = environment,
                                  .output = -1,
                                  .limit = time_limit,
                                  .take = keep_messages,
                                  .context = &messages};
    ChildEnd end;
    const Status status = child_process_run(&process, &end);
    free(environment);
    if (status.code == STATUS_INTERRUPTED) {
        return status_make(STATUS_INTERRUPTED, "interrupted while charts were drawn");
    }
    STATUS_TRY(status);
    return judge(&end, script, &messages);
}

/* === Files of a chart ========================================================================= */

void chart_name_append(char name[CHART_NAME_SIZE], const char *part) {
    size_t used = strlen(name);
    if (part[0] == '\0') {
        return;
    }
    if (used > 0 && used + 1 < CHART_NAME_SIZE) {
        name[used++] = '-';
    }
    for (const char *c = part; *c != '\0' && used + 1 < CHART_NAME_SIZE; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || *c == '_' || (*c == '.' && used > 0);
        if (plain) {
            name[used++] = *c;
        } else if (used > 0 && name[used - 1] != '-') {
            name[used++] = '-';
        }
    }
    name[used] = '\0';
}

Status chart_folder_check(const char *folder) {
    if (!folder_exists(folder)) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not a folder", folder);
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not writable", folder);
    }
    return status_ok();
}

/* gnuplot runs a name that begins with '<' or '|' as a command, which "./" prevents. */
static const char *plain_prefix(const char *path) {
    return path[0] == '/' ? "" : "./";
}

Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]) {
    return path_make(path, ATOMIC_FILE_PATH_SIZE, "%s%s/%s.%s", plain_prefix(folder), folder, name,
                     suffix);
}

/* --- Whole or not at all ---------------------------------------------------------------------- */

enum { END_SIZE = 16, TRIAL_SIZE = 1 << 16 };

/* The end of a complete file of each kind, before line ends. */
static const struct {
    const char *suffix, *end;
    size_t length;
} kinds[] = {{".svg", "</svg>", 6}, {".png", "IEND\xae\x42\x60\x82", 8}, {".pdf", "%%EOF", 5}};

static bool has_end(const char *tail, size_t length, const char *end, size_t end_length) {
    while (length > 0 && (tail[length - 1] == '\n' || tail[length - 1] == '\r')) {
        length--;
    }
    return length >= end_length && memcmp(tail + length - end_length, end, end_length) == 0;
}

static bool is_whole(int part, off_t size, const char *path) {
    char tail[END_SIZE];
    const size_t wanted = size < END_SIZE ? (size_t)size : END_SIZE;
    const char *suffix = strrchr(path, '.');
    if (pread(part, tail, wanted, size - (off_t)wanted) != (ssize_t)wanted) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (suffix != NULL && strcmp(suffix, kinds[i].suffix) == 0) {
            return has_end(tail, wanted, kinds[i].end, kinds[i].length);
        }
    }
    return true;
}

/* gnuplot does not report write errors: the reason is found by writing to the same file. */
static Status cannot_write(const char *part, const char *path) {
    static const char block[4096];
    const int file = open(part, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    int error = file < 0 ? errno : 0;
    for (size_t tried = 0; error == 0 && tried < TRIAL_SIZE; tried += sizeof block) {
        error = write(file, block, sizeof block) < 0 ? errno : 0;
    }
    if (file >= 0) {
        close(file);
    }
    return error == 0 ? status_ok()
                      : status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(error));
}

Status chart_file_keep(const char *part, const char *path) {
    struct stat info;
    const int file = open(part, O_RDONLY | O_CLOEXEC);
    const bool whole = file >= 0 && fstat(file, &info) == 0 && is_whole(file, info.st_size, path);
    if (file >= 0) {
        close(file);
    }
    if (whole) {
        return atomic_file_rename(part, path);
    }
    Status status = cannot_write(part, path);
    unlink(part);
    return status_is_ok(&status) ? status_make(STATUS_FILE, "cannot write %s: it was cut off", path)
                                 : status;
}

Status chart_file_trouble(const Status *drawn, const char *part, const char *path) {
    const Status status = drawn->code == STATUS_FILE ? cannot_write(part, path) : *drawn;
    return status_is_ok(&status) ? *drawn : status;
}

/* === Chart text =============================================================================== */

/* gnuplot writes ">" unescaped into SVG, and "]]>" is an error there: a blank is put in between. */
static bool ends_section(const char *text, const char *c) {
    return *c == '>' && c - text >= 2 && c[-1] == ']' && c[-2] == ']';
}

void chart_text(const char *given, char *text, size_t size) {
    size_t used = 0;
    for (const char *c = given; *c != '\0';) {
        char piece[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(c, "\t\n\r", piece);
        if (*c == '\t' || *c == '\n' || *c == '\r') {
            piece[0] = ' ';
            piece[1] = '\0';
        } else if (ends_section(given, c)) {
            snprintf(piece, sizeof piece, " >");
        } else if (piece[0] == '\0') {
            snprintf(piece, sizeof piece, "%.*s", (int)taken, c);
        }
        const size_t length = strlen(piece);
        if (used + length >= size) {
            break;
        }
        memcpy(text + used, piece, length);
        used += length;
        c += taken;
    }
    text[used] = '\0';
}

/* In single quotes gnuplot runs no commands and knows no escapes, and it stumbles over doubled
 * quotes at the beginning: each quote is a text of its own. It has to be written by its code there,
 * since gnuplot counts a quote within double ones too when it looks for macros (@name) outside of
 * single ones. */
void gnuplot_text_write(FILE *stream, const char *text) {
    char shown[CHART_TEXT_SIZE];
    chart_text(text, shown, sizeof shown);
    fputc('\'', stream);
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'.\"\\047\".'", stream);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('\'', stream);
}
