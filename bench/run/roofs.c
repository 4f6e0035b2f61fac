/* The ceilings of this machine: measured, or read from where they were stored. */

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ceilings_file.h"
#include "clock.h"
#include "cpu_state.h"
#include "cuda_variables.h"
#include "fnv.h"
#include "paths.h"
#include "run.h"
#include "stops.h"
#include "sweep.h"
#include "text.h"

/* Stored ceilings are measured again after this. */
enum { ROOFS_FRESH_DAYS = 7 };

enum { PATH_SIZE = 4096, IDENTITY_SIZE = 12288, SECONDS_PER_DAY = 24 * 60 * 60 };

/* The facts that ceilings depend on. Machines that share a home folder may differ only in the
 * host's name; the build is included because it compiles the loops. */
static const char *const identity_keys[] = {
    /* Another host, build or choice of devices has a file of its own. */
    fact_host_name, fact_c_compiler, fact_c_flags, fact_build_type, fact_cuda_compiler,
    fact_cuda_architectures, fact_gpu_pci_bus_id, fact_gpu_bus_ids,
    /* A change of these makes stored ceilings useless. */
    fact_cpu_model, fact_cpu_count, fact_cpu_allowed, fact_cpu_cores, fact_numa_nodes,
    fact_memory_bytes, fact_cpu_microcode, fact_cpu_governor, fact_cpu_frequency_driver,
    fact_cpu_boost, fact_cpu_smt, fact_cpu_base_mhz, fact_cpu_limit_mhz, fact_cpu_quota,
    fact_virtual_machine, fact_transparent_huge_pages, fact_kernel, fact_gpu_model, fact_gpu_count,
    fact_gpu_pcie, fact_gpu_links, fact_gpu_driver, fact_cuda_driver, fact_gpu_multiprocessors,
    fact_gpu_memory_bytes, fact_gpu_clock_mhz, fact_gpu_memory_clock_mhz, fact_gpu_sm_clock_mhz_max,
    fact_gpu_power_limit_w, fact_gpu_ecc, fact_gpu_mig};

enum { IDENTITY_KEYS = sizeof identity_keys / sizeof identity_keys[0], NAMING_KEYS = 8 };

/* Of the facts that ceilings depend on, those that are the environment's come last. */
static const char *identity_key(size_t index) {
    return index < IDENTITY_KEYS ? identity_keys[index] : cuda_variables[index - IDENTITY_KEYS].key;
}

/* "key=value" lines of the first `count` facts. False if too little is known to identify the
 * machine. */
static bool identity_text(const Machine *machine, size_t count, char text[IDENTITY_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const Fact *fact = machine_fact(machine, identity_key(i));
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
    return machine_fact(machine, fact_cpu_model) != NULL;
}

Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size) {
    char identity[IDENTITY_SIZE];
    if (!identity_text(machine, NAMING_KEYS, identity)) {
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
    if (!status_is_ok(&named) ||
        !identity_text(machine, IDENTITY_KEYS + cuda_variable_count, identity)) {
        return;
    }
    Status status = folder_make_for(path);
    STATUS_THEN(status, ceilings_file_write(path, identity, source->now, ceilings));
    if (!status_is_ok(&status)) {
        snprintf(text, sizeof text, "the ceilings could not be stored: %s", status.why);
        note(notes, text);
    }
}

/* `why` stays empty when nothing was stored. */
static bool read_stored(const RoofSource *source, const Machine *machine, Ceilings *ceilings,
                        char why[STATUS_WHY_SIZE]) {
    char path[PATH_SIZE], identity[IDENTITY_SIZE];
    const Status named = roofs_path(source->folder, machine, path, sizeof path);
    if (!status_is_ok(&named) ||
        !identity_text(machine, IDENTITY_KEYS + cuda_variable_count, identity) ||
        access(path, F_OK) != 0) {
        return false;
    }
    const int64_t earliest = source->now - (int64_t)ROOFS_FRESH_DAYS * SECONDS_PER_DAY;
    const Status status = ceilings_file_read(path, identity, earliest, source->now, ceilings);
    snprintf(why, STATUS_WHY_SIZE, "%s", status.why);
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

/* Below this share of the processors' time a ceiling is starved, as a row is. */
static const double starved_below = 0.9;

/* What a busy processor would be said to reach is not stored, and takes half a minute to find out.
 */
static Status measure_cpu(const RoofSource *source, Ceilings *ceilings) {
    const double share = source->attempts > 1 ? 1 : source->share();
    return share < starved_below
               ? status_skip("it is busy: a thread on each had %.0f%% of its time", 100 * share)
               : source->measure_cpu(ceilings);
}

/* False when something failed, which is noted: the next run may have the memory or the threads.
 * That there is no device is no failure. */
static bool measure(const RoofSource *source, FILE *notes, Ceilings *ceilings) {
    *ceilings = (Ceilings){.count = 0};
    const Status cpu = measure_cpu(source, ceilings);
    const Status device = source->measure_device(ceilings);
    const bool whole = measured(&cpu, "processor", notes);
    return (device.code == STATUS_SKIP || measured(&device, "device", notes)) && whole;
}

/* Keeps the better value of two: other programs only lower what a machine reaches. */
static void keep_best(const Ceilings *again, Ceilings *ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        Ceiling *ceiling = &ceilings->list[i];
        const Ceiling *other =
            ceilings_find_on(again, ceiling->devices, ceiling->key, ceiling->threads);
        if (other == NULL) {
            continue;
        }
        const bool least = ceiling->kind == CEILING_TIME;
        const double share = fmax(ceiling->processor_share, other->processor_share);
        if (least ? other->value < ceiling->value : other->value > ceiling->value) {
            *ceiling = *other;
        }
        ceiling->processor_share = share;
    }
}

/* Other programs that have more than this share of the processors' time make the machine busy. */
static const double busy_above = 0.1;

/* Whether ceilings were never measured on processors of their own; `others` is the share that other
 * programs had of all, NAN if unknown. */
static bool measured_while_busy(const Ceilings *ceilings, double others, char *why, size_t size) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (ceiling->processor_share > 0 && ceiling->processor_share < starved_below) {
            snprintf(why, size,
                     "the machine is busy: %s on %d thread%s had %.0f%% of the processors' time",
                     ceiling->key, ceiling->threads, ceiling->threads == 1 ? "" : "s",
                     100 * ceiling->processor_share);
            return true;
        }
    }
    if (others > busy_above) {
        snprintf(why, size,
                 "the machine is busy: other programs had %.0f%% of the processors' time",
                 100 * others);
        return true;
    }
    return false;
}

