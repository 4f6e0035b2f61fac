/* Tables, files and drawings of matches. */

#include "match_images_internal.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "datasets.h"
#include "files.h"
#include "harness.h"
#include "json.h"
#include "number.h"
#include "paths.h"
#include "random.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "variant.h"
#include "workload.h"

/* === Match drawing ============================================================================ */

enum { GAP = 8 }; /* pixels between the images */

static const Pen keypoint_pen = {.colour = {255, 215, 0}, .share = 0.45, .width = 1};
static const Pen right_pen = {.colour = {40, 230, 80}, .share = 0.6, .width = 1};
static const Pen wrong_pen = {.colour = {255, 40, 40}, .share = 0.9, .width = 1.5};
static const double keypoint_radius = 2, end_radius = 3;

/* Where an image is on the canvas. */
typedef struct Panel {
    double scale;
    int32_t x, width, height; /* pixels */
} Panel;

static int32_t shrunk(int32_t side, double scale) {
    const int32_t rounded = (int32_t)lround(side * scale);
    return rounded > 0 ? rounded : 1;
}

static void lay_out(const ImageMatch *match, Panel panels[2]) {
    const Image *a = &match->inputs[0].image;
    const Image *b = &match->inputs[1].image;
    const double whole = (double)a->width + b->width;
    const double scale = fmin(1, (MATCH_DRAWING_WIDTH - GAP) / whole);
    panels[0] = (Panel){
        .scale = scale, .width = shrunk(a->width, scale), .height = shrunk(a->height, scale)};
    panels[1] = (Panel){.scale = scale,
                        .x = panels[0].width + GAP,
                        .width = shrunk(b->width, scale),
                        .height = shrunk(b->height, scale)};
}

static Status draw_image(Canvas *canvas, const Image *image, const Panel *panel) {
    Image small;
    STATUS_TRY(image_rescale(image, panel->width, panel->height, &small));
    for (int32_t y = 0; y < small.height; y++) {
        canvas_image(canvas, panel->x, y, image_row(&small, y), small.width, 1, 1);
    }
    image_free(&small);
    return status_ok();
}

/* A coordinate of an image on the canvas: pixels are squares around their centres. */
static double placed(double coordinate, double scale, int32_t offset) {
    return (coordinate + 0.5) * scale - 0.5 + offset;
}

static void draw_keypoints(Canvas *canvas, const KeypointList *list, const Panel *panel) {
    for (int32_t i = 0; i < list->count; i++) {
        canvas_ring(canvas, placed(list->keypoints[i].x, panel->scale, panel->x),
                    placed(list->keypoints[i].y, panel->scale, 0), keypoint_radius, keypoint_pen);
    }
}

static void draw_match(Canvas *canvas, const Correspondence *place, const Panel panels[2],
                       Pen pen) {
    const double xa = placed(place->xa, panels[0].scale, panels[0].x);
    const double ya = placed(place->ya, panels[0].scale, 0);
    const double xb = placed(place->xb, panels[1].scale, panels[1].x);
    const double yb = placed(place->yb, panels[1].scale, 0);
    canvas_line(canvas, xa, ya, xb, yb, pen);
    canvas_ring(canvas, xa, ya, end_radius, pen);
    canvas_ring(canvas, xb, yb, end_radius, pen);
}

/* Indexes of inliers into `chosen`, each as likely as every other; returns their number. */
static size_t choose(const MethodResult *method, uint64_t seed,
                     size_t chosen[MATCH_DRAWING_LINES]) {
    Random random;
    size_t seen = 0;
    random_seed(&random, seed);
    for (size_t i = 0; i < method->count; i++) {
        if (!method->inlier[i]) {
            continue;
        }
        const size_t slot = seen < MATCH_DRAWING_LINES ? seen : random_bits(&random) % (seen + 1);
        if (slot < MATCH_DRAWING_LINES) {
            chosen[slot] = i;
        }
        seen++;
    }
    return seen < MATCH_DRAWING_LINES ? seen : MATCH_DRAWING_LINES;
}

