/* Before an algorithm in one file of CUDA (bench.h) that translate.py has rewritten: what nvcc
 * defines, without what only nvcc understands. */
#define __CUDACC__ 1
#define __CUDA_RUNTIME_H__ /* device.h has what is needed of cuda_runtime.h */
