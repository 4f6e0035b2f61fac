/*
 * The CUDA backend: guarded device memory, event timing on one stream of each device, cache
 * flushing.
 *
 * Every allocation carries a guard band on both sides in device memory, filled with a known byte
 * and read back by check_guards. Allocations are made from the main thread only.
 *
 * Every allocation begins at a place drawn anew. The address decides which slices of the L2 hold a
 * buffer, and counters that many blocks add to run into each other in a slice: on an H200
 * lbp/cuda_tiled takes 20.6 to 21.3 us at 1080p with its histogram at five places out of six and
 * 23.0 to 23.6 us at the sixth. cudaMalloc alone returns the same place again and again.
 *
 * Variants may have streams of their own, which nothing orders with the backend's stream. What
 * fills or reads their memory here has therefore ended when the function returns, and begins when
 * the whole device is idle.
 */
#include "backend_runner.h"
#include "devices.h"

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_device.h"
#include "device_names.h"
#include "random.h"
#include "stream_hold.h"

/* Cache flushing writes this many L2 sizes, so that nothing that mattered stays. */
enum { GUARD_BYTES = 1024, GUARD_PATTERN = 0xC3, ALLOCATIONS_MAX = 1024, FLUSH_L2_MULTIPLE = 2 };

/* Places at which an allocation may begin, and the bytes between two: what textures ask for. */
enum { PLACES = 128, PLACE_BYTES = 512, PLACES_BYTES = PLACES * PLACE_BYTES };

typedef struct Allocation {
    int device;    /* index of the chosen device */
    void *owned;   /* by cudaMalloc */
    uint8_t *base; /* start of the lower guard band; NULL: slot is free */
    size_t bytes;  /* between the guard bands */
    size_t padded; /* `bytes` rounded up, where the upper band starts */
} Allocation;

/* One of the chosen devices. It is opened when a thread first uses it: a context takes memory. */
typedef struct ChosenDevice {
    int number; /* CUDA's */
    bool open;
    bool lost; /* nothing works on it any more in this process */
    cudaStream_t stream;
    cudaStream_t beside; /* reads and writes while `stream` is held; NULL: not made yet */
    cudaEvent_t start, stop;
    size_t reserved; /* bytes of the L2 cache for lines that persist, when it was opened: not always
                        0 */
    void *flush;
    size_t flush_bytes;
} ChosenDevice;

static struct {
    bool probed;
    Status status;
    ChosenDevice chosen[CUDA_DEVICES_MAX];
    DeviceName names[CUDA_DEVICES_MAX]; /* of those chosen; since the probe */
    int count;
    Allocation allocations[ALLOCATIONS_MAX];
    Draw places;
    uint64_t in_use, peak;
} device;

static _Thread_local int used; /* index of the device that this thread uses */

static bool are_chosen(const int *numbers, size_t count) {
    bool same = (size_t)device.count == count;
    for (size_t i = 0; i < count && same; i++) {
        same = device.chosen[i].number == numbers[i];
    }
    return same;
}

/* Where there is no device at all nothing is wrong with the numbers: the probe says why. */
static Status check_numbers(const int *numbers, size_t count) {
    int there = 0;
    if (cudaGetDeviceCount(&there) != cudaSuccess) {
        (void)cudaGetLastError();
        there = 0;
    }
    for (size_t i = 0; i < count && there > 0; i++) {
        if (numbers[i] >= there) {
            return status_make(STATUS_USAGE,
                               "there is no CUDA device %d; this machine has %d, from 0 to %d",
                               numbers[i], there, there - 1);
        }
    }
    return status_ok();
}

