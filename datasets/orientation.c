/* Orientation: how an image is turned to stand upright, as its Exif data say. */

#include "datasets.h"
#include "image_format.h"

#include <string.h>

/* === Exif ===================================================================================== */

enum {
    HEADER = 8, /* byte order, 42, and where the first directory is */
    ENTRY = 12, /* tag, type, count, and a value of up to four bytes */
    VALUE_AT = 8,
    MAGIC = 42,
    TAG_ORIENTATION = 0x0112
};

enum { TYPE_BYTE = 1, TYPE_SHORT = 3, TYPE_LONG = 4 };

/* The block of a TIFF file without its images. */
typedef struct ExifReading {
    const uint8_t *bytes;
    size_t size;
    bool big_endian;
} ExifReading;

static uint32_t number_at(const ExifReading *exif, size_t at, unsigned bytes) {
    uint32_t number = 0;
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned place = exif->big_endian ? i : bytes - 1 - i;
        number = number << 8 | exif->bytes[at + place];
    }
    return number;
}

static bool read_header(ExifReading *exif) {
    if (exif->size < HEADER) {
        return false;
    }
    exif->big_endian = memcmp(exif->bytes, "MM", 2) == 0;
    return (exif->big_endian || memcmp(exif->bytes, "II", 2) == 0) &&
           number_at(exif, 2, 2) == MAGIC;
}

static uint32_t value_of(const ExifReading *exif, size_t entry) {
    switch (number_at(exif, entry + 2, 2)) {
    case TYPE_BYTE: return number_at(exif, entry + VALUE_AT, 1);
    case TYPE_SHORT: return number_at(exif, entry + VALUE_AT, 2);
    case TYPE_LONG: return number_at(exif, entry + VALUE_AT, 4);
    default: return 0;
    }
}

enum { UNREADABLE = 0 };

/* A number that is none of the orientations means nothing, and the image is as it should be. Only
 * the first directory is read: it is that of the image, the next that of a preview. */
static unsigned orientation_in(const uint8_t *bytes, size_t size) {
    ExifReading exif = {.bytes = bytes, .size = size};
    if (!read_header(&exif)) {
        return UNREADABLE;
    }
    const size_t directory = number_at(&exif, 4, 4);
    if (directory > size || size - directory < 2) {
        return UNREADABLE;
    }
    const uint32_t entries = number_at(&exif, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + i * ENTRY;
        if (size - directory - 2 < (i + 1) * ENTRY) {
            return UNREADABLE;
        }
        if (number_at(&exif, entry, 2) == TAG_ORIENTATION) {
            const uint32_t value = value_of(&exif, entry);
            return value >= 1 && value <= ORIENTATIONS ? value : ORIENTATION_STORED;
        }
    }
    return ORIENTATION_STORED;
}

/* === Turning ================================================================================== */

/* What is done to the rows and columns that are stored: those from right to left, those from bottom
 * to top, and both changed for each other. */
static const struct {
    bool from_right, from_bottom, swapped;
    const char *done;
} turns[ORIENTATIONS + 1] = {
    [2] = {.from_right = true, .done = "mirrored"},
    [3] = {.from_right = true, .from_bottom = true, .done = "turned by 180 degrees"},
    [4] = {.from_bottom = true, .done = "mirrored top to bottom"},
    [5] = {.swapped = true, .done = "mirrored and turned by 90 degrees to the left"},
    [6] = {.from_bottom = true, .swapped = true, .done = "turned by 90 degrees to the right"},
    [7] = {.from_right = true,
           .from_bottom = true,
           .swapped = true,
           .done = "mirrored and turned by 90 degrees to the right"},
    [8] = {.from_right = true, .swapped = true, .done = "turned by 90 degrees to the left"},
};

static bool is_turning = true;

void image_read_as_stored(bool as_stored) {
    is_turning = !as_stored;
}

bool image_read_is_as_stored(void) {
    return !is_turning;
}

unsigned image_format_orientation(const EncodedImage *file, const uint8_t *exif, size_t size) {
    if (exif == NULL || !is_turning) {
        return ORIENTATION_STORED;
    }
    const unsigned orientation = orientation_in(exif, size);
    if (orientation == UNREADABLE) {
        image_format_warn(file, "its Exif data are damaged, so that it is not turned");
        return ORIENTATION_STORED;
    }
    return orientation;
}

void image_format_sides(int32_t width, int32_t height, unsigned orientation, Image *image) {
    const bool swapped = turns[orientation].swapped;
    image->width = swapped ? height : width;
    image->height = swapped ? width : height;
}

void image_format_turn(const EncodedImage *file, int32_t width, int32_t height,
                       unsigned orientation, size_t pixel_bytes, const Image *image,
                       PixelPlaces *places) {
    const ptrdiff_t stride = (ptrdiff_t)image->stride;
    const ptrdiff_t pixel = (ptrdiff_t)pixel_bytes;
    *places = (PixelPlaces){.first = image->pixels,
                            .across = turns[orientation].swapped ? stride : pixel,
                            .down = turns[orientation].swapped ? pixel : stride};
    if (turns[orientation].from_right) {
        places->first += (width - 1) * places->across;
        places->across = -places->across;
    }
    if (turns[orientation].from_bottom) {
        places->first += (height - 1) * places->down;
        places->down = -places->down;
    }
    if (turns[orientation].done != NULL) {
        image_format_note(file, "%s, as its Exif orientation %u says; --no-orient leaves it",
                          turns[orientation].done, orientation);
    }
}

Status image_format_create_turned(const EncodedImage *file, int32_t width, int32_t height,
                                  unsigned orientation, Image *image, PixelPlaces *places) {
    Image upright = {0};
    image_format_sides(width, height, orientation, &upright);
    STATUS_TRY(image_format_create(file, upright.width, upright.height, image));
    image_format_turn(file, width, height, orientation, 1, image, places);
    return status_ok();
}
