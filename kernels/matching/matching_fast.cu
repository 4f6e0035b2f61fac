/*
 * cuda_fast: both directions from one pass over the pairs, whose distances are products of bits on
 * tensor cores. (Squared distances of bytes are products of bytes: matching_l2.cu.)
 *
 * What it improves on: cuda_tiled counts the bits of every pair twice, 16 words a clock. Here a
 * product of 16 × 256 bits with 256 × 8 takes one instruction. Hopper's wgmma counts ones that two
 * rows share; with the complements added that is 256 − distance. mma.sync counts bits that differ.
 *
 * A block keeps 128 rows of B, here called columns, in shared memory, and takes rows of A tile by
 * tile through registers. From then on the sums are the work. Two columns make one word of two keys
 * of 16 bits: similarity above, place below. A key's place serves both directions: of one row the
 * greatest key is that of the nearest columns, of one column that of the nearest tile. So three
 * packed maxima handle four pairs, row and column each. Places are coarse, 16 columns or 16 rows;
 * which of these it is, a last kernel finds by comparing again: 16 of 10,000 rows.
 *
 * Floor, 10,000 × 10,000 rows of 256 bits on 132 multiprocessors at 1.755 GHz, a tile of 64 × 128
 * pairs: 2 wgmma take 141 clocks; 64 multiply-adds and 32 maxima a thread take 96 where both pipes
 * share them evenly: 7.5 µs if one hides behind the other, 13 µs if not. They do not: both read and
 * write registers all the time, and 100,000 × 100,000 pairs take 299 clocks a tile.
 *
 * The ladder on an H100, 10,000 and 100,000 rows on either side:
 *   256 bits  97.7 µs, 6.42 ms  products of bytes that are 1 or -1, by mma.sync
 *             31.7 µs, 1.58 ms  products of bits by wgmma, coarse places
 *   512 bits  174 to 37.2 µs, 13.8 to 2.24 ms;  1024 bits  484 to 75.6 µs, 39.5 to 5.01 ms
 * A program of its own that found the very row and piece of eight columns in the loop took 43.1 µs
 * and 2.25 ms.
 */
#include <cstdint>

#include "early_launch.cuh"
#include "matching_device.cuh"
#include "wgmma.cuh"

VARIANT_FUNCTIONS(matching_cuda_fast);
VARIANT_EXTERN const char *matching_cuda_fast_path(const void *state);

