/* The program's own process: streams, signals, its end, OpenMP's settings. */

#include "cli.h"
#include "exit_code.h"
#include "options.h"
#include "paths.h"
#include "run_options.h"
#include "supervisor.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets.h"
#include "interrupt.h"
#include "machine.h"
#include "resources.h"
#include "text.h"

/* Where the OpenMP runtime learns what a core is; some containers hide it. */
static const char core_topology[] = "/sys/devices/system/cpu/cpu0/topology";

static bool ending; /* as main wants it */

/* OpenMP's runtime ends the program with 1 when it cannot start a thread, which it was able to do a
 * moment before; a variant may end it as well. A supervisor sees for itself how a process ends. */
static void end_foreign_exit(void) {
    if (!ending && !supervisor_is_attached()) {
        interrupt_lose("the program was ended from within: by OpenMP, which cannot start its "
                       "threads any more (ulimit -u, ulimit -v, pids.max), or by a variant",
                       EXIT_NO_SAMPLE);
    }
}

static void say(const char *line) {
    visible_line(stderr, "%s", line);
}

void process_prepare(void) {
    atexit(end_foreign_exit);
    /* A thread that ends loads it, and ends the program where there is no memory for it then. */
    (void)dlopen("libgcc_s.so.1", RTLD_NOW);
    image_read_notes(say);
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
                     setenv("OMP_PLACES", places, 0) == 0;
    if (set) {
        execv(program_again(), argv);
    }
    unsetenv("OMP_PROC_BIND"); /* which nobody has read */
    unsetenv("OMP_PLACES");
    processors_forget();
}

/* A number from 1 to `most`; the rest of the list, or NULL if it is no number. */
static const char *skip_number(const char *list, unsigned long most) {
    char *end = NULL;
    list += strspn(list, " ");
    errno = 0;
    const unsigned long number = isdigit((unsigned char)*list) ? strtoul(list, &end, 10) : 0;
    return number >= 1 && number <= most && errno == 0 ? end + strspn(end, " ") : NULL;
}

/* OMP_NUM_THREADS has a number for each level of regions in regions; here there is one level. */
static Status check_thread_number(void) {
    enum { MOST = 1024 }; /* that --threads takes */
    const char *value = getenv("OMP_NUM_THREADS");
    if (value == NULL || value[strspn(value, " ")] == '\0') {
        return status_ok();
    }
    const char *rest = skip_number(value, MOST);
    while (rest != NULL && *rest == ',') {
        rest = skip_number(rest + 1, ULONG_MAX);
    }
    return rest != NULL && *rest == '\0'
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "OMP_NUM_THREADS is '%.60s'; write a number of threads from 1 to %d, "
                             "or a list that begins with it, such as 4,2",
                             value, MOST);
}

Status process_check_threads(void) {
    STATUS_TRY(check_thread_number());
    /* A cell has the threads that it asks for, in modules with a runtime of their own too. */
    setenv("OMP_DYNAMIC", "false", 1);
    return thread_team_prepare();
}

void process_end(void) {
    ending = true;
}

bool process_launches(const Command *command, int argc, char **argv) {
    const ArgumentList arguments = {.argc = argc - 1, .argv = argv + 1};
    RunOptions request;
    if (command != &command_run) {
        return false;
    }
    request_recall(&arguments, &request);
    return options_was_given(&request.given, "launches")
               ? request.launches > 1
               : (request.baseline != NULL || !options_are_exact(&request.given)) &&
                     !request.dry_run;
}

bool process_is_supervised(const Command *command, bool modules) {
    const char *wish = getenv("BENCH_SUPERVISE");
    const bool calls = command != NULL && (command->measures || command->verifies);
    return (wish == NULL || strcmp(wish, "no") != 0) &&
           (modules || (calls && !machine_is_watched()));
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
