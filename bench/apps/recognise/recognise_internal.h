/* What files of this application and tests share. */

#ifndef BENCH_APPS_RECOGNISE_RECOGNISE_INTERNAL_H
#define BENCH_APPS_RECOGNISE_RECOGNISE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "axis.h"
#include "confusion.h"
#include "files.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "status.h"
#include "workload.h"

/* --- Recogniser ------------------------------------------------------------------------------- */

/*
 * Recogniser: a strong classifier for each digit, made of decision stumps on Haar-like features,
 * and what it was trained on.
 *
 * A stump accepts an image when (value ≥ threshold) == (polarity == 1), where value is
 * that of its feature in the image. The score of a digit is Σ ±alpha over its stumps, + for those
 * that accept the image; the digit's own classifier accepts it when the score is at least 0.
 */

enum {
    RECOGNISER_SIDE_MAX = 255,
    RECOGNISER_DIGITS_MAX = 256,
    RECOGNISER_ROUNDS_MAX = 100000,
    RECOGNISER_CANDIDATES_MAX = 1000000
};

typedef struct Stump {
    /* A row of adaboost's answer, number by number: */
    int64_t candidate;        /* index among those of the training */
    int64_t type, x, y, w, h; /* the feature: type as HaarType numbers them, and pixels */
    int64_t threshold;
    int64_t polarity; /* 1: values from the threshold on are the digit; 0: those below */
    int64_t error;    /* weighted, in units of 2^-40, less than one half */
    /* Training images that the classifier up to this stump gets wrong. */
    int64_t misses, false_alarms;

    double alpha; /* stump_alpha of the error; above 0 */
} Stump;

/* Numbers of such a row. */
enum { STUMP_NUMBERS = offsetof(Stump, alpha) / sizeof(int64_t) };

typedef struct Classifier {
    int32_t digit;
    size_t count, capacity;
    Stump *stumps; /* owned, in the order of their choice */
} Classifier;

/* Every option and input that affects the result: equal facts give the same recogniser. */
typedef struct TrainingFacts {
    int32_t width, height;          /* of each image, pixels */
    char input[WORKLOAD_NAME_SIZE]; /* file name without folders, or the synthetic kind */
    uint64_t hash;                  /* of pixels and labels */
    int32_t images;
    uint64_t seed;
    int32_t rounds, candidates, min_side, threshold;
    char variant[AXIS_TEXT_SIZE];
    size_t digit_count;
    uint8_t digits[RECOGNISER_DIGITS_MAX]; /* that were asked for, in the order of their training */
} TrainingFacts;

typedef struct Recogniser {
    TrainingFacts facts;
    size_t count; /* classifiers: facts.digit_count, or fewer while the training is not done */
    Classifier classifiers[RECOGNISER_DIGITS_MAX]; /* of facts.digits, in this order */
} Recogniser;
void recogniser_release(Recogniser *recogniser);

/* The strong classifier's ½ ln((1 − e) / e) of an error in units of 2^-40; 0 counts as half a
 * unit. */
double stump_alpha(int64_t error);

/* Scores of an image for each classifier, by their first `rounds` stumps (0: all). `integral` is
 * the image's integral image, whose rows are width + 1 entries apart. */
void recogniser_scores(const Recogniser *recogniser, size_t rounds, const int32_t *integral,
                       double *scores);

/* The classifier that an image of these scores goes to: the one of the largest score; of equal
 * ones that of the lowest digit. */
size_t recogniser_decide(const Recogniser *recogniser, const double *scores);

/* --- Recogniser file -------------------------------------------------------------------------- */

/*
 * Recognisers as JSON files, a line for each stump:
 *
 *   {"format": "bench adaboost recogniser", "version": 1,
 *    "width": 28, "height": 28,                    of each image, pixels
 *    "input": "train-images-idx3-ubyte.gz",        what it was trained on
 *    "hash": "9f0c…",                              16 hexadecimal digits, of its pixels and labels
 *    "images": 60000, "seed": "1",
 *    "rounds": 100, "candidates": 1000, "min_side": 4, "threshold": 4000, "variant": "omp",
 *    "digits": [0, 1, …],
 *    "classifiers": [
 *     {"digit": 0, "stumps": [
 *      {"candidate": 17, "type": "two_rows", "x": 3, "y": 4, "w": 12, "h": 8, "threshold": -511,
 *       "polarity": 1, "alpha": 1.49…, "error": 0.048…, "misses": 80, "false_alarms": 912}, …]},
 *     …]}
 *
 * A checkpoint, of a training that is not done, is the same with the format "bench adaboost
 * training": fewer classifiers than digits, and fewer stumps than rounds in the last one.
 */

