/* What the emulation's two halves know of each other: kernels (fibers.cpp) and runtime
 * (runtime.cpp). */
#ifndef TESTS_EMULATION_RUNTIME_H
#define TESTS_EMULATION_RUNTIME_H

#include <cuda_runtime_api.h>

#include <functional>
#include <random>

namespace emulated {

struct LaunchShape {
    dim3 grid, block;
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

/* Of the order of threads, blocks and streams; seeded by EMULATION_SEED. */
std::mt19937 &draws();

/* Queues a kernel whose threads each call `body`. */
void queue_kernel(const LaunchShape &shape, std::function<void()> body);

bool grid_is_possible(const LaunchShape &shape);
void run_grid(const LaunchShape &shape, const std::function<void()> &body);

} // namespace emulated

#endif
