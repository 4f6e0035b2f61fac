#include "projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "thread_team.h"
#include "weights_files.h"
#include "weights_table.h"

/* Of Adam as its authors set it, but for the divisor: gradients of a mean over bits are small. */
static const double decay_first = 0.9, decay_second = 0.999, least_divisor = 1e-12;
static const double last_rate = 0.05; /* of the first */
static const double deviation = 0.7;  /* of responses at the beginning: within tanh's steep part */

static size_t factor_count(const Projection *projection) {
    return (size_t)projection->bits * PROJECTION_COLUMNS;
}

size_t projection_bytes(const Projection *projection) {
    return 3 * factor_count(projection) * sizeof(float);
}

static float *floats(size_t count) {
    return calloc(count, sizeof(float));
}

static Status allocate(Projection *projection) {
    const size_t rows = 2 * (size_t)projection->batch;
    const size_t bits = (size_t)projection->bits;
    projection->factors = floats(3 * factor_count(projection));
    projection->inputs = floats(rows * PROJECTION_COLUMNS);
    projection->places = calloc((size_t)projection->batch, sizeof *projection->places);
    projection->triplets = calloc((size_t)projection->batch, sizeof *projection->triplets);
    projection->codes = floats(rows * bits);
    projection->likeness = floats(rows * rows);
    projection->of_codes = floats(rows * bits);
    projection->of_factors = floats(factor_count(projection));
    if (projection->factors == NULL || projection->inputs == NULL || projection->places == NULL ||
        projection->triplets == NULL || projection->codes == NULL || projection->likeness == NULL ||
        projection->of_codes == NULL || projection->of_factors == NULL) {
        return status_skip("no memory left for batches of %d places; a smaller --batch needs less",
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
    STATUS_TRY(weights_random(WEIGHTS_HASHSIFT, bits, seed, &random));
    memcpy(projection->factors, random.values, factor_count(projection) * sizeof(float));
    weights_free(&random);
    return status_ok();
}

void projection_release(Projection *projection) {
    free(projection->factors);
    free(projection->inputs);
    free(projection->places);
    free(projection->triplets);
    free(projection->codes);
    free(projection->likeness);
    free(projection->of_codes);
    free(projection->of_factors);
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
    triplets_choose(projection->likeness, projection->places, n, projection->triplets);
    const TripletLoss loss = projection_gradient(projection, n, rate.margin);
    follow(projection, rate);
    return loss;
}

Status projection_weights(const Projection *projection, const char *name, Weights *weights) {
    STATUS_TRY(weights_create(name, WEIGHTS_HASHSIFT, projection->bits, weights));
    for (size_t i = 0; i < factor_count(projection); i++) {
        const float unit = i % PROJECTION_COLUMNS == 0 ? 1 : PROJECTION_UNIT;
        weights->values[i] = projection->factors[i] / unit;
    }
    weights_finish(weights);
    return status_ok();
}
