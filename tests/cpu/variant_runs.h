/* Runs one variant of an algorithm on an image as the runner does: open, poison, upload, run twice,
 * check guards, close. */
#ifndef TESTS_CPU_VARIANT_RUNS_H
#define TESTS_CPU_VARIANT_RUNS_H

#include "algorithm.h"
#include "test.h"

/* What a test image is filled with. */
typedef enum Fill { FILL_ZERO, FILL_CONSTANT, FILL_RAMP, FILL_NOISE, FILL_EXTREME, FILLS } Fill;

/* An image whose rows are `padding` bytes apart and whose padding holds 0xEE: a variant that reads
 * padding gets wrong answers. No byte behind the last pixel belongs to it. */
Image test_image(int32_t width, int32_t height, size_t padding, Fill fill, uint32_t seed);
void test_image_free(Image *image);

/* The variant of this name among the algorithm's CPU rows. */
const Variant *cpu_variant(const Algorithm *algorithm, const char *name);

/* The answer of the variant, run with `threads` where it has that axis; computed between guard
 * bands. The caller owns it: output_free. */
Output variant_answer(const Algorithm *algorithm, const Variant *variant, const Image *image,
                      int threads);
/* The same at a point of the algorithm's answer axes. */
Output variant_answer_at(const Algorithm *algorithm, const Variant *variant, const Image *image,
                         const Point *answer, int threads);
/* The same of any workload. */
Output variant_answer_of(const Algorithm *algorithm, const Variant *variant,
                         const Workload *workload, const Point *answer, int threads);
void output_free(Output *output);

/* Fails the test, naming image and variant, when two answers differ. */
void assert_same_answer(const Output *got, const Output *want, const char *name, const Image *image,
                        Fill fill, int threads);

/* Fails the test unless every CPU variant that has stages has those of these names, NULL behind the
 * last, and they make up its run, whichever comes after the other. */
void check_stages(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                  const char *const *names);

/* TEST: of the kernels, the best first and NULL behind the last, the first that this processor has
 * is chosen, and the plain one runs anywhere. */
#define TEST_BEST_KERNEL(Kernel, kernels, best, plain)                                             \
    TEST(the_best_kernel_is_the_first_supported) {                                                 \
        const Kernel *first = NULL;                                                                \
        for (const Kernel *const *kernel = (kernels); *kernel != NULL; kernel++) {                 \
            const bool supported = (*kernel)->supported();                                         \
            print_message("kernel %s: %s\n", (*kernel)->name,                                      \
                          supported ? "tested" : "not on this processor");                         \
            first = first == NULL && supported ? *kernel : first;                                  \
        }                                                                                          \
        assert_ptr_equal(best, first);                                                             \
        assert_true((plain).supported());                                                          \
    }

/* What works on a request by a kernel that is chosen as it opens. */
typedef struct KernelWork {
    Status (*open)(const Request *request, int threads, void **state);
    Status (*run)(void *state);
    void (*close)(void *state);
    size_t kernel; /* offset of the pointer to the kernel within the state */
} KernelWork;

/* The answer of this kernel, on poisoned memory between guard bands, is the one wanted. */
void check_kernel_work(const KernelWork *work, const void *kernel, const char *name,
                       const Workload *workload, const Point *answer, const Output *want);

/* Defines check_kernels(workload, answer): every kernel that this processor has gives the answer of
 * seq. `work` begins the names of the functions. */
#define DEFINE_CHECK_KERNELS(Kernel, kernels, Work, work, algorithm)                               \
    static void check_kernels(const Workload *workload, const Point *answer) {                     \
        static const KernelWork functions = {work##_open, work##_run, work##_close,                \
                                             offsetof(Work, kernel)};                              \
        Output want =                                                                              \
            variant_answer_of(&(algorithm), &(algorithm).cpu.rows[0], workload, answer, 1);        \
        for (const Kernel *const *kernel = (kernels); *kernel != NULL; kernel++) {                 \
            if ((*kernel)->supported()) {                                                          \
                check_kernel_work(&functions, *kernel, (*kernel)->name, workload, answer, &want);  \
            }                                                                                      \
        }                                                                                          \
        output_free(&want);                                                                        \
    }

/* Every CPU variant against row 0 on one image; omp with one of 1…5 threads, with each of them on
 * more than 5000 pixels. */
void check_variants(const Algorithm *algorithm, int32_t width, int32_t height, size_t padding,
                    Fill fill);
/* The same at a point of the algorithm's answer axes. */
void check_variants_at(const Algorithm *algorithm, const Point *answer, int32_t width,
                       int32_t height, size_t padding, Fill fill);

#endif
