#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "match_report.h"
#include "text_list.h"
#include "text_table.h"
#include "visible.h"

static const char *file_of_path(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void print_picture(FILE *stream, const PictureMatch *match, int index) {
    const MatchPicture *picture = &match->pictures[index];
    const char *path = match->keypoint_files[index];
    char line[512] = "";
    text_append(line, sizeof line, "%c: %s, %" PRId32 "×%" PRId32 " pixels, %" PRId32 " keypoint%s",
                'A' + index, picture->name, picture->image.width, picture->image.height,
                picture->keypoints.count, picture->keypoints.count == 1 ? "" : "s");
    if (path != NULL) {
        text_append(line, sizeof line, " of %s", file_of_path(path));
    }
    visible_line(stream, "%s", line);
}

/* --- Found ------------------------------------------------------------------------------------ */

static void put_ms(double seconds, char cell[TEXT_TABLE_CELL_SIZE]) {
    if (!isnan(seconds)) {
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.3f", 1e3 * seconds);
    }
}

static void fill_found(const PictureMatch *match, const MethodResult *method, TextRow *row) {
    char(*cells)[TEXT_TABLE_CELL_SIZE] = row->cells;
    snprintf(cells[0], sizeof cells[0], "%s", match_method_name(method->method));
    snprintf(cells[1], sizeof cells[1], "%" PRId32, method->bits);
    snprintf(cells[2], sizeof cells[2], "%" PRId32, match->pictures[0].keypoints.count);
    snprintf(cells[3], sizeof cells[3], "%" PRId32, match->pictures[1].keypoints.count);
    snprintf(cells[4], sizeof cells[4], "%zu", method->count);
    snprintf(cells[5], sizeof cells[5], "%zu", method->ransac.inliers);
    if (match->has_truth) {
        snprintf(cells[6], sizeof cells[6], "%zu", method->correct);
        snprintf(cells[7], sizeof cells[7], isnan(method->corner_error) ? "-" : "%.2f",
                 method->corner_error);
    }
}

static void fill_times(const PictureMatch *match, const MethodResult *method, TextRow *row) {
    char(*cells)[TEXT_TABLE_CELL_SIZE] = row->cells;
    snprintf(cells[0], sizeof cells[0], "%s", match_method_name(method->method));
    snprintf(cells[1], sizeof cells[1], "%s",
             method->describer != NULL ? method->describer->name : "");
    for (int i = 0; i < 2; i++) {
        put_ms(match->pictures[i].detect_seconds, cells[2 + i]);
        put_ms(method->describe_seconds[i], cells[4 + i]);
    }
    put_ms(method->match_seconds, cells[6]);
    put_ms(method_seconds(match, method), cells[7]);
    put_ms(method->ransac_seconds, cells[8]);
}

static size_t fill_rows(const PictureMatch *match, TextRow rows[MATCH_METHODS],
                        void (*fill)(const PictureMatch *, const MethodResult *, TextRow *)) {
    size_t count = 0;
    memset(rows, 0, MATCH_METHODS * sizeof *rows);
    for (size_t i = 0; i < match->count; i++) {
        if (status_is_ok(&match->methods[i].status)) {
            fill(match, &match->methods[i], &rows[count++]);
        }
    }
    return count;
}

static void print_found(FILE *stream, const PictureMatch *match) {
    static const TextColumn columns[] = {{.title = "method", .left = true},
                                         {.title = "bits"},
                                         {.title = "keypoints A"},
                                         {.title = "keypoints B"},
                                         {.title = "mutual"},
                                         {.title = "inliers"},
                                         {.title = "correct"},
                                         {.title = "corners, px"}};
    TextRow rows[MATCH_METHODS];
    const size_t count = fill_rows(match, rows, fill_found);
    fputc('\n', stream);
    text_table_print(stream, columns, sizeof columns / sizeof columns[0], rows, count);
}

static void print_times(FILE *stream, const PictureMatch *match) {
    static const TextColumn columns[] = {{.title = "method", .left = true},
                                         {.title = "variant", .left = true},
                                         {.title = "detect A"},
                                         {.title = "detect B"},
                                         {.title = "describe A"},
                                         {.title = "describe B"},
                                         {.title = "match"},
                                         {.title = "sum"},
                                         {.title = "RANSAC"}};
    TextRow rows[MATCH_METHODS];
    const size_t count = fill_rows(match, rows, fill_times);
    fputs("\nMilliseconds: kernel time of each part and their sum; RANSAC on the host\n", stream);
    text_table_print(stream, columns, sizeof columns / sizeof columns[0], rows, count);
}

/* --- What is missing -------------------------------------------------------------------------- */

static void print_note(FILE *stream, const MethodResult *method) {
    const char *name = match_method_name(method->method);
    if (!status_is_ok(&method->status)) {
        visible_line(stream, "%s is left out: %s", name, method->status.why);
    } else if (!method->ransac.found && method->count < HOMOGRAPHY_POINTS) {
        fprintf(stream, "%s: no homography: %zu mutual match%s, and it takes %d\n", name,
                method->count, method->count == 1 ? "" : "es", HOMOGRAPHY_POINTS);
    } else if (!method->ransac.found) {
        fprintf(stream, "%s: no homography: no four of the matches determine one\n", name);
    }
}

void match_print(FILE *stream, const PictureMatch *match) {
    for (int i = 0; i < 2; i++) {
        print_picture(stream, match, i);
    }
    print_found(stream, match);
    print_times(stream, match);
    for (size_t i = 0; i < match->count; i++) {
        print_note(stream, &match->methods[i]);
    }
}
