#include "thread_team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#include <omp.h>

enum { TEAM_MAX = 1024 };

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Threads are started and held together: whether there is room for them depends on the size of
 * stacks, on other users of the address space and on several limits. */
static int start_together(int wanted) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t others[TEAM_MAX];
    int started = 0;
    pthread_mutex_lock(&gate);
    while (started + 1 < wanted && pthread_create(&others[started], NULL, wait_at, &gate) == 0) {
        started++;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
    return started + 1;
}

static bool address_space_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

int thread_team_most(int wanted) {
    static int known = 1; /* that many once ran together */
    const int bounded = wanted > TEAM_MAX ? TEAM_MAX : wanted;
    if (bounded <= 1) {
        return 1;
    }
    /* Address space may have been taken since. */
    if (bounded > known || address_space_is_limited()) {
        const int most = start_together(bounded);
        known = most > known ? most : known;
        return most;
    }
    return bounded;
}

int thread_team_default(void) {
    return thread_team_most(omp_get_max_threads());
}

Status thread_team_check(int threads) {
    const int most = thread_team_most(threads);
    return most >= threads ? status_ok()
                           : status_skip("needs %d threads, and only %d can be started "
                                         "(ulimit -v, ulimit -u)",
                                         threads, most);
}
