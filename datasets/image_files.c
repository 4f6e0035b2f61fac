#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "datasets.h"
#include "elements.h"
#include "files.h"
#include "fnv.h"
#include "image_format.h"
#include "mapped_file.h"
#include "resources.h"

/* === Image memory ============================================================================= */

enum { PIXEL_ALIGNMENT = 64 };

static Status check_sides(int32_t width, int32_t height, int32_t width_max) {
    if (width < 1 || height < 1 || width > width_max || height > IMAGE_SIDE_MAX ||
        (uint64_t)width * (uint64_t)height > IMAGE_PIXELS_MAX) {
        return status_make(STATUS_USAGE,
                           "an image of %" PRId32 "x%" PRId32
                           " pixels is not possible; sides are 1 to %" PRId32
                           " and their product at most %" PRIu64,
                           width, height, IMAGE_SIDE_MAX, IMAGE_PIXELS_MAX);
    }
    return status_ok();
}

/* Of sides that are possible. */
static Status allocate(int32_t width, int32_t height, size_t stride, Image *image) {
    char what[64];
    size_t bytes = 0;
    snprintf(what, sizeof what, "an image of %" PRId32 "x%" PRId32 " pixels", width, height);
    if (__builtin_mul_overflow(stride, (size_t)height, &bytes)) {
        return free_memory_short(what, UINT64_MAX);
    }
    STATUS_TRY(free_memory_check(what, bytes));
    void *pixels = NULL;
    if (posix_memalign(&pixels, PIXEL_ALIGNMENT, bytes) != 0) {
        return free_memory_short(what, bytes);
    }
    *image = (Image){.width = width, .height = height, .stride = stride, .pixels = pixels};
    return status_ok();
}

Status image_create(int32_t width, int32_t height, size_t stride_multiple, Image *image) {
    const size_t multiple = stride_multiple == 0 ? 1 : stride_multiple;
    *image = (Image){0};
    STATUS_TRY(check_sides(width, height, IMAGE_SIDE_MAX));
    size_t stride = 0;
    if (__builtin_mul_overflow(((size_t)width - 1) / multiple + 1, multiple, &stride)) {
        stride = SIZE_MAX;
    }
    return allocate(width, height, stride, image);
}

Status image_create_elements(int32_t width, int32_t height, OutputKind element, Image *image) {
    *image = (Image){0};
    STATUS_TRY(check_sides(width, height, height == 1 ? INT32_MAX : IMAGE_SIDE_MAX));
    return allocate(width, height, (size_t)width * output_element_size(element), image);
}

void image_free(Image *image) {
    if (image != NULL) {
        if (!mapped_file_close(image->pixels)) {
            free(image->pixels);
        }
        *image = (Image){0};
    }
}

bool image_is_mapped(const Image *image) {
    return mapped_file_holds(image->pixels);
}

/* Bytes of a mapped image that are in use at once while it is hashed. */
enum { HASH_BAND_BYTES = 64 << 20 };

uint64_t image_hash(const Image *image) {
    uint64_t hash = FNV_START;
    const size_t rows_of_band = HASH_BAND_BYTES / image->stride + 1;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        hash = fnv_bytes(hash, image_row(image, (int32_t)y), (size_t)image->width);
        if ((y + 1) % rows_of_band == 0) {
            mapped_file_leave(image_row(image, (int32_t)(y + 1 - rows_of_band)),
                              rows_of_band * image->stride);
        }
    }
    return hash;
}

/* === Reading ================================================================================== */

/* Enough for the header of nearly every file. */
enum { HEADER_BYTES = 64 * 1024 };

/* More than the largest image has, in any format. */
static const uint64_t file_size_max = (uint64_t)1 << 39;

/* The raw format is first: its contents may begin as those of any other. */
static const ImageFormat *const formats[] = {&raw_format, &png_format, &jpeg_format,
                                             &pnm_format, &pfm_format, &npy_format};

