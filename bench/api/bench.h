/*
 * bench.h: an algorithm in one file of C, C++ or CUDA, which `bench run FILE` compiles and
 * measures.
 *
 *     #include "bench.h"
 *
 *     BENCH_PARAMETER(radius, "2", 1, 16, "pixels to each side")
 *
 *     static void blur(const uint8_t *in, uint8_t *out, int width, int height,
 *                      int first, int last) { … }
 *     static void cuda_plain(const uint8_t *in, uint8_t *out, int width, int height,
 *                            cudaStream_t stream) { … }
 *
 *     BENCH_IMAGE(uint8_t, uint8_t, blur, cuda_plain)
 *
 * One line at the end of the file names the types of input and answer, the CPU function, and up to
 * eight functions that launch kernels; these are in a file of CUDA alone. `seq` and `omp` come from
 * the CPU function: it computes the rows first … last - 1, and all threads call it at once for
 * rows of their own. A function that launches kernels queues them on `stream` and does not wait;
 * its pointers are to memory of the device. It is the variant of its name, in small letters. Rows
 * are dense: the pixel (x, y) is in[y * width + x].
 *
 * Types are uint8_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float and double. Pixels have
 * the type INPUT that the form names:
 *
 *   file of --input        uint8_t       uint16_t      float, double     other types
 *   PNG, JPEG, PNM, raw    white is 255  65535         1                 levels as in the file
 *   PFM, NPY               the numbers of the file, as they are
 *   none: synthetic        0 … 255       0 … 65535     0 … 1             0 … 255
 *
 * PNG and PNM have up to 16 bits, which uint16_t, float and double get whole. A uint8_t gets them
 * rounded to 8. A file with a number that the type has not is refused, as is one with NaN or an
 * infinity. Synthetic images have as many bits as the type: all 16, and all that a float has.
 *
 * With --pinned the inputs are in page-locked memory, as the answer is.
 */
#ifndef BENCH_API_BENCH_H
#define BENCH_API_BENCH_H

#include "one_file.h"

/* === Forms: one of these in a file ============================================================ */

/*
 * An image of the input's size.
 *
 *     void cpu(const INPUT *in, ANSWER *out, int width, int height, int first, int last);
 *     void gpu(const INPUT *in, ANSWER *out, int width, int height, cudaStream_t stream);
 */
