#include "matching_device.cuh"

#include <algorithm>
#include <climits>

#include "early_launch.cuh"

namespace {

constexpr int THREADS = 256;

__device__ Match match_of(MatchingKey key) {
    Match match;
    match.nearest = key & UINT32_MAX;
    match.distance = key >> 32;
    match.mutual = 0;
    return match;
}

/* Where B is empty, b_keys has nothing to read; a key of its own marks that. */
__global__ void make_matches(const MatchingKey *a_keys, const MatchingKey *b_keys, int a_count,
                             int b_count, Match *matches) {
    wait_for_kernel_before();
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= a_count) {
        return;
    }
    Match match = match_of(b_count > 0 ? a_keys[i] : (MatchingKey)MATCHING_NONE << 32);
    if (b_count > 0) {
        match.mutual = match_of(b_keys[match.nearest]).nearest == (uint64_t)i;
    }
    matches[i] = match;
}

/* What a block takes beside its tiles, its own rows above all, in times of a tile. */
constexpr int BLOCK_TILES = 3;

} // namespace

int matching_slice(int tiles, int step, int across, int slots) {
    int best = pieces_of(tiles, step) * step;
    long least = LONG_MAX;
    for (int slices = 1; slices <= std::min(tiles, 2 * slots); slices++) {
        const int slice = pieces_of(pieces_of(tiles, slices), step) * step;
        const long waves = pieces_of(across * pieces_of(tiles, slice), slots);
        const long cost = waves * (slice + BLOCK_TILES);
        if (cost < least) {
            least = cost;
            best = slice;
        }
    }
    return best;
}

Status matching_is_compiled(const void *kernel, bool *compiled) {
    struct cudaFuncAttributes attributes;
    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
    *compiled = attributes.sharedSizeBytes > 0;
    return status_ok();
}

Status matching_device_open(const MatchingSets *sets, const MatchingMethod *method,
                            MatchingDevice *device) {
    const size_t a_count = (size_t)sets->a_count;
    const size_t b_count = (size_t)sets->b_count;
    const size_t bytes = (size_t)sets->bytes;
    const CudaBuffer table[] = {
        cuda_rows_up(&device->a, a_count * bytes,
                     {sets->a, sets->stride, 0, bytes, bytes, a_count}),
        cuda_rows_up(&device->b, b_count * bytes,
                     {sets->b, sets->stride, 0, bytes, bytes, b_count}),
        cuda_scratch(&device->a_keys, (a_count + b_count) * sizeof *device->a_keys),
        cuda_down(&device->matches, a_count * sizeof *device->matches,
                  matching_matches(device->request->output)),
    };
    device->method = method;
    device->sets = *sets;
    STATUS_TRY(cuda_open_buffers(device, table));
    device->b_keys = device->a_keys + a_count;
    return method->open != NULL ? method->open(device) : status_ok();
}

Status matching_clear_keys(const MatchingDevice *device) {
    const size_t keys = (size_t)device->sets.a_count + (size_t)device->sets.b_count;
    CUDA_TRY(cudaMemsetAsync(device->a_keys, 0xFF, keys * sizeof *device->a_keys, cuda_stream()));
    return status_ok();
}

static bool is_empty(const MatchingDevice *device) {
    return device->sets.a_count == 0 || device->sets.b_count == 0;
}

Status matching_device_search(const MatchingDevice *device) {
    return is_empty(device) ? status_ok() : device->method->search(device);
}

Status matching_device_match(const MatchingDevice *device, const MatchingKey *b_keys,
                             int32_t b_count) {
    const int32_t a_count = device->sets.a_count;
    if (a_count == 0) {
        return status_ok();
    }
    const unsigned int blocks = (unsigned int)pieces_of(a_count, THREADS);
    return launch_early(make_matches, blocks, THREADS, device->a_keys, b_keys, a_count, b_count,
                        device->matches);
}

Status matching_cuda_run(void *state) {
    const MatchingDevice *device = (const MatchingDevice *)state;
    if (!is_empty(device) && device->method->search_and_match != NULL) {
        return device->method->search_and_match(device);
    }
    STATUS_TRY(matching_device_search(device));
    return matching_device_match(device, device->b_keys, device->sets.b_count);
}
