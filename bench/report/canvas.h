/* Canvas: a colour picture that is drawn on. */
#ifndef BENCH_CANVAS_H
#define BENCH_CANVAS_H

#include <stdint.h>

#include "status.h"

typedef struct Colour {
    uint8_t red, green, blue;
} Colour;

typedef struct Canvas {
    int32_t width, height; /* pixels */
    uint8_t *rgb;          /* three bytes a pixel; owned */
} Canvas;

/* A rectangle of pixels; what lies outside the canvas is not drawn. */
typedef struct Box {
    int32_t x, y, w, h;
} Box;

/* All white. STATUS_SKIP when memory runs out. */
Status canvas_create(int32_t width, int32_t height, Canvas *canvas);
void canvas_release(Canvas *canvas);

/* Mixes a colour into a box: share 1 covers what was there, 0 leaves it. */
void canvas_fill(Canvas *canvas, Box box, Colour colour, double share);
/* The box's edge, `thickness` pixels wide, within it. */
void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness);
/* A grey picture of width × height pixels with its top left at (x, y), each pixel `scale` wide. */
void canvas_picture(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                    int32_t height, int32_t scale);

typedef struct Pen {
    Colour colour;
    double share, width; /* of the colour, as above; pixels */
} Pen;

/* Smooth lines between any places: (0, 0) is the centre of the first pixel. What lies outside the
 * canvas is not drawn. */
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, Pen pen);
/* A circle of this radius. */
void canvas_ring(Canvas *canvas, double x, double y, double radius, Pen pen);

#endif
