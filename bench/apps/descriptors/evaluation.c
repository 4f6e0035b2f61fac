/* Descriptors evaluated in the manner of HPatches; the command `bench app evaluate-descriptors`. */

#include "apps.h"
#include "descriptors_internal.h"
#include "options.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "files.h"
#include "harness.h"
#include "json.h"
#include "match_images.h"
#include "number.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "workload.h"

/* === Rankings ================================================================================= */

static int by_distance(const void *left, const void *right) {
    const Ranked *one = left, *other = right;
    return (one->distance > other->distance) - (one->distance < other->distance);
}

double average_precision(Ranked *items, size_t count, size_t total) {
    double sum = 0;
    size_t right = 0;
    qsort(items, count, sizeof *items, by_distance);
    for (size_t i = 0; i < count;) {
        const size_t before = right;
        const uint32_t distance = items[i].distance;
        for (; i < count && items[i].distance == distance; i++) {
            right += items[i].right;
        }
        sum += (double)(right - before) * (double)right / (double)i;
    }
    return total > 0 ? sum / (double)total : (double)NAN;
}

double false_at_recall(const Ranked *items, size_t count) {
    static const double recall = 0.95;
    size_t all_right = 0, right = 0, wrong = 0;
    for (size_t i = 0; i < count; i++) {
        all_right += items[i].right;
    }
    for (size_t i = 0; i < count && (double)right < recall * (double)all_right;) {
        const uint32_t distance = items[i].distance;
        for (; i < count && items[i].distance == distance; i++) {
            right += items[i].right;
            wrong += !items[i].right;
        }
    }
    return all_right > 0 && count > all_right ? (double)wrong / (double)(count - all_right)
                                              : (double)NAN;
}

/* === Metrics ================================================================================== */

enum { DRAW_WRONG = 20, TRIES = 100 };

static const double near_sizes = 0.5, match_px = 3;

static uint32_t hamming(const uint8_t *left, const uint8_t *right, size_t bytes) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t one, other;
        memcpy(&one, left + i, sizeof one);
        memcpy(&other, right + i, sizeof other);
        sum += (uint32_t)__builtin_popcountll(one ^ other);
    }
    return sum;
}

static uint32_t squared_distance(const uint8_t *left, const uint8_t *right, size_t bytes) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes; i++) {
        const int32_t difference = left[i] - right[i];
        sum += (uint32_t)(difference * difference);
    }
    return sum;
}

/* A place of an image as one of its views shows it. */
typedef struct Seen {
    int32_t image, view, place;
} Seen;

static const uint8_t *row_of(const DescribedViews *described, Seen seen) {
    const Views *views = &described->views[seen.image];
    return image_row(&described->rows[seen.image], seen.view * views->points + seen.place);
}

static uint32_t distance_of(const DescribedViews *described, Seen left, Seen right) {
    const size_t bytes = (size_t)described->rows[left.image].width;
    return (described->euclidean ? squared_distance : hamming)(row_of(described, left),
                                                               row_of(described, right), bytes);
}

/* Whether two places of one image are so near that their patches are alike. */
static bool are_near(const DescribedViews *described, Seen left, Seen right) {
    const Keypoint *keypoints = described->views[left.image].keypoints;
    return left.image == right.image &&
           keypoints_lie_within(&keypoints[left.place], &keypoints[right.place],
                                near_sizes * keypoints[left.place].size);
}

/* Pairs of a place and the same one in a view: as many as places in all views but the images. */
static size_t pair_count(const DescribedViews *described) {
    size_t count = 0;
    for (int32_t i = 0; i < described->images; i++) {
        count += (size_t)described->views[i].points * (size_t)(described->views[i].views - 1);
    }
    return count;
}

/* --- Verification ----------------------------------------------------------------------------- */

/* Another place in a view of any image; false when none was found that is not near. */
static bool draw_other(const DescribedViews *described, Seen own, Draw *draw, Seen *other) {
    for (int i = 0; i < TRIES; i++) {
        other->image = draw_below(draw, described->images);
        const Views *views = &described->views[other->image];
        other->view = 1 + draw_below(draw, views->views - 1);
        other->place = views->points > 0 ? draw_below(draw, views->points) : 0;
        if (views->points > 0 && !are_near(described, own, *other)) {
            return true;
        }
    }
    return false;
}

