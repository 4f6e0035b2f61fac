/* Homographies: fitting, RANSAC, files. */

#include "match_images_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "random.h"
#include "status.h"
#include "text_lines.h"

/* === Homography =============================================================================== */

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
static Homography between_images(const double n[9], const Frame *a, const Frame *b) {
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
    *homography = between_images(solution, &a, &b);
    return true;
}

/* --- Least squares ---------------------------------------------------------------------------- */

/* The method of Levenberg and Marquardt: at most so many steps, the last being one that makes the
 * sum less by less than this share. Of the damping, the weight of an equation that asks for no step
 * relative to one of a place: the first, the factor it changes by, and where no step is left. */
enum { STEPS_MAX = 100 };

static const double settled = 1e-12, damping_first = 1e-3, damping_factor = 10, damping_most = 1e9;

/* Where a homography maps the place of A, in frame B, and how far it is from there to that of B. */
typedef struct Miss {
    double x, y; /* in frame A */
    double w, u, v;
    double du, dv;
} Miss;

static Miss miss_of(const double h[9], const Correspondence *place, const Frame *a,
                    const Frame *b) {
    Miss miss = {.x = a->scale * (place->xa - a->mean_x), .y = a->scale * (place->ya - a->mean_y)};
    miss.w = h[6] * miss.x + h[7] * miss.y + h[8];
    miss.u = (h[0] * miss.x + h[1] * miss.y + h[2]) / miss.w;
    miss.v = (h[3] * miss.x + h[4] * miss.y + h[5]) / miss.w;
    miss.du = b->scale * (place->xb - b->mean_x) - miss.u;
    miss.dv = b->scale * (place->yb - b->mean_y) - miss.v;
    return miss;
}

static double squares_of(const double h[9], const Correspondence *places, size_t count,
                         const Frame *a, const Frame *b) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const Miss miss = miss_of(h, &places[i], a, b);
        sum += miss.du * miss.du + miss.dv * miss.dv;
    }
    return sum;
}

static void add_normal(double normal[UNKNOWNS][EQUATION], const double equation[EQUATION]) {
    for (int j = 0; j < UNKNOWNS; j++) {
        for (int k = 0; equation[j] != 0 && k < EQUATION; k++) {
            normal[j][k] += equation[j] * equation[k];
        }
    }
}

/* The normal equations of what is linear near h: how far its numbers are from the best. They are
 * quicker than the triangle, and the digits they lose are made good by the next step. */
static void linearise(const double h[9], const Correspondence *places, size_t count, const Frame *a,
                      const Frame *b, double normal[UNKNOWNS][EQUATION]) {
    memset(normal, 0, sizeof(double[UNKNOWNS][EQUATION]));
    for (size_t i = 0; i < count; i++) {
        const Miss miss = miss_of(h, &places[i], a, b);
        const double x = miss.x / miss.w;
        const double y = miss.y / miss.w;
        const double one = 1 / miss.w;
        add_normal(normal,
                   (double[EQUATION]){x, y, one, 0, 0, 0, -miss.u * x, -miss.u * y, miss.du});
        add_normal(normal,
                   (double[EQUATION]){0, 0, 0, x, y, one, -miss.v * x, -miss.v * y, miss.dv});
    }
}

/* h after the step that solves the equations, with `weight` on making none. */
static bool step_from(const double h[9], double normal[UNKNOWNS][EQUATION], double weight,
                      double next[9]) {
    double triangle[UNKNOWNS][EQUATION] = {{0}};
    double step[UNKNOWNS];
    for (int k = 0; k < UNKNOWNS; k++) {
        double equation[EQUATION];
        memcpy(equation, normal[k], sizeof equation);
        equation[k] += weight;
        add_equation(triangle, equation);
    }
    if (!solve(triangle, step)) {
        return false;
    }
    for (int k = 0; k < UNKNOWNS; k++) {
        next[k] = h[k] + step[k];
    }
    next[8] = h[8];
    return true;
}

