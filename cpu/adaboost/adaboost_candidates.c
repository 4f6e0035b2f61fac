/*
 * Only features with small keys are considered, as there may be thousands of millions: those in a
 * window of keys are listed and tried, and windows eight times as wide follow until there are
 * enough candidates or no keys left. A sixteenth of a window is tried at a time, and only what is
 * kept is sorted: few more are tried than needed, and where none is kept nothing is sorted.
 */
#include "adaboost.h"

#include <stdbool.h>
#include <stdlib.h>

#include "backend.h"

typedef struct KeyedFeature {
    uint64_t key;
    HaarFeature feature;
} KeyedFeature;

typedef struct Draw {
    const Workload *workload;
    const AdaboostPoint *point;
    AdaboostCandidates *candidates;
    uint64_t seed;          /* mixed */
    uint64_t first, last;   /* the window of keys, both inclusive */
    KeyedFeature *list;     /* of the window; owned */
    size_t count, capacity; /* of the list */
    int32_t sample;         /* images */
    int32_t *integrals;     /* of the sample */
    size_t integral_entries;
} Draw;

/* Every bit of the number changes about half of the bits of the result, and no two numbers have the
 * same (the finaliser of SplitMix64). */
static uint64_t mix(uint64_t number) {
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static uint64_t feature_key(uint64_t seed, HaarFeature f) {
    const uint64_t packed = (uint64_t)f.type << 32 | (uint64_t)f.x << 24 | (uint64_t)f.y << 16 |
                            (uint64_t)f.w << 8 | f.h;
    return mix(packed ^ seed);
}

static Status append(Draw *draw, uint64_t key, HaarFeature feature) {
    if (draw->count == draw->capacity) {
        const size_t capacity = draw->capacity == 0 ? 4096 : 2 * draw->capacity;
        KeyedFeature *list = realloc(draw->list, capacity * sizeof *list);
        if (list == NULL) {
            return status_no_memory("to draw candidates from %zu features", capacity);
        }
        draw->list = list;
        draw->capacity = capacity;
    }
    draw->list[draw->count++] = (KeyedFeature){key, feature};
    return status_ok();
}

/* Every position of features of one type and size whose key is in the window. */
static Status list_positions(Draw *draw, HaarFeature feature) {
    const ImageSet *set = &draw->workload->set;
    for (int32_t x = 0; x + feature.w <= set->width; x++) {
        for (int32_t y = 0; y + feature.h <= set->height; y++) {
            feature.x = (uint8_t)x;
            feature.y = (uint8_t)y;
            const uint64_t key = feature_key(draw->seed, feature);
            if (key >= draw->first && key <= draw->last) {
                STATUS_TRY(append(draw, key, feature));
            }
        }
    }
    return status_ok();
}

static Status list_window(Draw *draw) {
    const ImageSet *set = &draw->workload->set;
    const int32_t min_side = draw->point->min_side;
    draw->count = 0;
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        for (int32_t w = min_side; w <= set->width; w++) {
            for (int32_t h = min_side; h <= set->height; h++) {
                if (haar_reach(type, w, h) > draw->point->threshold) {
                    STATUS_TRY(list_positions(
                        draw,
                        (HaarFeature){.type = (uint8_t)type, .w = (uint8_t)w, .h = (uint8_t)h}));
                }
            }
        }
    }
    return status_ok();
}

