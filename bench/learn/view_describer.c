#include "view_describer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "default_point.h"
#include "one_answer.h"
#include "registry.h"
#include "verify.h"

Status view_describer_make(const char *algorithm, int32_t bits, const Weights *weights,
                           int32_t weights_count, ViewDescriber *describer) {
    *describer = (ViewDescriber){.algorithm = registry_find_algorithm(algorithm),
                                 .bits = bits,
                                 .weights = weights,
                                 .weights_count = weights_count};
    if (describer->algorithm == NULL) {
        return status_fail("this program was built without %s", algorithm);
    }
    return one_answer_variant(describer->algorithm, NULL, &describer->variant);
}

static size_t bytes_of_weights(const ViewDescriber *describer) {
    return (size_t)describer->bits / 8;
}

size_t view_describer_row(const ViewDescriber *describer) {
    const int32_t count = describer->weights_count > 0 ? describer->weights_count : 1;
    return bytes_of_weights(describer) * (size_t)count;
}

static Status describe(const ViewDescriber *describer, const Workload *workload, uint8_t *rows,
                       size_t stride) {
    char bits[16];
    Point point;
    Output output;
    snprintf(bits, sizeof bits, "%" PRId32, describer->bits);
    STATUS_TRY(default_point(describer->algorithm->answer, workload, &point));
    STATUS_TRY(point_set("bits", bits, workload, &point));
    STATUS_TRY(
        one_answer_compute(describer->algorithm, describer->variant, workload, &point, &output));
    const uint8_t *computed = output_part(&output, 0);
    const size_t bytes = bytes_of_weights(describer);
    for (int32_t i = 0; i < workload->keypoints.count; i++) {
        memcpy(rows + (size_t)i * stride, computed + (size_t)i * bytes, bytes);
    }
    answer_release_guarded(&output);
    return status_ok();
}

Status view_describer_run(const ViewDescriber *describer, const Image *image, Keypoint *keypoints,
                          int32_t count, uint8_t *rows, size_t stride) {
    Workload workload = {
        .kind = WORKLOAD_KEYPOINTS,
        .image = *image,
        .keypoints = {.keypoints = keypoints, .count = count, .scale = 1, .wanted = count}};
    if (count == 0) {
        return status_ok();
    }
    if (describer->weights_count == 0) {
        return describe(describer, &workload, rows, stride);
    }
    for (int32_t w = 0; w < describer->weights_count; w++) {
        workload.weights = (WeightsList){.count = 1, .list = {describer->weights[w]}};
        STATUS_TRY(
            describe(describer, &workload, rows + (size_t)w * bytes_of_weights(describer), stride));
    }
    return status_ok();
}
