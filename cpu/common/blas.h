/*
 * OpenBLAS, loaded when it is first needed. A program that is linked with it pays at every start:
 * the library maps a buffer and starts a thread for each processor, for which a limit of address
 * space may leave no room.
 */
#ifndef CPU_COMMON_BLAS_H
#define CPU_COMMON_BLAS_H

#include "status.h"

/* Of CBLAS. */
enum { BLAS_ROW_MAJOR = 101, BLAS_AS_IT_IS = 111, BLAS_TRANSPOSED = 112 };

/* The functions used; NULL where the library could not be loaded. */
typedef struct Blas {
    /* cblas_sgemm: c = alpha·a·b + beta·c, with a (m × k), b (k × n) and c (m × n) in the given
     * order, a and b transposed or as they are. */
    void (*sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                  const float *a, int row_a, const float *b, int row_b, float beta, float *c,
                  int row_c);
    void (*set_threads)(int threads); /* openblas_set_num_threads */
    int (*get_threads)(void);         /* openblas_get_num_threads */
} Blas;

/*
 * The library, loaded at the first call with one thread of its own, however it was built, for
 * `callers` threads that call it at the same time: each has a buffer in it. STATUS_SKIP when it is
 * not installed, with the package, or when there is no address space for the buffers. To be called
 * by the main thread.
 */
Status blas_library(int callers, const Blas **blas);

/* The same for one caller, with as many threads of its own as OpenMP has. */
Status blas_library_threaded(const Blas **blas);

#endif
