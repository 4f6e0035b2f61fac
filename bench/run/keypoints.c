/* Keypoints and weights of inputs. */

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithm.h"
#include "calls.h"
#include "fnv.h"
#include "harness.h"
#include "inputs.h"
#include "keypoint_files.h"
#include "keypoints.h"
#include "paths.h"
#include "random.h"
#include "registry.h"
#include "run_options.h"
#include "weights_files.h"

/* === Found and random keypoints =============================================================== */

/* The algorithm that finds keypoints, its axis of how many, and the parts of its answer. */
#define DETECTOR "fast"
#define DETECTOR_MOST "max-keypoints"

enum { PART_COUNT, PART_TABLE, PARTS };
enum { COLUMN_LEVEL, COLUMN_X, COLUMN_Y, COLUMN_SCORE, COLUMN_M10, COLUMN_M01, COLUMNS };

/* The number of keypoints listed for an image: no more than it has pixels. */
static int32_t keypoints_listed(int32_t width, int32_t height) {
    const int64_t pixels = (int64_t)width * height;
    return pixels < KEYPOINT_SOURCE_LISTED ? (int32_t)pixels : KEYPOINT_SOURCE_LISTED;
}

/* Makes room for `count` keypoints in all. */
static Status grow(int32_t count, KeypointList *list) {
    Keypoint *grown =
        realloc(list->keypoints, (size_t)(count > 0 ? count : 1) * sizeof *list->keypoints);
    STATUS_MEMORY(grown, "for %" PRId32 " keypoints", count);
    list->keypoints = grown;
    return status_ok();
}

static Status check_answer(const Output *answer) {
    const OutputLayout *layout = &answer->layout;
    const bool known = layout->count == PARTS &&
                       layout->parts[PART_COUNT].kind == OUTPUT_COUNTS_U64 &&
                       layout->parts[PART_TABLE].kind == OUTPUT_TABLE_U64 &&
                       layout->parts[PART_TABLE].width == COLUMNS;
    return known && *(const uint64_t *)output_part(answer, PART_COUNT) <=
                        layout->parts[PART_TABLE].height
               ? status_ok()
               : status_fail("%s gave an answer that is no list of keypoints", DETECTOR);
}

static Keypoint keypoint_of_row(const Image *image, const uint64_t *row) {
    const PyramidCorner corner = {.level = row[COLUMN_LEVEL],
                                  .x = row[COLUMN_X],
                                  .y = row[COLUMN_Y],
                                  .m10 = (int64_t)row[COLUMN_M10],
                                  .m01 = (int64_t)row[COLUMN_M01]};
    const PyramidPlace place = pyramid_place(image->width, image->height, &corner);
    return (Keypoint){.x = (float)place.x,
                      .y = (float)place.y,
                      .size = (float)place.size,
                      .angle = (float)place.angle};
}

Status keypoints_from_answer(const Image *image, const Output *answer, KeypointList *list) {
    *list = (KeypointList){.scale = KEYPOINT_SCALE_FAST};
    STATUS_TRY(check_answer(answer));
    const int32_t count = (int32_t) * (const uint64_t *)output_part(answer, PART_COUNT);
    const uint64_t *rows = output_part(answer, PART_TABLE);
    STATUS_TRY(grow(count, list));
    for (int32_t i = 0; i < count; i++) {
        list->keypoints[i] = keypoint_of_row(image, rows + (size_t)i * COLUMNS);
    }
    list->count = list->wanted = count;
    return status_ok();
}

Status keypoints_detector_point(const Algorithm *detector, const Workload *workload, int32_t most,
                                Point *point) {
    char text[16];
    snprintf(text, sizeof text, "%" PRId32, most);
    STATUS_TRY(default_point(detector->answer, workload, point));
    return point_set(DETECTOR_MOST, text, workload, point);
}

