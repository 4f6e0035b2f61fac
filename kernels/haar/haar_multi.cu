/*
 * cuda_multi: the images divided, each share searched by cuda_fast's kernel on its device.
 *
 * Each device has records of its own and counts them. The counts come down first: their sums are
 * where the records of each share go in the answer, share after share, all copies at once. A device
 * whose buffer was too small makes it larger and searches again, as in cuda_fast. The floor is that
 * of cuda_fast divided by the devices.
 *
 * End to end each device streams its images as cuda_streamed does, and a portion that has been
 * searched takes the next places of the answer, whichever device it is of: no device waits for the
 * counts of another. Records have no order.
 */
#include "haar_streamed.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(haar_cuda_streamed);
VARIANT_FUNCTIONS(haar_cuda_multi);

namespace {

struct HaarMulti {
    MultiShares shares;                /* first: the shared functions see only this */
    uint64_t found[CUDA_DEVICES_MAX];  /* records of each share */
    uint64_t before[CUDA_DEVICES_MAX]; /* records of those before it */
    uint64_t placed;                   /* stream(): records in the answer */
};

Status open_share(MultiShare *share) {
    Workload *workload = &share->workload;
    const MultiPart images = multi_share_items(share, workload->set.count);
    if (images.begin == images.end) {
        return status_ok();
    }
    workload->image.pixels += (size_t)images.begin * workload->set.height * workload->image.stride;
    workload->set.count = images.end - images.begin;
    workload->image.height = workload->set.count * workload->set.height;
    STATUS_TRY(haar_cuda_streamed_open(&share->request, &share->state));
    ((HaarDevice *)share->state)->first_image = images.begin;
    return status_ok();
}

HaarDevice *device_of(const HaarMulti *multi, int index) {
    return (HaarDevice *)multi->shares.shares[index].state;
}

/* Growing a buffer allocates, which only one thread at a time may do. */
Status count_share(void *context, int index) {
    HaarMulti *multi = (HaarMulti *)context;
    HaarDevice *device = device_of(multi, index);
    multi->found[index] = 0;
    return device != NULL ? haar_device_count(device, &multi->found[index]) : status_ok();
}

Status fetch_share(void *context, int index) {
    const HaarMulti *multi = (const HaarMulti *)context;
    const HaarDevice *device = device_of(multi, index);
    return device != NULL ? haar_device_fetch(device, multi->found[index], multi->before[index])
                          : status_ok();
}

/* === Streamed ================================================================================= */

/* Shares that are empty are the last ones. */
HaarStreamed *streamed_of(const HaarMulti *multi, int index) {
    return (HaarStreamed *)multi->shares.shares[index].state;
}

Status begin_share(void *context, int index) {
    return haar_streamed_begin(streamed_of((const HaarMulti *)context, index));
}

Status take_share(void *context, int index) {
    return haar_streamed_take(streamed_of((const HaarMulti *)context, index));
}

Status finish_share(void *context, int index) {
    return staged_download_finish(streamed_of((const HaarMulti *)context, index)->down);
}

bool all_taken(const HaarMulti *multi, int count) {
    bool all = true;
    for (int i = 0; i < count; i++) {
        const HaarStreamed *streamed = streamed_of(multi, i);
        all = all && streamed->taken == streamed->searching;
    }
    return all;
}

/* Sets the number of records. False: a device had no room for all of its own. */
bool count_streamed(const HaarMulti *multi, int count) {
    bool whole = true;
    uint64_t found = 0;
    for (int i = 0; i < count; i++) {
        const HaarStreamed *streamed = streamed_of(multi, i);
        found += haar_streamed_found(streamed);
        whole = whole && haar_streamed_found(streamed) <= streamed->capacity;
    }
    *haar_count(multi->shares.request->output) = found;
    return whole;
}

/* Records come down in two steps. */
const MultiMethod method = {
    sizeof(HaarMulti), open_share, haar_cuda_upload, haar_cuda_streamed_run, NULL, NULL, NULL};

} // namespace

Status haar_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

Status haar_cuda_multi_download(void *state) {
    HaarMulti *multi = (HaarMulti *)state;
    const MultiShares *shares = &multi->shares;
    uint64_t found = 0;
    STATUS_TRY(multi_each(shares->count, count_share, state));
    for (int i = 0; i < shares->count; i++) {
        multi->before[i] = found;
        found += multi->found[i];
    }
    *haar_count(shares->request->output) = found;
    return multi_together(shares->count, fetch_share, state);
}

Status haar_cuda_multi_stream(void *state) {
    HaarMulti *multi = (HaarMulti *)state;
    const MultiShares *shares = &multi->shares;
    BandStream *streams[CUDA_DEVICES_MAX];
    int count = 0;
    for (int i = 0; i < shares->count; i++) {
        HaarStreamed *streamed = streamed_of(multi, i);
        if (streamed != NULL) {
            streamed->placed = &multi->placed;
            streams[count++] = streamed->up;
        }
    }
    multi->placed = 0;
    STATUS_TRY(multi_each(count, begin_share, multi));
    STATUS_TRY(band_stream_run_all(streams, count));
    while (!all_taken(multi, count)) {
        STATUS_TRY(multi_each(count, take_share, multi));
    }
    STATUS_TRY(multi_each(count, finish_share, multi));
    return count_streamed(multi, count) ? status_ok() : haar_cuda_multi_download(state);
}
