/* The command `bench match`. */

#include "match_images_internal.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "run.h"
#include "status.h"
#include "workload.h"

/* === Options ================================================================================== */

typedef struct MatchOptions {
    MatchRequest request; /* keypoint files point into the list below */
    char keypoint_files[2][ATOMIC_FILE_PATH_SIZE];
    int keypoint_file_count;
    unsigned methods; /* bit i: MatchMethod i */
    const char *out;  /* folder; NULL: none */
} MatchOptions;

enum { INLIER_PX_MAX = 1000, METHODS_ALL = (1 << MATCH_METHODS) - 1 };

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

static Status take_keypoint_files(const Option *option, const char *value, void *of) {
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
    for (int i = 0; i < MATCH_METHODS; i++) {
        options->request.methods[i] = (options->methods >> i & 1) != 0;
    }
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
static const char *const method_words[] = {
    [METHOD_HASHSIFT] = "hashsift", [METHOD_BAD] = "bad", [METHOD_SIFT] = "sift", NULL};

static const MatchOptions defaults = {.request = {.keypoints = MATCH_KEYPOINTS_AUTO,
                                                  .bits = "512",
                                                  .ransac = {.inlier_px = 3, .seed = 1}},
                                      .methods = METHODS_ALL};

static const Option option_rows[] = {
    {NULL, "A", NULL, .kind = OPTION_INPUT, MEMBER(request.paths[0])},
    {NULL, "B", NULL, .kind = OPTION_INPUT, MEMBER(request.paths[1])},
    {"keypoints", "N", "the N strongest keypoints of each image. Default: 10000, or all of a file",
     .kind = OPTION_INT, MEMBER(request.keypoints), .most = KEYPOINTS_MAX},
    {"keypoints-file", "A.csv,B.csv",
     "keypoints that another program found, a file for each image; or the option twice. Default: "
     "fast detects them",
     .kind = OPTION_HANDLED, .handle = take_keypoint_files},
    {"scale", "F",
     "side of the patch that is described, in sizes of its keypoint. Default: 1 for keypoints of "
     "FAST, 6.75 for those of SIFT",
     .kind = OPTION_TEXT, MEMBER(request.scale)},
    {"bits", "N", "bits of a descriptor of hashsift and bad: 256 or 512. Default: 512",
     .kind = OPTION_WORD, MEMBER(request.bits), .words = bits_words, .noun = "number of bits"},
    {"methods", "LIST",
     "hashsift, bad (both compared by Hamming distance), sift (128 values, Euclidean distance). "
     "Default: all",
     .kind = OPTION_WORDS, MEMBER(methods), .words = method_words, .noun = "method"},
    {"weights", "FILE,...", "weights of hashsift and bad, or random. Default: the trained ones",
     .kind = OPTION_INPUT_LIST, MEMBER(request.weights)},
    {"variant", "NAME", "variant of every algorithm. Default: the fastest that can run here",
     .kind = OPTION_TEXT, MEMBER(request.variant)},
    {"homography", "FILE",
     "the true homography from A to B, three lines of three numbers: counts the matches that are "
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
    {"out", "DIR",
     "write match.csv and, for each method, matches-NAME.csv and matches-NAME.png with the inliers "
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
    if (status_is_ok(&status)) {
        status = report(options, &match);
    }
    image_match_release(&match);
    return status;
}

const Command command_match = {
    .name = "match",
    .summary = "match two images by the descriptors of their keypoints",
    .usage = "bench match A B [options]",
    .about = "Matches two images. Keypoints of both are detected or read, and described by several "
             "methods; two descriptors are a match when each is the other's nearest neighbour; "
             "RANSAC finds the homography that most matches agree with, its inliers. Prints how "
             "many of each there are, and how long each part takes.",
    .examples = "bench match one.jpg other.jpg --out matches\n"
                "bench match graf1.png graf3.png --homography H1to3p.txt\n"
                "bench match a.png b.png --keypoints-file a.csv,b.csv --methods hashsift --bits "
                "256\n",
    .words = "two images, A and B",
    .rows = option_rows,
    .size = sizeof(MatchOptions),
    .defaults = &defaults,
    .check = check,
    .run = run,
    .measures = true,
};
