#include "set_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "image_sets.h"

enum { CLASSES = 10 };

static const SetShape all_shapes[] = {
    {1, 4, 4},   {2, 5, 5},   {5, 9, 7},   {1, 28, 28},  {3, 28, 28},
    {1, 64, 20}, {7, 32, 32}, {2, 33, 40}, {33, 12, 28},
};

size_t set_case_shapes(const SetShape **shapes) {
    *shapes = all_shapes;
    return sizeof all_shapes / sizeof all_shapes[0];
}

const char *set_case_content_name(SetContent content) {
    static const char *const names[SET_CONTENT_COUNT] = {
        [SET_ZERO] = "zero",     [SET_NOISE] = "noise", [SET_EXTREME] = "extreme",
        [SET_DIGITS] = "digits", [SET_FULL] = "full",
    };
    return names[content];
}

/* How the image of all images is filled; digits are drawn over it. */
static CaseContent fill_of(SetContent content) {
    switch (content) {
    case SET_ZERO: return CONTENT_ZERO;
    case SET_EXTREME: return CONTENT_EXTREME;
    case SET_FULL: return CONTENT_FULL;
    default: return CONTENT_NOISE;
    }
}

static bool draw_digits(Workload *workload) {
    Image image = {0};
    ImageSet set = {0};
    const ImageSet *wanted = &workload->set;
    const Status status = image_set_synthetic("digits", wanted->count, wanted->width,
                                              wanted->height, 1, &image, &set);
    if (!status_is_ok(&status)) {
        return false;
    }
    memcpy(workload->image.pixels, image.pixels, image_pixel_count(&image));
    memcpy(workload->set.labels, set.labels, (size_t)set.count);
    image_set_free(&image, &set);
    return true;
}

static bool fill_set(SetShape shape, SetContent content, Workload *workload) {
    workload->kind = WORKLOAD_IMAGE_SET;
    workload->seed = 1;
    workload->set = (ImageSet){.count = shape.count,
                               .width = shape.width,
                               .height = shape.height,
                               .labels = malloc((size_t)shape.count)};
    if (workload->set.labels == NULL) {
        return false;
    }
    for (int32_t i = 0; i < shape.count; i++) {
        workload->set.labels[i] = (uint8_t)(i % CLASSES);
    }
    if (content == SET_DIGITS && !draw_digits(workload)) {
        return false;
    }
    workload->hash = image_set_hash(&workload->image, &workload->set);
    snprintf(workload->input, sizeof workload->input, "%s", set_case_content_name(content));
    snprintf(workload->size_name, sizeof workload->size_name, "%dx%dx%d", shape.count, shape.width,
             shape.height);
    return true;
}

bool set_case_create(SetShape shape, SetContent content, Workload *workload) {
    const Shape strip = {shape.width, shape.height * shape.count};
    if (!case_create(strip, fill_of(content), 0, workload)) {
        return false;
    }
    if (!fill_set(shape, content, workload)) {
        set_case_release(workload);
        return false;
    }
    return true;
}

void set_case_release(Workload *workload) {
    free(workload->set.labels);
    workload->set.labels = NULL;
    case_release(workload);
}
