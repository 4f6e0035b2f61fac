/*
 * cuda_fast: the table in one pass. Every pixel is read once, every entry written once.
 *
 * Floor, 15360 × 8640 with 32 bits: 133 MB in and 531 MB out, at the 4 TB/s of a device copy 166
 * µs. Aim: at most 1.3 times a copy of the same bytes from 4K on. Not yet measured.
 *
 * An entry is made of four sums over pixels: those in its tile, those above the tile in its
 * columns, those left of the tile in its rows, and those above and left of both. The last three are
 * sums of what each other tile knows by itself: its columns, its rows, its total. So a block
 *
 *   (1) takes the number of a tile, row by row of tiles; loads its pixels to registers, where they
 *       stay; adds up its columns and rows, and publishes them with the total;
 *   (2) finds the nearest tile above that is finished: its last table row has in it all that is
 *       further up. Waits until the tiles of the rows between, and those left, have done (1); adds
 *       up the columns of those above, the rows of those left, the totals of the others;
 *   (3) fills its rows going down, a warp a strip of columns in a group of rows: the column sums
 *       so far in registers, the sums along the rows from a scan of the lanes for each two rows.
 *
 * No tile waits for another to finish: (1) of a tile depends on nothing. How far up (2) has to read
 * is given by the number of blocks that run at once, not by the height of the image.
 *
 * Numbers come from a counter, so that a tile only waits for tiles that blocks have taken already:
 * no need for all blocks to be resident. Stages count up from launch to launch, so that nothing has
 * to be cleared between runs.
 *
 * Where one wave of large tiles would leave multiprocessors idle, tiles are a quarter as large.
 */
#include <cstdlib>
#include <cuda/atomic>

#include "integral_device.cuh"

VARIANT_FUNCTIONS(integral_cuda_fast);

struct IntegralFast {
    unsigned int *stages;      /* of each tile */
    unsigned int *counter;     /* tiles taken since the upload, modulo 2^32 */
    uint2 *columns;            /* of each tile the sums of its columns, packed by four */
    unsigned int *rows;        /* of each tile its row sums */
    unsigned int *totals;      /* of each tile */
    bool large;                /* tiles */
    size_t tiles;              /* of all rows */
    unsigned int stage, taken; /* of the next launch; modulo 2^32 */
};

