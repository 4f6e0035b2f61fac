/*
 * Image formats: what a reader of one file format offers. A new format is one file with a row of
 * this type and its name in image_files.c.
 *
 * Decisions that hold for all formats: samples are used as stored (no gamma or colour profile);
 * an alpha channel and transparent colours are dropped, not composited; deeper samples are rounded
 * to 8 bits where an Image of these is asked for; an image is turned as its Exif data say; bytes
 * after the end of the image are ignored, as real files often have some.
 */
#ifndef DATASETS_IMAGE_FORMAT_H
#define DATASETS_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

/* A file in memory, or its beginning. */
typedef struct EncodedImage {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size;
    uint64_t file_size; /* of all of it; `size` when everything is there */
} EncodedImage;

/* What stands in a file of more than 8 bits. */
typedef struct FilePixels {
    Image image;     /* dense rows of `kind` */
    OutputKind kind; /* levels: OUTPUT_ARRAY_U16; numbers: any element */
    uint32_t white;  /* the level that is white; 0: they are numbers */
} FilePixels;

/* Makes `image` of the samples, whose memory it frees or takes over; `name` is the file's.
 * STATUS_FILE for a number that is none of the type; STATUS_SKIP when memory is short. */
Status image_format_convert(const char *name, FilePixels *samples, OutputKind element,
                            Image *image);

typedef struct ImageFormat {
    const char *name;
    /* Whether the file starts as this format does. */
    bool (*matches)(const EncodedImage *file);
    /* With `header_only`, image->width and image->height are set and nothing is allocated; the rest
     * of the file may be absent. Errors leave nothing allocated. */
    Status (*read)(const EncodedImage *file, bool header_only, Image *image);
    /* Finds pixels that stand in the file as an Image has them, in dense rows: sets width and
     * height, and the place of the first. The file's beginning is enough. STATUS_SKIP when the file
     * has to be decoded, STATUS_FILE when it is damaged. NULL: it always has to be decoded. */
    Status (*locate)(const EncodedImage *file, Image *image, uint64_t *offset);
    /* Whether the file has other levels than those of 8 bits, or numbers. NULL: never. */
    bool (*is_deep)(const EncodedImage *file);
    /* Reads such a file as it is. Errors leave nothing allocated. */
    Status (*read_deep)(const EncodedImage *file, FilePixels *samples);
    bool numbers; /* its files have numbers */
} ImageFormat;

extern const ImageFormat png_format;
extern const ImageFormat jpeg_format;
extern const ImageFormat pnm_format;
extern const ImageFormat raw_format;
extern const ImageFormat pfm_format;
extern const ImageFormat npy_format;

/* Says a line (image_read_notes): the word, the file's name and a text; once where the file is read
 * again. The format is a literal. */
void image_format_say(const char *word, const EncodedImage *file, const char *format, ...)
    STATUS_PRINTF(3, 4);
#define image_format_warn(...) image_format_say("warning", __VA_ARGS__)
#define image_format_note(...) image_format_say("note", __VA_ARGS__)

/* STATUS_FILE unless the sides that a header gives are possible. */
Status image_format_check_size(const EncodedImage *file, uint64_t width, uint64_t height);

/* image_create with the file's name in the message. */
Status image_format_create(const EncodedImage *file, int32_t width, int32_t height, Image *image);

/* image_create_elements likewise, for the samples of a file. */
Status image_format_create_pixels(const EncodedImage *file, int32_t width, int32_t height,
                                  OutputKind kind, uint32_t white, FilePixels *samples);

/* The numbers of a file as they lie in it, at `bytes`, whether the lowest byte of each comes first
 * or the highest. With `bottom_up` its last row is the image's first. */
void image_format_copy_numbers(const uint8_t *bytes, bool lowest_first, bool bottom_up,
                               FilePixels *samples);

/* Says that bytes follow those that are used. */
void image_format_warn_of_rest(const EncodedImage *file, const char *format, uint64_t bytes,
                               const char *why);

/* Orientations as Exif numbers them, from 1 on: 1 is an image that stands as it is stored. */
enum { ORIENTATION_STORED = 1, ORIENTATIONS = 8 };

/* The orientation in a block of Exif data (a TIFF header and what follows); the stored one without
 * a block (NULL), without an orientation in it, and where images are read as stored. A damaged
 * block gets a warning. */
unsigned image_format_orientation(const EncodedImage *file, const uint8_t *exif, size_t size);

/* Sets the sides of an image of width × height stored pixels. */
void image_format_sides(int32_t width, int32_t height, unsigned orientation, Image *image);

/* Where stored pixels go: (x, y) to first + x·across + y·down. */
typedef struct PixelPlaces {
    uint8_t *first;
    ptrdiff_t across, down;
} PixelPlaces;

/* Their places in the image, whose pixels are so many bytes. Says what is turned. */
void image_format_turn(const EncodedImage *file, int32_t width, int32_t height,
                       unsigned orientation, size_t pixel_bytes, const Image *image,
                       PixelPlaces *places);

/* image_format_create for width × height stored pixels, and their places in the image. */
Status image_format_create_turned(const EncodedImage *file, int32_t width, int32_t height,
                                  unsigned orientation, Image *image, PixelPlaces *places);

/*
 * Grey: colour to grey by ITU-R BT.601 luma, 0.299 R + 0.587 G + 0.114 B, with its weights in 15
 * bits: (9798 R + 19235 G + 3735 B + 16384) >> 15 on integers.
 *
 * These are the weights of OpenCV's cvtColor, with which the images were turned grey that
 * published keypoints and descriptors come from. Weights in thousandths give another value for a
 * few pixels of an image, which is enough to flip bits of a descriptor.
 */

/* Of colours up to 65535. */
static inline uint16_t deep_grey_of(unsigned red, unsigned green, unsigned blue) {
    return (uint16_t)((9798u * red + 19235u * green + 3735u * blue + 16384u) >> 15);
}

static inline uint8_t grey_of(unsigned red, unsigned green, unsigned blue) {
    return (uint8_t)deep_grey_of(red, green, blue);
}

/* `count` pixels of three bytes each to grey[0], grey[step], grey[2·step], … */
void grey_from_rgb(const uint8_t *rgb, size_t count, uint8_t *grey, ptrdiff_t step);

/* The same for four bytes of printing ink each. Adobe stores inks inverted: 255 is no ink. */
void grey_from_cmyk(const uint8_t *cmyk, size_t count, int inverted, uint8_t *grey, ptrdiff_t step);

/* The same for bytes that are grey. */
void grey_from_grey(const uint8_t *bytes, size_t count, uint8_t *grey, ptrdiff_t step);

#endif
