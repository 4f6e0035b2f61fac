/*
 * cub: two scans of CUB, to be compared with, in the manner of Thrust's example
 * summed_area_table.cu: of all rows, and of all columns. Each is one scan by key of all lines one
 * behind the other, and writes its sums transposed, so that both read along their lines.
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>

#include "cuda_state.h"
#include "integral.h"

VARIANT_FUNCTIONS(integral_cub);

namespace {

struct IntegralCub : CudaState {
    int width, height; /* pixels */
    int bits;          /* of an entry */
    uint8_t *image;    /* height × width pixels */
    void *columns;     /* width + 1 columns of the table, `height` sums of rows each */
    void *table;       /* (height + 1) × (width + 1) entries */
    void *work;        /* of CUB */
    size_t work_bytes;
};

/* Lines of `length` entries, the first of which is 0 and not in memory. */
template <typename From, typename Sum> struct Lines {
    const From *from;
    uint32_t length;
    __host__ __device__ Sum operator()(uint32_t i) const {
        return i % length == 0 ? 0 : from[i / length * (length - 1) + i % length - 1];
    }
};

struct LineOf {
    uint32_t length;
    __host__ __device__ uint32_t operator()(uint32_t i) const {
        return i / length;
    }
};

struct Transposed {
    uint32_t lines, length;
    __host__ __device__ uint32_t operator()(uint32_t i) const {
        return i % length * lines + i / length;
    }
};

/* Without memory it sets `bytes` to what it needs, as CUB does. */
template <typename From, typename Sum>
cudaError_t scan(void *work, size_t *bytes, const From *from, uint32_t lines, uint32_t length,
                 Sum *to) {
    const auto numbers = thrust::make_counting_iterator<uint32_t>(0);
    return cub::DeviceScan::InclusiveSumByKey(
        work, *bytes, thrust::make_transform_iterator(numbers, LineOf{length}),
        thrust::make_transform_iterator(numbers, Lines<From, Sum>{from, length}),
        thrust::make_permutation_iterator(
            to, thrust::make_transform_iterator(numbers, Transposed{lines, length})),
        lines * length, cuda::std::equal_to<>(), cuda_stream());
}

template <typename Sum> cudaError_t scan_rows(IntegralCub *state, void *work, size_t *bytes) {
    return scan<uint8_t, Sum>(work, bytes, state->image, (uint32_t)state->height,
                              (uint32_t)state->width + 1, (Sum *)state->columns);
}

template <typename Sum> cudaError_t scan_columns(IntegralCub *state, void *work, size_t *bytes) {
    return scan<Sum, Sum>(work, bytes, (const Sum *)state->columns, (uint32_t)state->width + 1,
                          (uint32_t)state->height + 1, (Sum *)state->table);
}

template <typename Sum> Status find_work(IntegralCub *state) {
    size_t rows = 0;
    size_t columns = 0;
    CUDA_TRY(scan_rows<Sum>(state, NULL, &rows));
    CUDA_TRY(scan_columns<Sum>(state, NULL, &columns));
    state->work_bytes = std::max(rows, columns);
    return status_ok();
}

template <typename Sum> Status scan_both(IntegralCub *state) {
    CUDA_TRY(scan_rows<Sum>(state, state->work, &state->work_bytes));
    CUDA_TRY(scan_columns<Sum>(state, state->work, &state->work_bytes));
    return status_ok();
}

Status open_buffers(IntegralCub *state) {
    const Image *image = &state->request->workload->image;
    state->width = image->width;
    state->height = image->height;
    state->bits = integral_bits(state->request->answer);
    const size_t entry = (size_t)state->bits / 8;
    const size_t entries = ((size_t)state->width + 1) * ((size_t)state->height + 1);
    if (entries > UINT32_MAX) {
        return status_skip("it counts entries in 32 bits");
    }
    STATUS_TRY(state->bits == 64 ? find_work<unsigned long long>(state)
                                 : find_work<unsigned int>(state));
    const CudaBuffer table[] = {
        cuda_rows_up(&state->image, image_pixel_count(image),
                     cuda_image_rows(image, (size_t)state->width)),
        cuda_scratch(&state->columns, ((size_t)state->width + 1) * (size_t)state->height * entry),
        cuda_down(&state->table, entries * entry, integral_table(state->request->output)),
        cuda_scratch(&state->work, state->work_bytes),
    };
    return cuda_open_buffers(state, table);
}

} // namespace

Status integral_cub_open(const Request *request, void **state) {
    return cuda_open_state<IntegralCub>(request, state, open_buffers);
}

Status integral_cub_run(void *opened) {
    IntegralCub *state = (IntegralCub *)opened;
    return state->bits == 64 ? scan_both<unsigned long long>(state)
                             : scan_both<unsigned int>(state);
}
