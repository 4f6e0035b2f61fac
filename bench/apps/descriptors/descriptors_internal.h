/* What files of this application and tests share. */

#ifndef BENCH_APPS_DESCRIPTORS_DESCRIPTORS_INTERNAL_H
#define BENCH_APPS_DESCRIPTORS_DESCRIPTORS_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "blas.h"
#include "descriptor_weights.h"
#include "progress.h"
#include "random.h"
#include "status.h"
#include "workload.h"

/* --- Draw ------------------------------------------------------------------------------------- */

/* Numbers drawn at random: the same for a seed on every machine, up to the last bit of exp and cos
 * where those are asked for. */

/* A sequence of its own for each purpose and index, so that none has to be stored in a checkpoint.
 */
static inline Draw draw_start(uint64_t seed, uint64_t purpose, uint64_t index) {
    return (Draw){.seed = random_at(random_at(seed, purpose), index)};
}

static inline double draw_between(Draw *draw, double low, double high) {
    return low + (high - low) * draw_share(draw_number(draw));
}

/* Mean 0, deviation 1: the sum of 12 uniform numbers, which never exceeds 6. */
static inline double draw_normal(Draw *draw) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += draw_between(draw, 0, 1);
    }
    return sum;
}

/* --- Exposure --------------------------------------------------------------------------------- */

/* Exposure: what else differs between two images of the same thing: blur, tone, noise. */

typedef struct Exposure {
    double blur;  /* deviation of the Gaussian, pixels; below EXPOSURE_BLUR_MIN none */
    double gamma; /* of the tone: 255·(value / 255)^gamma · gain + offset */
    double gain, offset;
    double noise; /* deviation, grey levels */
} Exposure;

/* In place. STATUS_SKIP when memory is short. */
Status exposure_apply(const Exposure *exposure, Draw *draw, Image *image);

/* --- Warp ------------------------------------------------------------------------------------- */

/* Warp: an image as another camera might see it, by a homography, and where its keypoints go. */

typedef struct Warp {
    double matrix[3][3];   /* from the image to the view */
    int32_t width, height; /* of the view, which holds all of the image */
} Warp;

enum { WARP_SIDE_MAX = 2200 }; /* of a view; a larger one is shrunk */

Warp warp_draw(int32_t width, int32_t height, Draw *draw);

/* Place, and size and angle by the similarity that is nearest to the warp there. */
Keypoint warp_keypoint(const Warp *warp, Keypoint keypoint);

/* The view, bilinear, beyond the image its nearest pixel. Release with image_free. */
Status warp_render(const Warp *warp, const Image *image, Image *view);

/* --- Views ------------------------------------------------------------------------------------ */

/*
 * Views: an image and the images that other cameras would have made of the scene, with keypoints
 * that are known to show the same places.
 *
 * Keypoints are found in the image by the algorithm `fast`, and their sizes drawn anew, from half
 * a patch of FAST's to one and a half, so that patches are as small as those of SIFT's keypoints.
 * In the other views they are where the warp maps them, moved, resized and turned a little, as a
 * detector would find them.
 */

enum { VIEWS_MAX = 8 };

typedef struct ViewRequest {
    int32_t points; /* of an image, at most */
    int32_t views;  /* with the image itself, 2 … VIEWS_MAX */
    uint64_t seed;  /* of this image */
    bool plain;     /* by homographies alone: no blur, tone or noise, keypoints where they are */
} ViewRequest;

typedef struct Views {
    int32_t points, views;
    Image images[VIEWS_MAX]; /* the first is the image, owned by whoever has it */
    Keypoint *keypoints; /* those of view v from v·points on, at the same index the same place */
} Views;

/* Keypoints whose patch leaves the image, or whose place leaves a view, are left out; there may
 * be none. Release with views_release, whatever was returned. */
Status views_make(const Image *image, const ViewRequest *request, Views *views);

