#include "control_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL) {
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
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
    bool found = false;
    bool below = false;
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
