/* Sizes of pictures that have a name, and what a size's text says. */
#ifndef BENCH_NAMED_SIZES_H
#define BENCH_NAMED_SIZES_H

#include "options.h"

/* The named sizes in the order of `bench list`; `all` is those with in_all. */
typedef struct NamedSize {
    SizeSpec size;
    bool in_all;
} NamedSize;

extern const NamedSize named_sizes[];
extern const size_t named_size_count;

/* The size of a name in any case; NULL when there is none of that name. */
const SizeSpec *named_size_find(const char *name);

/* Reads "640x480", with a small or a large x. Sides over 2^32 - 1 are read as that, for the caller
 * to find too large. False when the text is not digits, an x and digits. */
bool size_sides_read(const char *text, uint64_t *width, uint64_t *height);

#endif
