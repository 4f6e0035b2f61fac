#include "keypoint_input.h"

#include <float.h>
#include <math.h>

#include "keypoint_files.h"
#include "keypoint_source.h"
#include "weights_source.h"

/* --- What a request names --------------------------------------------------------------------- */

static Status check_list(const char *path, KeypointList *shape) {
    KeypointList list = {.count = 0};
    STATUS_TRY(keypoints_read(path, &list));
    *shape = list;
    shape->keypoints = NULL;
    keypoints_free(&list);
    return status_ok();
}

static Status check_weights(const RunOptions *options, WeightsList *shape) {
    WeightsList weights;
    STATUS_TRY(weights_load(options->weights, options->seed, &weights));
    *shape = weights;
    for (int32_t i = 0; i < shape->count; i++) {
        shape->list[i].values = NULL;
    }
    weights_release(&weights);
    return status_ok();
}

Status keypoint_input_check(const RunOptions *options, Input *input) {
    input->keypoints_file = options->keypoints_file;
    input->weights_files = options->weights;
    if (options->keypoints_file != NULL) {
        STATUS_TRY(check_list(options->keypoints_file, &input->keypoints));
    }
    return check_weights(options, &input->weights);
}

/* --- Workloads -------------------------------------------------------------------------------- */

void keypoint_input_describe(const Input *input, Workload *workload) {
    workload->kind = WORKLOAD_KEYPOINTS;
    workload->weights = input->weights;
    const Image *image = &workload->image;
    workload->keypoints =
        input->keypoints_file != NULL
            ? input->keypoints
            : (KeypointList){.count = keypoints_listed(image->width, image->height),
                             .scale = KEYPOINT_SCALE_FAST,
                             .wanted = KEYPOINT_SOURCE_WANTED};
}

static float kept_finite(double value) {
    return (float)fmax(-FLT_MAX, fmin(FLT_MAX, value));
}

/* A list is in pixels of the file that it belongs to. What is round in it stays round, of a size
 * between those that it would have across and down. */
static void rescale_list(const Input *input, const Image *image, KeypointList *list) {
    const double across = (double)image->width / input->width;
    const double down = (double)image->height / input->height;
    for (int32_t i = 0; i < list->count; i++) {
        Keypoint *keypoint = &list->keypoints[i];
        keypoint->x = kept_finite((keypoint->x + 0.5) * across - 0.5);
        keypoint->y = kept_finite((keypoint->y + 0.5) * down - 0.5);
        keypoint->size = kept_finite(keypoint->size * (across + down) / 2);
    }
}

static Status load_file(const Input *input, const Image *image, KeypointList *list) {
    STATUS_TRY(keypoints_read(input->keypoints_file, list));
    if (input->path != NULL && (image->width != input->width || image->height != input->height)) {
        rescale_list(input, image, list);
    }
    return status_ok();
}

/* Those that are found, then as many at random as are missing. */
static Status load_found(const Workload *workload, KeypointList *list) {
    const Image *image = &workload->image;
    const int32_t listed = keypoints_listed(image->width, image->height);
    STATUS_TRY(keypoints_detect(image, NULL, listed, list));
    const Status status = keypoints_fill(image->width, image->height, listed, workload->seed, list);
    if (!status_is_ok(&status)) {
        keypoints_free(list);
    }
    list->wanted = KEYPOINT_SOURCE_WANTED;
    return status;
}

Status keypoint_input_load(const Input *input, Workload *workload) {
    KeypointList list = {.count = 0};
    WeightsList weights = {.count = 0};
    Status status = input->keypoints_file != NULL ? load_file(input, &workload->image, &list)
                                                  : load_found(workload, &list);
    STATUS_TRY(status);
    status = weights_load(input->weights_files, workload->seed, &weights);
    if (!status_is_ok(&status)) {
        keypoints_free(&list);
        return status;
    }
    workload->keypoints = list;
    workload->weights = weights;
    return status;
}

void keypoint_input_release(Workload *workload) {
    keypoints_free(&workload->keypoints);
    weights_release(&workload->weights);
}
