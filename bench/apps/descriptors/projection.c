/* Learning hashsift's projection. */

#include "descriptors_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "descriptor_weights.h"
#include "fnv.h"
#include "list.h"
#include "random.h"
#include "resources.h"
#include "status.h"
#include "weights_files.h"
#include "workload.h"

/* === Triplets ================================================================================= */

/* The other place's code most like row `anchor`; -1 when all are near. */
static int32_t hardest(const float *likeness, const SamplePlace *places, int32_t n,
                       int32_t anchor) {
    const float *row = likeness + (size_t)anchor * 2 * (size_t)n;
    const SamplePlace *own = &places[anchor % n];
    int32_t best = -1;
    for (int32_t other = 0; other < 2 * n; other++) {
        if ((best < 0 || row[other] > row[best]) && other % n != anchor % n &&
            !places_are_near(own, &places[other % n])) {
            best = other;
        }
    }
    return best;
}

enum { TRIES = 100 };

/* A code of another place that is not near; -1 when none was found. */
static int32_t any(const SamplePlace *places, int32_t n, int32_t anchor, Draw *draw) {
    for (int i = 0; i < TRIES; i++) {
        const int32_t other = draw_below(draw, 2 * n);
        if (other % n != anchor % n && !places_are_near(&places[anchor % n], &places[other % n])) {
            return other;
        }
    }
    return -1;
}

static Triplet choose(const float *likeness, const SamplePlace *places, int32_t n, int32_t i,
                      TripletRule rule) {
    const size_t side = 2 * (size_t)n;
    Draw draw = {.seed = random_at(rule.seed, (uint64_t)i)};
    const int32_t of_first =
        rule.any_negative ? any(places, n, i, &draw) : hardest(likeness, places, n, i);
    const int32_t of_second = rule.any_negative ? of_first : hardest(likeness, places, n, n + i);
    if (of_first < 0) {
        return (Triplet){i, n + i, n + i};
    }
    const float first = likeness[(size_t)i * side + (size_t)of_first];
    const float second = likeness[(size_t)(n + i) * side + (size_t)of_second];
    return second > first && !rule.no_swap ? (Triplet){n + i, i, of_second}
                                           : (Triplet){i, n + i, of_first};
}

void triplets_choose(const float *likeness, const SamplePlace *places, int32_t n, TripletRule rule,
                     Triplet *triplets) {
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t i = 0; i < n; i++) {
        triplets[i] = choose(likeness, places, n, i, rule);
    }
}

static float product(const float *left, const float *right, int32_t bits) {
    float sum = 0;
    for (int32_t k = 0; k < bits; k++) {
        sum += left[k] * right[k];
    }
    return sum;
}

static void add_gradient(const float *codes, int32_t bits, Triplet triplet, float factor,
                         float *gradient) {
    const size_t row = (size_t)bits;
    const float *anchor = codes + (size_t)triplet.anchor * row;
    const float *positive = codes + (size_t)triplet.positive * row;
    const float *negative = codes + (size_t)triplet.negative * row;
    float *of_anchor = gradient + (size_t)triplet.anchor * row;
    float *of_positive = gradient + (size_t)triplet.positive * row;
    float *of_negative = gradient + (size_t)triplet.negative * row;
    for (int32_t k = 0; k < bits; k++) {
        of_anchor[k] += factor * (negative[k] - positive[k]);
        of_positive[k] -= factor * anchor[k];
        of_negative[k] += factor * anchor[k];
    }
}

TripletLoss triplets_loss(const float *codes, int32_t bits, const Triplet *triplets, int32_t n,
                          double margin, float *gradient) {
    const size_t row = (size_t)bits;
    TripletLoss loss = {0};
    memset(gradient, 0, 2 * (size_t)n * row * sizeof *gradient);
    for (int32_t i = 0; i < n; i++) {
        const float *anchor = codes + (size_t)triplets[i].anchor * row;
        const float like = product(anchor, codes + (size_t)triplets[i].positive * row, bits);
        const float unlike = product(anchor, codes + (size_t)triplets[i].negative * row, bits);
        const double excess = margin - (double)(like - unlike) / bits;
        if (excess > 0) {
            loss.mean += excess / n;
            loss.share += 1.0 / n;
            add_gradient(codes, bits, triplets[i], 1 / ((float)n * (float)bits), gradient);
        }
    }
    return loss;
}

/* === Projection =============================================================================== */

/* Of Adam as its authors set it, but for the divisor: gradients of a mean over bits are small. */
static const double decay_first = 0.9, decay_second = 0.999, least_divisor = 1e-12;
static const double last_rate = 0.05; /* of the first */
static const double deviation = 0.7;  /* of responses at the beginning: within tanh's steep part */

