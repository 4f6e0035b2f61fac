/* Views of images with known correspondences. */

#include "descriptors_internal.h"
#include "paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "fnv.h"
#include "harness.h"
#include "keypoint_files.h"
#include "list.h"
#include "output.h"
#include "random.h"
#include "size_spec.h"
#include "status.h"
#include "workload.h"

/* === Exposure ================================================================================= */

/* Factors, evenly on a logarithmic scale. */
static inline double draw_factor(Draw *draw, double low, double high) {
    return exp(draw_between(draw, log(low), log(high)));
}

#define EXPOSURE_BLUR_MIN 0.25

enum { RADIUS_MAX = 8, TONES = 256 };

static Exposure exposure_draw(Draw *draw) {
    return (Exposure){.blur = draw_between(draw, 0, 1.2),
                      .gamma = draw_factor(draw, 0.64, 1.57),
                      .gain = draw_factor(draw, 0.7, 1.28),
                      .offset = draw_between(draw, -15, 15),
                      .noise = draw_between(draw, 0, 5)};
}

/* --- Blur ------------------------------------------------------------------------------------- */

typedef struct Kernel {
    int32_t radius;
    float factors[2 * RADIUS_MAX + 1];
} Kernel;

static Kernel kernel_of(double deviation) {
    Kernel kernel = {.radius = (int32_t)ceil(3 * deviation)};
    kernel.radius = kernel.radius < RADIUS_MAX ? kernel.radius : RADIUS_MAX;
    double sum = 0;
    for (int32_t k = -kernel.radius; k <= kernel.radius; k++) {
        sum += exp(-k * k / (2 * deviation * deviation));
    }
    for (int32_t k = -kernel.radius; k <= kernel.radius; k++) {
        kernel.factors[k + kernel.radius] =
            (float)(exp(-k * k / (2 * deviation * deviation)) / sum);
    }
    return kernel;
}

/* `step` bytes from one to the next of `count` values; beyond the ends the last ones. `line` has
 * room for the values and a radius on either side. */
static void blur_line(const Kernel *kernel, uint8_t *values, int32_t count, size_t step,
                      float *line) {
    for (int32_t i = -kernel->radius; i < count + kernel->radius; i++) {
        const int32_t inside = i < 0 ? 0 : i < count ? i : count - 1;
        line[i + kernel->radius] = values[(size_t)inside * step];
    }
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.5F;
        for (int32_t k = 0; k <= 2 * kernel->radius; k++) {
            sum += kernel->factors[k] * line[i + k];
        }
        values[(size_t)i * step] = (uint8_t)sum;
    }
}

static Status blur(double deviation, Image *image) {
    const Kernel kernel = kernel_of(deviation);
    const int32_t longest = image->width > image->height ? image->width : image->height;
    float *line = malloc(((size_t)longest + 2 * RADIUS_MAX) * sizeof *line);
    STATUS_MEMORY(line, "for a line of an image");
    for (int32_t y = 0; y < image->height; y++) {
        blur_line(&kernel, image->pixels + (size_t)y * image->stride, image->width, 1, line);
    }
    for (int32_t x = 0; x < image->width; x++) {
        blur_line(&kernel, image->pixels + x, image->height, image->stride, line);
    }
    free(line);
    return status_ok();
}

/* --- Tone and noise --------------------------------------------------------------------------- */

