/* The ceilings of this machine: measured, or read from where they were stored. */

#include "run_internal.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "fnv.h"

/* Stored ceilings are measured again after this. */
enum { ROOFS_FRESH_DAYS = 7 };

enum { PATH_SIZE = 4096, IDENTITY_SIZE = 2048, SECONDS_PER_DAY = 24 * 60 * 60 };

/* The facts that ceilings depend on. Machines that share a home folder may differ only in the
 * host's name; the build is included because it compiles the loops. */
static const char *const identity_keys[] = {
    "host_name",  "cpu_model", "cpu_count",  "memory_bytes",  "gpu_model",          "cuda_driver",
    "c_compiler", "c_flags",   "build_type", "cuda_compiler", "cuda_architectures",
};

/* "key=value" lines. False if too little is known to identify the machine. */
static bool identity_text(const Machine *machine, char text[IDENTITY_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof identity_keys / sizeof identity_keys[0]; i++) {
        const Fact *fact = machine_fact(machine, identity_keys[i]);
        if (fact == NULL) {
            continue;
        }
        const int written =
            fact->kind == FACT_TEXT
                ? snprintf(text + used, IDENTITY_SIZE - used, "%s=%s\n", fact->key, fact->text)
                : snprintf(text + used, IDENTITY_SIZE - used, "%s=%.17g\n", fact->key,
                           fact->number);
        if (written < 0 || (size_t)written >= IDENTITY_SIZE - used) {
            return false;
        }
        used += (size_t)written;
    }
    return machine_fact(machine, "cpu_model") != NULL;
}

Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size) {
    char identity[IDENTITY_SIZE];
    if (!identity_text(machine, identity)) {
        return status_make(STATUS_FILE, "too little is known of this machine to store ceilings");
    }
    const uint64_t hash = fnv_bytes(FNV_START, identity, strlen(identity));
    return path_make(path, size, "%s/roof-%016" PRIx64 ".json", folder, hash);
}

static void note(FILE *notes, const char *text) {
    if (notes != NULL && text[0] != '\0') {
        visible_line(notes, "%s", text);
        fflush(notes);
    }
}

static void store(const RoofSource *source, const Machine *machine, const Ceilings *ceilings,
                  FILE *notes) {
    char path[PATH_SIZE], identity[IDENTITY_SIZE], text[STATUS_WHY_SIZE + 64];
    const Status named = roofs_path(source->folder, machine, path, sizeof path);
    if (!status_is_ok(&named) || !identity_text(machine, identity)) {
        return;
    }
    Status status = folder_make_for(path);
    if (status_is_ok(&status)) {
        status = ceilings_file_write(path, identity, source->now, ceilings);
    }
    if (!status_is_ok(&status)) {
        snprintf(text, sizeof text, "the ceilings could not be stored: %s", status.why);
        note(notes, text);
    }
}

static bool read_stored(const RoofSource *source, const Machine *machine, Ceilings *ceilings) {
    char path[PATH_SIZE], identity[IDENTITY_SIZE];
    const Status named = roofs_path(source->folder, machine, path, sizeof path);
    if (!status_is_ok(&named) || !identity_text(machine, identity)) {
        return false;
    }
    const int64_t earliest = source->now - (int64_t)ROOFS_FRESH_DAYS * SECONDS_PER_DAY;
    const Status status = ceilings_file_read(path, identity, earliest, source->now, ceilings);
    return status_is_ok(&status);
}

/* Notes that ceilings are missing; false then. */
static bool measured(const Status *status, const char *what, FILE *notes) {
    char text[STATUS_WHY_SIZE + 64];
    if (status_is_ok(status)) {
        return true;
    }
    snprintf(text, sizeof text, "the ceilings of the %s are incomplete: %s", what, status->why);
    note(notes, text);
    return false;
}

/* False when something failed, which is noted: the next run may have the memory or the threads.
 * That there is no device is no failure. */
static bool measure(const RoofSource *source, FILE *notes, Ceilings *ceilings) {
    *ceilings = (Ceilings){.count = 0};
    const Status cpu = source->measure_cpu(ceilings);
    const Status device = source->measure_device(ceilings);
    const bool whole = measured(&cpu, "processor", notes);
    return (device.code == STATUS_SKIP || measured(&device, "device", notes)) && whole;
}

/* Keeps the better value of two: other programs only lower what a machine reaches. */
static void keep_best(const Ceilings *again, Ceilings *ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        Ceiling *ceiling = &ceilings->list[i];
        const Ceiling *other = ceilings_find(again, ceiling->key, ceiling->threads);
        const bool least = ceiling->kind == CEILING_TIME;
        if (other != NULL &&
            (least ? other->value < ceiling->value : other->value > ceiling->value)) {
            *ceiling = *other;
        }
    }
}

/* Measures once more if the ceilings contradict each other. False when they are not to be stored.
 */
static bool measure_well(const RoofSource *source, FILE *notes, Ceilings *ceilings) {
    char why[STATUS_WHY_SIZE / 2];
    char text[STATUS_WHY_SIZE];
    if (!measure(source, notes, ceilings)) {
        return false;
    }
    if (!ceilings_contradict(ceilings, why, sizeof why)) {
        return true;
    }
    Ceilings again;
    const bool whole = measure(source, notes, &again);
    keep_best(&again, ceilings);
    if (!ceilings_contradict(ceilings, why, sizeof why)) {
        return whole;
    }
    snprintf(text, sizeof text,
             "the ceilings contradict each other and are not stored: %s; is the machine busy?",
             why);
    note(notes, text);
    return false;
}

void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings) {
    *ceilings = (Ceilings){.count = 0};
    if (source->folder != NULL && !fresh && read_stored(source, machine, ceilings)) {
        return;
    }
    note(notes, "measuring this machine's ceilings");
    if (measure_well(source, notes, ceilings) && source->folder != NULL && ceilings->count > 0) {
        store(source, machine, ceilings, notes);
    }
}

void roofs_read(const Machine *machine, bool fresh, FILE *notes, Ceilings *ceilings) {
    char folder[PATH_SIZE];
    const Status found = cache_folder(folder, sizeof folder);
    const RoofSource source = {.measure_cpu = cpu_ceilings_measure,
                               .measure_device = cuda_ceilings_measure,
                               .folder = status_is_ok(&found) ? folder : NULL,
                               .now = (int64_t)time(NULL)};
    roofs_read_from(&source, machine, fresh, notes, ceilings);
}
