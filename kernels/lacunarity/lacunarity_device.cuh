/*
 * Device side of a lacunarity cell: the grey image and the sums of every threshold and box.
 */
#ifndef KERNELS_LACUNARITY_LACUNARITY_DEVICE_CUH
#define KERNELS_LACUNARITY_LACUNARITY_DEVICE_CUH

#include "cuda_state.h"
#include "lacunarity.h"

/* === The device side ========================================================================== */

/* Sums over positions, added to atomically: Σs, and Σs² in parts that are added up on the host:
 * Σs² = low + high·2^32. A block adds to `low` what its threads have below 2^32 each, less than
 * 2^42, and to `high` the rest: that is room for four million blocks, and for Σs² below 2^96, more
 * than the largest box, full at 2^32 positions, comes to. */
typedef struct LacunaritySums {
    unsigned long long sum_s, low, high;
} LacunaritySums;

/* Positions of a box: those with an upper edge from `begin` to before `end`, rows of the image that
 * the device has. */
typedef struct LacunarityBand {
    int32_t box, begin, end;
} LacunarityBand;

/* Rows that shares of several devices begin at multiples of. */
enum { LACUNARITY_STEP = 8 };

struct LacunarityDevice : CudaState {
    LacunarityPlan plan;   /* of the whole image */
    LacunarityBand *bands; /* in host memory: for each box of the plan what this device counts */
    int width, height;     /* pixels of the rows that are on this device */
    int first_row;         /* of the image: the first of them */
    size_t stride;         /* bytes; pixels between width and stride are 0 */
    uint8_t *image;
    LacunaritySums *sums;    /* one for each row of the answer, in its order */
    LacunaritySums *fetched; /* the same in host memory, where they come down to */
};

/* Rows start at multiples of `row_alignment` bytes. */
Status lacunarity_device_open(size_t row_alignment, LacunarityDevice *device);
/* The same for share `index` of `count`: of each box a band of its positions, and the rows of the
 * image that they need. The first share is never empty; `device->height` is 0 for one that is, and
 * nothing is allocated. */
Status lacunarity_device_open_share(size_t row_alignment, int index, int count,
                                    LacunarityDevice *device);

/* Sets all sums to 0; queued on cuda_stream(). Every run begins with it. */
Status lacunarity_device_clear(const LacunarityDevice *device);

/* Sets the answer from `fetched`. */
void lacunarity_device_answer(const LacunarityDevice *device);

/* The sums of threshold `t` and box `b` of the plan. */
static inline LacunaritySums *lacunarity_device_sums(const LacunarityDevice *device, size_t t,
                                                     size_t b) {
    return device->sums + t * device->plan.box_count + b;
}

/* Opens a state that is a LacunarityDevice and nothing more. */
Status lacunarity_device_open_state(const Request *request, size_t row_alignment, void **state);

/* Download of every variant: the sums, and the answer from them. */
VARIANT_EXTERN Status lacunarity_cuda_download(void *state);

/* cuda_fast's state for a share; NULL where that is empty. It begins with a LacunarityDevice, and
 * the other functions of cuda_fast take it. */
Status lacunarity_fast_open_share(const Request *request, int index, int count, void **state);

/* === Sums ===================================================================================== */

/*
 * Sums of masses and of their squares: kept by every thread in registers, added up by the block,
 * and added to the sums in global memory by one thread. A list of masses or a frequency table,
 * which the study has, is not needed for them.
 */

/* What one thread has seen: Σs, and Σs² = low + high·2^32. Begins as {0, 0, 0}. */
struct Moments {
    unsigned long long s, low, high;
};

/* Whether `count` squares of masses of this box fit 64 bits, so that add_mass<true> may be used. */
static inline bool squares_fit(int box, unsigned long long count) {
    const unsigned long long mass = (unsigned long long)box * (unsigned long long)box;
    return count <= ~0ULL / (mass * mass);
}

/* Adds a mass. SQUARES_FIT: the sum of the thread's squares stays below 2^64, which takes less than
 * half as many instructions; otherwise up to 2^32 masses of any box may be added. */
template <bool SQUARES_FIT = false>
static __device__ __forceinline__ void add_mass(Moments &moments, uint32_t mass) {
    const unsigned long long square = (unsigned long long)mass * mass;
    moments.s += mass;
    if (SQUARES_FIT) {
        moments.low += square;
    } else {
        moments.low += (uint32_t)square;
        moments.high += square >> 32;
    }
}