Status keypoints_detect(const Image *image, const Variant *variant, int32_t most,
                        KeypointList *list) {
    const Algorithm *detector = registry_find_algorithm(DETECTOR);
    const Workload workload = {
        .struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE, .image = *image};
    Point point;
    Output answer;
    *list = (KeypointList){0};
    if (detector == NULL) {
        return status_fail("keypoints are found by %s, which this program was built without",
                           DETECTOR);
    }
    if (variant == NULL) {
        STATUS_TRY(one_answer_variant(detector, NULL, &variant));
    }
    STATUS_TRY(keypoints_detector_point(detector, &workload, most, &point));
    STATUS_TRY(one_answer_compute(detector, variant, &workload, &point, &answer));
    const Status status = keypoints_from_answer(image, &answer, list);
    answer_release_guarded(&answer);
    return status;
}

enum { LEVELS = 8, RANDOM_NUMBERS = 4 };

/* From 0 to below 1. */
static double random_share(uint64_t seed, int32_t index, unsigned number) {
    return draw_share(random_at(seed, (uint64_t)index * RANDOM_NUMBERS + number));
}

static Keypoint random_keypoint(int32_t width, int32_t height, uint64_t seed, int32_t index) {
    const int level = (int)(random_share(seed, index, 2) * LEVELS);
    double size = PYRAMID_DISC_SIDE;
    for (int l = 0; l < level; l++) {
        size *= 1.2;
    }
    return (Keypoint){.x = (float)(random_share(seed, index, 0) * width - 0.5),
                      .y = (float)(random_share(seed, index, 1) * height - 0.5),
                      .size = (float)size,
                      .angle = (float)(random_share(seed, index, 3) * 360)};
}

Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list) {
    if (list->count >= count) {
        return status_ok();
    }
    STATUS_TRY(grow(count, list));
    for (int32_t i = list->count; i < count; i++) {
        list->keypoints[i] = random_keypoint(width, height, seed, i);
    }
    list->count = count;
    return status_ok();
}

/* === Images with keypoints ==================================================================== */

static Status check_list(const char *path, KeypointList *shape) {
    KeypointList list = {.count = 0};
    STATUS_TRY(keypoints_read(path, &list));
    *shape = list;
    shape->keypoints = NULL;
    keypoints_free(&list);
    return status_ok();
}

static Status check_weights(const RunOptions *options, WeightsList *shape) {
    WeightsList weights;
    STATUS_TRY(weights_load(options->weights, options->seed, &weights));
    *shape = weights;
    for (int32_t i = 0; i < shape->count; i++) {
        shape->list[i].values = NULL;
    }
    weights_release(&weights);
    return status_ok();
}

Status keypoint_input_check(const RunOptions *options, Input *input) {
    input->keypoints_file = options->keypoints_file;
    input->weights_files = options->weights;
    if (options->keypoints_file != NULL) {
        STATUS_TRY(check_list(options->keypoints_file, &input->keypoints));
    }
    return check_weights(options, &input->weights);
}

void keypoint_input_describe(const Input *input, Workload *workload) {
    workload->kind = WORKLOAD_KEYPOINTS;
    workload->weights = input->weights;
    const Image *image = &workload->image;
    workload->keypoints =
        input->keypoints_file != NULL
            ? input->keypoints
            : (KeypointList){.count = keypoints_listed(image->width, image->height),
                             .scale = KEYPOINT_SCALE_FAST,
                             .wanted = KEYPOINT_SOURCE_WANTED};
}

static float clamp_finite(double value) {
    return (float)fmax(-FLT_MAX, fmin(FLT_MAX, value));
}

/* Scales a list, which is in pixels of the image's file. Keypoints stay round: their size is scaled
 * by the mean of the two factors. */
static void rescale_list(const Input *input, const Image *image, KeypointList *list) {
    const double across = (double)image->width / input->width;
    const double down = (double)image->height / input->height;
    for (int32_t i = 0; i < list->count; i++) {
        Keypoint *keypoint = &list->keypoints[i];
        keypoint->x = clamp_finite((keypoint->x + 0.5) * across - 0.5);
        keypoint->y = clamp_finite((keypoint->y + 0.5) * down - 0.5);
        keypoint->size = clamp_finite(keypoint->size * (across + down) / 2);
    }
}

