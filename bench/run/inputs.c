/* Inputs: the kinds of input, each described, loaded, hashed and cropped; the inputs of a request.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "algorithm.h"
#include "datasets.h"
#include "elements.h"
#include "fnv.h"
#include "image_sets.h"
#include "inputs.h"
#include "kept.h"
#include "keypoint_files.h"
#include "list.h"
#include "options.h"
#include "paths.h"
#include "resources.h"
#include "run.h"
#include "run_options.h"
#include "synthetic.h"
#include "text.h"
#include "utf8.h"

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void name_workload(const Input *input, const char *size_name, Workload *workload) {
    memcpy(workload->input, input->name, sizeof workload->input);
    snprintf(workload->size_name, sizeof workload->size_name, "%s", size_name);
}

/* === Images =================================================================================== */

static Status describe_image(const Input *input, const SizeSpec *size, Workload *workload) {
    const bool native = size->width == 0;
    if (native && input->path == NULL) {
        return status_make(STATUS_USAGE,
                           "the synthetic image '%s' has no size of its own; give --sizes a name "
                           "such as 1080p, or WxH",
                           input->name);
    }
    *workload = (Workload){.struct_bytes = sizeof(Workload),
                           .kind = WORKLOAD_IMAGE,
                           .image = {.width = native ? input->width : size->width,
                                     .height = native ? input->height : size->height}};
    if (input->numbers &&
        (workload->image.width != input->width || workload->image.height != input->height)) {
        return status_make(STATUS_USAGE,
                           "%.200s has numbers, which are not scaled; --sizes native (%" PRId32
                           "x%" PRId32 ") would be right",
                           input->name, input->width, input->height);
    }
    workload->element = input->element;
    workload->image.stride = (size_t)workload->image.width * output_element_size(input->element);
    workload->second = input->pair ? workload->image : (Image){0};
    name_workload(input, size->name, workload);
    return status_ok();
}

static Status load_image_file(const Input *input, const Workload *shape, Image *image) {
    Image source = {0};
    if (input->element != OUTPUT_IMAGE_U8 && !input->mapped) {
        return image_read_elements(input->path, input->element, shape->image.width,
                                   shape->image.height, image);
    }
    STATUS_TRY(input->mapped ? image_map(input->path, &source) : image_read(input->path, &source));
    if (source.width == shape->image.width && source.height == shape->image.height) {
        *image = source;
        return status_ok();
    }
    /* The source is freed before any answer is allocated. */
    const Status status = image_rescale(&source, shape->image.width, shape->image.height, image);
    image_free(&source);
    return status;
}

static Status make_image(const Input *input, const Workload *shape, Image *image) {
    const Image *sides = &shape->image;
    if (input->path != NULL) {
        return load_image_file(input, shape, image);
    }
    return input->element == OUTPUT_IMAGE_U8
               ? synthetic_image_of_density(input->name, sides->width, sides->height, shape->seed,
                                            input->density, image)
               : synthetic_elements(input->name, sides->width, sides->height, shape->seed,
                                    input->density, input->element, image);
}

/* The image from its last pixel to its first. */
static Status turn_image(OutputKind element, const Image *image, Image *turned) {
    const size_t size = output_element_size(element);
    const size_t count = image_pixel_count(image);
    STATUS_TRY(image_create_elements(image->width, image->height, element, turned));
    for (size_t i = 0; i < count; i++) {
        memcpy(turned->pixels + i * size, image->pixels + (count - 1 - i) * size, size);
    }
    return status_ok();
}

static Status load_second(const Input *input, Workload *workload) {
    const Image *image = &workload->image;
    return input->second != NULL ? image_read_elements(input->second, input->element, image->width,
                                                       image->height, &workload->second)
                                 : turn_image(input->element, image, &workload->second);
}

static void release_image(Workload *workload) {
    image_free(&workload->image);
    image_free(&workload->second);
}

static Status load_image(const Input *input, Workload *workload) {
    Image image = {0};
    workload->second = (Image){0};
    STATUS_TRY(make_image(input, workload, &image));
    workload->image = image;
    const Status status = input->pair ? load_second(input, workload) : status_ok();
    if (!status_is_ok(&status)) {
        release_image(workload);
    }
    return status;
}

static uint64_t hash_image(const Workload *workload) {
    const Image *image = &workload->image;
    const Image *second = &workload->second;
    const uint64_t hash =
        output_element_size(workload->element) == 1
            ? image_hash(image)
            : fnv_bytes(FNV_START, image->pixels, image->stride * (size_t)image->height);
    return second->pixels == NULL
               ? hash
               : fnv_bytes(hash, second->pixels, second->stride * (size_t)second->height);
}

