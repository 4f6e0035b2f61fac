/* The files of a history: a line for each cell of each run. */

#define _GNU_SOURCE /* strptime */

#include "files.h"
#include "history.h"
#include "paths.h"
#include "stored_run.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "fnv.h"
#include "gnuplot.h"
#include "json.h"
#include "list.h"
#include "text.h"

enum { WORDS_SIZE = 512, VERSION = 1 };

static const char suffix[] = ".jsonl";
static const uint64_t file_most = UINT64_C(1) << 30;

/* === Reading ================================================================================== */

double date_seconds(const char *date) {
    struct tm parts = {0};
    int hours = 0, minutes = 0;
    char sign = '+';
    const char *zone = strptime(date, "%Y-%m-%dT%H:%M:%S", &parts);
    if (zone == NULL ||
        (zone[0] != '\0' && strcmp(zone, "Z") != 0 &&
         (sscanf(zone, "%c%2d:%2d", &sign, &hours, &minutes) != 3 || strchr("+-", sign) == NULL))) {
        return NAN;
    }
    const double offset = 3600.0 * hours + 60.0 * minutes;
    return (double)timegm(&parts) - (sign == '-' ? -offset : offset);
}

/* False where the list is not one of times. */
static bool read_launches(MachineHistory *history, const cJSON *line, HistoryEntry *entry) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "launches_s");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    double *launches =
        count > 0 ? owned_take(&history->memory, (size_t)count * sizeof *launches) : NULL;
    const cJSON *item;
    entry->launches = launches;
    cJSON_ArrayForEach(item, list) {
        if (launches == NULL || !cJSON_IsNumber(item) || !seconds_possible(item->valuedouble)) {
            return false;
        }
        launches[entry->launch_count++] = item->valuedouble;
    }
    return entry->launch_count > 0;
}

/* What is wrong with a line; NULL: nothing. */
static const char *read_entry(MachineHistory *history, const cJSON *line, HistoryEntry *entry) {
    const char *commit = json_text(line, "commit");
    const char *cell = json_text(line, "cell");
    const char *date = json_text(line, "date");
    if (!cJSON_IsObject(line)) {
        return "is no JSON object";
    }
    if (json_number_or(line, "version", -1) != VERSION) {
        return "is not of version 1, the only one that is understood";
    }
    entry->when = json_number_or(line, "commit_time", date_seconds(date != NULL ? date : ""));
    if (commit == NULL || cell == NULL || json_text(line, "run") == NULL ||
        !isfinite(entry->when)) {
        return "lacks its run, commit, cell or date";
    }
    if (!read_launches(history, line, entry)) {
        return "has no list \"launches_s\" of times above 0 and at most 1e6 s";
    }
    entry->run = owned_text(&history->memory, json_text(line, "run"));
    entry->commit = owned_text(&history->memory, commit);
    entry->cell = owned_text(&history->memory, cell);
    entry->input_hash = owned_text(&history->memory, json_text(line, "input_hash"));
    entry->mode = owned_text(&history->memory, json_text(line, "mode"));
    entry->held = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "held"));
    entry->roof = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "roof"));
    entry->disturbed = json_text(line, "disturbed") != NULL;
    history->machine = owned_text(&history->memory, json_text(line, "machine_words"));
    history->build = owned_text(&history->memory, json_text(line, "build"));
    return history->build != NULL ? NULL : "does not fit in memory";
}

static Status read_line(MachineHistory *history, const char *text, size_t length, size_t number,
                        FILE *notes) {
    HistoryEntry entry = {.launch_count = 0};
    cJSON *line = cJSON_ParseWithLength(text, length);
    const char *wrong =
        line == NULL ? "is not valid JSON or was cut off" : read_entry(history, line, &entry);
    cJSON_Delete(line);
    if (wrong != NULL) {
        visible_line(notes, "bench: note: %s:%zu %s; it is left out", history->path, number, wrong);
        return status_ok();
    }
    LIST_ADD(NULL, history->entries, history->count, history->capacity, "lines of a history",
             entry);
    return status_ok();
}

static Status read_lines(MachineHistory *history, const char *text, size_t length, FILE *notes) {
    size_t number = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end != NULL ? (size_t)(end - text) - at : length - at;
        number++;
        if (size > 0) {
            STATUS_TRY(read_line(history, text + at, size, number, notes));
        }
        at += size + 1;
    }
    return status_ok();
}

static Status read_text(const char *path, FILE *notes, MachineHistory *history, char **text,
                        size_t *length) {
    *history = (MachineHistory){.machine = "", .build = ""};
    STATUS_TRY(path_make(history->path, sizeof history->path, "%s", path));
    STATUS_TRY(file_text_read(path, "a history", file_most, text, length));
    const Status status = read_lines(history, *text, *length, notes);
    if (!status_is_ok(&status)) {
        free(*text);
        history_release(history);
    }
    return status;
}

Status history_read(const char *path, FILE *notes, MachineHistory *history) {
    char *text;
    size_t length;
    STATUS_TRY(read_text(path, notes, history, &text, &length));
    free(text);
    return status_ok();
}

