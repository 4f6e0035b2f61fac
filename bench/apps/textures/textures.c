/* Confusion matrices and the command `bench classify`. */

#include "apps.h"
#include "options.h"
#include "textures_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "confusion.h"
#include "datasets.h"
#include "files.h"
#include "gnuplot.h"
#include "harness.h"
#include "number.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "variant.h"

/* === Confusion ================================================================================ */

/* The name of all scales together. */
static const char combined_scale[] = "combined";

typedef struct Scoring {
    const Models *models;
    const SampleSet *set;
    uint64_t *own;    /* model of the sample's own class without its cell */
    double *scores;   /* of each class at one scale */
    double *combined; /* sums over the scales */
} Scoring;

static Status no_memory(void) {
    return status_no_memory("for the confusion matrices");
}

/* --- Scores ----------------------------------------------------------------------------------- */

static void score(const Scoring *scoring, const Scale *scale, size_t sample, size_t own_class,
                  double *scores) {
    const uint64_t *histogram = sample_histograms(scoring->set, sample) + scale->offset;
    for (size_t i = 0; i < scoring->models->count; i++) {
        const uint64_t *model =
            i == own_class ? scoring->own : model_histograms(scoring->models, i);
        scores[i] = log_likelihood(histogram, model + scale->offset, scale->bins);
    }
}

/* Counts a sample for the class that is most likely by `scores`. */
static void count_sample(const Evaluation *evaluation, size_t matrix, size_t row,
                         const double *scores) {
    const ConfusionMatrix *of = &evaluation->matrices[matrix];
    const size_t cells = of->rows * of->columns;
    evaluation->counts[matrix * cells + row * of->columns + most_likely(scores, of->columns)]++;
}

static void test_sample(const Scoring *scoring, ModelKind kind, size_t sample,
                        Evaluation *evaluation) {
    const Models *models = scoring->models;
    const size_t row = scoring->set->list[sample].class_index;
    const size_t own_class = kind == MODEL_ALL ? row : models->count;
    if (kind == MODEL_ALL) {
        model_without_cell(models, scoring->set, sample, scoring->own);
    }
    memset(scoring->combined, 0, models->count * sizeof *scoring->combined);
    for (size_t i = 0; i < models->scales.count; i++) {
        score(scoring, &models->scales.list[i], sample, own_class, scoring->scores);
        for (size_t class = 0; class < models->count; class ++) {
            scoring->combined[class] += scoring->scores[class];
        }
        count_sample(evaluation, i, row, scoring->scores);
    }
    if (models->scales.count > 1) {
        count_sample(evaluation, models->scales.count, row, scoring->combined);
    }
    evaluation->tested++;
}

/* ---------------------------------------------------------------------------------------------- */

static Status make_matrices(const ClassTree *tree, const Models *models, Evaluation *evaluation) {
    const Scales *scales = &models->scales;
    const size_t cells = tree->count * models->count;
    evaluation->count = scales->count > 1 ? scales->count + 1 : 1;
    evaluation->row_names = calloc(tree->count, sizeof *evaluation->row_names);
    evaluation->column_of_row = calloc(tree->count, sizeof *evaluation->column_of_row);
    evaluation->counts = calloc(evaluation->count * cells, sizeof *evaluation->counts);
    if (evaluation->row_names == NULL || evaluation->column_of_row == NULL ||
        evaluation->counts == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < tree->count; i++) {
        evaluation->row_names[i] = tree->classes[i].name;
        evaluation->column_of_row[i] = models_find(models, tree->classes[i].name);
    }
    for (size_t i = 0; i < evaluation->count; i++) {
        evaluation->scales[i] = i < scales->count ? scales->list[i].pr : combined_scale;
        evaluation->matrices[i] =
            (ConfusionMatrix){.rows = tree->count,
                              .columns = models->count,
                              .row_names = evaluation->row_names,
                              .column_names = (const char *const *)models->names,
                              .column_of_row = evaluation->column_of_row,
                              .counts = evaluation->counts + i * cells};
    }
    return status_ok();
}

