/* Images that are stored turned, and the Exif data that say so. */
#include <zlib.h>

#include "fixtures.h"
#include "test.h"

#include <jpeglib.h>

ALL_TESTS(fixture_setup, fixture_teardown);

/* Where the standard has the row and the column of a file that come first, for each orientation. */
typedef enum Side { TOP, BOTTOM, LEFT, RIGHT } Side;

static const struct {
    Side row, column;
    const char *done;
} meanings[] = {
    [1] = {TOP, LEFT, NULL},
    [2] = {TOP, RIGHT, "mirrored"},
    [3] = {BOTTOM, RIGHT, "turned by 180 degrees"},
    [4] = {BOTTOM, LEFT, "mirrored top to bottom"},
    [5] = {LEFT, TOP, "mirrored and turned by 90 degrees to the left"},
    [6] = {RIGHT, TOP, "turned by 90 degrees to the right"},
    [7] = {RIGHT, BOTTOM, "mirrored and turned by 90 degrees to the right"},
    [8] = {LEFT, BOTTOM, "turned by 90 degrees to the left"},
};

enum { ORIENTATIONS = 8 };

static int32_t from_side(Side side, int32_t index, int32_t length) {
    return side == TOP || side == LEFT ? index : length - 1 - index;
}

/* Whether `image` is `stored` as a person sees it. */
static void assert_upright(const Image *image, const Image *stored, int orientation) {
    const Side row = meanings[orientation].row;
    const Side column = meanings[orientation].column;
    const bool swapped = row == LEFT || row == RIGHT;
    assert_int_equal(image->width, swapped ? stored->height : stored->width);
    assert_int_equal(image->height, swapped ? stored->width : stored->height);
    for (int32_t r = 0; r < stored->height; r++) {
        for (int32_t c = 0; c < stored->width; c++) {
            const int32_t along_row = from_side(row, r, stored->height);
            const int32_t along_column = from_side(column, c, stored->width);
            const uint8_t seen = swapped ? image_row(image, along_column)[along_row]
                                         : image_row(image, along_row)[along_column];
            assert_int_equal(seen, image_row(stored, r)[c]);
        }
    }
}

/* === Exif ===================================================================================== */

enum { EXIF_SIZE = 8 + 2 + 2 * 12 + 4 };

static uint8_t *put(uint8_t *at, uint32_t number, int bytes, bool big_endian) {
    for (int i = 0; i < bytes; i++) {
        const int place = big_endian ? bytes - 1 - i : i;
        at[i] = (uint8_t)(number >> 8 * place);
    }
    return at + bytes;
}

/* A directory of two entries, the second of which is the orientation, of a type of `width` bytes.
 */
static void make_exif(uint8_t exif[EXIF_SIZE], uint32_t orientation, bool big_endian, int type,
                      int width) {
    memset(exif, 0, EXIF_SIZE);
    memcpy(exif, big_endian ? "MM" : "II", 2);
    uint8_t *at = put(exif + 2, 42, 2, big_endian);
    at = put(at, 8, 4, big_endian);
    at = put(at, 2, 2, big_endian);
    at = put(at, 0x0100, 2, big_endian); /* width: not looked at */
    at = put(at, 4, 2, big_endian);
    at = put(at, 1, 4, big_endian);
    at = put(at, 77, 4, big_endian);
    at = put(at, 0x0112, 2, big_endian);
    at = put(at, (uint32_t)type, 2, big_endian);
    at = put(at, 1, 4, big_endian);
    put(at, orientation, width, big_endian);
}

static void make_usual_exif(uint8_t exif[EXIF_SIZE], uint32_t orientation) {
    make_exif(exif, orientation, orientation % 2 == 0, 3, 2);
}

/* === Files ==================================================================================== */

typedef struct File {
    uint8_t bytes[1 << 17];
    size_t size;
} File;

static void add_chunk(File *file, const char *name, const void *data, size_t size) {
    uint8_t *at = file->bytes + file->size;
    put(at, (uint32_t)size, 4, true);
    memcpy(at + 4, name, 4);
    memcpy(at + 8, data, size);
    put(at + 8 + size, (uint32_t)crc32(0, at + 4, (uInt)(4 + size)), 4, true);
    file->size += 12 + size;
}

/* Where the chunk is: behind the header, or behind the pixels and `far` bytes that mean nothing. */
typedef enum Place { AHEAD, BEHIND, FAR_BEHIND } Place;