static size_t rank_pair(const DescribedViews *described, Seen own, int32_t view, Draw *draw,
                        Ranked *items) {
    const Seen same = {own.image, view, own.place};
    size_t count = 0;
    items[count++] = (Ranked){distance_of(described, own, same), true};
    for (int i = 0; i < EVALUATION_WRONG; i++) {
        Seen other;
        if (draw_other(described, own, draw, &other)) {
            items[count++] = (Ranked){distance_of(described, own, other), false};
        }
    }
    return count;
}

static void verify(const DescribedViews *described, Ranked *items,
                   double metrics[EVALUATION_METRICS]) {
    size_t count = 0;
    for (int32_t i = 0; i < described->images; i++) {
        const Views *views = &described->views[i];
        for (int32_t v = 1; v < views->views; v++) {
            Draw draw =
                draw_start(described->seed, DRAW_WRONG, (uint64_t)i * VIEWS_MAX + (uint64_t)v);
            for (int32_t p = 0; p < views->points; p++) {
                count += rank_pair(described, (Seen){i, 0, p}, v, &draw, items + count);
            }
        }
    }
    metrics[METRIC_VERIFICATION] = average_precision(items, count, pair_count(described));
    metrics[METRIC_FALSE_AT_95] = false_at_recall(items, count);
}

/* --- Matching --------------------------------------------------------------------------------- */

/* The nearest place of a view, of equal ones the first. */
static Ranked match_place(const DescribedViews *described, Seen own, int32_t view) {
    const Views *views = &described->views[own.image];
    int32_t nearest = 0;
    uint32_t least = UINT32_MAX;
    for (int32_t p = 0; p < views->points; p++) {
        const uint32_t distance = distance_of(described, own, (Seen){own.image, view, p});
        if (distance < least) {
            least = distance;
            nearest = p;
        }
    }
    return (Ranked){least, keypoints_lie_within(&views->keypoints[own.place],
                                                &views->keypoints[nearest], match_px)};
}

static void match(const DescribedViews *described, Ranked *items,
                  double metrics[EVALUATION_METRICS]) {
    double sum = 0;
    int32_t pairs = 0;
    for (int32_t i = 0; i < described->images; i++) {
        const Views *views = &described->views[i];
        for (int32_t v = 1; v < views->views && views->points > 0; v++) {
            for (int32_t p = 0; p < views->points; p++) {
                items[p] = match_place(described, (Seen){i, 0, p}, v);
            }
            sum += average_precision(items, (size_t)views->points, (size_t)views->points);
            pairs++;
        }
    }
    metrics[METRIC_MATCHING] = pairs > 0 ? sum / pairs : (double)NAN;
}

/* --- Retrieval -------------------------------------------------------------------------------- */

/* What is as near as the farthest of the place's own; all that lies beyond cannot matter. */
static size_t rank_all(const DescribedViews *described, Seen own, Ranked *items) {
    uint32_t farthest = 0;
    size_t count = 0;
    for (int32_t v = 1; v < described->views[own.image].views; v++) {
        const uint32_t distance = distance_of(described, own, (Seen){own.image, v, own.place});
        farthest = distance > farthest ? distance : farthest;
        items[count++] = (Ranked){distance, true};
    }
    for (int32_t i = 0; i < described->images; i++) {
        const Views *views = &described->views[i];
        for (int32_t p = 0; p < views->points; p++) {
            if (are_near(described, own, (Seen){i, 0, p})) {
                continue;
            }
            for (int32_t v = 1; v < views->views; v++) {
                const uint32_t distance = distance_of(described, own, (Seen){i, v, p});
                if (distance <= farthest) {
                    items[count++] = (Ranked){distance, false};
                }
            }
        }
    }
    return count;
}

