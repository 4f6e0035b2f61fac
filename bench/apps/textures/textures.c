/* The command `bench classify`. */

#include "textures_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "base.h"
#include "datasets.h"
#include "run.h"
#include "status.h"
#include "variant.h"

/* === Classify ================================================================================= */

/*
 * Texture classification: a folder of pictures is described, tested against models, and counted.
 *
 * The samples of DIR are described at each scale; each tested one goes to the class whose model has
 * the largest log-likelihood, at each scale and for the sum over the scales.
 */

typedef struct ClassifyRequest {
    const char *folder;
    const char *variant; /* NULL: the best CPU variant */
    const char *pr;      /* list of scales; NULL: those of the model file, or else the axis's own */
    const char *interp;  /* NULL: the model file's, or else bilinear */
    ModelKind kind;
    const char *model_file; /* with MODEL_STORED */
    GatherOptions gather;
} ClassifyRequest;

/* Holds on to all that its evaluation borrows from. */
typedef struct Classification {
    const Variant *variant;
    ClassTree tree;
    Models models;
    Evaluation evaluation;
    size_t samples; /* described, tested or not */
} Classification;

static const char default_interp[] = "bilinear";

/* "8:1,16:2" of a file's scales. */
static void scale_list(const Scales *scales, char *list, size_t size) {
    list[0] = '\0';
    for (size_t i = 0; i < scales->count; i++) {
        text_append(list, size, "%s%s", i == 0 ? "" : ",", scales->list[i].pr);
    }
}

/* What the person did not say is as the model file has it. */
static Status open_as_stored(const ClassifyRequest *request, Classification *classification,
                             Describer *describer) {
    char list[SCALES_MAX * AXIS_TEXT_SIZE];
    Models *models = &classification->models;
    STATUS_TRY(models_read(request->model_file, models));
    scale_list(&models->scales, list, sizeof list);
    const Status status = describer_open(
        classification->variant, request->pr != NULL ? request->pr : list,
        request->interp != NULL ? request->interp : models->scales.interp, describer);
    if (!status_is_ok(&status) && request->pr == NULL && request->interp == NULL) {
        return status_make(STATUS_FILE, "%.120s: %.240s", request->model_file, status.why);
    }
    STATUS_TRY(status);
    return models_select(request->model_file, &describer->scales, models);
}

static Status open_describer(const ClassifyRequest *request, Classification *classification,
                             Describer *describer) {
    STATUS_TRY(description_variant(request->variant, &classification->variant));
    if (request->kind == MODEL_STORED) {
        return open_as_stored(request, classification, describer);
    }
    return describer_open(classification->variant, request->pr,
                          request->interp != NULL ? request->interp : default_interp, describer);
}

static Status check_tested(ModelKind kind, const Evaluation *evaluation) {
    for (size_t row = 0; row < evaluation->rows; row++) {
        if (confusion_row_total(evaluation, 0, row) == 0) {
            return status_make(STATUS_NO_MATCH,
                               "nothing of the class '%.60s' is left to test: %s; add pictures, or "
                               "cut more pieces with a smaller --crop",
                               evaluation->row_names[row],
                               kind == MODEL_FIRST ? "its only sample, or cell, is its model"
                                                   : "without its only sample, or cell, it has no "
                                                     "model");
        }
    }
    return status_ok();
}

static Status test_samples(const ClassifyRequest *request, const Describer *describer,
                           const SampleSet *set, Classification *classification) {
    Models *models = &classification->models;
    const ClassTree *tree = &classification->tree;
    classification->samples = set->count;
    if (request->kind != MODEL_STORED) {
        STATUS_TRY(models_make(request->kind, tree, &describer->scales, set, models));
    }
    return evaluation_make(request->kind, tree, set, models, &classification->evaluation);
}

/*
 * STATUS_USAGE, STATUS_FILE and STATUS_SKIP as the parts say. A class of which nothing can be
 * tested is STATUS_NO_MATCH, unless `untested_classes` allows it, for the sake of models that will
 * be stored. Released with classification_release, whatever was returned.
 */
static Status classify(const ClassifyRequest *request, bool untested_classes,
                       Classification *classification) {
    Describer describer;
    SampleSet set;
    *classification = (Classification){.samples = 0};
    STATUS_TRY(open_describer(request, classification, &describer));
    STATUS_TRY(class_tree_read(request->folder, &classification->tree));
    if (request->kind == MODEL_STORED) {
        STATUS_TRY(models_cover(&classification->models, &classification->tree));
    }
    Status status = gather_samples(&classification->tree, &request->gather, &describer, &set);
    if (status_is_ok(&status)) {
        status = test_samples(request, &describer, &set, classification);
    }
    sample_set_release(&set);
    STATUS_TRY(status);
    return untested_classes ? status_ok()
                            : check_tested(request->kind, &classification->evaluation);
}

