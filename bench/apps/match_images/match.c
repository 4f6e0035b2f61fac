/* Detection, description and matching of two images; the command `bench match`. */

#include "apps.h"
#include "match_images_internal.h"
#include "options.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "clock.h"
#include "datasets.h"
#include "files.h"
#include "harness.h"
#include "keypoint_files.h"
#include "keypoints.h"
#include "number.h"
#include "output.h"
#include "progress.h"
#include "registry.h"
#include "status.h"
#include "stops.h"
#include "variant.h"
#include "workload.h"

/* === Match method ============================================================================= */

/* Match method: descriptors of one kind for both images, their matches and the homography. */

/* Pixels of B: a match is right when it is this near to where the true homography maps it. */
#define MATCH_CORRECT_PX 3.0

/* What a method is made of. */
typedef struct MethodRow {
    const char *name;
    const char *algorithm; /* that describes keypoints */
    const char *bits;      /* NULL: those of the request */
    bool euclidean;        /* distances; else bits that differ */
} MethodRow;

static const MethodRow method_rows[MATCH_METHODS] = {
    [METHOD_HASHSIFT] = {.name = "hashsift", .algorithm = "hashsift"},
    [METHOD_BAD] = {.name = "bad", .algorithm = "bad"},
    [METHOD_SIFT] = {.name = "sift", .algorithm = "hashsift", .bits = "1024", .euclidean = true},
    [METHOD_ORB] = {.name = "orb", .algorithm = "orb", .bits = "256"},
};

const char *match_method_name(MatchMethod method) {
    return method_rows[method].name;
}

size_t match_method_count(void) {
    return MATCH_METHODS;
}

MethodFacts match_method_facts(size_t method) {
    const MethodRow *row = &method_rows[method];
    return (MethodFacts){row->name, row->algorithm, row->bits, row->euclidean};
}

static const char *const ransac_words[] = {
    [RANSAC_LOCAL] = "local", [RANSAC_PLAIN] = "plain", NULL};

const char *match_ransac_name(RansacKind kind) {
    return ransac_words[kind];
}

/* The variant of this name, or the fastest that can run. STATUS_USAGE, or STATUS_SKIP. */
static Status match_variant(const char *algorithm, const char *name, const Algorithm **found,
                            const Variant **variant) {
    *found = registry_find_algorithm(algorithm);
    return name != NULL ? one_answer_variant(*found, name, variant)
                        : one_answer_fastest(*found, variant);
}

/* --- Descriptors ------------------------------------------------------------------------------ */

static const char *bits_of(const MatchRequest *request, const MethodResult *result) {
    const char *own = method_rows[result->method].bits;
    return own != NULL ? own : request->bits;
}

static Status descriptor_point(const MatchRequest *request, const Algorithm *algorithm,
                               const Workload *workload, const MethodResult *result, Point *point) {
    STATUS_TRY(default_point(algorithm->answer, workload, point));
    STATUS_TRY(point_set("bits", bits_of(request, result), workload, point));
    STATUS_TRY(point_set("keypoints", "all", workload, point));
    return point_set("scale", request->scale != NULL ? request->scale : "auto", workload, point);
}

/* Keypoints of the proof: few, so that the oracle is quick. */
#define PROOF_KEYPOINTS "256"

/* Compares a variant with its oracle on a small input, before its answers are used. */
static Status prove(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                    const Point *answer) {
    Point few = *answer;
    STATUS_TRY(point_set("keypoints", PROOF_KEYPOINTS, workload, &few));
    return one_answer_prove(algorithm, variant, &few);
}

/* Into the rows from `first` on. */
static Status describe(const MatchRequest *request, const Algorithm *algorithm,
                       const MatchInput *input, const WeightsList *weights, int32_t first,
                       Image *rows, MethodResult *result, double *seconds) {
    const Workload workload = {.struct_bytes = sizeof(Workload),
                               .kind = WORKLOAD_KEYPOINTS,
                               .image = input->image,
                               .keypoints = input->keypoints,
                               .weights = *weights};
    Point answer;
    Output output;
    STATUS_TRY(descriptor_point(request, algorithm, &workload, result, &answer));
    if (first == 0) {
        STATUS_TRY(prove(algorithm, result->describer, &workload, &answer));
    }
    STATUS_TRY(one_answer_time(algorithm, result->describer, &workload, &answer, &output, seconds));
    memcpy(rows->pixels + (size_t)first * rows->stride, output_part(&output, 0),
           (size_t)input->keypoints.count * rows->stride);
    answer_release_guarded(&output);
    return status_ok();
}

