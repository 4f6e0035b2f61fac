/*
 * cuda_multi: all images on each device, the candidates divided, each part searched by cuda_fast's
 * kernels.
 *
 * A round of cuda_fast is nearly all search, and its candidates have nothing to do with each other:
 * so each device sorts and searches its part. Then all tell each other what they found best, 40
 * bytes a device: error, candidate, place, and the feature and threshold that they stand for. Each
 * takes the best by the same rule and computes from the integral images, which it has of all
 * images, what that stump says of each of them: so nothing else is sent, not even a bit an image,
 * and weights change on every device in the same integers. The exchange is queued like the kernels
 * (exchange.h): the host is not asked which stump it is until all rounds queued are over.
 *
 * Floor of n devices: values, sorting and the passes over bins and order divided by n; a round's
 * small kernels and the exchange as they are.
 *
 * On H100s with NVLink, 10,000 candidates and 60,000 images, 100 rounds, six launches: 46.8 ms on
 * one device, 33.8 on two, 26.8 on four. Divided by two, the 9 ms before the rounds and the 0.34 ms
 * of a round that sums and searches would leave 28: 0.04 ms of a round are small kernels, 0.014 an
 * exchange of 2 KB. The other 0.06 ms are what each device searches more than its half, because its
 * own best is not the best of all, and the wait for the slower of the two. All 449,959 candidates
 * of sides from 5 that differ take 1.50 to 1.58 s on two, 3.3 to 4.0 with the program's start; the
 * 527,964 of sides from 4 0.93 to 0.98 s on four, 3.9 to 4.7 with it.
 *
 * Memory: 4.6 bytes for each candidate of the part and image. All 450,000 features of sides from 5
 * in 60,000 images of 28×28 are 125.8 GB, 117.1 GiB, on one device, and 58.7 GiB on each of two:
 *   values and order   225,000 × 60,000 × 4            54.00 GB
 *   packed bits        225,000 × 61,440 / 8             1.73 GB
 *   bins               225,000 × 236 × 256 / 2          6.80 GB
 *   images             60,000 × (785 + 3364 + 24)       0.25 GB
 *   of candidates      225,000 × 1037                   0.23 GB
 */
#include "adaboost_device.cuh"
#include "exchange.h"
#include "multi_shares.h"

VARIANT_FUNCTIONS(adaboost_cuda);
VARIANT_FUNCTIONS(adaboost_cuda_multi);
VARIANT_EXTERN Status adaboost_cuda_multi_integral(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_values(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_sort(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_boosting(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_exchange(void *state);
VARIANT_EXTERN const char *adaboost_cuda_multi_exchanges_by(const void *state);

namespace {

struct AdaboostMulti {
    MultiShares shares; /* first: the shared functions see only this */
    AdaboostTeam team;  /* of the shares that are not empty, which are the first ones */
};

/* === Open and close =========================================================================== */

/* The first share draws the candidates of all. */
Status open_share(MultiShare *share) {
    const int candidates = adaboost_point(share->request.answer).candidates;
    AdaboostSeat seat = {};
    seat.index = share->index;
    seat.devices = share->count < candidates ? share->count : candidates;
    seat.part = multi_share_items(share, candidates);
    if (seat.part.begin == seat.part.end) {
        return status_ok();
    }
    if (share->index > 0) {
        seat.drawn = &((const AdaboostDevice *)share->all->shares[0].state)->candidates;
    }
    return adaboost_cuda_open_seat(&share->request, &adaboost_cuda_fast_search, &seat,
                                   &share->state);
}

Status open_joint(MultiShares *shares) {
    AdaboostTeam *team = &((AdaboostMulti *)shares)->team;
    for (int i = 0; i < shares->count && shares->shares[i].state != NULL; i++) {
        team->devices[team->count++] = (AdaboostDevice *)shares->shares[i].state;
    }
    return team->count > 1 ? exchange_open(team->count, &team->exchange) : status_ok();
}

void close_joint(MultiShares *shares) {
    exchange_close(((AdaboostMulti *)shares)->team.exchange);
}

const MultiMethod method = {
    sizeof(AdaboostMulti), open_share, cuda_state_upload, NULL, NULL, open_joint, close_joint};

/* === Run ====================================================================================== */

struct Step {
    const AdaboostTeam *team;
    Status (*run)(void *state);
};

Status run_on(void *context, int part) {
    const Step *step = (const Step *)context;
    return step->run(step->team->devices[part]);
}

/* The same on every device, one after the other, which only queues. */
Status on_each(void *state, Status (*run)(void *state)) {
    Step step = {&((AdaboostMulti *)state)->team, run};
    return multi_each(step.team->count, run_on, &step);
}

} // namespace

Status adaboost_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

const char *adaboost_cuda_multi_exchanges_by(const void *state) {
    const Exchange *exchange = ((const AdaboostMulti *)state)->team.exchange;
    return exchange != NULL ? exchange_name(exchange) : NULL;
}

Status adaboost_cuda_multi_integral(void *state) {
    return on_each(state, adaboost_cuda_integral);
}

Status adaboost_cuda_multi_values(void *state) {
    return on_each(state, adaboost_cuda_values);
}

Status adaboost_cuda_multi_sort(void *state) {
    return on_each(state, adaboost_cuda_sort);
}

Status adaboost_cuda_multi_boosting(void *state) {
    return adaboost_cuda_train(&((AdaboostMulti *)state)->team);
}

Status adaboost_cuda_multi_exchange(void *state) {
    return adaboost_cuda_exchange_again(&((AdaboostMulti *)state)->team);
}

Status adaboost_cuda_multi_run(void *state) {
    STATUS_TRY(adaboost_cuda_multi_integral(state));
    STATUS_TRY(adaboost_cuda_multi_values(state));
    STATUS_TRY(adaboost_cuda_multi_sort(state));
    return adaboost_cuda_multi_boosting(state);
}

Status adaboost_cuda_multi_download(void *state) {
    return cuda_state_download(((AdaboostMulti *)state)->team.devices[0]);
}
