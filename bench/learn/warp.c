#include "warp.h"

#include <string.h>

#include "datasets.h"

static const double pi = 3.14159265358979323846;

static void multiply(const double left[3][3], const double right[3][3], double product[3][3]) {
    double sum[3][3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            sum[r][c] = 0;
            for (int k = 0; k < 3; k++) {
                sum[r][c] += left[r][k] * right[k][c];
            }
        }
    }
    memcpy(product, sum, sizeof sum);
}

/* matrix = turn · matrix */
static void turn(double angle, double matrix[3][3]) {
    const double by[3][3] = {{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}};
    multiply(by, matrix, matrix);
}

static void place(const double matrix[3][3], double x, double y, double *u, double *v) {
    const double w = matrix[2][0] * x + matrix[2][1] * y + matrix[2][2];
    *u = (matrix[0][0] * x + matrix[0][1] * y + matrix[0][2]) / w;
    *v = (matrix[1][0] * x + matrix[1][1] * y + matrix[1][2]) / w;
}

/* Moves the view so that it begins at 0, and shrinks it when it is too large. */
static void fit(int32_t width, int32_t height, Warp *warp) {
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    for (int corner = 0; corner < 4; corner++) {
        double at[2];
        place(warp->matrix, (corner & 1) * (width - 1), (corner >> 1) * (height - 1), &at[0],
              &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    const double longest = fmax(high[0] - low[0], high[1] - low[1]) + 1;
    const double scale = longest > WARP_SIDE_MAX ? WARP_SIDE_MAX / longest : 1;
    const double shift[3][3] = {
        {scale, 0, -scale * low[0]}, {0, scale, -scale * low[1]}, {0, 0, 1}};
    multiply(shift, warp->matrix, warp->matrix);
    warp->width = (int32_t)(scale * (high[0] - low[0])) + 1;
    warp->height = (int32_t)(scale * (high[1] - low[1])) + 1;
}

Warp warp_draw(int32_t width, int32_t height, Draw *draw) {
    const double longest = width > height ? width : height;
    Warp warp = {.matrix = {{1, 0, -0.5 * (width - 1)}, {0, 1, -0.5 * (height - 1)}, {0, 0, 1}}};
    const double tilt[3][3] = {{1, 0, 0},
                               {0, 1, 0},
                               {draw_between(draw, -WARP_TILT, WARP_TILT) / longest,
                                draw_between(draw, -WARP_TILT, WARP_TILT) / longest, 1}};
    const double scale = draw_factor(draw, 1 / WARP_SCALE, WARP_SCALE);
    const double stretch = sqrt(draw_factor(draw, 1, WARP_STRETCH));
    const double along = draw_between(draw, 0, pi);
    const double scaling[3][3] = {{scale * stretch, 0, 0}, {0, scale / stretch, 0}, {0, 0, 1}};
    multiply(tilt, warp.matrix, warp.matrix);
    turn(-along, warp.matrix);
    multiply(scaling, warp.matrix, warp.matrix);
    turn(along + draw_between(draw, -pi, pi), warp.matrix);
    fit(width, height, &warp);
    return warp;
}

Keypoint warp_keypoint(const Warp *warp, Keypoint keypoint) {
    const double(*m)[3] = warp->matrix;
    const double w = m[2][0] * keypoint.x + m[2][1] * keypoint.y + m[2][2];
    double u, v;
    place(m, keypoint.x, keypoint.y, &u, &v);
    const double ux = (m[0][0] - u * m[2][0]) / w;
    const double uy = (m[0][1] - u * m[2][1]) / w;
    const double vx = (m[1][0] - v * m[2][0]) / w;
    const double vy = (m[1][1] - v * m[2][1]) / w;
    const double turned = keypoint.angle + atan2(vx - uy, ux + vy) * (180 / pi);
    return (Keypoint){.x = (float)u,
                      .y = (float)v,
                      .size = (float)(keypoint.size * sqrt(fabs(ux * vy - uy * vx))),
                      .angle = (float)(turned - 360 * floor(turned / 360))};
}

static void invert(const double m[3][3], double inverse[3][3]) {
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            inverse[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]; /* up to a factor */
        }
    }
}

static double clamp(double value, double most) {
    return value > 0 ? value < most ? value : most : 0;
}

static uint8_t sample(const Image *picture, double x, double y) {
    const double u = clamp(x, picture->width - 1);
    const double v = clamp(y, picture->height - 1);
    const int32_t left = (int32_t)u;
    const int32_t top = (int32_t)v;
    const int32_t right = left + (left < picture->width - 1);
    const uint8_t *upper = image_row(picture, top);
    const uint8_t *lower = image_row(picture, top + (top < picture->height - 1));
    const double across = u - left;
    const double above = upper[left] + across * (upper[right] - upper[left]);
    const double below = lower[left] + across * (lower[right] - lower[left]);
    return (uint8_t)(above + (v - top) * (below - above) + 0.5);
}

Status warp_render(const Warp *warp, const Image *picture, Image *view) {
    double back[3][3];
    invert(warp->matrix, back);
    STATUS_TRY(image_create(warp->width, warp->height, 1, view));
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *row = view->pixels + (size_t)y * view->stride;
        for (int32_t x = 0; x < view->width; x++) {
            double u, v;
            place(back, x, y, &u, &v);
            row[x] = sample(picture, u, v);
        }
    }
    return status_ok();
}
