/*
 * Band streams on an emulated device, which does what is queued as late, and in any order, as
 * streams and events allow, so that a copy or a computation that does not wait for another meets
 * the wrong bytes.
 */
#include "device.h"
#include "test.h"

#include <cuda_runtime_api.h>

#include "backend_runner.h"
#include "cuda_device.h"
#include "random.h"
#include "relay.h"
#include "transfers.h"

/* === The work ================================================================================= */

typedef struct Work {
    int width, height, halo;
    size_t image_stride, sums_stride; /* on the device */
    uint8_t *image, *wanted, *got;    /* dense, on the host */
    int *computed;                    /* how often each row was */
} Work;

/* What is queued for rows [begin, end). */
typedef struct Band {
    const Work *work;
    int begin, end;
    BandPlace place;
} Band;

/* The sum, modulo 256, of the pixels above, at and below, outside of which is 0. */
static void CUDART_CB compute_band(void *queued) {
    const Band *band = queued;
    const Work *work = band->work;
    for (int y = band->begin; y < band->end; y++) {
        work->computed[y]++;
        for (int x = 0; x < work->width; x++) {
            unsigned sum = 0;
            for (int row = y - work->halo; row <= y + work->halo; row++) {
                sum += *(band->place.up + (ptrdiff_t)row * (ptrdiff_t)work->image_stride + x);
            }
            band->place.down[(size_t)y * work->sums_stride + (size_t)x] = (uint8_t)sum;
        }
    }
    free(queued);
}

static Status compute(void *context, int begin, int end, BandPlace place) {
    Band *band = malloc(sizeof *band);
    *band = (Band){.work = context, .begin = begin, .end = end, .place = place};
    CUDA_TRY(cudaLaunchHostFunc(cuda_stream(), compute_band, band));
    return status_ok();
}

/* Rows are then computed once again. */
static Status restart(void *context) {
    const Work *work = context;
    memset(work->computed, 0, (size_t)work->height * sizeof *work->computed);
    return status_ok();
}

static void fill_images(const Work *made) {
    Draw draw = {.seed = 7};
    for (size_t i = 0; i < (size_t)made->width * (size_t)made->height; i++) {
        made->image[i] = (uint8_t)draw_below(&draw, 256);
    }
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

static uint8_t *allocated(size_t bytes) {
    void *memory = NULL;
    const Status status = cuda_backend.alloc(bytes, &memory);
    assert_string_equal(status.why, "");
    return memory;
}

/* Rows of even width lie where a kernel can relay them (relay.h). */
static size_t stride_of(int width, size_t gap) {
    const size_t stride = (size_t)width + gap;
    return width % 2 == 0 ? (stride + RELAY_ALIGNMENT - 1) / RELAY_ALIGNMENT * RELAY_ALIGNMENT
                          : stride;
}

/* Streams an image twice through memory that held something else. The whole image lies on the
 * device in a margin of zeros, a ring in its own. */
static void stream_image(int width, int height, int halo, int bands, bool ring) {
    const size_t pixels = (size_t)width * (size_t)height;
    Work made = {.width = width,
                 .height = height,
                 .halo = halo,
                 .image_stride = stride_of(width, 5),
                 .sums_stride = stride_of(width, 3),
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
                   .restart = restart,
                   .context = &made};
    const size_t rows = ring ? BAND_SLOTS * (size_t)band_slot_rows(&job) : (size_t)height;
    const size_t margin = ring ? 0 : (size_t)halo * made.image_stride;
    const size_t image_bytes = rows * made.image_stride;
    uint8_t *image = allocated(image_bytes + 2 * margin);
    job.up.device = image + margin;
    job.down.device = allocated(rows * made.sums_stride);
    fill_images(&made);
    cudaMemsetAsync(image, 0, image_bytes + 2 * margin, NULL);
    cudaMemsetAsync(image + margin, 0xA5, image_bytes, NULL);
    BandStream *stream = NULL;
    assert_ok(band_stream_open(&job, &stream));
    for (int pass = 0; pass < 2; pass++) {
        memset(made.got, 0, pixels);
        assert_ok(band_stream_run(stream));
        assert_memory_equal(made.got, made.wanted, pixels);
        assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
        for (int y = 0; y < height; y++) {
            assert_int_equal(made.computed[y], 1);
            made.computed[y] = 0;
        }
    }
    band_stream_close(stream);
    assert_ok(cuda_backend.runner->check_guards());
    cuda_backend.release(image);
    cuda_backend.release(job.down.device);
    free(made.image);
    free(made.wanted);
    free(made.got);
    free(made.computed);
}

/* Wide rows: a band has a few of them at least, and half a megabyte. */
static void stream_images(bool ring) {
    need_device();
    stream_image(4000, 1500, 1, 22, ring);
    for (int time = 0; time < 6; time++) {
        stream_image(150000, 30, 1, 100, ring);
        stream_image(50000, 60, 3, 100, ring);
        stream_image(49999, 60, 3, 100, ring);
        stream_image(300000, 9, 0, 5, ring);
        stream_image(1000, 3, 1, 22, ring);
        stream_image(5, 1, 2, 1, ring);
    }
}

TEST(all_rows_on_the_device) {
    stream_images(false);
}

TEST(two_bands_at_a_time) {
    stream_images(true);
}

static bool is_relayed(void) {
    static uint8_t host[4096];
    void *device = NULL;
    bool done = false;
    assert_int_equal(cudaMalloc(&device, sizeof host), cudaSuccess);
    const Copy copy = copy_bytes(device, host, sizeof host);
    const Status status = relay_copy(&copy, RELAY_UP, &done);
    assert_string_equal(status.why, "");
    (void)cudaFree(device);
    return done;
}

/* A gate waits for all rows of a band at once, the kernel that brings them for one slot at a time.
 * So a gate may end too soon although all rows come: then all is copied by calls. Relaying ends
 * with it, so that the test is one of its own. */
TEST(without_its_rows_a_gate_ends) {
    if (getenv("EMULATION_LATE_GATE") == NULL) {
        skip_needing(NEEDS_DEVICE, "needs EMULATION_LATE_GATE=1");
    }
    need_device();
    assert_true(is_relayed());
    stream_images(false);
    assert_false(is_relayed());
}

/* The host does not come, as when it is stopped: the kernel ends, and all is copied by calls. */
TEST(without_the_host_a_kernel_ends) {
    need_device();
    assert_true(is_relayed());
    setenv("EMULATION_LATE", "1", 1);
    stream_images(false);
    unsetenv("EMULATION_LATE");
    assert_false(is_relayed());
}

TEST(a_ring_is_for_what_the_device_cannot_hold) {
    uint8_t host = 0;
    BandJob job = {.rows = 1023, .up = {.row_bytes = 2048}}; /* some memory is not its own */
    need_device();
    setenv("EMULATION_MEMORY_MIB", "2", 1);
    assert_false(band_job_needs_ring(&job));
    job.down = (BandRows){.host = &host, .row_bytes = 2048};
    assert_true(band_job_needs_ring(&job));
    setenv("EMULATION_MEMORY_MIB", "4", 1);
    assert_false(band_job_needs_ring(&job));
    unsetenv("EMULATION_MEMORY_MIB");
}

/* 100 GB: the memory of a ring is that of two bands. */
TEST(a_ring_does_not_grow_with_the_image) {
    const BandJob job = {
        .rows = 300000, .halo = 1, .bands_wanted = 22, .ring = true, .up = {.row_bytes = 333333}};
    assert_int_equal(band_slot_rows(&job), 8 * 1024 * 1024 / 333333 + 2);
}
