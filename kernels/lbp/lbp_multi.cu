/*
 * cuda_multi: bands of rows, one on each device (multi_rows.cuh), by cuda_fast's kernel; end to end
 * each streams its rows as cuda_streamed does. The floor is theirs divided by the devices.
 */
#include "lbp_device.h"
#include "multi_rows.cuh"

VARIANT_FUNCTIONS(lbp_cuda_multi);

namespace {

struct LbpRows {
    using Device = LbpDevice;
    using Count = LbpCount;
    static constexpr int SETS = LBP_HISTOGRAM_SETS;

    static Status open(const Request *request, Device *device) {
        return lbp_device_open(request, LBP_FAST_ROW_ALIGNMENT, device);
    }
    static void close(Device *device) {
        lbp_device_close(device);
    }
    static Status upload(Device *device) {
        return lbp_device_upload(device);
    }
    static Status clear(Device *device) {
        CUDA_TRY(cudaMemsetAsync(histogram(device, device->answer_set), 0, LBP_BINS * sizeof(Count),
                                 cuda_stream()));
        return lbp_device_clear_padding(device);
    }
    static Status launch(const Device *device, int begin, int end, Count *add, Count *cleared) {
        return lbp_fast_launch(device, begin, end, add, cleared, cuda_stream());
    }
    static Count *histogram(const Device *device, int set) {
        return lbp_device_histogram(device, set);
    }
    static int bins(const Device *) {
        return LBP_BINS;
    }
    static int halo(const Device *) {
        return 1;
    }
    static Status halo_of(const Request *, int *halo) {
        *halo = 1;
        return status_ok();
    }
    static int bands_wanted(const Device *) {
        return 22; /* as cuda_streamed */
    }
    static uint8_t *plane(Device *device) {
        return device->codes;
    }
    static size_t plane_stride(const Device *device) {
        return device->codes_stride;
    }
    static uint8_t *output_plane(const Output *output) {
        return lbp_codes(output);
    }
    static uint64_t *output_histogram(const Output *output) {
        return lbp_histogram(output);
    }
};

using LbpMulti = MultiRows<LbpRows>;

} // namespace

Status lbp_cuda_multi_open(const Request *request, void **state) {
    return LbpMulti::open(request, state);
}

Status lbp_cuda_multi_upload(void *state) {
    return LbpMulti::upload(state);
}

Status lbp_cuda_multi_run(void *state) {
    return LbpMulti::run(state);
}

Status lbp_cuda_multi_download(void *state) {
    return LbpMulti::download(state);
}

Status lbp_cuda_multi_stream(void *state) {
    return LbpMulti::stream(state);
}

void lbp_cuda_multi_close(void *state) {
    LbpMulti::close(state);
}
