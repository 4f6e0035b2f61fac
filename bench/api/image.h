/* Image: an 8-bit grey picture in host memory. Pixel (x, y) is pixels[y * stride + x]. */
#ifndef BENCH_API_IMAGE_H
#define BENCH_API_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Image {
    int32_t width, height; /* pixels, both ≥ 1 */
    size_t stride;         /* bytes from one row to the next, ≥ width */
    uint8_t *pixels;       /* owned by whoever created the image */
} Image;

static inline const uint8_t *image_row(const Image *image, int32_t y) {
    return image->pixels + (size_t)y * image->stride;
}

static inline size_t image_pixel_count(const Image *image) {
    return (size_t)image->width * (size_t)image->height;
}

#ifdef __cplusplus
}
#endif

#endif
