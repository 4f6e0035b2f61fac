#include "roof_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_memory.h"

enum { CACHES_MAX = 8, USUAL_L1 = 32 << 10, USUAL_L2 = 1 << 20 };

/* One line of the kernel's description of a cache of processor 0; false when there is none. */
static bool read_line(int index, const char *name, char *line, int size) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool read = fgets(line, size, file) != NULL;
    fclose(file);
    return read;
}

/* "32768K" */
static size_t parse_size(const char *text) {
    char *unit;
    const unsigned long long size = strtoull(text, &unit, 10);
    const unsigned long long scale = *unit == 'K' ? 1024 : *unit == 'M' ? 1024 * 1024 : 1;
    return (size_t)(size * scale);
}

int cpu_list_count(const char *list) {
    int count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        const long first = strtol(list, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (last < first || last - first > 1 << 20) {
            return 0;
        }
        count += (int)(last - first) + 1;
        list = *end == ',' ? end + 1 : end;
    }
    return count;
}

static void take_cache(int index, int *deepest, CpuLevels *levels) {
    char type[32], level_text[32], size[32], sharing[256];
    if (!read_line(index, "type", type, sizeof type) || strncmp(type, "Instruction", 11) == 0 ||
        !read_line(index, "level", level_text, sizeof level_text) ||
        !read_line(index, "size", size, sizeof size)) {
        return;
    }
    const int sharing_count =
        read_line(index, "shared_cpu_list", sharing, sizeof sharing) ? cpu_list_count(sharing) : 1;
    const CpuLevel cache = {.bytes = parse_size(size),
                            .sharing = sharing_count > 0 ? sharing_count : 1};
    const int level = (int)strtol(level_text, NULL, 10);
    if (level == 1) {
        levels->l1 = cache;
    } else if (level == 2) {
        levels->l2 = cache;
    } else if (level > *deepest) {
        levels->llc = cache;
        *deepest = level;
    }
}

CpuLevels cpu_levels_read(void) {
    CpuLevels levels = {{0, 1}, {0, 1}, {0, 1}};
    int deepest = 0;
    for (int index = 0; index < CACHES_MAX; index++) {
        take_cache(index, &deepest, &levels);
    }
    if (levels.l1.bytes == 0 && levels.l2.bytes == 0 && levels.llc.bytes == 0) {
        levels.l1.bytes = USUAL_L1;
        levels.l2.bytes = USUAL_L2;
        levels.llc = (CpuLevel){.bytes = cpu_last_level_cache_bytes(), .sharing = 1 << 20};
    }
    return levels;
}

/* Of a cache, what one of `threads` busy threads has. */
static size_t share_of(const CpuLevel *level, int threads) {
    return level->bytes / (size_t)(level->sharing < threads ? level->sharing : threads);
}

size_t cpu_level_sets(const CpuLevels *levels, const CpuLevel *level, int threads,
                      size_t sets[CPU_LEVEL_SETS]) {
    const size_t half = share_of(level, threads) / 2;
    const size_t beyond_l2 = share_of(&levels->l2, threads) * 3 / 2;
    const bool last = level == &levels->llc && beyond_l2 > 0;
    sets[0] = last && half < beyond_l2 ? beyond_l2 : half;
    sets[1] = beyond_l2;
    return last && sets[0] > beyond_l2 ? 2 : 1;
}

size_t cpu_memory_set(const CpuLevels *levels, int threads, double available) {
    const CpuLevel *last = levels->llc.bytes > 0  ? &levels->llc
                           : levels->l2.bytes > 0 ? &levels->l2
                                                  : &levels->l1;
    const int caches = (threads + last->sharing - 1) / last->sharing;
    const double most = available / 4.0;
    double all = 4.0 * (double)last->bytes * caches;
    all = all < most ? all : most;
    return (size_t)(all / threads);
}