Status image_format_check_size(const EncodedImage *file, uint64_t width, uint64_t height) {
    if (width == 0 || height == 0) {
        return status_make(STATUS_FILE,
                           "%s: its header gives %" PRIu64 "x%" PRIu64
                           " pixels; both must be at least 1",
                           file->name, width, height);
    }
    if (width > (uint64_t)IMAGE_SIDE_MAX || height > (uint64_t)IMAGE_SIDE_MAX ||
        width * height > IMAGE_PIXELS_MAX) {
        return status_make(STATUS_FILE,
                           "%s: its header gives %" PRIu64 "x%" PRIu64
                           " pixels; a side is at most %" PRId32 " and an image at most %" PRIu64
                           " pixels",
                           file->name, width, height, IMAGE_SIDE_MAX, IMAGE_PIXELS_MAX);
    }
    return status_ok();
}

Status image_format_create(const EncodedImage *file, int32_t width, int32_t height, Image *image) {
    const Status status = image_create(width, height, 1, image);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "%s: %s", file->name, status.why);
}

Status image_format_create_pixels(const EncodedImage *file, int32_t width, int32_t height,
                                  OutputKind kind, uint32_t white, FilePixels *samples) {
    *samples = (FilePixels){.kind = kind, .white = white};
    const Status status = image_create_elements(width, height, kind, &samples->image);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "%s: %s", file->name, status.why);
}

static bool is_lowest_first_here(void) {
    const uint16_t one = 1;
    uint8_t first = 0;
    memcpy(&first, &one, 1);
    return first == 1;
}

void image_format_copy_numbers(const uint8_t *bytes, bool lowest_first, bool bottom_up,
                               FilePixels *samples) {
    const Image *image = &samples->image;
    const size_t size = output_element_size(samples->kind);
    for (int32_t y = 0; y < image->height; y++) {
        uint8_t *row = image->pixels + (size_t)y * image->stride;
        const int32_t from = bottom_up ? image->height - 1 - y : y;
        memcpy(row, bytes + (size_t)from * image->stride, image->stride);
        for (size_t i = 0; lowest_first != is_lowest_first_here() && i < image->stride; i += size) {
            for (size_t low = i, high = i + size - 1; low < high; low++, high--) {
                const uint8_t byte = row[low];
                row[low] = row[high];
                row[high] = byte;
            }
        }
    }
}

void image_format_warn_of_rest(const EncodedImage *file, const char *format, uint64_t bytes,
                               const char *why) {
    if (bytes > 0) {
        image_format_warn(file, "%" PRIu64 " byte%s follow%s the samples of the %s%s", bytes,
                          bytes == 1 ? "" : "s", bytes == 1 ? "s" : "", format, why);
    }
}

/* --- What is said ----------------------------------------------------------------------------- */

/* Lines of one kind, which a folder of thousands of files would have as many of. */
enum { ALIKE_MAX = 10, KINDS_MAX = 32, LINE_SIZE = 1024 };

typedef struct LineKind {
    const char *format; /* by which kinds are distinguished */
    int count;
    uint64_t said[ALIKE_MAX]; /* hashes */
} LineKind;

static void (*say_line)(const char *line);
static LineKind line_kinds[KINDS_MAX];

void image_read_notes(void (*say)(const char *line)) {
    say_line = say;
    memset(line_kinds, 0, sizeof line_kinds);
}

/* NULL: there are too many. */
static LineKind *kind_of(const char *format) {
    for (size_t i = 0; i < KINDS_MAX; i++) {
        if (line_kinds[i].format == NULL || line_kinds[i].format == format) {
            line_kinds[i].format = format;
            return &line_kinds[i];
        }
    }
    return NULL;
}

/* Whether a line is to be said: an image is read again for each size of a run. */
static bool is_new(LineKind *kind, const char *line) {
    const uint64_t hash = fnv_bytes(FNV_START, line, strlen(line));
    for (int i = 0; i < kind->count && i < ALIKE_MAX; i++) {
        if (kind->said[i] == hash) {
            return false;
        }
    }
    if (kind->count < ALIKE_MAX) {
        kind->said[kind->count] = hash;
    }
    return kind->count++ <= ALIKE_MAX;
}