namespace {

constexpr int LANES = 32;
constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;
constexpr int PIXELS = 4; /* of a lane in a row: one word */
constexpr int STRIP = LANES * PIXELS;

/* What a launch works on. */
template <typename Sum> struct FastRows {
    const uint8_t *image; /* row `begin` of the pixels */
    size_t image_stride;
    int width, height; /* pixels of the rows that are filled */
    Sum *entries;      /* entry 1 of the table row above them */
    size_t stride;
    bool based; /* that row is there */
    int across; /* tiles */
    unsigned int stage, taken;
};

/* Warps of a block: STRIPS of columns in GROUPS of rows, each of GROUP_ROWS. */
template <int STRIPS_, int GROUPS_, int GROUP_ROWS_, int BLOCKS_> struct Shape {
    static constexpr int STRIPS = STRIPS_;
    static constexpr int GROUPS = GROUPS_;
    static constexpr int GROUP_ROWS = GROUP_ROWS_;
    static constexpr int BLOCKS = BLOCKS_; /* of a multiprocessor */
    static constexpr int WIDTH = STRIPS * STRIP;
    static constexpr int ROWS = GROUPS * GROUP_ROWS;
    static constexpr int WORDS = WIDTH / PIXELS;
    static constexpr int WARPS = STRIPS * GROUPS;
    static constexpr int THREADS = WARPS * LANES;
    static constexpr int SHARES = THREADS / ROWS; /* threads that share a row of the tiles left */
    static_assert(ROWS * 255 < 65536, "16 bits hold the sum of a column");
    static_assert(ROWS % LANES == 0 && THREADS % ROWS == 0, "rows are added up by whole warps");
};

using Large = Shape<4, 4, 16, 2>; /* 512 × 64 pixels */
using Small = Shape<2, 4, 8, 5>;  /* 256 × 32 */

/* Shared memory. */
template <typename Sum, typename S> struct Room {
    uint4 above[S::GROUPS][S::WORDS]; /* of each group's share of the tiles above */
    uint2 columns[S::GROUPS]
                 [S::WORDS]; /* of each group; sums of 16 bits, as add_columns has them */
    unsigned int strips[S::ROWS][S::STRIPS]; /* the row's pixels in the strip, later left of it */
    unsigned int shares[S::SHARES][S::ROWS]; /* of each share of the tiles left; later their sum */
    Sum before[S::GROUPS][S::STRIPS];        /* of the strip, in the rows above the group */
    Sum corners[S::WARPS];                   /* of each warp's share of the tiles above and left */
    unsigned int number, total;
    int first; /* row of tiles: the table row above it is there */
};

/* A thread's place. */
struct Place {
    size_t tile;
    int row, column; /* of tiles */
    int lane, strip, group;
    int word; /* of the tile's row */
    int x, y; /* of its first pixel in the rows */
};

/* The thread's pixels, and those before them in the strip: two rows in a word. */
template <typename S> struct Pixels {
    unsigned int words[S::GROUP_ROWS];
    unsigned int before[S::GROUP_ROWS / 2];
};

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

__device__ __forceinline__ unsigned int sum_of_word(unsigned int word) {
    return __dp4a(word, 0x01010101U, 0U);
}

/* Adds sums of four columns: 0 and 2, then 1 and 3, 16 bits each. */
__device__ __forceinline__ void add_columns(uint4 &sums, uint2 packed) {
    sums.x += packed.x & 0xFFFFU;
    sums.y += packed.y & 0xFFFFU;
    sums.z += packed.x >> 16;
    sums.w += packed.y >> 16;
}

template <typename S> __device__ __forceinline__ Place place_of(unsigned int number, int across) {
    Place place;
    place.tile = number;
    place.row = (int)(number / (unsigned int)across);
    place.column = (int)(number % (unsigned int)across);
    place.lane = (int)threadIdx.x % LANES;
    place.strip = (int)threadIdx.x / LANES % S::STRIPS;
    place.group = (int)threadIdx.x / LANES / S::STRIPS;
    place.word = place.strip * LANES + place.lane;
    place.x = place.column * S::WIDTH + place.word * PIXELS;
    place.y = place.row * S::ROWS + place.group * S::GROUP_ROWS;
    return place;
}

/* === (1) A tile's own sums ==================================================================== */

/* Pixels outside the rows count as 0. Bytes between the width and the stride are in columns that
 * nobody reads. */
template <typename Sum, typename S>
__device__ __forceinline__ void load_pixels(const FastRows<Sum> &work, const Place &place,
                                            Pixels<S> &pixels) {
    const uint8_t *from = work.image + (size_t)place.y * work.image_stride + place.x;
    const bool inside = (size_t)place.x < work.image_stride;
#pragma unroll
    for (int i = 0; i < S::GROUP_ROWS; i++) {
        pixels.words[i] = inside && place.y + i < work.height
                              ? __ldg((const unsigned int *)(from + (size_t)i * work.image_stride))
                              : 0;
    }
}

template <typename Sum, typename S>
__device__ __forceinline__ void sum_pixels(const Place &place, Pixels<S> &pixels,
                                           Room<Sum, S> &room) {
    uint2 columns = make_uint2(0, 0);
#pragma unroll
    for (int i = 0; i < S::GROUP_ROWS; i += 2) {
        const unsigned int upper = pixels.words[i];
        const unsigned int lower = pixels.words[i + 1];
        columns.x += (upper & 0x00FF00FFU) + (lower & 0x00FF00FFU);
        columns.y += (upper >> 8 & 0x00FF00FFU) + (lower >> 8 & 0x00FF00FFU);
        /* The sum of a strip's row is below 2^16. */
        const unsigned int both = sum_of_word(upper) | sum_of_word(lower) << 16;
        const unsigned int running = running_sum(both, place.lane);
        pixels.before[i / 2] = running - both;
        if (place.lane == LANES - 1) {
            const int row = place.group * S::GROUP_ROWS + i;
            room.strips[row][place.strip] = running & 0xFFFFU;
            room.strips[row + 1][place.strip] = running >> 16;
        }
    }
    room.columns[place.group][place.word] = columns;
}

/* Called by all threads: what they have written is there for whoever sees the stage. */
__device__ __forceinline__ void set_stage(unsigned int *stage, unsigned int value) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(*stage).store(
            value, cuda::memory_order_release);
    }
}