/* Makes the sum of the squares as small as it becomes from h on. */
static void minimise(const Correspondence *places, size_t count, const Frame *a, const Frame *b,
                     double h[9]) {
    double damping = damping_first;
    double sum = squares_of(h, places, count, a, b);
    double normal[UNKNOWNS][EQUATION];
    linearise(h, places, count, a, b, normal);
    for (int i = 0; i < STEPS_MAX && damping < damping_most; i++) {
        double next[9];
        const double less = step_from(h, normal, damping * (double)count, next)
                                ? squares_of(next, places, count, a, b)
                                : sum;
        if (!(less < sum)) {
            damping *= damping_factor;
            continue;
        }
        const bool done = sum - less <= settled * sum;
        memcpy(h, next, sizeof next);
        sum = less;
        if (done) {
            return;
        }
        damping /= damping_factor;
        linearise(h, places, count, a, b, normal);
    }
}

/* The inverse of between_images, with a last number of 1. */
static void between_frames(const Homography *homography, const Frame *a, const Frame *b,
                           double n[9]) {
    double m[9];
    for (int row = 0; row < 3; row++) {
        const double *h = homography->h + (ptrdiff_t)3 * row;
        m[3 * row] = h[0] / a->scale;
        m[3 * row + 1] = h[1] / a->scale;
        m[3 * row + 2] = h[0] * a->mean_x + h[1] * a->mean_y + h[2];
    }
    for (int column = 0; column < 3; column++) {
        n[column] = b->scale * (m[column] - b->mean_x * m[6 + column]) / m[8];
        n[3 + column] = b->scale * (m[3 + column] - b->mean_y * m[6 + column]) / m[8];
        n[6 + column] = m[6 + column] / m[8];
    }
}

bool homography_refine(const Correspondence *places, size_t count, Homography *homography) {
    Frame a;
    Frame b;
    double n[9];
    frames_of(places, count, &a, &b);
    if (count < HOMOGRAPHY_POINTS || !isfinite(a.scale) || !isfinite(b.scale)) {
        return false;
    }
    between_frames(homography, &a, &b, n);
    minimise(places, count, &a, &b, n);
    *homography = between_images(n, &a, &b);
    return true;
}

/* === Homography file ========================================================================== */

enum { FILE_SIZE_MAX = 1 << 16 }; /* nine numbers and comments */

static const char between[] = " \t,";

static Status bad_line(const TextLines *lines, const char *problem) {
    return status_make(STATUS_FILE,
                       "%.200s: line %zu: %s; a homography is three lines of three numbers",
                       lines->name, lines->number, problem);
}

static const char *skip(const char *at, const char *end) {
    while (at < end && strchr(between, *at) != NULL) {
        at++;
    }
    return at;
}

/* After the line comes another or the zero byte behind the text, so that no number extends beyond
 * it.
 */
static Status read_row(const TextLines *lines, TextSpan line, double row[3]) {
    const char *end = line.text + line.size;
    const char *at = skip(line.text, end);
    for (int i = 0; i < 3; i++) {
        if (at == end) {
            return bad_line(lines, "too few numbers");
        }
        char *after = NULL;
        row[i] = strtod(at, &after);
        if (after == at || (after < end && strchr(between, *after) == NULL) || !isfinite(row[i])) {
            return bad_line(lines, "no finite number");
        }
        at = skip(after, end);
    }
    return at == end ? status_ok() : bad_line(lines, "too many numbers");
}

static Status parse(TextLines *lines, Homography *homography) {
    int rows = 0;
    TextSpan line;
    while (text_next_line(lines, &line)) {
        if (text_is_comment(line, NULL)) {
            continue;
        }
        if (rows == 3) {
            return bad_line(lines, "a fourth line");
        }
        STATUS_TRY(read_row(lines, line, homography->h + (ptrdiff_t)3 * rows++));
    }
    return rows == 3 ? status_ok() : bad_line(lines, "it ends too early");
}

