#include "synthetic_rows.h"

#include <stddef.h>
#include <string.h>

#include "datasets.h"
#include "random.h"
#include "resources.h"

enum { MID_GREY = 128, CHECKER_SIDE = 8 };

/* Uniform bytes: eight from each number, the lowest first. */
static void noise_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    uint64_t bits = 0;
    for (int32_t x = 0; x < image->width; ++x) {
        if (x % 8 == 0) {
            bits = random_at(image->seed, synthetic_position(x, y));
        }
        row[x] = (uint8_t)bits;
        bits >>= 8;
    }
}

static void flat_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    (void)y;
    memset(row, MID_GREY, (size_t)image->width);
}

/* 0 at the left edge to 255 at the right one. */
static void ramp_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    (void)y;
    const int64_t last = image->width > 1 ? image->width - 1 : 1;
    for (int32_t x = 0; x < image->width; ++x) {
        row[x] = (uint8_t)((x * INT64_C(255) + last / 2) / last);
    }
}

/* Squares of 8×8 pixels, black at the top left. */
static void checker_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    for (int32_t x = 0; x < image->width; ++x) {
        row[x] = (x / CHECKER_SIDE + y / CHECKER_SIDE) % 2 == 0 ? 0 : UINT8_MAX;
    }
}

typedef enum KindIndex {
    KIND_TEXTURE,
    KIND_NOISE,
    KIND_FLAT,
    KIND_RAMP,
    KIND_CHECKER,
    KIND_RANDOM,
    KIND_EVEN,
    KIND_CLUSTERED,
    KIND_CANTOR,
    KIND_COUNT
} KindIndex;

const char *const synthetic_kinds[KIND_COUNT + 1] = {
    [KIND_TEXTURE] = "texture", [KIND_NOISE] = "noise",         [KIND_FLAT] = "flat",
    [KIND_RAMP] = "ramp",       [KIND_CHECKER] = "checker",     [KIND_RANDOM] = "random",
    [KIND_EVEN] = "even",       [KIND_CLUSTERED] = "clustered", [KIND_CANTOR] = "cantor",
};

static SyntheticRow *const rows[KIND_COUNT] = {
    [KIND_TEXTURE] = synthetic_texture_row,
    [KIND_NOISE] = noise_row,
    [KIND_FLAT] = flat_row,
    [KIND_RAMP] = ramp_row,
    [KIND_CHECKER] = checker_row,
    [KIND_RANDOM] = synthetic_random_row,
    [KIND_EVEN] = synthetic_even_row,
    [KIND_CLUSTERED] = synthetic_clustered_row,
    [KIND_CANTOR] = synthetic_cantor_row,
};

static SyntheticRow *row_of(const char *kind) {
    for (size_t i = 0; i < KIND_COUNT; ++i) {
        if (strcmp(kind, synthetic_kinds[i]) == 0) {
            return rows[i];
        }
    }
    return NULL;
}

bool synthetic_has_density(const char *kind) {
    static const KindIndex dots[] = {KIND_RANDOM, KIND_EVEN, KIND_CLUSTERED, KIND_CANTOR};
    for (size_t i = 0; i < sizeof dots / sizeof dots[0]; ++i) {
        if (strcmp(kind, synthetic_kinds[dots[i]]) == 0) {
            return true;
        }
    }
    return false;
}

static Status check_density(const char *kind, double density) {
    if (!(density >= 0 && density <= 1)) {
        return status_make(STATUS_USAGE, "a density is above 0 and up to 1, not %g", density);
    }
    if (density > 0 && !synthetic_has_density(kind)) {
        return status_make(STATUS_USAGE,
                           "the synthetic kind '%s' has no density; random, even, clustered and "
                           "cantor have one",
                           kind);
    }
    return status_ok();
}

Status synthetic_image_of_density(const char *kind, int32_t width, int32_t height, uint64_t seed,
                                  double density, Image *image) {
    *image = (Image){0};
    SyntheticRow *fill_row = row_of(kind);
    if (fill_row == NULL) {
        return status_make(STATUS_USAGE,
                           "no synthetic kind '%s'; there are texture, noise, flat, ramp, checker, "
                           "random, even, clustered and cantor",
                           kind);
    }
    STATUS_TRY(check_density(kind, density));
    STATUS_TRY(image_create(width, height, 1, image));
    SyntheticImage wanted = {.width = width, .height = height, .seed = seed};
    if (density > 0) {
        synthetic_set_density(&wanted, density);
    } else {
        synthetic_own_density(&wanted);
    }
    uint8_t *pixels = image->pixels;
    const size_t stride = image->stride;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t y = 0; y < height; ++y) {
        fill_row(&wanted, y, pixels + (size_t)y * stride);
    }
    return status_ok();
}

Status synthetic_image(const char *kind, int32_t width, int32_t height, uint64_t seed,
                       Image *image) {
    return synthetic_image_of_density(kind, width, height, seed, 0, image);
}
