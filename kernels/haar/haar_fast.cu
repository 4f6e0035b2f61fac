/*
 * cuda_fast: for each place and width a column of sums, so that a value is one or two additions.
 *
 * For fixed x and w, let A(y) be the sum of the pixels above row y in the columns of the rectangle,
 * B(y) the same with those of the right half taken away from the left, C(y) with the split in three
 * columns. Then with T = upper edge, all features of all rectangles (x, y, w, h) are differences:
 *   two columns  B(T + h) − B(T)              three columns  C(T + h) − C(T)
 *   two rows     2A(T + c) − A(T) − A(T + 2c)     checker    the same of B
 *   three rows   A(T + 3c) − A(T) − 3 (A(T + 2c) − A(T + c))
 * where the corners of every rectangle are 27 reads. The last three depend on the height of a cell
 * c only: one value serves two or three heights. Lanes of a warp are places; a thread looks at four
 * upper edges at a time, which share most of what they read. All numbers are float: whole numbers
 * below 2^24 are exact in it, and it adds at twice the rate of integers.
 *
 * Sizes of rectangles whose values cannot pass the threshold (haar_reach) are left out, on the host
 * (haar_plan.h, haar_plan.c). What is left is cut into units, which the warps of a block take as
 * they come, the longest first, so that they arrive at the barrier together.
 *
 * The search has no branch of a single lane: a turn of a loop in which any of a lane's values
 * passes is noted in a list. When the image has been searched, the lists are evaluated a second
 * time with a find in every lane, and the records of a warp are written next to each other: into
 * shared memory, from where a block appends all records of an image at one place of the cursor.
 *
 * Floor for 60,000 images of 28×28, min-side 5, threshold 25000, on an H200: about 1.5 × 10^9
 * warp instructions of search at 4 a cycle and multiprocessor are 1.7 ms; 407 MB of records at
 * 4.2 TB/s are 0.1 ms.
 *
 * The ladder there, ms (at a threshold of 18400, 3118 records an image instead of 847, in
 * parentheses):
 *   27.8 (28.9)  cuda_tiled: 27 reads of shared memory a rectangle, an atomic for records
 *        (47.8)  columns of sums, each lane writing its own records at once: 184 warp instructions
 *                a record, 11 of 32 lanes active, warps waiting for the slowest
 *   6.57 (9.8)   lists of finds, units of work
 *   5.56         columns built without a branch on their kind, which had been a third of all
 *                instructions
 * The profiler at 6.57 ms: an instruction issued in 64 % of the cycles, 4.3 × 10^9 of them.
 */
#include <algorithm>

#include "haar_fast.cuh"
#include "haar_fast_kernel.cuh"

VARIANT_FUNCTIONS(haar_cuda_fast);

namespace {

using haar_fast::Job;

constexpr int RECORDS_MOST = 8192; /* in shared memory */
constexpr int RECORDS_LEAST = 256;
constexpr int STATIC_BYTES = 1280; /* shared memory that the kernel and the driver take besides */
constexpr size_t FINDS_BYTES = haar_fast::LOOPS * haar_fast::FINDS_MAX * sizeof(uint32_t);
/* Every sum, also the double of one, is a whole number that float holds. */
constexpr int PIXELS_MAX = (1 << 24) / 4 / 255;

int integral_entries(const HaarDevice &device) {
    return (int)round_up(haar_entries(device.width, device.height), 4);
}

/* Odd, so that the columns of neighbouring threads lie in different banks. */
int column_stride(const HaarDevice &device) {
    return (device.height + 1 + haar_fast::ROWS_BEYOND) | 1;
}

int column_entries(const HaarFast &fast) {
    return (int)round_up((size_t)fast.plan.columns_most * fast.stride, 4);
}

Status check_size(const HaarDevice &device) {
    if (device.width * device.height > PIXELS_MAX) {
        return status_skip("cuda_fast computes in float, which is exact for images of up to %d "
                           "pixels; these have %dx%d",
                           PIXELS_MAX, device.width, device.height);
    }
    return status_ok();
}

/* What a block needs whatever the columns are. */
size_t fixed_bytes(const HaarDevice &device) {
    return integral_entries(device) * sizeof(float) + FINDS_BYTES + STATIC_BYTES;
}

/* As many columns as leave room for the rest. */
Status plan_chunks(HaarFast *fast) {
    const HaarDevice &device = *fast;
    int available = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available));
    const int room = available - (int)fixed_bytes(device) - RECORDS_LEAST * (int)sizeof(uint64_t);
    fast->stride = column_stride(device);
    const int columns = room / (fast->stride * (int)sizeof(float)) - 1;
    if (columns < 3) {
        return status_skip("the integral image of %dx%d pixels does not fit shared memory",
                           device.width, device.height);
    }
    return haar_plan_make(device.width, device.height, device.point.min_side,
                          device.point.threshold, columns, &fast->plan);
}

