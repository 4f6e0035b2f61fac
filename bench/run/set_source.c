#include "set_source.h"

#include <inttypes.h>
#include <string.h>

#include "datasets.h"
#include "image_sets.h"
#include "input_kinds.h"

/* --- What a request names --------------------------------------------------------------------- */

/* A picture where a set is needed; what is neither is left to the reader of sets to explain. */
static Status check_is_set(const RunOptions *options) {
    int32_t width = 0;
    int32_t height = 0;
    if (image_set_is_at(options->input)) {
        return status_ok();
    }
    const Status picture = image_read_size(options->input, &width, &height);
    if (!status_is_ok(&picture)) {
        return status_ok();
    }
    char takers[STATUS_WHY_SIZE / 4];
    kinds_algorithms(options, KINDS_SETS, takers, sizeof takers);
    return status_make(STATUS_USAGE,
                       "%.200s is one picture; %s needs a set of them: an IDX file, or a folder of "
                       "pictures of one size",
                       options->input, takers);
}

/* Of the pictures that there are; 0: all. */
static int32_t pictures_needed(const RunOptions *options) {
    int32_t needed = options->set_size_count > 0 ? 1 : 0;
    for (size_t i = 0; i < options->set_size_count; i++) {
        if (options->set_sizes[i].images == 0) {
            return 0;
        }
        needed = options->set_sizes[i].images > needed ? options->set_sizes[i].images : needed;
    }
    return needed;
}

/* Decoded as far as it will be used: its header alone would not tell that it is truncated. */
static Status check_contents(const RunOptions *options, int32_t held) {
    Image image = {0};
    ImageSet set = {0};
    const int32_t needed = pictures_needed(options);
    const int32_t limit = needed < held ? needed : 0;
    const Status status = image_set_read(options->input, options->labels, limit, &image, &set);
    if (status_is_ok(&status)) {
        image_set_free(&image, &set);
    }
    /* Too large for the memory that is free: its cells will say so. */
    return status.code == STATUS_SKIP ? status_ok() : status;
}

Status set_source_check(const RunOptions *options, Input *input) {
    ImageSet set = {0};
    STATUS_TRY(check_is_set(options));
    STATUS_TRY(image_set_read_size(options->input, &set));
    input->images = set.count;
    input->width = set.width;
    input->height = set.height;
    return check_contents(options, set.count);
}

/* --- A set as a workload ---------------------------------------------------------------------- */

static Status check_request(const Input *input, const SizeSpec *size) {
    if (input->path == NULL && (size->width == 0 || size->images == 0)) {
        return status_make(STATUS_USAGE,
                           "the synthetic set '%s' has no size of its own; give --images a number "
                           "and --side one",
                           input->name);
    }
    if (input->path != NULL && size->images > input->images) {
        return status_make(STATUS_USAGE,
                           "--images: %.100s has %" PRId32 " pictures, not %" PRId32
                           "; write at most that, or all",
                           input->name, input->images, size->images);
    }
    return status_ok();
}

/* All rows lie in one picture, whose sides are int32_t. */
static Status check_extent(const ImageSet *set) {
    if ((int64_t)set->height * set->count > INT32_MAX) {
        return status_make(STATUS_USAGE,
                           "--images: %" PRId32 " pictures of %" PRId32 "x%" PRId32
                           " are too many; write at most %" PRId32,
                           set->count, set->width, set->height, INT32_MAX / set->height);
    }
    return status_ok();
}

/* "all" gives way to the number that it stands for. */
static void name_size(const SizeSpec *size, int32_t count, Workload *workload) {
    if (size->images != 0) {
        memcpy(workload->size_name, size->name, sizeof workload->size_name);
        return;
    }
    const char *sides = strchr(size->name, 'x');
    snprintf(workload->size_name, sizeof workload->size_name, "%" PRId32 "%.20s", count,
             sides != NULL ? sides : "");
}

Status set_source_describe(const Input *input, const SizeSpec *size, Workload *workload) {
    const bool native = size->width == 0;
    STATUS_TRY(check_request(input, size));
    const ImageSet set = {.count = size->images != 0 ? size->images : input->images,
                          .width = native ? input->width : size->width,
                          .height = native ? input->height : size->height};
    STATUS_TRY(check_extent(&set));
    *workload = (Workload){.kind = WORKLOAD_IMAGE_SET,
                           .image = {.width = set.width,
                                     .height = set.height * set.count,
                                     .stride = (size_t)set.width},
                           .set = set};
    memcpy(workload->input, input->name, sizeof workload->input);
    name_size(size, set.count, workload);
    return status_ok();
}

static Status load_file(const Input *input, const ImageSet *wanted, Image *image, ImageSet *set) {
    STATUS_TRY(image_set_read(input->path, input->labels, wanted->count, image, set));
    if (set->width == wanted->width && set->height == wanted->height) {
        return status_ok();
    }
    Image scaled = {0};
    ImageSet scaled_set = {0};
    const Status status =
        image_set_rescale(image, set, wanted->width, wanted->height, &scaled, &scaled_set);
    image_set_free(image, set);
    *image = scaled;
    *set = scaled_set;
    return status;
}

Status set_source_load(const Input *input, Workload *workload) {
    const ImageSet wanted = workload->set;
    Image image = {0};
    ImageSet set = {0};
    if (input->path != NULL) {
        STATUS_TRY(load_file(input, &wanted, &image, &set));
    } else {
        STATUS_TRY(image_set_synthetic(input->name, wanted.count, wanted.width, wanted.height,
                                       workload->seed, &image, &set));
    }
    workload->image = image;
    workload->set = set;
    return status_ok();
}
