#include "canvas.h"

#include <stdlib.h>
#include <string.h>

Status canvas_create(int32_t width, int32_t height, Canvas *canvas) {
    const size_t bytes = 3 * (size_t)width * (size_t)height;
    *canvas = (Canvas){.width = width, .height = height, .rgb = malloc(bytes)};
    if (canvas->rgb == NULL) {
        return status_skip("no memory left for a picture of %d×%d pixels", width, height);
    }
    memset(canvas->rgb, 255, bytes);
    return status_ok();
}

void canvas_release(Canvas *canvas) {
    free(canvas->rgb);
    canvas->rgb = NULL;
}

static int32_t within(int32_t value, int32_t end) {
    return value < 0 ? 0 : value > end ? end : value;
}

static uint8_t mixed(uint8_t under, uint8_t over, double share) {
    return (uint8_t)(under * (1 - share) + over * share + 0.5);
}

void canvas_fill(Canvas *canvas, Box box, Colour colour, double share) {
    const int32_t right = within(box.x + box.w, canvas->width);
    const int32_t bottom = within(box.y + box.h, canvas->height);
    for (int32_t y = within(box.y, canvas->height); y < bottom; y++) {
        for (int32_t x = within(box.x, canvas->width); x < right; x++) {
            uint8_t *pixel = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
            pixel[0] = mixed(pixel[0], colour.red, share);
            pixel[1] = mixed(pixel[1], colour.green, share);
            pixel[2] = mixed(pixel[2], colour.blue, share);
        }
    }
}

void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness) {
    canvas_fill(canvas, (Box){box.x, box.y, box.w, thickness}, colour, 1);
    canvas_fill(canvas, (Box){box.x, box.y + box.h - thickness, box.w, thickness}, colour, 1);
    canvas_fill(canvas, (Box){box.x, box.y, thickness, box.h}, colour, 1);
    canvas_fill(canvas, (Box){box.x + box.w - thickness, box.y, thickness, box.h}, colour, 1);
}

void canvas_picture(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                    int32_t height, int32_t scale) {
    for (int32_t row = 0; row < height; row++) {
        for (int32_t column = 0; column < width; column++) {
            const uint8_t grey = pixels[(size_t)row * (size_t)width + (size_t)column];
            canvas_fill(canvas, (Box){x + column * scale, y + row * scale, scale, scale},
                        (Colour){grey, grey, grey}, 1);
        }
    }
}