/* What is left of a multiprocessor's memory is for records. */
Status choose_launch(HaarFast *fast) {
    int per_block = 0;
    int per_multiprocessor = 0;
    int resident = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &per_block));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &per_multiprocessor));
    const int fixed = (int)(fixed_bytes(*fast) + column_entries(*fast) * sizeof(float));
    const int share = std::min(per_block, per_multiprocessor / haar_fast::BLOCKS_WANTED);
    const int records = (share - fixed) / (int)sizeof(uint64_t) / 2 * 2;
    fast->record_room = std::min(std::max(records, (int)RECORDS_LEAST), (int)RECORDS_MOST);
    fast->shared_bytes = fixed - STATIC_BYTES + fast->record_room * sizeof(uint64_t);
    const void *kernel = (const void *)haar_fast::search_kernel;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)fast->shared_bytes));
    STATUS_TRY(cuda_resident_blocks(kernel, haar_fast::THREADS, fast->shared_bytes, &resident));
    fast->blocks = resident * cuda_multiprocessors();
    return status_ok();
}

/* The plan's table, in device memory. */
template <typename Item> CudaBuffer plan_table(Item **memory, const Item *items, int count) {
    const size_t bytes = (size_t)std::max(count, 1) * sizeof *items;
    return cuda_rows_up(memory, bytes, cuda_row(items, (size_t)count * sizeof *items));
}

void release_plan(void *plan) {
    haar_plan_release((HaarPlan *)plan);
}

} // namespace

Status haar_fast_open(Status (*search)(void *state), HaarFast *fast) {
    const HaarPlan *plan = &fast->plan;
    STATUS_TRY(haar_device_size(fast));
    STATUS_TRY(check_size(*fast));
    STATUS_TRY(cuda_state_own(fast, &fast->plan, release_plan));
    STATUS_TRY(plan_chunks(fast));
    STATUS_TRY(choose_launch(fast));
    const CudaBuffer table[] = {
        plan_table(&fast->items, plan->items, plan->item_count),
        plan_table(&fast->columns, plan->columns, plan->column_count),
        plan_table(&fast->units, plan->units, plan->unit_count),
        plan_table(&fast->chunks, plan->chunks, plan->chunk_count),
    };
    STATUS_TRY(cuda_open_buffers(fast, table));
    return haar_device_open(search, fast);
}

Status haar_fast_launch(const HaarFast *fast, int first, int images) {
    if (fast->plan.chunk_count == 0 || images == 0) {
        return status_ok();
    }
    Job job = {};
    job.pixels = fast->pixels + (size_t)first * fast->width * fast->height;
    job.first = fast->first_image + first;
    job.images = images;
    job.width = fast->width;
    job.height = fast->height;
    job.min_side = fast->point.min_side;
    job.threshold = (float)fast->point.threshold;
    job.packing = fast->packing;
    job.items = fast->items;
    job.columns = fast->columns;
    job.units = fast->units;
    job.chunks = fast->chunks;
    job.chunk_count = fast->plan.chunk_count;
    job.stride = fast->stride;
    job.column_entries = column_entries(*fast);
    job.record_room = fast->record_room;
    job.records = fast->records;
    job.cursor = fast->cursor;
    job.capacity = fast->capacity;
    const int blocks = std::min(fast->blocks, images);
    haar_fast::search_kernel<<<blocks, haar_fast::THREADS, fast->shared_bytes, cuda_stream()>>>(
        job);
    return CUDA_LAUNCHED();
}

Status haar_cuda_fast_open(const Request *request, void **state) {
    return cuda_open_state<HaarFast>(
        request, state, [](HaarFast *fast) { return haar_fast_open(haar_cuda_fast_run, fast); });
}

Status haar_cuda_fast_run(void *state) {
    const HaarFast *fast = (const HaarFast *)state;
    STATUS_TRY(haar_device_clear(fast));
    return haar_fast_launch(fast, 0, fast->images);
}
