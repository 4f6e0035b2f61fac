#include "pieces.h"

#include <stddef.h>
#include <stdint.h>

#include "backend.h"
#include "cuda_device.h"
#include "transfers.h"

/* A piece is long enough to be copied at full speed, and short enough that little is left to copy
 * on the host when the last one has come down. */
enum { BUFFERS = 4, BUFFER_BYTES = 2 << 20, SHARE_BYTES = 64 << 10 /* of a thread */ };

/* Of one device. */
typedef struct Buffers {
    bool tried, works;
    uint8_t *memory; /* page-locked */
    cudaEvent_t filled[BUFFERS];
} Buffers;

static Buffers all_buffers[CUDA_DEVICES_MAX];

static Status make_buffers(Buffers *buffers) {
    CUDA_TRY(cudaHostAlloc((void **)&buffers->memory, (size_t)BUFFERS * BUFFER_BYTES,
                           cudaHostAllocPortable));
    for (int i = 0; i < BUFFERS; i++) {
        CUDA_TRY(cudaEventCreateWithFlags(&buffers->filled[i], cudaEventDisableTiming));
    }
    return status_ok();
}

static Buffers *buffers_of_device(void) {
    Buffers *buffers = &all_buffers[cuda_used_device()];
    if (!buffers->tried) {
        const Status status = make_buffers(buffers);
        buffers->tried = true;
        buffers->works = status_is_ok(&status);
    }
    return buffers;
}

/* Rows, a piece of which fills a buffer. */
typedef struct Pieces {
    Copy rows;
    size_t piece_rows, count;
} Pieces;

static Pieces divide(const Copy *rows) {
    const size_t piece_rows = BUFFER_BYTES / rows->width;
    return (Pieces){.rows = *rows,
                    .piece_rows = piece_rows,
                    .count = (rows->rows + piece_rows - 1) / piece_rows};
}

static size_t rows_of(const Pieces *pieces, size_t index) {
    const size_t left = pieces->rows.rows - index * pieces->piece_rows;
    return left < pieces->piece_rows ? left : pieces->piece_rows;
}

static uint8_t *buffer_of(const Buffers *buffers, size_t index) {
    return buffers->memory + index % BUFFERS * BUFFER_BYTES;
}

static Status queue_piece(const Buffers *buffers, const Pieces *pieces, size_t index) {
    const Copy *rows = &pieces->rows;
    const uint8_t *from =
        (const uint8_t *)rows->from + index * pieces->piece_rows * rows->from_stride;
    CUDA_TRY(cudaMemcpy2DAsync(buffer_of(buffers, index), rows->width, from, rows->from_stride,
                               rows->width, rows_of(pieces, index), cudaMemcpyDeviceToHost,
                               cuda_stream()));
    CUDA_TRY(cudaEventRecord(buffers->filled[index % BUFFERS], cuda_stream()));
    return status_ok();
}

static Status empty_piece(const Buffers *buffers, const Pieces *pieces, size_t index) {
    const Copy *rows = &pieces->rows;
    CUDA_TRY(cudaEventSynchronize(buffers->filled[index % BUFFERS]));
    host_copy_rows((uint8_t *)rows->to + index * pieces->piece_rows * rows->to_stride,
                   rows->to_stride, buffer_of(buffers, index), rows->width, rows->width,
                   rows_of(pieces, index));
    return status_ok();
}

static Status come_down(const Buffers *buffers, const Pieces *pieces) {
    for (size_t i = 0; i < pieces->count + BUFFERS; i++) {
        if (i >= BUFFERS && i - BUFFERS < pieces->count) {
            STATUS_TRY(empty_piece(buffers, pieces, i - BUFFERS));
        }
        if (i < pieces->count) {
            STATUS_TRY(queue_piece(buffers, pieces, i));
        }
    }
    return status_ok();
}

Status pieces_down(const Copy *copy, bool *done) {
    Copy rows = *copy;
    const size_t bytes = copy->width * copy->rows;
    const bool dense =
        copy->rows == 1 || (copy->from_stride == copy->width && copy->to_stride == copy->width);
    const size_t rest = dense ? bytes % SHARE_BYTES : 0;
    *done = false;
    if (dense) {
        rows.width = rows.from_stride = rows.to_stride = SHARE_BYTES;
        rows.rows = bytes / SHARE_BYTES;
    }
    const Buffers *buffers = buffers_of_device();
    if (!buffers->works || rows.width > BUFFER_BYTES || rows.rows == 0) {
        return status_ok();
    }
    const Pieces pieces = divide(&rows);
    STATUS_TRY(come_down(buffers, &pieces));
    if (rest > 0) {
        CUDA_TRY(cudaMemcpyAsync((uint8_t *)copy->to + bytes - rest,
                                 (const uint8_t *)copy->from + bytes - rest, rest,
                                 cudaMemcpyDeviceToHost, cuda_stream()));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    }
    *done = true;
    return status_ok();
}