static Status load_file(const Input *input, const Image *image, KeypointList *list) {
    STATUS_TRY(keypoints_read(input->keypoints_file, list));
    if (input->path != NULL && (image->width != input->width || image->height != input->height)) {
        rescale_list(input, image, list);
    }
    return status_ok();
}

/* Finds keypoints, and adds random ones up to the number listed. */
static Status load_found(const Workload *workload, KeypointList *list) {
    const Image *image = &workload->image;
    const int32_t listed = keypoints_listed(image->width, image->height);
    STATUS_TRY(keypoints_detect(image, NULL, listed, list));
    const Status status = keypoints_fill(image->width, image->height, listed, workload->seed, list);
    if (!status_is_ok(&status)) {
        keypoints_free(list);
    }
    list->wanted = KEYPOINT_SOURCE_WANTED;
    return status;
}

Status keypoint_input_load(const Input *input, Workload *workload) {
    KeypointList list = {.count = 0};
    WeightsList weights = {.count = 0};
    Status status = input->keypoints_file != NULL ? load_file(input, &workload->image, &list)
                                                  : load_found(workload, &list);
    STATUS_TRY(status);
    status = weights_load(input->weights_files, workload->seed, &weights);
    if (!status_is_ok(&status)) {
        keypoints_free(&list);
        return status;
    }
    workload->keypoints = list;
    workload->weights = weights;
    return status;
}

/* === Weights ================================================================================== */

static const int32_t sizes[] = {WEIGHTS_BITS_FEW, WEIGHTS_BITS_MANY};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

static_assert(SIZES * WEIGHTS_KINDS_MAX == WEIGHTS_MAX, "a list has all weights of every kind");

/* A module whose kind would be one too many is not loaded. */
const WeightsKind *const *weights_kinds(void) {
    static const WeightsKind *kinds[WEIGHTS_KINDS_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; i < registry_algorithm_count() && count < WEIGHTS_KINDS_MAX; i++) {
        const WeightsKind *kind = registry_algorithm(i)->weights;
        size_t same = 0;
        while (kind != NULL && same < count && strcmp(kinds[same]->name, kind->name) != 0) {
            same++;
        }
        if (kind != NULL && same == count) {
            kinds[count++] = kind;
        }
    }
    kinds[count] = NULL;
    return kinds;
}

const WeightsKind *weights_kind_named(const char *name) {
    const WeightsKind *const *kinds = weights_kinds();
    while (*kinds != NULL && strcmp((*kinds)->name, name) != 0) {
        kinds++;
    }
    return *kinds;
}

/* Weights whose kind has ended a process are left out: the algorithm fails, the others go on. */
static Status add_random(uint64_t seed, WeightsList *list) {
    const WeightsKind *const *kinds = weights_kinds();
    for (size_t i = 0; kinds[i] != NULL; i++) {
        for (size_t s = 0; s < SIZES; s++) {
            const Status entered = weights_enter(kinds[i], CALL_DRAW_WEIGHTS);
            if (!status_is_ok(&entered)) {
                continue;
            }
            const Status status =
                weights_random(kinds[i], sizes[s], seed, &list->list[list->count]);
            weights_leave();
            STATUS_TRY(status);
            list->count++;
        }
    }
    return status_ok();
}

/* The kind of the weights in a file, which is read without calling what its kind brings. */
static Status kind_in_file(const char *path, const WeightsKind **kind) {
    WeightsKind unchecked[WEIGHTS_KINDS_MAX];
    const WeightsKind *list[WEIGHTS_KINDS_MAX + 1] = {NULL};
    const WeightsKind *const *kinds = weights_kinds();
    Weights read;
    for (size_t i = 0; kinds[i] != NULL; i++) {
        unchecked[i] = *kinds[i];
        unchecked[i].check = NULL;
        list[i] = &unchecked[i];
    }
    STATUS_TRY(weights_read(path, list, &read));
    *kind = weights_kind_named(read.kind);
    weights_free(&read);
    return status_ok();
}

