/* What files of this application and tests share. */

#ifndef BENCH_APPS_TEXTURES_TEXTURES_INTERNAL_H
#define BENCH_APPS_TEXTURES_TEXTURES_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "axis.h"
#include "confusion.h"
#include "paths.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Likelihood ------------------------------------------------------------------------------- */

/*
 * Log-likelihood of a sample S under a model M: L = Σ S_b · log M_b over the bins, with M as
 * probabilities. A bin that the model never saw counts as one pixel, M_b = max(count, 1) / Σ count,
 * so that one unseen pattern does not rule a class out.
 */

/* Both histograms have `bins` counts; the model's sum is above 0. Natural logarithm. */
double log_likelihood(const uint64_t *sample, const uint64_t *model, size_t bins);

/* Index of the largest value; the first of equal ones. */
size_t most_likely(const double *values, size_t count);

/* --- Description ------------------------------------------------------------------------------ */

/*
 * Description: the histograms of an image, one for each scale, by a variant of an algorithm whose
 * answer has a histogram and whose answer axes are `pr`, `interp` and `store`.
 */

enum { SCALES_MAX = 12 };

typedef struct Scale {
    char pr[AXIS_TEXT_SIZE]; /* "24:3" */
    size_t bins;
    size_t offset; /* of its first bin in the histograms of a sample, which lie one after another */
} Scale;

typedef struct Scales {
    size_t count;
    Scale list[SCALES_MAX];
    size_t bins;                 /* of all scales */
    char interp[AXIS_TEXT_SIZE]; /* "bilinear" */
} Scales;

typedef struct Describer {
    const Algorithm *algorithm;
    const Variant *variant;
    Scales scales;
    Point answers[SCALES_MAX]; /* of each scale */
    bool proven;               /* the variant's first answers were those of the oracle */
} Describer;

/* The algorithm that textures are described with. */
const Algorithm *description_algorithm(void);

/* `pr` is a list; NULL: the axis's own. STATUS_USAGE says what would be right. */
Status describer_open(const Variant *variant, const char *pr, const char *interp,
                      Describer *describer);

/*
 * Fills scales.bins counts. The answers for the first image are compared with the oracle's, and
 * those for every image must count each of its pixels once: STATUS_FAIL when one does not.
 */
Status describer_run(Describer *describer, const Image *image, uint64_t *histograms);

/* --- Sampling --------------------------------------------------------------------------------- */

/*
 * Sampling: which pieces of an image are classified.
 *
 * Without `crop` the image is the only sample. With it, cells of equal size that do not overlap
 * are laid over the image from its first pixel on, row by row; what is left at the right and at
 * the bottom is not used. Each cell gives one sample of crop × crop pixels, or one for each angle:
 * the square turned about a point near the cell's centre, values between pixels by bilinear
 * interpolation, rounded to nearest. The cell is the smallest that holds every pixel that any of
 * its samples reads, so samples of different cells share no pixel and none has a border inside.
 *
 * Angles are in degrees. The square turns clockwise as seen on a screen (x to the right, y down),
 * so what it shows turns the other way.
 *
 * Interpolation blurs, and how much depends on where between the pixels a value lies: in whole
 * pixels it changes nothing, at half pixels it averages. A crop at 0° has one such phase all over,
 * a turned one has all phases. Texture descriptors see the difference in blur more than that of
 * the textures, so that a model made at 0° without blur fails at other angles. Therefore crops at
 * multiples of 90° are shifted off the whole pixels too, by a fraction f in x and in y at which
 * white noise loses as much as it does on average over all phases: the variance that is left is (f²
 * + (1−f)²)² at phase f, and (2/3)² on average, so f = (1 − 1/√3) / 2.
 */

#define SAMPLING_PHASE 0.21132486540518711775

enum { SAMPLING_ANGLES_MAX = 64 };

typedef struct Sampling {
    int32_t crop;                       /* side of a sample in pixels; 0: whole images */
    size_t angle_count;                 /* 0: crops are not turned and lie on whole pixels */
    double angles[SAMPLING_ANGLES_MAX]; /* degrees */
} Sampling;