typedef enum RecogniserFileKind { RECOGNISER_FILE, CHECKPOINT_FILE } RecogniserFileKind;

/* Written beside and renamed: the same recogniser gives the same bytes. STATUS_FILE names the path.
 */
Status recogniser_write(const char *path, RecogniserFileKind kind, const Recogniser *recogniser);

/* STATUS_FILE says what is wrong: no such file, another kind of file, another version, a number out
 * of range, a feature that is not inside the image, a classifier missing or without stumps.
 * Release with recogniser_release; there is nothing to release on an error. */
Status recogniser_read(const char *path, RecogniserFileKind kind, Recogniser *recogniser);

/* --- Checkpoint ------------------------------------------------------------------------------- */

/* Checkpoint: the stumps that a training has so far, in a file beside its model. */

typedef struct Checkpoint {
    char path[ATOMIC_FILE_PATH_SIZE];
    WriteClock writes;
} Checkpoint;

/* "<model>.checkpoint". STATUS_FILE when the path is too long. */
Status checkpoint_name(const char *model, Checkpoint *checkpoint);

/*
 * Reads the classifiers of a checkpoint, if there is one, into a recogniser without classifiers
 * whose facts are those of the training about to begin. STATUS_USAGE when the checkpoint is
 * of a training with other images or options, STATUS_FILE when it cannot be read.
 */
Status checkpoint_resume(const Checkpoint *checkpoint, Recogniser *recogniser);

Status checkpoint_write(Checkpoint *checkpoint, const Recogniser *recogniser);
void checkpoint_remove(const Checkpoint *checkpoint);

/* --- Stump table ------------------------------------------------------------------------------ */

/*
 * Stump table: the answer of the algorithm adaboost as the harness reads and fills it.
 *
 * The answer has two parts, found by their names. "count" is one number, the stumps chosen.
 * "stumps" is a table with a row for each round, in their order: the STUMP_NUMBERS first members of
 * a Stump.
 */

typedef struct StumpTable {
    uint64_t *count; /* within the output, as rows */
    uint64_t *rows;
    size_t rounds;
} StumpTable;

/* STATUS_FAIL when the output has other parts than these. */
Status stump_table_find(const Output *output, StumpTable *table);

/* Appends rows from the classifier's count on, up to `count`. STATUS_FAIL when a row is none that
 * an adaboost answer can have: a feature outside images of these sides, an error of one half. */
Status stump_table_read(const StumpTable *table, size_t count, int32_t width, int32_t height,
                        Classifier *classifier);

/* Puts the classifier's stumps into the first rows, for a run that continues from them. */
void stump_table_fill(const StumpTable *table, const Classifier *classifier);

/* --- Training --------------------------------------------------------------------------------- */

/*
 * Training: a strong classifier for each digit, by a variant of the algorithm adaboost, one digit
 * against the rest.
 *
 * The stumps so far are stored in a checkpoint beside the model. A training that was killed
 * continues from there and gives the same bytes. The checkpoint is removed once the model is
 * written.
 */

typedef struct TrainRequest {
    const char *digits; /* list; NULL: all that labels have */
    /* Values of adaboost's axes; NULL: their defaults. */
    const char *rounds, *candidates, *min_side, *threshold;
    const char *variant; /* NULL: the best CPU variant */
    const char *threads; /* value of the variant's axis; NULL: its default, all */
    const char *model;   /* file */
    bool fresh;          /* a checkpoint is ignored */
    bool quiet;
    FILE *notes; /* progress, and from where a training continues */
} TrainRequest;

/*
 * Trains, after comparing the variant with the oracle on a small set, and writes the model.
 * `workload` is a labelled set. STATUS_USAGE for labels that are missing, axis values that are
 * none, and a checkpoint of another training; STATUS_NO_MATCH when no feature separates a digit
 * from the rest; STATUS_INTERRUPTED after interrupt_requested(), with the checkpoint written.
 * Release with recogniser_release, whatever was returned.
 */
Status train(const TrainRequest *request, const Workload *workload, Recogniser *recogniser);

/* What was trained on, and a line for each digit: stumps, training error, misses, false alarms. */
Status training_print(FILE *stream, const Recogniser *recogniser);

/* --- Image set -------------------------------------------------------------------------------- */

/* Image set: the images that a training or a recognition is about, as a workload. */

typedef struct ImageSetRequest {
    const char *path;      /* IDX file or folder; NULL: synthetic */
    const char *synthetic; /* kind */
    const char *labels;    /* IDX file; NULL: those that belong to the set, when there are any */
    int32_t images;        /* from the beginning; 0: all, or IMAGE_SET_SYNTHETIC synthetic ones */
    uint64_t seed;         /* of synthetic images, and of what is drawn at random */
} ImageSetRequest;

