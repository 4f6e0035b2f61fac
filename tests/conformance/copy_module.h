/* The answer and the cost of a module that copies an image. */
#ifndef TESTS_CONFORMANCE_COPY_MODULE_H
#define TESTS_CONFORMANCE_COPY_MODULE_H

#include "workload.h"

static Status copy_layout(const Workload *workload, const Point *answer, OutputLayout *layout) {
    (void)answer;
    return output_layout_add(layout, "copy", OUTPUT_IMAGE_U8, (size_t)workload->image.width,
                             (size_t)workload->image.height);
}

static Cost copy_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2.0 * pixels, .operations = pixels, .items = pixels};
}

#endif
