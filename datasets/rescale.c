/*
 * Rescaling. Each axis is treated on its own: area average where it shrinks, bilinear where it
 * grows or stays. All weights are integers and there is one rounding, at the end, so the result is
 * the same on every machine.
 *
 * Area average: an output pixel covers n_in / n_out source pixels; in units of 1 / n_out its
 * weights are whole numbers with sum n_in, so the average is exact. Bilinear: the weights of the
 * two nearest centres in units of 1 / 4096; beyond the outer centres the outer pixel goes on.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "elements.h"
#include "image_sets.h"
#include "image_sets_internal.h"
#include "resources.h"

enum { BILINEAR_BITS = 12, BILINEAR_ONE = 1 << BILINEAR_BITS };

/* The source pixels that output pixel i is made of: first, first + 1, …, first + count - 1. */
typedef struct Span {
    int32_t first, count;
    uint32_t head, inner, tail; /* weights of the first, the middle and the last one */
} Span;

typedef struct AxisMap {
    Span *spans; /* owned; one per output pixel */
    int32_t in, out;
    uint32_t total; /* sum of the weights of every span */
    bool grows;
} AxisMap;

/* What one thread needs: two source rows resampled horizontally, and a row of sums. */
typedef struct Scratch {
    uint32_t *rows[2]; /* source row y is kept in rows[y & 1] */
    int32_t held[2];   /* which source row that is; -1: none */
    uint64_t *sums;
} Scratch;

static Span area_span(int64_t i, int64_t in, int64_t out) {
    const int64_t begin = i * in;
    const int64_t end = begin + in;
    const int64_t first = begin / out;
    const int64_t last = (end - 1) / out;
    return (Span){.first = (int32_t)first,
                  .count = (int32_t)(last - first + 1),
                  .head = (uint32_t)((first + 1) * out - begin),
                  .inner = (uint32_t)out,
                  .tail = (uint32_t)(end - last * out)};
}

static Span bilinear_span(int64_t i, int64_t in, int64_t out) {
    /* The centre of output pixel i, from the first source centre, in units of 1 / (2·out). */
    const int64_t position = (2 * i + 1) * in - out;
    const int64_t last = 2 * out * (in - 1);
    const int64_t clamped = position < 0 ? 0 : position > last ? last : position;
    const int64_t first = clamped / (2 * out);
    const int64_t part = clamped % (2 * out);
    const uint32_t weight = (uint32_t)((part * BILINEAR_ONE + out) / (2 * out));
    return (Span){.first = (int32_t)first,
                  .count = weight == 0 ? 1 : 2,
                  .head = BILINEAR_ONE - weight,
                  .tail = weight};
}

static bool axis_map_create(int32_t in, int32_t out, AxisMap *map) {
    *map = (AxisMap){
        .spans = malloc((size_t)out * sizeof(Span)), .in = in, .out = out, .grows = out >= in};
    if (map->spans == NULL) {
        return false;
    }
    map->total = map->grows ? BILINEAR_ONE : (uint32_t)in;
    for (int32_t i = 0; i < out; i++) {
        map->spans[i] = map->grows ? bilinear_span(i, in, out) : area_span(i, in, out);
    }
    return true;
}

/* Weighted sums of one source row; at most 255·2^20, so 32 bits hold them. */
static void resample_row(const AxisMap *map, const uint8_t *source, int32_t width, uint32_t *row) {
    for (int32_t x = 0; x < width; x++) {
        const Span *span = &map->spans[x];
        const uint8_t *pixel = source + span->first;
        uint32_t sum = span->head * pixel[0];
        if (span->count > 1) {
            uint32_t inner = 0;
            for (int32_t i = 1; i < span->count - 1; i++) {
                inner += pixel[i];
            }
            sum += span->inner * inner + span->tail * pixel[span->count - 1];
        }
        row[x] = sum;
    }
}