void history_release(MachineHistory *history) {
    free(history->entries);
    history->entries = NULL;
    history->count = history->capacity = 0;
    owned_release(&history->memory);
}

static int is_history(const struct dirent *entry) {
    return entry->d_name[0] != '.' && text_ends(entry->d_name, suffix);
}

Status history_files(const char *folder, PathList *paths) {
    return path_list_add_folder(paths, folder, is_history);
}

/* === Adding =================================================================================== */

/* A run that is added. Too large for a stack. */
typedef struct Addition {
    const HistoryAddition *request;
    HistoryAdded *added;
    MeasuredRun run;
    char hash[MEASURED_HASH_SIZE]; /* of the run's file */
    char id[MACHINE_ID_SIZE];
    char machine[WORDS_SIZE], build[WORDS_SIZE];
    double commit_time; /* NAN: not known */
    MachineHistory known;
    char *text; /* of the file so far; NULL: there is none */
    size_t length;
} Addition;

static Status read_commit(Addition *addition) {
    const Machine *machine = &addition->run.machine;
    const char *commit = addition->request->commit;
    if (commit == NULL) {
        commit = machine_commit(machine);
        if (machine_is_dirty(machine)) {
            return status_make(STATUS_USAGE,
                               "%.200s was built from commit %.12s with changes that are in no "
                               "commit; --commit names the one that has them",
                               addition->request->run, commit);
        }
    }
    if (!is_commit_hash(commit)) {
        return status_make(STATUS_USAGE,
                           "%.200s: '%.40s' is no hash of a commit; --commit HASH names the one "
                           "that was measured",
                           addition->request->run, commit);
    }
    snprintf(addition->added->commit, COMMIT_SIZE, "%.70s", commit);
    return status_ok();
}

/* Where git knows the commit, its time and whole hash. */
static Status ask_git(Addition *addition) {
    char *text = NULL, *end = NULL;
    char *commit = addition->added->commit;
    const char *const arguments[] = {"log", "-1", "--format=%ct %H", commit, "--", NULL};
    addition->commit_time = NAN;
    const Status status = git_read(addition->request->repository, arguments, &text);
    if (status.code == STATUS_INTERRUPTED) {
        return status;
    }
    if (status_is_ok(&status)) {
        const double seconds = strtod(text, &end);
        text[strcspn(text, "\n")] = '\0';
        if (*end == ' ' && is_commit_hash(end + 1)) {
            addition->commit_time = seconds;
            snprintf(commit, COMMIT_SIZE, "%.70s", end + 1);
        }
        free(text);
    }
    return isnan(addition->commit_time) && isnan(date_seconds(addition->run.started))
               ? status_make(STATUS_USAGE, "%.200s has no date, and git does not know commit %.12s",
                             addition->request->run, commit)
               : status_ok();
}

static Status hash_run(Addition *addition) {
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(addition->run.path, "results", file_most, &text, &length));
    snprintf(addition->hash, sizeof addition->hash, "%016" PRIx64,
             fnv_bytes(FNV_START, text, length));
    free(text);
    return status_ok();
}

static void describe_machine(Addition *addition) {
    const Machine *machine = &addition->run.machine;
    const double threads = machine_processors(machine);
    const char *gpu = machine_gpu(machine);
    const char *cuda = machine_text(machine, fact_cuda_compiler);
    char *words = addition->machine;
    snprintf(words, WORDS_SIZE, "%.200s", machine_cpu(machine));
    if (isfinite(threads)) {
        text_append(words, WORDS_SIZE, "%s%.0f threads", words[0] != '\0' ? ", " : "", threads);
    }
    text_append(words, WORDS_SIZE, "%s%.200s", gpu[0] != '\0' ? ", " : "", gpu);
    snprintf(addition->build, WORDS_SIZE, "%.150s %.250s%s%.80s",
             machine_text(machine, fact_c_compiler), machine_text(machine, fact_c_flags),
             cuda[0] != '\0' ? ", CUDA " : "", cuda);
    machine_id(machine, addition->id);
}

/* "Intel-Xeon-Processor-1f2e….jsonl" */
static Status choose_path(Addition *addition) {
    char name[CHART_NAME_SIZE] = "";
    const char *gpu = machine_gpu(&addition->run.machine);
    chart_name_append(name, machine_cpu(&addition->run.machine));
    chart_name_append(name, gpu);
    return path_make(addition->added->path, sizeof addition->added->path, "%.3500s/%.120s%s%s%s",
                     addition->request->folder, name, name[0] != '\0' ? "-" : "", addition->id,
                     suffix);
}

static bool is_known(const Addition *addition, const MeasuredCell *cell) {
    for (size_t i = 0; i < addition->known.count; i++) {
        const HistoryEntry *entry = &addition->known.entries[i];
        if (strcmp(entry->run, addition->hash) == 0 && strcmp(entry->cell, cell->name) == 0) {
            return true;
        }
    }
    return false;
}