#define BENCH_IMAGE(INPUT, ANSWER, cpu, ...)                                                       \
    BENCH_FUNCTIONS((const INPUT *, ANSWER *, int, int), int,                                      \
                    ((const INPUT *)call->in[0], (ANSWER *)call->out, call->width, call->height))  \
    BENCH_DESCRIBE(BENCH_FORM_IMAGE, INPUT, ANSWER, 0, cpu, ##__VA_ARGS__)

/*
 * `count` numbers of an image, such as a histogram: each call adds what its rows have to `out`,
 * which begins as zeros. Threads have numbers of their own, which are added up.
 *
 *     void cpu(const INPUT *in, ANSWER *out, int width, int height, int first, int last);
 *     void gpu(const INPUT *in, ANSWER *out, int width, int height, cudaStream_t stream);
 */
#define BENCH_NUMBERS(INPUT, ANSWER, count, cpu, ...)                                              \
    BENCH_FUNCTIONS((const INPUT *, ANSWER *, int, int), int,                                      \
                    ((const INPUT *)call->in[0], (ANSWER *)call->out, call->width, call->height))  \
    BENCH_DESCRIBE(BENCH_FORM_NUMBERS, INPUT, ANSWER, count, cpu, ##__VA_ARGS__)

/*
 * An image of two images of one size: that of --input and that of --second, which is the input
 * turned by half a turn where it is not given.
 *
 *     void cpu(const INPUT *a, const INPUT *b, ANSWER *out, int width, int height, int first,
 *              int last);
 *     void gpu(const INPUT *a, const INPUT *b, ANSWER *out, int width, int height,
 *              cudaStream_t stream);
 */
#define BENCH_TWO_IMAGES(INPUT, ANSWER, cpu, ...)                                                  \
    BENCH_FUNCTIONS((const INPUT *, const INPUT *, ANSWER *, int, int), int,                       \
                    ((const INPUT *)call->in[0], (const INPUT *)call->in[1], (ANSWER *)call->out,  \
                     call->width, call->height))                                                   \
    BENCH_DESCRIBE(BENCH_FORM_TWO_IMAGES, INPUT, ANSWER, 0, cpu, ##__VA_ARGS__)

/*
 * An array of as many elements as the input has: those of a NPY file (numpy.save) of one or two
 * dimensions, or the pixels of an image, row by row.
 *
 *     void cpu(const INPUT *in, ANSWER *out, size_t count, size_t first, size_t last);
 *     void gpu(const INPUT *in, ANSWER *out, size_t count, cudaStream_t stream);
 */
#define BENCH_ARRAY(INPUT, ANSWER, cpu, ...)                                                       \
    BENCH_FUNCTIONS((const INPUT *, ANSWER *, size_t), size_t,                                     \
                    ((const INPUT *)call->in[0], (ANSWER *)call->out, call->count))                \
    BENCH_DESCRIBE(BENCH_FORM_ARRAY, INPUT, ANSWER, 0, cpu, ##__VA_ARGS__)

/* === What may be added ======================================================================== */

/* The variable `static int name` and the option --name: whole numbers that change the answer. Each
 * value of the text `defaults`, such as "1,2,4", is measured unless the option says others. */
#define BENCH_PARAMETER(name, defaults, minimum, maximum, help)                                    \
    BENCH_AXIS(name, defaults, minimum, maximum, help, bench_one.answer)

/* The same of numbers that must not change the answer, such as the side of a block of threads: for
 * the functions that launch kernels. */
#define BENCH_TUNING(name, defaults, minimum, maximum, help)                                       \
    BENCH_AXIS(name, defaults, minimum, maximum, help, bench_one.tuning)

/* Below the form: another CPU function with the same parameters, up to seven, which is called once
 * for all rows, such as one that calls a library. */
#define BENCH_CPU(cpu)                                                                             \
    BENCH_AT_LOAD(bench_cpu_of_##cpu) {                                                            \
        BenchRows *const bench_rows = cpu;                                                         \
        bench_add_cpu(#cpu, "called once for all rows", (BenchAny)bench_rows);                     \
    }

/*
 * Below the form: a function that calls other people's code, a library that one would take instead
 * of this. BENCH_PEER adds a CPU function as BENCH_CPU does, BENCH_PEER_GPU one that queues its
 * work on `stream`. `library` and `version` are texts that the row says: "OpenCV", CV_VERSION. A
 * peer is measured with --peers or where --variants names it, and is never the best CPU or GPU.
 */
#define BENCH_PEER(cpu, library, version)                                                          \
    enum { bench_is_peer_##cpu };                                                                  \
    BENCH_AT_LOAD(bench_peer_of_##cpu) {                                                           \
        BenchRows *const bench_rows = cpu;                                                         \
        bench_add_cpu_peer(#cpu, library, version, (BenchAny)bench_rows);                          \
    }
#define BENCH_PEER_GPU(gpu, library, version)                                                      \
    BENCH_GPU_NEEDS_CUDA(gpu)                                                                      \
    BENCH_GPU(enum {bench_is_peer_##gpu}; BENCH_AT_LOAD(bench_peer_of_##gpu) {                     \
        BenchLaunch *const bench_launch = gpu;                                                     \
        bench_add_gpu_peer(#gpu, library, version, (BenchAny)bench_launch);                        \
    })

/* Below the line of a peer that computes something a little different: in what, and the least share
 * of elements that are to be equal to those of `seq`. The share is printed. */
#define BENCH_PEER_DIFFERS(function, difference, agreement)                                        \
    BENCH_AT_LOAD(bench_difference_of_##function) {                                                \
        (void)bench_is_peer_##function;                                                            \
        bench_set_difference(#function, difference, agreement);                                    \
    }

/*
 * How far numbers of an answer may be from those of `seq`: an element is right if it is within
 * `absolute`, or within `relative` times the right number, or if at most `ulp` numbers of its type
 * lie from one to the other (units in the last place). Without this every byte must be equal.
 */
#define BENCH_TOLERANCE(absolute_, relative_, ulp_)                                                \
    BENCH_AT_LOAD(bench_set_tolerance) {                                                           \
        bench_one.tolerance.struct_bytes = sizeof bench_one.tolerance;                             \
        bench_one.tolerance.absolute = (absolute_);                                                \
        bench_one.tolerance.relative = (relative_);                                                \
        bench_one.tolerance.ulp = (ulp_);                                                          \
        bench_one.algorithm.tolerance = &bench_one.tolerance;                                      \
    }

#endif
