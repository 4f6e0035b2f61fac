/* The stages of the CPU variants: integral, values, sort, boosting. */
#ifndef CPU_ADABOOST_STAGES_H
#define CPU_ADABOOST_STAGES_H

#include "variant.h"

extern const Stage adaboost_seq_stages[];
/* Of simd and omp. */
extern const Stage adaboost_work_stages[];

/* One after the other. */
static inline Status adaboost_stages_run(const Stage *stages, void *state) {
    for (; stages->name != NULL; ++stages) {
        STATUS_TRY(stages->run(state));
    }
    return status_ok();
}

#endif