static bool fill_line(const Addition *addition, const MeasuredCell *cell, cJSON *line) {
    const Disturber disturber = measured_cell_disturber(cell);
    bool complete =
        json_add_number(line, "version", VERSION) && json_add_text(line, "run", addition->hash) &&
        json_add_text(line, "commit", addition->added->commit) &&
        json_add_number(line, "commit_time", addition->commit_time) &&
        json_add_text(line, "date", addition->run.started) &&
        json_add_text(line, "machine", addition->id) &&
        json_add_text(line, "machine_words", addition->machine) &&
        json_add_text(line, "build", addition->build) && json_add_text(line, "cell", cell->name) &&
        json_add_text(line, "input_hash", cell->hash) && json_add_text(line, "mode", cell->mode);
    complete = complete && (!cell->held || cJSON_AddTrueToObject(line, "held") != NULL) &&
               (!cell->roof || cJSON_AddTrueToObject(line, "roof") != NULL) &&
               (disturber == DISTURBER_NONE ||
                json_add_text(line, "disturbed", disturber_name(disturber)));
    cJSON *list = complete ? cJSON_AddArrayToObject(line, "launches_s") : NULL;
    complete = list != NULL;
    for (size_t i = 0; complete && i < cell->launch_count; i++) {
        complete = cJSON_AddItemToArray(list, cJSON_CreateNumber(cell->launches[i]));
    }
    return complete;
}

static Status write_line(const Addition *addition, const MeasuredCell *cell, FILE *stream) {
    cJSON *line = cJSON_CreateObject();
    line = json_whole(line, line != NULL && fill_line(addition, cell, line));
    char *text = line != NULL ? cJSON_PrintUnformatted(line) : NULL;
    cJSON_Delete(line);
    STATUS_MEMORY(text, "to write %.200s", addition->added->path);
    visible_json_write(stream, text);
    fputc('\n', stream);
    cJSON_free(text);
    return status_ok();
}

static Status write_lines(Addition *addition, FILE *stream) {
    if (addition->length > 0) {
        fwrite(addition->text, 1, addition->length, stream);
        if (addition->text[addition->length - 1] != '\n') {
            fputc('\n', stream); /* the last line was cut off */
        }
    }
    for (size_t i = 0; i < addition->run.count; i++) {
        if (!is_known(addition, &addition->run.cells[i])) {
            STATUS_TRY(write_line(addition, &addition->run.cells[i], stream));
            addition->added->added++;
        }
    }
    return status_ok();
}

static Status append(Addition *addition) {
    AtomicFile file;
    for (size_t i = 0; i < addition->run.count; i++) {
        addition->added->known += is_known(addition, &addition->run.cells[i]);
    }
    if (addition->added->known == addition->run.count) {
        return status_ok();
    }
    STATUS_TRY(atomic_file_open(&file, addition->added->path));
    return atomic_file_end(&file, write_lines(addition, file.stream));
}

/* Held until the process or the descriptor ends. A file of its own, since the history is renamed.
 */
static Status lock_folder(const char *folder, int *lock) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(folder_make(folder));
    STATUS_TRY(path_in(folder, ".lock", path, sizeof path));
    *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*lock < 0) {
        return status_make(STATUS_FILE, "%.300s: %s", path, strerror(errno));
    }
    while (flock(*lock, LOCK_EX) != 0) {
        if (errno != EINTR || interrupt_requested()) {
            const int error = errno;
            close(*lock);
            return status_make(STATUS_FILE, "%.300s cannot be locked: %s", path, strerror(error));
        }
    }
    return status_ok();
}

static Status add_locked(Addition *addition, FILE *notes) {
    int lock = -1;
    STATUS_TRY(lock_folder(addition->request->folder, &lock));
    Status status = status_ok();
    if (access(addition->added->path, F_OK) == 0) {
        status = read_text(addition->added->path, notes, &addition->known, &addition->text,
                           &addition->length);
    }
    if (status_is_ok(&status)) {
        status = append(addition);
        history_release(&addition->known);
        free(addition->text);
    }
    close(lock);
    return status;
}

static Status add(Addition *addition, FILE *notes) {
    const HistoryAddition *request = addition->request;
    if (addition->run.count == 0) {
        return status_skip("%.200s has no cell with a time", request->run);
    }
    STATUS_TRY(read_commit(addition));
    STATUS_TRY(ask_git(addition));
    STATUS_TRY(hash_run(addition));
    describe_machine(addition);
    STATUS_TRY(choose_path(addition));
    return add_locked(addition, notes);
}

Status history_add(const HistoryAddition *request, FILE *notes, HistoryAdded *added) {
    *added = (HistoryAdded){.added = 0};
    Addition *addition = calloc(1, sizeof *addition);
    STATUS_MEMORY(addition, "for a history");
    addition->request = request;
    addition->added = added;
    Status status = measured_run_read(request->run, &addition->run);
    if (status_is_ok(&status)) {
        status = add(addition, notes);
        measured_run_release(&addition->run);
    }
    free(addition);
    return status;
}