/* The descriptors of A, and after them those of B. */
static Status describe_both(const MatchRequest *request, const ImageMatch *match,
                            const WeightsList *weights, Image *rows, MethodResult *result) {
    const MatchInput *a = &match->inputs[0];
    const MatchInput *b = &match->inputs[1];
    const Algorithm *algorithm;
    STATUS_TRY(match_variant(method_rows[result->method].algorithm, request->variant, &algorithm,
                             &result->describer));
    STATUS_TRY(image_create(result->bits / 8, a->keypoints.count + b->keypoints.count, 1, rows));
    STATUS_TRY(
        describe(request, algorithm, a, weights, 0, rows, result, &result->describe_seconds[0]));
    return describe(request, algorithm, b, weights, a->keypoints.count, rows, result,
                    &result->describe_seconds[1]);
}

/* --- Matches ---------------------------------------------------------------------------------- */

static Status keep_mutual(const ImageMatch *match, const Output *output, MethodResult *result) {
    const Match *rows = output_part(output, 0);
    const size_t count = output->layout.parts[0].height;
    const Keypoint *a = match->inputs[0].keypoints.keypoints;
    const Keypoint *b = match->inputs[1].keypoints.keypoints;
    result->matches = malloc((count + 1) * sizeof *result->matches);
    result->places = malloc((count + 1) * sizeof *result->places);
    result->inlier = calloc(count + 1, sizeof *result->inlier);
    STATUS_MEMORY(result->matches != NULL && result->places != NULL && result->inlier != NULL,
                  "for %zu matches", count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].mutual == 0) {
            continue;
        }
        const size_t j = (size_t)rows[i].nearest;
        result->matches[result->count] =
            (KeypointMatch){.a = (int32_t)i, .b = (int32_t)j, .distance = rows[i].distance};
        result->places[result->count++] =
            (Correspondence){.xa = a[i].x, .ya = a[i].y, .xb = b[j].x, .yb = b[j].y};
    }
    return status_ok();
}

static Status match_rows(const MatchRequest *request, const ImageMatch *match, const Image *rows,
                         MethodResult *result) {
    const Workload workload = {.struct_bytes = sizeof(Workload),
                               .kind = WORKLOAD_DESCRIPTORS,
                               .image = *rows,
                               .queries = match->inputs[0].keypoints.count};
    const Algorithm *algorithm;
    Point answer;
    Output output;
    STATUS_TRY(match_variant("matching", request->variant, &algorithm, &result->matcher));
    STATUS_TRY(default_point(algorithm->answer, &workload, &answer));
    STATUS_TRY(point_set("bits", bits_of(request, result), &workload, &answer));
    STATUS_TRY(point_set("keypoints", "all", &workload, &answer));
    STATUS_TRY(point_set("distance", method_rows[result->method].euclidean ? "l2" : "hamming",
                         &workload, &answer));
    STATUS_TRY(prove(algorithm, result->matcher, &workload, &answer));
    STATUS_TRY(one_answer_time(algorithm, result->matcher, &workload, &answer, &output,
                               &result->match_seconds));
    const Status status = keep_mutual(match, &output, result);
    answer_release_guarded(&output);
    return status;
}

/* --- Homography ------------------------------------------------------------------------------- */

static void judge(const ImageMatch *match, MethodResult *result) {
    const Image *a = &match->inputs[0].image;
    for (size_t i = 0; match->has_truth && i < result->count; i++) {
        result->matches[i].correct =
            homography_error(&match->truth, &result->places[i]) <= MATCH_CORRECT_PX;
        result->correct += result->matches[i].correct;
    }
    if (match->has_truth && result->ransac.found) {
        result->corner_error =
            homography_corner_error(&result->ransac.homography, &match->truth, a->width, a->height);
    }
}

/* The place of the first seed with the median number of inliers, of an even number of seeds the
 * lower one; fills the range of all. Both lists have room for all seeds. */
