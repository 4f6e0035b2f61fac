#include "free_memory.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { AMOUNT_SIZE = 32 };

/* Linux says what can be had without swapping; other systems say at best which pages are free. */
static uint64_t free_memory(void) {
    uint64_t kib = UINT64_MAX;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file != NULL) {
        char line[128];
        while (kib == UINT64_MAX && fgets(line, sizeof line, file) != NULL) {
            if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) != 1) {
                kib = UINT64_MAX;
            }
        }
        fclose(file);
    }
    if (kib != UINT64_MAX) {
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

static const char *amount(uint64_t bytes, char text[AMOUNT_SIZE]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024.0) {
        value /= 1024.0;
        ++unit;
    }
    snprintf(text, AMOUNT_SIZE, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

static Status too_large(const char *what, uint64_t bytes, uint64_t available) {
    char needed[AMOUNT_SIZE];
    char free_now[AMOUNT_SIZE];
    return status_skip("%s needs %s of memory, %s free", what, amount(bytes, needed),
                       available == UINT64_MAX ? "less" : amount(available, free_now));
}

Status free_memory_check(const char *what, uint64_t bytes) {
    const uint64_t available = free_memory();
    return bytes > available ? too_large(what, bytes, available) : status_ok();
}

Status free_memory_short(const char *what, uint64_t bytes) {
    return too_large(what, bytes, free_memory());
}
