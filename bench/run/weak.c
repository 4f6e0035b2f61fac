/* Weak scaling, --weak: what grows with the number of GPUs, so that the work of each stays. */

#include "algorithm.h"
#include "calls.h"
#include "inputs.h"
#include "plan.h"
#include "registry.h"
#include "run_options.h"
#include "scaling.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* === Numbers of GPUs ========================================================================== */

static const Axis *find_axis(void) {
    const AxisCatalog catalog = axis_catalog();
    return axis_catalog_find(&catalog, scaling_gpus);
}

static Status read_numbers(const RunOptions *options, const Axis *axis, AxisValues *values,
                           WeakNumbers *numbers) {
    const Workload none = {.struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE};
    const char *list = options_axis_list(options, axis);
    values->count = 0;
    STATUS_TRY(axis_read(axis, list, &none, values));
    if (values->count < 2) {
        return status_make(
            STATUS_USAGE,
            "--weak compares numbers of GPUs, and --gpus %.40s is one; write several "
            "such as --gpus 1,2,4",
            list);
    }
    for (size_t i = 0; i < values->count && numbers->count < CUDA_DEVICES_MAX; i++) {
        numbers->list[numbers->count++] = (int)values->values[i].number;
    }
    return status_ok();
}

Status weak_numbers(const RunOptions *options, WeakNumbers *numbers) {
    *numbers = (WeakNumbers){.count = 0};
    const Axis *axis = options->weak ? find_axis() : NULL;
    if (axis == NULL) {
        return status_ok();
    }
    AxisValues *values = malloc(sizeof *values);
    STATUS_MEMORY(values, "for axis values");
    const Status status = read_numbers(options, axis, values, numbers);
    free(values);
    return status;
}

/* === What grows =============================================================================== */

static bool is_divided(const Algorithm *algorithm) {
    for (size_t i = 0; i < registry_variant_count(algorithm); i++) {
        if (axis_in_list(registry_variant(algorithm, i)->tuning, scaling_gpus) != NULL) {
            return true;
        }
    }
    return false;
}

WeakGrowth weak_growth(const Algorithm *algorithm) {
    if (!is_divided(algorithm)) {
        return GROWS_NOT;
    }
    if (algorithm->weak_axis == NULL) {
        return algorithm->input != WORKLOAD_DESCRIPTORS ? GROWS_INPUT : GROWS_NOT;
    }
    return algorithm->weak_axis[0] != '\0' ? GROWS_ANSWER : GROWS_NOT;
}

Status weak_reason(const Algorithm *algorithm) {
    return is_divided(algorithm)
               ? status_skip("--weak: nothing that %s takes is in proportion to its work",
                             algorithm->name)
               : status_skip("--weak: %s has no variant for several GPUs", algorithm->name);
}

/* --- Inputs ----------------------------------------------------------------------------------- */

static Status grow_image(const Input *input, const SizeSpec *size, int gpus, SizeSpec *grown) {
    const bool native = size->width == 0;
    const uint64_t width = (uint64_t)(native ? input->width : size->width);
    const uint64_t height = (uint64_t)(native ? input->height : size->height);
    const Status status = size_of_sides(width, (uint64_t)gpus * height, grown);
    return status_is_ok(&status)
               ? status
               : status_make(status.code, "--weak with %d GPUs: %.400s", gpus, status.why);
}

static Status grow_set(const Input *input, const SizeSpec *size, int gpus, SizeSpec *grown) {
    const int64_t images = (int64_t)gpus * (size->images != 0 ? size->images : input->images);
    const int32_t most = input->path != NULL ? input->images : INT32_MAX;
    if (images > most) {
        return status_make(STATUS_USAGE,
                           "--weak with %d GPUs needs %" PRId64 " images, and %.100s has %" PRId32
                           "; write at most --images %" PRId32,
                           gpus, images, input->name, most, most / gpus);
    }
    *grown = set_size_of(size, (int32_t)images);
    return status_ok();
}

Status weak_size(const Input *input, const SizeSpec *size, int gpus, SizeSpec *grown) {
    if (gpus == 1) {
        *grown = *size;
        return status_ok();
    }
    return input->kind == WORKLOAD_IMAGE_SET ? grow_set(input, size, gpus, grown)
                                             : grow_image(input, size, gpus, grown);
}

/* --- Answers ---------------------------------------------------------------------------------- */

static Status grow_point(const Algorithm *algorithm, int gpus, Point *point) {
    const char *name = algorithm->weak_axis;
    const double factor = weak_factor(algorithm, gpus);
    for (size_t i = 0; i < point->count; i++) {
        const Axis *axis = point->axes[i];
        AxisValue *value = &point->values[i];
        if (strcmp(axis->name, name) != 0) {
            continue;
        }
        if (axis->kind != AXIS_INTEGER || (double)value->number > (double)axis->maximum / factor) {
            return status_make(STATUS_USAGE,
                               "--weak with %d GPUs needs %.3g times --%s %.40s, and %" PRId64
                               " is the most; write less",
                               gpus, factor, name, value->text, axis->maximum);
        }
        value->number = llround((double)value->number * factor);
        snprintf(value->text, sizeof value->text, "%" PRId64, value->number);
        return status_ok();
    }
    return status_fail("there is no axis --%s for --weak", name);
}

static void add_point(const Point *point, int gpus, WeakPoints *points) {
    size_t i = 0;
    while (i < points->count && !point_equal(&points->points[i], point)) {
        i++;
    }
    if (i == points->count) {
        points->points[points->count] = *point;
        points->gpus[points->count++] = 0;
    }
    points->gpus[i] |= UINT32_C(1) << gpus;
}

static Status grow_points(const Algorithm *algorithm, const WeakNumbers *numbers,
                          const PointList *answers, WeakPoints *points) {
    for (size_t i = 0; i < answers->count; i++) {
        for (size_t j = 0; j < numbers->count; j++) {
            Point point = answers->points[i];
            STATUS_TRY(grow_point(algorithm, numbers->list[j], &point));
            add_point(&point, numbers->list[j], points);
        }
    }
    return status_ok();
}

Status weak_points(const Algorithm *algorithm, const WeakNumbers *numbers, const PointList *answers,
                   WeakPoints *points) {
    const size_t room = answers->count * numbers->count + 1;
    *points = (WeakPoints){.points = calloc(room, sizeof *points->points),
                           .gpus = calloc(room, sizeof *points->gpus)};
    const Status status = points->points != NULL && points->gpus != NULL
                              ? grow_points(algorithm, numbers, answers, points)
                              : status_no_memory("for the plan");
    if (!status_is_ok(&status)) {
        weak_points_release(points);
    }
    return status;
}

void weak_points_release(WeakPoints *points) {
    free(points->points);
    free(points->gpus);
    *points = (WeakPoints){.count = 0};
}
