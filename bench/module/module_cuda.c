/* The program's stream in a module with CUDA variants. */
#include "cuda_device.h"

#include "backend.h"

cudaStream_t cuda_stream(void) {
    return (cudaStream_t)cuda_backend.queue();
}
