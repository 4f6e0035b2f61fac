#include "synthetic.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "elements.h"
#include "random.h"
#include "resources.h"

/* === Arrangements of ones ===================================================================== */

/*
 * The four arrangements of ones of the lacunarity study's Fig. 1: random, even, clustered, and a
 * random Cantor dust; 255 on 0. The study compares them with the same number of ones, so that they
 * agree for boxes of one pixel and differ only by arrangement. Here all four have the same expected
 * share of ones at the same size. By default it is (3/4)^L, L being the least number with 2^L ≥
 * both sides: that of the dust, carried down to single pixels: 7.5% at 512×512, 1.8% at 15360×8640.
 *
 * Of another density the dust can only come near: cut n times it has (3/4)^n, in squares of side
 * 2^(L − n).
 */

enum { CLUSTER_SIDE = 64, SHARE_BITS = 40 };

#define SHARE_ONE (UINT64_C(1) << SHARE_BITS)

static unsigned levels_to_pixels(const SyntheticImage *image) {
    unsigned levels = 0;
    while (INT64_C(1) << levels < image->width || INT64_C(1) << levels < image->height) {
        levels++;
    }
    return levels;
}

/* (3/4)^n in units of 2^-40: 3^n · 2^(40 − 2n), exact for n ≤ 20. */
static uint64_t share_after(unsigned levels) {
    uint64_t share = UINT64_C(1) << (SHARE_BITS - 2 * levels);
    for (unsigned i = 0; i < levels; i++) {
        share *= 3;
    }
    return share;
}

/* The default share of ones of the binary kinds, and how often a dust is cut then. */
static void synthetic_own_density(SyntheticImage *image) {
    image->dust_levels = levels_to_pixels(image);
    image->share = share_after(image->dust_levels);
}

/* `density` above 0 and up to 1. A dust is cut as often as comes nearest to it. A double times a
 * power of two is exact: the share is the same on every machine. */
static void synthetic_set_density(SyntheticImage *image, double density) {
    const uint64_t share = (uint64_t)(density * (double)SHARE_ONE + 0.5);
    const unsigned most = levels_to_pixels(image);
    unsigned levels = 0;
    while (levels < most && share_after(levels) + share_after(levels + 1) > 2 * share) {
        levels++;
    }
    image->share = share;
    image->dust_levels = levels;
}

static uint8_t is_one(uint64_t random, uint64_t share) {
    return random >> 24 < share ? UINT8_MAX : 0;
}

/* Every pixel on its own. */
static void synthetic_random_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t share = image->share;
    for (int32_t x = 0; x < image->width; x++) {
        row[x] = is_one(random_at(image->seed, synthetic_position(x, y)), share);
    }
}

/* As even as can be: the additive sequence x·a + y·b modulo 1 with a = 1/g, b = 1/g², g the real
 * root of g³ = g + 1 (Roberts' R2 sequence), compared with the share. Its ones form nearly a
 * lattice. The seed moves it. */
static void synthetic_even_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t share = image->share;
    uint64_t phase = random_at(image->seed, 0) + (uint64_t)y * UINT64_C(0x91e10da5c79e7b1d);
    for (int32_t x = 0; x < image->width; x++) {
        row[x] = is_one(phase, share);
        phase += UINT64_C(0xc13fa9a902a6328f);
    }
}

/* Of every 2×2 squares of 64×64 pixels one, at random, has all the ones, four times as dense; where
 * they do not fit it, it is full and the others share the rest. */
static void synthetic_clustered_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t places = random_at(image->seed, 0);
    const uint64_t pixels = random_at(image->seed, 1);
    const uint64_t inside = 4 * image->share < SHARE_ONE ? 4 * image->share : SHARE_ONE;
    const uint64_t outside = (4 * image->share - inside) / 3;
    const int32_t square_y = y / CLUSTER_SIDE;
    for (int32_t left = 0; left < image->width; left += CLUSTER_SIDE) {
        const int32_t square_x = left / CLUSTER_SIDE;
        const uint64_t chosen =
            random_at(places, synthetic_position(square_x / 2, square_y / 2)) % 4;
        const uint64_t own = (uint64_t)(square_x % 2 + 2 * (square_y % 2));
        const uint64_t share = own == chosen ? inside : outside;
        const int32_t end = image->width - left < CLUSTER_SIDE ? image->width : left + CLUSTER_SIDE;
        for (int32_t x = left; x < end; x++) {
            row[x] = is_one(random_at(pixels, synthetic_position(x, y)), share);
        }
    }
}

/* Random Cantor dust: the square of side 2^L is cut into quarters and one of them, at random, is
 * removed; the same with every quarter that is left, down to pixels or as often as the density
 * asks for. Dimension log 3 / log 2. */
static void synthetic_cantor_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const unsigned levels = levels_to_pixels(image);
    const unsigned last = levels - image->dust_levels;
    int32_t x = 0;
    while (x < image->width) {
        unsigned shift = levels; /* the square at (x >> shift, y >> shift) is still there */
        uint64_t removed = 4;
        uint64_t own = 0;
        while (shift > last && removed != own) {
            const uint64_t square = synthetic_position(x >> shift, y >> shift);
            removed = random_at(image->seed + shift, square) % 4;
            --shift;
            own = (uint64_t)((x >> shift & 1) + 2 * (y >> shift & 1));
        }
        const uint8_t value = removed == own ? 0 : UINT8_MAX;
        const int32_t end = ((x >> shift) + 1) << shift;
        for (; x < end && x < image->width; x++) {
            row[x] = value;
        }
    }
}