/* Rows that are dense stay whole, unless there is one alone: that is cut to as many pixels. */
static void crop_dense(Image *image, OutputKind element, int32_t side) {
    const int32_t pixels = side < 1 << 15 ? side * side : INT32_MAX;
    if (image->height == 1) {
        image->width = smaller(image->width, pixels);
        image->stride = (size_t)image->width * output_element_size(element);
    } else {
        image->height = smaller(image->height, pixels / image->width + 1);
    }
}

static void crop_image(Workload *crop, int32_t side) {
    Image *image = &crop->image;
    if (crop->element != OUTPUT_IMAGE_U8) {
        crop_dense(image, crop->element, side);
    } else {
        image->width = smaller(image->width, side);
        image->height = smaller(image->height, side);
    }
    if (crop->second.pixels != NULL) {
        crop->second.width = image->width;
        crop->second.height = image->height;
        crop->second.stride = image->stride;
    }
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32 "x%" PRId32, crop->image.width,
             crop->image.height);
}

/* === Image sets =============================================================================== */

static Status check_set_size(const Input *input, const SizeSpec *size) {
    if (input->path == NULL && (size->width == 0 || size->images == 0)) {
        return status_make(STATUS_USAGE,
                           "the synthetic set '%s' has no size of its own; give --images a number "
                           "and --side one",
                           input->name);
    }
    if (input->path != NULL && size->images > input->images) {
        return status_make(STATUS_USAGE,
                           "--images: %.100s has %" PRId32 " images, not %" PRId32
                           "; write at most that, or all",
                           input->name, input->images, size->images);
    }
    return status_ok();
}

/* All rows are those of one Image, whose height is int32_t. */
static Status check_extent(const ImageSet *set) {
    if ((int64_t)set->height * set->count > INT32_MAX) {
        return status_make(STATUS_USAGE,
                           "--images: %" PRId32 " images of %" PRId32 "x%" PRId32
                           " are too many; write at most %" PRId32,
                           set->count, set->width, set->height, INT32_MAX / set->height);
    }
    return status_ok();
}

static Status describe_set(const Input *input, const SizeSpec *size, Workload *workload) {
    const bool native = size->width == 0;
    STATUS_TRY(check_set_size(input, size));
    const ImageSet set = {.count = size->images != 0 ? size->images : input->images,
                          .width = native ? input->width : size->width,
                          .height = native ? input->height : size->height};
    STATUS_TRY(check_extent(&set));
    *workload = (Workload){.struct_bytes = sizeof(Workload),
                           .kind = WORKLOAD_IMAGE_SET,
                           .image = {.width = set.width,
                                     .height = set.height * set.count,
                                     .stride = (size_t)set.width},
                           .set = set};
    /* `all` is named by the number of images. */
    const SizeSpec named = size->images != 0 ? *size : set_size_of(size, set.count);
    name_workload(input, named.name, workload);
    return status_ok();
}

static Status load_set_file(const Input *input, const ImageSet *wanted, Image *image,
                            ImageSet *set) {
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

static Status load_set(const Input *input, Workload *workload) {
    const ImageSet wanted = workload->set;
    Image image = {0};
    ImageSet set = {0};
    if (input->path != NULL) {
        STATUS_TRY(load_set_file(input, &wanted, &image, &set));
    } else {
        STATUS_TRY(image_set_synthetic(input->name, wanted.count, wanted.width, wanted.height,
                                       workload->seed, &image, &set));
    }
    workload->image = image;
    workload->set = set;
    return status_ok();
}

static void release_set(Workload *workload) {
    image_set_free(&workload->image, &workload->set);
    workload->set.labels = NULL;
}

static uint64_t hash_set(const Workload *workload) {
    return image_set_hash(&workload->image, &workload->set);
}

static void crop_set(Workload *crop, int32_t count) {
    crop->set.count = smaller(crop->set.count, count);
    crop->image.height = crop->set.height * crop->set.count;
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32, crop->set.count);
}

/* === Images with keypoints ==================================================================== */

static Status describe_keypoints(const Input *input, const SizeSpec *size, Workload *workload) {
    STATUS_TRY(describe_image(input, size, workload));
    keypoint_input_describe(input, workload);
    return status_ok();
}

static Status load_keypoints(const Input *input, Workload *workload) {
    STATUS_TRY(load_image(input, workload));
    const Status status = keypoint_input_load(input, workload);
    if (!status_is_ok(&status)) {
        release_image(workload);
    }
    return status;
}

static void release_keypoints(Workload *workload) {
    release_image(workload);
    keypoints_free(&workload->keypoints);
    weights_release(&workload->weights);
}

