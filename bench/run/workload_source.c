#include "workload_source.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets.h"
#include "descriptor_source.h"
#include "fnv.h"
#include "image_sets.h"
#include "input_kinds.h"
#include "keypoint_input.h"
#include "set_source.h"
#include "utf8.h"
#include "visible.h"
#include "workload_hash.h"

static Status no_memory(void) {
    return status_skip("no memory left for the list of inputs");
}

void input_name_of_path(const char *path, char name[WORKLOAD_NAME_SIZE]) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    /* As visible as results store it, so that stored cells are found again by their names. */
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

/* Decodes the whole file: its header alone would not tell that it is truncated. */
static Status check_file(const char *path, Input *input) {
    Image image = {0};
    Status status = image_read(path, &image);
    if (status_is_ok(&status)) {
        input->width = image.width;
        input->height = image.height;
        image_free(&image);
    } else if (status.code == STATUS_SKIP) {
        /* Too large for the memory that is free: its cells will say so. */
        status = image_read_size(path, &input->width, &input->height);
    }
    return status;
}

static Status add_input(const Input *input, InputList *list) {
    Input *grown = realloc(list->inputs, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return no_memory();
    }
    list->inputs = grown;
    list->inputs[list->count++] = *input;
    return status_ok();
}

/* The list owns a copy of the path. */
static Status add_path(const char *path, const Input *input, InputList *list) {
    char *copy = strdup(path);
    if (copy == NULL) {
        return no_memory();
    }
    const Status status = add_input(input, list);
    if (!status_is_ok(&status)) {
        free(copy);
        return status;
    }
    list->inputs[list->count - 1].path = copy;
    return status;
}

static Status add_file(const char *path, InputList *list) {
    char name[WORKLOAD_NAME_SIZE];
    Input input = {.kind = WORKLOAD_IMAGE};
    input_name_of_path(path, name);
    name_input(name, &input);
    STATUS_TRY(check_file(path, &input));
    return add_path(path, &input, list);
}

static Status add_set(const RunOptions *options, InputList *list) {
    char name[WORKLOAD_NAME_SIZE];
    Input input = {.kind = WORKLOAD_IMAGE_SET, .labels = options->labels};
    input_name_of_path(options->input, name);
    name_input(name, &input);
    STATUS_TRY(set_source_check(options, &input));
    return add_path(options->input, &input, list);
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name); /* the same order in every locale */
}

static Status add_entry(const char *folder, const char *name, FILE *notes, InputList *list) {
    char path[4096];
    struct stat information;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path ||
        (stat(path, &information) == 0 && !S_ISREG(information.st_mode))) {
        return status_ok(); /* folders and devices inside a folder are no pictures */
    }
    const Status status = add_file(path, list);
    if (status.code == STATUS_FILE) {
        visible_line(notes, "left out: %s", status.why);
        return status_ok();
    }
    return status;
}

