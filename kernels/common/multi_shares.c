#include "multi_shares.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_state.h"

/* Rows that are uploaded by one device for all: of fewer bytes, all devices at once are as fast. */
static const size_t common_least = (size_t)1 << 16;

/* === Open and close =========================================================================== */

static Status open_share(void *context, int index) {
    MultiShares *shares = context;
    MultiShare *share = &shares->shares[index];
    const Request *whole = shares->request;
    share->all = shares;
    share->index = index;
    share->count = shares->count;
    share->workload = *whole->workload;
    share->answer = *whole->answer;
    share->output = *whole->output;
    share->request = *whole;
    share->request.workload = &share->workload;
    share->request.answer = &share->answer;
    share->request.output = &share->output;
    return shares->method.open(share);
}

static Status find_common_rows(MultiShares *shares) {
    if (shares->count == 1 || shares->shares[0].state == NULL) {
        return status_ok();
    }
    STATUS_TRY(multi_open_peers(shares->count, shares->reach));
    for (int i = 1; i < shares->count; i++) {
        void *state = shares->shares[i].state;
        shares->common |= state != NULL && shares->reach[i][0] &&
                          cuda_state_share(state, shares->shares[0].state, common_least);
    }
    return status_ok();
}

static Status open_shares(MultiShares *shares) {
    STATUS_TRY(multi_devices(shares->request, &shares->count));
    STATUS_TRY(multi_each(shares->count, open_share, shares));
    STATUS_TRY(find_common_rows(shares));
    return shares->method.open_joint != NULL ? shares->method.open_joint(shares) : status_ok();
}

Status multi_shares_divide(const Request *request, const MultiMethod *method, const void *context,
                           void **state) {
    MultiShares *shares = calloc(1, method->bytes);
    if (shares == NULL) {
        return status_no_memory("for the shares of several devices");
    }
    shares->request = request;
    shares->method = *method;
    shares->context = context;
    const Status status = open_shares(shares);
    if (!status_is_ok(&status)) {
        multi_shares_close(shares);
        return status;
    }
    *state = shares;
    return status;
}

/* A share is closed whether or not its device can still be used. */
void multi_shares_close(void *state) {
    MultiShares *shares = state;
    if (shares == NULL) {
        return;
    }
    if (shares->method.close_joint != NULL) {
        shares->method.close_joint(shares);
    }
    for (int i = 0; i < shares->count; i++) {
        if (shares->shares[i].state != NULL) {
            (void)cuda_use_device(i);
            cuda_state_close(shares->shares[i].state);
        }
    }
    (void)cuda_use_device(0);
    free(shares);
}

/* === Upload, run, download ==================================================================== */

static Status upload_share(void *context, int index) {
    MultiShares *shares = context;
    void *state = shares->shares[index].state;
    if (state != NULL) {
        STATUS_TRY(shares->method.upload(state));
        CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    }
    return status_ok();
}

static Status upload_further_share(void *context, int index) {
    return index > 0 ? upload_share(context, index) : status_ok();
}

static Status run_share(void *context, int index) {
    MultiShares *shares = context;
    void *state = shares->shares[index].state;
    return state != NULL ? shares->method.run(state) : status_ok();
}

static Status download_share(void *context, int index) {
    MultiShares *shares = context;
    void *state = shares->shares[index].state;
    return state != NULL ? shares->method.download(state) : status_ok();
}

/* All threads of the host are the first device's while it takes what is common. */
Status multi_shares_upload(void *state) {
    const MultiShares *shares = state;
    if (!shares->common) {
        return multi_together(shares->count, upload_share, state);
    }
    STATUS_TRY(upload_share(state, 0));
    return multi_together(shares->count, upload_further_share, state);
}

Status multi_shares_run(void *state) {
    return multi_each(((MultiShares *)state)->count, run_share, state);
}

Status multi_shares_download(void *state) {
    return multi_together(((MultiShares *)state)->count, download_share, state);
}

/* === Shares =================================================================================== */

MultiPart multi_share_items(const MultiShare *share, int items) {
    return multi_part(items, share->count, share->index);
}

static AxisValue *value_of(Point *point, const char *name) {
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, name) == 0) {
            return &point->values[i];
        }
    }
    return NULL;
}

/* Narrows the request to the share's keypoints. False: there are none. */
static bool narrow_to_keypoints(MultiShare *share) {
    AxisValue *keypoints = value_of(&share->answer, "keypoints");
    OutputPart *rows = &share->output.layout.parts[0];
    const MultiPart part = multi_share_items(share, keypoints != NULL ? (int)keypoints->number : 0);
    const int count = part.end - part.begin;
    if (count == 0) {
        return false;
    }
    keypoints->number = count;
    share->workload.keypoints.keypoints += part.begin;
    share->workload.keypoints.count = count;
    rows->offset += (size_t)part.begin * rows->width * output_element_size(rows->kind);
    rows->height = (size_t)count;
    rows->bytes = rows->height * rows->width * output_element_size(rows->kind);
    return true;
}

static Status open_keypoints(MultiShare *share) {
    const Variant *cell = share->all->context;
    return narrow_to_keypoints(share) ? cell->open(&share->request, &share->state) : status_ok();
}

Status multi_keypoints_open(const Request *request, const VariantTable *table, void **state) {
    const Variant *cell = table->rows;
    while (strcmp(cell->name, "cuda_fast") != 0) {
        cell++;
    }
    const MultiMethod method = {.bytes = sizeof(MultiShares),
                                .open = open_keypoints,
                                .upload = cell->upload,
                                .run = cell->run,
                                .download = cell->download};
    return multi_shares_divide(request, &method, cell, state);
}
