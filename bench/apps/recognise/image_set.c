/* The image sets that both commands read. */

#include "recognise_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "image_sets.h"
#include "run.h"
#include "status.h"
#include "workload.h"

/* === Image set ================================================================================ */

enum { IMAGE_SET_SYNTHETIC = 1000, IMAGE_SET_SIDE = 28 };

static Status load(const ImageSetRequest *request, Workload *workload) {
    if (request->path != NULL) {
        input_name_of_path(request->path, workload->input);
        return image_set_read(request->path, request->labels, request->images, &workload->image,
                              &workload->set);
    }
    snprintf(workload->input, sizeof workload->input, "%s", request->synthetic);
    return image_set_synthetic(
        request->synthetic, request->images > 0 ? request->images : IMAGE_SET_SYNTHETIC,
        IMAGE_SET_SIDE, IMAGE_SET_SIDE, request->seed, &workload->image, &workload->set);
}

Status image_set_load(const ImageSetRequest *request, Workload *workload) {
    *workload = (Workload){.kind = WORKLOAD_IMAGE_SET, .seed = request->seed};
    STATUS_TRY(load(request, workload));
    snprintf(workload->size_name, sizeof workload->size_name, "%" PRId32, workload->set.count);
    workload->hash = image_set_hash(&workload->image, &workload->set);
    return status_ok();
}

void image_set_release(Workload *workload) {
    if (workload->set.count > 0) {
        image_set_free(&workload->image, &workload->set);
        workload->set = (ImageSet){.count = 0};
    }
}

/* === Set options ============================================================================== */

Status take_images(const Option *option, const char *value, void *options) {
    int32_t *images = (int32_t *)((unsigned char *)options + option->member);
    uint64_t number = 0;
    if (strcmp(value, "all") != 0) {
        STATUS_TRY(parse_count(value, 1, INT32_MAX, &number));
    }
    *images = (int32_t)number;
    return status_ok();
}

Status set_options_check(const char *command, const ImageSetRequest *set) {
    if ((set->path == NULL) == (set->synthetic == NULL)) {
        return status_make(
            STATUS_USAGE,
            "%s: name %s image set: an IDX file or a folder of images, or --synthetic KIND",
            command, set->path == NULL ? "an" : "one");
    }
    if (set->labels != NULL && set->synthetic != NULL) {
        return status_make(STATUS_USAGE, "--labels: synthetic sets have labels of their own");
    }
    return status_ok();
}
