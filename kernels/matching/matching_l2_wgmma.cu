/*
 * cuda_fast, squared distances on Hopper: as matching_l2.cu, the products by wgmma.
 *
 * A distance is |a|² + |b|² − 2·a·b, of bytes moved by −128. A block is three warpgroups. Each has
 * 128 rows of B, here called columns, in shared memory; all three take the same rows of A, tile by
 * tile, through registers, in the order in which `prepare` has laid them out. So two of three loads
 * of A hit the L1 cache: for one warpgroup a block, L2 would have to deliver 8 KB for each tile of
 * 64 × 128 pairs, 6.3 TB/s. No barrier is in the loop.
 *
 * A pair's key is 256·(2·a·b − |b|²) + place of the column, by one multiply-add. It is all that a
 * row needs to compare its columns: one maximum of three for two pairs. Adding −256·|a|² + place of
 * the row makes it the key of matching_l2.cu, which a column compares: one instruction adds and
 * takes the maximum. The greatest keys of the columns stay in registers over 64 tiles. Places are
 * exact, so no kernel has to search afterwards.
 *
 * The blocks divide the tiles of all columns evenly, one block for each multiprocessor, as
 * intervals: whoever reaches the end of A goes on with the next columns.
 *
 * Floor, 10,000 × 10,000 rows of 128 bytes on 132 multiprocessors at 1.755 GHz, a tile of 64 × 128
 * pairs: 4 wgmma take 282 clocks at 3,721 products a clock, which an experiment on an H100
 * measured; 64 multiply-adds a thread take 128 and 96 maxima 192 clocks, on two pipes. That is 15.1
 * µs if the products hide the rest, and 1.49 ms for 100,000 × 100,000. Prediction: 22 to 25 µs with
 * the kernels before and after, and 1.6 to 1.9 ms.
 *
 * The experiment did mma.sync at 2,487 products a clock: 22.6 µs for the same, were nothing else to
 * do.
 *
 * Measured on an H100, three launches, rows of 32, 64 and 128 bytes: 31.7, 33.0 and 42.4 µs for
 * 10,000 × 10,000, and 2.02, 2.23 and 2.86 ms for 100,000 × 100,000. The prediction was missed: a
 * tile takes as long as its products and its keys one after the other. Rows of 32 bytes, with a
 * quarter of the products, take 70% of the time of 128.
 */
#include <climits>
#include <cstdint>

#include "early_launch.cuh"
#include "matching_device.cuh"
#include "wgmma.cuh"

