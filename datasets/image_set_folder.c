#include "image_set_folder.h"

#include <inttypes.h>
#include <string.h>

#include "datasets.h"
#include "image_set_memory.h"

static Status another_size(const SetFile *file, int32_t width, int32_t height, const SetFile *first,
                           const ImageSet *set) {
    return status_make(STATUS_FILE,
                       "%.140s: is %" PRId32 "x%" PRId32 " pixels, and %.140s is %" PRId32
                       "x%" PRId32 "; the pictures of a set have one size",
                       file->path, width, height, first->path, set->width, set->height);
}

/* How many pictures of which size, judged by the first file. */
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
                           "%s: holds %" PRId32 " pictures, and %" PRId32 " are asked for", folder,
                           held, limit);
    }
    *set = (ImageSet){.count = limit > 0 ? limit : held, .width = width, .height = height};
    return status_ok();
}

Status image_set_folder_read_size(const char *folder, const SetFiles *files, ImageSet *set) {
    STATUS_TRY(describe(folder, files, 0, set));
    for (size_t i = 1; i < files->count; ++i) {
        int32_t width = 0;
        int32_t height = 0;
        STATUS_TRY(image_read_size(files->items[i].path, &width, &height));
        if (width != set->width || height != set->height) {
            return another_size(&files->items[i], width, height, &files->items[0], set);
        }
    }
    return status_ok();
}

static Status read_picture(const SetFiles *files, size_t index, const ImageSet *set,
                           uint8_t *pixels) {
    const SetFile *file = &files->items[index];
    Image picture;
    STATUS_TRY(image_read(file->path, &picture));
    Status status = status_ok();
    if (picture.width != set->width || picture.height != set->height) {
        status = another_size(file, picture.width, picture.height, &files->items[0], set);
    } else {
        const size_t row_bytes = (size_t)picture.width;
        for (int32_t y = 0; y < picture.height; ++y) {
            memcpy(pixels + (size_t)y * row_bytes, image_row(&picture, y), row_bytes);
        }
    }
    image_free(&picture);
    return status;
}

static Status read_pictures(const SetFiles *files, const Image *image, const ImageSet *set) {
    for (int32_t i = 0; i < set->count; ++i) {
        STATUS_TRY(read_picture(files, (size_t)i, set, image_set_pixels(image, set, i)));
        if (files->labelled) {
            set->labels[i] = files->items[i].label;
        }
    }
    return status_ok();
}

Status image_set_folder_read(const char *folder, const SetFiles *files, int32_t limit,
                             bool room_for_labels, Image *image, ImageSet *set) {
    ImageSet wanted;
    STATUS_TRY(describe(folder, files, limit, &wanted));
    STATUS_TRY(image_set_create(folder, wanted.count, wanted.width, wanted.height,
                                files->labelled || room_for_labels, image, set));
    const Status status = read_pictures(files, image, set);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}
