#include "match_drawing.h"

#include <math.h>
#include <stdlib.h>

#include "datasets.h"
#include "stats.h"

enum { GAP = 8 }; /* pixels between the pictures */

static const Pen keypoint_pen = {.colour = {255, 215, 0}, .share = 0.45, .width = 1};
static const Pen right_pen = {.colour = {40, 230, 80}, .share = 0.6, .width = 1};
static const Pen wrong_pen = {.colour = {255, 40, 40}, .share = 0.9, .width = 1.5};
static const double keypoint_radius = 2, end_radius = 3;

/* Where a picture is on the canvas. */
typedef struct Panel {
    double scale;
    int32_t x, width, height; /* pixels */
} Panel;

static int32_t shrunk(int32_t side, double scale) {
    const int32_t rounded = (int32_t)lround(side * scale);
    return rounded > 0 ? rounded : 1;
}

static void lay_out(const PictureMatch *match, Panel panels[2]) {
    const Image *a = &match->pictures[0].image;
    const Image *b = &match->pictures[1].image;
    const double whole = (double)a->width + b->width;
    const double scale = fmin(1, (MATCH_DRAWING_WIDTH - GAP) / whole);
    panels[0] = (Panel){
        .scale = scale, .width = shrunk(a->width, scale), .height = shrunk(a->height, scale)};
    panels[1] = (Panel){.scale = scale,
                        .x = panels[0].width + GAP,
                        .width = shrunk(b->width, scale),
                        .height = shrunk(b->height, scale)};
}

static Status draw_picture(Canvas *canvas, const Image *image, const Panel *panel) {
    Image small;
    STATUS_TRY(image_rescale(image, panel->width, panel->height, &small));
    for (int32_t y = 0; y < small.height; y++) {
        canvas_picture(canvas, panel->x, y, image_row(&small, y), small.width, 1, 1);
    }
    image_free(&small);
    return status_ok();
}

/* A coordinate of a picture on the canvas: pixels are squares around their centres. */
static double placed(double coordinate, double scale, int32_t offset) {
    return (coordinate + 0.5) * scale - 0.5 + offset;
}

static void draw_keypoints(Canvas *canvas, const KeypointList *list, const Panel *panel) {
    for (int32_t i = 0; i < list->count; i++) {
        canvas_ring(canvas, placed(list->keypoints[i].x, panel->scale, panel->x),
                    placed(list->keypoints[i].y, panel->scale, 0), keypoint_radius, keypoint_pen);
    }
}

static void draw_match(Canvas *canvas, const Correspondence *place, const Panel panels[2],
                       Pen pen) {
    const double xa = placed(place->xa, panels[0].scale, panels[0].x);
    const double ya = placed(place->ya, panels[0].scale, 0);
    const double xb = placed(place->xb, panels[1].scale, panels[1].x);
    const double yb = placed(place->yb, panels[1].scale, 0);
    canvas_line(canvas, xa, ya, xb, yb, pen);
    canvas_ring(canvas, xa, ya, end_radius, pen);
    canvas_ring(canvas, xb, yb, end_radius, pen);
}

/* Indexes of inliers into `chosen`, each of them as likely as every other; returns how many. */
static size_t choose(const MethodResult *method, uint64_t seed,
                     size_t chosen[MATCH_DRAWING_LINES]) {
    Random random;
    size_t met = 0;
    random_seed(&random, seed);
    for (size_t i = 0; i < method->count; i++) {
        if (!method->inlier[i]) {
            continue;
        }
        const size_t slot = met < MATCH_DRAWING_LINES ? met : random_bits(&random) % (met + 1);
        if (slot < MATCH_DRAWING_LINES) {
            chosen[slot] = i;
        }
        met++;
    }
    return met < MATCH_DRAWING_LINES ? met : MATCH_DRAWING_LINES;
}

/* Wrong ones last, so that they are not covered. */
static void draw_matches(Canvas *canvas, const PictureMatch *match, const MethodResult *method,
                         uint64_t seed, const Panel panels[2]) {
    size_t chosen[MATCH_DRAWING_LINES];
    const size_t count = choose(method, seed, chosen);
    for (int wrong = 0; wrong < 2; wrong++) {
        for (size_t i = 0; i < count; i++) {
            const bool is_wrong = match->has_truth && !method->matches[chosen[i]].correct;
            if (is_wrong == (wrong == 1)) {
                draw_match(canvas, &method->places[chosen[i]], panels,
                           is_wrong ? wrong_pen : right_pen);
            }
        }
    }
}

Status match_draw(const PictureMatch *match, const MethodResult *method, uint64_t seed,
                  Canvas *canvas) {
    Panel panels[2];
    lay_out(match, panels);
    const int32_t height =
        panels[0].height > panels[1].height ? panels[0].height : panels[1].height;
    STATUS_TRY(canvas_create(panels[1].x + panels[1].width, height, canvas));
    for (int i = 0; i < 2; i++) {
        const Status status = draw_picture(canvas, &match->pictures[i].image, &panels[i]);
        if (!status_is_ok(&status)) {
            canvas_release(canvas);
            return status;
        }
        draw_keypoints(canvas, &match->pictures[i].keypoints, &panels[i]);
    }
    draw_matches(canvas, match, method, seed, panels);
    return status_ok();
}
