#include "ordinary.h"

#include <math.h>
#include <stddef.h>

#include "backend.h"
#include "cuda_device.h"
#include "relay.h"
#include "transfers.h"

enum { SIZES = 40 /* twofold steps */, TRIALS = 3, TRIALS_LEAST = 2 /* of each way, for a size */ };

/* Trials that took so long are enough, if there was one without the making of buffers. */
static const double long_trials = 0.05;

enum { BY_CALL, RELAYED, IN_PIECES, WAYS /* the last one down only */ };

typedef struct Trials {
    int count;
    double least[WAYS]; /* seconds */
} Trials;

static Trials all_trials[CUDA_DEVICES_MAX][RELAY_WAYS][SIZES];

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

static Status copy_by(int way, const Copy *copy, enum cudaMemcpyKind direction, bool *done) {
    const bool up = direction == cudaMemcpyHostToDevice;
    *done = way == BY_CALL;
    switch (way) {
    case BY_CALL: return by_call(copy, direction);
    case RELAYED: return relay_copy(copy, up ? RELAY_UP : RELAY_DOWN, done);
    default: return up ? status_ok() : ordinary_down(copy, done);
    }
}

static Status try_each(const Copy *copy, enum cudaMemcpyKind direction, Trials *trials,
                       bool *done) {
    for (int way = 0; way < WAYS; way++) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        const double started = host_seconds();
        STATUS_TRY(copy_by(way, copy, direction, done));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
        const double seconds = *done ? host_seconds() - started : INFINITY;
        double *least = &trials->least[way];
        *least = trials->count == 0 ? seconds : fmin(*least, seconds);
    }
    trials->count++;
    return status_ok();
}

static Status try_all(const Copy *copy, enum cudaMemcpyKind direction, Trials *trials, bool *done) {
    const double started = host_seconds();
    while (trials->count < TRIALS_LEAST ||
           (trials->count < TRIALS && host_seconds() - started < long_trials)) {
        STATUS_TRY(try_each(copy, direction, trials, done));
    }
    *done = true;
    return status_ok();
}

static int fastest(const Trials *trials) {
    int way = 0;
    for (int i = 1; i < WAYS; i++) {
        way = trials->least[i] < trials->least[way] ? i : way;
    }
    return way;
}

static Trials *trials_of(size_t bytes, enum cudaMemcpyKind direction) {
    const RelayWay way = direction == cudaMemcpyHostToDevice ? RELAY_UP : RELAY_DOWN;
    return &all_trials[cuda_used_device()][way][size_of(bytes)];
}

bool ordinary_is_chosen(size_t bytes, enum cudaMemcpyKind direction) {
    return trials_of(bytes, direction)->count > 0;
}

Status ordinary_copy(const Copy *copy, enum cudaMemcpyKind direction, bool *done) {
    const bool up = direction == cudaMemcpyHostToDevice;
    const size_t bytes = copy->width * copy->rows;
    *done = false;
    if ((!up && direction != cudaMemcpyDeviceToHost) || bytes < RELAY_BYTES_MIN ||
        cuda_is_pinned(up ? copy->from : copy->to)) {
        return status_ok();
    }
    Trials *trials = trials_of(bytes, direction);
    return trials->count == 0 ? try_all(copy, direction, trials, done)
                              : copy_by(fastest(trials), copy, direction, done);
}
