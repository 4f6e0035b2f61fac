#include "work.h"

#include "cuda_device.h"

namespace {

constexpr unsigned int LINE_WORDS = 32; /* 128 bytes */
constexpr unsigned int LINES = CHAIN_BYTES / 4 / LINE_WORDS;
constexpr unsigned int STEP = 7919; /* odd: every line is reached, LINES being a power of two */

__global__ void nothing() {
}

__global__ void take_time(unsigned long long nanoseconds) {
    unsigned long long started = 0;
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(started));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - started < nanoseconds);
}

__global__ void link_lines(unsigned int *chain) {
    const unsigned int line = blockIdx.x * blockDim.x + threadIdx.x;
    chain[line * LINE_WORDS] = (line + STEP) % LINES * LINE_WORDS;
}

__global__ void follow(unsigned int *chain) {
    unsigned int at = 0;
    for (unsigned int i = 0; i < LINES; i++) {
        at = __ldcg(&chain[at]);
    }
    chain[1] = at; /* so that the loads are needed */
}

} // namespace

extern "C" Status work_nothing(void) {
    nothing<<<1, 1, 0, cuda_stream()>>>();
    return CUDA_LAUNCHED();
}

extern "C" Status work_nanoseconds(uint64_t nanoseconds) {
    take_time<<<1, 1, 0, cuda_stream()>>>(nanoseconds);
    return CUDA_LAUNCHED();
}

extern "C" Status work_link(void *chain) {
    link_lines<<<LINES / 256, 256, 0, cuda_stream()>>>((unsigned int *)chain);
    return CUDA_LAUNCHED();
}

extern "C" Status work_chase(void *chain) {
    follow<<<1, 1, 0, cuda_stream()>>>((unsigned int *)chain);
    return CUDA_LAUNCHED();
}