/* Wrong ones last, so that they are not covered. */
static void draw_matches(Canvas *canvas, const ImageMatch *match, const MethodResult *method,
                         uint64_t seed, const Panel panels[2]) {
    size_t chosen[MATCH_DRAWING_LINES];
    const size_t count = choose(method, seed, chosen);
    for (int wrong = 0; wrong < 2; wrong++) {
        for (size_t i = 0; i < count; i++) {
            const bool is_wrong = match->has_truth && !method->matches[chosen[i]].correct;
            if (is_wrong == (wrong == 1)) {
                draw_match(canvas, &method->places[chosen[i]], panels,
                           is_wrong ? wrong_pen : right_pen);
            }
        }
    }
}

Status match_draw(const ImageMatch *match, const MethodResult *method, uint64_t seed,
                  Canvas *canvas) {
    Panel panels[2];
    lay_out(match, panels);
    const int32_t height =
        panels[0].height > panels[1].height ? panels[0].height : panels[1].height;
    STATUS_TRY(canvas_create(panels[1].x + panels[1].width, height, canvas));
    for (int i = 0; i < 2; i++) {
        const Status status = draw_image(canvas, &match->inputs[i].image, &panels[i]);
        if (!status_is_ok(&status)) {
            canvas_release(canvas);
            return status;
        }
        draw_keypoints(canvas, &match->inputs[i].keypoints, &panels[i]);
    }
    draw_matches(canvas, match, method, seed, panels);
    return status_ok();
}

/* === Match files ============================================================================== */

enum { NUMBER_SIZE = 40 };

/* After a comma; a number that is not there is an empty field. */
static void put_number(FILE *stream, double number) {
    char text[NUMBER_SIZE];
    number_text(number, text, sizeof text);
    fprintf(stream, ",%s", text);
}

static Status name_file(const char *folder, const char *stem, const char *method,
                        const char *suffix, char path[ATOMIC_FILE_PATH_SIZE]) {
    return path_make(path, ATOMIC_FILE_PATH_SIZE, "%s/%s%s%s", folder, stem, method, suffix);
}

/* --- Methods ---------------------------------------------------------------------------------- */

static const char *variant_name(const Variant *variant) {
    return variant != NULL ? variant->name : "";
}

