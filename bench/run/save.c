/* Saved answers: images, tables and lines of digits, in files that people open. */

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "calls.h"
#include "datasets.h"
#include "fnv.h"
#include "paths.h"
#include "plan.h"
#include "sweep.h"
#include "text.h"

/* File systems allow names of 255 bytes, of which the part's word, its suffix and ".part" take
 * some. */
enum { STEM_SIZE = 1024, STEM_MAX = 200, HASH_LENGTH = 17 };

/* --- Names ------------------------------------------------------------------------------------ */

static bool is_plain(char letter) {
    return isalnum((unsigned char)letter) != 0 || strchr(".+-_", letter) != NULL;
}

/* "pr:8:1,interp:nearest" as part of a file name: "-pr8_1-interpnearest". */
static void append_point(const Point *point, char *stem, size_t size) {
    size_t used = strlen(stem);
    for (size_t i = 0; i < point->count && used + 1 < size; i++) {
        used += (size_t)snprintf(stem + used, size - used, "-%s", point->axes[i]->name);
        for (const char *c = point->values[i].text; *c != '\0' && used + 4 < size; c++) {
            const char letter = (char)(*c == ':' ? '_' : *c);
            const char *format = is_plain(letter) ? "%c" : "%%%02X";
            used += (size_t)snprintf(stem + used, size - used, format, (unsigned char)letter);
        }
    }
}

/* Names that are equal up to the cut differ in their hash. */
static void cut_stem(char *stem) {
    if (strlen(stem) > STEM_MAX) {
        const uint64_t hash = fnv_bytes(FNV_START, stem, strlen(stem));
        snprintf(stem + STEM_MAX - HASH_LENGTH, HASH_LENGTH + 1, "-%016" PRIx64, hash);
    }
}

Status save_path(const char *folder, const SavedAnswer *saved, const char *word, const char *suffix,
                 char path[SAVE_PATH_SIZE]) {
    char stem[STEM_SIZE];
    snprintf(stem, sizeof stem, "%s-%s-%s", saved->algorithm->name, saved->input_stem,
             saved->workload->size_name);
    append_point(saved->answer, stem, sizeof stem);
    if (saved->variant != NULL) {
        text_append(stem, sizeof stem, "-%s", saved->variant->name);
    }
    if (saved->tuning != NULL) {
        append_point(saved->tuning, stem, sizeof stem);
    }
    cut_stem(stem);
    return path_make(path, SAVE_PATH_SIZE, "%s/%s-%s.%s", folder, stem, word, suffix);
}

/* Whether a file of this path may be part of an answer. Layouts, and so the names of the parts, are
 * not known before the input is loaded. */
static Status is_part(const char *path, const char *folder, const Plan *plan, bool *part) {
    *part = false;
    for (size_t i = 0; i < plan->cell_count && !*part; i++) {
        const PlanCell *cell = &plan->cells[i];
        const PlanWorkload *workload = &plan->workloads[cell->workload];
        const SavedAnswer saved = {.algorithm = cell->algorithm,
                                   .input_stem = workload->input->stem,
                                   .workload = &workload->shape,
                                   .answer = &cell->answer};
        char stem[SAVE_PATH_SIZE];
        STATUS_TRY(save_path(folder, &saved, "", "", stem));
        *part = strncmp(path, stem, strlen(stem) - 1) == 0; /* all but the suffix's dot */
    }
    return status_ok();
}

static Status check_file(const char *path, const char *folder, const Plan *plan) {
    bool part;
    const Status status = input_guard_check(path);
    if (status_is_ok(&status)) {
        return status;
    }
    STATUS_TRY(is_part(path, folder, plan, &part));
    return part ? status : status_ok();
}