namespace {

constexpr int WARP = 32;
constexpr int WARPS = 4;
constexpr int THREADS = WARPS * WARP;
constexpr int ROWS = 16 * WARPS; /* of a tile */
constexpr int COLUMNS = WGMMA_COLUMNS;
constexpr int PIECES = COLUMNS / 8; /* of eight columns; a thread has a pair of each */
constexpr int GROUP = 16;           /* rows or columns that share a place */
constexpr int GROUPS = COLUMNS / GROUP;

/* === Keys ===================================================================================== */

/*
 * Bits that a similarity takes (0 … Kind's bits), and what is left for places: of the keys of 16
 * bits within a block, and of those of 32 bits in memory. The greatest key is the nearest group of
 * 16, of several the first, because places count downwards.
 *
 * Within a block the place is (GROUPS − 1 − group of columns) + (TILES − 1 − tile): in a row of
 * pairs the tile is the same, in a column the group is.
 */
template <typename Kind> struct Keys {
    static constexpr int BITS = 32 * Kind::WORDS;
    static constexpr int SIMILARITY_BITS = Kind::WORDS == 8 ? 9 : Kind::WORDS == 16 ? 10 : 11;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    static constexpr int SHIFT = 15 - SIMILARITY_BITS; /* they are compared as numbers of 16 bits */
#else
    static constexpr int SHIFT = 16 - SIMILARITY_BITS;
#endif
    static constexpr int LAST_PLACE = (1 << SHIFT) - 1;
    /* Before places run out; an even number, as two tiles are taken at a time. */
    static constexpr int TILES = (LAST_PLACE + 1 - (GROUPS - 1)) / 2 * 2;
    static constexpr int FIRST_PLACE = GROUPS - 1 + TILES - 1;

    static constexpr int GROUP_SHIFT = 32 - SIMILARITY_BITS;
    static constexpr uint32_t LAST_GROUP = (1U << GROUP_SHIFT) - 1;

    static __device__ __forceinline__ uint32_t of_group(uint32_t similarity, int group) {
        return similarity << GROUP_SHIFT | (LAST_GROUP - (uint32_t)group);
    }
    static __device__ __forceinline__ int group(uint32_t key) {
        return (int)(LAST_GROUP - (key & LAST_GROUP));
    }
    static __device__ __forceinline__ int distance(uint32_t key) {
        return BITS - (int)(key >> GROUP_SHIFT);
    }
};

/* In both halves of a word. */
constexpr uint32_t BOTH = 0x10001;

/* The greater of both halves. */
__device__ __forceinline__ uint32_t greater(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
    /* As numbers of 16 bits: keys are positive and below infinity. */
    asm("max.f16x2 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));
    return a;
#else
    return __vmaxu2(a, b);
#endif
}

__device__ __forceinline__ uint32_t greatest(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return __vimax3_u16x2(a, b, c);
#else
    return greater(greater(a, b), c);
#endif
}

/* === Products ================================================================================= */

/* Where a thread's pairs lie in a tile: as wgmma.cuh has them. */
struct Lane {
    int warp, group, place;
};

__device__ __forceinline__ Lane this_lane() {
    const int lane = (int)threadIdx.x % WARP;
    return Lane{(int)threadIdx.x / WARP, lane / 4, lane % 4};
}

/* The rows of A that a thread has of a tile: two, of each two words of every 256 bits. */
template <typename Kind> struct TileRows {
    static constexpr int STEPS = Kind::WORDS / 8;
    uint32_t words[STEPS][4];

    __device__ __forceinline__ void load(const uint32_t *rows, int count, int tile, Lane lane) {
        const int row = tile * ROWS + lane.warp * 16 + lane.group;
        /* Copies of the last row are as near as it is and come after it, so they are nobody's
         * nearest. */
        const uint32_t *upper = rows + (size_t)min(row, count - 1) * Kind::WORDS + lane.place;
        const uint32_t *lower = rows + (size_t)min(row + 8, count - 1) * Kind::WORDS + lane.place;
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            words[step][0] = __ldg(upper + 8 * step);
            words[step][1] = __ldg(lower + 8 * step);
            words[step][2] = __ldg(upper + 8 * step + 4);
            words[step][3] = __ldg(lower + 8 * step + 4);
        }
    }
};

/* The columns of a block, in shared memory: halves of 256 bits, and with wgmma the complements. */
template <typename Kind, bool WGMMA> struct Columns {
    static constexpr int STEPS = Kind::WORDS / 8;
    static constexpr int FORMS = WGMMA ? 2 : 1;
    alignas(128) uint4 words[STEPS][FORMS][2][COLUMNS];
};

/* One column for each thread. */
template <typename Kind, bool WGMMA>
__device__ __forceinline__ void load_columns(Columns<Kind, WGMMA> &columns, const uint32_t *rows,
                                             int count, int first) {
    static_assert(THREADS == COLUMNS, "a thread a column");
    using Shared = Columns<Kind, WGMMA>;
    const int column = min(first + (int)threadIdx.x, count - 1);
    const uint4 *from = (const uint4 *)(rows + (size_t)column * Kind::WORDS);
#pragma unroll
    for (int i = 0; i < 2 * Shared::STEPS; i++) {
        const uint4 part = __ldg(from + i);
        columns.words[i / 2][0][i % 2][threadIdx.x] = part;
        if (WGMMA) {
            columns.words[i / 2][Shared::FORMS - 1][i % 2][threadIdx.x] =
                make_uint4(~part.x, ~part.y, ~part.z, ~part.w);
        }
    }
    if (WGMMA) {
        wgmma_wrote_operands();
    }
}

/* The sums of a thread's pairs in a tile: similarities with wgmma, distances without. */
template <typename Kind>
__device__ __forceinline__ void multiply(uint32_t (&sums)[WGMMA_SUMS], const TileRows<Kind> &rows,
                                         const Columns<Kind, true> &columns, Lane lane) {
    (void)lane;
#pragma unroll
    for (int step = 0; step < Columns<Kind, true>::STEPS; step++) {
        const uint32_t(&words)[4] = rows.words[step];
        uint32_t complements[1][4] = {{~words[0], ~words[1], ~words[2], ~words[3]}};
        wgmma_begin(complements);
        if (step == 0) {
            wgmma_bits<true>(sums, words, wgmma_operand(columns.words[step][0]));
        } else {
            wgmma_bits<false>(sums, words, wgmma_operand(columns.words[step][0]));
        }
        wgmma_bits<false>(sums, complements[0], wgmma_operand(columns.words[step][1]));
    }
    wgmma_end(sums);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
/* 8 × 128 by 128 × 8 bits: the quarter that devices before 8.0 have, with the same places. */
__device__ __forceinline__ void mma_quarter(uint32_t *sums, uint32_t a, uint32_t b) {
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, "
                 "{%0, %1};"
                 : "+r"(sums[0]), "+r"(sums[1])
                 : "r"(a), "r"(b));
}
#endif

/* sums += how many bits differ, of 16 rows and 8 columns. */
__device__ __forceinline__ void mma_bits(uint32_t *sums, const uint32_t (&a)[4], uint32_t b0,
                                         uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    mma_quarter(sums, a[0], b0);
    mma_quarter(sums, a[2], b1);
    mma_quarter(sums + 2, a[1], b0);
    mma_quarter(sums + 2, a[3], b1);
#else
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

template <typename Kind>
__device__ __forceinline__ void multiply(uint32_t (&sums)[WGMMA_SUMS], const TileRows<Kind> &rows,
                                         const Columns<Kind, false> &columns, Lane lane) {
#pragma unroll
    for (uint32_t &sum : sums) {
        sum = 0;
    }
#pragma unroll
    for (int step = 0; step < Columns<Kind, false>::STEPS; step++) {
        const uint4(&halves)[2][COLUMNS] = columns.words[step][0];
#pragma unroll
        for (int piece = 0; piece < PIECES; piece++) {
            const int column = 8 * piece + lane.group;
            mma_bits(&sums[4 * piece], rows.words[step],
                     ((const uint32_t *)&halves[0][column])[lane.place],
                     ((const uint32_t *)&halves[1][column])[lane.place]);
        }
    }
}

/* === Maxima =================================================================================== */

/* A word of two keys. The shifts are written out, so that the compiler shares them between the
 * pipes: 4 % faster than multiplications by numbers that it does not know. */
template <typename Kind, bool WGMMA>
__device__ __forceinline__ uint32_t keys_of(uint32_t even, uint32_t odd, uint32_t place) {
    const uint32_t sums = ((odd << 16) + even) << Keys<Kind>::SHIFT;
    constexpr uint32_t ALL = ((uint32_t)Keys<Kind>::BITS << Keys<Kind>::SHIFT) * BOTH;
    return WGMMA ? place + sums : place + ALL - sums;
}

/* The greatest keys of a tile: of each column among all tiles, and of the thread's two rows among
 * its columns. Returns those of the rows, the upper one in the lower half. */
template <typename Kind, bool WGMMA>
__device__ __forceinline__ uint32_t take_maxima(const uint32_t (&sums)[WGMMA_SUMS], int place,
                                                uint32_t (&columns)[PIECES]) {
    uint32_t upper = 0;
    uint32_t lower = 0;
#pragma unroll
    for (int piece = 0; piece < PIECES; piece += GROUP / 8) {
        const uint32_t here = (uint32_t)(place - piece / 2) * BOTH;
        const uint32_t *first = &sums[4 * piece];
        const uint32_t *second = first + 4;
        const uint32_t a = keys_of<Kind, WGMMA>(first[0], first[1], here);
        const uint32_t b = keys_of<Kind, WGMMA>(first[2], first[3], here);
        const uint32_t c = keys_of<Kind, WGMMA>(second[0], second[1], here);
        const uint32_t d = keys_of<Kind, WGMMA>(second[2], second[3], here);
        upper = greatest(upper, a, c);
        lower = greatest(lower, b, d);
        columns[piece] = greatest(columns[piece], a, b);
        columns[piece + 1] = greatest(columns[piece + 1], c, d);
    }
    return greater(__byte_perm(upper, lower, 0x5410), __byte_perm(upper, lower, 0x7632));
}

/* What a block works on. Keys of groups: a row's is lowered by all blocks of its tile. */
struct Pairs {
    const uint32_t *a, *b; /* rows of Kind::WORDS words */
    int a_count, b_count;
    uint32_t *a_keys, *b_keys; /* for each row, 0 before */
};

/* Raises the keys of the rows of two tiles, `maxima` of each. Of the four lanes of a row, 0 and 2
 * take the first tile's two rows, 1 and 3 the second's. */
template <typename Kind>
__device__ __forceinline__ void store_rows(const Pairs &pairs, const uint32_t (&maxima)[2],
                                           int tile, int place, int first_column, Lane lane) {
    const int which = lane.place % 2;
    const uint32_t others = __shfl_xor_sync(~0U, which ? maxima[0] : maxima[1], 1);
    uint32_t best = greater(which ? maxima[1] : maxima[0], others);
    best = greater(best, __shfl_xor_sync(~0U, best, 2));
    const int half = lane.place / 2;
    const int row = (tile + which) * ROWS + lane.warp * 16 + half * 8 + lane.group;
    if (row < pairs.a_count) {
        const uint32_t key = best >> 16 * half & 0xFFFF;
        const int group = place - which - (int)(key & Keys<Kind>::LAST_PLACE);
        atomicMax(&pairs.a_keys[row],
                  Keys<Kind>::of_group(key >> Keys<Kind>::SHIFT, first_column / GROUP + group));
    }
}

/* Raises the keys of a block's columns, and clears them. */
template <typename Kind>
__device__ __forceinline__ void store_columns(const Pairs &pairs, uint32_t (&columns)[PIECES],
                                              int first_tile, int first_column, Lane lane) {
#pragma unroll
    for (int piece = 0; piece < PIECES; piece++) {
        uint32_t best = columns[piece];
        columns[piece] = 0;
        best = greater(best, __shfl_xor_sync(~0U, best, 4));
        best = greater(best, __shfl_xor_sync(~0U, best, 8));
        best = greater(best, __shfl_xor_sync(~0U, best, 16));
        /* All lanes have it: two of them store, others those of other pieces. */
        const int odd = lane.group % 2;
        const int column = first_column + 8 * piece + 2 * lane.place + odd;
        if (lane.group / 2 == piece % 4 && column < pairs.b_count) {
            const uint32_t key = best >> 16 * odd & 0xFFFF;
            const int tile = first_tile + Keys<Kind>::FIRST_PLACE - piece / 2 -
                             (int)(key & Keys<Kind>::LAST_PLACE);
            atomicMax(&pairs.b_keys[column],
                      Keys<Kind>::of_group(key >> Keys<Kind>::SHIFT, tile * WARPS + lane.warp));
        }
    }
}

/* === The search =============================================================================== */

/* Blocks a multiprocessor: what the registers of a thread, 64 sums above all, leave room for. */
template <typename Kind> constexpr int RESIDENT = Kind::WORDS == 8 ? 4 : 3;

/* Block (x, y): columns 128 x … and tiles slice · y …; `slice` is even. */
template <typename Kind, bool WGMMA>
__global__ void __launch_bounds__(THREADS, RESIDENT<Kind>) match(Pairs pairs, int slice) {
#if WGMMA_IS_HERE
    constexpr bool compiled = true;
#else
    constexpr bool compiled = !WGMMA;
#endif
    if constexpr (compiled) {
        __shared__ Columns<Kind, WGMMA> shared;
        let_next_start();
        const Lane lane = this_lane();
        const int first_column = (int)blockIdx.x * COLUMNS;
        const int begin = (int)blockIdx.y * slice;
        const int end = min(begin + slice, (pairs.a_count + ROWS - 1) / ROWS);
        load_columns<Kind, WGMMA>(shared, pairs.b, pairs.b_count, first_column);
        __syncthreads();
        uint32_t columns[PIECES] = {};
        TileRows<Kind> next;
        next.load(pairs.a, pairs.a_count, begin, lane);
#pragma unroll 1
        for (int first = begin; first < end; first += Keys<Kind>::TILES) {
            const int stop = min(end, first + Keys<Kind>::TILES);
#pragma unroll 1
            for (int tile = first; tile < stop; tile += 2) {
                const int place = Keys<Kind>::FIRST_PLACE - (tile - first);
                uint32_t maxima[2];
#pragma unroll
                for (int i = 0; i < 2; i++) {
                    const TileRows<Kind> rows = next;
                    uint32_t sums[WGMMA_SUMS];
                    next.load(pairs.a, pairs.a_count, tile + i + 1, lane);
                    multiply<Kind>(sums, rows, shared, lane);
                    maxima[i] = take_maxima<Kind, WGMMA>(sums, place - i, columns);
                }
                store_rows<Kind>(pairs, maxima, tile, place, first_column, lane);
            }
            store_columns<Kind>(pairs, columns, first, first_column, lane);
        }
    }
}

/* === Which of a group ========================================================================= */

constexpr int EXACT_THREADS = 256;

template <typename Kind>
__device__ __forceinline__ int distance_of(const uint32_t *row, const uint32_t *other) {
    using Row = MatchingRow<Kind>;
    return (int)matching_distance<Kind>(*(const Row *)row, *(const Row *)other);
}

/* The first row of a group at this distance of `row`; its sixteen lanes look at one each, and all
 * lanes of the warp call it together. */
template <typename Kind>
__device__ __forceinline__ int first_at(const uint32_t *row, int distance, const uint32_t *rows,
                                        int count, int group) {
    const int lane = (int)threadIdx.x % GROUP;
    const int index = group * GROUP + lane;
    const uint32_t *other = rows + (size_t)min(index, count - 1) * Kind::WORDS;
    const bool found = index < count && distance_of<Kind>(row, other) == distance;
    const uint32_t lanes = __ballot_sync(~0U, found) >> (int)threadIdx.x % WARP / GROUP * GROUP;
    return group * GROUP + __ffs((int)(lanes & 0xFFFF)) - 1;
}

/* The rows of A, or with `of_b` those of B, sixteen threads each. */
template <typename Kind>
__device__ __forceinline__ MatchingKey exact_key(const Pairs &pairs, bool of_b, int index) {
    const uint32_t key = of_b ? pairs.b_keys[index] : pairs.a_keys[index];
    const uint32_t *row = (of_b ? pairs.b : pairs.a) + (size_t)index * Kind::WORDS;
    const int distance = Keys<Kind>::distance(key);
    return matching_key((unsigned int)distance,
                        first_at<Kind>(row, distance, of_b ? pairs.a : pairs.b,
                                       of_b ? pairs.a_count : pairs.b_count,
                                       Keys<Kind>::group(key)));
}

__device__ __forceinline__ int exact_row() {
    return (int)(blockIdx.x * (EXACT_THREADS / GROUP) + threadIdx.x / GROUP);
}

/* Blocks of A, then blocks of B. */
template <typename Kind>
__global__ void __launch_bounds__(EXACT_THREADS)
    exact_keys(Pairs pairs, int a_blocks, MatchingKey *a_keys, MatchingKey *b_keys) {
    wait_for_kernel_before();
    const bool of_b = (int)blockIdx.x >= a_blocks;
    const int row = exact_row() - (of_b ? a_blocks * (EXACT_THREADS / GROUP) : 0);
    const int count = of_b ? pairs.b_count : pairs.a_count;
    const MatchingKey key = exact_key<Kind>(pairs, of_b, min(row, count - 1));
    if (threadIdx.x % GROUP == 0 && row < count) {
        (of_b ? b_keys : a_keys)[row] = key;
    }
}

/* A match is mutual if the column's key names this row's group and distance, and no row before this
 * one in the group is at that distance. */
template <typename Kind>
__global__ void __launch_bounds__(EXACT_THREADS) exact_matches(Pairs pairs, Match *matches) {
    wait_for_kernel_before();
    const int row = exact_row();
    const int here = min(row, pairs.a_count - 1);
    const MatchingKey key = exact_key<Kind>(pairs, false, here);
    const int nearest = (int)(key & UINT32_MAX);
    const int distance = (int)(key >> 32);
    const uint32_t back = pairs.b_keys[nearest];
    const bool same =
        Keys<Kind>::distance(back) == distance && Keys<Kind>::group(back) == here / GROUP;
    const int first = first_at<Kind>(pairs.b + (size_t)nearest * Kind::WORDS, distance, pairs.a,
                                     pairs.a_count, here / GROUP);
    if (threadIdx.x % GROUP == 0 && row < pairs.a_count) {
        matches[row] = Match{(uint64_t)nearest, (uint64_t)distance, same && first == row ? 1U : 0U};
    }
}

/* === The variant ============================================================================== */

struct MatchingFast : MatchingDevice {
    uint32_t *keys; /* of groups: a_count, then b_count */
    bool wgmma;     /* compiled for this device */
    int slice;      /* tiles of A that a block takes */
};

template <typename Call> Status for_kind(const MatchingSets *sets, const Call &call) {
    return matching_for_words<MATCHING_HAMMING>(sets->bytes, call);
}

Pairs pairs_of(const MatchingFast *fast) {
    const MatchingSets *sets = &fast->sets;
    return Pairs{(const uint32_t *)fast->a,
                 (const uint32_t *)fast->b,
                 sets->a_count,
                 sets->b_count,
                 fast->keys,
                 fast->keys + sets->a_count};
}

Status open_fast(MatchingDevice *device) {
    MatchingFast *fast = (MatchingFast *)device;
    const MatchingSets *sets = &device->sets;
    const size_t keys = (size_t)sets->a_count + (size_t)sets->b_count;
    const CudaBuffer table[] = {cuda_scratch(&fast->keys, keys * sizeof *fast->keys)};
    STATUS_TRY(cuda_open_buffers(device, table));
    return for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        const void *with_wgmma = (const void *)match<Kind, true>;
        STATUS_TRY(matching_is_compiled(with_wgmma, &fast->wgmma));
        device->path = fast->wgmma ? "wgmma b1" : "mma.sync b1";
        const void *kernel = fast->wgmma ? with_wgmma : (const void *)match<Kind, false>;
        int resident = 0;
        STATUS_TRY(cuda_resident_blocks(kernel, THREADS, 0, &resident));
        fast->slice =
            matching_slice(pieces_of(sets->a_count, ROWS), 2, pieces_of(sets->b_count, COLUMNS),
                           resident * cuda_multiprocessors());
        return status_ok();
    });
}

