/*
 * cuda_tiled: the integral image in shared memory, one buffer of records for all blocks, and a copy
 * back of exactly as many records as there are. It is what the study came to in the end.
 *
 * Against cuda_naive: the integral image is made by scans of whole warps, 32 entries at a time, in
 * place of a thread that adds up a row or column by itself, and its corners are read from shared
 * memory. The five features of a rectangle share corners, so that 27 are read, not 56. Since
 * records go into one buffer by one cursor, nothing has to be reserved for the worst case: there is
 * one kernel launch for all images, and 8 bytes are copied for each record in place of 40 for each
 * rectangle. The study had to know a size that is large enough; here the cursor counts on when the
 * buffer is full, and the run is repeated with room for all.
 *
 * What bounds it is instructions: some 140 for each rectangle of which nothing is kept, 27 of them
 * reads, about as many to find where they are, and the rest the five values and the next rectangle.
 * The schedulers of a multiprocessor issue them for 32 rectangles in 36 clocks; the reads take 27
 * of its shared memory at the same time, and more where lanes that lie in spans of another length
 * meet in the same banks. Lanes of a warp that keep a feature of the same type ask the one cursor
 * for room together, for the compiler joins such additions; still there are up to five of them for
 * 32 rectangles, one after the other on the whole device, and with many records kept they are the
 * bound.
 *
 * A block takes one image after the other; where there are few images, several blocks search
 * each. Integral images larger than a block's shared memory (sides above some 240 pixels, less on
 * older devices) are made in global memory in the same way, and read through the L1 cache.
 */
#include "haar_integral.cuh"
#include "haar_search.cuh"

VARIANT_FUNCTIONS(haar_cuda_tiled);

namespace {

constexpr int THREADS = 256;

/* With large integral images, of which few fit a multiprocessor beside each other. */
constexpr int THREADS_MANY = 1024;
constexpr size_t FEW_BLOCKS = 4;

typedef void (*TiledKernel)(HaarSearch, const uint8_t *, uint64_t, int32_t *);

struct HaarTiled : HaarDevice {
    HaarGrid grid;
    TiledKernel kernel;
    int threads;
    size_t shared_bytes; /* 0: the integral images are in `integrals` */
    int32_t *integrals;  /* one for each block; NULL: in shared memory */
};

struct MemoryCorners {
    const int32_t *first;
    int stride;

    __device__ __forceinline__ int32_t operator()(int x, int y) const {
        return first[y * stride + x];
    }
};

__device__ __forceinline__ void append(const HaarSearch &search, uint32_t image,
                                       HaarFeature feature, const int32_t (&values)[HAAR_TYPES]) {
#pragma unroll
    for (int type = 0; type < HAAR_TYPES; type++) {
        if (is_kept(search, values[type])) {
            put_record(search, atomicAdd(search.cursor, 1ULL), image, feature, type, values[type]);
        }
    }
}

/* The rectangles of an image that a thread has, from number `first` on. */
__device__ __forceinline__ void search_image(const HaarSearch &search, const int32_t *integral,
                                             uint32_t image, uint32_t first) {
    const int stride = haar_stride(search.width);
    for (RectangleWalk walk(search, first); walk.inside(search); walk.advance(search)) {
        const HaarFeature rectangle = walk.rectangle(search);
        const MemoryCorners corners = {integral + rectangle.y * stride + rectangle.x, stride};
        int32_t values[HAAR_TYPES];
        haar_values(corners, rectangle.w, rectangle.h, values);
        if (any_kept(search, values)) {
            append(search, image, rectangle, values);
        }
    }
}

template <int BLOCK, bool SHARED>
__global__ void __launch_bounds__(BLOCK)
    haar_tiled(const HaarSearch search, const uint8_t *pixels, uint64_t items, int32_t *integrals) {
    extern __shared__ int32_t shared_integral[];
    const size_t entries = haar_entries(search.width, search.height);
    int32_t *integral = SHARED ? shared_integral : integrals + blockIdx.x * entries;
    const size_t image_bytes = (size_t)search.width * (size_t)search.height;
    for (uint64_t item = blockIdx.x; item < items; item += gridDim.x) {
        const uint32_t image = (uint32_t)(item / search.parts);
        const uint32_t part = (uint32_t)(item % search.parts);
        block_integral<BLOCK>(pixels + image * image_bytes, search.width, search.height, integral);
        search_image(search, integral, image, part * BLOCK + threadIdx.x);
        __syncthreads();
    }
}

Status choose_kernel(HaarTiled *tiled) {
    const size_t bytes = haar_entries(tiled->width, tiled->height) * sizeof(int32_t);
    size_t most = 0;
    int of_multiprocessor = 0;
    STATUS_TRY(haar_shared_limit((const void *)haar_tiled<THREADS_MANY, true>, &most));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &of_multiprocessor));
    if (bytes > most) {
        tiled->kernel = haar_tiled<THREADS, false>;
        tiled->threads = THREADS;
        return status_ok();
    }
    const bool few = bytes * FEW_BLOCKS > (size_t)of_multiprocessor;
    tiled->kernel = few ? haar_tiled<THREADS_MANY, true> : haar_tiled<THREADS, true>;
    tiled->threads = few ? THREADS_MANY : THREADS;
    tiled->shared_bytes = bytes;
    CUDA_TRY(cudaFuncSetAttribute((const void *)tiled->kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return status_ok();
}

Status open_tiled(HaarTiled *tiled) {
    STATUS_TRY(haar_device_size(tiled));
    STATUS_TRY(haar_device_open(haar_cuda_tiled_run, tiled));
    STATUS_TRY(haar_rectangles_open(tiled));
    STATUS_TRY(choose_kernel(tiled));
    STATUS_TRY(haar_plan_grid((const void *)tiled->kernel, tiled->threads, tiled->shared_bytes,
                              tiled, &tiled->grid));
    if (tiled->shared_bytes != 0) {
        return status_ok();
    }
    const size_t entries = haar_entries(tiled->width, tiled->height) * tiled->grid.blocks;
    const CudaBuffer table[] = {
        cuda_scratch(&tiled->integrals, entries * sizeof *tiled->integrals)};
    return cuda_open_buffers(tiled, table);
}

} // namespace

Status haar_cuda_tiled_open(const Request *request, void **state) {
    return cuda_open_state<HaarTiled>(request, state, open_tiled);
}

Status haar_cuda_tiled_run(void *state) {
    const HaarTiled *tiled = (const HaarTiled *)state;
    STATUS_TRY(haar_device_clear(tiled));
    if (tiled->rectangles.across == 0) {
        return status_ok();
    }
    const HaarSearch search = haar_search(tiled, &tiled->grid);
    const uint64_t items = (uint64_t)tiled->images * tiled->grid.parts;
    tiled->kernel<<<tiled->grid.blocks, (unsigned int)tiled->threads, tiled->shared_bytes,
                    cuda_stream()>>>(search, tiled->pixels, items, tiled->integrals);
    return CUDA_LAUNCHED();
}