static void say(const char *word, const char *name, const char *format, va_list arguments) {
    char line[LINE_SIZE];
    LineKind *kind = say_line != NULL ? kind_of(format) : NULL;
    if (kind == NULL) {
        return;
    }
    const int length = snprintf(line, sizeof line, "%s: %.500s: ", word, name);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    if (is_new(kind, line)) {
        say_line(kind->count <= ALIKE_MAX ? line : "note: further files like these are not named");
    }
}

void image_format_say(const char *word, const EncodedImage *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(word, file->name, format, arguments);
    va_end(arguments);
}

/* --- Formats ---------------------------------------------------------------------------------- */

static const ImageFormat *format_of(const EncodedImage *file) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i]->matches(file)) {
            return formats[i];
        }
    }
    return NULL;
}

/* How files of other formats begin, so that a message can name them. '?' stands for any byte. */
static const struct {
    const char *bytes;
    size_t size;
    const char *name;
} others[] = {
    {"\0\0\0\x0cjP  \r\n\x87\n", 12, "a JPEG 2000 image"},
    {"\xff\x4f\xff\x51", 4, "a JPEG 2000 codestream"},
    {"\0\0\0\x0cJXL \r\n\x87\n", 12, "a JPEG XL image"},
    {"\xff\x0a", 2, "a JPEG XL codestream"},
    {"RIFF????WEBP", 12, "a WebP image"},
    {"????ftypavi", 11, "an AVIF image"},
    {"????ftyphe", 10, "a HEIF image"},
    {"????ftypmif1", 12, "a HEIF image"},
    {"II*\0", 4, "a TIFF image"},
    {"MM\0*", 4, "a TIFF image"},
    {"II+\0", 4, "a BigTIFF image"},
    {"MM\0+", 4, "a BigTIFF image"},
    {"GIF8", 4, "a GIF image"},
    {"BM????\0\0\0\0", 10, "a BMP image"},
    {"\0\0\1\0", 4, "an icon (ICO)"},
    {"\x8aMNG\r\n\x1a\n", 8, "an MNG animation"},
    {"\x8bJNG\r\n\x1a\n", 8, "a JNG image"},
    {"8BPS", 4, "a Photoshop image"},
    {"\x76\x2f\x31\x01", 4, "an OpenEXR image"},
    {"#?RADIANCE", 10, "a Radiance image"},
    {"qoif", 4, "a QOI image"},
    {"farbfeld", 8, "a farbfeld image"},
    {"DDS ", 4, "a DDS texture"},
    {"P7\n", 3, "a PAM image"},
    {"SIMPLE  =", 9, "a FITS image"},
};

static bool begins(const EncodedImage *file, const char *bytes, size_t size) {
    bool same = file->size >= size;
    for (size_t i = 0; same && i < size; i++) {
        same = bytes[i] == '?' || (uint8_t)bytes[i] == file->bytes[i];
    }
    return same;
}

/* "a GIF image"; NULL: none that is known. */
static const char *other_format(const EncodedImage *file) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (begins(file, others[i].bytes, others[i].size)) {
            return others[i].name;
        }
    }
    return NULL;
}

static Status refuse_format(const EncodedImage *file) {
    const char *other = other_format(file);
    return other != NULL
               ? status_make(STATUS_FILE,
                             "%s: is %s, which cannot be read here; convert it to PNG, JPEG, PBM, "
                             "PGM or PPM",
                             file->name, other)
               : status_make(
                     STATUS_FILE,
                     "%s: not an image that can be read here; PNG, JPEG, PBM, PGM, PPM, PFM, NPY "
                     "and raw can",
                     file->name);
}

/* --- Decoding --------------------------------------------------------------------------------- */

static Status decode(const EncodedImage *file, bool header_only, Image *image) {
    *image = (Image){0};
    if (file->size == 0) {
        return status_make(STATUS_FILE, "%s: the file is empty", file->name);
    }
    const ImageFormat *format = format_of(file);
    return format != NULL ? format->read(file, header_only, image) : refuse_format(file);
}

/* Whether pixels of the type are not those of the image of 8 bits. */
static bool is_deep(const EncodedImage *file, OutputKind element) {
    const ImageFormat *format = file->size > 0 ? format_of(file) : NULL;
    return format != NULL && format->is_deep != NULL && format->is_deep(file) &&
           (format->numbers || output_element_size(element) > 1);
}

