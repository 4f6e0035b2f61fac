/* adaboost on all processors (adaboost_work.h). */
#include "adaboost_stages.h"
#include "adaboost_work.h"

VARIANT_FUNCTIONS(adaboost_omp);

Status adaboost_omp_open(const Request *request, void **state) {
    return adaboost_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}

Status adaboost_omp_run(void *state) {
    return adaboost_stages_run(adaboost_work_stages, state);
}

void adaboost_omp_close(void *state) {
    adaboost_work_close(state);
}