static int compare_keys(const void *a, const void *b) {
    const KeyedFeature *left = a;
    const KeyedFeature *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

static bool is_kept(const Draw *draw, HaarFeature feature) {
    const int32_t stride = draw->workload->set.width + 1;
    for (int32_t i = 0; i < draw->sample; i++) {
        const int32_t *integral = draw->integrals + (size_t)i * draw->integral_entries;
        if (abs(haar_value(integral, stride, feature)) > draw->point->threshold) {
            return true;
        }
    }
    return false;
}

/* Moves the features with keys from `low` to less than `low` + `step` that are kept to the front of
 * the list: their number. */
static size_t keep_part(Draw *draw, uint64_t low, uint64_t step) {
    size_t kept = 0;
    for (size_t i = 0; i < draw->count; i++) {
        const KeyedFeature tried = draw->list[i];
        if (tried.key - low < step && is_kept(draw, tried.feature)) {
            draw->list[i] = draw->list[kept];
            draw->list[kept++] = tried;
        }
    }
    return kept;
}

static void take_from_window(Draw *draw) {
    enum { PARTS = 16 };
    AdaboostCandidates *candidates = draw->candidates;
    const uint64_t step = (draw->last - draw->first) / PARTS + 1;
    for (uint64_t part = 0; part < PARTS && candidates->count < draw->point->candidates; part++) {
        const size_t kept = keep_part(draw, draw->first + part * step, step);
        qsort(draw->list, kept, sizeof *draw->list, compare_keys);
        for (size_t i = 0; i < kept && candidates->count < draw->point->candidates; i++) {
            candidates->features[candidates->count++] = draw->list[i].feature;
        }
    }
}

static Status take_all(Draw *draw) {
    const ImageSet *set = &draw->workload->set;
    const double features = (double)HAAR_TYPES *
                            (double)haar_rectangles(set->width, set->height, draw->point->min_side);
    double share = 2.0 * draw->point->candidates / features; /* of all keys, in the window */
    bool is_last = features == 0;
    while (!is_last && draw->candidates->count < draw->point->candidates) {
        const double keys = share * 0x1p64;
        is_last = keys >= (double)(UINT64_MAX - draw->first);
        draw->last = is_last ? UINT64_MAX : draw->first + (uint64_t)keys;
        STATUS_TRY(list_window(draw));
        if (draw->count > 0) {
            take_from_window(draw);
        }
        draw->first = draw->last + 1;
        share *= 8;
    }
    return status_ok();
}

static Status prepare(Draw *draw) {
    const ImageSet *set = &draw->workload->set;
    draw->sample = set->count < ADABOOST_SAMPLE ? set->count : ADABOOST_SAMPLE;
    draw->integral_entries = (size_t)(set->width + 1) * (size_t)(set->height + 1);
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(
        (size_t)draw->sample * draw->integral_entries * sizeof *draw->integrals, &memory));
    draw->integrals = memory;
    for (int32_t i = 0; i < draw->sample; i++) {
        haar_integral(workload_image(draw->workload, i), set->width, set->height,
                      draw->integrals + (size_t)i * draw->integral_entries);
    }
    draw->candidates->features =
        malloc((size_t)draw->point->candidates * sizeof *draw->candidates->features);
    return draw->candidates->features != NULL
               ? status_ok()
               : status_no_memory("for %d candidates", draw->point->candidates);
}

static Status refuse(const Draw *draw) {
    return status_skip("in the first %d image%s haar keeps only %d features at --min-side %d and "
                       "--threshold %d, not %d; give --candidates up to that, or a lower "
                       "--threshold",
                       draw->sample, draw->sample == 1 ? "" : "s", draw->candidates->count,
                       draw->point->min_side, draw->point->threshold, draw->point->candidates);
}

Status adaboost_candidates_draw(const Workload *workload, const AdaboostPoint *point,
                                AdaboostCandidates *candidates) {
    *candidates = (AdaboostCandidates){.features = NULL};
    Draw draw = {
        .workload = workload,
        .point = point,
        .candidates = candidates,
        .seed = mix(workload->seed + UINT64_C(0x9E3779B97F4A7C15)),
    };
    Status status = prepare(&draw);
    if (status_is_ok(&status)) {
        status = take_all(&draw);
    }
    if (status_is_ok(&status) && candidates->count < point->candidates) {
        status = refuse(&draw);
    }
    cpu_backend.release(draw.integrals);
    free(draw.list);
    if (!status_is_ok(&status)) {
        adaboost_candidates_release(candidates);
    }
    return status;
}

void adaboost_candidates_release(AdaboostCandidates *candidates) {
    free(candidates->features);
    *candidates = (AdaboostCandidates){.features = NULL};
}