/* Errors as datasets/image_sets.h has them. Release with workload_release. */
Status image_set_load(const ImageSetRequest *request, Workload *workload);

/* --- Recognition ------------------------------------------------------------------------------ */

/*
 * Recognition: the digits that a recogniser assigns to the images of a set, and how many are right.
 *
 * An image goes to the digit of the largest score, Σ ±alpha; of equal ones to the lowest digit. A
 * score estimates half the logarithm of the odds for its digit (J. Friedman, T. Hastie, R.
 * Tibshirani, 2000), so that scores of different classifiers can be compared directly.
 */

/* One digit's own classifier against the labels. */
typedef struct OneAgainstRest {
    uint64_t digits, others;       /* images of the digit and of the rest */
    uint64_t misses, false_alarms; /* wrong answers for either */
} OneAgainstRest;

typedef struct Recognition {
    const Recogniser *recogniser; /* borrowed, as the set */
    const Workload *set;
    size_t rounds;     /* stumps used of each classifier; 0: all */
    double *scores;    /* set.count × recogniser->count; owned */
    size_t *predicted; /* index of the classifier, for each image; owned */

    /* With labels: */
    OneAgainstRest each[RECOGNISER_DIGITS_MAX]; /* for each classifier */
    ConfusionMatrix confusion;                  /* a row for each known label there is; borrows: */
    uint64_t unknown; /* images of labels that no classifier is for: not counted */
    char names[RECOGNISER_DIGITS_MAX][4]; /* "0" … "255": of rows and columns */
    const char *row_names[RECOGNISER_DIGITS_MAX], *column_names[RECOGNISER_DIGITS_MAX];
    size_t column_of_row[RECOGNISER_DIGITS_MAX];
    uint64_t *counts; /* owned */
} Recognition;

/* Recogniser and set outlive the recognition. STATUS_USAGE when the images have other sides than
 * those the recogniser was trained on, STATUS_SKIP when memory runs out. Release with
 * recognition_release, whatever was returned. */
Status recognise(const Recogniser *recogniser, const Workload *set, size_t rounds,
                 Recognition *recognition);

void recognition_release(Recognition *recognition);

/* --- Recognition report ----------------------------------------------------------------------- */

/* A recognition for people and programs: a table, CSV files, a chart. */

/* With labels: accuracy with its 95% interval, each digit's own classifier, the confusion matrix.
 * Without: how many images went to which digit. */
Status recognition_print(FILE *stream, const Recognition *recognition);

/* image,predicted,label,score_0,…: a line for each image, numbered from 0; the label is empty
 * where there is none. Scores are Σ ±alpha. Written beside and renamed, as all files. */
Status recognition_write_csv(const char *path, const Recognition *recognition);

/* actual,predicted,count: every cell, zeros too. Needs labels, as the chart does. */
Status recognition_write_matrix(const char *path, const Recognition *recognition);

/* confusion-digits.svg and .png in a folder that exists. STATUS_SKIP when there is no gnuplot. */
Status recognition_draw(const char *folder, const Recognition *recognition);

/* --- Set options ------------------------------------------------------------------------------ */

/* The options that name an image set. */

/* The `handle` of --images, whose member is ImageSetRequest.images. */
Status set_image_count(const Option *option, const char *value, void *options);

/* Whether a set was named, once, and labels go with it. `command` is for messages. */
Status set_options_check(const char *command, const ImageSetRequest *set);

/* --- Feature images --------------------------------------------------------------------------- */

/*
 * Feature images: the features of largest weight of a digit, drawn over the mean of its training
 * images. Cells that count as positive (white in the study's figures) are orange, those that
 * count as negative (black) are blue.
 */

enum { FEATURE_IMAGES_BEST = 10 };

/* The indexes of a classifier's stumps of largest alpha, largest first, equal ones in the order
 * of their choice; of those that share a feature only the first. Returns how many there are, at
 * most FEATURE_IMAGES_BEST. */
size_t best_features(const Classifier *classifier, size_t best[FEATURE_IMAGES_BEST]);

/* The mean of the images with this label, width × height values 0…255 rounded to the nearest; all
 * 0 when there is no such image. */
void mean_image(const Workload *set, int32_t digit, uint8_t *mean);

/* Writes digit-<n>.png for each classifier, and digits.png with a row for each, into a folder that
 * exists. `set` is the labelled training set. STATUS_FILE names the file that cannot be written. */
Status feature_images_write(const char *folder, const Recogniser *recogniser, const Workload *set);

#endif
