/*
 * Sums by products of bits on tensor cores, for boxes of at most LACUNARITY_PRODUCTS_BOX_MAX rows;
 * part of cuda_fast.
 *
 * Pixels become bits once, a word for 32 rows of a column. A mass differs from the one left of it
 * by a column that enters and one that leaves. Both are counts of bits in the box's rows, so that
 *   - for 16 rows and 8 columns, the differences of entering and leaving columns are one product of
 *     bits: bands of ones by columns of the image, with complements for those that leave;
 *   - the masses of 16 rows and 8 columns are a product of bytes: those differences by a triangle
 *     of ones, added to the mass at the left;
 *   - the mass at the left of the next 32 columns is a product with ones alone.
 * A warp has 32 rows of positions and goes through a segment of them from left to right. It meets
 * no barrier and writes nothing. A product has room for 97 rows of a box: taller boxes are cut into
 * pieces, whose products add up.
 *
 * Floor, 8192 × 8192, side 64, on an H200: 67 MB in at 4.2 TB/s are 16 µs. Of each 16 rows and 32
 * columns, 4 products of bits and 4 of bytes take 53 clocks of a quarter of a multiprocessor, and
 * about 60 instructions take 60: 8 µs.
 *
 * The ladder on an H200, texture, one launch unless said, µs, 1080p and 8192 × 8192 with side 64:
 *   12.4   80.7   lacunarity_fast.cu
 *   10.0   49.6   products (predicted 9.5 and 45)
 *    9.4   47.9   both halves of a product's rows by turns, words loaded a step ahead
 *    8.6   47.5   the kernel that packs bits clears the sums
 *    6.9   44.6   products start while bits are packed
 *    6.6   44.4   three pieces in 128 registers (six launches in turn)
 *    6.6   42.9   pixels are read as what is not read again: the bits stay in the L2 cache
 * (likewise) Side 255: 14.0 and 80.8 when products started while bits were packed, three pieces.
 */
#include <algorithm>

#include "early_launch.cuh"
#include "lacunarity_device.cuh"

namespace {

constexpr int LANES = 32;
constexpr int WARPS = 4;
constexpr int THREADS = WARPS * LANES;
constexpr int WORD = 32;       /* rows of a word of bits */
constexpr int ROWS = WORD;     /* of positions, of a warp */
constexpr int HALVES = 2;      /* of them, 16 rows each: those of a product */
constexpr int COLUMNS = 32;    /* that a warp is at at once */
constexpr int EIGHTS = 4;      /* of them, 8 columns each: those of a product */
constexpr int PIECE_WORDS = 3; /* of a box's rows, but for the last piece */
constexpr int PIECE_ROWS = PIECE_WORDS * WORD;
constexpr int LAST_ROWS = PIECE_ROWS + 1; /* at most: rows 31 … 127 of four words */
constexpr int WORDS = 4;                  /* of each column in a product */
constexpr int PIECES_MAX = 3;
static_assert(LACUNARITY_PRODUCTS_BOX_MAX <= PIECES_MAX * PIECE_ROWS + 1, "boxes have to fit");
constexpr int SEGMENT_MIN = 4; /* times COLUMNS, so that what a segment begins with is little */
constexpr size_t WORDS_MEMORY = (size_t)1 << 30;
constexpr uint32_t HIGH_BITS = 0x80808080U;
constexpr uint32_t ONES = 0x01010101U;
static_assert(LAST_ROWS <= 127, "differences of columns are signed bytes");
static_assert((uint64_t)LAST_ROWS * LAST_ROWS * LAST_ROWS * LAST_ROWS * 32 < 0x1p32,
              "of one piece, a thread's squares of 32 columns fit 32 bits");

/* === Bits ===================================================================================== */

struct WordsJob {
    const uint8_t *image;
    size_t stride;
    int height, fours; /* columns in fours */
    int word_rows;     /* of a threshold, with those behind the image */
    int pitch;
    uint32_t *words;
    LacunaritySums *sums; /* that begin as 0 */
    int sum_count;
};

struct ThresholdList {
    uint8_t values[LACUNARITY_THRESHOLDS_MAX];
};

/* For four pixels at a time: their highest bits tell whether they are at least the threshold. */
struct Comparison {
    uint32_t add, low;

