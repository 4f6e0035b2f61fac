/* Fuzzes measured_run_read: a results file of this program or of Google Benchmark, to compare. */
#include <math.h>
#include <string.h>

#include "compare_internal.h"
#include "fuzz_input.h"

static void check_cell(const MeasuredRun *run, const MeasuredCell *cell) {
    require(cell->name[0] != '\0' && measured_run_find(run, cell->name) == cell);
    require(cell->launch_count >= 1 && cell->sample_count >= cell->launch_count);
    for (size_t i = 0; i < cell->launch_count; i++) {
        require(isfinite(cell->launches[i]) && cell->launches[i] > 0);
    }
    require(isfinite(cell->median) && cell->median > 0);
    require(memchr(cell->hash, '\0', sizeof cell->hash) != NULL);
    require(memchr(cell->mode, '\0', sizeof cell->mode) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static MeasuredRun run;
    const Status status = measured_run_read(fuzz_input_file(bytes, size), &run);
    if (status_is_ok(&status)) {
        require(isnan(run.noise_floor) || run.noise_floor > 0);
        for (size_t i = 0; i < run.count; i++) {
            check_cell(&run, &run.cells[i]);
        }
        measured_run_release(&run);
    } else {
        require(status.code == STATUS_FILE);
        require_reason(&status);
    }
    return 0;
}