/* `bench verify` reads its options once for each algorithm: devices in use stay as they are. */
Status cuda_devices_choose(const int *numbers, size_t count) {
    if (count < 1 || count > CUDA_DEVICES_MAX) {
        return status_make(STATUS_USAGE, "name 1 to %d devices", CUDA_DEVICES_MAX);
    }
    if (are_chosen(numbers, count)) {
        return status_ok();
    }
    if (device.probed) {
        return status_make(STATUS_USAGE, "other devices are in use already");
    }
    STATUS_TRY(check_numbers(numbers, count));
    for (size_t i = 0; i < count; i++) {
        device.chosen[i] = (ChosenDevice){.number = numbers[i]};
    }
    device.count = (int)count;
    return status_ok();
}

static Status open_device(ChosenDevice *chosen) {
    CUDA_TRY(cudaSetDevice(chosen->number));
    CUDA_TRY(cudaStreamCreateWithFlags(&chosen->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreate(&chosen->start));
    CUDA_TRY(cudaEventCreate(&chosen->stop));
    CUDA_TRY(cudaDeviceGetLimit(&chosen->reserved, cudaLimitPersistingL2CacheSize));
    chosen->open = true;
    return status_ok();
}

Status cuda_use_device(int index) {
    ChosenDevice *chosen = &device.chosen[index];
    used = index;
    if (!chosen->open) {
        return open_device(chosen);
    }
    CUDA_TRY(cudaSetDevice(chosen->number));
    return status_ok();
}

int cuda_used_device(void) {
    return used;
}

int cuda_device_number(int index) {
    return device.chosen[index].number;
}

int cuda_devices_count(void) {
    char name[1];
    const Status status = cuda_backend.probe(name, 0);
    return status_is_ok(&status) ? device.count : 0;
}

void cuda_devices_name(int count, char *text, size_t size) {
    const int there = cuda_devices_count();
    device_names_text(device.names, (size_t)(count < there ? count : there), text, size);
}

/* All devices there are, unless some were chosen. */
static void complete_choice(int count) {
    if (device.count > 0) {
        return;
    }
    device.count = count < CUDA_DEVICES_MAX ? count : CUDA_DEVICES_MAX;
    for (int i = 0; i < device.count; i++) {
        device.chosen[i] = (ChosenDevice){.number = i};
    }
}

static Status read_names(void) {
    for (int i = 0; i < device.count; i++) {
        struct cudaDeviceProp properties;
        DeviceName *name = &device.names[i];
        CUDA_TRY(cudaGetDeviceProperties(&properties, device.chosen[i].number));
        name->number = device.chosen[i].number;
        snprintf(name->model, sizeof name->model, "%s", properties.name);
    }
    return status_ok();
}

static Status first_probe(void) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
        return status_skip("no CUDA device: no NVIDIA driver is installed");
    }
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        (void)cudaGetLastError();
        return status_skip("no CUDA device: %s",
                           error != cudaSuccess ? cudaGetErrorString(error) : "none was found");
    }
    complete_choice(count);
    STATUS_TRY(read_names());
    STATUS_TRY(cuda_use_device(0));
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    device.places.seed = (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec;
    return status_ok();
}

static Status cuda_probe(char *description, size_t size) {
    if (!device.probed) {
        device.probed = true;
        device.status = first_probe();
    }
    if (size > 0) {
        snprintf(description, size, "%s", device.names[0].model);
    }
    return device.status;
}

cudaStream_t cuda_stream(void) {
    return device.chosen[used].stream;
}

static void *cuda_queue(void) {
    return cuda_stream();
}

/* A profiler that watches brings the functions behind these; without one they do nothing. */
static void cuda_range(const char *name) {
    if (name != NULL) {
        nvtxRangePushA(name);
    } else {
        nvtxRangePop();
    }
}

static uint64_t cuda_available(void) {
    size_t available = 0;
    size_t total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess) {
        (void)cudaGetLastError();
        available = 0;
    }
    return available;
}

static uint64_t cuda_in_use(void) {
    return device.in_use;
}

static uint64_t cuda_peak(void) {
    return device.peak;
}

static void cuda_reset_peak(void) {
    device.peak = device.in_use;
}