/* The cells of one image. */
typedef struct CellGrid {
    int32_t width, height; /* of a cell, in pixels */
    int32_t columns, rows; /* 0 where the image is smaller than a cell */
    double centre; /* of the samples, from the middle of the cell's first pixel, in x and y */
} CellGrid;

CellGrid sampling_cells(const Sampling *sampling, int32_t width, int32_t height);

/* Samples of one cell. */
size_t sampling_per_cell(const Sampling *sampling);

/*
 * Sample `index` of cell `cell` (row by row). `buffer` has room for crop × crop bytes, which are
 * used when there are angles. The sample's pixels lie in the image or in the buffer, and belong
 * to their owner.
 */
Image sampling_cut(const Sampling *sampling, const CellGrid *grid, const Image *image, size_t cell,
                   size_t index, uint8_t *buffer);

/* The square of `side` × `side` values round (x, y), turned by `degrees`, to dense rows in
 * `values`. Turns by multiples of 90° are exact. Every pixel that is needed must be in the image.
 */
void turn_square(const Image *image, double x, double y, double degrees, int32_t side,
                 uint8_t *values);

/* --- Class tree ------------------------------------------------------------------------------- */

/*
 * Class tree: which images belong to which class, as a folder shows it.
 *
 *   DIR/brick/1.png DIR/brick/2.png DIR/grass/1.png    a folder per class, named after it
 *   DIR/brick.png DIR/grass.png                        an image per class, named without its end
 *
 * Classes and images are in the order of the bytes of their names. Names that begin with a dot
 * are skipped, and so is what is neither a file nor a folder.
 */

typedef struct TextureClass {
    char *name;      /* owned */
    PathList images; /* at least one */
} TextureClass;

typedef struct ClassTree {
    size_t count; /* at least one */
    TextureClass *classes;
} ClassTree;

/* Opens no image. STATUS_FILE when the folder cannot be read, is empty, holds files beside
 * folders, a class without images, a folder within a class, or two images of one class name.
 * Nothing is to be released then. */
Status class_tree_read(const char *folder, ClassTree *tree);

void class_tree_release(ClassTree *tree);

/* --- Sample set ------------------------------------------------------------------------------- */

/* Samples: the histograms of every piece of every image, in memory. */

typedef struct Sample {
    size_t class_index;
    size_t cell; /* samples of one cell share pixels; numbered over all images */
} Sample;

typedef struct SampleSet {
    size_t class_count;
    size_t bins; /* of one sample, all scales */
    size_t count, capacity, histogram_capacity;
    Sample *list;         /* owned; by class, and within a class by cell */
    uint64_t *histograms; /* owned; count × bins */
} SampleSet;

SampleSet sample_set_start(size_t class_count, size_t bins);
void sample_set_release(SampleSet *set);

/* Appends a sample whose histograms are all 0, and points to them until the next call. */
Status sample_set_add(SampleSet *set, Sample sample, uint64_t **histograms);

static inline const uint64_t *sample_histograms(const SampleSet *set, size_t index) {
    return set->histograms + index * set->bins;
}

/* --- Gather ----------------------------------------------------------------------------------- */

/* Gathering: reads the images of a class tree one after the other and describes their samples. */

typedef struct GatherOptions {
    Sampling sampling;
    bool mixed_sizes;     /* whole images may differ in size */
    bool skip_unreadable; /* an image that cannot be read is named in `notes` and left out */
    FILE *notes;          /* what was left out */
    FILE *progress;       /* a line every few seconds; NULL: none */
} GatherOptions;

/*
 * STATUS_FILE naming the file when an image cannot be read, is of another size than the others, or
 * is smaller than a cell, or when a class is left without images; STATUS_INTERRUPTED after
 * interrupt_requested(). `set` is released by the caller in any case.
 */
Status gather_samples(const ClassTree *tree, const GatherOptions *options, Describer *describer,
                      SampleSet *set);

/* --- Model ------------------------------------------------------------------------------------ */

/*
 * Models: one set of histograms for each class, which samples are compared with.
 *
 * `first`: a class's model is its first sample. `all`: the sum of all its samples without those of
 * the tested sample's own cell, so that no sample is tested on itself. `stored`: read from a
 * file.
 */

