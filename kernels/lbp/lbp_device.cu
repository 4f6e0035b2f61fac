#include "lbp_device.cuh"

CodedPlan lbp_plan(const Request *request, size_t row_alignment) {
    const int rows = request->workload->image.height;
    CodedPlan plan = {};
    plan.rows = rows;
    plan.row_alignment = row_alignment;
    plan.bins = LBP_BINS;
    plan.room = LBP_BINS;
    plan.own = {0, rows};
    plan.codes = lbp_codes(request->output);
    plan.counts = lbp_histogram(request->output);
    plan.halo = 1;
    plan.bands_wanted = 22; /* lbp_streamed.cu */
    return plan;
}

Status lbp_device_open(size_t row_alignment, LbpDevice *device) {
    const CodedPlan plan = lbp_plan(device->request, row_alignment);
    return coded_device_open(&plan, device);
}

Status lbp_device_open_state(const Request *request, size_t row_alignment, void **state) {
    return cuda_open_state<LbpDevice>(request, state, [row_alignment](LbpDevice *device) {
        return lbp_device_open(row_alignment, device);
    });
}
