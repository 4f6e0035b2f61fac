/* Recognition; the command `bench app recognise`. */

#include "apps.h"
#include "options.h"
#include "recognise_internal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "confusion.h"
#include "files.h"
#include "haar_features.h"
#include "harness.h"
#include "image_sets.h"
#include "number.h"
#include "resources.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "workload.h"

/* === Recognition ============================================================================== */

static Status no_memory(void) {
    return status_no_memory("for the scores of the images");
}

/* --- Scores ----------------------------------------------------------------------------------- */

static void score_image(const Recognition *of, int32_t index, int32_t *integral) {
    const ImageSet *set = &of->set->set;
    double *scores = of->scores + (size_t)index * of->recogniser->count;
    haar_integral(workload_image(of->set, index), set->width, set->height, integral);
    recogniser_scores(of->recogniser, of->rounds, integral, scores);
    of->predicted[index] = recogniser_decide(of->recogniser, scores);
}

static Status score_images(Recognition *of) {
    const ImageSet *set = &of->set->set;
    const size_t entries = ((size_t)set->width + 1) * ((size_t)set->height + 1);
    bool fits = true;
#pragma omp parallel num_threads(thread_team_default()) reduction(&& : fits)
    {
        int32_t *integral = malloc(entries * sizeof *integral);
        fits = integral != NULL;
#pragma omp for schedule(static)
        for (int32_t i = 0; i < set->count; i++) {
            if (fits) {
                score_image(of, i, integral);
            }
        }
        free(integral);
    }
    return fits ? status_ok() : no_memory();
}

/* --- Against labels --------------------------------------------------------------------------- */

static const size_t no_row = SIZE_MAX;

/* Whether a classifier is for this label: `column` gets its index. */
static bool find_column(const Recogniser *recogniser, int32_t label, size_t *column) {
    for (size_t i = 0; i < recogniser->count; i++) {
        if (recogniser->classifiers[i].digit == label) {
            *column = i;
            return true;
        }
    }
    return false;
}

/* Rows are the labels that occur and that the model knows, in order; the others have no row. */
static Status make_matrix(Recognition *of, size_t row_of_label[RECOGNISER_DIGITS_MAX]) {
    const Recogniser *recogniser = of->recogniser;
    bool there[RECOGNISER_DIGITS_MAX] = {false};
    size_t rows = 0;
    for (int32_t i = 0; i < of->set->set.count; i++) {
        there[of->set->set.labels[i]] = true;
    }
    of->counts = calloc(RECOGNISER_DIGITS_MAX * recogniser->count, sizeof *of->counts);
    if (of->counts == NULL) {
        return no_memory();
    }
    for (int label = 0; label < RECOGNISER_DIGITS_MAX; label++) {
        snprintf(of->names[label], sizeof of->names[label], "%d", label);
        row_of_label[label] = no_row;
        if (there[label] && find_column(recogniser, label, &of->column_of_row[rows])) {
            row_of_label[label] = rows;
            of->row_names[rows++] = of->names[label];
        }
    }
    for (size_t i = 0; i < recogniser->count; i++) {
        of->column_names[i] = of->names[recogniser->classifiers[i].digit];
    }
    of->confusion = (ConfusionMatrix){.rows = rows,
                                      .columns = recogniser->count,
                                      .row_names = of->row_names,
                                      .column_names = of->column_names,
                                      .column_of_row = of->column_of_row,
                                      .counts = of->counts};
    return status_ok();
}

static void count_image(Recognition *of, int32_t index, size_t row) {
    const Recogniser *recogniser = of->recogniser;
    const double *scores = of->scores + (size_t)index * recogniser->count;
    of->counts[row * recogniser->count + of->predicted[index]]++;
    for (size_t i = 0; i < recogniser->count; i++) {
        OneAgainstRest *each = &of->each[i];
        if (recogniser->classifiers[i].digit == of->set->set.labels[index]) {
            each->digits++;
            each->misses += scores[i] < 0;
        } else {
            each->others++;
            each->false_alarms += scores[i] >= 0;
        }
    }
}

