#include "staged_download.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "cuda_device.h"
#include "host_copy.h"

/* A piece is long enough to be copied at full speed, and short enough that little is left to copy
 * on the host when the last one has come down. */
enum { SLOTS = 4, SLOT_BYTES = 4 << 20 };

/* What is on its way to a buffer and has to go on from there. */
typedef struct Slot {
    uint8_t *buffer; /* SLOT_BYTES, page-locked */
    void *to;
    size_t bytes; /* 0: empty */
    cudaEvent_t filled;
} Slot;

struct StagedDownload {
    cudaStream_t stream;
    bool staged;
    Slot slots[SLOTS];
    size_t next; /* slot to use next, the one used longest ago */
};

static Status open_slots(StagedDownload *download) {
    for (int i = 0; i < SLOTS && download->staged; i++) {
        Slot *slot = &download->slots[i];
        CUDA_TRY(cudaMallocHost((void **)&slot->buffer, SLOT_BYTES));
        CUDA_TRY(cudaEventCreateWithFlags(&slot->filled, cudaEventDisableTiming));
    }
    return status_ok();
}

Status staged_download_open(const void *host, StagedDownload **download) {
    *download = NULL;
    StagedDownload *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_skip("not enough host memory for a download");
    }
    opened->staged = !cuda_is_pinned(host);
    const cudaError_t error = cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking);
    Status status = cuda_status(error, "cudaStreamCreateWithFlags", __FILE__, __LINE__);
    if (status_is_ok(&status)) {
        status = open_slots(opened);
    }
    if (!status_is_ok(&status)) {
        staged_download_close(opened);
        return status;
    }
    *download = opened;
    return status;
}

static Status empty_slot(Slot *slot) {
    if (slot->bytes > 0) {
        CUDA_TRY(cudaEventSynchronize(slot->filled));
        /* Rows as long as make work for several threads. */
        const size_t row = (size_t)64 << 10;
        const size_t rows = slot->bytes / row;
        const size_t rest = slot->bytes % row;
        host_copy_rows(slot->to, row, slot->buffer, row, row, rows);
        host_copy_rows((uint8_t *)slot->to + rows * row, rest, slot->buffer + rows * row, rest,
                       rest, rest > 0);
        slot->bytes = 0;
    }
    return status_ok();
}

static Status copy_piece(StagedDownload *download, uint8_t *to, const uint8_t *from, size_t bytes) {
    Slot *slot = &download->slots[download->next];
    STATUS_TRY(empty_slot(slot));
    CUDA_TRY(cudaMemcpyAsync(slot->buffer, from, bytes, cudaMemcpyDeviceToHost, download->stream));
    CUDA_TRY(cudaEventRecord(slot->filled, download->stream));
    slot->to = to;
    slot->bytes = bytes;
    download->next = (download->next + 1) % SLOTS;
    return status_ok();
}

Status staged_download_copy(StagedDownload *download, void *to, const void *from, size_t bytes) {
    if (!download->staged) {
        CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, download->stream));
        return status_ok();
    }
    for (size_t done = 0; done < bytes; done += SLOT_BYTES) {
        const size_t piece = bytes - done < SLOT_BYTES ? bytes - done : SLOT_BYTES;
        STATUS_TRY(copy_piece(download, (uint8_t *)to + done, (const uint8_t *)from + done, piece));
    }
    return status_ok();
}

Status staged_download_finish(StagedDownload *download) {
    for (int i = 0; i < SLOTS; i++) {
        STATUS_TRY(empty_slot(&download->slots[(download->next + (size_t)i) % SLOTS]));
    }
    CUDA_TRY(cudaStreamSynchronize(download->stream));
    return status_ok();
}

void staged_download_close(StagedDownload *download) {
    if (download == NULL) {
        return;
    }
    for (int i = 0; i < SLOTS; i++) {
        (void)cudaFreeHost(download->slots[i].buffer);
        if (download->slots[i].filled != NULL) {
            (void)cudaEventDestroy(download->slots[i].filled);
        }
    }
    if (download->stream != NULL) {
        (void)cudaStreamDestroy(download->stream);
    }
    free(download);
}
