#include "relay.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cuda_device.h"
#include "resources.h"
#include "transfers.h"

/* For each lane but the first, beside HOST_COPY_THREADS. */
enum { THREADS_MORE = 4 };

/* A slot that does not come for this long makes the host ask whether its kernel still runs: what is
 * queued before it may take any time. */
static const double patience = 0.05;

/* Of one device and way. */
typedef struct Ring {
    bool tried, works;
    uint8_t *slots;
    RelayFlags *flags; /* both page-locked, and as the device sees them */
    uint32_t *next, *ready;
    uint32_t numbers, counted; /* slots so far; what `next` is */
} Ring;

static Ring rings[CUDA_DEVICES_MAX][RELAY_WAYS];

/* A copy of a lane. */
typedef struct Task {
    RelayJob job;
    uint8_t *host; /* read on the way up, written on the way down */
    size_t host_stride;
    size_t rows, row_bytes; /* of the copy */
    bool dense;             /* its rows follow each other without a gap */
} Task;

struct RelayLane {
    RelayWay way;
    Ring *ring;
    uint32_t begun, slots; /* that threads have begun with, of all */
    uint32_t awaited;      /* that gates wait for */
    cudaStream_t stream;   /* of the kernels, once one is launched */
    int launched, count, room;
    Task tasks[];
};