template <typename Sum, typename S>
__device__ __forceinline__ void publish_sums(const FastRows<Sum> &work, const IntegralFast &fast,
                                             const Place &place, Room<Sum, S> &room) {
    const int thread = (int)threadIdx.x;
    if (thread < S::WORDS) {
        uint2 columns = make_uint2(0, 0);
#pragma unroll
        for (int group = 0; group < S::GROUPS; group++) {
            columns.x += room.columns[group][thread].x;
            columns.y += room.columns[group][thread].y;
        }
        fast.columns[place.tile * S::WORDS + thread] = columns;
    }
    if (thread < S::ROWS) {
        unsigned int sum = 0;
#pragma unroll
        for (int strip = 0; strip < S::STRIPS; strip++) {
            sum += room.strips[thread][strip];
        }
        fast.rows[place.tile * S::ROWS + thread] = sum;
        const unsigned int of_warp = sum_of_lanes(sum);
        if (place.lane == 0) {
            atomicAdd(&room.total, of_warp);
        }
    }
    __syncthreads();
    if (thread == 0) {
        fast.totals[place.tile] = room.total;
    }
    set_stage(&fast.stages[place.tile], work.stage);
}

/* === (2) The sums of other tiles ============================================================== */

__device__ __forceinline__ unsigned int stage_of(unsigned int *stage) {
    return cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(*stage).load(
        cuda::memory_order_acquire);
}

/* The row below the nearest finished tile above, 0 if there is none; called by a warp. */
template <typename Sum>
__device__ __forceinline__ int row_below_finished(const FastRows<Sum> &work,
                                                  const IntegralFast &fast, const Place &place) {
    for (int end = place.row; end > 0; end -= LANES) {
        const int row = end - 1 - place.lane;
        const bool finished =
            row >= 0 &&
            stage_of(&fast.stages[(size_t)row * work.across + place.column]) == work.stage + 1;
        const unsigned int lanes = __ballot_sync(ALL_LANES, finished);
        if (lanes != 0) {
            return end - __ffs(lanes) + 1;
        }
    }
    return 0;
}

/* Waits for the tiles left, and above down from row `first`; called by all threads. */
template <typename Sum, typename S>
__device__ __forceinline__ void wait_for_others(const FastRows<Sum> &work, const IntegralFast &fast,
                                                const Place &place, int first) {
    const int columns = place.column + 1;
    const int others = (place.row - first + 1) * columns - 1;
    for (int i = (int)threadIdx.x; i < others; i += S::THREADS) {
        unsigned int *stage =
            &fast.stages[(size_t)(first + i / columns) * work.across + i % columns];
        while ((int)(stage_of(stage) - work.stage) < 0) {
            __nanosleep(20);
        }
    }
    __syncthreads();
}

/* Each group adds up a share of the tiles above, each warp of those above and left, each thread of
 * the tiles left; called by all threads. */
template <typename Sum, typename S>
__device__ __forceinline__ void sum_others(const FastRows<Sum> &work, const IntegralFast &fast,
                                           const Place &place, int first, Room<Sum, S> &room) {
    const int thread = (int)threadIdx.x;
    uint4 above = make_uint4(0, 0, 0, 0);
#pragma unroll 4
    for (int row = first + place.group; row < place.row; row += S::GROUPS) {
        const size_t tile = (size_t)row * work.across + place.column;
        add_columns(above, __ldcg(&fast.columns[tile * S::WORDS + place.word]));
    }
    room.above[place.group][place.word] = above;
    unsigned int left = 0;
#pragma unroll 4
    for (int column = thread / S::ROWS; column < place.column; column += S::SHARES) {
        const size_t tile = (size_t)place.row * work.across + column;
        left += __ldcg(&fast.rows[tile * S::ROWS + thread % S::ROWS]);
    }
    room.shares[thread / S::ROWS][thread % S::ROWS] = left;
    Sum corner = 0;
    for (int i = thread; i < (place.row - first) * place.column; i += S::THREADS) {
        const size_t row = (size_t)(first + i / place.column);
        corner += __ldcg(&fast.totals[row * work.across + i % place.column]);
    }
    corner = sum_of_lanes(corner);
    if (place.lane == 0) {
        room.corners[thread / LANES] = corner;
    }
    __syncthreads();
}

