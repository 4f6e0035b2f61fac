/* Image sets, internal: the memory of a set, and IDX files. */
#ifndef DATASETS_IMAGE_SETS_INTERNAL_H
#define DATASETS_IMAGE_SETS_INTERNAL_H

#include <stdbool.h>

#include "files.h"
#include "workload.h"

/* === IDX ====================================================================================== */

/*
 * The file format of MNIST and the sets made after it. Two zero bytes, a type code, the number
 * of dimensions, each dimension as 32 bits, highest byte first, then the data, the last dimension
 * running fastest. Here: unsigned bytes only, plain or gzip.
 *
 * Errors are STATUS_FILE and name the file, STATUS_SKIP when memory is short.
 */

/* What a file must hold; the values are numbers of dimensions. */
typedef enum IdxKind { IDX_LABELS = 1, IDX_IMAGES = 3 } IdxKind;

typedef struct IdxReader {
    ByteStream stream;
    uint32_t sizes[IDX_IMAGES]; /* as many as the kind has dimensions; the rest 1 */
    uint64_t bytes;             /* of data: the product of the sizes, which fits 64 bits */
} IdxReader;

/* Whether bytes begin as IDX does; gzip counts, since nothing else that is read here is gzip. */
bool idx_begins(const uint8_t *bytes, size_t size);

/*
 * Reads the header. Sizes of 0, and more data than the file can hold, are refused; nothing is
 * allocated for the data. The source must outlive the reader. Close it when the status is
 * STATUS_OK.
 */
Status idx_open(const ByteSource *source, IdxKind kind, IdxReader *reader);
void idx_close(IdxReader *reader);

/* Reads the first `wanted` bytes of the data, at most reader->bytes, and checks that the rest is
 * there, undamaged, and that nothing follows it. Once for each opened reader. */
Status idx_read(IdxReader *reader, uint8_t *data, size_t wanted);

/* === Memory =================================================================================== */

/* A set is one tall image, and its labels. */

/* STATUS_OK when a set may have this many images of this size; otherwise a status of this code
 * that begins with the name: sides are 1 to IMAGE_SET_SIDE_MAX, there is at least one image, and
 * the rows of all images fit 32 bits. */
Status image_set_check(StatusCode code, const char *name, uint64_t count, uint64_t width,
                       uint64_t height);

/* A checked set: pixels aligned to 64 bytes without padding, not initialised, and as many labels
 * where `labelled`. STATUS_SKIP "needs X, Y free" when memory is short. Errors leave both zero.
 * Higher than image_create allows: a set is a strip. */
Status image_set_create(const char *name, int32_t count, int32_t width, int32_t height,
                        bool labelled, Image *image, ImageSet *set);

/* The pixels of image `index`, to be filled. */
static inline uint8_t *image_set_pixels(const Image *image, const ImageSet *set, int32_t index) {
    return image->pixels + (size_t)index * (size_t)set->height * image->stride;
}

#endif
