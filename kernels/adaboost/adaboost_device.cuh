/*
 * Device side of an adaboost cell: what all its variants have in common. They differ in how they
 * search (AdaboostSearch); integral images, values, sorting, rounds and weights are done in one
 * way, as the definition leaves no choice of numbers, and with CUB where it has the operation.
 *
 * Memory is 4 bytes for each candidate and image (adaboost_plan.h), and a portion of candidates
 * being sorted. Values are there until their candidates are sorted; the few that are needed later,
 * those of the stump that a round takes, come from the integral images once more.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_DEVICE_CUH
#define KERNELS_ADABOOST_ADABOOST_DEVICE_CUH

#include "adaboost.h"
#include "adaboost_plan.h"
#include "cuda_state.h"
#include "exchange.h"
#include "multi.h"

/* === The device side ========================================================================== */

extern "C" {

/* The best stump of a candidate or of several. `key` orders equal errors: the place of the
 * threshold among the candidate's entries × 2 + (polarity == 0). */
typedef struct AdaboostBest {
    uint64_t error;     /* units of 2^-40 */
    uint32_t candidate; /* UINT32_MAX: none yet; of the device, 0 its first one */
    uint32_t key;
    uint32_t image; /* of the entry at that place: the threshold is its value */
} AdaboostBest;

/* What the last change of weights left for the next search, or sums up to now. */
typedef struct AdaboostSums {
    unsigned long long weight;  /* S of adaboost.h */
    unsigned long long others;  /* Σ q of the images that are not the digit */
    unsigned long long largest; /* share */
    int over;                   /* no stump is taken any more */
} AdaboostSums;

struct AdaboostDevice;

/* How a variant searches. */
typedef struct AdaboostSearch {
    /* Queues what makes, of all values, what is searched where AdaboostDevice.plan is packed; NULL:
     * it never is. */
    Status (*pack)(AdaboostDevice *device);
    /* Opens AdaboostDevice.best, and search_state; everything else is open. */
    Status (*open)(AdaboostDevice *device);
    /* Queues what makes, of a portion's sorted keys, what is searched otherwise. */
    Status (*arrange)(AdaboostDevice *device, const uint64_t *keys, MultiPart portion);
    /* Queues on cuda_stream() what fills `best`, whose least stump is that of all candidates, from
     * what is arranged, `shares` and `sums`. Nothing has to be done when sums->over. */
    Status (*search)(AdaboostDevice *device);
} AdaboostSearch;

struct AdaboostDevice : CudaState {
    AdaboostPoint point;
    AdaboostCandidates candidates; /* of the training, of all devices */
    int index, devices;            /* that have a part of the candidates */
    MultiPart part;                /* of the candidates, this device's */
    AdaboostPlan plan;
    int images, width, height;
    uint8_t *pixels, *labels; /* device memory, as all below */
    HaarFeature *features;    /* of the part */
    int32_t *integrals;       /* (width + 1) × (height + 1) of each image */
    /* candidates of the part × plan.pitch: the same memory before and after sorting */
    union {
        int32_t *values;
        uint32_t *order; /* as adaboost.h says */
        uint4 *chunks;   /* of the packed order */
    };
    int64_t *shares;          /* images; negative for the digit, as AdaboostWeights.shares */
    double *weights, *scores; /* images */
    AdaboostBest *best;       /* best_count */
    int best_count;
    AdaboostSums *sums;
    const AdaboostSearch *search;
    void *search_state;
    struct AdaboostWork *work; /* what sorting and rounds need */
};

/* Draws candidates and opens everything. `search` is the variant's. */
Status adaboost_cuda_open_with(const Request *request, const AdaboostSearch *search, void **state);

/* The same for one device of several, of which each has a part of the candidates. `drawn` has those
 * of the training and outlives the state; NULL: they are drawn. */
typedef struct AdaboostSeat {
    int index, devices;
    MultiPart part;
    const AdaboostCandidates *drawn;
} AdaboostSeat;
Status adaboost_cuda_open_seat(const Request *request, const AdaboostSearch *search,
                               const AdaboostSeat *seat, void **state);

/* The searches of cuda_fast, for cuda_multi. */
extern const AdaboostSearch adaboost_cuda_fast_search;

/* The same for all variants; `state` is an AdaboostDevice. run is the four stages. */
Status adaboost_cuda_integral(void *state);
Status adaboost_cuda_values(void *state);
Status adaboost_cuda_sort(void *state);
Status adaboost_cuda_boosting(void *state);

/* Devices that train together: each has a part of the candidates, and all have all images. */
typedef struct AdaboostTeam {
    int count;
    AdaboostDevice *devices[CUDA_DEVICES_MAX];
    Exchange *exchange; /* of their best stumps; NULL: one device */
} AdaboostTeam;

/* The stage "boosting" of a team; its first device's request has the answer. Waits for it. */
Status adaboost_cuda_train(const AdaboostTeam *team);
/* Queues the exchanges of that training once more, alone: what they take, their column says. */
Status adaboost_cuda_exchange_again(const AdaboostTeam *team);

} // extern "C"

/* === Steps ==================================================================================== */

/*
 * What the shared part of adaboost on the device keeps besides AdaboostDevice, and what its files
 * call of each other. Variants' searches need none of it.
 */

/* Rounds that are queued before the host looks at what they have taken. */
constexpr int ADABOOST_ROUNDS_QUEUED = 128;