/* Four uniform numbers of 16 bits make one that is as good as normal here, for one draw a pixel. */
static float noise_of(Draw *draw) {
    static const float mean = 2 * 65535.0F;
    static const float deviation = 37836.6F; /* 65536·√(4 / 12) */
    const uint64_t bits = draw_number(draw);
    const uint64_t sum =
        (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    return ((float)sum - mean) / deviation;
}

static void expose(const Exposure *exposure, Draw *draw, Image *image) {
    float tones[TONES];
    for (int tone = 0; tone < TONES; tone++) {
        tones[tone] = (float)(255 * pow(tone / 255.0, exposure->gamma) * exposure->gain +
                              exposure->offset + 0.5);
    }
    for (int32_t y = 0; y < image->height; y++) {
        uint8_t *row = image->pixels + (size_t)y * image->stride;
        for (int32_t x = 0; x < image->width; x++) {
            const float value = tones[row[x]] + (float)exposure->noise * noise_of(draw);
            row[x] = (uint8_t)(value > 0 ? value < 255 ? value : 255 : 0);
        }
    }
}

Status exposure_apply(const Exposure *exposure, Draw *draw, Image *image) {
    if (exposure->blur >= EXPOSURE_BLUR_MIN) {
        STATUS_TRY(blur(exposure->blur, image));
    }
    expose(exposure, draw, image);
    return status_ok();
}

/* === Warp ===================================================================================== */

/* Any turn, up to WARP_SCALE larger or smaller, stretched in any direction, tilted. */
#define WARP_SCALE 1.82

#define WARP_STRETCH 2.46 /* longest by shortest side of what was a square, at most */

#define WARP_TILT 0.6 /* how much nearer one edge may be than the middle, at most */

static const double pi = 3.14159265358979323846;

static void multiply(const double left[3][3], const double right[3][3], double product[3][3]) {
    double sum[3][3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            sum[r][c] = 0;
            for (int k = 0; k < 3; k++) {
                sum[r][c] += left[r][k] * right[k][c];
            }
        }
    }
    memcpy(product, sum, sizeof sum);
}

/* matrix = turn · matrix */
static void turn(double angle, double matrix[3][3]) {
    const double by[3][3] = {{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}};
    multiply(by, matrix, matrix);
}

static void place(const double matrix[3][3], double x, double y, double *u, double *v) {
    const double w = matrix[2][0] * x + matrix[2][1] * y + matrix[2][2];
    *u = (matrix[0][0] * x + matrix[0][1] * y + matrix[0][2]) / w;
    *v = (matrix[1][0] * x + matrix[1][1] * y + matrix[1][2]) / w;
}

/* Moves the view so that it begins at 0, and shrinks it when it is too large. */
static void fit(int32_t width, int32_t height, Warp *warp) {
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    for (int corner = 0; corner < 4; corner++) {
        double at[2];
        place(warp->matrix, (corner & 1) * (width - 1), (corner >> 1) * (height - 1), &at[0],
              &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    const double longest = fmax(high[0] - low[0], high[1] - low[1]) + 1;
    const double scale = longest > WARP_SIDE_MAX ? WARP_SIDE_MAX / longest : 1;
    const double shift[3][3] = {
        {scale, 0, -scale * low[0]}, {0, scale, -scale * low[1]}, {0, 0, 1}};
    multiply(shift, warp->matrix, warp->matrix);
    warp->width = (int32_t)(scale * (high[0] - low[0])) + 1;
    warp->height = (int32_t)(scale * (high[1] - low[1])) + 1;
}

Warp warp_draw(int32_t width, int32_t height, Draw *draw) {
    const double longest = width > height ? width : height;
    Warp warp = {.matrix = {{1, 0, -0.5 * (width - 1)}, {0, 1, -0.5 * (height - 1)}, {0, 0, 1}}};
    const double tilt[3][3] = {{1, 0, 0},
                               {0, 1, 0},
                               {draw_between(draw, -WARP_TILT, WARP_TILT) / longest,
                                draw_between(draw, -WARP_TILT, WARP_TILT) / longest, 1}};
    const double scale = draw_factor(draw, 1 / WARP_SCALE, WARP_SCALE);
    const double stretch = sqrt(draw_factor(draw, 1, WARP_STRETCH));
    const double along = draw_between(draw, 0, pi);
    const double scaling[3][3] = {{scale * stretch, 0, 0}, {0, scale / stretch, 0}, {0, 0, 1}};
    multiply(tilt, warp.matrix, warp.matrix);
    turn(-along, warp.matrix);
    multiply(scaling, warp.matrix, warp.matrix);
    turn(along + draw_between(draw, -pi, pi), warp.matrix);
    fit(width, height, &warp);
    return warp;
}

Keypoint warp_keypoint(const Warp *warp, Keypoint keypoint) {
    const double(*m)[3] = warp->matrix;
    const double w = m[2][0] * keypoint.x + m[2][1] * keypoint.y + m[2][2];
    double u, v;
    place(m, keypoint.x, keypoint.y, &u, &v);
    const double ux = (m[0][0] - u * m[2][0]) / w;
    const double uy = (m[0][1] - u * m[2][1]) / w;
    const double vx = (m[1][0] - v * m[2][0]) / w;
    const double vy = (m[1][1] - v * m[2][1]) / w;
    const double turned = keypoint.angle + atan2(vx - uy, ux + vy) * (180 / pi);
    return (Keypoint){.x = (float)u,
                      .y = (float)v,
                      .size = (float)(keypoint.size * sqrt(fabs(ux * vy - uy * vx))),
                      .angle = (float)(turned - 360 * floor(turned / 360))};
}

static void invert(const double m[3][3], double inverse[3][3]) {
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            inverse[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]; /* up to a factor */
        }
    }
}

