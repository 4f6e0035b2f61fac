#include "hashsift_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PI_FLOAT 3.14159265358979F

enum {
    RING = HASHSIFT_CELLS + 2,                     /* cells with those around them, dropped later */
    RING_ORIENTATIONS = HASHSIFT_ORIENTATIONS + 2, /* with those that are 0 and 1 again */
    VALUE_MAX = 255
};

typedef float Votes[RING][RING][RING_ORIENTATIONS];

PatchMap hashsift_map(Keypoint keypoint, float scale) {
    const bool turned = keypoint.angle >= 0;
    const float angle = PI_FLOAT * keypoint.angle / 180;
    return patch_map(keypoint, scale, turned ? (float)cos((double)angle) : 1,
                     turned ? (float)sin((double)angle) : 0);
}

static uint8_t sample(const Image *image, float u, float v) {
    if (!(u >= 0 && u < (float)(image->width - 1) && v >= 0 && v < (float)(image->height - 1))) {
        return 0;
    }
    const int32_t x = (int32_t)u;
    const int32_t y = (int32_t)v;
    const uint8_t *upper = image_row(image, y) + x;
    const uint8_t *lower = upper + image->stride;
    const float du = u - (float)x;
    const float dv = v - (float)y;
    const float top = (1 - du) * upper[0] + du * upper[1];
    const float bottom = (1 - du) * lower[0] + du * lower[1];
    return (uint8_t)((1 - dv) * top + dv * bottom + 0.5F);
}

void hashsift_patch(const Image *image, Keypoint keypoint, float scale, uint8_t *patch) {
    const PatchMap map = hashsift_map(keypoint, scale);
    for (int32_t j = 0; j < PATCH_SIDE; j++) {
        for (int32_t i = 0; i < PATCH_SIDE; i++) {
            patch[j * PATCH_SIDE + i] = sample(image, patch_map_x(&map, (float)i, (float)j),
                                               patch_map_y(&map, (float)i, (float)j));
        }
    }
}

/* A position among bins: `bin` and the share of a vote that the next one gets. */
typedef struct Place {
    int32_t bin;
    float next;
} Place;

static Place place_of(float position) {
    const float bin = floorf(position);
    return (Place){(int32_t)bin, position - bin};
}

static Place cell_of(int32_t pixel) {
    return place_of((float)(pixel - PATCH_HALF) / HASHSIFT_CELL_SIDE + (HASHSIFT_CELLS - 1) * 0.5F);
}

static void vote_orientation(float *bins, Place orientation, float vote) {
    const float next = orientation.next * vote;
    bins[orientation.bin] += vote - next;
    bins[orientation.bin + 1] += next;
}

/* Places are those before the ring is added around the cells. */
static void vote(Votes votes, Place row, Place column, Place orientation, float magnitude) {
    const float lower = row.next * magnitude;
    const float upper = magnitude - lower;
    const float upper_right = column.next * upper;
    const float lower_right = column.next * lower;
    const int32_t r = row.bin + 1;
    const int32_t c = column.bin + 1;
    vote_orientation(votes[r][c], orientation, upper - upper_right);
    vote_orientation(votes[r][c + 1], orientation, upper_right);
    vote_orientation(votes[r + 1][c], orientation, lower - lower_right);
    vote_orientation(votes[r + 1][c + 1], orientation, lower_right);
}

static void vote_of_pixel(const uint8_t *patch, int32_t i, int32_t j, Votes votes) {
    static const float bins_per_radian = HASHSIFT_ORIENTATIONS / (2 * PI_FLOAT);
    const uint8_t *pixel = patch + j * PATCH_SIDE + i;
    const float dx = (float)(pixel[1] - pixel[-1]);
    const float dy = (float)(pixel[-PATCH_SIDE] - pixel[PATCH_SIDE]);
    const float x = (float)(i - PATCH_HALF);
    const float y = (float)(j - PATCH_HALF);
    const float weight = expf(HASHSIFT_DISTANCE_SCALE * (x * x + y * y));
    Place orientation = place_of(bins_per_radian * atan2f(dy, dx));
    orientation.bin += orientation.bin < 0 ? HASHSIFT_ORIENTATIONS : 0;
    vote(votes, cell_of(j), cell_of(i), orientation, weight * sqrtf(dx * dx + dy * dy));
}

void hashsift_votes(const uint8_t *patch, float *votes) {
    Votes ring;
    memset(ring, 0, sizeof ring);
    for (int32_t j = 1; j < PATCH_SIDE - 1; j++) {
        for (int32_t i = 1; i < PATCH_SIDE - 1; i++) {
            vote_of_pixel(patch, i, j, ring);
        }
    }
    for (int32_t r = 0; r < HASHSIFT_CELLS; r++) {
        for (int32_t c = 0; c < HASHSIFT_CELLS; c++) {
            float *bins = ring[r + 1][c + 1];
            bins[0] += bins[HASHSIFT_ORIENTATIONS];
            bins[1] += bins[HASHSIFT_ORIENTATIONS + 1];
            memcpy(votes, bins, HASHSIFT_ORIENTATIONS * sizeof *votes);
            votes += HASHSIFT_ORIENTATIONS;
        }
    }
}

static void divide_by_norm(float *values) {
    float sum = 0;
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        sum += values[k] * values[k];
    }
    const float norm = sqrtf(sum);
    const float factor = 1 / (norm > FLT_EPSILON ? norm : FLT_EPSILON);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        values[k] *= factor;
    }
}

void hashsift_normalise(float *votes) {
    divide_by_norm(votes);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        votes[k] = votes[k] < HASHSIFT_CUT ? votes[k] : HASHSIFT_CUT;
    }
    divide_by_norm(votes);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        const float value = rintf(HASHSIFT_FACTOR * votes[k]);
        votes[k] = value < VALUE_MAX ? value : VALUE_MAX;
    }
}

void hashsift_signs(const float *responses, int32_t bits, uint8_t *descriptor) {
    for (int32_t b = 0; b < bits; b += 8) {
        unsigned byte = 0;
        for (int32_t k = 0; k < 8; k++) {
            byte = byte << 1 | (responses[b + k] > 0);
        }
        *descriptor++ = (uint8_t)byte;
    }
}
