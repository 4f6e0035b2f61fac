#include "picture_set.h"

#include <inttypes.h>
#include <stdio.h>

#include "image_sets.h"
#include "workload_source.h"

static Status load(const PictureSetRequest *request, Workload *workload) {
    if (request->path != NULL) {
        input_name_of_path(request->path, workload->input);
        return image_set_read(request->path, request->labels, request->images, &workload->image,
                              &workload->set);
    }
    snprintf(workload->input, sizeof workload->input, "%s", request->synthetic);
    return image_set_synthetic(
        request->synthetic, request->images > 0 ? request->images : PICTURE_SET_SYNTHETIC,
        PICTURE_SET_SIDE, PICTURE_SET_SIDE, request->seed, &workload->image, &workload->set);
}

Status picture_set_load(const PictureSetRequest *request, Workload *workload) {
    *workload = (Workload){.kind = WORKLOAD_IMAGE_SET, .seed = request->seed};
    STATUS_TRY(load(request, workload));
    snprintf(workload->size_name, sizeof workload->size_name, "%" PRId32, workload->set.count);
    workload->hash = image_set_hash(&workload->image, &workload->set);
    return status_ok();
}

void picture_set_release(Workload *workload) {
    if (workload->set.count > 0) {
        image_set_free(&workload->image, &workload->set);
        workload->set = (ImageSet){.count = 0};
    }
}