static double clamp(double value, double most) {
    return value > 0 ? value < most ? value : most : 0;
}

Status warp_render(const Warp *warp, const Image *image, Image *view) {
    double back[3][3];
    invert(warp->matrix, back);
    STATUS_TRY(image_create(warp->width, warp->height, 1, view));
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *row = view->pixels + (size_t)y * view->stride;
        for (int32_t x = 0; x < view->width; x++) {
            double u, v;
            place(back, x, y, &u, &v);
            row[x] = image_bilinear(image, clamp(u, image->width - 1), clamp(v, image->height - 1));
        }
    }
    return status_ok();
}

/* === Views ==================================================================================== */

/* Of how many found ones each that is used is drawn. The strongest alone would be all corners. */
enum { FOUND_FOR_USED = 3 };
enum { DRAW_POINTS = 1, DRAW_WARP, DRAW_EXPOSURE, DRAW_JITTER };

/* How a keypoint that is found again differs from where it should be: deviations. */
static const double jitter_place = 0.012; /* sides of its patch */
static const double jitter_size = 0.1;    /* of the size's logarithm */
static const double jitter_angle = 6;     /* degrees */
static const double size_least = 0.4, size_most = 1.5;

static bool is_inside(const Image *image, const Keypoint *keypoint, float reach) {
    return keypoint->x >= reach && keypoint->y >= reach &&
           keypoint->x < (float)image->width - reach && keypoint->y < (float)image->height - reach;
}

/* Draws `most` of the list to its front. */
static void shuffle(KeypointList *list, int32_t most, Draw *draw) {
    for (int32_t i = 0; i < list->count && i < most; i++) {
        const int32_t other = i + draw_below(draw, list->count - i);
        const Keypoint drawn = list->keypoints[other];
        list->keypoints[other] = list->keypoints[i];
        list->keypoints[i] = drawn;
    }
    list->count = list->count < most ? list->count : most;
}

static void find_points(const Image *image, const ViewRequest *request, KeypointList *list) {
    Draw draw = draw_start(request->seed, DRAW_POINTS, 0);
    int32_t kept = 0;
    shuffle(list, request->points, &draw);
    for (int32_t i = 0; i < list->count; i++) {
        Keypoint keypoint = list->keypoints[i];
        keypoint.size *= (float)draw_factor(&draw, size_least, size_most);
        if (is_inside(image, &keypoint, keypoint.size / 2)) {
            list->keypoints[kept++] = keypoint;
        }
    }
    list->count = kept;
}

