/* Image sets in IDX files. */
#ifndef DATASETS_IMAGE_SET_IDX_H
#define DATASETS_IMAGE_SET_IDX_H

#include "idx.h"
#include "image_sets.h"

/* Bytes of a file of pictures or labels, as it is stored. */
#define IMAGE_SET_FILE_MAX ((uint64_t)1 << 36)

/* The first `limit` pictures, all for 0, with room for labels where `labelled`; `held` is the
 * number of pictures in the file. Errors leave image and set zero. */
Status image_set_idx_read(const ByteSource *source, int32_t limit, bool labelled, Image *image,
                          ImageSet *set, int32_t *held);

/* Number and size of the pictures from the header alone. */
Status image_set_idx_read_size(const ByteSource *source, ImageSet *set);

/* Fills the first `count` labels of a file that must hold `held`, as many as there are pictures. */
Status image_set_idx_read_labels(const char *path, int32_t held, int32_t count, uint8_t *labels);

#endif
