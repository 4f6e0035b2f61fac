/*
 * cuda_fast: a table that the L2 cache holds in two kernel launches (summed_tiles.cuh), a larger
 * one in one pass, here. Every pixel is read once, every entry written once, and no tile waits for
 * the result of another.
 *
 * Floor: a copy of five bytes a pixel. Kernel times on an H100, back to back, µs, 32 bits:
 *
 *                                            480p   1080p     4K     8K     16K
 *   copy of five bytes a pixel                2.5     4.3   11.0   61.5     236
 *   two kernels, 256 × 64 pixels, taken       6.6     8.6   17.2   82.3     305
 *   one pass, taken for 8K and 16K            9.5    12.9   19.8   76.9     269
 *   the same without streaming stores         9.4    12.5   22.5   77.2     273
 *   three blocks of lower tiles                                    82.2     284
 *   eight loads in flight                                          77.4     266
 *   tiles in registers, one pass              9.7    11.1   23.0   79.7     295
 *   two kernels, 512 × 64 pixels              8.1     9.2   21.0   83.6     324
 *   the same, the second after the first     10.6    11.6   23.3   84.6     325
 *   a band of 16 MB at a time, 512 × 64                            80.1     313
 *
 * At 16K that is 1.14 times the copy, at 8K 1.25, at 4K 1.57. Other shapes of two kernel launches
 * are at most 0.7 µs faster at 480p and 1080p and slower at 4K. Without __nanosleep the wait is as
 * fast.
 *
 * The pass. An entry is made of four sums over pixels, as in summed_tiles.cuh. A block
 *
 *   (1) takes the number of a tile, row by row of tiles; loads its pixels to shared memory, where
 *       they stay; adds up its columns and rows, and publishes them with the total;
 *   (2) waits until all tiles above and left have done the same; adds up the columns of those
 *       above, the rows of those left, the totals of the others;
 *   (3) fills its rows going down, a warp a strip of columns in a group of rows: the column sums
 *       so far in registers, a scan of the lanes for each two rows.
 *
 * There is no chain from tile to tile, which is what a look-back that hands finished rows down
 * would be: (1) of a tile depends on nothing. Only how far up (2) has to read grows with the
 * height. A tile that has (2) behind it therefore publishes the sums of its columns over all rows
 * down to its own; the next ones stop there.
 *
 * Numbers come from a counter, so that a tile only waits for tiles that blocks have taken already:
 * no need for all blocks to be resident. A tile's word is its stage and total in one; stages count
 * up from kernel launch to kernel launch, so that nothing has to be cleared between runs.
 *
 * What it costs beyond the floor: columns and rows of other tiles in (2), 4 bytes each, from L2. Of
 * the 5 bytes a pixel that is 0.8 · (tiles above that are read) / (rows of a tile) for columns and
 * 0.4 · (width of the image) / (width of a tile)² for rows, 3 to 7 % at 16K. Instructions are not
 * the bound: about 30 for 128 pixels of a warp. What remains are the times in which a
 * multiprocessor only reads or only waits, so there are two blocks on each: one fills while the
 * other loads.
 *
 * Tiles are as high as two blocks have shared memory for, and then as much lower as makes whole
 * waves of blocks (168 rows and 5.9 waves at 16K, 128 rows and 1.9 waves at 8K on 132
 * multiprocessors). Where one wave is enough they are lower still, down to 16 rows, and half as
 * wide, so that all multiprocessors have work.
 */
#include <algorithm>
#include <cstdlib>

#include "integral_device.cuh"
#include "summed_tiles.cuh"

VARIANT_FUNCTIONS(integral_cuda_fast);

struct IntegralFast {
    unsigned long long *words; /* of each tile */
    unsigned int *counter;     /* tiles taken since the upload, modulo 2^32 */
    unsigned int *rows;        /* of each tile its row sums, rows_most of them */
    unsigned int *columns;     /* of each tile its column sums */
    void *above;               /* of each tile the sums of its columns down to its last row */
    bool wide;                 /* tiles are TILE_WIDE pixels wide, otherwise TILE_NARROW */
    int tile_width, across;
    int resident;                  /* tiles at once */
    int waves;                     /* at most, of a kernel launch */
    int rows_step, rows_most;      /* rows of a tile: multiples of the first up to the second */
    size_t fixed_bytes, row_bytes; /* of shared memory: of a block, and of each row of a tile */
    unsigned int stage, taken;     /* of the next kernel launch; modulo 2^32 */
    size_t cached;                 /* bytes of the L2 cache */
    summed_tiles::Sums sums;       /* for tables that it holds */
};