/* 7×5 pixels that are all different. */
static void make_png(const uint8_t *exif, size_t exif_size, Place place, File *file) {
    enum { HEADER = 8 + 25, END = 12, FAR_SIZE = 70000 };
    static uint8_t nothing[FAR_SIZE];
    size_t size = 0;
    uint8_t *bytes = committed_file("grey8.png", &size);
    memcpy(file->bytes, bytes, HEADER);
    file->size = HEADER;
    if (place == AHEAD) {
        add_chunk(file, "eXIf", exif, exif_size);
    }
    memcpy(file->bytes + file->size, bytes + HEADER, size - HEADER - END);
    file->size += size - HEADER - END;
    if (place == FAR_BEHIND) {
        add_chunk(file, "noNe", nothing, sizeof nothing);
    }
    if (place != AHEAD) {
        add_chunk(file, "eXIf", exif, exif_size);
    }
    add_chunk(file, "IEND", "", 0);
    free(bytes);
}

enum { BLOCK = 8, ACROSS = 3, DOWN = 2 };

/* Flat blocks of six greys; `exif` NULL: without. */
static void make_jpeg(const uint8_t *exif, size_t exif_size, File *file) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    uint8_t *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = ACROSS * BLOCK;
    jpeg.image_height = DOWN * BLOCK;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    if (exif != NULL) {
        uint8_t marker[6 + 4 * EXIF_SIZE] = "Exif\0";
        memcpy(marker + 6, exif, exif_size);
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, (const JOCTET *)"http://ns.adobe.com/xap/1.0/", 29);
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, marker, (unsigned)(6 + exif_size));
    }
    while (jpeg.next_scanline < jpeg.image_height) {
        uint8_t row[ACROSS * BLOCK];
        for (unsigned x = 0; x < sizeof row; x++) {
            row[x] = (uint8_t)(40 * (jpeg.next_scanline / BLOCK * ACROSS + x / BLOCK));
        }
        JSAMPROW rows[] = {row};
        jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    memcpy(file->bytes, bytes, size);
    file->size = size;
    free(bytes);
}

/* === Tests ==================================================================================== */

static void assert_turned(const char *name, const File *file, const Image *stored,
                          int orientation) {
    char want[200] = "";
    RELEASED_BY(image_free) Image image;
    if (meanings[orientation].done != NULL) {
        snprintf(want, sizeof want,
                 "note: %s: %s, as its Exif orientation %d says; --no-orient leaves it\n", name,
                 meanings[orientation].done, orientation);
    }
    assert_warned(name, file->bytes, file->size, &image, want);
    assert_upright(&image, stored, orientation);
}

TEST(every_orientation_of_a_jpeg_is_turned) {
    static File file;
    RELEASED_BY(image_free) Image stored;
    make_jpeg(NULL, 0, &file);
    assert_ok(image_decode("stored.jpg", file.bytes, file.size, &stored));
    assert_int_equal(image_row(&stored, BLOCK)[2 * BLOCK], 200);
    for (int orientation = 1; orientation <= ORIENTATIONS; orientation++) {
        uint8_t exif[EXIF_SIZE];
        make_usual_exif(exif, (uint32_t)orientation);
        make_jpeg(exif, sizeof exif, &file);
        assert_turned("turned.jpg", &file, &stored, orientation);
    }
}

TEST(every_orientation_of_a_png_is_turned) {
    static const char *const others[] = {"grey8_interlaced.png", "rgb8.png"};
    static File file;
    for (int orientation = 1; orientation <= ORIENTATIONS; orientation++) {
        for (Place place = AHEAD; place <= FAR_BEHIND; place++) {
            uint8_t exif[EXIF_SIZE];
            Image stored;
            make_usual_exif(exif, (uint32_t)orientation);
            make_png(exif, sizeof exif, place, &file);
            size_t size = 0;
            uint8_t *bytes = committed_file("grey8.png", &size);
            assert_ok(image_decode("stored.png", bytes, size, &stored));
            assert_turned("turned.png", &file, &stored, orientation);
            image_free(&stored);
            free(bytes);
        }
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            enum { HEADER = 8 + 25 };
            uint8_t exif[EXIF_SIZE];
            Image stored;
            size_t size = 0;
            uint8_t *bytes = committed_file(others[i], &size);
            assert_ok(image_decode("stored.png", bytes, size, &stored));
            make_usual_exif(exif, (uint32_t)orientation);
            memcpy(file.bytes, bytes, HEADER);
            file.size = HEADER;
            add_chunk(&file, "eXIf", exif, sizeof exif);
            memcpy(file.bytes + file.size, bytes + HEADER, size - HEADER);
            file.size += size - HEADER;
            assert_turned(others[i], &file, &stored, orientation);
            image_free(&stored);
            free(bytes);
        }
    }
}