static void relax(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* === The ring ================================================================================= */

static Status make_ring(Ring *ring) {
    CUDA_TRY(cudaHostAlloc((void **)&ring->slots, (size_t)RELAY_SLOTS * RELAY_SLOT_BYTES,
                           cudaHostAllocPortable));
    CUDA_TRY(cudaHostAlloc((void **)&ring->flags, sizeof *ring->flags, cudaHostAllocPortable));
    CUDA_TRY(cudaMalloc((void **)&ring->next, 2 * sizeof *ring->next));
    CUDA_TRY(cudaMemset(ring->next, 0, 2 * sizeof *ring->next));
    ring->ready = ring->next + 1;
    STATUS_TRY(relay_load());
    /* As if each slot had been taken once. */
    memset(ring->flags, 0, sizeof *ring->flags);
    for (uint32_t number = 0; number < RELAY_SLOTS; number++) {
        ring->flags->taken[number] = number;
    }
    ring->numbers = RELAY_SLOTS;
    ring->counted = 0;
    ring->works = true;
    return status_ok();
}

/* Whether a kernel that is launched runs while the host goes on: where it does not, the first one
 * would wait for RELAY_SECONDS. */
static bool launches_return(void) {
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    return blocking == NULL || blocking[0] == '\0' || strcmp(blocking, "0") == 0;
}

/* Without memory for it there is no ring, and nothing is relayed. */
static Ring *ring_of_device(RelayWay way) {
    Ring *ring = &rings[cuda_used_device()][way];
    if (!ring->tried) {
        ring->tried = true;
        if (launches_return()) {
            const Status status = make_ring(ring);
            ring->works = status_is_ok(&status);
        }
    }
    return ring;
}

/* === A copy =================================================================================== */

/* Rows that follow each other without a gap are rows of a slot each. */
static bool make_task(const Copy *copy, RelayWay way, const Ring *ring, Task *task) {
    const bool up = way == RELAY_UP;
    const size_t device_stride = up ? copy->to_stride : copy->from_stride;
    const size_t host_stride = up ? copy->from_stride : copy->to_stride;
    const bool dense =
        copy->rows == 1 || (host_stride == copy->width && device_stride == copy->width);
    const size_t bytes = copy->width * copy->rows;
    const size_t rows = dense ? (bytes + RELAY_SLOT_BYTES - 1) / RELAY_SLOT_BYTES : copy->rows;
    const size_t width = dense ? RELAY_SLOT_BYTES : copy->width;
    const size_t stride = dense ? width : device_stride;
    uint8_t *device = (uint8_t *)(uintptr_t)(up ? copy->to : copy->from);
    if ((uintptr_t)device % RELAY_ALIGNMENT != 0 || stride % RELAY_ALIGNMENT != 0 ||
        width > RELAY_SLOT_BYTES || rows > INT32_MAX) {
        return false;
    }
    task->host = (uint8_t *)(uintptr_t)(up ? copy->from : copy->to);
    task->host_stride = dense ? width : host_stride;
    task->rows = copy->rows;
    task->row_bytes = copy->width;
    task->dense = dense;
    task->job = (RelayJob){.way = way,
                           .slots = ring->slots,
                           .flags = ring->flags,
                           .next = ring->next,
                           .first = ring->numbers,
                           .first_next = ring->counted,
                           .device = device,
                           .device_stride = stride,
                           .rows = (uint32_t)rows,
                           .width = (uint32_t)width,
                           .last_width =
                               (uint32_t)(dense && rows > 0 ? bytes - (rows - 1) * width : width)};
    RelayJob *job = &task->job;
    job->pitch = (job->width + 15) / 16 * 16;
    job->slot_rows = job->pitch > 0 ? RELAY_SLOT_BYTES / job->pitch : 1;
    job->slot_count = (job->rows + job->slot_rows - 1) / job->slot_rows;
    return true;
}

/* The host's part of a slot: between the slot and memory. */
static void copy_slot(const Task *task, uint32_t number) {
    const RelayJob *job = &task->job;
    const uint32_t first = (number - job->first) * job->slot_rows;
    const uint32_t end = first + smaller(job->slot_rows, job->rows - first);
    uint8_t *slot = job->slots + (size_t)(number % RELAY_SLOTS) * RELAY_SLOT_BYTES;
    for (uint32_t row = first; row < end; row++) {
        uint8_t *staged = slot + (size_t)(row - first) * job->pitch;
        uint8_t *host = task->host + row * task->host_stride;
        const size_t bytes = row == job->rows - 1 ? job->last_width : job->width;
        memcpy(job->way == RELAY_UP ? staged : host, job->way == RELAY_UP ? host : staged, bytes);
    }
}

/* === Lanes ==================================================================================== */

RelayLane *relay_lane_open(RelayWay way, int room) {
    Ring *ring = ring_of_device(way);
    RelayLane *lane =
        ring->works ? calloc(1, sizeof *lane + (size_t)room * sizeof lane->tasks[0]) : NULL;
    if (lane != NULL) {
        lane->way = way;
        lane->ring = ring;
        lane->room = room;
    }
    return lane;
}

/* What was not queued has used no slot. */
void relay_lane_clear(RelayLane *lane) {
    if (lane == NULL) {
        return;
    }
    if (lane->count > 0 && lane->launched == 0) {
        lane->ring->numbers = lane->tasks[0].job.first;
        lane->ring->counted = lane->tasks[0].job.first_next;
    }
    lane->count = 0;
    lane->begun = 0;
    lane->slots = 0;
    lane->awaited = 0;
    lane->launched = 0;
}

void relay_lane_close(RelayLane *lane) {
    relay_lane_clear(lane);
    free(lane);
}

bool relay_lane_add(RelayLane *lane, const Copy *copy, bool beside) {
    Ring *ring = lane->ring;
    Task *task = &lane->tasks[lane->count];
    if (lane->count == lane->room || !ring->works || !make_task(copy, lane->way, ring, task)) {
        return false;
    }
    ring->numbers += task->job.slot_count;
    task->job.blocks = relay_blocks(task->job.slot_count, beside);
    task->job.ready = beside && lane->way == RELAY_DOWN ? ring->ready : NULL;
    ring->counted += task->job.slot_count + task->job.blocks;
    lane->slots += task->job.slot_count;
    lane->count++;
    return true;
}

Status relay_lane_launch(RelayLane *lane, int index, cudaStream_t stream) {
    const RelayJob *job = &lane->tasks[index].job;
    lane->stream = stream;
    STATUS_TRY(job->slot_count > 0 ? relay_launch(job, stream) : status_ok());
    __atomic_store_n(&lane->launched, index + 1, __ATOMIC_RELEASE);
    return status_ok();
}

/* Slots with rows before `row`; or only those of which all rows are. */
static uint32_t slots_before(const Task *task, size_t row, bool all) {
    const RelayJob *job = &task->job;
    const size_t count = task->dense ? row * task->row_bytes : row;
    const size_t each = task->dense ? job->width : job->slot_rows;
    if (row == task->rows) {
        return job->slot_count;
    }
    return (uint32_t)((count + (all ? 0 : each - 1)) / each);
}

Status relay_lanes_gate(RelayLane *up, size_t until, const RelayLane *down, size_t from,
                        cudaStream_t stream) {
    const uint32_t needed = slots_before(&up->tasks[0], until, false);
    RelayGate gate = {.flags = up->ring->flags,
                      .first = up->tasks[0].job.first + up->awaited,
                      .count = needed - up->awaited};
    up->awaited = needed;
    if (down != NULL) {
        const Task *task = &down->tasks[0];
        gate.ready = down->ring->ready;
        gate.number = task->job.first + slots_before(task, from, true);
    }
    return relay_gate_launch(&gate, stream);
}

/* === The host's threads ======================================================================= */

typedef struct Team {
    RelayLane *const *lanes;
    int count;
    bool stopped; /* by whoever sees that something is wrong */
} Team;

static bool is_stopped(const Team *team) {
    return __atomic_load_n(&team->stopped, __ATOMIC_RELAXED);
}

static void stop(Team *team) {
    __atomic_store_n(&team->stopped, true, __ATOMIC_RELAXED);
}

/* Whether a thread may copy what comes with a number: the kernel has done its part. */
static bool is_turn(const RelayLane *lane, uint32_t number) {
    const RelayFlags *flags = lane->ring->flags;
    const uint32_t slot = number % RELAY_SLOTS;
    return lane->way == RELAY_UP
               ? __atomic_load_n(&flags->taken[slot], __ATOMIC_ACQUIRE) == number - RELAY_SLOTS
               : __atomic_load_n(&flags->filled[slot], __ATOMIC_ACQUIRE) == number;
}

static const Task *task_of(const RelayLane *lane, uint32_t number) {
    int task = lane->count - 1;
    while (task > 0 && number - lane->tasks[task].job.first >= lane->tasks[task].job.slot_count) {
        task--;
    }
    return &lane->tasks[task];
}

/* Copies the next slot of a lane if it is its turn. */
static bool step(RelayLane *lane) {
    uint32_t begun = __atomic_load_n(&lane->begun, __ATOMIC_RELAXED);
    if (begun >= lane->slots) {
        return false;
    }
    const uint32_t number = lane->tasks[0].job.first + begun;
    if (!is_turn(lane, number) ||
        !__atomic_compare_exchange_n(&lane->begun, &begun, begun + 1, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED)) {
        return false;
    }
    RelayFlags *flags = lane->ring->flags;
    uint32_t *flag = lane->way == RELAY_UP ? flags->filled : flags->taken;
    copy_slot(task_of(lane, number), number);
    __atomic_store_n(&flag[number % RELAY_SLOTS], number, __ATOMIC_RELEASE);
    return true;
}

static bool is_idle(cudaStream_t stream) {
    const bool idle = cudaStreamQuery(stream) != cudaErrorNotReady;
    if (!idle) {
        (void)cudaGetLastError(); /* it is no error of what comes next */
    }
    return idle;
}

/* Whether a kernel or a gate has ended too soon. */
static bool is_late(const RelayLane *lane) {
    return __atomic_load_n(&lane->ring->flags->late, __ATOMIC_RELAXED) != 0;
}

/* Whether all kernels have ended, one too soon if any slot is left, or the device failed. */
static bool has_ended(const RelayLane *lane) {
    return is_late(lane) || (__atomic_load_n(&lane->launched, __ATOMIC_ACQUIRE) == lane->count &&
                             is_idle(lane->stream));
}

static bool has_more(const RelayLane *lane) {
    return __atomic_load_n(&lane->begun, __ATOMIC_RELAXED) < lane->slots;
}

/* Of a lane that had no turn for a while. A slot may come just before its kernel ends, and another
 * thread may begin with it meanwhile. */
static bool is_lost(const RelayLane *lane) {
    const uint32_t begun = __atomic_load_n(&lane->begun, __ATOMIC_RELAXED);
    return begun < lane->slots && has_ended(lane) &&
           !is_turn(lane, lane->tasks[0].job.first + begun) &&
           __atomic_load_n(&lane->begun, __ATOMIC_SEQ_CST) == begun;
}

static void work(Team *team) {
    double waits_since = 0;
    for (uint32_t turn = 1; !is_stopped(team); turn++) {
        bool more = false, moved = false;
        for (int i = team->count - 1; i >= 0; i--) {
            moved = step(team->lanes[i]) || moved;
            more = more || has_more(team->lanes[i]);
        }
        if (!more) {
            return;
        }
        if (moved) {
            waits_since = 0;
            continue;
        }
        relax();
        if (turn % 1024 == 0) {
            const double now = host_seconds();
            waits_since = waits_since > 0 ? waits_since : now;
            for (int i = 0; i < team->count && now - waits_since > patience; i++) {
                if (is_lost(team->lanes[i])) {
                    stop(team);
                }
            }
        }
    }
}

/* Whether the kernels of a lane have read all slots. */
static bool is_read(const RelayLane *lane) {
    const uint32_t last = lane->slots > 0 ? lane->tasks[0].job.first + lane->slots - 1 : 0;
    bool read = true;
    for (uint32_t i = 0; i < smaller(lane->slots, RELAY_SLOTS) && read; i++) {
        const uint32_t *taken = &lane->ring->flags->taken[(last - i) % RELAY_SLOTS];
        read = __atomic_load_n(taken, __ATOMIC_ACQUIRE) == last - i;
    }
    return read;
}

/* What threads filled after its kernel had ended was not copied. */
static void wait_until_read(Team *team, const RelayLane *lane) {
    for (uint32_t turn = 1; lane->way == RELAY_UP && !is_stopped(team) && !is_read(lane); turn++) {
        relax();
        if (turn % 4096 == 0 && has_ended(lane) && !is_read(lane)) {
            stop(team);
        }
    }
}

/* However few the slots are: a team of another size costs more than threads without work. */
static int threads_of(const Team *team) {
    return host_copy_threads(HOST_COPY_THREADS + THREADS_MORE * (team->count - 1));
}

Status relay_run(RelayLane *const *lanes, int count, Status (*queue)(void *context), void *context,
                 bool *done) {
    Team team = {.lanes = lanes, .count = count};
    Status status = status_ok();
#pragma omp parallel num_threads(threads_of(&team))
    {
#pragma omp master
        {
            status = queue(context);
            if (!status_is_ok(&status)) {
                stop(&team);
            }
        }
        work(&team);
    }
    for (int i = 0; i < count; i++) {
        wait_until_read(&team, lanes[i]);
        if (is_late(lanes[i])) { /* a gate: its rows came, but they were computed before */
            stop(&team);
        }
    }
    *done = !is_stopped(&team);
    for (int i = 0; i < count && !*done; i++) {
        lanes[i]->ring->works = false;
    }
    return status.code == STATUS_SKIP ? status_ok() : status;
}

/* === One copy ================================================================================= */

static Status queue_one(void *context) {
    return relay_lane_launch(context, 0, cuda_stream());
}

Status relay_copy(const Copy *copy, RelayWay way, bool *done) {
    RelayLane *lane = relay_lane_open(way, 1);
    *done = false;
    if (lane == NULL || !relay_lane_add(lane, copy, false)) {
        relay_lane_close(lane);
        return status_ok();
    }
    const Status status = relay_run(&lane, 1, queue_one, lane, done);
    relay_lane_close(lane);
    if (status_is_ok(&status) && !*done) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream())); /* the kernel ends by itself */
    }
    return status;
}
