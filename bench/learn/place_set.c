#include "place_set.h"

#include <stdlib.h>

#include "synthetic_rows.h"

static const float near_share = 0.3F; /* of a patch's side */

uint64_t place_set_seed(uint64_t seed, uint64_t round, int32_t picture) {
    return synthetic_hash(synthetic_hash(seed, round), (uint64_t)picture);
}

bool places_are_near(const SamplePlace *left, const SamplePlace *right) {
    const float side = left->side > right->side ? left->side : right->side;
    const float x = left->x - right->x;
    const float y = left->y - right->y;
    return left->picture == right->picture && x * x + y * y < near_share * near_share * side * side;
}

static Status grow(int32_t points, PlaceSet *samples) {
    const size_t total = (size_t)samples->points + (size_t)points + 1;
    SamplePlace *places = realloc(samples->places, total * sizeof *places);
    if (places != NULL) {
        samples->places = places;
    }
    uint8_t *rows = realloc(samples->rows, total * (size_t)samples->views * samples->row);
    if (rows != NULL) {
        samples->rows = rows;
    }
    return places != NULL && rows != NULL
               ? status_ok()
               : status_skip("no memory left for samples of %zu places", total);
}

static Status add_picture(const ViewDescriber *describer, int32_t picture, const Views *views,
                          PlaceSet *samples) {
    const size_t stride = (size_t)samples->views * samples->row;
    STATUS_TRY(grow(views->points, samples));
    for (int32_t v = 0; v < views->views; v++) {
        Keypoint *keypoints = views->keypoints + (size_t)v * (size_t)views->points;
        STATUS_TRY(view_describer_run(
            describer, &views->images[v], keypoints, views->points,
            samples->rows + (size_t)samples->points * stride + (size_t)v * samples->row, stride));
    }
    for (int32_t i = 0; i < views->points; i++) {
        const Keypoint keypoint = views->keypoints[i];
        samples->places[samples->points++] = (SamplePlace){
            .picture = picture, .x = keypoint.x, .y = keypoint.y, .side = keypoint.size};
    }
    return status_ok();
}

Status place_set_make(const PictureFolder *folder, const ViewDescriber *describer,
                      const ViewRequest *request, uint64_t round, PlaceSet *samples) {
    *samples = (PlaceSet){.views = request->views, .row = view_describer_row(describer)};
    for (int32_t i = 0; i < folder->count; i++) {
        ViewRequest of_picture = *request;
        Views views;
        of_picture.seed = place_set_seed(request->seed, round, i);
        Status status = views_make(&folder->images[i], &of_picture, &views);
        if (status_is_ok(&status)) {
            status = add_picture(describer, i, &views, samples);
        }
        views_release(&views);
        STATUS_TRY(status);
    }
    return status_ok();
}

void place_set_release(PlaceSet *samples) {
    free(samples->places);
    free(samples->rows);
    *samples = (PlaceSet){0};
}
