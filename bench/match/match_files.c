#include <inttypes.h>
#include <math.h>

#include "atomic_file.h"
#include "datasets.h"
#include "input_guard.h"
#include "match_drawing.h"
#include "match_report.h"
#include "number_text.h"

enum { NUMBER_SIZE = 40 };

/* After a comma; a number that is not there is an empty field. */
static void put_number(FILE *stream, double number) {
    char text[NUMBER_SIZE];
    number_text(number, text, sizeof text);
    fprintf(stream, ",%s", text);
}

static Status name_file(const char *folder, const char *stem, const char *method,
                        const char *suffix, char path[ATOMIC_FILE_PATH_SIZE]) {
    const int length =
        snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s/%s%s%s", folder, stem, method, suffix);
    return length < ATOMIC_FILE_PATH_SIZE
               ? status_ok()
               : status_make(STATUS_FILE, "the folder's name %.60s… is too long", folder);
}

/* --- Methods ---------------------------------------------------------------------------------- */

static const char *variant_name(const Variant *variant) {
    return variant != NULL ? variant->name : "";
}

static void put_method(FILE *stream, const PictureMatch *match, const MethodResult *method) {
    const double ms = 1e3;
    fprintf(stream, "%s,%" PRId32 ",%s,%s,%s,%" PRId32 ",%" PRId32 ",%zu,%zu",
            match_method_name(method->method), method->bits, variant_name(match->detector),
            variant_name(method->describer), variant_name(method->matcher),
            match->pictures[0].keypoints.count, match->pictures[1].keypoints.count, method->count,
            method->ransac.inliers);
    put_number(stream, match->has_truth ? (double)method->correct : NAN);
    put_number(stream, method->corner_error);
    for (int i = 0; i < 2; i++) {
        put_number(stream, ms * match->pictures[i].detect_seconds);
    }
    for (int i = 0; i < 2; i++) {
        put_number(stream, ms * method->describe_seconds[i]);
    }
    put_number(stream, ms * method->match_seconds);
    put_number(stream, ms * method_seconds(match, method));
    put_number(stream, ms * method->ransac_seconds);
    for (int i = 0; i < 9; i++) {
        put_number(stream, method->ransac.found ? method->ransac.homography.h[i] : NAN);
    }
    fputc('\n', stream);
}

static Status write_methods(const char *path, const PictureMatch *match) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("method,bits,detect_variant,describe_variant,match_variant,keypoints_a,keypoints_b,"
          "mutual,inliers,correct,corner_error_px,detect_a_ms,detect_b_ms,describe_a_ms,"
          "describe_b_ms,match_ms,kernels_ms,ransac_ms,h11,h12,h13,h21,h22,h23,h31,h32,h33\n",
          file.stream);
    for (size_t i = 0; i < match->count; i++) {
        if (status_is_ok(&match->methods[i].status)) {
            put_method(file.stream, match, &match->methods[i]);
        }
    }
    return atomic_file_commit(&file);
}

/* --- Matches ---------------------------------------------------------------------------------- */

static void put_match(FILE *stream, const PictureMatch *match, const MethodResult *method,
                      size_t index) {
    const Correspondence *place = &method->places[index];
    char text[NUMBER_SIZE];
    number_text(place->xa, text, sizeof text);
    fputs(text, stream);
    put_number(stream, place->ya);
    put_number(stream, place->xb);
    put_number(stream, place->yb);
    fprintf(stream, ",%" PRIu64 ",%d", method->matches[index].distance, method->inlier[index]);
    if (match->has_truth) {
        fprintf(stream, ",%d", method->matches[index].correct);
    }
    fputc('\n', stream);
}

static Status write_matches(const char *path, const PictureMatch *match,
                            const MethodResult *method) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fprintf(file.stream, "xa,ya,xb,yb,distance,inlier%s\n", match->has_truth ? ",correct" : "");
    for (size_t i = 0; i < method->count; i++) {
        put_match(file.stream, match, method, i);
    }
    return atomic_file_commit(&file);
}

static Status write_drawing(const char *path, const PictureMatch *match, const MethodResult *method,
                            uint64_t seed) {
    Canvas canvas;
    STATUS_TRY(match_draw(match, method, seed, &canvas));
    const Status status = image_write_png_rgb(path, canvas.width, canvas.height, canvas.rgb);
    canvas_release(&canvas);
    return status;
}

Status match_files_check(const char *folder) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(name_file(folder, "match", "", ".csv", path));
    STATUS_TRY(input_guard_check(path));
    for (MatchMethod method = 0; method < MATCH_METHODS; method++) {
        const char *name = match_method_name(method);
        STATUS_TRY(name_file(folder, "matches-", name, ".csv", path));
        STATUS_TRY(input_guard_check(path));
        STATUS_TRY(name_file(folder, "matches-", name, ".png", path));
        STATUS_TRY(input_guard_check(path));
    }
    return status_ok();
}

Status match_write(const char *folder, const PictureMatch *match, uint64_t seed) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(name_file(folder, "match", "", ".csv", path));
    STATUS_TRY(write_methods(path, match));
    for (size_t i = 0; i < match->count; i++) {
        const MethodResult *method = &match->methods[i];
        const char *name = match_method_name(method->method);
        if (!status_is_ok(&method->status)) {
            continue;
        }
        STATUS_TRY(name_file(folder, "matches-", name, ".csv", path));
        STATUS_TRY(write_matches(path, match, method));
        STATUS_TRY(name_file(folder, "matches-", name, ".png", path));
        STATUS_TRY(write_drawing(path, match, method, seed));
    }
    return status_ok();
}
