/* How many threads can run together, and whether their stacks are large enough. */
#include <ctype.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "resources.h"

enum { TEAM_MAX = 1024, SETTINGS_SIZE = 256 };

/* === Stacks =================================================================================== */

Status stack_check(void) {
    char given[BYTES_TEXT_SIZE], needed[BYTES_TEXT_SIZE];
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_LEAST) {
        return status_ok();
    }
    bytes_text(limit.rlim_cur, given, sizeof given);
    bytes_text(STACK_LEAST, needed, sizeof needed);
    limit.rlim_cur = STACK_LEAST;
    limit.rlim_max = limit.rlim_max < STACK_LEAST ? STACK_LEAST : limit.rlim_max;
    return setrlimit(RLIMIT_STACK, &limit) == 0
               ? status_ok()
               : status_skip("the stack is limited to %s (ulimit -s), and %s are needed: raise the "
                             "limit",
                             given, needed);
}

/* The bytes that OpenMP reads: a number, and b, k, m or g behind it, k without; 0 if it is not
 * valid, which OpenMP ignores. */
static size_t parse_stack_size(const char *text) {
    static const char units[] = "bkmg";
    char *end;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || errno != 0) {
        return 0;
    }
    while (isspace((unsigned char)*end)) {
        end++;
    }
    const char *unit = *end != '\0' ? strchr(units, tolower((unsigned char)*end)) : &units[1];
    end += *end != '\0';
    while (isspace((unsigned char)*end)) {
        end++;
    }
    const int shift = unit != NULL ? 10 * (int)(unit - units) : 0;
    return unit == NULL || *end != '\0' || number > SIZE_MAX >> shift ? 0 : (size_t)number << shift;
}

/* The variable whose size OpenMP gives the stacks of its threads; NULL: they have the system's. */
static const char *stack_variable(size_t *bytes) {
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    pthread_attr_t attributes;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        *bytes = value != NULL ? parse_stack_size(value) : 0;
        if (*bytes > 0 && pthread_attr_init(&attributes) == 0) {
            const bool valid = pthread_attr_setstacksize(&attributes, *bytes) == 0;
            pthread_attr_destroy(&attributes);
            return valid ? names[i] : NULL;
        }
    }
    return NULL;
}

/* === Threads ================================================================================== */

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Starts the threads to find out: whether they fit depends on the size of their stacks, on what
 * else uses the address space and on several limits. `error` is that of the first that was not
 * started. */
static int start_together(int wanted, int *error) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t others[TEAM_MAX];
    pthread_attr_t attributes;
    size_t stack = 0;
    int started = 0;
    *error = pthread_attr_init(&attributes);
    if (*error != 0) {
        return 1;
    }
    if (stack_variable(&stack) != NULL) {
        pthread_attr_setstacksize(&attributes, stack);
    }
    pthread_mutex_lock(&gate);
    while (*error == 0 && started + 1 < wanted) {
        *error = pthread_create(&others[started], &attributes, wait_at, &gate);
        started += *error == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
    pthread_attr_destroy(&attributes);
    return started + 1;
}

/* How many threads OpenMP gives a region that asks for so many, which can be started. */
static int run_together(int wanted) {
    int threads = 1;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    threads = omp_get_num_threads();
    return threads;
}

typedef struct Team {
    int started, running; /* running: of those that can be started */
    int error;            /* why no more were started */
} Team;

/* The threads that OpenMP keeps from earlier regions would count twice against the limits. */
static Team find_team(int wanted) {
    Team team = {.started = 1, .running = 1};
    if (wanted > 1) {
        thread_team_release();
        team.started = start_together(wanted, &team.error);
        team.running = omp_in_parallel() ? team.started : run_together(team.started);
    }
    return team;
}

void thread_team_release(void) {
    (void)omp_pause_resource_all(omp_pause_soft);
}

static bool is_limited(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

int thread_team_most(int wanted) {
    static int known = 1; /* so many have run together */
    const int bounded = wanted > TEAM_MAX ? TEAM_MAX : wanted;
    if (bounded <= 1) {
        return 1;
    }
    /* Address space may have been used up since. */
    if (bounded > known || is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) {
        const Team team = find_team(bounded);
        known = team.running > known ? team.running : known;
        return team.running;
    }
    return bounded;
}

int thread_team_default(void) {
    return thread_team_most(omp_get_max_threads());
}

/* === Reasons ================================================================================== */

/* Adds "NAME=value" of the variables that are set. */
static void add_settings(const char *const *names, char text[SETTINGS_SIZE]) {
    for (; *names != NULL; names++) {
        const char *value = getenv(*names);
        const size_t used = strlen(text);
        if (value != NULL) {
            snprintf(text + used, SETTINGS_SIZE - used, "%s%s=%.40s", used > 0 ? ", " : "", *names,
                     value);
        }
    }
}

static Status not_started(int threads, const Team *team) {
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE", NULL};
    char settings[SETTINGS_SIZE] = "";
    add_settings(names, settings);
    return status_skip("needs %d threads, and only %d can be started: %s (%s%sulimit -v, ulimit "
                       "-u, pids.max)",
                       threads, team->started, strerror(team->error), settings,
                       settings[0] != '\0' ? ", " : "");
}

static Status not_run(int threads, const Team *team) {
    static const char *const names[] = {"OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED",
                                        NULL};
    char settings[SETTINGS_SIZE] = "";
    add_settings(names, settings);
    if (settings[0] == '\0') {
        snprintf(settings, sizeof settings, "its limit is %d threads", omp_get_thread_limit());
    }
    return status_skip("needs %d threads, and OpenMP runs only %d (%s)", threads, team->running,
                       settings);
}

Status thread_team_check(int threads) {
    const Team team = find_team(threads < TEAM_MAX ? threads : TEAM_MAX);
    return threads <= team.running   ? status_ok()
           : threads <= team.started ? not_run(threads, &team)
                                     : not_started(threads, &team);
}

Status thread_team_prepare(void) {
    size_t bytes = 0;
    int error = 0;
    char needed[BYTES_TEXT_SIZE];
    const char *variable = stack_variable(&bytes);
    omp_set_dynamic(0);
    if (variable == NULL) {
        return status_ok();
    }
    if (bytes < STACK_LEAST) {
        bytes_text(STACK_LEAST, needed, sizeof needed);
        return status_skip("%s=%.40s is too small a stack for a thread: %s or more are needed",
                           variable, getenv(variable), needed);
    }
    return start_together(2, &error) == 2
               ? status_ok()
               : status_skip("no second thread can be started with %s=%.40s (%s): make it smaller, "
                             "or raise ulimit -v",
                             variable, getenv(variable), strerror(error));
}
