#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "datasets.h"
#include "image_format.h"

/* The most that deflate can expand its input (zlib's technical notes). */
enum { DEFLATE_RATIO_MAX = 1032 };

enum {
    SIGNATURE_SIZE = 8,
    WIDTH_AT = 16,
    HEIGHT_AT = 20,
    HEADER_END = 24,
    DEPTH_AT = 24,
    DEEP = 16,
    ADAM7_PASSES = 7
};

/* Smallest and largest of what was seen of one sample of each pixel. */
typedef struct Range {
    uint16_t least, most;
} Range;

/* All state is here and not in local variables, whose values setjmp would leave undefined. */
typedef struct PngReading {
    const EncodedImage *file;
    size_t position; /* bytes of the file consumed */
    png_structp png;
    png_infop info;
    png_bytep row; /* owned; one decoded row */
    Image *image;
    uint32_t width, height; /* as stored */
    unsigned orientation;
    PixelPlaces places;
    Range alpha;
    Status status;
    bool short_of_memory;
    bool has_pixels;  /* all of them, with the checksum of the last ones */
    FilePixels *deep; /* 16 bits are wanted, and `image` is that of these; NULL: 8 bits */
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
    if (reading->short_of_memory) {
        reading->status = status_skip("%s: not enough memory to decode it", reading->file->name);
    } else if (reading->has_pixels) {
        image_format_warn(reading->file, "the PNG has all its pixels, but its end is damaged: %s",
                          message);
    } else {
        reading->status =
            status_make(STATUS_FILE, "%s: damaged PNG: %s", reading->file->name, message);
    }
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

static bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* What libpng warns of elsewhere is in chunks that are not used. */
static void on_warning(png_structp png, png_const_charp message) {
    const PngReading *reading = png_get_error_ptr(png);
    if (ends_in(message, ": CRC error")) {
        image_format_warn(reading->file,
                          "a chunk of the PNG that is not needed has a wrong checksum and is left "
                          "out: %.4s",
                          message);
    } else if (strncmp(message, "IDAT: ", strlen("IDAT: ")) == 0 && ends_in(message, " data")) {
        image_format_warn(reading->file,
                          "the PNG holds more rows than its header says; those are left out");
    } else if (strncmp(message, "IDAT: ", strlen("IDAT: ")) == 0) {
        image_format_warn(reading->file, "the PNG's samples are odd: %s", message);
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
static Status check_plausible(const PngReading *reading) {
    const uint64_t unpacked =
        (uint64_t)reading->height * (png_get_rowbytes(reading->png, reading->info) + 1);
    if (unpacked / DEFLATE_RATIO_MAX > reading->file->size) {
        return status_make(STATUS_FILE,
                           "%s: truncated or forged PNG: its header asks for %" PRIu64
                           " bytes of samples, more than %zu bytes can hold",
                           reading->file->name, unpacked, reading->file->size);
    }
    return status_ok();
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* A chunk: length and name, as many bytes, a checksum of name and bytes. */
enum { FRAME_BEGIN = 8, FRAME = 12, NAME_AT = 4 };

static bool is_named(const uint8_t *chunk, const char *name) {
    return memcmp(chunk + NAME_AT, name, 4) == 0;
}

static bool has_right_checksum(const uint8_t *chunk, size_t length) {
    const uLong sum = crc32(0, chunk + NAME_AT, (uInt)(length + FRAME_BEGIN - NAME_AT));
    return sum == png_get_uint_32(chunk + FRAME_BEGIN + length);
}

/*
 * The orientation in the chunk eXIf, which may stand before the pixels or after them. Where only
 * the beginning of a file is there, it may come later: the status is STATUS_FILE, and the whole
 * file has to be read. It is looked for here because libpng would give it with the header only
 * where it comes first.
 */
static Status find_orientation(PngReading *reading) {
    const EncodedImage *file = reading->file;
    size_t at = SIGNATURE_SIZE;
    reading->orientation = ORIENTATION_STORED;
    while (file->size - at >= FRAME) {
        const uint8_t *chunk = file->bytes + at;
        const size_t length = png_get_uint_32(chunk);
        if (is_named(chunk, "IEND") || length > PNG_UINT_31_MAX) {
            return status_ok();
        }
        if (length > file->size - at - FRAME) {
            break;
        }
        if (is_named(chunk, "eXIf") && has_right_checksum(chunk, length)) {
            reading->orientation = image_format_orientation(file, chunk + FRAME_BEGIN, length);
            return status_ok();
        }
        at += FRAME + length;
    }
    return file->size == file->file_size
               ? status_ok()
               : status_make(STATUS_FILE, "%s: only its beginning was read", file->name);
}

/* Apple's tools for its telephones write files whose first chunk is another one than a PNG's: the
 * samples are in another order, compressed without the frame that deflate has in PNG. */
static Status check_first_chunk(const EncodedImage *file) {
    return file->size >= SIGNATURE_SIZE + FRAME_BEGIN &&
                   is_named(file->bytes + SIGNATURE_SIZE, "CgBI")
               ? status_make(STATUS_FILE,
                             "%s: is a CgBI file, Apple's variant of PNG, which cannot be read "
                             "here; convert it to PNG",
                             file->name)
               : status_ok();
}

/* --- Header ----------------------------------------------------------------------------------- */

static void check(PngReading *reading, Status status) {
    if (!status_is_ok(&status)) {
        fail(reading, status);
    }
}

/* libpng reports impossible sides as "invalid header" only, so they are checked first. */
static void read_header(PngReading *reading) {
    const EncodedImage *file = reading->file;
    check(reading, check_first_chunk(file));
    if (file->size >= HEADER_END) {
        check(reading, image_format_check_size(file, png_get_uint_32(file->bytes + WIDTH_AT),
                                               png_get_uint_32(file->bytes + HEIGHT_AT)));
    }
    png_read_info(reading->png, reading->info);
    reading->width = png_get_image_width(reading->png, reading->info);
    reading->height = png_get_image_height(reading->png, reading->info);
    check(reading, find_orientation(reading));
    image_format_sides((int32_t)reading->width, (int32_t)reading->height, reading->orientation,
                       reading->image);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Afterwards every row has one grey byte or three colour bytes a pixel, and one of alpha behind
 * them where the file has any; or as many pairs of bytes, the higher one first. */
static void set_transformations(PngReading *reading) {
    png_structp png = reading->png;
    if (reading->deep == NULL) {
        png_set_scale_16(png);
    }
    png_set_palette_to_rgb(png);
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_tRNS_to_alpha(png);
    png_read_update_info(png, reading->info);
}

static Range range_with(Range range, uint16_t sample) {
    range.least = sample < range.least ? sample : range.least;
    range.most = sample > range.most ? sample : range.most;
    return range;
}

static Range range_over(Range range, const uint8_t *bytes, size_t count, size_t step) {
    for (size_t i = 0; i < count; i++) {
        range = range_with(range, bytes[i * step]);
    }
    return range;
}

/* Takes the alpha out of a row. */
static void strip_alpha(PngReading *reading, size_t channels, size_t count) {
    uint8_t *row = reading->row;
    reading->alpha = range_over(reading->alpha, row + channels, count, channels + 1);
    for (size_t i = 0; i < count; i++) {
        memmove(row + i * channels, row + i * (channels + 1), channels);
    }
}

static void store_deep_row(PngReading *reading, size_t channels, size_t count, uint8_t *grey,
                           ptrdiff_t step) {
    for (size_t i = 0; i < count; i++) {
        unsigned sample[4] = {0};
        const uint8_t *bytes = reading->row + 2 * i * channels;
        for (size_t c = 0; c < channels; c++) {
            sample[c] = (unsigned)bytes[2 * c] << 8 | bytes[2 * c + 1];
        }
        const uint16_t level =
            channels >= 3 ? deep_grey_of(sample[0], sample[1], sample[2]) : (uint16_t)sample[0];
        memcpy(grey + (ptrdiff_t)i * step, &level, sizeof level);
        if (channels % 2 == 0) {
            reading->alpha = range_with(reading->alpha, (uint16_t)sample[channels - 1]);
        }
    }
}

static void store_row(PngReading *reading, size_t channels, size_t count, uint8_t *grey,
                      ptrdiff_t step) {
    const size_t colours = channels >= 3 ? 3 : 1;
    if (reading->deep != NULL) {
        store_deep_row(reading, channels, count, grey, step);
        return;
    }
    if (channels > colours) {
        strip_alpha(reading, colours, count);
    }
    (colours == 3 ? grey_from_rgb : grey_from_grey)(reading->row, count, grey, step);
}

/* Interlaced images are read pass by pass and scattered, so that no colour copy of the whole
 * image is needed. */
static void read_pass(PngReading *reading, size_t channels, int pass) {
    const PixelPlaces *places = &reading->places;
    const bool whole = pass < 0;
    const uint32_t width = reading->width;
    const uint32_t height = reading->height;
    const uint32_t columns = whole ? width : PNG_PASS_COLS(width, pass);
    const uint32_t rows = whole ? height : PNG_PASS_ROWS(height, pass);
    const ptrdiff_t left = whole ? 0 : PNG_PASS_START_COL(pass);
    const ptrdiff_t top = whole ? 0 : PNG_PASS_START_ROW(pass);
    const ptrdiff_t column_step = whole ? 1 : 1 << PNG_PASS_COL_SHIFT(pass);
    const ptrdiff_t row_step = whole ? 1 : 1 << PNG_PASS_ROW_SHIFT(pass);
    if (columns == 0) {
        return;
    }
    for (uint32_t row = 0; row < rows; row++) {
        png_read_row(reading->png, reading->row, NULL);
        const ptrdiff_t y = top + (ptrdiff_t)row * row_step;
        store_row(reading, channels, columns,
                  places->first + y * places->down + left * places->across,
                  column_step * places->across);
    }
}

static void read_rows(PngReading *reading) {
    const size_t channels = png_get_channels(reading->png, reading->info);
    reading->row = png_malloc(reading->png, png_get_rowbytes(reading->png, reading->info));
    if (png_get_interlace_type(reading->png, reading->info) == PNG_INTERLACE_NONE) {
        read_pass(reading, channels, -1);
    } else {
        for (int pass = 0; pass < ADAM7_PASSES; pass++) {
            read_pass(reading, channels, pass);
        }
    }
    reading->has_pixels = true;
}

/* Bytes that are all alike are those of one colour, or of few. */
static void warn_of_alpha(const PngReading *reading) {
    Range grey = {.least = UINT16_MAX};
    const size_t pixel = reading->deep != NULL ? sizeof(uint16_t) : 1;
    for (int32_t y = 0; y < reading->image->height && grey.least >= grey.most; y++) {
        const uint8_t *row = image_row(reading->image, y);
        for (size_t x = 0; x < (size_t)reading->image->width; x++) {
            uint16_t level = row[x];
            if (reading->deep != NULL) {
                memcpy(&level, row + pixel * x, sizeof level);
            }
            grey = range_with(grey, level);
        }
    }
    if (grey.least == grey.most && reading->alpha.least < reading->alpha.most) {
        image_format_warn(reading->file,
                          "the PNG has one colour alone: its picture is in the alpha "
                          "channel, which is not used");
    }
}

/* Memory of the turned image; read_header has set its sides. */
static Status create_image(PngReading *reading) {
    const int32_t width = (int32_t)reading->width, height = (int32_t)reading->height;
    if (reading->deep == NULL) {
        return image_format_create_turned(reading->file, width, height, reading->orientation,
                                          reading->image, &reading->places);
    }
    STATUS_TRY(image_format_create_pixels(reading->file, reading->image->width,
                                          reading->image->height, OUTPUT_ARRAY_U16, UINT16_MAX,
                                          reading->deep));
    image_format_turn(reading->file, width, height, reading->orientation, sizeof(uint16_t),
                      reading->image, &reading->places);
    return status_ok();
}

static void read_pixels(PngReading *reading) {
    check(reading, check_plausible(reading));
    check(reading, create_image(reading));
    set_transformations(reading);
    read_rows(reading);
    warn_of_alpha(reading);
    png_read_end(reading->png, NULL); /* sees a missing end and the last checksums */
}

static void read_guarded(PngReading *reading, bool header_only) {
    if (setjmp(png_jmpbuf(reading->png)) != 0) {
        return; /* reading->status was set on the way */
    }
    png_set_read_fn(reading->png, reading, read_bytes);
    png_set_user_limits(reading->png, (png_uint_32)IMAGE_SIDE_MAX, (png_uint_32)IMAGE_SIDE_MAX);
    /* Text, profiles and the like are not used, and libpng allocates as many bytes as such a
     * chunk claims to have. They are skipped; a palette's alpha, at most 256 bytes, is kept. */
    png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "tRNS",
                                1);
    png_set_crc_action(reading->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    read_header(reading);
    if (!header_only) {
        read_pixels(reading);
    }
}

static Status read_image(const EncodedImage *file, bool header_only, FilePixels *deep,
                         Image *image) {
    PngReading reading = {.file = file,
                          .image = image,
                          .deep = deep,
                          .alpha = {.least = UINT16_MAX},
                          .status = status_ok()};
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

static Status png_read(const EncodedImage *file, bool header_only, Image *image) {
    return read_image(file, header_only, NULL, image);
}

static bool png_is_deep(const EncodedImage *file) {
    return file->size > DEPTH_AT && file->bytes[DEPTH_AT] == DEEP;
}

static Status png_read_deep(const EncodedImage *file, FilePixels *samples) {
    return read_image(file, false, samples, &samples->image);
}

const ImageFormat png_format = {.name = "PNG",
                                .matches = png_matches,
                                .read = png_read,
                                .is_deep = png_is_deep,
                                .read_deep = png_read_deep};

LibraryVersion png_library(void) {
    return (LibraryVersion){
        .name = "libpng", .used = png_get_libpng_ver(NULL), .built = PNG_LIBPNG_VER_STRING};
}
