/* Sizes of sets of pictures: how many, and how large each is. */
#ifndef BENCH_SET_SIZES_H
#define BENCH_SET_SIZES_H

#include "options.h"

/* What a synthetic set has when nothing is given. */
enum { SET_SIDE_DEFAULT = 28 };
extern const char set_images_default[]; /* "1000" */

/*
 * Every number of `images` at every size of `sides`, the sides varying fastest. `images` is a comma
 * list of numbers from 1 on and `all` (SizeSpec.images 0); `sides` is one of SIDE or WxH, or NULL:
 * the input's own (width and height 0). Names are "1000" and "1000x16x16", with sides only where
 * they were given. Repeated sizes are dropped. STATUS_USAGE names the option and says what would be
 * right.
 */
Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count);

#endif
