/* What variants are measured with, which code that is called must leave as it is: clock,
 * arithmetic, variables, OpenMP's threads, signals, limits, processors. */

#define _GNU_SOURCE /* sched_getaffinity, environ */

#include "base_internal.h"
#include "resources.h"
#include "sealed.h"
#include "supervisor.h"
#include "text.h"

#include <fenv.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { VARIABLES_MAX = 64, VARIABLE_SIZE = 256, LIMIT_COUNT = 5 };

/* Those that a program does not set for its own ends. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP,    SIGCONT, SIGSEGV, SIGFPE,
                              SIGILL, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static const int limits[LIMIT_COUNT] = {RLIMIT_CPU, RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK,
                                        RLIMIT_NOFILE};
static const char *const limit_names[LIMIT_COUNT] = {"CPU time", "addresses", "data", "the stack",
                                                     "open files"};

/* How numbers are rounded, and whether the smallest ones become 0. */
typedef struct Arithmetic {
    int rounding;
    unsigned flushing;
} Arithmetic;

static struct {
    bool begun, kept; /* kept: those of OpenMP and below as well */
    Arithmetic arithmetic;
    char variables[VARIABLES_MAX][VARIABLE_SIZE]; /* "NAME=value" */
    size_t variable_count;
    int threads, dynamic, levels; /* of OpenMP */
    void (*handlers[SIGNAL_COUNT])(int);
    rlim_t limits[LIMIT_COUNT];
    cpu_set_t processors;
} settings;

static Arithmetic arithmetic_now(void) {
    Arithmetic now = {.rounding = fegetround()};
#ifdef __SSE__
    enum { FLUSHES_TO_ZERO = 0x8000, TAKES_FOR_ZERO = 0x40 };
    now.flushing = _mm_getcsr() & (FLUSHES_TO_ZERO | TAKES_FOR_ZERO);
#endif
    return now;
}

/* The variables by which OpenMP, CUDA, the loader and the allocator are set. PyTorch and CuPy set
 * one of them themselves, to what is its default. OpenCV sets the folders of libraries, which the
 * loader has read by then. */
static bool is_setting(const char *variable) {
    static const char *const begins[] = {"OMP_", "GOMP_", "CUDA_", "LD_", "MALLOC_"};
    bool found = false;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        found |= text_after(variable, begins[i]) != NULL;
    }
    return found && text_after(variable, "CUDA_MODULE_LOADING=") == NULL &&
           text_after(variable, "LD_LIBRARY_PATH=") == NULL;
}

static void keep_variables(void) {
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        if (is_setting(*at) && settings.variable_count < VARIABLES_MAX) {
            snprintf(settings.variables[settings.variable_count++], VARIABLE_SIZE, "%s", *at);
        }
    }
}

/* Of what length the name is of "NAME=value", which is not among those kept; 0: it is. */
static int unknown_variable(const char *variable) {
    for (size_t i = 0; i < settings.variable_count; i++) {
        if (strncmp(settings.variables[i], variable, VARIABLE_SIZE - 1) == 0) {
            return 0;
        }
    }
    return (int)strcspn(variable, "=");
}

static size_t variables_now(void) {
    size_t count = 0;
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        count += is_setting(*at);
    }
    return count < VARIABLES_MAX ? count : VARIABLES_MAX;
}

static void (*handler_now(int number))(int) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    (void)sigaction(number, NULL, &action);
    return action.sa_handler;
}

static rlim_t limit_now(int resource) {
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    (void)getrlimit((__rlimit_resource_t)resource, &limit);
    return limit.rlim_cur;
}

void process_settings_begin(void) {
    settings.begun = true;
    settings.arithmetic = arithmetic_now();
    keep_variables();
}

void process_settings_keep(void) {
    if (!settings.begun || settings.kept) {
        return;
    }
    (void)thread_team_default(); /* OpenMP binds the calling thread in its first region */
    seal_watch();
    settings.kept = true;
    settings.threads = omp_get_max_threads();
    settings.dynamic = omp_get_dynamic();
    settings.levels = omp_get_max_active_levels();
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        settings.handlers[i] = handler_now(signals[i]);
    }
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        settings.limits[i] = limit_now(limits[i]);
    }
}

/* The process is not what it was. What cannot be set back for sure, such as the clock, ends with
 * it; so everything does. */
static void damaged(const char *what) {
    char why[192];
    snprintf(why, sizeof why, "it changed %s, which other variants are measured with", what);
    supervisor_abandon(why);
}

/* By the system, whatever the program's functions have become. */
static int64_t system_clock(void) {
    struct timespec now = {.tv_sec = 0};
    (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void check_clock(void) {
    enum { SLACK_NS = 2000 };
    struct timespec now;
    const int64_t from = system_clock();
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t to = system_clock();
    const int64_t read = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (read < from - SLACK_NS || read > to + SLACK_NS) {
        damaged("the clock of the process");
    }
}

static void check_variables(void) {
    char what[128];
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        const int length = is_setting(*at) ? unknown_variable(*at) : 0;
        if (length > 0) {
            snprintf(what, sizeof what, "the variable %.*s of the environment",
                     length < 64 ? length : 64, *at);
            damaged(what);
        }
    }
    if (variables_now() < settings.variable_count) {
        damaged("the environment: a variable is gone");
    }
}

static void check_arithmetic(void) {
    const Arithmetic now = arithmetic_now();
    if (now.rounding != settings.arithmetic.rounding) {
        damaged("how numbers are rounded (fesetround)");
    }
    if (now.flushing != settings.arithmetic.flushing) {
        damaged("what becomes of the smallest numbers (FTZ, DAZ)");
    }
}

static void check_settings(void) {
    char what[128];
    if (omp_get_max_threads() != settings.threads || omp_get_dynamic() != settings.dynamic ||
        omp_get_max_active_levels() != settings.levels) {
        damaged("the number of OpenMP's threads (omp_set_num_threads and the like)");
    }
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (handler_now(signals[i]) != settings.handlers[i]) {
            snprintf(what, sizeof what, "what %s does", strsignal(signals[i]));
            damaged(what);
        }
    }
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        if (limit_now(limits[i]) != settings.limits[i]) {
            snprintf(what, sizeof what, "the limit of %s", limit_names[i]);
            damaged(what);
        }
    }
}

void process_settings_check(void) {
    check_clock();
    check_arithmetic();
    check_variables();
    if (settings.kept) {
        check_settings();
    }
}

void process_processors_keep(void) {
    CPU_ZERO(&settings.processors);
    (void)sched_getaffinity(0, sizeof settings.processors, &settings.processors);
}

void process_processors_check(void) {
    cpu_set_t now;
    CPU_ZERO(&now);
    if (settings.kept && sched_getaffinity(0, sizeof now, &now) == 0 &&
        !CPU_EQUAL(&now, &settings.processors)) {
        damaged("the processors that the program may use (sched_setaffinity)");
    }
}