static uint64_t hash_keypoints(const Workload *workload) {
    return weights_list_hash(keypoints_hash(hash_image(workload), &workload->keypoints),
                             &workload->weights, NULL);
}

static void crop_keypoints(Workload *crop, int32_t count) {
    crop->keypoints.count = smaller(crop->keypoints.count, count);
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32 " keypoints",
             crop->keypoints.count);
}

/* === Descriptors ============================================================================== */

/* The only size: this many rows in each of the two sets. */
static const SizeSpec descriptor_size = {.name = "100000", .images = DESCRIPTORS_MAX};

static Status describe_descriptors(const Input *input, const SizeSpec *size, Workload *workload) {
    *workload = (Workload){.struct_bytes = sizeof(Workload),
                           .kind = WORKLOAD_DESCRIPTORS,
                           .image = {.width = SYNTHETIC_DESCRIPTOR_BYTES,
                                     .height = 2 * size->images,
                                     .stride = SYNTHETIC_DESCRIPTOR_BYTES},
                           .keypoints = {.wanted = KEYPOINT_SOURCE_WANTED},
                           .queries = size->images};
    name_workload(input, size->name, workload);
    return status_ok();
}

static Status load_descriptors(const Input *input, Workload *workload) {
    return synthetic_descriptors(input->name, workload->queries, workload->seed, &workload->image);
}

/* The rows on both sides of the border between the sets, so that they stay contiguous. */
static void crop_descriptors(Workload *crop, int32_t rows) {
    const int32_t queries = smaller(crop->queries, rows);
    const int32_t others = smaller(crop->image.height - crop->queries, rows);
    crop->image.pixels += (size_t)(crop->queries - queries) * crop->image.stride;
    crop->image.height = queries + others;
    crop->queries = queries;
    snprintf(crop->size_name, sizeof crop->size_name, "%" PRId32, queries);
}

/* === Kinds of input =========================================================================== */

typedef struct InputKind {
    const char *const *synthetics; /* names, NULL-terminated; the first is the default */
    const char *title; /* before its names in a message with those of all; NULL: the names are
                          another kind's */
    Status (*describe)(const Input *input, const SizeSpec *size, Workload *workload);
    Status (*load)(const Input *input, Workload *workload); /* of a described workload */
    void (*release)(Workload *workload);
    uint64_t (*hash)(const Workload *workload);
    void (*crop)(Workload *crop, int32_t side);
} InputKind;

static const InputKind input_kinds[INPUT_KINDS] = {
    [WORKLOAD_IMAGE] = {.synthetics = synthetic_kinds,
                        .title = "",
                        .describe = describe_image,
                        .load = load_image,
                        .release = release_image,
                        .hash = hash_image,
                        .crop = crop_image},
    [WORKLOAD_IMAGE_SET] = {.synthetics = synthetic_set_kinds,
                            .title = "; for sets ",
                            .describe = describe_set,
                            .load = load_set,
                            .release = release_set,
                            .hash = hash_set,
                            .crop = crop_set},
    [WORKLOAD_KEYPOINTS] = {.synthetics = synthetic_kinds,
                            .describe = describe_keypoints,
                            .load = load_keypoints,
                            .release = release_keypoints,
                            .hash = hash_keypoints,
                            .crop = crop_keypoints},
    [WORKLOAD_DESCRIPTORS] = {.synthetics = synthetic_descriptor_kinds,
                              .title = "; for descriptors ",
                              .describe = describe_descriptors,
                              .load = load_descriptors,
                              .release = release_image,
                              .hash = hash_image,
                              .crop = crop_descriptors},
};

static bool is_among(WorkloadKind kind, KindSet kinds) {
    return ((unsigned)kinds >> kind & 1U) != 0;
}

bool kinds_are_wanted(const RunOptions *options, KindSet kinds) {
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (is_among(options->algorithms[i]->input, kinds)) {
            return true;
        }
    }
    return options->algorithm_count == 0 && is_among(WORKLOAD_IMAGE, kinds);
}

bool kind_is_wanted(const RunOptions *options, WorkloadKind kind) {
    return kinds_are_wanted(options, (KindSet)(1U << kind));
}

bool input_suits(const Input *input, const Algorithm *algorithm) {
    return algorithm->input == input->kind && algorithm->element == input->element &&
           algorithm->pair == input->pair;
}

bool inputs_are_shared(const Algorithm *a, const Algorithm *b) {
    return a->input == b->input && a->element == b->element && a->pair == b->pair;
}

void kinds_algorithms(const RunOptions *options, KindSet kinds, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (is_among(options->algorithms[i]->input, kinds)) {
            text_append(text, size, "%s%s", text[0] == '\0' ? "" : ", ",
                        options->algorithms[i]->name);
        }
    }
}

