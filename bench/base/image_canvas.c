/* Drawing on an image. */

#include "canvas.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Status canvas_create(int32_t width, int32_t height, Canvas *canvas) {
    const size_t bytes = 3 * (size_t)width * (size_t)height;
    *canvas = (Canvas){.width = width, .height = height, .rgb = malloc(bytes)};
    STATUS_MEMORY(canvas->rgb, "for an image of %d×%d pixels", width, height);
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

/* (x, y) is on the canvas. */
static void mix_pixel(Canvas *canvas, int32_t x, int32_t y, Colour colour, double share) {
    uint8_t *pixel = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    pixel[0] = mixed(pixel[0], colour.red, share);
    pixel[1] = mixed(pixel[1], colour.green, share);
    pixel[2] = mixed(pixel[2], colour.blue, share);
}

void canvas_fill(Canvas *canvas, Box box, Colour colour, double share) {
    const int32_t right = within(box.x + box.w, canvas->width);
    const int32_t bottom = within(box.y + box.h, canvas->height);
    for (int32_t y = within(box.y, canvas->height); y < bottom; y++) {
        for (int32_t x = within(box.x, canvas->width); x < right; x++) {
            mix_pixel(canvas, x, y, colour, share);
        }
    }
}

void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness) {
    canvas_fill(canvas, (Box){box.x, box.y, box.w, thickness}, colour, 1);
    canvas_fill(canvas, (Box){box.x, box.y + box.h - thickness, box.w, thickness}, colour, 1);
    canvas_fill(canvas, (Box){box.x, box.y, thickness, box.h}, colour, 1);
    canvas_fill(canvas, (Box){box.x + box.w - thickness, box.y, thickness, box.h}, colour, 1);
}

void canvas_image(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                  int32_t height, int32_t scale) {
    for (int32_t row = 0; row < height; row++) {
        for (int32_t column = 0; column < width; column++) {
            const uint8_t grey = pixels[(size_t)row * (size_t)width + (size_t)column];
            canvas_fill(canvas, (Box){x + column * scale, y + row * scale, scale, scale},
                        (Colour){grey, grey, grey}, 1);
        }
    }
}

/* --- Smooth lines ----------------------------------------------------------------------------- */

/* Coverage of a pixel whose centre has this distance from the line: 1 inside the pen, falling to 0
 * over one pixel at its edge. */
static void draw_pixel(Canvas *canvas, int32_t x, int32_t y, double distance, Pen pen) {
    const double covered = fmin(pen.width / 2 + 0.5 - distance, fmin(pen.width, 1));
    if (covered > 0) {
        mix_pixel(canvas, x, y, pen.colour, covered * pen.share);
    }
}

/* The range of pixels from one coordinate to another, clipped to 0…end: first, and one past the
 * last.
 */
static int32_t first_pixel(double place, int32_t end) {
    return (int32_t)fmin(fmax(ceil(place), 0), end);
}

static int32_t end_pixel(double place, int32_t end) {
    return (int32_t)fmin(fmax(floor(place) + 1, 0), end);
}

static double from_segment(double x, double y, double dx, double dy) {
    const double squared = dx * dx + dy * dy;
    const double along = squared > 0 ? fmin(fmax((x * dx + y * dy) / squared, 0), 1) : 0;
    return hypot(x - along * dx, y - along * dy);
}

void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, Pen pen) {
    const double reach = pen.width / 2 + 0.5;
    const double dx = x1 - x0;
    const double dy = y1 - y0;
    const int32_t bottom = end_pixel(fmax(y0, y1) + reach, canvas->height);
    for (int32_t y = first_pixel(fmin(y0, y1) - reach, canvas->height); y < bottom; y++) {
        /* The pixels of this row that the pen may cover. */
        const double middle = dy != 0 ? x0 + (y - y0) / dy * dx : (x0 + x1) / 2;
        const double half = dy != 0 ? reach * hypot(dx, dy) / fabs(dy) : INFINITY;
        const double left = fmax(middle - half, fmin(x0, x1) - reach);
        const double right = fmin(middle + half, fmax(x0, x1) + reach);
        const int32_t end = end_pixel(right, canvas->width);
        for (int32_t x = first_pixel(left, canvas->width); x < end; x++) {
            draw_pixel(canvas, x, y, from_segment(x - x0, y - y0, dx, dy), pen);
        }
    }
}

void canvas_ring(Canvas *canvas, double x, double y, double radius, Pen pen) {
    const double reach = radius + pen.width / 2 + 0.5;
    const int32_t bottom = end_pixel(y + reach, canvas->height);
    const int32_t right = end_pixel(x + reach, canvas->width);
    for (int32_t row = first_pixel(y - reach, canvas->height); row < bottom; row++) {
        for (int32_t column = first_pixel(x - reach, canvas->width); column < right; column++) {
            draw_pixel(canvas, column, row, fabs(hypot(column - x, row - y) - radius), pen);
        }
    }
}
