/*
 * The kernel gives each warp a piece of a row: PIECE bytes that begin where the host's address is a
 * multiple of PIECE, or a few bytes before, so that each is a whole packet on the bus. A lane
 * stores one word, which it takes from two neighbouring words where the addresses differ within a
 * word: no load waits for another.
 */
#include "copies.h"

#include <cstdint>

#include "cuda_device.h"
#include "graph_pass.h"
#include "ordinary.h"

namespace {

constexpr unsigned int LANES = 32;
constexpr unsigned int THREADS = 256;
constexpr unsigned int WARPS = THREADS / LANES;
constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;
constexpr int WORD = sizeof(uint32_t);
constexpr int PIECE = (int)LANES * WORD;

/* Of a fill, which does not leave the device: beyond this the time of a node is no matter. */
constexpr size_t CLEARED_BYTES_MAX = 8 << 20;

/* A Copy as the device sees it. */
struct Job {
    uint8_t *to;
    const uint8_t *from; /* NULL: zeros */
    size_t to_stride, from_stride;
    int width;
    bool to_host;
    cudaSurfaceObject_t array;       /* not 0: in the place of `to` */
    unsigned int row_pieces, pieces; /* of a row, of all rows */
};

struct Jobs {
    Job list[COPIES_MAX];
    int count;
};

/* === The kernel =============================================================================== */

/* The aligned word at `place` of the row, which may reach beyond the row's ends: then its other
 * bytes are of the same page, and not looked at. */
__device__ __forceinline__ uint32_t word_at(const uint8_t *row, int width, int place) {
    return place > -WORD && place < width ? *(const uint32_t *)(row + place) : 0;
}

/* Four bytes of the row from `place` on. All lanes of a warp call this, each with the place behind
 * the four bytes of the lane before. */
__device__ __forceinline__ uint32_t four_bytes(const uint8_t *row, int width, int place,
                                               unsigned int lane) {
    const int shift = (int)((uintptr_t)(row + place) % WORD);
    const uint32_t word = word_at(row, width, place - shift);
    if (shift == 0) {
        return word;
    }
    uint32_t next = __shfl_down_sync(ALL_LANES, word, 1);
    if (lane == LANES - 1) {
        next = word_at(row, width, place - shift + WORD);
    }
    return __funnelshift_r(word, next, (unsigned int)shift * 8);
}

/* Bytes of a row's first piece that lie before the row: as many as begin it at a multiple of PIECE
 * of the host's addresses, or before that at the next word of `to`. */
__device__ __forceinline__ int bytes_before(const uint8_t *host, const uint8_t *to) {
    const uintptr_t before = (uintptr_t)host % PIECE;
    return (int)((before + ((uintptr_t)to - before) % WORD) % PIECE);
}

/* A warp for each piece. */
__global__ void __launch_bounds__(THREADS) copy_pieces(const __grid_constant__ Jobs jobs) {
    const unsigned int lane = threadIdx.x % LANES;
    unsigned int piece = blockIdx.x * WARPS + threadIdx.x / LANES;
    int index = 0;
    while (index < jobs.count && piece >= jobs.list[index].pieces) {
        piece -= jobs.list[index].pieces;
        index++;
    }
    if (index == jobs.count) {
        return;
    }
    const Job &job = jobs.list[index];
    const unsigned int row = piece / job.row_pieces;
    uint8_t *to = job.to + row * job.to_stride;
    const uint8_t *from = job.from != NULL ? job.from + row * job.from_stride : NULL;
    const int before = bytes_before(from == NULL || job.to_host ? to : from, to);
    const int place = (int)(piece % job.row_pieces) * PIECE + (int)lane * WORD - before;
    const uint32_t bytes = from != NULL ? four_bytes(from, job.width, place, lane) : 0;
    if (place >= 0 && place + WORD <= job.width) {
        if (job.array != 0) {
            surf2Dwrite(bytes, job.array, place, (int)row);
        } else {
            *(uint32_t *)(to + place) = bytes;
        }
        return;
    }
    for (int i = 0; i < WORD; i++) {
        if (place + i >= 0 && place + i < job.width) {
            const uint8_t byte = (uint8_t)(bytes >> 8 * i);
            if (job.array != 0) {
                surf2Dwrite(byte, job.array, place + i, (int)row);
            } else {
                to[place + i] = byte;
            }
        }
    }
}

/* === Queueing ================================================================================= */

Status add_job(const Copy &copy, cudaMemcpyKind direction, Jobs *jobs) {
    Job &job = jobs->list[jobs->count++];
    job.to = (uint8_t *)copy.to;
    job.to_stride = copy.to_stride;
    job.from = (const uint8_t *)copy.from;
    job.from_stride = copy.from_stride;
    job.width = (int)copy.width;
    job.array = copy.array;
    job.to_host = copy.from != NULL && direction == cudaMemcpyDeviceToHost;
    job.row_pieces = (unsigned int)job.width / PIECE + 2; /* one that begins and one that ends it */
    job.pieces = job.row_pieces * (unsigned int)copy.rows;
    if (job.to_host) {
        return cuda_seen_by_device(job.to, &job.to);
    }
    return job.from != NULL ? cuda_seen_by_device(job.from, &job.from) : status_ok();
}

Status launch(const Jobs &jobs) {
    unsigned int pieces = 0;
    for (int i = 0; i < jobs.count; i++) {
        pieces += jobs.list[i].pieces;
    }
    copy_pieces<<<(pieces + WARPS - 1) / WARPS, THREADS, 0, cuda_stream()>>>(jobs);
    return CUDA_LAUNCHED();
}

/* One row is no matter of strides, for which the calls would take longer. */
Status call(const Copy &copy, cudaMemcpyKind direction, bool captured) {
    if (copy.from == NULL) {
        CUDA_TRY(copy.rows == 1 ? cudaMemsetAsync(copy.to, 0, copy.width, cuda_stream())
                                : cudaMemset2DAsync(copy.to, copy.to_stride, 0, copy.width,
                                                    copy.rows, cuda_stream()));
        return status_ok();
    }
    if (!captured) {
        bool done = false;
        STATUS_TRY(ordinary_copy(&copy, direction, &done));
        if (done) {
            return status_ok();
        }
    }
    CUDA_TRY(copy.rows == 1
                 ? cudaMemcpyAsync(copy.to, copy.from, copy.width, direction, cuda_stream())
                 : cudaMemcpy2DAsync(copy.to, copy.to_stride, copy.from, copy.from_stride,
                                     copy.width, copy.rows, direction, cuda_stream()));
    return status_ok();
}

/* Whether the kernel makes this one while a graph is captured. */
bool is_small(const Copy &copy) {
    const size_t most = copy.from == NULL ? CLEARED_BYTES_MAX : (size_t)GRAPH_MAPPED_BYTES_MAX;
    return copy.width * copy.rows <= most;
}

} // namespace

Status copies_queue(const Copy *copies, int count, cudaMemcpyKind direction) {
    bool captured = false;
    Jobs jobs = {};
    STATUS_TRY(copies_are_captured(&captured));
    for (int i = 0; i < count; i++) {
        if (copies[i].width > 0 && copies[i].rows > 0) {
            STATUS_TRY(captured && is_small(copies[i]) ? add_job(copies[i], direction, &jobs)
                                                       : call(copies[i], direction, captured));
        }
    }
    return jobs.count > 0 ? launch(jobs) : status_ok();
}

Status copies_are_captured(bool *captured) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    CUDA_TRY(cudaStreamIsCapturing(cuda_stream(), &capture));
    *captured = capture == cudaStreamCaptureStatusActive;
    return status_ok();
}