static void retrieve(const DescribedViews *described, Ranked *items,
                     double metrics[EVALUATION_METRICS]) {
    double sum = 0;
    size_t places = 0;
    for (int32_t i = 0; i < described->images; i++) {
        const Views *views = &described->views[i];
        for (int32_t p = 0; p < views->points; p++) {
            const size_t count = rank_all(described, (Seen){i, 0, p}, items);
            sum += average_precision(items, count, (size_t)(views->views - 1));
            places++;
        }
    }
    metrics[METRIC_RETRIEVAL] = places > 0 ? sum / (double)places : (double)NAN;
}

Status evaluation_measure(const DescribedViews *described, double metrics[EVALUATION_METRICS]) {
    const size_t room = pair_count(described) * (1 + EVALUATION_WRONG) + VIEWS_MAX;
    Ranked *items = malloc(room * sizeof *items);
    STATUS_MEMORY(items, "for a ranking of %zu pairs", room);
    verify(described, items, metrics);
    match(described, items, metrics);
    retrieve(described, items, metrics);
    free(items);
    return status_ok();
}

/* === Evaluation =============================================================================== */

enum { VIEWS_OF_IMAGE = 4, METHODS_MAX = 16, POINTS_LEAST = 8 };

typedef struct EvaluationRequest {
    const char *paths[2];   /* a folder; or two images, A and B */
    const char *homography; /* file, from A to B; NULL: there is a folder */
    const char *bits;       /* "256", "512" */
    unsigned methods;       /* bit i: method i of match_images */
    const char *weights;    /* as --weights */
    int32_t points;         /* of an image, at most */
    uint64_t seed;
    int32_t seeds;          /* that and those after it */
    const char *csv, *json; /* files; NULL: none */
    FILE *notes;
} EvaluationRequest;

typedef struct MethodEvaluation {
    MethodFacts facts;
    int32_t bits;
    Status status;                        /* STATUS_SKIP: left out, and why */
    double *values;                       /* of each seed EVALUATION_METRICS; owned */
    Estimate metrics[EVALUATION_METRICS]; /* medians over seeds */
} MethodEvaluation;

typedef struct Evaluation {
    const EvaluationRequest *request;
    ImageFolder folder; /* with two images that of A alone */
    Image other;        /* B */
    Warp warp;          /* from A to B */
    WeightsList weights;
    MethodEvaluation methods[METHODS_MAX];
    size_t count;
    int32_t images;       /* with places, of the first seed */
    size_t places, pairs; /* of the first seed */
} Evaluation;

/* --- Views ------------------------------------------------------------------------------------ */

static Status copy_image(const Image *image, Image *copy) {
    STATUS_TRY(image_create(image->width, image->height, 1, copy));
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(copy->pixels + (size_t)y * copy->stride, image_row(image, y), (size_t)image->width);
    }
    return status_ok();
}

static Status make_views(const Evaluation *evaluation, int32_t image, uint64_t seed, Views *views) {
    const EvaluationRequest *request = evaluation->request;
    const ViewRequest wanted = {
        .points = request->points, .views = VIEWS_OF_IMAGE, .seed = place_set_seed(seed, 0, image)};
    if (request->homography == NULL) {
        return views_make(&evaluation->folder.images[image], &wanted, views);
    }
    Image other;
    *views = (Views){.points = 0};
    STATUS_TRY(copy_image(&evaluation->other, &other));
    return views_of_pair(&evaluation->folder.images[0], &other, &evaluation->warp, &wanted, views);
}

/* Views of all images that have places enough; release them one by one. */
static Status make_all_views(Evaluation *evaluation, uint64_t seed, Views *views, int32_t *images) {
    *images = 0;
    for (int32_t i = 0; i < evaluation->folder.count; i++) {
        STATUS_TRY(make_views(evaluation, i, seed, &views[(*images)++]));
        if (views[*images - 1].points < POINTS_LEAST) { /* nothing to be mistaken for */
            views_release(&views[--*images]);
        }
    }
    return *images > 0 ? status_ok()
                       : status_make(STATUS_NO_MATCH,
                                     "%.200s: the images have too few keypoints to evaluate with",
                                     evaluation->request->paths[0]);
}

/* --- Methods ---------------------------------------------------------------------------------- */