static size_t factor_count(const Projection *projection) {
    return (size_t)projection->bits * PROJECTION_COLUMNS;
}

static size_t projection_bytes(const Projection *projection) {
    return 3 * factor_count(projection) * sizeof(float);
}

static Status allocate(Projection *projection) {
    void **memory = &projection->memory;
    const size_t batch = (size_t)projection->batch;
    const size_t rows = 2 * batch;
    const size_t codes = rows * (size_t)projection->bits * sizeof(float);
    projection->factors = owned_take(memory, projection_bytes(projection));
    projection->inputs = owned_take(memory, rows * PROJECTION_COLUMNS * sizeof(float));
    projection->places = owned_take(memory, batch * sizeof *projection->places);
    projection->triplets = owned_take(memory, batch * sizeof *projection->triplets);
    projection->codes = owned_take(memory, codes);
    projection->likeness = owned_take(memory, rows * rows * sizeof(float));
    projection->of_codes = owned_take(memory, codes);
    projection->of_factors = owned_take(memory, factor_count(projection) * sizeof(float));
    if (projection->factors == NULL || projection->inputs == NULL || projection->places == NULL ||
        projection->triplets == NULL || projection->codes == NULL || projection->likeness == NULL ||
        projection->of_codes == NULL || projection->of_factors == NULL) {
        return status_no_memory("for batches of %d places; a smaller --batch needs less",
                                (int)projection->batch);
    }
    projection->first = projection->factors + factor_count(projection);
    projection->second = projection->first + factor_count(projection);
    return status_ok();
}

Status projection_create(int32_t bits, int32_t batch, uint64_t seed, Projection *projection) {
    Weights random;
    *projection = (Projection){.bits = bits, .batch = batch};
    STATUS_TRY(blas_library_threaded(&projection->blas));
    STATUS_TRY(allocate(projection));
    STATUS_TRY(weights_random(&hashsift_weights, bits, seed, &random));
    memcpy(projection->factors, random.values, factor_count(projection) * sizeof(float));
    weights_free(&random);
    return status_ok();
}

void projection_release(Projection *projection) {
    owned_release(&projection->memory);
    *projection = (Projection){0};
}

/* codes = inputs · factorsᵀ */
static void respond(Projection *projection, int32_t n) {
    projection->blas->sgemm(BLAS_ROW_MAJOR, BLAS_AS_IT_IS, BLAS_TRANSPOSED, n, projection->bits,
                            PROJECTION_COLUMNS, 1, projection->inputs, PROJECTION_COLUMNS,
                            projection->factors, PROJECTION_COLUMNS, 0, projection->codes,
                            projection->bits);
}

void projection_standardise(Projection *projection, int32_t n) {
    respond(projection, n);
    for (int32_t b = 0; b < projection->bits; b++) {
        float *row = projection->factors + (size_t)b * PROJECTION_COLUMNS;
        double sum = 0, squares = 0;
        for (int32_t i = 0; i < n; i++) {
            const double response =
                projection->codes[(size_t)i * (size_t)projection->bits + (size_t)b];
            sum += response;
            squares += response * response;
        }
        const double mean = sum / n;
        const double spread = sqrt(fmax(squares / n - mean * mean, 0));
        const double stretch = spread > 0 ? deviation / spread : 1;
        row[0] -= (float)mean;
        for (int32_t k = 0; k < PROJECTION_COLUMNS; k++) {
            row[k] *= (float)stretch;
        }
    }
}

void projection_codes(Projection *projection, int32_t n) {
    respond(projection, n);
    const size_t count = (size_t)n * (size_t)projection->bits;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (size_t i = 0; i < count; i++) {
        projection->codes[i] = tanhf(projection->codes[i]);
    }
}

static void find_likeness(Projection *projection, int32_t n) {
    projection->blas->sgemm(BLAS_ROW_MAJOR, BLAS_AS_IT_IS, BLAS_TRANSPOSED, 2 * n, 2 * n,
                            projection->bits, 1 / (float)projection->bits, projection->codes,
                            projection->bits, projection->codes, projection->bits, 0,
                            projection->likeness, 2 * n);
}

