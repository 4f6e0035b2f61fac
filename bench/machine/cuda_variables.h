/* Variables that change times of a GPU. */

#ifndef BENCH_MACHINE_CUDA_VARIABLES_H
#define BENCH_MACHINE_CUDA_VARIABLES_H

#include <stddef.h>

/* Where it is set its value is a fact. */
typedef struct CudaVariable {
    const char *key, *name;
    const char *usual;  /* value that changes nothing; "": there is none */
    const char *effect; /* of any other, for a warning */
} CudaVariable;

extern const CudaVariable cuda_variables[];
extern const size_t cuda_variable_count;

#endif