    __device__ explicit Comparison(int threshold)
        : add((0x80U - (uint32_t)(threshold & 0x7F)) * ONES), low(threshold < 0x80 ? ~0U : 0U) {
    }
    __device__ __forceinline__ uint32_t operator()(uint32_t pixels) const {
        const uint32_t above = (pixels & ~HIGH_BITS) + add; /* by their other seven bits */
        return (pixels & above) | ((pixels | above) & low);
    }
};

/* Four columns of 32 rows, or of fewer, whose last one is repeated. */
template <bool ALL>
__device__ __forceinline__ void load_rows(const uint8_t *at, size_t stride, int count,
                                          uint32_t (&rows)[WORD]) {
#pragma unroll
    for (int i = 0; i < WORD; i++) {
        rows[i] = __ldcs((const uint32_t *)at); /* once: words stay in L2 */
        at += ALL || i + 1 < count ? stride : 0;
    }
}

/* A thread takes four columns and 32 rows, all on the way before the first is used. */
__global__ void __launch_bounds__(THREADS)
    lacunarity_words(WordsJob job, const __grid_constant__ ThresholdList thresholds) {
    let_next_start();
    const int four = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (blockIdx.y == 0 && blockIdx.z == 0) {
        for (int i = four; i < job.sum_count; i += (int)gridDim.x * THREADS) {
            job.sums[i] = LacunaritySums{0, 0, 0};
        }
    }
    if (four >= job.fours) {
        return;
    }
    const int first = (int)blockIdx.y * WORD;
    const Comparison compare(thresholds.values[blockIdx.z]);
    const uint8_t *pixels = job.image + (size_t)first * job.stride + 4 * (size_t)four;
    uint32_t rows[WORD];
    if (first + WORD <= job.height) {
        load_rows<true>(pixels, job.stride, WORD, rows);
    } else {
        load_rows<false>(pixels, job.stride, job.height - first, rows);
    }
    uint32_t bytes[4]; /* byte i of each: eight rows of column i */
#pragma unroll
    for (int i = 0; i < 4; i++) {
        bytes[i] = 0;
#pragma unroll
        for (int row = 0; row < 8; row++) {
            bytes[i] = bytes[i] >> 1 | (compare(rows[8 * i + row]) & HIGH_BITS);
        }
    }
    const uint32_t upper01 = __byte_perm(bytes[0], bytes[1], 0x5140);
    const uint32_t upper23 = __byte_perm(bytes[0], bytes[1], 0x7362);
    const uint32_t lower01 = __byte_perm(bytes[2], bytes[3], 0x5140);
    const uint32_t lower23 = __byte_perm(bytes[2], bytes[3], 0x7362);
    const uint4 words =
        make_uint4(__byte_perm(upper01, lower01, 0x5410), __byte_perm(upper01, lower01, 0x7632),
                   __byte_perm(upper23, lower23, 0x5410), __byte_perm(upper23, lower23, 0x7632));
    const size_t row = (size_t)blockIdx.z * job.word_rows + blockIdx.y;
    ((uint4 *)(job.words + row * job.pitch))[four] = words;
}

/* === Products ================================================================================= */

/* Products sums += A·B, the places as in PTX. A is 16 rows: of 256 bits, of 32 signed bytes, or of
 * the first 16 of those. B is eight columns of as many. */
__device__ __forceinline__ void multiply_bits(int (&sums)[4], const uint32_t (&a)[4],
                                              const uint32_t (&b)[2]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

__device__ __forceinline__ void multiply_bytes(int (&sums)[4], const uint32_t (&a)[4],
                                               const uint32_t (&b)[2]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

__device__ __forceinline__ void multiply_half(int (&sums)[4], const uint32_t (&a)[4], uint32_t b) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
#endif
}

/* The same value, which the compiler does not know to be the same. Products take four registers in
 * a row: values known to be equal share one, and are copied before each product. */
template <typename Word> __device__ __forceinline__ void keep_apart(Word &word) {
    word = __shfl_sync(~0U, word, (int)threadIdx.x % LANES);
}

__host__ __device__ constexpr int pieces_of_box(int box) {
    return box <= LAST_ROWS ? 1 : (box - 2) / PIECE_ROWS + 1;
}

struct ProductsJob {
    int width, word_rows, pitch;
    int box_count;
    int segments, segment; /* of a row of positions; their columns */
    const LacunarityBand *bands;
    const uint32_t *words;
    LacunaritySums *sums;
};

/* Rows g and g + 8 of each half are of the lanes of group g; of eight columns, column g. */
struct Lane {
    int group, place;

    __device__ Lane() : group((int)threadIdx.x % LANES / 4), place((int)threadIdx.x % 4) {
    }
};

__device__ __forceinline__ uint32_t bits_below(int end) {
    return end <= 0 ? 0 : end >= WORD ? ~0U : (1U << end) - 1;
}

/* The rows of a piece of the box, for each row of positions of a warp; none where that is none. */
struct Piece {
    uint32_t ones[HALVES][4]; /* those for columns that enter, and again for those that leave */
    int none[HALVES][4];      /* minus how many there are */

    __device__ Piece(int rows, int begin, int end, const Lane &lane) {
#pragma unroll
        for (int i = 0; i < HALVES * 4; i++) {
            const int row = i / 4 * 16 + i % 2 * 8 + lane.group;
            const int first = row - lane.place * WORD;
            const bool counts = row >= begin && row < end;
            ones[i / 4][i % 4] = counts ? bits_below(first + rows) & ~bits_below(first) : 0;
        }
#pragma unroll
        for (int i = 0; i < HALVES * 4; i++) {
            const int row = i / 2 * 8 + lane.group;
            none[i / 4][i % 4] = row >= begin && row < end ? -rows : 0;
            if (i % 2 == 1) {
                keep_apart(none[i / 4][i % 4]);
            }
        }
    }
};

/* This lane's words of COLUMNS columns: of each eight, the one that enters, and the complement of
 * the one that leaves. */
struct Words {
    uint32_t of[EIGHTS][2];

    __device__ __forceinline__ void load(const uint32_t *entering, const uint32_t *leaving) {
#pragma unroll
        for (int i = 0; i < EIGHTS; i++) {
            of[i][0] = entering[8 * i];
            of[i][1] = ~leaving[8 * i];
        }
    }
    /* Columns of the first box, of which none leave. */
    __device__ __forceinline__ void load_first(const uint32_t *entering, int count) {
#pragma unroll
        for (int i = 0; i < EIGHTS; i++) {
            of[i][0] = 8 * i < count ? entering[8 * i] : 0;
            of[i][1] = ~0U;
        }
    }
};

/* The lowest bytes of four words. */
__device__ __forceinline__ uint32_t pack_bytes(int a, int b, int c, int d) {
    const uint32_t low = __byte_perm((uint32_t)a, (uint32_t)b, 0x0040);
    return __byte_perm(low, __byte_perm((uint32_t)c, (uint32_t)d, 0x0040), 0x5410);
}

/* What enters less what leaves, of 16 rows and COLUMNS columns, as multiply_bytes takes it. Byte i
 * of words 0 and 1 is column 8(i / 2) + 2t + i % 2, of words 2 and 3 that is 16 columns further. */
__device__ __forceinline__ void find_changes(const Words &words, const Piece &piece, int half,
                                             uint32_t (&changes)[4]) {
    int sums[EIGHTS][4];
#pragma unroll
    for (int i = 0; i < EIGHTS; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            sums[i][j] = piece.none[half][j];
        }
        multiply_bits(sums[i], piece.ones[half], words.of[i]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int(&left)[4] = sums[i / 2 * 2];
        const int(&right)[4] = sums[i / 2 * 2 + 1];
        const int row = i % 2 * 2;
        changes[i] = pack_bytes(left[row], left[row + 1], right[row], right[row + 1]);
    }
}

/* Ones for the columns of COLUMNS that are left of this lane's of each eight, and for all. */
struct Triangle {
    uint32_t left[EIGHTS][2], all[2];

    __device__ explicit Triangle(const Lane &lane) : left{}, all{ONES, ONES} {
#pragma unroll
        for (int i = 0; i < EIGHTS * 8; i++) {
            const int column = i % 8 / 2 * 8 + 2 * lane.place + i % 2;
            const bool is_left = column < i / 8 * 8 + lane.group;
            left[i / 8][i % 8 / 4] |= (is_left ? 1U : 0U) << (i % 4 * 8);
        }
    }
    /* Adds the changes of the columns to the left. */
    __device__ __forceinline__ void add(int (&masses)[4], const uint32_t (&changes)[4],
                                        int eight) const {
        if (eight < EIGHTS / 2) {
            multiply_half(masses, changes, left[eight][0]);
        } else {
            multiply_bytes(masses, changes, left[eight]);
        }
    }
};

/* A thread's sums. Of one piece, those of COLUMNS columns are added up in 32 bits before. */
template <bool SMALL> struct ThreadSums {
    uint64_t sum, squares;
    uint32_t row_sum, row_squares;

    template <bool ALL>
    __device__ __forceinline__ void add(const int (&masses)[4], int column, int end) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const bool counts = ALL || column + i % 2 < end;
            const uint32_t mass = counts ? (uint32_t)masses[i] : 0;
            row_sum += mass;
            if (SMALL) {
                row_squares += mass * mass;
            } else {
                squares += (uint64_t)mass * mass;
            }
        }
    }
    __device__ __forceinline__ void end_columns() {
        sum += row_sum;
        squares += row_squares;
        row_sum = row_squares = 0;
    }
};

