/*
 * The state of a CUDA variant, and its memory as a table: a line for each buffer says how large it
 * is and whether it goes up, comes down or is cleared. One function opens all of them, one uploads,
 * one downloads, one closes.
 *
 *     const CudaBuffer table[] = {
 *         cuda_rows_up_in_zeros(&device->image, bytes, cuda_image_rows(image, stride)),
 *         cuda_down(&device->codes, bytes, lbp_codes(request->output)),
 *         cuda_cleared(&device->histogram, LBP_BINS * sizeof(LbpCount)),
 *         cuda_scratch(&device->sums, bytes),
 *     };
 *     return cuda_open_buffers(device, table);
 *
 * Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_CUDA_STATE_H
#define KERNELS_COMMON_CUDA_STATE_H

#include <stdbool.h>
#include <stdlib.h>

#include "copies.h"
#include "cuda_device.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === A line of the table ====================================================================== */

/* Rows of bytes in host memory, which stay there meanwhile, and where they lie in the buffer. */
typedef struct CudaRows {
    const void *host;   /* of what comes down: written to. NULL: nothing is copied */
    size_t host_stride; /* bytes */
    size_t offset;      /* of the first row in the buffer */
    size_t stride;      /* bytes from row to row in the buffer */
    size_t width;       /* bytes */
    size_t rows;
} CudaRows;

typedef enum CudaMove {
    CUDA_STAYS,
    CUDA_CLEARED,     /* upload sets all of it to 0 */
    CUDA_UP,          /* upload copies the rows */
    CUDA_UP_IN_ZEROS, /* and sets to 0 what is between and around them */
    CUDA_DOWN         /* download copies the rows */
} CudaMove;

typedef enum CudaMemory {
    CUDA_ON_DEVICE, /* of the backend: with guard bands, and poisoned */
    CUDA_PINNED,    /* page-locked host memory */
    CUDA_ON_HOST,   /* of the CPU's backend */
    CUDA_ELSEWHERE  /* the pointer is set by somebody else, and may change */
} CudaMemory;

typedef struct CudaBuffer {
    void *member; /* the pointer to the buffer, of any type, which opening sets. It stays where it
                     is as long as the state is open */
    size_t bytes;
    CudaMemory memory;
    CudaMove move;
    CudaRows rows;
    void (*release)(void *object); /* of an object that is no buffer, which `member` is then */
} CudaBuffer;

static inline CudaBuffer cuda_buffer(void *member, size_t bytes, CudaMove move, CudaRows rows) {
    const CudaBuffer buffer = {member, bytes, CUDA_ON_DEVICE, move, rows, NULL};
    return buffer;
}

/* One row of as many bytes as the buffer. */
static inline CudaRows cuda_row(const void *host, size_t bytes) {
    const CudaRows rows = {host, bytes, 0, bytes, bytes, 1};
    return rows;
}

/* The pixels of an image, of a byte each. */
static inline CudaRows cuda_image_rows(const Image *image, size_t stride) {
    const CudaRows rows = {image->pixels, image->stride,        0,
                           stride,        (size_t)image->width, (size_t)image->height};
    return rows;
}

/* What kernels leave for each other: neither copied nor cleared. */
static inline CudaBuffer cuda_scratch(void *member, size_t bytes) {
    return cuda_buffer(member, bytes, CUDA_STAYS, cuda_row(NULL, 0));
}

static inline CudaBuffer cuda_cleared(void *member, size_t bytes) {
    return cuda_buffer(member, bytes, CUDA_CLEARED, cuda_row(NULL, 0));
}

static inline CudaBuffer cuda_up(void *member, size_t bytes, const void *host) {
    return cuda_buffer(member, bytes, CUDA_UP, cuda_row(host, bytes));
}

static inline CudaBuffer cuda_rows_up(void *member, size_t bytes, CudaRows rows) {
    return cuda_buffer(member, bytes, CUDA_UP, rows);
}

static inline CudaBuffer cuda_rows_up_in_zeros(void *member, size_t bytes, CudaRows rows) {
    return cuda_buffer(member, bytes, CUDA_UP_IN_ZEROS, rows);
}

static inline CudaBuffer cuda_down(void *member, size_t bytes, const void *host) {
    return cuda_buffer(member, bytes, CUDA_DOWN, cuda_row(host, bytes));
}

