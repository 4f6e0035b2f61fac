/*
 * cuda_multi: set A on each device, set B divided, each share searched by cuda_fast's kernels.
 *
 * What is exchanged are keys: of A the nearest of each share, of which the least is the nearest of
 * all, and of B those that its share has found already. They are copied to device 0, which lowers
 * its keys to the least ones and decides which matches are mutual. A key has the distance above the
 * index, so that of rows at one distance the lowest index wins, as within a share: adding a share's
 * first row to its keys makes the indices those of B.
 *
 * Floor: cuda_fast's products divided by the devices; 8 bytes for each row of A and share, and for
 * each of B, over the link: 100,000 rows by 100,000 on two devices are 1.2 MB, 3 µs at 400 GB/s.
 */
#include "matching_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(matching_cuda_multi);
VARIANT_EXTERN Status matching_cuda_multi_search(void *state);
VARIANT_EXTERN Status matching_cuda_multi_exchange(void *state);
VARIANT_EXTERN const char *matching_cuda_multi_exchanges_by(const void *state);
VARIANT_EXTERN const char *matching_cuda_multi_path(const void *state);
VARIANT_EXTERN const char *matching_cuda_fast_path(const void *state);

namespace {

constexpr int THREADS = 256;

/* Shares but the first, and their first rows of B. */
struct Others {
    int count;
    int32_t first[CUDA_DEVICES_MAX - 1];
};

struct MatchingMulti {
    MultiShares shares;                 /* first: the shared functions see only this */
    Others others;                      /* without those that are empty, which are the last ones */
    int32_t b_count;                    /* of all shares */
    MatchingKey *keys;                  /* on device 0: of A, as each of the others found them */
    MatchingKey *b_keys;                /* on device 0: of B, share after share */
    cudaEvent_t sent[CUDA_DEVICES_MAX]; /* the keys of a share have arrived */
    cudaEvent_t joined;                 /* they have been read */
};

const MatchingDevice *device_of(const MatchingMulti *multi, int index) {
    return (const MatchingDevice *)multi->shares.shares[index].state;
}

/* Lowers the keys of A to the least of all shares. `others` has a_count keys for each of them. */
__global__ void __launch_bounds__(THREADS)
    lower_keys(MatchingKey *keys, const MatchingKey *others, Others shares, int a_count) {
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i >= a_count) {
        return;
    }
    MatchingKey key = keys[i];
    for (int s = 0; s < shares.count; s++) {
        key = min(key, others[(size_t)s * a_count + i] + (MatchingKey)shares.first[s]);
    }
    keys[i] = key;
}

/* === Open and close =========================================================================== */

/* The first share takes what there is to do where B is empty. */
Status open_share(MultiShare *share) {
    MatchingSets sets = matching_sets(share->request.workload, share->request.answer);
    const MultiPart part = multi_share_items(share, sets.b_count);
    sets.b += (size_t)part.begin * sets.stride;
    sets.b_count = part.end - part.begin;
    return sets.b_count > 0 || share->index == 0
               ? matching_fast_open_sets(&share->request, &sets, &share->state)
               : status_ok();
}

Status open_joint(MultiShares *shares) {
    MatchingMulti *multi = (MatchingMulti *)shares;
    Others *others = &multi->others;
    const Request *request = shares->request;
    const MatchingSets sets = matching_sets(request->workload, request->answer);
    multi->b_count = sets.b_count;
    for (int i = 1; i < shares->count && shares->shares[i].state != NULL; i++) {
        others->first[others->count++] = multi_share_items(&shares->shares[i], sets.b_count).begin;
    }
    if (others->count == 0) {
        return status_ok();
    }
    const size_t keys = (size_t)others->count * (size_t)sets.a_count;
    const CudaBuffer table[] = {
        cuda_scratch(&multi->keys, keys * sizeof *multi->keys),
        cuda_scratch(&multi->b_keys, (size_t)sets.b_count * sizeof *multi->b_keys),
    };
    STATUS_TRY(cuda_open_buffers((CudaState *)shares->shares[0].state, table));
    CUDA_TRY(cudaEventCreateWithFlags(&multi->joined, cudaEventDisableTiming));
    return multi_open_events(others->count + 1, multi->sent);
}

