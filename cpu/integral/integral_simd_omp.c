/* integral on one thread (simd) and on all processors (omp): a team of 1 and of --threads
 * (integral_bands.h). */
#include <stdlib.h>

#include "backend.h"
#include "integral.h"
#include "integral_bands.h"

VARIANT_FUNCTIONS(integral_simd);
VARIANT_FUNCTIONS(integral_omp); /* runs and is closed as simd */

static Status open_team(const Request *request, int threads, void **state) {
    IntegralTeam *team = malloc(sizeof *team);
    if (team == NULL) {
        return status_no_memory("for the state of integral");
    }
    const Image *image = &request->workload->image;
    const IntegralTable table = {
        .image = image,
        .entries = integral_table(request->output),
        .pitch = (size_t)image->width + 1,
        .bits = integral_bits(request->answer),
    };
    const Status status = integral_team_open(&table, threads, team);
    if (!status_is_ok(&status)) {
        integral_team_close(team);
        free(team);
        return status;
    }
    *state = team;
    return status_ok();
}

Status integral_simd_open(const Request *request, void **state) {
    return open_team(request, 1, state);
}

Status integral_omp_open(const Request *request, void **state) {
    return open_team(request, (int)point_integer(request->tuning, "threads", 1), state);
}

Status integral_simd_run(void *state) {
    integral_team_run(state);
    return status_ok();
}

void integral_simd_close(void *state) {
    if (state != NULL) {
        integral_team_close(state);
        free(state);
    }
}