const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count) {
    if (kind == WORKLOAD_DESCRIPTORS) {
        *count = 1;
        return &descriptor_size;
    }
    const bool set = kind == WORKLOAD_IMAGE_SET;
    *count = set ? options->set_size_count : options->size_count;
    return set ? options->set_sizes : options->sizes;
}

const char *const *kind_synthetics(WorkloadKind kind) {
    return input_kinds[kind].synthetics;
}

const char *kind_find_synthetic(WorkloadKind kind, const char *name) {
    const char *const *names = kind_synthetics(kind);
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* The request may name the algorithms later, so any kind's name is right here. */
Status synthetic_find(const char *value, const char **known) {
    char names[STATUS_WHY_SIZE] = "";
    Suggestion suggestion = suggest_start(value);
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        *known = kind_find_synthetic((WorkloadKind)kind, value);
        if (*known != NULL) {
            return status_ok();
        }
        const char *const *list = input_kinds[kind].synthetics;
        if (input_kinds[kind].title != NULL) {
            text_append(names, sizeof names, "%s", input_kinds[kind].title);
        }
        for (size_t i = 0; input_kinds[kind].title != NULL && list[i] != NULL; i++) {
            suggest_offer(&suggestion, list[i]);
            text_append(names, sizeof names, "%s%s", i == 0 ? "" : ", ", list[i]);
        }
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no synthetic kind%s (known: %s)", value,
                       suggest_text(&suggestion, nearest), names);
}

Status option_no_orient(const Option *option, const char *value, void *options) {
    (void)option;
    (void)value;
    (void)options;
    image_read_as_stored(true);
    return status_ok();
}

/* === Workloads ================================================================================ */

Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload) {
    return input_kinds[input->kind].describe(input, size, workload);
}

Status workload_load(const Input *input, const SizeSpec *size, uint64_t seed, Workload *workload) {
    STATUS_TRY(workload_describe(input, size, workload));
    workload->seed = seed;
    STATUS_TRY(input_kinds[input->kind].load(input, workload));
    workload->hash = input_kinds[input->kind].hash(workload);
    return status_ok();
}

void workload_release(Workload *workload) {
    input_kinds[workload->kind].release(workload);
    workload->image.pixels = NULL;
}

Workload workload_crop(const Workload *workload, int32_t side) {
    Workload crop = *workload;
    input_kinds[crop.kind].crop(&crop, side);
    /* Algorithms keep results of an input by its hash: a part needs one of its own. */
    if (!workload_crop_is_whole(&crop, workload)) {
        crop.hash = input_kinds[crop.kind].hash(&crop);
    }
    return crop;
}

bool workload_crop_is_whole(const Workload *crop, const Workload *workload) {
    return crop->image.width == workload->image.width &&
           crop->image.height == workload->image.height &&
           crop->keypoints.count == workload->keypoints.count;
}

bool workload_is_distorted(const Input *input, const Workload *workload, char *text, size_t size) {
    const bool set = input->kind == WORKLOAD_IMAGE_SET;
    const int32_t width = set ? workload->set.width : workload->image.width;
    const int32_t height = set ? workload->set.height : workload->image.height;
    if (input->path == NULL || input->width <= 0 || input->height <= 0) {
        return false;
    }
    const double before = (double)input->width / input->height;
    const double after = (double)width / height;
    const bool rounded = fabs(width - before * height) < 1 || fabs(height - width / before) < 1;
    if (rounded || fabs(after / before - 1) <= 0.01) {
        return false;
    }
    snprintf(text, size,
             "%s: %" PRId32 "x%" PRId32 " scaled to %" PRId32 "x%" PRId32
             ", aspect ratio changed from %.3g to %.3g",
             input->name, input->width, input->height, width, height, before, after);
    return true;
}

/* === Names of inputs ========================================================================== */

void input_name_of_path(const char *path, char name[WORKLOAD_NAME_SIZE]) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    /* Escaped as results store it, so that stored cells are found again by their names. */
    text_visible(start < end ? path + start : path, name, WORKLOAD_NAME_SIZE);
    if (start < end) {
        name[strcspn(name, "/")] = '\0';
    }
}

static void name_input(const char *name, Input *input) {
    snprintf(input->name, sizeof input->name, "%s", name);
    snprintf(input->stem, sizeof input->stem, "%s", name);
    char *dot = strrchr(input->stem, '.');
    if (dot != NULL && dot != input->stem) {
        *dot = '\0';
    }
}

/* --- Names that are unique -------------------------------------------------------------------- */

