#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* Needs FILE and size_t declared before. */
#include <jerror.h>
#include <jpeglib.h>

#include "datasets.h"
#include "image_format.h"
#include "resources.h"

/*
 * The most pixels a byte can stand for, with Huffman codes: a block of 8×8 pixels takes at least
 * one bit even in a progressive file that holds nothing but its averages, 512 pixels a byte; odd
 * subsampling doubles that. Arithmetic coding knows no bound: such files are refused beyond it too.
 */
enum { PIXELS_PER_BYTE_MAX = 1024 };

/* Encoders write about ten scans; hostile files write thousands to keep the decoder busy. */
enum { SCANS_MAX = 500 };

/* The first member is what libjpeg knows. All state is here and not in local variables, whose
 * values setjmp would leave undefined. */
typedef struct JpegReading {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    const EncodedImage *file;
    Image *image;
    unsigned orientation;
    PixelPlaces places;
    int components_seen; /* in the scans so far */
    bool truncated;      /* more bytes were asked for than the file has */
    Status status;
} JpegReading;

static bool jpeg_matches(const EncodedImage *file) {
    static const uint8_t start[] = {0xff, 0xd8, 0xff};
    return file->size >= sizeof start && memcmp(file->bytes, start, sizeof start) == 0;
}

static _Noreturn void fail(JpegReading *reading, Status status) {
    reading->status = status;
    longjmp(reading->escape, 1);
}

/* What libjpeg refuses, undamaged as it may be; NULL: something else. */
static const char *unread_kind(const struct jpeg_error_mgr *errors) {
    enum { HIERARCHICAL = 0xde, JPEG_LS = 0xf7 };
    static const char *const frames[] = {
        [0x3] = "a lossless JPEG",
        [0x5] = "a hierarchical JPEG",
        [0x6] = "a hierarchical JPEG",
        [0x7] = "a hierarchical lossless JPEG",
        [0x9] = "an arithmetic-coded JPEG",
        [0xa] = "an arithmetic-coded JPEG",
        [0xb] = "a lossless JPEG with arithmetic coding",
        [0xd] = "a hierarchical JPEG with arithmetic coding",
        [0xe] = "a hierarchical JPEG with arithmetic coding",
        [0xf] = "a hierarchical lossless JPEG with arithmetic coding",
    };
    const int given = errors->msg_parm.i[0];
    switch (errors->msg_code) {
    case JERR_SOF_UNSUPPORTED: return frames[given & 0xf];
    case JERR_ARITH_NOTIMPL: return frames[0x9];
    case JERR_UNKNOWN_MARKER:
        return given == JPEG_LS ? "a JPEG-LS image" : given == HIERARCHICAL ? frames[0x5] : NULL;
    case JERR_BAD_PRECISION: return given == 12 ? "a JPEG with 12 bits a sample" : NULL;
    default: return NULL;
    }
}

static Status damaged(const JpegReading *reading, const char *message) {
    return status_make(STATUS_FILE, "%s: damaged JPEG: %s", reading->file->name, message);
}

static _Noreturn void on_error(j_common_ptr jpeg) {
    JpegReading *reading = jpeg->client_data;
    const char *kind = unread_kind(jpeg->err);
    char message[JMSG_LENGTH_MAX];
    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY) {
        fail(reading, status_skip("%s: not enough memory to decode it", reading->file->name));
    }
    if (kind != NULL) {
        fail(reading, status_make(STATUS_FILE,
                                  "%s: is %s, which cannot be read here; convert it to PNG, or to "
                                  "a JPEG with 8 bits and Huffman codes",
                                  reading->file->name, kind));
    }
    if (reading->truncated) {
        snprintf(message, sizeof message, "the file is truncated");
    } else {
        jpeg->err->format_message(jpeg, message);
    }
    fail(reading, damaged(reading, message));
}

/* libjpeg goes on after its other warnings with invented pixels; a measurement must not. Of a file
 * that ends too early it says so when pixels are missing, but with arithmetic coding. */
static bool is_harmless(const JpegReading *reading, int warning) {
    switch (warning) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA: return true;
    case JWRN_JPEG_EOF: return !reading->jpeg.arith_code;
    default: return false;
    }
}

