/*
 * cuda_streamed: upload, kernel and, where bins are stored, download of bands of rows overlap
 * (transfers.h).
 *
 * The kernels are cuda_fast's; what improves is end_to_end. They take less time than the way up, so
 * that is the floor; what is left over it is the last band's kernel, about 4 µs for every copy and
 * the histogram's way back. Measured on an H200, 8192 × 8192 from page-locked memory, histogram
 * only: the upload alone 1.22 ms, (8,1) 1.28 and (24,3) 1.30 ms with 9 bands (of 8 MB, the most),
 * 1.30 and 1.31 with 16, 1.34 with 32.
 *
 * Of an image that does not fit the device, which then holds two bands at a time, nothing stays
 * there: a run is the whole pass, and upload and download do nothing.
 */
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_streamed);
VARIANT_FUNCTIONS(lbp_riu_cuda_multi);

static Status plan_rows(const Request *request, CodedPlan *plan) {
    LbpRiuPattern pattern;
    STATUS_TRY(lbp_riu_pattern(request->answer, &pattern));
    *plan = lbp_riu_plan(request, &pattern, lbp_riu_fast_place(&pattern));
    return status_ok();
}

static Status open_rows(const CodedPlan *plan, CodedDevice *device) {
    STATUS_TRY(lbp_riu_pattern(device->request->answer, &((LbpRiuDevice *)device)->pattern));
    return coded_device_open(plan, device);
}

static Status launch(const CodedDevice *device, const CodedBand *band) {
    return lbp_riu_fast_launch((const LbpRiuDevice *)device, band);
}

static const CodedMethod method = {sizeof(LbpRiuDevice), plan_rows, open_rows, launch};

Status lbp_riu_cuda_streamed_open(const Request *request, void **state) {
    return coded_streamed_open_with(request, &method, state);
}

/* cuda_multi: end to end each device streams its rows. The floor is that of cuda_fast and of
 * cuda_streamed divided by the devices. */
Status lbp_riu_cuda_multi_open(const Request *request, void **state) {
    return coded_multi_open_with(request, &method, state);
}