namespace {

using summed_tiles::ALL_LANES;
using summed_tiles::LANES;
using summed_tiles::running_sum;
using summed_tiles::sum_of_lanes;

constexpr int THREADS = 512;
constexpr int WARPS = THREADS / LANES;
constexpr int BLOCKS = 2; /* of a multiprocessor */
constexpr int TILE_WIDE = 512;
constexpr int TILE_NARROW = 256;
constexpr int WIDE_ROWS = 64; /* of wide tiles in one wave, from which on tiles are wide */
constexpr int ROWS_LEAST = 16;
constexpr int ROWS_MOST = 512; /* sums of 16 bits hold those of a lane */
constexpr int LOAD = 16;       /* pixels of a load */
constexpr int BATCH = 4;       /* loads of a lane in flight */

/* What a kernel launch works on. */
template <typename Sum> struct FastRows {
    const uint8_t *image; /* row `begin` of the pixels */
    size_t image_stride;
    int width, height; /* pixels of the rows that are filled */
    Sum *entries;      /* entry 1 of the table row above them */
    size_t stride;
    bool based;       /* that row is there */
    int across, rows; /* tiles, and rows of one */
    unsigned int stage, taken;
};

template <typename Sum> struct FastState {
    unsigned long long *words;
    unsigned int *counter, *rows, *columns;
    Sum *above;
};

/* How a tile is divided. Groups of rows, in which each warp loads whole rows and fills a strip. */
template <typename Sum, int WIDTH> struct Shape {
    static constexpr int PIXELS = 16 / (int)sizeof(Sum); /* of a lane that fills: one store */
    static constexpr int STRIP = LANES * PIXELS;
    static constexpr int STRIPS = WIDTH / STRIP;
    static constexpr int GROUPS = WARPS / STRIPS;
    static constexpr int LOAD_LANES = WIDTH / LOAD; /* of a row */
    static constexpr int LOAD_ROWS = LANES / LOAD_LANES;
    static constexpr int STRIP_LANES = STRIP / LOAD; /* of the lanes that load */
    static constexpr int ROW_STEP = 2 * GROUPS;      /* two rows share a scan */
    static constexpr size_t FIXED_BYTES =
        GROUPS * WIDTH * sizeof(unsigned int) + (WIDTH + WARPS) * sizeof(Sum);
    static constexpr size_t ROW_BYTES = WIDTH + STRIPS * sizeof(Sum);
};

/* Dynamic shared memory. */
template <typename Sum, int WIDTH> struct Room {
    using S = Shape<Sum, WIDTH>;
    Sum *above;            /* WIDTH: sums of the columns above the tile */
    Sum *totals;           /* GROUPS × STRIPS: of the strips, of the rows above a group */
    Sum *rows;             /* rows × STRIPS: the row's pixels in the strip, later left of it */
    unsigned int *columns; /* GROUPS × WIDTH, in the order of column_place */
    uint8_t *pixels;       /* rows × WIDTH */

    __device__ __forceinline__ Room(uint8_t *memory, int tile_rows) {
        pixels = memory;
        columns = (unsigned int *)(pixels + (size_t)tile_rows * WIDTH);
        above = (Sum *)(columns + S::GROUPS * WIDTH);
        totals = above + WIDTH;
        rows = totals + WARPS;
    }
};

struct Tile {
    unsigned int number;
    int row, column; /* of tiles */
};

template <typename Sum>
__device__ __forceinline__ Tile tile_of(const FastRows<Sum> &work, unsigned int number) {
    const unsigned int across = (unsigned int)work.across;
    return {number, (int)(number / across), (int)(number % across)};
}

/* Lanes that load add to sixteen columns each, one after the other: this order keeps them in
 * different banks. */
template <typename S> __device__ __forceinline__ int column_place(int x) {
    return x % LOAD * S::LOAD_LANES + x / LOAD;
}

__device__ __forceinline__ unsigned int sum_bytes(uint4 sixteen) {
    unsigned int sum = __dp4a(sixteen.x, 0x01010101U, 0U);
    sum = __dp4a(sixteen.y, 0x01010101U, sum);
    sum = __dp4a(sixteen.z, 0x01010101U, sum);
    return __dp4a(sixteen.w, 0x01010101U, sum);
}

/* Sums of sixteen columns, two of 16 bits in a word. */
struct PackedColumns {
    unsigned int even[LOAD / 4], odd[LOAD / 4];

    __device__ __forceinline__ void add(uint4 sixteen) {
        const unsigned int words[] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
#pragma unroll
        for (int i = 0; i < LOAD / 4; i++) {
            even[i] += words[i] & 0x00FF00FFU;
            odd[i] += words[i] >> 8 & 0x00FF00FFU;
        }
    }

