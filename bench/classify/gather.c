#include "gather.h"

#include <stdlib.h>

#include "clock.h"
#include "datasets.h"
#include "interrupt.h"
#include "visible.h"

static const double progress_interval = 5.0; /* seconds */

typedef struct Gathering {
    const ClassTree *tree;
    const GatherOptions *options;
    Describer *describer;
    SampleSet *set;
    uint8_t *buffer; /* of one turned sample */
    size_t next_cell;
    size_t done, total; /* pictures */
    double announced;   /* monotonic seconds */
    /* The first whole picture, which the others must be as large as. */
    const char *first_path;
    int32_t width, height;
} Gathering;

static Status check_cell(const Sampling *sampling, const CellGrid *grid, const char *path,
                         const Image *picture) {
    if (grid->columns > 0 && grid->rows > 0) {
        return status_ok();
    }
    char turned[64] = "";
    if (sampling->angle_count > 0) {
        snprintf(turned, sizeof turned, " turned by each angle of --rotate");
    }
    return status_make(STATUS_FILE, "%.160s is %d×%d pixels; --crop %d%s needs at least %d×%d",
                       path, picture->width, picture->height, sampling->crop, turned, grid->width,
                       grid->height);
}

static Status check_size(Gathering *gathering, const char *path, const Image *picture) {
    const GatherOptions *options = gathering->options;
    if (options->sampling.crop > 0 || options->mixed_sizes) {
        return status_ok();
    }
    if (gathering->first_path == NULL) {
        gathering->first_path = path;
        gathering->width = picture->width;
        gathering->height = picture->height;
    }
    if (picture->width == gathering->width && picture->height == gathering->height) {
        return status_ok();
    }
    return status_make(STATUS_FILE,
                       "%.110s is %d×%d pixels and %.110s is %d×%d; --crop N cuts pieces of one "
                       "size, --mixed-sizes takes them as they are",
                       gathering->first_path, gathering->width, gathering->height, path,
                       picture->width, picture->height);
}

static Status describe_sample(Gathering *gathering, Sample sample, const Image *picture) {
    uint64_t *histograms;
    STATUS_TRY(sample_set_add(gathering->set, sample, &histograms));
    return describer_run(gathering->describer, picture, histograms);
}

/* Once it is known that a picture can hold a sample of this size. */
static Status make_buffer(Gathering *gathering) {
    const Sampling *sampling = &gathering->options->sampling;
    if (sampling->angle_count == 0 || gathering->buffer != NULL) {
        return status_ok();
    }
    const size_t side = (size_t)sampling->crop;
    gathering->buffer = malloc(side * side);
    return gathering->buffer != NULL
               ? status_ok()
               : status_skip("no memory for a sample of %zu×%zu pixels", side, side);
}

static void announce(Gathering *gathering) {
    FILE *stream = gathering->options->progress;
    const double now = clock_now();
    if (stream != NULL && now - gathering->announced >= progress_interval) {
        fprintf(stream, "%zu of %zu pictures described\n", gathering->done, gathering->total);
        gathering->announced = now;
    }
}

static Status describe_cells(Gathering *gathering, size_t class_index, const char *path,
                             const Image *picture) {
    const Sampling *sampling = &gathering->options->sampling;
    const CellGrid grid = sampling_cells(sampling, picture->width, picture->height);
    STATUS_TRY(check_size(gathering, path, picture));
    STATUS_TRY(check_cell(sampling, &grid, path, picture));
    STATUS_TRY(make_buffer(gathering));
    const size_t cells = (size_t)grid.columns * (size_t)grid.rows;
    for (size_t cell = 0; cell < cells; cell++) {
        const Sample sample = {.class_index = class_index, .cell = gathering->next_cell++};
        for (size_t i = 0; i < sampling_per_cell(sampling); i++) {
            if (interrupt_requested()) {
                return status_make(STATUS_INTERRUPTED, "interrupted");
            }
            announce(gathering);
            const Image piece = sampling_cut(sampling, &grid, picture, cell, i, gathering->buffer);
            STATUS_TRY(describe_sample(gathering, sample, &piece));
        }
    }
    return status_ok();
}

static Status take_picture(Gathering *gathering, size_t class_index, const char *path,
                           size_t *readable) {
    const GatherOptions *options = gathering->options;
    Image picture = {0};
    Status status = image_read(path, &picture);
    if (status.code == STATUS_FILE && options->skip_unreadable) {
        visible_line(options->notes, "left out: %s", status.why);
        status = status_ok();
    } else if (status.code == STATUS_FILE) {
        return status_make(STATUS_FILE, "%.300s (--skip-unreadable leaves it out)", status.why);
    } else if (status_is_ok(&status)) {
        ++*readable;
        status = describe_cells(gathering, class_index, path, &picture);
        image_free(&picture);
    }
    gathering->done++;
    return status;
}

static Status take_class(Gathering *gathering, size_t class_index) {
    const TextureClass *class = &gathering->tree->classes[class_index];
    size_t readable = 0;
    for (size_t i = 0; i < class->count; i++) {
        STATUS_TRY(take_picture(gathering, class_index, class->pictures[i], &readable));
    }
    return readable > 0
               ? status_ok()
               : status_make(STATUS_FILE, "the class '%.60s' has no picture that can be read",
                             class->name);
}

Status gather_samples(const ClassTree *tree, const GatherOptions *options, Describer *describer,
                      SampleSet *set) {
    *set = sample_set_start(tree->count, describer->scales.bins);
    Gathering gathering = {.tree = tree,
                           .options = options,
                           .describer = describer,
                           .set = set,
                           .announced = clock_now()};
    for (size_t i = 0; i < tree->count; i++) {
        gathering.total += tree->classes[i].count;
    }
    Status status = status_ok();
    for (size_t i = 0; i < tree->count && status_is_ok(&status); i++) {
        status = take_class(&gathering, i);
    }
    free(gathering.buffer);
    return status;
}