static Status rescale(int32_t width, int32_t height,
                      Status (*function)(const Image *, int32_t, int32_t, Image *), Image *image) {
    if (width == 0 || (width == image->width && height == image->height)) {
        return status_ok();
    }
    Image source = *image;
    const Status status = function(&source, width, height, image);
    image_free(&source);
    return status;
}

/* Numbers, and levels of other than 8 bits. */
static Status decode_deep(const EncodedImage *file, OutputKind element, int32_t width,
                          int32_t height, Image *image) {
    FilePixels samples = {.white = 0};
    STATUS_TRY(format_of(file)->read_deep(file, &samples));
    if (samples.white > 0) {
        STATUS_TRY(rescale(width, height, image_rescale_u16, &samples.image));
    } else if (width != 0 && (width != samples.image.width || height != samples.image.height)) {
        const Status status = status_make(STATUS_USAGE,
                                          "%s: has numbers, which are not scaled from %" PRId32
                                          "x%" PRId32 "; --sizes native would be right",
                                          file->name, samples.image.width, samples.image.height);
        image_free(&samples.image);
        return status;
    }
    return image_format_convert(file->name, &samples, element, image);
}

/* Levels of 8 bits. */
static Status decode_levels(const EncodedImage *file, OutputKind element, int32_t width,
                            int32_t height, Image *image) {
    Image levels = {0};
    STATUS_TRY(decode(file, false, &levels));
    STATUS_TRY(rescale(width, height, image_rescale, &levels));
    if (output_element_size(element) == 1) {
        *image = levels;
        return status_ok();
    }
    FilePixels samples;
    const Status status = image_format_create_pixels(file, levels.width, levels.height,
                                                     OUTPUT_ARRAY_U16, UINT8_MAX, &samples);
    for (size_t i = 0; status_is_ok(&status) && i < image_pixel_count(&levels); i++) {
        ((uint16_t *)(void *)samples.image.pixels)[i] = levels.pixels[i];
    }
    image_free(&levels);
    return status_is_ok(&status) ? image_format_convert(file->name, &samples, element, image)
                                 : status;
}

Status image_decode_elements(const char *name, const uint8_t *bytes, size_t size,
                             OutputKind element, int32_t width, int32_t height, Image *image) {
    const EncodedImage file = {.name = name, .bytes = bytes, .size = size, .file_size = size};
    *image = (Image){0};
    return (is_deep(&file, element) ? decode_deep : decode_levels)(&file, element, width, height,
                                                                   image);
}

Status image_decode(const char *name, const uint8_t *bytes, size_t size, Image *image) {
    const EncodedImage file = {.name = name, .bytes = bytes, .size = size, .file_size = size};
    return decode(&file, false, image);
}

Status image_read(const char *path, Image *image) {
    *image = (Image){0};
    FileBytes contents;
    STATUS_TRY(file_bytes_read(path, "an image", file_size_max, &contents));
    const Status status = image_decode(path, contents.bytes, contents.size, image);
    file_bytes_free(&contents);
    return status;
}

Status image_read_elements(const char *path, OutputKind element, int32_t width, int32_t height,
                           Image *image) {
    *image = (Image){0};
    FileBytes contents;
    STATUS_TRY(file_bytes_read(path, "an image", file_size_max, &contents));
    const Status status =
        image_decode_elements(path, contents.bytes, contents.size, element, width, height, image);
    file_bytes_free(&contents);
    return status;
}

static EncodedImage encoded(const char *path, const FileBytes *contents) {
    return (EncodedImage){.name = path,
                          .bytes = contents->bytes,
                          .size = contents->size,
                          .file_size = contents->file_size};
}

static Status locate_pixels(const char *path, Image *image, uint64_t *offset) {
    FileBytes start;
    STATUS_TRY(file_bytes_read_start(path, HEADER_BYTES, &start));
    const EncodedImage file = encoded(path, &start);
    const ImageFormat *format = format_of(&file);
    const Status status = format != NULL && format->locate != NULL
                              ? format->locate(&file, image, offset)
                              : status_skip("the file has to be decoded");
    file_bytes_free(&start);
    return status;
}

