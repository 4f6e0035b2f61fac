#include "ordinary.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

#include "backend.h"
#include "cuda_device.h"
#include "pieces.h"
#include "pull.h"

enum { SIZES = 40 /* twofold steps */, TRIALS = 3 /* of each way, for a size */ };

enum { UP, DOWN, DIRECTIONS };

enum { BY_CALL, STAGED, WAYS };

typedef struct Trials {
    int count;
    double least[WAYS]; /* seconds */
} Trials;

static Trials all_trials[CUDA_DEVICES_MAX][DIRECTIONS][SIZES];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

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

static Status staged(const Copy *copy, enum cudaMemcpyKind direction, bool *done) {
    return direction == cudaMemcpyHostToDevice ? pull_up(copy, done) : pieces_down(copy, done);
}

/* Goes both ways. Without the staged one the call is left to the caller. */
static Status try_both(const Copy *copy, enum cudaMemcpyKind direction, Trials *trials,
                       bool *done) {
    double seconds[WAYS];
    for (int way = STAGED; way >= BY_CALL; way--) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        const double started = now();
        STATUS_TRY(way == STAGED ? staged(copy, direction, done) : by_call(copy, direction));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        seconds[way] = now() - started;
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
        bytes < (size_t)(up ? PULL_BYTES_MIN : PIECES_BYTES_MIN) ||
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
