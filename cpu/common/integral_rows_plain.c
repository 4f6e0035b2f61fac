/* integral in plain C, for any processor: vectors of one entry. Those of 32 bits are kept in 64,
 * whose upper half is dropped when they are stored. */
#include "cpu_features.h"
#include "cpu_memory.h"
#include "integral_rows.h"

#define INTEGRAL_TARGET

typedef uint64_t Vector;
typedef int Places; /* one lane is never shifted */
typedef uint32_t Entry_32;
typedef uint64_t Entry_64;

enum { LANES_32 = 1, LANES_64 = 1, ROWS = 4, ALIGN_ALWAYS = 0 };

#define load(from) (*(from))
#define store(to, vector) (*(to) = (__typeof__(*(to)))(vector))
#define store_aligned(to, vector) store(to, vector)
#define stream_aligned(to, vector) store(to, vector)

static inline Places places(int shift) {
    return shift;
}

static inline Vector turn(Vector vector, Places shift) {
    (void)shift;
    return vector;
}

static inline Vector join(Vector before, Vector vector, Places shift) {
    return shift == 0 ? vector : before;
}

static inline Vector spread(uint64_t number) {
    return number;
}

static inline Vector add(Vector a, Vector b) {
    return a + b;
}

static inline Vector first_pixel(const uint8_t *pixels) {
    return *pixels;
}

/* Of one lane: the lane. */
static inline Vector same(Vector numbers) {
    return numbers;
}

static inline void store_lanes_32(uint32_t *to, int first, int end, Vector lanes) {
    if (first < end) {
        *to = (uint32_t)lanes;
    }
}

static inline void store_lanes_64(uint64_t *to, int first, int end, Vector lanes) {
    if (first < end) {
        *to = lanes;
    }
}

static inline uint32_t first_32(Vector numbers) {
    return (uint32_t)numbers;
}

#define places_32 places
#define spread_32 spread
#define add_32 add
#define running_pixels_32 first_pixel
#define running_sums_32 same
#define spread_last_32 same
#define BITS 32
#include "integral_rows_vector.h"
#undef BITS
#define places_64 places
#define spread_64 spread
#define add_64 add
#define running_pixels_64 first_pixel
#define running_sums_64 same
#define spread_last_64 same
#define first_64 same
#define BITS 64
#include "integral_rows_vector.h"

const IntegralKernel integral_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .sums_32 = {fill_32, add_columns_32, add_along_32},
    .sums_64 = {fill_64, add_columns_64, add_along_64},
};

CPU_KERNELS(IntegralKernel, integral_kernels, integral_kernel_best, &integral_kernel_avx512,
            &integral_kernel_avx2, &integral_kernel_plain)