static Status add_folder(const char *folder, FILE *notes, InputList *list) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_visible, by_bytes);
    if (count < 0) {
        return status_make(STATUS_FILE, "%s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    Status status = status_ok();
    for (int i = 0; i < count; i++) {
        if (status_is_ok(&status)) {
            status = add_entry(folder, entries[i]->d_name, notes, list);
        }
        free(entries[i]);
    }
    free(entries);
    if (status_is_ok(&status) && list->count == 0) {
        return status_make(STATUS_FILE, "%s: the folder holds no picture that can be read", folder);
    }
    return status;
}

/* --- Names that are unique ---------------------------------------------------------------------
 */

/* Puts a hash of the whole file name behind a text, which is cut for it between characters. */
static void end_in_hash(const Input *input, char text[WORKLOAD_NAME_SIZE]) {
    enum { HASH_LENGTH = 9 };
    const char *slash = strrchr(input->path, '/');
    const char *name = slash != NULL ? slash + 1 : input->path;
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

/* Long names may be equal where they are cut. a.png and a.jpg would be saved under one name: such
 * pictures keep their extension. */
static Status separate_inputs(InputList *list) {
    bool *shared = calloc(list->count, sizeof *shared);
    if (shared == NULL) {
        return no_memory();
    }
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

/* --- Requests ----------------------------------------------------------------------------------
 */

/* The name that was given, unless it is one that only other kinds of input have. */
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

Input input_default(WorkloadKind kind) {
    Input input = {.kind = kind, .weights_files = "random"};
    name_input(kind_synthetics(kind)[0], &input);
    return input;
}

static Status add_synthetic(const RunOptions *options, WorkloadKind kind, InputList *list) {
    Input input = {.kind = kind, .density = kind == WORKLOAD_IMAGE ? options->density : 0};
    name_input(synthetic_name(options, kind), &input);
    return add_input(&input, list);
}

static Status check_is_picture(const RunOptions *options) {
    char takers[STATUS_WHY_SIZE / 4];
    if (!image_set_is_at(options->input)) {
        return status_ok();
    }
    kinds_algorithms(options, KINDS_PICTURES, takers, sizeof takers);
    return status_make(STATUS_USAGE,
                       "%.200s is a set of pictures; %s needs a picture (PNG, JPEG, PBM, PGM, "
                       "PPM), or a folder of them",
                       options->input, takers[0] != '\0' ? takers : "this command");
}

static Status add_pictures(const RunOptions *options, FILE *notes, InputList *list) {
    struct stat information;
    if (options->input == NULL) {
        return add_synthetic(options, WORKLOAD_IMAGE, list);
    }
    if (stat(options->input, &information) == 0 && S_ISDIR(information.st_mode)) {
        STATUS_TRY(add_folder(options->input, notes, list));
    } else {
        STATUS_TRY(check_is_picture(options));
        STATUS_TRY(add_file(options->input, list));
    }
    return separate_inputs(list);
}

static Status add_again(const Input *input, InputList *list) {
    return input->path != NULL ? add_path(input->path, input, list) : add_input(input, list);
}

/* Pictures become pictures with keypoints; or each of them is there as both. */
static Status add_keypoints(const RunOptions *options, InputList *list) {
    const size_t pictures = list->count;
    const bool both = kind_is_wanted(options, WORKLOAD_IMAGE);
    Input shared = {.kind = WORKLOAD_KEYPOINTS};
    STATUS_TRY(keypoint_input_check(options, &shared));
    for (size_t i = 0; i < pictures; i++) {
        if (both) {
            const Input input = list->inputs[i];
            STATUS_TRY(add_again(&input, list));
        }
        Input *made = &list->inputs[both ? pictures + i : i];
        made->kind = shared.kind;
        made->keypoints_file = shared.keypoints_file;
        made->weights_files = shared.weights_files;
        made->keypoints = shared.keypoints;
        made->weights = shared.weights;
    }
    return status_ok();
}

static Status add_all(const RunOptions *options, FILE *notes, InputList *list) {
    if (kinds_are_wanted(options, KINDS_PICTURES)) {
        STATUS_TRY(add_pictures(options, notes, list));
    }
    if (kind_is_wanted(options, WORKLOAD_KEYPOINTS)) {
        STATUS_TRY(add_keypoints(options, list));
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

void inputs_release(InputList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->inputs[i].path);
    }
    free(list->inputs);
    *list = (InputList){0};
}

/* --- Workloads ---------------------------------------------------------------------------------
 */

static Status describe_picture(const Input *input, const SizeSpec *size, Workload *workload) {
    const bool native = size->width == 0;
    if (native && input->path == NULL) {
        return status_make(STATUS_USAGE,
                           "the synthetic image '%s' has no size of its own; give --sizes a name "
                           "such as 1080p, or WxH",
                           input->name);
    }
    *workload = (Workload){.kind = WORKLOAD_IMAGE,
                           .image = {.width = native ? input->width : size->width,
                                     .height = native ? input->height : size->height}};
    workload->image.stride = (size_t)workload->image.width;
    memcpy(workload->input, input->name, sizeof workload->input);
    memcpy(workload->size_name, size->name, sizeof workload->size_name);
    return status_ok();
}

Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload) {
    switch (input->kind) {
    case WORKLOAD_IMAGE_SET: return set_source_describe(input, size, workload);
    case WORKLOAD_DESCRIPTORS: return descriptor_source_describe(input, size, workload);
    default: STATUS_TRY(describe_picture(input, size, workload));
    }
    if (input->kind == WORKLOAD_KEYPOINTS) {
        keypoint_input_describe(input, workload);
    }
    return status_ok();
}

bool workload_is_pressed(const Input *input, const Workload *workload, char *text, size_t size) {
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

static Status load_file(const Input *input, const Workload *shape, Image *image) {
    Image source = {0};
    STATUS_TRY(image_read(input->path, &source));
    if (source.width == shape->image.width && source.height == shape->image.height) {
        *image = source;
        return status_ok();
    }
    /* The source is gone before any answer is allocated. */
    const Status status = image_rescale(&source, shape->image.width, shape->image.height, image);
    image_free(&source);
    return status;
}

static Status load_picture(const Input *input, Workload *workload) {
    Image image = {0};
    if (input->path != NULL) {
        STATUS_TRY(load_file(input, workload, &image));
    } else {
        STATUS_TRY(synthetic_image_of_density(input->name, workload->image.width,
                                              workload->image.height, workload->seed,
                                              input->density, &image));
    }
    workload->image = image;
    return status_ok();
}

static Status load_picture_with_keypoints(const Input *input, Workload *workload) {
    STATUS_TRY(load_picture(input, workload));
    const Status status = keypoint_input_load(input, workload);
    if (!status_is_ok(&status)) {
        image_free(&workload->image);
    }
    return status;
}

static Status load_contents(const Input *input, Workload *workload) {
    switch (input->kind) {
    case WORKLOAD_IMAGE_SET: return set_source_load(input, workload);
    case WORKLOAD_KEYPOINTS: return load_picture_with_keypoints(input, workload);
    case WORKLOAD_DESCRIPTORS: return descriptor_source_load(input, workload);
    default: return load_picture(input, workload);
    }
}

Status workload_load(const Input *input, const SizeSpec *size, uint64_t seed, Workload *workload) {
    STATUS_TRY(workload_describe(input, size, workload));
    workload->seed = seed;
    STATUS_TRY(load_contents(input, workload));
    workload->hash = workload_hash(workload);
    return status_ok();
}

void workload_release(Workload *workload) {
    if (workload->kind == WORKLOAD_IMAGE_SET) {
        image_set_free(&workload->image, &workload->set);
        workload->set.labels = NULL;
    } else {
        image_free(&workload->image);
    }
    if (workload->kind == WORKLOAD_KEYPOINTS) {
        keypoint_input_release(workload);
    }
    workload->image.pixels = NULL;
}
