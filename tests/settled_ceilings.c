/* Stores ceilings for the tests that run bench: without them each of a thousand runs would measure.
 * Those of the processor are made up, as tests need ceilings, not true ones. Measured ones take
 * seconds in which no other test may run, and where others use the machine they may never agree. */
#include <omp.h>
#include <time.h>

#include "paths.h"
#include "sweep.h"

static void add(Ceilings *ceilings, const char *key, CeilingKind kind, int threads, double value,
                double working_set) {
    ceilings_add(ceilings, key, kind, threads, threads * value, threads * working_set);
    ceilings->list[ceilings->count - 1].processor_share = 1;
}

static Status make_up(Ceilings *ceilings) {
    const int all = omp_get_num_procs();
    for (int threads = 1; threads <= all; threads += all > 1 ? all - 1 : 1) {
        add(ceilings, "copy_l1", CEILING_BANDWIDTH, threads, 4e11, 24e3);
        add(ceilings, "copy_l2", CEILING_BANDWIDTH, threads, 1e11, 1e6);
        add(ceilings, "copy_llc", CEILING_BANDWIDTH, threads, 5e10, 16e6);
        add(ceilings, "copy_dram", CEILING_BANDWIDTH, threads, 3e10, 256e6);
        add(ceilings, "fp32", CEILING_OPERATIONS, threads, 2e11, 0);
        add(ceilings, "int32", CEILING_OPERATIONS, threads, 1e11, 0);
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
        const RoofSource source = {.measure_cpu = make_up,
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
