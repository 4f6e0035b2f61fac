/* A kernel that writes where nothing is: the sticky error that test_cuda_lost.c wants to see. */
#include "fault.h"

#include "cuda_device.h"

static __global__ void write_nowhere(int *nowhere) {
    *nowhere = 1;
}

extern "C" Status fault_illegal_address(void) {
    write_nowhere<<<1, 1>>>((int *)16);
    CUDA_TRY(cudaDeviceSynchronize());
    return status_ok();
}

extern "C" Status fault_bad_launch(void) {
    write_nowhere<<<1, 4096>>>(NULL);
    return CUDA_LAUNCHED();
}
