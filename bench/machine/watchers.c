/* What watches this process or shares what it measures with: a debugger or profiler, libraries that
 * are loaded before its own, MPS. */

#include "cpu_state.h"
#include "machine_internal.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 256 };

/* The number behind `key` in /proc/self/status; 0 without one. */
static long status_number(const char *root, const char *key) {
    char path[SYSTEM_PATH_SIZE], line[LINE_SIZE];
    long number = 0;
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = text_after(line, key);
        number = value != NULL ? strtol(value, NULL, 10) : number;
    }
    if (file != NULL) {
        fclose(file);
    }
    return number;
}

/* Its name, or its number where it is none of this container's. */
static void add_tracer(Machine *machine, const char *root) {
    char name[LINE_SIZE];
    const long tracer = status_number(root, "TracerPid:");
    if (tracer > 0) {
        system_line(name, sizeof name, "%s/proc/%ld/comm", root, tracer);
        if (name[0] == '\0') {
            snprintf(name, sizeof name, "process %ld", tracer);
        }
        machine_add_text(machine, fact_traced_by, name, false);
    }
}

/* The daemon's pipe is in the folder that the variable names; without the daemon CUDA goes without.
 */
static void add_mps(Machine *machine, const char *root) {
    char pipe[SYSTEM_PATH_SIZE];
    const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
    const bool named = folder != NULL && folder[0] != '\0';
    snprintf(pipe, sizeof pipe, "%s%s/control", named ? "" : root,
             named ? folder : "/tmp/nvidia-mps");
    if (access(pipe, F_OK) == 0) {
        machine_add_text(machine, fact_cuda_mps, "yes", false);
    }
}

bool machine_is_watched(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    return (preloaded != NULL && preloaded[0] != '\0') || cuda_variables_watch() ||
           status_number(system_root(), "TracerPid:") > 0;
}

void machine_read_watchers(Machine *machine, const char *root) {
    const char *preloaded = getenv("LD_PRELOAD");
    add_tracer(machine, root);
    machine_add_text(machine, fact_ld_preload, preloaded != NULL ? preloaded : "", false);
    add_mps(machine, root);
}
