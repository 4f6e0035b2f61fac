#include "descriptor_source.h"

#include <string.h>

#include "keypoint_source.h"
#include "synthetic_descriptors.h"

const SizeSpec descriptor_size = {.name = "100000", .images = DESCRIPTORS_MAX};

Status descriptor_source_describe(const Input *input, const SizeSpec *size, Workload *workload) {
    *workload = (Workload){.kind = WORKLOAD_DESCRIPTORS,
                           .image = {.width = SYNTHETIC_DESCRIPTOR_BYTES,
                                     .height = 2 * size->images,
                                     .stride = SYNTHETIC_DESCRIPTOR_BYTES},
                           .keypoints = {.wanted = KEYPOINT_SOURCE_WANTED},
                           .queries = size->images};
    memcpy(workload->input, input->name, sizeof workload->input);
    memcpy(workload->size_name, size->name, sizeof workload->size_name);
    return status_ok();
}

Status descriptor_source_load(const Input *input, Workload *workload) {
    return synthetic_descriptors(input->name, workload->queries, workload->seed, &workload->image);
}
