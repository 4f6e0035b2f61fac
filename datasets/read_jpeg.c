#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* Needs FILE and size_t declared before. */
#include <jerror.h>
#include <jpeglib.h>

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

static _Noreturn void on_error(j_common_ptr jpeg) {
    JpegReading *reading = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY) {
        fail(reading, status_skip("%s: not enough memory to decode it", reading->file->name));
    }
    if (jpeg->err->msg_code == JWRN_JPEG_EOF) {
        snprintf(message, sizeof message, "the file is truncated");
    } else {
        jpeg->err->format_message(jpeg, message);
    }
    fail(reading, status_make(STATUS_FILE, "%s: damaged JPEG: %s", reading->file->name, message));
}

/* libjpeg goes on after its other warnings with invented pixels; a measurement must not. */
static bool is_harmless(int warning) {
    switch (warning) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA: return true;
    default: return false;
    }
}

static void on_message(j_common_ptr jpeg, int level) {
    if (level < 0 && !is_harmless(jpeg->err->msg_code)) {
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

static void read_header(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    jpeg_mem_src(jpeg, reading->file->bytes, (unsigned long)reading->file->size);
    jpeg_read_header(jpeg, TRUE);
    const Status status =
        image_format_check_size(reading->file, jpeg->image_width, jpeg->image_height);
    if (!status_is_ok(&status)) {
        fail(reading, status);
    }
    reading->image->width = (int32_t)jpeg->image_width;
    reading->image->height = (int32_t)jpeg->image_height;
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
    const Image *image = reading->image;
    const size_t width = (size_t)image->width;
    JSAMPARRAY row =
        jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE,
                                jpeg->output_width * (JDIMENSION)jpeg->output_components, 1);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *grey = image->pixels + (size_t)jpeg->output_scanline * image->stride;
        jpeg_read_scanlines(jpeg, row, 1);
        if (jpeg->output_components == 1) {
            memcpy(grey, row[0], width);
        } else if (jpeg->output_components == 3) {
            grey_from_rgb(row[0], width, grey, 1);
        } else {
            grey_from_cmyk(row[0], width, jpeg->saw_Adobe_marker, grey);
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

static void read_pixels(JpegReading *reading) {
    struct jpeg_decompress_struct *jpeg = &reading->jpeg;
    Image *image = reading->image;
    Status status = check_plausible(reading);
    if (status_is_ok(&status)) {
        status = check_coefficients(reading);
    }
    if (status_is_ok(&status)) {
        status = image_format_create(reading->file, image->width, image->height, image);
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
    jpeg_finish_decompress(jpeg);
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