namespace {

constexpr int WARP = 32;
constexpr int GROUP_WARPS = 4;
constexpr int GROUP_THREADS = GROUP_WARPS * WARP; /* of a warpgroup */
constexpr int GROUPS = 3;                         /* of a block */
constexpr int THREADS = GROUPS * GROUP_THREADS;
constexpr int COLUMNS = WGMMA_COLUMNS; /* of a warpgroup */
constexpr int BLOCK_COLUMNS = GROUPS * COLUMNS;
constexpr int BANDS = 2;                     /* of a tile; a thread has a row of each */
constexpr int BAND_ROWS = GROUP_THREADS / 4; /* a thread and its three neighbours share a row */
constexpr int ROWS = BANDS * BAND_ROWS;      /* of a tile */
constexpr int THREAD_COLUMNS = COLUMNS / 4;  /* of a thread */
constexpr int QUARTERS = THREAD_COLUMNS / 4; /* of four columns of a thread */
constexpr uint32_t MOVED = 0x80808080;       /* what all bytes of a word are moved by */
constexpr int STRIDE = BAND_ROWS + 4;        /* spreads columns over the banks */

/* === Keys ===================================================================================== */

constexpr int PLACES = 256;

/*
 * −256·distance, plus the place of the column and that of the row. Both count downwards, so that of
 * keys at one distance the greatest is that of the first. Keys and what they are made of stay
 * within 32 bits: distances are below 2^23 − 2^15, lengths at most 2^21.
 */
template <typename Kind> struct Keys {
    static constexpr int LAST_COLUMN = COLUMNS - 1;
    static constexpr int TILES = (PLACES - COLUMNS) / BANDS; /* whose bands have their own places */
    static constexpr int LAST_BAND = BANDS * TILES - 1;

    static __device__ __forceinline__ int place(int key) {
        return key & (PLACES - 1);
    }
    static __device__ __forceinline__ MatchingKey with_index(int key, int index) {
        return matching_key((unsigned int)-(key >> 8), index);
    }
};

template <typename Kind> constexpr int STEPS = Kind::WORDS / 8; /* of 32 bytes */

/* Where a thread's pairs lie in a tile (wgmma.cuh), and its warpgroup in the block. Row 16w + g of
 * the product is row 8w + g of the tile, 16w + g + 8 is 32 rows below: so bands, warps and groups
 * count the rows in their order. */
struct Lane {
    int warpgroup, thread, row, place;
};

__device__ __forceinline__ Lane this_lane() {
    const int thread = (int)threadIdx.x % GROUP_THREADS;
    /* By a shuffle, from which the compiler learns that it is the same in the warp: operands of
     * wgmma are named by uniform registers. */
    const int warpgroup = __shfl_sync(~0U, (int)threadIdx.x / GROUP_THREADS, 0);
    return Lane{warpgroup, thread, thread / 4, thread % 4};
}

/* === Rows of A ================================================================================ */

/* As the threads take them. Buffers are in device memory. Tiles are filled up with copies of the
 * last row: a copy is as near but comes later, so it is nobody's nearest. */
struct Prepared {
    int tiles;
    uint4 *words; /* [tile][step][thread of a warpgroup]: its words of A for wgmma, moved */
    int *terms;   /* [row]: −256·|a|² */
};

template <typename Kind>
__global__ void __launch_bounds__(GROUP_THREADS)
    prepare(const uint32_t *rows, int count, Prepared to, MatchingKey *keys, size_t key_count) {
    let_next_start();
    const Lane lane = this_lane();
    const int tile = (int)blockIdx.x;
    const int row = tile * ROWS + lane.row;
    const uint32_t *upper = rows + (size_t)min(row, count - 1) * Kind::WORDS + lane.place;
    const uint32_t *lower =
        rows + (size_t)min(row + BAND_ROWS, count - 1) * Kind::WORDS + lane.place;
    int lengths[BANDS] = {0, 0};
#pragma unroll
    for (int step = 0; step < STEPS<Kind>; step++) {
        const uint4 words = make_uint4(upper[8 * step] ^ MOVED, lower[8 * step] ^ MOVED,
                                       upper[8 * step + 4] ^ MOVED, lower[8 * step + 4] ^ MOVED);
        to.words[((size_t)tile * STEPS<Kind> + step) * GROUP_THREADS + lane.thread] = words;
        lengths[0] = __dp4a((int)words.x, (int)words.x, lengths[0]);
        lengths[0] = __dp4a((int)words.z, (int)words.z, lengths[0]);
        lengths[1] = __dp4a((int)words.y, (int)words.y, lengths[1]);
        lengths[1] = __dp4a((int)words.w, (int)words.w, lengths[1]);
    }
#pragma unroll
    for (int band = 0; band < BANDS; band++) {
        int length = lengths[band];
        length += __shfl_xor_sync(~0U, length, 1);
        length += __shfl_xor_sync(~0U, length, 2);
        if (lane.place == 0) {
            to.terms[row + band * BAND_ROWS] = -PLACES * length;
        }
    }
    const size_t step = (size_t)gridDim.x * GROUP_THREADS;
    for (size_t i = (size_t)tile * GROUP_THREADS + lane.thread; i < key_count; i += step) {
        keys[i] = ~(MatchingKey)0;
    }
}

/* What a thread has of a tile. */
template <typename Kind> struct TileRows {
    uint32_t words[STEPS<Kind>][4];
    int terms[BANDS];

    __device__ __forceinline__ void load(const Prepared &from, int tile, Lane lane) {
        const uint4 *first = from.words + (size_t)tile * STEPS<Kind> * GROUP_THREADS + lane.thread;
#pragma unroll
        for (int step = 0; step < STEPS<Kind>; step++) {
            const uint4 four = first[step * GROUP_THREADS];
            words[step][0] = four.x;
            words[step][1] = four.y;
            words[step][2] = four.z;
            words[step][3] = four.w;
        }
#pragma unroll
        for (int band = 0; band < BANDS; band++) {
            terms[band] = from.terms[tile * ROWS + band * BAND_ROWS + lane.row];
        }
    }
};

/* === Columns ================================================================================== */

/* A warpgroup's, in shared memory. */
template <typename Kind> struct Group {
    alignas(128) uint4 columns[STEPS<Kind>][2][COLUMNS]; /* moved, in halves of 32 bytes */
    /* The greatest keys of each column: of all rows 32·i + j one, at [column][j]. */
    alignas(16) int best[COLUMNS][STRIDE];
};

/* Of each column −256·|b|² + its place. Thread t of four finds its columns, 8i + 2t and the next,
 * in the order of its sums: four at [i / 2][t]. */
struct Terms {
    int4 of[QUARTERS][4];
};

/* A thread a column. */
template <typename Kind>
__device__ __forceinline__ void load_columns(Group<Kind> &group, Terms &terms, const uint32_t *rows,
                                             int count, int first, Lane lane) {
    static_assert(GROUP_THREADS == COLUMNS, "a thread a column");
    const int column = lane.thread;
    const uint4 *from =
        (const uint4 *)(rows + (size_t)min(first + column, count - 1) * Kind::WORDS);
    int length = 0;
#pragma unroll
    for (int i = 0; i < 2 * STEPS<Kind>; i++) {
        const uint4 raw = __ldg(from + i);
        const uint4 part = make_uint4(raw.x ^ MOVED, raw.y ^ MOVED, raw.z ^ MOVED, raw.w ^ MOVED);
        group.columns[i / 2][i % 2][column] = part;
        length = __dp4a((int)part.x, (int)part.x, length);
        length = __dp4a((int)part.y, (int)part.y, length);
        length = __dp4a((int)part.z, (int)part.z, length);
        length = __dp4a((int)part.w, (int)part.w, length);
    }
    const int four = column / 16 * 4 + column % 8 / 2;
    ((int *)terms.of)[4 * four + column / 8 % 2 * 2 + column % 2] =
        Keys<Kind>::LAST_COLUMN - column - PLACES * length;
    wgmma_wrote_operands();
}

/* === The search =============================================================================== */

struct Pairs {
    Prepared a;
    const uint32_t *b; /* rows of Kind::WORDS words */
    int a_count, b_count;
    MatchingKey *a_keys, *b_keys; /* all bits set before */
};

template <typename Kind>
__device__ __forceinline__ void multiply(uint32_t (&sums)[WGMMA_SUMS], TileRows<Kind> &rows,
                                         const Group<Kind> &group) {
    wgmma_begin(rows.words);
    wgmma_bytes<true>(sums, rows.words[0], wgmma_operand(group.columns[0]));
#pragma unroll
    for (int step = 1; step < STEPS<Kind>; step++) {
        wgmma_bytes<false>(sums, rows.words[step], wgmma_operand(group.columns[step]));
    }
    wgmma_end(sums);
}

/* Of the thread's rows the greatest keys but for the rows' own terms; raises those of its columns.
 * `scale` is 2·PLACES. The compiler does not know it, so that it multiplies: shifts and additions
 * would be on the pipe of the maxima. */
template <typename Kind>
__device__ __forceinline__ void take_maxima(const uint32_t (&sums)[WGMMA_SUMS], int scale,
                                            const Terms &terms, const int (&row_terms)[BANDS],
                                            int place, int (&rows)[BANDS],
                                            int (&columns)[THREAD_COLUMNS]) {
#pragma unroll
    for (int quarter = 0; quarter < QUARTERS; quarter++) {
        const int4 four = terms.of[quarter][place];
        const int term[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int pair = 0; pair < 2; pair++) {
            int *column = &columns[4 * quarter + 2 * pair];
#pragma unroll
            for (int band = 0; band < BANDS; band++) {
                const uint32_t *sum = &sums[8 * quarter + 4 * pair + 2 * band];
                const int even = (int)sum[0] * scale + term[2 * pair];
                const int odd = (int)sum[1] * scale + term[2 * pair + 1];
                rows[band] = max(rows[band], max(even, odd));
                column[0] = max(column[0], even + row_terms[band]);
                column[1] = max(column[1], odd + row_terms[band]);
            }
        }
    }
}

/* Lowers the keys of a tile's rows. Of the four lanes of a row the even ones take that of the first
 * band, the odd ones that of the second. */
template <typename Kind>
__device__ __forceinline__ void store_rows(const Pairs &pairs, const int (&rows)[BANDS],
                                           const int (&row_terms)[BANDS], int tile, int band_place,
                                           int first_column, Lane lane) {
    const int band = lane.place % 2;
    const int others = __shfl_xor_sync(~0U, band ? rows[0] : rows[1], 1);
    int best = max(band ? rows[1] : rows[0], others);
    best = max(best, __shfl_xor_sync(~0U, best, 2));
    const int row = tile * ROWS + band * BAND_ROWS + lane.row;
    if (lane.place < BANDS && row < pairs.a_count) {
        const int key = best + (band ? row_terms[1] : row_terms[0]);
        const int column = Keys<Kind>::LAST_COLUMN - (Keys<Kind>::place(key) - (band_place - band));
        atomicMin(&pairs.a_keys[row], Keys<Kind>::with_index(key, first_column + column));
    }
}

/* Takes `count` tiles from `first` on; leaves the greatest keys of the columns in group.best. */
template <typename Kind>
__device__ __forceinline__ void match_tiles(const Pairs &pairs, int scale, Group<Kind> &group,
                                            const Terms &terms, int first, int count,
                                            int first_column, Lane lane) {
    TileRows<Kind> next;
    next.load(pairs.a, first, lane);
    int columns[THREAD_COLUMNS];
#pragma unroll
    for (int &column : columns) {
        column = INT_MIN;
    }
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        uint32_t sums[WGMMA_SUMS];
        multiply<Kind>(sums, next, group);
        const int band_place = Keys<Kind>::LAST_BAND - BANDS * i;
        const int row_terms[BANDS] = {next.terms[0] + band_place, next.terms[1] + band_place - 1};
        next.load(pairs.a, first + min(i + 1, count - 1), lane);
        int rows[BANDS] = {INT_MIN, INT_MIN};
        take_maxima<Kind>(sums, scale, terms, row_terms, lane.place, rows, columns);
        store_rows<Kind>(pairs, rows, row_terms, first + i, band_place, first_column, lane);
    }
#pragma unroll
    for (int i = 0; i < THREAD_COLUMNS; i++) {
        group.best[i / 2 * 8 + 2 * lane.place + i % 2][lane.row] = columns[i];
    }
}

