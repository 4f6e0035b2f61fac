/* Bands of rows: streamed by one device, and divided among several. */
#include <algorithm>
#include <cstring>

#include "coded_device.cuh"
#include "multi_shares.h"
#include "transfers.h"

VARIANT_FUNCTIONS(coded_streamed);
VARIANT_FUNCTIONS(coded_multi);
VARIANT_EXTERN bool coded_streamed_is_whole_pass(const void *state);

namespace {

Status compute_band(void *context, int begin, int end, BandPlace place) {
    const CodedDevice *device = (const CodedDevice *)context;
    const CodedBand band = {place.up, place.down, begin, end, device->histogram, NULL};
    return device->method->launch(device, &band);
}

/* What comes up beside the bands: counts are 0 again. */
Status clear(void *context) {
    CodedDevice *device = (CodedDevice *)context;
    return cuda_upload_except(device, &device->memory);
}

/* All but what lies on the device. */
BandJob job_of(const Image *image, const CodedPlan *plan) {
    const size_t width = (size_t)image->width;
    BandJob job = {};
    job.rows = image->height;
    job.first = plan->own.begin;
    job.last = plan->own.end;
    job.halo = plan->halo;
    job.bands_wanted = plan->bands_wanted;
    job.up = {image->pixels, image->stride, NULL, 0, width};
    job.down = {plan->codes, width, NULL, 0, width};
    job.compute = compute_band;
    job.restart = clear;
    return job;
}

Status open_bands(const CodedMethod *method, const CodedPlan *plan, BandJob *job,
                  CodedDevice *device) {
    device->method = method;
    device->ring = job->ring;
    STATUS_TRY(method->open(plan, device));
    job->up.device = device->image;
    job->up.device_stride = device->image_stride;
    job->down.device = device->codes;
    job->down.device_stride = device->codes_stride;
    job->context = device;
    return band_stream_open_in(device, job, &device->bands);
}

/* What comes down beside the bands. */
Status fetch_counts(CodedDevice *device) {
    STATUS_TRY(cuda_download_except(device, &device->codes));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

} // namespace

/* === One device =============================================================================== */

Status coded_streamed_open_with(const Request *request, const CodedMethod *method, void **state) {
    const auto open = [&](CodedDevice *device) {
        CodedPlan plan = {};
        STATUS_TRY(method->plan(request, &plan));
        BandJob job = job_of(&request->workload->image, &plan);
        job.ring = band_job_needs_ring(&job);
        plan.rows = job.ring ? BAND_SLOTS * band_slot_rows(&job) : plan.rows;
        return open_bands(method, &plan, &job, device);
    };
    return cuda_open_state<CodedDevice>(request, state, open, method->bytes);
}

bool coded_streamed_is_whole_pass(const void *state) {
    return ((const CodedDevice *)state)->ring;
}

Status coded_streamed_upload(void *state) {
    return coded_streamed_is_whole_pass(state) ? status_ok() : cuda_state_upload(state);
}

Status coded_streamed_run(void *state) {
    const CodedDevice *device = (const CodedDevice *)state;
    if (coded_streamed_is_whole_pass(state)) {
        return coded_streamed_stream(state);
    }
    STATUS_TRY(coded_device_clear(device));
    return band_stream_compute(device->bands);
}

Status coded_streamed_download(void *state) {
    return coded_streamed_is_whole_pass(state) ? status_ok() : cuda_state_download(state);
}

Status coded_streamed_stream(void *state) {
    CodedDevice *device = (CodedDevice *)state;
    STATUS_TRY(clear(device));
    STATUS_TRY(band_stream_run(device->bands));
    return fetch_counts(device);
}

/* === Several devices ========================================================================== */

namespace {

Status open_share(MultiShare *share) {
    const CodedMethod *method = (const CodedMethod *)share->all->context;
    Image *image = &share->workload.image;
    const MultiPart rows = multi_share_items(share, image->height);
    if (rows.begin == rows.end) {
        return status_ok();
    }
    CodedPlan plan = {};
    STATUS_TRY(method->plan(&share->request, &plan));
    const int first = std::max(rows.begin - plan.halo, 0);
    const int last = std::min(rows.end + plan.halo, (int)image->height);
    plan.rows = last - first;
    plan.own = {rows.begin - first, rows.end - first};
    plan.codes += plan.codes != NULL ? (size_t)first * (size_t)image->width : 0;
    image->pixels += (size_t)first * image->stride;
    image->height = plan.rows;
    const auto open = [&](CodedDevice *device) {
        const CudaBuffer table[] = {
            cuda_pinned(&device->counts, (size_t)plan.bins * sizeof *device->counts)};
        STATUS_TRY(cuda_open_buffers(device, table));
        device->answer = plan.counts;
        plan.counts = device->counts;
        BandJob job = job_of(image, &plan);
        return open_bands(method, &plan, &job, device);
    };
    return cuda_open_state<CodedDevice>(&share->request, &share->state, open, method->bytes);
}

Status run_share(void *state) {
    CodedDevice *device = (CodedDevice *)state;
    const CodedBand band = coded_device_turn(device);
    return device->method->launch(device, &band);
}

/* NULL: the share is empty. */
CodedDevice *device_of(void *context, int index) {
    return (CodedDevice *)((MultiShares *)context)->shares[index].state;
}

Status clear_share(void *context, int index) {
    CodedDevice *device = device_of(context, index);
    return device != NULL ? clear(device) : status_ok();
}

Status fetch_share(void *context, int index) {
    CodedDevice *device = device_of(context, index);
    return device != NULL ? fetch_counts(device) : status_ok();
}

/* The counts of all shares, of which the first is never empty, to the answer. */
void join_counts(MultiShares *shares) {
    const CodedDevice *first = device_of(shares, 0);
    memset(first->answer, 0, (size_t)first->bins * sizeof *first->answer);
    for (int i = 0; i < shares->count; i++) {
        const CodedDevice *device = device_of(shares, i);
        for (int bin = 0; device != NULL && bin < first->bins; bin++) {
            first->answer[bin] += device->counts[bin];
        }
    }
}

const MultiMethod multi = {
    sizeof(MultiShares), open_share, cuda_state_upload, run_share, cuda_state_download, NULL, NULL};

} // namespace

Status coded_multi_open_with(const Request *request, const CodedMethod *method, void **state) {
    return multi_shares_divide(request, &multi, method, state);
}

Status coded_multi_download(void *state) {
    STATUS_TRY(multi_shares_download(state));
    join_counts((MultiShares *)state);
    return status_ok();
}

Status coded_multi_stream(void *state) {
    MultiShares *shares = (MultiShares *)state;
    BandStream *streams[CUDA_DEVICES_MAX];
    int count = 0;
    for (int i = 0; i < shares->count; i++) {
        const CodedDevice *device = device_of(shares, i);
        if (device != NULL) {
            streams[count++] = device->bands;
        }
    }
    STATUS_TRY(multi_each(shares->count, clear_share, shares));
    STATUS_TRY(band_stream_run_all(streams, count));
    STATUS_TRY(multi_each(shares->count, fetch_share, shares));
    join_counts(shares);
    return status_ok();
}