/* The rows of all views of one image. */
static Status describe_views(const ViewDescriber *describer, const Views *views, Image *rows) {
    STATUS_TRY(image_create((int32_t)view_describer_row(describer), views->views * views->points, 1,
                            rows));
    for (int32_t v = 0; v < views->views; v++) {
        const size_t first = (size_t)v * (size_t)views->points;
        STATUS_TRY(view_describer_run(describer, &views->images[v], views->keypoints + first,
                                      views->points, rows->pixels + first * rows->stride,
                                      rows->stride));
    }
    return status_ok();
}

static Status measure_method(const Evaluation *evaluation, const Views *views, int32_t images,
                             uint64_t seed, const MethodEvaluation *method, double *metrics) {
    const Weights *weights =
        weights_find(&evaluation->weights, method->facts.algorithm, method->bits);
    const ViewDescriber describer = {.algorithm = method->facts.algorithm,
                                     .bits = method->bits,
                                     .weights = weights,
                                     .weights_count = weights != NULL ? 1 : 0};
    Image *rows = calloc((size_t)images, sizeof *rows);
    STATUS_MEMORY(rows, "for descriptors of %" PRId32 " images", images);
    Status status = status_ok();
    for (int32_t i = 0; i < images && status_is_ok(&status); i++) {
        status = describe_views(&describer, &views[i], &rows[i]);
    }
    if (status_is_ok(&status)) {
        const DescribedViews described = {.images = images,
                                          .views = views,
                                          .rows = rows,
                                          .euclidean = method->facts.euclidean,
                                          .seed = seed};
        status = evaluation_measure(&described, metrics);
    }
    for (int32_t i = 0; i < images; i++) {
        image_free(&rows[i]);
    }
    free(rows);
    return status;
}

static Status measure_seed(Evaluation *evaluation, int32_t place, const Views *views,
                           int32_t images, Progress *progress) {
    const uint64_t seed = evaluation->request->seed + (uint64_t)place;
    for (size_t m = 0; m < evaluation->count; m++) {
        MethodEvaluation *method = &evaluation->methods[m];
        if (status_is_ok(&method->status)) {
            progress_show(progress, method->facts.name, NULL);
            method->status = measure_method(evaluation, views, images, seed, method,
                                            method->values + (size_t)place * EVALUATION_METRICS);
            if (!status_is_ok(&method->status) && method->status.code != STATUS_SKIP) {
                return method->status;
            }
        }
        progress_done(progress, 1);
    }
    return status_ok();
}

static Status run_seed(Evaluation *evaluation, int32_t place, Progress *progress) {
    int32_t images = 0;
    Views *views = calloc((size_t)evaluation->folder.count, sizeof *views);
    STATUS_MEMORY(views, "for views of %" PRId32 " images", evaluation->folder.count);
    progress_show(progress, "views", NULL);
    Status status =
        make_all_views(evaluation, evaluation->request->seed + (uint64_t)place, views, &images);
    if (status_is_ok(&status)) {
        if (place == 0) {
            const DescribedViews described = {.images = images, .views = views};
            evaluation->images = images;
            evaluation->pairs = pair_count(&described);
            for (int32_t i = 0; i < images; i++) {
                evaluation->places += (size_t)views[i].points;
            }
        }
        status = measure_seed(evaluation, place, views, images, progress);
    }
    for (int32_t i = 0; i < images; i++) {
        views_release(&views[i]);
    }
    free(views);
    return status;
}

/* --- Ranges over seeds ------------------------------------------------------------------------ */

static Estimate range_of(const MethodEvaluation *method, int32_t seeds, int metric,
                         double *values) {
    for (int32_t i = 0; i < seeds; i++) {
        values[i] = method->values[i * EVALUATION_METRICS + metric];
    }
    return estimate_of_values(values, (size_t)seeds);
}