/* === Kinds ==================================================================================== */

enum { MID_GREY = 128, CHECKER_SIDE = 8 };

/* Uniform bytes: eight from each number, the lowest first. */
static void noise_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    uint64_t bits = 0;
    for (int32_t x = 0; x < image->width; x++) {
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
    for (int32_t x = 0; x < image->width; x++) {
        row[x] = (uint8_t)((x * INT64_C(255) + last / 2) / last);
    }
}

/* Squares of 8×8 pixels, black at the top left. */
static void checker_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    for (int32_t x = 0; x < image->width; x++) {
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

/* KIND_COUNT: there is none of that name. */
static KindIndex kind_of(const char *name) {
    KindIndex kind = KIND_TEXTURE;
    while (kind < KIND_COUNT && strcmp(name, synthetic_kinds[kind]) != 0) {
        kind++;
    }
    return kind;
}

bool synthetic_has_density(const char *kind) {
    static const KindIndex dots[] = {KIND_RANDOM, KIND_EVEN, KIND_CLUSTERED, KIND_CANTOR};
    for (size_t i = 0; i < sizeof dots / sizeof dots[0]; i++) {
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

static Status describe(const char *kind, int32_t width, int32_t height, uint64_t seed,
                       double density, SyntheticImage *image) {
    if (kind_of(kind) == KIND_COUNT) {
        return status_make(STATUS_USAGE,
                           "no synthetic kind '%s'; there are texture, noise, flat, ramp, checker, "
                           "random, even, clustered and cantor",
                           kind);
    }
    STATUS_TRY(check_density(kind, density));
    *image = (SyntheticImage){.width = width, .height = height, .seed = seed};
    if (density > 0) {
        synthetic_set_density(image, density);
    } else {
        synthetic_own_density(image);
    }
    return status_ok();
}

Status synthetic_image_of_density(const char *kind, int32_t width, int32_t height, uint64_t seed,
                                  double density, Image *image) {
    SyntheticImage wanted;
    *image = (Image){0};
    STATUS_TRY(describe(kind, width, height, seed, density, &wanted));
    STATUS_TRY(image_create(width, height, 1, image));
    SyntheticRow *fill_row = rows[kind_of(kind)];
    uint8_t *pixels = image->pixels;
    const size_t stride = image->stride;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t y = 0; y < height; y++) {
        fill_row(&wanted, y, pixels + (size_t)y * stride);
    }
    return status_ok();
}

Status synthetic_image(const char *kind, int32_t width, int32_t height, uint64_t seed,
                       Image *image) {
    return synthetic_image_of_density(kind, width, height, seed, 0, image);
}

/* === All levels of a type ===================================================================== */

/* Below the 8 bits of an image stand as many at random as a camera's noise has; a ramp rises
 * evenly; in what has no shades white stays white. */
static void deepen_row(KindIndex kind, const SyntheticImage *image, int32_t y, const uint8_t *row,
                       uint32_t *levels) {
    const uint64_t last = image->width > 1 ? (uint64_t)image->width - 1 : 1;
    const uint64_t seed = random_at(image->seed, 3);
    for (int32_t x = 0; x < image->width; x++) {
        if (kind == KIND_RAMP) {
            levels[x] = (uint32_t)(((uint64_t)x * UINT32_MAX + last / 2) / last);
        } else if (kind == KIND_TEXTURE || kind == KIND_NOISE) {
            levels[x] = (uint32_t)row[x] << 24 |
                        (uint32_t)(random_at(seed, synthetic_position(x, y)) >> 40);
        } else {
            levels[x] = row[x] * UINT32_C(0x01010101);
        }
    }
}

Status synthetic_elements(const char *kind, int32_t width, int32_t height, uint64_t seed,
                          double density, OutputKind element, Image *image) {
    SyntheticImage wanted;
    bool enough = true;
    *image = (Image){0};
    STATUS_TRY(describe(kind, width, height, seed, density, &wanted));
    STATUS_TRY(image_create_elements(width, height, element, image));
    const KindIndex index = kind_of(kind);
#pragma omp parallel num_threads(thread_team_default()) reduction(&& : enough)
    {
        uint32_t *levels = malloc((size_t)width * (sizeof *levels + 1));
        enough = levels != NULL;
        /* Every thread must reach the loop; one without memory leaves its rows unfilled. */
#pragma omp for schedule(static)
        for (int32_t y = 0; y < height; y++) {
            if (enough) {
                uint8_t *row = (uint8_t *)(levels + width); /* behind the levels */
                rows[index](&wanted, y, row);
                deepen_row(index, &wanted, y, row, levels);
                elements_from_levels(element, levels, (size_t)width,
                                     image->pixels + (size_t)y * image->stride);
            }
        }
        free(levels);
    }
    if (!enough) {
        image_free(image);
        return free_memory_short("rows of an image", (uint64_t)width * (sizeof(uint32_t) + 1));
    }
    return status_ok();
}
