/*
 * Fuzzes what `bench curve` reads: the CSV of curves, and the file names that label them. Two lines
 * are the names; the rest is the file, which both of them stand for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_internal.h"
#include "fuzz_input.h"

enum { NAME_SIZE = 512 };

static void check_curve(const Curve *curve, size_t files) {
    require(curve->file < files);
    require(memchr(curve->threshold, '\0', sizeof curve->threshold) != NULL);
    for (size_t i = 0; i < curve->count; i++) {
        const LacunarityPoint *point = &curve->points[i];
        require(isfinite(point->box) && point->box > 0);
        require(isfinite(point->lambda) && point->lambda > 0);
        require(isnan(point->normalised) || (isfinite(point->normalised) && point->normalised > 0));
        require(i == 0 || point[-1].box <= point->box);
    }
}

static void check_set(const CurveSet *set, size_t files) {
    require(set->count <= CURVES_MAX);
    for (size_t i = 0; i < set->count; i++) {
        const Curve *curve = &set->curves[i];
        check_curve(curve, files);
        for (size_t j = 0; j < i; j++) {
            require(set->curves[j].file != curve->file ||
                    strcmp(set->curves[j].threshold, curve->threshold) != 0);
        }
    }
}

static void check_labels(const PathList *names, CurveSet *set) {
    curve_labels_make(names, set);
    require(memchr(set->title, '\0', sizeof set->title) != NULL);
    for (size_t i = 0; i < set->count; i++) {
        require(memchr(set->curves[i].label, '\0', CURVE_LABEL_SIZE) != NULL);
    }
}

/* Takes a line from the bytes; all that is left where there is no line's end. */
static void take_line(const uint8_t **bytes, size_t *size, char line[NAME_SIZE]) {
    const uint8_t *end = memchr(*bytes, '\n', *size);
    const size_t length = end != NULL ? (size_t)(end - *bytes) : *size;
    const size_t kept = length < NAME_SIZE - 1 ? length : NAME_SIZE - 1;
    memcpy(line, *bytes, kept);
    line[kept] = '\0';
    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static CurveSet set;
    char one[NAME_SIZE], two[NAME_SIZE], path[NAME_SIZE];
    if (size == 0) {
        return 0;
    }
    take_line(&bytes, &size, one);
    take_line(&bytes, &size, two);
    strcpy(path, fuzz_input_file(bytes, size));
    const PathList names = {.count = two[0] != '\0' ? 2 : 1, .paths = (char *[]){one, two}};
    const PathList paths = {.count = names.count, .paths = (char *[]){path, path}};
    const Status status = curve_set_read(&paths, &set);
    if (status_is_ok(&status)) {
        check_set(&set, paths.count);
        check_labels(&names, &set);
    } else {
        require(status.code == STATUS_FILE || status.code == STATUS_USAGE);
        require_reason(&status);
    }
    curve_set_release(&set);
    return 0;
}