static Status find_ranges(Evaluation *evaluation) {
    const int32_t seeds = evaluation->request->seeds;
    double *sorted = malloc((size_t)seeds * sizeof *sorted);
    STATUS_MEMORY(sorted, "for %" PRId32 " seeds", seeds);
    for (size_t m = 0; m < evaluation->count; m++) {
        MethodEvaluation *method = &evaluation->methods[m];
        for (int i = 0; i < EVALUATION_METRICS && status_is_ok(&method->status); i++) {
            method->metrics[i] = range_of(method, seeds, i, sorted);
        }
    }
    free(sorted);
    return status_ok();
}

/* --- All of it -------------------------------------------------------------------------------- */

static Status read_pair(Evaluation *evaluation) {
    const EvaluationRequest *request = evaluation->request;
    Homography homography;
    STATUS_TRY(homography_read(request->homography, &homography));
    memcpy(evaluation->warp.matrix, homography.h, sizeof homography.h);
    evaluation->folder.images = calloc(1, sizeof *evaluation->folder.images);
    STATUS_MEMORY(evaluation->folder.images, "for an image");
    STATUS_TRY(image_read(request->paths[0], &evaluation->folder.images[0]));
    evaluation->folder.count = 1;
    return image_read(request->paths[1], &evaluation->other);
}

static Status choose_methods(Evaluation *evaluation) {
    const EvaluationRequest *request = evaluation->request;
    for (size_t i = 0; i < match_method_count() && evaluation->count < METHODS_MAX; i++) {
        if ((request->methods >> i & 1) == 0) {
            continue;
        }
        MethodEvaluation *method = &evaluation->methods[evaluation->count++];
        method->facts = match_method_facts(i);
        method->bits = (int32_t)strtol(
            method->facts.bits != NULL ? method->facts.bits : request->bits, NULL, 10);
        method->values =
            malloc((size_t)request->seeds * EVALUATION_METRICS * sizeof *method->values);
        STATUS_MEMORY(method->values, "for %" PRId32 " seeds", request->seeds);
    }
    return status_ok();
}

static Status all_left_out(const Evaluation *evaluation) {
    for (size_t m = 0; m < evaluation->count; m++) {
        if (status_is_ok(&evaluation->methods[m].status)) {
            return status_ok();
        }
    }
    return evaluation->methods[0].status;
}

static Status evaluate(const EvaluationRequest *request, Evaluation *evaluation) {
    Progress progress;
    *evaluation = (Evaluation){.request = request};
    STATUS_TRY(choose_methods(evaluation));
    STATUS_TRY(request->homography != NULL
                   ? read_pair(evaluation)
                   : image_folder_load(request->paths[0], request->notes, &evaluation->folder));
    STATUS_TRY(weights_load(request->weights, request->seed, &evaluation->weights));
    const size_t steps = (size_t)request->seeds * evaluation->count;
    progress_start(&progress, request->notes, steps, steps, false);
    progress_be_patient(&progress);
    Status status = status_ok();
    for (int32_t i = 0; i < request->seeds && status_is_ok(&status); i++) {
        status = run_seed(evaluation, i, &progress);
    }
    progress_end(&progress);
    STATUS_TRY(status);
    STATUS_TRY(all_left_out(evaluation));
    return find_ranges(evaluation);
}

static void evaluation_release(Evaluation *evaluation) {
    for (size_t m = 0; m < evaluation->count; m++) {
        free(evaluation->methods[m].values);
    }
    weights_release(&evaluation->weights);
    image_folder_release(&evaluation->folder);
    image_free(&evaluation->other);
}

/* === Output =================================================================================== */

static const struct {
    const char *key, *title;
    bool least; /* is best */
} metric_rows[EVALUATION_METRICS] = {
    [METRIC_VERIFICATION] = {"verification_ap", "verification AP", false},
    [METRIC_FALSE_AT_95] = {"false_at_95", "false at 95%", true},
    [METRIC_MATCHING] = {"matching_map", "matching mAP", false},
    [METRIC_RETRIEVAL] = {"retrieval_map", "retrieval mAP", false},
};

enum { NUMBER_SIZE = 40 };

/* --- Terminal --------------------------------------------------------------------------------- */