static Allocation *find_slot(const void *base) {
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        if (device.allocations[i].base == base) {
            return &device.allocations[i];
        }
    }
    return NULL;
}

/* Whether the chosen device can be worked on. */
static bool is_alive(const ChosenDevice *chosen) {
    return chosen->open && !chosen->lost;
}

/* Calls `work` with every open device in use, and then has the device in use again that was. A
 * device that is lost would fail whatever is asked of the others. */
static Status on_every_device(Status (*work)(ChosenDevice *chosen, const void *argument),
                              const void *argument) {
    const int before = used;
    Status status = status_ok();
    for (int i = 0; i < device.count && status_is_ok(&status); i++) {
        if (is_alive(&device.chosen[i])) {
            status = cuda_use_device(i);
            status = status_is_ok(&status) ? work(&device.chosen[i], argument) : status;
        }
    }
    const Status back = device.count > 1 ? cuda_use_device(before) : status_ok();
    return status_is_ok(&status) && !device.chosen[before].lost ? back : status;
}

/* An error that stays comes back from a call that cannot fail by itself. It is the device's whose
 * context it broke; whether the others go on is CUDA's to say. */
static void find_lost(void) {
    const int before = used;
    for (int i = 0; i < device.count; i++) {
        ChosenDevice *chosen = &device.chosen[i];
        if (is_alive(chosen)) {
            const Status status = cuda_use_device(i);
            chosen->lost = !status_is_ok(&status) || cudaDeviceSynchronize() != cudaSuccess;
            (void)cudaGetLastError();
        }
    }
    (void)cuda_use_device(before);
    (void)cudaGetLastError();
}

static Status cuda_usable(int devices) {
    find_lost();
    for (int i = 0; i < devices && i < device.count; i++) {
        if (device.chosen[i].lost) {
            return status_skip("CUDA device %d cannot be used any more", device.chosen[i].number);
        }
    }
    return status_ok();
}

static Status synchronize_one(ChosenDevice *chosen, const void *argument) {
    (void)chosen;
    (void)argument;
    CUDA_TRY(cudaDeviceSynchronize());
    return status_ok();
}

/* Every stream, not only the backend's. */
static Status cuda_synchronize(void) {
    return on_every_device(synchronize_one, NULL);
}

