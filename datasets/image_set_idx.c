#include "image_set_idx.h"

#include <inttypes.h>

#include "files.h"
#include "image_set_memory.h"

static Status open_pictures(const ByteSource *source, IdxReader *reader) {
    STATUS_TRY(idx_open(source, IDX_PICTURES, reader));
    const Status status = image_set_check(STATUS_FILE, source->name, reader->sizes[0],
                                          reader->sizes[2], reader->sizes[1]);
    if (!status_is_ok(&status)) {
        idx_close(reader);
    }
    return status;
}

static Status read_pictures(IdxReader *reader, int32_t limit, bool labelled, Image *image,
                            ImageSet *set) {
    const char *name = reader->stream.source->name;
    const int32_t held = (int32_t)reader->sizes[0];
    if (limit > held) {
        return status_make(STATUS_FILE,
                           "%s: holds %" PRId32 " pictures, and %" PRId32 " are asked for", name,
                           held, limit);
    }
    STATUS_TRY(image_set_create(name, limit > 0 ? limit : held, (int32_t)reader->sizes[2],
                                (int32_t)reader->sizes[1], labelled, image, set));
    return idx_read(reader, image->pixels, image_pixel_count(image));
}

Status image_set_idx_read(const ByteSource *source, int32_t limit, bool labelled, Image *image,
                          ImageSet *set, int32_t *held) {
    IdxReader reader;
    STATUS_TRY(open_pictures(source, &reader));
    *held = (int32_t)reader.sizes[0];
    const Status status = read_pictures(&reader, limit, labelled, image, set);
    idx_close(&reader);
    if (!status_is_ok(&status)) {
        image_set_free(image, set);
    }
    return status;
}

Status image_set_idx_read_size(const ByteSource *source, ImageSet *set) {
    IdxReader reader;
    STATUS_TRY(open_pictures(source, &reader));
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
                           " pictures; there must be as many",
                           reader->stream.source->name, reader->sizes[0], held);
    }
    return idx_read(reader, labels, (size_t)count);
}

Status image_set_idx_read_labels(const char *path, int32_t held, int32_t count, uint8_t *labels) {
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
