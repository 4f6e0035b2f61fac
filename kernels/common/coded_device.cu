#include "coded_device.cuh"

enum { SETS = 2 };

static_assert(sizeof(CodedCount) == sizeof(uint64_t), "counts are copied as they are");

Status coded_device_open(const CodedPlan *plan, CodedDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)image->width;
    const size_t rows = (size_t)plan->rows;
    /* The strip between two rows is the margin right of one and left of the next. */
    const size_t strip = round_up((size_t)plan->margin, plan->row_alignment);
    const size_t stride = round_up(width + strip, plan->row_alignment);
    const size_t codes_stride = round_up(width, plan->row_alignment);
    const size_t beside = (size_t)plan->margin * stride;
    const size_t own = (size_t)(plan->own.end - plan->own.begin);
    const size_t begin = (size_t)plan->own.begin;
    const size_t bin = sizeof *device->histograms;
    const bool stored = plan->codes != NULL;
    const uint8_t *codes = stored ? plan->codes + begin * width : NULL;
    const CudaBuffer table[] = {
        cuda_rows_up_in_zeros(&device->memory, beside + strip + rows * stride + beside + plan->tail,
                              {image->pixels, image->stride, beside + strip, stride, width, rows}),
        cuda_where(stored,
                   cuda_rows_down(&device->codes, codes_stride * rows,
                                  {codes, width, begin * codes_stride, codes_stride, width, own})),
        cuda_cleared(&device->histograms, SETS * (size_t)plan->room * bin),
        cuda_view_down(&device->histogram, cuda_row(plan->counts, (size_t)plan->bins * bin)),
    };
    device->width = image->width;
    device->height = image->height;
    device->own = plan->own;
    device->bins = plan->bins;
    device->room = plan->room;
    device->image_stride = stride;
    device->codes_stride = codes_stride;
    STATUS_TRY(cuda_open_buffers(device, table));
    device->image = device->memory + beside + strip;
    device->histogram = device->histograms;
    return status_ok();
}

CodedBand coded_device_turn(CodedDevice *device) {
    CodedCount *filled = device->histogram;
    device->histogram = device->histograms + (filled == device->histograms ? device->room : 0);
    return {device->image,   device->codes,     device->own.begin,
            device->own.end, device->histogram, filled};
}

void coded_graph_prepare(void *state) {
    CodedDevice *device = (CodedDevice *)state;
    device->histogram = device->histograms + device->room;
}

Status coded_device_clear(const CodedDevice *device) {
    CUDA_TRY(cudaMemsetAsync(device->histogram, 0, (size_t)device->room * sizeof *device->histogram,
                             cuda_stream()));
    return status_ok();
}