TripletLoss projection_gradient(Projection *projection, int32_t n, double margin) {
    const TripletLoss loss = triplets_loss(projection->codes, projection->bits,
                                           projection->triplets, n, margin, projection->of_codes);
    const size_t count = 2 * (size_t)n * (size_t)projection->bits;
    for (size_t i = 0; i < count; i++) {
        projection->of_codes[i] *= 1 - projection->codes[i] * projection->codes[i];
    }
    projection->blas->sgemm(BLAS_ROW_MAJOR, BLAS_TRANSPOSED, BLAS_AS_IT_IS, projection->bits,
                            PROJECTION_COLUMNS, 2 * n, 1, projection->of_codes, projection->bits,
                            projection->inputs, PROJECTION_COLUMNS, 0, projection->of_factors,
                            PROJECTION_COLUMNS);
    return loss;
}

static void follow(Projection *projection, ProjectionRate rate) {
    static const double pi = 3.14159265358979323846;
    const double done = (double)(rate.step + 1);
    const double share = 0.5 * (1 + cos(pi * done / (double)rate.steps));
    const double now = rate.rate * (last_rate + (1 - last_rate) * share);
    const double of_first = 1 / (1 - pow(decay_first, done));
    const double of_second = 1 / (1 - pow(decay_second, done));
    for (size_t i = 0; i < factor_count(projection); i++) {
        const double slope = projection->of_factors[i];
        const double first = decay_first * projection->first[i] + (1 - decay_first) * slope;
        const double second =
            decay_second * projection->second[i] + (1 - decay_second) * slope * slope;
        projection->first[i] = (float)first;
        projection->second[i] = (float)second;
        projection->factors[i] -=
            (float)(now * first * of_first / (sqrt(second * of_second) + least_divisor));
    }
}

TripletLoss projection_step(Projection *projection, int32_t n, ProjectionRate rate) {
    projection_codes(projection, 2 * n);
    find_likeness(projection, n);
    triplets_choose(projection->likeness, projection->places, n, rate.rule, projection->triplets);
    const TripletLoss loss = projection_gradient(projection, n, rate.margin);
    follow(projection, rate);
    return loss;
}

Status projection_weights(const Projection *projection, const char *name, Weights *weights) {
    STATUS_TRY(weights_create(name, &hashsift_weights, projection->bits, weights));
    for (size_t i = 0; i < factor_count(projection); i++) {
        const float unit = i % PROJECTION_COLUMNS == 0 ? 1 : PROJECTION_UNIT;
        weights->values[i] = projection->factors[i] / unit;
    }
    weights_finish(weights);
    return status_ok();
}

/* === Hash learning ============================================================================ */

enum {
    POINTS = 1200,          /* of an image */
    VIEWS = 4,              /* the image itself is one */
    ROUND_STEPS = 500,      /* before new views are made */
    STRETCH_STEPS = 50,     /* that a point of the curve is about */
    IMAGES_OF_A_BATCH = 16, /* many, so that few places look the same */
    VALUE_BITS = 1024       /* of hashsift: its 128 values, not projected */
};
enum { DRAW_BATCH = 10, DRAW_NEGATIVES = 11 };

const char *const learn_part_words[LEARN_PARTS + 1] = {
    [PART_NEGATIVES] = "negatives", [PART_SWAP] = "swap", [PART_AUGMENTATION] = "augmentation"};

static const double rate = 0.02, margin = 0.4;

typedef struct HashLearning {
    const LearnRequest *request;
    const ImageFolder *folder;
    PlaceSet samples; /* of the round under way */
    int32_t *firsts;  /* of each image its first point, and one more for the end */
    Projection projection;
    LearnState state;
    LearnProgress progress;
} HashLearning;

/* --- Batches ---------------------------------------------------------------------------------- */

static void put_row(const HashLearning *learning, int32_t point, int32_t view, int32_t row) {
    const uint8_t *values = place_set_row(&learning->samples, point, view);
    float *input = learning->projection.inputs + (size_t)row * PROJECTION_COLUMNS;
    input[0] = 1;
    for (int32_t k = 1; k < PROJECTION_COLUMNS; k++) {
        input[k] = (float)values[k - 1] / PROJECTION_UNIT;
    }
}

/* An image is drawn as often as it has points. */
static void draw_batch(HashLearning *learning, uint64_t step) {
    const int32_t n = learning->request->batch;
    const int32_t views = learning->samples.views;
    Draw draw = draw_start(learning->request->seed, DRAW_BATCH, step);
    int32_t images[IMAGES_OF_A_BATCH];
    for (int i = 0; i < IMAGES_OF_A_BATCH; i++) {
        images[i] = learning->samples.places[draw_below(&draw, learning->samples.points)].image;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t image = images[i % IMAGES_OF_A_BATCH];
        const int32_t first = learning->firsts[image];
        const int32_t point = first + draw_below(&draw, learning->firsts[image + 1] - first);
        const int32_t view = draw_below(&draw, views);
        const int32_t other = (view + 1 + draw_below(&draw, views - 1)) % views;
        learning->projection.places[i] = learning->samples.places[point];
        put_row(learning, point, view, i);
        put_row(learning, point, other, n + i);
    }
}

