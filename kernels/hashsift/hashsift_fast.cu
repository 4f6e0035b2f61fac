/*
 * cuda_fast: a warp per keypoint without atomics, then product and signs on the matrix units.
 *
 * Floor, 10,000 keypoints, 256 bits, H200: 10.2 M samples of 37 operations and 9 M gradients with
 * votes of about 60 are 920 M lane operations, 32 µs at 128 lanes a clock; 10.2 M gathering fetches
 * at 4 a clock and multiprocessor, 11 µs beside them; the product is 1.3 G multiply-adds of halves,
 * 2 µs.
 *
 * Rungs:
 *   - cuda_tiled (the study's): eight atomic additions a pixel, a block of four warps that wait for
 *     each other three times.
 *   - One fetch for a pixel's four neighbours (tld4), from an array that is tiled in both
 *     directions: turned patches touch few cache lines.
 *   - Patch and votes in registers (hashsift_fast_sift.cuh): no atomics, no block barrier, no
 *     patch in shared memory.
 *   - Product and signs in one kernel: no responses in memory (10 to 20 MB), no bias column.
 *   - Few keypoints: four warps for each, and both stages in one kernel (hashsift_fast_few.cuh).
 */
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <stdint.h>

#include "cuda_device.h"
#include "cuda_texture.h"
#include "early_launch.cuh"
#include "graph_pass.h"
#include "hashsift.h"
#include "hashsift_device.cuh"
#include "hashsift_fast_few.cuh"
#include "hashsift_fast_project.cuh"
#include "hashsift_fast_sift.cuh"
#include "multi_shares.h"

static inline size_t fragments_count(int32_t bits) {
    return (size_t)bits / FRAGMENT_BITS * FRAGMENT_STEPS * FRAGMENT_LANES;
}

/* Fills both arrays, in host memory. */
void fragments_fill(const Weights *weights, const Fragments *fragments);

/* === Fragments ================================================================================ */

enum { LARGEST_EXPONENT = 10 };

/* The exponent by which a row is multiplied; 0 for one of zeros. */
static int row_exponent(const float *row) {
    float largest = 0.0F;
    for (int k = 0; k < HASHSIFT_COLUMNS; k++) {
        largest = fmaxf(largest, fabsf(row[k]));
    }
    return largest > 0.0F ? LARGEST_EXPONENT - ilogbf(largest) : 0;
}

static uint32_t half_bits(__half half) {
    return __half_raw(half).x;
}

/* Two neighbouring factors as pairs of high and of low halves. */
static void split_pair(const float *factors, int exponent, uint32_t *high, uint32_t *low) {
    *high = 0;
    *low = 0;
    for (int k = 0; k < 2; k++) {
        const float factor = ldexpf(factors[k], exponent);
        const __half rounded = __float2half_rn(factor);
        const __half rest = __float2half_rn(factor - __half2float(rounded));
        *high |= half_bits(rounded) << (16 * k);
        *low |= half_bits(rest) << (16 * k);
    }
}

static void fill_tile(const Weights *weights, int32_t first_bit, Fragment *fragments) {
    for (int step = 0; step < FRAGMENT_STEPS; step++) {
        for (int lane = 0; lane < FRAGMENT_LANES; lane++) {
            const float *row = weights->values + (size_t)(first_bit + lane / 4) * HASHSIFT_COLUMNS;
            const float *factors = row + 1 + step * FRAGMENT_VALUES + 2 * (lane % 4);
            const int exponent = row_exponent(row);
            Fragment *fragment = &fragments[step * FRAGMENT_LANES + lane];
            split_pair(factors, exponent, &fragment->high[0], &fragment->low[0]);
            split_pair(factors + FRAGMENT_VALUES / 2, exponent, &fragment->high[1],
                       &fragment->low[1]);
        }
    }
}

void fragments_fill(const Weights *weights, const Fragments *fragments) {
    for (int32_t b = 0; b < weights->bits; b++) {
        const float *row = weights->values + (size_t)b * HASHSIFT_COLUMNS;
        fragments->bias[b] = ldexpf(row[0], row_exponent(row));
    }
    for (int32_t tile = 0; tile < weights->bits / FRAGMENT_BITS; tile++) {
        fill_tile(weights, tile * FRAGMENT_BITS,
                  fragments->fragments + (size_t)tile * FRAGMENT_STEPS * FRAGMENT_LANES);
    }
}

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_EXTERN Status hashsift_cuda_fast_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_fast_project(void *state);
VARIANT_EXTERN Status hashsift_cuda_fast_queue_pass(void *state);

struct FastState : HashsiftDevice {
    cudaArray_t array; /* the image, in the order in which textures are read fastest */
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface; /* of the array, through which a graph fills it */
    HashsiftRowShares shares;
    Fragments host;      /* weights as the kernel reads them, in one block of host memory */
    Fragments fragments; /* and on the device */
    __half *halves;      /* keypoints × HASHSIFT_VALUES; NULL where values are the answer */
};

