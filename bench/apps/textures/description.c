/* Samples of classes, and their histograms. */

#include "textures_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "algorithm.h"
#include "axis.h"
#include "datasets.h"
#include "harness.h"
#include "interrupt.h"
#include "list.h"
#include "output.h"
#include "progress.h"
#include "registry.h"
#include "status.h"
#include "text.h"
#include "variant.h"
#include "workload.h"

/* === Likelihood =============================================================================== */

double log_likelihood(const uint64_t *sample, const uint64_t *model, size_t bins) {
    uint64_t total = 0;
    for (size_t i = 0; i < bins; i++) {
        total += model[i];
    }
    double sum = 0;
    for (size_t i = 0; i < bins; i++) {
        const uint64_t count = model[i] > 0 ? model[i] : 1;
        sum += (double)sample[i] * log((double)count / (double)total);
    }
    return sum;
}

size_t most_likely(const double *values, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (values[i] > values[best]) {
            best = i;
        }
    }
    return best;
}

/* === Description ============================================================================== */

enum { HISTOGRAM_PART = 0 };

const Algorithm *description_algorithm(void) {
    return registry_find_algorithm("lbp_riu");
}

/* --- Points ----------------------------------------------------------------------------------- */

static Status make_answer(const Algorithm *algorithm, const char *pr, const char *interp,
                          Point *point) {
    const Workload none = {.struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE};
    STATUS_TRY(default_point(algorithm->answer, &none, point));
    STATUS_TRY(point_set("pr", pr, &none, point));
    STATUS_TRY(point_set("interp", interp, &none, point));
    return point_set("store", "none", &none, point);
}

/* --- Scales ----------------------------------------------------------------------------------- */

static Status add_scale(Describer *describer, const char *pr, const char *interp) {
    Scales *scales = &describer->scales;
    Scale *scale = &scales->list[scales->count];
    Point *answer = &describer->answers[scales->count];
    const Workload pixel = {.struct_bytes = sizeof(Workload),
                            .kind = WORKLOAD_IMAGE,
                            .image = {.width = 1, .height = 1}};
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    STATUS_TRY(make_answer(describer->algorithm, pr, interp, answer));
    snprintf(scales->interp, sizeof scales->interp, "%s", point_text(answer, "interp"));
    STATUS_TRY(describer->algorithm->output_layout(&pixel, answer, &layout));
    scale->bins = layout.parts[HISTOGRAM_PART].width;
    scale->offset = scales->bins;
    snprintf(scale->pr, sizeof scale->pr, "%s", pr);
    scales->bins += scale->bins;
    scales->count++;
    return status_ok();
}

Status describer_open(const Variant *variant, const char *pr, const char *interp,
                      Describer *describer) {
    const Algorithm *algorithm = description_algorithm();
    const Axis *axis = axis_in_list(algorithm->answer, "pr");
    const Workload none = {.struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE};
    *describer = (Describer){.algorithm = algorithm, .variant = variant};
    AxisValues *values = malloc(sizeof *values);
    STATUS_MEMORY(values, "for the scales");
    Status status = axis_parse(axis, pr != NULL ? pr : axis->defaults, &none, values);
    if (status_is_ok(&status) && values->count > SCALES_MAX) {
        status = status_make(STATUS_USAGE, "--pr: classify takes at most %d scales, not %zu",
                             SCALES_MAX, values->count);
    }
    for (size_t i = 0; status_is_ok(&status) && i < values->count; i++) {
        status = add_scale(describer, values->values[i].text, interp);
    }
    free(values);
    return status;
}

/* --- Histograms ------------------------------------------------------------------------------- */

static Status check_sum(const Describer *describer, const uint64_t *counts, size_t bins,
                        const Image *image) {
    uint64_t sum = 0;
    for (size_t i = 0; i < bins; i++) {
        sum += counts[i];
    }
    const uint64_t pixels = image_pixel_count(image);
    return sum == pixels ? status_ok()
                         : status_fail("%s counted %" PRIu64 " pixels of %" PRIu64,
                                       describer->variant->name, sum, pixels);
}

