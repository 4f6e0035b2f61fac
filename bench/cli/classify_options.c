#include "classify_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "flag_table.h"
#include "options_values.h"
#include "text_list.h"

static const double angle_max = 360.0;

static Status set_pr(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->request.pr = value;
    return status_ok();
}

static Status set_interp(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->request.interp = value;
    return status_ok();
}

static Status set_variant(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->request.variant = value;
    return status_ok();
}

static Status set_crop(const char *value, void *of) {
    ClassifyOptions *options = of;
    uint64_t side = 0;
    STATUS_TRY(parse_count(value, 1, (uint64_t)IMAGE_SIDE_MAX, &side));
    options->request.gather.sampling.crop = (int32_t)side;
    return status_ok();
}

/* A decimal number with a sign; strtod alone would also take "nan", "inf", exponents, hexadecimal
 * and leading spaces. */
static bool parse_angle(const char *word, double *degrees) {
    const char *digits = word + (word[0] == '-' || word[0] == '+');
    char *end;
    *degrees = strtod(word, &end);
    return digits[0] != '\0' && strspn(digits, "0123456789.") == strlen(digits) &&
           strcmp(digits, ".") != 0 && *end == '\0' && fabs(*degrees) <= angle_max;
}

static Status add_angle(const char *word, Sampling *sampling) {
    double degrees = 0;
    if (!parse_angle(word, &degrees)) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no angle; angles are numbers of degrees from -%.0f to %.0f",
                           word, angle_max, angle_max);
    }
    for (size_t i = 0; i < sampling->angle_count; i++) {
        if (sampling->angles[i] == degrees) {
            return status_ok();
        }
    }
    if (sampling->angle_count == SAMPLING_ANGLES_MAX) {
        return status_make(STATUS_USAGE, "takes at most %d angles", SAMPLING_ANGLES_MAX);
    }
    sampling->angles[sampling->angle_count++] = degrees;
    return status_ok();
}

static Status set_rotate(const char *value, void *of) {
    ClassifyOptions *options = of;
    Sampling *sampling = &options->request.gather.sampling;
    char word[LIST_WORD_SIZE];
    sampling->angle_count = 0;
    for (const char *list = value; list != NULL;) {
        STATUS_TRY(list_next(&list, word));
        STATUS_TRY(add_angle(word, sampling));
    }
    return status_ok();
}

static Status set_model(const char *value, void *of) {
    ClassifyOptions *options = of;
    ClassifyRequest *request = &options->request;
    request->model_file = NULL;
    if (strcmp(value, "first") == 0) {
        request->kind = MODEL_FIRST;
    } else if (strcmp(value, "all") == 0) {
        request->kind = MODEL_ALL;
    } else {
        request->kind = MODEL_STORED;
        request->model_file = value;
    }
    return status_ok();
}

static Status set_save_model(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->save_model = value;
    return status_ok();
}

static Status set_csv(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->csv = value;
    return status_ok();
}

static Status set_plot(const char *value, void *of) {
    ClassifyOptions *options = of;
    options->plot = value;
    return status_ok();
}

static Status set_skip_unreadable(const char *value, void *of) {
    (void)value;
    ClassifyOptions *options = of;
    options->request.gather.skip_unreadable = true;
    return status_ok();
}

static Status set_mixed_sizes(const char *value, void *of) {
    (void)value;
    ClassifyOptions *options = of;
    options->request.gather.mixed_sizes = true;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    ClassifyOptions *options = of;
    options->quiet = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    ClassifyOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_folder(const char *path, void *of) {
    ClassifyOptions *options = of;
    if (options->request.folder != NULL) {
        return status_make(STATUS_USAGE,
                           "classify: unexpected argument '%.60s'; name one folder of pictures",
                           path);
    }
    options->request.folder = path;
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "pr",
     .argument = "LIST",
     .set = set_pr,
     .help = "scales, points:radius in pixels, each judged by itself and all together. Default: "
             "8:1,16:2,24:3"},
    {.flag = "interp",
     .argument = "NAME",
     .set = set_interp,
     .help = "value between pixels: nearest or bilinear. Default: bilinear"},
    {.flag = "variant",
     .argument = "NAME",
     .set = set_variant,
     .help = "what computes the histograms; bench list --algo lbp_riu names them. Default: the "
             "best one of the CPU"},
    {.flag = "crop",
     .argument = "N",
     .set = set_crop,
     .help = "cut samples of N×N pixels that share no pixel. Default: whole pictures"},
    {.flag = "rotate",
     .argument = "LIST",
     .set = set_rotate,
     .help = "angles in degrees: each place gives a crop at each of them. All are interpolated, "
             "those at 0 too, lying 0.2113 pixels off the whole ones: blurred as much as the "
             "others on average, else the blur would be told apart and not the texture"},
    {.flag = "model",
     .argument = "first|all|FILE",
     .set = set_model,
     .help = "first: each class's first sample, which is not tested itself, nor are samples that "
             "share pixels with it. all: the sum of its samples without those that share pixels "
             "with the tested one. FILE: as --save-model wrote it; everything is tested. Default: "
             "first"},
    {.flag = "save-model",
     .argument = "FILE",
     .set = set_save_model,
     .help = "write the models to a JSON file; then a class may have nothing to test"},
    {.flag = "csv",
     .argument = "FILE",
     .set = set_csv,
     .help = "write the confusion matrices: scale,actual,predicted,count"},
    {.flag = "plot",
     .argument = "DIR",
     .set = set_plot,
     .help = "draw them as heat maps, SVG and PNG, into a folder that is made"},
    {.flag = "mixed-sizes",
     .set = set_mixed_sizes,
     .help = "let whole pictures differ in size, which is refused otherwise"},
    {.flag = "skip-unreadable",
     .set = set_skip_unreadable,
     .help = "name pictures that cannot be read and leave them out, instead of stopping there"},
    {.flag = "quiet", .set = set_quiet, .help = "no progress on standard error"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "classify", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = add_folder};

void classify_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

static Status check(const ClassifyOptions *options) {
    const Sampling *sampling = &options->request.gather.sampling;
    if (options->request.folder == NULL) {
        return status_make(STATUS_USAGE,
                           "classify: name a folder with a folder of pictures for each class, or "
                           "with a picture for each class");
    }
    if (sampling->angle_count > 0 && sampling->crop == 0) {
        return status_make(STATUS_USAGE,
                           "--rotate turns pieces of pictures: give their size as well, as in "
                           "--crop 128");
    }
    if (options->save_model != NULL && options->request.kind == MODEL_STORED) {
        return status_make(
            STATUS_USAGE,
            "--save-model would only copy %.120s; leave it out, or use --model first "
            "or all",
            options->request.model_file);
    }
    return status_ok();
}

Status classify_options_parse(int argc, char **argv, ClassifyOptions *options) {
    *options = (ClassifyOptions){.request = {.kind = MODEL_FIRST}};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    return options->help ? status_ok() : check(options);
}
