/* Rescaling many pictures of one size that lie one below the other. */
#ifndef DATASETS_RESCALE_H
#define DATASETS_RESCALE_H

#include "datasets.h"

/* Each of `count` pictures, as image_rescale does: source->height and image->height are `count`
 * times theirs. `image` has its pixels already. STATUS_SKIP when memory is short. */
Status rescale_pictures(const Image *source, int32_t count, Image *image);

#endif
