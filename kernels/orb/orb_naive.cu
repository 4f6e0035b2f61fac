/*
 * cuda_naive: a thread per pixel for each of the two passes of the blur, then one thread per
 * keypoint, which goes through all tests as seq does.
 *
 * What is smoothed along rows goes through global memory, two bytes a pixel written once and read
 * seven times, mostly from the caches. Of the tests, all threads of a warp are at the same one, but
 * their pixels lie where their keypoints lie, each in a cache line of its own; and 10,000 keypoints
 * are 10,000 threads, a tenth or less of what a large device holds.
 */
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_naive);

namespace {

constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

struct NaiveState : OrbDevice {
    uint16_t *rows; /* stride × height: smoothed along rows alone */
};

__global__ void smooth_rows(const uint8_t *image, int stride, int width, int height,
                            uint16_t *rows) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) {
        return;
    }
    const uint8_t *pixels = image + (size_t)y * (size_t)stride;
    uint32_t sums[ORB_REACH + 1] = {pixels[x]};
    for (int i = 1; i <= ORB_REACH; i++) {
        sums[i] = (uint32_t)pixels[orb_mirrored(x - i, width)] + pixels[orb_mirrored(x + i, width)];
    }
    rows[(size_t)y * (size_t)stride + (size_t)x] =
        (uint16_t)orb_row_value(orb_sum(sums[0], sums[1], sums[2], sums[3]));
}

__global__ void smooth_columns(const uint16_t *rows, int stride, int width, int height,
                               uint8_t *blurred) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) {
        return;
    }
    const uint16_t *column = rows + x;
    uint32_t sums[ORB_REACH + 1] = {column[(size_t)y * (size_t)stride]};
    for (int j = 1; j <= ORB_REACH; j++) {
        sums[j] = (uint32_t)column[(size_t)orb_mirrored(y - j, height) * (size_t)stride] +
                  column[(size_t)orb_mirrored(y + j, height) * (size_t)stride];
    }
    blurred[(size_t)y * (size_t)stride + (size_t)x] =
        (uint8_t)orb_column_value(orb_sum(sums[0], sums[1], sums[2], sums[3]));
}

Status open_rows(OrbDevice *device) {
    NaiveState *naive = (NaiveState *)device;
    const size_t pixels = device->stride * (size_t)device->height;
    const CudaBuffer table[] = {cuda_scratch(&naive->rows, pixels * sizeof *naive->rows)};
    return cuda_open_buffers(device, table);
}

Status run_blur(const OrbDevice *device) {
    const NaiveState *naive = (const NaiveState *)device;
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid((unsigned)pieces_of(device->width, BLOCK_WIDTH),
                    (unsigned)pieces_of(device->height, BLOCK_HEIGHT));
    const int stride = (int)device->stride;
    STATUS_TRY(cuda_check_grid_rows((int)grid.y));
    smooth_rows<<<grid, block, 0, cuda_stream()>>>(device->image, stride, device->width,
                                                   device->height, naive->rows);
    STATUS_TRY(CUDA_LAUNCHED());
    smooth_columns<<<grid, block, 0, cuda_stream()>>>(naive->rows, stride, device->width,
                                                      device->height, device->blurred);
    return CUDA_LAUNCHED();
}

Status run_tests(const OrbDevice *device) {
    return keypoint_describe_naive(device, orb_global_rule(device));
}

const OrbMethod method = {open_rows, run_blur, run_tests};

} // namespace

Status orb_cuda_naive_open(const Request *request, void **state) {
    return orb_cuda_open_with<NaiveState>(request, &method, state);
}
