/*
 * Both ways are queued on cuda_stream() of each device, so that the host waits for nothing.
 *
 * Copies: each device copies its place to all others, and its event tells them that it has; an
 * exchange of n devices is n × (n − 1) copies and as many waits. They need no link between the
 * devices, and one device may stand for several.
 */
#include "exchange.h"

#include <stdio.h>
#include <stdlib.h>

#include "cuda_device.h"
#include "nccl.h"

enum { NAME_SIZE = STATUS_WHY_SIZE + 32 };

struct Exchange {
    int parts;
    char name[NAME_SIZE];
    const Nccl *nccl; /* NULL: by copies */
    void *streams[CUDA_DEVICES_MAX];
    cudaEvent_t
        sent[CUDA_DEVICES_MAX]; /* by copies: the place of a device has arrived everywhere */
};

/* What an exchange is asked for. */
typedef struct Gather {
    const Exchange *exchange;
    void *const *memory;
    size_t bytes;
} Gather;

/* === Open and close =========================================================================== */

typedef struct Numbers {
    Exchange *exchange;
    int gpus[CUDA_DEVICES_MAX];
} Numbers;

static Status read_device(void *context, int part) {
    Numbers *numbers = context;
    CUDA_TRY(cudaGetDevice(&numbers->gpus[part]));
    numbers->exchange->streams[part] = cuda_stream();
    return status_ok();
}

static Status open_copies(Exchange *exchange, const Status *refused) {
    snprintf(exchange->name, sizeof exchange->name, "peer copies; %s", refused->why);
    STATUS_TRY(multi_open_peers(exchange->parts, NULL));
    return multi_open_events(exchange->parts, exchange->sent);
}

static Status open_one(Exchange *exchange) {
    char version[NCCL_VERSION_SIZE];
    Numbers numbers = {.exchange = exchange};
    STATUS_TRY(multi_each(exchange->parts, read_device, &numbers));
    const Status opened = nccl_open(numbers.gpus, exchange->parts, &exchange->nccl);
    STATUS_TRY(cuda_use_device(0));
    if (opened.code == STATUS_SKIP) {
        return open_copies(exchange, &opened);
    }
    STATUS_TRY(opened);
    nccl_version(version);
    snprintf(exchange->name, sizeof exchange->name, "NCCL %s", version);
    return status_ok();
}

Status exchange_open(int parts, Exchange **exchange) {
    Exchange *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_no_memory("for an exchange among devices");
    }
    opened->parts = parts;
    const Status status = open_one(opened);
    if (!status_is_ok(&status)) {
        exchange_close(opened);
        return status;
    }
    *exchange = opened;
    return status;
}

void exchange_close(Exchange *exchange) {
    if (exchange != NULL) {
        multi_close_events(exchange->parts, exchange->sent);
        free(exchange);
    }
}

const char *exchange_name(const Exchange *exchange) {
    return exchange->name;
}

/* === Exchange ================================================================================= */

static void *place(const Gather *gather, int of, int at) {
    return (char *)gather->memory[at] + (size_t)of * gather->bytes;
}

static Status send_place(void *context, int part) {
    const Gather *gather = context;
    const Exchange *exchange = gather->exchange;
    for (int to = 0; to < exchange->parts; to++) {
        if (to != part) {
            CUDA_TRY(cudaMemcpyAsync(place(gather, part, to), place(gather, part, part),
                                     gather->bytes, cudaMemcpyDefault, cuda_stream()));
        }
    }
    CUDA_TRY(cudaEventRecord(exchange->sent[part], cuda_stream()));
    return status_ok();
}

static Status await_places(void *context, int part) {
    const Gather *gather = context;
    const Exchange *exchange = gather->exchange;
    for (int from = 0; from < exchange->parts; from++) {
        if (from != part) {
            CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), exchange->sent[from], 0));
        }
    }
    return status_ok();
}

static Status queue_nccl(const Gather *gather) {
    const Exchange *exchange = gather->exchange;
    void *own[CUDA_DEVICES_MAX];
    for (int i = 0; i < exchange->parts; i++) {
        own[i] = place(gather, i, i);
    }
    const NcclCall call = {exchange->streams, own, gather->memory};
    const Status status = nccl_all_gather(exchange->nccl, &call, gather->bytes);
    STATUS_TRY(cuda_use_device(0));
    return status;
}

Status exchange_queue(Exchange *exchange, void *const *memory, size_t bytes) {
    Gather gather = {exchange, memory, bytes};
    if (exchange->nccl != NULL) {
        return queue_nccl(&gather);
    }
    STATUS_TRY(multi_each(exchange->parts, send_place, &gather));
    return multi_each(exchange->parts, await_places, &gather);
}