/* The stump that a device, or all of them, found best in a round. */
struct AdaboostFound {
    AdaboostBest best; /* its candidate is that of the training */
    int32_t threshold;
    HaarFeature feature;
    bool is_taken;
};

/* Images that the strong classifier up to a round gets wrong. */
struct AdaboostWrong {
    unsigned long long misses, false_alarms;
};

/* Temporary device memory of a CUB operation; its size does not change after opening. */
struct AdaboostStorage {
    void *memory;
    size_t bytes;
};

/* Results of queued rounds, and what is made of them, in page-locked host memory. */
struct AdaboostRounds {
    AdaboostFound taken[ADABOOST_ROUNDS_QUEUED];
    double alphas[ADABOOST_ROUNDS_QUEUED];
    AdaboostWrong wrong[ADABOOST_ROUNDS_QUEUED];
};

struct AdaboostWork {
    int64_t digits, others; /* images; counted on the host */
    AdaboostSortPlan sort;
    uint64_t *keys[2]; /* sort.portion × images each */
    AdaboostStorage sorting;
    unsigned long long *units; /* of the images of each block, summed */
    /* ADABOOST_ROUNDS_QUEUED of each: what every device found, a place for each of them; of these
     * the one taken; a bit an image, whether it takes it for the digit; and for the scores. */
    AdaboostFound *found, *taken;
    uint32_t *answers; /* adaboost_words(images) a round */
    double *alphas;
    AdaboostWrong *wrong;
    uint8_t *answer; /* laid out as request->output: run leaves it on the device for download */
    AdaboostRounds *rounds;
    int rounds_exchanged; /* in the last training */
};

/* Blocks of `threads` threads that give one thread to each of `items` items. */
static inline unsigned int adaboost_blocks(int items, int threads) {
    return (unsigned int)(((size_t)items + (size_t)threads - 1) / (size_t)threads);
}

/* Words of 32 bits with a bit an image. */
static inline size_t adaboost_words(int images) {
    return ((size_t)images + 31) / 32;
}

static inline int adaboost_part_size(const AdaboostDevice *device) {
    return device->part.end - device->part.begin;
}

/* Each opens what its file needs; AdaboostDevice's own members are there already. */
Status adaboost_cuda_sort_open(AdaboostDevice *device);
Status adaboost_cuda_weights_open(AdaboostDevice *device);

/* AdaboostSearch.open of searches that find the best stump of each candidate. */
Status adaboost_cuda_best_open(AdaboostDevice *device);
/* AdaboostSearch.arrange of searches that read `order`. */
Status adaboost_cuda_arrange_order(AdaboostDevice *device, const uint64_t *keys, MultiPart portion);

/* Queues the weights at the beginning. */
Status adaboost_cuda_weights_start(AdaboostDevice *device);
/* Queues the change of weights by the best of what `found` devices found in the round `slot` of
 * those queued, and which that is. `given`: it is taken whatever its error, and after whatever
 * stump. */
Status adaboost_cuda_weights_apply(AdaboostDevice *device, int slot, int found, bool given);
/* Queues the scores by so many rounds' stumps, whose alphas are on the device, and what they get
 * wrong, which is copied to the host. */
Status adaboost_cuda_scores_add(AdaboostDevice *device, int rounds);

/* === Stumps =================================================================================== */

/*
 * The best stump of one candidate, from running sums of the shares in the order of its values.
 *
 * With sum = Σ share of the images before a threshold, polarity 1 has the error others − sum (the
 * others that are not before it, and the digits that are), and polarity 0 all the rest of the total
 * of 2^40.
 */

/* Less error, then the lower candidate, then the lower key. */
HAAR_INLINE bool adaboost_better(const AdaboostBest &a, const AdaboostBest &b) {
    if (a.error != b.error) {
        return a.error < b.error;
    }
    return a.candidate != b.candidate ? a.candidate < b.candidate : a.key < b.key;
}

/* For reductions with CUB. */
struct AdaboostBetter {
    __host__ __device__ AdaboostBest operator()(const AdaboostBest &a,
                                                const AdaboostBest &b) const {
        return adaboost_better(b, a) ? b : a;
    }
};

/* What every stump is better than. */
HAAR_INLINE AdaboostBest adaboost_none() {
    const AdaboostBest none = {UINT64_MAX, UINT32_MAX, UINT32_MAX, 0};
    return none;
}

/* Tries the threshold before place `place` with both polarities. A candidate's places are to be
 * tried in rising order: of equal errors the first stays. The image is not set: with one more
 * number to keep the compiler branches in place of choosing, and loads wait for each other. */
HAAR_INLINE void adaboost_try(AdaboostBest &best, uint32_t candidate, uint32_t place, int64_t sum,
                              int64_t others) {
    const uint64_t error = (uint64_t)(others - sum);
    const uint64_t reverse = ADABOOST_TOTAL - error;
    const uint64_t least = error <= reverse ? error : reverse;
    if (least < best.error) {
        best.error = least;
        best.candidate = candidate;
        best.key = 2 * place + (error <= reverse ? 0 : 1);
    }
}

/* Sets the image of the best place, of the candidate whose entries these are; none stays none. */
HAAR_INLINE void adaboost_set_image(AdaboostBest &best, const uint32_t *entries) {
    if (best.candidate != UINT32_MAX) {
        best.image = entries[best.key / 2] & ~ADABOOST_NEW_VALUE;
    }
}

#endif
