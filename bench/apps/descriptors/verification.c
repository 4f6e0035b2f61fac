/* Error rates of descriptors on pairs of patches. */

#include "descriptors_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets.h"
#include "harness.h"
#include "keypoints.h"
#include "output.h"
#include "random.h"
#include "status.h"
#include "text.h"
#include "weights_files.h"
#include "workload.h"

typedef struct Score {
    double false_positives; /* 0…1 */
    double matching;        /* 0…1 */
} Score;

enum { POINTS = 1000, VIEWS = 4, POINTS_LEAST = 8, BITS_MAX = 512, TRIES = 100 };

static const uint64_t seed = 20240327; /* the same views for all that is verified */
static const double recall = 0.95, radius = 3;

/* --- Views ------------------------------------------------------------------------------------ */

Status verification_make(const ImageFolder *folder, Verification *verification) {
    *verification = (Verification){.views = calloc((size_t)folder->count, sizeof(Views))};
    STATUS_MEMORY(verification->views, "for views of %" PRId32 " images", folder->count);
    for (int32_t i = 0; i < folder->count; i++) {
        const ViewRequest request = {
            .points = POINTS, .views = VIEWS, .seed = place_set_seed(seed, 0, i)};
        Views *views = &verification->views[verification->images++];
        STATUS_TRY(views_make(&folder->images[i], &request, views));
        if (views->points < POINTS_LEAST) { /* nothing to be mistaken for */
            views_release(views);
            verification->images--;
            continue;
        }
        verification->pairs += (size_t)views->points * (VIEWS - 1);
    }
    return verification->images > 0
               ? status_ok()
               : status_make(STATUS_NO_MATCH, "the images to verify with have no keypoints");
}

void verification_release(Verification *verification) {
    for (int32_t i = 0; i < verification->images; i++) {
        views_release(&verification->views[i]);
    }
    free(verification->views);
    *verification = (Verification){0};
}

/* --- False positives -------------------------------------------------------------------------- */

typedef struct Tally {
    uint64_t same[BITS_MAX + 1], different[BITS_MAX + 1]; /* pairs of each distance */
    uint64_t correct, matched;                            /* places */
} Tally;

double verification_false_positives(const uint64_t *same, const uint64_t *different, int32_t bits) {
    uint64_t all_same = 0, all_different = 0, found = 0, wrong = 0;
    for (int32_t d = 0; d <= bits; d++) {
        all_same += same[d];
        all_different += different[d];
    }
    for (int32_t d = 0; d <= bits && (double)found < recall * (double)all_same; d++) {
        found += same[d];
        wrong += different[d];
    }
    return all_different > 0 ? (double)wrong / (double)all_different : 0;
}

static int32_t distance(const uint8_t *left, const uint8_t *right, size_t bytes) {
    int32_t sum = 0;
    for (size_t i = 0; i < bytes; i++) {
        sum += __builtin_popcount((unsigned)(left[i] ^ right[i]));
    }
    return sum;
}

/* A place that is not near; the place itself when none was found. */
static int32_t other_place(const Views *views, int32_t point, Draw *draw) {
    const Keypoint *own = &views->keypoints[point];
    for (int i = 0; i < TRIES; i++) {
        const int32_t other = draw_below(draw, views->points);
        if (!keypoints_lie_within(own, &views->keypoints[other], 0.5 * own->size)) {
            return other;
        }
    }
    return point;
}

static void tally_pairs(const Views *views, const Image *rows, uint64_t image, int32_t view,
                        Tally *tally) {
    Draw draw = draw_start(seed, image, (uint64_t)view);
    const size_t bytes = (size_t)rows->width;
    for (int32_t i = 0; i < views->points; i++) {
        const int32_t other = other_place(views, i, &draw);
        const uint8_t *own = image_row(rows, i);
        tally->same[distance(own, image_row(rows, views->points + i), bytes)]++;
        if (other != i) {
            tally->different[distance(own, image_row(rows, views->points + other), bytes)]++;
        }
    }
}

