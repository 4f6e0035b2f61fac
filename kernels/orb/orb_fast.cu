/*
 * cuda_fast: a blur of four pixels a thread that rolls down its columns, and a warp per keypoint.
 *
 * Blur. cuda_tiled makes three trips through shared memory for each pixel, a byte or two at a time.
 * Here a thread has four columns. Of each row it loads its word and the words beside it, and takes
 * the row's four sums with packed products: a weight is 256 times its upper byte and its lower
 * byte, so that a sum is four dot products of four bytes. The last seven rows' sums stay in
 * registers, from which the sum down a column is three sums and four products. Floor for 2832×2128
 * pixels: 6 MB read, 6 MB written, 4 µs at 3 TB/s; about 70 instructions for four pixels are 4 µs
 * as well on 132 multiprocessors.
 *
 * The ladder of the blur, those pixels on an H100; 8 to 11 µs were predicted for the second form:
 *   24.7 µs  16 rows a thread, one row's loads under way; at the left and right edge a thread
 *            fetched its pixels one by one, so that the warps there ended last.
 *   11.1 µs  words beyond an edge are a permutation of those that are loaded anyway; three rows'
 *            loads under way; 8 rows a thread, so that there are twice the threads (16 for large
 *            images, which have enough).
 *
 * Tests. cuda_tiled rounds with a conversion, moves every position into the image, and reads its
 * tests from shared memory for each keypoint. Here a lane keeps the positions of its 8 tests (16 of
 * 512 bits) in registers for the four keypoints that its warp goes through, whose cosines and sines
 * four lanes take at once. Where the whole turned patch is inside the image nothing is moved, and
 * positions are rounded by an addition. What is left are two loads a test of pixels that lie in one
 * patch, in the L1 cache: these bound it. The tests' kernel starts while the blur ends, and has
 * read tests and keypoints by then: 3.2 µs less. Blur and 10,000 keypoints together went from 41.4
 * to 24.9 µs.
 */
#include "early_launch.cuh"
#include "multi_shares.h"
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_fast);

/* === Blur ===================================================================================== */

