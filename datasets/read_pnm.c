#include <inttypes.h>
#include <string.h>

#include "datasets.h"
#include "image_format.h"

enum { MAXVAL_LIMIT = 65535, NUMBER_LIMIT = 1000000000 };

typedef struct PnmReading {
    const EncodedImage *file;
    size_t position;
    char kind;         /* '1' to '6' */
    unsigned channels; /* 1 or 3 */
    uint32_t maxval;
    uint64_t width, height;
    Status status; /* set by whatever returns false: one per sample would cost more than decoding */
} PnmReading;

static bool is_space(uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_digit(uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_bitmap(const PnmReading *reading) {
    return reading->kind == '1' || reading->kind == '4';
}

static bool is_ascii(const PnmReading *reading) {
    return reading->kind <= '3';
}

static bool pnm_matches(const EncodedImage *file) {
    return file->size >= 3 && file->bytes[0] == 'P' && file->bytes[1] >= '1' &&
           file->bytes[1] <= '6' && (is_space(file->bytes[2]) || file->bytes[2] == '#');
}

static bool damaged(PnmReading *reading, const char *what) {
    reading->status = status_make(STATUS_FILE, "%s: damaged PNM (P%c): %s", reading->file->name,
                                  reading->kind, what);
    return false;
}

static bool truncated(PnmReading *reading) {
    return damaged(reading, "the file is truncated");
}

/* Moves to the next byte that is neither white space nor part of a comment ("#" to line end). */
static bool skip_blanks(PnmReading *reading) {
    const EncodedImage *file = reading->file;
    bool comment = false;
    for (; reading->position < file->size; reading->position++) {
        const uint8_t byte = file->bytes[reading->position];
        if (comment) {
            comment = byte != '\n' && byte != '\r';
        } else if (byte == '#') {
            comment = true;
        } else if (!is_space(byte)) {
            return true;
        }
    }
    return truncated(reading);
}

static bool read_number(PnmReading *reading, uint32_t *number) {
    const EncodedImage *file = reading->file;
    if (!skip_blanks(reading)) {
        return false;
    }
    if (!is_digit(file->bytes[reading->position])) {
        return damaged(reading, "there is something else where a number should be");
    }
    uint32_t value = 0;
    for (; reading->position < file->size && is_digit(file->bytes[reading->position]);
         reading->position++) {
        value = value * 10 + (uint32_t)(file->bytes[reading->position] - '0');
        if (value > NUMBER_LIMIT) {
            return damaged(reading, "a number is larger than 1000000000");
        }
    }
    *number = value;
    return true;
}

static bool read_header(PnmReading *reading) {
    uint32_t width = 0;
    uint32_t height = 0;
    reading->kind = (char)reading->file->bytes[1];
    reading->position = 2;
    reading->channels = reading->kind == '3' || reading->kind == '6' ? 3 : 1;
    reading->maxval = 1;
    if (!read_number(reading, &width) || !read_number(reading, &height)) {
        return false;
    }
    reading->status = image_format_check_size(reading->file, width, height);
    if (!status_is_ok(&reading->status)) {
        return false;
    }
    if (!is_bitmap(reading)) {
        if (!read_number(reading, &reading->maxval)) {
            return false;
        }
        if (reading->maxval < 1 || reading->maxval > MAXVAL_LIMIT) {
            return damaged(reading, "its maximum value must be 1 to 65535");
        }
    }
    reading->width = width;
    reading->height = height;
    return true;
}

/* Between the header and raw samples stands exactly one white space, after a comment if any. */
static bool start_of_samples(PnmReading *reading) {
    const EncodedImage *file = reading->file;
    if (is_ascii(reading)) {
        return true;
    }
    if (reading->position < file->size && file->bytes[reading->position] == '#') {
        while (reading->position < file->size && file->bytes[reading->position] != '\n') {
            reading->position++;
        }
    }
    if (reading->position >= file->size) {
        return truncated(reading);
    }
    if (!is_space(file->bytes[reading->position])) {
        return damaged(reading, "there is no white space between header and samples");
    }
    reading->position++;
    return true;
}

static unsigned sample_bytes(const PnmReading *reading) {
    return reading->maxval > UINT8_MAX ? 2 : 1;
}

/* So much must follow the header at least; checked before memory is allocated. */
static bool check_length(PnmReading *reading) {
    const uint64_t samples = reading->width * reading->height * reading->channels;
    const uint64_t left = reading->file->size - reading->position;
    uint64_t needed = samples * sample_bytes(reading);
    if (reading->kind == '1') {
        needed = samples; /* digits may stand without white space between them */
    } else if (reading->kind == '4') {
        needed = (reading->width + 7) / 8 * reading->height;
    } else if (is_ascii(reading)) {
        needed = 2 * samples - 1;
    }
    return left >= needed || truncated(reading);
}

static bool too_bright(PnmReading *reading, uint32_t sample) {
    reading->status = status_make(
        STATUS_FILE, "%s: damaged PNM (P%c): sample %" PRIu32 " is above its maximum %" PRIu32,
        reading->file->name, reading->kind, sample, reading->maxval);
    return false;
}

/* The next sample of a file that is not a bitmap. */
static bool next_sample(PnmReading *reading, uint32_t *sample) {
    if (is_ascii(reading)) {
        if (!read_number(reading, sample)) {
            return false;
        }
    } else {
        const uint8_t *bytes = reading->file->bytes + reading->position;
        const unsigned count = sample_bytes(reading);
        *sample = count == 2 ? (uint32_t)bytes[0] << 8 | bytes[1] : bytes[0];
        reading->position += count;
    }
    return *sample <= reading->maxval || too_bright(reading, *sample);
}

/* The next pixel of such a file, its colours in 0 … white. */
static bool next_pixel(PnmReading *reading, uint32_t white, uint16_t *pixel) {
    uint32_t colour[3] = {0};
    for (unsigned i = 0; i < reading->channels; i++) {
        if (!next_sample(reading, &colour[i])) {
            return false;
        }
        colour[i] = (colour[i] * white + reading->maxval / 2) / reading->maxval;
    }
    *pixel = reading->channels == 3 ? deep_grey_of(colour[0], colour[1], colour[2])
                                    : (uint16_t)colour[0];
    return true;
}

static bool read_row(PnmReading *reading, uint8_t *row) {
    uint16_t pixel = 0;
    for (uint64_t x = 0; x < reading->width; x++) {
        if (!next_pixel(reading, UINT8_MAX, &pixel)) {
            return false;
        }
        row[x] = (uint8_t)pixel;
    }
    return true;
}

/* In a bitmap 1 is black. */
static bool read_ascii_bits(PnmReading *reading, uint8_t *row) {
    for (uint64_t x = 0; x < reading->width; x++) {
        if (!skip_blanks(reading)) {
            return false;
        }
        const uint8_t bit = reading->file->bytes[reading->position++];
        if (bit != '0' && bit != '1') {
            return damaged(reading, "there is something else where a 0 or 1 should be");
        }
        row[x] = bit == '0' ? UINT8_MAX : 0;
    }
    return true;
}

static bool read_raw_bits(PnmReading *reading, uint8_t *row) {
    const uint8_t *bytes = reading->file->bytes + reading->position;
    for (uint64_t x = 0; x < reading->width; x++) {
        row[x] = (bytes[x / 8] >> (7 - x % 8) & 1) != 0 ? 0 : UINT8_MAX;
    }
    reading->position += (size_t)((reading->width + 7) / 8);
    return true;
}

static bool read_rows(PnmReading *reading, const Image *image) {
    bool (*read_one)(PnmReading *, uint8_t *) = read_row;
    if (reading->kind == '1') {
        read_one = read_ascii_bits;
    } else if (reading->kind == '4') {
        read_one = read_raw_bits;
    }
    for (int32_t y = 0; y < image->height; y++) {
        if (!read_one(reading, image->pixels + (size_t)y * image->stride)) {
            return false;
        }
    }
    return true;
}

/* --- What is left over ------------------------------------------------------------------------ */

/* Bytes behind the samples of a file, of which those before `end` are. */
static uint64_t left_over(const PnmReading *reading, uint64_t end) {
    const EncodedImage *file = reading->file;
    if (!is_ascii(reading)) {
        return file->file_size - end;
    }
    uint64_t bytes = 0;
    for (size_t at = reading->position; at < file->size; at++) {
        bytes += !is_space(file->bytes[at]);
    }
    return bytes;
}

/* Why samples may begin too early: what is taken for the first of them. */
static const char *early_start(const EncodedImage *file, uint64_t start) {
    if (start >= file->size) {
        return "";
    }
    if (file->bytes[start] == '\n' && file->bytes[start - 1] == '\r') {
        return ", since the line end CR LF of its header has its LF among the samples";
    }
    return file->bytes[start] == '#' ? ", since the comment behind its header is among the samples"
                                     : "";
}

/* Bytes between header and samples that are none shift the whole image; what is left over is all
 * that shows it. */
static void warn_of_rest(const PnmReading *reading, uint64_t start, uint64_t end) {
    image_format_warn_of_rest(reading->file, "PNM", left_over(reading, end),
                              is_ascii(reading) ? "" : early_start(reading->file, start));
}

static bool read_samples(PnmReading *reading, const Image *image) {
    uint16_t *pixels = (uint16_t *)(void *)image->pixels;
    for (size_t i = 0; i < image_pixel_count(image); i++) {
        if (!next_pixel(reading, reading->maxval, &pixels[i])) {
            return false;
        }
    }
    return true;
}

static bool pnm_is_deep(const EncodedImage *file) {
    PnmReading reading = {.file = file, .status = status_ok()};
    return read_header(&reading) && !is_bitmap(&reading) && reading.maxval != UINT8_MAX;
}

static Status pnm_read_deep(const EncodedImage *file, FilePixels *samples) {
    PnmReading reading = {.file = file, .status = status_ok()};
    if (!read_header(&reading) || !start_of_samples(&reading) || !check_length(&reading)) {
        return reading.status;
    }
    STATUS_TRY(image_format_create_pixels(file, (int32_t)reading.width, (int32_t)reading.height,
                                          OUTPUT_ARRAY_U16, reading.maxval, samples));
    const size_t start = reading.position;
    if (read_samples(&reading, &samples->image)) {
        warn_of_rest(&reading, start, reading.position);
    } else {
        image_free(&samples->image);
    }
    return reading.status;
}

static Status pnm_read(const EncodedImage *file, bool header_only, Image *image) {
    PnmReading reading = {.file = file, .status = status_ok()};
    if (!read_header(&reading)) {
        return reading.status;
    }
    if (header_only) {
        image->width = (int32_t)reading.width;
        image->height = (int32_t)reading.height;
        return reading.status;
    }
    if (!start_of_samples(&reading) || !check_length(&reading)) {
        return reading.status;
    }
    STATUS_TRY(image_format_create(file, (int32_t)reading.width, (int32_t)reading.height, image));
    const size_t start = reading.position;
    if (read_rows(&reading, image)) {
        warn_of_rest(&reading, start, reading.position);
    } else {
        image_free(image);
    }
    return reading.status;
}

/* A header that is longer than the beginning is no error here. */
static Status pnm_locate(const EncodedImage *file, Image *image, uint64_t *offset) {
    PnmReading reading = {.file = file, .status = status_ok()};
    if (!read_header(&reading) || !start_of_samples(&reading) || reading.kind != '5' ||
        reading.maxval != UINT8_MAX) {
        return status_skip("the samples have to be converted");
    }
    const uint64_t pixels = reading.width * reading.height;
    if (file->file_size - reading.position < pixels) {
        truncated(&reading);
        return reading.status;
    }
    warn_of_rest(&reading, reading.position, reading.position + pixels);
    image->width = (int32_t)reading.width;
    image->height = (int32_t)reading.height;
    *offset = reading.position;
    return status_ok();
}

const ImageFormat pnm_format = {.name = "PNM",
                                .matches = pnm_matches,
                                .read = pnm_read,
                                .locate = pnm_locate,
                                .is_deep = pnm_is_deep,
                                .read_deep = pnm_read_deep};