/* Two images of one plane, joined by a known homography (the warp's matrix). `*other` becomes the
 * views' own. The rest as views_make. */
Status views_of_pair(const Image *image, Image *other, const Warp *warp, const ViewRequest *request,
                     Views *views);

void views_release(Views *views);

static inline bool keypoints_lie_within(const Keypoint *left, const Keypoint *right, double reach) {
    return hypot((double)left->x - right->x, (double)left->y - right->y) < reach;
}

/* --- View describer --------------------------------------------------------------------------- */

/* ViewDescriber: the rows of bytes that the best CPU variant of an algorithm makes of a view's
 * keypoints. */

typedef struct ViewDescriber {
    const char *algorithm; /* hashsift, bad or orb */
    int32_t bits;          /* of a row, for each of the weights */
    /* The rows of several weights stand side by side. */
    const Weights *weights;
    int32_t weights_count; /* 0: without weights, one row */
} ViewDescriber;

/* Bytes of a row. */
size_t view_describer_row(const ViewDescriber *describer);

/* Writes row i to rows + i·stride; sizes of keypoints are the sides of their patches. */
Status view_describer_run(const ViewDescriber *describer, const Image *image, Keypoint *keypoints,
                          int32_t count, uint8_t *rows, size_t stride);

/* --- Image folder ----------------------------------------------------------------------------- */

/* Image folder: the images to learn from, or others to verify with. */

typedef struct ImageFolder {
    int32_t count;
    Image *images;
    uint64_t hash; /* of all pixels */
} ImageFolder;

/* Every image of a folder by name, grey; those that cannot be read are named on `notes` and left
 * out. STATUS_FILE when there is none. Release with image_folder_release, whatever was returned.
 */
Status image_folder_load(const char *path, FILE *notes, ImageFolder *folder);

void image_folder_release(ImageFolder *folder);

/* --- Place set -------------------------------------------------------------------------------- */

/* Place set: rows that describe places, each as several views show it. What is learnt from. */

typedef struct SamplePlace {
    int32_t image;
    float x, y, side; /* of the patch, in the image itself */
} SamplePlace;

typedef struct PlaceSet {
    int32_t points, views;
    size_t row; /* bytes */
    size_t place_capacity, row_capacity;
    SamplePlace *places;
    uint8_t *rows; /* of point p in view v at (p·views + v)·row; those of an image in succession */
} PlaceSet;

/* Views of every image, `round` standing for others of the same images. Release with
 * place_set_release, whatever was returned. */
Status place_set_make(const ImageFolder *folder, const ViewDescriber *describer,
                      const ViewRequest *request, uint64_t round, PlaceSet *samples);

void place_set_release(PlaceSet *samples);

/* STATUS_NO_MATCH naming the folder of the images when there are too few places to learn from. */
Status place_set_check(const PlaceSet *samples, const char *folder);

static inline const uint8_t *place_set_row(const PlaceSet *samples, int32_t point, int32_t view) {
    return samples->rows + ((size_t)point * (size_t)samples->views + (size_t)view) * samples->row;
}

/* The seed of the views of an image. */
uint64_t place_set_seed(uint64_t seed, uint64_t round, int32_t image);

/* Whether two places are so near each other that their patches overlap. */
bool places_are_near(const SamplePlace *left, const SamplePlace *right);

/* --- Box candidates --------------------------------------------------------------------------- */

/* Box candidates: pairs of boxes with a threshold, drawn at random, that tests of bad are chosen
 * from. */

typedef struct BoxCandidates {
    int32_t count;
    Weights *tables; /* BOX_TABLE_BITS candidates each */
    int32_t table_count;
} BoxCandidates;

/* `count` is a multiple of BOX_TABLE_BITS. Release with box_candidates_release, whatever was
 * returned. */
Status box_candidates_draw(int32_t count, uint64_t seed, BoxCandidates *candidates);

void box_candidates_release(BoxCandidates *candidates);