    /* To sums that are `step` apart. */
    __device__ __forceinline__ void add_to(unsigned int *sums, int step) const {
#pragma unroll
        for (int i = 0; i < LOAD / 4; i++) {
            atomicAdd(&sums[(4 * i) * step], even[i] & 0xFFFFU);
            atomicAdd(&sums[(4 * i + 1) * step], odd[i] & 0xFFFFU);
            atomicAdd(&sums[(4 * i + 2) * step], even[i] >> 16);
            atomicAdd(&sums[(4 * i + 3) * step], odd[i] >> 16);
        }
    }
};

/* === (1) A tile's own sums ==================================================================== */

/* The rows of the warp's group that are its own; pixels outside the rows count as 0. Bytes between
 * the width and the stride are in columns that nobody reads. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void load_tile(const FastRows<Sum> &work, const Room<Sum, WIDTH> &room,
                                          const Tile &tile) {
    using S = Shape<Sum, WIDTH>;
    constexpr int STEP = S::STRIPS * S::LOAD_ROWS; /* rows that the warps of a group load at once */
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES;
    const int group_rows = work.rows / S::GROUPS;
    const int group = warp / S::STRIPS;
    const int column = lane % S::LOAD_LANES;
    const int first = warp % S::STRIPS * S::LOAD_ROWS + lane / S::LOAD_LANES;
    const size_t x = (size_t)tile.column * WIDTH + (size_t)column * LOAD;
    PackedColumns columns = {};
    for (int begin = 0; begin < group_rows; begin += BATCH * STEP) {
        uint4 loaded[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int row = begin + i * STEP + first;
            const int y = tile.row * work.rows + group * group_rows + row;
            const bool inside = row < group_rows && y < work.height && x < work.image_stride;
            loaded[i] = inside
                            ? __ldg((const uint4 *)(work.image + (size_t)y * work.image_stride + x))
                            : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int row = begin + i * STEP + first;
            const int place = group * group_rows + row;
            unsigned int sum = sum_bytes(loaded[i]);
#pragma unroll
            for (int step = S::STRIP_LANES / 2; step > 0; step /= 2) {
                sum += __shfl_xor_sync(ALL_LANES, sum, step);
            }
            columns.add(loaded[i]);
            if (row < group_rows) {
                *(uint4 *)(room.pixels + (size_t)place * WIDTH + column * LOAD) = loaded[i];
                if (column % S::STRIP_LANES == 0) {
                    room.rows[place * S::STRIPS + column / S::STRIP_LANES] = sum;
                }
            }
        }
    }
    columns.add_to(room.columns + group * WIDTH + column, S::LOAD_LANES);
}

/* The sum of a column of the tile. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ unsigned int tile_column(const Room<Sum, WIDTH> &room, int x) {
    using S = Shape<Sum, WIDTH>;
    unsigned int sum = 0;
#pragma unroll
    for (int group = 0; group < S::GROUPS; group++) {
        sum += room.columns[group * WIDTH + column_place<S>(x)];
    }
    return sum;
}

/* What the word stands for, and `total`, which is shared, is complete when all threads are here. */
__device__ __forceinline__ void publish(unsigned long long *word, unsigned int stage,
                                        const unsigned int &total) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        asm volatile("st.release.gpu.global.u64 [%0], %1;"
                     :
                     : "l"(word), "l"((unsigned long long)stage << 32 | total)
                     : "memory");
    }
}

template <typename Sum, int WIDTH>
__device__ __forceinline__ void publish_sums(const FastRows<Sum> &work, const FastState<Sum> &state,
                                             const Room<Sum, WIDTH> &room, const Tile &tile,
                                             unsigned int &total) {
    using S = Shape<Sum, WIDTH>;
    const int thread = (int)threadIdx.x;
    if (thread < WIDTH) {
        const unsigned int sum = tile_column<Sum, WIDTH>(room, thread);
        state.columns[(size_t)tile.number * WIDTH + thread] = sum;
        const unsigned int of_warp = sum_of_lanes(sum);
        if (thread % LANES == 0) {
            atomicAdd(&total, of_warp);
        }
    }
    for (int row = thread; row < work.rows; row += THREADS) {
        Sum sum = 0;
#pragma unroll
        for (int strip = 0; strip < S::STRIPS; strip++) {
            sum += room.rows[row * S::STRIPS + strip];
        }
        state.rows[(size_t)tile.number * work.rows + row] = (unsigned int)sum;
    }
    publish(&state.words[tile.number], work.stage, total);
}

/* === (2) The sums of other tiles ============================================================== */

/* Waits until the tile has published its sums. */
__device__ __forceinline__ unsigned long long wait_for(unsigned long long *word,
                                                       unsigned int stage) {
    for (;;) {
        unsigned long long found;
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(word) : "memory");
        if ((int)((unsigned int)(found >> 32) - stage) >= 0) {
            return found;
        }
        __nanosleep(20);
    }
}

/* Waits for all tiles above and left. Adds the totals of those above and left of both to `corner`;
 * `whole` becomes the lowest row of tiles above that has the sums of all rows down to it. */
template <typename Sum>
__device__ __forceinline__ void wait_for_others(const FastRows<Sum> &work,
                                                const FastState<Sum> &state, const Tile &tile,
                                                Sum &corner, int &whole) {
    const int columns = tile.column + 1;
    const long long others = (long long)(tile.row + 1) * columns - 1;
    Sum sum = 0;
    for (long long i = threadIdx.x; i < others; i += THREADS) {
        const int row = (int)(i / columns);
        const int column = (int)(i % columns);
        const unsigned long long word =
            wait_for(&state.words[(size_t)row * work.across + column], work.stage);
        if (row < tile.row && column < tile.column) {
            sum += (unsigned int)word;
        } else if (row < tile.row && (unsigned int)(word >> 32) != work.stage) {
            atomicMax(&whole, row);
        }
    }
    sum = sum_of_lanes(sum);
    if (threadIdx.x % LANES == 0) {
        atomicAdd(&corner, sum);
    }
    __syncthreads();
}

