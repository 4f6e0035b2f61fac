/*
 * cuda_texture: integral images of all images in global memory, read through texture objects.
 *
 * Two stages. "integral" makes the integral images as cuda_tiled does, in shared memory by scans of
 * warps, and writes them out. "features" reads the corners of rectangles by tex1Dfetch. Against
 * cuda_naive a rectangle takes 27 reads in place of 56, whose values stay in the texture cache, for
 * an integral image is small; the buffer of records is one for all images, copied back exactly.
 * A warp adds all that it keeps of 32 rectangles to the cursor at once: the lanes vote on each of
 * the five types, one lane takes room for all, and each finds its own place by counting the votes
 * below it. Against cuda_tiled the integral images cross the memory twice, and the cursor is moved
 * once for all five types.
 *
 * What bounds it: the first stage is a pixel read and 4 bytes written for each pixel, and memory
 * bounds that. In the second a fetch is issued at a quarter of the rate of a read from shared
 * memory: 27 fetches of 32 lanes are 108 clocks of a multiprocessor for 32 rectangles.
 *
 * A linear texture has a limit, 2^27 entries or more by device; the images of larger sets are
 * divided among several textures, each with a kernel launch of its own.
 */
#include "cuda_texture.h"
#include "haar_integral.cuh"
#include "haar_search.cuh"
#include <algorithm>

VARIANT_FUNCTIONS(haar_cuda_texture);
VARIANT_EXTERN Status haar_cuda_texture_integral(void *state);
VARIANT_EXTERN Status haar_cuda_texture_features(void *state);

namespace {

constexpr int THREADS = 256;

struct HaarTexture : HaarDevice {
    HaarGrid grid;
    unsigned int integral_blocks;
    size_t shared_bytes; /* of a block of the stage "integral"; 0: it works in global memory */
    int32_t *memory;     /* holds the integral images */
    int32_t *integrals;  /* the first of them, where a texture may begin */
    cudaTextureObject_t *textures;
    uint32_t texture_count, texture_images; /* the last one may have fewer */
};

/* Copies an integral image, the columns beside its own excepted. */
__device__ __forceinline__ void copy_integral(const int32_t *from, int width, int height,
                                              int32_t *to) {
    const int stride = haar_stride(width);
    for (int y = (int)threadIdx.x / WARP; y <= height; y += THREADS / WARP) {
        for (int x = (int)threadIdx.x % WARP; x <= width; x += WARP) {
            to[y * stride + x] = from[y * stride + x];
        }
    }
}

template <bool SHARED>
__global__ void __launch_bounds__(THREADS)
    haar_texture_integral(const uint8_t *pixels, uint32_t images, int width, int height,
                          int32_t *integrals) {
    extern __shared__ int32_t shared_integral[];
    const size_t entries = haar_entries(width, height);
    const size_t image_bytes = (size_t)width * (size_t)height;
    for (uint64_t image = blockIdx.x; image < images; image += gridDim.x) {
        int32_t *integral = integrals + image * entries;
        block_integral<THREADS>(pixels + image * image_bytes, width, height,
                                SHARED ? shared_integral : integral);
        if (SHARED) {
            copy_integral(shared_integral, width, height, integral);
            __syncthreads();
        }
    }
}

struct TextureCorners {
    cudaTextureObject_t texture;
    int first, stride;

