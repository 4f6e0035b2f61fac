/* haar on one thread (simd) and on all processors (omp): batches of images go through the best
 * kernel, and their records through a sink. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cpu_features.h"
#include "cpu_memory.h"
#include "haar_internal.h"

/* === Batches ================================================================================== */

CPU_KERNELS(HaarKernel, haar_kernels, haar_kernel_best, &haar_kernel_avx512, &haar_kernel_avx2,
            &haar_kernel_plain)

/* Integral images and two lines of numbers. Pixels are interleaved where the lines will be: a row
 * of them is shorter. */
size_t haar_scratch_bytes(const HaarKernel *kernel, const ImageSet *set) {
    const size_t across = (size_t)set->width + 1;
    const size_t down = (size_t)set->height + 1;
    const size_t line = across > down ? across : down;
    return (across * down + 2 * line) * (size_t)kernel->lanes * sizeof(int32_t);
}

int32_t haar_batch_count(const HaarKernel *kernel, const ImageSet *set) {
    return (set->count - 1) / kernel->lanes + 1;
}

HaarBatch haar_batch_at(const HaarKernel *kernel, const HaarBatch *all, int32_t index) {
    HaarBatch batch = *all;
    batch.first = index * kernel->lanes;
    const int32_t left = all->workload->set.count - batch.first;
    batch.count = left < kernel->lanes ? left : kernel->lanes;
    return batch;
}

/* === Sink ===================================================================================== */

HaarSinkTarget haar_sink_target(const Output *output) {
    const size_t room = haar_capacity(output);
    return (HaarSinkTarget){
        .records = haar_records(output),
        .room = room,
        .stream = room * sizeof(uint64_t) > cpu_last_level_cache_bytes() / 2,
    };
}

static uint64_t advance(HaarSinkTarget *target, uint64_t count) {
    uint64_t before;
#pragma omp atomic capture
    {
        before = target->found;
        target->found += count;
    }
    return before;
}

void haar_sink_empty(HaarSink *sink) {
    HaarSinkTarget *target = sink->target;
    const uint64_t count = (uint64_t)(sink->at - sink->buffer);
    const uint64_t before = advance(target, count);
    const uint64_t left = before < target->room ? target->room - before : 0;
    const size_t bytes = (size_t)(count < left ? count : left) * sizeof(uint64_t);
    sink->at = sink->buffer;
    if (bytes == 0) {
        return;
    }
    if (target->stream) {
        stream_copy((uint8_t *)(target->records + before), (const uint8_t *)sink->buffer, bytes);
    } else {
        memcpy(target->records + before, sink->buffer, bytes);
    }
}

void haar_sink_finish(HaarSink *sink) {
    haar_sink_empty(sink);
    stream_copy_finish();
}

/* === simd ===================================================================================== */

/* haar, best one-thread version: batch after batch through the best kernel (haar_internal.h). */

VARIANT_FUNCTIONS(haar_simd);

typedef struct SimdState {
    const HaarKernel *kernel;
    HaarBatch all;
    const Output *output;
    HaarSinkTarget target;
    void *buffer; /* of the sink */
} SimdState;

static Status prepare_simd(const Request *request, SimdState *simd) {
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
        return status_no_memory("for the state of haar/simd");
    }
    const Status status = prepare_simd(request, simd);
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
    for (int32_t i = 0; i < batches; i++) {
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

/* === omp ====================================================================================== */

/*
 * haar on all processors: batches (haar_internal.h) are handed out one by one, for some have many
 * more records than others. Each thread has a small buffer of records, and all fill the answer
 * together (haar_internal.h), so that a record goes to memory once.
 */

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

static Status prepare_omp(const Request *request, OmpState *omp) {
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
        return status_no_memory("for the state of haar/omp");
    }
    const Status status = prepare_omp(request, omp);
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
        for (int32_t i = 0; i < batches; i++) {
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