/* The columns above the tile, which are published with its own added. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void sum_above(const FastRows<Sum> &work, const FastState<Sum> &state,
                                          const Room<Sum, WIDTH> &room, const Tile &tile,
                                          int whole) {
    const int x = (int)threadIdx.x;
    if (x >= WIDTH) {
        return;
    }
    const size_t step = (size_t)work.across * WIDTH;
    const size_t place = (size_t)tile.column * WIDTH + x;
    Sum sum = whole >= 0 ? __ldcg(&state.above[(size_t)whole * step + place]) : 0;
#pragma unroll 8
    for (int row = whole + 1; row < tile.row; row++) {
        sum += __ldcg(&state.columns[(size_t)row * step + place]);
    }
    room.above[x] = sum;
    state.above[(size_t)tile.number * WIDTH + x] = sum + tile_column<Sum, WIDTH>(room, x);
}

/* room.rows from the pixels of a row in each strip to all pixels left of the strip. Threads count
 * from the last, so that few have both a column and a row. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void sum_left(const FastRows<Sum> &work, const FastState<Sum> &state,
                                         const Room<Sum, WIDTH> &room, const Tile &tile) {
    using S = Shape<Sum, WIDTH>;
    const size_t first = (size_t)tile.row * work.across * work.rows;
    for (int row = THREADS - 1 - (int)threadIdx.x; row < work.rows; row += THREADS) {
        Sum sum = 0;
#pragma unroll 8
        for (int column = 0; column < tile.column; column++) {
            sum += __ldcg(&state.rows[first + (size_t)column * work.rows + row]);
        }
#pragma unroll
        for (int strip = 0; strip < S::STRIPS; strip++) {
            const Sum own = room.rows[row * S::STRIPS + strip];
            room.rows[row * S::STRIPS + strip] = sum;
            sum += own;
        }
    }
}

/* === Shares =================================================================================== */

/* A whole table: nothing is above it. */
struct Alone {};

__device__ __forceinline__ void tell_begun(const Alone &, const Tile &) {
}

template <typename Sum, int WIDTH>
__device__ __forceinline__ void send_columns(const Alone &, const FastRows<Sum> &,
                                             const Room<Sum, WIDTH> &, const Tile &) {
}

__device__ __forceinline__ void wait_for_shares(const Alone &) {
}

template <typename Sum, int WIDTH>
__device__ __forceinline__ void add_above(const Alone &, const Room<Sum, WIDTH> &, const Tile &,
                                          Sum &) {
}

__device__ __forceinline__ unsigned long long nanoseconds() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* What this thread wrote, and those that it has met at a barrier, is there when the other device
 * finds the number. */
__device__ __forceinline__ void tell_device(unsigned long long *number, unsigned long long run) {
    __threadfence_system();
    asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(number), "l"(run) : "memory");
}

/* Waits until another device has told the number of this run or of a later one. A device that has
 * failed never will; then this kernel fails too. */
__device__ __forceinline__ void wait_for_device(const unsigned long long *number,
                                                unsigned long long run) {
    constexpr unsigned long long LIMIT = 10000000000ULL; /* ns */
    unsigned long long started = 0;
    for (;;) {
        unsigned long long found;
        asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(found) : "l"(number) : "memory");
        if (found >= run) {
            return;
        }
        const unsigned long long now = nanoseconds();
        started = started == 0 ? now : started;
        if (now - started > LIMIT) {
            __trap();
        }
    }
}

/* The kernel before on the stream has read what came for its run. */
__device__ __forceinline__ void tell_begun(const IntegralShare &share, const Tile &tile) {
    if (tile.number == 0 && share.blocks > 0 && (int)threadIdx.x < share.before) {
        tell_device(share.begun[threadIdx.x], share.run);
    }
}

/* The sums of the columns of a tile that another block fills later. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ PackedColumns read_columns(const FastRows<Sum> &work, const Tile &tile) {
    using S = Shape<Sum, WIDTH>;
    constexpr int STEP = THREADS / S::LOAD_LANES; /* rows that the block reads at once */
    const size_t x =
        (size_t)tile.column * WIDTH + (size_t)((int)threadIdx.x % S::LOAD_LANES * LOAD);
    const int first = tile.row * work.rows + (int)threadIdx.x / S::LOAD_LANES;
    const int end = min((tile.row + 1) * work.rows, work.height);
    PackedColumns columns = {};
    for (int begin = first; begin < end && x < work.image_stride; begin += BATCH * STEP) {
        uint4 loaded[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            const int y = begin + i * STEP;
            loaded[i] = y < end
                            ? __ldg((const uint4 *)(work.image + (size_t)y * work.image_stride + x))
                            : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            columns.add(loaded[i]);
        }
    }
    return columns;
}

/* A thread a column. */
template <int WIDTH>
__device__ __forceinline__ void add_column(const IntegralShare &share, const Tile &tile,
                                           unsigned int sum) {
    const unsigned int x = (unsigned int)tile.column * WIDTH + threadIdx.x;
    if (x < share.columns) {
        atomicAdd(&share.sums[x], sum);
    }
}