    __device__ __forceinline__ int32_t operator()(int x, int y) const {
        return tex1Dfetch<int>(texture, first + y * stride + x);
    }
};

/* All lanes of a warp call this. One of them moves the cursor for all; records of a type are beside
 * each other, in the order of the lanes. */
__device__ __forceinline__ void append_of_warp(const HaarSearch &search, uint32_t image,
                                               HaarFeature feature,
                                               const int32_t (&values)[HAAR_TYPES]) {
    if (!__any_sync(ALL_LANES, any_kept(search, values))) {
        return;
    }
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int votes[HAAR_TYPES];
    unsigned int kept = 0;
#pragma unroll
    for (int type = 0; type < HAAR_TYPES; type++) {
        votes[type] = __ballot_sync(ALL_LANES, is_kept(search, values[type]));
        kept += (unsigned int)__popc(votes[type]);
    }
    unsigned long long at = lane == 0 ? atomicAdd(search.cursor, (unsigned long long)kept) : 0;
    at = __shfl_sync(ALL_LANES, at, 0);
    const unsigned int below = (1U << lane) - 1;
#pragma unroll
    for (int type = 0; type < HAAR_TYPES; type++) {
        if (votes[type] >> lane & 1) {
            put_record(search, at + (unsigned int)__popc(votes[type] & below), image, feature, type,
                       values[type]);
        }
        at += (unsigned int)__popc(votes[type]);
    }
}

/* The rectangles that a thread has of the image whose integral image begins at entry `base`. The
 * lanes of a warp stay together until none has a rectangle left. */
__device__ __forceinline__ void search_image(const HaarSearch &search, cudaTextureObject_t texture,
                                             int base, uint32_t image, uint32_t first) {
    const int stride = haar_stride(search.width);
    RectangleWalk walk(search, first);
    while (__any_sync(ALL_LANES, walk.inside(search))) {
        HaarFeature rectangle = {};
        int32_t values[HAAR_TYPES] = {};
        if (walk.inside(search)) {
            rectangle = walk.rectangle(search);
            const TextureCorners corners = {texture, base + rectangle.y * stride + rectangle.x,
                                            stride};
            haar_values(corners, rectangle.w, rectangle.h, values);
        }
        append_of_warp(search, image, rectangle, values);
        walk.advance(search);
    }
}

/* Searches `images` images, of which `first` is the number of the first one and `texture` has
 * the integral images. */
__global__ void __launch_bounds__(THREADS)
    haar_texture_features(const HaarSearch search, cudaTextureObject_t texture, uint32_t first,
                          uint32_t images) {
    const int entries = (int)haar_entries(search.width, search.height);
    const uint64_t items = (uint64_t)images * search.parts;
    for (uint64_t item = blockIdx.x; item < items; item += gridDim.x) {
        const uint32_t image = (uint32_t)(item / search.parts);
        const uint32_t part = (uint32_t)(item % search.parts);
        search_image(search, texture, (int)image * entries, first + image,
                     part * THREADS + threadIdx.x);
    }
}

/* --- Opening --------------------------------------------------------------------------------- */

/* How many images a texture has: as many as its limit allows, and in such steps that every
 * texture begins where one may. */
Status divide_images(HaarTexture *state, size_t alignment) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    int current = 0;
    size_t limit = 0;
    CUDA_TRY(cudaGetDevice(&current));
    CUDA_TRY(cudaDeviceGetTexture1DLinearMaxWidth(&limit, &format, current));
    const size_t step = alignment / sizeof(int32_t);
    limit = std::min(limit, (size_t)CUDA_TEXTURE_ANY_SIDE);
    const size_t fit = limit / haar_entries(state->width, state->height) / step * step;
    if (fit == 0) {
        return status_skip("a texture on this device has %zu entries, too few for %zu images of "
                           "%d×%d",
                           limit, step, state->width, state->height);
    }
    const size_t images = (size_t)state->images;
    state->texture_images = (uint32_t)std::min(fit, images);
    state->texture_count = (uint32_t)((images + state->texture_images - 1) / state->texture_images);
    return status_ok();
}

/* Images of texture `index`. */
uint32_t images_of_texture(const HaarTexture *state, uint32_t index) {
    const uint32_t before = index * state->texture_images;
    return std::min(state->texture_images, (uint32_t)state->images - before);
}

