/*
 * A summed-area table in two kernel launches.
 *
 * An entry is made of four sums over pixels: those in its tile, those above the tile in its
 * columns, those left of the tile in its rows, and those above and left of both. The last three are
 * sums of what each other tile knows by itself: its columns, its rows, its total. So
 *
 *   (1) a kernel adds up each tile's columns and rows, and its total;
 *   (2) a second one has the same tiles again, a block each, with the pixels in registers: it adds
 *       up the columns of the tiles above, the rows of those left, the totals of the others, and
 *       fills its rows going down, a warp a strip of columns in a group of rows: the column sums so
 *       far in registers, those along the rows from a scan of the lanes for each two rows.
 *
 * No block waits for another. The second kernel starts while the first one ends (programmatic
 * dependent launch, from compute capability 9.0 on), and loads its pixels and adds them up before
 * it waits for the first one to be complete: 2 µs of 10 on an H100 at 1080p. Pixels are read twice,
 * the second time from the L2 cache where it holds them, and what (2) reads of others grows with
 * the height times the width of the table: this is for tables that the L2 cache holds.
 *
 * Work that has nothing to do with the table can ride along in the first blocks of both kernels.
 */
#ifndef KERNELS_COMMON_SUMMED_TILES_CUH
#define KERNELS_COMMON_SUMMED_TILES_CUH

#include <cuda_runtime.h>

#include "cuda_state.h"
#include "early_launch.cuh"

namespace summed_tiles {

constexpr int LANES = 32;
constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;
constexpr int PIXELS = 4; /* of a lane in a row: one word */
constexpr int STRIP = LANES * PIXELS;

/* Warps of a block: STRIPS of columns in GROUPS of rows, each of GROUP_ROWS. */
constexpr int STRIPS = 2;
constexpr int GROUPS = 4;
constexpr int GROUP_ROWS = 16;
constexpr int BLOCKS = 4; /* of a multiprocessor; capability 7.5 holds no more threads */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int ADDING_BLOCKS = BLOCKS;
#else
constexpr int ADDING_BLOCKS = 6; /* of the first kernel */
#endif
constexpr int WIDTH = STRIPS * STRIP;
constexpr int ROWS = GROUPS * GROUP_ROWS;
constexpr int WORDS = WIDTH / PIXELS;
constexpr int WARPS = STRIPS * GROUPS;
constexpr int THREADS = WARPS * LANES;
constexpr int SHARES = THREADS / ROWS; /* threads that share a row of the tiles left */
static_assert(ROWS * 255 < 65536, "16 bits hold the sum of a column");
static_assert(ROWS % LANES == 0 && THREADS % ROWS == 0, "rows are added up by whole warps");

/* In device memory, of each tile. */
struct Sums {
    uint2 *columns; /* packed by four: 0 and 2, then 1 and 3, 16 bits each */
    unsigned int *rows;
    unsigned int *totals;
};

static inline size_t count_of(int width, int height) {
    return (size_t)pieces_of(width, WIDTH) * (size_t)pieces_of(height, ROWS);
}

static inline Status open_sums(CudaState *state, Sums *sums, size_t tiles) {
    const CudaBuffer table[] = {
        cuda_scratch(&sums->columns, tiles * WORDS * sizeof *sums->columns),
        cuda_scratch(&sums->rows, tiles * ROWS * sizeof *sums->rows),
        cuda_scratch(&sums->totals, tiles * sizeof *sums->totals),
    };
    return cuda_open_buffers(state, table);
}

/* What is filled. The entries of a row begin with the sum of the pixels before the first one
 * (`exclusive`), or of those up to it; then an entry before them is set to 0. */
template <typename Sum, bool EXCLUSIVE> struct Table {
    const uint8_t *image; /* rows begin at multiples of 4 */
    size_t image_stride;
    int width, height; /* entries of a row, pixel rows */
    Sum *entries;      /* of the row above them all, aligned to 16 bytes, as its rows are */
    size_t stride;     /* at least `width` rounded up to 4 */
    bool based;        /* that row is there; otherwise it becomes 0 */
    Sums sums;
};

/* Nothing that rides along. */
struct Alone {
    static constexpr int blocks = 0;
    static constexpr bool FOLLOWED = false; /* by a kernel that starts early */
    __device__ void operator()() const {
    }
};

/* === Lanes ==================================================================================== */

template <typename Value> __device__ __forceinline__ Value sum_of_lanes(Value value) {
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, step);
    }
    return value;
}

