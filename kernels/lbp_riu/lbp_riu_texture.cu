/*
 * cuda_texture: samples are read through a texture object, whose hardware interpolates.
 *
 * The study's kernel for texture memory [lbp-riu section 2.3]: with linear filtering and border
 * mode, one fetch at (x + 0.5, y + 0.5) from a point is its sample, and outside the image is 0.
 * That is faster than cuda_naive, which does for every point four loads, four bounds checks and
 * the sum. P + 1 fetches a pixel at a quarter of the rate of loads are what bounds it. Blocks walk
 * down a column of the image with one histogram in shared memory.
 *
 * The filter has weights of 8 bits where the definition has 14, so its answers differ where a
 * sample is about as bright as its centre; lbp_riu_compare defines by how much. With `nearest` the
 * texture is not filtered and the answer is exact. Three things keep what can be kept:
 *   - The centre is fetched the same way, at the middle of its pixel where the filter takes that
 *     pixel alone, so that both are on the same scale.
 *   - Offsets are rounded to steps of the filter here: the hardware need not round, whichever way
 *     it does. A fraction that is not 0 stays one, so that next to the border a sample with a share
 *     of the outside stays below an even image, as it is by the definition.
 *   - A sample counts as equal to its centre when it is less than half a weight step of one grey
 *     level below: the rounding of the hardware's sums must not make bits of an even image 0. No
 *     share of a whole step of weight is as small as that.
 *
 * Float coordinates distinguish steps of the filter up to 65,536: larger images are skipped with
 * that reason.
 */
#include <algorithm>
#include <cmath>

#include "block_histogram.cuh"
#include "cuda_texture.h"
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_texture);

namespace {

constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

constexpr int FILTER_STEPS = 256; /* from one pixel to the next */
/* Coordinates below this have a float for every step of the filter. */
constexpr int FILTERED_COORDINATE_MAX = (1 << 24) / FILTER_STEPS;
/* Half a step of weight times one grey level, as the texture returns it: 255 is 1. */
constexpr float HALF_STEP = 0.5f / FILTER_STEPS / 255;

/* From the upper left corner of the centre's pixel to where points are fetched. */
struct TexturePattern {
    float2 offset[LBP_RIU_POINTS_MAX];
};

struct LbpRiuTexture : LbpRiuDevice {
    TexturePattern offsets;
    cudaTextureObject_t texture;
};

template <int POINTS>
__device__ uint32_t code_at(cudaTextureObject_t texture, const TexturePattern &pattern, float x,
                            float y) {
    const float threshold = tex2D<float>(texture, x + 0.5f, y + 0.5f) - HALF_STEP;
    uint32_t code = 0;
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        const float2 offset = pattern.offset[p];
        const float sample = tex2D<float>(texture, x + offset.x, y + offset.y);
        code |= (sample >= threshold ? 1U : 0U) << p;
    }
    return code;
}

template <int POINTS>
__global__ void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    lbp_riu_texture(const __grid_constant__ TexturePattern pattern, cudaTextureObject_t texture,
                    int width, int height, LbpRiuBins target, LbpRiuCount *histogram) {
    __shared__ unsigned int counts[POINTS + 2];
    block_histogram_clear(counts);
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int rows_at_once = (int)(gridDim.y * blockDim.y);
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < height && x < width;
         y += rows_at_once) {
        const uint32_t code = code_at<POINTS>(texture, pattern, (float)x, (float)y);
        lbp_riu_answer(target, x, y, lbp_riu_bin(code, POINTS), counts);
    }
    block_histogram_merge(counts, histogram);
}

struct TextureKernels {
    typedef void (*Kernel)(TexturePattern, cudaTextureObject_t, int, int, LbpRiuBins,
                           LbpRiuCount *);
    template <int POINTS> static Kernel kernel() {
        return lbp_riu_texture<POINTS>;
    }
};

/* The offset of a point in whole steps of the filter; a fraction of a pixel stays one. */
float filter_offset(double offset) {
    const double whole = std::floor(offset);
    double steps = std::round((offset - whole) * FILTER_STEPS);
    if (offset > whole) {
        steps = std::min(std::max(steps, 1.0), FILTER_STEPS - 1.0);
    }
    return (float)(whole + steps / FILTER_STEPS + 0.5);
}

TexturePattern texture_pattern(const LbpRiuPattern &pattern) {
    TexturePattern offsets = {};
    for (int p = 0; p < pattern.points; p++) {
        const LbpRiuTap &tap = pattern.taps[p];
        offsets.offset[p].x = pattern.bilinear ? filter_offset(tap.x) : (float)tap.dx + 0.5f;
        offsets.offset[p].y = pattern.bilinear ? filter_offset(tap.y) : (float)tap.dy + 0.5f;
    }
    return offsets;
}

Status open_texture(LbpRiuTexture *opened) {
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(lbp_riu_device_open(LbpRiuPlace{alignment, 0}, opened));
    opened->offsets = texture_pattern(opened->pattern);
    const bool filtered = opened->pattern.bilinear;
    const int side_max =
        filtered ? FILTERED_COORDINATE_MAX - LBP_RIU_RADIUS_MAX - 1 : CUDA_TEXTURE_ANY_SIDE;
    const CudaTextureImage image = {opened->image, opened->width, opened->height,
                                    opened->image_stride};
    return cuda_texture_open(opened, &image, filtered ? CUDA_TEXTURE_BILINEAR : CUDA_TEXTURE_POINT,
                             side_max, &opened->texture);
}

} // namespace

Status lbp_riu_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<LbpRiuTexture>(request, state, open_texture);
}

Status lbp_riu_cuda_texture_run(void *state) {
    const LbpRiuTexture *device = (const LbpRiuTexture *)state;
    const auto kernel = lbp_riu_kernel<TextureKernels>(device->pattern.points);
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)kernel, BLOCK_WIDTH * BLOCK_HEIGHT, 0, &blocks));
    const int across = pieces_of(device->width, BLOCK_WIDTH);
    const int down = pieces_of(device->height, BLOCK_HEIGHT);
    const int share = pieces_of(blocks * cuda_multiprocessors(), across);
    STATUS_TRY(coded_device_clear(device));
    const dim3 grid((unsigned int)across, (unsigned int)std::min(share, down));
    kernel<<<grid, dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0, cuda_stream()>>>(
        device->offsets, device->texture, device->width, device->height, lbp_riu_bins_of(device),
        device->histogram);
    return CUDA_LAUNCHED();
}
