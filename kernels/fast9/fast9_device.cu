/*
 * The state of all variants on the device: what is allocated, copied and freed.
 *
 * Rows of the pyramid are padded, so that each begins at an address that 16-byte loads may have.
 * The list of corners begins with room for a guess; download copies to the host how many corners
 * there were, makes a list that was too short longer and runs again. The map is set to 0 by upload;
 * after that, runs clear what they set.
 */
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "cuda_device.h"
#include "fast9_device.cuh"

VARIANT_FUNCTIONS(fast9_cuda);
VARIANT_EXTERN Status fast9_cuda_pyramid(void *state);
VARIANT_EXTERN Status fast9_cuda_corners(void *state);
VARIANT_EXTERN Status fast9_cuda_suppress(void *state);
VARIANT_EXTERN Status fast9_cuda_select(void *state);

namespace {

constexpr int SIDE_MAX = UINT16_MAX;

/* Bytes that rows of the pyramid are padded to a multiple of. */
constexpr int ROW_ALIGNMENT = 16;

/* The guess: one corner in so many pixels, as natural images have at the default threshold. */
constexpr size_t PIXELS_OF_CORNER = 32;
constexpr size_t CORNERS_MIN = 4096;
/* What a corner takes in all lists, sorting included, at most. */
constexpr size_t BYTES_OF_CORNER = 64;

/* Blocks of 256 threads of a launch that goes through a list: no multiprocessor holds more. */
constexpr int BLOCKS_OF_MULTIPROCESSOR = 8;

template <typename Item> Status allocate(size_t count, Item **memory) {
    return cuda_backend.alloc(std::max<size_t>(count, 1) * sizeof(Item), (void **)memory);
}

bool has_levels(const Fast9Device *device) {
    return device->levels.count > 0;
}

/* The same levels with padded rows. */
Fast9Levels padded(Fast9Levels levels) {
    levels.pixels = 0;
    for (int l = 0; l < levels.count; l++) {
        levels.stride[l] = (int32_t)round_up((size_t)levels.width[l], ROW_ALIGNMENT);
        levels.offset[l] = levels.pixels;
        levels.pixels += (size_t)levels.stride[l] * (size_t)levels.height[l];
    }
    return levels;
}

/* --- Lists of corners ------------------------------------------------------------------------ */

/* In no more than half of the memory that is free: it is only a guess. */
unsigned int guessed_corners(const Fast9Device *device) {
    const size_t half = (size_t)cuda_backend.available() / 2 / BYTES_OF_CORNER;
    const size_t guess = std::min(device->levels.pixels / PIXELS_OF_CORNER, half);
    return (unsigned int)std::max(guess, CORNERS_MIN);
}

void release_lists(Fast9Device *device) {
    Fast9Work *work = device->work;
    cuda_backend.release(device->corners);
    cuda_backend.release(work->harris);
    device->corners = NULL;
    work->harris = NULL;
    device->capacity = 0;
    fast9_cuda_select_close(device);
}

Status allocate_lists(Fast9Device *device, unsigned int capacity) {
    device->capacity = capacity;
    STATUS_TRY(allocate(capacity, &device->corners));
    if (fast9_by_harris(device)) {
        STATUS_TRY(allocate(capacity, &device->work->harris));
    }
    return fast9_cuda_select_open(device);
}

/* --- Opening and closing --------------------------------------------------------------------- */

/* Corners have their place in 16 bits for each direction, and the map their place in the list in
 * 32. */
Status check_size(const Image *image, const Fast9Levels *levels) {
    if (image->width > SIDE_MAX || image->height > SIDE_MAX) {
        return status_skip("an image of %d×%d has more than %d pixels on a side", image->width,
                           image->height, SIDE_MAX);
    }
    if (levels->pixels >= UINT32_MAX) {
        return status_skip("the levels of an image of %d×%d have %zu pixels, more than fit 32 bits",
                           image->width, image->height, levels->pixels);
    }
    return status_ok();
}

Status allocate_work(Fast9Device *device) {
    Fast9Work *work = device->work;
    work->blocks = (unsigned int)(cuda_multiprocessors() * BLOCKS_OF_MULTIPROCESSOR);
    work->rows = (unsigned int)device->point.max_keypoints;
    STATUS_TRY(allocate(1, &work->tally));
    device->cursor = &work->tally->counts.corners;
    STATUS_TRY(allocate(work->rows, &work->answer));
    CUDA_TRY(cudaMallocHost((void **)&work->counts_copy, sizeof *work->counts_copy));
    *work->counts_copy = {};
    return status_ok();
}

Status allocate_map(Fast9Device *device) {
    return fast9_by_harris(device) ? allocate(device->levels.pixels, &device->places)
                                   : allocate(device->levels.pixels, &device->scores);
}

Status open_device(const Request *request, const Fast9Search *search, Fast9Device *device) {
    const Image *image = &request->workload->image;
    device->request = request;
    device->search = search;
    device->point = fast9_point(request->answer);
    device->levels = padded(fast9_levels(image->width, image->height, device->point.levels));
    STATUS_TRY(check_size(image, &device->levels));
    device->work = (Fast9Work *)calloc(1, sizeof *device->work);
    if (device->work == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    STATUS_TRY(allocate(device->levels.pixels, &device->pyramid));
    STATUS_TRY(allocate_map(device));
    STATUS_TRY(allocate_work(device));
    if (has_levels(device) && search->open != NULL) {
        STATUS_TRY(search->open(device));
    }
    return allocate_lists(device, guessed_corners(device));
}

void release_device(Fast9Device *device) {
    if (device->search != NULL && device->search->close != NULL) {
        device->search->close(device);
    }
    cuda_backend.release(device->pyramid);
    cuda_backend.release(device->scores);
    cuda_backend.release(device->places);
    if (device->work != NULL) {
        release_lists(device);
        cuda_backend.release(device->work->tally);
        cuda_backend.release(device->work->answer);
        (void)cudaFreeHost(device->work->counts_copy);
        free(device->work);
    }
}

/* --- Copies ---------------------------------------------------------------------------------- */

/* To 0, as each run finds them. */
Copy cleared_map(const Fast9Device *device) {
    const size_t pixels = device->levels.pixels;
    return fast9_by_harris(device) ? copy_clear(device->places, pixels * sizeof *device->places)
                                   : copy_clear(device->scores, pixels);
}

Copy cleared_tally(const Fast9Device *device) {
    return copy_clear(device->work->tally, offsetof(Fast9Tally, starts));
}

/* With `more` that is copied or cleared. */
Status upload(const Fast9Device *device, Copy more) {
    const Image *image = &device->request->workload->image;
    const Fast9Search *search = device->search;
    Copy copies[] = {more, {}, {}, {}};
    if (has_levels(device)) {
        copies[1] = {device->pyramid,      (size_t)device->levels.stride[0],
                     image->pixels,        image->stride,
                     (size_t)image->width, (size_t)image->height};
        copies[2] = cleared_map(device);
        copies[3] = search->table != NULL ? search->table(device) : Copy{};
    }
    return copies_queue(copies, sizeof copies / sizeof copies[0], cudaMemcpyHostToDevice);
}

Status find_corners(Fast9Device *device) {
    if (!has_levels(device)) {
        return status_ok();
    }
    return device->search->corners != NULL ? device->search->corners(device)
                                           : fast9_cuda_naive_corners(device);
}

/* The old lists go first, so that both need not fit at once. */
Status grow_and_run(Fast9Device *device, unsigned int corners) {
    release_lists(device);
    const Status status = allocate_lists(device, corners);
    if (!status_is_ok(&status)) {
        release_lists(device);
        return status;
    }
    return fast9_cuda_run(device);
}

/* Keypoints in the answer, by the counts on the host. */
size_t keypoint_count(const Fast9Work *work) {
    return std::min(work->counts_copy->survivors, work->rows);
}

/* The rest of the answer, where the keypoints are there. */
void complete_answer(const Fast9Device *device) {
    const Output *output = device->request->output;
    const size_t count = keypoint_count(device->work);
    *fast9_count(output) = count;
    memset(fast9_keypoints(output) + count, 0,
           (device->work->rows - count) * sizeof *fast9_keypoints(output));
}

Status download(Fast9Device *device) {
    const Fast9Work *work = device->work;
    STATUS_TRY(fast9_cuda_counts(device));
    if (work->counts_copy->corners > device->capacity) {
        STATUS_TRY(grow_and_run(device, work->counts_copy->corners));
        STATUS_TRY(fast9_cuda_counts(device));
    }
    const size_t count = keypoint_count(work);
    if (count > 0) {
        CUDA_TRY(cudaMemcpyAsync(fast9_keypoints(device->request->output), work->answer,
                                 count * sizeof *work->answer, cudaMemcpyDeviceToHost,
                                 cuda_stream()));
    }
    complete_answer(device);
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

} // namespace

Status fast9_cuda_open_with(const Request *request, const Fast9Search *search, void **state) {
    return cuda_open_state<Fast9Device>(
        state, [&](Fast9Device *device) { return open_device(request, search, device); },
        fast9_cuda_close);
}

Status fast9_cuda_upload(void *state) {
    return upload((const Fast9Device *)state, Copy{});
}

Status fast9_cuda_pyramid(void *state) {
    Fast9Device *device = (Fast9Device *)state;
    if (!has_levels(device)) {
        return status_ok();
    }
    return device->search->pyramid != NULL ? device->search->pyramid(device)
                                           : fast9_cuda_pyramid_levels(device);
}

Status fast9_cuda_corners(void *state) {
    Fast9Device *device = (Fast9Device *)state;
    const Copy cleared = cleared_tally(device);
    STATUS_TRY(copies_queue(&cleared, 1, cudaMemcpyHostToDevice));
    return find_corners(device);
}

Status fast9_cuda_queue_survivors(Fast9Device *device) {
    STATUS_TRY(upload(device, cleared_tally(device)));
    STATUS_TRY(fast9_cuda_pyramid(device));
    STATUS_TRY(find_corners(device));
    return fast9_cuda_suppress(device);
}

Status fast9_cuda_counts(const Fast9Device *device) {
    const Fast9Work *work = device->work;
    CUDA_TRY(cudaMemcpyAsync(work->counts_copy, &work->tally->counts, sizeof *work->counts_copy,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status fast9_cuda_run(void *state) {
    STATUS_TRY(fast9_cuda_pyramid(state));
    STATUS_TRY(fast9_cuda_corners(state));
    STATUS_TRY(fast9_cuda_suppress(state));
    return fast9_cuda_select(state);
}

Status fast9_cuda_download(void *state) {
    return download((Fast9Device *)state);
}

Status fast9_cuda_finish_answer(Fast9Device *device) {
    if (device->work->counts_copy->corners > device->capacity) {
        return download(device);
    }
    complete_answer(device);
    return status_ok();
}

void fast9_cuda_close(void *state) {
    if (state != NULL) {
        release_device((Fast9Device *)state);
        free(state);
    }
}
