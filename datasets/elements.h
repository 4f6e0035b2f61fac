/*
 * Elements: pixels of the type that an algorithm asks for (Algorithm.element).
 *
 * A file has levels or numbers. Levels are shades from black to white: those of PNG, JPEG, PNM and
 * raw files, with 8 bits or up to 16. White becomes 255 as uint8, 65535 as uint16 and 1 as float32
 * and float64; the other types have a level as it stands in the file. Numbers (PFM, NPY) stay what
 * they are: each has to be one of the type that is asked for.
 */
#ifndef DATASETS_ELEMENTS_H
#define DATASETS_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "output.h"
#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* image_create for dense rows of such pixels. An array of one row may be of any length. */
Status image_create_elements(int32_t width, int32_t height, OutputKind element, Image *image);

/* `count` levels of 32 bits, from 0 to UINT32_MAX for white, as pixels of the type. Types that have
 * levels as they stand get those of 8 bits. */
void elements_from_levels(OutputKind element, const uint32_t *levels, size_t count, void *row);

/* The image of a file, turned upright, in pixels of the type. Levels are scaled to width × height
 * unless these are the file's own sides, or 0. Numbers are not: STATUS_USAGE for other sides.
 * Errors else as image_read's and image_format_convert's. */
Status image_read_elements(const char *path, OutputKind element, int32_t width, int32_t height,
                           Image *image);

/* The same of a file already in memory; `name` is used in messages. */
Status image_decode_elements(const char *name, const uint8_t *bytes, size_t size,
                             OutputKind element, int32_t width, int32_t height, Image *image);

/* Whether the file has numbers. False for one that cannot be read. */
bool image_has_numbers(const char *path);

/* image_rescale of levels of 16 bits. */
Status image_rescale_u16(const Image *source, int32_t width, int32_t height, Image *image);

/* synthetic_image_of_density with all the levels that the type has: its upper 8 bits are those of
 * the image of 8 bits. */
Status synthetic_elements(const char *kind, int32_t width, int32_t height, uint64_t seed,
                          double density, OutputKind element, Image *image);

#ifdef __cplusplus
}
#endif

#endif
