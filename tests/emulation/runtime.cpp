/*
 * The CUDA runtime on the CPU: device memory is the host's, filled with poison; streams are queues.
 *
 * Work that is queued on several streams is done in an order that is drawn anew each time, as far
 * as streams and events allow: what relies on an order that nothing promises is found. Copies from
 * and to page-locked memory are done when their turn comes, others as CUDA does them: the source is
 * read, or the target written, before the call returns. A graph is what one stream queued while it
 * was captured.
 */
#include "runtime.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "device.h"
#include "relay.h"
#include "status.h"

namespace emulated {
namespace {

struct Event {
    uint64_t recorded, done; /* how many times */
    double seconds;
};

/* Runs when its event has been recorded as often as when the wait was queued; NULL: at once. */
struct Work {
    std::function<void()> run;
    const Event *awaits = nullptr;
    uint64_t times = 0;
    uint64_t number = 0; /* of all works, as they are queued */
    std::function<bool()> may_run = nullptr;
};

/* What was queued while a stream was captured, in that order. */
struct Graph {
    std::vector<std::function<void()>> works;
};

struct Stream {
    std::deque<Work> queue;
    Graph *captured = nullptr; /* what is queued goes there instead */
};

struct Array {
    size_t height, pitch;
    unsigned char *bytes;
};

constexpr unsigned char FRESH = 0xA7; /* in memory that nobody has written */

std::recursive_mutex lock;
std::vector<Stream *> streams;
Event held;    /* of the latest hold: done with its release */
bool was_held; /* until then nothing had to wait for it */
std::map<const char *, size_t> device_memory, pinned_memory;
size_t in_use;
std::map<cudaTextureObject_t, Texture> textures; /* and surfaces, which have no description */
size_t reserved;                                 /* of the L2 cache, which is not emulated */
cudaError_t last_error = cudaSuccess;
thread_local int device_in_use;

typedef std::lock_guard<std::recursive_mutex> Locked;

int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text != nullptr ? atoi(text) : otherwise;
}

cudaError_t failed(cudaError_t error) {
    last_error = error;
    return error;
}

double now() {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* === Streams ================================================================================== */

/* For something that threads do. */
bool has_to_wait(const Stream *stream) {
    return !stream->queue.empty() && stream->queue.front().may_run != nullptr &&
           !stream->queue.front().may_run();
}

bool can_run(const Stream *stream) {
    return !stream->queue.empty() && !has_to_wait(stream) &&
           (stream->queue.front().awaits == nullptr ||
            stream->queue.front().awaits->done >= stream->queue.front().times);
}

/* Whether kernels of several devices wait for each other. */
bool peers_wait() {
    return setting("EMULATION_PEERS", 1) == 2;
}

/* A stream that for a while only goes on where no other can: what the others should wait for. */
const Stream *late;

bool queued_before(const Stream *a, const Stream *b) {
    return a->queue.front().number < b->queue.front().number;
}

/* Does one piece of work of any stream. False: no stream can go on. */
bool step() {
    constexpr unsigned int STEPS_LATE = 64;
    if (held.done != held.recorded) {
        late = nullptr; /* what does not wait for it goes on meanwhile */
    } else if (!streams.empty() && draws().below(STEPS_LATE) == 0) {
        late = streams[draws().below(streams.size())];
    }
    std::vector<Stream *> ready;
    for (Stream *stream : streams) {
        if (can_run(stream)) {
            ready.push_back(stream);
        }
    }
    if (ready.empty()) {
        return false;
    }
    if (ready.size() > 1 && !peers_wait()) {
        std::erase(ready, late);
    }
    Stream *drawn = peers_wait() ? *std::min_element(ready.begin(), ready.end(), queued_before)
                                 : ready[draws().below(ready.size())];
    const Work work = drawn->queue.front();
    drawn->queue.pop_front();
    work.run();
    return true;
}

/* What waits for a stream that is held ends the hold, as a device does after a while. */
template <typename Done> void run_until(const Done &done) {
    while (!done()) {
        if (step() || std::any_of(streams.begin(), streams.end(), has_to_wait)) {
            continue;
        }
        if (held.done == held.recorded) {
            stop("streams wait for events that nothing records");
        }
        held.done = held.recorded;
        was_held = false;
    }
}

/* Whether what leaves the device is there; streams go on meanwhile, if nobody else is there. */
bool may_leave(const RelayJob *job, uint32_t number) {
    if (job->ready == nullptr ||
        (int32_t)(__atomic_load_n(job->ready, __ATOMIC_ACQUIRE) - number) > 0) {
        return true;
    }
    const std::unique_lock<std::recursive_mutex> tried(lock, std::try_to_lock);
    if (tried.owns_lock()) {
        (void)step();
    }
    return false;
}

/* What a block of relay_device.cu does with a slot; false: the host did not come. */
bool relay_slot(const RelayJob *job, uint32_t index) {
    const bool up = job->way == RELAY_UP;
    const uint32_t number = job->first + index;
    const uint32_t slot = number % RELAY_SLOTS;
    const uint32_t *awaited = up ? &job->flags->filled[slot] : &job->flags->taken[slot];
    uint32_t *told = up ? &job->flags->taken[slot] : &job->flags->filled[slot];
    const time_t limit = time(NULL) + (getenv("EMULATION_LATE") != NULL ? -1 : 10);
    while (!may_leave(job, number) ||
           __atomic_load_n(awaited, __ATOMIC_ACQUIRE) != (up ? number : number - RELAY_SLOTS) ||
           time(NULL) > limit) {
        if (time(NULL) > limit) {
            __atomic_store_n(&job->flags->late, 1, __ATOMIC_RELAXED);
            return false;
        }
    }
    const uint32_t first = index * job->slot_rows;
    const uint32_t end = std::min(first + job->slot_rows, job->rows);
    for (uint32_t row = first; row < end; row++) {
        uint8_t *staged =
            job->slots + (size_t)slot * RELAY_SLOT_BYTES + (size_t)(row - first) * job->pitch;
        uint8_t *device = job->device + row * job->device_stride;
        const uint32_t bytes = row == job->rows - 1 ? job->last_width : job->width;
        memcpy(up ? device : staged, up ? staged : device, bytes);
    }
    __atomic_store_n(told, number, __ATOMIC_RELEASE);
    return true;
}

void finish(const Stream *stream) {
    run_until([&] { return stream->queue.empty(); });
}

void finish_all() {
    for (const Stream *stream : streams) {
        finish(stream);
    }
}

bool is_captured(const Stream *stream) {
    return stream != nullptr && stream->captured != nullptr;
}

/* What CUDA refuses while a stream is captured. */
void refuse_while_captured(const char *what) {
    if (std::any_of(streams.begin(), streams.end(), is_captured)) {
        fprintf(stderr, "emulation: %s\n", what);
        stop("not allowed while a stream is captured");
    }
}

/* The default stream waits for all others. */
void queue_work(cudaStream_t handle, Work work) {
    Stream *stream = (Stream *)handle;
    if (is_captured(stream)) {
        if (work.awaits != nullptr) {
            stop("graphs that wait for events are not emulated");
        }
        stream->captured->works.push_back(std::move(work.run));
        return;
    }
    if (handle == nullptr) {
        refuse_while_captured("work on the default stream");
        finish_all();
        work.run();
        return;
    }
    static uint64_t queued;
    work.number = ++queued;
    stream->queue.push_back(std::move(work));
}

/* === Memory =================================================================================== */

/* Whether all of it lies in one of these blocks; what begins in one and ends outside is an error.
 */
bool lies_in(const std::map<const char *, size_t> &blocks, const void *begin, size_t bytes) {
    const char *from = (const char *)begin;
    auto next = blocks.upper_bound(from);
    if (next == blocks.begin()) {
        return false;
    }
    const auto block = std::prev(next);
    const char *end = block->first + block->second;
    if (from >= end) {
        return false;
    }
    if (from + bytes > end) {
        stop("a copy or fill goes beyond an allocation");
    }
    return true;
}

bool on_device(const void *memory, size_t bytes) {
    return lies_in(device_memory, memory, bytes);
}

bool is_pinned(const void *memory, size_t bytes) {
    return lies_in(pinned_memory, memory, bytes);
}

struct Rows {
    char *target;
    size_t target_pitch;
    const char *source;
    size_t source_pitch, width, height;
};

void copy_rows(const Rows &rows) {
    for (size_t y = 0; y < rows.height; y++) {
        memmove(rows.target + y * rows.target_pitch, rows.source + y * rows.source_pitch,
                rows.width);
    }
}

size_t span(size_t pitch, size_t width, size_t height) {
    return (height - 1) * pitch + width;
}

void check_direction(cudaMemcpyKind kind, bool from_device, bool to_device) {
    const bool wrong = (kind == cudaMemcpyHostToDevice && (from_device || !to_device)) ||
                       (kind == cudaMemcpyDeviceToHost && (!from_device || to_device)) ||
                       (kind == cudaMemcpyDeviceToDevice && !(from_device && to_device));
    if (wrong) {
        stop("a copy names another direction than that of its pointers");
    }
}

cudaError_t queue_copy(Rows rows, cudaMemcpyKind kind, cudaStream_t stream) {
    if (rows.width == 0 || rows.height == 0) {
        return cudaSuccess;
    }
    const size_t source_bytes = span(rows.source_pitch, rows.width, rows.height);
    const size_t target_bytes = span(rows.target_pitch, rows.width, rows.height);
    const bool from_device = on_device(rows.source, source_bytes);
    const bool to_device = on_device(rows.target, target_bytes);
    check_direction(kind, from_device, to_device);
    const bool source_is_pageable = !from_device && !is_pinned(rows.source, source_bytes);
    const bool target_is_pageable = !to_device && !is_pinned(rows.target, target_bytes);
    if (is_captured((const Stream *)stream) && (source_is_pageable || target_is_pageable)) {
        stop("a captured copy reads or writes memory that is not page-locked");
    }
    std::shared_ptr<std::vector<char>> staged;
    if (source_is_pageable) {
        staged = std::make_shared<std::vector<char>>(rows.source, rows.source + source_bytes);
        rows.source = staged->data();
    }
    queue_work(stream, {[rows, staged] { copy_rows(rows); }});
    if (target_is_pageable && stream != nullptr) {
        finish((const Stream *)stream);
    }
    return cudaSuccess;
}

cudaError_t queue_fill(char *target, size_t pitch, int value, size_t width, size_t height,
                       cudaStream_t stream) {
    if (width == 0 || height == 0) {
        return cudaSuccess;
    }
    if (!on_device(target, span(pitch, width, height))) {
        stop("what is filled is not in device memory");
    }
    queue_work(stream, {[=] {
                   for (size_t y = 0; y < height; y++) {
                       memset(target + y * pitch, value, width);
                   }
               }});
    return cudaSuccess;
}

cudaError_t allocate(void **memory, size_t bytes, std::map<const char *, size_t> &blocks) {
    const Locked locked(lock);
    refuse_while_captured("an allocation");
    *memory = aligned_alloc(4096, (bytes + 4096) / 4096 * 4096);
    if (*memory == nullptr) {
        return failed(cudaErrorMemoryAllocation);
    }
    memset(*memory, FRESH, bytes);
    blocks[(const char *)*memory] = bytes;
    return cudaSuccess;
}

/* As CUDA does, waits for all that is queued. */
cudaError_t release(void *memory, std::map<const char *, size_t> &blocks) {
    const Locked locked(lock);
    if (memory == nullptr) {
        return cudaSuccess;
    }
    refuse_while_captured("freeing memory");
    finish_all();
    if (blocks.erase((const char *)memory) == 0) {
        stop("memory is freed that was not allocated, or twice");
    }
    free(memory);
    return cudaSuccess;
}

} // namespace

Draws &draws() {
    static Draws generator((uint64_t)setting("EMULATION_SEED", 1));
    return generator;
}

void queue_kernel(const LaunchShape &shape, Body *body) {
    const Locked locked(lock);
    const std::shared_ptr<Body> shared(body); /* with the graphs that have it */
    if (!grid_is_possible(shape)) {
        (void)failed(cudaErrorInvalidConfiguration);
        return;
    }
    queue_work(shape.stream, {[shape, shared] { run_grid(shape, *shared); }});
}

const Texture &texture(cudaTextureObject_t object) {
    const auto found = textures.find(object);
    if (found == textures.end()) {
        stop("there is no such texture");
    }
    return found->second;
}

TexelMemory texel_memory(const Texture &texture, size_t texel_bytes) {
    const cudaResourceDesc &resource = texture.resource;
    switch (resource.resType) {
    case cudaResourceTypePitch2D:
        return {(const char *)resource.res.pitch2D.devPtr, (long)resource.res.pitch2D.width,
                (long)resource.res.pitch2D.height, resource.res.pitch2D.pitchInBytes};
    case cudaResourceTypeLinear:
        return {(const char *)resource.res.linear.devPtr,
                (long)(resource.res.linear.sizeInBytes / texel_bytes), 1, 0};
    case cudaResourceTypeArray: {
        const Array *array = (const Array *)resource.res.array.array;
        return {(const char *)array->bytes, (long)(array->pitch / texel_bytes), (long)array->height,
                array->pitch};
    }
    default: stop("a texture of this kind is not emulated");
    }
}

} // namespace emulated

