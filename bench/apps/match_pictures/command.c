/* The command `bench match`. */

#include "match_pictures_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "run.h"
#include "status.h"
#include "workload.h"

/* === Match options ============================================================================ */

/* The options of `bench match`. */

typedef struct MatchOptions {
    MatchRequest request; /* keypoint files point into the list below */
    char keypoint_files[2][ATOMIC_FILE_PATH_SIZE];
    int keypoint_file_count;
    const char *out; /* folder; NULL: none */
    bool help;
} MatchOptions;

static const double inlier_px_max = 1000;

static Status set_keypoints(const char *value, void *of) {
    MatchOptions *options = of;
    uint64_t count = 0;
    STATUS_TRY(parse_count(value, 0, KEYPOINTS_MAX, &count));
    options->request.keypoints = (int32_t)count;
    return status_ok();
}

static Status add_keypoint_file(MatchOptions *options, const char *path, size_t length) {
    if (options->keypoint_file_count == 2) {
        return status_make(STATUS_USAGE, "there are two pictures, and this is a third file");
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

static Status set_keypoint_file(const char *value, void *of) {
    MatchOptions *options = of;
    for (;;) {
        const size_t length = strcspn(value, ",");
        STATUS_TRY(add_keypoint_file(options, value, length));
        if (value[length] == '\0') {
            return status_ok();
        }
        value += length + 1;
    }
}

static Status set_scale(const char *value, void *of) {
    MatchOptions *options = of;
    options->request.scale = value;
    return status_ok();
}

static Status set_bits(const char *value, void *of) {
    MatchOptions *options = of;
    if (strcmp(value, "256") != 0 && strcmp(value, "512") != 0) {
        return status_make(STATUS_USAGE, "'%.40s' is none of 256, 512", value);
    }
    options->request.bits = value;
    return status_ok();
}

static Status set_weights(const char *value, void *of) {
    MatchOptions *options = of;
    options->request.weights = value;
    return status_ok();
}

static Status set_variant(const char *value, void *of) {
    MatchOptions *options = of;
    options->request.variant = value;
    return status_ok();
}

static Status add_method(const char *word, MatchRequest *request) {
    for (int i = 0; i < MATCH_METHODS; i++) {
        if (strcmp(match_method_name((MatchMethod)i), word) == 0) {
            request->methods[i] = true;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "'%.40s' is no method (there are hashsift, bad, sift)", word);
}

static Status set_methods(const char *value, void *of) {
    MatchOptions *options = of;
    memset(options->request.methods, 0, sizeof options->request.methods);
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        STATUS_TRY(add_method(word, &options->request));
    }
    return status_ok();
}

static Status set_homography(const char *value, void *of) {
    MatchOptions *options = of;
    options->request.homography = value;
    return status_ok();
}

static Status set_inlier_px(const char *value, void *of) {
    MatchOptions *options = of;
    char *end;
    const double pixels = strtod(value, &end);
    if (*end != '\0' || !(pixels > 0 && pixels <= inlier_px_max)) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no distance; write pixels, above 0 and up to %.0f", value,
                           inlier_px_max);
    }
    options->request.ransac.inlier_px = pixels;
    return status_ok();
}

static Status set_seed(const char *value, void *of) {
    MatchOptions *options = of;
    return parse_count(value, 0, UINT64_MAX, &options->request.ransac.seed);
}

