/* Sizes by name: 360p … 32K, squares, WxH and native. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include "options.h"

/* The named sizes in the order of `bench list`; `all` is those with in_all. */
typedef struct NamedSize {
    SizeSpec size;
    bool in_all;
} NamedSize;

extern const NamedSize named_sizes[];
extern const size_t named_size_count;

/* One size: a name in any case ("1080p", "4k"), WxH ("640x480"), or "native" (width and height 0).
 * The name in `size` is the usual spelling. STATUS_USAGE with what would be right. */
Status size_parse(const char *text, SizeSpec *size);

/* A comma list of sizes, in which `all` stands for 360p … 16K. Repeated sizes are dropped. The list
 * must not be empty. At most OPTIONS_SIZES_MAX sizes. */
Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);

#endif
