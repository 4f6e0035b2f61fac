/*
 * Device side of a fast9 cell: what all its variants have in common. They differ in how they make
 * the pyramid and find corners (Fast9Search); suppression, orientation and the choice of the
 * strongest are done in one way.
 *
 * Corners are found into one list with a cursor that counts them all, also those without room; a
 * list that was too short is made longer and the corners are found again: nothing is lost. A map of
 * all pixels tells suppression where they are: by FAST score a byte with the score itself, by
 * Harris score a word with the place in the list. It is 0 everywhere between runs, for each run
 * clears the pixels of its own corners only.
 */
#ifndef KERNELS_FAST9_FAST9_DEVICE_CUH
#define KERNELS_FAST9_FAST9_DEVICE_CUH

#include "cuda_state.h"
#include "fast9.h"

/* === The device side ========================================================================== */

extern "C" {

/* A corner: its level and place, a number of 0 … 65,535 each, and its FAST score if that counts. */
typedef struct Fast9Corner {
    uint16_t x, y;
    uint16_t level;
    uint16_t score;
} Fast9Corner;

struct Fast9Device;

/* How a variant makes levels and finds corners; NULL members: as cuda_naive does. None is called
 * for an image without levels. */
typedef struct Fast9Search {
    Status (*open)(Fast9Device *device); /* optional: opens search_state */
    /* Queues making levels 1 … count − 1 of `pyramid`. */
    Status (*pyramid)(Fast9Device *device);
    /* Queues finding the corners of all levels into list and cursor, which is 0 before. */
    Status (*corners)(Fast9Device *device);
    bool scores; /* `corners` also enters FAST scores into list and map */
} Fast9Search;

struct Fast9Device : CudaState {
    Fast9Point point;
    Fast9Levels levels;
    /* levels.pixels bytes, as levels.offset says; device memory, as below. Rows begin at multiples
     * of 16 bytes. */
    uint8_t *pyramid;
    uint8_t *scores;      /* the map by FAST score, levels.pixels: 1 + score, 0: no corner */
    uint32_t *places;     /* the map by Harris score: 1 + place in the list, 0: no corner */
    Fast9Corner *corners; /* room for `capacity`, in any order */
    unsigned int *cursor; /* corners found, also those without room */
    unsigned int capacity;
    const Fast9Search *search;
    void *search_state;
    struct Fast9Work *work; /* what suppression, sorting and the answer need */
};

/* `search` is the variant's. */
Status fast9_cuda_open_with(const Request *request, const Fast9Search *search, void **state);

/* The same for all variants; `state` is a Fast9Device. run is the four stages. */
Status fast9_cuda_pyramid(void *state);
Status fast9_cuda_corners(void *state);
Status fast9_cuda_suppress(void *state);
Status fast9_cuda_select(void *state);

/* As upload and all stages but the last, with one kernel launch for all that is copied and cleared.
 */
Status fast9_cuda_queue_survivors(Fast9Device *device);

/* As the last stage and download together, in two parts: `queue` has kernels write counts and
 * keypoints to the host's memory, which is page-locked. `finish` is called when they are there. Not
 * where fast9_select_waits. */
Status fast9_cuda_queue_answer(const Fast9Device *device);
Status fast9_cuda_finish_answer(Fast9Device *device);

} // extern "C"

/* === Steps ==================================================================================== */

/*
 * What the shared part of fast9 on the device keeps besides Fast9Device, and what its files call of
 * each other. Of the variants' searches, cuda_naive's is the one that others fall back on.
 */

/* Two counts in a row, as Fast9Device.cursor begins them. */
struct Fast9Counts {
    unsigned int corners;   /* found, also those without room */
    unsigned int survivors; /* of those in the list, after suppression */
};

/* Bins of survivors by FAST score: one for each score and slab of the pyramid's pixels. */
enum { FAST9_SCORE_MAX = 255, FAST9_SLABS = 16, FAST9_BINS = (FAST9_SCORE_MAX + 1) * FAST9_SLABS };

/* All that a run counts. */
struct Fast9Tally {
    Fast9Counts counts;
    unsigned int bins[FAST9_BINS]; /* survivors in each */
    unsigned int cursors[FAST9_BINS];
    /* Up to here 0 before corners are looked for. */
    unsigned int starts[FAST9_BINS + 1];
    unsigned int chosen; /* survivors in the bins of the answer */
};