static void put_method(FILE *stream, const ImageMatch *match, const MethodResult *method) {
    const double ms = 1e3;
    fprintf(stream, "%s,%" PRId32 ",%s,%s,%s,%" PRId32 ",%" PRId32 ",%zu,%zu",
            match_method_name(method->method), method->bits, variant_name(match->detector),
            variant_name(method->describer), variant_name(method->matcher),
            match->inputs[0].keypoints.count, match->inputs[1].keypoints.count, method->count,
            method->ransac.inliers);
    put_number(stream, match->has_truth ? (double)method->correct : NAN);
    put_number(stream, method->corner_error);
    for (int i = 0; i < 2; i++) {
        put_number(stream, ms * match->inputs[i].detect_seconds);
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
    const bool ranges = match->seeds > 1; /* of one seed there is none */
    fprintf(stream, ",%" PRId32 ",%" PRIu64, match->seeds, method->seed);
    put_number(stream, ranges ? (double)method->inliers_low : NAN);
    put_number(stream, ranges ? (double)method->inliers_high : NAN);
    fputc('\n', stream);
}

static Status write_methods(const char *path, const ImageMatch *match) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("method,bits,detect_variant,describe_variant,match_variant,keypoints_a,keypoints_b,"
          "mutual,inliers,correct,corner_error_px,detect_a_ms,detect_b_ms,describe_a_ms,"
          "describe_b_ms,match_ms,kernels_ms,ransac_ms,h11,h12,h13,h21,h22,h23,h31,h32,h33,seeds,"
          "seed,inliers_low,inliers_high\n",
          file.stream);
    for (size_t i = 0; i < match->count; i++) {
        if (status_is_ok(&match->methods[i].status)) {
            put_method(file.stream, match, &match->methods[i]);
        }
    }
    return atomic_file_commit(&file);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static const char file_format[] = "bench match";
enum { FILE_VERSION = 1 };

static bool add_child(cJSON *parent, const char *key, cJSON *child) {
    return child != NULL && (key != NULL ? cJSON_AddItemToObject(parent, key, child)
                                         : cJSON_AddItemToArray(parent, child));
}

static bool add_method_counts(cJSON *object, const ImageMatch *match, const MethodResult *method) {
    char seed[NUMBER_SIZE];
    snprintf(seed, sizeof seed, "%" PRIu64, method->seed); /* a number in JSON is a double */
    return json_add_text(object, "method", match_method_name(method->method)) &&
           json_add_number(object, "bits", method->bits) &&
           json_add_number(object, "mutual", (double)method->count) &&
           json_add_number(object, "inliers", (double)method->ransac.inliers) &&
           json_add_number(object, "correct", match->has_truth ? (double)method->correct : NAN) &&
           json_add_number(object, "corner_error_px", method->corner_error) &&
           json_add_text(object, "seed", seed) &&
           (match->seeds <= 1 ||
            (json_add_number(object, "inliers_low", (double)method->inliers_low) &&
             json_add_number(object, "inliers_high", (double)method->inliers_high)));
}

static bool add_method_times(cJSON *object, const ImageMatch *match, const MethodResult *method) {
    const double ms = 1e3;
    return json_add_text(object, "describe_variant", variant_name(method->describer)) &&
           json_add_text(object, "match_variant", variant_name(method->matcher)) &&
           json_add_number(object, "describe_a_ms", ms * method->describe_seconds[0]) &&
           json_add_number(object, "describe_b_ms", ms * method->describe_seconds[1]) &&
           json_add_number(object, "match_ms", ms * method->match_seconds) &&
           json_add_number(object, "kernels_ms", ms * method_seconds(match, method)) &&
           json_add_number(object, "ransac_ms", ms * method->ransac_seconds) &&
           (!method->ransac.found ||
            add_child(object, "homography",
                      cJSON_CreateDoubleArray(method->ransac.homography.h, 9)));
}

static bool add_methods(cJSON *root, const ImageMatch *match) {
    cJSON *list = cJSON_AddArrayToObject(root, "methods");
    for (size_t i = 0; i < match->count; i++) {
        const MethodResult *method = &match->methods[i];
        if (!status_is_ok(&method->status)) {
            continue;
        }
        cJSON *object = cJSON_CreateObject();
        if (!add_child(list, NULL, object) || !add_method_counts(object, match, method) ||
            !add_method_times(object, match, method)) {
            return false;
        }
    }
    return list != NULL;
}

static bool add_images(cJSON *root, const ImageMatch *match) {
    cJSON *list = cJSON_AddArrayToObject(root, "images");
    for (int i = 0; i < 2; i++) {
        const MatchInput *input = &match->inputs[i];
        cJSON *object = cJSON_CreateObject();
        if (!add_child(list, NULL, object) || !json_add_text(object, "name", input->name) ||
            !json_add_number(object, "width", input->image.width) ||
            !json_add_number(object, "height", input->image.height) ||
            !json_add_number(object, "keypoints", input->keypoints.count) ||
            !json_add_number(object, "detect_ms", 1e3 * input->detect_seconds)) {
            return false;
        }
    }
    return list != NULL;
}

static Status write_json(const char *path, const ImageMatch *match) {
    cJSON *root = cJSON_CreateObject();
    const bool complete = root != NULL && json_add_text(root, "format", file_format) &&
                          json_add_number(root, "version", FILE_VERSION) &&
                          add_images(root, match) &&
                          json_add_text(root, "detect_variant", variant_name(match->detector)) &&
                          json_add_text(root, "ransac", match_ransac_name(match->ransac.kind)) &&
                          json_add_number(root, "inlier_px", match->ransac.inlier_px) &&
                          json_add_number(root, "seeds", match->seeds) && add_methods(root, match);
    return json_file_write(path, json_whole(root, complete));
}

/* --- Matches ---------------------------------------------------------------------------------- */

static void put_match(FILE *stream, const ImageMatch *match, const MethodResult *method,
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

static Status write_matches(const char *path, const ImageMatch *match, const MethodResult *method) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fprintf(file.stream, "xa,ya,xb,yb,distance,inlier%s\n", match->has_truth ? ",correct" : "");
    for (size_t i = 0; i < method->count; i++) {
        put_match(file.stream, match, method, i);
    }
    return atomic_file_commit(&file);
}

static Status write_drawing(const char *path, const ImageMatch *match, const MethodResult *method,
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
    STATUS_TRY(name_file(folder, "match", "", ".json", path));
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

Status match_write(const char *folder, const ImageMatch *match, uint64_t seed) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(name_file(folder, "match", "", ".csv", path));
    STATUS_TRY(write_methods(path, match));
    STATUS_TRY(name_file(folder, "match", "", ".json", path));
    STATUS_TRY(write_json(path, match));
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

/* === Match print ============================================================================== */

/* --- Images ----------------------------------------------------------------------------------- */

static void print_input(FILE *stream, const ImageMatch *match, int index) {
    const MatchInput *input = &match->inputs[index];
    const char *path = match->keypoint_files[index];
    char line[512] = "";
    text_append(line, sizeof line, "%c: %s, %" PRId32 "×%" PRId32 " pixels, %" PRId32 " keypoint%s",
                'A' + index, input->name, input->image.width, input->image.height,
                input->keypoints.count, input->keypoints.count == 1 ? "" : "s");
    if (path != NULL) {
        text_append(line, sizeof line, " of %s", path_name(path));
    }
    visible_line(stream, "%s", line);
}

/* --- Found ------------------------------------------------------------------------------------ */

static void put_ms(TextTable *table, double seconds) {
    if (isnan(seconds)) {
        text_table_skip(table);
    } else {
        text_table_put(table, "%.3f", 1e3 * seconds);
    }
}

static void add_found(TextTable *table, const ImageMatch *match, const MethodResult *method) {
    text_table_put(table, "%s", match_method_name(method->method));
    text_table_put(table, "%" PRId32, method->bits);
    text_table_put(table, "%" PRId32, match->inputs[0].keypoints.count);
    text_table_put(table, "%" PRId32, match->inputs[1].keypoints.count);
    text_table_put(table, "%zu", method->count);
    text_table_put(table, "%zu", method->ransac.inliers);
    if (!match->has_truth) {
        text_table_skip(table);
        text_table_skip(table);
        return;
    }
    text_table_put(table, "%zu", method->correct);
    if (isnan(method->corner_error)) {
        text_table_put(table, "-");
    } else {
        text_table_put(table, "%.2f", method->corner_error);
    }
}

static void add_times(TextTable *table, const ImageMatch *match, const MethodResult *method) {
    text_table_put(table, "%s", match_method_name(method->method));
    text_table_put(table, "%s", method->describer != NULL ? method->describer->name : "");
    put_ms(table, match->inputs[0].detect_seconds);
    put_ms(table, match->inputs[1].detect_seconds);
    put_ms(table, method->describe_seconds[0]);
    put_ms(table, method->describe_seconds[1]);
    put_ms(table, method->match_seconds);
    put_ms(table, method_seconds(match, method));
    put_ms(table, method->ransac_seconds);
}

typedef void AddMethod(TextTable *table, const ImageMatch *match, const MethodResult *method);

static Status print_methods(FILE *stream, const ImageMatch *match, const DocColumn *columns,
                            size_t count, AddMethod *add) {
    TextTable table = text_table_start(columns, count);
    table.table.wraps = true;
    for (size_t i = 0; i < match->count; i++) {
        if (status_is_ok(&match->methods[i].status)) {
            add(&table, match, &match->methods[i]);
        }
    }
    return text_table_end(&table, stream, table_print);
}

static Status print_found(FILE *stream, const ImageMatch *match) {
    static const DocColumn columns[] = {{.title = "method"},
                                        {.title = "bits", .numeric = true},
                                        {.title = "keypoints A", .numeric = true},
                                        {.title = "keypoints B", .numeric = true},
                                        {.title = "mutual", .numeric = true},
                                        {.title = "inliers", .numeric = true},
                                        {.title = "correct", .numeric = true},
                                        {.title = "corners, px", .numeric = true}};
    fputc('\n', stream);
    return print_methods(stream, match, columns, sizeof columns / sizeof columns[0], add_found);
}

static Status print_times(FILE *stream, const ImageMatch *match) {
    static const DocColumn columns[] = {{.title = "method"},
                                        {.title = "variant", .rank = 3},
                                        {.title = "detect A", .numeric = true, .rank = 2},
                                        {.title = "detect B", .numeric = true, .rank = 2},
                                        {.title = "describe A", .numeric = true, .rank = 1},
                                        {.title = "describe B", .numeric = true, .rank = 1},
                                        {.title = "match", .numeric = true},
                                        {.title = "sum", .numeric = true},
                                        {.title = "RANSAC", .numeric = true}};
    fputc('\n', stream);
    flow_line(stream, 2,
              "Milliseconds: kernel time of each part and their sum; RANSAC on the host");
    return print_methods(stream, match, columns, sizeof columns / sizeof columns[0], add_times);
}

/* --- Seeds ------------------------------------------------------------------------------------ */

static void add_range(TextTable *table, const ImageMatch *match, const MethodResult *method) {
    (void)match;
    text_table_put(table, "%s", match_method_name(method->method));
    text_table_put(table, "%zu", method->inliers_low);
    text_table_put(table, "%zu", method->ransac.inliers);
    text_table_put(table, "%zu", method->inliers_high);
}

/* The methods that could be used, those with the most inliers first; returns their number. */
static size_t rank_methods(const ImageMatch *match, const MethodResult *ranked[MATCH_METHODS]) {
    size_t count = 0;
    for (size_t i = 0; i < match->count; i++) {
        const MethodResult *method = &match->methods[i];
        if (!status_is_ok(&method->status)) {
            continue;
        }
        size_t at = count++;
        while (at > 0 && ranked[at - 1]->ransac.inliers < method->ransac.inliers) {
            ranked[at] = ranked[at - 1];
            at--;
        }
        ranked[at] = method;
    }
    return count;
}

static Estimate inliers_of(const MethodResult *method) {
    return (Estimate){.value = (double)method->ransac.inliers,
                      .low = (double)method->inliers_low,
                      .high = (double)method->inliers_high};
}

/* "hashsift finds more inliers than sift, bad", and of pairs whose ranges overlap that no
 * difference is shown. */
static void print_order(FILE *stream, const ImageMatch *match) {
    const MethodResult *ranked[MATCH_METHODS], *open[MATCH_METHODS];
    const size_t count = rank_methods(match, ranked);
    for (size_t i = 0; i < count; i++) {
        const char *name = match_method_name(ranked[i]->method);
        const Estimate own = inliers_of(ranked[i]);
        char fewer[256] = "";
        size_t opens = 0;
        for (size_t j = i + 1; j < count; j++) {
            const Estimate other = inliers_of(ranked[j]);
            if (estimate_order(&own, &other) > 0) {
                text_append(fewer, sizeof fewer, "%s%s", fewer[0] != '\0' ? ", " : "",
                            match_method_name(ranked[j]->method));
            } else {
                open[opens++] = ranked[j];
            }
        }
        if (fewer[0] != '\0') {
            flow_line(stream, 2, "%s finds more inliers than %s", name, fewer);
        }
        for (size_t j = 0; j < opens; j++) {
            flow_line(stream, 2, "between %s and %s it is undecided: their ranges overlap", name,
                      match_method_name(open[j]->method));
        }
    }
}

static Status print_seeds(FILE *stream, const ImageMatch *match) {
    static const DocColumn columns[] = {{.title = "method"},
                                        {.title = "least", .numeric = true},
                                        {.title = "median", .numeric = true},
                                        {.title = "most", .numeric = true}};
    if (match->seeds <= 1) {
        return status_ok();
    }
    fputc('\n', stream);
    flow_line(stream, 2,
              "Inliers over %" PRId32 " seeds of RANSAC, from %" PRIu64
              " on; all else is of the seed with the median",
              match->seeds, match->ransac.seed);
    STATUS_TRY(
        print_methods(stream, match, columns, sizeof columns / sizeof columns[0], add_range));
    print_order(stream, match);
    return status_ok();
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

Status match_print(FILE *stream, const ImageMatch *match) {
    for (int i = 0; i < 2; i++) {
        print_input(stream, match, i);
    }
    STATUS_TRY(print_found(stream, match));
    STATUS_TRY(print_seeds(stream, match));
    STATUS_TRY(print_times(stream, match));
    for (size_t i = 0; i < match->count; i++) {
        print_note(stream, &match->methods[i]);
    }
    return status_ok();
}
