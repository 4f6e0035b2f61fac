#include "resources.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "control_group.h"

/* === Free memory ============================================================================== */

enum { GROUP_PATH_SIZE = 8192 };

/* Reads the number after `key` in a file of "key number" lines ("MemAvailable:   123 kB"); with an
 * empty key, the number that the file starts with. */
static bool read_number(const char *path, const char *key, uint64_t *number) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool found = false;
    char line[256];
    const size_t length = strlen(key);
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNu64, number) == 1;
    }
    fclose(file);
    return found;
}

static uint64_t system_available(void) {
    uint64_t kib = 0;
    if (read_number("/proc/meminfo", "MemAvailable:", &kib)) {
        return kib * 1024;
    }
#ifdef _SC_AVPHYS_PAGES
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) {
        return (uint64_t)pages * (uint64_t)page;
    }
#endif
    return UINT64_MAX;
}

static bool read_group_number(const char *folder, const char *name, const char *key,
                              uint64_t *number) {
    char path[GROUP_PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_number(path, key, number);
}

uint64_t available_in_group(const char *folder) {
    uint64_t limit = 0;
    uint64_t used = 0;
    uint64_t inactive = 0;
    uint64_t active = 0; /* as those of a mapped input are */
    if (read_group_number(folder, "memory.max", "", &limit) &&
        read_group_number(folder, "memory.current", "", &used)) {
        read_group_number(folder, "memory.stat", "inactive_file ", &inactive);
        read_group_number(folder, "memory.stat", "active_file ", &active);
    } else if (read_group_number(folder, "memory.limit_in_bytes", "", &limit) &&
               read_group_number(folder, "memory.usage_in_bytes", "", &used)) {
        read_group_number(folder, "memory.stat", "total_inactive_file ", &inactive);
        read_group_number(folder, "memory.stat", "total_active_file ", &active);
    } else {
        return UINT64_MAX; /* also where memory.max says "max" */
    }
    const uint64_t cache = inactive + active;
    used = used > cache ? used - cache : 0;
    return limit > used ? limit - used : 0;
}

/* Found once: this is asked before every allocation. */
static ControlGroups groups;
static pthread_once_t groups_once = PTHREAD_ONCE_INIT;

static void find_groups(void) {
    control_groups_find("", "memory", &groups);
}

static uint64_t group_available(void) {
    uint64_t least = UINT64_MAX;
    pthread_once(&groups_once, find_groups);
    for (size_t i = 0; i < groups.count; i++) {
        const uint64_t here = available_in_group(groups.folders[i]);
        least = here < least ? here : least;
    }
    return least;
}

/* The rest of a limit of what a column of /proc/self/statm counts, from 0. */
static uint64_t rest_of_limit(const char *usage, int column, uint64_t limit) {
    uint64_t pages[6] = {0};
    FILE *file = limit == UINT64_MAX ? NULL : fopen(usage, "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    const int read = fscanf(file, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64,
                            &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    fclose(file);
    if (read <= column) {
        return UINT64_MAX;
    }
    const uint64_t used = pages[column] * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit > used ? limit - used : 0;
}

uint64_t available_addresses(const char *usage, uint64_t limit) {
    return rest_of_limit(usage, 0, limit);
}

uint64_t available_data(const char *usage, uint64_t limit) {
    return rest_of_limit(usage, 5, limit);
}

static uint64_t limit_of(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
                                                                               : limit.rlim_cur;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t available_memory_beside(uint64_t promised) {
    const uint64_t memory = smaller(system_available(), group_available());
    static const char usage[] = "/proc/self/statm";
    return smaller(memory > promised ? memory - promised : 0,
                   smaller(available_addresses(usage, limit_of(RLIMIT_AS)),
                           available_data(usage, limit_of(RLIMIT_DATA))));
}

uint64_t available_memory(void) {
    return available_memory_beside(0);
}

void bytes_text(uint64_t bytes, char *text, size_t size) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    /* 1023.95 would be written as 1024.0 of the smaller unit. */
    while (value >= (unit == 0 ? 1024.0 : 1023.95) && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024.0;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

Status memory_short(uint64_t needed, uint64_t available) {
    char needed_text[BYTES_TEXT_SIZE];
    char available_text[BYTES_TEXT_SIZE];
    bytes_text(needed, needed_text, sizeof needed_text);
    bytes_text(available, available_text, sizeof available_text);
    return status_skip("needs %s, %s free", needed_text, available_text);
}

static Status too_large(const char *what, uint64_t bytes, uint64_t available) {
    char needed[BYTES_TEXT_SIZE];
    char left[BYTES_TEXT_SIZE] = "less";
    bytes_text(bytes, needed, sizeof needed);
    if (available < UINT64_MAX) {
        bytes_text(available, left, sizeof left);
    }
    return status_skip("%s needs %s of memory, %s free", what, needed, left);
}

Status free_memory_check(const char *what, uint64_t bytes) {
    const uint64_t available = available_memory();
    return bytes > available ? too_large(what, bytes, available) : status_ok();
}

Status free_memory_short(const char *what, uint64_t bytes) {
    return too_large(what, bytes, available_memory());
}

/* === Memory in use ============================================================================ */

uint64_t peak_memory(void) {
    uint64_t kib = 0;
    return read_number("/proc/self/status", "VmHWM:", &kib) ? kib * 1024 : 0;
}

void peak_memory_reset(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file); /* the peak, and nothing else */
        fclose(file);
    }
}