/* Appends a hash of the whole file name to a text, which is cut between characters to make room. */
static void end_in_hash(const Input *input, char text[WORKLOAD_NAME_SIZE]) {
    enum { HASH_LENGTH = 9 };
    const char *name = path_name(input->path);
    const uint64_t hash = fnv_bytes(FNV_START, name, strlen(name));
    size_t length = strlen(text);
    if (length > WORKLOAD_NAME_SIZE - 1 - HASH_LENGTH) {
        length = WORKLOAD_NAME_SIZE - 1 - HASH_LENGTH;
        while (length > 0 && utf8_continues(text[length])) {
            length--;
        }
    }
    snprintf(text + length, HASH_LENGTH + 1, "-%08" PRIx32, (uint32_t)hash);
}

/* One of the two texts of an input. */
typedef char *InputText(Input *input);

static char *name_of(Input *input) {
    return input->name;
}

static char *stem_of(Input *input) {
    return input->stem;
}

/* Marks the inputs whose text another input has too; true when there are any. */
static bool find_shared(InputList *list, InputText *text, bool *shared) {
    bool any = false;
    memset(shared, 0, list->count * sizeof *shared);
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(text(&list->inputs[i]), text(&list->inputs[j])) == 0) {
                shared[i] = shared[j] = any = true;
            }
        }
    }
    return any;
}

static void separate(InputList *list, InputText *text, bool *shared) {
    if (find_shared(list, text, shared)) {
        for (size_t i = 0; i < list->count; i++) {
            if (shared[i]) {
                end_in_hash(&list->inputs[i], text(&list->inputs[i]));
            }
        }
    }
}

/* Makes names and stems unique: long names may be equal where they are cut, and a.png and a.jpg
 * have one stem, in which such images keep their extension. */
static Status separate_inputs(InputList *list) {
    bool *shared = calloc(list->count, sizeof *shared);
    STATUS_MEMORY(shared, "for the list of inputs");
    separate(list, name_of, shared);
    if (find_shared(list, stem_of, shared)) {
        for (size_t i = 0; i < list->count; i++) {
            if (shared[i]) {
                memcpy(list->inputs[i].stem, list->inputs[i].name, sizeof list->inputs[i].stem);
            }
        }
    }
    separate(list, stem_of, shared);
    free(shared);
    return status_ok();
}

/* === Inputs of a request ====================================================================== */

static Status add_input(const Input *input, InputList *list) {
    LIST_ADD(NULL, list->inputs, list->count, list->capacity, "inputs", *input);
    return status_ok();
}

/* The list owns a copy of the path. */
static Status add_path(const char *path, const Input *input, InputList *list) {
    char *copy = strdup(path);
    STATUS_MEMORY(copy, "for the list of inputs");
    const Status status = add_input(input, list);
    if (!status_is_ok(&status)) {
        free(copy);
        return status;
    }
    list->inputs[list->count - 1].path = copy;
    return status;
}

/* Kernels are up to a tenth slower on a mapped image, whose rows begin anywhere in a line of the
 * cache and which has no huge pages (lbp simd at 16K: 22.8 ms of processor time against 20.6). So
 * only large images are mapped, and those that memory has no room for beside two answers. */
static const uint64_t mapped_bytes_min = (uint64_t)1 << 30;

static bool is_to_be_mapped(const Image *image) {
    const uint64_t bytes = image_pixel_count(image);
    return bytes >= mapped_bytes_min || 3 * bytes > available_memory();
}

/* STATUS_SKIP when it is to be read. Page-locked memory is no file. */
static Status map_file(const char *path, bool pinned, Image *image) {
    STATUS_TRY(pinned ? status_skip("--pinned") : image_map(path, image));
    if (is_to_be_mapped(image)) {
        return status_ok();
    }
    image_free(image);
    return status_skip("it fits memory");
}

/* Whether an algorithm of the request takes images of 8 bits, alone or with keypoints. */
static bool plain_is_wanted(const RunOptions *options) {
    bool wanted = options->algorithm_count == 0 || kind_is_wanted(options, WORKLOAD_KEYPOINTS);
    for (size_t i = 0; i < options->algorithm_count; i++) {
        const Algorithm *algorithm = options->algorithms[i];
        wanted = wanted || (algorithm->input == WORKLOAD_IMAGE &&
                            algorithm->element == OUTPUT_IMAGE_U8 && !algorithm->pair);
    }
    return wanted;
}

/* Decodes it as every algorithm takes it; the last image stays. */
static Status decode_file(const RunOptions *options, const char *path, Image *image) {
    Status status = plain_is_wanted(options) ? image_read(path, image) : status_ok();
    for (size_t i = 0; i < options->algorithm_count && status_is_ok(&status); i++) {
        const Algorithm *algorithm = options->algorithms[i];
        if (algorithm->input == WORKLOAD_IMAGE &&
            (algorithm->element != OUTPUT_IMAGE_U8 || algorithm->pair)) {
            image_free(image);
            status = image_read_elements(path, algorithm->element, 0, 0, image);
        }
    }
    return status;
}