/* --- Rounds ----------------------------------------------------------------------------------- */

static void index_images(HashLearning *learning) {
    int32_t point = 0;
    for (int32_t image = 0; image <= learning->folder->count; image++) {
        while (point < learning->samples.points && learning->samples.places[point].image < image) {
            point++;
        }
        learning->firsts[image] = point;
    }
}

static Status make_round(HashLearning *learning, uint64_t round) {
    const ViewRequest request = {
        .points = POINTS,
        .views = VIEWS,
        .seed = learning->request->seed,
        .plain = learn_is_without(learning->request->without, PART_AUGMENTATION)};
    const ViewDescriber describer = {.algorithm = WEIGHTS_HASHSIFT, .bits = VALUE_BITS};
    place_set_release(&learning->samples);
    STATUS_TRY(place_set_make(learning->folder, &describer, &request, round, &learning->samples));
    index_images(learning);
    return place_set_check(&learning->samples, learning->request->folder);
}

static TripletRule rule_of(const LearnRequest *request, uint64_t step) {
    return (TripletRule){.any_negative = learn_is_without(request->without, PART_NEGATIVES),
                         .no_swap = learn_is_without(request->without, PART_SWAP),
                         .seed = draw_start(request->seed, DRAW_NEGATIVES, step).seed};
}

static Status run_stretch(HashLearning *learning, uint64_t from, uint64_t to) {
    const uint64_t steps = learning->request->steps;
    LearnCurvePoint point = {.step = to};
    for (uint64_t step = from; step < to; step++) {
        if (learning->samples.points == 0 || step % ROUND_STEPS == 0) {
            STATUS_TRY(make_round(learning, step / ROUND_STEPS));
        }
        draw_batch(learning, step);
        if (step == 0) {
            projection_standardise(&learning->projection, 2 * learning->request->batch);
        }
        const TripletLoss loss =
            projection_step(&learning->projection, learning->request->batch,
                            (ProjectionRate){.step = step,
                                             .steps = steps,
                                             .rate = rate,
                                             .margin = margin,
                                             .rule = rule_of(learning->request, step)});
        point.loss += loss.mean / (double)(to - from);
        point.share += loss.share / (double)(to - from);
    }
    return learn_progress_point(&learning->progress, point);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Every option that affects the result (hashed into the checkpoint). */
static uint64_t facts_of(const HashLearning *learning) {
    const LearnRequest *request = learning->request;
    const uint64_t facts[] = {(uint64_t)request->bits,  request->seed, request->steps,
                              (uint64_t)request->batch, POINTS,        VIEWS,
                              learning->folder->hash,   ROUND_STEPS};
    const uint64_t hash = fnv_bytes(FNV_START, facts, sizeof facts);
    const uint64_t without = request->without;
    /* Checkpoints of a whole training are those of versions that knew no other. */
    return without != 0 ? fnv_bytes(hash, &without, sizeof without) : hash;
}

static Status run(HashLearning *learning) {
    const LearnRequest *request = learning->request;
    learning->firsts = calloc((size_t)learning->folder->count + 1, sizeof *learning->firsts);
    STATUS_MEMORY(learning->firsts, "for an index of images");
    STATUS_TRY(
        projection_create(request->bits, request->batch, request->seed, &learning->projection));
    learning->state = (LearnState){.training = "train-hashsift",
                                   .facts = facts_of(learning),
                                   .data = learning->projection.factors,
                                   .bytes = projection_bytes(&learning->projection)};
    STATUS_TRY(learn_progress_start(request, request->steps,
                                    (size_t)(request->steps / STRETCH_STEPS + 1), &learning->state,
                                    &learning->progress));
    while (learning->state.done < request->steps) {
        const uint64_t from = learning->state.done;
        const uint64_t left = request->steps - from;
        STATUS_TRY(
            run_stretch(learning, from, from + (left < STRETCH_STEPS ? left : STRETCH_STEPS)));
    }
    return status_ok();
}

Status learn_hashsift(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                      LearnCurve *curve) {
    HashLearning learning = {.request = request, .folder = folder};
    Status status = run(&learning);
    STATUS_THEN(status, projection_weights(&learning.projection, request->out, weights));
    learn_progress_end(&learning.progress, status_is_ok(&status) ? curve : NULL);
    projection_release(&learning.projection);
    place_set_release(&learning.samples);
    free(learning.firsts);
    return status;
}