using namespace emulated;

extern "C" {

/* === Devices ================================================================================== */

cudaError_t cudaGetDeviceCount(int *count) {
    *count = setting("EMULATION_DEVICES", 1);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaSetDevice(int device) {
    device_in_use = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = device_in_use;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorInvalidConfiguration ? "invalid configuration of a launch"
           : error == cudaErrorMemoryAllocation   ? "out of memory"
                                                  : "an error of the emulation";
}

cudaError_t cudaDeviceSynchronize(void) {
    const Locked locked(lock);
    refuse_while_captured("waiting for the device");
    finish_all();
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    (void)device;
    *properties = {};
    snprintf(properties->name, sizeof properties->name, "emulated device");
    properties->major = setting("EMULATION_MAJOR", 9);
    properties->multiProcessorCount = 4;
    properties->totalGlobalMem = (size_t)8 << 30;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)device;
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = 4; break;
    case cudaDevAttrComputeCapabilityMajor: *value = setting("EMULATION_MAJOR", 9); break;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 * 1024; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = 1024; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = 228 * 1024; break;
    case cudaDevAttrL2CacheSize: *value = (int)setting("EMULATION_L2_KIB", 1024) << 10; break;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = 0; break;
    case cudaDevAttrMaxGridDimY: *value = 65535; break;
    case cudaDevAttrTextureAlignment: *value = 512; break;
    case cudaDevAttrTexturePitchAlignment: *value = 32; break;
    case cudaDevAttrMaxTexture2DLinearWidth: *value = 131072; break;
    case cudaDevAttrMaxTexture2DLinearHeight: *value = 65000; break;
    case cudaDevAttrMaxTexture2DLinearPitch: *value = 2097120; break;
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight: *value = 32768; break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate: *value = 1000000; break;
    default:
        fprintf(stderr, "emulation: attribute %d\n", (int)attribute);
        stop("an attribute of devices that is not emulated");
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
    snprintf(text, (size_t)size, "0000:%02x:00.0", (unsigned int)device);
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    *can = device != peer && setting("EMULATION_PEERS", 1) != 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    (void)flags;
    static std::map<std::pair<int, int>, bool> enabled;
    bool &is = enabled[{device_in_use, peer}];
    const bool was = is;
    is = true;
    return was ? failed(cudaErrorPeerAccessAlreadyEnabled) : cudaSuccess;
}

/* 2: their kernels wait for each other, so that work is done in the order in which it is queued. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
    (void)attribute;
    *value = device != peer && peers_wait() ? 1 : 0;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    *value = limit == cudaLimitPersistingL2CacheSize ? reserved : 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    if (limit != cudaLimitPersistingL2CacheSize) {
        return failed(cudaErrorUnsupportedLimit);
    }
    const size_t granule = (size_t)3 << 20; /* devices round up, too */
    reserved = (value + granule - 1) / granule * granule;
    return cudaSuccess;
}

