#include "image_sets_internal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets.h"
#include "files.h"
#include "fnv.h"
#include "image_sets.h"
#include "list.h"
#include "resources.h"
#include "status.h"

/* === Memory =================================================================================== */

enum { PIXEL_ALIGNMENT = 64 };

Status image_set_check(StatusCode code, const char *name, uint64_t count, uint64_t width,
                       uint64_t height) {
    if (count == 0) {
        return status_make(code, "%s: has no images; a set has at least one", name);
    }
    if (width == 0 || height == 0 || width > IMAGE_SET_SIDE_MAX || height > IMAGE_SET_SIDE_MAX) {
        return status_make(code,
                           "%s: has images of %" PRIu64 "x%" PRIu64
                           " pixels; the sides of a set's images are 1 to %d",
                           name, width, height, IMAGE_SET_SIDE_MAX);
    }
    if (count > INT32_MAX || count * height > INT32_MAX) {
        return status_make(code,
                           "%s: has %" PRIu64 " images of %" PRIu64
                           " rows; a set has at most %" PRId32 " rows in all",
                           name, count, height, INT32_MAX);
    }
    return status_ok();
}

Status image_set_create(const char *name, int32_t count, int32_t width, int32_t height,
                        bool labelled, Image *image, ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    const uint64_t bytes = (uint64_t)count * (uint64_t)height * (uint64_t)width;
    const uint64_t label_bytes = labelled ? (uint64_t)count : 0;
    if (bytes + label_bytes > SIZE_MAX) {
        return free_memory_short(name, bytes + label_bytes);
    }
    STATUS_TRY(free_memory_check(name, bytes + label_bytes));
    void *pixels = NULL;
    uint8_t *labels = labelled ? malloc((size_t)label_bytes) : NULL;
    if ((labelled && labels == NULL) ||
        posix_memalign(&pixels, PIXEL_ALIGNMENT, (size_t)bytes) != 0) {
        free(labels);
        return free_memory_short(name, bytes + label_bytes);
    }
    *image = (Image){
        .width = width, .height = count * height, .stride = (size_t)width, .pixels = pixels};
    *set = (ImageSet){.count = count, .width = width, .height = height, .labels = labels};
    return status_ok();
}

uint64_t image_set_hash(const Image *image, const ImageSet *set) {
    const uint64_t hash = image_hash(image);
    return set->labels == NULL ? hash : fnv_bytes(hash, set->labels, (size_t)set->count);
}

void image_set_free(Image *image, ImageSet *set) {
    image_free(image);
    if (set != NULL) {
        free(set->labels);
        *set = (ImageSet){0};
    }
}

/* === Files of a folder ======================================================================== */

/* Which files of a folder make a set, in which order, with which labels. */

typedef struct SetFile {
    char *path;   /* owned by the list */
    size_t place; /* in its folder, from 0 */
    uint8_t label;
} SetFile;

typedef struct SetFiles {
    SetFile *items;
    size_t count, room;
    bool labelled;
} SetFiles;

static void set_files_free(SetFiles *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
    }
    free(files->items);
    *files = (SetFiles){0};
}