/* === (3) Entries ============================================================================== */

/* Sums of a strip's row become those of all pixels left of the strip. */
template <typename Sum, typename S> __device__ __forceinline__ void sum_left(Room<Sum, S> &room) {
    const int row = (int)threadIdx.x;
    if (row >= S::ROWS) {
        return;
    }
    unsigned int sum = 0;
#pragma unroll
    for (int share = 0; share < S::SHARES; share++) {
        sum += room.shares[share][row];
    }
    room.shares[0][row] = sum;
#pragma unroll
    for (int strip = 0; strip < S::STRIPS; strip++) {
        const unsigned int own = room.strips[row][strip];
        room.strips[row][strip] = sum;
        sum += own;
    }
}

/* The table row above the warp's group of rows; called by all threads. */
template <typename Sum, typename S>
__device__ __forceinline__ void entries_above(const FastRows<Sum> &work, const Place &place,
                                              int first, Room<Sum, S> &room, Sum (&sums)[PIXELS]) {
    uint4 columns = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int group = 0; group < S::GROUPS; group++) {
        const uint4 above = room.above[group][place.word];
        columns.x += above.x;
        columns.y += above.y;
        columns.z += above.z;
        columns.w += above.w;
        if (group < place.group) {
            add_columns(columns, room.columns[group][place.word]);
        }
    }
    sums[0] = columns.x;
    sums[1] = sums[0] + columns.y;
    sums[2] = sums[1] + columns.z;
    sums[3] = sums[2] + columns.w;
    const Sum running = running_sum(sums[PIXELS - 1], place.lane);
    if (place.lane == LANES - 1) {
        room.before[place.group][place.strip] = running;
    }
    sum_left(room);
    __syncthreads();
    Sum left = running - sums[PIXELS - 1];
    for (int strip = 0; strip < place.strip; strip++) {
        left += room.before[place.group][strip];
    }
#pragma unroll
    for (int warp = 0; warp < S::WARPS; warp++) {
        left += room.corners[warp];
    }
    Sum beside = 0;
    for (int row = place.lane; row < place.group * S::GROUP_ROWS; row += LANES) {
        beside += room.shares[0][row];
    }
    left += sum_of_lanes(beside);
    const bool based = first > 0 || work.based;
    const Sum *base = work.entries + (size_t)first * S::ROWS * work.stride + place.x;
#pragma unroll
    for (int k = 0; k < PIXELS; k++) {
        sums[k] += left + (based && place.x + k < work.width ? __ldcg(base + k) : 0);
    }
}

/* `inside`: the lane's row and its first pixel. Called by whole warps. */
__device__ __forceinline__ void store_entries(unsigned int *to, const unsigned int (&sums)[PIXELS],
                                              int lane, int x, int width, bool inside) {
    (void)lane;
    if (inside && x < width) {
        __stcs((uint4 *)to, make_uint4(sums[0], sums[1], sums[2], sums[3]));
    }
}

/* Two neighbours exchange halves, so that both vectors of one store are in one sector. */
__device__ __forceinline__ void store_entries(unsigned long long *to,
                                              const unsigned long long (&sums)[PIXELS], int lane,
                                              int x, int width, bool inside) {
    const bool odd = lane % 2 != 0;
    const unsigned long long first = __shfl_xor_sync(ALL_LANES, odd ? sums[0] : sums[2], 1);
    const unsigned long long second = __shfl_xor_sync(ALL_LANES, odd ? sums[1] : sums[3], 1);
    if (inside && x - (odd ? PIXELS : 0) < width) {
        __stcs((ulonglong2 *)(to - (odd ? 2 : 0)),
               odd ? make_ulonglong2(first, second) : make_ulonglong2(sums[0], sums[1]));
    }
    if (inside && x + (odd ? 0 : PIXELS) < width) {
        __stcs((ulonglong2 *)(to + (odd ? 2 : PIXELS)),
               odd ? make_ulonglong2(sums[2], sums[3]) : make_ulonglong2(first, second));
    }
}