/* === Memory =================================================================================== */

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *total = (size_t)setting("EMULATION_MEMORY_MIB", 8192) << 20;
    *available = in_use < *total ? *total - in_use : 0;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    const cudaError_t error = allocate(memory, bytes, device_memory);
    in_use += error == cudaSuccess ? bytes : 0;
    return error;
}

cudaError_t cudaFree(void *memory) {
    const Locked locked(lock);
    const auto found = device_memory.find((const char *)memory);
    in_use -= found != device_memory.end() ? found->second : 0;
    return release(memory, device_memory);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    return allocate(memory, bytes, pinned_memory);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags) {
    (void)flags;
    return cudaMallocHost(memory, bytes);
}

cudaError_t cudaFreeHost(void *memory) {
    return release(memory, pinned_memory);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
    const Locked locked(lock);
    (void)flags;
    if (!is_pinned(host, 1)) {
        return failed(cudaErrorInvalidValue);
    }
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags) {
    (void)flags;
    const Locked locked(lock);
    if (pinned_memory.count((const char *)memory) != 0) {
        return failed(cudaErrorHostMemoryAlreadyRegistered);
    }
    pinned_memory[(const char *)memory] = bytes;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory) {
    const Locked locked(lock);
    finish_all();
    return pinned_memory.erase((const char *)memory) == 1
               ? cudaSuccess
               : failed(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory) {
    const Locked locked(lock);
    *attributes = {};
    attributes->type = on_device(memory, 1)   ? cudaMemoryTypeDevice
                       : is_pinned(memory, 1) ? cudaMemoryTypeHost
                                              : cudaMemoryTypeUnregistered;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream) {
    const Locked locked(lock);
    return queue_copy({(char *)target, bytes, (const char *)source, bytes, bytes, 1}, kind, stream);
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind) {
    return cudaMemcpyAsync(target, source, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source,
                                int source_device, size_t bytes, cudaStream_t stream) {
    (void)target_device;
    (void)source_device;
    return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source,
                              size_t source_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
    const Locked locked(lock);
    return queue_copy(
        {(char *)target, target_pitch, (const char *)source, source_pitch, width, height}, kind,
        stream);
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t bytes, cudaStream_t stream) {
    const Locked locked(lock);
    return queue_fill((char *)target, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset(void *target, int value, size_t bytes) {
    return cudaMemsetAsync(target, value, bytes, nullptr);
}

cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    const Locked locked(lock);
    return queue_fill((char *)target, pitch, value, width, height, stream);
}

/* === Textures ================================================================================= */

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned int flags) {
    (void)flags;
    const size_t pitch = width * (size_t)(format->x + format->y + format->z + format->w) / 8;
    Array *made = new Array{height != 0 ? height : 1, pitch, nullptr};
    made->bytes = (unsigned char *)malloc(made->pitch * made->height);
    memset(made->bytes, FRESH, made->pitch * made->height);
    *array = (cudaArray_t)made;
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    const Locked locked(lock);
    finish_all();
    if (array != nullptr) {
        free(((Array *)array)->bytes);
        delete (Array *)array;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *source,
                                     size_t source_pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
    const Locked locked(lock);
    (void)kind;
    const Array *to = (const Array *)array;
    if (x + width > to->pitch || y + height > to->height) {
        stop("a copy goes beyond an array");
    }
    const Rows rows = {(char *)to->bytes + y * to->pitch + x,
                       to->pitch,
                       (const char *)source,
                       source_pitch,
                       width,
                       height};
    const bool is_pageable = !on_device(source, 1) && !is_pinned(source, 1);
    if (is_captured((const Stream *)stream) && is_pageable) {
        stop("a captured copy reads memory that is not page-locked");
    }
    queue_work(stream, {[rows] { copy_rows(rows); }});
    if (stream != nullptr && is_pageable) {
        finish((const Stream *)stream);
    }
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource) {
    return cudaCreateTextureObject(object, resource, NULL, NULL);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return cudaDestroyTextureObject(object);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view) {
    (void)view;
    static cudaTextureObject_t latest;
    if (resource->resType == cudaResourceTypePitch2D &&
        (resource->res.pitch2D.pitchInBytes % 32 != 0 ||
         (size_t)resource->res.pitch2D.devPtr % 512 != 0)) {
        return failed(cudaErrorInvalidValue);
    }
    *object = ++latest;
    textures[latest] = {*resource, description != NULL ? *description : cudaTextureDesc{}};
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    const Locked locked(lock);
    finish_all();
    textures.erase(object);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width,
                                                 const struct cudaChannelFormatDesc *format,
                                                 int device) {
    (void)format;
    (void)device;
    *width = (size_t)1 << 28;
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

/* === Streams and events ======================================================================= */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
    const Locked locked(lock);
    (void)flags;
    streams.push_back(new Stream);
    *stream = (cudaStream_t)streams.back();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    const Locked locked(lock);
    Stream *stream = (Stream *)handle;
    finish(stream);
    std::erase(streams, stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const Locked locked(lock);
    refuse_while_captured("waiting for a stream");
    finish((const Stream *)stream);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const Locked locked(lock);
    return ((const Stream *)stream)->queue.empty() ? cudaSuccess : failed(cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned int flags) {
    const Locked locked(lock);
    (void)flags;
    const Event *event = (const Event *)handle;
    queue_work(stream, {[] {}, event, event->recorded});
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    (void)flags;
    *event = (cudaEvent_t) new Event{};
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Locked locked(lock);
    finish_all();
    delete (Event *)event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    const Locked locked(lock);
    Event *event = (Event *)handle;
    event->recorded++;
    queue_work(stream, {[event] {
                   event->done++;
                   event->seconds = now();
               }});
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    const Locked locked(lock);
    const Event *event = (const Event *)handle;
    run_until([event] { return event->done >= event->recorded; });
    return cudaSuccess;
}

/* Asking makes some progress, so that who asks again and again gets an answer. */
cudaError_t cudaEventQuery(cudaEvent_t handle) {
    const Locked locked(lock);
    const Event *event = (const Event *)handle;
    if (event->done < event->recorded) {
        (void)step();
    }
    return event->done >= event->recorded ? cudaSuccess : failed(cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    *milliseconds = (float)((((Event *)end)->seconds - ((Event *)start)->seconds) * 1e3);
    return cudaSuccess;
}

/* === Graphs =================================================================================== */

/* Only what one stream queues, one after the other. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    const Locked locked(lock);
    (void)mode;
    ((Stream *)stream)->captured = new Graph;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    const Locked locked(lock);
    *status = is_captured((const Stream *)stream) ? cudaStreamCaptureStatusActive
                                                  : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
    const Locked locked(lock);
    Stream *stream = (Stream *)handle;
    *graph = (cudaGraph_t)stream->captured;
    stream->captured = nullptr;
    return cudaSuccess;
}

/* Their number alone. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    (void)nodes;
    *count = ((const Graph *)graph)->works.size();
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *launched, cudaGraph_t graph,
                                          unsigned long long flags) {
    (void)flags;
    *launched = (cudaGraphExec_t) new Graph(*(const Graph *)graph);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    const Locked locked(lock);
    for (const std::function<void()> &work : ((const Graph *)graph)->works) {
        queue_work(stream, {work});
    }
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete (Graph *)graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    return cudaGraphDestroy((cudaGraph_t)graph);
}

/* === Kernels ================================================================================== */

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    (void)kernel;
    (void)attribute;
    (void)value;
    return cudaSuccess;
}

/* Kernels that a device has only where it has wgmma are recognised by their shared memory. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
    (void)kernel;
    *attributes = {};
    attributes->sharedSizeBytes = getenv("EMULATION_WGMMA") != nullptr ? 1 : 0;
    attributes->numRegs = 32;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t shared_bytes) {
    (void)kernel;
    (void)block_size;
    (void)shared_bytes;
    *blocks = 2;
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    const Locked locked(lock);
    queue_work(stream, {[=] { function(data); }});
    return cudaSuccess;
}

/* Times are not what this is for: kernels/common/stream_hold.cu and kernels/roof are left out, and
 * relay_device.cu, whose kernels run while the host goes on. */
Status stream_hold_too(cudaStream_t stream) {
    const Locked locked(lock);
    queue_work(stream, {[] {}, &held, held.recorded});
    return status_ok();
}

Status stream_hold(cudaStream_t stream) {
    held.recorded++;
    was_held = true;
    return stream_hold_too(stream);
}

void stream_release(void) {
    const Locked locked(lock);
    held.done = held.recorded;
}

bool stream_was_held(void) {
    return was_held;
}

unsigned relay_blocks(uint32_t slots, bool beside) {
    (void)beside;
    return slots < 1 ? slots : 1;
}

Status relay_load(void) {
    return status_ok();
}

Status relay_gate_launch(const RelayGate *gate, cudaStream_t stream) {
    const Locked locked(lock);
    const auto pass = [gate = *gate] {
        if (gate.ready != nullptr) {
            __atomic_store_n(gate.ready, gate.number, __ATOMIC_RELEASE);
        }
    };
    const auto may_pass = [gate = *gate] {
        if (setting("EMULATION_LATE_GATE", 0) != 0) {
            __atomic_store_n(&gate.flags->late, 1, __ATOMIC_RELAXED);
        }
        for (uint32_t number = gate.first; number != gate.first + gate.count; number++) {
            const uint32_t *taken = &gate.flags->taken[number % RELAY_SLOTS];
            if ((int32_t)(__atomic_load_n(taken, __ATOMIC_ACQUIRE) - number) < 0) {
                return __atomic_load_n(&gate.flags->late, __ATOMIC_RELAXED) != 0;
            }
        }
        return true;
    };
    queue_work(stream, {.run = pass});
    queue_work(stream, {.run = [] {}, .may_run = may_pass});
    return status_ok();
}

/* A thread is the kernel. What was queued before it is done first. */
Status relay_launch(const RelayJob *job, cudaStream_t stream) {
    const Locked locked(lock);
    finish((const Stream *)stream);
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    std::thread kernel([job = *job, ended] {
        for (uint32_t index = 0; index < job.slot_count && relay_slot(&job, index); index++) {
        }
        *ended = true;
    });
    kernel.detach();
    queue_work(stream, {.run = [] {}, .may_run = [ended] { return ended->load(); }});
    return status_ok();
}

struct Ceilings;
Status cuda_ceilings_measure(struct Ceilings *ceilings) {
    (void)ceilings;
    return status_skip("the device is emulated: it has no ceilings");
}

} /* extern "C" */
