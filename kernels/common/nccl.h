/*
 * NCCL: collective operations among several GPUs of one process. The library, libnccl.so.2, is
 * loaded at the first use, as it takes a second to load and hundreds of megabytes;
 * BENCH_NCCL_LIBRARY names another file. How it works is the user's: its variables
 * (NCCL_NVLS_ENABLE, NCCL_ALGO, …) are neither read nor set here.
 *
 * Nothing of CUDA's runtime is needed: GPUs are CUDA's numbers, streams and memory are pointers.
 * The main thread alone calls these functions.
 */
#ifndef KERNELS_COMMON_NCCL_H
#define KERNELS_COMMON_NCCL_H

#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A communicator of each of several GPUs. */
typedef struct Nccl Nccl;

/*
 * The communicators of `count` GPUs. They are opened once for a list of GPUs and kept, since every
 * state of a cell and every ceiling asks for them. STATUS_SKIP with the reason when NCCL cannot be
 * used: the library cannot be loaded, one GPU stands in the list twice, or NCCL itself refuses.
 */
Status nccl_open(const int *gpus, int count, const Nccl **nccl);

/* Closes all communicators there are: nobody may use one any more. The library stays loaded. */
void nccl_close_all(void);

enum { NCCL_VERSION_SIZE = 24 };

/* "2.28.9"; "" before nccl_open has loaded the library. */
void nccl_version(char text[NCCL_VERSION_SIZE]);

/* Where an operation works: an entry for each GPU, in the order of its list. */
typedef struct NcclCall {
    void *const *streams;  /* cudaStream_t of each GPU, on which it is queued */
    void *const *sent;     /* memory of each GPU */
    void *const *received; /* the same; may be what is sent, as each function says */
} NcclCall;

/* Queues on every stream: `bytes` of each GPU are received by all, in the order of the list. A GPU
 * may send from its own place in what it receives. STATUS_FAIL with NCCL's words. */
Status nccl_all_gather(const Nccl *nccl, const NcclCall *call, size_t bytes);

/* The same: all receive the sums of `count` numbers of float32; in place or not. */
Status nccl_all_reduce(const Nccl *nccl, const NcclCall *call, size_t count);

#ifdef __cplusplus
}
#endif

#endif