static Status count_images(Recognition *of) {
    size_t row_of_label[RECOGNISER_DIGITS_MAX];
    STATUS_TRY(make_matrix(of, row_of_label));
    for (int32_t i = 0; i < of->set->set.count; i++) {
        const size_t row = row_of_label[of->set->set.labels[i]];
        if (row == no_row) {
            of->unknown++;
        } else {
            count_image(of, i, row);
        }
    }
    return status_ok();
}

/* ---------------------------------------------------------------------------------------------- */

Status recognise(const Recogniser *recogniser, const Workload *set, size_t rounds,
                 Recognition *recognition) {
    const TrainingFacts *facts = &recogniser->facts;
    *recognition = (Recognition){.recogniser = recogniser, .set = set, .rounds = rounds};
    if (set->set.width != facts->width || set->set.height != facts->height) {
        return status_make(STATUS_USAGE,
                           "the images of %.100s are %" PRId32 "×%" PRId32
                           ", and the model is for images of %" PRId32 "×%" PRId32,
                           set->input, set->set.width, set->set.height, facts->width,
                           facts->height);
    }
    const size_t count = (size_t)set->set.count;
    recognition->scores = calloc(count * recogniser->count, sizeof *recognition->scores);
    recognition->predicted = calloc(count, sizeof *recognition->predicted);
    if (recognition->scores == NULL || recognition->predicted == NULL) {
        return no_memory();
    }
    STATUS_TRY(score_images(recognition));
    return set->set.labels != NULL ? count_images(recognition) : status_ok();
}

void recognition_release(Recognition *recognition) {
    free(recognition->scores);
    free(recognition->predicted);
    free(recognition->counts);
    *recognition = (Recognition){.rounds = 0};
}

/* === Recognition files ======================================================================== */

static void write_image(FILE *stream, const Recognition *of, int32_t index) {
    const Recogniser *recogniser = of->recogniser;
    fprintf(stream, "%" PRId32 ",%" PRId32 ",", index,
            recogniser->classifiers[of->predicted[index]].digit);
    if (of->set->set.labels != NULL) {
        fprintf(stream, "%d", of->set->set.labels[index]);
    }
    for (size_t i = 0; i < recogniser->count; i++) {
        char score[40];
        number_text(of->scores[(size_t)index * recogniser->count + i], score, sizeof score);
        fprintf(stream, ",%s", score);
    }
    fputc('\n', stream);
}

Status recognition_write_csv(const char *path, const Recognition *recognition) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("image,predicted,label", file.stream);
    for (size_t i = 0; i < recognition->recogniser->count; i++) {
        fprintf(file.stream, ",score_%" PRId32, recognition->recogniser->classifiers[i].digit);
    }
    fputc('\n', file.stream);
    for (int32_t i = 0; i < recognition->set->set.count; i++) {
        write_image(file.stream, recognition, i);
    }
    return atomic_file_commit(&file);
}

Status recognition_write_matrix(const char *path, const Recognition *recognition) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("actual,predicted,count\n", file.stream);
    confusion_matrix_write_lines(file.stream, &recognition->confusion, NULL);
    return atomic_file_commit(&file);
}

Status recognition_draw(const char *folder, const Recognition *recognition) {
    char title[160];
    const ConfusionMatrix *matrix = &recognition->confusion;
    const uint64_t total = confusion_matrix_total(matrix);
    if (total == 0) {
        return status_make(STATUS_NO_MATCH,
                           "the model knows the digit of no image; there is no chart to draw");
    }
    snprintf(title, sizeof title, "%.1f%% of %" PRIu64 " right",
             100 * (double)confusion_matrix_correct(matrix) / (double)total, total);
    return confusion_matrix_draw(matrix, title, folder, "confusion-digits");
}

/* === Recognition print ======================================================================== */

