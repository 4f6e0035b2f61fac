/*
 * Image sets: many images of one size, from IDX files, from folders of images, or synthetic.
 *
 * A set is one tall Image, in which the images lie one below the other without padding, and an
 * ImageSet with their number, size and labels. Both are released together with
 * image_set_free. Errors are STATUS_FILE with one sentence that names the file and what is wrong.
 */
#ifndef DATASETS_IMAGE_SETS_H
#define DATASETS_IMAGE_SETS_H

#include <stdbool.h>

#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMAGE_SET_SIDE_MAX = 4096 };

/*
 * Reads a set.
 *
 * A file is IDX, plain or gzip, of unsigned bytes with three dimensions (images, rows, columns).
 * A folder holds images of one size (anything that image_read reads), in the order of their
 * names, byte by byte; or folders named by a number 0 … 255 that hold them, whose name is then the
 * label. They are read in turns, the first image of each folder, the second of each, so that
 * the beginning of a set has all labels. Names that begin with a dot are skipped.
 *
 * `labels`: an IDX file of unsigned bytes with one dimension; NULL: for an IDX file of images the
 * file beside it whose name has "labels" for "images" and "idx1" for "idx3", when there is one;
 * none otherwise. It must hold as many labels as there are images. `limit` is the number of
 * images wanted from the beginning; 0: all. STATUS_FILE when there are fewer.
 * STATUS_SKIP "needs X, Y free" when memory is short.
 */
Status image_set_read(const char *path, const char *labels, int32_t limit, Image *image,
                      ImageSet *set);

/* How many images of which size, without labels, checked as image_set_read does but for what only
 * decoding everything finds. */
Status image_set_read_size(const char *path, ImageSet *set);

/* Whether a path names a set: a folder, or a file that begins as IDX does, plain or gzip (any gzip
 * file: no image is one). Nothing else is checked. */
bool image_set_is_at(const char *path);

/* Decodes IDX images already in memory, plain or gzip, without labels; `name` is used in
 * messages. */
Status image_set_decode(const char *name, const uint8_t *bytes, size_t size, int32_t limit,
                        Image *image, ImageSet *set);

/* Every image rescaled, as image_rescale does. Labels are copied. */
Status image_set_rescale(const Image *image, const ImageSet *set, int32_t width, int32_t height,
                         Image *scaled, ImageSet *scaled_set);

/* Synthetic kinds, NULL-terminated: "digits", ten classes of strokes drawn by a shaky hand, with
 * MNIST's proportions, labelled 0 … 9 at random; "noise", uniform random pixels and labels. */
extern const char *const synthetic_set_kinds[];
/* The same bytes on every machine for the same kind, number, size and seed; the first images of a
 * larger set are those of a smaller one. STATUS_USAGE for an unknown kind. */
Status image_set_synthetic(const char *kind, int32_t count, int32_t width, int32_t height,
                           uint64_t seed, Image *image, ImageSet *set);

/* FNV-1a 64 over pixels, then labels when there are any. */
uint64_t image_set_hash(const Image *image, const ImageSet *set);

void image_set_free(Image *image, ImageSet *set);

#ifdef __cplusplus
}
#endif

#endif