static void on_message(j_common_ptr jpeg, int level) {
    JpegReading *reading = jpeg->client_data;
    reading->truncated |= jpeg->err->msg_code == JWRN_JPEG_EOF;
    if (jpeg->err->msg_code == JTRC_SOS) {
        reading->components_seen += jpeg->err->msg_parm.i[0];
    }
    if (level < 0 && !is_harmless(reading, jpeg->err->msg_code)) {
        on_error(jpeg);
    }
}

static void on_output(j_common_ptr jpeg) {
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg) {
    JpegReading *reading = jpeg->client_data;
    if (reading->jpeg.input_scan_number > SCANS_MAX) {
        fail(reading, status_make(STATUS_FILE, "%s: damaged JPEG: more than %d scans",
                                  reading->file->name, SCANS_MAX));
    }
}

static Status check_plausible(const JpegReading *reading) {
    const EncodedImage *file = reading->file;
    const uint64_t pixels =
        (uint64_t)reading->jpeg.image_width * (uint64_t)reading->jpeg.image_height;
    if (pixels / PIXELS_PER_BYTE_MAX > file->size) {
        return status_make(STATUS_FILE,
                           "%s: truncated or forged JPEG: its header asks for %" PRIu64
                           " pixels, more than %zu bytes can hold",
                           file->name, pixels, file->size);
    }
    return status_ok();
}

/* libjpeg keeps all coefficients of a progressive file, two bytes each. */
static Status check_coefficients(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    if (!jpeg_has_multiple_scans(jpeg)) {
        return status_ok();
    }
    const uint64_t samples =
        (uint64_t)jpeg->image_width * (uint64_t)jpeg->image_height * (uint64_t)jpeg->num_components;
    return free_memory_check(reading->file->name, samples * sizeof(JCOEF));
}

/* The Exif data are the bytes behind this in the first APP1 that begins with it. */
static unsigned find_orientation(const JpegReading *reading) {
    static const uint8_t start[] = {'E', 'x', 'i', 'f', 0, 0};
    const struct jpeg_marker_struct *marker = reading->jpeg.marker_list;
    while (marker != NULL &&
           (marker->data_length < sizeof start || memcmp(marker->data, start, sizeof start) != 0)) {
        marker = marker->next;
    }
    return marker == NULL ? ORIENTATION_STORED
                          : image_format_orientation(reading->file, marker->data + sizeof start,
                                                     marker->data_length - sizeof start);
}

enum { MARKER_EXIF = JPEG_APP0 + 1, MARKER_BYTES_MAX = 0xffff };

static void read_header(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    jpeg_mem_src(jpeg, reading->file->bytes, (unsigned long)reading->file->size);
    jpeg_save_markers(jpeg, MARKER_EXIF, MARKER_BYTES_MAX);
    jpeg_read_header(jpeg, TRUE);
    const Status status =
        image_format_check_size(reading->file, jpeg->image_width, jpeg->image_height);
    if (!status_is_ok(&status)) {
        fail(reading, status);
    }
    reading->orientation = find_orientation(reading);
    image_format_sides((int32_t)jpeg->image_width, (int32_t)jpeg->image_height,
                       reading->orientation, reading->image);
}

/* libjpeg's own luma is that of the encoder; grey is computed from the decoded colours instead. */
static void choose_output(struct jpeg_decompress_struct *jpeg) {
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE: jpeg->out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK:
    case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; break;
    default: jpeg->out_color_space = JCS_RGB; break;
    }
    jpeg->dct_method = JDCT_ISLOW; /* the exact integer one */
}

static void read_rows(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    const PixelPlaces *places = &reading->places;
    const size_t width = jpeg->image_width;
    JSAMPARRAY row =
        jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE,
                                jpeg->output_width * (JDIMENSION)jpeg->output_components, 1);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *grey = places->first + (ptrdiff_t)jpeg->output_scanline * places->down;
        jpeg_read_scanlines(jpeg, row, 1);
        if (jpeg->output_components == 1) {
            grey_from_grey(row[0], width, grey, places->across);
        } else if (jpeg->output_components == 3) {
            grey_from_rgb(row[0], width, grey, places->across);
        } else {
            grey_from_cmyk(row[0], width, jpeg->saw_Adobe_marker, grey, places->across);
        }
    }
}