static Status set_out(const char *value, void *of) {
    MatchOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    MatchOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_picture(const char *path, void *of) {
    MatchOptions *options = of;
    const char **pictures = options->request.pictures;
    if (pictures[1] != NULL) {
        return status_make(STATUS_USAGE,
                           "match: unexpected argument '%.60s'; name two pictures, A and B", path);
    }
    pictures[pictures[0] != NULL] = path;
    return status_ok();
}

static const FlagRow flag_rows[] = {
    {.flag = "keypoints",
     .argument = "N",
     .set = set_keypoints,
     .help = "the N strongest keypoints of each picture. Default: 10000, or all of a file"},
    {.flag = "keypoints-file",
     .argument = "A.csv,B.csv",
     .set = set_keypoint_file,
     .help = "keypoints that another program found, a file for each picture; or the option twice. "
             "Default: they are detected by fast"},
    {.flag = "scale",
     .argument = "F",
     .set = set_scale,
     .help = "side of the patch that is described, in sizes of its keypoint. Default: 1 for "
             "keypoints of FAST, 6.75 for those of SIFT"},
    {.flag = "bits",
     .argument = "N",
     .set = set_bits,
     .help = "of the descriptors of hashsift and bad: 256 or 512. Default: 512"},
    {.flag = "methods",
     .argument = "LIST",
     .set = set_methods,
     .help = "hashsift, bad (bits that differ), sift (128 values, Euclidean). Default: all"},
    {.flag = "weights",
     .argument = "FILE,...",
     .set = set_weights,
     .help = "what hashsift and bad were trained to, or random. Default: the trained ones"},
    {.flag = "variant",
     .argument = "NAME",
     .set = set_variant,
     .help = "of every algorithm. Default: the fastest that can run here"},
    {.flag = "homography",
     .argument = "FILE",
     .set = set_homography,
     .help = "the true one from A to B, three lines of three numbers: counts the matches that are "
             "within 3 pixels of it, and says how far the one found is off at the corners of A"},
    {.flag = "inlier-px",
     .argument = "F",
     .set = set_inlier_px,
     .help = "an inlier lies as near to where the homography found takes it, pixels of B. Default: "
             "3"},
    {.flag = "seed",
     .argument = "N",
     .set = set_seed,
     .help = "of the samples of RANSAC, the matches that are drawn, random weights. Default: 1"},
    {.flag = "out",
     .argument = "DIR",
     .set = set_out,
     .help = "write match.csv and, for each method, matches-NAME.csv and matches-NAME.png with the "
             "inliers drawn, into a folder that is made"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable flag_table = {.command = "match",
                                     .rows = flag_rows,
                                     .count = sizeof flag_rows / sizeof flag_rows[0],
                                     .word = add_picture};

static void match_options_print_help(FILE *stream) {
    flags_print_help(stream, &flag_table);
}

static Status check(const MatchOptions *options) {
    if (options->request.pictures[1] == NULL) {
        return status_make(STATUS_USAGE, "match: name two pictures, A and B");
    }
    if (options->keypoint_file_count == 1) {
        return status_make(STATUS_USAGE,
                           "--keypoints-file: a file for each picture is needed; write "
                           "--keypoints-file A.csv,B.csv");
    }
    return status_ok();
}

/* Texts point into `argv` and into `options`, which must stay where it is. STATUS_USAGE is one
 * sentence that says what would be right. */
static Status match_options_parse(int argc, char **argv, MatchOptions *options) {
    memset(options, 0, sizeof *options);
    options->request = (MatchRequest){.keypoints = MATCH_KEYPOINTS_AUTO,
                                      .bits = "512",
                                      .methods = {true, true, true},
                                      .ransac = {.inlier_px = 3, .seed = 1}};
    STATUS_TRY(flags_parse(&flag_table, argc, argv, options));
    return options->help ? status_ok() : check(options);
}

/* === Command match ============================================================================ */

/* The tables come first: a picture that cannot be written does not take them away. */
static Status report(const MatchOptions *options, const PictureMatch *match) {
    match_print(stdout, match);
    return options->out != NULL ? match_write(options->out, match, options->request.ransac.seed)
                                : status_ok();
}

/* Found out before anything is matched. */
static Status check_targets(const MatchOptions *options) {
    const MatchRequest *request = &options->request;
    for (int i = 0; i < 2; i++) {
        STATUS_TRY(guard_input(request->pictures[i]));
        STATUS_TRY(guard_input(request->keypoint_files[i]));
    }
    STATUS_TRY(guard_input_list(request->weights));
    STATUS_TRY(guard_input(request->homography));
    if (options->out == NULL) {
        return status_ok();
    }
    STATUS_TRY(folder_make(options->out));
    return match_files_check(options->out);
}

static Status run(const MatchOptions *options) {
    PictureMatch match;
    STATUS_TRY(check_targets(options));
    Status status = picture_match_run(&options->request, &match);
    if (status_is_ok(&status)) {
        status = report(options, &match);
    }
    picture_match_release(&match);
    return status;
}

int command_match(const Invocation *given) {
    MatchOptions options;
    Status status =
        match_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_match_help(stdout);
        return EXIT_OK;
    }
    if (status_is_ok(&status)) {
        status = run(&options);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

void command_match_help(FILE *stream) {
    fputs("bench match A B [options]\n\n"
          "Finds what two pictures have in common. Keypoints of both are detected or read, and "
          "described\n"
          "by several methods; descriptors that are each other's nearest are a match; RANSAC looks "
          "for the\n"
          "homography that most matches agree with, its inliers. Says how many of each there are, "
          "and\n"
          "how long each part takes.\n\n"
          "Examples\n"
          "  bench match one.jpg other.jpg --out matches\n"
          "  bench match graf1.png graf3.png --homography H1to3p.txt\n"
          "  bench match a.png b.png --keypoints-file a.csv,b.csv --methods hashsift --bits 256\n",
          stream);
    match_options_print_help(stream);
}
