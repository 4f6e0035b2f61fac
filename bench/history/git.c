/* Programs that are started, and what git says about commits. */

#define _GNU_SOURCE /* environ */

#include "child_process.h"
#include "history_internal.h"
#include "paths.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* === Programs ================================================================================= */

/* What does not fit any more is dropped at the beginning, half of the room at once. */
static void keep_tail(LastLine *last, char byte) {
    if (last->tail_length == sizeof last->tail) {
        last->tail_length /= 2;
        memmove(last->tail, last->tail + last->tail_length, last->tail_length);
    }
    last->tail[last->tail_length++] = byte;
}

void keep_last_line(void *context, const char *bytes, size_t count) {
    LastLine *last = context;
    for (size_t i = 0; i < count; i++) {
        keep_tail(last, bytes[i]);
        if (bytes[i] == '\n' || bytes[i] == '\r') {
            last->length = 0;
        } else if (last->length + 1 < sizeof last->text) {
            last->text[last->length++] = bytes[i];
            last->text[last->length] = '\0';
        }
    }
}

void print_tail(FILE *stream, const LastLine *last, size_t lines) {
    size_t from = last->tail_length;
    for (size_t ends = 0; from > 0; from--) {
        ends += last->tail[from - 1] == '\n';
        if (ends > lines) {
            break;
        }
    }
    while (from < last->tail_length) {
        const char *begin = last->tail + from;
        const char *end = memchr(begin, '\n', last->tail_length - from);
        const size_t length = end != NULL ? (size_t)(end - begin) : last->tail_length - from;
        visible_line(stream, "  %.*s", (int)length, begin);
        from += length + 1;
    }
}

/* --- Environment ------------------------------------------------------------------------------ */

/* Of git's variables those that say where git, its settings and its certificates are. The others
 * name another repository, as inside a hook of git, or change what is printed or unpacked. */
static bool is_kept(const char *variable) {
    static const char *const kept[] = {
        "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",           "GIT_SSH",     "GIT_SSL_"};
    bool is = text_after(variable, "GIT_") == NULL && text_after(variable, "TAR_OPTIONS=") == NULL;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        is |= text_after(variable, kept[i]) != NULL;
    }
    return is;
}

/* Ours, without what would mislead git; the texts are not owned. NULL without memory. */
static char **environment_of_tools(void) {
    size_t count = 0, used = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (is_kept(environ[i])) {
            list[used++] = environ[i];
        }
    }
    return list;
}

Status tool_run(const char *const *arguments, int output, bool group, LastLine *last) {
    ChildEnd end;
    char **environment = environment_of_tools();
    STATUS_MEMORY(environment, "to start %s", arguments[0]);
    const ChildProcess process = {.program = arguments[0],
                                  .arguments = arguments,
                                  .environment = environment,
                                  .output = output,
                                  .group = group,
                                  .take = keep_last_line,
                                  .context = last};
    const Status status = child_process_run(&process, &end);
    free(environment);
    STATUS_TRY(status);
    if (end.error != 0) {
        return status_fail("%s cannot be started: %s", arguments[0], strerror(end.error));
    }
    if (end.code == 0) {
        return status_ok();
    }
    snprintf(last->ended, sizeof last->ended, "%.30s ended with exit code %d", arguments[0],
             end.code);
    return status_make(STATUS_FILE, "%s: %.250s", last->ended, last->text);
}

/* === git ====================================================================================== */

/* What a person has set for himself may change what git prints, or the files that it unpacks. */
#define SETTING(text) "-c", text
static const char *const before_all[] = {"git",
                                         "--no-pager",
                                         SETTING("log.showSignature=false"),
                                         SETTING("i18n.logOutputEncoding=UTF-8"),
                                         SETTING("trailer.separators=:"),
                                         SETTING("core.commentChar=#"),
                                         SETTING("core.attributesFile=/dev/null"),
                                         SETTING("core.autocrlf=false"),
                                         SETTING("core.eol=lf"),
                                         SETTING("tar.umask=0022"),
                                         "-C"};

enum { BEFORE = sizeof before_all / sizeof before_all[0], ARGUMENTS_MAX = BEFORE + 24 };

Status git_run(const char *repository, const char *const *arguments, int output, LastLine *last) {
    const char *all[ARGUMENTS_MAX];
    memcpy(all, before_all, sizeof before_all);
    all[BEFORE] = repository;
    for (size_t i = BEFORE + 1; i < ARGUMENTS_MAX; i++) {
        all[i] = NULL;
    }
    for (size_t i = 0; arguments[i] != NULL && BEFORE + i + 2 < ARGUMENTS_MAX; i++) {
        all[BEFORE + 1 + i] = arguments[i];
    }
    return tool_run(all, output, true, last);
}

static Status read_stream(FILE *stream, char **text) {
    const long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    rewind(stream);
    if (*text == NULL || fread(*text, 1, (size_t)size, stream) != (size_t)size) {
        free(*text);
        return status_no_memory("for what git says");
    }
    return status_ok();
}

static Status read_git(const char *repository, const char *const *arguments, LastLine *last,
                       char **text) {
    FILE *stream = tmpfile();
    if (stream == NULL) {
        return status_make(STATUS_FILE, "no temporary file can be made");
    }
    Status status = git_run(repository, arguments, fileno(stream), last);
    STATUS_THEN(status, read_stream(stream, text));
    fclose(stream);
    return status;
}

Status git_read(const char *repository, const char *const *arguments, char **text) {
    LastLine last = {.length = 0};
    return read_git(repository, arguments, &last, text);
}

bool is_commit_hash(const char *text) {
    const size_t length = strlen(text);
    return length >= 7 && length < COMMIT_SIZE && strspn(text, "0123456789abcdef") == length;
}

Status git_commit(const char *repository, const char *name, char commit[COMMIT_SIZE]) {
    char wanted[ATOMIC_FILE_PATH_SIZE];
    char *text = NULL;
    LastLine last = {.length = 0};
    STATUS_TRY(path_make(wanted, sizeof wanted, "%s^{commit}", name));
    const char *const arguments[] = {"rev-parse", "--verify", "--quiet", wanted, NULL};
    Status status = name[0] != '-' ? read_git(repository, arguments, &last, &text)
                                   : status_make(STATUS_FILE, "%s", "");
    /* That the folder is no repository, or somebody else's. */
    const char *fatal = text_after(last.text, "fatal: ");
    if (status.code == STATUS_FILE && fatal != NULL) {
        return status_make(STATUS_USAGE, "%.200s: %.250s", repository, fatal);
    }
    if (status.code == STATUS_FILE) {
        return status_make(STATUS_USAGE, "'%.100s' is no commit of the repository in %.200s", name,
                           repository);
    }
    STATUS_TRY(status);
    text[strcspn(text, "\n")] = '\0';
    snprintf(commit, COMMIT_SIZE, "%.70s", text);
    free(text);
    return status_ok();
}

void git_subject(const char *repository, const char *commit, char subject[COMMIT_SUBJECT_SIZE]) {
    char *text = NULL;
    const char *const arguments[] = {"log", "-1", "--format=%s", commit, "--", NULL};
    subject[0] = '\0';
    const Status status = git_read(repository, arguments, &text);
    if (status_is_ok(&status)) {
        text[strcspn(text, "\n")] = '\0';
        text_visible(text, subject, COMMIT_SUBJECT_SIZE);
        free(text);
    }
}
