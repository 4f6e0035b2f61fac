/*
 * Cells that are divided in shares, one for each device: images, keypoints, descriptors, positions.
 * A share is a cell of another variant, usually cuda_fast, whose functions work on it. Only for
 * code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_MULTI_SHARES_H
#define KERNELS_COMMON_MULTI_SHARES_H

#include <stdbool.h>

#include "multi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MultiShares MultiShares;

typedef struct MultiShare {
    const MultiShares *all;
    int index, count; /* of the shares */
    Request request;  /* names the next three, and is the whole cell's otherwise */
    Workload workload;
    Point answer;
    Output output; /* the whole cell's memory */
    void *state;   /* NULL: nothing to do */
} MultiShare;

/* What an algorithm does in its own way. Each is called with the share's device in use; functions
 * of the variant that works on the shares can stand here as they are. */
typedef struct MultiMethod {
    size_t bytes; /* of the whole state, which begins with a MultiShares */
    /* Narrows the request to the share and opens a state for it, which begins with a CudaState.
     * Sets no state where the share is empty, which the first one is only if all are. */
    Status (*open)(MultiShare *share);
    Status (*upload)(void *state);
    Status (*run)(void *state);
    Status (*download)(void *state);
    /* What the shares have in common; both may be NULL. Device 0 is in use. open_joint comes after
     * all shares have been opened, close_joint copes with a state that is opened in part. */
    Status (*open_joint)(MultiShares *shares);
    void (*close_joint)(MultiShares *shares);
} MultiMethod;

/* The first member of every state. */
struct MultiShares {
    const Request *request; /* of the whole cell */
    MultiMethod method;
    const void *context; /* for the method */
    bool common;         /* input that several shares have goes up once */
    int count;
    MultiReach reach; /* of the shares' devices, which is open before open_joint */
    MultiShare shares[CUDA_DEVICES_MAX];
};

/* Opens a state with as many shares as the request has devices. */
Status multi_shares_divide(const Request *request, const MultiMethod *method, const void *context,
                           void **state);

/* The method's functions on every share that is not empty: upload and download each in a thread of
 * its own and waiting for their devices, run one after the other. Rows of the host that the first
 * share has too are copied from its device where that can be reached, if they are many. */
VARIANT_FUNCTIONS(multi_shares);

/* The items that are the share's. */
MultiPart multi_share_items(const MultiShare *share, int items);

/* cuda_multi of algorithms that describe keypoints: these are divided, the image is on each device,
 * and the shares are cells of the table's cuda_fast. Their rows come down to their places in the
 * first part of the answer. */
Status multi_keypoints_open(const Request *request, const VariantTable *table, void **state);

#ifdef __cplusplus
}
#endif

#endif
