/*
 * cub: codes by a function that CUB calls for each pixel, and their histogram by CUB, to be
 * compared with. Counts have 32 bits, as CUB's users take them, and are widened by the host.
 */
#include <cub/device/device_for.cuh>
#include <cub/device/device_histogram.cuh>

#include "cuda_state.h"
#include "lbp.h"

VARIANT_FUNCTIONS(lbp_cub);

namespace {

struct LbpCub : CudaState {
    int width, height;    /* pixels */
    uint8_t *image;       /* height × width pixels */
    uint8_t *codes;       /* likewise */
    unsigned int *counts; /* LBP_BINS of them */
    void *work;           /* of CUB */
    size_t work_bytes;
    unsigned int brought[LBP_BINS]; /* the counts in host memory */
};

struct Code {
    const uint8_t *image;
    int width, height;
    uint8_t *codes;
    __device__ void operator()(uint32_t i) const {
        const int x = (int)(i % (uint32_t)width);
        const int y = (int)(i / (uint32_t)width);
        unsigned int code = 0;
        int bit = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (dx != 0 || dy != 0) {
                    const bool inside =
                        x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
                    const int neighbour = inside ? image[(size_t)(y + dy) * width + x + dx] : 0;
                    code |= (neighbour >= image[i] ? 1U : 0U) << bit++;
                }
            }
        }
        codes[i] = (uint8_t)code;
    }
};

/* Without memory it sets `bytes` to what it needs, as CUB does. */
cudaError_t count_codes(LbpCub *state, void *work, size_t *bytes) {
    return cub::DeviceHistogram::HistogramEven(
        work, *bytes, state->codes, state->counts, LBP_BINS + 1, 0, (int)LBP_BINS,
        (long long)state->width * state->height, cuda_stream());
}

Status open_buffers(LbpCub *state) {
    const Image *image = &state->request->workload->image;
    const size_t pixels = image_pixel_count(image);
    state->width = image->width;
    state->height = image->height;
    if (pixels > UINT32_MAX) {
        return status_skip("it counts pixels in 32 bits");
    }
    CUDA_TRY(count_codes(state, NULL, &state->work_bytes));
    const CudaBuffer table[] = {
        cuda_rows_up(&state->image, pixels, cuda_image_rows(image, (size_t)state->width)),
        cuda_down(&state->codes, pixels, lbp_codes(state->request->output)),
        cuda_down(&state->counts, sizeof state->brought, state->brought),
        cuda_scratch(&state->work, state->work_bytes),
    };
    return cuda_open_buffers(state, table);
}

} // namespace

Status lbp_cub_open(const Request *request, void **state) {
    return cuda_open_state<LbpCub>(request, state, open_buffers);
}

Status lbp_cub_run(void *opened) {
    LbpCub *state = (LbpCub *)opened;
    CUDA_TRY(cub::DeviceFor::Bulk((uint32_t)(state->width * (size_t)state->height),
                                  Code{state->image, state->width, state->height, state->codes},
                                  cuda_stream()));
    CUDA_TRY(count_codes(state, state->work, &state->work_bytes));
    return status_ok();
}

Status lbp_cub_download(void *opened) {
    const LbpCub *state = (const LbpCub *)opened;
    STATUS_TRY(cuda_state_download(opened));
    uint64_t *counts = lbp_histogram(state->request->output);
    for (int i = 0; i < LBP_BINS; i++) {
        counts[i] = state->brought[i];
    }
    return status_ok();
}
