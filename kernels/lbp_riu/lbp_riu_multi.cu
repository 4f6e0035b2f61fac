/*
 * cuda_multi: bands of rows, one on each device (multi_rows.cuh), by cuda_fast's kernels; end to
 * end each streams its rows as cuda_streamed does. The floor is theirs divided by the devices.
 */
#include "lbp_riu_device.cuh"
#include "multi_rows.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_multi);

namespace {

struct LbpRiuRows {
    using Device = LbpRiuDevice;
    using Count = LbpRiuCount;
    static constexpr int SETS = LBP_RIU_HISTOGRAM_SETS;

    static Status open(const Request *request, Device *device) {
        LbpRiuPattern pattern;
        STATUS_TRY(lbp_riu_pattern(request->answer, &pattern));
        return lbp_riu_device_open(request, lbp_riu_fast_place(&pattern), device);
    }
    static void close(Device *device) {
        lbp_riu_device_close(device);
    }
    static Status upload(Device *device) {
        return lbp_riu_device_upload(device);
    }
    static Status clear(Device *device) {
        return lbp_riu_device_clear(device);
    }
    static Status launch(const Device *device, int begin, int end, Count *add, Count *cleared) {
        return lbp_riu_fast_launch(device, begin, end, add, cleared, cuda_stream());
    }
    static Count *histogram(const Device *device, int set) {
        return lbp_riu_device_histogram(device, set);
    }
    static int bins(const Device *device) {
        return device->pattern.points + 2;
    }
    static int halo(const Device *device) {
        return device->pattern.reach;
    }
    static Status halo_of(const Request *request, int *halo) {
        LbpRiuPattern pattern;
        STATUS_TRY(lbp_riu_pattern(request->answer, &pattern));
        *halo = pattern.reach;
        return status_ok();
    }
    static int bands_wanted(const Device *device) {
        return device->pattern.store ? 22 : 8; /* as cuda_streamed */
    }
    static uint8_t *plane(Device *device) {
        return device->bins;
    }
    static size_t plane_stride(const Device *device) {
        return device->bins_stride;
    }
    static uint8_t *output_plane(const Output *output) {
        return lbp_riu_bins(output);
    }
    static uint64_t *output_histogram(const Output *output) {
        return lbp_riu_histogram(output);
    }
};

using LbpRiuMulti = MultiRows<LbpRiuRows>;

} // namespace

Status lbp_riu_cuda_multi_open(const Request *request, void **state) {
    return LbpRiuMulti::open(request, state);
}

Status lbp_riu_cuda_multi_upload(void *state) {
    return LbpRiuMulti::upload(state);
}

Status lbp_riu_cuda_multi_run(void *state) {
    return LbpRiuMulti::run(state);
}

Status lbp_riu_cuda_multi_download(void *state) {
    return LbpRiuMulti::download(state);
}

Status lbp_riu_cuda_multi_stream(void *state) {
    return LbpRiuMulti::stream(state);
}

void lbp_riu_cuda_multi_close(void *state) {
    LbpRiuMulti::close(state);
}