/* Of the lanes, each with those before it. */
template <typename Value> __device__ __forceinline__ Value running_sum(Value value, int lane) {
#pragma unroll
    for (int step = 1; step < LANES; step *= 2) {
        const Value other = __shfl_up_sync(ALL_LANES, value, step);
        value += lane >= step ? other : 0;
    }
    return value;
}

/* === Parts of both kernels ==================================================================== */

/* A thread's place. */
struct Place {
    size_t tile;
    int across;      /* tiles */
    int row, column; /* of tiles */
    int lane, strip, group;
    int word; /* of the tile's row */
    int x, y; /* of its first pixel */
};

static __device__ __forceinline__ Place place_of(int number, int width) {
    Place place;
    place.tile = (size_t)number;
    place.across = (width + WIDTH - 1) / WIDTH;
    place.row = number / place.across;
    place.column = number % place.across;
    place.lane = (int)threadIdx.x % LANES;
    place.strip = (int)threadIdx.x / LANES % STRIPS;
    place.group = (int)threadIdx.x / LANES / STRIPS;
    place.word = place.strip * LANES + place.lane;
    place.x = place.column * WIDTH + place.word * PIXELS;
    place.y = place.row * ROWS + place.group * GROUP_ROWS;
    return place;
}

/* The thread's pixels, and those before them in the strip: two rows in a word. */
struct Pixels {
    unsigned int words[GROUP_ROWS];
    unsigned int before[GROUP_ROWS / 2];
};

/* In shared memory. */
struct OwnSums {
    uint2 columns[GROUPS][WORDS];      /* of each group */
    unsigned int strips[ROWS][STRIPS]; /* the row's pixels in the strip, later left of it */
};

/* Pixels outside the rows count as 0. Bytes between the width and the stride are in columns that
 * nobody reads. */
template <typename Sum, bool EXCLUSIVE>
__device__ __forceinline__ void load_pixels(const Table<Sum, EXCLUSIVE> &table, const Place &place,
                                            Pixels &pixels) {
    const uint8_t *from = table.image + (size_t)place.y * table.image_stride + place.x;
    const bool inside = (size_t)place.x < table.image_stride;
#pragma unroll
    for (int i = 0; i < GROUP_ROWS; i++) {
        pixels.words[i] = inside && place.y + i < table.height
                              ? __ldg((const unsigned int *)(from + (size_t)i * table.image_stride))
                              : 0;
    }
}

static __device__ __forceinline__ unsigned int sum_of_word(unsigned int word) {
    return __dp4a(word, 0x01010101U, 0U);
}

static __device__ __forceinline__ void sum_pixels(const Place &place, Pixels &pixels,
                                                  OwnSums &own) {
    uint2 columns = make_uint2(0, 0);
#pragma unroll
    for (int i = 0; i < GROUP_ROWS; i += 2) {
        const unsigned int upper = pixels.words[i];
        const unsigned int lower = pixels.words[i + 1];
        columns.x += (upper & 0x00FF00FFU) + (lower & 0x00FF00FFU);
        columns.y += (upper >> 8 & 0x00FF00FFU) + (lower >> 8 & 0x00FF00FFU);
        /* The sum of a strip's row is below 2^16. */
        const unsigned int both = sum_of_word(upper) | sum_of_word(lower) << 16;
        const unsigned int running = running_sum(both, place.lane);
        pixels.before[i / 2] = running - both;
        if (place.lane == LANES - 1) {
            const int row = place.group * GROUP_ROWS + i;
            own.strips[row][place.strip] = running & 0xFFFFU;
            own.strips[row + 1][place.strip] = running >> 16;
        }
    }
    own.columns[place.group][place.word] = columns;
}

