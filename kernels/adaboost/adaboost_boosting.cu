/*
 * The rounds. The devices lead: a round needs nothing of the host, which queues many of them and
 * then looks at the stumps that they have taken. A round is a search, the best of its results, an
 * exchange where several devices have searched, and the change of weights. What the definition
 * makes depend on results is decided there: after a stump without error, and before one that is no
 * better than chance, the rest of the rounds queued do nothing. Only alpha is the host's
 * (adaboost_weights.cu), so scores follow when it has seen the stumps: two waits for all rounds
 * queued.
 *
 * With Steps that want to hear of each round, one round is queued at a time.
 */
#include <algorithm>
#include <cstring>
#include <cub/block/block_reduce.cuh>

#include "adaboost.h"
#include "adaboost_device.cuh"
#include "cuda_device.h"
#include "early_launch.cuh"

/* === The best stump =========================================================================== */

namespace {

constexpr int THREADS = 1024;

struct Taking {
    const AdaboostBest *results;
    int count; /* of them */
    const HaarFeature *features;
    const int32_t *integrals;
    int stride, entries; /* of an integral image */
    uint32_t first;      /* candidate of the device, in the training */
    AdaboostFound *found;
};

/* One block takes the best of the search's results, and one thread what belongs to it. */
__global__ void __launch_bounds__(THREADS) adaboost_take_best(const Taking taking) {
    using Reduce = cub::BlockReduce<AdaboostBest, THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    start_between_kernels();
    AdaboostBest best = adaboost_none();
    for (int i = (int)threadIdx.x; i < taking.count; i += THREADS) {
        best = AdaboostBetter{}(best, taking.results[i]);
    }
    best = Reduce(storage).Reduce(best, AdaboostBetter{});
    if (threadIdx.x == 0) {
        AdaboostFound found = {best, 0, {}, false};
        if (best.candidate != UINT32_MAX) {
            found.feature = taking.features[best.candidate];
            found.threshold = haar_value(taking.integrals + (size_t)best.image * taking.entries,
                                         taking.stride, found.feature);
            found.best.candidate += taking.first;
        }
        *taking.found = found;
    }
}

/* Searches, and puts the device's best at its place among those found in a round. */
Status find_best(AdaboostDevice *device, int slot) {
    Taking taking = {};
    STATUS_TRY(device->search->search(device));
    taking.results = device->best;
    taking.count = device->best_count;
    taking.features = device->features;
    taking.integrals = device->integrals;
    taking.stride = device->width + 1;
    taking.entries = taking.stride * (device->height + 1);
    taking.first = (uint32_t)device->part.begin;
    taking.found = device->work->found + (size_t)slot * device->devices + device->index;
    return launch_early(adaboost_take_best, 1, THREADS, taking);
}

} // namespace

Status adaboost_cuda_best_open(AdaboostDevice *device) {
    device->best_count = device->plan.candidates;
    const CudaBuffer table[] = {
        cuda_scratch(&device->best, (size_t)device->best_count * sizeof *device->best)};
    return cuda_open_buffers(device, table);
}

/* === Queueing ================================================================================= */