static const uint32_t *resampled(const AxisMap *map, const Image *source, int32_t y, int32_t width,
                                 Scratch *scratch) {
    const int slot = y & 1;
    if (scratch->held[slot] != y) {
        resample_row(map, image_row(source, y), width, scratch->rows[slot]);
        scratch->held[slot] = y;
    }
    return scratch->rows[slot];
}

/* Both axes grow: 8 + 12 + 12 bits fit 32, with the rounding half included. */
static void blend_rows(const uint32_t *upper, const uint32_t *lower, const Span *span,
                       int32_t width, uint8_t *pixels) {
    const uint32_t half = UINT32_C(1) << (2 * BILINEAR_BITS - 1);
    const uint32_t head = span->head;
    const uint32_t tail = span->tail;
    for (int32_t x = 0; x < width; x++) {
        pixels[x] = (uint8_t)((head * upper[x] + tail * lower[x] + half) >> (2 * BILINEAR_BITS));
    }
}

static void add_row(uint64_t *sums, const uint32_t *row, uint32_t weight, int32_t width) {
    for (int32_t x = 0; x < width; x++) {
        sums[x] += (uint64_t)weight * row[x];
    }
}

static void fill_row(const AxisMap *across, const AxisMap *down, const Image *source, int32_t y,
                     Image *image, Scratch *scratch) {
    const Span *span = &down->spans[y % down->out];
    const int32_t first = y / down->out * down->in + span->first; /* in the same image */
    const int32_t width = image->width;
    uint8_t *pixels = image->pixels + (size_t)y * image->stride;
    if (across->grows && down->grows) {
        const uint32_t *upper = resampled(across, source, first, width, scratch);
        const uint32_t *lower = resampled(across, source, first + span->count - 1, width, scratch);
        blend_rows(upper, lower, span, width, pixels);
        return;
    }
    memset(scratch->sums, 0, (size_t)width * sizeof *scratch->sums);
    for (int32_t i = 0; i < span->count; i++) {
        uint32_t weight = i == 0 ? span->head : span->inner;
        weight = i > 0 && i == span->count - 1 ? span->tail : weight;
        const uint32_t *row = resampled(across, source, first + i, width, scratch);
        add_row(scratch->sums, row, weight, width);
    }
    const uint64_t total = (uint64_t)across->total * down->total;
    for (int32_t x = 0; x < width; x++) {
        pixels[x] = (uint8_t)((scratch->sums[x] + total / 2) / total);
    }
}

static void scratch_free(Scratch *scratch) {
    free(scratch->rows[0]);
    free(scratch->rows[1]);
    free(scratch->sums);
}

static bool scratch_create(int32_t width, Scratch *scratch) {
    const size_t count = (size_t)width;
    *scratch =
        (Scratch){.rows = {malloc(count * sizeof(uint32_t)), malloc(count * sizeof(uint32_t))},
                  .held = {-1, -1},
                  .sums = malloc(count * sizeof(uint64_t))};
    return scratch->rows[0] != NULL && scratch->rows[1] != NULL && scratch->sums != NULL;
}

/* Fills the rows of an image; false where a thread had no memory for its own. */
typedef bool Fill(const AxisMap *across, const AxisMap *down, const Image *source, Image *image);

static bool fill(const AxisMap *across, const AxisMap *down, const Image *source, Image *image) {
    bool enough = true;
#pragma omp parallel num_threads(thread_team_default()) reduction(&& : enough)
    {
        Scratch scratch;
        enough = scratch_create(image->width, &scratch);
        /* Every thread must reach the loop; one without memory leaves its rows unfilled. */
#pragma omp for schedule(static)
        for (int32_t y = 0; y < image->height; y++) {
            if (enough) {
                fill_row(across, down, source, y, image, &scratch);
            }
        }
        scratch_free(&scratch);
    }
    return enough;
}

/* === 16 bits ================================================================================== */

