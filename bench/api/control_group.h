/*
 * Control groups: the folders in which the system says what the groups of this process may use.
 */
#ifndef BENCH_API_CONTROL_GROUP_H
#define BENCH_API_CONTROL_GROUP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CONTROL_GROUPS_MAX = 32 };

typedef struct ControlGroups {
    char *folders[CONTROL_GROUPS_MAX]; /* owned */
    size_t count;
} ControlGroups;

/*
 * Finds the folder of the group that this process is in, and behind it those of the groups around
 * it, as far as they can be seen: in the one hierarchy of version 2, and in that of the controller
 * ("cpu", "memory") in version 1. Limits of all of them hold. A folder need not exist: a container
 * may see its own group at the root. `root` is in front of /proc and /sys. Without memory some are
 * missing.
 */
void control_groups_find(const char *root, const char *controller, ControlGroups *groups);

void control_groups_release(ControlGroups *groups);

#ifdef __cplusplus
}
#endif

#endif
