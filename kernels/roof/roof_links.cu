/*
 * What several devices exchange at best: copies from one to another, and sums over all of them.
 *
 * Copies are within the pairs 0-1, 2-3 … of the devices, all pairs at the same time, from the first
 * to the second of each, or both ways. An all-reduce of NCCL is timed as nccl-tests does: queued
 * several times in a row, each time out of place.
 *
 * The streams are not held: without a link the driver copies through host memory, and NCCL may wait
 * while it queues.
 */
#include <algorithm>

#include "backend.h"
#include "cuda_device.h"
#include "multi.h"
#include "nccl.h"
#include "roof_measure.h"

namespace {

constexpr size_t COPY_BYTES = (size_t)256 << 20; /* of each device */
constexpr int SAMPLES = 7;

/* === Copies from device to device ============================================================= */

struct Peers {
    int devices;
    RoofMemory sent[CUDA_DEVICES_MAX];
    RoofMemory received[CUDA_DEVICES_MAX];
};

Status open_peer(void *context, int device) {
    Peers *peers = (Peers *)context;
    STATUS_TRY(peers->sent[device].device(COPY_BYTES));
    return peers->received[device].device(COPY_BYTES);
}

/* 0 to 1, 2 to 3 …; a last one without a partner has none. */
Status send(const Peers *peers, int device) {
    const int partner = device ^ 1;
    if (partner >= peers->devices) {
        return status_ok();
    }
    CUDA_TRY(cudaMemcpyPeerAsync(peers->received[partner].data, cuda_device_number(partner),
                                 peers->sent[device].data, cuda_device_number(device), COPY_BYTES,
                                 cuda_stream()));
    return status_ok();
}

Status run_one_way(void *context, int device) {
    return device % 2 == 0 ? send((const Peers *)context, device) : status_ok();
}

Status run_both_ways(void *context, int device) {
    return send((const Peers *)context, device);
}

Status add_peers(Ceilings *ceilings, const char *key, const RoofJob *job, int copies) {
    const double bytes = (double)COPY_BYTES * copies;
    double seconds = 0.0;
    STATUS_TRY(roof_time(ROOF_LAUNCHED, job, SAMPLES, &seconds));
    ceilings_add_on(ceilings, job->devices, key, CEILING_BANDWIDTH, 0, bytes / seconds, bytes);
    return status_ok();
}

bool stands_for_several(int devices) {
    for (int i = 0; i < devices; i++) {
        for (int j = 0; j < i; j++) {
            if (cuda_device_number(i) == cuda_device_number(j)) {
                return true;
            }
        }
    }
    return false;
}

/* === All-reduce =============================================================================== */

/* Those of a short message are limited by latency, those of a long one by the links. */
const struct {
    const char *key;
    size_t bytes;
    int rounds; /* queued in a row */
} reductions[] = {
    {"allreduce_2kb", (size_t)2 << 10, 20},
    {"allreduce_1mb", (size_t)1 << 20, 20},
    {"allreduce_256mb", (size_t)256 << 20, 2},
};

constexpr size_t REDUCED_BYTES_MAX = (size_t)256 << 20;

struct AllReduce {
    const Nccl *nccl;
    RoofMemory memory[CUDA_DEVICES_MAX][2];
    void *streams[CUDA_DEVICES_MAX];
    void *sent[CUDA_DEVICES_MAX];
    void *received[CUDA_DEVICES_MAX];
    size_t bytes;
    int rounds;
};

Status open_reduced(void *context, int device) {
    AllReduce *reduce = (AllReduce *)context;
    STATUS_TRY(reduce->memory[device][0].device(REDUCED_BYTES_MAX));
    STATUS_TRY(reduce->memory[device][1].device(REDUCED_BYTES_MAX));
    reduce->streams[device] = cuda_stream();
    reduce->sent[device] = reduce->memory[device][0].data;
    reduce->received[device] = reduce->memory[device][1].data;
    return status_ok();
}

/* NCCL queues on all devices at once. */
Status run_all_reduce(void *context, int device) {
    const AllReduce *reduce = (const AllReduce *)context;
    const NcclCall call = {reduce->streams, reduce->sent, reduce->received};
    for (int i = 0; i < reduce->rounds && device == 0; i++) {
        STATUS_TRY(nccl_all_reduce(reduce->nccl, &call, reduce->bytes / sizeof(float)));
    }
    return status_ok();
}

} // namespace

Status roof_measure_peers(Ceilings *ceilings, int devices) {
    Peers peers = {};
    const RoofJob one_way = {devices, run_one_way, &peers};
    const RoofJob both_ways = {devices, run_both_ways, &peers};
    peers.devices = devices;
    if (stands_for_several(devices)) {
        return status_ok();
    }
    STATUS_TRY(multi_open_peers(devices, NULL));
    STATUS_TRY(multi_each(devices, open_peer, &peers));
    STATUS_TRY(add_peers(ceilings, "peer_one_way", &one_way, devices / 2));
    return add_peers(ceilings, "peer_both_ways", &both_ways, devices / 2 * 2);
}

Status roof_measure_all_reduce(Ceilings *ceilings, int devices) {
    int numbers[CUDA_DEVICES_MAX];
    AllReduce reduce = {};
    const RoofJob job = {devices, run_all_reduce, &reduce};
    for (int i = 0; i < devices; i++) {
        numbers[i] = cuda_device_number(i);
    }
    STATUS_TRY(nccl_open(numbers, devices, &reduce.nccl));
    STATUS_TRY(multi_each(devices, open_reduced, &reduce));
    for (const auto &reduction : reductions) {
        double seconds = 0.0;
        reduce.bytes = reduction.bytes;
        reduce.rounds = reduction.rounds;
        STATUS_TRY(roof_time(ROOF_LAUNCHED, &job, SAMPLES, &seconds));
        ceilings_add_all_reduce(ceilings, devices, reduction.key, (double)reduction.bytes,
                                seconds / reduction.rounds);
    }
    return status_ok();
}
