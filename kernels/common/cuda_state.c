#include "cuda_state.h"

#include <string.h>

/* === Open and close =========================================================================== */

/* Where the buffer lies now. */
static uint8_t *memory_of(const CudaBuffer *buffer) {
    uint8_t *memory = NULL;
    memcpy(&memory, buffer->member, sizeof memory);
    return memory;
}

static void set_member(const CudaBuffer *buffer, void *memory) {
    memcpy(buffer->member, &memory, sizeof memory);
}

static Status allocate_pinned(size_t bytes, void **memory) {
    CUDA_TRY(cudaMallocHost(memory, bytes));
    return status_ok();
}

static Status allocate(const CudaBuffer *buffer) {
    void *memory = NULL;
    switch (buffer->memory) {
    case CUDA_ON_DEVICE: STATUS_TRY(cuda_backend.alloc(buffer->bytes, &memory)); break;
    case CUDA_PINNED: STATUS_TRY(allocate_pinned(buffer->bytes, &memory)); break;
    case CUDA_ON_HOST: STATUS_TRY(cpu_backend.alloc(buffer->bytes, &memory)); break;
    case CUDA_ELSEWHERE: return status_ok();
    }
    set_member(buffer, memory);
    return status_ok();
}

static void release_buffer(const CudaBuffer *buffer) {
    if (buffer->release != NULL) {
        buffer->release(buffer->member);
        return;
    }
    switch (buffer->memory) {
    case CUDA_ON_DEVICE: cuda_backend.release(memory_of(buffer)); break;
    case CUDA_PINNED: (void)cudaFreeHost(memory_of(buffer)); break;
    case CUDA_ON_HOST: cpu_backend.release(memory_of(buffer)); break;
    case CUDA_ELSEWHERE: break;
    }
}

/* Room for `more` lines. */
static Status lengthen(CudaState *state, int more) {
    const size_t lines = (size_t)state->count + (size_t)more;
    CudaBuffer *buffers = realloc(state->buffers, lines * sizeof *buffers);
    if (buffers == NULL) {
        return status_no_memory("for the table of a state's buffers");
    }
    state->buffers = buffers;
    return status_ok();
}

Status cuda_buffers_open(CudaState *state, const CudaBuffer *table, int count) {
    STATUS_TRY(lengthen(state, count));
    for (int i = 0; i < count; i++) {
        STATUS_TRY(allocate(&table[i]));
        state->buffers[state->count++] = table[i];
    }
    return status_ok();
}

void cuda_buffer_close(CudaState *state, void *member) {
    for (int i = 0; i < state->count; i++) {
        CudaBuffer *buffer = &state->buffers[i];
        if (buffer->member == member) {
            release_buffer(buffer);
            set_member(buffer, NULL);
            state->count--;
            memmove(buffer, buffer + 1, (size_t)(state->count - i) * sizeof *buffer);
            return;
        }
    }
}

Status cuda_state_own(CudaState *state, void *object, void (*release)(void *object)) {
    if (object == NULL) {
        return status_ok();
    }
    const Status status = lengthen(state, 1);
    if (!status_is_ok(&status)) {
        release(object);
        return status;
    }
    state->buffers[state->count++] =
        (CudaBuffer){.member = object, .memory = CUDA_ELSEWHERE, .release = release};
    return status;
}

Status cuda_state_part(CudaState *state, size_t bytes, void **part) {
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    STATUS_TRY(cuda_state_own(state, memory, free));
    *part = memory;
    return status_ok();
}

/* The last opened first. */
void cuda_state_close(void *state) {
    CudaState *opened = state;
    if (opened == NULL) {
        return;
    }
    while (opened->count > 0) {
        release_buffer(&opened->buffers[--opened->count]);
    }
    free(opened->buffers);
    free(opened);
}

/* === Upload and download ====================================================================== */

/* Copies that have not been queued yet. */
typedef struct Batch {
    enum cudaMemcpyKind direction;
    int count;
    Copy copies[COPIES_MAX];
} Batch;

static Status queue_batch(Batch *batch) {
    const int count = batch->count;
    batch->count = 0;
    return count > 0 ? copies_queue(batch->copies, count, batch->direction) : status_ok();
}

static Status add_copy(Batch *batch, Copy copy) {
    if (batch->count == COPIES_MAX) {
        STATUS_TRY(queue_batch(batch));
    }
    batch->copies[batch->count++] = copy;
    return status_ok();
}

/* What is before the rows, between them and behind them. */
static Status add_zeros(Batch *batch, const CudaBuffer *buffer) {
    const CudaRows *rows = &buffer->rows;
    uint8_t *memory = memory_of(buffer);
    const size_t end = rows->offset + rows->rows * rows->stride;
    const Copy between = {.to = memory + rows->offset + rows->width,
                          .to_stride = rows->stride,
                          .width = rows->stride - rows->width,
                          .rows = rows->rows};
    STATUS_TRY(add_copy(batch, copy_clear(memory, rows->offset)));
    STATUS_TRY(add_copy(batch, between));
    return add_copy(batch, copy_clear(memory + end, buffer->bytes - end));
}