/* Decodes the whole file, unless it is mapped or was decoded by an earlier launch: the header does
 * not show that it is truncated. */
static Status check_file(const RunOptions *options, const char *path, bool decoded, Input *input) {
    Image image = {0};
    Status status = map_file(path, options->pinned, &image);
    input->mapped = status_is_ok(&status);
    input->numbers = image_has_numbers(path);
    if (status.code == STATUS_SKIP && !decoded) {
        status = decode_file(options, path, &image);
    }
    if (status_is_ok(&status)) {
        input->width = image.width;
        input->height = image.height;
        image_free(&image);
    } else if (status.code == STATUS_SKIP) {
        /* Decoded before; or too large for the free memory: its cells are skipped for that. */
        status = image_read_size(path, &input->width, &input->height);
    }
    return status;
}

static Status add_file(const RunOptions *options, const char *path, bool decoded, InputList *list) {
    char name[WORKLOAD_NAME_SIZE];
    Input input = {.kind = WORKLOAD_IMAGE};
    input_name_of_path(path, name);
    name_input(name, &input);
    STATUS_TRY(check_file(options, path, decoded, &input));
    return add_path(path, &input, list);
}

static Status add_entry(const RunOptions *options, const char *folder, const char *name,
                        FILE *notes, InputList *list) {
    char path[4096];
    struct stat information;
    STATUS_TRY(path_make(path, sizeof path, "%s/%s", folder, name));
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode)) {
        return status_ok(); /* folders and devices inside a folder are no images */
    }
    if (image_is_left_out(path)) {
        return status_ok();
    }
    const Status status = add_file(options, path, false, list);
    if (status.code == STATUS_FILE) {
        visible_line(notes, "left out: %s", status.why);
        return status_ok();
    }
    return status;
}

static Status add_folder(const RunOptions *options, FILE *notes, InputList *list) {
    const char *folder = options->input;
    FolderList files;
    STATUS_TRY(folder_list(folder, NULL, &files));
    Status status = status_ok();
    for (size_t i = 0; i < files.count && status_is_ok(&status); i++) {
        status = add_entry(options, folder, files.entries[i]->d_name, notes, list);
    }
    folder_list_release(&files);
    if (status_is_ok(&status) && list->count == 0) {
        return status_make(STATUS_FILE, "%s: the folder holds no image that can be read", folder);
    }
    return status;
}

/* --- Requests --------------------------------------------------------------------------------- */

/* The name that was given, or the default if only other kinds of input have that name. */
static const char *synthetic_name(const RunOptions *options, WorkloadKind kind) {
    const char *given = options->synthetic;
    bool of_other = given == NULL;
    for (int other = 0; given != NULL && other < INPUT_KINDS; other++) {
        of_other = of_other ||
                   ((WorkloadKind)other != kind && kind_is_wanted(options, (WorkloadKind)other) &&
                    kind_find_synthetic((WorkloadKind)other, given) != NULL);
    }
    const char *own = given != NULL ? kind_find_synthetic(kind, given) : NULL;
    return own != NULL ? own : of_other ? kind_synthetics(kind)[0] : given;
}

Input input_default(const Algorithm *algorithm) {
    Input input = {.kind = algorithm->input,
                   .weights_files = "random",
                   .element = algorithm->element,
                   .pair = algorithm->pair};
    name_input(kind_synthetics(input.kind)[0], &input);
    return input;
}

static Status add_synthetic(const RunOptions *options, WorkloadKind kind, InputList *list) {
    Input input = {.kind = kind, .density = kind == WORKLOAD_IMAGE ? options->density : 0};
    name_input(synthetic_name(options, kind), &input);
    return add_input(&input, list);
}

/* --- Images ----------------------------------------------------------------------------------- */

static Status check_is_image(const RunOptions *options) {
    char takers[STATUS_WHY_SIZE / 4];
    if (!image_set_is_at(options->input)) {
        return status_ok();
    }
    kinds_algorithms(options, KINDS_IMAGES, takers, sizeof takers);
    return status_make(STATUS_USAGE,
                       "%.200s is a set of images; %s needs an image (PNG, JPEG, PBM, PGM, "
                       "PPM, PFM, NPY, raw), or a folder of them",
                       options->input, takers[0] != '\0' ? takers : "this command");
}

