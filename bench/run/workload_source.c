#include "workload_source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets.h"

static Status no_memory(void) {
    return status_fail("no memory left for the list of inputs");
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
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

static Status add_file(const char *path, InputList *list) {
    Input input = {0};
    name_input(base_name(path), &input);
    STATUS_TRY(check_file(path, &input));
    Input *grown = realloc(list->inputs, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return no_memory();
    }
    list->inputs = grown;
    input.path = strdup(path);
    if (input.path == NULL) {
        return no_memory();
    }
    list->inputs[list->count++] = input;
    return status_ok();
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
        fprintf(notes, "left out: %s\n", status.why);
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

/* a.png and a.jpg would be saved under one name: such inputs keep their extension. */
static void separate_stems(InputList *list) {
    for (size_t i = 0; i < list->count; i++) {
        bool shared = false;
        for (size_t j = 0; j < list->count; j++) {
            Input other = {0};
            name_input(list->inputs[j].name, &other);
            shared |= i != j && strcmp(other.stem, list->inputs[i].stem) == 0;
        }
        if (shared) {
            memcpy(list->inputs[i].stem, list->inputs[i].name, sizeof list->inputs[i].stem);
        }
    }
}

static Status add_synthetic(const char *kind, double density, InputList *list) {
    list->inputs = calloc(1, sizeof *list->inputs);
    if (list->inputs == NULL) {
        return no_memory();
    }
    name_input(kind, &list->inputs[0]);
    list->inputs[0].density = density;
    list->count = 1;
    return status_ok();
}

Status inputs_open(const RunOptions *options, FILE *notes, InputList *list) {
    *list = (InputList){0};
    Status status;
    struct stat information;
    if (options->input == NULL) {
        status = add_synthetic(options->synthetic != NULL ? options->synthetic : "texture",
                               options->density, list);
    } else if (stat(options->input, &information) == 0 && S_ISDIR(information.st_mode)) {
        status = add_folder(options->input, notes, list);
    } else {
        status = add_file(options->input, list);
    }
    if (!status_is_ok(&status)) {
        inputs_release(list);
        return status;
    }
    separate_stems(list);
    return status_ok();
}

void inputs_release(InputList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->inputs[i].path);
    }
    free(list->inputs);
    *list = (InputList){0};
}

Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload) {
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

Status workload_load(const Input *input, const SizeSpec *size, uint64_t seed, Workload *workload) {
    STATUS_TRY(workload_describe(input, size, workload));
    Image image = {0};
    if (input->path != NULL) {
        STATUS_TRY(load_file(input, workload, &image));
    } else {
        STATUS_TRY(synthetic_image_of_density(input->name, workload->image.width,
                                              workload->image.height, seed, input->density,
                                              &image));
    }
    workload->image = image;
    workload->hash = image_hash(&image);
    return status_ok();
}

void workload_release(Workload *workload) {
    image_free(&workload->image);
    workload->image.pixels = NULL;
}
