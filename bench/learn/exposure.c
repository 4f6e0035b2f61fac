#include "exposure.h"

#include <stdlib.h>

enum { RADIUS_MAX = 8, TONES = 256 };

Exposure exposure_draw(Draw *draw) {
    return (Exposure){.blur = draw_between(draw, 0, 1.2),
                      .gamma = draw_factor(draw, 0.64, 1.57),
                      .gain = draw_factor(draw, 0.7, 1.28),
                      .offset = draw_between(draw, -15, 15),
                      .noise = draw_between(draw, 0, 5)};
}

/* --- Blur ------------------------------------------------------------------------------------- */

typedef struct Kernel {
    int32_t radius;
    float factors[2 * RADIUS_MAX + 1];
} Kernel;

static Kernel kernel_of(double deviation) {
    Kernel kernel = {.radius = (int32_t)ceil(3 * deviation)};
    kernel.radius = kernel.radius < RADIUS_MAX ? kernel.radius : RADIUS_MAX;
    double sum = 0;
    for (int32_t k = -kernel.radius; k <= kernel.radius; k++) {
        sum += exp(-k * k / (2 * deviation * deviation));
    }
    for (int32_t k = -kernel.radius; k <= kernel.radius; k++) {
        kernel.factors[k + kernel.radius] =
            (float)(exp(-k * k / (2 * deviation * deviation)) / sum);
    }
    return kernel;
}

/* `step` bytes from one to the next of `count` values; beyond the ends the last ones. `line` has
 * room for the values and a radius on either side. */
static void blur_line(const Kernel *kernel, uint8_t *values, int32_t count, size_t step,
                      float *line) {
    for (int32_t i = -kernel->radius; i < count + kernel->radius; i++) {
        const int32_t inside = i < 0 ? 0 : i < count ? i : count - 1;
        line[i + kernel->radius] = values[(size_t)inside * step];
    }
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.5F;
        for (int32_t k = 0; k <= 2 * kernel->radius; k++) {
            sum += kernel->factors[k] * line[i + k];
        }
        values[(size_t)i * step] = (uint8_t)sum;
    }
}

static Status blur(double deviation, Image *image) {
    const Kernel kernel = kernel_of(deviation);
    const int32_t longest = image->width > image->height ? image->width : image->height;
    float *line = malloc(((size_t)longest + 2 * RADIUS_MAX) * sizeof *line);
    if (line == NULL) {
        return status_skip("no memory left for a line of a picture");
    }
    for (int32_t y = 0; y < image->height; y++) {
        blur_line(&kernel, image->pixels + (size_t)y * image->stride, image->width, 1, line);
    }
    for (int32_t x = 0; x < image->width; x++) {
        blur_line(&kernel, image->pixels + x, image->height, image->stride, line);
    }
    free(line);
    return status_ok();
}

/* --- Tone and noise --------------------------------------------------------------------------- */

/* Four uniform numbers of 16 bits make one that is as good as normal here, for one draw a pixel. */
static float noise_of(Draw *draw) {
    static const float mean = 2 * 65535.0F;
    static const float deviation = 37836.6F; /* 65536·√(4 / 12) */
    const uint64_t bits = draw_number(draw);
    const uint64_t sum =
        (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    return ((float)sum - mean) / deviation;
}

static void expose(const Exposure *exposure, Draw *draw, Image *image) {
    float tones[TONES];
    for (int tone = 0; tone < TONES; tone++) {
        tones[tone] = (float)(255 * pow(tone / 255.0, exposure->gamma) * exposure->gain +
                              exposure->offset + 0.5);
    }
    for (int32_t y = 0; y < image->height; y++) {
        uint8_t *row = image->pixels + (size_t)y * image->stride;
        for (int32_t x = 0; x < image->width; x++) {
            const float value = tones[row[x]] + (float)exposure->noise * noise_of(draw);
            row[x] = (uint8_t)(value > 0 ? value < 255 ? value : 255 : 0);
        }
    }
}

Status exposure_apply(const Exposure *exposure, Draw *draw, Image *image) {
    if (exposure->blur >= EXPOSURE_BLUR_MIN) {
        STATUS_TRY(blur(exposure->blur, image));
    }
    expose(exposure, draw, image);
    return status_ok();
}