/* The WEIGHTS_BAD_COLUMNS numbers of one. */
const float *box_candidate(const BoxCandidates *candidates, int32_t index);

/* --- Triplets --------------------------------------------------------------------------------- */

/*
 * Triplets: the two codes of a place, and the code of another place that is most like them.
 *
 * Codes are rows of numbers −1 … 1, those of n places as one view shows them and after them the n
 * as another does. The likeness of two codes is their product over the number of bits.
 */

/* Rows of codes. */
typedef struct Triplet {
    int32_t anchor, positive, negative;
} Triplet;

/* What a choice does without; zeros: nothing. */
typedef struct TripletRule {
    bool any_negative; /* one drawn at random instead of the hardest */
    bool no_swap;      /* the first view's code is the anchor */
    uint64_t seed;     /* of what is drawn */
} TripletRule;

/*
 * For each place its hardest triplet: the negative is the code most like either of its two, that
 * one being the anchor (anchor swap); of equal ones the first, the first view's before the second.
 * Codes of places that are near are none. `likeness` is 2n × 2n. A place without any negative gets
 * itself for one, which has no gradient.
 */
void triplets_choose(const float *likeness, const SamplePlace *places, int32_t n, TripletRule rule,
                     Triplet *triplets);

/*
 * The mean of max(0, margin − likeness(anchor, positive) + likeness(anchor, negative)), and the
 * share of those above 0. `gradient`, 2n × bits, is the derivative of the mean by the codes.
 */
typedef struct TripletLoss {
    double mean, share;
} TripletLoss;

TripletLoss triplets_loss(const float *codes, int32_t bits, const Triplet *triplets, int32_t n,
                          double margin, float *gradient);

/* --- Box choice ------------------------------------------------------------------------------- */

/*
 * Box choice: which of many tests make the descriptor, one after the other, by boosting.
 *
 * A triplet's margin is by how many of the chosen bits its negative differs from its anchor more
 * often than its positive does. Triplets whose margin falls behind weigh more, and the next test is
 * the one that raises the weighted margins most. A test that agrees with a chosen one at nearly all
 * places, or at nearly none, is skipped: it adds no information. Every BOX_CHOICE_MINING choices
 * each place gets the hardest negative among BOX_CHOICE_BLOCK places drawn from all images: of
 * more, or of one image's, most would be repetitions that no descriptor distinguishes.
 *
 * All sums are of whole numbers: in any order they are the same.
 */

typedef struct BoxChoice {
    const Blas *blas;
    int32_t points, candidates;
    int32_t *order;      /* of the points of the set, at random */
    SamplePlace *places; /* in this order, as all that follows */
    uint64_t seed;
    uint8_t *bits;     /* candidates × 2·points: of the first view, then of the second */
    int8_t *gains;     /* candidates × points: what each test adds to the triplets' margins */
    Triplet *triplets; /* of points; rows of 2·points */
    int32_t *margins;  /* of points */
    int16_t *weights;  /* of points */
    uint8_t *passed;   /* of candidates: chosen, or too like one that is */
    float *codes;      /* 2·BOX_CHOICE_BLOCK × most: of a block, −1 and 1 */
    float *likeness;   /* (2·BOX_CHOICE_BLOCK)² */
    int32_t *chosen;   /* `most` numbers of the caller's */
    int32_t count, most;
    void *memory; /* owned: all arrays but `chosen` */
} BoxChoice;

/* `samples` has rows of a bit for each candidate. Its first two views are used. `chosen` outlives
 * the choice. Release with box_choice_release, whatever was returned. */
Status box_choice_create(const PlaceSet *samples, uint64_t seed, int32_t *chosen, int32_t most,
                         BoxChoice *choice);

void box_choice_release(BoxChoice *choice);

/* Chooses the next test, or uses chosen[count] where `given`. STATUS_NO_MATCH when the others are
 * too like those chosen. `loss` is that of the triplets, of codes −1 and 1. */