template <typename Sum, typename S>
__device__ __forceinline__ void fill_rows(const FastRows<Sum> &work, const Place &place,
                                          const Pixels<S> &pixels, const Room<Sum, S> &room,
                                          Sum (&sums)[PIXELS]) {
    Sum *entries = work.entries + ((size_t)place.y + 1) * work.stride + place.x;
#pragma unroll
    for (int i = 0; i < S::GROUP_ROWS; i++) {
        const unsigned int word = pixels.words[i];
        const unsigned int before =
            i % 2 == 0 ? pixels.before[i / 2] & 0xFFFFU : pixels.before[i / 2] >> 16;
        const unsigned int left =
            room.strips[place.group * S::GROUP_ROWS + i][place.strip] + before;
        const bool inside = place.y + i < work.height;
        sums[0] += left + (word & 0xFFU);
        sums[1] += __dp4a(word, 0x00000101U, left);
        sums[2] += __dp4a(word, 0x00010101U, left);
        sums[3] += __dp4a(word, 0x01010101U, left);
        store_entries(entries, sums, place.lane, place.x, work.width, inside);
        if (inside && place.x == 0) {
            entries[-1] = 0;
        }
        entries += work.stride;
    }
}

/* Row 0 of the table, by the tiles below it. */
template <typename Sum, typename S>
__device__ __forceinline__ void clear_row(const FastRows<Sum> &work, const Place &place) {
    for (int column = (int)threadIdx.x; column < S::WIDTH; column += S::THREADS) {
        const int x = place.column * S::WIDTH + column;
        if (x < work.width) {
            work.entries[x] = 0;
        }
        if (x == 0) {
            work.entries[-1] = 0;
        }
    }
}

/* Devices of compute capability 7.5 hold 1024 threads on a multiprocessor. */
template <typename S> __host__ __device__ constexpr int resident_blocks() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return S::BLOCKS * S::THREADS <= 1024 ? S::BLOCKS : 1024 / S::THREADS;
#else
    return S::BLOCKS;
#endif
}

template <typename Sum, typename S>
__global__ void __launch_bounds__(S::THREADS, resident_blocks<S>())
    integral_fast(FastRows<Sum> work, IntegralFast fast) {
    __shared__ Room<Sum, S> room;
    if (threadIdx.x == 0) {
        room.number = atomicAdd(fast.counter, 1U) - work.taken;
        room.total = 0;
    }
    __syncthreads();
    const Place place = place_of<S>(room.number, work.across);
    Pixels<S> pixels;
    load_pixels(work, place, pixels);
    sum_pixels(place, pixels, room);
    __syncthreads();
    publish_sums(work, fast, place, room);
    if (threadIdx.x < LANES) {
        room.first = row_below_finished(work, fast, place);
    }
    __syncthreads();
    const int first = room.first;
    wait_for_others<Sum, S>(work, fast, place, first);
    sum_others(work, fast, place, first, room);
    Sum sums[PIXELS];
    entries_above(work, place, first, room, sums);
    fill_rows(work, place, pixels, room, sums);
    if (place.row == 0 && !work.based) {
        clear_row<Sum, S>(work, place);
    }
    set_stage(&fast.stages[place.tile], work.stage + 1);
}

/* === Host ===================================================================================== */

template <typename S> size_t tiles_of(int width, int height) {
    return (size_t)pieces_of(width, S::WIDTH) * (size_t)pieces_of(height, S::ROWS);
}

template <typename S> Status allocate(IntegralFast *fast, int width, int height) {
    fast->tiles = tiles_of<S>(width, height);
    const size_t tiles = fast->tiles;
    STATUS_TRY(cuda_backend.alloc(tiles * sizeof *fast->stages, (void **)&fast->stages));
    STATUS_TRY(cuda_backend.alloc(sizeof *fast->counter, (void **)&fast->counter));
    STATUS_TRY(
        cuda_backend.alloc(tiles * S::WORDS * sizeof *fast->columns, (void **)&fast->columns));
    STATUS_TRY(cuda_backend.alloc(tiles * S::ROWS * sizeof *fast->rows, (void **)&fast->rows));
    return cuda_backend.alloc(tiles * sizeof *fast->totals, (void **)&fast->totals);
}