static Status describe(const Describer *describer, const Workload *workload, size_t scale,
                       uint64_t *histograms) {
    const Point *answer = &describer->answers[scale];
    const Scale *place = &describer->scales.list[scale];
    uint64_t *histogram = histograms + place->offset;
    Output output;
    STATUS_TRY(
        one_answer_compute(describer->algorithm, describer->variant, workload, answer, &output));
    const Status status =
        describer->proven
            ? status_ok()
            : one_answer_check(describer->algorithm, describer->variant, workload, answer, &output);
    memcpy(histogram, output_part(&output, HISTOGRAM_PART), place->bins * sizeof *histogram);
    answer_release_guarded(&output);
    STATUS_TRY(status);
    return check_sum(describer, histogram, place->bins, &workload->image);
}

Status describer_run(Describer *describer, const Image *image, uint64_t *histograms) {
    const Workload workload = {
        .struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE, .image = *image};
    for (size_t i = 0; i < describer->scales.count; i++) {
        STATUS_TRY(describe(describer, &workload, i, histograms));
    }
    describer->proven = true;
    return status_ok();
}

/* === Sampling ================================================================================= */

static const double degrees_in_turn = 360.0;
static const double radians_in_degree = 3.14159265358979323846 / 180.0;

/* More than the rounding errors of positions, which are below 2^20 pixels. */
static const double position_slack = 1e-6;

typedef struct Turn {
    double cosine, sine;
} Turn;

static Turn turn_of(double degrees) {
    const double angle = fmod(fmod(degrees, degrees_in_turn) + degrees_in_turn, degrees_in_turn);
    static const Turn quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    if (fmod(angle, 90.0) == 0.0) {
        return quarters[(int)(angle / 90.0)];
    }
    return (Turn){cos(angle * radians_in_degree), sin(angle * radians_in_degree)};
}

/* Furthest that a sample's values lie from its centre, in x or in y, over all angles. */
static double reach_of(const Sampling *sampling) {
    const double half = (sampling->crop - 1) / 2.0;
    double widest = 1.0;
    for (size_t i = 0; i < sampling->angle_count; i++) {
        const Turn turn = turn_of(sampling->angles[i]);
        const double width = fabs(turn.cosine) + fabs(turn.sine);
        widest = width > widest ? width : widest;
    }
    return widest > 1.0 ? half * widest + position_slack : half;
}

/* Bilinear interpolation at x reads the pixels floor(x) and floor(x) + 1. */
static CellGrid turned_cell(const Sampling *sampling) {
    const double half = (sampling->crop - 1) / 2.0;
    const double reach = reach_of(sampling);
    const double centre = ceil(reach - half - SAMPLING_PHASE) + half + SAMPLING_PHASE;
    const int32_t side = (int32_t)floor(centre + reach) + 2;
    return (CellGrid){.width = side, .height = side, .centre = centre};
}

CellGrid sampling_cells(const Sampling *sampling, int32_t width, int32_t height) {
    CellGrid grid = {.width = width, .height = height};
    if (sampling->angle_count > 0) {
        grid = turned_cell(sampling);
    } else if (sampling->crop > 0) {
        grid = (CellGrid){.width = sampling->crop,
                          .height = sampling->crop,
                          .centre = (sampling->crop - 1) / 2.0};
    }
    grid.columns = width / grid.width;
    grid.rows = height / grid.height;
    return grid;
}

size_t sampling_per_cell(const Sampling *sampling) {
    return sampling->angle_count > 0 ? sampling->angle_count : 1;
}

void turn_square(const Image *image, double x, double y, double degrees, int32_t side,
                 uint8_t *values) {
    const Turn turn = turn_of(degrees);
    const double half = (side - 1) / 2.0;
    for (int32_t j = 0; j < side; j++) {
        const double v = j - half;
        for (int32_t i = 0; i < side; i++) {
            const double u = i - half;
            values[(size_t)j * (size_t)side + (size_t)i] = image_bilinear(
                image, x + u * turn.cosine - v * turn.sine, y + u * turn.sine + v * turn.cosine);
        }
    }
}

