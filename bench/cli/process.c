/* The program's own process: streams, signals, pinned threads. */

#include "cli_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets.h"

/* Where the OpenMP runtime learns what a core is; some containers hide it. */
static const char core_topology[] = "/sys/devices/system/cpu/cpu0/topology";

void process_prepare(void) {
    image_read_warnings(stderr);
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            /* Read-only: writing to a standard output that was closed stays an error. */
            if (open("/dev/null", O_RDONLY) == -1) {
                return;
            }
        }
    }
    /* A closed pipe and a file that may not grow are errors of a write, not reasons to die. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static bool placed_by_user(void) {
    static const char *const names[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
                                        "KMP_AFFINITY"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (getenv(names[i]) != NULL) {
            return true;
        }
    }
    return false;
}

void process_pin_threads(char **argv) {
    if (processors_stored() || placed_by_user()) {
        return;
    }
    /* close, not spread: the first thread touches the input, so its neighbours are nearest to the
     * memory, and the cores of n threads are always among those of n + 1, as a curve of speedup
     * against threads assumes. One place per core: two threads share a core only
     * when there are more threads than cores. */
    const char *places = access(core_topology, R_OK) == 0 ? "cores" : "threads";
    const bool set = processors_store() && setenv("OMP_PROC_BIND", "close", 0) == 0 &&
                     setenv("OMP_PLACES", places, 0) == 0 && setenv("OMP_DYNAMIC", "false", 0) == 0;
    if (set) {
        execv("/proc/self/exe", argv);
    }
}

static bool reader_is_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

Status process_finish_output(void) {
    const bool failed_before = ferror(stdout) != 0;
    errno = 0;
    const bool failed_now = fflush(stdout) != 0;
    if ((!failed_before && !failed_now) || reader_is_gone()) {
        return status_ok();
    }
    const char *reason = errno != 0 ? strerror(errno) : "a write failed";
    return status_make(STATUS_FILE, "standard output could not be written (%s)", reason);
}