/* 0 for cells beyond the patch, and for the first and the last row, which do not vote. */
static void fill_shares(HashsiftRowShares *shares) {
    for (int j = 0; j < PATCH_SIDE; j++) {
        const float y = (float)(j - PATCH_HALF);
        const bool votes = j > 0 && j < PATCH_SIDE - 1;
        const float weight = votes ? expf(HASHSIFT_DISTANCE_SCALE * y * y) : 0.0F;
        const float lower =
            (float)((j + HASHSIFT_CELL_SIDE / 2) % HASHSIFT_CELL_SIDE) / HASHSIFT_CELL_SIDE;
        const bool has_upper = j >= HASHSIFT_CELL_SIDE / 2;
        const bool has_lower = j < PATCH_SIDE - HASHSIFT_CELL_SIDE / 2;
        shares->of_row[j] = make_float2(has_upper ? weight * (1.0F - lower) : 0.0F,
                                        has_lower ? weight * lower : 0.0F);
    }
}

static void free_array(void *array) {
    (void)cudaFreeArray((cudaArray_t)array);
}

static void destroy_surface(void *surface) {
    (void)cudaDestroySurfaceObject((cudaSurfaceObject_t)(uintptr_t)surface);
}

/* An image that can be gathered from has to be an array, which is not the backend's memory: it is
 * filled anew by every upload. */
static Status open_texture(FastState *fast) {
    int side_max[2];
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DGatherWidth, &side_max[0]));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DGatherHeight, &side_max[1]));
    if (fast->width > side_max[0] || fast->height > side_max[1]) {
        return status_skip("textures to gather from have at most %dx%d pixels", side_max[0],
                           side_max[1]);
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    CUDA_TRY(cudaMallocArray(&fast->array, &format, (size_t)fast->width, (size_t)fast->height,
                             cudaArrayTextureGather | cudaArraySurfaceLoadStore));
    STATUS_TRY(cuda_state_own(fast, fast->array, free_array));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = fast->array;
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    description.addressMode[0] = cudaAddressModeClamp;
    description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    CUDA_TRY(cudaCreateTextureObject(&fast->texture, &resource, &description, NULL));
    STATUS_TRY(cuda_texture_own(fast, fast->texture));
    CUDA_TRY(cudaCreateSurfaceObject(&fast->surface, &resource));
    return cuda_state_own(fast, (void *)(uintptr_t)fast->surface, destroy_surface);
}

static Status open_fragments(FastState *fast) {
    const size_t fragments = fragments_count(fast->bits) * sizeof(Fragment);
    const size_t bias = (size_t)fast->bits * sizeof(float);
    const size_t values = (size_t)fast->keypoints_count * HASHSIFT_VALUES;
    const CudaBuffer host[] = {cuda_pinned(&fast->host.fragments, fragments + bias)};
    STATUS_TRY(cuda_open_buffers(fast, host));
    fast->host.bias = (float *)((char *)fast->host.fragments + fragments);
    fragments_fill(fast->weights, &fast->host);
    const CudaBuffer table[] = {
        cuda_up(&fast->fragments.fragments, fragments, fast->host.fragments),
        cuda_up(&fast->fragments.bias, bias, fast->host.bias),
        cuda_scratch(&fast->halves, values * sizeof *fast->halves),
    };
    return cuda_open_buffers(fast, table);
}

Status hashsift_cuda_fast_open(const Request *request, void **state) {
    return cuda_open_state<FastState>(request, state, [](FastState *fast) {
        STATUS_TRY(hashsift_device_open(NULL, sizeof(uint32_t), 0, fast));
        fill_shares(&fast->shares);
        STATUS_TRY(open_texture(fast));
        return fast->weights != NULL ? open_fragments(fast) : status_ok();
    });
}

static Status copy_to_array(const FastState *fast, const void *from, size_t stride,
                            cudaMemcpyKind direction) {
    CUDA_TRY(cudaMemcpy2DToArrayAsync(fast->array, 0, 0, from, stride, (size_t)fast->width,
                                      (size_t)fast->height, direction, cuda_stream()));
    return status_ok();
}

/* In a graph the image goes from the host's memory into the array: with the other copies if it is
 * small. */
static Status queue_captured_upload(FastState *fast) {
    const Image *image = &fast->request->workload->image;
    if ((size_t)image->width * (size_t)image->height > GRAPH_MAPPED_BYTES_MAX) {
        STATUS_TRY(cuda_upload_except(fast, &fast->image));
        return copy_to_array(fast, image->pixels, image->stride, cudaMemcpyHostToDevice);
    }
    return cuda_upload_instead(fast, &fast->image,
                               {NULL, 0, image->pixels, image->stride, (size_t)image->width,
                                (size_t)image->height, fast->surface});
}