namespace {

constexpr int BLUR_THREADS = 128;
constexpr int PIXELS = 4; /* of a row that a thread smooths */
constexpr int AHEAD = 3;  /* rows whose loads are under way */
constexpr int ROWS = 2 * ORB_REACH + 1;
/* Of a thread: few where the image is small, so that there are more threads. */
constexpr int FEW_ROWS = 8;
constexpr int MANY_ROWS = 16;
/* Narrower images are not mirrored by a permutation of two words. */
constexpr int WIDTH_MIN = 2 * PIXELS;

/* Bytes of the weights of seven pixels in a row: of the first four, and of the last three. */
constexpr uint32_t bytes_of(int shift, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (a >> shift & 0xFF) | (b >> shift & 0xFF) << 8 | (c >> shift & 0xFF) << 16 |
           (d >> shift & 0xFF) << 24;
}

constexpr uint32_t FIRST_LOWER =
    bytes_of(0, ORB_WEIGHT_3, ORB_WEIGHT_2, ORB_WEIGHT_1, ORB_WEIGHT_0);
constexpr uint32_t FIRST_UPPER =
    bytes_of(8, ORB_WEIGHT_3, ORB_WEIGHT_2, ORB_WEIGHT_1, ORB_WEIGHT_0);
constexpr uint32_t LAST_LOWER = bytes_of(0, ORB_WEIGHT_1, ORB_WEIGHT_2, ORB_WEIGHT_3, 0);
constexpr uint32_t LAST_UPPER = bytes_of(8, ORB_WEIGHT_1, ORB_WEIGHT_2, ORB_WEIGHT_3, 0);

/* The thread's four pixels of a row, and four on each side. */
struct Words {
    uint32_t left, own, right;
};

/*
 * How a thread's words follow from those that lie at x - 4, x and x + 4 in the row. Pixel k,
 * counted from x, is pixel 2·(inside - 1) - k where it is beyond the right edge, before which
 * `inside` pixels are. Only k up to inside + 2 is needed, so that what is fetched is never before x
 * - 3.
 */
struct Edge {
    bool any, left;                /* the words are near an edge; the left one */
    bool own_ends;                 /* the right edge is within the own word */
    bool has_left, has_right;      /* there is such a word in memory */
    uint32_t own_from, right_from; /* selectors of __byte_perm */
};

__device__ __forceinline__ Edge edge_at(int x, int width, int stride) {
    const int inside = width - x;
    Edge edge = {};
    edge.left = x == 0;
    edge.any = edge.left || inside < 2 * PIXELS;
    edge.own_ends = inside < PIXELS;
    edge.has_left = x > 0;
    edge.has_right = x + 2 * PIXELS <= stride;
    for (int i = 0; i < PIXELS; i++) {
        const int own = i < inside ? i : 2 * (inside - 1) - i;
        const int k = i + PIXELS;
        const int right = k < inside ? k : 2 * (inside - 1) - k;
        /* Of left and own, or where the own word is whole of own and right. */
        edge.own_from |= ((uint32_t)(own + PIXELS) & 7) << 4 * i;
        edge.right_from |= ((uint32_t)(edge.own_ends ? right + PIXELS : right) & 7) << 4 * i;
    }
    return edge;
}

__device__ __forceinline__ Words load_words(const uint8_t *at, const Edge &edge) {
    const uint32_t *own = (const uint32_t *)at;
    Words words;
    words.left = edge.has_left ? __ldg(own - 1) : 0;
    words.own = __ldg(own);
    words.right = edge.has_right ? __ldg(own + 1) : 0;
    return words;
}

__device__ __forceinline__ Words mirrored(const Words &loaded, const Edge &edge) {
    if (!edge.any) {
        return loaded;
    }
    Words words;
    words.left = edge.left ? __byte_perm(loaded.own, loaded.right, 0x1234) : loaded.left;
    words.own = __byte_perm(loaded.left, loaded.own, edge.own_from);
    words.right = edge.own_ends ? __byte_perm(loaded.left, loaded.own, edge.right_from)
                                : __byte_perm(loaded.own, loaded.right, edge.right_from);
    return words;
}

/* Of the seven pixels round one, given the four that end with it and the four behind it. */
__device__ __forceinline__ uint32_t row_sum(uint32_t first, uint32_t last) {
    const uint32_t upper = __dp4a(last, LAST_UPPER, __dp4a(first, FIRST_UPPER, 0U));
    const uint32_t lower = __dp4a(last, LAST_LOWER, __dp4a(first, FIRST_LOWER, upper << 8));
    return orb_row_value(lower);
}

__device__ __forceinline__ void sum_row(const Words &words, uint32_t (&sums)[PIXELS]) {
    sums[0] = row_sum(__byte_perm(words.left, words.own, 0x4321),
                      __byte_perm(words.own, words.right, 0x4321));
    sums[1] = row_sum(__byte_perm(words.left, words.own, 0x5432),
                      __byte_perm(words.own, words.right, 0x5432));
    sums[2] = row_sum(__byte_perm(words.left, words.own, 0x6543),
                      __byte_perm(words.own, words.right, 0x6543));
    sums[3] = row_sum(words.own, words.right);
}

/* The upper bytes of four sums down their columns; row r of the last seven is at (r + first) % 7.
 */
template <int FIRST>
__device__ __forceinline__ uint32_t column_word(const uint32_t (&rows)[ROWS][PIXELS]) {
    uint32_t sums[PIXELS];
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        sums[i] = orb_sum(rows[(FIRST + 3) % ROWS][i],
                          rows[(FIRST + 2) % ROWS][i] + rows[(FIRST + 4) % ROWS][i],
                          rows[(FIRST + 1) % ROWS][i] + rows[(FIRST + 5) % ROWS][i],
                          rows[FIRST % ROWS][i] + rows[(FIRST + 6) % ROWS][i]) +
                  (1U << (ORB_COLUMN_SHIFT - 1));
    }
    return __byte_perm(__byte_perm(sums[0], sums[1], 0x0073), __byte_perm(sums[2], sums[3], 0x0073),
                       0x5410);
}

/* What a thread has to do with, in its column of words. */
struct Column {
    const uint8_t *image; /* the first row's own word */
    uint8_t *blurred;     /* likewise */
    int stride, height;
    Edge edge;

    __device__ __forceinline__ Words load(int y) const {
        return load_words(image + (size_t)orb_mirrored(y, height) * (size_t)stride, edge);
    }
};

/* Row `ROW` of a band of BAND rows and ORB_REACH more above and below it, then those after it. The
 * row that is complete is ORB_REACH above. */