static Status add_file(const char *path, WeightsList *list) {
    const WeightsKind *kind = NULL;
    Weights read;
    STATUS_TRY(kind_in_file(path, &kind));
    const Status entered = weights_enter(kind, CALL_CHECK_WEIGHTS);
    if (!status_is_ok(&entered)) {
        return status_ok();
    }
    const Status is_read = weights_read(path, weights_kinds(), &read);
    weights_leave();
    STATUS_TRY(is_read);
    const Weights *other = weights_find(list, read.kind, read.bits);
    if (other == NULL) {
        list->list[list->count++] = read;
        return status_ok();
    }
    const Status status = status_make(STATUS_USAGE,
                                      "--weights: %.100s and %.100s are both for %s with %" PRId32
                                      " bits; write one of them",
                                      other->name, read.name, read.kind, read.bits);
    weights_free(&read);
    return status;
}

static Status add_files(const char *files, WeightsList *list) {
    for (;;) {
        char path[DATA_FOLDER_PATH_SIZE];
        const size_t length = strcspn(files, ",");
        if (length == 0 || length >= sizeof path) {
            return status_make(
                STATUS_USAGE, "--weights: %s; write names of files with a comma between, or random",
                length == 0 ? "a name is empty" : "a name is too long");
        }
        snprintf(path, sizeof path, "%.*s", (int)length, files);
        STATUS_TRY(add_file(path, list));
        if (files[length] == '\0') {
            return status_ok();
        }
        files += length + 1;
    }
}

/* Adds the trained weights that are not in the list, if the folder has them. */
static Status add_trained_of(const char *folder, const char *kind, int32_t bits,
                             WeightsList *list) {
    char path[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(path_make(path, sizeof path, "%s/%s-%" PRId32 ".csv", folder, kind, bits));
    return weights_find(list, kind, bits) == NULL && access(path, R_OK) == 0 ? add_file(path, list)
                                                                             : status_ok();
}

static Status add_trained(WeightsList *list) {
    static const DataFolder trained = {.variable = "BENCH_WEIGHTS_DIR",
                                       .installed = "descriptors",
                                       .source = "datasets/descriptors",
                                       .what = "the trained weights"};
    char folder[DATA_FOLDER_PATH_SIZE];
    const Status found = data_folder_find(&trained, folder, sizeof folder);
    const WeightsKind *const *kinds = weights_kinds();
    for (size_t i = 0; status_is_ok(&found) && kinds[i] != NULL; i++) {
        for (size_t s = 0; s < SIZES; s++) {
            STATUS_TRY(add_trained_of(folder, kinds[i]->name, sizes[s], list));
        }
    }
    return status_ok();
}

Status weights_load(const char *files, uint64_t seed, WeightsList *list) {
    const bool random = files != NULL && strcmp(files, "random") == 0;
    memset(list, 0, sizeof *list);
    Status status = random ? add_random(seed, list) : status_ok();
    if (files != NULL && !random) {
        status = add_files(files, list);
    }
    STATUS_THEN(status, add_trained(list));
    if (!status_is_ok(&status)) {
        weights_release(list);
    }
    return status;
}

void weights_release(WeightsList *list) {
    for (int32_t i = 0; i < list->count; i++) {
        weights_free(&list->list[i]);
    }
    list->count = 0;
}

uint64_t weights_list_hash(uint64_t hash, const WeightsList *list, const char *algorithm) {
    for (int32_t i = 0; i < list->count; i++) {
        const Weights *weights = &list->list[i];
        const WeightsKind *kind = weights_kind_named(weights->kind);
        const bool of_all = kind != NULL && kind->in_every_hash;
        if (algorithm == NULL ? of_all : !of_all && strcmp(weights->kind, algorithm) == 0) {
            hash = fnv_bytes(hash, weights->values,
                             (size_t)weights->bits * (size_t)weights->columns * sizeof(float));
        }
    }
    return hash;
}

uint64_t workload_hash_of(const Workload *workload, const Algorithm *algorithm) {
    return workload->kind == WORKLOAD_KEYPOINTS
               ? weights_list_hash(workload->hash, &workload->weights,
                                   algorithm->weights != NULL ? algorithm->weights->name : "")
               : workload->hash;
}