static Status test_all(ModelKind kind, const SampleSet *set, const Models *models,
                       Evaluation *evaluation) {
    Scoring scoring = {.models = models, .set = set};
    scoring.own = calloc(models->scales.bins, sizeof *scoring.own);
    scoring.scores = calloc(models->count, sizeof *scoring.scores);
    scoring.combined = calloc(models->count, sizeof *scoring.combined);
    const bool fits = scoring.own != NULL && scoring.scores != NULL && scoring.combined != NULL;
    for (size_t i = 0; fits && i < set->count; i++) {
        if (model_allows_test(kind, set, i)) {
            test_sample(&scoring, kind, i, evaluation);
        }
    }
    free(scoring.own);
    free(scoring.scores);
    free(scoring.combined);
    return fits ? status_ok() : no_memory();
}

Status evaluation_make(ModelKind kind, const ClassTree *tree, const SampleSet *set,
                       const Models *models, Evaluation *evaluation) {
    *evaluation = (Evaluation){.count = 0};
    STATUS_TRY(models_cover(models, tree));
    STATUS_TRY(make_matrices(tree, models, evaluation));
    return test_all(kind, set, models, evaluation);
}

void evaluation_release(Evaluation *evaluation) {
    free(evaluation->counts);
    free(evaluation->column_of_row);
    free((void *)evaluation->row_names);
    *evaluation = (Evaluation){.count = 0};
}

/* === Confusion csv ============================================================================ */

Status evaluation_write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("scale,actual,predicted,count\n", file.stream);
    for (size_t i = 0; i < evaluation->count; i++) {
        confusion_matrix_write_lines(file.stream, &evaluation->matrices[i], evaluation->scales[i]);
    }
    return atomic_file_commit(&file);
}

/* === Confusion plot =========================================================================== */

enum { TITLE_SIZE = 160 };

static void make_title(const Evaluation *evaluation, size_t matrix, char title[TITLE_SIZE]) {
    const char *scale = evaluation->scales[matrix];
    const uint64_t correct = confusion_matrix_correct(&evaluation->matrices[matrix]);
    char percent[64] = "nothing tested";
    if (evaluation->tested > 0) {
        char accuracy[SIGNIFICANT_SIZE];
        percent_text((double)correct / (double)evaluation->tested, 1, accuracy);
        snprintf(percent, sizeof percent, "%.15s of %zu right", accuracy, evaluation->tested);
    }
    if (scale == combined_scale) {
        snprintf(title, TITLE_SIZE, "Scales combined: %s", percent);
    } else {
        snprintf(title, TITLE_SIZE, "(P, R) = (%.*s, %s): %s", (int)strcspn(scale, ":"), scale,
                 scale + strcspn(scale, ":") + 1, percent);
    }
}

static Status draw_matrix(const Evaluation *evaluation, size_t index, const char *folder) {
    char name[CHART_NAME_SIZE] = "", title[TITLE_SIZE];
    chart_name_append(name, "confusion");
    chart_name_append(name, evaluation->scales[index]);
    make_title(evaluation, index, title);
    return confusion_matrix_draw(&evaluation->matrices[index], title, folder, name);
}

Status evaluation_draw(const char *folder, const Evaluation *evaluation) {
    for (size_t i = 0; i < evaluation->count; i++) {
        STATUS_TRY(draw_matrix(evaluation, i, folder));
    }
    return status_ok();
}

/* === Confusion print ========================================================================== */

/* "20/21  95.2%"; "-" for a class of which nothing was tested. */
static void put_accuracy(TextTable *table, uint64_t correct, uint64_t total) {
    char percent[SIGNIFICANT_SIZE];
    if (total == 0) {
        text_table_put(table, "-");
        return;
    }
    percent_text((double)correct / (double)total, 1, percent);
    text_table_put(table, "%" PRIu64 "/%" PRIu64 " %6s", correct, total, percent);
}

