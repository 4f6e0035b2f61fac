#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "datasets.h"
#include "files.h"

/* All state is here and not in local variables, whose values setjmp would leave undefined. */
typedef struct PngWriting {
    const char *path;
    int32_t width, height; /* pixels */
    size_t stride;         /* bytes from one row to the next */
    const uint8_t *pixels;
    const uint8_t *levels; /* 256 greys that are written for the pixels' values; NULL: the values */
    uint8_t *row;          /* width bytes, for levels; owned */
    int colour_type;       /* PNG_COLOR_TYPE_GRAY or PNG_COLOR_TYPE_RGB */
    AtomicFile file;
    png_structp png;
    png_infop info;
    Status status;
} PngWriting;

static Status cannot_write(const char *path, const char *why) {
    return status_make(STATUS_FILE, "%s: cannot write: %s", path, why);
}

static _Noreturn void on_error(png_structp png, png_const_charp message) {
    PngWriting *writing = png_get_error_ptr(png);
    if (status_is_ok(&writing->status)) {
        writing->status = cannot_write(writing->path, message);
    }
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    PngWriting *writing = png_get_io_ptr(png);
    if (fwrite(bytes, 1, count, writing->file.stream) != count) {
        png_error(png, strerror(errno));
    }
}

static void flush_bytes(png_structp png) {
    (void)png;
}

static const uint8_t *row_to_write(const PngWriting *writing, int32_t y) {
    const uint8_t *pixels = writing->pixels + (size_t)y * writing->stride;
    if (writing->levels == NULL) {
        return pixels;
    }
    for (int32_t x = 0; x < writing->width; x++) {
        writing->row[x] = writing->levels[pixels[x]];
    }
    return writing->row;
}

/* Answers of hundreds of megapixels are saved between measurements: speed matters more than size.
 * Without searching for matches other than runs, writing takes half the time and the files are as
 * small. */
static void write_guarded(PngWriting *writing) {
    if (setjmp(png_jmpbuf(writing->png)) != 0) {
        return; /* writing->status was set on the way */
    }
    png_structp png = writing->png;
    png_set_write_fn(png, writing, write_bytes, flush_bytes);
    png_set_user_limits(png, (png_uint_32)IMAGE_SIDE_MAX, (png_uint_32)IMAGE_SIDE_MAX);
    png_set_compression_level(png, Z_BEST_SPEED);
    png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_IHDR(png, writing->info, (png_uint_32)writing->width, (png_uint_32)writing->height, 8,
                 writing->colour_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writing->info);
    for (int32_t y = 0; y < writing->height; y++) {
        png_write_row(png, row_to_write(writing, y));
    }
    png_write_end(png, writing->info);
}

static void write_opened(PngWriting *writing) {
    writing->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writing, on_error, on_warning);
    if (writing->png != NULL) {
        writing->info = png_create_info_struct(writing->png);
    }
    if (writing->info == NULL) {
        writing->status = status_fail("%s: libpng cannot start", writing->path);
    } else {
        write_guarded(writing);
    }
    png_destroy_write_struct(&writing->png, &writing->info);
}

/* Renaming over a device would replace the device. */
static Status check_target(const char *path) {
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        return cannot_write(path, "it exists and is not a regular file");
    }
    return status_ok();
}

/* `writing` has path, size and pixels; the rest of it is filled here. */
static Status write_image(PngWriting *writing) {
    STATUS_TRY(check_target(writing->path));
    STATUS_TRY(atomic_file_open(&writing->file, writing->path));
    writing->status = status_ok();
    write_opened(writing);
    return atomic_file_end(&writing->file, writing->status);
}

Status image_write_png(const char *path, const Image *image) {
    PngWriting writing = {.path = path,
                          .width = image->width,
                          .height = image->height,
                          .stride = image->stride,
                          .pixels = image->pixels,
                          .colour_type = PNG_COLOR_TYPE_GRAY};
    return write_image(&writing);
}

Status image_write_png_levels(const char *path, const Image *image, const uint8_t levels[256]) {
    PngWriting writing = {.path = path,
                          .width = image->width,
                          .height = image->height,
                          .stride = image->stride,
                          .pixels = image->pixels,
                          .levels = levels,
                          .row = malloc((size_t)image->width),
                          .colour_type = PNG_COLOR_TYPE_GRAY};
    const Status status =
        writing.row != NULL ? write_image(&writing) : status_no_memory("for a row of an image");
    free(writing.row);
    return status;
}

Status image_write_png_rgb(const char *path, int32_t width, int32_t height, const uint8_t *rgb) {
    PngWriting writing = {.path = path,
                          .width = width,
                          .height = height,
                          .stride = 3 * (size_t)width,
                          .pixels = rgb,
                          .colour_type = PNG_COLOR_TYPE_RGB};
    return write_image(&writing);
}
