/*
 * Band streams without a device: a simulated one does what is queued as late, and in any order, as
 * streams and events allow, so that a copy or a computation that does not wait for another meets
 * the wrong bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cuda_device.h"
#include "transfers.h"

/* === The device =============================================================================== */

enum { OPS_MAX = 1 << 12, STREAMS_MAX = 3 };

struct CUevent_st {
    int recorded, reached; /* numbers of the latest record queued, and done */
};

typedef enum OpKind { COPY, SET, RECORD, WAIT, COMPUTE } OpKind;

typedef struct Op {
    OpKind kind;
    uint8_t *to;
    const uint8_t *from;
    size_t to_stride, from_stride, width, rows;
    cudaEvent_t event;
    int number; /* of the record */
    int begin, end;
    BandPlace place;
} Op;

struct CUstream_st {
    Op ops[OPS_MAX];
    size_t done, queued;
};

static struct CUstream_st compute_stream;
static cudaStream_t streams[STREAMS_MAX];
static size_t stream_count, slow;
static unsigned random_state;
static uint64_t device_bytes;

static unsigned draw(unsigned below) {
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % below;
}

static void compute_now(const Op *op);

static void do_op(const Op *op) {
    for (size_t row = 0; row < op->rows; row++) {
        if (op->kind == COPY) {
            memcpy(op->to + row * op->to_stride, op->from + row * op->from_stride, op->width);
        } else if (op->kind == SET) {
            memset(op->to + row * op->to_stride, 0, op->width);
        }
    }
    if (op->kind == RECORD) {
        op->event->reached = op->number;
    } else if (op->kind == COMPUTE) {
        compute_now(op);
    }
}

static bool can_go_on(cudaStream_t stream) {
    const Op *op = &stream->ops[stream->done % OPS_MAX];
    return stream->done < stream->queued && (op->kind != WAIT || op->event->reached >= op->number);
}

/* One operation of a stream chosen at random, of the slow one only where no other can go on; false:
 * none can. */
static bool step(void) {
    const size_t first = draw((unsigned)stream_count);
    for (size_t i = 0; i <= stream_count; i++) {
        cudaStream_t stream = streams[i < stream_count ? (first + i) % stream_count : slow];
        if (i < stream_count && stream == streams[slow]) {
            continue;
        }
        if (can_go_on(stream)) {
            do_op(&stream->ops[stream->done % OPS_MAX]);
            stream->done++;
            return true;
        }
    }
    return false;
}

