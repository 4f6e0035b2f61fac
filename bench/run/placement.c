/* Where cells of one thread and of a device run, and how fast the machine is there. */

#define _GNU_SOURCE /* sched_setaffinity */

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "cpu_state.h"
#include "measure.h"
#include "row.h"
#include "run_options.h"
#include "text.h"
#include "topology.h"

/* === Places =================================================================================== */

size_t place_choose(const double *load, size_t count, size_t current) {
    double least = INFINITY;
    size_t last = count;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, load[i]);
    }
    if (current < count && load[current] <= least + PLACE_MARGIN) {
        return current;
    }
    for (size_t i = 0; i < count; i++) {
        last = load[i] <= least + PLACE_MARGIN ? i : last;
    }
    return last;
}

enum { PLACES_MAX = 512, PLACE_PROCESSORS_MAX = 16 };

/* Seconds that the load is watched for, and after which it is watched again: a look costs 2% of the
 * time of cells of one thread at most. */
static const double look_seconds = 0.06;
static const double look_interval = 3;
/* CPU seconds in a millisecond that show that another thread spins, and the limit of waiting for
 * it.
 */
static const double others_work = 1e-4;
static const double others_limit = 0.03;
/* Ticks of the counters of stolen time, together, below which they show no share: a short cell's
 * one tick of 10 ms would be half of its turns. With 5% stolen, 2% of such cells get three. */
static const double counted_ticks = 2.5;

typedef struct Place {
    int processors[PLACE_PROCESSORS_MAX];
    size_t count;
    cpu_set_t set;
} Place;

static struct {
    bool known, usable;
    Place places[PLACES_MAX];
    size_t count;
    size_t current;             /* count: none was chosen */
    cpu_set_t home, everywhere; /* its place, and all places */
    bool away;
    double others; /* CPU seconds of the other threads when the thread was moved back */
    double looked; /* when, monotonic seconds */
} placement;

static bool same_node(hwloc_topology_t topology, int a, int b) {
    const hwloc_obj_t left = hwloc_get_pu_obj_by_os_index(topology, (unsigned)a);
    const hwloc_obj_t right = hwloc_get_pu_obj_by_os_index(topology, (unsigned)b);
    return left == NULL || right == NULL || left->nodeset == NULL || right->nodeset == NULL ||
           hwloc_bitmap_isequal(left->nodeset, right->nodeset);
}

/* A place of OpenMP whose memory is that of the first: the main thread, which is bound there, has
 * written the input. */
static void add_place(hwloc_topology_t topology, int number, int first) {
    Place *place = &placement.places[placement.count];
    const int processors = omp_get_place_num_procs(number);
    int ids[PLACE_PROCESSORS_MAX];
    if (processors < 1 || processors > PLACE_PROCESSORS_MAX || placement.count == PLACES_MAX) {
        return;
    }
    omp_get_place_proc_ids(number, ids);
    *place = (Place){.count = (size_t)processors};
    CPU_ZERO(&place->set);
    for (int i = 0; i < processors; i++) {
        if (ids[i] < 0 || ids[i] >= PROCESSORS_MAX || !same_node(topology, ids[i], first)) {
            return;
        }
        place->processors[i] = ids[i];
        CPU_SET((size_t)ids[i], &place->set);
    }
    CPU_OR(&placement.everywhere, &placement.everywhere, &place->set);
    placement.count++;
}

static void find_places(void) {
    const int places = omp_get_num_places();
    const int home = omp_get_place_num();
    int first[PLACE_PROCESSORS_MAX] = {0};
    if (places < 2 || home < 0 || omp_get_proc_bind() == omp_proc_bind_false ||
        omp_get_place_num_procs(home) > PLACE_PROCESSORS_MAX ||
        sched_getaffinity(0, sizeof placement.home, &placement.home) != 0) {
        return;
    }
    hwloc_topology_t topology = topology_load();
    if (topology == NULL) {
        return;
    }
    omp_get_place_proc_ids(home, first);
    for (int i = 0; i < places; i++) {
        add_place(topology, i, first[0]);
    }
    hwloc_topology_destroy(topology);
    placement.current = placement.count;
    placement.usable = placement.count > 1;
}

/* === Moving the thread ======================================================================== */

/* The calling thread sleeps meanwhile: whatever works now is not this cell. */
static void look(void) {
    const struct timespec pause = {.tv_nsec = (long)(look_seconds * 1e9)};
    static ProcessorTimes before, after; /* too large for a stack */
    double load[PLACES_MAX] = {0};
    const double started = clock_now();
    bool seen = processor_times_read(system_root(), &before);
    nanosleep(&pause, NULL);
    seen = seen && processor_times_read(system_root(), &after);
    placement.looked = clock_now();
    for (size_t i = 0; seen && i < placement.count; i++) {
        const Place *place = &placement.places[i];
        for (size_t p = 0; p < place->count; p++) {
            const int processor = place->processors[p];
            load[i] +=
                (after.busy[processor] - before.busy[processor]) / (placement.looked - started);
        }
    }
    placement.current =
        seen ? place_choose(load, placement.count, placement.current) : placement.count;
}

