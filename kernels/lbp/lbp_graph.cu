/*
 * cuda_graph: a whole pass in one kernel launch, for images so small that calls and waits take
 * longer than the work (graph_pass.h). What improves is end_to_end; upload, run and download by
 * themselves are cuda_fast's.
 *
 * Up to GRAPH_MAPPED_BYTES_MAX the graph is a clearing of the counters and one kernel. The kernel
 * reads the image from the host's page-locked memory and writes the codes there, so both directions
 * of the bus are busy at once, and no copy waits for another to begin. The last block writes the
 * histogram. Larger images are copied, for copies reach more of the bus's speed.
 *
 * On an H100 in a program of its own, whose host waits by polling (cudaDeviceScheduleSpin), from
 * the first call until the answer is in page-locked memory, us:
 *
 *   360p   480p   720p  1080p
 *   34.8   48.7   63.8  108.4  the calls of cuda_fast: copy, fills, kernel, two copies
 *   37.8   50.5   68.5  108.6  these as a graph: what takes long is the copies, not the calls
 *   23.3   34.1   55.5  116.1  the mapped kernel, three rows a block, its counters cleared before
 *   22.3   33.1   54.6  115.0  without the clearing: a kernel launch would rely on the one before
 * it 7.1    7.2    7.3    7.6  a graph of an empty kernel
 *
 * Asking for the end of the stream over and over takes as long as waiting for it.
 *
 * The caller's rows begin anywhere and codes are dense, so that a block cannot count on aligned
 * rows: it stages the bytes of its rows as they come, in whole words of 16 bytes, and takes
 * neighbours from there by funnel shifts. Four codes a thread make a warp write 128 bytes in a row:
 * a whole packet on the bus. The comparison is cuda_fast's (lbp_fast.cu).
 */
#include <algorithm>
#include <cstdint>

#include "graph_pass.h"
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_fast);
VARIANT_FUNCTIONS(lbp_cuda_graph);