/* Of a matrix that OpenCV stored as XML only the numbers stay. Returns the text's length. */
static size_t keep_matrix(char *text, size_t length) {
    static const char begin[] = "<data>", end[] = "</data>";
    const char *from = strstr(text, begin);
    const char *to = from != NULL ? strstr(from, end) : NULL;
    if (to == NULL) {
        return length;
    }
    from += sizeof begin - 1;
    length = (size_t)(to - from);
    memmove(text, from, length);
    text[length] = '\0';
    return length;
}

/* Whether it maps the plane to a line or a point. */
static bool is_singular(const Homography *homography) {
    const double *h = homography->h;
    const double determinant = h[0] * (h[4] * h[8] - h[5] * h[7]) -
                               h[1] * (h[3] * h[8] - h[5] * h[6]) +
                               h[2] * (h[3] * h[7] - h[4] * h[6]);
    return determinant == 0;
}

Status homography_read(const char *path, Homography *homography) {
    char *text = NULL;
    size_t length = 0;
    STATUS_TRY(file_text_read(path, "a homography", FILE_SIZE_MAX, &text, &length));
    const Status encoding = text_check_encoding(path, text, length);
    if (!status_is_ok(&encoding)) {
        free(text);
        return encoding;
    }
    length = keep_matrix(text, length);
    TextLines lines = text_lines(path, text, length);
    const PlainLocale locale = plain_locale_enter();
    const Status status = parse(&lines, homography);
    plain_locale_leave(&locale);
    free(text);
    STATUS_TRY(status);
    return is_singular(homography)
               ? status_make(STATUS_FILE,
                             "%.200s: the matrix is singular, so that it is no homography", path)
               : status_ok();
}

/* === Ransac =================================================================================== */

/* Samples at most: enough for one in 9 correspondences to be right. */
enum { RANSAC_SAMPLES_MAX = 50000 };

/* The share of calls that may end without a sample free of wrong correspondences. */
static const double missed = 1e-3;
/* Pixels: three places nearer than this to a line determine nothing. */
static const double line_width = 1;

/* Fits at shrinking thresholds, the first to what lies within so many times the threshold, and then
 * at most so many at the threshold itself; fits at the end. */
enum { SHRINKS = 4, REPEATS_MAX = 20, REFITS_MAX = 10, FITS_MAX = 50 };

static const double widest = 4;

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
 * line, within line_width. */
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

/* --- Local optimisation ----------------------------------------------------------------------- */

typedef struct Search {
    const Correspondence *places;
    size_t count;
    const RansacRequest *request;
    Correspondence *gathered; /* room for all */
    bool *member;             /* of what was gathered last */
    RansacResult *result;     /* the best so far */
} Search;

/* Which correspondences may be gathered. */
typedef enum Candidates { ALL_PLACES, MEMBERS_ONLY } Candidates;

/* Gathers what a homography maps to within `px`; whether that is not what was gathered last. */
static bool gather(Search *search, Candidates from, const Homography *homography, double px,
                   size_t *gathered) {
    bool changed = false;
    *gathered = 0;
    for (size_t i = 0; i < search->count; i++) {
        const bool member = (from == ALL_PLACES || search->member[i]) &&
                            is_inlier(homography, &search->places[i], px);
        changed |= member != search->member[i];
        search->member[i] = member;
        if (member) {
            search->gathered[(*gathered)++] = search->places[i];
        }
    }
    return changed;
}

static void keep_better(Search *search, const Homography *homography) {
    RansacResult *result = search->result;
    const size_t inliers =
        count_inliers(search->places, search->count, homography, search->request->inlier_px);
    if (inliers > result->inliers) {
        result->found = true;
        result->homography = *homography;
        result->inliers = inliers;
    }
}