void close_joint(MultiShares *shares) {
    MatchingMulti *multi = (MatchingMulti *)shares;
    multi_close_events(multi->others.count + 1, multi->sent);
    if (multi->joined != NULL) {
        (void)cudaEventDestroy(multi->joined);
    }
}

/* === Run ====================================================================================== */

Status search_share(void *state) {
    return matching_device_search((const MatchingDevice *)state);
}

/* The keys of a share to device 0, after it has read those of the run before. */
Status send_keys(void *context, int index) {
    MatchingMulti *multi = (MatchingMulti *)context;
    const MatchingDevice *device = device_of(multi, index);
    const MatchingSets *sets = &device->sets;
    const size_t a_count = (size_t)sets->a_count;
    const size_t first = index > 0 ? (size_t)multi->others.first[index - 1] : 0;
    if (index > 0) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->joined, 0));
        CUDA_TRY(cudaMemcpyAsync(multi->keys + (size_t)(index - 1) * a_count, device->a_keys,
                                 a_count * sizeof *device->a_keys, cudaMemcpyDefault,
                                 cuda_stream()));
    }
    CUDA_TRY(cudaMemcpyAsync(multi->b_keys + first, device->b_keys,
                             (size_t)sets->b_count * sizeof *device->b_keys, cudaMemcpyDefault,
                             cuda_stream()));
    CUDA_TRY(cudaEventRecord(multi->sent[index], cuda_stream()));
    return status_ok();
}

/* By device 0, which is in use. */
Status join_keys(const MatchingMulti *multi) {
    const MatchingDevice *device = device_of(multi, 0);
    const int a_count = device->sets.a_count;
    for (int i = 1; i <= multi->others.count; i++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->sent[i], 0));
    }
    lower_keys<<<(unsigned int)pieces_of(a_count, THREADS), THREADS, 0, cuda_stream()>>>(
        device->a_keys, multi->keys, multi->others, a_count);
    STATUS_TRY(CUDA_LAUNCHED());
    STATUS_TRY(matching_device_match(device, multi->b_keys, multi->b_count));
    CUDA_TRY(cudaEventRecord(multi->joined, cuda_stream()));
    return status_ok();
}

const MultiMethod method = {sizeof(MatchingMulti),
                            open_share,
                            cuda_state_upload,
                            search_share,
                            NULL,
                            open_joint,
                            close_joint};

} // namespace

Status matching_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

const char *matching_cuda_multi_exchanges_by(const void *state) {
    return ((const MatchingMulti *)state)->others.count > 0 ? "peer copies" : NULL;
}

const char *matching_cuda_multi_path(const void *state) {
    return matching_cuda_fast_path(device_of((const MatchingMulti *)state, 0));
}

Status matching_cuda_multi_search(void *state) {
    return multi_shares_run(state);
}

Status matching_cuda_multi_exchange(void *state) {
    MatchingMulti *multi = (MatchingMulti *)state;
    const MatchingDevice *first = device_of(multi, 0);
    if (multi->others.count == 0) {
        return matching_device_match(first, first->b_keys, multi->b_count);
    }
    if (first->sets.a_count == 0) {
        return status_ok();
    }
    STATUS_TRY(multi_each(multi->others.count + 1, send_keys, multi));
    return join_keys(multi);
}

Status matching_cuda_multi_run(void *state) {
    STATUS_TRY(matching_cuda_multi_search(state));
    return matching_cuda_multi_exchange(state);
}

Status matching_cuda_multi_download(void *state) {
    const MultiShares *shares = (const MultiShares *)state;
    return cuda_state_download(shares->shares[0].state);
}