Status image_map(const char *path, Image *image) {
    uint64_t offset = 0;
    uint8_t *start = NULL;
    Image found = {0};
    *image = (Image){0};
    STATUS_TRY(locate_pixels(path, &found, &offset));
    STATUS_TRY(mapped_file_open(path, offset + image_pixel_count(&found), &start));
    *image = (Image){.width = found.width,
                     .height = found.height,
                     .stride = (size_t)found.width,
                     .pixels = start + offset};
    return status_ok();
}

static Status read_size(const char *path, bool whole, bool *cut, Image *image) {
    FileBytes contents;
    STATUS_TRY(whole ? file_bytes_read(path, "an image", file_size_max, &contents)
                     : file_bytes_read_start(path, HEADER_BYTES, &contents));
    const EncodedImage file = encoded(path, &contents);
    const Status status = decode(&file, true, image);
    *cut = contents.size < contents.file_size;
    file_bytes_free(&contents);
    return status;
}

Status image_read_size(const char *path, int32_t *width, int32_t *height) {
    Image image = {0};
    bool cut = false;
    Status status = read_size(path, false, &cut, &image);
    if (!status_is_ok(&status) && cut) {
        /* Large colour profiles or previews may stand before the dimensions. */
        status = read_size(path, true, &cut, &image);
    }
    *width = image.width;
    *height = image.height;
    return status;
}

bool image_has_numbers(const char *path) {
    FileBytes start;
    const Status status = file_bytes_read_start(path, HEADER_BYTES, &start);
    if (!status_is_ok(&status)) {
        return false;
    }
    const EncodedImage file = encoded(path, &start);
    const ImageFormat *format = format_of(&file);
    const bool numbers = format != NULL && format->numbers;
    file_bytes_free(&start);
    return numbers;
}

/* --- Images of a folder ----------------------------------------------------------------------- */

static bool has_name_of_image(const char *path) {
    static const char *const suffixes[] = {".png", ".jpg", ".jpeg", ".jpe", ".pbm", ".pgm",
                                           ".ppm", ".pnm", ".raw",  ".pfm", ".npy"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strcasecmp(dot, suffixes[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* As many bytes as tell every format. */
enum { BEGINNING = 256 };

static bool is_file(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static bool has_contents_of_image(const char *path) {
    FileBytes start;
    const Status status = file_bytes_read_start(path, BEGINNING, &start);
    if (!status_is_ok(&status)) {
        return false;
    }
    const EncodedImage file = encoded(path, &start);
    const bool known = format_of(&file) != NULL || other_format(&file) != NULL;
    file_bytes_free(&start);
    return known;
}

bool image_is_at(const char *path) {
    return is_file(path) && (has_name_of_image(path) || has_contents_of_image(path));
}

bool image_is_left_out(const char *path) {
    const EncodedImage file = {.name = path};
    if (!is_file(path) || image_is_at(path)) {
        return false;
    }
    image_format_say("left out", &file, "no image by its contents or its name");
    return true;
}

/* === Grey ===================================================================================== */

void grey_from_grey(const uint8_t *bytes, size_t count, uint8_t *grey, ptrdiff_t step) {
    for (size_t i = 0; i < count; i++) {
        grey[(ptrdiff_t)i * step] = bytes[i];
    }
}

void grey_from_rgb(const uint8_t *rgb, size_t count, uint8_t *grey, ptrdiff_t step) {
    for (size_t i = 0; i < count; i++) {
        grey[(ptrdiff_t)i * step] = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}

void grey_from_cmyk(const uint8_t *cmyk, size_t count, int inverted, uint8_t *grey,
                    ptrdiff_t step) {
    const unsigned flip = inverted ? 0u : 255u;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *ink = cmyk + 4 * i;
        const unsigned light = ink[3] ^ flip;
        const unsigned red = ((ink[0] ^ flip) * light + 127u) / 255u;
        const unsigned green = ((ink[1] ^ flip) * light + 127u) / 255u;
        const unsigned blue = ((ink[2] ^ flip) * light + 127u) / 255u;
        grey[(ptrdiff_t)i * step] = grey_of(red, green, blue);
    }
}
