#include "match_method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer_proof.h"
#include "clock.h"
#include "datasets.h"
#include "default_point.h"
#include "match_row.h"
#include "one_answer.h"
#include "registry.h"
#include "verify.h"

const MethodRow method_rows[MATCH_METHODS] = {
    [METHOD_HASHSIFT] = {.name = "hashsift", .algorithm = "hashsift", .distance = "hamming"},
    [METHOD_BAD] = {.name = "bad", .algorithm = "bad", .distance = "hamming"},
    [METHOD_SIFT] = {.name = "sift", .algorithm = "hashsift", .bits = "1024", .distance = "l2"},
};

const char *match_method_name(MatchMethod method) {
    return method_rows[method].name;
}

Status match_variant(const char *algorithm, const char *name, const Algorithm **found,
                     const Variant **variant) {
    *found = registry_find_algorithm(algorithm);
    if (*found == NULL) {
        return status_fail("this program was built without %s", algorithm);
    }
    return name != NULL ? one_answer_variant(*found, name, variant)
                        : one_answer_fastest(*found, variant);
}

/* --- Descriptors ------------------------------------------------------------------------------ */

static const char *bits_of(const MatchRequest *request, const MethodResult *result) {
    const char *own = method_rows[result->method].bits;
    return own != NULL ? own : request->bits;
}

static Status descriptor_point(const MatchRequest *request, const Algorithm *algorithm,
                               const Workload *workload, const MethodResult *result, Point *point) {
    STATUS_TRY(default_point(algorithm->answer, workload, point));
    STATUS_TRY(point_set("bits", bits_of(request, result), workload, point));
    STATUS_TRY(point_set("keypoints", "all", workload, point));
    return point_set("scale", request->scale != NULL ? request->scale : "auto", workload, point);
}

/* The proof looks at this many keypoints, which take the oracle no time that anybody notices. */
#define PROOF_KEYPOINTS "256"

/* Holds a variant against its oracle, on a small input, before its answers are believed. */
static Status prove(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                    const Point *answer) {
    Point few = *answer;
    STATUS_TRY(point_set("keypoints", PROOF_KEYPOINTS, workload, &few));
    return one_answer_prove(algorithm, variant, &few);
}

/* Into the rows from `first` on. */
static Status describe(const MatchRequest *request, const Algorithm *algorithm,
                       const MatchPicture *picture, const WeightsList *weights, int32_t first,
                       Image *rows, MethodResult *result, double *seconds) {
    const Workload workload = {.kind = WORKLOAD_KEYPOINTS,
                               .image = picture->image,
                               .keypoints = picture->keypoints,
                               .weights = *weights};
    Point answer;
    Output output;
    STATUS_TRY(descriptor_point(request, algorithm, &workload, result, &answer));
    if (first == 0) {
        STATUS_TRY(prove(algorithm, result->describer, &workload, &answer));
    }
    STATUS_TRY(one_answer_time(algorithm, result->describer, &workload, &answer, &output, seconds));
    memcpy(rows->pixels + (size_t)first * rows->stride, output_part(&output, 0),
           (size_t)picture->keypoints.count * rows->stride);
    answer_release_guarded(&output);
    return status_ok();
}

/* The descriptors of A, and after them those of B. */
static Status describe_both(const MatchRequest *request, const PictureMatch *match,
                            const WeightsList *weights, Image *rows, MethodResult *result) {
    const MatchPicture *a = &match->pictures[0];
    const MatchPicture *b = &match->pictures[1];
    const Algorithm *algorithm;
    STATUS_TRY(match_variant(method_rows[result->method].algorithm, request->variant, &algorithm,
                             &result->describer));
    STATUS_TRY(image_create(result->bits / 8, a->keypoints.count + b->keypoints.count, 1, rows));
    STATUS_TRY(
        describe(request, algorithm, a, weights, 0, rows, result, &result->describe_seconds[0]));
    return describe(request, algorithm, b, weights, a->keypoints.count, rows, result,
                    &result->describe_seconds[1]);
}

/* --- Matches ---------------------------------------------------------------------------------- */

