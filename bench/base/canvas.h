/* Draws into an image. */

#ifndef BENCH_BASE_CANVAS_H
#define BENCH_BASE_CANVAS_H

#include <stdint.h>

#include "status.h"

typedef struct Colour {
    uint8_t red, green, blue;
} Colour;

typedef struct Canvas {
    int32_t width, height; /* pixels */
    uint8_t *rgb;          /* three bytes a pixel; owned */
} Canvas;

/* A rectangle of pixels. Drawing is clipped to the canvas. */
typedef struct Box {
    int32_t x, y, w, h;
} Box;

/* Makes a white canvas. STATUS_SKIP without memory. */
Status canvas_create(int32_t width, int32_t height, Canvas *canvas);
void canvas_release(Canvas *canvas);

/* Fills a box with a colour of opacity `share`: 1 is opaque, 0 invisible. */
void canvas_fill(Canvas *canvas, Box box, Colour colour, double share);

/* Draws the edge of a box, `thickness` pixels wide, inside it. */
void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness);

/* Draws a grey image of width × height pixels at (x, y), enlarged by `scale`. */
void canvas_image(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                  int32_t height, int32_t scale);

typedef struct Pen {
    Colour colour;
    double share, width; /* opacity; pixels */
} Pen;

/* Draws an antialiased line; (0, 0) is the centre of the first pixel. Clipped to the canvas. */
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, Pen pen);

/* Draws an antialiased circle. */
void canvas_ring(Canvas *canvas, double x, double y, double radius, Pen pen);

#endif