static cudaError_t queue(cudaStream_t stream, Op op) {
    assert_true(stream->queued - stream->done < OPS_MAX);
    stream->ops[stream->queued % OPS_MAX] = op;
    stream->queued++;
    if (draw(8) == 0) {
        step();
    }
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    assert_true(stream_count < STREAMS_MAX);
    *stream = streams[stream_count++] = calloc(1, sizeof **stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof **event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    free(event);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    *memory = malloc(bytes);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory) {
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride,
                              size_t width, size_t rows, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    (void)kind;
    return queue(stream, (Op){.kind = COPY,
                              .to = to,
                              .to_stride = to_stride,
                              .from = from,
                              .from_stride = from_stride,
                              .width = width,
                              .rows = rows});
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t cudaMemset2DAsync(void *to, size_t stride, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
    assert_int_equal(value, 0);
    return queue(stream,
                 (Op){.kind = SET, .to = to, .to_stride = stride, .width = width, .rows = rows});
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return queue(stream, (Op){.kind = RECORD, .event = event, .number = ++event->recorded});
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    (void)flags;
    return queue(stream, (Op){.kind = WAIT, .event = event, .number = event->recorded});
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    while (event->reached < event->recorded) {
        assert_true(step());
    }
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    while (stream->done < stream->queued) {
        assert_true(step());
    }
    return cudaSuccess;
}

/* --- What is around it ------------------------------------------------------------------------ */

Status cuda_status(cudaError_t error, const char *expression, const char *file, int line) {
    (void)file;
    (void)line;
    return error == cudaSuccess ? status_ok() : status_fail("%s", expression);
}

cudaStream_t cuda_stream(void) {
    return &compute_stream;
}

Status cuda_use_device(int index) {
    return index == 0 ? status_ok() : status_fail("there is one device");
}

int cuda_used_device(void) {
    return 0;
}

bool cuda_is_pinned(const void *host) {
    (void)host;
    return false;
}

static void memory_of_device(BackendMemory *memory) {
    *memory = (BackendMemory){.in_use = device_bytes / 2, .available = device_bytes / 2};
}

const Backend cuda_backend = {.name = "simulated", .memory = memory_of_device};

/* === The work ================================================================================= */

typedef struct Work {
    int width, height, halo;
    size_t image_stride, sums_stride; /* on the device */
    uint8_t *image, *wanted, *got;    /* dense, on the host */
    uint8_t *device_image, *device_sums;
    int *computed; /* how often each row was */
} Work;

static const Work *work; /* of what is queued */

/* The sum, modulo 256, of the pixels above, at and below, outside of which is 0. */
static void compute_now(const Op *op) {
    for (int y = op->begin; y < op->end; y++) {
        work->computed[y]++;
        for (int x = 0; x < work->width; x++) {
            unsigned sum = 0;
            for (int row = y - work->halo; row <= y + work->halo; row++) {
                sum += *(op->place.up + (ptrdiff_t)row * (ptrdiff_t)work->image_stride + x);
            }
            op->place.down[(size_t)y * work->sums_stride + (size_t)x] = (uint8_t)sum;
        }
    }
}

static Status compute(void *context, int begin, int end, BandPlace place) {
    assert_ptr_equal(context, work);
    queue(&compute_stream, (Op){.kind = COMPUTE, .begin = begin, .end = end, .place = place});
    return status_ok();
}

static void fill_wanted(const Work *made) {
    for (int y = 0; y < made->height; y++) {
        for (int x = 0; x < made->width; x++) {
            unsigned sum = 0;
            for (int row = y - made->halo; row <= y + made->halo; row++) {
                sum += row < 0 || row >= made->height
                           ? 0
                           : made->image[(size_t)row * (size_t)made->width + (size_t)x];
            }
            made->wanted[(size_t)y * (size_t)made->width + (size_t)x] = (uint8_t)sum;
        }
    }
}

/* Streams an image twice through memory that held something else. The whole image lies on the
 * device in a margin of zeros, a ring in its own. */
static void stream_image(int width, int height, int halo, int bands, bool ring) {
    const size_t pixels = (size_t)width * (size_t)height;
    Work made = {.width = width,
                 .height = height,
                 .halo = halo,
                 .image_stride = (size_t)width + 5,
                 .sums_stride = (size_t)width + 3,
                 .image = malloc(pixels),
                 .wanted = malloc(pixels),
                 .got = malloc(pixels),
                 .computed = calloc((size_t)height, sizeof(int))};
    BandJob job = {.rows = height,
                   .halo = halo,
                   .bands_wanted = bands,
                   .ring = ring,
                   .up = {made.image, (size_t)width, NULL, made.image_stride, (size_t)width},
                   .down = {made.got, (size_t)width, NULL, made.sums_stride, (size_t)width},
                   .compute = compute,
                   .context = &made};
    const size_t rows = ring ? BAND_SLOTS * (size_t)band_slot_rows(&job) : (size_t)height;
    const size_t margin = ring ? 0 : (size_t)halo * made.image_stride;
    made.device_image = malloc(rows * made.image_stride + 2 * margin);
    made.device_sums = malloc(rows * made.sums_stride);
    job.up.device = made.device_image + margin;
    job.down.device = made.device_sums;
    for (size_t i = 0; i < pixels; i++) {
        made.image[i] = (uint8_t)draw(256);
    }
    fill_wanted(&made);
    memset(made.device_image, 0, rows * made.image_stride + 2 * margin);
    memset(made.device_image + margin, 0xA5, rows * made.image_stride);
    work = &made;
    streams[0] = &compute_stream;
    stream_count = 1;
    BandStream *stream = NULL;
    assert_int_equal(band_stream_open(&job, &stream).code, STATUS_OK);
    for (int pass = 1; pass <= 2; pass++) {
        memset(made.got, 0, pixels);
        assert_int_equal(band_stream_run(stream).code, STATUS_OK);
        assert_memory_equal(made.got, made.wanted, pixels);
        assert_int_equal(cudaStreamSynchronize(&compute_stream), cudaSuccess);
        for (int y = 0; y < height; y++) {
            assert_int_equal(made.computed[y], pass);
        }
    }
    band_stream_close(stream);
    free(made.image);
    free(made.wanted);
    free(made.got);
    free(made.computed);
    free(made.device_image);
    free(made.device_sums);
}

/* Wide rows: a band has a few of them at least, and half a megabyte. */
static void stream_images(bool ring) {
    for (unsigned seed = 1; seed <= 6; seed++) {
        random_state = seed;
        slow = seed % STREAMS_MAX;
        stream_image(150000, 30, 1, 100, ring);
        stream_image(50000, 60, 3, 100, ring);
        stream_image(300000, 9, 0, 5, ring);
        stream_image(1000, 3, 1, 22, ring);
        stream_image(5, 1, 2, 1, ring);
    }
}

static void all_rows_on_the_device(void **state) {
    (void)state;
    stream_images(false);
}

static void two_bands_at_a_time(void **state) {
    (void)state;
    stream_images(true);
}

static void a_ring_is_for_what_the_device_cannot_hold(void **state) {
    (void)state;
    uint8_t host = 0;
    BandJob job = {.rows = 1000, .up = {.row_bytes = 2000}};
    device_bytes = 2000000;
    assert_false(band_job_needs_ring(&job));
    job.down = (BandRows){.host = &host, .row_bytes = 2000};
    assert_true(band_job_needs_ring(&job));
    device_bytes = 4000000;
    assert_false(band_job_needs_ring(&job));
}

/* 100 GB: the memory of a ring is that of two bands. */
static void a_ring_does_not_grow_with_the_image(void **state) {
    (void)state;
    const BandJob job = {
        .rows = 300000, .halo = 1, .bands_wanted = 22, .ring = true, .up = {.row_bytes = 333333}};
    assert_int_equal(band_slot_rows(&job), 8 * 1024 * 1024 / 333333 + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_on_the_device),
        cmocka_unit_test(two_bands_at_a_time),
        cmocka_unit_test(a_ring_is_for_what_the_device_cannot_hold),
        cmocka_unit_test(a_ring_does_not_grow_with_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