static Status add_images(const RunOptions *options, FILE *notes, InputList *list) {
    if (options->input == NULL) {
        return add_synthetic(options, WORKLOAD_IMAGE, list);
    }
    if (folder_exists(options->input)) {
        STATUS_TRY(add_folder(options, notes, list));
    } else {
        STATUS_TRY(check_is_image(options));
        STATUS_TRY(add_file(options, options->input, kept_is_sealed(), list));
    }
    return separate_inputs(list);
}

static Status add_again(const Input *input, InputList *list) {
    return input->path != NULL ? add_path(input->path, input, list) : add_input(input, list);
}

/* Images become images with keypoints; if both kinds are wanted, each image is listed as both. */
static Status add_keypoints(const RunOptions *options, InputList *list) {
    const size_t images = list->count;
    bool both = false;
    for (size_t i = 0; i < options->algorithm_count; i++) {
        both = both || input_suits(&list->inputs[0], options->algorithms[i]);
    }
    Input shared = {.kind = WORKLOAD_KEYPOINTS};
    STATUS_TRY(keypoint_input_check(options, &shared));
    for (size_t i = 0; i < images; i++) {
        if (both) {
            const Input input = list->inputs[i];
            STATUS_TRY(add_again(&input, list));
        }
        Input *made = &list->inputs[both ? images + i : i];
        made->kind = shared.kind;
        made->keypoints_file = shared.keypoints_file;
        made->weights_files = shared.weights_files;
        made->keypoints = shared.keypoints;
        made->weights = shared.weights;
    }
    return status_ok();
}

/* --- Images of other types, and pairs --------------------------------------------------------- */

/* The second image has the sides of the first one. */
static Status check_second(const RunOptions *options, const Input *first, Input *second) {
    if (first->path == NULL) {
        return status_make(STATUS_USAGE,
                           "--second: the first image is synthetic; name its file with --input");
    }
    STATUS_TRY(check_file(options, options->second, kept_is_sealed(), second));
    if (first->width != second->width || first->height != second->height) {
        return status_make(STATUS_USAGE,
                           "--second: %.150s has %" PRId32 "x%" PRId32 " pixels and %.100s %" PRId32
                           "x%" PRId32 "; two images of one size would be right",
                           options->second, second->width, second->height, first->name,
                           first->width, first->height);
    }
    return status_ok();
}

/* "left.png+right.png", so that results with another second image are those of another input. */
static Status add_second(const RunOptions *options, const Input *first, Input *pair) {
    char name[WORKLOAD_NAME_SIZE], both[2 * WORKLOAD_NAME_SIZE];
    Input second = {.kind = WORKLOAD_IMAGE};
    STATUS_TRY(check_second(options, first, &second));
    input_name_of_path(options->second, name);
    snprintf(both, sizeof both, "%s+%s", first->name, name);
    both[utf8_cut(both, WORKLOAD_NAME_SIZE)] = '\0';
    name_input(both, pair);
    pair->second = options->second;
    pair->numbers = first->numbers || second.numbers;
    return status_ok();
}

/* The input of an algorithm that takes the image in its own way. */
static Status suited_input(const RunOptions *options, const Input *image,
                           const Algorithm *algorithm, Input *input) {
    *input = (Input){.kind = WORKLOAD_IMAGE,
                     .path = image->path,
                     .width = image->width,
                     .height = image->height,
                     .density = image->density,
                     .mapped = image->mapped && output_element_size(algorithm->element) == 1,
                     .numbers = image->numbers,
                     .element = algorithm->element,
                     .pair = algorithm->pair};
    memcpy(input->name, image->name, sizeof input->name);
    memcpy(input->stem, image->stem, sizeof input->stem);
    return algorithm->pair && options->second != NULL ? add_second(options, image, input)
                                                      : status_ok();
}

static bool is_listed(const InputList *list, const Algorithm *algorithm) {
    for (size_t i = 0; i < list->count; i++) {
        if (input_suits(&list->inputs[i], algorithm)) {
            return true;
        }
    }
    return false;
}

static void remove_first(size_t count, InputList *list) {
    for (size_t i = 0; i < count; i++) {
        free(list->inputs[i].path);
    }
    list->count -= count;
    memmove(list->inputs, list->inputs + count, list->count * sizeof *list->inputs);
}

/* Lists each image in every way that an algorithm takes it, and no longer as one of 8 bits unless
 * an algorithm takes these. */
