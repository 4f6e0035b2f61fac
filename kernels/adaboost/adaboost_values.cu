/*
 * Values of all candidates in all images.
 *
 * A block stages the integral images of up to 32 images in shared memory and goes through the
 * candidates. The lanes of a warp take the same candidate in one image each: they do not diverge
 * over its type, they write neighbouring values, and since images lie an odd number of entries
 * apart, the same entry of 32 images lies in 32 banks. Where fewer images fit, a warp takes several
 * candidates at once; an image whose integral image does not fit is read from global memory.
 *
 * Its floors: four bytes written for each value, and at most 16 loads from shared memory for each
 * 32 of them, at one a cycle and multiprocessor.
 */
#include <algorithm>

#include "adaboost_device.cuh"
#include "cuda_device.h"

namespace {

constexpr int LANES = 32;
constexpr int THREADS = 512;
constexpr int GLOBAL_GROUP = 8; /* images: 32 bytes written together, the least worth writing */
constexpr int WAVES_WANTED = 4; /* blocks for each place, so that the last ones do not run alone */
constexpr int CANDIDATES_MIN = 256; /* of a block: staging must stay small beside them */

struct ValuesJob {
    const int32_t *integrals;
    const HaarFeature *features;
    int32_t *values;
    size_t value_pitch; /* from candidate to candidate, values */
    int images, candidates;
    int stride;  /* of an integral image's rows, entries */
    int entries; /* of an integral image */
    int group;   /* images of a block: a power of 2, at most 32 */
    int pitch;   /* from image to image in shared memory, entries */
    int share;   /* candidates of a block */
};

/* Copies the integral images of a block into shared memory, a warp for each. */
__device__ __forceinline__ void stage_integrals(const ValuesJob &job, const int32_t *from,
                                                int count, int32_t *stage) {
    const int lane = (int)threadIdx.x % LANES;
    for (int image = (int)threadIdx.x / LANES; image < count; image += THREADS / LANES) {
        for (int entry = lane; entry < job.entries; entry += LANES) {
            stage[image * job.pitch + entry] = from[(size_t)image * job.entries + entry];
        }
    }
    __syncthreads();
}

template <bool STAGED>
__global__ void __launch_bounds__(THREADS) adaboost_values(const ValuesJob job) {
    extern __shared__ int32_t stage[];
    const size_t first = (size_t)blockIdx.x * (size_t)job.group;
    const int count = (int)min((size_t)job.group, (size_t)job.images - first);
    const int32_t *integrals = job.integrals + first * (size_t)job.entries;
    if (STAGED) {
        stage_integrals(job, integrals, count, stage);
    }
    const int image = (int)threadIdx.x & (job.group - 1);
    if (image >= count) {
        return;
    }
    const int32_t *integral = STAGED ? stage + image * job.pitch : integrals + image * job.entries;
    const int begin = (int)blockIdx.y * job.share;
    const int end = min(begin + job.share, job.candidates);
    const int step = THREADS / job.group;
    for (int c = begin + (int)threadIdx.x / job.group; c < end; c += step) {
        job.values[(size_t)c * job.value_pitch + first + (size_t)image] =
            haar_value(integral, job.stride, job.features[c]);
    }
}

/* As many images as shared memory has room for; 0 when not even one fits. */
Status group_that_fits(int pitch, int *group) {
    int bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &bytes));
    *group = LANES;
    while (*group > 0 && (size_t)*group * (size_t)pitch * sizeof(int32_t) > (size_t)bytes) {
        *group /= 2;
    }
    return status_ok();
}

using Kernel = void(const ValuesJob);

/* Few images make few blocks: these share out the candidates too. */
Status share_candidates(Kernel *kernel, size_t shared_bytes, unsigned int groups, ValuesJob *job) {
    int resident = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)kernel, THREADS, shared_bytes, &resident));
    const int wanted = WAVES_WANTED * resident * cuda_multiprocessors();
    const int parts = (int)(((unsigned int)wanted + groups - 1) / groups);
    job->share = std::max((job->candidates + parts - 1) / parts, CANDIDATES_MIN);
    return status_ok();
}

Status launch(Kernel *kernel, size_t shared_bytes, ValuesJob *job) {
    const unsigned int groups = adaboost_blocks(job->images, job->group);
    CUDA_TRY(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)shared_bytes));
    STATUS_TRY(share_candidates(kernel, shared_bytes, groups, job));
    const dim3 grid(groups, adaboost_blocks(job->candidates, job->share));
    kernel<<<grid, THREADS, shared_bytes, cuda_stream()>>>(*job);
    return CUDA_LAUNCHED();
}

} // namespace

Status adaboost_cuda_values(void *state) {
    const AdaboostDevice *device = (const AdaboostDevice *)state;
    ValuesJob job = {};
    job.integrals = device->integrals;
    job.features = device->features;
    job.values = device->values;
    job.value_pitch = device->plan.pitch;
    job.images = device->images;
    job.candidates = adaboost_part_size(device);
    job.stride = device->width + 1;
    job.entries = job.stride * (device->height + 1);
    job.pitch = job.entries | 1;
    STATUS_TRY(group_that_fits(job.pitch, &job.group));
    if (job.group == 0) {
        job.group = GLOBAL_GROUP;
        return launch(adaboost_values<false>, 0, &job);
    }
    const size_t bytes = (size_t)job.group * (size_t)job.pitch * sizeof(int32_t);
    return launch(adaboost_values<true>, bytes, &job);
}
