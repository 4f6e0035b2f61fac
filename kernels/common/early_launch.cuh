/*
 * A kernel that starts while the one before it on the stream ends (programmatic dependent launch):
 * what it can do without the other's results is done meanwhile, and the pause between the two is
 * gone. On devices before 9.0 it starts afterwards, as any kernel does.
 */
#ifndef KERNELS_COMMON_EARLY_LAUNCH_CUH
#define KERNELS_COMMON_EARLY_LAUNCH_CUH

#include <cuda_runtime_api.h>

#include "copies.h"
#include "cuda_device.h"

/* In the first kernel: the next one may start when all blocks have called this or ended. */
static __device__ __forceinline__ void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* In the second kernel, before it reads what the first one wrote, or writes what that one reads. */
static __device__ __forceinline__ void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* In a kernel in the middle of several: the next one may start, and waits for this one, which waits
 * for all before. */
static __device__ __forceinline__ void start_between_kernels() {
    let_next_start();
    wait_for_kernel_before();
}

/* Queues the second kernel on cuda_stream(), right after the first; with so many bytes of shared
 * memory beside those of the kernel's own variables. */
template <typename... Parameters, typename... Arguments>
static inline Status launch_early_sharing(void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                          size_t shared_bytes, const Arguments &...arguments) {
    /* It may only start early where its code waits: code for an older architecture runs on newer
     * devices too. As nodes of a graph such kernels take longer than as kernel launches. */
    bool captured = false;
    STATUS_TRY(copies_are_captured(&captured));
    cudaFuncAttributes code = {};
    CUDA_TRY(cudaFuncGetAttributes(&code, (const void *)kernel));
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {blocks,       threads,
                                       shared_bytes, cuda_stream(),
                                       &early,       !captured && code.ptxVersion >= 90 ? 1U : 0U};
    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
    return status_ok();
}

template <typename... Parameters, typename... Arguments>
static inline Status launch_early(void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                  const Arguments &...arguments) {
    return launch_early_sharing(kernel, blocks, threads, 0, arguments...);
}

#endif