Status hashsift_cuda_fast_upload(void *state) {
    FastState *fast = (FastState *)state;
    bool captured = false;
    STATUS_TRY(copies_are_captured(&captured));
    if (captured) {
        return queue_captured_upload(fast);
    }
    STATUS_TRY(cuda_state_upload(state));
    return copy_to_array(fast, fast->image, fast->image_stride, cudaMemcpyDeviceToDevice);
}

static HashsiftTexture texture_of(const FastState *fast) {
    return {fast->texture, (float)(fast->width - 1), (float)(fast->height - 1)};
}

template <typename Value> static Status launch_sift(const FastState *fast, Value *answers) {
    const unsigned blocks = ((unsigned)fast->keypoints_count + HASHSIFT_WARPS - 1) / HASHSIFT_WARPS;
    hashsift_fast_sift<<<blocks, dim3(PATCH_SIDE, HASHSIFT_WARPS), 0, cuda_stream()>>>(
        texture_of(fast), fast->keypoints, fast->keypoints_count, fast->scale, fast->shares,
        answers);
    return CUDA_LAUNCHED();
}

Status hashsift_cuda_fast_sift(void *state) {
    const FastState *fast = (const FastState *)state;
    if (fast->keypoints_count == 0) {
        return status_ok();
    }
    return fast->weights != NULL ? launch_sift(fast, fast->halves)
                                 : launch_sift(fast, fast->descriptors);
}

Status hashsift_cuda_fast_project(void *state) {
    const FastState *fast = (const FastState *)state;
    const int count = fast->keypoints_count;
    if (count == 0 || fast->weights == NULL) {
        return status_ok();
    }
    const int row_bytes = fast->bits / 8;
    const unsigned many = (unsigned)pieces_of(count, PROJECT_TILES * PROJECT_ROWS);
    if (many >= (unsigned)cuda_multiprocessors()) {
        return launch_early(hashsift_fast_project<PROJECT_TILES>, many, PROJECT_THREADS,
                            fast->halves, fast->fragments.fragments, fast->fragments.bias, count,
                            row_bytes, row_bytes, fast->descriptors);
    }
    const dim3 few((unsigned)pieces_of(count, PROJECT_ROWS), (unsigned)(row_bytes / PROJECT_PART));
    return launch_early(hashsift_fast_project<1>, few, PROJECT_THREADS, fast->halves,
                        fast->fragments.fragments, fast->fragments.bias, count, row_bytes,
                        (int)PROJECT_PART, fast->descriptors);
}

/* Whether one wave of blocks has all keypoints. */
static bool keypoints_are_few(const FastState *fast) {
    return fast->keypoints_count > 0 &&
           fast->keypoints_count <= FEW_KEYPOINTS * cuda_multiprocessors();
}

static Status launch_few(const FastState *fast, unsigned char *descriptors) {
    const unsigned blocks = (unsigned)pieces_of(fast->keypoints_count, FEW_KEYPOINTS);
    const auto kernel = fast->weights != NULL ? hashsift_fast_few<true> : hashsift_fast_few<false>;
    kernel<<<blocks, FEW_THREADS, 0, cuda_stream()>>>(
        texture_of(fast), fast->keypoints, fast->keypoints_count, fast->scale, fast->shares,
        fast->fragments, fast->bits / 8, descriptors);
    return CUDA_LAUNCHED();
}

/* Of few keypoints both stages are one kernel. */
Status hashsift_cuda_fast_run(void *state) {
    const FastState *fast = (const FastState *)state;
    if (keypoints_are_few(fast)) {
        return launch_few(fast, fast->descriptors);
    }
    STATUS_TRY(hashsift_cuda_fast_sift(state));
    return hashsift_cuda_fast_project(state);
}

/* cuda_graph's. Of few keypoints the kernel writes the descriptors to the host's memory. */
Status hashsift_cuda_fast_queue_pass(void *state) {
    const FastState *fast = (const FastState *)state;
    unsigned char *descriptors = hashsift_descriptors(fast->request->output);
    STATUS_TRY(hashsift_cuda_fast_upload(state));
    if (keypoints_are_few(fast) && (uintptr_t)descriptors % sizeof(uint4) == 0) {
        STATUS_TRY(cuda_seen_by_device(descriptors, &descriptors));
        return launch_few(fast, descriptors);
    }
    STATUS_TRY(hashsift_cuda_fast_run(state));
    return cuda_state_queue_download(state);
}

/* === cuda_multi =============================================================================== */

/* Its floor is cuda_fast's divided by the devices. */

VARIANT_FUNCTIONS(hashsift_cuda_multi);
VARIANT_EXTERN const VariantTable hashsift_cuda_variants;

Status hashsift_cuda_multi_open(const Request *request, void **state) {
    return multi_keypoints_open(request, &hashsift_cuda_variants, state);
}
