/*
 * Bands of an image's rows on several devices, for algorithms that compute pixels from their
 * neighbourhood and count them in one histogram: lbp, lbp_riu.
 *
 * A device has its rows and the halo above and below, which go up with them, so that nothing is
 * exchanged. Each device counts its own rows; the host adds the histograms when they have come
 * down.
 */
#ifndef KERNELS_COMMON_MULTI_ROWS_CUH
#define KERNELS_COMMON_MULTI_ROWS_CUH

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "cuda_device.h"
#include "multi.h"
#include "transfers.h"

/*
 * What Rows names:
 *
 *   Device, Count                   the device side of a cell, with request, width, height, image,
 *                                   image_stride and answer_set; its counts, as wide as uint64_t
 *   SETS                            histograms, of which a run fills one and clears the next
 *   Status open(request, Device *)  and close(Device *), upload(Device *), clear(Device *): what
 *                                   is not the image
 *   launch(device, begin, end, add, clear)
 *   Count *histogram(device, set)   and int bins(device), the counts of one
 *   int halo(device)                rows that a row's computation reads above and below
 *   int bands_wanted(device)
 *   uint8_t *plane(device)          the image that comes down, NULL: none; its plane_stride(device)
 *   uint8_t *output_plane(output), uint64_t *output_histogram(output)
 */
