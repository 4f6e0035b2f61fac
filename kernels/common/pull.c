#include "pull.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cuda_device.h"
#include "resources.h"
#include "transfers.h"

enum { THREADS_MAX = 8 /* that fill slots: eight fill the bus */ };

/* Seconds that the host waits for a slot to be taken: what is queued before the kernel comes first.
 */
static const double patience = 10;

/* Of one device. */
typedef struct Ring {
    bool tried, works;
    uint8_t *slots;
    PullFlags *flags; /* both page-locked, and as the device sees them */
    uint32_t *next;
    uint32_t numbers, counted; /* slots so far; what `next` is */
} Ring;

static Ring rings[CUDA_DEVICES_MAX];

static void relax(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* === A job ==================================================================================== */

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Rows that follow each other without a gap are rows of a slot each. */
static bool make_job(const Copy *copy, Ring *ring, PullJob *job, size_t *from_stride) {
    const bool dense =
        copy->rows == 1 || (copy->from_stride == copy->width && copy->to_stride == copy->width);
    const size_t bytes = copy->width * copy->rows;
    const size_t rows = dense ? (bytes + PULL_SLOT_BYTES - 1) / PULL_SLOT_BYTES : copy->rows;
    const size_t width = dense ? PULL_SLOT_BYTES : copy->width;
    const size_t stride = dense ? width : copy->to_stride;
    *from_stride = dense ? width : copy->from_stride;
    if ((uintptr_t)copy->to % 16 != 0 || stride % 16 != 0 || width > PULL_SLOT_BYTES ||
        rows > INT32_MAX) {
        return false;
    }
    *job = (PullJob){.slots = ring->slots,
                     .flags = ring->flags,
                     .next = ring->next,
                     .first = ring->numbers,
                     .first_next = ring->counted,
                     .to = copy->to,
                     .to_stride = stride,
                     .rows = (uint32_t)rows,
                     .width = (uint32_t)width,
                     .last_width = (uint32_t)(dense ? bytes - (rows - 1) * width : width)};
    job->pitch = (job->width + 15) / 16 * 16;
    job->slot_rows = PULL_SLOT_BYTES / job->pitch;
    job->slot_count = (job->rows + job->slot_rows - 1) / job->slot_rows;
    return true;
}

static bool is_late(const PullFlags *flags) {
    return __atomic_load_n(&flags->late, __ATOMIC_RELAXED) != 0;
}

/* Waits until the kernel has taken slot `number`; false: it does not. */
static bool wait_until_taken(const PullFlags *flags, uint32_t number) {
    const double started = host_seconds();
    for (uint32_t i = 1;
         __atomic_load_n(&flags->taken[number % PULL_SLOTS], __ATOMIC_ACQUIRE) != number; i++) {
        if (i % 4096 == 0 && (is_late(flags) || host_seconds() - started > patience)) {
            return false;
        }
        relax();
    }
    return true;
}

static void fill_slot(const PullJob *job, const uint8_t *from, size_t from_stride, uint32_t index) {
    const uint32_t number = job->first + index;
    const uint32_t first = index * job->slot_rows;
    const uint32_t end = first + smaller(job->slot_rows, job->rows - first);
    const size_t pitch = job->pitch;
    uint8_t *to = (uint8_t *)job->slots + (size_t)(number % PULL_SLOTS) * PULL_SLOT_BYTES;
    for (uint32_t row = first; row < end; row++) {
        memcpy(to + (row - first) * pitch, from + row * from_stride,
               row == job->rows - 1 ? job->last_width : job->width);
    }
    __atomic_store_n(&job->flags->filled[number % PULL_SLOTS], number, __ATOMIC_RELEASE);
}

/* Fills all slots of a job that was launched; false: the kernel does not take them. */
static bool fill_slots(const PullJob *job, const uint8_t *from, size_t from_stride) {
    const int most = thread_team_default();
    const int threads =
        (int)smaller((uint32_t)(most < THREADS_MAX ? most : THREADS_MAX), job->slot_count);
    uint32_t next = 0;
    bool taken = true;
#pragma omp parallel num_threads(threads)
    for (uint32_t index = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
         index < job->slot_count && __atomic_load_n(&taken, __ATOMIC_RELAXED);
         index = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) {
        if (index < PULL_SLOTS || wait_until_taken(job->flags, job->first + index - PULL_SLOTS)) {
            fill_slot(job, from, from_stride, index);
        } else {
            __atomic_store_n(&taken, false, __ATOMIC_RELAXED);
        }
    }
    const uint32_t last = smaller(job->slot_count, PULL_SLOTS);
    for (uint32_t i = 0; i < last && taken; i++) {
        taken = wait_until_taken(job->flags, job->first + job->slot_count - 1 - i);
    }
    return taken;
}

/* After a failure nothing is pulled any more; the kernel ends by itself. */
static Status run_job(Ring *ring, const PullJob *job, const void *from, size_t from_stride) {
    ring->numbers += job->slot_count;
    ring->counted += job->slot_count + pull_blocks(job);
    Status status = pull_launch(job);
    ring->works = status_is_ok(&status);
    if (!ring->works) {
        return status.code == STATUS_SKIP ? status_ok() : status;
    }
    ring->works = fill_slots(job, from, from_stride);
    if (!ring->works) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    }
    return status_ok();
}

/* === The ring ================================================================================= */

static Status make_ring(Ring *ring) {
    CUDA_TRY(cudaHostAlloc((void **)&ring->slots, (size_t)PULL_SLOTS * PULL_SLOT_BYTES,
                           cudaHostAllocPortable));
    CUDA_TRY(cudaHostAlloc((void **)&ring->flags, sizeof *ring->flags, cudaHostAllocPortable));
    CUDA_TRY(cudaMalloc((void **)&ring->next, sizeof *ring->next));
    CUDA_TRY(cudaMemset(ring->next, 0, sizeof *ring->next));
    /* Memory of the host begins with what it held before: no slot of that number comes soon. */
    memset(ring->flags, 0, sizeof *ring->flags);
    ring->numbers = PULL_SLOTS;
    ring->counted = 0;
    ring->works = true;
    return status_ok();
}

/* Whether a kernel that is launched runs while the host goes on: where it does not, the first one
 * would wait for PULL_SECONDS. */
static bool launches_return(void) {
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    return blocking == NULL || blocking[0] == '\0' || strcmp(blocking, "0") == 0;
}

/* Without memory for it there is no ring, and nothing is pulled. */
static Ring *ring_of_device(void) {
    Ring *ring = &rings[cuda_used_device()];
    if (!ring->tried) {
        ring->tried = true;
        if (launches_return()) {
            const Status status = make_ring(ring);
            ring->works = status_is_ok(&status);
        }
    }
    return ring;
}

Status pull_up(const Copy *copy, bool *done) {
    Ring *ring = ring_of_device();
    PullJob job;
    size_t from_stride = 0;
    *done = false;
    if (!ring->works || !make_job(copy, ring, &job, &from_stride)) {
        return status_ok();
    }
    STATUS_TRY(run_job(ring, &job, copy->from, from_stride));
    *done = ring->works;
    return status_ok();
}