namespace {

/* Rounds that are queued together. Those done in an earlier run are given: their stumps are
 * applied, not searched. */
struct Queue {
    const AdaboostTeam *team;
    AdaboostStump *stumps; /* of these rounds */
    int rounds;
    bool given;
    int slot; /* the round that is being queued */
};

Status start(void *context, int part) {
    return adaboost_cuda_weights_start(((const AdaboostTeam *)context)->devices[part]);
}

Status queue_search(void *context, int part) {
    const Queue *queue = (const Queue *)context;
    return find_best(queue->team->devices[part], queue->slot);
}

Status queue_change(void *context, int part) {
    const Queue *queue = (const Queue *)context;
    AdaboostDevice *device = queue->team->devices[part];
    return adaboost_cuda_weights_apply(device, queue->slot, queue->given ? 1 : device->devices,
                                       queue->given);
}

Status await(void *context, int part) {
    (void)context;
    (void)part;
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

AdaboostFound found_of(const AdaboostStump *stump) {
    AdaboostFound found = {};
    found.best.error = stump->error;
    found.best.candidate = (uint32_t)stump->candidate;
    found.best.key = stump->polarity == 1 ? 0 : 1;
    found.threshold = (int32_t)stump->threshold;
    found.feature = {(uint8_t)stump->type, (uint8_t)stump->x, (uint8_t)stump->y, (uint8_t)stump->w,
                     (uint8_t)stump->h};
    return found;
}

/* Puts the stumps that are given at the first place among those found, on every device. */
Status give_stumps(void *context, int part) {
    const Queue *queue = (const Queue *)context;
    const AdaboostDevice *device = queue->team->devices[part];
    AdaboostRounds *rounds = device->work->rounds;
    for (int i = 0; i < queue->rounds; i++) {
        rounds->taken[i] = found_of(&queue->stumps[i]);
    }
    CUDA_TRY(cudaMemcpy2DAsync(device->work->found, device->devices * sizeof(AdaboostFound),
                               rounds->taken, sizeof(AdaboostFound), sizeof(AdaboostFound),
                               (size_t)queue->rounds, cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

/* Copies what was taken to the host. */
Status fetch_taken(void *context, int part) {
    const Queue *queue = (const Queue *)context;
    const AdaboostWork *work = queue->team->devices[part]->work;
    if (part == 0) {
        CUDA_TRY(cudaMemcpyAsync(work->rounds->taken, work->taken,
                                 (size_t)queue->rounds * sizeof *work->taken,
                                 cudaMemcpyDeviceToHost, cuda_stream()));
    }
    return status_ok();
}

Status queue_exchange(const AdaboostTeam *team, int slot) {
    void *memory[CUDA_DEVICES_MAX];
    for (int i = 0; i < team->count; i++) {
        memory[i] = team->devices[i]->work->found + (size_t)slot * team->count;
    }
    return exchange_queue(team->exchange, memory, sizeof(AdaboostFound));
}

Status queue_round(Queue *queue) {
    const AdaboostTeam *team = queue->team;
    if (!queue->given) {
        STATUS_TRY(multi_each(team->count, queue_search, queue));
        if (team->exchange != NULL) {
            STATUS_TRY(queue_exchange(team, queue->slot));
            team->devices[0]->work->rounds_exchanged++;
        }
    }
    return multi_each(team->count, queue_change, queue);
}

/* Queues all and waits: the places of these rounds are free again on every device. */
Status run_rounds(Queue *queue) {
    const AdaboostTeam *team = queue->team;
    if (queue->given) {
        STATUS_TRY(multi_each(team->count, give_stumps, queue));
    }
    for (queue->slot = 0; queue->slot < queue->rounds; queue->slot++) {
        STATUS_TRY(queue_round(queue));
    }
    STATUS_TRY(multi_each(team->count, fetch_taken, queue));
    return multi_each(team->count, await, queue);
}

/* === Stumps =================================================================================== */

AdaboostStump stump_of(const AdaboostCandidates *candidates, const AdaboostFound &taken) {
    AdaboostStump stump = adaboost_stump_of(candidates, (int32_t)taken.best.candidate);
    stump.threshold = taken.threshold;
    stump.polarity = taken.best.key % 2 == 0 ? 1 : 0;
    stump.error = taken.best.error;
    return stump;
}

/* Writes the stumps taken, and what each round's classifier gets wrong, by the first device. */
Status write_stumps(const Queue *queue, int taken) {
    AdaboostDevice *device = queue->team->devices[0];
    const AdaboostWork *work = device->work;
    AdaboostRounds *rounds = work->rounds;
    for (int i = 0; i < taken; i++) {
        queue->stumps[i] = stump_of(&device->candidates, rounds->taken[i]);
        rounds->alphas[i] = adaboost_factors(rounds->taken[i].best.error).alpha;
    }
    CUDA_TRY(cudaMemcpyAsync(work->alphas, rounds->alphas, (size_t)taken * sizeof *work->alphas,
                             cudaMemcpyHostToDevice, cuda_stream()));
    STATUS_TRY(adaboost_cuda_scores_add(device, taken));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    for (int i = 0; i < taken; i++) {
        queue->stumps[i].misses = rounds->wrong[i].misses;
        queue->stumps[i].false_alarms = rounds->wrong[i].false_alarms;
    }
    return status_ok();
}

/* Of the rounds queued the first ones. */
Status count_taken(const Queue *queue, int *taken) {
    const AdaboostFound *found = queue->team->devices[0]->work->rounds->taken;
    for (*taken = 0; *taken < queue->rounds && found[*taken].is_taken; (*taken)++) {
    }
    const bool is_none = *taken < queue->rounds && found[*taken].best.candidate == UINT32_MAX;
    return is_none && (*taken == 0 || found[*taken - 1].best.error != 0)
               ? status_fail("the search found no stump at all")
               : status_ok();
}

/* === Training ================================================================================= */

Status check_given(const AdaboostDevice *device, const AdaboostStump *stumps, size_t done) {
    for (size_t i = 0; i < done; i++) {
        if (!adaboost_stump_fits(&device->candidates, &stumps[i])) {
            return status_fail("stump %zu of the rounds done is not one of this training", i + 1);
        }
    }
    return status_ok();
}

/* Rounds from `first` on that are queued together. */
int rounds_queued(const Request *request, size_t first, size_t done, size_t rounds) {
    const Steps *steps = request->steps;
    const bool one = first >= done && steps != NULL && steps->finished != NULL;
    const size_t last = first < done ? done : rounds;
    return one ? 1 : (int)std::min(last - first, (size_t)ADABOOST_ROUNDS_QUEUED);
}

/* Rounds `first` on: those done in an earlier run, or as many as are queued together. */
Status take_rounds(Queue *queue, const Request *request, size_t first, uint64_t *count,
                   bool *over) {
    int taken = 0;
    STATUS_TRY(run_rounds(queue));
    STATUS_TRY(count_taken(queue, &taken));
    if (taken > 0) {
        STATUS_TRY(write_stumps(queue, taken));
    }
    *over = taken < queue->rounds || queue->stumps[taken - 1].error == 0;
    *count = first + (size_t)taken;
    const Steps *steps = request->steps;
    return taken > 0 && !queue->given && steps != NULL && steps->finished != NULL
               ? steps->finished(steps->context, *count)
               : status_ok();
}

/* The harness may overwrite the output before it downloads. */
Status keep_answer(const AdaboostDevice *device) {
    const Output *output = device->request->output;
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        CUDA_TRY(cudaMemcpyAsync(device->work->answer + part->offset, output->data + part->offset,
                                 part->bytes, cudaMemcpyHostToDevice, cuda_stream()));
    }
    return status_ok();
}

} // namespace

Status adaboost_cuda_train(const AdaboostTeam *team) {
    const AdaboostDevice *device = team->devices[0];
    const Request *request = device->request;
    const size_t rounds = (size_t)device->point.rounds;
    const size_t done = request->steps != NULL ? std::min(request->steps->done, rounds) : 0;
    AdaboostStump *stumps = adaboost_stumps(request->output);
    uint64_t *count = adaboost_count(request->output);
    bool over = false;
    *count = 0;
    device->work->rounds_exchanged = 0;
    memset(stumps + done, 0, (rounds - done) * sizeof *stumps);
    STATUS_TRY(check_given(device, stumps, done));
    STATUS_TRY(multi_each(team->count, start, (void *)team));
    for (size_t first = 0; first < rounds && !(over && first >= done); first = *count) {
        Queue queue = {team, stumps + first, rounds_queued(request, first, done, rounds),
                       first < done, 0};
        STATUS_TRY(take_rounds(&queue, request, first, count, &over));
    }
    return keep_answer(device);
}

Status adaboost_cuda_exchange_again(const AdaboostTeam *team) {
    const int rounds = team->devices[0]->work->rounds_exchanged;
    for (int i = 0; i < rounds && team->exchange != NULL; i++) {
        STATUS_TRY(queue_exchange(team, i % ADABOOST_ROUNDS_QUEUED));
    }
    return status_ok();
}

Status adaboost_cuda_boosting(void *state) {
    const AdaboostTeam alone = {1, {(AdaboostDevice *)state}, NULL};
    return adaboost_cuda_train(&alone);
}
