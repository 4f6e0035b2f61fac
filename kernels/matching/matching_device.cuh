/*
 * Device side of a matching cell: what all its variants have in common. They differ in how they
 * find the nearest ones (MatchingMethod), both of each of A and of each of B; which of them are
 * mutual is said in one way.
 */
#ifndef KERNELS_MATCHING_MATCHING_DEVICE_CUH
#define KERNELS_MATCHING_MATCHING_DEVICE_CUH

#include <cuda_runtime_api.h>

#include "cuda_state.cuh"
#include "matching.h"
#include "variant.h"

/* Distance in the upper, index in the lower 32 bits: the least key is the nearest row, of several
 * the one with the lowest index. A type that CUDA has atomic operations for. */
typedef unsigned long long MatchingKey;

typedef struct MatchingDevice MatchingDevice;

/* What a variant does in its own way. */
typedef struct MatchingMethod {
    Status (*open)(
        MatchingDevice *device); /* optional: allocates what follows the MatchingDevice */
    /* Queues lowering all keys, of which all bits are 1 before, to those of the nearest rows. Not
     * called where a set is empty. */
    Status (*search)(const MatchingDevice *device);
    void (*close)(MatchingDevice *device); /* optional; what open allocates may be there in part */
} MatchingMethod;

/* The first member of every state; zeroed before open. Buffers are in device memory. */
struct MatchingDevice {
    const Request *request;
    const MatchingMethod *method;
    MatchingSets sets;   /* the rows in host memory */
    uint8_t *a, *b;      /* rows of sets.bytes without gaps, sets.a_count and sets.b_count */
    MatchingKey *a_keys; /* for each of A, its nearest of B */
    MatchingKey *b_keys; /* for each of B, its nearest of A; in the same allocation, after a_keys */
    Match *matches;      /* sets.a_count */
};

/* Opens what every state begins with. Whatever the status, matching_cuda_close frees the state. */
Status matching_device_open(const Request *request, const MatchingMethod *method,
                            MatchingDevice *device);

/* The same for all variants; `state` begins with a MatchingDevice. */
VARIANT_FUNCTIONS(matching_cuda);

/* Opens a State that is or begins with a MatchingDevice. */
template <typename State>
Status matching_cuda_open_with(const Request *request, const MatchingMethod *method, void **state) {
    return cuda_open_state<State>(
        state,
        [&](State *opened) {
            return matching_device_open(request, method, (MatchingDevice *)opened);
        },
        matching_cuda_close);
}

#endif