/* The rows of positions of a warp, in a segment of them. */
template <int PIECES> struct WarpRows {
    const Lane lane;
    const Triangle triangle;
    const Piece last, piece;
    const int box, piece_words; /* from a piece's words to the next one's */
    const uint32_t *leaving;    /* this lane's words, of the next columns */
    const uint32_t *entering;
    int start[HALVES][4]; /* masses at the first of the next columns, in each column */
    ThreadSums<PIECES == 1> sums;

    __device__ WarpRows(const ProductsJob &job, const LacunarityBand &band, int x, int y)
        : triangle(lane),
          last(band.box - (PIECES - 1) * PIECE_ROWS, band.begin - y, band.end - y, lane),
          piece(PIECES == 1 ? last : Piece(PIECE_ROWS, band.begin - y, band.end - y, lane)),
          box(band.box), piece_words(PIECE_WORDS * job.pitch),
          leaving(job.words +
                  ((size_t)blockIdx.z * job.word_rows + y / WORD + lane.place) * job.pitch +
                  lane.group + x),
          entering(leaving + band.box), start{}, sums{} {
    }

    __device__ __forceinline__ void find_start() {
        for (int x = 0; x < box; x += COLUMNS) {
#pragma unroll
            for (int i = 0; i < PIECES; i++) {
                Words first;
                first.load_first(leaving + i * piece_words + x, box - x - lane.group);
#pragma unroll
                for (int half = 0; half < HALVES; half++) {
                    uint32_t changes[4];
                    find_changes(first, i + 1 < PIECES ? piece : last, half, changes);
                    multiply_bytes(start[half], changes, triangle.all);
                }
            }
        }
    }

    __device__ __forceinline__ void load(Words &words, int piece_index) const {
        words.load(entering + piece_index * piece_words, leaving + piece_index * piece_words);
    }

    /* Adds the masses of the positions from x on that are before `end`, or of ALL. `next` has the
     * words of the first piece, and then those of the next columns. */
    template <bool ALL> __device__ __forceinline__ void add_columns(Words &next, int x, int end) {
        int masses[HALVES][EIGHTS][4];
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            const Words here = next;
            const bool ends = i + 1 == PIECES;
            if (ends) {
                leaving += COLUMNS;
                entering += COLUMNS;
            }
            load(next, ends ? 0 : i + 1);
            __syncwarp(); /* or the compiler loads only when the others are used up */
            uint32_t changes[HALVES][4];
#pragma unroll
            for (int half = 0; half < HALVES; half++) {
                find_changes(here, ends ? last : piece, half, changes[half]);
            }
#pragma unroll
            for (int j = 0; j < EIGHTS * HALVES; j++) { /* by turns: neither waits for the other */
                const int eight = j / HALVES;
                int(&of_eight)[4] = masses[j % HALVES][eight];
                if (i == 0) {
#pragma unroll
                    for (int k = 0; k < 4; k++) {
                        of_eight[k] = start[j % HALVES][k];
                    }
                }
                triangle.add(of_eight, changes[j % HALVES], eight);
                if (ends) {
                    sums.template add<ALL>(of_eight, x + 8 * eight + 2 * lane.place, end);
                }
            }
#pragma unroll
            for (int half = 0; half < HALVES; half++) {
                multiply_bytes(start[half], changes[half], triangle.all);
            }
        }
        sums.end_columns();
    }
};