template <int BAND, int ROW>
__device__ __forceinline__ void smooth_from(const Column &at, int top, Words (&ahead)[AHEAD],
                                            uint32_t (&rows)[ROWS][PIXELS]) {
    const int y = top + ROW - ORB_REACH;
    const int done = y - ORB_REACH;
    const Words words = ahead[ROW % AHEAD];
    if constexpr (ROW + AHEAD < BAND + 2 * ORB_REACH) {
        ahead[ROW % AHEAD] = at.load(y + AHEAD);
    }
    sum_row(mirrored(words, at.edge), rows[ROW % ROWS]);
    if (ROW >= 2 * ORB_REACH && done < at.height) {
        *(uint32_t *)(at.blurred + (size_t)done * (size_t)at.stride) =
            column_word<(ROW + 1) % ROWS>(rows);
    }
    if constexpr (ROW + 1 < BAND + 2 * ORB_REACH) {
        smooth_from<BAND, ROW + 1>(at, top, ahead, rows);
    }
}

template <int BAND>
__global__ void __launch_bounds__(BLUR_THREADS)
    orb_fast_blur(const uint8_t *__restrict__ image, int stride, int width, int height,
                  uint8_t *__restrict__ blurred) {
    const int x = ((int)blockIdx.x * BLUR_THREADS + (int)threadIdx.x) * PIXELS;
    let_next_start();
    if (x >= width) {
        return;
    }
    const Column at = {image + x, blurred + x, stride, height, edge_at(x, width, stride)};
    const int top = (int)blockIdx.y * BAND;
    Words ahead[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        ahead[i] = at.load(top + i - ORB_REACH);
    }
    uint32_t rows[ROWS][PIXELS];
    smooth_from<BAND, 0>(at, top, ahead, rows);
}

template <int BAND> Status blur_bands(const OrbDevice *device) {
    const dim3 grid((unsigned)pieces_of(device->width, BLUR_THREADS * PIXELS),
                    (unsigned)pieces_of(device->height, BAND));
    STATUS_TRY(cuda_check_grid_rows((int)grid.y));
    orb_fast_blur<BAND><<<grid, BLUR_THREADS, 0, cuda_stream()>>>(
        device->image, (int)device->stride, device->width, device->height, device->blurred);
    return CUDA_LAUNCHED();
}

Status run_blur(const OrbDevice *device) {
    constexpr size_t MANY_THREADS = 2048; /* of a multiprocessor */
    const size_t threads =
        (size_t)pieces_of(device->width, PIXELS) * (size_t)pieces_of(device->height, MANY_ROWS);
    if (device->width < WIDTH_MIN) {
        return orb_cuda_blur_tiled(device);
    }
    return threads >= MANY_THREADS * (size_t)cuda_multiprocessors() ? blur_bands<MANY_ROWS>(device)
                                                                    : blur_bands<FEW_ROWS>(device);
}

/* === Tests ==================================================================================== */

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFU;
constexpr int TEST_THREADS = 128;
constexpr int KEYPOINTS = 4;         /* of a warp */
constexpr float MAGIC = 12582912.0F; /* 1.5·2^23: adding it leaves a whole number in the low bits */
constexpr float NEAR_MAX = 1048576.0F; /* 2^20: where coordinates have a fraction to spare */

/* The smoothed image, and the tests. */
struct Tests {
    OrbRule<OrbGlobal> rule;
    const Keypoint *keypoints;
    int count;
    float reach; /* of the positions, from the keypoint */
    const OrbTest *tests;
    uint32_t *descriptors;
};

/* A keypoint's place, and whether none of its pixels leaves the image and all are near it. */
struct FastPlace {
    OrbPlace place;
    int inside;
};

__device__ __forceinline__ FastPlace fast_place(const Tests &asked, Keypoint keypoint) {
    FastPlace found;
    found.place = asked.rule.place(keypoint);
    /* Either coordinate of a turned position; a pixel for rounding it. */
    const float reach = (fabsf(found.place.a) + fabsf(found.place.b)) * asked.reach + 1.0F;
    const float x = (float)found.place.x;
    const float y = (float)found.place.y;
    found.inside = reach < NEAR_MAX && x - reach >= 0.0F && y - reach >= 0.0F &&
                   x + reach < (float)asked.rule.width && y + reach < (float)asked.rule.height;
    return found;
}