/* What others did while this process was stopped says nothing of the timings, which were taken
 * again. */
static bool measure_attempt(const RoofSource *source, FILE *notes, Ceilings *ceilings,
                            double *others) {
    const StopMark began = stops_mark();
    const RoofLoad before = source->load();
    const bool whole = measure(source, notes, ceilings);
    const RoofLoad after = source->load();
    *others = stops_since(&began) ? (double)NAN
                                  : (after.others - before.others) / (after.wall - before.wall);
    return whole;
}

/* Measures until the ceilings can be trusted. False when they are not to be stored. */
static bool measure_well(const RoofSource *source, FILE *notes, Ceilings *ceilings) {
    static Ceilings again; /* too large for a stack */
    char why[STATUS_WHY_SIZE / 2];
    char text[STATUS_WHY_SIZE];
    double others = NAN, pause = 1;
    bool whole = measure_attempt(source, notes, ceilings, &others);
    for (int attempt = 1; whole; attempt++) {
        if (!ceilings_contradict(ceilings, why, sizeof why) &&
            !measured_while_busy(ceilings, others, why, sizeof why)) {
            return true;
        }
        if (attempt >= source->attempts) {
            snprintf(text, sizeof text, "the ceilings are not stored, after %d measurements: %s",
                     attempt, why);
            note(notes, text);
            return false;
        }
        snprintf(text, sizeof text, "measuring the ceilings again in %.0f s: %s", pause, why);
        note(notes, text);
        source->pause(pause);
        pause *= 2;
        whole = measure_attempt(source, notes, &again, &others);
        keep_best(&again, ceilings);
    }
    return false;
}

void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings) {
    char why[STATUS_WHY_SIZE] = "", text[STATUS_WHY_SIZE + 64];
    *ceilings = (Ceilings){.count = 0};
    if (source->folder != NULL && !fresh && read_stored(source, machine, ceilings, why)) {
        return;
    }
    snprintf(text, sizeof text, "measuring this machine's ceilings%s%s",
             why[0] != '\0' ? ": the stored ones " : "", why);
    note(notes, text);
    const bool trusted = measure_well(source, notes, ceilings);
    note(notes, ceilings->note);
    if (trusted && source->folder != NULL && ceilings->count > 0) {
        store(source, machine, ceilings, notes);
    }
}

static RoofLoad read_load(void) {
    int processors = 0;
    const double used = cpu_time_used(system_root(), &processors);
    return (RoofLoad){.wall = clock_now(), .others = used - clock_process_cpu() / processors};
}

/* An interrupt ends the program meanwhile. */
static void wait_seconds(double seconds) {
    const struct timespec time = {.tv_sec = (time_t)seconds};
    nanosleep(&time, NULL);
}

int roofs_attempts_of_run(const RunOptions *options) {
    return options->budget > 0 ? 1 : 2;
}

void roofs_read(const Machine *machine, bool fresh, int attempts, FILE *notes, Ceilings *ceilings) {
    char folder[PATH_SIZE];
    const Status found = cache_folder(folder, sizeof folder);
    const RoofSource source = {.measure_cpu = cpu_ceilings_measure,
                               .measure_device = cuda_ceilings_measure,
                               .load = read_load,
                               .share = cpu_processor_share,
                               .pause = wait_seconds,
                               .attempts = attempts,
                               .folder = status_is_ok(&found) ? folder : NULL,
                               .now = (int64_t)time(NULL)};
    roofs_read_from(&source, machine, fresh, notes, ceilings);
}