/* Queues finding the nearest groups. */
template <typename Kind> Status match_all(const MatchingFast *fast) {
    const Pairs pairs = pairs_of(fast);
    const size_t keys = (size_t)pairs.a_count + (size_t)pairs.b_count;
    const dim3 grid((unsigned int)pieces_of(pairs.b_count, COLUMNS),
                    (unsigned int)pieces_of(pieces_of(pairs.a_count, ROWS), fast->slice));
    CUDA_TRY(cudaMemsetAsync(fast->keys, 0, keys * sizeof *fast->keys, cuda_stream()));
    if (fast->wgmma) {
        match<Kind, true><<<grid, THREADS, 0, cuda_stream()>>>(pairs, fast->slice);
    } else {
        match<Kind, false><<<grid, THREADS, 0, cuda_stream()>>>(pairs, fast->slice);
    }
    return CUDA_LAUNCHED();
}

Status search(const MatchingDevice *device) {
    const MatchingFast *fast = (const MatchingFast *)device;
    const MatchingSets *sets = &device->sets;
    const int a_blocks = pieces_of(sets->a_count, EXACT_THREADS / GROUP);
    const int b_blocks = pieces_of(sets->b_count, EXACT_THREADS / GROUP);
    return for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        STATUS_TRY(match_all<Kind>(fast));
        return launch_early(exact_keys<Kind>, (unsigned int)(a_blocks + b_blocks), EXACT_THREADS,
                            pairs_of(fast), a_blocks, device->a_keys, device->b_keys);
    });
}

Status search_and_match(const MatchingDevice *device) {
    const MatchingFast *fast = (const MatchingFast *)device;
    const int blocks = pieces_of(device->sets.a_count, EXACT_THREADS / GROUP);
    return for_kind(&device->sets, [&](auto kind) {
        using Kind = decltype(kind);
        STATUS_TRY(match_all<Kind>(fast));
        return launch_early(exact_matches<Kind>, (unsigned int)blocks, EXACT_THREADS,
                            pairs_of(fast), device->matches);
    });
}

const MatchingMethod method = {open_fast, search, search_and_match};

} // namespace

Status matching_fast_open_sets(const Request *request, const MatchingSets *sets, void **state) {
    return sets->distance == MATCHING_L2
               ? matching_l2_open_sets(request, sets, state)
               : matching_cuda_open_sets<MatchingFast>(request, sets, &method, state);
}

Status matching_cuda_fast_open(const Request *request, void **state) {
    const MatchingSets sets = matching_sets(request->workload, request->answer);
    return matching_fast_open_sets(request, &sets, state);
}

const char *matching_cuda_fast_path(const void *state) {
    return ((const MatchingDevice *)state)->path;
}
