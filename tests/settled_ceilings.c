/* Stores ceilings for the tests that run bench. On a machine that others use measured ones may
 * never agree with each other, so that bench would not store them and each of a thousand runs would
 * measure them again. Here what contradicts is moved until it agrees: tests need ceilings, not true
 * ones. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "paths.h"
#include "sweep.h"

/* A level of memory is no faster than those before it in the list, which are nearer. */
static void order_levels(Ceilings *ceilings, size_t index) {
    Ceiling *ceiling = &ceilings->list[index];
    for (size_t i = 0; i < index && strncmp(ceiling->key, "copy_", 5) == 0; i++) {
        const Ceiling *nearer = &ceilings->list[i];
        if (strncmp(nearer->key, "copy_", 5) == 0 && nearer->threads == ceiling->threads) {
            ceiling->value = fmin(ceiling->value, nearer->value);
        }
    }
}

/* That of one thread stands before that of several: together they are no slower, and each is no
 * faster. */
static Status measure_settled(Ceilings *ceilings) {
    STATUS_TRY(cpu_ceilings_measure(ceilings));
    for (size_t i = 0; i < ceilings->count; i++) {
        Ceiling *ceiling = &ceilings->list[i];
        const Ceiling *one = ceilings_find(ceilings, ceiling->key, 1);
        if (one != NULL) {
            ceiling->value = fmin(fmax(ceiling->value, one->value), ceiling->threads * one->value);
        }
        ceiling->processor_share = 1;
        order_levels(ceilings, i);
    }
    return status_ok();
}

static RoofLoad no_load(void) {
    return (RoofLoad){.wall = (double)clock(), .others = 0};
}

static double all_of_it(void) {
    return 1;
}

static void no_pause(double seconds) {
    (void)seconds;
}

int main(void) {
    static Machine machine;
    static Ceilings ceilings;
    char folder[4096];
    Status status = cache_folder(folder, sizeof folder);
    if (status_is_ok(&status)) {
        const RoofSource source = {.measure_cpu = measure_settled,
                                   .measure_device = cuda_ceilings_measure,
                                   .load = no_load,
                                   .share = all_of_it,
                                   .pause = no_pause,
                                   .attempts = 1,
                                   .folder = folder,
                                   .now = (int64_t)time(NULL)};
        machine_read(&machine);
        roofs_read_from(&source, &machine, false, stderr, &ceilings);
    }
    return status_is_ok(&status) ? 0 : 1;
}