/* Boxes of other numbers of pieces are for other kernel launches. */
template <int PIECES>
__global__ void __launch_bounds__(THREADS, PIECES == 1 ? 6 : 4)
    lacunarity_products(const __grid_constant__ ProductsJob job) {
    const LacunarityBand band = job.bands[blockIdx.y];
    const int positions = job.width - band.box + 1;
    const int first = (int)blockIdx.x % job.segments * job.segment;
    const int end = min(positions, first + job.segment);
    const int y = band.begin / WORD * WORD + (int)blockIdx.x / job.segments * WARPS * ROWS;
    if (pieces_of_box(band.box) != PIECES || first >= end || y >= band.end) {
        return;
    }
    Moments moments = {};
    const int own_y = y + (int)threadIdx.x / LANES * ROWS;
    if (own_y < band.end) {
        WarpRows<PIECES> rows(job, band, first, own_y);
        wait_for_kernel_before(); /* for words and sums: the thread that adds to them is here */
        rows.find_start();
        Words next;
        rows.load(next, 0);
        int x = first;
#pragma unroll 2
        for (; x + COLUMNS <= end; x += COLUMNS) {
            rows.template add_columns<true>(next, x, end);
        }
        if (x < end) {
            rows.template add_columns<false>(next, x, end);
        }
        moments.s = rows.sums.sum;
        moments.low = rows.sums.squares & 0xFFFFFFFFU;
        moments.high = rows.sums.squares >> 32;
    }
    block_add_moments(moments, job.sums + (size_t)blockIdx.z * job.box_count + blockIdx.y);
}

