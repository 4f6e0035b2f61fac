/*
 * cuda_fast: only lines of the image that can have a value above the threshold are searched.
 *
 * All features are differences along lines of cells (haar_plan.h): columns of two or three cells
 * lead down, rows of cells lead across, and a checker is a second difference along a line of two
 * columns. A line has every value once, whatever the rectangle's side across; one value then gives
 * up to three records. A number of a line is three or four reads of the integral image.
 *
 * No value of a line is more than the sum of all its white pixels, or of all its black ones: pixels
 * are no less than 0. Both are known from the last row or column of the integral image. So each
 * image has its own list of the lines that can pass. Of every 60th image of MNIST, with min-side 5
 * and threshold 25000, 25 of 442 lines are left on average, and 23 of 121 for checkers.
 *
 * A warp takes up to 32 listed lines at a time, a lane each, from the same place on. A lane looks
 * at four beginnings of features together, which share what they read. All numbers are float: whole
 * numbers below 2^24 are exact in it, and it adds at twice the rate of integers. Lines that no
 * image can have above the threshold (haar_reach) are left out on the host.
 *
 * The search has no branch of a single lane: a turn of a loop in which any of a lane's values
 * passes is noted in a list. When the lines have been searched, the finds are evaluated a second
 * time, with a find in every lane, and the records of a warp are written next to each other: into
 * shared memory, from where a block appends all records of an image at one place of the cursor.
 *
 * Floor for 60,000 images of 28×28, min-side 5, threshold 25000, on an H200: 47 MB of pixels and
 * 407 MB of records at 4.2 TB/s are 0.11 ms.
 *
 * The ladder there, ms (at a threshold of 18400, 3118 records an image instead of 847, in
 * parentheses):
 *   27.8 (28.9)  cuda_tiled: 27 reads of shared memory a rectangle, an atomic for records
 *        (47.8)  columns of sums, each lane writing its own records at once: 184 warp instructions
 *                a record, 11 of 32 lanes active, warps waiting for the slowest
 *   6.57 (9.8)   lists of finds, units of work
 *   5.50 (8.77)  columns built without a branch on their kind, which had been a third of all
 *                instructions
 *   2.00 (4.64)  lines that can pass, from the integral image, blocks of 256 threads
 *   1.73 (4.32)  blocks of 128 threads
 * The last three were measured one after the other, without the harness, the last in two launches,
 * the others in six. Predicted were 1.0 to 1.2. At a threshold of 5000, where 80,463 records of an
 * image are kept and 405 of 584 lines are left, 6000 images take 8.2 instead of 7.1.
 *
 * Tried and dropped: blocks of 512 threads 2.53 (5.11); five blocks of 256 on a multiprocessor, for
 * which a thread has 48 registers, 2.41 (5.45); eight beginnings together in blocks of 256, 2.15
 * (4.24).
 */
#include <algorithm>
#include <cstdlib>

#include "haar_fast.cuh"
#include "haar_fast_kernel.cuh"

VARIANT_FUNCTIONS(haar_cuda_fast);

namespace {

using haar_fast::Job;

constexpr int RECORDS_MOST = 8192; /* in shared memory */
constexpr int RECORDS_LEAST = 256;
constexpr int STATIC_BYTES = 1280; /* shared memory that the kernel and the driver take besides */
constexpr size_t LISTS_BYTES = haar_fast::LOOPS * (haar_fast::FINDS_MAX * sizeof(uint32_t) +
                                                   haar_fast::LINES_MAX * sizeof(uint16_t));

Status check_size(const HaarDevice &device) {
    if (device.width * device.height > HAAR_PLAN_PIXELS_MAX) {
        return status_skip("cuda_fast computes in float, which is exact for images of up to %d "
                           "pixels; these have %dx%d",
                           HAAR_PLAN_PIXELS_MAX, device.width, device.height);
    }
    return status_ok();
}

/* What a block needs beside records. */
size_t fixed_bytes(const HaarDevice &device) {
    const size_t entries = round_up(haar_entries(device.width, device.height), 4);
    return entries * sizeof(float) + LISTS_BYTES;
}

/* What is left of a multiprocessor's memory is for records. */
Status choose_launch(HaarFast *fast) {
    int per_block = 0;
    int per_multiprocessor = 0;
    int resident = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &per_block));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &per_multiprocessor));
    const int fixed = (int)fixed_bytes(*fast);
    const int least = fixed + STATIC_BYTES + RECORDS_LEAST * (int)sizeof(uint64_t);
    if (least > per_block) {
        return status_skip("the integral image of %dx%d pixels does not fit shared memory",
                           fast->width, fast->height);
    }
    const int share = std::min(per_block, per_multiprocessor / haar_fast::BLOCKS_WANTED);
    const int records = (share - fixed - STATIC_BYTES) / (int)sizeof(uint64_t) / 2 * 2;
    fast->record_room = std::min(std::max(records, (int)RECORDS_LEAST), (int)RECORDS_MOST);
    fast->shared_bytes = fixed + fast->record_room * sizeof(uint64_t);
    const void *kernel = (const void *)haar_fast::search_kernel;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)fast->shared_bytes));
    STATUS_TRY(cuda_resident_blocks(kernel, haar_fast::THREADS, fast->shared_bytes, &resident));
    fast->blocks = resident * cuda_multiprocessors();
    return status_ok();
}

Status open_lines(HaarFast *fast) {
    const Status made = haar_plan_lines(fast->width, fast->height, fast->point.min_side,
                                        fast->point.threshold, &fast->plan, &fast->line_count);
    STATUS_TRY(cuda_state_own(fast, fast->plan, free));
    STATUS_TRY(made);
    const size_t bytes = (size_t)fast->line_count * sizeof *fast->plan;
    const CudaBuffer table[] = {cuda_rows_up(&fast->lines, std::max(bytes, sizeof *fast->plan),
                                             cuda_row(fast->plan, bytes))};
    return cuda_open_buffers(fast, table);
}

/* Groups of places on a line of `length` from which features as short as `least` begin. */
int groups_of(int length, int least) {
    return length >= least ? (length - least) / haar_fast::STARTS + 1 : 0;
}

} // namespace

Status haar_fast_open(Status (*search)(void *state), HaarFast *fast) {
    STATUS_TRY(haar_device_size(fast));
    STATUS_TRY(check_size(*fast));
    STATUS_TRY(choose_launch(fast));
    STATUS_TRY(open_lines(fast));
    return haar_device_open(search, fast);
}

Status haar_fast_launch(const HaarFast *fast, int first, int images) {
    if (fast->line_count == 0 || images == 0) {
        return status_ok();
    }
    const int min_side = fast->point.min_side;
    Job job = {};
    job.pixels = fast->pixels + (size_t)first * fast->width * fast->height;
    job.first = fast->first_image + first;
    job.images = images;
    job.width = fast->width;
    job.height = fast->height;
    job.min_side = min_side;
    job.threshold = (float)fast->point.threshold;
    job.packing = fast->packing;
    job.lines = fast->lines;
    job.line_count = fast->line_count;
    job.groups[haar_fast::LOOP_DIFFERENCES] =
        groups_of(std::max(fast->width, fast->height), min_side);
    job.groups[haar_fast::LOOP_CHECKERS] = groups_of(fast->height, 2 * std::max(min_side / 2, 1));
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