/* === (1) A tile's own sums ==================================================================== */

template <typename Sum, bool EXCLUSIVE, typename Beside>
__global__ void __launch_bounds__(THREADS, ADDING_BLOCKS)
    add_up_tiles(Table<Sum, EXCLUSIVE> table, Beside beside) {
    __shared__ OwnSums own;
    __shared__ unsigned int total;
    let_next_start();
    const int number = (int)blockIdx.x - beside.blocks;
    if (number < 0) {
        beside();
        return;
    }
    const int thread = (int)threadIdx.x;
    if (thread == 0) {
        total = 0;
    }
    const Place place = place_of(number, table.width);
    Pixels pixels;
    load_pixels(table, place, pixels);
    sum_pixels(place, pixels, own);
    __syncthreads();
    if (thread < WORDS) {
        uint2 columns = make_uint2(0, 0);
#pragma unroll
        for (int group = 0; group < GROUPS; group++) {
            columns.x += own.columns[group][thread].x;
            columns.y += own.columns[group][thread].y;
        }
        table.sums.columns[place.tile * WORDS + thread] = columns;
    }
    if (thread < ROWS) {
        unsigned int sum = 0;
#pragma unroll
        for (int strip = 0; strip < STRIPS; strip++) {
            sum += own.strips[thread][strip];
        }
        table.sums.rows[place.tile * ROWS + thread] = sum;
        const unsigned int of_warp = sum_of_lanes(sum);
        if (place.lane == 0) {
            atomicAdd(&total, of_warp);
        }
    }
    __syncthreads();
    if (thread == 0) {
        table.sums.totals[place.tile] = total;
    }
}

/* === (2) Entries ============================================================================== */

template <typename Sum> struct Room {
    OwnSums own;
    uint4 above[GROUPS][WORDS];        /* of each group's share of the tiles above */
    unsigned int shares[SHARES][ROWS]; /* of each share of the tiles left; later their sum */
    Sum before[GROUPS][STRIPS];        /* of the strip, in the rows above the group */
    Sum corners[WARPS];                /* of each warp's share of the tiles above and left */
};

static __device__ __forceinline__ void add_columns(uint4 &sums, uint2 packed) {
    sums.x += packed.x & 0xFFFFU;
    sums.y += packed.y & 0xFFFFU;
    sums.z += packed.x >> 16;
    sums.w += packed.y >> 16;
}

/* Each group adds up a share of the tiles above, each warp of those above and left, each thread of
 * the tiles left; called by all threads. */
template <typename Sum>
__device__ __forceinline__ void sum_others(const Sums &sums, const Place &place, Room<Sum> &room) {
    const int thread = (int)threadIdx.x;
    uint4 above = make_uint4(0, 0, 0, 0);
#pragma unroll 4
    for (int row = place.group; row < place.row; row += GROUPS) {
        const size_t tile = (size_t)row * place.across + place.column;
        add_columns(above, __ldcg(&sums.columns[tile * WORDS + place.word]));
    }
    room.above[place.group][place.word] = above;
    unsigned int left = 0;
#pragma unroll 4
    for (int column = thread / ROWS; column < place.column; column += SHARES) {
        const size_t tile = (size_t)place.row * place.across + column;
        left += __ldcg(&sums.rows[tile * ROWS + thread % ROWS]);
    }
    room.shares[thread / ROWS][thread % ROWS] = left;
    Sum corner = 0;
    const long long corners = (long long)place.row * place.column;
#pragma unroll 2
    for (long long i = thread; i < corners; i += THREADS) {
        corner +=
            __ldcg(&sums.totals[(size_t)(i / place.column) * place.across + i % place.column]);
    }
    corner = sum_of_lanes(corner);
    if (place.lane == 0) {
        room.corners[thread / LANES] = corner;
    }
    __syncthreads();
}