static void print_head(FILE *stream, const Recognition *of) {
    const TrainingFacts *facts = &of->recogniser->facts;
    size_t most = 0;
    for (size_t i = 0; i < of->recogniser->count; i++) {
        const size_t count = of->recogniser->classifiers[i].count;
        most = count > most ? count : most;
    }
    const size_t used = of->rounds > 0 && of->rounds < most ? of->rounds : most;
    visible_line(stream, "model: %zu digits, %s%zu stumps, trained on %" PRId32 " images, %s",
                 of->recogniser->count, used < most ? "the first " : "up to ", used, facts->images,
                 facts->input);
    visible_line(stream, "set: %" PRId32 " images, %s", of->set->set.count, of->set->input);
}

/* --- Accuracy --------------------------------------------------------------------------------- */

enum { LABELS_SIZE = RECOGNISER_DIGITS_MAX * sizeof "255, " };

/* "left out: 29 of 40 images, whose digits (0, 2, 3) the model does not know; it knows 1, 7" */
static void print_left_out(FILE *stream, const Recognition *of) {
    char left[LABELS_SIZE] = "";
    char known[LABELS_SIZE] = "";
    bool named[RECOGNISER_DIGITS_MAX] = {false};
    size_t column;
    for (int32_t i = 0; i < of->set->set.count; i++) {
        named[of->set->set.labels[i]] = true;
    }
    for (int label = 0; label < RECOGNISER_DIGITS_MAX; label++) {
        const bool knows = find_column(of->recogniser, label, &column);
        char *text = knows ? known : left;
        if (knows || named[label]) {
            text_append(text, LABELS_SIZE, "%s%d", text[0] != '\0' ? ", " : "", label);
        }
    }
    fprintf(stream,
            "left out: %" PRIu64 " of %" PRId32
            " images, whose digits (%s) the model does not know; it knows %s\n",
            of->unknown, of->set->set.count, left, known);
}

static void print_accuracy(FILE *stream, const Recognition *of) {
    const ConfusionMatrix *matrix = &of->confusion;
    const uint64_t total = confusion_matrix_total(matrix);
    const uint64_t correct = confusion_matrix_correct(matrix);
    const Estimate accuracy = estimate_of_share(correct, total);
    if (of->unknown > 0) {
        print_left_out(stream, of);
    }
    fprintf(stream,
            "accuracy %.2f%% (%" PRIu64 " of %" PRIu64 " right; 95%% interval %.2f … %.2f%%)\n",
            100 * accuracy.value, correct, total, 100 * accuracy.low, 100 * accuracy.high);
    fputc('\n', stream);
}

/* "1.25%"; "-" where there is nothing to count. */
static void put_share(TextTable *table, uint64_t count, uint64_t total) {
    char text[SIGNIFICANT_SIZE] = "-";
    if (total > 0) {
        percent_text((double)count / (double)total, 2, text);
    }
    text_table_put(table, "%s", text);
}

static Status print_each(FILE *stream, const Recognition *of) {
    const Recogniser *recogniser = of->recogniser;
    TextTable table = TEXT_TABLE(NUMBERS("digit"), NUMBERS("stumps"), NUMBERS("images"),
                                 NUMBERS("misses"), NUMBERS("false alarms"), NUMBERS("error"));
    for (size_t i = 0; i < recogniser->count; i++) {
        const OneAgainstRest *each = &of->each[i];
        const size_t count = recogniser->classifiers[i].count;
        text_table_put(&table, "%" PRId32, recogniser->classifiers[i].digit);
        text_table_put(&table, "%zu", of->rounds > 0 && of->rounds < count ? of->rounds : count);
        text_table_put(&table, "%" PRIu64, each->digits);
        text_table_put(&table, "%" PRIu64, each->misses);
        text_table_put(&table, "%" PRIu64, each->false_alarms);
        put_share(&table, each->misses + each->false_alarms, each->digits + each->others);
    }
    fputs("Each digit against the rest\n", stream);
    const Status status = text_table_end(&table, stream, table_print);
    fputc('\n', stream);
    return status;
}