static Status fill_guards(const Allocation *allocation) {
    const cudaStream_t stream = cuda_stream();
    CUDA_TRY(cudaMemsetAsync(allocation->base, GUARD_PATTERN, GUARD_BYTES, stream));
    const size_t slack = allocation->padded - allocation->bytes;
    CUDA_TRY(cudaMemsetAsync(allocation->base + GUARD_BYTES + allocation->bytes, GUARD_PATTERN,
                             slack + GUARD_BYTES, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return status_ok();
}

static Status cuda_alloc(size_t bytes, void **memory) {
    *memory = NULL;
    Allocation *slot = find_slot(NULL);
    if (slot == NULL) {
        return status_fail("more than %d device allocations are held", ALLOCATIONS_MAX);
    }
    const uint64_t available = cuda_available();
    if (bytes > SIZE_MAX / 2 || bytes + PLACES_BYTES + 3 * GUARD_BYTES > available) {
        return status_skip("needs %.2f GiB of device memory, %.2f GiB free",
                           (double)bytes / (1u << 30), (double)available / (1u << 30));
    }
    const size_t padded = (bytes + GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    void *owned = NULL;
    CUDA_TRY(cudaMalloc(&owned, PLACES_BYTES + padded + (size_t)2 * GUARD_BYTES));
    uint8_t *base = (uint8_t *)owned + (size_t)draw_below(&device.places, PLACES) * PLACE_BYTES;
    *slot = (Allocation){
        .device = used, .owned = owned, .base = base, .bytes = bytes, .padded = padded};
    const Status filled = fill_guards(slot);
    if (!status_is_ok(&filled)) {
        (void)cudaFree(owned);
        *slot = (Allocation){.base = NULL};
        return filled;
    }
    device.in_use += bytes;
    device.peak = device.in_use > device.peak ? device.in_use : device.peak;
    *memory = slot->base + GUARD_BYTES;
    return status_ok();
}

static void cuda_release(void *memory) {
    if (memory == NULL) {
        return;
    }
    Allocation *slot = find_slot((uint8_t *)memory - GUARD_BYTES);
    if (slot != NULL) {
        (void)cudaFree(slot->owned);
        (void)cudaGetLastError(); /* of a device that is lost */
        device.in_use -= slot->bytes;
        *slot = (Allocation){.base = NULL};
    }
}

/* Whether the slot is taken on the device in use. */
static bool is_of_used(const Allocation *allocation) {
    return allocation->base != NULL && allocation->device == used;
}

static Status poison_one(ChosenDevice *chosen, const void *pattern) {
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        const Allocation *allocation = &device.allocations[i];
        if (is_of_used(allocation)) {
            CUDA_TRY(cudaMemsetAsync(allocation->base + GUARD_BYTES, *(const uint8_t *)pattern,
                                     allocation->bytes, chosen->stream));
        }
    }
    CUDA_TRY(cudaStreamSynchronize(chosen->stream));
    return status_ok();
}

static Status cuda_poison(uint8_t pattern) {
    STATUS_TRY(cuda_synchronize());
    return on_every_device(poison_one, &pattern);
}

/* `place` names the band: "before its start", "after its end". */
static Status check_band(const uint8_t *band, size_t bytes, size_t allocation_bytes,
                         const char *place) {
    uint8_t copy[2 * GUARD_BYTES];
    CUDA_TRY(cudaMemcpyAsync(copy, band, bytes, cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    for (size_t i = 0; i < bytes; i++) {
        if (copy[i] != GUARD_PATTERN) {
            return status_fail("wrote outside a device buffer of %zu bytes, %s", allocation_bytes,
                               place);
        }
    }
    return status_ok();
}

static Status check_guards_of_one(ChosenDevice *chosen, const void *argument) {
    (void)chosen;
    (void)argument;
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        const Allocation *allocation = &device.allocations[i];
        if (is_of_used(allocation)) {
            const uint8_t *end = allocation->base + GUARD_BYTES + allocation->bytes;
            const size_t slack = allocation->padded - allocation->bytes;
            STATUS_TRY(
                check_band(allocation->base, GUARD_BYTES, allocation->bytes, "before its start"));
            STATUS_TRY(check_band(end, slack + GUARD_BYTES, allocation->bytes, "after its end"));
        }
    }
    return status_ok();
}

static Status cuda_check_guards(void) {
    STATUS_TRY(cuda_synchronize());
    return on_every_device(check_guards_of_one, NULL);
}

/* === Looking at a variant ===================================================================== */

/* Number `index` of those that are taken; NULL: there are fewer. */
static const Allocation *taken_slot(size_t index) {
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        const Allocation *allocation = &device.allocations[i];
        if (allocation->base != NULL && index-- == 0) {
            return allocation;
        }
    }
    return NULL;
}

static Status copy_beside(int index, void *to, const void *from, size_t size,
                          enum cudaMemcpyKind kind) {
    ChosenDevice *chosen = &device.chosen[index];
    STATUS_TRY(cuda_use_device(index));
    if (chosen->beside == NULL) {
        CUDA_TRY(cudaStreamCreateWithFlags(&chosen->beside, cudaStreamNonBlocking));
    }
    CUDA_TRY(cudaMemcpyAsync(to, from, size, kind, chosen->beside));
    CUDA_TRY(cudaStreamSynchronize(chosen->beside));
    return status_ok();
}

static Status cuda_peek(size_t index, size_t at, void *bytes, size_t size, bool *there,
                        bool *fits) {
    const int before = used;
    const Allocation *allocation = taken_slot(index);
    *there = allocation != NULL;
    *fits = *there && at <= allocation->bytes && size <= allocation->bytes - at;
    if (!*fits) {
        return status_ok();
    }
    STATUS_TRY(copy_beside(allocation->device, bytes, allocation->base + GUARD_BYTES + at, size,
                           cudaMemcpyDeviceToHost));
    return cuda_use_device(before);
}

static Status cuda_poke(size_t index, size_t at, const void *bytes, size_t size) {
    const int before = used;
    const Allocation *allocation = taken_slot(index);
    STATUS_TRY(copy_beside(allocation->device, allocation->base + GUARD_BYTES + at, bytes, size,
                           cudaMemcpyHostToDevice));
    return cuda_use_device(before);
}

static Status check_settings_of_one(ChosenDevice *chosen, const void *argument) {
    size_t reserved = 0;
    (void)argument;
    CUDA_TRY(cudaDeviceGetLimit(&reserved, cudaLimitPersistingL2CacheSize));
    if (reserved == chosen->reserved) {
        return status_ok();
    }
    CUDA_TRY(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, chosen->reserved));
    return status_fail("it left %.3g MiB of the device's L2 cache reserved for lines that persist, "
                       "which other variants are measured without",
                       (double)reserved / (1u << 20));
}

static Status cuda_check_settings(void) {
    return on_every_device(check_settings_of_one, NULL);
}

/* === Clock ==================================================================================== */

static Status cuda_clock_start(void) {
    CUDA_TRY(cudaEventRecord(device.chosen[0].start, device.chosen[0].stream));
    return status_ok();
}

static Status elapsed_on(const ChosenDevice *chosen, double *seconds) {
    float milliseconds = 0.0F;
    CUDA_TRY(cudaEventSynchronize(chosen->stop));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, chosen->start, chosen->stop));
    *seconds = (double)milliseconds * 1e-3;
    return status_ok();
}

