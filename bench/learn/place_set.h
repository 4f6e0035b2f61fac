/* Place set: rows that describe places, each as several views show it. What is learnt from. */
#ifndef BENCH_PLACE_SET_H
#define BENCH_PLACE_SET_H

#include "picture_folder.h"
#include "view_describer.h"
#include "views.h"

typedef struct SamplePlace {
    int32_t picture;
    float x, y, side; /* of the patch, in the picture itself */
} SamplePlace;

typedef struct PlaceSet {
    int32_t points, views;
    size_t row; /* bytes */
    SamplePlace *places;
    uint8_t *rows; /* of point p in view v at (p·views + v)·row; those of a picture in succession */
} PlaceSet;

/* Views of every picture, `round` standing for others of the same pictures. Release with
 * place_set_release, whatever was returned. */
Status place_set_make(const PictureFolder *folder, const ViewDescriber *describer,
                      const ViewRequest *request, uint64_t round, PlaceSet *samples);
void place_set_release(PlaceSet *samples);

static inline const uint8_t *place_set_row(const PlaceSet *samples, int32_t point, int32_t view) {
    return samples->rows + ((size_t)point * (size_t)samples->views + (size_t)view) * samples->row;
}

/* The seed of the views of a picture. */
uint64_t place_set_seed(uint64_t seed, uint64_t round, int32_t picture);

/* Whether two places are too near each other to tell their patches apart. */
bool places_are_near(const SamplePlace *left, const SamplePlace *right);

#endif
