/* Sizes as they are asked for: by name (named_sizes.h), squares, WxH and native. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include "named_sizes.h"

/* One size: a name in any case ("1080p", "4k"), WxH ("640x480"), or "native" (width and height 0).
 * The name in `size` is the usual spelling. STATUS_USAGE with what would be right. */
Status size_parse(const char *text, SizeSpec *size);

/* A comma list of sizes, in which `all` stands for 360p … 16K. Repeated sizes are dropped. The list
 * must not be empty. At most OPTIONS_SIZES_MAX sizes. */
Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);

#endif