Status save_check(const char *folder, const Plan *plan) {
    FolderList list = {.count = 0};
    Status status = folder != NULL ? folder_list(folder, NULL, &list) : status_ok();
    if (!status_is_ok(&status)) {
        return status_ok(); /* made later; who writes there reports the failure */
    }
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        char path[SAVE_PATH_SIZE];
        const Status made = path_make(path, sizeof path, "%s/%s", folder, list.entries[i]->d_name);
        if (status_is_ok(&made)) {
            status = check_file(path, folder, plan);
        }
    }
    folder_list_release(&list);
    return status;
}

/* --- Images --------------------------------------------------------------------------------- */

/* Scales values 0…peak to greys 0…255. */
static Status save_spread(const char *path, const Image *image, int peak) {
    uint8_t greys[256];
    for (int value = 0; value < 256; value++) {
        const int grey = (value * 255 + peak / 2) / peak;
        greys[value] = (uint8_t)(grey < 255 ? grey : 255);
    }
    return image_write_png_levels(path, image, greys);
}

static Status save_image(const char *path, const Output *output, size_t part) {
    const OutputPart *layout = &output->layout.parts[part];
    const Image image = {.width = (int32_t)layout->width,
                         .height = (int32_t)layout->height,
                         .stride = layout->width,
                         .pixels = output_part(output, part)};
    const bool spread = layout->peak != 0 && layout->peak != 255;
    return spread ? save_spread(path, &image, layout->peak) : image_write_png(path, &image);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static void write_counts(FILE *stream, const Output *output, size_t part) {
    const uint64_t *counts = output_part(output, part);
    fprintf(stream, "bin,count\n");
    for (size_t i = 0; i < output->layout.parts[part].width; i++) {
        fprintf(stream, "%zu,%" PRIu64 "\n", i, counts[i]);
    }
}

/* Of an algorithm without names for its columns. */
static void write_rows(FILE *stream, const Output *output, size_t part) {
    const OutputPart *layout = &output->layout.parts[part];
    const uint64_t *numbers = output_part(output, part);
    for (size_t x = 0; x < layout->width; x++) {
        fprintf(stream, "%scolumn%zu", x == 0 ? "" : ",", x);
    }
    for (size_t i = 0; i < layout->width * layout->height; i++) {
        fprintf(stream, "%s%" PRIu64, i % layout->width == 0 ? "\n" : ",", numbers[i]);
    }
    fputc('\n', stream);
}

static void write_records(FILE *stream, const Output *output, size_t part) {
    const uint64_t *records = output_part(output, part);
    fprintf(stream, "record\n");
    for (size_t i = 0; i < output->layout.parts[part].width; i++) {
        fprintf(stream, "%" PRIu64 "\n", records[i]);
    }
}

static void write_digits(FILE *stream, const Output *output, size_t part) {
    const OutputPart *layout = &output->layout.parts[part];
    const uint8_t *bytes = output_part(output, part);
    for (size_t i = 0; i < layout->width * layout->height; i++) {
        fprintf(stream, "%02x%s", bytes[i], (i + 1) % layout->width == 0 ? "\n" : "");
    }
}

/* NumPy's format, version 1.0: a magic word, the length of a dictionary in two bytes, the
 * dictionary, spaces up to a multiple of 64 bytes and a newline; then the elements as they are in
 * memory. */
static void write_array(FILE *stream, const Output *output, size_t part) {
    enum { PREFIX = 10, HEADER = 128 };
    const OutputPart *layout = &output->layout.parts[part];
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    char dictionary[HEADER - PREFIX + 1];
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%zu, %zu), }", order,
             output_element_type(layout->kind), output_element_size(layout->kind), layout->height,
             layout->width);
    fwrite("\x93NUMPY\x01\x00", 1, PREFIX - 2, stream);
    fputc(HEADER - PREFIX, stream);
    fputc(0, stream);
    fprintf(stream, "%-*s\n", HEADER - PREFIX - 1, dictionary);
    fwrite(output_part(output, part), 1, layout->bytes, stream);
}

