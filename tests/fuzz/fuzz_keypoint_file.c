/* Fuzzes the reader of keypoint files: what it takes keeps what keypoint.h promises. */
#include <math.h>

#include "fnv.h"
#include "fuzz_input.h"
#include "keypoint_files.h"

static void check_keypoint(const Keypoint *keypoint) {
    require(isfinite(keypoint->x) && isfinite(keypoint->y) && isfinite(keypoint->angle));
    require(isfinite(keypoint->size) && keypoint->size >= 0);
}

/* From a file there is the same to read as from memory. */
static void check_file(const uint8_t *bytes, size_t size, const KeypointList *list) {
    KeypointList again;
    const Status status = keypoints_read(fuzz_input_file(bytes, size), &again);
    require(status_is_ok(&status) && again.count == list->count && again.scale == list->scale);
    require(keypoints_hash(FNV_START, &again) == keypoints_hash(FNV_START, list));
    keypoints_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    KeypointList list;
    const Status status = keypoints_decode("fuzzed", (const char *)bytes, size, &list);
    if (!status_is_ok(&status)) {
        require(status.code == STATUS_FILE && list.keypoints == NULL && list.count == 0);
        require_reason(&status);
        return 0;
    }
    require(list.count >= 0 && list.count <= KEYPOINTS_MAX && list.wanted == list.count);
    require(list.scale == KEYPOINT_SCALE_SIFT || list.scale == KEYPOINT_SCALE_FAST);
    for (int32_t i = 0; i < list.count; i++) {
        check_keypoint(&list.keypoints[i]);
    }
    check_file(bytes, size, &list);
    keypoints_free(&list);
    return 0;
}