/* Lowers the key of a column, one for each thread. Of equal keys the first has the lowest row. */
template <typename Kind>
__device__ __forceinline__ void store_columns(const Pairs &pairs, const Group<Kind> &group,
                                              int first_tile, int first_column, Lane lane) {
    const int column = lane.thread;
    if (first_column + column >= pairs.b_count) {
        return;
    }
    int best = INT_MIN;
    int row = 0; /* of the band */
#pragma unroll
    for (int i = 0; i < BAND_ROWS; i += 4) {
        const int4 four = *(const int4 *)&group.best[column][i];
        const int keys[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int j = 0; j < 4; j++) {
            row = keys[j] > best ? i + j : row;
            best = max(best, keys[j]);
        }
    }
    const int band =
        Keys<Kind>::LAST_BAND - (Keys<Kind>::place(best) - (Keys<Kind>::LAST_COLUMN - column));
    atomicMin(&pairs.b_keys[first_column + column],
              Keys<Kind>::with_index(best, first_tile * ROWS + band * BAND_ROWS + row));
}

/* Block b of n: units U·b/n … U·(b + 1)/n − 1, of which there is one for each tile of A and
 * BLOCK_COLUMNS columns, tiles counting first. */
template <typename Kind>
__global__ void __launch_bounds__(THREADS, 1) match(Pairs pairs, int column_blocks, int scale) {
    if constexpr (WGMMA_IS_HERE != 0) {
        extern __shared__ __align__(128) unsigned char match_groups[];
        __shared__ Terms terms[GROUPS];
        let_next_start();
        const Lane lane = this_lane();
        Group<Kind> &group = ((Group<Kind> *)match_groups)[lane.warpgroup];
        Terms &own_terms = terms[lane.warpgroup];
        const int64_t units = (int64_t)pairs.a.tiles * column_blocks;
        const int64_t end = units * (blockIdx.x + 1) / gridDim.x;
        int64_t unit = units * blockIdx.x / gridDim.x;
        int loaded = -1;
        while (unit < end) {
            const int block = (int)(unit / pairs.a.tiles);
            const int tile = (int)(unit % pairs.a.tiles);
            const int count =
                (int)min(end - unit, (int64_t)min(Keys<Kind>::TILES, pairs.a.tiles - tile));
            const int first_column = block * BLOCK_COLUMNS + lane.warpgroup * COLUMNS;
            const bool has_columns = first_column < pairs.b_count;
            if (block != loaded) {
                load_columns<Kind>(group, own_terms, pairs.b, pairs.b_count, first_column, lane);
                loaded = block;
            }
            wait_for_kernel_before(); /* prepare; only the columns do not need it */
            __syncthreads();
            if (has_columns) {
                match_tiles<Kind>(pairs, scale, group, own_terms, tile, count, first_column, lane);
            }
            __syncthreads();
            if (has_columns) {
                store_columns<Kind>(pairs, group, tile, first_column, lane);
            }
            unit += count;
        }
    }
}

