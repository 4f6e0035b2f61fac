#include "lbp_riu_internal.h"

#include <string.h>

enum {
    RING_BYTES = 128 << 10, /* half of a small second-level cache */
    BLOCK_MIN = 256,        /* pixels: narrower blocks would spend their time on margins */
    MARGIN_GRAIN = 32,      /* pixels: elements of 2 and of 4 bytes begin a block aligned */
    ROWS_AHEAD = 4,         /* by which the image is fetched from memory */
    CACHE_LINE = 64,
    ROWS_MAX = 2 * LBP_RIU_RADIUS_MAX + 4
};

/* The same for all blocks of an image. */
typedef struct Shape {
    int32_t low, high;   /* rows of the ring relative to the row worked on */
    int32_t left, right; /* columns beside the block */
    int32_t width;       /* of a block in pixels, a multiple of LBP_RIU_GRAIN */
    int32_t elements;    /* in a row of the ring */
    size_t element_bytes;
    size_t prepared_bytes; /* rounded up to whole cache lines, as the following */
    size_t row_bytes;      /* a row of elements */
    size_t pixel_bytes;    /* a row of pixels */
} Shape;

typedef struct Block {
    const LbpRiuSteps *steps;
    const Image *image;
    Shape shape;
    int32_t x;          /* the first pixel's column */
    int32_t last_made;  /* the lowest row in the ring */
    int32_t pixel_y[2]; /* the rows in `pixels` */
    uint8_t *pixels[2]; /* rows of the image with their margins; y is in place y % 2 */
    uint8_t *ring, *bins;
    const void *prepared;
} Block;

static int32_t round_up(int32_t value, int32_t grain) {
    return (value + grain - 1) / grain * grain;
}

