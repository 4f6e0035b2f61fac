/* What the emulation's two halves know of each other: kernels (fibers.cpp) and runtime
 * (runtime.cpp). */
#ifndef TESTS_EMULATION_RUNTIME_H
#define TESTS_EMULATION_RUNTIME_H

#include <cuda_runtime_api.h>

#include <cstdint>

namespace emulated {

struct LaunchShape {
    dim3 grid, block;
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

/* Draws the order of threads, blocks and streams: SplitMix64, of which a step is a few instructions
 * (<random> takes every kernel's file a second to read). */
class Draws {
    uint64_t state;

  public:
    explicit Draws(uint64_t seed) : state(seed) {
    }
    /* One of the numbers from 0 to count - 1; count is below 2^32. */
    size_t below(size_t count) {
        state += 0x9E3779B97F4A7C15;
        uint64_t mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        return (size_t)((mixed >> 32) * count >> 32);
    }
};

/* Seeded by EMULATION_SEED. */
Draws &draws();

/* What each thread of a kernel does (<functional> takes every kernel's file half a second to read).
 */
class Body {
  public:
    virtual ~Body() = default;
    virtual void run() = 0;
};

/* Queues a kernel, and deletes the body when it is not needed any more. */
void queue_kernel(const LaunchShape &shape, Body *body);

bool grid_is_possible(const LaunchShape &shape);
void run_grid(const LaunchShape &shape, Body &body);

} // namespace emulated

#endif