Image sampling_cut(const Sampling *sampling, const CellGrid *grid, const Image *image, size_t cell,
                   size_t index, uint8_t *buffer) {
    const size_t columns = (size_t)grid->columns;
    const int32_t left = (int32_t)(cell % columns) * grid->width;
    const int32_t top = (int32_t)(cell / columns) * grid->height;
    if (sampling->angle_count == 0) {
        return (Image){.width = grid->width,
                       .height = grid->height,
                       .stride = image->stride,
                       .pixels = image->pixels + (size_t)top * image->stride + left};
    }
    turn_square(image, left + grid->centre, top + grid->centre, sampling->angles[index],
                sampling->crop, buffer);
    return (Image){.width = sampling->crop,
                   .height = sampling->crop,
                   .stride = (size_t)sampling->crop,
                   .pixels = buffer};
}

/* === Class tree =============================================================================== */

static Status no_memory(void) {
    return status_no_memory("for the list of images");
}

/* A link that leads nowhere counts as a file: reading it names what is wrong with it. */
static bool is_file_or_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) != 0 || S_ISDIR(facts.st_mode) || S_ISREG(facts.st_mode);
}

static Status list_entries(const char *folder, PathList *list) {
    STATUS_TRY(path_list_add_folder(list, folder, NULL));
    const size_t count = list->count;
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_file_or_folder(list->paths[i]) && !image_is_left_out(list->paths[i])) {
            list->paths[list->count++] = list->paths[i];
        } else {
            free(list->paths[i]);
        }
    }
    return status_ok();
}

/* The first folder, or the first file; NULL when there is none. */
static const char *first_of(const PathList *list, bool folder) {
    for (size_t i = 0; i < list->count; i++) {
        if (folder_exists(list->paths[i]) == folder) {
            return list->paths[i];
        }
    }
    return NULL;
}

/* --- A folder per class ----------------------------------------------------------------------- */

static Status read_class(const char *folder, TextureClass *class) {
    class->name = strdup(path_name(folder));
    if (class->name == NULL) {
        return no_memory();
    }
    STATUS_TRY(list_entries(folder, &class->images));
    const char *inner = first_of(&class->images, true);
    if (inner != NULL) {
        return status_make(STATUS_FILE,
                           "%.200s is a folder within a class; the images of a class lie directly "
                           "in its folder",
                           inner);
    }
    return class->images.count > 0
               ? status_ok()
               : status_make(STATUS_FILE, "the class '%.60s' has no images: %.200s holds none",
                             class->name, folder);
}

/* --- An image per class ----------------------------------------------------------------------- */

static Status make_class(const char *path, TextureClass *class) {
    class->name = strdup(path_name(path));
    if (class->name == NULL) {
        return no_memory();
    }
    char *dot = strrchr(class->name, '.');
    if (dot != NULL && dot != class->name) {
        *dot = '\0';
    }
    return path_list_add(&class->images, path);
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const TextureClass *)left)->name, ((const TextureClass *)right)->name);
}

/* Without their ends names may sort otherwise, and be the same. */
static Status sort_classes(ClassTree *tree) {
    qsort(tree->classes, tree->count, sizeof *tree->classes, by_name);
    for (size_t i = 1; i < tree->count; i++) {
        if (by_name(&tree->classes[i - 1], &tree->classes[i]) == 0) {
            return status_make(
                STATUS_FILE,
                "%.120s and %.120s would both be the class '%.40s'; name them apart, "
                "or make a folder for each class",
                tree->classes[i - 1].images.paths[0], tree->classes[i].images.paths[0],
                tree->classes[i].name);
        }
    }
    return status_ok();
}

/* ---------------------------------------------------------------------------------------------- */