static Status print_matrix(FILE *stream, const Recognition *of) {
    const ConfusionMatrix *matrix = &of->confusion;
    DocColumn columns[TEXT_TABLE_COLUMNS_MAX] = {{.title = "label", .numeric = true}};
    if (matrix->columns > TEXT_TABLE_COLUMNS_MAX - 2) {
        fprintf(stream, "The confusion matrix has %zu columns; --matrix writes it to a file\n",
                matrix->columns);
        return status_ok();
    }
    for (size_t column = 0; column < matrix->columns; column++) {
        columns[column + 1] = (DocColumn){.title = matrix->column_names[column], .numeric = true};
    }
    columns[matrix->columns + 1] = (DocColumn){.title = "right", .numeric = true};
    TextTable table = text_table_start(columns, matrix->columns + 2);
    for (size_t row = 0; row < matrix->rows; row++) {
        text_table_put(&table, "%s", matrix->row_names[row]);
        for (size_t column = 0; column < matrix->columns; column++) {
            text_table_put(&table, "%" PRIu64, confusion_matrix_count(matrix, row, column));
        }
        put_share(&table, confusion_matrix_row_correct(matrix, row),
                  confusion_matrix_row_total(matrix, row));
    }
    fputs("Taken for\n", stream);
    return text_table_end(&table, stream, table_print);
}

static void print_counts(FILE *stream, const Recognition *of) {
    for (size_t i = 0; i < of->recogniser->count; i++) {
        uint64_t assigned = 0;
        for (int32_t k = 0; k < of->set->set.count; k++) {
            assigned += of->predicted[k] == i;
        }
        fprintf(stream, "digit %" PRId32 ": %" PRIu64 "\n", of->recogniser->classifiers[i].digit,
                assigned);
    }
}

Status recognition_print(FILE *stream, const Recognition *recognition) {
    print_head(stream, recognition);
    if (recognition->set->set.labels == NULL) {
        fputs("no labels: taken for\n\n", stream);
        print_counts(stream, recognition);
        return status_ok();
    }
    if (confusion_matrix_total(&recognition->confusion) == 0) {
        print_left_out(stream, recognition);
        return status_ok();
    }
    print_accuracy(stream, recognition);
    STATUS_TRY(print_each(stream, recognition));
    return print_matrix(stream, recognition);
}

/* === Options ================================================================================== */

typedef struct RecogniseOptions {
    const char *model; /* file */
    ImageSetRequest set;
    uint64_t rounds;                 /* 0: all */
    const char *csv, *matrix, *plot; /* files and folder; NULL: none */
} RecogniseOptions;

static Status check(void *of, const OptionsGiven *given) {
    const RecogniseOptions *options = of;
    return options->model != NULL
               ? set_options_check(given->command->name, &options->set)
               : status_make(
                     STATUS_USAGE,
                     "recognise: name a model, as bench app train wrote it, and an image set");
}

#define MEMBER(name) .member = offsetof(RecogniseOptions, name)

static const RecogniseOptions defaults = {.set = {.seed = 1}};

