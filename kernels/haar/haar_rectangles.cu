#include "haar_rectangles.h"

#include <algorithm>

#include "cuda_check.h"
#include "cuda_device.h"

namespace {

constexpr int THREADS = 256;

uint32_t span_count(int side, int min_side) {
    const int lengths = std::max(side - min_side + 1, 0);
    return (uint32_t)(lengths * (lengths + 1) / 2);
}

/* A thread a length: block 0 fills the columns, block 1 the rows. Of length min_side + k there are
 * side − min_side + 1 − k spans. */
__global__ void __launch_bounds__(THREADS)
    haar_fill_spans(uchar2 *table, uint32_t across, int width, int height, int min_side) {
    const int side = blockIdx.x == 0 ? width : height;
    const int longer = (int)threadIdx.x; /* than the shortest */
    const int lengths = side - min_side + 1;
    const int before = longer * lengths - longer * (longer - 1) / 2;
    uchar2 *spans = table + (blockIdx.x == 0 ? 0 : across) + before;
    for (int begin = 0; begin < lengths - longer; begin++) {
        spans[begin] = make_uchar2((unsigned char)begin, (unsigned char)(min_side + longer));
    }
}

static_assert(THREADS >= HAAR_SIDE_MAX, "a thread for each length");

} // namespace

Status haar_rectangles_open(const HaarDevice *device, HaarRectangles *rectangles) {
    *rectangles = HaarRectangles{};
    const uint32_t across = span_count(device->width, device->point.min_side);
    const uint32_t down = span_count(device->height, device->point.min_side);
    if (across == 0 || down == 0) {
        return status_ok();
    }
    const size_t bytes = ((size_t)across + down) * sizeof(uchar2);
    STATUS_TRY(cuda_backend.alloc(bytes, (void **)&rectangles->table));
    rectangles->across = across;
    rectangles->down = down;
    rectangles->columns = rectangles->table;
    rectangles->rows = rectangles->table + across;
    return status_ok();
}

Status haar_rectangles_upload(const HaarDevice *device, const HaarRectangles *rectangles) {
    if (rectangles->table == NULL) {
        return status_ok();
    }
    haar_fill_spans<<<2, THREADS, 0, cuda_stream()>>>(rectangles->table, rectangles->across,
                                                      device->width, device->height,
                                                      device->point.min_side);
    return CUDA_LAUNCHED();
}

void haar_rectangles_close(HaarRectangles *rectangles) {
    cuda_backend.release(rectangles->table);
    *rectangles = HaarRectangles{};
}
