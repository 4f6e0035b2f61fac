#include "multi.h"

#include <omp.h>
#include <string.h>

#include "cuda_device.h"

Status multi_devices(const Request *request, int *devices) {
    const int64_t wanted = point_integer(request->tuning, "gpus", 1);
    const int count = cuda_devices_count();
    if (wanted > count) {
        return status_skip("needs %d GPUs, and there %s %d", (int)wanted, count == 1 ? "is" : "are",
                           count);
    }
    *devices = (int)wanted;
    return status_ok();
}

MultiPart multi_part(int items, int count, int index) {
    const int share = items / count;
    const int more = items % count; /* parts that have one item more, the first ones */
    const int begin = index * share + (index < more ? index : more);
    return (MultiPart){.begin = begin, .end = begin + share + (index < more)};
}

static Status work_on(int part, Status (*work)(void *context, int part), void *context) {
    STATUS_TRY(cuda_use_device(part));
    return work(context, part);
}

static Status back_to_first(const Status *status) {
    const Status back = cuda_use_device(0);
    return status_is_ok(status) ? back : *status;
}

Status multi_each(int parts, Status (*work)(void *context, int part), void *context) {
    Status status = status_ok();
    for (int i = 0; i < parts && status_is_ok(&status); i++) {
        status = work_on(i, work, context);
    }
    return back_to_first(&status);
}

Status multi_together(int parts, Status (*work)(void *context, int part), void *context) {
    Status statuses[CUDA_DEVICES_MAX];
    if (parts == 1) {
        return multi_each(parts, work, context);
    }
    for (int i = 0; i < parts; i++) {
        statuses[i] = cuda_use_device(i); /* opened by one thread */
    }
#pragma omp parallel for num_threads(parts) schedule(static, 1)
    for (int i = 0; i < parts; i++) {
        if (status_is_ok(&statuses[i])) {
            statuses[i] = work_on(i, work, context);
        }
    }
    Status first = status_ok();
    for (int i = 0; i < parts && status_is_ok(&first); i++) {
        first = statuses[i];
    }
    return back_to_first(&first);
}

static Status open_event(void *context, int part) {
    CUDA_TRY(cudaEventCreateWithFlags((cudaEvent_t *)context + part, cudaEventDisableTiming));
    return status_ok();
}

Status multi_open_events(int parts, cudaEvent_t *events) {
    return multi_each(parts, open_event, events);
}

static Status close_event(void *context, int part) {
    const cudaEvent_t event = ((cudaEvent_t *)context)[part];
    (void)cudaStreamSynchronize(cuda_stream());
    if (event != NULL) {
        (void)cudaEventDestroy(event);
    }
    return status_ok();
}

void multi_close_events(int parts, cudaEvent_t *events) {
    (void)multi_each(parts, close_event, events);
}

static Status read_number(void *context, int part) {
    int *numbers = context;
    CUDA_TRY(cudaGetDevice(&numbers[part]));
    return status_ok();
}

/* For the device in use, `from`; a number may stand for several parts. */
static Status open_peer(int from, int to, bool *reached) {
    int possible = 0;
    *reached = from == to;
    if (from == to) {
        return status_ok();
    }
    CUDA_TRY(cudaDeviceCanAccessPeer(&possible, from, to));
    if (possible == 0) {
        return status_ok();
    }
    /* A device may have room for fewer links than there are devices. */
    const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
    *reached = error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
    if (error == cudaErrorPeerAccessAlreadyEnabled || error == cudaErrorTooManyPeers) {
        (void)cudaGetLastError();
        return status_ok();
    }
    CUDA_TRY(error);
    return status_ok();
}

typedef struct Peers {
    int parts;
    int numbers[CUDA_DEVICES_MAX];
    MultiReach reach;
} Peers;

static Status open_peers(void *context, int part) {
    Peers *peers = context;
    for (int to = 0; to < peers->parts; to++) {
        STATUS_TRY(open_peer(peers->numbers[part], peers->numbers[to], &peers->reach[part][to]));
    }
    return status_ok();
}

Status multi_open_peers(int parts, MultiReach reach) {
    Peers peers = {.parts = parts};
    STATUS_TRY(multi_each(parts, read_number, peers.numbers));
    STATUS_TRY(multi_each(parts, open_peers, &peers));
    if (reach != NULL) {
        memcpy(reach, peers.reach, sizeof peers.reach);
    }
    return status_ok();
}

/* PCI Express has no atomic operations between devices; what links with them bring comes in the
 * order in which it was sent. */
static Status find_link(int from, int to, bool *linked) {
    int atomics = 0;
    if (from != to) {
        CUDA_TRY(
            cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
    }
    *linked = atomics != 0;
    return status_ok();
}

Status multi_find_links(int parts, MultiReach reach, bool *linked) {
    int numbers[CUDA_DEVICES_MAX] = {0};
    STATUS_TRY(multi_each(parts, read_number, numbers));
    *linked = true;
    for (int pair = 0; pair < parts * parts && *linked; pair++) {
        const int from = pair / parts, to = pair % parts;
        *linked = reach[from][to];
        if (from != to && *linked) {
            STATUS_TRY(find_link(numbers[from], numbers[to], linked));
        }
    }
    return status_ok();
}
