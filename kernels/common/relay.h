/*
 * Copies between the device and ordinary memory without a copy call. Threads of the host and a
 * kernel that runs meanwhile hand each other the slots of a page-locked ring: up, threads fill them
 * and the kernel reads them; down, the kernel fills them. The driver does both one after the other,
 * with one thread. Only for code that is compiled when CUDA is there.
 *
 * Host and kernel wait for each other, so neither waits for ever: a kernel that waits for one slot
 * for RELAY_SECONDS ends, the host sees it, and calls copy from then on. Where kernels do not start
 * while the host goes on, as with CUDA_LAUNCH_BLOCKING=1, nothing is relayed.
 */
#ifndef KERNELS_COMMON_RELAY_H
#define KERNELS_COMMON_RELAY_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "copies.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Less is copied as fast by a call. */
enum { RELAY_BYTES_MIN = 256 << 10 };

/* The longest that a kernel waits for one slot. */
#define RELAY_SECONDS 1.0

/* Rows begin at multiples of this on the device, in bytes. */
enum { RELAY_ALIGNMENT = 16 };

typedef enum RelayWay { RELAY_UP, RELAY_DOWN, RELAY_WAYS } RelayWay;

/* Copies rows on cuda_stream(), which is not captured. When it returns, the host's memory has been
 * read, or written. `*done` is false, and a call has to copy, where rows do not begin at multiples
 * of RELAY_ALIGNMENT on the device or are longer than a slot, and where nothing is relayed. */
Status relay_copy(const Copy *copy, RelayWay way, bool *done);

/* === Several copies at once =================================================================== */

/* Copies one way that follow each other, of the device in use when it was opened. */
typedef struct RelayLane RelayLane;

/* For `room` copies at most. NULL: nothing is relayed here, or there is no memory. */
RelayLane *relay_lane_open(RelayWay way, int room);
void relay_lane_close(RelayLane *lane);

/* Forgets the copies of a lane, before others are added. A device's lanes of one way are used one
 * after the other. Both ignore NULL. */
void relay_lane_clear(RelayLane *lane);

/* Adds a copy without rows or any that relay_copy() takes, its device in use; false: it was not
 * added. `beside`: it goes on beside kernels that compute, and one down is launched before what it
 * copies is computed. */
bool relay_lane_add(RelayLane *lane, const Copy *copy, bool beside);

/* Queues the kernel of a lane's copy `index` on `stream`: in their order, all on one. */
Status relay_lane_launch(RelayLane *lane, int index, cudaStream_t stream);

/* Queues on `stream`, in the place of events of two streams: a wait until all slots with rows
 * before `until` of the first copy of `up` are on the device, and that slots with no row from
 * `from` on of the first copy of `down` may leave it. `down` may be NULL. Otherwise its copy, which
 * was added with `beside`, waits for such calls. `up` is launched before; `until` and `from` grow
 * from call to call.
 */
Status relay_lanes_gate(RelayLane *up, size_t until, const RelayLane *down, size_t from,
                        cudaStream_t stream);

/* Calls `queue`, which launches all copies of all lanes, while threads fill and empty the slots.
 * When it returns, all that was added has left the host's memory, or is there. `*done` is false
 * where it is not, because a kernel or the host was late: then the copies have to be made anew. */
Status relay_run(RelayLane *const *lanes, int count, Status (*queue)(void *context), void *context,
                 bool *done);

/* === Between the host's part and the kernel =================================================== */

enum { RELAY_SLOT_BYTES = 128 << 10, RELAY_SLOTS = 64 };

/* In page-locked memory. A slot's number counts from the first of the process: the slot is `filled`
 * when it has what comes with that number, and `taken` when that is gone again. */
typedef struct RelayFlags {
    uint32_t filled[RELAY_SLOTS], taken[RELAY_SLOTS];
    uint32_t late; /* by the kernel: it waited too long */
} RelayFlags;

typedef struct RelayJob {
    RelayWay way;
    uint8_t *slots; /* RELAY_SLOTS of RELAY_SLOT_BYTES */
    RelayFlags *flags;
    uint32_t *next;             /* on the device: of the slots, counted by all blocks of all jobs */
    uint32_t first, first_next; /* number of the job's first slot; `next` when it begins */
    uint32_t slot_count;
    uint32_t blocks;       /* each counts `next` once more than it takes slots */
    const uint32_t *ready; /* on the device: slots below this number may go. NULL: all */
    uint8_t *device;
    size_t device_stride; /* bytes, a multiple of RELAY_ALIGNMENT */
    uint32_t rows, slot_rows;
    uint32_t width, last_width; /* bytes of a row, and of the last one */
    uint32_t pitch;             /* bytes from row to row in a slot, a multiple of 16 */
} RelayJob;

/* Loads all code: kernels that wait for each other must not be launched before. */
Status relay_load(void);

/* Blocks for so many slots, on the device in use; so few that those beside find room. */
uint32_t relay_blocks(uint32_t slots, bool beside);
Status relay_launch(const RelayJob *job, cudaStream_t stream);

/* Waits until slots `first` to `first` + `count` - 1 are taken, then sets `*ready`. */
typedef struct RelayGate {
    RelayFlags *flags;
    uint32_t first, count;
    uint32_t *ready, number; /* NULL: it stays */
} RelayGate;

Status relay_gate_launch(const RelayGate *gate, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