/* Wide at first, then narrower, from fit number SHRINKS on the threshold itself. */
static double threshold_of(const Search *search, int fit) {
    const double times = fit < SHRINKS ? widest - (widest - 1) * fit / SHRINKS : 1;
    return times * search->request->inlier_px;
}

/* Least squares over what lies within a wide threshold, then within narrower ones, and within the
 * threshold itself until that changes no more: most samples of right correspondences, each bent by
 * the errors of its four, end in the same homography. */
static void optimise(Search *search, Homography homography) {
    for (int i = 0; i < SHRINKS + REPEATS_MAX; i++) {
        size_t gathered;
        const bool changed =
            gather(search, ALL_PLACES, &homography, threshold_of(search, i), &gathered);
        if ((i > SHRINKS && !changed) || !homography_fit(search->gathered, gathered, &homography)) {
            return;
        }
        keep_better(search, &homography);
    }
}

/* The same with least squares of the distances, from the best homography on, whatever becomes of
 * the number of inliers: in the end the homography is the fit to its inliers. Where the same sets
 * come again and again, each fit from FITS_MAX on loses what it leaves out, so that an end comes.
 */
static void settle(Search *search) {
    RansacResult *result = search->result;
    for (int i = 0;; i++) {
        const bool changed = gather(search, i < FITS_MAX ? ALL_PLACES : MEMBERS_ONLY,
                                    &result->homography, threshold_of(search, i), &result->inliers);
        if ((i > SHRINKS && !changed) ||
            !homography_refine(search->gathered, result->inliers, &result->homography)) {
            break;
        }
    }
    gather(search, MEMBERS_ONLY, &result->homography, search->request->inlier_px, &result->inliers);
}

/* What RANSAC_PLAIN ends with, as version 1.0.0 did it: linear, and dropped where it loses
 * inliers. */
static void refit(Search *search) {
    RansacResult *result = search->result;
    const double px = search->request->inlier_px;
    size_t before = 0;
    size_t gathered;
    for (int i = 0; i < REFITS_MAX && result->inliers > before; i++) {
        Homography homography;
        gather(search, ALL_PLACES, &result->homography, px, &gathered);
        before = result->inliers;
        if (!homography_fit(search->gathered, gathered, &homography)) {
            break;
        }
        const size_t inliers = count_inliers(search->places, search->count, &homography, px);
        if (inliers >= before) {
            result->homography = homography;
            result->inliers = inliers;
        }
    }
    gather(search, ALL_PLACES, &result->homography, px, &gathered);
}

/* --- Search ----------------------------------------------------------------------------------- */

static void find_best(Search *search) {
    RansacResult *result = search->result;
    Random random;
    double needed = RANSAC_SAMPLES_MAX;
    size_t most = 0; /* inliers of a sample's own homography */
    random_seed(&random, search->request->seed);
    while ((double)result->samples < needed && result->samples < RANSAC_SAMPLES_MAX) {
        Correspondence sample[HOMOGRAPHY_POINTS];
        Homography homography;
        draw(&random, search->places, search->count, sample);
        result->samples++;
        if (!is_usable(sample) || !homography_fit(sample, HOMOGRAPHY_POINTS, &homography)) {
            continue;
        }
        const size_t inliers =
            count_inliers(search->places, search->count, &homography, search->request->inlier_px);
        if (inliers > most) {
            most = inliers;
            keep_better(search, &homography);
            if (search->request->kind == RANSAC_LOCAL) {
                optimise(search, homography);
            }
            needed = samples_needed(result->inliers, search->count);
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
    Search search = {.places = places,
                     .count = count,
                     .request = request,
                     .gathered = malloc(count * sizeof *search.gathered),
                     .member = inlier,
                     .result = result};
    STATUS_MEMORY(search.gathered, "for %zu matches", count);
    find_best(&search);
    if (result->found) {
        (request->kind == RANSAC_LOCAL ? settle : refit)(&search);
    }
    free(search.gathered);
    return status_ok();
}