/* All blocks have added theirs: the sums go to all shares after this one, and become 0 again. */
__device__ __forceinline__ void send_sums(const IntegralShare &share) {
    constexpr unsigned int FOUR = 4; /* columns at once */
    const int thread = (int)threadIdx.x;
    if (thread < share.target_count && share.waits) {
        wait_for_device(share.targets[thread].begun, share.run - 1);
    }
    __syncthreads();
    for (unsigned int x = threadIdx.x * FOUR; x < share.columns; x += THREADS * FOUR) {
        const uint4 sums = __ldcg((const uint4 *)&share.sums[x]);
        *(uint4 *)&share.sums[x] = make_uint4(0, 0, 0, 0);
        for (int i = 0; i < share.target_count; i++) {
            *(uint4 *)&share.targets[i].above[x] = sums;
        }
    }
    __syncthreads();
    if (thread < share.target_count) {
        tell_device(share.targets[thread].sent, share.run);
    }
    if (thread == 0) {
        *share.added = 0;
    }
}

/* The first blocks, which have tiles in shared memory, add up the columns of all: those of later
 * tiles from below, so that what is filled next is in the L2 cache. The last of these blocks sends
 * them. Where nobody reads the sums, only the cache is filled. `room.above` is not yet in use. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void send_columns(const IntegralShare &share, const FastRows<Sum> &work,
                                             const Room<Sum, WIDTH> &room, const Tile &tile) {
    using S = Shape<Sum, WIDTH>;
    __shared__ bool last;
    if (tile.number >= share.blocks) {
        return;
    }
    unsigned int *const sums = (unsigned int *)room.above;
    const int x = (int)threadIdx.x;
    if (x < WIDTH) {
        add_column<WIDTH>(share, tile, tile_column<Sum, WIDTH>(room, x));
        sums[x] = 0;
    }
    const unsigned int more = (share.tiles - 1 - tile.number) / share.blocks;
#pragma unroll 1
    for (unsigned int i = more; i > 0; i--) {
        const Tile later = tile_of(work, tile.number + i * share.blocks);
        __syncthreads();
        read_columns<Sum, WIDTH>(work, later).add_to(sums + x % S::LOAD_LANES, S::LOAD_LANES);
        __syncthreads();
        if (x < WIDTH) {
            add_column<WIDTH>(share, later, sums[column_place<S>(x)]);
            sums[column_place<S>(x)] = 0;
        }
    }
    __syncthreads();
    if (x == 0) {
        __threadfence();
        last = atomicAdd(share.added, 1U) == share.blocks - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        send_sums(share);
    }
}

/* The columns of all shares before have come, when threads have met at a barrier. */
__device__ __forceinline__ void wait_for_shares(const IntegralShare &share) {
    if (share.blocks > 0 && (int)threadIdx.x < share.before) {
        wait_for_device(&share.sent[threadIdx.x], share.run);
    }
}

__device__ __forceinline__ uint4 load_four(const unsigned int *sums) {
    return __ldcg((const uint4 *)sums);
}

/* Adds the columns of the shares before to those above the tile, and to `corner` those left of it.
 * To `room.above` each thread adds where it wrote. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void add_above(const IntegralShare &share, const Room<Sum, WIDTH> &room,
                                          const Tile &tile, Sum &corner) {
    constexpr unsigned int FOUR = 4; /* columns of a load */
    const unsigned int begin = (unsigned int)tile.column * WIDTH;
    const unsigned int x = threadIdx.x;
    Sum left = 0;
#pragma unroll 1
    for (int before = 0; before < share.before; before++) {
        const unsigned int *sums = share.above + (size_t)before * share.columns;
        if (x < WIDTH && begin + x < share.columns) {
            room.above[x] += __ldcg(&sums[begin + x]);
        }
#pragma unroll 1
        for (unsigned int i = x * FOUR; i < begin; i += THREADS * FOUR) {
            const uint4 four = load_four(&sums[i]);
            left += (Sum)four.x + four.y + four.z + four.w;
        }
    }
    left = sum_of_lanes(left);
    if (x % LANES == 0) {
        atomicAdd(&corner, left);
    }
}

/* === (3) Entries ============================================================================== */

__device__ __forceinline__ void store_vector(unsigned int *to, const unsigned int (&sums)[4]) {
    __stcs((uint4 *)to, make_uint4(sums[0], sums[1], sums[2], sums[3]));
}

__device__ __forceinline__ void store_vector(unsigned long long *to,
                                             const unsigned long long (&sums)[2]) {
    __stcs((ulonglong2 *)to, make_ulonglong2(sums[0], sums[1]));
}

/* The pixels of a lane, each with those before it. */
__device__ __forceinline__ void load_pixels(const uint8_t *pixels, unsigned int (&sums)[4]) {
    const unsigned int four = *(const unsigned int *)pixels;
    sums[0] = four & 0xFFU;
    sums[1] = __dp4a(four, 0x00000101U, 0U);
    sums[2] = __dp4a(four, 0x00010101U, 0U);
    sums[3] = __dp4a(four, 0x01010101U, 0U);
}

