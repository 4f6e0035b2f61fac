/*
 * haar on all processors: batches (haar_batch.h) are handed out one by one, for some have many more
 * records than others. Each thread has a small buffer of records, and all fill the answer together
 * (haar_sink.h), so that a record goes to memory once.
 */
#include <omp.h>
#include <stdlib.h>

#include "backend.h"
#include "haar_batch.h"
#include "thread_memory.h"

VARIANT_FUNCTIONS(haar_omp);

typedef struct OmpState {
    const HaarKernel *kernel;
    HaarBatch all;
    const Output *output;
    HaarSinkTarget target;
    int threads;
    ThreadMemory memory; /* of each thread: the scratch of its batch, then the sink's buffer */
    size_t scratch_bytes;
} OmpState;

static Status prepare(const Request *request, OmpState *omp) {
    const ImageSet *set = &request->workload->set;
    omp->kernel = haar_kernel_best();
    omp->all = (HaarBatch){.workload = request->workload, .point = haar_point(request->answer)};
    omp->output = request->output;
    omp->target = haar_sink_target(request->output);
    omp->threads = (int)point_integer(request->tuning, "threads", 1);
    omp->scratch_bytes = haar_scratch_bytes(omp->kernel, set);
    STATUS_TRY(haar_packing(set, &omp->all.packing));
    return thread_memory_open(omp->threads, omp->scratch_bytes + HAAR_SINK_BYTES, &omp->memory);
}

Status haar_omp_open(const Request *request, void **state) {
    OmpState *omp = calloc(1, sizeof *omp);
    if (omp == NULL) {
        return status_skip("no memory for the state of haar/omp");
    }
    const Status status = prepare(request, omp);
    if (!status_is_ok(&status)) {
        haar_omp_close(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

Status haar_omp_run(void *state) {
    OmpState *omp = state;
    const int32_t batches = haar_batch_count(omp->kernel, &omp->all.workload->set);
    omp->target.found = 0;
#pragma omp parallel num_threads(omp->threads)
    {
        uint8_t *memory = thread_memory_part(&omp->memory, omp_get_thread_num());
        HaarSink sink = haar_sink(&omp->target, memory + omp->scratch_bytes);
        HaarBatch all = omp->all;
        all.scratch = memory;
#pragma omp for schedule(dynamic, 1) nowait
        for (int32_t i = 0; i < batches; ++i) {
            const HaarBatch batch = haar_batch_at(omp->kernel, &all, i);
            omp->kernel->collect(&batch, &sink);
        }
        haar_sink_finish(&sink);
    }
    *haar_count(omp->output) = omp->target.found;
    return status_ok();
}

void haar_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        thread_memory_close(&omp->memory);
        free(omp);
    }
}
