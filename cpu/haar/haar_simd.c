/* haar, best one-thread version: batch after batch through the best kernel (haar_batch.h). */
#include <stdlib.h>

#include "backend.h"
#include "haar_batch.h"

VARIANT_FUNCTIONS(haar_simd);

typedef struct SimdState {
    const HaarKernel *kernel;
    HaarBatch all;
    const Output *output;
    HaarSinkTarget target;
    void *buffer; /* of the sink */
} SimdState;

static Status prepare(const Request *request, SimdState *simd) {
    const ImageSet *set = &request->workload->set;
    simd->kernel = haar_kernel_best();
    simd->all = (HaarBatch){.workload = request->workload, .point = haar_point(request->answer)};
    simd->output = request->output;
    simd->target = haar_sink_target(request->output);
    STATUS_TRY(haar_packing(set, &simd->all.packing));
    STATUS_TRY(cpu_backend.alloc(HAAR_SINK_BYTES, &simd->buffer));
    return cpu_backend.alloc(haar_scratch_bytes(simd->kernel, set), &simd->all.scratch);
}

Status haar_simd_open(const Request *request, void **state) {
    SimdState *simd = calloc(1, sizeof *simd);
    if (simd == NULL) {
        return status_skip("no memory for the state of haar/simd");
    }
    const Status status = prepare(request, simd);
    if (!status_is_ok(&status)) {
        haar_simd_close(simd);
        return status;
    }
    *state = simd;
    return status_ok();
}

Status haar_simd_run(void *state) {
    SimdState *simd = state;
    const int32_t batches = haar_batch_count(simd->kernel, &simd->all.workload->set);
    HaarSink sink = haar_sink(&simd->target, simd->buffer);
    simd->target.found = 0;
    for (int32_t i = 0; i < batches; ++i) {
        const HaarBatch batch = haar_batch_at(simd->kernel, &simd->all, i);
        simd->kernel->collect(&batch, &sink);
    }
    haar_sink_finish(&sink);
    *haar_count(simd->output) = simd->target.found;
    return status_ok();
}

void haar_simd_close(void *state) {
    SimdState *simd = state;
    if (simd != NULL) {
        cpu_backend.release(simd->buffer);
        cpu_backend.release(simd->all.scratch);
        free(simd);
    }
}