/* A survivor, in the order of the answer the least first: by FAST score in one number. Pixels are
 * numbered as levels, rows and columns follow. */
typedef uint64_t Fast9Key; /* FAST9_SCORE_MAX − score, and 32 bits of pixel */
struct Fast9HarrisKey {
    int64_t score;
    uint64_t pixel;
};

struct Fast9Work {
    Fast9Tally *tally;        /* device memory; cursor is its first member */
    Fast9Counts *counts_copy; /* in page-locked host memory, as of the last fast9_cuda_counts */
    int64_t *harris;          /* scores of the corners, as they stand in the list; or NULL */
    void *survivors;          /* their keys, in any order: as many as the list has room for */
    Fast9Key *keys;           /* as many again, by FAST score */
    void *sorting;            /* CUB's temporary memory */
    size_t sorting_bytes;
    Fast9Keypoint *answer; /* room for `rows` */
    unsigned int rows;     /* the most keypoints that the answer takes */
    unsigned int blocks; /* of a kernel launch whose blocks share out as many items as there are */
};

/* The default of Fast9Search.pyramid and .corners. */
Status fast9_cuda_pyramid_levels(Fast9Device *device);
Status fast9_cuda_naive_corners(Fast9Device *device);

static inline bool fast9_by_harris(const Fast9Device *device) {
    return device->point.score == FAST9_SCORE_HARRIS;
}

/* Waits for the counts. */
Status fast9_cuda_counts(const Fast9Device *device);

/* Scores the corners of the list and enters them into the map. */
Status fast9_cuda_score(const Fast9Device *device);

/* Opens the keys of up to `capacity` corners and what sorting them needs, and closes it. */
Status fast9_cuda_select_open(Fast9Device *device);
void fast9_cuda_select_close(Fast9Device *device);

/* Whether fast9_cuda_select begins with the host's wait for the number of corners: by Harris score,
 * or where more keypoints are wanted than bins can choose. */
bool fast9_select_waits(const Fast9Device *device);

/* === Levels =================================================================================== */

/* A level as the kernels see it that look for corners one level after the other. */

struct Fast9Level {
    const uint8_t *pixels;
    int width, height, stride, number, threshold;
};

/* Whether a pixel that is not in the border above or left may be a corner. */
static __device__ __forceinline__ bool fast9_is_inside(const Fast9Level &level, int x, int y) {
    return x < level.width - FAST9_BORDER && y < level.height - FAST9_BORDER;
}

/* Calls launch(level, grid) for every level, with blocks of `columns` × `rows` pixels for all that
 * is not border: the first begins at (FAST9_BORDER, FAST9_BORDER). */
template <typename Launch>
Status fast9_each_level(const Fast9Device *device, int columns, int rows, const Launch &launch) {
    const Fast9Levels *levels = &device->levels;
    for (int number = 0; number < levels->count; number++) {
        const Fast9Level level = {device->pyramid + levels->offset[number],
                                  levels->width[number],
                                  levels->height[number],
                                  levels->stride[number],
                                  number,
                                  device->point.corner_threshold};
        const dim3 grid((unsigned int)pieces_of(level.width - 2 * FAST9_BORDER, columns),
                        (unsigned int)pieces_of(level.height - 2 * FAST9_BORDER, rows));
        STATUS_TRY(launch(level, grid));
    }
    return status_ok();
}

/* === The list of corners ====================================================================== */

/* The list of corners as kernels see it: appending to it, and going through it. */

struct Fast9List {
    Fast9Corner *corners;
    unsigned int *cursor;
    unsigned int capacity;
};

static inline Fast9List fast9_list(const Fast9Device *device) {
    return {device->corners, device->cursor, device->capacity};
}

/* Corners that are in the list. The host does not know: kernels that go through it are launched
 * with as many blocks as are of use at once. */
static __device__ __forceinline__ unsigned int fast9_listed(const Fast9List &list) {
    return min(*list.cursor, list.capacity);
}

/* The number of a corner's pixel among those of all levels. */
static __device__ __forceinline__ size_t fast9_pixel_of(const Fast9Levels &levels,
                                                        const Fast9Corner &corner) {
    return levels.offset[corner.level] + (size_t)corner.y * (size_t)levels.stride[corner.level] +
           corner.x;
}

