/* Some of CUDA's runtime, on host memory, for tests of the code that knows several devices. Each
 * device has a clock, which what is queued on it advances, all its streams together; kernels do
 * nothing else, and large blocks of memory are neither filled nor copied. A device may be broken as
 * an illegal address breaks it: what is asked of it fails from then on, and the other devices go
 * on. */
#ifndef TESTS_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_H

enum { FAKE_CUDA_DEVICES_MAX = 4 };

typedef struct FakeCuda {
    int devices;
    const char *models[FAKE_CUDA_DEVICES_MAX];
    double now[FAKE_CUDA_DEVICES_MAX];    /* seconds */
    double kernel[FAKE_CUDA_DEVICES_MAX]; /* seconds of each */
    /* Bytes a second of copies, from the source's device to another; 0: they take no time. */
    double up[FAKE_CUDA_DEVICES_MAX], down[FAKE_CUDA_DEVICES_MAX], within[FAKE_CUDA_DEVICES_MAX],
        to_peer[FAKE_CUDA_DEVICES_MAX];
    int links; /* not 0: kernels of two devices may wait for each other */
    /* Every so many readings of the time between two events the process is stopped for six seconds;
     * 0: never. */
    int stops_every;
    int broken[FAKE_CUDA_DEVICES_MAX];
    int breaks[FAKE_CUDA_DEVICES_MAX]; /* once it is waited for: what is queued goes wrong later */
    int opened[FAKE_CUDA_DEVICES_MAX]; /* streams made on it */
    /* Bytes of the L2 cache that are reserved, how often that was set, whether lines persist, and
     * how often memory was set although one of both was so. */
    unsigned long reserved[FAKE_CUDA_DEVICES_MAX];
    int reserves[FAKE_CUDA_DEVICES_MAX];
    int persisting[FAKE_CUDA_DEVICES_MAX];
    int half_flushed[FAKE_CUDA_DEVICES_MAX];
} FakeCuda;

extern FakeCuda fake_cuda;

#endif
