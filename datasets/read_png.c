#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_format.h"

/* The most that deflate can expand its input (zlib's technical notes). */
enum { DEFLATE_RATIO_MAX = 1032 };

enum { SIGNATURE_SIZE = 8, WIDTH_AT = 16, HEIGHT_AT = 20, HEADER_END = 24, ADAM7_PASSES = 7 };

/* All state is here and not in local variables, whose values setjmp would leave undefined. */
typedef struct PngReading {
    const EncodedImage *file;
    size_t position; /* bytes of the file consumed */
    png_structp png;
    png_infop info;
    png_bytep row; /* owned; one decoded row */
    Image *image;
    Status status;
    bool short_of_memory;
} PngReading;

static bool png_matches(const EncodedImage *file) {
    /* A file cut inside the signature is still called a truncated PNG rather than no image. */
    static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (file->size < SIGNATURE_SIZE) {
        return file->size >= 4 && memcmp(file->bytes, signature, file->size) == 0;
    }
    return memcmp(file->bytes, signature, SIGNATURE_SIZE) == 0;
}

static _Noreturn void on_error(png_structp png, png_const_charp message) {
    PngReading *reading = png_get_error_ptr(png);
    reading->status =
        reading->short_of_memory
            ? status_skip("%s: not enough memory to decode it", reading->file->name)
            : status_make(STATUS_FILE, "%s: damaged PNG: %s", reading->file->name, message);
    png_longjmp(png, 1);
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
    PngReading *reading = png_get_mem_ptr(png);
    void *memory = malloc(bytes);
    reading->short_of_memory |= memory == NULL;
    return memory;
}

static void give_back(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

/* What libpng warns of elsewhere is in chunks that are not used. */
static void on_warning(png_structp png, png_const_charp message) {
    static const char of_pixels[] = "IDAT: ";
    if (strncmp(message, of_pixels, strlen(of_pixels)) == 0) {
        const PngReading *reading = png_get_error_ptr(png);
        image_format_warn(reading->file,
                          "the PNG holds more rows than its header says; those are left out");
    }
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
    PngReading *reading = png_get_io_ptr(png);
    if (count > reading->file->size - reading->position) {
        png_error(png, "the file is truncated");
    }
    memcpy(bytes, reading->file->bytes + reading->position, count);
    reading->position += count;
}

static _Noreturn void fail(PngReading *reading, Status status) {
    reading->status = status;
    png_longjmp(reading->png, 1);
}

/* A header that asks for more pixels than the file can hold is refused before memory is allocated.
 */
static Status check_plausible(const PngReading *reading, uint64_t height) {
    const uint64_t unpacked = height * (png_get_rowbytes(reading->png, reading->info) + 1);
    if (unpacked / DEFLATE_RATIO_MAX > reading->file->size) {
        return status_make(STATUS_FILE,
                           "%s: truncated or forged PNG: its header asks for %" PRIu64
                           " bytes of samples, more than %zu bytes can hold",
                           reading->file->name, unpacked, reading->file->size);
    }
    return status_ok();
}

/* libpng reports impossible sides as "invalid header" only, so they are checked first. */
static void read_header(PngReading *reading) {
    const EncodedImage *file = reading->file;
    if (file->size >= HEADER_END) {
        const Status status = image_format_check_size(file, png_get_uint_32(file->bytes + WIDTH_AT),
                                                      png_get_uint_32(file->bytes + HEIGHT_AT));
        if (!status_is_ok(&status)) {
            fail(reading, status);
        }
    }
    png_read_info(reading->png, reading->info);
    reading->image->width = (int32_t)png_get_image_width(reading->png, reading->info);
    reading->image->height = (int32_t)png_get_image_height(reading->png, reading->info);
}

/* Afterwards every row has one grey byte or three colour bytes a pixel. */
static void set_transformations(PngReading *reading) {
    png_structp png = reading->png;
    png_set_scale_16(png);
    png_set_palette_to_rgb(png);
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);
    png_read_update_info(png, reading->info);
}