/* Corners that find no room are counted, and lost until the list has been made longer. */
static __device__ __forceinline__ void fast9_put(const Fast9List &list, unsigned int at, int level,
                                                 int x, int y, int score = 0) {
    if (at < list.capacity) {
        list.corners[at] = {(uint16_t)x, (uint16_t)y, (uint16_t)level, (uint16_t)score};
    }
}

/* === Bins ===================================================================================== */

/* What a pixel's number is multiplied with: the upper word of the product is its slab. */
static inline uint32_t fast9_slab_factor(const Fast9Levels &levels) {
    return levels.count == 0 ? 0 : (uint32_t)(((uint64_t)FAST9_SLABS << 32) / levels.pixels);
}

static __device__ __forceinline__ unsigned int fast9_bin(Fast9Key key, uint32_t slab_factor) {
    return (unsigned int)(key >> 32) * FAST9_SLABS + __umulhi((uint32_t)key, slab_factor);
}

/* === The circle =============================================================================== */

/*
 * The circle around a pixel: whether it makes the pixel a corner.
 *
 * Pixels are read through an object: pixel(dx, dy) is the one dx to the right of and dy below the
 * centre, wherever the variant has it.
 */

/* Pixels of a level in global memory. */
struct Fast9GlobalPixels {
    const uint8_t *centre;
    int stride;

    __device__ __forceinline__ int operator()(int dx, int dy) const {
        return centre[dy * stride + dx];
    }
};

/* Whether the 16 bits, taken as a circle, have nine set in a row. */
static __device__ __forceinline__ bool fast9_has_arc(uint32_t bits) {
    const uint32_t twice = bits | bits << FAST9_CIRCLE; /* the circle's end goes on at its start */
    const uint32_t two = twice & twice >> 1;
    const uint32_t four = two & two >> 2;
    const uint32_t eight = four & four >> 4;
    return (eight & twice >> 8) != 0;
}

/* Whether the top, right, bottom and left pixels allow an arc: nine neighbours have at least one of
 * two opposite pixels among them. */
static __device__ __forceinline__ bool fast9_may_have_arc(uint32_t bits) {
    return (bits & 0x0101) != 0 && (bits & 0x1010) != 0;
}

/* The four pixels that can rule a corner out come first; most pixels need no more. */
template <typename Pixels>
__device__ __forceinline__ bool fast9_is_corner(const Pixels &pixel, int threshold) {
    constexpr int xs[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    constexpr int ys[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    const int centre = pixel(0, 0);
    uint32_t brighter = 0;
    uint32_t darker = 0;
    const auto compare = [&](int i) {
        const int difference = pixel(xs[i], ys[i]) - centre;
        brighter |= (difference > threshold ? 1U : 0U) << i;
        darker |= (difference < -threshold ? 1U : 0U) << i;
    };
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i += 4) {
        compare(i);
    }
    if (!fast9_may_have_arc(brighter) && !fast9_may_have_arc(darker)) {
        return false;
    }
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        if (i % 4 != 0) {
            compare(i);
        }
    }
    return fast9_has_arc(brighter) || fast9_has_arc(darker);
}

/* The largest threshold at which the pixel is a corner: one less than what all of some arc differ
 * by. Differences of either sign, plus BIAS, lie side by side in a word; minima over arcs of two
 * make those of four, these those of eight. */
template <typename Pixels> __device__ __forceinline__ int fast9_arc_score(const Pixels &pixel) {
    constexpr int xs[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    constexpr int ys[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    constexpr int BIAS = 256;
    const int centre = pixel(0, 0);
    uint32_t one[FAST9_CIRCLE];
    uint32_t two[FAST9_CIRCLE];
    uint32_t four[FAST9_CIRCLE];
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        const int difference = pixel(xs[i], ys[i]) - centre;
        one[i] = (uint32_t)(BIAS + difference) | (uint32_t)(BIAS - difference) << 16;
    }
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        two[i] = __vminu2(one[i], one[(i + 1) % FAST9_CIRCLE]);
    }
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        four[i] = __vminu2(two[i], two[(i + 2) % FAST9_CIRCLE]);
    }
    uint32_t best = 0;
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        const uint32_t eight = __vminu2(four[i], four[(i + 4) % FAST9_CIRCLE]);
        best = __vmaxu2(best, __vminu2(eight, one[(i + 8) % FAST9_CIRCLE]));
    }
    return (int)max(best & 0xFFFF, best >> 16) - BIAS - 1;
}

#endif