static void put_metric(TextTable *table, const Evaluation *evaluation, const Estimate *range) {
    if (isnan(range->value)) {
        text_table_put(table, "-");
    } else if (evaluation->request->seeds > 1) {
        text_table_put(table, "%.2f%% (%.2f–%.2f)", 100 * range->value, 100 * range->low,
                       100 * range->high);
    } else {
        text_table_put(table, "%.2f%%", 100 * range->value);
    }
}

/* "hashsift is better than bad, sift", and that no difference between others is shown. */
static void print_order(const Evaluation *evaluation, int metric, FILE *stream) {
    const int best = metric_rows[metric].least ? -1 : 1;
    for (size_t i = 0; i < evaluation->count; i++) {
        const MethodEvaluation *one = &evaluation->methods[i];
        char better[256] = "";
        for (size_t j = 0; j < evaluation->count && status_is_ok(&one->status); j++) {
            const MethodEvaluation *other = &evaluation->methods[j];
            if (status_is_ok(&other->status) &&
                estimate_order(&one->metrics[metric], &other->metrics[metric]) == best) {
                text_append(better, sizeof better, "%s%s", better[0] != '\0' ? ", " : "",
                            other->facts.name);
            }
        }
        if (better[0] != '\0') {
            flow_line(stream, 2, "%s: %s is better than %s", metric_rows[metric].title,
                      one->facts.name, better);
        }
    }
}

static Status print_evaluation(FILE *stream, const Evaluation *evaluation) {
    DocColumn columns[2 + EVALUATION_METRICS] = {{.title = "method"},
                                                 {.title = "bits", .numeric = true}};
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        columns[2 + i] = (DocColumn){.title = metric_rows[i].title, .numeric = true};
    }
    fprintf(stream, "%" PRId32 " image%s, %zu places, %zu pairs of the same place\n\n",
            evaluation->images, evaluation->images == 1 ? "" : "s", evaluation->places,
            evaluation->pairs);
    TextTable table = text_table_start(columns, sizeof columns / sizeof columns[0]);
    table.table.wraps = true;
    for (size_t m = 0; m < evaluation->count; m++) {
        const MethodEvaluation *method = &evaluation->methods[m];
        if (!status_is_ok(&method->status)) {
            continue;
        }
        text_table_put(&table, "%s", method->facts.name);
        text_table_put(&table, "%" PRId32, method->bits);
        for (int i = 0; i < EVALUATION_METRICS; i++) {
            put_metric(&table, evaluation, &method->metrics[i]);
        }
    }
    STATUS_TRY(text_table_end(&table, stream, table_print));
    if (evaluation->request->seeds > 1) {
        flow_line(stream, 2,
                  "Medians of %" PRId32 " seeds, from %" PRIu64
                  " on, with the least and the greatest; methods whose ranges overlap are "
                  "undecided",
                  evaluation->request->seeds, evaluation->request->seed);
        for (int i = 0; i < EVALUATION_METRICS; i++) {
            print_order(evaluation, i, stream);
        }
    }
    for (size_t m = 0; m < evaluation->count; m++) {
        const MethodEvaluation *method = &evaluation->methods[m];
        if (!status_is_ok(&method->status)) {
            visible_line(stream, "%s is left out: %s", method->facts.name, method->status.why);
        }
    }
    return status_ok();
}

/* --- Files ------------------------------------------------------------------------------------ */

static void put_number(FILE *stream, double number) {
    char text[NUMBER_SIZE];
    number_text(number, text, sizeof text);
    fprintf(stream, ",%s", text);
}

static void put_csv_row(FILE *stream, const Evaluation *evaluation,
                        const MethodEvaluation *method) {
    const bool ranges = evaluation->request->seeds > 1; /* of one seed there is none */
    fprintf(stream, "%s,%" PRId32 ",%" PRId32 ",%zu,%zu", method->facts.name, method->bits,
            evaluation->images, evaluation->places, evaluation->pairs);
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        put_number(stream, method->metrics[i].value);
    }
    fprintf(stream, ",%" PRIu64 ",%" PRId32, evaluation->request->seed, evaluation->request->seeds);
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        put_number(stream, ranges ? method->metrics[i].low : (double)NAN);
        put_number(stream, ranges ? method->metrics[i].high : (double)NAN);
    }
    fputc('\n', stream);
}