static void classification_release(Classification *classification) {
    evaluation_release(&classification->evaluation);
    models_release(&classification->models);
    class_tree_release(&classification->tree);
}

/* === Classify options ========================================================================= */

/* The options of `bench classify`. */

typedef struct ClassifyOptions {
    ClassifyRequest request;
    const char *save_model; /* file; NULL: none */
    const char *csv;        /* file; NULL: none */
    const char *plot;       /* folder; NULL: none */
    bool quiet, help;
} ClassifyOptions;

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

static const FlagRow flag_rows[] = {
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
static const FlagTable flag_table = {.command = "classify",
                                     .rows = flag_rows,
                                     .count = sizeof flag_rows / sizeof flag_rows[0],
                                     .word = add_folder};

static void classify_options_print_help(FILE *stream) {
    flags_print_help(stream, &flag_table);
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

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
static Status classify_options_parse(int argc, char **argv, ClassifyOptions *options) {
    *options = (ClassifyOptions){.request = {.kind = MODEL_FIRST}};
    STATUS_TRY(flags_parse(&flag_table, argc, argv, options));
    return options->help ? status_ok() : check(options);
}

/* === Command classify ========================================================================= */

/* Found out before anything is described. */
static Status check_targets(const ClassifyOptions *options) {
    STATUS_TRY(guard_input(options->request.folder));
    STATUS_TRY(guard_input(options->request.model_file));
    if (options->csv != NULL) {
        STATUS_TRY(run_folder_try_file(options->csv));
    }
    if (options->save_model != NULL) {
        STATUS_TRY(run_folder_try_file(options->save_model));
    }
    return options->plot != NULL ? folder_make(options->plot) : status_ok();
}

static const char *model_words(const ClassifyRequest *request) {
    switch (request->kind) {
    case MODEL_FIRST: return "the first of each class";
    case MODEL_ALL: return "all of each class, without what is tested";
    case MODEL_STORED: break;
    }
    return request->model_file;
}

static void print_head(const ClassifyOptions *options, const Classification *result) {
    const Sampling *sampling = &options->request.gather.sampling;
    visible_line(stdout, "%s, %s, interp %s", description_algorithm()->name, result->variant->name,
                 result->models.scales.interp);
    printf("samples: %zu of %zu classes, %zu tested", result->samples, result->tree.count,
           result->evaluation.tested);
    if (sampling->crop > 0) {
        printf("; %d×%d pixels", sampling->crop, sampling->crop);
    }
    if (sampling->angle_count > 0) {
        printf(" at %zu angle%s", sampling->angle_count, sampling->angle_count > 1 ? "s" : "");
    }
    putchar('\n');
    visible_line(stdout, "models: %s", model_words(&options->request));
    putchar('\n');
}

/* The table comes first: a chart that cannot be drawn does not take it away. */
static Status report(const ClassifyOptions *options, const Classification *result) {
    print_head(options, result);
    STATUS_TRY(evaluation_print(stdout, &result->evaluation));
    if (options->save_model != NULL) {
        STATUS_TRY(models_write(options->save_model, &result->models));
    }
    if (options->csv != NULL) {
        STATUS_TRY(evaluation_write_csv(options->csv, &result->evaluation));
    }
    return options->plot != NULL ? evaluation_draw(options->plot, &result->evaluation)
                                 : status_ok();
}

static int run(const ClassifyOptions *options) {
    Classification result = {.samples = 0};
    Status status = check_targets(options);
    if (status_is_ok(&status)) {
        status = classify(&options->request, options->save_model != NULL, &result);
    }
    if (status_is_ok(&status)) {
        status = report(options, &result);
    }
    classification_release(&result);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_classify(const Invocation *given) {
    ClassifyOptions options;
    const Status status =
        classify_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (options.help) {
        command_classify_help(stdout);
        return EXIT_OK;
    }
    options.request.gather.notes = stderr;
    options.request.gather.progress = options.quiet ? NULL : stderr;
    return run(&options);
}

void command_classify_help(FILE *stream) {
    fputs("bench classify DIR [options]\n\n"
          "Tells textures apart by their lbp_riu histograms. DIR has a folder of pictures for each "
          "class,\n"
          "named after it, or a picture for each class. A sample goes to the class whose model "
          "makes it most\n"
          "likely: the sum of its counts times the logarithm of the model's shares is largest. "
          "Bins that the\n"
          "model never saw count as one pixel, and the first of equal classes is taken. Prints the "
          "accuracy\n"
          "of each class at each scale and with the sums over the scales.\n\n"
          "Examples\n"
          "  bench classify textures --plot charts --csv confusion.csv\n"
          "  bench classify textures --crop 128 --rotate 0,15,30,45,60,75,90\n"
          "  bench classify known --model all --save-model known.json\n"
          "  bench classify unknown --model known.json\n",
          stream);
    classify_options_print_help(stream);
}
