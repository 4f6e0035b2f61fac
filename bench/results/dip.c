#include "dip.h"

#include <math.h>
#include <stdbool.h>

/* A bound of the distribution function over points lo…hi: its value at each, and the points where
 * it touches what it bounds. */
typedef struct Hull {
    double at[DIP_SAMPLES_MAX];
    bool touches[DIP_SAMPLES_MAX];
} Hull;

/* What has been narrowed down so far: the unimodal function bends between points lo and hi. */
typedef struct Search {
    const double *x;
    size_t lo, hi;
    Hull below, above; /* greatest convex minorant, least concave majorant */
} Search;

/* Distribution function of n unit masses just before point i, and at it; in masses. */
static double before(size_t i) {
    return (double)i;
}

static double after(size_t i) {
    return (double)(i + 1);
}

static void fill_between(Hull *hull, const double *x, size_t from, size_t to) {
    const double slope = (hull->at[to] - hull->at[from]) / (x[to] - x[from]);
    for (size_t i = from + 1; i < to; i++) {
        hull->at[i] = hull->at[from] + slope * (x[i] - x[from]);
        hull->touches[i] = false;
    }
}

/* From each corner the hull goes on with the least slope there is (sign 1: minorant), or with the
 * greatest (sign -1: majorant). */
static void make_hull(const Search *search, Hull *hull, double (*height)(size_t), double sign) {
    size_t corner = search->lo;
    hull->at[corner] = height(corner);
    hull->touches[corner] = true;
    while (corner < search->hi) {
        size_t next = corner;
        double best = INFINITY;
        for (size_t i = corner + 1; i <= search->hi; i++) {
            const double slope =
                sign * (height(i) - height(corner)) / (search->x[i] - search->x[corner]);
            if (slope <= best) {
                best = slope;
                next = i;
            }
        }
        hull->at[next] = height(next);
        hull->touches[next] = true;
        fill_between(hull, search->x, corner, next);
        corner = next;
    }
}

/* The widest gap between the hulls, at a corner of either, and the interval that it leaves. */
static double widest_gap(const Search *search, size_t *lo, size_t *hi) {
    double widest = 0;
    for (size_t i = search->lo; i <= search->hi; i++) {
        const double gap = search->above.at[i] - search->below.at[i];
        if ((search->below.touches[i] || search->above.touches[i]) && gap > widest) {
            widest = gap;
            *lo = *hi = i;
        }
    }
    while (!search->below.touches[*lo]) {
        (*lo)--;
    }
    while (!search->above.touches[*hi]) {
        (*hi)++;
    }
    return widest;
}

/* How far the distribution function leaves the minorant left of `lo` and the majorant right of
 * `hi`: there the unimodal function has to follow them. */
static double farthest_outside(const Search *search, size_t lo, size_t hi) {
    double farthest = 0;
    for (size_t i = search->lo; i <= lo; i++) {
        farthest = fmax(farthest, after(i) - search->below.at[i]);
    }
    for (size_t i = hi; i <= search->hi; i++) {
        farthest = fmax(farthest, search->above.at[i] - before(i));
    }
    return farthest;
}

double dip_of(const double *sorted, size_t n) {
    Search search = {.x = sorted, .lo = 0, .hi = n - 1};
    double dip = 1; /* in masses, and twice: no step is followed better than by half of it */
    for (;;) {
        make_hull(&search, &search.below, before, 1);
        make_hull(&search, &search.above, after, -1);
        size_t lo = search.lo;
        size_t hi = search.hi;
        const double gap = widest_gap(&search, &lo, &hi);
        if (gap <= dip) {
            break;
        }
        dip = fmax(dip, farthest_outside(&search, lo, hi));
        if (lo == search.lo && hi == search.hi) {
            break;
        }
        search.lo = lo;
        search.hi = hi;
    }
    return dip / (2 * (double)n);
}
/* Fitted to 100,000 simulated uniform samples (40,000 above n = 60) at each of eleven sizes from 12
 * to 200; the curve is within 1% of each of those quantiles. */
double dip_critical(size_t n) {
    const double root = sqrt((double)n);
    return (0.543 - 0.324 / root) / root;
}