Status evaluation_print(FILE *stream, const Evaluation *evaluation) {
    DocColumn columns[CONFUSIONS_MAX + 1] = {{.title = "class"}};
    for (size_t i = 0; i < evaluation->count; i++) {
        columns[i + 1] = (DocColumn){.title = evaluation->scales[i], .numeric = true};
    }
    TextTable table = text_table_start(columns, evaluation->count + 1);
    const ConfusionMatrix *matrices = evaluation->matrices;
    for (size_t row = 0; row < matrices->rows; row++) {
        text_table_put(&table, "%s", matrices->row_names[row]);
        for (size_t i = 0; i < evaluation->count; i++) {
            put_accuracy(&table, confusion_matrix_row_correct(&matrices[i], row),
                         confusion_matrix_row_total(&matrices[i], row));
        }
    }
    text_table_put(&table, "all");
    for (size_t i = 0; i < evaluation->count; i++) {
        put_accuracy(&table, confusion_matrix_correct(&matrices[i]), evaluation->tested);
    }
    return text_table_end(&table, stream, table_print);
}

/* === Classify ================================================================================= */

/*
 * Texture classification: a folder of images is described, tested against models, and counted.
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

/* Options that were not given are as in the model file. */
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
    STATUS_TRY(
        one_answer_variant(description_algorithm(), request->variant, &classification->variant));
    if (request->kind == MODEL_STORED) {
        return open_as_stored(request, classification, describer);
    }
    return describer_open(classification->variant, request->pr,
                          request->interp != NULL ? request->interp : default_interp, describer);
}