Status create_texture(HaarTexture *state, uint32_t index) {
    const size_t entries = haar_entries(state->width, state->height);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = state->integrals + (size_t)index * state->texture_images * entries;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = images_of_texture(state, index) * entries * sizeof(int32_t);
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    CUDA_TRY(cudaCreateTextureObject(&state->textures[index], &resource, &description, NULL));
    return cuda_texture_own(state, state->textures[index]);
}

Status open_textures(HaarTexture *state) {
    int alignment = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrTextureAlignment, &alignment));
    STATUS_TRY(divide_images(state, (size_t)alignment));
    const size_t entries = haar_entries(state->width, state->height) * (size_t)state->images;
    const CudaBuffer table[] = {
        cuda_scratch(&state->memory, entries * sizeof(int32_t) + (size_t)alignment)};
    STATUS_TRY(cuda_open_buffers(state, table));
    state->integrals = (int32_t *)round_up((size_t)state->memory, (size_t)alignment);
    state->textures = (cudaTextureObject_t *)calloc(state->texture_count, sizeof *state->textures);
    if (state->textures == NULL) {
        return status_skip("not enough host memory for %u textures", state->texture_count);
    }
    STATUS_TRY(cuda_state_own(state, state->textures, free));
    for (uint32_t i = 0; i < state->texture_count; i++) {
        STATUS_TRY(create_texture(state, i));
    }
    return status_ok();
}

Status plan_integral(HaarTexture *state) {
    const void *in_shared = (const void *)haar_texture_integral<true>;
    const size_t bytes = haar_entries(state->width, state->height) * sizeof(int32_t);
    size_t most = 0;
    STATUS_TRY(haar_shared_limit(in_shared, &most));
    if (bytes <= most) {
        state->shared_bytes = bytes;
        CUDA_TRY(cudaFuncSetAttribute(in_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)bytes));
    }
    const void *kernel = bytes <= most ? in_shared : (const void *)haar_texture_integral<false>;
    int resident = 0;
    STATUS_TRY(cuda_resident_blocks(kernel, THREADS, state->shared_bytes, &resident));
    const int blocks = resident * cuda_multiprocessors();
    state->integral_blocks = (unsigned int)std::min(blocks, state->images);
    return status_ok();
}

Status open_texture(HaarTexture *state) {
    STATUS_TRY(haar_device_size(state));
    STATUS_TRY(haar_device_open(haar_cuda_texture_run, state));
    STATUS_TRY(haar_rectangles_open(state));
    STATUS_TRY(plan_integral(state));
    STATUS_TRY(
        haar_plan_grid((const void *)haar_texture_features, THREADS, 0, state, &state->grid));
    return open_textures(state);
}

} // namespace

Status haar_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<HaarTexture>(request, state, open_texture);
}

Status haar_cuda_texture_integral(void *state) {
    const HaarTexture *opened = (const HaarTexture *)state;
    const auto kernel =
        opened->shared_bytes != 0 ? haar_texture_integral<true> : haar_texture_integral<false>;
    kernel<<<opened->integral_blocks, THREADS, opened->shared_bytes, cuda_stream()>>>(
        opened->pixels, (uint32_t)opened->images, opened->width, opened->height, opened->integrals);
    return CUDA_LAUNCHED();
}

Status haar_cuda_texture_features(void *state) {
    const HaarTexture *opened = (const HaarTexture *)state;
    STATUS_TRY(haar_device_clear(opened));
    if (opened->rectangles.across == 0) {
        return status_ok();
    }
    const HaarSearch search = haar_search(opened, &opened->grid);
    for (uint32_t i = 0; i < opened->texture_count; i++) {
        haar_texture_features<<<opened->grid.blocks, THREADS, 0, cuda_stream()>>>(
            search, opened->textures[i], i * opened->texture_images, images_of_texture(opened, i));
        STATUS_TRY(CUDA_LAUNCHED());
    }
    return status_ok();
}

Status haar_cuda_texture_run(void *state) {
    STATUS_TRY(haar_cuda_texture_integral(state));
    return haar_cuda_texture_features(state);
}