/* The rows of a buffer, from elsewhere. */
static Copy rows_from(const CudaBuffer *buffer, const void *from, size_t from_stride) {
    const CudaRows *rows = &buffer->rows;
    return (Copy){.to = memory_of(buffer) + rows->offset,
                  .to_stride = rows->stride,
                  .from = from,
                  .from_stride = from_stride,
                  .width = rows->width,
                  .rows = rows->rows};
}

static Status add_upload(Batch *batch, const CudaBuffer *buffer, bool with_rows) {
    const CudaRows *rows = &buffer->rows;
    if (buffer->move == CUDA_CLEARED) {
        return add_copy(batch, copy_clear(memory_of(buffer), buffer->bytes));
    }
    if (buffer->move != CUDA_UP && buffer->move != CUDA_UP_IN_ZEROS) {
        return status_ok();
    }
    if (with_rows && rows->host != NULL) {
        STATUS_TRY(add_copy(batch, rows_from(buffer, rows->host, rows->host_stride)));
    }
    return buffer->move == CUDA_UP_IN_ZEROS ? add_zeros(batch, buffer) : status_ok();
}

static Status add_download(Batch *batch, const CudaBuffer *buffer) {
    const CudaRows *rows = &buffer->rows;
    return buffer->move == CUDA_DOWN && rows->host != NULL
               ? add_copy(batch, (Copy){.to = (void *)rows->host,
                                        .to_stride = rows->host_stride,
                                        .from = memory_of(buffer) + rows->offset,
                                        .from_stride = rows->stride,
                                        .width = rows->width,
                                        .rows = rows->rows})
               : status_ok();
}

/* The line of the other state with the same rows as this line; else NULL. */
static const CudaBuffer *same_rows(const CudaState *state, int line, const CudaState *other) {
    if (other == NULL || line >= other->count) {
        return NULL;
    }
    const CudaBuffer *a = &state->buffers[line], *b = &other->buffers[line];
    const bool up = a->move == CUDA_UP || a->move == CUDA_UP_IN_ZEROS;
    return up && a->move == b->move && a->rows.host != NULL && a->rows.host == b->rows.host &&
                   a->rows.host_stride == b->rows.host_stride && a->rows.offset == b->rows.offset &&
                   a->rows.stride == b->rows.stride && a->rows.width == b->rows.width &&
                   a->rows.rows == b->rows.rows
               ? b
               : NULL;
}

bool cuda_state_share(CudaState *state, const CudaState *first, size_t least) {
    size_t bytes = 0;
    for (int i = 0; i < state->count; i++) {
        const CudaBuffer *line = same_rows(state, i, first);
        bytes += line != NULL ? line->rows.width * line->rows.rows : 0;
    }
    if (bytes < least) {
        return false;
    }
    state->shared = first;
    return true;
}

static Status queue_shared(const CudaState *state, const void *except) {
    Batch batch = {.direction = cudaMemcpyDefault};
    for (int i = 0; i < state->count; i++) {
        const CudaBuffer *buffer = &state->buffers[i];
        const CudaBuffer *from = same_rows(state, i, state->shared);
        if (from != NULL && buffer->member != except) {
            const uint8_t *rows = memory_of(from) + from->rows.offset;
            STATUS_TRY(add_copy(&batch, rows_from(buffer, rows, from->rows.stride)));
        }
    }
    return queue_batch(&batch);
}

static Status queue_upload(CudaState *state, const void *except, Batch *batch) {
    for (int i = 0; i < state->count; i++) {
        const CudaBuffer *buffer = &state->buffers[i];
        const bool comes_shared = same_rows(state, i, state->shared) != NULL;
        STATUS_TRY(add_upload(batch, buffer, buffer->member != except && !comes_shared));
    }
    STATUS_TRY(queue_shared(state, except));
    return queue_batch(batch);
}

Status cuda_upload_except(CudaState *state, const void *member) {
    Batch batch = {.direction = cudaMemcpyHostToDevice};
    return queue_upload(state, member, &batch);
}

Status cuda_upload_and(CudaState *state, Copy more) {
    return cuda_upload_instead(state, NULL, more);
}

Status cuda_upload_instead(CudaState *state, const void *member, Copy instead) {
    Batch batch = {.direction = cudaMemcpyHostToDevice, .count = 1, .copies = {instead}};
    return queue_upload(state, member, &batch);
}

Status cuda_download_except(CudaState *state, const void *member) {
    Batch batch = {.direction = cudaMemcpyDeviceToHost};
    for (int i = 0; i < state->count; i++) {
        const CudaBuffer *buffer = &state->buffers[i];
        if (buffer->member != member) {
            STATUS_TRY(add_download(&batch, buffer));
        }
    }
    return queue_batch(&batch);
}

Status cuda_state_upload(void *state) {
    return cuda_upload_except(state, NULL);
}

Status cuda_state_queue_download(void *state) {
    return cuda_download_except(state, NULL);
}

Status cuda_state_download(void *state) {
    STATUS_TRY(cuda_state_queue_download(state));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}