static Keypoint jitter(Keypoint keypoint, Draw *draw) {
    const double size = keypoint.size;
    keypoint.x += (float)(jitter_place * size * draw_normal(draw));
    keypoint.y += (float)(jitter_place * size * draw_normal(draw));
    keypoint.size *= (float)exp(jitter_size * draw_normal(draw));
    const double angle = keypoint.angle + jitter_angle * draw_normal(draw);
    keypoint.angle = (float)(angle - 360 * floor(angle / 360));
    return keypoint;
}

static Status make_view(const Image *image, const ViewRequest *request, int32_t view,
                        Views *views) {
    Draw warp_draws = draw_start(request->seed, DRAW_WARP, (uint64_t)view);
    Draw exposure_draws = draw_start(request->seed, DRAW_EXPOSURE, (uint64_t)view);
    Draw jitter_draws = draw_start(request->seed, DRAW_JITTER, (uint64_t)view);
    const Warp warp = warp_draw(image->width, image->height, &warp_draws);
    const Exposure exposure = exposure_draw(&exposure_draws);
    Keypoint *moved = views->keypoints + (size_t)view * (size_t)views->points;
    for (int32_t i = 0; i < views->points; i++) {
        moved[i] = warp_keypoint(&warp, views->keypoints[i]);
        if (!request->plain) {
            moved[i] = jitter(moved[i], &jitter_draws);
        }
    }
    STATUS_TRY(warp_render(&warp, image, &views->images[view]));
    if (request->plain) {
        return status_ok();
    }
    return exposure_apply(&exposure, &exposure_draws, &views->images[view]);
}

/* Leaves out points that are not in every view. */
static Status drop_lost(Views *views) {
    int32_t kept = 0;
    bool *seen = malloc((size_t)views->points + 1);
    STATUS_MEMORY(seen, "for %" PRId32 " keypoints", views->points);
    for (int32_t i = 0; i < views->points; i++) {
        seen[i] = true;
        for (int32_t v = 1; v < views->views; v++) {
            seen[i] &=
                is_inside(&views->images[v],
                          &views->keypoints[(size_t)v * (size_t)views->points + (size_t)i], 0);
        }
        kept += seen[i];
    }
    Keypoint *to = views->keypoints;
    for (int32_t i = 0; i < views->views * views->points; i++) {
        if (seen[i % views->points]) {
            *to++ = views->keypoints[i];
        }
    }
    views->points = kept;
    free(seen);
    return status_ok();
}

static Status copy_points(const KeypointList *list, int32_t count, Views *views) {
    views->points = list->count;
    views->keypoints = calloc((size_t)list->count * (size_t)count + 1, sizeof *views->keypoints);
    STATUS_MEMORY(views->keypoints, "for keypoints");
    memcpy(views->keypoints, list->keypoints, (size_t)list->count * sizeof *list->keypoints);
    return status_ok();
}

static Status make_all(const Image *image, const ViewRequest *request, const KeypointList *list,
                       Views *views) {
    STATUS_TRY(copy_points(list, request->views, views));
    for (int32_t v = 1; v < request->views; v++) {
        views->views = v + 1;
        STATUS_TRY(make_view(image, request, v, views));
    }
    return drop_lost(views);
}

Status views_make(const Image *image, const ViewRequest *request, Views *views) {
    KeypointList list;
    *views = (Views){.images = {*image}, .views = 1};
    STATUS_TRY(keypoints_detect(image, NULL, FOUND_FOR_USED * request->points, &list));
    find_points(image, request, &list);
    const Status status = make_all(image, request, &list, views);
    keypoints_free(&list);
    return status;
}

static Status map_points(const ViewRequest *request, const Warp *warp, const KeypointList *list,
                         Views *views) {
    Draw draws = draw_start(request->seed, DRAW_JITTER, 1);
    STATUS_TRY(copy_points(list, 2, views));
    Keypoint *moved = views->keypoints + views->points;
    for (int32_t i = 0; i < views->points; i++) {
        moved[i] = jitter(warp_keypoint(warp, views->keypoints[i]), &draws);
    }
    return drop_lost(views);
}