/* === Kernel launches ========================================================================== */

using Kernel = void (*)(ProductsJob);

Kernel kernel_of(int pieces) {
    static const Kernel kernels[PIECES_MAX] = {lacunarity_products<1>, lacunarity_products<2>,
                                               lacunarity_products<3>};
    return kernels[pieces - 1];
}

/* Of the boxes of so many pieces. */
struct Extent {
    int blocks; /* one below the other, of all these boxes */
    int most;   /* of one of them */
    int widest; /* positions in a row */
};

Extent extent_of(const LacunarityDevice *device, int pieces) {
    Extent extent = {};
    for (size_t b = 0; b < device->plan.box_count; b++) {
        const LacunarityBand &band = device->bands[b];
        if (band.begin < band.end && pieces_of_box(band.box) == pieces) {
            const int blocks = pieces_of(band.end - band.begin / WORD * WORD, WARPS * ROWS);
            extent.blocks += blocks;
            extent.most = std::max(extent.most, blocks);
            extent.widest = std::max(extent.widest, device->width - band.box + 1);
        }
    }
    return extent;
}

/* Segments of a row: as many as the device has places for at once. Each begins with the columns of
 * a box, for a third of what it then takes for as many positions. */
Status choose_segments(const Extent &extent, int thresholds, int pieces, ProductsJob *job) {
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)kernel_of(pieces), THREADS, 0, &blocks));
    const long long places = (long long)blocks * cuda_multiprocessors();
    const long long fit = places / ((long long)extent.blocks * thresholds);
    const int least = std::max(SEGMENT_MIN, pieces * PIECE_WORDS);
    const int columns = pieces_of(extent.widest, COLUMNS);
    const int most = pieces_of(columns, least);
    const int wanted = (int)std::min<long long>(std::max<long long>(fit, 1), most);
    job->segment = pieces_of(columns, wanted) * COLUMNS;
    job->segments = pieces_of(extent.widest, job->segment);
    return status_ok();
}