/* A number out of range is libjpeg's to refuse. */
static bool lacks_codes(JHUFF_TBL *const tables[NUM_HUFF_TBLS], int number) {
    return number >= 0 && number < NUM_HUFF_TBLS && tables[number] == NULL;
}

static bool has_own_codes(const struct jpeg_decompress_struct *jpeg) {
    for (int i = 0; !jpeg->arith_code && i < jpeg->comps_in_scan; i++) {
        const jpeg_component_info *component = jpeg->cur_comp_info[i];
        if (lacks_codes(jpeg->dc_huff_tbl_ptrs, component->dc_tbl_no) ||
            (!jpeg->progressive_mode &&
             lacks_codes(jpeg->ac_huff_tbl_ptrs, component->ac_tbl_no))) {
            return false;
        }
    }
    return true;
}

/* Whether the scans so far have all bits of all pixels; that a scan itself is whole is libjpeg's to
 * see. */
static bool has_all_scans(const JpegReading *reading) {
    const struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    if (!jpeg->progressive_mode) {
        return reading->components_seen >= jpeg->num_components;
    }
    for (int i = 0; i < jpeg->num_components; i++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (jpeg->coef_bits[i][k] != 0) { /* bits left to come; -1: none came */
                return false;
            }
        }
    }
    return true;
}

/* A file without an end may lack scans, which libjpeg takes for one with fewer. It looks for the
 * end only now, and then forgets the scans. */
static void read_end(JpegReading *reading) {
    const bool whole = has_all_scans(reading);
    jpeg_finish_decompress(&reading->jpeg);
    if (!reading->truncated) {
        return;
    }
    if (!whole) {
        fail(reading, damaged(reading, "the file is truncated"));
    }
    image_format_warn(reading->file, "the JPEG has all its pixels, but no end (EOI)");
}

static void read_pixels(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    Status status = check_plausible(reading);
    if (status_is_ok(&status)) {
        status = check_coefficients(reading);
    }
    if (status_is_ok(&status)) {
        status = image_format_create_turned(reading->file, (int32_t)jpeg->image_width,
                                            (int32_t)jpeg->image_height, reading->orientation,
                                            reading->image, &reading->places);
    }
    if (!status_is_ok(&status)) {
        fail(reading, status);
    }
    if (!has_own_codes(jpeg)) {
        image_format_warn(reading->file,
                          "the JPEG has no Huffman tables; the standard's examples are taken, as "
                          "in frames of Motion JPEG");
    }
    choose_output(jpeg);
    jpeg_start_decompress(jpeg);
    read_rows(reading);
    read_end(reading);
}

static void read_guarded(JpegReading *reading, bool header_only) {
    if (setjmp(reading->escape) != 0) {
        return; /* reading->status was set on the way */
    }
    jpeg_create_decompress(&reading->jpeg); /* keeps err and client_data only */
    reading->jpeg.progress = &reading->progress;
    read_header(reading);
    if (!header_only) {
        read_pixels(reading);
    }
}

static Status jpeg_read(const EncodedImage *file, bool header_only, Image *image) {
    JpegReading reading = {.file = file, .image = image, .status = status_ok()};
    reading.jpeg.err = jpeg_std_error(&reading.errors);
    reading.jpeg.client_data = &reading;
    reading.errors.error_exit = on_error;
    reading.errors.emit_message = on_message;
    reading.errors.output_message = on_output;
    reading.progress.progress_monitor = on_progress;
    read_guarded(&reading, header_only);
    jpeg_destroy_decompress(&reading.jpeg);
    if (!status_is_ok(&reading.status)) {
        image_free(image);
    }
    return reading.status;
}

const ImageFormat jpeg_format = {.name = "JPEG", .matches = jpeg_matches, .read = jpeg_read};

#define TEXT_OF(version) #version
#define VERSION_TEXT(version) TEXT_OF(version)

LibraryVersion jpeg_library(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return (LibraryVersion){.name = "libjpeg-turbo", .built = VERSION_TEXT(LIBJPEG_TURBO_VERSION)};
#else
    return (LibraryVersion){.name = "libjpeg", .built = VERSION_TEXT(JPEG_LIB_VERSION)};
#endif
}