static Status write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("method,bits,images,places,pairs", file.stream);
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        fprintf(file.stream, ",%s", metric_rows[i].key);
    }
    fputs(",seed,seeds", file.stream);
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        fprintf(file.stream, ",%s_low,%s_high", metric_rows[i].key, metric_rows[i].key);
    }
    fputc('\n', file.stream);
    for (size_t m = 0; m < evaluation->count; m++) {
        if (status_is_ok(&evaluation->methods[m].status)) {
            put_csv_row(file.stream, evaluation, &evaluation->methods[m]);
        }
    }
    return atomic_file_commit(&file);
}

/* In the manner of what `bench app match` writes. */
static bool add_method(cJSON *list, const Evaluation *evaluation, const MethodEvaluation *method) {
    cJSON *object = cJSON_CreateObject();
    bool added = object != NULL && cJSON_AddItemToArray(list, object) &&
                 json_add_text(object, "method", method->facts.name) &&
                 json_add_number(object, "bits", method->bits);
    for (int i = 0; added && i < EVALUATION_METRICS; i++) {
        const Estimate *range = &method->metrics[i];
        char low[NUMBER_SIZE], high[NUMBER_SIZE];
        snprintf(low, sizeof low, "%s_low", metric_rows[i].key);
        snprintf(high, sizeof high, "%s_high", metric_rows[i].key);
        added = json_add_number(object, metric_rows[i].key, range->value) &&
                (evaluation->request->seeds <= 1 || (json_add_number(object, low, range->low) &&
                                                     json_add_number(object, high, range->high)));
    }
    return added;
}

static Status write_json(const char *path, const Evaluation *evaluation) {
    cJSON *root = cJSON_CreateObject();
    char seed[NUMBER_SIZE];
    snprintf(seed, sizeof seed, "%" PRIu64, evaluation->request->seed);
    bool complete = root != NULL && json_add_text(root, "format", "bench evaluation") &&
                    json_add_number(root, "version", 1) &&
                    json_add_number(root, "images", evaluation->images) &&
                    json_add_number(root, "places", (double)evaluation->places) &&
                    json_add_number(root, "pairs", (double)evaluation->pairs) &&
                    json_add_text(root, "seed", seed) &&
                    json_add_number(root, "seeds", evaluation->request->seeds);
    cJSON *list = complete ? cJSON_AddArrayToObject(root, "methods") : NULL;
    complete = list != NULL;
    for (size_t m = 0; complete && m < evaluation->count; m++) {
        if (status_is_ok(&evaluation->methods[m].status)) {
            complete = add_method(list, evaluation, &evaluation->methods[m]);
        }
    }
    return json_file_write(path, json_whole(root, complete));
}

/* === Command evaluate-descriptors ============================================================= */

enum { SEEDS_MAX = 1000, POINTS_MAX = 100000 };

static Status set_methods(const Option *option, const char *value, void *of) {
    EvaluationRequest *request = of;
    char word[LIST_WORD_SIZE];
    (void)option;
    request->methods = 0;
    while (value != NULL) {
        STATUS_TRY(list_next(&value, word));
        char known[256] = "";
        size_t found = match_method_count();
        for (size_t i = 0; i < match_method_count(); i++) {
            const char *name = match_method_facts(i).name;
            found = strcmp(name, word) == 0 ? i : found;
            text_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", name);
        }
        if (found == match_method_count()) {
            return status_make(STATUS_USAGE, "'%.40s' is no method (known: %s)", word, known);
        }
        request->methods |= 1U << found;
    }
    return status_ok();
}