template <typename Rows> struct MultiRows {
    using Device = typename Rows::Device;
    using Count = typename Rows::Count;

    struct Part {
        Device device;
        Workload workload; /* its rows and the halo */
        Request request;
        MultiPart rows; /* of the whole image */
        MultiPart own;  /* the same within the part's */
        Count *counts;  /* page-locked */
        BandStream *bands;
    };

    const Request *request;
    int count;
    Part parts[CUDA_DEVICES_MAX];

    static bool is_empty(const Part &part) {
        return part.rows.begin == part.rows.end;
    }

    static Status launch_rows(const Part &part, int begin, int end, Count *clear) {
        const Device *device = &part.device;
        const int first = std::max(begin, part.own.begin);
        const int last = std::min(end, part.own.end);
        return first < last ? Rows::launch(device, first, last,
                                           Rows::histogram(device, device->answer_set), clear)
                            : status_ok();
    }

    static Status compute_rows(void *context, int begin, int end, BandPlace) {
        return launch_rows(*(const Part *)context, begin, end, NULL);
    }

    uint8_t *target(const Part &part) const {
        uint8_t *plane = Rows::output_plane(request->output);
        return plane + (size_t)part.rows.begin * (size_t)request->workload->image.width;
    }

    Status open_bands(Part *part) const {
        const Image *image = &part->workload.image;
        Device *device = &part->device;
        const size_t width = (size_t)device->width;
        uint8_t *plane = Rows::plane(device);
        BandJob job = {};
        job.rows = device->height;
        job.first = part->own.begin;
        job.last = part->own.end;
        job.halo = Rows::halo(device);
        job.bands_wanted = Rows::bands_wanted(device);
        job.up = {image->pixels, image->stride, device->image, device->image_stride, width};
        if (plane != NULL) {
            job.down = {target(*part) - (size_t)part->own.begin * width, width, plane,
                        Rows::plane_stride(device), width};
        }
        job.compute = compute_rows;
        job.context = part;
        return band_stream_open(&job, &part->bands);
    }

    static Status open_part(void *context, int index) {
        MultiRows *multi = (MultiRows *)context;
        Part *part = &multi->parts[index];
        const Image *image = &multi->request->workload->image;
        part->rows = multi_part(image->height, multi->count, index);
        if (is_empty(*part)) {
            return status_ok();
        }
        int halo = 0;
        STATUS_TRY(Rows::halo_of(multi->request, &halo));
        const int first = std::max(part->rows.begin - halo, 0);
        const int last = std::min(part->rows.end + halo, (int)image->height);
        part->own = {part->rows.begin - first, part->rows.end - first};
        part->workload = *multi->request->workload;
        part->workload.image.pixels += (size_t)first * image->stride;
        part->workload.image.height = last - first;
        part->request = *multi->request;
        part->request.workload = &part->workload;
        STATUS_TRY(Rows::open(&part->request, &part->device));
        CUDA_TRY(cudaMallocHost((void **)&part->counts,
                                (size_t)Rows::bins(&part->device) * sizeof(Count)));
        return multi->open_bands(part);
    }

    static Status upload_part(void *context, int index) {
        Part *part = &((MultiRows *)context)->parts[index];
        if (is_empty(*part)) {
            return status_ok();
        }
        STATUS_TRY(Rows::upload(&part->device));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        return status_ok();
    }

    static Status run_part(void *context, int index) {
        Part *part = &((MultiRows *)context)->parts[index];
        Device *device = &part->device;
        if (is_empty(*part)) {
            return status_ok();
        }
        const int cleared = device->answer_set;
        device->answer_set = (device->answer_set + 1) % Rows::SETS;
        return launch_rows(*part, 0, device->height, Rows::histogram(device, cleared));
    }

    static Status download_counts(Part *part) {
        const Device *device = &part->device;
        static_assert(sizeof(Count) == sizeof(uint64_t), "counts are copied as they are");
        CUDA_TRY(cudaMemcpyAsync(part->counts, Rows::histogram(device, device->answer_set),
                                 (size_t)Rows::bins(device) * sizeof(Count), cudaMemcpyDeviceToHost,
                                 cuda_stream()));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        return status_ok();
    }

    static Status download_part(void *context, int index) {
        MultiRows *multi = (MultiRows *)context;
        Part *part = &multi->parts[index];
        Device *device = &part->device;
        if (is_empty(*part)) {
            return status_ok();
        }
        const size_t width = (size_t)device->width;
        const size_t stride = Rows::plane_stride(device);
        const uint8_t *plane = Rows::plane(device);
        if (plane != NULL) {
            CUDA_TRY(cudaMemcpy2DAsync(multi->target(*part), width,
                                       plane + (size_t)part->own.begin * stride, stride, width,
                                       (size_t)(part->own.end - part->own.begin),
                                       cudaMemcpyDeviceToHost, cuda_stream()));
        }
        return download_counts(part);
    }

    static Status clear_part(void *context, int index) {
        Part *part = &((MultiRows *)context)->parts[index];
        return is_empty(*part) ? status_ok() : Rows::clear(&part->device);
    }

    static Status fetch_part(void *context, int index) {
        Part *part = &((MultiRows *)context)->parts[index];
        return is_empty(*part) ? status_ok() : download_counts(part);
    }

    /* The counts of all parts to the answer. */
    void join_counts() const {
        uint64_t *histogram = Rows::output_histogram(request->output);
        const int bins = Rows::bins(&parts[0].device);
        memset(histogram, 0, (size_t)bins * sizeof *histogram);
        for (int i = 0; i < count; i++) {
            for (int bin = 0; bin < bins && !is_empty(parts[i]); bin++) {
                histogram[bin] += parts[i].counts[bin];
            }
        }
    }

    static Status open(const Request *request, void **state) {
        return cuda_open_state<MultiRows>(
            state,
            [&](MultiRows *multi) {
                multi->request = request;
                STATUS_TRY(multi_devices(request, &multi->count));
                return multi_each(multi->count, open_part, multi);
            },
            close);
    }

    static Status upload(void *state) {
        return multi_together(((MultiRows *)state)->count, upload_part, state);
    }

    static Status run(void *state) {
        return multi_each(((MultiRows *)state)->count, run_part, state);
    }

    static Status download(void *state) {
        STATUS_TRY(multi_together(((MultiRows *)state)->count, download_part, state));
        ((const MultiRows *)state)->join_counts();
        return status_ok();
    }

    static Status stream(void *state) {
        MultiRows *multi = (MultiRows *)state;
        BandStream *streams[CUDA_DEVICES_MAX];
        int count = 0;
        for (int i = 0; i < multi->count; i++) {
            if (!is_empty(multi->parts[i])) {
                streams[count++] = multi->parts[i].bands;
            }
        }
        STATUS_TRY(multi_each(multi->count, clear_part, state));
        STATUS_TRY(band_stream_run_all(streams, count));
        STATUS_TRY(multi_each(multi->count, fetch_part, state));
        multi->join_counts();
        return status_ok();
    }

    static void close(void *state) {
        MultiRows *multi = (MultiRows *)state;
        for (int i = 0; multi != NULL && i < multi->count; i++) {
            Part *part = &multi->parts[i];
            band_stream_close(part->bands);
            (void)cudaFreeHost(part->counts);
            Rows::close(&part->device);
        }
        free(multi);
    }
};

#endif