static size_t whole_lines(size_t bytes) {
    const size_t line = LBP_RIU_SCRATCH_ALIGNMENT;
    return (bytes + line - 1) / line * line;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Blocks of equal width, none wider than the cache or LBP_RIU_BLOCK_MAX allows. */
static int32_t block_width(const Shape *shape, int32_t image_width) {
    const int32_t rows = shape->high - shape->low + 1;
    const int32_t fit = RING_BYTES / (rows * (int32_t)shape->element_bytes);
    int32_t most = larger(fit - shape->left - shape->right, BLOCK_MIN);
    most = smaller(most / LBP_RIU_GRAIN * LBP_RIU_GRAIN, LBP_RIU_BLOCK_MAX);
    const int32_t blocks = (image_width - 1) / most + 1;
    return round_up((image_width - 1) / blocks + 1, LBP_RIU_GRAIN);
}

static Shape make_shape(const LbpRiuSteps *steps, int32_t image_width,
                        const LbpRiuPattern *pattern) {
    Shape shape = {.element_bytes = steps->element_bytes,
                   .prepared_bytes = whole_lines(steps->prepared_bytes)};
    for (int p = 0; p < pattern->points; p++) {
        const LbpRiuTap *tap = &pattern->taps[p];
        const bool below = !steps->with_below && tap->weight[2] + tap->weight[3] != 0;
        shape.low = smaller(shape.low, tap->dy);
        shape.high = larger(shape.high, tap->dy + (below ? 1 : 0));
        shape.left = larger(shape.left, -tap->dx);
        shape.right = larger(shape.right, tap->dx + 1);
    }
    shape.left = round_up(shape.left, MARGIN_GRAIN);
    shape.width = block_width(&shape, image_width);
    shape.elements = round_up(shape.left + shape.width + shape.right, LBP_RIU_GRAIN);
    shape.row_bytes = whole_lines((size_t)shape.elements * steps->element_bytes);
    shape.pixel_bytes = whole_lines((size_t)shape.elements + 1 + LBP_RIU_GRAIN);
    return shape;
}

size_t lbp_riu_blocks_scratch_bytes(const LbpRiuSteps *steps, int32_t width,
                                    const LbpRiuPattern *pattern) {
    const Shape shape = make_shape(steps, width, pattern);
    return shape.prepared_bytes + (size_t)(shape.high - shape.low + 1) * shape.row_bytes +
           2 * shape.pixel_bytes + whole_lines((size_t)shape.width);
}

/* Processors fetch ahead along a row, but do not see the next row of a block coming. */
static void fetch_ahead(const Image *image, int32_t y, int32_t x, int32_t count) {
    if (y < image->height) {
        const uint8_t *pixels = image_row(image, y) + x;
        for (int32_t i = 0; i < count; i += CACHE_LINE) {
            __builtin_prefetch(pixels + i);
        }
    }
}

/* Row y of the image from the block's left margin on, with zeros outside the image. */
static const uint8_t *pixels_of_row(Block *block, int32_t y) {
    const int place = y & 1;
    uint8_t *pixels = block->pixels[place];
    if (block->pixel_y[place] == y) {
        return pixels;
    }
    block->pixel_y[place] = y;
    const Image *image = block->image;
    const int32_t bytes = (int32_t)block->shape.pixel_bytes;
    const int32_t begin = block->x - block->shape.left;
    const int32_t before = smaller(larger(-begin, 0), bytes);
    const int32_t inside = larger(smaller(image->width - begin, bytes) - before, 0);
    if (y < 0 || y >= image->height || inside == 0) {
        memset(pixels, 0, (size_t)bytes);
        return pixels;
    }
    fetch_ahead(image, y + ROWS_AHEAD, begin + before, inside);
    memset(pixels, 0, (size_t)before);
    memcpy(pixels + before, image_row(image, y) + begin + before, (size_t)inside);
    memset(pixels + before + inside, 0, (size_t)(bytes - before - inside));
    return pixels;
}

/* Rows of the ring take turns; valid for every row in use. */
static uint8_t *ring_row(const Block *block, int32_t y) {
    const int32_t rows = block->shape.high - block->shape.low + 1;
    const int32_t place = (int32_t)(((int64_t)y + ROWS_MAX * (int64_t)rows) % rows);
    return block->ring + (size_t)place * block->shape.row_bytes;
}

static void make_rows_up_to(Block *block, int32_t last) {
    const LbpRiuSteps *steps = block->steps;
    for (; block->last_made < last; block->last_made++) {
        const int32_t y = block->last_made + 1;
        const uint8_t *row = pixels_of_row(block, y);
        const uint8_t *below = steps->with_below ? pixels_of_row(block, y + 1) : row;
        steps->make_elements(row, below, block->shape.elements, ring_row(block, y));
    }
}

static void process_row(Block *block, const LbpRiuBand *band, int32_t y) {
    const Shape *shape = &block->shape;
    const int32_t count = smaller(band->image->width - block->x, shape->width);
    const uint8_t *rows[ROWS_MAX];
    for (int32_t dy = shape->low; dy <= shape->high; dy++) {
        rows[dy - shape->low] =
            ring_row(block, y + dy) + (size_t)shape->left * shape->element_bytes;
    }
    const LbpRiuRow row = {
        .pattern = band->pattern,
        .prepared = block->prepared,
        .rows = rows - shape->low,
        .count = round_up(count, LBP_RIU_GRAIN),
        .bins = block->bins,
    };
    block->steps->make_bins(&row);
    memset(block->bins + count, LBP_RIU_NO_BIN, (size_t)(row.count - count));
    block->steps->count_bins(block->bins, row.count, band->pattern->points, band->histogram);
    if (band->bins != NULL) {
        const size_t at = (size_t)y * (size_t)band->image->width + (size_t)block->x;
        memcpy(band->bins + at, block->bins, (size_t)count);
    }
}

static void process_block(Block *block, const LbpRiuBand *band) {
    const Shape *shape = &block->shape;
    block->last_made = band->first + shape->low - 1;
    /* Rows that are not in use by any block. */
    block->pixel_y[0] = block->pixel_y[1] = INT32_MIN;
    for (int32_t y = band->first; y < band->last; y++) {
        make_rows_up_to(block, y + shape->high);
        process_row(block, band, y);
    }
}

void lbp_riu_blocks_process(const LbpRiuSteps *steps, const LbpRiuBand *band) {
    const Shape shape = make_shape(steps, band->image->width, band->pattern);
    uint8_t *prepared = band->scratch;
    uint8_t *ring = prepared + shape.prepared_bytes;
    uint8_t *pixels = ring + (size_t)(shape.high - shape.low + 1) * shape.row_bytes;
    Block block = {
        .steps = steps,
        .image = band->image,
        .shape = shape,
        .pixels = {pixels, pixels + shape.pixel_bytes},
        .ring = ring,
        .bins = pixels + 2 * shape.pixel_bytes,
        .prepared = prepared,
    };
    if (steps->prepare != NULL) {
        steps->prepare(band->pattern, prepared);
    }
    for (block.x = 0; block.x < band->image->width; block.x += shape.width) {
        process_block(&block, band);
    }
}