Status views_of_pair(const Image *image, Image *other, const Warp *warp, const ViewRequest *request,
                     Views *views) {
    KeypointList list;
    *views = (Views){.images = {*image, *other}, .views = 2};
    *other = (Image){.pixels = NULL};
    STATUS_TRY(keypoints_detect(image, NULL, FOUND_FOR_USED * request->points, &list));
    find_points(image, request, &list);
    const Status status = map_points(request, warp, &list, views);
    keypoints_free(&list);
    return status;
}

void views_release(Views *views) {
    for (int32_t v = 1; v < views->views; v++) {
        image_free(&views->images[v]);
    }
    free(views->keypoints);
    *views = (Views){0};
}

/* === View describer =========================================================================== */

static size_t bytes_of_weights(const ViewDescriber *describer) {
    return (size_t)describer->bits / 8;
}

size_t view_describer_row(const ViewDescriber *describer) {
    const int32_t count = describer->weights_count > 0 ? describer->weights_count : 1;
    return bytes_of_weights(describer) * (size_t)count;
}

static Status describe(const ViewDescriber *describer, const Workload *workload, uint8_t *rows,
                       size_t stride) {
    char bits[16];
    Output output;
    snprintf(bits, sizeof bits, "%" PRId32, describer->bits);
    STATUS_TRY(one_answer_best(describer->algorithm, workload,
                               (const char *const[][2]){{"bits", bits}, {NULL}}, &output));
    const uint8_t *computed = output_part(&output, 0);
    const size_t bytes = bytes_of_weights(describer);
    for (int32_t i = 0; i < workload->keypoints.count; i++) {
        memcpy(rows + (size_t)i * stride, computed + (size_t)i * bytes, bytes);
    }
    answer_release_guarded(&output);
    return status_ok();
}

Status view_describer_run(const ViewDescriber *describer, const Image *image, Keypoint *keypoints,
                          int32_t count, uint8_t *rows, size_t stride) {
    Workload workload = {
        .struct_bytes = sizeof(Workload),
        .kind = WORKLOAD_KEYPOINTS,
        .image = *image,
        .keypoints = {.keypoints = keypoints, .count = count, .scale = 1, .wanted = count}};
    if (count == 0) {
        return status_ok();
    }
    if (describer->weights_count == 0) {
        return describe(describer, &workload, rows, stride);
    }
    for (int32_t w = 0; w < describer->weights_count; w++) {
        workload.weights = (WeightsList){.count = 1, .list = {describer->weights[w]}};
        STATUS_TRY(
            describe(describer, &workload, rows + (size_t)w * bytes_of_weights(describer), stride));
    }
    return status_ok();
}

/* === Place set ================================================================================ */

static const float near_share = 0.3F; /* of a patch's side */

uint64_t place_set_seed(uint64_t seed, uint64_t round, int32_t image) {
    return random_at(random_at(seed, round), (uint64_t)image);
}

bool places_are_near(const SamplePlace *left, const SamplePlace *right) {
    const float side = left->side > right->side ? left->side : right->side;
    const float x = left->x - right->x;
    const float y = left->y - right->y;
    return left->image == right->image && x * x + y * y < near_share * near_share * side * side;
}

static Status grow(int32_t points, PlaceSet *samples) {
    const size_t total = (size_t)samples->points + (size_t)points + 1;
    STATUS_TRY(list_room(NULL, &samples->places, total, &samples->place_capacity,
                         sizeof *samples->places, "places"));
    return list_room(NULL, &samples->rows, total, &samples->row_capacity,
                     (size_t)samples->views * samples->row, "places");
}