/* Sums of a strip's row become those of all pixels left of the strip. */
template <typename Sum> __device__ __forceinline__ void sum_left(Room<Sum> &room) {
    const int row = (int)threadIdx.x;
    if (row >= ROWS) {
        return;
    }
    unsigned int sum = 0;
#pragma unroll
    for (int share = 0; share < SHARES; share++) {
        sum += room.shares[share][row];
    }
    room.shares[0][row] = sum;
#pragma unroll
    for (int strip = 0; strip < STRIPS; strip++) {
        const unsigned int own = room.own.strips[row][strip];
        room.own.strips[row][strip] = sum;
        sum += own;
    }
}

/* The table row above the warp's group of rows; called by all threads. */
template <typename Sum, bool EXCLUSIVE>
__device__ __forceinline__ void entries_above(const Table<Sum, EXCLUSIVE> &table,
                                              const Place &place, Room<Sum> &room,
                                              Sum (&sums)[PIXELS]) {
    uint4 columns = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        const uint4 above = room.above[group][place.word];
        columns.x += above.x;
        columns.y += above.y;
        columns.z += above.z;
        columns.w += above.w;
        if (group < place.group) {
            add_columns(columns, room.own.columns[group][place.word]);
        }
    }
    const Sum own = (Sum)columns.x + columns.y + columns.z + columns.w;
    const Sum running = running_sum(own, place.lane);
    if (place.lane == LANES - 1) {
        room.before[place.group][place.strip] = running;
    }
    sum_left(room);
    __syncthreads();
    Sum left = running - own;
    for (int strip = 0; strip < place.strip; strip++) {
        left += room.before[place.group][strip];
    }
#pragma unroll
    for (int warp = 0; warp < WARPS; warp++) {
        left += room.corners[warp];
    }
    Sum beside = 0;
    for (int row = place.lane; row < place.group * GROUP_ROWS; row += LANES) {
        beside += room.shares[0][row];
    }
    left += sum_of_lanes(beside);
    const Sum of_columns[PIXELS] = {columns.x, columns.y, columns.z, columns.w};
#pragma unroll
    for (int k = 0; k < PIXELS; k++) {
        sums[k] = EXCLUSIVE ? left : left + of_columns[k];
        left += of_columns[k];
        if (table.based && place.x + k < table.width) {
            sums[k] += __ldcg(&table.entries[place.x + k]);
        }
    }
}

/* Where nobody reads the table next, it goes by a streaming store. */
template <bool STREAMED, typename Vector>
__device__ __forceinline__ void store_vector(Vector *to, Vector value) {
    if (STREAMED) {
        __stcs(to, value);
    } else {
        *to = value;
    }
}

/* `inside`: the lane's row; `x` is its first pixel. Called by whole warps. */
template <bool STREAMED>
__device__ __forceinline__ void store_entries(unsigned int *to, const unsigned int (&sums)[PIXELS],
                                              int, int x, int width, bool inside) {
    if (inside && x < width) {
        store_vector<STREAMED>((uint4 *)to, make_uint4(sums[0], sums[1], sums[2], sums[3]));
    }
}

/* Two neighbours exchange halves, so that both vectors of one store are in one sector. */
template <bool STREAMED>
__device__ __forceinline__ void store_entries(unsigned long long *to,
                                              const unsigned long long (&sums)[PIXELS], int lane,
                                              int x, int width, bool inside) {
    const bool odd = lane % 2 != 0;
    const unsigned long long first = __shfl_xor_sync(ALL_LANES, odd ? sums[0] : sums[2], 1);
    const unsigned long long second = __shfl_xor_sync(ALL_LANES, odd ? sums[1] : sums[3], 1);
    if (inside && x - (odd ? PIXELS : 0) < width) {
        store_vector<STREAMED>((ulonglong2 *)(to - (odd ? 2 : 0)),
                               odd ? make_ulonglong2(first, second)
                                   : make_ulonglong2(sums[0], sums[1]));
    }
    if (inside && x + (odd ? 0 : PIXELS) < width) {
        store_vector<STREAMED>((ulonglong2 *)(to + (odd ? 2 : PIXELS)),
                               odd ? make_ulonglong2(sums[2], sums[3])
                                   : make_ulonglong2(first, second));
    }
}