Status box_choice_next(BoxChoice *choice, bool given, TripletLoss *loss);

/* --- Projection ------------------------------------------------------------------------------- */

/*
 * Projection: the factors that hashsift multiplies its 128 values by, while they are learnt.
 *
 * Inputs are rows of PROJECTION_COLUMNS numbers, 1 and the values divided by PROJECTION_UNIT, so
 * that the bias and the factors are of one size; a code is tanh of an input times the factors. The
 * factors follow the gradient of the triplets' loss by Adam, at a rate that falls along a cosine.
 */

enum { PROJECTION_COLUMNS = WEIGHTS_HASHSIFT_COLUMNS, PROJECTION_UNIT = 100 };

typedef struct Projection {
    const Blas *blas;
    int32_t bits;
    /* Three tables of bits × PROJECTION_COLUMNS, one behind the other: what a checkpoint keeps. */
    float *factors, *first, *second;
    /* For batches of at most `batch` places. */
    int32_t batch;
    float *inputs; /* 2·batch × PROJECTION_COLUMNS: a place's two views lie `n` rows apart */
    SamplePlace *places;
    Triplet *triplets;
    float *codes, *likeness, *of_codes, *of_factors;
    void *memory; /* owned: all of the above */
} Projection;

typedef struct ProjectionRate {
    uint64_t step, steps; /* from 0 */
    double rate, margin;
    TripletRule rule;
} ProjectionRate;

/* Random factors, normally distributed. STATUS_SKIP when memory is short or there is no
 * OpenBLAS. Release with
 * projection_release, whatever was returned. */
Status projection_create(int32_t bits, int32_t batch, uint64_t seed, Projection *projection);

void projection_release(Projection *projection);

/* Moves and stretches every bit so that its responses to the first n rows of `inputs` have mean 0
 * and one deviation. */
void projection_standardise(Projection *projection, int32_t n);

/* The codes of the first n rows of `inputs`. */
void projection_codes(Projection *projection, int32_t n);

/* One step on the n places whose inputs are there. */
TripletLoss projection_step(Projection *projection, int32_t n, ProjectionRate rate);

/* The loss of the n places, and its derivative by the factors in `of_factors`, for the triplets
 * that were chosen last. */
TripletLoss projection_gradient(Projection *projection, int32_t n, double margin);

/* In the form that hashsift reads. Release with weights_free. */
Status projection_weights(const Projection *projection, const char *name, Weights *weights);

/* --- Learn request ---------------------------------------------------------------------------- */

/* The request for a training of descriptors. */

/* What the training of hashsift can do without, to see what each part is worth. */
typedef enum LearnPart { PART_NEGATIVES, PART_SWAP, PART_AUGMENTATION, LEARN_PARTS } LearnPart;

/* "negatives", "swap", "augmentation", NULL behind the last. */
extern const char *const learn_part_words[LEARN_PARTS + 1];

static inline bool learn_is_without(unsigned without, LearnPart part) {
    return (without >> part & 1) != 0;
}

typedef struct LearnRequest {
    const char *folder; /* of images to learn from */
    const char *out;    /* file of the weights */
    int32_t bits;
    uint64_t seed;
    const char *checkpoint; /* file; NULL: none is kept */
    bool resume;            /* from the checkpoint */
    const char *curve;      /* CSV file; NULL: none */
    bool quiet;
    FILE *notes; /* progress, and images that are left out */

    uint64_t steps; /* of hashsift */
    int32_t batch;
    unsigned without;   /* bit i: LearnPart i is switched off */
    int32_t candidates; /* of bad */
} LearnRequest;

/* --- Learn curve ------------------------------------------------------------------------------ */

/* Learning curve: how a training did, a row for each stretch of its steps. */

typedef struct LearnCurvePoint {
    uint64_t step; /* the last of those that the row is about */
    double loss;
    double share; /* of places whose triplet is not yet far enough apart */
} LearnCurvePoint;

