#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "image_set_folder.h"
#include "image_set_idx.h"
#include "image_set_memory.h"

/* Enough for an IDX header, packed or not. */
enum { HEADER_BYTES = 64 * 1024 };

bool image_set_is_at(const char *path) {
    if (set_files_is_folder(path)) {
        return true;
    }
    FileBytes file;
    const Status status = file_bytes_read_start(path, HEADER_BYTES, &file);
    if (!status_is_ok(&status)) {
        return false;
    }
    const bool begins = idx_begins(file.bytes, file.size);
    file_bytes_free(&file);
    return begins;
}

Status image_set_decode(const char *name, const uint8_t *bytes, size_t size, int32_t limit,
                        Image *image, ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    const ByteSource source = {.name = name, .bytes = bytes, .size = size, .file_size = size};
    int32_t held = 0;
    return image_set_idx_read(&source, limit, false, image, set, &held);
}

/* --- Labels beside pictures ------------------------------------------------------------------- */

/* Writes a word of the same length over the last occurrence of another in a file's name. */
static bool replace_word(char *name, const char *word, const char *other) {
    char *at = NULL;
    for (char *next = strstr(name, word); next != NULL; next = strstr(next + 1, word)) {
        at = next;
    }
    for (size_t i = 0; at != NULL && other[i] != '\0'; ++i) {
        at[i] = other[i];
    }
    return at != NULL;
}

/* The path of the labels that belong to a file of pictures, NULL when there are none; free it. */
static Status labels_beside(const char *path, char **labels) {
    *labels = strdup(path);
    if (*labels == NULL) {
        return status_skip("%s: no memory for the name of its labels", path);
    }
    char *slash = strrchr(*labels, '/');
    char *name = slash == NULL ? *labels : slash + 1;
    const bool named = replace_word(name, "images", "labels") && replace_word(name, "idx3", "idx1");
    if (!named || access(*labels, F_OK) != 0) {
        free(*labels);
        *labels = NULL;
    }
    return status_ok();
}

static Status read_idx_labelled(const ByteSource *source, const char *labels, int32_t limit,
                                Image *image, ImageSet *set) {
    int32_t held = 0;
    STATUS_TRY(image_set_idx_read(source, limit, labels != NULL, image, set, &held));
    if (labels == NULL) {
        return status_ok();
    }
    const Status status = image_set_idx_read_labels(labels, held, set->count, set->labels);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

static Status read_idx_file(const char *path, const char *labels, int32_t limit, Image *image,
                            ImageSet *set) {
    FileBytes file;
    STATUS_TRY(file_bytes_read(path, "a file of pictures", IMAGE_SET_FILE_MAX, &file));
    const ByteSource source = {
        .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.size};
    const Status status = read_idx_labelled(&source, labels, limit, image, set);
    file_bytes_free(&file);
    return status;
}

static Status read_idx(const char *path, const char *labels, int32_t limit, Image *image,
                       ImageSet *set) {
    if (labels != NULL) {
        return read_idx_file(path, labels, limit, image, set);
    }
    char *beside = NULL;
    Status status = labels_beside(path, &beside);
    if (beside != NULL) {
        status = input_guard_add(beside); /* nobody named it, but it is read */
    }
    if (status_is_ok(&status)) {
        status = read_idx_file(path, beside, limit, image, set);
    }
    free(beside);
    return status;
}

/* --- Folders ---------------------------------------------------------------------------------- */

static Status read_files(const char *path, const SetFiles *files, const char *labels, int32_t limit,
                         Image *image, ImageSet *set) {
    if (labels != NULL && files->labelled) {
        return status_make(STATUS_FILE,
                           "%.150s: the labels of the pictures in %.150s are the names of their "
                           "folders; give no file of labels",
                           labels, path);
    }
    STATUS_TRY(image_set_folder_read(path, files, limit, labels != NULL, image, set));
    if (labels == NULL) {
        return status_ok();
    }
    const Status status =
        image_set_idx_read_labels(labels, (int32_t)files->count, set->count, set->labels);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

static Status read_folder(const char *path, const char *labels, int32_t limit, Image *image,
                          ImageSet *set) {
    SetFiles files;
    STATUS_TRY(set_files_list(path, &files));
    const Status status = read_files(path, &files, labels, limit, image, set);
    set_files_free(&files);
    return status;
}

Status image_set_read(const char *path, const char *labels, int32_t limit, Image *image,
                      ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    return set_files_is_folder(path) ? read_folder(path, labels, limit, image, set)
                                     : read_idx(path, labels, limit, image, set);
}

/* --- Sizes alone ------------------------------------------------------------------------------ */

static Status read_idx_size(const char *path, bool whole, bool *cut, ImageSet *set) {
    FileBytes file;
    STATUS_TRY(whole ? file_bytes_read(path, "a file of pictures", IMAGE_SET_FILE_MAX, &file)
                     : file_bytes_read_start(path, HEADER_BYTES, &file));
    const ByteSource source = {
        .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.file_size};
    *cut = file.size < file.file_size;
    const Status status = image_set_idx_read_size(&source, set);
    file_bytes_free(&file);
    return status;
}

static Status read_folder_size(const char *path, ImageSet *set) {
    SetFiles files;
    STATUS_TRY(set_files_list(path, &files));
    const Status status = image_set_folder_read_size(path, &files, set);
    set_files_free(&files);
    return status;
}

Status image_set_read_size(const char *path, ImageSet *set) {
    *set = (ImageSet){0};
    if (set_files_is_folder(path)) {
        return read_folder_size(path, set);
    }
    bool cut = false;
    const Status status = read_idx_size(path, false, &cut, set);
    /* A gzip header may carry a comment of any length. */
    return status_is_ok(&status) || !cut ? status : read_idx_size(path, true, &cut, set);
}