static Status add_image(const ViewDescriber *describer, int32_t image, const Views *views,
                        PlaceSet *samples) {
    const size_t stride = (size_t)samples->views * samples->row;
    STATUS_TRY(grow(views->points, samples));
    for (int32_t v = 0; v < views->views; v++) {
        Keypoint *keypoints = views->keypoints + (size_t)v * (size_t)views->points;
        STATUS_TRY(view_describer_run(
            describer, &views->images[v], keypoints, views->points,
            samples->rows + (size_t)samples->points * stride + (size_t)v * samples->row, stride));
    }
    for (int32_t i = 0; i < views->points; i++) {
        const Keypoint keypoint = views->keypoints[i];
        samples->places[samples->points++] =
            (SamplePlace){.image = image, .x = keypoint.x, .y = keypoint.y, .side = keypoint.size};
    }
    return status_ok();
}

Status place_set_make(const ImageFolder *folder, const ViewDescriber *describer,
                      const ViewRequest *request, uint64_t round, PlaceSet *samples) {
    *samples = (PlaceSet){.views = request->views, .row = view_describer_row(describer)};
    for (int32_t i = 0; i < folder->count; i++) {
        ViewRequest of_image = *request;
        Views views;
        of_image.seed = place_set_seed(request->seed, round, i);
        Status status = views_make(&folder->images[i], &of_image, &views);
        STATUS_THEN(status, add_image(describer, i, &views, samples));
        views_release(&views);
        STATUS_TRY(status);
    }
    return status_ok();
}

Status place_set_check(const PlaceSet *samples, const char *folder) {
    return samples->points > 1 ? status_ok()
                               : status_make(STATUS_NO_MATCH,
                                             "%.200s: the images have no keypoints to learn from; "
                                             "give larger ones, or others",
                                             folder);
}

void place_set_release(PlaceSet *samples) {
    free(samples->places);
    free(samples->rows);
    *samples = (PlaceSet){0};
}

/* === Image folder ============================================================================= */

/* Sides longer than this are shrunk: sizes and the density of keypoints are then alike in all. */
enum { IMAGE_FOLDER_SIDE = 1280 };

static SizeSpec size_of(const Input *input) {
    const int32_t longest = input->width > input->height ? input->width : input->height;
    const double share =
        longest > IMAGE_FOLDER_SIDE ? (double)IMAGE_FOLDER_SIDE / (double)longest : 1;
    const int32_t width = (int32_t)(input->width * share + 0.5);
    const int32_t height = (int32_t)(input->height * share + 0.5);
    return (SizeSpec){.width = width > 1 ? width : 1, .height = height > 1 ? height : 1};
}

static Status load_all(const InputList *list, ImageFolder *folder) {
    folder->images = calloc(list->count, sizeof *folder->images);
    STATUS_MEMORY(folder->images, "for %zu images", list->count);
    for (size_t i = 0; i < list->count; i++) {
        const SizeSpec size = size_of(&list->inputs[i]);
        Workload workload;
        STATUS_TRY(workload_load(&list->inputs[i], &size, 0, &workload));
        folder->images[folder->count++] = workload.image;
        folder->hash = fnv_bytes(folder->hash, &workload.hash, sizeof workload.hash);
    }
    return status_ok();
}

Status image_folder_load(const char *path, FILE *notes, ImageFolder *folder) {
    InputList list = {0};
    *folder = (ImageFolder){.hash = FNV_START};
    if (!folder_exists(path)) {
        return status_make(STATUS_FILE, "%.200s is no folder; name one that holds images", path);
    }
    Status status = images_open(path, NULL, 0, notes, &list);
    STATUS_THEN(status, load_all(&list, folder));
    inputs_release(&list);
    return status;
}

void image_folder_release(ImageFolder *folder) {
    for (int32_t i = 0; i < folder->count; i++) {
        image_free(&folder->images[i]);
    }
    free(folder->images);
    *folder = (ImageFolder){0};
}
