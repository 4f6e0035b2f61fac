#include "views.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "exposure.h"
#include "keypoint_files.h"
#include "keypoint_source.h"
#include "warp.h"

/* Of how many found ones each that is used is drawn. The strongest alone would be all corners. */
enum { FOUND_FOR_USED = 3 };
enum { DRAW_POINTS = 1, DRAW_WARP, DRAW_EXPOSURE, DRAW_JITTER };

/* How a keypoint that is found again differs from where it should be: deviations. */
static const double jitter_place = 0.012; /* sides of its patch */
static const double jitter_size = 0.1;    /* of the size's logarithm */
static const double jitter_angle = 6;     /* degrees */
static const double size_least = 0.4, size_most = 1.5;

static bool is_inside(const Image *image, const Keypoint *keypoint, float reach) {
    return keypoint->x >= reach && keypoint->y >= reach &&
           keypoint->x < (float)image->width - reach && keypoint->y < (float)image->height - reach;
}

/* Draws `most` of the list to its front. */
static void shuffle(KeypointList *list, int32_t most, Draw *draw) {
    for (int32_t i = 0; i < list->count && i < most; i++) {
        const int32_t other = i + draw_below(draw, list->count - i);
        const Keypoint drawn = list->keypoints[other];
        list->keypoints[other] = list->keypoints[i];
        list->keypoints[i] = drawn;
    }
    list->count = list->count < most ? list->count : most;
}

static void find_points(const Image *picture, const ViewRequest *request, KeypointList *list) {
    Draw draw = draw_start(request->seed, DRAW_POINTS, 0);
    int32_t kept = 0;
    shuffle(list, request->points, &draw);
    for (int32_t i = 0; i < list->count; i++) {
        Keypoint keypoint = list->keypoints[i];
        keypoint.size *= (float)draw_factor(&draw, size_least, size_most);
        if (is_inside(picture, &keypoint, keypoint.size / 2)) {
            list->keypoints[kept++] = keypoint;
        }
    }
    list->count = kept;
}

static Keypoint jitter(Keypoint keypoint, Draw *draw) {
    const double size = keypoint.size;
    keypoint.x += (float)(jitter_place * size * draw_normal(draw));
    keypoint.y += (float)(jitter_place * size * draw_normal(draw));
    keypoint.size *= (float)exp(jitter_size * draw_normal(draw));
    const double angle = keypoint.angle + jitter_angle * draw_normal(draw);
    keypoint.angle = (float)(angle - 360 * floor(angle / 360));
    return keypoint;
}

static Status make_view(const Image *picture, const ViewRequest *request, int32_t view,
                        Views *views) {
    Draw warp_draws = draw_start(request->seed, DRAW_WARP, (uint64_t)view);
    Draw exposure_draws = draw_start(request->seed, DRAW_EXPOSURE, (uint64_t)view);
    Draw jitter_draws = draw_start(request->seed, DRAW_JITTER, (uint64_t)view);
    const Warp warp = warp_draw(picture->width, picture->height, &warp_draws);
    const Exposure exposure = exposure_draw(&exposure_draws);
    Keypoint *moved = views->keypoints + (size_t)view * (size_t)views->points;
    for (int32_t i = 0; i < views->points; i++) {
        moved[i] = jitter(warp_keypoint(&warp, views->keypoints[i]), &jitter_draws);
    }
    STATUS_TRY(warp_render(&warp, picture, &views->images[view]));
    return exposure_apply(&exposure, &exposure_draws, &views->images[view]);
}

/* Leaves out points that are not in every view. */
static Status drop_lost(Views *views) {
    int32_t kept = 0;
    bool *seen = malloc((size_t)views->points + 1);
    if (seen == NULL) {
        return status_skip("no memory left for %" PRId32 " keypoints", views->points);
    }
    for (int32_t i = 0; i < views->points; i++) {
        seen[i] = true;
        for (int32_t v = 1; v < views->views; v++) {
            seen[i] &=
                is_inside(&views->images[v],
                          &views->keypoints[(size_t)v * (size_t)views->points + (size_t)i], 0);
        }
        kept += seen[i];
    }
    Keypoint *to = views->keypoints;
    for (int32_t i = 0; i < views->views * views->points; i++) {
        if (seen[i % views->points]) {
            *to++ = views->keypoints[i];
        }
    }
    views->points = kept;
    free(seen);
    return status_ok();
}

static Status make_all(const Image *picture, const ViewRequest *request, const KeypointList *list,
                       Views *views) {
    views->points = list->count;
    views->keypoints =
        calloc((size_t)list->count * (size_t)request->views + 1, sizeof *views->keypoints);
    if (views->keypoints == NULL) {
        return status_skip("no memory left for keypoints");
    }
    memcpy(views->keypoints, list->keypoints, (size_t)list->count * sizeof *list->keypoints);
    for (int32_t v = 1; v < request->views; v++) {
        views->views = v + 1;
        STATUS_TRY(make_view(picture, request, v, views));
    }
    return drop_lost(views);
}

Status views_make(const Image *picture, const ViewRequest *request, Views *views) {
    KeypointList list;
    *views = (Views){.images = {*picture}, .views = 1};
    STATUS_TRY(keypoints_detect(picture, NULL, FOUND_FOR_USED * request->points, &list));
    find_points(picture, request, &list);
    const Status status = make_all(picture, request, &list, views);
    keypoints_free(&list);
    return status;
}

void views_release(Views *views) {
    for (int32_t v = 1; v < views->views; v++) {
        image_free(&views->images[v]);
    }
    free(views->keypoints);
    *views = (Views){0};
}