__device__ __forceinline__ void load_pixels(const uint8_t *pixels, unsigned int (&sums)[2]) {
    const unsigned int two = *(const uint16_t *)pixels;
    sums[0] = two & 0xFFU;
    sums[1] = sums[0] + (two >> 8);
}

/* A lane's place in a warp that fills. */
struct Place {
    int lane, strip, group;
    int x; /* of its first pixel in the tile */
};

template <typename S> __device__ __forceinline__ Place place_of() {
    Place place;
    place.lane = (int)threadIdx.x % LANES;
    place.strip = (int)threadIdx.x / LANES % S::STRIPS;
    place.group = (int)threadIdx.x / LANES / S::STRIPS;
    place.x = place.strip * S::STRIP + place.lane * S::PIXELS;
    return place;
}

/* The table row above the warp's group of rows; called by all threads. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void
entries_above(const FastRows<Sum> &work, const Room<Sum, WIDTH> &room, const Tile &tile,
              const Place &place, Sum corner, Sum (&sums)[Shape<Sum, WIDTH>::PIXELS]) {
    using S = Shape<Sum, WIDTH>;
    Sum sum = 0;
#pragma unroll
    for (int k = 0; k < S::PIXELS; k++) {
        sum += room.above[place.x + k];
        for (int group = 0; group < place.group; group++) {
            sum += room.columns[group * WIDTH + column_place<S>(place.x + k)];
        }
        sums[k] = sum;
    }
    const Sum running = running_sum(sum, place.lane);
    if (place.lane == LANES - 1) {
        room.totals[place.group * S::STRIPS + place.strip] = running;
    }
    Sum left = 0;
    for (int row = place.lane; row < place.group * (work.rows / S::GROUPS); row += LANES) {
        left += room.rows[row * S::STRIPS];
    }
    left = sum_of_lanes(left) + corner + running - sum;
    __syncthreads();
    for (int strip = 0; strip < place.strip; strip++) {
        left += room.totals[place.group * S::STRIPS + strip];
    }
    const int x = tile.column * WIDTH + place.x;
#pragma unroll
    for (int k = 0; k < S::PIXELS; k++) {
        sums[k] += left + (work.based && x + k < work.width ? work.entries[x + k] : 0);
    }
}

template <typename Sum, int WIDTH>
__device__ __forceinline__ void fill_rows(const FastRows<Sum> &work, const Room<Sum, WIDTH> &room,
                                          const Tile &tile, const Place &place,
                                          Sum (&sums)[Shape<Sum, WIDTH>::PIXELS]) {
    using S = Shape<Sum, WIDTH>;
    const int group_rows = work.rows / S::GROUPS;
    const int first = place.group * group_rows;
    const int x = tile.column * WIDTH + place.x;
    const bool inside = x < work.width;
    const bool beside_zero = tile.column == 0 && place.x == 0;
    Sum *entries = work.entries + ((size_t)tile.row * work.rows + first + 1) * work.stride + x;
    const int end = min(group_rows, work.height - tile.row * work.rows - first);
    for (int y = 0; y < end; y += 2) {
        unsigned int pixels[2][S::PIXELS];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            load_pixels(room.pixels + (size_t)(first + y + i) * WIDTH + place.x, pixels[i]);
        }
        /* The sum of a strip's row is below 2^16. */
        const unsigned int both = pixels[0][S::PIXELS - 1] | pixels[1][S::PIXELS - 1] << 16;
        const unsigned int before = running_sum(both, place.lane) - both;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const Sum left = room.rows[(first + y + i) * S::STRIPS + place.strip] +
                             (i == 0 ? before & 0xFFFFU : before >> 16);
#pragma unroll
            for (int k = 0; k < S::PIXELS; k++) {
                sums[k] += left + pixels[i][k];
            }
            if (inside && y + i < end) {
                store_vector(entries, sums);
                if (beside_zero) {
                    entries[-1] = 0;
                }
            }
            entries += work.stride;
        }
    }
}

/* Row 0 of the table, by the tiles below it. */
template <typename Sum, int WIDTH>
__device__ __forceinline__ void clear_row(const FastRows<Sum> &work, const Tile &tile) {
    for (int column = (int)threadIdx.x; column < WIDTH; column += THREADS) {
        const int x = tile.column * WIDTH + column;
        if (x < work.width) {
            work.entries[x] = 0;
        }
        if (x == 0) {
            work.entries[-1] = 0;
        }
    }
}