/* CPU seconds of the other threads of this process. */
static double others_cpu(void) {
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    return clock_process_cpu() - ((double)own.tv_sec + 1e-9 * (double)own.tv_nsec);
}

/* A spinning thread takes the core, or the clock, that the cell should have. */
static void wait_for_others(void) {
    const struct timespec pause = {.tv_nsec = 1000000};
    const char *policy = getenv("OMP_WAIT_POLICY");
    const double started = clock_now();
    double before = placement.others;
    double now = others_cpu();
    if (policy != NULL && strcasecmp(policy, "active") == 0) {
        return;
    }
    while (now - before > others_work && clock_now() - started < others_limit) {
        before = now;
        nanosleep(&pause, NULL);
        now = others_cpu();
    }
}

static void move_to(const cpu_set_t *set) {
    placement.away = sched_setaffinity(0, sizeof *set, set) == 0;
}

void placement_enter(const Measurement *measurement) {
    if (measurement->threads > 1 || measurement->options->cold) {
        return;
    }
    if (!placement.known) {
        placement.known = true;
        find_places();
    }
    if (!placement.usable || placement.away) {
        return;
    }
    wait_for_others();
    if (measurement->threads == 0) {
        move_to(&placement.everywhere);
        return;
    }
    if (placement.looked == 0 || clock_now() - placement.looked >= look_interval) {
        look();
    }
    if (placement.current < placement.count) {
        move_to(&placement.places[placement.current].set);
    }
}

void placement_leave(void) {
    if (placement.away) {
        placement.others = others_cpu();
        placement.away = sched_setaffinity(0, sizeof placement.home, &placement.home) != 0;
    }
}

/* === Time that the processors were away ======================================================= */

static double stolen_seconds(int threads, int *processors) {
    ProcessorTimes times;
    processor_times_read(system_root(), &times);
    return processor_times_sum(&times, times.stolen, threads == 1, processors);
}

static bool has_quota(void) {
    return isfinite(cpu_quota_here()->processors);
}

void stolen_begin(Stolen *stolen, int threads) {
    int processors;
    stolen->mark = stops_mark();
    if (has_quota()) {
        throttling_begin(cpu_quota_here(), &stolen->counters);
    }
    stolen->began_stolen = stolen_seconds(threads, &processors);
    stolen->began = clock_now();
}

void stolen_end(Stolen *stolen, int threads) {
    int processors;
    const double seconds = clock_now() - stolen->began;
    const double taken = stolen_seconds(threads, &processors) - stolen->began_stolen;
    if (!stops_since(&stolen->mark)) {
        stolen->seconds += taken;
        stolen->watched += processors * seconds;
    }
    stolen->share = stolen->watched > 0 ? stolen->seconds / stolen->watched : (double)NAN;
    if (has_quota()) {
        stolen->throttled += throttling_since(cpu_quota_here(), &stolen->counters).throttled;
    }
}

void stolen_note(const Stolen *stolen, Row *row) {
    const double least = counted_ticks / (double)sysconf(_SC_CLK_TCK);
    row->stolen_share = stolen->share > 0 && stolen->seconds < least ? 0 : stolen->share;
    if (stolen->throttled > 0) {
        row->throttled = true;
        text_append(row->throttle, sizeof row->throttle, "%sCPU quota",
                    row->throttle[0] != '\0' ? ", " : "");
    }
}

/* === Sentinel ================================================================================= */

/* Steps of the chain, of about five cycles each, and copies of SENTINEL_BYTES there and back: each
 * part takes about 0.1 ms. Twice the bytes are more than an L1 and less than an L2 cache. */
enum { CHAIN_STEPS = 60000, COPIES = 16, SENTINEL_BYTES = 64 << 10 };

static _Alignas(64) uint8_t copied[2][SENTINEL_BYTES];
static volatile uint64_t chain_end = 1;

/* Keeps the compiler from leaving out a copy. */
static void keep_memory(void) {
    __asm__ volatile("" ::: "memory");
}

static void copy_there_and_back(int times) {
    for (int i = 0; i < times; i++) {
        memcpy(copied[1], copied[0], SENTINEL_BYTES);
        keep_memory();
        memcpy(copied[0], copied[1], SENTINEL_BYTES);
        keep_memory();
    }
}

static double timed_chain(void) {
    uint64_t link = chain_end;
    const double started = clock_now();
    for (int i = 0; i < CHAIN_STEPS; i++) {
        link = (link ^ (link >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
    }
    chain_end = link;
    return clock_now() - started;
}

static double timed_copies(void) {
    copy_there_and_back(1);
    const double started = clock_now();
    copy_there_and_back(COPIES);
    return clock_now() - started;
}

Status sentinel_sample(Sentinel *sentinel, size_t *repeated) {
    StopTries tries = {.count = 0};
    double chain, copy;
    do {
        stop_tries_begin(&tries);
        chain = timed_chain();
        copy = timed_copies();
    } while (stop_tries_again(&tries));
    STATUS_TRY(stop_tries_end(&tries, repeated));
    sentinel->chain = sentinel->chain > 0 ? fmin(sentinel->chain, chain) : chain;
    sentinel->copy = sentinel->copy > 0 ? fmin(sentinel->copy, copy) : copy;
    return status_ok();
}