typedef enum ModelKind { MODEL_FIRST, MODEL_ALL, MODEL_STORED } ModelKind;

typedef struct Models {
    Scales scales;
    size_t count;         /* classes */
    char **names;         /* owned */
    uint64_t *histograms; /* owned; count × scales.bins */
} Models;

/* Room for `count` classes without names, all counts 0. STATUS_SKIP when memory is short. */
Status models_create(const Scales *scales, size_t count, Models *models);

void models_release(Models *models);

/* Models of MODEL_FIRST or MODEL_ALL, in the order of the tree. */
Status models_make(ModelKind kind, const ClassTree *tree, const Scales *scales,
                   const SampleSet *set, Models *models);

static inline uint64_t *model_histograms(const Models *models, size_t index) {
    return models->histograms + index * models->scales.bins;
}

/* Index of the class of this name; `count` when there is none. */
size_t models_find(const Models *models, const char *name);

/* STATUS_NO_MATCH naming the classes of the tree that have no model, or the only class there is. */
Status models_cover(const Models *models, const ClassTree *tree);

/* Whether a sample may be tested: not with MODEL_FIRST when it is of its model's cell, nor with
 * MODEL_ALL when its class has no other cell. */
bool model_allows_test(ModelKind kind, const SampleSet *set, size_t index);

/* Writes the model of a sample's own class without the samples of its cell: scales.bins counts. */
void model_without_cell(const Models *models, const SampleSet *set, size_t index,
                        uint64_t *histograms);

/* --- Model file ------------------------------------------------------------------------------- */

/*
 * Models as a JSON file:
 *
 *   {"format": "bench lbp_riu models", "version": 1, "interp": "bilinear",
 *    "scales": [{"pr": "8:1", "bins": 10}, …],
 *    "classes": [{"name": "brick", "histograms": [[…10 counts…], …]}, …]}
 */

/* Written beside and renamed. STATUS_FILE names the path. */
Status models_write(const char *path, const Models *models);

/* STATUS_FILE says what is wrong: no such file, another kind of file, another version, counts that
 * are no counts or too few, a class twice. Release with models_release. */
Status models_read(const char *path, Models *models);

/* Keeps the scales of `wanted`, in its order. STATUS_USAGE naming what `path` has when it lacks one
 * or was made with another interpolation. */
Status models_select(const char *path, const Scales *wanted, Models *models);

/* --- Confusion -------------------------------------------------------------------------------- */

/*
 * Confusion: how many samples of each class were assigned to which class, at each scale and at all
 * scales together.
 */

enum { CONFUSIONS_MAX = SCALES_MAX + 1 };

typedef struct Evaluation {
    size_t tested; /* samples */
    size_t count;  /* matrices; the last one is of all scales when there are several */
    const char *scales[CONFUSIONS_MAX]; /* "8:1"; "combined" */
    ConfusionMatrix matrices[CONFUSIONS_MAX];
    /* What all matrices borrow; owned. */
    const char **row_names;
    size_t *column_of_row;
    uint64_t *counts; /* of one matrix after the other */
} Evaluation;

/*
 * Tests every sample that may be tested. Names and scales are borrowed from tree and models, which
 * outlive the evaluation. STATUS_NO_MATCH as models_cover says. Released with evaluation_release,
 * whatever was returned.
 */
Status evaluation_make(ModelKind kind, const ClassTree *tree, const SampleSet *set,
                       const Models *models, Evaluation *evaluation);

void evaluation_release(Evaluation *evaluation);

/* --- Confusion report ------------------------------------------------------------------------- */

/* An evaluation for people and programs: a table of accuracies, a CSV file, charts. */

/* Accuracy of each class and of all samples, a column for each scale. */
Status evaluation_print(FILE *stream, const Evaluation *evaluation);

/* scale,actual,predicted,count: every cell of every matrix, zeros too. Written beside and renamed.
 */
Status evaluation_write_csv(const char *path, const Evaluation *evaluation);

/* confusion-<scale>.svg and .png in a folder that exists: a heat map for each matrix. STATUS_SKIP
 * when there is no gnuplot. */
Status evaluation_draw(const char *folder, const Evaluation *evaluation);

#endif
