#include "triplets.h"
#include "thread_team.h"

#include <string.h>

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

void triplets_choose(const float *likeness, const SamplePlace *places, int32_t n,
                     Triplet *triplets) {
    const size_t side = 2 * (size_t)n;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t i = 0; i < n; i++) {
        const int32_t of_first = hardest(likeness, places, n, i);
        const int32_t of_second = hardest(likeness, places, n, n + i);
        if (of_first < 0) {
            triplets[i] = (Triplet){i, n + i, n + i};
            continue;
        }
        const float first = likeness[(size_t)i * side + (size_t)of_first];
        const float second = likeness[(size_t)(n + i) * side + (size_t)of_second];
        triplets[i] =
            second > first ? (Triplet){n + i, i, of_second} : (Triplet){i, n + i, of_first};
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
