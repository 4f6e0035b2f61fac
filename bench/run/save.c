#include "save.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "datasets.h"

enum { STEM_SIZE = 512 };

/* "pr:8,interp:nearest" as part of a file name: "pr8-interpnearest". */
static void point_words(const Point *answer, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < answer->count; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "-%s%s", answer->axes[i]->name,
                 answer->values[i].text);
    }
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '/' || *c == ':' || *c == ' ') {
            *c = '_';
        }
    }
}

/* Values 0…peak as greys 0…255, in a copy: the answer stays what it is. */
static Status save_spread(const char *path, const Image *image, const OutputPart *layout) {
    uint8_t *greys = malloc(layout->bytes);
    if (greys == NULL) {
        return status_fail("not enough memory to save the picture '%s'", layout->name);
    }
    for (size_t i = 0; i < layout->bytes; i++) {
        const int grey = (image->pixels[i] * 255 + layout->peak / 2) / layout->peak;
        greys[i] = (uint8_t)(grey < 255 ? grey : 255);
    }
    Image spread = *image;
    spread.pixels = greys;
    const Status status = image_write_png(path, &spread);
    free(greys);
    return status;
}

static Status save_picture(const char *path, const Output *output, size_t part) {
    const OutputPart *layout = &output->layout.parts[part];
    const Image image = {.width = (int32_t)layout->width,
                         .height = (int32_t)layout->height,
                         .stride = layout->width,
                         .pixels = output_part(output, part)};
    const bool spread = layout->peak != 0 && layout->peak != 255;
    return spread ? save_spread(path, &image, layout) : image_write_png(path, &image);
}

static Status save_counts(const char *path, const Output *output, size_t part) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const uint64_t *counts = output_part(output, part);
    fprintf(file.stream, "bin,count\n");
    for (size_t i = 0; i < output->layout.parts[part].width; i++) {
        fprintf(file.stream, "%zu,%" PRIu64 "\n", i, counts[i]);
    }
    return atomic_file_commit(&file);
}

Status save_answer(const char *folder, const Algorithm *algorithm, const char *input_stem,
                   const char *size_name, const Point *answer, const Output *output) {
    char words[STEM_SIZE];
    point_words(answer, words, sizeof words);
    for (size_t part = 0; part < output->layout.count; part++) {
        const OutputPart *layout = &output->layout.parts[part];
        const bool picture = layout->kind == OUTPUT_IMAGE_U8;
        char path[ATOMIC_FILE_PATH_SIZE];
        const int length =
            snprintf(path, sizeof path, "%s/%s-%s-%s%s-%s.%s", folder, algorithm->name, input_stem,
                     size_name, words, layout->name, picture ? "png" : "csv");
        if (length < 0 || (size_t)length >= sizeof path) {
            return status_make(STATUS_FILE, "%s: the path of the answer is too long", folder);
        }
        STATUS_TRY(picture ? save_picture(path, output, part) : save_counts(path, output, part));
    }
    return status_ok();
}