static Status check_tested(ModelKind kind, const ConfusionMatrix *matrix) {
    for (size_t row = 0; row < matrix->rows; row++) {
        if (confusion_matrix_row_total(matrix, row) == 0) {
            return status_make(STATUS_NO_MATCH,
                               "nothing of the class '%.60s' is left to test: %s; add images, or "
                               "cut more pieces with a smaller --crop",
                               matrix->row_names[row],
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
 * STATUS_USAGE, STATUS_FILE and STATUS_SKIP of the parts. A class of which nothing can be
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
    STATUS_THEN(status, test_samples(request, &describer, &set, classification));
    sample_set_release(&set);
    STATUS_TRY(status);
    return untested_classes ? status_ok()
                            : check_tested(request->kind, classification->evaluation.matrices);
}

static void classification_release(Classification *classification) {
    evaluation_release(&classification->evaluation);
    models_release(&classification->models);
    class_tree_release(&classification->tree);
}

/* === Options ================================================================================== */

typedef struct ClassifyOptions {
    ClassifyRequest request;
    const char *save_model; /* file; NULL: none */
    const char *csv;        /* file; NULL: none */
    const char *plot;       /* folder; NULL: none */
    bool quiet;
} ClassifyOptions;

static const double angle_max = 360.0;

/* A decimal number with a sign; strtod alone would also accept "nan", "inf", exponents, hexadecimal
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
        return status_make(STATUS_USAGE, "%d angles are the most", SAMPLING_ANGLES_MAX);
    }
    sampling->angles[sampling->angle_count++] = degrees;
    return status_ok();
}

static Status set_angles(const Option *option, const char *value, void *of) {
    ClassifyOptions *options = of;
    Sampling *sampling = &options->request.gather.sampling;
    char word[LIST_WORD_SIZE];
    (void)option;
    sampling->angle_count = 0;
    for (const char *list = value; list != NULL;) {
        STATUS_TRY(list_next(&list, word));
        STATUS_TRY(add_angle(word, sampling));
    }
    return status_ok();
}

static Status set_model(const Option *option, const char *value, void *of) {
    ClassifyOptions *options = of;
    ClassifyRequest *request = &options->request;
    (void)option;
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

static Status check(void *of, const OptionsGiven *given) {
    const ClassifyOptions *options = of;
    const Sampling *sampling = &options->request.gather.sampling;
    (void)given;
    if (options->request.folder == NULL) {
        return status_make(STATUS_USAGE,
                           "classify: name a folder with a folder of images for each class, or "
                           "with an image for each class");
    }
    if (sampling->angle_count > 0 && sampling->crop == 0) {
        return status_make(STATUS_USAGE,
                           "--rotate turns pieces of images: give their size as well, as in "
                           "--crop 128");
    }
    if (options->save_model != NULL && options->request.kind == MODEL_STORED) {
        return status_make(
            STATUS_USAGE,
            "--save-model would only copy %.120s; leave it out, or use --model first or all",
            options->request.model_file);
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(ClassifyOptions, name)

static const char *const stock_models[] = {"first", "all", NULL};

static const Option option_rows[] = {
    {NULL, "DIR", NULL, .kind = OPTION_INPUT, MEMBER(request.folder)},
    ORIENT_OPTION(.group = NULL),
    {"pr", "LIST",
     "scales, points:radius in pixels; each is evaluated by itself and all together. Default: "
     "8:1,16:2,24:3",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.pr)},
    {"interp", "NAME", "value between pixels: nearest or bilinear. Default: bilinear",
     .kind = OPTION_TEXT, MEMBER(request.interp)},
    {"variant", "NAME",
     "variant of lbp_riu that computes the histograms; bench list --algo lbp_riu names them. "
     "Default: the best CPU variant",
     .kind = OPTION_TEXT, MEMBER(request.variant)},
    {"crop", "N", "cut samples of N×N pixels that share no pixel. Default: whole images",
     .kind = OPTION_INT, MEMBER(request.gather.sampling.crop), .least = 1, .most = IMAGE_SIDE_MAX},
    {"rotate", "LIST",
     "angles in degrees: each place gives a crop at each of them. All crops are interpolated, "
     "those at 0 too (shifted by 0.2113 pixels, which blurs them as much as the others on "
     "average), so that only the texture differs and not the blur",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_angles},
    {"model", "first|all|FILE",
     "first: each class's first sample; it is not tested, nor are samples that share pixels with "
     "it. all: the sum of the class's samples without those that share pixels with the tested "
     "one. FILE: as --save-model wrote it; everything is tested. Default: first",
     .takes = TAKES_FILE, .words = stock_models, .kind = OPTION_HANDLED, .handle = set_model},
    {"save-model", "FILE", "write the models to a JSON file; then a class may have nothing to test",
     .kind = OPTION_OUTPUT, MEMBER(save_model)},
    {"csv", "FILE", "write the confusion matrices: scale,actual,predicted,count",
     .kind = OPTION_OUTPUT, MEMBER(csv)},
    {"plot", "DIR", "draw them as heat maps, SVG and PNG, into a folder that is made",
     .kind = OPTION_FOLDER, MEMBER(plot)},
    {"mixed-sizes", NULL, "let whole images differ in size, which is refused otherwise",
     .kind = OPTION_SET, MEMBER(request.gather.mixed_sizes)},
    {"skip-unreadable", NULL,
     "name images that cannot be read and leave them out, instead of stopping there",
     .kind = OPTION_SET, MEMBER(request.gather.skip_unreadable)},
    {"quiet", NULL, "no progress on standard error", .kind = OPTION_SET, MEMBER(quiet)},
    OPTIONS_END};

/* === Command classify ========================================================================= */

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

/* The table is printed first, so that a chart that cannot be drawn does not lose it. */
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

static Status run(Invocation *given, void *of) {
    ClassifyOptions *options = of;
    Classification result = {.samples = 0};
    (void)given;
    options->request.gather.notes = stderr;
    options->request.gather.progress = options->quiet ? NULL : stderr;
    STATUS_TRY(guard_input(options->request.model_file));
    STATUS_TRY(command_files_check(&command_classify, options));
    Status status = classify(&options->request, options->save_model != NULL, &result);
    STATUS_THEN(status, report(options, &result));
    classification_release(&result);
    return status;
}

const Command command_classify = {
    .name = "classify",
    .family = APP_FAMILY,
    .summary = "classify textures by their lbp_riu histograms",
    .usage = "bench app classify DIR [options]",
    .about =
        "Classifies textures by their lbp_riu histograms. DIR has a folder of images for each "
        "class, named after it, or an image for each class. A sample goes to the class whose "
        "model makes it most likely: the sum of its counts times the logarithm of the model's "
        "shares is largest. Bins that the model never saw count as one pixel; of equal classes "
        "the first wins. Prints the accuracy of each class at each scale and with the sums over "
        "the scales.",
    .examples = "bench app classify textures --plot charts --csv confusion.csv\n"
                "bench app classify textures --crop 128 --rotate 0,15,30,45,60,75,90\n"
                "bench app classify known --model all --save-model known.json\n"
                "bench app classify unknown --model known.json\n",
    .words = "one folder of images",
    .rows = option_rows,
    .size = sizeof(ClassifyOptions),
    .check = check,
    .run = run,
};