/* === The variant ============================================================================== */

struct MatchingBytes : MatchingDevice {
    Prepared prepared;
    int column_blocks;
    int blocks;
};

template <typename Call> Status for_kind(const MatchingSets *sets, const Call &call) {
    return matching_for_words<MATCHING_L2>(sets->bytes, call);
}

template <typename Kind> constexpr size_t SHARED_BYTES = GROUPS * sizeof(Group<Kind>);

Status open_bytes(MatchingDevice *device) {
    MatchingBytes *bytes = (MatchingBytes *)device;
    const MatchingSets *sets = &device->sets;
    Prepared *prepared = &bytes->prepared;
    prepared->tiles = pieces_of(sets->a_count, ROWS);
    const size_t rows = (size_t)prepared->tiles * ROWS;
    const CudaBuffer table[] = {
        cuda_scratch(&prepared->words, rows * (size_t)sets->bytes),
        cuda_scratch(&prepared->terms, rows * sizeof *prepared->terms),
    };
    STATUS_TRY(cuda_open_buffers(device, table));
    device->path = "wgmma s8";
    return for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        const void *kernel = (const void *)match<Kind>;
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)SHARED_BYTES<Kind>));
        int resident = 0;
        STATUS_TRY(cuda_resident_blocks(kernel, THREADS, SHARED_BYTES<Kind>, &resident));
        bytes->column_blocks = pieces_of(sets->b_count, BLOCK_COLUMNS);
        const int64_t units = (int64_t)prepared->tiles * bytes->column_blocks;
        const int64_t slots = (int64_t)resident * cuda_multiprocessors();
        bytes->blocks = (int)(units < slots ? units : slots);
        return status_ok();
    });
}

