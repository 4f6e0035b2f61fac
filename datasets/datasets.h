/*
 * Inputs: image files, synthetic images, rescaling, and writing answers as images.
 *
 * Every function that fills an Image allocates its pixels; release them with image_free. Errors are
 * STATUS_FILE with one sentence that names the file and what is wrong with it.
 */
#ifndef DATASETS_DATASETS_H
#define DATASETS_DATASETS_H

#include <stdbool.h>
#include <stdio.h>

#include "files.h"
#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest side and pixel count accepted anywhere: 2^20 per side, 2^37 pixels. */
#define IMAGE_SIDE_MAX ((int32_t)1 << 20)
#define IMAGE_PIXELS_MAX ((uint64_t)1 << 37)

/* Pixels aligned to 64 bytes, stride = width rounded up to `stride_multiple` (1: dense). Contents
 * are not initialised. STATUS_SKIP "needs X, Y free" when memory is short. */
Status image_create(int32_t width, int32_t height, size_t stride_multiple, Image *image);
void image_free(Image *image);
/* FNV-1a 64 over the pixels, row by row, padding excluded. */
uint64_t image_hash(const Image *image);

/* PNG, JPEG, PBM/PGM/PPM (ASCII and raw), by content rather than by name; and files of nothing but
 * pixels, whose name ends in ".WIDTHxHEIGHT.raw". Colour becomes grey, deeper samples are rounded
 * to 8 bits, transparency and bytes after the image are ignored; an image with an Exif orientation
 * is turned upright. */
Status image_read(const char *path, Image *image);
/* The same image in the mapped file itself (mapped_file.h), where its pixels need no conversion: a
 * PGM of type P5 with maximum 255, or a raw file. Nothing may be written to them. STATUS_SKIP where
 * they need one, or the file cannot be mapped: image_read it. */
Status image_map(const char *path, Image *image);
/* Whether the pixels lie in a mapped file. */
bool image_is_mapped(const Image *image);
/* What is said about images that are read, a line each: "warning: " where a file is not as it
 * should be and is read as viewers read it, "note: " where it was turned, "left out: " of
 * image_is_left_out. Of many files alike the first are named. A line may have any bytes of a file's
 * name. NULL, the default: nothing is said. */
void image_read_notes(void (*say)(const char *line));
/* Whether images are read as they are stored, instead of turned as their Exif orientation says (the
 * default). For all images of the process. */
void image_read_as_stored(bool as_stored);
bool image_read_is_as_stored(void);
/* What reads PNG and JPEG. */
LibraryVersion png_library(void);
LibraryVersion jpeg_library(void);
/* Width and height, turned, without decoding the pixels. */
Status image_read_size(const char *path, int32_t *width, int32_t *height);
/* Whether a file of a folder is one of its images, which have to be readable: by its contents,
 * which may be those of a format that is not read here, or by the end of its name. */
bool image_is_at(const char *path);
/* Whether a file of a folder is none of its images (Thumbs.db, README), and says so. False for
 * folders, pipes and what is not there. The one rule for folders of images, whoever reads them:
 * names that begin with a dot are not looked at, these are left out, and the rest is to be read. */
bool image_is_left_out(const char *path);
/* Decodes a file already in memory; `name` is used in messages. */
Status image_decode(const char *name, const uint8_t *bytes, size_t size, Image *image);
/* 8-bit grey PNG, written beside and renamed. */
Status image_write_png(const char *path, const Image *image);
/* The same of the image with levels[v] for each value v, row by row: no second image is made. */
Status image_write_png_levels(const char *path, const Image *image, const uint8_t levels[256]);
/* 8-bit colour PNG of width × height pixels of three bytes (red, green, blue) without padding,
 * written likewise. */
Status image_write_png_rgb(const char *path, int32_t width, int32_t height, const uint8_t *rgb);

/* The rescaled image: area average where it shrinks, bilinear where it grows. */
Status image_rescale(const Image *source, int32_t width, int32_t height, Image *image);

/* The value between pixels, by bilinear interpolation, rounded to the nearest; 0 ≤ x ≤ width − 1
 * and 0 ≤ y ≤ height − 1. */
static inline uint8_t image_bilinear(const Image *image, double x, double y) {
    const int32_t left = (int32_t)x;
    const int32_t top = (int32_t)y;
    const int32_t right = left + (left < image->width - 1);
    const uint8_t *upper = image_row(image, top);
    const uint8_t *lower = image_row(image, top + (top < image->height - 1));
    const double across = x - left;
    const double above = upper[left] + across * (upper[right] - upper[left]);
    const double below = lower[left] + across * (lower[right] - lower[left]);
    return (uint8_t)(above + (y - top) * (below - above) + 0.5);
}

/* Synthetic kinds: names NULL-terminated, for help and suggestions. */
extern const char *const synthetic_kinds[];
/* The same bytes on every machine for the same kind, size and seed. STATUS_USAGE for an unknown
 * kind. */
Status synthetic_image(const char *kind, int32_t width, int32_t height, uint64_t seed,
                       Image *image);

/* Whether a kind is an arrangement of ones (255) on ground (0), with a density to choose. */
bool synthetic_has_density(const char *kind);
/* The same with the share of ones, above 0 and up to 1; 0: the kind's own, as above. STATUS_USAGE
 * for any other number, and for a kind that has none. */
Status synthetic_image_of_density(const char *kind, int32_t width, int32_t height, uint64_t seed,
                                  double density, Image *image);

#ifdef __cplusplus
}
#endif

#endif