Status open_fast(const IntegralDevice *device, IntegralFast *fast) {
    const size_t resident = (size_t)(Large::BLOCKS * cuda_multiprocessors());
    fast->large = tiles_of<Large>(device->width, device->height) >= resident;
    return fast->large ? allocate<Large>(fast, device->width, device->height)
                       : allocate<Small>(fast, device->width, device->height);
}

template <typename Sum, typename S> Status launch(IntegralFast *fast, FastRows<Sum> work) {
    work.across = pieces_of(work.width, S::WIDTH);
    const unsigned int tiles = (unsigned int)tiles_of<S>(work.width, work.height);
    integral_fast<Sum, S><<<tiles, S::THREADS, 0, cuda_stream()>>>(work, *fast);
    fast->taken += tiles;
    fast->stage += 2;
    return CUDA_LAUNCHED();
}

struct Launching {
    IntegralFast *fast;
    int begin, end;
    bool based;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        FastRows<Sum> work = {};
        work.image = device->image + (size_t)begin * device->image_stride;
        work.image_stride = device->image_stride;
        work.width = device->width;
        work.height = end - begin;
        work.entries = integral_device_entries<Sum>(device) + (size_t)begin * device->stride;
        work.stride = device->stride;
        work.based = based;
        work.stage = fast->stage;
        work.taken = fast->taken;
        return fast->large ? launch<Sum, Large>(fast, work) : launch<Sum, Small>(fast, work);
    }
};

/* The shared part comes first, so that integral_cuda_download serves this state. */
struct FastCell {
    IntegralDevice device;
    IntegralFast *fast;
};

Status open_cell(const Request *request, FastCell *cell) {
    STATUS_TRY(integral_device_open(request, INTEGRAL_FAST_ROW_ALIGNMENT,
                                    integral_all_rows(request), &cell->device));
    return integral_fast_open(&cell->device, &cell->fast);
}

} // namespace

Status integral_fast_open(const IntegralDevice *device, IntegralFast **fast) {
    *fast = NULL;
    IntegralFast *opened = (IntegralFast *)calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    const Status status = open_fast(device, opened);
    if (!status_is_ok(&status)) {
        integral_fast_close(opened);
        return status;
    }
    *fast = opened;
    return status;
}

void integral_fast_close(IntegralFast *fast) {
    if (fast != NULL) {
        cuda_backend.release(fast->stages);
        cuda_backend.release(fast->counter);
        cuda_backend.release(fast->columns);
        cuda_backend.release(fast->rows);
        cuda_backend.release(fast->totals);
        free(fast);
    }
}

Status integral_fast_upload(IntegralFast *fast) {
    CUDA_TRY(cudaMemsetAsync(fast->stages, 0, fast->tiles * sizeof *fast->stages, cuda_stream()));
    CUDA_TRY(cudaMemsetAsync(fast->counter, 0, sizeof *fast->counter, cuda_stream()));
    fast->stage = 2;
    fast->taken = 0;
    return status_ok();
}

Status integral_fast_launch(const IntegralDevice *device, IntegralFast *fast, int begin, int end,
                            bool based) {
    return integral_device_run(device, Launching{fast, begin, end, based});
}

Status integral_cuda_fast_open(const Request *request, void **state) {
    return cuda_open_state<FastCell>(
        state, [&](FastCell *cell) { return open_cell(request, cell); }, integral_cuda_fast_close);
}

Status integral_cuda_fast_upload(void *state) {
    FastCell *cell = (FastCell *)state;
    STATUS_TRY(integral_fast_upload(cell->fast));
    return integral_device_upload(&cell->device);
}

Status integral_cuda_fast_run(void *state) {
    FastCell *cell = (FastCell *)state;
    return integral_fast_launch(&cell->device, cell->fast, 0, cell->device.height, false);
}

void integral_cuda_fast_close(void *state) {
    FastCell *cell = (FastCell *)state;
    if (cell != NULL) {
        integral_fast_close(cell->fast);
        integral_device_close(&cell->device);
        free(cell);
    }
}