Status launch(const LacunarityDevice *device, const LacunarityProducts *products, int first,
              int count) {
    ProductsJob job = {};
    job.width = device->width;
    job.word_rows = products->word_rows;
    job.pitch = products->pitch;
    job.box_count = (int)device->plan.box_count;
    job.bands = products->bands;
    job.words = products->words;
    job.sums = lacunarity_device_sums(device, (size_t)first, 0);
    for (int pieces = 1; pieces <= PIECES_MAX; pieces++) {
        const Extent extent = extent_of(device, pieces);
        if (extent.blocks == 0) {
            continue;
        }
        STATUS_TRY(choose_segments(extent, count, pieces, &job));
        const dim3 grid((unsigned int)(extent.most * job.segments), (unsigned int)job.box_count,
                        (unsigned int)count);
        STATUS_TRY(launch_early(kernel_of(pieces), grid, dim3(THREADS), job));
    }
    return status_ok();
}

Status pack(const LacunarityDevice *device, const LacunarityProducts *products, int first,
            int count) {
    WordsJob job = {};
    job.image = device->image;
    job.stride = device->stride;
    job.height = device->height;
    job.fours = (int)device->stride / 4;
    job.word_rows = products->word_rows;
    job.pitch = products->pitch;
    job.words = products->words;
    job.sums = device->sums;
    job.sum_count = first == 0 ? (int)(device->plan.threshold_count * device->plan.box_count) : 0;
    ThresholdList thresholds = {};
    for (int i = 0; i < count; i++) {
        thresholds.values[i] = (uint8_t)device->plan.thresholds[first + i];
    }
    const dim3 grid((unsigned int)pieces_of(job.fours, THREADS),
                    (unsigned int)pieces_of(job.height, WORD), (unsigned int)count);
    lacunarity_words<<<grid, THREADS, 0, cuda_stream()>>>(job, thresholds);
    return CUDA_LAUNCHED();
}

} // namespace

/* Later devices count bits by instructions that this would not be worth. */
Status lacunarity_products_are_here(bool *here) {
    int major = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrComputeCapabilityMajor, &major));
    *here = major == 8 || major == 9;
    return status_ok();
}

/* Words that no pixel is in are read, but never counted: those of the rows of a last product, and
 * of the columns that are fetched ahead. */
Status lacunarity_products_open(LacunarityDevice *device, LacunarityProducts *products) {
    products->pitch = (int)round_up((size_t)device->width + 2 * COLUMNS, COLUMNS);
    products->word_rows = pieces_of(device->height, WORD) + WORDS;
    const size_t each =
        (size_t)products->pitch * (size_t)products->word_rows * sizeof *products->words;
    const size_t wanted = device->plan.threshold_count;
    products->thresholds = (int)std::max<size_t>(1, std::min<size_t>(wanted, WORDS_MEMORY / each));
    const CudaBuffer table[] = {
        cuda_up(&products->bands, device->plan.box_count * sizeof *device->bands, device->bands),
        cuda_cleared(&products->words, (size_t)products->thresholds * each),
    };
    return cuda_open_buffers(device, table);
}

Status lacunarity_products_compute(const LacunarityDevice *device,
                                   const LacunarityProducts *products) {
    const int thresholds = (int)device->plan.threshold_count;
    for (int first = 0; first < thresholds; first += products->thresholds) {
        const int count = std::min(products->thresholds, thresholds - first);
        STATUS_TRY(pack(device, products, first, count));
        STATUS_TRY(launch(device, products, first, count));
    }
    return status_ok();
}