template <typename Sum, bool EXCLUSIVE>
__device__ __forceinline__ void fill_rows(const Table<Sum, EXCLUSIVE> &table, const Place &place,
                                          const Pixels &pixels, const Room<Sum> &room,
                                          Sum (&sums)[PIXELS]) {
    Sum *entries = table.entries + ((size_t)place.y + 1) * table.stride + place.x;
#pragma unroll
    for (int i = 0; i < GROUP_ROWS; i++) {
        /* An exclusive entry has the pixels before its own: a byte up. */
        const unsigned int word = EXCLUSIVE ? pixels.words[i] << 8 : pixels.words[i];
        const unsigned int before =
            i % 2 == 0 ? pixels.before[i / 2] & 0xFFFFU : pixels.before[i / 2] >> 16;
        const unsigned int left =
            room.own.strips[place.group * GROUP_ROWS + i][place.strip] + before;
        const bool inside = place.y + i < table.height;
        sums[0] += left + (word & 0xFFU);
        sums[1] += __dp4a(word, 0x00000101U, left);
        sums[2] += __dp4a(word, 0x00010101U, left);
        sums[3] += __dp4a(word, 0x01010101U, left);
        store_entries<!EXCLUSIVE>(entries, sums, place.lane, place.x, table.width, inside);
        if (!EXCLUSIVE && inside && place.x == 0) {
            entries[-1] = 0;
        }
        entries += table.stride;
    }
}

/* The row above all, by the tiles below it. */
template <typename Sum, bool EXCLUSIVE>
__device__ __forceinline__ void clear_row(const Table<Sum, EXCLUSIVE> &table, const Place &place) {
    for (int column = (int)threadIdx.x; column < WIDTH; column += THREADS) {
        const int x = place.column * WIDTH + column;
        if (x < table.width) {
            table.entries[x] = 0;
        }
        if (!EXCLUSIVE && x == 0) {
            table.entries[-1] = 0;
        }
    }
}

template <typename Sum, bool EXCLUSIVE, typename Beside>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    fill_tiles(Table<Sum, EXCLUSIVE> table, Beside beside) {
    __shared__ Room<Sum> room;
    const int number = (int)blockIdx.x - beside.blocks;
    if (number < 0) {
        wait_for_kernel_before();
        beside();
        return;
    }
    const Place place = place_of(number, table.width);
    Pixels pixels;
    load_pixels(table, place, pixels);
    sum_pixels(place, pixels, room.own);
    wait_for_kernel_before();
    sum_others(table.sums, place, room);
    Sum sums[PIXELS];
    entries_above(table, place, room, sums);
    fill_rows(table, place, pixels, room, sums);
    /* At the end, so that the blocks of what follows find room everywhere alike. */
    if (Beside::FOLLOWED) {
        let_next_start();
    }
    if (place.row == 0 && !table.based) {
        clear_row(table, place);
    }
}

/* === Kernel launch ============================================================================ */

/* Both kernels, queued on cuda_stream(); `first` and `second` ride along in one each. */
template <typename Sum, bool EXCLUSIVE, typename First, typename Second>
Status launch(const Table<Sum, EXCLUSIVE> &table, const First &first, const Second &second) {
    const unsigned int tiles = (unsigned int)count_of(table.width, table.height);
    add_up_tiles<Sum, EXCLUSIVE, First>
        <<<tiles + (unsigned int)first.blocks, THREADS, 0, cuda_stream()>>>(table, first);
    STATUS_TRY(CUDA_LAUNCHED());
    void (*const fill)(Table<Sum, EXCLUSIVE>, Second) = fill_tiles<Sum, EXCLUSIVE, Second>;
    return launch_early(fill, tiles + (unsigned int)second.blocks, THREADS, table, second);
}

} // namespace summed_tiles

#endif