static Status cuda_clock_stop(double *seconds) {
    const ChosenDevice *chosen = &device.chosen[0];
    const cudaError_t recorded = cudaEventRecord(chosen->stop, chosen->stream);
    stream_release();
    CUDA_TRY(recorded);
    return elapsed_on(chosen, seconds);
}

static Status cuda_hold(void) {
    return stream_hold(device.chosen[0].stream);
}

/* === Clock of several devices ================================================================= */

static Status start_one(ChosenDevice *chosen, const void *argument) {
    (void)argument;
    CUDA_TRY(cudaEventRecord(chosen->start, chosen->stream));
    return status_ok();
}

static Status multi_clock_start(void) {
    return on_every_device(start_one, NULL);
}

static Status stop_one(ChosenDevice *chosen, const void *argument) {
    (void)argument;
    CUDA_TRY(cudaEventRecord(chosen->stop, chosen->stream));
    return status_ok();
}

/* With its device in use: an error belongs to it. */
static Status add_elapsed(ChosenDevice *chosen, const void *argument) {
    double *slowest = *(double *const *)argument;
    double seconds = 0;
    STATUS_TRY(elapsed_on(chosen, &seconds));
    *slowest = seconds > *slowest ? seconds : *slowest;
    return status_ok();
}

/* The time of the slowest device, each by its own events. */
static Status multi_clock_stop(double *seconds) {
    const Status recorded = on_every_device(stop_one, NULL);
    stream_release();
    STATUS_TRY(recorded);
    *seconds = 0;
    return on_every_device(add_elapsed, &seconds);
}

static Status hold_one(ChosenDevice *chosen, const void *argument) {
    (void)argument;
    return chosen == &device.chosen[0] ? stream_hold(chosen->stream)
                                       : stream_hold_too(chosen->stream);
}

static Status multi_hold(void) {
    return on_every_device(hold_one, NULL);
}