Status search(const MatchingDevice *device) {
    const MatchingBytes *bytes = (const MatchingBytes *)device;
    const MatchingSets *sets = &device->sets;
    const Pairs pairs = {bytes->prepared, (const uint32_t *)device->b,
                         sets->a_count,   sets->b_count,
                         device->a_keys,  device->b_keys};
    return for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        const size_t keys = (size_t)sets->a_count + (size_t)sets->b_count;
        prepare<Kind><<<(unsigned int)pairs.a.tiles, GROUP_THREADS, 0, cuda_stream()>>>(
            (const uint32_t *)device->a, sets->a_count, pairs.a, device->a_keys, keys);
        STATUS_TRY(CUDA_LAUNCHED());
        return launch_early_sharing(match<Kind>, (unsigned int)bytes->blocks, THREADS,
                                    SHARED_BYTES<Kind>, pairs, bytes->column_blocks, 2 * PLACES);
    });
}

const MatchingMethod method = {open_bytes, search, NULL};

} // namespace

Status matching_l2_has_wgmma(const MatchingSets *sets, bool *has) {
    return for_kind(sets, [&](auto kind) {
        return matching_is_compiled((const void *)match<decltype(kind)>, has);
    });
}

Status matching_l2_wgmma_open_sets(const Request *request, const MatchingSets *sets, void **state) {
    return matching_cuda_open_sets<MatchingBytes>(request, sets, &method, state);
}