static Status check(void *of, const OptionsGiven *given) {
    EvaluationRequest *request = of;
    (void)given;
    request->notes = stderr;
    if (request->paths[0] == NULL) {
        return status_make(STATUS_USAGE, "evaluate-descriptors: name a folder of images, or two "
                                         "images, A and B, with --homography");
    }
    if (request->paths[1] != NULL && request->homography == NULL) {
        return status_make(STATUS_USAGE, "evaluate-descriptors: which places of A and B are the "
                                         "same has to be known: give --homography FILE");
    }
    if (request->paths[1] == NULL && request->homography != NULL) {
        return status_make(STATUS_USAGE, "--homography: name the two images that it joins");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(EvaluationRequest, name)

static const char *const bits_words[] = {"256", "512", NULL};

static const EvaluationRequest defaults = {
    .bits = "512", .methods = UINT32_MAX, .points = 500, .seed = 1, .seeds = 1};

static const Option option_rows[] = {
    {NULL, "DIR", NULL, .kind = OPTION_INPUT, MEMBER(paths[0])},
    {NULL, "B", NULL, .kind = OPTION_INPUT, MEMBER(paths[1])},
    {"homography", "FILE",
     "of two images A and B instead of a folder: the homography from A to B, three lines of three "
     "numbers, or OpenCV's XML of such a matrix",
     .kind = OPTION_INPUT, MEMBER(homography)},
    ORIENT_OPTION(.group = NULL),
    {"methods", "LIST", "methods of bench app match, as in hashsift,bad. Default: all",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_methods},
    {"bits", "N", "bits of a descriptor of binary methods: 256 or 512. Default: 512",
     .kind = OPTION_WORD, MEMBER(bits), .words = bits_words, .noun = "number of bits"},
    {"weights", "FILE,...", "weights of the methods, or random. Default: the trained ones",
     .kind = OPTION_INPUT_LIST, MEMBER(weights)},
    {"points", "N", "places of an image, at most. Default: 500", .kind = OPTION_INT, MEMBER(points),
     .least = POINTS_LEAST, .most = POINTS_MAX},
    {"seed", "N", "seed of places, views, wrong pairs and random weights. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(seed), .most = UINT64_MAX},
    {"seeds", "N",
     "seeds, --seed and those after it: medians with the least and the greatest, and between which "
     "methods "
     "these decide. Default: 1",
     .kind = OPTION_INT, MEMBER(seeds), .least = 1, .most = SEEDS_MAX},
    {"csv", "FILE", "write the table as CSV", .kind = OPTION_OUTPUT, MEMBER(csv)},
    {"json", "FILE", "write the table as JSON", .kind = OPTION_OUTPUT, MEMBER(json)},
    OPTIONS_END};

static Status run(Invocation *given, void *options) {
    const EvaluationRequest *request = options;
    Evaluation evaluation;
    (void)given;
    STATUS_TRY(command_files_check(&command_evaluate_descriptors, options));
    Status status = evaluate(request, &evaluation);
    STATUS_THEN(status, print_evaluation(stdout, &evaluation));
    if (status_is_ok(&status) && request->csv != NULL) {
        status = write_csv(request->csv, &evaluation);
    }
    if (status_is_ok(&status) && request->json != NULL) {
        status = write_json(request->json, &evaluation);
    }
    evaluation_release(&evaluation);
    return status;
}

const Command command_evaluate_descriptors = {
    .name = "evaluate-descriptors",
    .family = APP_FAMILY,
    .summary = "evaluate descriptors on views of images, in the manner of HPatches",
    .usage = "bench app evaluate-descriptors DIR [options]\n"
             "bench app evaluate-descriptors A B --homography FILE [options]",
    .about = "How well descriptors tell places apart, in the manner of HPatches. Of each image of "
             "a folder three views are made by random homographies, blur, light and noise, so it "
             "is known which places are the same; or two images are joined by their homography. "
             "Verification: right pairs against five times as many wrong ones (AP, and the share "
             "of wrong ones that pass where 95% of the right ones do). Matching: the nearest "
             "place in a view, ranked by distance (mAP). Retrieval: the places of all views, "
             "ranked by distance (mAP).",
    .examples = "bench app evaluate-descriptors images --bits 256 --csv evaluation.csv\n"
                "bench app evaluate-descriptors images --methods hashsift,bad --seeds 10\n"
                "bench app evaluate-descriptors graf1.png graf3.png --homography H1to3p.xml\n",
    .words = "a folder of images, or two images",
    .rows = option_rows,
    .size = sizeof(EvaluationRequest),
    .defaults = &defaults,
    .check = check,
    .run = run,
};
