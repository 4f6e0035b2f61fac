#include "resources.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* === Control groups =========================================================================== */

enum { LINE_SIZE = 4096, WORD_SIZE = 64 };

/* Where a hierarchy is mounted. */
typedef struct Mount {
    char point[LINE_SIZE]; /* without the root of the system */
    char group[LINE_SIZE]; /* the group that lies there: "/", or that of a container */
} Mount;

/* A process in a hierarchy. */
typedef struct Membership {
    const char *controller;  /* version 1; NULL: version 2 */
    const char *controllers; /* of the hierarchy, as its folder is usually called */
    const char *group;
} Membership;

/* Whether `word` is in a list with commas. */
static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    const char *at = list;
    while (strncmp(at, word, length) != 0 || (at[length] != ',' && at[length] != '\0')) {
        at = strchr(at, ',');
        if (at == NULL) {
            return false;
        }
        at++;
    }
    return true;
}

/* Blanks in paths of mountinfo are octal: "\040". */
static void unescape(char *text) {
    char *write = text;
    for (const char *read = text; *read != '\0';) {
        unsigned code = 0;
        if (sscanf(read, "\\%3o", &code) == 1 && strlen(read) >= 4) {
            *write++ = (char)code;
            read += 4;
        } else {
            *write++ = *read++;
        }
    }
    *write = '\0';
}

/* "36 35 98:0 /group /mount/point rw,noatime shared:1 - cgroup cgroup rw,cpu,cpuacct": optional
 * fields end in a hyphen. */
static bool read_mount(char *line, const char *controller, Mount *mount) {
    char type[WORD_SIZE], options[LINE_SIZE];
    const char *rest = strstr(line, " - ");
    if (rest == NULL || sscanf(rest, " - %63s %*s %4095s", type, options) != 2 ||
        strcmp(type, controller != NULL ? "cgroup" : "cgroup2") != 0 ||
        (controller != NULL && !has_word(options, controller)) ||
        sscanf(line, "%*s %*s %*s %4095s %4095s", mount->group, mount->point) != 2) {
        return false;
    }
    unescape(mount->group);
    unescape(mount->point);
    return true;
}

static bool leads_up(const char *path) {
    const size_t length = strlen(path);
    return strstr(path, "/../") != NULL || (length >= 3 && strcmp(path + length - 3, "/..") == 0);
}

/* The group's path below the mount; NULL where it lies elsewhere, as one outside a namespace does
 * ("/../other"), which nobody here can see. */
static const char *path_below(const Mount *mount, const char *group) {
    const size_t length = strcmp(mount->group, "/") == 0 ? 0 : strlen(mount->group);
    const char *rest = group + length;
    if (leads_up(group) || strncmp(group, mount->group, length) != 0 ||
        (*rest != '/' && *rest != '\0')) {
        return NULL;
    }
    return strcmp(rest, "/") == 0 ? "" : rest;
}

/* The mount that the group lies below, or else the first of the hierarchy. */
static bool find_mount(const char *root, const Membership *membership, Mount *mount) {
    char line[LINE_SIZE];
    bool found = false, below = false;
    Mount *read = malloc(sizeof *read);
    snprintf(line, sizeof line, "%s/proc/self/mountinfo", root);
    FILE *file = read != NULL ? fopen(line, "r") : NULL;
    while (file != NULL && !below && fgets(line, sizeof line, file) != NULL) {
        if (read_mount(line, membership->controller, read)) {
            below = path_below(read, membership->group) != NULL;
            if (below || !found) {
                *mount = *read;
            }
            found = true;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    free(read);
    return found;
}

/* Where hierarchies lie by convention. */
static void usual_mount(const char *root, const Membership *membership, Mount *mount) {
    const char *const names[] = {membership->controllers, membership->controller};
    snprintf(mount->group, sizeof mount->group, "/");
    snprintf(mount->point, sizeof mount->point, "/sys/fs/cgroup");
    for (size_t i = 0; membership->controller != NULL && i < 2; i++) {
        char path[2 * LINE_SIZE];
        snprintf(mount->point, sizeof mount->point, "/sys/fs/cgroup/%.200s", names[i]);
        snprintf(path, sizeof path, "%s%s", root, mount->point);
        if (access(path, F_OK) == 0) {
            return;
        }
    }
}

static void add_folder(ControlGroups *groups, const char *folder) {
    char *copy = groups->count < CONTROL_GROUPS_MAX ? strdup(folder) : NULL;
    if (copy != NULL) {
        groups->folders[groups->count++] = copy;
    }
}

static void add_hierarchy(const char *root, const Membership *membership, Mount *mount,
                          ControlGroups *groups) {
    char folder[2 * LINE_SIZE];
    if (!find_mount(root, membership, mount)) {
        usual_mount(root, membership, mount);
    }
    const char *below = path_below(mount, membership->group);
    const int base = snprintf(folder, sizeof folder, "%s%s", root, mount->point);
    const int length =
        snprintf(folder, sizeof folder, "%s%s%s", root, mount->point, below != NULL ? below : "");
    if (base < 0 || length < 0 || (size_t)length >= sizeof folder) {
        return;
    }
    add_folder(groups, folder);
    for (char *slash; (slash = strrchr(folder + base, '/')) != NULL;) {
        *slash = '\0';
        add_folder(groups, folder);
    }
}

/* "0::/group" is version 2, "9:cpu,cpuacct:/group" version 1. */
static bool read_membership(char *line, const char *controller, Membership *membership) {
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL) {
        return false;
    }
    *group = '\0';
    const bool second = controllers[1] == '\0';
    *membership = (Membership){.controller = second ? NULL : controller,
                               .controllers = controllers + 1,
                               .group = group + 1};
    return second || has_word(membership->controllers, controller);
}

void control_groups_find(const char *root, const char *controller, ControlGroups *groups) {
    char line[LINE_SIZE];
    Membership membership;
    Mount *mount = malloc(sizeof *mount);
    *groups = (ControlGroups){.count = 0};
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = mount != NULL ? fopen(line, "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (read_membership(line, controller, &membership)) {
            add_hierarchy(root, &membership, mount, groups);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    free(mount);
}

void control_groups_release(ControlGroups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->folders[i]);
    }
    *groups = (ControlGroups){.count = 0};
}

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

/* What version 1 writes where there is no limit is somewhat less. */
static const uint64_t no_limit = (uint64_t)1 << 62;

uint64_t available_in_group(const char *folder) {
    uint64_t limit = 0, used = 0, inactive = 0;
    uint64_t active = 0; /* as those of a mapped input are */
    if (read_group_number(folder, "memory.max", "", &limit) &&
        read_group_number(folder, "memory.current", "", &used)) {
        read_group_number(folder, "memory.stat", "inactive_file ", &inactive);
        read_group_number(folder, "memory.stat", "active_file ", &active);
    } else if (read_group_number(folder, "memory.limit_in_bytes", "", &limit) && limit < no_limit &&
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
    char needed_text[BYTES_TEXT_SIZE], available_text[BYTES_TEXT_SIZE];
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
