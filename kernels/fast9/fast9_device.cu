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
#include <cstring>

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

/* Blocks of 256 threads of a kernel launch that goes through a list: no multiprocessor holds more.
 */
constexpr int BLOCKS_OF_MULTIPROCESSOR = 8;

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

void close_lists(Fast9Device *device) {
    cuda_buffer_close(device, &device->corners);
    cuda_buffer_close(device, &device->work->harris);
    fast9_cuda_select_close(device);
    device->capacity = 0;
}

Status open_lists(Fast9Device *device, unsigned int capacity) {
    Fast9Work *work = device->work;
    const CudaBuffer table[] = {
        cuda_scratch(&device->corners, capacity * sizeof *device->corners),
        cuda_where(fast9_by_harris(device),
                   cuda_scratch(&work->harris, capacity * sizeof *work->harris)),
    };
    device->capacity = capacity;
    STATUS_TRY(cuda_open_buffers(device, table));
    return fast9_cuda_select_open(device);
}

/* --- Opening --------------------------------------------------------------------------------- */

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

/* Each run finds the map set to 0. */
Status open_buffers(Fast9Device *device) {
    const Image *image = &device->request->workload->image;
    Fast9Work *work = device->work;
    const size_t pixels = std::max<size_t>(device->levels.pixels, 1);
    const size_t rows = std::max<size_t>(work->rows, 1);
    const bool harris = fast9_by_harris(device);
    const CudaBuffer table[] = {
        cuda_rows_up(&device->pyramid, pixels,
                     has_levels(device) ? cuda_image_rows(image, (size_t)device->levels.stride[0])
                                        : cuda_row(NULL, 0)),
        cuda_where(harris, cuda_cleared(&device->places, pixels * sizeof *device->places)),
        cuda_where(!harris, cuda_cleared(&device->scores, pixels)),
        cuda_scratch(&work->tally, sizeof *work->tally),
        cuda_scratch(&work->answer, rows * sizeof *work->answer),
        cuda_pinned(&work->counts_copy, sizeof *work->counts_copy),
    };
    STATUS_TRY(cuda_open_buffers(device, table));
    device->cursor = &work->tally->counts.corners;
    *work->counts_copy = {};
    return status_ok();
}

Status open_device(const Fast9Search *search, Fast9Device *device) {
    const Request *request = device->request;
    const Image *image = &request->workload->image;
    device->search = search;
    device->point = fast9_point(request->answer);
    device->levels = padded(fast9_levels(image->width, image->height, device->point.levels));
    STATUS_TRY(check_size(image, &device->levels));
    STATUS_TRY(cuda_state_part(device, sizeof *device->work, (void **)&device->work));
    device->work->blocks = (unsigned int)(cuda_multiprocessors() * BLOCKS_OF_MULTIPROCESSOR);
    device->work->rows = (unsigned int)device->point.max_keypoints;
    STATUS_TRY(open_buffers(device));
    if (has_levels(device) && search->open != NULL) {
        STATUS_TRY(search->open(device));
    }
    return open_lists(device, guessed_corners(device));
}

/* --- Copies ---------------------------------------------------------------------------------- */

Copy cleared_tally(const Fast9Device *device) {
    return copy_clear(device->work->tally, offsetof(Fast9Tally, starts));
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
    close_lists(device);
    const Status status = open_lists(device, corners);
    if (!status_is_ok(&status)) {
        close_lists(device);
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
        request, state, [search](Fast9Device *device) { return open_device(search, device); });
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
    STATUS_TRY(cuda_upload_and(device, cleared_tally(device)));
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