static Status try_seeds(const MatchRequest *request, MethodResult *result, double *inliers,
                        double *sorted, int32_t *median) {
    RansacRequest ransac = request->ransac;
    const size_t count = (size_t)request->seeds;
    for (size_t i = 0; i < count; i++) {
        RansacResult found;
        ransac.seed = request->ransac.seed + i;
        STATUS_TRY(
            ransac_homography(result->places, result->count, &ransac, result->inlier, &found));
        inliers[i] = sorted[i] = (double)found.inliers;
    }
    const Estimate range = estimate_of_values(sorted, count);
    for (*median = 0; inliers[*median] != sorted[(count - 1) / 2];) {
        ++*median;
    }
    result->inliers_low = (size_t)range.low;
    result->inliers_high = (size_t)range.high;
    return status_ok();
}

static Status choose_seed(const MatchRequest *request, MethodResult *result) {
    int32_t place = 0;
    if (request->seeds > 1) {
        double *inliers = malloc(2 * (size_t)request->seeds * sizeof *inliers);
        STATUS_MEMORY(inliers, "for %" PRId32 " seeds", request->seeds);
        const Status status = try_seeds(request, result, inliers, inliers + request->seeds, &place);
        free(inliers);
        STATUS_TRY(status);
    }
    result->seed = request->ransac.seed + (uint64_t)place;
    return status_ok();
}

static Status find_homography(const MatchRequest *request, const ImageMatch *match,
                              MethodResult *result) {
    RansacRequest ransac = request->ransac;
    STATUS_TRY(choose_seed(request, result));
    ransac.seed = result->seed;
    StopTries tries = {.count = 0};
    do {
        stop_tries_begin(&tries);
        const double started = clock_now();
        STATUS_TRY(ransac_homography(result->places, result->count, &ransac, result->inlier,
                                     &result->ransac));
        result->ransac_seconds = clock_now() - started;
    } while (stop_tries_again(&tries));
    if (request->seeds <= 1) {
        result->inliers_low = result->inliers_high = result->ransac.inliers;
    }
    judge(match, result);
    return status_ok();
}

static Status try_method(const MatchRequest *request, const ImageMatch *match,
                         const WeightsList *weights, MethodResult *result) {
    Image rows = {.pixels = NULL};
    if (match->inputs[0].keypoints.count == 0 || match->inputs[1].keypoints.count == 0) {
        return status_ok();
    }
    Status status = describe_both(request, match, weights, &rows, result);
    STATUS_THEN(status, match_rows(request, match, &rows, result));
    image_free(&rows);
    STATUS_TRY(status);
    return find_homography(request, match, result);
}

/* Describes the keypoints of both images, matches them and looks for the homography. The reason
 * is in result->status as well when this is STATUS_SKIP. Release with method_release. */
static Status method_run(const MatchRequest *request, const ImageMatch *match,
                         const WeightsList *weights, MethodResult *result) {
    const MatchMethod method = result->method;
    *result = (MethodResult){.method = method,
                             .corner_error = NAN,
                             .describe_seconds = {NAN, NAN},
                             .match_seconds = NAN,
                             .ransac_seconds = NAN};
    result->bits = (int32_t)strtol(bits_of(request, result), NULL, 10);
    result->status = try_method(request, match, weights, result);
    return result->status;
}

static void method_release(MethodResult *result) {
    free(result->matches);
    free(result->places);
    free(result->inlier);
    *result = (MethodResult){.count = 0};
}

/* === Image match ============================================================================== */

/* --- Keypoints -------------------------------------------------------------------------------- */

static Status detect(const ImageMatch *match, const Algorithm *algorithm, const Point *answer,
                     MatchInput *input) {
    const Workload workload = {
        .struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE, .image = input->image};
    Output output;
    STATUS_TRY(one_answer_time(algorithm, match->detector, &workload, answer, &output,
                               &input->detect_seconds));
    const Status status = keypoints_from_answer(&input->image, &output, &input->keypoints);
    answer_release_guarded(&output);
    return status;
}

static Status detect_both(const MatchRequest *request, ImageMatch *match) {
    const bool automatic = request->keypoints == MATCH_KEYPOINTS_AUTO;
    const Workload first = {
        .struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE, .image = match->inputs[0].image};
    const Algorithm *detector;
    Point answer;
    STATUS_TRY(match_variant("fast", request->variant, &detector, &match->detector));
    STATUS_TRY(keypoints_detector_point(
        detector, &first, automatic ? KEYPOINT_SOURCE_WANTED : request->keypoints, &answer));
    STATUS_TRY(one_answer_prove(detector, match->detector, &answer));
    STATUS_TRY(detect(match, detector, &answer, &match->inputs[0]));
    return detect(match, detector, &answer, &match->inputs[1]);
}

