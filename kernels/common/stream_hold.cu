#include "stream_hold.h"

#include "cuda_device.h"

namespace {

/* In host memory that the device reads and writes. Tickets count holds from 1, so that nothing is
 * ever reset while a kernel may look at it. */
struct Tickets {
    unsigned int released; /* by the host: all holds up to this one */
    unsigned int expired;  /* by the device: the latest hold that ended by itself */
};

struct {
    Tickets *host, *device; /* the same memory; NULL: not made yet */
    unsigned int latest;    /* ticket of the latest hold */
} holds;

__device__ unsigned long long nanoseconds() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void wait_for_release(volatile Tickets *tickets, unsigned int ticket) {
    constexpr unsigned long long limit = (unsigned long long)(STREAM_HOLD_SECONDS * 1e9);
    const unsigned long long started = nanoseconds();
    while ((int)(tickets->released - ticket) < 0) {
        if (nanoseconds() - started > limit) {
            tickets->expired = ticket;
            return;
        }
    }
}

Status make_tickets() {
    Tickets *host = NULL;
    CUDA_TRY(
        cudaHostAlloc((void **)&host, sizeof *host, cudaHostAllocMapped | cudaHostAllocPortable));
    *host = {};
    const cudaError_t error = cudaHostGetDevicePointer((void **)&holds.device, host, 0);
    if (error != cudaSuccess) {
        (void)cudaFreeHost(host);
        CUDA_TRY(error);
    }
    holds.host = host;
    return status_ok();
}

} // namespace

extern "C" Status stream_hold(cudaStream_t stream) {
    if (holds.host == NULL) {
        STATUS_TRY(make_tickets());
    }
    holds.latest++;
    return stream_hold_too(stream);
}

extern "C" Status stream_hold_too(cudaStream_t stream) {
    wait_for_release<<<1, 1, 0, stream>>>(holds.device, holds.latest);
    return CUDA_LAUNCHED();
}

extern "C" void stream_release(void) {
    if (holds.host != NULL) {
        __atomic_store_n(&holds.host->released, holds.latest, __ATOMIC_RELEASE);
    }
}

extern "C" bool stream_was_held(void) {
    return holds.host != NULL &&
           __atomic_load_n(&holds.host->expired, __ATOMIC_ACQUIRE) != holds.latest;
}
