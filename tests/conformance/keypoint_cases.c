#include "keypoint_cases.h"

#include <stdlib.h>

#include "run.h"
#include "status.h"
#include "workload.h"

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* From 0 to 1. */
static float next_share(uint32_t *state) {
    return (float)next_random(state) / (float)0xFFFFFF;
}

/* Half of them inside. */
static float next_place(int32_t side, uint32_t *state) {
    static const float outside[] = {-1e6F, 1e7F, -20, 1e30F};
    const float last = (float)(side - 1);
    const float inside = next_share(state) * last;
    switch (next_random(state) % 12) {
    case 0: return 0;
    case 1: return last;
    case 2: return -0.5F;
    case 3: return last + 0.5F;
    case 4: return last + 10 * next_share(state);
    case 5: return outside[next_random(state) % (sizeof outside / sizeof outside[0])];
    case 6: return (float)(int32_t)inside;
    case 7: return (float)(int32_t)inside + 0.5F;
    default: return inside;
    }
}

/* Patches of 32 pixels where steps are whole: 32 at scale 1. */
static float next_size(uint32_t *state) {
    static const float odd[] = {0, 1e-30F, 0.01F, 1, 32, 64, 1000, 1e5F, 1e30F};
    const uint32_t choice = next_random(state) % 20;
    return choice < sizeof odd / sizeof odd[0] ? odd[choice] : 3 + 60 * next_share(state);
}

static float next_angle(uint32_t *state) {
    static const float odd[] = {-1, 0, 45, 90, 180, 270, 359.99F, 360};
    const uint32_t choice = next_random(state) % 16;
    return choice < sizeof odd / sizeof odd[0] ? odd[choice] : 360 * next_share(state);
}

static void fill_list(Shape shape, KeypointList *list) {
    uint32_t random = (uint32_t)(shape.width * 31 + shape.height);
    for (int32_t i = 0; i < KEYPOINT_CASE_COUNT; i++) {
        Keypoint *keypoint = &list->keypoints[i];
        keypoint->x = next_place(shape.width, &random);
        keypoint->y = next_place(shape.height, &random);
        keypoint->size = next_size(&random);
        keypoint->angle = next_angle(&random);
    }
}

bool keypoint_case_create(Shape shape, CaseContent content, size_t padding, Workload *workload) {
    if (!case_create(shape, content, padding, workload)) {
        return false;
    }
    workload->kind = WORKLOAD_KEYPOINTS;
    workload->keypoints =
        (KeypointList){.keypoints = malloc(KEYPOINT_CASE_COUNT * sizeof(Keypoint)),
                       .count = KEYPOINT_CASE_COUNT,
                       .scale = 1,
                       .wanted = KEYPOINT_CASE_COUNT};
    const Status status = weights_load("random", 1, &workload->weights);
    if (workload->keypoints.keypoints == NULL || !status_is_ok(&status)) {
        keypoint_case_release(workload);
        return false;
    }
    fill_list(shape, &workload->keypoints);
    return true;
}

void keypoint_case_release(Workload *workload) {
    free(workload->keypoints.keypoints);
    workload->keypoints.keypoints = NULL;
    weights_release(&workload->weights);
    case_release(workload);
}