typedef struct LearnCurve {
    LearnCurvePoint *points;
    size_t count, room;
} LearnCurve;

/* STATUS_SKIP when memory is short. Release with learn_curve_release. */
Status learn_curve_create(size_t room, LearnCurve *curve);

void learn_curve_release(LearnCurve *curve);

/* There has to be room. */
void learn_curve_add(LearnCurve *curve, LearnCurvePoint point);

/* "step,loss,share", and beside it the chart as SVG and PNG; without gnuplot a line on standard
 * error says so. STATUS_FILE when one of them cannot be written. */
Status learn_curve_write(const char *path, const char *title, const LearnCurve *curve);

/* --- Learning --------------------------------------------------------------------------------- */

/*
 * Learn from the images and fill the weights and the curve of the loss, which are the caller's to
 * write; release them with weights_free and learn_curve_release. STATUS_NO_MATCH when there are too
 * few keypoints to learn from; STATUS_INTERRUPTED after interrupt_requested(), with the checkpoint
 * written when there is one; errors of the checkpoint as learn_checkpoint_read has them. Then there
 * is nothing to release.
 */
Status learn_hashsift(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                      LearnCurve *curve);

Status learn_bad(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                 LearnCurve *curve);

/* The curve has no points: there is no loss. */
Status learn_orb(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                 LearnCurve *curve);

/* --- Learn checkpoint ------------------------------------------------------------------------- */

/*
 * Checkpoint of a training: a file that holds the steps done so far. It is for the machine that
 * wrote it: numbers are stored as they lie in memory.
 */

typedef struct LearnState {
    const char *training; /* the command's name */
    uint64_t facts;       /* hash of every option that affects the result, and of the images */
    uint64_t done;        /* steps */
    LearnCurve *curve;
    void *data; /* what else is needed to continue */
    size_t bytes;
} LearnState;

/* STATUS_FILE when it cannot be written. */
Status learn_checkpoint_write(const char *path, const LearnState *state);

/* Fills a state of the training about to begin: `done`, the curve and the data. STATUS_FILE as of
 * checkpoint_file_read, STATUS_USAGE when it is of other options or images. */
Status learn_checkpoint_read(const char *path, LearnState *state);

extern const double learn_checkpoint_interval; /* seconds between two, at least */

/* What an interrupted training ends with; `kept` says whether its checkpoint has anything. */
Status learn_interrupted(const LearnRequest *request, bool kept);

/* --- Learn progress --------------------------------------------------------------------------- */

/* The progress of a training of descriptors and its checkpoint, between steps. */

typedef struct LearnProgress {
    const LearnRequest *request;
    LearnState *state;
    LearnCurve curve;
    uint64_t steps; /* of the whole training */
    /* As the training was at the last point, for an interrupt before the next one; owns its data.
     * Not filled without a checkpoint. */
    LearnState reached;
    Progress progress;
    WriteClock writes; /* of the checkpoint */
} LearnProgress;

/* Room for a curve of `points`; continues from the checkpoint where that was asked for. `state` has
 * its facts and data, and gets the curve. End it with learn_progress_end, whatever was
 * returned. */
Status learn_progress_start(const LearnRequest *request, uint64_t steps, size_t points,
                            LearnState *state, LearnProgress *progress);

/* `curve` gets the curve; NULL: it is released. */
void learn_progress_end(LearnProgress *progress, LearnCurve *curve);

/* Adds a point, shows it, and writes a checkpoint when one is due. STATUS_INTERRUPTED
 * when the person asked for it, and the training is not done. */
Status learn_progress_point(LearnProgress *progress, LearnCurvePoint point);

/* --- Verification ----------------------------------------------------------------------------- */