/* The header of a file tells its sides, wherever the orientation is. */
TEST(sides_are_those_of_the_turned_image) {
    static File file;
    const char *path = fixture_path(test_state, "turned");
    uint8_t exif[EXIF_SIZE];
    int32_t width = 0;
    int32_t height = 0;
    make_usual_exif(exif, 6);
    for (Place place = AHEAD; place <= FAR_BEHIND; place++) {
        make_png(exif, sizeof exif, place, &file);
        write_file(path, file.bytes, file.size);
        assert_ok(image_read_size(path, &width, &height));
        assert_int_equal(width, 5);
        assert_int_equal(height, 7);
    }
    make_jpeg(exif, sizeof exif, &file);
    write_file(path, file.bytes, file.size);
    assert_ok(image_read_size(path, &width, &height));
    assert_int_equal(width, DOWN * BLOCK);
    assert_int_equal(height, ACROSS * BLOCK);
}

TEST(images_may_be_read_as_stored) {
    static File file;
    uint8_t exif[EXIF_SIZE];
    RELEASED_BY(image_free) Image image;
    make_usual_exif(exif, 6);
    make_jpeg(exif, sizeof exif, &file);
    image_read_as_stored(true);
    assert_warned("stored.jpg", file.bytes, file.size, &image, "");
    image_read_as_stored(false);
    assert_int_equal(image.width, ACROSS * BLOCK);
}

/* Numbers in either order of bytes, and as writers that do not keep to the standard have them. */
TEST(numbers_of_any_kind_are_read) {
    static const struct { int type, width; } types[] = {{1, 1}, {3, 2}, {4, 4}};
    static File file;
    for (int i = 0; i < 6; i++) {
        uint8_t exif[EXIF_SIZE];
        RELEASED_BY(image_free) Image image;
        make_exif(exif, 6, i % 2 == 0, types[i / 2].type, types[i / 2].width);
        make_png(exif, sizeof exif, AHEAD, &file);
        assert_ok(image_decode("turned.png", file.bytes, file.size, &image));
        assert_int_equal(image.width, 5);
    }
}

static void assert_stored(const uint8_t *exif, size_t size, bool damaged) {
    static File file;
    Image image;
    make_png(exif, size, AHEAD, &file);
    assert_warned(
        "odd.png", file.bytes, file.size, &image,
        damaged ? "warning: odd.png: its Exif data are damaged, so that it is not turned\n" : "");
    assert_int_equal(image.width, 7);
    image_free(&image);
    make_jpeg(exif, size, &file);
    assert_ok(image_decode("odd.jpg", file.bytes, file.size, &image));
    assert_int_equal(image.width, ACROSS * BLOCK);
    image_free(&image);
}

TEST(damaged_exif_data_stop_nothing) {
    uint8_t exif[EXIF_SIZE];
    make_usual_exif(exif, 6);
    /* The orientation is the last entry: every cut before its end loses it. */
    for (size_t cut = 0; cut < EXIF_SIZE - 4; cut++) {
        assert_stored(exif, cut, true);
    }
    exif[0] = 'X';
    assert_stored(exif, sizeof exif, true);
    make_usual_exif(exif, 6);
    exif[3]++;
    assert_stored(exif, sizeof exif, true);
    static const uint32_t places[] = {EXIF_SIZE - 1, EXIF_SIZE, EXIF_SIZE + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        make_usual_exif(exif, 6);
        put(exif + 4, places[i], 4, true);
        assert_stored(exif, sizeof exif, true);
    }
    /* More entries than there are, and none of those there are is an orientation. */
    make_usual_exif(exif, 6);
    put(exif + 8, 0xffff, 2, true);
    put(exif + 10 + 12, 0x0111, 2, true);
    assert_stored(exif, sizeof exif, true);
}

TEST(an_orientation_that_means_nothing_turns_nothing) {
    static const uint32_t numbers[] = {0, 9, 0xffff};
    uint8_t exif[EXIF_SIZE];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        make_exif(exif, numbers[i], false, 3, 2);
        assert_stored(exif, sizeof exif, false);
    }
    make_exif(exif, 6, false, 12, 2); /* a real number */
    assert_stored(exif, sizeof exif, false);
}

/* As a chunk that is not used: its checksum says that it is damaged. */
TEST(a_chunk_with_a_wrong_checksum_turns_nothing) {
    enum { CHUNK_AT = 8 + 25 };
    static File file;
    uint8_t exif[EXIF_SIZE];
    RELEASED_BY(image_free) Image image;
    make_usual_exif(exif, 6);
    make_png(exif, sizeof exif, AHEAD, &file);
    file.bytes[CHUNK_AT + 8 + EXIF_SIZE] ^= 1;
    assert_warned(
        "odd.png", file.bytes, file.size, &image,
        "warning: odd.png: a chunk of the PNG that is not needed has a wrong checksum and "
        "is left out: eXIf\n");
    assert_int_equal(image.width, 7);
}