static Status read_classes(const char *folder, const PathList *list, ClassTree *tree) {
    const char *file = first_of(list, false);
    const char *inner = first_of(list, true);
    if (list->count == 0) {
        return status_make(
            STATUS_FILE,
            "%.250s holds no image; give a folder of images for each class, or an image "
            "for each class",
            folder);
    }
    if (file != NULL && inner != NULL) {
        return status_make(STATUS_FILE,
                           "%.120s holds files (%.60s) and folders (%.60s); give either a folder "
                           "of images for each class or an image for each class",
                           folder, path_name(file), path_name(inner));
    }
    tree->classes = calloc(list->count, sizeof *tree->classes);
    if (tree->classes == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < list->count; i++) {
        TextureClass *class = &tree->classes[tree->count++];
        STATUS_TRY(inner != NULL ? read_class(list->paths[i], class)
                                 : make_class(list->paths[i], class));
    }
    return sort_classes(tree);
}

Status class_tree_read(const char *folder, ClassTree *tree) {
    struct stat facts;
    *tree = (ClassTree){0};
    if (stat(folder, &facts) != 0) {
        return status_make(STATUS_FILE, "%.250s: %s", folder, strerror(errno));
    }
    if (!S_ISDIR(facts.st_mode)) {
        return status_make(STATUS_FILE,
                           "%.250s is not a folder; give one with a folder of images for each "
                           "class, or an image for each class",
                           folder);
    }
    PathList list = {.count = 0};
    Status status = list_entries(folder, &list);
    STATUS_THEN(status, read_classes(folder, &list, tree));
    path_list_release(&list);
    if (!status_is_ok(&status)) {
        class_tree_release(tree);
    }
    return status;
}

void class_tree_release(ClassTree *tree) {
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->classes[i].name);
        path_list_release(&tree->classes[i].images);
    }
    free(tree->classes);
    *tree = (ClassTree){.count = 0};
}

/* === Sample set =============================================================================== */

SampleSet sample_set_start(size_t class_count, size_t bins) {
    return (SampleSet){.class_count = class_count, .bins = bins};
}

void sample_set_release(SampleSet *set) {
    free(set->list);
    free(set->histograms);
    *set = (SampleSet){0};
}

Status sample_set_add(SampleSet *set, Sample sample, uint64_t **histograms) {
    STATUS_TRY(LIST_ROOM(NULL, set->list, set->count, set->capacity, "samples of classes"));
    STATUS_TRY(list_room(NULL, &set->histograms, set->count + 1, &set->histogram_capacity,
                         set->bins * sizeof *set->histograms, "histograms"));
    *histograms = set->histograms + set->count * set->bins;
    memset(*histograms, 0, set->bins * sizeof **histograms);
    set->list[set->count++] = sample;
    return status_ok();
}

/* === Gather =================================================================================== */

typedef struct Gathering {
    const ClassTree *tree;
    const GatherOptions *options;
    Describer *describer;
    SampleSet *set;
    uint8_t *buffer; /* of one turned sample */
    size_t next_cell;
    Progress progress; /* in images */
    /* The first whole image, which the others must be as large as. */
    const char *first_path;
    int32_t width, height;
} Gathering;

static Status check_cell(const Sampling *sampling, const CellGrid *grid, const char *path,
                         const Image *image) {
    if (grid->columns > 0 && grid->rows > 0) {
        return status_ok();
    }
    char turned[64] = "";
    if (sampling->angle_count > 0) {
        snprintf(turned, sizeof turned, " turned by each angle of --rotate");
    }
    return status_make(STATUS_FILE, "%.160s is %d×%d pixels; --crop %d%s needs at least %d×%d",
                       path, image->width, image->height, sampling->crop, turned, grid->width,
                       grid->height);
}

static Status check_size(Gathering *gathering, const char *path, const Image *image) {
    const GatherOptions *options = gathering->options;
    if (options->sampling.crop > 0 || options->mixed_sizes) {
        return status_ok();
    }
    if (gathering->first_path == NULL) {
        gathering->first_path = path;
        gathering->width = image->width;
        gathering->height = image->height;
    }
    if (image->width == gathering->width && image->height == gathering->height) {
        return status_ok();
    }
    return status_make(STATUS_FILE,
                       "%.110s is %d×%d pixels and %.110s is %d×%d; --crop N cuts pieces of one "
                       "size, --mixed-sizes takes them as they are",
                       gathering->first_path, gathering->width, gathering->height, path,
                       image->width, image->height);
}