/*
 * Verification: how well descriptors distinguish places in images that were not learnt from.
 *
 * Of every image several views are made. Pairs are a place in the image and in a view, and a
 * place in the image and another one, not near it, in a view. The false-positive rate is the
 * share of different pairs below the distance that finds 95% of the same pairs. The matching score
 * is the share of places whose mutual nearest neighbour in a view lies within 3 pixels of where it
 * should.
 */

typedef struct Verification {
    int32_t images;
    Views *views; /* of each image */
    size_t pairs; /* of the same place; as many of different ones */
} Verification;

/* STATUS_NO_MATCH when the images have too few keypoints. The images outlive the verification.
 * Release with verification_release, whatever was returned. */
Status verification_make(const ImageFolder *folder, Verification *verification);

void verification_release(Verification *verification);

/* From the numbers of pairs at each distance 0 … bits, of the same place and of different ones. */
double verification_false_positives(const uint64_t *same, const uint64_t *different, int32_t bits);

/* The trained weights, those of `against` (NULL: none) and random ones of the same size, a line
 * each. */
Status verification_print(FILE *stream, const Verification *verification, const Weights *trained,
                          const Weights *against);

/* --- Evaluation ------------------------------------------------------------------------------- */

/*
 * Evaluation: descriptors in the manner of HPatches (V. Balntas, K. Lenc, A. Vedaldi, K.
 * Mikolajczyk, "HPatches: a benchmark and evaluation of handcrafted and learned local descriptors",
 * 2017, section 5), on views whose places are known instead of its patches.
 *
 * A place of an image and the same one in a view are a right pair.
 * Verification: every right pair against EVALUATION_WRONG times as many pairs with another place,
 * of any image, that is not near. AP, and the share of wrong pairs below the distance that finds
 * 95% of the right ones.
 * Matching: the nearest place in a view of each of the image's, ranked by distance; right is one
 * within 3 pixels of where it should be. AP over all places, of which those matched wrongly are
 * never found; the mean over all views.
 * Retrieval: the places of all views of all images, ranked by their distance to one of an image;
 * right are its own, near ones are left out. AP; the mean over all places.
 */

enum { EVALUATION_WRONG = 5 };

/* One of a ranking. */
typedef struct Ranked {
    uint32_t distance;
    bool right;
} Ranked;

/* The mean over `total` right ones of the share of right ones among all up to their distance; right
 * ones that are not in the ranking count as 0. Equal distances have one rank: their order does not
 * matter. NAN when total is 0. Sorts in place. */
double average_precision(Ranked *items, size_t count, size_t total);

/* The share of wrong ones up to the least distance that has 95% of the right ones. NAN without
 * either. The items are sorted. */
double false_at_recall(const Ranked *items, size_t count);

typedef enum EvaluationMetric {
    METRIC_VERIFICATION, /* AP */
    METRIC_FALSE_AT_95,
    METRIC_MATCHING,  /* mAP */
    METRIC_RETRIEVAL, /* mAP */
    EVALUATION_METRICS
} EvaluationMetric;

/* Descriptors of all views of all images. */
typedef struct DescribedViews {
    int32_t images;
    const Views *views; /* of each image */
    Image *rows;        /* of each image: view by view, a row for each place */
    bool euclidean;     /* bytes are numbers; otherwise bits */
    uint64_t seed;      /* of the wrong pairs */
} DescribedViews;

/* Each metric, 0 … 1; NAN where there is nothing to rank. STATUS_SKIP without memory. */
Status evaluation_measure(const DescribedViews *described, double metrics[EVALUATION_METRICS]);

/* --- Learn options ---------------------------------------------------------------------------- */

/* The options of `bench train-hashsift`, `bench train-bad` and `bench train-orb`. */

typedef struct LearnOptions {
    LearnRequest request;
    int bits;            /* of the request, by 256; 0: none was given */
    const char *verify;  /* folder of images; NULL: nothing is verified */
    const char *against; /* file of weights; NULL: none */
} LearnOptions;

#endif