/* The weighted sum of a row's pixels, at most 65535·2^20. */
static uint64_t sum_of(const Span *span, const uint16_t *row) {
    const uint16_t *pixel = row + span->first;
    uint64_t sum = (uint64_t)span->head * pixel[0];
    for (int32_t i = 1; i < span->count; i++) {
        sum += (uint64_t)(i < span->count - 1 ? span->inner : span->tail) * pixel[i];
    }
    return sum;
}

/* A sum is at most 65535·2^40. */
static void fill_row_u16(const AxisMap *across, const AxisMap *down, const Image *source, int32_t y,
                         const Image *image) {
    const Span *span = &down->spans[y];
    const uint64_t total = (uint64_t)across->total * down->total;
    uint16_t *pixels = (uint16_t *)(void *)(image->pixels + (size_t)y * image->stride);
    for (int32_t x = 0; x < image->width; x++) {
        uint64_t sum = 0;
        for (int32_t i = 0; i < span->count; i++) {
            uint32_t weight = i == 0 ? span->head : span->inner;
            weight = i > 0 && i == span->count - 1 ? span->tail : weight;
            const void *row = image_row(source, span->first + i);
            sum += weight * sum_of(&across->spans[x], row);
        }
        pixels[x] = (uint16_t)((sum + total / 2) / total);
    }
}

static bool fill_u16(const AxisMap *across, const AxisMap *down, const Image *source,
                     Image *image) {
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t y = 0; y < image->height; y++) {
        fill_row_u16(across, down, source, y, image);
    }
    return true;
}

/* === Images =================================================================================== */

/* Each of `count` images, as image_rescale does: source->height and image->height are `count`
 * times theirs. `image` has its pixels already. STATUS_SKIP when memory is short. */
static Status rescale_images(const Image *source, int32_t count, Fill *fill_rows, Image *image) {
    AxisMap across = {0};
    AxisMap down = {0};
    const bool enough = axis_map_create(source->width, image->width, &across) &&
                        axis_map_create(source->height / count, image->height / count, &down) &&
                        fill_rows(&across, &down, source, image);
    free(across.spans);
    free(down.spans);
    if (!enough) {
        const uint64_t width = (uint64_t)image->width;
        const uint64_t rows = width * (2 * sizeof(uint32_t) + sizeof(uint64_t));
        return free_memory_short("rescaling an image",
                                 rows + (width + (uint64_t)image->height) * sizeof(Span));
    }
    return status_ok();
}

/* `image` is freed where memory is short. */
static Status rescale_one(const Image *source, Fill *fill_rows, Image *image) {
    const Status status = rescale_images(source, 1, fill_rows, image);
    if (!status_is_ok(&status)) {
        image_free(image);
    }
    return status;
}

Status image_rescale(const Image *source, int32_t width, int32_t height, Image *image) {
    STATUS_TRY(image_create(width, height, 1, image));
    return rescale_one(source, fill, image);
}

Status image_rescale_u16(const Image *source, int32_t width, int32_t height, Image *image) {
    STATUS_TRY(image_create_elements(width, height, OUTPUT_ARRAY_U16, image));
    return rescale_one(source, fill_u16, image);
}

/* === Sets ===================================================================================== */

Status image_set_rescale(const Image *image, const ImageSet *set, int32_t width, int32_t height,
                         Image *scaled, ImageSet *scaled_set) {
    *scaled = (Image){0};
    *scaled_set = (ImageSet){0};
    char name[64];
    snprintf(name, sizeof name, "the set at %" PRId32 "x%" PRId32, width, height);
    STATUS_TRY(image_set_check(STATUS_USAGE, name, (uint64_t)set->count,
                               width < 0 ? 0 : (uint64_t)width, height < 0 ? 0 : (uint64_t)height));
    STATUS_TRY(
        image_set_create(name, set->count, width, height, set->labels != NULL, scaled, scaled_set));
    const Status status = rescale_images(image, set->count, fill, scaled);
    if (!status_is_ok(&status)) {
        image_set_free(scaled, scaled_set);
    } else if (set->labels != NULL) {
        memcpy(scaled_set->labels, set->labels, (size_t)set->count);
    }
    return status;
}