/* What an algorithm may write in a format of its own. */
static bool is_csv(OutputKind kind) {
    return kind == OUTPUT_COUNTS_U64 || kind == OUTPUT_TABLE_U64 || kind == OUTPUT_RECORDS_U64;
}

static Status write_part(FILE *stream, const SavedAnswer *saved, size_t part) {
    const OutputKind kind = saved->output->layout.parts[part].kind;
    if (saved->algorithm->write_part != NULL && is_csv(kind)) {
        call_step(CALL_WRITE);
        const Status status = saved->algorithm->write_part(stream, saved->workload, saved->answer,
                                                           saved->output, part);
        return algorithm_returned(saved->algorithm, status);
    }
    switch (kind) {
    case OUTPUT_TABLE_U64: write_rows(stream, saved->output, part); break;
    case OUTPUT_RECORDS_U64: write_records(stream, saved->output, part); break;
    case OUTPUT_ROWS_U8: write_digits(stream, saved->output, part); break;
    case OUTPUT_COUNTS_U64: write_counts(stream, saved->output, part); break;
    default: write_array(stream, saved->output, part);
    }
    return status_ok();
}

static Status save_numbers(const char *path, const SavedAnswer *saved, size_t part) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    return atomic_file_end(&file, write_part(file.stream, saved, part));
}

static const char *suffix_of(OutputKind kind) {
    switch (kind) {
    case OUTPUT_IMAGE_U8: return "png";
    case OUTPUT_ROWS_U8: return "hex";
    case OUTPUT_COUNTS_U64:
    case OUTPUT_TABLE_U64:
    case OUTPUT_RECORDS_U64: return "csv";
    default: return "npy";
    }
}

/* One count is no histogram. */
static bool is_histogram(const OutputPart *part) {
    return part->kind == OUTPUT_COUNTS_U64 && part->width > 1;
}

/* Its picture beside `path`. Without gnuplot there is none: the numbers are saved all the same. */
static Status draw_histogram(const char *folder, const char *path, const SavedAnswer *saved,
                             size_t part) {
    const OutputPart *layout = &saved->output->layout.parts[part];
    char name[SAVE_PATH_SIZE];
    if (saved->draw_histogram == NULL || !is_histogram(layout)) {
        return status_ok();
    }
    const char *file = path_name(path);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".csv")), file);
    const Status status =
        saved->draw_histogram(folder, name, output_part(saved->output, part), layout->width);
    return status.code == STATUS_SKIP ? status_ok() : status;
}

Status save_answer(const char *folder, const SavedAnswer *saved) {
    const OutputLayout *layout = &saved->output->layout;
    STATUS_TRY(algorithm_writes(saved->algorithm, saved->workload, saved->answer));
    for (size_t part = 0; part < layout->count; part++) {
        const OutputKind kind = layout->parts[part].kind;
        char path[SAVE_PATH_SIZE];
        STATUS_TRY(save_path(folder, saved, layout->parts[part].name, suffix_of(kind), path));
        STATUS_TRY(kind == OUTPUT_IMAGE_U8 ? save_image(path, saved->output, part)
                                           : save_numbers(path, saved, part));
        STATUS_TRY(draw_histogram(folder, path, saved, part));
    }
    return status_ok();
}

Status save_table(const char *folder, const SavedAnswer *saved) {
    const Algorithm *algorithm = saved->algorithm;
    char path[SAVE_PATH_SIZE];
    AtomicFile file;
    if (algorithm->write_table == NULL) {
        return status_make(STATUS_USAGE, "%s has no table to save", algorithm->name);
    }
    STATUS_TRY(save_path(folder, saved, "table", "csv", path));
    STATUS_TRY(atomic_file_open(&file, path));
    call_step(CALL_WRITE);
    return atomic_file_end(
        &file, algorithm_returned(algorithm, algorithm->write_table(file.stream, saved->workload,
                                                                    saved->answer, saved->output)));
}
