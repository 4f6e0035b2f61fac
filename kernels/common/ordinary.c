#include "ordinary.h"

#include <math.h>
#include <stddef.h>

#include "backend.h"
#include "cuda_device.h"
#include "pull.h"
#include "transfers.h"

enum { SIZES = 40 /* twofold steps */, TRIALS = 3 /* of each way, for a size */ };

enum { UP, DOWN, DIRECTIONS };

/* Less comes down as fast by a call. */
enum { DOWN_BYTES_MIN = 1 << 20 };

enum { BY_CALL, STAGED, WAYS };

typedef struct Trials {
    int count;
    double least[WAYS]; /* seconds */
} Trials;

static Trials all_trials[CUDA_DEVICES_MAX][DIRECTIONS][SIZES];

static StagedDownload *downloads[CUDA_DEVICES_MAX];

static int size_of(size_t bytes) {
    int size = 0;
    while (size < SIZES - 1 && bytes >> (size + 1) > 0) {
        size++;
    }
    return size;
}

static Status by_call(const Copy *copy, enum cudaMemcpyKind direction) {
    CUDA_TRY(cudaMemcpy2DAsync(copy->to, copy->to_stride, copy->from, copy->from_stride,
                               copy->width, copy->rows, direction, cuda_stream()));
    return status_ok();
}

Status ordinary_down(const Copy *copy, bool *done) {
    StagedDownload **download = &downloads[cuda_used_device()];
    if (*download == NULL) {
        (void)staged_download_open(copy->to, download); /* without buffers a call copies */
    }
    *done = *download != NULL;
    if (!*done) {
        return status_ok();
    }
    STATUS_TRY(staged_download_wait(*download));
    STATUS_TRY(staged_download_rows(*download, copy));
    return staged_download_finish(*download);
}

static Status staged(const Copy *copy, enum cudaMemcpyKind direction, bool *done) {
    return direction == cudaMemcpyHostToDevice ? pull_up(copy, done) : ordinary_down(copy, done);
}

/* Goes both ways. Without the staged one the call is left to the caller. */
static Status try_both(const Copy *copy, enum cudaMemcpyKind direction, Trials *trials,
                       bool *done) {
    double seconds[WAYS];
    for (int way = STAGED; way >= BY_CALL; way--) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        const double started = host_seconds();
        STATUS_TRY(way == STAGED ? staged(copy, direction, done) : by_call(copy, direction));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        seconds[way] = host_seconds() - started;
        if (!*done) {
            return status_ok();
        }
    }
    for (int way = 0; way < WAYS; way++) {
        trials->least[way] =
            trials->count == 0 ? seconds[way] : fmin(trials->least[way], seconds[way]);
    }
    trials->count++;
    return status_ok();
}

Status ordinary_copy(const Copy *copy, enum cudaMemcpyKind direction, bool *done) {
    const bool up = direction == cudaMemcpyHostToDevice;
    const size_t bytes = copy->width * copy->rows;
    *done = false;
    if ((!up && direction != cudaMemcpyDeviceToHost) ||
        bytes < (size_t)(up ? PULL_BYTES_MIN : DOWN_BYTES_MIN) ||
        cuda_is_pinned(up ? copy->from : copy->to)) {
        return status_ok();
    }
    Trials *trials = &all_trials[cuda_used_device()][up ? UP : DOWN][size_of(bytes)];
    if (trials->count < TRIALS) {
        return try_both(copy, direction, trials, done);
    }
    return trials->least[STAGED] < trials->least[BY_CALL] ? staged(copy, direction, done)
                                                          : status_ok();
}