static const Option option_rows[] = {
    {NULL, "MODEL", NULL, .kind = OPTION_INPUT, MEMBER(model)},
    {NULL, "IMAGES", NULL, .kind = OPTION_INPUT, MEMBER(set.path)},
    {"synthetic", "KIND", "recognise a synthetic set instead, such as digits; 28×28 pixels",
     .kind = OPTION_WORD, MEMBER(set.synthetic), .words = synthetic_set_kinds,
     .noun = "kind of synthetic set"},
    {"labels", "FILE",
     "IDX file of labels. Default: the one beside the images that is named like theirs, or the "
     "names of the folders that they are in; without labels there is no accuracy",
     .kind = OPTION_INPUT, MEMBER(set.labels)},
    {"images", "N", "recognise the first N images. Default: all, or 1000 synthetic ones",
     .kind = OPTION_HANDLED, .handle = set_image_count, MEMBER(set.images)},
    ORIENT_OPTION(.group = NULL),
    {"seed", "N", "seed of a synthetic set; use another one than in the training. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(set.seed), .most = UINT64_MAX},
    {"rounds", "N", "use the first N stumps of each classifier. Default: all", .kind = OPTION_WHOLE,
     MEMBER(rounds), .least = 1, .most = RECOGNISER_ROUNDS_MAX},
    {"csv", "FILE",
     "write the prediction for each image: image,predicted,label and the score of each digit",
     .kind = OPTION_OUTPUT, MEMBER(csv)},
    {"matrix", "FILE", "write the confusion matrix: actual,predicted,count", .kind = OPTION_OUTPUT,
     MEMBER(matrix)},
    {"plot", "DIR", "draw it as a heat map, SVG and PNG, into a folder that is made",
     .kind = OPTION_FOLDER, MEMBER(plot)},
    OPTIONS_END};

/* === Command recognise ======================================================================== */

static Status check_labels(const RecogniseOptions *options, const Workload *set) {
    if (set->set.labels == NULL && (options->matrix != NULL || options->plot != NULL)) {
        return status_make(STATUS_USAGE,
                           "%s needs labels, which %.200s does not have; give a file of them with "
                           "--labels",
                           options->matrix != NULL ? "--matrix" : "--plot", set->input);
    }
    return status_ok();
}

/* The table is printed first, so that a chart that cannot be drawn does not lose it. */
static Status report(const RecogniseOptions *options, const Recognition *recognition) {
    STATUS_TRY(recognition_print(stdout, recognition));
    if (options->csv != NULL) {
        STATUS_TRY(recognition_write_csv(options->csv, recognition));
    }
    if (options->matrix != NULL) {
        STATUS_TRY(recognition_write_matrix(options->matrix, recognition));
    }
    return options->plot != NULL ? recognition_draw(options->plot, recognition) : status_ok();
}

/* Too large for a stack. */
typedef struct Work {
    Recogniser recogniser;
    Recognition recognition;
} Work;

static Status run_on(const RecogniseOptions *options, Work *work, const Workload *set) {
    STATUS_TRY(check_labels(options, set));
    STATUS_TRY(command_files_check(&command_recognise, options));
    Status status = recognise(&work->recogniser, set, (size_t)options->rounds, &work->recognition);
    STATUS_THEN(status, report(options, &work->recognition));
    recognition_release(&work->recognition);
    return status;
}

static Status run_in(const RecogniseOptions *options, Work *work) {
    Workload set;
    STATUS_TRY(recogniser_read(options->model, RECOGNISER_FILE, &work->recogniser));
    Status status = image_set_load(&options->set, &set);
    if (status_is_ok(&status)) {
        status = run_on(options, work, &set);
        workload_release(&set);
    }
    recogniser_release(&work->recogniser);
    return status;
}

static Status run(Invocation *given, void *of) {
    Work *work = malloc(sizeof *work);
    (void)given;
    const Status status =
        work != NULL ? run_in(of, work) : status_no_memory("for a model and its answers");
    free(work);
    return status;
}

const Command command_recognise = {
    .name = "recognise",
    .family = APP_FAMILY,
    .summary = "recognise the digits of images with a trained model",
    .usage = "bench app recognise MODEL IMAGES [options]\n"
             "bench app recognise MODEL --synthetic digits [options]\n",
    .about =
        "Recognises images by a model that bench app train wrote. The score of a digit is the sum "
        "of its stumps' weights, + where the stump accepts the image, - where it does not. "
        "An image goes to the digit of the largest score; ties go to the lowest digit. With "
        "labels, of the images whose digit the model knows: accuracy with its 95% interval, "
        "misses and false alarms of each digit's own "
        "classifier (a score of at least 0 is a yes), and the confusion matrix.",
    .examples = "bench app recognise digits.json t10k-images-idx3-ubyte.gz --plot charts\n"
                "bench app recognise digits.json unknown/ --csv predictions.csv\n"
                "bench app recognise two.json --synthetic digits --seed 2\n",
    .words = "a model and one image set",
    .rows = option_rows,
    .size = sizeof(RecogniseOptions),
    .defaults = &defaults,
    .check = check,
    .run = run,
};