template <typename Sum, int WIDTH, typename Share>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    integral_fast(FastRows<Sum> work, FastState<Sum> state, const __grid_constant__ Share share) {
    using S = Shape<Sum, WIDTH>;
    extern __shared__ __align__(16) uint8_t memory[];
    __shared__ unsigned int number, total;
    __shared__ int whole;
    __shared__ Sum corner;
    const Room<Sum, WIDTH> room(memory, work.rows);
    if (threadIdx.x == 0) {
        number = atomicAdd(state.counter, 1U) - work.taken;
        total = 0;
        whole = -1;
        corner = 0;
    }
    for (int i = (int)threadIdx.x; i < S::GROUPS * WIDTH; i += THREADS) {
        room.columns[i] = 0;
    }
    __syncthreads();
    const Tile tile = tile_of(work, number);
    tell_begun(share, tile);
    load_tile<Sum, WIDTH>(work, room, tile);
    __syncthreads();
    publish_sums<Sum, WIDTH>(work, state, room, tile, total);
    send_columns<Sum, WIDTH>(share, work, room, tile);
    wait_for_shares(share);
    wait_for_others(work, state, tile, corner, whole);
    sum_above<Sum, WIDTH>(work, state, room, tile, whole);
    sum_left<Sum, WIDTH>(work, state, room, tile);
    add_above<Sum, WIDTH>(share, room, tile, corner);
    publish(&state.words[tile.number], work.stage + 1, total);
    const Place place = place_of<S>();
    Sum sums[S::PIXELS];
    entries_above<Sum, WIDTH>(work, room, tile, place, corner, sums);
    fill_rows<Sum, WIDTH>(work, room, tile, place, sums);
    if (tile.row == 0 && !work.based) {
        clear_row<Sum, WIDTH>(work, tile);
    }
}

/* === Host ===================================================================================== */

constexpr size_t STATIC_BYTES = 64; /* of the block's shared variables */

/* Shared memory for a block, so that BLOCKS of them fit a multiprocessor. */
Status shared_budget(size_t *bytes) {
    int of_block = 0;
    int of_multiprocessor = 0;
    int reserved = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &of_block));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &of_multiprocessor));
    STATUS_TRY(cuda_attribute(cudaDevAttrReservedSharedMemoryPerBlock, &reserved));
    *bytes = (size_t)std::min(of_block, of_multiprocessor / BLOCKS - reserved) - STATIC_BYTES;
    return status_ok();
}

template <typename Sum, int WIDTH, typename Share> Status allow_tiles(const IntegralFast *fast) {
    const size_t most = fast->fixed_bytes + (size_t)fast->rows_most * fast->row_bytes;
    CUDA_TRY(cudaFuncSetAttribute((const void *)integral_fast<Sum, WIDTH, Share>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
    return status_ok();
}

template <typename Sum, int WIDTH>
Status plan_tiles(const IntegralDevice *device, IntegralFast *fast) {
    using S = Shape<Sum, WIDTH>;
    size_t budget = 0;
    STATUS_TRY(shared_budget(&budget));
    const int fit = (int)((budget - S::FIXED_BYTES) / S::ROW_BYTES);
    fast->tile_width = WIDTH;
    fast->across = pieces_of(device->width, WIDTH);
    fast->rows_step = S::ROW_STEP;
    fast->rows_most = std::min(fit, ROWS_MOST) / S::ROW_STEP * S::ROW_STEP;
    fast->fixed_bytes = S::FIXED_BYTES;
    fast->row_bytes = S::ROW_BYTES;
    const size_t tiles = (size_t)fast->across * (size_t)pieces_of(device->height, fast->rows_most);
    fast->waves = (int)((tiles + (size_t)fast->resident - 1) / (size_t)fast->resident);
    STATUS_TRY((allow_tiles<Sum, WIDTH, Alone>(fast)));
    return allow_tiles<Sum, WIDTH, IntegralShare>(fast);
}

template <typename Sum> Status plan(const IntegralDevice *device, IntegralFast *fast) {
    const double pixels = (double)device->width * (double)device->height;
    fast->resident = BLOCKS * cuda_multiprocessors();
    fast->wide = pixels >= (double)TILE_WIDE * WIDE_ROWS * fast->resident;
    return fast->wide ? plan_tiles<Sum, TILE_WIDE>(device, fast)
                      : plan_tiles<Sum, TILE_NARROW>(device, fast);
}

/* A kernel launch has no more tiles than the waves of all rows. */
template <typename Sum> Status open_buffers(IntegralDevice *device) {
    IntegralFast *fast = device->fast;
    const size_t tiles = (size_t)fast->waves * (size_t)fast->resident;
    const size_t columns = tiles * (size_t)fast->tile_width;
    const CudaBuffer table[] = {
        cuda_cleared(&fast->words, tiles * sizeof *fast->words),
        cuda_cleared(&fast->counter, sizeof *fast->counter),
        cuda_scratch(&fast->rows, tiles * (size_t)fast->rows_most * sizeof *fast->rows),
        cuda_scratch(&fast->columns, columns * sizeof *fast->columns),
        cuda_scratch(&fast->above, columns * sizeof(Sum)),
    };
    STATUS_TRY(cuda_open_buffers(device, table));
    return summed_tiles::open_sums(device, &fast->sums,
                                   summed_tiles::count_of(device->width, device->height));
}

template <typename Sum> Status open_fast(IntegralDevice *device) {
    int cached = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrL2CacheSize, &cached));
    device->fast->cached = (size_t)cached;
    STATUS_TRY(plan<Sum>(device, device->fast));
    return open_buffers<Sum>(device);
}

