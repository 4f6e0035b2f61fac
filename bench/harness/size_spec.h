/* Sizes and axes as a request names them. */

#ifndef BENCH_HARNESS_SIZE_SPEC_H
#define BENCH_HARNESS_SIZE_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include "sizes.h"
#include "status.h"

enum { OPTIONS_SIZES_MAX = 64, OPTIONS_AXES_MAX = 16 };

/* A named size of an image or an image set. Width and height 0: `native`, the input's own. */
typedef struct SizeSpec {
    char name[WORKLOAD_SIZE_NAME_SIZE];
    int32_t width, height;
    int32_t images; /* of a set, 0: all; for descriptors the rows of each of both sets; unused for a
                       single image */
} SizeSpec;

/* Parses one size: a name in any case ("1080p", "4k"), WxH ("640x480"), or "native", which has
 * width and height 0. The name in `size` has the usual spelling. STATUS_USAGE if it is none of
 * these, has no pixels or too many. */
Status size_parse(const char *text, SizeSpec *size);

/* Parses a comma list of sizes, in which `all` stands for 360p … 16K. Repeated sizes are dropped.
 * STATUS_USAGE for an empty list and for more than OPTIONS_SIZES_MAX sizes. */
Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);
/* Parses a number of images of a set, from 1 on; 0 for `all`. STATUS_USAGE. */
Status set_images_parse(const char *text, int32_t *images);

/* The option of one axis: --tile 4,8 is {"tile", "4,8"}. The planner expands it. */
typedef struct AxisRequest {
    const char *name;
    const char *list;
} AxisRequest;

#endif
