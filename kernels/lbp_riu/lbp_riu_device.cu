#include "lbp_riu_device.cuh"

/* Zeros behind the margin below, for kernels that read whole vectors at the end of the last row. */
static const size_t TAIL_BYTES = 64;

CodedPlan lbp_riu_plan(const Request *request, const LbpRiuPattern *pattern, LbpRiuPlace place) {
    const int rows = request->workload->image.height;
    CodedPlan plan = {};
    plan.rows = rows;
    plan.row_alignment = place.row_alignment;
    plan.margin = place.margin;
    plan.tail = TAIL_BYTES;
    plan.bins = pattern->points + 2;
    plan.room = LBP_RIU_BINS_MAX;
    plan.own = {0, rows};
    plan.codes = lbp_riu_bins(request->output);
    plan.counts = lbp_riu_histogram(request->output);
    plan.halo = pattern->reach;
    plan.bands_wanted = pattern->store ? 22 : 8; /* lbp_riu_streamed.cu */
    return plan;
}

Status lbp_riu_device_open(LbpRiuPlace place, LbpRiuDevice *device) {
    STATUS_TRY(lbp_riu_pattern(device->request->answer, &device->pattern));
    const CodedPlan plan = lbp_riu_plan(device->request, &device->pattern, place);
    return coded_device_open(&plan, device);
}

Status lbp_riu_device_open_state(const Request *request, LbpRiuPlace place, void **state) {
    return cuda_open_state<LbpRiuDevice>(request, state, [place](LbpRiuDevice *device) {
        return lbp_riu_device_open(place, device);
    });
}