__device__ __forceinline__ FastPlace broadcast(const FastPlace &own, int lane) {
    FastPlace place;
    place.place.a = __shfl_sync(ALL_LANES, own.place.a, lane);
    place.place.b = __shfl_sync(ALL_LANES, own.place.b, lane);
    place.place.x = __shfl_sync(ALL_LANES, own.place.x, lane);
    place.place.y = __shfl_sync(ALL_LANES, own.place.y, lane);
    place.inside = __shfl_sync(ALL_LANES, own.inside, lane);
    return place;
}

/* Rounded to the nearest, halves to even, as orb_round does. */
__device__ __forceinline__ int rounded(float position) {
    return __float_as_int(PATCH_ADD(position, MAGIC)) - __float_as_int(MAGIC);
}

__device__ __forceinline__ uint32_t inside_pixel(const uint8_t *centre, int stride,
                                                 const OrbPlace &place, float px, float py) {
    const int x = rounded(PATCH_ADD(PATCH_MUL(place.a, px), -PATCH_MUL(place.b, py)));
    const int y = rounded(PATCH_ADD(PATCH_MUL(place.b, px), PATCH_MUL(place.a, py)));
    return __ldg(centre + (ptrdiff_t)y * stride + x);
}

/* Word w of the descriptor is what the warp votes on its tests w: lane 0's is the lowest bit. */
template <int WORDS>
__global__ void __launch_bounds__(TEST_THREADS) orb_fast_describe(Tests asked) {
    const int lane = (int)threadIdx.x % LANES;
    const int warp = ((int)blockIdx.x * TEST_THREADS + (int)threadIdx.x) / LANES;
    const int first = warp * KEYPOINTS;
    const int here = min(KEYPOINTS, asked.count - first);
    if (here <= 0) {
        return;
    }
    OrbTest tests[WORDS];
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        tests[w] = asked.tests[w * LANES + lane];
    }
    FastPlace own = {};
    if (lane < here) {
        own = fast_place(asked, asked.keypoints[first + lane]);
    }
    const int stride = asked.rule.pixel.stride;
    wait_for_kernel_before();
    for (int k = 0; k < here; k++) {
        const FastPlace at = broadcast(own, k);
        const uint8_t *centre =
            asked.rule.pixel.pixels + (ptrdiff_t)at.place.y * stride + at.place.x;
        uint32_t *words = asked.descriptors + (size_t)(first + k) * WORDS;
        uint32_t mine = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const int bit =
                at.inside ? inside_pixel(centre, stride, at.place, tests[w].x1, tests[w].y1) <
                                inside_pixel(centre, stride, at.place, tests[w].x2, tests[w].y2)
                          : asked.rule.bit(at.place, tests[w]);
            const uint32_t votes = __ballot_sync(ALL_LANES, bit);
            mine = lane == w ? votes : mine;
        }
        if (lane < WORDS) {
            words[lane] = mine;
        }
    }
}

struct FastState : OrbDevice {
    float reach; /* of the positions, from the keypoint: the largest coordinate */
};

Status open_fast(OrbDevice *device) {
    FastState *fast = (FastState *)device;
    const Weights *weights = device->weights;
    for (int i = 0; i < weights->bits * weights->columns; i++) {
        fast->reach = fmaxf(fast->reach, fabsf(weights->values[i]));
    }
    return status_ok();
}

template <int WORDS> Status describe(const OrbDevice *device) {
    const Tests asked = {orb_global_rule(device), device->keypoints,
                         device->count,           ((const FastState *)device)->reach,
                         device->tests,           device->descriptors};
    const int warps = pieces_of(device->count, KEYPOINTS);
    return launch_early(orb_fast_describe<WORDS>, (unsigned)pieces_of(warps, TEST_THREADS / LANES),
                        TEST_THREADS, asked);
}

Status run_tests(const OrbDevice *device) {
    constexpr int WORDS_OF_256 = 256 / LANES;
    return device->bits == WORDS_OF_256 * LANES ? describe<WORDS_OF_256>(device)
                                                : describe<2 * WORDS_OF_256>(device);
}

const OrbMethod method = {open_fast, run_blur, run_tests};

} // namespace

Status orb_cuda_fast_open(const Request *request, void **state) {
    return orb_cuda_open_with<FastState>(request, &method, state);
}

/* === cuda_multi =============================================================================== */

/* Its floor is that of the tests divided by the devices: each smooths the whole image. */

VARIANT_FUNCTIONS(orb_cuda_multi);
VARIANT_EXTERN const VariantTable orb_cuda_variants;

Status orb_cuda_multi_open(const Request *request, void **state) {
    return multi_keypoints_open(request, &orb_cuda_variants, state);
}