/* Rows of a tile: as many tiles as whole waves have, but not below ROWS_LEAST rows. */
int tile_rows(const IntegralFast *fast, int height) {
    const long long least = (long long)fast->across * pieces_of(height, fast->rows_most);
    const long long waves = (least + fast->resident - 1) / fast->resident;
    const int down = (int)(waves * fast->resident / fast->across);
    const int rows = std::max(pieces_of(height, down), ROWS_LEAST);
    return (int)round_up((size_t)rows, (size_t)fast->rows_step);
}

Alone with_tiles(const Alone &share, unsigned int, unsigned int) {
    return share;
}

IntegralShare with_tiles(IntegralShare share, unsigned int tiles, unsigned int resident) {
    share.tiles = tiles;
    share.blocks = share.sums != NULL ? std::min(tiles, resident) : 0;
    return share;
}

template <typename Sum, int WIDTH, typename Share>
Status launch(IntegralFast *fast, const FastRows<Sum> &work, const Share &share) {
    const FastState<Sum> state = {fast->words, fast->counter, fast->rows, fast->columns,
                                  (Sum *)fast->above};
    const unsigned int tiles = (unsigned int)(work.across * pieces_of(work.height, work.rows));
    const size_t shared = fast->fixed_bytes + (size_t)work.rows * fast->row_bytes;
    fast->taken += tiles;
    fast->stage += 2;
    integral_fast<Sum, WIDTH, Share><<<tiles, THREADS, shared, cuda_stream()>>>(
        work, state, with_tiles(share, tiles, (unsigned int)fast->resident));
    return CUDA_LAUNCHED();
}

template <typename Sum>
FastRows<Sum> rows_of(const IntegralDevice *device, int begin, int end, IntegralBase base) {
    FastRows<Sum> work = {};
    work.image = device->image + (size_t)begin * device->image_stride;
    work.image_stride = device->image_stride;
    work.width = device->width;
    work.height = end - begin;
    work.entries = integral_device_entries<Sum>(device) + (size_t)begin * device->stride;
    work.stride = device->stride;
    work.based = base == INTEGRAL_FROM_ROW;
    return work;
}

template <typename Sum, typename Share>
Status launch_pass(IntegralFast *fast, FastRows<Sum> *work, const Share &share) {
    work->across = fast->across;
    work->rows = tile_rows(fast, work->height);
    work->stage = fast->stage;
    work->taken = fast->taken;
    return fast->wide ? launch<Sum, TILE_WIDE>(fast, *work, share)
                      : launch<Sum, TILE_NARROW>(fast, *work, share);
}

template <typename Sum>
Status launch_two(const FastRows<Sum> &work, const summed_tiles::Sums &sums) {
    const summed_tiles::Table<Sum, false> table = {
        work.image,   work.image_stride, work.width, work.height,
        work.entries, work.stride,       work.based, sums};
    return summed_tiles::launch(table, summed_tiles::Alone{}, summed_tiles::Alone{});
}

struct Launching {
    int begin, end;
    IntegralBase base;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        IntegralFast *fast = device->fast;
        FastRows<Sum> work = rows_of<Sum>(device, begin, end, base);
        const size_t bytes = ((size_t)work.height + 1) * work.stride * sizeof(Sum);
        return bytes <= fast->cached ? launch_two(work, fast->sums)
                                     : launch_pass(fast, &work, Alone{});
    }
};

struct LaunchingShare {
    const IntegralShare &share;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        FastRows<Sum> work = rows_of<Sum>(device, 0, device->height, INTEGRAL_FROM_ZERO);
        return launch_pass(device->fast, &work, share);
    }
};

} // namespace

Status integral_fast_open(MultiPart rows, IntegralDevice *device) {
    integral_device_size(INTEGRAL_FAST_ROW_ALIGNMENT, rows, device);
    STATUS_TRY(cuda_state_part(device, sizeof *device->fast, (void **)&device->fast));
    STATUS_TRY(device->bits == 64 ? open_fast<unsigned long long>(device)
                                  : open_fast<unsigned int>(device));
    return integral_device_open(device);
}

void integral_fast_begin(const IntegralDevice *device) {
    device->fast->stage = 2;
    device->fast->taken = 0;
}

Status integral_fast_launch(const IntegralDevice *device, int begin, int end, IntegralBase base) {
    return integral_device_run(device, Launching{begin, end, base});
}

Status integral_fast_launch_share(const IntegralDevice *device, const IntegralShare &share) {
    return integral_device_run(device, LaunchingShare{share});
}

Status integral_cuda_fast_open(const Request *request, void **state) {
    return cuda_open_state<IntegralDevice>(request, state, [request](IntegralDevice *device) {
        return integral_fast_open(integral_all_rows(request), device);
    });
}

Status integral_cuda_fast_upload(void *state) {
    integral_fast_begin((const IntegralDevice *)state);
    return cuda_state_upload(state);
}

Status integral_cuda_fast_run(void *state) {
    const IntegralDevice *device = (const IntegralDevice *)state;
    return integral_fast_launch(device, 0, device->height, INTEGRAL_FROM_ZERO);
}
