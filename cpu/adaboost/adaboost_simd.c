/* adaboost, best one-thread version (adaboost_work.h). */
#include "adaboost_stages.h"
#include "adaboost_work.h"

VARIANT_FUNCTIONS(adaboost_simd);

Status adaboost_simd_open(const Request *request, void **state) {
    return adaboost_work_open(request, 1, state);
}

Status adaboost_simd_run(void *state) {
    return adaboost_stages_run(adaboost_work_stages, state);
}

void adaboost_simd_close(void *state) {
    adaboost_work_close(state);
}