static Status keep_mutual(const PictureMatch *match, const Output *output, MethodResult *result) {
    const Match *rows = output_part(output, 0);
    const size_t count = output->layout.parts[0].height;
    const Keypoint *a = match->pictures[0].keypoints.keypoints;
    const Keypoint *b = match->pictures[1].keypoints.keypoints;
    result->matches = malloc((count + 1) * sizeof *result->matches);
    result->places = malloc((count + 1) * sizeof *result->places);
    result->inlier = calloc(count + 1, sizeof *result->inlier);
    if (result->matches == NULL || result->places == NULL || result->inlier == NULL) {
        return status_skip("no memory left for %zu matches", count);
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].mutual == 0) {
            continue;
        }
        const size_t j = (size_t)rows[i].nearest;
        result->matches[result->count] =
            (KeypointMatch){.a = (int32_t)i, .b = (int32_t)j, .distance = rows[i].distance};
        result->places[result->count++] =
            (Correspondence){.xa = a[i].x, .ya = a[i].y, .xb = b[j].x, .yb = b[j].y};
    }
    return status_ok();
}

static Status match_rows(const MatchRequest *request, const PictureMatch *match, const Image *rows,
                         MethodResult *result) {
    const Workload workload = {.kind = WORKLOAD_DESCRIPTORS,
                               .image = *rows,
                               .queries = match->pictures[0].keypoints.count};
    const Algorithm *algorithm;
    Point answer;
    Output output;
    STATUS_TRY(match_variant("matching", request->variant, &algorithm, &result->matcher));
    STATUS_TRY(default_point(algorithm->answer, &workload, &answer));
    STATUS_TRY(point_set("bits", bits_of(request, result), &workload, &answer));
    STATUS_TRY(point_set("keypoints", "all", &workload, &answer));
    STATUS_TRY(point_set("distance", method_rows[result->method].distance, &workload, &answer));
    STATUS_TRY(prove(algorithm, result->matcher, &workload, &answer));
    STATUS_TRY(one_answer_time(algorithm, result->matcher, &workload, &answer, &output,
                               &result->match_seconds));
    const Status status = keep_mutual(match, &output, result);
    answer_release_guarded(&output);
    return status;
}

/* --- Homography ------------------------------------------------------------------------------- */

static void judge(const PictureMatch *match, MethodResult *result) {
    const Image *picture = &match->pictures[0].image;
    for (size_t i = 0; match->has_truth && i < result->count; i++) {
        result->matches[i].correct =
            homography_error(&match->truth, &result->places[i]) <= MATCH_CORRECT_PX;
        result->correct += result->matches[i].correct;
    }
    if (match->has_truth && result->ransac.found) {
        result->corner_error = homography_corner_error(&result->ransac.homography, &match->truth,
                                                       picture->width, picture->height);
    }
}

static Status find_homography(const MatchRequest *request, const PictureMatch *match,
                              MethodResult *result) {
    const double started = clock_now();
    STATUS_TRY(ransac_homography(result->places, result->count, &request->ransac, result->inlier,
                                 &result->ransac));
    result->ransac_seconds = clock_now() - started;
    judge(match, result);
    return status_ok();
}

static Status run(const MatchRequest *request, const PictureMatch *match,
                  const WeightsList *weights, MethodResult *result) {
    Image rows = {.pixels = NULL};
    if (match->pictures[0].keypoints.count == 0 || match->pictures[1].keypoints.count == 0) {
        return status_ok();
    }
    Status status = describe_both(request, match, weights, &rows, result);
    if (status_is_ok(&status)) {
        status = match_rows(request, match, &rows, result);
    }
    image_free(&rows);
    STATUS_TRY(status);
    return find_homography(request, match, result);
}

Status method_run(const MatchRequest *request, const PictureMatch *match,
                  const WeightsList *weights, MethodResult *result) {
    const MatchMethod method = result->method;
    *result = (MethodResult){.method = method,
                             .corner_error = NAN,
                             .describe_seconds = {NAN, NAN},
                             .match_seconds = NAN,
                             .ransac_seconds = NAN};
    result->bits = (int32_t)strtol(bits_of(request, result), NULL, 10);
    result->status = run(request, match, weights, result);
    return result->status;
}

void method_release(MethodResult *result) {
    free(result->matches);
    free(result->places);
    free(result->inlier);
    *result = (MethodResult){.count = 0};
}