static Status add_suited(const RunOptions *options, InputList *list) {
    const size_t images = list->count;
    bool pair = false;
    for (size_t a = 0; a < options->algorithm_count; a++) {
        const Algorithm *algorithm = options->algorithms[a];
        pair = pair || algorithm->pair;
        const bool listed = algorithm->input != WORKLOAD_IMAGE || is_listed(list, algorithm);
        for (size_t i = 0; i < images && !listed; i++) {
            const Input image = list->inputs[i];
            Input input;
            STATUS_TRY(suited_input(options, &image, algorithm, &input));
            STATUS_TRY(add_again(&input, list));
        }
    }
    if (options->second != NULL && !pair) {
        return status_make(STATUS_USAGE, "--second is for algorithms that take two images, and "
                                         "none is selected; leave it out");
    }
    if (!plain_is_wanted(options)) {
        remove_first(images, list);
    }
    return status_ok();
}

/* --- Sets ------------------------------------------------------------------------------------- */

/* Refuses an image where a set is needed. The reader of sets refuses what is neither. */
static Status check_is_set(const RunOptions *options) {
    int32_t width = 0, height = 0;
    if (image_set_is_at(options->input)) {
        return status_ok();
    }
    const Status image = image_read_size(options->input, &width, &height);
    if (!status_is_ok(&image)) {
        return status_ok();
    }
    char takers[STATUS_WHY_SIZE / 4];
    kinds_algorithms(options, KINDS_SETS, takers, sizeof takers);
    return status_make(STATUS_USAGE,
                       "%.200s is one image; %s needs a set of them: an IDX file, or a folder of "
                       "images of one size",
                       options->input, takers);
}

/* The most images that a size asks for; 0: all. */
static int32_t images_needed(const RunOptions *options) {
    int32_t needed = options->set_size_count > 0 ? 1 : 0;
    for (size_t i = 0; i < options->set_size_count; i++) {
        if (options->set_sizes[i].images == 0) {
            return 0;
        }
        needed = options->set_sizes[i].images > needed ? options->set_sizes[i].images : needed;
    }
    return needed;
}

/* Decodes the images that will be used, unless an earlier launch has: the header does not show that
 * the file is truncated. */
static Status check_contents(const RunOptions *options, int32_t held) {
    Image image = {0};
    ImageSet set = {0};
    const int32_t needed = images_needed(options);
    const int32_t limit = needed < held ? needed : 0;
    if (kept_is_sealed()) {
        return status_ok();
    }
    const Status status = image_set_read(options->input, options->labels, limit, &image, &set);
    if (status_is_ok(&status)) {
        image_set_free(&image, &set);
    }
    /* Too large for the free memory: its cells are skipped for that. */
    return status.code == STATUS_SKIP ? status_ok() : status;
}

static Status check_set(const RunOptions *options, Input *input) {
    ImageSet set = {0};
    STATUS_TRY(check_is_set(options));
    STATUS_TRY(image_set_read_size(options->input, &set));
    input->images = set.count;
    input->width = set.width;
    input->height = set.height;
    return check_contents(options, set.count);
}

static Status add_set(const RunOptions *options, InputList *list) {
    char name[WORKLOAD_NAME_SIZE];
    Input input = {.kind = WORKLOAD_IMAGE_SET, .labels = options->labels};
    input_name_of_path(options->input, name);
    name_input(name, &input);
    STATUS_TRY(check_set(options, &input));
    return add_path(options->input, &input, list);
}

/* --- All kinds -------------------------------------------------------------------------------- */

static Status add_all(const RunOptions *options, FILE *notes, InputList *list) {
    if (kinds_are_wanted(options, KINDS_IMAGES)) {
        STATUS_TRY(add_images(options, notes, list));
    }
    if (kind_is_wanted(options, WORKLOAD_KEYPOINTS)) {
        STATUS_TRY(add_keypoints(options, list));
    }
    if (kinds_are_wanted(options, KINDS_IMAGES)) {
        STATUS_TRY(add_suited(options, list));
    }
    if (kind_is_wanted(options, WORKLOAD_IMAGE_SET)) {
        STATUS_TRY(options->input != NULL ? add_set(options, list)
                                          : add_synthetic(options, WORKLOAD_IMAGE_SET, list));
    }
    return kind_is_wanted(options, WORKLOAD_DESCRIPTORS)
               ? add_synthetic(options, WORKLOAD_DESCRIPTORS, list)
               : status_ok();
}

Status inputs_open(const RunOptions *options, FILE *notes, InputList *list) {
    *list = (InputList){0};
    const Status status = add_all(options, notes, list);
    if (!status_is_ok(&status)) {
        inputs_release(list);
    }
    return status;
}

Status images_open(const char *path, const char *synthetic, double density, FILE *notes,
                   InputList *list) {
    const RunOptions options = {.input = path, .synthetic = synthetic, .density = density};
    return inputs_open(&options, notes, list);
}

void inputs_release(InputList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->inputs[i].path);
    }
    free(list->inputs);
    *list = (InputList){0};
}
