/* Learning hashsift's projection: batches of places from some pictures, the hardest triplets in
 * them, and a step of the projection; new views of all pictures from time to time. */
#include <stdlib.h>

#include "draw.h"
#include "fnv.h"
#include "learn_progress.h"
#include "learn_request.h"
#include "projection.h"

enum {
    POINTS = 1200,            /* of a picture */
    VIEWS = 4,                /* the picture itself is one */
    ROUND_STEPS = 500,        /* before new views are made */
    STRETCH_STEPS = 50,       /* that a point of the curve is about */
    PICTURES_OF_A_BATCH = 16, /* many, so that few places look alike beyond telling apart */
    VALUE_BITS = 1024         /* of hashsift: its 128 values, not projected */
};
enum { DRAW_BATCH = 10 };

static const double rate = 0.02, margin = 0.4;

typedef struct HashLearning {
    const LearnRequest *request;
    const PictureFolder *folder;
    ViewDescriber describer;
    PlaceSet samples; /* of the round under way */
    int32_t *firsts;  /* of each picture its first point, and one more for the end */
    Projection projection;
    LearnState state;
    LearnProgress progress;
} HashLearning;

/* --- Batches ---------------------------------------------------------------------------------- */

static void put_row(const HashLearning *learning, int32_t point, int32_t view, int32_t row) {
    const uint8_t *values = place_set_row(&learning->samples, point, view);
    float *input = learning->projection.inputs + (size_t)row * PROJECTION_COLUMNS;
    input[0] = 1;
    for (int32_t k = 1; k < PROJECTION_COLUMNS; k++) {
        input[k] = (float)values[k - 1] / PROJECTION_UNIT;
    }
}

/* A picture is drawn as often as it has points. */
static void draw_batch(HashLearning *learning, uint64_t step) {
    const int32_t n = learning->request->batch;
    const int32_t views = learning->samples.views;
    Draw draw = draw_start(learning->request->seed, DRAW_BATCH, step);
    int32_t pictures[PICTURES_OF_A_BATCH];
    for (int i = 0; i < PICTURES_OF_A_BATCH; i++) {
        pictures[i] = learning->samples.places[draw_below(&draw, learning->samples.points)].picture;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t picture = pictures[i % PICTURES_OF_A_BATCH];
        const int32_t first = learning->firsts[picture];
        const int32_t point = first + draw_below(&draw, learning->firsts[picture + 1] - first);
        const int32_t view = draw_below(&draw, views);
        const int32_t other = (view + 1 + draw_below(&draw, views - 1)) % views;
        learning->projection.places[i] = learning->samples.places[point];
        put_row(learning, point, view, i);
        put_row(learning, point, other, n + i);
    }
}

/* --- Rounds ----------------------------------------------------------------------------------- */

static void index_pictures(HashLearning *learning) {
    int32_t point = 0;
    for (int32_t picture = 0; picture <= learning->folder->count; picture++) {
        while (point < learning->samples.points &&
               learning->samples.places[point].picture < picture) {
            point++;
        }
        learning->firsts[picture] = point;
    }
}

static Status make_round(HashLearning *learning, uint64_t round) {
    const ViewRequest request = {.points = POINTS, .views = VIEWS, .seed = learning->request->seed};
    place_set_release(&learning->samples);
    STATUS_TRY(place_set_make(learning->folder, &learning->describer, &request, round,
                              &learning->samples));
    index_pictures(learning);
    return learning->samples.points > 1
               ? status_ok()
               : status_make(STATUS_NO_MATCH,
                             "%.200s: the pictures have no keypoints to learn "
                             "from; give larger ones, or others",
                             learning->request->folder);
}

static Status run_stretch(HashLearning *learning, uint64_t from, uint64_t to) {
    const uint64_t steps = learning->request->steps;
    LearnCurvePoint point = {.step = to};
    for (uint64_t step = from; step < to; step++) {
        if (learning->samples.points == 0 || step % ROUND_STEPS == 0) {
            STATUS_TRY(make_round(learning, step / ROUND_STEPS));
        }
        draw_batch(learning, step);
        if (step == 0) {
            projection_standardise(&learning->projection, 2 * learning->request->batch);
        }
        const TripletLoss loss = projection_step(
            &learning->projection, learning->request->batch,
            (ProjectionRate){.step = step, .steps = steps, .rate = rate, .margin = margin});
        point.loss += loss.mean / (double)(to - from);
        point.share += loss.share / (double)(to - from);
    }
    return learn_progress_point(&learning->progress, point);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* All that decides what comes out. */
static uint64_t facts_of(const HashLearning *learning) {
    const LearnRequest *request = learning->request;
    const uint64_t facts[] = {(uint64_t)request->bits,  request->seed, request->steps,
                              (uint64_t)request->batch, POINTS,        VIEWS,
                              learning->folder->hash,   ROUND_STEPS};
    return fnv_bytes(FNV_START, facts, sizeof facts);
}

static Status run(HashLearning *learning) {
    const LearnRequest *request = learning->request;
    learning->firsts = calloc((size_t)learning->folder->count + 1, sizeof *learning->firsts);
    if (learning->firsts == NULL) {
        return status_skip("no memory left for an index of pictures");
    }
    STATUS_TRY(view_describer_make(WEIGHTS_HASHSIFT, VALUE_BITS, NULL, 0, &learning->describer));
    STATUS_TRY(
        projection_create(request->bits, request->batch, request->seed, &learning->projection));
    learning->state = (LearnState){.facts = facts_of(learning),
                                   .data = learning->projection.factors,
                                   .bytes = projection_bytes(&learning->projection)};
    STATUS_TRY(learn_progress_start(request, request->steps,
                                    (size_t)(request->steps / STRETCH_STEPS + 1), &learning->state,
                                    &learning->progress));
    while (learning->state.done < request->steps) {
        const uint64_t from = learning->state.done;
        const uint64_t left = request->steps - from;
        STATUS_TRY(
            run_stretch(learning, from, from + (left < STRETCH_STEPS ? left : STRETCH_STEPS)));
    }
    return learn_progress_finish(&learning->progress);
}

Status learn_hashsift(const LearnRequest *request, const PictureFolder *folder, Weights *weights) {
    HashLearning learning = {.request = request, .folder = folder};
    Status status = run(&learning);
    if (status_is_ok(&status)) {
        status = projection_weights(&learning.projection, request->out, weights);
    }
    learn_progress_release(&learning.progress);
    projection_release(&learning.projection);
    place_set_release(&learning.samples);
    free(learning.firsts);
    return status;
}
