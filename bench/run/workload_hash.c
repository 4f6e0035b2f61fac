#include "workload_hash.h"

#include "datasets.h"
#include "image_sets.h"
#include "keypoint_files.h"
#include "weights_source.h"

uint64_t workload_hash(const Workload *workload) {
    switch (workload->kind) {
    case WORKLOAD_IMAGE_SET: return image_set_hash(&workload->image, &workload->set);
    case WORKLOAD_KEYPOINTS:
        return weights_list_hash(keypoints_hash(image_hash(&workload->image), &workload->keypoints),
                                 &workload->weights);
    default: return image_hash(&workload->image);
    }
}