static inline CudaBuffer cuda_rows_down(void *member, size_t bytes, CudaRows rows) {
    return cuda_buffer(member, bytes, CUDA_DOWN, rows);
}

/* Comes down from where the pointer points at that time, into a buffer of another line. */
static inline CudaBuffer cuda_view_down(void *member, CudaRows rows) {
    const CudaBuffer buffer = {member, 0, CUDA_ELSEWHERE, CUDA_DOWN, rows, NULL};
    return buffer;
}

/* Memory of the host, for what is copied by the variant itself. */
static inline CudaBuffer cuda_pinned(void *member, size_t bytes) {
    const CudaBuffer buffer = {member, bytes, CUDA_PINNED, CUDA_STAYS, cuda_row(NULL, 0), NULL};
    return buffer;
}

static inline CudaBuffer cuda_on_host(void *member, size_t bytes) {
    const CudaBuffer buffer = {member, bytes, CUDA_ON_HOST, CUDA_STAYS, cuda_row(NULL, 0), NULL};
    return buffer;
}

/* The line where it is wanted; elsewhere the pointer stays NULL. */
static inline CudaBuffer cuda_where(bool wanted, CudaBuffer line) {
    line.memory = wanted ? line.memory : CUDA_ELSEWHERE;
    line.move = wanted ? line.move : CUDA_STAYS;
    return line;
}

/* === The state ================================================================================ */

/* What every state begins with. */
typedef struct CudaState {
    const Request *request;
    CudaBuffer *buffers; /* what is open, in the order in which it was opened */
    int count;
    const struct CudaState *shared; /* NULL, or see cuda_state_share */
} CudaState;

/* Opens the lines of a table, in order; a state may open several tables. On anything but STATUS_OK
 * those before the line that failed are open, and closed with the state. */
Status cuda_buffers_open(CudaState *state, const CudaBuffer *table, int count);

/* Closes one, whose pointer becomes NULL. NULL is ignored. */
void cuda_buffer_close(CudaState *state, void *member);

/* Has `release(object)` called when the state is closed, before what was opened earlier is. At once
 * if there is no memory to remember it. NULL is ignored. */
Status cuda_state_own(CudaState *state, void *object, void (*release)(void *object));

/* Allocates `bytes` of zeros in host memory, which the state owns. */
Status cuda_state_part(CudaState *state, size_t bytes, void **part);

/* Where both states have a line of rows from the same place of the host, uploads of `state` copy
 * them from `first`, which is on another device that this one reaches, and is uploaded before.
 * False, and nothing changes, where such rows have fewer than `least` bytes. */
bool cuda_state_share(CudaState *state, const CudaState *first, size_t least);

/* The operations of every state: upload and download are the table's, queued on cuda_stream() in
 * its order; download waits. */
VARIANT_FUNCTIONS(cuda_state);

/* The copies of download without the wait. */
VARIANT_EXTERN Status cuda_state_queue_download(void *state);

/* Upload, and download without the wait, but for the rows of the buffer of this pointer, which come
 * and go in another way. */
Status cuda_upload_except(CudaState *state, const void *member);
Status cuda_download_except(CudaState *state, const void *member);

/* Upload, and another copy or fill with it. */
Status cuda_upload_and(CudaState *state, Copy more);

/* Upload, with another copy in the place of the rows of the buffer of this pointer. */
Status cuda_upload_instead(CudaState *state, const void *member, Copy instead);

#ifdef __cplusplus
}

template <int COUNT> Status cuda_open_buffers(CudaState *state, const CudaBuffer (&table)[COUNT]) {
    return cuda_buffers_open(state, table, COUNT);
}

/* Allocates a State of zero bytes, which begins with a CudaState, and calls open(State *) on it. If
 * that fails it is closed, and *state stays as it was. `bytes`: of what begins with a State. */
template <typename State, typename Open>
Status cuda_open_state(const Request *request, void **state, const Open &open,
                       size_t bytes = sizeof(State)) {
    State *opened = (State *)calloc(1, bytes);
    if (opened == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    ((CudaState *)opened)->request = request;
    const Status status = open(opened);
    if (!status_is_ok(&status)) {
        cuda_state_close(opened);
        return status;
    }
    *state = opened;
    return status;
}

#endif

#endif
