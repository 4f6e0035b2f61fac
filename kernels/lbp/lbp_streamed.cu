/*
 * cuda_streamed: upload, kernel and download of bands of rows overlap (transfers.h).
 *
 * The kernel is cuda_fast's; what improves is end_to_end. On an H200 a 16K image takes 2.43 ms up,
 * 2.41 ms down and 2.65 ms both at once, from page-locked memory. Added to that: the first band's
 * way up, during which nothing can come down, and the last one's way down, so bands should be many;
 * and about 4 µs a copy, so they should be few. Measured: 2.97 ms with 64 bands, 2.86 with 32, 2.85
 * with 22, 2.87 with 16, 2.96 with 8.
 *
 * Tried and not better: small bands at both ends (2.86: while bands grow the download waits, while
 * they shrink it lags), two upload streams (3.8: the copies get in each other's way), kernels that
 * read or write host memory themselves (3.7 both ways; 2.8 reading, 3.1 writing alone).
 *
 * Of an image that does not fit the device, which then holds two bands at a time, nothing stays
 * there: a run is the whole pass, and upload and download do nothing.
 */
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_streamed);
VARIANT_FUNCTIONS(lbp_cuda_multi);

static Status plan_rows(const Request *request, CodedPlan *plan) {
    *plan = lbp_plan(request, LBP_FAST_ROW_ALIGNMENT);
    return status_ok();
}

static const CodedMethod method = {sizeof(LbpDevice), plan_rows, coded_device_open,
                                   lbp_fast_launch};

Status lbp_cuda_streamed_open(const Request *request, void **state) {
    return coded_streamed_open_with(request, &method, state);
}

/* cuda_multi: end to end each device streams its rows. The floor is that of cuda_fast and of
 * cuda_streamed divided by the devices. */
Status lbp_cuda_multi_open(const Request *request, void **state) {
    return coded_multi_open_with(request, &method, state);
}
