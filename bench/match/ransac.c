#include "ransac.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/* The share of calls that may end without a sample free of wrong correspondences. */
static const double missed = 1e-3;
/* Pixels: three places nearer than this to a line determine nothing. */
static const double line_width = 1;
enum { REFITS_MAX = 10 };

/* homography_error at most `inlier_px`, without its division and root: this is where the time goes.
 */
static bool is_inlier(const Homography *homography, const Correspondence *place, double inlier_px) {
    const double *h = homography->h;
    const double w = h[6] * place->xa + h[7] * place->ya + h[8];
    const double dx = h[0] * place->xa + h[1] * place->ya + h[2] - place->xb * w;
    const double dy = h[3] * place->xa + h[4] * place->ya + h[5] - place->yb * w;
    return dx * dx + dy * dy <= inlier_px * inlier_px * w * w;
}

static size_t count_inliers(const Correspondence *places, size_t count,
                            const Homography *homography, double inlier_px) {
    size_t inliers = 0;
    for (size_t i = 0; i < count; i++) {
        inliers += is_inlier(homography, &places[i], inlier_px);
    }
    return inliers;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* Twice the area of a triangle, with the sign of its sense of rotation; 0 when the three lie on a
 * line, as far as anybody can tell. */
static double turn(const double x[3], const double y[3]) {
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        longest = fmax(longest, hypot(x[i] - x[(i + 1) % 3], y[i] - y[(i + 1) % 3]));
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    return fabs(area) < line_width * longest ? 0 : area;
}

/* Whether four correspondences determine a homography that sees all of them from the same side: of
 * all triangles either each keeps its sense of rotation or each changes it. */
static bool is_usable(const Correspondence sample[HOMOGRAPHY_POINTS]) {
    int kept = 0;
    for (int left_out = 0; left_out < HOMOGRAPHY_POINTS; left_out++) {
        double xa[3], ya[3], xb[3], yb[3];
        for (int i = 0; i < 3; i++) {
            const Correspondence *place = &sample[(left_out + 1 + i) % HOMOGRAPHY_POINTS];
            xa[i] = place->xa;
            ya[i] = place->ya;
            xb[i] = place->xb;
            yb[i] = place->yb;
        }
        const double turned_a = turn(xa, ya);
        const double turned_b = turn(xb, yb);
        if (turned_a == 0 || turned_b == 0) {
            return false;
        }
        kept += (turned_a > 0) == (turned_b > 0);
    }
    return kept == 0 || kept == HOMOGRAPHY_POINTS;
}

static void draw(Random *random, const Correspondence *places, size_t count,
                 Correspondence sample[HOMOGRAPHY_POINTS]) {
    size_t drawn[HOMOGRAPHY_POINTS];
    for (int i = 0; i < HOMOGRAPHY_POINTS; i++) {
        bool again = true;
        while (again) {
            drawn[i] = random_bits(random) % count;
            again = false;
            for (int j = 0; j < i; j++) {
                again = again || drawn[j] == drawn[i];
            }
        }
        sample[i] = places[drawn[i]];
    }
}

/* Samples after which one of inliers alone is missed with the probability above. */
static double samples_needed(size_t inliers, size_t count) {
    const double clean = pow((double)inliers / (double)count, HOMOGRAPHY_POINTS);
    return clean >= 1 ? 0 : log(missed) / log1p(-clean);
}

static void search(const Correspondence *places, size_t count, const RansacRequest *request,
                   RansacResult *result) {
    Random random;
    double needed = RANSAC_SAMPLES_MAX;
    random_seed(&random, request->seed);
    while ((double)result->samples < needed && result->samples < RANSAC_SAMPLES_MAX) {
        Correspondence sample[HOMOGRAPHY_POINTS];
        Homography homography;
        draw(&random, places, count, sample);
        result->samples++;
        if (!is_usable(sample) || !homography_fit(sample, HOMOGRAPHY_POINTS, &homography)) {
            continue;
        }
        const size_t inliers = count_inliers(places, count, &homography, request->inlier_px);
        if (inliers > result->inliers) {
            result->found = true;
            result->homography = homography;
            result->inliers = inliers;
            needed = samples_needed(inliers, count);
        }
    }
}

/* --- Refitting -------------------------------------------------------------------------------- */

static size_t gather(const Correspondence *places, size_t count, const RansacRequest *request,
                     const Homography *homography, Correspondence *inliers) {
    size_t gathered = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_inlier(homography, &places[i], request->inlier_px)) {
            inliers[gathered++] = places[i];
        }
    }
    return gathered;
}

/* A fit to all inliers evens out the errors of the four; it may find others, and is then repeated.
 */
static void refit(const Correspondence *places, size_t count, const RansacRequest *request,
                  Correspondence *scratch, RansacResult *result) {
    size_t before = 0;
    for (int i = 0; i < REFITS_MAX && result->inliers > before; i++) {
        Homography homography;
        const size_t gathered = gather(places, count, request, &result->homography, scratch);
        before = result->inliers;
        if (!homography_fit(scratch, gathered, &homography)) {
            return;
        }
        const size_t inliers = count_inliers(places, count, &homography, request->inlier_px);
        if (inliers >= before) {
            result->homography = homography;
            result->inliers = inliers;
        }
    }
}

Status ransac_homography(const Correspondence *places, size_t count, const RansacRequest *request,
                         bool *inlier, RansacResult *result) {
    *result = (RansacResult){.found = false};
    memset(inlier, 0, count * sizeof *inlier);
    if (count < HOMOGRAPHY_POINTS) {
        return status_ok();
    }
    Correspondence *scratch = malloc(count * sizeof *scratch);
    if (scratch == NULL) {
        return status_skip("no memory left for %zu matches", count);
    }
    search(places, count, request, result);
    if (result->found) {
        refit(places, count, request, scratch, result);
        for (size_t i = 0; i < count; i++) {
            inlier[i] = is_inlier(&result->homography, &places[i], request->inlier_px);
        }
    }
    free(scratch);
    return status_ok();
}