static Status read_keypoints(const MatchRequest *request, const char *path, MatchInput *input) {
    KeypointList *list = &input->keypoints;
    STATUS_TRY(keypoints_read(path, list));
    if (request->keypoints != MATCH_KEYPOINTS_AUTO && request->keypoints < list->count) {
        list->count = request->keypoints;
    }
    list->wanted = list->count;
    return status_ok();
}

static Status find_keypoints(const MatchRequest *request, ImageMatch *match) {
    if (request->keypoint_files[0] == NULL) {
        return detect_both(request, match);
    }
    for (int i = 0; i < 2; i++) {
        match->keypoint_files[i] = request->keypoint_files[i];
        STATUS_TRY(read_keypoints(request, request->keypoint_files[i], &match->inputs[i]));
    }
    return status_ok();
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Checked before anything is read. */
static Status check_variants(const MatchRequest *request) {
    const Algorithm *algorithm;
    const Variant *variant;
    const Workload none = {.struct_bytes = sizeof(Workload), .kind = WORKLOAD_KEYPOINTS};
    Point point;
    STATUS_TRY(match_variant("matching", request->variant, &algorithm, &variant));
    for (int i = 0; i < MATCH_METHODS; i++) {
        if ((request->methods >> i & 1) == 0) {
            continue;
        }
        STATUS_TRY(match_variant(method_rows[i].algorithm, request->variant, &algorithm, &variant));
        STATUS_TRY(default_point(algorithm->answer, &none, &point));
        STATUS_TRY(
            point_set("scale", request->scale != NULL ? request->scale : "1", &none, &point));
    }
    return status_ok();
}

static Status read_images(const MatchRequest *request, ImageMatch *match) {
    match->has_truth = request->homography != NULL;
    if (match->has_truth) {
        STATUS_TRY(homography_read(request->homography, &match->truth));
    }
    for (int i = 0; i < 2; i++) {
        MatchInput *input = &match->inputs[i];
        input_name_of_path(request->paths[i], input->name);
        STATUS_TRY(image_read(request->paths[i], &input->image));
    }
    return status_ok();
}

static Status run_methods(const MatchRequest *request, const WeightsList *weights,
                          Progress *progress, ImageMatch *match) {
    Status skipped = status_ok();
    size_t done = 0;
    for (int i = 0; i < MATCH_METHODS; i++) {
        if ((request->methods >> i & 1) == 0) {
            continue;
        }
        MethodResult *result = &match->methods[match->count++];
        result->method = (MatchMethod)i;
        progress_show(progress, method_rows[i].algorithm, NULL);
        const Status status = method_run(request, match, weights, result);
        if (status.code == STATUS_SKIP) {
            skipped = status;
        } else {
            STATUS_TRY(status);
            done++;
        }
        progress_done(progress, 1);
    }
    return done > 0 ? status_ok() : skipped;
}

static Status match_images(const MatchRequest *request, Progress *progress, ImageMatch *match) {
    WeightsList weights;
    *match = (ImageMatch){.inputs = {{.detect_seconds = NAN}, {.detect_seconds = NAN}},
                          .ransac = request->ransac,
                          .seeds = request->seeds};
    STATUS_TRY(check_variants(request));
    STATUS_TRY(read_images(request, match));
    progress_show(progress, "keypoints of both images", NULL);
    STATUS_TRY(find_keypoints(request, match));
    progress_done(progress, 1);
    STATUS_TRY(weights_load(request->weights, request->ransac.seed, &weights));
    const Status status = run_methods(request, &weights, progress, match);
    weights_release(&weights);
    return status;
}

Status image_match_run(const MatchRequest *request, ImageMatch *match) {
    Progress progress;
    const size_t steps = 1 + (size_t)__builtin_popcount(request->methods);
    progress_start(&progress, request->notes, steps, steps, false);
    progress_be_patient(&progress);
    const Status status = match_images(request, &progress, match);
    progress_end(&progress);
    return status;
}

void image_match_release(ImageMatch *match) {
    for (size_t i = 0; i < match->count; i++) {
        method_release(&match->methods[i]);
    }
    for (int i = 0; i < 2; i++) {
        keypoints_free(&match->inputs[i].keypoints);
        image_free(&match->inputs[i].image);
    }
    match->count = 0;
}

static double or_nothing(double seconds) {
    return isnan(seconds) ? 0 : seconds;
}

double method_seconds(const ImageMatch *match, const MethodResult *method) {
    double sum = or_nothing(method->match_seconds);
    for (int i = 0; i < 2; i++) {
        sum +=
            or_nothing(match->inputs[i].detect_seconds) + or_nothing(method->describe_seconds[i]);
    }
    return sum;
}

/* === Options ================================================================================== */

typedef struct MatchOptions {
    MatchRequest request; /* keypoint files point into the list below */
    char keypoint_files[2][ATOMIC_FILE_PATH_SIZE];
    int keypoint_file_count;
    int ransac;      /* a RansacKind + 1; 0: none was given */
    const char *out; /* folder; NULL: none */
} MatchOptions;

enum { INLIER_PX_MAX = 1000, SEEDS_MAX = 100000, METHODS_ALL = (1 << MATCH_METHODS) - 1 };

static Status add_keypoint_file(MatchOptions *options, const char *path, size_t length) {
    if (options->keypoint_file_count == 2) {
        return status_make(STATUS_USAGE, "there are two images, and this is a third file");
    }
    if (length == 0 || length >= sizeof options->keypoint_files[0]) {
        return status_make(STATUS_USAGE, "'%.40s' is no list of one or two files", path);
    }
    char *kept = options->keypoint_files[options->keypoint_file_count];
    memcpy(kept, path, length);
    kept[length] = '\0';
    options->request.keypoint_files[options->keypoint_file_count++] = kept;
    return status_ok();
}

static Status set_keypoint_files(const Option *option, const char *value, void *of) {
    MatchOptions *options = of;
    (void)option;
    for (;;) {
        const size_t length = strcspn(value, ",");
        STATUS_TRY(add_keypoint_file(options, value, length));
        if (value[length] == '\0') {
            return status_ok();
        }
        value += length + 1;
    }
}

static Status check(void *of, const OptionsGiven *given) {
    MatchOptions *options = of;
    (void)given;
    options->request.notes = stderr;
    options->request.ransac.kind =
        options->ransac > 0 ? (RansacKind)(options->ransac - 1) : RANSAC_LOCAL;
    if (options->request.paths[1] == NULL) {
        return status_make(STATUS_USAGE, "match: name two images, A and B");
    }
    if (options->keypoint_file_count == 1) {
        return status_make(STATUS_USAGE, "--keypoints-file: a file for each image is needed; write "
                                         "--keypoints-file A.csv,B.csv");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(MatchOptions, name)

static const char *const bits_words[] = {"256", "512", NULL};
static const char *const method_words[] = {[METHOD_HASHSIFT] = "hashsift",
                                           [METHOD_BAD] = "bad",
                                           [METHOD_SIFT] = "sift",
                                           [METHOD_ORB] = "orb",
                                           NULL};

static const MatchOptions defaults = {.request = {.keypoints = MATCH_KEYPOINTS_AUTO,
                                                  .bits = "512",
                                                  .methods = METHODS_ALL,
                                                  .ransac = {.inlier_px = 3, .seed = 1},
                                                  .seeds = 1}};

static const Option option_rows[] = {
    {NULL, "A", NULL, .kind = OPTION_INPUT, MEMBER(request.paths[0])},
    {NULL, "B", NULL, .kind = OPTION_INPUT, MEMBER(request.paths[1])},
    {"keypoints", "N", "the N strongest keypoints of each image. Default: 10000, or all of a file",
     .kind = OPTION_INT, MEMBER(request.keypoints), .most = KEYPOINTS_MAX},
    {"keypoints-file", "A.csv,B.csv",
     "keypoints that another program found, a file for each image; or the option twice. Default: "
     "fast detects them",
     .takes = TAKES_FILES, .kind = OPTION_HANDLED, .handle = set_keypoint_files},
    ORIENT_OPTION(.group = NULL),
    {"scale", "F",
     "side of the patch that is described, in sizes of its keypoint. Default: 1 for keypoints of "
     "FAST, 6.75 for those of SIFT",
     .kind = OPTION_TEXT, MEMBER(request.scale)},
    {"bits", "N", "bits of a descriptor of hashsift and bad: 256 or 512. Default: 512",
     .kind = OPTION_WORD, MEMBER(request.bits), .words = bits_words, .noun = "number of bits"},
    {"methods", "LIST",
     "hashsift, bad, orb (256 bits; all three compared by Hamming distance), sift (128 values, "
     "Euclidean distance). Default: all",
     .kind = OPTION_WORDS, MEMBER(request.methods), .words = method_words, .noun = "method"},
    {"weights", "FILE,...",
     "weights of hashsift, bad and orb, or random. Default: the trained ones",
     .kind = OPTION_INPUT_LIST, MEMBER(request.weights)},
    {"variant", "NAME", "variant of every algorithm. Default: the fastest that can run here",
     .kind = OPTION_TEXT, MEMBER(request.variant)},
    {"homography", "FILE",
     "the true homography from A to B, three lines of three numbers, or OpenCV's XML of such a "
     "matrix: counts the matches that are "
     "within 3 pixels of it, and prints how far the one found is off at the corners of A",
     .kind = OPTION_INPUT, MEMBER(request.homography)},
    {"inlier-px", "F",
     "largest distance of an inlier from where the homography found maps it, pixels of B. "
     "Default: 3",
     .kind = OPTION_REAL, MEMBER(request.ransac.inlier_px), .most = INLIER_PX_MAX,
     .noun = "distance in pixels"},
    {"seed", "N",
     "seed of the samples of RANSAC, the matches that are drawn, and random weights. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(request.ransac.seed), .most = UINT64_MAX},
    {"seeds", "N",
     "seeds of RANSAC, --seed and those after it: prints the least, the median and the most "
     "inliers of each method, and between which methods these decide. The homography is that of "
     "the "
     "median. Default: 1",
     .kind = OPTION_INT, MEMBER(request.seeds), .least = 1, .most = SEEDS_MAX},
    {"ransac", "KIND",
     "local: each best sample is optimised locally, so that seeds differ little; plain: none is, "
     "as "
     "in earlier versions. Default: local",
     .kind = OPTION_CHOICE, MEMBER(ransac), .words = ransac_words, .noun = "kind of RANSAC"},
    {"out", "DIR",
     "write match.csv, match.json and, for each method, matches-NAME.csv and matches-NAME.png with "
     "the inliers "
     "drawn, into a folder that is made",
     .kind = OPTION_FOLDER, MEMBER(out)},
    OPTIONS_END};

/* === Command match ============================================================================ */

/* The tables are printed first, so that an image that cannot be written does not lose them. */
static Status report(const MatchOptions *options, const ImageMatch *match) {
    STATUS_TRY(match_print(stdout, match));
    return options->out != NULL ? match_write(options->out, match, options->request.ransac.seed)
                                : status_ok();
}

/* Checked before anything is matched. */
static Status check_files(const MatchOptions *options) {
    for (int i = 0; i < 2; i++) {
        STATUS_TRY(guard_input(options->request.keypoint_files[i]));
    }
    STATUS_TRY(command_files_check(&command_match, options));
    return options->out != NULL ? match_files_check(options->out) : status_ok();
}

static Status run(Invocation *given, void *of) {
    const MatchOptions *options = of;
    ImageMatch match;
    (void)given;
    STATUS_TRY(check_files(options));
    Status status = image_match_run(&options->request, &match);
    STATUS_THEN(status, report(options, &match));
    image_match_release(&match);
    return status;
}

const Command command_match = {
    .name = "match",
    .family = APP_FAMILY,
    .summary = "match two images by the descriptors of their keypoints",
    .usage = "bench app match A B [options]",
    .about = "Matches two images. Keypoints of both are detected or read, and described by several "
             "methods; two descriptors are a match when each is the other's nearest neighbour; "
             "RANSAC finds the homography that most matches agree with, its inliers. Prints how "
             "many of each there are, and how long each part takes.",
    .examples =
        "bench app match one.jpg other.jpg --out matches\n"
        "bench app match graf1.png graf3.png --homography H1to3p.xml --seeds 20\n"
        "bench app match a.png b.png --keypoints-file a.csv,b.csv --methods hashsift --bits "
        "256\n",
    .words = "two images, A and B",
    .rows = option_rows,
    .size = sizeof(MatchOptions),
    .defaults = &defaults,
    .check = check,
    .run = run,
    .measures = true,
};
