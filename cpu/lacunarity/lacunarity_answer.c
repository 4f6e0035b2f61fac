#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lacunarity.h"
#include "lacunarity_internal.h"

/* === Table of masses ========================================================================== */

/* Adds each column's object pixels in a row of pixels to `columns`, `sign` times. */
static void update_columns(const Image *image, int threshold, int32_t y, int sign,
                           uint16_t *columns) {
    const uint8_t *row = image_row(image, y);
    for (int32_t x = 0; x < image->width; x++) {
        columns[x] = (uint16_t)(columns[x] + (row[x] >= threshold ? sign : 0));
    }
}

static void count_positions(const uint16_t *columns, int32_t width, int32_t box, uint64_t *counts) {
    uint64_t s = 0;
    for (int32_t x = 0; x < box; x++) {
        s += columns[x];
    }
    counts[s]++;
    for (int32_t x = box; x < width; x++) {
        s = s + columns[x] - columns[x - box];
        counts[s]++;
    }
}

Status lacunarity_table(const Image *image, int threshold, int32_t box, uint64_t *counts) {
    uint16_t *columns = calloc((size_t)image->width, sizeof *columns);
    if (columns == NULL) {
        return status_no_memory("for %d column sums", image->width);
    }
    memset(counts, 0, ((size_t)box * (size_t)box + 1) * sizeof *counts);
    for (int32_t y = 0; y < image->height; y++) {
        update_columns(image, threshold, y, 1, columns);
        if (y >= box) {
            update_columns(image, threshold, y - box, -1, columns);
        }
        if (y >= box - 1) {
            count_positions(columns, image->width, box, counts);
        }
    }
    free(columns);
    return status_ok();
}

/* === Files ==================================================================================== */

enum {
    GREY_VALUES = 256,
    WIDE_DIGITS = 40, /* of 2^128, and the end */
    NUMBER_SIZE = 32
};

/* In long double, where that is wider: then Λ of an image whose boxes are all alike comes out as 1
 * and not beside it. */
static long double ratio(const LacunarityRow *row) {
    const long double s = (long double)row->sum_s;
    const long double s2 =
        (long double)row->sum_s2_high * 18446744073709551616.0L + (long double)row->sum_s2_low;
    return (long double)row->positions * s2 / (s * s);
}

double lacunarity_value(const LacunarityRow *row) {
    return row->sum_s == 0 ? (double)NAN : (double)ratio(row);
}

/* high·2^64 + low in decimal. */
static const char *format_wide(uint64_t high, uint64_t low, char text[WIDE_DIGITS]) {
    uint32_t limbs[4] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32),
                         (uint32_t)low};
    char *at = &text[WIDE_DIGITS - 1];
    *at = '\0';
    do {
        uint64_t remainder = 0;
        for (int i = 0; i < 4; i++) {
            const uint64_t value = remainder << 32 | limbs[i];
            limbs[i] = (uint32_t)(value / 10);
            remainder = value % 10;
        }
        *--at = (char)('0' + remainder);
    } while ((limbs[0] | limbs[1] | limbs[2] | limbs[3]) != 0);
    return at;
}

/* The fewest digits that give the same number when read; nothing for a number that is none. */
static const char *format_number(double number, char text[NUMBER_SIZE]) {
    text[0] = '\0';
    for (int digits = 15; digits <= 17 && !isnan(number); digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    return text;
}

/* objects[t]: the pixels ≥ t. */
static void count_objects(const Image *image, uint64_t objects[GREY_VALUES]) {
    for (int t = 0; t < GREY_VALUES; t++) {
        objects[t] = 0;
    }
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        for (int32_t x = 0; x < image->width; x++) {
            objects[row[x]]++;
        }
    }
    for (int t = GREY_VALUES - 2; t >= 0; --t) {
        objects[t] += objects[t + 1];
    }
}

static void write_row(FILE *stream, const LacunarityRow *row, uint64_t pixels, uint64_t objects) {
    char sum_s2[WIDE_DIGITS];
    char lambda[NUMBER_SIZE];
    char normalised[NUMBER_SIZE];
    const bool defined = row->sum_s != 0;
    /* Λ(1) = pixels / objects. */
    const double of_one =
        defined ? (double)(ratio(row) * (long double)objects / (long double)pixels) : (double)NAN;
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%s\n", row->threshold,
            row->box, row->positions, row->sum_s,
            format_wide(row->sum_s2_high, row->sum_s2_low, sum_s2),
            format_number(lacunarity_value(row), lambda), format_number(of_one, normalised));
}

Status lacunarity_write_part(FILE *stream, const Workload *workload, const Point *answer,
                             const Output *output, size_t part) {
    (void)answer;
    const Image *image = &workload->image;
    const size_t rows = output->layout.parts[part].height;
    uint64_t objects[GREY_VALUES];
    count_objects(image, objects);
    fputs("threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised\n", stream);
    for (size_t i = 0; i < rows; i++) {
        const LacunarityRow *row = &lacunarity_rows(output)[i];
        write_row(stream, row, image_pixel_count(image), objects[row->threshold % GREY_VALUES]);
    }
    return status_ok();
}

/* a·b, put together from products of halves. */
static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    const uint64_t a_high = a >> 32;
    const uint64_t a_low = a & UINT32_MAX;
    const uint64_t b_high = b >> 32;
    const uint64_t b_low = b & UINT32_MAX;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t other = a_low * b_high + (middle & UINT32_MAX);
    *low = a * b;
    *high = a_high * b_high + (middle >> 32) + (other >> 32);
}

static Status write_counts(FILE *stream, const LacunarityRow *row, const uint64_t *counts) {
    LacunarityMoments moments = {.sum_s = 0};
    for (uint64_t s = 0; s <= row->box * row->box; s++) {
        if (counts[s] > 0) {
            uint64_t high = 0;
            uint64_t low = 0;
            multiply(s * s, counts[s], &high, &low);
            lacunarity_moments_add(&moments, s * counts[s], low, high);
            fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", row->threshold,
                    row->box, s, counts[s]);
        }
    }
    if (moments.sum_s != row->sum_s || moments.sum_s2_low != row->sum_s2_low ||
        moments.sum_s2_high != row->sum_s2_high) {
        return status_fail("the table of masses at threshold %" PRIu64 ", box %" PRIu64
                           " does not add up to the sums of the answer",
                           row->threshold, row->box);
    }
    return status_ok();
}

static Status write_row_table(FILE *stream, const Image *image, const LacunarityRow *row) {
    const uint64_t masses = row->box * row->box + 1;
    uint64_t *counts = masses > SIZE_MAX / sizeof *counts ? NULL : malloc(masses * sizeof *counts);
    if (counts == NULL) {
        return status_no_memory("for a table of %" PRIu64 " masses", masses);
    }
    Status status = lacunarity_table(image, (int)row->threshold, (int32_t)row->box, counts);
    if (status_is_ok(&status)) {
        status = write_counts(stream, row, counts);
    }
    free(counts);
    return status;
}

Status lacunarity_write_table(FILE *stream, const Workload *workload, const Point *answer,
                              const Output *output) {
    (void)answer;
    const OutputPart *part = &output->layout.parts[0];
    fputs("threshold,box,s,count\n", stream);
    for (size_t i = 0; i < part->height; i++) {
        STATUS_TRY(write_row_table(stream, &workload->image, &lacunarity_rows(output)[i]));
    }
    return status_ok();
}
