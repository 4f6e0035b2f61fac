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
 *   - Patch and votes in registers (hashsift_fast_votes.cuh): no atomics, no block barrier, no
 *     patch in shared memory.
 *   - Product and signs in one kernel: no responses in memory (10 to 20 MB), no bias column.
 */
#include <cstdlib>
#include <cstring>

#include "cuda_check.h"
#include "cuda_device.h"
#include "cuda_state.cuh"
#include "cuda_texture.h"
#include "hashsift_device.h"
#include "hashsift_fast_project.cuh"
#include "hashsift_fast_sift.cuh"

VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_EXTERN Status hashsift_cuda_fast_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_fast_project(void *state);

typedef struct FastState {
    HashsiftDevice device; /* first: the shared operations see only this */
    cudaArray_t array;     /* the picture, in the order in which textures are read fastest */
    cudaTextureObject_t texture;
    HashsiftRowShares shares;
    Fragments host;      /* weights as the kernel reads them, in one block of host memory */
    Fragments fragments; /* and on the device */
    __half *halves;      /* keypoints × HASHSIFT_VALUES; NULL where values are the answer */
} FastState;

static void fill_shares(HashsiftRowShares *shares) {
    for (int j = 0; j < PATCH_SIDE; ++j) {
        const float y = (float)(j - PATCH_HALF);
        const float weight = expf(HASHSIFT_DISTANCE_SCALE * y * y);
        const float lower =
            (float)((j + HASHSIFT_CELL_SIDE / 2) % HASHSIFT_CELL_SIDE) / HASHSIFT_CELL_SIDE;
        shares->of_row[j] = make_float2(weight * (1.0F - lower), weight * lower);
    }
}

/* A picture that can be gathered from has to be an array, which is not the backend's memory: it is
 * filled anew by every upload. */
static Status open_texture(FastState *fast) {
    const HashsiftDevice *device = &fast->device;
    int side_max[2];
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DGatherWidth, &side_max[0]));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DGatherHeight, &side_max[1]));
    if (device->width > side_max[0] || device->height > side_max[1]) {
        return status_skip("textures to gather from have at most %dx%d pixels", side_max[0],
                           side_max[1]);
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    CUDA_TRY(cudaMallocArray(&fast->array, &format, (size_t)device->width, (size_t)device->height,
                             cudaArrayTextureGather));
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
    return status_ok();
}

static Status open_fragments(FastState *fast) {
    const HashsiftDevice *device = &fast->device;
    const size_t count = fragments_count(device->bits);
    const size_t bits = (size_t)device->bits;
    const size_t values = (size_t)device->keypoints_count * HASHSIFT_VALUES;
    fast->host.fragments = (Fragment *)malloc(count * sizeof(Fragment) + bits * sizeof(float));
    if (fast->host.fragments == NULL) {
        return status_skip("not enough host memory for the weights");
    }
    fast->host.bias = (float *)(fast->host.fragments + count);
    fragments_fill(device->weights, &fast->host);
    STATUS_TRY(cuda_backend.alloc(count * sizeof(Fragment), (void **)&fast->fragments.fragments));
    STATUS_TRY(cuda_backend.alloc(bits * sizeof(float), (void **)&fast->fragments.bias));
    return cuda_backend.alloc(values * sizeof(__half), (void **)&fast->halves);
}

static Status upload_rest(HashsiftDevice *device) {
    const FastState *fast = (const FastState *)device;
    CUDA_TRY(cudaMemcpy2DToArrayAsync(fast->array, 0, 0, device->image, device->image_stride,
                                      (size_t)device->width, (size_t)device->height,
                                      cudaMemcpyDeviceToDevice, cuda_stream()));
    if (device->weights != NULL) {
        CUDA_TRY(cudaMemcpyAsync(fast->fragments.fragments, fast->host.fragments,
                                 fragments_count(device->bits) * sizeof(Fragment),
                                 cudaMemcpyHostToDevice, cuda_stream()));
        CUDA_TRY(cudaMemcpyAsync(fast->fragments.bias, fast->host.bias,
                                 (size_t)device->bits * sizeof(float), cudaMemcpyHostToDevice,
                                 cuda_stream()));
    }
    return status_ok();
}

static void close_rest(HashsiftDevice *device) {
    FastState *fast = (FastState *)device;
    cuda_texture_destroy(fast->texture);
    cudaFreeArray(fast->array);
    cuda_backend.release(fast->fragments.fragments);
    cuda_backend.release(fast->fragments.bias);
    cuda_backend.release(fast->halves);
    free(fast->host.fragments);
}

static const HashsiftMethods methods = {upload_rest, NULL, NULL, close_rest};

Status hashsift_cuda_fast_open(const Request *request, void **state) {
    return cuda_open_state<FastState>(
        state,
        [request](FastState *fast) {
            STATUS_TRY(hashsift_device_open(request, &methods, 1, 0, &fast->device));
            fill_shares(&fast->shares);
            STATUS_TRY(open_texture(fast));
            return fast->device.weights != NULL ? open_fragments(fast) : status_ok();
        },
        hashsift_cuda_close);
}

template <typename Value> static Status launch_sift(const FastState *fast, Value *answers) {
    const HashsiftDevice *device = &fast->device;
    const HashsiftTexture picture = {fast->texture, (float)(device->width - 1),
                                     (float)(device->height - 1)};
    const unsigned blocks =
        ((unsigned)device->keypoints_count + HASHSIFT_WARPS - 1) / HASHSIFT_WARPS;
    hashsift_fast_sift<<<blocks, dim3(PATCH_SIDE, HASHSIFT_WARPS), 0, cuda_stream()>>>(
        picture, device->keypoints, device->keypoints_count, device->scale, fast->shares, answers);
    return CUDA_LAUNCHED();
}

Status hashsift_cuda_fast_sift(void *state) {
    const FastState *fast = (const FastState *)state;
    if (fast->device.keypoints_count == 0) {
        return status_ok();
    }
    return fast->device.weights != NULL ? launch_sift(fast, fast->halves)
                                        : launch_sift(fast, fast->device.descriptors);
}

Status hashsift_cuda_fast_project(void *state) {
    const FastState *fast = (const FastState *)state;
    const HashsiftDevice *device = &fast->device;
    const int count = device->keypoints_count;
    if (count == 0 || device->weights == NULL) {
        return status_ok();
    }
    const unsigned blocks = ((unsigned)count + PROJECT_KEYPOINTS - 1) / PROJECT_KEYPOINTS;
    hashsift_fast_project<<<blocks, PROJECT_THREADS, 0, cuda_stream()>>>(
        fast->halves, fast->fragments.fragments, fast->fragments.bias, count, device->bits,
        device->descriptors);
    return CUDA_LAUNCHED();
}

Status hashsift_cuda_fast_run(void *state) {
    STATUS_TRY(hashsift_cuda_fast_sift(state));
    return hashsift_cuda_fast_project(state);
}
