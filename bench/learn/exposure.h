/* Exposure: what else differs between two pictures of the same thing: blur, tone, noise. */
#ifndef BENCH_EXPOSURE_H
#define BENCH_EXPOSURE_H

#include "draw.h"
#include "image.h"
#include "status.h"

typedef struct Exposure {
    double blur;  /* deviation of the Gaussian, pixels; below EXPOSURE_BLUR_MIN none */
    double gamma; /* of the tone: 255·(value / 255)^gamma · gain + offset */
    double gain, offset;
    double noise; /* deviation, grey levels */
} Exposure;

#define EXPOSURE_BLUR_MIN 0.25

Exposure exposure_draw(Draw *draw);

/* In place. STATUS_SKIP when memory is short. */
Status exposure_apply(const Exposure *exposure, Draw *draw, Image *image);

#endif