static void store_row(const PngReading *reading, size_t channels, size_t count, uint8_t *grey,
                      size_t step) {
    if (channels == 3) {
        grey_from_rgb(reading->row, count, grey, step);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        grey[i * step] = reading->row[i];
    }
}

/* Interlaced images are read pass by pass and scattered, so that no colour copy of the whole
 * image is needed. */
static void read_pass(PngReading *reading, size_t channels, int pass) {
    const Image *image = reading->image;
    const bool whole = pass < 0;
    const uint32_t width = (uint32_t)image->width;
    const uint32_t height = (uint32_t)image->height;
    const uint32_t columns = whole ? width : PNG_PASS_COLS(width, pass);
    const uint32_t rows = whole ? height : PNG_PASS_ROWS(height, pass);
    const size_t left = whole ? 0 : (size_t)PNG_PASS_START_COL(pass);
    const size_t top = whole ? 0 : (size_t)PNG_PASS_START_ROW(pass);
    const unsigned column_shift = whole ? 0 : (unsigned)PNG_PASS_COL_SHIFT(pass);
    const unsigned row_shift = whole ? 0 : (unsigned)PNG_PASS_ROW_SHIFT(pass);
    if (columns == 0) {
        return;
    }
    for (uint32_t row = 0; row < rows; row++) {
        png_read_row(reading->png, reading->row, NULL);
        const size_t y = top + ((size_t)row << row_shift);
        store_row(reading, channels, columns, image->pixels + y * image->stride + left,
                  (size_t)1 << column_shift);
    }
}

static void read_pixels(PngReading *reading) {
    Image *image = reading->image;
    Status status = check_plausible(reading, (uint64_t)image->height);
    if (status_is_ok(&status)) {
        status = image_format_create(reading->file, image->width, image->height, image);
    }
    if (!status_is_ok(&status)) {
        fail(reading, status);
    }
    set_transformations(reading);
    const size_t channels = png_get_channels(reading->png, reading->info);
    if (channels != 1 && channels != 3) {
        png_error(reading->png, "its colour type is unknown");
    }
    reading->row = png_malloc(reading->png, png_get_rowbytes(reading->png, reading->info));
    if (png_get_interlace_type(reading->png, reading->info) == PNG_INTERLACE_NONE) {
        read_pass(reading, channels, -1);
    } else {
        for (int pass = 0; pass < ADAM7_PASSES; pass++) {
            read_pass(reading, channels, pass);
        }
    }
    png_read_end(reading->png, NULL); /* sees a missing end and the last checksums */
}

static void read_guarded(PngReading *reading, bool header_only) {
    if (setjmp(png_jmpbuf(reading->png)) != 0) {
        return; /* reading->status was set on the way */
    }
    png_set_read_fn(reading->png, reading, read_bytes);
    png_set_user_limits(reading->png, (png_uint_32)IMAGE_SIDE_MAX, (png_uint_32)IMAGE_SIDE_MAX);
    /* Text, profiles and the like are not used, and libpng allocates as many bytes as such a
     * chunk claims to have. They are skipped; their checksums still count. */
    png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_crc_action(reading->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    read_header(reading);
    if (!header_only) {
        read_pixels(reading);
    }
}

static Status png_read(const EncodedImage *file, bool header_only, Image *image) {
    PngReading reading = {.file = file, .image = image, .status = status_ok()};
    reading.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning,
                                           &reading, allocate, give_back);
    if (reading.png == NULL) {
        return status_skip("%s: not enough memory to decode it", file->name);
    }
    reading.info = png_create_info_struct(reading.png);
    if (reading.info == NULL) {
        reading.status = status_skip("%s: not enough memory to decode it", file->name);
    } else {
        read_guarded(&reading, header_only);
    }
    png_free(reading.png, reading.row);
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    if (!status_is_ok(&reading.status)) {
        image_free(image);
    }
    return reading.status;
}

const ImageFormat png_format = {.name = "PNG", .matches = png_matches, .read = png_read};

LibraryVersion png_library(void) {
    return (LibraryVersion){
        .name = "libpng", .used = png_get_libpng_ver(NULL), .built = PNG_LIBPNG_VER_STRING};
}
