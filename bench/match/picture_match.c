#include "picture_match.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "answer_proof.h"
#include "datasets.h"
#include "default_point.h"
#include "keypoint_files.h"
#include "keypoint_source.h"
#include "match_method.h"
#include "one_answer.h"
#include "verify.h"
#include "weights_source.h"
#include "workload_source.h"

/* --- Keypoints -------------------------------------------------------------------------------- */

static Status detect(const PictureMatch *match, const Algorithm *algorithm, const Point *answer,
                     MatchPicture *picture) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = picture->image};
    Output output;
    STATUS_TRY(one_answer_time(algorithm, match->detector, &workload, answer, &output,
                               &picture->detect_seconds));
    const Status status = keypoints_from_answer(&picture->image, &output, &picture->keypoints);
    answer_release_guarded(&output);
    return status;
}

static Status detect_both(const MatchRequest *request, PictureMatch *match) {
    const bool automatic = request->keypoints == MATCH_KEYPOINTS_AUTO;
    const Workload first = {.kind = WORKLOAD_IMAGE, .image = match->pictures[0].image};
    const Algorithm *detector;
    Point answer;
    STATUS_TRY(match_variant("fast", request->variant, &detector, &match->detector));
    STATUS_TRY(keypoints_detector_point(
        detector, &first, automatic ? KEYPOINT_SOURCE_WANTED : request->keypoints, &answer));
    STATUS_TRY(one_answer_prove(detector, match->detector, &answer));
    STATUS_TRY(detect(match, detector, &answer, &match->pictures[0]));
    return detect(match, detector, &answer, &match->pictures[1]);
}

static Status read_keypoints(const MatchRequest *request, const char *path, MatchPicture *picture) {
    KeypointList *list = &picture->keypoints;
    STATUS_TRY(keypoints_read(path, list));
    if (request->keypoints != MATCH_KEYPOINTS_AUTO && request->keypoints < list->count) {
        list->count = request->keypoints;
    }
    list->wanted = list->count;
    return status_ok();
}

static Status find_keypoints(const MatchRequest *request, PictureMatch *match) {
    if (request->keypoint_files[0] == NULL) {
        return detect_both(request, match);
    }
    for (int i = 0; i < 2; i++) {
        match->keypoint_files[i] = request->keypoint_files[i];
        STATUS_TRY(read_keypoints(request, request->keypoint_files[i], &match->pictures[i]));
    }
    return status_ok();
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Found out before anything is read. */
static Status check_variants(const MatchRequest *request) {
    const Algorithm *algorithm;
    const Variant *variant;
    const Workload none = {.kind = WORKLOAD_KEYPOINTS};
    Point point;
    STATUS_TRY(match_variant("matching", request->variant, &algorithm, &variant));
    for (int i = 0; i < MATCH_METHODS; i++) {
        if (!request->methods[i]) {
            continue;
        }
        STATUS_TRY(match_variant(method_rows[i].algorithm, request->variant, &algorithm, &variant));
        STATUS_TRY(default_point(algorithm->answer, &none, &point));
        STATUS_TRY(
            point_set("scale", request->scale != NULL ? request->scale : "1", &none, &point));
    }
    return status_ok();
}

static Status read_pictures(const MatchRequest *request, PictureMatch *match) {
    match->has_truth = request->homography != NULL;
    if (match->has_truth) {
        STATUS_TRY(homography_read(request->homography, &match->truth));
    }
    for (int i = 0; i < 2; i++) {
        MatchPicture *picture = &match->pictures[i];
        input_name_of_path(request->pictures[i], picture->name);
        STATUS_TRY(image_read(request->pictures[i], &picture->image));
    }
    return status_ok();
}

static Status run_methods(const MatchRequest *request, const WeightsList *weights,
                          PictureMatch *match) {
    Status skipped = status_ok();
    size_t done = 0;
    for (int i = 0; i < MATCH_METHODS; i++) {
        if (!request->methods[i]) {
            continue;
        }
        MethodResult *result = &match->methods[match->count++];
        result->method = (MatchMethod)i;
        const Status status = method_run(request, match, weights, result);
        if (status.code == STATUS_SKIP) {
            skipped = status;
        } else {
            STATUS_TRY(status);
            done++;
        }
    }
    return done > 0 ? status_ok() : skipped;
}

Status picture_match_run(const MatchRequest *request, PictureMatch *match) {
    WeightsList weights;
    *match = (PictureMatch){.pictures = {{.detect_seconds = NAN}, {.detect_seconds = NAN}}};
    STATUS_TRY(check_variants(request));
    STATUS_TRY(read_pictures(request, match));
    STATUS_TRY(find_keypoints(request, match));
    STATUS_TRY(weights_load(request->weights, request->ransac.seed, &weights));
    const Status status = run_methods(request, &weights, match);
    weights_release(&weights);
    return status;
}

void picture_match_release(PictureMatch *match) {
    for (size_t i = 0; i < match->count; i++) {
        method_release(&match->methods[i]);
    }
    for (int i = 0; i < 2; i++) {
        keypoints_free(&match->pictures[i].keypoints);
        image_free(&match->pictures[i].image);
    }
    match->count = 0;
}

static double or_nothing(double seconds) {
    return isnan(seconds) ? 0 : seconds;
}

double method_seconds(const PictureMatch *match, const MethodResult *method) {
    double sum = or_nothing(method->match_seconds);
    for (int i = 0; i < 2; i++) {
        sum +=
            or_nothing(match->pictures[i].detect_seconds) + or_nothing(method->describe_seconds[i]);
    }
    return sum;
}