/* Adds up the moments of a warp's first `lanes` threads; the sum is right in lane 0. */
static __device__ inline Moments warp_sum_moments(Moments moments, int lane, int lanes) {
    const unsigned int mask = 0xFFFFFFFFU >> (warpSize - lanes);
    for (int step = warpSize / 2; step > 0; step /= 2) {
        const unsigned long long s = __shfl_down_sync(mask, moments.s, step);
        const unsigned long long low = __shfl_down_sync(mask, moments.low, step);
        const unsigned long long high = __shfl_down_sync(mask, moments.high, step);
        if (lane + step < lanes) {
            moments.s += s;
            moments.low += low;
            moments.high += high;
        }
    }
    return moments;
}

/* Adds the moments of all threads of a block, of one or two dimensions and at most 1024 threads,
 * to `sums` in global memory. All threads call it, at most once in a kernel or with a barrier
 * between. */
static __device__ inline void block_add_moments(const Moments &moments, LacunaritySums *sums) {
    const int warps_max = 32;
    __shared__ Moments warp_sums[warps_max];
    const int threads = (int)(blockDim.x * blockDim.y);
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    const int warp = thread / warpSize;
    const int lane = thread % warpSize;
    /* From here on low has 32 bits, and a thousand of them cannot pass 64. */
    const Moments split = {moments.s, (uint32_t)moments.low, moments.high + (moments.low >> 32)};
    const Moments of_warp = warp_sum_moments(split, lane, min(warpSize, threads - warp * warpSize));
    if (lane == 0) {
        warp_sums[warp] = of_warp;
    }
    __syncthreads();
    if (warp > 0) {
        return;
    }
    const int warps = (threads + warpSize - 1) / warpSize;
    const int lanes = min(warpSize, threads);
    const Moments none = {0, 0, 0};
    const Moments total = warp_sum_moments(lane < warps ? warp_sums[lane] : none, lane, lanes);
    if (lane == 0 && total.s != 0) { /* without an object pixel there is nothing to add */
        atomicAdd(&sums->sum_s, total.s);
        atomicAdd(&sums->low, total.low);
        atomicAdd(&sums->high, total.high);
    }
}

/* A run that launches a kernel for every threshold and box by itself. */

/* Clears the sums, then calls launch(t, b), which returns a Status and queues on cuda_stream(), for
 * every threshold t and box b of the plan. Waits for nothing. */
template <typename Launch>
static inline Status lacunarity_each(const LacunarityDevice *device, const Launch &launch) {
    STATUS_TRY(lacunarity_device_clear(device));
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        for (size_t b = 0; b < device->plan.box_count; b++) {
            STATUS_TRY(launch(t, b));
        }
    }
    return status_ok();
}

/* === Summed-area table ======================================================================== */

/*
 * Summed-area table of the thresholded image, for cuda_sat, and for cuda_fast where a cell is
 * beyond its limits.
 */

struct LacunaritySat {
    uint32_t *table; /* (height + 1) rows of `stride` elements; row 0 and column 0 are 0. NULL:
                        there is none */
    size_t stride;   /* elements */
};

Status lacunarity_sat_open(LacunarityDevice *device, LacunaritySat *sat);

/* Queues the sums of all thresholds and bands on cuda_stream(). The sums have been cleared. */
Status lacunarity_sat_compute(const LacunarityDevice *device, const LacunaritySat *sat);

/* === Products of bits ========================================================================= */

/* For cuda_fast where no box of the cell is taller, and the device multiplies bits. */
enum { LACUNARITY_PRODUCTS_BOX_MAX = 256 };

struct LacunarityProducts {
    uint32_t *words; /* thresholds × word_rows × pitch: bits of 32 rows of a column. NULL: none */
    int pitch, word_rows;
    int thresholds;        /* that there is room for */
    LacunarityBand *bands; /* in device memory */
};

Status lacunarity_products_are_here(bool *here);

Status lacunarity_products_open(LacunarityDevice *device, LacunarityProducts *products);

/* Queues the sums of all thresholds and bands on cuda_stream(), and clears them before. */
Status lacunarity_products_compute(const LacunarityDevice *device,
                                   const LacunarityProducts *products);

#endif