/* --- Matching --------------------------------------------------------------------------------- */

static Status tally_matches(const Views *views, const Image *rows, Tally *tally) {
    const Workload workload = {.struct_bytes = sizeof(Workload),
                               .kind = WORKLOAD_DESCRIPTORS,
                               .image = *rows,
                               .queries = views->points};
    char bits[16];
    Output output;
    snprintf(bits, sizeof bits, "%" PRId32, 8 * rows->width);
    STATUS_TRY(
        one_answer_best("matching", &workload,
                        (const char *const[][2]){
                            {"bits", bits}, {"keypoints", "all"}, {"distance", "hamming"}, {NULL}},
                        &output));
    const Match *matches = output_part(&output, 0);
    for (int32_t i = 0; i < views->points; i++) {
        tally->correct += matches[i].mutual != 0 &&
                          keypoints_lie_within(&views->keypoints[i],
                                               &views->keypoints[matches[i].nearest], radius);
    }
    tally->matched += (uint64_t)views->points;
    answer_release_guarded(&output);
    return status_ok();
}

/* --- All of it -------------------------------------------------------------------------------- */

static Status tally_image(const ViewDescriber *describer, const Views *views, uint64_t image,
                          Tally *tally) {
    Image rows;
    STATUS_TRY(image_create((int32_t)view_describer_row(describer), 2 * views->points, 1, &rows));
    Status status = view_describer_run(describer, &views->images[0], views->keypoints,
                                       views->points, rows.pixels, rows.stride);
    for (int32_t v = 1; v < views->views && status_is_ok(&status); v++) {
        status = view_describer_run(
            describer, &views->images[v], views->keypoints + (size_t)v * (size_t)views->points,
            views->points, rows.pixels + (size_t)views->points * rows.stride, rows.stride);
        if (status_is_ok(&status)) {
            tally_pairs(views, &rows, image, v, tally);
            status = tally_matches(views, &rows, tally);
        }
    }
    image_free(&rows);
    return status;
}

static Status verification_score(const Verification *verification, const ViewDescriber *describer,
                                 Score *score) {
    Tally tally = {0};
    for (int32_t i = 0; i < verification->images; i++) {
        STATUS_TRY(tally_image(describer, &verification->views[i], (uint64_t)i, &tally));
    }
    *score = (Score){.false_positives =
                         verification_false_positives(tally.same, tally.different, describer->bits),
                     .matching = (double)tally.correct / (double)tally.matched};
    return status_ok();
}

static Status print_score(FILE *stream, const Verification *verification, const Weights *weights,
                          const char *name) {
    const ViewDescriber describer = {
        .algorithm = weights->kind, .bits = weights->bits, .weights = weights, .weights_count = 1};
    Score score;
    STATUS_TRY(verification_score(verification, &describer, &score));
    visible_line(stream, "%-24.24s %4" PRId32 " %14.2f%% %15.2f%%", name, weights->bits,
                 100 * score.false_positives, 100 * score.matching);
    return status_ok();
}

Status verification_print(FILE *stream, const Verification *verification, const Weights *trained,
                          const Weights *against) {
    Weights random;
    STATUS_TRY(weights_random(weights_kind_named(trained->kind), trained->bits, seed, &random));
    fprintf(stream,
            "verified on %" PRId32 " images, %zu pairs of the same place\n"
            "%-24s %4s %15s %16s\n",
            verification->images, verification->pairs, "weights", "bits", "false at 95%",
            "matching score");
    Status status = print_score(stream, verification, trained, "trained");
    if (status_is_ok(&status) && against != NULL) {
        status = print_score(stream, verification, against, against->name);
    }
    STATUS_THEN(status, print_score(stream, verification, &random, "random"));
    weights_free(&random);
    return status;
}