/* Ordinary accesses neither evict lines that persist nor reach the part of the cache that is
 * reserved for them. A variant that ran before, or the environment, may have left both. */
static Status give_back_cache(void) {
    int persisting_bytes = 0;
    size_t reserved = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxPersistingL2CacheSize, &persisting_bytes));
    if (persisting_bytes == 0) {
        return status_ok();
    }
    CUDA_TRY(cudaDeviceGetLimit(&reserved, cudaLimitPersistingL2CacheSize));
    if (reserved > 0) {
        CUDA_TRY(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    }
    device.chosen[used].reserved = 0;
    CUDA_TRY(cudaCtxResetPersistingL2Cache());
    return status_ok();
}

static Status flush_one(ChosenDevice *chosen, const void *argument) {
    (void)argument;
    if (chosen->flush == NULL) {
        int l2_bytes = 0;
        STATUS_TRY(cuda_attribute(cudaDevAttrL2CacheSize, &l2_bytes));
        chosen->flush_bytes = (size_t)l2_bytes * FLUSH_L2_MULTIPLE;
        CUDA_TRY(cudaMalloc(&chosen->flush, chosen->flush_bytes));
    }
    STATUS_TRY(give_back_cache());
    CUDA_TRY(cudaMemsetAsync(chosen->flush, 0, chosen->flush_bytes, chosen->stream));
    return status_ok();
}

static Status cuda_flush_caches(void) {
    STATUS_TRY(cuda_synchronize());
    STATUS_TRY(on_every_device(flush_one, NULL));
    return cuda_synchronize();
}

static Status cuda_copy(void *to, size_t to_stride, const void *from, size_t from_stride,
                        size_t width, size_t rows, bool to_device) {
    CUDA_TRY(cudaMemcpy2DAsync(to, to_stride, from, from_stride, width, rows,
                               to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                               cuda_stream()));
    if (!to_device) {
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    }
    return status_ok();
}

/* Both backends are asked; the second finds the memory registered. */
static Status cuda_pin(void *memory, size_t bytes) {
    const cudaError_t error = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
    if (error == cudaErrorHostMemoryAlreadyRegistered) {
        (void)cudaGetLastError();
        return status_ok();
    }
    CUDA_TRY(error);
    return status_ok();
}

static void cuda_unpin(void *memory) {
    (void)cudaHostUnregister(memory);
    (void)cudaGetLastError();
}

/* They differ in what they time. */
#define CUDA_RUNNER(starts, stops, holds)                                                          \
    {                                                                                              \
        .poison = cuda_poison, .check_guards = cuda_check_guards, .clock_start = (starts),         \
        .clock_stop = (stops), .hold = (holds), .was_held = stream_was_held,                       \
        .synchronize = cuda_synchronize, .flush_caches = cuda_flush_caches, .peak = cuda_peak,     \
        .reset_peak = cuda_reset_peak, .range = cuda_range, .usable = cuda_usable,                 \
        .copy = cuda_copy, .peek = cuda_peek, .poke = cuda_poke,                                   \
        .check_settings = cuda_check_settings, .pin = cuda_pin, .unpin = cuda_unpin,               \
    }

#define CUDA_BACKEND(runs)                                                                         \
    {                                                                                              \
        .struct_bytes = sizeof(Backend), .name = "cuda", .probe = cuda_probe, .alloc = cuda_alloc, \
        .release = cuda_release, .available = cuda_available, .in_use = cuda_in_use,               \
        .queue = cuda_queue, .runner = (runs),                                                     \
    }

static const BackendRunner one = CUDA_RUNNER(cuda_clock_start, cuda_clock_stop, cuda_hold);
static const BackendRunner several = CUDA_RUNNER(multi_clock_start, multi_clock_stop, multi_hold);

const Backend cuda_backend = CUDA_BACKEND(&one);
const Backend cuda_multi_backend = CUDA_BACKEND(&several);
