/*
 * Uploads from ordinary memory without a copy call. Threads of the host fill a ring of page-locked
 * slots, and a kernel that runs meanwhile waits for each slot and reads it. The driver does both
 * one after the other, with one thread. Only for code that is compiled when CUDA is there.
 *
 * Host and kernel wait for each other, so neither waits for ever: a kernel whose slot is not filled
 * for PULL_SECONDS ends, the host sees it, and the copy is made by a call. Where kernels do not
 * start while the host goes on, as with CUDA_LAUNCH_BLOCKING=1, nothing is pulled.
 */
#ifndef KERNELS_COMMON_PULL_H
#define KERNELS_COMMON_PULL_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "copies.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Less comes up as fast by a call. */
enum { PULL_BYTES_MIN = 256 << 10 };

/* The longest that a kernel waits for one slot. */
#define PULL_SECONDS 1.0

/* Copies rows from host memory that is not page-locked to the device, on cuda_stream(), which is
 * not captured. When it returns the host's memory has been read. `*done` is false, and a call has
 * to copy, where rows do not begin at multiples of 16 bytes on the device or are longer than a
 * slot, and where nothing is pulled. */
Status pull_up(const Copy *copy, bool *done);

/* === Between the host's part and the kernel =================================================== */

enum { PULL_SLOT_BYTES = 128 << 10, PULL_SLOTS = 64 };

/* In page-locked memory. A slot's number counts from the first of the process; it is `filled` when
 * it is there, and `taken` when the slot may be filled again. */
typedef struct PullFlags {
    uint32_t filled[PULL_SLOTS], taken[PULL_SLOTS];
    uint32_t late; /* by the kernel: it waited too long */
} PullFlags;

typedef struct PullJob {
    const uint8_t *slots; /* PULL_SLOTS of PULL_SLOT_BYTES */
    PullFlags *flags;
    uint32_t *next;             /* on the device: of the slots, counted by all blocks of all jobs */
    uint32_t first, first_next; /* number of the job's first slot; `next` when it begins */
    uint32_t slot_count;
    uint8_t *to;
    size_t to_stride; /* bytes, a multiple of 16 */
    uint32_t rows, slot_rows;
    uint32_t width, last_width; /* bytes of a row, and of the last one */
    uint32_t pitch;             /* bytes from row to row in a slot, a multiple of 16 */
} PullJob;

/* Blocks that a job is launched with: each counts `next` once more than it takes slots. */
uint32_t pull_blocks(const PullJob *job);
Status pull_launch(const PullJob *job);

#ifdef __cplusplus
}
#endif

#endif
