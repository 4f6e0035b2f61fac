/*
 * Device side of a cell that describes keypoints by a table of tests: what bad and orb have in
 * common. First something is made of the whole image, then a bit of each test at each keypoint.
 * Included where cpu/common is seen.
 */
#ifndef KERNELS_COMMON_KEYPOINT_DEVICE_CUH
#define KERNELS_COMMON_KEYPOINT_DEVICE_CUH

#include "cuda_state.h"
#include "keypoints.h"

/* === The device side ========================================================================== */

/* Elements that rows come in: what they are cut into by blocks, and 512 bytes of elements of four,
 * as textures may want. */
enum { KEYPOINT_DEVICE_ROW = 128 };

/* What a variant does in its own way. Device begins with a KeypointDevice. */
template <typename Device> struct KeypointMethod {
    Status (*open)(Device *device);        /* optional: opens what follows the Device */
    Status (*image)(const Device *device); /* queues what is made of the image */
    Status (*tests)(
        const Device *device); /* queues making the descriptors, of one keypoint or more */
};

/* What every state begins with. Buffers are in device memory. A Test is a row of the weights. */
template <typename TestOfKind> struct KeypointDevice : CudaState {
    typedef TestOfKind Test;

    const Weights *weights; /* the workload's */
    int32_t width, height;  /* pixels */
    int32_t count;          /* keypoints to describe, perhaps 0 */
    int32_t bits;           /* of a descriptor, a multiple of 32 */
    float scale;
    size_t stride; /* bytes of a row of the image, a multiple of KEYPOINT_DEVICE_ROW, above width */
    uint8_t *image;        /* stride × height; 0 after `width` pixels of a row */
    Keypoint *keypoints;   /* count */
    Test *tests;           /* bits */
    uint32_t *descriptors; /* count rows of bits / 32 words, the first byte of a word lowest */
};

/* Fills in all members; `kind` is that of the weights. */
template <typename Test>
static inline Status keypoint_device_open(const char *kind, KeypointDevice<Test> *device) {
    const Request *request = device->request;
    const Workload *workload = request->workload;
    const Image *image = &workload->image;
    STATUS_TRY(keypoints_check(workload, request->answer));
    STATUS_TRY(keypoints_weights(workload, request->answer, kind, &device->weights));
    device->width = image->width;
    device->height = image->height;
    device->count = point_keypoints(request->answer);
    device->bits = device->weights->bits;
    device->scale = point_scale(request->answer);
    device->stride = round_up((size_t)image->width + 1, KEYPOINT_DEVICE_ROW);
    const size_t count = (size_t)device->count;
    const size_t bits = (size_t)device->bits;
    const CudaBuffer table[] = {
        cuda_rows_up_in_zeros(&device->image, device->stride * (size_t)device->height,
                              cuda_image_rows(image, device->stride)),
        cuda_up(&device->tests, bits * sizeof(Test), device->weights->values),
        cuda_up(&device->keypoints, count * sizeof(Keypoint), workload->keypoints.keypoints),
        cuda_down(&device->descriptors, count * bits / 8, output_part(request->output, 0)),
    };
    return cuda_open_buffers(device, table);
}

template <typename Device> static inline Status keypoint_device_tests(const Device *device) {
    return device->count > 0 ? device->method->tests(device) : status_ok();
}

/* === Descriptors ============================================================================== */

/*
 * Two ways to go through keypoints and tests, for any Rule that turns a test at a keypoint into a
 * bit:
 *     struct Rule {
 *         typedef … Test, Place;
 *         Place place(Keypoint keypoint) const;                what all tests of a keypoint share
 *         int bit(const Place &place, const Test &test) const;
 *         static uint32_t word(uint32_t votes);                four bytes of a descriptor from the
 *     };                                                       bits of 32 tests, the first lowest
 */

enum { KEYPOINT_WARP = 32 };

/* One thread per keypoint, which goes through all tests. */
enum { KEYPOINT_NAIVE_THREADS = 64 };

template <typename Rule>
__global__ void keypoint_describe_each(Rule rule, const Keypoint *keypoints, int count,
                                       const typename Rule::Test *tests, int bits,
                                       uint32_t *descriptors) {
    const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count) {
        return;
    }
    const typename Rule::Place place = rule.place(keypoints[k]);
    const int words = bits / KEYPOINT_WARP;
    for (int w = 0; w < words; w++) {
        uint32_t votes = 0;
        for (int i = 0; i < KEYPOINT_WARP; i++) {
            votes |= (uint32_t)rule.bit(place, tests[w * KEYPOINT_WARP + i]) << i;
        }
        descriptors[(size_t)k * (size_t)words + (size_t)w] = Rule::word(votes);
    }
}

template <typename Device, typename Rule>
static inline Status keypoint_describe_naive(const Device *device, const Rule &rule) {
    const unsigned int blocks = (unsigned int)pieces_of(device->count, KEYPOINT_NAIVE_THREADS);
    keypoint_describe_each<Rule><<<blocks, KEYPOINT_NAIVE_THREADS, 0, cuda_stream()>>>(
        rule, device->keypoints, device->count, device->tests, device->bits, device->descriptors);
    return CUDA_LAUNCHED();
}

/* A block for some keypoints, for which it copies the tests once; a bit per thread. */
enum { KEYPOINT_TILED_THREADS = 256, KEYPOINT_TILED = 8 };

/* Dynamic shared memory: the tests. */
template <typename Rule>
__global__ void __launch_bounds__(KEYPOINT_TILED_THREADS)
    keypoint_describe_block(Rule rule, const Keypoint *__restrict__ keypoints, int count,
                            const typename Rule::Test *__restrict__ tests, int bits,
                            uint32_t *descriptors) {
    typedef typename Rule::Test Test;
    extern __shared__ float staged[];
    __shared__ typename Rule::Place places[KEYPOINT_TILED];
    const int first = (int)blockIdx.x * KEYPOINT_TILED;
    const int here = min((int)KEYPOINT_TILED, count - first);
    const int numbers = bits * (int)(sizeof(Test) / sizeof(float));
    for (int i = (int)threadIdx.x; i < numbers; i += KEYPOINT_TILED_THREADS) {
        staged[i] = ((const float *)tests)[i];
    }
    if ((int)threadIdx.x < here) {
        places[threadIdx.x] = rule.place(keypoints[first + (int)threadIdx.x]);
    }
    __syncthreads();
    const int lane = (int)threadIdx.x % KEYPOINT_WARP;
    const int words = bits / KEYPOINT_WARP;
    for (int i = (int)threadIdx.x / KEYPOINT_WARP; i < here * words;
         i += KEYPOINT_TILED_THREADS / KEYPOINT_WARP) {
        const Test test = ((const Test *)staged)[i % words * KEYPOINT_WARP + lane];
        const uint32_t votes = __ballot_sync(~0U, rule.bit(places[i / words], test));
        if (lane == 0) {
            descriptors[(size_t)first * (size_t)words + (size_t)i] = Rule::word(votes);
        }
    }
}

template <typename Device, typename Rule>
static inline Status keypoint_describe_tiled(const Device *device, const Rule &rule) {
    const unsigned int blocks = (unsigned int)pieces_of(device->count, KEYPOINT_TILED);
    const size_t shared = (size_t)device->bits * sizeof(typename Rule::Test);
    keypoint_describe_block<Rule><<<blocks, KEYPOINT_TILED_THREADS, shared, cuda_stream()>>>(
        rule, device->keypoints, device->count, device->tests, device->bits, device->descriptors);
    return CUDA_LAUNCHED();
}

#endif
