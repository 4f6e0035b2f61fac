#include <string.h>

#include "image_set_memory.h"
#include "random.h"
#include "resources.h"
#include "synthetic_digits.h"
#include "synthetic_rows.h"

/* Fills one picture, of which nothing but its own seed, size and label is known. */
typedef void DrawPicture(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels);

/* What the number of a picture's random sequence is for. */
enum { DRAW_LABEL, DRAW_PICTURE };

static void draw_digit(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels) {
    synthetic_digit_draw(label, seed, set->width, set->height, pixels);
}

/* Uniform bytes: eight from each number, the lowest first. */
static void draw_noise(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels) {
    (void)label;
    const size_t count = (size_t)set->width * (size_t)set->height;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; ++i) {
        bits = i % 8 == 0 ? random_at(seed, i / 8) : bits >> 8;
        pixels[i] = (uint8_t)bits;
    }
}

typedef enum KindIndex { KIND_DIGITS, KIND_NOISE, KIND_COUNT } KindIndex;

const char *const synthetic_set_kinds[KIND_COUNT + 1] = {
    [KIND_DIGITS] = "digits", [KIND_NOISE] = "noise"};

static DrawPicture *const drawers[KIND_COUNT] = {
    [KIND_DIGITS] = draw_digit, [KIND_NOISE] = draw_noise};

static DrawPicture *drawer_of(const char *kind) {
    for (size_t i = 0; i < KIND_COUNT; ++i) {
        if (strcmp(kind, synthetic_set_kinds[i]) == 0) {
            return drawers[i];
        }
    }
    return NULL;
}

static Status check_wanted(const char *kind, int32_t count, int32_t width, int32_t height) {
    /* Negative numbers are as wrong as 0. */
    return image_set_check(STATUS_USAGE, kind, count < 0 ? 0 : (uint64_t)count,
                           width < 0 ? 0 : (uint64_t)width, height < 0 ? 0 : (uint64_t)height);
}

Status image_set_synthetic(const char *kind, int32_t count, int32_t width, int32_t height,
                           uint64_t seed, Image *image, ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    DrawPicture *draw = drawer_of(kind);
    if (draw == NULL) {
        return status_make(STATUS_USAGE, "no synthetic set '%s'; there are digits and noise", kind);
    }
    STATUS_TRY(check_wanted(kind, count, width, height));
    STATUS_TRY(image_set_create(kind, count, width, height, true, image, set));
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t own = random_at(seed, (uint64_t)i);
        const uint8_t label = (uint8_t)(random_at(own, DRAW_LABEL) % SYNTHETIC_DIGIT_COUNT);
        set->labels[i] = label;
        draw(set, label, random_at(own, DRAW_PICTURE), image_set_pixels(image, set, i));
    }
    return status_ok();
}