namespace lbp_graph {

constexpr int THREADS = 512;
constexpr int LANES = 32;
constexpr int ROWS = 3; /* of a block, where they and those around them fit */
/* Of a block's shared memory, beside its counters: with them less than the 64 KB that a block may
 * have on every device. */
constexpr size_t STAGED_BYTES_MAX = 30 * 1024;
constexpr int WORD = 16;
constexpr int MARGIN = WORD; /* before and behind the staged bytes: read, but masked away */
constexpr int SEGMENT = 128; /* bytes that a warp writes at once */
constexpr uint32_t TOP_BITS = 0x80808080U;

/* In device memory, 0 before each kernel launch. */
struct Counters {
    LbpCount bins[LBP_BINS];
    unsigned int blocks_done;
};

struct Job {
    const uint8_t *image; /* host memory, as the device sees it; so are the next two */
    uint8_t *codes;
    LbpCount *histogram;
    Counters *counters;
    int stride; /* bytes */
    int width, height;
    int rows; /* of a block */
};

/* Four neighbouring bytes, and those one to the left and one to the right of each. */
struct Three {
    uint32_t left, middle, right;
};

__device__ __forceinline__ uint32_t majority(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

/* The top bit of each byte of n that is at least that of c; see lbp_fast.cu. */
__device__ __forceinline__ uint32_t at_least(uint32_t n, uint32_t c) {
    const uint32_t low = (n & ~TOP_BITS) + (TOP_BITS - (c & ~TOP_BITS));
    return majority(n & TOP_BITS, ~c & TOP_BITS, low);
}

__device__ __forceinline__ Three three_at(const uint32_t *staged, int place) {
    const int before = place + MARGIN - 1;
    const uint32_t *words = staged + (before >> 2);
    const unsigned int shift = (unsigned int)(before & 3) * 8;
    const uint32_t first = __funnelshift_r(words[0], words[1], shift);
    const uint32_t second = __funnelshift_r(words[1], words[2], shift);
    return {first, __funnelshift_r(first, second, 8), __funnelshift_r(first, second, 16)};
}

/* The block's rows of the image in shared memory. */
struct Staged {
    const uint32_t *words;
    int origin; /* the place of pixel (0, 0), which may lie before the staged bytes */
};

__device__ __forceinline__ int place_of(const Job &job, const Staged &staged, int x, int y) {
    return staged.origin + y * job.stride + x;
}

/* Codes of four pixels of one row. */
__device__ __forceinline__ uint32_t codes_of_four(const Job &job, const Staged &staged, int x,
                                                  int y) {
    const int place = place_of(job, staged, x, y);
    const uint32_t left = x == 0 ? 0xFFFFFF00U : 0xFFFFFFFFU;
    const uint32_t right = x + 4 == job.width ? 0x00FFFFFFU : 0xFFFFFFFFU;
    const Three none = {0, 0, 0};
    const Three above = y > 0 ? three_at(staged.words, place - job.stride) : none;
    const Three here = three_at(staged.words, place);
    const Three below = y + 1 < job.height ? three_at(staged.words, place + job.stride) : none;
    uint32_t codes = at_least(above.left & left, here.middle);
    codes = (codes >> 1) + at_least(above.middle, here.middle);
    codes = (codes >> 1) + at_least(above.right & right, here.middle);
    codes = (codes >> 1) + at_least(here.left & left, here.middle);
    codes = (codes >> 1) + at_least(here.right & right, here.middle);
    codes = (codes >> 1) + at_least(below.left & left, here.middle);
    codes = (codes >> 1) + at_least(below.middle, here.middle);
    codes = (codes >> 1) + at_least(below.right & right, here.middle);
    return codes;
}

__device__ __forceinline__ int pixel_at(const Job &job, const Staged &staged, int x, int y) {
    if (x < 0 || x >= job.width || y < 0 || y >= job.height) {
        return 0;
    }
    return ((const uint8_t *)staged.words)[MARGIN + place_of(job, staged, x, y)];
}

__device__ __forceinline__ unsigned int code_of_one(const Job &job, const Staged &staged, int x,
                                                    int y) {
    const int centre = pixel_at(job, staged, x, y);
    unsigned int code = 0;
    int bit = 0;
    for (int i = 0; i < 9; i++) {
        if (i != 4) {
            const int neighbour = pixel_at(job, staged, x + i % 3 - 1, y + i / 3 - 1);
            code |= (neighbour >= centre ? 1U : 0U) << bit++;
        }
    }
    return code;
}

/* Loads the rows from `begin` to `end` and those around them. */
__device__ __forceinline__ Staged stage_rows(const Job &job, int begin, int end, uint4 *shared) {
    const int top = max(begin - 1, 0);
    const int bottom = min(end + 1, job.height);
    const uint8_t *from = job.image + (size_t)top * job.stride;
    const uint8_t *to = job.image + (size_t)(bottom - 1) * job.stride + job.width;
    /* Whole words: their other bytes are of the same page, and not looked at. */
    const uint4 *words = (const uint4 *)((uintptr_t)from & ~(uintptr_t)(WORD - 1));
    const int count = (int)((to - (const uint8_t *)words + WORD - 1) / WORD);
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        shared[MARGIN / WORD + i] = __ldcg(words + i);
    }
    return {(const uint32_t *)shared, (int)(job.image - (const uint8_t *)words)};
}

/* Codes `begin` to `end` of the image's, counted in the lane's own counters. */
__device__ __forceinline__ void make_codes(const Job &job, const Staged &staged, int begin, int end,
                                           uint32_t *lane_table) {
    for (int i = begin / SEGMENT * SEGMENT + 4 * (int)threadIdx.x; i < end; i += 4 * THREADS) {
        const int y = i / job.width;
        const int x = i - y * job.width;
        if (i >= begin && i + 4 <= end && x + 4 <= job.width) {
            const uint32_t codes = codes_of_four(job, staged, x, y);
            *(uint32_t *)(job.codes + i) = codes;
#pragma unroll
            for (int byte = 0; byte < 4; byte++) {
                atomicAdd(&lane_table[(codes >> 8 * byte & 255) * LANES], 1U);
            }
        } else {
            for (int j = max(i, begin); j < min(i + 4, end); j++) {
                const unsigned int code = code_of_one(job, staged, j % job.width, j / job.width);
                job.codes[j] = (uint8_t)code;
                atomicAdd(&lane_table[code * LANES], 1U);
            }
        }
    }
}

/* Adds the block's counters to the image's. True in the block that is the last to do so. */
__device__ __forceinline__ bool add_counts(const Job &job, const uint32_t *table) {
    __shared__ bool is_last;
    const int lane = (int)threadIdx.x % LANES;
    if (threadIdx.x < LBP_BINS) {
        unsigned int sum = 0;
        for (int i = 0; i < LANES; i++) { /* each lane starts in another bank */
            sum += table[threadIdx.x * LANES + (i + lane) % LANES];
        }
        if (sum != 0) {
            atomicAdd(&job.counters->bins[threadIdx.x], (LbpCount)sum);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence(); /* of what all threads of the block added: the barrier ordered it */
        is_last = atomicAdd(&job.counters->blocks_done, 1U) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

__global__ void __launch_bounds__(THREADS) lbp_mapped(const __grid_constant__ Job job) {
    extern __shared__ uint4 shared[];
    __shared__ uint32_t table[LBP_BINS * LANES];
    const int begin = (int)blockIdx.x * job.rows;
    const int end = min(job.height, begin + job.rows);
    const Staged staged = stage_rows(job, begin, end, shared);
    for (int i = (int)threadIdx.x; i < LBP_BINS * LANES; i += THREADS) {
        table[i] = 0;
    }
    __syncthreads();
    make_codes(job, staged, begin * job.width, end * job.width, table + threadIdx.x % LANES);
    __syncthreads();
    if (add_counts(job, table) && threadIdx.x < LBP_BINS) {
        job.histogram[threadIdx.x] = __ldcg(&job.counters->bins[threadIdx.x]);
    }
}

} // namespace lbp_graph

namespace {

using namespace lbp_graph;

struct LbpGraph : LbpDevice {
    Counters *counters; /* device memory; NULL: the graph copies */
};

bool is_mapped(const LbpGraph *graph) {
    return graph->counters != NULL;
}

/* === The mapped kernel ======================================================================== */

size_t shared_bytes(size_t stride, int rows) {
    return round_up((size_t)(rows + 2) * stride, WORD) + WORD + 2 * MARGIN;
}

int rows_of_block(size_t stride) {
    const int most = (int)(STAGED_BYTES_MAX / stride) - 2;
    return std::max(1, std::min(ROWS, most));
}

Status queue_mapped(const LbpGraph *graph) {
    const Image *image = &graph->request->workload->image;
    Job job = {};
    uint8_t *pixels = NULL;
    STATUS_TRY(cuda_seen_by_device(image->pixels, &pixels));
    STATUS_TRY(cuda_seen_by_device(lbp_codes(graph->request->output), &job.codes));
    STATUS_TRY(
        cuda_seen_by_device((LbpCount *)lbp_histogram(graph->request->output), &job.histogram));
    job.image = pixels;
    job.counters = graph->counters;
    job.stride = (int)image->stride;
    job.width = graph->width;
    job.height = graph->height;
    job.rows = rows_of_block(image->stride);
    const size_t shared = shared_bytes(image->stride, job.rows);
    CUDA_TRY(cudaFuncSetAttribute((const void *)lbp_mapped,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    CUDA_TRY(cudaMemsetAsync(graph->counters, 0, sizeof *graph->counters, cuda_stream()));
    lbp_mapped<<<(unsigned int)pieces_of(graph->height, job.rows), THREADS, shared,
                 cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}

/* === The method =============================================================================== */

/* A row and those around it must fit shared memory. */
bool can_be_mapped(const Image *image) {
    return image->stride * (size_t)image->height <= GRAPH_MAPPED_BYTES_MAX &&
           3 * image->stride <= STAGED_BYTES_MAX;
}

Status open_graph(LbpGraph *graph) {
    STATUS_TRY(lbp_device_open(LBP_FAST_ROW_ALIGNMENT, graph));
    if (!can_be_mapped(&graph->request->workload->image)) {
        return status_ok();
    }
    const CudaBuffer table[] = {cuda_scratch(&graph->counters, sizeof *graph->counters)};
    return cuda_open_buffers(graph, table);
}

Status open_state(const Request *request, void **state) {
    return cuda_open_state<LbpGraph>(request, state, open_graph);
}

Status queue_pass(void *state) {
    const LbpGraph *graph = (const LbpGraph *)state;
    if (is_mapped(graph)) {
        return queue_mapped(graph);
    }
    STATUS_TRY(cuda_state_upload(state));
    STATUS_TRY(lbp_cuda_fast_run(state));
    return cuda_state_queue_download(state);
}

/* The mapped kernel leaves the histograms on the device as they are. */
void prepare(void *state) {
    if (!is_mapped((const LbpGraph *)state)) {
        coded_graph_prepare(state);
    }
}

} // namespace

Status lbp_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = open_state,
                                       .upload = cuda_state_upload,
                                       .run = lbp_cuda_fast_run,
                                       .queue_download = cuda_state_queue_download,
                                       .queue_pass = queue_pass,
                                       .prepare = prepare,
                                       .finish = NULL,
                                       .memory_version = NULL};
    return graph_pass_open_with(request, &method, state);
}