enum { LABEL_MAX = 255 };

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Not by the locale's order, which differs between machines. */
static int by_bytes(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int by_turns(const void *left, const void *right) {
    const SetFile *a = left;
    const SetFile *b = right;
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    /* Folders "7" and "07" are the same label. */
    return a->label != b->label ? (int)a->label - (int)b->label : strcmp(a->path, b->path);
}

/* Appends a copy of the path. */
static Status add_file(SetFiles *files, const char *path, size_t place, uint8_t label) {
    STATUS_TRY(LIST_ROOM(NULL, files->items, files->count, files->room, "files of a set"));
    char *copy = strdup(path);
    if (copy == NULL) {
        return status_no_memory("for the names of a set's files");
    }
    files->items[files->count++] = (SetFile){.path = copy, .place = place, .label = label};
    return status_ok();
}

static Status path_in(const char *folder, const char *name, char path[ATOMIC_FILE_PATH_SIZE]) {
    const size_t length = strlen(folder);
    const bool ends = length > 0 && folder[length - 1] == '/';
    const int size = snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s%s%s", folder, ends ? "" : "/", name);
    return size < ATOMIC_FILE_PATH_SIZE
               ? status_ok()
               : status_make(STATUS_FILE, "%.64s…: the path is too long", path);
}

/* Links are followed. */
static bool is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Digits alone, up to LABEL_MAX. */
static bool label_of(const char *name, uint8_t *label) {
    unsigned number = 0;
    const char *at = name;
    for (; *at >= '0' && *at <= '9' && number <= LABEL_MAX; at++) {
        number = number * 10 + (unsigned)(*at - '0');
    }
    *label = (uint8_t)number;
    return at != name && *at == '\0' && number <= LABEL_MAX;
}

/* Entries of a folder, in order. */
typedef struct Names {
    struct dirent **entries;
    int count;
} Names;

static void names_free(Names *names) {
    for (int i = 0; i < names->count; i++) {
        free(names->entries[i]);
    }
    free(names->entries);
}

static Status list_visible(const char *folder, Names *names) {
    *names = (Names){0};
    const int count = scandir(folder, &names->entries, is_visible, by_bytes);
    if (count < 0) {
        return status_make(STATUS_FILE, "%.250s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    names->count = count;
    return status_ok();
}

/* Keeps folders, images, and what is no file at all, which is refused later. */
static Status keep_images(const char *folder, Names *names) {
    int kept = 0;
    for (int i = 0; i < names->count; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        struct dirent *entry = names->entries[i];
        STATUS_TRY(path_in(folder, entry->d_name, path));
        if (image_is_left_out(path)) {
            continue;
        }
        names->entries[i] = names->entries[kept];
        names->entries[kept++] = entry;
    }
    while (names->count > kept) {
        free(names->entries[--names->count]);
    }
    return status_ok();
}

/* The folders and images of a folder; what else lies there is left out. */
static Status names_list(const char *folder, Names *names) {
    STATUS_TRY(list_visible(folder, names));
    const Status status = keep_images(folder, names);
    if (!status_is_ok(&status)) {
        names_free(names);
    }
    return status;
}

static Status check_any(const char *folder, const Names *names) {
    return names->count > 0
               ? status_ok()
               : status_make(STATUS_FILE, "%s: the folder holds no image; a set has at least one",
                             folder);
}

static Status add_image(const char *folder, const char *name, size_t place, uint8_t label,
                        SetFiles *files) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_in(folder, name, path));
    return !is_folder(path) ? add_file(files, path, place, label)
                            : status_make(STATUS_FILE,
                                          "%.250s: is a folder among files; a set is a folder of "
                                          "images, or a folder of nothing but folders of images",
                                          path);
}

static Status add_images(const char *folder, const Names *names, uint8_t label, SetFiles *files) {
    STATUS_TRY(check_any(folder, names));
    for (int i = 0; i < names->count; i++) {
        STATUS_TRY(add_image(folder, names->entries[i]->d_name, (size_t)i, label, files));
    }
    return status_ok();
}

static Status check_labelled_folder(const char *path, const char *name, uint8_t *label) {
    if (!is_folder(path)) {
        return status_make(STATUS_FILE,
                           "%.250s: is a file among folders; a set is a folder of images, or a "
                           "folder of nothing but folders of images",
                           path);
    }
    if (!label_of(name, label)) {
        return status_make(STATUS_FILE,
                           "%.250s: folders of images are named by their label, 0 to %d", path,
                           LABEL_MAX);
    }
    return status_ok();
}

static Status add_labelled_folder(const char *path, const char *name, SetFiles *files) {
    uint8_t label = 0;
    STATUS_TRY(check_labelled_folder(path, name, &label));
    Names names;
    STATUS_TRY(names_list(path, &names));
    const Status status = add_images(path, &names, label, files);
    names_free(&names);
    return status;
}

static Status add_labelled_folders(const char *folder, const Names *names, SetFiles *files) {
    for (int i = 0; i < names->count; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        STATUS_TRY(path_in(folder, names->entries[i]->d_name, path));
        STATUS_TRY(add_labelled_folder(path, names->entries[i]->d_name, files));
    }
    qsort(files->items, files->count, sizeof *files->items, by_turns);
    return status_ok();
}

/* The first entry decides which of the two kinds of folder it is. */
static Status add_all(const char *folder, const Names *names, SetFiles *files) {
    char first[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(check_any(folder, names));
    STATUS_TRY(path_in(folder, names->entries[0]->d_name, first));
    files->labelled = is_folder(first);
    return files->labelled ? add_labelled_folders(folder, names, files)
                           : add_images(folder, names, 0, files);
}

/*
 * The files of a folder by their names, byte by byte; or, when it holds folders, those of folders
 * named by numbers 0 … 255, in turns: the first of each folder, the second of each, and so on.
 * Names that begin with a dot are skipped. STATUS_FILE for a folder without files, with both
 * files and folders, and for a folder of another name. Errors leave the list empty.
 */
static Status set_files_list(const char *folder, SetFiles *files) {
    *files = (SetFiles){0};
    Names names;
    STATUS_TRY(names_list(folder, &names));
    const Status status = add_all(folder, &names, files);
    names_free(&names);
    if (!status_is_ok(&status)) {
        set_files_free(files);
    }
    return status;
}

/* === Sets in folders ========================================================================== */

static Status another_size(const SetFile *file, int32_t width, int32_t height, const SetFile *first,
                           const ImageSet *set) {
    return status_make(STATUS_FILE,
                       "%.140s: is %" PRId32 "x%" PRId32 " pixels, and %.140s is %" PRId32
                       "x%" PRId32 "; the images of a set have one size",
                       file->path, width, height, first->path, set->width, set->height);
}

/* Number and size of the images, by the first file. */
static Status describe(const char *folder, const SetFiles *files, int32_t limit, ImageSet *set) {
    *set = (ImageSet){0};
    int32_t width = 0;
    int32_t height = 0;
    STATUS_TRY(image_read_size(files->items[0].path, &width, &height));
    STATUS_TRY(
        image_set_check(STATUS_FILE, folder, files->count, (uint64_t)width, (uint64_t)height));
    const int32_t held = (int32_t)files->count;
    if (limit > held) {
        return status_make(STATUS_FILE,
                           "%s: holds %" PRId32 " images, and %" PRId32 " are asked for", folder,
                           held, limit);
    }
    *set = (ImageSet){.count = limit > 0 ? limit : held, .width = width, .height = height};
    return status_ok();
}

/* Number and size of the images, from the header of every file. */
static Status folder_read_size(const char *folder, const SetFiles *files, ImageSet *set) {
    STATUS_TRY(describe(folder, files, 0, set));
    for (size_t i = 1; i < files->count; i++) {
        int32_t width = 0;
        int32_t height = 0;
        STATUS_TRY(image_read_size(files->items[i].path, &width, &height));
        if (width != set->width || height != set->height) {
            return another_size(&files->items[i], width, height, &files->items[0], set);
        }
    }
    return status_ok();
}

static Status read_image(const SetFiles *files, size_t index, const ImageSet *set,
                         uint8_t *pixels) {
    const SetFile *file = &files->items[index];
    Image image;
    STATUS_TRY(image_read(file->path, &image));
    Status status = status_ok();
    if (image.width != set->width || image.height != set->height) {
        status = another_size(file, image.width, image.height, &files->items[0], set);
    } else {
        const size_t row_bytes = (size_t)image.width;
        for (int32_t y = 0; y < image.height; y++) {
            memcpy(pixels + (size_t)y * row_bytes, image_row(&image, y), row_bytes);
        }
    }
    image_free(&image);
    return status;
}

static Status read_images(const SetFiles *files, const Image *image, const ImageSet *set) {
    for (int32_t i = 0; i < set->count; i++) {
        STATUS_TRY(read_image(files, (size_t)i, set, image_set_pixels(image, set, i)));
        if (files->labelled) {
            set->labels[i] = files->items[i].label;
        }
    }
    return status_ok();
}

/* The first `limit` images of a list, all for 0. With labels when the list has them, or with room
 * for labels where `room_for_labels`. Errors leave image and set zero. */
static Status folder_read(const char *folder, const SetFiles *files, int32_t limit,
                          bool room_for_labels, Image *image, ImageSet *set) {
    ImageSet wanted;
    STATUS_TRY(describe(folder, files, limit, &wanted));
    STATUS_TRY(image_set_create(folder, wanted.count, wanted.width, wanted.height,
                                files->labelled || room_for_labels, image, set));
    const Status status = read_images(files, image, set);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

/* Bytes of a file of images or labels, as it is stored. */
#define IMAGE_SET_FILE_MAX ((uint64_t)1 << 36)

/* === Sets in IDX files ======================================================================== */

static Status open_images(const ByteSource *source, IdxReader *reader) {
    STATUS_TRY(idx_open(source, IDX_IMAGES, reader));
    const Status status = image_set_check(STATUS_FILE, source->name, reader->sizes[0],
                                          reader->sizes[2], reader->sizes[1]);
    if (!status_is_ok(&status)) {
        idx_close(reader);
    }
    return status;
}

static Status read_idx_images(IdxReader *reader, int32_t limit, bool labelled, Image *image,
                              ImageSet *set) {
    const char *name = reader->stream.source->name;
    const int32_t held = (int32_t)reader->sizes[0];
    if (limit > held) {
        return status_make(STATUS_FILE,
                           "%s: holds %" PRId32 " images, and %" PRId32 " are asked for", name,
                           held, limit);
    }
    STATUS_TRY(image_set_create(name, limit > 0 ? limit : held, (int32_t)reader->sizes[2],
                                (int32_t)reader->sizes[1], labelled, image, set));
    return idx_read(reader, image->pixels, image_pixel_count(image));
}

/* The first `limit` images, all for 0, with room for labels where `labelled`; `held` is the
 * number of images in the file. Errors leave image and set zero. */
static Status decode_idx(const ByteSource *source, int32_t limit, bool labelled, Image *image,
                         ImageSet *set, int32_t *held) {
    IdxReader reader;
    STATUS_TRY(open_images(source, &reader));
    *held = (int32_t)reader.sizes[0];
    const Status status = read_idx_images(&reader, limit, labelled, image, set);
    idx_close(&reader);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

/* Number and size of the images from the header alone. */
static Status idx_read_size(const ByteSource *source, ImageSet *set) {
    IdxReader reader;
    STATUS_TRY(open_images(source, &reader));
    *set = (ImageSet){.count = (int32_t)reader.sizes[0],
                      .width = (int32_t)reader.sizes[2],
                      .height = (int32_t)reader.sizes[1]};
    idx_close(&reader);
    return status_ok();
}

static Status read_labels(IdxReader *reader, int32_t held, int32_t count, uint8_t *labels) {
    if (reader->sizes[0] != (uint32_t)held) {
        return status_make(STATUS_FILE,
                           "%s: holds %" PRIu32 " labels for %" PRId32
                           " images; there must be as many",
                           reader->stream.source->name, reader->sizes[0], held);
    }
    return idx_read(reader, labels, (size_t)count);
}

/* Fills the first `count` labels of a file that must hold `held`, as many as there are images. */
static Status idx_read_labels(const char *path, int32_t held, int32_t count, uint8_t *labels) {
    FileBytes file;
    STATUS_TRY(file_bytes_read(path, "a file of labels", IMAGE_SET_FILE_MAX, &file));
    const ByteSource source = {
        .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.size};
    IdxReader reader;
    Status status = idx_open(&source, IDX_LABELS, &reader);
    if (status_is_ok(&status)) {
        status = read_labels(&reader, held, count, labels);
        idx_close(&reader);
    }
    file_bytes_free(&file);
    return status;
}

/* === Reading ================================================================================== */

/* Enough for an IDX header, packed or not. */
enum { HEADER_BYTES = 64 * 1024 };

bool image_set_is_at(const char *path) {
    if (is_folder(path)) {
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
    return decode_idx(&source, limit, false, image, set, &held);
}

/* --- Labels beside images ------------------------------------------------------------------- */

/* Writes a word of the same length over the last occurrence of another in a file's name. */
static bool replace_word(char *name, const char *word, const char *other) {
    char *at = NULL;
    for (char *next = strstr(name, word); next != NULL; next = strstr(next + 1, word)) {
        at = next;
    }
    for (size_t i = 0; at != NULL && other[i] != '\0'; i++) {
        at[i] = other[i];
    }
    return at != NULL;
}

/* Whether there are labels that belong to a file of images, and their path. */
static bool labels_beside(const char *path, char labels[ATOMIC_FILE_PATH_SIZE]) {
    const size_t size = strlen(path) + 1;
    if (size > ATOMIC_FILE_PATH_SIZE) {
        return false;
    }
    memcpy(labels, path, size);
    char *slash = strrchr(labels, '/');
    char *name = slash == NULL ? labels : slash + 1;
    return replace_word(name, "images", "labels") && replace_word(name, "idx3", "idx1") &&
           access(labels, F_OK) == 0;
}

/* Reads the first labels of a file of `held` into a set that was read; NULL: there is no such file.
 * The set is freed where they cannot be read. */
static Status add_labels(const char *labels, int32_t held, Image *image, ImageSet *set) {
    if (labels == NULL) {
        return status_ok();
    }
    const Status status = idx_read_labels(labels, held, set->count, set->labels);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

static Status read_idx_labelled(const ByteSource *source, const char *labels, int32_t limit,
                                Image *image, ImageSet *set) {
    int32_t held = 0;
    STATUS_TRY(decode_idx(source, limit, labels != NULL, image, set, &held));
    return add_labels(labels, held, image, set);
}

static Status read_idx_file(const char *path, const char *labels, int32_t limit, Image *image,
                            ImageSet *set) {
    FileBytes file;
    STATUS_TRY(file_bytes_read(path, "a file of images", IMAGE_SET_FILE_MAX, &file));
    const ByteSource source = {
        .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.size};
    const Status status = read_idx_labelled(&source, labels, limit, image, set);
    file_bytes_free(&file);
    return status;
}

static Status read_idx(const char *path, const char *labels, int32_t limit, Image *image,
                       ImageSet *set) {
    char beside[ATOMIC_FILE_PATH_SIZE];
    if (labels == NULL && labels_beside(path, beside)) {
        STATUS_TRY(input_guard_add(beside)); /* not named by the user, but read */
        labels = beside;
    }
    return read_idx_file(path, labels, limit, image, set);
}

/* --- Folders ---------------------------------------------------------------------------------- */

static Status read_files(const char *path, const SetFiles *files, const char *labels, int32_t limit,
                         Image *image, ImageSet *set) {
    if (labels != NULL && files->labelled) {
        return status_make(STATUS_FILE,
                           "%.150s: the labels of the images in %.150s are the names of their "
                           "folders; give no file of labels",
                           labels, path);
    }
    STATUS_TRY(folder_read(path, files, limit, labels != NULL, image, set));
    return add_labels(labels, (int32_t)files->count, image, set);
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
    return is_folder(path) ? read_folder(path, labels, limit, image, set)
                           : read_idx(path, labels, limit, image, set);
}

/* --- Sizes alone ------------------------------------------------------------------------------ */

static Status read_idx_size(const char *path, bool whole, bool *cut, ImageSet *set) {
    FileBytes file;
    STATUS_TRY(whole ? file_bytes_read(path, "a file of images", IMAGE_SET_FILE_MAX, &file)
                     : file_bytes_read_start(path, HEADER_BYTES, &file));
    const ByteSource source = {
        .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.file_size};
    *cut = file.size < file.file_size;
    const Status status = idx_read_size(&source, set);
    file_bytes_free(&file);
    return status;
}

static Status read_folder_size(const char *path, ImageSet *set) {
    SetFiles files;
    STATUS_TRY(set_files_list(path, &files));
    const Status status = folder_read_size(path, &files, set);
    set_files_free(&files);
    return status;
}

Status image_set_read_size(const char *path, ImageSet *set) {
    *set = (ImageSet){0};
    if (is_folder(path)) {
        return read_folder_size(path, set);
    }
    bool cut = false;
    const Status status = read_idx_size(path, false, &cut, set);
    /* A gzip header may carry a comment of any length. */
    return status_is_ok(&status) || !cut ? status : read_idx_size(path, true, &cut, set);
}