static Status describe_sample(Gathering *gathering, Sample sample, const Image *image) {
    uint64_t *histograms;
    STATUS_TRY(sample_set_add(gathering->set, sample, &histograms));
    return describer_run(gathering->describer, image, histograms);
}

/* Once it is known that an image can hold a sample of this size. */
static Status make_buffer(Gathering *gathering) {
    const Sampling *sampling = &gathering->options->sampling;
    if (sampling->angle_count == 0 || gathering->buffer != NULL) {
        return status_ok();
    }
    const size_t side = (size_t)sampling->crop;
    gathering->buffer = malloc(side * side);
    return gathering->buffer != NULL
               ? status_ok()
               : status_no_memory("for a sample of %zu×%zu pixels", side, side);
}

static Status describe_cells(Gathering *gathering, size_t class_index, const char *path,
                             const Image *image) {
    const Sampling *sampling = &gathering->options->sampling;
    Progress *progress = &gathering->progress;
    const CellGrid grid = sampling_cells(sampling, image->width, image->height);
    STATUS_TRY(check_size(gathering, path, image));
    STATUS_TRY(check_cell(sampling, &grid, path, image));
    STATUS_TRY(make_buffer(gathering));
    const size_t cells = (size_t)grid.columns * (size_t)grid.rows;
    for (size_t cell = 0; cell < cells; cell++) {
        const Sample sample = {.class_index = class_index, .cell = gathering->next_cell++};
        for (size_t i = 0; i < sampling_per_cell(sampling); i++) {
            if (interrupt_requested()) {
                return status_make(STATUS_INTERRUPTED, "interrupted");
            }
            progress_steps(progress, progress->done, path);
            const Image piece = sampling_cut(sampling, &grid, image, cell, i, gathering->buffer);
            STATUS_TRY(describe_sample(gathering, sample, &piece));
        }
    }
    return status_ok();
}

static Status gather_image(Gathering *gathering, size_t class_index, const char *path,
                           size_t *readable) {
    const GatherOptions *options = gathering->options;
    Image image = {0};
    Status status = image_read(path, &image);
    if (status.code == STATUS_FILE && options->skip_unreadable) {
        visible_line(options->notes, "left out: %s", status.why);
        status = status_ok();
    } else if (status.code == STATUS_FILE) {
        return status_make(STATUS_FILE, "%.300s (--skip-unreadable leaves it out)", status.why);
    } else if (status_is_ok(&status)) {
        ++*readable;
        status = describe_cells(gathering, class_index, path, &image);
        image_free(&image);
    }
    progress_steps(&gathering->progress, gathering->progress.done + 1, path);
    return status;
}

static Status gather_class(Gathering *gathering, size_t class_index) {
    const TextureClass *class = &gathering->tree->classes[class_index];
    size_t readable = 0;
    for (size_t i = 0; i < class->images.count; i++) {
        STATUS_TRY(gather_image(gathering, class_index, class->images.paths[i], &readable));
    }
    return readable > 0
               ? status_ok()
               : status_make(STATUS_FILE, "the class '%.60s' has no image that can be read",
                             class->name);
}

Status gather_samples(const ClassTree *tree, const GatherOptions *options, Describer *describer,
                      SampleSet *set) {
    *set = sample_set_start(tree->count, describer->scales.bins);
    Gathering gathering = {.tree = tree, .options = options, .describer = describer, .set = set};
    size_t total = 0;
    for (size_t i = 0; i < tree->count; i++) {
        total += tree->classes[i].images.count;
    }
    progress_start(&gathering.progress, options->progress, total, total, false);
    progress_be_patient(&gathering.progress);
    Status status = status_ok();
    for (size_t i = 0; i < tree->count && status_is_ok(&status); i++) {
        status = gather_class(&gathering, i);
    }
    progress_end(&gathering.progress);
    free(gathering.buffer);
    return status;
}
