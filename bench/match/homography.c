#include "homography.h"

#include <math.h>

enum { UNKNOWNS = 8, EQUATION = UNKNOWNS + 1 };

/* A pivot so much smaller than the largest is what rounding leaves of 0. */
static const double rank_tolerance = 1e-9;

/* (x, y) → (scale·(x − mean_x), scale·(y − mean_y)) */
typedef struct Frame {
    double mean_x, mean_y, scale;
} Frame;

bool homography_map(const Homography *homography, double x, double y, double mapped[2]) {
    const double *h = homography->h;
    const double w = h[6] * x + h[7] * y + h[8];
    mapped[0] = (h[0] * x + h[1] * y + h[2]) / w;
    mapped[1] = (h[3] * x + h[4] * y + h[5]) / w;
    return isfinite(mapped[0]) && isfinite(mapped[1]);
}

double homography_error(const Homography *homography, const Correspondence *place) {
    double mapped[2];
    return homography_map(homography, place->xa, place->ya, mapped)
               ? hypot(mapped[0] - place->xb, mapped[1] - place->yb)
               : INFINITY;
}

double homography_corner_error(const Homography *one, const Homography *other, int32_t width,
                               int32_t height) {
    double sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        Correspondence place = {.xa = (corner & 1) * (width - 1),
                                .ya = (corner >> 1) * (height - 1)};
        double mapped[2];
        if (!homography_map(other, place.xa, place.ya, mapped)) {
            return INFINITY;
        }
        place.xb = mapped[0];
        place.yb = mapped[1];
        sum += homography_error(one, &place) / 4;
    }
    return sum;
}

/* --- Fitting ---------------------------------------------------------------------------------- */

static void frames_of(const Correspondence *places, size_t count, Frame *a, Frame *b) {
    double far_a = 0;
    double far_b = 0;
    *a = *b = (Frame){.scale = 0};
    for (size_t i = 0; i < count; i++) {
        a->mean_x += places[i].xa / (double)count;
        a->mean_y += places[i].ya / (double)count;
        b->mean_x += places[i].xb / (double)count;
        b->mean_y += places[i].yb / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        far_a += hypot(places[i].xa - a->mean_x, places[i].ya - a->mean_y);
        far_b += hypot(places[i].xb - b->mean_x, places[i].yb - b->mean_y);
    }
    a->scale = M_SQRT2 * (double)count / far_a;
    b->scale = M_SQRT2 * (double)count / far_b;
}

/* Rotates an equation into the triangle row by row until nothing of it is left: the least-squares
 * solution of all equations then solves the triangle, without squaring their condition as normal
 * equations would. */
static void add_equation(double triangle[UNKNOWNS][EQUATION], double equation[EQUATION]) {
    for (int k = 0; k < UNKNOWNS; k++) {
        double *row = triangle[k];
        if (equation[k] == 0) {
            continue;
        }
        const double length = hypot(row[k], equation[k]);
        const double cosine = row[k] / length;
        const double sine = equation[k] / length;
        for (int j = k; j < EQUATION; j++) {
            const double rotated = cosine * row[j] + sine * equation[j];
            equation[j] = cosine * equation[j] - sine * row[j];
            row[j] = rotated;
        }
    }
}

static void add_place(double triangle[UNKNOWNS][EQUATION], const Correspondence *place,
                      const Frame *a, const Frame *b) {
    const double x = a->scale * (place->xa - a->mean_x);
    const double y = a->scale * (place->ya - a->mean_y);
    const double u = b->scale * (place->xb - b->mean_x);
    const double v = b->scale * (place->yb - b->mean_y);
    add_equation(triangle, (double[EQUATION]){x, y, 1, 0, 0, 0, -u * x, -u * y, u});
    add_equation(triangle, (double[EQUATION]){0, 0, 0, x, y, 1, -v * x, -v * y, v});
}

static bool solve(double triangle[UNKNOWNS][EQUATION], double solution[UNKNOWNS]) {
    double largest = 0;
    for (int k = 0; k < UNKNOWNS; k++) {
        largest = fmax(largest, fabs(triangle[k][k]));
    }
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        double value = triangle[k][UNKNOWNS];
        if (!(fabs(triangle[k][k]) > rank_tolerance * largest)) {
            return false;
        }
        for (int j = k + 1; j < UNKNOWNS; j++) {
            value -= triangle[k][j] * solution[j];
        }
        solution[k] = value / triangle[k][k];
    }
    return true;
}

/* Puts the change to frame A before the map and the change back from frame B after it. */
static Homography between_pictures(const double n[9], const Frame *a, const Frame *b) {
    Homography result;
    double m[9];
    for (int row = 0; row < 3; row++) {
        m[3 * row] = n[3 * row] * a->scale;
        m[3 * row + 1] = n[3 * row + 1] * a->scale;
        m[3 * row + 2] = n[3 * row + 2] - m[3 * row] * a->mean_x - m[3 * row + 1] * a->mean_y;
    }
    for (int column = 0; column < 3; column++) {
        result.h[column] = m[column] / b->scale + b->mean_x * m[6 + column];
        result.h[3 + column] = m[3 + column] / b->scale + b->mean_y * m[6 + column];
        result.h[6 + column] = m[6 + column];
    }
    return result;
}

bool homography_fit(const Correspondence *places, size_t count, Homography *homography) {
    Frame a;
    Frame b;
    double triangle[UNKNOWNS][EQUATION] = {{0}};
    /* The last is not 0, for the middle of the places is not mapped to infinity. */
    double solution[9] = {[8] = 1};
    frames_of(places, count, &a, &b);
    if (count < HOMOGRAPHY_POINTS || !isfinite(a.scale) || !isfinite(b.scale)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        add_place(triangle, &places[i], &a, &b);
    }
    if (!solve(triangle, solution)) {
        return false;
    }
    *homography = between_pictures(solution, &a, &b);
    return true;
}
